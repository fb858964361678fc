//! Session keys, on disk.

use std::fs;
use std::path::Path;

use codec::Encode as _;
use connect4_client::signed::{Keyring, KeyringError};
use connect4_protocol::Address;
use connect4_protocol::signed::{Evidence, GameNumber};
use connect4_seat::Journal;
use tempfile::TempDir;

fn file(folder: &Path, key: Address) -> std::path::PathBuf {
    folder.join(format!("{key}.key"))
}

#[test]
fn what_was_kept_is_there_after_the_program_has_ended() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().join("guest"));
    assert!(keyring.addresses().unwrap().is_empty());
    assert!(!keyring.holds(Address::ZERO).unwrap());
    let key = keyring.create_guest().unwrap();
    let locked = keyring.open_guest(key.address()).unwrap();
    assert_eq!(locked.key().secret(), key.secret());
    let phrase = locked.phrase().expect("a guest has one");
    assert_eq!(phrase.key().secret(), key.secret());
    assert_eq!(keyring.addresses().unwrap(), [key.address()]);
    assert!(keyring.holds(key.address()).unwrap());
    // A session key of an account has none.
    let session = keyring.create_session().unwrap().address();
    assert_eq!(keyring.open_guest(session).unwrap().phrase(), None);
    keyring.forget(locked).unwrap();
    assert_eq!(keyring.addresses().unwrap(), [session]);
}

#[test]
fn a_second_program_is_refused() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create_guest().unwrap().address();
    let locked = keyring.open_guest(key).unwrap();
    let second = keyring.open_guest(key);
    assert!(matches!(second, Err(KeyringError::InUse(_))), "{second:?}");
    // What it signs is kept in the records of games, which have locks of their own.
    assert_eq!(keyring.key(key).unwrap().address(), key);
    drop(locked);
    keyring.open_guest(key).unwrap();
}

#[test]
fn a_key_that_is_not_there_is_named() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = Address([7; 20]);
    let error = keyring.open_guest(key).unwrap_err();
    assert!(matches!(error, KeyringError::NoKey { .. }), "{error}");
    assert!(error.to_string().contains(&key.to_string()), "{error}");
}

#[test]
fn a_file_that_was_cut_off_or_changed_signs_nothing() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create_guest().unwrap().address();
    let path = file(folder.path(), key);
    let whole = fs::read(&path).unwrap();
    let damaged = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let opened = keyring.open_guest(key);
        assert!(
            matches!(opened, Err(KeyringError::Damaged(_))),
            "{opened:?}"
        );
    };
    for len in 0..whole.len() {
        damaged(&whole[..len]);
    }
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 0x10;
        damaged(&changed);
    }
    // Another key's file under this name.
    let other = keyring.create_guest().unwrap().address();
    damaged(&fs::read(file(folder.path(), other)).unwrap());
    fs::write(&path, &whole).unwrap();
    keyring.open_guest(key).unwrap();
}

#[cfg(unix)]
#[test]
fn only_the_user_reads_a_secret() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create_guest().unwrap().address();
    let path = file(folder.path(), key);
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

/// A guest of the version before goes on.
#[test]
fn a_key_of_the_layout_before_is_read() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create_guest().unwrap();
    let phrase = keyring.open_guest(key.address()).unwrap().phrase().unwrap();
    let mut bytes = b"c4fast\0\x04".to_vec();
    // No games, and nothing that was agreed on.
    (key.secret(), 0_u8, 0_u8, Some(phrase.to_string())).encode_to(&mut bytes);
    let checksum = sp_crypto_hashing::blake2_256(&bytes);
    bytes.extend(checksum);
    fs::write(file(folder.path(), key.address()), bytes).unwrap();
    let locked = keyring.open_guest(key.address()).unwrap();
    assert_eq!(locked.key().secret(), key.secret());
    assert_eq!(locked.phrase(), Some(phrase));
}

/// Earlier versions kept there what a guest had signed in each game, and what it had ended alone.
#[test]
fn what_was_signed_in_games_that_there_are_no_more_is_passed_over() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create_guest().unwrap();
    let journal = Journal {
        reserved: Some(Evidence::start()),
        ..Journal::default()
    };
    let games = vec![((7_u64, Address::ZERO, GameNumber([5; 32])), journal)];
    let phrase = keyring.open_guest(key.address()).unwrap().phrase().unwrap();
    let mut bytes = b"c4fast\0\x05".to_vec();
    (key.secret(), games, 0_u8, Some(phrase.to_string())).encode_to(&mut bytes);
    let checksum = sp_crypto_hashing::blake2_256(&bytes);
    bytes.extend(checksum);
    fs::write(file(folder.path(), key.address()), bytes).unwrap();
    let locked = keyring.open_guest(key.address()).unwrap();
    assert_eq!(locked.key().secret(), key.secret());
    assert_eq!(locked.phrase(), Some(phrase));
}

#[test]
fn a_key_is_made_in_folders_that_are_made_for_it() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().join("a/b/c"));
    let key = keyring.create_guest().unwrap().address();
    assert_eq!(keyring.addresses().unwrap(), [key]);
}
