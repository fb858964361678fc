//! What the messages do. A message ends the call with its answer, so that each is a function here.

use connect4_contract::{
    Chain, about, account, caller, code_hash, domain, emit_with,
    funds::{credit, match_started, pay_owed, return_stake},
    hash_of_code, is_marked, mark, now, number, paid,
    records::Item,
};
use connect4_protocol::{
    Address, Error, Match,
    event::{
        Advanced, ClockPressed, DiscDropped, GameEnded, GameFreed, GameStarted, RematchOffered,
        SessionKeysNamed, Settled,
    },
    fast::{Agreed, ByTerms, Ending, Evidence, FIRST, FastGame, GameNumber, GameTerms},
};
use connect4_rules::{Bin, ByPlayer, Dropped};
use ink::storage::traits::StorageKey;

use crate::{fast::Fast, records::Played};

/// Hash of the code of the contract of the records. It was built before this one, and is trusted with the
/// signatures that start a game: its code is the same for everybody who deploys it.
#[allow(
    long_running_const_eval,
    reason = "it hashes 20 kB when it is compiled, in a second"
)]
const RECORDS: [u8; 32] = hash_of_code(include_bytes!("../../artifacts/connect4_records.polkavm"));

#[inline(never)]
pub fn start(games: &mut Fast, agreed: &Agreed) -> Result<u32, Error> {
    if caller() != games.root.referee {
        return Err(Error::NotReferee);
    }
    let state = Match {
        stake: paid() / 2,
        clock: agreed.clock,
        ..Match::default()
    };
    Ok(games.begin(FastGame::start(agreed)?, state))
}

#[inline(never)]
pub fn start_by_terms(games: &mut Fast, agreed: &Agreed, by_terms: &ByTerms) -> Result<u32, Error> {
    if code_hash(caller()) != RECORDS {
        return Err(Error::NotReferee);
    }
    let number = &by_terms.number.0;
    if is_marked(number) {
        return Err(Error::TermsUsed);
    }
    let mut fast = FastGame::start(agreed)?;
    fast.by_terms = Some(*by_terms);
    let state = Match {
        clock: agreed.clock,
        ..Match::default()
    };
    let game = games.begin(fast, state);
    mark(number, &GameNumber::from(game).0);
    match_started(game, &state, None);
    Ok(game)
}

#[inline(never)]
pub fn drop_disc(games: &mut Fast, game: u32, bin: u8) -> Result<Dropped, Error> {
    let mut played = games.played(game)?;
    let player = caller();
    let turn = played.fast.game.turns();
    let dropped = played.fast.drop(player, Bin::new(bin), now())?;
    let event = DiscDropped {
        game,
        player,
        bin,
        row: dropped.row,
        turn,
        deadline: played.fast.game.deadline(),
    };
    emit_with(event, &about(game, player));
    games.keep(game, played)?;
    Ok(dropped)
}

#[inline(never)]
pub fn advance(games: &mut Fast, game: u32, press: bool, evidence: &Evidence) -> Result<(), Error> {
    let mut played = games.played(game)?;
    let replaced = played
        .fast
        .advance(game, evidence, &domain(), &Chain, now())?;
    let moves = evidence.moves;
    if replaced {
        emit_with(Advanced { game, moves }, &[number(Some(game))]);
    }
    let now_on = &played.fast.game;
    if let (Some(Ending::Press { .. }), Some(to_move), Some(deadline)) =
        (evidence.ending, now_on.to_move(), now_on.deadline())
    {
        pressed(game, now_on.account_of(to_move.opponent()), deadline);
    }
    if press {
        run_clock(game, &mut played)?;
    }
    games.keep(game, played)
}

#[inline(never)]
pub fn press(games: &mut Fast, game: u32) -> Result<u64, Error> {
    let mut played = games.played(game)?;
    let deadline = run_clock(game, &mut played)?;
    games.store(game, played);
    Ok(deadline)
}

#[inline(never)]
pub fn resign(games: &mut Fast, game: u32) -> Result<(), Error> {
    let mut played = games.played(game)?;
    played.fast.resign(caller())?;
    games.keep(game, played)
}

#[inline(never)]
pub fn claim_timeout(games: &mut Fast, game: u32) -> Result<(), Error> {
    let mut played = games.played(game)?;
    let Played { fast, state, .. } = &mut played;
    fast.claim_timeout(state, now())?;
    games.keep(game, played)
}

#[inline(never)]
pub fn offer_rematch(games: &mut Fast, game: u32, key: Address) -> Result<Option<u32>, Error> {
    let mut played = games.ended(game)?;
    let by = caller();
    let Played { fast, state, .. } = &mut played;
    has_rematch(fast)?;
    if state.offer_rematch(&fast.game, by, paid())? {
        return games.rematch(game, played, key).map(Some);
    }
    played.rematch_key = key;
    games.store(game, played);
    emit_with(RematchOffered { game, by }, &about(game, by));
    Ok(None)
}

#[inline(never)]
pub fn accept_rematch(games: &mut Fast, game: u32, key: Address) -> Result<u32, Error> {
    let mut played = games.ended(game)?;
    let Played { fast, state, .. } = &mut played;
    has_rematch(fast)?;
    state.accept_rematch(&fast.game, caller(), paid())?;
    games.rematch(game, played, key)
}

#[inline(never)]
pub fn decline_rematch(games: &mut Fast, game: u32) -> Result<(), Error> {
    let mut played = games.ended(game)?;
    let by = caller();
    let Played { fast, state, .. } = &mut played;
    let offered_by = fast.game.account_of(state.decline_rematch(&fast.game, by)?);
    let stake = state.stake;
    games.store(game, played);
    return_stake(&mut games.credits, game, by, offered_by, stake)
}

#[inline(never)]
pub fn withdraw_to(games: &mut Fast, receiver: Address) -> Result<u128, Error> {
    if receiver == Address::ZERO {
        return Err(Error::NoReceiver);
    }
    // Taken before the payment leaves. An error reverts this.
    let owner = caller();
    let owed = games.credits.take(owner).unwrap_or_default();
    pay_owed(owner, receiver, owed)
}

#[inline(never)]
pub fn free(games: &mut Fast, game: u32) -> Result<(), Error> {
    let Played { fast, state, .. } = games.ended(game)?;
    let payer = caller();
    if fast.game.payer() != payer {
        return Err(Error::NotPayer);
    }
    if let Some(player) = state.rematch {
        return_stake(
            &mut games.credits,
            game,
            payer,
            fast.game.account_of(player),
            state.stake,
        )?;
    }
    if let Some(terms) = fast.by_terms {
        // The terms could start it again.
        if now() <= terms.time.saturating_add(GameTerms::STARTS.into()) {
            return Err(Error::TermsStand);
        }
        mark(&terms.number.0, &[0; 32]);
    }
    games.games.remove(game);
    emit_with(GameFreed { game, payer }, &about(game, payer));
    Ok(())
}

impl Fast {
    #[inline(never)]
    pub(crate) fn played(&self, game: u32) -> Result<Played, Error> {
        match self.games.get(game) {
            Some(Item(played)) => Ok(played),
            None => Err(Error::NoSuchGame),
        }
    }

    /// A game that has ended for good.
    #[inline(never)]
    fn ended(&self, game: u32) -> Result<Played, Error> {
        let played = self.played(game)?;
        if played.fast.is_final() {
            Ok(played)
        } else {
            Err(Error::GameNotOver)
        }
    }

    #[inline(never)]
    fn store(&mut self, game: u32, played: Played) {
        self.games.insert(game, &Item(played));
    }

    /// Stores a game after a change. One that has ended is settled.
    #[inline(never)]
    fn keep(&mut self, game: u32, mut played: Played) -> Result<(), Error> {
        if let Some(event) = GameEnded::of(game, &played.fast.game) {
            let winner = event.winner;
            if let Some(deadline) = played.fast.contest {
                pressed(game, winner.unwrap_or_default(), deadline);
            } else {
                emit_with(event, &[number(Some(game)), account(winner)]);
                self.settle(game, &mut played)?;
            }
        }
        self.store(game, played);
        Ok(())
    }

    /// Credits the stakes of a game that has ended.
    fn settle(&mut self, game: u32, played: &mut Played) -> Result<(), Error> {
        let ended = &played.fast.game;
        let ByPlayer { one, two } = match played.state.settle(ended) {
            Err(Error::NothingToSettle) => return Ok(()),
            shares => shares?,
        };
        for (player, share) in [(ended.player_one(), one), (ended.player_two(), two)] {
            credit(&mut self.credits, player, share)?;
        }
        emit_with(Settled { game, one, two }, &[number(Some(game))]);
        Ok(())
    }

    /// Starts the rematch of a game that both have agreed to and paid for; the caller has agreed last,
    /// with this key.
    #[inline(never)]
    fn rematch(&mut self, game: u32, mut played: Played, key: Address) -> Result<u32, Error> {
        let Played {
            fast,
            state,
            rematch_key,
        } = &mut played;
        let (rematch, players) = state.rematch_of(&fast.game, game);
        let payer = caller();
        let keys = ByPlayer {
            one: key,
            two: *rematch_key,
        };
        let agreed = Agreed {
            players,
            keys: if players.one == payer {
                keys
            } else {
                keys.swapped()
            },
            payer,
            shape: fast.game.shape().into(),
            clock: state.clock,
            pie_rule: fast.pie_rule,
        };
        let next = self.begin(FastGame::start(&agreed)?, rematch);
        match_started(next, &rematch, None);
        state.next = Some(next);
        self.store(game, played);
        Ok(next)
    }

    /// Stores a new game, and emits its start.
    #[inline(never)]
    fn begin(&mut self, fast: FastGame, state: Match) -> u32 {
        let started = self.root.started;
        // The fees for this many games exceed what any account has.
        let game = FIRST.checked_add(started).expect("fewer than 2^31 games");
        self.root.started = started.wrapping_add(1);
        // A call that ends with its answer does not write the root cell by itself.
        ink::env::set_contract_storage(&<Self as StorageKey>::KEY, self);
        let event = GameStarted::of(game, &fast.game);
        let [one, two] = [event.player_one, event.player_two].map(Some).map(account);
        emit_with(event, &[number(Some(game)), one, two]);
        let ByPlayer { one, two } = fast.keys;
        let event = SessionKeysNamed {
            game,
            one,
            two,
            pie_rule: fast.pie_rule,
        };
        emit_with(event, &[number(Some(game))]);
        let rematch_key = Address::ZERO;
        let played = Played {
            fast,
            state,
            rematch_key,
        };
        self.store(game, played);
        game
    }
}

/// Whether a game can have a rematch here: that of one by signed terms is signed, too.
const fn has_rematch(fast: &FastGame) -> Result<(), Error> {
    match fast.by_terms {
        Some(_) => Err(Error::BySignature),
        None => Ok(()),
    }
}

/// Starts the clock of the player to move for the caller.
#[inline(never)]
fn run_clock(game: u32, played: &mut Played) -> Result<u64, Error> {
    let by = caller();
    let deadline = played.fast.press(by, now())?;
    pressed(game, by, deadline);
    Ok(deadline)
}

/// Emits until when the opponent of a player has to answer.
#[inline(never)]
fn pressed(game: u32, by: Address, deadline: u64) {
    let event = ClockPressed { game, by, deadline };
    emit_with(event, &about(game, by));
}
