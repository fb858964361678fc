//! What the index of a host tells: accounts, their games and ratings, and games that go on.

use connect4_index as index;
use connect4_index::Standing as OfAccount;
use connect4_protocol::signed::Moves;
use connect4_protocol::signed::feed::LiveGame;
use connect4_protocol::{Address, ClockSpec, Game};
use connect4_rules::{Cell, ShapeSpec};
use serde::Serialize;

pub use super::person::Person;
use super::report::Gap;
pub use super::signed::{BySignedTerms, GameInRoom};

/// How far the index is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct IndexLag {
    /// Number of the newest block that is in the index; null before the first one.
    pub block: Option<u32>,
    /// Number of blocks by which it is behind the best one; null if that is not known.
    pub behind: Option<u32>,
    /// The same behind the newest final block.
    pub behind_final: Option<u32>,
    /// Seconds of the chain's time by which it is behind; null if that is not known.
    pub seconds: Option<u64>,
    /// Blocks whose events are missing.
    pub missing: Vec<Gap>,
    /// Why it is not filled at the moment; null if it is.
    pub trouble: Option<String>,
}

impl From<index::Status> for IndexLag {
    fn from(status: index::Status) -> Self {
        Self {
            block: status.block.map(|block| block.number),
            behind: status.behind(),
            behind_final: status.behind_final(),
            seconds: status.seconds_behind(),
            missing: status.missing.iter().map(Gap::from).collect(),
            // The words of a node or a database are for the operator.
            trouble: status.trouble.as_ref().map(|trouble| match trouble {
                index::Trouble::Chain(_) => "the chain does not answer".into(),
                index::Trouble::Database(_) => "its database is out of order".into(),
            }),
        }
    }
}

/// A game as the index has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct IndexedGame {
    /// Its number: `3`, `v3` for a variant, `0x` and 64 digits for a signed game.
    pub game: String,
    /// Its kind: `classic`, `variant` or `signed`.
    pub kind: &'static str,
    /// The board.
    pub shape: ShapeSpec,
    /// Terms of a variant in words; null for others.
    pub variant: Option<String>,
    /// The players in turn order: red, blue, green, yellow.
    pub players: Vec<Person>,
    /// Clock; null if it has none.
    pub clock: Option<ClockSpec>,
    /// Time of its start in seconds since 1970; null if it is not known.
    pub started: Option<u64>,
    /// Time of the last move, or of the start, in seconds since 1970; null if it is not known.
    pub moved: Option<u64>,
    /// Number of moves on the chain.
    pub plies: u32,
    /// The moves as solvers write them, bins from 1.
    pub moves: String,
    /// Last second at which the player to move may move; null if there is none.
    pub deadline: Option<u64>,
    /// Seat of the player to move, from 0; null if the game has ended.
    pub to_move: Option<u32>,
    /// Time of its end in seconds since 1970; null if it goes on or if that is not known.
    pub ended: Option<u64>,
    /// How it ended, such as "by a line"; null if it goes on.
    pub how: Option<String>,
    /// Seat of the winner, from 0; null if there is none.
    pub winner: Option<u32>,
    /// The board: rows from the top, each by its bins from the left, with a slash between them. A dot
    /// is an empty cell, discs are `r`, `b`, `g` and `y`. Null if it was not asked for.
    pub position: Option<String>,
    /// Cell of the last disc; null if that is not known.
    pub last: Option<Cell>,
    /// What a signed game has besides; null for others.
    pub signed: Option<BySignedTerms>,
}

fn seat(seat: usize) -> Option<u32> {
    u32::try_from(seat).ok()
}

impl IndexedGame {
    /// A game.
    #[must_use]
    pub fn new(game: index::GameRow) -> Self {
        let winner = game.winner.and_then(|winner| game.seat_of(&winner));
        Self {
            game: game.game.to_string(),
            kind: game.kind.name(),
            shape: game.board,
            variant: game.variant.map(|variant| variant.to_string()),
            players: game.players.iter().copied().map(Person::from).collect(),
            clock: game.clock,
            started: game.started_time,
            moved: game.moved_time,
            plies: game.plies,
            moves: game.moves,
            deadline: game.deadline,
            to_move: game.to_move.and_then(seat),
            ended: game.ended_time,
            how: game.ended_how,
            winner: winner.and_then(|of| seat(of.seat)),
            position: game.position,
            last: game.last,
            signed: game.by_terms.map(Into::into),
        }
    }

    fn all(games: Vec<index::GameRow>) -> Vec<Self> {
        games.into_iter().map(Self::new).collect()
    }
}

/// Results and rating of an account.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Ranked {
    /// The games that are counted: `two` for variants of two players, `more` for those of three or four; `witnessed` for signed games that a witness has ended, `witnessed-7` for those of pool 7.
    pub league: String,
    /// Place among all accounts, from 1.
    pub rank: u64,
    /// The account.
    pub account: Person,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games that have changed the rating.
    pub rated: u32,
    /// Elo rating, rounded.
    pub rating: f64,
    /// Whether the account has said in the signed terms of any of these games that it is a program.
    pub program: bool,
}

impl Ranked {
    /// The standing of an account in a league.
    #[must_use]
    pub fn new(league: index::League, rank: u64, standing: &OfAccount) -> Self {
        Self {
            league: league.to_string(),
            rank,
            account: standing.account.into(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            rated: standing.rated,
            rating: standing.rating.round(),
            program: standing.program,
        }
    }
}

/// Numbers of games by their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl From<index::Tally> for Tally {
    fn from(tally: index::Tally) -> Self {
        Self {
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
        }
    }
}

/// Results in games of a kind, on a board, with a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ResultsOf {
    /// The kind: `classic`, `variant` or `signed`.
    pub kind: &'static str,
    /// The board.
    pub shape: ShapeSpec,
    /// Seat, from 0: red, blue, green, yellow.
    pub seat: u32,
    /// The results.
    pub results: Tally,
}

/// Results against an opponent in games of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct SeriesAgainst {
    /// The opponent.
    pub opponent: Person,
    /// The results.
    pub results: Tally,
}

impl From<index::Series> for SeriesAgainst {
    fn from(series: index::Series) -> Self {
        Self {
            opponent: series.opponent.into(),
            results: series.tally.into(),
        }
    }
}

/// A rating after a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct RatingPoint {
    /// Number of the game: `0x` and 64 digits.
    pub game: String,
    /// Time at which it ended in seconds since 1970; null if it is not known.
    pub time: Option<u64>,
    /// The rating, rounded.
    pub rating: f64,
}

/// What an account has played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct AccountProfile {
    /// The account.
    pub account: Person,
    /// Number of games that it has started, with those that go on.
    pub games: u64,
    /// Its results and ratings, by league.
    pub standings: Vec<Ranked>,
    /// Its results by kind, board and colour.
    pub results: Vec<ResultsOf>,
    /// Its rating after each of its last rated signed games, in their order, of the pool in which it has played most.
    pub points: Vec<RatingPoint>,
    /// Its games that go on.
    pub open: Vec<IndexedGame>,
    /// Its last games, those that go on among them, the newest first.
    pub last: Vec<IndexedGame>,
    /// The opponents that it has played most.
    pub series: Vec<SeriesAgainst>,
    /// How far the index is.
    pub index: IndexLag,
}

impl AccountProfile {
    /// A profile with its last games.
    #[must_use]
    pub fn new(profile: index::Profile, last: Vec<index::GameRow>, status: index::Status) -> Self {
        let standings = profile.standings.iter();
        let results = profile.lines.iter();
        let point = |point: &index::Point| RatingPoint {
            game: point.game.to_string(),
            time: point.time,
            rating: point.rating.round(),
        };
        Self {
            account: profile.account.into(),
            games: profile.games,
            standings: standings
                .map(|(league, standing, rank)| Ranked::new(*league, *rank, standing))
                .collect(),
            results: results
                .map(|line| ResultsOf {
                    kind: line.kind.name(),
                    shape: line.board,
                    seat: line.seat,
                    results: line.tally.into(),
                })
                .collect(),
            points: profile.points.iter().map(point).collect(),
            open: IndexedGame::all(profile.open),
            last: IndexedGame::all(last),
            series: profile.series.into_iter().map(Into::into).collect(),
            index: status.into(),
        }
    }
}

/// Results of an account against another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct AccountAgainst {
    /// The account.
    pub account: Person,
    /// The results against the opponent.
    pub series: SeriesAgainst,
    /// Their last games, the newest first.
    pub games: Vec<IndexedGame>,
    /// How far the index is.
    pub index: IndexLag,
}

impl AccountAgainst {
    /// The results with the games.
    #[must_use]
    pub fn new(
        account: connect4_client::Address,
        (series, page): (index::Series, index::HistoryPage),
        status: index::Status,
    ) -> Self {
        Self {
            account: account.into(),
            series: series.into(),
            games: IndexedGame::all(page.games),
            index: status.into(),
        }
    }
}

/// A page of the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct StandingsPage {
    /// Pools in which there are signed games of the witnesses whose games are rated.
    pub witnessed: Vec<u16>,
    /// Keys of these witnesses.
    pub witnesses: Vec<Address>,
    /// Number of accounts.
    pub accounts: u64,
    /// Number of accounts before the page.
    pub before: u64,
    /// The accounts, the highest rating first.
    pub rows: Vec<Ranked>,
    /// How far the index is.
    pub index: IndexLag,
}

/// Pools in which there are ratings, and by whose word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedPools {
    /// Those of signed games that a witness has ended.
    pub witnessed: Vec<u16>,
    /// Keys of these witnesses.
    pub witnesses: Vec<Address>,
}

impl StandingsPage {
    /// A page of a league.
    #[must_use]
    pub fn new(
        league: index::League,
        rated: RatedPools,
        page: &index::StandingsPage,
        status: index::Status,
    ) -> Self {
        let ranks = page.before.saturating_add(1)..;
        let rows = ranks.zip(&page.rows);
        let RatedPools {
            witnessed,
            witnesses,
        } = rated;
        Self {
            witnessed,
            witnesses,
            accounts: page.accounts,
            before: page.before,
            rows: rows
                .map(|(rank, standing)| Ranked::new(league, rank, standing))
                .collect(),
            index: status.into(),
        }
    }
}

/// A page of games.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct GamesPage {
    /// The games, the newest first.
    pub games: Vec<IndexedGame>,
    /// What to ask for as `before` to get the next page; null if this is the last one.
    pub next: Option<String>,
    /// How far the index is.
    pub index: IndexLag,
}

impl GamesPage {
    /// A page.
    #[must_use]
    pub fn new(page: index::HistoryPage, status: index::Status) -> Self {
        Self {
            games: IndexedGame::all(page.games),
            next: page.next.map(|next| next.to_string()),
            index: status.into(),
        }
    }
}

/// Games that go on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct GamesNow {
    /// The games, those with the newest moves first, with their boards.
    pub games: Vec<IndexedGame>,
    /// Signed games in the rooms of this host, then in those of the relay that it names, the newest first,
    /// without those among the others. What both players have signed was checked here.
    pub in_rooms: Vec<GameInRoom>,
    /// Time of the chain's best block in seconds since 1970; null if it is not known.
    pub time: Option<u64>,
    /// How far the index is.
    pub index: IndexLag,
}

impl GamesNow {
    /// Games that go on. Those in rooms come with what their rooms show, if it is known.
    #[must_use]
    pub fn new(
        games: Vec<index::GameRow>,
        in_rooms: impl Iterator<Item = (LiveGame, Option<(Game, Moves)>)>,
        status: index::Status,
    ) -> Self {
        let is_told = |of: &LiveGame| games.iter().any(|game| game.game == of.number.into());
        let in_rooms = in_rooms.filter(|(of, _)| !is_told(of));
        let in_room = |(of, shown): (LiveGame, Option<(Game, Moves)>)| match shown {
            Some((game, moves)) => GameInRoom::from(&of).at(&game, &moves),
            None => (&of).into(),
        };
        Self {
            in_rooms: in_rooms.map(in_room).collect(),
            games: IndexedGame::all(games),
            time: status.best_time,
            index: status.into(),
        }
    }
}

/// An account that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct FoundAccount {
    /// The account.
    pub account: Person,
    /// Number of games that it has started.
    pub games: u64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct SearchFound {
    /// Accounts.
    pub accounts: Vec<FoundAccount>,
    /// A game with that number; null if there is none.
    pub game: Option<IndexedGame>,
    /// How far the index is.
    pub index: IndexLag,
}
