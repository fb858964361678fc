//! The log of a witness: an append-only file.
//!
//! What is written at a time is one *group* of entries:
//!
//! ```text
//! mark      8 bytes   of this log; of the first group MARK
//! length    4 bytes   of the entries, little-endian
//! checksum  8 bytes   of the checksum before, the length and the entries
//! entries             in SCALE
//! ```
//!
//! The first group has the key alone, by which the log begins. The others have a mark that is derived from the secret, so
//! that nothing that players send can have it. Behind the last group there are zeros: a file that grows with each group
//! is synced more slowly.
//!
//! No group is written before the one before it is on the disk. So if the last one is torn nothing of it was said, and it
//! is cut off. Damage before it shows by a mark behind it.

mod anew;
mod error;
mod folder;
mod format;
mod keys;
mod reading;
mod writing;

pub use anew::{Keeps, Needed};
pub use error::LogError;
pub use folder::{Folder, Found, Old};
pub use writing::{Disk, Log};
