//! Games by number, and how other programs reach them.

use connect4_client::{Contracts, GameId, Lookup, Seen, Stored};
use connect4_protocol::message::ContractKind;
use connect4_rules::{Bin, Position};

use crate::failure::Failure;
use crate::session::{CODE, Session};

/// A game or table, and the block after which it is so.
pub async fn game<G: Stored>(contract: &Contracts, id: GameId) -> Result<Seen<G>, Failure> {
    if let Some(game) = contract.see_game(id).await? {
        return Ok(game);
    }
    let count = contract.game_count(id.contract()).await?;
    let which = match count {
        _ if id.number() < count && id.is_variant() => {
            return Err(Failure::Refused(format!(
                "game {id} is gone: its storage was freed, or its table was closed before the \
                 start; `connect4 replay --game {id}` shows it if it was played"
            )));
        }
        _ if id.number() < count => {
            return Err(Failure::Refused(format!(
                "game {id} has ended and its storage was freed; `connect4 replay --game {id}` \
                 still shows it"
            )));
        }
        0 => "it has no games yet".to_owned(),
        1 => format!("its only game is {}", id.sibling(0)),
        count => format!(
            "its games are {} to {}",
            id.sibling(0),
            id.sibling(count - 1)
        ),
    };
    Err(Failure::Refused(format!(
        "there is no game {id} in the contract {}: {which}",
        contract.address()
    )))
}

/// A classic game; refused for a variant, which has not what is asked for.
pub fn classic(game: GameId, what: &str) -> Result<GameId, Failure> {
    match game {
        GameId::Classic(_) => Ok(game),
        GameId::Variant(_) => Err(Failure::Usage(format!(
            "{game} is a variant, and {what}; name a classic game, such as 3"
        ))),
    }
}

/// The game that the command line names, else the newest one.
pub async fn named(contract: &Contracts, named: Option<GameId>) -> Result<GameId, Failure> {
    if let Some(id) = named {
        return Ok(id);
    }
    let count = contract.game_count(ContractKind::Games).await?;
    let newest = count.checked_sub(1).map(GameId::Classic);
    newest.ok_or_else(|| {
        Failure::Refused(format!(
            "the contract {} has no games yet: start one with `connect4 play` or `connect4 start`",
            contract.address()
        ))
    })
}

/// Options by which another program reaches the same contract on the same chain, with a space in
/// front; empty if it does so without options.
pub fn reach(session: &Session, contract: &Contracts) -> String {
    let mut options = session.place.options();
    let address = contract.address();
    let (option, usual) = match contract.address_of(ContractKind::Variants) {
        Some(_) => ("variants", Lookup::usual_variants_address(CODE)),
        None => ("contract", Lookup::usual_address(CODE)),
    };
    if usual != Some(address) {
        options.push_str(&format!(" --{option} {address}"));
    }
    options
}

/// Makes a move of a game on a board, as an event tells it.
pub fn replay_move(position: &mut Position, bin: Bin, id: GameId) -> Result<(), Failure> {
    match position.drop(bin) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Other(format!(
            "the events of game {id} are not a valid game: {error} in bin {bin}"
        ))),
    }
}
