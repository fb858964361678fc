//! The seat of a signer in a game.

use connect4_client::{Contracts, Signer};
use connect4_protocol::Game;

use crate::accounts;
use crate::args::{Global, OneGame};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::session::Session;

/// The chain, the contract of a classic game that is there and on which its transactions are based, and the
/// signer that the command line names. The chain closes when the session is dropped.
pub async fn seat(
    global: &Global,
    args: &OneGame,
    out: &mut Output,
) -> Result<(Session, Contracts, Signer), Failure> {
    let signer = accounts::signer_or(&args.signing, None)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let game = lookup::game::<Game>(&contract, args.game).await?;
    let contract = contract.based_on(args.game, &game, false);
    Ok((session, contract, signer))
}
