//! What commands for fast games have in common.

use connect4_client::fast::{Agreement, FastPlayer, Keyring};
use connect4_client::{Address, Contracts, GameId, Signer};

use crate::args::{Global, Relaying};
use crate::failure::Failure;
use crate::place::Place;
use crate::play::fast::{Table, Whereabouts, relay_url};

/// The session keys of this machine, which are for games on any chain.
pub fn keyring(place: &Place, global: &Global) -> Result<Keyring, Failure> {
    let folder = place.own_folder(global).ok_or_else(|| {
        Failure::Usage(
            "fast games need a folder to store signatures: leave out --tmp, or name \
             one with --data"
                .into(),
        )
    })?;
    Ok(Keyring::in_folder(folder.join("fast")))
}

/// The address of a new session key for a player who agrees to this game. It is kept when this returns.
pub fn new_key(keyring: &Keyring, agreement: Agreement) -> Result<Address, Failure> {
    let key = keyring.create(agreement);
    key.map(|key| key.address())
        .map_err(|error| Failure::Other(error.to_string()))
}

/// A table for the seat of an account in a fast game.
pub async fn table(
    place: &Place,
    global: &Global,
    contract: Contracts,
    id: GameId,
    signer: Signer,
    relaying: &Relaying,
) -> Result<Table, Failure> {
    let keyring = keyring(place, global)?;
    let folder = place.own_folder(global);
    let at = Whereabouts {
        relay: relay_url(relaying, folder.as_deref()),
        option: relay_option(relaying),
        keyring,
    };
    let relay = at.relay.as_deref();
    let player = FastPlayer::sit(&contract, id, signer, &at.keyring, relay).await?;
    Ok(Table::new(contract, player, at))
}

/// The option by which another program uses the same relay, with a space in front.
pub fn relay_option(relaying: &Relaying) -> String {
    match (&relaying.relay, relaying.no_relay) {
        (Some(url), _) => format!(" --relay {url}"),
        (None, true) => " --no-relay".into(),
        (None, false) => String::new(),
    }
}
