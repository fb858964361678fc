//! `guard`: fast games, and signed games with a stake, are answered for while their players are away.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::time::Duration;

use connect4_client::fast::{Duty, GuardNews, Keyring, Post};
use connect4_client::{Address, Contracts, Error, GameId, Signer};
use connect4_protocol::fast::FastGame;
use connect4_protocol::message::ContractKind;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::fast;
use super::guard_stakes::StakedGuards;
use crate::accounts;
use crate::args::{Global, Guard};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::play::fast::relay_url;
use crate::said::Said;
use crate::session::{Session, stakes_of};
use crate::words::{cost, dim, who};

/// How many older fast games are looked at at once for those of the accounts, until all were.
const PAGE: u32 = 50;
/// Pause before the chain is followed again after it could not be read.
const AGAIN: Duration = Duration::from_secs(2);
/// How much is told ahead of who prints it.
const AHEAD: usize = 64;

/// Guards games until the program is told to stop.
pub async fn guard(global: &Global, args: &Guard, out: &mut Output) -> Result<(), Failure> {
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let folder = session.place.own_folder(global);
    let watch = Watch {
        relay: relay_url(&args.relaying, folder.as_deref()),
        keyring: fast::keyring(&session.place, global).ok(),
        contract,
        signer,
    };
    let mut games = BTreeSet::new();
    for game in &args.games {
        let id = lookup::classic(*game, "only fast games can be guarded; name one such as f3")?;
        games.insert(id);
    }
    let mut accounts: Vec<Address> = args.accounts.iter().map(|named| named.address()).collect();
    if accounts.is_empty() {
        accounts.push(watch.signer.address());
    }
    // Games that are named are fast ones.
    let stakes = match games.is_empty() {
        true => stakes_of(&watch.contract).await?,
        false => None,
    };
    let mut staked = stakes.map(|stakes| {
        let guards = StakedGuards {
            stakes,
            signer: watch.signer.clone(),
            accounts: accounts.clone(),
            relay: watch.relay.clone(),
            folder: folder.clone(),
        };
        guards.begin()
    });
    let mut search = games.is_empty().then(|| Search::new(accounts.clone()));
    session.endure(out);
    let (sender, mut news) = mpsc::channel(AHEAD);
    let mut guarded = Guarded::default();
    let mut heads = out.wait_for(watch.contract.client().heads()).await??;
    let place = match &watch.relay {
        Some(url) => format!("the relay at {url}"),
        None => "no relay: only positions stored on this machine are submitted to the chain".into(),
    };
    out.say(Said::Notice(&format!(
        "guarding fast games, and signed games with a stake, for {}; {place}; Ctrl-C ends it",
        who(accounts[0])
    )))?;
    loop {
        if let Some(search) = &mut search {
            let found = out.wait_for(search.go_on(&watch, &mut games)).await?;
            if let Err(error) = found {
                guarded.not_read(out, None, &error)?;
                sleep(AGAIN).await;
            }
        }
        guarded.forget_ended();
        for id in games.clone() {
            if guarded.posts.contains_key(&id) {
                continue;
            }
            match out.wait_for(watch.post(id)).await? {
                Ok(Guarding::Post(post)) => {
                    out.say(Said::Notice(&format!("guarding game {id}")))?;
                    let post = tokio::spawn(post.run(sender.clone()));
                    guarded.posts.insert(id, post);
                }
                Ok(Guarding::Over { for_good }) => {
                    if for_good {
                        games.remove(&id);
                    }
                }
                Err(error) => guarded.not_read(out, Some(id), &error)?,
            }
        }
        let more = async {
            match &search {
                Some(search) if search.has_more() => {}
                _ => pending().await,
            }
        };
        let of_staked = async {
            match &mut staked {
                Some((said, _)) => match said.recv().await {
                    Some(text) => text,
                    None => pending().await,
                },
                None => pending().await,
            }
        };
        let first = async {
            tokio::select! {
                biased;
                text = of_staked => Ok(First::Said(text)),
                told = news.recv() => match told {
                    Some((id, told)) => Ok(First::Told(id, Box::new(told))),
                    None => pending().await,
                },
                head = heads.next() => head.map(|_| First::Block),
                () = more => Ok(First::Block),
            }
        };
        match out.wait_for(first).await? {
            Ok(First::Said(text)) => out.say(Said::Notice(&text))?,
            Ok(First::Told(id, told)) => guarded.tell(out, id, &told)?,
            Ok(First::Block) => {}
            Err(error) => {
                guarded.not_read(out, None, &error)?;
                sleep(AGAIN).await;
                if let Ok(again) = out.wait_for(watch.contract.client().heads()).await? {
                    heads = again;
                }
            }
        }
    }
}

/// What comes first.
enum First {
    /// Of a signed game with a stake, in words.
    Said(String),
    /// Of a fast game.
    Told(GameId, Box<GuardNews>),
    /// There is a new block, or more to look at.
    Block,
}

#[derive(Default)]
struct Guarded {
    posts: BTreeMap<GameId, JoinHandle<()>>,
    /// Why the chain could not be told or read, as it was said last of each game and of all.
    failed: BTreeMap<Option<GameId>, String>,
}

impl Guarded {
    /// Those whose guard has ended are guarded again, if they go on: the block by which one was over may
    /// have been replaced.
    fn forget_ended(&mut self) {
        self.posts.retain(|_, post| !post.is_finished());
    }

    /// Says that the chain could not be told or read, once for each reason.
    fn not_read(
        &mut self,
        out: &mut Output,
        of: Option<GameId>,
        error: &Error,
    ) -> Result<(), Failure> {
        let why = error.to_string();
        if self.failed.get(&of) == Some(&why) {
            return Ok(());
        }
        let what = match of {
            Some(id) => format!("game {id}: "),
            None => String::new(),
        };
        let text = format!("{what}cannot read the chain or send to it, retrying: {why}");
        self.failed.insert(of, why);
        out.say(Said::Notice(&text))
    }

    fn tell(&mut self, out: &mut Output, id: GameId, news: &GuardNews) -> Result<(), Failure> {
        if let GuardNews::NotDone(error) = news {
            return self.not_read(out, Some(id), error);
        }
        self.failed.clear();
        tell(out, id, news)
    }
}

/// What all guarded games have in common.
struct Watch {
    contract: Contracts,
    signer: Signer,
    relay: Option<String>,
    keyring: Option<Keyring>,
}

impl Watch {
    /// The post at a game, or whether it is over for good.
    async fn post(&self, id: GameId) -> Result<Guarding, Error> {
        let (contract, signer) = (self.contract.clone(), self.signer.clone());
        let post = Post::at(contract, id, signer, self.relay.as_deref());
        Ok(match (post.await?, &self.keyring) {
            (Some(post), Some(keyring)) => Guarding::Post(post.with_keyring(keyring.clone())),
            (Some(post), None) => Guarding::Post(post),
            (None, _) => Guarding::Over {
                // The block by which it is over may be replaced.
                for_good: self.contract.is_fast_settled(id).await?,
            },
        })
    }
}

/// What becomes of a game that is to be guarded.
#[expect(
    clippy::large_enum_variant,
    reason = "one lives at a time, and is moved to its task"
)]
enum Guarding {
    Post(Post),
    Over { for_good: bool },
}

/// The search for the games of accounts: those with a key on this machine first, then all, the newest first.
struct Search {
    accounts: Vec<Address>,
    has_read_keys: bool,
    /// The games before this one were not looked at yet; none if none were.
    older: Option<u32>,
    /// The games before this one have begun in final blocks, or were not looked at yet.
    newer: u32,
}

impl Search {
    const fn new(accounts: Vec<Address>) -> Self {
        Self {
            accounts,
            has_read_keys: false,
            older: None,
            newer: 0,
        }
    }

    /// Whether there are games that were not looked at yet.
    fn has_more(&self) -> bool {
        self.older.is_none_or(|older| older > 0)
    }

    /// Adds new games, and some older ones. What fails is looked at again the next time.
    async fn go_on(&mut self, watch: &Watch, games: &mut BTreeSet<GameId>) -> Result<(), Error> {
        let contract = &watch.contract;
        if !self.has_read_keys {
            let kept = watch.keyring.as_ref().zip(contract.domain().ok());
            let kept = kept.and_then(|(keyring, domain)| keyring.games(domain).ok());
            for number in kept.unwrap_or_default() {
                let id = GameId::of_two(number);
                self.look(contract, id, games).await?;
            }
            self.has_read_keys = true;
        }
        let settled = contract.final_game_count(ContractKind::Fast).await?;
        let older = *self.older.get_or_insert_with(|| {
            self.newer = settled;
            settled
        });
        // A fork may have another game begin in the place of one.
        for place in self.newer..contract.game_count(ContractKind::Fast).await? {
            self.look(contract, GameId::Fast(place), games).await?;
        }
        self.newer = self.newer.max(settled);
        let from = older.saturating_sub(PAGE);
        for place in (from..older).rev() {
            self.look(contract, GameId::Fast(place), games).await?;
        }
        self.older = Some(from);
        Ok(())
    }

    /// Adds a game if it goes on and one of the accounts plays it.
    async fn look(
        &self,
        contract: &Contracts,
        id: GameId,
        games: &mut BTreeSet<GameId>,
    ) -> Result<(), Error> {
        let Some(fast) = contract.game::<FastGame>(id).await? else {
            return Ok(());
        };
        let plays = |account: &Address| fast.game.player_of(account).is_some();
        if !self.accounts.iter().any(plays) {
            return Ok(());
        }
        if !fast.is_final() || !contract.is_fast_settled(id).await? {
            games.insert(id);
        }
        Ok(())
    }
}

fn tell(out: &mut Output, id: GameId, news: &GuardNews) -> Result<(), Failure> {
    let text = match news {
        GuardNews::Holds(moves) => format!("game {id}: both players have signed {moves} moves"),
        GuardNews::Done(duty, receipt) => {
            let cost = dim(cost(&receipt.transaction, receipt.deposit, out.token()));
            let done = match duty {
                Duty::Advance(evidence) if evidence.ending.is_some() => {
                    "submitted the end that both players have signed".into()
                }
                Duty::Advance(evidence) => format!(
                    "submitted the {} moves that both players have signed",
                    evidence.moves.turns()
                ),
                Duty::Claim => "claimed the timeout".into(),
            };
            format!("game {id}: {done}: {cost}")
        }
        GuardNews::NotDone(error) => format!("game {id}: {error}"),
        GuardNews::Over => format!("game {id} is over"),
    };
    out.say(Said::Notice(&text))
}
