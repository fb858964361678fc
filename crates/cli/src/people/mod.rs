//! What is said, in words.
//!
//! [`words`] is the one function for all of it; `commands` and `play` have its longer parts.

mod bot;
mod commands;
mod event;
mod play;
mod puzzle;
mod records;
mod text;
mod view;

use connect4_client::{Occurrence, Token};
use connect4_protocol::AnyGame;
use connect4_rules::variant;
use connect4_server::Witnessed;

use crate::game::Numbering;
use crate::said::{Said, Sent, from_here};
use crate::words::{self, coloured};

pub use play::note;
use text::Text;
pub use view::View;

/// Words, and where they belong.
#[derive(Debug, PartialEq, Eq)]
pub enum Words {
    /// Lines of their own.
    Lines(String),
    /// A board, which takes the place of the one before where it is drawn in place.
    Board(String),
    /// Lines above the question that is open.
    Aside(String),
    /// Lines above the first board of a game.
    Heading(String),
    /// Lines below the board, which the next one takes the place of at a terminal.
    Below(String),
    /// Said with the next board, in place of what was to be said with it.
    Note(String),
    /// Said with the next board, after what nobody has seen yet.
    NextNote(String),
}

/// What is said, in words; none if nothing is to be read, as the board shows it.
pub fn words(said: &Said<'_>, token: &Token) -> Option<Words> {
    let mut text = Text::new(token);
    match said {
        Said::Deployed(deployed) => commands::deployed(&mut text, deployed),
        Said::Started {
            at,
            deployment,
            sent,
        } => commands::started(&mut text, at, *deployment, *sent),
        Said::TableOpened {
            at,
            deployment,
            sent,
            reach,
        } => commands::table_opened(&mut text, at, *deployment, *sent, reach),
        Said::Sending(what) => text.line(what),
        Said::Made(made) => commands::made(&mut text, made),
        Said::Shown(at) => commands::shown(&mut text, at),
        Said::Listed { id, game, .. } => commands::listed(&mut text, *id, game.as_ref()),
        Said::NoGames { missing: Some(at) } => {
            text.line(format!("no games yet: there is no contract at {at}"));
        }
        Said::NoGames { missing: None } => text.line("no games yet"),
        Said::OlderGames { hidden, count } => {
            text.line(format!("{hidden} older ones: --limit {count} lists all"));
        }
        Said::VariantsFollow => text.line("variants:"),
        Said::NoTables => text.line("no open tables"),
        Said::Following { contract } => {
            text.line(format!("following the contract {contract}; Ctrl-C ends it"));
        }
        Said::Watching(at) => commands::watching(&mut text, at),
        Said::Event { at, game, before } => text.line(event(at, *game, *before)),
        Said::EventUndone { at, game } => {
            let event = event(at, *game, None);
            text.line(words::event_undone(&event, at.block));
        }
        Said::Board(position) => {
            return Some(Words::Board(view::board(Numbering::One, position)));
        }
        Said::ToMove(colour) => text.line(format!("{colour} to move")),
        Said::Replayed { game, moves } => commands::replayed(&mut text, game, moves),
        Said::ReplayedByTerms(game) => commands::replayed_by_terms(&mut text, game),
        Said::Puzzle(report) => puzzle::puzzle(&mut text, report),
        Said::Reviewed {
            turn,
            player,
            bin,
            verdict,
            spent,
        } => text.line(commands::reviewed(*turn, *player, *bin, verdict, *spent)),
        Said::Done(done, sent) => text.transaction(commands::done(*done), *sent),
        Said::Ended { at, sent } => commands::ended(&mut text, at, *sent),
        Said::Joined { account, at, sent } => {
            let joins = format!("{} joins table {}", words::who(*account), at.id);
            lines_of(&mut text, joins, *sent);
            text.line(words::standing(&at.game));
        }
        Said::Left(left) => commands::left(&mut text, left),
        Said::Paid {
            signer,
            amount,
            sent,
        } => {
            let amount = token.contract_amount(*amount);
            text.transaction(format!("{signer} was paid {amount}"), *sent);
        }
        Said::RecordCost {
            games,
            transactions,
            fee,
            deposit,
        } => {
            let line = records::cost(*games, *transactions, *fee, *deposit, token);
            text.line(line);
        }
        Said::NotRecorded { game, why } => text.line(format!("not recorded: {game}: {why}")),
        Said::Recorded { games, sent } => {
            text.transaction(records::recorded(games), *sent);
        }
        // The line's end of the record makes an empty line between two.
        Said::Exported(record) => text.line(record),
        Said::ExportedTo { path, games } => {
            let games = records::games(*games as u64);
            text.line(format!("wrote {games} to {}", path.display()));
        }
        Said::Verified(verified) => records::verified(&mut text, verified),
        Said::Evaluated { moves, evaluated } => text.line(records::evaluated(moves, evaluated)),
        Said::Reviewing { file, line } => {
            text.line(format!("{}, line {line}:", file.display()));
        }
        Said::Sponsored(sponsored) => text.line(records::sponsored(sponsored, token)),
        Said::Bot(news) => text.line(bot::news(news)),
        Said::Standing {
            of,
            first,
            standing,
            ..
        } => commands::standing(&mut text, *of, *first, standing),
        Said::Unrated { unrated, .. } => text.line(commands::unrated(*unrated)),
        Said::RatingsAreNoProof => {
            text.line("ratings are no proof against one person with many accounts");
        }
        Said::Incomplete(incomplete) => commands::incomplete(&mut text, incomplete),
        Said::NoStandings => text.line("no variant and no signed game has ended yet"),
        Said::Account {
            signer, balance, ..
        } => text.line(format!(
            "{:<8} {}  {}\n         {}",
            signer.to_string(),
            signer.account(),
            token.amount(*balance),
            signer.address()
        )),
        Said::Serving { addr, key, .. } => {
            text.line(format!("Play at http://{}/#key={key}", from_here(*addr)));
        }
        Said::PageWritten {
            folder,
            files,
            sha256,
        } => text.line(format!(
            "wrote {files} files to {}\nSHA-256 of index.html: {sha256}",
            folder.display()
        )),
        Said::Hosting { addr, .. } => text.line(format!("Host at http://{}", from_here(*addr))),
        Said::Relaying { addr, .. } => text.line(format!("Relay at ws://{}", from_here(*addr))),
        Said::Away { url } => return Some(Words::Aside(words::away(url))),
        Said::Back { url, .. } => {
            return Some(Words::Aside(format!("the node at {url} responds again")));
        }
        Said::Raised(what) | Said::Notice(what) => text.line(what),
        Said::Opened {
            id,
            deployment,
            sent,
        } => {
            text.deployment(commands::contract_of(*id), *deployment);
            text.transaction(format!("started game {id}"), *sent);
        }
        Said::Greeting(greeting) => {
            play::greeting(&mut text, greeting);
            return Some(Words::Heading(text.end()));
        }
        Said::Seeking(seeking) => return play::seeking(seeking).map(Words::Aside),
        Said::WaitingForPlayers(standing) => text.line(format!(
            "{standing}; Ctrl-C leaves the program, not the table"
        )),
        Said::Ask { game, turn, colour } => {
            return Some(Words::Below(play::asked(*game, *turn, *colour)));
        }
        Said::Waiting { colour, words } => {
            let name = coloured(*colour, colour, true);
            let words = words.map(|words| format!("; {words}")).unwrap_or_default();
            return Some(Words::Below(format!(
                "waiting for {name} to move{words}; Ctrl-C leaves"
            )));
        }
        Said::Invalid { reason, .. } => return Some(Words::Below((*reason).into())),
        Said::Refused { reason, .. } | Said::Overtaken(reason) => {
            return Some(Words::Note((*reason).into()));
        }
        Said::Staked { call, sent, .. } => {
            return Some(Words::Aside(play::staked(call, *sent, token)));
        }
        Said::StakeOwed { owed, .. } => {
            let owed = token.contract_amount(*owed);
            text.line(format!(
                "you are owed {owed}, by which the next stake is paid; `connect4 withdraw` pays it out"
            ));
        }
        Said::Note(note) => return Some(Words::Note(play::note(note, token))),
        Said::PassedOver { .. } => return None,
        Said::Moved(made) => return Some(play::moved(made, token)),
        Said::PlayerLeft(left) => return Some(Words::NextNote(play::left(left, token))),
        Said::Undone { text, .. } => return Some(Words::Note(text.clone())),
        Said::RematchDeclined => text.line("the opponent declined the rematch"),
    }
    Some(Words::Lines(text.end()))
}

/// What is said of the witness of signed games that a server is.
fn of_witness(witness: &Witnessed) -> Vec<String> {
    let mut remarks = vec![format!("It is the witness {} of signed games", witness.key)];
    if let Some(aside) = &witness.aside {
        remarks.push(format!(
            "The log of the witness was damaged, and is now {}: games of the key before have no result",
            aside.display()
        ));
    }
    remarks
}

/// What stands beside the words, on standard error: how others reach what is served, and which games are passed over.
pub fn remarks(said: &Said<'_>) -> Vec<String> {
    match said {
        Said::Serving {
            addr,
            place,
            witness,
            is_kept,
            ..
        } => {
            let mut remarks = vec![format!(
                "On {place}. Anyone with that link can play with your accounts; http://{} alone lets \
                 others watch. Ctrl-C stops it",
                from_here(*addr)
            )];
            remarks.extend(witness.iter().flat_map(|witness| of_witness(witness)));
            if witness.is_some() && !is_kept {
                remarks.push("The log of the witness is gone when this program ends".into());
            }
            if !addr.ip().is_loopback() {
                remarks.push(format!(
                    "Other machines reach it at http://<this machine's address>:{}; the connection \
                     is not encrypted",
                    addr.port()
                ));
            }
            remarks
        }
        Said::PageWritten { .. } => vec![
            "index.html has the hashes of the scripts and styles that it names; SHA256SUMS lists \
             those of all files"
                .into(),
        ],
        Said::Hosting {
            addr,
            place,
            witness,
        } => {
            let mut remarks = vec![format!(
                "On {place}. It has no accounts: players use their own wallets. Ctrl-C stops it"
            )];
            remarks.extend(witness.iter().flat_map(|witness| of_witness(witness)));
            if !addr.ip().is_loopback() {
                remarks.push(
                    "Connections are not encrypted: put a reverse proxy in front of it, see \
                     docs/hosting.md"
                        .into(),
                );
            }
            remarks
        }
        Said::Relaying {
            addr,
            place,
            witness,
        } => {
            let mut remarks = vec![format!("On {place}. Ctrl-C stops it")];
            remarks.extend(witness.iter().flat_map(|witness| of_witness(witness)));
            if !addr.ip().is_loopback() {
                remarks.push(format!(
                    "Other machines reach it at ws://<this machine's address>:{}",
                    addr.port()
                ));
            }
            remarks
        }
        // Standard output may be a file of games.
        Said::PassedOver { file, line, why } => vec![match line {
            Some(line) => format!("passed over: {}, line {line}: {why}", file.display()),
            None => format!("passed over: {}: {why}", file.display()),
        }],
        _ => Vec::new(),
    }
}

fn event(at: &Occurrence, game: Option<AnyGame>, before: Option<&variant::Position>) -> String {
    event::text(at, game.as_ref(), before)
}

/// Adds what was done, by this transaction if it was sent from here.
fn lines_of(text: &mut Text<'_>, done: String, sent: Option<Sent<'_>>) {
    match sent {
        Some(sent) => text.transaction(done, sent),
        None => text.line(done),
    }
}
