//! A game at a terminal.

use std::io::{self, IsTerminal, Write};

use connect4_client::{Address, Contract, Error, Named, Played, Receipt, Signer, development_name};
use connect4_opponent::{Level, Opponent};
use connect4_protocol::{Game, Match};
use connect4_rules::{Bin, Player, Shape, ShapeSpec};
use console::Term;
use serde_json::json;

use crate::Farewell;
use crate::accounts;
use crate::args::{Global, Play, Seat};
use crate::failure::Failure;
use crate::games;
use crate::input::{self, Answer, Lines, Wish};
use crate::matches;
use crate::output::{self, Progress, line};
use crate::session::{Place, Session};

/// Where the environment may hold the players' secrets.
const RED_SECRET: &str = "CONNECT4_RED_SECRET";
const BLUE_SECRET: &str = "CONNECT4_BLUE_SECRET";

/// How long to wait before a timeout is claimed again that the chain did not see yet.
const CLOCKS_DIFFER: std::time::Duration = std::time::Duration::from_secs(2);

const QUESTION: &str = "Enter a bin index (starting from 0): ";

/// Somebody at this table.
struct Someone {
    address: Address,
    /// Who signs, if they play here.
    signer: Option<Signer>,
}

/// The computer at this table.
struct Computer {
    /// Whose seat it has.
    account: Address,
    level: Level,
    /// None while it thinks.
    opponent: Option<Opponent>,
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
    /// What goes beside the game.
    beside: Match,
    /// Whether the input has ended.
    unheard: bool,
    /// Who plays by itself.
    computer: Option<Computer>,
}

/// Plays a game to its end.
pub async fn play(global: &Global, args: &Play, farewell: &Farewell) -> Result<(), Failure> {
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
    let session = Session::open(global, args.tmp).await?;

    let (contract, number) = match args.game {
        Some(number) => {
            let signer = [&red, &blue]
                .into_iter()
                .flatten()
                .find_map(|someone| someone.signer.as_ref());
            (session.contract(global, signer).await?, number)
        }
        None => start(global, seat, &session, [&red, &blue], &board).await?,
    };
    let game = games::game(&contract, number).await?;
    let seat_signer =
        |player: Player, someone: Option<Someone>| signer_of(&game, number, player, someone, seat);
    let secrets = secrets(args);
    let red = seat_signer(Player::One, red)?;
    let blue = seat_signer(Player::Two, blue)?;
    let mut table = Table::new(global, contract, number, [red, blue], seat);
    if let Some(level) = args.against {
        let player = match args.seat {
            Seat::Blue => Player::One,
            Seat::Red | Seat::Both => Player::Two,
        };
        table.computer = Some(Computer {
            account: game.account_of(player),
            level,
            opponent: Some(Opponent::new(level, rand::random())),
        });
    }
    table
        .play(&session, game, secrets, args.series, farewell)
        .await
}

/// Plays a game to its end for one account, whichever seat it has.
pub async fn sit(
    global: &Global,
    session: &Session,
    contract: Contract,
    number: u32,
    signer: &Signer,
    series: bool,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let game = games::game(&contract, number).await?;
    let seat = matches::seat_of(&game, number, signer.address())?;
    let of = |player| seat.has(player).then(|| signer.clone());
    let signers = [of(Player::One), of(Player::Two)];
    let secret = match signer.development_name() {
        Some(_) => String::new(),
        None => match seat {
            Seat::Blue => " --blue-secret-file <FILE>".into(),
            _ => " --red-secret-file <FILE>".into(),
        },
    };
    let table = Table::new(global, contract, number, signers, seat);
    table.play(session, game, secret, series, farewell).await
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
    let (contract, deployment) = session
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
        if let Some(deployment) = &deployment {
            games::deployed(deployment, session)?;
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
    let address = game.account_of(player);
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

/// The options that name the players' secrets.
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

/// What happened while a player thought, or a player's answer.
enum Step {
    /// What the player wants.
    Answer(Answer),
    /// The game, or what goes beside it, has changed.
    Changed(Game, Match),
    /// The deadline of who is to move is over.
    TimeIsUp,
    /// The input has ended.
    End,
}

impl Table {
    fn new(
        global: &Global,
        contract: Contract,
        number: u32,
        [red, blue]: [Option<Signer>; 2],
        seat: Seat,
    ) -> Self {
        Self {
            contract,
            number,
            seat,
            red,
            blue,
            json: global.json,
            screen: (!global.json && io::stdin().is_terminal() && io::stdout().is_terminal())
                .then(Term::stdout),
            drawn: 0,
            last: None,
            beside: Match::default(),
            unheard: false,
            computer: None,
        }
    }

    /// Whether the computer plays this seat.
    fn plays_itself(&self, game: &Game, player: Player) -> bool {
        self.computer
            .as_ref()
            .is_some_and(|computer| computer.account == game.account_of(player))
    }

    /// What the computer would do.
    async fn think(&mut self, game: &Game) -> Result<Step, Failure> {
        let Some((computer, mut opponent)) = self.computer.as_mut().and_then(|computer| {
            computer
                .opponent
                .take()
                .map(|opponent| (computer, opponent))
        }) else {
            return Err(Failure::Other("the computer is not at this table".into()));
        };
        let progress = Progress::new(self.json);
        progress.say("thinking");
        let position = game.position();
        let thought = tokio::task::spawn_blocking(move || {
            let bin = opponent.choose(&position);
            (opponent, bin)
        });
        let (opponent, bin) = thought
            .await
            .map_err(|error| Failure::Other(format!("the computer failed: {error}")))?;
        computer.opponent = Some(opponent);
        bin.map(|bin| Step::Answer(Answer::Drop(bin)))
            .ok_or_else(|| Failure::Other("the computer sees no move".into()))
    }

    /// Plays game after game, as long as its players want a rematch.
    async fn play(
        mut self,
        session: &Session,
        mut game: Game,
        secrets: String,
        series: bool,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let mut lines = Lines::read();
        loop {
            self.beside = self.contract.match_of(self.number).await?;
            let resume = self.resume(session, &secrets);
            if !game.is_over() {
                farewell.set(resume.clone());
            }
            self.greet(session, &game)?;
            let ended = self.run(session, &mut lines, game, &resume).await?;
            farewell.clear();
            self.end(&ended)?;
            self.collect(session, &ended).await?;
            let asks = (series || self.screen.is_some()) && self.contract.has_matches();
            if !asks || self.unheard {
                return Ok(());
            }
            match self.rematch(session, &mut lines, &ended, farewell).await? {
                Some(next) => self.number = next,
                None => return Ok(()),
            }
            game = games::game(&self.contract, self.number).await?;
            self.take_seats(&game);
        }
    }

    /// How to go on with the game.
    fn resume(&self, session: &Session, secrets: &str) -> String {
        let number = self.number;
        if let Place::Memory = session.place {
            return format!(
                "game {number} was on a chain in memory, which is gone now; without --tmp it could \
                 be gone on with"
            );
        }
        let seat = match self.seat {
            Seat::Both => String::new(),
            Seat::Red => " --seat red".into(),
            Seat::Blue => " --seat blue".into(),
        };
        let seat = match &self.computer {
            Some(computer) => {
                let ours = match self.signer(Player::One) {
                    Some(red) if red.address() == computer.account => "blue",
                    _ => "red",
                };
                format!(" --seat {ours} --against {}", computer.level)
            }
            None => seat,
        };
        let reach = games::reach(session, &self.contract);
        format!(
            "game {number} is not over and stays on the chain; go on with it by\n  connect4 play \
             --game {number}{reach}{seat}{secrets}"
        )
    }

    /// Gives the signers the seats that their accounts have in this game.
    fn take_seats(&mut self, game: &Game) {
        let signers = [self.red.take(), self.blue.take()];
        for signer in signers.into_iter().flatten() {
            match game.player_of(&signer.address()) {
                Some(Player::One) => self.red = Some(signer),
                Some(Player::Two) => self.blue = Some(signer),
                None => {}
            }
        }
        self.seat = match (&self.red, &self.blue) {
            (Some(_), None) => Seat::Red,
            (None, Some(_)) => Seat::Blue,
            _ => Seat::Both,
        };
        self.last = None;
        self.drawn = 0;
    }

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
        line(format!(
            "Connect Four {}: game {} on {}",
            game.shape(),
            self.number,
            session.whereabouts()
        ))?;
        line(format!("contract: {}", self.contract.address()))?;
        games::players(game)?;
        // In a rematch the other is there already.
        let joins = self.beside.previous.is_none() && game.turns() == 0 && !game.is_over();
        if let Seat::Red | Seat::Blue = self.seat {
            let (ours, theirs) = match self.seat {
                Seat::Blue => (Player::Two, Player::One),
                _ => (Player::One, Player::Two),
            };
            let mut command = format!(
                "connect4 play --game {} --seat {theirs}{}",
                self.number,
                games::reach(session, &self.contract)
            );
            if development_name(game.account_of(theirs)).is_none() {
                command.push_str(&format!(" --{theirs}-secret-file <FILE>"));
            }
            if joins {
                line(format!("you play {ours}; {theirs} joins with\n  {command}"))?;
            } else {
                line(format!("you play {ours}"))?;
            }
        }
        if let Some(computer) = &self.computer
            && let Some(player) = game.player_of(&computer.account)
        {
            line(format!("the computer plays {player}: {}", computer.level))?;
        }
        for text in matches::beside(&self.contract, game, &self.beside) {
            line(text)?;
        }
        if self.screen.is_some() {
            line("")?;
        }
        Ok(())
    }

    /// Plays until the game has ended, and returns it.
    async fn run(
        &mut self,
        session: &Session,
        lines: &mut Lines,
        mut game: Game,
        resume: &str,
    ) -> Result<Game, Failure> {
        loop {
            self.draw(&game)?;
            let Some(player) = game.to_move() else {
                return Ok(game);
            };
            let ours = self.signer(player).is_some();
            let step = if self.plays_itself(&game, player) {
                self.think(&game).await?
            } else if ours {
                self.ask(lines, &game, player).await?
            } else {
                self.wait(lines, &game, player)
                    .await
                    .map_err(|failure| failure.and(resume))?
            };
            let next = match step {
                Step::Answer(Answer::Drop(bin)) => self.drop(session, &game, player, bin).await,
                Step::Answer(Answer::Other(wish)) => self.do_wish(session, &game, wish).await,
                Step::Changed(after, beside) => {
                    self.beside = beside;
                    self.tell_of_theirs(&game, &after, player)?;
                    Ok(after)
                }
                Step::TimeIsUp => self.time_is_up(session, &game, ours).await,
                Step::End => {
                    return Err(Failure::Unfinished(format!(
                        "the input ended in the middle of the game\n{resume}"
                    )));
                }
            };
            game = next.map_err(|failure| failure.and(resume))?;
        }
    }

    /// Who acts here when it is not about whose turn it is: who is to move, if they sit here.
    fn actor(&self, game: &Game) -> Option<Signer> {
        game.to_move()
            .and_then(|player| self.signer(player))
            .or(self.red.as_ref())
            .or(self.blue.as_ref())
            .cloned()
    }

    /// Does what a player wants besides dropping a disc, and returns the game after it.
    async fn do_wish(
        &mut self,
        session: &Session,
        game: &Game,
        wish: Wish,
    ) -> Result<Game, Failure> {
        let Some(signer) = self.actor(game) else {
            return Ok(*game);
        };
        let (contract, number) = (&self.contract, self.number);
        let progress = Progress::new(self.json);
        progress.say("waiting for the block");
        let done = match wish {
            Wish::Help => {
                progress.clear();
                self.note(input::HELP)?;
                return Ok(*game);
            }
            Wish::Resign => contract.resign(&signer, number).await.map(|receipt| {
                let text = "gave the game up";
                (text, receipt)
            }),
            Wish::Draw => contract.offer_draw(&signer, number).await.map(|receipt| {
                let text = if receipt.value {
                    "agreed to a draw"
                } else {
                    "offered a draw"
                };
                (text, receipt.bare())
            }),
            Wish::Accept => contract
                .accept_draw(&signer, number)
                .await
                .map(|receipt| ("agreed to a draw", receipt)),
            Wish::Decline => contract
                .decline_draw(&signer, number)
                .await
                .map(|receipt| ("declined the draw", receipt)),
            Wish::Claim => contract
                .claim_timeout(&signer, number)
                .await
                .map(|receipt| ("claimed the timeout", receipt)),
        };
        progress.clear();
        match done {
            Ok((text, receipt)) => {
                let who = match game.player_of(&signer.address()) {
                    Some(player) => output::coloured(player, player, false),
                    None => signer.to_string(),
                };
                let cost = output::dim(output::cost(&receipt, session.client.token()));
                self.note(&format!("{who} {text}: {cost}"))?;
            }
            // Nothing has changed: the player is told, and asked again.
            Err(Error::Refused { error, .. }) => {
                let player = game.to_move().unwrap_or(Player::One);
                if self.json {
                    self.refuse(player, &error.to_string())?;
                } else {
                    self.last = Some(error.to_string());
                }
            }
            Err(error @ Error::NoMatches { .. }) => self.note(&Failure::from(error).to_string())?,
            Err(error) => return Err(error.into()),
        }
        self.look().await
    }

    /// The game as it stands, and what goes beside it.
    async fn look(&mut self) -> Result<Game, Failure> {
        self.beside = self.contract.match_of(self.number).await?;
        games::game(&self.contract, self.number).await
    }

    /// Says something with the next board.
    fn note(&mut self, text: &str) -> Result<(), Failure> {
        if self.json {
            return Ok(line(json!({ "event": "note", "text": text }))?);
        }
        self.last = Some(text.into());
        Ok(())
    }

    /// The deadline is over: has the game ended if it is the other's, who may not have noticed.
    async fn time_is_up(
        &mut self,
        session: &Session,
        game: &Game,
        ours: bool,
    ) -> Result<Game, Failure> {
        if ours {
            // Whoever waits may claim it; that the move is refused is said when it is tried.
            self.note("your time has run out")?;
            return self.look().await;
        }
        let Some(signer) = self.actor(game) else {
            return self.look().await;
        };
        match self.contract.claim_timeout(&signer, self.number).await {
            Ok(receipt) => {
                let cost = output::dim(output::cost(&receipt, session.client.token()));
                self.note(&format!("time has run out: {cost}"))?;
            }
            Err(Error::Refused {
                error: connect4_protocol::Error::TimeLeft,
                ..
            }) => {
                // The chain's clock is behind ours.
                tokio::time::sleep(CLOCKS_DIFFER).await;
            }
            Err(Error::Refused {
                error: connect4_protocol::Error::GameOver,
                ..
            }) => {}
            Err(error) => return Err(error.into()),
        }
        self.look().await
    }

    /// Waits for a line if `lines` is given, for a change of the game if others may make one, and
    /// for the deadline.
    async fn step(
        &self,
        lines: Option<&mut Lines>,
        game: &Game,
        others: bool,
        past_deadline: bool,
    ) -> Result<Heard, Failure> {
        let typed = async {
            match lines {
                Some(lines) => lines.next().await,
                None => std::future::pending().await,
            }
        };
        let changed = async {
            if others {
                self.contract
                    .wait_for_change(self.number, game, &self.beside)
                    .await
            } else {
                std::future::pending().await
            }
        };
        let deadline = async {
            match game.deadline() {
                Some(deadline) if !past_deadline => {
                    let left = deadline.saturating_add(1).saturating_sub(output::now());
                    tokio::time::sleep(std::time::Duration::from_secs(left)).await;
                }
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            line = typed => line
                .map(Heard::Line)
                .map_err(|error| Failure::Other(format!("cannot read the input: {error}"))),
            changed = changed => {
                let (game, beside) = changed?;
                Ok(Heard::Changed(game, beside))
            }
            () = deadline => Ok(Heard::TimeIsUp),
        }
    }

    /// Shows the board and the last move; on a terminal in the place of the ones before.
    fn draw(&mut self, game: &Game) -> Result<(), Failure> {
        if self.json {
            return Ok(());
        }
        let mut text = output::board(&game.position());
        if let (Some(clock), Some(player)) = (game.clock(), game.to_move()) {
            text.push('\n');
            text.push_str(&output::times(clock, player));
        }
        if let Some(by) = self.beside.draw_offer(game) {
            let answers = match self.signer(by.opponent()) {
                Some(_) => ": accept, decline, or play on",
                None => "",
            };
            let by = output::coloured(by, by, false);
            text.push_str(&format!("\n{by} offers a draw{answers}"));
        }
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

    /// Asks until there is an answer that can be tried, or something happens elsewhere.
    async fn ask(
        &mut self,
        lines: &mut Lines,
        game: &Game,
        player: Player,
    ) -> Result<Step, Failure> {
        let position = game.position();
        if self.screen.is_some() {
            lines.forget();
        }
        if !self.json {
            let disc = u16::from(game.turns()) + 1;
            let name = output::coloured(player, player, true);
            self.say(&format!("add shape: {disc}, player: {name}"))?;
        }
        let others = self.seat != Seat::Both;
        let late = game
            .deadline()
            .is_some_and(|deadline| deadline < output::now());
        loop {
            if !self.json {
                let mut out = io::stdout().lock();
                write!(out, "{QUESTION}")?;
                out.flush()?;
            }
            let answer = match self.step(Some(lines), game, others, late).await? {
                Heard::Line(Some(answer)) => answer,
                other => {
                    if !self.json {
                        line("")?;
                        self.drawn += usize::from(self.screen.is_some());
                    }
                    return Ok(match other {
                        Heard::Changed(game, beside) => Step::Changed(game, beside),
                        Heard::TimeIsUp => Step::TimeIsUp,
                        Heard::Line(_) => Step::End,
                    });
                }
            };
            if let Some(screen) = &self.screen {
                let typed = format!("{QUESTION}{answer}");
                self.drawn += output::height(&typed, screen.size().1);
            } else if !self.json {
                // A terminal has shown what was typed.
                line(answer.trim().escape_debug())?;
            }
            match input::answer(&answer, &position) {
                Ok(answer) => return Ok(Step::Answer(answer)),
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
        let dropped = self.contract.drop_disc(&signer, self.number, bin).await;
        let after = games::game(&self.contract, self.number).await;
        progress.clear();
        match dropped {
            Ok(receipt) => {
                let after = after?;
                self.tell(session, player, bin, &receipt, &after)?;
                if self.beside.draw.is_some() {
                    self.beside = self.contract.match_of(self.number).await?;
                }
                Ok(after)
            }
            // The game went on without us, or the answer was lost: the chain knows how it stands.
            Err(error) => {
                let late = error.refusal() == Some(connect4_protocol::Error::OutOfTime);
                let went_on = matches!(
                    error.refusal(),
                    Some(
                        connect4_protocol::Error::NotYourTurn
                            | connect4_protocol::Error::GameOver
                            | connect4_protocol::Error::BinFull
                            | connect4_protocol::Error::OutOfTime
                    )
                ) || matches!(error, Error::Gone { .. } | Error::Timeout { .. });
                match after {
                    Ok(after) if went_on && (after != *game || late) => {
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
        receipt: &Receipt<Played>,
        after: &Game,
    ) -> Result<(), Failure> {
        let row = receipt.value.dropped.row;
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

    /// Waits for a player who sits elsewhere.
    async fn wait(
        &mut self,
        lines: &mut Lines,
        game: &Game,
        player: Player,
    ) -> Result<Step, Failure> {
        let progress = Progress::new(self.json);
        if !self.json {
            let name = output::coloured(player, player, true);
            let words = match &self.screen {
                Some(_) => "; draw, resign or help; Ctrl-C leaves",
                None => "; Ctrl-C leaves",
            };
            self.say(&format!("waiting for {name} to move{words}"))?;
        }
        progress.say("waiting");
        loop {
            // Lines that are piped in are answers to what is asked later.
            let listen = self.screen.is_some() && !self.unheard;
            let lines = listen.then_some(&mut *lines);
            let heard = self.step(lines, game, true, false).await?;
            return Ok(match heard {
                Heard::Changed(game, beside) => Step::Changed(game, beside),
                Heard::TimeIsUp => Step::TimeIsUp,
                Heard::Line(None) => {
                    self.unheard = true;
                    continue;
                }
                Heard::Line(Some(answer)) => {
                    if let Some(screen) = &self.screen {
                        self.drawn += output::height(&answer, screen.size().1);
                    }
                    match input::wish(&answer) {
                        Some(wish) => Step::Answer(Answer::Other(wish)),
                        None if answer.trim().is_empty() => continue,
                        None => {
                            let text = format!("it is not your turn; {}", input::HELP);
                            self.say(&text)?;
                            continue;
                        }
                    }
                }
            });
        }
    }

    /// Tells what somebody elsewhere has done.
    fn tell_of_theirs(&mut self, game: &Game, after: &Game, player: Player) -> Result<(), Failure> {
        // Which cell is new tells where it went.
        let new = (0..after.shape().bins())
            .map(Bin::new)
            .find(|&bin| after.board().height(bin) > game.board().height(bin));
        let Some(bin) = new else {
            self.last = None;
            return Ok(());
        };
        let row = after.board().height(bin).saturating_sub(1);
        if self.json {
            return Ok(line(json!({
                "event": "dropped",
                "player": player.colour(),
                "bin": bin.index(),
                "row": row,
                "game": output::json_game(self.number, self.contract.address(), after),
                "transaction": null,
            }))?);
        }
        let name = output::coloured(player, player, false);
        self.last = Some(format!("{name} into bin {bin}, row {row}"));
        Ok(())
    }

    /// Pays the players here what they are owed after a game for stakes.
    async fn collect(&mut self, session: &Session, game: &Game) -> Result<(), Failure> {
        for player in Player::ALL {
            let Some(signer) = self.signer(player).cloned() else {
                continue;
            };
            let wins = game.winner().is_none_or(|winner| winner == player);
            let unsettled = wins && self.contract.is_unsettled(self.number, game).await?;
            if !unsettled && self.contract.credit_of(signer.address()).await? == 0 {
                continue;
            }
            let paid = self.contract.withdraw(&signer, &[self.number]).await?;
            if self.json {
                line(matches::json_withdrawn(&self.contract, &signer, &paid))?;
            } else {
                let token = session.client.token();
                let amount = self.contract.in_token(paid.value);
                let cost = output::dim(output::cost(&paid, token));
                let name = output::coloured(player, player, false);
                line(format!("{name} was paid {}: {cost}", token.amount(amount)))?;
            }
        }
        Ok(())
    }

    /// Asks whether there is to be a rematch, and returns its number if there is one.
    async fn rematch(
        &mut self,
        session: &Session,
        lines: &mut Lines,
        game: &Game,
        farewell: &Farewell,
    ) -> Result<Option<u32>, Failure> {
        let others = self.seat != Seat::Both;
        self.beside = self.contract.match_of(self.number).await?;
        loop {
            if let Some(next) = self.beside.next {
                return Ok(Some(next));
            }
            if !self.json {
                if let Some(by) = self.beside.rematch {
                    line(format!("{by} offers a rematch"))?;
                }
                let mut out = io::stdout().lock();
                write!(out, "rematch, in which the loser begins? [y/N] ")?;
                out.flush()?;
            }
            match self.step(Some(lines), game, others, true).await? {
                Heard::Line(answer) => {
                    let answer = answer.unwrap_or_default();
                    if self.screen.is_none() && !self.json {
                        line(answer.trim().escape_debug())?;
                    }
                    if !["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str()) {
                        return Ok(None);
                    }
                    break;
                }
                Heard::Changed(_, beside) => {
                    self.beside = beside;
                    if !self.json {
                        line("")?;
                    }
                }
                Heard::TimeIsUp => {}
            }
        }
        let signers = [self.red.clone(), self.blue.clone()];
        for signer in signers.into_iter().flatten() {
            let receipt = self.contract.offer_rematch(&signer, self.number).await?;
            if !self.json {
                let cost = output::dim(output::cost(&receipt, session.client.token()));
                line(format!("{signer} wants a rematch: {cost}"))?;
            }
            if let Some(next) = receipt.value {
                return Ok(Some(next));
            }
        }
        farewell.set(format!(
            "the rematch of game {} stays on offer; take it back by\n  connect4 rematch --decline \
             --game {}{}",
            self.number,
            self.number,
            games::reach(session, &self.contract)
        ));
        let progress = Progress::new(self.json);
        progress.say("waiting for the other player; Ctrl-C leaves");
        self.beside = self.contract.match_of(self.number).await?;
        loop {
            if let Some(next) = self.beside.next {
                return Ok(Some(next));
            }
            if self.beside.rematch.is_none() {
                progress.clear();
                if !self.json {
                    line("the other player wants no rematch")?;
                }
                self.collect(session, game).await?;
                farewell.clear();
                return Ok(None);
            }
            let (_, beside) = self
                .contract
                .wait_for_change(self.number, game, &self.beside)
                .await?;
            self.beside = beside;
        }
    }

    fn end(&self, game: &Game) -> Result<(), Failure> {
        if self.json {
            return Ok(line(json!({
                "event": "ended",
                "winner": game.winner().map(Player::colour),
                "game": output::json_game(self.number, self.contract.address(), game),
            }))?);
        }
        let text = output::standing(game);
        Ok(match game.winner() {
            Some(player) => line(output::coloured(player, text, true)),
            None => line(text),
        }?)
    }
}

/// What comes first.
enum Heard {
    /// A line of input; none if it has ended.
    Line(Option<String>),
    /// The game, or what goes beside it, has changed.
    Changed(Game, Match),
    /// The deadline of who is to move is over.
    TimeIsUp,
}
