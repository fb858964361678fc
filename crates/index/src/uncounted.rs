//! What of the recorded signed games counts, as far as that follows from the chain.

use std::str::FromStr;

use connect4_client::Address;
use connect4_protocol::signed::GameNumber;
use connect4_protocol::signed::event::GameRecorded;

use crate::error::Error;

/// How much later than the block of its record a game can have ended, in seconds: the clocks of witness and chain differ.
pub const MOST_AHEAD: u64 = 10 * 60;
/// How much earlier than that block it can have ended, in seconds: as long as a witness keeps its end.
pub const MOST_BEHIND: u64 = connect4_protocol::signed::wire::KEPT;

/// Why a game whose end was recorded counts for nothing: the first of these that applies, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// It has no witness: both players have told its end, and nobody else.
    NoWitness,
    /// It has no clock, so that nobody could be made to move.
    NoClock,
    /// Its witness has contradicted itself: about this game, or in an earlier place of the chain about any.
    Contradicted,
    /// Its end is far from the time of the block of its record, or that time is not known.
    OtherTime,
}

impl Uncounted {
    const ALL: [Self; 4] = [
        Self::NoWitness,
        Self::NoClock,
        Self::Contradicted,
        Self::OtherTime,
    ];

    /// Its name, as the index and its readers write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoWitness => "no witness",
            Self::NoClock => "no clock",
            Self::Contradicted => "contradicted",
            Self::OtherTime => "other time",
        }
    }
}

impl FromStr for Uncounted {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let named = Self::ALL.into_iter().find(|why| why.name() == text);
        named.ok_or(())
    }
}

/// That a witness has contradicted itself, as the chain tells first of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    pub witness: Address,
    pub game: GameNumber,
    /// Number of the block, and place among its events.
    pub at: (u32, u32),
}

/// Whether a game counts, as it was recorded at a place of the chain and at a time of it, in seconds since 1970; none if
/// it does.
pub fn uncounted(
    record: &GameRecorded,
    place: (u32, u32),
    time: Option<u64>,
    contradictions: &[Contradiction],
) -> Option<Uncounted> {
    let Some((witness, at)) = record.terms.witness.zip(record.at) else {
        return Some(Uncounted::NoWitness);
    };
    if record.terms.clock.is_none() {
        return Some(Uncounted::NoClock);
    }
    let mut of_witness = contradictions.iter().filter(|it| it.witness == witness);
    if of_witness.any(|it| it.game == record.game || it.at < place) {
        return Some(Uncounted::Contradicted);
    }
    let in_milliseconds = |seconds: u64| seconds.saturating_mul(1000);
    let is_near = time.is_some_and(|time| {
        let earliest = in_milliseconds(time.saturating_sub(MOST_BEHIND));
        let latest = in_milliseconds(time.saturating_add(MOST_AHEAD));
        (earliest..=latest).contains(&at)
    });
    (!is_near).then_some(Uncounted::OtherTime)
}

/// Reads what [`Uncounted::name`] writes.
pub fn read_uncounted(text: Option<String>) -> Result<Option<Uncounted>, Error> {
    let read = |text: String| {
        let named = text.parse::<Uncounted>();
        named.map_err(|()| Error::Row(format!("{text:?} is no reason")))
    };
    text.map(read).transpose()
}
