//! Games and challenges by number, and how other programs reach them.

use connect4_client::{Contract, GameId, Lookup, Seen, Variants};
use connect4_protocol::{Challenge, Game, variants};
use connect4_rules::{Bin, Position};

use crate::failure::Failure;
use crate::session::{CODE, Session};

/// The game with this number, and the block after which it is so.
pub async fn game(contract: &Contract, number: u32) -> Result<Seen<Game>, Failure> {
    if let Some(game) = contract.see_game(number).await? {
        return Ok(game);
    }
    let id = GameId::of_two(number);
    let (count, kind) = match id.is_fast() {
        true => (contract.fast_game_count().await?, "fast games"),
        false => (contract.game_count().await?, "games"),
    };
    let which = match count {
        _ if id.place() < count => {
            return Err(Failure::Refused(format!(
                "game {id} has ended and its storage was freed; `connect4 replay --game {id}` \
                 still shows it"
            )));
        }
        0 => format!("it has no {kind} yet"),
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

/// The game of a variant, or the table, with this number, and the block after which it is so.
pub async fn variant(contract: &Variants, number: u32) -> Result<Seen<variants::Game>, Failure> {
    if let Some(game) = contract.see_game(number).await? {
        return Ok(game);
    }
    let id = GameId::Variant(number);
    let which = match contract.game_count().await? {
        count if number < count => {
            return Err(Failure::Refused(format!(
                "game {id} is gone: its storage was freed, or its table was closed before the \
                 start; `connect4 replay --game {id}` shows it if it was played"
            )));
        }
        0 => "it has no games yet".to_owned(),
        1 => "its only game is v0".to_owned(),
        count => format!("its games are v0 to v{}", count - 1),
    };
    Err(Failure::Refused(format!(
        "there is no game {id} in the contract {}: {which}",
        contract.address()
    )))
}

/// The number of a classic game; refused for a variant, which has not what is asked for.
pub fn classic(game: GameId, what: &str) -> Result<u32, Failure> {
    match game {
        id @ (GameId::Classic(_) | GameId::Fast(_)) => Ok(id.number()),
        GameId::Variant(_) => Err(Failure::Usage(format!(
            "{game} is a variant, and {what}; name a classic game, such as 3"
        ))),
    }
}

/// The number that the command line names, else that of the newest game; of the newest fast one if there
/// are no others.
pub async fn number(contract: &Contract, named: Option<u32>) -> Result<u32, Failure> {
    if let Some(number) = named {
        return Ok(number);
    }
    let newest = contract.game_count().await?.checked_sub(1);
    let newest = match (newest, contract.fast_game_count().await?.checked_sub(1)) {
        (None, Some(fast)) => Some(GameId::Fast(fast).number()),
        (newest, _) => newest,
    };
    newest.ok_or_else(|| {
        Failure::Refused(format!(
            "the contract {} has no games yet: start one with `connect4 play` or `connect4 start`",
            contract.address()
        ))
    })
}

/// The open challenge with this number, and the block after which it is so.
pub async fn challenge(contract: &Contract, number: u32) -> Result<Seen<Challenge>, Failure> {
    contract.see_challenge(number).await?.ok_or_else(|| {
        Failure::Refused(format!(
            "there is no open challenge {number}: it may have been accepted or withdrawn; \
             `connect4 challenges` lists those that are open"
        ))
    })
}

/// Options by which another program reaches the same contract on the same chain, with a space in
/// front; empty if it does so without options.
pub fn reach(session: &Session, contract: &Contract) -> String {
    let mut options = session.place.options();
    if Lookup::usual_address(CODE) != Some(contract.address()) {
        options.push_str(&format!(" --contract {}", contract.address()));
    }
    options
}

/// The same for the contract of the variants.
pub fn reach_variants(session: &Session, variants: &Variants) -> String {
    let mut options = session.place.options();
    if Lookup::usual_variants_address(CODE) != Some(variants.address()) {
        options.push_str(&format!(" --variants {}", variants.address()));
    }
    options
}

/// Makes a move of game `number` on a board, as an event tells it.
pub fn replay_move(position: &mut Position, bin: Bin, number: u32) -> Result<(), Failure> {
    match position.drop(bin) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Other(format!(
            "the events of game {} are not a valid game: {error} in bin {bin}",
            GameId::of_two(number)
        ))),
    }
}
