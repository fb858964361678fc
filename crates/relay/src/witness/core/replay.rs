//! A witness as its log has it.

use connect4_protocol::Address;
use connect4_protocol::signed::{Chain, Crypto, WitnessedEnd};

use super::games::Games;
use super::kept::Kept;
use super::pending::Pending;
use super::{Core, ended};
use crate::witness::entry::{Entry, Moment};
use crate::witness::fair::Clock;
use crate::witness::game::Running;

/// The log says what cannot have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl<C: Crypto + Clone> Core<C> {
    /// The witness with this key, as its log has it. `now` is the time of the machine, since some start, and `wall` that
    /// since 1970, both in milliseconds.
    ///
    /// # Errors
    ///
    /// [`Damaged`] if the entries are none that this code has written.
    pub fn resume(
        witness: Address,
        chain: Chain,
        crypto: C,
        entries: &[Entry],
        wall: u64,
        now: u64,
    ) -> Result<Self, Damaged> {
        let mut core = Self::new(witness, chain, crypto, Moment::default());
        for entry in entries {
            core.replay(entry)?;
        }
        core.begin(wall, now);
        Ok(core)
    }

    /// A witness with this key, made at this moment, into which its log is [read](Self::replay) before it
    /// [begins](Self::begin).
    pub fn new(witness: Address, chain: Chain, crypto: C, made: Moment) -> Self {
        Self {
            witness,
            chain,
            crypto,
            clock: Clock::new(made, 0),
            games: Games::default(),
            pending: Pending::default(),
            is_full: false,
            is_outdated: false,
            written: made.fair,
        }
    }

    /// Reads an entry of the log.
    ///
    /// # Errors
    ///
    /// [`Damaged`] if it is none that this code has written there.
    pub fn replay(&mut self, entry: &Entry) -> Result<(), Damaged> {
        let time = entry.time();
        self.clock = Clock::new(time, 0);
        self.written = time.fair;
        self.replayed(entry).ok_or(Damaged)
    }

    fn replayed(&mut self, entry: &Entry) -> Option<()> {
        match entry {
            Entry::Key(_) | Entry::Alive(_) => {}
            Entry::Started(time) => self.stop_all(*time),
            Entry::Back { game, player, time } => {
                self.games.running_mut(*game)?.back(*player, time.fair);
            }
            Entry::Opened { terms, time } => {
                let number = terms.number(self.chain, &self.crypto);
                let game = Running::open(*terms, *time, None).ok()?;
                let is_new = !self.games.is_over(number);
                let before = self.games.insert(number, game);
                (is_new && before.is_none()).then_some(())?;
            }
            Entry::Moved {
                game,
                bin,
                signature,
                left,
                time,
            } => {
                let game = self.games.running_mut(*game)?;
                game.make(*bin, *signature, *left, *time).then_some(())?;
            }
            Entry::Ended {
                game,
                moves,
                end,
                signatures,
                time,
            } => {
                // The game itself is left out of a log that was written anew.
                let told = ended(*moves, *signatures, *end, time.at);
                self.games.end(*game, &told);
            }
        }
        Some(())
    }

    /// The moment of the last entry that was read.
    #[must_use]
    pub const fn last(&self) -> Moment {
        self.clock.moment()
    }

    /// Forgets the ends that are kept no longer than until then.
    pub fn forget_until(&mut self, at: u64) {
        self.games.forget_until(at);
    }

    /// What is needed of the log that was read or written so far, when it is written anew.
    #[must_use]
    pub fn kept(&self) -> Kept<C> {
        Kept {
            chain: self.chain,
            crypto: self.crypto.clone(),
            running: self.games.numbers().into_iter().collect(),
            over: self.games.numbers_over().collect(),
        }
    }

    /// Goes on after its whole log was read.
    pub fn begin(&mut self, wall: u64, now: u64) {
        let last = self.last();
        let start = Moment {
            at: last.at.max(wall),
            fair: last.fair,
        };
        self.clock = Clock::new(start, now);
        self.forget_until(start.at);
        self.stop_all(start);
        self.write(Entry::Started(start));
        for number in self.games.numbers() {
            if let Some(game) = self.games.running_mut(number) {
                game.is_logged = true;
                game.told = game.receipt();
                let is_over = game.is_over();
                self.games.reschedule(number, None);
                // The last move was written, and the end was not.
                if is_over {
                    self.end(number, WitnessedEnd::Board, start);
                }
            }
        }
    }

    fn stop_all(&mut self, time: Moment) {
        for game in self.games.all_running() {
            game.stop(time.fair);
        }
    }
}
