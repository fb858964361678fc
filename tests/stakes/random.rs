//! Random calls at the contract and at the model, which have to agree after each.

use std::collections::{BTreeMap, BTreeSet};

use codec::Encode;
use connect4_chain::Report;
use connect4_protocol::signed::event::{Credited, Funded, Refunded, Withdrawn};
use connect4_protocol::signed::message::{
    Advance, ClaimTimeout, Drop, Free, Fund, Press, Refund, Resign, Withdraw, WithdrawTo,
};
use connect4_protocol::signed::{Refused, Signature, SignedEnd, StakesError, StakesEvent, Terms};
use connect4_protocol::{ClockSpec, Error};
use connect4_rules::{Player, ShapeSpec};
use connect4_testing::Account::{self, Alice, Bob, Charlie, Dave, Eve};
use connect4_testing::dice::Dice;
use connect4_testing::local::RATIO;
use connect4_testing::sequences::Sequences;
use connect4_testing::{ContractCall, Input, Limits, PEOPLE, Refusal, Story, address, who};

use crate::model::{Answer, Call, Model, agree, position, to_move};
use crate::world::{Play, STAKE, World, common};

const DAY: u64 = 24 * 60 * 60;
/// Three in a line win: short games.
const QUICK: ShapeSpec = ShapeSpec {
    bins: 5,
    capacity: 4,
    line: 3,
};

const FULL: ShapeSpec = ShapeSpec { line: 4, ..QUICK };

/// What has to occur in a usual run: the documented refusals of each message.
fn expected() -> BTreeSet<(&'static str, String)> {
    use Error::*;
    use StakesError::{AlreadyPaid, Begun, NoStake, NotBegun, OtherBoard, StakeUnpaid};
    let common = |errors: &[Error]| errors.iter().map(|error| common(*error)).collect();
    let with = |own: &[StakesError], errors: &[Error]| {
        let mut all: Vec<StakesError> = common(errors);
        all.extend(own);
        all
    };
    let terms = StakesError::Terms(Refused::ShortClock);
    let fund = [terms, NoStake, Begun, AlreadyPaid, StakeUnpaid];
    let lists = [
        ("fund", with(&fund, &[TermsExpired, NotAPlayer])),
        ("refund", with(&[Begun], &[NoSuchGame, NotPayer])),
        (
            "drop_disc",
            with(
                &[NotBegun, OtherBoard],
                &[
                    NoSuchGame,
                    GameOver,
                    NotAPlayer,
                    NotYourTurn,
                    OutOfTime,
                    NoSuchBin,
                    BinFull,
                ],
            ),
        ),
        (
            "advance",
            with(
                &[NotBegun],
                &[
                    NoSuchGame,
                    GameOver,
                    NotNewer,
                    OutOfTime,
                    NoOffer,
                    BadSignature,
                    NoSuchBin,
                    NotAPlayer,
                    YourTurn,
                    // That a clock runs is no refusal here: what is newer stops it.
                ],
            ),
        ),
        (
            "press",
            with(
                &[NotBegun],
                &[NoSuchGame, GameOver, NotAPlayer, YourTurn, ClockRuns],
            ),
        ),
        (
            "resign",
            with(&[NotBegun], &[NoSuchGame, GameOver, NotAPlayer]),
        ),
        (
            "claim_timeout",
            with(&[NotBegun], &[NoSuchGame, GameOver, NoClock, TimeLeft]),
        ),
        ("withdraw", with(&[], &[NothingToWithdraw])),
        ("withdraw_to", with(&[], &[NothingToWithdraw])),
        (
            "free",
            with(&[], &[NoSuchGame, GameNotOver, NotPayer, TermsStand]),
        ),
    ];
    let named = lists.into_iter().flat_map(|(name, errors)| {
        let errors = errors.into_iter().map(|error| format!("{error:?}"));
        errors
            .chain(["done".to_owned()])
            .map(move |error| (name, error))
    });
    named.collect()
}

/// What an account has been given and has paid, by the events alone.
#[derive(Default)]
struct Ledger {
    owed: BTreeMap<Account, i128>,
    held: i128,
}

impl Ledger {
    fn read(&mut self, events: &[StakesEvent]) {
        for event in events {
            match event {
                StakesEvent::Funded(Funded {
                    by, paid, terms, ..
                }) => {
                    let by = who(terms.players.get(*by).account());
                    *self.owed.entry(by).or_default() += *paid as i128 - terms.stake as i128;
                    self.held += *paid as i128;
                }
                StakesEvent::Credited(Credited { account, amount }) => {
                    *self.owed.entry(who(*account)).or_default() += *amount as i128;
                }
                StakesEvent::Withdrawn(Withdrawn {
                    account, amount, ..
                }) => {
                    *self.owed.entry(who(*account)).or_default() -= *amount as i128;
                    self.held -= *amount as i128;
                }
                StakesEvent::Refunded(Refunded { amount, .. }) => self.held -= *amount as i128,
                StakesEvent::Advanced(_)
                | StakesEvent::DeadlineSet(_)
                | StakesEvent::DiscDropped(_)
                | StakesEvent::GameEnded(_)
                | StakesEvent::GameFreed(_) => {}
            }
        }
    }
}

/// The contract and the model side by side.
struct Table<'a> {
    world: &'a World,
    model: Model,
    plays: Vec<Play>,
    terms: Vec<Terms>,
    ledger: Ledger,
    seen: BTreeSet<(&'static str, String)>,
    story: Story,
}

impl<'a> Table<'a> {
    fn new(world: &'a World, seed: u64) -> Self {
        let people = [
            [Alice, Bob],
            [Bob, Alice],
            [Alice, Charlie],
            [Charlie, Bob],
            [Bob, Alice],
            [Alice, Bob],
            [Charlie, Alice],
            [Alice, Bob],
        ];
        let plays = people.iter().zip(1..).map(|(players, nonce)| {
            let mut play = world.play_of(*players, nonce);
            // In the last two games columns are filled.
            play.terms.shape = match nonce {
                7.. => FULL,
                _ => QUICK,
            };
            play.terms.stake = STAKE * u128::from(nonce % 3 + 1) / 2;
            match nonce {
                4 => play.terms.time += 900,
                5 => play.terms.stake = 0,
                6 => {
                    play.terms.clock = Some(ClockSpec {
                        bank: 299,
                        increment: 0,
                    });
                }
                _ => {}
            }
            play
        });
        let plays: Vec<Play> = plays.collect();
        Self {
            world,
            model: Model {
                now: world.now(),
                ..Model::default()
            },
            terms: plays.iter().map(|play| play.terms).collect(),
            plays,
            ledger: Ledger::default(),
            seen: BTreeSet::new(),
            story: Story::new(seed),
        }
    }

    fn input(&self, call: &Call) -> Input {
        let number = |game: usize| self.plays[game].number();
        match *call {
            Call::Fund(game, _) => Fund {
                terms: self.terms[game],
            }
            .into(),
            Call::Refund(game) => Refund { game: number(game) }.into(),
            Call::Drop { game, ref on, bin } => {
                let position = position(&self.terms[game], on).expect("it was there");
                Drop {
                    game: number(game),
                    board: *position.board(),
                    bin,
                }
                .into()
            }
            Call::Advance {
                game,
                press,
                ref moves,
                end,
                is_forged,
            } => {
                let mut evidence = self.plays[game].evidence(moves, end);
                if is_forged {
                    let by = to_move(moves.len() + 1);
                    evidence.signatures[by] = Signature::NONE;
                }
                Advance {
                    game: number(game),
                    press,
                    evidence,
                }
                .into()
            }
            Call::Press(game) => Press { game: number(game) }.into(),
            Call::Resign(game) => Resign { game: number(game) }.into(),
            Call::Claim(game) => ClaimTimeout { game: number(game) }.into(),
            Call::Withdraw => Withdraw {}.into(),
            Call::WithdrawTo(to) => WithdrawTo {
                receiver: address(to),
            }
            .into(),
            Call::Free(game) => Free { game: number(game) }.into(),
        }
    }

    fn wait(&mut self, seconds: u64) {
        self.world.wait(seconds);
        self.model.now += seconds;
        self.story.tell(format_args!("      {seconds} s go by"));
    }

    fn purses(&self) -> [i128; PEOPLE.len()] {
        PEOPLE.map(|who| self.world.balance(address(who)) as i128)
    }

    fn call(&mut self, who: Account, call: &Call) {
        let expected = self.model.call(who, call, &self.terms);
        self.story
            .tell(format_args!("{who} {call:?}: {expected:?}"));
        let paid = match call {
            Call::Fund(_, paid) => *paid,
            _ => 0,
        };
        let input = self.input(call);
        let name = input.name;
        let message = ContractCall::new(who, self.world.stakes, input).paying(paid / RATIO);
        let output = self.world.local.dry_run(&message).output_or();
        let bytes = |answer: &Answer| match answer {
            Answer::Nothing => encoded(()),
            Answer::Amount(amount) => encoded(amount),
            Answer::Deadline(deadline) => encoded(deadline),
            Answer::Dropped(dropped) => encoded(dropped),
        };
        let told = expected.as_ref().map(bytes);
        assert_eq!(
            output,
            told.map_err(|error| Refusal::Because(*error)),
            "the contract answers as the model does: {expected:?}"
        );
        let answer = match &expected {
            Ok(_) => "done".to_owned(),
            Err(error) => format!("{error:?}"),
        };
        self.seen.insert((name, answer));
        let before = self.purses();
        let report = self.world.local.send(&message, Limits::AMPLE);
        assert_eq!(report.outcome.is_ok(), expected.is_ok(), "{report:?}");
        self.ledger.read(&self.world.events(&report));
        self.compare_purses(who, call, paid, &expected, before, &report);
        self.compare(call);
    }

    /// The caller pays, the receiver is paid, and no other balance changes.
    fn compare_purses(
        &self,
        who: Account,
        call: &Call,
        paid: u128,
        expected: &Result<Answer, StakesError>,
        before: [i128; PEOPLE.len()],
        report: &Report,
    ) {
        let costs = (report.fee as i128 + report.deposit) * RATIO as i128;
        let (paid, got) = match expected {
            Err(_) => (0, 0),
            Ok(Answer::Amount(amount)) => (0, *amount as i128),
            Ok(_) => (paid as i128, 0),
        };
        let receiver = match call {
            Call::WithdrawTo(to) => *to,
            _ => who,
        };
        for ((person, before), after) in PEOPLE.into_iter().zip(before).zip(self.purses()) {
            let mut change = 0;
            if person == who {
                change -= paid + costs;
            }
            if person == receiver {
                change += got;
            }
            assert_eq!(after - before, change, "balance of {person}");
        }
    }

    /// Compares what the call was about, what everybody is owed, and what the contract holds.
    fn compare(&self, call: &Call) {
        let held = self.world.balance(self.world.stakes);
        assert_eq!(held, self.model.funds(), "balance of the contract");
        assert_eq!(self.ledger.held, held as i128, "by the events");
        for person in [Alice, Bob, Charlie] {
            let owed = self.model.owed(person);
            assert_eq!(self.world.owed(person), owed, "what {person} is owed");
            let told = self.ledger.owed.get(&person).copied().unwrap_or_default();
            assert_eq!(told, owed as i128, "what {person} is owed, by the events");
        }
        match *call {
            Call::Fund(game, _)
            | Call::Refund(game)
            | Call::Drop { game, .. }
            | Call::Advance { game, .. }
            | Call::Press(game)
            | Call::Resign(game)
            | Call::Claim(game)
            | Call::Free(game) => self.compare_game(game),
            Call::Withdraw | Call::WithdrawTo(_) => {}
        }
    }

    fn compare_game(&self, number: usize) {
        let stored = self.world.stored(&self.plays[number]);
        match self.model.games.get(&number) {
            None => assert_eq!(stored, Err(common(Error::NoSuchGame))),
            Some(game) => agree(&stored.expect("it is there"), game),
        }
    }

    /// Ends every game, pays everybody, and frees all storage.
    fn clear(&mut self) {
        for (number, game) in self.model.games.clone() {
            if !game.begun {
                self.call(game.first, &Call::Refund(number));
            } else if !game.is_final() {
                let one = self.terms[number].players.one.account();
                self.call(who(one), &Call::Resign(number));
            }
        }
        for person in [Alice, Bob, Charlie] {
            self.call(person, &Call::Withdraw);
        }
        assert_eq!(self.model.funds(), 0, "everything is paid out");
        self.wait(2 * DAY);
        for (number, game) in self.model.games.clone() {
            self.call(game.first, &Call::Free(number));
        }
        assert!(self.model.games.is_empty());
        for number in 0..self.plays.len() {
            self.compare_game(number);
        }
    }
}

fn encoded(answer: impl Encode) -> Vec<u8> {
    Ok::<Result<_, ()>, ()>(Ok(answer)).encode()
}

/// Moves that go on from those of the chain, or from a few before; legal ones, mostly.
fn moves(dice: &mut Dice, table: &Table, number: usize) -> Vec<u8> {
    let known = table.model.games.get(&number);
    let mut moves = known.map(|game| game.moves.clone()).unwrap_or_default();
    let back = dice.below(3) as usize;
    moves.truncate(moves.len().saturating_sub(back));
    for _ in 0..dice.below(5) {
        let place = position(&table.terms[number], &moves).expect("legal so far");
        if place.outcome().is_some() {
            break;
        }
        let bin = dice.below(5) as u8;
        let next = [&moves[..], &[bin]].concat();
        if position(&table.terms[number], &next).is_ok() {
            moves = next;
        }
    }
    if dice.once_in(25) {
        moves.push(9);
    }
    moves
}

fn call(dice: &mut Dice, table: &Table) -> (Account, Call) {
    // Mostly games that go on.
    let last = table.plays.len() - 1;
    let game = match dice.below(4) {
        // It takes many discs.
        0 => last,
        _ => dice.below(last as u64) as usize,
    };
    let terms = &table.terms[game];
    let accounts = [terms.players.one, terms.players.two].map(|party| who(party.account()));
    let caller = match dice.below(8) {
        0 => Eve,
        1..4 => accounts[0],
        _ => accounts[1],
    };
    let stored = table.model.games.get(&game);
    if dice.once_in(9) {
        let caller = dice.one_of(&[Alice, Bob, Charlie]);
        let call = match dice.below(3) {
            0 => Call::Withdraw,
            1 => Call::WithdrawTo(Dave),
            _ => Call::Free(game),
        };
        return (caller, call);
    }
    let is_begun = stored.is_some_and(|game| game.begun);
    if (!is_begun && !dice.once_in(4)) || dice.once_in(40) {
        let stake = terms.stake;
        let paid = dice.one_of(&[stake, stake, stake, 0, stake / 2, 2 * stake]);
        return (caller, Call::Fund(game, paid));
    }
    // One column is filled where a line is long.
    if let Some(known) = stored.filter(|_| terms.shape == FULL && dice.below(3) > 0) {
        let mover = accounts[to_move(known.moves.len()) as usize];
        let bin = dice.one_of(&[0, 0, 0, 0, 0, 1, 5]);
        let on = known.moves.clone();
        return (mover, Call::Drop { game, on, bin });
    }
    let end = |dice: &mut Dice| match dice.below(6) {
        0 => Some(SignedEnd::Resignation(dice.one_of(&Player::ALL))),
        1 => Some(SignedEnd::Draw {
            until: dice.one_of(&[
                table.model.now + 100,
                table.model.now,
                table.model.now - 1,
                u64::MAX,
            ]),
        }),
        _ => None,
    };
    let call = match dice.below(20) {
        0..8 => {
            let mut on = stored.map(|game| game.moves.clone()).unwrap_or_default();
            // Some come late.
            if dice.once_in(6) {
                on.truncate(on.len().saturating_sub(2));
            }
            Call::Drop {
                game,
                on,
                bin: dice.below(6) as u8,
            }
        }
        8..13 => {
            let moves = moves(dice, table, game);
            // Of an empty list nobody signs anything.
            let is_forged = !moves.is_empty() && dice.once_in(6);
            Call::Advance {
                game,
                press: dice.once_in(3),
                moves,
                end: end(dice),
                is_forged,
            }
        }
        13 | 14 => Call::Press(game),
        15 => Call::Resign(game),
        16 | 17 => Call::Claim(game),
        18 => Call::Refund(game),
        _ => Call::Free(game),
    };
    (caller, call)
}

fn play(world: &mut World, seed: u64) -> BTreeSet<(&'static str, String)> {
    world.deploy_anew();
    let mut dice = Dice(seed);
    let mut table = Table::new(world, seed);
    for _ in 0..70 {
        if dice.once_in(6) {
            let seconds = dice.one_of(&[1, 10, 100, 299, 300, 301, 900, DAY / 2]);
            table.wait(seconds);
        }
        let (who, call) = call(&mut dice, &table);
        table.call(who, &call);
    }
    table.clear();
    table.seen
}

/// `CONNECT4_SEQUENCES` is the number of sequences, `CONNECT4_SEED` the seed of the first.
#[test]
fn contract_and_model_agree_after_every_random_call() {
    let sequences = Sequences::asked_for(80);
    let mut seen = BTreeSet::new();
    sequences.play(World::new, play, |its| seen.extend(its));
    if sequences.are_usual {
        let missed: Vec<_> = expected().difference(&seen).cloned().collect();
        assert!(missed.is_empty(), "these did not occur: {missed:#?}");
        let others: Vec<_> = seen.difference(&expected()).cloned().collect();
        assert!(others.is_empty(), "these are not documented: {others:#?}");
    }
}
