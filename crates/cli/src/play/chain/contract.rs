//! The contract of a game, classic or variant, as it is played here.

use connect4_client::{
    Action, BlockRef, Contracts, Error, Event, GameId, Receipt, Seen, Signer, replay,
};
use connect4_protocol::message::ContractKind;
use connect4_protocol::variants::event::PlayerLeft;
use connect4_protocol::{AnyGame, Error as Refusal, Match};
use connect4_rules::variant::Move;

use crate::failure::Failure;
use crate::lookup;
use crate::play::grammar::Input;

/// How many of the newest games are looked at for the rematch of a game whose storage was freed.
const LOOKED_AT: u32 = 50;

/// A move as the chain has taken it.
pub struct Played {
    /// Row in which a disc of a classic game lies.
    pub row: u8,
    /// The game after the move; none if it has to be read.
    pub after: Option<AnyGame>,
}

/// What an action has come to.
pub enum Performed {
    /// An action of a classic game.
    Action { action: Action, has_ended: bool },
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
        return Ok(Some(receipt.map(|performed| Performed::Action {
            action,
            has_ended: performed.ended().is_some(),
        })));
    }
    let left = receipt.value.events.iter().find_map(|event| match event {
        Event::PlayerLeft(left) => Some(left.clone()),
        _ => None,
    });
    Ok(left.map(|left| receipt.map(|_| Performed::Left(left))))
}

/// The action, other than a move, that a player wants.
fn action(id: GameId, input: Input) -> Option<Action> {
    let action = match input {
        Input::Resign if id.is_variant() => Action::Leave,
        Input::Claim if id.is_variant() => Action::RemoveLate,
        Input::Resign => Action::Resign,
        Input::Claim => Action::ClaimTimeout,
        Input::Draw => Action::OfferDraw,
        Input::Accept => Action::AcceptDraw,
        Input::Decline => Action::DeclineDraw,
        Input::Move(_)
        | Input::OnChain(_)
        | Input::Swap
        | Input::Press
        | Input::Settle
        | Input::Help => return None,
    };
    action.is_in(id).then_some(action)
}

/// The match of a game, and whether the game's storage was freed: then what is left of `known`.
pub async fn of_match(
    contract: &Contracts,
    id: GameId,
    known: Match,
) -> Result<(Match, bool), Failure> {
    match contract.match_of(id).await {
        Ok(of_match) => Ok((of_match, false)),
        Err(error) if error.refusal() == Some(Refusal::NoSuchGame) => {
            Ok((match_of_freed(contract, id, known).await?, true))
        }
        Err(error) => Err(error.into()),
    }
}

/// Waits until the game or its match is not as it was, and returns both.
pub async fn change(
    contract: &Contracts,
    id: GameId,
    game: &AnyGame,
    of_match: Match,
) -> Result<(Seen<AnyGame>, Match), Failure> {
    let known = (*game, of_match);
    match contract.wait_for_change(id, &known).await {
        Ok(seen) => {
            let (_, of_match) = seen.value;
            Ok((seen.map(|(game, _)| game), of_match))
        }
        Err(error) if error.refusal() == Some(Refusal::NoSuchGame) && !id.is_variant() => {
            let seen = freed_game(contract, id).await?;
            Ok((seen, match_of_freed(contract, id, of_match).await?))
        }
        Err(error) => Err(error.into()),
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

/// What is left of the match of a game whose storage was freed: stakes and offers were credited then.
async fn match_of_freed(contract: &Contracts, id: GameId, known: Match) -> Result<Match, Failure> {
    let number = id.number();
    let mut next = known.next;
    if next.is_none() {
        let count = contract.game_count(ContractKind::Games).await?;
        let since = number.saturating_add(1);
        for later in (since.max(count.saturating_sub(LOOKED_AT))..count).rev() {
            let state = contract.match_of(GameId::Classic(later)).await;
            if state.is_ok_and(|state| state.previous == Some(number)) {
                next = Some(later);
                break;
            }
        }
    }
    Ok(Match {
        settled: true,
        draw: None,
        rematch: None,
        next,
        ..known
    })
}
