//! Turns that computers take: how a game of each kind is read, thought about and moved in.

use connect4_client::{Action, Address, Contracts, Error, GameId, Signer};
use connect4_opponent::Opponent;
use connect4_protocol::AnyGame;
use connect4_rules::variant::Move;

use crate::link::Connected;

/// A game in which an account is to move, and the contract, whose transactions are based on it.
pub struct Turn {
    contract: Contracts,
    id: GameId,
    game: AnyGame,
}

impl Turn {
    /// The turn of an account in a game; none if others are to move.
    pub async fn of(at: &Connected, id: GameId, account: Address) -> Result<Option<Self>, Error> {
        let Some(contract) = at.contract_of(id) else {
            return Ok(None);
        };
        let Some(seen) = contract.see_game::<AnyGame>(id).await? else {
            return Ok(None);
        };
        let mover = seen.to_move().map(|colour| seen.account_of(colour));
        if mover != Some(account) {
            return Ok(None);
        }
        Ok(Some(Self {
            contract: contract.based_on(id, &seen),
            id,
            game: seen.value,
        }))
    }

    /// Chooses a move; none after the end. May take long.
    pub fn choose(&self, mind: &mut Opponent) -> Option<Move> {
        match &self.game {
            AnyGame::Two(game) => mind.choose(&game.position()).map(Move::Drop),
            AnyGame::Variant(game) => mind.choose(game.position()),
        }
    }

    pub async fn make(&self, signer: &Signer, action: Move) -> Result<(), Error> {
        let making = self.contract.perform(signer, self.id, Action::Move(action));
        making.await.map(|_| ())
    }
}
