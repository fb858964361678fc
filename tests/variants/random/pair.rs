//! The contract and the model side by side.

use std::collections::BTreeMap;

use connect4_protocol::variants::event::{VariantEnded, VariantStarted};
use connect4_protocol::variants::message::{
    ReadVariantWinner, ReadVariantWinningCells, VariantCount,
};
use connect4_protocol::variants::{End, Game, Page};
use connect4_protocol::{Error, Event};
use connect4_rules::variant::Move;
use connect4_rules::{Cell, Cells};
use connect4_testing::local::RATIO;
use connect4_testing::world::Call as _;
use connect4_testing::{Account, ContractCall, Limits, PEOPLE, Refusal, Seen, Story, address, who};

use super::mood::plays;
use super::seen;
use crate::call::Call;
use crate::model::{Effect, Model};
use crate::world::World;

/// The contract and the model, which have to agree after each call.
pub struct Pair<'a> {
    world: &'a World,
    pub model: Model,
    pub seen: Seen,
    /// Deposit for one record, in the chain's smallest unit.
    record: Option<i128>,
    /// What each account has paid for storage and not got back.
    deposits: BTreeMap<Account, i128>,
    begun: u64,
    story: Story,
}

impl<'a> Pair<'a> {
    pub fn new(world: &'a World, seed: u64) -> Self {
        let now = world.local.now();
        Self {
            world,
            model: Model {
                now,
                ..Model::default()
            },
            seen: seen::nothing(),
            record: None,
            deposits: BTreeMap::new(),
            begun: now,
            story: Story::new(seed),
        }
    }

    pub fn wait(&mut self, seconds: u64) {
        self.world.wait(seconds);
        self.model.now += seconds;
        self.story.tell(format_args!("      {seconds} s go by"));
    }

    /// Makes a call at the contract and at the model. With `anyway`, a refused call is sent, too.
    pub fn call(&mut self, who: Account, call: &Call, anyway: bool) {
        self.seen.steps += 1;
        let at = self.model.now - self.begun;
        let before = self.model.clone();
        let expected = self.model.call(who, call);
        let refused = expected.as_ref().err().copied();
        let answer = refused.map(|error| format!(": refused, {error:?}"));
        let answer = answer.unwrap_or_default();
        let line = format_args!("{at:>5} {who} {call}{answer}");
        self.story.tell(line);

        let input = call.input(self.world);
        let name = input.name;
        let contract_call = self.world.call(who, input, 0);
        let output = self.world.local.dry_run(&contract_call).output();
        let output_expected = expected.as_ref().map(|effect| effect.output.clone());
        assert_eq!(
            output,
            output_expected.map_err(|error| Refusal::Because(*error)),
            "the contract answers as the model does"
        );
        let answer = refused.map_or(Ok(()), Err);
        self.seen.answered(name, answer);
        if refused.is_none() || anyway {
            self.send(&contract_call, expected.as_ref().ok());
            self.compare_touched(&before, call);
        }
        if let Ok(effect) = &expected {
            self.look_at(&before, who, call, &effect.events);
        }
    }

    /// Sends a call, and compares events, deposit and the balance of everybody: the signer pays, and
    /// no other balance changes.
    fn send(&mut self, call: &ContractCall, effect: Option<&Effect>) {
        self.seen.sent += 1;
        let balances = || PEOPLE.map(|who| self.world.local.balance(address(who)) as i128);
        let before = balances();
        let signer = call.caller;
        let report = self.world.local.send(call, Limits::AMPLE);
        assert_eq!(report.outcome.is_ok(), effect.is_some(), "{report:?}");
        let costs = (report.fee as i128 + report.deposit) * RATIO as i128;
        for ((person, before), after) in PEOPLE.into_iter().zip(before).zip(balances()) {
            let change = if person == signer { -costs } else { 0 };
            assert_eq!(after - before, change, "balance of {person}");
        }
        let events = effect.map_or(&[][..], |effect| &effect.events);
        assert_eq!(self.world.events(&report), events);
        let records = effect.map_or(0, |effect| i128::from(effect.records));
        if records == 0 {
            assert_eq!(report.deposit, 0);
            return;
        }
        let record = *self.record.get_or_insert(report.deposit);
        // The pallet rounds what is for bytes and what is for items, each by up to one of the smallest
        // unit.
        assert!(
            (report.deposit - records * record).abs() <= 2,
            "a record is {record}, this is {}",
            report.deposit
        );
        *self.deposits.entry(signer).or_default() += report.deposit;
    }

    /// Compares what the call could have changed.
    fn compare_touched(&self, before: &Model, call: &Call) {
        let number = call.game().unwrap_or(before.count);
        self.compare_record(number);
        match call {
            Call::Start(..) | Call::Open(..) => {
                assert_eq!(self.world.query(VariantCount {}), self.model.count);
            }
            Call::Move(..) => self.compare_board(number),
            _ => {}
        }
        if matches!(call, Call::Open(..) | Call::Join(_) | Call::Leave(_)) {
            self.compare_tables(Page::MAX_LEN);
        }
        let game = self.model.games.get(&number);
        if game.is_none_or(Game::is_over) {
            self.compare_winner(number);
        }
    }

    /// Compares everything; `limit` is the size of a page of tables.
    pub fn compare_all(&self, limit: u8) {
        // Also one number that does not exist.
        for number in 0..=self.model.count {
            self.compare_record(number);
            self.compare_board(number);
            self.compare_winner(number);
        }
        self.compare_tables(limit);
    }

    fn expected(&self, number: u32) -> Result<Game, Error> {
        let game = self.model.games.get(&number).copied();
        game.ok_or(Error::NoSuchGame)
    }

    fn compare_record(&self, number: u32) {
        let stored = self.world.game(number);
        assert_eq!(stored, self.expected(number), "game {number}");
    }

    fn compare_board(&self, number: u32) {
        let board = self.expected(number).map(|game| {
            let position = game.position();
            let cell = |bin, row| position.disc(Cell { bin, row });
            let bins = position.shape().iter_bins();
            bins.map(|bin| {
                (0..position.height(bin))
                    .map(|row| cell(bin, row))
                    .collect()
            })
            .collect()
        });
        assert_eq!(self.world.board(number), board, "board of game {number}");
    }

    fn compare_winner(&self, number: u32) {
        let expected = self.expected(number);
        let winner = self.world.query(ReadVariantWinner { game: number });
        assert_eq!(winner, expected.map(|game| game.winner()));
        let cells = self.world.query(ReadVariantWinningCells { game: number });
        let of = |game: Game| {
            let cells: Cells = game.winning_cells();
            cells.iter(game.position().shape()).collect()
        };
        assert_eq!(cells, expected.map(of));
    }

    /// Reads all pages of the open tables.
    fn compare_tables(&self, limit: u8) {
        let mut listed = Vec::new();
        let mut from = None;
        loop {
            let page = self.world.open_tables(from, limit).unwrap();
            assert!(page.tables.len() <= usize::from(limit));
            listed.extend(page.tables);
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        let tables = self.model.tables.iter().rev();
        let tables: Vec<_> = tables
            .map(|&table| (table, self.model.games[&table]))
            .collect();
        assert_eq!(listed, tables, "the newest first");
    }

    /// Counts situations that are rare.
    fn look_at(&mut self, before: &Model, by: Account, call: &Call, events: &[Event]) {
        let seen = &mut self.seen;
        let Some(was) = call.game().and_then(|number| before.games.get(&number)) else {
            return;
        };
        if let Call::Move(_, action) = call {
            seen.saw(match action {
                Move::Drop(_) => "a drop",
                Move::Pop(_) => "a pop",
                Move::Take(_) => "a take",
                Move::Clear(_) => "a clear",
                Move::Float(_) => "a float",
                Move::Swap => "a swap",
            });
            if was.deadline() == Some(before.now) {
                seen.saw("a move at the deadline");
            }
        }
        if let Call::RemoveLate(_) = call {
            if was.deadline() == Some(before.now - 1) {
                seen.saw("a player was removed a second after the deadline");
            }
            if !plays(was, by) {
                seen.saw("a player was removed by a stranger");
            }
        }
        let number = call.game().expect("found above");
        let between = {
            let at = before.tables.iter().position(|&table| table == number);
            at.is_some_and(|at| at > 0 && at + 1 < before.tables.len())
        };
        match events {
            [.., Event::VariantEnded(VariantEnded { winner, end, .. })]
            | [Event::VariantEnded(VariantEnded { winner, end, .. }), ..] => {
                seen.saw(match end {
                    End::Line => "a game ended by a line",
                    End::LastLeft => "a game ended as the last player was left",
                    End::NoMove => "a game ended without a legal move",
                    End::TurnLimit => return,
                    End::Abandoned => "a game was abandoned",
                });
                if *end == End::Line && winner.map(who) != Some(by) {
                    seen.saw("a move uncovered an opponent's line");
                }
            }
            [Event::PlayerLeft(_)] if was.has_started() => {
                seen.saw("a game went on without a player");
            }
            [_, Event::VariantStarted(VariantStarted { .. })] => {
                seen.saw(match was.is_named() {
                    true => "a table for named players filled up",
                    false => "a table for anyone filled up",
                });
                if between {
                    seen.saw("a table filled up between two others");
                }
            }
            [Event::TableClosed(_)] if between => {
                seen.saw("a table was closed between two others");
            }
            _ => {}
        }
    }

    /// Ends every game, closes every table, and frees all storage: everybody has got back what they
    /// paid.
    pub fn clear(&mut self) {
        self.story.tell("      Closing time.");
        for (number, game) in self.model.games.clone() {
            let payer = who(game.payer());
            if !game.has_started() {
                self.call(payer, &Call::Leave(number), false);
                continue;
            }
            let players = game.seats().filter_map(|(account, _)| account);
            for player in players {
                let game = &self.model.games[&number];
                let colour = game.colour_of(player).expect("plays");
                if !game.is_over() && !game.position().has_left(colour) {
                    self.call(who(player), &Call::Leave(number), false);
                }
            }
            self.call(payer, &Call::Free(number), false);
        }
        assert!(self.model.games.is_empty());
        self.compare_all(1);
        assert!(self.model.paid.values().all(|&records| records == 0));
        for (person, deposit) in &self.deposits {
            // Each refund may be rounded.
            let most = 2 * i128::from(self.model.count);
            assert!(deposit.abs() <= most, "{person} lacks {deposit}");
        }
    }
}
