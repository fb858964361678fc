//! The lobby of a relay for signed games, a message at a time.

use alloc::string::{String, ToString as _};

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::Address;
use connect4_protocol::signed::lobby::{self, FromLobby, NotPaired, Offer, ToLobby};
use connect4_protocol::signed::{Chain, Domain};
use connect4_seat::GameOffer;
use serde::{Deserialize, Serialize};

use super::offer::{self, OfferedGame};
use crate::failure::Failure;
use crate::place::SignedPlace;
use crate::relay::Refusal;
use crate::values::Hex;

/// What is said in the lobby.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SaidInLobby {
    /// Offers a game, in place of the one before.
    Offer(OfferInLobby),
    /// Offers nothing any more, and takes no offer that still waits.
    Withdraw,
    /// Wants to see the offer with this invite of 16 bytes, too.
    Look(Hex),
    /// Takes an offer.
    Take(LetterTo),
    /// Has the game with this taker, or with a stake waits for its payment: the offer has ended, or stays on the list.
    Accept(AnswerTo),
    /// Does not play with this taker.
    Decline(AnswerTo),
    /// Wants all offers listed, and follows them from then on.
    List,
}

/// An offer for the lobby.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfferInLobby {
    /// The offer, as text.
    pub offer: String,
    /// The 16 bytes by which alone it is seen; none if everybody sees it.
    pub invite: Option<Hex>,
}

/// A letter to the player who offers.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LetterTo {
    /// What the offer is called.
    #[cfg_attr(test, ts(type = "number"))]
    pub offer: u64,
    /// The message, as a player sends it.
    pub letter: Hex,
}

/// An answer to a taker.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswerTo {
    /// What the own offer is called.
    #[cfg_attr(test, ts(type = "number"))]
    pub offer: u64,
    /// What its taking is called.
    #[cfg_attr(test, ts(type = "number"))]
    pub take: u64,
    /// The message, as a player sends it; empty of one that declines.
    pub letter: Hex,
    /// Whether the offer stays on the list for others, who may pay the stake before this taker; not looked at of one
    /// that declines.
    pub stays: bool,
}

/// What the lobby says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one lives at a time")]
pub enum HeardInLobby {
    /// The first message, and again if the relay's witness has changed.
    Welcome(LobbyWelcome),
    Listed(ListedOffer),
    /// An offer is not there any more.
    Gone(u64),
    /// Somebody takes the own offer.
    Taken(TakenInLobby),
    Refused(Refusal),
    Accepted(AcceptedInLobby),
    NotPaired(NotPairedInLobby),
    /// What was listed is not valid any more: all offers are listed anew.
    Cleared,
    /// All offers were listed.
    Complete,
    /// How many wait and play, by the relay's word.
    Counts(LobbyCounts),
}

/// How many wait and play at a relay, by its own word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyCounts {
    pub waiting: u32,
    pub playing: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyWelcome {
    /// The relay's time, in milliseconds since 1970.
    pub time: u64,
    /// The witness that the relay is; none if it is none.
    pub witness: Option<LobbyWitness>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyWitness {
    pub key: Address,
    /// Where its games are signed.
    pub place: SignedPlace,
}

/// An offer that is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedOffer {
    /// What it is called.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Whether it is seen by an invite alone.
    pub invited: bool,
    /// The offer as text, and what it says; none if it is junk, or no game of the pool that it names.
    pub offer: Option<String>,
    pub game: Option<OfferedGame>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TakenInLobby {
    #[cfg_attr(test, ts(type = "number"))]
    pub offer: u64,
    /// What the taking is called.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    pub letter: Hex,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AcceptedInLobby {
    #[cfg_attr(test, ts(type = "number"))]
    pub offer: u64,
    pub letter: Hex,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NotPairedInLobby {
    #[cfg_attr(test, ts(type = "number"))]
    pub offer: u64,
    pub why: WhyNoGame,
}

/// Why there is no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WhyNoGame {
    /// Somebody else was faster.
    Taken,
    /// The other one has gone, or has withdrawn.
    Gone,
    Declined,
    /// The other program has said nothing in time.
    Silent,
}

/// The frame that says it.
pub(super) fn say(said: SaidInLobby) -> Result<Hex, Failure> {
    let letter = |Hex(bytes)| {
        let letter = lobby::Letter::new(bytes);
        letter.ok_or_else(|| Failure::request("the letter is too long"))
    };
    let said = match said {
        SaidInLobby::Offer(OfferInLobby { offer, invite }) => ToLobby::Offer {
            offer: Offer::new(offer::read(&offer)?.encode())
                .ok_or_else(|| Failure::request("the offer is too long"))?,
            invite: invite.as_ref().map(Hex::exactly).transpose()?,
        },
        SaidInLobby::Withdraw => ToLobby::Withdraw,
        SaidInLobby::Look(invite) => ToLobby::Look(invite.exactly()?),
        SaidInLobby::Take(taken) => ToLobby::Take {
            offer: taken.offer,
            letter: letter(taken.letter)?,
        },
        SaidInLobby::Accept(answer) => ToLobby::Accept {
            offer: answer.offer,
            take: answer.take,
            letter: letter(answer.letter)?,
            stays: answer.stays,
        },
        SaidInLobby::Decline(AnswerTo { offer, take, .. }) => ToLobby::Decline { offer, take },
        SaidInLobby::List => ToLobby::List { live: true },
    };
    Ok(Hex::of(&said))
}

/// What a frame says; none if it is no message.
pub(super) fn hear(Hex(frame): &Hex) -> Option<HeardInLobby> {
    Some(match lobby::read(frame)? {
        FromLobby::Welcome { time, witness } => HeardInLobby::Welcome(LobbyWelcome {
            time,
            witness: witness.map(|at| LobbyWitness {
                key: at.key,
                place: (&Domain::without_stake(Chain {
                    id: at.chain_id,
                    genesis: at.genesis,
                }))
                    .into(),
            }),
        }),
        FromLobby::Listed { id, invited, offer } => {
            let read = GameOffer::decode_all(&mut offer.as_bytes()).ok();
            let read = read
                .filter(|offer| offer::is_of_pool(offer, false) || offer::is_of_pool(offer, true));
            HeardInLobby::Listed(ListedOffer {
                id,
                invited,
                game: read.as_ref().map(OfferedGame::new),
                offer: read.map(|offer| offer.to_string()),
            })
        }
        FromLobby::Gone { id } => HeardInLobby::Gone(id),
        FromLobby::Taken { offer, id, letter } => HeardInLobby::Taken(TakenInLobby {
            offer,
            id,
            letter: Hex(letter.as_bytes().to_vec()),
        }),
        FromLobby::Refused(refusal) => HeardInLobby::Refused(refusal.into()),
        FromLobby::Accepted { offer, letter } => HeardInLobby::Accepted(AcceptedInLobby {
            offer,
            letter: Hex(letter.as_bytes().to_vec()),
        }),
        FromLobby::NotPaired { offer, why } => HeardInLobby::NotPaired(NotPairedInLobby {
            offer,
            why: match why {
                NotPaired::Taken => WhyNoGame::Taken,
                NotPaired::Gone => WhyNoGame::Gone,
                NotPaired::Declined => WhyNoGame::Declined,
                NotPaired::Silent => WhyNoGame::Silent,
            },
        }),
        FromLobby::Cleared => HeardInLobby::Cleared,
        FromLobby::Complete => HeardInLobby::Complete,
        FromLobby::Counts(lobby::Counts { waiting, playing }) => {
            HeardInLobby::Counts(LobbyCounts { waiting, playing })
        }
    })
}
