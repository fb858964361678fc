//! A socket that follows the games of a relay.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use codec::Encode as _;
use connect4_protocol::signed::feed::{EndedId, FromFeed, LiveGame, ToFeed, read};
use connect4_protocol::signed::relay::Refusal;
use tokio::sync::watch;

use crate::addresses::Guest;
use crate::counters::Counters;
use crate::feed::Feed;
use crate::talk::Talk;
use crate::visitor::Visitor;

/// After how long a socket may have the games listed again.
const LIST_AGAIN: Duration = Duration::from_millis(900);

/// A socket in the feed, until it is dropped.
pub struct FeedVisit {
    feed: Arc<Feed>,
    last: watch::Receiver<EndedId>,
    /// The games that are being listed, and the next of them.
    listing: Option<(Arc<[LiveGame]>, usize)>,
    next_list: Instant,
    /// The last ended game that was sent; none if they are not followed.
    after: Option<EndedId>,
    /// Up to where it was told that games are missing.
    missed: EndedId,
    /// Whether the end of the kept games has still to be told.
    is_catching_up: bool,
    _guest: Guest,
}

impl FeedVisit {
    /// A place in the feed; none if there are too many followers.
    pub fn new(feed: &Arc<Feed>, from: Visitor) -> Option<Self> {
        let (guest, last) = feed.follow(from)?;
        Some(Self {
            feed: Arc::clone(feed),
            last,
            listing: None,
            next_list: Instant::now(),
            after: None,
            missed: 0,
            is_catching_up: false,
            _guest: guest,
        })
    }

    fn next_listed(&mut self) -> Option<FromFeed> {
        let (games, next) = self.listing.as_mut()?;
        let game = games.get(*next).copied();
        *next += 1;
        Some(match game {
            Some(game) => FromFeed::Live(game),
            None => {
                self.listing = None;
                FromFeed::Complete
            }
        })
    }
}

impl Talk for FeedVisit {
    fn next_frame(&mut self) -> Option<Bytes> {
        if let Some(message) = self.next_listed() {
            return Some(message.encode().into());
        }
        self.last.mark_unchanged();
        let after = self.after?;
        let dropped = self.feed.dropped();
        if dropped > after.max(self.missed) {
            self.missed = dropped;
            return Some(FromFeed::Missed.encode().into());
        }
        match self.feed.ended_after(after) {
            Some((id, frame)) => {
                self.after = Some(id);
                Some(frame)
            }
            None => {
                std::mem::take(&mut self.is_catching_up).then(|| FromFeed::Complete.encode().into())
            }
        }
    }

    fn is_out(&self) -> Option<Refusal> {
        None
    }

    fn has_to_join(&self) -> bool {
        false
    }

    async fn changed(&mut self) {
        // The feed is held, so its channel is open.
        let _ = self.last.changed().await;
    }

    fn hear(&mut self, frame: &[u8], _: u64, _: &Counters) -> Result<(), Refusal> {
        match read(frame).ok_or(Refusal::BadMessage)? {
            ToFeed::Live => {
                let now = Instant::now();
                if now < self.next_list {
                    return Err(Refusal::Busy);
                }
                self.next_list = now + LIST_AGAIN;
                self.listing = Some((self.feed.live(), 0));
            }
            // Once is enough: to have all sent again needs a new socket, of which an address has few.
            ToFeed::Ended { .. } if self.after.is_some() => return Err(Refusal::Busy),
            ToFeed::Ended { after } => {
                self.after = Some(after);
                self.is_catching_up = true;
            }
        }
        Ok(())
    }
}
