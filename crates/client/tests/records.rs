//! The contract of the records of signed games, which is deployed with the others and found by its deployer.

use connect4_client::{Client, Code, Error, Lookup};
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::Group;
use connect4_protocol::signed::message::Record;
use connect4_testing::contracts::SIGNED_RECORDS;

use crate::common::{CODE, account, chain};

#[tokio::test]
async fn the_contract_of_the_records_is_deployed_with_the_others_and_found() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let (alice, bob) = (account("alice"), account("bob"));
    let code = Code {
        signed_records: Some(SIGNED_RECORDS),
        ..CODE
    };
    let place = Client::signed_records_address(alice.address(), code);
    let lookup = Lookup {
        code,
        contract: None,
        variants: None,
        deployer: None,
    };
    // Without it the others are there.
    let deployment = client.deploy(&alice, CODE).await.unwrap();
    assert_eq!(deployment.signed_records, None);
    let found = lookup.open(&client, None).await.unwrap();
    assert_eq!(found.address(), deployment.address);
    assert_eq!(found.address_of(ContractKind::SignedRecords), None);
    let record = Record {
        group: Group {
            genesis: client.genesis().0,
            witness: None,
            event: None,
            list: None,
        },
        games: Vec::new(),
    };
    let error = found.send(&bob, record).await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Lacks {
                kind: ContractKind::SignedRecords,
                ..
            }
        ),
        "{error}"
    );
    // Deployed again, it alone is new.
    let (opened, deployment) = lookup.deploy(&client, &alice).await.unwrap();
    assert_eq!(deployment.receipt, None);
    assert_eq!(deployment.signed_records, place);
    let receipt = deployment.signed_records_receipt.unwrap();
    assert_eq!(receipt.value, place.unwrap());
    assert_eq!(opened.address_of(ContractKind::SignedRecords), place);
    let found = lookup.open(&client, Some(&bob)).await.unwrap();
    assert_eq!(found.address_of(ContractKind::SignedRecords), place);
    let (_, again) = lookup.deploy(&client, &alice).await.unwrap();
    assert_eq!((again.receipt, again.signed_records_receipt), (None, None));
}
