//! `record`: games that both players have signed are put on the chain.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use connect4_client::Contracts;
use connect4_client::signed::{KeptRecord, rooms_at};
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::{Chain, Finished, GameNumber};
use connect4_record::Found;

use super::consent::Consent;
use crate::accounts;
use crate::args::{Global, Record};
use crate::calls::{List, record_call, unlisted};
use crate::failure::Failure;
use crate::output::Output;
use crate::records::{self, Call, Checked, MOST_IN_CALL};
use crate::said::Said;
use crate::session::Session;
use crate::written;

pub async fn record(global: &Global, args: &Record, out: &mut Output) -> Result<(), Failure> {
    let paths = match args.games.is_empty() {
        true => {
            name_earlier(global, out)?;
            let files = written::unrecorded(global)?.into_iter();
            files.map(|file| file.path).collect()
        }
        false => args
            .games
            .iter()
            .map(|named| path(global, named))
            .collect::<Result<Vec<_>, _>>()?,
    };
    if paths.is_empty() {
        return out.say(Said::Notice("there is no game to record"));
    }
    if let ([path], 1) = (paths.as_slice(), args.games.len()) {
        // Before the chain is asked for anything.
        std::fs::File::open(path).map_err(|error| {
            Failure::Usage(format!("{} cannot be read: {error}", path.display()))
        })?;
    }
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let (mut games, bad) = read(&contract, &paths, out)?;
    if args.games.is_empty() {
        // Nobody has named them.
        let now = contract.client().time().await?;
        games.retain(|checked| checked.counts(now));
        if games.is_empty() && bad == 0 {
            return out.say(Said::Notice("there is no game to record"));
        }
    }
    let games = without_recorded(global, &contract, games, out).await?;
    let refused = match bad {
        0 => Ok(()),
        1 => Err(Failure::Refused("a game cannot be recorded".into())),
        bad => Err(Failure::Refused(format!("{bad} games cannot be recorded"))),
    };
    if games.is_empty() {
        return refused;
    }
    let count = games.len();
    let mut calls = BTreeMap::<Call, Vec<Checked>>::new();
    for checked in games {
        calls.entry(checked.call()).or_default().push(checked);
    }
    let relays: Vec<String> = args.relays.iter().map(|url| rooms_at(url)).collect();
    let relays: Vec<&str> = relays.iter().map(String::as_str).collect();
    let mut batches = Vec::new();
    let (mut fee, mut deposit) = (0, 0_i128);
    for games in calls.values() {
        for checked in games.chunks(MOST_IN_CALL) {
            let games: Vec<Finished> = checked.iter().map(|checked| checked.finished).collect();
            let (message, list) = record_call(&contract, &games, &relays).await?;
            if let List::Refused(why) = list {
                out.say(Said::Notice(&unlisted(&why)))?;
            }
            let prepared = contract.estimate(&signer, &message).await?;
            fee += prepared.fee;
            deposit += prepared.deposit;
            let numbers: Vec<GameNumber> = checked.iter().map(|checked| checked.number).collect();
            batches.push((numbers, message));
        }
    }
    out.say(Said::RecordCost {
        games: count,
        transactions: batches.len(),
        fee,
        deposit,
    })?;
    if args.dry_run {
        return refused;
    }
    let token = session.client.token();
    let amount = fee.saturating_add(u128::try_from(deposit).unwrap_or(0));
    let consent = Consent {
        what: "the fee",
        in_words: token.amount(amount),
        amount,
        token,
        question: format!("record, and pay {} at most?", token.amount(amount)),
        most: args.max_fee.as_deref(),
        most_option: "--max-fee",
        all: "any fee",
        yes: args.yes,
    };
    if !consent.given(out).await? {
        return out.say(Said::Notice("nothing was recorded"));
    }
    for (numbers, message) in batches {
        let receipt = contract.send(&signer, message).await?;
        out.say(Said::Recorded {
            games: &numbers,
            sent: (&receipt).into(),
        })?;
        written::set_recorded(global, &numbers)?;
    }
    refused
}

/// Names the games that an earlier version kept here and never recorded.
fn name_earlier(global: &Global, out: &mut Output) -> Result<(), Failure> {
    let Some(earlier) = written::earlier(global)? else {
        return Ok(());
    };
    let played = earlier.played();
    for game in played.map_err(|error| Failure::Other(error.to_string()))? {
        out.say(Said::NotRecorded {
            game: &game.number.to_string(),
            why: &written::of_earlier_version(game.number, &game.path),
        })?;
    }
    Ok(())
}

/// The file that is named, by its path or the number of its game.
fn path(global: &Global, named: &str) -> Result<PathBuf, Failure> {
    match named.parse::<GameNumber>() {
        Ok(number) => written::kept_game(global, number)?.ok_or_else(|| {
            Failure::Refused(format!(
                "game {number} was not played to its end on this machine"
            ))
        }),
        Err(_) => Ok(PathBuf::from(named)),
    }
}

/// A game of a file, and the chain for which it is signed.
type Given = (Chain, Finished);

/// The games in these files that the contract would take, and how many it would not, which is said.
fn read(
    contract: &Contracts,
    paths: &[PathBuf],
    out: &mut Output,
) -> Result<(Vec<Checked>, usize), Failure> {
    let (mut games, mut bad) = (Vec::new(), 0);
    let mut seen = HashSet::new();
    let read = paths.iter().flat_map(|path| {
        let games = of_file(path).unwrap_or_else(|error| vec![Err(error)]);
        games.into_iter().map(move |game| (path, game))
    });
    for (path, given) in read {
        match given.and_then(|given| check(contract, given)) {
            Ok(checked) if seen.insert(checked.number) => games.push(checked),
            Ok(_) => {}
            Err(why) => {
                bad += 1;
                out.say(Said::NotRecorded {
                    game: &path.display().to_string(),
                    why: written::without_name(&why, path),
                })?;
            }
        }
    }
    Ok((games, bad))
}

/// Checks a game as the contract would that records it.
fn check(contract: &Contracts, (of, finished): Given) -> Result<Checked, String> {
    if contract.address_of(ContractKind::SignedRecords).is_none() {
        let kind = ContractKind::SignedRecords;
        return Err(format!("the chain has no contract of the {kind}"));
    }
    let chain = contract.client().signing_chain();
    if of != chain.map_err(|error| error.to_string())? {
        return Err("it was signed for another chain".into());
    }
    Checked::ended(finished, of)
}

/// The games of a file: of that in which this program keeps one, or of one with records as text. Of those that cannot
/// be recorded, why.
fn of_file(path: &Path) -> Result<Vec<Result<Given, String>>, String> {
    match KeptRecord::read(path) {
        Ok(kept) => {
            let given = kept.finished();
            let given = given.ok_or_else(|| "the end of this game is not kept here".into());
            Ok(vec![given])
        }
        Err(error) if !written::is_text(path) => Err(written::not_kept(&error)),
        Err(_) => {
            let found = written::read(path).map_err(|failure| failure.to_string())?;
            Ok(found.into_iter().map(of_record).collect())
        }
    }
}

/// A game of a file of records as it is recorded.
fn of_record(read: written::Read) -> Result<Given, String> {
    let Found { line, record } = read.map_err(|error| error.to_string())?;
    let why = match record.signed_game {
        Some(_) => "the game has not ended, or it has not what shows its end",
        None => "the game is no signed game, or one of an earlier version",
    };
    record
        .finished()
        .ok_or_else(|| format!("line {line}: {why}"))
}

/// The games of which the chain does not have as much, as far as its last blocks tell.
async fn without_recorded(
    global: &Global,
    contract: &Contracts,
    games: Vec<Checked>,
    out: &mut Output,
) -> Result<Vec<Checked>, Failure> {
    let Some(since) = games.iter().map(Checked::time).min() else {
        return Ok(games);
    };
    let numbers = games.iter().map(|game| game.number).collect();
    let (found, is_all) = records::recorded(contract, &numbers, since).await?;
    let (mut left, mut on_chain) = (Vec::new(), Vec::new());
    for game in games {
        match found.get(&game.number) {
            Some(turns) if !game.is_news_to(*turns) => {
                out.say(Said::NotRecorded {
                    game: &game.number.to_string(),
                    why: "it is on the chain already",
                })?;
                on_chain.push(game.number);
            }
            _ => left.push(game),
        }
    }
    written::set_recorded(global, &on_chain)?;
    if !is_all && !left.is_empty() {
        out.say(Said::Notice(
            "only the last blocks were looked at for games that are on the chain already",
        ))?;
    }
    Ok(left)
}
