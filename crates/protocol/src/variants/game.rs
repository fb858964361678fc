//! A table and the game that is played at it.

mod record;

use connect4_rules::Cells;
use connect4_rules::variant::{Colour, Move, Outcome, Position, Variant, VariantSpec};

use super::End;
use crate::{Address, Error};

/// A game of a variant between two to four accounts, or the table at which it is to be played.
///
/// Its encoding has the same length from the opening of the table to the end of the game, so that
/// the deposit for its storage is paid once.
///
/// # Examples
///
/// ```
/// use connect4_protocol::variants::Game;
/// use connect4_protocol::{Address, End, Error};
/// use connect4_rules::variant::{Colour, Move, VariantSpec};
/// use connect4_rules::{Bin, Shape};
///
/// let [alice, bob, charlie] = [1, 2, 3].map(|byte| Address([byte; 20]));
/// let terms = VariantSpec { players: 3, ..VariantSpec::classic(Shape::STANDARD) };
/// let mut game = Game::open(alice, &[], terms, Some(60), 1_700_000_000)?;
/// assert_eq!(game.join(bob, 1_700_000_005)?, 1);
/// assert_eq!(game.join(charlie, 1_700_000_010)?, 2);
/// assert!(game.has_started());
/// assert_eq!(game.deadline(), Some(1_700_000_070));
///
/// let drop = Move::Drop(Bin::new(3));
/// assert_eq!(game.play(bob, drop, 1_700_000_020), Err(Error::NotYourTurn));
/// assert_eq!(game.play(alice, drop, 1_700_000_020), Ok(None));
/// // Bob lets his minute pass, and Charlie gives up.
/// assert_eq!(game.remove_late(1_700_000_081), Ok(bob));
/// game.leave(charlie, 1_700_000_090)?;
/// assert_eq!(game.end(), Some(End::LastLeft));
/// assert_eq!(game.winner(), Some(alice));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::MaxEncodedLen, scale_info::TypeInfo)]
pub struct Game {
    /// Accounts by their places in the turn order. The zero address where nobody has joined yet.
    seats: [Address; 4],
    /// Whether the accounts of the seats have joined.
    joined: [bool; 4],
    /// Whether only the accounts of the seats may join.
    named: bool,
    status: Status,
    position: Position,
    /// Whether the first two players have exchanged their colours.
    swapped: bool,
    payer: Address,
    /// Time for a move, in seconds; 0 if there is no limit.
    limit: u32,
    /// When the turn began, or the table was opened, in seconds since 1970.
    since: u64,
}

/// What of a game is not in its position, in one byte.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
enum Status {
    /// A table waits for players.
    Open,
    Started,
    Abandoned,
}

/// What leaving a table or a game came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// A seat of the table is free again.
    SeatFreed,
    /// The opener left, who pays for the table: it is to be removed.
    TableClosed,
    /// The player is out of the game.
    OutOfGame,
}

impl Game {
    /// Shortest time for a move, in seconds: what an honest player needs on a chain with a block
    /// every 6 seconds.
    pub const MIN_LIMIT: u32 = 10;
    /// Longest time for a move, in seconds: 30 days.
    pub const MAX_LIMIT: u32 = 30 * 24 * 60 * 60;
    /// A game in which nobody has moved for so long, in seconds, counts as abandoned: 30 days.
    pub const ABANDONED_AFTER: u32 = 30 * 24 * 60 * 60;

    /// Starts a game without a time limit between these accounts, in turn order. They need not
    /// agree, so nobody can be removed for being late.
    ///
    /// # Errors
    ///
    /// The first that applies:
    ///
    /// 1. [`Error::BadShape`] if the shape is out of bounds,
    /// 2. [`Error::BadVariant`] if other terms are,
    /// 3. [`Error::WrongPlayers`] if there are not as many accounts as players in the terms, or one
    ///    is the zero address, which nobody has,
    /// 4. [`Error::SamePlayer`] if two of them are the same.
    pub fn start(
        players: &[Address],
        variant: VariantSpec,
        payer: Address,
        now: u64,
    ) -> Result<Self, Error> {
        let mut game = Self::new(players, variant, payer, now)?;
        game.named = true;
        game.status = Status::Started;
        game.joined = [true; 4];
        Ok(game)
    }

    /// Opens a table, at which the opener has a seat: the first one, if anyone may join. If players
    /// are named, in turn order, only they may, and the opener has to be one of them.
    ///
    /// # Errors
    ///
    /// The first that applies:
    ///
    /// 1. [`Error::BadShape`] if the shape is out of bounds,
    /// 2. [`Error::BadVariant`] if other terms are,
    /// 3. [`Error::WrongPlayers`] if players are named, but not as many as in the terms, or the zero
    ///    address among them,
    /// 4. [`Error::SamePlayer`] if two of them are the same,
    /// 5. [`Error::WrongPlayers`] if the opener is not one of them,
    /// 6. [`Error::BadLimit`] if the time limit is not [`Self::MIN_LIMIT`] to
    ///    [`Self::MAX_LIMIT`].
    pub fn open(
        opener: Address,
        players: &[Address],
        variant: VariantSpec,
        limit: Option<u32>,
        now: u64,
    ) -> Result<Self, Error> {
        let mut game = if players.is_empty() {
            let mut game = Self::with_terms(variant, opener, now)?;
            game.seats[0] = opener;
            game
        } else {
            let mut game = Self::new(players, variant, opener, now)?;
            game.named = true;
            game
        };
        let seat = game.seat_of(opener).ok_or(Error::WrongPlayers)?;
        game.joined[seat] = true;
        game.limit = match limit {
            None => 0,
            Some(limit @ Self::MIN_LIMIT..=Self::MAX_LIMIT) => limit,
            Some(_) => return Err(Error::BadLimit),
        };
        Ok(game)
    }

    fn new(
        players: &[Address],
        variant: VariantSpec,
        payer: Address,
        now: u64,
    ) -> Result<Self, Error> {
        let mut game = Self::with_terms(variant, payer, now)?;
        let wanted = usize::from(game.variant().players());
        if players.len() != wanted || players.contains(&Address::ZERO) {
            return Err(Error::WrongPlayers);
        }
        for (seat, &player) in game.seats.iter_mut().zip(players) {
            *seat = player;
        }
        let mut others = players.iter();
        while let Some(player) = others.next() {
            if others.as_slice().contains(player) {
                return Err(Error::SamePlayer);
            }
        }
        Ok(game)
    }

    fn with_terms(variant: VariantSpec, payer: Address, now: u64) -> Result<Self, Error> {
        let variant = Variant::try_from(variant)?;
        Ok(Self {
            seats: [Address::ZERO; 4],
            joined: [false; 4],
            named: false,
            status: Status::Open,
            position: Position::new(variant),
            swapped: false,
            payer,
            limit: 0,
            since: now,
        })
    }

    /// Joins the table, and returns the seat, from 0 in turn order. The game starts when the last
    /// player joins.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the table unchanged:
    ///
    /// 1. [`Error::AlreadyStarted`] if the game has started,
    /// 2. [`Error::AlreadyJoined`] if the account has joined,
    /// 3. [`Error::NotInvited`] if the table is for other players.
    pub fn join(&mut self, account: Address, now: u64) -> Result<u8, Error> {
        if self.status != Status::Open {
            return Err(Error::AlreadyStarted);
        }
        let seat = match self.seat_of(account) {
            Some(seat) if self.joined[seat] => return Err(Error::AlreadyJoined),
            Some(seat) => seat,
            None if self.named => return Err(Error::NotInvited),
            // An open table has a free seat, as it starts with the last one.
            None => self.joined.iter().position(|joined| !joined).unwrap_or(0),
        };
        self.seats[seat] = account;
        self.joined[seat] = true;
        let players = usize::from(self.variant().players());
        if self.joined.iter().take(players).all(|&joined| joined) {
            self.status = Status::Started;
            self.since = now;
        }
        // At most 3.
        Ok(seat as u8)
    }

    /// Leaves the table or the game.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::GameOver`] if the game has ended,
    /// 2. [`Error::NotAPlayer`] if the account does not play it, or has not joined the table,
    /// 3. [`Error::HasLeft`] if the account has left before.
    pub fn leave(&mut self, account: Address, now: u64) -> Result<Departure, Error> {
        if self.is_over() {
            return Err(Error::GameOver);
        }
        let seat = self.seat_of(account).filter(|&seat| self.joined[seat]);
        let seat = seat.ok_or(Error::NotAPlayer)?;
        if self.status == Status::Open {
            if account == self.payer {
                return Ok(Departure::TableClosed);
            }
            self.joined[seat] = false;
            if !self.named {
                self.seats[seat] = Address::ZERO;
            }
            return Ok(Departure::SeatFreed);
        }
        self.take_out(self.colour_at(seat), now)?;
        Ok(Departure::OutOfGame)
    }

    /// Makes a move of an account, and returns how the game ended if it did.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::NotStarted`] if the table still waits for players,
    /// 2. [`Error::GameOver`] if the game has ended,
    /// 3. [`Error::NotAPlayer`] if the account does not play this game,
    /// 4. [`Error::HasLeft`] if the account has left it,
    /// 5. [`Error::NotYourTurn`] if another player is to move,
    /// 6. [`Error::OutOfTime`] if `now` is after the deadline,
    /// 7. the error of the first [`MoveError`](connect4_rules::variant::MoveError) that applies, in
    ///    the order of its variants.
    pub fn play(&mut self, account: Address, action: Move, now: u64) -> Result<Option<End>, Error> {
        if self.status == Status::Open {
            return Err(Error::NotStarted);
        }
        let to_move = self.to_move().ok_or(Error::GameOver)?;
        let colour = self.colour_of(account).ok_or(Error::NotAPlayer)?;
        if self.position.has_left(colour) {
            return Err(Error::HasLeft);
        }
        if colour != to_move {
            return Err(Error::NotYourTurn);
        }
        if self.is_late(now) {
            return Err(Error::OutOfTime);
        }
        let outcome = self.position.play(action)?;
        if action == Move::Swap {
            self.swapped = true;
        }
        self.since = now;
        Ok(outcome.map(End::from))
    }

    /// Removes the player to move, who has not moved in time, and returns the account. The game
    /// goes on without that player if two or more are left.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::NotStarted`] if the table still waits for players,
    /// 2. [`Error::GameOver`] if the game has ended,
    /// 3. [`Error::NoLimit`] if the game has no time limit,
    /// 4. [`Error::TimeLeft`] if `now` is not after the deadline.
    pub fn remove_late(&mut self, now: u64) -> Result<Address, Error> {
        if self.status == Status::Open {
            return Err(Error::NotStarted);
        }
        let colour = self.to_move().ok_or(Error::GameOver)?;
        if self.limit == 0 {
            return Err(Error::NoLimit);
        }
        if !self.is_late(now) {
            return Err(Error::TimeLeft);
        }
        self.take_out(colour, now)?;
        Ok(self.account_of(colour))
    }

    /// Checks that an account may free the storage of the game, and gives the game up as abandoned
    /// if it has not ended.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies, and leaves the game unchanged:
    ///
    /// 1. [`Error::NotPayer`] if the account did not pay for the storage,
    /// 2. [`Error::NotStarted`] if the table still waits for players; its opener leaves it instead,
    /// 3. [`Error::GameNotOver`] if the game goes on, and the last move is not more than
    ///    [`Self::ABANDONED_AFTER`] ago.
    pub fn free(&mut self, account: Address, now: u64) -> Result<(), Error> {
        if account != self.payer {
            return Err(Error::NotPayer);
        }
        if self.status == Status::Open {
            return Err(Error::NotStarted);
        }
        if self.is_over() {
            return Ok(());
        }
        if now <= self.since.saturating_add(Self::ABANDONED_AFTER.into()) {
            return Err(Error::GameNotOver);
        }
        self.status = Status::Abandoned;
        Ok(())
    }

    /// Gives the game up as abandoned, unchecked: for a client that replays the events of a game.
    pub const fn abandon(&mut self) {
        self.status = Status::Abandoned;
    }

    /// The same game with a time limit for each move, which is not checked: for a client that
    /// replays the events of a game.
    #[must_use]
    pub const fn limited(mut self, limit: Option<u32>) -> Self {
        self.limit = match limit {
            Some(limit) => limit,
            None => 0,
        };
        self
    }

    fn take_out(&mut self, colour: Colour, now: u64) -> Result<(), Error> {
        let was_to_move = self.to_move() == Some(colour);
        self.position.leave(colour)?;
        if was_to_move {
            self.since = now;
        }
        Ok(())
    }

    fn is_late(&self, now: u64) -> bool {
        self.deadline().is_some_and(|deadline| now > deadline)
    }

    fn seat_of(&self, account: Address) -> Option<usize> {
        let players = usize::from(self.variant().players());
        let mut seats = self.seats.iter().take(players);
        seats.position(|&other| other == account && other != Address::ZERO)
    }

    /// The colour that is played from a seat.
    fn colour_at(&self, seat: usize) -> Colour {
        let [red, blue, green, yellow] = match self.swapped {
            false => Colour::ALL,
            true => [Colour::Blue, Colour::Red, Colour::Green, Colour::Yellow],
        };
        match seat {
            0 => red,
            1 => blue,
            2 => green,
            _ => yellow,
        }
    }

    /// The terms of the game.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.position.variant()
    }

    /// The position: the discs, the powers that are left, who has left.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the game has started; before, the table waits for players.
    #[must_use]
    pub fn has_started(&self) -> bool {
        self.status != Status::Open
    }

    /// Whether only named players may join the table.
    #[must_use]
    pub const fn is_named(&self) -> bool {
        self.named
    }

    /// The seats in turn order, each with its account if it is taken or kept for one, and whether
    /// that account has joined.
    pub fn seats(&self) -> impl Iterator<Item = (Option<Address>, bool)> + '_ {
        let players = usize::from(self.variant().players());
        let seats = self.seats.iter().zip(&self.joined).take(players);
        seats.map(|(&account, &joined)| ((account != Address::ZERO).then_some(account), joined))
    }

    /// The seat from which a colour is played: its place among the [`seats`](Self::seats).
    #[must_use]
    pub fn seat_at(&self, colour: Colour) -> usize {
        // An exchange of two: the seat of a colour is the colour of that seat.
        self.colour_at(colour.index()).index()
    }

    /// The accounts of the seats in turn order; the zero address where nobody has joined yet.
    #[must_use]
    pub fn accounts(&self) -> &[Address] {
        let players = usize::from(self.variant().players());
        self.seats.get(..players).unwrap_or_default()
    }

    /// The account that plays a colour; the zero address if nobody does yet.
    #[must_use]
    pub fn account_of(&self, colour: Colour) -> Address {
        let seats = [0, 1, 2, 3];
        let seat = seats
            .into_iter()
            .find(|&seat| self.colour_at(seat) == colour);
        seat.and_then(|seat| self.seats.get(seat).copied())
            .unwrap_or_default()
    }

    /// The colour that an account plays; none if it does not play this game.
    #[must_use]
    pub fn colour_of(&self, account: Address) -> Option<Colour> {
        self.seat_of(account).map(|seat| self.colour_at(seat))
    }

    /// The colour to move; none before the start and after the end.
    #[must_use]
    pub fn to_move(&self) -> Option<Colour> {
        match self.status {
            Status::Started => self.position.to_move(),
            Status::Open | Status::Abandoned => None,
        }
    }

    /// Whether the first two players have exchanged their colours.
    #[must_use]
    pub const fn is_swapped(&self) -> bool {
        self.swapped
    }

    /// Whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.end_code().is_some()
    }

    /// How the game ended; none before the end.
    #[must_use]
    pub fn end(&self) -> Option<crate::End> {
        self.end_code().map(crate::End::from)
    }

    /// How the game ended, as the contract encodes it; none before the end.
    #[must_use]
    pub fn end_code(&self) -> Option<End> {
        match self.status {
            Status::Abandoned => Some(End::Abandoned),
            Status::Open | Status::Started => self.position.outcome().map(End::from),
        }
    }

    /// The account that has won; none before the end and after a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Address> {
        let winner = self.position.outcome().and_then(Outcome::winner)?;
        Some(self.account_of(winner))
    }

    /// The cells of every line of the winner; empty without a winner, and without a line.
    #[must_use]
    pub fn winning_cells(&self) -> Cells {
        self.position.winning_cells()
    }

    /// The account that pays for the storage: who started the game or opened the table.
    #[must_use]
    pub const fn payer(&self) -> Address {
        self.payer
    }

    /// Time for a move, in seconds; none if there is no limit.
    #[must_use]
    pub const fn limit(&self) -> Option<u32> {
        match self.limit {
            0 => None,
            limit => Some(limit),
        }
    }

    /// When the turn began, or the table was opened, in seconds since 1970.
    #[must_use]
    pub const fn since(&self) -> u64 {
        self.since
    }

    /// The last second at which the player to move may move, in seconds since 1970; none without a
    /// limit, before the start and after the end.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        let limit = self.limit()?;
        self.to_move()?;
        Some(self.since.saturating_add(limit.into()))
    }
}
