//! Fast games, whose players sign.

use connect4_protocol::fast::wire::Offer;
#[cfg(feature = "chain")]
use connect4_protocol::fast::wrapped;
use connect4_protocol::fast::{
    AccountSignature, Agreed, Domain, Ending, Evidence, FastGame, GameNumber, GameTerms, Kind,
    Moves, Native, Party, PlayedGame, RecordedGame, Session, SessionKey, Signature, SignedSession,
    SignedTerms, Statement,
};
use connect4_protocol::message::Advance;
use connect4_protocol::{Address, ClockSpec, GameId};
use connect4_rules::{ByPlayer, Player, Shape};
#[cfg(feature = "chain")]
use sp_core::Pair as _;

#[cfg(feature = "chain")]
use crate::{Account, address};

/// Contract and chain of fast games that no chain in a test has.
pub const DOMAIN: Domain = Domain::new(420_420_421, Address([0xcc; 20]));

/// The message that brings a signed position, or a signed end, and presses nobody.
pub const fn brings(game: u32, evidence: Evidence) -> Advance {
    Advance {
        game,
        press: false,
        evidence,
    }
}

/// A fast game with the keys of both players.
#[derive(Clone, Debug)]
pub struct FastPlay {
    pub number: u32,
    /// The game as the chain has it.
    pub game: FastGame,
    /// Contract and chain.
    pub domain: Domain,
    pub keys: ByPlayer<SessionKey>,
}

impl FastPlay {
    /// A game on the standard board that has just begun, with keys of its own for each number.
    pub fn new(number: u32) -> Self {
        let keys = ByPlayer::from_fn(|player| {
            let mut secret = match player {
                Player::One => [0x11; 32],
                Player::Two => [0x22; 32],
            };
            secret[..4].copy_from_slice(&number.to_le_bytes());
            SessionKey::from_secret(&secret).expect("a key")
        });
        let agreed = Agreed {
            players: ByPlayer {
                one: Address([0xa; 20]),
                two: Address([0xb; 20]),
            },
            keys: ByPlayer::from_fn(|player| keys.get(player).address()),
            payer: Address([0xb; 20]),
            shape: Shape::STANDARD.into(),
            clock: None,
            pie_rule: false,
        };
        Self {
            number,
            game: FastGame::start(&agreed).expect("two keys"),
            domain: Domain::new(420_420_421, Address([0xcc; 20])),
            keys,
        }
    }

    pub const fn id(&self) -> GameId {
        GameId::of_two(self.number)
    }

    /// What two honest players hold after these moves, and this ending.
    pub fn evidence(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        self.table().signed(bins, ending)
    }

    /// What two honest players hold after moves of which the last completes a line: the loser has
    /// resigned at them.
    pub fn agreed(&self, bins: &[u8]) -> Evidence {
        self.table().agreed(bins)
    }

    fn table(&self) -> Table {
        Table {
            game: self.number,
            keys: self.keys.clone(),
            domain: self.domain,
        }
    }

    pub fn offer(&self, by: Player, until: u64, bins: &[u8]) -> Offer {
        let mut offer = Offer {
            by,
            until,
            moves: Moves::from_bins(bins).expect("few moves"),
            signature: Signature::NONE,
        };
        let digest = offer.statement(self.number).digest(&self.domain, &Native);
        offer.signature = self.keys.get(by).sign(&digest);
        offer
    }
}

/// A session key; each number has another. Everybody knows their secrets.
pub fn session_key(number: u64) -> SessionKey {
    let mut secret = [0x5e; 32];
    secret[..8].copy_from_slice(&number.to_le_bytes());
    SessionKey::from_secret(&secret).expect("a key")
}

/// The order of secp256k1.
pub const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];

/// The same signature with the other one of the two values of `s` that fit, as anybody can write it.
pub fn other_form(Signature(bytes): &Signature) -> Signature {
    let mut other = *bytes;
    let mut borrowed = 0_i16;
    for at in (0..32).rev() {
        let left = i16::from(ORDER[at]) - i16::from(bytes[32 + at]) - borrowed;
        borrowed = i16::from(left < 0);
        other[32 + at] = left.rem_euclid(256) as u8;
    }
    other[64] = 27 + 28 - bytes[64];
    Signature(other)
}

/// A fast game, and the session keys of both players.
#[derive(Clone, Debug)]
pub struct Table {
    pub game: u32,
    pub keys: ByPlayer<SessionKey>,
    /// What statements are signed for.
    pub domain: Domain,
}

impl Table {
    /// Signature of a player on a statement about this game.
    pub fn sign(&self, by: Player, kind: Kind, moves: &[u8]) -> Signature {
        let statement = Statement {
            game: self.game.into(),
            kind,
            moves,
        };
        let digest = statement.digest(&self.domain, &Native);
        self.keys.get(by).sign(&digest)
    }

    /// What both players hold after these moves, from 0 at the left, and this ending.
    pub fn signed(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        signed(self.game.into(), &self.keys, &self.domain, bins, ending)
    }

    /// What both hold after moves of which the last completes a line: the loser has resigned at them, so
    /// that the line is final at once.
    pub fn agreed(&self, bins: &[u8]) -> Evidence {
        let loser = if bins.len().is_multiple_of(2) {
            Player::One
        } else {
            Player::Two
        };
        self.signed(bins, Some(Ending::Resignation(loser)))
    }

    /// [`Self::signed`] of a position in which the game goes on, or ended on the board.
    pub fn position(&self, bins: &[u8]) -> Evidence {
        self.signed(bins, None)
    }
}

/// What both players of a game hold after these moves and this ending.
pub(crate) fn signed(
    game: GameNumber,
    keys: &ByPlayer<SessionKey>,
    domain: &Domain,
    bins: &[u8],
    ending: Option<Ending>,
) -> Evidence {
    let mut evidence = Evidence {
        ending,
        moves: Moves::from_bins(bins).expect("few moves"),
        ..Evidence::start()
    };
    let unsigned = evidence;
    for player in Player::ALL {
        if let Some(statement) = unsigned.statement_of(player, game) {
            let digest = statement.digest(domain, &Native);
            evidence.signatures[player] = keys.get(player).sign(&digest);
        }
    }
    evidence
}

/// Who names a session key.
#[derive(Clone, Debug)]
pub enum Wallet {
    /// Nobody: the key is the account.
    Guest,
    Ethereum(SessionKey),
    #[cfg(feature = "chain")]
    Substrate(Account),
}

impl Wallet {
    pub(crate) fn account(&self) -> Option<Address> {
        match self {
            Self::Guest => None,
            Self::Ethereum(key) => Some(key.address()),
            #[cfg(feature = "chain")]
            Self::Substrate(account) => Some(address(*account)),
        }
    }

    pub(crate) fn sign(&self, digest: &[u8; 32]) -> Option<AccountSignature> {
        match self {
            Self::Guest => None,
            Self::Ethereum(key) => Some(AccountSignature::Ethereum(key.sign(digest))),
            #[cfg(feature = "chain")]
            Self::Substrate(account) => {
                let pair = account.pair();
                Some(AccountSignature::Sr25519 {
                    public_key: pair.public().0,
                    signature: pair.sign(&wrapped(digest)).0,
                })
            }
        }
    }
}

/// A game by signed terms, and the keys of both players.
#[derive(Clone, Debug)]
pub struct TermsPlay {
    pub terms: GameTerms,
    /// What is signed is for this contract of fast games.
    pub domain: Domain,
    pub keys: ByPlayer<SessionKey>,
    /// What each account has signed about its key.
    pub sessions: ByPlayer<Option<SignedSession>>,
}

impl TermsPlay {
    /// A game on the standard board with a clock of five minutes and the pie rule. Each nonce has keys of its
    /// own.
    pub fn new(domain: Domain, time: u64, nonce: u32, wallets: ByPlayer<Wallet>) -> Self {
        let keys = ByPlayer {
            one: session_key(1_000_000 + 2 * u64::from(nonce)),
            two: session_key(1_000_001 + 2 * u64::from(nonce)),
        };
        let party = |player| {
            let key = keys.get(player).address();
            Party::new(wallets.get(player).account().unwrap_or(key), key)
        };
        let until = time + 600;
        let session = |player| {
            let party = party(player);
            let session = Session {
                account: party.account(),
                key: party.key(),
                until,
            };
            let signature = wallets.get(player).sign(&session.digest(&domain, &Native));
            signature.map(|signature| SignedSession { until, signature })
        };
        Self {
            terms: GameTerms {
                players: ByPlayer::from_fn(party),
                shape: Shape::STANDARD.into(),
                pie_rule: true,
                pool: 2,
                programs: ByPlayer::default(),
                clock: Some(ClockSpec {
                    bank: 300,
                    increment: 5,
                }),
                time,
                nonce,
            },
            domain,
            sessions: ByPlayer::from_fn(session),
            keys,
        }
    }

    pub fn guests(domain: Domain, time: u64, nonce: u32) -> Self {
        let wallets = ByPlayer::from_fn(|_| Wallet::Guest);
        Self::new(domain, time, nonce, wallets)
    }

    pub fn number(&self) -> GameNumber {
        self.terms.number(&self.domain, &Native)
    }

    /// The terms, signed by both keys.
    pub fn signed_terms(&self) -> SignedTerms {
        SignedTerms {
            terms: self.terms,
            sessions: self.sessions,
            signatures: self.keys.clone().map(|key| key.sign(&self.number().0)),
        }
    }

    /// What both players hold after these moves, and this ending.
    pub fn evidence(&self, bins: &[u8], ending: Option<Ending>) -> Evidence {
        signed(self.number(), &self.keys, &self.domain, bins, ending)
    }

    /// The same as it is recorded.
    pub fn recorded(&self, bins: &[u8], ending: Option<Ending>) -> RecordedGame {
        let played = PlayedGame {
            terms: self.terms,
            sessions: self.sessions,
            evidence: self.evidence(bins, ending),
        };
        RecordedGame::of(&played).expect("its sessions are there")
    }
}
