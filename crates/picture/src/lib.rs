//! Pictures of positions and games: SVG, PNG and animated GIF of one drawing.
//!
//! A [`Board`] is what is drawn: discs with their marks, without any rule. [`svg`] writes it with the players'
//! names, [`png`] in the size that previews of links take, and [`gif`] shows one board after another. Shapes as
//! well as colours tell the players' discs apart, as on the page.
//!
//! # Modules
//!
//! Open `drawing` first.
//!
//! | module | has |
//! |---|---|
//! | `board` | [`Board`], [`Disc`], [`Mark`]: what is drawn of a position |
//! | `ink` | [`Theme`], and the colours of both |
//! | `shape` | the one kind of shape that drawings are made of, and the distance to it |
//! | `drawing` | a board as painted shapes |
//! | `svg` | [`svg`], [`Scene`], [`escape`] |
//! | `raster` | painted shapes as pixels |
//! | `palette` | pixels as indices of at most 256 colours |
//! | `png`, `gif` | [`png`], [`gif`] |

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod board;
mod drawing;
mod gif;
mod ink;
mod palette;
mod png;
mod raster;
mod shape;
mod svg;

pub use board::{Board, Disc, Mark};
pub use gif::{MOST_FRAMES, gif};
pub use ink::Theme;
pub use png::{SIZE, png};
pub use svg::{Scene, escape, svg};
