//! Which logs a request means, and what a refused call is told as.

use connect4_chain::rpc::eth::{
    error::failed_call,
    logs::{MAX_BLOCKS, Wanted, range},
};
use pallet_revive::{EthTransactError, evm::Log};
use serde_json::json;
use sp_core::{H160, H256};

#[test]
fn a_range_is_bounded_by_the_best_block_and_by_its_length() {
    let code = |first, last, best| range(first, last, best).unwrap_err().code();
    let most = MAX_BLOCKS;
    assert_eq!(range(3, 5, 4), Ok(Some((3, 4))));
    assert_eq!(range(5, u32::MAX, 4), Ok(None));
    assert_eq!(range(0, u32::MAX, most - 1), Ok(Some((0, most - 1))));
    assert_eq!(code(0, u32::MAX, most), -32005);
    assert_eq!(range(1, u32::MAX, most), Ok(Some((1, most))));
    assert_eq!(code(4, 3, 9), -32602);
}

#[test]
fn topics_are_compared_at_their_places() {
    let (one, two) = (H256::repeat_byte(1), H256::repeat_byte(2));
    let wanted = |filter| serde_json::from_value::<Wanted>(filter).unwrap();
    let log = Log {
        address: H160::repeat_byte(7),
        topics: vec![one, two],
        ..Log::default()
    };
    for (topics, is_wanted) in [
        (json!(null), true),
        (json!([]), true),
        (json!([one]), true),
        (json!([two]), false),
        (json!([null, two]), true),
        (json!([[one, two], [one]]), false),
        (json!([[two, one], []]), true),
        (json!([null, null, null]), false),
    ] {
        let filter = wanted(json!({ "topics": topics }));
        assert_eq!(filter.has(&log), is_wanted, "{topics}");
    }
    for (address, is_wanted) in [
        (json!(log.address), true),
        (json!([H160::zero(), log.address]), true),
        (json!(H160::zero()), false),
        (json!([]), true),
    ] {
        let filter = wanted(json!({ "address": address }));
        assert_eq!(filter.has(&log), is_wanted, "{address}");
    }
}

#[test]
fn a_reason_in_words_is_told() {
    // `Error(string)` of Solidity.
    let kind = [0x08, 0xc3, 0x79, 0xa0];
    let word = |number: u8| [vec![0; 31], vec![number]].concat();
    let mut text = b"too late".to_vec();
    text.resize(32, 0);
    let data = [kind.to_vec(), word(32), word(8), text].concat();
    let told = |data| {
        failed_call(EthTransactError::Data(data))
            .message()
            .to_owned()
    };
    let reason = told(data);
    assert!(reason.ends_with("too late"), "{reason}");
    // What a contract of ink! returns may be text by chance.
    assert_eq!(told(vec![0, 1, 0]), "execution reverted");
    assert_eq!(told(b"text".to_vec()), "execution reverted");
}
