//! Games by signed terms, of guests and of accounts.

use connect4_protocol::fast::{
    AccountSignature, Crypto as _, Digest, Domain, Ending, Evidence, FastGame, GameTerms, Moves,
    Native, Party, PlayedGame, Session, SessionKey, SignedSession, SignedTerms, wrapped,
};
use connect4_protocol::{Address, ClockSpec, End, Error};
use connect4_rules::{ByPlayer, Player, Shape};

use super::fast::Signers;

pub const NOW: u64 = 1_800_000_000;
pub const DOMAIN: Domain = Domain::new(420_420_420, Address([0xcc; 20]));
pub const COLUMN: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];
pub const SWAP: u8 = Moves::SWAP;

pub fn key(byte: u8) -> SessionKey {
    SessionKey::from_secret(&[byte; 32]).expect("a key")
}

pub fn keys() -> ByPlayer<SessionKey> {
    ByPlayer {
        one: key(1),
        two: key(2),
    }
}

pub fn guests() -> GameTerms {
    GameTerms {
        players: keys().map(|key| Party::Guest(key.address())),
        shape: Shape::STANDARD.into(),
        pie_rule: true,
        pool: 7,
        programs: ByPlayer {
            one: false,
            two: true,
        },
        clock: Some(ClockSpec {
            bank: 180,
            increment: 2,
        }),
        time: NOW,
        nonce: 9,
    }
}

/// Player one is an account of Ethereum with a session key, player two one of Substrate.
pub fn accounts() -> GameTerms {
    let players = ByPlayer {
        one: Party::Account {
            account: key(3).address(),
            key: key(1).address(),
        },
        two: Party::Account {
            account: substrate_account(),
            key: key(2).address(),
        },
    };
    GameTerms {
        players,
        ..guests()
    }
}

pub fn substrate() -> schnorrkel::Keypair {
    let mode = schnorrkel::ExpansionMode::Ed25519;
    let secret = schnorrkel::MiniSecretKey::from_bytes(&[4; 32]).expect("32 bytes");
    secret.expand_to_keypair(mode)
}

pub fn substrate_account() -> Address {
    Address::of_hash(&Native.keccak256(&substrate().public.to_bytes()))
}

pub fn session_of(party: Party, until: u64) -> Digest {
    let session = Session {
        account: party.account(),
        key: party.key(),
        until,
    };
    session.digest(&DOMAIN, &Native)
}

pub fn by_wallet(digest: &Digest) -> AccountSignature {
    let pair = substrate();
    let context = schnorrkel::signing_context(b"substrate");
    AccountSignature::Sr25519 {
        public_key: pair.public.to_bytes(),
        signature: pair.sign(context.bytes(&wrapped(digest))).to_bytes(),
    }
}

/// What both accounts sign about their session keys.
pub fn sessions(terms: &GameTerms, until: u64) -> ByPlayer<Option<SignedSession>> {
    let one = key(3).sign(&session_of(terms.players.one, until));
    let two = by_wallet(&session_of(terms.players.two, until));
    ByPlayer {
        one: AccountSignature::Ethereum(one),
        two,
    }
    .map(|signature| Some(SignedSession { until, signature }))
}

pub fn signed(terms: GameTerms, sessions: ByPlayer<Option<SignedSession>>) -> SignedTerms {
    let digest = terms.digest(&DOMAIN, &Native);
    SignedTerms {
        terms,
        sessions,
        signatures: keys().map(|key| key.sign(&digest)),
    }
}

pub fn start(signed: &SignedTerms) -> Result<FastGame, Error> {
    signed.start(Address([9; 20]), &DOMAIN, &Native)
}

pub fn evidence(terms: &GameTerms, moves: &[u8], ending: Option<Ending>) -> Evidence {
    let signers = Signers {
        keys: keys(),
        game: terms.number(&DOMAIN, &Native),
        domain: DOMAIN,
    };
    signers.evidence(moves, ending)
}

pub fn played(moves: &[u8], ending: Option<Ending>) -> PlayedGame {
    PlayedGame {
        terms: guests(),
        sessions: ByPlayer::default(),
        evidence: evidence(&guests(), moves, ending),
    }
}

pub fn check(played: &PlayedGame) -> Result<(Option<End>, Option<Player>), Error> {
    let (number, game) = played.check(&DOMAIN, &Native)?;
    assert_eq!(number, played.terms.number(&DOMAIN, &Native));
    Ok((game.end(), game.winner()))
}
