//! What the program says when it is interrupted.

use std::sync::{Arc, Mutex};

/// Text that an interrupted program prints last: how to resume. Clones share it.
#[derive(Clone, Default)]
pub struct Farewell(Arc<Mutex<Option<String>>>);

impl Farewell {
    pub fn set(&self, text: String) {
        if let Ok(mut farewell) = self.0.lock() {
            *farewell = Some(text);
        }
    }

    pub fn clear(&self) {
        if let Ok(mut farewell) = self.0.lock() {
            *farewell = None;
        }
    }

    /// The text; none if nothing is to be said.
    pub fn get(&self) -> Option<String> {
        self.0.lock().ok().and_then(|text| text.clone())
    }
}
