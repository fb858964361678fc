//! Fast play: moves are signed and sent to the opponent, and the chain is asked at the end or in a
//! dispute.
//!
//! Each player names a *session key* for the game, a secp256k1 key that is known by its Ethereum
//! address. A move is a [`Statement`] about **all moves of the game so far**, signed by who made the
//! last of them. A position is *supported* by the signatures of both players: that of the last mover
//! on all moves, and that of the other on the moves before the last. [`Evidence`] is a supported
//! position, or one at which a player resigned or both agreed on a draw. The contract takes it from
//! anyone, checks it, replays the moves by the rules and settles.
//!
//! The same code decides in the contract, in the program, in a relay: what is signed
//! ([`Statement::digest`]), which evidence is valid and which game it makes ([`FastGame::judge`]), and
//! what a contract makes of it ([`FastGame::advance`]).
//!
//! Players send it to each other by a relay, as [`wire`] describes.
//!
//! A line is final at once if the loser has resigned at it, as honest programs do. Else it can be
//! contested for a while: who has missed a win could sign it later, as another move for the same turn.
//!
//! Statements are EIP-712 typed data, so any library of Ethereum makes and checks them.
//!
//! # Sources
//!
//! - [EIP-712](https://eips.ethereum.org/EIPS/eip-712), typed data and their digests.
//! - State channels for turn-based games: T. Close and A. Stewart, "ForceMove: an n-party state channel
//!   protocol", 2018.

mod domain;
mod evidence;
mod game;
mod moves;
#[cfg(feature = "sign")]
mod native;
mod signed_challenge;
mod statement;
pub mod wire;

pub use domain::{Crypto, Digest, Domain, Signature, Signing};
pub use evidence::{Ending, Evidence};
pub use game::{Agreed, Banks, FIRST, FastGame};
pub use moves::Moves;
#[cfg(feature = "sign")]
pub use native::{Native, SessionKey};
pub use signed_challenge::{AccountCrypto, AccountSignature, SignedChallenge, wrapped};
pub use statement::{Kind, Statement};
