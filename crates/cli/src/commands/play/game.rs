//! A classic game or a variant at this terminal.

use connect4_client::{Contracts, GameId, Signer};
use connect4_protocol::AnyGame;
use connect4_rules::variant::{Colour, VariantSpec};

use super::raise;
use super::someone::{Someone, needs_secret, secret_files, someone};
use crate::accounts;
use crate::args::{Global, Play};
use crate::commands::start::begin;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::lookup;
use crate::output::Output;
use crate::play::chain::Table;
use crate::play::{self, Computer};
use crate::said::Said;
use crate::session::Session;
use crate::words::who;

/// Starts a game, classic without `terms`, deploying its contract before if it is not there, and plays
/// it to its end.
pub async fn start(
    global: &Global,
    args: &Play,
    terms: Option<VariantSpec>,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let (shape, raised) = raise(args.terms.board)?;
    let seats = match terms {
        None => Seats::classic(args)?,
        Some(terms) => Seats::of(args, usize::from(terms.players))?,
    };
    let mut players = Vec::new();
    let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
    for (colour, someone) in Colour::ALL.into_iter().zip(&seats.people) {
        let (address, signer) = match someone {
            Some(someone) => (someone.address, someone.signer.clone()),
            None => {
                let signer = accounts::of_colour(colour)?;
                (signer.address(), Some(signer))
            }
        };
        players.push(address);
        match seats.has(colour) {
            true => here.extend(signer),
            false => elsewhere.extend(signer),
        }
    }
    // A player who sits here, if there is one.
    let mut signers = here.iter().chain(&elsewhere);
    let signer = signers.next().ok_or_else(|| needs_secret(Colour::Red))?;
    let session = Session::open(global, args.tmp, out).await?;
    let progress = out.progress();
    let begun = begin(&session, global, signer, players, (shape, terms), &progress);
    let (contract, deployment, started) = begun.await?;
    progress.clear();
    for what in &raised {
        out.say(Said::Raised(what))?;
    }
    out.say(Said::Opened {
        id: started.value.into(),
        deployment: deployment.as_ref(),
        sent: (&started).into(),
    })?;
    let id = started.value;
    sit(&session, args, Some(seats), contract, id, out, farewell).await
}

/// Resumes a game, and plays it to its end.
pub async fn resume(
    global: &Global,
    args: &Play,
    id: GameId,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let seats = match id.is_variant() {
        true => None,
        false => {
            let seats = Seats::classic(args)?;
            raise(args.terms.board)?;
            Some(seats)
        }
    };
    let session = Session::open(global, args.tmp, out).await?;
    let people = seats.iter().flat_map(|seats| seats.people.iter().flatten());
    let signer = people.filter_map(|someone| someone.signer.as_ref()).next();
    let contract = session.contract_of(global, id, signer).await?;
    sit(&session, args, seats, contract, id, out, farewell).await
}

/// Plays the seats of the command line in a game; `seats` if they are known before the game is.
async fn sit(
    session: &Session,
    args: &Play,
    seats: Option<Seats>,
    contract: Contracts,
    id: GameId,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let seen = lookup::game::<AnyGame>(&contract, id).await?;
    let game = &seen.value;
    let seats = match seats {
        Some(seats) => seats,
        None => Seats::of(args, game.colours().count())?,
    };
    let mut signers = Vec::new();
    let mut others = Vec::new();
    for colour in game.colours() {
        if let Some(signer) = seats.signer(game, id, colour)? {
            if seats.person.is_some_and(|person| person != colour) {
                others.push(signer.address());
            }
            signers.push(signer);
        }
    }
    let here = game.colours().filter(|colour| seats.has(*colour));
    let here: Vec<_> = here.map(|colour| game.account_of(colour)).collect();
    let secrets = secret_files(args);
    let secrets = secrets.map(|(colour, path)| (game.account_of(colour), path.to_owned()));
    let secrets: Vec<_> = secrets.collect();
    let table = Table::new(contract, id, seen, signers)
        .with_people(here)
        .with_computers(seats.computers(args, &others)?)
        .with_secrets(secrets);
    play::play(session, table, args.series, out, farewell).await
}

/// Who plays at this terminal.
struct Seats {
    /// The players as they are named, in turn order.
    people: Vec<Option<Someone>>,
    /// The colour that the command line names; none if all sit here.
    colour: Option<Colour>,
    /// The colour that the person at this terminal plays against computers; none without them.
    person: Option<Colour>,
}

impl Seats {
    fn classic(args: &Play) -> Result<Self, Failure> {
        if args.against.len() > 1 {
            return Err(Failure::Usage(format!(
                "a classic game has one opponent, not {}; give one level, or --players 3 or 4",
                args.against.len()
            )));
        }
        args.seat.classic()?;
        let people = vec![someone(args, Colour::Red)?, someone(args, Colour::Blue)?];
        Self::with(args, people)
    }

    fn of(args: &Play, players: usize) -> Result<Self, Failure> {
        let plays = |colour: Colour| colour.index() < players;
        if let Some(colour) = args.seat.colour().filter(|colour| !plays(*colour)) {
            return Err(Failure::no_seat(colour, players));
        }
        let mut people = Vec::new();
        for colour in Colour::ALL {
            let someone = someone(args, colour)?;
            match plays(colour) {
                true => people.push(someone),
                // A secret may be in the environment for other games.
                false if is_named(args, colour) => return Err(Failure::no_seat(colour, players)),
                false => {}
            }
        }
        Self::with(args, people)
    }

    fn with(args: &Play, people: Vec<Option<Someone>>) -> Result<Self, Failure> {
        let sits = args.seat.colour();
        let against = !args.against.is_empty();
        let seats = Self {
            people,
            colour: sits.filter(|_| !against),
            person: against.then_some(sits.unwrap_or(Colour::Red)),
        };
        for (colour, someone) in Colour::ALL.into_iter().zip(&seats.people) {
            let signs = someone
                .as_ref()
                .is_none_or(|someone| someone.signer.is_some());
            if seats.has(colour) && !signs {
                return Err(needs_secret(colour));
            }
        }
        Ok(seats)
    }

    /// Whether a colour is played here, by a person or by a computer.
    fn has(&self, colour: Colour) -> bool {
        self.colour.is_none_or(|sits| sits == colour)
    }

    /// The signer of a colour of a game; none if the player does not sit here.
    fn signer(
        &self,
        game: &AnyGame,
        id: GameId,
        colour: Colour,
    ) -> Result<Option<Signer>, Failure> {
        if !self.has(colour) || game.is_over() || game.has_left(colour) {
            return Ok(None);
        }
        let address = game.account_of(colour);
        match self.people.get(colour.index()).and_then(Option::as_ref) {
            Some(someone) if someone.address != address => Err(Failure::Usage(format!(
                "{colour} of game {id} is {}, not {}",
                who(address),
                who(someone.address)
            ))),
            Some(Someone {
                signer: Some(signer),
                ..
            }) => Ok(Some(signer.clone())),
            _ => match accounts::known(Some(address)) {
                Some(signer) => Ok(Some(signer)),
                None => Err(needs_secret(colour).and(&format!(
                    "{colour} of game {id} is {address}; to play another seat alone, give --seat \
                     with its colour"
                ))),
            },
        }
    }

    /// The computers that play for these accounts: of one level, or of a level for each.
    fn computers(
        &self,
        args: &Play,
        accounts: &[connect4_client::Address],
    ) -> Result<Vec<Computer>, Failure> {
        let levels = match args.against[..] {
            [] => return Ok(Vec::new()),
            [level] => vec![level; accounts.len()],
            ref levels if levels.len() == accounts.len() => levels.to_vec(),
            ref levels => {
                return Err(Failure::Usage(format!(
                    "{} levels were given for {} opponents: give one level for all, or one for \
                     each in turn order",
                    levels.len(),
                    accounts.len()
                )));
            }
        };
        let computers = accounts.iter().zip(levels);
        Ok(computers
            .map(|(account, level)| Computer::new(*account, level))
            .collect())
    }
}

/// Whether the command line names a player of this colour.
fn is_named(args: &Play, colour: Colour) -> bool {
    match colour {
        Colour::Red => args.red.is_some() || args.red_secret_file.is_some(),
        Colour::Blue => args.blue.is_some() || args.blue_secret_file.is_some(),
        Colour::Green => args.green.is_some() || args.green_secret_file.is_some(),
        Colour::Yellow => args.yellow.is_some() || args.yellow_secret_file.is_some(),
    }
}
