//! A fast game at this terminal.

use connect4_client::{Contracts, GameId, Signer};
use connect4_protocol::fast::FastGame;
use connect4_rules::Player;

use super::someone::{Someone, needs_secret, someone};
use crate::accounts;
use crate::args::{Global, Play};
use crate::commands::fast;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::play;
use crate::session::Session;
use crate::words::who;

/// Resumes a fast game, and plays it to its end.
pub async fn resume(
    global: &Global,
    args: &Play,
    id: GameId,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let session = Session::open(global, args.tmp, out).await?;
    let contract = session.contract(global, None).await?;
    let game = game(&contract, id).await?;
    let player = seat(&session, global, args, id, &game)?;
    let signer = signer(args, id, &game, player)?;
    let table = fast::table(&session.place, global, contract, id, signer, &args.relaying);
    play::play(&session, table.await?, args.series, out, farewell).await
}

/// The fast game, as it is on the chain.
async fn game(contract: &Contracts, id: GameId) -> Result<FastGame, Failure> {
    if let Some(game) = contract.game(id).await? {
        return Ok(game);
    }
    Err(Failure::Refused(format!(
        "there is no fast game {id} in the contract {}: it was not started, or its storage was \
         freed",
        contract.address()
    )))
}

/// The player who sits here: as the command line says, else the one whose session key is here.
fn seat(
    session: &Session,
    global: &Global,
    args: &Play,
    id: GameId,
    game: &FastGame,
) -> Result<Player, Failure> {
    if !args.against.is_empty() {
        return Err(Failure::Usage(
            "the computer does not play fast games".into(),
        ));
    }
    if let Some(player) = args.seat.classic()? {
        return Ok(player);
    }
    let keys = fast::keyring(&session.place, global)?.addresses();
    let keys = keys.map_err(|error| Failure::Other(error.to_string()))?;
    let here: Vec<Player> = Player::ALL
        .into_iter()
        .filter(|player| keys.contains(game.keys.get(*player)))
        .collect();
    match here[..] {
        [player] => Ok(player),
        [] => Err(Failure::Refused(format!(
            "the session keys of game {id} are not on this machine: play a seat on the machine \
             where its challenge was made or accepted"
        ))),
        _ => Err(Failure::Usage(format!(
            "both session keys of game {id} are on this machine: give --seat red or --seat blue"
        ))),
    }
}

/// The signer of the player's account, which pays for what is sent to the chain.
fn signer(args: &Play, id: GameId, game: &FastGame, player: Player) -> Result<Signer, Failure> {
    let address = game.game.account_of(player);
    match someone(args, player.into())? {
        Some(someone) if someone.address != address => Err(Failure::Usage(format!(
            "{player} of game {id} is {}, not {}",
            who(address),
            who(someone.address)
        ))),
        Some(Someone {
            signer: Some(signer),
            ..
        }) => Ok(signer),
        _ => accounts::known(Some(address)).ok_or_else(|| {
            needs_secret(player.into()).and(&format!("{player} of game {id} is {address}"))
        }),
    }
}
