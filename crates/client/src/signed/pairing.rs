//! How two players in the lobby of a relay become a game.

use std::collections::BTreeSet;
use std::iter;
use std::time::Duration;

use connect4_protocol::Address;
use connect4_protocol::signed::lobby::{Invite, NotPaired, OfferId, TakeId};
use connect4_protocol::signed::{
    Chain, Domain, GameNumber, Native, Party, Pool, SignedSession, Terms,
};
use connect4_rules::{ByPlayer, Player as Side};
use connect4_seat::{GameOffer, Message, PlayerError, Stage, Taker};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::around::Around;
use super::carrier::Carrier;
use super::error::SignedError;
use super::lobby::{Lobby, LobbyNews};
use super::messages::LobbyError;
use super::player::SignedPlayer;
use super::records::SignedGames;
use super::search::{Searching, Standing};
use super::view::View;
use super::wary::Wary;
use crate::accounts::account::Signer;
use crate::contracts::stakes::Stakes;

/// For how long an offer stands, in seconds.
const STANDS: u64 = 10 * 60;
/// After how long a game is offered anew, so that nobody finds an offer that is about to end.
const RENEWAL: Duration = Duration::from_secs(STANDS / 2);
/// For how long an account names a session key, in seconds.
const DAY: u64 = 86_400;
/// How long the answer to a taken offer is waited for. The relay says after half of it that there is none.
const ANSWER: Duration = Duration::from_secs(10);

/// Who looks for an opponent at a relay.
#[derive(Clone, Debug)]
pub struct Seeker {
    /// Where the records and the key are.
    pub games: SignedGames,
    /// URL of the relay.
    pub relay: String,
    /// Address of the key.
    pub key: Address,
    /// The account that names the key; none of a guest.
    pub account: Option<Signer>,
    /// Whether a program plays.
    pub is_program: bool,
    /// The contract that holds the stakes; none if no game with a stake is played.
    pub stakes: Option<Stakes>,
    /// Whose offers are not taken for a while.
    pub wary: Wary,
    /// How long the payment of somebody who has taken an offer with a stake is waited for before the offer is listed again.
    pub payment: Duration,
}

impl Seeker {
    /// How long a payment is waited for, usually: some blocks.
    pub const PAYMENT: Duration = Duration::from_secs(45);

    /// Where games are signed, and the key of their witness, which is that of the lobby; none with a stake.
    fn place(
        &self,
        lobby: &Lobby,
        has_stake: bool,
    ) -> Result<(Domain, Option<Address>), PairingError> {
        if has_stake {
            let stakes = self.stakes.as_ref().ok_or(SignedError::NoContract)?;
            return Ok((stakes.domain(), None));
        }
        let witness = lobby.witness().ok_or(PairingError::NoWitness)?;
        let chain = Chain {
            id: witness.chain_id,
            genesis: witness.genesis,
        };
        Ok((Domain::without_stake(chain), Some(witness.key)))
    }

    /// The offer of what is sought in this lobby, which stands for so many seconds from now on. With a stake a coin of this
    /// player alone decides the colours if it seeks none: a taker would choose them.
    ///
    /// # Errors
    ///
    /// [`PairingError::NoWitness`]; [`PairingError::Signed`] if the key is not to be had.
    pub fn offer(
        &self,
        lobby: &Lobby,
        sought: &Sought,
        stands: u64,
    ) -> Result<GameOffer, PairingError> {
        let has_stake = sought.terms.stake > 0;
        let (domain, witness) = self.place(lobby, has_stake)?;
        let time = lobby.now();
        let mut terms = Terms {
            witness,
            nonce: rand::random(),
            ..sought.terms
        };
        terms.programs.one = self.is_program;
        terms.programs.two = false;
        let offer = GameOffer {
            player: match sought.player {
                None if has_stake => Some(either()),
                player => player,
            },
            taker: sought.opponent,
            session: self.session(time, &domain),
            ..GameOffer::new(domain, self.party(), terms, time.saturating_add(stands))
        };
        match offer.player {
            Some(_) => Ok(offer),
            None => {
                let key = self.games.keyring().key(self.key);
                Ok(offer.with_coin(&key.map_err(SignedError::from)?))
            }
        }
    }

    /// What is around a player of this seeker in the room of its relay, whose clock is so many seconds ahead.
    #[must_use]
    pub fn around(&self, carrier: Option<Carrier>, ahead: i64) -> Around {
        Around {
            games: self.games.clone(),
            stakes: self.stakes.clone().zip(self.account.clone()),
            relay: Some(self.relay.clone()),
            carrier,
            ahead,
        }
    }

    /// The player, as terms name it.
    #[must_use]
    pub fn party(&self) -> Party {
        let account = self.account.as_ref().map(Signer::address);
        Party::new(account.unwrap_or(self.key), self.key)
    }

    /// What the account signs about the key at this time, in seconds since 1970, for a day; none of a guest, and of a game
    /// with a stake, in which a payment says it.
    #[must_use]
    pub fn session(&self, time: u64, domain: &Domain) -> Option<SignedSession> {
        let until = time.saturating_add(DAY);
        let account = self.account.as_ref().filter(|_| domain.stakes.is_none())?;
        Some(account.sign_session(self.key, until, domain))
    }
}

/// What game is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// The board, the rule, the clock, the stake, the pool, and what the game follows. Players, witness and time are not
    /// looked at.
    pub terms: Terms,
    /// Which player to be; none to leave it to a coin.
    pub player: Option<Side>,
    /// The account that alone can be the opponent; none if anybody can.
    pub opponent: Option<Address>,
}

/// The rematch that this offer is for.
impl From<&GameOffer> for Sought {
    fn from(offer: &GameOffer) -> Self {
        Self {
            terms: offer.terms,
            player: offer.player,
            opponent: offer.taker,
        }
    }
}

/// How an opponent is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// The oldest offer that fits is taken; if there is none, the game is offered. An offer that came after the own one is
    /// taken if it is still there after so long; none to leave it to its player. With a stake nothing else is taken while
    /// the first who has taken the own offer may pay, and no offer of a program, or that stands for long: a person chooses
    /// those.
    Play(Option<Duration>),
    /// The game is offered by this offer, which a friend sees who has its link.
    Invite(Box<GameOffer>),
    /// The offer of a friend's link is taken, once it is there.
    Join(Box<GameOffer>),
    /// The offer with this number is taken; with a stake, only if it is the one to which a person has agreed. A relay could
    /// show another one there since, with the colours exchanged.
    Take(OfferId, Option<Box<GameOffer>>),
    /// As [`Self::Play`], among the two who have played this game before.
    Rematch(GameNumber, Side),
}

impl How {
    /// The invites by which both players of a game offer a rematch.
    #[must_use]
    pub fn invites_of(game: GameNumber) -> ByPlayer<Invite> {
        let (halves, _) = game.0.as_chunks::<16>();
        ByPlayer {
            one: halves[0],
            two: halves[1],
        }
    }

    const fn offers(&self) -> bool {
        !matches!(self, Self::Join(_) | Self::Take(..))
    }

    fn invite(&self) -> Option<Invite> {
        match self {
            Self::Invite(offer) => Some(offer.invite(&Native)),
            Self::Rematch(game, side) => Some(Self::invites_of(*game)[*side]),
            _ => None,
        }
    }

    fn looks_for(&self) -> Option<Invite> {
        match self {
            Self::Join(offer) => Some(offer.invite(&Native)),
            Self::Rematch(game, side) => Some(Self::invites_of(*game)[side.opponent()]),
            _ => None,
        }
    }
}

/// Why no game has come of a visit to the lobby.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    /// The lobby is lost, or refuses.
    #[error(transparent)]
    Lobby(#[from] LobbyError),
    /// The game can't be offered.
    #[error(transparent)]
    Signed(#[from] SignedError),
    /// The relay is no witness, or its chain has not answered yet.
    #[error(
        "the relay is no witness of games: name another one, or try again when its chain answers"
    )]
    NoWitness,
    /// The offer that was to be taken has come to nothing.
    #[error("the game is not played: {}", why(*.0))]
    NotPaired(NotPaired),
    /// The offer is for another witness, chain or contract than those of this player, or has another stake.
    #[error("the offer is for another place than this relay")]
    OtherPlace,
    /// The relay shows another offer by this number than the one that was agreed to.
    #[error("the relay shows another offer by this number than before: list the offers again")]
    OtherOffer,
    /// The invite is the own one.
    #[error("this is your own invite, which waits in another place: send it to a friend")]
    OwnInvite,
    /// The lobby is full.
    #[error("the lobby of the relay is full: try again later")]
    Busy,
}

const fn why(why: NotPaired) -> &'static str {
    match why {
        NotPaired::Taken => "somebody else was faster",
        NotPaired::Gone => "the offer is not there any more",
        NotPaired::Declined => "it was declined",
        NotPaired::Silent => "the other program does not answer",
    }
}

/// A player whose opponent is not agreed on yet, and the way to it.
#[derive(Debug)]
struct Waiting {
    player: SignedPlayer,
    way: Way,
}

/// The way to a player's opponent, which leads through the lobby.
#[derive(Debug)]
struct Way {
    told: mpsc::Receiver<Message>,
    /// Kept, so that the way does not end.
    _tells: mpsc::Sender<Message>,
}

impl Waiting {
    /// Takes what the opponent's program has written. Returns whether both players have signed the terms then; with a
    /// stake, whether the terms are known for which the opponent says that it pays.
    async fn agrees(&self, message: Option<Message>) -> bool {
        let Some(message) = message else {
            return false;
        };
        let is_told = self.player.tell(message).await.is_ok();
        let shown = self.player.view().shown;
        let is_agreed = matches!(shown.stage, Stage::Playing | Stage::Ending | Stage::Over);
        let is_known = shown.stake > 0 && shown.number.is_some();
        is_told && (is_agreed || is_known)
    }
}

/// An offer that is taken.
#[derive(Debug)]
struct Asked {
    id: OfferId,
    /// The key of the player who offers.
    key: Address,
    taking: Taking,
    /// Until when the answer is waited for.
    until: Instant,
}

/// How far an offer is taken.
#[derive(Debug)]
enum Taking {
    /// This player has signed the terms.
    Signed(Waiting),
    /// Nothing is paid before the player who offers has said that it plays with this one.
    ForStake(Box<(GameOffer, Taker)>),
}

/// A search for an opponent in a lobby.
#[derive(Debug)]
struct Pairing<'a> {
    lobby: &'a mut Lobby,
    seeker: &'a Seeker,
    sought: Sought,
    how: How,
    /// What this player offers, or would, and when it is offered anew.
    own: Option<(GameOffer, Waiting)>,
    renewal: Instant,
    asked: Option<Asked>,
    /// The offer whose taker is accepted, and until when the relay's word is waited for that it has passed that on.
    accepted: Option<(OfferId, Instant)>,
    /// Until when the payment of the last who has taken the own offer is waited for; none if nobody has.
    payment: Option<Instant>,
    /// When the own offer is listed again, whose taker has to pay; none while it is listed.
    relisting: Option<Instant>,
    /// Whether the own offer stays on the list when somebody takes it, as one who has taken it has not paid. Who takes
    /// offers and never pays would keep them from all others.
    stays: bool,
    is_listed: bool,
    /// Offers that are not taken any more.
    left: BTreeSet<OfferId>,
    /// One that came after the own one, and when it is taken.
    later: Option<(OfferId, Instant)>,
    /// The person who waits; none if a program does.
    searching: Option<Searching>,
    /// The game that the person plays against a program, too, as this player would offer it.
    also: Option<GameOffer>,
}

/// Looks for an opponent until there is one. Of the game that comes of it both players have signed the terms; of one with a
/// stake both programs have said that they play it, and then each pays.
///
/// # Errors
///
/// [`PairingError`].
pub async fn pair(
    lobby: &mut Lobby,
    seeker: &Seeker,
    sought: Sought,
    how: How,
) -> Result<SignedPlayer, PairingError> {
    pairing(lobby, seeker, sought, how).run().await
}

/// The same for a person who waits, and may agree meanwhile to another game against a program.
///
/// # Errors
///
/// [`PairingError`].
pub async fn search(
    lobby: &mut Lobby,
    seeker: &Seeker,
    sought: Sought,
    how: How,
    searching: Searching,
) -> Result<SignedPlayer, PairingError> {
    let pairing = Pairing {
        searching: Some(searching),
        ..pairing(lobby, seeker, sought, how)
    };
    pairing.run().await
}

fn pairing<'a>(lobby: &'a mut Lobby, seeker: &'a Seeker, sought: Sought, how: How) -> Pairing<'a> {
    Pairing {
        lobby,
        seeker,
        sought,
        how,
        own: None,
        renewal: Instant::now(),
        asked: None,
        accepted: None,
        payment: None,
        relisting: None,
        stays: false,
        is_listed: false,
        left: BTreeSet::new(),
        later: None,
        searching: None,
        also: None,
    }
}

impl Pairing<'_> {
    async fn run(mut self) -> Result<SignedPlayer, PairingError> {
        if let Some(invite) = self.how.looks_for() {
            self.lobby.look(invite);
        }
        match self.how {
            How::Play(_) | How::Take(..) => self.lobby.list(),
            How::Invite(_) | How::Join(_) | How::Rematch(..) => self.is_listed = true,
        }
        if let How::Join(friends) = &self.how
            && friends.party().account() == self.seeker.party().account()
        {
            return Err(PairingError::OwnInvite);
        }
        loop {
            if let Some(id) = self.next_to_take()? {
                self.take(id).await?;
            }
            if self.is_to_offer() {
                self.offer().await?;
            }
            self.tell_standing();
            // It is looked at again once it is known what comes of the own offer.
            let waits = self.accepted.is_none();
            let later = self.later.filter(|_| waits).map(|(_, at)| at);
            let silence = self.asked.as_ref().map(|asked| asked.until);
            let renewal = self.is_renewed().then_some(self.renewal);
            let passed_on = self.accepted.map(|(_, until)| until);
            let wary = self.seeker.wary.next();
            let wake = [later, silence, renewal, passed_on, wary, self.relisting]
                .into_iter()
                .flatten()
                .min();
            let own = match self.awaits_payment() {
                true => self.own.as_mut(),
                false => None,
            };
            let searching = self.searching.as_mut();
            let news = tokio::select! {
                biased;
                paid = paid(own) => {
                    paid?;
                    self.lobby.withdraw();
                    // The game is played without the lobby.
                    let _ = self.lobby.send().await;
                    match self.own.take() {
                        Some((_, waiting)) => return Ok(waiting.player),
                        None => continue,
                    }
                }
                news = self.lobby.next() => match news {
                    Ok(news) => news,
                    // A taker may be about to pay.
                    Err(error) => match self.own.take_if(|_| awaits(self.payment)) {
                        Some((_, waiting)) => return Ok(waiting.player),
                        None => return Err(error.into()),
                    },
                },
                program = agreed(searching) => {
                    self.also = Some(self.offer_like(&program)?);
                    continue;
                }
                () = sleep_until(wake.unwrap_or_else(Instant::now)), if wake.is_some() => {
                    if let Some(player) = self.pass_time().await? {
                        return Ok(player);
                    }
                    continue;
                }
            };
            if let Some(player) = self.hear(news).await? {
                return Ok(player);
            }
        }
    }

    fn offer_of_own(&self) -> Result<GameOffer, PairingError> {
        self.seeker.offer(self.lobby, &self.sought, STANDS)
    }

    /// What this player would offer to play the same game as this offer.
    fn offer_like(&self, offer: &GameOffer) -> Result<GameOffer, PairingError> {
        let sought = Sought {
            terms: offer.terms,
            player: None,
            opponent: None,
        };
        self.seeker.offer(self.lobby, &sought, STANDS)
    }

    /// Tells the person who waits how the search stands.
    fn tell_standing(&self) {
        let Some(searching) = &self.searching else {
            return;
        };
        let staked = match self.asked.as_ref().map(|asked| &asked.taking) {
            Some(Taking::ForStake(taken)) if self.how.offers() => Some(taken.0.clone()),
            _ => None,
        };
        let standing = Standing {
            counts: self.lobby.counts(),
            program: self.program().cloned(),
            staked,
        };
        searching.standing.send_if_modified(|now| {
            let is_other = *now != standing;
            if is_other {
                *now = standing;
            }
            is_other
        });
    }

    /// The oldest offer of a program that a person who waits could play, too.
    fn program(&self) -> Option<&GameOffer> {
        let place = self.seeker.place(self.lobby, false).ok()?;
        let is_of_person = matches!(self.how, How::Play(_)) && !self.seeker.is_program;
        if !is_of_person || self.sought.terms.stake > 0 {
            return None;
        }
        let own = self.seeker.party().account();
        let is_it = |(id, offer): &(OfferId, &GameOffer)| {
            is_of_programs(offer)
                && (offer.domain, offer.terms.witness) == place
                && offer.party().account() != own
                && offer.taker.is_none_or(|only| only == own)
                && self.is_open(*id, offer)
        };
        let found = self.lobby.offers().find(is_it);
        found.map(|(_, offer)| offer)
    }

    fn around(&self) -> (Around, Way) {
        let (carrier, told, tells) = Carrier::new();
        let around = self.seeker.around(Some(carrier), self.lobby.ahead());
        let way = Way {
            told,
            _tells: tells,
        };
        (around, way)
    }

    /// Whether the own offer is made anew after a while.
    fn is_renewed(&self) -> bool {
        let is_taken = self.accepted.is_some() || self.relisting.is_some();
        self.own.is_some() && !is_taken && !matches!(self.how, How::Invite(_))
    }

    /// Whether a taker has to pay before it is the opponent. In a rematch it can be nobody else.
    const fn awaits_payment(&self) -> bool {
        self.sought.terms.stake > 0 && self.how.offers() && !matches!(self.how, How::Rematch(..))
    }

    /// Somebody has taken the own offer, and has to pay: it stands, in the lobby or off it.
    fn wait_for_payment(&mut self) {
        self.accepted = None;
        let now = Instant::now();
        let until = now + self.seeker.payment;
        self.payment = Some(until);
        if !self.stays {
            self.relisting = Some(until);
        }
        // What is paid for an offer that is renewed meanwhile is paid back.
        let ends = self.own.as_ref().map_or(0, |(offer, _)| offer.until);
        let left = Duration::from_secs(ends.saturating_sub(self.lobby.now()));
        self.renewal = self.renewal.max(until.min(now + left));
    }

    /// Offers the same again, as nobody has paid.
    fn offer_again(&mut self) -> Result<(), PairingError> {
        self.relisting = None;
        self.stays = true;
        if let Some((offer, _)) = &self.own {
            self.lobby.offer(offer, self.how.invite())?;
        }
        Ok(())
    }

    fn is_to_offer(&self) -> bool {
        self.how.offers() && self.is_listed && self.own.is_none() && self.asked.is_none()
    }

    async fn offer(&mut self) -> Result<(), PairingError> {
        let offer = match &self.how {
            How::Invite(offer) => GameOffer::clone(offer),
            _ => self.offer_of_own()?,
        };
        let (around, way) = self.around();
        let player = SignedPlayer::offer(around, offer.clone()).await?;
        self.lobby.offer(&offer, self.how.invite())?;
        self.own = Some((offer, Waiting { player, way }));
        self.renewal = Instant::now() + RENEWAL;
        Ok(())
    }

    /// Forgets the own offer. If it was renewed, the next one takes its place in the lobby.
    async fn call_off(&mut self) {
        self.payment = None;
        if let Some((_, waiting)) = self.own.take() {
            waiting.player.discard(&self.seeker.games).await;
        }
    }

    /// The offer that is to be taken now, if any.
    fn next_to_take(&mut self) -> Result<Option<OfferId>, PairingError> {
        let is_bound = self.accepted.is_some() || self.relisting.is_some();
        if self.asked.is_some() || is_bound || !self.is_listed {
            return Ok(None);
        }
        let wait = match self.how {
            How::Play(wait) => wait,
            How::Rematch(..) => None,
            How::Invite(_) | How::Join(_) | How::Take(..) => return Ok(None),
        };
        let own = match &self.own {
            // It is not known yet which offers came before.
            Some(_) if self.lobby.own().is_none() => return Ok(None),
            Some((offer, _)) => offer.clone(),
            None => self.offer_of_own()?,
        };
        let called = self.lobby.own().filter(|_| self.own.is_some());
        // With a stake an offer names a colour, also of a player who takes either.
        let takes_either = self.sought.terms.stake > 0 && self.sought.player.is_none();
        let fits = |own: &GameOffer, offer: &GameOffer| match takes_either {
            false => own.fits(offer),
            true => offer.player.is_some_and(|theirs| {
                let player = Some(theirs.opponent());
                GameOffer {
                    player,
                    ..own.clone()
                }
                .fits(offer)
            }),
        };
        let is_of_person = self.sought.terms.stake > 0 && !self.seeker.is_program;
        let last = self.lobby.now().saturating_add(2 * STANDS);
        let is_odd =
            |offer: &GameOffer| is_of_person && (offer.terms.programs.one || offer.until > last);
        let first = |own: &GameOffer| {
            let is_it = |(id, offer): &(_, &GameOffer)| {
                fits(own, offer) && !is_odd(offer) && self.is_open(*id, offer)
            };
            self.lobby.offers().find(is_it)
        };
        // A program has its own offer for another game than this player's, and does not take that.
        let program = self.also.as_ref().and_then(first).map(|(id, _)| id);
        let Some((id, offer)) = first(&own) else {
            self.later = None;
            return Ok(program);
        };
        // Its player can take the own one, and does so by itself if that came before: both at once would be two games.
        let is_later = called.is_some_and(|called| id > called);
        let is_theirs = is_later && (takes_either || offer.fits(&own));
        if !is_theirs {
            self.later = None;
            return Ok(Some(id));
        }
        let Some(wait) = wait else {
            return Ok(program);
        };
        let at = match self.later {
            Some((known, at)) if known == id => at,
            _ => Instant::now() + wait,
        };
        self.later = Some((id, at));
        Ok((at <= Instant::now()).then_some(id).or(program))
    }

    /// Whether an offer can be taken that was not left before.
    fn is_open(&self, id: OfferId, offer: &GameOffer) -> bool {
        !self.left.contains(&id)
            && self.lobby.now() <= offer.until
            && self.seeker.wary.takes(offer.party().key())
    }

    /// Takes an offer, and makes none meanwhile.
    async fn take(&mut self, id: OfferId) -> Result<(), PairingError> {
        let gone = PairingError::NotPaired(NotPaired::Gone);
        let found = self.lobby.offers().find(|(other, _)| *other == id);
        let offer = found.map(|(_, offer)| offer.clone()).ok_or(gone)?;
        let stake = self.sought.terms.stake;
        if let How::Take(_, agreed) = &self.how
            && (stake > 0 || agreed.is_some())
            && agreed.as_deref() != Some(&offer)
        {
            return Err(PairingError::OtherOffer);
        }
        let (domain, witness) = self.seeker.place(self.lobby, stake > 0)?;
        if (offer.domain, offer.terms.witness, offer.terms.stake) != (domain, witness, stake) {
            return Err(PairingError::OtherPlace);
        }
        let (time, key) = (self.lobby.now(), offer.party().key());
        let taker = Taker {
            party: self.seeker.party(),
            session: self.seeker.session(time, &domain),
            player: self.sought.player.unwrap_or_else(either),
            is_program: self.seeker.is_program,
            time,
            nonce: rand::random(),
        };
        self.left.insert(id);
        self.later = None;
        if stake > 0 {
            let message = Message::Taken(offer.complete(&taker));
            return self
                .ask(
                    id,
                    key,
                    Taking::ForStake(Box::new((offer, taker))),
                    &message,
                )
                .await;
        }
        let (around, mut way) = self.around();
        let Some(player) = self.game_of(around, offer, &taker).await? else {
            return Ok(());
        };
        let message = way.told.recv().await.ok_or(SignedError::Ended)?;
        let taking = Taking::Signed(Waiting { player, way });
        self.ask(id, key, taking, &message).await
    }

    /// The game that this player has by taking an offer. A search passes over one that can't be played, or that this key has
    /// taken before: none then.
    async fn game_of(
        &self,
        around: Around,
        offer: GameOffer,
        taker: &Taker,
    ) -> Result<Option<SignedPlayer>, PairingError> {
        match SignedPlayer::take(around, offer, taker).await {
            Ok(player) => Ok(Some(player)),
            Err(SignedError::Player(error)) if self.how.offers() && is_of_offer(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Tells the player who offers that its offer is taken, and makes none meanwhile.
    async fn ask(
        &mut self,
        id: OfferId,
        key: Address,
        taking: Taking,
        message: &Message,
    ) -> Result<(), PairingError> {
        if self.own.is_some() {
            self.call_off().await;
            self.lobby.withdraw();
        }
        self.lobby.take(id, message)?;
        self.asked = Some(Asked {
            id,
            key,
            taking,
            until: Instant::now() + ANSWER,
        });
        Ok(())
    }

    async fn pass_time(&mut self) -> Result<Option<SignedPlayer>, PairingError> {
        let now = Instant::now();
        let is_silent = |asked: &Asked| asked.until <= now;
        if self.asked.as_ref().is_some_and(is_silent) {
            self.lobby.withdraw();
            return self.not_paired(NotPaired::Silent).map(|()| None);
        }
        if self.accepted.is_some_and(|(_, until)| until <= now) {
            if self.awaits_payment() {
                self.wait_for_payment();
                return Ok(None);
            }
            // The taker may have it all the same. If it has not, the witness says that the game is void.
            return Ok(self.own.take().map(|(_, waiting)| waiting.player));
        }
        if self.relisting.is_some_and(|at| at <= now) {
            self.offer_again()?;
        }
        if self.is_renewed() && self.renewal <= now {
            self.call_off().await;
        }
        Ok(None)
    }

    /// The offer that was taken, or the one that was accepted, has come to nothing.
    fn not_paired(&mut self, why: NotPaired) -> Result<(), PairingError> {
        // Also one who withdraws whenever the offer is taken.
        if let Some(asked) = self.asked.take()
            && why != NotPaired::Taken
        {
            self.seeker.wary.failed(asked.key);
        }
        self.accepted = None;
        self.own = None;
        match self.how.offers() {
            true => Ok(()),
            false => Err(PairingError::NotPaired(why)),
        }
    }

    async fn hear(&mut self, news: LobbyNews) -> Result<Option<SignedPlayer>, PairingError> {
        match news {
            LobbyNews::Changed => {}
            LobbyNews::Complete => {
                self.is_listed = true;
                if let How::Take(id, _) = self.how
                    && self.asked.is_none()
                {
                    self.take(id).await?;
                }
            }
            LobbyNews::Invited(id) => {
                let found = self.lobby.offers().find(|(other, _)| *other == id);
                let is_friends = matches!(
                    (&self.how, found),
                    (How::Join(friends), Some((_, offer))) if **friends == *offer
                );
                if is_friends && self.asked.is_none() {
                    self.take(id).await?;
                }
            }
            LobbyNews::Taken {
                offer,
                take,
                message,
            } => self.taken(offer, take, message).await?,
            LobbyNews::Accepted { offer, message } => return self.agreed(offer, message).await,
            LobbyNews::NotPaired(offer, why) => {
                let is_asked = self.asked.as_ref().is_some_and(|asked| asked.id == offer);
                let is_own = self.own.is_some() && self.lobby.own() == Some(offer);
                if is_asked || (self.is_accepted(offer) && !self.awaits_payment()) {
                    self.not_paired(why)?;
                } else if is_own {
                    self.accepted = None;
                    match why {
                        // The relay has ended it, as this program was too slow.
                        NotPaired::Silent if self.awaits_payment() => self.offer_again()?,
                        NotPaired::Silent => self.call_off().await,
                        // It is listed again without its taker.
                        NotPaired::Taken | NotPaired::Gone | NotPaired::Declined => {}
                    }
                }
            }
            // It is tried again.
            LobbyNews::Busy if self.stays => self.relisting = Some(Instant::now() + ANSWER),
            LobbyNews::Busy => return Err(PairingError::Busy),
            // Terms with the witness before make no game any more. With a stake they name none.
            LobbyNews::OtherWitness => {
                if self.accepted.is_none() && self.sought.terms.stake == 0 {
                    self.call_off().await;
                }
            }
        }
        Ok(None)
    }

    /// Somebody takes an offer of this player.
    async fn taken(
        &mut self,
        offer: OfferId,
        take: TakeId,
        message: Option<Message>,
    ) -> Result<(), PairingError> {
        let own = self.own.as_mut().filter(|_| self.accepted.is_none());
        let Some((_, waiting)) = own else {
            // It was withdrawn meanwhile, and its taker is told that.
            return Ok(());
        };
        // Only who offers is told, and what for is in the letter.
        if !waiting.agrees(message).await {
            self.lobby.decline(offer, take);
            return Ok(());
        }
        self.lobby.call_own(offer);
        let told = &mut waiting.way.told;
        let answer = iter::from_fn(|| told.try_recv().ok()).last();
        self.lobby
            .accept(offer, take, answer.as_ref(), self.stays)?;
        self.accepted = Some((offer, Instant::now() + ANSWER));
        Ok(())
    }

    fn is_accepted(&self, offer: OfferId) -> bool {
        self.accepted.is_some_and(|(accepted, _)| accepted == offer)
    }

    /// Both have agreed, as the relay says.
    async fn agreed(
        &mut self,
        offer: OfferId,
        message: Option<Message>,
    ) -> Result<Option<SignedPlayer>, PairingError> {
        if self.is_accepted(offer) {
            if self.awaits_payment() {
                self.wait_for_payment();
                return Ok(None);
            }
            return Ok(self.own.take().map(|(_, waiting)| waiting.player));
        }
        let Some(asked) = self.asked.take_if(|asked| asked.id == offer) else {
            return Ok(None);
        };
        let Asked {
            id,
            key,
            taking,
            until,
        } = asked;
        let waiting = match taking {
            Taking::ForStake(taken) => {
                let (offer, taker) = &*taken;
                let terms = offer.complete(taker);
                // Nothing is paid on the relay's word alone.
                if !message.is_some_and(|message| message.accepts(offer, &terms, &Native)) {
                    self.seeker.wary.failed(key);
                    self.not_paired(NotPaired::Declined)?;
                    return Ok(None);
                }
                let (offer, taker) = *taken;
                let around = self.seeker.around(None, self.lobby.ahead());
                let player = self.game_of(around, offer, &taker).await?;
                if player.is_none() {
                    self.not_paired(NotPaired::Declined)?;
                }
                return Ok(player);
            }
            Taking::Signed(waiting) => waiting,
        };
        if waiting.agrees(message).await {
            return Ok(Some(waiting.player));
        }
        let taking = Taking::Signed(waiting);
        self.asked = Some(Asked {
            id,
            key,
            taking,
            until,
        });
        self.not_paired(NotPaired::Declined)?;
        Ok(None)
    }
}

/// Whether it is a program's, of a game that is rated in its pool.
fn is_of_programs(offer: &GameOffer) -> bool {
    let terms = &offer.terms;
    let is_of_pool =
        Pool::of(terms.pool) == Some(Pool::Programs) && Pool::Programs.takes_game(&terms.rules());
    terms.programs.one && terms.clock.is_some() && terms.stake == 0 && is_of_pool
}

/// Waits until a person agrees to a game as a program offers it; for ever if none can.
async fn agreed(searching: Option<&mut Searching>) -> GameOffer {
    match searching {
        Some(searching) => match searching.agreed.recv().await {
            Some(program) => program,
            None => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}

/// Whether something is waited for until this time.
fn awaits(until: Option<Instant>) -> bool {
    until.is_some_and(|until| Instant::now() < until)
}

/// Waits until somebody has paid for this offer; for ever if there is none.
async fn paid(own: Option<&mut (GameOffer, Waiting)>) -> Result<(), SignedError> {
    let Some((_, waiting)) = own else {
        return std::future::pending().await;
    };
    let is_taken = |view: &View| view.shown.stage != Stage::Offered;
    waiting.player.until(is_taken).await.map(|_| ())
}

fn either() -> Side {
    match rand::random() {
        true => Side::One,
        false => Side::Two,
    }
}

/// Whether it is the offer that is refused, and not what this player has.
fn is_of_offer<E>(error: &PlayerError<E>) -> bool {
    matches!(
        error,
        PlayerError::OtherTerms
            | PlayerError::OfferOver
            | PlayerError::OtherRecord
            | PlayerError::Refused(_)
            | PlayerError::NotSigned
    )
}
