//! A game at a terminal.

use std::io::{self, IsTerminal, Write};

use connect4_client::{Address, Contract, Error, Named, Receipt, Signer, development_name};
use connect4_rules::{Bin, Dropped, Game, Player, Shape, ShapeSpec};
use console::Term;
use serde_json::json;

use crate::Farewell;
use crate::accounts;
use crate::args::{Global, Play, Seat};
use crate::failure::Failure;
use crate::games;
use crate::input::{self, Lines};
use crate::output::{self, Progress, line};
use crate::session::{Place, Session};

/// Where the environment may hold the players' secrets.
const RED_SECRET: &str = "CONNECT4_RED_SECRET";
const BLUE_SECRET: &str = "CONNECT4_BLUE_SECRET";

const QUESTION: &str = "Enter a bin index (starting from 0): ";

/// Somebody at this table.
struct Someone {
    address: Address,
    /// Who signs, if they play here.
    signer: Option<Signer>,
}

/// A game as it is shown.
struct Table {
    contract: Contract,
    number: u32,
    seat: Seat,
    red: Option<Signer>,
    blue: Option<Signer>,
    json: bool,
    /// Drawn anew in place, if both ends are a terminal.
    screen: Option<Term>,
    /// How many lines below the screen's first the cursor is.
    drawn: usize,
    /// What is to be said of the last move.
    last: Option<String>,
}

/// Plays a game to its end.
pub async fn play(global: &Global, args: &Play, farewell: &Farewell) -> Result<(), Failure> {
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
        if args.seat.has(player)
            && someone
                .as_ref()
                .is_some_and(|someone| someone.signer.is_none())
        {
            return Err(needs_secret(player));
        }
    }
    let board = raise(args)?;
    let session = Session::open(global, args.tmp).await?;

    let (contract, number) = match args.game {
        Some(number) => {
            let signer = [&red, &blue]
                .into_iter()
                .flatten()
                .find_map(|someone| someone.signer.as_ref());
            (session.contract(global, signer).await?, number)
        }
        None => start(global, args.seat, &session, [&red, &blue], &board).await?,
    };
    let game = games::game(&contract, number).await?;
    let seat_signer = |player: Player, someone: Option<Someone>| {
        signer_of(&game, number, player, someone, args.seat)
    };
    let mut table = Table {
        red: seat_signer(Player::One, red)?,
        blue: seat_signer(Player::Two, blue)?,
        contract,
        number,
        seat: args.seat,
        json: global.json,
        screen: (!global.json && io::stdin().is_terminal() && io::stdout().is_terminal())
            .then(Term::stdout),
        drawn: 0,
        last: None,
    };
    let resume = resume(&session, args, number, table.contract.address());
    if !game.is_over() {
        farewell.set(resume.clone());
    }
    table.greet(&session, &game)?;
    table.run(&session, game, &resume).await
}

/// Starts a game, and deploys the contract before if it is not there.
async fn start(
    global: &Global,
    seat: Seat,
    session: &Session,
    [red, blue]: [&Option<Someone>; 2],
    board: &Raised,
) -> Result<(Contract, u32), Failure> {
    let progress = Progress::new(global.json);
    let alice = accounts::development("alice")?;
    let bob = accounts::development("bob")?;
    let of = |someone: &Option<Someone>, usual: &Signer| match someone {
        Some(someone) => (someone.address, someone.signer.clone()),
        None => (usual.address(), Some(usual.clone())),
    };
    let (red_address, red_signer) = of(red, &alice);
    let (blue_address, blue_signer) = of(blue, &bob);
    let ours = match seat {
        Seat::Blue => blue_signer.or(red_signer),
        Seat::Red | Seat::Both => red_signer.or(blue_signer),
    };
    let signer = ours.ok_or_else(|| needs_secret(Player::One))?;
    let (contract, deployed) = session
        .contract_or_deploy(global, &signer, &progress)
        .await?;
    progress.say("starting a game");
    let started = contract
        .start_game(&signer, red_address, blue_address, board.shape)
        .await?;
    progress.clear();
    if global.json {
        for what in &board.raised {
            line(json!({ "event": "raised", "what": what }))?;
        }
    } else {
        for what in &board.raised {
            line(what)?;
        }
        let token = session.client.token();
        if let Some(deployed) = deployed {
            line(format!("deployed the contract at {}", deployed.value))?;
            line(output::dim(format!("  {}", output::cost(&deployed, token))))?;
        }
        if let Some(mapped) = &started.mapped {
            line("made the account known to contracts")?;
            line(output::dim(format!(
                "  {}",
                output::transaction(mapped, token)
            )))?;
        }
        line(format!("started game {}", started.value))?;
        line(output::dim(format!("  {}", output::cost(&started, token))))?;
    }
    Ok((contract, started.value))
}

/// Who the command line says plays; none if it does not say.
fn someone(
    named: Option<&Named>,
    secret_file: Option<&std::path::Path>,
    environment: &str,
) -> Result<Option<Someone>, Failure> {
    let by_signer = |signer: Signer| Someone {
        address: signer.address(),
        signer: Some(signer),
    };
    if let Some(path) = secret_file {
        return Ok(Some(by_signer(accounts::from_file(path)?)));
    }
    match named {
        Some(Named::Development(name)) => accounts::development(name).map(by_signer).map(Some),
        Some(named) => {
            let address = named.address();
            // The secret may be in the environment, and the address be said to be sure.
            let signer = accounts::from_environment(environment)?
                .filter(|signer| signer.address() == address);
            Ok(Some(Someone { address, signer }))
        }
        None => Ok(accounts::from_environment(environment)?.map(by_signer)),
    }
}

/// Who signs for a player of a game; none if they do not play here.
fn signer_of(
    game: &Game,
    number: u32,
    player: Player,
    someone: Option<Someone>,
    seat: Seat,
) -> Result<Option<Signer>, Failure> {
    let address = Address(game.account_of(player));
    if !seat.has(player) || game.is_over() {
        return Ok(None);
    }
    match someone {
        Some(someone) if someone.address != address => Err(Failure::Usage(format!(
            "{player} of game {number} is {}, not {}",
            output::who(address),
            output::who(someone.address)
        ))),
        Some(Someone {
            signer: Some(signer),
            ..
        }) => Ok(Some(signer)),
        _ => match development_name(address).and_then(Signer::development) {
            Some(signer) => Ok(Some(signer)),
            None => Err(needs_secret(player).and(&format!(
                "{player} of game {number} is {address}; to play the other seat alone, give --seat {}",
                player.opponent()
            ))),
        },
    }
}

fn needs_secret(player: Player) -> Failure {
    let environment = match player {
        Player::One => RED_SECRET,
        Player::Two => BLUE_SECRET,
    };
    Failure::Usage(format!(
        "to play {player} here its secret is needed: give --{player}-secret-file, or {environment} \
         in the environment"
    ))
}

/// The shape to play on, no smaller than a board can be.
struct Raised {
    shape: ShapeSpec,
    /// What was raised for that.
    raised: Vec<String>,
}

fn raise(args: &Play) -> Result<Raised, Failure> {
    let mut raised = Vec::new();
    let mut least = |name: &str, asked: u8, least: u8| {
        if asked < least {
            raised.push(format!("{name} raised from {asked} to {least}, the least"));
        }
        asked.max(least)
    };
    let shape = ShapeSpec {
        bins: least("bins", args.board.bins, Shape::MIN_BINS),
        capacity: least("capacity", args.board.capacity, Shape::MIN_CAPACITY),
        line: least("line", args.board.line, Shape::MIN_LINE),
    };
    Shape::try_from(shape).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(Raised { shape, raised })
}

/// How to go on with a game.
fn resume(session: &Session, args: &Play, number: u32, contract: Address) -> String {
    if let Place::Memory = session.place {
        return format!(
            "game {number} was on a chain in memory, which is gone now; without --tmp it could be \
             gone on with"
        );
    }
    let mut command = format!("connect4 play --game {number}{}", session.arguments());
    if Session::usual_contract() != Some(contract) {
        command.push_str(&format!(" --contract {contract}"));
    }
    match args.seat {
        Seat::Both => {}
        Seat::Red => command.push_str(" --seat red"),
        Seat::Blue => command.push_str(" --seat blue"),
    }
    for (option, path) in [
        ("--red-secret-file", &args.red_secret_file),
        ("--blue-secret-file", &args.blue_secret_file),
    ] {
        if let Some(path) = path {
            command.push_str(&format!(" {option} '{}'", path.display()));
        }
    }
    format!("game {number} is not over and stays on the chain; go on with it by\n  {command}")
}

impl Table {
    fn signer(&self, player: Player) -> Option<&Signer> {
        match player {
            Player::One => self.red.as_ref(),
            Player::Two => self.blue.as_ref(),
        }
    }

    fn greet(&self, session: &Session, game: &Game) -> Result<(), Failure> {
        if self.json {
            return Ok(line(json!({
                "event": "game",
                "game": output::json_game(self.number, self.contract.address(), game),
            }))?);
        }
        let place = match &session.place {
            Place::Url(url) => format!("{} at {url}", session.client.chain()),
            Place::Folder(folder) => format!("the local chain in {}", folder.display()),
            Place::Memory => "a chain in memory".into(),
        };
        line(format!(
            "Connect Four {}: game {} on {place}",
            game.shape(),
            self.number
        ))?;
        line(format!("contract: {}", self.contract.address()))?;
        games::players(game)?;
        if let Seat::Red | Seat::Blue = self.seat {
            let (ours, theirs) = match self.seat {
                Seat::Blue => (Player::Two, Player::One),
                _ => (Player::One, Player::Two),
            };
            let mut command = format!(
                "connect4 play --game {} --seat {theirs}{}",
                self.number,
                session.arguments()
            );
            let address = self.contract.address();
            if Session::usual_contract() != Some(address) {
                command.push_str(&format!(" --contract {address}"));
            }
            if development_name(Address(game.account_of(theirs))).is_none() {
                command.push_str(&format!(" --{theirs}-secret-file <FILE>"));
            }
            line(format!("you play {ours}; {theirs} joins with\n  {command}"))?;
        }
        if self.screen.is_some() {
            line("")?;
        }
        Ok(())
    }

    async fn run(
        &mut self,
        session: &Session,
        mut game: Game,
        resume: &str,
    ) -> Result<(), Failure> {
        let mut lines = Lines::read();
        loop {
            self.draw(&game)?;
            let Some(player) = game.to_move() else {
                return self.end(&game);
            };
            if self.signer(player).is_none() {
                game = self
                    .wait(&game, player)
                    .await
                    .map_err(|failure| failure.and(resume))?;
                continue;
            }
            let bin = match self.ask(&mut lines, &game, player).await? {
                Some(bin) => bin,
                None => {
                    return Err(Failure::Unfinished(format!(
                        "the input ended in the middle of the game\n{resume}"
                    )));
                }
            };
            game = self
                .drop(session, &game, player, bin)
                .await
                .map_err(|failure| failure.and(resume))?;
        }
    }

    /// Shows the board and the last move; on a terminal in the place of the ones before.
    fn draw(&mut self, game: &Game) -> Result<(), Failure> {
        if self.json {
            return Ok(());
        }
        let mut text = output::board(&game.position());
        if let Some(last) = &self.last {
            text.push('\n');
            text.push_str(last);
        }
        match &self.screen {
            Some(screen) => {
                // What has scrolled away can't be drawn over.
                let (height, _) = screen.size();
                if self.drawn > 0 && self.drawn < usize::from(height) {
                    screen.clear_last_lines(self.drawn)?;
                }
                self.drawn = 0;
            }
            None => line("")?,
        }
        self.say(&text)
    }

    /// Prints lines that the next board takes the place of on a terminal.
    fn say(&mut self, text: &str) -> Result<(), Failure> {
        if let Some(screen) = &self.screen {
            self.drawn += output::height(text, screen.size().1);
        }
        Ok(line(text)?)
    }

    /// Asks until the answer is a bin that takes a disc; none if the input ends.
    async fn ask(
        &mut self,
        lines: &mut Lines,
        game: &Game,
        player: Player,
    ) -> Result<Option<Bin>, Failure> {
        let position = game.position();
        if self.screen.is_some() {
            lines.forget();
        }
        if !self.json {
            let disc = u16::from(game.turns()) + 1;
            let name = output::coloured(player, player, true);
            self.say(&format!("add shape: {disc}, player: {name}"))?;
        }
        loop {
            if !self.json {
                let mut out = io::stdout().lock();
                write!(out, "{QUESTION}")?;
                out.flush()?;
            }
            let answer = lines
                .next()
                .await
                .map_err(|error| Failure::Other(format!("cannot read the input: {error}")))?;
            let Some(answer) = answer else {
                if !self.json {
                    line("")?;
                }
                return Ok(None);
            };
            if let Some(screen) = &self.screen {
                let typed = format!("{QUESTION}{answer}");
                self.drawn += output::height(&typed, screen.size().1);
            } else if !self.json {
                // A terminal has shown what was typed.
                line(answer.trim().escape_debug())?;
            }
            match input::bin(&answer, &position) {
                Ok(bin) => return Ok(Some(bin)),
                Err(wrong) => self.refuse(player, &wrong)?,
            }
        }
    }

    /// Says what was wrong with an answer.
    fn refuse(&mut self, player: Player, wrong: &str) -> Result<(), Failure> {
        if self.json {
            return Ok(line(json!({
                "event": "refused",
                "player": player.colour(),
                "reason": wrong,
            }))?);
        }
        self.say(wrong)
    }

    /// Sends a move, and returns the game after it.
    async fn drop(
        &mut self,
        session: &Session,
        game: &Game,
        player: Player,
        bin: Bin,
    ) -> Result<Game, Failure> {
        let Some(signer) = self.signer(player).cloned() else {
            return Ok(*game);
        };
        let progress = Progress::new(self.json);
        progress.say("waiting for the block");
        let dropped = self
            .contract
            .drop_disc(&signer, self.number, bin.index())
            .await;
        let after = games::game(&self.contract, self.number).await;
        progress.clear();
        match dropped {
            Ok(receipt) => {
                let after = after?;
                self.tell(session, player, bin, &receipt, &after)?;
                Ok(after)
            }
            // The game went on without us, or the answer was lost: the chain knows how it stands.
            Err(error) => {
                let went_on = matches!(
                    error.refusal(),
                    Some(
                        connect4_rules::Error::NotYourTurn
                            | connect4_rules::Error::GameOver
                            | connect4_rules::Error::BinFull
                    )
                ) || matches!(error, Error::Gone { .. } | Error::Timeout { .. });
                match after {
                    Ok(after) if went_on && after.turns() > game.turns() => {
                        if !self.json {
                            self.last = Some(error.to_string());
                        }
                        Ok(after)
                    }
                    _ => Err(error.into()),
                }
            }
        }
    }

    fn tell(
        &mut self,
        session: &Session,
        player: Player,
        bin: Bin,
        receipt: &Receipt<Dropped>,
        after: &Game,
    ) -> Result<(), Failure> {
        let row = receipt.value.row;
        if self.json {
            return Ok(line(json!({
                "event": "dropped",
                "player": player.colour(),
                "bin": bin.index(),
                "row": row,
                "game": output::json_game(self.number, self.contract.address(), after),
                "transaction": output::json_transaction(receipt),
            }))?);
        }
        let token = session.client.token();
        let mut text = format!(
            "{} into bin {bin}, row {row}: {}",
            output::coloured(player, player, false),
            output::dim(output::cost(receipt, token))
        );
        if let Some(mapped) = &receipt.mapped {
            text = format!(
                "made the account known to contracts: {}\n{text}",
                output::dim(output::transaction(mapped, token))
            );
        }
        self.last = Some(text);
        Ok(())
    }

    /// Waits for the move of a player who sits elsewhere.
    async fn wait(&mut self, game: &Game, player: Player) -> Result<Game, Failure> {
        let progress = Progress::new(self.json);
        if !self.json {
            self.say(&format!(
                "waiting for {} to move; Ctrl-C leaves",
                output::coloured(player, player, true)
            ))?;
        }
        progress.say("waiting");
        let after = self
            .contract
            .wait_for_turn(self.number, game.turns())
            .await?;
        progress.clear();
        // Which cell is new tells where it went.
        let new = (0..after.shape().bins())
            .map(Bin::new)
            .find(|&bin| after.board().height(bin) > game.board().height(bin));
        if let Some(bin) = new {
            let row = after.board().height(bin).saturating_sub(1);
            if self.json {
                line(json!({
                    "event": "dropped",
                    "player": player.colour(),
                    "bin": bin.index(),
                    "row": row,
                    "game": output::json_game(self.number, self.contract.address(), &after),
                    "transaction": null,
                }))?;
            } else {
                let name = output::coloured(player, player, false);
                self.last = Some(format!("{name} into bin {bin}, row {row}"));
            }
        }
        Ok(after)
    }

    fn end(&self, game: &Game) -> Result<(), Failure> {
        let Some(outcome) = game.outcome() else {
            return Ok(());
        };
        if self.json {
            return Ok(line(json!({
                "event": "ended",
                "winner": game.winner().map(Player::colour),
                "game": output::json_game(self.number, self.contract.address(), game),
            }))?);
        }
        match outcome.winner() {
            Some(player) => line(output::coloured(player, outcome, true))?,
            None => line(outcome)?,
        }
        Ok(())
    }
}
