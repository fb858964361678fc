//! The room of a game with a stake, where the programs of both players tell each other what they hold.

use alloc::string::String;

use connect4_protocol::decode_all;
use connect4_protocol::signed::Presence;
use connect4_protocol::signed::event::Funded;
use connect4_protocol::signed::staked_room::{self, FromStakedRoom, ToStakedRoom};
use connect4_protocol::signed::{Native, SessionKey};
use connect4_rules::Player as Side;
use connect4_seat::{GameOffer, Input, Message, Player, Shown, Stage, What, why_refused};

use super::input::Besides;
use super::shelf::PageShelf;
use crate::failure::Failure;

/// What a frame of the room leads to.
pub(super) struct Heard {
    /// What the player is told; none if nothing.
    pub input: Option<Input>,
    pub besides: Besides,
}

impl Heard {
    fn told(input: Input) -> Self {
        Self {
            input: Some(input),
            besides: Besides::default(),
        }
    }

    fn besides(besides: Besides) -> Self {
        Self {
            input: None,
            besides,
        }
    }
}

/// Path of the room in which the opponent is met. Not before a final block has the game: what is said there is told once to
/// a page that enters, and a player believes none of it before.
pub(super) fn room_of(shown: &Shown) -> Option<String> {
    let is_begun = matches!(shown.stage, Stage::Playing | Stage::Ending);
    let is_sure = shown.awaited.is_none_or(|of| of.what != What::Begin);
    let number = shown
        .number
        .filter(|_| shown.stake > 0 && is_begun && is_sure);
    number.map(staked_room::path)
}

/// What is said in the room of what a player wants the opponent to know; none if that is no matter of the room.
pub(super) const fn said(message: &Message) -> Option<ToStakedRoom> {
    match message {
        Message::Evidence(evidence) => Some(ToStakedRoom::Position(*evidence)),
        Message::Draw(offer) => Some(ToStakedRoom::Offer(*offer)),
        // The room is for terms that both have paid for.
        Message::Taken(_)
        | Message::Terms(_)
        | Message::Tossed(_)
        | Message::Decided { .. }
        | Message::Accepted(_) => None,
    }
}

/// What an event of the contract of the stakes is to the player of an offer; none if nobody has paid by it who takes
/// that offer.
pub(super) fn paid(data: &[u8], offer: &GameOffer) -> Option<Input> {
    let funded = decode_all::<Funded>(data).ok()?;
    offer.paid_by(&funded).map(Input::Paid)
}

/// Takes a frame of the room.
///
/// # Errors
///
/// `BadMessage` if it is no message of such a room; `RoomRefuses` with the relay's reason.
pub(super) fn hear(
    frame: &[u8],
    player: &Player<PageShelf, SessionKey>,
    key: &SessionKey,
) -> Result<Heard, Failure> {
    let side = player.side();
    let by_opponent = |by: Side| side.is_some_and(|side| by != side);
    let said = staked_room::read::<FromStakedRoom>(frame);
    let said = said.ok_or_else(|| Failure::new("BadMessage", "this is no message of a game"))?;
    Ok(match said {
        FromStakedRoom::Welcome { nonce } => match enter(player, key, nonce) {
            Some(enters) => Heard {
                input: Some(Input::Connected),
                besides: Besides {
                    enters: Some(enters),
                    ..Besides::default()
                },
            },
            None => Heard::besides(Besides::default()),
        },
        FromStakedRoom::Position { by, evidence } if by_opponent(by) => {
            Heard::told(Input::Message(Message::Evidence(evidence)))
        }
        FromStakedRoom::Offer { by, offer } if by_opponent(by) => {
            Heard::told(Input::Message(Message::Draw(offer)))
        }
        FromStakedRoom::Position { .. } | FromStakedRoom::Offer { .. } => {
            Heard::besides(Besides::default())
        }
        FromStakedRoom::Present(present) => Heard::besides(Besides {
            present: Some(present.into()),
            ..Besides::default()
        }),
        FromStakedRoom::Refused(refusal) => {
            return Err(Failure::new("RoomRefuses", why_refused(refusal)));
        }
    })
}

/// The first message in the room, by which the player enters it; none while nobody has taken the offer.
fn enter(
    player: &Player<PageShelf, SessionKey>,
    key: &SessionKey,
    nonce: [u8; 32],
) -> Option<ToStakedRoom> {
    let (terms, game, side) = (*player.terms()?, player.number()?, player.side()?);
    let domain = player.record().offer.domain;
    let presence = Presence { game, nonce }.digest(&domain, &Native);
    Some(ToStakedRoom::Enter {
        domain,
        terms,
        player: Some((side, key.sign(&presence))),
    })
}
