//! The long texts of the help.

use connect4_wire::JSON_HELP;

pub const ABOUT: &str = "Connect Four, on chain";
pub const LONG_ABOUT: &str = "Connect Four, on chain.

Without a command two players play at this terminal, on a local chain that runs in this program. Every \
move is a signed transaction to a contract. The chain is stored on disk, so you can leave a game and \
resume it later. With --url you play on any other chain with pallet-revive.

Bins, rows, turns, games and blocks count from 0. In the command `move` and in variants bins and rows \
count from 1, as on the board.";

/// The text below the commands and options.
pub fn after() -> String {
    format!("{AFTER}\n\n{}", JSON_HELP.trim_end())
}

const AFTER: &str = "\
Accounts:
  The development accounts have names: alice, bob, charlie, dave, eve, ferdie. Their secrets are
  public, so use them on local chains only. The secret of another account is read from a file
  (--secret-file, or --red-secret-file and so on) or from the environment (CONNECT4_SECRET, or
  CONNECT4_RED_SECRET and so on), never from an argument.

Exit status:
    0  done
    1  failed: the chain is unreachable, an account cannot pay, ...
    2  invalid command line, or a board out of bounds
    3  refused by the contract
    4  the input ended in the middle of a game, which can be resumed
  130  interrupted by Ctrl-C; 143: terminated by a signal
  141  the reader of the output has closed it";
