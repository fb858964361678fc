//! The program: Connect Four, on chain.
//!
//! Open [`args`] first, the commands and options, then [`commands`], which run them, a file each.
//!
//! | module | job |
//! |---|---|
//! | [`args`] | commands, options and their help |
//! | [`commands`] | one file for each command |
//! | [`play`] | the game at a terminal: classic, variants, fast |
//! | [`session`], [`local`], [`place`], [`takeover`], [`lookup`] | the chain and the contracts that a command uses |
//! | [`accounts`], [`owed`] | accounts and secrets, what accounts are owed |
//! | [`report`] | what happened, as values |
//! | [`people`], [`words`] | reports as text |
//! | [`machines`] | reports as JSON |
//! | [`input`], [`attend`], [`farewell`], [`stopped`] | lines that are typed, waiting, the end of the program |
//! | [`failure`], [`skipped`], [`open_files`] | errors, events of later contracts, limits of the system |
//!
//! The contract decides whether a move is legal.

#![forbid(unsafe_code)]

mod accounts;
mod args;
mod attend;
mod commands;
mod failure;
mod farewell;
mod input;
mod local;
mod lookup;
mod machines;
mod open_files;
mod owed;
mod people;
mod place;
mod play;
mod report;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod schema;
mod session;
mod skipped;
mod stopped;
mod takeover;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::Failure;
use farewell::Farewell;
use machines::Machines;
use people::People;
use play::Screen;

fn main() -> ExitCode {
    let mut cli = Cli::parse();
    if cli.command.is_none() {
        let arguments = std::env::args_os().chain([std::ffi::OsString::from("play")]);
        cli = Cli::parse_from(arguments);
    }
    let mut screen: Box<dyn Screen> = if cli.global.json {
        Box::new(Machines::new())
    } else {
        Box::new(People::new())
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            screen.failed(&Failure::Other(format!("cannot start: {error}")));
            return ExitCode::FAILURE;
        }
    };
    let status = match runtime.block_on(run(cli, &mut *screen)) {
        Ok(status) => status,
        Err(failure) => {
            if !matches!(failure, Failure::Unread) {
                screen.failed(&failure);
            }
            failure.status()
        }
    };
    // A thread may still be waiting for a line of standard input.
    runtime.shutdown_background();
    ExitCode::from(status)
}

/// Runs a command until it ends or the program is told to stop; returns the exit status unless the
/// command has failed.
async fn run(cli: Cli, screen: &mut dyn Screen) -> Result<u8, Failure> {
    let Cli { global, command } = cli;
    let Some(command) = command else {
        return Ok(0);
    };
    let farewell = Farewell::default();
    // A program that serves others ends well when it is stopped.
    let serves = matches!(
        command,
        Command::Guard(_) | Command::Node(_) | Command::Relay(_) | Command::Serve(_)
    );
    // A host takes leave of those who use it.
    let ends_itself = matches!(command, Command::Host(_));
    tokio::select! {
        result = commands::execute(&global, &command, screen, &farewell) => result.map(|()| 0),
        status = stopped::stopped(), if !ends_itself => {
            if let Some(text) = farewell.get() {
                words::remark(format!("\n{text}"));
            }
            Ok(if serves { 0 } else { status })
        }
    }
}
