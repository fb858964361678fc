//! The contract of a game, classic or variant.

use connect4_client::{
    Action, BlockRef, Contract, Error, Event, GameId, Receipt, Seen, Signer, VariantAction,
    Variants, replay,
};
use connect4_protocol::{self as protocol, Error as Refusal, Match};
use connect4_protocol::{AnyGame, variants::event::PlayerLeft};
use connect4_rules::variant::Move;

use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::play::grammar::Input;
use crate::session::Session;

/// How many of the newest games are looked at for the rematch of a game whose storage was freed.
const LOOKED_AT: u32 = 50;

/// The contract of a game.
#[derive(Clone)]
pub enum GameContract {
    /// The contract of the matches, and through it the one of the games.
    Classic(Contract),
    /// The contract of the variants.
    Variant(Variants),
}

/// A move as the chain has taken it.
pub struct Played {
    /// Row in which a disc of a classic game lies.
    pub row: u8,
    /// The game after the move; none if it has to be read.
    pub after: Option<AnyGame>,
}

/// What an action has come to.
pub enum Performed {
    /// An action of a classic game.
    Action { action: Action, has_ended: bool },
    /// A player has left a variant, or was removed for being late.
    Left(PlayerLeft),
}

impl GameContract {
    /// The game with this number, as people name it.
    pub const fn id(&self, number: u32) -> GameId {
        match self {
            Self::Classic(_) => GameId::of_two(number),
            Self::Variant(_) => GameId::Variant(number),
        }
    }

    /// A state of a game, and where it is.
    pub fn at(&self, number: u32, game: &AnyGame) -> GameAt {
        GameAt {
            contract: match self {
                Self::Classic(contract) => contract.address(),
                Self::Variant(variants) => variants.address(),
            },
            id: self.id(number),
            game: *game,
        }
    }

    /// Options by which another program reaches the same contract.
    pub fn reach(&self, session: &Session) -> String {
        match self {
            Self::Classic(contract) => lookup::reach(session, contract),
            Self::Variant(variants) => lookup::reach_variants(session, variants),
        }
    }

    /// The game as it stands. A classic game whose storage was freed, as its payer may do at once after
    /// the end, is made of its events.
    pub async fn game(&self, number: u32) -> Result<Seen<AnyGame>, Failure> {
        match self {
            Self::Classic(contract) => {
                let seen = match contract.see_game(number).await? {
                    Some(seen) => seen,
                    None => freed_game(contract, number).await?,
                };
                Ok(seen.map(AnyGame::from))
            }
            Self::Variant(variants) => {
                Ok(lookup::variant(variants, number).await?.map(AnyGame::from))
            }
        }
    }

    /// Sends a move that is based on the game as it was seen; nothing if the game has no such moves.
    pub async fn play(
        &self,
        number: u32,
        seen: &Seen<AnyGame>,
        stake: u128,
        signer: &Signer,
        action: Move,
    ) -> Result<Option<Receipt<Played>>, Error> {
        Ok(
            match (self.based_on(number, seen, stake), action, &seen.value) {
                (Self::Classic(contract), Move::Drop(bin), AnyGame::Two(before)) => {
                    let receipt = contract.drop_disc(signer, number, bin).await?;
                    Some(receipt.map(|played| Played {
                        row: played.dropped.row,
                        after: played.game_after(before).map(AnyGame::from),
                    }))
                }
                (Self::Variant(variants), action, _) => {
                    let action = VariantAction::Move(action);
                    let receipt = variants.perform(signer, number, action).await?;
                    Some(receipt.map(|_| Played {
                        row: 0,
                        after: None,
                    }))
                }
                // A classic game has no other moves.
                (Self::Classic(_), ..) => None,
            },
        )
    }

    /// Sends what a player wants other than a move, based on the game as it was seen; nothing if the game
    /// has no such action.
    pub async fn perform(
        &self,
        number: u32,
        seen: &Seen<AnyGame>,
        stake: u128,
        signer: &Signer,
        input: Input,
    ) -> Result<Option<Receipt<Performed>>, Error> {
        Ok(match self.based_on(number, seen, stake) {
            Self::Classic(contract) => match action(input) {
                Some(action) => {
                    let receipt = contract.perform(signer, number, action).await?;
                    Some(receipt.map(|performed| Performed::Action {
                        action,
                        has_ended: performed.ended().is_some(),
                    }))
                }
                None => None,
            },
            Self::Variant(variants) => match variant_action(input) {
                Some(action) => {
                    let receipt = variants.perform(signer, number, action).await?;
                    let left = receipt.value.iter().find_map(|event| match event {
                        Event::PlayerLeft(left) => Some(left.clone()),
                        _ => None,
                    });
                    left.map(|left| receipt.map(|_| Performed::Left(left)))
                }
                None => None,
            },
        })
    }

    /// The same contract, whose transactions are void on a branch of the chain without the game as it
    /// was seen.
    fn based_on(&self, number: u32, seen: &Seen<AnyGame>, stake: u128) -> Self {
        match (self.clone(), seen.value) {
            (Self::Classic(contract), AnyGame::Two(game)) => {
                Self::Classic(contract.answering(number, &seen.map(|_| game), stake > 0))
            }
            (Self::Variant(variants), AnyGame::Variant(game)) => {
                Self::Variant(variants.answering(number, seen.map(|_| game)))
            }
            (contract, _) => contract,
        }
    }

    /// The match of a game, and whether the game's storage was freed: then what is left of `known`.
    pub async fn of_match(&self, number: u32, known: Match) -> Result<(Match, bool), Failure> {
        let Self::Classic(contract) = self else {
            return Ok((known, false));
        };
        match contract.match_of(number).await {
            Ok(of_match) => Ok((of_match, false)),
            Err(error) if error.refusal() == Some(Refusal::NoSuchGame) => {
                Ok((match_of_freed(contract, number, known).await?, true))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until the game or its match is not as it was, and returns both.
    pub async fn change(
        &self,
        number: u32,
        game: &AnyGame,
        of_match: Match,
    ) -> Result<(Seen<AnyGame>, Match), Failure> {
        match (self, game) {
            (Self::Classic(contract), AnyGame::Two(game)) => {
                match contract.wait_for_change(number, game, &of_match).await {
                    Ok((seen, of_match)) => Ok((seen.map(AnyGame::from), of_match)),
                    Err(error) if error.refusal() == Some(Refusal::NoSuchGame) => {
                        let seen = freed_game(contract, number).await?;
                        let of_match = match_of_freed(contract, number, of_match).await?;
                        Ok((seen.map(AnyGame::from), of_match))
                    }
                    Err(error) => Err(error.into()),
                }
            }
            (Self::Variant(variants), AnyGame::Variant(game)) => {
                let seen = variants.wait_for_change(number, game).await?;
                Ok((seen.map(AnyGame::from), of_match))
            }
            _ => std::future::pending().await,
        }
    }
}

/// The action of a classic game that a player wants.
const fn action(input: Input) -> Option<Action> {
    match input {
        Input::Move(Move::Drop(bin)) => Some(Action::Drop(bin)),
        Input::Resign => Some(Action::Resign),
        Input::Draw => Some(Action::OfferDraw),
        Input::Accept => Some(Action::AcceptDraw),
        Input::Decline => Some(Action::DeclineDraw),
        Input::Claim => Some(Action::ClaimTimeout),
        Input::Move(_) | Input::Press | Input::Settle | Input::Help => None,
    }
}

/// The action of a variant that a player wants.
const fn variant_action(input: Input) -> Option<VariantAction> {
    match input {
        Input::Move(action) => Some(VariantAction::Move(action)),
        Input::Resign => Some(VariantAction::Leave),
        Input::Claim => Some(VariantAction::RemoveLate),
        Input::Draw
        | Input::Accept
        | Input::Decline
        | Input::Press
        | Input::Settle
        | Input::Help => None,
    }
}

async fn freed_game(contract: &Contract, number: u32) -> Result<Seen<protocol::Game>, Failure> {
    let history = contract.history(number, 0).await;
    if let Ok(history) = history
        && let Some(last) = history.last()
        && let Ok(value) = replay(&history)
    {
        let block = BlockRef {
            number: last.block,
            hash: last.block_hash,
        };
        return Ok(Seen { value, block });
    }
    // The game was never there, or the node has discarded its events.
    lookup::game(contract, number).await
}

/// What is left of the match of a game whose storage was freed: stakes and offers were credited then.
async fn match_of_freed(contract: &Contract, number: u32, known: Match) -> Result<Match, Failure> {
    let mut next = known.next;
    if next.is_none() {
        let count = contract.game_count().await?;
        let since = number.saturating_add(1);
        for later in (since.max(count.saturating_sub(LOOKED_AT))..count).rev() {
            let state = contract.match_of(later).await;
            if state.is_ok_and(|state| state.previous == Some(number)) {
                next = Some(later);
                break;
            }
        }
    }
    Ok(Match {
        settled: true,
        draw: None,
        rematch: None,
        next,
        ..known
    })
}
