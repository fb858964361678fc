//! The connection to the feed of a relay: signed games that are played there, and that have ended.

use connect4_protocol::signed::Chain;
use connect4_protocol::signed::feed::{self, EndedId, FromFeed, ToFeed};

use super::messages::{LobbyError, Messages};

/// A place in the feed of a relay, until this is dropped.
///
/// Nothing that comes is checked: [`Finished::judge`](connect4_protocol::signed::Finished::judge) does it for an ended
/// game. It is read as fast as [`Self::next`] is called.
#[derive(Debug)]
pub struct Feed {
    messages: Messages,
    chain: Chain,
    run: u64,
}

impl Feed {
    /// Enters the feed of the relay with this URL.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn enter(url: &str) -> Result<Self, LobbyError> {
        let mut messages = Messages::connect(url, feed::PATH, feed::MAX_LEN).await?;
        match messages.first().await? {
            FromFeed::Welcome { chain, run, .. } => Ok(Self {
                messages,
                chain,
                run,
            }),
            FromFeed::Refused(refusal) => Err(LobbyError::Refused(refusal)),
            _ => Err(LobbyError::lost("it does not welcome")),
        }
    }

    /// Chain for which games are signed there, as the relay says.
    #[must_use]
    pub const fn chain(&self) -> Chain {
        self.chain
    }

    /// Tells this run of the relay from others: with another one the numbers of games begin anew.
    #[must_use]
    pub const fn run(&self) -> u64 {
        self.run
    }

    /// Has the games listed that are played at the moment.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn list(&mut self) -> Result<(), LobbyError> {
        self.messages.send(&ToFeed::Live).await
    }

    /// Follows the ended games with a larger number, once.
    ///
    /// # Errors
    ///
    /// [`LobbyError::Lost`].
    pub async fn follow(&mut self, after: EndedId) -> Result<(), LobbyError> {
        self.messages.send(&ToFeed::Ended { after }).await
    }

    /// What comes next. If the wait is given up, nothing is lost.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn next(&mut self) -> Result<FromFeed, LobbyError> {
        match self.messages.receive().await? {
            FromFeed::Refused(refusal) if refusal.closes() => Err(LobbyError::Refused(refusal)),
            message => Ok(message),
        }
    }
}
