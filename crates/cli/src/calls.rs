//! The transactions by which games are recorded, for a player and a sponsor alike.

use connect4_client::signed::list_of_ends;
use connect4_client::{Contracts, Error, KeptCall, Performed, Prepared, Receipt, Signer};
use connect4_protocol::Address;
use connect4_protocol::message::{ContractKind, Record};
use connect4_protocol::signed::message::Record as RecordEnds;
use connect4_protocol::signed::{Chain, Finished, Group, RecordedEnd, Signature};

use crate::records::Game;

/// What one transaction records: games of one [`Call`](crate::records::Call), and no more than it has.
#[derive(Clone, Debug)]
pub enum RecordCall {
    ByTerms(Record),
    Signed(RecordEnds),
}

/// Whether the witness of signed games has signed a list of their ends, which costs less than a signature for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum List {
    /// There is no use for one, or nobody was asked.
    NotAsked,
    Signed,
    /// Why no relay has one: each game has a signature of its own.
    Refused(String),
}

impl RecordCall {
    /// The call for these games. These relays are asked, one after the other, for one signature of the games' witness on
    /// all ends.
    ///
    /// # Errors
    ///
    /// If the chain has no number.
    pub async fn of(
        contract: &Contracts,
        games: &[Game],
        relays: &[&str],
    ) -> Result<(Self, List), Error> {
        let (mut by_terms, mut signed) = (Vec::new(), Vec::new());
        for game in games {
            match game {
                Game::ByTerms(game) => by_terms.push(*game),
                Game::Signed(finished) => signed.push(*finished),
            }
        }
        let Some(first) = signed.first() else {
            let message = Record {
                // Without such a contract the chain is not asked at all.
                fast: contract.address_of(ContractKind::Fast).unwrap_or_default(),
                games: by_terms,
            };
            return Ok((Self::ByTerms(message), List::NotAsked));
        };
        let chain = contract.client().signing_chain()?;
        let (signature, list) = match first.terms.witness {
            Some(witness) if signed.len() > 1 => sign_list(relays, witness, chain, &signed).await,
            _ => (None, List::NotAsked),
        };
        let ends = signed.iter();
        let ends = ends.filter_map(|finished| RecordedEnd::of(finished, signature.is_some()));
        let message = RecordEnds {
            group: Group {
                genesis: chain.genesis,
                witness: first.terms.witness,
                event: first.terms.event,
                list: signature,
            },
            games: ends.collect(),
        };
        Ok((Self::Signed(message), list))
    }

    /// What it costs.
    ///
    /// # Errors
    ///
    /// As [`Contracts::estimate`].
    pub async fn estimate(&self, contract: &Contracts, signer: &Signer) -> Result<Prepared, Error> {
        match self {
            Self::ByTerms(message) => contract.estimate(signer, message).await,
            Self::Signed(message) => contract.estimate(signer, message).await,
        }
    }

    /// Signs it, and sends nothing.
    ///
    /// # Errors
    ///
    /// As [`Contracts::keep`].
    pub async fn keep(&self, contract: &Contracts, signer: &Signer) -> Result<KeptCall, Error> {
        match self {
            Self::ByTerms(message) => contract.keep(signer, message).await,
            Self::Signed(message) => contract.keep(signer, message).await,
        }
    }

    /// Sends it.
    ///
    /// # Errors
    ///
    /// As [`Contracts::send`].
    pub async fn send(
        self,
        contract: &Contracts,
        signer: &Signer,
    ) -> Result<Receipt<Performed>, Error> {
        match self {
            Self::ByTerms(message) => contract.send(signer, message).await,
            Self::Signed(message) => contract.send(signer, message).await,
        }
    }
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
