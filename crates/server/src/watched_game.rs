//! A game or a table, read for the page whenever it may have changed.

use std::sync::Arc;

use connect4_client::{Address, Contract, Error, GameId, Seen, Variants, replay};
use connect4_protocol::fast::FastGame;
use connect4_protocol::{Error as Refused, Game, Match, payout, variants};
use connect4_rules::variant::Colour;
use connect4_rules::{ByPlayer, Player};
use connect4_wire::{self as wire, Amount, Live, View};

use crate::fast::{FastTables, Known};
use crate::link::Connected;
use crate::not_found::{self, Freed};
use crate::overlay::Overlay;
use crate::past::{self, Past};
use crate::record::{ATTEMPTS, Record, told_by};
use crate::seats::{Place, Seats};
use crate::view::Found;

/// What was read of a game on one connection.
pub struct WatchedGame {
    id: GameId,
    kind: Kind,
    freed: Freed,
}

/// What was read, by the kind of the game.
enum Kind {
    Classic(Record<Contract>),
    /// A fast game changes between blocks only by what its players sign.
    Fast(Record<Contract>, Option<Box<FastRead>>),
    Variant(Record<Variants>),
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
            kind: match id {
                GameId::Fast(_) => Kind::Fast(Record::default(), None),
                GameId::Classic(_) => Kind::Classic(Record::default()),
                GameId::Variant(_) => Kind::Variant(Record::default()),
            },
            freed: Freed::default(),
        }
    }

    /// Reads a fast game again, even if the next block has the number of the last one.
    pub fn forget_block(&mut self) {
        if let Kind::Fast(_, read) = &mut self.kind {
            *read = None;
        }
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
        let number = self.id.number();
        let (contract, variants) = (at.contract(), at.variants());
        match (&mut self.kind, contract, variants) {
            (Kind::Classic(record), Some(contract), _) => {
                match look_classic(record, &contract, number, block, seats).await? {
                    Looked::Freed => self.freed_game(&contract, number).await.map(Some),
                    looked => Ok(looked.live()),
                }
            }
            (Kind::Fast(record, read), Some(contract), _) => {
                match look_fast(record, read, &contract, number, block, fast).await? {
                    Looked::Freed => self.freed_game(&contract, number).await.map(Some),
                    looked => Ok(looked.live()),
                }
            }
            (Kind::Variant(record), _, Some(variants)) => {
                match look_variant(record, &variants, number, block, seats).await? {
                    Looked::Freed => {
                        let back = freed_variant(&variants, number);
                        self.freed.or_read(back).await.map(Some)
                    }
                    looked => Ok(looked.live()),
                }
            }
            _ => Ok(Some(not_found::nowhere(self.id))),
        }
    }

    /// A game between two accounts that is not stored.
    async fn freed_game(&mut self, contract: &Contract, number: u32) -> Result<Arc<Live>, Error> {
        let seen = self.freed.or_read(freed_game(contract, number)).await?;
        with_credits(contract, seen).await
    }
}

/// What a look at a game has found.
enum Looked {
    /// The game.
    Seen(Box<View>),
    /// It is not stored.
    Freed,
    /// It changes faster than it can be read.
    TooFast,
}

impl Looked {
    fn live(self) -> Option<Arc<Live>> {
        match self {
            Self::Seen(view) => Some(Arc::new(Live::Game(view))),
            Self::Freed | Self::TooFast => None,
        }
    }
}

async fn look_classic(
    record: &mut Record<Contract>,
    contract: &Contract,
    number: u32,
    block: u32,
    seats: &Seats,
) -> Result<Looked, Error> {
    for _ in 1..ATTEMPTS {
        let Some(game) = contract.game(number).await? else {
            return Ok(Looked::Freed);
        };
        let state = contract.match_of(number).await?;
        if record.update(contract, number, &game, block).await? {
            let past = record.told().map(Past::of_game);
            let mut view = view_of(contract, number, &game, &state, past, false);
            set_owed(&mut view, owed(contract, &game, &state).await?);
            for player in &mut view.game.players {
                let began = player.colour.into();
                let game = GameId::of_two(number);
                player.computer = seats.computer(Place { game, began });
            }
            return Ok(Looked::Seen(Box::new(view)));
        }
    }
    Ok(Looked::TooFast)
}

/// What there is to see of a fast game: what the chain has, and what its players have signed since.
async fn look_fast(
    record: &mut Record<Contract>,
    kept: &mut Option<Box<FastRead>>,
    contract: &Contract,
    number: u32,
    block: u32,
    tables: &FastTables,
) -> Result<Looked, Error> {
    // A seat that is open here follows the chain by itself.
    let mut open = tables.open(number);
    for _ in 1..ATTEMPTS {
        let seen = open.as_ref().and_then(Known::chain);
        let read = read_fast(kept.take(), contract, number, block, seen).await?;
        let Some(read) = read else {
            return Ok(Looked::Freed);
        };
        let FastRead {
            block,
            chain,
            state,
        } = read;
        let leads = record.update(contract, number, &chain.game, block);
        if !leads.await? {
            // The seat may not have seen the newest block yet.
            open = None;
            continue;
        }
        *kept = Some(Box::new(read));
        let known = match open.take() {
            Some(known) => known,
            None => tables.known(contract, number, &chain).await?,
        };
        let owed = owed(contract, &chain.game, &state).await?;
        let overlay = Overlay::of(&chain, &state, &known);
        let past = record.told().map(|told| overlay.past(Past::of_game(told)));
        let mut view = view_of(contract, number, &overlay.game, &overlay.state, past, false);
        set_owed(&mut view, owed);
        view.fast = Some(overlay.view(number, &chain, &known));
        return Ok(Looked::Seen(Box::new(view)));
    }
    Ok(Looked::TooFast)
}

/// A fast game as the chain has it: as a seat has `seen` it, else as it is read after `block`, or as it was
/// `kept`. None if it is not stored.
async fn read_fast(
    kept: Option<Box<FastRead>>,
    contract: &Contract,
    number: u32,
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
        None => contract.fast_game(number).await?,
    };
    let Some(chain) = chain else { return Ok(None) };
    let state = contract.match_of(number).await?;
    Ok(Some(FastRead {
        block,
        chain,
        state,
    }))
}

async fn look_variant(
    record: &mut Record<Variants>,
    variants: &Variants,
    number: u32,
    block: u32,
    seats: &Seats,
) -> Result<Looked, Error> {
    for _ in 1..ATTEMPTS {
        let Some(game) = variants.game(number).await? else {
            return Ok(Looked::Freed);
        };
        // Nothing was played at a table.
        let is_read = !game.has_started() || record.update(variants, number, &game, block).await?;
        if is_read {
            let past = record
                .told()
                .map(|told| Past::of_variant(game.variant(), told));
            let mut view = view_of_variant(variants, number, &game, past, false);
            for player in &mut view.game.players {
                player.computer = computer(seats, number, &game, player.colour.into());
            }
            return Ok(Looked::Seen(Box::new(view)));
        }
    }
    Ok(Looked::TooFast)
}

/// The computer that plays a colour of a variant now.
fn computer(
    seats: &Seats,
    number: u32,
    game: &variants::Game,
    colour: Colour,
) -> Option<wire::Computer> {
    let place = Place {
        game: GameId::Variant(number),
        began: Colour::ALL.into_iter().nth(game.seat_at(colour))?,
    };
    // Its account may have left the table by another program.
    let account = seats.look(place, |seat| seat.signer.address())?;
    let is_there = account == game.account_of(colour);
    is_there.then(|| seats.computer(place)).flatten()
}

fn view_of(
    contract: &Contract,
    number: u32,
    game: &Game,
    state: &Match,
    past: Result<Past, &str>,
    freed: bool,
) -> View {
    let found = Found {
        id: GameId::of_two(number),
        contract: contract.address(),
        game,
        past,
        freed,
    };
    found.view(wire::Match::new(game, state, contract.client().token()))
}

fn view_of_variant(
    variants: &Variants,
    number: u32,
    game: &variants::Game,
    past: Result<Past, &str>,
    freed: bool,
) -> View {
    let found = Found {
        id: GameId::Variant(number),
        contract: variants.address(),
        game,
        past,
        freed,
    };
    found.view()
}

/// A game between two accounts whose storage was freed, from its events; or that there is no such game.
async fn freed_game(contract: &Contract, number: u32) -> Result<Arc<Live>, Error> {
    let id = GameId::of_two(number);
    let count = match id.is_fast() {
        true => contract.fast_game_count().await?,
        false => contract.game_count().await?,
    };
    if id.place() >= count {
        return Ok(not_found::out_of(id, count));
    }
    let history = match contract.history(number, 0).await {
        Ok(history) => history,
        Err(error @ Error::Pruned { .. }) => return Ok(not_found::freed(id, Some(&error))),
        Err(error) => return Err(error),
    };
    let Ok(game) = replay(&history) else {
        return Ok(not_found::freed(id, None));
    };
    let told = told_by(contract, number, history).await?;
    let past = Ok(Past::of_game(&told));
    let view = view_of(contract, number, &game, &Match::default(), past, true);
    Ok(Arc::new(Live::Game(Box::new(view))))
}

/// The same of a game of a variant or a table.
async fn freed_variant(variants: &Variants, number: u32) -> Result<Arc<Live>, Error> {
    let id = GameId::Variant(number);
    let count = variants.game_count().await?;
    if number >= count {
        return Ok(not_found::out_of(id, count));
    }
    let history = match variants.history(number, 0).await {
        Ok(history) => history,
        Err(error @ Error::Pruned { .. }) => return Ok(not_found::freed(id, Some(&error))),
        Err(Error::Refused {
            error: Refused::NoSuchGame,
            ..
        }) => {
            return Ok(not_found::because(format!(
                "the table of game {id} was closed before the game started"
            )));
        }
        Err(error) => return Err(error),
    };
    let told = told_by(variants, number, history).await?;
    let Ok((game, _)) = past::replay(&told) else {
        return Ok(not_found::freed(id, None));
    };
    let past = Ok(Past::of_variant(game.variant(), &told));
    let view = view_of_variant(variants, number, &game, past, true);
    Ok(Arc::new(Live::Game(Box::new(view))))
}

/// A game whose storage was freed, with what its players are owed now: what it brought them was
/// credited before.
async fn with_credits(contract: &Contract, seen: Arc<Live>) -> Result<Arc<Live>, Error> {
    let Live::Game(view) = &*seen else {
        return Ok(seen);
    };
    let mut view = view.clone();
    for player in &mut view.game.players {
        if let Some(account) = player.account {
            let credit = all_credit_of(contract, account.0).await?;
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
    contract: &Contract,
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

/// What an account is credited by all contracts.
async fn all_credit_of(contract: &Contract, account: Address) -> Result<u128, Error> {
    let by_fast = contract.fast_credit_of(account).await?;
    Ok(contract.credit_of(account).await?.saturating_add(by_fast))
}
