//! What a page decides and checks by itself, so that it need not trust the host that serves its games:
//! the bytes of calls, answers of contracts, legal moves, signatures of fast games.
//!
//! It is built as one module of WebAssembly, of the same crates that the contracts and the program are
//! made of: `scripts/build-page`. [`answer()`] is all of it: bytes of a JSON request in, bytes of a JSON
//! answer out, nothing kept in between. [`Request`] lists what can be asked.
//!
//! An answer is `{"ok": …}`, or `{"error": {"name": …, "text": …}}` with a [`Failure`]. No request makes
//! it panic. If it does all the same, the module traps, and the page takes a new one: nothing is lost.
//!
//! A second module of WebAssembly is made of this crate with the feature `computer` alone: [`Mind::answer`],
//! which chooses moves and says what they are worth. It keeps what it has searched, and runs in a worker of
//! the page.
//!
//! Open `request` first: [`Request`] has one variant for each thing that the page can ask.
//!
//! A third one has the feature `record` alone: [`written::answer`] reads and writes games as text.
//!
//! # Boundary
//!
//! The module imports nothing; that of the computer imports `page.now`, which tells the milliseconds that have
//! passed since any moment. Both export their `memory` and three functions:
//!
//! | function | does |
//! |---|---|
//! | `allocate(length) -> address` | takes memory, into which the page writes a request |
//! | `ask(address, length) -> i64` | answers the request, and releases its memory; the upper 32 bits of the result are the answer's address, the lower its length |
//! | `release(address, length)` | releases the memory of an answer |
//!
//! | file | job |
//! |---|---|
//! | `boundary` | the exports |
//! | `request`, `answer`, `failure` | what is asked, how it is answered, and why it is not |
//! | `call`, `read`, `arguments`, `records` | messages to the contracts, and their answers |
//! | `guest` | accounts of guests and their phrases, QR codes |
//! | `sessions` | session keys that accounts name |
//! | `account`, `deployed` | addresses of accounts and contracts |
//! | `substrate` | what a wallet of Substrate is asked to sign |
//! | `played` | positions |
//! | `seat` | fast games, of the chain and by signed terms, by [`connect4_seat`] |
//! | `lobby` | the lobby of a relay |
//! | `computer` | the computer that plays in the page |
//! | `written`, `file` | games as text, and the files in which the program keeps games |
//! | `values` | values that JSON has no type for |

#![cfg_attr(not(test), no_std)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

extern crate alloc;

#[cfg(feature = "chain")]
mod account;
mod answer;
#[cfg(feature = "chain")]
mod arguments;
#[cfg(target_arch = "wasm32")]
mod boundary;
#[cfg(feature = "chain")]
mod call;
#[cfg(feature = "computer")]
mod computer;
#[cfg(test)]
mod declarations;
#[cfg(feature = "chain")]
mod deployed;
mod failure;
#[cfg(any(feature = "chain", feature = "record"))]
mod file;
#[cfg(feature = "chain")]
mod guest;
#[cfg(feature = "chain")]
mod lobby;
#[cfg(feature = "chain")]
mod played;
#[cfg(feature = "chain")]
mod read;
#[cfg(feature = "chain")]
mod records;
#[cfg(feature = "chain")]
mod request;
#[cfg(feature = "chain")]
mod seat;
#[cfg(feature = "chain")]
mod sessions;
#[cfg(feature = "chain")]
mod substrate;
#[cfg(any(feature = "chain", feature = "record"))]
mod values;
#[cfg(feature = "record")]
pub mod written;

#[cfg(feature = "chain")]
pub use account::{AccountOf, SessionOf};
#[cfg(feature = "chain")]
pub use arguments::{
    Acceptance, Advanced, GameAndBin, GameAndKey, GamesAndReceiver, NewChallenge, NewGame, Nothing,
    OfAccount, OfChallenge, OfGame, OfGames, PageFrom, Recorded, Started, ToReceiver,
};
#[cfg(feature = "chain")]
pub use call::{Call, Called};
#[cfg(feature = "computer")]
pub use computer::{
    ComputerRequest, Drops, LineAndMove, LineAsked, LineQuery, Mind, MoveOfComputer,
};
#[cfg(feature = "chain")]
pub use deployed::{Deployed, Deployment};
pub use failure::Failure;
#[cfg(feature = "chain")]
pub use guest::{GuestAccount, GuestSource, QrDrawing};
#[cfg(feature = "chain")]
pub use lobby::{
    InLobby, InLobbyNow, Listed, LobbySaid, LobbyStep, ShownSeek, Side, Sought, Who, WhyNotPaired,
    Wish,
};
#[cfg(feature = "chain")]
pub use played::{Played, PlayedMoves};
#[cfg(feature = "chain")]
pub use read::{Decode, Decoded, Read, Refused};
#[cfg(feature = "chain")]
pub use records::{
    ChainChallenge, ChainFastGame, ChainGame, ChainMatch, ChainPace, DrawnAt, ListedChallenge,
    StoppedClock,
};
#[cfg(feature = "chain")]
pub use request::{Request, answer};
#[cfg(feature = "chain")]
pub use seat::{
    Dispute, Duty, FromRoom, Heard, InTerms, NextGame, Offers, OnChain, Place, Present, Refusal,
    SeatState, SeatStep, Step, Stepped, Table, TableState, TermsPlayer, TermsState, TermsStep,
    TermsStepped, TermsWatch, TermsWatchStep, ToRecord, Watch, WatchStep,
};
#[cfg(feature = "chain")]
pub use sessions::{NamedBy, NamedKey, SessionToSign, SignedKey};
#[cfg(feature = "chain")]
pub use substrate::{Extrinsic, ExtrinsicHash, PreparedCall, SubstrateCall};
#[cfg(any(feature = "chain", feature = "record"))]
pub use values::{Hex, Scale, Units};
