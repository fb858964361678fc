//! Games by signed terms, a step at a time: those of a player, and those of somebody who watches.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_protocol::fast::wire::{self, FromRelay, ToRelay};
use connect4_protocol::fast::{
    Domain, Evidence, GameNumber, GameTerms, Moves, Native, Rematch, SignedTerms,
};
use connect4_protocol::{Address, Error};
use connect4_rules::variant::Colour;
use connect4_rules::{Bin, ByPlayer};
use connect4_seat::{Guard, SeatError, Subject, TermsHeard, TermsSeat};
use serde::{Deserialize, Serialize};

use super::dispute::{self, Dispute, OnChain, ToRecord};
use super::journal;
use super::room::{self, FromRoom};
use super::step::{Offers, Returned, Seated};
use super::table::TableState;
use crate::called::Called;
use crate::failure::Failure;
use crate::moves;
use crate::session_key;
use crate::terms::{TermsPlayer, TermsRules};
use crate::values::{Hex, Scale};

/// Chain and contract for which terms are signed.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Place {
    /// EIP-155 number of the chain.
    #[cfg_attr(test, ts(type = "number"))]
    pub chain_id: u64,
    /// The contract of the fast games.
    pub contract: Address,
}

impl Place {
    const fn domain(&self) -> Domain {
        Domain::new(self.chain_id, self.contract)
    }
}

/// A step of a player in a game by signed terms, with all that the step before has returned.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermsStep {
    /// Chain and contract.
    pub place: Place,
    /// The terms with both signatures.
    #[cfg_attr(test, ts(as = "Hex"))]
    pub terms: Scale<SignedTerms>,
    /// Time of this machine, in seconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub now: u64,
    /// A random number, another one for each step.
    pub random: u32,
    /// Secret of the player's key, 32 bytes.
    pub secret: Hex,
    /// The book that was kept last; none before the first step of a game whose terms were signed here just now.
    pub book: Option<Hex>,
    /// The game on the chain, once somebody has started it there for a dispute.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub on_chain: Option<OnChain>,
    /// Offers of draws that were returned last.
    #[serde(default)]
    pub offers: Offers,
    /// The proposal of a rematch that was returned last.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub rematch: Option<Scale<Rematch>>,
    /// What is done.
    pub step: InTerms,
}

/// What a player does, or is told.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum InTerms {
    /// Begins the game whose terms were signed here just now: its book is made.
    Begin,
    /// Sits down, or sees that time has passed.
    Look,
    /// Takes a frame from the room.
    Hear(Hex),
    /// Says the latest position in the room again: a relay may have lost it.
    Tell,
    /// Drops a disc into a bin.
    Drop(u8),
    /// Takes player one's disc over in place of a move, by the pie rule.
    Swap,
    /// Gives the game up.
    Resign,
    /// Offers a draw at the latest position.
    OfferDraw,
    /// Accepts the opponent's offer of a draw.
    AcceptDraw,
    /// Declines the opponent's offer of a draw.
    DeclineDraw,
    /// Proposes a rematch, or agrees to the opponent's.
    Rematch,
    /// Starts the game on the chain by its terms, for a dispute.
    Dispute,
    /// Starts the opponent's clock in the dispute.
    Press,
}

/// What has come of a step. First the book is kept, then the rest is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermsStepped {
    /// The book that has to be on disk before anything else is done; none if it is as before.
    pub book: Option<Hex>,
    /// Frames for the room, in order.
    pub send: Vec<Hex>,
    /// What any account calls for the player, as the step asks for it; none if nothing.
    pub call: Option<Called>,
    /// Offers of draws, for the next step.
    pub offers: Offers,
    /// The proposal of a rematch, for the next step.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub rematch: Option<Scale<Rematch>>,
    /// The rematch that both have signed; none until then.
    pub next: Option<NextGame>,
    /// What the frame has said; none of other steps.
    pub from_room: Option<FromRoom>,
    /// How the game stands.
    pub state: TermsState,
}

/// A game that both have signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NextGame {
    /// Its number: `0x` and 64 digits.
    pub game: String,
    /// The terms with both signatures.
    #[cfg_attr(test, ts(as = "Hex"))]
    pub terms: Scale<SignedTerms>,
}

impl NextGame {
    fn new(terms: &SignedTerms, domain: Domain) -> Self {
        Self {
            game: terms.terms.number(&domain, &Native).to_string(),
            terms: Scale(*terms),
        }
    }
}

/// How a game by signed terms stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermsState {
    /// How it stands.
    #[serde(flatten)]
    pub table: TableState,
    /// The moves as text.
    pub notation: String,
    /// The player who sits here; none of a watcher. Like all players here, by the seat: player one is red, also
    /// after a swap, when the board shows its discs in blue.
    pub player: Option<Colour>,
    /// The players.
    pub players: ByPlayer<TermsPlayer>,
    /// The rules. The clock is for a dispute.
    #[serde(flatten)]
    pub rules: TermsRules,
    /// When the terms were made, in seconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub time: u64,
    /// The player whose offer of a draw stands.
    pub draw_offer: Option<Colour>,
    /// The player who proposes a rematch, and waits for the other one.
    pub rematch_offer: Option<Colour>,
    /// Whether nothing can take the place of the end.
    pub agreed: bool,
    /// The dispute on the chain; none without one, and for watchers.
    pub dispute: Option<Dispute>,
    /// What anybody can record; none if there is nothing.
    pub record: Option<ToRecord>,
}

fn players(terms: &SignedTerms) -> ByPlayer<TermsPlayer> {
    let GameTerms {
        players, programs, ..
    } = &terms.terms;
    ByPlayer::from_fn(|player| TermsPlayer::new(players.get(player), *programs.get(player)))
}

pub(crate) fn step(asked: TermsStep) -> Result<TermsStepped, Failure> {
    let Scale(terms) = asked.terms;
    let domain = asked.place.domain();
    let key = session_key::of(&asked.secret)?;
    let address = key.address();
    let is_first = matches!(asked.step, InTerms::Begin);
    if is_first && asked.book.is_some() {
        // An opponent could bring the terms of a game that was played.
        return Err(Error::TermsUsed.into());
    }
    if asked.book.is_none() && !is_first {
        return Err(Failure::new(
            "Elsewhere",
            "nothing of this game is kept here: another device may have signed in it",
        ));
    }
    // Before a player sits down, the terms and what is on the disk are judged.
    let sits = matches!(asked.step, InTerms::Begin | InTerms::Look);
    let subject = match sits {
        true => Subject::by_terms(&terms, domain)?,
        false => Subject::by_checked_terms(&terms.terms, domain)?,
    };
    // By the clock the time for a first move is limited.
    let subject = subject.with_clock(terms.terms.clock);
    let kept = journal::unseal(asked.book.as_ref(), &subject, address)?;
    let sit = match sits || !kept.is_judged {
        true => TermsSeat::new,
        false => TermsSeat::resume,
    };
    let Offers { theirs, declined } = asked.offers;
    let (theirs, rematch) = (theirs.map(|offer| offer.0), asked.rematch.map(|of| of.0));
    let seat = sit(terms, subject, key, kept.journal, Returned, asked.now)?;
    let mut seat = seat.with_heard(theirs, declined, rematch);
    if let Some(on_chain) = &asked.on_chain {
        dispute::see(&mut seat, on_chain)?;
    }
    let mut send = Vec::new();
    let mut call = None;
    let mut from_room = None;
    match &asked.step {
        InTerms::Begin | InTerms::Look => {}
        InTerms::Hear(frame) => from_room = Some(hear(&mut seat, frame, asked.now, &mut send)),
        InTerms::Tell => {
            send.push(seat.told());
        }
        InTerms::Drop(bin) => send.push(seat.drop(Bin::new(*bin))?),
        InTerms::Swap => send.push(seat.drop(Bin::new(Moves::SWAP))?),
        InTerms::Resign => send.push(seat.resign()?),
        InTerms::OfferDraw => send.push(seat.offer_draw()?),
        InTerms::AcceptDraw => send.push(seat.accept_draw()?),
        InTerms::DeclineDraw => {
            seat.decline_draw();
        }
        InTerms::Rematch => send.push(seat.propose_rematch(asked.now, asked.random)?),
        InTerms::Dispute => call = Some(dispute::start(&seat)),
        InTerms::Press => call = Some(dispute::press(&seat, asked.on_chain.as_ref())?),
    }
    // The loser of a line agrees to it by itself, also of one that the chain alone has shown.
    if asked.on_chain.is_some() && seat.seat_mut().concede()? {
        send.push(seat.told());
    }
    let sealed = match is_first {
        true => Some(journal::seal(seat.seat().journal(), &subject, address)),
        false => journal::changed(
            asked.book.as_ref(),
            seat.seat().journal(),
            &subject,
            address,
        ),
    };
    Ok(TermsStepped {
        book: sealed,
        send: send.iter().map(room::frame).collect(),
        call,
        offers: Offers {
            theirs: seat.seat().latest_offer().copied().map(Scale),
            declined: seat.seat().has_declined(),
        },
        rematch: seat.rematch().copied().map(Scale),
        next: seat.next_terms().map(|next| NextGame::new(next, domain)),
        from_room,
        state: state(&seat, asked.on_chain.as_ref()),
    })
}

fn hear(seat: &mut Seated, frame: &Hex, now: u64, send: &mut Vec<ToRelay>) -> FromRoom {
    let heard = match room::read(frame) {
        Some(FromRelay::Welcome { nonce }) => {
            enter(seat, nonce, send);
            return FromRoom::default();
        }
        Some(FromRelay::Position(evidence)) => seat.hear_position(&evidence),
        Some(FromRelay::Offer(offer)) => seat.hear_offer(&offer),
        Some(FromRelay::Rematch(rematch)) => {
            seat.hear_rematch(&rematch, now).map_err(SeatError::Refused)
        }
        other => return FromRoom::told(other),
    };
    // A relay may say anything: that is no failure of the step.
    let heard = heard.map(
        |TermsHeard {
             received,
             send: says,
             ..
         }| {
            send.extend(says);
            received
        },
    );
    FromRoom::heard(heard.map_err(Failure::from))
}

/// Opens the room, says who this is and what the seat holds.
fn enter(seat: &Seated, nonce: [u8; 32], send: &mut Vec<ToRelay>) {
    let subject = seat.seat().subject();
    let digest = wire::presence(subject.number(), nonce, &subject.domain(), &Native);
    send.push(ToRelay::Terms(*seat.terms()));
    send.push(ToRelay::Join {
        player: seat.seat().player(),
        signature: seat.seat().key().sign(&digest),
    });
    if *seat.seat().evidence() != Evidence::start() {
        send.push(seat.told());
    }
    if let Some(offer) = seat.seat().offered() {
        send.push(ToRelay::Offer(*offer));
    }
    if let Some(rematch) = seat.rematch().filter(|_| seat.wants_rematch()) {
        send.push(ToRelay::Rematch(*rematch));
    }
}

fn state(seat: &Seated, on_chain: Option<&OnChain>) -> TermsState {
    let held = seat.seat();
    let terms = &seat.terms().terms;
    let ours = held.player();
    TermsState {
        table: TableState::new(
            held.subject(),
            held.chain(),
            &held.latest(),
            held.evidence(),
            held.journal(),
        ),
        notation: moves::text(&held.evidence().moves),
        player: Some(ours.into()),
        players: players(seat.terms()),
        rules: terms.into(),
        time: terms.time,
        draw_offer: match (held.offer(), held.offered()) {
            (Some(_), _) => Some(ours.opponent().into()),
            (None, Some(_)) => Some(ours.into()),
            (None, None) => None,
        },
        rematch_offer: match (seat.next_terms(), seat.rematch(), seat.wants_rematch()) {
            (Some(_), ..) | (_, None, _) => None,
            (_, Some(_), true) => Some(ours.into()),
            (_, Some(_), false) => Some(ours.opponent().into()),
        },
        agreed: seat.is_agreed(),
        dispute: on_chain.map(|on_chain| dispute::state(seat, on_chain)),
        record: dispute::to_record(seat, on_chain.is_some()),
    }
}

/// A step of somebody who watches a game by signed terms, or who has to learn its terms.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermsWatchStep {
    /// Chain and contract.
    pub place: Place,
    /// Number of the game: `0x` and 64 digits.
    pub game: Hex,
    /// The terms; none until the room has told them.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub terms: Option<Scale<SignedTerms>>,
    /// The book that was returned last; none at first. It need not be kept on disk.
    pub book: Option<Hex>,
    /// A frame from the room; none at first.
    pub frame: Option<Hex>,
}

/// What a watcher sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermsWatch {
    /// The terms, for the next step; none until the room has told them.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub terms: Option<Scale<SignedTerms>>,
    /// The book for the next step; none if it is as before.
    pub book: Option<Hex>,
    /// Frames for the room, in order: a relay that has lost the game is told.
    pub send: Vec<Hex>,
    /// What the frame has said; none without one.
    pub from_room: Option<FromRoom>,
    /// The rematch, if the frame tells of one that both players have signed; none else.
    pub next: Option<NextGame>,
    /// How the game stands; none until its terms are known.
    pub state: Option<TermsState>,
}

pub(crate) fn watch(asked: TermsWatchStep) -> Result<TermsWatch, Failure> {
    let domain = asked.place.domain();
    let game = GameNumber(asked.game.exactly()?);
    let message = asked.frame.as_ref().map(room::read);
    let mut terms = asked.terms.map(|terms| terms.0);
    if let Some(Some(FromRelay::Terms(told))) = message
        && terms.is_none()
    {
        if told.terms.number(&domain, &Native) != game {
            return Err(Failure::new(
                "OtherTerms",
                "the terms that the relay shows are not those of this game",
            ));
        }
        Subject::by_terms(&told, domain)?;
        terms = Some(told);
    }
    let Some(signed) = terms else {
        return Ok(TermsWatch {
            terms: None,
            book: None,
            send: Vec::new(),
            from_room: message.map(FromRoom::told),
            next: None,
            state: None,
        });
    };
    let subject = match asked.frame.is_some() {
        true => Subject::by_checked_terms(&signed.terms, domain)?,
        false => Subject::by_terms(&signed, domain)?,
    };
    if subject.number() != game {
        return Err(Failure::new(
            "OtherTerms",
            "these are not the terms of this game",
        ));
    }
    let kept = journal::unseal(asked.book.as_ref(), &subject, Address::ZERO)?;
    let mut guard = Guard::new(subject, *subject.start(), 0).with_journal(kept.journal);
    let mut send = Vec::new();
    let mut next = None;
    let from_room = message.map(|message| match message {
        Some(FromRelay::Welcome { .. }) => {
            send.push(ToRelay::Terms(signed));
            if *guard.evidence() != Evidence::start() {
                send.push(ToRelay::Position(*guard.evidence()));
            }
            FromRoom::default()
        }
        Some(FromRelay::Position(evidence)) => {
            FromRoom::heard(guard.receive(&evidence).map_err(Failure::from))
        }
        Some(FromRelay::Rematch(rematch)) => {
            let is_valid = rematch.check(&signed, &domain, &Native).is_ok();
            let both = rematch.signed(&signed).filter(|_| is_valid);
            next = both.map(|terms| NextGame::new(&terms, domain));
            FromRoom::default()
        }
        other => FromRoom::told(other),
    });
    let latest = guard.latest();
    Ok(TermsWatch {
        terms: Some(Scale(signed)),
        book: journal::changed(
            asked.book.as_ref(),
            guard.journal(),
            &subject,
            Address::ZERO,
        ),
        send: send.iter().map(room::frame).collect(),
        from_room,
        next,
        state: Some(TermsState {
            table: TableState::new(
                &subject,
                subject.start(),
                &latest,
                guard.evidence(),
                guard.journal(),
            ),
            notation: moves::text(&guard.evidence().moves),
            player: None,
            players: players(&signed),
            rules: (&signed.terms).into(),
            time: signed.terms.time,
            draw_offer: None,
            rematch_offer: None,
            agreed: guard.is_agreed(),
            dispute: None,
            record: latest
                .is_over()
                .then(|| dispute::record_of(&signed, &domain, guard.evidence()))
                .flatten(),
        }),
    })
}
