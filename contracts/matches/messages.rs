//! What the messages do. A message ends the call with its answer, so that each is a function here.

use codec::Encode;
use connect4_contract::{
    Bytes, Encoded, Numbers, Unread, about, account, ask, caller, emit_with, end_in,
    funds::{Credits, credit, credited, pay_owed},
    now, number, paid,
    records::Item,
};
use connect4_protocol::{
    Address, Challenge, ClockSpec, Error, Game, Match, Page, Terms,
    event::{
        ChallengeMade, ChallengeWithdrawn, DrawDeclined, DrawOffered, GameFreed, MatchStarted,
        RematchDeclined, RematchOffered, Settled,
    },
    message::{EndMatch, ReadGame, Remove, StartMatch},
};
use connect4_rules::{ByPlayer, ShapeSpec};
use ink::storage::traits::StorageKey;

use crate::{
    matches::{Matches, PAGE},
    records::Open,
};

pub fn challenge(
    matches: &mut Matches,
    opponent: Option<Address>,
    challenger_first: bool,
    shape: ShapeSpec,
    clock: Option<ClockSpec>,
    expires: Option<u64>,
) -> Result<u32, Error> {
    let challenger = caller();
    let terms = Terms {
        shape,
        clock,
        stake: paid(),
    };
    let challenge = Challenge::new(challenger, opponent, challenger_first, terms)?;
    let challenge = challenge.until(expires, now())?;
    let made = matches.root.made;
    // The fees for this many challenges exceed what any account has.
    matches.root.made = made.checked_add(1).expect("fewer than 2^32 challenges");
    let older = matches.root.newest.replace(made);
    matches.save();
    matches.link(older, |older| older.newer = Some(made));
    let open = Open {
        challenge,
        older,
        newer: None,
    };
    matches.challenges.insert(made, &Item(open));
    let event = ChallengeMade {
        challenge: made,
        challenger,
        opponent,
        challenger_first,
        expires: challenge.expires,
        terms,
    };
    let topics = [
        number(Some(made)),
        account(Some(challenger)),
        account(opponent),
    ];
    emit_with(event, &topics);
    Ok(made)
}

pub fn accept(
    matches: &mut Matches,
    challenge: u32,
    seen: &Unread<Challenge>,
) -> Result<u32, Error> {
    let open = matches.open(challenge)?;
    if !seen.is(&open.challenge) {
        return Err(Error::OtherTerms);
    }
    let players = open.challenge.accept(caller(), paid(), now())?;
    matches.close(challenge, &open);
    let Terms {
        shape,
        clock,
        stake,
    } = open.challenge.terms;
    let started = Match {
        stake,
        clock,
        ..Match::default()
    };
    matches.start(players, shape, &started, Some(challenge))
}

pub fn decline(matches: &mut Matches, challenge: u32) -> Result<(), Error> {
    let open = matches.open(challenge)?;
    open.challenge.decline(caller())?;
    matches.withdraw_challenge(challenge, &open)
}

pub fn cancel(matches: &mut Matches, challenge: u32) -> Result<(), Error> {
    let open = matches.open(challenge)?;
    open.challenge.cancel(caller())?;
    matches.withdraw_challenge(challenge, &open)
}

pub fn resign(matches: &mut Matches, game: u32) -> Result<(), Error> {
    let mut played = matches.played(game)?;
    played.resign(caller())?;
    matches.finish(game, &played, matches.match_state(game))
}

pub fn claim_timeout(matches: &mut Matches, game: u32) -> Result<(), Error> {
    let mut played = matches.played(game)?;
    let state = matches.match_state(game);
    state.claim_timeout(&mut played, now())?;
    matches.finish(game, &played, state)
}

pub fn offer_draw(matches: &mut Matches, game: u32) -> Result<(), Error> {
    let mut played = matches.played(game)?;
    let mut state = matches.match_state(game);
    let by = caller();
    if state.offer_draw(&mut played, by, now())? {
        return matches.finish(game, &played, state);
    }
    matches.store_match(game, &state);
    emit_with(DrawOffered { game, by }, &about(game, by));
    Ok(())
}

pub fn accept_draw(matches: &mut Matches, game: u32) -> Result<(), Error> {
    let mut played = matches.played(game)?;
    let mut state = matches.match_state(game);
    state.accept_draw(&mut played, caller(), now())?;
    matches.finish(game, &played, state)
}

pub fn decline_draw(matches: &mut Matches, game: u32) -> Result<(), Error> {
    let played = matches.played(game)?;
    let mut state = matches.match_state(game);
    let by = caller();
    state.decline_draw(&played, by, now())?;
    matches.store_match(game, &state);
    emit_with(DrawDeclined { game, by }, &about(game, by));
    Ok(())
}

pub fn offer_rematch(matches: &mut Matches, game: u32) -> Result<Option<u32>, Error> {
    let played = matches.played(game)?;
    let mut state = matches.match_state(game);
    let by = caller();
    if state.offer_rematch(&played, by, paid())? {
        return matches.rematch(game, &played, state).map(Some);
    }
    matches.store_match(game, &state);
    emit_with(RematchOffered { game, by }, &about(game, by));
    Ok(None)
}

pub fn accept_rematch(matches: &mut Matches, game: u32) -> Result<u32, Error> {
    let played = matches.played(game)?;
    let mut state = matches.match_state(game);
    state.accept_rematch(&played, caller(), paid())?;
    matches.rematch(game, &played, state)
}

pub fn decline_rematch(matches: &mut Matches, game: u32) -> Result<(), Error> {
    let played = matches.played(game)?;
    let mut state = matches.match_state(game);
    let by = caller();
    let offered_by = played.account_of(state.decline_rematch(&played, by)?);
    matches.store_match(game, &state);
    return_stake(&mut matches.credits, game, by, offered_by, state.stake)
}

pub fn settle(matches: &mut Matches, game: u32, payee: Option<&mut Payee>) -> Result<(), Error> {
    let played = matches.played(game)?;
    let mut state = matches.match_state(game);
    matches.share_out(game, &played, &mut state, payee)?;
    matches.store_match(game, &state);
    Ok(())
}

pub fn withdraw_to(
    matches: &mut Matches,
    games: &Numbers,
    receiver: Address,
) -> Result<u128, Error> {
    if receiver == Address::default() {
        return Err(Error::NoReceiver);
    }
    // Taken before the payment leaves. An error below reverts this.
    let owner = caller();
    let mut payee = Payee {
        account: owner,
        owed: matches.credits.take(owner).unwrap_or_default(),
    };
    for game in games.iter() {
        match settle(matches, game, Some(&mut payee)) {
            Err(Error::NoSuchGame) => {}
            result => settled(result)?,
        }
    }
    pay_owed(owner, receiver, payee.owed)
}

pub fn free(matches: &mut Matches, game: u32) -> Result<(), Error> {
    let played = matches.played(game)?;
    if !played.is_over() {
        return Err(Error::GameNotOver);
    }
    let payer = caller();
    if played.payer() != payer {
        return Err(Error::NotPayer);
    }
    let mut state = matches.match_state(game);
    settled(matches.share_out(game, &played, &mut state, None))?;
    if let Some(player) = state.rematch {
        let offered_by = played.account_of(player);
        return_stake(&mut matches.credits, game, payer, offered_by, state.stake)?;
    }
    matches.matches.remove(game);
    ask(matches.root.games, &Remove { game })?;
    emit_with(GameFreed { game, payer }, &about(game, payer));
    Ok(())
}

/// Ends the call by itself: with its buffer in the frame of all messages, these would take more
/// stack than there is.
#[inline(never)]
pub fn open_challenges(
    matches: &Matches,
    from: Option<u32>,
    limit: u8,
) -> Result<Encoded<Page, PAGE>, Error> {
    let limit = limit.clamp(1, Page::MAX_LEN);
    let mut bytes = Bytes::new();
    let mut next = from.or(matches.root.newest);
    let mut result = Ok(());
    let challenges = (0..limit).map_while(|_| {
        let challenge = next?;
        match matches.open(challenge) {
            Ok(open) => {
                next = open.older;
                Some((challenge, open.challenge))
            }
            Err(error) => {
                result = Err(error);
                None
            }
        }
    });
    bytes.list(challenges, |bytes, challenge| challenge.encode_to(bytes));
    next.encode_to(&mut bytes);
    end_in::<_, PAGE>(result.map(|()| Encoded::new(bytes)))
}

impl Matches {
    pub(crate) fn open(&self, challenge: u32) -> Result<Open, Error> {
        match self.challenges.get(challenge) {
            Some(Item(open)) => Ok(open),
            None => Err(Error::NoSuchChallenge),
        }
    }

    /// The game, from its contract.
    #[inline(never)]
    pub(crate) fn played(&self, game: u32) -> Result<Game, Error> {
        ask(self.root.games, &ReadGame { game })
    }

    #[inline(never)]
    pub(crate) fn match_state(&self, game: u32) -> Match {
        match self.matches.get(game) {
            Some(Item(state)) => state,
            None => Match::default(),
        }
    }

    pub(crate) fn credit_of_account(&self, account: Address) -> u128 {
        self.credits.get(account).unwrap_or_default()
    }

    /// Writes the root cell, which a call that ends with its answer does not write by itself.
    fn save(&self) {
        ink::env::set_contract_storage(&<Self as StorageKey>::KEY, self);
    }

    /// Changes the links of an open challenge.
    fn link(&mut self, challenge: Option<u32>, change: impl FnOnce(&mut Open)) {
        let Some(number) = challenge else {
            return;
        };
        if let Some(Item(mut open)) = self.challenges.get(number) {
            change(&mut open);
            self.challenges.insert(number, &Item(open));
        }
    }

    #[inline(never)]
    fn close(&mut self, challenge: u32, open: &Open) {
        self.challenges.remove(challenge);
        self.link(open.older, |older| older.newer = open.newer);
        self.link(open.newer, |newer| newer.older = open.older);
        if open.newer.is_none() {
            self.root.newest = open.older;
            self.save();
        }
    }

    #[inline(never)]
    fn withdraw_challenge(&mut self, challenge: u32, open: &Open) -> Result<(), Error> {
        self.close(challenge, open);
        let challenger = open.challenge.challenger;
        let stake = open.challenge.terms.stake;
        self.credit(challenger, stake, None)?;
        let by = caller();
        let event = ChallengeWithdrawn {
            challenge,
            by,
            challenger,
            stake,
        };
        emit_with(event, &about(challenge, by));
        Ok(())
    }

    /// Stores the match state of a game. The default, that of a bare game, takes no storage.
    #[inline(never)]
    fn store_match(&mut self, game: u32, state: &Match) {
        if *state == Match::default() {
            self.matches.remove(game);
        } else {
            self.matches.insert(game, &Item(*state));
        }
    }

    /// Starts the game of a match that both have agreed to and paid for. The caller pays for the
    /// storage.
    #[inline(never)]
    fn start(
        &mut self,
        players: ByPlayer<Address>,
        shape: ShapeSpec,
        started: &Match,
        challenge: Option<u32>,
    ) -> Result<u32, Error> {
        let mut game = Game::start(players.one, players.two, shape)?.paid_by(caller());
        if let Some(clock) = started.clock {
            game = game.timed(clock, now());
        }
        let game = ask(self.root.games, &StartMatch { started: game })?;
        self.store_match(game, started);
        match_started(game, started, challenge);
        Ok(game)
    }

    /// Stores a game that has ended, and credits its stakes.
    #[inline(never)]
    fn finish(&mut self, game: u32, played: &Game, mut state: Match) -> Result<(), Error> {
        let ended = *played;
        ask(self.root.games, &EndMatch { game, ended })?;
        settled(self.share_out(game, played, &mut state, None))?;
        self.store_match(game, &state);
        Ok(())
    }

    /// Credits the stakes of a game that has ended; the share of who is paid by this call, if
    /// anybody is, to that payment.
    #[inline(never)]
    fn share_out(
        &mut self,
        game: u32,
        played: &Game,
        state: &mut Match,
        mut payee: Option<&mut Payee>,
    ) -> Result<(), Error> {
        let ByPlayer { one, two } = state.settle(played)?;
        for (player, share) in [(played.player_one(), one), (played.player_two(), two)] {
            self.credit(player, share, payee.as_deref_mut())?;
        }
        emit_with(Settled { game, one, two }, &[number(Some(game))]);
        Ok(())
    }

    /// Credits an amount. What is paid by this call anyway is not stored.
    #[inline(never)]
    fn credit(
        &mut self,
        to: Address,
        amount: u128,
        payee: Option<&mut Payee>,
    ) -> Result<(), Error> {
        if amount == 0 {
            return Ok(());
        }
        match payee {
            Some(payee) if payee.account == to => {
                payee.owed = payee.owed.checked_add(amount).ok_or(Error::StakeTooLarge)?;
                credited(to, amount);
                Ok(())
            }
            _ => credit(&mut self.credits, to, amount),
        }
    }

    /// Starts the rematch of a game that both have agreed to and paid for.
    #[inline(never)]
    fn rematch(&mut self, game: u32, played: &Game, mut state: Match) -> Result<u32, Error> {
        let (started, players) = state.rematch_of(played, game);
        let next = self.start(players, played.shape().into(), &started, None)?;
        state.next = Some(next);
        self.store_match(game, &state);
        Ok(next)
    }
}

/// Account that is paid by a call, and what it is owed so far.
pub struct Payee {
    account: Address,
    owed: u128,
}

/// Takes a game without unsettled stakes for a settled one.
fn settled(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(Error::NothingToSettle) => Ok(()),
        result => result,
    }
}

/// Emits the start of a match with this game.
#[inline(never)]
fn match_started(game: u32, started: &Match, challenge: Option<u32>) {
    let event = MatchStarted {
        game,
        challenge,
        previous: started.previous,
        clock: started.clock,
        stake: started.stake,
    };
    let topics = [Some(game), challenge, started.previous].map(number);
    emit_with(event, &topics);
}

/// Credits the stake of a rematch that does not start to the player who offered it.
#[inline(never)]
fn return_stake<Key: StorageKey>(
    credits: &mut Credits<Key>,
    game: u32,
    by: Address,
    offered_by: Address,
    stake: u128,
) -> Result<(), Error> {
    credit(credits, offered_by, stake)?;
    let event = RematchDeclined {
        game,
        by,
        offered_by,
        stake,
    };
    emit_with(event, &about(game, by));
    Ok(())
}
