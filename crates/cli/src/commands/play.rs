//! `play`: a game at this terminal.

use std::path::Path;

use connect4_client::{Address, Contract, Named, Signer};
use connect4_protocol::Game;
use connect4_rules::{Player, Shape, ShapeSpec};

use crate::accounts;
use crate::args::{Global, Play, Seat};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::lookup;
use crate::play::{self, Computer, Screen, Table};
use crate::session::Session;
use crate::words::who;

/// Environment variables that may hold the players' secrets.
const RED_SECRET: &str = "CONNECT4_RED_SECRET";
const BLUE_SECRET: &str = "CONNECT4_BLUE_SECRET";

/// A player as the command line names it.
struct Someone {
    address: Address,
    /// None if the secret is not given.
    signer: Option<Signer>,
}

impl From<Signer> for Someone {
    fn from(signer: Signer) -> Self {
        Self {
            address: signer.address(),
            signer: Some(signer),
        }
    }
}

/// Resumes the game that is named or starts one, and plays it to its end.
pub async fn play(
    global: &Global,
    args: &Play,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    // The computer's moves are signed here, too.
    let seat = match args.against {
        Some(_) => Seat::Both,
        None => args.seat,
    };
    let red = someone(
        args.red.as_ref(),
        args.red_secret_file.as_deref(),
        RED_SECRET,
    )?;
    let blue = someone(
        args.blue.as_ref(),
        args.blue_secret_file.as_deref(),
        BLUE_SECRET,
    )?;
    for (player, someone) in [(Player::One, &red), (Player::Two, &blue)] {
        if seat.has(player)
            && someone
                .as_ref()
                .is_some_and(|someone| someone.signer.is_none())
        {
            return Err(needs_secret(player));
        }
    }
    let board = raise(args)?;
    let session = Session::open(global, args.tmp, screen).await?;
    let (contract, number) = match args.game {
        Some(number) => {
            let signer = [&red, &blue]
                .into_iter()
                .flatten()
                .find_map(|someone| someone.signer.as_ref());
            (session.contract(global, signer).await?, number)
        }
        None => start(global, seat, &session, [&red, &blue], &board, screen).await?,
    };
    let game = lookup::game(&contract, number).await?;
    let signers = [
        signer_of(&game, number, Player::One, red, seat)?,
        signer_of(&game, number, Player::Two, blue, seat)?,
    ];
    let mut table = Table::new(contract, number, seat, signers, secrets(args));
    if let Some(level) = args.against {
        let player = match args.seat {
            Seat::Blue => Player::One,
            Seat::Red | Seat::Both => Player::Two,
        };
        table = table.with_computer(Computer::new(game.account_of(player), level));
    }
    play::play(&session, table, args.series, screen, farewell).await
}

/// Starts a game, and deploys the contract before if it is not there.
async fn start(
    global: &Global,
    seat: Seat,
    session: &Session,
    [red, blue]: [&Option<Someone>; 2],
    board: &Raised,
    screen: &mut dyn Screen,
) -> Result<(Contract, u32), Failure> {
    let alice = accounts::development("alice")?;
    let bob = accounts::development("bob")?;
    let of = |someone: &Option<Someone>, default: &Signer| match someone {
        Some(someone) => (someone.address, someone.signer.clone()),
        None => (default.address(), Some(default.clone())),
    };
    let (red_address, red_signer) = of(red, &alice);
    let (blue_address, blue_signer) = of(blue, &bob);
    let ours = match seat {
        Seat::Blue => blue_signer.or(red_signer),
        Seat::Red | Seat::Both => red_signer.or(blue_signer),
    };
    let signer = ours.ok_or_else(|| needs_secret(Player::One))?;
    let progress = screen.progress();
    let (contract, deployment) = session
        .contract_or_deploy(global, &signer, &progress)
        .await?;
    progress.say("starting a game");
    let started = contract
        .start_game(&signer, red_address, blue_address, board.shape)
        .await?;
    progress.clear();
    for what in &board.raised {
        screen.raised(what)?;
    }
    let number = started.value;
    screen.opened(deployment.as_ref(), number, (&started).into())?;
    Ok((contract, number))
}

/// The player that the command line or the environment names; none if neither does.
fn someone(
    named: Option<&Named>,
    secret_file: Option<&Path>,
    variable: &str,
) -> Result<Option<Someone>, Failure> {
    if let Some(path) = secret_file {
        return Ok(Some(accounts::from_file(path)?.into()));
    }
    match named {
        Some(Named::Development(name)) => {
            let signer = accounts::development(name)?;
            Ok(Some(signer.into()))
        }
        Some(named) => {
            let address = named.address();
            // An address may be given in addition to the secret in the environment, as a check.
            let signer =
                accounts::from_environment(variable)?.filter(|signer| signer.address() == address);
            Ok(Some(Someone { address, signer }))
        }
        None => Ok(accounts::from_environment(variable)?.map(Someone::from)),
    }
}

/// The signer of a player of a game; none if the player does not sit here.
fn signer_of(
    game: &Game,
    number: u32,
    player: Player,
    someone: Option<Someone>,
    seat: Seat,
) -> Result<Option<Signer>, Failure> {
    let address = game.account_of(player);
    if !seat.has(player) || game.is_over() {
        return Ok(None);
    }
    match someone {
        Some(someone) if someone.address != address => Err(Failure::Usage(format!(
            "{player} of game {number} is {}, not {}",
            who(address),
            who(someone.address)
        ))),
        Some(Someone {
            signer: Some(signer),
            ..
        }) => Ok(Some(signer)),
        _ => match accounts::known(Some(address)) {
            Some(signer) => Ok(Some(signer)),
            None => Err(needs_secret(player).and(&format!(
                "{player} of game {number} is {address}; to play the other seat alone, give --seat {}",
                player.opponent()
            ))),
        },
    }
}

fn needs_secret(player: Player) -> Failure {
    let variable = match player {
        Player::One => RED_SECRET,
        Player::Two => BLUE_SECRET,
    };
    Failure::Usage(format!(
        "to play {player} here its secret is needed: give --{player}-secret-file, or {variable} in \
         the environment"
    ))
}

/// A shape whose numbers are not below the bounds of a board.
#[derive(Debug, PartialEq, Eq)]
struct Raised {
    shape: ShapeSpec,
    /// Which numbers were raised, in words.
    raised: Vec<String>,
}

fn raise(args: &Play) -> Result<Raised, Failure> {
    let mut raised = Vec::new();
    let mut at_least = |name: &str, asked: u8, least: u8| {
        if asked < least {
            raised.push(format!("{name} raised from {asked} to {least}, the least"));
        }
        asked.max(least)
    };
    let shape = ShapeSpec {
        bins: at_least("bins", args.board.bins, Shape::MIN_BINS),
        capacity: at_least("capacity", args.board.capacity, Shape::MIN_CAPACITY),
        line: at_least("line", args.board.line, Shape::MIN_LINE),
    };
    Shape::try_from(shape).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(Raised { shape, raised })
}

/// The options that name the files with the players' secrets, with a space in front of each.
fn secrets(args: &Play) -> String {
    let mut options = String::new();
    for (option, path) in [
        ("--red-secret-file", &args.red_secret_file),
        ("--blue-secret-file", &args.blue_secret_file),
    ] {
        if let Some(path) = path {
            options.push_str(&format!(" {option} '{}'", path.display()));
        }
    }
    options
}
