//! Options of the commands for single games.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use connect4_client::{Address, GameId, Named};
use connect4_opponent::Level;
use connect4_protocol::signed::{Pool, PoolName};
use connect4_protocol::{ClockSpec, GameName};
use connect4_rules::Shape;
use connect4_rules::variant::VariantSpec;

use super::common::{Board, Relaying, Signing, Sitting};
use super::parse::{AskedClock, clock, game_move, pause, pool};
use super::terms::Terms;
use crate::failure::Failure;
use crate::picture::PictureFile;

#[derive(Args, Debug, Clone)]
pub struct Play {
    #[command(flatten)]
    pub terms: Terms,
    /// Number of the game to resume: 3, or v3 for a variant
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    #[command(flatten)]
    pub relaying: Relaying,
    /// Seat to play at this terminal; the program waits for the moves of the other players
    #[arg(long, value_enum, default_value_t = Sitting::Both)]
    pub seat: Sitting,
    /// Play against the computer, which plays the other seats: random, easy, medium, hard or perfect.
    /// With several opponents, one level for all or a list such as easy,hard
    #[arg(long, value_name = "LEVEL", value_delimiter = ',')]
    pub against: Vec<Level>,
    /// Account that plays red and moves first [default: alice]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "red_secret_file")]
    pub red: Option<Named>,
    /// Account that plays blue [default: bob]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "blue_secret_file")]
    pub blue: Option<Named>,
    /// Account that plays green, with three or four players [default: charlie]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "green_secret_file")]
    pub green: Option<Named>,
    /// Account that plays yellow, with four players [default: dave]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "yellow_secret_file")]
    pub yellow: Option<Named>,
    /// File with the secret of the account that plays red
    #[arg(long, value_name = "FILE")]
    pub red_secret_file: Option<PathBuf>,
    /// File with the secret of the account that plays blue
    #[arg(long, value_name = "FILE")]
    pub blue_secret_file: Option<PathBuf>,
    /// File with the secret of the account that plays green
    #[arg(long, value_name = "FILE")]
    pub green_secret_file: Option<PathBuf>,
    /// File with the secret of the account that plays yellow
    #[arg(long, value_name = "FILE")]
    pub yellow_secret_file: Option<PathBuf>,
    /// Ask for a rematch after the end, even if standard input is not a terminal; `yes` starts it. Games on the chain
    /// have one if both players sit here
    #[arg(long)]
    pub series: bool,
    /// Play on a temporary chain in memory, which is discarded at the end
    #[arg(long, conflicts_with_all = ["url", "data"])]
    pub tmp: bool,
    /// Play as a guest, without a chain, against somebody who seeks a game at the relay
    #[arg(long, conflicts_with_all = ["url", "tmp", "game", "against"])]
    pub guest: bool,
    #[command(flatten)]
    pub sought: Sought,
}

/// The clock of a game at a relay.
#[derive(Args, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed {
    /// With a guest or an opponent at a relay: the clock, which the relay's witness keeps, as the minutes that each player
    /// has for all moves and the seconds that each move adds, such as 3+2, 10, 30s+1 or 3d+1h; or none, by which nobody
    /// can be made to move and the game is unrated [default: 3+2; with a stake 5+5]
    #[arg(long, value_name = "CLOCK", value_parser = clock)]
    pub clock: Option<AskedClock>,
}

impl Timed {
    /// The clock that was asked for, or else this one; none for a game without one.
    pub fn clock_or(self, usual: ClockSpec) -> Option<ClockSpec> {
        self.clock.map_or(Some(usual), |AskedClock(clock)| clock)
    }
}

/// Terms of a game at a relay, besides the board.
#[derive(Args, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sought {
    #[command(flatten)]
    pub timed: Timed,
    /// With a guest or an opponent at a relay: pool in which it is rated: standard, pie, large, programs, open, or a number on
    /// which you and your opponent agree. It says which board is played, if you do not
    /// [default: the one for people on the board that is played]
    #[arg(long, value_name = "POOL", value_parser = pool)]
    pub pool: Option<PoolName>,
}

impl Sought {
    /// Whether nothing of it was asked for.
    pub const fn is_none(self) -> bool {
        self.timed.clock.is_none() && self.pool.is_none()
    }
}

/// The board, the pie rule and the pool of a game: a pool with a name has its usual board in place of the standard one,
/// and its pie rule.
pub fn pooled(
    mut rules: VariantSpec,
    asked: Option<PoolName>,
) -> Result<(VariantSpec, u16), Failure> {
    let Some(PoolName(number)) = asked else {
        return Ok((rules, Pool::of_people(&rules).number()));
    };
    let Some(pool) = Pool::of(number) else {
        return Ok((rules, number));
    };
    let usual = pool.shapes().and_then(|shapes| shapes.first().copied());
    let is_default = rules.shape == Shape::STANDARD.into();
    rules.shape = usual.filter(|_| is_default).unwrap_or(rules.shape);
    rules.pie_rule |= pool.pie_rule() == Some(true);
    match pool.takes_game(&rules) {
        true => Ok((rules, number)),
        false => Err(Failure::Usage(format!(
            "the pool {} is for {pool}: leave out --pool, or the board and the pie rule",
            pool.name()
        ))),
    }
}

/// A signed game, at a relay.
#[derive(Args, Debug, Clone)]
pub struct Seek {
    /// URL of the relay, such as wss://host, or of a page with a relay [default: the relay of `serve` or
    /// `relay` on this machine]
    #[arg(long, env = "CONNECT4_RELAY", value_name = "URL")]
    pub relay: Option<String>,
    #[command(flatten)]
    pub board: Board,
    /// Allow the second player to swap the colours as the first move
    #[arg(long)]
    pub pie_rule: bool,
    #[command(flatten)]
    pub sought: Sought,
    /// Stake of each player in the chain's token, such as 1 or 0.5, which a contract on the chain holds. It is paid by
    /// the account, and the game has a clock of 5 minutes at least [default: none]. Where an offer is taken: the most that
    /// you pay
    #[arg(long, value_name = "AMOUNT", conflicts_with = "witness")]
    pub stake: Option<String>,
    /// Whether to move first: by chance, or as you and your opponent agree
    #[arg(long, value_enum, default_value_t = Turn::Random)]
    pub turn: Turn,
    /// List what others seek, and end
    #[arg(long, conflicts_with_all = ["answer", "invite", "join", "resume"])]
    pub list: bool,
    /// Resume the game that you began last and that has not ended
    #[arg(long, conflicts_with_all = ["answer", "invite", "join"])]
    pub resume: bool,
    /// Answer the seek with this number
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["invite", "join"])]
    pub answer: Option<u64>,
    /// Print a link by which a friend joins, and list nothing
    #[arg(long, conflicts_with = "join")]
    pub invite: bool,
    /// Page to which that link leads [default: the page of the relay's host]
    #[arg(long, value_name = "URL", requires = "invite")]
    pub page: Option<String>,
    /// Join the friend who has sent this link
    #[arg(long, value_name = "LINK")]
    pub join: Option<String>,
    /// Offer a game by a line of text, which you send to your opponent by any messenger. It is played in the room of
    /// the witness at the relay; what you type counts bins from 1
    #[arg(long, conflicts_with_all = ["list", "resume", "answer", "invite", "join"])]
    pub offer: bool,
    /// Key of the relay's witness, which keeps order and time of the game [default: the one that the relay names]
    #[arg(long, value_name = "KEY", requires = "offer")]
    pub witness: Option<Address>,
    /// Take the game that this line offers
    #[arg(long, value_name = "LINE", conflicts_with_all = ["list", "resume", "answer", "invite", "join", "offer"])]
    pub take: Option<String>,
    /// Take an offer without a question, whatever its stake is
    #[arg(long, conflicts_with_all = ["offer", "invite", "list", "resume"])]
    pub yes: bool,
    /// Ask for a rematch after the end, even if standard input is not a terminal; `yes` starts it
    #[arg(long)]
    pub series: bool,
    /// File with the secret of the account that plays, by a session key of this machine [default: the guest of
    /// this machine]
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// Development account that plays
    #[arg(long, value_name = "NAME", conflicts_with = "secret_file")]
    pub account: Option<String>,
}

/// The guest of this machine.
#[derive(Args, Debug, Clone)]
pub struct Guest {
    /// Print the phrase of the account. Anyone who has it can play as this guest
    #[arg(long)]
    pub phrase: bool,
    /// Play as the guest whose phrase is in this file from now on; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "phrase")]
    pub restore: Option<PathBuf>,
    /// Forget the guest, with its phrase and all that it has signed
    #[arg(long, conflicts_with_all = ["phrase", "restore"])]
    pub forget: bool,
    /// Forget it without a question, also if a game goes on
    #[arg(long, requires = "forget")]
    pub yes: bool,
}

/// Whether a player moves first.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// By chance
    Random,
    /// You move first
    First,
    /// Your opponent moves first
    Second,
}

#[derive(Args, Debug, Clone)]
pub struct Deploy {
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Start {
    #[command(flatten)]
    pub terms: Terms,
    /// Account that plays red and moves first [default: the signer, else alice]
    #[arg(long, value_name = "ACCOUNT")]
    pub red: Option<Named>,
    /// Account that plays blue [default: bob]
    #[arg(long, value_name = "ACCOUNT")]
    pub blue: Option<Named>,
    /// Account that plays green, with three or four players [default: charlie]
    #[arg(long, value_name = "ACCOUNT")]
    pub green: Option<Named>,
    /// Account that plays yellow, with four players [default: dave]
    #[arg(long, value_name = "ACCOUNT")]
    pub yellow: Option<Named>,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Move {
    /// Number of the game: 3, or v3 for a variant
    #[arg(long, value_name = "NUMBER")]
    pub game: GameId,
    /// The move; counts bins and rows from 1: 4 drops a disc into bin 4. In variants p4 pops your disc
    /// out of it, t4.2 takes the disc in its row 2, r2 clears row 2, f4.5 floats a disc into row 5 of bin
    /// 4, s swaps the colours. With the pie rule swap, as the second move, takes the first disc over
    #[arg(value_name = "MOVE", value_parser = game_move)]
    pub action: connect4_rules::variant::Move,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Show {
    /// Number of the game: 3, or v3 for a variant [default: the newest classic game]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
}

#[derive(Args, Debug, Clone)]
pub struct List {
    /// Maximum number of classic games and of variants; lists the newest of each kind, the newest last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Watch {
    /// Number of the game to follow until it ends: 3, or v3 for a variant [default:
    /// all games, until Ctrl-C]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    /// Follow the newest blocks before they are final, and report events whose block was replaced
    #[arg(long)]
    pub best: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Replay {
    /// Number of the game: 3, v3 for a variant, or 0x and 64 digits for a signed game that was recorded [default: the newest classic game]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameName>,
    /// Number of a block at or before the start of the game; earlier blocks are not read
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
    /// Time to show each move on a terminal
    #[arg(long, default_value = "0.7", value_name = "SECONDS", value_parser = pause)]
    pub pause: Duration,
    /// Write a picture: of the last position if the name ends with .svg or .png, of the whole game, animated,
    /// with .gif
    #[arg(long, value_name = "FILE", value_parser = PictureFile::named)]
    pub picture: Option<PictureFile>,
}

#[derive(Args, Debug, Clone)]
pub struct Evaluate {
    /// Positions as moves, bins counted from 1: 4453 is four discs; without any they are read from standard input, one
    /// a line
    #[arg(value_name = "MOVES")]
    pub positions: Vec<String>,
}

#[derive(Args, Debug, Clone)]
pub struct Review {
    /// File with exported games, in place of a game of the chain; `-` is standard input
    #[arg(value_name = "FILE", conflicts_with = "game")]
    pub file: Option<PathBuf>,
    /// Number of the game: 3, or v3 for a variant [default: the newest classic game]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    /// Number of a block at or before the start of the game; earlier blocks are not read
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
}

#[cfg(test)]
mod tests {
    use connect4_rules::ShapeSpec;

    use super::*;

    #[test]
    fn a_pool_says_which_board_is_played() {
        let board = |bins, capacity| ShapeSpec {
            bins,
            capacity,
            line: 4,
        };
        let standard = Shape::STANDARD.into();
        let named = |pool: Pool| Some(PoolName(pool.number()));
        for (asked, taken) in [
            ((standard, false, None), Some((standard, false, 1))),
            ((standard, true, None), Some((standard, true, 2))),
            ((board(6, 4), false, None), Some((board(6, 4), false, 0))),
            (
                (standard, false, named(Pool::Open)),
                Some((standard, false, 0)),
            ),
            (
                (standard, false, named(Pool::Pie)),
                Some((standard, true, 2)),
            ),
            (
                (standard, false, named(Pool::Large)),
                Some((board(9, 7), true, 3)),
            ),
            (
                (board(9, 9), false, named(Pool::Large)),
                Some((board(9, 9), true, 3)),
            ),
            ((board(6, 4), false, named(Pool::Large)), None),
            ((standard, true, named(Pool::Standard)), None),
            (
                (board(6, 4), false, Some(PoolName(7))),
                Some((board(6, 4), false, 7)),
            ),
        ] {
            let (shape, pie_rule, pool) = asked;
            let found = pooled(VariantSpec::of_two(shape, pie_rule), pool).ok();
            let found = found.map(|(rules, pool)| (rules.shape, rules.pie_rule, pool));
            assert_eq!(found, taken, "{asked:?}");
        }
    }
}
