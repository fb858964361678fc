//! What a page decides and checks by itself, so that it need not trust the host that serves its games:
//! the bytes of calls, answers of contracts, legal moves, signatures of fast games.
//!
//! It is built as one module of WebAssembly, of the same crates that the contracts and the program are
//! made of: `scripts/build-page`. [`answer`] is all of it: bytes of a JSON request in, bytes of a JSON
//! answer out, nothing kept in between. [`Request`] lists what can be asked.
//!
//! An answer is `{"ok": …}`, or `{"error": {"name": …, "text": …}}` with a [`Failure`]. No request makes
//! it panic. If it does all the same, the module traps, and the page takes a new one: nothing is lost.
//!
//! Open `request` first: [`Request`] has one variant for each thing that the page can ask.
//!
//! # Boundary
//!
//! The module imports nothing. It exports its `memory` and three functions:
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
//! | `request`, `failure` | what is asked, and why it is not answered |
//! | `call`, `read`, `arguments`, `records` | messages to the contracts, and their answers |
//! | `account`, `deployed` | addresses of accounts and contracts |
//! | `substrate` | what a wallet of Substrate is asked to sign |
//! | `played` | positions |
//! | `seat`, `watch` | fast games, by [`connect4_seat`] |
//! | `values` | values that JSON has no type for |

#![cfg_attr(not(test), no_std)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

extern crate alloc;

mod account;
mod arguments;
#[cfg(target_arch = "wasm32")]
mod boundary;
mod call;
#[cfg(test)]
mod declarations;
mod deployed;
mod failure;
mod played;
mod read;
mod records;
mod request;
mod seat;
mod substrate;
mod values;

pub use account::{AccountOf, SessionOf};
pub use arguments::{
    Acceptance, Advanced, GameAndBin, GameAndKey, GamesAndReceiver, NewChallenge, NewGame, Nothing,
    OfAccount, OfChallenge, OfGame, OfGames, PageFrom, SignedAcceptance, ToReceiver,
};
pub use call::{Call, Called};
pub use deployed::{Deployed, Deployment};
pub use failure::Failure;
pub use played::{Played, PlayedMoves};
pub use read::{Decode, Decoded, Read, Refused};
pub use records::{
    AccountSignature, ChainChallenge, ChainFastGame, ChainGame, ChainMatch, DrawnAt,
    ListedChallenge, SignedChallenge, StoppedClock, ToSign,
};
pub use request::{Request, answer};
pub use seat::{
    Duty, FromRoom, Heard, Offers, Present, Refusal, SeatState, SeatStep, Step, Stepped, Table,
    TableState, Watch, WatchStep,
};
pub use substrate::{Extrinsic, ExtrinsicHash, SubstrateCall};
pub use values::{Hex, Scale, Units};
