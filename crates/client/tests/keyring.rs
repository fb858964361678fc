//! Session keys and journals of fast games, on disk.

use std::fs;
use std::path::Path;

use codec::Encode as _;
use connect4_client::fast::{Agreement, Journal, Keep as _, Keyring, KeyringError, Seat, Subject};
use connect4_protocol::fast::{Domain, Ending, Evidence, FIRST, Moves};
use connect4_protocol::{Address, Terms};
use connect4_rules::Player;
use connect4_seat::FirstJournal;
use connect4_testing::fast::FastPlay;
use tempfile::TempDir;

const NUMBER: u32 = FIRST + 3;

fn subject(number: u32) -> Subject {
    let play = FastPlay::new(number);
    Subject::new(number, play.domain, play.game)
}

/// What was agreed on for the game of the tests.
fn agreed() -> Agreement {
    let play = FastPlay::new(NUMBER);
    let terms = Terms {
        shape: play.game.game.shape().into(),
        clock: None,
        stake: 0,
    };
    Agreement::new(play.domain, play.game.game.player_one(), None, terms)
}

fn journal(bins: &[u8]) -> Journal {
    let mut journal = Journal::default();
    journal.position.moves = Moves::from_bins(bins).expect("few moves");
    journal
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
    let key = keyring.create(agreed()).unwrap();
    let of = subject(NUMBER);
    let mut locked = keyring.open(key.address(), &of).unwrap();
    assert_eq!(locked.key().address(), key.address());
    assert_eq!(locked.journal(), Journal::default());
    locked.keep(&journal(&[3])).unwrap();
    locked.keep(&journal(&[3, 4])).unwrap();
    drop(locked);
    let locked = keyring.open(key.address(), &of).unwrap();
    assert_eq!(locked.journal(), journal(&[3, 4]));
    assert_eq!(locked.agreement(), Some(agreed()));
    assert_eq!(locked.key().secret(), key.secret());
    assert_eq!(keyring.addresses().unwrap(), [key.address()]);
    assert!(keyring.holds(key.address()).unwrap());
}

#[test]
fn each_game_of_a_key_has_its_journal() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create(agreed()).unwrap().address();
    let mut first = keyring.open(key, &subject(NUMBER)).unwrap();
    first.keep(&journal(&[1])).unwrap();
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
        assert_eq!(other.journal(), Journal::default());
        other.keep(&journal(&[2, 2])).unwrap();
    }
    let first = keyring.open(key, &subject(NUMBER)).unwrap();
    assert_eq!(first.journal(), journal(&[1]));
}

/// The file has the new journal already when the folder can't be synced.
#[test]
fn what_may_be_kept_in_spite_of_an_error_is_read_again() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create(agreed()).unwrap().address();
    let mut locked = keyring.open(key, &subject(NUMBER)).unwrap();
    locked.keep(&journal(&[3])).unwrap();
    assert!(locked.may_have(&journal(&[3])));
    assert!(!locked.may_have(&journal(&[4])));
    fs::remove_file(file(folder.path(), key)).unwrap();
    assert!(locked.may_have(&journal(&[4])), "nobody knows");
}

#[test]
fn a_second_program_is_refused() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create(agreed()).unwrap().address();
    let locked = keyring.open(key, &subject(NUMBER)).unwrap();
    let second = keyring.open(key, &subject(NUMBER));
    assert!(matches!(second, Err(KeyringError::InUse(_))), "{second:?}");
    drop(locked);
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
    let key = keyring.create(agreed()).unwrap().address();
    let of = subject(NUMBER);
    keyring
        .open(key, &of)
        .unwrap()
        .keep(&journal(&[3]))
        .unwrap();
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
    let other = keyring.create(agreed()).unwrap().address();
    damaged(&fs::read(file(folder.path(), other)).unwrap());
    fs::write(&path, &whole).unwrap();
    assert_eq!(keyring.open(key, &of).unwrap().journal(), journal(&[3]));
}

#[test]
fn a_half_written_replacement_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create(agreed()).unwrap().address();
    let of = subject(NUMBER);
    keyring
        .open(key, &of)
        .unwrap()
        .keep(&journal(&[3]))
        .unwrap();
    let whole = fs::read(file(folder.path(), key)).unwrap();
    // A program was killed between writing the new file and giving it the name.
    fs::write(folder.path().join(format!("{key}.new")), &whole[..10]).unwrap();
    let mut locked = keyring.open(key, &of).unwrap();
    assert_eq!(locked.journal(), journal(&[3]));
    locked.keep(&journal(&[3, 4])).unwrap();
    drop(locked);
    assert_eq!(keyring.open(key, &of).unwrap().journal(), journal(&[3, 4]));
}

#[cfg(unix)]
#[test]
fn only_the_user_reads_a_secret() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create(agreed()).unwrap().address();
    let path = file(folder.path(), key);
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let mut locked = keyring.open(key, &subject(NUMBER)).unwrap();
    locked.keep(&journal(&[3])).unwrap();
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

/// Files of the layout before have no pie rule, which no game had.
#[test]
fn what_was_agreed_on_without_the_pie_rule_is_read() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create(agreed().with_pie_rule(true)).unwrap();
    let path = file(folder.path(), key.address());
    let kept = keyring.agreement(key.address()).unwrap();
    assert_eq!(kept, Some(agreed().with_pie_rule(true)));
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 32);
    // The pie rule, and no phrase behind it.
    assert_eq!(bytes.split_off(bytes.len() - 2), [1, 0]);
    bytes.push(0);
    bytes[7] = 4;
    bytes.extend(sp_crypto_hashing::blake2_256(&bytes));
    fs::write(&path, bytes).unwrap();
    let kept = keyring.agreement(key.address()).unwrap();
    assert_eq!(kept, Some(agreed()));
}

/// Writes a file as the first programs did: with this secret, and this about the game.
fn write_first(folder: &Path, play: &FastPlay, by: Player, kept: FirstJournal) {
    let key = play.keys.get(by);
    let game = (play.domain.chain_id, play.domain.contract, play.number);
    let mut bytes = b"c4fast\0\x01".to_vec();
    (key.secret(), vec![(game, kept)]).encode_to(&mut bytes);
    let checksum = sp_crypto_hashing::blake2_256(&bytes);
    bytes.extend(checksum);
    fs::write(file(folder, key.address()), bytes).unwrap();
}

fn first(held: Evidence) -> FirstJournal {
    FirstJournal {
        held,
        draw: None,
        dropped: None,
    }
}

#[test]
fn a_game_goes_on_with_what_the_first_programs_have_kept() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let play = FastPlay::new(NUMBER);
    let of = subject(NUMBER);
    let key = play.keys.one.address();
    let kept = FirstJournal {
        draw: Some(play.evidence(&[3, 4], Some(Ending::Draw { until: 7 }))),
        ..first(play.evidence(&[3, 4, 3], None))
    };
    write_first(folder.path(), &play, Player::One, kept.clone());
    let mut locked = keyring.open(key, &of).unwrap();
    assert_eq!(locked.key().address(), key);
    let journal = locked.journal();
    assert_eq!(journal.position, kept.held);
    assert_eq!(journal.draws, Vec::from_iter(kept.draw));
    assert_eq!(keyring.peek(key, &of).unwrap(), journal);
    // It is written in the newer layout.
    locked.keep(&journal).unwrap();
    drop(locked);
    let bytes = fs::read(file(folder.path(), key)).unwrap();
    assert_eq!(bytes[..8], *b"c4fast\0\x05");
    let locked = keyring.open(key, &of).unwrap();
    assert_eq!(locked.journal(), journal);
    assert_eq!(locked.agreement(), None, "it was not kept then");
    drop(locked);

    let resigned = play.evidence(&[3, 4], Some(Ending::Resignation(Player::Two)));
    write_first(folder.path(), &play, Player::One, first(resigned));
    let journal = keyring.peek(key, &of).unwrap();
    assert_eq!(journal.resignations.two, Some(resigned));
    assert_eq!(journal.position, Evidence::start());
}

#[test]
fn of_a_file_that_was_poisoned_only_the_poison_is_lost() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().into());
    let play = FastPlay::new(NUMBER);
    // The winner of a line "resigns" at it, which the first programs took.
    let poison = play.evidence(
        &[3, 4, 3, 4, 3, 4, 3],
        Some(Ending::Resignation(Player::One)),
    );
    let draw = play.evidence(&[3, 4], Some(Ending::Draw { until: 7 }));
    let kept = FirstJournal {
        draw: Some(draw),
        ..first(poison)
    };
    write_first(folder.path(), &play, Player::Two, kept);
    let of = subject(NUMBER);
    let locked = keyring.open(play.keys.two.address(), &of).unwrap();
    let (key, journal) = (locked.key().clone(), locked.journal());
    let seat = Seat::new(of, key, journal, locked, play.game, 0).unwrap();
    assert_eq!(seat.journal().resignations.one, None);
    assert_eq!(seat.journal().draws, [draw]);
}

#[test]
fn a_key_is_made_in_folders_that_are_made_for_it() {
    let folder = TempDir::new().unwrap();
    let keyring = Keyring::in_folder(folder.path().join("a/b/c"));
    let key = keyring.create(agreed()).unwrap().address();
    assert_eq!(keyring.addresses().unwrap(), [key]);
}
