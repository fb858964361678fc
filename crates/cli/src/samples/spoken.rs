//! Everything that commands and games say, as it is printed: `said.txt`, which a test compares.

use connect4_client::signed::{Call, GameOffer};
use connect4_client::{Address, Deployment, GameId, Gap};
use connect4_index::{League, Standing, Unrated};
use connect4_opponent::{Evaluation, Level, Verdict, Worth};
use connect4_protocol::signed::GameNumber;
use connect4_protocol::signed::lobby::Counts;
use connect4_protocol::signed::{Chain, Domain, Party, Terms};
use connect4_protocol::{AnyGame, ClockSpec};
use connect4_rules::variant::Colour;
use connect4_rules::{Bin, Outcome, Player, Shape};
use connect4_server::Witnessed;
use connect4_testing::declarations::compare;
use connect4_wire::StandingsOf;

use super::schema::Schema;
use super::{events, game, occurrence, receipt, signer, variant, variant_events};
use crate::game::{GameAt, Numbering};
use crate::json;
use crate::output::no_token;
use crate::people::{self, Words};
use crate::said::{
    BotGame, BotNews, BotReady, Deployed, Done, Evaluated, Greeting, Incomplete, Left, Made, Note,
    Said, Seeking, SeekingNews, Sent, Sponsored, Step,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/samples/said.txt");
const HEAD: &str = "\
Everything that commands and games at a terminal say: where it goes, the words, and the line of --json.
Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-cli declarations` writes it again.
";

/// What was said, as text; and how each line of `--json` has to be.
struct Spoken(String, Schema);

impl Spoken {
    fn say(&mut self, said: Said<'_>) {
        let name = format!("{said:?}");
        let name = name.split(|c: char| !c.is_alphanumeric()).next();
        let token = no_token();
        let text = &mut self.0;
        text.push_str(&format!("\n# {}", name.unwrap_or_default()));
        let (place, words) = match people::words(&said, &token) {
            None => ("", None),
            Some(Words::Lines(text) | Words::Board(text)) => ("", Some(text)),
            Some(Words::Aside(text)) => (", above an open question", Some(text)),
            Some(Words::Heading(text)) => (", above the first board", Some(text)),
            Some(Words::Below(text)) => (", below the board", Some(text)),
            Some(Words::Note(text)) => (", with the next board", Some(text)),
            Some(Words::NextNote(text)) => (", with the next board and notes before", Some(text)),
        };
        text.push_str(&format!("{place}\n"));
        if let Some(words) = words {
            text.push_str(&format!("{words}\n"));
        }
        for remark in people::remarks(&said) {
            text.push_str(&format!("(standard error) {remark}\n"));
        }
        if let Some(line) = json::line(&said, &token) {
            let value = serde_json::to_value(&line).expect("JSON");
            assert!(self.1.has(&value), "{value}");
            let line = serde_json::to_string(&line).expect("JSON");
            text.push_str(&format!("{line}\n"));
        }
    }
}

#[test]
fn declarations_of_everything_that_is_said() {
    console::set_colors_enabled(false);
    let mut spoken = Spoken(HEAD.into(), Schema::read());
    commands(&mut spoken);
    standings(&mut spoken);
    serving(&mut spoken);
    ends(&mut spoken);
    variants(&mut spoken);
    playing(&mut spoken);
    told_events(&mut spoken);
    compare(FILE, &spoken.0, "connect4-cli");
}

fn at(game: impl Into<AnyGame>) -> GameAt {
    let game = game.into();
    GameAt {
        contract: signer("alice").address(),
        id: match game {
            AnyGame::Two(_) => GameId::Classic(7).into(),
            AnyGame::Variant(_) => GameId::Variant(7).into(),
        },
        game,
        clock: None,
    }
}

/// Commands on games.
fn commands(spoken: &mut Spoken) {
    let alice = signer("alice");
    let contract = alice.address();
    let receipt = receipt(());
    let sent = (&receipt).into();
    let deployment = Deployment {
        address: contract,
        receipt: Some(super::receipt(contract)),
        signed_records: Some(contract),
        signed_records_receipt: Some(super::receipt(contract)),
        stakes: Some(contract),
        stakes_receipt: Some(super::receipt(contract)),
    };
    spoken.say(Said::Deployed(Deployed {
        deployer: &alice,
        deployment: &deployment,
        variants: &deployment,
    }));
    let ended = game("6151413");
    spoken.say(Said::Started {
        at: at(ended),
        deployment: None,
        sent,
    });
    spoken.say(Said::Sending("dropping a disc into the 3rd bin"));
    spoken.say(Said::Made(Made {
        colour: Colour::Red,
        step: Step::Drop {
            bin: Bin::new(2),
            row: 0,
            numbering: Numbering::Zero,
        },
        after: at(ended),
        sent: Some(sent),
    }));
    spoken.say(Said::Shown(at(ended)));
    for listed in [
        (GameId::Classic(7), Some(ended.into())),
        (GameId::Classic(8), None),
        (GameId::Classic(7), Some(game("61").into())),
        (GameId::Variant(7), Some(variant("12").into())),
        (GameId::Variant(8), None),
    ] {
        spoken.say(Said::Listed {
            contract,
            id: listed.0,
            game: listed.1,
        });
    }
    spoken.say(Said::NoGames { missing: None });
    spoken.say(Said::NoGames {
        missing: Some(contract),
    });
    spoken.say(Said::OlderGames {
        hidden: 3,
        count: 23,
    });
    spoken.say(Said::VariantsFollow);
    spoken.say(Said::NoTables);
    spoken.say(Said::Following { contract });
    spoken.say(Said::Watching(at(ended)));
    spoken.say(Said::Board((&at(game("61")).game).into()));
    spoken.say(Said::Board((&at(variant("12t1.1")).game).into()));
    spoken.say(Said::ToMove(Colour::Green));
    spoken.say(Said::Replayed {
        game: ended.into(),
        moves: "6151413".into(),
    });
    spoken.say(Said::Replayed {
        game: variant("12").into(),
        moves: "12".into(),
    });
    spoken.say(Said::Reviewed {
        turn: 5,
        player: Player::Two,
        bin: Bin::new(0),
        verdict: &Verdict {
            made: Worth::LosesIn(1),
            best: Worth::Draw,
            best_bins: vec![Bin::new(3)],
        },
        spent: Some(40_500),
    });
    for report in super::puzzles::reports() {
        spoken.say(Said::Puzzle(&report));
    }
    spoken.say(Said::Account {
        signer: &alice,
        balance: 5,
        is_mapped: true,
    });
}

fn standings(spoken: &mut Spoken) {
    let standing = Standing {
        account: signer("alice").address(),
        wins: 1,
        draws: 2,
        losses: 3,
        rated: 4,
        rating: 1500.4,
        program: false,
    };
    let of_program = Standing {
        program: true,
        ..standing.clone()
    };
    let unrated = Unrated {
        frequent: 2,
        ..Unrated::default()
    };
    for of in [
        League::Two,
        League::More,
        League::Witnessed(0),
        League::Witnessed(7),
    ] {
        spoken.say(Said::Standing {
            of,
            first: true,
            standing: &standing,
            complete: true,
        });
        if matches!(of, League::Witnessed(_)) {
            spoken.say(Said::Standing {
                of,
                first: false,
                standing: &of_program,
                complete: true,
            });
        }
        spoken.say(Said::Unrated { of, unrated });
    }
    for of in [StandingsOf::Variants, StandingsOf::Signed] {
        spoken.say(Said::Incomplete(&Incomplete {
            of,
            gaps: vec![Gap {
                first: 1,
                last: 9,
                since: Some(1_763_748_309),
                until: None,
            }],
            recorded: 2,
            lost: 1,
        }));
    }
    spoken.say(Said::RatingsAreNoProof);
    spoken.say(Said::NoStandings);
}

/// Programs that serve.
fn serving(spoken: &mut Spoken) {
    let addr = ([0, 0, 0, 0], 4444).into();
    let place = "a chain in memory";
    spoken.say(Said::Serving {
        addr,
        key: "key",
        place,
        witness: None,
        is_kept: true,
    });
    let witness = Witnessed {
        key: Address([0xab; 20]),
        aside: None,
    };
    spoken.say(Said::Serving {
        addr: ([127, 0, 0, 1], 4444).into(),
        key: "key",
        place,
        witness: Some(&witness),
        is_kept: false,
    });
    spoken.say(Said::PageWritten {
        folder: "page".as_ref(),
        files: 7,
        sha256: "07",
    });
    spoken.say(Said::Hosting {
        addr,
        place,
        witness: Some(&witness),
    });
    spoken.say(Said::Relaying {
        addr,
        place,
        witness: None,
    });
    spoken.say(Said::Relaying {
        addr,
        place,
        witness: Some(&Witnessed {
            aside: Some("witness/log.aside.1".into()),
            ..witness
        }),
    });
    let url = "ws://127.0.0.1:9944";
    spoken.say(Said::Away { url });
    spoken.say(Said::Back {
        url,
        lasted: std::time::Duration::from_secs(7),
    });
}

/// Ends of games, and what accounts get.
fn ends(spoken: &mut Spoken) {
    let alice = signer("alice");
    let receipt = receipt(());
    let sent = (&receipt).into();
    let ended = at(game("6151413"));
    for sent in [Some(sent), None] {
        spoken.say(Said::Ended { at: ended, sent });
    }
    for done in [
        Done::Freed(GameId::Classic(7)),
        Done::Freed(GameId::Variant(7)),
        Done::TableClosed(GameId::Variant(7)),
    ] {
        spoken.say(Said::Done(done, sent));
    }
    records(spoken, sent);
    spoken.say(Said::Paid {
        signer: &alice,
        amount: 10,
        sent,
    });
}

fn records(spoken: &mut Spoken, sent: Sent<'_>) {
    let numbers = [GameNumber([0xab; 32]), GameNumber([0xcd; 32])];
    for (games, transactions, deposit) in [(1, 1, 0), (130, 2, 7), (2, 1, -7)] {
        spoken.say(Said::RecordCost {
            games,
            transactions,
            fee: 1234,
            deposit,
        });
    }
    spoken.say(Said::NotRecorded {
        game: "some.game",
        why: "it is on the chain already",
    });
    for games in [&numbers[..1], &numbers] {
        spoken.say(Said::Recorded { games, sent });
    }
    let written = super::written::record(Some(GameId::Classic(3).into()));
    spoken.say(Said::Exported(&written));
    let path = std::path::Path::new(super::written::FILE);
    spoken.say(Said::ExportedTo { path, games: 2 });
    let found = Evaluation {
        score: -2,
        best_bins: [2, 5, 6].map(Bin::new).to_vec(),
        discs_left: 36,
    };
    for (moves, evaluated) in [
        ("4453", Evaluated::Open(found)),
        ("1212121", Evaluated::Over(Outcome::Won(Player::One))),
    ] {
        spoken.say(Said::Evaluated {
            moves,
            evaluated: &evaluated,
        });
    }
    for line in [Some(11), None] {
        spoken.say(Said::PassedOver {
            file: path,
            line,
            why: "the result is 0-1 by a line, but the moves give 1-0 by a line",
        });
    }
    super::written::verified(&mut |verified| spoken.say(Said::Verified(verified)));
    spoken.say(Said::Reviewing {
        file: path,
        line: 12,
    });
    for (games, sending) in [(1, 0), (30, 12)] {
        spoken.say(Said::Sponsored(Sponsored {
            account: signer("alice").address(),
            budget: 10_000_000_000,
            spent: 1234,
            spent_in_all: 12345,
            games,
            sending,
            waiting: 3,
        }));
    }
    bots(spoken);
    searches(spoken);
}

fn searches(spoken: &mut Spoken) {
    let counts = Counts {
        waiting: 1,
        playing: 12,
    };
    let chain = Chain {
        id: 1,
        genesis: [2; 32],
    };
    let terms = Terms {
        pie_rule: true,
        pool: 4,
        clock: Some(ClockSpec::USUAL),
        ..Terms::on(Shape::STANDARD)
    };
    let party = Party::Guest(Address([9; 20]));
    let program = GameOffer::new(Domain::without_stake(chain), party, terms, 0);
    for (seconds, news) in [
        (0, SeekingNews::Counted),
        (5, SeekingNews::Changed),
        (60, SeekingNews::Program(Box::new(program))),
        (60, SeekingNews::Computer),
    ] {
        spoken.say(Said::Seeking(&Seeking {
            counts: Some(counts),
            waited: std::time::Duration::from_secs(seconds),
            news,
        }));
    }
}

fn bots(spoken: &mut Spoken) {
    let ready = BotReady {
        account: Address([7; 20]),
        name: "perfect".into(),
        level: Level::Perfect,
        relay: "wss://relay.example".into(),
        sought: Terms {
            pie_rule: true,
            pool: 4,
            ..Terms::on(Shape::STANDARD)
        },
    };
    let game = |moves| BotGame {
        number: GameNumber([8; 32]),
        opponent: Address([9; 20]),
        is_program: false,
        seat: Player::One,
        game: game(moves),
    };
    let of_programs = BotGame {
        is_program: true,
        seat: Player::Two,
        ..game("6162535")
    };
    for news in [
        BotNews::Ready(ready),
        BotNews::Began(game("")),
        BotNews::Resumed(game("6")),
        BotNews::Waits(game("61")),
        BotNews::Left(game("61")),
        BotNews::NotBegun(game("")),
        BotNews::Ended(game("6151413")),
        BotNews::Ended(BotGame {
            seat: Player::Two,
            ..game("6151413")
        }),
        BotNews::Unfinished(of_programs),
        BotNews::Trouble("the relay is lost: it is silent; trying again".into()),
    ] {
        spoken.say(Said::Bot(&news));
    }
}

fn variants(spoken: &mut Spoken) {
    let account = signer("alice").address();
    let receipt = receipt(());
    let sent = (&receipt).into();
    let (before, after) = (variant("12"), at(variant("12t1.1")));
    spoken.say(Said::Started {
        at: after,
        deployment: None,
        sent,
    });
    spoken.say(Said::TableOpened {
        at: after,
        deployment: None,
        sent,
        reach: "",
    });
    spoken.say(Said::Shown(after));
    spoken.say(Said::Watching(after));
    for sent in [Some(sent), None] {
        spoken.say(Said::Joined {
            account,
            at: after,
            sent,
        });
        let made = || Made {
            colour: Colour::Green,
            step: Step::Move {
                action: "t1.1".parse().expect("a move"),
                before: before.position(),
            },
            after,
            sent,
        };
        let left = || Left {
            account,
            colour: Some(Colour::Red),
            late: true,
            after,
            sent,
        };
        spoken.say(Said::Made(made()));
        spoken.say(Said::Moved(made()));
        spoken.say(Said::Left(left()));
        spoken.say(Said::PlayerLeft(left()));
        spoken.say(Said::Ended { at: after, sent });
    }
}

/// Games at a terminal.
fn playing(spoken: &mut Spoken) {
    let receipt = receipt(());
    let sent = (&receipt).into();
    let classic = at(game("6151413"));
    let variant = at(variant("12t1.1"));
    spoken.say(Said::Raised("bins raised from 2 to 5, the least"));
    spoken.say(Said::Greeting(&Greeting {
        at: GameAt {
            id: GameNumber([8; 32]).into(),
            ..classic
        },
        place: "relay wss://relay.example".into(),
        people: vec![Colour::Red],
        invitations: Vec::new(),
        computers: Vec::new(),
    }));
    for at in [classic, variant] {
        spoken.say(Said::Opened {
            id: at.id,
            deployment: None,
            sent,
        });
        spoken.say(Said::Greeting(&Greeting {
            at,
            place: "a chain in memory".into(),
            people: vec![Colour::Blue],
            invitations: vec![(Colour::Red, "connect4 play --game 7 --seat red".into())],
            computers: vec![(Colour::Red, Level::Hard)],
        }));
        spoken.say(Said::Ask {
            game: at.id,
            turn: 3,
            colour: Colour::Red,
        });
        spoken.say(Said::Invalid {
            game: at.id,
            colour: Colour::Red,
            reason: "full",
        });
        spoken.say(Said::Refused {
            game: at.id,
            colour: Colour::Red,
            reason: "the game is over",
        });
        spoken.say(Said::Undone {
            text: "Undone: the last move; its block was replaced.".into(),
            count: 1,
            after: at,
        });
    }
    spoken.say(Said::WaitingForPlayers(
        "waits for players, 1 of 3 are there",
    ));
    for words in [None, Some("resign or help")] {
        spoken.say(Said::Waiting {
            colour: Colour::Red,
            words,
        });
    }
    let terms = Terms {
        stake: 10,
        ..Terms::on(Shape::CLASSROOM)
    };
    let number = GameNumber([7; 32]);
    for call in [Call::Fund { terms, payment: 4 }, Call::Refund, Call::Claim] {
        spoken.say(Said::Staked {
            game: Some(number),
            call: &call,
            sent,
        });
    }
    spoken.say(Said::StakeOwed {
        game: number.into(),
        owed: 20,
    });
    spoken.say(Said::Overtaken("it is not your turn"));
    spoken.say(Said::Note(Note::Text("your time has run out")));
    spoken.say(Said::Note(Note::Resigned(Colour::Red, sent)));
    spoken.say(Said::Notice("guarding the games of alice"));
    for sent in [None, Some(sent)] {
        spoken.say(Said::Moved(Made {
            colour: Colour::Red,
            step: Step::Drop {
                bin: Bin::new(2),
                row: 0,
                numbering: Numbering::Zero,
            },
            after: classic,
            sent,
        }));
    }
    spoken.say(Said::RematchDeclined);
}

fn told_events(spoken: &mut Spoken) {
    let of_game = game("6151413");
    for event in events() {
        let at = &occurrence(event);
        let game = Some(of_game.into());
        spoken.say(Said::Event {
            at,
            game,
            before: None,
        });
        spoken.say(Said::EventUndone { at, game });
    }
    let (of_variant, position) = (variant("12t1.1"), variant("12"));
    for event in variant_events() {
        let at = &occurrence(event);
        for before in [None, Some(position.position())] {
            let game = Some(of_variant.into());
            spoken.say(Said::Event { at, game, before });
            spoken.say(Said::EventUndone { at, game });
        }
    }
}
