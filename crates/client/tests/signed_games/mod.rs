//! Signed games of two programs: without a stake, in the room of a real witness, and with one, by the real contract.

mod clocks;
mod guard;
mod listing;
mod lobby;

use std::net::SocketAddr;
use std::time::Duration;

use codec::Encode as _;
use connect4_chain::{Chain, Clock, Options, rpc};
use connect4_client::signed::{
    Around, Awaited, Call, Carrier, Command, GameName, GameOffer, Keyring, KeyringError,
    LobbyError, Message, News, PlayerError, RoomState, SignedError, SignedGames, SignedPlayer,
    Stage, Taker, View, What, Who, witness_at,
};
use connect4_client::{Client, Signer, Stakes, fallback_account};
use connect4_protocol::signed::Native;
use connect4_protocol::signed::wire::{FromWitness, Telling};
use connect4_protocol::signed::{Domain, Party, Terms};
use connect4_protocol::{Address, ClockSpec, End};
use connect4_relay::{Limits, Proxies, Relay, Witness, serve};
use connect4_rules::{Bin, Player, Shape};
use connect4_testing::contracts::STAKES;
use connect4_testing::signed::CHAIN;
use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite;

use crate::common::{SECRET, account, pay};

/// More than anything here takes.
const LONG: Duration = Duration::from_secs(120);

/// Four discs of player one on each other, on the classroom board.
const WON: [u8; 7] = [0, 1, 0, 1, 0, 1, 0];

/// A relay that is the witness whose log is in a folder.
struct Referee {
    folder: TempDir,
    addr: SocketAddr,
    key: Address,
    running: Option<(Runtime, Relay, JoinHandle<()>)>,
}

impl Drop for Referee {
    fn drop(&mut self) {
        if let Some((runtime, ..)) = self.running.take() {
            runtime.shutdown_background();
        }
    }
}

impl Referee {
    fn new() -> Self {
        let mut referee = Self {
            folder: TempDir::new().unwrap(),
            addr: ([127, 0, 0, 1], 0).into(),
            key: Address::ZERO,
            running: None,
        };
        referee.start();
        referee
    }

    fn start(&mut self) {
        let witness = loop {
            match Witness::open(self.folder.path(), CHAIN) {
                Ok(witness) => break witness,
                // The one before is about to leave it.
                Err(connect4_relay::witness::LogError::InUse) => std::thread::yield_now(),
                Err(error) => panic!("{error}"),
            }
        };
        self.key = witness.key();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (listener, relay) = {
            let _inside = runtime.enter();
            let socket = TcpSocket::new_v4().unwrap();
            socket.set_reuseaddr(true).unwrap();
            socket.bind(self.addr).unwrap();
            let relay = Relay::witnessed(Limits::default(), witness);
            (socket.listen(64).unwrap(), relay)
        };
        self.addr = listener.local_addr().unwrap();
        let serving = serve(listener, relay.clone(), Proxies::default());
        let task = runtime.spawn(serving);
        self.running = Some((runtime, relay, task));
    }

    /// Ends the relay, and waits until it has ended.
    async fn stop(&mut self) {
        let (runtime, relay, task) = self.running.take().unwrap();
        relay.stop().stop();
        task.await.unwrap();
        drop(relay);
        runtime.shutdown_background();
    }

    fn url(&self) -> String {
        format!("ws://{}", self.addr)
    }

    /// An offer of a game on the classroom board, whose maker moves first.
    fn offer(&self, key: Address, clock: Option<ClockSpec>) -> GameOffer {
        let terms = Terms {
            witness: Some(self.key),
            clock,
            nonce: 7,
            ..Terms::on(Shape::CLASSROOM)
        };
        let domain = Domain::without_stake(CHAIN);
        GameOffer {
            player: Some(Player::One),
            relay: Some(self.url()),
            ..GameOffer::new(domain, Party::Guest(key), terms, now() + 600)
        }
    }
}

fn now() -> u64 {
    std::time::UNIX_EPOCH.elapsed().unwrap().as_secs()
}

/// Where a person's keys and records are.
struct Person {
    folder: TempDir,
    key: Address,
}

impl Person {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let keyring = Keyring::in_folder(folder.path().into());
        let key = keyring.create_guest().unwrap().address();
        Self { folder, key }
    }

    fn games(&self) -> SignedGames {
        SignedGames::beside(&Keyring::in_folder(self.folder.path().into()))
    }

    fn around(&self, carrier: Option<Carrier>) -> Around {
        Around {
            games: self.games(),
            stakes: None,
            relay: None,
            carrier,
            ahead: 0,
        }
    }

    fn taker(&self, account: Address, time: u64) -> Taker {
        Taker {
            party: Party::new(account, self.key),
            session: None,
            player: Player::Two,
            is_program: false,
            time,
            nonce: 9,
        }
    }

    async fn resume(&self, name: GameName) -> SignedPlayer {
        SignedPlayer::resume(self.around(None), name).unwrap()
    }
}

/// Two guests who have agreed on a game.
struct Table {
    referee: Referee,
    people: [Person; 2],
    players: [SignedPlayer; 2],
}

impl Table {
    async fn new(clock: Option<ClockSpec>) -> Self {
        Self::by(clock, |offer| offer).await
    }

    async fn by(clock: Option<ClockSpec>, change: impl Fn(GameOffer) -> GameOffer) -> Self {
        Self::at(Referee::new(), None, clock, change).await
    }

    /// Player two reaches the relay at this URL, if it is another one.
    async fn at(
        referee: Referee,
        relay: Option<String>,
        clock: Option<ClockSpec>,
        change: impl Fn(GameOffer) -> GameOffer,
    ) -> Self {
        let people = [Person::new(), Person::new()];
        let [one, two] = &people;
        let [a, b] = Carrier::pair();
        let offer = change(referee.offer(one.key, clock));
        // As any messenger carries it.
        let text = offer.to_string();
        let offering = SignedPlayer::offer(one.around(Some(a)), offer)
            .await
            .unwrap();
        let taker = two.taker(two.key, now());
        let offer = text.parse().unwrap();
        let around = Around {
            relay,
            ..two.around(Some(b))
        };
        let taking = SignedPlayer::take(around, offer, &taker).await.unwrap();
        let mut table = Self {
            referee,
            people,
            players: [offering, taking],
        };
        for player in &mut table.players {
            until(player, |view| view.shown.stage == Stage::Playing).await;
        }
        table
    }

    /// Plays these moves in turn, by whoever is to move, until both have seen them.
    async fn play(&mut self, bins: &[u8]) {
        play(&mut self.players, bins).await;
    }

    /// Waits until both know the end.
    async fn end(&mut self) -> (End, Option<Player>) {
        let mut ends = Vec::new();
        for player in &mut self.players {
            let view = until(player, |view| view.shown.stage == Stage::Over).await;
            let finished = view.finished.unwrap();
            let judged = finished.judge(CHAIN, &Native).unwrap();
            let game = view.shown.game.unwrap();
            assert_eq!(
                (game.end(), game.winner()),
                (Some(judged.end), judged.winner)
            );
            assert_eq!(view.shown.awaited, None);
            ends.push((judged.end, judged.winner));
        }
        assert_eq!(ends[0], ends[1]);
        ends[0]
    }
}

async fn until(player: &mut SignedPlayer, wanted: impl FnMut(&View) -> bool) -> View {
    match timeout(LONG, player.until(wanted)).await {
        Ok(view) => view.unwrap(),
        Err(_) => panic!("{:#?}", player.view()),
    }
}

fn may_move(view: &View) -> bool {
    matches!(
        view.shown.awaited,
        Some(Awaited {
            of: Who::You,
            what: What::Move,
            ..
        })
    )
}

async fn play(players: &mut [SignedPlayer; 2], bins: &[u8]) {
    for bin in bins {
        let turns = usize::from(players[0].view().shown.game.unwrap().turns());
        let mover = players
            .iter()
            .position(|player| player.view().shown.side == Some(side_to_move(turns)))
            .unwrap();
        until(&mut players[mover], may_move).await;
        players[mover]
            .command(Command::Move(Bin::new(*bin)))
            .await
            .unwrap();
        for player in &mut *players {
            let has_moved = |view: &View| {
                view.shown
                    .game
                    .is_some_and(|game| usize::from(game.turns()) > turns)
            };
            until(player, has_moved).await;
        }
    }
}

const fn side_to_move(turns: usize) -> Player {
    match turns % 2 {
        0 => Player::One,
        _ => Player::Two,
    }
}

#[tokio::test]
async fn guests_play_to_the_end_on_the_board() {
    let mut table = Table::new(None).await;
    let refused = table.players[1].command(Command::Move(Bin::new(0))).await;
    assert!(refused.is_err(), "it is not the turn of player two");
    table.play(&WON).await;
    assert_eq!(table.end().await, (End::Line, Some(Player::One)));
    for player in &table.players {
        assert_eq!(*player.view().moves, WON);
        assert!(player.rematch(now() + 60).await.is_ok());
    }
    let [one, two] = &table.players;
    let rematch = one.rematch(now() + 60).await.unwrap();
    assert!(two.is_rematch(&rematch).await.unwrap());
    assert!(!one.is_rematch(&rematch).await.unwrap(), "it is its own");
}

#[tokio::test]
async fn a_coin_decides_the_colours_of_guests() {
    let referee = Referee::new();
    let people = [Person::new(), Person::new()];
    let [one, two] = &people;
    let key = one.games().keyring().key(one.key).unwrap();
    let offer = GameOffer {
        player: None,
        ..referee.offer(one.key, None)
    };
    let offer = offer.with_coin(&key);
    let [a, b] = Carrier::pair();
    let offering = SignedPlayer::offer(one.around(Some(a)), offer.clone());
    let offering = offering.await.unwrap();
    let taker = two.taker(two.key, now());
    let taking = SignedPlayer::take(two.around(Some(b)), offer, &taker);
    let mut table = Table {
        players: [offering, taking.await.unwrap()],
        people,
        referee,
    };
    for player in &mut table.players {
        until(player, |view| view.shown.stage == Stage::Playing).await;
    }
    let sides = table
        .players
        .each_ref()
        .map(|player| player.view().shown.side);
    assert!(sides[0].is_some() && sides[0] != sides[1], "{sides:?}");
    table.play(&[3, 3]).await;
    drop(table.referee);
}

#[tokio::test]
async fn a_resignation_and_a_draw_are_the_word_of_the_witness() {
    let mut table = Table::new(None).await;
    table.play(&WON[..3]).await;
    table.players[1].command(Command::Resign).await.unwrap();
    assert_eq!(table.end().await, (End::Resignation, Some(Player::One)));

    let mut table = Table::new(None).await;
    table.play(&WON[..2]).await;
    table.players[1].command(Command::OfferDraw).await.unwrap();
    until(&mut table.players[0], |view| view.shown.draw.is_some()).await;
    table.players[0].command(Command::AcceptDraw).await.unwrap();
    assert_eq!(table.end().await, (End::Agreement, None));
}

#[tokio::test]
async fn a_player_who_is_silent_loses_on_time() {
    let clock = ClockSpec {
        bank: 1,
        increment: 0,
    };
    let mut table = Table::new(Some(clock)).await;
    table.play(&WON[..2]).await;
    assert_eq!(table.end().await, (End::Timeout, Some(Player::Two)));
}

#[tokio::test]
async fn a_program_that_was_ended_goes_on_from_its_record() {
    let mut table = Table::new(None).await;
    table.play(&WON[..3]).await;
    let [one, two] = table.players;
    let name = two.name();
    let in_use = SignedPlayer::resume(table.people[1].around(None), name);
    assert!(
        matches!(in_use, Err(SignedError::Keyring(KeyringError::InUse(_)))),
        "another program plays it"
    );
    two.close().await;
    let resumed = table.people[1].resume(name).await;
    let mut table = Table {
        players: [one, resumed],
        ..table
    };
    table.play(&WON[3..]).await;
    assert_eq!(table.end().await, (End::Line, Some(Player::One)));
    // A game that is over is still shown.
    let [_, two] = table.players;
    two.close().await;
    let over = table.people[1].resume(name).await;
    assert_eq!(over.view().shown.stage, Stage::Over);
    assert_eq!(table.people[1].games().names().unwrap(), [name]);
}

#[tokio::test]
async fn a_move_that_the_witness_has_not_taken_is_said_again_by_the_next_program() {
    let mut table = Table::new(None).await;
    table.play(&WON[..3]).await;
    table.referee.stop().await;
    let [one, mut two] = table.players;
    until(&mut two, |view| matches!(view.room, RoomState::Lost(_))).await;
    two.command(Command::Move(Bin::new(WON[3]))).await.unwrap();
    let other = two.command(Command::Move(Bin::new(2))).await;
    assert!(other.is_err(), "one move is signed for a turn");
    let name = two.name();
    two.close().await;
    let two = table.people[1].resume(name).await;
    let other = two.command(Command::Move(Bin::new(2))).await;
    assert!(other.is_err(), "nor by the next program");
    table.referee.start();
    let mut table = Table {
        players: [one, two],
        ..table
    };
    for player in &mut table.players {
        until(player, |view| view.moves.len() == 4).await;
    }
    table.play(&WON[4..]).await;
    assert_eq!(table.end().await, (End::Line, Some(Player::One)));
}

/// The contract of the stakes, on a chain whose time the test moves.
struct Ground {
    chain: Chain,
    _server: rpc::Server,
    stakes: Stakes,
}

impl Ground {
    async fn new() -> Self {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap();
        let chain = Chain::open(Options {
            clock: Clock::Manual(since.as_millis() as u64),
            ..Options::default()
        });
        let chain = chain.unwrap();
        let (server, url) = crate::common::serve(chain.clone()).await;
        let client = Client::connect(&url).await.unwrap();
        let [alice, bob] = signers();
        let (address, _) = client.deploy_stakes(&alice, STAKES).await.unwrap();
        client.ensure_mapped(&bob).await.unwrap();
        let stakes = Stakes::open(&client, address, STAKES).await.unwrap();
        Self {
            chain,
            _server: server,
            stakes,
        }
    }
}

/// The terms of a game with a stake.
fn staked_terms() -> Terms {
    Terms {
        clock: Some(ClockSpec {
            bank: 300,
            increment: 5,
        }),
        stake: TOKEN,
        nonce: 7,
        ..Terms::on(Shape::CLASSROOM)
    }
}

/// A game with a stake of two development accounts.
struct Staked {
    ground: Ground,
    stakes: Stakes,
    people: [Person; 2],
    players: [SignedPlayer; 2],
    /// What the transactions of each have cost so far: fees and deposits, in the token's smallest unit.
    costs: [i128; 2],
    /// What each account had, and what the contract had.
    had: [u128; 3],
}

const NAMES: [&str; 2] = ["alice", "bob"];

/// A token, as contracts count.
const TOKEN: u128 = 10_u128.pow(18);

fn signers() -> [Signer; 2] {
    NAMES.map(account)
}

impl Staked {
    async fn new(carriers: [Option<Carrier>; 2]) -> Self {
        Self::begun(carriers, false).await
    }

    /// The player who offers may be told who takes the offer before a block says so.
    async fn begun(carriers: [Option<Carrier>; 2], is_told: bool) -> Self {
        Self::between(signers(), carriers, is_told).await
    }

    /// A game of these two accounts.
    async fn between(
        [alice, bob]: [Signer; 2],
        carriers: [Option<Carrier>; 2],
        is_told: bool,
    ) -> Self {
        let ground = Ground::new().await;
        let stakes = ground.stakes.clone();
        for signer in [&alice, &bob] {
            if signer.is_ethereum() {
                pay(ground.chain.clone(), signer, 100).await;
            }
        }
        let had = balances(&stakes).await;
        let people = [Person::new(), Person::new()];
        let [one, two] = &people;
        let around = |person: &Person, signer: &Signer, carrier| Around {
            stakes: Some((stakes.clone(), signer.clone())),
            ..person.around(carrier)
        };
        let [a, b] = carriers;
        let party = Party::new(alice.address(), one.key);
        let offer = GameOffer {
            player: Some(Player::One),
            ..GameOffer::new(stakes.domain(), party, staked_terms(), now() + 600)
        };
        let offering = SignedPlayer::offer(around(one, &alice, a), offer.clone());
        let offering = offering.await.unwrap();
        let taker = two.taker(bob.address(), now());
        if is_told {
            let taken = Message::Taken(offer.complete(&taker));
            offering.tell(taken).await.unwrap();
        }
        let taking = SignedPlayer::take(around(two, &bob, b), offer, &taker);
        let taking = taking.await.unwrap();
        let mut staked = Self {
            ground,
            stakes,
            people,
            players: [offering, taking],
            costs: [0; 2],
            had,
        };
        for player in 0..2 {
            staked
                .until(player, |view| view.shown.stage == Stage::Playing)
                .await;
            staked
                .sent(player, |call| matches!(call, Call::Fund { .. }))
                .await;
        }
        staked
    }

    async fn until(&mut self, player: usize, wanted: impl FnMut(&View) -> bool) -> View {
        until(&mut self.players[player], wanted).await
    }

    /// Waits for a transaction of a player, and counts what it and those before have cost.
    async fn sent(&mut self, player: usize, wanted: impl Fn(&Call) -> bool) {
        loop {
            let news = timeout(LONG, self.players[player].next()).await;
            if self.count(player, news.expect("it is sent").unwrap(), &wanted) {
                return;
            }
        }
    }

    fn count(&mut self, player: usize, news: News, wanted: impl Fn(&Call) -> bool) -> bool {
        match news {
            News::Sent(call, receipt) => {
                let fee = i128::try_from(receipt.transaction.fee).unwrap();
                self.costs[player] += fee + receipt.deposit;
                wanted(&call)
            }
            other => panic!("{other:?}"),
        }
    }

    /// Time passes on the chain.
    fn wait(&self, seconds: u64) {
        let chain = &self.ground.chain;
        chain.advance_clock(Duration::from_secs(seconds));
        chain.seal().unwrap();
    }

    /// Both have been paid what they are owed. Nobody has lost anything but the stake and the fees, and the contract
    /// keeps nothing.
    async fn paid(&mut self, shares: [u128; 2]) {
        for (player, share) in shares.into_iter().enumerate() {
            let over = self
                .until(player, |view| view.shown.stage == Stage::Over)
                .await;
            assert_eq!(over.shown.owed, share);
            if share > 0 {
                let withdrawing = self.players[player].command(Command::Withdraw);
                withdrawing.await.unwrap();
                self.sent(player, |call| *call == Call::Withdraw).await;
                self.until(player, |view| view.shown.owed == 0).await;
            }
        }
        let has = balances(&self.stakes).await;
        let signed = |amount: u128| i128::try_from(amount).unwrap();
        let token = self.stakes.client().token().clone();
        let units = |amount: u128| signed(token.in_smallest_unit(amount));
        for (player, share) in shares.into_iter().enumerate() {
            while let Some(Ok(news)) = self.players[player].next().now_or_never() {
                self.count(player, news, |_| false);
            }
            let paid = units(share) - units(TOKEN) - self.costs[player];
            let had = signed(self.had[player]);
            assert_eq!(signed(has[player]), had + paid, "{}", NAMES[player]);
        }
        assert_eq!(has[2], self.had[2]);
    }
}

async fn balances(stakes: &Stakes) -> [u128; 3] {
    let [alice, bob] = signers().map(|signer| signer.account());
    let mut all = [0; 3];
    for (at, account) in [alice, bob, fallback_account(stakes.address())]
        .iter()
        .enumerate()
    {
        all[at] = stakes.client().balance(account).await.unwrap();
    }
    all
}

#[tokio::test]
async fn a_staked_game_is_paid_for_played_by_signatures_and_paid() {
    let mut staked = Staked::new(Carrier::pair().map(Some)).await;
    play(&mut staked.players, &WON).await;
    staked.paid([2 * TOKEN, 0]).await;
}

#[tokio::test]
async fn a_taker_is_looked_for_who_is_told_before_the_payment_is_there() {
    let mut staked = Staked::begun([None, None], true).await;
    let newest = staked.until(0, may_move).await.block;
    assert!(newest.is_some_and(|newest| newest.seen >= now() - 120));
}

/// Two programs of one folder can't sign in one game.
#[tokio::test]
async fn a_record_belongs_to_one_program_and_an_offer_is_taken_once_by_a_key() {
    let referee = Referee::new();
    let people = [Person::new(), Person::new()];
    let [one, two] = &people;
    let offer = referee.offer(one.key, None);
    let taker = two.taker(two.key, now());
    let taking = SignedPlayer::take(two.around(None), offer.clone(), &taker);
    let taking = taking.await.unwrap();
    let later = Taker {
        time: taker.time + 1,
        ..taker
    };
    let again = SignedPlayer::take(two.around(None), offer, &later).await;
    assert!(matches!(
        again,
        Err(SignedError::Player(PlayerError::OtherRecord))
    ));
    // The file that is locked is gone: another program could lock a new one.
    let name = taking.name();
    let lock = two.folder.path().join(format!("signed/{name}.lock"));
    std::fs::remove_file(lock).unwrap();
    let refused = taking.command(Command::Resign).await;
    assert!(matches!(
        refused,
        Err(SignedError::Player(PlayerError::OtherRecord))
    ));
    taking.close().await;
    // What is on the disk is not what was written.
    let path = two.folder.path().join(format!("signed/{name}.game"));
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let damaged = SignedPlayer::resume(two.around(None), name);
    assert!(matches!(
        damaged,
        Err(SignedError::Keyring(KeyringError::Damaged(_)))
    ));
}

#[tokio::test]
async fn a_staked_game_goes_on_from_the_records_of_both() {
    let mut staked = Staked::new(Carrier::pair().map(Some)).await;
    play(&mut staked.players, &WON[..4]).await;
    let [one, two] = staked.players;
    let names = [one.name(), two.name()];
    one.close().await;
    two.close().await;
    let resume = |person: &Person, name, signer: &Signer, carrier| {
        let around = Around {
            stakes: Some((staked.stakes.clone(), signer.clone())),
            ..person.around(Some(carrier))
        };
        SignedPlayer::resume(around, name).unwrap()
    };
    let [alice, bob] = signers();
    let [a, b] = Carrier::pair();
    let players = [
        resume(&staked.people[0], names[0], &alice, a),
        resume(&staked.people[1], names[1], &bob, b),
    ];
    let mut staked = Staked { players, ..staked };
    for player in 0..2 {
        let view = staked.until(player, |view| view.shown.game.is_some()).await;
        assert_eq!(view.shown.game.unwrap().turns(), 4);
    }
    play(&mut staked.players, &WON[4..]).await;
    staked.paid([2 * TOKEN, 0]).await;
}

#[tokio::test]
async fn a_staked_game_is_played_on_the_chain_where_no_relay_is() {
    let mut staked = Staked::new([None, None]).await;
    for (turn, bin) in WON.into_iter().enumerate() {
        let mover = turn % 2;
        staked.until(mover, may_move).await;
        let command = Command::MoveOnChain(Bin::new(bin));
        staked.players[mover].command(command).await.unwrap();
        // It is made once, unless it is made already.
        let _ = staked.players[mover].command(command).await;
        staked
            .sent(mover, |call| matches!(call, Call::Drop { .. }))
            .await;
        for player in 0..2 {
            let has_moved = |view: &View| {
                view.shown
                    .game
                    .is_some_and(|game| usize::from(game.turns()) > turn)
            };
            staked.until(player, has_moved).await;
        }
    }
    // Nobody contests the line.
    staked.wait(3_600);
    staked.paid([2 * TOKEN, 0]).await;
}

#[tokio::test]
async fn a_silent_opponent_is_pressed_and_loses_the_stake() {
    let mut staked = Staked::new(Carrier::pair().map(Some)).await;
    play(&mut staked.players, &WON[..3]).await;
    let [one, two] = staked.players;
    let name = two.name();
    two.close().await;
    one.command(Command::Press).await.unwrap();
    let around = Around {
        stakes: Some((staked.stakes.clone(), account("bob"))),
        ..staked.people[1].around(None)
    };
    let mut staked = Staked {
        // It is there again when its time is over.
        players: [one, SignedPlayer::resume(around, name).unwrap()],
        ..staked
    };
    let is_press = |call: &Call| matches!(call, Call::Advance { press: true, .. });
    staked.sent(0, is_press).await;
    staked.wait(3_600);
    staked.paid([2 * TOKEN, 0]).await;
}

/// What an account of Ethereum signs is good on every branch of the chain: based on a block that is replaced, it would
/// start a clock in a position that never was.
#[tokio::test]
async fn an_account_of_ethereum_presses_once_what_it_has_seen_is_final() {
    let ethereum = Signer::from_secret(SECRET).unwrap();
    let players = [account("alice"), ethereum];
    let mut staked = Staked::between(players, Carrier::pair().map(Some), false).await;
    staked.ground.chain.stall_finality().unwrap();
    staked.wait(6);
    let seen = staked.players[1].view().block.map(|block| block.time);
    let is_later = |view: &View| view.block.map(|block| block.time) > seen;
    staked.until(1, is_later).await;
    // Nobody has moved, so that there is nothing to bring besides.
    staked.players[1].command(Command::Press).await.unwrap();
    for _ in 0..3 {
        let seen = staked.players[1].view().block.map(|block| block.time);
        staked.wait(6);
        staked
            .until(1, |view| view.block.map(|block| block.time) > seen)
            .await;
        let told = staked.players[1].next().now_or_never();
        assert!(told.is_none(), "{told:?}");
    }
    staked.ground.chain.resume_finality().unwrap();
    staked.sent(1, |call| matches!(call, Call::Press)).await;
}

/// A program that welcomes into any room, by a clock that is an hour fast, and says nothing else. Returns its URL.
async fn fast_relay() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let mut socket = tokio_tungstenite::accept_async(socket).await.unwrap();
            let welcome = FromWitness::Welcome {
                nonce: [1; 32],
                chain_id: CHAIN.id,
                genesis: CHAIN.genesis,
                time: (now() + 3_600) * 1_000,
            };
            let welcome = tungstenite::Message::binary(welcome.encode());
            socket.send(welcome).await.unwrap();
            tokio::spawn(async move { while let Some(Ok(_)) = socket.next().await {} });
        }
    });
    url
}

#[tokio::test]
async fn a_relay_whose_clock_is_far_from_this_machine_s_is_not_believed() {
    let url = fast_relay().await;
    let refused = witness_at(&url, Address([3; 20])).await;
    assert!(
        matches!(refused, Err(LobbyError::WrongClock(_))),
        "{refused:?}"
    );
    // Nor in the room of a game that has begun elsewhere.
    let mut table = Table::new(None).await;
    table.play(&WON[..2]).await;
    let [_one, two] = table.players;
    let name = two.name();
    two.close().await;
    let around = Around {
        relay: Some(url),
        ..table.people[1].around(None)
    };
    let mut two = SignedPlayer::resume(around, name).unwrap();
    let is_lost = |view: &View| matches!(view.room, RoomState::Lost(_));
    let view = until(&mut two, is_lost).await;
    let RoomState::Lost(why) = view.room else {
        panic!("it is lost")
    };
    assert!(why.starts_with("by the clock of the relay"), "{why}");
    assert_eq!(view.ahead, 0);
}

#[tokio::test]
async fn an_offer_is_dated_and_judged_by_one_clock() {
    let referee = Referee::new();
    let person = Person::new();
    let offer = GameOffer {
        until: now() - 50,
        ..referee.offer(person.key, None)
    };
    let over = SignedPlayer::offer(person.around(None), offer.clone()).await;
    assert!(matches!(
        over,
        Err(SignedError::Player(PlayerError::OfferOver))
    ));
    // By the clock of the witness it stands.
    let around = Around {
        ahead: -100,
        ..person.around(None)
    };
    let offering = SignedPlayer::offer(around, offer).await.unwrap();
    assert_eq!(offering.view().ahead, -100);
    let awaited = offering.view().shown.awaited.unwrap();
    assert_eq!(awaited.what, What::Taker);
}

#[tokio::test]
async fn an_offer_is_taken_again_once_the_first_terms_are_too_old() {
    let referee = Referee::new();
    let people = [Person::new(), Person::new()];
    let [one, two] = &people;
    let offer = referee.offer(one.key, None);
    let late = two.taker(two.key, now() - 300);
    let taking = SignedPlayer::take(two.around(None), offer.clone(), &late).await;
    taking.unwrap().close().await;
    let fresh = two.taker(two.key, now());
    let taking = SignedPlayer::take(two.around(None), offer.clone(), &fresh).await;
    taking.unwrap().close().await;
    let again = SignedPlayer::take(two.around(None), offer, &fresh).await;
    assert!(matches!(
        again,
        Err(SignedError::Player(PlayerError::OtherRecord))
    ));
}

#[tokio::test]
async fn a_game_for_which_no_room_gave_a_receipt_for_a_day_has_not_begun() {
    let mut table = Table::new(None).await;
    table.play(&WON[..2]).await;
    let name = table.players[1].name();
    let mut kept = table.people[1].games().peek(name).unwrap();
    let year = now() + 365 * 86_400;
    assert!(kept.is_open(year), "it has begun");
    kept.record.room.as_mut().unwrap().receipt = None;
    assert!(kept.is_open(now()), "it may begin");
    assert!(!kept.is_open(year));
}

#[tokio::test]
async fn a_record_has_the_time_that_was_left_after_each_move_and_an_earlier_one_has_none() {
    let clock = ClockSpec {
        bank: 60,
        increment: 0,
    };
    let mut table = Table::new(Some(clock)).await;
    table.play(&WON[..3]).await;
    let (games, name) = (table.people[1].games(), table.players[1].name());
    let kept = games.peek(name).unwrap();
    let receipt = kept.record.room.as_ref().unwrap().receipt.unwrap();
    let Telling::Receipt { left } = receipt.what else {
        panic!("{receipt:?}");
    };
    assert_eq!((kept.left.len(), kept.left[2]), (3, Some(left.one)));
    assert!(kept.left.iter().flatten().all(|left| *left <= 60_000));
    let mut earlier = b"c4game\0\x01".to_vec();
    (kept.since, &kept.record).encode_to(&mut earlier);
    let checksum = sp_crypto_hashing::blake2_256(&earlier);
    std::fs::write(games.path(name), [&earlier[..], &checksum].concat()).unwrap();
    let read = games.peek(name).unwrap();
    assert_eq!((read.record, read.left), (kept.record, Vec::new()));
}
