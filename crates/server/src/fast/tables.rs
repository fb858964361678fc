//! All fast games that are played or watched here.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use connect4_client::fast::{FastPlayer, Keyring, PlayError, Subject};
use connect4_client::{Contracts, Error, GameId, Signer};
use connect4_protocol::fast::{Domain, FastGame};
use connect4_rules::{ByPlayer, Player};
use tokio::sync::Notify;

use super::seat::SeatHere;
use super::state::Known;
use super::watcher::Watcher;
use crate::signers::Signers;

/// The seats of a game that are played here.
pub type Seats = ByPlayer<Option<SeatHere>>;

/// The fast games that are played or watched here.
pub struct FastTables {
    /// The session keys, and what was signed by them; none if nothing is kept: then nothing is signed.
    keyring: Option<Keyring>,
    relay: String,
    signers: Arc<Signers>,
    tables: Mutex<HashMap<GameId, Arc<Table>>>,
}

/// Whether the seat of a game is needed whose key is here.
pub enum Need {
    /// Nothing runs against the player.
    None,
    /// A clock runs or a line can be contested, and the seat could not be opened.
    Open,
    /// The seat is open, or there is nothing to do for it any more.
    Over,
}

pub struct Table {
    /// Is told whenever there is something new to see.
    again: Arc<Notify>,
    /// Who opens seats, one after the other.
    opening: tokio::sync::Mutex<()>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    seats: Seats,
    /// Whether there is a seat whose key is here, and which could not be opened yet.
    is_busy: bool,
    /// How the node shows the game otherwise than a player has agreed to it, so that the seat is not opened.
    otherwise: ByPlayer<Option<String>>,
    /// The players whose seat was played here until the connection to the chain was lost or another game was
    /// shown, and whose game has not ended for good.
    lost: ByPlayer<bool>,
    watcher: Option<Watcher>,
}

impl Open {
    /// Forgets seats that are not played any more, and notes those whose game goes on.
    fn leave_seats(&mut self) {
        for player in Player::ALL {
            if let Some(seat) = self.seats[player].take_if(|seat| seat.is_left()) {
                self.lost[player] = !seat.is_over();
            }
        }
    }

    fn has_lost(&self) -> bool {
        self.lost.one || self.lost.two
    }
}

impl FastTables {
    pub fn new(keyring: Option<Keyring>, relay: String, signers: Arc<Signers>) -> Self {
        Self {
            keyring,
            relay,
            signers,
            tables: Mutex::default(),
        }
    }

    /// The session keys, and what was signed by them; none if nothing is kept.
    pub const fn keyring(&self) -> Option<&Keyring> {
        self.keyring.as_ref()
    }

    /// Opens the seats of a game no more, as its end is final.
    pub fn forget_lost(&self, id: GameId) {
        if let Ok(mut open) = self.table(id).open.lock() {
            open.lost = ByPlayer::default();
        }
    }

    /// Has a room be told of what is new in a game.
    pub fn tell(&self, id: GameId) -> Arc<Notify> {
        Arc::clone(&self.table(id).again)
    }

    fn table(&self, id: GameId) -> Arc<Table> {
        let new = || {
            Arc::new(Table {
                again: Arc::default(),
                opening: tokio::sync::Mutex::default(),
                open: Mutex::default(),
            })
        };
        match self.tables.lock() {
            Ok(mut tables) => Arc::clone(tables.entry(id).or_insert_with(new)),
            Err(_) => new(),
        }
    }

    /// Forgets a game that nobody looks at and that has no seat here any more.
    pub fn leave(&self, id: GameId) {
        let table = self.table(id);
        if let Ok(mut open) = table.open.lock() {
            open.watcher = None;
            open.leave_seats();
            let is_empty = open.seats.one.is_none() && open.seats.two.is_none();
            if is_empty
                && !open.has_lost()
                && let Ok(mut tables) = self.tables.lock()
            {
                tables.remove(&id);
            }
        }
    }

    /// Why a seat is not opened whose key is here, if the node shows another game than was agreed on.
    pub fn shown_otherwise(&self, id: GameId, player: Player) -> Option<String> {
        let table = self.table(id);
        table.open.lock().ok()?.otherwise.get(player).clone()
    }

    /// The games of which a seat was played here that has to be opened again.
    pub fn lost(&self) -> Vec<GameId> {
        let tables: Vec<(GameId, Arc<Table>)> = match self.tables.lock() {
            Ok(tables) => tables
                .iter()
                .map(|(id, table)| (*id, Arc::clone(table)))
                .collect(),
            Err(_) => return Vec::new(),
        };
        let is_lost = |table: &Table| {
            table.open.lock().is_ok_and(|mut open| {
                open.leave_seats();
                open.has_lost()
            })
        };
        let lost = tables.into_iter().filter(|(_, table)| is_lost(table));
        lost.map(|(id, _)| id).collect()
    }

    pub fn open_seat(&self, id: GameId, player: Player) -> Option<SeatHere> {
        let table = Arc::clone(self.tables.lock().ok()?.get(&id)?);
        let seat = table.open.lock().ok()?.seats.get(player).clone();
        seat.filter(|seat| !seat.is_left())
    }

    /// What the seats of a game know that are open here, without asking the chain; none if none is, or
    /// one has to be opened again.
    pub fn open(&self, id: GameId) -> Option<Known> {
        let table = Arc::clone(self.tables.lock().ok()?.get(&id)?);
        let open = table.open.lock().ok()?;
        let ByPlayer { one, two } = &open.seats;
        if open.is_busy
            || open.has_lost()
            || [one, two].into_iter().flatten().any(SeatHere::is_left)
        {
            return None;
        }
        let known = Known::of(&open.seats);
        known.newest().is_some().then_some(known)
    }

    /// The seats of a game that are played here, which are opened if they are not yet.
    pub async fn seats(&self, contract: &Contracts, id: GameId, game: &FastGame) -> Seats {
        let table = self.table(id);
        let _one_at_a_time = table.opening.lock().await;
        let mut seats = Seats::default();
        let mut is_busy = false;
        let mut otherwise = ByPlayer::default();
        for player in Player::ALL {
            let (known, is_lost) = match table.open.lock() {
                Ok(mut open) => {
                    open.leave_seats();
                    (open.seats.get(player).clone(), *open.lost.get(player))
                }
                Err(_) => (None, false),
            };
            // The block by which a game has ended can be replaced: a seat that was open stays until then.
            let is_open = is_lost || !game.is_final();
            let place = is_open.then(|| self.place_of(game, player)).flatten();
            seats[player] = match (known, place) {
                (Some(seat), _) => Some(seat),
                (None, Some((signer, keyring))) => {
                    let relay = Some(self.relay.as_str());
                    let sat = FastPlayer::sit(contract, id, signer, keyring, relay).await;
                    // Another program may play it: then it is watched here.
                    is_busy |= sat.is_err();
                    if let Err(error @ (PlayError::NotAgreed { .. } | PlayError::OtherGame(_))) =
                        &sat
                    {
                        otherwise[player] = Some(error.to_string());
                    }
                    sat.ok()
                        .map(|player| SeatHere::of(player, Arc::clone(&table.again)))
                }
                (None, None) => None,
            };
        }
        if let Ok(mut open) = table.open.lock() {
            open.leave_seats();
            for player in Player::ALL {
                open.lost[player] &= seats.get(player).is_none();
            }
            open.seats = seats.clone();
            open.is_busy = is_busy;
            open.otherwise = otherwise;
        }
        seats
    }

    /// The games of a contract and chain whose session keys are here, the newest first.
    pub fn kept(&self, domain: Domain) -> VecDeque<GameId> {
        let games = self.keyring.as_ref().map(|keyring| keyring.games(domain));
        let games = games.and_then(Result::ok).unwrap_or_default();
        games.into_iter().rev().map(GameId::of_two).collect()
    }

    /// Opens the seats of a game if a clock runs on the chain or a line can be contested there.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn defend(&self, contract: &Contracts, id: GameId) -> Result<Need, Error> {
        if self.open(id).is_some() {
            return Ok(Need::Over);
        }
        let game = contract.game::<FastGame>(id).await?;
        let Some(game) = game.filter(|game| !game.is_final()) else {
            // The block by which it is over may be replaced.
            return Ok(match contract.is_fast_settled(id).await? {
                true => Need::Over,
                false => Need::None,
            });
        };
        let ours = Player::ALL.map(|player| self.place_of(&game, player).is_some());
        if ours == [false, false] {
            return Ok(Need::Over);
        }
        if game.contest.is_none() && game.game.clock().is_none() {
            return Ok(Need::None);
        }
        let seats = self.seats(contract, id, &game).await;
        let seats = [seats.one, seats.two].map(|seat| seat.is_some());
        Ok(if seats == ours {
            Need::Over
        } else {
            Need::Open
        })
    }

    /// The account of a player and the keyring with its session key, if both are here.
    fn place_of(&self, game: &FastGame, player: Player) -> Option<(Signer, &Keyring)> {
        let signer = self.signers.of(game.game.account_of(player))?.clone();
        let keyring = self.keyring.as_ref()?;
        let holds = keyring.holds(*game.keys.get(player)).ok()?;
        holds.then_some((signer, keyring))
    }

    /// What is known of a game on top of the chain, from now on.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn known(
        &self,
        contract: &Contracts,
        id: GameId,
        game: &FastGame,
    ) -> Result<Known, Error> {
        let seats = self.seats(contract, id, game).await;
        let mut known = Known::of(&seats);
        let table = self.table(id);
        if known.newest().is_some() || game.is_final() {
            return Ok(known);
        }
        let is_watched = table.open.lock().is_ok_and(|open| open.watcher.is_some());
        if !is_watched {
            let subject = Subject::new(id.number(), contract.domain()?, *game);
            let now = contract.client().time().await?;
            let again = Arc::clone(&table.again);
            let watcher = Watcher::of(&self.relay, subject, *game, now, again);
            if let Ok(mut open) = table.open.lock() {
                open.watcher = Some(watcher);
            }
        }
        if let Ok(open) = table.open.lock() {
            known.watcher = open.watcher.as_ref().map(Watcher::state);
        }
        Ok(known)
    }
}

impl Known {
    fn of(seats: &Seats) -> Self {
        Self {
            seats: ByPlayer::from_fn(|player| seats.get(player).as_ref().map(SeatHere::state)),
            watcher: None,
        }
    }
}
