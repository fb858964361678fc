//! The chain, as the contract runs it, and players whose programs may crash.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use connect4_protocol::fast::{
    AccountCrypto, Agreed, Crypto, Digest, Domain, Ending, Evidence, FIRST, FastGame, Kind, Moves,
    Native, SessionKey, Signature, Signing,
};
use connect4_protocol::{Address, ClockSpec, Error, Match};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_seat::{Duty, Journal, Keep, Moved, Press, Seat, SeatError, Subject};

pub const NUMBER: u32 = FIRST + 3;
pub const DOMAIN: Domain = Domain::new(420_420_421, Address([0xcc; 20]));
/// Time that each player has, in seconds: some ticks of the world.
pub const BANK: u32 = 40;
const START: u64 = 1_800_000_000;

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

/// The game at its start.
pub fn started(shape: Shape, clock: Option<ClockSpec>) -> FastGame {
    let agreed = Agreed {
        players: ByPlayer::from_fn(account),
        keys: ByPlayer::from_fn(|player| key(player).address()),
        payer: account(Player::One),
        shape: shape.into(),
        clock,
        pie_rule: false,
    };
    FastGame::start(&agreed).expect("two players")
}

/// The chain with one fast game.
pub struct Chain {
    pub game: FastGame,
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
        Subject::new(NUMBER, DOMAIN, self.game)
    }

    /// Brings evidence, as anyone may; with `press` the player starts the opponent's clock, too.
    pub fn advance(&mut self, evidence: &Evidence, press: Option<Player>) -> Result<(), Error> {
        let mut game = self.game;
        game.advance(NUMBER, evidence, &DOMAIN, &key(Player::One), self.now)
            .map(|_| ())?;
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
        self.game.claim_timeout(&Match::default(), self.now)
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
    Chain::new(Shape::STANDARD)
        .subject()
        .sign(&key(by), kind, moves)
}

/// What both have signed after these moves, with an ending of the cheat.
pub fn signed(cheat: Player, moves: &[u8], ending: Option<Ending>) -> Evidence {
    let mut evidence = Evidence::start();
    evidence.moves = Moves::from_bins(moves).expect("few moves");
    evidence.ending = ending;
    for player in Player::ALL {
        if let Some(statement) = evidence.statement_of(player, NUMBER) {
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
        Moved::ForChain(_) => unreachable!("the game began on the chain"),
        Moved::OnChain(bin) => {
            chain.drop(seat.player(), bin).expect("it is its turn");
            Ok(None)
        }
    }
}
