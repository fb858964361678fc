//! A game as an animated GIF.

use std::borrow::Cow;

use connect4_rules::Cell;
use gif::{Encoder, Frame, Repeat};

use crate::board::Board;
use crate::drawing::{self, CELL};
use crate::ink::{Ink, Theme};
use crate::palette::Palette;
use crate::raster::{Area, Raster};
use crate::shape::{Point, Shape};

/// Pictures of a game, at most: more than any game has.
pub const MOST_FRAMES: usize = 256;
/// Pixels of the longer side.
const SIDE: u16 = 480;
/// Pixels around the board.
const MARGIN: f32 = 10.0;
/// Hundredths of a second for which a position is shown, and the last one.
const DELAY: u16 = 70;
const LAST_DELAY: u16 = 350;
/// Place of no colour.
const GAP: u8 = 0;

/// A game, one board after another, again and again. None without a board.
#[must_use]
pub fn gif(boards: &[Board], theme: Theme) -> Option<Vec<u8>> {
    let boards = &boards[..boards.len().min(MOST_FRAMES)];
    let (first, rest) = boards.split_first()?;
    let (board_width, board_height) = drawing::size(first);
    let longer = board_width.max(board_height);
    let scale = (f32::from(SIDE) - 2.0 * MARGIN) / longer;
    // No side is longer than the longer one.
    let pixels = |units: f32| (units * scale + 2.0 * MARGIN).round() as u16;
    let (width, height) = (pixels(board_width), pixels(board_height));
    let mut raster = Raster::new(
        width.into(),
        height.into(),
        theme,
        scale,
        Point(MARGIN, MARGIN),
    );
    for painted in drawing::front(first) {
        raster.paint(&painted);
    }
    for cell in first.cells() {
        paint(&mut raster, first, cell);
    }
    let mut palette = Palette::with_gap();
    let whole = Area {
        left: 0,
        top: 0,
        width: raster.width,
        height: raster.height,
    };
    let mut frames = vec![frame(&raster, whole, None, &mut palette)];
    let mut before = first;
    for board in rest {
        let changed = board
            .cells()
            .filter(|cell| before.disc(*cell) != board.disc(*cell));
        let painted = raster.pixels().to_vec();
        let mut area: Option<Area> = None;
        for cell in changed {
            paint(&mut raster, board, cell);
            let at = drawing::corner(board, cell);
            let touched = raster.touched(at, Point(at.0 + CELL, at.1 + CELL));
            area = Some(area.map_or(touched, |area| both(area, touched)));
        }
        // A move that changes no disc is a frame, too.
        let nothing = Area {
            left: 0,
            top: 0,
            width: 1,
            height: 1,
        };
        let area = area.unwrap_or(nothing);
        frames.push(frame(&raster, area, Some(&painted), &mut palette));
        before = board;
    }
    if let Some(last) = frames.last_mut() {
        last.delay = LAST_DELAY;
    }
    let mut file = Vec::new();
    // Writing into memory fails only for pictures without pixels.
    let mut encoder = Encoder::new(&mut file, width, height, &palette.bytes()).ok()?;
    encoder.set_repeat(Repeat::Infinite).ok()?;
    for frame in &frames {
        encoder.write_frame(frame).ok()?;
    }
    drop(encoder);
    Some(file)
}

/// Paints a cell over what was there.
fn paint(raster: &mut Raster, board: &Board, cell: Cell) {
    let at = drawing::corner(board, cell);
    // The hole alone: nothing that lies in a cell reaches beyond it.
    let under = Shape::circle(at.0 + 50.0, at.1 + 50.0, 44.0);
    raster.paint(&drawing::Painted::new(under, Ink::Front));
    for painted in drawing::cell(board, cell) {
        raster.paint(&painted);
    }
}

/// The least area in which both are.
fn both(one: Area, other: Area) -> Area {
    let right = (one.left + one.width).max(other.left + other.width);
    let bottom = (one.top + one.height).max(other.top + other.height);
    let (left, top) = (one.left.min(other.left), one.top.min(other.top));
    Area {
        left,
        top,
        width: right.saturating_sub(left),
        height: bottom.saturating_sub(top),
    }
}

/// An area that is put over the picture before. What is the same there is left out: it is transparent.
fn frame(
    raster: &Raster,
    area: Area,
    before: Option<&[[u8; 3]]>,
    palette: &mut Palette,
) -> Frame<'static> {
    let short = |pixels| u16::try_from(pixels).unwrap_or(u16::MAX);
    let mut place = |at: usize| {
        let pixel = *raster.pixels().get(at)?;
        let is_same = before.is_some_and(|before| before.get(at) == Some(&pixel));
        (!is_same).then(|| palette.place(pixel))
    };
    let places = raster.places(area);
    let pixels: Vec<u8> = places.map(|at| place(at).unwrap_or(GAP)).collect();
    Frame {
        left: short(area.left),
        top: short(area.top),
        width: short(area.width),
        height: short(area.height),
        delay: DELAY,
        transparent: Some(GAP),
        buffer: Cow::Owned(pixels),
        ..Frame::default()
    }
}
