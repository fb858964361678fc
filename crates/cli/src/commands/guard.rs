//! `guard`: signed games with a stake are answered for while their players are away.

use std::time::Duration;

use connect4_client::Address;

use super::guard_stakes::StakedGuards;
use crate::accounts;
use crate::args::{Global, Guard};
use crate::failure::Failure;
use crate::output::Output;
use crate::play::relay;
use crate::said::Said;
use crate::session::{Session, stakes_of};
use crate::words::who;

/// Guards games until the program is told to stop.
pub async fn guard(global: &Global, args: &Guard, out: &mut Output) -> Result<(), Failure> {
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let stakes = stakes_of(&contract).await?.ok_or_else(|| {
        Failure::Refused(
            "no contract of stakes is deployed there, so no game needs a guard: `connect4 deploy` deploys it".into(),
        )
    })?;
    let folder = session.place.own_folder(global);
    let relay = match args.no_relay {
        true => None,
        false => relay::url(args.relaying.relay.as_deref(), folder.as_deref()),
    };
    let mut accounts: Vec<Address> = args.accounts.iter().map(|named| named.address()).collect();
    if accounts.is_empty() {
        accounts.push(signer.address());
    }
    let place = match &relay {
        Some(url) => format!("the relay at {url}"),
        None => "no relay: only positions stored on this machine are submitted to the chain".into(),
    };
    let guarding = format!(
        "guarding signed games with a stake for {}; {place}; Ctrl-C ends it",
        who(accounts[0])
    );
    let guards = StakedGuards {
        stakes,
        signers: vec![signer],
        accounts,
        relay,
        folder,
        patience: Duration::ZERO,
    };
    session.endure(out);
    out.say(Said::Notice(&guarding))?;
    let mut said = guards.begin();
    while let Some(text) = out.wait_for(said.recv()).await? {
        out.say(Said::Notice(&text))?;
    }
    Ok(())
}
