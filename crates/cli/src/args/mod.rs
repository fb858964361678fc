//! The command line.

mod bot;
mod common;
mod games;
mod help;
mod parse;
mod puzzle;
mod records;
mod serving;
mod standings;
mod tables;
mod terms;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use bot::Bot;
pub use common::{Board, Global, OneGame, Signing};
pub use games::{
    Deploy, Evaluate, Guest, List, Move, Play, Replay, Review, Seek, Show, Sought, Start, Turn,
    Watch, pooled,
};
pub use puzzle::Puzzle;
pub use records::{Export, Following, Record, Verify};
pub use serving::{Guard, Host, Node, Page, Relay, Serve};
pub use standings::Standings;
pub use tables::{Join, Table, Tables};

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "connect4",
    version,
    about = help::ABOUT,
    disable_help_subcommand = true,
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
    /// Two players share this terminal; with --seat one player sits here and the other at another
    /// terminal. Before each drop the program prints the number of the disc, counted from 1, and the
    /// player: `add shape: 3, player: red` is the third disc. Then it reads a bin, counted from 0 at the
    /// left, or a word: resign, help. If standard input is not a terminal, it reads one answer from each
    /// line and prints without colours and screen control. If both players sit here, the program asks
    /// for another game after the end, in which the loser begins.
    ///
    /// Any of the options for variants makes it a game of two to four players with other moves. Then
    /// bins and rows count from 1, as on the board: 4 drops a disc into bin 4, p4 pops your disc out of
    /// it, t4.2 takes the disc in its row 2, r2 clears row 2, f4.5 floats a disc into row 5 of bin 4,
    /// s swaps the colours. The words are leave, claim and help.
    Play(Play),
    /// Play in a browser
    ///
    /// Serves a page until you stop the program, and prints the link to it. Two can play at one screen,
    /// you can play against the computer, or send somebody a link for the other seat. Anyone without
    /// such a link can watch. The page counts bins and rows from 1, like the keys 1 to 9.
    Serve(Serve),
    /// Run a public host: serve the page to visitors with wallets
    ///
    /// Serves the page for a public chain until you stop the program. The host has no account, so it can
    /// neither take a stake nor make a move: it reads the chain, prepares transactions for the visitors'
    /// wallets, forwards signed ones, and relays signed games. It can be restarted at any time, and several
    /// hosts can serve the same chain. Encryption is left to a reverse proxy.
    Host(Host),
    /// Export the page as static files with checksums, to serve it from another web server
    ///
    /// The operator of a host could serve a manipulated page. These files can be served by any web
    /// server, at the root of its name. Anyone can export them again and compare: SHA256SUMS lists their
    /// checksums. The page uses the first of the given hosts that responds. `?host=https://…` in a link
    /// to the page names another host for that tab, which is used if the visitor agrees.
    Page(Page),
    /// Run a relay: forward the moves of signed games to their players and watchers
    ///
    /// Runs until you stop the program. With --witness-log it is the witness of games without a stake, and keeps their
    /// order and time on disk. It cannot forge moves, which the players sign. When it is unreachable, games with a
    /// stake continue on the chain.
    /// `serve` and `host` contain a relay, too. Metrics are at the path /metrics. Encryption is left to a
    /// reverse proxy.
    Relay(Relay),
    /// Find an opponent at a relay, and play as a guest
    ///
    /// Needs no chain, no account and no tokens: only a relay. You play by a key that the program keeps on
    /// this machine, and both players sign each move, so that nobody can forge one. It is no place for money.
    /// With --stake two accounts play for a stake, which a contract on the chain holds.
    /// Without an option it seeks a game on this board, which everybody at the relay sees, and waits until
    /// somebody answers. What both have signed at the end is kept in a file, and can be put on the chain.
    Seek(Seek),
    /// Play at a relay as a program, at a level of the computer
    ///
    /// Runs until you stop the program. It seeks games in the pool of the programs, says there that it is one, and
    /// plays against people and programs, with an account of its own, whose key is in the folder `bots` beside the
    /// local chain. After each game it seeks the next one. If it is killed it resumes the games that go on. An
    /// opponent who is silent is waited for beside the next games. docs/programs.md describes how to write another
    /// program.
    Bot(Bot),
    /// Record signed games that have ended on the chain
    ///
    /// Sends the ends of signed games without a stake to the chain, many games in one transaction. Any account may
    /// pay for it. Each game is checked before anything is sent, and a game that is on the chain already is left
    /// out. Shows the cost and asks for your consent; without a terminal it sends only with --max-fee or --yes.
    ///
    /// With --follow it runs until you stop the program: it follows relays and records the games that end there, so that
    /// guests have their results on the chain without paying. It never spends more than the budget in any 24 hours,
    /// fees and deposits together, and has limits for two accounts, for an account and for a network address. What
    /// it pays is on disk before it is sent: it can be killed at any time and pays nothing twice.
    Record(Record),
    /// Print games as text, with the evidence for them
    ///
    /// The text has the terms, the players, the moves and the result of each game, and for signed games what
    /// players and witness have signed, with which anyone can check it without a chain. Of other games the chain
    /// is the evidence, and the text says in which blocks. `verify` checks such a text, `review` looks at its
    /// moves, and the page opens it, too. The format is described in docs/records.md.
    Export(Export),
    /// Check games that were exported: who has signed what
    ///
    /// Checks the moves and the result of each game by the rules, and the signatures of its players. Needs no
    /// chain. With --url it looks at the chain as well: whether that has the same game, and in which blocks.
    /// The exit status is 0 if every game is proven.
    Verify(Verify),
    /// Show the guest of this machine, or carry it to another one
    ///
    /// A guest is an account that the program makes for games at a relay: `seek`, `play --guest`. Its phrase
    /// of 12 words opens the same account in the page, in this program on another machine, and in wallets of
    /// Ethereum, at the path m/44'/60'/0'/0/0. The account is no place for money: its key is in a file.
    /// A game that goes on can be resumed only where it was begun.
    Guest(Guest),
    /// Protect signed games with a stake while their players are away
    ///
    /// Runs until you stop the program. It guards all games of the accounts, including games that start later. It has
    /// the newest position that both players have signed from what their programs have kept on this machine, and from
    /// the relay. If somebody submits an older position to the chain and starts a clock, it submits the newer one. It
    /// also submits results that both players have signed. Any account may guard the games of any other.
    Guard(Guard),
    /// Run the local chain for other programs
    ///
    /// Runs until you stop the program. It accepts the options that scripts pass to a Substrate
    /// development node, so that tools which start such a node can start this one.
    Node(Node),
    /// Deploy the contracts, unless they are deployed already
    Deploy(Deploy),
    /// Start a game and print its number
    Start(Start),
    /// Drop a disc, or make another move; counts bins and rows from 1
    #[command(visible_alias = "drop")]
    Move(Move),
    /// Open a table: a game of a variant that other players join
    ///
    /// The game starts when the last player joins. Until then a player can leave the table. It is
    /// closed when the player who opened it leaves.
    Table(Table),
    /// List the open tables
    Tables(Tables),
    /// Join a table
    Join(Join),
    /// Leave a table, or a game of a variant; the game continues if two or more players are left
    Leave(OneGame),
    /// Show a game
    Show(Show),
    /// List the games
    List(List),
    /// Follow games as they are played
    Watch(Watch),
    /// Replay a game from its first move, from the events on the chain
    Replay(Replay),
    /// Show what each move of a game gave away
    ///
    /// On the standard board a solver knows the result of each position under perfect play. Wins and
    /// losses come with the number of further discs that the winner needs. On other boards a search
    /// estimates the chances. ?? marks a move that gave away a win or a draw, ? a move that was worse
    /// than the best one.
    Review(Review),
    /// Evaluate positions of the standard board, given as moves
    ///
    /// Needs no chain. Prints for each position its moves, the exact score for the player to move, the best bins,
    /// counted from 1, and how many discs are dropped until the game is over, if both play perfectly. The score is 0 for
    /// a draw, 1 for a win with the player's last disc, 2 with the one before it, and so on; negative for a loss,
    /// counted in the opponent's discs. A line that is no position is passed over and named, and the exit status is 3
    /// then.
    Evaluate(Evaluate),
    /// Solve puzzles: positions with exactly one winning move, or one that holds a draw
    ///
    /// Needs no chain. Without an option it asks the puzzle of the day, which is the same for everybody. The
    /// computer plays the opponent perfectly: a win is played until there is a line, a draw until no bin
    /// loses any more. A wrong bin is answered by what it loses to, and you try another one. Type a bin,
    /// counted from 1 at the left, or a word: hint, quit. With --game or a file it asks the positions of games in
    /// which a win or a draw was given away.
    Puzzle(Puzzle),
    /// Resign a game: the opponent wins; a variant of three or four players continues without you
    Resign(OneGame),
    /// Remove the player to move from a variant, whose time has run out; anyone may
    Claim(OneGame),
    /// Withdraw what you are owed of signed games: stakes that you won, shared or got back
    Withdraw(Signing),
    /// Free the storage of a game that has ended; the account that paid the deposit gets it back
    Free(OneGame),
    /// Show wins, draws, losses and Elo ratings, for variants and signed games separately
    Standings(Standings),
    /// List the development accounts with their balances
    Accounts,
    /// Print what a shell needs to complete commands and options
    ///
    /// For bash: `connect4 completions bash > ~/.local/share/bash-completion/completions/connect4`. For zsh write it to
    /// `_connect4` in a folder of `$fpath`, for fish to `~/.config/fish/completions/connect4.fish`.
    Completions {
        /// Shell
        shell: clap_complete::Shell,
    },
    /// Write a manual page for each command into a folder
    Man {
        /// Folder, such as ~/.local/share/man/man1
        folder: PathBuf,
    },
    /// Explain a command, a group of commands, options or json
    Help {
        /// Command or topic
        topic: Option<String>,
    },
}

impl Cli {
    /// The arguments of this program. Prints help, and ends the program, if that is asked for or something is wrong.
    pub fn of_program() -> Self {
        Self::of(std::env::args_os())
    }

    /// As [`Self::of_program`], of a program with these arguments, its name first.
    pub fn of(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Self {
        let matches = Self::shown().get_matches_from(arguments);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// The command line as its help shows it.
    pub fn shown() -> clap::Command {
        help::shown(Self::command())
    }

    /// The page of the help on a topic; none if there is only a command with this name, or nothing.
    pub fn page(topic: &str) -> Option<String> {
        help::page(&Self::command(), topic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::shown().debug_assert();
    }

    #[test]
    fn the_help_is_in_plain_english() {
        let mut cli = Cli::shown();
        cli.build();
        let mut helps = vec![cli.render_long_help().to_string()];
        for command in cli.get_subcommands_mut() {
            helps.push(command.render_long_help().to_string());
        }
        assert!(helps.len() > 30, "the commands are found");
        let mut faults: Vec<String> = helps
            .iter()
            .flat_map(|help| help.split("\n\n"))
            .flat_map(connect4_testing::english::faults)
            .collect();
        faults.dedup();
        assert_eq!(faults, Vec::<String>::new(), "{}", faults.join("\n"));
    }

    #[test]
    fn the_first_page_of_the_help_fits_a_small_terminal() {
        let start = Cli::shown().render_long_help().to_string();
        let lines: Vec<&str> = start.lines().collect();
        assert!(lines.len() <= 24, "{} lines\n{start}", lines.len());
        for line in lines {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn each_command_is_in_one_group_which_says_what_it_does() {
        let cli = Cli::command();
        let all = cli.get_subcommands().map(clap::Command::get_name);
        let mut all: Vec<&str> = all.filter(|name| *name != "help").collect();
        let grouped = help::GROUPS.iter().flat_map(|group| group.commands);
        let mut grouped: Vec<&str> = grouped.copied().collect();
        all.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(all, grouped);
        for group in help::GROUPS {
            assert!(!all.contains(&group.name), "{} is a command", group.name);
            let page = Cli::page(group.name).expect("a group");
            for name in group.commands {
                let starts = format!("  {name} ");
                let mut lines = page.lines();
                let about = lines.find_map(|line| line.strip_prefix(&starts));
                assert!(about.is_some_and(|about| about.len() > 5), "{name}: {page}");
            }
            assert!(page.lines().all(|line| line.len() <= 80), "{page}");
        }
    }

    #[test]
    fn options_of_every_command_are_on_a_page_of_their_own() {
        let options = Cli::page("options").expect("a page");
        let mut cli = Cli::shown();
        cli.build();
        for option in ["--url", "--data", "--json", "--trust-chain"] {
            assert!(options.contains(option), "{option}");
            let mut commands = cli.get_subcommands_mut();
            // A node has some of the same names.
            while let Some(command) = commands.find(|one| one.get_name() != "node") {
                let help = command.render_long_help().to_string();
                let mut lines = help.lines();
                let has = lines.any(|line| line.trim_start().starts_with(option));
                assert!(!has, "{} explains {option}", command.get_name());
            }
        }
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
