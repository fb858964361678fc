//! What a person is told while an opponent is looked for, and what it agrees to meanwhile.

use connect4_protocol::signed::lobby::Counts;
use connect4_seat::GameOffer;
use tokio::sync::{mpsc, watch};

/// How a search for an opponent stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// How many wait and play at the relay, by its own word; none before it has said so.
    pub counts: Option<Counts>,
    /// The oldest offer of a program that is connected, and whose game would be rated in the pool of the programs. Nobody
    /// has signed it.
    pub program: Option<GameOffer>,
    /// The offer that the search takes by itself, whose stake this player pays once its player has accepted that.
    pub staked: Option<GameOffer>,
}

/// The side of a search that looks for the opponent.
#[derive(Debug)]
pub struct Searching {
    pub(super) standing: watch::Sender<Standing>,
    pub(super) agreed: mpsc::Receiver<GameOffer>,
}

/// The side of a search on which a person waits.
#[derive(Debug)]
pub struct Search {
    standing: watch::Receiver<Standing>,
    agrees: mpsc::Sender<GameOffer>,
}

impl Search {
    /// Both sides of a search.
    #[must_use]
    pub fn begin() -> (Self, Searching) {
        let (tells, standing) = watch::channel(Standing::default());
        let (agrees, agreed) = mpsc::channel(1);
        let searching = Searching {
            standing: tells,
            agreed,
        };
        (Self { standing, agrees }, searching)
    }

    /// How the search stands, once that is another than was returned last. It waits for ever if the search has ended.
    pub async fn changed(&mut self) -> Standing {
        if self.standing.changed().await.is_err() {
            return std::future::pending().await;
        }
        self.standing.borrow_and_update().clone()
    }

    /// The person plays a game as this program offers it, too, if nobody else comes first.
    pub fn plays(&self, program: GameOffer) {
        // A search that has ended has found somebody, and one word is enough.
        let _ = self.agrees.try_send(program);
    }
}
