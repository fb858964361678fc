//! Random calls at the contract, and at games as [`Game`] has them, which have to agree after each.

use std::collections::BTreeMap;
use std::fmt::Debug;

use codec::Encode;
use connect4_protocol::event::{DiscDropped, GameEnded, GameFreed, GameStarted};
use connect4_protocol::message::{
    DropDisc, Free, GameCount, ReadBoard, ReadGame, ReadWinner, ReadWinningCells, Resign, StartGame,
};
use connect4_protocol::{End, Error, Event, Game};
use connect4_rules::{Bin, ShapeSpec};
use connect4_testing::dice::Dice;
use connect4_testing::sequences::Sequences;
use connect4_testing::{Account, Input, PEOPLE, Refusal, Refusals, Seen, Story, address, who};

use super::World;
use crate::games::QUICK;

/// The documented errors of each message.
const REFUSALS: &Refusals = {
    use Error::*;
    &[
        ("start_game", &[SamePlayer, BadShape]),
        (
            "drop_disc",
            &[
                NoSuchGame,
                GameOver,
                NotAPlayer,
                NotYourTurn,
                NoSuchBin,
                BinFull,
            ],
        ),
        ("resign", &[NoSuchGame, GameOver, NotAPlayer]),
        ("free", &[NoSuchGame, GameNotOver, NotPayer]),
    ]
};

/// What has to occur in a usual run.
const SIGHTS: &[&str] = &["a line", "a full board", "a resignation"];

/// A call that changes something.
#[derive(Clone, Copy, Debug)]
enum Call {
    Start(Account, Account, ShapeSpec),
    Drop(u32, u8),
    Resign(u32),
    Free(u32),
}

impl From<Call> for Input {
    fn from(call: Call) -> Self {
        match call {
            Call::Start(one, two, shape) => StartGame {
                player_one: address(one),
                player_two: address(two),
                shape,
            }
            .into(),
            Call::Drop(game, bin) => DropDisc { game, bin }.into(),
            Call::Resign(game) => Resign { game }.into(),
            Call::Free(game) => Free { game }.into(),
        }
    }
}

/// What a call that is not refused returns, and emits.
type Effect = (Vec<u8>, Vec<Event>);

fn returned(answer: impl Encode) -> Vec<u8> {
    Ok::<Result<_, ()>, ()>(Ok(answer)).encode()
}

/// The contract and the games side by side.
struct Table<'a> {
    world: &'a World,
    /// By their numbers; none where one was freed.
    games: Vec<Option<Game>>,
    /// What each account has paid for storage and not got back.
    deposits: BTreeMap<Account, i128>,
    seen: Seen,
    story: Story,
}

impl<'a> Table<'a> {
    fn new(world: &'a World, seed: u64) -> Self {
        Self {
            world,
            games: Vec::new(),
            deposits: BTreeMap::new(),
            seen: Seen::new(REFUSALS, SIGHTS),
            story: Story::new(seed),
        }
    }

    fn game(&self, number: u32) -> Result<Game, Error> {
        let game = self.games.get(number as usize).copied().flatten();
        game.ok_or(Error::NoSuchGame)
    }

    /// Stores a changed game; its end, if it has ended.
    fn keep(&mut self, number: u32, game: Game) -> Option<Event> {
        self.games[number as usize] = Some(game);
        let end = game.end()?;
        self.seen.saw(match end {
            End::Line => SIGHTS[0],
            End::FullBoard => SIGHTS[1],
            _ => SIGHTS[2],
        });
        let ended = GameEnded {
            game: number,
            winner: game.winner().map(|winner| game.account_of(winner)),
            end,
            winning_cells: game.winning_cells(),
        };
        Some(ended.into())
    }

    /// Makes a call at the games; the number of that which it is about, and its effect.
    fn expected(&mut self, by: Account, call: Call) -> (u32, Result<Effect, Error>) {
        let number = match call {
            Call::Start(..) => self.games.len() as u32,
            Call::Drop(game, _) | Call::Resign(game) | Call::Free(game) => game,
        };
        (number, self.effect(number, by, call))
    }

    fn effect(&mut self, game: u32, by: Account, call: Call) -> Result<Effect, Error> {
        let player = address(by);
        match call {
            Call::Start(one, two, shape) => {
                let [player_one, player_two] = [one, two].map(address);
                let started = Game::start(player_one, player_two, shape)?.paid_by(player);
                self.games.push(Some(started));
                let event = GameStarted {
                    game,
                    player_one,
                    player_two,
                    shape,
                };
                Ok((returned(game), vec![event.into()]))
            }
            Call::Drop(_, bin) => {
                let mut changed = self.game(game)?;
                let turn = changed.turns();
                let dropped = changed.drop(player, Bin::new(bin))?;
                let event = DiscDropped {
                    game,
                    player,
                    bin,
                    row: dropped.row,
                    turn,
                };
                let mut events = vec![event.into()];
                events.extend(self.keep(game, changed));
                Ok((returned(dropped), events))
            }
            Call::Resign(_) => {
                let mut changed = self.game(game)?;
                changed.resign(player)?;
                let ended = self.keep(game, changed);
                Ok((returned(()), ended.into_iter().collect()))
            }
            Call::Free(_) => {
                self.game(game)?.free(player)?;
                self.games[game as usize] = None;
                let payer = player;
                Ok((returned(()), vec![GameFreed { game, payer }.into()]))
            }
        }
    }

    /// Makes a call at the contract and at the games.
    fn call(&mut self, by: Account, call: Call) {
        self.seen.steps += 1;
        self.seen.sent += 1;
        let (number, expected) = self.expected(by, call);
        let refused = expected.as_ref().err().copied();
        self.story.tell(format_args!("{by} {call:?}: {refused:?}"));
        let input = Input::from(call);
        self.seen.answered(input.name, refused.map_or(Ok(()), Err));
        let done = self.world.try_and_send(&self.world.call(by, input, 0));
        let done = done.map(|done| {
            *self.deposits.entry(by).or_default() += done.report.deposit;
            (done.output, done.events)
        });
        assert_eq!(done, expected.map_err(Refusal::Because), "{by} {call:?}");
        self.compare(number);
    }

    /// Compares what the contract answers about a game.
    fn compare(&self, game: u32) {
        let expected = self.game(game);
        let board = expected.map(|game| {
            let board = game.board();
            let bins = board.shape().iter_bins();
            bins.map(|bin| board.stack(bin).collect()).collect()
        });
        let winner = expected.map(|game| game.winner().map(|winner| game.account_of(winner)));
        let cells = expected.map(|game| game.winning_cells().iter(game.shape()).collect());
        let world = self.world;
        same(world.query(ReadGame { game }), expected);
        same(world.query(ReadBoard { game }), board);
        same(world.query(ReadWinner { game }), winner);
        same(world.query(ReadWinningCells { game }), cells);
        same(world.query(GameCount {}), self.games.len() as u32);
    }

    /// The next call, most often a sensible one.
    fn next(&self, dice: &mut Dice) -> (Account, Call) {
        let someone = dice.one_of(&PEOPLE);
        let count = self.games.len() as u32;
        let number = match dice.once_in(8) {
            true => dice.below(u64::from(count) + 1) as u32,
            false => count.saturating_sub(1),
        };
        let shape = dice.one_of(&[
            QUICK,
            // Only a line over all five bins wins.
            ShapeSpec { line: 5, ..QUICK },
            ShapeSpec { bins: 4, ..QUICK },
        ]);
        let start = Call::Start(dice.one_of(&PEOPLE), dice.one_of(&PEOPLE), shape);
        let game = self.game(number);
        let Some(game) = game.ok().filter(|game| !game.is_over() || dice.once_in(3)) else {
            let call = dice.by_weight(vec![
                (20, start),
                (1, Call::Drop(number, 0)),
                (1, Call::Resign(number)),
                (1, Call::Free(number)),
            ]);
            return (someone, call);
        };
        let mover = game.to_move().map(|player| who(game.account_of(player)));
        let mover = mover.unwrap_or(someone);
        let drop = Call::Drop(number, dice.below(u64::from(game.shape().bins())) as u8);
        let any_drop = Call::Drop(number, dice.below(8) as u8);
        let [resign, free] = [Call::Resign(number), Call::Free(number)];
        let payer = who(game.payer());
        dice.by_weight(vec![
            (60, (mover, drop)),
            (2, (mover, any_drop)),
            (4, (someone, any_drop)),
            (2, (someone, resign)),
            (2, (payer, free)),
            (2, (someone, free)),
        ])
    }

    /// Ends every game, and frees all storage: everybody has got back what they paid.
    fn clear(&mut self) {
        for number in 0..self.games.len() as u32 {
            if let Ok(game) = self.game(number) {
                if !game.is_over() {
                    self.call(who(game.player_two()), Call::Resign(number));
                }
                self.call(who(game.payer()), Call::Free(number));
            }
        }
        // Each deposit may be rounded.
        let most = self.games.len() as i128;
        for (person, deposit) in &self.deposits {
            assert!(deposit.abs() <= most, "{person} lacks {deposit}");
        }
    }
}

#[track_caller]
fn same<T: PartialEq + Debug>(contract: T, model: T) {
    assert_eq!(contract, model);
}

/// Plays a sequence on a new contract.
fn play(world: &mut World, seed: u64) -> Seen {
    world.deploy_anew();
    let mut dice = Dice(seed);
    let mut table = Table::new(world, seed);
    for _ in 0..100 {
        let (by, call) = table.next(&mut dice);
        table.call(by, call);
    }
    table.clear();
    table.seen
}

/// `CONNECT4_SEQUENCES` is the number of sequences, `CONNECT4_SEED` the seed of the first.
#[test]
fn contract_and_games_agree_after_every_random_call() {
    let sequences = Sequences::asked_for(20);
    let mut seen = Seen::new(REFUSALS, SIGHTS);
    sequences.play(World::new, play, |its| seen.add(its));
    let missed = seen.report();
    if sequences.are_usual {
        assert!(missed.is_empty(), "these did not occur: {missed:#?}");
    }
}
