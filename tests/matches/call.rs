//! Every call of the two contracts, with its text for the story of a test, and every answer.

use std::fmt;

use codec::Encode;
use connect4_protocol::message::{
    Accept, AcceptDraw, AcceptRematch, Cancel, ClaimTimeout, Decline, DeclineDraw, DeclineRematch,
    DropDisc, EndMatch, Free, MakeChallenge, OfferDraw, OfferRematch, OpenChallenge, Remove,
    Resign, Settle, StartGame, StartMatch, Withdraw, WithdrawTo,
};
use connect4_protocol::{Address, Challenge, ClockSpec, Game, Terms};
use connect4_rules::{Dropped, Shape, ShapeSpec};
use connect4_testing::local::TOKEN;
use connect4_testing::world::{self, Matches};
use connect4_testing::{Account, Input, address};

/// A call of one of the two contracts. Payments are as contracts count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    StartGame(Account, Account, ShapeSpec),
    Drop(u32, u8),
    Challenge {
        to: Option<Account>,
        first: bool,
        shape: ShapeSpec,
        clock: Option<ClockSpec>,
        /// Last second at which it can be accepted.
        expires: Option<u64>,
        paid: u128,
    },
    /// Accepts the challenge as it is.
    Accept(u32, u128),
    /// Accepts the challenge if it is this one.
    AcceptSeen(u32, u128, Challenge),
    Decline(u32),
    Cancel(u32),
    Resign(u32),
    ClaimTimeout(u32),
    OfferDraw(u32),
    AcceptDraw(u32),
    DeclineDraw(u32),
    OfferRematch(u32, u128),
    AcceptRematch(u32, u128),
    DeclineRematch(u32),
    Settle(u32),
    Withdraw(Vec<u32>),
    /// Pays to this account.
    WithdrawTo(Vec<u32>, Account),
    Free(u32),
    /// Only the referee may make this call and the two after it.
    StartMatch,
    EndMatch(u32),
    Remove(u32),
}

impl world::Call<Matches> for Call {
    fn input(&self, world: &connect4_testing::World<Matches>) -> Input {
        match *self {
            Self::StartGame(one, two, shape) => StartGame {
                player_one: address(one),
                player_two: address(two),
                shape,
            }
            .into(),
            Self::Drop(game, bin) => DropDisc { game, bin }.into(),
            Self::Challenge {
                to,
                first,
                shape,
                clock,
                expires,
                ..
            } => MakeChallenge {
                opponent: to.map(address),
                challenger_first: first,
                shape,
                clock,
                expires,
            }
            .into(),
            Self::Accept(challenge, _) => Accept {
                challenge,
                seen: {
                    let open = world.query(OpenChallenge { challenge });
                    open.unwrap_or(NO_CHALLENGE)
                },
            }
            .into(),
            Self::AcceptSeen(challenge, _, seen) => Accept { challenge, seen }.into(),
            Self::Decline(challenge) => Decline { challenge }.into(),
            Self::Cancel(challenge) => Cancel { challenge }.into(),
            Self::Resign(game) => Resign { game }.into(),
            Self::ClaimTimeout(game) => ClaimTimeout { game }.into(),
            Self::OfferDraw(game) => OfferDraw { game }.into(),
            Self::AcceptDraw(game) => AcceptDraw { game }.into(),
            Self::DeclineDraw(game) => DeclineDraw { game }.into(),
            Self::OfferRematch(game, _) => OfferRematch { game }.into(),
            Self::AcceptRematch(game, _) => AcceptRematch { game }.into(),
            Self::DeclineRematch(game) => DeclineRematch { game }.into(),
            Self::Settle(game) => Settle { game }.into(),
            Self::Withdraw(ref games) => Withdraw {
                games: games.clone(),
            }
            .into(),
            Self::WithdrawTo(ref games, to) => WithdrawTo {
                games: games.clone(),
                receiver: address(to),
            }
            .into(),
            Self::Free(game) => Free { game }.into(),
            Self::StartMatch => StartMatch { started: won() }.into(),
            Self::EndMatch(game) => EndMatch { game, ended: won() }.into(),
            Self::Remove(game) => Remove { game }.into(),
        }
    }

    fn paid(&self) -> u128 {
        match *self {
            Self::Challenge { paid, .. }
            | Self::Accept(_, paid)
            | Self::AcceptSeen(_, paid, _)
            | Self::OfferRematch(_, paid)
            | Self::AcceptRematch(_, paid) => paid,
            _ => 0,
        }
    }
}

/// What somebody has seen who accepts a challenge that is not there.
const NO_CHALLENGE: Challenge = Challenge {
    challenger: Address::ZERO,
    opponent: None,
    challenger_first: false,
    expires: None,
    terms: Terms {
        shape: ShapeSpec {
            bins: 7,
            capacity: 6,
            line: 4,
        },
        clock: None,
        stake: 0,
    },
};

/// A game that alice has won, as a false referee would like to store it.
fn won() -> Game {
    let (alice, bob) = (address(Account::Alice), address(Account::Bob));
    let mut game = Game::start(alice, bob, Shape::STANDARD.into()).unwrap();
    game.resign(bob).unwrap();
    game
}

/// `accepts challenge 3, paying 5`.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whom = |to: &Option<Account>| to.map_or("anyone".into(), |to| to.to_string());
        match self {
            Self::StartGame(one, two, shape) => {
                write!(
                    f,
                    "starts a bare game of {one} and {two} on {}",
                    short(shape)
                )
            }
            Self::Drop(game, bin) => write!(f, "drops into bin {bin} of game {game}"),
            Self::Challenge {
                to,
                first,
                shape,
                clock,
                expires,
                ..
            } => {
                let who = if *first { "challenger" } else { "opponent" };
                write!(
                    f,
                    "challenges {} on {}, {who} first, ",
                    whom(to),
                    short(shape)
                )?;
                match clock {
                    Some(clock) => write!(f, "{clock}"),
                    None => f.write_str("no clock"),
                }?;
                match expires {
                    Some(second) => write!(f, ", until second {second}"),
                    None => Ok(()),
                }
            }
            Self::Accept(number, _) => write!(f, "accepts challenge {number}"),
            Self::AcceptSeen(number, _, seen) => {
                write!(f, "accepts challenge {number} if it is {seen:?}")
            }
            Self::Decline(number) => write!(f, "declines challenge {number}"),
            Self::Cancel(number) => write!(f, "cancels challenge {number}"),
            Self::Resign(game) => write!(f, "resigns game {game}"),
            Self::ClaimTimeout(game) => write!(f, "claims that time has run out in game {game}"),
            Self::OfferDraw(game) => write!(f, "offers a draw in game {game}"),
            Self::AcceptDraw(game) => write!(f, "accepts a draw in game {game}"),
            Self::DeclineDraw(game) => write!(f, "declines a draw in game {game}"),
            Self::OfferRematch(game, _) => write!(f, "offers a rematch of game {game}"),
            Self::AcceptRematch(game, _) => write!(f, "accepts a rematch of game {game}"),
            Self::DeclineRematch(game) => write!(f, "declines a rematch of game {game}"),
            Self::Settle(game) => write!(f, "settles game {game}"),
            Self::Withdraw(games) => write!(f, "withdraws, settling {games:?}"),
            Self::WithdrawTo(games, to) => write!(f, "withdraws for {to}, settling {games:?}"),
            Self::Free(game) => write!(f, "frees game {game}"),
            Self::StartMatch => f.write_str("starts a game that is won, as the referee may"),
            Self::EndMatch(game) => write!(f, "ends game {game}, as the referee may"),
            Self::Remove(game) => write!(f, "removes game {game}, as the referee may"),
        }?;
        match world::Call::paid(self) {
            0 => Ok(()),
            paid => write!(f, ", paying {}", tokens(paid)),
        }
    }
}

fn short(shape: &ShapeSpec) -> String {
    format!("{}x{} line {}", shape.bins, shape.capacity, shape.line)
}

/// In tokens, if it is a whole number of them.
pub fn tokens(amount: u128) -> String {
    match amount % TOKEN {
        0 => (amount / TOKEN).to_string(),
        _ => format!("{amount} of the smallest unit"),
    }
}

/// Answer of a call that is not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Nothing,
    Number(u32),
    MaybeNumber(Option<u32>),
    Amount(u128),
    Dropped(Dropped),
}

impl Answer {
    /// The bytes that a contract returns.
    pub fn output(&self) -> Vec<u8> {
        match self {
            Self::Nothing => encoded(()),
            Self::Number(number) => encoded(number),
            Self::MaybeNumber(number) => encoded(number),
            Self::Amount(amount) => encoded(amount),
            Self::Dropped(dropped) => encoded(dropped),
        }
    }
}

fn encoded(answer: impl Encode) -> Vec<u8> {
    Ok::<Result<_, ()>, ()>(Ok(answer)).encode()
}
