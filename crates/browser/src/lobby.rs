//! The lobby of a relay, a message at a time.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use codec::Encode as _;
use connect4_protocol::fast::lobby::{self, Invite, NotPaired, Seek, SignedSeek, ToLobby};
use connect4_protocol::fast::{Party, SignedSession, SignedTerms};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::ShapeSpec;
use connect4_seat::{Identity, LobbyEvent, LobbyVisit, WrongClock, why_refused};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::relay::Refusal;
use crate::session_key;
use crate::values::{Hex, Scale};

/// Who plays.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Who {
    /// Secret of the key that signs, 32 bytes.
    pub secret: Hex,
    /// The account; none of a guest.
    pub account: Option<Address>,
    /// What the account has signed about the key; none of a guest.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub session: Option<Scale<SignedSession>>,
}

/// A step in the lobby, with all that the step before has returned.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyStep {
    /// Who plays.
    pub who: Who,
    /// The visit that was returned last; none before the first message.
    #[cfg_attr(test, ts(as = "Option<Hex>"))]
    pub visit: Option<Scale<LobbyVisit>>,
    /// Time of this machine, in seconds since 1970.
    pub now: u64,
    /// 32 random bytes, other ones for each step.
    pub random: Hex,
    /// What is done.
    pub step: InLobby,
}

/// What a player does in the lobby, or is told.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one lives at a time")]
pub enum InLobby {
    /// Takes a frame of the lobby.
    Hear(Hex),
    /// Seeks a game, in place of what was sought before.
    Seek(Sought),
    /// Answers the first of these seeks that is what this player seeks, and that was there before its own.
    Pair(Vec<Listed>),
    /// Answers a seek.
    Answer(Listed),
    /// Has all seeks listed, and follows them from then on.
    List,
    /// Has the seek with this invite of 16 bytes listed, too.
    Look(Hex),
    /// Seeks no more.
    Withdraw,
}

/// A game that is sought.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sought {
    /// The game.
    pub wish: Wish,
    /// The 16 bytes by which alone it is seen; none if everybody sees it.
    pub invite: Option<Hex>,
}

/// What game a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Wish {
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Whether the player who moves second may swap.
    #[serde(default)]
    pub pie_rule: bool,
    /// Number of the pool.
    #[serde(default)]
    pub pool: u16,
    /// Clock, for a dispute; none for a game without one.
    pub clock: Option<ClockSpec>,
    /// Which player to be.
    pub side: Side,
}

/// Which player a seeker wants to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// One that neither player can choose.
    Random,
    /// The one who moves first.
    First,
    /// The one who moves second.
    Second,
}

impl From<lobby::Side> for Side {
    fn from(side: lobby::Side) -> Self {
        match side {
            lobby::Side::Random => Self::Random,
            lobby::Side::First => Self::First,
            lobby::Side::Second => Self::Second,
        }
    }
}

impl From<Wish> for connect4_seat::Wish {
    fn from(wish: Wish) -> Self {
        Self {
            shape: wish.shape,
            pie_rule: wish.pie_rule,
            pool: wish.pool,
            clock: wish.clock,
            side: match wish.side {
                Side::Random => lobby::Side::Random,
                Side::First => lobby::Side::First,
                Side::Second => lobby::Side::Second,
            },
        }
    }
}

impl From<&Seek> for Wish {
    fn from(seek: &Seek) -> Self {
        Self {
            shape: seek.shape,
            pie_rule: seek.pie_rule,
            pool: seek.pool,
            clock: seek.clock,
            side: seek.side.into(),
        }
    }
}

/// A seek that was listed.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Listed {
    /// What it is called.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// The seek with its signature.
    #[cfg_attr(test, ts(as = "Hex"))]
    pub signed: Scale<SignedSeek>,
}

/// What has come of a step in the lobby.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InLobbyNow {
    /// The visit, for the next step.
    #[cfg_attr(test, ts(as = "Hex"))]
    pub visit: Scale<LobbyVisit>,
    /// Frames for the lobby, in order.
    pub send: Vec<Hex>,
    /// What the frame has said; none of other steps, and of what needs nothing.
    pub said: Option<LobbySaid>,
    /// What the relay refuses, before it closes the connection; none if it does not.
    pub refused: Option<Refusal>,
    /// Whether what this player has signed here can become a game, so that nothing else is signed.
    pub asking: bool,
    /// Whether this player seeks a game.
    pub seeking: bool,
}

/// What has happened in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LobbySaid {
    /// The player is in. Terms are signed for this chain and contract, as the relay says.
    Welcome {
        /// EIP-155 number of the chain.
        #[cfg_attr(test, ts(type = "number"))]
        chain_id: u64,
        /// The contract of the fast games.
        contract: Address,
        /// Why no game can be agreed on here, as the clock of this machine is wrong by the relay's; none if it is not.
        clock: Option<String>,
    },
    /// Somebody seeks a game.
    Listed(ShownSeek),
    /// This seek is not listed any more.
    Gone(#[cfg_attr(test, ts(type = "number"))] u64),
    /// All seeks are listed anew.
    Cleared,
    /// All seeks were listed.
    Complete,
    /// What this player seeks is listed, and called so.
    Seeking(#[cfg_attr(test, ts(type = "number"))] u64),
    /// Two have become a game: this player is one of them.
    Paired {
        /// Number of the game: `0x` and 64 digits.
        game: String,
        /// The terms with both signatures.
        #[cfg_attr(test, ts(as = "Hex"))]
        terms: Scale<SignedTerms>,
    },
    /// An answer makes no game.
    NotPaired {
        /// The seek.
        #[cfg_attr(test, ts(type = "number"))]
        seek: u64,
        /// Why.
        why: WhyNotPaired,
    },
    /// The lobby takes no more of this at the moment.
    Busy,
}

/// Why an answer makes no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum WhyNotPaired {
    /// Somebody else was faster.
    Taken,
    /// The seek is not there any more.
    Gone,
    /// The other player's program does not want it.
    Declined,
    /// The other player's program does not answer.
    Silent,
}

impl From<NotPaired> for WhyNotPaired {
    fn from(why: NotPaired) -> Self {
        match why {
            NotPaired::Taken => Self::Taken,
            NotPaired::Gone => Self::Gone,
            NotPaired::Declined => Self::Declined,
            NotPaired::Silent => Self::Silent,
        }
    }
}

/// A seek of somebody else, who has signed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShownSeek {
    /// What it is called.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// The seek with its signature.
    #[cfg_attr(test, ts(as = "Hex"))]
    pub signed: Scale<SignedSeek>,
    /// Whether it is the one for whose invite this player looks.
    pub invited: bool,
    /// Whether this player, who seeks the same and later, answers it by itself.
    pub suits: bool,
    /// Account of the seeker.
    pub account: Address,
    /// Whether the seeker is a guest.
    pub guest: bool,
    /// Whether the seeker is a program.
    pub program: bool,
    /// What is sought.
    pub wish: Wish,
}

impl Who {
    /// The player of terms.
    fn read(&self) -> Result<Identity, Failure> {
        let key = session_key::of(&self.secret)?;
        Ok(Identity {
            account: self.account.zip(self.session.map(|session| session.0)),
            ..Identity::guest(key)
        })
    }
}

fn invite(code: &Hex) -> Result<Invite, Failure> {
    code.exactly()
}

pub(crate) fn step(asked: LobbyStep) -> Result<InLobbyNow, Failure> {
    let who = asked.who.read()?;
    let Some(Scale(mut visit)) = asked.visit else {
        return enter(&asked.step, asked.now);
    };
    let random: [u8; 32] = asked.random.exactly()?;
    let nonce = random.first_chunk().copied().map_or(0, u32::from_be_bytes);
    let now = asked.now;
    let mut said = None;
    let mut refused = None;
    let send = match asked.step {
        InLobby::Hear(Hex(frame)) => match lobby::read(&frame) {
            None => {
                refused = Some(unreadable());
                None
            }
            Some(message) => match visit.take(&who, message, now) {
                Ok(taken) => {
                    said = taken.event.map(|event| shown(&visit, event));
                    taken.send
                }
                Err(refusal) => {
                    refused = Some(Refusal {
                        text: why_refused(refusal).into_owned(),
                        closes: true,
                    });
                    None
                }
            },
        },
        InLobby::Seek(Sought { wish, invite: by }) => {
            let by = by.as_ref().map(invite).transpose()?;
            Some(visit.seek(&who, &wish.into(), by, now, random))
        }
        InLobby::Pair(listed) => {
            let suits = |Listed { id, signed }: &&Listed| visit.suits_own(*id, &signed.0.seek);
            let found = listed.iter().filter(suits).min_by_key(|listed| listed.id);
            found.and_then(|listed| visit.answer(&who, listed.id, &listed.signed.0, now, nonce))
        }
        InLobby::Answer(listed) => visit.answer(&who, listed.id, &listed.signed.0, now, nonce),
        InLobby::List => Some(ToLobby::List { live: true }),
        InLobby::Look(code) => Some(ToLobby::Look(invite(&code)?)),
        InLobby::Withdraw => Some(visit.withdraw()),
    };
    Ok(InLobbyNow {
        send: send.iter().map(|message| Hex(message.encode())).collect(),
        said,
        refused,
        asking: visit.is_bound(),
        seeking: visit.is_seeking(),
        visit: Scale(visit),
    })
}

fn unreadable() -> Refusal {
    Refusal {
        text: "it sent an invalid message".into(),
        closes: true,
    }
}

/// Takes the first message.
fn enter(step: &InLobby, now: u64) -> Result<InLobbyNow, Failure> {
    let InLobby::Hear(Hex(frame)) = step else {
        return Err(Failure::request("the lobby has not been entered"));
    };
    let message = lobby::read(frame);
    let refused = |text: &str| Failure::answer(alloc::format!("the relay refuses: {text}"));
    if let Some(lobby::FromLobby::Refused(refusal)) = message {
        return Err(refused(&why_refused(refusal)));
    }
    let clock = message.and_then(|message| WrongClock::shown_by(&message, now));
    let visit = message.and_then(|message| LobbyVisit::begin(&message));
    let visit = visit.ok_or_else(|| Failure::answer("the relay does not welcome"))?;
    let domain = visit.domain();
    Ok(InLobbyNow {
        visit: Scale(visit),
        send: Vec::new(),
        said: Some(LobbySaid::Welcome {
            chain_id: domain.chain_id,
            contract: domain.contract,
            clock: clock.map(|wrong| wrong.to_string()),
        }),
        refused: None,
        asking: false,
        seeking: false,
    })
}

fn shown(visit: &LobbyVisit, event: LobbyEvent) -> LobbySaid {
    match event {
        LobbyEvent::Listed { id, invited, seek } => {
            let party = seek.seek.party;
            LobbySaid::Listed(ShownSeek {
                id,
                signed: Scale(*seek),
                invited,
                suits: visit.suits_own(id, &seek.seek),
                account: party.account(),
                guest: matches!(party, Party::Guest(_)),
                program: seek.seek.program,
                wish: Wish::from(&seek.seek),
            })
        }
        LobbyEvent::Gone(id) => LobbySaid::Gone(id),
        LobbyEvent::Cleared => LobbySaid::Cleared,
        LobbyEvent::Complete => LobbySaid::Complete,
        LobbyEvent::Seeking(id) => LobbySaid::Seeking(id),
        LobbyEvent::Paired(terms) => LobbySaid::Paired {
            game: number(visit, &terms),
            terms: Scale(*terms),
        },
        LobbyEvent::NotPaired(seek, why) => LobbySaid::NotPaired {
            seek,
            why: why.into(),
        },
        LobbyEvent::Busy => LobbySaid::Busy,
    }
}

fn number(visit: &LobbyVisit, terms: &SignedTerms) -> String {
    let number = terms
        .terms
        .number(&visit.domain(), &connect4_protocol::fast::Native);
    number.to_string()
}
