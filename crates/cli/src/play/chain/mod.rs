//! A game whose moves are transactions: classic, or a variant of two to four players.
//!
//! A [`Table`] is the game and who plays it here. `contract` is its contract, `act` does what players
//! want, `change` says what others did, `rematch` asks for another game.

mod act;
mod change;
mod contract;
mod rematch;

use std::path::PathBuf;

use connect4_client::{Address, Contracts, GameId, Seen, Signer, development_name};
use connect4_protocol::{AnyGame, GameName};
use connect4_rules::variant::{Colour, Move};
use connect4_wire::words::now;

use super::grammar::{Grammar, Input};
use super::turn::{Backend, Typed};
use super::undone::Moves;
use super::{Computer, Playable, command_to_resume};
use crate::failure::Failure;
use crate::game::{GameAt, Numbering};
use crate::lookup;
use crate::output::Output;
use crate::people::View;
use crate::said::{Greeting, Said};
use crate::session::Session;
use crate::words::standing;

/// A game that is played at this terminal, or a table at which it is to be played. Players are told by
/// their accounts, as they change colours in a swap.
pub struct Table {
    contract: Contracts,
    id: GameId,
    seen: Seen<AnyGame>,
    /// The moves that were made while this program looked.
    moves: Moves<(Colour, Move)>,
    /// Accounts that are played here, by people or by computers.
    here: Vec<Address>,
    /// Those of them that sign here.
    signers: Vec<Signer>,
    computers: Vec<Computer>,
    /// Files with the secrets of accounts.
    secrets: Vec<(Address, PathBuf)>,
}

impl Table {
    /// A table for the accounts of these signers in a game as it was seen, or at its table.
    pub fn new(contract: Contracts, id: GameId, seen: Seen<AnyGame>, signers: Vec<Signer>) -> Self {
        Self {
            contract,
            id,
            seen,
            moves: Moves::default(),
            here: signers.iter().map(Signer::address).collect(),
            signers,
            computers: Vec::new(),
            secrets: Vec::new(),
        }
    }

    /// The same table with more accounts that sit here, though they do not sign here.
    pub fn with_people(mut self, accounts: impl IntoIterator<Item = Address>) -> Self {
        for account in accounts {
            if !self.here.contains(&account) {
                self.here.push(account);
            }
        }
        self
    }

    /// The same table with computers, which play for accounts that sign here.
    pub fn with_computers(self, computers: Vec<Computer>) -> Self {
        Self { computers, ..self }
    }

    /// The same table with the files that have the secrets of accounts.
    pub fn with_secrets(self, secrets: Vec<(Address, PathBuf)>) -> Self {
        Self { secrets, ..self }
    }

    /// The signer of a colour; none if the player does not sign here.
    fn signer(&self, colour: Colour) -> Option<&Signer> {
        let account = self.seen.account_of(colour);
        let mut signers = self.signers.iter();
        signers.find(|signer| signer.address() == account)
    }

    /// Colours that people play here, in turn order.
    fn people(&self) -> Vec<Colour> {
        let is_person = |colour: &Colour| {
            let account = self.seen.account_of(*colour);
            let mut computers = self.computers.iter();
            self.here.contains(&account) && computers.all(|computer| computer.account() != account)
        };
        self.seen.colours().filter(is_person).collect()
    }

    /// The signer of an action that is not a move: of the player to move, if a person here plays it,
    /// else of the first person here who has not left.
    fn actor(&self) -> Option<Signer> {
        let mut people = self.people();
        people.retain(|&colour| !self.seen.has_left(colour) && self.signer(colour).is_some());
        let colour = people
            .iter()
            .find(|colour| self.seen.to_move() == Some(**colour))
            .or(people.first())?;
        self.signer(*colour).cloned()
    }

    /// Whether a player sits elsewhere, so that the game may change by itself.
    fn has_others(&self) -> bool {
        let mut colours = self.seen.colours();
        colours.any(|colour| !self.here.contains(&self.seen.account_of(colour)))
    }

    /// A state of the game, as it is told.
    fn at(&self, game: &AnyGame) -> GameAt {
        GameAt::of(&self.contract, self.id, *game)
    }

    async fn read(&self) -> Result<Seen<AnyGame>, Failure> {
        contract::game(&self.contract, self.id).await
    }

    /// Waits until the last player has joined the table.
    async fn fill(&mut self, out: &mut Output) -> Result<(), Failure> {
        while !self.seen.has_started() {
            out.say(Said::WaitingForPlayers(&standing(&self.seen)))?;
            let progress = out.progress();
            progress.say("waiting for players");
            let change = contract::change(&self.contract, self.id, &self.seen);
            let after = out.wait_for(change).await??;
            progress.clear();
            let joined = |game: &AnyGame| match game {
                AnyGame::Variant(game) => {
                    let seats = game.seats().filter(|(_, joined)| *joined);
                    seats.filter_map(|(account, _)| account).collect()
                }
                AnyGame::Two(_) => Vec::new(),
            };
            let before = joined(&self.seen);
            for account in joined(&after) {
                if !before.contains(&account) {
                    out.say(Said::Joined {
                        account,
                        at: self.at(&after),
                        sent: None,
                    })?;
                }
            }
            self.seen = after;
        }
        Ok(())
    }
}

impl Backend for Table {
    type Change = Seen<AnyGame>;
    /// Lines that are piped in answer later questions.
    const READS_AHEAD: bool = false;

    fn id(&self) -> GameName {
        self.id.into()
    }

    fn game(&self) -> AnyGame {
        self.seen.value
    }

    fn grammar(&self) -> Grammar {
        match self.id.is_variant() {
            false => Grammar::Classic,
            true => Grammar::Variant,
        }
    }

    fn tell_news(&mut self, _out: &mut Output) -> Result<(), Failure> {
        // It was told when it was seen.
        Ok(())
    }

    fn view(&self) -> View {
        View {
            game: self.seen.value,
            here: self.people(),
            now: now(),
            clock: None,
            numbering: Numbering::Zero,
            signed: None,
        }
    }

    fn is_here(&self, colour: Colour) -> bool {
        self.signer(colour).is_some()
    }

    fn undone(&self, colour: Colour) -> Option<Move> {
        let (mover, action) = self.moves.offered(self.seen.turns())?;
        (mover == colour).then_some(action)
    }

    fn has_computer(&self, colour: Colour) -> bool {
        let account = self.seen.account_of(colour);
        let mut computers = self.computers.iter();
        computers.any(|computer| computer.account() == account)
    }

    async fn choose(&mut self, colour: Colour) -> Result<Move, Failure> {
        let account = self.seen.account_of(colour);
        let mut computers = self.computers.iter_mut();
        match computers.find(|computer| computer.account() == account) {
            Some(computer) => computer.choose((&self.seen.value).into()).await,
            None => Err(Failure::Other(format!("no computer plays {colour}"))),
        }
    }

    fn deadline(&self, colour: Colour) -> Option<u64> {
        let deadline = self.seen.deadline();
        match self.is_here(colour) {
            // A player who is late already was told so.
            true => deadline.filter(|deadline| *deadline >= now()),
            false => deadline,
        }
    }

    async fn next(&mut self) -> Result<Self::Change, Failure> {
        if !self.has_others() {
            return std::future::pending().await;
        }
        contract::change(&self.contract, self.id, &self.seen).await
    }

    async fn take_over(&mut self, after: Self::Change, out: &mut Output) -> Result<bool, Failure> {
        self.tell_change(after, out)?;
        Ok(true)
    }

    async fn act(&mut self, input: Input, out: &mut Output) -> Result<(), Failure> {
        self.do_wanted(input, out).await
    }

    async fn time_is_up(&mut self, colour: Colour, out: &mut Output) -> Result<(), Failure> {
        self.claim(colour, out).await
    }
}

impl Playable for Table {
    async fn open(&mut self, out: &mut Output) -> Result<(), Failure> {
        self.seen = out.wait_for(self.read()).await??;
        self.fill(out).await
    }

    fn greeting(&self, session: &Session) -> Greeting {
        let game = &self.seen.value;
        let elsewhere = |colour: &Colour| !self.here.contains(&game.account_of(*colour));
        let others: Vec<Colour> = game.colours().filter(elsewhere).collect();
        let joins = game.has_started() && game.turns() == 0 && !game.is_over();
        let reach = lookup::reach(session, &self.contract);
        let invitations = others.iter().filter(|_| joins).map(|&colour| {
            let id = self.id();
            let secret = match development_name(game.account_of(colour)) {
                Some(_) => String::new(),
                None => format!(" --{colour}-secret-file <FILE>"),
            };
            let command = format!("connect4 play --game {id} --seat {colour}{reach}{secret}");
            (colour, command)
        });
        let computers = self.computers.iter();
        let computers = computers.filter_map(|computer| {
            let colour = game.colour_of(computer.account())?;
            Some((colour, computer.level()))
        });
        Greeting {
            at: self.at(game),
            place: session.whereabouts(),
            people: match others.is_empty() && self.computers.is_empty() {
                true => Vec::new(),
                false => self.people(),
            },
            invitations: invitations.collect(),
            computers: computers.collect(),
        }
    }

    fn how_to_resume(&self, session: &Session) -> Option<String> {
        let game = &self.seen.value;
        if game.is_over() {
            return None;
        }
        let seat = match self.people()[..] {
            [colour] => format!(" --seat {colour}"),
            _ => String::new(),
        };
        let levels: Vec<String> = game
            .colours()
            .map(|colour| game.account_of(colour))
            .filter_map(|account| {
                let mut computers = self.computers.iter();
                computers.find(|computer| computer.account() == account)
            })
            .map(|computer| computer.level().to_string())
            .collect();
        let against = match levels.is_empty() {
            true => String::new(),
            false => format!(" --against {}", levels.join(",")),
        };
        let reach = lookup::reach(session, &self.contract);
        let secret = |colour: Colour| {
            let account = game.account_of(colour);
            let (_, path) = self.secrets.iter().find(|(of, _)| *of == account)?;
            Some(format!(" --{colour}-secret-file '{}'", path.display()))
        };
        let secrets: String = game.colours().filter_map(secret).collect();
        let options = format!("{reach}{seat}{against}{secrets}");
        Some(command_to_resume(session, self.id, &options))
    }

    fn end(&self, out: &mut Output) -> Result<(), Failure> {
        out.say(Said::Ended {
            at: self.at(&self.seen),
            sent: None,
        })
    }

    fn has_rematches(&self) -> bool {
        self.can_play_again()
    }

    async fn rematch(self, out: &mut Output, typed: &mut Typed) -> Result<Option<Self>, Failure> {
        self.play_again(out, typed).await
    }
}
