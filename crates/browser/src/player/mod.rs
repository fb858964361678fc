//! A signed game that is played in the page: [`connect4_seat::Player`], kept in the module from step to step.
//!
//! A module has one game: from an offer that is made or taken, or from the record that was kept of it. The page tells it
//! what comes from the opponent, the room of the witness, the chain, the clock and the person, and does what it answers.
//!
//! What has to outlive the page is its record. A step that changes it answers nothing but the record
//! ([`ToKeep`]); the page writes it, and says what came of that. Only then the module gives out what relies on it:
//! messages, transactions, what is said in the room and what is shown. If the page could not write the record, the step
//! is taken once more from where it began, by a disk that refuses: so the player decides itself what it knows after that,
//! as it does in a program whose disk is full.
//!
//! | file | job |
//! |---|---|
//! | `shell` | [`PlayerShell`]: the game, and the step that waits for the disk |
//! | `shelf` | the disk of the page, as a player sees it |
//! | `sealed` | a record as it is kept |
//! | `input`, `output` | what a player is told, and what it has done |
//! | `offer` | offers of games |
//! | `staked` | the room of a game with a stake |
//! | `shown` | what is shown of a game |
//! | `watch` | what is shown of a game to somebody who watches it |
//! | `lobby` | what is said in the lobby of a relay |

mod input;
mod lobby;
mod offer;
mod output;
mod sealed;
mod shelf;
mod shell;
mod shown;
mod staked;
mod watch;

pub use input::{BlockSeen, PlayerCommand, PlayerInput};
pub use lobby::{
    AcceptedInLobby, AnswerTo, HeardInLobby, LetterTo, ListedOffer, LobbyWelcome, LobbyWitness,
    NotPairedInLobby, OfferInLobby, SaidInLobby, TakenInLobby, WhyNoGame,
};
pub use offer::{
    Colours, CompletedOffer, OfferToComplete, OfferToMake, OfferedGame, SuitsAsked, TakenOffer,
};
pub use output::{PlayerCall, PlayerOutput, PlayerReads};
pub use shelf::ToKeep;
pub use shell::{
    OpenedGame, Opening, PageDisk, PlayerRequest, PlayerShell, PlayerStepped, RematchAsked,
};
#[cfg(test)]
pub(crate) use shell::{PlayerAnswers, PlayerRequests};
pub use shown::{
    AgreedTerms, AwaitedOf, AwaitedWhat, PlayedBoard, PlayedSeat, PlayerAwaited, PlayerShown,
    PlayerStage, SignedMove,
};
pub use watch::{RoomSeen, ToWatch, WatchedGame};
