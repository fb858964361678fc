//! What `export`, `verify` and `review` of a file print.

use std::path::Path;

use connect4_protocol::fast::{GameNumber, Pool};
use connect4_protocol::signed::{Refused, Signature, Witnessed};
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

/// Number of a game by signed terms.
const NUMBER: GameNumber = GameNumber([0xab; 32]);

/// One of each.
pub fn verified(say: &mut dyn FnMut(&Verified<'_>)) {
    let keys = ByPlayer {
        one: Address([0xa1; 20]),
        two: Address([0xc3; 20]),
    };
    let one_key = ByPlayer {
        one: Some(keys.one),
        two: None,
    };
    let block = |number| Block {
        number,
        hash: [3; 32],
    };
    let there = |started, ended: Option<u32>| Looked::There {
        started: block(started),
        ended: ended.map(block),
    };
    let signed = || {
        Ok(Proof::Signed {
            number: NUMBER,
            keys,
        })
    };
    let terms = Some(NUMBER.into());
    let (plain, fast) = (GameId::Classic(3), GameId::Fast(3));
    let (plain, fast) = (Some(plain.into()), Some(fast.into()));
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
    for (game, proof, looked) in [
        (terms, signed(), None),
        (terms, signed(), Some(Looked::NotThere)),
        (terms, signed(), Some(there(7, Some(9)))),
        (terms, Err(Fault::BadSignature), None),
        (
            fast,
            Ok(Proof::Keys {
                keys: one_key,
                end: false,
            }),
            None,
        ),
        (fast, Ok(Proof::Nothing), None),
        (plain, Ok(Proof::Nothing), Some(Looked::NotThere)),
        (plain, Ok(Proof::Nothing), Some(there(7, None))),
        (
            plain,
            Ok(Proof::Nothing),
            Some(Looked::Differs("the chain has other moves".into())),
        ),
        (None, Ok(Proof::Nothing), None),
    ] {
        let pool = match looked {
            // One without a name.
            Some(Looked::NotThere) => 7,
            _ => Pool::Pie.number(),
        };
        say(&Verified {
            file: Path::new(FILE),
            line: 12,
            record: &Record {
                pool,
                ..record(game)
            },
            proof,
            looked,
        });
    }
}
