//! Signed games as records.

use alloc::vec;

use connect4_protocol::signed::{
    AccountCrypto, Chain, Domain, Ending, Finished, Moves, Party, Terms,
};
use connect4_protocol::{End, GameName};
use connect4_rules::variant::{Move, Variant};
use connect4_rules::{Bin, ByPlayer, Player};

use crate::error::Fault;
use crate::record::{EndEvidence, Record, SignedGame, Step};
use crate::time::{Moment, Time};

impl Record {
    /// The record of a signed game on this chain that has ended.
    ///
    /// # Errors
    ///
    /// [`Fault::NotShown`] if [`Finished::judge`] refuses it, and [`Fault::NotWritable`] if it ended, or its terms were
    /// made, after the year 9999.
    pub fn of_finished(
        finished: &Finished,
        chain: Chain,
        crypto: &impl AccountCrypto,
    ) -> Result<Self, Fault> {
        let outcome = finished.judge(chain, crypto)?;
        let Finished {
            terms,
            sessions,
            signatures,
            witnessed,
            ..
        } = finished;
        if witnessed.is_some_and(|witnessed| Moment::new(witnessed.at).is_none()) {
            return Err(Fault::NotWritable);
        }
        let rules = Variant::try_from(terms.rules());
        if Time::new(terms.time).is_none() {
            return Err(Fault::NotWritable);
        }
        let ByPlayer { one, two } = terms.players;
        Ok(Self {
            game: Some(GameName::Terms(outcome.number)),
            chain: Some(chain.id),
            genesis: Some(chain.genesis),
            players: vec![one.account(), two.account()],
            clock: terms.clock,
            time: Some(terms.time),
            pool: terms.pool,
            programs: terms.programs,
            nonce: Some(terms.nonce),
            signed_game: Some(SignedGame {
                keys: terms.players.map(|party| party.key()),
                witness: terms.witness,
                event: terms.event,
                previous: terms.previous,
                evidence: Some(EndEvidence {
                    sessions: *sessions,
                    signatures: *signatures,
                    witnessed: *witnessed,
                }),
            }),
            steps: finished.moves.iter_moves().map(Step::Move).collect(),
            end: Some(outcome.end),
            winner: outcome.winner.map(|player| player as u8),
            ..Self::new(rules.map_err(|_| Fault::NotWritable)?)
        })
    }

    /// The chain and the terms of a signed game; none of another one.
    #[must_use]
    pub fn signed_terms(&self) -> Option<(Chain, Terms)> {
        let game = self.signed_game.as_ref()?;
        let &[one, two] = self.players.as_slice() else {
            return None;
        };
        let chain = Chain {
            id: self.chain?,
            genesis: self.genesis?,
        };
        let terms = Terms {
            players: ByPlayer {
                one: Party::new(one, game.keys.one),
                two: Party::new(two, game.keys.two),
            },
            clock: self.clock,
            witness: game.witness,
            stake: 0,
            pool: self.pool,
            programs: self.programs,
            event: game.event,
            previous: game.previous,
            time: self.time?,
            nonce: self.nonce?,
            ..Terms::by_rules(&self.terms.into())
        };
        Some((chain, terms))
    }

    /// The chain of a signed game and all that shows how the game ended, which is not judged; none of another game, and
    /// if any of it is missing.
    #[must_use]
    pub fn finished(&self) -> Option<(Chain, Finished)> {
        let (chain, terms) = self.signed_terms()?;
        let evidence = self.signed_game.as_ref()?.evidence.as_ref()?;
        let finished = Finished {
            terms,
            sessions: evidence.sessions,
            moves: self.signed_moves()?,
            ending: self.ending(&terms)?,
            signatures: evidence.signatures,
            witnessed: evidence.witnessed,
        };
        Some((chain, finished))
    }

    /// The number of a signed game that its terms give.
    pub(crate) fn number_of_terms(&self, crypto: &impl AccountCrypto) -> Option<GameName> {
        let (chain, terms) = self.signed_terms()?;
        let number = terms.number(&Domain::without_stake(chain), crypto);
        Some(GameName::Terms(number))
    }

    /// The moves as they are signed; none if one is not of a game between two accounts.
    fn signed_moves(&self) -> Option<Moves> {
        let mut moves = Moves::new();
        for step in self.moves() {
            let bin = match step {
                Move::Drop(bin) => bin,
                Move::Swap => Bin::new(Moves::SWAP),
                _ => return None,
            };
            moves.push(bin).then_some(())?;
        }
        Some(moves)
    }

    /// By what a game with this end and winner ended, as it is signed: each end has one ending.
    fn ending(&self, terms: &Terms) -> Option<Ending> {
        let loser = self.winner.map(|seat| match seat {
            0 => Player::Two,
            _ => Player::One,
        });
        Some(match self.end? {
            // The loser has agreed to it.
            End::Line if terms.witness.is_none() => Ending::Resignation(loser?),
            End::Line | End::FullBoard => Ending::Board,
            End::Resignation => Ending::Resignation(loser?),
            End::Agreement => Ending::Draw,
            End::Timeout => Ending::Lapse(loser?),
            _ => return None,
        })
    }
}
