//! A game with a stake from the offer to the payment, case by case, with real keys and the contract's own rules.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use connect4_protocol::signed::{GameNumber, Native, Party, Signing as _, Terms};
use connect4_protocol::{Address, ClockSpec, End, Error};
use connect4_rules::{Bin, Player as Side, Shape};
use connect4_seat::{
    Call, Command, GameOffer, Input, Message, Output, Player, PlayerError, Record, Refund,
    SeatError, Shelf, Sight, Stage, Taker, What, Who,
};

use crate::staked_world::{DOMAIN, Stakes};
use crate::world::{Key, account, key};

pub const START: u64 = 1_800_000_000;
pub const STAKE: u128 = 1_000;
const PAID: i128 = 1_000;
/// Blocks after which one is final.
pub const FINAL: usize = 2;

/// What the disk of a player has.
#[derive(Clone, Debug, Default)]
pub struct Disk(Rc<RefCell<Stored>>);

#[derive(Debug, Default)]
struct Stored {
    record: Option<Record>,
    keys: BTreeSet<Address>,
    others: BTreeSet<GameNumber>,
    taken: Option<(GameOffer, Address)>,
    is_full: bool,
    is_stolen: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Disk {
    /// What it has.
    pub fn record(&self) -> Record {
        self.0.borrow().record.clone().expect("it is kept")
    }

    /// There is another record of this offer by this key.
    pub fn has_another(&self, offer: &GameOffer, key: Address) {
        self.0.borrow_mut().taken = Some((offer.clone(), key));
    }

    /// Another program has the record from now on.
    pub fn steal(&self) {
        self.0.borrow_mut().is_stolen = true;
    }

    /// From now on it keeps nothing, or keeps again.
    pub fn fill(&self, is_full: bool) {
        self.0.borrow_mut().is_full = is_full;
    }
}

impl Shelf for Disk {
    type Error = Full;

    fn keep(&mut self, record: &Record) -> Result<(), Full> {
        let mut stored = self.0.borrow_mut();
        if stored.is_full {
            return Err(Full);
        }
        stored.record = Some(record.clone());
        Ok(())
    }

    fn may_have(&self, record: &Record) -> bool {
        self.0.borrow().record.as_ref() == Some(record)
    }

    fn has_key(&self, key: Address) -> bool {
        self.0.borrow().keys.contains(&key)
    }

    fn has_other(&self, game: GameNumber) -> bool {
        self.0.borrow().others.contains(&game)
    }

    fn has_taken(&self, offer: &GameOffer, key: Address) -> bool {
        let stored = self.0.borrow();
        let taken = stored.taken.as_ref();
        taken.is_some_and(|(taken, by)| taken == offer && *by == key)
    }

    fn is_held(&self) -> bool {
        !self.0.borrow().is_stolen
    }
}

pub type Program = Player<Disk, Key>;

pub fn disk(side: Side) -> Disk {
    let disk = Disk::default();
    disk.0.borrow_mut().keys.insert(key(side).address());
    disk
}

fn party(side: Side) -> Party {
    Party::new(account(side), key(side).address())
}

/// Player one offers.
pub fn offer() -> GameOffer {
    GameOffer {
        player: Some(Side::One),
        relay: Some("wss://relay.example".into()),
        ..GameOffer::new(
            DOMAIN,
            party(Side::One),
            Terms {
                clock: Some(ClockSpec {
                    bank: 300,
                    increment: 5,
                }),
                stake: STAKE,
                nonce: 9,
                ..Terms::on(Shape::STANDARD)
            },
            START + 3_600,
        )
    }
}

pub fn taker() -> Taker {
    Taker {
        party: party(Side::Two),
        session: None,
        player: Side::Two,
        is_program: false,
        time: START,
        nonce: 0,
    }
}

/// Two programs, the contract, and a relay between them.
pub struct World {
    players: [Program; 2],
    pub chain: Stakes,
    pub blocks: Vec<Stakes>,
    /// How many of them were final once: those stay.
    pub final_blocks: usize,
    pub now: u64,
    pub sent: Vec<(Side, Call)>,
    refused: usize,
    /// Whether messages come at once.
    pub has_relay: bool,
    /// All that a player has sent while they did not, with who gets it.
    pub mail: Vec<(Side, Message)>,
}

impl World {
    pub fn new() -> Self {
        let text = offer().to_string();
        let read: GameOffer = text.parse().expect("an offer");
        assert_eq!(read, offer());
        let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), offer(), START);
        let two = Player::take(
            DOMAIN,
            key(Side::Two),
            disk(Side::Two),
            (read, &taker()),
            START,
        );
        let (two, told) = two.expect("it is taken");
        let mut world = Self {
            players: [one.expect("it is offered"), two],
            chain: Stakes::new(),
            blocks: Vec::new(),
            final_blocks: 0,
            now: START,
            sent: Vec::new(),
            refused: 0,
            has_relay: true,
            mail: Vec::new(),
        };
        world.act(Side::Two, vec![told]);
        world
    }

    pub fn program(&mut self, side: Side) -> &mut Program {
        &mut self.players[side as usize]
    }

    fn act(&mut self, side: Side, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Call(call) => self.sent.push((side, call)),
                Output::Send(message) if self.has_relay => {
                    let other = side.opponent();
                    let answer = self.program(other).step(Input::Message(message));
                    match answer {
                        Ok(outputs) => self.act(other, outputs),
                        Err(_) => self.refused += 1,
                    }
                }
                Output::Send(message) => self.mail.push((side.opponent(), message)),
                Output::Enter | Output::Say(_) | Output::Leave => self.refused += 1,
            }
        }
    }

    /// Something comes to a program, also what it refuses.
    pub fn tell(&mut self, side: Side, input: Input) {
        match self.program(side).step(input) {
            Ok(outputs) => self.act(side, outputs),
            Err(_) => self.refused += 1,
        }
    }

    /// The program is ended and started again.
    pub fn restart(&mut self, side: Side) {
        let disk = self.program(side).shelf().clone();
        let record = disk.record();
        let again = Player::resume(DOMAIN, key(side), disk, record);
        self.players[side as usize] = again.expect("its record");
    }

    pub fn command(&mut self, side: Side, command: Command) -> Result<(), PlayerError<Full>> {
        let outputs = self.program(side).step(Input::Command(command))?;
        self.act(side, outputs);
        Ok(())
    }

    /// A block with all that was sent; both players see it, and the one that is final by it.
    pub fn block(&mut self) {
        self.now += 6;
        for (side, call) in std::mem::take(&mut self.sent) {
            let number = offer().complete(&taker()).number(&DOMAIN, &Native);
            let called = self.chain.call(side, number, &call, self.now, &Native);
            self.refused += usize::from(called.is_err());
        }
        self.blocks.push(self.chain.clone());
        let is_final = self.blocks.len().saturating_sub(FINAL);
        self.final_blocks = self.final_blocks.max(is_final);
        let now = self.now;
        let last = self.blocks.len().checked_sub(1 + FINAL);
        for side in Side::ALL {
            let outputs = self.program(side).step(Input::Time(now)).expect("time");
            self.act(side, outputs);
            let number = self.program(side).number();
            let newest = self.chain.sight(side, number, self.now);
            let seen = self.program(side).step(Input::Block {
                sight: newest,
                is_final: false,
            });
            self.act(side, seen.expect("its game"));
            if let Some(last) = last {
                let behind = (6 * FINAL) as u64;
                let number = self.program(side).number();
                let sight = self.blocks[last].sight(side, number, self.now - behind);
                let seen = self.program(side).step(Input::Block {
                    sight,
                    is_final: true,
                });
                self.act(side, seen.expect("its game"));
            }
        }
    }

    pub fn blocks(&mut self, count: usize) {
        for _ in 0..count {
            self.block();
        }
    }

    /// Until both are sure that the game has begun.
    pub fn begun() -> Self {
        let mut world = Self::new();
        world.blocks(10);
        for side in Side::ALL {
            let shown = world.program(side).shown();
            assert_eq!(shown.stage, Stage::Playing, "{shown:?}");
        }
        world
    }

    pub fn play(&mut self, bins: &[u8]) {
        for bin in bins {
            let side = self.whose_turn();
            let moved = self.command(side, Command::Move(Bin::new(*bin)));
            assert_eq!(moved, Ok(()), "{bin}");
        }
    }

    pub fn whose_turn(&mut self) -> Side {
        let latest = self.program(Side::One).latest().expect("it has begun");
        latest.to_move().expect("it goes on")
    }

    pub fn end(&self) -> Option<(Option<Side>, End)> {
        let game = self.chain.game?;
        let game = game.game.is_final().then_some(game.game.game)?;
        Some((game.winner(), game.end()?))
    }

    pub fn awaited(&mut self, side: Side) -> Option<(Who, What, Option<u64>)> {
        let awaited = self.program(side).shown().awaited?;
        Some((awaited.of, awaited.what, awaited.until))
    }
}

#[test]
fn a_game_is_offered_paid_played_agreed_and_paid_out() {
    let mut world = World::begun();
    assert_eq!(world.chain.spent.one, PAID);
    world.play(&[0, 1, 0, 1, 0, 1, 0]);
    // The loser's program has agreed to the line, and the winner brings that.
    world.blocks(3);
    assert_eq!(world.end(), Some((Some(Side::One), End::Line)));
    assert_eq!(world.program(Side::One).shown().stage, Stage::Over);
    assert_eq!(world.program(Side::One).shown().owed, 2 * STAKE);
    world
        .command(Side::One, Command::Withdraw)
        .expect("it is owed");
    world.block();
    assert_eq!(world.chain.owed.one, 0);
    assert_eq!((world.refused, world.chain.spent.two), (0, PAID));
}

#[test]
fn nothing_is_signed_before_a_final_block_has_the_game() {
    let mut world = World::new();
    let mut has_begun = 0;
    for _ in 0..10 {
        world.block();
        let begun = world.chain.game.is_some_and(|game| game.paid_by.is_none());
        has_begun += usize::from(begun);
        if has_begun > 0 && has_begun <= FINAL {
            let refused = world.command(Side::One, Command::Move(Bin::new(3)));
            assert_eq!(refused, Err(PlayerError::NotBegun));
            let begin = Some((Who::Chain, What::Begin, None));
            assert_eq!(world.awaited(Side::One), begin);
        }
    }
    assert!(has_begun > FINAL);
    world.play(&[3]);
}

#[test]
fn a_taker_whom_nobody_answers_has_the_stake_back() {
    let mut world = World::new();
    world.has_relay = false;
    world.block();
    world.block();
    // The player who offers has not heard of the taker.
    assert_eq!(world.chain.spent.two, PAID);
    let payment = (Who::Opponent, What::Payment, Some(START + 4_200));
    assert_eq!(world.awaited(Side::Two), Some(payment));
    world.now = START + 4_200;
    world.blocks(2);
    assert_eq!((world.chain.spent.two, world.chain.game), (0, None));
    world.block();
    assert_eq!(world.program(Side::Two).record().refund, Refund::Seen);
    world.blocks(3);
    assert_eq!(world.chain.spent.two, 0, "it is not paid again");
}

#[test]
fn no_offer_is_paid_for_after_its_last_second() {
    let mut world = World::new();
    world.blocks(1);
    world.now = START + 3_600;
    world.blocks(5);
    assert_eq!(world.chain.spent.one, 0);
}

#[test]
fn what_differs_from_the_offer_is_not_paid_for() {
    let differ: [fn(&mut Terms); 7] = [
        |terms| terms.stake += 1,
        |terms| terms.pie_rule = true,
        |terms| terms.nonce += 1,
        |terms| terms.time = offer().until + 1,
        |terms| terms.players.one = terms.players.two,
        |terms| terms.clock = None,
        |terms| terms.previous = Some(GameNumber([1; 32])),
    ];
    for differ in differ {
        let mut terms = offer().complete(&taker());
        differ(&mut terms);
        let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), offer(), START);
        let refused = one
            .expect("it is offered")
            .step(Input::Message(Message::Taken(terms)));
        assert_eq!(refused, Err(PlayerError::OtherTerms));
    }
}

#[test]
fn only_terms_whose_own_key_is_on_the_disk_are_paid_for() {
    let take = |disk| {
        let taken = Player::take(DOMAIN, key(Side::Two), disk, (offer(), &taker()), START);
        taken.map(|_| ())
    };
    assert_eq!(take(Disk::default()), Err(PlayerError::NoKey));
    let other = disk(Side::Two);
    let number = offer().complete(&taker()).number(&DOMAIN, &Native);
    other.0.borrow_mut().others.insert(number);
    assert_eq!(take(other), Err(PlayerError::OtherRecord));
    let full = disk(Side::Two);
    full.0.borrow_mut().is_full = true;
    assert_eq!(take(full), Err(PlayerError::Keep(Full)));
    assert_eq!(take(disk(Side::Two)), Ok(()));
}

#[test]
fn without_a_relay_the_moves_are_made_on_the_chain() {
    let mut world = World::begun();
    world.has_relay = false;
    for bin in [0, 1, 0, 1, 0, 1, 0] {
        let side = world.whose_turn();
        let moved = world.command(side, Command::MoveOnChain(Bin::new(bin)));
        assert_eq!(moved, Ok(()));
        world.block();
    }
    let deadline = world.chain.game.and_then(|game| game.game.contest);
    assert!(deadline.is_some());
    // What the loser has to do until when is shown; nobody else tells it.
    let contest = Some((Who::You, What::Contest, deadline));
    assert_eq!(world.awaited(Side::Two), contest);
    world.now += 1_000;
    world.blocks(2);
    assert_eq!(world.end(), Some((Some(Side::One), End::Line)));
}

/// What both have signed lies before it, and only one of them has it all.
#[test]
fn no_disc_is_dropped_on_the_chain_before_it_has_the_signed_moves() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    let on_chain = |bin| Command::MoveOnChain(Bin::new(bin));
    let early = world.command(Side::Two, on_chain(0));
    assert_eq!(early, Err(SeatError::Refused(Error::NotYourTurn).into()));
    let refused = world.command(Side::One, on_chain(0));
    assert_eq!(refused, Err(SeatError::NotOnChain.into()));
    assert_eq!(world.program(Side::One).record().dropped, []);
    // As its words say: sign it, and press.
    world.play(&[0]);
    world.command(Side::One, Command::Press).expect("it waits");
    world.block();
    let turns = |world: &World| world.chain.game.map(|game| game.game.game.turns());
    assert_eq!(turns(&world), Some(3));
    assert_eq!(world.command(Side::Two, on_chain(1)), Ok(()));
    world.block();
    assert_eq!(turns(&world), Some(4));
}

#[test]
fn a_resignation_and_a_draw_in_its_time_end_the_game() {
    let mut world = World::begun();
    world.play(&[0, 1, 0]);
    world
        .command(Side::Two, Command::Resign)
        .expect("it goes on");
    world.blocks(4);
    assert_eq!(world.end(), Some((Some(Side::One), End::Resignation)));
    let moves = world.chain.game.map(|game| game.game.game.moves());
    assert_eq!(
        moves,
        Some(3),
        "the game is as long as what both have signed"
    );

    let mut world = World::begun();
    world.play(&[0]);
    world
        .command(Side::One, Command::OfferDraw)
        .expect("it has moved");
    world
        .command(Side::Two, Command::AcceptDraw)
        .expect("it is offered");
    world.blocks(4);
    assert_eq!(world.end(), Some((None, End::Agreement)));
    assert_eq!(world.chain.owed.one, STAKE);
}

#[test]
fn a_silent_opponent_loses_on_time() {
    let mut world = World::begun();
    world.play(&[0, 1, 0]);
    world.command(Side::One, Command::Press).expect("it waits");
    world.has_relay = false;
    world.block();
    let deadline = world.chain.game.and_then(|game| game.game.deadline());
    let shown = Some((Who::You, What::Move, deadline));
    assert_eq!(world.awaited(Side::Two), shown);
    world.now += 400;
    world.blocks(2);
    assert_eq!(world.end(), Some((Some(Side::One), End::Timeout)));
}

#[test]
fn a_game_goes_on_after_its_program_was_ended() {
    let mut world = World::begun();
    world.play(&[0, 1, 0]);
    world.restart(Side::Two);
    world.blocks(3);
    world.play(&[1, 0, 1, 0]);
    world.blocks(3);
    assert_eq!(world.end(), Some((Some(Side::One), End::Line)));
}

/// Signed moves of the game before would count in the game after.
#[test]
fn no_move_is_signed_in_a_game_whose_payment_was_paid_back_once() {
    let mut world = World::new();
    while world.program(Side::One).record().terms.is_none() {
        world.block();
    }
    // The other payment is lost on its way.
    world.sent.clear();
    world
        .command(Side::Two, Command::Refund)
        .expect("it is alone");
    world.blocks(2);
    assert_eq!(world.program(Side::Two).record().refund, Refund::Seen);
    // The block is replaced by one that has both payments, and no refund.
    let terms = offer().complete(&taker());
    let number = terms.number(&DOMAIN, &Native);
    world.chain = Stakes::new();
    for side in [Side::Two, Side::One] {
        let call = Call::Fund {
            terms,
            payment: STAKE,
        };
        let paid = world.chain.call(side, number, &call, world.now, &Native);
        assert_eq!(paid, Ok(()));
    }
    world.blocks(5);
    world.play(&[0]);
    let journal = |world: &mut World| world.program(Side::Two).journal().position.moves.turns();
    assert_eq!(journal(&mut world), 1);
    world.blocks(2);
    world
        .command(Side::Two, Command::MoveOnChain(Bin::new(1)))
        .expect("on the chain");
    assert_eq!(journal(&mut world), 1);
}

/// Whoever takes it later, and however the program goes on.
#[test]
fn an_own_offer_that_was_called_off_is_paid_for_by_nobody() {
    let mut world = World::new();
    world
        .command(Side::One, Command::Refund)
        .expect("nobody has taken it");
    for _ in 0..2 {
        world.blocks(4);
        let one = world.program(Side::One);
        assert_eq!(one.record().terms, None);
        assert_eq!(one.record().refund, Refund::Asked);
        assert_eq!(one.shown().stage, Stage::Refunded);
        world.restart(Side::One);
    }
    let paid_by = world.chain.game.map(|game| game.paid_by);
    assert_eq!(paid_by, Some(Some(Side::Two)));
}

/// A host shows a disc of the opponent that is not there. Nothing is done on top of it unless the person says so; then
/// that turn is made on the chain, and the game goes on by signatures.
#[test]
fn a_false_disc_of_a_host_costs_a_detour_and_no_more() {
    let mut world = World::begun();
    world.play(&[0]);
    let mut false_game = world.chain.game.expect("it has begun");
    for (side, bin) in [(Side::One, 0), (Side::Two, 3)] {
        let dropped = false_game
            .game
            .drop(account(side), Bin::new(bin), world.now);
        dropped.expect("legal");
    }
    let number = world.program(Side::One).number();
    let sight = Sight {
        game: Some(false_game),
        ..world.chain.sight(Side::One, number, world.now)
    };
    let shown = world.program(Side::One).step(Input::Block {
        sight,
        is_final: false,
    });
    assert_eq!(shown, Ok(Vec::new()));
    assert!(world.program(Side::One).shown().is_on_chain);
    let refused = world.command(Side::One, Command::Move(Bin::new(4)));
    assert_eq!(refused, Err(PlayerError::OnChain));
    world
        .command(Side::One, Command::MoveOnChain(Bin::new(4)))
        .expect("the person believes the host");
    // The disc is void in the true game.
    world.sent.clear();
    world.blocks(1);
    // The true move of the opponent: red's turn is bound to another board, so it is made on the chain.
    world.play(&[1]);
    world.blocks(2);
    world
        .command(Side::One, Command::MoveOnChain(Bin::new(0)))
        .expect("on the chain");
    world.blocks(1);
    world
        .command(Side::Two, Command::MoveOnChain(Bin::new(1)))
        .expect("it has not signed the disc before");
    world.blocks(1);
    for bin in [0, 1] {
        let side = world.whose_turn();
        let moved = world.command(side, Command::MoveOnChain(Bin::new(bin)));
        moved.expect("there the game stays");
        world.block();
    }
    world
        .command(Side::One, Command::MoveOnChain(Bin::new(0)))
        .expect("it wins");
    world.blocks(1);
    world.now += 1_000;
    world.blocks(2);
    assert_eq!(world.end(), Some((Some(Side::One), End::Line)));
}
