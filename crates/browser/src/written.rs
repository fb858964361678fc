//! Games as text: those of a file that somebody opens, and those that are saved.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use codec::Decode as _;
use connect4_protocol::signed::{Evidence, GameNumber, Native};
use connect4_protocol::{Address, End, GameName};
use connect4_record::{EarlierTerms, Fault, Found, Proof, Record, Step};
use connect4_rules::variant::{Move, Variant};
use connect4_rules::{Bin, notation};
use connect4_wire::Terms;
use serde::{Deserialize, Serialize};

use crate::answer::{json, read, to_json};
use crate::bytes::Hex;
use crate::failure::Failure;

/// What a page asks: an object with one field, whose name is what is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordRequest {
    /// The games of a text.
    Read(String),
    /// A game that is shown as text.
    Shown(GameShown),
    /// A game that a page of version 0.2 has kept, as text.
    Earlier(EarlierGame),
}

/// What a page asks of records, by the name of the request.
#[cfg(test)]
#[derive(ts_rs::TS)]
#[allow(dead_code, reason = "declared, not made")]
pub(crate) struct RecordRequests {
    read: String,
    shown: GameShown,
    earlier: EarlierGame,
}

/// What is answered, by the name of the request.
#[cfg(test)]
#[derive(ts_rs::TS)]
#[allow(dead_code, reason = "declared, not made")]
pub(crate) struct RecordAnswers {
    read: WrittenGames,
    shown: String,
    earlier: String,
}

/// The games of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WrittenGames {
    /// Those that can be read.
    pub games: Vec<WrittenGame>,
    /// What is wrong with the first game that cannot be read, and where; none if all can.
    pub error: Option<String>,
}

/// A game of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WrittenGame {
    /// The line in which it begins, from 1.
    pub line: u32,
    /// Its name; none if no chain and no signed terms have it.
    pub game: Option<GameName>,
    /// The players; empty if they are not known.
    pub players: Vec<Address>,
    /// Its terms.
    pub terms: Terms,
    /// The moves as text; none if players have left between them.
    pub moves: Option<String>,
    /// What each player gets, or `*`.
    pub result: String,
    /// How it ended, in words; none if it has not, as far as it was written down.
    pub end: Option<String>,
    /// When its terms were made or it started, in seconds since 1970.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub time: Option<u64>,
    /// What proves it.
    pub proof: WrittenProof,
    /// Why it is not proven by its text; none if it is.
    pub why: Option<String>,
}

/// What proves a game of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum WrittenProof {
    /// Its text: both players have signed it.
    Signed,
    /// Its text: both players have signed their moves, and the witness how it has ended.
    Witnessed,
    /// The chain alone.
    Chain,
    /// Nothing.
    Nothing,
    /// Nothing that is checked here: its signatures are those of version 1 of the format.
    Earlier,
    /// What is signed is not this game.
    Forged,
}

/// A game as a page shows it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameShown {
    /// Its number on the chain; none if no chain has it.
    pub game: Option<GameName>,
    /// The contract that has it.
    pub contract: Option<Address>,
    /// Accounts of the players by seats; empty if they are not known.
    pub players: Vec<Address>,
    /// Terms.
    pub terms: Terms,
    /// The moves as text.
    pub moves: String,
    /// Seats that were left, each after so many moves.
    pub left: Vec<(u8, usize)>,
    /// How it ended; none if it goes on.
    pub end: Option<End>,
    /// The seat of the winner.
    pub winner: Option<u8>,
}

/// A game that two guests had begun when pages of version 0.2 were closed, as such a page has kept it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EarlierGame {
    /// Its number.
    #[cfg_attr(test, ts(as = "GameName"))]
    pub game: GameNumber,
    /// EIP-155 number of the chain for which it was signed.
    #[cfg_attr(test, ts(type = "number"))]
    pub chain_id: u64,
    /// The contract for which it was signed.
    pub contract: Address,
    /// The terms, with what was signed of them.
    pub terms: Hex,
    /// What was kept of the moves.
    pub book: Hex,
}

/// Answers a request. Both are JSON.
#[must_use]
pub fn answer(request: &[u8]) -> Vec<u8> {
    to_json(read(request).and_then(|asked| match asked {
        RecordRequest::Read(text) => json(&games(&text)),
        RecordRequest::Shown(shown) => json(&written(&shown)?),
        RecordRequest::Earlier(kept) => json(&earlier(&kept)?),
    }))
}

/// What a book begins with: what it is, and the version of its layout. A hash of the game follows, then the longest
/// position that both players have signed.
const BOOK: &[u8] = b"c4page\0\x03";
/// Bytes of the hash of the game.
const OF_GAME: usize = 32;

fn earlier(kept: &EarlierGame) -> Result<String, Failure> {
    let terms = EarlierTerms::decode(&mut &*kept.terms.0).ok();
    let book = kept.book.0.strip_prefix(BOOK);
    let signed = book.and_then(|book| book.get(OF_GAME..));
    let position = signed.and_then(|mut signed| Evidence::decode(&mut signed).ok());
    let (Some(terms), Some(Evidence { moves, .. })) = (terms, position) else {
        return Err(Failure::new(
            "Damaged",
            "what was kept of the game is damaged",
        ));
    };
    let EarlierGame {
        game,
        chain_id,
        contract,
        ..
    } = kept;
    let record = Record::of_earlier(*game, *chain_id, *contract, &terms, &moves);
    let record = record.map_err(|fault| Failure::new("Damaged", fault.to_string()))?;
    Ok(record.to_string())
}

fn games(text: &str) -> WrittenGames {
    let (mut games, mut first, mut others) = (Vec::new(), None, 0_usize);
    for found in connect4_record::read(text) {
        match found {
            Ok(found) => games.push(game(&found)),
            Err(fault) if first.is_none() => first = Some(fault.to_string()),
            Err(_) => others += 1,
        }
    }
    let error = match (first, others) {
        (None, _) if games.is_empty() => Some("there is no game in it".into()),
        (Some(first), 1..) => Some(format!(
            "{first}; games that cannot be read besides: {others}"
        )),
        (first, _) => first,
    };
    WrittenGames { games, error }
}

fn game(Found { line, record }: &Found) -> WrittenGame {
    let (proof, why) = proof_of(record);
    let is_whole = record.moves().count() == record.steps.len();
    WrittenGame {
        line: *line,
        game: record.game,
        players: record.players.clone(),
        terms: Terms::new(record.terms, record.limit),
        moves: is_whole.then(|| moves(record)),
        result: record.result(),
        end: record.end.map(|end| end.to_string()),
        time: record.time,
        proof,
        why,
    }
}

fn proof_of(record: &Record) -> (WrittenProof, Option<String>) {
    if record.earlier.is_some() {
        return (WrittenProof::Earlier, None);
    }
    match record.prove(&Native) {
        Ok(Proof::Ended {
            witness: Some(_), ..
        }) => (WrittenProof::Witnessed, None),
        Ok(Proof::Ended { .. }) => (WrittenProof::Signed, None),
        Ok(_) if record.game.is_some() => (WrittenProof::Chain, None),
        Ok(_) => (WrittenProof::Nothing, None),
        Err(fault) => (WrittenProof::Forged, Some(fault.to_string())),
    }
}

/// The moves in the notation of the page.
fn moves(record: &Record) -> String {
    let drops = record.moves().map(|step| match step {
        Move::Drop(bin) => Some(bin),
        _ => None,
    });
    match drops.collect::<Option<Vec<Bin>>>() {
        Some(bins) if record.terms.is_classic() => notation::write(bins).to_string(),
        _ => notation::write(record.moves().collect::<Vec<_>>()).to_string(),
    }
}

fn written(shown: &GameShown) -> Result<String, Failure> {
    let terms = Variant::try_from(shown.terms.spec).map_err(|error| request(&error))?;
    let mut record = Record::new(terms);
    record.game = shown.game;
    record.contract = shown.contract;
    record.players = shown.players.clone();
    record.limit = shown.terms.limit.filter(|_| record.is_variant());
    let mut left = shown.left.iter().peekable();
    let mut made = 0;
    let mut take = |record: &mut Record, made| {
        while let Some((seat, _)) = left.next_if(|(_, turns)| *turns <= made) {
            record.steps.push(Step::Left(*seat));
        }
    };
    for action in moves_of(terms, &shown.moves)? {
        take(&mut record, made);
        record.steps.push(Step::Move(action));
        made += 1;
    }
    take(&mut record, usize::MAX);
    record.end = shown.end;
    record.winner = shown.winner;
    record.check().map_err(refused)?;
    Ok(record.to_string())
}

fn moves_of(terms: Variant, text: &str) -> Result<Vec<Move>, Failure> {
    match terms.is_classic() {
        true => notation::parse::<Bin>(text)
            .map(|bin| bin.map(Move::Drop).map_err(|error| request(&error)))
            .collect(),
        false => notation::parse::<Move>(text)
            .map(|action| action.map_err(|error| request(&error)))
            .collect(),
    }
}

fn request(error: &impl core::fmt::Display) -> Failure {
    Failure::request(error.to_string())
}

fn refused(fault: Fault) -> Failure {
    Failure::new("NoRecord", fault.to_string())
}
