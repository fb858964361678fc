//! Computers that play seats by themselves, each with the account of its seat.

use std::sync::Arc;
use std::time::Duration;

use connect4_client::{Address, Error, GameId, Signer};
use connect4_opponent::{Level, Opponent};
use connect4_protocol::AnyGame;
use connect4_rules::variant::Colour;
use connect4_wire::Live;
use tokio::task::AbortHandle;

use crate::link::Chain;
use crate::room::Rooms;
use crate::seats::{Place, Seats};
use crate::side::Turn;
use crate::signers::Signers;

/// When to try a move again that failed.
const RETRY: Duration = Duration::from_secs(3);
/// When to look at the game again although nothing was told of it.
const PATIENCE: Duration = Duration::from_secs(20);
/// For how many times [`PATIENCE`] a computer waits for the opponent. After that its task ends,
/// until somebody looks at the game again.
const WAITS: u32 = 30;

pub struct Computers {
    seats: Arc<Seats>,
    chain: Chain,
    rooms: Rooms,
    signers: Arc<Signers>,
}

impl Computers {
    pub const fn new(seats: Arc<Seats>, chain: Chain, rooms: Rooms, signers: Arc<Signers>) -> Self {
        Self {
            seats,
            chain,
            rooms,
            signers,
        }
    }

    /// Has a computer play a seat until the game has ended; false if too many play.
    pub fn sit(self: &Arc<Self>, place: Place, level: Level, signer: &Signer) -> bool {
        let start = || self.start(place, level, signer);
        if !self.seats.take(place, level, signer.clone(), start) {
            return false;
        }
        self.keep(place, Some(level));
        self.rooms.look_again(place.game);
        true
    }

    fn start(self: &Arc<Self>, place: Place, level: Level, signer: &Signer) -> AbortHandle {
        let playing = Playing {
            computers: Arc::clone(self),
            place,
            signer: signer.clone(),
        };
        tokio::spawn(playing.run(level)).abort_handle()
    }

    /// Has a person play a seat again.
    pub fn leave(&self, place: Place) {
        self.seats.leave(place);
        self.keep(place, None);
        self.rooms.look_again(place.game);
    }

    /// Resumes the computers of a game that have stopped waiting for the opponent, or that played
    /// it when the program ended.
    pub async fn wake(self: &Arc<Self>, game: GameId) {
        for began in Colour::ALL {
            let place = Place { game, began };
            let known = self.seats.look(place, |seat| {
                let ended = seat.playing.is_finished();
                (seat.level, seat.signer.clone(), ended)
            });
            match known {
                Some((level, signer, true)) => {
                    self.sit(place, level, &signer);
                }
                Some(_) => {}
                None => self.resume(place).await,
            }
        }
    }

    /// Resumes the computer that had a seat when the program ended, if one had.
    async fn resume(self: &Arc<Self>, place: Place) {
        if let Some(contract) = self.chain.id(place.game)
            && let Some(level) = self.seats.kept(&contract, place)
            && let Some(account) = self.account_at(place).await
            && let Some(signer) = self.signers.of(account)
        {
            self.sit(place, level, signer);
        }
    }

    /// The account that has a seat; none if nobody has, or the chain does not tell.
    async fn account_at(&self, place: Place) -> Option<Address> {
        let contract = self.chain.connected().ok()?.contract_of(place.game)?;
        match contract.game(place.game).await.ok()?? {
            AnyGame::Two(game) => Some(game.account_of(place.began.player()?)),
            AnyGame::Variant(game) => {
                let (account, joined) = game.seats().nth(place.began.index())?;
                account.filter(|_| joined)
            }
        }
    }

    fn keep(&self, place: Place, level: Option<Level>) {
        if let Some(contract) = self.chain.id(place.game) {
            self.seats.keep(contract, place, level);
        }
    }

    fn set_error(&self, place: Place, error: Option<String>) {
        if self.seats.set_error(place, error) {
            self.rooms.look_again(place.game);
        }
    }
}

/// What a computer learns of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    /// It is to move.
    Turn,
    /// Others are.
    Wait,
    /// Nothing more is to be done.
    Over,
}

impl News {
    /// What is seen of the game by who plays with this account.
    fn of(seen: &Live, account: Address) -> Self {
        let game = match seen {
            Live::Game(view) => &view.game,
            Live::Missing { .. } => return Self::Over,
            Live::Chain(_) | Live::Games(_) => return Self::Wait,
        };
        let mut players = game.players.iter();
        let player = players.find(|player| player.account == Some(account));
        // The account may be about to join the table.
        let is_out = game.started && player.is_none_or(|player| player.out);
        let colour = player.map(|player| player.colour);
        match game.position.to_move {
            _ if game.position.over || is_out => Self::Over,
            Some(mover) if colour == Some(mover) => Self::Turn,
            _ => Self::Wait,
        }
    }
}

/// A computer at a seat.
struct Playing {
    computers: Arc<Computers>,
    place: Place,
    signer: Signer,
}

/// What chooses moves at this level.
fn mind(level: Level) -> Opponent {
    Opponent::new(level, rand::random())
}

impl Playing {
    /// Plays until the game has ended, or the others do not move for long.
    async fn run(self, level: Level) {
        let (computers, place) = (&self.computers, self.place);
        let mut mind = mind(level);
        let Some(mut seen) = computers.rooms.game(place.game) else {
            let why = "too many games are followed at once".to_owned();
            return computers.set_error(place, Some(why));
        };
        let mut waited = 0;
        while waited < WAITS {
            let now = seen.borrow_and_update().clone();
            let account = self.signer.address();
            match now.map_or(News::Wait, |now| News::of(&now.live, account)) {
                News::Over => return,
                News::Turn => {
                    let error;
                    (mind, error) = self.move_once(mind, level).await;
                    let failed = error.is_some();
                    computers.set_error(place, error);
                    if failed {
                        tokio::time::sleep(RETRY).await;
                        continue;
                    }
                }
                News::Wait => {}
            }
            // Should a message be lost, the game is looked at again.
            match tokio::time::timeout(PATIENCE, seen.changed()).await {
                Ok(Ok(())) => waited = 0,
                Ok(Err(_)) => return,
                Err(_) => waited += 1,
            }
        }
    }

    /// Thinks and moves. Returns why not, if it did not and should try again.
    async fn move_once(&self, mut now: Opponent, level: Level) -> (Opponent, Option<String>) {
        let chain = &self.computers.chain;
        let account = self.signer.address();
        let turn = match chain.connected() {
            Ok(at) => {
                let turn = Turn::of(&at, self.place.game, account).await;
                turn.map_err(|error| error.to_string())
            }
            Err(why) => Err(why),
        };
        let turn = match turn {
            Ok(Some(turn)) => turn,
            Ok(None) => return (now, None),
            Err(why) => return (now, Some(why)),
        };
        let thinking = tokio::task::spawn_blocking(move || {
            let choice = turn.choose(&mut now);
            (now, turn, choice)
        });
        let (mind, turn, choice) = match thinking.await {
            Ok((mind, turn, Some(choice))) => (mind, turn, choice),
            Ok((mind, _, None)) => return (mind, None),
            Err(error) => {
                let why = format!("it failed while it thought: {error}");
                return (mind(level), Some(why));
            }
        };
        let moving = turn.make(&self.signer, choice);
        let error = match chain.unless_gone(moving).await {
            // A refusal means that somebody else has moved meanwhile: it looks again.
            Some(Ok(()) | Err(Error::Refused { .. })) => None,
            Some(Err(error)) => Some(error.to_string()),
            None => Some("the chain is away".into()),
        };
        (mind, error)
    }
}
