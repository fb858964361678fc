//! Computers that play seats by themselves, each with the account of its seat.

use std::sync::Arc;
use std::time::Duration;

use connect4_client::{Error, Signer};
use connect4_opponent::{Level, Opponent};
use connect4_rules::Player;

use crate::link::Chain;
use crate::room::Rooms;
use crate::seats::Seats;
use crate::signers::Signers;
use crate::wire::{Colour, Live};

/// When to try a move again that failed.
const RETRY: Duration = Duration::from_secs(3);
/// When to look at the game again although nothing was told of it.
const PATIENCE: Duration = Duration::from_secs(20);
/// For how many times [`PATIENCE`] a computer waits for the opponent. After that its task ends,
/// until somebody looks at the game again.
const WAITS: u32 = 30;

/// The computers of the server.
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

    /// The level of the computer at a seat; none if no computer plays it.
    pub fn level(&self, game: u32, player: Player) -> Option<Level> {
        self.seats.look(game, player, |seat| seat.level)
    }

    /// Has a computer play a seat until the game has ended; false if too many play.
    pub fn sit(self: &Arc<Self>, game: u32, player: Player, level: Level, signer: &Signer) -> bool {
        let playing = Playing {
            computers: Arc::clone(self),
            game,
            player,
            signer: signer.clone(),
        };
        let start = || tokio::spawn(playing.run(level)).abort_handle();
        if !self.seats.take(game, player, level, signer.clone(), start) {
            return false;
        }
        self.keep(game, player, Some(level));
        self.rooms.look_again(game);
        true
    }

    /// Has a person play a seat again.
    pub fn leave(&self, game: u32, player: Player) {
        self.seats.leave(game, player);
        self.keep(game, player, None);
        self.rooms.look_again(game);
    }

    /// Resumes the computers of a game that have stopped waiting for the opponent, or that played
    /// it when the program ended.
    pub async fn wake(self: &Arc<Self>, game: u32) {
        for player in Player::ALL {
            let known = self.seats.look(game, player, |seat| {
                let ended = seat.playing.is_finished();
                (seat.level, seat.signer.clone(), ended)
            });
            match known {
                Some((level, signer, true)) => {
                    self.sit(game, player, level, &signer);
                }
                Some(_) => {}
                None => self.resume(game, player).await,
            }
        }
    }

    /// Resumes the computer that had a seat when the program ended, if one had.
    async fn resume(self: &Arc<Self>, game: u32, player: Player) {
        if let Some(chain) = self.chain.id()
            && let Some(level) = self.seats.kept(&chain, game, player)
            && let Ok(at) = self.chain.connected()
            && let Some(contract) = at.contract()
            && let Ok(Some(found)) = contract.game(game).await
            && let Some(signer) = self.signers.of(found.account_of(player))
        {
            self.sit(game, player, level, signer);
        }
    }

    fn keep(&self, game: u32, player: Player, level: Option<Level>) {
        if let Some(chain) = self.chain.id() {
            self.seats.keep(chain, game, player, level);
        }
    }

    fn set_error(&self, game: u32, player: Player, error: Option<String>) {
        if self.seats.set_error(game, player, error) {
            self.rooms.look_again(game);
        }
    }
}

/// A computer at a seat.
struct Playing {
    computers: Arc<Computers>,
    game: u32,
    player: Player,
    signer: Signer,
}

impl Playing {
    /// Plays until the game has ended, or the opponent does not move for long.
    async fn run(self, level: Level) {
        let Self {
            computers,
            game,
            player,
            ..
        } = &self;
        let mut opponent = Opponent::new(level, rand::random());
        let Some(mut seen) = computers.rooms.game(*game) else {
            let why = "too many games are followed at once".to_owned();
            return computers.set_error(*game, *player, Some(why));
        };
        let mut waited = 0;
        while waited < WAITS {
            let now = seen.borrow_and_update().clone();
            match now.as_deref() {
                Some(Live::Game(view)) => {
                    let position = &view.game.game.position;
                    if position.over {
                        return;
                    }
                    if position.to_move == Some(Colour::from(*player)) {
                        let error;
                        (opponent, error) = self.move_once(opponent).await;
                        let failed = error.is_some();
                        computers.set_error(*game, *player, error);
                        if failed {
                            tokio::time::sleep(RETRY).await;
                            continue;
                        }
                    }
                }
                Some(Live::Missing { .. }) => return,
                _ => {}
            }
            // Should a message be lost, the game is looked at again.
            match tokio::time::timeout(PATIENCE, seen.changed()).await {
                Ok(Ok(())) => waited = 0,
                Ok(Err(_)) => return,
                Err(_) => waited += 1,
            }
        }
    }

    /// Thinks and drops a disc. Returns why not, if it did not and should try again.
    async fn move_once(&self, mut opponent: Opponent) -> (Opponent, Option<String>) {
        let chain = &self.computers.chain;
        let contract = match chain.connected() {
            Ok(at) => at.contract(),
            Err(why) => return (opponent, Some(why)),
        };
        let Some(contract) = contract else {
            return (opponent, None);
        };
        let game = match contract.game(self.game).await {
            Ok(Some(game)) if game.to_move() == Some(self.player) => game,
            Ok(_) => return (opponent, None),
            Err(error) => return (opponent, Some(error.to_string())),
        };
        let level = opponent.level();
        let thinking = tokio::task::spawn_blocking(move || {
            let bin = opponent.choose(&game.position());
            (opponent, bin)
        });
        let (opponent, bin) = match thinking.await {
            Ok((opponent, Some(bin))) => (opponent, bin),
            Ok((opponent, None)) => return (opponent, None),
            Err(error) => {
                let again = Opponent::new(level, rand::random());
                return (again, Some(format!("it failed while it thought: {error}")));
            }
        };
        let drop = contract.drop_disc(&self.signer, self.game, bin);
        let error = match chain.unless_gone(drop).await {
            // A refusal means that somebody else has moved meanwhile: it looks again.
            Some(Ok(_) | Err(Error::Refused { .. })) => None,
            Some(Err(error)) => Some(error.to_string()),
            None => Some("the chain is away".into()),
        };
        (opponent, error)
    }
}
