//! A game of a variant at this terminal.

use connect4_client::{Address, GameId, Seen, Signer, Variants};
use connect4_protocol::variants::Game;
use connect4_rules::variant::{Colour, VariantSpec};

use super::raise;
use super::someone::{Someone, needs_secret, secret_options, someone};
use crate::accounts;
use crate::args::{Global, Play};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::lookup;
use crate::play::Computer;
use crate::play::Screen;
use crate::play::variant::{self, Table};
use crate::report::{VariantAt, VariantOpened};
use crate::session::Session;
use crate::words::who;

/// Starts a game, deploying the contract before if it is not there, and plays it to its end.
pub async fn start(
    global: &Global,
    args: &Play,
    terms: VariantSpec,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let (shape, raised) = raise(args.terms.board)?;
    let terms = VariantSpec { shape, ..terms };
    let seats = Seats::of(args, usize::from(terms.players))?;
    let mut players = Vec::new();
    let mut signers = Vec::new();
    for (colour, someone) in Colour::ALL.into_iter().zip(&seats.people) {
        let (address, signer) = match someone {
            Some(someone) => (someone.address, someone.signer.clone()),
            None => {
                let signer = accounts::of_colour(colour)?;
                (signer.address(), Some(signer))
            }
        };
        players.push(address);
        match signer {
            Some(signer) if seats.has(colour) => signers.insert(0, signer),
            Some(signer) => signers.push(signer),
            None if seats.has(colour) => return Err(needs_secret(colour)),
            None => {}
        }
    }
    // A player who sits here, if there is one: those were put in front.
    let signer = signers.first().ok_or_else(|| needs_secret(Colour::Red))?;
    let session = Session::open(global, args.tmp, screen).await?;
    let progress = screen.progress();
    let (variants, deployment) = session
        .variants_or_deploy(global, signer, &progress)
        .await?;
    progress.say("starting a game");
    let started = variants.start_game(signer, &players, terms).await?;
    let number = started.value;
    let game = lookup::variant(&variants, number).await?;
    progress.clear();
    for what in &raised {
        screen.raised(what)?;
    }
    screen.variant_opened(&VariantOpened {
        at: VariantAt::of(&variants, number, &game),
        deployment: deployment.as_ref(),
        sent: (&started).into(),
    })?;
    play(
        &session, args, seats, variants, number, game, screen, farewell,
    )
    .await
}

/// Plays the game with this number to its end.
pub async fn resume(
    global: &Global,
    args: &Play,
    number: u32,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let session = Session::open(global, args.tmp, screen).await?;
    let variants = session.variants(global, None).await?;
    let game = lookup::variant(&variants, number).await?;
    let seats = Seats::of(args, usize::from(game.variant().players()))?;
    play(
        &session, args, seats, variants, number, game, screen, farewell,
    )
    .await
}

#[allow(
    clippy::too_many_arguments,
    reason = "what both ways to begin have in common"
)]
async fn play(
    session: &Session,
    args: &Play,
    seats: Seats,
    variants: Variants,
    number: u32,
    game: Seen<Game>,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut signers = Vec::new();
    let mut others = Vec::new();
    for colour in game.variant().colours() {
        if let Some(signer) = seats.signer(&game, number, colour)? {
            if seats.person.is_some_and(|person| person != colour) {
                others.push(signer.address());
            }
            signers.push(signer);
        }
    }
    let computers = computers(args, &others)?;
    let table = Table::new(variants, number, game, signers, computers);
    let table = table.with_secrets(secret_options(args));
    variant::play(session, table, screen, farewell).await
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
    fn of(args: &Play, players: usize) -> Result<Self, Failure> {
        let plays = |colour: Colour| colour.index() < players;
        let sits = args.seat.colour();
        if let Some(colour) = sits.filter(|colour| !plays(*colour)) {
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
        let against = !args.against.is_empty();
        Ok(Self {
            people,
            colour: sits.filter(|_| !against),
            person: against.then_some(sits.unwrap_or(Colour::Red)),
        })
    }

    /// Whether a colour is played here, by a person or by a computer.
    fn has(&self, colour: Colour) -> bool {
        self.colour.is_none_or(|sits| sits == colour)
    }

    /// The signer of a colour of a game; none if the player does not sit here.
    fn signer(&self, game: &Game, number: u32, colour: Colour) -> Result<Option<Signer>, Failure> {
        if !self.has(colour) || game.is_over() || game.position().has_left(colour) {
            return Ok(None);
        }
        let address = game.account_of(colour);
        let id = GameId::Variant(number);
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

/// The computers that play for these accounts: of one level, or of a level for each.
fn computers(args: &Play, accounts: &[Address]) -> Result<Vec<Computer>, Failure> {
    let levels = match args.against[..] {
        [] => return Ok(Vec::new()),
        [level] => vec![level; accounts.len()],
        ref levels if levels.len() == accounts.len() => levels.to_vec(),
        ref levels => {
            return Err(Failure::Usage(format!(
                "{} levels were given for {} opponents: give one level for all, or one for each \
                 in turn order",
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
