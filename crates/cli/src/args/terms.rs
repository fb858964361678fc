//! Options for the terms of a game.

use clap::Args;
use connect4_rules::variant::{Powers, Variant, VariantSpec};

use super::common::Board;
use crate::failure::Failure;

/// The terms of a game. Any but those of the board make it a variant.
#[derive(Args, Debug, Clone, Copy)]
pub struct Terms {
    #[command(flatten)]
    pub board: Board,
    /// Number of players: 2 to 4
    #[arg(long, value_name = "NUMBER", help_heading = "Variants")]
    pub players: Option<u8>,
    /// Allow players to pop their own disc out of the bottom of a bin
    #[arg(long, help_heading = "Variants")]
    pub pop_out: bool,
    /// Allow the second of two players to swap the colours as the first move
    #[arg(long, help_heading = "Variants")]
    pub pie_rule: bool,
    /// How often each player may take an opponent's disc out of the board, 0 to 9
    #[arg(
        long,
        default_value_t = 0,
        value_name = "TIMES",
        help_heading = "Variants"
    )]
    pub take: u8,
    /// How often each player may clear a row, 0 to 9
    #[arg(
        long,
        default_value_t = 0,
        value_name = "TIMES",
        help_heading = "Variants"
    )]
    pub clear: u8,
    /// How often each player may place a floating disc, 0 to 9
    #[arg(
        long,
        default_value_t = 0,
        value_name = "TIMES",
        help_heading = "Variants"
    )]
    pub float: u8,
}

impl Terms {
    /// The terms of a variant on a board of any shape; none if they are those of the classic game.
    pub fn variant(&self) -> Result<Option<VariantSpec>, Failure> {
        let spec = self.with_players(self.players.unwrap_or(Variant::MIN_PLAYERS))?;
        let classic = VariantSpec {
            shape: spec.shape,
            ..VariantSpec::classic(connect4_rules::Shape::STANDARD)
        };
        Ok((spec != classic).then_some(spec))
    }

    /// The same terms for so many players, checked but for the shape.
    pub fn with_players(&self, players: u8) -> Result<VariantSpec, Failure> {
        let standard = connect4_rules::Shape::STANDARD;
        let spec = VariantSpec {
            shape: standard.into(),
            players,
            pop_out: self.pop_out,
            pie_rule: self.pie_rule,
            powers: Powers {
                take: self.take,
                clear: self.clear,
                float: self.float,
            },
        };
        Variant::try_from(spec).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(VariantSpec {
            shape: self.board.spec(),
            ..spec
        })
    }
}
