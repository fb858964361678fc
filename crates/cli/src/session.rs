//! The chain a command works on: another program's, or the local one in this process.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use connect4_chain::{OpenError, Options};
use connect4_client::{
    Address, Client, Code, Contracts, Deployment, Error, GameId, Lookup, Named, Outage, Patience,
    Signer, Stakes, Trust, Wait,
};
use connect4_index::Past;
use connect4_protocol::message::ContractKind;
use tokio::task::AbortHandle;

use crate::args::Global;
use crate::failure::Failure;
use crate::local::{self, Local, NotStarted};
use crate::output::{Output, Progress};
use crate::place::Place;
use crate::takeover::{Holder, Takeover};
use crate::words::{away, remark};

/// The contracts, built from this repository.
pub const CODE: Code = Code {
    games: include_bytes!("../../../artifacts/connect4.polkavm"),
    variants: include_bytes!("../../../artifacts/connect4_variants.polkavm"),
    signed_records: Some(include_bytes!(
        "../../../artifacts/connect4_signed_records.polkavm"
    )),
    stakes: Some(include_bytes!("../../../artifacts/connect4_stakes.polkavm")),
};

/// The contract of the stakes of signed games beside these contracts; none if there is none.
///
/// # Errors
///
/// As [`Stakes::open`].
pub async fn stakes_of(contract: &Contracts) -> Result<Option<Stakes>, Error> {
    let address = contract.address_of(ContractKind::Stakes);
    match address.zip(CODE.stakes) {
        Some((address, code)) => {
            let stakes = Stakes::open(contract.client(), address, code).await?;
            Ok(Some(stakes))
        }
        None => Ok(None),
    }
}

/// How long a program that has the folder of the chain open may take to write its address there, or
/// to leave.
const TAKEOVER: Duration = Duration::from_secs(4);
/// How often the folder is looked at meanwhile.
const RETRY: Duration = Duration::from_millis(100);

/// A connection to a chain, and the chain if it runs in this process.
pub struct Session {
    pub client: Client,
    pub place: Place,
    /// The chain, if it runs in this process.
    pub local: Option<Local>,
    /// The chain, if another program has it open.
    takeover: Option<Holder>,
    /// Shows that a node which does not answer is waited for; none if that is told otherwise.
    waiting: Option<Waiting>,
}

/// Task that shows on the terminal's progress line that a node is waited for. It ends when this is
/// dropped.
struct Waiting(AbortHandle);

impl Waiting {
    fn start(client: &Client, progress: Progress) -> Self {
        let mut outages = client.outages();
        let task = tokio::spawn(async move {
            loop {
                match outages.next().await {
                    Outage::Began { url } => progress.say(&away(&url)),
                    Outage::Ended { .. } => progress.clear(),
                }
            }
        });
        Self(task.abort_handle())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Session {
    /// Reaches the chain that the command line names, and tells the report its token.
    pub async fn open(global: &Global, memory: bool, out: &mut Output) -> Result<Self, Failure> {
        let mut session = Self::connect(global, memory, &out.progress()).await?;
        session.waiting = Some(Waiting::start(&session.client, out.progress()));
        out.use_token(session.client.token());
        Ok(session)
    }

    /// Reaches the chain that the command line names.
    pub async fn connect(
        global: &Global,
        memory: bool,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let place = Place::of(global, memory)?;
        let (client, local, takeover) = match &place {
            Place::Url(url) => {
                progress.say(&format!("connecting to {url}"));
                (Client::connect(url).await?, None, None)
            }
            Place::Folder(_) | Place::Memory => {
                progress.say("opening the local chain");
                Self::open_local(&place).await?
            }
        };
        Ok(Self {
            client: prepared(client, global, &place),
            place,
            local,
            takeover,
            waiting: None,
        })
    }

    /// Has requests wait for a node that does not answer as long as it takes, and the report tell it.
    /// A local chain is opened here if the program that has it open ends.
    pub fn endure(&self, out: &mut Output) {
        if let Some(Waiting(task)) = &self.waiting {
            task.abort();
        }
        self.client.set_patience(Patience::Endless);
        if let Some(takeover) = &self.takeover {
            takeover.allow();
        }
        out.use_outages(self.client.outages());
    }

    /// Opens the local chain, or connects to the program that has it open.
    async fn open_local(place: &Place) -> Result<(Client, Option<Local>, Option<Holder>), Failure> {
        let deadline = Instant::now() + TAKEOVER;
        loop {
            match local::run(place, Options::default(), local::own_port()).await {
                Ok(local) => {
                    let client = Client::connect(&local.url()).await?;
                    return Ok((client, Some(local), None));
                }
                Err(NotStarted::Open(OpenError::InUse(folder))) => {
                    // The other program writes its address once it is ready.
                    let takeover = Takeover::of(folder.clone());
                    if let Ok(client) = Client::connect_by(takeover.clone()).await {
                        return Ok((client, None, Some(Holder(takeover))));
                    }
                    if Instant::now() > deadline {
                        return Err(OpenError::InUse(folder).into());
                    }
                    tokio::time::sleep(RETRY).await;
                }
                Err(NotStarted::Open(error)) => return Err(error.into()),
                Err(NotStarted::Other(failure)) => return Err(failure),
            }
        }
    }

    /// The chain, in words.
    pub fn whereabouts(&self) -> String {
        match &self.place {
            Place::Url(url) => format!("{} at {url}", self.client.chain()),
            Place::Folder(folder) => format!("the local chain in {}", folder.display()),
            Place::Memory => "a chain in memory".into(),
        }
    }

    /// The contract, which has to be there.
    pub async fn contract(
        &self,
        global: &Global,
        signer: Option<&Signer>,
    ) -> Result<Contracts, connect4_client::Error> {
        let contract = lookup(global).open(&self.client, signer).await?;
        Ok(self.with_past(global, contract))
    }

    /// The contract of a game, which has to be there.
    pub async fn contract_of(
        &self,
        global: &Global,
        game: GameId,
        signer: Option<&Signer>,
    ) -> Result<Contracts, connect4_client::Error> {
        match game.is_variant() {
            true => self.variants(global, signer).await,
            false => self.contract(global, signer).await,
        }
    }

    /// The index of past events of these contracts, which are looked up if they are not given.
    pub fn past(
        &self,
        global: &Global,
        contract: Option<&Contracts>,
        variants: Option<Address>,
    ) -> Past {
        Past {
            folder: self.place.index(global),
            lookup: lookup(global),
            client: self.client.clone(),
            contract: contract.cloned(),
            variants,
            options: connect4_index::Options {
                notice: Arc::new(remark),
                ..connect4_index::Options::default()
            },
            subject: OnceLock::new(),
        }
    }

    /// The same contract, whose games are looked up in the index first.
    fn with_past(&self, global: &Global, contract: Contracts) -> Contracts {
        let past = self.past(global, Some(&contract), None);
        contract.with_archive(Arc::new(past))
    }

    /// The contract, deployed if it is not there; with its deployment if it was not.
    pub async fn contract_or_deploy(
        &self,
        global: &Global,
        signer: &Signer,
        progress: &Progress,
    ) -> Result<(Contracts, Option<Deployment>), Failure> {
        let lookup = lookup(global);
        match lookup.open(&self.client, Some(signer)).await {
            Err(connect4_client::Error::NoContract(_)) if lookup.may_deploy() => {}
            result => return Ok((self.with_past(global, result?), None)),
        }
        progress.say("deploying the contract");
        let (contract, deployment) = lookup.deploy(&self.client, signer).await?;
        Ok((self.with_past(global, contract), Some(deployment)))
    }

    /// The contract of the variants, which has to be there.
    pub async fn variants(
        &self,
        global: &Global,
        signer: Option<&Signer>,
    ) -> Result<Contracts, connect4_client::Error> {
        let variants = lookup(global).open_variants(&self.client, signer).await?;
        Ok(self.variants_with_past(global, variants))
    }

    /// The same contract, whose games are looked up in the index first.
    fn variants_with_past(&self, global: &Global, variants: Contracts) -> Contracts {
        let past = self.past(global, None, Some(variants.address()));
        variants.with_archive(Arc::new(past))
    }

    /// The contract of the variants, deployed if it is not there; with its deployment if it was not.
    pub async fn variants_or_deploy(
        &self,
        global: &Global,
        signer: &Signer,
        progress: &Progress,
    ) -> Result<(Contracts, Option<Deployment>), Failure> {
        let lookup = lookup(global);
        match lookup.open_variants(&self.client, Some(signer)).await {
            Err(connect4_client::Error::NoContract(_)) if lookup.may_deploy_variants() => {}
            result => return Ok((self.variants_with_past(global, result?), None)),
        }
        progress.say("deploying the contract of the variants");
        let (variants, deployment) = lookup.deploy_variants(&self.client, signer).await?;
        Ok((self.variants_with_past(global, variants), Some(deployment)))
    }
}

/// The same connection as the command line wants it: when transactions count as done, when moves are
/// answered, and which chains are trusted.
pub fn prepared(client: Client, global: &Global, place: &Place) -> Client {
    let wait = match global.finalized {
        true => Wait::Finalized,
        false => Wait::Best,
    };
    let trust = Trust {
        folder: place.own_folder(global),
        new_chains: global.trust_chain,
        without_metadata_hash: global.no_metadata_hash,
    };
    client
        .waiting(wait)
        .confirming(global.confirmations)
        .trusting(trust)
}

/// The contract that the command line says to use.
pub fn lookup(global: &Global) -> Lookup {
    Lookup {
        code: CODE,
        contract: global.contract,
        variants: global.variants,
        deployer: global.deployer.as_ref().map(Named::address),
    }
}
