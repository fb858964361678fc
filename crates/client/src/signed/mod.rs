//! A player of a signed game: the machine of [`connect4_seat::Player`] with a disk, a clock, the room of a witness and the
//! contract of the stakes around it.
//!
//! A [`Keyring`] is a folder of session keys, a file each. Files that earlier versions kept of other games are named by
//! [`EarlierGames`].
//!
//! | module | job |
//! |---|---|
//! | `player`, `ask` | [`SignedPlayer`], what a program holds of it, and what it can ask |
//! | `around`, `view`, `error` | [`Around`], what it needs; [`View`], what is shown of it; [`SignedError`] |
//! | `driver` | the task that gives the machine what happens, and does what it says |
//! | `listing` | what a witness signs for those who record its games |
//! | `records` | [`SignedGames`]: the record of each game on the disk, for one program at a time |
//! | `room`, `room_watch` | the connection to the room of a game; [`RoomWatch`], that of a watcher |
//! | `chain` | what new blocks show of a game with a stake |
//! | `keyring`, `keyring_error`, `key_file` | [`Keyring`], and the format of its files |
//! | `relay`, `messages`, `allowance` | how a relay is reached, and what each socket of it has in common |
//! | `feed` | [`Feed`]: the games that are played at a relay, and those that have ended |
//! | `clocks`, `duty` | the clock of the machine; what of the contract's refusals means that something was done |
//! | `earlier_games` | [`EarlierGames`] |
//! | `lobby`, `pairing`, `wary` | the lobby of a relay, and how two players find each other there |
//! | `search` | [`Search`]: what a person is told who waits for an opponent |
//! | `guarded` | [`GuardedGames`]: what guards keep on the disk |
//! | `post` | [`StakedPost`], which guards a game with a stake while its program does not run |
//! | `carrier` | [`Carrier`]: messages to the opponent's program, and from it |

mod allowance;
mod around;
mod ask;
mod carrier;
mod chain;
mod clocks;
mod driver;
mod duty;
mod earlier_games;
mod error;
mod feed;
mod guarded;
mod key_file;
mod keyring;
mod keyring_error;
mod listing;
mod lobby;
mod messages;
mod pairing;
mod player;
mod post;
mod records;
mod relay;
mod room;
mod room_watch;
mod search;
mod view;
mod wary;

pub use around::Around;
pub use carrier::{Carrier, as_text, of_text};
pub use connect4_seat::{
    Awaited, Call, Command, GameOffer, GameOfferError, Message, Phrase, PlayerError, Record,
    Refund, Room, Shown, Stage, Taker, What, Who,
};
pub use driver::News;
pub use earlier_games::{EarlierGame, EarlierGames};
pub use error::SignedError;
pub use feed::Feed;
pub use guarded::GuardedGames;
pub use keyring::{Keyring, LockedKey};
pub use keyring_error::KeyringError;
pub use listing::list_of_ends;
pub use lobby::{Lobby, LobbyNews};
pub use messages::LobbyError;
pub use pairing::{How, PairingError, Seeker, Sought, pair, search};
pub use player::SignedPlayer;
pub use post::{StakedGuardNews, StakedPost};
pub use records::{GameName, KeptRecord, RecordShelf, SignedGames};
pub use relay::rooms_at;
pub use room::{RoomState, witness_at};
pub use room_watch::RoomWatch;
pub use search::{Search, Searching, Standing};
pub use view::{NewestBlock, View};
pub use wary::Wary;
