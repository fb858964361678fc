//! What is to be known of each message beside its arguments: what it does, in words, and what the events of
//! its transaction tell of it. A new message is one line of these tables; those of the stakes are in `stakes`.

use connect4_protocol::message::{DropDisc, Free, GameCount, ReadGame, Resign, StartGame};
use connect4_protocol::signed::message::{Contradict, Record as RecordEnds};
use connect4_protocol::variants::message::{
    FreeVariant, Join, Leave, MakeMove, OpenTable, OpenTables, ReadVariant, RemoveLate,
    StartVariant, VariantCount,
};
use connect4_protocol::{Event, GameId, Message};

use crate::accounts::account::Named;
use crate::contracts::performed::Performed;
use crate::task::Task;

/// A message that only reads: it is asked by [`Contracts::read`](crate::Contracts::read).
pub trait Query: Message {
    /// What the client does meanwhile.
    fn task(&self) -> Task;
}

/// A message that changes something: it is sent by [`Contracts::send`](crate::Contracts::send).
pub trait Call: Message {
    /// What the events of its transaction tell of it.
    type Told;

    /// What the client does meanwhile, for this signer.
    fn task(&self, signer: &Named) -> Task;

    /// What these events, in the order of the chain, tell of it; none if no event tells that it was done.
    fn told(events: &[Event]) -> Option<Self::Told>;
}

/// Messages that read: the name of the message in the second part, and what it does.
macro_rules! queries {
    ($($query:ident, $message:pat => $task:expr;)*) => {$(
        impl Query for $query {
            fn task(&self) -> Task {
                let $message = self;
                Task::Message($task.into())
            }
        }
    )*};
}

queries! {
    GameCount, _ => "counting the games";
    VariantCount, _ => "counting the games";
    ReadGame, it => format!("reading game {}", GameId::Classic(it.game));
    ReadVariant, it => format!("reading game {}", GameId::Variant(it.game));
    OpenTables, _ => "listing the open tables";
}

/// Messages that change something: what they do for a signer; `by` which events it is told that they were
/// done, of which all events are returned, or what the event that `tells` it says.
macro_rules! calls {
    ($(
        $call:ident, $message:pat, $signer:pat => $task:expr
        $(, by $($event:ident)|+)?
        $(, tells $one:ident($of:ident) => $told:expr, $type:ty)?;
    )*) => {$(
        impl Call for $call {
            type Told = told_type!($($type)?);

            fn task(&self, $signer: &Named) -> Task {
                let $message = self;
                Task::Message($task.into())
            }

            fn told(events: &[Event]) -> Option<Self::Told> {
                told!(events $(by $($event)|+)? $(tells $one $of $told)?)
            }
        }
    )*};
}

macro_rules! told_type {
    () => {
        Performed
    };
    ($type:ty) => {
        $type
    };
}

macro_rules! told {
    ($events:ident) => {
        Some(Performed { events: $events.to_vec() })
    };
    ($events:ident by $($event:ident)|+) => {
        $events
            .iter()
            .any(|event| matches!(event, $(Event::$event(_))|+))
            .then(|| Performed { events: $events.to_vec() })
    };
    ($events:ident tells $one:ident $of:ident $told:expr) => {
        $events.iter().find_map(|event| match event {
            Event::$one($of) => Some($told),
            _ => None,
        })
    };
}

/// What an action in a game between two accounts does.
fn of_two(what: &str, game: u32) -> String {
    format!("{what} game {}", GameId::Classic(game))
}

/// What an action in a game of a variant, or at its table, does.
fn of_variant(what: &str, game: u32) -> String {
    format!("{what} game {}", GameId::Variant(game))
}

fn dropping(signer: &Named, bin: u8, game: u32) -> String {
    of_two(
        &format!(
            "dropping a disc of {signer} into bin {} of",
            u16::from(bin) + 1
        ),
        game,
    )
}

fn recording(games: usize) -> String {
    match games {
        1 => "recording a game".into(),
        games => format!("recording {games} games"),
    }
}

calls! {
    StartGame, _, _ => "starting a game",
        tells GameStarted(event) => GameId::Classic(event.game), GameId;
    StartVariant, _, _ => "starting a game",
        tells VariantStarted(event) => GameId::Variant(event.game), GameId;
    OpenTable, _, _ => "opening a table",
        tells TableOpened(event) => GameId::Variant(event.game), GameId;
    RecordEnds, it, _ => recording(it.games.len());
    Contradict, _, _ => "showing that a witness contradicts itself";

    DropDisc, it, signer => dropping(signer, it.bin, it.game), by DiscDropped;
    MakeMove, it, signer => of_variant(&format!("making the move {} of {signer} in", it.action), it.game), by MoveMade;
    Resign, it, _ => of_two("resigning", it.game), by GameEnded;
    Free, it, _ => of_two("freeing the storage of", it.game), by GameFreed;
    Join, it, _ => of_variant("joining the table of", it.game), by PlayerJoined;
    Leave, it, _ => of_variant("leaving", it.game), by PlayerLeft | TableClosed;
    RemoveLate, it, _ => of_variant("removing the late player of", it.game), by PlayerLeft;
    FreeVariant, it, _ => of_variant("freeing the storage of", it.game), by VariantFreed;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_reads_as_a_phrase() {
        let alice = Named::Development("alice");
        let task = DropDisc { game: 7, bin: 3 }.task(&alice);
        assert_eq!(
            task.to_string(),
            "dropping a disc of alice into bin 4 of game 7"
        );
        let action = "t3.2".parse().unwrap();
        let task = MakeMove { game: 7, action }.task(&alice);
        assert_eq!(task.to_string(), "making the move t3.2 of alice in game v7");
        assert_eq!(ReadGame { game: 7 }.task().to_string(), "reading game 7");
    }
}
