//! Players as the command line and the environment name them.

use std::path::Path;

use connect4_client::{Address, Named, Signer};
use connect4_rules::variant::Colour;

use crate::accounts;
use crate::args::Play;
use crate::failure::Failure;

/// A player as the command line names it.
pub struct Someone {
    pub address: Address,
    /// None if the secret is not given.
    pub signer: Option<Signer>,
}

impl From<Signer> for Someone {
    fn from(signer: Signer) -> Self {
        Self {
            address: signer.address(),
            signer: Some(signer),
        }
    }
}

/// The player of a colour that the command line or the environment names; none if neither does.
pub fn someone(args: &Play, colour: Colour) -> Result<Option<Someone>, Failure> {
    let variable = secret_variable(colour);
    if let Some(path) = secret_file(args, colour) {
        return Ok(Some(accounts::from_file(path)?.into()));
    }
    let named = match colour {
        Colour::Red => &args.red,
        Colour::Blue => &args.blue,
        Colour::Green => &args.green,
        Colour::Yellow => &args.yellow,
    };
    match named {
        Some(Named::Development(name)) => {
            let signer = accounts::development(name)?;
            Ok(Some(signer.into()))
        }
        Some(named) => {
            let address = named.address();
            // An address may be given in addition to the secret in the environment, as a check.
            let signer =
                accounts::from_environment(&variable)?.filter(|signer| signer.address() == address);
            Ok(Some(Someone { address, signer }))
        }
        None => Ok(accounts::from_environment(&variable)?.map(Someone::from)),
    }
}

/// The error for a player whose moves can't be signed here.
pub fn needs_secret(colour: Colour) -> Failure {
    Failure::Usage(format!(
        "playing {colour} here needs the secret of its account: give --{colour}-secret-file, or {} \
         in the environment",
        secret_variable(colour)
    ))
}

/// The files with the players' secrets that the command line names.
pub fn secret_files(args: &Play) -> impl Iterator<Item = (Colour, &Path)> {
    let files = |colour| Some((colour, secret_file(args, colour)?));
    Colour::ALL.into_iter().filter_map(files)
}

fn secret_file(args: &Play, colour: Colour) -> Option<&Path> {
    let path = match colour {
        Colour::Red => &args.red_secret_file,
        Colour::Blue => &args.blue_secret_file,
        Colour::Green => &args.green_secret_file,
        Colour::Yellow => &args.yellow_secret_file,
    };
    path.as_deref()
}

/// Environment variable that may hold the secret of a player.
fn secret_variable(colour: Colour) -> String {
    format!("CONNECT4_{}_SECRET", colour.name().to_ascii_uppercase())
}
