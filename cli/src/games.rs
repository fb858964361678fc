//! The parts of a game, for scripts and for people on several machines.

use std::io::IsTerminal;

use connect4_client::{Address, Contract, DEVELOPMENT, Error, Event, Named, Occurrence, Signer};
use connect4_rules::{Bin, Game, Player, Position, Shape, ShapeSpec, notation};
use serde_json::json;

use crate::accounts;
use crate::args;
use crate::args::Global;
use crate::failure::Failure;
use crate::input;
use crate::output::{self, Progress, line};
use crate::session::Session;

/// Deploys the contract, unless it is there.
pub async fn deploy(global: &Global, args: &args::Deploy) -> Result<(), Failure> {
    let signer = match accounts::signer(&args.signing)? {
        Some(signer) => signer,
        None => accounts::development("alice")?,
    };
    let session = Session::open(global, false).await?;
    let progress = Progress::new(global.json);
    progress.say("deploying the contract");
    let deployment = session.client.deploy(&signer, crate::session::CODE).await?;
    progress.clear();
    let address = deployment.address;
    if global.json {
        return Ok(line(json!({
            "contract": address.to_string(),
            "deployer": signer.address().to_string(),
            "transaction": deployment.receipt.as_ref().map(output::json_transaction),
        }))?);
    }
    match &deployment.receipt {
        Some(receipt) => {
            mapped(receipt.mapped.as_ref(), &session)?;
            line(format!("deployed the contract at {address}"))?;
            line(format!(
                "  {}",
                output::cost(receipt, session.client.token())
            ))?;
        }
        None => line(format!("the contract is at {address} already"))?,
    }
    Ok(())
}

/// Says that an account was mapped, if it was.
fn mapped(
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
            return Err(Failure::Usage(
                "who signs? Give --account, --secret-file or CONNECT4_SECRET".into(),
            ));
        }
    };
    let session = Session::open(global, false).await?;
    let progress = Progress::new(global.json);
    let (contract, deployed) = session
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
    if let Some(deployed) = &deployed {
        line(format!("deployed the contract at {}", deployed.value))?;
        line(format!("  {}", output::cost(deployed, token)))?;
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
fn shape(board: &args::Board) -> Result<ShapeSpec, Failure> {
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
        None => game
            .to_move()
            .and_then(|player| connect4_client::development_name(Address(game.account_of(player))))
            .and_then(Signer::development)
            .ok_or_else(|| {
                Failure::Usage("who signs? Give --account, --secret-file or CONNECT4_SECRET".into())
            })?,
    };
    let bin = u8::try_from(args.bin)
        .map_err(|_| Failure::Refused(input::invalid(game.shape().bins())))?;
    let progress = Progress::new(global.json);
    progress.say("dropping the disc");
    let receipt = contract.drop_disc(&signer, args.game, bin).await?;
    let game = self::game(&contract, args.game).await?;
    progress.clear();
    let row = receipt.value.row;
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
    if global.json {
        return Ok(line(output::json_game(number, contract.address(), &game))?);
    }
    line(format!(
        "game {number} of the contract {}: {}",
        contract.address(),
        game.shape()
    ))?;
    players(&game)?;
    line(output::board(&game.position()))?;
    line(format!("turns taken: {}", game.turns()))?;
    if let Some(outcome) = game.outcome() {
        line(outcome)?;
        let cells: Vec<String> = game
            .winning_cells()
            .iter(game.shape())
            .map(|cell| cell.to_string())
            .collect();
        if !cells.is_empty() {
            line(format!("winning cells (bin,row): {}", cells.join(" ")))?;
        }
    } else {
        line(output::standing(&game))?;
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
        let game = game(&contract, number).await?;
        if global.json {
            line(output::json_game(number, contract.address(), &game))?;
        } else {
            let short = |account| {
                let address = Address(account);
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
            let game = contract.game(at.event.game()).await?;
            tell(&at, game.as_ref(), global.json)?;
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
    let mut over = position.outcome().is_some();
    while !over {
        if !global.json && position.outcome().is_none() {
            line(format!("{} to move", position.to_move()))?;
        }
        let at = loop {
            let at = watch.next().await?;
            if at.event.game() == number {
                break at;
            }
        };
        if let Event::DiscDropped { bin, .. } = at.event {
            drop_again(&mut position, bin, number)?;
        }
        over = matches!(at.event, Event::GameEnded { .. });
        tell(&at, Some(&game), global.json)?;
        if !global.json && matches!(at.event, Event::DiscDropped { .. }) {
            line(output::board(&position))?;
        }
    }
    if let Some(outcome) = position.outcome().filter(|_| !global.json) {
        line(outcome)?;
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
fn tell(at: &Occurrence, game: Option<&Game>, json: bool) -> Result<(), Failure> {
    if json {
        return Ok(line(output::json_event(at, game))?);
    }
    let number = at.event.game();
    let text = match &at.event {
        Event::GameStarted {
            player_one,
            player_two,
            shape,
            ..
        } => format!(
            "game {number} started: {}x{}, line {}; red: {}, blue: {}",
            shape.bins,
            shape.capacity,
            shape.line,
            output::who(*player_one),
            output::who(*player_two)
        ),
        Event::DiscDropped {
            player, bin, row, ..
        } => {
            let colour = game.and_then(|game| game.player_of(&player.0));
            let who = match colour {
                Some(player) => output::coloured(player, player, false),
                None => output::who(*player),
            };
            format!(
                "game {number}: {who} into bin {bin}, row {row} (block {})",
                at.block
            )
        }
        Event::GameEnded { winner, .. } => {
            let winner =
                winner.map(
                    |winner| match game.and_then(|game| game.player_of(&winner.0)) {
                        Some(player) => player.to_string(),
                        None => output::who(winner),
                    },
                );
            match winner {
                Some(winner) => format!("game {number} ended, winner: {winner}"),
                None => format!("game {number} ended: a tie"),
            }
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
    let game = game(&contract, number).await?;
    progress.clear();
    let mut position = Position::new(game.shape());
    let mut bins = Vec::new();
    let pause = !global.json && std::io::stdout().is_terminal();
    for at in &history {
        if pause && !bins.is_empty() {
            tokio::time::sleep(args.pause).await;
        }
        tell(at, Some(&game), global.json)?;
        if let Event::DiscDropped { bin, .. } = at.event {
            let bin = drop_again(&mut position, bin, number)?;
            bins.push(bin);
            if !global.json {
                line(output::board(&position))?;
            }
        } else if !global.json && matches!(at.event, Event::GameStarted { .. }) {
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
    for player in [Player::One, Player::Two] {
        let name = output::coloured(player, format!("{} {player}", player.disc()), false);
        line(format!(
            "{name}: {}",
            output::who(Address(game.account_of(player)))
        ))?;
    }
    Ok(())
}
