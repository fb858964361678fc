//! What all requests share.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::extract::ws::Utf8Bytes;
use connect4_client::{
    Address, Contracts, Error, GameId, Lookup, Seen, Signer, Stored, development_name,
};
use connect4_opponent::Level;
use connect4_relay::{Entrance, Proxies, Relay, Stop, Visitor};
use tokio::sync::{Semaphore, watch};

use crate::computers::Computers;
use crate::elsewhere::Elsewhere;
use crate::guard::Guard;
use crate::host::{Gate, HostLimits, LogFormat, Metrics, Place as SocketPlace};
use crate::indexing::Indexing;
use crate::keys::{Keys, Presented};
use crate::link::{Chain, Connected};
use crate::pictures::Pictures;
use crate::refusal::Refusal;
use crate::room::Rooms;
use crate::seats::Place;
use crate::signers::Signers;

/// How a public host is run.
#[derive(Clone, Debug, Default)]
pub struct Operation {
    pub limits: HostLimits,
    /// The reverse proxies in front of it, and whom its limits do not count.
    pub proxies: Proxies,
    /// Address of the metrics, which are for the operator alone; none: they are not told.
    pub metrics: Option<SocketAddr>,
    /// How what happens is told on standard error; none: it is not.
    pub log: Option<LogFormat>,
}

impl Operation {
    pub(crate) fn entrance(&self) -> Entrance {
        self.limits.entrance(self.proxies.clone())
    }
}

/// What the operator says of a public host.
#[derive(Clone, Debug, Default)]
pub struct Public {
    pub operation: Operation,
    /// URL of a node that wallets of Ethereum can use: it is what they are told if they do not know the
    /// chain.
    pub wallet_rpc: Option<String>,
    /// URL of the host as visitors have it, as `https://games.example`, for previews of links. None: the name
    /// by which they ask for it.
    pub url: Option<String>,
}

/// What the handlers of requests work with.
pub struct App {
    pub chain: Chain,
    /// What pages are told of the connection to the chain.
    pub links: watch::Receiver<Option<Utf8Bytes>>,
    pub rooms: Rooms,
    pub computers: Arc<Computers>,
    pub keys: Keys,
    pub guard: Arc<Guard>,
    pub signers: Arc<Signers>,
    pub lookup: Lookup,
    /// What the operator says of a public host; none for a server with accounts of its own.
    pub public: Option<Public>,
    /// URL of the relay of signed games, as `wss://games.example`; none: the server itself.
    pub relay: Option<String>,
    /// Keys of the other witnesses of signed games that count here, as the operator names them.
    pub witnesses: Vec<Address>,
    pub pictures: Pictures,
    pub signed_rooms: Relay,
    /// Rooms of the relay that is named; none if there is none.
    pub elsewhere: Option<Elsewhere>,
    /// What a public host lets in; none for a server with accounts of its own.
    pub gate: Option<Arc<Gate>>,
    pub metrics: Arc<Metrics>,
    /// Tells the sockets that the server ends.
    pub stop: Stop,
    pub started: SystemTime,
    pub most_sockets: usize,
    /// The index of games and accounts; none if there is none.
    pub indexing: Option<Arc<Indexing>>,
    /// How many more pages may be open.
    pub sockets: Arc<Semaphore>,
}

impl App {
    pub fn connected(&self) -> Result<Arc<Connected>, Refusal> {
        self.chain.connected().map_err(|why| Refusal::away(&why))
    }

    /// How long a socket may take nothing of what it is told.
    pub fn stall(&self) -> Duration {
        let public = self.public.as_ref();
        let limits = public.map(|public| public.operation.limits);
        limits.unwrap_or_default().stall
    }

    /// A game or table that has to be there, with the block after which it is so, and its contract.
    pub async fn game<G: Stored>(&self, id: GameId) -> Result<(Contracts, Seen<G>), Refusal> {
        let gone = || Refusal::gone(id);
        let contract = self.connected()?.contract_of(id).ok_or_else(gone)?;
        let game = self.while_there(contract.see_game(id)).await?;
        Ok((contract, game.ok_or_else(gone)?))
    }

    /// Does something on the chain, unless that goes away meanwhile.
    pub async fn while_there<T, E: Into<Refusal>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Refusal> {
        match self.chain.unless_gone(work).await {
            Some(done) => done.map_err(Into::into),
            None => Err(Refusal::lost()),
        }
    }

    pub async fn contract_or_deploy(
        &self,
        at: &Connected,
        signer: &Signer,
    ) -> Result<Contracts, Refusal> {
        if let Some(contract) = at.contract() {
            return Ok(contract);
        }
        let client = &at.connection.client;
        let contract = match self.lookup.open(client, Some(signer)).await {
            Err(Error::NoContract(_)) if self.lookup.may_deploy() => {
                self.lookup.deploy(client, signer).await?.0
            }
            result => result?,
        };
        at.set_contract(contract.clone());
        Ok(contract)
    }

    pub async fn variants_or_deploy(
        &self,
        at: &Connected,
        signer: &Signer,
    ) -> Result<Contracts, Refusal> {
        if let Some(variants) = at.variants() {
            return Ok(variants);
        }
        let client = &at.connection.client;
        let variants = match self.lookup.open_variants(client, Some(signer)).await {
            Err(Error::NoContract(_)) if self.lookup.may_deploy_variants() => {
                self.lookup.deploy_variants(client, signer).await?.0
            }
            result => result?,
        };
        at.set_variants(variants.clone());
        Ok(variants)
    }

    /// Checks that these keys are the host's. A player who was invited to a seat plays there, but
    /// makes nobody pay for anything else.
    pub fn check_host(&self, keys: &Presented, what: &str) -> Result<(), Refusal> {
        if self.keys.are_host(keys) {
            return Ok(());
        }
        Err(Refusal::key(format!(
            "to {what}, open the link that the program printed: an invitation is for a seat alone"
        )))
    }

    /// The signer of an account, if these keys open it. `who` is what the account is called.
    pub fn signer_for(
        &self,
        keys: &Presented,
        account: Address,
        who: &str,
    ) -> Result<&Signer, Refusal> {
        let open = self.keys.open(keys, account);
        self.signers.of(account).filter(|_| open).ok_or_else(|| {
            let account = match development_name(account) {
                Some(name) => format!("{name} ({account})"),
                None => account.to_string(),
            };
            Refusal::key(format!(
                "{who} is {account}, and this browser has no key to play with that account: open \
                 the link that the program printed, or one you were given for this seat"
            ))
        })
    }

    pub fn seat_computer(
        &self,
        place: Place,
        level: Level,
        signer: &Signer,
    ) -> Result<(), Refusal> {
        if self.computers.sit(place, level, signer) {
            return Ok(());
        }
        Err(Refusal::busy(
            "too many computers play already: let one of them finish its game",
        ))
    }

    pub fn room_for_a_socket(&self, from: Visitor) -> Result<SocketPlace, Refusal> {
        if let Some(gate) = &self.gate {
            return gate.socket(from, &self.sockets);
        }
        Arc::clone(&self.sockets)
            .try_acquire_owned()
            .map(Into::into)
            .map_err(|_| Refusal::busy("too many pages are open: close some"))
    }

    /// Counts a look at a game that nobody watches yet, which asks the chain, for this address.
    pub fn may_look_at(&self, game: GameId, from: Visitor) -> Result<(), Refusal> {
        match &self.gate {
            Some(gate) if !self.rooms.is_open(game) => gate.opens_a_room(from),
            _ => Ok(()),
        }
    }

    /// Keys of the witnesses whose signed games count here: that of its relay first, then those that the relay had before,
    /// then those that the operator names.
    pub fn counted_witnesses(&self) -> Vec<Address> {
        let mut keys = self.signed_rooms.witnesses();
        for key in &self.witnesses {
            if !keys.contains(key) {
                keys.push(*key);
            }
        }
        keys
    }

    pub fn open_sockets(&self) -> usize {
        let free = self.sockets.available_permits();
        self.most_sockets.saturating_sub(free)
    }
}
