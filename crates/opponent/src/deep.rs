//! A search for games of drops between two players, on boards that no solver knows.

use alloc::vec;
use alloc::vec::Vec;

use connect4_rules::{Bin, Player, Position, Shape};

use crate::budget::{Budget, Clock, Meter};
use crate::lines::Lines;

/// Entries of the table: 24 MB.
const ENTRIES_BITS: u32 = 20;
/// A win with the first disc of a game would have this value; each disc before it takes one away.
const WIN: i32 = 10_000;
/// Values from here on are certain wins, and those of the other sign certain losses.
const CERTAIN: i32 = WIN - 200;
/// Number of bins of the widest board.
const MOST_BINS: usize = 25;
/// What a threat is worth in a cell that its player gets where all other bins are filled before, and in
/// any other.
const THREATS: [i32; 2] = [12, 6];
/// What it is worth that the other will have to let a player complete a line, if no more threats come up.
const ZUGZWANG: i32 = 120;
/// What it is worth to be to move.
const TURN: i32 = 3;

/// What an entry of the table says of the value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Lower,
    Upper,
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy)]
struct Entry {
    /// The position, in two halves: it takes less space than with one whole number of 16 bytes.
    key: [u64; 2],
    value: i16,
    depth: u8,
    bound: Bound,
    /// The best move: its bin, counted from 1. 0 in an empty entry.
    bin: u8,
}

const NONE: Entry = Entry {
    key: [0; 2],
    value: 0,
    depth: 0,
    bound: Bound::Upper,
    bin: 0,
};

/// A position: who is to move has `own` of all discs.
#[derive(Clone, Copy)]
struct Node {
    own: u128,
    all: u128,
    plies: u8,
}

impl Node {
    const fn after(self, cell: u128) -> Self {
        Self {
            own: self.own ^ self.all,
            all: self.all | cell,
            plies: self.plies + 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub bin: Bin,
    /// What the position is worth for the player to move, from -1, a sure loss, to 1, a sure win.
    pub value: f64,
    /// Whether the value is certain: 1, -1, or 0 for a draw.
    pub certain: bool,
    /// How many discs it looked ahead, at least.
    pub depth: u8,
}

/// Alpha-beta search by null windows (J. Pearl, Scout, 1980; A. Reinefeld, 1983), deeper and deeper until
/// its budget is used up or the result is certain.
///
/// - **Forced moves** are made at once, and do not count as depth: a line that is completed, one that is
///   stopped. A move below a cell where the opponent completes a line is not looked at.
/// - **A table** keeps what was found, and with it the best move, which is tried first. It is kept from one move of a game to the next.
/// - **Other moves** come in the order of the threats that they make, then of how often they cut off other
///   branches. Late ones are looked at less deeply, unless they turn out well.
/// - **At the end of the depth** the threats of both are counted, more for those which the order of the
///   moves gives to who made them (V. Allis, A Knowledge-based Approach of Connect-Four, 1988), and the
///   lines that each can still complete. Where nobody can, the game is a draw.
pub struct Deep {
    clock: Clock,
    /// Of the last board that it was asked about.
    lines: Lines,
    table: Vec<Entry>,
    /// How often a drop into each cell has cut off a branch, for each player.
    history: [[u32; 128]; 2],
    nodes: u32,
}

/// The budget is used up.
struct Over;

impl Deep {
    /// A search whose time this clock tells.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            lines: Lines::new(Shape::STANDARD),
            table: Vec::new(),
            history: [[0; 128]; 2],
            nodes: 0,
        }
    }

    /// Number of positions that the last search looked at.
    #[must_use]
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The best drop, and what the position is worth; none if the game is over.
    /// [`Budget::Playouts`] counts positions here.
    pub fn find(&mut self, position: &Position, budget: Budget) -> Option<Found> {
        if position.outcome().is_some() {
            return None;
        }
        let shape = position.shape();
        if self.table.is_empty() || self.lines.shape != shape {
            self.lines = Lines::new(shape);
            self.table = vec![NONE; 1 << ENTRIES_BITS];
        }
        self.history = [[0; 128]; 2];
        self.nodes = 0;
        let [one, two] =
            [Player::One, Player::Two].map(|player| position.board().discs(player).bits());
        let node = Node {
            own: match position.to_move() {
                Player::One => one,
                Player::Two => two,
            },
            all: one | two,
            plies: position.plies(),
        };
        let drops = self.lines.drops(node.all);
        let wins = self.lines.completing(node.own, node.all) & drops;
        if wins != 0 {
            return Some(Found {
                bin: self.bin(wins),
                value: 1.0,
                certain: true,
                depth: 1,
            });
        }
        let left = self.lines.cells - node.plies;
        let mut meter = Meter::new(budget, self.clock);
        let safe = self.not_losing(node, drops);
        let mut best = Found {
            // A line of the opponent is stopped even if there is another.
            bin: self.bin(
                match (
                    safe,
                    drops & self.lines.completing(node.own ^ node.all, node.all),
                ) {
                    (0, 0) => drops,
                    (0, forced) => forced,
                    (safe, _) => safe,
                },
            ),
            value: if safe == 0 { -1.0 } else { 0.0 },
            certain: safe == 0,
            depth: 0,
        };
        if best.certain {
            return Some(best);
        }
        for depth in 1..=left {
            let Ok((bin, value)) = self.root(node, safe, depth, &mut meter) else {
                break;
            };
            let certain = value.abs() >= CERTAIN || depth == left;
            best = Found {
                bin,
                value: worth(value),
                certain,
                depth,
            };
            if certain {
                break;
            }
        }
        Some(best)
    }

    /// The bin of the first of some cells.
    const fn bin(&self, cells: u128) -> Bin {
        // At most 25.
        Bin::new((cells.trailing_zeros() / self.lines.stride) as u8)
    }

    /// The drops after which the opponent does not win at once.
    fn not_losing(&self, node: Node, drops: u128) -> u128 {
        let theirs = self.lines.completing(node.own ^ node.all, node.all);
        let forced = drops & theirs;
        if forced & forced.wrapping_sub(1) != 0 {
            return 0;
        }
        let drops = if forced == 0 { drops } else { forced };
        drops & !(theirs >> 1)
    }

    /// The best move and its value.
    fn root(
        &mut self,
        node: Node,
        drops: u128,
        depth: u8,
        meter: &mut Meter,
    ) -> Result<(Bin, i32), Over> {
        let (moves, count) = self.ordered(node, drops);
        let (mut best, mut bin) = (-WIN, self.bin(drops));
        for (number, &(_, cell)) in moves[..count].iter().enumerate() {
            let value = match number {
                0 => -self.search(node.after(cell), depth - 1, -WIN, -best, meter)?,
                _ => self.scouted(node.after(cell), depth - 1, 0, best, WIN, meter)?,
            };
            if value > best || number == 0 {
                (best, bin) = (value, self.bin(cell));
            }
        }
        self.put(node, best, depth, Bound::Exact, bin);
        Ok((bin, best))
    }

    /// Value of a move that is not the first: by a null window and less deeply, and in full if it is better
    /// than expected.
    fn scouted(
        &mut self,
        after: Node,
        depth: u8,
        less: u8,
        least: i32,
        most: i32,
        meter: &mut Meter,
    ) -> Result<i32, Over> {
        let mut value = -self.search(after, depth - less, -least - 1, -least, meter)?;
        if value > least && less > 0 {
            value = -self.search(after, depth, -least - 1, -least, meter)?;
        }
        if value > least && value < most {
            value = -self.search(after, depth, -most, -least, meter)?;
        }
        Ok(value)
    }

    /// Value of a position for the player to move, who cannot win at once: exact between the bounds, else a
    /// bound of it.
    fn search(
        &mut self,
        node: Node,
        depth: u8,
        mut least: i32,
        mut most: i32,
        meter: &mut Meter,
    ) -> Result<i32, Over> {
        if !meter.goes_on(0) {
            return Err(Over);
        }
        self.nodes += 1;
        let plies = i32::from(node.plies);
        if node.plies == self.lines.cells {
            return Ok(0);
        }
        let drops = self.not_losing(node, self.lines.drops(node.all));
        if drops == 0 {
            return Ok(plies + 2 - WIN);
        }
        let forced = drops & (drops - 1) == 0;
        if forced {
            return Ok(-self.search(node.after(drops), depth, -most, -least, meter)?);
        }
        least = least.max(plies + 4 - WIN);
        most = most.min(WIN - plies - 3);
        if least >= most {
            return Ok(least);
        }
        if depth == 0 {
            return Ok(self.evaluate(node).clamp(1 - CERTAIN, CERTAIN - 1));
        }
        if let Some(entry) = self.get(node) {
            let value = i32::from(entry.value);
            let is_certain = match entry.bound {
                Bound::Exact => value.abs() >= CERTAIN,
                Bound::Lower => value >= CERTAIN,
                Bound::Upper => value <= -CERTAIN,
            };
            if entry.depth >= depth || is_certain {
                match entry.bound {
                    Bound::Exact => return Ok(value),
                    Bound::Lower => least = least.max(value),
                    Bound::Upper => most = most.min(value),
                }
                if least >= most {
                    return Ok(value);
                }
            }
        }
        let floor = least;
        let full = depth >= self.lines.cells - node.plies;
        let (moves, count) = self.ordered(node, drops);
        let mut best = -WIN;
        let mut best_cell = moves[0].1;
        for (number, &(promise, cell)) in moves[..count].iter().enumerate() {
            let after = node.after(cell);
            let value = match number {
                0 => -self.search(after, depth - 1, -most, -least, meter)?,
                _ => {
                    let quiet = promise < 1 << 16;
                    let less = match !full && quiet && depth >= 4 && number >= 3 {
                        true => 1 + u8::from(depth >= 8 && number >= 5),
                        false => 0,
                    };
                    self.scouted(after, depth - 1, less, least, most, meter)?
                }
            };
            if value > best {
                (best, best_cell) = (value, cell);
            }
            least = least.max(value);
            if least >= most {
                let player = usize::from(node.plies % 2);
                let count = &mut self.history[player][cell.trailing_zeros() as usize];
                *count += u32::from(depth) * u32::from(depth);
                break;
            }
        }
        let bound = match best {
            _ if best >= most => Bound::Lower,
            _ if best <= floor => Bound::Upper,
            _ => Bound::Exact,
        };
        self.put(node, best, depth, bound, self.bin(best_cell));
        Ok(best)
    }

    /// The moves into these cells, the most promising first.
    fn ordered(&self, node: Node, drops: u128) -> ([(u32, u128); MOST_BINS], usize) {
        let known = self.get(node).map_or(0, |entry| entry.bin);
        let middle = u32::from(self.lines.shape.bins()) - 1;
        let history = &self.history[usize::from(node.plies % 2)];
        let mut moves = [(0, 0); MOST_BINS];
        let mut count = 0;
        let mut left = drops;
        while left != 0 {
            let cell = left & left.wrapping_neg();
            left ^= cell;
            let bin = self.bin(cell).index();
            let promise = match bin + 1 == known {
                true => u32::MAX,
                false => {
                    let threats = self
                        .lines
                        .completing(node.own | cell, node.all)
                        .count_ones();
                    let off_middle = (2 * u32::from(bin)).abs_diff(middle);
                    let seen = history[cell.trailing_zeros() as usize].min(2_000);
                    (threats << 16) + (seen << 5) + 31 - off_middle.min(31)
                }
            };
            let mut at = count;
            while at > 0 && moves[at - 1].0 < promise {
                moves[at] = moves[at - 1];
                at -= 1;
            }
            moves[at] = (promise, cell);
            count += 1;
        }
        (moves, count)
    }

    /// What a position looks to be worth for the player to move.
    fn evaluate(&self, node: Node) -> i32 {
        let theirs = node.own ^ node.all;
        let (promise, mine) = self.lines.promise(node.own, theirs);
        let (their_promise, others) = self.lines.promise(theirs, node.own);
        if !mine && !others {
            return 0;
        }
        let (my_threats, their_threats) = (
            self.lines.completing(node.own, node.all),
            self.lines.completing(theirs, node.all),
        );
        let by_order = match node.plies % 2 {
            0 => self.lines.of_player_one,
            _ => !self.lines.of_player_one,
        };
        let weigh = |threats: u128, by_order: u128| {
            let [good, other] = THREATS;
            good * (threats & by_order).count_ones() as i32
                + other * (threats & !by_order).count_ones() as i32
        };
        let threats = weigh(my_threats, by_order) - weigh(their_threats, !by_order);
        let last = self
            .lines
            .out_of_moves([my_threats, their_threats], node.all);
        promise - their_promise + threats + ZUGZWANG * last + TURN
    }

    /// A number that no other position has.
    const fn key(node: Node) -> u128 {
        node.own.wrapping_add(node.all)
    }

    const fn index(key: u128) -> usize {
        // Both halves of the key count; the highest bits of a product (D. Knuth, The Art of Computer
        // Programming, 6.4).
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ ((key >> 64) as u64)
                .wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
                .rotate_left(23);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRIES_BITS)) as usize
    }

    fn get(&self, node: Node) -> Option<Entry> {
        let key = Self::key(node);
        let at = Self::index(key);
        let halves = [key as u64, (key >> 64) as u64];
        [at, at ^ 1]
            .into_iter()
            .map(|at| self.table[at])
            .find(|entry| entry.bin != 0 && entry.key == halves)
    }

    /// Keeps what was found: in the first place of two what was searched most deeply, in the other the
    /// newest.
    fn put(&mut self, node: Node, value: i32, depth: u8, bound: Bound, bin: Bin) {
        let key = Self::key(node);
        let at = Self::index(key) & !1;
        let entry = Entry {
            key: [key as u64, (key >> 64) as u64],
            // At most `WIN`.
            value: value as i16,
            depth,
            bound,
            bin: bin.index() + 1,
        };
        let first = &mut self.table[at];
        if first.bin == 0 || first.key == entry.key || first.depth <= depth {
            if first.key != entry.key {
                self.table[at + 1] = *first;
            }
            self.table[at] = entry;
        } else {
            self.table[at + 1] = entry;
        }
    }
}

/// A value from -1 to 1.
fn worth(value: i32) -> f64 {
    match value {
        CERTAIN.. => 1.0,
        _ if value <= -CERTAIN => -1.0,
        _ => {
            let value = f64::from(value) / 100.0;
            // Never as far from 0 as a certain result.
            0.99 * value / (1.0 + if value < 0.0 { -value } else { value })
        }
    }
}
