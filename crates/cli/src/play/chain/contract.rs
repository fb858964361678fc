//! The contract of a game, classic or variant, as it is played here.

use connect4_client::{
    Action, BlockRef, Contracts, Error, Event, GameId, Receipt, Seen, Signer, replay,
};
use connect4_protocol::variants::event::PlayerLeft;
use connect4_protocol::{AnyGame, Error as Refusal};
use connect4_rules::variant::Move;

use crate::failure::Failure;
use crate::lookup;
use crate::play::grammar::Input;

/// A move as the chain has taken it.
pub struct Played {
    /// Row in which a disc of a classic game lies.
    pub row: u8,
    /// The game after the move; none if it has to be read.
    pub after: Option<AnyGame>,
}

/// What an action has come to.
pub enum Performed {
    /// The signer has given a classic game up.
    Resigned,
    /// A player has left a variant, or was removed for being late.
    Left(PlayerLeft),
}

/// The game as it stands. A classic game whose storage was freed, as its payer may do at once after the
/// end, is made of its events.
pub async fn game(contract: &Contracts, id: GameId) -> Result<Seen<AnyGame>, Failure> {
    if id.is_variant() {
        return lookup::game(contract, id).await;
    }
    match contract.see_game(id).await? {
        Some(seen) => Ok(seen),
        None => freed_game(contract, id).await,
    }
}

/// Sends a move to a contract whose transactions are based on the game as it was seen; nothing if the game
/// has no such moves.
pub async fn play(
    contract: &Contracts,
    id: GameId,
    before: &AnyGame,
    signer: &Signer,
    action: Move,
) -> Result<Option<Receipt<Played>>, Error> {
    Ok(match (before, action) {
        (AnyGame::Two(before), Move::Drop(bin)) => {
            let receipt = contract.drop_disc(signer, id, bin).await?;
            Some(receipt.map(|played| Played {
                row: played.dropped.row,
                after: played.game_after(before).map(AnyGame::from),
            }))
        }
        // A classic game has no other moves.
        (AnyGame::Two(_), _) => None,
        (AnyGame::Variant(_), action) => {
            let receipt = contract.perform(signer, id, Action::Move(action)).await?;
            Some(receipt.map(|_| Played {
                row: 0,
                after: None,
            }))
        }
    })
}

/// Sends what a player wants other than a move to a contract whose transactions are based on the game as it
/// was seen; nothing if the game has no such action.
pub async fn perform(
    contract: &Contracts,
    id: GameId,
    signer: &Signer,
    input: Input,
) -> Result<Option<Receipt<Performed>>, Error> {
    let Some(action) = action(id, input) else {
        return Ok(None);
    };
    let receipt = contract.perform(signer, id, action).await?;
    if !id.is_variant() {
        return Ok(Some(receipt.map(|_| Performed::Resigned)));
    }
    let left = receipt.value.events.iter().find_map(|event| match event {
        Event::PlayerLeft(left) => Some(left.clone()),
        _ => None,
    });
    Ok(left.map(|left| receipt.map(|_| Performed::Left(left))))
}

/// The action, other than a move, that a player wants.
fn action(id: GameId, input: Input) -> Option<Action> {
    match (input, id) {
        (Input::Resign, GameId::Classic(_)) => Some(Action::Resign),
        (Input::Resign, GameId::Variant(_)) => Some(Action::Leave),
        (Input::Claim, GameId::Variant(_)) => Some(Action::RemoveLate),
        _ => None,
    }
}

/// Waits until the game is not as it was, and returns it.
pub async fn change(
    contract: &Contracts,
    id: GameId,
    game: &AnyGame,
) -> Result<Seen<AnyGame>, Failure> {
    match contract.wait_for_change(id, game).await {
        Err(error) if error.refusal() == Some(Refusal::NoSuchGame) && !id.is_variant() => {
            freed_game(contract, id).await
        }
        changed => Ok(changed?),
    }
}

async fn freed_game(contract: &Contracts, id: GameId) -> Result<Seen<AnyGame>, Failure> {
    let history = contract.history(id, 0).await;
    if let Ok(history) = history
        && let Some(last) = history.last()
        && let Ok(value) = replay(&history)
    {
        let block = BlockRef {
            number: last.block,
            hash: last.block_hash,
        };
        let value = value.into();
        return Ok(Seen { value, block });
    }
    // The game was never there, or the node has discarded its events.
    lookup::game(contract, id).await
}
