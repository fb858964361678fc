//! What others have done, or what was undone, since the game was seen last.

use connect4_client::{Error, Seen};
use connect4_protocol::{AnyGame, Error as Refusal};
use connect4_rules::variant::{Colour, Move};

use super::Table;
use super::act::CLOCKS_DIFFER;
use crate::failure::Failure;
use crate::output::Output;
use crate::play::changes::{lost_moves, one_move};
use crate::play::grammar::Input;
use crate::play::turn::Backend as _;
use crate::play::undone;
use crate::said::{Left, Note, Said};
use crate::words::{coloured, variant};

impl Table {
    /// Says what players elsewhere have done since the game was seen last, or that moves were undone,
    /// and takes over the game.
    pub(super) fn tell_change(
        &mut self,
        after: Seen<AnyGame>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let is_told = self.tell_undone(&after, out)?;
        let before = std::mem::replace(&mut self.seen, after);
        let Some(mover) = before.to_move().filter(|_| !is_told) else {
            return Ok(());
        };
        if let Some((action, row)) = one_move(&before, &after) {
            let block = after.block.number;
            self.moves.made(before.turns(), (mover, action), block);
            return self.tell_move::<()>(&before, mover, action, row, None, out);
        }
        let has_left = |colour: &Colour| after.has_left(*colour) && !before.has_left(*colour);
        match after.colours().find(has_left) {
            Some(colour) => {
                let since = match &after.value {
                    AnyGame::Variant(game) => game.since(),
                    AnyGame::Two(_) => 0,
                };
                let deadline = before.deadline().filter(|_| mover == colour);
                out.say(Said::PlayerLeft(Left {
                    account: after.account_of(colour),
                    colour: Some(colour),
                    late: deadline.is_some_and(|deadline| deadline < since),
                    after: self.at(&after),
                    sent: None,
                }))
            }
            None => {
                out.clear_note();
                Ok(())
            }
        }
    }

    /// Says which moves the game had when it was seen last and has not after, and returns whether there
    /// are any.
    pub(super) fn tell_undone(
        &mut self,
        after: &AnyGame,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        let before = &self.seen.value;
        let count = lost_moves(before, after);
        if count == 0 {
            return Ok(false);
        }
        let first = u16::from(before.turns()).saturating_sub(count);
        let known = self.moves.undo(first);
        let known: Vec<_> = known
            .iter()
            .map(|made| {
                let (colour, action) = made.what;
                let mover = coloured(colour, colour, false);
                let what = match (before, action) {
                    (AnyGame::Two(_), Move::Drop(bin)) => format!("bin {bin} of {mover}"),
                    (_, action) => variant::done(&mover, action, None),
                };
                (what, made.block)
            })
            .collect();
        let thing = match before {
            AnyGame::Two(_) => "disc",
            AnyGame::Variant(_) => "move",
        };
        out.say(Said::Undone {
            text: undone::text(thing, count, &known),
            count,
            after: self.at(after),
        })?;
        Ok(true)
    }

    /// The deadline of the player to move in a variant is over. A player who sits elsewhere is removed: the
    /// others' programs may not be running.
    pub(super) async fn claim(&mut self, colour: Colour, out: &mut Output) -> Result<(), Failure> {
        if self.is_here(colour) {
            // Others may remove the player. A move is still tried, and refused, if it is made. The node may
            // be away, and the player is told all the same.
            return out.say(Said::Note(Note::Text("your time has run out")));
        }
        if let Some(signer) = self.actor() {
            match self.send(Input::Claim, &signer, out).await? {
                Ok(()) => {}
                // The block that it was based on was replaced: the player may have moved on the other branch.
                Err(Error::Replaced { .. }) => {
                    let after = out.wait_for(self.read()).await??;
                    return self.tell_change(after, out);
                }
                Err(error) => match error.refusal() {
                    Some(Refusal::TimeLeft) => tokio::time::sleep(CLOCKS_DIFFER).await,
                    Some(Refusal::GameOver | Refusal::NoSuchGame) => {}
                    _ => return Err(error.into()),
                },
            }
        }
        self.seen = out.wait_for(self.read()).await??;
        Ok(())
    }
}
