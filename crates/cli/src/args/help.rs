//! The help: one page for a start, one for each group of commands, one for each command.

use std::fmt::Write as _;

use clap::{Args as _, Command};
use connect4_wire::{JSON_HELP, JSON_SCHEMA};

use super::common::Global;

pub const ABOUT: &str = "Connect Four, on chain";

/// A group of commands, in the order in which they are shown.
pub struct Group {
    pub name: &'static str,
    about: &'static str,
    pub commands: &'static [&'static str],
}

pub const GROUPS: [Group; 6] = [
    Group {
        name: "playing",
        about: "Play at once: at this terminal, in a browser, or against a stranger",
        commands: &["play", "serve", "seek", "guest", "puzzle"],
    },
    Group {
        name: "opponents",
        about: "Play variants with others, end games early, and be paid what you have won",
        commands: &[
            "table", "tables", "join", "leave", "resign", "claim", "withdraw",
        ],
    },
    Group {
        name: "looking",
        about: "Look at games, positions and results",
        commands: &[
            "list",
            "show",
            "watch",
            "replay",
            "review",
            "evaluate",
            "standings",
        ],
    },
    Group {
        name: "recording",
        about: "Keep games as text, check them, and put them on the chain, also for others",
        commands: &["export", "verify", "record"],
    },
    Group {
        name: "hosting",
        about: "Run something for others, until you stop it",
        commands: &["host", "page", "relay", "bot", "guard", "node"],
    },
    Group {
        name: "scripting",
        about: "Single steps of a game, for scripts and for two terminals",
        commands: &[
            "start",
            "move",
            "free",
            "deploy",
            "accounts",
            "completions",
            "man",
        ],
    },
];

/// Columns of a page.
const WIDTH: usize = 80;
/// Columns of the names at the left.
const NAMES: usize = 12;

const START: &str = "\
Connect Four, on chain.

  connect4          Play at this terminal, on a local chain in this program
  connect4 serve    Play in a browser
  connect4 seek     Find an opponent, and play without a chain

Usage: connect4 [OPTIONS] [COMMAND]

";

const TOPICS: &str = "
  connect4 help COMMAND    a command, or a group of them
  connect4 help options    options of every command, accounts, exit status
  connect4 help json       what --json prints
  connect4 help schema     the same as a JSON Schema
";

const ACCOUNTS: &str = "\
Accounts:
  The development accounts have names: alice, bob, charlie, dave, eve, ferdie. Their secrets are
  public, so use them on local chains only. The secret of another account is read from a file
  (--secret-file, or --red-secret-file and so on) or from the environment (CONNECT4_SECRET, or
  CONNECT4_RED_SECRET and so on), never from an argument.

Counting:
  Bins and rows that people type or read count from 1. The question of `play` on a chain counts
  from 0, as it says, and so do --json, the contracts and files. Turns, games and blocks count from 0.

Exit status:
    0  done
    1  failed: the chain is unreachable, an account cannot pay, ...
    2  invalid command line, or a board out of bounds
    3  refused by the contract
    4  the input ended in the middle of a game, which can be resumed
  130  interrupted by Ctrl-C; 143: terminated by a signal
  141  the reader of the output has closed it
";

/// This command line as its help shows it: the options of every command have a page of their own.
pub fn shown(all: Command) -> Command {
    let command = all.mut_args(|arg| {
        let is_hidden = arg.is_hide_set() || arg.is_global_set();
        arg.hide(is_hidden)
    });
    let command = command.mut_subcommands(|command| {
        command
            .after_help("Options of every command, accounts and exit status: connect4 help options")
    });
    command.override_help(start())
}

/// The page on a topic; none if there is only a command with this name in the command line, or nothing.
pub fn page(all: &Command, topic: &str) -> Option<String> {
    match topic {
        "options" => Some(options()),
        "json" => Some(JSON_HELP.trim_end().to_owned() + "\n"),
        "schema" => Some(JSON_SCHEMA.to_owned()),
        topic => {
            let group = GROUPS.iter().find(|group| group.name == topic)?;
            Some(group_page(all, group))
        }
    }
}

/// The first page.
fn start() -> String {
    let mut page = START.to_owned();
    for group in &GROUPS {
        lay_out(&mut page, group.name, &group.commands.join(", "));
    }
    page + TOPICS
}

fn group_page(all: &Command, group: &Group) -> String {
    let mut page = format!("{}.\n\n", group.about);
    for name in group.commands {
        let about = all.find_subcommand(name).and_then(Command::get_about);
        let about = about.map(ToString::to_string).unwrap_or_default();
        lay_out(&mut page, name, &about);
    }
    page + "\nHelp on one of them: connect4 help COMMAND\n"
}

fn options() -> String {
    let mut all = Global::augment_args(Command::new("connect4"))
        .disable_help_flag(true)
        .help_template("{options}");
    format!("{}\n{ACCOUNTS}", all.render_long_help())
}

/// Writes a name and what it is, in lines of [`WIDTH`] columns.
fn lay_out(page: &mut String, name: &str, about: &str) {
    let mut left = name;
    let mut line = String::new();
    for word in about.split_whitespace() {
        if !line.is_empty() && 2 + NAMES + line.len() + 1 + word.len() > WIDTH {
            // Nothing fails that writes to a text.
            _ = writeln!(page, "  {left:NAMES$}{line}");
            left = "";
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    _ = writeln!(page, "  {left:NAMES$}{line}");
}
