//! What players want, done on the chain.

use std::time::Duration;

use connect4_client::{Error, Receipt, Seen, Signer};
use connect4_protocol::{AnyGame, Error as Refusal};
use connect4_rules::variant::{Colour, Move};

use super::Table;
use super::contract::{self, Performed};
use crate::failure::Failure;
use crate::game::Numbering;
use crate::output::Output;
use crate::play::grammar::Input;
use crate::play::may_have_changed;
use crate::play::turn::Backend as _;
use crate::said::{Left, Made, Note, Said, Step};

/// How long to wait before a timeout is claimed again that the chain did not see yet: its clock is
/// behind this machine's.
pub(super) const CLOCKS_DIFFER: Duration = Duration::from_secs(2);

impl Table {
    /// Does what a player here wants.
    pub(super) async fn do_wanted(
        &mut self,
        input: Input,
        out: &mut Output,
    ) -> Result<(), Failure> {
        match input {
            Input::Help => {
                let help = self.grammar().help(&(&self.seen.value).into());
                out.say(Said::Note(Note::Text(&help)))
            }
            Input::Move(action) => self.make_move(action, out).await,
            input => self.perform(input, out).await,
        }
    }

    /// Makes a move of the player to move, who sits here.
    async fn make_move(&mut self, action: Move, out: &mut Output) -> Result<(), Failure> {
        let before = self.seen;
        let mover = before.to_move();
        let Some((colour, signer)) =
            mover.and_then(|colour| Some((colour, self.signer(colour)?.clone())))
        else {
            return Ok(());
        };
        let progress = out.progress();
        progress.say("waiting for the block");
        let contract = self.contract.based_on(self.id, &before);
        let playing = contract::play(&contract, self.id, &before, &signer, action);
        let played = match out.wait_for(playing).await? {
            Ok(Some(receipt)) => Ok(receipt),
            Ok(None) => return Ok(()),
            Err(error) => Err(error),
        };
        let after = match &played {
            Ok(receipt) => receipt.value.after.map(|value| Seen {
                value,
                block: receipt.transaction.block_ref(),
            }),
            Err(_) => None,
        };
        let after = match after {
            Some(after) => Ok(after),
            None => out.wait_for(self.read()).await?,
        };
        progress.clear();
        match (played, after) {
            (Ok(receipt), after) => {
                let after = after?;
                let block = receipt.transaction.block;
                self.moves.made(before.turns(), (colour, action), block);
                self.seen = after;
                self.tell_move(
                    &before,
                    colour,
                    action,
                    receipt.value.row,
                    Some(&receipt),
                    out,
                )
            }
            // The game changed first, or the answer was lost: the game on the chain says which.
            (Err(error), Ok(after))
                if may_have_changed(&error)
                    && (after.value != before.value
                        || error.refusal() == Some(Refusal::OutOfTime)) =>
            {
                self.overtaken(error, after, out)
            }
            (Err(error), _) => Err(error.into()),
        }
    }

    /// The game had changed before what a player wanted was done.
    fn overtaken(
        &mut self,
        error: Error,
        after: Seen<AnyGame>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let is_told = self.tell_undone(&after, out)?;
        self.seen = after;
        if is_told {
            return Ok(());
        }
        let is_classic = matches!(after.value, AnyGame::Two(_));
        let reason = match error.refusal() {
            Some(Refusal::NoSuchGame) if is_classic => {
                "the game has ended, and its storage was freed".into()
            }
            _ => Failure::from(error).to_string(),
        };
        out.say(Said::Overtaken(&reason))
    }

    /// Says that a move was made, by this transaction if it was sent from here.
    pub(super) fn tell_move<T>(
        &self,
        before: &AnyGame,
        colour: Colour,
        action: Move,
        row: u8,
        receipt: Option<&Receipt<T>>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let step = match (before, action) {
            (AnyGame::Two(_), Move::Drop(bin)) => Step::Drop {
                bin,
                row,
                numbering: Numbering::Zero,
            },
            (AnyGame::Variant(before), action) => Step::Move {
                action,
                before: before.position(),
            },
            (AnyGame::Two(_), _) => return Ok(()),
        };
        out.say(Said::Moved(Made {
            colour,
            step,
            after: self.at(&self.seen),
            sent: receipt.map(Into::into),
        }))
    }

    /// Performs an action other than a move.
    async fn perform(&mut self, input: Input, out: &mut Output) -> Result<(), Failure> {
        let Some(signer) = self.actor() else {
            return Ok(());
        };
        let progress = out.progress();
        progress.say("waiting for the block");
        let performed = self.send(input, &signer, out).await;
        progress.clear();
        match performed? {
            Ok(()) => {}
            // Nothing has changed: the player is told, and asked again.
            Err(Error::Refused { error, .. }) => out.say(Said::Refused {
                game: self.id.into(),
                colour: self.seen.to_move().unwrap_or(Colour::Red),
                reason: &error.to_string(),
            })?,
            Err(error @ Error::Lacks { .. }) => {
                let why = Failure::from(error).to_string();
                out.say(Said::Note(Note::Text(&why)))?;
            }
            // The block that it was based on was replaced: the player sees how the game is now.
            Err(error @ Error::Replaced { .. }) => {
                let after = out.wait_for(self.read()).await??;
                return self.overtaken(error, after, out);
            }
            Err(error) => return Err(error.into()),
        }
        self.seen = out.wait_for(self.read()).await??;
        Ok(())
    }

    /// Sends what a player wants, and says what it has come to.
    pub(super) async fn send(
        &mut self,
        input: Input,
        signer: &Signer,
        out: &mut Output,
    ) -> Result<Result<(), Error>, Failure> {
        let before = self.seen;
        let contract = self.contract.based_on(self.id, &before);
        let performing = contract::perform(&contract, self.id, signer, input);
        let receipt = match out.wait_for(performing).await? {
            Ok(Some(receipt)) => receipt,
            Ok(None) => return Ok(Ok(())),
            Err(error) => return Ok(Err(error)),
        };
        match &receipt.value {
            Performed::Resigned => {
                if let Some(colour) = before.colour_of(signer.address()) {
                    out.say(Said::Note(Note::Resigned(colour, (&receipt).into())))?;
                }
            }
            Performed::Left(left) => {
                let after = out.wait_for(self.read()).await??;
                out.say(Said::PlayerLeft(Left {
                    account: left.player,
                    colour: before.colour_of(left.player),
                    late: left.late,
                    after: self.at(&after),
                    sent: Some((&receipt).into()),
                }))?;
            }
        }
        Ok(Ok(()))
    }
}
