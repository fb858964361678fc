//! One step of a player in a fast game.

use alloc::vec::Vec;
use core::convert::Infallible;

use connect4_protocol::fast::wire::{self, FromRelay, Offer, ToRelay};
use connect4_protocol::fast::{Evidence, Native};
use connect4_protocol::message as m;
use connect4_rules::Bin;
use connect4_rules::variant::Colour;
use connect4_seat::{Journal, Keep, Moved, Press, Seat, SeatError};
use serde::{Deserialize, Serialize};

use super::journal;
use super::room::{self, FromRoom};
use super::table::{Table, TableState};
use crate::called::Called;
use crate::failure::Failure;
use crate::session_key;
use crate::values::{Hex, Scale};

/// A step of a player in a fast game, with all that the step before has returned.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatStep {
    /// The game.
    pub table: Table,
    /// Secret of the player's session key, 32 bytes.
    pub secret: Hex,
    /// The book that was kept last; none if nothing was kept of this game yet.
    pub book: Option<Hex>,
    /// Offers of draws that were returned last.
    #[serde(default)]
    pub offers: Offers,
    /// What is done.
    pub step: Step,
}

/// What a player does, or is told.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Sits down, or sees that the chain or its time has changed.
    Look,
    /// Takes a frame from the room.
    Hear(Hex),
    /// Says the latest position in the room again: a relay may have lost it.
    Tell,
    /// Drops a disc into a bin: by a signature, or on the chain if the game goes on there.
    Drop(u8),
    /// Takes the first disc over, by the pie rule, in the same way.
    Swap,
    /// Gives the game up by a signature.
    Resign,
    /// Offers a draw at the latest position.
    OfferDraw,
    /// Accepts the opponent's offer of a draw.
    AcceptDraw,
    /// Declines the opponent's offer of a draw.
    DeclineDraw,
    /// Starts the opponent's clock on the chain, with the latest position if that is not known there.
    Press,
    /// Brings the latest position to the chain, and starts the opponent's clock there if the game has
    /// one: so the opponent has the move without a relay.
    Bring,
    /// Brings the end to the chain, though the other player is to.
    Settle,
}

/// Offers of draws. Nothing is lost with them: the player's own is in its journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Offers {
    /// The opponent's latest one, also if it does not stand any more: the same one is no news again.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub theirs: Option<Scale<Offer>>,
    /// Whether the player has declined it.
    #[serde(default)]
    pub declined: bool,
}

/// What has come of a step. First the book is kept, then the rest is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stepped {
    /// The book that has to be on disk before anything else is done; none if it is as before.
    pub book: Option<Hex>,
    /// Frames for the room, in order.
    pub send: Vec<Hex>,
    /// What the player's account calls, as the step asks for it; none if nothing.
    pub call: Option<Called>,
    /// Offers of draws, for the next step.
    pub offers: Offers,
    /// What the frame has said; none of other steps.
    pub from_room: Option<FromRoom>,
    /// How the game stands.
    pub state: SeatState,
}

/// How a fast game stands for a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatState {
    /// How it stands.
    #[serde(flatten)]
    pub table: TableState,
    /// The player.
    pub player: Colour,
    /// Whether the game goes on on the chain, as the opponent has not signed what is known there.
    pub plays_on_chain: bool,
    /// The player whose offer of a draw stands.
    pub draw_offer: Option<Colour>,
    /// Whether the opponent's clock can be started.
    pub may_press: bool,
    /// Whether the end can be brought to the chain.
    pub may_settle: bool,
    /// Whether the player has lost, so that it loses nothing if the page is closed.
    pub is_lost: bool,
    /// What has to be done on the chain; none if nothing.
    pub duty: Option<Duty>,
}

/// What has to be done on the chain. It loses nothing if somebody else is faster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Duty {
    /// What is called, by any account.
    pub call: Called,
    /// For how many seconds after it is seen first it is waited with, as the opponent may do it as well, or
    /// make it unnecessary.
    pub patience: u32,
}

/// The page keeps a journal that is returned before it does anything else.
pub(super) struct Returned;

impl Keep for Returned {
    type Error = Infallible;

    fn keep(&mut self, _: &Journal) -> Result<(), Infallible> {
        Ok(())
    }

    fn may_have(&self, _: &Journal) -> bool {
        true
    }
}

impl From<SeatError<Infallible>> for Failure {
    fn from(error: SeatError<Infallible>) -> Self {
        match error {
            SeatError::Refused(error) => error.into(),
            SeatError::Bound(_) | SeatError::OnChainAlone => {
                Self::new("Bound", alloc::format!("{error}"))
            }
            SeatError::ClocksDiffer(_) => Self::new("ClocksDiffer", alloc::format!("{error}")),
            SeatError::Keep(never) => match never {},
        }
    }
}

/// What a step brings out of the seat.
#[derive(Default)]
struct Out {
    send: Vec<ToRelay>,
    call: Option<Called>,
    from_room: Option<FromRoom>,
}

impl Out {
    fn tell(&mut self, seat: &Seat<Returned>) {
        self.send.push(ToRelay::Position(*seat.evidence()));
    }
}

pub(crate) fn step(asked: SeatStep) -> Result<Stepped, Failure> {
    let (subject, chain) = asked.table.read()?;
    let key = session_key::of(&asked.secret)?;
    let address = key.address();
    let kept = journal::unseal(asked.book.as_ref(), &subject, address)?;
    let (journal, now) = (kept.journal, asked.table.now);
    // Before a player sits down, what is on the disk is judged again.
    let sit = match asked.step {
        Step::Look => Seat::new,
        _ if !kept.is_judged => Seat::new,
        _ => Seat::resume,
    };
    let seat = sit(subject, key, journal, Returned, chain, now)?;
    let Offers { theirs, declined } = asked.offers;
    let mut seat = seat
        .with_offer(theirs.map(|offer| offer.0))
        .with_declined(declined);
    if let Some(machine) = asked.table.machine {
        seat.pass_time(machine);
    }
    let mut out = Out::default();
    take(&mut seat, &asked, &mut out)?;
    // The loser of a line agrees to it by itself.
    if seat.concede()? {
        out.tell(&seat);
    }
    Ok(Stepped {
        book: journal::changed(asked.book.as_ref(), seat.journal(), &subject, address),
        send: out.send.iter().map(room::frame).collect(),
        call: out.call,
        offers: Offers {
            theirs: seat.latest_offer().copied().map(Scale),
            declined: seat.has_declined(),
        },
        from_room: out.from_room,
        state: state(&seat, asked.table.game.0),
    })
}

fn take(seat: &mut Seat<Returned>, asked: &SeatStep, out: &mut Out) -> Result<(), Failure> {
    let game = asked.table.game.0;
    let advance = |evidence: &Evidence, press| {
        Some(Called::new(&m::Advance {
            game,
            press,
            evidence: *evidence,
        }))
    };
    match &asked.step {
        Step::Look => {}
        Step::Tell => {
            if *seat.evidence() != Evidence::start() {
                out.tell(seat);
            }
        }
        Step::Hear(frame) => out.from_room = Some(hear(seat, frame, out)?),
        Step::Drop(_) | Step::Swap => {
            let moved = match &asked.step {
                Step::Drop(bin) => seat.drop(Bin::new(*bin))?,
                _ => seat.swap()?,
            };
            match moved {
                Moved::Signed(_) => out.tell(seat),
                Moved::OnChain(bin) => {
                    out.call = Some(Called::new(&m::DropFast {
                        game,
                        bin: bin.index(),
                    }));
                }
                Moved::ForChain(evidence) => out.call = advance(&evidence, false),
            }
        }
        Step::Resign => {
            seat.resign()?;
            out.tell(seat);
        }
        Step::OfferDraw => {
            let offer = seat.offer_draw_now(asked.table.ahead())?;
            out.send.push(ToRelay::Offer(offer));
        }
        Step::AcceptDraw => {
            seat.accept_draw()?;
            out.tell(seat);
        }
        Step::DeclineDraw => {
            seat.decline_draw();
        }
        Step::Press => {
            out.call = match seat.press()? {
                Press::With(evidence) => advance(&evidence, true),
                Press::Alone => Some(Called::new(&m::Press { game })),
            };
        }
        Step::Bring => {
            let chain = seat.chain();
            let has_clock = chain.stopped.is_some() || chain.game.clock().is_some();
            out.call = advance(&seat.journal().position, has_clock);
        }
        Step::Settle => {
            if let Some(evidence) = seat.settlement() {
                out.call = advance(&evidence, false);
            }
        }
    }
    Ok(())
}

fn hear(seat: &mut Seat<Returned>, frame: &Hex, out: &mut Out) -> Result<FromRoom, Failure> {
    let heard = match room::read(frame) {
        Some(FromRelay::Welcome { nonce }) => {
            enter(seat, nonce, out);
            return Ok(FromRoom::default());
        }
        Some(FromRelay::Position(evidence)) => {
            let heard = seat.receive(&evidence);
            // A sender who has less is sent the rest, and so is an opponent to whose line the seat has agreed.
            let says_more = *seat.evidence() != evidence;
            match heard {
                Ok(connect4_seat::Received::News) if says_more => out.tell(seat),
                Ok(connect4_seat::Received::Behind) => out.tell(seat),
                _ => {}
            }
            heard
        }
        Some(FromRelay::Offer(offer)) => seat.receive_offer(&offer),
        other => return Ok(FromRoom::told(other)),
    };
    // A relay may say anything: that is no failure of the step.
    Ok(FromRoom::heard(heard.map_err(Failure::from)))
}

/// Says who this is, and what the seat holds.
fn enter(seat: &Seat<Returned>, nonce: [u8; 32], out: &mut Out) {
    let subject = seat.subject();
    let digest = wire::presence(subject.number(), nonce, &subject.domain(), &Native);
    out.send.push(ToRelay::Join {
        player: seat.player(),
        signature: seat.key().sign(&digest),
    });
    if *seat.evidence() != Evidence::start() {
        out.tell(seat);
    }
    if let Some(offer) = seat.offered() {
        out.send.push(ToRelay::Offer(*offer));
    }
}

fn state(seat: &Seat<Returned>, game: u32) -> SeatState {
    let latest = seat.latest();
    let ours = seat.player();
    SeatState {
        table: TableState::new(
            seat.subject(),
            seat.chain(),
            &latest,
            seat.evidence(),
            seat.journal(),
        ),
        player: ours.into(),
        plays_on_chain: seat.is_on_chain(),
        draw_offer: match (seat.offer(), seat.offered()) {
            (Some(_), _) => Some(ours.opponent().into()),
            (None, Some(_)) => Some(ours.into()),
            (None, None) => None,
        },
        may_press: seat.press().is_ok(),
        may_settle: seat.settlement().is_some(),
        is_lost: seat.is_lost(),
        duty: seat.duty().map(|duty| {
            let patience = seat.patience(&duty);
            Duty {
                patience,
                call: super::watch::call_of(game, &duty),
            }
        }),
    }
}
