//! `export`: games as text, with the evidence for them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use connect4_client::Address;
use connect4_index::Filter;
use connect4_protocol::GameName;
use connect4_record::Record;

use crate::args::{Export, Global};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;
use crate::written;

/// Games of a page of an account's history.
const AT_ONCE: u32 = 200;

enum Named {
    File(PathBuf),
    /// That of a game that goes on and that an earlier version kept.
    Earlier(Box<Record>),
    Game(GameName),
}

/// Prints games as text, or writes them to a file.
pub async fn export(global: &Global, args: &Export, out: &mut Output) -> Result<(), Failure> {
    let mut session = None;
    let named = match (&args.account, args.games.is_empty()) {
        (Some(account), _) => {
            let games = of_account(global, &mut session, account.address(), out).await?;
            of_each(global, games, out)?
        }
        (None, true) => {
            let files = written::signed(global)?.into_iter();
            files.map(|file| Named::File(file.path)).collect()
        }
        (None, false) => args
            .games
            .iter()
            .map(|name| named(name))
            .collect::<Vec<_>>(),
    };
    let mut text = String::new();
    let (mut games, mut bad) = (0, 0);
    let is_alone = named.len() == 1;
    for named in named {
        let record = match kept(global, named)? {
            Named::File(path) => match written::of_file(&path) {
                Err(failure) if !is_alone => {
                    bad += 1;
                    out.say(Said::PassedOver {
                        file: &path,
                        line: None,
                        why: written::without_name(&failure.to_string(), &path),
                    })?;
                    continue;
                }
                record => record?,
            },
            Named::Earlier(record) => *record,
            Named::Game(game) => of_game(global, &mut session, game, args.from_block, out).await?,
        };
        games += 1;
        match &args.output {
            None => out.say(Said::Exported(&record))?,
            Some(_) if text.is_empty() => text = record.to_string(),
            Some(_) => text.push_str(&format!("\n{record}")),
        }
    }
    match &args.output {
        _ if games == 0 => out.say(Said::Notice("there is no game to export"))?,
        None => {}
        Some(path) => {
            write(path, &text)?;
            out.say(Said::ExportedTo { path, games })?;
        }
    }
    written::passed_over(bad, "game")
}

/// The games of an account: of signed games those that this machine keeps. How many are left out is said.
fn of_each(global: &Global, games: Vec<GameName>, out: &mut Output) -> Result<Vec<Named>, Failure> {
    let files = written::signed(global)?.into_iter();
    let files: HashMap<_, _> = files.map(|file| (file.number, file.path)).collect();
    let (mut named, mut left_out) = (Vec::new(), 0_usize);
    for game in games {
        match game {
            GameName::Chain(_) => named.push(Named::Game(game)),
            GameName::Terms(number) => match files.get(&Some(number)) {
                Some(path) => named.push(Named::File(path.clone())),
                None => left_out += 1,
            },
        }
    }
    if left_out > 0 {
        out.say(Said::Notice(&format!(
            "signed games that are not kept on this machine are left out: {left_out}"
        )))?;
    }
    Ok(named)
}

/// What is named, by its file if this machine keeps that.
fn kept(global: &Global, named: Named) -> Result<Named, Failure> {
    Ok(match named {
        Named::Game(GameName::Terms(number)) => match written::earlier_game(global, number)? {
            Some(record) => Named::Earlier(Box::new(record)),
            None => written::kept_game(global, number)?.map_or(named, Named::File),
        },
        named => named,
    })
}

fn named(name: &str) -> Named {
    match name.parse() {
        Ok(game) => Named::Game(game),
        Err(_) => Named::File(name.into()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::Other(format!("{} cannot be written: {error}", path.display())))
}

/// The record of a game that is not kept on this machine.
async fn of_game(
    global: &Global,
    session: &mut Option<Session>,
    game: GameName,
    from_block: u32,
    out: &mut Output,
) -> Result<Record, Failure> {
    match game {
        GameName::Chain(id) => {
            let session = opened(global, session, out).await?;
            let progress = out.progress();
            progress.say("looking for the game's blocks");
            let found = written::of_chain(global, session, id, from_block).await;
            progress.clear();
            found
        }
        GameName::Terms(number) => Err(Failure::Refused(format!(
            "game {number} is not kept on this machine, and a chain alone does not have what shows how it ended"
        ))),
    }
}

async fn opened<'a>(
    global: &Global,
    session: &'a mut Option<Session>,
    out: &mut Output,
) -> Result<&'a Session, Failure> {
    if session.is_none() {
        *session = Some(Session::open(global, false, out).await?);
    }
    session
        .as_ref()
        .ok_or_else(|| Failure::Other("the chain cannot be reached".into()))
}

/// All games of an account, in the order of their starts.
async fn of_account(
    global: &Global,
    session: &mut Option<Session>,
    account: Address,
    out: &mut Output,
) -> Result<Vec<GameName>, Failure> {
    let session = opened(global, session, out).await?;
    let progress = out.progress();
    progress.say("looking for the games of the account");
    let contract = session.contract(global, None).await.ok();
    let past = session.past(global, contract.as_ref(), None);
    let asked = past.ask(0, &|_| {}, async |index| {
        let filter = Filter {
            account: Some(account),
            ..Filter::default()
        };
        let (mut found, mut behind) = (Vec::new(), None);
        loop {
            let page = index.history(filter, behind, AT_ONCE).await?;
            found.extend(page.games.iter().map(|row| row.game));
            match page.next {
                Some(next) => behind = Some(next),
                None => return Ok(found),
            }
        }
    });
    let mut found = asked.await?;
    progress.clear();
    found.reverse();
    Ok(found)
}
