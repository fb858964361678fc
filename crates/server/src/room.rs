//! A game, followed for all who look at it; and the list of games.

use connect4_protocol::event::DiscDropped;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect4_client::{Contract, Error, Event, Occurrence, replay};
use connect4_protocol::{Game, Match};
use connect4_rules::{Bin, Player, Position};
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use crate::challenges;
use crate::computer::Computers;
use crate::link::{Chain, Connected, Link};
use crate::view::{Move, Owed, View, summary};

/// More games than these are not followed at once: each takes requests at every block.
const MOST_ROOMS: usize = 200;
/// As far as this the blocks since the last look are read one by one; else the game's are searched.
const FEW_BLOCKS: u32 = 64;
/// How often a game is read again that went on while it was read.
const ATTEMPTS: u32 = 4;
/// How many games are listed.
const LISTED: u32 = 50;
/// When to look again after what could not be read, though the chain is there.
const RETRY: Duration = Duration::from_secs(1);
/// The list is not made anew more often than this.
const LIST_PAUSE: Duration = Duration::from_millis(300);

/// What there is to see.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// Nothing was heard yet.
    Nothing,
    Game(Arc<View>),
    /// There is no such game.
    Missing(String),
    /// The list of games.
    List(Value),
}

/// What is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Game(u32),
    List,
}

/// Everything that somebody looks at.
pub struct Rooms {
    chain: Chain,
    computers: Arc<Computers>,
    open: Arc<Mutex<HashMap<Subject, Room>>>,
}

struct Room {
    seen: watch::Sender<Seen>,
    /// To look again.
    again: Arc<Notify>,
}

impl Rooms {
    pub fn new(chain: Chain, computers: Arc<Computers>) -> Self {
        Self {
            chain,
            computers,
            open: Arc::default(),
        }
    }

    /// What is seen of a game, from now on. None if too many are looked at.
    pub fn game(&self, number: u32) -> Option<watch::Receiver<Seen>> {
        self.enter(Subject::Game(number))
    }

    /// The list of games, from now on. None if too much is looked at.
    pub fn list(&self) -> Option<watch::Receiver<Seen>> {
        self.enter(Subject::List)
    }

    /// Looks at a game again, although the chain has nothing new.
    pub fn look_again(&self, number: u32) {
        if let Ok(open) = self.open.lock()
            && let Some(room) = open.get(&Subject::Game(number))
        {
            room.again.notify_one();
        }
    }

    fn enter(&self, subject: Subject) -> Option<watch::Receiver<Seen>> {
        let mut open = self.open.lock().ok()?;
        if let Some(room) = open.get(&subject) {
            return Some(room.seen.subscribe());
        }
        if open.len() >= MOST_ROOMS {
            return None;
        }
        let (seen, receiver) = watch::channel(Seen::Nothing);
        let again = Arc::new(Notify::new());
        open.insert(
            subject,
            Room {
                seen: seen.clone(),
                again: Arc::clone(&again),
            },
        );
        let follower = Follower {
            chain: self.chain.clone(),
            rooms: Arc::clone(&self.open),
            subject,
            seen,
            again,
            computers: Arc::clone(&self.computers),
        };
        tokio::spawn(follower.run());
        Some(receiver)
    }
}

/// What was read before, and is not read again: but for another connection, as that may lead to
/// another chain.
#[derive(Default)]
struct Read {
    over: Option<Arc<Connected>>,
    record: Record,
    /// The list's games that have ended: they change no more.
    ended: HashMap<u32, Value>,
}

/// Follows one thing as long as anybody looks.
struct Follower {
    chain: Chain,
    rooms: Arc<Mutex<HashMap<Subject, Room>>>,
    subject: Subject,
    seen: watch::Sender<Seen>,
    again: Arc<Notify>,
    computers: Arc<Computers>,
}

impl Follower {
    async fn run(self) {
        let mut links = self.chain.links();
        let mut read = Read::default();
        loop {
            let link = links.borrow_and_update().clone();
            let mut failed = false;
            if let Link::Up { at, block } = link {
                if !read
                    .over
                    .as_ref()
                    .is_some_and(|over| Arc::ptr_eq(over, &at))
                {
                    read = Read {
                        over: Some(Arc::clone(&at)),
                        ..Read::default()
                    };
                }
                let seen = match self.subject {
                    Subject::Game(number) => self.look(&at, block, number, &mut read.record).await,
                    Subject::List => list(&at, &mut read.ended).await,
                };
                match seen {
                    Ok(seen) => {
                        self.seen.send_if_modified(|before| {
                            let changed = *before != seen;
                            *before = seen;
                            changed
                        });
                    }
                    // That the chain is away, if it is, its link tells.
                    Err(_) => failed = true,
                }
                if self.subject == Subject::List {
                    tokio::time::sleep(LIST_PAUSE).await;
                }
            }
            tokio::select! {
                changed = links.changed() => if changed.is_err() {
                    return;
                },
                () = self.again.notified() => {}
                () = tokio::time::sleep(RETRY), if failed => {}
                () = self.seen.closed() => {
                    let Ok(mut rooms) = self.rooms.lock() else {
                        return;
                    };
                    // Somebody may have come in meanwhile.
                    if self.seen.receiver_count() == 0 {
                        rooms.remove(&self.subject);
                        return;
                    }
                }
            }
        }
    }

    async fn look(
        &self,
        at: &Connected,
        block: u32,
        number: u32,
        record: &mut Record,
    ) -> Result<Seen, Error> {
        let Some(contract) = at.contract() else {
            return Ok(Seen::Missing(format!(
                "there is no game {number}: no game has been started on this chain yet"
            )));
        };
        for _ in 1..ATTEMPTS {
            let Some(game) = contract.game(number).await? else {
                if let Some(freed) = &record.freed {
                    return Ok(freed.clone());
                }
                let seen = missing(&contract, number).await?;
                // What was freed changes no more.
                record.freed = matches!(seen, Seen::Game(_)).then(|| seen.clone());
                return Ok(seen);
            };
            let beside = contract.match_of(number).await?;
            if record.update(&contract, number, &game, block).await? {
                let owed = owed(&contract, &game, &beside).await?;
                let paid = (amount(&contract, beside.stake), owed);
                return Ok(self.show(number, &game, &beside, record, paid));
            }
        }
        // It goes on faster than it can be read: the next block tells more.
        Ok(self.seen.borrow().clone())
    }

    fn show(
        &self,
        number: u32,
        game: &Game,
        beside: &Match,
        record: &Record,
        paid: (Option<String>, Owed),
    ) -> Seen {
        let view = View::of(
            number,
            game,
            beside,
            record.moves(),
            self.computers.seated(number),
            paid,
        );
        Seen::Game(Arc::new(view))
    }
}

/// An amount as a contract sees it, in words; none if it is nothing.
pub fn amount(contract: &Contract, amount: u128) -> Option<String> {
    (amount > 0).then(|| contract.amount(amount))
}

/// What the players of a game that was played for a stake may withdraw: what they are credited, and
/// what the game will credit them with when it is settled.
async fn owed(contract: &Contract, game: &Game, beside: &Match) -> Result<Owed, Error> {
    if beside.stake == 0 || !game.is_over() {
        return Ok(Owed::default());
    }
    let payout = connect4_protocol::payout(beside.pot(), game.winner());
    let of = async |player: Player, share: u128| {
        let credit = contract.credit_of(game.account_of(player)).await?;
        Ok::<_, Error>(amount(contract, credit.saturating_add(share)))
    };
    Ok(Owed {
        red: of(Player::One, payout.one).await?,
        blue: of(Player::Two, payout.two).await?,
    })
}

/// A game that is not in the contract's storage: freed, or there is none.
async fn missing(contract: &Contract, number: u32) -> Result<Seen, Error> {
    let count = contract.game_count().await?;
    if number >= count {
        let which = match count {
            0 => "no game has been started yet".into(),
            1 => "the only one is game 0".into(),
            count => format!("there are games 0 to {}", count - 1),
        };
        return Ok(Seen::Missing(format!("there is no game {number}: {which}")));
    }
    let freed = format!("game {number} has ended and its storage was freed");
    let history = match contract.history(number, 0).await {
        Ok(history) => history,
        Err(error @ Error::Pruned { .. }) => {
            return Ok(Seen::Missing(format!("{freed}; {error}")));
        }
        Err(error) => return Err(error),
    };
    let Ok(game) = replay(&history) else {
        return Ok(Seen::Missing(freed));
    };
    let moves = with_transactions(contract, &history).await?;
    let (none, nothing) = ([None, None], (None, Owed::default()));
    let view = View::of(number, &game, &Match::default(), Ok(&moves), none, nothing);
    Ok(Seen::Game(Arc::new(view.freed())))
}

async fn with_transactions(
    contract: &Contract,
    history: &[Occurrence],
) -> Result<Vec<Move>, Error> {
    let drops: Vec<Occurrence> = history
        .iter()
        .filter(|at| matches!(at.event, Event::DiscDropped(DiscDropped { .. })))
        .cloned()
        .collect();
    let sent = contract.transactions(&drops).await?;
    let token = contract.client().token();
    Ok(drops
        .iter()
        .zip(&sent)
        .filter_map(|(at, sent)| Move::of(at, sent, token))
        .collect())
}

/// The moves of a game, as far as they were read.
#[derive(Default)]
struct Record {
    moves: Vec<Move>,
    missing: Option<String>,
    /// What there was to see when its storage had been freed.
    freed: Option<Seen>,
    /// The block up to which they were read; none: not at all.
    read: Option<u32>,
}

impl Record {
    fn moves(&self) -> Result<&[Move], &str> {
        match &self.missing {
            Some(why) => Err(why),
            None => Ok(&self.moves),
        }
    }

    /// Whether these are the moves that led to this game.
    fn leads_to(&self, game: &Game) -> bool {
        let mut position = Position::new(game.shape());
        let dropped = self
            .moves
            .iter()
            .all(|at| position.drop(Bin::new(at.bin)).is_ok());
        dropped && position == game.position()
    }

    /// Reads the moves that led to a game as it is after `block` or a later one; returns whether
    /// these are they, or it is known why they can't be had.
    async fn update(
        &mut self,
        contract: &Contract,
        number: u32,
        game: &Game,
        block: u32,
    ) -> Result<bool, Error> {
        if self.missing.is_some() {
            return Ok(true);
        }
        if let Some(read) = self.read
            && self.leads_to(game)
        {
            self.read = Some(read.max(block));
            return Ok(true);
        }
        let height = contract.client().height().await?.max(block);
        let news = match self.read {
            Some(read) if read <= height && height - read <= FEW_BLOCKS => {
                let mut events = contract.events(read + 1..=height).await?;
                events.retain(|at| at.event.game() == Some(number));
                let moves = with_transactions(contract, &events).await?;
                self.moves.extend(moves);
                self.leads_to(game)
            }
            _ => false,
        };
        if !news {
            match contract.history(number, 0).await {
                Ok(history) => self.moves = with_transactions(contract, &history).await?,
                Err(error @ Error::Pruned { .. }) => self.missing = Some(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        self.read = Some(height);
        Ok(self.missing.is_some() || self.leads_to(game))
    }
}

/// The newest games.
async fn list(at: &Connected, ended: &mut HashMap<u32, Value>) -> Result<Seen, Error> {
    let Some(contract) = at.contract() else {
        return Ok(Seen::List(
            json!({ "count": 0, "games": [], "challenges": [] }),
        ));
    };
    let count = contract.game_count().await?;
    let mut games = Vec::new();
    for number in (count.saturating_sub(LISTED)..count).rev() {
        if let Some(known) = ended.get(&number) {
            games.push(known.clone());
            continue;
        }
        let game = contract.game(number).await?;
        let told = summary(number, game.as_ref());
        if game.is_none_or(|game| game.is_over()) {
            ended.insert(number, told.clone());
        }
        games.push(told);
    }
    let challenges = challenges::open(&contract).await?;
    Ok(Seen::List(
        json!({ "count": count, "games": games, "challenges": challenges }),
    ))
}
