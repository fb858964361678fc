//! The contract a second time, on plain lists: what each call answers, emits and takes as a deposit.
//!
//! The rules of a game are those of [`Game`], which has tests of its own. The model has what the
//! contract adds: numbers, storage, the list of open tables, events, deposits.

use std::collections::BTreeMap;

use codec::Encode;
use connect4_protocol::variants::event::{
    MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
    VariantStarted,
};
use connect4_protocol::variants::{Departure, End, Game};
use connect4_protocol::{Address, Error, Event};
use connect4_rules::Cells;
use connect4_testing::{Account, address};

use crate::call::Call;

/// What a call that is not refused comes to.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Bytes that the contract returns.
    pub output: Vec<u8>,
    pub events: Vec<Event>,
    /// How many records the call adds, at the cost of its signer; less than 0 if it removes one.
    pub records: i8,
}

#[derive(Clone, Default)]
pub struct Model {
    /// In seconds since 1970.
    pub now: u64,
    /// How many games and tables were numbered.
    pub count: u32,
    pub games: BTreeMap<u32, Game>,
    /// Numbers of the open tables, the newest last.
    pub tables: Vec<u32>,
    /// How many records each account pays for.
    pub paid: BTreeMap<Account, i64>,
}

impl Model {
    /// Makes a call, and returns what it comes to.
    pub fn call(&mut self, who: Account, call: &Call) -> Result<Effect, Error> {
        let now = self.now;
        let caller = address(who);
        let addresses = |players: &[Account]| -> Vec<Address> {
            players.iter().map(|&who| address(who)).collect()
        };
        let (output, events, records) = match *call {
            Call::Start(ref players, variant) => {
                let game = Game::start(&addresses(players), variant, caller, now)?;
                let number = self.add(game);
                (output(number), vec![started(number, &game)], 1)
            }
            Call::Open(ref players, variant, limit) => {
                let players = addresses(players);
                let table = Game::open(caller, &players, variant, limit, now)?;
                let game = self.add(table);
                self.tables.push(game);
                let opened = TableOpened {
                    game,
                    opener: caller,
                    players,
                    variant,
                    limit,
                };
                (output(game), vec![opened.into()], 1)
            }
            Call::Join(game) => {
                let record = self.game(game)?;
                let seat = record.join(caller, now)?;
                let mut events = vec![
                    PlayerJoined {
                        game,
                        player: caller,
                        seat,
                    }
                    .into(),
                ];
                if record.has_started() {
                    events.push(started(game, record));
                    self.tables.retain(|&table| table != game);
                }
                (output(seat), events, 0)
            }
            Call::Leave(game) => {
                let record = self.game(game)?;
                match record.leave(caller, now)? {
                    Departure::TableClosed => {
                        self.tables.retain(|&table| table != game);
                        self.games.remove(&game);
                        let opener = caller;
                        (output(()), vec![TableClosed { game, opener }.into()], -1)
                    }
                    Departure::SeatFreed | Departure::OutOfGame => {
                        (output(()), departed(game, record, caller, false), 0)
                    }
                }
            }
            Call::Move(game, action) => {
                let record = self.game(game)?;
                let turn = record.position().turns();
                let end = record.play(caller, action, now)?;
                let made = MoveMade {
                    game,
                    player: caller,
                    action,
                    turn,
                    deadline: record.deadline(),
                };
                let mut events = vec![made.into()];
                events.extend(end.map(|end| ended(game, record, end)));
                (output(end), events, 0)
            }
            Call::RemoveLate(game) => {
                let record = self.game(game)?;
                let late = record.remove_late(now)?;
                let events = departed(game, record, late, true);
                (output(record.end_code()), events, 0)
            }
            Call::Free(game) => {
                let record = self.game(game)?;
                let was_over = record.is_over();
                record.free(caller, now)?;
                let payer = caller;
                let mut events = vec![VariantFreed { game, payer }.into()];
                if !was_over {
                    events.insert(0, ended(game, record, End::Abandoned));
                }
                self.games.remove(&game);
                (output(()), events, -1)
            }
        };
        *self.paid.entry(who).or_default() += i64::from(records);
        Ok(Effect {
            output,
            events,
            records,
        })
    }

    fn add(&mut self, game: Game) -> u32 {
        let number = self.count;
        self.games.insert(number, game);
        self.count += 1;
        number
    }

    fn game(&mut self, number: u32) -> Result<&mut Game, Error> {
        self.games.get_mut(&number).ok_or(Error::NoSuchGame)
    }
}

/// The bytes of an answer, as ink! wraps it.
fn output(answer: impl Encode) -> Vec<u8> {
    Ok::<Result<_, ()>, ()>(Ok(answer)).encode()
}

fn started(game: u32, record: &Game) -> Event {
    let players = record.seats().map(|(account, _)| account.expect("taken"));
    VariantStarted {
        game,
        players: players.collect(),
        variant: record.variant().into(),
        limit: record.limit(),
        deadline: record.deadline(),
    }
    .into()
}

fn departed(game: u32, record: &Game, player: Address, late: bool) -> Vec<Event> {
    let left = PlayerLeft {
        game,
        player,
        late,
        deadline: record.deadline(),
    };
    let mut events = vec![left.into()];
    events.extend(record.end_code().map(|end| ended(game, record, end)));
    events
}

fn ended(game: u32, record: &Game, end: End) -> Event {
    VariantEnded {
        game,
        winner: record.winner(),
        end,
        winning_cells: match end {
            End::Line => record.winning_cells(),
            _ => Cells::EMPTY,
        },
    }
    .into()
}
