//! What a game at a terminal says, in words.

use connect4_client::signed::Call;
use connect4_client::{Address, GameId, Token};
use connect4_protocol::GameName;
use connect4_rules::variant::Colour;

use super::Words;
use super::text::Text;
use crate::said::{Greeting, Left, Made, Note, Seeking, SeekingNews, Sent, Step};
use crate::words::{self, coloured, dim, variant};

/// How a search for an opponent stands; none if that need not be said again.
pub fn seeking(seeking: &Seeking) -> Option<String> {
    match &seeking.news {
        SeekingNews::Counted => seeking.counts.map(words::how_many),
        SeekingNews::Changed => None,
        SeekingNews::Program(program) => Some(format!(
            "nobody has come for {}. Type `program` to play {}, a program: {}. Or wait; somebody who comes first is played",
            words::minutes(seeking.waited.as_secs()),
            words::who(program.party().account()),
            words::sought_in_words(&program.terms)
        )),
        SeekingNews::Computer => Some(format!(
            "nobody has come for {}, and no program is connected here. Wait, or leave by Ctrl-C and play the computer of \
             this program, which is unrated, by\n  connect4 play --against hard",
            words::minutes(seeking.waited.as_secs())
        )),
    }
}

/// The lines above the first board: the game, and who plays where.
pub fn greeting(text: &mut Text<'_>, greeting: &Greeting) {
    let game = &greeting.at.game;
    let name = match greeting.at.id {
        GameName::Chain(id) => format!("{} {id}", words::game_or_table(game)),
        // Its number has a line of its own.
        GameName::Terms(_) => "game by signed terms".to_owned(),
    };
    let terms = words::terms_of(game);
    text.line(format!(
        "Connect Four {terms}: {name} on {}",
        greeting.place
    ));
    // A game without a stake has no contract.
    if greeting.at.contract != Address::ZERO {
        text.line(format!("contract: {}", greeting.at.contract));
    }
    text.players(game);
    if !greeting.people.is_empty() {
        let people: Vec<&str> = greeting.people.iter().map(|colour| colour.name()).collect();
        text.line(format!("you play {}", people.join(" and ")));
    }
    for (colour, level) in &greeting.computers {
        text.line(format!("the computer plays {colour}: {level}"));
    }
    for (colour, command) in &greeting.invitations {
        text.line(format!("{colour} joins with\n  {command}"));
    }
}

/// Whose turn it is, with what is counted from 1.
pub fn asked(game: GameName, turn: u16, colour: Colour) -> String {
    match game {
        GameName::Chain(GameId::Variant(_)) => {
            let name = coloured(colour, format!("{} {colour}", colour.disc()), true);
            format!("turn: {turn}, player: {name}")
        }
        _ => {
            let name = coloured(colour, colour, true);
            format!("add shape: {turn}, player: {name}")
        }
    }
}

/// What is said with the next board.
pub fn note(note: &Note<'_>, token: &Token) -> String {
    match note {
        Note::Text(text) => (*text).into(),
        Note::Resigned(colour, sent) => {
            let player = coloured(*colour, colour, false);
            format!("{player} gave the game up: {}", dim_cost(*sent, token))
        }
    }
}

/// What a transaction of a game with a stake has done, in words.
pub fn staked(call: &Call, sent: Sent<'_>, token: &Token) -> String {
    let done = match call {
        Call::Fund { terms, payment } => {
            let stake = token.contract_amount(terms.stake);
            match terms.stake.saturating_sub(*payment) {
                0 => format!("paid the stake of {stake}"),
                owed => {
                    let owed = token.contract_amount(owed);
                    format!("paid the stake of {stake}, of which {owed} from what you were owed")
                }
            }
        }
        Call::Refund => "your stake is paid back".into(),
        Call::Advance { press: true, .. } => {
            "brought what is signed to the chain, and started the opponent's clock there".into()
        }
        Call::Advance { press: false, .. } => "brought what is signed to the chain".into(),
        Call::Press => "started the opponent's clock on the chain".into(),
        Call::Drop { .. } => "made the move on the chain".into(),
        Call::Claim => "claimed the timeout".into(),
        Call::Withdraw => "was paid what the contract owed".into(),
        Call::Free => "freed the storage of the game".into(),
    };
    format!("{done}: {}", dim_cost(sent, token))
}

/// A move. Of a classic game only the last one is told.
pub fn moved(made: &Made<'_>, token: &Token) -> Words {
    let name = coloured(made.colour, made.colour, false);
    let with_cost = |text: String| match made.sent {
        Some(sent) => {
            let mapped = match sent.mapped {
                Some(mapped) => {
                    let cost = dim(words::transaction(mapped, token));
                    format!("made the account known to contracts: {cost}\n")
                }
                None => String::new(),
            };
            format!("{mapped}{text}: {}", dim_cost(sent, token))
        }
        None => text,
    };
    match made.step {
        Step::Drop {
            bin,
            row,
            numbering,
        } => {
            let (bin, row) = (numbering.of(bin.index()), numbering.of(row));
            Words::Note(with_cost(format!("{name} into bin {bin}, row {row}")))
        }
        Step::Move { action, before } => {
            Words::NextNote(with_cost(variant::done(&name, action, Some(before))))
        }
    }
}

/// A player who left the game, or was removed.
pub fn left(left: &Left<'_>, token: &Token) -> String {
    let player = match left.colour {
        Some(colour) => coloured(colour, colour, false),
        None => words::name(left.account),
    };
    let text = match left.late {
        true => format!("{player} was late and is removed"),
        false => format!("{player} leaves the game"),
    };
    match left.sent {
        Some(sent) => format!("{text}: {}", dim_cost(sent, token)),
        None => text,
    }
}

fn dim_cost(sent: Sent<'_>, token: &Token) -> String {
    dim(words::cost(sent.transaction, sent.deposit, token))
}
