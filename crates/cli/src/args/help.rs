//! The long texts of the help.

use super::json;

/// One line about the program.
pub const ABOUT: &str = "Connect Four, on chain";
/// Some lines about the program.
pub const LONG_ABOUT: &str = "Connect Four, on chain.

Without a command it plays: two players at one terminal, on a chain that runs in this program. Every \
move is a signed transaction to a contract. The chain is kept on disk, so you can leave a game and \
resume it later. With --url you play in the same way on any other chain with pallet-revive.

Bins, rows, turns, games and blocks count from 0; in moves of variants bins and rows count from 1, as \
on their boards.";

/// The text below the commands and options.
pub fn after() -> String {
    format!("{AFTER}\n\n{}", json::text())
}

const AFTER: &str = "\
Accounts:
  The development accounts go by name: alice, bob, charlie, dave, eve, ferdie. Everybody knows their
  secrets, so they are for local chains. Another account's secret is read from a file
  (--secret-file, or --red-secret-file and so on) or from the environment (CONNECT4_SECRET, or
  CONNECT4_RED_SECRET and so on), never from an argument.

Exit status:
    0  done
    1  something failed: the chain could not be reached, an account could not pay, ...
    2  the command line does not make sense, or a board is out of bounds
    3  the contract refused
    4  the input ended in the middle of a game, which can be resumed
  130  left with Ctrl-C; 143: told to end
  141  nobody reads the output any more";
