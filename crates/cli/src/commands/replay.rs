//! `replay`: a game again from its first move.

use connect4_client::{Event, GameId, StepKind};
use connect4_protocol::GameName;
use connect4_protocol::signed::GameNumber;
use connect4_rules::variant::Move;
use connect4_rules::{Player, Position, Shape, notation, variant};
use connect4_wire::words;

use crate::args::{Global, Replay};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::said::Said;
use crate::session::Session;

/// Shows the moves of a game again, from its events.
pub async fn replay(global: &Global, args: &Replay, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    match args.game {
        Some(GameName::Terms(number)) => by_terms(global, &session, args, number, out).await,
        Some(GameName::Chain(id @ GameId::Variant(_))) => {
            of_variant(global, &session, args, id, out).await
        }
        Some(GameName::Chain(named)) => of_two(global, &session, args, Some(named), out).await,
        None => of_two(global, &session, args, None, out).await,
    }
}

/// Shows a signed game whose end was recorded on the chain.
async fn by_terms(
    global: &Global,
    session: &Session,
    args: &Replay,
    number: GameNumber,
    out: &mut Output,
) -> Result<(), Failure> {
    let contract = session.contract(global, None).await?;
    let progress = out.progress();
    progress.say("looking for the record of the game");
    let past = session.past(global, Some(&contract), None);
    let asked = past.ask(args.from_block, &|_| {}, async |index| {
        index.game(number).await
    });
    let game = asked.await?;
    progress.clear();
    let Some(game) = game else {
        let text = format!("nobody has recorded game {number} on this chain");
        return Err(Failure::Other(text));
    };
    let unplayable = || Failure::Other(format!("the moves of game {number} are not of its board"));
    let terms = game.rules().try_into().map_err(|_| unplayable())?;
    let mut position = variant::Position::new(terms);
    out.say(Said::Board(position.into()))?;
    for (place, made) in notation::parse::<variant::Move>(&game.moves).enumerate() {
        pause(args, place > 0, out).await;
        let made = made.map_err(|_| unplayable())?;
        position.play(made).map_err(|_| unplayable())?;
        out.say(Said::Board(position.into()))?;
    }
    if let Some(file) = &args.picture {
        let moves: Vec<_> = notation::parse::<variant::Move>(&game.moves)
            .flatten()
            .collect();
        let mut players = game.players.clone();
        // After a swap the second player has the first colour.
        if moves.get(1) == Some(&variant::Move::Swap) {
            players.reverse();
        }
        let terms = position.variant();
        let standing = variant::Position::outcome(&position).map(|outcome| outcome.to_string());
        let players = terms.colours().zip(players);
        file.write(terms, moves, players, &standing.unwrap_or_default())?;
    }
    out.say(Said::ReplayedByTerms(&game))
}

/// Shows a classic game.
async fn of_two(
    global: &Global,
    session: &Session,
    args: &Replay,
    named: Option<GameId>,
    out: &mut Output,
) -> Result<(), Failure> {
    let contract = session.contract(global, None).await?;
    let id = lookup::named(&contract, named).await?;
    let progress = out.progress();
    progress.say("looking for the game's blocks");
    let history = contract.history(id, args.from_block).await?;
    progress.clear();
    let game = connect4_client::replay(&history)?;
    let mut position = Position::new(game.shape());
    let mut shown = Vec::new();
    for (place, at) in (1..).zip(&history) {
        pause(args, !shown.is_empty(), out).await;
        out.say(Said::Event {
            at,
            game: Some(game.into()),
            before: None,
        })?;
        if matches!(at.event, Event::GameStarted(_)) {
            out.say(Said::Board(position.into()))?;
        }
        let moves = connect4_client::moves(&history[..place]);
        let same = moves
            .iter()
            .zip(&shown)
            .take_while(|(one, other)| one == other);
        let known = same.count();
        if known < shown.len() {
            // Signed moves take the place of those on the chain that differ.
            position = position_after(game.shape(), &moves[..known], id)?;
        }
        for (more, made) in moves[known..].iter().enumerate() {
            pause(args, more > 0, out).await;
            // By colours a swap leaves the board as it is.
            if let Move::Drop(bin) = made {
                lookup::replay_move(&mut position, *bin, id)?;
            }
            out.say(Said::Board(position.into()))?;
        }
        shown = moves;
    }
    if let Some(file) = &args.picture {
        let terms = variant::VariantSpec::of_two(game.shape().into(), game.is_swapped());
        let terms = variant::Variant::try_from(terms);
        let terms = terms.map_err(|error| Failure::Other(error.to_string()))?;
        let player = |colour: Player| (colour.into(), game.account_of(game.colour_of(colour)));
        let players = Player::ALL.map(player);
        let moves = shown.iter().copied();
        file.write(terms, moves, players, &words::standing(&game))?;
    }
    out.say(Said::Replayed {
        game: game.into(),
        moves: notation::write(shown).to_string(),
    })
}

fn position_after(shape: Shape, moves: &[Move], id: GameId) -> Result<Position, Failure> {
    let mut position = Position::new(shape);
    for bin in connect4_client::drops(moves) {
        lookup::replay_move(&mut position, bin, id)?;
    }
    Ok(position)
}

async fn of_variant(
    global: &Global,
    session: &Session,
    args: &Replay,
    id: GameId,
    out: &mut Output,
) -> Result<(), Failure> {
    let variants = session.variants(global, None).await?;
    let progress = out.progress();
    progress.say("looking for the game's blocks");
    let history = variants.history(id, args.from_block).await?;
    progress.clear();
    let (game, steps) = connect4_client::replay_variant(&history)?;
    let mut position = variant::Position::new(game.variant());
    let mut steps = steps.into_iter().peekable();
    let mut moves = Vec::new();
    for (index, at) in history.iter().enumerate() {
        pause(args, !moves.is_empty(), out).await;
        let step = steps.next_if(|step| step.event == index);
        let after = step.as_ref().map_or(&game, |step| &step.game);
        out.say(Said::Event {
            at,
            game: Some((*after).into()),
            before: step.is_some().then_some(&position),
        })?;
        let Some(step) = step else {
            if index == 0 {
                out.say(Said::Board(position.into()))?;
            }
            continue;
        };
        position = *step.game.position();
        if let StepKind::Move(action) = step.kind {
            moves.push(action);
            out.say(Said::Board(position.into()))?;
        }
    }
    if let Some(file) = &args.picture {
        let player = |colour| (colour, game.account_of(colour));
        let players = game.variant().colours().map(player);
        let standing = words::variant_standing(&game);
        file.write(game.variant(), moves.iter().copied(), players, &standing)?;
    }
    out.say(Said::Replayed {
        game: game.into(),
        moves: notation::write(moves).to_string(),
    })
}

/// Leaves a move on the terminal for a while, if there was one.
async fn pause(args: &Replay, has_moved: bool, out: &Output) {
    if has_moved && out.is_animated() {
        tokio::time::sleep(args.pause).await;
    }
}
