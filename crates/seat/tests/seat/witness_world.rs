//! Two programs of players in a game without a stake, and the relay's witness as it decides there, without its sockets.

use std::collections::VecDeque;

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{FromWitness, ToWitness, Told};
use connect4_protocol::signed::{
    Chain, Domain, GameNumber, Native, Party, SessionKey, SignedTerms, Terms,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_relay::Visitor;
use connect4_relay::witness::{Checked, Core, Entry, Known, Moment, Output as Decided};
use connect4_rules::{Player as Side, Shape};
use connect4_seat::{
    Command, GameOffer, Input, Message, Output, Player, PlayerError, Record, Taker,
};

use crate::player::{Disk, Full, disk};
use crate::world::{Key, key};

pub const CHAIN: Chain = Chain {
    id: 420_420_421,
    genesis: [7; 32],
};
pub const DOMAIN: Domain = Domain::without_stake(CHAIN);
/// When the games begin, in seconds since 1970.
pub const START: u64 = 1_800_000_000;
/// By how much the clock of the machine on which the witness runs is behind, in milliseconds.
const ORIGIN: u64 = START * 1_000;

const SMALL: Shape = match Shape::new(5, 4, 3) {
    Ok(shape) => shape,
    Err(_) => panic!("the smallest board"),
};

pub type Program = Player<Disk, Key>;

pub fn witness() -> SessionKey {
    SessionKey::from_secret(&[9; 32]).expect("a key")
}

pub fn party(side: Side) -> Party {
    Party::Guest(key(side).0.address())
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
                    bank: 60,
                    increment: 2,
                }),
                witness: Some(witness().address()),
                nonce: 9,
                ..Terms::on(SMALL)
            },
            START + 60,
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
        nonce: 77,
    }
}

/// The witness, whose disk takes everything at once, or nothing.
pub struct Referee {
    core: Core<Native>,
    key: SessionKey,
    /// Milliseconds since it was started.
    now: u64,
    number: GameNumber,
    keys: connect4_rules::ByPlayer<Address>,
    is_full: bool,
    /// How many entries its log has.
    logged: u64,
}

impl Referee {
    fn new(number: GameNumber) -> Self {
        let key = witness();
        let first = [Entry::Alive(Moment {
            at: ORIGIN,
            fair: 0,
        })];
        let core = Core::resume(key.address(), CHAIN, Native, &first, ORIGIN, 0);
        Self {
            core: core.unwrap_or_else(|_| panic!("a log")),
            key,
            now: 0,
            number,
            keys: connect4_rules::ByPlayer::from_fn(|side| party(side).key()),
            is_full: false,
            logged: 0,
        }
    }

    fn signed(&self, told: Told) -> Told {
        let digest = told.digest(self.number, &DOMAIN, &Native);
        Told {
            witness: self.key.sign(&digest),
            ..told
        }
    }

    /// All that a socket is told that comes to the room.
    fn shows(&self) -> Vec<FromWitness> {
        match self.core.known(self.number) {
            None => Vec::new(),
            Some(Known::Over(told)) => vec![FromWitness::Told(self.signed(told))],
            Some(Known::Running {
                terms,
                told,
                offers,
                ..
            }) => {
                let told = told.map(|told| FromWitness::Told(self.signed(told)));
                let offers = [offers.one, offers.two].into_iter().flatten();
                let terms = std::iter::once(FromWitness::Terms(terms));
                terms
                    .chain(told)
                    .chain(offers.map(FromWitness::Offer))
                    .collect()
            }
        }
    }

    /// What the one is answered who says this.
    fn hear(&mut self, said: &ToWitness) -> Vec<FromWitness> {
        let refuse = |refusal| vec![FromWitness::Refused(refusal)];
        let is_first = matches!(said, ToWitness::Terms(_) | ToWitness::Held(_));
        if self.core.known(self.number).is_none() && !is_first {
            return refuse(Refusal::NoSuchGame);
        }
        match said {
            ToWitness::Terms(terms) => {
                let checked = Checked::terms(*terms, CHAIN, &Native).expect("both have signed");
                match self.core.open(&checked, Visitor::Uncounted, self.now) {
                    Ok(()) => self.shows(),
                    Err(refusal) => refuse(refusal),
                }
            }
            ToWitness::Join { player, .. } => {
                self.core.back(self.number, *player, self.now);
                self.shows()
            }
            ToWitness::Spoken(spoken) => {
                let number = self.number;
                let checked = Checked::spoken(*spoken, number, &self.keys, &DOMAIN, &Native);
                let Some(checked) = checked else {
                    return refuse(Refusal::BadMessage);
                };
                match self.core.take(number, &checked, 0, self.now) {
                    Ok(_) => Vec::new(),
                    Err(refusal) => {
                        let mut answers = refuse(refusal);
                        if refusal == Refusal::OtherPosition {
                            answers.extend(self.shows());
                        }
                        answers
                    }
                }
            }
            ToWitness::Held(told) => {
                let witness = self.key.address();
                let checked = Checked::told(*told, witness, self.number, &DOMAIN, &Native);
                let is_older = checked
                    .is_some_and(|told| self.core.is_older_than(self.number, &told, self.now));
                assert!(!is_older, "it has lost nothing");
                Vec::new()
            }
        }
    }

    /// What goes out to all, once the log has it.
    fn says(&mut self) -> Vec<FromWitness> {
        let mut decided = self.core.outputs();
        if !self.is_full
            && let Some((_, count)) = self.core.to_write()
        {
            self.logged = count;
            decided.extend(self.core.written(count, self.now));
        }
        let says = |decided| match decided {
            Decided::Opened(_) => self.shows().first().copied(),
            Decided::Offer(_, spoken) => Some(FromWitness::Offer(spoken)),
            Decided::Told(_, told) => Some(FromWitness::Told(self.signed(told))),
        };
        decided.into_iter().filter_map(says).collect()
    }

    /// The disk is full from now on, or takes more. Returns what is told to all once more then.
    fn fill(&mut self, is_full: bool) -> Option<FromWitness> {
        self.is_full = is_full;
        if is_full {
            self.core.full(self.now);
            return None;
        }
        let decided = self.core.written(self.logged, self.now);
        assert_eq!(decided.len(), 0, "nothing waits");
        self.shows().pop()
    }

    fn pass(&mut self, milliseconds: u64) {
        let until = self.now + milliseconds;
        while self.now < until {
            self.now = until.min(self.now + 100);
            self.core.tick(self.now, ORIGIN + self.now);
        }
    }
}

/// Two programs, and the room.
pub struct World {
    pub players: [Program; 2],
    pub referee: Referee,
    pub is_in_room: [bool; 2],
    /// What has gone out to each, and what each has said; both come later or not at all.
    pub to_player: [VecDeque<FromWitness>; 2],
    pub to_witness: [VecDeque<ToWitness>; 2],
    /// Whether messages between the players come at once.
    pub has_relay: bool,
    /// All that they have sent while those did not, with who gets it.
    pub mail: Vec<(Side, Message)>,
    pub refused: usize,
    pub left: [bool; 2],
    /// All that the witness has told.
    pub told: Vec<Told>,
    pub entered: u8,
    /// Whether a program does not run.
    pub is_away: [bool; 2],
}

impl World {
    /// Both have signed the terms, and are in the room.
    pub fn begun() -> Self {
        let mut world = Self::new(true);
        world.settle();
        assert!(world.is_in_room == [true, true]);
        world
    }

    /// One has offered the game, and the other one has taken it.
    pub fn new(has_relay: bool) -> Self {
        Self::of(&offer(), has_relay)
    }

    /// The same with another offer.
    pub fn of(offer: &GameOffer, has_relay: bool) -> Self {
        let (one, two) = (offer.clone(), offer.clone());
        let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), one, START);
        let two = Player::take(
            DOMAIN,
            key(Side::Two),
            disk(Side::Two),
            (two, &taker()),
            START,
        );
        let (two, told) = two.expect("it is taken");
        let number = two.number().expect("it has terms");
        let mut world = Self {
            players: [one.expect("it is offered"), two],
            referee: Referee::new(number),
            is_in_room: [false; 2],
            to_player: Default::default(),
            to_witness: Default::default(),
            has_relay,
            mail: Vec::new(),
            refused: 0,
            left: [false; 2],
            told: Vec::new(),
            entered: 0,
            is_away: [false; 2],
        };
        world.act(Side::Two, vec![told]);
        world
    }

    pub fn number(&self) -> GameNumber {
        self.referee.number
    }

    pub fn program(&mut self, side: Side) -> &mut Program {
        &mut self.players[side as usize]
    }

    pub fn agreed(&self) -> SignedTerms {
        let room = self.players[0].record().room.as_ref();
        room.expect("the terms are signed").agreed
    }

    pub fn act(&mut self, side: Side, outputs: Vec<Output>) {
        let place = side as usize;
        for output in outputs {
            match output {
                Output::Send(message) if self.has_relay => {
                    self.tell(side.opponent(), Input::Message(message));
                }
                Output::Send(message) => self.mail.push((side.opponent(), message)),
                Output::Call(_) => panic!("nothing is brought to the chain"),
                Output::Enter => {
                    self.is_in_room[place] = true;
                    self.entered += 1;
                    self.to_player[place].push_back(FromWitness::Welcome {
                        nonce: [self.entered; 32],
                        chain_id: CHAIN.id,
                        genesis: CHAIN.genesis,
                        time: START * 1_000 + self.referee.now,
                    });
                }
                Output::Say(said) if self.is_in_room[place] => {
                    self.to_witness[place].push_back(said);
                }
                Output::Say(_) => {}
                Output::Leave => {
                    self.left[place] = true;
                    self.disconnect(side);
                }
            }
        }
    }

    pub fn tell(&mut self, side: Side, input: Input) {
        if self.is_away[side as usize] {
            return;
        }
        match self.program(side).step(input) {
            Ok(outputs) => self.act(side, outputs),
            Err(_) => self.refused += 1,
        }
    }

    pub fn command(&mut self, side: Side, command: Command) -> Result<(), PlayerError<Full>> {
        let outputs = self.program(side).step(Input::Command(command))?;
        self.act(side, outputs);
        Ok(())
    }

    /// The connection of a player is lost, with all that is on its way.
    pub fn disconnect(&mut self, side: Side) {
        let place = side as usize;
        self.is_in_room[place] = false;
        self.to_player[place].clear();
        self.to_witness[place].clear();
        self.tell(side, Input::Closed);
    }

    /// The program is ended and started again.
    pub fn restart(&mut self, side: Side) {
        let disk = self.program(side).shelf().clone();
        let record: Record = disk.record();
        self.is_in_room[side as usize] = false;
        self.to_player[side as usize].clear();
        self.to_witness[side as usize].clear();
        let again = Player::resume(DOMAIN, key(side), disk, record);
        self.players[side as usize] = again.expect("its record");
    }

    /// The next message of a player comes to the witness. Returns whether there was one.
    pub fn witness_hears(&mut self, side: Side) -> bool {
        let place = side as usize;
        let Some(said) = self.to_witness[place].pop_front() else {
            return false;
        };
        let answers = self.referee.hear(&said);
        self.to_player[place].extend(answers);
        self.go_out();
        true
    }

    fn go_out(&mut self) {
        for says in self.referee.says() {
            if let FromWitness::Told(told) = says {
                self.told.push(told);
            }
            for side in Side::ALL {
                if self.is_in_room[side as usize] {
                    self.to_player[side as usize].push_back(says);
                }
            }
        }
    }

    /// The next message of the room comes to a player. Returns whether there was one.
    pub fn player_hears(&mut self, side: Side) -> bool {
        let Some(says) = self.to_player[side as usize].pop_front() else {
            return false;
        };
        self.tell(side, Input::Room(says));
        if let FromWitness::Refused(refusal) = says
            && refusal.closes()
        {
            self.disconnect(side);
        }
        true
    }

    /// The disk of the witness is full from now on, or takes more.
    pub fn fill(&mut self, is_full: bool) {
        let again = self.referee.fill(is_full);
        for side in Side::ALL {
            if self.is_in_room[side as usize] {
                self.to_player[side as usize].extend(again);
            }
        }
    }

    /// Time passes.
    pub fn pass(&mut self, milliseconds: u64) {
        self.referee.pass(milliseconds);
        self.go_out();
        let now = START + self.referee.now / 1_000;
        for side in Side::ALL {
            self.tell(side, Input::Time(now));
        }
    }

    /// Everything arrives.
    pub fn settle(&mut self) {
        self.pass(0);
        loop {
            let mut is_new = false;
            for side in Side::ALL {
                is_new |= self.witness_hears(side) | self.player_hears(side);
            }
            if !is_new {
                break;
            }
        }
    }

    /// Makes these moves, each of which arrives.
    pub fn play(&mut self, bins: &[u8]) {
        for bin in bins {
            let game = self.program(Side::One).latest().expect("it has begun");
            let side = game.to_move().expect("it goes on");
            let moved = self.command(side, Command::Move(connect4_rules::Bin::new(*bin)));
            assert_eq!(moved, Ok(()), "{bin}");
            self.settle();
        }
    }

    pub fn message(
        &mut self,
        to: Side,
        message: Message,
    ) -> Result<Vec<Output>, PlayerError<Full>> {
        self.program(to).step(Input::Message(message))
    }
}
