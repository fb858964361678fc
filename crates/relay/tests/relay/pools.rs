//! Pools: which games are sought in them, and by whom.

use connect4_protocol::Error;
use connect4_protocol::fast::lobby::{Answer, FromLobby, Seek, Side, SignedSeek, ToLobby};
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{GameTerms, Native, Party, Pool, SessionKey};
use connect4_rules::{Shape, ShapeSpec};
use connect4_testing::fast::session_key;
use connect4_testing::socket::Socket;
use connect4_testing::terms::{DOMAIN, TermsPlay, seek};

use crate::by_terms::now;
use crate::server::{Server, Table, wide};

const fn board(bins: u8, capacity: u8) -> ShapeSpec {
    ShapeSpec {
        bins,
        capacity,
        line: 4,
    }
}

/// A seek by this key, changed and signed.
fn changed(key: &SessionKey, nonce: [u8; 32], change: impl FnOnce(&mut Seek)) -> SignedSeek {
    let mut signed = seek(key, Side::First, &[0; 32], now(), nonce);
    change(&mut signed.seek);
    signed.signature = key.sign(&signed.seek.digest(nonce, &DOMAIN, &Native));
    signed
}

async fn refusal(socket: &mut Socket) -> Refusal {
    let refused = |message| match message {
        FromLobby::Refused(refusal) => Some(refusal),
        _ => None,
    };
    socket.until_in_lobby(refused).await
}

#[tokio::test]
async fn a_seek_is_for_a_game_of_its_pool() {
    let server = Server::start(&Table::of(&[]), wide());
    let pools = [0, 1, 2, 3, 4, 5, u16::MAX];
    for (board, pie_rule, program, taken) in [
        (board(7, 6), false, false, &[0, 1, 5, u16::MAX][..]),
        (board(7, 6), true, false, &[0, 2, 4, 5, u16::MAX]),
        (board(7, 6), true, true, &[0, 4, 5, u16::MAX]),
        (board(7, 6), false, true, &[0, 5, u16::MAX]),
        (board(9, 7), true, false, &[0, 3, 5, u16::MAX]),
        (board(8, 9), true, false, &[0, 3, 5, u16::MAX]),
        (board(9, 9), true, false, &[0, 3, 5, u16::MAX]),
        (board(9, 9), false, false, &[0, 5, u16::MAX]),
        (board(6, 4), false, false, &[0, 5, u16::MAX]),
    ] {
        for pool in pools {
            let mut socket = Socket::lobby(server.addr).await;
            let key = session_key(1);
            let seek = changed(&key, socket.nonce(), |seek| {
                (seek.shape, seek.pie_rule) = (board, pie_rule);
                (seek.pool, seek.program) = (pool, program);
            });
            socket
                .tell_lobby(ToLobby::Seek { seek, invite: None })
                .await;
            let said = format!("{board}, pie rule {pie_rule}, program {program}, pool {pool}");
            match taken.contains(&pool) {
                // The seek before may still be there.
                true => while socket.listed().await.1 != seek {},
                false => assert_eq!(refusal(&mut socket).await, Refusal::OtherPool, "{said}"),
            }
        }
    }
}

/// A person who seeks another one is not answered by a program, and who seeks among the programs not by a person.
#[tokio::test]
async fn an_answer_makes_a_game_of_the_pool() {
    let server = Server::start(&Table::of(&[]), wide());
    let (alice, bob) = (session_key(1), session_key(2));
    for (pool, program, takes) in [
        (Pool::Open, true, true),
        (Pool::Pie, false, true),
        (Pool::Pie, true, false),
        (Pool::Programs, true, true),
        (Pool::Programs, false, false),
    ] {
        let mut seeker = Socket::lobby(server.addr).await;
        let seek = changed(&alice, seeker.nonce(), |seek| {
            (seek.pie_rule, seek.pool) = (true, pool.number());
        });
        let sought = ToLobby::Seek { seek, invite: None };
        seeker.tell_lobby(sought).await;
        let mut other = Socket::lobby(server.addr).await;
        let (id, seen) = other.listed().await;
        let party = Party::Guest(bob.address());
        let terms = seen.seek.answered_by(party, program, now(), 7);
        let answer = Answer {
            terms,
            session: None,
            signature: bob.sign(&terms.digest(&DOMAIN, &Native)),
            swapped: None,
        };
        other.tell_lobby(ToLobby::Answer { seek: id, answer }).await;
        match takes {
            true => {
                let is_answered =
                    |message| matches!(message, FromLobby::Answered { .. }).then_some(());
                seeker.until_in_lobby(is_answered).await;
            }
            false => {
                let wrong = Refusal::Invalid(Error::OtherTerms);
                assert_eq!(refusal(&mut other).await, wrong, "{}", pool.name());
            }
        }
        drop((seeker, other));
        while server.counts().seeking > 0 {
            tokio::task::yield_now().await;
        }
    }
}

/// Players can sign any terms: those that are for other games than their pool count for none that has a name.
#[test]
fn a_game_counts_for_the_pool_that_it_is_for() {
    let counted = |change: &dyn Fn(&mut GameTerms)| {
        let mut terms = TermsPlay::new(1, now()).signed.terms;
        terms.pool = Pool::Standard.number();
        change(&mut terms);
        Pool::counted(&terms)
    };
    assert_eq!(counted(&|_| {}), Pool::Standard.number());
    assert_eq!(counted(&|terms| terms.shape = board(5, 4)), 0);
    assert_eq!(counted(&|terms| terms.shape.line = 3), 0);
    assert_eq!(counted(&|terms| terms.pie_rule = true), 0);
    assert_eq!(counted(&|terms| terms.programs.two = true), 0);
    assert_eq!(counted(&|terms| terms.pool = 7), 7, "it has no name");
    assert_eq!(counted(&|terms| terms.pool = Pool::Programs.number()), 0);
}

#[test]
fn people_play_in_the_pool_of_their_board() {
    let standard = Shape::STANDARD.into();
    assert_eq!(Pool::of_people(standard, false), Pool::Standard);
    assert_eq!(Pool::of_people(standard, true), Pool::Pie);
    assert_eq!(Pool::of_people(board(9, 7), true), Pool::Large);
    assert_eq!(Pool::of_people(board(9, 7), false), Pool::Open);
    for pool in Pool::ALL {
        assert_eq!(pool.name().parse(), Ok(pool));
        assert_eq!(Pool::of(pool.number()), Some(pool));
    }
    assert_eq!(Pool::of(5), None);
}
