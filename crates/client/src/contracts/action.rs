//! What a player can do in a game, and what the chain tells of it.

use connect4_protocol::event::{DiscDropped, GameEnded, MatchStarted, Withdrawn};
use connect4_protocol::message::{
    AcceptDraw, AcceptRematch, ClaimFastTimeout, ClaimTimeout, DeclineDraw, DeclineFastRematch,
    DeclineRematch, DropDisc, DropFast, Free, FreeFast, OfferDraw, OfferRematch, Press, Resign,
    ResignFast, Withdraw, WithdrawFast,
};
use connect4_protocol::{Event, Game, GameId, Message};
use connect4_rules::Bin;

use crate::contracts::abi::Packed;

/// What a player can do in a game: one transaction each, by
/// [`Contract::perform`](crate::Contract::perform).
///
/// Every view offers these. The views that take a game from its contract alone, without matches,
/// have [`Action::Drop`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Drops a disc of the signer into a bin.
    Drop(Bin),
    /// Gives the game up: the opponent wins.
    Resign,
    /// Ends the game because the time of the player to move has run out. Any account may.
    ClaimTimeout,
    /// Starts the clock of the player to move in a fast game, for the signer who waits.
    Press,
    /// Offers a draw, or accepts the opponent's offer.
    OfferDraw,
    /// Accepts the opponent's offer of a draw.
    AcceptDraw,
    /// Declines the opponent's offer of a draw.
    DeclineDraw,
    /// Offers a rematch and pays its stake, or accepts the opponent's offer.
    OfferRematch,
    /// Accepts the opponent's offer of a rematch and pays its stake.
    AcceptRematch,
    /// Declines the opponent's offer of a rematch, or takes back the signer's own.
    DeclineRematch,
    /// Settles the game if it has stakes, and pays the signer all that the contract owes it.
    Withdraw,
    /// Frees the storage of the game, which has ended: the deposit goes back to the signer, who
    /// paid it.
    ///
    /// A game that goes on can't be freed, and nobody but its players ends one without a clock: if
    /// it stops for ever, a payer who plays can [resign](Action::Resign), another payer waits for a
    /// player to do so. A payer that is a contract has to make this call itself.
    Free,
}

impl Action {
    /// All actions but [`Action::Drop`], which needs a bin.
    pub const WITHOUT_BIN: [Self; 11] = [
        Self::Resign,
        Self::ClaimTimeout,
        Self::Press,
        Self::OfferDraw,
        Self::AcceptDraw,
        Self::DeclineDraw,
        Self::OfferRematch,
        Self::AcceptRematch,
        Self::DeclineRematch,
        Self::Withdraw,
        Self::Free,
    ];

    /// Name of the action: that of the contract's message, as `offer_draw`.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_client::Action;
    ///
    /// assert_eq!(Action::OfferDraw.name(), "offer_draw");
    /// assert_eq!(Action::from_name("offer_draw"), Some(Action::OfferDraw));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop(_) => DropDisc::NAME,
            Self::Resign => Resign::NAME,
            Self::ClaimTimeout => ClaimTimeout::NAME,
            Self::Press => Press::NAME,
            Self::OfferDraw => OfferDraw::NAME,
            Self::AcceptDraw => AcceptDraw::NAME,
            Self::DeclineDraw => DeclineDraw::NAME,
            Self::OfferRematch => OfferRematch::NAME,
            Self::AcceptRematch => AcceptRematch::NAME,
            Self::DeclineRematch => DeclineRematch::NAME,
            Self::Withdraw => Withdraw::NAME,
            Self::Free => Free::NAME,
        }
    }

    /// The action with this name; none if no action has it, or if it needs a bin.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::WITHOUT_BIN
            .into_iter()
            .find(|action| action.name() == name)
    }

    /// The message by which it is performed in a game between two accounts; none for draws and rematches
    /// of fast games, which are signed, or name a session key.
    pub(crate) fn message(self, id: GameId) -> Option<Packed> {
        let game = id.number();
        Some(match (self, id.is_fast()) {
            (Self::Drop(bin), false) => Packed::of(&DropDisc {
                game,
                bin: bin.index(),
            }),
            (Self::Drop(bin), true) => Packed::of(&DropFast {
                game,
                bin: bin.index(),
            }),
            (Self::Resign, false) => Packed::of(&Resign { game }),
            (Self::Resign, true) => Packed::of(&ResignFast { game }),
            (Self::ClaimTimeout, false) => Packed::of(&ClaimTimeout { game }),
            (Self::ClaimTimeout, true) => Packed::of(&ClaimFastTimeout { game }),
            (Self::Press, _) => Packed::of(&Press { game }),
            (Self::OfferDraw, false) => Packed::of(&OfferDraw { game }),
            (Self::AcceptDraw, false) => Packed::of(&AcceptDraw { game }),
            (Self::DeclineDraw, false) => Packed::of(&DeclineDraw { game }),
            (Self::OfferRematch, false) => Packed::of(&OfferRematch { game }),
            (Self::AcceptRematch, false) => Packed::of(&AcceptRematch { game }),
            (
                Self::OfferDraw
                | Self::AcceptDraw
                | Self::DeclineDraw
                | Self::OfferRematch
                | Self::AcceptRematch,
                true,
            ) => return None,
            (Self::DeclineRematch, false) => Packed::of(&DeclineRematch { game }),
            (Self::DeclineRematch, true) => Packed::of(&DeclineFastRematch { game }),
            (Self::Withdraw, false) => Packed::of(&Withdraw { games: vec![game] }),
            (Self::Withdraw, true) => Packed::of(&WithdrawFast {}),
            (Self::Free, false) => Packed::of(&Free { game }),
            (Self::Free, true) => Packed::of(&FreeFast { game }),
        })
    }

    /// Whether it pays the stake of the game.
    pub(crate) const fn pays_stake(self) -> bool {
        matches!(self, Self::OfferRematch | Self::AcceptRematch)
    }

    /// Whether the event is one by which the chain tells that the action was performed.
    pub(crate) const fn is_told_by(self, event: &Event) -> bool {
        match self {
            Self::Drop(_) => matches!(event, Event::DiscDropped(_)),
            Self::Resign | Self::ClaimTimeout | Self::AcceptDraw => {
                matches!(event, Event::GameEnded(_))
            }
            Self::Press => matches!(event, Event::ClockPressed(_)),
            Self::OfferDraw => matches!(event, Event::DrawOffered(_) | Event::GameEnded(_)),
            Self::DeclineDraw => matches!(event, Event::DrawDeclined(_)),
            Self::OfferRematch => {
                matches!(event, Event::RematchOffered(_) | Event::MatchStarted(_))
            }
            Self::AcceptRematch => matches!(event, Event::MatchStarted(_)),
            Self::DeclineRematch => matches!(event, Event::RematchDeclined(_)),
            Self::Withdraw => matches!(event, Event::Withdrawn(_)),
            Self::Free => matches!(event, Event::GameFreed(_)),
        }
    }
}

/// What an action has done: the events of the contracts that its transaction emitted, in order.
/// There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Performed {
    /// The events.
    pub events: Vec<Event>,
}

impl Performed {
    /// The move; none if the action was not a drop.
    #[must_use]
    pub fn played(&self) -> Option<Played> {
        let dropped = self.events.iter().find_map(|event| match event {
            Event::DiscDropped(dropped) => Some(dropped.clone()),
            _ => None,
        })?;
        let ended = self.ended().cloned();
        Some(Played { dropped, ended })
    }

    /// The end of the game; none if the action has not ended it.
    #[must_use]
    pub fn ended(&self) -> Option<&GameEnded> {
        self.events.iter().find_map(|event| match event {
            Event::GameEnded(ended) => Some(ended),
            _ => None,
        })
    }

    /// Number of the rematch; none if the action has not started one.
    #[must_use]
    pub fn rematch(&self) -> Option<u32> {
        self.events.iter().find_map(|event| match event {
            Event::MatchStarted(MatchStarted { game, .. }) => Some(*game),
            _ => None,
        })
    }

    /// Amount that the signer was paid, in the unit in which a contract sees amounts; none if the
    /// action was not a withdrawal.
    #[must_use]
    pub fn paid(&self) -> Option<u128> {
        self.events.iter().find_map(|event| match event {
            Event::Withdrawn(Withdrawn { amount, .. }) => Some(*amount),
            _ => None,
        })
    }
}

/// A move as the chain tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The disc that was dropped: its row, its turn, the opponent's deadline.
    pub dropped: DiscDropped,
    /// The end of the game with its winning cells; none if the game goes on.
    pub ended: Option<GameEnded>,
}

impl Played {
    /// The game after the move, made from the game before it; none if it has to be read from the
    /// chain instead.
    ///
    /// That is so if `before` is not the game just before the move, and if the game had a clock and
    /// the move ended it: no event tells at which second the clock stopped.
    #[must_use]
    pub fn game_after(&self, before: &Game) -> Option<Game> {
        let Self { dropped, ended } = self;
        if dropped.turn != before.turns() {
            return None;
        }
        let now = match (before.clock(), dropped.deadline) {
            (None, _) => 0,
            // From the move on the opponent has the time that its bank held.
            (Some(clock), Some(deadline)) => deadline.checked_sub(clock.waiting().into())?,
            (Some(_), None) => return None,
        };
        let mut game = *before;
        let told = game.drop(dropped.player, Bin::new(dropped.bin), now).ok()?;
        let agrees = told.row == dropped.row
            && game.deadline() == dropped.deadline
            && game.is_over() == ended.is_some();
        agrees.then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::{Address, ClockSpec, End};
    use connect4_rules::Shape;

    use super::*;

    const ALICE: Address = Address([1; 20]);
    const BOB: Address = Address([2; 20]);

    fn played(turn: u8, bin: u8, row: u8, deadline: Option<u64>) -> Played {
        Played {
            dropped: DiscDropped {
                game: 7,
                player: if turn.is_multiple_of(2) { ALICE } else { BOB },
                bin,
                row,
                turn,
                deadline,
            },
            ended: None,
        }
    }

    #[test]
    fn every_action_reads_back_from_its_name() {
        for action in Action::WITHOUT_BIN {
            assert_eq!(Action::from_name(action.name()), Some(action));
        }
        assert_eq!(Action::from_name("drop_disc"), None, "it needs a bin");
        assert_eq!(Action::from_name("Resign"), None);
    }

    #[test]
    fn a_drop_makes_the_next_game_of_the_one_before() {
        let before = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).unwrap();
        let mut after = before;
        after.drop(ALICE, Bin::new(3), 0).unwrap();
        let told = played(0, 3, 0, None);
        assert_eq!(told.game_after(&before), Some(after));
        assert_eq!(told.game_after(&after), None, "not the game before");
        let other_row = played(0, 3, 1, None);
        assert_eq!(other_row.game_after(&before), None);
    }

    #[test]
    fn a_drop_tells_the_clock() {
        let clock = ClockSpec {
            bank: 60,
            increment: 5,
        };
        let before = Game::start(ALICE, BOB, Shape::CLASSROOM.into())
            .unwrap()
            .timed(clock, 1_000);
        let mut after = before;
        after.drop(ALICE, Bin::new(3), 1_020).unwrap();
        let told = played(0, 3, 0, Some(1_080));
        assert_eq!(told.game_after(&before), Some(after));
        let no_deadline = played(0, 3, 0, None);
        assert_eq!(no_deadline.game_after(&before), None);
    }

    #[test]
    fn a_drop_tells_the_end() {
        let mut before = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).unwrap();
        for (turn, bin) in [0, 1, 0, 1, 0, 1].into_iter().enumerate() {
            before
                .drop([ALICE, BOB][turn % 2], Bin::new(bin), 0)
                .unwrap();
        }
        let mut after = before;
        after.drop(ALICE, Bin::new(0), 0).unwrap();
        let mut told = played(6, 0, 3, None);
        assert_eq!(told.game_after(&before), None, "the end is missing");
        told.ended = Some(GameEnded {
            game: 7,
            winner: Some(ALICE),
            end: End::Line,
            winning_cells: after.winning_cells(),
        });
        assert_eq!(told.game_after(&before), Some(after));
        let performed = Performed {
            events: vec![
                Event::DiscDropped(told.dropped.clone()),
                Event::GameEnded(told.ended.clone().unwrap()),
            ],
        };
        assert_eq!(performed.played(), Some(told));
    }
}
