//! Messages to the opponent's program, and from it.

use std::sync::Arc;

use codec::{DecodeAll as _, Encode as _};
use connect4_seat::Message;
use tokio::sync::{Notify, mpsc};

/// How many messages wait for who reads them.
const AHEAD: usize = 32;

/// A way between the programs of both players, whatever it leads through. Messages can be lost: what matters is told
/// again from time to time. Nothing that comes is believed that the opponent has not signed.
#[derive(Debug)]
pub struct Carrier {
    pub(super) to_opponent: mpsc::Sender<Message>,
    pub(super) from_opponent: mpsc::Receiver<Message>,
    /// Told when messages may come through that did not before.
    pub(super) connected: Arc<Notify>,
}

impl Carrier {
    /// A carrier, what is told by it, and where what the opponent tells is put.
    #[must_use]
    pub fn new() -> (Self, mpsc::Receiver<Message>, mpsc::Sender<Message>) {
        let (to_opponent, told) = mpsc::channel(AHEAD);
        let (tells, from_opponent) = mpsc::channel(AHEAD);
        let carrier = Self {
            to_opponent,
            from_opponent,
            connected: Arc::default(),
        };
        (carrier, told, tells)
    }

    /// The carriers of two players whose programs run in this process.
    #[must_use]
    pub fn pair() -> [Self; 2] {
        let (to_two, from_one) = mpsc::channel(AHEAD);
        let (to_one, from_two) = mpsc::channel(AHEAD);
        let ways = [(to_two, from_two), (to_one, from_one)];
        ways.map(|(to_opponent, from_opponent)| Self {
            to_opponent,
            from_opponent,
            connected: Arc::default(),
        })
    }

    /// To be told whenever messages may come through that did not before.
    #[must_use]
    pub fn connected(&self) -> Arc<Notify> {
        Arc::clone(&self.connected)
    }
}

/// What stands before the digits of a message that is written as text.
const MARK: &str = "connect4-answer:";
/// Bytes of a message, at most.
const LONGEST: usize = 2_048;

/// A message to the opponent's program as a line of text, which any messenger carries.
#[must_use]
pub fn as_text(message: &Message) -> String {
    format!("{MARK}{}", hex::encode(message.encode()))
}

/// The message of a line that [`as_text`] has written; none if it is none.
#[must_use]
pub fn of_text(text: &str) -> Option<Message> {
    let digits = text.trim().strip_prefix(MARK)?;
    if digits.len() > 2 * LONGEST {
        return None;
    }
    let bytes = hex::decode(digits).ok()?;
    Message::decode_all(&mut &bytes[..]).ok()
}
