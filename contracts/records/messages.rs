//! What the messages do. A message ends the call with its answer, so that each is a function here.

use connect4_contract::{Chain, ask, caller, domain, emit_with, now, number};
use connect4_protocol::{
    Address, Error,
    event::StartedByTerms,
    fast::{AccountCrypto, Agreed, Crypto, Digest, Domain, GameTerms, PackedSigned, Signature},
    message::StartByTerms,
};

#[cfg(target_arch = "riscv64")]
pub use self::recording::record;

#[cfg(target_arch = "riscv64")]
mod recording {
    use codec::{Compact, Decode, Input};
    use connect4_contract::{CallData, account, emit_parts, now};
    use connect4_protocol::{
        Address, Error,
        event::GameRecorded,
        fast::{Domain, RecordedGame},
    };
    use connect4_rules::Player;

    use super::OneDomain;

    /// Bytes of the longest event, rounded up.
    const LONGEST: usize = 384;
    /// Bytes of the longest game, rounded up.
    const BUFFER: usize = 560;

    #[inline(never)]
    pub fn record() -> Result<u32, Error> {
        let mut data = CallData::arguments();
        let fast = read::<Address>(&mut data)?;
        let Compact(count) = read::<Compact<u32>>(&mut data)?;
        let domain = super::domain_of(fast);
        let chain = OneDomain::of(&domain);
        let now = now();
        let mut buffer = [0; BUFFER];
        for _ in 0..count {
            let mut unread = data.peek(&mut buffer);
            put(&read(&mut unread)?, &domain, &chain, now)?;
            data.skip(BUFFER.wrapping_sub(unread.len()));
        }
        Ok(count)
    }

    fn read<T: Decode>(data: &mut impl Input) -> Result<T, Error> {
        T::decode(data).map_err(|_| Error::BadSignature)
    }

    /// Checks a game, and emits it.
    #[inline(never)]
    fn put(
        recorded: &RecordedGame,
        domain: &Domain,
        chain: &OneDomain,
        now: u64,
    ) -> Result<(), Error> {
        let (terms, number, game) = recorded.check(domain, chain, now)?;
        let [player_one, player_two] = [game.player_one(), game.player_two()];
        let moves = &recorded.evidence.moves;
        // A list of up to 63 bytes has its length in one byte, of up to 127 in two.
        let len = u16::from(moves.turns()) << 2;
        let len = match moves.turns() {
            0..64 => &[len as u8][..],
            64.. => &(len | 1).to_le_bytes(),
        };
        let end = game.end().map_or([0, 0], |end| [1, end as u8]);
        let winner = game.winner().map(|winner| match winner {
            Player::One => &player_one,
            Player::Two => &player_two,
        });
        let parts = [
            &number.0[..],
            &player_one.0,
            &player_two.0,
            &domain.contract.0,
            &terms.0,
            len,
            moves,
            &end[..usize::from(end[0]) + 1],
            &[u8::from(winner.is_some())],
            winner.map_or(&[][..], |winner| &winner.0),
        ];
        let [one, two] = [player_one, player_two].map(Some).map(account);
        emit_parts::<GameRecorded, LONGEST>(&parts, &[number.0, one, two]);
        Ok(())
    }
}

#[inline(never)]
pub fn start_signed(fast: Address, signed: &PackedSigned) -> Result<u32, Error> {
    let terms = signed.terms();
    terms.check_time(GameTerms::STARTS, now())?;
    let domain = domain_of(fast);
    let game = signed.start(caller(), &domain, &OneDomain::of(&domain))?;
    let by_terms = game.by_terms.ok_or(Error::BadSignature)?;
    let start = StartByTerms {
        agreed: Agreed {
            players: game.players(),
            keys: game.keys,
            payer: game.game.payer(),
            shape: game.game.shape().into(),
            clock: terms.clock(),
            pie_rule: game.pie_rule,
        },
        by_terms,
    };
    let game = ask(fast, &start)?;
    let event = StartedByTerms {
        game,
        number: by_terms.number,
        fast,
        terms,
    };
    emit_with(event, &[number(Some(game)), by_terms.number.0]);
    Ok(game)
}

/// What is signed is for the contract of the fast games.
fn domain_of(fast: Address) -> Domain {
    Domain {
        contract: fast,
        ..domain()
    }
}

/// The chain's cryptography with the hash of the domain for which all games of the call are.
struct OneDomain(Digest);

impl OneDomain {
    fn of(domain: &Domain) -> Self {
        Self(domain.separator(&Chain))
    }
}

impl Crypto for OneDomain {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        Chain.keccak256(bytes)
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        Chain.recover(digest, signature)
    }

    fn separator(&self, _: &Domain) -> Digest {
        self.0
    }
}

impl AccountCrypto for OneDomain {
    fn verify_sr25519(&self, public_key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool {
        Chain.verify_sr25519(public_key, bytes, signature)
    }
}
