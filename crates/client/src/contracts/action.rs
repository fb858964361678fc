//! What an account can do in a game.

use connect4_protocol::message::{ContractKind, DropDisc, Free, Resign};
use connect4_protocol::variants::message::{FreeVariant, Join, Leave, MakeMove, RemoveLate};
use connect4_protocol::{GameId, Message as _};
use connect4_rules::variant::Move;

use crate::accounts::account::Signer;
use crate::contracts::abi::Packed;
use crate::contracts::performed::Performed;
use crate::task::Task;

/// What an account can do in a game or at its table: one transaction each, by
/// [`Contracts::perform`](crate::Contracts::perform).
///
/// Every view offers these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Makes a move of the signer. In games between two accounts it is a drop.
    Move(Move),
    /// Gives a game between two accounts up: the opponent wins.
    Resign,
    /// Frees the storage of the game, which has ended, or which is a variant that was abandoned: the
    /// deposit goes back to the signer, who paid it.
    ///
    /// A game between two accounts that goes on can't be freed, and nobody but its players ends one:
    /// if it stops for ever, a payer who plays can [resign](Action::Resign), another
    /// payer waits for a player to do so. A payer that is a contract has to make this call itself.
    Free,
    /// Joins the table of a variant. The game starts when the last player joins.
    Join,
    /// Leaves the table of a variant, or gives the game up: it goes on without the signer if two or more
    /// are left. A table is closed when its opener leaves.
    Leave,
    /// Removes the player to move in a variant, whose time has run out. Any account may.
    RemoveLate,
}

impl Action {
    /// All actions but [`Action::Move`].
    pub const WITHOUT_MOVE: [Self; 5] = [
        Self::Resign,
        Self::Free,
        Self::Join,
        Self::Leave,
        Self::RemoveLate,
    ];

    /// Name of the action: that of the contract's message, as `remove_late`.
    ///
    /// # Examples
    ///
    /// ```
    /// use connect4_client::Action;
    ///
    /// assert_eq!(Action::RemoveLate.name(), "remove_late");
    /// assert_eq!(Action::from_name("remove_late"), Some(Action::RemoveLate));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Move(_) => MakeMove::NAME,
            Self::Resign => Resign::NAME,
            Self::Free => Free::NAME,
            Self::Join => Join::NAME,
            Self::Leave => Leave::NAME,
            Self::RemoveLate => RemoveLate::NAME,
        }
    }

    /// The action with this name; none if no action has it, or if it needs a move.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::WITHOUT_MOVE
            .into_iter()
            .find(|action| action.name() == name)
    }

    /// Whether games of the kind of this one have the action.
    #[must_use]
    pub const fn is_in(self, game: GameId) -> bool {
        match self {
            Self::Move(_) | Self::Free => true,
            Self::Join | Self::Leave | Self::RemoveLate => game.is_variant(),
            _ => matches!(game, GameId::Classic(_)),
        }
    }

    /// The message by which a signer performs it in a game. Else what was to be done, with the contract
    /// that has such actions.
    pub(crate) fn message(
        self,
        id: GameId,
        signer: &Signer,
    ) -> Result<Packed<Performed>, (Task, ContractKind)> {
        use GameId::{Classic, Variant};
        let game = id.number();
        Ok(match (self, id) {
            (Self::Move(Move::Drop(bin)), Classic(_)) => {
                let bin = bin.index();
                Packed::action(signer, &DropDisc { game, bin })
            }
            (Self::Move(action), Variant(_)) => Packed::action(signer, &MakeMove { game, action }),
            (Self::Resign, Classic(_)) => Packed::action(signer, &Resign { game }),
            (Self::Free, Classic(_)) => Packed::action(signer, &Free { game }),
            (Self::Free, Variant(_)) => Packed::action(signer, &FreeVariant { game }),
            (Self::Join, Variant(_)) => Packed::action(signer, &Join { game }),
            (Self::Leave, Variant(_)) => Packed::action(signer, &Leave { game }),
            (Self::RemoveLate, Variant(_)) => Packed::action(signer, &RemoveLate { game }),
            (action, id) => {
                let task = Task::Message(format!("{} in game {id}", action.name()));
                let kind = match id {
                    Variant(_) => ContractKind::Games,
                    Classic(_) => ContractKind::Variants,
                };
                return Err((task, kind));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_reads_back_from_its_name() {
        for action in Action::WITHOUT_MOVE {
            assert_eq!(Action::from_name(action.name()), Some(action));
        }
        assert_eq!(Action::from_name("make_move"), None, "it needs a move");
        assert_eq!(Action::from_name("drop_disc"), None, "it needs a bin");
        assert_eq!(Action::from_name("Resign"), None);
    }
}
