//! The end of a server, told to all who serve.

use tokio::sync::watch;

/// Tells those who serve that the server ends. Clones share it.
#[derive(Clone, Debug)]
pub struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Self {
        Self(watch::channel(false).0)
    }
}

impl Stop {
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    pub async fn stopped(&self) {
        // It fails only without a sender, and this is one.
        let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
    }
}
