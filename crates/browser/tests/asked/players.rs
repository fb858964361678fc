//! Signed games, kept from step to step.

use codec::{Decode as _, Encode as _};
use connect4_browser::PlayerShell;
use connect4_protocol::Address;
use connect4_protocol::signed::lobby::{
    self, FromLobby, Letter, NotPaired, Offer, ToLobby, WitnessAt,
};
use connect4_protocol::signed::wire::{Act, FromWitness, Spoken, Telling, ToWitness, Told};
use connect4_protocol::signed::{
    Chain, Domain, GameNumber, Moves, Native, SessionKey, Signature, WitnessedEnd,
};
use connect4_rules::{ByPlayer, Player};
use serde_json::{Value, from_slice, json};

use crate::{bytes, hex};

pub const NOW: u64 = 1_800_000_000;
pub const CHAIN: Chain = Chain {
    id: 420_420_421,
    genesis: [7; 32],
};
const DOMAIN: Domain = Domain::without_stake(CHAIN);
/// Line of player one in a board of lines of three.
pub const LINE: [u8; 5] = [0, 1, 0, 1, 0];

pub fn key(byte: u8) -> SessionKey {
    SessionKey::from_secret(&[byte; 32]).expect("a key")
}

fn witness() -> SessionKey {
    key(9)
}

fn place(stakes: Option<Address>) -> Value {
    json!({ "chain_id": CHAIN.id, "genesis": hex(&CHAIN.genesis), "stakes": stakes })
}

/// A page with a module, and the disk on which it keeps the game.
pub struct Page {
    shell: PlayerShell,
    secret: u8,
    stakes: Option<Address>,
    disk: Option<Value>,
    pub stepped: Value,
    /// When the next frame comes by the page's clock, and when it has said something last.
    came: (u64, Option<u64>),
}

impl Page {
    pub fn new(secret: u8, stakes: Option<Address>) -> Self {
        Self {
            shell: PlayerShell::new(),
            secret,
            stakes,
            disk: None,
            stepped: Value::Null,
            came: (0, None),
        }
    }

    pub fn ask(&mut self, name: &str, asked: Value) -> Result<Value, String> {
        let request = json!({ name: asked }).to_string();
        let answer = self.shell.answer(request.as_bytes());
        let mut answer: Value = from_slice(&answer).expect("JSON");
        match answer.get_mut("ok") {
            Some(value) => Ok(value.take()),
            None => Err(answer["error"]["name"].as_str().expect("a name").into()),
        }
    }

    fn begin(&mut self, game: Value) -> Result<Value, String> {
        let secret = hex(&[self.secret; 32]);
        let opening =
            json!({ "place": place(self.stakes), "secret": secret, "now": NOW, "game": game });
        self.ask("open", opening)
    }

    /// Opens a game, and keeps what has to be kept.
    pub fn open(&mut self, game: Value) -> Value {
        let opened = self.begin(game).expect("it is opened");
        self.keep(opened)
    }

    pub fn keep(&mut self, stepped: Value) -> Value {
        let stepped = match &stepped["keep"] {
            Value::Null => stepped,
            kept => {
                for held_back in ["refused", "reads"] {
                    assert_eq!(stepped[held_back], Value::Null, "{held_back}");
                }
                assert_eq!(stepped["outputs"], json!([]));
                self.disk = Some(kept["record"].clone());
                self.ask("kept", Value::Null).expect("it is on the disk")
            }
        };
        assert_eq!(stepped["keep"], Value::Null);
        self.stepped = stepped.clone();
        stepped
    }

    pub fn step(&mut self, input: Value) -> Value {
        let stepped = self.ask("step", input).expect("an answer");
        self.keep(stepped)
    }

    pub fn command(&mut self, command: Value) -> Value {
        self.step(json!({ "command": command }))
    }

    fn hear(&mut self, message: FromWitness) -> Value {
        let (at, said) = self.came;
        let frame = hex(&message.encode());
        self.step(json!({ "room": { "frame": frame, "at": at, "said": said, "held_up": 0 } }))
    }

    pub fn shown(&self) -> &Value {
        &self.stepped["shown"]
    }

    /// The page is loaded again: nothing is left but what is on the disk.
    pub fn again(&mut self) -> Value {
        self.shell = PlayerShell::new();
        let record = self.disk.clone().expect("it is kept");
        self.open(json!({ "record": record }))
    }
}

/// A frame of a room that comes at no time in particular.
pub fn room_frame(frame: impl Into<String>) -> Value {
    json!({ "room": { "frame": frame.into(), "at": 0, "said": null, "held_up": 0 } })
}

/// What a page sends to the other one.
pub fn sent(stepped: &Value) -> Vec<Value> {
    let outputs = stepped["outputs"].as_array().expect("a list");
    let sent = outputs.iter().filter_map(|output| output.get("send"));
    sent.cloned().collect()
}

/// What a page says in the room.
fn said(stepped: &Value) -> Vec<ToWitness> {
    let outputs = stepped["outputs"].as_array().expect("a list");
    let said = outputs.iter().filter_map(|output| output.get("say"));
    said.map(|frame| ToWitness::decode(&mut &bytes(frame)[..]).expect("a message"))
        .collect()
}

fn spoken(stepped: &Value) -> Option<Spoken> {
    said(stepped).into_iter().find_map(|said| match said {
        ToWitness::Spoken(spoken) => Some(spoken),
        _ => None,
    })
}

pub fn name_of(stepped: &Value) -> Option<&str> {
    stepped["refused"]["name"].as_str()
}

/// Two pages of guests, and what the witness between them signs.
struct Room {
    pages: [Page; 2],
    signatures: ByPlayer<Signature>,
    moves: Vec<u8>,
}

pub fn offer(page: &mut Page, colours: &str, stake: u32) -> String {
    let has_stake = stake > 0;
    let offer = json!({
        "place": place(page.stakes),
        "secret": hex(&[page.secret; 32]),
        "account": null, "session": null, "program": false,
        "shape": { "bins": 5, "capacity": 4, "line": 3 },
        "rules": {
            "pie_rule": !has_stake, "pool": 0, "clock": { "bank": 300, "increment": 0 },
        },
        "witness": (!has_stake).then(|| witness().address()),
        "stake": stake.to_string(),
        "event": null, "taker": null,
        "colours": colours,
        "relay": "wss://relay.example",
        "until": NOW + 60,
        "nonce": 5,
    });
    let text = page.ask("offer", offer).expect("an offer");
    text.as_str().expect("a text").into()
}

pub fn take(offer: &str) -> Value {
    json!({ "take": {
        "offer": offer, "account": null, "session": null, "program": false, "colour": null,
        "time": NOW, "nonce": 77,
    } })
}

impl Room {
    /// The offer is made, and taken by terms that are signed for one colour, or for both if a coin decides.
    fn offered(colours: &str) -> (Self, Value) {
        let mut pages = [Page::new(1, None), Page::new(2, None)];
        let text = offer(&mut pages[0], colours, 0);
        let made = pages[0].open(json!({ "offer": text }));
        assert_eq!(made["offer"], json!(text));
        assert_eq!(pages[0].shown()["stage"], "offered");
        let read = pages[1].ask("read_offer", json!(text)).expect("an offer");
        assert_eq!(read["colours"], colours);
        assert_eq!(read["by"]["account"], json!(key(1).address()));
        let taken = pages[1].open(take(&text));
        assert_eq!(pages[1].shown()["stage"], "agreeing");
        let [told] = &sent(&taken)[..] else {
            panic!("one message: {taken}");
        };
        let told = told.clone();
        let room = Self {
            pages,
            signatures: ByPlayer::default(),
            moves: Vec::new(),
        };
        (room, told)
    }

    /// Both have signed the terms, and are in the room. The page that has offered is player one.
    fn begun() -> Self {
        let (mut room, told) = Self::offered("red");
        let signed = room.pages[0].step(json!({ "message": told }));
        for answer in sent(&signed) {
            room.pages[1].step(json!({ "message": answer }));
        }
        let path = connect4_protocol::signed::wire::path(witness().address(), room.number());
        assert_eq!(signed["outputs"][1]["enter"], json!(path));
        for page in [0, 1] {
            room.enter(page);
        }
        room
    }

    fn number(&self) -> GameNumber {
        let number = self.pages[0].shown()["number"].as_str().expect("a number");
        number.parse().expect("a number")
    }

    fn enter(&mut self, page: usize) -> Value {
        let stepped = self.pages[page].hear(FromWitness::Welcome {
            nonce: [3; 32],
            chain_id: CHAIN.id,
            genesis: CHAIN.genesis,
            time: NOW * 1_000,
        });
        assert_eq!(stepped["time"], NOW * 1_000);
        let mut joined = said(&stepped);
        joined.retain(|said| !matches!(said, ToWitness::Held(_)));
        assert!(matches!(
            joined[..2],
            [ToWitness::Terms(_), ToWitness::Join { .. }]
        ));
        stepped
    }

    /// What the witness with this key says of these moves.
    fn told(&self, moves: &[u8], what: Telling, by: &SessionKey) -> FromWitness {
        let mut told = Told {
            moves: Moves::from_bins(moves).expect("few moves"),
            signatures: self.signatures,
            at: NOW * 1_000 + 1_000 * moves.len() as u64,
            what,
            witness: Signature::NONE,
        };
        told.witness = by.sign(&told.digest(self.number(), &DOMAIN, &Native));
        FromWitness::Told(told)
    }

    fn receipt(&self, moves: &[u8], by: &SessionKey) -> FromWitness {
        // A first move costs nothing, and each other one a second.
        let made = moves.len() as u64;
        let after = |made: u64| 300_000 - 1_000 * made.saturating_sub(1);
        let left = ByPlayer {
            one: after(made.div_ceil(2)),
            two: after(made / 2),
        };
        self.told(moves, Telling::Receipt { left }, by)
    }

    /// The witness takes the move that a page has said.
    fn takes(&mut self, spoken: &Spoken) -> FromWitness {
        self.signatures[spoken.by] = spoken.signature;
        self.moves = spoken.moves.to_vec();
        self.receipt(&self.moves, &witness())
    }

    fn make(&mut self, bin: u8) {
        let mover = self.moves.len() % 2;
        let stepped = self.pages[mover].command(json!({ "move": bin }));
        let spoken = spoken(&stepped).unwrap_or_else(|| panic!("{stepped}"));
        let receipt = self.takes(&spoken);
        for page in &mut self.pages {
            let heard = page.hear(receipt);
            assert_eq!(heard["refused"], Value::Null);
        }
    }
}

/// The witness takes a second off for each move but the first ones. Player one has used 0.2 of it, player two all.
#[test]
fn time_that_a_witness_takes_and_nobody_has_used_is_reported() {
    let mut room = Room::begun();
    let moves = [(990, 1_000), (1_100, 1_110), (1_310, 1_320), (2_320, 2_330)];
    let reported = [[None; 2], [None; 2], [Some(790), None], [None; 2]];
    for (turn, ((said, at), reported)) in moves.into_iter().zip(reported).enumerate() {
        for page in [0, 1] {
            room.pages[page].came.0 = at;
        }
        room.pages[turn % 2].came.1 = Some(said);
        room.make(LINE[turn]);
        for page in [0, 1] {
            assert_eq!(
                room.pages[page].stepped["taken"],
                json!(reported[page]),
                "{turn}"
            );
        }
    }
}

#[test]
fn a_game_is_played_from_the_offer_to_the_rematch() {
    let mut room = Room::begun();
    assert_eq!(room.pages[0].shown()["side"], "red");
    for bin in LINE {
        room.make(bin);
    }
    let shown = room.pages[1].shown();
    let mut spent = vec![Some(1_000); LINE.len()];
    spent[..2].fill(None);
    assert_eq!(shown["game"]["spent"], json!(spent));
    assert_eq!(shown["stage"], "ending");
    assert_eq!(
        shown["awaited"],
        json!({ "of": "witness", "what": "end", "until": null })
    );
    let ended = room.told(&LINE, Telling::Ended(WitnessedEnd::Board), &witness());
    for page in &mut room.pages {
        let left = page.hear(ended);
        assert_eq!(left["outputs"], json!(["leave"]));
        let shown = page.shown();
        assert_eq!(shown["stage"], "over");
        assert_eq!(shown["game"]["position"]["winner"], "red");
        assert_eq!(shown["game"]["notation"], "12121");
        assert_eq!(shown["game"]["bins"], json!([]));
    }
    let next = json!({ "until": NOW + 60, "nonce": 6 });
    let next = room.pages[1].ask("rematch", next).expect("it is over");
    assert_eq!(
        room.pages[0].ask("is_rematch", next.clone()),
        Ok(json!(true))
    );
    assert_eq!(
        room.pages[1].ask("is_rematch", next.clone()),
        Ok(json!(false))
    );
    let read = room.pages[0].ask("read_offer", next).expect("an offer");
    assert_eq!(read["colours"], "red");
    assert_eq!(read["previous"], json!(room.number()));
}

#[test]
fn a_board_has_the_moves_and_players_in_its_colours_also_after_a_swap() {
    let mut room = Room::begun();
    room.make(2);
    assert_eq!(room.pages[1].shown()["game"]["may_swap"], true);
    let swap = room.pages[1].command(json!("swap"));
    let spoken = spoken(&swap).expect("a swap");
    let receipt = room.takes(&spoken);
    for page in &mut room.pages {
        page.hear(receipt);
    }
    room.make(2);
    let game = &room.pages[0].shown()["game"];
    assert_eq!(
        game["moves"],
        json!([
            { "kind": "drop", "player": "red", "bin": 2, "row": 0 },
            { "kind": "swap", "player": "blue" },
            { "kind": "drop", "player": "blue", "bin": 2, "row": 1 },
        ])
    );
    assert_eq!(game["notation"], "3s3");
    assert_eq!(
        (&game["you"], &game["may_swap"]),
        (&json!("blue"), &json!(false))
    );
    let accounts = [2, 1].map(|secret| json!(key(secret).address()));
    for (seat, account) in accounts.iter().enumerate() {
        assert_eq!(game["seats"][seat]["player"]["account"], *account);
    }
    // The player who has moved offers a draw.
    let offered = room.pages[0].command(json!("offer_draw"));
    assert_eq!(offered["shown"]["game"]["draw_offer"], "blue");
}

/// The terms that both have signed, as they open the room.
fn terms(room: &mut Room) -> FromWitness {
    let entered = room.enter(0);
    let terms = said(&entered).into_iter().find_map(|said| match said {
        ToWitness::Terms(terms) => Some(terms),
        _ => None,
    });
    FromWitness::Terms(terms.expect("terms"))
}

fn seen(watcher: &mut Page, message: FromWitness) -> Value {
    let frame = json!(hex(&message.encode()));
    watcher.ask("seen", frame).expect("an answer")
}

#[test]
fn a_game_is_watched_as_its_players_and_its_witness_have_signed_it() {
    let mut room = Room::begun();
    let terms = terms(&mut room);
    let welcome = FromWitness::Welcome {
        nonce: [4; 32],
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
        time: NOW * 1_000,
    };
    let mut watcher = Page::new(7, None);
    let asked = json!({ "number": room.number(), "witness": witness().address() });
    assert_eq!(watcher.ask("seen", json!("0x00")), Err("BadRequest".into()));
    assert_eq!(watcher.ask("watch", asked.clone()), Ok(json!(room.path())));
    assert_eq!(
        seen(&mut watcher, terms)["game"],
        Value::Null,
        "before the chain is known"
    );
    assert_eq!(seen(&mut watcher, welcome)["time"], NOW * 1_000);
    let shown = seen(&mut watcher, terms);
    assert_eq!(shown["wrong"], Value::Null);
    assert_eq!(shown["game"]["game"]["you"], Value::Null);
    for bin in LINE {
        room.make(bin);
        let forged = room.receipt(&room.moves, &key(6));
        let before = seen(&mut watcher, forged);
        assert!(before["wrong"].is_string());
        let receipt = room.receipt(&room.moves, &witness());
        let after = seen(&mut watcher, receipt);
        assert_eq!(after["wrong"], Value::Null);
        assert_eq!(after["game"]["game"]["position"]["turns"], room.moves.len());
    }
    let ended = room.told(&LINE, Telling::Ended(WitnessedEnd::Board), &witness());
    let over = seen(&mut watcher, ended);
    assert_eq!(over["game"]["is_over"], true);
    assert_eq!(over["game"]["game"]["position"]["winner"], "red");
    assert_eq!(over["game"]["until"], Value::Null);
    // A witness that ends it otherwise, too, is not believed any more.
    let other = room.told(&LINE, Telling::Ended(WitnessedEnd::Draw), &witness());
    let contradicted = seen(&mut watcher, other);
    assert_eq!(contradicted["game"]["is_contradicted"], true);
    // Terms of another game, or with another witness, are none of this one.
    for other in [
        json!({ "number": hex(&[5; 32]), "witness": witness().address() }),
        json!({ "number": room.number(), "witness": key(6).address() }),
    ] {
        watcher.ask("watch", other).expect("a path");
        seen(&mut watcher, welcome);
        assert!(seen(&mut watcher, terms)["wrong"].is_string());
    }
}

#[test]
fn a_lobby_is_understood_and_believed_nothing() {
    let mut page = Page::new(1, None);
    let text = offer(&mut page, "coin", 0);
    let said = json!({ "offer": { "offer": text, "invite": null } });
    let frame = page.ask("say_in_lobby", said).expect("a frame");
    let frame = bytes(&frame);
    let Some(ToLobby::Offer {
        offer: bytes,
        invite: None,
    }) = lobby::read(&frame)
    else {
        panic!("an offer");
    };
    let mut hear = |said: &FromLobby| {
        let heard = page.ask("hear_lobby", json!(hex(&said.encode())));
        heard.expect("an answer")
    };
    let listed = |offer| FromLobby::Listed {
        id: 3,
        invited: false,
        offer,
    };
    let heard = hear(&listed(bytes));
    assert_eq!(heard["listed"]["offer"], json!(text));
    assert_eq!(
        heard["listed"]["game"]["by"]["account"],
        json!(key(1).address())
    );
    let junk = hear(&listed(Offer::new(vec![1, 2, 3]).expect("few bytes")));
    assert_eq!(
        (&junk["listed"]["offer"], &junk["listed"]["id"]),
        (&Value::Null, &json!(3))
    );
    let witness = WitnessAt {
        key: witness().address(),
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
    };
    let welcome = hear(&FromLobby::Welcome {
        time: 9,
        witness: Some(witness),
    });
    assert_eq!(welcome["welcome"]["witness"]["place"], place(None));
    let letter = Letter::new(vec![7]).expect("a byte");
    let taken = hear(&FromLobby::Taken {
        offer: 3,
        id: 4,
        letter,
    });
    assert_eq!(
        taken["taken"],
        json!({ "offer": 3, "id": 4, "letter": "0x07" })
    );
    let why = NotPaired::Silent;
    let lost = hear(&FromLobby::NotPaired { offer: 3, why });
    assert_eq!(lost["not_paired"]["why"], "silent");
    assert_eq!(hear(&FromLobby::Complete), json!("complete"));
    assert_eq!(page.ask("hear_lobby", json!("0xff")), Ok(Value::Null));
    for stays in [false, true] {
        let answer = json!({ "offer": 3, "take": 4, "letter": "0x", "stays": stays });
        let frame = page.ask("say_in_lobby", json!({ "accept": answer }));
        let accepted = ToLobby::Accept {
            offer: 3,
            take: 4,
            letter: Letter::default(),
            stays,
        };
        assert_eq!(
            lobby::read(&crate::bytes(&frame.expect("a frame"))),
            Some(accepted)
        );
    }
}

#[test]
fn an_offer_is_taken_by_itself_only_where_it_suits() {
    let [mut own, mut other] = [Page::new(1, None), Page::new(2, None)];
    let mine = offer(&mut own, "coin", 0);
    let mut suits = |mine: &str, theirs: &str, now: u64| {
        own.ask("suits", json!({ "own": mine, "other": theirs, "now": now }))
            .expect("an answer")
    };
    for colours in ["coin", "red", "blue"] {
        let theirs = offer(&mut other, colours, 0);
        assert_eq!(suits(&mine, &theirs, NOW), true, "{colours}");
        assert_eq!(suits(&mine, &theirs, NOW + 61), false, "it is over");
        let red = offer(&mut Page::new(3, None), "red", 0);
        assert_eq!(suits(&red, &theirs, NOW), colours == "blue");
    }
    assert_eq!(suits(&mine, &mine, NOW), false, "nobody plays with itself");
}

#[test]
fn a_coin_decides_the_colours() {
    let (mut room, told) = Room::offered("coin");
    let decided = room.pages[0].step(json!({ "message": told }));
    for answer in sent(&decided) {
        room.pages[1].step(json!({ "message": answer }));
    }
    let [one, two] = &room.pages;
    assert_eq!(one.shown()["number"], two.shown()["number"]);
    assert_ne!(one.shown()["side"], two.shown()["side"]);
}

#[test]
fn nothing_is_given_out_before_the_record_is_on_the_disk() {
    let mut room = Room::begun();
    let page = &mut room.pages[0];
    let before = page.disk.clone();
    let stepped = page.ask("step", json!({ "command": { "move": 2 } }));
    let stepped = stepped.expect("an answer");
    assert_ne!(Some(&stepped["keep"]["record"]), before.as_ref());
    assert_eq!(stepped["outputs"], json!([]));
    for (name, asked) in [
        ("step", json!({ "time": NOW })),
        ("rematch", json!({ "until": NOW, "nonce": 1 })),
        ("step", json!({ "command": "resign" })),
    ] {
        assert_eq!(page.ask(name, asked), Err("Unwritten".into()));
    }
    let released = page.keep(stepped);
    let spoken = spoken(&released).expect("a move");
    assert_eq!((spoken.act, spoken.moves.to_vec()), (Act::Move, vec![2]));
    assert_eq!(page.ask("kept", Value::Null), Err("BadRequest".into()));
}

/// So that nobody waits for a disk to see it; what is signed here waits, and is seen with what goes out.
#[test]
fn a_move_of_the_opponent_is_seen_before_it_is_on_the_disk() {
    let mut room = Room::begun();
    let own = room.pages[0].ask("step", json!({ "command": { "move": 2 } }));
    let own = own.expect("an answer");
    assert_eq!(own["shown"], Value::Null);
    let released = room.pages[0].keep(own);
    let receipt = room.takes(&spoken(&released).expect("a move"));
    room.pages[0].hear(receipt);
    let heard = room.pages[1].ask("step", room_frame(hex(&receipt.encode())));
    let heard = heard.expect("an answer");
    assert!(heard["keep"]["record"].is_string());
    assert_eq!(heard["shown"]["game"]["notation"], "3");
    assert_eq!(heard["outputs"], json!([]));
    let released = room.pages[1].keep(heard);
    assert_eq!(released["shown"]["game"]["notation"], "3");
}

#[test]
fn a_page_that_is_loaded_again_continues_from_its_record() {
    let mut room = Room::begun();
    for bin in [0, 1, 0] {
        room.make(bin);
    }
    // The move is on the disk, and the witness has not heard of it.
    let moved = room.pages[1].command(json!({ "move": 3 }));
    let moved = spoken(&moved).expect("a move");
    let mut shown = room.pages[1].shown().clone();
    // What was left before the last moves no record has.
    shown["game"]["spent"] = json!([null, null, null]);
    let again = room.pages[1].again();
    assert_eq!(again["outputs"], json!([{ "enter": room.path() }]));
    assert_eq!(*room.pages[1].shown(), shown);
    let other = room.pages[1].command(json!({ "move": 4 }));
    assert_eq!(name_of(&other), Some("Bound"));
    let entered = room.enter(1);
    assert_eq!(spoken(&entered), Some(moved));
    let receipt = room.takes(&moved);
    for page in &mut room.pages {
        page.hear(receipt);
        assert_eq!(page.shown()["game"]["notation"], "1214");
    }
}

impl Room {
    fn path(&self) -> String {
        connect4_protocol::signed::wire::path(witness().address(), self.number())
    }
}

/// The page makes a move that it can't write; then the disk has this.
fn move_that_is_not_kept(page: &mut Page, bin: u8, disk: Value) -> Value {
    let stepped = page.ask("step", json!({ "command": { "move": bin } }));
    let wanted = stepped.expect("an answer")["keep"]["record"].clone();
    assert!(wanted.is_string());
    let disk = match disk {
        Value::Null => json!({ "has": wanted }),
        disk => disk,
    };
    page.ask("failed", disk).expect("an answer")
}

#[test]
fn a_disk_that_has_the_old_record_leaves_the_player_as_it_was() {
    let mut room = Room::begun();
    let page = &mut room.pages[0];
    let (shown, before) = (page.shown().clone(), page.disk.clone());
    for disk in [json!({ "has": before }), json!("empty")] {
        let failed = move_that_is_not_kept(page, 2, disk);
        assert_eq!(name_of(&failed), Some("NotKept"));
        assert_eq!(
            (&failed["outputs"], &failed["keep"]),
            (&json!([]), &Value::Null)
        );
        assert_eq!(failed["shown"], shown);
    }
    // Nothing of it was signed for anybody.
    let moved = page.command(json!({ "move": 3 }));
    let moved = spoken(&moved).expect("a move");
    assert_eq!(moved.moves.to_vec(), [3]);
}

#[test]
fn a_disk_that_may_have_the_new_record_binds_the_player_to_its_move() {
    for disk in [Value::Null, json!("unknown"), json!({ "has": "0x77" })] {
        let mut room = Room::begun();
        let page = &mut room.pages[0];
        let failed = move_that_is_not_kept(page, 2, disk);
        assert_eq!(name_of(&failed), Some("NotKept"));
        assert_eq!(failed["outputs"], json!([]));
        let other = page.command(json!({ "move": 3 }));
        assert_eq!(name_of(&other), Some("Bound"));
        // The disk fails once more, and has it.
        let failed = move_that_is_not_kept(page, 2, Value::Null);
        assert_eq!(name_of(&failed), Some("NotKept"));
        assert_eq!(failed["outputs"], json!([]));
        // It is kept before it is said.
        let same = page.ask("step", json!({ "command": { "move": 2 } }));
        let same = same.expect("an answer");
        assert!(same["keep"]["record"].is_string());
        let released = page.keep(same);
        let moved = spoken(&released).expect("a move");
        assert_eq!(moved.moves.to_vec(), [2]);
    }
}

#[test]
fn terms_of_a_game_that_the_disk_has_already_are_not_signed() {
    let (mut room, told) = Room::offered("red");
    let asked = room.pages[0].ask("step", json!({ "message": told }));
    let asked = asked.expect("an answer");
    let games = asked["keep"]["games"].clone();
    assert_eq!(games.as_array().map(Vec::len), Some(1));
    let failed = room.pages[0].ask("failed", json!({ "other": games }));
    let failed = failed.expect("an answer");
    assert_eq!(name_of(&failed), Some("OtherRecord"));
    assert_eq!(failed["outputs"], json!([]));
    assert_eq!(failed["shown"]["stage"], "offered");

    // By a coin the game is one of two.
    let mut taker = Page::new(3, None);
    let mut seeker = Page::new(1, None);
    let text = offer(&mut seeker, "coin", 0);
    let taken = taker.begin(take(&text)).expect("an answer");
    let games = taken["keep"]["games"].clone();
    assert_eq!(games.as_array().map(Vec::len), Some(2));
    let failed = taker.ask("failed", json!({ "other": games }));
    assert_eq!(failed, Err("OtherRecord".into()));
    let begun = taker.begin(take(&text)).expect("it is not open");
    assert_eq!(begun["name"], taken["name"]);
    assert_eq!(taker.ask("failed", json!("empty")), Err("NotKept".into()));
    assert_eq!(
        taker.ask("step", json!({ "time": NOW })),
        Err("NotOpen".into())
    );
}

#[test]
fn what_nobody_has_signed_is_refused() {
    let mut room = Room::begun();
    let moved = room.pages[0].command(json!({ "move": 2 }));
    let moved = spoken(&moved).expect("a move");
    let shown = room.pages[0].shown().clone();
    room.signatures[Player::One] = moved.signature;
    for (moves, by) in [
        (&[2][..], key(4)),
        (&[3][..], witness()),
        (&[2, 2][..], witness()),
    ] {
        let forged = room.receipt(moves, &by);
        let heard = room.pages[0].hear(forged);
        assert_eq!(name_of(&heard), Some("NotSigned"), "{moves:?}");
        assert_eq!(heard["outputs"], json!([]));
        assert_eq!(*room.pages[0].shown(), shown);
    }
    let junk = room.pages[0].step(room_frame("0xff00"));
    assert_eq!(name_of(&junk), Some("BadMessage"));
    let junk = room.pages[0].step(json!({ "message": "0xff00" }));
    assert_eq!(name_of(&junk), Some("BadMessage"));
    let receipt = room.takes(&moved);
    room.pages[0].hear(receipt);
    assert_eq!(room.pages[0].shown()["game"]["notation"], "3");
}

#[test]
fn a_contradiction_of_the_witness_is_kept() {
    let mut room = Room::begun();
    room.make(2);
    let other = room.receipt(&[3], &witness());
    let heard = room.pages[1].ask("step", room_frame(hex(&other.encode())));
    let heard = heard.expect("an answer");
    assert!(heard["keep"]["record"].is_string());
    let released = room.pages[1].keep(heard);
    assert_eq!(name_of(&released), Some("Contradicted"));
    room.pages[1].again();
    assert_eq!(room.pages[1].shown()["is_contradicted"], true);
}

#[test]
fn records_that_are_damaged_or_of_another_key_are_refused() {
    let mut room = Room::begun();
    let record = bytes(room.pages[0].disk.as_ref().expect("it is kept"));
    for at in [0, 10, record.len() / 2, record.len() - 1] {
        let mut damaged = record.clone();
        damaged[at] ^= 1;
        let opened = Page::new(1, None).begin(json!({ "record": hex(&damaged) }));
        assert_eq!(opened, Err("DamagedRecord".into()), "{at}");
    }
    let other = Page::new(2, None).begin(json!({ "record": hex(&record) }));
    assert_eq!(other, Err("DamagedRecord".into()));
    let again = room.pages[0].begin(json!({ "record": hex(&record) }));
    assert_eq!(again, Err("AlreadyOpen".into()));
}
