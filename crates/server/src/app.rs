//! What all requests share.

use std::sync::Arc;

use connect4_client::{
    Address, Contract, Error, GameId, Lookup, Seen, Signer, Variants, development_name,
};
use connect4_opponent::Level;
use connect4_protocol::fast::is_fast;
use connect4_protocol::{Game, variants};
use connect4_rules::Player;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::computers::Computers;
use crate::fast::FastTables;
use crate::guard::Guard;
use crate::keys::{Keys, Presented};
use crate::link::{Chain, Connected};
use crate::refusal::Refusal;
use crate::room::Rooms;
use crate::seats::Place;
use crate::signers::Signers;

/// What the handlers of requests work with.
pub struct App {
    pub chain: Chain,
    pub rooms: Rooms,
    pub computers: Arc<Computers>,
    pub fast: Arc<FastTables>,
    pub keys: Keys,
    pub guard: Arc<Guard>,
    pub signers: Arc<Signers>,
    pub lookup: Lookup,
    /// How many more pages may be open.
    pub sockets: Arc<Semaphore>,
    /// One review at a time: it takes a processor.
    pub reviewing: Arc<Semaphore>,
}

impl App {
    /// The connection to the chain.
    pub fn connected(&self) -> Result<Arc<Connected>, Refusal> {
        self.chain.connected().map_err(|why| Refusal::away(&why))
    }

    /// A game that has to be there, with the block after which it is so, and its contract.
    pub async fn game(&self, number: u32) -> Result<(Contract, Seen<Game>), Refusal> {
        let gone = || Refusal::gone(GameId::Classic(number));
        let contract = self.connected()?.contract().ok_or_else(gone)?;
        let game = self.while_there(contract.see_game(number)).await?;
        Ok((contract, game.ok_or_else(gone)?))
    }

    /// A game as [`Self::game`]; a fast one as it stands, on the chain or beyond it.
    pub async fn latest(&self, number: u32) -> Result<(Contract, Seen<Game>), Refusal> {
        if !is_fast(number) {
            return self.game(number).await;
        }
        let gone = || Refusal::gone(GameId::Classic(number));
        let contract = self.connected()?.contract().ok_or_else(gone)?;
        // Read once: who drops a disc waits for it.
        let chain = self.while_there(contract.see_fast_game(number)).await?;
        let chain = chain.ok_or_else(gone)?;
        let known = self.fast.known(&contract, number, &chain);
        let known = self.while_there::<_, Error>(known).await?;
        let newest = known.newest().map(|state| state.latest);
        let newest = newest.filter(|latest| latest.turns() >= chain.game.turns());
        Ok((contract, chain.map(|fast| newest.unwrap_or(fast.game))))
    }

    /// A game of a variant or a table that has to be there, with the block after which it is so, and
    /// its contract.
    pub async fn variant(&self, number: u32) -> Result<(Variants, Seen<variants::Game>), Refusal> {
        let gone = || Refusal::gone(GameId::Variant(number));
        let variants = self.connected()?.variants().ok_or_else(gone)?;
        let game = self.while_there(variants.see_game(number)).await?;
        Ok((variants, game.ok_or_else(gone)?))
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

    /// The contract, which is deployed if it is not there.
    pub async fn contract_or_deploy(
        &self,
        at: &Connected,
        signer: &Signer,
    ) -> Result<Contract, Refusal> {
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

    /// The contract of the variants, which is deployed if it is not there.
    pub async fn variants_or_deploy(
        &self,
        at: &Connected,
        signer: &Signer,
    ) -> Result<Variants, Refusal> {
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

    /// The signer of a player, if these keys open the account.
    pub fn signer_at(
        &self,
        keys: &Presented,
        game: &Game,
        player: Player,
    ) -> Result<&Signer, Refusal> {
        self.signer_for(keys, game.account_of(player), player.colour())
    }

    /// Has a computer play a seat.
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

    /// Room for one more page.
    pub fn room_for_a_socket(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.sockets)
            .try_acquire_owned()
            .map_err(|_| Refusal::busy("too many pages are open: close some"))
    }
}
