//! The relay that is used.

use std::path::{Path, PathBuf};

use connect4_client::signed::rooms_at;

/// In the data folder: the URL of the relay that a program on this machine serves.
const FILE: &str = "relay.url";

/// The URL of the relay: the one that is named, else the one of a program on this machine; none if
/// there is none.
pub fn url(named: Option<&str>, folder: Option<&Path>) -> Option<String> {
    if let Some(url) = named {
        return Some(rooms_at(url));
    }
    let url = std::fs::read_to_string(folder?.join(FILE)).ok()?;
    let url = url.trim();
    (!url.is_empty()).then(|| rooms_at(url))
}

/// Tells other programs on this machine of a relay, until this is dropped.
pub struct Announced(Option<PathBuf>);

impl Announced {
    /// Tells of the relay with this URL to those who use this folder. If that fails, they need its
    /// URL.
    pub fn at(url: &str, folder: Option<&Path>) -> Self {
        let path = folder.map(|folder| folder.join(FILE));
        Self(path.filter(|path| std::fs::write(path, url).is_ok()))
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relay_is_named_in_each_form() {
        for (named, url_of) in [
            ("ws://127.0.0.1:1/", "ws://127.0.0.1:1"),
            ("http://host:4444", "ws://host:4444"),
            ("https://host", "wss://host"),
            ("host:4444", "ws://host:4444"),
        ] {
            let found = url(Some(named), None);
            assert_eq!(found.as_deref(), Some(url_of));
        }
    }

    #[test]
    fn without_a_name_it_is_the_one_of_this_machine() {
        let folder = tempfile::TempDir::new().unwrap();
        assert_eq!(url(None, Some(folder.path())), None);
        std::fs::write(folder.path().join(FILE), "http://127.0.0.1:4444\n").unwrap();
        let found = url(None, Some(folder.path()));
        assert_eq!(found.as_deref(), Some("ws://127.0.0.1:4444"));
        let announced = Announced::at("ws://127.0.0.1:1", Some(folder.path()));
        let found = url(None, Some(folder.path()));
        assert_eq!(found.as_deref(), Some("ws://127.0.0.1:1"));
        drop(announced);
        assert_eq!(url(None, Some(folder.path())), None);
    }
}
