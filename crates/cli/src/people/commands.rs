//! What commands say, in words.

use connect4_client::{Deployment, GameId};
use connect4_index::{GameRow, League, MOST_OF_A_PAIR, Standing, Unrated};
use connect4_opponent::Verdict;
use connect4_protocol::signed::PoolName;
use connect4_protocol::{AnyGame, GameName};
use connect4_rules::{Bin, Cell, Player};
use connect4_wire::StandingsOf;
use connect4_wire::words::{mark, now, worth};

use super::text::Text;
use super::{lines_of, view::board};
use crate::game::{GameAt, Numbering};
use crate::said::{Deployed, Done, Incomplete, Left, Made, Sent, Step};
use crate::words::{self, coloured, standing as standing_of, variant, who};

pub fn deployed(text: &mut Text<'_>, deployed: &Deployed<'_>) {
    let Deployed {
        deployment,
        variants,
        ..
    } = deployed;
    if deployment.receipt.is_none() {
        text.line(format!("the contract is at {} already", deployment.address));
    }
    text.deployment("the contract", Some(deployment));
    if let (Some(records), None) = (
        deployment.signed_records,
        &deployment.signed_records_receipt,
    ) {
        text.line(format!(
            "the contract of the records of signed games is at {records} already"
        ));
    }
    if let (Some(stakes), None) = (deployment.stakes, &deployment.stakes_receipt) {
        text.line(format!(
            "the contract of the stakes of signed games is at {stakes} already"
        ));
    }
    if variants.receipt.is_none() {
        text.line(format!(
            "the contract of the variants is at {} already",
            variants.address
        ));
    }
    text.deployment("the contract of the variants", Some(variants));
}

/// The contract of a game, as a deployment names it.
pub fn contract_of(id: impl Into<GameName>) -> &'static str {
    match id.into() {
        GameName::Chain(GameId::Variant(_)) => "the contract of the variants",
        _ => "the contract",
    }
}

pub fn started(text: &mut Text<'_>, at: &GameAt, deployment: Option<&Deployment>, sent: Sent<'_>) {
    let id = at.id;
    text.deployment(contract_of(id), deployment);
    match &at.game {
        AnyGame::Two(game) => {
            text.mapped(sent.mapped);
            text.line(format!("started game {id} of the contract {}", at.contract));
            text.line(format!("  red: {}", who(game.player_one())));
            text.line(format!("  blue: {}", who(game.player_two())));
            text.line(format!("  {}", text.cost(sent)));
            text.line(words::NO_CLOCK);
        }
        AnyGame::Variant(_) => {
            let terms = words::terms_of(&at.game);
            text.transaction(format!("started game {id}: {terms}"), sent);
            text.players(&at.game);
        }
    }
}

pub fn table_opened(
    text: &mut Text<'_>,
    at: &GameAt,
    deployment: Option<&Deployment>,
    sent: Sent<'_>,
    reach: &str,
) {
    let id = at.id;
    text.deployment(contract_of(id), deployment);
    let terms = words::terms_of(&at.game);
    text.transaction(format!("opened table {id}: {terms}"), sent);
    text.players(&at.game);
    text.line(format!(
        "others join it by\n  connect4 join --game {id} --play --account <NAME>{reach}"
    ));
}

pub fn made(text: &mut Text<'_>, made: &Made<'_>) {
    text.line(board(Numbering::One, &(&made.after.game).into()));
    match made.step {
        Step::Drop {
            bin,
            row,
            numbering,
        } => {
            let (bin, row) = (numbering.of(bin.index()), numbering.of(row));
            text.mapped(made.sent.and_then(|sent| sent.mapped));
            text.line(format!("dropped into bin {bin}, row {row}"));
            if let Some(sent) = made.sent {
                text.line(format!("  {}", text.cost(sent)));
            }
        }
        Step::Move { action, before } => {
            let name = coloured(made.colour, made.colour, false);
            let done = variant::done(&name, action, Some(before));
            lines_of(text, done, made.sent);
        }
    }
    text.line(standing_of(&made.after.game));
}

pub fn shown(text: &mut Text<'_>, at: &GameAt) {
    let GameAt {
        contract,
        id,
        game,
        clock,
    } = at;
    let what = words::game_or_table(game);
    let terms = words::terms_of(game);
    text.line(format!("{what} {id} of the contract {contract}: {terms}"));
    text.players(game);
    if !game.has_started() {
        return text.line(standing_of(game));
    }
    text.line(board(Numbering::One, &game.into()));
    if let AnyGame::Variant(game) = game
        && variant::has_roster(game.variant())
    {
        text.line(variant::roster(game).join("\n"));
    }
    text.line(format!("turns taken: {}", game.turns()));
    if let Some(left) = words::time_left(game, *clock, now()) {
        text.line(left);
    }
    text.line(standing_of(game));
    if let AnyGame::Two(game) = game
        && game.is_over()
    {
        let cells = game.winning_cells();
        let cells = cells.iter(game.shape());
        let cells: Vec<String> = cells
            .map(|Cell { bin, row }| format!("({},{})", bin.index() + 1, row + 1))
            .collect();
        if !cells.is_empty() {
            text.line(format!(
                "winning cells (bin,row), from 1: {}",
                cells.join(" ")
            ));
        }
    }
}

pub fn listed(text: &mut Text<'_>, id: GameId, game: Option<&AnyGame>) {
    let id = id.to_string();
    text.line(match game {
        None if id.starts_with('v') => format!("{id:>5}  over, its storage freed"),
        None => format!("{id:>5}  ended, its storage freed"),
        Some(AnyGame::Two(game)) => format!(
            "{id:>5}  {:<14}  {} - {}  turns {}, {}",
            game.shape().to_string(),
            words::name(game.player_one()),
            words::name(game.player_two()),
            game.turns(),
            connect4_wire::words::standing(game)
        ),
        Some(listed @ AnyGame::Variant(game)) => {
            let turns = match game.has_started() {
                true => format!("turns {}, ", listed.turns()),
                false => String::new(),
            };
            format!(
                "{id:>5}  {}  {}  {turns}{}",
                words::terms_of(listed),
                variant::accounts(game),
                standing_of(listed)
            )
        }
    });
}

pub fn watching(text: &mut Text<'_>, at: &GameAt) {
    let GameAt { id, game, .. } = at;
    text.line(format!("game {id}: {}", words::terms_of(game)));
    text.players(game);
    if game.has_started() {
        text.line(board(Numbering::One, &game.into()));
    }
    if game.is_over() {
        text.line(standing_of(game));
    }
}

pub fn replayed(text: &mut Text<'_>, game: &AnyGame, moves: &str) {
    text.line(standing_of(game));
    if moves.is_empty() {
        return;
    }
    text.line(match game {
        AnyGame::Two(_) => format!("moves, bins from 1: {moves}"),
        AnyGame::Variant(_) => format!("moves, bins and rows from 1: {moves}"),
    });
}

pub fn replayed_by_terms(text: &mut Text<'_>, game: &GameRow) {
    let how = game.ended_how.as_deref().unwrap_or_default();
    text.line(match game.winner.map(who) {
        Some(winner) => format!("{winner} won {how}"),
        None => format!("drawn {how}"),
    });
    if !game.moves.is_empty() {
        let moves = &game.moves;
        text.line(format!(
            "moves, bins from 1, s for a swap of the colours: {moves}"
        ));
    }
}

pub fn reviewed(
    turn: u8,
    player: Player,
    bin: Bin,
    verdict: &Verdict,
    spent: Option<u64>,
) -> String {
    let name = coloured(player, player, false);
    let from_one = |bin: Bin| Numbering::One.of(bin.index());
    let into = from_one(bin);
    let mut text = format!("{turn:>3}  {name} into bin {into}: {}", worth(verdict.made));
    let mark = mark(verdict.fault());
    if !mark.is_empty() {
        let bins = verdict
            .best_bins
            .iter()
            .map(|bin| from_one(*bin).to_string());
        let bins: Vec<String> = bins.collect();
        let best = worth(verdict.best);
        text.push_str(&format!(" {mark} bin {}: {best}", bins.join(" or ")));
    }
    if let Some(spent) = spent {
        let (seconds, tenths) = (spent / 1000, spent / 100 % 10);
        text.push_str(&format!(", after {seconds}.{tenths} s"));
    }
    text
}

pub fn done(done: Done) -> String {
    match done {
        Done::TableClosed(table) => format!("closed table {table}"),
        Done::Freed(game) => format!("freed the storage of game {game}"),
    }
}

pub fn ended(text: &mut Text<'_>, at: &GameAt, sent: Option<Sent<'_>>) {
    let standing = standing_of(&at.game);
    match (sent, at.game.winner()) {
        (Some(sent), _) => text.transaction(format!("game {} ended: {standing}", at.id), sent),
        (None, Some(colour)) => text.line(coloured(colour, standing, true)),
        (None, None) => text.line(standing),
    }
}

pub fn left(text: &mut Text<'_>, left: &Left<'_>) {
    let GameAt { id, game, .. } = &left.after;
    let player = match left.colour {
        Some(colour) => coloured(colour, colour, false),
        None => who(left.account),
    };
    let done = match left.late {
        true => format!("{player} was late and is removed from game {id}"),
        false => format!("{player} leaves {} {id}", words::game_or_table(game)),
    };
    lines_of(text, done, left.sent);
    if !game.is_over() {
        text.line(standing_of(game));
    }
}

pub fn standing(text: &mut Text<'_>, of: League, first: bool, standing: &Standing) {
    if first {
        match of {
            League::Two => text.line("variants of two players:"),
            League::More => text.line("variants of three and four players:"),
            League::Witnessed(0) => {
                text.line("signed games that a witness has ended, of no pool in particular:");
            }
            League::Witnessed(pool) => text.line(format!(
                "signed games that a witness has ended, of the pool {}:",
                PoolName(pool)
            )),
        }
        text.line("rating  wins  draws  losses  rated  account");
    }
    let program = match standing.program {
        true => " (a program)",
        false => "",
    };
    text.line(format!(
        "{:>6.0}  {:>4}  {:>5}  {:>6}  {:>5}  {}{program}",
        standing.rating,
        standing.wins,
        standing.draws,
        standing.losses,
        standing.rated,
        who(standing.account)
    ));
}

pub fn unrated(unrated: Unrated) -> String {
    let Unrated {
        aborted,
        other_board,
        frequent,
        short,
    } = unrated;
    let frequently =
        format!("above the limit of {MOST_OF_A_PAIR} of the same two accounts within 24 hours");
    let reasons = [
        (other_board, "on other boards than 7x6, line 4"),
        (frequent, &*frequently),
        (short, "that ended before a line was possible, a loss only"),
        (aborted, "without a result"),
    ];
    let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
    let reasons: Vec<String> = reasons
        .map(|(count, reason)| format!("{} {reason}", words::games(count)))
        .collect();
    format!("not rated: {}", reasons.join("; "))
}

pub fn incomplete(text: &mut Text<'_>, incomplete: &Incomplete) {
    let Incomplete {
        of,
        gaps,
        recorded,
        lost,
    } = incomplete;
    let of = match of {
        StandingsOf::Variants => "variants",
        StandingsOf::Signed => "signed games",
    };
    for gap in gaps {
        text.line(format!("incomplete for {of}: {gap}"));
    }
    let are = |count: u32| match count {
        1 => "is",
        _ => "are",
    };
    if *recorded > 0 {
        text.line(format!(
            "{} that started then {} in the contract's storage: their results count, and ratings \
             assume that they ended in the order of their numbers",
            words::games(*recorded),
            are(*recorded),
        ));
    }
    if *lost > 0 {
        text.line(format!(
            "{} that started then {} no longer in the contract's storage and not counted",
            words::games(*lost),
            are(*lost),
        ));
    }
}
