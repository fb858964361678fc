//! A game whose moves are transactions: classic, or a variant of two to four players.
//!
//! A [`Table`] is the game and who plays it here. `contract` is its contract, `act` does what players
//! want, `change` says what others did, `rematch` pays players and asks for another game.

mod act;
mod change;
mod contract;
mod rematch;

use connect4_client::{Address, Contracts, GameId, Seen, Signer, Token, development_name};
use connect4_protocol::{self as protocol, AnyGame, GameName, Match};
use connect4_rules::variant::{Colour, Move};
use connect4_wire::words::now;

use super::grammar::{Grammar, Input};
use super::turn::{Backend, Typed};
use super::undone::Moves;
use super::{Computer, Next, Playable, command_to_resume};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::game::{GameAt, Numbering};
use crate::lookup;
use crate::output::Output;
use crate::people::View;
use crate::said::{Greeting, Said};
use crate::session::Session;
use crate::words::{standing, who};

/// A game that is played at this terminal, or a table at which it is to be played. Players are told by
/// their accounts, as they change colours in a swap and in a rematch.
pub struct Table {
    contract: Contracts,
    id: GameId,
    seen: Seen<AnyGame>,
    of_match: Match,
    /// Whether the storage of the game was freed, as far as was seen.
    is_freed: bool,
    /// The moves that were made while this program looked.
    moves: Moves<(Colour, Move)>,
    /// Accounts that are played here, by people or by computers.
    here: Vec<Address>,
    /// Those of them that sign here.
    signers: Vec<Signer>,
    computers: Vec<Computer>,
    /// Options that name the files with the players' secrets, with a space in front of each.
    secrets: String,
}

impl Table {
    /// A table for the accounts of these signers in a game as it was seen, or at its table.
    pub fn new(contract: Contracts, id: GameId, seen: Seen<AnyGame>, signers: Vec<Signer>) -> Self {
        Self {
            contract,
            id,
            seen,
            of_match: Match::default(),
            is_freed: false,
            moves: Moves::default(),
            here: signers.iter().map(Signer::address).collect(),
            signers,
            computers: Vec::new(),
            secrets: String::new(),
        }
    }

    /// A table for the place that an account has in a classic game.
    pub async fn for_account(
        contract: Contracts,
        id: GameId,
        signer: Signer,
    ) -> Result<Self, Failure> {
        let game = lookup::game::<protocol::Game>(&contract, id).await?;
        let account = signer.address();
        let player = game
            .player_of(&account)
            .ok_or_else(|| Failure::Refused(format!("{} does not play game {id}", who(account))))?;
        let secrets = match signer.development_name() {
            Some(_) => String::new(),
            None => format!(" --{player}-secret-file <FILE>"),
        };
        let table = Self::new(contract, id, game.map(AnyGame::from), vec![signer]);
        Ok(table.with_secrets(secrets))
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

    /// The same table with the options for the players' secrets.
    pub fn with_secrets(self, secrets: String) -> Self {
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

    /// Reads the match again. Of a game whose storage was freed, what is left of it.
    async fn read_match(&mut self) -> Result<(), Failure> {
        let known = contract::of_match(&self.contract, self.id, self.of_match).await?;
        let (of_match, is_freed) = known;
        self.of_match = of_match;
        self.is_freed |= is_freed;
        Ok(())
    }

    /// Reads the match again, and the game.
    async fn read(&mut self) -> Result<Seen<AnyGame>, Failure> {
        self.read_match().await?;
        contract::game(&self.contract, self.id).await
    }

    /// Waits until the last player has joined the table.
    async fn fill(&mut self, out: &mut Output) -> Result<(), Failure> {
        while !self.seen.has_started() {
            out.say(Said::WaitingForPlayers(&standing(&self.seen)))?;
            let progress = out.progress();
            progress.say("waiting for players");
            let change = contract::change(&self.contract, self.id, &self.seen, self.of_match);
            let (after, _) = out.wait_for(change).await??;
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
    type Change = (Seen<AnyGame>, Match);
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

    fn view(&self) -> View<'_> {
        View {
            game: self.seen.value,
            of_match: Some(&self.of_match),
            here: self.people(),
            now: now(),
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
        match (&self.seen.value, self.is_here(colour)) {
            // A player who is late already was told so.
            (_, true) => deadline.filter(|deadline| *deadline >= now()),
            (AnyGame::Two(game), false) => self.of_match.claim_deadline(game),
            (AnyGame::Variant(_), false) => deadline,
        }
    }

    async fn next(&mut self) -> Result<Self::Change, Failure> {
        if !self.has_others() {
            return std::future::pending().await;
        }
        contract::change(&self.contract, self.id, &self.seen, self.of_match).await
    }

    async fn take_over(
        &mut self,
        (after, of_match): Self::Change,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        self.of_match = of_match;
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

    fn greeting(&self, session: &Session) -> Greeting<'_> {
        let game = &self.seen.value;
        let elsewhere = |colour: &Colour| !self.here.contains(&game.account_of(*colour));
        let others: Vec<Colour> = game.colours().filter(elsewhere).collect();
        // In a rematch the opponent is there already.
        let joins = game.has_started()
            && game.turns() == 0
            && !game.is_over()
            && self.of_match.previous.is_none();
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
            of_match: Some(&self.of_match),
            place: session.whereabouts(),
            people: match others.is_empty() && self.computers.is_empty() {
                true => Vec::new(),
                false => self.people(),
            },
            invitations: invitations.collect(),
            computers: computers.collect(),
        }
    }

    fn how_to_resume(&self, session: &Session, _token: &Token) -> Option<String> {
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
        let options = format!("{reach}{seat}{against}{}", self.secrets);
        Some(command_to_resume(session, self.id, &options))
    }

    async fn end(
        &mut self,
        session: &Session,
        out: &mut Output,
        _typed: &mut Typed,
    ) -> Result<bool, Failure> {
        out.say(Said::Ended {
            at: self.at(&self.seen),
            sent: None,
        })?;
        self.collect(session, out).await?;
        Ok(true)
    }

    async fn failed(&mut self, failure: Failure, session: &Session, out: &mut Output) -> Failure {
        // Nothing may be left of the game; what it has brought is.
        if matches!(failure, Failure::Refused(_)) && !self.id.is_variant() {
            let left = self.contract.game::<AnyGame>(self.id);
            if let Ok(Ok(None)) = out.wait_for(left).await
                && let Err(other) = self.collect(session, out).await
            {
                return other;
            }
        }
        failure
    }

    fn has_rematches(&self) -> bool {
        self.contract.has_matches()
    }

    async fn rematch(
        self,
        session: &Session,
        out: &mut Output,
        typed: &mut Typed,
        farewell: &Farewell,
    ) -> Result<Next<Self>, Failure> {
        self.play_again(session, out, typed, farewell).await
    }
}
