//! Games as text: those that are kept on this machine, those of a chain, and those in files.

use std::collections::HashSet;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use connect4_client::signed::{EarlierGames, KeptRecord, Keyring, KeyringError, SignedGames};
use connect4_client::{BlockRef, Contracts, Error, Event, GameId, Occurrence, StepKind};
use connect4_protocol::Address;
use connect4_protocol::signed::{Domain, GameNumber, Native};
use connect4_protocol::variants::event::PlayerLeft;
use connect4_record::{Block, Found, Record, Step};
use connect4_rules::variant::Variant;

use crate::args::Global;
use crate::failure::Failure;
use crate::output::Output;
use crate::place::Place;
use crate::said::Said;
use crate::session::Session;

/// Bytes of a file of records, at most.
const MOST_BYTES: u64 = 64 << 20;

/// The games that earlier versions kept on this machine; none if nothing is kept.
pub fn earlier(global: &Global) -> Result<Option<EarlierGames>, Failure> {
    let Place::Folder(folder) = Place::folder(global)? else {
        return Ok(None);
    };
    let keyring = Keyring::in_folder(folder.join("guest"));
    Ok(Some(keyring.earlier_games()))
}

/// A file in which this program keeps a signed game that has ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignedFile {
    /// When its terms were made; 0 if it can't be read.
    time: u64,
    /// None if it can't be read.
    pub number: Option<GameNumber>,
    pub path: PathBuf,
}

/// The files of signed games that have ended on this machine, the oldest first and each game once: those of its guest, its
/// bots and its accounts.
pub fn signed(global: &Global) -> Result<Vec<SignedFile>, Failure> {
    Ok(each_once(signed_files(global)?))
}

/// Those of them of which [none is said](set_recorded) to be on the chain.
pub fn unrecorded(global: &Global) -> Result<Vec<SignedFile>, Failure> {
    let mut files = signed_files(global)?;
    let recorded = files
        .iter()
        .filter(|file| KeptRecord::is_recorded(&file.path));
    let recorded: HashSet<_> = recorded.map(|file| file.number).collect();
    files.retain(|file| !recorded.contains(&file.number));
    Ok(each_once(files))
}

/// Says of signed games that are kept on this machine that they are on the chain.
pub fn set_recorded(global: &Global, numbers: &[GameNumber]) -> Result<(), Failure> {
    for file in signed_files(global)? {
        if file.number.is_some_and(|number| numbers.contains(&number)) {
            KeptRecord::set_recorded(&file.path)
                .map_err(|error| Failure::Other(error.to_string()))?;
        }
    }
    Ok(())
}

/// Both players of a game can have played here.
fn each_once(mut files: Vec<SignedFile>) -> Vec<SignedFile> {
    let mut seen = HashSet::new();
    files.retain(|file| file.number.is_none_or(|number| seen.insert(number)));
    files
}

fn signed_files(global: &Global) -> Result<Vec<SignedFile>, Failure> {
    let Place::Folder(folder) = Place::folder(global)? else {
        return Ok(Vec::new());
    };
    let failed = |error: KeyringError| Failure::Other(error.to_string());
    let mut folders = vec![folder.join("guest")];
    for of in ["bots", "accounts"] {
        folders.extend(folders_in(&folder.join(of)).map_err(Failure::Other)?);
    }
    let mut files = Vec::new();
    for folder in folders {
        let kept = SignedGames::beside(&Keyring::in_folder(folder));
        for name in kept.names().map_err(failed)? {
            let path = kept.path(name);
            let (time, number) = match kept.peek(name) {
                Ok(kept) => match kept.finished() {
                    Some((chain, finished)) => {
                        let domain = Domain::without_stake(chain);
                        let number = finished.terms.number(&domain, &Native);
                        (kept.time(), Some(number))
                    }
                    None => continue,
                },
                Err(_) => (0, None),
            };
            files.push(SignedFile { time, number, path });
        }
    }
    files.sort();
    Ok(files)
}

/// The folders in a folder, which need not exist.
fn folders_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let folders = entries.map(|entry| entry.map(|entry| entry.path()));
    folders.collect::<Result<_, _>>().map_err(failed)
}

/// Why a file is not one in which this program keeps a game.
pub fn not_kept(error: &KeyringError) -> String {
    match error {
        KeyringError::Damaged(path) => {
            format!(
                "{} is no game that this program keeps, is damaged, or is of an earlier version",
                path.display()
            )
        }
        error => error.to_string(),
    }
}

/// The record of a file in which this program keeps a signed game.
pub fn of_file(path: &Path) -> Result<Record, Failure> {
    let kept = KeptRecord::read(path).map_err(|error| Failure::Other(not_kept(&error)))?;
    let refused =
        |why: &dyn std::fmt::Display| Failure::Refused(format!("{}: {why}", path.display()));
    let (chain, finished) = kept
        .finished()
        .ok_or_else(|| refused(&"the end of this game is not kept here"))?;
    let record = Record::of_finished(&finished, chain, &Native);
    let mut record = record.map_err(|fault| refused(&fault))?;
    // Without a clock a witness tells no time.
    if record.clock.is_some() {
        record.add_clocks(&kept.left);
    }
    Ok(record)
}

/// Whether a file can be one of records: it begins with a tag.
pub fn is_text(path: &Path) -> bool {
    let mut first = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut first));
    read.is_ok() && (first[0] == b'[' || first.starts_with("\u{feff}".as_bytes()))
}

/// A game of a file, or what is wrong with it.
pub type Read = Result<Found, connect4_record::Error>;

/// The games of a file of records, in order, or the one that this program keeps in a file; `-` is standard input.
/// Each is checked by the rules. Fails if none of them can be read.
pub fn read(path: &Path) -> Result<Vec<Read>, Failure> {
    let is_kept = || KeptRecord::read(path).is_ok();
    if path.to_str() != Some("-") && !is_text(path) && is_kept() {
        let record = of_file(path)?;
        return Ok(vec![Ok(Found { line: 1, record })]);
    }
    let failed = |error: std::io::Error| {
        Failure::Other(format!("{} cannot be read: {error}", path.display()))
    };
    let mut bytes = Vec::new();
    let most = MOST_BYTES + 1;
    let read = match path.to_str() {
        Some("-") => std::io::stdin().take(most).read_to_end(&mut bytes),
        _ => std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::Refused(format!(
            "{} has more than {} MB: split it between two games",
            path.display(),
            MOST_BYTES >> 20
        )));
    }
    let games: Vec<_> = connect4_record::read_bytes(&bytes).collect();
    match games.first() {
        None => Err(Failure::Refused(format!("{} has no games", path.display()))),
        Some(Err(error)) if games.iter().all(Result::is_err) => {
            Err(Failure::Refused(format!("{}, {error}", path.display())))
        }
        Some(_) => Ok(games),
    }
}

/// As [`read`], without the games that cannot be read: those are reported and counted.
pub fn read_good(path: &Path, out: &mut Output) -> Result<(Vec<Found>, usize), Failure> {
    let (mut good, mut bad) = (Vec::new(), 0);
    for game in read(path)? {
        match game {
            Ok(found) => good.push(found),
            Err(error) => {
                bad += 1;
                out.say(Said::PassedOver {
                    file: path,
                    line: Some(error.line),
                    why: &error.fault.to_string(),
                })?;
            }
        }
    }
    Ok((good, bad))
}

/// The failure of a command that has done its work for all of these things but so many, which are reported already.
pub fn passed_over(count: usize, what: &str) -> Result<(), Failure> {
    match count {
        0 => Ok(()),
        1 => Err(Failure::Refused(format!("a {what} was passed over"))),
        count => Err(Failure::Refused(format!(
            "{count} {what}s were passed over"
        ))),
    }
}

/// What is said of a file without the name of the file, where that is named already.
pub fn without_name<'a>(why: &'a str, path: &Path) -> &'a str {
    why.strip_prefix(&path.display().to_string())
        .map_or(why, |why| why.trim_start_matches([',', ':', ' ']))
}

/// The record of a game that began on the chain, from its events.
pub async fn of_chain(
    global: &Global,
    session: &Session,
    id: GameId,
    from_block: u32,
) -> Result<Record, Failure> {
    let contract = session.contract_of(global, id, None).await?;
    let history = contract.history(id, from_block).await?;
    of_history(session, &contract, id, &history).await
}

/// As [`of_chain`]; none if the chain has no such game.
pub async fn find(
    global: &Global,
    session: &Session,
    id: GameId,
) -> Result<Option<Record>, Failure> {
    let contract = match session.contract_of(global, id, None).await {
        Err(Error::NoContract(_)) => return Ok(None),
        contract => contract?,
    };
    let history = match contract.history(id, 0).await {
        Err(error) if error.refusal().is_some() => return Ok(None),
        history => history?,
    };
    of_history(session, &contract, id, &history).await.map(Some)
}

async fn of_history(
    session: &Session,
    contract: &Contracts,
    id: GameId,
    history: &[Occurrence],
) -> Result<Record, Failure> {
    let Some(first) = history.first() else {
        return Err(Failure::Other(format!("game {id} has no events")));
    };
    let block = BlockRef {
        number: first.block,
        hash: first.block_hash,
    };
    let mut record = match id.is_variant() {
        true => of_variant(history)?,
        false => of_two(history)?,
    };
    record.game = Some(id.into());
    record.contract = contract.address_of(id.contract());
    record.chain = session.client.signing_chain().ok().map(|chain| chain.id);
    record.genesis = Some(session.client.genesis().0);
    record.time = session.client.block_seconds(block).await;
    record.started = Some(block_of(first));
    let end = history
        .iter()
        .rfind(|at| matches!(at.event, Event::GameEnded(_) | Event::VariantEnded(_)));
    record.ended = end.map(block_of);
    Ok(record)
}

fn block_of(at: &Occurrence) -> Block {
    Block {
        number: at.block,
        hash: at.block_hash.0,
    }
}

fn of_two(history: &[Occurrence]) -> Result<Record, Failure> {
    let game = connect4_client::replay(history)?;
    let moves = connect4_client::moves(history).into_iter();
    Ok(Record {
        players: vec![game.player_one(), game.player_two()],
        steps: moves.map(Step::Move).collect(),
        end: game.end(),
        winner: game.winner().map(|player| player as u8),
        ..Record::new(Variant::classic(game.shape()))
    })
}

fn of_variant(history: &[Occurrence]) -> Result<Record, Failure> {
    let (game, steps) = connect4_client::replay_variant(history)?;
    let seat_of = |account: Address| {
        let seat = game.accounts().iter().position(|seat| *seat == account);
        // One of at most four.
        seat.map_or(0, |seat| seat as u8)
    };
    let steps = steps.iter().map(|step| match step.kind {
        StepKind::Move(action) => Step::Move(action),
        StepKind::Leave { .. } => Step::Left(match &history[step.event].event {
            Event::PlayerLeft(PlayerLeft { player, .. }) => seat_of(*player),
            _ => 0,
        }),
    });
    Ok(Record {
        players: game.accounts().to_vec(),
        limit: game.limit(),
        steps: steps.collect(),
        end: game.end(),
        winner: game.winner().map(seat_of),
        ..Record::new(game.variant())
    })
}

/// A game that had not ended when an earlier version kept it on this machine; none if it is not there.
pub fn earlier_game(global: &Global, number: GameNumber) -> Result<Option<Record>, Failure> {
    let Some(earlier) = earlier(global)? else {
        return Ok(None);
    };
    let found = earlier.open_game(number);
    found.map_err(|error| Failure::Other(error.to_string()))
}

/// The file in which this machine keeps a signed game that has ended, by its number; none if it does not.
///
/// Fails if an earlier version kept it.
pub fn kept_game(global: &Global, number: GameNumber) -> Result<Option<PathBuf>, Failure> {
    let mut files = signed(global)?.into_iter();
    let found = files.find(|file| file.number == Some(number));
    if let Some(file) = found {
        return Ok(Some(file.path));
    }
    let earlier = earlier(global)?.and_then(|earlier| earlier.file_of(number));
    match earlier {
        None => Ok(None),
        Some(path) => Err(Failure::Refused(of_earlier_version(number, &path))),
    }
}

/// Why nothing is done with a game of which an earlier version kept this file.
pub fn of_earlier_version(number: GameNumber, path: &Path) -> String {
    format!(
        "game {number} is of an earlier version of this program, whose signatures are not checked any more; its file is {}",
        path.display()
    )
}
