//! The program: Connect Four, on chain.
//!
//! Open [`args`] first, the commands and options, then [`commands`], which run them, a file each.
//!
//! | module | job |
//! |---|---|
//! | [`args`] | commands, options and their help |
//! | [`commands`] | one file for each command |
//! | [`play`] | the game at a terminal: classic, variants, signed |
//! | [`session`], [`local`], [`place`], [`takeover`], [`lookup`] | the chain and the contracts that a command uses |
//! | [`bot`] | a program that plays at a relay by itself |
//! | [`puzzles`] | puzzles that were solved on this machine |
//! | [`written`] | games as text, from this machine and from the chain |
//! | [`records`], [`sponsor`] | signed games that have ended, before they are recorded, and recording those of others |
//! | [`accounts`] | accounts and secrets |
//! | [`said`], [`game`] | what commands and games say, as values |
//! | [`output`], [`live`] | where it goes: lines, or a board that is drawn in place |
//! | [`people`], [`words`] | it in words |
//! | [`json`] | it as JSON |
//! | [`qr`] | links as QR codes |
//! | [`input`], [`farewell`], [`stopped`] | lines that are typed, waiting, the end of the program |
//! | [`failure`], [`skipped`], [`open_files`] | errors, events of later contracts, limits of the system |
//!
//! The contract decides whether a move is legal.

#![forbid(unsafe_code)]

mod accounts;
mod args;
mod bot;
mod calls;
mod commands;
mod failure;
mod farewell;
mod game;
mod input;
mod json;
mod live;
mod local;
mod lookup;
mod open_files;
mod output;
mod people;
mod picture;
mod place;
mod play;
mod puzzles;
mod qr;
mod records;
mod said;
#[cfg(test)]
mod samples;
mod session;
mod skipped;
mod sponsor;
mod stopped;
mod takeover;
mod words;
mod written;

use std::process::ExitCode;

use args::{Cli, Command};
use failure::Failure;
use farewell::Farewell;
use output::Output;

fn main() -> ExitCode {
    let mut cli = Cli::of_program();
    if cli.command.is_none() {
        let arguments = std::env::args_os().chain([std::ffi::OsString::from("play")]);
        cli = Cli::of(arguments);
    }
    let mut out = match cli.global.json {
        true => Output::json(),
        false => Output::words(cli.global.plain),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            out.failed(&Failure::Other(format!("cannot start: {error}")));
            return ExitCode::FAILURE;
        }
    };
    let status = match runtime.block_on(run(cli, &mut out)) {
        Ok(status) => status,
        Err(failure) => {
            if !matches!(failure, Failure::Unread) {
                out.failed(&failure);
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
async fn run(cli: Cli, out: &mut Output) -> Result<u8, Failure> {
    let Cli { global, command } = cli;
    let Some(command) = command else {
        return Ok(0);
    };
    let farewell = Farewell::default();
    // A program that serves others ends well when it is stopped.
    let serves = matches!(
        command,
        Command::Guard(_) | Command::Node(_) | Command::Relay(_) | Command::Serve(_)
    ) || matches!(&command, Command::Record(args) if args.follow);
    // A host takes leave of those who use it, and a bot of its opponents.
    let ends_itself = matches!(command, Command::Host(_) | Command::Bot(_));
    tokio::select! {
        result = commands::execute(&global, &command, out, &farewell) => result.map(|()| 0),
        // It listens only if it is waited for: what was heard here is heard by nobody else.
        status = async { stopped::stopped().await }, if !ends_itself => {
            live::close();
            if let Some(text) = farewell.get() {
                words::remark(format!("\n{text}"));
            }
            Ok(if serves { 0 } else { status })
        }
    }
}
