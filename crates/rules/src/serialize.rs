//! A position for serde: the shape of the board and the discs of each player.
//!
//! The smaller types derive serde's traits where they are defined.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{ByPlayer, Cells, Position, Shape};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Position")]
struct Discs {
    shape: Shape,
    discs: ByPlayer<Cells>,
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Discs {
            shape: self.shape(),
            discs: ByPlayer::from_fn(|player| self.board().discs(player)),
        }
        .serialize(serializer)
    }
}

/// Refuses what [`Position::from_discs`] refuses.
impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Discs { shape, discs } = Discs::deserialize(deserializer)?;
        Self::from_discs(shape, discs).map_err(serde::de::Error::custom)
    }
}
