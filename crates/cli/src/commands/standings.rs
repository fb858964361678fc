//! `standings`: wins, draws and losses by account.

use std::time::Instant;

use connect4_client::{
    Contract, Error, Past, Reading, Records, Standings as Table, VariantStandings, Variants,
};
use connect4_wire::{StandingOf, StandingsOf};

use crate::args::{Global, Standings};
use crate::failure::Failure;
use crate::output::{Output, Progress};
use crate::said::{Incomplete, Said};
use crate::session::Session;
use crate::skipped::Skipped;
use crate::words;

/// Shows the standings, from the contracts' events: of classic games, then of variants.
pub async fn standings(global: &Global, args: &Standings, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, None).await;
    let variants = match session.variants(global, None).await {
        Ok(variants) => Some(variants),
        Err(Error::NoContract(_)) if global.variants.is_none() => None,
        Err(error) => return Err(error.into()),
    };
    let contract = match contract {
        Ok(contract) => Some(contract),
        Err(Error::NoContract(_)) if variants.is_some() => None,
        Err(error) => return Err(error.into()),
    };
    let progress = out.progress();
    let from = args.from_block;
    let (past, of_variants) = read(contract.as_ref(), variants.as_ref(), from, &progress).await?;

    let mut tables: Vec<(StandingOf, Table, bool)> = Vec::new();
    let mut incomplete: Vec<Incomplete> = Vec::new();
    if let (Some(contract), Some(past)) = (&contract, past) {
        // Which of the games that are stored began after a certain block, storage does not tell.
        let records = match past.gaps.is_empty() || from > 0 {
            true => Records::none(),
            false => contract.records(&past).await?,
        };
        let table = contract.standings(&past, &records).await?;
        tables.push((StandingOf::Classic, table, past.gaps.is_empty()));
        incomplete.extend(Incomplete::of(StandingsOf::Classic, past.gaps, &records));
    }
    if let (Some(variants), Some(past)) = (&variants, of_variants) {
        let records = match past.gaps.is_empty() || from > 0 {
            true => Records::none(),
            false => variants.records(&past).await?,
        };
        let VariantStandings { two, more } = variants.standings(&past, &records).await?;
        tables.push((StandingOf::Two, two, past.gaps.is_empty()));
        tables.push((StandingOf::More, more, past.gaps.is_empty()));
        incomplete.extend(Incomplete::of(StandingsOf::Variants, past.gaps, &records));
    }
    progress.clear();
    Skipped::default().tell(&session.client);
    if tables.iter().all(|(_, table, _)| table.rows.is_empty()) {
        out.say(Said::NoStandings)?;
    }
    for (of, table, is_complete) in &tables {
        for (place, standing) in table.rows.iter().enumerate() {
            out.say(Said::Standing {
                of: *of,
                first: place == 0,
                standing,
                complete: *is_complete,
            })?;
        }
        if table.unrated.sum() > 0 {
            out.say(Said::Unrated {
                of: *of,
                unrated: table.unrated,
            })?;
        }
    }
    if tables.iter().any(|(_, table, _)| !table.rows.is_empty()) {
        out.say(Said::RatingsAreNoProof)?;
    }
    for incomplete in &incomplete {
        out.say(Said::Incomplete(incomplete))?;
    }
    Ok(())
}

/// The events of the contracts that are there.
async fn read(
    contract: Option<&Contract>,
    variants: Option<&Variants>,
    from: u32,
    progress: &Progress,
) -> Result<(Option<Past>, Option<Past>), Error> {
    progress.say("reading the contracts' events");
    let began = Instant::now();
    let on = |reading: Reading| progress.say(&words::reading(reading, began.elapsed()));
    Ok(match (contract, variants) {
        (Some(contract), Some(variants)) => {
            let (past, of_variants) = connect4_client::pasts(contract, variants, from, &on).await?;
            (Some(past), Some(of_variants))
        }
        (Some(contract), None) => (Some(contract.past(from, &on).await?), None),
        (None, Some(variants)) => (None, Some(variants.past(from, &on).await?)),
        (None, None) => (None, None),
    })
}
