//! What the page asks for, and what players want.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use connect4_client::{
    Address, Contract, Error, Named, Receipt, Signer, Transaction, development_name,
};
use connect4_opponent::{Level, Reviewer};
use connect4_protocol::Game;
use connect4_rules::{Bin, Player, Position, Shape, ShapeSpec, notation};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::json as spell;
use crate::words;

use crate::App;
use crate::challenges;
use crate::guard;
use crate::keys::Presented;
use crate::link::{Connected, Link};
use crate::page;
use crate::room::{Seen, amount};
use crate::view::View;

/// Where a request says which keys its sender has.
const KEYS: &str = "x-connect4-keys";
/// What is sent here is short.
const MOST_BYTES: usize = 4096;

pub type Answer = Result<Json<Value>, Refusal>;

/// How often a page is asked whether it is still there.
const BEAT: Duration = Duration::from_secs(30);

/// Everything that is served.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/game/{number}", get(page::index))
        .route("/line", get(page::index))
        .route("/page/{*path}", get(page::file))
        .route("/api/hello", get(hello))
        .route("/api/live", get(live))
        .route("/api/line", get(line))
        .route("/api/review", get(review))
        .route("/api/games", post(start))
        .route("/api/games/{number}/drop", post(drop_disc))
        .route("/api/games/{number}/next", post(next))
        .route("/api/games/{number}/act", post(act))
        .route("/api/games/{number}/computer", post(computer))
        .route("/api/challenges", post(challenges::make))
        .route("/api/challenges/{number}", post(challenges::answer))
        .fallback(page::nothing)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            guard::check,
        ))
        .with_state(app)
}

/// Why something was not done: what was wrong, and what to do.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    kind: &'static str,
    error: String,
}

impl Refusal {
    fn new(status: StatusCode, kind: &'static str, error: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            error: error.into(),
        }
    }

    pub fn input(error: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "input", error.to_string())
    }

    pub fn origin(error: String) -> Self {
        Self::new(StatusCode::FORBIDDEN, "origin", error)
    }

    pub fn token() -> Self {
        let error = "the program was started again since this page was loaded: load it again";
        Self::new(StatusCode::FORBIDDEN, "token", error)
    }

    fn key(error: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "key", error)
    }

    pub fn refused(error: impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, "refused", error.to_string())
    }

    fn away(why: &str) -> Self {
        let error = format!("The chain is away: {why}");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "chain", error)
    }

    fn lost() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "chain",
            "the connection to the chain was lost. What was under way may still happen: once the \
             chain is back, the board shows it",
        )
    }

    fn busy(what: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "other", what)
    }

    fn gone(number: u32) -> Self {
        let error = format!("game {number} is not on this chain, or its storage was freed");
        Self::new(StatusCode::NOT_FOUND, "gone", error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.error, "kind": self.kind });
        (self.status, Json(body)).into_response()
    }
}

/// For a page, which counts bins from 1 and shows what happens by itself.
impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        const UNAVAILABLE: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
        match &error {
            Error::Refused { error, .. } => Self::refused(error),
            Error::NoFunds { payer, reason, .. } => Self::new(
                StatusCode::PAYMENT_REQUIRED,
                "funds",
                format!(
                    "the account {} cannot pay for the transaction ({reason}): it has {}. Send it \
                     some of the chain's token, or play with another account",
                    payer.account,
                    payer.funds()
                ),
            ),
            Error::Rejected { reason, .. } => Self::new(
                UNAVAILABLE,
                "chain",
                format!(
                    "the chain did not take the transaction ({reason}). Nothing was changed: try \
                     again"
                ),
            ),
            Error::Timeout { after, .. } => Self::new(
                UNAVAILABLE,
                "chain",
                format!(
                    "the chain did not answer within {} seconds. It may still happen: then the \
                     board shows it",
                    after.as_secs()
                ),
            ),
            Error::Gone { .. } | Error::Connect { .. } => Self::lost(),
            _ => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "other",
                error.to_string(),
            ),
        }
    }
}

/// What somebody asks for, and the keys that they present.
pub struct Asked<T> {
    pub keys: Presented,
    pub asked: T,
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Refusal> {
        let keys = presented(app, request.headers());
        let Json(asked) = Json::from_request(request, app)
            .await
            .map_err(|error: JsonRejection| Refusal::input(error.body_text()))?;
        Ok(Self { keys, asked })
    }
}

fn query<T>(query: Result<Query<T>, QueryRejection>) -> Result<T, Refusal> {
    query
        .map(|Query(query)| query)
        .map_err(|error| Refusal::input(error.body_text()))
}

fn presented(app: &App, headers: &HeaderMap) -> Presented {
    let keys = headers.get(KEYS).and_then(|keys| keys.to_str().ok());
    app.keys.presented(keys.unwrap_or_default())
}

impl App {
    pub fn connected(&self) -> Result<Arc<Connected>, Refusal> {
        self.chain.connected().map_err(|why| Refusal::away(&why))
    }

    /// The contract, which has to be there, with a game.
    async fn game(&self, number: u32) -> Result<(Contract, Game), Refusal> {
        let contract = self
            .connected()?
            .contract()
            .ok_or_else(|| Refusal::gone(number))?;
        let game = self
            .while_there(contract.game(number))
            .await?
            .ok_or_else(|| Refusal::gone(number))?;
        Ok((contract, game))
    }

    /// Does something on the chain, unless that goes away meanwhile.
    pub async fn while_there<T, E: Into<Refusal>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Refusal> {
        match self.chain.unless_gone(work).await {
            Some(done) => done.map_err(Into::into),
            None => Err(Refusal::lost()),
        }
    }

    /// That these keys are the host's. Who was invited to a seat plays there, but makes nobody pay
    /// for anything else.
    pub fn check_host(&self, keys: &Presented, what: &str) -> Result<(), Refusal> {
        if self.keys.are_host(keys) {
            return Ok(());
        }
        Err(Refusal::key(format!(
            "to {what}, open the link that the program printed: an invitation is for a seat alone"
        )))
    }

    /// Who signs for an account, if these keys open it.
    pub fn signer_for(
        &self,
        keys: &Presented,
        account: Address,
        who: &str,
    ) -> Result<&Signer, Refusal> {
        let open = self.keys.open(keys, account);
        self.signer(account).filter(|_| open).ok_or_else(|| {
            Refusal::key(format!(
                "{who} is {}, and this browser has no key to play with that account: open the \
                 link that the program printed, or one you were given for this seat",
                who_is(account)
            ))
        })
    }

    /// The contract, deployed if it is not there.
    pub async fn contract_or_deploy(
        &self,
        at: &Connected,
        signer: &Signer,
    ) -> Result<Contract, Refusal> {
        if let Some(contract) = at.contract() {
            return Ok(contract);
        }
        let client = &at.connection.client;
        let contract = match self.lookup.open(client, Some(signer)).await {
            Err(Error::NoContract(_)) if self.lookup.may_deploy() => {
                self.lookup.deploy(client, signer).await?.0
            }
            result => result?,
        };
        at.set_contract(&contract);
        Ok(contract)
    }

    fn signer_at(&self, keys: &Presented, game: &Game, player: Player) -> Result<&Signer, Refusal> {
        let account = game.account_of(player);
        self.signer_for(keys, account, player.colour())
    }

    fn transaction(&self, at: &Transaction, contract: &Contract) -> Value {
        json!({
            "block": at.block,
            "hash": format!("{:?}", at.hash),
            "fee": contract.client().token().amount(at.fee),
        })
    }
}

/// What a page has to know before anything else.
async fn hello(State(app): State<Arc<App>>, headers: HeaderMap) -> Json<Value> {
    let keys = presented(&app, &headers);
    let at = app.chain.connected().ok();
    let contract = at.as_ref().and_then(|at| at.contract());
    let mut known = vec![app.keys.host()];
    let mut asked = Vec::new();
    for signer in &app.signers {
        let key = app.keys.of(signer.address());
        if app.keys.open(&keys, signer.address()) {
            let (at, signer) = (at.clone(), signer.clone());
            let key = key.clone();
            asked.push(tokio::spawn(async move { account(at, &signer, key).await }));
        }
        known.push(key);
    }
    let mut accounts = Vec::new();
    for account in asked {
        accounts.extend(account.await.ok().flatten());
    }
    let client = at.as_ref().map(|at| &at.connection.client);
    let least = ShapeSpec {
        bins: Shape::MIN_BINS,
        capacity: Shape::MIN_CAPACITY,
        line: Shape::MIN_LINE,
    };
    // Each bound alone: the larger the one, the smaller the other has to be.
    let most = ShapeSpec {
        bins: Shape::MAX_BITS / (Shape::MIN_CAPACITY + 1),
        capacity: Shape::MAX_BITS / Shape::MIN_BINS - 1,
        line: Shape::MAX_LINE,
    };
    Json(json!({
        "token": app.guard.token(),
        "version": env!("CARGO_PKG_VERSION"),
        "host": app.keys.are_host(&keys),
        "unknown_keys": keys.beyond(&known),
        "chain": {
            "name": client.map(|client| client.chain()),
            "place": app.chain.place(),
            "contract": contract.map(|contract| contract.address().to_string()),
            "symbol": client.map(|client| client.token().symbol.clone()),
        },
        "accounts": accounts,
        "levels": Level::ALL.map(Level::name),
        "shape": {
            "standard": spell::json_shape(Shape::STANDARD.into()),
            "least": spell::json_shape(least),
            "most": spell::json_shape(most),
        },
    }))
}

/// An account, as its owner sees it; none if nobody will play with it: a development account on a
/// chain where it has nothing.
async fn account(at: Option<Arc<Connected>>, signer: &Signer, key: String) -> Option<Value> {
    let balance = match at {
        Some(at) => match at.connection.client.balance(&signer.account()).await {
            Ok(0) if signer.development_name().is_some() => return None,
            Ok(balance) => Some(at.connection.client.token().amount(balance)),
            Err(_) => None,
        },
        None => None,
    };
    Some(json!({
        "address": signer.address().to_string(),
        "name": signer.development_name(),
        "account": signer.account().to_string(),
        "balance": balance,
        "key": key,
    }))
}

#[derive(Deserialize)]
struct Subject {
    game: Option<u64>,
}

/// What happens in a game, or in the list of games, as it happens.
async fn live(
    State(app): State<Arc<App>>,
    subject: Result<Query<Subject>, QueryRejection>,
    socket: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let seat = room_for_a_socket(&app)?;
    let (nowhere, missing) = watch::channel(Seen::Nothing);
    let seen = match query(subject)?
        .game
        .map(|number| (number, u32::try_from(number)))
    {
        Some((_, Ok(number))) => {
            app.computers.wake(&app, number).await;
            app.rooms.game(number)
        }
        Some((number, Err(_))) => {
            let error = format!("there is no game {number}: games are not numbered that high");
            nowhere.send_replace(Seen::Missing(error));
            Some(missing)
        }
        None => app.rooms.list(),
    };
    let seen =
        seen.ok_or_else(|| Refusal::busy("too many games are looked at: try again later"))?;
    let links = app.chain.links();
    Ok(short(socket).on_upgrade(async move |socket| {
        tell(socket, seen, links).await;
        drop((seat, nowhere));
    }))
}

fn room_for_a_socket(app: &App) -> Result<tokio::sync::OwnedSemaphorePermit, Refusal> {
    Arc::clone(&app.sockets)
        .try_acquire_owned()
        .map_err(|_| Refusal::busy("too many pages are open: close some"))
}

/// Nothing is read from these sockets.
fn short(socket: WebSocketUpgrade) -> WebSocketUpgrade {
    socket.max_message_size(MOST_BYTES)
}

/// Tells what is seen until the page is closed.
async fn tell(
    mut socket: WebSocket,
    mut seen: watch::Receiver<Seen>,
    mut links: watch::Receiver<Link>,
) {
    links.mark_changed();
    seen.mark_changed();
    let mut beat = tokio::time::interval(BEAT);
    loop {
        let told = tokio::select! {
            biased;
            heard = socket.recv() => match heard {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => None,
            },
            changed = links.changed() => match changed {
                Ok(()) => Some(text(&of_link(&links.borrow_and_update()))),
                Err(_) => return,
            },
            changed = seen.changed() => match changed {
                Ok(()) => of_seen(&seen.borrow_and_update()).as_ref().map(text),
                Err(_) => return,
            },
            _ = beat.tick() => Some(Message::Ping(Default::default())),
        };
        if let Some(told) = told
            && socket.send(told).await.is_err()
        {
            return;
        }
    }
}

fn text(value: &Value) -> Message {
    Message::Text(value.to_string().into())
}

fn of_link(link: &Link) -> Value {
    match link {
        Link::Up { block, .. } => json!({ "type": "chain", "up": true, "block": block }),
        Link::Down { why } => json!({ "type": "chain", "up": false, "why": why }),
    }
}

fn of_seen(seen: &Seen) -> Option<Value> {
    let (kind, mut value) = match seen {
        Seen::Nothing => return None,
        Seen::Game(view) => ("game", json!(**view)),
        Seen::Missing(error) => ("missing", json!({ "error": error })),
        Seen::List(list) => ("games", list.clone()),
    };
    value["type"] = kind.into();
    Some(value)
}

#[derive(Deserialize)]
struct Line {
    bins: u8,
    capacity: u8,
    line: u8,
    moves: String,
}

impl Line {
    /// The board, and how many moves it can have.
    fn shape(&self) -> Result<Shape, Refusal> {
        let shape = Shape::new(self.bins, self.capacity, self.line).map_err(Refusal::input)?;
        if self.moves.len() > usize::from(shape.cells()) + 1 {
            return Err(Refusal::input(format!(
                "the board has {} cells: there are no more moves than that",
                shape.cells()
            )));
        }
        Ok(shape)
    }
}

/// A game from its moves as text.
async fn line(asked: Result<Query<Line>, QueryRejection>) -> Answer {
    let asked = query(asked)?;
    let view = View::of_line(asked.shape()?, &asked.moves).map_err(Refusal::input)?;
    Ok(Json(json!(view)))
}

/// What each of a game's moves gave away, one after the other.
async fn review(
    State(app): State<Arc<App>>,
    asked: Result<Query<Line>, QueryRejection>,
    socket: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let seat = room_for_a_socket(&app)?;
    let asked = query(asked)?;
    let shape = asked.shape()?;
    Position::from_moves(shape, &asked.moves).map_err(Refusal::input)?;
    let bins: Vec<Bin> = notation::parse(&asked.moves).flatten().collect();
    Ok(short(socket).on_upgrade(async move |socket| {
        look_back(&app, socket, shape, bins).await;
        drop(seat);
    }))
}

async fn look_back(app: &App, mut socket: WebSocket, shape: Shape, bins: Vec<Bin>) {
    let mut before = Position::new(shape);
    let mut reviewer = Reviewer::default();
    let turn = tokio::select! {
        turn = Arc::clone(&app.reviewing).acquire_owned() => turn,
        // Who leaves does not wait.
        _ = socket.recv() => return,
    };
    for (turn, bin) in bins.into_iter().enumerate() {
        let mut after = before;
        if after.drop(bin).is_err() {
            break;
        }
        let position = before;
        let looking = tokio::task::spawn_blocking(move || {
            let verdict = reviewer.look_at(&position, bin);
            (reviewer, verdict)
        });
        let Ok((again, Some(verdict))) = looking.await else {
            let failed = json!({ "error": "the review failed; try again" });
            let _ = socket.send(text(&failed)).await;
            return;
        };
        reviewer = again;
        let told = json!({
            "turn": turn,
            "player": before.to_move().colour(),
            "bin": bin.index(),
            "made": words::worth(verdict.made),
            "mark": words::mark(verdict.fault()),
            "best": words::worth(verdict.best),
            "best_bins": verdict.best_bins.iter().map(|bin| bin.index()).collect::<Vec<_>>(),
        });
        if socket.send(text(&told)).await.is_err() {
            return;
        }
        before = after;
    }
    let _ = socket.send(text(&json!({ "done": true }))).await;
    let _ = socket.send(Message::Close(None)).await;
    drop(turn);
}

/// A seat of a game.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Seat {
    Red,
    Blue,
}

impl Seat {
    const fn player(self) -> Player {
        match self {
            Self::Red => Player::One,
            Self::Blue => Player::Two,
        }
    }
}

#[derive(Deserialize)]
struct NewGame {
    shape: AskedShape,
    red: String,
    blue: String,
    computer: Option<NewComputer>,
}

#[derive(Deserialize)]
pub struct AskedShape {
    bins: u8,
    capacity: u8,
    line: u8,
}

impl AskedShape {
    /// The shape, which a board can have.
    pub fn spec(&self) -> Result<ShapeSpec, Refusal> {
        Shape::new(self.bins, self.capacity, self.line)
            .map(ShapeSpec::from)
            .map_err(Refusal::input)
    }
}

/// The account's name, if it is a development account, and its address.
fn who_is(account: Address) -> String {
    match development_name(account) {
        Some(name) => format!("{name} ({account})"),
        None => account.to_string(),
    }
}

/// Whom a text names.
pub fn named(text: &str) -> Result<Address, Refusal> {
    text.parse::<Named>()
        .map(|named| named.address())
        .map_err(Refusal::input)
}

#[derive(Deserialize)]
struct NewComputer {
    seat: Seat,
    level: String,
}

fn level(name: &str) -> Result<Level, Refusal> {
    name.parse().map_err(Refusal::input)
}

/// Starts a game, and deploys the contract before if it is not there.
async fn start(State(app): State<Arc<App>>, Asked { keys, asked }: Asked<NewGame>) -> Answer {
    app.check_host(&keys, "start a game")?;
    let (red, blue) = (named(&asked.red)?, named(&asked.blue)?);
    let shape = asked.shape.spec()?;
    let signer = signer_of_either(&app, &keys, red, blue)?;
    let computer = match asked.computer {
        Some(computer) => {
            let player = computer.seat.player();
            let account = match player {
                Player::One => red,
                Player::Two => blue,
            };
            let signer = app.signer_for(&keys, account, player.colour())?;
            Some((player, level(&computer.level)?, signer))
        }
        None => None,
    };
    let at = app.connected()?;
    let started = app
        .while_there(async {
            let contract = app.contract_or_deploy(&at, signer).await?;
            let started = contract.start_game(signer, red, blue, shape).await?;
            Ok::<_, Refusal>(started.value)
        })
        .await?;
    for player in Player::ALL {
        match computer {
            Some((at, level, signer)) if at == player => {
                seat_computer(&app, started, player, level, signer)?;
            }
            // A chain that was begun anew may have had a game of this number before.
            _ => app.computers.leave(&app, started, player),
        }
    }
    Ok(Json(json!({ "game": started })))
}

fn signer_of_either<'a>(
    app: &'a App,
    keys: &Presented,
    red: Address,
    blue: Address,
) -> Result<&'a Signer, Refusal> {
    app.signer_for(keys, red, Player::One.colour())
        .or_else(|_| app.signer_for(keys, blue, Player::Two.colour()))
}

fn seat_computer(
    app: &Arc<App>,
    game: u32,
    player: Player,
    level: Level,
    signer: &Signer,
) -> Result<(), Refusal> {
    if app.computers.sit(app, game, player, level, signer.clone()) {
        Ok(())
    } else {
        Err(Refusal::busy(
            "too many computers play already: let one of them finish its game",
        ))
    }
}

#[derive(Deserialize)]
struct Drop {
    bin: u8,
    /// How many discs there were on the board that the player saw; none: it does not matter.
    turns: Option<u8>,
}

/// Drops a disc of who is to move.
async fn drop_disc(
    State(app): State<Arc<App>>,
    Path(number): Path<u32>,
    Asked { keys, asked }: Asked<Drop>,
) -> Answer {
    let Drop { bin, turns } = asked;
    let (contract, game) = app.game(number).await?;
    if turns.is_some_and(|turns| turns != game.turns()) {
        return Err(Refusal::refused(
            "the game has gone on meanwhile: look at the board, then drop again",
        ));
    }
    let player = game
        .to_move()
        .ok_or_else(|| Refusal::refused(connect4_protocol::Error::GameOver))?;
    let signer = app.signer_at(&keys, &game, player)?;
    let dropped = app
        .while_there(contract.drop_disc(signer, number, Bin::new(bin)))
        .await?;
    app.computers.wake(&app, number).await;
    Ok(Json(json!({
        "row": dropped.value.dropped.row,
        "transaction": app.transaction(&dropped.transaction, &contract),
    })))
}

#[derive(Deserialize)]
struct Next {
    seats: Vec<Seat>,
    /// What the player agrees to pay in.
    stake: Option<String>,
}

/// Offers the next game of the series for these seats and those of computers; it starts once both
/// players want it. The loser begins.
async fn next(
    State(app): State<Arc<App>>,
    Path(number): Path<u32>,
    Asked { keys, asked }: Asked<Next>,
) -> Answer {
    let (contract, game) = app.game(number).await?;
    app.computers.wake(&app, number).await;
    let mut signers = Vec::new();
    for player in Player::ALL {
        let wanted = asked.seats.iter().any(|seat| seat.player() == player);
        let computer = app.computers.level(number, player).is_some();
        if wanted || computer {
            let account = game.account_of(player);
            let signer = match app.signer(account) {
                // Who lets it play has agreed to its playing on.
                Some(signer) if computer => signer,
                _ => app.signer_at(&keys, &game, player)?,
            };
            signers.push((player, signer));
        }
    }
    if !asked
        .seats
        .iter()
        .any(|seat| app.signer_at(&keys, &game, seat.player()).is_ok())
    {
        return Err(Refusal::key("this browser plays no seat of this game"));
    }
    if asked.stake.is_some() {
        app.check_host(&keys, "pay a stake")?;
    }
    let started = app
        .while_there(another(&contract, number, &game, &asked, &signers))
        .await?;
    let Some(started) = started else {
        return Ok(Json(json!({ "offered": true })));
    };
    // The computers go on, with the accounts that they have.
    if let Ok(Some(next)) = contract.game(started).await {
        for (player, signer) in signers {
            if let Some(level) = app.computers.level(number, player)
                && let Some(seat) = next.player_of(&game.account_of(player))
            {
                seat_computer(&app, started, seat, level, signer)?;
            }
        }
    }
    Ok(Json(json!({ "game": started })))
}

/// The number of the next game; none if the other player has not agreed yet.
async fn another(
    contract: &Contract,
    number: u32,
    game: &Game,
    asked: &Next,
    signers: &[(Player, &Signer)],
) -> Result<Option<u32>, Refusal> {
    if !game.is_over() {
        return Err(Refusal::refused(connect4_protocol::Error::GameNotOver));
    }
    if !contract.has_matches() {
        // Without series anybody may start a game, and it is one of its own.
        let (_, signer) = signers[0];
        let beside = connect4_protocol::Match::default();
        let (_, players) = beside.rematch_of(game, number);
        let started = contract
            .start_game(signer, players.one, players.two, game.shape().into())
            .await?;
        return Ok(Some(started.value));
    }
    let beside = contract.match_of(number).await?;
    if beside.next.is_some() {
        return Ok(beside.next);
    }
    let stake = amount(contract, beside.stake);
    if stake.is_some() && asked.stake != stake {
        return Err(Refusal::input(format!(
            "each pays {} for the next game: agree to that first",
            stake.unwrap_or_default()
        )));
    }
    for (player, signer) in signers {
        if beside.rematch == Some(*player) {
            continue;
        }
        if let Some(started) = contract.offer_rematch(signer, number).await?.value {
            return Ok(Some(started));
        }
    }
    Ok(None)
}

#[derive(Deserialize)]
struct Act {
    act: Deed,
    seat: Seat,
}

/// What a player may do beside dropping discs.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Deed {
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    Claim,
    DeclineRematch,
    Withdraw,
}

async fn act(
    State(app): State<Arc<App>>,
    Path(number): Path<u32>,
    Asked { keys, asked }: Asked<Act>,
) -> Answer {
    let Act { act, seat } = asked;
    let (contract, game) = app.game(number).await?;
    let signer = app.signer_at(&keys, &game, seat.player())?;
    let done = async {
        match act {
            Deed::Resign => contract.resign(signer, number).await,
            Deed::OfferDraw => contract.offer_draw(signer, number).await.map(Receipt::bare),
            Deed::AcceptDraw => contract.accept_draw(signer, number).await,
            Deed::DeclineDraw => contract.decline_draw(signer, number).await,
            Deed::Claim => contract.claim_timeout(signer, number).await,
            Deed::DeclineRematch => contract.decline_rematch(signer, number).await,
            Deed::Withdraw => contract
                .withdraw(signer, &[number])
                .await
                .map(Receipt::bare),
        }
    };
    let receipt = app.while_there(done).await?;
    Ok(Json(
        json!({ "transaction": app.transaction(&receipt.transaction, &contract) }),
    ))
}

#[derive(Deserialize)]
struct AskedComputer {
    seat: Seat,
    level: Option<String>,
}

/// Lets a computer play a seat, or no more.
async fn computer(
    State(app): State<Arc<App>>,
    Path(number): Path<u32>,
    Asked { keys, asked }: Asked<AskedComputer>,
) -> Answer {
    let (_, game) = app.game(number).await?;
    let player = asked.seat.player();
    let signer = app.signer_at(&keys, &game, player)?;
    match asked.level {
        Some(name) => {
            if game.is_over() {
                return Err(Refusal::refused(connect4_protocol::Error::GameOver));
            }
            seat_computer(&app, number, player, level(&name)?, signer)?;
        }
        None => app.computers.leave(&app, number, player),
    }
    Ok(Json(json!({})))
}

#[cfg(test)]
mod tests {
    use connect4_client::{Action, Payer, Task, Token};

    use super::*;

    /// What a page is told, and by what status.
    fn told(error: Error) -> (u16, &'static str, String) {
        let refusal = Refusal::from(error);
        (refusal.status.as_u16(), refusal.kind, refusal.error)
    }

    #[test]
    fn each_failure_says_why_and_what_to_do() {
        let task = Task::Perform {
            action: Action::Drop(Bin::new(3)),
            game: 7,
            signer: Named::Development("alice"),
        };
        let (status, kind, text) = told(Error::Refused {
            task: task.clone(),
            error: connect4_protocol::Error::BinFull,
        });
        assert_eq!((status, kind), (409, "refused"));
        // The page counts bins from 1: the number of this one would mislead.
        assert!(!text.contains("bin 3"), "{text}");

        let (status, kind, text) = told(Error::NoFunds {
            task: task.clone(),
            payer: Box::new(Payer {
                account: Named::Development("alice"),
                balance: Some(0),
                token: Token {
                    symbol: "DOT".into(),
                    decimals: 10,
                    ratio: 1,
                },
            }),
            reason: "Inability to pay some fees".into(),
        });
        assert_eq!((status, kind), (402, "funds"));
        assert!(text.contains("it has 0 DOT. Send it some"), "{text}");

        let (status, kind, text) = told(Error::Rejected {
            task: task.clone(),
            reason: "other transactions of the account alice were faster".into(),
        });
        assert_eq!((status, kind), (503, "chain"));
        assert!(
            text.contains("were faster") && text.contains("try again"),
            "{text}"
        );

        for error in [
            Error::Gone {
                task: task.clone(),
                url: "ws://here".into(),
                reason: "closed".into(),
            },
            Error::Timeout {
                task,
                after: Duration::from_secs(180),
            },
        ] {
            let (status, kind, text) = told(error);
            assert_eq!((status, kind), (503, "chain"));
            assert!(text.contains("may still happen"), "{text}");
        }
    }
}
