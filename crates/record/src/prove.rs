//! What signatures prove.

use alloc::string::ToString as _;

use connect4_protocol::signed::{AccountCrypto, GameNumber};
use connect4_protocol::{Address, End, GameName};
use connect4_rules::ByPlayer;

use crate::board::{Board, in_words};
use crate::error::Fault;
use crate::record::Record;

/// What a record proves by itself, without a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All of it: it is the end of a signed game. Both players have signed the moves by keys that are theirs, and the
    /// witness of the terms, if they name one, has signed that the game ended so.
    Ended {
        /// Number of the game.
        number: GameNumber,
        /// Keys that have signed.
        keys: ByPlayer<Address>,
        /// Key of the witness; none if the terms name none.
        witness: Option<Address>,
    },
    /// Nothing: a chain has the game, or nobody; or it is of an [earlier](Record::earlier) version.
    Nothing,
}

impl Proof {
    /// Whether it covers what the tag with this name [says](Record::facts). Whatever else a record says, anybody can
    /// have written.
    #[must_use]
    pub fn covers(&self, tag: &str) -> bool {
        let Self::Ended { .. } = self else {
            return false;
        };
        // The digest that all sign has the first block of the chain, and no contract.
        let is_signed = matches!(
            tag,
            "Game"
                | "Chain"
                | "Genesis"
                | "Player1"
                | "Player2"
                | "Terms"
                | "Clock"
                | "Time"
                | "Pool"
                | "Programs"
                | "Nonce"
                | "Witness"
                | "Event"
                | "Previous"
                | "End"
        );
        is_signed || self.is_of_witness(tag)
    }

    /// Whether it takes the word of the witness for what the tag with this name says.
    #[must_use]
    pub fn is_of_witness(&self, tag: &str) -> bool {
        let Self::Ended { witness, .. } = self else {
            return false;
        };
        witness.is_some() && matches!(tag, "End" | "EndedAt")
    }
}

impl Record {
    /// Checks the game by the rules and by what is signed, and returns what that proves.
    ///
    /// # Errors
    ///
    /// Those of [`Record::check`]; then of a signed game [`Fault::OtherNumber`] if the terms are those of another game,
    /// [`Fault::NotShown`] if what is signed does not show this end, and [`Fault::OtherResult`] if it makes another result.
    pub fn prove(&self, crypto: &impl AccountCrypto) -> Result<Proof, Fault> {
        let board = self.check()?;
        match &self.signed_game {
            Some(game) => self.prove_signed(&board, game.keys, crypto),
            None => Ok(Proof::Nothing),
        }
    }

    fn prove_signed(
        &self,
        board: &Board,
        keys: ByPlayer<Address>,
        crypto: &impl AccountCrypto,
    ) -> Result<Proof, Fault> {
        let says = self.game.ok_or(Fault::Missing("Game"))?;
        let gives = self.number_of_terms(crypto).ok_or(Fault::NotWritable)?;
        check_number(says, gives)?;
        let Some((chain, finished)) = self.finished() else {
            return Ok(Proof::Nothing);
        };
        let outcome = finished.judge(chain, crypto)?;
        let winner = outcome.winner.map(|player| player as u8);
        self.check_made(board, Some(outcome.end), winner)?;
        Ok(Proof::Ended {
            number: outcome.number,
            keys,
            witness: finished.terms.witness,
        })
    }

    fn check_made(&self, board: &Board, end: Option<End>, winner: Option<u8>) -> Result<(), Fault> {
        if (end, winner) == (self.end, self.winner) {
            return Ok(());
        }
        let words = |end, winner| in_words(board.result(end, winner), end);
        Err(Fault::OtherResult {
            says: words(self.end, self.winner),
            by: "signatures",
            gives: words(end, winner),
        })
    }
}

fn check_number(says: GameName, gives: GameName) -> Result<(), Fault> {
    match says == gives {
        true => Ok(()),
        false => Err(Fault::OtherNumber {
            says: says.to_string(),
            gives: gives.to_string(),
        }),
    }
}
