//! `record`: games by signed terms are put on the chain.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use connect4_client::Contracts;
use connect4_client::fast::{GamesByTerms, KeptGame};
use connect4_client::signed::KeptRecord;
use connect4_protocol::fast::{GameNumber, RecordedGame};
use connect4_protocol::message::{ContractKind, Record as RecordMessage};
use connect4_record::Found;

use super::consent::Consent;
use crate::accounts;
use crate::args::{Global, Record};
use crate::failure::Failure;
use crate::output::Output;
use crate::records::{self, Checked, Game, MOST_IN_CALL};
use crate::said::Said;
use crate::session::Session;
use crate::written;

pub async fn record(global: &Global, args: &Record, out: &mut Output) -> Result<(), Failure> {
    let kept = written::kept(global)?;
    let paths = match args.games.is_empty() {
        true => match &kept {
            Some(games) => games.played().map_err(failed)?,
            None => Vec::new(),
        },
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
    let Some(fast) = contract.address_of(ContractKind::Fast) else {
        return Err(Failure::Refused(
            "there are no fast games on this chain".into(),
        ));
    };
    let (games, bad) = read(&contract, &paths, out).await?;
    let games = without_recorded(&contract, games, kept.as_ref(), out).await?;
    let refused = match bad {
        0 => Ok(()),
        1 => Err(Failure::Refused("a game cannot be recorded".into())),
        bad => Err(Failure::Refused(format!("{bad} games cannot be recorded"))),
    };
    if games.is_empty() {
        return refused;
    }
    let mut batches = Vec::new();
    let (mut fee, mut deposit) = (0, 0_i128);
    for games in games.chunks(MOST_IN_CALL) {
        let message = RecordMessage {
            fast,
            games: games.iter().filter_map(by_terms).collect(),
        };
        let prepared = contract.estimate(&signer, &message).await?;
        fee += prepared.fee;
        deposit += prepared.deposit;
        batches.push((games, message));
    }
    out.say(Said::RecordCost {
        games: games.len(),
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
    for (games, message) in batches {
        let receipt = contract.send(&signer, message).await?;
        let numbers: Vec<GameNumber> = games.iter().map(|checked| checked.number).collect();
        out.say(Said::Recorded {
            games: &numbers,
            sent: (&receipt).into(),
        })?;
        if let Some(kept) = &kept {
            for number in numbers {
                kept.set_recorded(number).map_err(failed)?;
            }
        }
    }
    refused
}

const fn by_terms(checked: &Checked) -> Option<RecordedGame> {
    match checked.game {
        Game::ByTerms(game) => Some(game),
        Game::Signed(_) => None,
    }
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Other(error.to_string())
}

/// Why a signed game is not recorded.
const NOT_YET: &str = "is a signed game, which this program cannot record yet";

/// The file that is named, by its path or the number of its game.
fn path(global: &Global, named: &str, kept: Option<&GamesByTerms>) -> Result<PathBuf, Failure> {
    match (named.parse::<GameNumber>(), kept) {
        (Ok(number), Some(kept)) if number.on_chain().is_none() => {
            let path = kept.file_of(number);
            if written::kept_signed(global, number)?.is_some() {
                return Err(Failure::Refused(format!("game {number} {NOT_YET}")));
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

/// The games in these files that the contract would take, and how many it would not, which is said.
async fn read(
    contract: &Contracts,
    paths: &[PathBuf],
    out: &mut Output,
) -> Result<(Vec<Checked>, usize), Failure> {
    let domain = contract.domain()?;
    let now = contract.client().time().await?;
    let (mut games, mut bad) = (Vec::new(), 0);
    let mut seen = HashSet::new();
    let read = paths.iter().flat_map(|path| {
        let games = of_file(path).unwrap_or_else(|error| vec![Err(error)]);
        games.into_iter().map(move |game| (path, game))
    });
    for (path, kept) in read {
        let checked = match kept {
            Err(error) => Err(error),
            Ok(kept) if kept.domain != domain => Err(format!(
                "it was signed for the contract {} on chain {}, not for {} on chain {}",
                kept.domain.contract, kept.domain.chain_id, domain.contract, domain.chain_id
            )),
            Ok(kept) => Checked::of(kept.game, &domain, now).map_err(|error| error.to_string()),
        };
        match checked {
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

/// The games of a file: of that in which this program keeps one, or of one with records as text. Of those that cannot
/// be recorded, why.
fn of_file(path: &Path) -> Result<Vec<Result<KeptGame, String>>, String> {
    match KeptGame::read(path) {
        Ok(kept) => Ok(vec![Ok(kept)]),
        Err(_) if KeptRecord::read(path).is_ok() => Err(format!("{} {NOT_YET}", path.display())),
        Err(error) if !written::is_text(path) => Err(written::not_kept(&error)),
        Err(_) => {
            let found = written::read(path).map_err(|failure| failure.to_string())?;
            Ok(found.into_iter().map(of_record).collect())
        }
    }
}

/// A game of a file of records as it is recorded.
fn of_record(read: written::Read) -> Result<KeptGame, String> {
    let Found { line, record } = read.map_err(|error| error.to_string())?;
    if record.signed_game.is_some() {
        return Err(format!("line {line}: the game {NOT_YET}"));
    }
    let game = record.played().as_ref().and_then(RecordedGame::of);
    let kept = game.zip(record.domain());
    kept.map(|(game, domain)| KeptGame { domain, game })
        .ok_or_else(|| {
            format!(
                "line {line}: the game is not one by signed terms, or it has not what both have signed"
            )
        })
}

/// The games of which the chain does not have as much, as far as its last blocks tell.
async fn without_recorded(
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
    let mut left = Vec::new();
    for game in games {
        match found.get(&game.number) {
            Some(known) if !game.is_news_to(known) => {
                out.say(Said::NotRecorded {
                    game: &game.number.to_string(),
                    why: "it is on the chain already",
                })?;
                if let Some(kept) = kept {
                    kept.set_recorded(game.number).map_err(failed)?;
                }
            }
            _ => left.push(game),
        }
    }
    if !is_all && !left.is_empty() {
        out.say(Said::Notice(
            "only the last blocks were looked at for games that are on the chain already",
        ))?;
    }
    Ok(left)
}
