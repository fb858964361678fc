//! What is wrong with a text.

use alloc::string::String;

use connect4_protocol::signed;

use crate::{MOST_OF_COMMENTS, MOST_OF_LINE, MOST_TAGS, SIGNED_VERSION, VERSION};

/// Returned if a text is no record, or the game of one is not as it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct Error {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The bytes are no text.
    #[error("not text in UTF-8: save the file as UTF-8")]
    NotText,
    /// A line is longer than [`MOST_OF_LINE`].
    #[error("the line is longer than {MOST_OF_LINE} bytes: fold it between moves")]
    LongLine,
    /// A line among the tags is no tag.
    #[error("not a tag such as [Terms \"7x6, line 4\"]; moves come after an empty line")]
    NotATag,
    /// A game has more than [`MOST_TAGS`].
    #[error("the game has more than {MOST_TAGS} tags")]
    ManyTags,
    /// A tag is there twice.
    #[error("the tag {0} is there twice")]
    TagTwice(String),
    /// The first tag of a game does not say what the text is.
    #[error("a game begins with the tag [Connect4 \"{VERSION}\"]")]
    NoVersion,
    /// The text has another version than [`VERSION`] and [`SIGNED_VERSION`].
    #[error(
        "the record has version {0:?} of the format, and this program reads versions {VERSION} and \
         {SIGNED_VERSION}: a newer program may read it"
    )]
    OtherVersion(String),
    /// A tag has no such value.
    #[error("{tag}: {why}")]
    BadTag {
        /// The tag.
        tag: &'static str,
        /// Why.
        why: String,
    },
    /// A tag is missing.
    #[error("the tag {0} is missing")]
    Missing(&'static str),
    /// A tag says nothing without another one.
    #[error("the tag {tag} needs the tag {needs}")]
    Needs {
        /// The tag.
        tag: &'static str,
        /// What is missing.
        needs: &'static str,
    },
    /// A tag is one of other games.
    #[error("such a game has no tag {0}")]
    NoSuchTag(&'static str),
    /// There are not as many players as the terms have.
    #[error("{named} players are named, and the terms are for {players}")]
    Players {
        /// How many are named.
        named: usize,
        /// How many play.
        players: u8,
    },
    /// A game between two accounts has terms that are those of a variant.
    #[error("such a game has no other terms than the board{0}")]
    NotOfTwo(&'static str),
    /// What stands for a move is none, or not legal.
    #[error("move {number}, {text:?}: {why}")]
    BadMove {
        /// Number of the move, from 1.
        number: usize,
        /// What stands there.
        text: String,
        /// Why it is none.
        why: String,
    },
    /// A comment has no end.
    #[error("the comment that begins here has no end: it lacks a }}")]
    OpenComment,
    /// The comments of a game are longer than [`MOST_OF_COMMENTS`].
    #[error("the comments of the game have more than {MOST_OF_COMMENTS} bytes")]
    LongComments,
    /// The moves have no result behind them.
    #[error("the moves end without a result: 1-0, 0-1, 1/2-1/2, or * for none")]
    NoResult,
    /// Something follows the result.
    #[error("{0:?} comes after the result: the next game begins with its tags")]
    AfterResult(String),
    /// The result is not that of such a game.
    #[error("{0:?} is no result of a game of {1} players")]
    NotAResult(String, u8),
    /// The moves, or the signatures, give another result.
    #[error("the result is {says}, but the {by} give {gives}")]
    OtherResult {
        /// What the record says.
        says: String,
        /// What gives another one.
        by: &'static str,
        /// The other one.
        gives: String,
    },
    /// The terms give another number.
    #[error("the record is of game {says}, but its terms give {gives}")]
    OtherNumber {
        /// Number in the record.
        says: String,
        /// Number of the terms.
        gives: String,
    },
    /// What is signed does not show how a signed game ended.
    #[error("what is signed does not show this end: {0}")]
    NotShown(#[from] signed::Refused),
    /// A time is after the year 9999.
    #[error("it cannot be written as a record")]
    NotWritable,
}

impl Fault {
    /// The fault in this line.
    pub(crate) const fn at(self, line: u32) -> Error {
        Error { line, fault: self }
    }
}
