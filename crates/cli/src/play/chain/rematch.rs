//! What comes after a classic game: players are paid, and asked for a rematch.

use std::future::pending;

use connect4_client::{Action, Contracts, Error, GameId, Owing, Seen};
use connect4_protocol as protocol;
use connect4_protocol::AnyGame;
use connect4_protocol::message::Withdraw;
use connect4_rules::Player;

use super::Table;
use super::contract;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::lookup;
use crate::output::Output;
use crate::owed;
use crate::play::turn::{Backend as _, Typed};
use crate::play::{Next, ask_for_rematch, is_yes};
use crate::said::{Note, Said};
use crate::session::Session;

/// Answer to whether there is to be a rematch.
enum Answer {
    Yes,
    No,
    /// The rematch was started elsewhere meanwhile.
    Started(GameId),
    /// The end of the game was undone.
    Continues(Box<Seen<AnyGame>>),
}

impl Table {
    /// The contract and the game, if it is a classic one.
    fn of_two(&self) -> Option<(Contracts, protocol::Game)> {
        match &self.seen.value {
            AnyGame::Two(game) => Some((self.contract.clone(), *game)),
            AnyGame::Variant(_) => None,
        }
    }

    /// Pays the players at this terminal what the contract owes them, by this game or by others. Tells
    /// those of it who sit here but do not sign here.
    pub(super) async fn collect(&self, session: &Session, out: &mut Output) -> Result<(), Failure> {
        let Some((contract, game)) = self.of_two() else {
            return Ok(());
        };
        for player in Player::ALL {
            let account = game.account_of(player);
            if !self.here.contains(&account) {
                continue;
            }
            let of_player = async {
                let mut owing = Owing::new(&contract, [account]);
                owing.count(self.id, &game).await?;
                Ok::<_, Error>(owing.read().await?.pop())
            };
            let Some(owed) = out.wait_for(of_player).await?? else {
                continue;
            };
            let Some(signer) = self.signer(player.into()) else {
                out.say(Said::Owed(&owed::to(&owed, session, &contract)))?;
                continue;
            };
            let games = owed.games();
            let receipt = out
                .wait_for(contract.send(signer, Withdraw { games }))
                .await??;
            out.say(Said::Paid {
                signer,
                player: Some(player),
                amount: receipt.value,
                sent: (&receipt).into(),
            })?;
        }
        Ok(())
    }

    /// Asks whether there is to be a rematch, and waits until both players agree.
    pub(super) async fn play_again(
        mut self,
        session: &Session,
        out: &mut Output,
        typed: &mut Typed,
        farewell: &Farewell,
    ) -> Result<Next<Self>, Failure> {
        let Some((contract, _)) = self.of_two() else {
            return Ok(Next::Nothing);
        };
        out.wait_for(self.read_match()).await??;
        if let Some(next) = self.of_match.next {
            return self.next_game(&contract, GameId::Classic(next), out).await;
        }
        if self.is_freed {
            return Ok(Next::Nothing);
        }
        match self.ask(out, typed).await? {
            Answer::No => return Ok(Next::Nothing),
            Answer::Started(next) => return self.next_game(&contract, next, out).await,
            Answer::Continues(after) => {
                if !self.tell_undone(&after, out)? {
                    let text = "The end of the game is undone: its block was replaced.";
                    out.say(Said::Note(Note::Text(text)))?;
                }
                self.seen = *after;
                return Ok(Next::Same(self));
            }
            Answer::Yes => {}
        }
        for player in Player::ALL {
            let Some(signer) = self.signer(player.into()) else {
                continue;
            };
            let offered = contract.perform(signer, self.id, Action::OfferRematch);
            let receipt = out.wait_for(offered).await??;
            out.say(Said::WantsRematch(signer, (&receipt).into()))?;
            if let Some(next) = receipt.value.rematch() {
                return self.next_game(&contract, next, out).await;
            }
        }
        let id = self.id;
        farewell.set(format!(
            "the rematch of game {id} stays on offer; withdraw the offer by\n  connect4 rematch \
             --decline --game {id}{}",
            lookup::reach(session, &contract)
        ));
        match self.agreement(out).await? {
            Some(next) => self.next_game(&contract, next, out).await,
            None => {
                out.say(Said::RematchDeclined)?;
                self.collect(session, out).await?;
                farewell.clear();
                Ok(Next::Nothing)
            }
        }
    }

    /// The table of the next game, in which the same accounts may have changed colours.
    async fn next_game(
        self,
        contract: &Contracts,
        id: GameId,
        out: &mut Output,
    ) -> Result<Next<Self>, Failure> {
        let seen = out.wait_for(lookup::game(contract, id)).await??;
        let here = self.here;
        let next = Self::new(self.contract, id, seen, self.signers);
        Ok(Next::Game(
            next.with_people(here)
                .with_computers(self.computers)
                .with_secrets(self.secrets),
        ))
    }

    async fn ask(&mut self, out: &mut Output, typed: &mut Typed) -> Result<Answer, Failure> {
        loop {
            typed.forget();
            ask_for_rematch(&self.of_match, out)?;
            let changes = self.has_others();
            let first = async {
                let change = async {
                    match changes {
                        true => self.next().await,
                        false => pending().await,
                    }
                };
                tokio::select! {
                    biased;
                    line = typed.next() => line.map(Err),
                    change = change => change.map(Ok),
                }
            };
            match out.wait_for(first).await?? {
                Err(line) => {
                    let answer = line.unwrap_or_default();
                    out.answered(&answer)?;
                    return Ok(match is_yes(&answer) {
                        true => Answer::Yes,
                        false => Answer::No,
                    });
                }
                Ok((after, of_match)) => {
                    self.of_match = of_match;
                    out.interrupted()?;
                    out.wait_for(self.read_match()).await??;
                    if !after.is_over() {
                        return Ok(Answer::Continues(after.into()));
                    }
                    self.seen = after;
                    if let Some(next) = self.of_match.next {
                        return Ok(Answer::Started(GameId::Classic(next)));
                    }
                    if self.is_freed {
                        out.say(Said::RematchDeclined)?;
                        return Ok(Answer::No);
                    }
                }
            }
        }
    }

    /// Waits until the opponent has answered the offer, and returns the rematch; none if
    /// the opponent declined.
    async fn agreement(&mut self, out: &mut Output) -> Result<Option<GameId>, Failure> {
        let progress = out.progress();
        progress.say("waiting for the opponent; Ctrl-C leaves");
        out.wait_for(self.read_match()).await??;
        loop {
            if self.of_match.next.is_some() || self.of_match.rematch.is_none() {
                return Ok(self.of_match.next.map(GameId::Classic));
            }
            let change = contract::change(&self.contract, self.id, &self.seen, self.of_match);
            let (_, of_match) = out.wait_for(change).await??;
            self.of_match = of_match;
        }
    }
}
