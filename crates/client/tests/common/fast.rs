//! Fast games on a local chain.

#![allow(dead_code, reason = "not every test uses all of it")]

use connect4_client::{Contracts, Offer, Signer};
use connect4_protocol::fast::{FIRST, FastGame, SessionKey};
use connect4_protocol::message::ContractKind;
use connect4_testing::fast::FastPlay;

use super::{offer, stored};

/// The session key with this number.
pub fn session_key(number: u8) -> SessionKey {
    SessionKey::from_secret(&[number; 32]).expect("a secret")
}

/// Starts a fast game on the classroom board, with a clock of ten minutes and for so many tokens; `one`
/// has made the challenge and moves first.
pub async fn start_fast(
    contract: &Contracts,
    one: &Signer,
    two: &Signer,
    tokens: u128,
) -> FastPlay {
    let mut play = FastPlay::new(FIRST + contract.game_count(ContractKind::Fast).await.unwrap());
    let offer = Offer {
        opponent: Some(two.address()),
        key: Some(play.keys.one.address()),
        pie_rule: false,
        ..offer(contract.client(), tokens)
    };
    let challenge = contract.challenge(one, offer).await.unwrap().value;
    let key = Some(play.keys.two.address());
    let accepted = contract.accept(two, challenge, key).await.unwrap();
    assert_eq!(accepted.value, play.id());
    play.game = stored::<FastGame>(contract, play.id()).await;
    play.domain = contract.domain().unwrap();
    play
}
