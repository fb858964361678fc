//! The deployed contract of the variants.

use std::ops::RangeInclusive;
use std::sync::Arc;

use connect4_protocol::variants::event::{TableOpened, VariantStarted};
use connect4_protocol::variants::message::{
    OpenTable, OpenTables, ReadVariant, StartVariant, VariantCount,
};
use connect4_protocol::variants::{Game, Page};
use connect4_protocol::{Address, Error as Refusal, Event, GameId, Message};
use connect4_rules::variant::{Colour, VariantSpec};
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
use crate::contracts::transact::{told, untold};
use crate::contracts::variant_action::VariantAction;
use crate::contracts::watch::Watch;
use crate::error::Error;
use crate::history::archive::Archive;
use crate::history::chronicle::{Chronicle, Part, Progress};
use crate::history::of_game;
use crate::task::Task;

/// A deployed contract of the variants.
#[derive(Clone, Debug)]
pub struct Variants {
    deployed: Deployed,
    address: Address,
    /// The game or table that its transactions rely on, with its number; none if nothing is known
    /// of it.
    basis: Option<(u32, Seen<Game>)>,
}

impl Variants {
    /// Opens the contract at an address, if it is there and answers as one of the variants. Its code
    /// may be another version.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if there is no contract, then [`Error::OtherCode`] if it answers
    /// otherwise; else if the chain cannot be reached.
    pub async fn open(client: &Client, address: Address, code: Code<'_>) -> Result<Self, Error> {
        let found = client
            .code_hash(address)
            .await?
            .ok_or(Error::NoContract(address))?;
        let expected = code.variants_hash();
        let opened = Self {
            deployed: Deployed::new(client.clone(), vec![address]),
            address,
            basis: None,
        };
        if found != expected {
            // Other contracts of ours count games as well, but have no tables.
            let message = OpenTables {
                from: None,
                limit: 1,
            };
            match opened.query(&Task::FindVariants, &message, None).await {
                Ok(_) => {}
                Err(error) if answers_otherwise(&error) => {
                    return Err(Error::OtherCode {
                        address,
                        found: H256(found),
                        expected: H256(expected),
                    });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(opened)
    }

    /// The same contract, whose transactions are based on a game or table as it was seen: each is void on
    /// a branch of the chain on which it has other players, another position or another end.
    #[must_use]
    pub const fn answering(mut self, number: u32, seen: Seen<Game>) -> Self {
        self.basis = Some((number, seen));
        self
    }

    /// Address of the contract.
    #[must_use]
    pub const fn address(&self) -> Address {
        self.address
    }

    /// The connection to the contract's chain.
    #[must_use]
    pub const fn client(&self) -> &Client {
        self.deployed.client()
    }

    /// The same contract with an archive of past events, in which games are looked up first.
    #[must_use]
    pub fn with_archive(mut self, archive: Arc<dyn Archive>) -> Self {
        self.deployed = self.deployed.with_archive(archive);
        self
    }

    /// Number of games and tables that were numbered; the first one is 0.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn game_count(&self) -> Result<u32, Error> {
        self.query(&Task::CountGames, &VariantCount {}, None).await
    }

    /// A game or table as it is in the best block; none if there is none with this number, its
    /// storage was freed or its table was closed.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn game(&self, number: u32) -> Result<Option<Game>, Error> {
        self.read_game(number, None).await
    }

    /// A game or table as it is in the best block, with that block; none as for [`Variants::game`].
    ///
    /// # Errors
    ///
    /// As [`Variants::game`].
    pub async fn see_game(&self, number: u32) -> Result<Option<Seen<Game>>, Error> {
        let block = self.client().best_block().await?;
        let found = self.read_game(number, Some(block.hash)).await?;
        Ok(found.map(|value| Seen { value, block }))
    }

    /// A game or table as it was after a block; none if it was not there. Most nodes of public
    /// chains keep the state of their newest blocks only.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or has dropped the block's state.
    pub async fn game_at(&self, number: u32, block: H256) -> Result<Option<Game>, Error> {
        self.read_game(number, Some(block)).await
    }

    async fn read_game(&self, game: u32, at: Option<H256>) -> Result<Option<Game>, Error> {
        let task = Task::ReadGame {
            game: GameId::Variant(game),
        };
        let message = ReadVariant { game };
        self.deployed
            .find(self.address, task, &message, at, Refusal::NoSuchGame)
            .await
    }

    /// All open tables, each with its number, the newest first.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn open_tables(&self) -> Result<Vec<(u32, Game)>, Error> {
        self.newest_tables(usize::MAX).await
    }

    /// The newest open tables, at most so many, each with its number, the newest first.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn newest_tables(&self, most: usize) -> Result<Vec<(u32, Game)>, Error> {
        let task = Task::ListTables;
        let mut found: Vec<(u32, Game)> = Vec::new();
        let mut from: Option<u32> = None;
        loop {
            let message = OpenTables {
                from,
                limit: Page::MAX_LEN,
            };
            let page = match self.query(&task, &message, None).await? {
                Ok(page) => page,
                // The table at which this page begins has filled up or was closed since the page
                // before: start again at the newest.
                Err(Refusal::NoSuchGame | Refusal::AlreadyStarted) if from.is_some() => {
                    from = None;
                    continue;
                }
                Err(error) => return Err(Error::Refused { task, error }),
            };
            let oldest = found.last().map(|(number, _)| *number);
            let older = page
                .tables
                .into_iter()
                .filter(|(number, _)| oldest.is_none_or(|oldest| *number < oldest));
            found.extend(older);
            from = page.next;
            if from.is_none() || found.len() >= most {
                found.truncate(most);
                return Ok(found);
            }
        }
    }

    /// Starts a game between these accounts, in turn order, and returns its number. The signer need
    /// not play.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `BadShape`, `BadVariant`, `WrongPlayers` or `SamePlayer`, before
    /// anything is sent; else if the account cannot pay or the chain cannot be reached.
    pub async fn start_game(
        &self,
        signer: &Signer,
        players: &[Address],
        variant: VariantSpec,
    ) -> Result<Receipt<u32>, Error> {
        let task = Task::StartGame;
        let players = players.to_vec();
        let message = StartVariant { players, variant };
        let receipt = self.transact(&task, signer, &Packed::of(&message)).await?;
        told(&task, receipt, |event| match event {
            Event::VariantStarted(VariantStarted { game, .. }) => Some(*game),
            _ => None,
        })
    }

    /// Opens a table, at which the signer has a seat, and returns its number: that of the game which
    /// starts when the last player joins. `players` are the only accounts that may join, in turn
    /// order and with the signer; empty: anyone may, and the signer has the first turn. `limit` is
    /// the time for a move, in seconds.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `BadShape`, `BadVariant`, `WrongPlayers`, `SamePlayer` or `BadLimit`,
    /// before anything is sent; else if the account cannot pay or the chain cannot be reached.
    pub async fn open_table(
        &self,
        signer: &Signer,
        players: &[Address],
        variant: VariantSpec,
        limit: Option<u32>,
    ) -> Result<Receipt<u32>, Error> {
        let task = Task::OpenTable;
        let message = OpenTable {
            players: players.to_vec(),
            variant,
            limit,
        };
        let receipt = self.transact(&task, signer, &Packed::of(&message)).await?;
        told(&task, receipt, |event| match event {
            Event::TableOpened(TableOpened { game, .. }) => Some(*game),
            _ => None,
        })
    }

    /// Performs an action of the signer in a game or at its table. Returns the events of the
    /// contract that the transaction emitted, in order: at least the one that tells the action.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with the contract's reason, before anything is sent; see the message of
    /// the action's [name](VariantAction::name). Else if the account cannot pay, or the chain cannot
    /// be reached.
    pub async fn perform(
        &self,
        signer: &Signer,
        game: u32,
        action: VariantAction,
    ) -> Result<Receipt<Vec<Event>>, Error> {
        let task = &Task::PerformVariant {
            action,
            game,
            signer: signer.named(),
        };
        let receipt = self.transact(task, signer, &action.message(game)).await?;
        if !receipt.value.iter().any(|event| action.is_told_by(event)) {
            return Err(untold(task, &receipt));
        }
        Ok(receipt)
    }

    /// Waits until a game or table differs from what is given here, and returns it with the block
    /// after which it is so.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, also if the game's storage is freed or its table closed
    /// meanwhile; else if the chain cannot be reached.
    pub async fn wait_for_change(&self, number: u32, game: &Game) -> Result<Seen<Game>, Error> {
        let task = &Task::AwaitChange {
            game: GameId::Variant(number),
        };
        let look = || async {
            match self.see_game(number).await? {
                Some(now) => Ok((now.value != *game).then_some(now)),
                None => Err(Error::Refused {
                    task: task.clone(),
                    error: Refusal::NoSuchGame,
                }),
            }
        };
        self.deployed.wait_until(task, look).await
    }

    /// The start of a game, its moves, the players who left it and its end, in order, from the events
    /// of its blocks. A game whose storage was freed has them too. `from` is the number of a block
    /// at or before the game's start; 0 if none is known. The blocks are found as by
    /// [`Contract::history`](crate::Contract::history).
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, also for a table that was closed, or with `NotStarted`
    /// for one that is open; then [`Error::Pruned`] if the node has dropped the game's first blocks, or
    /// [`Error::StartsBefore`] if `from` is behind them; else if the chain cannot be reached.
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

    /// Asks a message, on the state after a block; the best one if none is given.
    async fn query<M: Message>(
        &self,
        task: &Task,
        message: &M,
        at: Option<H256>,
    ) -> Result<M::Answer, Error> {
        self.deployed.query(self.address, task, message, at).await
    }

    /// Sends a message. The receipt holds the contract's events.
    async fn transact(
        &self,
        task: &Task,
        signer: &Signer,
        message: &Packed,
    ) -> Result<Receipt<Vec<Event>>, Error> {
        let call = Call {
            contract: self.address,
            payment: 0,
            input: &message.input,
        };
        let basis = self.basis.as_ref();
        let basis = basis.map(|(number, seen)| AtVariant {
            variants: self,
            number: *number,
            seen,
        });
        self.deployed
            .transact(task, signer, call, basis.as_ref())
            .await
    }
}

/// A game or table that transactions rely on.
struct AtVariant<'a> {
    variants: &'a Variants,
    number: u32,
    seen: &'a Seen<Game>,
}

impl Basis for AtVariant<'_> {
    fn block(&self) -> BlockRef {
        self.seen.block
    }

    fn depth(&self) -> u32 {
        // No stakes are played for.
        self.variants.client().depth(false)
    }

    /// The times of moves may differ: on another branch they are others.
    async fn stands(&self, _: &Task, block: H256) -> Result<bool, Error> {
        let now = self.variants.game_at(self.number, block).await?;
        Ok(now.is_some_and(|now| {
            now.variant() == self.seen.variant()
                && now.accounts() == self.seen.accounts()
                && now.payer() == self.seen.payer()
                && now.limit() == self.seen.limit()
                && now.has_started() == self.seen.has_started()
                && now.is_swapped() == self.seen.is_swapped()
                && now.position() == self.seen.position()
                && now.end() == self.seen.end()
        }))
    }
}

impl Chronicle for Variants {
    fn deployed(&self) -> &Deployed {
        &self.deployed
    }

    fn id(number: u32) -> GameId {
        GameId::Variant(number)
    }

    fn part(event: &Event, number: u32) -> Option<Part> {
        let part = match event {
            Event::VariantStarted(_) => Part::Start,
            Event::MoveMade(_) | Event::PlayerLeft(_) => Part::Course,
            Event::VariantEnded(_) => Part::End,
            Event::TableClosed(_) => Part::Cancelled,
            _ => return None,
        };
        (event.game() == Some(GameId::Variant(number))).then_some(part)
    }

    async fn progress(&self, number: u32, block: H256) -> Result<Progress, Error> {
        let read = self.game_at(number, block).await;
        let read = read.map(|game| game.as_ref().map(progress));
        self.progress_of(number, block, read).await
    }

    async fn game_count_at(&self, block: H256) -> Result<u32, Error> {
        self.query(&Task::CountGames, &VariantCount {}, Some(block))
            .await
    }
}

fn progress(game: &Game) -> Progress {
    if !game.has_started() {
        return Progress::Open;
    }
    let position = game.position();
    let leavers = Colour::ALL
        .into_iter()
        .filter(|&colour| position.has_left(colour));
    let leavers = u16::try_from(leavers.count()).unwrap_or(u16::MAX);
    let course = u16::from(position.turns()).saturating_add(leavers);
    Progress::Events(course.saturating_add(1 + u16::from(game.is_over())))
}
