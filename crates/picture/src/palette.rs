//! Pixels as indices of at most 256 colours.

use std::collections::HashMap;

/// Colours, in the order in which they were met.
#[derive(Default)]
pub struct Palette {
    colours: Vec<[u8; 3]>,
    places: HashMap<[u8; 3], u8>,
    /// What was asked for last, which most pixels are like.
    latest: Option<([u8; 3], u8)>,
}

impl Palette {
    /// One whose place 0 is that of no colour.
    pub fn with_gap() -> Self {
        Self {
            colours: vec![[0; 3]],
            ..Self::default()
        }
    }

    /// The place of a colour; beyond 256 of them, that of the nearest one.
    pub fn place(&mut self, colour: [u8; 3]) -> u8 {
        if let Some((latest, place)) = self.latest
            && latest == colour
        {
            return place;
        }
        let place = self.find(colour);
        self.latest = Some((colour, place));
        place
    }

    fn find(&mut self, colour: [u8; 3]) -> u8 {
        if let Some(place) = self.places.get(&colour) {
            return *place;
        }
        let place = match u8::try_from(self.colours.len()) {
            Ok(place) => {
                self.colours.push(colour);
                place
            }
            Err(_) => self.nearest(colour),
        };
        self.places.insert(colour, place);
        place
    }

    fn nearest(&self, colour: [u8; 3]) -> u8 {
        let away = |other: &[u8; 3]| -> u32 {
            let parts = other.iter().zip(colour);
            parts
                .map(|(one, two)| u32::from(one.abs_diff(two)).pow(2))
                .sum()
        };
        let places = (0..=u8::MAX).zip(&self.colours);
        let nearest = places.min_by_key(|(_, other)| away(other));
        nearest.map_or(0, |(place, _)| place)
    }

    /// Red, green and blue of each colour.
    pub fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }
}
