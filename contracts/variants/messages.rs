//! What the messages do. A message ends the call with its answer, so that each is a function here.

use connect4_contract::{emit, now};
use connect4_protocol::{
    Address, Error,
    variants::{
        Departure, End, Game,
        event::{
            MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded,
            VariantFreed, VariantStarted,
        },
    },
};
use connect4_rules::variant::{Move, VariantSpec};
use ink::prelude::vec::Vec;

use crate::variants::{Link, Record, Variants};

pub fn start_game(
    variants: &mut Variants,
    players: &[Address],
    variant: VariantSpec,
) -> Result<u32, Error> {
    let game = Game::start(players, variant, variants.caller(), now())?;
    let number = variants.add(game, Link::NONE);
    started(number, &game);
    Ok(number)
}

pub fn open_table(
    variants: &mut Variants,
    players: Vec<Address>,
    variant: VariantSpec,
    limit: Option<u32>,
) -> Result<u32, Error> {
    let opener = variants.caller();
    let game = Game::open(opener, &players, variant, limit, now())?;
    let older = variants.newest;
    // The number that the table will have.
    variants.newest = Link(variants.count);
    let number = variants.add(game, older);
    variants.relink(older, |older| older.newer = Link(number));
    let event = TableOpened {
        game: number,
        opener,
        players,
        variant,
        limit,
    };
    emit(event, number, &[opener]);
    Ok(number)
}

pub fn join(variants: &mut Variants, game: u32) -> Result<u8, Error> {
    let mut record = variants.record(game)?;
    let player = variants.caller();
    let seat = record.game.join(player, now())?;
    emit(PlayerJoined { game, player, seat }, game, &[player]);
    if record.game.has_started() {
        variants.unlink(&mut record);
        started(game, &record.game);
    }
    variants.games.insert(game, &record);
    Ok(seat)
}

pub fn leave(variants: &mut Variants, game: u32) -> Result<(), Error> {
    let mut record = variants.record(game)?;
    let player = variants.caller();
    match record.game.leave(player, now())? {
        Departure::TableClosed => {
            variants.unlink(&mut record);
            variants.games.remove(game);
            let opener = player;
            emit(TableClosed { game, opener }, game, &[opener]);
        }
        Departure::SeatFreed | Departure::OutOfGame => {
            variants.departed(game, &record, player, false);
        }
    }
    Ok(())
}

pub fn make_move(variants: &mut Variants, game: u32, action: Move) -> Result<Option<End>, Error> {
    let mut record = variants.record(game)?;
    let player = variants.caller();
    let turn = record.game.position().turns();
    let outcome = record.game.play(player, action, now())?;
    let event = MoveMade {
        game,
        player,
        action,
        turn,
        deadline: record.game.deadline(),
    };
    emit(event, game, &[player]);
    variants.store(game, &record);
    Ok(outcome)
}

pub fn remove_late(variants: &mut Variants, game: u32) -> Result<Option<End>, Error> {
    let mut record = variants.record(game)?;
    let player = record.game.remove_late(now())?;
    variants.departed(game, &record, player, true);
    Ok(record.game.end_code())
}

pub fn free(variants: &mut Variants, game: u32) -> Result<(), Error> {
    let mut record = variants.record(game)?;
    let payer = variants.caller();
    let was_over = record.game.is_over();
    record.game.free(payer, now())?;
    if !was_over {
        ended(game, &record.game, End::Abandoned);
    }
    variants.games.remove(game);
    emit(VariantFreed { game, payer }, game, &[payer]);
    Ok(())
}

impl Variants {
    /// Numbers and stores a new game or table, and writes the root cell.
    fn add(&mut self, game: Game, older: Link) -> u32 {
        let number = self.count;
        // The fees for this many games exceed what any account has.
        self.count = number.checked_add(1).expect("fewer than 2^32 games");
        self.store_root();
        let record = Record {
            game,
            older,
            newer: Link::NONE,
        };
        self.games.insert(number, &record);
        number
    }

    /// Writes the root cell, which [`end`] does not.
    fn store_root(&self) {
        ink::env::set_contract_storage(&<Self as ink::storage::traits::StorageKey>::KEY, self);
    }

    /// Changes the links of an open table.
    fn relink(&mut self, table: Link, change: impl FnOnce(&mut Record)) {
        let Some(number) = table.number() else {
            return;
        };
        if let Some(mut record) = self.games.get(number) {
            change(&mut record);
            self.games.insert(number, &record);
        }
    }

    /// Takes a table that is not open any more from the list of the open ones.
    fn unlink(&mut self, record: &mut Record) {
        let Record { older, newer, .. } = *record;
        self.relink(older, |older| older.newer = newer);
        self.relink(newer, |newer| newer.older = older);
        if newer == Link::NONE {
            self.newest = older;
            self.store_root();
        }
        record.older = Link::NONE;
        record.newer = Link::NONE;
    }

    /// Stores a game that a player has left, and emits that.
    fn departed(&mut self, game: u32, record: &Record, player: Address, late: bool) {
        let event = PlayerLeft {
            game,
            player,
            late,
            deadline: record.game.deadline(),
        };
        emit(event, game, &[player]);
        self.store(game, record);
    }

    /// Stores a changed game, and emits its end if it has ended.
    fn store(&mut self, game: u32, record: &Record) {
        self.games.insert(game, record);
        if let Some(end) = record.game.end_code() {
            ended(game, &record.game, end);
        }
    }
}

/// Emits the start of a game.
fn started(game: u32, record: &Game) {
    let event = VariantStarted {
        game,
        players: record.accounts().to_vec(),
        variant: record.variant().into(),
        limit: record.limit(),
        deadline: record.deadline(),
    };
    emit(event, game, &[]);
}

/// Emits the end of a game.
fn ended(game: u32, record: &Game, end: End) {
    let winner = record.winner();
    let event = VariantEnded {
        game,
        winner,
        end,
        winning_cells: record.winning_cells(),
    };
    emit(event, game, &[winner.unwrap_or_default()]);
}
