//! Painted shapes as pixels.

use crate::drawing::Painted;
use crate::ink::{Ink, Theme};
use crate::shape::Point;

/// Steps from what is below to what covers it at an edge: few, so that a picture has few colours.
const STEPS: f32 = 8.0;

/// Pixels of a side of the squares of which is found out at once whether they are near an edge: more than their
/// half diagonal and half a pixel.
const BLOCK: usize = 8;

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub left: usize,
    pub top: usize,
    pub width: usize,
    pub height: usize,
}

pub struct Raster {
    pub width: usize,
    pub height: usize,
    /// By rows from the top: red, green and blue.
    pixels: Vec<[u8; 3]>,
    theme: Theme,
    /// Pixels of a unit, and where the drawing begins.
    scale: f32,
    origin: Point,
}

impl Raster {
    /// An empty one. A unit of the drawing has `scale` pixels.
    pub fn new(width: usize, height: usize, theme: Theme, scale: f32, origin: Point) -> Self {
        Self {
            width,
            height,
            pixels: vec![Ink::Ground.colour(theme); width * height],
            theme,
            scale,
            origin,
        }
    }

    /// The places of the pixels of an area, by rows.
    pub fn places(&self, area: Area) -> impl Iterator<Item = usize> + use<> {
        let width = self.width;
        let rows = area.top..area.top + area.height;
        rows.flat_map(move |y| {
            let start = y * width + area.left;
            start..start + area.width
        })
    }

    /// The pixels that units between these points touch.
    pub fn touched(&self, least: Point, most: Point) -> Area {
        let pixel = |units: f32, origin: f32| units * self.scale + origin;
        let within = |place: f32, length: usize| {
            // Less than nothing is nothing, and what is beyond is cut off.
            (place as usize).min(length)
        };
        let left = within(pixel(least.0, self.origin.0).floor(), self.width);
        let top = within(pixel(least.1, self.origin.1).floor(), self.height);
        let right = within(pixel(most.0, self.origin.0).ceil(), self.width);
        let bottom = within(pixel(most.1, self.origin.1).ceil(), self.height);
        Area {
            left,
            top,
            width: right.saturating_sub(left),
            height: bottom.saturating_sub(top),
        }
    }

    pub fn paint(&mut self, painted: &Painted) {
        let shape = &painted.shape;
        let ends = |of: fn(&Point) -> f32| {
            let values = || shape.points.iter().map(of);
            let least = values().fold(f32::INFINITY, f32::min);
            let most = values().fold(f32::NEG_INFINITY, f32::max);
            (
                least - shape.reach() - 1.0 / self.scale,
                most + shape.reach() + 1.0 / self.scale,
            )
        };
        let ((left, right), (top, bottom)) = (ends(|point| point.0), ends(|point| point.1));
        let area = self.touched(Point(left, top), Point(right, bottom));
        let ink = painted.ink.colour(self.theme);
        let away = |x: f32, y: f32| {
            let from = Point(
                (x - self.origin.0) / self.scale,
                (y - self.origin.1) / self.scale,
            );
            shape.distance(from) * self.scale
        };
        let mut paint = |x: usize, y: usize, share: f32| {
            if let Some(pixel) = self.pixels.get_mut(y * self.width + x)
                && share > 0.0
            {
                *pixel = mixed(*pixel, ink, share * painted.opacity);
            }
        };
        let (right, bottom) = (area.left + area.width, area.top + area.height);
        for top in (area.top..bottom).step_by(BLOCK) {
            for left in (area.left..right).step_by(BLOCK) {
                let half = small(BLOCK) / 2.0;
                // Mostly a block is far from any edge.
                let of_block = away(small(left) + half, small(top) + half);
                if of_block > small(BLOCK) {
                    continue;
                }
                for y in top..bottom.min(top + BLOCK) {
                    for x in left..right.min(left + BLOCK) {
                        let inside = match of_block < -small(BLOCK) {
                            true => 1.0,
                            false => {
                                let of_pixel = away(small(x) + 0.5, small(y) + 0.5);
                                (0.5 - of_pixel).clamp(0.0, 1.0)
                            }
                        };
                        paint(x, y, (inside * STEPS).round() / STEPS);
                    }
                }
            }
        }
    }

    /// All pixels, by rows from the top.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }
}

/// A number of pixels: pictures have some thousand a side.
pub const fn small(pixels: usize) -> f32 {
    pixels as f32
}

/// A share of `above` on the rest of `below`.
fn mixed(below: [u8; 3], above: [u8; 3], share: f32) -> [u8; 3] {
    let mut mixed = below;
    for (part, above) in mixed.iter_mut().zip(above) {
        let value = f32::from(*part) + (f32::from(above) - f32::from(*part)) * share;
        // It is between two bytes.
        *part = value.round() as u8;
    }
    mixed
}
