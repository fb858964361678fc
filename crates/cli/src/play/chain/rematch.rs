//! Another game after a classic one whose players both sit here.

use connect4_protocol::AnyGame;
use connect4_rules::Player;

use super::Table;
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::play::is_yes;
use crate::play::turn::Typed;
use crate::said::Said;
use crate::words::ANOTHER_GAME;

impl Table {
    /// Whether both players of a classic game sign here.
    pub(super) fn can_play_again(&self) -> bool {
        let is_classic = matches!(self.seen.value, AnyGame::Two(_));
        is_classic
            && self
                .seen
                .colours()
                .all(|colour| self.signer(colour).is_some())
    }

    /// Asks whether there is to be another game, and starts it: on the same board, between the same
    /// accounts. The loser begins, after a draw player two.
    pub(super) async fn play_again(
        mut self,
        out: &mut Output,
        typed: &mut Typed,
    ) -> Result<Option<Self>, Failure> {
        typed.forget();
        out.question(ANOTHER_GAME)?;
        let answer = typed.next().await?.unwrap_or_default();
        out.answered(&answer)?;
        if !is_yes(&answer) {
            return Ok(None);
        }
        // Its last block may have been replaced while the players were asked: then it goes on.
        let now = out.wait_for(self.read()).await??;
        if !now.is_over() {
            self.tell_change(now, out)?;
            let text = "the end of the game is undone: its block was replaced";
            out.say(Said::Notice(text))?;
            return Ok(Some(self));
        }
        let (AnyGame::Two(game), Some(payer)) = (now.value, self.signers.first()) else {
            return Ok(None);
        };
        let first = game.winner().map_or(Player::Two, Player::opponent);
        let progress = out.progress();
        progress.say("starting a game");
        let starting = self.contract.start_game(
            payer,
            game.account_of(first),
            game.account_of(first.opponent()),
            game.shape().into(),
        );
        let started = out.wait_for(starting).await??;
        let id = started.value;
        let seen = out.wait_for(lookup::game(&self.contract, id)).await??;
        progress.clear();
        out.say(Said::Opened {
            id: id.into(),
            deployment: None,
            sent: (&started).into(),
        })?;
        let next = Self::new(self.contract, id, seen, self.signers);
        Ok(Some(
            next.with_computers(self.computers)
                .with_secrets(self.secrets),
        ))
    }
}
