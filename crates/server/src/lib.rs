//! The page's server: Connect Four in a browser.
//!
//! The program that serves opens the chain, see [`Connect`], and says who signs, see [`Config`];
//! [`Server`] does the rest. [`connect4_wire`] is the JSON that the page gets and sends. The page itself is
//! in `web/`.
//!
//! Open `server` first, which puts the parts together, then `routes` for a request and `room` for what
//! pages watch. Most files use only those before them:
//!
//! | file | job |
//! |---|---|
//! | `error` | why a server can't start, or go on |
//! | `pulse`, `link` | the connection to the chain, and another one when it is lost |
//! | `keys`, `signers` | which keys open which accounts, who signs for them |
//! | `refusal`, `guard` | why a request is refused; what is refused of any request |
//! | `relay`, `elsewhere` | the relay of signed games, a part of the server or by itself; the rooms of one elsewhere |
//! | `view` | what is shown of a game |
//! | `seats` | which seats computers play |
//! | `not_found` | games that are not in the contract: why there is none, or what was read of freed ones |
//! | `portrait`, `pictures` | games as pictures show them, drawn once for all who ask |
//! | `record`, `past`, `watched_game`, `lobby` | reading games of all kinds from the chain |
//! | `text` | messages of sockets, as texts that are made once for all who are told |
//! | `room`, `feed` | a game or the lobby, followed for everybody who watches it |
//! | `side`, `computers` | computers that play |
//! | `indexing` | the index of games and accounts, filled while the page is served |
//! | `app`, `extract`, `routes` | what requests share, what they contain, their handlers |
//! | `played` | what the games are played with, put together |
//! | `files`, `page` | the files of the page, and how they are written elsewhere |
//! | `open` | what a public host tells browsers of every answer |
//! | `host` | what it takes to run a public host: limits, metrics, health, log |
//! | `server` | putting all of it together |

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod app;
#[cfg(test)]
mod codes;
// For `build.rs`.
#[cfg(test)]
mod compact;
mod computers;
mod counting;
mod elsewhere;
mod error;
mod extract;
mod feed;
mod files;
mod guard;
mod host;
mod indexing;
mod keys;
mod link;
mod lobby;
mod not_found;
mod open;
mod page;
mod past;
mod pictures;
mod played;
mod portrait;
mod pulse;
mod record;
mod refusal;
mod relay;
mod room;
mod routes;
mod seats;
mod server;
mod side;
mod signers;
mod text;
mod view;
mod watched_game;
mod witness;

pub use error::Error;
pub use host::{HostLimits, LogFormat, is_origin};
pub use indexing::IndexPlace;
pub use keys::{Keys, KeysError};
pub use link::{Connect, Connection};
pub use page::{WriteError, Written, write_page};
pub use relay::{RelayConfig, RelayServer};
pub use server::{Beside, Config, Operation, Public, Server};
pub use witness::{WitnessFolder, WitnessLog, Witnessed};
