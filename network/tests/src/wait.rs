//! Waiting until something has happened.

use std::{
    thread,
    time::{Duration, Instant},
};

/// How long anything may take before a test fails.
pub const LIMIT: Duration = Duration::from_secs(180);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// Looks again and again until there is an answer.
///
/// # Panics
///
/// If there is none within [`LIMIT`].
#[track_caller]
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(answer) = look() {
            return answer;
        }
        assert!(begin.elapsed() < LIMIT, "in vain: {what}");
        thread::sleep(PAUSE);
    }
}
