//! The contract on a local chain, and calls that must succeed or must be refused.

use codec::Decode;
use connect4_chain::Report;
use connect4_protocol::variants::message::{OpenTables, ReadVariant, ReadVariantBoard};
use connect4_protocol::variants::{End, Game, Page};
use connect4_protocol::{Address, Error, Event, Message, topic};
use connect4_rules::variant::{Colour, Move, VariantSpec};
use connect4_testing::contracts::VARIANTS;
use connect4_testing::{Account, ContractCall, Limits, Local, Refusal, address, answer, data};
use sp_core::H256;

use crate::call::Call;

/// Time of a new chain, in milliseconds since 1970. Contracts see full seconds, so it is not one.
const START: u64 = 1_700_000_000_600;

/// A call that succeeded.
pub struct Done {
    /// Bytes that the contract returned.
    pub output: Vec<u8>,
    pub events: Vec<Event>,
    pub report: Report,
}

impl Done {
    /// What a message returned that may refuse.
    pub fn returned<T: Decode>(&self) -> T {
        answer::<Result<T, Error>>(&self.output).expect("not refused")
    }

    /// Number of the game or table that the call made.
    pub fn number(&self) -> u32 {
        self.returned()
    }
}

/// A chain with a contract of the variants.
pub struct World {
    pub local: Local,
    pub contract: Address,
}

impl World {
    pub fn new() -> Self {
        let local = Local::new(START);
        local.upload(Account::Ferdie, VARIANTS);
        let mut world = Self {
            local,
            contract: Address::ZERO,
        };
        world.deploy_anew();
        world
    }

    /// Replaces the contract by a new one.
    pub fn deploy_anew(&mut self) {
        let constructor = data("new", ());
        let (contract, _) = self
            .local
            .instantiate(Account::Ferdie, VARIANTS, constructor);
        self.contract = contract;
    }

    pub fn call(&self, caller: Account, call: &Call) -> ContractCall {
        ContractCall::new(caller, self.contract, call.input())
    }

    /// Tries a call, then sends it. The transaction has to succeed if the dry run did.
    pub fn try_and_send(&self, who: Account, call: &Call) -> Result<Done, Refusal> {
        let call = self.call(who, call);
        let output = self.local.dry_run(&call).output();
        let report = self.local.send(&call, Limits::AMPLE);
        assert_eq!(report.outcome.is_ok(), output.is_ok(), "{report:?}");
        let events = self.events(&report);
        match output {
            Ok(output) => Ok(Done {
                output,
                events,
                report,
            }),
            Err(refusal) => {
                assert_eq!(events, [], "a refused call emits nothing");
                Err(refusal)
            }
        }
    }

    /// The events of a transaction, whose topics are checked.
    pub fn events(&self, report: &Report) -> Vec<Event> {
        let events = report.contract_events().map(|(contract, topics, data)| {
            assert_eq!(contract.0, self.contract.0);
            let event = Event::decode(topics[0].as_bytes(), data)
                .expect("the encoding of an event")
                .expect("an event of this contract");
            assert_eq!(topics, topics_of(&event), "{event:?}");
            event
        });
        events.collect()
    }

    /// Makes a call that must succeed.
    #[track_caller]
    pub fn does(&self, who: Account, call: Call) -> Done {
        println!("{who} {call}");
        self.try_and_send(who, &call)
            .unwrap_or_else(|why| panic!("{who} {call}: {why:?}"))
    }

    /// Makes a call that must be refused.
    #[track_caller]
    pub fn refuses(&self, who: Account, call: Call) -> Error {
        let refusal = self.try_and_send(who, &call).err();
        println!("{who} {call}: {refusal:?}");
        let Some(Refusal::Because(error)) = refusal else {
            panic!("{who} {call}: not refused");
        };
        error
    }

    /// Starts a game, and returns its number.
    pub fn starts(&self, players: &[Account], variant: VariantSpec) -> u32 {
        let call = Call::Start(players.to_vec(), variant);
        self.does(players[0], call).number()
    }

    /// Makes these moves, written in the notation of variants, each by the player to move. Prints the
    /// board after each, and returns how the game ended.
    #[track_caller]
    pub fn play(&self, game: u32, moves: &[&str]) -> Option<End> {
        let mut end = None;
        for text in moves {
            let action: Move = text.parse().expect("a move");
            end = self
                .does(self.to_move(game), Call::Move(game, action))
                .returned();
            println!("{}", self.game(game).unwrap().position());
        }
        end
    }

    /// Who is to move.
    pub fn to_move(&self, game: u32) -> Account {
        let game = self.game(game).unwrap();
        who(game.account_of(game.to_move().expect("the game goes on")))
    }

    /// Answer to a query of an account that plays no game.
    #[track_caller]
    pub fn query<M: Message>(&self, message: M) -> M::Answer {
        self.local.query(self.contract, message)
    }

    pub fn game(&self, game: u32) -> Result<Game, Error> {
        self.query(ReadVariant { game })
    }

    pub fn board(&self, game: u32) -> Result<Vec<Vec<Option<Colour>>>, Error> {
        self.query(ReadVariantBoard { game })
    }

    pub fn open_tables(&self, from: Option<u32>, limit: u8) -> Result<Page, Error> {
        self.query(OpenTables { from, limit })
    }

    /// Numbers of the open tables, the newest first.
    pub fn tables(&self) -> Vec<u32> {
        let page = self.open_tables(None, Page::MAX_LEN).unwrap();
        assert_eq!(page.next, None);
        page.tables.into_iter().map(|(number, _)| number).collect()
    }

    pub fn winner(&self, game: u32) -> Option<Account> {
        self.game(game).unwrap().winner().map(who)
    }

    pub fn wait(&self, seconds: u64) {
        self.local.wait(seconds);
    }
}

/// The development account with this address.
pub fn who(has: Address) -> Account {
    Account::iter().find(|&who| address(who) == has).unwrap()
}

/// The topics that an event has to have: the hash of its declaration, the game, and the account
/// that the event marks as a topic.
fn topics_of(event: &Event) -> Vec<H256> {
    let account = match event {
        Event::TableOpened(event) => Some(event.opener),
        Event::PlayerJoined(event) => Some(event.player),
        Event::PlayerLeft(event) => Some(event.player),
        Event::TableClosed(event) => Some(event.opener),
        Event::VariantStarted(_) => None,
        Event::MoveMade(event) => Some(event.player),
        Event::VariantEnded(event) => Some(event.winner.unwrap_or_default()),
        Event::VariantFreed(event) => Some(event.payer),
        other => panic!("{other:?} is of another contract"),
    };
    let name = format!("{event:?}");
    let name = name.split('(').next().unwrap();
    let mut declarations = Event::DECLARATIONS.iter();
    let declaration = declarations
        .find(|declaration| declaration.split('(').next() == Some(name))
        .unwrap();
    let padded = |bytes: &[u8]| {
        let mut topic = H256::zero();
        topic.0[..bytes.len()].copy_from_slice(bytes);
        topic
    };
    let game = event.game().unwrap().number();
    let mut topics = vec![H256(topic(declaration)), padded(&game.to_le_bytes())];
    topics.extend(account.map(|account| padded(&account.0)));
    topics
}
