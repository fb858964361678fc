//! The parts of a game, for scripts and for people on several machines.

use connect4_protocol::event::{
    ChallengeMade, ChallengeWithdrawn, DiscDropped, DrawDeclined, DrawOffered, GameEnded,
    GameFreed, GameStarted, MatchStarted, RematchDeclined, RematchOffered, Settled, Withdrawn,
};
use std::io::IsTerminal;

use connect4_client::{
    Address, Contract, DEVELOPMENT, Deployment, Error, Event, Lookup, Named, Occurrence,
};
use connect4_opponent::Reviewer;
use connect4_protocol::{End, Error as Refusal, Game};
use connect4_rules::{Bin, Player, Position, Shape, ShapeSpec, notation};
use serde_json::json;

use crate::accounts;
use crate::args;
use crate::args::Global;
use crate::failure::Failure;
use crate::input;
use crate::matches;
use crate::output::{self, Progress, line};
use crate::session::{self, Session};

/// Deploys the contract, unless it is there.
pub async fn deploy(global: &Global, args: &args::Deploy) -> Result<(), Failure> {
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false).await?;
    let progress = Progress::new(global.json);
    progress.say("deploying the contract");
    let deployment = session.client.deploy(&signer, session::CODE).await?;
    progress.clear();
    let address = deployment.address;
    let contract = Contract::open(&session.client, address, session::CODE).await?;
    let games = contract.games_address();
    if global.json {
        return Ok(line(json!({
            "contract": address.to_string(),
            "games": games.to_string(),
            "deployer": signer.address().to_string(),
            "upload": deployment.uploaded.as_ref().map(output::json_transaction),
            "transaction": deployment.receipt.as_ref().map(output::json_transaction),
        }))?);
    }
    if deployment.receipt.is_none() {
        line(format!("the contract is at {address} already"))?;
    }
    deployed(&deployment, &session)?;
    line(format!("its games are in the contract {games}"))?;
    Ok(())
}

/// Says how the contract was deployed, if it was.
pub fn deployed(deployment: &Deployment, session: &Session) -> Result<(), Failure> {
    let token = session.client.token();
    let Some(receipt) = &deployment.receipt else {
        return Ok(());
    };
    mapped(receipt.mapped.as_ref(), session)?;
    if let Some(uploaded) = &deployment.uploaded {
        line("uploaded the code of the games")?;
        line(output::dim(format!("  {}", output::cost(uploaded, token))))?;
    }
    line(format!("deployed the contract at {}", receipt.value))?;
    line(output::dim(format!("  {}", output::cost(receipt, token))))?;
    Ok(())
}

/// Says that an account was mapped, if it was.
pub fn mapped(
    transaction: Option<&connect4_client::Transaction>,
    session: &Session,
) -> Result<(), Failure> {
    if let Some(transaction) = transaction {
        line(format!(
            "made the account known to contracts\n  {}",
            output::transaction(transaction, session.client.token())
        ))?;
    }
    Ok(())
}

/// Starts a game.
pub async fn start(global: &Global, args: &args::Start) -> Result<(), Failure> {
    let shape = shape(&args.board)?;
    let signer = accounts::signer(&args.signing)?;
    let red = match (&args.red, &signer) {
        (Some(red), _) => red.address(),
        (None, Some(signer)) => signer.address(),
        (None, None) => accounts::development("alice")?.address(),
    };
    let blue = match &args.blue {
        Some(blue) => blue.address(),
        None => accounts::development("bob")?.address(),
    };
    let signer = match (signer, &args.red) {
        (Some(signer), _) => signer,
        (None, None) => accounts::development("alice")?,
        (None, Some(Named::Development(name))) => accounts::development(name)?,
        (None, Some(_)) => {
            return Err(accounts::unnamed());
        }
    };
    let session = Session::open(global, false).await?;
    let progress = Progress::new(global.json);
    let (contract, deployment) = session
        .contract_or_deploy(global, &signer, &progress)
        .await?;
    progress.say("starting a game");
    let receipt = contract.start_game(&signer, red, blue, shape).await?;
    progress.clear();
    let number = receipt.value;
    let token = session.client.token();
    if global.json {
        return Ok(line(json!({
            "game": number,
            "contract": contract.address().to_string(),
            "red": red.to_string(),
            "blue": blue.to_string(),
            "shape": output::json_shape(shape),
            "transaction": output::json_transaction(&receipt),
        }))?);
    }
    if let Some(deployment) = &deployment {
        deployed(deployment, &session)?;
    }
    mapped(receipt.mapped.as_ref(), &session)?;
    line(format!(
        "started game {number} of the contract {}",
        contract.address()
    ))?;
    line(format!("  red: {}", output::who(red)))?;
    line(format!("  blue: {}", output::who(blue)))?;
    line(format!("  {}", output::cost(&receipt, token)))?;
    Ok(())
}

/// The shape that the command line asks for, which has to be in bounds.
pub fn shape(board: &args::Board) -> Result<ShapeSpec, Failure> {
    let spec = ShapeSpec {
        bins: board.bins,
        capacity: board.capacity,
        line: board.line,
    };
    Shape::try_from(spec).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(spec)
}

/// Drops a disc.
pub async fn drop(global: &Global, args: &args::Drop) -> Result<(), Failure> {
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let game = game(&contract, args.game).await?;
    // On a development chain it is plain who moves.
    let signer = match signer {
        Some(signer) => signer,
        None => {
            let mover = game.to_move().map(|player| game.account_of(player));
            accounts::known(mover).ok_or_else(|| {
                if game.is_over() {
                    return Failure::Refused(format!("game {}: {}", args.game, Refusal::GameOver));
                }
                accounts::unnamed()
            })?
        }
    };
    let bin = u8::try_from(args.bin)
        .map_err(|_| Failure::Refused(input::invalid(game.shape().bins())))?;
    let progress = Progress::new(global.json);
    progress.say("dropping the disc");
    let receipt = contract
        .drop_disc(&signer, args.game, Bin::new(bin))
        .await?;
    let game = self::game(&contract, args.game).await?;
    progress.clear();
    let row = receipt.value.dropped.row;
    if global.json {
        return Ok(line(json!({
            "bin": bin,
            "row": row,
            "game": output::json_game(args.game, contract.address(), &game),
            "transaction": output::json_transaction(&receipt),
        }))?);
    }
    line(output::board(&game.position()))?;
    mapped(receipt.mapped.as_ref(), &session)?;
    line(format!(
        "dropped into bin {bin}, row {row}\n  {}",
        output::cost(&receipt, session.client.token())
    ))?;
    line(output::standing(&game))?;
    Ok(())
}

/// Shows a game.
pub async fn show(global: &Global, args: &args::Show) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, None).await?;
    let number = newest(&contract, args.game).await?;
    let game = game(&contract, number).await?;
    let beside = contract.match_of(number).await?;
    if global.json {
        let mut value = output::json_game(number, contract.address(), &game);
        value["match"] = matches::json_beside(&contract, &game, &beside);
        return Ok(line(value)?);
    }
    line(format!(
        "game {number} of the contract {}: {}",
        contract.address(),
        game.shape()
    ))?;
    players(&game)?;
    line(output::board(&game.position()))?;
    line(format!("turns taken: {}", game.turns()))?;
    for text in matches::beside(&contract, &game, &beside) {
        line(text)?;
    }
    if let (Some(clock), Some(player)) = (game.clock(), game.to_move()) {
        line(output::times(clock, player))?;
    }
    line(output::standing(&game))?;
    if game.is_over() {
        let cells: Vec<String> = game
            .winning_cells()
            .iter(game.shape())
            .map(|cell| cell.to_string())
            .collect();
        if !cells.is_empty() {
            line(format!("winning cells (bin,row): {}", cells.join(" ")))?;
        }
    }
    Ok(())
}

/// Lists games, the newest last.
pub async fn list(global: &Global, args: &args::List) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    let contract = match session.contract(global, None).await {
        Ok(contract) => contract,
        Err(Error::NoContract(address)) if global.contract.is_none() => {
            if !global.json {
                line(format!("no games yet: there is no contract at {address}"))?;
            }
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let count = contract.game_count().await?;
    if count == 0 && !global.json {
        line("no games yet")?;
    }
    let left = count.saturating_sub(args.limit);
    if left > 0 && !global.json {
        line(format!("{left} older ones: --limit {count} lists all"))?;
    }
    for number in left..count {
        let Some(game) = contract.game(number).await? else {
            if !global.json {
                line(format!("{number:>5}  ended, its storage freed"))?;
            }
            continue;
        };
        if global.json {
            line(output::json_game(number, contract.address(), &game))?;
        } else {
            let short = |account| {
                let address = account;
                match connect4_client::development_name(address) {
                    Some(name) => name.to_owned(),
                    None => address.to_string(),
                }
            };
            line(format!(
                "{number:>5}  {:<14}  {} - {}  turns {}, {}",
                game.shape().to_string(),
                short(game.player_one()),
                short(game.player_two()),
                game.turns(),
                output::standing(&game)
            ))?;
        }
    }
    Ok(())
}

/// Follows games as they are played.
pub async fn watch(global: &Global, args: &args::Watch) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, None).await?;
    let mut watch = contract.watch().await?;
    let Some(number) = args.game else {
        if !global.json {
            line(format!(
                "following the contract {}; Ctrl-C ends it",
                contract.address()
            ))?;
        }
        loop {
            let at = watch.next().await?;
            let game = match at.event.game() {
                Some(number) => contract.game(number).await?,
                None => None,
            };
            tell(&contract, &at, game.as_ref(), global.json)?;
        }
    };
    let game = self::game(&contract, number).await?;
    // As it stood when the watch began: public chains are final some blocks behind the newest.
    let then = contract.game_at(number, watch.since()).await?;
    let mut position = match &then {
        Some(then) => then.position(),
        None => Position::new(game.shape()),
    };
    if global.json {
        let then = then.as_ref().unwrap_or(&game);
        line(output::json_game(number, contract.address(), then))?;
    } else {
        line(format!("game {number}: {}", game.shape()))?;
        players(&game)?;
        line(output::board(&position))?;
    }
    let mut over = then.as_ref().is_some_and(Game::is_over);
    if over && !global.json {
        line(output::standing(&game))?;
    }
    let mut moved = true;
    while !over {
        if !global.json && moved && position.outcome().is_none() {
            line(format!("{} to move", position.to_move()))?;
        }
        let at = loop {
            let at = watch.next().await?;
            if at.event.game() == Some(number) {
                break at;
            }
        };
        if let Event::DiscDropped(DiscDropped { bin, .. }) = at.event {
            drop_again(&mut position, bin, number)?;
        }
        over = matches!(at.event, Event::GameEnded(GameEnded { .. }));
        moved = matches!(at.event, Event::DiscDropped(DiscDropped { .. }));
        tell(&contract, &at, Some(&game), global.json)?;
        if !global.json && matches!(at.event, Event::DiscDropped(DiscDropped { .. })) {
            line(output::board(&position))?;
        }
    }
    Ok(())
}

/// Makes a move on a board that was made on the chain.
fn drop_again(position: &mut Position, bin: u8, number: u32) -> Result<Bin, Failure> {
    let bin = Bin::new(bin);
    match position.drop(bin) {
        Ok(_) => Ok(bin),
        Err(error) => Err(Failure::Other(format!(
            "the events of game {number} make no game: {error} in bin {bin}"
        ))),
    }
}

/// Tells of an event.
fn tell(
    contract: &Contract,
    at: &Occurrence,
    game: Option<&Game>,
    json: bool,
) -> Result<(), Failure> {
    if json {
        return Ok(line(output::json_event(
            at,
            game,
            contract.client().ratio(),
        ))?);
    }
    let of_game = match at.event.game() {
        Some(number) => format!("game {number}"),
        None => String::new(),
    };
    let amount = |amount: u128| contract.amount(amount);
    // A player by colour, if it is known which that is.
    let who = |address: Address| match game.and_then(|game| game.player_of(&address)) {
        Some(player) => output::coloured(player, player, false),
        None => output::who(address),
    };
    let text = match &at.event {
        Event::GameStarted(GameStarted {
            player_one,
            player_two,
            shape,
            ..
        }) => format!(
            "{of_game} started: {}x{}, line {}; red: {}, blue: {}",
            shape.bins,
            shape.capacity,
            shape.line,
            output::who(*player_one),
            output::who(*player_two)
        ),
        Event::DiscDropped(DiscDropped {
            player, bin, row, ..
        }) => format!(
            "{of_game}: {} into bin {bin}, row {row} (block {})",
            who(*player),
            at.block
        ),
        Event::GameEnded(GameEnded { winner, end, .. }) => {
            let how = match end {
                End::Line | End::FullBoard => String::new(),
                end => format!(" {end}"),
            };
            match (winner, end) {
                (Some(winner), _) => format!("{of_game} ended, winner: {}{how}", who(*winner)),
                (None, End::Abort) => {
                    format!("{of_game} aborted: time ran out before both had moved")
                }
                (None, _) => format!("{of_game} ended: a tie{how}"),
            }
        }
        Event::ChallengeMade(ChallengeMade {
            challenge,
            challenger,
            opponent,
            ..
        }) => format!(
            "challenge {challenge} made by {} to {}",
            output::who(*challenger),
            opponent.map_or_else(|| "anyone".into(), output::who)
        ),
        Event::ChallengeWithdrawn(ChallengeWithdrawn { challenge, by }) => {
            format!("challenge {challenge} withdrawn by {}", output::who(*by))
        }
        Event::MatchStarted(MatchStarted {
            challenge,
            previous,
            clock,
            stake,
            ..
        }) => {
            let mut text = match (challenge, previous) {
                (Some(challenge), _) => format!("{of_game}: challenge {challenge} was accepted"),
                (None, Some(previous)) => format!("{of_game} is the rematch of game {previous}"),
                (None, None) => format!("{of_game} is a match"),
            };
            if let Some(clock) = clock {
                text.push_str(&format!("; {}", output::clock(*clock)));
            }
            if *stake > 0 {
                text.push_str(&format!("; stake {} each", amount(*stake)));
            }
            text
        }
        Event::DrawOffered(DrawOffered { by, .. }) => {
            format!("{of_game}: {} offers a draw", who(*by))
        }
        Event::DrawDeclined(DrawDeclined { by, .. }) => {
            format!("{of_game}: {} declines the draw", who(*by))
        }
        Event::RematchOffered(RematchOffered { by, .. }) => {
            format!("{of_game}: {} offers a rematch", who(*by))
        }
        Event::RematchDeclined(RematchDeclined { by, .. }) => {
            format!("{of_game}: the rematch is off, says {}", who(*by))
        }
        Event::Settled(Settled { one, two, .. }) => format!(
            "{of_game} settled: red is owed {}, blue {}",
            amount(*one),
            amount(*two)
        ),
        Event::Withdrawn(Withdrawn {
            account,
            amount: paid,
        }) => format!("{} was paid {}", output::who(*account), amount(*paid)),
        Event::GameFreed(GameFreed { payer, .. }) => {
            format!(
                "{of_game}: its storage was freed by {}",
                output::who(*payer)
            )
        }
    };
    Ok(line(text)?)
}

/// Shows a game again.
pub async fn replay(global: &Global, args: &args::Replay) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, None).await?;
    let number = newest(&contract, args.game).await?;
    let progress = Progress::new(global.json);
    progress.say("looking for the game's blocks");
    let history = contract.history(number, args.from_block).await?;
    progress.clear();
    let game = connect4_client::replay(&history)?;
    let mut position = Position::new(game.shape());
    let mut bins = Vec::new();
    let pause = !global.json && std::io::stdout().is_terminal();
    for at in &history {
        if pause && !bins.is_empty() {
            tokio::time::sleep(args.pause).await;
        }
        tell(&contract, at, Some(&game), global.json)?;
        if let Event::DiscDropped(DiscDropped { bin, .. }) = at.event {
            let bin = drop_again(&mut position, bin, number)?;
            bins.push(bin);
            if !global.json {
                line(output::board(&position))?;
            }
        } else if !global.json && matches!(at.event, Event::GameStarted(GameStarted { .. })) {
            line(output::board(&position))?;
        }
    }
    if !global.json {
        line(output::standing(&game))?;
        if !bins.is_empty() {
            line(format!("moves, bins from 1: {}", notation::write(bins)))?;
        }
    }
    Ok(())
}

/// Shows what each move of a game gave away.
pub async fn review(global: &Global, args: &args::Review) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, None).await?;
    let number = newest(&contract, args.game).await?;
    let progress = Progress::new(global.json);
    progress.say("looking for the game's blocks");
    let history = contract.history(number, args.from_block).await?;
    let game = connect4_client::replay(&history)?;
    let mut position = Position::new(game.shape());
    let mut reviewer = Reviewer::default();
    for at in &history {
        let Event::DiscDropped(DiscDropped { bin, turn, .. }) = at.event else {
            continue;
        };
        progress.say("thinking");
        let before = position;
        let bin = drop_again(&mut position, bin, number)?;
        let looked = tokio::task::spawn_blocking(move || {
            let verdict = reviewer.look_at(&before, bin);
            (reviewer, verdict)
        });
        let (again, verdict) = looked
            .await
            .map_err(|error| Failure::Other(format!("the review failed: {error}")))?;
        reviewer = again;
        let Some(verdict) = verdict else {
            continue;
        };
        progress.clear();
        let player = before.to_move();
        if global.json {
            line(json!({
                "turn": turn,
                "player": player.colour(),
                "bin": bin.index(),
                "made": output::json_worth(verdict.made),
                "best": output::json_worth(verdict.best),
                "best_bins": verdict.best_bins.iter().map(|bin| bin.index()).collect::<Vec<_>>(),
            }))?;
            continue;
        }
        let name = output::coloured(player, player, false);
        let mut text = format!(
            "{turn:>3}  {name} into bin {bin}: {}",
            output::worth(verdict.made)
        );
        let mark = output::mark(verdict.fault());
        if !mark.is_empty() {
            let bins: Vec<String> = verdict.best_bins.iter().map(Bin::to_string).collect();
            text.push_str(&format!(
                " {mark} bin {}: {}",
                bins.join(" or "),
                output::worth(verdict.best)
            ));
        }
        line(text)?;
    }
    Ok(())
}

/// What to give to another program so that it reaches the same contract on the same chain.
pub fn reach(session: &Session, contract: &Contract) -> String {
    let mut arguments = session.arguments();
    if Lookup::usual_address(session::CODE) != Some(contract.address()) {
        arguments.push_str(&format!(" --contract {}", contract.address()));
    }
    arguments
}

/// Lists the development accounts.
pub async fn accounts(global: &Global) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    for name in DEVELOPMENT {
        let signer = accounts::development(name)?;
        let account = signer.account();
        let balance = session.client.balance(&account).await?;
        if global.json {
            let is_mapped = session.client.is_mapped(&account).await?;
            line(json!({
                "name": name,
                "account": account.to_string(),
                "address": signer.address().to_string(),
                "balance": balance.to_string(),
                "mapped": is_mapped,
            }))?;
        } else {
            line(format!(
                "{name:<8} {account}  {}\n         {}",
                session.client.token().amount(balance),
                signer.address()
            ))?;
        }
    }
    Ok(())
}

/// A game that has to be there.
pub async fn game(contract: &Contract, number: u32) -> Result<Game, Failure> {
    match contract.game(number).await? {
        Some(game) => Ok(game),
        None => {
            let count = contract.game_count().await?;
            let which = match count {
                0 => "it has no games yet".to_owned(),
                1 => "its only game is 0".to_owned(),
                count => format!("its games are 0 to {}", count - 1),
            };
            if number < count {
                return Err(Failure::Refused(format!(
                    "game {number} has ended and its storage was freed; `connect4 replay --game \
                     {number}` still shows it"
                )));
            }
            Err(Failure::Refused(format!(
                "there is no game {number} in the contract {}: {which}",
                contract.address()
            )))
        }
    }
}

/// The game that is named, else the newest.
async fn newest(contract: &Contract, named: Option<u32>) -> Result<u32, Failure> {
    match named {
        Some(number) => Ok(number),
        None => contract.game_count().await?.checked_sub(1).ok_or_else(|| {
            Failure::Refused(format!(
                "the contract {} has no games yet: start one with `connect4 play` or `connect4 \
                 start`",
                contract.address()
            ))
        }),
    }
}

/// Who plays a game.
pub fn players(game: &Game) -> Result<(), Failure> {
    for player in Player::ALL {
        let name = output::coloured(player, format!("{} {player}", player.disc()), false);
        line(format!("{name}: {}", output::who(game.account_of(player))))?;
    }
    Ok(())
}
