//! A socket on which a witness signs lists of ends.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use codec::Encode as _;
use connect4_protocol::Address;
use connect4_protocol::signed::listing::{Asked, FromListing, read};
use connect4_protocol::signed::relay::Refusal;
use tokio::sync::watch;

use super::keeper::Keeper;
use crate::addresses::Addresses;
use crate::counters::Counters;
use crate::talk::Talk;
use crate::visitor::Visitor;

/// An answer that is worked out elsewhere.
type Answer = Pin<Box<dyn Future<Output = Result<FromListing, Refusal>> + Send>>;

/// A socket on which a witness signs lists of ends, by the key in its path alone.
pub struct ListingVisit {
    keeper: Arc<Keeper>,
    key: Address,
    /// The key of the relay's witness.
    keys: watch::Receiver<Option<Address>>,
    from: Visitor,
    /// How many lists each address may ask for.
    recorders: Addresses,
    /// What is to be answered after `answer`, in order; none where the address has asked for too many. The rates of
    /// messages and of lists bound it.
    waiting: VecDeque<Option<Asked>>,
    answer: Option<Answer>,
    ready: VecDeque<Bytes>,
    failed: Option<Refusal>,
}

impl ListingVisit {
    pub fn new(
        keeper: Arc<Keeper>,
        key: Address,
        keys: watch::Receiver<Option<Address>>,
        from: Visitor,
        recorders: Addresses,
    ) -> Self {
        Self {
            keeper,
            key,
            keys,
            from,
            recorders,
            waiting: VecDeque::new(),
            answer: None,
            ready: VecDeque::new(),
            failed: None,
        }
    }

    /// Goes on up to the next request for which a list is to be signed.
    fn go_on(&mut self) {
        while self.answer.is_none()
            && let Some(next) = self.waiting.pop_front()
        {
            match next {
                Some(asked) => {
                    let keeper = Arc::clone(&self.keeper);
                    self.answer = Some(Box::pin(keeper.answer_list(self.key, asked)));
                }
                None => self.say(FromListing::Refused(Refusal::Busy)),
            }
        }
    }

    fn say(&mut self, message: FromListing) {
        self.ready.push_back(message.encode().into());
    }
}

impl Talk for ListingVisit {
    fn next_frame(&mut self) -> Option<Bytes> {
        self.ready.pop_front()
    }

    fn is_out(&self) -> Option<Refusal> {
        let is_other = self.keys.borrow().is_some_and(|key| key != self.key);
        self.failed
            .or_else(|| is_other.then_some(Refusal::OtherWitness))
    }

    fn has_to_join(&self) -> bool {
        false
    }

    async fn changed(&mut self) {
        let Self { answer, keys, .. } = self;
        let answered = async {
            match answer {
                Some(answer) => answer.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            answered = answered => {
                self.answer = None;
                match answered {
                    Ok(message) => self.say(message),
                    Err(refusal) => self.failed = Some(refusal),
                }
                self.go_on();
            }
            // The relay is held, so it is open.
            _ = keys.changed() => {}
        }
    }

    fn hear(&mut self, frame: &[u8], _: u64, counters: &Counters) -> Result<(), Refusal> {
        let asked: Asked = read(frame).ok_or(Refusal::BadMessage)?;
        let may_ask = self.recorders.spend(self.from, 1, Instant::now());
        if !may_ask {
            counters.busy.add();
        }
        self.waiting.push_back(may_ask.then_some(asked));
        self.go_on();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::signed::GameNumber;
    use connect4_testing::signed::CHAIN;

    use super::*;
    use crate::feed::Feed;
    use crate::limits::Limits;
    use crate::rooms::Rooms;
    use crate::stop::Stop;
    use crate::witness::Witness;

    /// The runtime that reads sockets looks at the clocks of all games, too.
    #[tokio::test]
    async fn a_list_is_signed_by_another_thread_than_the_one_that_reads_the_socket() {
        let name = format!("connect4-listing-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        let witness = Witness::open(&path, CHAIN).expect("a disk");
        let key = witness.key();
        let limits = Limits::default();
        let keys = watch::channel(Some(key)).0;
        let rooms = Arc::new(Rooms::new(&limits));
        let feed = Arc::new(Feed::new(&limits));
        let stop = Stop::default();
        let keeper = Keeper::start(witness, &limits, rooms, feed, stop, keys.clone());
        let recorders = Addresses::new(limits.lists_of_address());
        let from = Visitor::Uncounted;
        let following = keys.subscribe();
        let mut visit = ListingVisit::new(Arc::new(keeper), key, following, from, recorders);
        let game = GameNumber([7; 32]);
        let asked = Asked::new(vec![game]).expect("one game");
        let heard = visit.hear(&asked.encode(), 0, &Counters::default());
        assert_eq!(heard, Ok(()));
        assert_eq!(visit.next_frame(), None, "it is worked out elsewhere");
        visit.changed().await;
        let lacks = FromListing::Lacks(game).encode();
        assert_eq!(visit.next_frame(), Some(lacks.into()));
        assert_eq!(visit.is_out(), None);
        drop(visit);
        std::fs::remove_dir_all(path).expect("a folder");
    }
}
