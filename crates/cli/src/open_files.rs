//! The limit of open files, for commands that serve others.

use crate::words::remark;

/// As many as a relay needs with its largest usual limits, and more. Some systems refuse to have no
/// limit.
#[cfg(unix)]
const ENOUGH: u64 = 65_536;

/// Allows as many open files as are useful, and the system lets this program have: each connection is
/// one, and the usual limit is 1,024.
pub fn allow_most() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // None: there is no limit.
        let wanted = limit.maximum.map_or(ENOUGH, |most| most.min(ENOUGH));
        if limit.current.is_none_or(|current| current >= wanted) {
            return;
        }
        let raised = Rlimit {
            current: Some(wanted),
            ..limit
        };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            remark(format!("the limit of open files cannot be raised: {error}"));
        }
    }
}
