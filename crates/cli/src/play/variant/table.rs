//! A game of a variant, and who plays it at this terminal.

use connect4_client::{GameId, Seen, Signer, Variants};
use connect4_protocol::variants::Game;
use connect4_rules::variant::{Colour, Move};
use connect4_wire::words::now;

use super::view::{Greeting, View};
use crate::failure::Failure;
use crate::lookup;
use crate::play::taken_back::Moves;
use crate::play::{Computer, how_to_resume};
use crate::report::VariantAt;
use crate::session::Session;

/// A game that is played at this terminal, or a table at which it is to be played. Players are told
/// by their accounts, as a swap exchanges colours.
pub struct Table {
    pub contract: Variants,
    pub number: u32,
    /// The game as it was when it was opened here.
    pub first: Seen<Game>,
    /// The moves that were made while this program looked.
    pub moves: Moves<(Colour, Move)>,
    /// Accounts that are played here, by people or by computers.
    signers: Vec<Signer>,
    computers: Vec<Computer>,
    /// Options that name the files with the players' secrets, with a space in front of each.
    pub secrets: String,
}

impl Table {
    /// A table at which these accounts play here, some of them by computers.
    pub fn new(
        contract: Variants,
        number: u32,
        first: Seen<Game>,
        signers: Vec<Signer>,
        computers: Vec<Computer>,
    ) -> Self {
        Self {
            contract,
            number,
            first,
            moves: Moves::default(),
            signers,
            computers,
            secrets: String::new(),
        }
    }

    /// The same table with the options for the players' secrets.
    pub fn with_secrets(self, secrets: String) -> Self {
        Self { secrets, ..self }
    }

    /// The signer of a colour; none if the player sits elsewhere.
    pub fn signer(&self, game: &Game, colour: Colour) -> Option<&Signer> {
        let account = game.account_of(colour);
        let mut signers = self.signers.iter();
        signers.find(|signer| signer.address() == account)
    }

    /// The computer that plays a colour, if one does.
    pub fn computer(&mut self, game: &Game, colour: Colour) -> Option<&mut Computer> {
        let account = game.account_of(colour);
        let mut computers = self.computers.iter_mut();
        computers.find(|computer| computer.account() == account)
    }

    /// Colours that people play here, in turn order.
    pub fn people(&self, game: &Game) -> Vec<Colour> {
        let is_person = |colour: &Colour| {
            let account = game.account_of(*colour);
            let mut computers = self.computers.iter();
            self.signer(game, *colour).is_some()
                && computers.all(|computer| computer.account() != account)
        };
        game.variant().colours().filter(is_person).collect()
    }

    /// The signer of an action that is not a move: of the player to move, if a person here plays it,
    /// else of the first person here who has not left.
    pub fn actor(&self, game: &Game) -> Option<Signer> {
        let mut people = self.people(game);
        people.retain(|&colour| !game.position().has_left(colour));
        let colour = people
            .iter()
            .find(|colour| game.to_move() == Some(**colour))
            .or(people.first())?;
        self.signer(game, *colour).cloned()
    }

    /// Whether a player sits elsewhere, so that the game may change by itself.
    pub fn has_others(&self, game: &Game) -> bool {
        let mut colours = game.variant().colours();
        colours.any(|colour| self.signer(game, colour).is_none())
    }

    /// Reads the game.
    pub async fn read(&self) -> Result<Seen<Game>, Failure> {
        lookup::variant(&self.contract, self.number).await
    }

    /// Waits until the game is not as it was, and returns it.
    pub async fn change(&self, game: &Game) -> Result<Seen<Game>, Failure> {
        Ok(self.contract.wait_for_change(self.number, game).await?)
    }

    /// The game as a report takes it.
    pub fn at<'a>(&self, game: &'a Game) -> VariantAt<'a> {
        VariantAt::of(&self.contract, self.number, game)
    }

    /// The game as it is drawn.
    pub fn view<'a>(&self, game: &'a Game) -> View<'a> {
        View { game, now: now() }
    }

    /// What is said when the game is opened.
    pub fn greeting<'a>(&self, session: &Session, game: &'a Game) -> Greeting<'a> {
        let people = self.people(game);
        let elsewhere = |colour: &Colour| self.signer(game, *colour).is_none();
        let others: Vec<Colour> = game.variant().colours().filter(elsewhere).collect();
        let joins = game.has_started() && game.position().turns() == 0;
        let invitations = others.iter().filter(|_| joins).map(|&colour| {
            let reach = lookup::reach_variants(session, &self.contract);
            let id = GameId::Variant(self.number);
            (
                colour,
                format!("connect4 play --game {id} --seat {colour}{reach}"),
            )
        });
        let computers = self.computers.iter();
        let computers = computers.filter_map(|computer| {
            let colour = game.colour_of(computer.account())?;
            Some((colour, computer.level()))
        });
        Greeting {
            at: self.at(game),
            place: session.whereabouts(),
            people: if others.is_empty() && self.computers.is_empty() {
                Vec::new()
            } else {
                people
            },
            invitations: invitations.collect(),
            computers: computers.collect(),
        }
    }

    /// How to resume the game, in words.
    pub fn how_to_resume(&self, session: &Session, game: &Game) -> String {
        let people = self.people(game);
        let seat = match people[..] {
            [colour] => format!(" --seat {colour}"),
            _ => String::new(),
        };
        let levels: Vec<String> = game
            .variant()
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
        let reach = lookup::reach_variants(session, &self.contract);
        let options = format!("{reach}{seat}{against}{}", self.secrets);
        how_to_resume(session, GameId::Variant(self.number), &options)
    }
}
