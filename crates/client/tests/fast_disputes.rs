//! Disputes of games by signed terms: an honest player's program against an opponent who shows its moves to the
//! chain alone, is silent, or brings what the game has left behind.

mod common;

use std::fs;
use std::time::Duration;

use codec::Encode as _;
use connect4_chain::{Chain, Clock, Options, rpc};
use connect4_client::fast::{
    DisputeNews, Duty, Journal, Keyring, OpenGame, SeatError, TermsEvent, TermsPlayer,
};
use connect4_client::{Client, Contracts, GameId};
use connect4_protocol::fast::{
    Domain, Ending, FastGame, GameNumber, PackedSigned, SessionKey, Signature,
};
use connect4_protocol::message::{Advance, ClaimFastTimeout, StartSigned};
use connect4_protocol::{Address, End, Error, Event};
use connect4_rules::{Bin, Player};
use connect4_testing::fast::TermsPlay;
use tempfile::TempDir;
use tokio::time::timeout;

use common::{account, deployed, serve, stored};

/// Number of the chain, contract of the fast games, number of the game.
type Game = (u64, Address, GameNumber);

/// More than anything here takes.
const LONG: Duration = Duration::from_secs(120);

/// A folder with the key of a guest, and its journal of each game.
fn keyring(folder: &TempDir, key: &SessionKey, games: Vec<(Game, Journal)>) -> Keyring {
    let mut bytes = b"c4fast\0\x04".to_vec();
    let (agreed, phrase) = (None::<()>, None::<()>);
    (key.secret(), games, agreed, phrase).encode_to(&mut bytes);
    let checksum = sp_crypto_hashing::blake2_256(&bytes);
    bytes.extend(checksum);
    fs::write(folder.path().join(format!("{}.key", key.address())), bytes).unwrap();
    Keyring::in_folder(folder.path().into())
}

/// A game that both have begun, at a relay where nobody is.
fn open(play: &TermsPlay) -> OpenGame {
    OpenGame {
        terms: play.signed_terms(),
        domain: play.domain,
        relay: "ws://127.0.0.1:9".into(),
    }
}

/// A game whose player two is honest, with its program, and a chain whose time the test moves.
struct Table {
    chain: Chain,
    contract: Contracts,
    play: TermsPlay,
    honest: TermsPlayer,
    _server: rpc::Server,
    _folder: TempDir,
}

impl Table {
    /// With what the honest player's program has kept.
    async fn new(kept: impl FnOnce(&TermsPlay) -> Journal) -> Self {
        let since = std::time::UNIX_EPOCH.elapsed().expect("later than 1970");
        let clock = Clock::Manual(since.as_millis() as u64);
        let chain = Chain::open(Options {
            clock,
            ..Options::default()
        });
        let chain = chain.unwrap();
        let (server, url) = serve(chain.clone()).await;
        let client = Client::connect(&url).await.unwrap();
        let contract = deployed(&client).await;
        let (domain, now) = (contract.domain().unwrap(), client.time().await.unwrap());
        let play = TermsPlay::guests(domain, now, 1);
        let folder = TempDir::new().unwrap();
        let key = &play.keys.two;
        let game = (domain.chain_id, domain.contract, play.number());
        let keyring = keyring(&folder, key, vec![(game, kept(&play))]);
        let open = open(&play);
        let locked = keyring.open_guest(key.address()).unwrap();
        Self {
            honest: TermsPlayer::resume(&open, locked).unwrap(),
            chain,
            contract,
            play,
            _server: server,
            _folder: folder,
        }
    }

    /// The opponent starts the game on the chain.
    async fn start(&self) -> GameId {
        let start = StartSigned {
            fast: self.play.domain.contract,
            signed: PackedSigned::from(&self.play.signed_terms()),
        };
        let started = self.contract.send(&account("eve"), start).await;
        started.unwrap().value
    }

    /// The opponent brings moves and presses, by its own signature alone where that is enough.
    async fn brings(&self, game: GameId, bins: &[u8]) {
        let until = self.contract.client().time().await.unwrap() + 600;
        let mut evidence = self.play.evidence(bins, Some(Ending::Press { until }));
        if bins.len() == 1 {
            evidence.signatures.two = Signature::NONE;
        }
        let message = Advance {
            game: game.number(),
            press: false,
            evidence,
        };
        let brought = self.contract.send(&account("eve"), message).await;
        brought.unwrap();
    }

    /// Waits for something that happens on the chain. Blocks are made, as others become final by them.
    async fn until<T>(&mut self, is_it: impl Fn(&TermsPlayer, &DisputeNews) -> Option<T>) -> T {
        let (chain, honest) = (&self.chain, &mut self.honest);
        let wait = async {
            loop {
                match honest.next().await {
                    TermsEvent::Chain(DisputeNews::NotDone(error)) => panic!("{error}"),
                    TermsEvent::Chain(news) => {
                        if let Some(found) = is_it(honest, &news) {
                            return found;
                        }
                    }
                    TermsEvent::Tick => {
                        chain.seal().unwrap();
                    }
                    _ => {}
                }
            }
        };
        timeout(LONG, wait).await.expect("it happens")
    }

    async fn done(&mut self) -> Duty {
        self.until(|_, news| match news {
            DisputeNews::Done(duty, _) => Some(*duty),
            _ => None,
        })
        .await
    }

    /// Waits until the honest program is to move.
    async fn turn(&mut self) {
        self.until(|honest, _| {
            let to_move = honest.latest().to_move();
            (to_move == Some(Player::Two)).then_some(())
        })
        .await;
    }

    fn wait(&self, seconds: u64) {
        self.chain.advance_clock(Duration::from_secs(seconds));
        self.chain.seal().unwrap();
    }
}

/// The opponent shows its moves to the chain alone, and is silent when it has lost its way: it loses on time.
/// An opponent chooses time and nonce of the terms, and so can bring those of a game that was played: without
/// a journal of it each turn would be signed once more.
#[tokio::test]
async fn terms_that_have_begun_a_game_begin_no_other_one() {
    let domain = Domain::new(420_420_420, Address([0xcc; 20]));
    let [played, next] = [1, 2].map(|time| TermsPlay::guests(domain, time, 1));
    let folder = TempDir::new().unwrap();
    let keyring = keyring(&folder, &played.keys.two, Vec::new());
    let begin = |play| {
        let locked = keyring.open_guest(played.keys.two.address()).unwrap();
        TermsPlayer::begin(&open(play), locked).map(|_| ())
    };
    begin(&played).expect("a new game");
    let again = begin(&played).unwrap_err();
    assert!(
        matches!(again, SeatError::Refused(Error::TermsUsed)),
        "{again}"
    );
    begin(&next).expect("a game of other terms");
    assert!(begin(&played).is_err(), "however many came after");
}

#[tokio::test]
async fn what_the_chain_alone_has_is_answered_and_a_silent_opponent_loses_on_time() {
    let mut table = Table::new(|_| Journal::default()).await;
    let game = table.start().await;
    table.brings(game, &[3]).await;
    let found = table.honest.dispute(&table.contract, account("charlie"));
    assert_eq!(found.await.unwrap(), game);
    table.turn().await;
    table.honest.drop(Bin::new(3)).unwrap();
    let mut answer = table.play.evidence(&[3, 3], None);
    answer.signatures.one = Signature::NONE;
    assert_eq!(table.done().await, Duty::Advance(answer));
    let seen = table.until(|honest, _| {
        let game = honest.latest();
        (game.moves() == 2).then_some(())
    });
    seen.await;

    table.honest.press().unwrap();
    let Duty::Advance(pressed) = table.done().await else {
        panic!("a press is brought")
    };
    assert!(matches!(pressed.ending, Some(Ending::Press { .. })));
    table.wait(400);
    assert_eq!(table.done().await, Duty::Claim);
    let ended = stored::<FastGame>(&table.contract, game).await.game;
    assert_eq!(ended.end(), Some(End::Timeout));
    assert_eq!(ended.winner(), Some(Player::Two));
}

/// While the program did not run, the opponent has won on time at a position that both had left. The program finds
/// that when it runs again, and records how the game has ended.
#[tokio::test]
async fn a_timeout_at_an_old_position_is_answered_by_a_record() {
    let line = [0, 4, 3, 4, 3, 4, 2, 4];
    let mut table = Table::new(|play| Journal {
        position: play.evidence(&line, None),
        ..Journal::default()
    })
    .await;
    let game = table.start().await;
    table.brings(game, &line[..3]).await;
    table.wait(400);
    let claim = ClaimFastTimeout {
        game: game.number(),
    };
    table.contract.send(&account("eve"), claim).await.unwrap();
    let found = table.honest.dispute(&table.contract, account("charlie"));
    assert_eq!(found.await.unwrap(), game);
    let ended = stored::<FastGame>(&table.contract, game).await.game;
    assert_eq!(ended.end(), Some(End::Timeout));
    assert_eq!(ended.winner(), Some(Player::One));
    let recorded = table.until(|_, news| match news {
        DisputeNews::Recorded(evidence, receipt) => Some((*evidence, receipt.value.events.clone())),
        _ => None,
    });
    let (evidence, events) = recorded.await;
    assert_eq!(evidence, table.play.evidence(&line, None));
    let [Event::GameRecorded(recorded)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(recorded.number, table.play.number());
    assert_eq!(recorded.end, Some(End::Line));
    assert_eq!(
        recorded.winner,
        Some(table.play.terms.players.two.account())
    );
}
