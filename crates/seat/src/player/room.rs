//! A game without a stake: terms that both have signed, and the room of their witness.

use alloc::boxed::Box;
use alloc::vec::Vec;

use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, FRESH, FromWitness, Spoken, Telling, ToWitness, Told};
use connect4_protocol::signed::{
    AccountCrypto, Chain, Domain, Moves, Presence, Signature, SignedSession, SignedTerms, Signing,
    StakedGame, Terms,
};
use connect4_protocol::{Error, Game};
use connect4_rules::{Bin, ByPlayer, Player as Side};

use super::{Command, Known, Message, Output, Player, PlayerError};
use crate::game_offer::{GameOffer, Taker};
use crate::keep::SeatError;
use crate::record::{Record, Room, Shelf};
use crate::told::{self, NotTold};

/// After how many seconds the room is asked for again.
const AGAIN: u64 = 12;
/// How many messages of the room are kept in memory, at most, while the disk refuses them.
const MOST_UNHEARD: usize = 4;

impl<K: Shelf, S: Signing + AccountCrypto + Clone> Player<K, S> {
    pub(super) fn resume_in_room(
        domain: Domain,
        key: S,
        shelf: K,
        record: Record,
    ) -> Result<Self, PlayerError<K::Error>> {
        let player = Self::with_known(domain, key, shelf, Known::new(record));
        let Record { room, terms, .. } = &player.known.record;
        let Some(room) = room else {
            return Ok(player);
        };
        if *terms != Some(room.agreed.terms) {
            return Err(PlayerError::OtherTerms);
        }
        for told in room.receipt.iter().chain(&room.end) {
            if !told::is_by_witness(told, &room.agreed, &player.domain, &player.key) {
                return Err(PlayerError::NotSigned);
            }
            told::check(told, &room.agreed, &player.domain, &player.key)?;
        }
        Ok(player)
    }

    /// Signs the terms of an offer that this player takes; where a coin decides the colours, for both. What is returned
    /// lacks the other's signature.
    pub(super) fn sign_terms(
        &mut self,
        terms: &Terms,
        taker: &Taker,
    ) -> Result<Message, PlayerError<K::Error>> {
        if self.known.record.offer.coin.is_none() {
            let half = self.half(terms, taker)?;
            self.keep_terms(terms, Some(Room::new(half)))?;
            return Ok(Message::Terms(half));
        }
        let mut tossed = [SignedTerms {
            terms: *terms,
            sessions: ByPlayer::default(),
            signatures: ByPlayer::default(),
        }; 2];
        for (tossed, player) in tossed.iter_mut().zip(Side::ALL) {
            let taker = Taker { player, ..*taker };
            let terms = self.known.record.offer.complete(&taker);
            if self.shelf.has_other(terms.number(&self.domain, &self.key)) {
                return Err(PlayerError::OtherRecord);
            }
            *tossed = self.half(&terms, &taker)?;
        }
        self.keep(Record {
            tossed: Some(tossed),
            ..self.known.record.clone()
        })?;
        Ok(Message::Tossed(Box::new(tossed)))
    }

    /// Terms of the offer with the signature of this player, who takes it.
    fn half(&self, terms: &Terms, taker: &Taker) -> Result<SignedTerms, PlayerError<K::Error>> {
        terms.check()?;
        let offer = &self.known.record.offer;
        let own = offer.player_of(taker);
        let (offering, taking) = (offer.session, taker.session);
        let mut half = SignedTerms {
            terms: *terms,
            sessions: ByPlayer::from_fn(|side| if side == own { taking } else { offering }),
            signatures: ByPlayer::default(),
        };
        half.signatures[own] = self.sign_number(terms);
        Ok(half)
    }

    /// The taker has signed the terms for both colours: this player signs those of the coin.
    pub(super) fn toss(
        &mut self,
        tossed: &[SignedTerms; 2],
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        let offer = &self.known.record.offer;
        let [one, two] = tossed;
        let takers = tossed.map(|half| offer.taker_in(&half.terms));
        let secret = offer.secret(&self.key);
        let by_coin = offer.taker_by_coin(&secret, one.terms.nonce, &self.key);
        let is_same = (one.terms.time, one.terms.nonce) == (two.terms.time, two.terms.nonce);
        if takers != Side::ALL.map(Some) || !is_same {
            return Err(PlayerError::OtherTerms);
        }
        let decided = match by_coin.ok_or(PlayerError::OtherTerms)? {
            Side::One => one,
            Side::Two => two,
        };
        self.sign_second(decided, out)
    }

    /// The player who offers has signed the terms of the coin.
    pub(super) fn decided(
        &mut self,
        terms: &SignedTerms,
        secret: &[u8; 32],
    ) -> Result<(), PlayerError<K::Error>> {
        let Record {
            offer,
            tossed,
            room,
            ..
        } = &self.known.record;
        if room.is_some() {
            return Ok(());
        }
        let by_coin = offer.taker_by_coin(secret, terms.terms.nonce, &self.key);
        let is_tossed = tossed.is_some_and(|halves| {
            let mut halves = halves.iter();
            halves.any(|half| half.terms == terms.terms)
        });
        if !is_tossed || by_coin.is_none() || by_coin != offer.taker_in(&terms.terms) {
            return Err(PlayerError::OtherTerms);
        }
        terms.check(self.chain(), &self.key)?;
        self.keep_terms(&terms.terms, Some(Room::new(*terms)))
    }

    /// What the opponent is told of terms that this player has signed.
    pub(super) fn tell_agreed(&self, terms: SignedTerms) -> Message {
        let offer = &self.known.record.offer;
        let has_offered = offer.party().key() == self.key.address();
        match offer.coin.filter(|_| has_offered) {
            Some(_) => Message::Decided {
                terms,
                secret: offer.secret(&self.key),
            },
            None => Message::Terms(terms),
        }
    }

    fn sign_number(&self, terms: &Terms) -> Signature {
        self.key.sign(&terms.number(&self.domain, &self.key).0)
    }

    /// Takes terms that the opponent has signed, or both.
    pub(super) fn agree(
        &mut self,
        told: &SignedTerms,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        let Record { offer, room, .. } = &self.known.record;
        if self.has_stake() {
            return Err(PlayerError::OtherTerms);
        }
        let Some(room) = room else {
            // Only the coin says which colours the players have.
            return match offer.coin {
                Some(_) => Err(PlayerError::OtherTerms),
                None => self.sign_second(told, out),
            };
        };
        if room.agreed.terms != told.terms {
            return Err(PlayerError::OtherTerms);
        }
        if room.is_agreed() {
            // The opponent has not heard of this player's signature.
            let is_half = Side::ALL.map(|side| *told.signatures.get(side) == Signature::NONE);
            if is_half.contains(&true) {
                out.push(Output::Send(Message::Terms(room.agreed)));
            }
            return Ok(());
        }
        told.check(self.chain(), &self.key)?;
        let room = Room {
            agreed: *told,
            ..room.clone()
        };
        self.keep_room(room)?;
        if self.known.is_in_room {
            out.push(Output::Say(ToWitness::Terms(*told)));
        }
        Ok(())
    }

    /// Signs terms that the taker has signed, if none are signed yet.
    fn sign_second(
        &mut self,
        half: &SignedTerms,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        let Record { offer, room, .. } = &self.known.record;
        let taker = offer.taker_in(&half.terms).ok_or(PlayerError::OtherTerms)?;
        if let Some(room) = room {
            if room.agreed.terms != half.terms {
                return Err(PlayerError::OtherTerms);
            }
            out.push(Output::Send(self.tell_agreed(room.agreed)));
            return Ok(());
        }
        if self.known.machine > offer.until {
            return Err(PlayerError::OfferOver);
        }
        // The witness opens no room for others.
        if half.terms.time.abs_diff(self.known.machine) > FRESH {
            return Err(PlayerError::OtherTerms);
        }
        let own = taker.opponent();
        let mut agreed = *half;
        agreed.sessions[own] = offer.session;
        agreed.signatures[own] = self.sign_number(&half.terms);
        agreed.check(self.chain(), &self.key)?;
        self.keep_terms(&half.terms, Some(Room::new(agreed)))?;
        out.push(Output::Send(self.tell_agreed(agreed)));
        Ok(())
    }

    const fn chain(&self) -> Chain {
        self.domain.chain
    }

    fn keep_room(&mut self, room: Room) -> Result<(), PlayerError<K::Error>> {
        self.keep(Record {
            room: Some(room),
            ..self.known.record.clone()
        })
    }

    /// The room, with this player's side in it.
    fn room(&self) -> Result<(&Room, Side), PlayerError<K::Error>> {
        let room = self.known.record.room.as_ref();
        room.zip(self.side()).ok_or(PlayerError::NotBegun)
    }

    /// What is due besides what has come: what the disk has refused is kept, what a full log has refused is said again,
    /// and the room is asked for until the end of the game is known.
    pub(super) fn tend(&mut self, out: &mut Vec<Output>) {
        for message in core::mem::take(&mut self.known.unheard) {
            // It stays here if it is refused once more, which was told before.
            self.hear(message, out).ok();
        }
        let Known {
            machine: now,
            refusal,
            refused_at,
            entered_at,
            ..
        } = self.known;
        let is_early = |at: u64| at > 0 && now.abs_diff(at) < AGAIN;
        if refusal == Some(Refusal::LogFull) && !is_early(refused_at) {
            self.known.refused_at = now;
            self.say_again(out).ok();
        }
        let Some(room) = &self.known.record.room else {
            return;
        };
        let may_be = room.end.is_none() && !self.has_no_room(room);
        if may_be && !self.known.is_in_room && !is_early(entered_at) {
            self.known.entered_at = now;
            out.push(Output::Enter);
        }
    }

    /// Whether the player who offers has not signed the terms in time: the room was asked for after that, and there is
    /// none.
    pub(super) fn has_no_room(&self, room: &Room) -> bool {
        let last = room.agreed.terms.time.saturating_add(FRESH);
        let is_late = self.known.refused_at > last;
        !room.is_agreed() && is_late && self.known.refusal == Some(Refusal::NoSuchGame)
    }

    /// The room says something. What the disk refuses is heard again with the next step.
    pub(super) fn hear(
        &mut self,
        message: FromWitness,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        let heard = self.take_in(message, out);
        let is_kept = matches!(message, FromWitness::Told(_) | FromWitness::Terms(_));
        let unheard = &mut self.known.unheard;
        if is_kept && matches!(heard, Err(PlayerError::Keep(_))) && !unheard.contains(&message) {
            if unheard.len() == MOST_UNHEARD {
                unheard.remove(0);
            }
            unheard.push(message);
        }
        heard
    }

    fn take_in(
        &mut self,
        message: FromWitness,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        let (room, side) = self.room()?;
        match message {
            FromWitness::Welcome {
                nonce,
                chain_id,
                genesis,
                ..
            } => {
                let chain = Chain {
                    id: chain_id,
                    genesis,
                };
                if chain != self.chain() {
                    return Err(PlayerError::OtherPlace);
                }
                let game = room.agreed.terms.number(&self.domain, &self.key);
                let presence = Presence { game, nonce }.digest(&self.domain, &self.key);
                // A witness that has lost its log would else begin the game anew.
                let held = room.end.or(room.receipt);
                out.extend(held.map(|told| Output::Say(ToWitness::Held(told))));
                if room.is_agreed() {
                    out.push(Output::Say(ToWitness::Terms(room.agreed)));
                }
                out.push(Output::Say(ToWitness::Join {
                    player: side,
                    signature: self.key.sign(&presence),
                }));
                self.known.is_in_room = true;
                let refusal = &mut self.known.refusal;
                refusal.take_if(|refusal| *refusal == Refusal::LogFull);
                // The room tells an offer that stands.
                self.known.agreed[side.opponent()] = None;
                self.say_again(out)
            }
            FromWitness::Told(told) => self.hear_told(told, out),
            FromWitness::Offer(spoken) => {
                let is_valid = spoken.act == Act::Draw
                    && spoken.moves == room.moves()
                    && told::is_signed(&spoken, &room.agreed, &self.domain, &self.key);
                if !is_valid {
                    return Err(PlayerError::NotSigned);
                }
                self.known.agreed[spoken.by] = Some(spoken);
                Ok(())
            }
            FromWitness::Terms(terms) => {
                self.agree(&terms, out)?;
                self.has_room(out)
            }
            FromWitness::Present(_) => Ok(()),
            FromWitness::Refused(refusal) => {
                self.known.is_in_room &= !refusal.closes();
                self.known.refusal = Some(refusal);
                self.known.refused_at = self.known.machine;
                Ok(())
            }
        }
    }

    /// The room tells something of the game, as it also does once a full log takes more.
    fn has_room(&mut self, out: &mut Vec<Output>) -> Result<(), PlayerError<K::Error>> {
        match self.known.refusal.take() {
            Some(Refusal::LogFull) => self.say_again(out),
            _ => Ok(()),
        }
    }

    /// The witness says something about the game.
    fn hear_told(
        &mut self,
        told: Told,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        let (room, side) = self.room()?;
        let terms = &room.agreed.terms;
        let game = terms.number(&self.domain, &self.key);
        if !told::is_by_witness(&told, &room.agreed, &self.domain, &self.key) {
            return Err(PlayerError::NotSigned);
        }
        // By itself it may be what no game by these terms can come to.
        let held = [room.receipt, room.end, Some(told)].into_iter().flatten();
        let mut contradicted = held.filter_map(|held| {
            let contradiction = held.contradicts(&told, terms, game)?;
            Some((held, contradiction))
        });
        let contradicted = contradicted.next();
        let mut room = room.clone();
        if let Some((held, contradiction)) = contradicted {
            room.contradiction.get_or_insert((held, told));
            self.keep_room(room)?;
            return Err(PlayerError::Contradicted(contradiction));
        }
        let is_longer = |held: &Told| told.moves.len() > held.moves.len();
        let is_news = room.end.is_none()
            && match told.what {
                Telling::Ended(_) => true,
                Telling::Receipt { .. } => room.receipt.as_ref().is_none_or(is_longer),
            };
        if !is_news {
            return self.has_room(out);
        }
        told::check(&told, &room.agreed, &self.domain, &self.key)?;
        let was = room.moves();
        match told.what {
            Telling::Receipt { .. } => room.receipt = Some(told),
            Telling::Ended(_) => room.end = Some(told),
        }
        // A record that was lost is made good by what the witness has of this player.
        let own =
            told::spoken_in(&told, side).filter(|_| matches!(told.what, Telling::Receipt { .. }));
        let moved = room.moved.map_or(0, |moved| moved.moves.len());
        room.moved = own.filter(|own| own.moves.len() > moved).or(room.moved);
        let (is_moved, has_ended) = (room.moves() != was, room.end.is_some());
        self.keep_room(room)?;
        (self.known.is_unkept, self.known.refusal) = (false, None);
        if is_moved || has_ended {
            self.known.agreed = ByPlayer::default();
        }
        if has_ended {
            self.known.is_in_room = false;
            out.push(Output::Leave);
            return Ok(());
        }
        self.say_again(out)
    }

    /// Says what the witness has not taken yet: the last move, and at the newest position what the person wants.
    fn say_again(&mut self, out: &mut Vec<Output>) -> Result<(), PlayerError<K::Error>> {
        if self.known.is_unkept {
            self.keep(self.known.record.clone())?;
            self.known.is_unkept = false;
        }
        let (room, side) = self.room()?;
        if room.end.is_some() || !self.known.is_in_room {
            return Ok(());
        }
        let newest = room.moves();
        let is_over = room.agreed.terms.play(&newest)?.is_over();
        let moved = room.moved.filter(|moved| moved.moves.len() > newest.len());
        let draw = self
            .known
            .agreed
            .get(side)
            .filter(|draw| draw.moves == newest);
        let resigned =
            (room.has_resigned && !is_over).then(|| self.spoken(room, Act::Resign, newest));
        let spoken = moved.into_iter().chain(draw).chain(resigned);
        out.extend(spoken.map(|spoken| Output::Say(ToWitness::Spoken(spoken))));
        Ok(())
    }

    /// What this player says about these moves.
    fn spoken(&self, room: &Room, act: Act, moves: Moves) -> Spoken {
        let terms = &room.agreed.terms;
        let unsigned = Spoken {
            by: self.side().unwrap_or(Side::One),
            act,
            moves,
            signature: Signature::NONE,
        };
        let statement = unsigned.statement(terms.number(&self.domain, &self.key));
        Spoken {
            signature: self.key.sign(&statement.digest(&self.domain, &self.key)),
            ..unsigned
        }
    }

    pub(super) fn command_in_room(
        &mut self,
        command: Command,
        out: &mut Vec<Output>,
    ) -> Result<(), PlayerError<K::Error>> {
        let (room, side) = self.room()?;
        let newest = room.moves();
        let game = room.agreed.terms.play(&newest)?;
        if !room.is_agreed() {
            return Err(PlayerError::NotBegun);
        }
        if room.end.is_some() || game.is_over() {
            return Err(refused(Error::GameOver));
        }
        let waiting = room.moved.filter(|moved| moved.moves.len() > newest.len());
        match command {
            Command::Move(bin) => self.move_in_room(bin, game, waiting)?,
            Command::Resign => {
                let mut room = room.clone();
                room.has_resigned = true;
                self.keep_room(room)?;
            }
            Command::OfferDraw | Command::AcceptDraw => {
                let offered = self.known.agreed.get(side.opponent());
                match (command, offered) {
                    (Command::AcceptDraw, None) => return Err(refused(Error::NoOffer)),
                    // It could make another move after it, and the witness choose between them.
                    (_, None) if game.to_move() == Some(side) => {
                        return Err(refused(Error::YourTurn));
                    }
                    _ => {}
                }
                if waiting.is_some() {
                    return Err(PlayerError::NoReceipt);
                }
                if self.known.agreed.get(side).is_some() {
                    return Err(refused(Error::AlreadyOffered));
                }
                self.known.agreed[side] = Some(self.spoken(room, Act::Draw, newest));
            }
            Command::DeclineDraw => {
                self.known.agreed[side.opponent()] = None;
                return Ok(());
            }
            Command::MoveOnChain(_)
            | Command::Press
            | Command::Settle
            | Command::Refund
            | Command::Withdraw
            | Command::Free => return Err(PlayerError::NoStake),
        }
        self.say_again(out)
    }

    /// Whether both have agreed on a draw, so that the witness has to end the game.
    pub(super) const fn has_agreed(&self) -> bool {
        let ByPlayer { one, two } = &self.known.agreed;
        one.is_some() && two.is_some()
    }

    /// Signs a move on top of the newest position. A move that waits for its receipt is the only one of its turn.
    fn move_in_room(
        &mut self,
        bin: Bin,
        mut game: Game,
        waiting: Option<Spoken>,
    ) -> Result<(), PlayerError<K::Error>> {
        let (room, side) = self.room()?;
        if let Some(waiting) = waiting {
            let bound = waiting.moves.last().copied().unwrap_or_default();
            return match bound == bin.index() {
                true => Ok(()),
                false => Err(SeatError::Bound(bound).into()),
            };
        }
        if room.has_resigned {
            return Err(refused(Error::GameOver));
        }
        if self.has_agreed() {
            return Err(refused(Error::AlreadyOffered));
        }
        if game.to_move() != Some(side) {
            return Err(refused(Error::NotYourTurn));
        }
        room.agreed.terms.make(bin, &mut game).map_err(refused)?;
        let mut moves = room.moves();
        moves.push(bin);
        let moved = Room {
            moved: Some(self.spoken(room, Act::Move, moves)),
            ..room.clone()
        };
        let record = Record {
            room: Some(moved),
            ..self.known.record.clone()
        };
        if let Err(error) = self.shelf.keep(&record) {
            if self.shelf.may_have(&record) {
                // The program that reads it will say it.
                (self.known.record, self.known.is_unkept) = (record, true);
            }
            return Err(PlayerError::Keep(error));
        }
        self.known.record = record;
        Ok(())
    }

    /// The offer of the next game against the same opponent, by the same rules with the other colour, that this
    /// opponent alone can take until this second. It belongs to no tournament. It is to be told to the opponent, who
    /// [sees](Self::is_rematch) that it is that.
    ///
    /// # Errors
    ///
    /// [`PlayerError::NotOver`].
    pub fn rematch(&self, until: u64, nonce: u32) -> Result<GameOffer, PlayerError<K::Error>> {
        let (Some(terms), Some(side)) = (self.terms().copied(), self.side()) else {
            return Err(PlayerError::NotOver);
        };
        if !self.has_ended() {
            return Err(PlayerError::NotOver);
        }
        let room = self.known.record.room.as_ref();
        let session = room.and_then(|room| *room.agreed.sessions.get(side));
        Ok(self.next_by(&terms, side, (session, until, nonce)))
    }

    /// Whether the opponent offers a rematch of this game by this.
    #[must_use]
    pub fn is_rematch(&self, offer: &GameOffer) -> bool {
        let (Some(terms), Some(side)) = (self.terms(), self.side()) else {
            return false;
        };
        let free = (offer.session, offer.until, offer.terms.nonce);
        let mut next = self.next_by(terms, side.opponent(), free);
        // Who meets the opponent at a relay need not name it.
        if offer.relay.is_none() {
            next.relay = None;
        }
        *offer == next
    }

    /// The rematch as this player of the game offers it.
    fn next_by(
        &self,
        terms: &Terms,
        side: Side,
        (session, until, nonce): (Option<SignedSession>, u64, u32),
    ) -> GameOffer {
        let program = *terms.programs.get(side);
        let next = Terms {
            programs: ByPlayer {
                one: program,
                two: false,
            },
            event: None,
            previous: self.number(),
            nonce,
            ..*terms
        };
        GameOffer {
            player: Some(side.opponent()),
            taker: Some(terms.players.get(side.opponent()).account()),
            session,
            relay: self.known.record.offer.relay.clone(),
            ..GameOffer::new(self.domain, *terms.players.get(side), next, until)
        }
    }

    /// Whether the game has ended for good.
    fn has_ended(&self) -> bool {
        match &self.known.record.room {
            Some(room) => room.end.is_some(),
            None => {
                let has_final = |game: &StakedGame| game.game.is_final();
                self.newest_game().is_some_and(has_final) || self.ended().is_some()
            }
        }
    }
}

impl Room {
    pub(crate) const fn new(agreed: SignedTerms) -> Self {
        Self {
            agreed,
            moved: None,
            has_resigned: false,
            receipt: None,
            end: None,
            contradiction: None,
        }
    }
}

impl<E> From<NotTold> for PlayerError<E> {
    fn from(error: NotTold) -> Self {
        match error {
            NotTold::Refused(refused) => Self::Refused(refused),
            NotTold::NotSigned => Self::NotSigned,
        }
    }
}

/// What the rules say.
const fn refused<E>(error: Error) -> PlayerError<E> {
    PlayerError::Seat(SeatError::Refused(error))
}
