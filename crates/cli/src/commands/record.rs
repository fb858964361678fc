//! `record`: games that both players have signed are put on the chain.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use connect4_client::Contracts;
use connect4_client::fast::{GamesByTerms, KeptGame, rooms_at};
use connect4_client::signed::KeptRecord;
use connect4_protocol::fast::{GameNumber, RecordedGame};
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::{Chain, Finished};
use connect4_record::Found;

use super::consent::Consent;
use crate::accounts;
use crate::args::{Global, Record};
use crate::calls::{List, RecordCall, unlisted};
use crate::failure::Failure;
use crate::output::Output;
use crate::records::{self, Call, Checked, Game};
use crate::said::Said;
use crate::session::Session;
use crate::written;

pub async fn record(global: &Global, args: &Record, out: &mut Output) -> Result<(), Failure> {
    let kept = written::kept(global)?;
    let paths = match args.games.is_empty() {
        true => played(global, kept.as_ref())?,
        false => args
            .games
            .iter()
            .map(|named| path(global, named, kept.as_ref()))
            .collect::<Result<_, _>>()?,
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
    let (mut games, bad) = read(&contract, &paths, out).await?;
    if args.games.is_empty() {
        // Nobody has named them.
        let now = contract.client().time().await?;
        games.retain(|checked| checked.counts(now));
        if games.is_empty() && bad == 0 {
            return out.say(Said::Notice("there is no game to record"));
        }
    }
    let games = without_recorded(global, &contract, games, kept.as_ref(), out).await?;
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
    let relay = args.relay.as_deref().map(rooms_at);
    let relays: Vec<&str> = relay.as_deref().into_iter().collect();
    let mut batches = Vec::new();
    let (mut fee, mut deposit) = (0, 0_i128);
    for (call, games) in &calls {
        for checked in games.chunks(call.most()) {
            let games: Vec<Game> = checked.iter().map(|checked| checked.game).collect();
            let (message, list) = RecordCall::of(&contract, &games, &relays).await?;
            if let List::Refused(why) = list {
                out.say(Said::Notice(&unlisted(&why)))?;
            }
            let prepared = message.estimate(&contract, &signer).await?;
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
        let receipt = message.send(&contract, &signer).await?;
        out.say(Said::Recorded {
            games: &numbers,
            sent: (&receipt).into(),
        })?;
        set_recorded(global, kept.as_ref(), &numbers)?;
    }
    refused
}

/// The files of all games that were played on this machine and not recorded yet.
fn played(global: &Global, kept: Option<&GamesByTerms>) -> Result<Vec<PathBuf>, Failure> {
    let by_terms = kept.map(GamesByTerms::played).transpose();
    let mut paths = by_terms.map_err(failed)?.unwrap_or_default();
    let signed = written::unrecorded(global)?.into_iter();
    paths.extend(signed.map(|file| file.path));
    Ok(paths)
}

fn set_recorded(
    global: &Global,
    kept: Option<&GamesByTerms>,
    numbers: &[GameNumber],
) -> Result<(), Failure> {
    if let Some(kept) = kept {
        for number in numbers {
            kept.set_recorded(*number).map_err(failed)?;
        }
    }
    written::set_recorded(global, numbers)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Other(error.to_string())
}

/// The file that is named, by its path or the number of its game.
fn path(global: &Global, named: &str, kept: Option<&GamesByTerms>) -> Result<PathBuf, Failure> {
    match (named.parse::<GameNumber>(), kept) {
        (Ok(number), Some(kept)) if number.on_chain().is_none() => {
            let path = kept.file_of(number);
            if let Some(path) = written::kept_signed(global, number)? {
                return Ok(path);
            }
            if !path.exists() {
                let why = match (kept.is_recorded(number), kept.is_unsigned(number)) {
                    (true, _) => "was recorded from here already",
                    (_, true) => {
                        "ended before both players had signed something, so there is nothing to record"
                    }
                    _ => "was not played to its end on this machine",
                };
                return Err(Failure::Refused(format!("game {number} {why}")));
            }
            Ok(path)
        }
        (Ok(number), _) if number.on_chain().is_some() => Err(Failure::Usage(format!(
            "game {number} began on the chain, which has it already"
        ))),
        _ => Ok(PathBuf::from(named)),
    }
}

/// A game of a file.
#[expect(
    clippy::large_enum_variant,
    reason = "both are some hundred bytes, and few are held at a time"
)]
enum Given {
    ByTerms(KeptGame),
    Signed(Chain, Finished),
}

/// The games in these files that the contract would take, and how many it would not, which is said.
async fn read(
    contract: &Contracts,
    paths: &[PathBuf],
    out: &mut Output,
) -> Result<(Vec<Checked>, usize), Failure> {
    let now = contract.client().time().await?;
    let (mut games, mut bad) = (Vec::new(), 0);
    let mut seen = HashSet::new();
    let read = paths.iter().flat_map(|path| {
        let games = of_file(path).unwrap_or_else(|error| vec![Err(error)]);
        games.into_iter().map(move |game| (path, game))
    });
    for (path, given) in read {
        match given.and_then(|given| check(contract, given, now)) {
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
fn check(contract: &Contracts, given: Given, now: u64) -> Result<Checked, String> {
    let need = |kind| match contract.address_of(kind) {
        Some(_) => Ok(()),
        None => Err(format!("the chain has no contract of the {kind}")),
    };
    match given {
        Given::ByTerms(kept) => {
            need(ContractKind::Records)?;
            let domain = contract.domain().map_err(|error| error.to_string())?;
            if kept.domain != domain {
                return Err(format!(
                    "it was signed for the contract {} on chain {}, not for {} on chain {}",
                    kept.domain.contract, kept.domain.chain_id, domain.contract, domain.chain_id
                ));
            }
            Checked::of(kept.game, &domain, now).map_err(|error| error.to_string())
        }
        Given::Signed(of, finished) => {
            need(ContractKind::SignedRecords)?;
            let chain = contract.client().signing_chain();
            if of != chain.map_err(|error| error.to_string())? {
                return Err("it was signed for another chain".into());
            }
            Checked::ended(finished, of)
        }
    }
}

/// The games of a file: of that in which this program keeps one, or of one with records as text. Of those that cannot
/// be recorded, why.
fn of_file(path: &Path) -> Result<Vec<Result<Given, String>>, String> {
    if let Ok(kept) = KeptRecord::read(path) {
        let given = kept.finished();
        let given = given.map(|(chain, finished)| Given::Signed(chain, finished));
        return Ok(vec![
            given.ok_or_else(|| "the end of this game is not kept here".into()),
        ]);
    }
    match KeptGame::read(path) {
        Ok(kept) => Ok(vec![Ok(Given::ByTerms(kept))]),
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
    if record.signed_game.is_some() {
        let finished = record.finished();
        let given = finished.map(|(chain, finished)| Given::Signed(chain, finished));
        return given.ok_or_else(|| {
            format!("line {line}: the game has not ended, or it has not what shows its end")
        });
    }
    let game = record.played().as_ref().and_then(RecordedGame::of);
    let kept = game.zip(record.domain());
    kept.map(|(game, domain)| Given::ByTerms(KeptGame { domain, game }))
        .ok_or_else(|| {
            format!(
                "line {line}: the game is not one by signed terms, or it has not what both have signed"
            )
        })
}

/// The games of which the chain does not have as much, as far as its last blocks tell.
async fn without_recorded(
    global: &Global,
    contract: &Contracts,
    games: Vec<Checked>,
    kept: Option<&GamesByTerms>,
    out: &mut Output,
) -> Result<Vec<Checked>, Failure> {
    let Some(since) = games.iter().map(|game| game.time).min() else {
        return Ok(games);
    };
    let numbers = games.iter().map(|game| game.number).collect();
    let (found, is_all) = records::recorded(contract, &numbers, since).await?;
    let (mut left, mut on_chain) = (Vec::new(), Vec::new());
    for game in games {
        match found.get(&game.number) {
            Some(known) if !game.is_news_to(known) => {
                out.say(Said::NotRecorded {
                    game: &game.number.to_string(),
                    why: "it is on the chain already",
                })?;
                on_chain.push(game.number);
            }
            _ => left.push(game),
        }
    }
    set_recorded(global, kept, &on_chain)?;
    if !is_all && !left.is_empty() {
        out.say(Said::Notice(
            "only the last blocks were looked at for games that are on the chain already",
        ))?;
    }
    Ok(left)
}
