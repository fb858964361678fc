//! Messages of the contract of the matches that are not actions in a game: challenges, and reading.

use connect4_protocol::event::{ChallengeMade, MatchStarted, Withdrawn};
use connect4_protocol::message::{
    Accept, Cancel, CreditOf, Decline, FastMatchOf, MakeChallenge, MatchOf, OpenChallenge,
    OpenChallenges, Withdraw,
};
use connect4_protocol::{
    Address, Challenge, ClockSpec, Error as Refusal, Event, GameId, Match, Page,
};
use connect4_rules::ShapeSpec;

use crate::accounts::account::Signer;
use crate::chain::seen::Seen;
use crate::contracts::contract::Contract;
use crate::contracts::receipt::Receipt;
use crate::contracts::transact::told;
use crate::error::Error;
use crate::task::Task;

/// Terms of a challenge that is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Account that is challenged; none: anyone may accept.
    pub opponent: Option<Address>,
    /// Whether the challenger moves first.
    pub challenger_first: bool,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Clock; none: the game has no clock.
    pub clock: Option<ClockSpec>,
    /// Stake that each of the two pays in, in the token's smallest unit.
    pub stake: u128,
    /// Address of the challenger's session key; none: the game is not a fast one.
    pub key: Option<Address>,
    /// For how many seconds it can be accepted; none: until it is withdrawn. They count from now, or
    /// from the chain's time if that is later.
    pub expires_in: Option<u32>,
}

impl Contract {
    /// The payment, in the token's smallest unit, for a stake as the contract sees it.
    pub(crate) fn payment(&self, task: &Task, stake: u128) -> Result<u128, Error> {
        let payment = self.client().token().payment(stake);
        let payment = payment.ok_or_else(|| Error::BrokenStake {
            task: task.clone(),
            stake,
        })?;
        if payment > 0 {
            self.check_trusted(task)?;
        }
        Ok(payment)
    }

    /// Makes a challenge and pays its stake; returns the challenge's number.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownCode`] if there is a stake and the contract's code is not known, then
    /// [`Error::Refused`] with `SamePlayer`, `BadShape`, `BadClock`, `StakeTooLarge`,
    /// `StakeNeedsClock` or `ShortClock`, before anything is sent; else if the account cannot pay or the chain
    /// cannot be reached.
    pub async fn challenge(&self, signer: &Signer, offer: Offer) -> Result<Receipt<u32>, Error> {
        let task = Task::MakeChallenge;
        if offer.stake > 0 {
            self.check_trusted(&task)?;
        }
        let message = MakeChallenge {
            opponent: offer.opponent,
            challenger_first: offer.challenger_first,
            shape: offer.shape,
            clock: offer.clock,
            expires: match offer.expires_in {
                Some(seconds) => Some(self.client().time().await? + u64::from(seconds)),
                None => None,
            },
            key: offer.key,
        };
        let receipt = self.transact(&task, signer, &message, offer.stake).await?;
        told(&task, receipt, |event| match event {
            Event::ChallengeMade(ChallengeMade { challenge, .. }) => Some(*challenge),
            _ => None,
        })
    }

    /// Accepts a challenge and pays its stake; returns the game's number. The terms are those that
    /// were [seen](Contract::answering_challenge), else those of now. To a fast game, the signer names
    /// its session key.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge`, then [`Error::BrokenStake`], then
    /// [`Error::UnknownCode`], then [`Error::Refused`] with `OtherTerms` if the challenge is not the
    /// one that was seen, `SamePlayer`, `NotChallenged`, `ChallengeExpired`, or `BadKey` if a session
    /// key is missing or not asked for, before anything is sent; else if the account cannot pay or the
    /// chain cannot be reached.
    pub async fn accept(
        &self,
        signer: &Signer,
        challenge: u32,
        key: Option<Address>,
    ) -> Result<Receipt<u32>, Error> {
        let task = Task::AcceptChallenge { challenge };
        let Some(seen) = self.basis_challenge(challenge) else {
            let Some(open) = self.see_challenge(challenge).await? else {
                return Err(Error::Refused {
                    task,
                    error: Refusal::NoSuchChallenge,
                });
            };
            let answering = self.clone().answering_challenge(challenge, &open);
            return Box::pin(answering.accept(signer, challenge, key)).await;
        };
        let payment = self.payment(&task, seen.terms.stake)?;
        let message = Accept {
            challenge,
            key,
            seen,
        };
        let receipt = self.transact(&task, signer, &message, payment).await?;
        told(&task, receipt, |event| match event {
            Event::MatchStarted(MatchStarted { game, .. }) => Some(*game),
            _ => None,
        })
    }

    /// Declines a challenge to the signer.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge` or `NotChallenged` before anything is sent; else if
    /// the account cannot pay or the chain cannot be reached.
    pub async fn decline(&self, signer: &Signer, challenge: u32) -> Result<Receipt<()>, Error> {
        let task = Task::DeclineChallenge { challenge };
        let message = Decline { challenge };
        Ok(self.transact(&task, signer, &message, 0).await?.bare())
    }

    /// Cancels a challenge of the signer, who is credited the stake.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge` or `NotChallenger` before anything is sent; else if
    /// the account cannot pay or the chain cannot be reached.
    pub async fn cancel(&self, signer: &Signer, challenge: u32) -> Result<Receipt<()>, Error> {
        let task = Task::CancelChallenge { challenge };
        let message = Cancel { challenge };
        Ok(self.transact(&task, signer, &message, 0).await?.bare())
    }

    /// Settles these games, which have ended, and pays the signer all that it is owed, by whichever
    /// games but [fast ones](Self::withdraw_fast). Returns the amount, in the unit in which a contract sees amounts. Games whose storage
    /// was freed are skipped, as they were settled then.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `GameNotOver` of one of the games, then `NothingToWithdraw`, then
    /// `TransferFailed`, before anything is sent; else if the account cannot pay or the chain cannot
    /// be reached.
    pub async fn withdraw(&self, signer: &Signer, games: &[u32]) -> Result<Receipt<u128>, Error> {
        let task = Task::Withdraw {
            signer: signer.named(),
        };
        let message = Withdraw {
            games: games.to_vec(),
        };
        let receipt = self.transact(&task, signer, &message, 0).await?;
        told(&task, receipt, |event| match event {
            Event::Withdrawn(Withdrawn { amount, .. }) => Some(*amount),
            _ => None,
        })
    }

    /// An open challenge; none if no challenge with this number is open.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if the contract has games alone; else if the chain cannot be reached or
    /// its answer is not understood.
    pub async fn open_challenge(&self, challenge: u32) -> Result<Option<Challenge>, Error> {
        let task = Task::ReadChallenge { challenge };
        self.find(
            task,
            &OpenChallenge { challenge },
            None,
            Refusal::NoSuchChallenge,
        )
        .await
    }

    /// An open challenge with the block after which it is so; none as for
    /// [`Contract::open_challenge`].
    ///
    /// # Errors
    ///
    /// As [`Contract::open_challenge`].
    pub async fn see_challenge(&self, challenge: u32) -> Result<Option<Seen<Challenge>>, Error> {
        let block = self.client().best_block().await?;
        let task = Task::ReadChallenge { challenge };
        let message = OpenChallenge { challenge };
        let missing = Refusal::NoSuchChallenge;
        let found = self.find(task, &message, Some(block.hash), missing).await?;
        Ok(found.map(|value| Seen { value, block }))
    }

    /// The newest open challenges, each with its number: at most `limit`, the newest first.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if the contract has games alone; else if the chain cannot be reached or
    /// its answer is not understood.
    pub async fn open_challenges(&self, limit: usize) -> Result<Vec<(u32, Challenge)>, Error> {
        self.open_challenges_from(None, limit).await
    }

    /// The newest open challenges whose numbers are `newest` or below, each with its number: at most
    /// `limit`, the newest first. It takes longer if that one is not open any more.
    ///
    /// # Errors
    ///
    /// As [`Contract::open_challenges`].
    pub async fn open_challenges_from(
        &self,
        newest: Option<u32>,
        limit: usize,
    ) -> Result<Vec<(u32, Challenge)>, Error> {
        let task = Task::ListChallenges;
        let mut found: Vec<(u32, Challenge)> = Vec::new();
        let mut from = newest;
        while found.len() < limit {
            let message = OpenChallenges {
                from,
                limit: Page::MAX_LEN,
            };
            let page = match self.query(&task, &message, None).await? {
                Ok(page) => page,
                // The challenge at which this page begins was closed since the page before: start
                // again at the newest.
                Err(Refusal::NoSuchChallenge) => {
                    from = None;
                    continue;
                }
                Err(error) => return Err(Error::Refused { task, error }),
            };
            let oldest = found.last().map(|(number, _)| *number);
            let wanted = page.challenges.into_iter().filter(|(number, _)| {
                oldest.is_none_or(|oldest| *number < oldest)
                    && newest.is_none_or(|newest| *number <= newest)
            });
            found.extend(wanted);
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    /// The match state of a game: stakes, offers and place in a series. The default for a game that
    /// was started without a match, and in a contract that has games alone.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`; else if the chain cannot be reached or its answer is not
    /// understood.
    pub async fn match_of(&self, game: u32) -> Result<Match, Error> {
        if !self.has_matches() {
            return Ok(Match::default());
        }
        let task = Task::ReadMatch { game };
        let found = match GameId::of_two(game).is_fast() {
            true => self.query(&task, &FastMatchOf { game }, None).await?,
            false => self.query(&task, &MatchOf { game }, None).await?,
        };
        found.map_err(|error| Error::Refused { task, error })
    }

    /// Amount that an account is owed and may withdraw, in the unit in which a contract sees
    /// amounts. Stakes of games that are not settled are not in it, nor is what
    /// [fast games](Self::fast_credit_of) owe.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn credit_of(&self, account: Address) -> Result<u128, Error> {
        if !self.has_matches() {
            return Ok(0);
        }
        let task = Task::ReadCredit { account };
        self.query(&task, &CreditOf { account }, None).await
    }
}
