//! What strangers do with our own code: games with another referee than the contract of the matches, and code that is
//! stored as that of another machine.

use connect4_client::{Address, Client, Code, Contracts, Error, Lookup, create2};
use connect4_protocol::message::{ContractKind, EndMatch, Remove};
use connect4_protocol::{End, Game};
use connect4_rules::Bin;
use connect4_testing::contracts::code_hash;
use connect4_testing::message::{Input, data};
use subxt::dynamic::Value;
use subxt::{OnlineClient, PolkadotConfig};
use subxt_signer::sr25519::{Keypair, dev};

use crate::common::{CODE, account, chain, deployed, start, stored};

/// Transactions of an account without this project's client.
struct Stranger {
    api: OnlineClient<PolkadotConfig>,
    key: Keypair,
}

impl Stranger {
    async fn send(&self, call: &str, fields: Vec<(&str, Value)>) {
        let call = subxt::dynamic::tx("Revive", call, fields);
        let mut api = self.api.tx();
        let sent = api.sign_and_submit_then_watch_default(&call, &self.key);
        let included = sent.await.unwrap().wait_for_finalized_success();
        included.await.unwrap();
    }

    /// Sends data to a contract, or deploys code by them.
    async fn call(&self, call: &str, to: Vec<(&str, Value)>, data: Vec<u8>) {
        let weight = [
            ("ref_time", Value::u128(200_000_000_000)),
            ("proof_size", Value::u128(1_000_000)),
        ];
        let mut fields = vec![
            ("value", Value::u128(0)),
            ("weight_limit", Value::named_composite(weight)),
            ("storage_deposit_limit", Value::u128(u128::from(u64::MAX))),
            ("data", Value::from_bytes(data)),
        ];
        fields.extend(to);
        self.send(call, fields).await;
    }

    async fn ask(&self, contract: Address, message: impl Into<Input>) {
        let to = vec![("dest", Value::from_bytes(contract.0))];
        self.call("call", to, message.into().data).await;
    }

    /// Deploys the code of the games by its constructor `with_referee`, whose caller is the referee.
    async fn deploy_games(&self, own: Address) -> Address {
        const SALT: [u8; 32] = [0; 32];
        let input = data("with_referee", ());
        let address = create2(own, CODE.games, &input, &SALT);
        let to = vec![
            ("code", Value::from_bytes(CODE.games)),
            (
                "salt",
                Value::unnamed_variant("Some", [Value::from_bytes(SALT)]),
            ),
        ];
        self.call("instantiate_with_code", to, input).await;
        address
    }

    /// Deploys a contract of Ethereum's machine whose code are these bytes.
    async fn deploy_on_ethereums_machine(&self, code: &[u8]) {
        let [high, low] = u16::try_from(code.len()).unwrap().to_be_bytes();
        // PUSH2 length, DUP1, PUSH1 where the code begins, PUSH1 0, CODECOPY, PUSH1 0, RETURN.
        let returns = [
            0x61, high, low, 0x80, 0x60, 12, 0x60, 0, 0x39, 0x60, 0, 0xf3,
        ];
        let to = vec![
            ("code", Value::from_bytes([&returns[..], code].concat())),
            ("salt", Value::unnamed_variant("None", [])),
        ];
        self.call("instantiate_with_code", to, Vec::new()).await;
    }
}

#[tokio::test]
async fn games_whose_referee_is_an_account_are_refused() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let charlie = account("charlie");
    let stranger = Stranger {
        api: OnlineClient::from_insecure_url(&url).await.unwrap(),
        key: dev::charlie(),
    };
    let games = stranger.deploy_games(charlie.address()).await;

    // The code is known, and yet it is refused.
    let refused = Contracts::open(&client, games, CODE).await.unwrap_err();
    assert!(
        matches!(
            refused,
            Error::OtherReferee { address, referee }
                if address == games && referee == charlie.address()
        ),
        "{refused}"
    );
    let mut lookup = Lookup {
        code: CODE,
        contract: Some(games),
        variants: None,
        deployer: None,
        any_code: false,
    };
    let refused = lookup.open(&client, None).await.unwrap_err();
    assert!(matches!(refused, Error::OtherReferee { .. }), "{refused}");

    // What the referee may do to those who trust it: end a game as it likes, and remove it.
    lookup.any_code = true;
    let trusted = lookup.open(&client, None).await.unwrap();
    let (alice, bob) = (account("alice"), account("bob"));
    let game = start(&trusted, &alice, bob.address()).await;
    trusted.drop_disc(&alice, game, Bin::new(0)).await.unwrap();
    let mut ended: Game = stored::<Game>(&trusted, game).await;
    ended.resign(alice.address()).unwrap();
    stranger
        .ask(
            games,
            EndMatch {
                game: game.number(),
                ended,
            },
        )
        .await;
    let read = stored::<Game>(&trusted, game).await;
    assert_eq!(read.end(), Some(End::Resignation));
    assert_eq!(read.account_of(read.winner().unwrap()), bob.address());
    stranger
        .ask(
            games,
            Remove {
                game: game.number(),
            },
        )
        .await;
    assert_eq!(trusted.game::<Game>(game).await.unwrap(), None);
}

#[tokio::test]
async fn games_of_known_matches_and_games_without_a_referee_are_used() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let matches = deployed(&client).await;
    let games = matches.address_of(ContractKind::Games).unwrap();
    let alone = Contracts::open(&client, games, CODE).await.unwrap();
    assert!(!alone.has_matches());

    // Newer matches are their games' referee, too. To who does not know them and names the games,
    // they are a referee like any other.
    let newer = Code {
        matches: b"a newer version",
        ..CODE
    };
    let opened = Contracts::open(&client, matches.address(), newer).await;
    assert_eq!(
        opened.unwrap().address_of(ContractKind::Games).unwrap(),
        games
    );
    let refused = Contracts::open(&client, games, newer).await.unwrap_err();
    assert!(
        matches!(refused, Error::OtherReferee { referee, .. } if referee == matches.address()),
        "{refused}"
    );
}

/// Somebody makes our code useless on a chain that does not have it yet. Whoever deploys is told before it pays for
/// anything.
#[tokio::test]
async fn code_that_is_stored_for_ethereums_machine_is_not_deployed() {
    for (taken, is_variants) in [(CODE.games, false), (CODE.variants, true)] {
        let (_server, url) = chain().await;
        let client = Client::connect(&url).await.unwrap();
        let stranger = Stranger {
            api: OnlineClient::from_insecure_url(&url).await.unwrap(),
            key: dev::charlie(),
        };
        stranger.deploy_on_ethereums_machine(taken).await;
        let alice = account("alice");
        let before = client.balance(&alice.account()).await.unwrap();
        let deployed = match is_variants {
            false => client.deploy(&alice, CODE).await,
            true => client.deploy_variants(&alice, CODE).await,
        };
        let refused = deployed.unwrap_err();
        assert!(
            matches!(refused, Error::CodeOfEthereum { hash, .. } if hash.0 == code_hash(taken)),
            "{refused}"
        );
        let after = client.balance(&alice.account()).await.unwrap();
        assert_eq!(after, before);
    }
}
