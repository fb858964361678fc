//! Pictures of games, as files.

use std::path::PathBuf;

use connect4_client::{Address, name_of};
use connect4_picture::{Board, Scene, Theme, gif, png, svg};
use connect4_rules::variant::{Colour, Move, Variant};

use crate::failure::Failure;

#[derive(Clone, Debug)]
pub struct PictureFile {
    path: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, Debug)]
enum Format {
    Svg,
    Png,
    Gif,
}

impl PictureFile {
    /// Reads the path of a file, whose ending says how the picture is written.
    pub fn named(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let ending = path.extension().and_then(|ending| ending.to_str());
        let format = match ending {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            Some("gif") => Format::Gif,
            _ => return Err("the name of a picture ends with .svg, .png or .gif".into()),
        };
        Ok(Self { path, format })
    }

    /// Writes the picture of a game: its last position, or all of them.
    pub fn write(
        &self,
        terms: Variant,
        moves: impl IntoIterator<Item = Move>,
        players: impl IntoIterator<Item = (Colour, Address)>,
        standing: &str,
    ) -> Result<(), Failure> {
        let failed = |why: &dyn std::fmt::Display| {
            Failure::Other(format!("{} can't be written: {why}", self.path.display()))
        };
        let boards = Board::of_game(terms, moves).map_err(|error| failed(&error))?;
        let nothing = || failed(&"there is no position");
        let board = boards.last().ok_or_else(nothing)?;
        let bytes = match self.format {
            Format::Svg => {
                let players = players.into_iter();
                let players: Vec<_> = players
                    .map(|(colour, account)| (colour, name_of(account)))
                    .collect();
                let scene = Scene {
                    board,
                    players: &players,
                    standing,
                    theme: None,
                };
                svg(scene).into_bytes()
            }
            Format::Png => png(board, Theme::Light),
            Format::Gif => gif(&boards, Theme::Light).ok_or_else(nothing)?,
        };
        std::fs::write(&self.path, bytes).map_err(|error| failed(&error))
    }
}
