//! The place of the chain that a command works on.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::args::Global;
use crate::failure::Failure;

#[derive(Clone, Debug)]
pub enum Place {
    /// A node at this address.
    Url(String),
    /// The local chain in this folder.
    Folder(PathBuf),
    /// A local chain in memory.
    Memory,
}

impl Place {
    /// The place that the command line names, else the environment, else the default folder.
    pub fn of(global: &Global, memory: bool) -> Result<Self, Failure> {
        if memory {
            Ok(Self::Memory)
        } else if let Some(url) = &global.url {
            Ok(Self::Url(url.clone()))
        } else if let Some(folder) = &global.data {
            Ok(Self::Folder(folder.clone()))
        } else if let Some(url) = variable("CONNECT4_URL") {
            match url.into_string() {
                Ok(url) => Ok(Self::Url(url)),
                Err(_) => Err(Failure::Usage("CONNECT4_URL is not valid text".into())),
            }
        } else {
            Self::folder(global)
        }
    }

    /// The folder of the local chain, even if the environment names another chain.
    pub fn folder(global: &Global) -> Result<Self, Failure> {
        global
            .data
            .clone()
            .or_else(|| variable("CONNECT4_DATA").map(PathBuf::from))
            .or_else(default_folder)
            .map(Self::Folder)
            .ok_or_else(|| {
                Failure::Usage(
                    "there is no home folder to keep the chain in: name a folder with --data, or \
                     use --url"
                        .into(),
                )
            })
    }

    /// The folder for what belongs to this machine and not to a chain, beside the local chain, also
    /// for chains elsewhere; none if nothing of the chain outlives this program.
    pub fn own_folder(&self, global: &Global) -> Option<PathBuf> {
        match self {
            Self::Memory => None,
            Self::Folder(folder) => Some(folder.clone()),
            Self::Url(_) => match Self::folder(global) {
                Ok(Self::Folder(folder)) => Some(folder),
                _ => None,
            },
        }
    }

    /// The folder of the index of past events: beside the local chain, also for chains elsewhere. None
    /// if there is to be none, or nothing of the chain outlives this program.
    pub fn index(&self, global: &Global) -> Option<PathBuf> {
        if global.no_index {
            return None;
        }
        Some(self.own_folder(global)?.join("index"))
    }

    /// Options by which another command reaches the same chain, with a space in front; empty if it
    /// does so without options.
    pub fn options(&self) -> String {
        match self {
            Self::Url(url) => format!(" --url {url}"),
            Self::Folder(path) if default_folder().as_ref() == Some(path) => String::new(),
            Self::Folder(path) => format!(" --data '{}'", path.display()),
            Self::Memory => String::new(),
        }
    }
}

/// An environment variable, unless it is empty.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn default_folder() -> Option<PathBuf> {
    variable("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".local/share")))
        .map(|data| data.join("connect4"))
}
