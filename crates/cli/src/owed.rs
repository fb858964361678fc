//! What accounts are owed on the contract of the matches, told to who has them.

use connect4_client::{
    Address, Contracts, DEVELOPMENT, Error, GameId, Owed, Owing, Signer, development_name,
};

use crate::accounts;
use crate::args::Signing;
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::said::{OwedTo, Said};
use crate::session::Session;

/// Accounts that a command acts for: the signer that the command line or the environment names; else
/// the development accounts, which need no secret.
pub struct Ours {
    addresses: Vec<Address>,
    /// Options by which another command has the same signer; none for development accounts, whose
    /// names tell it.
    signing: Option<String>,
}

impl Ours {
    /// The accounts that the command line names.
    pub fn of(signing: &Signing) -> Result<Self, Failure> {
        let Some(signer) = accounts::signer(signing)? else {
            return Ok(Self {
                addresses: development(),
                signing: None,
            });
        };
        let options = match (&signing.secret_file, signer.development_name()) {
            (Some(path), _) => Some(format!(" --secret-file '{}'", path.display())),
            (None, Some(_)) => None,
            // The environment names it to the next command, too.
            (None, None) => Some(String::new()),
        };
        Ok(Self {
            addresses: vec![signer.address()],
            signing: options,
        })
    }

    /// These accounts; without any, the development accounts.
    pub fn these(addresses: Vec<Address>) -> Self {
        Self {
            addresses: match addresses.is_empty() {
                true => development(),
                false => addresses,
            },
            signing: None,
        }
    }

    /// What they are owed, counted from now on.
    pub fn owing<'a>(&self, contract: &'a Contracts) -> Owing<'a> {
        Owing::new(contract, self.addresses.iter().copied())
    }

    pub async fn tell(
        &self,
        owing: Owing<'_>,
        session: &Session,
        contract: &Contracts,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let reach = lookup::reach(session, contract);
        for owed in owing.read().await? {
            let signing = match &self.signing {
                Some(options) => options.clone(),
                None => signing_of(owed.account),
            };
            out.say(Said::Owed(&OwedTo {
                owed: &owed,
                command: command(&signing, &reach),
            }))?;
        }
        Ok(())
    }

    /// The same failure, after it was told what they are owed if it is that the game is not there: its
    /// storage may have been freed.
    pub async fn unless_there<T>(
        &self,
        found: Result<T, Failure>,
        session: &Session,
        contract: &Contracts,
        out: &mut Output,
    ) -> Result<T, Failure> {
        if let Err(Failure::Refused(_)) = &found {
            self.tell(self.owing(contract), session, contract, out)
                .await?;
        }
        found
    }
}

fn development() -> Vec<Address> {
    let signers = DEVELOPMENT.into_iter().filter_map(Signer::development);
    signers.map(|signer| signer.address()).collect()
}

/// Options by which a command has this account as its signer.
fn signing_of(account: Address) -> String {
    match development_name(account) {
        Some(name) => format!(" --account {name}"),
        None => " --secret-file <FILE>".into(),
    }
}

/// The command that pays an account what it is owed.
fn command(signing: &str, reach: &str) -> String {
    format!("connect4 withdraw{signing}{reach}")
}

/// What this account is owed, as it is reported.
pub fn to<'a>(owed: &'a Owed, session: &Session, contract: &Contracts) -> OwedTo<'a> {
    OwedTo {
        owed,
        command: command(&signing_of(owed.account), &lookup::reach(session, contract)),
    }
}

/// What the players of a game are owed, counting the game.
pub async fn players(
    contract: &Contracts,
    id: GameId,
    game: &connect4_protocol::Game,
) -> Result<Vec<Owed>, Error> {
    let accounts = connect4_rules::Player::ALL.map(|player| game.account_of(player));
    let mut owing = Owing::new(contract, accounts);
    owing.count(id, game).await?;
    owing.read().await
}
