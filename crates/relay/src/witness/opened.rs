//! A witness whose log is open.

use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use connect4_protocol::Address;
use connect4_protocol::signed::Chain;
use connect4_protocol::signed::wire::FRESH;
use connect4_protocol::signed::{Native, SessionKey};

use super::core::Core;
use super::entry::{Key, Moment};
use super::log::{Disk, Folder, Found, LogError};

/// A witness whose log is open, until a relay has it.
pub struct Witness {
    pub(super) folder: Folder,
    pub(super) found: Found,
    pub(super) core: Core<Native>,
    pub(super) key: SessionKey,
    /// Keys of the folder whose logs are lost, the newest first.
    pub(super) past: Vec<Address>,
    pub(super) since: Instant,
}

impl Witness {
    /// The witness of games of this chain, whose log is in this folder. A log that is missing, damaged, or of a key that
    /// was given up, is begun anew, by a new key.
    ///
    /// # Errors
    ///
    /// [`LogError::InUse`], [`LogError::OtherChain`], [`LogError::OtherVersion`], [`LogError::UnknownEntry`],
    /// [`LogError::Ahead`], or as the system says. Then the log is as it was.
    pub fn open(path: &Path, chain: Chain) -> Result<Self, LogError> {
        let folder = Folder::lock(path)?;
        let start = |key: &Key| {
            let session = SessionKey::from_secret(&key.secret)?;
            let core = Core::new(session.address(), chain, Native, key.made);
            Some((session, core))
        };
        let step = |(_, core): &mut (SessionKey, Core<Native>), entry| core.replay(&entry).ok();
        let aside = match folder.read(chain, start, step) {
            // Another key has come after this one, so that it was given up: somebody has put this log back, and it lacks
            // what was said since.
            Ok(Some((_, (key, _)))) if folder.is_past(key.address())? => Some(folder.put_aside()?),
            Ok(Some((old, (key, mut core)))) => {
                let last = core.last();
                let ahead = last.at.saturating_sub(wall()) / 1_000;
                if ahead > FRESH {
                    return Err(LogError::Ahead(ahead));
                }
                // By the time of the log: that of the machine may be wrong, and what is left out is gone.
                core.forget_until(last.at);
                let found_key = old.key().clone();
                let kept = core.kept();
                let log = folder.go_on(old, |entry| kept.keeps(entry))?;
                let found = Found {
                    log,
                    key: found_key,
                    aside: None,
                };
                // Not before: it takes a while to read a long log.
                let since = Instant::now();
                core.begin(wall(), 0);
                folder.note(key.address())?;
                let past = past(&folder, key.address())?;
                return Ok(Self {
                    folder,
                    found,
                    core,
                    key,
                    past,
                    since,
                });
            }
            Ok(None) => None,
            Err(LogError::Damaged) => Some(folder.put_aside()?),
            Err(error) => return Err(error),
        };
        let found = Found {
            aside,
            ..folder.begin(new_key(chain, wall()))?
        };
        let broken = || LogError::Io(std::io::ErrorKind::InvalidData.into());
        let since = Instant::now();
        let (key, core) = begun(&found.key, 0).ok_or_else(broken)?;
        let past = past(&folder, key.address())?;
        Ok(Self {
            folder,
            found,
            core,
            key,
            past,
            since,
        })
    }

    /// The key by which it signs, as an address.
    #[must_use]
    pub fn key(&self) -> Address {
        self.key.address()
    }

    /// The keys of the folder whose logs are lost, the newest first.
    #[must_use]
    pub fn past(&self) -> &[Address] {
        &self.past
    }

    /// Where a log was put that is damaged, or of a key that was given up.
    #[must_use]
    pub fn aside(&self) -> Option<&Path> {
        self.found.aside.as_deref()
    }

    /// Writes its log to another disk, which `wrap` makes of the one that there is.
    #[must_use]
    pub fn on(self, wrap: impl FnOnce(Box<dyn Disk>) -> Box<dyn Disk>) -> Self {
        let found = Found {
            log: self.found.log.on(wrap),
            ..self.found
        };
        Self { found, ..self }
    }
}

/// The witness of a log that has its key alone; none if that is no key.
pub fn begun(key: &Key, now: u64) -> Option<(SessionKey, Core<Native>)> {
    let session = SessionKey::from_secret(&key.secret)?;
    let mut core = Core::new(session.address(), key.chain(), Native, key.made);
    core.begin(wall(), now);
    Some((session, core))
}

fn past(folder: &Folder, key: Address) -> std::io::Result<Vec<Address>> {
    let keys = folder.keys()?;
    Ok(keys.into_iter().rev().filter(|past| *past != key).collect())
}

pub fn new_key(chain: Chain, at: u64) -> Key {
    let secret = loop {
        let secret: [u8; 32] = rand::random();
        if SessionKey::from_secret(&secret).is_some() {
            break secret;
        }
    };
    Key {
        secret,
        chain_id: chain.id,
        genesis: chain.genesis,
        made: Moment { at, fair: 0 },
    }
}

/// Time by the clock of this machine, in milliseconds since 1970.
pub fn wall() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
