//! What a player of a variant can do.

use connect4_protocol::variants::message::{FreeVariant, Join, Leave, MakeMove, RemoveLate};
use connect4_protocol::{Event, Message};
use connect4_rules::variant::Move;

use crate::contracts::abi::Packed;

/// What a player can do in a game of a variant or at its table: one transaction each, by
/// [`Variants::perform`](crate::Variants::perform).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariantAction {
    /// Makes a move of the signer.
    Move(Move),
    /// Joins the table. The game starts when the last player joins.
    Join,
    /// Leaves the table, or gives the game up: it goes on without the signer if two or more are
    /// left. A table is closed when its opener leaves.
    Leave,
    /// Removes the player to move, whose time has run out. Any account may.
    RemoveLate,
    /// Frees the storage of the game, which has ended or was abandoned: the deposit goes back to the
    /// signer, who paid it.
    Free,
}

impl VariantAction {
    /// All actions but [`VariantAction::Move`].
    pub const WITHOUT_MOVE: [Self; 4] = [Self::Join, Self::Leave, Self::RemoveLate, Self::Free];

    /// Name of the action: that of the contract's message, as `remove_late`.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_client::VariantAction;
    ///
    /// assert_eq!(VariantAction::RemoveLate.name(), "remove_late");
    /// assert_eq!(VariantAction::from_name("remove_late"), Some(VariantAction::RemoveLate));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Move(_) => MakeMove::NAME,
            Self::Join => Join::NAME,
            Self::Leave => Leave::NAME,
            Self::RemoveLate => RemoveLate::NAME,
            Self::Free => FreeVariant::NAME,
        }
    }

    /// The action with this name; none if no action has it, or if it needs a move.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::WITHOUT_MOVE
            .into_iter()
            .find(|action| action.name() == name)
    }

    /// The message by which it is performed in a game or at its table.
    pub(crate) fn message(self, game: u32) -> Packed {
        match self {
            Self::Move(action) => Packed::of(&MakeMove { game, action }),
            Self::Join => Packed::of(&Join { game }),
            Self::Leave => Packed::of(&Leave { game }),
            Self::RemoveLate => Packed::of(&RemoveLate { game }),
            Self::Free => Packed::of(&FreeVariant { game }),
        }
    }

    /// Whether the event is one by which the chain tells that the action was performed.
    pub(crate) const fn is_told_by(self, event: &Event) -> bool {
        match self {
            Self::Move(_) => matches!(event, Event::MoveMade(_)),
            Self::Join => matches!(event, Event::PlayerJoined(_)),
            Self::Leave => matches!(event, Event::PlayerLeft(_) | Event::TableClosed(_)),
            Self::RemoveLate => matches!(event, Event::PlayerLeft(_)),
            Self::Free => matches!(event, Event::VariantFreed(_)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_reads_back_from_its_name() {
        for action in VariantAction::WITHOUT_MOVE {
            assert_eq!(VariantAction::from_name(action.name()), Some(action));
        }
        assert_eq!(
            VariantAction::from_name("make_move"),
            None,
            "it needs a move"
        );
    }
}
