//! What a sponsor has paid and what is on its way, on disk.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use codec::{Decode, DecodeAll as _, Encode};
use connect4_client::{FileLock, H256, KeptCall, durable};
use connect4_index::{MOST_AHEAD, MOST_BEHIND};
use connect4_protocol::Address;
use connect4_protocol::signed::{Crypto as _, Finished, GameNumber, Native};

use super::limits::{Counted, DAY, HOUR, Payees};

/// The first bytes of the file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4spon\0\x03";
/// Those without the version.
const KIND: &[u8] = b"c4spon\0";
/// Bytes of the checksum at the end of the file.
const CHECKSUM: usize = 32;
/// For how many seconds it is known that a game is on the chain: then its end is too old to be paid for.
const KNOWN: u64 = MOST_AHEAD + MOST_BEHIND;

/// For which chain, contract and account the state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Whose {
    pub genesis: [u8; 32],
    pub contract: Address,
    pub account: Address,
}

/// A payment, for 24 hours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Payment {
    /// When, in seconds since 1970.
    pub time: u64,
    /// Fee and deposit.
    pub amount: u128,
    /// For whom.
    pub games: Vec<Payees>,
}

/// A transaction that may be on its way.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Sending {
    pub extrinsic: Vec<u8>,
    pub hash: [u8; 32],
    /// The first block that was not searched for it and final then.
    pub from: u32,
    /// The last block that can have it.
    pub until: u32,
    /// What it costs at most.
    pub most: u128,
    /// The deposit in that.
    pub deposit: u128,
    /// The games, and for whom they are.
    pub games: Vec<(Finished, Payees)>,
}

impl Sending {
    pub fn of(kept: KeptCall, games: Vec<(Finished, Payees)>) -> Self {
        Self {
            extrinsic: kept.extrinsic,
            hash: kept.hash.0,
            from: kept.from,
            until: kept.until,
            most: kept.most,
            deposit: kept.deposit,
            games,
        }
    }

    pub const fn hash(&self) -> H256 {
        H256(self.hash)
    }

    fn payees(&self) -> Vec<Payees> {
        self.games.iter().map(|(_, payees)| *payees).collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct Content {
    whose: Whose,
    /// URLs of relays, by which payments name them.
    relays: Vec<String>,
    payments: Vec<Payment>,
    sending: Option<Sending>,
    /// The games that are on the chain, and when that was learned, in seconds since 1970.
    known: BTreeMap<GameNumber, u64>,
    spent: u128,
    games: u64,
    /// The first block whose events were not read.
    next_block: u32,
}

/// What a sponsor has done.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    pub account: Address,
    /// What was spent in 24 hours, with what is on its way.
    pub spent: u128,
    pub spent_in_all: u128,
    pub games: u64,
    pub sending: usize,
}

impl Content {
    fn summary(&self, now: u64) -> Summary {
        Summary {
            account: self.whose.account,
            spent: self.spent_within(DAY, now, |_| true),
            spent_in_all: self.spent,
            games: self.games,
            sending: self
                .sending
                .as_ref()
                .map_or(0, |sending| sending.games.len()),
        }
    }

    /// What was spent in the seconds before `now` for some, with what is on its way. A payment of a later time counts:
    /// its block was replaced, or the chain's time stood while no program looked.
    fn spent_within(&self, seconds: u64, now: u64, of: impl Fn(&Payees) -> bool) -> u128 {
        let part = |amount: u128, games: &[Payees]| {
            let count = games.iter().filter(|payees| of(payees)).count();
            match games.len() {
                // One for nobody, as that for the account itself, counts for all.
                0 => amount,
                all => (amount * count as u128).div_ceil(all as u128),
            }
        };
        let payments = self.payments.iter();
        let lately = payments.filter(|payment| now.saturating_sub(payment.time) < seconds);
        let paid: u128 = lately
            .map(|payment| part(payment.amount, &payment.games))
            .sum();
        let sending = self.sending.as_ref();
        paid + sending.map_or(0, |sending| part(sending.most, &sending.payees()))
    }
}

/// The state, which is on disk whenever a method returns that changes what is paid. No other program uses its folder
/// meanwhile.
#[derive(Debug)]
pub struct State {
    path: PathBuf,
    content: Content,
    _lock: FileLock,
}

#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error("cannot use {path}: {error}", path = path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("another program uses {}", .0.display())]
    InUse(PathBuf),
    #[error("{} is damaged: what was paid is not known. Move it away to begin anew", .0.display())]
    Damaged(PathBuf),
    #[error(
        "{} is of another version of this program, so what was paid in 24 hours is not known. Move it away to begin anew",
        .0.display()
    )]
    OtherVersion(PathBuf),
    #[error("{} is of another chain, contract or account: name another folder with --state", .0.display())]
    Other(PathBuf),
}

impl State {
    /// Opens the state in a folder, or makes one. `next_block` is the first block whose events are of interest to a
    /// new one.
    pub fn open(folder: &Path, whose: Whose, next_block: u32) -> Result<Self, StateError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| StateError::Io { path, error }
        };
        durable::make_folder(folder).map_err(failed(folder))?;
        let lock_path = folder.join("lock");
        let lock = FileLock::take(&lock_path).map_err(failed(&lock_path))?;
        let lock = lock.ok_or_else(|| StateError::InUse(folder.to_owned()))?;
        let path = folder.join("state");
        let content = match fs::read(&path) {
            Ok(bytes) => read(&bytes, &path)?,
            Err(error) if error.kind() == ErrorKind::NotFound => Content {
                whose,
                relays: Vec::new(),
                payments: Vec::new(),
                sending: None,
                known: BTreeMap::new(),
                spent: 0,
                games: 0,
                next_block,
            },
            Err(error) => return Err(failed(&path)(error)),
        };
        if content.whose != whose {
            return Err(StateError::Other(path));
        }
        Ok(Self {
            path,
            content,
            _lock: lock,
        })
    }

    /// What was spent in the last 24 hours and in all, the number of games, and how many are on their way, of the state
    /// in a folder, which another program may use; none if there is none.
    pub fn summary(folder: &Path, now: u64) -> Result<Option<Summary>, StateError> {
        let path = folder.join("state");
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|error| StateError::Io {
                path: path.clone(),
                error,
            })?,
        };
        Ok(Some(read(&bytes, &path)?.summary(now)))
    }

    /// The same of this state.
    pub fn told(&self, now: u64) -> Summary {
        self.content.summary(now)
    }

    /// The place of a relay in the list, by which payments name it. The list has as many as were ever followed.
    pub fn relay(&mut self, url: &str) -> u16 {
        let relays = &mut self.content.relays;
        let at = relays.iter().position(|known| known == url);
        let at = at.unwrap_or_else(|| {
            relays.push(url.to_owned());
            relays.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    pub const fn sending(&self) -> Option<&Sending> {
        self.content.sending.as_ref()
    }

    pub const fn next_block(&self) -> u32 {
        self.content.next_block
    }

    /// Sets the first block whose events were not read. It is on disk with the next change.
    pub const fn set_next_block(&mut self, block: u32) {
        self.content.next_block = block;
    }

    /// What was spent in the last 24 hours, with what is on its way.
    pub fn spent(&self, now: u64) -> u128 {
        self.content.spent_within(DAY, now, |_| true)
    }

    /// The same of the last hour.
    pub fn spent_in_hour(&self, now: u64) -> u128 {
        self.content.spent_within(HOUR, now, |_| true)
    }

    /// The same of 24 hours for the games of a relay.
    pub fn spent_for(&self, relay: u16, now: u64) -> u128 {
        self.content
            .spent_within(DAY, now, |payees| payees.relay() == relay)
    }

    /// How often each was paid for in the last 24 hours, or is to be now.
    pub fn counted(&self, now: u64) -> Counted {
        let mut counted = Counted::default();
        let payments = self.content.payments.iter();
        for payment in payments {
            let count = match now.saturating_sub(payment.time) {
                0..HOUR => Counted::add,
                HOUR..DAY => Counted::add_earlier,
                DAY.. => continue,
            };
            for payees in &payment.games {
                count(&mut counted, payees);
            }
        }
        for payees in self.content.sending.iter().flat_map(Sending::payees) {
            counted.add(&payees);
        }
        counted
    }

    /// Whether a game is known to be on the chain.
    pub fn knows(&self, number: GameNumber) -> bool {
        self.content.known.contains_key(&number)
    }

    /// Learns that a game is on the chain.
    pub fn learn(&mut self, number: GameNumber, now: u64) {
        self.content.known.insert(number, now);
    }

    /// Keeps a payment that is made for no game.
    pub fn pay(&mut self, amount: u128, now: u64) -> Result<(), StateError> {
        self.paid(amount, now, Vec::new());
        self.save()
    }

    /// Keeps a transaction before it is sent.
    pub fn send(&mut self, sending: Sending) -> Result<(), StateError> {
        self.content.sending = Some(sending);
        self.save()
    }

    /// Keeps up to where the chain was searched for the transaction.
    pub const fn searched(&mut self, next: u32) {
        if let Some(sending) = &mut self.content.sending {
            sending.from = next;
        }
    }

    /// The transaction on its way has cost this. Returns it.
    pub fn landed(
        &mut self,
        amount: u128,
        numbers: &[GameNumber],
        now: u64,
    ) -> Result<(), StateError> {
        let Some(sending) = self.content.sending.take() else {
            return Ok(());
        };
        let games = sending.payees();
        self.content.games += numbers.len() as u64;
        for number in numbers {
            self.learn(*number, now);
        }
        self.paid(amount, now, games);
        self.save()
    }

    /// The transaction on its way has cost this, and recorded nothing. Its cost counts for the parts of its relays, and
    /// for no player. Returns its games.
    pub fn failed(
        &mut self,
        amount: u128,
        now: u64,
    ) -> Result<Vec<(Finished, Payees)>, StateError> {
        let sending = self.content.sending.take();
        let games = sending.map_or_else(Vec::new, |sending| sending.games);
        let relays = games.iter().map(|(_, payees)| payees.of_relay_alone());
        self.paid(amount, now, relays.collect());
        self.save()?;
        Ok(games)
    }

    /// The transaction on its way can be in no block any more, by the node's word. What it could cost counts, as it may
    /// be in one all the same. Returns its games.
    pub fn void(&mut self, now: u64) -> Result<Vec<(Finished, Payees)>, StateError> {
        let most = self.sending().map_or(0, |sending| sending.most);
        self.failed(most, now)
    }

    fn paid(&mut self, amount: u128, now: u64, games: Vec<Payees>) {
        self.content.spent += amount;
        self.content.payments.push(Payment {
            time: now,
            amount,
            games,
        });
        let is_late = |time: u64| now.saturating_sub(time) < DAY;
        self.content
            .payments
            .retain(|payment| is_late(payment.time));
        let known = &mut self.content.known;
        known.retain(|_, learned| now.saturating_sub(*learned) <= KNOWN);
    }

    fn save(&self) -> Result<(), StateError> {
        let mut bytes = MAGIC.to_vec();
        self.content.encode_to(&mut bytes);
        let checksum = Native.keccak256(&bytes);
        bytes.extend(checksum);
        durable::replace(&self.path, &bytes).map_err(|error| StateError::Io {
            path: self.path.clone(),
            error,
        })
    }
}

fn read(bytes: &[u8], path: &Path) -> Result<Content, StateError> {
    if bytes.starts_with(KIND) && !bytes.starts_with(MAGIC) {
        return Err(StateError::OtherVersion(path.to_owned()));
    }
    let sealed = || {
        let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
        if Native.keccak256(content) != *checksum {
            return None;
        }
        let mut content = content.strip_prefix(MAGIC)?;
        Content::decode_all(&mut content).ok()
    };
    sealed().ok_or_else(|| StateError::Damaged(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use connect4_protocol::signed::Ending;
    use connect4_protocol::signed::feed::Origin;
    use connect4_rules::ByPlayer;
    use connect4_testing::keys::session_key;
    use connect4_testing::signed::SignedPlay;

    use super::*;
    use crate::sponsor::limits::At;

    const WHOSE: Whose = Whose {
        genesis: [1; 32],
        contract: Address([2; 20]),
        account: Address([3; 20]),
    };

    #[test]
    fn a_transaction_that_fails_counts_for_its_relay_and_for_no_player() {
        let folder = tempfile::TempDir::new().unwrap();
        let mut state = State::open(folder.path(), WHOSE, 0).unwrap();
        let now = 1_800_000_000;
        let witness = session_key(900);
        let play = SignedPlay::new(1, witness.address(), None, now);
        let at = |byte| At {
            relay: 1,
            run: 7,
            origin: Origin([byte; 8]),
        };
        let payees = Payees {
            players: ByPlayer {
                one: Address([4; 20]),
                two: Address([5; 20]),
            },
            from: ByPlayer {
                one: at(6),
                two: at(7),
            },
            gain: ByPlayer::from_fn(|_| true),
        };
        let line = [3, 4, 3, 4, 3, 4, 3];
        let finished = play.finished(&line, Ending::Board, &witness, 1000 * now);
        let games = vec![(finished, payees)];
        let sending = Sending {
            extrinsic: Vec::new(),
            hash: [0; 32],
            from: 1,
            until: 2,
            most: 100,
            deposit: 0,
            games: games.clone(),
        };
        state.send(sending).unwrap();
        assert_eq!(state.counted(now).had(&payees), (1, 1, 1));
        assert_eq!(state.failed(40, now).unwrap(), games);
        assert_eq!(state.counted(now).had(&payees), (1, 0, 0));
        assert_eq!(state.spent(now), 40);
        assert_eq!([0, 1].map(|relay| state.spent_for(relay, now)), [0, 40]);
    }
    /// It has the payments of the day, which a new one would spend again.
    #[test]
    fn a_file_of_an_earlier_version_is_refused() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("state");
        fs::write(&path, b"c4spon\0\x02with payments").unwrap();
        let now = 1_800_000_000;
        let refused = [
            State::open(folder.path(), WHOSE, 0).map(drop),
            State::summary(folder.path(), now).map(drop),
        ];
        for refused in refused {
            assert!(matches!(refused, Err(StateError::OtherVersion(of)) if of == path));
        }
    }

    #[test]
    fn a_game_on_the_chain_is_known_until_its_end_is_too_old() {
        let folder = tempfile::TempDir::new().unwrap();
        let mut state = State::open(folder.path(), WHOSE, 0).unwrap();
        let (game, now) = (GameNumber([7; 32]), 1_800_000_000);
        state.learn(game, now);
        state.pay(1, now + KNOWN).unwrap();
        assert!(state.knows(game));
        state.pay(1, now + KNOWN + 1).unwrap();
        assert!(!state.knows(game));
    }
}
