//! Games of a witness without input and output, by signatures that cost nothing.

use std::collections::BTreeMap;

use connect4_protocol::Address;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::wire::{Act, Spoken, Telling, Told};
use connect4_protocol::signed::{
    AccountCrypto, Chain, Crypto, Digest, Domain, GameNumber, Moves, Signature, SignedTerms,
};
use connect4_rules::{ByPlayer, Player, ShapeSpec};

pub const CHAIN: Chain = Chain {
    id: 1,
    genesis: [1; 32],
};
pub const DOMAIN: Domain = Domain::without_stake(CHAIN);
pub const WITNESS: Address = Address([0xee; 20]);
/// When the walks begin, in milliseconds since 1970.
pub const START: u64 = 1_800_000_000_000;
pub const SMALL: ShapeSpec = ShapeSpec {
    bins: 5,
    capacity: 4,
    line: 3,
};
/// As the relay's documents say: how often it looks, and by how much it can be late.
pub const TURN: u64 = 100;
pub const LATE: u64 = 200;
pub const FIRST_MOVE: u64 = 30_000;
pub const BACK: u64 = 15_000;
pub const IDLE: u64 = 14 * 24 * 60 * 60 * 1_000;

/// Signatures that are made and checked by a hash: walks forge none.
#[derive(Clone, Copy)]
pub struct Cheap;

impl Crypto for Cheap {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        Native.keccak256(bytes)
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        let (address, _) = signature.0.split_first_chunk()?;
        let address = Address(*address);
        (sign(address, digest) == *signature).then_some(address)
    }
}

impl AccountCrypto for Cheap {
    fn verify_sr25519(&self, _: &[u8; 32], _: &[u8], _: &[u8; 64]) -> bool {
        false
    }
}

pub fn sign(by: Address, digest: &Digest) -> Signature {
    let mut bytes = [0; 65];
    bytes[..20].copy_from_slice(&by.0);
    bytes[20..52].copy_from_slice(&Native.keccak256(&[&by.0[..], digest].concat()));
    Signature(bytes)
}

pub fn key(number: u8, player: Player) -> Address {
    Address([2 * number + 1 + u8::from(player == Player::Two); 20])
}

/// A game, with what its players and strangers have.
pub struct Play {
    pub number: GameNumber,
    pub signed: SignedTerms,
    /// Everything that was ever signed by a player.
    pub spoken: Vec<Spoken>,
    /// What each player has signed for each of its turns: an honest one signs a turn once.
    pub turns: BTreeMap<Vec<u8>, Spoken>,
    /// Everything that the witness has ever told.
    pub told: Vec<Told>,
    /// What each player has been told last.
    pub seen: ByPlayer<Option<Told>>,
    /// The fair times between which the clock stood after restarts; the last one may still stand.
    pub holds: Vec<(u64, u64)>,
    /// Moves that the witness has taken.
    pub taken: usize,
    /// Who has not come back since a restart, and until when its clock stands for that.
    pub away: ByPlayer<bool>,
    pub back_until: u64,
}

impl Play {
    /// A game that has begun.
    pub fn of(signed: SignedTerms) -> Self {
        Self {
            number: signed.number(CHAIN, &Cheap),
            signed,
            spoken: Vec::new(),
            turns: BTreeMap::new(),
            told: Vec::new(),
            seen: ByPlayer::default(),
            holds: Vec::new(),
            taken: 0,
            away: ByPlayer::default(),
            back_until: 0,
        }
    }

    pub fn say(&mut self, by: Player, act: Act, moves: Moves) -> Spoken {
        let mut spoken = Spoken {
            by,
            act,
            moves,
            signature: Signature::NONE,
        };
        let digest = spoken.statement(self.number).digest(&DOMAIN, &Cheap);
        spoken.signature = sign(self.signed.terms.players.get(by).key(), &digest);
        self.spoken.push(spoken);
        spoken
    }

    pub fn newest(&self) -> Moves {
        let receipts = self.told.iter().filter(|told| is_receipt(told));
        receipts
            .map(|told| told.moves)
            .max_by_key(|moves| moves.len())
            .unwrap_or_default()
    }

    /// A player is there again.
    pub fn back(&mut self, by: Player, fair: u64) {
        self.away[by] = false;
        if turn(self.taken) == by {
            self.release(fair);
        }
    }

    /// The witness has taken a move, so that the clock of the other player runs, unless that one is away.
    pub fn moved(&mut self, by: Player, fair: u64) {
        self.back(by, fair);
        self.taken += 1;
        if *self.away.get(by.opponent()) && fair < self.back_until {
            self.holds.push((fair, self.back_until));
        }
    }

    /// The clock runs from now on.
    pub fn release(&mut self, fair: u64) {
        if let Some((_, until)) = self.holds.last_mut() {
            *until = fair.min(*until);
        }
    }

    /// For how much fair time the clock can have run between these two.
    pub fn ran(&self, from: u64, to: u64) -> u64 {
        let held = self.holds.iter().map(|(since, until)| {
            let (since, until) = ((*since).max(from), (*until).min(to));
            until.saturating_sub(since)
        });
        to - from - held.sum::<u64>()
    }
}

pub fn is_receipt(told: &Told) -> bool {
    matches!(told.what, Telling::Receipt { .. })
}

pub fn to_move(moves: &[u8]) -> Player {
    turn(moves.len())
}

/// The player to move after so many moves.
pub fn turn(moves: usize) -> Player {
    match moves % 2 {
        0 => Player::One,
        _ => Player::Two,
    }
}

pub fn mover_of(moves: &[u8]) -> Option<Player> {
    moves
        .len()
        .checked_sub(1)
        .map(|before| to_move(&moves[..before]))
}
