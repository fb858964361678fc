//! The file of a session key: its secret, the journals of its games, and what was agreed on.

use std::path::Path;

use codec::{Decode, DecodeAll as _, Encode};
use connect4_protocol::Address;
use connect4_protocol::fast::GameNumber;
use connect4_seat::{FirstJournal, Journal, SecondJournal};

use super::agreement::{Agreement, FormerAgreement};
use super::keyring_error::{KeyringError, failed};
use crate::durable;

/// The first bytes of a file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4fast\0\x05";
/// The same of the fourth layout, whose games have no pie rule.
const FOURTH_MAGIC: &[u8; 8] = b"c4fast\0\x04";
/// The same of the third layout, whose games have the numbers that they have on the chain, and a
/// [`SecondJournal`] besides.
const THIRD_MAGIC: &[u8; 8] = b"c4fast\0\x03";
/// The same of the second layout, which does not tell what was agreed on.
const SECOND_MAGIC: &[u8; 8] = b"c4fast\0\x02";
/// The same of the first layout, whose games have a [`FirstJournal`] besides.
const FIRST_MAGIC: &[u8; 8] = b"c4fast\0\x01";

/// Chain, contract and number of a game.
pub(super) type Game<N = GameNumber> = (u64, Address, N);

/// What is in a file.
#[derive(Clone, Encode, Decode)]
pub(super) struct Record {
    pub secret: [u8; 32],
    pub games: Vec<(Game, Journal)>,
    /// None in files of the layouts before, whose games go on without it.
    pub agreement: Option<Agreement>,
    /// The phrase of the guest who plays by this key; none if the key is for one game of an account.
    pub phrase: Option<String>,
}

/// What was in a file of the fourth layout.
#[derive(Decode)]
struct Fourth {
    secret: [u8; 32],
    games: Vec<(Game, Journal)>,
    agreement: Option<FormerAgreement>,
    phrase: Option<String>,
}

impl From<Fourth> for Record {
    fn from(fourth: Fourth) -> Self {
        Self {
            secret: fourth.secret,
            games: fourth.games,
            agreement: fourth.agreement.map(Agreement::from),
            phrase: fourth.phrase,
        }
    }
}

/// What was in a file of the layouts before.
#[derive(Decode)]
struct Former<J> {
    secret: [u8; 32],
    games: Vec<(Game<u32>, J)>,
}

impl Record {
    /// The journal of a game; an empty one if nothing was kept.
    pub fn journal(&self, of: Game) -> Journal {
        let kept = self.games.iter().find(|(game, _)| *game == of);
        kept.map(|(_, journal)| journal.clone()).unwrap_or_default()
    }
}

impl<J: Into<Journal>> From<Former<J>> for Record {
    fn from(former: Former<J>) -> Self {
        let games = former.games.into_iter();
        Self {
            secret: former.secret,
            games: games
                .map(|((chain, contract, number), journal)| {
                    ((chain, contract, number.into()), journal.into())
                })
                .collect(),
            agreement: None,
            phrase: None,
        }
    }
}

/// Without the secret.
impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("games", &self.games)
            .field("agreement", &self.agreement)
            .finish_non_exhaustive()
    }
}

/// What is in the file.
pub(super) fn read(path: &Path) -> Result<Record, KeyringError> {
    let sealed = durable::read_sealed(path).map_err(|error| failed(path, error))?;
    let record = sealed.and_then(|(magic, record)| match &magic {
        MAGIC => Record::decode_all(&mut &record[..]).ok(),
        FOURTH_MAGIC => Fourth::decode_all(&mut &record[..]).ok().map(Record::from),
        THIRD_MAGIC => third(&record),
        SECOND_MAGIC => former::<SecondJournal>(&record),
        FIRST_MAGIC => former::<FirstJournal>(&record),
        _ => None,
    });
    record.ok_or_else(|| KeyringError::Damaged(path.to_owned()))
}

/// The third layout is the second one with what was agreed on.
fn third(mut record: &[u8]) -> Option<Record> {
    let former = Former::<SecondJournal>::decode(&mut record).ok()?;
    let agreement = Option::<FormerAgreement>::decode(&mut record).ok()?;
    record.is_empty().then(|| Record {
        agreement: agreement.map(Agreement::from),
        ..former.into()
    })
}

fn former<J: Decode + Into<Journal>>(mut record: &[u8]) -> Option<Record> {
    let former = Former::<J>::decode_all(&mut record);
    former.ok().map(Record::from)
}

/// Replaces the file as a whole: after a crash at any moment it is the old one or the new one. The new
/// one is on disk when this returns.
pub(super) fn write(path: &Path, record: &Record) -> Result<(), KeyringError> {
    durable::replace_sealed(path, MAGIC, record).map_err(|error| failed(path, error))
}
