//! Two pages that play a fast game, and the chain as the contract runs it.

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::fast::wire::{FromRelay, ToRelay};
use connect4_protocol::fast::{Agreed, FIRST, FastGame, Native};
use connect4_protocol::message::{Advance, DropFast, Press};
use connect4_protocol::{ClockSpec, Error, Match, Message, selector};
use connect4_rules::{Bin, ByPlayer, Player};
use connect4_testing::fast::FastPlay;
use serde_json::{Value, json};

use crate::{ask, bytes, hex};

pub const NUMBER: u32 = FIRST + 3;

/// What a page has on its disk, and the offers that it knows.
#[derive(Clone)]
pub struct Page {
    pub secret: String,
    pub book: Value,
    pub offers: Value,
}

pub struct Play {
    pub play: FastPlay,
    pub chain: FastGame,
    pub now: u64,
    /// Time of the machine on which the pages are, if it is told.
    pub machine: Option<u64>,
    pub pages: [Page; 2],
}

impl Play {
    pub fn new() -> Self {
        let play = FastPlay::new(NUMBER);
        let agreed = Agreed {
            players: ByPlayer::from_fn(|player| play.game.game.account_of(player)),
            keys: play.game.keys,
            payer: play.game.game.payer(),
            shape: play.game.game.shape().into(),
            clock: Some(ClockSpec {
                bank: 600,
                increment: 5,
            }),
            pie_rule: false,
        };
        let page = |player| Page {
            secret: hex(&play.keys.get(player).secret()),
            book: Value::Null,
            offers: json!({}),
        };
        Self {
            chain: FastGame::start(&agreed).expect("two keys"),
            now: 1_800_000_000,
            machine: None,
            pages: Player::ALL.map(page),
            play,
        }
    }

    /// The output of `read_fast`.
    pub fn chain(&self) -> String {
        let answer: Result<Result<FastGame, Error>, ()> = Ok(Ok(self.chain));
        hex(&answer.encode())
    }

    pub fn table(&self) -> Value {
        json!({
            "game": "f3",
            "chain_id": self.play.domain.chain_id,
            "contract": self.play.domain.contract.to_string(),
            "chain": self.chain(),
            "now": self.now,
            "machine": self.machine,
        })
    }

    /// A step of a page, with all that the one before has returned.
    pub fn asked(&self, page: usize, step: &Value) -> Value {
        let Page {
            secret,
            book,
            offers,
        } = &self.pages[page];
        json!({ "seat": {
            "table": self.table(), "secret": secret, "book": book, "offers": offers, "step": step,
        } })
    }

    /// Makes a step, and keeps what it returns.
    pub fn step(&mut self, page: usize, step: Value) -> Result<Value, Value> {
        let stepped = ask("seat", &self.asked(page, &step)["seat"])?;
        let kept = &mut self.pages[page];
        if !stepped["book"].is_null() {
            kept.book = stepped["book"].clone();
        }
        kept.offers = stepped["offers"].clone();
        Ok(stepped)
    }

    /// Makes a step, and returns the name of the reason for which it is refused.
    pub fn refused(&mut self, page: usize, step: Value) -> String {
        let error = self.step(page, step).expect_err("it is refused");
        error["name"].as_str().expect("a name").into()
    }

    /// What the relay sends of a frame that a page sends.
    pub fn relayed(frame: &Value) -> Value {
        let message = ToRelay::decode_all(&mut &*bytes(frame)).expect("a message");
        from_relay(&match message {
            ToRelay::Position(evidence) => FromRelay::Position(evidence),
            ToRelay::Offer(offer) => FromRelay::Offer(offer),
            ToRelay::Join { .. } => {
                panic!("a relay keeps it to itself")
            }
        })
    }

    /// Plays these bins, each of which arrives; returns what the last drop has returned.
    pub fn drop_all(&mut self, bins: &[u8]) -> Value {
        let mut last = Value::Null;
        for bin in bins {
            let looked = self.step(0, json!("look")).expect("a seat");
            let mover = usize::from(looked["state"]["position"]["to_move"] != "red");
            last = self.step(mover, json!({ "drop": bin })).expect("legal");
            self.deliver(mover, &last);
        }
        last
    }

    /// The other page hears all that a step sends, and the page hears what that answers.
    pub fn deliver(&mut self, from: usize, stepped: &Value) {
        for frame in stepped["send"].as_array().expect("frames") {
            let to = 1 - from;
            let heard = self.step(to, json!({ "hear": Self::relayed(frame) }));
            let answer = heard.expect("a seat");
            self.deliver(to, &answer);
        }
    }

    /// Does on the chain what a page's account calls.
    pub fn call(&mut self, page: usize, call: &Value) -> Result<(), Error> {
        let account = self.chain.game.account_of(Player::ALL[page]);
        let input = bytes(&call["input"]);
        let (name, arguments) = input.split_at(4);
        let mut game = self.chain;
        if name == selector(Advance::NAME) {
            let call = Advance::decode_all(&mut &*arguments).expect("its arguments");
            let (number, domain) = (call.game, self.play.domain);
            game.advance(number, &call.evidence, &domain, &Native, self.now)?;
            if call.press && !game.game.is_over() {
                game.press(account, self.now)?;
            }
        } else if name == selector(DropFast::NAME) {
            let call = DropFast::decode_all(&mut &*arguments).expect("its arguments");
            game.drop(account, Bin::new(call.bin), self.now)?;
        } else if name == selector(Press::NAME) {
            game.press(account, self.now)?;
        } else {
            assert_eq!(call["message"], "claim_timeout");
            game.claim_timeout(&Match::default(), self.now)?;
        }
        self.chain = game;
        Ok(())
    }
}

pub fn from_relay(message: &FromRelay) -> Value {
    json!(hex(&message.encode()))
}
