//! What a sponsor has paid and what is on its way, on disk.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use codec::{Decode, DecodeAll as _, Encode};
use connect4_client::durable;
use connect4_client::{H256, KeptCall};
use connect4_protocol::fast::{Crypto as _, GameNumber, GameTerms, Moves, Native, Piece, Results};
use connect4_protocol::{Address, End};
use connect4_rules::Player;

use super::limits::{Counted, DAY, HOUR, Payees};
use crate::records::Game;

/// The first bytes of the file: what it is, and the version of its layout.
const MAGIC: &[u8; 8] = b"c4spon\0\x02";
/// Bytes of the checksum at the end of the file.
const CHECKSUM: usize = 32;
/// Pieces of one game that are paid for, at most.
const PIECES: usize = 2;

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

/// What was recorded of a game.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct Known {
    /// When the terms were made.
    time: u64,
    /// How often it was paid for.
    paid: u8,
    pieces: Vec<(Moves, Option<End>, Option<Player>)>,
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
    /// Since when, in seconds since 1970.
    pub time: u64,
    /// The games, and for whom they are.
    pub games: Vec<(Game, Payees)>,
}

impl Sending {
    pub fn of(kept: KeptCall, time: u64, games: Vec<(Game, Payees)>) -> Self {
        Self {
            extrinsic: kept.extrinsic,
            hash: kept.hash.0,
            from: kept.from,
            until: kept.until,
            most: kept.most,
            deposit: kept.deposit,
            time,
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
    known: BTreeMap<GameNumber, Known>,
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
    _lock: File,
}

#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error("cannot use {path}: {error}", path = path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("another program uses {}", .0.display())]
    InUse(PathBuf),
    #[error("{} is damaged, or of another version of this program: what was paid is not known. Move it away to begin anew", .0.display())]
    Damaged(PathBuf),
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
        let lock = File::create(&lock_path).map_err(failed(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StateError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(&lock_path)(error)),
        }
        let path = folder.join("state");
        let content = match fs::read(&path) {
            Ok(bytes) => read(&bytes).ok_or_else(|| StateError::Damaged(path.clone()))?,
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
        let content = read(&bytes).ok_or(StateError::Damaged(path))?;
        Ok(Some(content.summary(now)))
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

    /// What is known of the result of a game on the chain; none if it was paid for often enough.
    pub fn known(&self, number: GameNumber) -> Option<Results> {
        let mut results = Results::default();
        let Some(known) = self.content.known.get(&number) else {
            return Some(results);
        };
        if usize::from(known.paid) >= PIECES {
            return None;
        }
        for (moves, end, winner) in &known.pieces {
            results.add(&Piece {
                moves: *moves,
                end: *end,
                winner: *winner,
            });
        }
        Some(results)
    }

    /// Learns that a piece of a game is on the chain.
    pub fn learn(&mut self, number: GameNumber, time: u64, piece: &Piece, is_paid: bool) {
        let known = self.content.known.entry(number).or_insert(Known {
            time,
            paid: 0,
            pieces: Vec::new(),
        });
        known.paid = known.paid.saturating_add(is_paid.into());
        let piece = (piece.moves, piece.end, piece.winner);
        if known.pieces.len() < 2 * PIECES && !known.pieces.contains(&piece) {
            known.pieces.push(piece);
        }
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
        pieces: &HashMap<GameNumber, (u64, Piece)>,
        now: u64,
    ) -> Result<(), StateError> {
        let Some(sending) = self.content.sending.take() else {
            return Ok(());
        };
        let games = sending.payees();
        self.content.games += pieces.len() as u64;
        for (number, (time, piece)) in pieces {
            self.learn(*number, *time, piece, true);
        }
        self.paid(amount, now, games);
        self.save()
    }

    /// The transaction on its way has cost this, and recorded nothing. Its cost counts for the parts of its relays, and
    /// for no player. Returns its games.
    pub fn failed(&mut self, amount: u128, now: u64) -> Result<Vec<(Game, Payees)>, StateError> {
        let sending = self.content.sending.take();
        let games = sending.map_or_else(Vec::new, |sending| sending.games);
        let relays = games.iter().map(|(_, payees)| payees.of_relay_alone());
        self.paid(amount, now, relays.collect());
        self.save()?;
        Ok(games)
    }

    /// The transaction on its way can be in no block any more, by the node's word. What it could cost counts, as it may
    /// be in one all the same. Returns its games.
    pub fn void(&mut self, now: u64) -> Result<Vec<(Game, Payees)>, StateError> {
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
        let until = u64::from(GameTerms::RECORDED);
        let known = &mut self.content.known;
        known.retain(|_, known| now.saturating_sub(known.time) <= until);
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

fn read(bytes: &[u8]) -> Option<Content> {
    let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    if Native.keccak256(content) != *checksum {
        return None;
    }
    let mut content = content.strip_prefix(MAGIC)?;
    Content::decode_all(&mut content).ok()
}

#[cfg(test)]
mod tests {
    use connect4_protocol::fast::Domain;
    use connect4_protocol::fast::feed::Origin;
    use connect4_rules::ByPlayer;
    use connect4_testing::fast::TermsPlay;

    use super::*;
    use crate::sponsor::limits::At;

    #[test]
    fn a_transaction_that_fails_counts_for_its_relay_and_for_no_player() {
        let folder = tempfile::TempDir::new().unwrap();
        let whose = Whose {
            genesis: [1; 32],
            contract: Address([2; 20]),
            account: Address([3; 20]),
        };
        let mut state = State::open(folder.path(), whose, 0).unwrap();
        let now = 1_800_000_000;
        let play = TermsPlay::guests(Domain::new(1, whose.contract), now, 1);
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
        let game = play.recorded(&[3, 4, 3, 4, 3, 4, 3], None);
        let games = vec![(Game::ByTerms(game), payees)];
        let sending = Sending {
            extrinsic: Vec::new(),
            hash: [0; 32],
            from: 1,
            until: 2,
            most: 100,
            deposit: 0,
            time: now,
            games: games.clone(),
        };
        state.send(sending).unwrap();
        assert_eq!(state.counted(now).had(&payees), (1, 1, 1));
        assert_eq!(state.failed(40, now).unwrap(), games);
        assert_eq!(state.counted(now).had(&payees), (1, 0, 0));
        assert_eq!(state.spent(now), 40);
        assert_eq!([0, 1].map(|relay| state.spent_for(relay, now)), [0, 40]);
    }
}
