//! `guest`: the account by which this machine plays at relays without a chain, and its phrase.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use connect4_client::signed::{
    EarlierGames, Keyring, KeyringError, LockedKey, Phrase, Seeker, SignedGames, Wary,
};
use connect4_client::{Address, Signer};
use connect4_wire::words::now;

use crate::args::{Global, Guest};
use crate::failure::Failure;
use crate::output::Output;
use crate::place::Place;
use crate::said::Said;
use crate::words::who;

/// Shows the guest, prints its phrase, restores another one, or forgets it.
pub fn guest(global: &Global, args: &Guest, out: &mut Output) -> Result<(), Failure> {
    let keyring = keyring(global)?;
    if let Some(path) = &args.restore {
        return restore(&keyring, path, out);
    }
    let Some(key) = open(&keyring)? else {
        return Err(Failure::Refused(
            "there is no guest here yet: `connect4 seek` and `connect4 play --guest` make one"
                .into(),
        ));
    };
    if args.forget {
        return forget(&keyring, key, args.yes, out);
    }
    if args.phrase {
        let phrase = key.phrase().ok_or_else(|| {
            Failure::Refused("this guest was made by a program that had no phrases".into())
        })?;
        return out.say(Said::Notice(&phrase.to_string()));
    }
    out.say(Said::Notice(&format!("guest {}", account_of(&key))))
}

/// The keys of guests on this machine.
pub fn keyring(global: &Global) -> Result<Keyring, Failure> {
    folder(global).map(|folder| Keyring::in_folder(folder.join("guest")))
}

/// The folder in which keys are kept, beside the local chain.
fn folder(global: &Global) -> Result<PathBuf, Failure> {
    match Place::folder(global)? {
        Place::Folder(folder) => Ok(folder),
        _ => Err(Failure::Usage(
            "signed games need a folder: name one with --data".into(),
        )),
    }
}

/// The key of the guest of this machine; none if there is none.
pub fn open(keyring: &Keyring) -> Result<Option<LockedKey>, Failure> {
    let known = keyring.addresses().map_err(failed)?.first().copied();
    known
        .map(|address| keyring.open_guest(address).map_err(not_opened))
        .transpose()
}

/// Who plays signed games at this machine.
pub struct Identified {
    /// The games that an earlier version began on this machine.
    pub earlier: EarlierGames,
    /// Where the key is.
    pub keyring: Keyring,
    pub key: LockedKey,
    /// The account that names the key at each lobby; none if the key is the account's own.
    pub account: Option<Signer>,
    pub is_guest: bool,
    /// Whether a program plays.
    pub is_program: bool,
}

impl Identified {
    /// The guest of this machine; a new one if there is none.
    pub fn guest(global: &Global) -> Result<Self, Failure> {
        let keyring = keyring(global)?;
        let key = match open(&keyring)? {
            Some(key) => key,
            None => {
                let address = keyring.create_guest().map_err(failed)?.address();
                keyring.open_guest(address).map_err(not_opened)?
            }
        };
        let account = restored(&key)?;
        Ok(Self {
            earlier: keyring.earlier_games(),
            keyring,
            key,
            account,
            is_guest: true,
            is_program: false,
        })
    }

    /// The program with this name on this machine, a guest of its own; a new one if there is none.
    pub fn bot(global: &Global, name: &str) -> Result<Self, Failure> {
        let keyring = Keyring::in_folder(folder(global)?.join("bots").join(name));
        let known = keyring.addresses().map_err(failed)?.first().copied();
        let address = match known {
            Some(address) => address,
            None => keyring.create_guest().map_err(failed)?.address(),
        };
        let key = keyring.open_guest(address).map_err(|error| match error {
            KeyringError::InUse(_) => Failure::Refused(format!(
                "the bot {name} plays already on this machine: name another one with --name"
            )),
            error => failed(error),
        })?;
        Ok(Self {
            earlier: keyring.earlier_games(),
            keyring,
            key,
            account: None,
            is_guest: true,
            is_program: true,
        })
    }

    /// An account, by a session key of this machine.
    pub fn account(global: &Global, account: Signer) -> Result<Self, Failure> {
        let name = account.address().to_string();
        let keyring = Keyring::in_folder(folder(global)?.join("accounts").join(name));
        let known = keyring.addresses().map_err(failed)?.first().copied();
        let address = match known {
            Some(address) => address,
            None => keyring.create_session().map_err(failed)?.address(),
        };
        let key = keyring.open_guest(address).map_err(not_opened)?;
        Ok(Self {
            earlier: self::keyring(global)?.earlier_games(),
            keyring,
            key,
            account: Some(account),
            is_guest: false,
            is_program: false,
        })
    }

    pub fn address(&self) -> Address {
        let own = || self.key.key().address();
        self.account.as_ref().map_or_else(own, Signer::address)
    }

    /// The same for who looks for an opponent at a relay.
    pub fn seeker(&self, relay: &str) -> Seeker {
        Seeker {
            games: SignedGames::beside(&self.keyring),
            relay: relay.to_owned(),
            key: self.key.key().address(),
            account: self.account.clone(),
            is_program: self.is_program,
            stakes: None,
            wary: Wary::default(),
            payment: Seeker::PAYMENT,
        }
    }
}

/// The account of a guest that was made elsewhere, who plays here by a key of this machine.
fn restored(key: &LockedKey) -> Result<Option<Signer>, Failure> {
    let phrase = key
        .phrase()
        .filter(|phrase| phrase.key().address() != key.key().address());
    phrase
        .map(|phrase| {
            let signer = Signer::from_secret(&format!("ethereum:{phrase}"));
            signer.map_err(|error| Failure::Other(error.to_string()))
        })
        .transpose()
}

/// The account for which a guest's key signs, in words.
fn account_of(key: &LockedKey) -> String {
    let own = key.key().address();
    who(key.phrase().map_or(own, |phrase| phrase.key().address()))
}

pub fn failed(error: KeyringError) -> Failure {
    Failure::Other(error.to_string())
}

/// As [`failed`], of the key of a guest or an account.
fn not_opened(error: KeyringError) -> Failure {
    match error {
        KeyringError::InUse(lock) => Failure::Refused(format!(
            "another program on this machine plays with this key ({} is in use): end it first",
            lock.display()
        )),
        error => failed(error),
    }
}

fn restore(keyring: &Keyring, path: &Path, out: &mut Output) -> Result<(), Failure> {
    let unread = |error| {
        Failure::Usage(format!(
            "cannot read the phrase from {}: {error}",
            path.display()
        ))
    };
    let mut words = String::new();
    match path.to_str() {
        Some("-") => std::io::stdin().read_to_string(&mut words).map(drop),
        _ => fs::read_to_string(path).map(|read| words = read),
    }
    .map_err(unread)?;
    let phrase: Phrase = words
        .parse()
        .map_err(|error| Failure::Usage(format!("{error}")))?;
    let account = who(phrase.key().address());
    if let Some(key) = open(keyring)? {
        if account_of(&key) == account {
            return out.say(Said::Notice(&format!("guest {account} is here already")));
        }
        return Err(Failure::Refused(format!(
            "this machine has the guest {}: keep its phrase, which `connect4 guest --phrase` prints, \
             and forget it with `connect4 guest --forget` before",
            account_of(&key)
        )));
    }
    keyring.restore_guest(&phrase).map_err(failed)?;
    out.say(Said::Notice(&format!("guest {account}")))
}

fn forget(keyring: &Keyring, key: LockedKey, yes: bool, out: &mut Output) -> Result<(), Failure> {
    let own = key.key().address();
    let open = SignedGames::beside(keyring).open_of(own, now());
    let goes_on = !open.map_err(failed)?.is_empty();
    if !yes {
        let lost = match goes_on {
            true => ", and the game that goes on is lost: `connect4 seek --resume` resumes it",
            false => "",
        };
        return Err(Failure::Refused(format!(
            "without its phrase nobody can play as the guest {} again{lost}; --yes forgets it all the same",
            account_of(&key)
        )));
    }
    let account = account_of(&key);
    keyring.forget(key).map_err(failed)?;
    out.say(Said::Notice(&format!("guest {account} is forgotten")))
}
