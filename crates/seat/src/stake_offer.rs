//! Offers of games with a stake.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use codec::{Decode, DecodeAll as _, Encode};
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::{Domain, GameNumber, Party, Terms};
use connect4_rules::{ByPlayer, Player, ShapeSpec};

/// A game that a player offers to play for a stake. It is the same value in a lobby, in a link and as text.
///
/// Nobody signs it: a player agrees to a game by its payment. The taker [completes](Self::complete) it to terms and pays
/// first; the player who offers pays second, if the terms are those of the offer.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StakeOffer {
    /// Chain and contract that hold the stakes.
    pub domain: Domain,
    /// Account and key of the player who offers.
    pub party: Party,
    /// Which player it is to be; none if the taker chooses.
    pub player: Option<Player>,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Whether player two's first move can be a swap.
    pub pie_rule: bool,
    /// Clock of the game on the chain, in seconds.
    pub clock: ClockSpec,
    /// What each player pays, in the unit that contracts see.
    pub stake: u128,
    /// Number of the pool whose ratings the game counts for; 0 for none in particular.
    pub pool: u16,
    /// Whether a program plays for the player who offers.
    pub is_program: bool,
    /// The game before in a series.
    pub previous: Option<GameNumber>,
    /// Address of the relay in whose room the game is played; none if its moves are made on the chain.
    pub relay: Option<String>,
    /// Last second at which the offer is taken, since 1970 by the chain's timestamps.
    pub until: u64,
    /// What tells this offer from others of the player.
    pub nonce: u32,
}

/// Who takes an offer, as the terms name the taker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Taker {
    /// Account and key.
    pub party: Party,
    /// Which player it is, if the offer leaves that to the taker.
    pub player: Player,
    /// Whether a program plays.
    pub is_program: bool,
    /// Time of the terms, in seconds since 1970.
    pub time: u64,
}

impl StakeOffer {
    /// Which player takes the offer.
    #[must_use]
    pub fn player_of(&self, taker: &Taker) -> Player {
        self.player.map_or(taker.player, Player::opponent)
    }

    /// The terms of the game.
    #[must_use]
    pub fn complete(&self, taker: &Taker) -> Terms {
        let is_taker = self.player_of(taker);
        let of = |offering, taking| {
            ByPlayer::from_fn(|player| if player == is_taker { taking } else { offering })
        };
        let programs = ByPlayer::from_fn(|player| match player == is_taker {
            true => taker.is_program,
            false => self.is_program,
        });
        Terms {
            players: of(self.party, taker.party),
            shape: self.shape,
            pie_rule: self.pie_rule,
            clock: Some(self.clock),
            witness: None,
            stake: self.stake,
            pool: self.pool,
            programs,
            event: None,
            previous: self.previous,
            time: taker.time,
            nonce: self.nonce,
        }
    }

    /// Who has completed the offer to these terms; none if they are not those of the offer.
    #[must_use]
    pub fn taker_of(&self, terms: &Terms) -> Option<Taker> {
        let takers = Player::ALL.map(|player| Taker {
            party: *terms.players.get(player),
            player,
            is_program: *terms.programs.get(player),
            time: terms.time,
        });
        let is_taker = |taker: &Taker| {
            self.player_of(taker) == taker.player
                && taker.time <= self.until
                && self.complete(taker) == *terms
        };
        takers.into_iter().find(is_taker)
    }
}

/// What stands before the digits of an offer that is written as text.
const MARK: &str = "connect4-offer:";
/// Bytes of an offer, at most.
const LONGEST: usize = 512;

/// As a line of text, which any messenger carries.
impl fmt::Display for StakeOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MARK)?;
        let mut bytes = self.encode().into_iter();
        bytes.try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Returned if a text is no offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an offer is {MARK} and hexadecimal digits; copy all of it")]
pub struct StakeOfferError;

/// Reads what `Display` writes.
impl FromStr for StakeOffer {
    type Err = StakeOfferError;

    fn from_str(text: &str) -> Result<Self, StakeOfferError> {
        let digits = text.trim().strip_prefix(MARK).ok_or(StakeOfferError)?;
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        if !rest.is_empty() || pairs.len() > LONGEST {
            return Err(StakeOfferError);
        }
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let byte = |[high, low]: &[u8; 2]| u8::try_from(digit(*high)? << 4 | digit(*low)?).ok();
        let bytes: Option<alloc::vec::Vec<u8>> = pairs.iter().map(byte).collect();
        let bytes = bytes.ok_or(StakeOfferError)?;
        Self::decode_all(&mut &bytes[..]).map_err(|_| StakeOfferError)
    }
}
