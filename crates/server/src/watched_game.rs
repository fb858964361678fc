//! A game or a table, read for the page whenever it may have changed.

use std::sync::Arc;

use connect4_client::{Address, Contracts, Error, GameId, Seen, replay, replay_variant};
use connect4_protocol::fast::FastGame;
use connect4_protocol::{AnyGame, Error as Refused, Game, Match, payout};
use connect4_rules::variant::Colour;
use connect4_rules::{ByPlayer, Player};
use connect4_wire::{self as wire, Amount, Live, View};

use crate::fast::{FastTables, Known};
use crate::link::Connected;
use crate::not_found::{self, Freed};
use crate::overlay::Overlay;
use crate::past::Past;
use crate::record::{ATTEMPTS, Record, told_by};
use crate::seats::{Place, Seats};
use crate::view::Found;

/// What was read of a game on one connection.
pub struct WatchedGame {
    id: GameId,
    record: Record,
    /// A fast game, which changes between blocks only by what its players sign.
    read: Option<Box<FastRead>>,
    freed: Freed,
}

/// A fast game as the chain had it after a block.
#[derive(Clone, Copy)]
struct FastRead {
    block: u32,
    chain: FastGame,
    state: Match,
}

impl WatchedGame {
    pub fn new(id: GameId) -> Self {
        Self {
            id,
            record: Record::default(),
            read: None,
            freed: Freed::default(),
        }
    }

    /// Reads a fast game again, even if the next block has the number of the last one.
    pub fn forget_block(&mut self) {
        self.read = None;
    }

    /// What there is to see after `block`; none if the game changes faster than it can be read, so
    /// that the next block tells more.
    pub async fn look(
        &mut self,
        at: &Connected,
        block: u32,
        seats: &Seats,
        fast: &FastTables,
    ) -> Result<Option<Arc<Live>>, Error> {
        let id = self.id;
        let Some(contract) = at.contract_of(id) else {
            return Ok(Some(not_found::nowhere(id)));
        };
        let looked = match id.is_fast() {
            true => self.look_fast(&contract, block, fast).await?,
            false => self.look_stored(&contract, block, seats).await?,
        };
        match looked {
            Looked::Seen(view) => Ok(Some(Arc::new(Live::Game(view)))),
            Looked::TooFast => Ok(None),
            Looked::Freed => {
                let seen = self.freed.or_read(freed_game(&contract, id)).await?;
                with_credits(&contract, id, seen).await.map(Some)
            }
        }
    }

    /// What there is to see of a game whose moves are all on the chain, or of a table.
    async fn look_stored(
        &mut self,
        contract: &Contracts,
        block: u32,
        seats: &Seats,
    ) -> Result<Looked, Error> {
        let id = self.id;
        for _ in 1..ATTEMPTS {
            let Some((game, state)) = contract.game::<(AnyGame, Match)>(id).await? else {
                return Ok(Looked::Freed);
            };
            // Nothing was played at a table.
            let is_table = game.variant().is_some_and(|game| !game.has_started());
            if is_table || self.record.update(contract, id, &game, block).await? {
                let past = self.record.told().map(|told| Past::of(&game, told));
                let found = Found::on_chain(contract, id, past);
                let mut view = view_of(contract, &game, &state, found);
                if let AnyGame::Two(game) = &game {
                    set_owed(&mut view, owed(contract, game, &state).await?);
                }
                for player in &mut view.game.players {
                    player.computer = computer(seats, id, &game, player.colour);
                }
                return Ok(Looked::Seen(Box::new(view)));
            }
        }
        Ok(Looked::TooFast)
    }

    /// What there is to see of a fast game: what the chain has, and what its players have signed since.
    async fn look_fast(
        &mut self,
        contract: &Contracts,
        block: u32,
        tables: &FastTables,
    ) -> Result<Looked, Error> {
        let id = self.id;
        // A seat that is open here follows the chain by itself.
        let mut open = tables.open(id);
        for _ in 1..ATTEMPTS {
            let seen = open.as_ref().and_then(Known::chain);
            let read = read_fast(self.read.take(), contract, id, block, seen).await?;
            let Some(read) = read else {
                return Ok(Looked::Freed);
            };
            let FastRead {
                block,
                chain,
                state,
            } = read;
            let game = chain.game.into();
            if !self.record.update(contract, id, &game, block).await? {
                // The seat may not have seen the newest block yet.
                open = None;
                continue;
            }
            self.read = Some(Box::new(read));
            let known = match open.take() {
                Some(known) => known,
                None => tables.known(contract, id, &chain).await?,
            };
            let owed = owed(contract, &chain.game, &state).await?;
            let overlay = Overlay::of(&chain, &state, &known);
            let told = self.record.told();
            let past = told.map(|told| overlay.past(Past::of_two(told)));
            let game = overlay.game.into();
            let found = Found {
                pie_rule: chain.pie_rule,
                ..Found::on_chain(contract, id, past)
            };
            let mut view = view_of(contract, &game, &overlay.state, found);
            set_owed(&mut view, owed);
            view.fast = Some(overlay.view(id, &chain, &known));
            return Ok(Looked::Seen(Box::new(view)));
        }
        Ok(Looked::TooFast)
    }
}

/// What a look at a game has found.
enum Looked {
    Seen(Box<View>),
    /// It is not stored.
    Freed,
    /// It changes faster than it can be read.
    TooFast,
}

/// A fast game as the chain has it: as a seat has `seen` it, else as it is read after `block`, or as it was
/// `kept`. None if it is not stored.
async fn read_fast(
    kept: Option<Box<FastRead>>,
    contract: &Contracts,
    id: GameId,
    block: u32,
    seen: Option<Seen<FastGame>>,
) -> Result<Option<FastRead>, Error> {
    let block = seen.map_or(block, |seen| seen.block.number);
    if let Some(known) = kept {
        let is_same = seen.is_none_or(|seen| seen.value == known.chain);
        // Its match changes only after its end.
        let is_on = seen.is_some_and(|seen| !seen.game.is_over());
        if is_same && (is_on || known.block == block) {
            return Ok(Some(FastRead { block, ..*known }));
        }
    }
    let chain = match seen {
        Some(seen) => Some(seen.value),
        None => contract.game(id).await?,
    };
    let Some(chain) = chain else { return Ok(None) };
    let state = contract.match_of(id).await?;
    Ok(Some(FastRead {
        block,
        chain,
        state,
    }))
}

/// The computer that plays a colour now.
fn computer(seats: &Seats, id: GameId, game: &AnyGame, colour: Colour) -> Option<wire::Computer> {
    let began = match game {
        AnyGame::Two(_) => colour,
        AnyGame::Variant(game) => Colour::ALL.into_iter().nth(game.seat_at(colour))?,
    };
    let place = Place { game: id, began };
    if let AnyGame::Variant(game) = game {
        // Its account may have left the table by another program.
        let account = seats.look(place, |seat| seat.signer.address())?;
        if account != game.account_of(colour) {
            return None;
        }
    }
    seats.computer(place)
}

fn view_of(contract: &Contracts, game: &AnyGame, state: &Match, found: Found<'_>) -> View {
    match game {
        AnyGame::Two(game) => {
            let token = contract.client().token();
            found.of_two(game, wire::Match::new(game, state, token))
        }
        AnyGame::Variant(game) => found.of_variant(game),
    }
}

/// A game whose storage was freed, from its events; or that there is no such game or table.
async fn freed_game(contract: &Contracts, id: GameId) -> Result<Arc<Live>, Error> {
    let count = contract.game_count(id.contract()).await?;
    if id.place() >= count {
        return Ok(not_found::out_of(id, count));
    }
    let history = match contract.history(id, 0).await {
        Ok(history) => history,
        Err(error @ Error::Pruned { .. }) => return Ok(not_found::freed(id, Some(&error))),
        Err(Error::Refused {
            error: Refused::NoSuchGame,
            ..
        }) if id.is_variant() => {
            return Ok(not_found::because(format!(
                "the table of game {id} was closed before the game started"
            )));
        }
        Err(error) => return Err(error),
    };
    let game: Option<AnyGame> = match id.is_variant() {
        true => replay_variant(&history).ok().map(|(game, _)| game.into()),
        false => replay(&history).ok().map(Into::into),
    };
    let Some(game) = game else {
        return Ok(not_found::freed(id, None));
    };
    let told = told_by(contract, id, history).await?;
    let past = Ok(Past::of(&game, &told));
    let found = Found {
        freed: true,
        ..Found::on_chain(contract, id, past)
    };
    let view = view_of(contract, &game, &Match::default(), found);
    Ok(Arc::new(Live::Game(Box::new(view))))
}

/// A game whose storage was freed, with what its players are owed now: what it brought them was
/// credited before.
async fn with_credits(
    contract: &Contracts,
    id: GameId,
    seen: Arc<Live>,
) -> Result<Arc<Live>, Error> {
    let view = match &*seen {
        Live::Game(view) if !id.is_variant() => view,
        // Variants owe nobody anything.
        _ => return Ok(seen),
    };
    let mut view = view.clone();
    for player in &mut view.game.players {
        if let Some(account) = player.account {
            let credit = all_credit_of(contract, account).await?;
            player.owed = Some(Amount::of_contract(credit, contract.client().token()));
        }
    }
    Ok(Arc::new(Live::Game(view)))
}

fn set_owed(view: &mut View, owed: Option<ByPlayer<Amount>>) {
    let Some(ByPlayer { one, two }) = owed else {
        return;
    };
    for (player, owed) in view.game.players.iter_mut().zip([one, two]) {
        player.owed = Some(owed);
    }
}

/// What each player of a game may withdraw once it has ended: the account's credit, and what the game
/// adds to it when it is settled.
async fn owed(
    contract: &Contracts,
    game: &Game,
    state: &Match,
) -> Result<Option<ByPlayer<Amount>>, Error> {
    if !game.is_over() {
        return Ok(None);
    }
    let shares = payout(state.pot(), game.winner());
    let of = async |player: Player| {
        let credit = all_credit_of(contract, game.account_of(player)).await?;
        let owed = credit.saturating_add(shares[player]);
        Ok::<_, Error>(Amount::of_contract(owed, contract.client().token()))
    };
    Ok(Some(ByPlayer {
        one: of(Player::One).await?,
        two: of(Player::Two).await?,
    }))
}

async fn all_credit_of(contract: &Contracts, account: Address) -> Result<u128, Error> {
    let by_fast = contract.fast_credit_of(account).await?;
    Ok(contract.credit_of(account).await?.saturating_add(by_fast))
}
