//! The program: Connect Four, on chain.
//!
//! [`play`] is the game at a terminal, [`serve`] the one in a browser, [`node`] the local chain for
//! other programs, [`games`] the parts of a game for scripts. All reach the chain through a
//! [`session`], and ask `connect4-client` for what is on it; what a legal move is, the contract says.

#![forbid(unsafe_code)]

mod accounts;
mod args;
mod failure;
mod games;
mod input;
mod matches;
mod node;
mod output;
mod play;
mod serve;
mod session;

use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use clap::Parser;

use args::{Cli, Command};
use failure::Failure;

/// What to say if the user leaves now: how to go on.
#[derive(Clone, Default)]
pub struct Farewell(Arc<Mutex<Option<String>>>);

impl Farewell {
    /// From now on this is to be said.
    pub fn set(&self, text: String) {
        if let Ok(mut farewell) = self.0.lock() {
            *farewell = Some(text);
        }
    }

    /// From now on nothing is to be said.
    pub fn clear(&self) {
        if let Ok(mut farewell) = self.0.lock() {
            *farewell = None;
        }
    }

    /// What is to be said.
    pub fn get(&self) -> Option<String> {
        self.0.lock().ok().and_then(|text| text.clone())
    }
}

fn main() -> ExitCode {
    let mut cli = Cli::parse();
    if cli.command.is_none() {
        let arguments = std::env::args_os().chain([std::ffi::OsString::from("play")]);
        cli = Cli::parse_from(arguments);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            output::remark(format!("error: cannot start: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let json = cli.global.json;
    let status = match runtime.block_on(run(cli)) {
        Ok(status) => status,
        Err(Failure::Unread) => Failure::Unread.status(),
        Err(failure) => {
            let status = failure.status();
            if json {
                let error = failure.to_string();
                output::remark(serde_json::json!({ "error": error, "status": status }));
            } else {
                output::remark(format!("error: {failure}"));
            }
            status
        }
    };
    // A thread may still be waiting for a line of standard input.
    runtime.shutdown_background();
    ExitCode::from(status)
}

/// Runs a command; the exit status if there was no failure.
async fn run(cli: Cli) -> Result<u8, Failure> {
    let Cli { global, command } = cli;
    let farewell = Farewell::default();
    // For what serves others, being stopped is how it ends well.
    let serves = matches!(command, Some(Command::Node(_) | Command::Serve(_)));
    let work = async {
        match command {
            None => Ok(()),
            Some(Command::Play(args)) => play::play(&global, &args, &farewell).await,
            Some(Command::Serve(args)) => serve::serve(&global, &args).await,
            Some(Command::Node(args)) => node::node(&global, &args).await,
            Some(Command::Deploy(args)) => games::deploy(&global, &args).await,
            Some(Command::Start(args)) => games::start(&global, &args).await,
            Some(Command::Drop(args)) => games::drop(&global, &args).await,
            Some(Command::Show(args)) => games::show(&global, &args).await,
            Some(Command::List(args)) => games::list(&global, &args).await,
            Some(Command::Watch(args)) => games::watch(&global, &args).await,
            Some(Command::Replay(args)) => games::replay(&global, &args).await,
            Some(Command::Review(args)) => games::review(&global, &args).await,
            Some(Command::Challenge(args)) => matches::challenge(&global, &args, &farewell).await,
            Some(Command::Challenges(args)) => matches::challenges(&global, &args).await,
            Some(Command::Accept(args)) => matches::accept(&global, &args, &farewell).await,
            Some(Command::Decline(args)) => matches::decline(&global, &args).await,
            Some(Command::Cancel(args)) => matches::cancel(&global, &args).await,
            Some(Command::Resign(args)) => matches::resign(&global, &args).await,
            Some(Command::Claim(args)) => matches::claim(&global, &args).await,
            Some(Command::Draw(args)) => matches::draw(&global, &args).await,
            Some(Command::Rematch(args)) => matches::rematch(&global, &args).await,
            Some(Command::Withdraw(args)) => matches::withdraw(&global, &args).await,
            Some(Command::Free(args)) => matches::free(&global, &args).await,
            Some(Command::Standings(args)) => matches::table(&global, &args).await,
            Some(Command::Accounts) => games::accounts(&global).await,
        }
    };
    tokio::select! {
        result = work => result.map(|()| 0),
        status = stopped() => {
            if let Some(text) = farewell.get() {
                output::remark(format!("\n{text}"));
            }
            Ok(if serves { 0 } else { status })
        }
    }
}

/// Waits until the program is told to stop, and returns the exit status that shells give for it.
async fn stopped() -> u8 {
    const INTERRUPTED: u8 = 130;
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        const TERMINATED: u8 = 143;
        if let (Ok(mut interrupt), Ok(mut terminate)) = (
            signal(SignalKind::interrupt()),
            signal(SignalKind::terminate()),
        ) {
            return tokio::select! {
                _ = interrupt.recv() => INTERRUPTED,
                _ = terminate.recv() => TERMINATED,
            };
        }
    }
    match tokio::signal::ctrl_c().await {
        Ok(()) => INTERRUPTED,
        // Nobody can be told: go on.
        Err(_) => std::future::pending().await,
    }
}
