//! A board as PNG, in the size that previews of links take.

use fdeflate::compress_to_vec;

use crate::board::Board;
use crate::drawing;
use crate::ink::Theme;
use crate::palette::Palette;
use crate::raster::{Raster, small};
use crate::shape::Point;

/// Width and height in pixels.
pub const SIZE: (u16, u16) = (1200, 630);
/// Pixels around the board, at least.
const MARGIN: f32 = 32.0;

/// A picture of a board, without text.
#[must_use]
pub fn png(board: &Board, theme: Theme) -> Vec<u8> {
    let (width, height) = (usize::from(SIZE.0), usize::from(SIZE.1));
    let (board_width, board_height) = drawing::size(board);
    let room = |pixels: usize| small(pixels) - 2.0 * MARGIN;
    let scale = (room(width) / board_width).min(room(height) / board_height);
    let origin = Point(
        (small(width) - board_width * scale) / 2.0,
        (small(height) - board_height * scale) / 2.0,
    );
    let mut raster = Raster::new(width, height, theme, scale, origin);
    for painted in drawing::front(board) {
        raster.paint(&painted);
    }
    for cell in board.cells() {
        for painted in drawing::cell(board, cell) {
            raster.paint(&painted);
        }
    }
    let mut palette = Palette::default();
    let pixels = raster.pixels().iter();
    let pixels: Vec<u8> = pixels.map(|pixel| palette.place(*pixel)).collect();
    let mut rows = Vec::with_capacity(pixels.len() + height);
    let mut above = vec![0; width];
    for row in pixels.chunks(width) {
        // Its filter, and what it differs in from the row above: mostly nothing.
        rows.push(2);
        rows.extend(
            row.iter()
                .zip(&above)
                .map(|(one, other)| one.wrapping_sub(*other)),
        );
        above.copy_from_slice(row);
    }
    let mut head = Vec::new();
    head.extend(u32::from(SIZE.0).to_be_bytes());
    head.extend(u32::from(SIZE.1).to_be_bytes());
    // Bits of a pixel, that they are indices, and the only methods that there are.
    head.extend([8, 3, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, *b"IHDR", &head);
    chunk(&mut file, *b"PLTE", &palette.bytes());
    chunk(&mut file, *b"IDAT", &compress_to_vec(&rows));
    chunk(&mut file, *b"IEND", &[]);
    file
}

/// Appends a part of a file.
fn chunk(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    // A picture of this size has less than 1 MB.
    let length = u32::try_from(content.len()).unwrap_or_default();
    file.extend(length.to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(content);
    let sum = crc32fast::hash(&file[start..]);
    file.extend(sum.to_be_bytes());
}
