//! Signed games with a stake: payments, the room in which the players meet, and the chain.

use codec::Encode as _;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::event::Funded;
use connect4_protocol::signed::staked_room::{self, FromStakedRoom, ToStakedRoom};
use connect4_protocol::signed::{
    GameNumber, Party, Presence, StakedGame, StakesError, Terms, message as m,
};
use connect4_protocol::{Address, ClockSpec, Error, Message as _, selector};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_seat::Message as PlayerMessage;
use serde_json::{Value, json};

use crate::players::{CHAIN, LINE, NOW, Page, key, name_of, offer, room_frame, sent, take};
use crate::{bytes, hex};

const STAKES: Address = Address([8; 20]);
const NONCE: [u8; 32] = [3; 32];

/// What the contract of the stakes answers.
fn block(number: GameNumber, game: Option<StakedGame>, owed: u128, time: u64) -> Value {
    let none = Err(StakesError::Common(Error::NoSuchGame));
    let game: Result<Result<StakedGame, StakesError>, ()> = Ok(game.map_or(none, Ok));
    let owed: Result<Result<u128, StakesError>, ()> = Ok(Ok(owed));
    json!({ "block": {
        "time": time, "is_final": true, "number": number, "game": hex(&game.encode()), "owed": hex(&owed.encode()),
    } })
}

/// The call that a page is to have made first.
fn called(stepped: &Value) -> &Value {
    &stepped["outputs"][0]["call"]
}

/// What a page says in the room.
fn said(stepped: &Value) -> Vec<ToStakedRoom> {
    let outputs = stepped["outputs"].as_array().expect("a list");
    let said = outputs.iter().filter_map(|output| output.get("say"));
    said.map(|frame| staked_room::read(&bytes(frame)).expect("a message"))
        .collect()
}

fn hear(page: &mut Page, message: &FromStakedRoom) -> Value {
    page.step(room_frame(hex(&message.encode())))
}

/// What the room tells the other player of what this one has said.
fn told(by: Player, said: ToStakedRoom) -> FromStakedRoom {
    match said {
        ToStakedRoom::Position(evidence) => FromStakedRoom::Position { by, evidence },
        ToStakedRoom::Offer(offer) => FromStakedRoom::Offer { by, offer },
        ToStakedRoom::Enter { .. } => panic!("it has entered"),
    }
}

/// Two pages of a game for a stake, of which that of player one has made the offer.
struct Staked {
    pages: [Page; 2],
    terms: Terms,
    number: GameNumber,
    /// The game once both have paid.
    begun: StakedGame,
}

impl Staked {
    /// Nobody has paid.
    fn taken() -> Self {
        let mut pages = [Page::new(1, Some(STAKES)), Page::new(2, Some(STAKES))];
        let text = offer(&mut pages[0], "red", 1_000);
        pages[0].open(json!({ "offer": text }));
        let terms = Terms {
            players: ByPlayer {
                one: Party::Guest(key(1).address()),
                two: Party::Guest(key(2).address()),
            },
            clock: Some(ClockSpec {
                bank: 300,
                increment: 0,
            }),
            stake: 1_000,
            time: NOW,
            nonce: 5,
            ..Terms::on(Shape::new(5, 4, 3).expect("a shape"))
        };
        let number = terms.number(&terms.domain(CHAIN, STAKES), &Native);
        // The player who offers hears of it before the taker keeps anything.
        let taken = take(&text)["take"].clone();
        let asked = json!({ "secret": hex(&[2; 32]), "taken": taken });
        let completed = pages[1].ask("complete", asked).expect("a letter");
        assert_eq!(completed["number"], json!(number));
        assert_eq!(completed["side"], "blue");
        assert_eq!(
            completed["terms"]["players"]["red"]["key"],
            json!(key(1).address())
        );
        let considered = pages[0].step(json!({ "message": completed["letter"] }));
        assert_eq!(considered["shown"]["number"], json!(number));
        assert_eq!(considered["room"], Value::Null);
        // And the taker that it is accepted, by the key of the offer.
        let mut is_accepted = |letter: &Value| {
            let asked = json!({ "secret": hex(&[2; 32]), "taken": taken, "letter": letter });
            pages[1].ask("is_accepted", asked).expect("an answer")
        };
        let [accepted] = &sent(&considered)[..] else {
            panic!("one message: {considered}");
        };
        assert_eq!(is_accepted(accepted), true);
        let by_another = PlayerMessage::Accepted(key(2).sign(&[1; 32]));
        for letter in [
            json!("0x"),
            completed["letter"].clone(),
            json!(hex(&by_another.encode())),
        ] {
            assert_eq!(is_accepted(&letter), false, "{letter}");
        }
        let opened = pages[1].open(take(&text));
        assert_eq!(sent(&opened), [completed["letter"].clone()]);
        let (half, _) = StakedGame::fund(None, &terms, key(2).address(), NOW).expect("it is paid");
        let begun = StakedGame::fund(Some(half), &terms, key(1).address(), NOW);
        Self {
            pages,
            terms,
            number,
            begun: begun.expect("it is paid").0,
        }
    }

    /// Both have paid, and are in the room.
    fn begun() -> Self {
        let mut staked = Self::taken();
        let Self { terms, number, .. } = staked;
        staked.pages[1].step(block(number, None, 0, NOW));
        let (half, _) = StakedGame::fund(None, &terms, key(2).address(), NOW).expect("it is paid");
        staked.pages[0].step(block(number, Some(half), 0, NOW));
        for page in [0, 1] {
            staked.see(page);
            staked.enter(page);
        }
        staked
    }

    /// A page sees the game in a final block.
    fn see(&mut self, page: usize) -> Value {
        let seen = self.pages[page].step(block(self.number, Some(self.begun), 0, NOW + 6));
        assert_eq!(seen["shown"]["stage"], "playing");
        assert_eq!(seen["room"], json!(staked_room::path(self.number)));
        seen
    }

    /// A page enters the room; what it says there then.
    fn enter(&mut self, page: usize) -> Vec<ToStakedRoom> {
        let stepped = hear(
            &mut self.pages[page],
            &FromStakedRoom::Welcome { nonce: NONCE },
        );
        let mut said = said(&stepped);
        let ToStakedRoom::Enter {
            domain,
            terms,
            player: Some((player, signature)),
        } = said.remove(0)
        else {
            panic!("the first message enters");
        };
        assert_eq!(
            (domain, terms),
            (self.terms.domain(CHAIN, STAKES), self.terms)
        );
        let presence = Presence {
            game: self.number,
            nonce: NONCE,
        };
        let digest = presence.digest(&domain, &Native);
        assert_eq!(player, Player::ALL[page]);
        assert_eq!(signature, key(page as u8 + 1).sign(&digest));
        said
    }

    /// Passes on what a page has said, and what the other one answers.
    fn pass_on(&mut self, by: usize, stepped: &Value) {
        let mut said = said(stepped);
        let mut by = by;
        while let Some(message) = said.pop() {
            let heard = hear(&mut self.pages[1 - by], &told(Player::ALL[by], message));
            assert_eq!(heard["refused"], Value::Null);
            let answers = self::said(&heard);
            if !answers.is_empty() {
                (said, by) = (answers, 1 - by);
            }
        }
    }

    fn make(&mut self, mover: usize, bin: u8) -> Value {
        let moved = self.pages[mover].command(json!({ "move": bin }));
        assert_eq!(moved["refused"], Value::Null);
        moved
    }
}

/// That many say so who do not pay was enough to have a page forget the one who does.
#[test]
fn a_payment_that_an_event_tells_is_found_among_more_takers_than_are_remembered() {
    let mut staked = Staked::taken();
    let Staked { terms, number, .. } = staked;
    let page = &mut staked.pages[0];
    for earlier in 1..40 {
        let others = Terms {
            time: NOW - earlier,
            ..terms
        };
        let letter = hex(&PlayerMessage::Taken(others).encode());
        assert_eq!(
            page.step(json!({ "message": letter }))["refused"],
            Value::Null
        );
        if earlier == 1 {
            page.step(block(number, None, 0, NOW));
        }
    }
    assert_ne!(page.shown()["number"], json!(number));
    let funded = |by| Funded {
        game: number,
        player_one: key(1).address(),
        player_two: key(2).address(),
        by,
        begins: false,
        paid: 1_000,
        terms,
    };
    // Another event, one that is cut off, and a payment of the page's own are none of a taker.
    let advanced = (number, [0u8; 4]).encode();
    let payment = funded(Player::Two).encode();
    for junk in [&advanced[..], &payment[1..], &funded(Player::One).encode()] {
        assert_eq!(
            page.step(json!({ "event": hex(junk) }))["refused"],
            Value::Null
        );
        assert_ne!(page.shown()["number"], json!(number));
    }
    let told = page.step(json!({ "event": hex(&payment) }));
    assert_eq!(told["reads"]["number"], json!(number));
    let (half, _) = StakedGame::fund(None, &terms, key(2).address(), NOW).expect("it is paid");
    let second = page.step(block(number, Some(half), 0, NOW + 6));
    assert_eq!(called(&second)["message"], "fund");
}

#[test]
fn a_stake_is_paid_by_the_account_and_from_what_it_is_owed() {
    let mut staked = Staked::taken();
    let Staked { terms, number, .. } = staked;
    let pages = &mut staked.pages;
    let read = [&selector("game")[..], &number.encode()].concat();
    assert_eq!(
        pages[1].stepped["reads"]["game"]["input"],
        json!(hex(&read))
    );
    assert_eq!(pages[1].stepped["reads"]["owed"]["contract"], "stakes");
    let paid = pages[1].step(block(number, None, 300, NOW));
    let fund = m::Fund { terms };
    let input = [&selector(m::Fund::NAME)[..], &fund.encode()].concat();
    assert_eq!(called(&paid)["input"], json!(hex(&input)));
    assert_eq!(called(&paid)["payment"], "700");
    assert_eq!(pages[1].shown()["from_owed"], "300");

    let (half, _) = StakedGame::fund(None, &terms, key(2).address(), NOW).expect("it is paid");
    let asked = pages[0]
        .ask("step", block(number, Some(half), 0, NOW))
        .expect("an answer");
    assert_eq!(asked["keep"]["games"], json!([number]));
    let second = pages[0].keep(asked);
    assert_eq!(called(&second)["payment"], "1000");
    // A node that tells no reason says as much of a game that is not there.
    let mut unknown = block(number, None, 0, NOW + 6);
    unknown["block"]["game"] = Value::Null;
    pages[1].step(unknown);
    assert_eq!(pages[1].shown()["stage"], "funding");
    let board = &pages[1].shown()["game"]["position"];
    assert_eq!(
        (&board["turns"], &board["over"]),
        (&json!(0), &json!(false))
    );
    let early = pages[1].command(json!({ "move": 2 }));
    assert_eq!(name_of(&early), Some("NotBegun"));
    let junk = json!({ "block": { "time": 1, "is_final": false, "number": number, "game": "0x", "owed": "0x" } });
    assert_eq!(pages[0].ask("step", junk), Err("BadAnswer".into()));
}

#[test]
fn moves_pass_through_the_room_and_the_end_is_brought_to_the_chain() {
    let mut staked = Staked::begun();
    for (turn, bin) in LINE.into_iter().enumerate() {
        let moved = staked.make(turn % 2, bin);
        assert_eq!(sent(&moved), Vec::<Value>::new());
        staked.pass_on(turn % 2, &moved);
    }
    let shown = staked.pages[0].shown();
    assert_eq!(shown["stage"], "ending");
    assert_eq!(shown["game"]["notation"], "12121");
    // The loser has agreed to the line, so that the winner brings that.
    let settled = staked.pages[0].command(json!("settle"));
    assert_eq!(called(&settled)["message"], "advance");
    assert_eq!(called(&settled)["payment"], "0");
    // It is in the room until its page leaves.
    assert_eq!(settled["room"], json!(staked_room::path(staked.number)));
}

#[test]
fn a_page_that_is_loaded_again_meets_the_opponent_once_a_final_block_has_the_game() {
    let mut staked = Staked::begun();
    for (turn, bin) in LINE[..2].iter().enumerate() {
        let moved = staked.make(turn % 2, *bin);
        staked.pass_on(turn % 2, &moved);
    }
    let again = staked.pages[1].again();
    assert_eq!(again["room"], Value::Null, "no block was seen");
    // The opponent moves meanwhile, and the room keeps what it has said.
    let moved = staked.make(0, LINE[2]);
    let kept = told(Player::One, said(&moved)[0]);
    let early = hear(&mut staked.pages[1], &kept);
    assert_eq!(early["refused"], Value::Null);
    assert_ne!(
        early["shown"]["game"]["notation"], "121",
        "it is not believed"
    );
    staked.see(1);
    staked.enter(1);
    hear(&mut staked.pages[1], &kept);
    let shown = staked.pages[1].shown();
    assert_eq!(shown["game"]["notation"], "121");
    assert_eq!(
        shown["awaited"],
        json!({ "of": "you", "what": "move", "until": null })
    );
}

#[test]
fn the_room_says_who_is_there_and_is_believed_nothing_else() {
    let mut staked = Staked::begun();
    let moved = staked.make(0, 2);
    let [ToStakedRoom::Position(evidence)] = said(&moved)[..] else {
        panic!("one message: {moved}");
    };
    let page = &mut staked.pages[1];
    let present = FromStakedRoom::Present(connect4_protocol::signed::relay::Present {
        players: ByPlayer {
            one: true,
            two: false,
        },
        watchers: 3,
    });
    let heard = hear(page, &present);
    assert_eq!(
        heard["present"],
        json!({ "players": { "red": true, "blue": false }, "watchers": 3 })
    );
    // What this player has said, as the room tells all.
    let by = Player::Two;
    let own = hear(page, &FromStakedRoom::Position { by, evidence });
    assert_eq!(own["shown"]["game"]["position"]["turns"], 0);
    let mut forged = evidence;
    forged.moves = connect4_protocol::signed::Moves::from_bins(&[3]).expect("few moves");
    let by = Player::One;
    let heard = hear(
        page,
        &FromStakedRoom::Position {
            by,
            evidence: forged,
        },
    );
    assert!(name_of(&heard).is_some());
    assert_eq!(heard["shown"]["game"]["position"]["turns"], 0);
    let full = connect4_protocol::signed::relay::Refusal::Full;
    let refused = hear(page, &FromStakedRoom::Refused(full));
    assert_eq!(name_of(&refused), Some("RoomRefuses"));
    let junk = page.step(room_frame("0xff00"));
    assert_eq!(name_of(&junk), Some("BadMessage"));
}

#[test]
fn a_silent_opponent_is_pressed_and_a_stake_that_nobody_else_pays_comes_back() {
    let mut staked = Staked::begun();
    let moved = staked.make(0, 2);
    staked.pass_on(0, &moved);
    let pressed = staked.pages[0].command(json!("press"));
    assert_eq!(called(&pressed)["message"], "advance");

    let mut alone = Staked::taken();
    let Staked { terms, number, .. } = alone;
    let (half, _) = StakedGame::fund(None, &terms, key(2).address(), NOW).expect("it is paid");
    let page = &mut alone.pages[1];
    page.step(block(number, Some(half), 0, NOW));
    assert_eq!(page.shown()["stage"], "funding");
    let refunds = page.command(json!("refund"));
    assert_eq!(called(&refunds)["message"], "refund");
    page.step(block(number, None, 0, NOW + 6));
    assert_eq!(page.shown()["stage"], "refunded");
}
