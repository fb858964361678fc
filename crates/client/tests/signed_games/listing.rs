//! Signatures of a witness on lists of ends, as those who record games get them from a relay.

use codec::Encode as _;
use connect4_client::signed::{LobbyError, list_of_ends};
use connect4_protocol::signed::listing::FromListing;
use connect4_protocol::signed::{Ends, Finished, Signature};
use connect4_testing::signed::CHAIN;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite;

use super::{Table, WON};

/// A relay that says these two things to whoever asks for a list. Returns its URL.
async fn relay(says: [FromListing; 2]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let mut socket = tokio_tungstenite::accept_async(socket).await.unwrap();
            for message in says {
                let frame = tungstenite::Message::Binary(message.encode().into());
                let _ = socket.send(frame).await;
                // A request comes in between.
                let _ = socket.next().await;
            }
        }
    });
    url
}

async fn ended() -> (Table, Finished) {
    let mut table = Table::new(None).await;
    table.play(&WON).await;
    table.end().await;
    let finished = table.players[0].view().finished.unwrap();
    (table, *finished)
}

#[tokio::test]
async fn a_relay_that_lies_has_no_list_recorded_by_another_signature() {
    let (table, finished) = ended().await;
    let witness = table.referee.key;
    let games = [finished];
    let honest = list_of_ends(&table.referee.url(), witness, CHAIN, &games).await;
    let signature = honest.expect("the witness has ended it");
    let welcome = FromListing::Welcome {
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
    };
    let honest = relay([welcome, FromListing::Signed(signature)]).await;
    let told = list_of_ends(&honest, witness, CHAIN, &games).await;
    assert_eq!(told.expect("it is passed on"), signature);
    // One of the end alone is none of a list.
    let other = finished.witnessed.unwrap().signature;
    let elsewhere = FromListing::Welcome {
        chain_id: CHAIN.id,
        genesis: [0x77; 32],
    };
    for says in [
        [welcome, FromListing::Signed(other)],
        [welcome, FromListing::Signed(Signature::NONE)],
        [elsewhere, FromListing::Signed(signature)],
        [welcome, welcome],
    ] {
        let lying = relay(says).await;
        let told = list_of_ends(&lying, witness, CHAIN, &games).await;
        assert!(matches!(told, Err(LobbyError::Lost(_))), "{told:?}");
    }
    // More games than a list takes are not asked for.
    let many = vec![finished; Ends::MAX + 1];
    assert!(list_of_ends(&honest, witness, CHAIN, &many).await.is_err());
}
