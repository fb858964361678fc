//! Fast games that are played or watched through this server: the program signs for its accounts, keeps
//! what it signed, and talks with a relay.
//!
//! | file | job |
//! |---|---|
//! | `state` | what is known of a fast game on top of the chain |
//! | `seat` | a seat that is played here |
//! | `watcher` | a game that is only watched here |
//! | `tables` | all of them |
//! | `reopening` | seats that have ended with the connection to the chain or the program, and are needed |

mod reopening;
mod seat;
mod state;
mod tables;
mod watcher;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use connect4_client::fast::Keyring;

pub use reopening::Reopening;
pub use seat::Act;
pub use state::{Known, State};
pub use tables::FastTables;

/// The session keys in the data folder, which other programs there use as well.
pub fn keyring(folder: &Path) -> Keyring {
    Keyring::in_folder(folder.join("fast"))
}

/// URL of the rooms of a server that listens here.
pub fn own_relay(addr: SocketAddr) -> String {
    let host = match addr.ip() {
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    format!("ws://{}", SocketAddr::new(host, addr.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rooms_of_a_server_are_reached_from_its_own_machine() {
        let own = |addr: &str| own_relay(addr.parse().unwrap());
        assert_eq!(own("0.0.0.0:4444"), "ws://127.0.0.1:4444");
        assert_eq!(own("192.0.2.1:4444"), "ws://192.0.2.1:4444");
    }
}
