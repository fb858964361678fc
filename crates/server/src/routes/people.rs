//! What the index tells: accounts, standings, games and searches. All of it is public on the chain, so
//! nobody has to say who asks.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use connect4_client::{Address, DEVELOPMENT, Named, Signer};
use connect4_index::{Filter, Index, League, Status};
use connect4_protocol::GameName;
use connect4_protocol::signed::Pool;
use connect4_protocol::signed::feed::LiveGame;
use connect4_rules::ShapeSpec;
use connect4_wire::people::{
    AccountAgainst, AccountProfile, FoundAccount, GamesNow, GamesPage, IndexedGame, RatedPools,
    SearchFound, StandingsPage,
};
use serde::Deserialize;

use crate::app::App;
use crate::extract::{Queried, named};
use crate::refusal::Refusal;

/// Rows of a page.
const PAGE: u32 = 50;
/// Games that are shown of an account at first.
const LAST: u32 = 10;
/// Games that go on and are shown.
const LIVE: u32 = 60;
/// Leagues, as an address names them.
const LEAGUES: [&str; 4] = ["two", "more", "witnessed", "witnessed-POOL"];
/// Pools of signed games that are listed.
const POOLS: u32 = 20;
/// Accounts that a search finds.
const FOUND: u32 = 10;
/// Digits from which on an account is searched for by the beginning of its address.
const FEWEST_DIGITS: usize = 2;

type Answer<T> = Result<Json<T>, Refusal>;

/// The index, and how far it is. What is read afterwards may be newer than that, never older.
fn index(app: &App) -> Result<(Index, Status), Refusal> {
    let index = app.indexing.as_ref().and_then(|indexing| indexing.index());
    let index = index.ok_or_else(Refusal::no_index)?;
    let status = index.status();
    Ok((index, status))
}

/// What an account has played.
pub async fn profile(
    State(app): State<Arc<App>>,
    Path(account): Path<String>,
) -> Answer<AccountProfile> {
    let account = named(&account)?;
    let (index, status) = index(&app)?;
    let filter = Filter {
        account: Some(account),
        ..Filter::default()
    };
    let profile = index.profile(account).await?;
    let last = index.history(filter, None, LAST).await?.games;
    Ok(Json(AccountProfile::new(profile, last, status)))
}

pub async fn against(
    State(app): State<Arc<App>>,
    Path((account, opponent)): Path<(String, String)>,
) -> Answer<AccountAgainst> {
    let (account, opponent) = (named(&account)?, named(&opponent)?);
    let (index, status) = index(&app)?;
    let found = index.against(account, opponent, PAGE).await?;
    Ok(Json(AccountAgainst::new(account, found, status)))
}

#[derive(Deserialize)]
pub struct AskStandings {
    /// The league; none: the standard pool of signed games.
    league: Option<String>,
    /// Number of accounts before the page; none: 0.
    before: Option<u64>,
}

pub async fn standings(
    State(app): State<Arc<App>>,
    Queried(asked): Queried<AskStandings>,
) -> Answer<StandingsPage> {
    let league = match asked.league.as_deref() {
        None => League::Witnessed(Pool::Standard.number()),
        Some(name) => read(name, "league", &LEAGUES)?,
    };
    let (index, status) = index(&app)?;
    let page = index.standings(league, asked.before.unwrap_or(0), PAGE);
    let page = page.await?;
    let rated = RatedPools {
        witnessed: index.witnessed_pools(POOLS).await?,
        witnesses: index.witnesses().await?.into_iter().collect(),
    };
    Ok(Json(StandingsPage::new(league, rated, &page, status)))
}

/// Which games are asked for; what is left out does not matter.
#[derive(Deserialize)]
pub struct AskGames {
    account: Option<String>,
    board: Option<String>,
    kind: Option<String>,
    result: Option<String>,
    before: Option<String>,
}

/// Reads a text that is one of some.
fn read<T: std::str::FromStr>(text: &str, what: &str, known: &[&str]) -> Result<T, Refusal> {
    let known = known.join(", ");
    let read = text.parse();
    read.map_err(|_| Refusal::input(format!("there is no {what} `{text}`: {known}")))
}

pub async fn history(
    State(app): State<Arc<App>>,
    Queried(asked): Queried<AskGames>,
) -> Answer<GamesPage> {
    use connect4_index::{Kind, Outcome};
    let kinds = Kind::ALL.map(Kind::name);
    let outcomes = Outcome::ALL.map(Outcome::name);
    let board = |text: &String| text.parse::<ShapeSpec>().map_err(Refusal::input);
    let kind = |text: &String| read(text, "kind", &kinds);
    let outcome = |text: &String| read(text, "result", &outcomes);
    let before = |text: &String| read(text, "place", &["that of a page before"]);
    let filter = Filter {
        account: asked.account.as_deref().map(named).transpose()?,
        board: asked.board.as_ref().map(board).transpose()?,
        kind: asked.kind.as_ref().map(kind).transpose()?,
        outcome: asked.result.as_ref().map(outcome).transpose()?,
    };
    let before = asked.before.as_ref().map(before).transpose()?;
    let (index, status) = index(&app)?;
    let page = index.history(filter, before, PAGE).await?;
    Ok(Json(GamesPage::new(page, status)))
}

/// Games that go on.
pub async fn now(State(app): State<Arc<App>>) -> Answer<GamesNow> {
    let (index, status) = index(&app)?;
    let games = index.live(LIVE).await?;
    let elsewhere = match &app.elsewhere {
        Some(elsewhere) => elsewhere.live().await,
        None => Vec::new(),
    };
    let here = app.signed_rooms.live();
    // The relay that is named may be this server, by its proxy.
    let is_elsewhere = |(of, _): &(LiveGame, _)| here.iter().all(|own| own.number != of.number);
    let others = elsewhere.into_iter().filter(is_elsewhere);
    let in_rooms = here
        .iter()
        .map(|of| (*of, app.signed_rooms.shown(of.number)))
        .chain(others.map(|(of, shown)| (of, Some(shown))))
        .map(|(of, shown)| (of, shown.map(|shown| (shown.game, shown.moves))));
    Ok(Json(GamesNow::new(games, in_rooms, status)))
}

#[derive(Deserialize)]
pub struct AskSearch {
    q: String,
}

/// Accounts and games that a text names: the number of a game, an account in whichever form, or the
/// beginning of an address or of the name of a development account.
pub async fn search(
    State(app): State<Arc<App>>,
    Queried(asked): Queried<AskSearch>,
) -> Answer<SearchFound> {
    let text = asked.q.trim();
    let (index, status) = index(&app)?;
    let game = match text.parse::<GameName>() {
        Ok(game) => index.game(game).await?,
        Err(_) => None,
    };
    let mut accounts: Vec<FoundAccount> = Vec::new();
    for account in meant(text) {
        let digits = account.to_string();
        let found = index.accounts_beginning(&digits, 1).await?;
        let games = found.first().map_or(0, |found| found.games);
        accounts.push(FoundAccount {
            account: account.into(),
            games,
        });
    }
    if accounts.is_empty() && text.trim_start_matches("0x").len() >= FEWEST_DIGITS {
        let found = index.accounts_beginning(text, FOUND).await?;
        accounts.extend(found.iter().map(|found| FoundAccount {
            account: found.account.into(),
            games: found.games,
        }));
    }
    Ok(Json(SearchFound {
        accounts,
        game: game.map(IndexedGame::new),
        index: status.into(),
    }))
}

/// The account that a text names, or the development accounts whose names begin so.
fn meant(text: &str) -> Vec<Address> {
    if let Ok(named) = text.parse::<Named>() {
        return vec![named.address()];
    }
    let lower = text.to_lowercase();
    let names = DEVELOPMENT
        .iter()
        .filter(|name| !lower.is_empty() && name.starts_with(&lower));
    names
        .filter_map(|name| Signer::development(name))
        .map(|signer| signer.address())
        .collect()
}
