//! A local chain that another program has open, and that this one takes over when the other ends.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use connect4_chain::{OpenError, Options};
use connect4_client::Route;

use crate::local::{self, Local, NotStarted};
use crate::place::Place;

/// The way to the chain of a folder, wherever it is served. Clones share the chain that was taken
/// over.
#[derive(Clone)]
pub struct Takeover {
    folder: PathBuf,
    /// Whether this program may open the chain if no other has it open.
    may_open: Arc<AtomicBool>,
    /// The chain, if this program has opened it.
    own: Arc<Mutex<Option<Local>>>,
}

impl Takeover {
    pub fn of(folder: PathBuf) -> Self {
        Self {
            folder,
            may_open: Arc::default(),
            own: Arc::default(),
        }
    }

    /// The URL at which this program serves the chain; none if it does not.
    fn own_url(&self) -> Option<String> {
        let own = self.own.lock().ok()?;
        own.as_ref().map(Local::url)
    }

    /// The URL of the program that has the chain open.
    fn other_url(&self) -> Result<String, String> {
        local::served_at(&self.folder).ok_or_else(|| "no program serves the chain".into())
    }
}

/// Who decides on a chain that may be taken over. If it was, it is closed when this is dropped: the
/// connection, which has the way to it, may be closed later.
pub struct Holder(pub Takeover);

impl Holder {
    /// Has the chain opened here once the program that has it open has ended.
    pub fn allow(&self) {
        self.0.may_open.store(true, Ordering::Relaxed);
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.0.may_open.store(false, Ordering::Relaxed);
        if let Ok(mut own) = self.0.own.lock() {
            *own = None;
        }
    }
}

impl Route for Takeover {
    async fn url(&self) -> Result<String, String> {
        if let Some(url) = self.own_url() {
            return Ok(url);
        }
        if !self.may_open.load(Ordering::Relaxed) {
            return self.other_url();
        }
        let place = Place::Folder(self.folder.clone());
        match local::run(&place, Options::default(), local::own_port()).await {
            Ok(local) => {
                let url = local.url();
                if let Ok(mut own) = self.own.lock() {
                    *own = Some(local);
                }
                Ok(url)
            }
            Err(NotStarted::Open(OpenError::InUse(_))) => self.other_url(),
            Err(error) => Err(crate::failure::Failure::from(error).to_string()),
        }
    }
}
