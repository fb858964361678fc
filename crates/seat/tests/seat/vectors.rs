//! Test vectors of offers, letters and frames of signed games, for other implementations: `play-vectors.json` beside
//! this crate's manifest. Two players of this crate make them, by the coin and by fixed colours.
//! `CONNECT4_WRITE_VECTORS=1` writes them anew; without it, a value that differs fails the test.

use codec::{DecodeAll, Encode};
use connect4_protocol::signed::lobby::{
    Counts, FromLobby, Letter, NotPaired, Offer, ToLobby, WitnessAt,
};
use connect4_protocol::signed::relay::{Present, Refusal};
use connect4_protocol::signed::wire::{Act, FromWitness, Spoken, Telling, ToWitness, Told};
use connect4_protocol::signed::{
    AccountSignature, Chain, Domain, GameNumber, Moves, Native, Party, Session, SessionKey,
    Signature, SignedSession, SignedTerms, Terms, WitnessedEnd, lobby, offerer_is_first, wire,
};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::{Bin, ByPlayer, Player as Side, Shape, ShapeSpec};
use connect4_seat::{Command, GameOffer, Input, Message, Output, Player, Taker};
use serde_json::{Value, json};

use crate::player::{Disk, disk};
use crate::world::{Key, key};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/play-vectors.json");
const CHAIN: Chain = Chain {
    id: 420_420_420,
    genesis: [0x9e; 32],
};
const DOMAIN: Domain = Domain::without_stake(CHAIN);
const NOW: u64 = 1_800_000_000;
const NONCE: [u8; 32] = [7; 32];
/// Nonce of the taker, by which the coin has the player who offers move second.
const TAKERS_NONCE: u32 = 78;

type Program = Player<Disk, Key>;

fn secret(byte: u8) -> SessionKey {
    SessionKey::from_secret(&[byte; 32]).expect("a key")
}

/// An account of Ethereum, whose session key is that of the player who offers.
fn wallet() -> SessionKey {
    secret(3)
}

fn witness() -> SessionKey {
    secret(5)
}

fn hex_of(bytes: impl AsRef<[u8]>) -> String {
    format!("0x{}", hex::encode(bytes))
}

/// The board, the rule and the pool of programs.
fn terms() -> Terms {
    Terms {
        pie_rule: true,
        pool: 4,
        programs: ByPlayer {
            one: true,
            two: false,
        },
        witness: Some(witness().address()),
        nonce: 9,
        ..Terms::on(Shape::STANDARD)
    }
}

/// A guest offers a game in which a coin decides the colours.
fn by_coin() -> GameOffer {
    let offers = Party::Guest(key(Side::One).0.address());
    GameOffer::new(DOMAIN, offers, terms(), NOW + 600).with_coin(&key(Side::One))
}

/// An account offers the next game to one opponent, who is to move first.
fn by_account(game: GameNumber) -> GameOffer {
    let (account, key) = (wallet().address(), key(Side::One).0.address());
    let until = NOW + 86_400;
    let named = Session {
        account,
        key,
        until,
    };
    let signature = wallet().sign(&DOMAIN.digest(&Native, &named.hash(&Native)));
    let terms = Terms {
        shape: ShapeSpec {
            bins: 9,
            capacity: 7,
            line: 4,
        },
        clock: Some(ClockSpec {
            bank: 180,
            increment: 2,
        }),
        pool: 0x0102,
        programs: ByPlayer::default(),
        event: Some([0xee; 32]),
        previous: Some(game),
        ..terms()
    };
    GameOffer {
        player: Some(Side::Two),
        taker: Some(self::key(Side::Two).0.address()),
        session: Some(SignedSession {
            until,
            signature: AccountSignature::Ethereum(signature),
        }),
        relay: Some("wss://relay.example".into()),
        ..GameOffer::new(DOMAIN, Party::new(account, key), terms, NOW + 60)
    }
}

fn taker() -> Taker {
    Taker {
        party: Party::Guest(key(Side::Two).0.address()),
        session: None,
        player: Side::Two,
        is_program: false,
        time: NOW + 5,
        nonce: TAKERS_NONCE,
    }
}

/// What a player sends to the other one; there is one message.
fn sent(outputs: &[Output]) -> Message {
    let mut sent = outputs.iter().filter_map(|output| match output {
        Output::Send(message) => Some(message.clone()),
        _ => None,
    });
    let message = sent.next().expect("a message");
    assert_eq!(sent.next(), None);
    message
}

/// What a player says in the room.
fn said(outputs: Vec<Output>) -> Vec<ToWitness> {
    let said = outputs.into_iter().filter_map(|output| match output {
        Output::Say(said) => Some(said),
        _ => None,
    });
    said.collect()
}

/// One offers a game, and the other one takes it: what both write, and both players then.
fn agreed(offer: &GameOffer) -> ([Message; 2], [Program; 2]) {
    let (one, two) = (offer.clone(), (offer.clone(), &taker()));
    let one = Player::offer(DOMAIN, key(Side::One), disk(Side::One), one, NOW);
    let two = Player::take(DOMAIN, key(Side::Two), disk(Side::Two), two, NOW);
    let (mut one, (mut two, told)) = (one.expect("offered"), two.expect("taken"));
    let first = sent(&[told]);
    let outputs = one.step(Input::Message(first.clone())).expect("it fits");
    let second = sent(&outputs);
    two.step(Input::Message(second.clone())).expect("it fits");
    assert_eq!(one.number(), two.number());
    ([first, second], [one, two])
}

fn terms_of(player: &Program) -> SignedTerms {
    let room = player.record().room.as_ref();
    room.expect("both have signed").agreed
}

/// A message by its name in docs/programs.md, and its bytes. It is read back.
fn message<M: Encode + DecodeAll + PartialEq + core::fmt::Debug>(
    name: &str,
    message: &M,
    longest: usize,
) -> Value {
    let bytes = message.encode();
    assert!(bytes.len() <= longest, "{name} has {} bytes", bytes.len());
    let read = M::decode_all(&mut &*bytes).expect("a message");
    assert_eq!(read, *message);
    json!({ "name": name, "scale": hex_of(bytes) })
}

fn offer_of(offer: &GameOffer) -> Offer {
    Offer::new(offer.encode()).expect("few bytes")
}

fn letter_of(message: &Message) -> Letter {
    Letter::new(message.encode()).expect("few bytes")
}

fn to_lobby(offer: &GameOffer, [first, second]: &[Message; 2]) -> Value {
    let to = |name, told: &ToLobby| message(name, told, lobby::MAX_LEN);
    let invite = offer.invite(&Native);
    let offered = |invite| ToLobby::Offer {
        offer: offer_of(offer),
        invite,
    };
    let take = ToLobby::Take {
        offer: 258,
        letter: letter_of(first),
    };
    let accept = ToLobby::Accept {
        offer: 258,
        take: 259,
        letter: letter_of(second),
        stays: false,
    };
    let decline = ToLobby::Decline {
        offer: 258,
        take: 259,
    };
    json!([
        to("offer", &offered(None)),
        to("offer by an invite", &offered(Some(invite))),
        to("withdraw", &ToLobby::Withdraw),
        to("look", &ToLobby::Look(invite)),
        to("take", &take),
        to("accept", &accept),
        to("decline", &decline),
        to("list", &ToLobby::List { live: true }),
    ])
}

fn from_lobby(offer: &GameOffer, [first, second]: &[Message; 2]) -> Value {
    let from = |name, told: &FromLobby| message(name, told, lobby::MAX_LEN);
    let welcome = |witness| FromLobby::Welcome {
        time: NOW * 1_000 + 1,
        witness,
    };
    let witness = WitnessAt {
        key: witness().address(),
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
    };
    let listed = FromLobby::Listed {
        id: 258,
        invited: false,
        offer: offer_of(offer),
    };
    let taken = FromLobby::Taken {
        offer: 258,
        id: 259,
        letter: letter_of(first),
    };
    let accepted = FromLobby::Accepted {
        offer: 258,
        letter: letter_of(second),
    };
    let counts = FromLobby::Counts(Counts {
        waiting: 3,
        playing: 258,
    });
    let not_paired = FromLobby::NotPaired {
        offer: 258,
        why: NotPaired::Silent,
    };
    json!([
        from("welcome", &welcome(Some(witness))),
        from("welcome of a relay that is no witness", &welcome(None)),
        from("listed", &listed),
        from("gone", &FromLobby::Gone { id: 258 }),
        from("taken", &taken),
        from("refused", &FromLobby::Refused(Refusal::Busy)),
        from("accepted", &accepted),
        from("not paired", &not_paired),
        from("cleared", &FromLobby::Cleared),
        from("complete", &FromLobby::Complete),
        from("counts", &counts),
    ])
}

/// What the witness signs.
fn told(signed: &SignedTerms, spoken: [Spoken; 2], what: Telling, at: u64) -> FromWitness {
    let [first, second] = spoken;
    let mut told = Told {
        moves: second.moves,
        signatures: ByPlayer::default(),
        at,
        what,
        witness: Signature::NONE,
    };
    for spoken in [first, second] {
        told.signatures[spoken.by] = spoken.signature;
    }
    let digest = told.digest(signed.number(CHAIN, &Native), &DOMAIN, &Native);
    told.witness = witness().sign(&digest);
    FromWitness::Told(told)
}

fn the_one<T>(mut list: Vec<T>) -> T {
    let last = list.pop().expect("one");
    assert!(list.is_empty());
    last
}

/// The game as both players play it: the middle, a swap, the middle; then player two resigns.
fn in_room(programs: [Program; 2]) -> (Value, Value) {
    let signed = terms_of(&programs[0]);
    let mut players = programs;
    // By the coin the player who has offered is player two.
    players.reverse();
    let [one, two] = &mut players;
    assert_eq!((one.side(), two.side()), (Some(Side::One), Some(Side::Two)));
    let welcome = FromWitness::Welcome {
        nonce: NONCE,
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
        time: NOW * 1_000 + 6_000,
    };
    let entered = said(two.step(Input::Room(welcome)).expect("its chain"));
    let [terms, join] = <[_; 2]>::try_from(entered).expect("terms and presence");
    one.step(Input::Room(welcome)).expect("its chain");
    let left = ByPlayer { one: 0, two: 0 };
    let moved = |player: &mut Program, bin| {
        let outputs = player.step(Input::Command(Command::Move(bin)));
        let spoken = the_one(said(outputs.expect("its turn")));
        let ToWitness::Spoken(spoken) = spoken else {
            panic!("a move");
        };
        spoken
    };
    let nothing = Spoken {
        by: Side::Two,
        act: Act::Move,
        moves: Moves::new(),
        signature: Signature::NONE,
    };
    let receipt = Telling::Receipt { left };
    let mut spoken = [nothing; 4];
    let mut receipts = Vec::new();
    for (turn, bin) in [3, Moves::SWAP, 3].into_iter().enumerate() {
        let mover = if turn % 2 == 0 { &mut *one } else { &mut *two };
        spoken[turn + 1] = moved(mover, Bin::new(bin));
        let at = NOW * 1_000 + 7_001 + turn as u64;
        let told = told(&signed, [spoken[turn], spoken[turn + 1]], receipt, at);
        for player in [&mut *one, &mut *two] {
            player.step(Input::Room(told)).expect("signed");
        }
        receipts.push(told);
    }
    let FromWitness::Told(held) = receipts[2] else {
        panic!("a receipt");
    };
    let draw = one.step(Input::Command(Command::OfferDraw));
    let ToWitness::Spoken(draw) = the_one(said(draw.expect("it has moved last"))) else {
        panic!("an offer");
    };
    let resigns = two.step(Input::Command(Command::Resign));
    let ToWitness::Spoken(resigns) = the_one(said(resigns.expect("it goes on"))) else {
        panic!("a resignation");
    };
    let ends = |last, end| {
        let at = NOW * 1_000 + 9_000;
        told(&signed, last, Telling::Ended(end), at)
    };
    let resigned = ends([spoken[3], resigns], WitnessedEnd::Resignation(Side::Two));
    for player in [one, two] {
        player.step(Input::Room(resigned)).expect("signed");
    }
    let lapsed = ends([spoken[2], spoken[3]], WitnessedEnd::Lapse(Side::Two));
    let to = |name, told: &ToWitness| message(name, told, wire::MAX_LEN);
    let from = |name, told: &FromWitness| message(name, told, wire::MAX_LEN);
    let present = Present {
        players: ByPlayer {
            one: true,
            two: false,
        },
        watchers: 258,
    };
    (
        json!([
            to("terms", &terms),
            to("join", &join),
            to("move", &ToWitness::Spoken(spoken[3])),
            to("resignation", &ToWitness::Spoken(resigns)),
            to("draw", &ToWitness::Spoken(draw)),
            to("held", &ToWitness::Held(held)),
        ]),
        json!([
            from("welcome", &welcome),
            from("first receipt", &receipts[0]),
            from("receipt", &receipts[2]),
            from("end by a resignation", &resigned),
            // Of a game with a clock; the bytes are the same.
            from("end by a lapse", &lapsed),
            from("offer", &FromWitness::Offer(draw)),
            from("present", &FromWitness::Present(present)),
            from("refused", &FromWitness::Refused(Refusal::OtherPosition)),
            from("terms", &FromWitness::Terms(signed)),
        ]),
    )
}

fn vectors() -> Value {
    let coin = by_coin();
    let (tossed, players) = agreed(&coin);
    let [
        _,
        Message::Decided {
            terms: decided,
            secret: shown,
        },
    ] = &tossed
    else {
        panic!("a coin has decided");
    };
    let game = decided.number(CHAIN, &Native);
    let next = by_account(game);
    let (fixed, next_players) = agreed(&next);
    let next_game = terms_of(&next_players[0]).number(CHAIN, &Native);
    let offers = [("by a coin", &coin), ("of an account", &next)].map(|(name, offer)| {
        json!({
            "name": name,
            "scale": hex_of(offer.encode()),
            "invite": hex_of(offer.invite(&Native)),
            "text": offer.to_string(),
            "fragment": offer.fragment(),
        })
    });
    let letters = [
        ("tossed", &tossed[0]),
        ("decided", &tossed[1]),
        ("half", &fixed[0]),
        ("both", &fixed[1]),
    ];
    let letters = letters.map(|(name, letter)| message(name, letter, Letter::MOST));
    let coins: Vec<_> = (0..8_u32)
        .chain([TAKERS_NONCE])
        .map(|nonce| json!({ "nonce": nonce, "takerIsSecond": offerer_is_first(shown, nonce, &Native) }))
        .collect();
    let keys = [
        ("offers", key(Side::One).0),
        ("takes", key(Side::Two).0),
        ("wallet", wallet()),
        ("witness", witness()),
    ]
    .map(|(name, key)| {
        let address: Address = key.address();
        let key = json!({ "secret": hex_of(key.secret()), "address": address.to_string() });
        (name.to_owned(), key)
    });
    let (to_room, from_room) = in_room(players);
    json!({
        "chain": { "id": CHAIN.id, "genesis": hex_of(CHAIN.genesis) },
        "separator": hex_of(DOMAIN.separator(&Native)),
        "now": NOW,
        "nonce": hex_of(NONCE),
        "keys": serde_json::Map::from_iter(keys),
        "offers": offers,
        "secret": hex_of(shown),
        "coins": coins,
        "games": [game.to_string(), next_game.to_string()],
        "letters": letters,
        "toLobby": to_lobby(&coin, &tossed),
        "fromLobby": from_lobby(&coin, &tossed),
        "room": wire::path(witness().address(), game),
        "toRoom": to_room,
        "fromRoom": from_room,
    })
}

#[test]
fn the_vectors_are_those_of_the_file() {
    let made = format!("{:#}\n", vectors());
    if std::env::var_os("CONNECT4_WRITE_VECTORS").is_some() {
        std::fs::write(FILE, made).expect("the file is written");
        return;
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        made == committed,
        "play-vectors.json is not what the code makes"
    );
}
