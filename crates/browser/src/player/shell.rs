//! A signed game of the page, from step to step.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Debug;

use connect4_protocol::signed::{GameNumber, SessionKey};
use connect4_seat::{ClockCheck, Input, Known, Output, Player, PlayerError, SeatError};
use serde::{Deserialize, Serialize};

use super::input::{Besides, PlayerInput, RoomFrame};
#[cfg(test)]
use super::lobby::HeardInLobby;
use super::lobby::{self, SaidInLobby};
#[cfg(test)]
use super::offer::CompletedOffer;
use super::offer::{
    self, OfferAccepted, OfferToComplete, OfferToMake, OfferedGame, SuitsAsked, TakenOffer,
};
use super::output::{PlayerOutput, PlayerReads};
use super::sealed;
use super::shelf::{NotKept, PageShelf, Refusal, ToKeep};
use super::shown::PlayerShown;
use super::staked::{self, Heard};
#[cfg(test)]
use super::watch::RoomSeen;
use super::watch::{ToWatch, Watched};
use crate::answer::{json, read, to_json};
use crate::failure::Failure;
#[cfg(test)]
use crate::guest::GuestAccount;
use crate::guest::{self, GuestSource};
use crate::place::SignedPlace;
use crate::relay::Present;
use crate::session_key;
use crate::values::Hex;

/// What a page asks: an object with one field, whose name is what is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerRequest {
    /// An offer as text.
    Offer(OfferToMake),
    /// What an offer says.
    ReadOffer(String),
    /// What a taker tells the player who offers a game for a stake, before anything of it is kept or paid.
    Complete(OfferToComplete),
    /// Whether the player who offers a game for a stake has accepted this player.
    IsAccepted(OfferAccepted),
    /// Begins or resumes the game of this module.
    Open(Opening),
    /// Tells the player something.
    Step(PlayerInput),
    /// The record is on the disk.
    Kept,
    /// The record could not be written.
    Failed(PageDisk),
    /// The offer of the next game against the same opponent, as text.
    Rematch(RematchAsked),
    /// Whether the opponent offers a rematch by this.
    IsRematch(String),
    /// Whether a player who would make one offer takes another one by itself.
    Suits(SuitsAsked),
    /// Watches a game: the path of its room.
    Watch(ToWatch),
    /// A frame of the room of the game that is watched.
    Seen(Hex),
    /// The account of a guest, by random bytes or by its phrase.
    Guest(GuestSource),
    /// A frame for the lobby.
    SayInLobby(SaidInLobby),
    /// A frame of the lobby.
    HearLobby(Hex),
}

/// What a page asks of a player, by the name of the request.
#[cfg(test)]
#[derive(ts_rs::TS)]
#[allow(dead_code, reason = "declared, not made")]
pub(crate) struct PlayerRequests {
    offer: OfferToMake,
    read_offer: String,
    complete: OfferToComplete,
    is_accepted: OfferAccepted,
    open: Opening,
    step: PlayerInput,
    kept: (),
    failed: PageDisk,
    rematch: RematchAsked,
    is_rematch: String,
    suits: SuitsAsked,
    watch: ToWatch,
    seen: Hex,
    guest: GuestSource,
    say_in_lobby: SaidInLobby,
    hear_lobby: Hex,
}

/// What is answered, by the name of the request.
#[cfg(test)]
#[derive(ts_rs::TS)]
#[allow(dead_code, reason = "declared, not made")]
pub(crate) struct PlayerAnswers {
    offer: String,
    read_offer: OfferedGame,
    complete: CompletedOffer,
    is_accepted: bool,
    open: PlayerStepped,
    step: PlayerStepped,
    kept: PlayerStepped,
    failed: PlayerStepped,
    rematch: String,
    is_rematch: bool,
    suits: bool,
    watch: String,
    seen: RoomSeen,
    guest: GuestAccount,
    say_in_lobby: Hex,
    hear_lobby: Option<HeardInLobby>,
}

/// A game that is begun or resumed.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opening {
    pub place: SignedPlace,
    /// Secret of the player's key, 32 bytes, which is on the disk.
    pub secret: Hex,
    /// The machine's clock, in seconds since 1970.
    pub now: u64,
    pub game: OpenedGame,
}

/// How a game is begun or resumed.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OpenedGame {
    /// The player makes this offer.
    Offer(String),
    /// The player takes an offer.
    Take(TakenOffer),
    /// This record was kept.
    Record(Hex),
}

/// What the disk has, after a record could not be written.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PageDisk {
    /// This record.
    Has(Hex),
    /// No record of this game.
    Empty,
    /// It could not be read either.
    Unknown,
    /// Other games under these numbers: nothing was written.
    Other(#[cfg_attr(test, ts(type = "string[]"))] Vec<GameNumber>),
}

/// The next game.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RematchAsked {
    /// Last second at which it is taken, since 1970.
    pub until: u64,
    /// A random number.
    pub nonce: u32,
}

/// What has come of a step. If something has to be kept, that is all, and the rest is answered once it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerStepped {
    /// The name under which the record of the game is kept.
    pub name: Hex,
    /// The offer, as text.
    pub offer: String,
    /// The record that has to be on the disk first; none if it is as before.
    pub keep: Option<ToKeep>,
    /// What is done then.
    pub outputs: Vec<PlayerOutput>,
    /// Why the player did not take what it was told; none if it did.
    pub refused: Option<Failure>,
    /// Who is in the room, if the frame has said that.
    pub present: Option<Present>,
    /// Time of the witness, if the frame has said that, in milliseconds since 1970.
    pub time: Option<u64>,
    /// By how many milliseconds the witness has taken more off the player's clock for the newest move than the player has
    /// used, if that is more than lines vary; none of an opponent's move.
    pub taken: Option<u64>,
    /// What is read in each block; none of a game without a stake, and while nobody has taken the offer.
    pub reads: Option<PlayerReads>,
    /// Path of the room of a game with a stake, in which the opponent is met from now on; none without a stake, and
    /// before a final block has the game.
    pub room: Option<String>,
    /// What is shown; none while something has to be kept, unless the step is one that was heard.
    pub shown: Option<PlayerShown>,
}

/// The game of a module.
#[derive(Debug, Default)]
pub struct PlayerShell {
    table: Option<Table>,
    unwritten: Option<Unwritten>,
    watched: Option<Watched>,
}

#[derive(Debug)]
struct Table {
    key: SessionKey,
    player: Player<PageShelf, SessionKey>,
    name: Hex,
    offer: String,
    /// The record that the disk has, for sure.
    kept: Option<Vec<u8>>,
    /// What was left after each move to the player who made it, as far as it was seen.
    times: Vec<Option<u64>>,
    check: ClockCheck,
    /// By how many milliseconds the witness has taken more for the last own move than was used.
    taken: Option<u64>,
}

/// A step whose record the page has to write.
#[derive(Debug)]
struct Unwritten {
    record: Vec<u8>,
    done: Done,
    /// What the player knew before, and was told; none of a game that begins.
    from: Option<(Known, Input)>,
}

/// What a step has brought.
#[derive(Debug, Default)]
struct Done {
    outputs: Vec<Output>,
    refused: Option<Failure>,
    besides: Besides,
}

impl PlayerShell {
    #[must_use]
    pub const fn new() -> Self {
        Self {
            table: None,
            unwritten: None,
            watched: None,
        }
    }

    /// Answers a request. Both are JSON.
    #[must_use]
    pub fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        to_json(read(request).and_then(|asked| match asked {
            PlayerRequest::Offer(asked) => json(&offer::make(&asked)?),
            PlayerRequest::ReadOffer(text) => json(&OfferedGame::new(&offer::read(&text)?)),
            PlayerRequest::Complete(asked) => json(&offer::complete(&asked)?),
            PlayerRequest::IsAccepted(asked) => json(&offer::is_accepted(&asked)?),
            PlayerRequest::Open(asked) => json(&self.open(&asked)?),
            PlayerRequest::Step(input) => json(&self.step(input)?),
            PlayerRequest::Kept => json(&self.kept()?),
            PlayerRequest::Failed(disk) => json(&self.failed(disk)?),
            PlayerRequest::Rematch(asked) => json(&self.rematch(asked)?),
            PlayerRequest::IsRematch(text) => {
                let offer = offer::read(&text)?;
                json(&self.table()?.player.is_rematch(&offer))
            }
            PlayerRequest::Suits(asked) => json(&offer::suits(&asked)?),
            PlayerRequest::Watch(asked) => {
                let (watched, path) = Watched::begin(&asked);
                self.watched = Some(watched);
                json(&path)
            }
            PlayerRequest::Seen(frame) => {
                let watched = self.watched.as_mut();
                let watched = watched.ok_or_else(|| Failure::request("no game is watched"))?;
                json(&watched.hear(&frame))
            }
            PlayerRequest::Guest(source) => json(&guest::account(source)?),
            PlayerRequest::SayInLobby(said) => json(&lobby::say(said)?),
            PlayerRequest::HearLobby(frame) => json(&lobby::hear(&frame)),
        }))
    }

    fn open(&mut self, asked: &Opening) -> Result<PlayerStepped, Failure> {
        if self.table.is_some() {
            return Err(Failure::new(
                "AlreadyOpen",
                "this module plays another game",
            ));
        }
        let key = session_key::of(&asked.secret)?;
        let domain = asked.place.domain()?;
        let shelf = PageShelf::new(key.address());
        let mut done = Done::default();
        let mut kept = None;
        let player = match &asked.game {
            OpenedGame::Offer(text) => {
                let offer = offer::read(text)?;
                Player::offer(domain, key.clone(), shelf, offer, asked.now)
            }
            OpenedGame::Take(taken) => {
                let (offer, taker) = taken.read(key.address())?;
                let taken = Player::take(domain, key.clone(), shelf, (offer, &taker), asked.now);
                taken.map(|(player, output)| {
                    done.outputs.push(output);
                    player
                })
            }
            OpenedGame::Record(Hex(sealed)) => {
                let record = sealed::unseal(sealed, key.address())?;
                kept = Some(sealed.clone());
                Player::resume(domain, key.clone(), shelf, record)
            }
        };
        let player = player.map_err(failure)?;
        let offer = &player.record().offer;
        let table = Table {
            name: Hex(sealed::name(offer, key.address()).to_vec()),
            offer: offer.to_string(),
            key,
            player,
            kept,
            times: Vec::new(),
            check: ClockCheck::default(),
            taken: None,
        };
        let is_resumed = table.kept.is_some();
        self.table = Some(table);
        match is_resumed {
            true => self.step(PlayerInput::Time(asked.now)),
            false => self.release(done, None),
        }
    }

    fn step(&mut self, input: PlayerInput) -> Result<PlayerStepped, Failure> {
        let is_heard = matches!(input, PlayerInput::Room(_));
        let table = self.table()?;
        let (input, besides) = match input {
            PlayerInput::Room(RoomFrame { frame, .. }) if table.has_stake() => {
                match staked::hear(&frame.0, &table.player, &table.key) {
                    Ok(Heard {
                        input: None,
                        besides,
                    }) => {
                        return self.release(Done::besides(besides), None);
                    }
                    Ok(Heard { input, besides }) => (input, besides),
                    Err(refused) => return self.release(Done::refused(refused), None),
                }
            }
            PlayerInput::Event(Hex(data)) => {
                match staked::paid(&data, &table.player.record().offer) {
                    Some(paid) => (Some(paid), Besides::default()),
                    None => return self.release(Done::default(), None),
                }
            }
            input => input.read()?,
        };
        let Some(input) = input else {
            let refused = Failure::new("BadMessage", "this is no message of a game");
            return self.release(Done::refused(refused), None);
        };
        if matches!(input, Input::Closed) {
            table.check.lost();
        }
        let before = table.player.known().clone();
        let done = Done::of(table.player.step(input.clone()), besides);
        let mut stepped = self.release(done, Some((before, input)))?;
        // What others have signed is seen before it is kept: nothing goes out by that.
        if is_heard && stepped.keep.is_some() {
            stepped.shown = self.table.as_mut().map(Table::shown);
        }
        Ok(stepped)
    }

    fn kept(&mut self) -> Result<PlayerStepped, Failure> {
        let Unwritten { record, done, .. } = self.unwritten.take().ok_or_else(nothing_to_keep)?;
        self.table()?.kept = Some(record);
        self.release(done, None)
    }

    /// Takes the step once more from where it began, by a disk that refuses.
    fn failed(&mut self, disk: PageDisk) -> Result<PlayerStepped, Failure> {
        let unwritten = self.unwritten.take().ok_or_else(nothing_to_keep)?;
        let Some((before, input)) = unwritten.from else {
            // Nobody has heard of the game.
            self.table = None;
            return Err(failure(match disk {
                PageDisk::Other(_) => PlayerError::OtherRecord,
                _ => PlayerError::Keep(NotKept),
            }));
        };
        let table = self.table()?;
        let refusal = match disk {
            PageDisk::Other(others) => Refusal {
                others,
                may_have: false,
            },
            PageDisk::Empty => Refusal::default(),
            // What is neither the old record nor the new one may be followed by the new one.
            PageDisk::Has(Hex(bytes)) => {
                let is_new = bytes == unwritten.record;
                let is_old = table.kept.as_ref() == Some(&bytes);
                table.kept = Some(bytes);
                Refusal {
                    may_have: is_new || !is_old,
                    ..Refusal::default()
                }
            }
            PageDisk::Unknown => Refusal {
                may_have: true,
                ..Refusal::default()
            },
        };
        let address = table.key.address();
        let domain = table.player.record().offer.domain;
        let refusing = PageShelf::refusing(address, refusal);
        let mut player = Player::with_known(domain, table.key.clone(), refusing, before);
        let done = Done::of(player.step(input), unwritten.done.besides);
        *player.shelf() = PageShelf::new(address);
        table.player = player;
        self.release(done, None)
    }

    fn rematch(&mut self, asked: RematchAsked) -> Result<String, Failure> {
        let next = self.table()?.player.rematch(asked.until, asked.nonce);
        Ok(next.map_err(failure)?.to_string())
    }

    /// The game, unless it waits for the disk.
    fn table(&mut self) -> Result<&mut Table, Failure> {
        if self.unwritten.is_some() {
            return Err(Failure::new(
                "Unwritten",
                "it is not known yet whether the record of the last step is on the disk",
            ));
        }
        let missing = || Failure::new("NotOpen", "this module plays no game yet");
        self.table.as_mut().ok_or_else(missing)
    }

    /// What the page is answered of a step: what it has to write, or else what was done.
    fn release(
        &mut self,
        done: Done,
        from: Option<(Known, Input)>,
    ) -> Result<PlayerStepped, Failure> {
        let table = self.table()?;
        let mut stepped = table.stepped();
        if let Some((record, games)) = table.player.shelf().take() {
            let record = sealed::seal(&record, table.key.address());
            stepped.keep = Some(ToKeep {
                record: Hex(record.clone()),
                games,
            });
            self.unwritten = Some(Unwritten { record, done, from });
            return Ok(stepped);
        }
        table.tell(done, &mut stepped);
        Ok(stepped)
    }
}

impl Table {
    const fn has_stake(&self) -> bool {
        self.player.record().offer.terms.stake > 0
    }

    fn stepped(&self) -> PlayerStepped {
        PlayerStepped {
            name: self.name.clone(),
            offer: self.offer.clone(),
            keep: None,
            outputs: Vec::new(),
            refused: None,
            present: None,
            time: None,
            taken: None,
            reads: None,
            room: None,
            shown: None,
        }
    }

    /// How the game stands.
    fn shown(&mut self) -> PlayerShown {
        let shown = self.player.shown();
        PlayerShown::new(
            &shown,
            self.player.terms(),
            self.player.known(),
            &self.times,
        )
    }

    /// Adds what was done, and how the game stands.
    fn tell(&mut self, done: Done, stepped: &mut PlayerStepped) {
        let player = &mut self.player;
        let shown = player.shown();
        let terms = player.terms();
        self.check.hold_up(done.besides.held_up);
        if let Some(room) = &player.record().room {
            let known = self.times.len();
            room.note_left(&mut self.times);
            let clock = room.agreed.terms.clock.filter(|_| self.times.len() > known);
            if let (Some(clock), Some(side), Some(came)) = (clock, shown.side, done.besides.came) {
                self.taken = self.check.hear(side, clock, &self.times, came);
            }
        }
        stepped.shown = Some(PlayerShown::new(&shown, terms, player.known(), &self.times));
        let account = terms
            .zip(shown.side)
            .map(|(terms, side)| terms.players.get(side).account());
        let staked = account.filter(|_| shown.stake > 0);
        let reads = shown.number.zip(staked);
        stepped.reads = reads.map(|(game, account)| PlayerReads::new(game, account));
        // Nothing is done in a game that has no number.
        let game = shown.number.unwrap_or_default();
        let witness = terms.and_then(|terms| terms.witness);
        stepped.room = staked::room_of(&shown);
        let enters = done.besides.enters.iter();
        let outputs = done.outputs.into_iter();
        let outputs = outputs.map(|output| PlayerOutput::new(output, game, witness));
        stepped.outputs = enters
            .map(|enters| PlayerOutput::Say(Hex::of(enters)))
            .chain(outputs)
            .collect();
        stepped.refused = done.refused;
        stepped.present = done.besides.present;
        stepped.time = done.besides.time;
        stepped.taken = self.taken;
    }
}

impl Done {
    fn besides(besides: Besides) -> Self {
        Self {
            besides,
            ..Self::default()
        }
    }

    fn refused(refused: Failure) -> Self {
        Self {
            refused: Some(refused),
            ..Self::default()
        }
    }

    fn of(stepped: Result<Vec<Output>, PlayerError<NotKept>>, besides: Besides) -> Self {
        let (outputs, refused) = match stepped {
            Ok(outputs) => (outputs, None),
            Err(error) => (Vec::new(), Some(failure(error))),
        };
        Self {
            outputs,
            refused,
            besides,
        }
    }
}

fn nothing_to_keep() -> Failure {
    Failure::request("no record was to be written")
}

/// Why a player does not do what it is told, with the name of the innermost reason.
fn failure(error: PlayerError<NotKept>) -> Failure {
    let text = error.to_string();
    let name = match error {
        PlayerError::Keep(_) | PlayerError::Seat(SeatError::Keep(_)) => "NotKept".into(),
        PlayerError::Seat(SeatError::Refused(error)) => name_of(&error),
        PlayerError::Seat(error) => name_of(&error),
        PlayerError::Stakes(error) => name_of(&error),
        PlayerError::Refused(error) => name_of(&error),
        error => name_of(&error),
    };
    Failure::new(&name, text)
}

/// The name of a variant.
fn name_of(error: &impl Debug) -> String {
    let shown = format!("{error:?}");
    let name = shown.split(['(', ' ']).next();
    name.unwrap_or_default().into()
}
