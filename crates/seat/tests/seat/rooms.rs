//! A game of two who have found each other, in its room, and what is recorded of it.

use std::sync::Arc;

use codec::DecodeAll as _;
use connect4_protocol::fast::wire::{FromRelay, ToRelay};
use connect4_protocol::fast::{
    Ending, Evidence, Moves, Native, Piece, PlayedGame, RecordedGame, Results, SessionKey,
    Signature, SignedTerms,
};
use connect4_relay::{Room, Visit, Visitor};
use connect4_rules::{Bin, ByPlayer, Player};
use connect4_seat::{Journal, Subject, TermsSeat};
use connect4_testing::dice::Dice;
use connect4_testing::terms::DOMAIN;

use crate::lobby::NOW;
use crate::world::Disk;

/// The one who sits there cannot put anything on the chain.
pub fn alone(terms: &SignedTerms, keys: &ByPlayer<Option<SessionKey>>) {
    let number = terms.terms.number(&DOMAIN, &Native);
    let own = if keys.one.is_some() {
        Player::One
    } else {
        Player::Two
    };
    let key = keys.get(own).as_ref().expect("it sits there");
    let endings = [
        None,
        Some(Ending::Resignation(own.opponent())),
        Some(Ending::Draw {
            until: Ending::FOR_GOOD,
        }),
    ];
    for bins in [&[][..], &[3], &[3, 3]] {
        for ending in endings {
            let mut evidence = Evidence {
                ending,
                moves: Moves::from_bins(bins).expect("few"),
                ..Evidence::start()
            };
            let unsigned = evidence;
            if let Some(statement) = unsigned.statement_of(own, number) {
                evidence.signatures[own] = key.sign(&statement.digest(&DOMAIN, &Native));
            }
            // All that the other one has ever signed of this game.
            let others = *terms.signatures.get(own.opponent());
            for signature in [others, *terms.signatures.get(own), Signature::NONE] {
                evidence.signatures[own.opponent()] = signature;
                let recorded = record(terms, evidence);
                assert!(recorded.check(&DOMAIN, &Native, NOW).is_err());
            }
        }
    }
}

fn record(terms: &SignedTerms, evidence: Evidence) -> RecordedGame {
    let played = PlayedGame {
        terms: terms.terms,
        sessions: terms.sessions,
        evidence,
    };
    RecordedGame::of(&played).expect("guests")
}

/// A game in its room: both players move, resign, come back and propose rematches as they like, and anybody records
/// what they hold, at any time and more than once. Returns the terms of the rematch that both have signed.
pub fn play_out(
    dice: &mut Dice,
    terms: &SignedTerms,
    keys: &ByPlayer<SessionKey>,
    log: &[String],
) -> Option<SignedTerms> {
    let subject = Subject::by_terms(terms, DOMAIN).expect("both have signed");
    let number = subject.number();
    let room = Room::by_terms(number, terms, DOMAIN, Visitor::Uncounted, NOW);
    let mut table = Table {
        room: Arc::new(room.expect("its terms")),
        seats: keys.clone().map(|key| {
            let (journal, disk) = (Journal::default(), Disk::default());
            TermsSeat::new(*terms, subject, key, journal, disk, NOW).expect("its key")
        }),
        visits: ByPlayer::default(),
        sockets: 0,
    };
    let mut pieces = Vec::new();
    let mut resigned = ByPlayer::<bool>::default();
    for _ in 0..dice.below(120) {
        let player = dice.one_of(&Player::ALL);
        match dice.below(16) {
            0 => table.connect(player),
            1 if dice.once_in(3) => {
                if let Ok(sent) = table.seats[player].resign() {
                    resigned[player] = true;
                    table.send(player, sent);
                }
            }
            2 => {
                let nonce = dice.below(1 << 20) as u32;
                if let Ok(sent) = table.seats[player].propose_rematch(NOW + 1, nonce) {
                    table.send(player, sent);
                }
            }
            3..7 => {
                let bin = Bin::new(dice.below(7) as u8);
                if let Ok(sent) = table.seats[player].drop(bin) {
                    table.send(player, sent);
                }
            }
            7 => {
                let evidence = *table.seats.get(player).seat().evidence();
                let recorded = record(terms, evidence);
                if let Ok((_, number, game)) = recorded.check(&DOMAIN, &Native, NOW) {
                    assert_eq!(number, subject.number());
                    pieces.push(Piece::of(&evidence, &game));
                }
            }
            _ => table.hear(player),
        }
    }
    table.settle();
    let [one, two] = Player::ALL.map(|player| table.seats.get(player));
    let log = || log.join("\n");
    // If both have resigned before they heard of it, each has what came first.
    if !(resigned.one && resigned.two) {
        assert_eq!(one.played(), two.played(), "{}", log());
    }
    assert_eq!(one.next_terms(), two.next_terms(), "{}", log());
    let next = one.next_terms().copied();
    if one.wants_rematch() && two.wants_rematch() {
        assert!(next.is_some(), "both want a rematch\n{}", log());
    }
    assert!(one.seat().latest().is_over() || next.is_none(), "{}", log());
    // The end is recorded twice, among what was recorded before, in any order.
    let evidence = *one.seat().evidence();
    let made = record(terms, evidence).check(&DOMAIN, &Native, NOW);
    if let Ok((_, _, game)) = made {
        pieces.extend([Piece::of(&evidence, &game); 2]);
        let mut results = Results::default();
        while !pieces.is_empty() {
            let place = dice.below(pieces.len() as u64) as usize;
            results.add(&pieces.swap_remove(place));
        }
        let winner = match (resigned.one, resigned.two) {
            (true, true) => None,
            (true, false) => Some(Player::Two),
            (false, true) => Some(Player::One),
            (false, false) => game.winner(),
        };
        let is_told = !(resigned.one && resigned.two);
        let result = results.result();
        let told = (resigned, evidence, result);
        assert!(!is_told || result.winner == winner, "{told:?}\n{}", log());
        assert_eq!(room_has(&table, &evidence), game.is_over(), "{told:?}");
    }
    next
}

/// Whether the room hands a game that ended on to those who follow the relay.
fn room_has(table: &Table, evidence: &Evidence) -> bool {
    let ended = table.room.ended();
    ended.is_some_and(|ended| ended.evidence == *evidence)
}

/// A room with both players.
struct Table {
    room: Arc<Room>,
    seats: ByPlayer<TermsSeat<Disk, SessionKey>>,
    visits: ByPlayer<Option<Visit>>,
    sockets: u64,
}

impl Table {
    fn connect(&mut self, player: Player) {
        self.sockets += 1;
        let visit = Visit::of(Arc::clone(&self.room), self.sockets, 8);
        self.visits[player] = Some(visit);
        let told = self.seats.get(player).told();
        self.send(player, told);
        if let Some(rematch) = self.seats.get(player).rematch() {
            self.send(player, ToRelay::Rematch(*rematch));
        }
    }

    /// The room takes something, if the player is there.
    fn send(&mut self, player: Player, message: ToRelay) {
        let Some(visit) = &mut self.visits[player] else {
            return;
        };
        match message {
            ToRelay::Position(position) if self.room.take(&position, NOW) == Ok(false) => {
                visit.tell_position();
            }
            ToRelay::Rematch(rematch) if self.room.rematch(&rematch, NOW) == Ok(false) => {
                visit.tell_rematch();
            }
            _ => {}
        }
    }

    fn hear(&mut self, player: Player) {
        let visit = self.visits[player].as_mut();
        let Some(frame) = visit.and_then(Visit::next_frame) else {
            return;
        };
        let message = FromRelay::decode_all(&mut &*frame).expect("a message");
        let seat = &mut self.seats[player];
        let send = match message {
            FromRelay::Position(position) => {
                seat.hear_position(&position).ok().and_then(|it| it.send)
            }
            FromRelay::Rematch(rematch) => {
                let heard = seat.hear_rematch(&rematch, NOW);
                heard.ok().and_then(|heard| heard.send)
            }
            _ => None,
        };
        if let Some(sent) = send {
            self.send(player, sent);
        }
    }

    /// Both are there, and everything arrives.
    fn settle(&mut self) {
        for _ in 0..3 {
            for player in Player::ALL {
                self.connect(player);
            }
            for _ in 0..20 {
                for player in Player::ALL {
                    self.hear(player);
                }
            }
        }
    }
}
