//! Tables by examples: opened for anyone or for named players, joined, left, closed, listed.

use connect4_protocol::Error;
use connect4_protocol::variants::event::{
    PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantStarted,
};
use connect4_rules::variant::Colour;
use connect4_testing::Account::{Alice, Bob, Charlie, Dave, Eve};
use connect4_testing::address;

use crate::call::Call::*;
use crate::games::{THREE, TWO, drop};
use crate::world::World;

#[test]
fn a_table_for_anyone_fills_up_and_the_game_starts() {
    let world = World::new();
    let opened = world.does(Alice, Open(vec![], THREE, Some(60)));
    let game = opened.number();
    let event = TableOpened {
        game,
        opener: address(Alice),
        players: vec![],
        variant: THREE,
        limit: Some(60),
    };
    assert_eq!(opened.events, [event.into()], "the opener has joined");
    assert_eq!(world.tables(), [game]);

    let joined = world.does(Bob, Join(game));
    assert_eq!(joined.returned::<u8>(), 1, "the second seat");
    let event = PlayerJoined {
        game,
        player: address(Bob),
        seat: 1,
    };
    assert_eq!(joined.events, [event.into()]);
    assert_eq!(
        world.refuses(Alice, Move(game, drop(1))),
        Error::NotStarted,
        "one is lacking"
    );
    // The time of the first move begins when the last player has joined.
    world.wait(600);
    let filled = world.does(Charlie, Join(game));
    let players = [Alice, Bob, Charlie].map(address);
    let joined = PlayerJoined {
        game,
        player: address(Charlie),
        seat: 2,
    };
    let started = VariantStarted {
        game,
        players: players.to_vec(),
        variant: THREE,
        limit: Some(60),
        deadline: Some(world.local.now() + 60),
    };
    assert_eq!(filled.events, [joined.into(), started.into()]);
    assert!(world.tables().is_empty(), "a full table is not open");
    assert_eq!(world.refuses(Dave, Join(game)), Error::AlreadyStarted);
    let stored = world.game(game).unwrap();
    let colours = players.map(|player| stored.colour_of(player));
    let [red, blue, green, _] = Colour::ALL.map(Some);
    assert_eq!(colours, [red, blue, green], "in the order of their joining");
    world.does(Alice, Move(game, drop(1)));
}

#[test]
fn a_table_for_named_players_keeps_their_seats() {
    let world = World::new();
    let players = vec![Bob, Alice, Charlie];
    let game = world.does(Alice, Open(players, THREE, None)).number();
    assert_eq!(world.refuses(Eve, Join(game)), Error::NotInvited);
    assert_eq!(world.does(Charlie, Join(game)).returned::<u8>(), 2);
    assert_eq!(world.refuses(Charlie, Join(game)), Error::AlreadyJoined);
    assert_eq!(world.refuses(Alice, Join(game)), Error::AlreadyJoined);
    // Leaving and coming back.
    world.does(Charlie, Leave(game));
    assert_eq!(world.refuses(Charlie, Leave(game)), Error::NotAPlayer);
    assert_eq!(world.refuses(Eve, Join(game)), Error::NotInvited);
    assert_eq!(world.does(Bob, Join(game)).returned::<u8>(), 0);
    assert_eq!(world.does(Charlie, Join(game)).returned::<u8>(), 2);
    assert_eq!(world.to_move(game), Bob, "named first");
}

#[test]
fn a_player_who_leaves_a_table_frees_the_seat() {
    let world = World::new();
    let game = world.does(Alice, Open(vec![], THREE, Some(60))).number();
    world.does(Bob, Join(game));
    let left = world.does(Bob, Leave(game));
    let event = PlayerLeft {
        game,
        player: address(Bob),
        late: false,
        deadline: None,
    };
    assert_eq!(left.events, [event.into()]);
    assert_eq!(left.report.deposit, 0, "the opener pays for the table");
    assert_eq!(world.tables(), [game], "still open");
    assert_eq!(world.does(Dave, Join(game)).returned::<u8>(), 1);
    assert_eq!(world.does(Bob, Join(game)).returned::<u8>(), 2);
}

#[test]
fn the_opener_closes_the_table_by_leaving_and_gets_the_deposit_back() {
    let world = World::new();
    let opened = world.does(Alice, Open(vec![], THREE, None));
    let game = opened.number();
    let deposit = opened.report.deposit;
    assert!(deposit > 0);
    assert_eq!(world.does(Bob, Join(game)).report.deposit, 0);
    assert_eq!(world.refuses(Alice, Free(game)), Error::NotStarted);
    let closed = world.does(Alice, Leave(game));
    let event = TableClosed {
        game,
        opener: address(Alice),
    };
    assert_eq!(closed.events, [event.into()]);
    // The pallet rounds by up to one of the smallest unit.
    assert!((closed.report.deposit + deposit).abs() <= 1);
    assert_eq!(world.game(game), Err(Error::NoSuchGame));
    assert_eq!(world.refuses(Bob, Leave(game)), Error::NoSuchGame);
    assert!(world.tables().is_empty());
    let next = world.does(Alice, Open(vec![], THREE, None)).number();
    assert_eq!(next, game + 1, "numbers are not used again");
}

/// Tables leave the list in the middle and at both ends; the pages go on to their neighbours.
#[test]
fn open_tables_are_listed_in_pages_the_newest_first() {
    let world = World::new();
    assert_eq!(world.open_tables(None, 1).unwrap().next, None);
    for _ in 0..7 {
        world.does(Alice, Open(vec![], TWO, None));
    }
    // A game that starts at once is not in the list.
    world.starts(&[Alice, Bob], TWO);
    let page = |from, limit| {
        let page = world.open_tables(from, limit).unwrap();
        let numbers: Vec<u32> = page.tables.iter().map(|(number, _)| *number).collect();
        (numbers, page.next)
    };
    assert_eq!(page(None, 3), (vec![6, 5, 4], Some(3)));
    assert_eq!(page(Some(3), 3), (vec![3, 2, 1], Some(0)));
    assert_eq!(page(Some(0), 3), (vec![0], None));
    assert_eq!(page(None, 0), (vec![6], Some(5)), "at least one");
    assert_eq!(page(None, 255), (vec![6, 5, 4, 3, 2, 1, 0], None));

    world.does(Bob, Join(3));
    assert_eq!(page(None, 9), (vec![6, 5, 4, 2, 1, 0], None));
    world.does(Alice, Leave(6));
    world.does(Alice, Leave(0));
    assert_eq!(page(None, 9), (vec![5, 4, 2, 1], None));
    world.does(Bob, Join(4));
    world.does(Bob, Join(2));
    assert_eq!(page(None, 9), (vec![5, 1], None));
    for gone in [0, 2, 3, 6, 7, 99] {
        let answer = world.open_tables(Some(gone), 9);
        assert_eq!(answer, Err(Error::NoSuchGame), "table {gone}");
    }
    world.does(Bob, Join(5));
    world.does(Bob, Join(1));
    assert_eq!(page(None, 9), (vec![], None));
    world.does(Alice, Open(vec![], TWO, None));
    assert_eq!(page(None, 9), (vec![8], None));
}

/// No call but opening and removing moves a deposit, even where links between tables change.
#[test]
fn a_page_of_fifty_tables_is_read_at_once() {
    let world = World::new();
    let deposits: Vec<i128> = (0..52)
        .map(|_| world.does(Alice, Open(vec![], TWO, None)).report.deposit)
        .collect();
    assert!(deposits.iter().all(|&deposit| deposit == deposits[0]));
    let page = world.open_tables(None, u8::MAX).unwrap();
    assert_eq!((page.tables.len(), page.next), (50, Some(1)));
    assert_eq!(world.does(Bob, Join(25)).report.deposit, 0);
    assert_eq!(world.does(Bob, Join(51)).report.deposit, 0);
}
