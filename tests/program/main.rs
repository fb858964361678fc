//! The program as its user has it: the built binary, driven through its input and output.
//!
//! Nothing here waits for a time to pass: the tests wait for a line of output or for the end of the
//! program, up to a limit that turns a hang into a failure.
//!
//! | module | tests |
//! |---|---|
//! | `play` | `play` at one terminal: boards, questions, refused answers, series |
//! | `terminal` | the same by keys, at a terminal that is drawn in place |
//! | `resume` | interrupted games: end of input, signals, a full disk, a closed pipe |
//! | `forks` | a chain that takes back blocks in the middle of a game |
//! | `offers` | signed games whose offers are lines of text, in the room of a witness |
//! | `outages` | a node that goes away and comes back |
//! | `chains` | the chain that a command uses, and several programs on one chain |
//! | `commands` | games by single commands, watched and replayed, given up and freed |
//! | `liars` | a node that lies about its chain |
//! | `variants` | variants: at one terminal, at several, tables, single commands |
//! | `computer` | computer opponents, and the review of a game |
//! | `accounts` | secrets |
//! | `index` | the index of past events on disk |
//! | `guests` | guests at a relay: signed games, without a chain of their own |
//! | `bots` | programs that play at a relay by themselves, against each other and against hostile opponents |
//! | `records` | signed games that have ended, put on the chain by a player |
//! | `written` | games as text: exported, verified, reviewed |
//! | `texts` | signed games as text |
//! | `stakes` | signed games with a stake, in a room of a relay and by the contract |
//! | `sponsor` | signed games that have ended, put on the chain for others within a budget |
//! | `failures` | refusals and failures: exit status and message |
//! | `serve` | the page's server, seen from outside |
//! | `relay` | the relay of signed games, seen from outside |
//! | `host` | a public host, seen by strangers and by its operator |
//! | `examples` | the examples of the README and of the pages in `docs/` |
//!
//! `run` starts the program and reads its output, `board` draws the expected board.

mod accounts;
mod board;
mod bots;
mod chains;
mod commands;
mod computer;
mod examples;
mod failures;
mod forks;
mod guests;
mod host;
mod index;
mod liars;
mod offers;
mod opponents;
mod outages;
mod play;
mod puzzles;
mod records;
mod relay;
mod resume;
mod run;
mod serve;
mod sponsor;
mod stakes;
mod terminal;
mod texts;
mod variants;
mod written;
