//! Moves of a game, in order.

use core::fmt;
use core::ops::Deref;

use codec::{Compact, Decode, Encode, EncodeLike, Input, MaxEncodedLen, Output};
use connect4_rules::{Bin, variant};

/// Bins of the moves of a game, in order, counted from 0 at the left, or a [swap](Self::SWAP); at most
/// [`Self::MAX`]. Without
/// a heap, so that a contract can take them. They are encoded as a list of bytes.
///
/// # Examples
///
/// ```
/// use connect4_protocol::signed::Moves;
/// use connect4_rules::Bin;
///
/// let mut moves = Moves::new();
/// moves.push(Bin::new(3));
/// moves.push(Bin::new(4));
/// assert_eq!(*moves, [3, 4]);
/// assert_eq!(moves.before_last(), [3]);
/// ```
#[derive(Clone, Copy)]
pub struct Moves {
    bins: [u8; Self::MAX],
    len: u8,
}

impl Moves {
    /// The most moves: no board has as many cells.
    pub const MAX: usize = 127;

    /// What stands for a swap, by which player two takes the disc of player one over: its first move, in a
    /// game with the pie rule. Then player one moves. To show it, the players exchange colours, and the disc
    /// stays as it is.
    pub const SWAP: u8 = u8::MAX;

    /// No moves.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bins: [0; Self::MAX],
            len: 0,
        }
    }

    /// These moves; none if they are more than [`Self::MAX`].
    #[must_use]
    pub fn from_bins(bins: &[u8]) -> Option<Self> {
        let mut moves = Self::new();
        moves.bins.get_mut(..bins.len())?.copy_from_slice(bins);
        moves.len = u8::try_from(bins.len()).ok()?;
        Some(moves)
    }

    /// The moves of these bytes, two in each: the earlier one in the low half, in which 15 is a swap. In the high
    /// half of the last one 14 is none. None if they are more than [`Self::MAX`].
    pub(super) fn from_halves(pairs: &[u8]) -> Option<Self> {
        // 15 becomes 255, all else stays.
        let bin = |half: u8| half | (half.wrapping_add(1) & 0x10).wrapping_mul(0xf);
        let mut moves = Self::new();
        let (places, _) = moves.bins.as_chunks_mut::<2>();
        for (place, pair) in places.get_mut(..pairs.len())?.iter_mut().zip(pairs) {
            *place = [bin(pair & 0xf), bin(pair >> 4)];
        }
        let is_odd = pairs.last().is_some_and(|last| last >> 4 == 0xe);
        moves.len = (pairs.len() as u8)
            .wrapping_mul(2)
            .wrapping_sub(is_odd.into());
        Some(moves)
    }

    /// Adds a move. Returns whether there was room, as there is in any game that has not ended.
    pub fn push(&mut self, bin: Bin) -> bool {
        let Some(next) = self.bins.get_mut(usize::from(self.len)) else {
            return false;
        };
        *next = bin.index();
        self.len = self.len.wrapping_add(1);
        true
    }

    /// How many moves.
    #[must_use]
    pub const fn turns(&self) -> u8 {
        self.len
    }

    /// All moves but the last.
    #[must_use]
    pub fn before_last(&self) -> &[u8] {
        self.split_last().map_or(&[], |(_, before)| before)
    }

    /// A move as one of a variant: the drop into a bin, or a swap.
    #[must_use]
    pub const fn as_move(bin: Bin) -> variant::Move {
        match bin.index() {
            Self::SWAP => variant::Move::Swap,
            _ => variant::Move::Drop(bin),
        }
    }

    /// The moves, as those of a variant: drops, and a swap.
    pub fn iter_moves(&self) -> impl Iterator<Item = variant::Move> + '_ {
        self.iter_bins().map(Self::as_move)
    }

    /// The moves as bins, in which [`Self::SWAP`] stands for a swap.
    pub fn iter_bins(&self) -> impl Iterator<Item = Bin> + Clone + '_ {
        self.iter().copied().map(Bin::new)
    }
}

impl Deref for Moves {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // The length is never larger.
        self.bins.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl Default for Moves {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Moves {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Moves {}

/// As the list of bins.
impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl EncodeLike for Moves {}

impl Encode for Moves {
    fn size_hint(&self) -> usize {
        self.len().saturating_add(2)
    }

    fn encode_to<O: Output + ?Sized>(&self, dest: &mut O) {
        Compact(u32::from(self.len)).encode_to(dest);
        dest.write(self);
    }
}

/// Refuses more than [`Self::MAX`] moves.
impl Decode for Moves {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        let len = read_len(input)?;
        let mut moves = Self::new();
        let bins = moves.bins.get_mut(..len);
        input.read(bins.ok_or("too many moves")?)?;
        moves.len = len as u8;
        Ok(moves)
    }
}

/// SCALE's compact number, in the two lengths that occur.
pub(super) fn read_len<I: Input>(input: &mut I) -> Result<usize, codec::Error> {
    let first = input.read_byte()?;
    let low = usize::from(first / 4);
    match first % 4 {
        0 => Ok(low),
        1 => match input.read_byte()? {
            0 => Err("a length in more bytes than it needs".into()),
            high => Ok(low | usize::from(high) << 6),
        },
        _ => Err("too many moves".into()),
    }
}

impl MaxEncodedLen for Moves {
    fn max_encoded_len() -> usize {
        Self::MAX.saturating_add(2)
    }
}

impl scale_info::TypeInfo for Moves {
    type Identity = [u8];

    fn type_info() -> scale_info::Type {
        <[u8]>::type_info()
    }
}
