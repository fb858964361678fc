//! `standings`: wins, draws and losses by account.

use std::time::Instant;

use connect4_client::{Contracts, Error, Reading, StoredVariants};
use connect4_index::{League, Recorded, Standings as Table};
use connect4_protocol::message::ContractKind;
use connect4_wire::StandingsOf;

use crate::args::{Global, Standings};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::{Incomplete, Said};
use crate::session::Session;
use crate::words;

/// Shows the standings, from the contracts' events: of variants, then of signed games.
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
    progress.say("reading the contracts' events");
    let began = Instant::now();
    let on = |reading: Reading| progress.say(&words::reading(reading, began.elapsed()));
    let from = args.from_block;
    let address = variants.as_ref().map(Contracts::address);
    let signed_records = match &contract {
        Some(contract) => contract.address_of(ContractKind::SignedRecords),
        None => None,
    };
    let mut past = session.past(global, contract.as_ref(), address);
    if !args.witnesses.is_empty() {
        past.options.witnesses = Some(args.witnesses.iter().copied().collect());
    }
    let asked = past.ask(from, &on, async |index| {
        let (mut leagues, mut incomplete) = (Vec::new(), Vec::<Incomplete>::new());
        let (mut recorded, mut signed) = (Recorded::default(), None);
        let at = index.newest_shared_block().await?.hash;
        let known = index.known_variants().await?;
        if let Some(variants) = &variants {
            let gaps = index.gaps(&[variants.address()], from).await?;
            leagues.push((League::Two, gaps.is_empty()));
            leagues.push((League::More, gaps.is_empty()));
            // Which of the games that are stored began after a certain block, storage does not tell.
            let records = match !gaps.is_empty() && from == 0 {
                true => variants.variant_records(&known, at).await?,
                false => StoredVariants::default(),
            };
            incomplete.extend(Incomplete::of(StandingsOf::Variants, gaps, &records));
            recorded.variants = records.games;
        }
        if let Some(signed_records) = signed_records {
            let gaps = index.gaps(&[signed_records], from).await?;
            signed = Some(gaps.is_empty());
            let nothing = StoredVariants::default();
            incomplete.extend(Incomplete::of(StandingsOf::Signed, gaps, &nothing));
        }
        let mut counted = index.leagues(from, &recorded).await?;
        // Those of the pools come last, as their accounts cost nothing.
        if let Some(is_complete) = signed {
            let pools = counted.keys().copied();
            let pools = pools.filter(|league| matches!(league, League::Witnessed(_)));
            leagues.extend(pools.map(|league| (league, is_complete)));
        }
        let tables: Vec<(League, Table, bool)> = leagues
            .into_iter()
            .map(|(league, is_complete)| {
                let table = counted.remove(&league).unwrap_or_default();
                (league, table, is_complete)
            })
            .collect();
        let left_out = index.skipped_events().await?;
        Ok((tables, incomplete, left_out))
    });
    let (tables, incomplete, left_out) = asked.await?;
    progress.clear();
    if left_out > 0 {
        words::remark(words::skipped(left_out));
    }
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
