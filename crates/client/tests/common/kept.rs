//! Key files of players whose secrets are known.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::fs;
use std::path::Path;

use codec::Encode as _;
use connect4_client::fast::{Journal, Keyring};
use connect4_rules::Player;
use connect4_seat::SecondJournal;
use connect4_testing::fast::FastPlay;

/// A keyring with the key of a player in this game, and what it has kept.
pub fn keyring(folder: &Path, play: &FastPlay, player: Player, kept: &Journal) -> Keyring {
    let key = play.keys.get(player);
    let game = (play.domain.chain_id, play.domain.contract, play.number);
    let mut bytes = b"c4fast\0\x02".to_vec();
    let kept = SecondJournal::from(kept.clone());
    (key.secret(), vec![(game, kept)]).encode_to(&mut bytes);
    let checksum = sp_crypto_hashing::blake2_256(&bytes);
    bytes.extend(checksum);
    let path = folder.join(format!("{}.key", key.address()));
    fs::write(path, bytes).expect("it is written");
    Keyring::in_folder(folder.to_owned())
}

/// A journal with the position after these moves.
pub fn position(play: &FastPlay, bins: &[u8]) -> Journal {
    Journal {
        position: play.evidence(bins, None),
        ..Journal::default()
    }
}
