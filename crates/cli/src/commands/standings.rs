//! `standings`: wins, draws and losses by account.

use connect4_client::{Standing, VariantStandings};

use crate::args::{Global, Standings};
use crate::failure::Failure;
use crate::report::{Report, StandingOf};
use crate::session::Session;
use crate::skipped::Skipped;

/// Shows the standings, from the contracts' events: of classic games, then of variants.
pub async fn standings(
    global: &Global,
    args: &Standings,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    let contract = session.contract(global, None).await;
    let variants = match session.variants(global, None).await {
        Ok(variants) => Some(variants),
        Err(connect4_client::Error::NoContract(_)) if global.variants.is_none() => None,
        Err(error) => return Err(error.into()),
    };
    let progress = report.progress();
    progress.say("reading the contracts' events");
    let head = session.client.height().await?;
    let classic = match contract {
        Ok(contract) => {
            let first = contract.first_block().await?.max(args.from_block);
            let events = contract.events(first..=head).await?;
            connect4_client::standings(events.iter().map(|at| &at.event))
        }
        Err(connect4_client::Error::NoContract(_)) if variants.is_some() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let of_variants = match variants {
        Some(variants) => {
            let first = variants.first_block().await?.max(args.from_block);
            let events = variants.events(first..=head).await?;
            connect4_client::variant_standings(events.iter().map(|at| &at.event))
        }
        None => VariantStandings::default(),
    };
    progress.clear();
    Skipped::default().tell(&session.client);
    let VariantStandings { two, more } = of_variants;
    if [&classic, &two, &more].into_iter().all(Vec::is_empty) {
        report.no_standings()?;
    }
    let tables: [(StandingOf, Vec<Standing>); 3] = [
        (StandingOf::Classic, classic),
        (StandingOf::Two, two),
        (StandingOf::More, more),
    ];
    for (of, table) in tables {
        for (place, standing) in table.iter().enumerate() {
            report.standing(of, place == 0, standing)?;
        }
    }
    Ok(())
}
