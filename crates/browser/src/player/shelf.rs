//! The disk of the page, as a player sees it.

use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use connect4_protocol::Address;
use connect4_protocol::signed::GameNumber;
use connect4_seat::{GameOffer, Record, Shelf};
use serde::Serialize;

use crate::values::Hex;

/// The record that the page has to write before anything else is done. It takes the place of the one before, in one
/// transaction with the check that no other game is there under one of these numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ToKeep {
    pub record: Hex,
    /// Numbers of games which this one is from now on, or may be.
    #[cfg_attr(test, ts(type = "string[]"))]
    pub games: Vec<GameNumber>,
}

/// The page could not write the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotKept;

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this browser could not store the record of the game, so nothing was sent; try again",
        )
    }
}

/// Why the page has not written the record.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusal {
    /// Whether the record may be on the disk all the same.
    pub may_have: bool,
    /// Numbers under which other games are there.
    pub others: Vec<GameNumber>,
}

/// The disk of the page. It takes everything at first, as the page writes after the step; in a step that is taken once
/// more it refuses.
#[derive(Clone, Debug)]
pub(super) struct PageShelf {
    key: Address,
    refusal: Option<Refusal>,
    wanted: Option<Record>,
    asked: RefCell<Vec<GameNumber>>,
}

impl PageShelf {
    /// The disk that has this key.
    pub const fn new(key: Address) -> Self {
        Self {
            key,
            refusal: None,
            wanted: None,
            asked: RefCell::new(Vec::new()),
        }
    }

    /// The same with a disk that has refused.
    pub fn refusing(key: Address, refusal: Refusal) -> Self {
        let mut shelf = Self::new(key);
        shelf.refusal = Some(refusal);
        shelf
    }

    /// What the page has to write, with the numbers that were asked for since the last time.
    pub fn take(&mut self) -> Option<(Record, Vec<GameNumber>)> {
        let asked = self.asked.take();
        Some((self.wanted.take()?, asked))
    }
}

impl Shelf for PageShelf {
    type Error = NotKept;

    fn keep(&mut self, record: &Record) -> Result<(), NotKept> {
        if self.refusal.is_some() {
            return Err(NotKept);
        }
        self.wanted = Some(record.clone());
        Ok(())
    }

    fn may_have(&self, _: &Record) -> bool {
        self.refusal
            .as_ref()
            .is_some_and(|refusal| refusal.may_have)
    }

    fn has_key(&self, key: Address) -> bool {
        key == self.key
    }

    fn has_other(&self, game: GameNumber) -> bool {
        if let Some(refusal) = &self.refusal {
            return refusal.others.contains(&game);
        }
        self.asked.borrow_mut().push(game);
        false
    }

    /// The record has its name of both, so that the page writes no other one there.
    fn has_taken(&self, _: &GameOffer, _: Address) -> bool {
        false
    }

    /// The page writes a record in place of the one that it knows alone, and ends the module if there is another one.
    fn is_held(&self) -> bool {
        true
    }
}
