//! The command line.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use connect4_client::{Address, Named};
use connect4_opponent::Level;
use connect4_rules::{Player, Shape};

const ABOUT: &str = "Connect Four, on chain";
const LONG_ABOUT: &str = "Connect Four, on chain.

Without a command it plays: two players at one terminal, on a chain that runs in this program. Every \
move is a signed transaction to a contract, and the chain is kept on disk, so a game can be left and \
gone on with. With --url the same goes for any other chain with pallet-revive.

Bins, rows, turns, games and blocks count from 0.";

const AFTER: &str = "\
Accounts:
  The development accounts go by name: alice, bob, charlie, dave, eve, ferdie. Everybody knows their
  secrets, so they are for local chains. Another account's secret is read from a file
  (--secret-file, --red-secret-file, --blue-secret-file) or from the environment (CONNECT4_SECRET,
  CONNECT4_RED_SECRET, CONNECT4_BLUE_SECRET), never from an argument.

Exit status:
    0  done
    1  something failed: the chain could not be reached, an account could not pay, ...
    2  the command line does not make sense, or a board is out of bounds
    3  the contract refused
    4  the input ended in the middle of a game, which can be gone on with
  130  left with Ctrl-C; 143: told to end
  141  nobody reads the output any more

With --json every result is one object a line:
  game         {game, contract, shape: {bins, capacity, line}, red, blue, turns, to_move, over,
               end, winner, winning_cells: [{bin, row}], board: [[\"red\", ...], ...], payer,
               clock: {deadline, waiting, increment}}; red, blue and payer are addresses; to_move
               and winner are \"red\", \"blue\" or null; end is \"line\", \"full board\",
               \"resignation\", \"agreement\", \"timeout\", \"abort\" or null; the board is a list of
               bins from the left, each a list of its discs from the bottom; the deadline is in
               seconds since 1970, waiting what the other player has left in seconds. `show` adds
               match: {clock: {bank, increment}, stake, settled, draw_offer, rematch_offer,
               previous, next, score: {red, blue, draws}}
  challenge    {challenge, challenger, opponent, challenger_first, shape, clock, stake}; a stake is
               a decimal string in the token's smallest unit
  transaction  {block, block_hash, hash, index, fee, deposit}; fee and deposit are decimal strings
               in the token's smallest unit
  events       {event, game, block, block_hash, index, ...}
               started: red, blue, shape; dropped: player, bin, row, turn, deadline; ended: winner,
               end, winning_cells; challenge: as above; challenge_withdrawn: challenge, by; match:
               challenge, previous, clock, stake; draw_offered, draw_declined, rematch_offered,
               rematch_declined: by; settled: red, blue, what each is owed; withdrawn: account,
               amount; freed: payer. Those of challenges and accounts have no game
  serving      {event, url, key}: where `serve` has its page, and the key that opens all of it
  errors       {error, status} on standard error";

/// The whole command line.
#[derive(Parser, Debug)]
#[command(name = "connect4", version, about = ABOUT, long_about = LONG_ABOUT, after_long_help = AFTER)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What every command takes.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "For every command")]
pub struct Global {
    /// The chain to use, as ws://host:port or wss://host. Else the local one, which runs in this
    /// program or in another that has its folder open [env: CONNECT4_URL]
    // Not by clap: a chain that an option names goes before one that the environment names.
    #[arg(long, global = true, value_name = "URL", conflicts_with = "data")]
    pub url: Option<String>,
    /// The folder of the local chain [env: CONNECT4_DATA] [default: $XDG_DATA_HOME/connect4 or
    /// ~/.local/share/connect4]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// The contract's address. Else it is looked for where --deployer's would be
    #[arg(long, global = true, env = "CONNECT4_CONTRACT", value_name = "ADDRESS")]
    pub contract: Option<Address>,
    /// Whose contract to use: an account or address [default: alice, then who signs]
    #[arg(long, global = true, env = "CONNECT4_DEPLOYER", value_name = "ACCOUNT")]
    pub deployer: Option<Named>,
    /// Pay stakes to a contract that runs other code than this program knows
    #[arg(long, global = true)]
    pub any_code: bool,
    /// Wait until transactions are final; else until they are in a block
    #[arg(long, global = true)]
    pub finalized: bool,
    /// Print for machines: one JSON object a line
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play a game at this terminal; what happens without a command
    ///
    /// Two players at one terminal, or with --seat one of two at two. Before each drop it says which
    /// disc of the game comes, counted from 1, and whose it is: `add shape: 3, player: red` is the
    /// third disc. Then it reads a bin, from 0 at the left, or a word: draw, accept, decline, resign,
    /// claim, help. If standard input is no terminal it reads one answer a line and prints plainly.
    Play(Play),
    /// Show the game in a browser
    ///
    /// Serves a page, until it is told to stop, and prints the link to play there: two at one screen,
    /// against the computer, or with somebody who is sent a link for the other seat. Whoever has no
    /// such link can watch. The page counts bins and rows from 1, as the keys do.
    Serve(Serve),
    /// Run the local chain for other programs
    ///
    /// Runs until it is told to stop. What scripts give to a Substrate node in development is taken
    /// too, so that tools which start a node can start this one.
    Node(Node),
    /// Deploy the contract, unless it is there
    Deploy(Deploy),
    /// Start a game and say its number
    Start(Start),
    /// Drop a disc
    Drop(Drop),
    /// Show a game
    Show(Show),
    /// List the games
    List(List),
    /// Follow games as they are played
    Watch(Watch),
    /// Show a game again from its first move, from the chain's events
    Replay(Replay),
    /// Show what each move of a game gave away
    ///
    /// On the standard board it is known what each position leads to if neither errs; wins and losses
    /// are told with how many more discs of the winner they take. On others a search gives chances.
    /// Behind ?? stands what would have kept a win or a draw, behind ? what would have been better.
    Review(Review),
    /// Challenge a player, or anyone, to a match
    ///
    /// The other accepts with the same stake, or declines. Until then it can be cancelled, and the
    /// stake comes back.
    Challenge(Challenge),
    /// List the open challenges
    Challenges(Challenges),
    /// Accept a challenge, and pay its stake
    Accept(Accept),
    /// Decline a challenge to you
    Decline(OneChallenge),
    /// Cancel a challenge of yours, and get its stake back
    Cancel(OneChallenge),
    /// Give a game up: the other player wins
    Resign(OneGame),
    /// End a game in which the time of who is to move has run out; anyone may
    Claim(OneGame),
    /// Offer a draw, which lapses when the other moves; or answer such an offer
    Draw(Answering),
    /// Offer a rematch on the same terms, in which the loser begins; or answer such an offer
    Rematch(Answering),
    /// Get what you are owed: stakes won, shared or given back
    Withdraw(Withdraw),
    /// Free the storage of a game that has ended: the deposit comes back to who paid it
    Free(OneGame),
    /// Show who has won how often, with Elo ratings
    Standings(Standings),
    /// List the development accounts with what they have
    Accounts,
}

/// The board to play on.
#[derive(Args, Debug, Clone, Copy)]
pub struct Board {
    /// How many bins the board has: 5 or more
    #[arg(long, default_value_t = Shape::STANDARD.bins(), value_name = "BINS", allow_negative_numbers = true)]
    pub bins: u8,
    /// How many discs a bin holds: 4 or more
    #[arg(long, default_value_t = Shape::STANDARD.capacity(), value_name = "DISCS", allow_negative_numbers = true)]
    pub capacity: u8,
    /// How many in a row win: 3 to 6
    #[arg(long, default_value_t = Shape::STANDARD.line(), value_name = "DISCS", allow_negative_numbers = true)]
    pub line: u8,
}

/// Which seat to play.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    Red,
    Blue,
    Both,
}

impl Seat {
    /// Whether this player sits here.
    pub fn has(self, player: Player) -> bool {
        match self {
            Self::Red => player == Player::One,
            Self::Blue => player == Player::Two,
            Self::Both => true,
        }
    }
}

#[derive(Args, Debug, Clone)]
pub struct Play {
    #[command(flatten)]
    pub board: Board,
    /// Go on with this game
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
    /// Which seat to play here; for the other's moves it waits
    #[arg(long, value_enum, default_value_t = Seat::Both)]
    pub seat: Seat,
    /// Play against the computer, which has the other seat and an account of its own: random, easy,
    /// medium, hard or perfect
    #[arg(long, value_name = "LEVEL")]
    pub against: Option<Level>,
    /// Who plays red and moves first [default: alice]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "red_secret_file")]
    pub red: Option<Named>,
    /// Who plays blue [default: bob]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "blue_secret_file")]
    pub blue: Option<Named>,
    /// A file with the secret of who plays red
    #[arg(long, value_name = "FILE")]
    pub red_secret_file: Option<PathBuf>,
    /// A file with the secret of who plays blue
    #[arg(long, value_name = "FILE")]
    pub blue_secret_file: Option<PathBuf>,
    /// After the end ask for a rematch, even if standard input is no terminal: `yes` starts one
    #[arg(long)]
    pub series: bool,
    /// Play on a chain in memory that is gone afterwards
    #[arg(long, conflicts_with_all = ["url", "data"])]
    pub tmp: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Serve {
    /// Where to listen: 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub addr: IpAddr,
    /// The port to listen on; 0 has one chosen
    #[arg(long, default_value_t = 4444, value_name = "PORT")]
    pub port: u16,
    /// A name, besides localhost and addresses, by which browsers may reach it; may be given again
    #[arg(long = "host-name", value_name = "NAME")]
    pub host_names: Vec<String>,
    /// A file with the secret of an account to play with; may be given again. CONNECT4_SECRET adds
    /// one, and the development accounts are there where they have anything
    #[arg(long = "secret-file", value_name = "FILE")]
    pub secret_files: Vec<PathBuf>,
    /// Keep the chain in memory: it is gone afterwards
    #[arg(long, conflicts_with_all = ["url", "data"])]
    pub tmp: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Node {
    /// Keep the chain in memory: it is gone afterwards
    #[arg(long, visible_alias = "dev", conflicts_with_all = ["data", "url"])]
    pub tmp: bool,
    /// Make a block every so many seconds; else as soon as a transaction comes
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub block_time: Option<std::time::Duration>,
    /// Where to listen: 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub rpc_addr: IpAddr,
    /// The port to listen on; 0 has one chosen
    #[arg(long, default_value_t = 9944, value_name = "PORT")]
    pub rpc_port: u16,
    /// How many connections are served at once
    #[arg(
        long,
        visible_alias = "rpc-max-connections",
        default_value_t = 100,
        value_name = "NUMBER"
    )]
    pub max_connections: u32,
    /// Ignored: there is no network of nodes
    #[arg(long, value_name = "PORT", hide = true)]
    pub port: Option<u16>,
    /// Ignored: there is no log
    #[arg(short = 'l', long = "log", value_name = "TARGETS", hide = true)]
    pub log: Vec<String>,
    /// Ignored: blocks have no author
    #[arg(long, hide = true)]
    pub alice: bool,
    #[arg(long, hide = true)]
    pub bob: bool,
    #[arg(long, hide = true)]
    pub charlie: bool,
    #[arg(long, hide = true)]
    pub dave: bool,
    #[arg(long, hide = true)]
    pub eve: bool,
    #[arg(long, hide = true)]
    pub ferdie: bool,
}

/// Who signs.
#[derive(Args, Debug, Clone)]
pub struct Signing {
    /// Who signs and pays: a development account
    #[arg(long, value_name = "NAME", conflicts_with = "secret_file")]
    pub account: Option<String>,
    /// A file with the secret of who signs and pays; else CONNECT4_SECRET
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
}

#[derive(Args, Debug, Clone)]
pub struct Deploy {
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Start {
    #[command(flatten)]
    pub board: Board,
    /// Who plays red and moves first [default: who signs, else alice]
    #[arg(long, value_name = "ACCOUNT")]
    pub red: Option<Named>,
    /// Who plays blue [default: bob]
    #[arg(long, value_name = "ACCOUNT")]
    pub blue: Option<Named>,
    #[command(flatten)]
    pub signing: Signing,
}

/// Who moves first.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    Me,
    Them,
    Random,
}

#[derive(Args, Debug, Clone)]
pub struct Challenge {
    #[command(flatten)]
    pub board: Board,
    /// Whom to challenge: an account or address [default: anyone]
    #[arg(long = "to", value_name = "ACCOUNT")]
    pub opponent: Option<Named>,
    /// What each of the two pays in, in tokens, as 1 or 0.5
    #[arg(long, default_value = "0", value_name = "AMOUNT")]
    pub stake: String,
    /// The time each player has for all moves, as 300, 5m, 2h or 3d: at most 30 days. A stake needs
    /// one [default: no clock]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub bank: Option<u32>,
    /// What each move adds to it: at most a day
    #[arg(long, default_value = "0", value_name = "TIME", value_parser = time, requires = "bank")]
    pub increment: u32,
    /// Who moves first
    #[arg(long, value_enum, default_value_t = First::Random)]
    pub first: First,
    /// Wait until somebody accepts, then play
    #[arg(long)]
    pub play: bool,
    /// After the end ask for a rematch, even if standard input is no terminal: `yes` starts one
    #[arg(long, requires = "play")]
    pub series: bool,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Challenges {
    /// How many to list: the newest, the last one last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Accept {
    /// The challenge
    #[arg(long, value_name = "NUMBER")]
    pub challenge: u32,
    /// Play the game then
    #[arg(long)]
    pub play: bool,
    /// After the end ask for a rematch, even if standard input is no terminal: `yes` starts one
    #[arg(long, requires = "play")]
    pub series: bool,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct OneChallenge {
    /// The challenge
    #[arg(long, value_name = "NUMBER")]
    pub challenge: u32,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct OneGame {
    /// The game
    #[arg(long, value_name = "NUMBER")]
    pub game: u32,
    #[command(flatten)]
    pub signing: Signing,
}

/// How an offer is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Accept,
    Decline,
}

#[derive(Args, Debug, Clone)]
pub struct Answering {
    #[command(flatten)]
    pub of: OneGame,
    /// Accept the other player's offer
    #[arg(long, conflicts_with = "decline")]
    pub accept: bool,
    /// Decline the other player's offer
    #[arg(long)]
    pub decline: bool,
}

impl Answering {
    /// How the offer is answered; none: it is made.
    pub const fn answer(&self) -> Option<Answer> {
        match (self.accept, self.decline) {
            (true, _) => Some(Answer::Accept),
            (_, true) => Some(Answer::Decline),
            _ => None,
        }
    }
}

#[derive(Args, Debug, Clone)]
pub struct Withdraw {
    /// A game to settle first [default: the newest games that wait for it]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Standings {
    /// The block to begin with: what was before does not count
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Drop {
    /// The game
    #[arg(long, value_name = "NUMBER")]
    pub game: u32,
    /// The bin, from 0 at the left
    #[arg(long, value_name = "BIN", allow_negative_numbers = true)]
    pub bin: i64,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Show {
    /// The game [default: the newest]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
}

#[derive(Args, Debug, Clone)]
pub struct List {
    /// How many to list: the newest, the last one last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Watch {
    /// The game, until it ends [default: all games, until Ctrl-C]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
}

#[derive(Args, Debug, Clone)]
pub struct Replay {
    /// The game [default: the newest]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
    /// A block at or before the game's first: fewer are looked at
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
    /// How long each move is shown on a terminal
    #[arg(long, default_value = "0.7", value_name = "SECONDS", value_parser = pause)]
    pub pause: std::time::Duration,
}

/// A time in seconds.
fn time(text: &str) -> Result<u32, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 60 * 60),
        Some((at, 'd')) => (&text[..at], 24 * 60 * 60),
        _ => (text, 1),
    };
    number
        .parse::<u32>()
        .ok()
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| "give seconds as 300, or as 90s, 5m, 2h or 3d".into())
}

#[derive(Args, Debug, Clone)]
pub struct Review {
    /// The game [default: the newest]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
    /// A block at or before the game's first: fewer are looked at
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    match pause(text) {
        Ok(time) if time.is_zero() => Err("a block takes more than no time".into()),
        result => result,
    }
}

fn pause(text: &str) -> Result<std::time::Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| time.as_secs() <= 3600)
        .ok_or_else(|| "give seconds as 2 or 0.5, at most 3600".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn a_node_takes_what_substrate_nodes_take() {
        let line = "connect4 node --dev --port=0 --rpc-port=0 -lruntime::revive=debug --alice";
        let cli = Cli::try_parse_from(line.split(' ')).unwrap();
        let Some(Command::Node(node)) = cli.command else {
            panic!("{cli:?}");
        };
        assert!(node.tmp);
        assert_eq!(node.rpc_port, 0);
    }
}
