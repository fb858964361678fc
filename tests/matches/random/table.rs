//! The contracts and the model side by side.

use connect4_protocol::message::{ChallengeCount, GameCount};
use connect4_protocol::{Challenge, End, Error, Game as Record, Match};
use connect4_rules::{Cells, Player};
use connect4_testing::dice::Dice;
use connect4_testing::local::RATIO;
use connect4_testing::world::Call as _;
use connect4_testing::{Account, ContractCall, Limits, PEOPLE, Refusal, Seen, Story, address};

use super::ledger::Ledger;
use super::seen;
use crate::call::{Answer, Call, tokens};
use crate::model::{Model, Timer};
use crate::world::World;

fn player(seat: usize) -> Player {
    Player::ALL[seat]
}

fn purses(world: &World) -> [i128; PEOPLE.len()] {
    PEOPLE.map(|who| world.balance(address(who)) as i128)
}

/// The contracts and the model, which have to agree after each call.
pub struct Table<'a> {
    world: &'a World,
    pub model: Model,
    /// Balances by the events so far.
    ledger: Ledger,
    /// What each of the people has. Nothing but a transaction changes that, so that it is read once
    /// after each.
    purses: [i128; PEOPLE.len()],
    /// What each of them had in the beginning.
    first_purses: [i128; PEOPLE.len()],
    pub seen: Seen,
    begun: u64,
    story: Story,
}

impl<'a> Table<'a> {
    pub fn new(world: &'a World, seed: u64) -> Self {
        let model = Model {
            now: world.now(),
            ..Model::default()
        };
        let first_purses = purses(world);
        Self {
            world,
            model,
            ledger: Ledger::default(),
            purses: first_purses,
            first_purses,
            seen: seen::nothing(),
            begun: world.now(),
            story: Story::new(seed),
        }
    }

    pub fn wait(&mut self, seconds: u64) {
        self.world.wait(seconds);
        self.model.now += seconds;
        self.story.tell(format_args!("      {seconds} s go by"));
    }

    /// Makes a call at the contracts and at the model. With `anyway`, a refused call is sent, too.
    pub fn call(&mut self, who: Account, call: &Call, anyway: bool) -> Result<Answer, Error> {
        self.seen.steps += 1;
        let at = self.model.now - self.begun;
        let before = self.model.clone();
        let expected = self.model.call(who, call);
        let answer = match &expected {
            Ok(Answer::Nothing) => String::new(),
            Ok(answer) => format!(": {answer:?}"),
            Err(error) => format!(": refused, {error:?}"),
        };
        let line = format_args!("{at:>5} {who} {call}{answer}");
        self.story.tell(line);

        let input = call.input(self.world);
        let name = input.name;
        let contract_call = self.world.call(who, input, call.paid());
        let output_expected = expected.as_ref().map(Answer::output);
        assert_eq!(
            self.world.local.dry_run(&contract_call).output(),
            output_expected.map_err(|error| Refusal::Because(*error)),
            "the contract answers as the model does: {expected:?}"
        );
        self.seen
            .answered(name, expected.as_ref().map(|_| ()).map_err(|error| *error));
        if expected.is_ok() || anyway {
            self.send(&contract_call, call, &expected);
            self.compare_touched(&before, who, call, &expected);
        }
        if let Ok(answer) = &expected {
            seen::look_at(&mut self.seen, &before, &self.model, who, call, answer);
        }
        expected
    }

    /// Sends a call, and checks the balance of everybody: the caller pays, the receiver is paid,
    /// and no other balance changes.
    fn send(
        &mut self,
        contract_call: &ContractCall,
        call: &Call,
        expected: &Result<Answer, Error>,
    ) {
        let who = contract_call.caller;
        self.seen.sent += 1;
        let report = self.world.local.send(contract_call, Limits::AMPLE);
        assert_eq!(report.outcome.is_ok(), expected.is_ok(), "{report:?}");
        if expected.is_err() {
            assert_eq!(report.contract_events().count(), 0, "no event");
        }
        self.ledger.read(who, &report, self.world.events(&report));
        self.ledger.compare(&self.model);
        let paid = if expected.is_ok() { call.paid() } else { 0 };
        let got = match expected {
            Ok(Answer::Amount(amount)) => *amount,
            _ => 0,
        };
        let costs = (report.fee as i128 + report.deposit) * RATIO as i128;
        let before = std::mem::replace(&mut self.purses, purses(self.world));
        for ((person, before), after) in PEOPLE.into_iter().zip(before).zip(self.purses) {
            let receiver = match *call {
                Call::WithdrawTo(_, to) => to,
                _ => who,
            };
            let mut change = 0;
            if person == who {
                change -= paid as i128 + costs;
            }
            if person == receiver {
                change += got as i128;
            }
            assert_eq!(after - before, change, "balance of {person}");
        }
        for ((person, first), now) in PEOPLE.into_iter().zip(self.first_purses).zip(self.purses) {
            assert_eq!(
                now - first,
                self.ledger.gain(person),
                "{person}, by the events"
            );
        }
    }

    /// Compares what the call could have changed.
    fn compare_touched(
        &self,
        before: &Model,
        who: Account,
        call: &Call,
        answer: &Result<Answer, Error>,
    ) {
        self.compare_funds();
        let mut games: Vec<u32> = match call {
            Call::Drop(game, _)
            | Call::Resign(game)
            | Call::ClaimTimeout(game)
            | Call::OfferDraw(game)
            | Call::AcceptDraw(game)
            | Call::DeclineDraw(game)
            | Call::OfferRematch(game, _)
            | Call::AcceptRematch(game, _)
            | Call::DeclineRematch(game)
            | Call::Settle(game)
            | Call::Free(game)
            | Call::EndMatch(game)
            | Call::Remove(game) => vec![*game],
            Call::Withdraw(games) | Call::WithdrawTo(games, _) => games.clone(),
            _ => vec![],
        };
        if before.started != self.model.started {
            games.push(before.started);
            let count = self.world.query(GameCount {});
            assert_eq!(count, self.model.started, "games");
        }
        for game in games {
            match call {
                // A move changes nothing in the match, but an offer of a draw may lapse by it.
                Call::Drop(..) if before.games.get(&game).is_some_and(|g| g.draw.is_none()) => {
                    self.compare_record(game, &self.world.game(game));
                }
                _ => self.compare_game(game),
            }
        }
        let of_challenge = match call {
            Call::Challenge { .. } => Some(before.made),
            Call::Accept(number, _)
            | Call::AcceptSeen(number, ..)
            | Call::Decline(number)
            | Call::Cancel(number) => Some(*number),
            _ => None,
        };
        if let Some(number) = of_challenge {
            let count = self.world.query(ChallengeCount {});
            assert_eq!(count, self.model.made, "challenges");
            assert_eq!(
                self.world.open_challenge(number),
                self.open_challenge(number),
                "challenge {number}"
            );
            self.compare_challenges(10);
        }
        // Credits are out of the reach of the contract of the games. What nobody should have been
        // credited, the last comparison finds.
        let in_reach = answer.is_ok() && !matches!(call, Call::Drop(..) | Call::StartGame(..));
        for person in PEOPLE {
            if person == who && in_reach || before.credit(person) != self.model.credit(person) {
                self.compare_credit(person);
            }
        }
    }

    /// Compares everything; `limit` is the size of a page of challenges.
    pub fn compare_all(&self, limit: u8) {
        self.compare_funds();
        // Also one number that does not exist.
        for game in 0..=self.model.started {
            self.compare_game(game);
        }
        for challenge in 0..=self.model.made {
            assert_eq!(
                self.world.open_challenge(challenge),
                self.open_challenge(challenge),
                "challenge {challenge}"
            );
        }
        self.compare_challenges(limit);
        for person in PEOPLE {
            self.compare_credit(person);
        }
        self.ledger.compare_state(self.world);
    }

    fn compare_funds(&self) {
        assert_eq!(
            tokens(self.world.balance(self.world.matches)),
            tokens(self.model.funds()),
            "balance of the contract"
        );
        assert_eq!(self.world.balance(self.world.games), 0);
    }

    fn compare_credit(&self, person: Account) {
        let credit = self.world.credit_of(address(person));
        assert_eq!(credit, self.model.credit(person), "credit of {person}");
    }

    fn open_challenge(&self, number: u32) -> Result<Challenge, Error> {
        let open = self.model.challenges.get(&number);
        let open = open.ok_or(Error::NoSuchChallenge)?;
        Ok(open.shown())
    }

    /// Reads all pages of the open challenges.
    fn compare_challenges(&self, limit: u8) {
        let mut listed = Vec::new();
        let mut from = None;
        loop {
            let page = self.world.open_challenges(from, limit).unwrap();
            assert!(page.challenges.len() <= usize::from(limit.clamp(1, 10)));
            listed.extend(page.challenges);
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        let open = self.model.challenges.keys().rev();
        let open = open.map(|&number| (number, self.open_challenge(number).unwrap()));
        assert_eq!(listed, open.collect::<Vec<_>>(), "the newest first");
    }

    fn compare_game(&self, number: u32) {
        let stored = self.world.game(number);
        self.compare_record(number, &stored);
        self.compare_match(number, &stored);
    }

    fn compare_record(&self, number: u32, stored: &Result<Record, Error>) {
        let Some(game) = self.model.games.get(&number) else {
            assert_eq!(*stored, Err(Error::NoSuchGame), "game {number}");
            return;
        };
        let stored = stored.unwrap();

        let actual = (
            [stored.player_one(), stored.player_two()],
            stored.payer(),
            stored.position(),
            stored.turns(),
            stored.last_mover(),
        );
        let moved_last = match game.position.plies() {
            0 => None,
            _ => Some(game.position.to_move().opponent()),
        };
        let expected = (
            game.seats.map(address),
            address(game.payer),
            game.position,
            game.position.plies(),
            moved_last,
        );
        assert_eq!(actual, expected, "game {number}");

        let lines = match game.over {
            Some((End::Line, _)) => game.position.winning_cells(),
            _ => Cells::EMPTY,
        };
        let actual = (
            stored.is_over(),
            stored.end(),
            stored.winner(),
            stored.winning_cells(),
        );
        let expected = (
            game.over.is_some(),
            game.over.map(|(end, _)| end),
            game.over.and_then(|(_, winner)| winner).map(player),
            lines,
        );
        assert_eq!(actual, expected, "how game {number} ended");

        let clock = stored
            .clock()
            .map(|clock| (clock.deadline(), clock.waiting(), clock.increment()));
        let expected = game.timer.as_ref().zip(game.clock).map(|(timer, clock)| {
            let waiting = timer.banks[1 - timer.running];
            let waiting = u32::try_from(waiting).unwrap();
            (Timer::deadline(timer), waiting, clock.increment)
        });
        assert_eq!(clock, expected, "the clock of game {number}");
        assert_eq!(stored.deadline(), game.deadline(), "game {number}");
    }

    fn compare_match(&self, number: u32, stored: &Result<Record, Error>) {
        let stored_match = self.world.match_of(number);
        let Some(game) = self.model.games.get(&number) else {
            assert_eq!(stored_match, Err(Error::NoSuchGame), "match {number}");
            return;
        };
        let stored_match = stored_match.unwrap();
        let expected = Match {
            stake: game.stake,
            settled: game.paid_out,
            clock: game.clock,
            previous: game.previous,
            next: game.next,
            score: game.score(),
            rematch: game.rematch.map(player),
            // A lapsed offer may still be stored; `draw_offer`, below, knows whether it stands.
            draw: stored_match.draw,
        };
        assert_eq!(stored_match, expected, "match {number}");
        let stored = stored.as_ref().unwrap();
        assert_eq!(
            stored_match.draw_offer(stored, self.model.now),
            game.standing_draw(self.model.now).map(player)
        );
        assert_eq!(stored_match.claim_deadline(stored), game.patience());
        assert_eq!(stored_match.pot(), game.pot());
    }

    /// Ends every game, closes every challenge, pays everybody, and frees all storage.
    pub fn clear(&mut self, dice: &mut Dice) {
        self.story.tell("      Closing time.");
        let must = |table: &mut Self, who, call| {
            table.call(who, &call, false).unwrap();
        };
        for (number, game) in self.model.games.clone() {
            if game.over.is_some() {
                continue;
            }
            match game.patience() {
                None => must(self, game.seats[0], Call::Resign(number)),
                Some(patience) => {
                    self.wait((patience + 1).saturating_sub(self.model.now));
                    must(self, Account::Eve, Call::ClaimTimeout(number));
                }
            }
        }
        for (number, open) in self.model.challenges.clone() {
            match open.to {
                Some(to) if dice.once_in(2) => must(self, to, Call::Decline(number)),
                _ => must(self, open.by, Call::Cancel(number)),
            }
        }
        let mut waiting = Vec::new();
        for (number, game) in self.model.games.clone() {
            if game.rematch.is_some() {
                must(self, dice.one_of(&game.seats), Call::DeclineRematch(number));
            }
            if game.pot() > 0 {
                match dice.below(3) {
                    0 => must(self, Account::Eve, Call::Settle(number)),
                    1 => must(self, game.payer, Call::Free(number)),
                    _ => waiting.push(number),
                }
            }
        }
        for who in PEOPLE {
            let could_get = |number: &u32| match self.model.games[number].over {
                Some((_, Some(winner))) => self.model.games[number].seats[winner] == who,
                _ => self.model.games[number].seats.contains(&who),
            };
            if self.model.credit(who) > 0 || waiting.iter().any(could_get) {
                must(self, who, Call::Withdraw(std::mem::take(&mut waiting)));
            }
        }
        assert_eq!(self.model.funds(), 0, "everything is paid out");
        self.compare_funds();
        for (number, game) in self.model.games.clone() {
            must(self, game.payer, Call::Free(number));
        }
        self.compare_all(0);
    }
}
