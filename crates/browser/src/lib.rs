//! What a page decides and checks by itself, so that it need not trust the host that serves its games:
//! the bytes of calls, answers of contracts, legal moves, what session keys sign.
//!
//! Its first module of WebAssembly (feature `chain`) is of the same crates that the contracts and the program are
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
//! Open `request` first for the first one, `player::shell` for a signed game.
//!
//! A third one has the feature `record` alone: [`written::answer`] reads and writes games as text.
//!
//! A fourth one has the feature `player` alone: [`PlayerShell::answer`], a signed game that it keeps from step to step.
//!
//! # Boundary
//!
//! The module imports nothing; that of the computer imports `page.now`, which tells the milliseconds that have
//! passed since any moment. All export their `memory` and three functions:
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
//! | `call`, `called`, `read`, `output`, `arguments`, `records` | messages to the contracts, and their answers |
//! | `guest`, `qr` | accounts of guests and their phrases; QR codes |
//! | `session_key`, `sessions` | session keys, and how accounts name them |
//! | `account`, `deployed`, `sponge` | addresses of accounts and contracts |
//! | `substrate` | what a wallet of Substrate is asked to sign |
//! | `played`, `moves`, `terms` | positions, moves, players and rules of terms |
//! | `place` | where signed games are signed |
//! | `relay` | what relays say in all rooms |
//! | `player` | signed games, by [`connect4_seat::Player`] |
//! | `computer` | the computer that plays in the page |
//! | `written` | games as text |
//! | `values`, `bytes` | values that JSON has no type for |

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
mod bytes;
#[cfg(feature = "chain")]
mod call;
#[cfg(any(feature = "chain", feature = "player"))]
mod called;
#[cfg(feature = "computer")]
mod computer;
#[cfg(test)]
mod declarations;
#[cfg(feature = "chain")]
mod deployed;
mod failure;
#[cfg(feature = "player")]
mod guest;
#[cfg(feature = "player")]
mod moves;
#[cfg(any(feature = "chain", feature = "player"))]
mod output;
#[cfg(any(feature = "chain", feature = "player"))]
mod place;
#[cfg(feature = "chain")]
mod played;
#[cfg(feature = "player")]
mod player;
#[cfg(feature = "chain")]
mod qr;
#[cfg(feature = "chain")]
mod read;
#[cfg(feature = "chain")]
mod records;
#[cfg(feature = "player")]
mod relay;
#[cfg(feature = "chain")]
mod request;
#[cfg(any(feature = "chain", feature = "player"))]
mod session_key;
#[cfg(feature = "chain")]
mod sessions;
#[cfg(feature = "chain")]
mod sponge;
#[cfg(feature = "chain")]
mod substrate;
#[cfg(feature = "player")]
mod terms;
#[cfg(any(feature = "chain", feature = "player"))]
mod values;
#[cfg(feature = "record")]
pub mod written;

#[cfg(feature = "chain")]
pub use account::{AccountOf, SessionOf};
#[cfg(feature = "chain")]
pub use arguments::{GameAndBin, NewGame, NewTable, Nothing, OfGame, OfVariant, VariantAndMove};
pub use bytes::Hex;
#[cfg(feature = "chain")]
pub use call::Call;
#[cfg(any(feature = "chain", feature = "player"))]
pub use called::Called;
#[cfg(feature = "computer")]
pub use computer::{
    ComputerRequest, Drops, LineAndMove, LineAsked, LineQuery, Mind, MoveOfComputer,
};
#[cfg(feature = "chain")]
pub use deployed::{Deployed, Deployment};
pub use failure::Failure;
#[cfg(feature = "player")]
pub use guest::{GuestAccount, GuestSource};
#[cfg(any(feature = "chain", feature = "player"))]
pub use place::SignedPlace;
#[cfg(feature = "chain")]
pub use played::{Played, PlayedMoves, PlayerGone, PlayerLeft};
#[cfg(feature = "player")]
pub use player::{
    AcceptedInLobby, AgreedTerms, AnswerTo, AwaitedOf, AwaitedWhat, BlockSeen, Colours,
    CompletedOffer, HeardInLobby, LetterTo, ListedOffer, LobbyWelcome, LobbyWitness,
    NotPairedInLobby, OfferInLobby, OfferToComplete, OfferToMake, OfferedGame, OpenedGame, Opening,
    PageDisk, PlayedBoard, PlayedSeat, PlayerAwaited, PlayerCall, PlayerCommand, PlayerInput,
    PlayerOutput, PlayerReads, PlayerRequest, PlayerShell, PlayerShown, PlayerStage, PlayerStepped,
    RematchAsked, RoomSeen, SaidInLobby, SignedMove, SuitsAsked, TakenInLobby, TakenOffer, ToKeep,
    ToWatch, WatchedGame, WhyNoGame,
};
#[cfg(feature = "chain")]
pub use qr::QrDrawing;
#[cfg(feature = "chain")]
pub use read::{Decode, Decoded, Read};
#[cfg(feature = "chain")]
pub use records::ChainGame;
#[cfg(feature = "player")]
pub use relay::{Present, Refusal};
#[cfg(feature = "chain")]
pub use request::{Request, answer};
#[cfg(feature = "chain")]
pub use sessions::{NamedBy, NamedKey, SessionToSign, SignedKey};
#[cfg(feature = "chain")]
pub use substrate::{Extrinsic, ExtrinsicHash, PreparedCall, SubstrateCall};
#[cfg(feature = "player")]
pub use terms::{TermsPlayer, TermsRules};
#[cfg(any(feature = "chain", feature = "player"))]
pub use values::{Scale, Units};
