//! Offers of signed games.

use alloc::string::{String, ToString as _};

use connect4_protocol::signed::{Digest, GameNumber, Native, Party, Pool, SignedSession, Terms};
use connect4_protocol::{Address, decode_all};
use connect4_rules::variant::Colour;
use connect4_rules::{Player, Shape, ShapeSpec};
use connect4_seat::{GameOffer, Message, Taker};
use serde::{Deserialize, Serialize};

use super::shown::AgreedTerms;
use crate::failure::Failure;
use crate::place::SignedPlace;
use crate::session_key;
use crate::terms::{TermsPlayer, TermsRules};
use crate::values::{Hex, Scale, Units};

/// A game that a player wants to offer.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfferToMake {
    pub place: SignedPlace,
    /// Secret of the key that signs, 32 bytes.
    pub secret: Hex,
    /// The account; none of a guest.
    pub account: Option<Address>,
    /// What the account has signed about the key; none of a guest, and of a game with a stake.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub session: Option<Scale<SignedSession>>,
    /// Whether a program plays.
    pub program: bool,
    pub shape: ShapeSpec,
    pub rules: TermsRules,
    /// Key of the relay that keeps order and time; none of a game with a stake.
    pub witness: Option<Address>,
    /// What each player pays.
    pub stake: Units,
    /// Digest of a tournament's rules; none if there is none.
    pub event: Option<Hex>,
    pub colours: Colours,
    /// The account that alone can take it; none if anybody can.
    pub taker: Option<Address>,
    /// Address of the relay; none if moves are made on the chain.
    pub relay: Option<String>,
    /// Last second at which the offer is taken, since 1970.
    pub until: u64,
    /// A random number.
    pub nonce: u32,
}

/// Who has which colour. Red moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Colours {
    /// The player who offers is red.
    Red,
    /// The player who offers is blue.
    Blue,
    /// The player who takes the offer chooses.
    Taker,
    /// A coin decides, which neither player can foresee. Not in a game with a stake.
    Coin,
}

/// An offer, for somebody who may take it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfferedGame {
    pub place: SignedPlace,
    /// The player who offers.
    pub by: TermsPlayer,
    pub shape: ShapeSpec,
    pub rules: TermsRules,
    pub witness: Option<Address>,
    pub stake: Units,
    pub event: Option<Hex>,
    /// Number of the game before in a series; none if there is none.
    #[cfg_attr(test, ts(type = "string | null"))]
    pub previous: Option<GameNumber>,
    pub colours: Colours,
    /// The account that alone can take it; none if anybody can.
    pub taker: Option<Address>,
    pub relay: Option<String>,
    /// Last second at which it is taken, since 1970.
    pub until: u64,
    /// The 16 bytes by which alone it is seen in a lobby, if only who has its link is to see it there.
    pub invite: Hex,
}

/// Whether a player takes an offer by itself who would make one.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SuitsAsked {
    /// The offer that the player would make, as text.
    pub own: String,
    /// The offer of another one.
    pub other: String,
    /// By the clock of the witness, in seconds since 1970.
    pub now: u64,
}

/// An offer that a player takes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TakenOffer {
    pub offer: String,
    /// The account; none of a guest.
    pub account: Option<Address>,
    /// What the account has signed about the key; none of a guest, and of a game with a stake.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub session: Option<Scale<SignedSession>>,
    /// Whether a program plays.
    pub program: bool,
    /// The colour to have, if the offer leaves that to the taker; any else.
    pub colour: Option<Colour>,
    /// Time of the terms, in seconds since 1970: that of the witness, or of the chain.
    pub time: u64,
    /// A random number, for the coin.
    pub nonce: u32,
}

/// An offer of a game for a stake that a player is about to take.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfferToComplete {
    /// Secret of the key that signs, 32 bytes.
    pub secret: Hex,
    pub taken: TakenOffer,
}

/// What a taker agrees to by its payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompletedOffer {
    /// The message to the player who offers.
    pub letter: Hex,
    /// Number of the game.
    #[cfg_attr(test, ts(type = "string"))]
    pub number: GameNumber,
    /// Which player the taker is.
    pub side: Colour,
    pub terms: AgreedTerms,
}

/// What the lobby says of an offer for a stake that a player has taken.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfferAccepted {
    /// Secret of the key that signs, 32 bytes.
    pub secret: Hex,
    pub taken: TakenOffer,
    /// The letter with which it was accepted.
    pub letter: Hex,
}

/// Whether the player who offers has accepted this player itself, and not the relay alone.
pub(super) fn is_accepted(asked: &OfferAccepted) -> Result<bool, Failure> {
    let (offer, terms) = asked.taken.completed(&asked.secret)?;
    let message = decode_all::<Message>(&asked.letter.0);
    Ok(message.is_ok_and(|message| message.accepts(&offer, &terms, &Native)))
}

/// What comes of an offer if this player takes it.
pub(super) fn complete(asked: &OfferToComplete) -> Result<CompletedOffer, Failure> {
    let (offer, terms) = asked.taken.completed(&asked.secret)?;
    let side = offer.taker_in(&terms).filter(|_| terms.stake > 0);
    let side = side.ok_or_else(|| Failure::request("this player can't take this offer"))?;
    Ok(CompletedOffer {
        letter: Hex::of(&Message::Taken(terms)),
        number: terms.number(&offer.domain, &Native),
        side: side.into(),
        terms: (&terms).into(),
    })
}

impl TakenOffer {
    /// The offer, and the terms of the game that comes of it, for the player with this secret.
    fn completed(&self, secret: &Hex) -> Result<(GameOffer, Terms), Failure> {
        let (offer, taker) = self.read(session_key::of(secret)?.address())?;
        let terms = offer.complete(&taker);
        Ok((offer, terms))
    }

    pub(super) fn read(&self, key: Address) -> Result<(GameOffer, Taker), Failure> {
        let taker = Taker {
            party: Party::new(self.account.unwrap_or(key), key),
            session: self.session.map(|Scale(session)| session),
            player: match self.colour {
                Some(Colour::Blue) => Player::Two,
                _ => Player::One,
            },
            is_program: self.program,
            time: self.time,
            nonce: self.nonce,
        };
        Ok((read(&self.offer)?, taker))
    }
}

/// The offer that this text is.
pub(super) fn read(text: &str) -> Result<GameOffer, Failure> {
    let offer = text.parse();
    offer.map_err(|error: connect4_seat::GameOfferError| Failure::request(error.to_string()))
}

/// The offer as text.
pub(super) fn make(asked: &OfferToMake) -> Result<String, Failure> {
    let key = session_key::of(&asked.secret)?;
    let shape = Shape::try_from(asked.shape);
    let shape = shape.map_err(|error| Failure::request(error.to_string()))?;
    let event: Option<Digest> = asked.event.as_ref().map(Hex::exactly).transpose()?;
    let mut terms = Terms {
        witness: asked.witness,
        stake: asked.stake.0,
        event,
        nonce: asked.nonce,
        ..asked.rules.on(shape)
    };
    terms.programs.one = asked.program;
    let address = key.address();
    let party = Party::new(asked.account.unwrap_or(address), address);
    let offer = GameOffer {
        player: match asked.colours {
            Colours::Red => Some(Player::One),
            Colours::Blue => Some(Player::Two),
            Colours::Taker | Colours::Coin => None,
        },
        session: asked.session.map(|Scale(session)| session),
        taker: asked.taker,
        relay: asked.relay.clone(),
        ..GameOffer::new(asked.place.domain()?, party, terms, asked.until)
    };
    let offer = match asked.colours {
        Colours::Coin => offer.with_coin(&key),
        _ => offer,
    };
    Ok(offer.to_string())
}

impl OfferedGame {
    /// What an offer says.
    pub(super) fn new(offer: &GameOffer) -> Self {
        let terms = &offer.terms;
        Self {
            place: (&offer.domain).into(),
            by: TermsPlayer::new(&offer.party(), terms.programs.one),
            shape: terms.shape,
            rules: terms.into(),
            witness: terms.witness,
            stake: Units(terms.stake),
            event: terms.event.map(|event| Hex(event.to_vec())),
            previous: terms.previous,
            colours: match (offer.player, offer.coin) {
                (Some(Player::One), _) => Colours::Red,
                (Some(Player::Two), _) => Colours::Blue,
                (None, Some(_)) => Colours::Coin,
                (None, None) => Colours::Taker,
            },
            taker: offer.taker,
            relay: offer.relay.clone(),
            until: offer.until,
            invite: Hex(offer.invite(&Native).to_vec()),
        }
    }
}

/// Whether a game by an offer counts in the pool that it names, if this player or program takes it.
pub(super) fn is_of_pool(offer: &GameOffer, is_program: bool) -> bool {
    let mut terms = offer.terms;
    terms.programs.two = is_program;
    Pool::of(terms.pool).is_none_or(|pool| pool.takes_terms(&terms))
}

/// Whether a player takes an offer by itself.
pub(super) fn suits(asked: &SuitsAsked) -> Result<bool, Failure> {
    let (own, other) = (read(&asked.own)?, read(&asked.other)?);
    Ok(other.until >= asked.now && own.fits(&other))
}
