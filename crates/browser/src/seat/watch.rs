//! One step of somebody who watches a fast game, and has no key.

use alloc::vec::Vec;

use connect4_protocol::Address;
use connect4_protocol::fast::wire::{FromRelay, ToRelay};
use connect4_protocol::fast::{Evidence, Native};
use connect4_protocol::message as m;
use connect4_seat::Guard;
use serde::{Deserialize, Serialize};

use super::journal;
use super::room::{self, FromRoom};
use super::table::{Table, TableState};
use crate::called::Called;
use crate::failure::Failure;
use crate::values::Hex;

/// A step of somebody who watches.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WatchStep {
    /// The game.
    pub table: Table,
    /// The book that was returned last; none at first. It need not be kept on disk.
    pub book: Option<Hex>,
    /// A frame from the room; none if the chain or its time has changed.
    pub frame: Option<Hex>,
}

/// What a watcher sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Watch {
    /// The book for the next step; none if it is as before.
    pub book: Option<Hex>,
    /// Frames for the room, in order: a relay that has lost a position is told.
    pub send: Vec<Hex>,
    /// What the frame has said; none without one.
    pub from_room: Option<FromRoom>,
    /// How the game stands.
    pub state: TableState,
    /// What has to be done on the chain, by any account, so that neither player loses by a position
    /// that both have left; none if nothing.
    pub duty: Option<Called>,
}

pub(super) fn call_of(game: u32, duty: &connect4_seat::Duty) -> Called {
    match duty {
        connect4_seat::Duty::Advance(evidence) => Called::new(&m::Advance {
            game,
            press: false,
            evidence: *evidence,
        }),
        connect4_seat::Duty::Claim => Called::new(&m::ClaimFastTimeout { game }),
    }
}

pub(crate) fn watch(asked: WatchStep) -> Result<Watch, Failure> {
    let (subject, chain) = asked.table.read()?;
    let mut guard = Guard::new(subject, chain, asked.table.now);
    let kept = journal::unseal(asked.book.as_ref(), &subject, Address::ZERO)?;
    guard = match kept.is_judged {
        true => guard.with_journal(kept.journal),
        false => guard.with_journal(kept.journal.judged(&subject, &Native)?),
    };
    let mut send = Vec::new();
    let from_room = asked.frame.map(|frame| hear(&mut guard, &frame, &mut send));
    Ok(Watch {
        book: journal::changed(
            asked.book.as_ref(),
            guard.journal(),
            &subject,
            Address::ZERO,
        ),
        send: send.iter().map(room::frame).collect(),
        from_room,
        state: TableState::new(
            &subject,
            &chain,
            &guard.latest(),
            guard.evidence(),
            guard.journal(),
        ),
        duty: guard.duty().map(|duty| call_of(asked.table.game.0, &duty)),
    })
}

fn hear(guard: &mut Guard, frame: &Hex, send: &mut Vec<ToRelay>) -> FromRoom {
    match room::read(frame) {
        Some(FromRelay::Welcome { .. }) => {
            if *guard.evidence() != Evidence::start() {
                send.push(ToRelay::Position(*guard.evidence()));
            }
            FromRoom::default()
        }
        Some(FromRelay::Position(evidence)) => {
            let heard = guard.receive(&evidence);
            if heard == Ok(connect4_seat::Received::Behind) {
                send.push(ToRelay::Position(*guard.evidence()));
            }
            FromRoom::heard(heard.map_err(Failure::from))
        }
        other => FromRoom::told(other),
    }
}
