//! Random games of every kind.

use connect4_protocol::signed::{
    self, Chain, Finished, GameNumber, Native, Refused, SessionKey, Terms,
};
use connect4_protocol::{Address, ClockSpec, End, GameId};
use connect4_record::{Block, Board, Fault, Proof, Record, Step, read};
use connect4_rules::variant::{Move, Powers, Variant, VariantSpec};
use connect4_rules::{ByPlayer, Player, Shape, ShapeSpec};
use connect4_testing::dice::Dice;
use connect4_testing::keys::{Wallet, session_key};
use connect4_testing::signed::{CHAIN, SignedPlay};

/// When the terms are made.
pub const NOW: u64 = 1_795_552_697;

/// A board on which a game can be signed.
pub fn shape(dice: &mut Dice) -> Shape {
    loop {
        let spec = ShapeSpec {
            bins: 5 + dice.below(21) as u8,
            capacity: 4 + dice.below(9) as u8,
            line: 3 + dice.below(4) as u8,
        };
        if let Ok(shape) = Shape::try_from(spec) {
            return shape;
        }
    }
}

/// Terms of any variant.
fn terms(dice: &mut Dice) -> Variant {
    let shape = match dice.once_in(3) {
        true => Shape::STANDARD,
        false => shape(dice),
    };
    let players = 2 + dice.below(3) as u8;
    let mut power = || match dice.once_in(3) {
        true => dice.below(10) as u8,
        false => 0,
    };
    let powers = Powers {
        take: power(),
        clear: power(),
        float: power(),
    };
    let spec = VariantSpec {
        shape: shape.into(),
        players,
        pop_out: dice.once_in(2),
        pie_rule: players == 2 && dice.once_in(2),
        powers,
    };
    spec.try_into().expect("terms")
}

/// Takes random steps: at most so many.
pub fn play(record: &mut Record, dice: &mut Dice, most: u64) -> Board {
    for _ in 0..dice.below(most + 1) {
        let board = Board::after(record).expect("legal");
        let position = board.position();
        if position.outcome().is_some() {
            return board;
        }
        if record.is_variant() && dice.once_in(20) {
            let seat = dice.below(u64::from(record.terms.players())) as u8;
            record.steps.push(Step::Left(seat));
            if Board::after(record).is_err() {
                record.steps.pop();
            }
            continue;
        }
        let moves: Vec<Move> = position.legal_moves().collect();
        record.steps.push(Step::Move(dice.one_of(&moves)));
    }
    Board::after(record).expect("legal")
}

fn account(number: u64) -> Address {
    session_key(number).address()
}

/// The end that the rules give; or if there is none, one of these.
fn end(record: &mut Record, dice: &mut Dice, others: &[Option<End>]) {
    for end in End::ALL {
        for winner in [None, Some(0), Some(1), Some(2), Some(3)] {
            (record.end, record.winner) = (Some(end), winner);
            if (end.is_on_the_board() || end == End::LastLeft) && record.check().is_ok() {
                return;
            }
        }
    }
    loop {
        record.end = dice.one_of(others);
        record.winner = match record.end {
            Some(End::Resignation | End::Timeout) => Some(dice.below(2) as u8),
            _ => None,
        };
        if record.check().is_ok() {
            return;
        }
    }
}

/// Key of the witness of signed games.
fn witness() -> SessionKey {
    session_key(999)
}

/// A signed game that has ended.
pub fn signed(dice: &mut Dice, number: u32) -> Finished {
    loop {
        let wallet = |player: Player| match dice.once_in(2) {
            true => Wallet::Guest,
            false => Wallet::Ethereum(session_key(500 + 2 * u64::from(number) + player as u64)),
        };
        let wallets = ByPlayer::from_fn(wallet);
        let terms = Terms {
            pie_rule: dice.once_in(2),
            clock: dice.once_in(2).then_some(ClockSpec {
                bank: 1 + dice.below(1000) as u32,
                increment: dice.below(10) as u32,
            }),
            witness: (!dice.once_in(3)).then(|| witness().address()),
            pool: dice.below(3) as u16,
            programs: ByPlayer::from_fn(|_| dice.once_in(3)),
            event: dice.once_in(3).then_some([0xee; 32]),
            previous: dice.once_in(3).then_some(GameNumber([0x11; 32])),
            time: NOW + dice.below(1000),
            nonce: number,
            ..Terms::on(shape(dice))
        };
        let play_on = SignedPlay::by_wallets(CHAIN, terms, u64::from(number), &wallets);
        let rules = VariantSpec {
            pie_rule: terms.pie_rule,
            ..VariantSpec::classic(Shape::try_from(terms.shape).expect("in bounds"))
        };
        let mut record = Record::new(rules.try_into().expect("terms"));
        record.game = Some(play_on.number.into());
        play(&mut record, dice, 60);
        let bins: Vec<u8> = record.moves().map(bin_of).collect();
        let ending = dice.one_of(&[
            signed::Ending::Board,
            signed::Ending::Resignation(Player::One),
            signed::Ending::Resignation(Player::Two),
            signed::Ending::Draw,
            signed::Ending::Lapse(Player::One),
            signed::Ending::Lapse(Player::Two),
        ]);
        let at = (terms.time + 5000) * 1000 + dice.below(1000);
        let finished = play_on.finished(&bins, ending, &witness(), at);
        if finished.judge(CHAIN, &Native).is_ok() {
            return finished;
        }
    }
}

/// The number by which a drop or a swap is signed.
const fn bin_of(step: Move) -> u8 {
    match step {
        Move::Drop(bin) => bin.index(),
        _ => 255,
    }
}

fn on_chain(record: &mut Record, game: GameId, dice: &mut Dice) {
    record.game = Some(game.into());
    record.chain = Some(CHAIN.id);
    record.genesis = Some([0x9e; 32]);
    record.contract = Some(Address([0xcc; 20]));
    record.time = Some(NOW + dice.below(100_000));
    let block = |number| Block {
        number,
        hash: [number as u8; 32],
    };
    record.started = Some(block(dice.below(1000) as u32));
    record.ended = dice.once_in(2).then(|| block(dice.below(1000) as u32));
}

/// A game whose only evidence is on a chain.
fn of_chain(dice: &mut Dice) -> Record {
    let is_variant = dice.once_in(2);
    let terms = match is_variant {
        true => terms(dice),
        false => Variant::classic(shape(dice)),
    };
    let mut record = Record::new(terms);
    let number = dice.below(1000) as u32;
    let id = match is_variant {
        true => GameId::Variant(number),
        false => GameId::Classic(number),
    };
    on_chain(&mut record, id, dice);
    record.players = (1..).map(account).take(terms.players().into()).collect();
    record.limit = (is_variant && dice.once_in(2)).then_some(60);
    play(&mut record, dice, 120);
    let others: &[_] = match is_variant {
        true => &[None, Some(End::Abandoned)],
        false => &[None, Some(End::Resignation)],
    };
    end(&mut record, dice, others);
    record
}

/// A game of no chain, with comments and tags of another program.
fn of_nobody(dice: &mut Dice) -> Record {
    let mut record = Record::new(terms(dice));
    play(&mut record, dice, 120);
    end(&mut record, dice, &[None]);
    let texts = [
        "",
        "a \"quoted\" \\ word",
        "übrig",
        "[Terms",
        "1-0 *",
        "q1 {",
    ];
    for _ in 0..dice.below(4) {
        let place = dice.below(record.steps.len() as u64 + 1) as usize;
        record.comments.push((place, dice.one_of(&texts).into()));
    }
    record.comments.sort_by_key(|(place, _)| *place);
    for name in ["White", "Round", "Name1"] {
        if dice.once_in(2) {
            record.other.push((name.into(), dice.one_of(&texts).into()));
        }
    }
    record
}

/// A game of any kind.
pub fn any(dice: &mut Dice, number: u32) -> Record {
    match dice.below(4) {
        0 | 1 => Record::of_finished(&signed(dice, number), CHAIN, &Native).expect("a game"),
        2 => of_chain(dice),
        _ => of_nobody(dice),
    }
}

#[test]
fn records_of_every_kind_read_back_and_prove_what_they_proved() {
    let (mut all, mut games) = (String::new(), Vec::new());
    let mut proofs = [0; 2];
    for seed in 0..200 {
        let dice = &mut Dice(seed);
        let record = any(dice, seed as u32);
        let text = record.to_string();
        let found = read(&text).next().expect("a game");
        let found = found.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        assert_eq!(found.record, record, "{seed}:\n{text}");
        let proof = record.prove(&Native).expect("it is proven");
        proofs[match proof {
            Proof::Ended { number, .. } => {
                assert_eq!(record.game, Some(number.into()));
                0
            }
            Proof::Nothing => 1,
        }] += 1;
        assert!(text.lines().all(|line| line.len() <= 300), "{text}");
        all.push_str(&text);
        // With the line ends of other systems, too.
        all.push_str(if dice.once_in(2) { "\r\n" } else { "\n\n" });
        games.push(record);
    }
    assert!(proofs.iter().all(|count| *count > 20), "{proofs:?}");
    let found: Vec<Record> = read(&all.replace('\n', "\r\n"))
        .map(|found| found.expect("a game").record)
        .collect();
    assert_eq!(found, games);
}

/// A game by signed terms, which an earlier version has written.
pub const BY_TERMS: &str = "\
[Connect4 \"1\"]
[Game \"0xb8fff14cba4b1cf1a2d107d2b028cc94ee80886b8e26c538bdd62d67c452d110\"]
[Chain \"420420421\"]
[Contract \"0xcccccccccccccccccccccccccccccccccccccccc\"]
[Player1 \"0xf29d73a04cb51167926d5735dae3e00bfe25fafc\"]
[Player2 \"0xa065797e9fc0e9ba929daa05e2419986725ebc7a\"]
[Terms \"13x4, line 3\"]
[Time \"2026-11-24T20:45:54Z\"]
[Pool \"2\"]
[Nonce \"21\"]
[End \"by resignation\"]
[Key1 \"0xb08e010b93df2756a2a9ee8026c6234fdf4f4413\"]
[Key2 \"0x000a0d04a1eeb98f308c62754b486a971b43ae84\"]
[Session1 \"until 1795553754 ethereum 0x0acb7f45f4309c26e357c941bacc21970e6090b22065aef33467371fa1d8db0573dc398af3c3f5266fd543a144430f059058c66eb3b9cfd7343a36774ec33db81b\"]
[Session2 \"until 1795553754 ethereum 0x69cdb866036160d6a96aebf69fa1593296268337ed8c28082bb480860617dc80751cecb4e7071f525eb8ac1cade65593c78ec3f187495cce9f8b708f2167b7e01c\"]
[Signed \"resignation 2\"]
[Signature1 \"0x2b993452352f30dc7c0ad193c0617f0432d69955b0075cf5e50c576a34ab9ead30f3b8c356206269d046c846b00e52f58a1e48e537cbff525f2045dcfb6bbfde1b\"]
[Signature2 \"0x53b348892fc2078bb69caf6e18911fe9fc28d3294ed223b5935f882ab595d6455839dd31dedbe83d609e6e31f4ff683011bcd50efbf3859cf1a006de060c5e611c\"]

8 4 3 3 3 3 (12) 2 1 (12) 1-0
";

/// A fast game, which an earlier version has written. Player one has resigned at a line of its own.
pub const FAST: &str = "\
[Connect4 \"1\"]
[Game \"f3\"]
[Chain \"420420421\"]
[Genesis \"0x9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e9e\"]
[Player1 \"0xd7eeaa982d87dd89e4de3cb2ad9d6c135c91b607\"]
[Player2 \"0x403cacd0341de103e3987cd72585730663aefc9d\"]
[Terms \"7x6, line 4, pie rule\"]
[Clock \"300 s + 5 s a move\"]
[End \"by resignation\"]
[Key1 \"0x6203f23db6e398cc95fa0bed61c26024ab83ed4f\"]
[Key2 \"0x70bef51df789d460ef3285e03e23d0d2ee3099c5\"]
[Statements \"1\"]
[Signed \"resignation 1\"]
[Signature1 \"0x2d2e7043e17b822882f99d4a17b3fd356a019d8ec3797fd48cb67c62e4d380b652e1753b0495a8c0812bbee62c7cd513c07c33557a2e8b19104f896ee9cb1a811c\"]

4 3 4 3 4 3 4 0-1
";

/// Their tags, moves and results stay; what was signed of them is not looked at.
#[test]
fn games_of_earlier_versions_are_read_without_what_was_signed() {
    for (text, name, winner) in [
        (
            BY_TERMS,
            "0xb8fff14cba4b1cf1a2d107d2b028cc94ee80886b8e26c538bdd62d67c452d110",
            0,
        ),
        (FAST, "f3", 1),
    ] {
        let one = |text: &str| {
            let found = read(text).next().expect("a game");
            found.expect("it reads").record
        };
        let record = one(text);
        assert_eq!(record.earlier.as_deref(), Some(name));
        assert_eq!((record.game, record.signed_game), (None, None));
        assert_eq!(record.end, Some(End::Resignation));
        assert_eq!(record.winner, Some(winner));
        assert_eq!(record.prove(&Native), Ok(Proof::Nothing));
        // Neither is it written again.
        let is_signed = |line: &&str| {
            let tags = ["[Key", "[Session", "[Statements", "[Signed", "[Signature"];
            tags.iter().any(|tag| line.starts_with(tag))
        };
        let lines = text.split_inclusive('\n');
        let without: String = lines.filter(|line| !is_signed(line)).collect();
        assert_eq!(record.to_string(), without);
        assert_eq!(one(&without), record);
        assert!(record.facts().contains(&"Game".to_owned()));
        // A wrong signature makes no difference, and a move that is not legal does.
        assert_eq!(
            one(&text.replacen("[Signature1 \"0x", "[Signature1 \"", 1)),
            record
        );
        assert!(read(&text.replacen("\n\n", "\n\n(14) ", 1)).all(|read| read.is_err()));
    }
}

/// Whatever ends a signed game: its text has all that shows it.
#[test]
fn a_signed_game_comes_back_as_it_is_judged() {
    let mut ends = Vec::new();
    for seed in 0..200 {
        let finished = signed(&mut Dice(seed), seed as u32);
        let outcome = finished.judge(CHAIN, &Native).expect("it has ended");
        let record = Record::of_finished(&finished, CHAIN, &Native).expect("a game");
        let text = record.to_string();
        assert!(text.starts_with("[Connect4 \"2\"]\n"), "{text}");
        let read = read(&text)
            .next()
            .expect("a game")
            .expect("it reads")
            .record;
        assert_eq!(read, record, "{seed}");
        assert_eq!(read.finished(), Some((CHAIN, finished)), "{seed}: {text}");
        let proof = read.prove(&Native);
        assert_eq!(
            proof,
            Ok(Proof::Ended {
                number: outcome.number,
                keys: finished.terms.players.map(|party| party.key()),
                witness: finished.terms.witness,
            })
        );
        ends.push((outcome.end, finished.terms.witness.is_some()));
        // Nothing is proven on another chain, or without what is signed.
        let elsewhere = Chain {
            genesis: [1; 32],
            ..CHAIN
        };
        let refused = Record::of_finished(&finished, elsewhere, &Native);
        assert!(matches!(
            refused,
            Err(Fault::NotShown(Refused::BadSignature(_)))
        ));
    }
    for end in [End::Line, End::FullBoard, End::Resignation, End::Agreement] {
        for is_witnessed in [true, false] {
            let is_there = ends.contains(&(end, is_witnessed));
            assert!(is_there || end == End::FullBoard, "{end} {is_witnessed}");
        }
    }
    assert!(ends.contains(&(End::Timeout, true)));
}

/// What a chain alone tells of a signed game.
#[test]
fn a_signed_game_without_what_is_signed_is_one_of_a_chain() {
    for seed in 0..20 {
        let finished = signed(&mut Dice(seed), seed as u32);
        let mut record = Record::of_finished(&finished, CHAIN, &Native).expect("a game");
        let game = record.signed_game.as_mut().expect("a signed one");
        game.evidence = None;
        let text = record.to_string();
        let read = read(&text)
            .next()
            .expect("a game")
            .expect("it reads")
            .record;
        assert_eq!(read, record, "{text}");
        assert_eq!(read.prove(&Native), Ok(Proof::Nothing));
        assert_eq!(read.finished(), None);
        // Its terms have to be those of its number.
        let mut other = record;
        other.nonce = Some(77);
        assert!(matches!(
            other.prove(&Native),
            Err(Fault::OtherNumber { .. })
        ));
    }
}

#[test]
fn every_byte_of_what_is_signed_counts() {
    let mut tried = 0;
    for seed in 0..8 {
        let dice = &mut Dice(seed);
        let finished = signed(dice, seed as u32);
        let record = Record::of_finished(&finished, CHAIN, &Native).expect("a game");
        let text = record.to_string();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            for (place, byte) in line.bytes().enumerate() {
                for other in [byte ^ 1, byte ^ 2, byte ^ 0x20, b'0', b' '] {
                    let is_space = byte.is_ascii_whitespace() && other.is_ascii_whitespace();
                    if other == byte || is_space || !other.is_ascii() {
                        continue;
                    }
                    let mut changed = text.clone().into_bytes();
                    changed[at + place] = other;
                    let changed = String::from_utf8(changed).expect("text");
                    tried += 1;
                    let judged = judged(&changed);
                    assert!(
                        judged.is_err() || judged == Ok(record.clone()),
                        "{seed}: {changed}"
                    );
                }
            }
            at += line.len();
        }
    }
    assert!(tried > 16_000, "{tried}");
}

/// The game of a text, if it is proven.
fn judged(text: &str) -> Result<Record, Fault> {
    let found = read(text).next().ok_or(Fault::NoVersion)?;
    let record = found.map_err(|error| error.fault)?.record;
    match record.prove(&Native)? {
        Proof::Nothing => Err(Fault::Missing("Signature1")),
        _ => Ok(record),
    }
}
