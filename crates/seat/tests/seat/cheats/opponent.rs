//! What the opponent does, who cheats, and the node that lies for it.

use connect4_protocol::Game;
use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Ending, Evidence, Kind};
use connect4_rules::Bin;

use super::{LIES, World, told};
use crate::world::{account, forge};

impl World {
    pub(super) fn legal(game: &Game) -> Vec<Bin> {
        game.shape()
            .iter_bins()
            .filter(|bin| game.position().drop(*bin).is_ok())
            .collect()
    }

    /// A bin for the player to move, which wins every fourth time that one does.
    pub(super) fn choose(&mut self, game: &Game) -> Bin {
        let legal = Self::legal(game);
        let wins = |bin: &&Bin| {
            let mut position = game.position();
            position.drop(**bin).is_ok() && position.outcome().is_some()
        };
        match legal.iter().find(wins) {
            // A win that is missed can be gone back to.
            Some(bin) if self.dice.once_in(4) => *bin,
            _ => self.dice.one_of(&legal),
        }
    }

    /// A position that the cheat has signed, on top of any that the honest player has: also a second
    /// one for the same turn.
    pub(super) fn sign(&mut self) -> Option<Evidence> {
        let mut base = self.dice.one_of(&self.known);
        let game = self.chain.subject().game_of(&base).ok()?;
        if base.ending.is_some() || game.to_move() != Some(self.cheat) {
            return None;
        }
        let bin = self.choose(&game);
        base.moves.push(bin);
        base.signatures[self.cheat] = forge(self.cheat, Kind::Position, &base.moves);
        self.known.push(base);
        Some(base)
    }

    /// A resignation of the cheat at anything that is known, also at its own line.
    pub(super) fn resign(&mut self) -> Option<Evidence> {
        let mut resigned = self.dice.one_of(&self.known);
        let subject = self.chain.subject();
        let is_line = |evidence: &&Evidence| {
            let game = subject.game_of(evidence);
            evidence.ending.is_none() && game.is_ok_and(|game| game.winner() == Some(self.cheat))
        };
        if let Some(line) = self.known.iter().find(is_line)
            && self.dice.once_in(2)
        {
            resigned = *line;
        }
        if resigned.ending.is_some() {
            return None;
        }
        resigned.ending = Some(Ending::Resignation(self.cheat));
        resigned.signatures[self.cheat] = forge(self.cheat, Kind::Resignation, &resigned.moves);
        self.known.push(resigned);
        Some(resigned)
    }

    /// Goes back to a win that the cheat has missed, by another signature for that turn, and sends a
    /// resignation that it may believe to be of use: at that line, or at the start of the game.
    pub(super) fn go_back(&mut self) {
        let subject = self.chain.subject();
        let mut missed = self.known.iter().filter(|base| base.ending.is_none());
        let missed = missed.find_map(|base| {
            let game = subject.game_of(base).ok()?;
            let is_own = game.to_move() == Some(self.cheat);
            let wins = |bin: &Bin| {
                let mut position = game.position();
                position.drop(*bin).is_ok() && position.outcome().is_some()
            };
            let bin = game.shape().iter_bins().find(wins).filter(|_| is_own)?;
            Some((*base, bin))
        });
        let Some((mut line, bin)) = missed else {
            return;
        };
        self.count("go back");
        line.moves.push(bin);
        line.signatures[self.cheat] = forge(self.cheat, Kind::Position, &line.moves);
        self.known.push(line);
        let mut resigned = self.dice.one_of(&[line, Evidence::start()]);
        resigned.ending = Some(Ending::Resignation(self.cheat));
        resigned.signatures[self.cheat] = forge(self.cheat, Kind::Resignation, &resigned.moves);
        let (sends, brings) = (self.dice.once_in(2), self.dice.once_in(2));
        let brings_first = self.dice.once_in(2);
        for is_first in [true, false] {
            if brings && is_first == brings_first && self.chain.advance(&line, None).is_ok() {
                self.note(format!("brings {}", told(&line)));
                self.look();
            }
            if sends && is_first != brings_first {
                self.deliver(resigned);
            }
        }
    }

    /// An offer of a draw by the cheat, at the position that the honest player holds.
    pub(super) fn offer(&mut self) {
        let moves = self.seat.journal().position.moves;
        let until = self.chain.now + self.dice.one_of(&[5, 60, 1_000_000]);
        let signature = forge(self.cheat, Kind::Draw { until }, &moves);
        let offer = Offer {
            by: self.cheat,
            until,
            moves,
            signature,
        };
        if self.dice.once_in(2) {
            let _ = self.room.offer(&offer, self.chain.now);
            return;
        }
        let received = self.seat.receive_offer(&offer);
        self.note(format!("offers a draw until {until}: {received:?}"));
    }

    /// The honest player receives it by the room, or from a relay of the cheat's.
    pub(super) fn deliver(&mut self, evidence: Evidence) {
        if self.dice.once_in(3) {
            let taken = self.room.take(&evidence, self.chain.now);
            self.note(format!("sends {} to the room: {taken:?}", told(&evidence)));
            return;
        }
        let received = self.seat.receive(&evidence);
        self.note(format!("sends {}: {received:?}", told(&evidence)));
        self.look();
    }

    pub(super) fn cheat(&mut self) {
        match self.dice.below(16) {
            0..=2 => {
                if let Some(evidence) = self.sign() {
                    self.deliver(evidence);
                }
            }
            3 => {
                let evidence = self.dice.one_of(&self.known);
                self.deliver(evidence);
            }
            4 => {
                self.sign();
            }
            5 | 6 => {
                let press = self.dice.once_in(2).then_some(self.cheat);
                let evidence = self.dice.one_of(&self.known);
                if self.chain.advance(&evidence, press).is_ok() {
                    self.count("advance");
                    self.note(format!("brings {}, press {press:?}", told(&evidence)));
                }
            }
            7 if self.chain.press(self.cheat).is_ok() => {
                self.count("press");
                self.note("presses".into());
            }
            8 => {
                let game = self.chain.game.game;
                if game.to_move() == Some(self.cheat) {
                    let bin = self.choose(&game);
                    if self.chain.drop(self.cheat, bin).is_ok() {
                        self.count("drop");
                        self.note(format!("drops {bin:?} on the chain"));
                    }
                }
            }
            9 if self.chain.claim().is_ok() => {
                self.count("claim");
                self.note("claims".into());
            }
            10 if !self.offers.is_empty() => {
                let offer = self.dice.one_of(&self.offers);
                let kind = Kind::Draw { until: offer.until };
                let draw = offer.accepted(forge(self.cheat, kind, &offer.moves));
                if self.chain.advance(&draw, None).is_ok() {
                    self.count("draw");
                    self.note(format!("accepts on the chain {}", told(&draw)));
                }
                self.known.push(draw);
            }
            11 if !self.is_stubborn && self.dice.once_in(6) => {
                if let Some(evidence) = self.resign()
                    && self.dice.once_in(2)
                {
                    self.count("resign");
                    self.deliver(evidence);
                }
            }
            12 if self.dice.once_in(8) => self.offer(),
            13 if self.dice.once_in(if self.is_stubborn { 60 } else { 3 }) => self.go_back(),
            _ => {}
        }
    }

    /// The node shows an old state, or a disc of the cheat that nobody has dropped.
    pub(super) fn lie(&mut self) {
        let mut shown = self.dice.one_of(self.blocks.make_contiguous());
        if self.dice.once_in(2)
            && let Ok(game) = self.chain.subject().game_of(&self.held.journal.position)
            && game.to_move() == Some(self.cheat)
        {
            shown.game = game;
            let bin = self.choose(&game);
            let _ = shown.drop(account(self.cheat), bin, self.chain.now);
        }
        if !shown.is_final() {
            self.count("lie");
            self.note("the node lies".into());
            self.lie = Some((shown, self.dice.below(LIES)));
        }
    }
}
