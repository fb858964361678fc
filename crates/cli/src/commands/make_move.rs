//! `move`: a move in the notation.

use connect4_client::GameId;
use connect4_rules::variant;

use super::drop::drop_into;
use super::variants;
use crate::args::{Global, Move};
use crate::failure::Failure;
use crate::report::Report;

/// Makes a move. In a classic game it is a drop.
pub async fn make_move(
    global: &Global,
    args: &Move,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    match (args.game, args.action) {
        (GameId::Variant(number), _) => variants::make_move(global, args, number, report).await,
        (id, variant::Move::Drop(bin)) => {
            let bin = bin.index().into();
            drop_into(global, id.number(), bin, &args.signing, report).await
        }
        (id, action) => Err(Failure::Usage(format!(
            "game {id} is a classic game, whose only moves are drops: {action} is a move of \
             variants"
        ))),
    }
}
