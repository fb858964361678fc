//! The hash of a runtime's metadata, as RFC 78 of the Polkadot fellows defines it.
//!
//! A runtime that is built with it in `RUNTIME_METADATA_HASH` refuses transactions that were signed by other metadata.

use std::{fs, path::PathBuf};

use codec::{Decode as _, Encode as _};
use frame_metadata::RuntimeMetadataPrefixed;
use merkleized_metadata::{ExtraInfo, generate_metadata_digest};
use polkadot_sdk::{sc_cli, sc_executor, sc_executor_common, sp_core, sp_io};
use sc_executor::{WasmExecutor, read_embedded_version};
use sc_executor_common::runtime_blob::RuntimeBlob;

use crate::spec::{DECIMALS, PREFIX, SYMBOL};

/// The format of metadata that is hashed.
const FORMAT: u32 = 15;

/// Print the hash of a runtime's metadata.
#[derive(clap::Args)]
pub struct MetadataHash {
    /// The runtime, as it was built.
    runtime: PathBuf,
}

impl MetadataHash {
    pub fn run(&self) -> sc_cli::Result<()> {
        let hash = self.hash().map_err(|error| {
            sc_cli::Error::Input(format!("{}: {error}", self.runtime.display()))
        })?;
        println!("{}", sp_core::bytes::to_hex(&hash, false));
        Ok(())
    }

    fn hash(&self) -> Result<[u8; 32], String> {
        let code = fs::read(&self.runtime).map_err(|error| error.to_string())?;
        let blob = RuntimeBlob::uncompress_if_needed(&code).map_err(|error| error.to_string())?;
        let version = read_embedded_version(&blob)
            .map_err(|error| error.to_string())?
            .ok_or("it tells no version")?;
        let executor = WasmExecutor::<sp_io::SubstrateHostFunctions>::builder().build();
        let answer = executor
            .uncached_call(
                blob,
                &mut sp_io::TestExternalities::default().ext(),
                true,
                "Metadata_metadata_at_version",
                &FORMAT.encode(),
            )
            .map_err(|error| error.to_string())?;
        let metadata = Option::<Vec<u8>>::decode(&mut &answer[..])
            .map_err(|error| error.to_string())?
            .ok_or("it has no metadata of format 15")?;
        let metadata = RuntimeMetadataPrefixed::decode(&mut &metadata[..])
            .map_err(|error| error.to_string())?;
        let extra = ExtraInfo {
            spec_version: version.spec_version,
            spec_name: version.spec_name.into_owned(),
            base58_prefix: PREFIX,
            decimals: DECIMALS,
            token_symbol: SYMBOL.to_owned(),
        };
        Ok(generate_metadata_digest(&metadata.1, extra)?.hash())
    }
}
