//! Random games of guests and accounts, right and forged, at the contract and at [`Finished::judge`].
//!
//! `CONNECT4_SEED` and `CONNECT4_SEQUENCES` choose them.

use std::collections::BTreeMap;

use connect4_protocol::ClockSpec;
use connect4_protocol::signed::{
    Ending, Finished, GameNumber, Moves, Native, RecordsError, Refused, Signature, Terms,
};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_testing::Account::Bob;
use connect4_testing::dice::Dice;
use connect4_testing::keys::{Wallet, session_key};
use connect4_testing::sequences::Sequences;
use connect4_testing::signed::SignedPlay;

use crate::world::{World, packed, witness};

/// How many games a run tries unless it is asked for others.
const USUAL: u64 = 600;

fn terms(world: &World, dice: &mut Dice) -> Terms {
    let shapes = [(7, 6, 4), (5, 4, 3), (14, 8, 5), (6, 4, 4)];
    let (bins, capacity, line) = shapes[dice.below(4) as usize];
    Terms {
        shape: Shape::new(bins, capacity, line).expect("a shape").into(),
        pie_rule: dice.below(2) == 0,
        clock: (dice.below(4) > 0).then(|| ClockSpec {
            bank: 30 + dice.below(600) as u32,
            increment: dice.below(20) as u32,
        }),
        witness: (dice.below(4) > 0).then(|| witness().address()),
        pool: dice.below(9) as u16,
        programs: ByPlayer::from_fn(|_| dice.below(3) == 0),
        event: (dice.below(3) == 0).then_some([7; 32]),
        previous: (dice.below(3) == 0).then_some(GameNumber([8; 32])),
        time: world.now() - dice.below(100),
        nonce: dice.below(1 << 32) as u32,
        ..Terms::on(Shape::STANDARD)
    }
}

fn wallet(dice: &mut Dice, player: Player) -> Wallet {
    match (dice.below(3), player) {
        (0, Player::One) => Wallet::Ethereum(session_key(90)),
        (0, Player::Two) => Wallet::Ethereum(session_key(91)),
        (1, Player::Two) => Wallet::Substrate(Bob),
        _ => Wallet::Guest,
    }
}

/// Random legal moves, up to an end on the board or not.
fn moves(terms: &Terms, dice: &mut Dice) -> Vec<u8> {
    let most = dice.below(50);
    let mut bins = Vec::new();
    while (bins.len() as u64) < most {
        let made = Moves::from_bins(&bins).expect("few moves");
        let game = terms.play(&made).expect("legal moves");
        if game.is_over() {
            break;
        }
        let bin = match bins.len() {
            1 if terms.pie_rule && dice.below(3) == 0 => Moves::SWAP,
            _ => dice.below(u64::from(terms.shape.bins)) as u8,
        };
        let mut next = game;
        if next.make(Bin::new(bin), terms.pie_rule).is_ok() {
            bins.push(bin);
        }
    }
    bins
}

/// Some end at these moves, which need not be one.
fn ending(bins: &[u8], terms: &Terms, dice: &mut Dice) -> Ending {
    let by = match dice.below(2) {
        0 => Player::One,
        _ => Player::Two,
    };
    let made = Moves::from_bins(bins).expect("few moves");
    let is_over = terms.play(&made).expect("legal moves").is_over();
    match dice.below(8) {
        0..4 if is_over => Ending::Board,
        4..6 if is_over => Ending::Resignation(by),
        0..2 => Ending::Resignation(by),
        2..4 => Ending::Draw,
        4..7 => Ending::Lapse(by),
        _ => Ending::Board,
    }
}

/// One thing changed that somebody could gain by.
fn forge(game: &mut Finished, dice: &mut Dice) {
    let player = match dice.below(2) {
        0 => Player::One,
        _ => Player::Two,
    };
    match dice.below(9) {
        0 => game.signatures[player] = game.signatures[player.opponent()],
        1 => game.signatures[player].0[dice.below(64) as usize] ^= 1 << dice.below(8),
        2 => {
            if let Some(witnessed) = &mut game.witnessed {
                witnessed.at += 1;
            }
        }
        3 => {
            if let Some(witnessed) = &mut game.witnessed {
                witnessed.signature = Signature::NONE;
            }
        }
        4 => {
            let bins: Vec<u8> = game.moves.iter().copied().collect();
            let fewer = &bins[..bins.len().saturating_sub(1)];
            game.moves = Moves::from_bins(fewer).expect("few moves");
        }
        5 => {
            game.ending = match game.ending {
                Ending::Resignation(by) => Ending::Resignation(by.opponent()),
                Ending::Lapse(of) => Ending::Lapse(of.opponent()),
                Ending::Board => Ending::Draw,
                Ending::Draw => Ending::Board,
            };
        }
        6 => game.terms.pool += 1,
        7 => game.terms.nonce ^= 1,
        _ => {
            if let Some(session) = &mut game.sessions[player] {
                session.until += 1;
            }
        }
    }
}

#[test]
fn the_contract_judges_as_the_protocol_does() {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let sequences = Sequences::asked_for(USUAL);
    sequences.play(
        World::new,
        |world, seed| {
            let mut dice = Dice(seed);
            let terms = terms(world, &mut dice);
            let wallets = ByPlayer {
                one: wallet(&mut dice, Player::One),
                two: wallet(&mut dice, Player::Two),
            };
            let play = SignedPlay::by_wallets(world.chain(), terms, seed, &wallets);
            let bins = moves(&play.signed.terms, &mut dice);
            let ending = ending(&bins, &play.signed.terms, &mut dice);
            let mut game = world.ended(&play, &bins, ending);
            let is_forged = dice.below(2) == 0;
            if is_forged {
                forge(&mut game, &mut dice);
            }
            let judged = game.judge(world.chain(), &Native);
            let taken = world.send(world.group(&game.terms), vec![packed(&game, false)]);
            match (&judged, &taken) {
                (Ok(outcome), Ok(recorded)) => {
                    let [recorded] = &recorded[..] else {
                        panic!("{recorded:?}");
                    };
                    let account = |player: Player| game.terms.players.get(player).account();
                    assert_eq!(recorded.game, outcome.number, "game {seed}");
                    assert_eq!(recorded.terms, game.terms);
                    assert_eq!(recorded.moves, game.moves);
                    assert_eq!(recorded.end, outcome.end);
                    assert_eq!(recorded.winner, outcome.winner.map(account));
                    assert_eq!(recorded.at, outcome.at);
                    let of = if is_forged {
                        "recorded, changed"
                    } else {
                        "recorded"
                    };
                    vec![of.to_owned(), format!("{:?}", outcome.end)]
                }
                (Err(judged), Err(RecordsError::Game { place: 0, refused })) => {
                    assert_eq!(judged, refused, "game {seed}");
                    vec![name(*judged)]
                }
                _ => panic!("game {seed}: {judged:?}, and the contract {taken:?}"),
            }
        },
        |names| {
            for name in names {
                *counts.entry(name).or_default() += 1;
            }
        },
    );
    println!("{counts:?}");
    if sequences.are_usual {
        for name in [
            "recorded",
            "Line",
            "Resignation",
            "Agreement",
            "Timeout",
            "NotOver",
            "EndedBefore",
            "NoWitness",
            "NotToMove",
            "BadSignature",
            "BadWitness",
            "TooShort",
        ] {
            assert!(counts.contains_key(name), "no {name} in {counts:?}");
        }
    }
}

/// The name of the refusal, without the player.
fn name(refused: Refused) -> String {
    let name = format!("{refused:?}");
    name.split('(').next().unwrap_or_default().to_owned()
}
