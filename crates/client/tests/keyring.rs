//! Session keys and books of fast games, on disk.

use std::fs;
use std::path::Path;

use connect4_client::fast::{Book, Keep as _, Keyring, KeyringError, Subject};
use connect4_protocol::Address;
use connect4_protocol::fast::{Domain, FIRST, Moves};
use connect4_testing::fast::FastPlay;
use tempfile::TempDir;

const NUMBER: u32 = FIRST + 3;

fn subject(number: u32) -> Subject {
    let play = FastPlay::new(number);
    Subject::new(number, play.domain, play.game)
}

fn book(bins: &[u8]) -> Book {
    let mut book = Book::default();
    book.held.moves = Moves::from_bins(bins).expect("few moves");
    book
}

fn file(folder: &Path, key: Address) -> std::path::PathBuf {
    folder.join(format!("{key}.key"))
}

#[test]
fn what_was_kept_is_there_after_the_program_has_ended() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().join("fast"));
    assert!(keyring.addresses().unwrap().is_empty());
    assert!(!keyring.holds(Address::ZERO).unwrap());
    let key = keyring.create().unwrap();
    let of = subject(NUMBER);
    let mut journal = keyring.open(key.address(), &of).unwrap();
    assert_eq!(journal.key().address(), key.address());
    assert_eq!(journal.book(), Book::default());
    journal.keep(&book(&[3])).unwrap();
    journal.keep(&book(&[3, 4])).unwrap();
    drop(journal);
    let journal = keyring.open(key.address(), &of).unwrap();
    assert_eq!(journal.book(), book(&[3, 4]));
    assert_eq!(journal.key().secret(), key.secret());
    assert_eq!(keyring.addresses().unwrap(), [key.address()]);
    assert!(keyring.holds(key.address()).unwrap());
}

#[test]
fn each_game_of_a_key_has_its_book() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create().unwrap().address();
    let mut first = keyring.open(key, &subject(NUMBER)).unwrap();
    first.keep(&book(&[1])).unwrap();
    drop(first);
    let play = FastPlay::new(NUMBER);
    let elsewhere = Domain {
        chain_id: 1,
        ..play.domain
    };
    for of in [
        subject(NUMBER + 1),
        Subject::new(NUMBER, elsewhere, play.game),
    ] {
        let mut other = keyring.open(key, &of).unwrap();
        assert_eq!(other.book(), Book::default());
        other.keep(&book(&[2, 2])).unwrap();
    }
    let first = keyring.open(key, &subject(NUMBER)).unwrap();
    assert_eq!(first.book(), book(&[1]));
}

#[test]
fn a_second_program_is_refused() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create().unwrap().address();
    let journal = keyring.open(key, &subject(NUMBER)).unwrap();
    let second = keyring.open(key, &subject(NUMBER));
    assert!(matches!(second, Err(KeyringError::InUse(_))), "{second:?}");
    drop(journal);
    keyring.open(key, &subject(NUMBER)).unwrap();
}

#[test]
fn a_key_that_is_not_there_is_named() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = Address([7; 20]);
    let error = keyring.open(key, &subject(NUMBER)).unwrap_err();
    assert!(matches!(error, KeyringError::NoKey { .. }), "{error}");
    assert!(error.to_string().contains(&key.to_string()), "{error}");
}

#[test]
fn a_file_that_was_cut_off_or_changed_signs_nothing() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create().unwrap().address();
    let of = subject(NUMBER);
    keyring.open(key, &of).unwrap().keep(&book(&[3])).unwrap();
    let path = file(folder.path(), key);
    let whole = fs::read(&path).unwrap();
    let damaged = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let opened = keyring.open(key, &of);
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
    let other = keyring.create().unwrap().address();
    damaged(&fs::read(file(folder.path(), other)).unwrap());
    fs::write(&path, &whole).unwrap();
    assert_eq!(keyring.open(key, &of).unwrap().book(), book(&[3]));
}

#[test]
fn a_half_written_replacement_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create().unwrap().address();
    let of = subject(NUMBER);
    keyring.open(key, &of).unwrap().keep(&book(&[3])).unwrap();
    let whole = fs::read(file(folder.path(), key)).unwrap();
    // A program was killed between writing the new file and giving it the name.
    fs::write(folder.path().join(format!("{key}.new")), &whole[..10]).unwrap();
    let mut journal = keyring.open(key, &of).unwrap();
    assert_eq!(journal.book(), book(&[3]));
    journal.keep(&book(&[3, 4])).unwrap();
    drop(journal);
    assert_eq!(keyring.open(key, &of).unwrap().book(), book(&[3, 4]));
}

#[cfg(unix)]
#[test]
fn only_the_user_reads_a_secret() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create().unwrap().address();
    let path = file(folder.path(), key);
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let mut journal = keyring.open(key, &subject(NUMBER)).unwrap();
    journal.keep(&book(&[3])).unwrap();
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}
