//! Signed games without a stake, whose order a witness keeps.

use connect4_protocol::signed::wire::{Act, Spoken, Telling, ToWitness, Told};
use connect4_protocol::signed::{
    Chain, Digest, Domain, Ended, Ending, Ends, Finished, GameNumber, Moves, Native, Outcome,
    Party, Presence, Refused, Session, SessionKey, Signature, SignedSession, SignedTerms, Terms,
    Witnessed,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::{ByPlayer, Player, Shape};

use crate::keys::{Wallet, session_key};

/// The chain of these games.
pub const CHAIN: Chain = Chain {
    id: 420_420_421,
    genesis: [0x9e; 32],
};
pub const DOMAIN: Domain = Domain::without_stake(CHAIN);

/// A signed game, with the keys of both players.
#[derive(Clone, Debug)]
pub struct SignedPlay {
    pub chain: Chain,
    pub signed: SignedTerms,
    pub number: GameNumber,
    pub keys: ByPlayer<SessionKey>,
}

impl SignedPlay {
    /// A game on the standard board whose terms are made at this time, in seconds since 1970, with keys of its own for
    /// each number.
    pub fn new(number: u64, witness: Address, clock: Option<ClockSpec>, time: u64) -> Self {
        let keys = ByPlayer {
            one: session_key(2 * number),
            two: session_key(2 * number + 1),
        };
        let terms = Terms {
            players: ByPlayer::from_fn(|player| Party::Guest(keys.get(player).address())),
            clock,
            witness: Some(witness),
            time,
            nonce: 7,
            ..Terms::on(Shape::STANDARD)
        };
        Self::of(terms, keys)
    }

    pub fn of(terms: Terms, keys: ByPlayer<SessionKey>) -> Self {
        Self::on(CHAIN, terms, keys)
    }

    pub fn on(chain: Chain, terms: Terms, keys: ByPlayer<SessionKey>) -> Self {
        let number = terms.number(&Domain::without_stake(chain), &Native);
        let signatures = ByPlayer::from_fn(|player| keys.get(player).sign(&number.0));
        Self {
            chain,
            signed: SignedTerms {
                terms,
                sessions: ByPlayer::default(),
                signatures,
            },
            number,
            keys,
        }
    }

    /// A game by these terms, with keys of its own for each number, which these wallets have named.
    pub fn by_wallets(chain: Chain, terms: Terms, number: u64, wallets: &ByPlayer<Wallet>) -> Self {
        let keys = ByPlayer {
            one: session_key(2 * number),
            two: session_key(2 * number + 1),
        };
        let players = ByPlayer::from_fn(|player| {
            let key = keys.get(player).address();
            Party::new(wallets.get(player).account().unwrap_or(key), key)
        });
        let until = terms.time;
        let mut play = Self::on(chain, Terms { players, ..terms }, keys);
        play.signed.sessions = ByPlayer::from_fn(|player| {
            let party = players.get(player);
            let session = Session {
                account: party.account(),
                key: party.key(),
                until,
            };
            let digest = play.domain().digest(&Native, &session.hash(&Native));
            let signature = wallets.get(player).sign(&digest)?;
            Some(SignedSession { until, signature })
        });
        play
    }

    pub const fn domain(&self) -> Domain {
        Domain::without_stake(self.chain)
    }

    /// The game after these moves, from 0 at the left, with all that shows that it ended; `at`, in milliseconds since
    /// 1970, by the word of its witness, if it has one.
    pub fn finished(&self, bins: &[u8], ending: Ending, witness: &SessionKey, at: u64) -> Finished {
        let mut finished = Finished {
            terms: self.signed.terms,
            sessions: self.signed.sessions,
            moves: Moves::from_bins(bins).expect("few moves"),
            ending,
            signatures: ByPlayer::default(),
            witnessed: None,
        };
        let unsigned = finished;
        finished.signatures = ByPlayer::from_fn(|player| {
            let statement = unsigned.statement_of(player, self.number);
            let digest = statement.digest(&self.domain(), &Native);
            self.keys.get(player).sign(&digest)
        });
        if finished.terms.witness.is_some() {
            let ended = Ended {
                game: self.number,
                moves: &finished.moves,
                end: ending.witnessed(),
                at,
            };
            let signature = witness.sign(&ended.digest(&self.domain(), &Native));
            finished.witnessed = Some(Witnessed { at, signature });
        }
        finished
    }

    pub fn join(&self, player: Player, nonce: [u8; 32]) -> ToWitness {
        let presence = Presence {
            game: self.number,
            nonce,
        };
        let digest = presence.digest(&self.domain(), &Native);
        ToWitness::Join {
            player,
            signature: self.keys.get(player).sign(&digest),
        }
    }

    /// What a player says about these moves, from 0 at the left.
    pub fn spoken(&self, by: Player, act: Act, bins: &[u8]) -> Spoken {
        let mut spoken = Spoken {
            by,
            act,
            moves: Moves::from_bins(bins).expect("few moves"),
            signature: Signature::NONE,
        };
        let digest = spoken
            .statement(self.number)
            .digest(&self.domain(), &Native);
        spoken.signature = self.keys.get(by).sign(&digest);
        spoken
    }

    /// The last of these moves, by the player whose turn it is.
    pub fn made(&self, bins: &[u8]) -> Spoken {
        let by = match bins.len() % 2 {
            1 => Player::One,
            _ => Player::Two,
        };
        self.spoken(by, Act::Move, bins)
    }

    /// Whether any two of these statements of the witness contradict each other.
    #[must_use]
    pub fn contradicts(&self, all: &[Told]) -> bool {
        let of = |one: &Told| {
            let mut others = all.iter();
            others.any(|other| {
                one.contradicts(other, &self.signed.terms, self.number)
                    .is_some()
            })
        };
        all.iter().any(of)
    }

    /// The judgement of the end that the witness has told.
    ///
    /// # Errors
    ///
    /// As [`Finished::judge`](connect4_protocol::signed::Finished::judge).
    pub fn judge(&self, told: &Told) -> Result<Outcome, Refused> {
        assert!(matches!(told.what, Telling::Ended(_)), "{told:?}");
        let finished = told.finished(&self.signed).ok_or(Refused::TooShort)?;
        finished.judge(self.chain, &Native)
    }
}

/// What a witness says of a game; the signatures of the players are left out.
pub fn told(play: &SignedPlay, bins: &[u8], at: u64, what: Telling, witness: &SessionKey) -> Told {
    let mut told = Told {
        moves: Moves::from_bins(bins).expect("few moves"),
        signatures: ByPlayer::default(),
        at,
        what,
        witness: Signature::NONE,
    };
    told.witness = witness.sign(&told.digest(play.number, &play.domain(), &Native));
    told
}

/// The list of the ends of these games, and what their witness signs for all of them.
pub fn list_of(
    finished: &[Finished],
    chain: Chain,
    witness: &SessionKey,
) -> (Vec<Digest>, Signature) {
    let domain = Domain::without_stake(chain);
    let hash = |finished: &Finished| {
        let ended = Ended {
            game: finished.terms.number(&domain, &Native),
            moves: &finished.moves,
            end: finished.ending.witnessed(),
            at: finished.witnessed.expect("it has a witness").at,
        };
        ended.hash(&Native)
    };
    let hashes: Vec<Digest> = finished.iter().map(hash).collect();
    let digest = Ends { hashes: &hashes }.digest(&domain, &Native);
    let signature = witness.sign(&digest);
    (hashes, signature)
}

/// The chain in this process.
#[cfg(feature = "chain")]
pub fn local_chain(local: &crate::Local) -> Chain {
    use connect4_chain::runtime::Runtime;
    use sp_core::Get;
    Chain {
        id: <Runtime as pallet_revive::Config>::ChainId::get(),
        genesis: local.chain.genesis_hash().0,
    }
}
