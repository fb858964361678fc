//! What `export`, `verify` and `review` of a file print.

use std::path::Path;

use connect4_protocol::signed::{GameNumber, Pool, Refused, Signature, Witnessed};
use connect4_protocol::{Address, End, GameId, GameName};
use connect4_record::{Block, EndEvidence, Fault, Proof, Record, SignedGame, Step};
use connect4_rules::variant::{Move, Variant};
use connect4_rules::{Bin, ByPlayer, Shape};

use crate::said::{Looked, Verified};

/// The file of these records.
pub const FILE: &str = "games.txt";

/// A game that a chain has, or signed terms.
pub fn record(game: Option<GameName>) -> Record {
    Record {
        game,
        players: vec![Address([0xa1; 20]), Address([0xb2; 20])],
        steps: [3, 3, 2]
            .map(|bin| Step::Move(Move::Drop(Bin::new(bin))))
            .into(),
        ..Record::new(Variant::classic(Shape::STANDARD))
    }
}

/// Number of a signed game.
const NUMBER: GameNumber = GameNumber([0xab; 32]);

/// One of each.
pub fn verified(say: &mut dyn FnMut(&Verified<'_>)) {
    let keys = ByPlayer {
        one: Address([0xa1; 20]),
        two: Address([0xc3; 20]),
    };
    let block = |number| Block {
        number,
        hash: [3; 32],
    };
    let there = |started, ended: Option<u32>| Looked::There {
        started: block(started),
        ended: ended.map(block),
    };
    let plain = Some(GameId::Classic(3).into());
    let ended = |witness| {
        Ok(Proof::Ended {
            number: NUMBER,
            keys,
            witness,
        })
    };
    let witness = Some(Address([0xd4; 20]));
    for (proof, end) in [
        (ended(witness), End::Resignation),
        (ended(witness), End::Timeout),
        (ended(None), End::Agreement),
        (Err(Fault::NotShown(Refused::BadWitness)), End::Timeout),
    ] {
        say(&Verified {
            file: Path::new(FILE),
            line: 12,
            record: &Record {
                // One without a name, too.
                pool: if end == End::Timeout {
                    7
                } else {
                    Pool::Pie.number()
                },
                end: Some(end),
                winner: (end != End::Agreement).then_some(0),
                signed_game: Some(SignedGame {
                    keys,
                    witness: witness.filter(|_| end != End::Agreement),
                    event: None,
                    previous: None,
                    evidence: Some(EndEvidence {
                        sessions: ByPlayer::default(),
                        signatures: ByPlayer::default(),
                        witnessed: Some(Witnessed {
                            at: 1_795_552_697_042,
                            signature: Signature::NONE,
                        }),
                    }),
                }),
                ..record(Some(NUMBER.into()))
            },
            proof,
            looked: None,
        });
    }
    for (game, looked) in [
        (plain, None),
        (plain, Some(Looked::NotThere)),
        (plain, Some(there(7, None))),
        (plain, Some(there(7, Some(9)))),
        (
            plain,
            Some(Looked::Differs("the chain has other moves".into())),
        ),
        (None, None),
    ] {
        say(&Verified {
            file: Path::new(FILE),
            line: 12,
            record: &record(game),
            proof: Ok(Proof::Nothing),
            looked,
        });
    }
    say(&Verified {
        file: Path::new(FILE),
        line: 12,
        record: &Record {
            earlier: Some("f3".into()),
            ..record(None)
        },
        proof: Ok(Proof::Nothing),
        looked: None,
    });
}
