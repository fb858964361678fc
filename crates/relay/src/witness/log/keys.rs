//! The keys of the witnesses that a folder has had, also of those whose log is lost. They are no secret.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use connect4_protocol::Address;

use super::writing::sync;

/// Keys that are kept, at most. The oldest is left out.
const MOST: usize = 64;

/// The keys, the oldest first. A line that is no key is passed over.
///
/// # Errors
///
/// As the system says.
pub fn read(folder: &Path) -> io::Result<Vec<Address>> {
    match fs::read_to_string(folder.join("keys")) {
        Ok(text) => Ok(text.lines().filter_map(|line| line.parse().ok()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Notes a key as the newest, before anything is signed by it.
///
/// # Errors
///
/// As the system says. Then the file is as it was.
pub fn note(folder: &Path, key: Address) -> io::Result<()> {
    let mut keys = read(folder)?;
    if keys.last() == Some(&key) {
        return Ok(());
    }
    keys.retain(|known| *known != key);
    keys.push(key);
    let new = folder.join("keys.new");
    let mut file = File::create(&new)?;
    for key in keys.iter().skip(keys.len().saturating_sub(MOST)) {
        writeln!(file, "{key}")?;
    }
    file.sync_all()?;
    fs::rename(new, folder.join("keys"))?;
    sync(folder)
}
