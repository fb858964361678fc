//! `guard`: fast games are answered for, while their players are away.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::time::Duration;

use connect4_client::fast::{Duty, GuardNews, Keyring, Post};
use connect4_client::{Address, Contract, Error, GameId, Signer};
use connect4_protocol::fast::FIRST;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::fast;
use crate::accounts;
use crate::args::{Global, Guard};
use crate::attend::attend;
use crate::failure::Failure;
use crate::lookup;
use crate::play::Screen;
use crate::play::fast::relay_url;
use crate::report::Printed;
use crate::session::Session;
use crate::words::{cost, dim, who};

/// How many of the newest fast games are looked at for those of the accounts.
const NEWEST: u32 = 200;
/// Pause before the chain is followed again after it could not be read.
const AGAIN: Duration = Duration::from_secs(2);
/// How much is told ahead of who prints it.
const AHEAD: usize = 64;

/// Guards games until the program is told to stop.
pub async fn guard(global: &Global, args: &Guard, screen: &mut dyn Screen) -> Result<(), Failure> {
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, screen).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let folder = session.place.own_folder(global);
    let watch = Watch {
        relay: relay_url(&args.relaying, folder.as_deref()),
        keyring: fast::keyring(&session.place, global).ok(),
        contract,
        signer,
    };
    let mut numbers = BTreeSet::new();
    for game in &args.games {
        let number = lookup::classic(*game, "only fast games are guarded, as f3")?;
        numbers.insert(number);
    }
    let named = !numbers.is_empty();
    let mut accounts: Vec<Address> = args.accounts.iter().map(|named| named.address()).collect();
    if accounts.is_empty() {
        accounts.push(watch.signer.address());
    }
    session.endure(screen);
    let (sender, mut news) = mpsc::channel(AHEAD);
    let mut guarded = Guarded::default();
    let mut heads = attend(screen, watch.contract.client().heads()).await??;
    let place = match &watch.relay {
        Some(url) => format!("the relay at {url}"),
        None => "no relay: only what is kept on this machine is brought to the chain".into(),
    };
    screen.notice(&format!(
        "guarding fast games for {}; {place}; Ctrl-C ends it",
        who(accounts[0])
    ))?;
    loop {
        if !named {
            match attend(screen, watch.games_of(&accounts)).await? {
                Ok(found) => numbers = found,
                Err(error) => guarded.not_read(screen, None, &error)?,
            }
        }
        guarded.forget_ended();
        for number in &numbers {
            if guarded.posts.contains_key(number) {
                continue;
            }
            match attend(screen, watch.post(*number)).await? {
                Ok(Some(post)) => {
                    screen.notice(&format!("guarding game {}", GameId::Classic(*number)))?;
                    let post = tokio::spawn(post.run(sender.clone()));
                    guarded.posts.insert(*number, post);
                }
                // It is over.
                Ok(None) => {}
                Err(error) => guarded.not_read(screen, Some(*number), &error)?,
            }
        }
        let first = async {
            tokio::select! {
                told = news.recv() => match told {
                    Some(told) => Ok(Some(told)),
                    None => pending().await,
                },
                head = heads.next() => head.map(|_| None),
            }
        };
        match attend(screen, first).await? {
            Ok(Some((number, told))) => guarded.tell(screen, number, &told)?,
            Ok(None) => {}
            Err(error) => {
                guarded.not_read(screen, None, &error)?;
                sleep(AGAIN).await;
                if let Ok(again) = attend(screen, watch.contract.client().heads()).await? {
                    heads = again;
                }
            }
        }
    }
}

/// The games that are guarded now.
#[derive(Default)]
struct Guarded {
    posts: BTreeMap<u32, JoinHandle<()>>,
    /// Why the chain could not be told or read, as it was said last of each game and of all.
    failed: BTreeMap<Option<u32>, String>,
}

impl Guarded {
    /// Those whose guard has ended are guarded again, if they go on: the block by which one was over may
    /// have been replaced.
    fn forget_ended(&mut self) {
        self.posts.retain(|_, post| !post.is_finished());
    }

    /// Says that the chain could not be told or read, once for each reason.
    fn not_read(&mut self, screen: &mut dyn Screen, of: Option<u32>, error: &Error) -> Printed {
        let why = error.to_string();
        if self.failed.get(&of) == Some(&why) {
            return Ok(());
        }
        let what = match of {
            Some(number) => format!("game {}: ", GameId::Classic(number)),
            None => String::new(),
        };
        let text =
            format!("{what}the chain could not be told or read, which is tried again: {why}");
        self.failed.insert(of, why);
        screen.notice(&text)
    }

    fn tell(&mut self, screen: &mut dyn Screen, number: u32, news: &GuardNews) -> Printed {
        if let GuardNews::NotDone(error) = news {
            return self.not_read(screen, Some(number), error);
        }
        self.failed.clear();
        tell(screen, number, news)
    }
}

/// What all guarded games have in common.
struct Watch {
    contract: Contract,
    signer: Signer,
    relay: Option<String>,
    keyring: Option<Keyring>,
}

impl Watch {
    /// The newest games of these accounts that go on.
    async fn games_of(&self, accounts: &[Address]) -> Result<BTreeSet<u32>, Error> {
        let count = self.contract.fast_game_count().await?;
        let mut found = BTreeSet::new();
        for place in count.saturating_sub(NEWEST)..count {
            let number = FIRST.saturating_add(place);
            let Some(fast) = self.contract.fast_game(number).await? else {
                continue;
            };
            let plays = |account: &Address| fast.game.player_of(account).is_some();
            if !fast.is_final() && accounts.iter().any(plays) {
                found.insert(number);
            }
        }
        Ok(found)
    }

    /// The post at a game; none if it is over.
    async fn post(&self, number: u32) -> Result<Option<Post>, Error> {
        let (contract, signer) = (self.contract.clone(), self.signer.clone());
        let post = Post::at(contract, number, signer, self.relay.as_deref());
        Ok(post.await?.map(|post| match &self.keyring {
            Some(keyring) => post.with_keyring(keyring.clone()),
            None => post,
        }))
    }
}

fn tell(screen: &mut dyn Screen, number: u32, news: &GuardNews) -> Printed {
    let id = GameId::Classic(number);
    let text = match news {
        GuardNews::Holds(moves) => format!("game {id}: both have signed {moves} moves"),
        GuardNews::Done(duty, receipt) => {
            let cost = dim(cost(&receipt.transaction, receipt.deposit, &screen.token()));
            let done = match duty {
                Duty::Advance(evidence) if evidence.ending.is_some() => {
                    "told the chain of the end that both have signed".into()
                }
                Duty::Advance(evidence) => format!(
                    "answered on the chain by the {} moves that both have signed",
                    evidence.moves.turns()
                ),
                Duty::Claim => "claimed the timeout".into(),
            };
            format!("game {id}: {done}: {cost}")
        }
        GuardNews::NotDone(error) => format!("game {id}: {error}"),
        GuardNews::Over => format!("game {id} is over"),
    };
    screen.notice(&text)
}
