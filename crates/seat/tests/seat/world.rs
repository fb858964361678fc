//! The chain, as the contract runs it, and players whose programs may crash.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use connect4_protocol::signed::{
    AccountCrypto, Banks, ChainGame, Crypto, Digest, Evidence, GameNumber, Kind, Moves, Native,
    Party, SessionKey, Signature, SignedEnd, Signing, StakedGame, StakesError, Statement, Terms,
};
use connect4_protocol::{Address, ClockSpec, Error};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_seat::{Duty, Journal, Keep, Moved, Press, Seat, SeatError, Subject};

use crate::staked_world::DOMAIN;

/// Time that each player has, in seconds: some ticks of the world.
pub const BANK: u32 = 40;
const START: u64 = 1_800_000_000;
/// Clock of the terms, which have at least five minutes.
const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 5,
};

thread_local! {
    /// The board and the clock of the test's terms, which are in the number of its game.
    static AGREED: Cell<(Shape, ClockSpec)> = const { Cell::new((Shape::STANDARD, CLOCK)) };
}

/// The session key of a player. Of each statement it makes and checks the signature once, as random play
/// comes to the same ones again and again.
#[derive(Clone, Debug)]
pub struct Key(pub SessionKey);

/// Signatures that a thread remembers, at most.
const REMEMBERED: usize = 20_000;

thread_local! {
    static SIGNED: RefCell<HashMap<(Address, Digest), Signature>> = RefCell::default();
    static SIGNERS: RefCell<HashMap<(Digest, Signature), Option<Address>>> = RefCell::default();
}

/// What a thread remembers, or else makes.
fn remembered<K: Eq + std::hash::Hash, V: Copy>(
    known: &RefCell<HashMap<K, V>>,
    key: K,
    make: impl FnOnce() -> V,
) -> V {
    let mut known = known.borrow_mut();
    if known.len() >= REMEMBERED {
        known.clear();
    }
    *known.entry(key).or_insert_with(make)
}

impl Crypto for Key {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        Native.keccak256(bytes)
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        let make = || Native.recover(digest, signature);
        SIGNERS.with(|known| remembered(known, (*digest, *signature), make))
    }
}

impl AccountCrypto for Key {
    fn verify_sr25519(&self, public_key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool {
        Native.verify_sr25519(public_key, bytes, signature)
    }
}

impl Signing for Key {
    fn address(&self) -> Address {
        self.0.address()
    }

    fn sign(&self, digest: &Digest) -> Signature {
        let make = || self.0.sign(digest);
        SIGNED.with(|known| remembered(known, (self.address(), *digest), make))
    }
}

pub fn key(player: Player) -> Key {
    static KEYS: LazyLock<ByPlayer<Key>> = LazyLock::new(|| {
        let key = |byte| Key(SessionKey::from_secret(&[byte; 32]).expect("a key"));
        ByPlayer {
            one: key(1),
            two: key(2),
        }
    });
    KEYS.get(player).clone()
}

pub fn account(player: Player) -> Address {
    match player {
        Player::One => Address([0xaa; 20]),
        Player::Two => Address([0xbb; 20]),
    }
}

pub fn terms() -> Terms {
    let (shape, clock) = AGREED.get();
    Terms {
        players: ByPlayer::from_fn(|player| Party::new(account(player), key(player).address())),
        clock: Some(clock),
        stake: 1_000,
        time: START,
        ..Terms::on(shape)
    }
}

pub fn number() -> GameNumber {
    terms().number(&DOMAIN, &key(Player::One))
}

/// The game for which both have paid. A clock with a shorter bank than terms can have takes the place of that of its
/// terms.
pub fn started(shape: Shape, clock: Option<ClockSpec>) -> ChainGame {
    let of_terms = clock.filter(|clock| clock.bank >= CLOCK.bank);
    AGREED.set((shape, of_terms.unwrap_or(CLOCK)));
    let fund = |stored, by| StakedGame::fund(stored, &terms(), account(by), START);
    let (paid, _) = fund(None, Player::One).expect("pays");
    let (begun, _) = fund(Some(paid), Player::Two).expect("pays");
    ChainGame {
        stopped: clock.map(|ClockSpec { bank, increment }| Banks {
            left: ByPlayer {
                one: bank,
                two: bank,
            },
            increment,
        }),
        ..begun.game
    }
}

/// The chain with one game.
pub struct Chain {
    pub game: ChainGame,
    pub now: u64,
}

impl Chain {
    pub fn new(shape: Shape) -> Self {
        let clock = ClockSpec {
            bank: BANK,
            increment: 5,
        };
        Self {
            game: started(shape, Some(clock)),
            now: START,
        }
    }

    pub fn subject(&self) -> Subject {
        Subject::staked(&terms(), DOMAIN, &key(Player::One)).expect("terms")
    }

    /// Brings evidence, as anyone may; with `press` the player starts the opponent's clock, too.
    pub fn advance(&mut self, evidence: &Evidence, press: Option<Player>) -> Result<(), Error> {
        let mut staked = StakedGame {
            stake: 1_000,
            clock: terms().clock.expect("a clock"),
            time: START,
            paid_by: None,
            game: self.game,
        };
        let advanced = staked.advance(number(), evidence, &DOMAIN, &key(Player::One), self.now);
        advanced.map_err(|error| match error {
            StakesError::Common(error) => error,
            error => panic!("{error}"),
        })?;
        let mut game = staked.game;
        if let Some(player) = press
            && !game.game.is_over()
        {
            game.press(account(player), self.now)?;
        }
        self.game = game;
        Ok(())
    }

    pub fn press(&mut self, by: Player) -> Result<u64, Error> {
        self.game.press(account(by), self.now)
    }

    pub fn drop(&mut self, by: Player, bin: Bin) -> Result<(), Error> {
        self.game.drop(account(by), bin, self.now).map(|_| ())
    }

    /// Ends the game if the time of the player to move has run out.
    pub fn claim(&mut self) -> Result<(), Error> {
        self.game.claim_timeout(None, self.now)
    }

    pub fn perform(&mut self, duty: &Duty) -> Result<(), Error> {
        match duty {
            Duty::Advance(evidence) => self.advance(evidence, None),
            Duty::Claim => self.claim(),
        }
    }
}

/// The disk of a player's program, which outlives it.
#[derive(Clone, Default)]
pub struct Disk {
    pub journal: Rc<RefCell<Journal>>,
    pub is_full: Rc<RefCell<bool>>,
    /// The journal is there, and may be gone after a crash: the disk fails after the file has its name.
    pub is_failing: Rc<RefCell<bool>>,
}

impl Keep for Disk {
    type Error = &'static str;

    fn keep(&mut self, journal: &Journal) -> Result<(), &'static str> {
        if *self.is_full.borrow() {
            return Err("the disk is full");
        }
        self.journal.replace(journal.clone());
        match *self.is_failing.borrow() {
            true => Err("the disk fails"),
            false => Ok(()),
        }
    }

    fn may_have(&self, journal: &Journal) -> bool {
        *self.journal.borrow() == *journal
    }
}

pub type TestSeat = Seat<Disk, Key>;
pub type TestError = SeatError<&'static str>;

/// A seat with what is on this disk.
pub fn seat(player: Player, disk: &Disk, chain: &Chain) -> TestSeat {
    let journal = disk.journal.borrow().clone();
    let subject = chain.subject();
    Seat::new(
        subject,
        key(player),
        journal,
        disk.clone(),
        chain.game,
        chain.now,
    )
    .expect("its key")
}

/// Signs as nobody honest would.
pub fn forge(by: Player, kind: Kind, moves: &[u8]) -> Signature {
    let statement = Statement {
        game: number(),
        kind,
        moves,
    };
    key(by).sign(&statement.digest(&DOMAIN, &key(by)))
}

/// What both have signed after these moves, with an end of the cheat.
pub fn signed(cheat: Player, moves: &[u8], end: Option<SignedEnd>) -> Evidence {
    let mut evidence = Evidence::start();
    evidence.moves = Moves::from_bins(moves).expect("few moves");
    evidence.end = end;
    for player in Player::ALL {
        if let Some(statement) = evidence.statement_of(player, number()) {
            let (kind, moves) = (statement.kind, statement.moves.to_vec());
            // The honest player has signed its moves alone.
            assert!(player == cheat || kind == Kind::Position);
            evidence.signatures[player] = forge(player, kind, &moves);
        }
    }
    evidence
}

/// Both sign the moves that follow those which the honest player holds.
pub fn play(honest: &mut TestSeat, chain: &mut Chain, moves: &[u8]) {
    let from = usize::from(honest.journal().position.moves.turns());
    for turns in from + 1..=moves.len() {
        if honest.latest().to_move() == Some(honest.player()) {
            drop(honest, chain, moves[turns - 1]).expect("legal");
        } else {
            let evidence = signed(honest.player().opponent(), &moves[..turns], None);
            honest.receive(&evidence).expect("signed");
        }
    }
}

/// Performs what a player wants on the chain, as its program would.
pub fn press(chain: &mut Chain, by: Player, press: &Press) -> Result<(), Error> {
    match press {
        Press::With(evidence) => chain.advance(evidence, Some(by)),
        Press::Alone => chain.press(by).map(|_| ()),
    }
}

/// Has the seat drop a disc, wherever it has to.
pub fn drop(
    seat: &mut TestSeat,
    chain: &mut Chain,
    bin: u8,
) -> Result<Option<Evidence>, TestError> {
    match seat.drop(Bin::new(bin))? {
        Moved::Signed(evidence) => Ok(Some(evidence)),
        Moved::OnChain(bin) => {
            chain.drop(seat.player(), bin).expect("it is its turn");
            Ok(None)
        }
    }
}
