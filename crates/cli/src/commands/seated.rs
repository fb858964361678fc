//! The seat of a signer in a game.

use connect4_client::{Contract, Signer};

use crate::accounts;
use crate::args::{Global, OneGame};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::session::Session;

/// The chain, the contract of a classic game that is there and that its transactions answer to, and the
/// signer that the command line names. The chain closes when the session is dropped.
pub async fn seat(
    global: &Global,
    args: &OneGame,
    number: u32,
    out: &mut Output,
) -> Result<(Session, Contract, Signer), Failure> {
    let signer = accounts::signer_or(&args.signing, None)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let game = lookup::game(&contract, number).await?;
    Ok((session, contract.answering(number, &game, false), signer))
}
