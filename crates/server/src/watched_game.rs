//! A game, read for the page whenever it may have changed.

use std::sync::Arc;

use connect4_client::{Address, Contract, Error, GameId, Seen, replay};
use connect4_protocol::fast::FastGame;
use connect4_protocol::{Game, Match, payout};
use connect4_rules::{ByPlayer, Player};
use connect4_wire::{self as wire, Amount, Live, ViewedGame};

use crate::beyond::Beyond;
use crate::fast::{FastTables, Known};
use crate::link::Connected;
use crate::missing::{self, Freed};
use crate::record::{ATTEMPTS, Record, steps_of};
use crate::seats::{Place, Seats};
use crate::view::Found;

/// What was read of a game on one connection.
pub struct WatchedGame {
    number: u32,
    record: Record<Contract>,
    freed: Freed,
    /// A fast game, which between blocks only its players change.
    fast: Option<Box<FastRead>>,
}

/// A fast game as the chain knew it after a block.
#[derive(Clone, Copy)]
struct FastRead {
    block: u32,
    chain: FastGame,
    state: Match,
}

impl WatchedGame {
    pub fn new(number: u32) -> Self {
        Self {
            number,
            record: Record::default(),
            freed: Freed::default(),
            fast: None,
        }
    }

    /// Reads a fast game again, even if the next block has the number of the last one.
    pub fn forget_block(&mut self) {
        self.fast = None;
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
        let number = self.number;
        let Some(contract) = at.contract() else {
            return Ok(Some(missing::nowhere(GameId::of_two(number))));
        };
        if GameId::of_two(number).is_fast() {
            return self.look_fast(&contract, block, fast).await;
        }
        for _ in 1..ATTEMPTS {
            let Some(game) = contract.game(number).await? else {
                let back = not_stored(&contract, number);
                let seen = self.freed.or_read(back).await?;
                return with_credits(&contract, seen).await.map(Some);
            };
            let state = contract.match_of(number).await?;
            if self.record.update(&contract, number, &game, block).await? {
                let owed = owed(&contract, &game, &state).await?;
                let found = Found {
                    number,
                    contract: contract.address(),
                    token: contract.client().token(),
                    game: &game,
                    state: &state,
                    moves: self.record.steps(),
                    freed: false,
                };
                let view = found.view(computers(seats, number), owed);
                return Ok(Some(Arc::new(Live::Game(Box::new(view)))));
            }
        }
        Ok(None)
    }

    /// What there is to see of a fast game: what the chain knows, and what its players have signed
    /// since.
    async fn look_fast(
        &mut self,
        contract: &Contract,
        block: u32,
        tables: &FastTables,
    ) -> Result<Option<Arc<Live>>, Error> {
        let number = self.number;
        // A seat that is open here follows the chain by itself.
        let mut open = tables.open(number);
        for _ in 1..ATTEMPTS {
            let seen = open.as_ref().and_then(Known::chain);
            let Some(read) = self.read_fast(contract, block, seen).await? else {
                let back = not_stored(contract, number);
                let seen = self.freed.or_read(back).await?;
                return with_credits(contract, seen).await.map(Some);
            };
            let FastRead {
                block,
                chain,
                state,
            } = read;
            let leads = self.record.update(contract, number, &chain.game, block);
            if !leads.await? {
                // The seat may not have seen the newest block yet.
                open = None;
                continue;
            }
            self.fast = Some(Box::new(read));
            let known = match open.take() {
                Some(known) => known,
                None => tables.known(contract, number, &chain).await?,
            };
            let owed = owed(contract, &chain.game, &state).await?;
            let beyond = Beyond::of(&chain, &state, &known);
            let moves = self.record.steps().map(|moves| beyond.moves(moves));
            let found = Found {
                number,
                contract: contract.address(),
                token: contract.client().token(),
                game: &beyond.game,
                state: &beyond.state,
                moves: moves.as_deref().map_err(|why| *why),
                freed: false,
            };
            let view = ViewedGame {
                fast: Some(beyond.view(number, &chain, &known)),
                ..found.view(ByPlayer::default(), owed)
            };
            return Ok(Some(Arc::new(Live::Game(Box::new(view)))));
        }
        Ok(None)
    }

    /// A fast game as the chain knows it: as a seat has `seen` it, else as it is read after `block`. None
    /// if it is not stored. It is known from then on only if it is kept again.
    async fn read_fast(
        &mut self,
        contract: &Contract,
        block: u32,
        seen: Option<Seen<FastGame>>,
    ) -> Result<Option<FastRead>, Error> {
        let block = seen.map_or(block, |seen| seen.block.number);
        if let Some(known) = self.fast.take() {
            let is_same = seen.is_none_or(|seen| seen.value == known.chain);
            // Its match changes only after its end.
            let is_on = seen.is_some_and(|seen| !seen.game.is_over());
            if is_same && (is_on || known.block == block) {
                return Ok(Some(FastRead { block, ..*known }));
            }
        }
        let chain = match seen {
            Some(seen) => Some(seen.value),
            None => contract.fast_game(self.number).await?,
        };
        let Some(chain) = chain else { return Ok(None) };
        let state = contract.match_of(self.number).await?;
        Ok(Some(FastRead {
            block,
            chain,
            state,
        }))
    }
}

/// The computers at a game.
fn computers(seats: &Seats, number: u32) -> ByPlayer<wire::Seat> {
    ByPlayer::from_fn(|player| wire::Seat {
        computer: seats.computer(Place {
            game: GameId::of_two(number),
            began: player.into(),
        }),
    })
}

/// A game whose storage was freed, from its events; or that there is no such game.
async fn not_stored(contract: &Contract, number: u32) -> Result<Arc<Live>, Error> {
    let id = GameId::of_two(number);
    let count = match id.is_fast() {
        true => contract.fast_game_count().await?,
        false => contract.game_count().await?,
    };
    if id.place() >= count {
        return Ok(missing::beyond(id, count));
    }
    let freed = format!("game {id} has ended and its storage was freed");
    let history = match contract.history(number, 0).await {
        Ok(history) => history,
        Err(error @ Error::Pruned { .. }) => {
            return Ok(missing::because(format!("{freed}; {error}")));
        }
        Err(error) => return Err(error),
    };
    let Ok(game) = replay(&history) else {
        return Ok(missing::because(freed));
    };
    let moves = steps_of(contract, number, history).await?;
    let found = Found {
        number,
        contract: contract.address(),
        token: contract.client().token(),
        game: &game,
        state: &Match::default(),
        moves: Ok(&moves),
        freed: true,
    };
    let nothing = ByPlayer::from_fn(|_| Amount(0));
    let view = found.view(ByPlayer::default(), nothing);
    Ok(Arc::new(Live::Game(Box::new(view))))
}

/// A game whose storage was freed, with what its players are owed now: what it brought them was
/// credited before.
async fn with_credits(contract: &Contract, seen: Arc<Live>) -> Result<Arc<Live>, Error> {
    let Live::Game(view) = &*seen else {
        return Ok(seen);
    };
    let of = async |account: wire::Address| {
        let credit = all_credit_of(contract, account.0).await?;
        Ok::<_, Error>(Amount::of_contract(credit, contract.client().token()))
    };
    let game = &view.game.game;
    let owed = wire::Sides {
        red: of(game.red).await?,
        blue: of(game.blue).await?,
    };
    let view = ViewedGame {
        owed,
        ..(**view).clone()
    };
    Ok(Arc::new(Live::Game(Box::new(view))))
}

/// What each player of a game that has ended may withdraw: the account's credit, and what the game
/// adds to it when it is settled.
async fn owed(contract: &Contract, game: &Game, state: &Match) -> Result<ByPlayer<Amount>, Error> {
    if !game.is_over() {
        return Ok(ByPlayer::from_fn(|_| Amount(0)));
    }
    let shares = payout(state.pot(), game.winner());
    let of = async |player: Player| {
        let credit = all_credit_of(contract, game.account_of(player)).await?;
        let owed = credit.saturating_add(shares[player]);
        Ok::<_, Error>(Amount::of_contract(owed, contract.client().token()))
    };
    Ok(ByPlayer {
        one: of(Player::One).await?,
        two: of(Player::Two).await?,
    })
}

/// What an account is credited by all contracts.
async fn all_credit_of(contract: &Contract, account: Address) -> Result<u128, Error> {
    let by_fast = contract.fast_credit_of(account).await?;
    Ok(contract.credit_of(account).await?.saturating_add(by_fast))
}
