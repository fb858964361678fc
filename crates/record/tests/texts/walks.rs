//! Random games of every kind.

use connect4_protocol::fast::{
    Domain, Ending, GameNumber, Native, RecordedGame, SessionKey, Signature, Statement,
    StatementVersion,
};
use connect4_protocol::signed::{self, Chain, Finished, Refused, Terms};
use connect4_protocol::{Address, ClockSpec, End, GameId, GameName};
use connect4_record::{Block, Board, Fault, Proof, Record, Signed, Step, read};
use connect4_rules::variant::{Move, Powers, Variant, VariantSpec};
use connect4_rules::{ByPlayer, Player, Shape, ShapeSpec};
use connect4_testing::dice::Dice;
use connect4_testing::fast::{TermsPlay, Wallet, session_key};
use connect4_testing::signed::{CHAIN, SignedPlay};

/// Chain and contract for which these games are signed.
pub const DOMAIN: Domain = Domain::new(420_420_421, Address([0xcc; 20]));
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

/// A game by signed terms.
pub fn by_terms(dice: &mut Dice, nonce: u32) -> RecordedGame {
    loop {
        let wallet = |player: Player| match dice.once_in(2) {
            true => Wallet::Guest,
            false => Wallet::Ethereum(session_key(500 + 2 * u64::from(nonce) + player as u64)),
        };
        let wallets = ByPlayer::from_fn(wallet);
        let mut play_on = TermsPlay::new(DOMAIN, NOW + dice.below(1000), nonce, wallets);
        let terms = &mut play_on.terms;
        terms.shape = shape(dice).into();
        terms.pie_rule = dice.once_in(2);
        terms.pool = dice.below(3) as u16;
        terms.programs = ByPlayer::from_fn(|_| dice.once_in(3));
        terms.clock = dice.once_in(2).then_some(ClockSpec {
            bank: 1 + dice.below(1000) as u32,
            increment: dice.below(10) as u32,
        });
        let shape = Shape::try_from(terms.shape).expect("in bounds");
        let rules = VariantSpec {
            pie_rule: terms.pie_rule,
            ..VariantSpec::classic(shape)
        };
        let mut record = Record::new(rules.try_into().expect("terms"));
        record.game = Some(GameName::Terms(GameNumber([1; 32])));
        play(&mut record, dice, 60);
        let bins: Vec<u8> = record.moves().map(bin_of).collect();
        let ending = dice.one_of(&[
            None,
            Some(Ending::Resignation(Player::One)),
            Some(Ending::Resignation(Player::Two)),
            Some(Ending::Draw {
                until: Ending::FOR_GOOD,
            }),
        ]);
        let recorded = play_on.recorded(&bins, ending);
        if recorded.check(&DOMAIN, &Native, play_on.terms.time).is_ok() {
            return recorded;
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

/// Keys of the players of a fast game.
fn keys() -> ByPlayer<SessionKey> {
    ByPlayer {
        one: session_key(71),
        two: session_key(72),
    }
}

/// A fast game that began on the chain, with what its players have signed.
pub fn fast(dice: &mut Dice) -> Record {
    let keys = keys();
    loop {
        let mut record = Record::new(Variant::classic(shape(dice)));
        on_chain(&mut record, GameId::Fast(3), dice);
        record.players = vec![account(1), account(2)];
        play(&mut record, dice, 60);
        let ending = dice.one_of(&[
            None,
            Some(Ending::Resignation(Player::One)),
            Some(Ending::Resignation(Player::Two)),
            Some(Ending::Draw { until: NOW }),
        ]);
        let mut signed = Signed {
            keys: ByPlayer::from_fn(|player| keys.get(player).address()),
            sessions: ByPlayer::default(),
            version: dice.one_of(&[StatementVersion::One, StatementVersion::Two]),
            ending,
            signatures: ByPlayer::from_fn(|_| Signature::NONE),
        };
        sign(&mut record, &mut signed, &keys);
        end(
            &mut record,
            dice,
            &[Some(End::Resignation), Some(End::Agreement), None],
        );
        if record.prove(&Native).is_ok() {
            return record;
        }
    }
}

fn sign(record: &mut Record, signed: &mut Signed, keys: &ByPlayer<SessionKey>) {
    use connect4_protocol::fast::{Evidence, Moves};
    let bins: Vec<u8> = record
        .moves()
        .filter_map(|step| match step {
            Move::Drop(bin) => Some(bin.index()),
            _ => None,
        })
        .collect();
    let evidence = Evidence {
        ending: signed.ending,
        moves: Moves::from_bins(&bins).expect("few moves"),
        ..Evidence::start()
    };
    record.signed = Some(*signed);
    let domain = record.domain().expect("a domain");
    for player in Player::ALL {
        let statement: Option<Statement<'_>> =
            evidence.statement_of(player, GameId::Fast(3).number());
        if let Some(statement) = statement {
            let digest = statement.digest(&domain, &Native);
            signed.signatures[player] = keys.get(player).sign(&digest);
        }
    }
    record.signed = Some(*signed);
}

fn on_chain(record: &mut Record, game: GameId, dice: &mut Dice) {
    record.game = Some(game.into());
    record.chain = Some(DOMAIN.chain_id);
    record.genesis = Some([0x9e; 32]);
    record.contract = Some(DOMAIN.contract);
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
        false => dice.one_of(&[GameId::Classic(number), GameId::Fast(number)]),
    };
    on_chain(&mut record, id, dice);
    record.players = (1..).map(account).take(terms.players().into()).collect();
    if is_variant {
        record.limit = dice.once_in(2).then_some(60);
    } else {
        record.stake = dice.once_in(2).then_some(u128::MAX / 2);
        record.clock = dice.once_in(2).then_some(ClockSpec {
            bank: 300,
            increment: 0,
        });
    }
    play(&mut record, dice, 120);
    let others: &[_] = match is_variant {
        true => &[None, Some(End::Abandoned)],
        false => &[
            None,
            Some(End::Resignation),
            Some(End::Agreement),
            Some(End::Timeout),
            Some(End::Abort),
        ],
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
    match dice.below(6) {
        5 => Record::of_finished(&signed(dice, number), CHAIN, &Native).expect("a game"),
        0 | 1 => Record::of_recorded(&by_terms(dice, number), &DOMAIN, &Native).expect("a game"),
        2 => fast(dice),
        3 => of_chain(dice),
        _ => of_nobody(dice),
    }
}

#[test]
fn records_of_every_kind_read_back_and_prove_what_they_proved() {
    let (mut all, mut games) = (String::new(), Vec::new());
    let mut proofs = [0; 4];
    for seed in 0..200 {
        let dice = &mut Dice(seed);
        let record = any(dice, seed as u32);
        let text = record.to_string();
        let found = read(&text).next().expect("a game");
        let found = found.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        assert_eq!(found.record, record, "{seed}:\n{text}");
        let proof = record.prove(&Native).expect("it is proven");
        proofs[match proof {
            Proof::Signed { number, .. } => {
                assert_eq!(record.game, Some(number.into()));
                0
            }
            Proof::Ended { number, .. } => {
                assert_eq!(record.game, Some(number.into()));
                3
            }
            Proof::Keys { .. } => 1,
            Proof::Nothing => 2,
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

#[test]
fn a_game_by_terms_comes_back_as_it_is_recorded() {
    for seed in 0..60 {
        let recorded = by_terms(&mut Dice(seed), seed as u32);
        let record = Record::of_recorded(&recorded, &DOMAIN, &Native).expect("a game");
        let played = record.played().expect("by terms");
        assert_eq!(RecordedGame::of(&played), Some(recorded));
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
        let record = match seed {
            0..3 => {
                Record::of_recorded(&by_terms(dice, seed as u32), &DOMAIN, &Native).expect("a game")
            }
            3 => fast(dice),
            _ => Record::of_finished(&signed(dice, seed as u32), CHAIN, &Native).expect("a game"),
        };
        let text = record.to_string();
        // Of a game that began on a chain, that alone knows all but the moves.
        let of_chain = [
            "[Genesis", "[Started", "[Ended", "[Player", "[Terms", "[Clock", "[Time",
        ];
        let is_free = |line: &str| seed == 3 && of_chain.iter().any(|tag| line.starts_with(tag));
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
                    if judged.is_ok_and(|found| found != record) {
                        assert!(is_free(line), "{seed}: {changed}");
                    }
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
        Proof::Nothing => Err(Fault::Missing("Signed")),
        _ => Ok(record),
    }
}
