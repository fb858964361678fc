//! Match state of a game: stakes, offers, rematches.

use connect4_rules::{ByPlayer, Player};

use crate::{Address, ClockSpec, End, Error, Game, Score, payout};

/// Offer of a draw.
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
    /// Player who made the offer.
    pub by: Player,
    /// Turns that the opponent had taken when the offer was made. It lapses with the opponent's
    /// next turn, so a drop need not touch the offers.
    pub turns: u8,
}

/// Match state of a game: stakes, offers, and the place in a series. It is stored apart from the
/// [`Game`], so that moves do not pay for it. A game that was started without a match has the
/// default.
///
/// A call that is refused leaves the match state and the game unchanged.
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
    /// Amount that each of the two players has paid in, in the smallest unit that a contract sees.
    pub stake: u128,
    /// Whether the stakes have been credited to the players.
    pub settled: bool,
    /// Clock with which each game of the series starts.
    pub clock: Option<ClockSpec>,
    /// Number of the previous game of the series.
    pub previous: Option<u32>,
    /// Number of the next game of the series.
    pub next: Option<u32>,
    /// Score of the series before this game, by the seats of this game.
    pub score: Score,
    /// Last offer of a draw that was not declined; [`Match::draw_offer`] tells whether it stands.
    pub draw: Option<DrawOffer>,
    /// Player who offers a rematch, and has paid the stake for it.
    pub rematch: Option<Player>,
}

impl Match {
    /// Longest time for the first move of a player, in seconds: one day.
    pub const FIRST_MOVE: u32 = 24 * 60 * 60;

    /// Both stakes together; 0 once they are settled.
    #[must_use]
    pub const fn pot(&self) -> u128 {
        if self.settled {
            0
        } else {
            // Does not saturate: `Terms::check` refuses such stakes.
            self.stake.saturating_mul(2)
        }
    }

    /// The player whose offer of a draw stands at `now`; none if there is none or it has lapsed: by
    /// the opponent's next turn, or at the opponent's deadline. (Else the opponent could accept it
    /// when the time is over, and take half of what a claim would give to who made the offer.)
    #[must_use]
    #[inline(never)]
    pub fn draw_offer(&self, game: &Game, now: u64) -> Option<Player> {
        let offer = self.draw?;
        let opponent = offer.by.opponent();
        let stands = !game.is_over()
            && game.turns_of(opponent) == offer.turns
            && !is_late(game, opponent, now);
        stands.then_some(offer.by)
    }

    /// Offers a draw for `caller` at `now`. If the opponent's offer stands, that one is accepted
    /// instead, and the game ends. Returns whether it has ended.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::AlreadyOffered`] if the caller's own offer stands,
    /// 4. [`Error::OutOfTime`] if the opponent is to move and late, so that no offer would stand.
    pub fn offer_draw(
        &mut self,
        game: &mut Game,
        caller: Address,
        now: u64,
    ) -> Result<bool, Error> {
        let player = player_in_progress(game, caller)?;
        match self.draw_offer(game, now) {
            Some(by) if by == player => Err(Error::AlreadyOffered),
            Some(_) => {
                game.draw_by_agreement()?;
                self.draw = None;
                Ok(true)
            }
            None if is_late(game, player.opponent(), now) => Err(Error::OutOfTime),
            None => {
                self.draw = Some(DrawOffer {
                    by: player,
                    turns: game.turns_of(player.opponent()),
                });
                Ok(false)
            }
        }
    }

    /// Accepts the opponent's offer of a draw for `caller` at `now`; the game ends.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::NoOffer`] if the opponent made no offer, or it has lapsed.
    pub fn accept_draw(&mut self, game: &mut Game, caller: Address, now: u64) -> Result<(), Error> {
        let player = player_in_progress(game, caller)?;
        if self.draw_offer(game, now) != Some(player.opponent()) {
            return Err(Error::NoOffer);
        }
        game.draw_by_agreement()?;
        self.draw = None;
        Ok(())
    }

    /// Declines the opponent's offer of a draw for `caller` at `now`, or takes back the caller's own.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::NoOffer`] if neither player made an offer, or it has lapsed.
    pub fn decline_draw(&mut self, game: &Game, caller: Address, now: u64) -> Result<(), Error> {
        player_in_progress(game, caller)?;
        self.draw_offer(game, now).ok_or(Error::NoOffer)?;
        self.draw = None;
        Ok(())
    }

    /// The last second before the timeout of the player to move can be claimed, in seconds since
    /// 1970; none without a clock and after the end.
    ///
    /// It is the deadline of the move, except for the first move of each player, which has
    /// [`Self::FIRST_MOVE`] however long the bank: no opponent who never begins locks a stake for long.
    /// A late first move counts if nobody has claimed by then.
    #[must_use]
    pub fn claim_deadline(&self, game: &Game) -> Option<u64> {
        let deadline = game.deadline()?;
        let spec = self.clock.filter(|_| game.moves() < 2);
        // Before its first move a player has the whole bank.
        let beyond = spec.map_or(0, |spec| spec.bank.saturating_sub(Self::FIRST_MOVE));
        Some(deadline.saturating_sub(u64::from(beyond)))
    }

    /// Ends the game at `now` because the player to move is late. If both players have moved, the
    /// opponent wins; otherwise the game is aborted.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NoClock`] if it has no clock,
    /// 3. [`Error::TimeLeft`] if `now` is not after [`Self::claim_deadline`].
    pub fn claim_timeout(&self, game: &mut Game, now: u64) -> Result<(), Error> {
        if game.is_over() {
            return Err(Error::GameOver);
        }
        if now <= self.claim_deadline(game).ok_or(Error::NoClock)? {
            return Err(Error::TimeLeft);
        }
        game.time_out()
    }

    /// Offers a rematch for `caller`, who has `paid` its stake. If the opponent's offer stands,
    /// that one is accepted instead. Returns whether the rematch is agreed.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game has not ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::RematchStarted`] if its rematch has started,
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

    /// Accepts the opponent's offer of a rematch for `caller`, who has `paid` its stake.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game has not ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::RematchStarted`] if its rematch has started,
    /// 4. [`Error::NoOffer`] if the opponent made no offer,
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

    /// Declines the opponent's offer of a rematch for `caller`, or takes back the caller's own.
    /// Returns the player who had made it, and gets the stake back.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game has not ended,
    /// 2. [`Error::NotAPlayer`] if the caller does not play it,
    /// 3. [`Error::RematchStarted`] if its rematch has started,
    /// 4. [`Error::NoOffer`] if neither player made an offer.
    pub fn decline_rematch(&mut self, game: &Game, caller: Address) -> Result<Player, Error> {
        self.before_rematch(game, caller)?;
        self.rematch.take().ok_or(Error::NoOffer)
    }

    #[inline(never)]
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

    /// Match state with which the rematch of this game starts, and the accounts of its players.
    /// `number` is that of this game. The loser moves first; after a draw, the player who moved
    /// second; after an abort the seats stay.
    #[must_use]
    pub fn rematch_of(&self, game: &Game, number: u32) -> (Self, ByPlayer<Address>) {
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
        let players = ByPlayer {
            one: game.account_of(first),
            two: game.account_of(first.opponent()),
        };
        (rematch, players)
    }

    /// Settles the stakes of a game that has ended, and returns the share of each player.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::GameNotOver`] if the game has not ended,
    /// 2. [`Error::NothingToSettle`] if there are no stakes, or they are settled.
    pub fn settle(&mut self, game: &Game) -> Result<ByPlayer<u128>, Error> {
        if !game.is_over() {
            return Err(Error::GameNotOver);
        }
        let pot = self.pot();
        if pot == 0 {
            return Err(Error::NothingToSettle);
        }
        self.settled = true;
        Ok(payout(pot, game.winner()))
    }
}

/// Whether a player is to move, and has not moved in time.
#[inline(never)]
fn is_late(game: &Game, player: Player, now: u64) -> bool {
    game.to_move() == Some(player) && game.deadline().is_some_and(|deadline| now > deadline)
}

/// The player that an account is, if the game has not ended.
#[inline(never)]
fn player_in_progress(game: &Game, caller: Address) -> Result<Player, Error> {
    if game.is_over() {
        return Err(Error::GameOver);
    }
    game.player_of(&caller).ok_or(Error::NotAPlayer)
}
