//! The events of both contracts, for which each block is read once.

use crate::chronicle::Chronicle as _;
use crate::client::Client;
use crate::contract::Contract;
use crate::error::Error;
use crate::index::{OnReading, Source};
use crate::past::Past;
use crate::variants::Variants;

/// The events of both contracts from a block on, as far as they are known. Each block is read once
/// for both. `on` is told how far the reading is.
///
/// # Errors
///
/// If the chain cannot be reached.
pub async fn pasts(
    contract: &Contract,
    variants: &Variants,
    from: u32,
    on: OnReading<'_>,
) -> Result<(Past, Past), Error> {
    let client = contract.client();
    let (classic, of_variants) = (contract.deployed(), variants.deployed());
    let sources = [Source::of(classic), Source::of(of_variants)];
    let view = client.read_past(&sources, from, on).await?;
    Ok((
        client.past_in(&view, classic.addresses(), from).await?,
        client.past_in(&view, of_variants.addresses(), from).await?,
    ))
}

impl Client {
    /// Keeps the index up for these contracts: reads the newest blocks before the node discards their
    /// states. Does nothing without an index, and if very many blocks are missing: these are only read
    /// when somebody asks for them.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn keep_up(
        &self,
        contract: Option<&Contract>,
        variants: Option<&Variants>,
    ) -> Result<(), Error> {
        let classic = contract.map(|contract| Source::of(contract.deployed()));
        let of_variants = variants.map(|variants| Source::of(variants.deployed()));
        let sources: Vec<Source<'_>> = classic.into_iter().chain(of_variants).collect();
        self.keep_index_up(&sources).await
    }
}
