//! The transactions by which games are recorded, for a player and a sponsor alike.

use connect4_client::signed::list_of_ends;
use connect4_client::{Contracts, Error};
use connect4_protocol::Address;
use connect4_protocol::signed::message::Record;
use connect4_protocol::signed::{Chain, Finished, Group, RecordedEnd, Signature};

/// Whether the witness of signed games has signed a list of their ends, which costs less than a signature for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum List {
    /// There is no use for one, or nobody was asked.
    NotAsked,
    Signed,
    /// Why no relay has one: each game has a signature of its own.
    Refused(String),
}

/// What one transaction records: these games of one [`Call`](crate::records::Call), and no more than it has. The relays
/// are asked, one after the other, for one signature of the games' witness on all ends.
///
/// # Errors
///
/// If the chain has no number.
pub async fn record_call(
    contract: &Contracts,
    games: &[Finished],
    relays: &[&str],
) -> Result<(Record, List), Error> {
    let chain = contract.client().signing_chain()?;
    let terms = games.first().map(|first| first.terms);
    let witness = terms.and_then(|terms| terms.witness);
    let (signature, list) = match witness {
        Some(witness) if games.len() > 1 => sign_list(relays, witness, chain, games).await,
        _ => (None, List::NotAsked),
    };
    let ends = games.iter();
    let ends = ends.filter_map(|finished| RecordedEnd::of(finished, signature.is_some()));
    let message = Record {
        group: Group {
            genesis: chain.genesis,
            witness,
            event: terms.and_then(|terms| terms.event),
            list: signature,
        },
        games: ends.collect(),
    };
    Ok((message, list))
}

async fn sign_list(
    relays: &[&str],
    witness: Address,
    chain: Chain,
    games: &[Finished],
) -> (Option<Signature>, List) {
    let mut why = Vec::new();
    for relay in relays {
        match list_of_ends(relay, witness, chain, games).await {
            Ok(signature) => return (Some(signature), List::Signed),
            Err(error) => why.push(format!("{relay}: {error}")),
        }
    }
    match why.is_empty() {
        true => (None, List::NotAsked),
        false => (None, List::Refused(why.join(", "))),
    }
}

/// What is said where no relay has signed a list, for this reason.
pub fn unlisted(why: &str) -> String {
    format!(
        "each of these games costs more, with a signature of its own, as no relay has signed all of their ends at once: {why}"
    )
}
