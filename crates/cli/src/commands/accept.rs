//! `accept`: a challenge.

use crate::accounts;
use crate::args::{Accept, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::lookup;
use crate::play::{self, Screen, Table};
use crate::report::GameAt;
use crate::session::Session;

/// Accepts a challenge; with `--play`, plays the match.
pub async fn accept(
    global: &Global,
    args: &Accept,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false, screen).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let challenge = lookup::challenge(&contract, args.challenge).await?;
    let signer = accounts::signer_or(&args.signing, challenge.opponent)?;
    let progress = screen.progress();
    progress.say("accepting the challenge");
    let receipt = contract
        .clone()
        .answering_challenge(args.challenge, &challenge)
        .accept(&signer, args.challenge)
        .await?;
    progress.clear();
    let number = receipt.value;
    let game = lookup::game(&contract, number).await?;
    let at = GameAt::of(&contract, number, &game);
    screen.accepted(args.challenge, &at, (&receipt).into())?;
    if !args.play {
        return Ok(screen.how_to_play(number, &lookup::reach(&session, &contract))?);
    }
    let table = Table::for_account(contract, number, signer).await?;
    play::play(&session, table, args.series, screen, farewell).await
}
