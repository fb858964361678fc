//! The room of a signed game: what its sockets are told.

use codec::Encode as _;
use connect4_protocol::signed::feed::LiveGame;
use connect4_protocol::signed::wire::{Act, FromWitness, Spoken, Telling, Told};
use connect4_protocol::signed::{Domain, GameNumber, Moves, Signature, SignedTerms, Terms};
use connect4_protocol::{Address, Game};
use connect4_rules::{ByPlayer, Player};

use crate::hall::{Hall, Hosted, Seat, State};
use crate::places::SocketId;
use crate::players::Players;
use crate::visitor::Visitor;

/// The messages of a room, in the order in which they are told.
const TERMS: usize = 0;
pub const RECEIPT: usize = 1;
const OFFERS: ByPlayer<usize> = ByPlayer { one: 2, two: 3 };
pub const END: usize = 4;
const PRESENT: usize = 5;
pub const MESSAGES: usize = 6;

/// A signed game, as its room shows it.
#[derive(Clone, Debug)]
pub struct ShownGame {
    pub terms: Terms,
    /// The moves that its witness has told.
    pub moves: Moves,
    /// The game after them, and with its end.
    pub game: Game,
}

impl ShownGame {
    /// A game of these terms, as its witness has told it last; none if that is no game by them.
    #[must_use]
    pub fn of(terms: &Terms, told: Option<&Told>) -> Option<Self> {
        let moves = told.map(|told| told.moves).unwrap_or_default();
        Some(Self {
            terms: *terms,
            moves,
            game: match told {
                Some(told) => told.game(terms)?,
                None => terms.play(&moves).ok()?,
            },
        })
    }
}

/// The room of a signed game. What it holds is in the log.
pub struct SignedRoom {
    terms: SignedTerms,
    players: Players,
    hall: Hall<Held, MESSAGES>,
}

/// A place of a socket in a room.
pub type RoomSeat = Seat<Held, MESSAGES>;

/// What a room has told.
#[derive(Default)]
pub struct Held {
    receipt: Option<Told>,
    offers: ByPlayer<Option<Spoken>>,
    end: Option<Told>,
}

impl SignedRoom {
    /// A room in which nothing is told yet.
    pub fn new(number: GameNumber, terms: SignedTerms, domain: Domain) -> Self {
        let present = |present| FromWitness::Present(present).encode();
        Self {
            terms,
            players: Players::of(number, &terms.terms, domain),
            hall: Hall::new(Held::default(), (PRESENT, present)),
        }
    }

    /// The log has the game.
    pub fn begin(&self) {
        self.hall.change(|state| {
            state.tell(TERMS, &FromWitness::Terms(self.terms));
            true
        });
    }

    /// The witness has signed this, which the log has.
    pub fn tell(&self, told: &Told) {
        self.hall.change(|state| {
            let held = &mut state.held;
            let (at, place) = match told.what {
                Telling::Receipt { .. } => (RECEIPT, &mut held.receipt),
                Telling::Ended(_) => (END, &mut held.end),
            };
            if place.is_some_and(|before| before.moves.len() >= told.moves.len()) {
                return false;
            }
            *place = Some(*told);
            state.tell(at, &FromWitness::Told(*told));
            for player in Player::ALL {
                let offer = state.held.offers.get(player);
                if offer.is_some_and(|offer| offer.moves != told.moves || at == END) {
                    state.held.offers[player] = None;
                    state.hush(*OFFERS.get(player));
                }
            }
            true
        });
    }

    /// A player offers a draw at what was told last.
    pub fn offer(&self, offer: &Spoken) {
        self.hall.change(|state| {
            let State { held, .. } = state;
            let told = held.receipt.map(|receipt| receipt.moves);
            let is_new = held.end.is_none()
                && told.unwrap_or_default() == offer.moves
                && held.offers.get(offer.by).is_none();
            if is_new {
                held.offers[offer.by] = Some(*offer);
                state.tell(*OFFERS.get(offer.by), &FromWitness::Offer(*offer));
            }
            is_new
        });
    }

    /// Tells all again what was told last: what somebody has said meanwhile was not taken.
    pub fn tell_again(&self) {
        self.hall.change(|state| {
            let told = [END, RECEIPT, TERMS];
            let last = told.into_iter().find(|at| state.tells(*at));
            last.is_some_and(|at| state.tell_again(at))
        });
    }

    pub const fn terms(&self) -> &SignedTerms {
        &self.terms
    }

    /// The game as it was told last; none if it has not begun.
    pub fn shown(&self) -> Option<ShownGame> {
        let told = self.hall.read(|held| held.end.or(held.receipt));
        ShownGame::of(&self.terms.terms, told.as_ref())
    }

    /// The game, if it goes on, and both players are there.
    pub fn live(&self) -> Option<LiveGame> {
        let present = self.hall.present();
        let moves = self.hall.read(|held| match held.end {
            Some(_) => None,
            None => Some(held.receipt.map_or(0, |told| told.moves.turns())),
        });
        let moves = moves.filter(|_| present.one && present.two)?;
        Some(LiveGame::of(self.players.number, &self.terms.terms, moves))
    }

    /// From where each player has joined last; none of one who has not.
    pub fn players_from(&self) -> ByPlayer<Option<Visitor>> {
        self.hall.players_from()
    }

    /// A place for a socket.
    pub fn enter(&self, from: Visitor, socket: SocketId, most_watchers: u16) -> RoomSeat {
        self.hall.enter(from, socket, most_watchers)
    }

    /// Whether the game has ended, or has more moves than so many, as far as it was told.
    pub fn is_behind(&self, moves: usize) -> bool {
        self.hall.read(|held| {
            let told = held.receipt.map_or(0, |told| told.moves.len());
            held.end.is_some() || moves < told
        })
    }

    /// Whether all were told last that a player says this, so that its signature was checked.
    pub fn has_heard(&self, spoken: &Spoken) -> bool {
        self.hall.read(|held| match spoken.act {
            Act::Move => held.receipt.is_some_and(|told| {
                told.moves == spoken.moves && *told.signatures.get(spoken.by) == spoken.signature
            }),
            Act::Draw => *held.offers.get(spoken.by) == Some(*spoken),
            Act::Resign => false,
        })
    }

    /// Whether this is what was told last.
    pub fn has_told(&self, told: &Told) -> bool {
        self.hall
            .read(|held| [held.receipt, held.end].contains(&Some(*told)))
    }

    pub const fn domain(&self) -> &Domain {
        &self.players.domain
    }

    /// Addresses of the session keys of its players.
    pub const fn keys(&self) -> &ByPlayer<Address> {
        &self.players.keys
    }

    pub fn is_player(&self, player: Player, signature: &Signature, nonce: [u8; 32]) -> bool {
        self.players.has(player, signature, nonce)
    }
}

impl Hosted for SignedRoom {
    fn number(&self) -> GameNumber {
        self.players.number
    }

    fn has_ended(&self, _: u64) -> bool {
        self.hall.read(|held| held.end.is_some())
    }

    fn close(&self) {
        self.hall.close();
    }
}
