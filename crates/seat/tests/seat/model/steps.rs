//! The steps that lead on from a state.

use super::check::Violation;

/// A step in words, and the state after it.
pub type Step<S> = (String, Result<S, Violation>);

/// Steps from one state, in an order that is always the same.
pub struct Steps<S> {
    pub list: Vec<Step<S>>,
    /// Whether the words are wanted, which take more time than all else.
    pub is_told: bool,
}

impl<S> Steps<S> {
    pub const fn new(is_told: bool) -> Self {
        Self {
            list: Vec::new(),
            is_told,
        }
    }

    pub fn push(&mut self, says: impl FnOnce() -> String, next: Result<S, Violation>) {
        let says = if self.is_told { says() } else { String::new() };
        self.list.push((says, next));
    }
}
