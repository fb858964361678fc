//! Session keys.
use connect4_protocol::signed::{Crypto, Digest, Native, SessionKey, Signature, Signing, wrapped};

const DIGEST: Digest = [7; 32];

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
