//! What the player to move can do, and why not the rest.

use alloc::borrow::ToOwned as _;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use connect4_rules::variant::{Move, MoveError, Position};
use connect4_rules::{Bin, Cell};
use serde::Serialize;

/// What the player to move can do. Everything is empty if nobody is to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Targets {
    /// For each bin, the row in which a dropped disc would lie; none if none can be dropped there.
    pub drop: Vec<Option<u8>>,
    /// Bins that can be popped.
    pub pop: Vec<u8>,
    /// Cells whose discs can be taken.
    pub take: Vec<Cell>,
    /// Rows that can be cleared.
    pub clear: Vec<u8>,
    /// Cells into which a disc can be put where it floats.
    pub float: Vec<Cell>,
    /// Whether colours can be exchanged.
    pub swap: bool,
}

/// Why a kind of move has no target, in words. Other kinds than drops are left out if they have one, and if the
/// terms have no such moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Refusals {
    /// For each bin, why no disc can be dropped there; none if one can be.
    pub drop: Vec<Option<String>>,
    /// Why no bin can be popped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub pop: Option<String>,
    /// Why no disc can be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub take: Option<String>,
    /// Why no row can be cleared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub clear: Option<String>,
    /// Why no disc can float.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub float: Option<String>,
    /// Why colours cannot be exchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub swap: Option<String>,
}

/// What the player to move can do; `halted` says why nobody is to move, if nobody is.
#[must_use]
pub fn options(position: &Position, halted: Option<&str>) -> (Targets, Refusals) {
    let bins = position.shape().iter_bins();
    let mut targets = Targets {
        drop: vec![None; bins.clone().count()],
        ..Targets::default()
    };
    let legal = halted.is_none().then(|| position.legal_moves());
    for action in legal.into_iter().flatten() {
        match action {
            Move::Drop(bin) => {
                if let Some(row) = targets.drop.get_mut(usize::from(bin.index())) {
                    *row = Some(position.height(bin));
                }
            }
            Move::Pop(bin) => targets.pop.push(bin.index()),
            Move::Take(cell) => targets.take.push(cell),
            Move::Clear(row) => targets.clear.push(row),
            Move::Float(cell) => targets.float.push(cell),
            Move::Swap => targets.swap = true,
        }
    }
    // Why no move of the kind of `sample` is legal: `otherwise`, if it depends on the target.
    let why = |is_in_terms: bool, is_possible: bool, sample: Move, otherwise: &str| match position
        .check(sample)
    {
        _ if is_possible || !is_in_terms => None,
        _ if halted.is_some() => halted.map(str::to_owned),
        Err(error @ (MoveError::GameOver | MoveError::NoPowerLeft | MoveError::NoSwapNow)) => {
            Some(error.to_string())
        }
        _ => Some(otherwise.into()),
    };
    let corner = Cell::new(0, 0);
    let variant = position.variant();
    let powers = variant.powers();
    let refusals = Refusals {
        drop: bins
            .map(|bin| match halted {
                Some(why) => Some(why.to_owned()),
                None => position
                    .check(Move::Drop(bin))
                    .err()
                    .map(|error| error.to_string()),
            })
            .collect(),
        pop: why(
            variant.pop_out(),
            !targets.pop.is_empty(),
            Move::Pop(Bin::new(0)),
            "the player to move has no disc at the bottom of a bin",
        ),
        take: why(
            powers.take > 0,
            !targets.take.is_empty(),
            Move::Take(corner),
            "no disc of another player is on the board",
        ),
        clear: why(
            powers.clear > 0,
            !targets.clear.is_empty(),
            Move::Clear(0),
            "no disc is on the board",
        ),
        float: why(
            powers.float > 0,
            !targets.float.is_empty(),
            Move::Float(corner),
            "no bin has two free cells or more above its highest disc",
        ),
        swap: why(
            variant.pie_rule(),
            targets.swap,
            Move::Swap,
            "colours cannot be exchanged now",
        ),
    };
    (targets, refusals)
}
