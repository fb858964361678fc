//! `standings`: wins, draws and losses by account.

use crate::args::{Global, Standings};
use crate::failure::Failure;
use crate::report::Report;
use crate::session::Session;

/// Shows the standings, from the contract's events.
pub async fn standings(
    global: &Global,
    args: &Standings,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    let contract = session.contract(global, None).await?;
    let progress = report.progress();
    progress.say("reading the contract's events");
    let first = contract.first_block().await?.max(args.from_block);
    let head = session.client.height().await?;
    let events = contract.events(first..=head).await?;
    progress.clear();
    let table = connect4_client::standings(events.iter().map(|at| &at.event));
    if table.is_empty() {
        report.no_standings()?;
    }
    for (place, standing) in table.iter().enumerate() {
        report.standing(place == 0, standing)?;
    }
    Ok(())
}
