//! The messages of the contract of the matches.

use codec::Decode;
use connect4_protocol::event::{
    ChallengeMade, DrawOffered, GameEnded, MatchStarted, RematchOffered, Withdrawn,
};
use connect4_protocol::{Challenge, ClockSpec, Error as Refusal, Game, Match, Page};
use connect4_rules::ShapeSpec;

use crate::Event;
use crate::abi;
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
    fn payment(&self, what: &str, stake: u128) -> Result<u128, Error> {
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
        let arguments = (
            offer.opponent,
            offer.challenger_first,
            offer.shape,
            offer.clock,
        );
        self.act::<u32, _, _>(
            what,
            signer,
            "challenge",
            arguments,
            offer.stake,
            |event| match event {
                Event::ChallengeMade(ChallengeMade { challenge, .. }) => Some(*challenge),
                _ => None,
            },
        )
        .await
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
        self.act::<u32, _, _>(&what, signer, "accept", challenge, value, started)
            .await
    }

    /// Declines a challenge to the signer.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge` or `NotChallenged`; else if the account can't pay
    /// or the chain can't be reached.
    pub async fn decline(&self, signer: &Signer, challenge: u32) -> Result<Receipt<()>, Error> {
        let what = format!("declining challenge {challenge}");
        self.tell(&what, signer, "decline", challenge).await
    }

    /// Cancels a challenge of the signer, who is credited the stake.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchChallenge` or `NotChallenger`; else if the account can't pay
    /// or the chain can't be reached.
    pub async fn cancel(&self, signer: &Signer, challenge: u32) -> Result<Receipt<()>, Error> {
        let what = format!("cancelling challenge {challenge}");
        self.tell(&what, signer, "cancel", challenge).await
    }

    /// Gives a game up for the signer.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameOver` or `NotAPlayer`; else if the account can't
    /// pay or the chain can't be reached.
    pub async fn resign(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        let what = format!("resigning game {game}");
        self.tell(&what, signer, "resign", game).await
    }

    /// Ends a game in which the time of who is to move has run out.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameOver`, `NoClock` or `TimeLeft`; else if the
    /// account can't pay or the chain can't be reached.
    pub async fn claim_timeout(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        let what = format!("claiming the timeout of game {game}");
        self.tell(&what, signer, "claim_timeout", game).await
    }

    /// Offers a draw, or accepts the other player's offer; returns whether that ended the game.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameOver`, `NotAPlayer` or `AlreadyOffered`; else if
    /// the account can't pay or the chain can't be reached.
    pub async fn offer_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<bool>, Error> {
        let what = format!("offering a draw in game {game}");
        self.act::<(), _, _>(&what, signer, "offer_draw", game, 0, |event| match event {
            Event::GameEnded(GameEnded { .. }) => Some(true),
            Event::DrawOffered(DrawOffered { .. }) => Some(false),
            _ => None,
        })
        .await
    }

    /// Accepts the other player's offer of a draw.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameOver`, `NotAPlayer` or `NoOffer`; else if the
    /// account can't pay or the chain can't be reached.
    pub async fn accept_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        let what = format!("accepting a draw in game {game}");
        self.tell(&what, signer, "accept_draw", game).await
    }

    /// Declines the other player's offer of a draw.
    ///
    /// # Errors
    ///
    /// As [`Contract::accept_draw`].
    pub async fn decline_draw(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        let what = format!("declining a draw in game {game}");
        self.tell(&what, signer, "decline_draw", game).await
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
        let what = format!("offering a rematch of game {game}");
        let value = self.payment(&what, self.match_of(game).await?.stake)?;
        let told = |event: &Event| match event {
            Event::MatchStarted(MatchStarted { game, .. }) => Some(Some(*game)),
            Event::RematchOffered(RematchOffered { .. }) => Some(None),
            _ => None,
        };
        self.act::<Option<u32>, _, _>(&what, signer, "offer_rematch", game, value, told)
            .await
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
        let value = self.payment(&what, self.match_of(game).await?.stake)?;
        self.act::<u32, _, _>(&what, signer, "accept_rematch", game, value, started)
            .await
    }

    /// Declines the other player's offer of a rematch, or takes back the signer's own.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameNotOver`, `NotAPlayer`, `RematchStarted` or
    /// `NoOffer`; else if the account can't pay or the chain can't be reached.
    pub async fn decline_rematch(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        let what = format!("declining a rematch of game {game}");
        self.tell(&what, signer, "decline_rematch", game).await
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
        let told = |event: &Event| match event {
            Event::Withdrawn(Withdrawn { amount, .. }) => Some(*amount),
            _ => None,
        };
        self.act::<u128, _, _>(&what, signer, "withdraw", games.to_vec(), 0, told)
            .await
    }

    /// Frees the storage of a game that has ended: the deposit comes back to the signer, who paid
    /// it.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, `GameNotOver` or `NotPayer`; else if the account can't
    /// pay or the chain can't be reached.
    pub async fn free(&self, signer: &Signer, game: u32) -> Result<Receipt<()>, Error> {
        let what = format!("freeing the storage of game {game}");
        self.tell(&what, signer, "free", game).await
    }

    /// An open challenge; none if no challenge with this number is open.
    ///
    /// # Errors
    ///
    /// [`Error::NoMatches`]; else if the chain can't be reached or its answer is not understood.
    pub async fn open_challenge(&self, challenge: u32) -> Result<Option<Challenge>, Error> {
        let what = format!("reading challenge {challenge}");
        let matches = self.matches(&what)?;
        match self
            .query(&what, matches, "open_challenge", challenge, None)
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
        let matches = self.matches(what)?;
        let mut found: Vec<(u32, Challenge)> = Vec::new();
        let mut from: Option<u32> = None;
        while found.len() < limit {
            let page: Result<Page, Refusal> = self
                .query(
                    what,
                    matches,
                    "open_challenges",
                    (from, Page::MAX_LEN),
                    None,
                )
                .await?;
            let page = match page {
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
        let Ok(matches) = self.matches(&what) else {
            return Ok(Match::default());
        };
        self.query::<Result<Match, Refusal>>(&what, matches, "match_of", game, None)
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
        match self.matches(what) {
            Ok(matches) => self.query(what, matches, "credit_of", account, None).await,
            Err(_) => Ok(0),
        }
    }

    /// Whether a game has ended and its stakes wait to be credited.
    ///
    /// # Errors
    ///
    /// As [`Contract::match_of`].
    pub async fn is_unsettled(&self, number: u32, game: &Game) -> Result<bool, Error> {
        Ok(game.is_over() && self.match_of(number).await?.pot() > 0)
    }

    /// A message that returns nothing.
    async fn tell(
        &self,
        what: &str,
        signer: &Signer,
        message: &str,
        number: u32,
    ) -> Result<Receipt<()>, Error> {
        self.act::<(), _, _>(what, signer, message, number, 0, |_| Some(()))
            .await
    }

    /// Sends a message with a payment, and finds what it did in its events.
    async fn act<T: Decode, A: codec::Encode, R>(
        &self,
        what: &str,
        signer: &Signer,
        message: &str,
        arguments: A,
        value: u128,
        told: impl Fn(&Event) -> Option<R>,
    ) -> Result<Receipt<R>, Error> {
        let matches = self.matches(what)?;
        let input = abi::input(message, arguments);
        let (receipt, events) = self
            .transact::<T>(what, signer, matches, value, &input)
            .await?;
        self.receipt(what, receipt, events.iter().find_map(told))
    }
}

fn started(event: &Event) -> Option<u32> {
    match event {
        Event::MatchStarted(MatchStarted { game, .. }) => Some(*game),
        _ => None,
    }
}
