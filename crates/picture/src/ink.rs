//! Colours, which are those of the page.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// What everything lies on.
    Ground,
    /// Names.
    Text,
    /// The board.
    Front,
    /// Its edges.
    Edge,
    /// Empty cells.
    Hole,
    /// Discs of player one.
    Red,
    /// Discs of player two.
    Blue,
    /// Discs of player three.
    Green,
    /// Discs of player four.
    Yellow,
    /// Edges of player four's discs.
    YellowEdge,
    /// Marks on discs.
    Mark,
    /// Marks on player four's discs.
    YellowMark,
}

impl Ink {
    pub const ALL: [Self; 12] = [
        Self::Ground,
        Self::Text,
        Self::Front,
        Self::Edge,
        Self::Hole,
        Self::Red,
        Self::Blue,
        Self::Green,
        Self::Yellow,
        Self::YellowEdge,
        Self::Mark,
        Self::YellowMark,
    ];

    /// Red, green and blue.
    pub const fn colour(self, theme: Theme) -> [u8; 3] {
        let (light, dark): (u32, u32) = match self {
            Self::Ground => (0xf5f4f0, 0x131519),
            Self::Text => (0x1e2227, 0xe8eaed),
            Self::Front => (0xfffefb, 0x2d323b),
            Self::Edge => (0xddd8cd, 0x353b45),
            Self::Hole => (0xeeebe4, 0x14171b),
            Self::Red => (0xe5484d, 0xea4e53),
            Self::Blue => (0x3079ee, 0x4189f7),
            Self::Green => (0x1f8a52, 0x35b573),
            Self::Yellow => (0xf6c338, 0xf8cd55),
            Self::YellowEdge => (0xa06c00, 0xf0bb33),
            Self::Mark => (0xffffff, 0xffffff),
            Self::YellowMark => (0x4a3300, 0x4a3300),
        };
        let [_, red, green, blue] = match theme {
            Theme::Light => light,
            Theme::Dark => dark,
        }
        .to_be_bytes();
        [red, green, blue]
    }

    /// Its class in an SVG.
    pub const fn class(self) -> char {
        match self {
            Self::Ground => 'g',
            Self::Text => 't',
            Self::Front => 'f',
            Self::Edge => 'e',
            Self::Hole => 'h',
            Self::Red => 'a',
            Self::Blue => 'b',
            Self::Green => 'c',
            Self::Yellow => 'd',
            Self::YellowEdge => 'y',
            Self::Mark => 'm',
            Self::YellowMark => 'n',
        }
    }
}
