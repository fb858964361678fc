//! Fast play: session keys, and challenges that accounts sign.
#![cfg(feature = "sign")]

use connect4_protocol::fast::{
    AccountCrypto, AccountSignature, Crypto, Digest, Domain, Native, SessionKey, Signature,
    SignedChallenge, Signing, wrapped,
};
use connect4_protocol::{Address, Challenge, ClockSpec, Error, Terms};
use connect4_rules::Shape;

const DOMAIN: Domain = Domain::new(420_420_421, Address([0xcc; 20]));
const DIGEST: Digest = [7; 32];
const ALICE: Address = Address([0xa; 20]);

fn key(byte: u8) -> SessionKey {
    SessionKey::from_secret(&[byte; 32]).expect("a key")
}

#[test]
fn a_key_signs_and_checks_as_programs_do() {
    let key = key(1);
    let signature = key.sign(&DIGEST);
    assert_eq!(Signing::sign(&key, &DIGEST), signature);
    assert_eq!(Signing::address(&key), key.address());
    assert_eq!(Native.recover(&DIGEST, &signature), Some(key.address()));
    assert_eq!(key.recover(&DIGEST, &signature), Some(key.address()));
    assert_ne!(key.recover(&[8; 32], &signature), Some(key.address()));
    assert_eq!(key.keccak256(b"moves"), Native.keccak256(b"moves"));
    // Of no bytes at all it is known.
    let empty = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
    assert_eq!(hex::encode(Native.keccak256(b"")), empty);
}

#[test]
fn a_key_has_a_secret_that_is_not_printed() {
    let key = key(1);
    assert_eq!(key.secret(), [1; 32]);
    // The address of this secret by any library of Ethereum.
    let address = "0x1a642f0e3c3af545e7acbd38b07251b3990914f1";
    assert_eq!(key.address().to_string().to_lowercase(), address);
    let shown = format!("{key:?}");
    assert_eq!(shown, format!("SessionKey({})", key.address()));
    assert!(SessionKey::from_secret(&[0; 32]).is_none());
    assert!(SessionKey::from_secret(&[0xff; 32]).is_none());
}

#[test]
fn what_is_no_signature_recovers_no_key() {
    let good = key(1).sign(&DIGEST);
    assert_eq!(Native.recover(&DIGEST, &Signature::NONE), None);
    for v in [0, 1, 26, 29, 30, 31, 255] {
        let mut bad = good;
        bad.0[64] = v;
        assert_eq!(Native.recover(&DIGEST, &bad), None, "v is {v}");
    }
    let mut zero = good;
    zero.0[..32].fill(0);
    assert_eq!(Native.recover(&DIGEST, &zero), None);
    // Of 29 and 30 a library finds a key if `r` is small enough, which the contract's chain does not.
    for (r, v) in (1..10).flat_map(|r| [(r, 29), (r, 30)]) {
        let mut small = Signature::NONE;
        (small.0[31], small.0[63], small.0[64]) = (r, 1, v);
        assert_eq!(Native.recover(&DIGEST, &small), None, "r is {r}, v {v}");
    }
}

#[test]
fn a_digest_is_wrapped_as_wallets_wrap_bytes() {
    let mut expected = b"<Bytes>".to_vec();
    expected.extend(DIGEST);
    expected.extend(b"</Bytes>");
    assert_eq!(wrapped(&DIGEST)[..], expected[..]);
}

/// Cryptography in which an sr25519 signature is a value that names the key and the hash of the bytes. A
/// contract has the true one from the chain.
struct Values;

impl Crypto for Values {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        Native.keccak256(bytes)
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        Native.recover(digest, signature)
    }
}

impl AccountCrypto for Values {
    fn verify_sr25519(&self, public_key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool {
        *signature == value(public_key, bytes)
    }
}

fn value(public_key: &[u8; 32], bytes: &[u8]) -> [u8; 64] {
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(public_key);
    signature[32..].copy_from_slice(&Native.keccak256(bytes));
    signature
}

fn challenge(challenger: Address) -> Challenge {
    Challenge {
        challenger,
        opponent: Some(Address([0xb; 20])),
        challenger_first: true,
        expires: Some(1_800_000_000),
        key: Some(key(2).address()),
        terms: Terms {
            shape: Shape::STANDARD.into(),
            clock: Some(ClockSpec {
                bank: 300,
                increment: 5,
            }),
            stake: 0,
        },
    }
}

fn digest(challenge: &Challenge) -> Result<Digest, Error> {
    SignedChallenge::digest(challenge, &DOMAIN, &Native)
}

#[test]
fn a_challenge_is_signed_by_the_account_that_makes_it() {
    let account = key(3);
    let challenge = challenge(account.address());
    let signature = account.sign(&digest(&challenge).expect("complete"));
    let signed = SignedChallenge {
        challenge,
        signature: AccountSignature::Ethereum(signature),
    };
    assert_eq!(signed.check(&DOMAIN, &Values), Ok(()));
    let mut other = signed;
    other.challenge.challenger = key(4).address();
    assert_eq!(other.check(&DOMAIN, &Values), Err(Error::BadSignature));
    let chain_id = 1;
    let elsewhere = Domain { chain_id, ..DOMAIN };
    assert_eq!(signed.check(&elsewhere, &Values), Err(Error::BadSignature));
}

#[test]
fn an_account_of_substrate_signs_a_challenge_as_its_wallet_does() {
    let public_key = [5; 32];
    let challenge = challenge(Address::of_hash(&Native.keccak256(&public_key)));
    let digest = digest(&challenge).expect("complete");
    let by = |public_key: [u8; 32], bytes: &[u8]| SignedChallenge {
        challenge,
        signature: AccountSignature::Sr25519 {
            public_key,
            signature: value(&public_key, bytes),
        },
    };
    let signed = by(public_key, &wrapped(&digest));
    assert_eq!(signed.check(&DOMAIN, &Values), Ok(()));
    for bad in [by(public_key, &digest), by([6; 32], &wrapped(&digest))] {
        assert_eq!(bad.check(&DOMAIN, &Values), Err(Error::BadSignature));
    }
}

type Change = fn(&mut Challenge);

#[test]
fn a_signed_challenge_names_all_that_matters() {
    let good = challenge(ALICE);
    let changes: [Change; 10] = [
        |it| it.challenger = Address([9; 20]),
        |it| it.opponent = Some(Address([9; 20])),
        |it| it.challenger_first = false,
        |it| it.expires = Some(1),
        |it| it.key = Some(Address([9; 20])),
        |it| it.terms.shape = Shape::CLASSROOM.into(),
        |it| it.terms.shape.line = 3,
        |it| it.terms.clock = None,
        |it| it.terms.clock.as_mut().expect("a clock").bank = 301,
        |it| it.terms.clock.as_mut().expect("a clock").increment = 6,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut other = good;
        change(&mut other);
        assert!(digest(&other).is_ok());
        assert_ne!(digest(&other), digest(&good), "change {number}");
    }
    let refusals: [(Change, Error); 4] = [
        (|it| it.key = None, Error::BadKey),
        (|it| it.terms.stake = 1, Error::WrongStake),
        (|it| it.opponent = None, Error::NotChallenged),
        (|it| it.expires = None, Error::ChallengeExpired),
    ];
    for (change, error) in refusals {
        let mut other = good;
        change(&mut other);
        assert_eq!(digest(&other), Err(error));
    }
}
