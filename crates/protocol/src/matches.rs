//! What goes beside a game: stakes, offers, rematches.

use connect4_rules::{Outcome, Player};

use crate::{Address, ClockSpec, End, Error, Game};

/// The results of a series so far, by the seats of one game of it.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Score {
    /// What player one of that game has won.
    pub one: u16,
    /// What player two of that game has won.
    pub two: u16,
    /// What nobody won. Aborted games are not counted.
    pub draws: u16,
}

impl Score {
    /// The score after one more game. It stops at the highest number that it can tell.
    #[must_use]
    pub const fn and(mut self, outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Won(Player::One)) => self.one = self.one.saturating_add(1),
            Some(Outcome::Won(Player::Two)) => self.two = self.two.saturating_add(1),
            Some(Outcome::Draw) => self.draws = self.draws.saturating_add(1),
            None => {}
        }
        self
    }

    /// The same score where the players have changed seats.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self {
            one: self.two,
            two: self.one,
            draws: self.draws,
        }
    }
}

/// An offer of a draw.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct DrawOffer {
    /// Who offers.
    pub by: Player,
    /// How many turns the other one had taken then: with the next one it lapses. So no
    /// move needs to know of offers.
    pub turns: u8,
}

/// What each player gets of the stakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payout {
    /// Player one.
    pub one: u128,
    /// Player two.
    pub two: u128,
}

impl Payout {
    /// How a pot is divided: all to the winner, else a half to each, with an odd unit to
    /// player two.
    #[must_use]
    pub const fn of(pot: u128, winner: Option<Player>) -> Self {
        match winner {
            Some(Player::One) => Self { one: pot, two: 0 },
            Some(Player::Two) => Self { one: 0, two: pot },
            None => Self {
                one: pot / 2,
                two: pot - pot / 2,
            },
        }
    }
}

/// What goes beside a game: what it is played for, what its players offer each other,
/// and where it stands in a series. A game that was started bare has the default.
///
/// Whatever refuses leaves it unchanged.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Match {
    /// What each of the two has paid in.
    pub stake: u128,
    /// Whether the stakes have been shared out.
    pub settled: bool,
    /// The clock that each game of the series starts with.
    pub clock: Option<ClockSpec>,
    /// The game before it in its series.
    pub previous: Option<u32>,
    /// The game after it.
    pub next: Option<u32>,
    /// The results of the games before it, by its own seats.
    pub score: Score,
    /// The last offer of a draw that was not declined; see [`Match::draw_offer`].
    pub draw: Option<DrawOffer>,
    /// Who offers a rematch, and has paid the stake for it.
    pub rematch: Option<Player>,
}

impl Match {
    /// Both stakes, while they are in play.
    #[must_use]
    pub const fn pot(&self) -> u128 {
        if self.settled {
            0
        } else {
            // Terms whose pot would be more are refused.
            self.stake.saturating_mul(2)
        }
    }

    /// Who offers a draw that the other one may still accept.
    #[must_use]
    pub fn draw_offer(&self, game: &Game) -> Option<Player> {
        let offer = self.draw?;
        let stands = !game.is_over() && game.turns_of(offer.by.opponent()) == offer.turns;
        stands.then_some(offer.by)
    }

    /// `caller` offers a draw; if the other player does so already, it is agreed, and the
    /// game ends. Returns whether it has.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::AlreadyOffered`] if the caller's own offer stands.
    pub fn offer_draw(&mut self, game: &mut Game, caller: Address) -> Result<bool, Error> {
        let player = going_on(game, caller)?;
        match self.draw_offer(game) {
            Some(by) if by == player => Err(Error::AlreadyOffered),
            Some(_) => {
                game.agree_on_a_draw()?;
                self.draw = None;
                Ok(true)
            }
            None => {
                self.draw = Some(DrawOffer {
                    by: player,
                    turns: game.turns_of(player.opponent()),
                });
                Ok(false)
            }
        }
    }

    /// `caller` accepts the other player's offer of a draw, and the game ends.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::NoOffer`] if the other player offers none, or not any more.
    pub fn accept_draw(&mut self, game: &mut Game, caller: Address) -> Result<(), Error> {
        self.offered_draw(game, caller)?;
        game.agree_on_a_draw()?;
        self.draw = None;
        Ok(())
    }

    /// `caller` declines the other player's offer of a draw.
    ///
    /// # Errors
    ///
    /// As [`Match::accept_draw`].
    pub fn decline_draw(&mut self, game: &Game, caller: Address) -> Result<(), Error> {
        self.offered_draw(game, caller)?;
        self.draw = None;
        Ok(())
    }

    fn offered_draw(&self, game: &Game, caller: Address) -> Result<(), Error> {
        let player = going_on(game, caller)?;
        if self.draw_offer(game) == Some(player.opponent()) {
            Ok(())
        } else {
            Err(Error::NoOffer)
        }
    }

    /// `caller` offers a rematch and has `paid` its stake; returns whether the other
    /// player does so already, so that it is agreed.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game goes on,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::RematchStarted`] if it has had its rematch,
    /// 4. [`Error::AlreadyOffered`] if the caller's own offer stands,
    /// 5. [`Error::WrongStake`] if `paid` is not the stake.
    pub fn offer_rematch(
        &mut self,
        game: &Game,
        caller: Address,
        paid: u128,
    ) -> Result<bool, Error> {
        let player = self.before_rematch(game, caller)?;
        if self.rematch == Some(player) {
            return Err(Error::AlreadyOffered);
        }
        if paid != self.stake {
            return Err(Error::WrongStake);
        }
        let agreed = self.rematch.is_some();
        self.rematch = if agreed { None } else { Some(player) };
        Ok(agreed)
    }

    /// `caller` accepts the other player's offer of a rematch and has `paid` its stake.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game goes on,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::RematchStarted`] if it has had its rematch,
    /// 4. [`Error::NoOffer`] if the other player offers none,
    /// 5. [`Error::WrongStake`] if `paid` is not the stake.
    pub fn accept_rematch(
        &mut self,
        game: &Game,
        caller: Address,
        paid: u128,
    ) -> Result<(), Error> {
        let player = self.before_rematch(game, caller)?;
        if self.rematch != Some(player.opponent()) {
            return Err(Error::NoOffer);
        }
        if paid != self.stake {
            return Err(Error::WrongStake);
        }
        self.rematch = None;
        Ok(())
    }

    /// `caller` declines the other player's offer of a rematch, or takes back its own;
    /// returns who had offered: they are owed the stake.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game goes on,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::RematchStarted`] if it has had its rematch,
    /// 4. [`Error::NoOffer`] if nobody offers one.
    pub fn decline_rematch(&mut self, game: &Game, caller: Address) -> Result<Player, Error> {
        self.before_rematch(game, caller)?;
        self.rematch.take().ok_or(Error::NoOffer)
    }

    fn before_rematch(&self, game: &Game, caller: Address) -> Result<Player, Error> {
        if !game.is_over() {
            return Err(Error::GameNotOver);
        }
        let player = game.player_of(&caller).ok_or(Error::NotAPlayer)?;
        if self.next.is_some() {
            return Err(Error::RematchStarted);
        }
        Ok(player)
    }

    /// What the rematch of this game, which has this number, starts with, and its players
    /// one and two. The loser begins; after a draw, who moved second; after an abort the
    /// seats stay.
    #[must_use]
    pub fn rematch_of(&self, game: &Game, number: u32) -> (Self, Address, Address) {
        let first = match (game.end(), game.winner()) {
            (_, Some(winner)) => winner.opponent(),
            (Some(End::Abort), None) => Player::One,
            (_, None) => Player::Two,
        };
        let score = self.score.and(game.outcome());
        let rematch = Self {
            stake: self.stake,
            clock: self.clock,
            previous: Some(number),
            score: match first {
                Player::One => score,
                Player::Two => score.swapped(),
            },
            ..Self::default()
        };
        (
            rematch,
            game.account_of(first),
            game.account_of(first.opponent()),
        )
    }

    /// Shares out the stakes of a game that has ended.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game goes on,
    /// 2. [`Error::NothingToSettle`] if there are no stakes, or they are shared out.
    pub fn settle(&mut self, game: &Game) -> Result<Payout, Error> {
        if !game.is_over() {
            return Err(Error::GameNotOver);
        }
        let pot = self.pot();
        if pot == 0 {
            return Err(Error::NothingToSettle);
        }
        self.settled = true;
        Ok(Payout::of(pot, game.winner()))
    }
}

/// Which player an account is in a game that goes on.
fn going_on(game: &Game, caller: Address) -> Result<Player, Error> {
    if game.is_over() {
        return Err(Error::GameOver);
    }
    game.player_of(&caller).ok_or(Error::NotAPlayer)
}
