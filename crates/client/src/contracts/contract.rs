//! The deployed contract of the matches with its games: opening it, asking it, its events.

use std::ops::RangeInclusive;
use std::sync::Arc;

use connect4_protocol::event::{Advanced, DiscDropped, GameEnded, GameStarted};
use connect4_protocol::message::{
    ContractKind, FastContract, GameCount, GamesContract, OpenChallenge, Referee, Version,
};
use connect4_protocol::{
    Address, Challenge, Error as Refusal, Event, Game, GameId, Match, Message,
};
use subxt::utils::H256;

use crate::accounts::account::Signer;
use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::dry_run::Call;
use crate::chain::seen::{Basis, Seen};
use crate::contracts::abi::Packed;
use crate::contracts::code::Code;
use crate::contracts::deployed::{Deployed, answers_otherwise};
use crate::contracts::occurrence::Occurrence;
use crate::contracts::receipt::Receipt;
use crate::contracts::watch::Watch;
use crate::error::Error;
use crate::history::archive::Archive;
use crate::history::chronicle::{Chronicle, Part, Progress};
use crate::history::of_game;
use crate::task::Task;

/// A deployed contract: that of the matches with its games and fast games, or one of games alone.
#[derive(Clone, Debug)]
pub struct Contract {
    deployed: Deployed,
    games: Address,
    /// None: there are games alone.
    matches: Option<Address>,
    /// None: there are no fast games, as in contracts of earlier versions.
    fast: Option<Address>,
    /// Whether stakes may be paid to it: all its contracts run known code, or the user trusts them.
    trusted: bool,
    /// Version of its code; none if the code is not known.
    version: Option<u32>,
    /// What its transactions rely on; none if nothing is known of it.
    basis: Option<BasedOn>,
}

/// What transactions rely on.
#[derive(Clone, Copy, Debug)]
struct BasedOn {
    subject: Subject,
    block: BlockRef,
    depth: u32,
}

/// A record that transactions rely on, with its number.
#[derive(Clone, Copy, Debug)]
enum Subject {
    Game(u32, Game),
    Challenge(u32, Challenge),
}

impl Contract {
    /// Opens the contract at an address, if it is there and answers as one of the games or matches.
    /// Its code may be another version.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if there is no contract, then [`Error::OtherCode`] if it answers
    /// otherwise, then [`Error::NewerContract`] if its matches are of a higher version than the
    /// client's, then [`Error::OtherReferee`] if the games have a referee that is neither the
    /// contract of the matches that was opened nor one with its code; else if the chain cannot be
    /// reached.
    pub async fn open(client: &Client, address: Address, code: Code<'_>) -> Result<Self, Error> {
        let (opened, referee) = Self::look_at(client, address, code).await?;
        opened.check_version(code.version).await?;
        let knows = match referee {
            None => true,
            Some(referee) if Some(referee) == opened.matches => true,
            // The contract of the games is named itself, without its matches.
            Some(referee) => client.code_hash(referee).await? == Some(code.matches_hash()),
        };
        match referee {
            Some(referee) if !knows => Err(Error::OtherReferee {
                address: opened.games,
                referee,
            }),
            _ => Ok(opened),
        }
    }

    /// The same, to which stakes are paid whatever its code is and whoever is the referee of its
    /// games: for users who trust who deployed it.
    ///
    /// # Errors
    ///
    /// Those of [`Contract::open`] without [`Error::NewerContract`] and [`Error::OtherReferee`].
    pub async fn open_with_any_code(
        client: &Client,
        address: Address,
        code: Code<'_>,
    ) -> Result<Self, Error> {
        let (mut opened, _) = Self::look_at(client, address, code).await?;
        opened.trusted = true;
        Ok(opened)
    }

    /// Checks that the matches are not of a higher version than the client's.
    async fn check_version(&self, ours: u32) -> Result<(), Error> {
        let Some(address) = self.matches.filter(|_| !self.trusted) else {
            return Ok(());
        };
        match self.query(&Task::FindGames, &Version {}, None).await {
            Ok(Ok(version)) if version > ours => Err(Error::NewerContract {
                address,
                version,
                ours,
            }),
            Ok(_) => Ok(()),
            // That of the first version has no such message.
            Err(error) if answers_otherwise(&error) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The contract at an address, and the referee of its games if there is one that its code does
    /// not tell.
    async fn look_at(
        client: &Client,
        address: Address,
        code: Code<'_>,
    ) -> Result<(Self, Option<Address>), Error> {
        let found = client
            .code_hash(address)
            .await?
            .ok_or(Error::NoContract(address))?;
        let expected = code.matches_hash();
        let contract = |games, matches: Option<Address>, fast: Option<Address>| Self {
            deployed: Deployed::new(
                client.clone(),
                [games].into_iter().chain(matches).chain(fast).collect(),
            ),
            games,
            matches,
            fast,
            trusted: false,
            version: None,
            basis: None,
        };
        let asked = contract(address, Some(address), None);
        let games = asked.query(&Task::FindGames, &GamesContract {}, None);
        let mut opened = match games.await {
            Ok(games) => contract(games, Some(address), asked.find_fast().await?),
            Err(error) if answers_otherwise(&error) => contract(address, None, None),
            Err(error) => return Err(error),
        };
        if found == expected
            && client.code_hash(opened.games).await? == Some(code.games_hash())
            && opened.has_known_fast(code).await?
        {
            // These matches have deployed their games, as the referee.
            opened.trusted = true;
            opened.version = Some(code.version);
            return Ok((opened, None));
        }
        // The contract of the variants counts games as well, but has no referee.
        match opened.query(&Task::FindGames, &Referee {}, None).await {
            Ok(Ok(referee)) => Ok((
                opened,
                Some(referee).filter(|referee| *referee != Address::ZERO),
            )),
            Ok(Err(error)) => Err(Error::Refused {
                task: Task::FindGames,
                error,
            }),
            Err(error) if answers_otherwise(&error) => Err(Error::OtherCode {
                address,
                found: H256(found),
                expected: H256(expected),
            }),
            Err(error) => Err(error),
        }
    }

    /// Address of the contract of the fast games that these matches have deployed; none if they are
    /// of a version without fast games.
    async fn find_fast(&self) -> Result<Option<Address>, Error> {
        let asked = self.query(&Task::FindGames, &FastContract {}, None);
        match asked.await {
            Ok(fast) => Ok(Some(fast)),
            Err(error) if answers_otherwise(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the contract of the fast games runs known code.
    async fn has_known_fast(&self, code: Code<'_>) -> Result<bool, Error> {
        match self.fast {
            Some(fast) => Ok(self.client().code_hash(fast).await? == Some(code.fast_hash())),
            None => Ok(false),
        }
    }

    /// The address by which the contract is named: that of the matches, or of the games if there are
    /// no matches.
    #[must_use]
    pub fn address(&self) -> Address {
        self.matches.unwrap_or(self.games)
    }

    /// Address of the contract of the games, where discs are dropped.
    #[must_use]
    pub const fn games_address(&self) -> Address {
        self.games
    }

    /// Address of the contract of the fast games; none if there are none.
    #[must_use]
    pub const fn fast_address(&self) -> Option<Address> {
        self.fast
    }

    /// Version of the code of its contracts, as [`Code::version`]; none if the code is not known.
    #[must_use]
    pub const fn version(&self) -> Option<u32> {
        self.version
    }

    /// Whether the contract has matches.
    #[must_use]
    pub const fn has_matches(&self) -> bool {
        self.matches.is_some()
    }

    /// The same contract, whose transactions are based on a game as it was seen: each is void on a branch
    /// of the chain on which the game has another position or end. How deep
    /// the block has to lie in which the position is found first, the [client](Client::confirming)
    /// says, by whether something is at stake.
    #[must_use]
    pub fn answering(mut self, number: u32, seen: &Seen<Game>, at_stake: bool) -> Self {
        self.basis = Some(BasedOn {
            subject: Subject::Game(number, seen.value),
            block: seen.block,
            depth: self.client().depth(at_stake),
        });
        self
    }

    /// The same contract, whose transactions are based on a challenge as it was seen: each is void on a
    /// branch of the chain on which another challenge has its number.
    #[must_use]
    pub fn answering_challenge(mut self, number: u32, seen: &Seen<Challenge>) -> Self {
        self.basis = Some(BasedOn {
            subject: Subject::Challenge(number, seen.value),
            block: seen.block,
            depth: self.client().depth(seen.terms.stake > 0),
        });
        self
    }

    /// The challenge that transactions rely on, if it has this number.
    pub(crate) fn basis_challenge(&self, number: u32) -> Option<Challenge> {
        match self.basis?.subject {
            Subject::Challenge(seen, challenge) if seen == number => Some(challenge),
            _ => None,
        }
    }

    /// The connection to the contract's chain.
    #[must_use]
    pub const fn client(&self) -> &Client {
        self.deployed.client()
    }

    /// Addresses of the contracts whose events tell of games, matches and fast games.
    #[must_use]
    pub fn emitters(&self) -> &[Address] {
        self.deployed.addresses()
    }

    /// The same contract with an archive of past events, in which games are looked up first.
    #[must_use]
    pub fn with_archive(mut self, archive: Arc<dyn Archive>) -> Self {
        self.deployed = self.deployed.with_archive(archive);
        self
    }

    /// Checks that a stake may be paid to the contract: nothing is paid to unknown code.
    pub(crate) fn check_trusted(&self, task: &Task) -> Result<(), Error> {
        if self.trusted {
            return Ok(());
        }
        Err(Error::UnknownCode {
            task: task.clone(),
            address: self.address(),
        })
    }

    /// The address of the contract that has a message.
    pub(crate) fn address_of<M: Message>(&self, task: &Task) -> Result<Address, Error> {
        self.address_of_kind(task, M::CONTRACT)
    }

    /// The address of the contract of a kind.
    pub(crate) fn address_of_kind(
        &self,
        task: &Task,
        kind: ContractKind,
    ) -> Result<Address, Error> {
        let address = match kind {
            ContractKind::Games => Some(self.games),
            ContractKind::Matches => self.matches,
            ContractKind::Fast => self.fast,
            ContractKind::Variants => None,
        };
        address.ok_or_else(|| Error::Lacks {
            task: task.clone(),
            address: self.address(),
            kind,
        })
    }

    /// Asks a message, on the state after a block; the best one if none is given.
    pub(crate) async fn query<M: Message>(
        &self,
        task: &Task,
        message: &M,
        at: Option<H256>,
    ) -> Result<M::Answer, Error> {
        let contract = self.address_of::<M>(task)?;
        self.deployed.query(contract, task, message, at).await
    }

    /// Asks for a record that may not be there: then the contract refuses with `missing`.
    pub(crate) async fn find<M, T>(
        &self,
        task: Task,
        message: &M,
        at: Option<H256>,
        missing: Refusal,
    ) -> Result<Option<T>, Error>
    where
        M: Message<Answer = Result<T, Refusal>>,
        T: codec::Decode,
    {
        let contract = self.address_of::<M>(&task)?;
        self.deployed
            .find(contract, task, message, at, missing)
            .await
    }

    /// Sends a message with a payment, in the token's smallest unit. The receipt holds the
    /// contracts' events.
    pub(crate) async fn transact<M, T>(
        &self,
        task: &Task,
        signer: &Signer,
        message: &M,
        payment: u128,
    ) -> Result<Receipt<Vec<Event>>, Error>
    where
        M: Message<Answer = Result<T, Refusal>>,
    {
        self.send(task, signer, &Packed::of(message), payment).await
    }

    /// The same for a message that is packed.
    pub(crate) async fn send(
        &self,
        task: &Task,
        signer: &Signer,
        message: &Packed,
        payment: u128,
    ) -> Result<Receipt<Vec<Event>>, Error> {
        let call = Call {
            contract: self.address_of_kind(task, message.kind)?,
            payment,
            input: &message.input,
        };
        let basis = self.basis.map(|based_on| InContract {
            contract: self,
            based_on,
        });
        self.deployed
            .transact(task, signer, call, basis.as_ref())
            .await
    }

    /// Looks after each new block until there is something to return.
    pub(crate) async fn wait_until<T, F>(
        &self,
        task: &Task,
        look: impl Fn() -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<Option<T>, Error>>,
    {
        self.deployed.wait_until(task, look).await
    }

    /// The start of a game, its moves and its end, in order, from the events of its blocks. A game
    /// whose storage was freed has them too.
    ///
    /// They are in the client's index if that is nearly up to date. Otherwise the blocks are found by
    /// bisection: the game's state after a block tells whether a move is before or behind it. So a
    /// game of 42 moves takes some hundred requests on a chain of millions of blocks, and about two a
    /// move if the moves follow each other closely. `from` is the number of a block at or before the
    /// game's first, where the bisection begins; 0 if none is known.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, then [`Error::Pruned`] if the node has dropped the
    /// game's first blocks, or [`Error::StartsBefore`] if `from` is behind them; else if the chain
    /// cannot be reached.
    pub async fn history(&self, game: u32, from: u32) -> Result<Vec<Occurrence>, Error> {
        of_game::history(self, game, from).await
    }

    /// All events of these blocks, in order. Blocks before the contract was there have none.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or the node has not all of the blocks.
    pub async fn events(&self, blocks: RangeInclusive<u32>) -> Result<Vec<Occurrence>, Error> {
        self.deployed.events(blocks).await
    }

    /// Follows the contract's events in the chain's final blocks from now on.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn watch(&self) -> Result<Watch, Error> {
        self.deployed.watch().await
    }

    /// Waits until a game or its match state differs from what is given here, and returns both: the
    /// game with the block after which it is so.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, also if the game's storage is freed meanwhile; else if
    /// the chain cannot be reached.
    pub async fn wait_for_change(
        &self,
        number: u32,
        game: &Game,
        match_state: &Match,
    ) -> Result<(Seen<Game>, Match), Error> {
        let task = &Task::AwaitChange {
            game: GameId::of_two(number),
        };
        let look = || async {
            let Some(now) = self.see_game(number).await? else {
                return Err(Error::Refused {
                    task: task.clone(),
                    error: Refusal::NoSuchGame,
                });
            };
            let state_now = self.match_of(number).await?;
            let has_changed = now.value != *game || state_now != *match_state;
            Ok(has_changed.then_some((now, state_now)))
        };
        self.deployed.wait_until(task, look).await
    }
}

/// What transactions to a contract rely on.
struct InContract<'a> {
    contract: &'a Contract,
    based_on: BasedOn,
}

impl Basis for InContract<'_> {
    fn block(&self) -> BlockRef {
        self.based_on.block
    }

    fn depth(&self) -> u32 {
        self.based_on.depth
    }

    /// The clocks of a game may differ: on another branch its moves have other times. In a fast game
    /// one may also stand still.
    async fn stands(&self, task: &Task, block: H256) -> Result<bool, Error> {
        match self.based_on.subject {
            Subject::Game(number, seen) => {
                let now = self.contract.game_at(number, block).await?;
                Ok(now.is_some_and(|now| {
                    now.player_one() == seen.player_one()
                        && now.player_two() == seen.player_two()
                        && now.payer() == seen.payer()
                        && (GameId::of_two(number).is_fast()
                            || now.clock().is_some() == seen.clock().is_some())
                        && now.position() == seen.position()
                        && now.end() == seen.end()
                }))
            }
            Subject::Challenge(number, seen) => {
                let message = OpenChallenge { challenge: number };
                let missing = Refusal::NoSuchChallenge;
                let now = self
                    .contract
                    .find(task.clone(), &message, Some(block), missing);
                Ok(now.await? == Some(seen))
            }
        }
    }
}

impl Chronicle for Contract {
    fn deployed(&self) -> &Deployed {
        &self.deployed
    }

    fn id(number: u32) -> GameId {
        GameId::of_two(number)
    }

    fn part(event: &Event, number: u32) -> Option<Part> {
        let (game, part) = match event {
            Event::GameStarted(GameStarted { game, .. }) => (game, Part::Start),
            Event::DiscDropped(DiscDropped { game, .. })
            | Event::Advanced(Advanced { game, .. }) => (game, Part::Course),
            Event::GameEnded(GameEnded { game, .. }) => (game, Part::End),
            _ => return None,
        };
        (*game == number).then_some(part)
    }

    async fn progress(&self, number: u32, block: H256) -> Result<Progress, Error> {
        let events = |turns: u8, has_ended: bool| {
            Progress::Events(1 + u16::from(turns) + u16::from(has_ended))
        };
        let read = if GameId::of_two(number).is_fast() {
            let read = self.fast_game_at(number, block).await;
            // While a line can be contested, its end has not been told.
            read.map(|fast| fast.map(|fast| events(fast.game.turns(), fast.is_final())))
        } else {
            let read = self.game_at(number, block).await;
            read.map(|game| game.map(|game| events(game.turns(), game.is_over())))
        };
        self.progress_of(number, block, read).await
    }

    async fn game_count_at(&self, block: H256) -> Result<u32, Error> {
        self.query(&Task::CountGames, &GameCount {}, Some(block))
            .await
    }

    async fn was_started(&self, number: u32, block: H256) -> Result<bool, Error> {
        let id = GameId::of_two(number);
        let count = match id.is_fast() {
            true => self.fast_game_count_at(Some(block)).await?,
            false => self.game_count_at(block).await?,
        };
        Ok(count > id.place())
    }

    fn told(events: &[Occurrence]) -> u16 {
        events.iter().fold(0, |told, at| match &at.event {
            // The start, and all moves until then.
            Event::Advanced(Advanced { moves, .. }) => 1 + u16::from(moves.turns()),
            _ => told.saturating_add(1),
        })
    }
}
