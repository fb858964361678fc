//! The messages of the contract of the matches.

use connect4_protocol::event::{ChallengeMade, MatchStarted, Withdrawn};
use connect4_protocol::message::{
    Accept, Cancel, CreditOf, Decline, MakeChallenge, MatchOf, OpenChallenge, OpenChallenges,
    Withdraw,
};
use connect4_protocol::{Challenge, ClockSpec, Error as Refusal, Game, Match, Page};
use connect4_rules::ShapeSpec;

use crate::Event;
use crate::action::Action;
use crate::client::Receipt;
use crate::error::Error;
use crate::{Address, Contract, Signer};

/// What a challenge is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// To whom; none: to anyone.
    pub opponent: Option<Address>,
    /// Whether the challenger moves first.
    pub challenger_first: bool,
    /// The board.
    pub shape: ShapeSpec,
    /// The clock, if any.
    pub clock: Option<ClockSpec>,
    /// What each of the two pays in, in the chain's smallest unit.
    pub stake: u128,
}

impl Contract {
    /// An amount as a contract sees it, in the chain's smallest unit; a rest is left out.
    #[must_use]
    pub fn in_token(&self, amount: u128) -> u128 {
        amount / self.client().ratio()
    }

    /// The same amount in tokens, for people: `0.5 DOT`.
    #[must_use]
    pub fn amount(&self, amount: u128) -> String {
        self.client().token().amount(self.in_token(amount))
    }

    /// What to pay for a stake as the contract sees it.
    pub(crate) fn payment(&self, what: &str, stake: u128) -> Result<u128, Error> {
        let ratio = self.client().ratio();
        if !stake.is_multiple_of(ratio) {
            return Err(Error::BrokenStake {
                what: what.into(),
                stake,
            });
        }
        if stake > 0 {
            self.is_trusted(what)?;
        }
        Ok(stake / ratio)
    }

    /// Nothing is paid to code that is not known.
    fn is_trusted(&self, what: &str) -> Result<(), Error> {
        if self.is_ours() {
            Ok(())
        } else {
            Err(Error::UnknownCode {
                what: what.into(),
                address: self.address(),
            })
        }
    }

    /// Makes a challenge, and returns its number.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownCode`] if there is a stake and the contract's code is not ours;
    /// [`Error::Refused`] with `SamePlayer`, `BadShape`, `BadClock` or `StakeNeedsClock` before
    /// anything is sent; else if the account can't pay or the chain can't be reached.
    pub async fn challenge(&self, signer: &Signer, offer: Offer) -> Result<Receipt<u32>, Error> {
        let what = "making a challenge";
        if offer.stake > 0 {
            self.is_trusted(what)?;
        }
        let message = MakeChallenge {
            opponent: offer.opponent,
            challenger_first: offer.challenger_first,
            shape: offer.shape,
            clock: offer.clock,
        };
        let receipt = self.transact(what, signer, &message, offer.stake).await?;
        self.found(what, receipt, |events| {
            events.iter().find_map(|event| match event {
                Event::ChallengeMade(ChallengeMade { challenge, .. }) => Some(*challenge),
                _ => None,
            })
        })
    }

    /// Accepts a challenge with its stake, and returns the game's number.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge`, `SamePlayer` or `NotChallenged`,
    /// [`Error::BrokenStake`] or [`Error::UnknownCode`] before anything is sent; else if the account
    /// can't pay or the chain can't be reached.
    pub async fn accept(&self, signer: &Signer, challenge: u32) -> Result<Receipt<u32>, Error> {
        let what = format!("accepting challenge {challenge}");
        let open = self
            .open_challenge(challenge)
            .await?
            .ok_or_else(|| Error::Refused {
                what: what.clone(),
                error: Refusal::NoSuchChallenge,
            })?;
        let value = self.payment(&what, open.terms.stake)?;
        let message = Accept { challenge };
        let receipt = self.transact(&what, signer, &message, value).await?;
        self.found(&what, receipt, |events| events.iter().find_map(started))
    }

    /// Declines a challenge to the signer.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge` or `NotChallenged`; else if the account can't pay
    /// or the chain can't be reached.
    pub async fn decline(&self, signer: &Signer, challenge: u32) -> Result<Receipt<()>, Error> {
        let what = format!("declining challenge {challenge}");
        let receipt = self
            .transact(&what, signer, &Decline { challenge }, 0)
            .await?;
        Ok(receipt.bare())
    }

    /// Cancels a challenge of the signer, who is credited the stake.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge` or `NotChallenger`; else if the account can't pay
    /// or the chain can't be reached.
    pub async fn cancel(&self, signer: &Signer, challenge: u32) -> Result<Receipt<()>, Error> {
        let what = format!("cancelling challenge {challenge}");
        let receipt = self
            .transact(&what, signer, &Cancel { challenge }, 0)
            .await?;
        Ok(receipt.bare())
    }

    /// Gives a game up for the signer.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameOver` or `NotAPlayer`; else if the account can't
    /// pay or the chain can't be reached.
    pub async fn resign(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self.perform(signer, game, Action::Resign).await?.bare())
    }

    /// Ends a game in which the time of who is to move has run out.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameOver`, `NoClock` or `TimeLeft`; else if the
    /// account can't pay or the chain can't be reached.
    pub async fn claim_timeout(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self
            .perform(signer, game, Action::ClaimTimeout)
            .await?
            .bare())
    }

    /// Offers a draw, or accepts the other player's offer; returns whether that ended the game.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameOver`, `NotAPlayer` or `AlreadyOffered`; else if
    /// the account can't pay or the chain can't be reached.
    pub async fn offer_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<bool>, Error> {
        let receipt = self.perform(signer, game, Action::OfferDraw).await?;
        Ok(receipt.map(|done| done.ended().is_some()))
    }

    /// Accepts the other player's offer of a draw.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameOver`, `NotAPlayer` or `NoOffer`; else if the
    /// account can't pay or the chain can't be reached.
    pub async fn accept_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self.perform(signer, game, Action::AcceptDraw).await?.bare())
    }

    /// Declines the other player's offer of a draw.
    ///
    /// # Errors
    ///
    /// As [`Contract::accept_draw`].
    pub async fn decline_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self
            .perform(signer, game, Action::DeclineDraw)
            .await?
            .bare())
    }

    /// Offers a rematch with its stake, or accepts the other player's offer; returns the new game's
    /// number if that started it.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameNotOver`, `NotAPlayer`, `RematchStarted` or
    /// `AlreadyOffered`, [`Error::BrokenStake`] or [`Error::UnknownCode`] before anything is sent;
    /// else if the account can't pay or the chain can't be reached.
    pub async fn offer_rematch(
        &self,
        signer: &Signer,
        game: u32,
    ) -> Result<Receipt<Option<u32>>, Error> {
        let receipt = self.perform(signer, game, Action::OfferRematch).await?;
        Ok(receipt.map(|done| done.rematch()))
    }

    /// Accepts the other player's offer of a rematch with its stake, and returns the new game's
    /// number.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameNotOver`, `NotAPlayer`, `RematchStarted` or
    /// `NoOffer`, [`Error::BrokenStake`] or [`Error::UnknownCode`] before anything is sent; else if
    /// the account can't pay or the chain can't be reached.
    pub async fn accept_rematch(&self, signer: &Signer, game: u32) -> Result<Receipt<u32>, Error> {
        let what = format!("accepting a rematch of game {game}");
        let receipt = self.perform(signer, game, Action::AcceptRematch).await?;
        self.found(&what, receipt.map(|done| done.events), |events| {
            events.iter().find_map(started)
        })
    }

    /// Declines the other player's offer of a rematch, or takes back the signer's own.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameNotOver`, `NotAPlayer`, `RematchStarted` or
    /// `NoOffer`; else if the account can't pay or the chain can't be reached.
    pub async fn decline_rematch(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self
            .perform(signer, game, Action::DeclineRematch)
            .await?
            .bare())
    }

    /// Settles these games, which have ended, and pays the signer all that it is owed; returns how
    /// much, in the unit in which a contract sees amounts.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame` or `GameNotOver` of one of the games,
    /// `NothingToWithdraw`, or `TransferFailed`; else if the account can't pay or the chain can't be
    /// reached.
    pub async fn withdraw(&self, signer: &Signer, games: &[u32]) -> Result<Receipt<u128>, Error> {
        let what = format!("withdrawing what {signer} is owed");
        let message = Withdraw {
            games: games.to_vec(),
        };
        let receipt = self.transact(&what, signer, &message, 0).await?;
        self.found(&what, receipt, |events| {
            events.iter().find_map(|event| match event {
                Event::Withdrawn(Withdrawn { amount, .. }) => Some(*amount),
                _ => None,
            })
        })
    }

    /// Frees the storage of a game that has ended: the deposit comes back to the signer, who paid
    /// it.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameNotOver` or `NotPayer`; else if the account can't
    /// pay or the chain can't be reached.
    pub async fn free(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        Ok(self.perform(signer, game, Action::Free).await?.bare())
    }

    /// An open challenge; none if no challenge with this number is open.
    ///
    /// # Errors
    ///
    /// [`Error::NoMatches`]; else if the chain can't be reached or its answer is not understood.
    pub async fn open_challenge(&self, challenge: u32) -> Result<Option<Challenge>, Error> {
        let what = format!("reading challenge {challenge}");
        match self
            .query(&what, &OpenChallenge { challenge }, None)
            .await?
        {
            Ok(challenge) => Ok(Some(challenge)),
            Err(Refusal::NoSuchChallenge) => Ok(None),
            Err(error) => Err(Error::Refused { what, error }),
        }
    }

    /// The newest open challenges, each with its number: at most `limit`, the newest first.
    ///
    /// # Errors
    ///
    /// [`Error::NoMatches`]; else if the chain can't be reached or its answer is not understood.
    pub async fn open_challenges(&self, limit: usize) -> Result<Vec<(u32, Challenge)>, Error> {
        let what = "listing the open challenges";
        let mut found: Vec<(u32, Challenge)> = Vec::new();
        let mut from: Option<u32> = None;
        while found.len() < limit {
            let limit = Page::MAX_LEN;
            let page = match self
                .query(what, &OpenChallenges { from, limit }, None)
                .await?
            {
                Ok(page) => page,
                // It was closed since the page before: look again from the newest.
                Err(Refusal::NoSuchChallenge) => {
                    from = None;
                    continue;
                }
                Err(error) => {
                    let what = what.into();
                    return Err(Error::Refused { what, error });
                }
            };
            let oldest = found.last().map(|(number, _)| *number);
            let news = page
                .challenges
                .into_iter()
                .filter(|(number, _)| oldest.is_none_or(|oldest| *number < oldest));
            found.extend(news);
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    /// What goes beside a game. Without a contract of matches it is what a bare game has.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`; else if the chain can't be reached or its answer is not
    /// understood.
    pub async fn match_of(&self, game: u32) -> Result<Match, Error> {
        let what = format!("reading the match of game {game}");
        if !self.has_matches() {
            return Ok(Match::default());
        }
        self.query(&what, &MatchOf { game }, None)
            .await?
            .map_err(|error| Error::Refused { what, error })
    }

    /// What an account is owed and may withdraw, in the unit in which a contract sees amounts.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached or its answer is not understood.
    pub async fn credit_of(&self, account: Address) -> Result<u128, Error> {
        let what = "reading what an account is owed";
        if !self.has_matches() {
            return Ok(0);
        }
        self.query(what, &CreditOf { account }, None).await
    }

    /// Whether a game has ended and its stakes wait to be credited.
    ///
    /// # Errors
    ///
    /// As [`Contract::match_of`].
    pub async fn is_unsettled(&self, number: u32, game: &Game) -> Result<bool, Error> {
        Ok(game.is_over() && self.match_of(number).await?.pot() > 0)
    }
}

fn started(event: &Event) -> Option<u32> {
    match event {
        Event::MatchStarted(MatchStarted { game, .. }) => Some(*game),
        _ => None,
    }
}
