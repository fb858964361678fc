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
//! A game can begin without the chain, by [`SignedTerms`]: both session keys sign the [`GameTerms`], whose
//! digest is the game's [number](GameNumber). Anyone can put it on the chain: its end as a [`PlayedGame`],
//! or, for a dispute, the game itself. Its result is a function of all that is there, [`Results`].
//!
//! Statements are EIP-712 typed data, so any library of Ethereum makes and checks them.
//!
//! # Sources
//!
//! - [EIP-712](https://eips.ethereum.org/EIPS/eip-712), typed data and their digests.
//! - State channels for turn-based games: T. Close and A. Stewart, "ForceMove: an n-party state channel
//!   protocol", 2018.

pub(crate) mod domain;
mod evidence;
#[cfg(feature = "signed")]
pub mod feed;
mod game;
mod moves;
#[cfg(feature = "sign")]
mod native;
mod number;
pub(crate) mod packed_moves;
mod packed_signed;
mod packed_terms;
mod pool;
mod recorded;
mod results;
mod session;
pub(crate) mod statement;
mod terms;
pub mod wire;

pub use domain::{Crypto, Digest, Domain, Signature, Signing, StatementVersion};
pub use evidence::{Ending, Evidence};
pub use game::{Agreed, Banks, FIRST, FastGame};
pub use moves::Moves;
#[cfg(feature = "sign")]
pub use native::{Native, SessionKey};
pub use number::GameNumber;
pub use packed_signed::{PackedSession, PackedSigned};
pub use packed_terms::PackedTerms;
pub use pool::{Pool, PoolName};
pub use recorded::{PlayedGame, RecordedGame, RecordedPlayer};
pub use results::{Piece, Results};
pub use session::{AccountCrypto, AccountSignature, Session, SignedSession, wrapped};
pub use statement::{Kind, Statement};
pub use terms::{ByTerms, GameTerms, Party, SignedTerms};
