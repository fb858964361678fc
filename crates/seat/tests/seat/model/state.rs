//! One state: the chain, the honest player, what the cheat has, and what the honest player has ever held.

use codec::{Decode, Encode};
use connect4_protocol::ClockSpec;
use connect4_protocol::Match;
use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{
    Agreed, ByTerms, Ending, Evidence, FastGame, Moves, Signature, Signing as _,
};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_seat::{Duty, Journal, Keep, Press, Seat, Subject};

use super::cheating;
use super::key::ModelKey;
use crate::world::{DOMAIN, NUMBER, account};

/// How much the world may do besides ordinary moves. Each is counted down.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub struct Left {
    /// Statements of the cheat besides one move for each turn: a second move, a resignation, an offer.
    pub statements: u8,
    /// Restarts of the honest player's program.
    pub restarts: u8,
    /// Replacements of the last block or the last two.
    pub forks: u8,
    /// Looks at a chain that is not the true one.
    pub lies: u8,
    /// Jumps of the time past a deadline.
    pub jumps: u8,
    /// Offers, acceptances and resignations of the honest player, of each so many.
    pub offers: u8,
    pub accepts: u8,
    pub resigns: u8,
    /// Messages that a relay keeps and passes on later, and times that it forgets what it has shown.
    pub tricks: u8,
    /// Transactions of the honest player in a game with a stake that miss the next block, and get into any later one.
    pub late: u8,
}

/// Transaction of the honest player that is in no block yet.
#[derive(Clone, Debug, Encode, Decode)]
pub enum Sent {
    /// Evidence; with the press of the clock, or without.
    Advance(Evidence, bool),
    Press,
    Claim,
    /// A disc, and the game in which it is valid.
    Drop(u8, FastGame),
}

impl From<Duty> for Sent {
    fn from(duty: Duty) -> Self {
        match duty {
            Duty::Advance(evidence) => Self::Advance(evidence, false),
            Duty::Claim => Self::Claim,
        }
    }
}

impl From<Press> for Sent {
    fn from(press: Press) -> Self {
        match press {
            Press::With(evidence) => Self::Advance(evidence, true),
            Press::Alone => Self::Press,
        }
    }
}

/// What the honest player has held, as far as the end of the game is measured by it. It only grows, but for
/// what it held when it acted last.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Held {
    /// The longest position that it could go on from when it held it.
    pub position: Moves,
    /// What it held when it acted last, by a true view of a game that was not final: the opponent's
    /// resignation or an own line that it had signed, and a draw in its time.
    pub acted_winning: bool,
    pub acted_drawn: bool,
    /// The same, if the game was still not final when its transaction came.
    pub must_win: bool,
    pub must_not_lose: bool,
    /// It has given the game up by its own decision.
    pub has_resigned: bool,
    pub has_accepted: bool,
}

impl Held {
    /// Nothing that it has acted upon has to win any more.
    pub const fn lose(&mut self) {
        self.acted_winning = false;
        self.must_win = false;
    }
}

#[derive(Clone, Debug, Encode, Decode)]
pub struct State {
    pub chain: FastGame,
    /// In a game by signed terms: its moves as the chain knows them.
    pub known: Moves,
    pub now: u64,
    /// The game at the end of the last blocks, as many as can be replaced. The newest is the last.
    pub blocks: Vec<FastGame>,

    /// The honest player's disk.
    pub journal: Journal,
    /// What its program saw last, and when.
    pub view: FastGame,
    pub seen_at: u64,
    /// The cheat's offer of a draw.
    pub offer: Option<Offer>,
    pub sent: Option<Sent>,
    /// It has waited for the cheat to do what else is its own duty.
    pub has_waited: bool,
    /// When it acted last it saw the true chain, and had nothing to do in time.
    pub is_idle: bool,

    /// Positions that the honest player has signed.
    pub positions: Vec<Moves>,
    /// Its resignations, and the draws that it has accepted.
    pub endings: Vec<Evidence>,
    /// Its offers of a draw.
    pub offers: Vec<Offer>,
    /// Positions and resignations that the cheat has signed.
    pub signed: Vec<Moves>,
    pub resigned: Vec<Moves>,

    pub left: Left,
    pub held: Held,
}

impl State {
    /// The chain takes resignations, and nothing else: the time of a player, or that to contest a line, has
    /// run out, and nobody has claimed that.
    pub fn is_late(&self) -> bool {
        let clock = self.chain.game.clock();
        clock.is_some_and(|clock| clock.has_run_out(self.now))
            || self.chain.contest.is_some_and(|last| self.now > last)
    }

    /// A transaction of the honest player is not in a block any more. Where the cheat can claim, it may be
    /// the first the second time.
    pub fn lose_transaction(&mut self) {
        if self.is_late() {
            self.held.lose();
        }
    }

    /// The honest player has seen the true chain since it changed, and has nothing to do in time.
    pub fn is_waiting(&self) -> bool {
        self.is_idle && self.view == self.chain && self.sent.is_none()
    }

    /// The state after a jump of the time; none if there are enough.
    pub fn at(&self, now: u64) -> Option<Self> {
        let mut next = self.clone();
        next.now = now;
        next.left.jumps = self.left.jumps.checked_sub(1)?;
        // As much time is more than blocks that can be replaced.
        next.blocks.retain(|_| false);
        Some(next)
    }

    /// No block can bring the chain to another end.
    pub fn is_over(&self) -> bool {
        let is_same = |block: &FastGame| block.is_final() && block.game == self.chain.game;
        self.chain.is_final() && (self.left.forks == 0 || self.blocks.iter().all(is_same))
    }
}

/// Adds to a list whose order has no meaning.
pub fn insert<T: Encode + Clone>(list: &mut Vec<T>, item: &T) {
    if let Err(place) = list.binary_search_by_key(&item.encode(), Encode::encode) {
        list.insert(place, item.clone());
    }
}

/// What does not change in a search.
pub struct World {
    pub subject: Subject,
    pub honest: Player,
    pub cheat: Player,
    /// By how many seconds the honest player's machine is fast.
    pub machine: u64,
    start: FastGame,
}

/// The disk of the model, on which everything is kept at once.
#[derive(Debug)]
pub struct Disk;

impl Keep for Disk {
    type Error = core::convert::Infallible;

    fn keep(&mut self, _: &Journal) -> Result<(), Self::Error> {
        Ok(())
    }

    fn may_have(&self, _: &Journal) -> bool {
        true
    }
}

pub type ModelSeat = Seat<Disk, ModelKey>;

/// Time when a search begins.
pub const START: u64 = 1_800_000_000;
/// The smallest board.
pub const SHAPE: Shape = match Shape::new(5, 4, 3) {
    Ok(shape) => shape,
    Err(_) => panic!("the smallest board"),
};
const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 5,
};

impl World {
    /// A game that began on the chain.
    pub fn new(honest: Player, machine: u64) -> Self {
        Self::of(honest, machine, None, false)
    }

    /// The same with the pie rule.
    pub fn fair(honest: Player) -> Self {
        Self::of(honest, 0, None, true)
    }

    /// The dispute of a game by signed terms.
    pub fn by_terms(honest: Player) -> Self {
        let by_terms = ByTerms {
            number: NUMBER.into(),
            time: START,
        };
        Self::of(honest, 0, Some(by_terms), false)
    }

    fn of(honest: Player, machine: u64, by_terms: Option<ByTerms>, pie_rule: bool) -> Self {
        let agreed = Agreed {
            players: ByPlayer::from_fn(account),
            keys: ByPlayer::from_fn(|player| ModelKey(player).address()),
            payer: account(Player::One),
            shape: SHAPE.into(),
            clock: Some(CLOCK),
            pie_rule,
        };
        let mut start = FastGame::start(&agreed).expect("two players");
        start.by_terms = by_terms;
        Self {
            subject: Subject::new(NUMBER, DOMAIN, start),
            honest,
            cheat: honest.opponent(),
            machine,
            start,
        }
    }

    /// The game as the chain knows it before anybody has brought anything.
    pub const fn start(&self) -> FastGame {
        self.start
    }

    /// What can stand for a move: the bins, and with the pie rule a swap.
    pub fn bins(&self) -> impl Iterator<Item = Bin> {
        cheating::bins(&self.subject)
    }

    /// Whether it is the dispute of a game by signed terms.
    pub const fn is_by_terms(&self) -> bool {
        self.start.by_terms.is_some()
    }

    /// The honest player's program, as it is.
    pub fn seat(&self, state: &State) -> ModelSeat {
        let key = ModelKey(self.honest);
        let journal = state.journal.clone();
        let mut seat = Seat::resume(self.subject, key, journal, Disk, state.view, state.seen_at)
            .expect("its key")
            .with_offer(state.offer);
        seat.pass_time(state.seen_at + self.machine);
        seat
    }

    /// The honest player's program, started again.
    pub fn restarted(&self, state: &State) -> ModelSeat {
        let key = ModelKey(self.honest);
        let journal = state.journal.clone();
        Seat::new(self.subject, key, journal, Disk, state.view, state.seen_at).expect("its key")
    }

    /// What both have signed.
    pub fn evidence(&self, ending: Option<Ending>, moves: &[u8]) -> Evidence {
        cheating::evidence(&self.subject, ending, moves)
    }

    pub fn forge(&self, kind: connect4_protocol::fast::Kind, moves: &[u8]) -> Signature {
        self.subject.sign(&ModelKey(self.cheat), kind, moves)
    }

    /// Brings evidence to the chain. With a press the player starts the opponent's clock, too.
    pub fn advance(
        &self,
        chain: &FastGame,
        evidence: &Evidence,
        press: Option<Player>,
        now: u64,
    ) -> Option<FastGame> {
        let mut after = *chain;
        after
            .advance(NUMBER, evidence, &DOMAIN, &ModelKey(self.cheat), now)
            .ok()?;
        if let Some(player) = press
            && !after.game.is_over()
        {
            after.press(account(player), now).ok()?;
        }
        Some(after)
    }

    /// What the honest player has sent gets into a block.
    pub fn land(&self, chain: &FastGame, sent: &Sent, now: u64) -> Option<FastGame> {
        let mut after = *chain;
        match sent {
            Sent::Advance(evidence, press) => {
                return self.advance(chain, evidence, press.then_some(self.honest), now);
            }
            Sent::Press => after.press(account(self.honest), now).map(|_| ()).ok()?,
            Sent::Claim => after.claim_timeout(&Match::default(), now).ok()?,
            // On another position the transaction is void.
            Sent::Drop(bin, on) => {
                if on.game != chain.game || on.stopped != chain.stopped {
                    return None;
                }
                after
                    .drop(account(self.honest), Bin::new(*bin), now)
                    .map(|_| ())
                    .ok()?;
            }
        }
        Some(after)
    }
}
