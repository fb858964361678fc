//! A classic game at this terminal.

use connect4_client::{Contract, Signer};
use connect4_opponent::Level;
use connect4_protocol::Game;
use connect4_rules::variant::Colour;
use connect4_rules::{Player, ShapeSpec};

use super::raise;
use super::someone::{Someone, needs_secret, secret_options, someone};
use crate::accounts;
use crate::args::{Global, Play, Seat};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::lookup;
use crate::owed::Ours;
use crate::play::{self, Computer, Screen, Table};
use crate::session::Session;
use crate::words::who;

/// Resumes the game with this number, or starts one, and plays it to its end.
pub async fn play(
    global: &Global,
    args: &Play,
    number: Option<u32>,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let level = level(&args.against)?;
    let sitting = args.seat.classic()?;
    // The computer's moves are signed here, too.
    let seat = match level {
        Some(_) => Seat::Both,
        None => sitting,
    };
    let red = someone(args, Colour::Red)?;
    let blue = someone(args, Colour::Blue)?;
    for (player, someone) in [(Player::One, &red), (Player::Two, &blue)] {
        if seat.has(player)
            && someone
                .as_ref()
                .is_some_and(|someone| someone.signer.is_none())
        {
            return Err(needs_secret(player.into()));
        }
    }
    let (shape, raised) = raise(args.terms.board)?;
    let session = Session::open(global, args.tmp, screen).await?;
    let (contract, number) = match number {
        Some(number) => {
            let signer = [&red, &blue]
                .into_iter()
                .flatten()
                .find_map(|someone| someone.signer.as_ref());
            (session.contract(global, signer).await?, number)
        }
        None => {
            let started = start(
                global,
                seat,
                &session,
                [&red, &blue],
                shape,
                &raised,
                screen,
            );
            started.await?
        }
    };
    let game = lookup::game(&contract, number).await;
    let named = [&red, &blue].into_iter().flatten();
    let ours = Ours::these(named.map(|someone| someone.address).collect());
    let game = ours.unless_there(game, &session, &contract, screen).await?;
    let signers = [
        signer_of(&game, number, Player::One, red, seat)?,
        signer_of(&game, number, Player::Two, blue, seat)?,
    ];
    let mut table = Table::new(contract, number, seat, signers, secret_options(args));
    if let Some(level) = level {
        let player = match sitting {
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
    shape: ShapeSpec,
    raised: &[String],
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
    let signer = ours.ok_or_else(|| needs_secret(Colour::Red))?;
    let progress = screen.progress();
    let (contract, deployment) = session
        .contract_or_deploy(global, &signer, &progress)
        .await?;
    progress.say("starting a game");
    let started = contract
        .start_game(&signer, red_address, blue_address, shape)
        .await?;
    progress.clear();
    for what in raised {
        screen.raised(what)?;
    }
    let number = started.value;
    screen.opened(deployment.as_ref(), number, (&started).into())?;
    Ok((contract, number))
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
            None => Err(needs_secret(player.into()).and(&format!(
                "{player} of game {number} is {address}; to play the other seat alone, give --seat {}",
                player.opponent()
            ))),
        },
    }
}

/// The level of the only opponent.
fn level(against: &[Level]) -> Result<Option<Level>, Failure> {
    match against {
        [] => Ok(None),
        [level] => Ok(Some(*level)),
        levels => Err(Failure::Usage(format!(
            "a classic game has one opponent, not {}; give one level, or --players 3 or 4",
            levels.len()
        ))),
    }
}
