//! A game by signed terms on the chain: in a dispute, and as it is recorded.

use connect4_protocol::fast::{
    Domain, Evidence, FastGame, GameNumber, PackedSigned, PlayedGame, RecordedGame, Results,
    SignedTerms,
};
use connect4_protocol::{Error, message as m};
use connect4_rules::variant::Colour;
use serde::{Deserialize, Serialize};

use super::step::{Duty, Seated};
use super::watch::call_of;
use crate::called::Called;
use crate::failure::Failure;
use crate::file::FILE;
use crate::output;
use crate::values::{ClassicNumber, Hex};

/// For how long a press can be brought to the chain, in seconds.
const PRESS_STANDS: u64 = 600;

/// The game on the chain that was started by the terms, as it was read last.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OnChain {
    /// Number of the game on the chain.
    pub game: ClassicNumber,
    /// The contract's answer to `read_fast`, in a final block: a move on top of it is signed once.
    pub answer: Hex,
    /// Time of the newest block, in seconds since 1970; 0 if it is not known.
    #[cfg_attr(test, ts(type = "number"))]
    pub time: u64,
}

/// A game by signed terms in a dispute on the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Dispute {
    /// The seat that is to move there; none after the end.
    pub to_move: Option<Colour>,
    /// Whether a clock runs there.
    pub runs: bool,
    /// The seat that has won there; none without a winner, and while the game goes on.
    pub winner: Option<Colour>,
    /// Whether this player can start the opponent's clock.
    pub may_press: bool,
    /// What has to be done for this player; none if nothing.
    pub duty: Option<Duty>,
}

/// A game as it can be recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ToRecord {
    /// What any account calls to record it.
    pub call: Called,
    /// A file with the game, for `connect4 record`.
    pub file: Hex,
}

pub(super) fn see(seat: &mut Seated, on_chain: &OnChain) -> Result<(), Failure> {
    let game = output::read::<Result<FastGame, Error>>(&on_chain.answer)??;
    let held = seat.seat_mut();
    if !held.subject().is_of(&game) {
        return Err(Failure::new(
            "OtherGame",
            "the chain has another game under this number",
        ));
    }
    held.see(game, on_chain.time);
    Ok(())
}

/// The call that starts the game on the chain by its terms.
pub(super) fn start(seat: &Seated) -> Called {
    Called::new(&m::StartSigned {
        fast: seat.seat().subject().domain().contract,
        signed: PackedSigned::from(seat.terms()),
    })
}

/// The call that starts the opponent's clock.
pub(super) fn press(seat: &Seated, on_chain: Option<&OnChain>) -> Result<Called, Failure> {
    let on_chain = on_chain.ok_or(Error::NoSuchGame)?;
    let held = seat.seat();
    let pressed = held.sign_press(held.now().saturating_add(PRESS_STANDS))?;
    let duty = connect4_seat::Duty::Advance(pressed);
    Ok(call_of(on_chain.game.0, &duty))
}

pub(super) fn state(seat: &Seated, on_chain: &OnChain) -> Dispute {
    let held = seat.seat();
    let game = &held.chain().game;
    Dispute {
        to_move: game.to_move().map(Colour::from),
        runs: game.clock().is_some() && !game.is_over(),
        winner: game.winner().map(Colour::from),
        may_press: held.press().is_ok(),
        duty: held.duty().map(|duty| Duty {
            patience: held.patience(&duty),
            call: call_of(on_chain.game.0, &duty),
        }),
    }
}

/// What a player can have recorded: the end of a game that is not disputed; after a dispute what makes the result
/// better than it has, if there is anything.
pub(super) fn to_record(seat: &Seated, is_disputed: bool) -> Option<ToRecord> {
    let held = seat.seat();
    let evidence = match (is_disputed, held.chain().is_final()) {
        (true, true) => {
            let mut results = Results::default();
            results.add(&held.piece_on_chain());
            held.to_record(&results)?
        }
        (false, _) if held.latest().is_over() => *held.evidence(),
        _ => return None,
    };
    record_of(seat.terms(), &held.subject().domain(), &evidence)
}

/// A game with this evidence as it is recorded; none if not both have signed something, or it counts in a dispute
/// alone.
pub(super) fn record_of(
    terms: &SignedTerms,
    domain: &Domain,
    evidence: &Evidence,
) -> Option<ToRecord> {
    let number: GameNumber = terms.terms.number(domain, &connect4_protocol::fast::Native);
    if !RecordedGame::takes(evidence, number) {
        return None;
    }
    let game = RecordedGame::of(&PlayedGame {
        terms: terms.terms,
        sessions: terms.sessions,
        evidence: *evidence,
    })?;
    let mut file = FILE.to_vec();
    codec::Encode::encode_to(&(domain.chain_id, domain.contract, game), &mut file);
    Some(ToRecord {
        call: Called::new(&m::Record {
            fast: domain.contract,
            games: [game].into(),
        }),
        file: Hex(file),
    })
}
