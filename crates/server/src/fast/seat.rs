//! A seat of a fast game that is played here.

use std::sync::Arc;

use connect4_client::fast::{FastPlayer, Made, PlayError, PlayerEvent};
use connect4_client::{Error, Performed, Receipt};
use connect4_rules::Bin;
use tokio::sync::{Notify, mpsc, oneshot, watch};

use super::state::State;

/// Requests that wait for the seat, at most.
const AHEAD: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Drops a disc, or takes the first one over by the bin [`Moves::SWAP`](connect4_protocol::fast::Moves::SWAP).
    Drop(Bin),
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    /// Starts the opponent's clock on the chain.
    Press,
    /// Brings to the chain what both have signed.
    Settle,
}

/// The transaction by which something was done; none if it was signed.
pub type Acted = Result<Option<Receipt<Performed>>, PlayError>;

struct Request {
    act: Act,
    answer: oneshot::Sender<Acted>,
}

/// A seat that is played by a task, which ends once the end of the game is final, with the connection to the
/// chain, or if the node shows another game than before: then it has to be opened again.
#[derive(Clone)]
pub struct SeatHere {
    state: watch::Receiver<State>,
    requests: mpsc::Sender<Request>,
}

impl SeatHere {
    /// Plays for this player. `again` is told whenever there is something new to see.
    pub fn of(player: FastPlayer, again: Arc<Notify>) -> Self {
        let (known, state) = watch::channel(State::of_seat(&player));
        let (requests, asked) = mpsc::channel(AHEAD);
        tokio::spawn(play(player, known, asked, again));
        Self { state, requests }
    }

    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Whether it is not played any more.
    pub fn is_left(&self) -> bool {
        self.requests.is_closed()
    }

    /// Whether the game is over for good, as far as it knows.
    pub fn is_over(&self) -> bool {
        self.state.borrow().is_settled
    }

    /// Does what the player wants; none if the seat is not played any more.
    pub async fn act(&self, act: Act) -> Option<Acted> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(Request { act, answer }).await.ok()?;
        answered.await.ok()
    }
}

async fn play(
    mut player: FastPlayer,
    known: watch::Sender<State>,
    mut asked: mpsc::Receiver<Request>,
    again: Arc<Notify>,
) {
    while !player.is_settled() {
        tokio::select! {
            event = player.next() => match event {
                PlayerEvent::NotSeen(error) if is_lost(&error) => break,
                // It was opened on a block that was replaced, or on a node's lie: what is true then may not
                // fit it. What it has signed is kept, so that it is opened again with that.
                PlayerEvent::NotTaken(PlayError::OtherGame(_) | PlayError::NotAgreed { .. }) => break,
                // What the node answers with an error is asked again. What was heard and can't be kept was
                // not taken: it is told again.
                _ => {}
            },
            request = asked.recv() => match request {
                Some(Request { act, answer }) => {
                    let acted = perform(&mut player, act).await;
                    tell(&player, &known, &again);
                    // Who asked may have gone.
                    let _ = answer.send(acted);
                }
                None => break,
            },
        }
        tell(&player, &known, &again);
    }
    drop(asked);
    again.notify_one();
}

/// Whether the connection to the chain is lost: it is not made again by itself, as the chain may be
/// elsewhere.
const fn is_lost(error: &Error) -> bool {
    matches!(
        error,
        Error::Gone { .. } | Error::Timeout { .. } | Error::Connect { .. }
    )
}

fn tell(player: &FastPlayer, known: &watch::Sender<State>, again: &Notify) {
    let state = State::of_seat(player);
    let is_news = known.send_if_modified(|before| {
        let is_news = *before != state;
        *before = state;
        is_news
    });
    if is_news {
        again.notify_one();
    }
}

async fn perform(player: &mut FastPlayer, act: Act) -> Acted {
    match act {
        Act::Drop(bin) => Ok(match player.drop(bin).await? {
            Made::Signed => None,
            Made::OnChain(receipt) => Some(*receipt),
        }),
        Act::Resign => player.resign().map(|()| None),
        Act::OfferDraw => player.offer_draw().map(|()| None),
        Act::AcceptDraw => player.accept_draw().map(|()| None),
        Act::DeclineDraw => {
            player.decline_draw();
            Ok(None)
        }
        Act::Press => player.press().await.map(Some),
        Act::Settle if player.latest().is_over() => player.settle().await,
        // Who only wants it on the chain presses nobody.
        Act::Settle => player.show().await.map(Some),
    }
}
