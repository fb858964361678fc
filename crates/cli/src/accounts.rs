//! Signers.

use std::fs;
use std::path::Path;

use connect4_client::{Address, Signer, development_name};
use connect4_rules::variant::Colour;

use crate::args::Signing;
use crate::failure::Failure;

/// Environment variable that may hold the signer's secret.
const SECRET: &str = "CONNECT4_SECRET";

/// The signer whose secret is in a file.
pub fn from_file(path: &Path) -> Result<Signer, Failure> {
    let secret = fs::read_to_string(path).map_err(|error| {
        Failure::Usage(format!(
            "cannot read the secret from {}: {error}",
            path.display()
        ))
    })?;
    Signer::from_secret(&secret)
        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))
}

/// The signer whose secret is in an environment variable, if it is set.
pub fn from_environment(name: &str) -> Result<Option<Signer>, Failure> {
    let Some(secret) = std::env::var_os(name).filter(|secret| !secret.is_empty()) else {
        return Ok(None);
    };
    secret
        .to_str()
        .ok_or_else(|| Failure::Usage(format!("{name} is not valid text")))
        .and_then(|secret| {
            Signer::from_secret(secret).map_err(|error| Failure::Usage(format!("{name}: {error}")))
        })
        .map(Some)
}

pub fn development(name: &str) -> Result<Signer, Failure> {
    Signer::development(name).ok_or_else(|| {
        Failure::Usage(format!(
            "`{name}` is not a development account: use alice, bob, charlie, dave, eve or ferdie; \
             the secret of another account is read from --secret-file or {SECRET}"
        ))
    })
}

/// The development account that plays a colour unless another is named: alice, bob, charlie, dave.
pub fn of_colour(colour: Colour) -> Result<Signer, Failure> {
    development(match colour {
        Colour::Red => "alice",
        Colour::Blue => "bob",
        Colour::Green => "charlie",
        Colour::Yellow => "dave",
    })
}

/// The signer that the command line names; else this account, if it is a development account.
pub fn signer_or(signing: &Signing, default: Option<Address>) -> Result<Signer, Failure> {
    match signer(signing)? {
        Some(signer) => Ok(signer),
        None => known(default).ok_or_else(unnamed),
    }
}

/// The signer that the command line names, else alice.
pub fn signer_or_alice(signing: &Signing) -> Result<Signer, Failure> {
    match signer(signing)? {
        Some(signer) => Ok(signer),
        None => development("alice"),
    }
}

/// The signer of an address, if it is a development account's.
pub fn known(address: Option<Address>) -> Option<Signer> {
    address
        .and_then(development_name)
        .and_then(Signer::development)
}

/// Error if the command line names no signer and no default fits.
pub fn unnamed() -> Failure {
    Failure::Usage(format!(
        "which account signs? Give --account, --secret-file or {SECRET}"
    ))
}

/// The signer that the command line or the environment names; none if neither does.
pub fn signer(signing: &Signing) -> Result<Option<Signer>, Failure> {
    if let Some(path) = &signing.secret_file {
        return from_file(path).map(Some);
    }
    if let Some(name) = &signing.account {
        return development(name).map(Some);
    }
    of_environment()
}

/// The signer whose secret is in `CONNECT4_SECRET`, if it is set.
pub fn of_environment() -> Result<Option<Signer>, Failure> {
    from_environment(SECRET)
}
