//! What a cheat can have and sign, in games of both kinds.

use connect4_protocol::signed::last_mover;
use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{Evidence, Moves, SignedEnd};
use connect4_rules::{Bin, ByPlayer, Player};
use connect4_seat::Subject;

use super::key::ModelKey;
use super::state::insert;

/// Each player signs for itself.
const OWN: ByPlayer<Player> = ByPlayer {
    one: Player::One,
    two: Player::Two,
};

/// All bins, and the swap if there is one.
pub fn bins(subject: &Subject) -> impl Iterator<Item = Bin> + use<> {
    let swap = subject.rules().pie_rule.then_some(Bin::new(Moves::SWAP));
    subject.shape().iter_bins().chain(swap)
}

/// What both have signed.
pub fn evidence(subject: &Subject, end: Option<SignedEnd>, moves: &[u8]) -> Evidence {
    evidence_by(subject, end, moves, OWN)
}

/// Evidence in which the signature of each player is by this one's key.
pub fn evidence_by(
    subject: &Subject,
    end: Option<SignedEnd>,
    moves: &[u8],
    signers: ByPlayer<Player>,
) -> Evidence {
    let mut evidence = Evidence {
        end,
        moves: Moves::from_bins(moves).expect("few moves"),
        ..Evidence::start()
    };
    let unsigned = evidence;
    for player in Player::ALL {
        if let Some(statement) = unsigned.statement_of(player, subject.number()) {
            let key = ModelKey(*signers.get(player));
            evidence.signatures[player] = subject.sign(&key, statement.kind, statement.moves);
        }
    }
    evidence
}

/// What the honest player has signed, and the moves that the cheat has.
pub struct Has<'a> {
    pub positions: &'a [Moves],
    pub endings: &'a [Evidence],
    pub offers: &'a [Offer],
    pub signed: &'a [Moves],
}

/// All evidence that the cheat can have: with what the honest player has signed, and anything of its own.
pub fn papers(subject: &Subject, cheat: Player, has: &Has<'_>) -> Vec<Evidence> {
    let resigned = Some(SignedEnd::Resignation(cheat));
    let evidence = |ending, moves: &[u8]| evidence(subject, ending, moves);
    let mut papers = vec![evidence(resigned, &[])];
    for position in has.positions {
        papers.push(evidence(None, position));
        papers.push(evidence(resigned, position));
        let Ok(game) = subject.replay(position) else {
            continue;
        };
        for bin in bins(subject) {
            let mut after = game;
            if subject.make(bin, &mut after).is_err() {
                continue;
            }
            let mut moves = *position;
            moves.push(bin);
            papers.push(evidence(None, &moves));
            // Elsewhere it says no more than at the position before.
            if after.is_over() || has.signed.contains(&moves) {
                papers.push(evidence(resigned, &moves));
            }
        }
    }
    papers.extend(has.endings);
    for Offer { until, moves, .. } in has.offers {
        let draw = Some(SignedEnd::Draw { until: *until });
        papers.push(evidence(draw, moves));
    }
    papers
}

/// The positions that a cheat has signed, and those at which it has resigned.
pub struct Signs<'a> {
    pub signed: &'a mut Vec<Moves>,
    pub resigned: &'a mut Vec<Moves>,
    /// How many statements it may make besides one move for each turn.
    pub left: &'a mut u8,
}

/// Has the cheat sign what it needs for this evidence. Returns whether it may.
pub fn sign(cheat: Player, evidence: &Evidence, signs: Signs<'_>) -> bool {
    let moves = evidence.moves;
    let is_mover = last_mover(moves.len()) == Some(cheat);
    let (list, is_extra) = match evidence.end {
        Some(SignedEnd::Resignation(by)) if by == cheat => (signs.resigned, true),
        None if is_mover => {
            let mut others = signs.signed.iter();
            let is_second = others.any(|other| other.turns() == moves.turns());
            (signs.signed, is_second)
        }
        _ => return true,
    };
    if list.contains(&moves) {
        return true;
    }
    insert(list, &moves);
    if is_extra {
        let Some(left) = signs.left.checked_sub(1) else {
            return false;
        };
        *signs.left = left;
    }
    true
}
