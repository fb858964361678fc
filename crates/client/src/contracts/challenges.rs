//! Challenges: making and accepting them, and those that are open.

use connect4_protocol::message::{Accept, MakeChallenge, OpenChallenge, OpenChallenges};
use connect4_protocol::{Address, Challenge, ClockSpec, Error as Refusal, GameId, Page};
use connect4_rules::ShapeSpec;

use crate::accounts::account::Signer;
use crate::chain::seen::Seen;
use crate::contracts::abi::Packed;
use crate::contracts::calls::{Call as _, accepting};
use crate::contracts::deployed::Contracts;
use crate::contracts::newest::Newest;
use crate::contracts::receipt::Receipt;
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
    /// For how many seconds it can be accepted; none: until it is withdrawn. They count from now, or
    /// from the chain's time if that is later.
    pub expires_in: Option<u32>,
}

impl Contracts {
    /// Makes a challenge and pays its stake; returns the challenge's number.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownCode`] if there is a stake and the contract's code is not known, then
    /// [`Error::Refused`] with `SamePlayer`, `BadShape`, `BadClock`, `StakeTooLarge`,
    /// `StakeNeedsClock` or `ShortClock`, before anything is sent; else if the account cannot pay or the chain
    /// cannot be reached.
    pub async fn challenge(&self, signer: &Signer, offer: Offer) -> Result<Receipt<u32>, Error> {
        let mut message = MakeChallenge {
            opponent: offer.opponent,
            challenger_first: offer.challenger_first,
            shape: offer.shape,
            clock: offer.clock,
            expires: None,
        };
        if offer.stake > 0 {
            self.check_trusted(&message.task(&signer.named()))?;
        }
        if let Some(seconds) = offer.expires_in {
            message.expires = Some(self.client().time().await? + u64::from(seconds));
        }
        let packed = Packed::of(signer, &message);
        self.send_paying(signer, &packed, offer.stake).await
    }

    /// Accepts a challenge and pays its stake; returns the game. The terms are those that were
    /// [seen](Contracts::based_on_challenge), else those of now.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge`, then [`Error::BrokenStake`], then
    /// [`Error::UnknownCode`], then [`Error::Refused`] with `OtherTerms` if the challenge is not the
    /// one that was seen, `SamePlayer`, `NotChallenged` or `ChallengeExpired`, before anything is sent; else if the account cannot pay or the
    /// chain cannot be reached.
    pub async fn accept(&self, signer: &Signer, challenge: u32) -> Result<Receipt<GameId>, Error> {
        let (contracts, seen) = match self.basis_challenge(challenge) {
            Some(seen) => (self.clone(), seen),
            None => match self.see_challenge(challenge).await? {
                Some(open) => (self.based_on_challenge(challenge, &open), open.value),
                None => {
                    return Err(Error::Refused {
                        task: Task::Message(accepting(challenge)),
                        error: Refusal::NoSuchChallenge,
                    });
                }
            },
        };
        let message = Accept { challenge, seen };
        let packed = Packed::of(signer, &message);
        let payment = self.payment(&packed.task, seen.terms.stake)?;
        contracts.send_paying(signer, &packed, payment).await
    }

    /// An open challenge; none if no challenge with this number is open.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if the contract has games alone; else if the chain cannot be reached or
    /// its answer is not understood.
    pub async fn open_challenge(&self, challenge: u32) -> Result<Option<Challenge>, Error> {
        let message = OpenChallenge { challenge };
        self.find(&message, None, Refusal::NoSuchChallenge).await
    }

    /// An open challenge with the block after which it is so; none as for
    /// [`Contracts::open_challenge`].
    ///
    /// # Errors
    ///
    /// As [`Contracts::open_challenge`].
    pub async fn see_challenge(&self, challenge: u32) -> Result<Option<Seen<Challenge>>, Error> {
        let block = self.client().best_block().await?;
        let message = OpenChallenge { challenge };
        let found = self.find(&message, Some(block.hash), Refusal::NoSuchChallenge);
        Ok(found.await?.map(|value| Seen { value, block }))
    }

    /// The newest open challenges whose numbers are `newest` or below, each with its number: at most
    /// `limit`, the newest first. It takes longer if that one is not open any more.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if the contract has games alone; else if the chain cannot be reached or
    /// its answer is not understood.
    pub async fn open_challenges(
        &self,
        newest: Option<u32>,
        limit: usize,
    ) -> Result<Vec<(u32, Challenge)>, Error> {
        let mut found = Newest::new(newest, limit);
        while let Some(from) = found.next {
            let message = OpenChallenges {
                from,
                limit: Page::MAX_LEN,
            };
            let page = self.find(&message, None, Refusal::NoSuchChallenge).await?;
            found.add(page.map(|page| (page.challenges, page.next)));
        }
        Ok(found.all)
    }
}
