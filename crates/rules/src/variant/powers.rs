//! Power-ups, and how often each may be used.

use core::fmt;

/// A power-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Power {
    /// Takes an opponent's disc out.
    Take,
    /// Takes every disc out of a row.
    Clear,
    /// Puts a disc into a cell above the top of its bin.
    Float,
}

impl Power {
    /// All powers.
    pub const ALL: [Self; 3] = [Self::Take, Self::Clear, Self::Float];

    /// Name of the power: `take`, `clear` or `float`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Take => "take",
            Self::Clear => "clear",
            Self::Float => "float",
        }
    }
}

/// The name.
impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How often each power may be used.
///
/// # Examples
///
/// ```
/// use connect4_rules::variant::{Power, Powers};
///
/// let powers = Powers { take: 2, clear: 0, float: 1 };
/// assert_eq!(powers.of(Power::Take), 2);
/// assert_eq!(powers.to_string(), "2 take, 1 float");
/// assert_eq!(Powers::NONE.to_string(), "");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "scale",
    derive(
        codec::Encode,
        codec::Decode,
        codec::MaxEncodedLen,
        scale_info::TypeInfo
    )
)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Powers {
    /// How often an opponent's disc may be taken out.
    pub take: u8,
    /// How often a row may be cleared.
    pub clear: u8,
    /// How often a disc may be put where it floats.
    pub float: u8,
}

impl Powers {
    /// No powers.
    pub const NONE: Self = Self {
        take: 0,
        clear: 0,
        float: 0,
    };

    /// How often this power may be used.
    #[must_use]
    pub const fn of(self, power: Power) -> u8 {
        match power {
            Power::Take => self.take,
            Power::Clear => self.clear,
            Power::Float => self.float,
        }
    }

    /// How often this power may be used, to be changed.
    #[must_use]
    pub const fn of_mut(&mut self, power: Power) -> &mut u8 {
        match power {
            Power::Take => &mut self.take,
            Power::Clear => &mut self.clear,
            Power::Float => &mut self.float,
        }
    }
}

/// `2 take, 1 clear, 3 float`; powers that may not be used are left out.
impl fmt::Display for Powers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for power in Power::ALL {
            let times = self.of(power);
            if times > 0 {
                write!(f, "{separator}{times} {power}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}
