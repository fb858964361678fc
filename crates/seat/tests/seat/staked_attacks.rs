//! What an opponent, a node or a wrong clock can try in a game with a stake, each by an example.

use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{
    Evidence, GameNumber, Kind, Moves, Native, Party, StakedGame, Terms,
};
use connect4_protocol::{Address, End, Error};
use connect4_rules::{Bin, ByPlayer, Player as Side, Shape};
use connect4_seat::{
    Call, Command, GameOffer, Input, Message, OFFER_STANDS, Output, Player, PlayerError, Progress,
    Refund, SeatError, Sight, Stage, Subject, Taker, What, Who,
};

use crate::player::{FINAL, Program, STAKE, START, World, disk, offer, taker};
use crate::staked_world::{DOMAIN, Stakes};
use crate::world::{account, key};

/// A clock that was an hour ahead when something had to be done kept it back for as long.
#[test]
fn a_clock_that_was_ahead_once_keeps_nothing_back() {
    for has_relay in [true, false] {
        let mut world = World::begun();
        world.play(&[0, 1, 0, 1, 0, 1]);
        let hour = world.now + 3_600;
        world.tell(Side::One, Input::Time(hour));
        // With a relay the loser agrees at once, and that is to be brought. Without one its agreement is waited for.
        world.has_relay = has_relay;
        world.play(&[0]);
        // What was sent is lost.
        world.sent.clear();
        world.block();
        world.blocks(2);
        let game = world.chain.game.expect("it has begun");
        assert_eq!(game.game.game.winner(), Some(Side::One), "{has_relay}");
    }
}

/// The opponent is late, and has a line then. An older block shows the game before that, and the machine's clock is slow.
#[test]
fn a_game_that_is_won_on_time_is_not_given_up_by_an_old_block() {
    for is_older in [true, false] {
        let mut world = World::begun();
        world.play(&[0, 1, 0, 1, 2, 1, 3]);
        let number = world.program(Side::One).number();
        let old = world.chain.sight(Side::One, number, world.now);
        world.command(Side::One, Command::Press).expect("it waits");
        world.block();
        world.has_relay = false;
        world.play(&[1]);
        let (_, line) = world.mail.pop().expect("it has a line");
        world.now += 400;
        let late = world.chain.sight(Side::One, number, world.now);
        world.restart(Side::One);
        let program = world.program(Side::One);
        let mut tell = |sight: &Sight, is_final| {
            let sight = sight.clone();
            let seen = program.step(Input::Block { sight, is_final });
            seen.expect("its game");
        };
        tell(&late, true);
        let shown = Sight {
            time: if is_older { old.time } else { late.time },
            ..old
        };
        tell(&shown, false);
        world.tell(Side::One, Input::Message(line));
        let resignations = world.program(Side::One).journal().resignations;
        assert_eq!(resignations.one, None, "is older: {is_older}");
        // What it has sent before is lost.
        world.blocks(4);
        assert_eq!(world.end(), Some((Some(Side::One), End::Timeout)));
    }
}

/// An offer ended by a clock that was set forward after the newest block, so that the opponent could accept for an hour.
#[test]
fn a_clock_that_was_set_since_the_newest_block_offers_no_draw() {
    let mut world = World::begun();
    world.play(&[0]);
    for (by, is_right) in [(3_600, false), (-3_600, false), (61, false), (60, true)] {
        let now = world.now.saturating_add_signed(by);
        world.tell(Side::One, Input::Time(now));
        let offered = world.command(Side::One, Command::OfferDraw);
        match is_right {
            true => assert_eq!(offered, Ok(())),
            false => assert_eq!(offered, Err(SeatError::ClocksDiffer(by).into())),
        }
    }
}

fn offer_of(world: &World, by: Side, bins: &[u8], until: u64) -> Message {
    let subject = Subject::staked(&offer().complete(&taker()), DOMAIN, &key(by)).expect("terms");
    let moves = connect4_protocol::signed::Moves::from_bins(bins).expect("few");
    assert!(until >= world.now);
    Message::Draw(Offer {
        by,
        until,
        moves,
        signature: subject.sign(&key(by), Kind::Draw { until }, &moves),
    })
}

/// The opponent signs two moves for one turn, and brings the one that wins, while the player thinks on top of the other one.
#[test]
fn who_can_contest_a_line_is_told_that_and_until_when() {
    let mut world = World::begun();
    world.play(&[0, 1, 0, 1, 0, 1, 2]);
    let subject = Subject::staked(&offer().complete(&taker()), DOMAIN, &Native).expect("terms");
    let signed = |by, bins: &[u8]| {
        let moves = Moves::from_bins(bins).expect("few");
        (subject.sign(&key(by), Kind::Position, &moves), moves)
    };
    let (one, moves) = signed(Side::One, &[0, 1, 0, 1, 0, 1, 0]);
    let (two, _) = signed(Side::Two, &[0, 1, 0, 1, 0, 1]);
    let evidence = Evidence {
        end: None,
        signatures: ByPlayer { one, two },
        moves,
    };
    let number = world.program(Side::One).number().expect("it is begun");
    let press = false;
    let line = Call::Advance { evidence, press };
    let brought = world
        .chain
        .call(Side::One, number, &line, world.now, &Native);
    brought.expect("both have signed");
    world.block();
    let deadline = world.chain.game.and_then(|game| game.game.contest);
    assert!(deadline.is_some());
    let contest = Some((Who::You, What::Contest, deadline));
    assert_eq!(world.awaited(Side::Two), contest);
    // Any move does, and this one wins.
    world.play(&[1]);
    world.blocks(4);
    assert_eq!(world.end(), Some((Some(Side::Two), End::Line)));
}

/// The opponent could accept a draw for longer than this player, by a shorter offer after a longer one.
#[test]
fn a_shorter_offer_takes_no_place_of_a_longer_one() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    for seconds in [90, 20] {
        let told = offer_of(&world, Side::Two, &[0, 1], world.now + seconds);
        world.tell(Side::One, Input::Message(told));
    }
    let until = world.now + 90;
    assert_eq!(world.program(Side::One).shown().draw, Some(until));
    let longer = offer_of(&world, Side::Two, &[0, 1], until + 1);
    world.tell(Side::One, Input::Message(longer));
    assert_eq!(world.program(Side::One).shown().draw, Some(until + 1));
}

/// The opponent could accept the draw and bring it while its agreement to the line was waited for.
#[test]
fn a_line_is_brought_at_once_while_an_own_offer_of_a_draw_stands() {
    for offers in [true, false] {
        let mut world = World::begun();
        world.play(&[0, 1, 0, 1, 0]);
        if offers {
            let offered = world.command(Side::One, Command::OfferDraw);
            offered.expect("it has moved");
        }
        world.play(&[1]);
        world.has_relay = false;
        world.play(&[0]);
        let is_brought = matches!(world.sent[..], [(Side::One, Call::Advance { .. })]);
        assert_eq!(is_brought, offers);
        world.now += OFFER_STANDS;
    }
}

#[test]
fn a_move_on_the_chain_is_refused_before_the_game() {
    let mut world = World::new();
    let refused = world.command(Side::One, Command::MoveOnChain(Bin::new(0)));
    assert_eq!(refused, Err(PlayerError::NotBegun));
}

/// Two takers of one offer, of whom one has paid: its payment was taken for that of the other one.
#[test]
fn a_block_that_shows_the_payment_of_another_taker_is_not_believed() {
    let mut world = World::new();
    let mut terms = offer().complete(&taker());
    terms.time += 1;
    let number = terms.number(&DOMAIN, &Native);
    let payment = STAKE;
    let mut other = Stakes::new();
    let paid = other.call(
        Side::Two,
        number,
        &Call::Fund { terms, payment },
        START,
        &Native,
    );
    assert_eq!(paid, Ok(()));
    for is_final in [false, true] {
        let sight = other.sight(Side::One, Some(number), START);
        let program = world.program(Side::One);
        let seen = program.step(Input::Block { sight, is_final });
        assert_eq!(seen, Err(PlayerError::OtherGame));
    }
    assert_eq!(world.program(Side::One).record().terms, None);
}

/// A node shows a game under the right number that is another one: of other accounts or keys, on another board, or for
/// another stake.
#[test]
fn a_game_that_a_node_shows_otherwise_than_by_its_terms_is_not_believed() {
    let mut world = World::begun();
    let number = world.program(Side::One).number();
    let honest = world.chain.sight(Side::One, number, world.now);
    let game = honest.game.expect("it has begun");
    let of = |change: &dyn Fn(&mut Terms)| {
        let mut terms = offer().complete(&taker());
        change(&mut terms);
        let payer = terms.players.one.account();
        let (funded, _) = StakedGame::fund(None, &terms, payer, START).expect("terms of a game");
        StakedGame {
            paid_by: None,
            ..funded
        }
    };
    let stranger = Address([9; 20]);
    let lies = [
        StakedGame {
            stake: game.stake - 1,
            ..game
        },
        of(&|terms| terms.players.two = Party::new(stranger, terms.players.two.key())),
        of(&|terms| terms.players.two = Party::new(terms.players.two.account(), stranger)),
        of(&|terms| terms.shape = Shape::CLASSROOM.into()),
        of(&|terms| terms.pie_rule = true),
    ];
    for lie in lies {
        for is_final in [false, true] {
            let sight = Sight {
                game: Some(lie),
                ..honest.clone()
            };
            let seen = world
                .program(Side::One)
                .step(Input::Block { sight, is_final });
            assert_eq!(seen, Err(PlayerError::OtherGame), "{lie:?}");
        }
    }
    assert_eq!(of(&|_| {}).game.keys, game.game.keys);
}

/// An offer names the account that alone can take it.
#[test]
fn an_offer_for_one_account_is_taken_by_no_other() {
    for (only, is_taken) in [(account(Side::Two), true), (Address([9; 20]), false)] {
        let offer = GameOffer {
            taker: Some(only),
            ..offer()
        };
        let one = Player::offer(
            DOMAIN,
            key(Side::One),
            disk(Side::One),
            offer.clone(),
            START,
        );
        let terms = offer.complete(&taker());
        let told = Input::Message(Message::Taken(terms));
        let said = one.expect("it is offered").step(told);
        assert_eq!(said.is_ok(), is_taken);
        let own = disk(Side::Two);
        let taken = Player::take(DOMAIN, key(Side::Two), own, (offer, &taker()), START);
        assert_eq!(taken.is_ok(), is_taken);
    }
}

fn of(time: u64) -> Terms {
    let taker = Taker { time, ..taker() };
    offer().complete(&taker)
}

/// Shows player one a block, final and newest: of the games that it can look for the chain has none but this one.
fn see(one: &mut Program, chain: &Stakes, number: GameNumber, time: u64) {
    for is_final in [false, true] {
        let looks = one.number();
        let mut sight = chain.sight(Side::One, looks, time);
        if looks != Some(number) {
            sight.game = None;
        }
        let seen = one.step(Input::Block { sight, is_final });
        seen.expect("its game");
    }
}

/// Somebody says that the offer is taken: it has ended if another taker has paid.
fn say_taken(one: &mut Program, taken: Terms) {
    let paid = one.record().terms;
    let said = one.step(Input::Message(Message::Taken(taken)));
    match paid {
        Some(paid) if paid != taken => assert_eq!(said, Err(PlayerError::OfferOver)),
        _ => assert!(said.is_ok(), "{said:?}"),
    }
}

/// Anybody can say that the offer is taken, with many terms: the taker who has paid was forgotten for each. Once it is
/// found, the others are told that the offer has ended, so that none of them pays.
#[test]
fn a_taker_who_has_paid_is_found_among_many_who_have_not() {
    let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), offer(), START);
    let mut one = one.expect("it is offered");
    let terms = of(START);
    let number = terms.number(&DOMAIN, &Native);
    let mut chain = Stakes::new();
    for block in 0..30 {
        for earlier in [3, 0, 1, 5, 2, 4] {
            say_taken(&mut one, of(START - earlier));
        }
        // The payment comes after a while.
        if block == 4 {
            let payment = STAKE;
            let fund = Call::Fund { terms, payment };
            let paid = chain.call(Side::Two, number, &fund, START, &Native);
            assert_eq!(paid, Ok(()));
        }
        see(&mut one, &chain, number, START + block);
    }
    assert_eq!(one.record().terms, Some(terms));
}

/// As an offer stays on the list, anybody can say in each block with more terms than are remembered that it is taken.
#[test]
fn a_payment_that_a_block_shows_is_found_among_more_takers_than_are_remembered() {
    let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), offer(), START);
    let mut one = one.expect("it is offered");
    let terms = of(START);
    let number = terms.number(&DOMAIN, &Native);
    let mut chain = Stakes::new();
    let (payment, mut told) = (STAKE, 0);
    for block in 0..8 {
        for _ in 0..20 {
            told += 1;
            say_taken(&mut one, of(START - told));
        }
        if block == 4 {
            let fund = Call::Fund { terms, payment };
            let paid = chain.call(Side::Two, number, &fund, START, &Native);
            assert_eq!(paid, Ok(()));
            one.step(Input::Paid(terms)).expect("its offer");
        }
        see(&mut one, &chain, number, START + block);
    }
    assert_eq!(one.record().terms, Some(terms));
}

/// Of two who have paid the first one asks for its stake back, as what many others say pushes the second one out. That
/// was the attack: the second was forgotten, and its stake lay there until the end of the offer.
#[test]
fn a_payment_is_not_forgotten_for_what_others_say() {
    let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), offer(), START);
    let mut one = one.expect("it is offered");
    let [first, second] = [of(START - 1), of(START)];
    let number = second.number(&DOMAIN, &Native);
    let [mut of_first, mut chain] = [Stakes::new(), Stakes::new()];
    for (terms, stakes) in [(first, &mut of_first), (second, &mut chain)] {
        let fund = Call::Fund {
            terms,
            payment: STAKE,
        };
        let number = terms.number(&DOMAIN, &Native);
        let paid = stakes.call(Side::Two, number, &fund, START, &Native);
        assert_eq!(paid, Ok(()));
    }
    one.step(Input::Paid(first)).expect("its offer");
    // The newest block has the payment, and no final one yet.
    let sight = of_first.sight(Side::One, one.number(), START);
    let is_final = false;
    one.step(Input::Block { sight, is_final }).expect("a block");
    one.step(Input::Paid(second)).expect("its offer");
    for earlier in 2..40 {
        say_taken(&mut one, of(START - earlier));
    }
    // From here on the first payment is gone.
    for block in 1..40 {
        see(&mut one, &chain, number, START + block);
    }
    assert_eq!(one.record().terms, Some(second));
}

/// Two who say that they have taken the offer, and do not pay, had the chain asked for one and for the other without end.
#[test]
fn a_block_turns_to_one_other_taker_at_most() {
    let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), offer(), START);
    let mut one = one.expect("it is offered");
    for earlier in 0..3 {
        let told = Message::Taken(of(START - earlier));
        one.step(Input::Message(told)).expect("its offer");
    }
    let chain = Stakes::new();
    let mut looked_for = Vec::new();
    for time in [0, 0, 0, 6, 6, 12] {
        looked_for.push(one.number());
        let sight = chain.sight(Side::One, one.number(), START + time);
        let is_final = false;
        one.step(Input::Block { sight, is_final })
            .expect("its game");
    }
    let numbers = [0, 1, 2].map(|earlier| Some(of(START - earlier).number(&DOMAIN, &Native)));
    let [first, second, third] = numbers;
    assert_eq!(looked_for, [first, second, second, second, third, third]);
}

/// A node shows once, in a final block, that both have paid: the stake of the taker was never asked back.
#[test]
fn a_stake_is_asked_back_though_a_final_block_has_had_both() {
    for has_ended in [false, true] {
        let mut world = World::new();
        // Player one never pays.
        for _ in 0..4 {
            world.block();
            world.sent.retain(|(side, _)| *side == Side::Two);
        }
        let number = world.program(Side::Two).number();
        let mut lie = world.chain.sight(Side::Two, number, world.now);
        let game = lie.game.as_mut().expect("player two has paid");
        game.paid_by = None;
        if has_ended {
            let resigned = game.resign(account(Side::Two));
            resigned.expect("it goes on");
        }
        for is_final in [true, false] {
            let sight = lie.clone();
            world.tell(Side::Two, Input::Block { sight, is_final });
        }
        let progress = world.program(Side::Two).record().progress;
        let is_begun = matches!(progress, Progress::Begun | Progress::Ended(_));
        assert!(is_begun, "{progress:?}");
        world.block();
        let shown = world.program(Side::Two).shown();
        assert_eq!(shown.stage, Stage::Funding, "{shown:?}");
        // By itself, once nobody can pay in time any more.
        world.now = offer().until + 700;
        for _ in 0..4 {
            world.block();
            world.sent.retain(|(side, _)| *side == Side::Two);
        }
        assert_eq!((world.chain.game, world.chain.spent.two), (None, 0));
        // It is not paid a second time: what was signed in the game meanwhile could be brought to another one.
        world.restart(Side::Two);
        world.blocks(3);
        assert!(world.sent.iter().all(|(side, _)| *side == Side::One));
    }
}

/// Terms that nobody can pay for a minute later would cost a fee.
#[test]
fn terms_for_which_the_time_to_pay_is_nearly_over_are_not_taken() {
    let day = u64::from(StakedGame::FUNDED);
    for (time, is_taken) in [(START - day + 600, true), (START - day + 599, false)] {
        let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), offer(), START);
        let mut one = one.expect("it is offered");
        let said = one.step(Input::Message(Message::Taken(of(time))));
        assert_eq!(said.is_ok(), is_taken);
    }
}

/// The stake of a taker whom nobody answers waits no longer than the contract takes the other one.
#[test]
fn a_stake_does_not_wait_until_the_end_of_a_long_offer() {
    let long = GameOffer {
        until: START + 30 * 86_400,
        ..offer()
    };
    let own = disk(Side::Two);
    let taken = Player::take(DOMAIN, key(Side::Two), own, (long, &taker()), START);
    let (mut two, _) = taken.expect("it is taken");
    let number = two.number();
    let mut chain = Stakes::new();
    let payment = STAKE;
    let fund = Call::Fund {
        terms: of(START),
        payment,
    };
    let paid = chain.call(Side::Two, number.expect("terms"), &fund, START, &Native);
    assert_eq!(paid, Ok(()));
    let mut see = |time| {
        let sight = chain.sight(Side::Two, number, time);
        let is_final = false;
        let done = two.step(Input::Block { sight, is_final });
        done.expect("its game") == [Output::Call(Call::Refund)]
    };
    assert_eq!([see(START + 87_000), see(START + 87_001)], [false, true]);
}

/// A program that was away for longer than the contract has the game.
#[test]
fn a_game_that_was_freed_is_not_paid_for_again() {
    let mut world = World::begun();
    world.play(&[0, 1, 0, 1, 0, 1, 0]);
    world.blocks(4);
    let over = Some((Some(Side::One), End::Line));
    assert_eq!(world.end(), over);
    world.blocks(3);
    world.chain.game = None;
    for side in Side::ALL {
        world.restart(side);
    }
    world.blocks(8);
    assert!(world.sent.is_empty() && world.chain.game.is_none());
    for side in Side::ALL {
        let shown = world.program(side).shown();
        assert_eq!((shown.stage, shown.awaited), (Stage::Over, None));
        let game = shown.game.expect("it is remembered");
        assert_eq!(game.winner(), Some(Side::One));
        let until = world.now + 60;
        assert!(world.program(side).rematch(until, 1).is_ok());
    }
}

/// The taker pays, and has its stake back before the other payment: the player who offers was told to have paid, and then
/// that both have, for ever.
#[test]
fn a_taker_who_pays_and_has_it_back_leaves_no_one_waiting() {
    let mut world = World::new();
    while world.program(Side::One).record().terms.is_none() {
        world.block();
    }
    let payment = std::mem::take(&mut world.sent);
    assert!(matches!(payment[..], [(Side::One, Call::Fund { .. })]));
    let asked = world.command(Side::Two, Command::Refund);
    assert_eq!(asked, Ok(()));
    world.blocks(FINAL + 1);
    assert_eq!((world.chain.game, world.chain.spent.one), (None, 0));
    let shown = world.program(Side::One).shown();
    assert_eq!(shown.stage, Stage::Offered, "{shown:?}");
    let (of, what, last) = world.awaited(Side::One).expect("it can pay again");
    assert_eq!((of, what), (Who::Opponent, What::Payment));
    world.now = last.expect("its time ends");
    world.block();
    assert_eq!(world.program(Side::One).shown().stage, Stage::NoGame);
}

/// A taker whose payment comes into no block, as its account has too little, was told to have paid.
#[test]
fn a_taker_who_cannot_pay_is_not_said_to_have_paid() {
    let mut world = World::new();
    world.block();
    world.sent.clear();
    let until = offer().until;
    world.now = until;
    world.block();
    world.sent.clear();
    let (of, what, last) = world.awaited(Side::Two).expect("it may be on its way");
    assert_eq!((of, what), (Who::Chain, What::Payment));
    world.now = last.expect("its time ends");
    world.block();
    assert_eq!(world.program(Side::Two).shown().stage, Stage::NoGame);
    assert_eq!(world.chain.game, None);
}

/// An opponent who has lost, and who has paid first, ends the game and frees it in one block: the winner waited for its
/// beginning, for ever.
#[test]
fn a_game_that_was_ended_and_freed_in_one_block_is_over() {
    let mut world = World::begun();
    world.play(&[0, 1]);
    world.chain.game = None;
    world.chain.owed.one = 2 * STAKE;
    // A node that lags behind has not got the game yet: it goes on.
    world.blocks(FINAL + 2);
    for side in Side::ALL {
        assert_eq!(world.program(side).shown().stage, Stage::Playing);
    }
    world.now = START + u64::from(StakedGame::FUNDED) + 1;
    world.blocks(FINAL + 2);
    for side in Side::ALL {
        let shown = world.program(side).shown();
        assert_eq!((shown.stage, shown.awaited), (Stage::NoResult, None));
    }
    assert_eq!(world.program(Side::One).shown().owed, 2 * STAKE);
    assert!(world.sent.is_empty());
}

/// A payment that was asked back before a block had it: the game begins by it, and its moves can be signed.
#[test]
fn a_refund_is_seen_only_after_the_payment_was() {
    let mut world = World::new();
    world.blocks(1);
    let payment = std::mem::take(&mut world.sent);
    assert!(matches!(payment[..], [(Side::Two, Call::Fund { .. })]));
    let asked = world.command(Side::Two, Command::Refund);
    assert_eq!(asked, Ok(()));
    world.blocks(2);
    let refund = |world: &mut World| world.program(Side::Two).record().refund;
    assert_eq!(refund(&mut world), Refund::Asked);
    // It comes late, and is asked back then.
    world.sent = payment;
    world.blocks(3);
    assert_eq!(refund(&mut world), Refund::Seen);
    assert_eq!((world.chain.game, world.chain.spent.two), (None, 0));
}

/// What blocks have shown of the game is noted when there is place again.
#[test]
fn a_full_disk_keeps_no_transaction_back() {
    let mut world = World::begun();
    world.play(&[0, 1, 0]);
    let press = world.command(Side::One, Command::Press);
    press.expect("it waits");
    world.has_relay = false;
    world.blocks(1);
    world.program(Side::One).shelf().fill(true);
    world.now += 400;
    world.blocks(2);
    assert_eq!(world.end(), Some((Some(Side::One), End::Timeout)));
    world.blocks(3);
    assert_eq!(world.program(Side::One).record().progress, Progress::Begun);
    world.program(Side::One).shelf().fill(false);
    world.blocks(1);
    let progress = world.program(Side::One).record().progress;
    assert!(matches!(progress, Progress::Ended(_)), "{progress:?}");
}

/// A disc that came late, or was sent twice, was the move of another turn.
#[test]
fn a_disc_is_on_its_way_once_and_lands_where_it_was_dropped() {
    let mut world = World::begun();
    world.has_relay = false;
    let on_chain = |bin| Command::MoveOnChain(Bin::new(bin));
    assert_eq!(world.command(Side::One, on_chain(0)), Ok(()));
    let late = world.sent.pop().expect("it is sent");
    world.block();
    assert_eq!(world.sent, []);
    // While it may land, and also after it may be lost, no other one is sent on this board, whatever is forgotten.
    for _ in 0..2 {
        let again = world.command(Side::One, on_chain(0));
        assert_eq!(again, Err(PlayerError::OnItsWay));
        let other = world.command(Side::One, on_chain(3));
        assert_eq!(other, Err(SeatError::Bound(0).into()));
        world.restart(Side::One);
        world.block();
        let sent = world.sent.pop();
        assert!(sent.is_some_and(|sent| sent == late));
    }
    // It is sent again by itself after a while, as nothing else can be done there.
    world.block();
    assert_eq!(world.sent, []);
    let awaited = Some((Who::Program, What::Bring, None));
    assert_eq!(world.awaited(Side::One), awaited);
    world.block();
    assert_eq!(world.sent.last(), Some(&late));
    world.block();
    assert_eq!(world.command(Side::Two, on_chain(1)), Ok(()));
    world.block();
    // The first one lands after both have moved.
    let turns = |world: &World| world.chain.game.map(|game| game.game.game.turns());
    world.sent.push(late);
    world.block();
    assert_eq!(turns(&world), Some(2));
    assert_eq!(world.command(Side::One, on_chain(3)), Ok(()));
    world.block();
    assert_eq!(turns(&world), Some(3));
}

/// A node shows a disc of the opponent that is not there, and the answer to it is lost. Then the opponent makes that very
/// disc, starts no clock and is silent: the player could make no other move, and waited for the answer.
#[test]
fn an_answer_to_a_false_disc_is_sent_again_once_that_comes_true() {
    let mut world = World::begun();
    world.play(&[0]);
    let number = world.program(Side::One).number();
    let mut sight = world.chain.sight(Side::One, number, world.now);
    let shown = sight.game.as_mut().expect("it has begun");
    for (side, bin) in [(Side::One, 0), (Side::Two, 3)] {
        let dropped = shown.game.drop(account(side), Bin::new(bin), world.now);
        dropped.expect("legal");
    }
    let is_final = false;
    world.tell(Side::One, Input::Block { sight, is_final });
    let answer = world.command(Side::One, Command::MoveOnChain(Bin::new(4)));
    assert_eq!(answer, Ok(()));
    let lost = std::mem::take(&mut world.sent);
    world.has_relay = false;
    world.block();
    // It can't land on the board that is there.
    assert_eq!((world.sent.len(), lost.len()), (0, 1));
    world.play(&[3]);
    let Some((Side::One, Message::Evidence(move_of_two))) = world.mail.pop() else {
        panic!("it is sent");
    };
    let evidence = move_of_two;
    let press = false;
    let brought = Call::Advance { evidence, press };
    world.sent.push((Side::Two, brought));
    let mut stands = Vec::new();
    for _ in 0..4 {
        world.block();
        let game = world.chain.game.expect("it has begun").game;
        stands.push((game.game.turns(), game.clock.is_some()));
    }
    assert_eq!((stands[0], stands[3]), ((2, false), (3, true)));
}

/// A disc that is lost while a clock runs is sent again in time, and none once the time is over.
#[test]
fn a_disc_is_sent_until_the_time_is_over() {
    let mut world = World::begun();
    world.play(&[0]);
    world.command(Side::One, Command::Press).expect("it waits");
    world.block();
    world.has_relay = false;
    let on_chain = |bin| Command::MoveOnChain(Bin::new(bin));
    assert_eq!(world.command(Side::Two, on_chain(1)), Ok(()));
    let disc = world.sent.pop();
    world.blocks(2);
    assert_eq!(world.sent.pop(), disc);
    let deadline = world.chain.game.and_then(|game| game.game.deadline());
    world.now = deadline.expect("its clock runs");
    world.block();
    for _ in 0..4 {
        // Nobody claims, and what was sent before a block had told the time is lost.
        world.sent.clear();
        world.block();
        assert!(world.sent.iter().all(|(side, _)| *side == Side::One));
    }
    let late = world.command(Side::Two, on_chain(1));
    assert_eq!(late, Err(SeatError::Refused(Error::OutOfTime).into()));
}

/// Nothing is bound by a move that can't be made.
#[test]
fn a_disc_that_was_refused_binds_nothing() {
    let mut world = World::begun();
    let on_chain = |bin| Command::MoveOnChain(Bin::new(bin));
    assert!(world.command(Side::One, on_chain(9)).is_err());
    assert!(world.command(Side::Two, on_chain(1)).is_err());
    assert_eq!(world.program(Side::One).record().dropped, []);
    assert_eq!(world.command(Side::One, on_chain(2)), Ok(()));
}

#[test]
fn a_block_that_is_older_than_the_last_final_one_is_not_looked_at() {
    let mut world = World::begun();
    let number = world.program(Side::One).number();
    let now = world.now;
    for (time, is_final, newest) in [
        (now + 60, true, now + 60),
        (now + 59, false, now + 60),
        (now + 59, true, now + 60),
        (now + 61, false, now + 61),
    ] {
        let sight = world.chain.sight(Side::One, number, time);
        world.tell(Side::One, Input::Block { sight, is_final });
        let known = world.program(Side::One).known();
        let times =
            [&known.newest, &known.last_final].map(|sight| sight.as_ref().map(|sight| sight.time));
        assert_eq!(times, [Some(newest), Some(now + 60)]);
    }
}
