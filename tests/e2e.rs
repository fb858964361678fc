//! The contract end to end: built from source, on the local chain started as a node, called by
//! signed transactions.
//!
//! `ink_e2e` builds the contract and starts the program that `CONTRACTS_NODE` names; see
//! `scripts/test`.

use connect4::{Connect4, Connect4Ref};
use connect4_protocol::event::{DiscDropped, GameEnded, GameFreed, GameStarted};
use connect4_protocol::{End, Error, Game};
use connect4_rules::{Bin, Cell, Cells, Dropped, Outcome, Player, Position, Shape, ShapeSpec};
use ink::env::{DefaultEnvironment, Event};
use ink::primitives::{Address, H256};
use ink::scale::{Decode, DecodeAll, Encode};
use ink_e2e::{ContractsBackend, Keypair, PolkadotConfig, alice, bob, charlie};

type Client = ink_e2e::Client<PolkadotConfig, DefaultEnvironment>;
type TestResult = Result<(), Box<dyn std::error::Error>>;

/// The messages of the contract at an address.
type Messages = <Connect4 as ink::codegen::ContractCallBuilder>::Type<ink::abi::Ink>;

/// An event as the chain stores it.
#[derive(Debug, PartialEq)]
struct Emitted {
    topics: Vec<H256>,
    data: Vec<u8>,
}

/// The contract on a chain of its own, and its events so far.
struct Deployed {
    client: Client,
    messages: Messages,
    events: Vec<Emitted>,
}

/// The answer of a message, by a dry run.
macro_rules! ask {
    ($deployed:ident.$message:ident($($argument:expr),*)) => {{
        let message = $deployed.messages.$message($($argument),*);
        let answer = $deployed.client.call(&charlie(), &message).dry_run().await?;
        answer.return_value()
    }};
}

/// Calls a message by a transaction that must succeed.
macro_rules! send {
    ($deployed:ident, $who:expr, $message:ident($($argument:expr),*)) => {{
        let message = $deployed.messages.$message($($argument),*);
        let sent = $deployed.client.call($who, &message).submit().await?;
        for emitted in sent.contract_emitted_events()? {
            $deployed.events.push(Emitted {
                topics: emitted.topics,
                data: emitted.event.data,
            });
        }
        sent.return_value()
    }};
}

/// Calls a message by a transaction that must be refused with this error, and change nothing.
macro_rules! refused {
    ($deployed:ident, $who:expr, $message:ident($($argument:expr),*), $error:expr) => {{
        let count = ask!($deployed.game_count());
        let mut before = Vec::new();
        for game in 0..count {
            before.push(ask!($deployed.game(game)));
        }
        let message = $deployed.messages.$message($($argument),*);
        let answer = $deployed.client.call($who, &message).dry_run().await?;
        assert!(answer.did_revert());
        assert_eq!(answer.return_value().map(|_| ()), Err($error));
        let sent = $deployed.client.call($who, &message).submit().await;
        assert!(sent.is_err(), "a refused transaction fails");
        assert_eq!(ask!($deployed.game_count()), count);
        for (game, before) in (0..count).zip(before) {
            assert_eq!(ask!($deployed.game(game)), before);
        }
    }};
}

impl Deployed {
    /// Deploys the contract.
    async fn new(mut client: Client) -> Result<Self, Box<dyn std::error::Error>> {
        let contract = client
            .instantiate("connect4", &alice(), &mut Connect4Ref::new())
            .submit()
            .await?;
        Ok(Self {
            messages: contract.call_builder::<Connect4>(),
            client,
            events: Vec::new(),
        })
    }

    /// Starts a game of Alice and Bob; Charlie signs.
    async fn start(&mut self, shape: Shape) -> Result<u32, Box<dyn std::error::Error>> {
        let (one, two) = (address(&alice()), address(&bob()));
        Ok(send!(self, &charlie(), start_game(one, two, shape.into()))?)
    }

    /// Plays drops in turns, Alice first, and prints the board after each. Every answer and the
    /// whole state have to be those of the rules.
    async fn play(&mut self, game: u32, bins: &[u8]) -> Result<Game, Box<dyn std::error::Error>> {
        let mut expected = ask!(self.game(game))?;
        for &bin in bins {
            let who = match expected.to_move() {
                Some(Player::One) => alice(),
                _ => bob(),
            };
            let dropped = send!(self, &who, drop_disc(game, bin));
            assert_eq!(dropped, expected.drop(address(&who).into(), Bin::new(bin)));
            println!("{}\n", expected.position());
            assert_eq!(ask!(self.game(game))?, expected);
        }
        Ok(expected)
    }
}

fn address(of: &Keypair) -> Address {
    ink_e2e::address_from_keypair::<ink::primitives::AccountId>(of)
}

/// A topic as ink! encodes it: a short value is filled up with zeros.
fn topic(of: impl Encode) -> H256 {
    let mut topic = [0; 32];
    let bytes = of.encode();
    topic[..bytes.len()].copy_from_slice(&bytes);
    H256(topic)
}

fn signature<E: Event>() -> H256 {
    H256(E::SIGNATURE_TOPIC.expect("no event is anonymous"))
}

fn decode<E: Decode>(event: &Emitted) -> E {
    E::decode_all(&mut event.data.as_slice()).expect("an event decodes as it is declared")
}

/// Plays a game again by its events alone.
fn replay(events: &[Emitted], game: u32) -> (Position, Option<GameEnded>) {
    let mut position = None;
    let mut ended = None;
    for event in events.iter().filter(|event| event.topics[1] == topic(game)) {
        if event.topics[0] == signature::<GameStarted>() {
            let started: GameStarted = decode(event);
            position = Some(Position::new(started.shape.try_into().expect("a shape")));
        } else if event.topics[0] == signature::<DiscDropped>() {
            let disc: DiscDropped = decode(event);
            let position = position.as_mut().expect("the game has started");
            assert_eq!(disc.turn, position.plies());
            let dropped = position.drop(Bin::new(disc.bin)).expect("a legal drop");
            assert_eq!(dropped.row, disc.row);
        } else {
            assert_eq!(event.topics[0], signature::<GameEnded>());
            ended = Some(decode(event));
        }
    }
    (position.expect("the game has started"), ended)
}

#[ink_e2e::test]
async fn a_game_starts(mut client: Client) -> TestResult {
    let mut deployed = Deployed::new(client).await?;
    assert_eq!(ask!(deployed.game_count()), 0);

    let game = deployed.start(Shape::STANDARD).await?;

    assert_eq!(game, 0);
    assert_eq!(ask!(deployed.game_count()), 1);
    let (one, two) = (address(&alice()), address(&bob()));
    let shape = ShapeSpec::from(Shape::STANDARD);
    let started = Game::start(one.into(), two.into(), shape)?.paid_by(address(&charlie()).into());
    assert_eq!(ask!(deployed.game(0)), Ok(started));
    assert_eq!(ask!(deployed.board(0))?.get(), vec![vec![]; 7]);
    assert_eq!(ask!(deployed.winner(0)), Ok(None));
    assert_eq!(ask!(deployed.winning_cells(0))?.get(), vec![]);
    assert_eq!(
        deployed.events,
        [Emitted {
            topics: vec![
                signature::<GameStarted>(),
                topic(0u32),
                topic(one),
                topic(two)
            ],
            data: (0u32, one, two, shape).encode(),
        }]
    );
    Ok(())
}

/// Case 1 of the classroom table.
#[ink_e2e::test]
async fn a_game_is_won(mut client: Client) -> TestResult {
    let mut deployed = Deployed::new(client).await?;
    deployed.start(Shape::CLASSROOM).await?;

    let game = deployed.play(0, &[5, 0, 4, 0, 3, 0, 2]).await?;

    let (red, blue) = (Player::One, Player::Two);
    assert_eq!(game.outcome(), Some(Outcome::Won(red)));
    let winner = address(&alice());
    assert_eq!(ask!(deployed.winner(0)), Ok(Some(winner)));
    let line = [2, 3, 4, 5].map(|bin| Cell::new(bin, 0));
    assert_eq!(ask!(deployed.winning_cells(0))?.get(), line);
    assert_eq!(
        ask!(deployed.board(0))?.get(),
        [
            vec![blue; 3],
            vec![],
            vec![red],
            vec![red],
            vec![red],
            vec![red]
        ]
    );

    let drops: Vec<&Emitted> = deployed
        .events
        .iter()
        .filter(|event| event.topics[0] == signature::<DiscDropped>())
        .collect();
    assert_eq!(drops.len(), 7);
    let last_but_one = address(&bob());
    assert_eq!(
        drops[5],
        &Emitted {
            topics: vec![signature::<DiscDropped>(), topic(0u32), topic(last_but_one)],
            data: (0u32, last_but_one, 0u8, 2u8, 5u8).encode(),
        }
    );
    let cells = game.winning_cells();
    assert_eq!(
        deployed.events.last(),
        Some(&Emitted {
            topics: vec![signature::<GameEnded>(), topic(0u32), topic(winner)],
            data: (0u32, Some(winner), End::Line, cells).encode(),
        })
    );
    let (position, ended) = replay(&deployed.events, 0);
    assert_eq!(position, game.position());
    assert_eq!(ended.map(|ended| ended.winning_cells), Some(cells));

    refused!(deployed, &bob(), drop_disc(0, 1), Error::GameOver);
    Ok(())
}

/// Case 7 of the classroom table.
#[ink_e2e::test]
async fn a_game_is_drawn(mut client: Client) -> TestResult {
    let mut deployed = Deployed::new(client).await?;
    deployed.start(Shape::CLASSROOM).await?;

    let bins = [
        0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
    ];
    let game = deployed.play(0, &bins).await?;

    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(ask!(deployed.winner(0)), Ok(None));
    assert_eq!(ask!(deployed.winning_cells(0))?.get(), vec![]);
    let discs: usize = ask!(deployed.board(0))?.get().iter().map(Vec::len).sum();
    assert_eq!(discs, 24);
    assert_eq!(
        deployed.events.last(),
        Some(&Emitted {
            topics: vec![signature::<GameEnded>(), topic(0u32), H256([0; 32])],
            data: (0u32, None::<Address>, End::FullBoard, 0u128).encode(),
        })
    );
    let (position, ended) = replay(&deployed.events, 0);
    assert_eq!(position, game.position());
    assert_eq!(ended.map(|ended| ended.winner), Some(None));

    refused!(deployed, &alice(), drop_disc(0, 0), Error::GameOver);
    Ok(())
}

#[ink_e2e::test]
async fn a_refused_call_changes_nothing(mut client: Client) -> TestResult {
    let mut deployed = Deployed::new(client).await?;
    let (one, two) = (address(&alice()), address(&bob()));
    let standard = ShapeSpec::from(Shape::STANDARD);

    refused!(
        deployed,
        &alice(),
        start_game(one, one, standard),
        Error::SamePlayer
    );
    let low = ShapeSpec {
        capacity: 1,
        ..standard
    };
    refused!(
        deployed,
        &alice(),
        start_game(one, two, low),
        Error::BadShape
    );
    // The error that comes first.
    refused!(
        deployed,
        &alice(),
        start_game(one, one, low),
        Error::SamePlayer
    );
    refused!(deployed, &alice(), drop_disc(0, 0), Error::NoSuchGame);
    assert_eq!(ask!(deployed.game(0)), Err(Error::NoSuchGame));
    assert_eq!(ask!(deployed.board(0)).map(|_| ()), Err(Error::NoSuchGame));
    assert_eq!(ask!(deployed.winner(0)), Err(Error::NoSuchGame));
    assert_eq!(
        ask!(deployed.winning_cells(0)).map(|_| ()),
        Err(Error::NoSuchGame)
    );

    deployed.start(Shape::CLASSROOM).await?;
    deployed.play(0, &[0, 0, 0, 0]).await?;
    let events = deployed.events.len();
    refused!(deployed, &alice(), drop_disc(1, 0), Error::NoSuchGame);
    refused!(deployed, &charlie(), drop_disc(0, 0), Error::NotAPlayer);
    refused!(deployed, &bob(), drop_disc(0, 0), Error::NotYourTurn);
    refused!(deployed, &alice(), drop_disc(0, 6), Error::NoSuchBin);
    refused!(deployed, &alice(), drop_disc(0, 255), Error::NoSuchBin);
    refused!(deployed, &alice(), drop_disc(0, 0), Error::BinFull);
    // After all refusals the game goes on. For its end see `a_game_is_won`.
    deployed.play(0, &[1]).await?;
    assert_eq!(deployed.events.iter().skip(events).count(), 1);
    Ok(())
}

#[ink_e2e::test]
async fn two_games_are_played_in_turns(mut client: Client) -> TestResult {
    let mut deployed = Deployed::new(client).await?;
    deployed.start(Shape::CLASSROOM).await?;
    let large = Shape::new(25, 4, 3).expect("a shape");
    assert_eq!(deployed.start(large).await?, 1);

    deployed.play(0, &[0, 1, 0]).await?;
    deployed.play(1, &[24, 24, 23, 0, 22]).await?;
    let first = deployed.play(0, &[1, 0, 1, 0]).await?;

    assert_eq!(ask!(deployed.game_count()), 2);
    let second = ask!(deployed.game(1))?;
    let expected: Dropped = Dropped {
        row: 0,
        outcome: Some(Outcome::Won(Player::One)),
    };
    assert_eq!(second.outcome(), expected.outcome);
    assert_eq!(first.outcome(), expected.outcome);
    assert_eq!(replay(&deployed.events, 0).0, first.position());
    assert_eq!(replay(&deployed.events, 1).0, second.position());
    Ok(())
}

#[ink_e2e::test]
async fn a_game_is_given_up_and_freed(mut client: Client) -> TestResult {
    let mut deployed = Deployed::new(client).await?;
    deployed.start(Shape::STANDARD).await?;
    let mut game = deployed.play(0, &[3]).await?;
    let (winner, payer) = (address(&bob()), address(&charlie()));
    refused!(deployed, &charlie(), resign(0), Error::NotAPlayer);
    refused!(deployed, &charlie(), resign(1), Error::NoSuchGame);
    refused!(deployed, &charlie(), free(0), Error::GameNotOver);

    send!(deployed, &alice(), resign(0))?;
    game.resign(address(&alice()).into())?;
    assert_eq!(ask!(deployed.game(0)), Ok(game));
    assert_eq!(ask!(deployed.winner(0)), Ok(Some(winner)));
    assert_eq!(ask!(deployed.winning_cells(0))?.get(), vec![]);
    assert_eq!(
        deployed.events.last(),
        Some(&Emitted {
            topics: vec![signature::<GameEnded>(), topic(0u32), topic(winner)],
            data: (0u32, Some(winner), End::Resignation, Cells::EMPTY).encode(),
        })
    );
    for who in [alice(), bob()] {
        refused!(deployed, &who, drop_disc(0, 3), Error::GameOver);
        refused!(deployed, &who, resign(0), Error::GameOver);
        refused!(deployed, &who, free(0), Error::NotPayer);
    }

    send!(deployed, &charlie(), free(0))?;
    assert_eq!(ask!(deployed.game(0)), Err(Error::NoSuchGame));
    assert_eq!(
        deployed.events.last(),
        Some(&Emitted {
            topics: vec![signature::<GameFreed>(), topic(0u32), topic(payer)],
            data: (0u32, payer).encode(),
        })
    );
    refused!(deployed, &charlie(), free(0), Error::NoSuchGame);
    assert_eq!(ask!(deployed.game_count()), 1);
    Ok(())
}
