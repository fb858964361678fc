//! A validator's keys.

use std::path::{Path, PathBuf};

use polkadot_sdk::{sc_cli, sc_keystore, sc_network, sp_core, sp_keystore};
use sc_network::config::{NodeKeyConfig, Secret};
use sp_core::crypto::key_types::{AURA, GRANDPA};
use sp_keystore::Keystore;

/// Make the keys of a validator in a folder, unless they are there, and print the public ones:
/// the session keys for the chain spec, and the id by which other nodes know this one.
///
/// Then run the node with `--keystore-path FOLDER/keystore --node-key-file FOLDER/node-key`.
#[derive(clap::Args)]
pub struct NewKeys {
    /// Keep it secret, and have a backup of it.
    folder: PathBuf,
}

impl NewKeys {
    pub fn run(&self) -> sc_cli::Result<()> {
        let failed = |error: sp_keystore::Error| sc_cli::Error::Input(error.to_string());
        let keystore = sc_keystore::LocalKeystore::open(self.folder.join("keystore"), None)
            .map_err(|error| sc_cli::Error::Input(error.to_string()))?;
        let aura = match keystore.sr25519_public_keys(AURA).first() {
            Some(key) => *key,
            None => keystore.sr25519_generate_new(AURA, None).map_err(failed)?,
        };
        let grandpa = match keystore.ed25519_public_keys(GRANDPA).first() {
            Some(key) => *key,
            None => keystore
                .ed25519_generate_new(GRANDPA, None)
                .map_err(failed)?,
        };
        println!("session keys  {}", session_keys(aura, grandpa));
        println!("peer id       {}", peer(&self.folder.join("node-key"))?);
        Ok(())
    }
}

/// The public session keys, as `session.setKeys` and `--validator` take them: Aura's, then
/// GRANDPA's.
fn session_keys(aura: sp_core::sr25519::Public, grandpa: sp_core::ed25519::Public) -> String {
    let both = [&aura.0[..], &grandpa.0[..]].concat();
    format!(
        "0x{}",
        both.iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    )
}

/// The peer id for the secret key in a file, which is made if it is not there.
fn peer(file: &Path) -> sc_cli::Result<String> {
    let key = NodeKeyConfig::Ed25519(Secret::File(file.to_owned())).into_keypair()?;
    Ok(key.public().to_peer_id().to_base58())
}
