//! A board as painted shapes. A cell has 100 units; rows go from the bottom up, units from the top down.

use connect4_rules::Cell;
use connect4_rules::variant::Colour;

use crate::board::{Board, Disc, Mark};
use crate::ink::Ink;
use crate::shape::{Point, Shape};

pub const CELL: f32 = 100.0;
/// From the edge of a board to its cells.
pub const PAD: f32 = 14.0;
const HOLE: f32 = 41.0;
/// Radius of the corners of a board.
const CORNER: f32 = 34.0;
/// How much is seen of discs that have not won.
const FADED: f32 = 0.42;

#[derive(Clone, Debug, PartialEq)]
pub struct Painted {
    pub shape: Shape,
    pub ink: Ink,
    /// How much of it covers what is below, up to 1.
    pub opacity: f32,
}

impl Painted {
    pub const fn new(shape: Shape, ink: Ink) -> Self {
        Self {
            shape,
            ink,
            opacity: 1.0,
        }
    }

    pub fn moved(self, by: Point) -> Self {
        Self {
            shape: self.shape.moved(by),
            ..self
        }
    }
}

/// Width and height of a board.
pub fn size(board: &Board) -> (f32, f32) {
    let length = |cells: u8| f32::from(cells) * CELL + 2.0 * PAD;
    (length(board.bins()), length(board.rows()))
}

/// Where a cell begins, at the left and at the top.
pub fn corner(board: &Board, cell: Cell) -> Point {
    let above = board.rows().saturating_sub(cell.row).saturating_sub(1);
    Point(
        PAD + f32::from(cell.bin.index()) * CELL,
        PAD + f32::from(above) * CELL,
    )
}

/// The board without its cells.
pub fn front(board: &Board) -> [Painted; 2] {
    let (width, height) = size(board);
    let within = |by: f32| {
        let (width, height) = (width - 2.0 * by, height - 2.0 * by);
        Shape::rectangle(by, by, width, height, CORNER - by)
    };
    [
        Painted::new(within(0.0), Ink::Edge),
        Painted::new(within(1.5), Ink::Front),
    ]
}

pub fn cell(board: &Board, cell: Cell) -> Vec<Painted> {
    let at = corner(board, cell);
    let hole = Shape::circle(50.0, 50.0, HOLE);
    let mut painted = vec![
        Painted::new(hole.clone(), Ink::Hole),
        Painted::new(hole.outlined(1.5), Ink::Edge),
    ];
    painted.extend(board.disc(cell).into_iter().flat_map(disc));
    painted.into_iter().map(|one| one.moved(at)).collect()
}

/// A disc in a cell at the origin.
pub fn disc(Disc { colour, mark }: Disc) -> Vec<Painted> {
    let ink = ink(colour);
    if let (Some(corners), Mark::Winning) = (hollow(colour), mark) {
        let outline = Shape::polygon(corners, 0.0).outlined(14.0);
        let ink = match ink {
            // Yellow by itself is too light for an outline.
            Ink::Yellow => Ink::YellowEdge,
            ink => ink,
        };
        return vec![Painted::new(outline, ink)];
    }
    let mut painted = match colour {
        Colour::Yellow => vec![
            Painted::new(Shape::polygon(whole(colour), 0.0), ink),
            Painted::new(
                Shape::polygon(whole(colour), 0.0).outlined(6.0),
                Ink::YellowEdge,
            ),
        ],
        Colour::Red => vec![Painted::new(Shape::circle(50.0, 50.0, 40.0), ink)],
        Colour::Blue | Colour::Green => vec![Painted::new(Shape::polygon(whole(colour), 3.0), ink)],
    };
    match mark {
        Mark::None => {}
        Mark::Last => {
            let middle = match colour {
                Colour::Green => 51.0,
                _ => 50.0,
            };
            let ink = match colour {
                Colour::Yellow => Ink::YellowMark,
                _ => Ink::Mark,
            };
            painted.push(Painted::new(Shape::circle(50.0, middle, 7.0), ink));
        }
        Mark::Winning => {
            let ring = Shape::circle(50.0, 50.0, 23.0).outlined(8.0);
            painted.push(Painted::new(ring, Ink::Mark));
        }
        Mark::Faded => {
            for one in &mut painted {
                one.opacity = FADED;
            }
        }
    }
    painted
}

const fn ink(colour: Colour) -> Ink {
    match colour {
        Colour::Red => Ink::Red,
        Colour::Blue => Ink::Blue,
        Colour::Green => Ink::Green,
        Colour::Yellow => Ink::Yellow,
    }
}

/// Corners of a disc that has some.
const fn whole(colour: Colour) -> &'static [(f32, f32)] {
    match colour {
        Colour::Red => &[],
        Colour::Blue => &[
            (50.0, 13.0),
            (85.2, 38.6),
            (71.7, 79.9),
            (28.3, 79.9),
            (14.8, 38.6),
        ],
        Colour::Green => &[(50.0, 13.0), (82.0, 68.5), (18.0, 68.5)],
        Colour::Yellow => &[(24.0, 24.0), (76.0, 24.0), (76.0, 76.0), (24.0, 76.0)],
    }
}

/// Corners of a disc that wins, if it is hollow then.
const fn hollow(colour: Colour) -> Option<&'static [(f32, f32)]> {
    match colour {
        Colour::Red => None,
        Colour::Blue => Some(&[
            (50.0, 17.0),
            (81.4, 39.8),
            (69.4, 76.7),
            (30.6, 76.7),
            (18.6, 39.8),
        ]),
        Colour::Green => Some(&[(50.0, 19.0), (76.8, 65.5), (23.2, 65.5)]),
        Colour::Yellow => Some(&[(29.0, 29.0), (71.0, 29.0), (71.0, 71.0), (29.0, 71.0)]),
    }
}
