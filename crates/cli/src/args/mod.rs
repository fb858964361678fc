//! The command line.

mod common;
mod games;
mod help;
pub mod json;
mod matches;
mod parse;
mod serving;
mod tables;
mod terms;

use clap::{Parser, Subcommand};

pub use common::{Board, Global, OneGame, Relaying, Seat, Signing};
pub use games::{Deploy, Drop, List, Move, Play, Replay, Review, Show, Start, Watch};
pub use matches::{
    Accept, Answer, Answering, Challenge, Challenges, First, OneChallenge, Standings, Withdraw,
};
pub use serving::{Guard, Host, Node, Page, Relay, Serve};
pub use tables::{Join, Table, Tables};

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "connect4",
    version,
    about = help::ABOUT,
    long_about = help::LONG_ABOUT,
    after_long_help = help::after(),
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play a game at this terminal; the default without a command
    ///
    /// Two players at one terminal, or with --seat one of two at two. Before each drop it says which
    /// disc of the game comes, counted from 1, and whose it is: `add shape: 3, player: red` is the
    /// third disc. Then it reads a bin, from 0 at the left, or a word: draw, accept, decline, resign,
    /// claim, help. If standard input is no terminal it reads one answer a line and prints plainly.
    ///
    /// Any of the options for variants makes it a game of two to four players with other moves. Then
    /// it reads moves as the board is labelled, with bins and rows from 1: 4 drops into bin 4, p4 pops
    /// it, t4.2 takes the disc in its row 2, r2 clears row 2, f4.5 floats a disc into row 5 of bin 4,
    /// s swaps the colours. The words are leave, claim and help.
    Play(Play),
    /// Show the game in a browser
    ///
    /// Serves a page, until it is told to stop, and prints the link to play there: two at one screen,
    /// against the computer, or with somebody who is sent a link for the other seat. Anyone without
    /// such a link can watch. The page counts bins and rows from 1, as the keys do.
    Serve(Serve),
    /// Serve the game to everybody, who sign with wallets of their own
    ///
    /// Serves the page of a chain that others reach as well, until it is told to stop. It has no
    /// account, so it can neither take a stake nor make a move: it reads the chain, prepares what
    /// wallets sign, passes it on, and relays fast games. It can be started again at any time, and
    /// several can serve the same chain. Encryption is left to a reverse proxy.
    Host(Host),
    /// Write the page as files, with their hashes, to be taken from elsewhere than from a host
    ///
    /// Who serves a page can serve another one. These files can be put on any web server, at the root
    /// of its name, and compared with those that others have written: SHA256SUMS lists them. The page
    /// uses the named hosts, one after the other; `?host=https://…` in a link to it names another one
    /// for that tab, which the page tells.
    Page(Page),
    /// Pass the moves of fast games on between their players, and to those who watch
    ///
    /// Runs until it is told to stop, and keeps nothing. Players need not trust it: it has no key, so
    /// it can forge nothing, and when it is silent they go on with the chain. `serve` is a relay, too.
    /// Counts are at the path /metrics. Encryption is left to a reverse proxy.
    Relay(Relay),
    /// Answer for players of fast games who are away
    ///
    /// Left running, it keeps the latest position that both players of each game have signed, as the
    /// relay passes them on. If somebody brings an older one to the chain and starts a clock, it answers
    /// with the later one; and it tells the chain of ends that both have signed. Any account may do so
    /// for any game. Without --game it guards all games of the accounts, also those that start later.
    Guard(Guard),
    /// Run the local chain for other programs
    ///
    /// Runs until it is told to stop. Options that scripts give to a Substrate node in development
    /// are accepted, so that tools which start a node can start this one.
    Node(Node),
    /// Deploy the contracts, unless they are there
    Deploy(Deploy),
    /// Start a game and say its number
    Start(Start),
    /// Drop a disc
    Drop(Drop),
    /// Make a move, written with bins and rows from 1
    Move(Move),
    /// Open a table for a game of a variant, at which others join
    ///
    /// The game starts when the last player joins. Until then a player can leave the table; it is
    /// closed when who opened it leaves.
    Table(Table),
    /// List the open tables
    Tables(Tables),
    /// Join a table
    Join(Join),
    /// Leave a table, or a game of a variant: it goes on without you if two or more are left
    Leave(OneGame),
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
    /// On the standard board a solver knows the result of each position with perfect play; wins and
    /// losses are given with the number of further discs that the winner needs. On other boards a
    /// search estimates chances. ?? marks a move that gave away a win or a draw, ? one that was worse
    /// than the best.
    Review(Review),
    /// Challenge a player, or anyone, to a match
    ///
    /// The opponent accepts with the same stake, or declines. Until then it can be cancelled, and the
    /// stake comes back.
    Challenge(Challenge),
    /// List the open challenges
    Challenges(Challenges),
    /// Accept a challenge, and pay its stake
    ///
    /// Shows all terms first, and what is known about them: who can force a win, whether the clock is
    /// short. If there is a stake, it asks. Without a terminal a stake is paid only with --max-stake
    /// or --yes.
    Accept(Accept),
    /// Decline a challenge to you
    Decline(OneChallenge),
    /// Cancel a challenge of yours, and get its stake back
    Cancel(OneChallenge),
    /// Give a game up: the opponent wins; a variant of three or four goes on
    Resign(OneGame),
    /// End a game in which the time of the player to move has run out, or remove that player from a
    /// variant; anyone may
    Claim(OneGame),
    /// Offer a draw, which lapses when the opponent moves; or answer such an offer
    Draw(Answering),
    /// Offer a rematch on the same terms, in which the loser begins; or answer such an offer
    Rematch(Answering),
    /// Get what you are owed: stakes won, shared or given back
    Withdraw(Withdraw),
    /// Free the storage of a game that has ended: its payer gets the deposit back
    Free(OneGame),
    /// Show wins, draws and losses, with Elo ratings; variants apart
    Standings(Standings),
    /// List the development accounts with their balances
    Accounts,
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
