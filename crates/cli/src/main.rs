//! The program: Connect Four, on chain.
//!
//! [`commands`] are the commands, a file each. [`play`] is the game at a terminal. Both reach the
//! chain through a [`session`] and say what happened to a [`report`], which prints it for [`people`]
//! or for [`machines`]. Whether a move is legal, the contract decides.

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
