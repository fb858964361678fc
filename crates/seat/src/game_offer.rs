//! Offers of signed games, with a stake or without.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use codec::{Decode, DecodeAll as _, Encode};
use connect4_protocol::Address;
use connect4_protocol::signed::event::Funded;
use connect4_protocol::signed::{
    Acceptance, Crypto, Digest, Domain, Party, Pool, SignedSession, Signing, Terms, commitment,
    lobby, offerer_is_first,
};
use connect4_rules::{ByPlayer, Player};

/// A game that a player offers to play. It is the same value in a lobby, in a link and as text.
///
/// Nobody signs it. The taker [completes](Self::complete) it to terms, and is the first who agrees to them; the player
/// who offers is the second, if the terms are those of the offer. A player agrees to a game with a stake by its payment,
/// and to one without by its signature.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct GameOffer {
    /// Where the game is signed: with a stake, the contract that holds it; without one, a chain and no contract.
    pub domain: Domain,
    /// The terms as far as they are known. The player who offers is player one in them, whichever it is to be; player two
    /// is [nobody](NOBODY), and the time 0.
    pub terms: Terms,
    /// Which player it is to be; none if the taker chooses, or a coin does.
    pub player: Option<Player>,
    /// The account that alone can take the offer; none if anybody can.
    pub taker: Option<Address>,
    /// The commitment to a secret of the player who offers, if neither player chooses the colours of a
    /// game without a stake. The terms have the taker's nonce then, and both decide.
    pub coin: Option<Digest>,
    /// What the account has signed about its key; none of a guest, and of a game with a stake.
    pub session: Option<SignedSession>,
    /// Address of the relay in whose room the game is played; none if its moves are made on the chain.
    pub relay: Option<String>,
    /// Last second at which the offer is taken, since 1970: by the chain's timestamps, or by the clock of the witness.
    pub until: u64,
}

/// Who stands in the terms of an offer for the player who takes it.
pub const NOBODY: Party = Party::Guest(Address::ZERO);

/// Who takes an offer, as the terms name the taker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Taker {
    /// Account and key.
    pub party: Party,
    /// What the account has signed about its key; none of a guest, and of a game with a stake.
    pub session: Option<SignedSession>,
    /// Which player it is, if the offer leaves that to the taker.
    pub player: Player,
    /// Whether a program plays.
    pub is_program: bool,
    /// Time of the terms, in seconds since 1970.
    pub time: u64,
    /// A random number, for the coin.
    pub nonce: u32,
}

impl GameOffer {
    /// An offer of a game by these terms, in which this party takes the place of player one.
    #[must_use]
    pub fn new(domain: Domain, party: Party, terms: Terms, until: u64) -> Self {
        Self {
            domain,
            terms: Terms {
                players: ByPlayer {
                    one: party,
                    two: NOBODY,
                },
                time: 0,
                ..terms
            },
            player: None,
            taker: None,
            coin: None,
            session: None,
            relay: None,
            until,
        }
    }

    /// The player who offers.
    #[must_use]
    pub const fn party(&self) -> Party {
        self.terms.players.one
    }

    /// The same offer with a coin for the colours.
    #[must_use]
    pub fn with_coin(self, key: &impl Signing) -> Self {
        let offer = Self {
            player: None,
            coin: None,
            ..self
        };
        let coin = commitment(&offer.secret(key), key);
        Self {
            coin: Some(coin),
            ..offer
        }
    }

    /// What decides the colours, together with the taker's nonce. It follows from the key, which signs the same way each
    /// time, so that nothing has to be kept of it. No offer is made twice: each has a nonce.
    pub(crate) fn secret(&self, key: &impl Signing) -> [u8; 32] {
        let offer = Self {
            coin: None,
            ..self.clone()
        };
        let digest = key.keccak256(&("Connect Four coin", offer).encode());
        key.keccak256(&key.sign(&digest).0)
    }

    /// Which player takes the offer by the coin; none if this is not the secret of the player who offers.
    pub(crate) fn taker_by_coin(
        &self,
        secret: &[u8; 32],
        nonce: u32,
        crypto: &impl Crypto,
    ) -> Option<Player> {
        if self.coin != Some(commitment(secret, crypto)) {
            return None;
        }
        Some(match offerer_is_first(secret, nonce, crypto) {
            true => Player::Two,
            false => Player::One,
        })
    }

    /// Which player takes the offer.
    #[must_use]
    pub fn player_of(&self, taker: &Taker) -> Player {
        self.player.map_or(taker.player, Player::opponent)
    }

    /// The terms of the game.
    #[must_use]
    pub fn complete(&self, taker: &Taker) -> Terms {
        let taking = self.player_of(taker);
        let Terms {
            players, programs, ..
        } = self.terms;
        let mut terms = Terms {
            players: players.map(|_| players.one),
            programs: programs.map(|_| programs.one),
            time: taker.time,
            nonce: match self.coin {
                Some(_) => taker.nonce,
                None => self.terms.nonce,
            },
            ..self.terms
        };
        terms.players[taking] = taker.party;
        terms.programs[taking] = taker.is_program;
        terms
    }

    /// Where an offer that only its link shows is in a lobby: who has the link finds it.
    #[must_use]
    pub fn invite(&self, crypto: &impl Crypto) -> lobby::Invite {
        let digest = crypto.keccak256(&("Connect Four invite", self).encode());
        let (halves, _) = digest.as_chunks::<16>();
        halves[0]
    }

    /// Whether the player who makes this offer would as well take the other one, and may: it is for the same game in the
    /// same place, with colours that both want, by somebody else whom neither this one nor the pool refuses.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        let game = |offer: &Self| Terms {
            players: ByPlayer::from_fn(|_| NOBODY),
            programs: ByPlayer::default(),
            time: 0,
            nonce: 0,
            ..offer.terms
        };
        let (own, theirs) = (self.party().account(), other.party().account());
        let wants = |offer: &Self, account| offer.taker.is_none_or(|only| only == account);
        let programs = ByPlayer {
            one: other.terms.programs.one,
            two: self.terms.programs.one,
        };
        let has_colours = match (self.player, other.player) {
            (None, _) => true,
            (Some(own), Some(theirs)) => own != theirs,
            // A coin decides, or this player.
            (Some(_), None) => other.coin.is_none(),
        };
        own != theirs
            && wants(self, theirs)
            && wants(other, own)
            && has_colours
            && (self.domain, game(self)) == (other.domain, game(other))
            && Pool::of(self.terms.pool).is_none_or(|pool| pool.takes(programs))
    }

    /// Which player has completed the offer to these terms; none if they are not those of the offer.
    #[must_use]
    pub fn taker_in(&self, terms: &Terms) -> Option<Player> {
        let takers = Player::ALL.map(|player| Taker {
            party: *terms.players.get(player),
            session: None,
            player,
            is_program: *terms.programs.get(player),
            time: terms.time,
            nonce: terms.nonce,
        });
        let is_taker = |taker: &Taker| {
            let account = taker.party.account();
            self.player_of(taker) == taker.player
                && self.taker.is_none_or(|only| only == account)
                && taker.time <= self.until
                && self.complete(taker) == *terms
        };
        takers.into_iter().find(is_taker).map(|taker| taker.player)
    }

    /// What the player who offers signs to who has completed the offer to these terms.
    pub(crate) fn acceptance(&self, terms: &Terms, crypto: &impl Crypto) -> Digest {
        let game = terms.number(&self.domain, crypto);
        Acceptance { game }.digest(&self.domain, crypto)
    }

    /// The terms for which a taker of the offer has paid by this event; none if it is no such payment.
    #[must_use]
    pub fn paid_by(&self, Funded { terms, by, .. }: &Funded) -> Option<Terms> {
        (self.taker_in(terms) == Some(*by)).then_some(*terms)
    }
}

/// What stands before the digits of an offer that is written as text.
const MARK: &str = "connect4-offer:";
/// What stands before them in the link to a page.
const FRAGMENT: &str = "#offer=";

impl GameOffer {
    /// The end of a link to a page by which a friend takes the offer.
    #[must_use]
    pub fn fragment(&self) -> String {
        let mut text = alloc::string::ToString::to_string(self);
        text.replace_range(..MARK.len(), FRAGMENT);
        text
    }

    /// The offer at the end of a link to a page, or of a line of text.
    ///
    /// # Errors
    ///
    /// [`GameOfferError`].
    pub fn from_link(link: &str) -> Result<Self, GameOfferError> {
        match link.trim().rsplit_once(FRAGMENT) {
            Some((_, digits)) => alloc::format!("{MARK}{digits}").parse(),
            None => link.parse(),
        }
    }
}

/// As a line of text, which any messenger carries.
impl fmt::Display for GameOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MARK)?;
        let mut bytes = self.encode().into_iter();
        bytes.try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Returned if a text is no offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an offer is {MARK} and hexadecimal digits; copy all of it")]
pub struct GameOfferError;

/// Reads what `Display` writes.
impl FromStr for GameOffer {
    type Err = GameOfferError;

    fn from_str(text: &str) -> Result<Self, GameOfferError> {
        let digits = text.trim().strip_prefix(MARK).ok_or(GameOfferError)?;
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        if !rest.is_empty() || pairs.len() > lobby::Offer::MOST {
            return Err(GameOfferError);
        }
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let byte = |[high, low]: &[u8; 2]| u8::try_from(digit(*high)? << 4 | digit(*low)?).ok();
        let bytes: Option<alloc::vec::Vec<u8>> = pairs.iter().map(byte).collect();
        let bytes = bytes.ok_or(GameOfferError)?;
        Self::decode_all(&mut &bytes[..]).map_err(|_| GameOfferError)
    }
}
