//! Lines of text.

use std::fmt::Display;

use connect4_client::{Deployment, Token, Transaction};
use connect4_protocol::AnyGame;
use connect4_rules::Player;

use crate::said::Sent;
use crate::words::{self, variant};

/// Lines that are put together.
pub struct Text<'a> {
    lines: Vec<String>,
    pub token: &'a Token,
}

impl<'a> Text<'a> {
    pub const fn new(token: &'a Token) -> Self {
        Self {
            lines: Vec::new(),
            token,
        }
    }

    /// The lines, without a line break behind the last one.
    pub fn end(&self) -> String {
        self.lines.join("\n")
    }

    /// Adds a line, or some.
    pub fn line(&mut self, text: impl Display) {
        self.lines.push(text.to_string());
    }

    /// Where a transaction is and what it cost.
    pub fn cost(&self, sent: Sent<'_>) -> String {
        words::cost(sent.transaction, sent.deposit, self.token)
    }

    /// Adds that an account was made known to contracts, if it was.
    pub fn mapped(&mut self, transaction: Option<&Transaction>) {
        if let Some(transaction) = transaction {
            let cost = words::transaction(transaction, self.token);
            self.line(format!("made the account known to contracts\n  {cost}"));
        }
    }

    /// Adds what a transaction did.
    pub fn transaction(&mut self, text: impl Display, sent: Sent<'_>) {
        self.mapped(sent.mapped);
        self.line(text);
        self.line(words::dim(format!("  {}", self.cost(sent))));
    }

    /// Adds how a contract was deployed, if it was.
    pub fn deployment(&mut self, what: &str, deployment: Option<&Deployment>) {
        let Some(deployment) = deployment else {
            return;
        };
        let deployed = [
            (what, &deployment.receipt),
            (
                "the contract of the records of signed games",
                &deployment.signed_records_receipt,
            ),
            (
                "the contract of the stakes of signed games",
                &deployment.stakes_receipt,
            ),
        ];
        for (what, receipt) in deployed {
            if let Some(receipt) = receipt {
                let text = format!("deployed {what} at {}", receipt.value);
                self.transaction(text, receipt.into());
            }
        }
    }

    /// Adds who plays a game, or sits at a table.
    pub fn players(&mut self, game: &AnyGame) {
        match game {
            AnyGame::Two(game) => {
                for player in Player::ALL {
                    let badge = variant::badge(player.into());
                    let account = words::who(game.account_of(player));
                    self.line(format!("{badge}: {account}"));
                }
            }
            AnyGame::Variant(game) => {
                let seats = game.variant().colours().zip(variant::seats(game));
                for (colour, (account, joined)) in seats {
                    let account = match account {
                        None => "free".into(),
                        Some(account) if joined => words::who(account),
                        Some(account) => format!("{} has not joined yet", words::who(account)),
                    };
                    self.line(format!("{}: {account}", variant::badge(colour)));
                }
            }
        }
    }
}
