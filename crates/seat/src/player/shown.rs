//! What is shown of a signed game: from this one value a page, a terminal and other programs show all.

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::FRESH;
use connect4_protocol::signed::{AccountCrypto, GameNumber, Kind, Signing, Terms};
use connect4_protocol::{Clock, Game};
use connect4_rules::{ByPlayer, Player as Side};

use super::{Call, Player};
use crate::player::funding::LATE;
use crate::record::{Progress, Refund, Room, Shelf};

/// A signed game as it stands for a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub stage: Stage,
    /// What is awaited of whom; none if nothing is.
    pub awaited: Option<Awaited>,
    /// Number of the game; none while nobody has taken the offer.
    pub number: Option<GameNumber>,
    /// Which player this is.
    pub side: Option<Side>,
    /// The game, on the chain or off it; none before it has begun.
    pub game: Option<Game>,
    /// What each player pays, in the unit that contracts see.
    pub stake: u128,
    /// How much of the payment comes from what the account is owed.
    pub from_owed: u128,
    /// What the account is owed, in the newest block.
    pub owed: u128,
    /// Last second of a draw that the opponent offers. In a room it stands until the next move: [`Kind::FOR_GOOD`].
    ///
    /// [`Kind::FOR_GOOD`]: connect4_protocol::signed::Kind::FOR_GOOD
    pub draw: Option<u64>,
    /// Whether moves are made on the chain, and not by signatures.
    pub is_on_chain: bool,
    /// The clock on the chain, while it runs at the position that is shown; none without a stake.
    pub clock: Option<Clock>,
    /// What was left to each player when the witness took the last move, in milliseconds; none without a witness.
    pub left: Option<ByPlayer<u64>>,
    /// Whether the witness has contradicted itself, so that the game counts nowhere.
    pub is_contradicted: bool,
}

/// How far the game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nobody has taken the offer.
    Offered,
    /// One player or both have not paid.
    Funding,
    /// The player who offers has not signed the terms of a game without a stake.
    Agreeing,
    /// The payment is paid back, or was; or the own offer is called off.
    Refunded,
    Playing,
    /// The game is over, or what ends it is signed, but not for good yet.
    Ending,
    /// The game is over in the newest block, or by the word of its witness.
    Over,
    /// No game comes of these terms: not both have signed them or paid in time, or no room is opened for them any more.
    NoGame,
    /// The witness has not kept the game, so that it has no result. Or the contract of a game with a stake does not have it
    /// any more, and no block was seen that showed its end.
    NoResult,
}

/// What is awaited, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Awaited {
    pub of: Who,
    pub what: What,
    /// Last second, by the time of the chain or of the witness; none if no time runs.
    pub until: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The person.
    You,
    /// The program, which does it by itself, by a transaction.
    Program,
    Opponent,
    /// A block that can't be replaced any more.
    Chain,
    /// The witness of a game without a stake.
    Witness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Somebody who takes the offer.
    Taker,
    /// The signature on the terms of the player who offers.
    Agreement,
    /// The receipt for the last move.
    Receipt,
    /// The word of the witness on how the game has ended.
    End,
    Payment,
    Refund,
    /// A final block that has the game.
    Begin,
    Move,
    /// A longer position in place of a line, which is final after that time.
    Contest,
    /// What is held has to come to the chain, or a move that is made there.
    Bring,
    /// A timeout, or the end of the time to contest a line.
    Claim,
}

impl<K: Shelf, S: Signing + AccountCrypto + Clone> Player<K, S> {
    /// What is to be shown.
    pub fn shown(&mut self) -> Shown {
        let due = self.due().ok().flatten().map(|(call, _)| call);
        let seated = self.with_seat(|seat| {
            let draw = seat.offer().map(|offer| offer.until);
            Ok((
                seat.latest(),
                *seat.chain(),
                seat.deadline(),
                draw,
                seat.is_on_chain(),
            ))
        });
        let owed = self.known.newest.as_ref().map_or(0, |sight| sight.owed);
        let offer = &self.known.record.offer;
        let mut shown = Shown {
            stage: Stage::Offered,
            awaited: None,
            number: self.number(),
            side: self.side(),
            game: None,
            stake: offer.terms.stake,
            from_owed: owed.min(offer.terms.stake),
            owed,
            draw: None,
            is_on_chain: self.known.record.refund == Refund::Seen,
            clock: None,
            left: None,
            is_contradicted: false,
        };
        if let Some(room) = &self.known.record.room {
            shown.game = room.game();
            self.show_room(room, &mut shown);
            return shown;
        }
        let Ok((latest, chain, deadline, draw, is_on_chain)) = seated else {
            (shown.stage, shown.awaited) = self.before(due.as_ref());
            shown.game = self.ended();
            return shown;
        };
        let side = shown.side;
        let of = |player: Option<Side>| match player {
            player if player == side => Who::You,
            _ => Who::Opponent,
        };
        shown.stage = match (latest.is_over(), chain.is_final()) {
            (_, true) => Stage::Over,
            (true, false) => Stage::Ending,
            (false, false) => Stage::Playing,
        };
        shown.game = Some(latest);
        shown.clock = chain
            .clock
            .filter(|_| chain.game == latest && !latest.is_over());
        shown.draw = draw;
        shown.is_on_chain |= is_on_chain;
        shown.awaited = match due {
            _ if chain.is_final() => None,
            _ if !self.is_sure() => awaited(Who::Chain, What::Begin, None),
            Some(Call::Claim) => awaited(Who::Program, What::Claim, None),
            Some(_) => awaited(Who::Program, What::Bring, deadline),
            None => match (chain.contest, chain.game.winner()) {
                (Some(_), winner) => {
                    awaited(of(winner.map(Side::opponent)), What::Contest, deadline)
                }
                (None, _) => match latest.to_move() {
                    Some(to_move) => {
                        // A clock that runs for a player who has moved by a signature is stopped by bringing that.
                        let runs = chain.game.to_move() == Some(to_move);
                        awaited(of(Some(to_move)), What::Move, deadline.filter(|_| runs))
                    }
                    None => awaited(Who::Opponent, What::Bring, deadline),
                },
            },
        };
        shown
    }

    /// What a game without a stake shows.
    fn show_room(&self, room: &Room, shown: &mut Shown) {
        let side = shown.side.unwrap_or(Side::One);
        let draw = self.known.agreed.get(side.opponent());
        shown.draw = draw.map(|_| Kind::FOR_GOOD);
        shown.left = room.left().map(|(left, _)| left);
        shown.is_contradicted = room.contradiction.is_some();
        // Until the room tells something of the game after all.
        let refusal = self.known.refusal;
        let is_gone = matches!(refusal, Some(Refusal::OtherTime | Refusal::OtherWitness));
        let (to_move, newest) = (shown.game.and_then(|game| game.to_move()), room.moves());
        let is_waiting = room
            .moved
            .is_some_and(|moved| moved.moves.len() > newest.len());
        (shown.stage, shown.awaited) = match to_move {
            _ if room.end.is_some() => (Stage::Over, None),
            _ if is_gone && room.receipt.is_some() => (Stage::NoResult, None),
            _ if is_gone || self.has_no_room(room) => (Stage::NoGame, None),
            _ if !room.is_agreed() => self.agreeing(&room.agreed.terms),
            None => (Stage::Ending, awaited(Who::Witness, What::End, None)),
            Some(_) if room.has_resigned || self.has_agreed() => {
                (Stage::Ending, awaited(Who::Witness, What::End, None))
            }
            Some(_) if is_waiting => (Stage::Playing, awaited(Who::Witness, What::Receipt, None)),
            Some(to_move) => {
                let of = match to_move == side {
                    true => Who::You,
                    false => Who::Opponent,
                };
                (Stage::Playing, awaited(of, What::Move, room.until(to_move)))
            }
        };
    }

    /// The stage while the signature of the player who offers is waited for, and what is awaited.
    fn agreeing(&self, terms: &Terms) -> (Stage, Option<Awaited>) {
        let until = terms.time.saturating_add(FRESH);
        let agreement = awaited(Who::Opponent, What::Agreement, Some(until));
        let is_late = self.known.machine > until;
        (Stage::Agreeing, agreement.filter(|_| !is_late))
    }

    /// The stage before both have paid, and what is awaited.
    fn before(&self, due: Option<&Call>) -> (Stage, Option<Awaited>) {
        let record = &self.known.record;
        if let Some([half, _]) = &record.tossed {
            return match self.agreeing(&half.terms) {
                (_, None) => (Stage::NoGame, None),
                agreeing => agreeing,
            };
        }
        let Some(terms) = &record.terms else {
            let until = record.offer.until;
            let is_open = self.now() <= until;
            if record.refund != Refund::None {
                return (Stage::Refunded, None);
            }
            let taker = awaited(Who::Opponent, What::Taker, Some(until)).filter(|_| is_open);
            return (Stage::Offered, taker);
        };
        let until = self.paid_until(terms);
        match record.progress {
            // Whether a final block was false that had both payments, or this one is: the stake may be asked back.
            _ if self.has_paid_alone() => {}
            Progress::Ended(_) => return (Stage::Over, None),
            Progress::Begun if self.is_forgotten(terms) => return (Stage::NoResult, None),
            Progress::Begun => return (Stage::Playing, awaited(Who::Chain, What::Begin, None)),
            Progress::None | Progress::Paid => {}
        }
        match (due, record.refund) {
            (Some(Call::Refund), _) => (Stage::Refunded, awaited(Who::Program, What::Refund, None)),
            (_, Refund::Asked | Refund::Seen) => (Stage::Refunded, None),
            (Some(_), Refund::None) => (
                Stage::Funding,
                awaited(Who::Program, What::Payment, Some(until)),
            ),
            (None, Refund::None) if self.known.newest.is_none() => (
                Stage::Funding,
                awaited(Who::Chain, What::Payment, Some(until)),
            ),
            (None, Refund::None) => self.unpaid(terms, until),
        }
    }

    /// The stage while nothing can be sent and not both have paid, and what is awaited. Until a while after the last second
    /// to pay a payment may come that was sent in time.
    fn unpaid(&self, terms: &Terms, until: u64) -> (Stage, Option<Awaited>) {
        let last = until.saturating_add(LATE);
        let newest = self.known.newest.as_ref();
        // By the time of the chain, as a payment is asked back.
        let is_late = newest.is_some_and(|sight| sight.time > last);
        let payment = |of| awaited(of, What::Payment, Some(last)).filter(|_| !is_late);
        match self.newest_game() {
            _ if self.has_paid() => (Stage::Funding, payment(Who::Opponent)),
            _ if is_late => (Stage::NoGame, None),
            // The taker has its stake back.
            None if !self.is_taker(terms) => (Stage::Offered, payment(Who::Opponent)),
            // The own payment may be on its way.
            _ => (Stage::Funding, payment(Who::Chain)),
        }
    }
}

const fn awaited(of: Who, what: What, until: Option<u64>) -> Option<Awaited> {
    Some(Awaited { of, what, until })
}
