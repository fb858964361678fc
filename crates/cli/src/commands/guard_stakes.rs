//! `guard`: signed games with a stake.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use connect4_client::fast::Keyring;
use connect4_client::signed::{Call, GameName, Record, SignedGames, StakedGuardNews, StakedPost};
use connect4_client::{Address, Error, Signer, Stakes, Token};
use connect4_protocol::signed::{GameNumber, StakedGame, Terms};
use connect4_wire::words::now;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::words::{cost, dim};

/// How many blocks are looked at for payments before those on this machine are looked at again.
const AT_ONCE: u32 = 100;
/// Pause before the chain is looked at again: after a block, and after it could not be read.
const AGAIN: Duration = Duration::from_secs(2);
/// How much is told ahead of who prints it.
const AHEAD: usize = 64;

/// The guards of signed games with a stake of some accounts.
pub struct StakedGuards {
    pub stakes: Stakes,
    pub signer: Signer,
    pub accounts: Vec<Address>,
    pub relay: Option<String>,
    /// The folder beside the local chain, where the records of accounts are; none if there is none.
    pub folder: Option<PathBuf>,
}

/// What is said of a guarded game.
pub type Told = (GameNumber, StakedGuardNews);

impl StakedGuards {
    /// Guards the games from now on, until nobody listens any more. What is told first is which games are guarded.
    pub fn begin(self) -> (mpsc::Receiver<String>, JoinHandle<()>) {
        let (says, said) = mpsc::channel(AHEAD);
        (said, tokio::spawn(self.run(says)))
    }

    async fn run(self, says: mpsc::Sender<String>) {
        let (tells, mut told) = mpsc::channel(AHEAD);
        let token = self.stakes.client().token().clone();
        let talking = async {
            let mut failed = BTreeMap::new();
            while let Some((game, news)) = told.recv().await {
                let Some(text) = in_words(&news, &token) else {
                    continue;
                };
                // It is tried again and again.
                let is_known = failed.get(&game) == Some(&text);
                if matches!(news, StakedGuardNews::NotDone(_)) {
                    failed.insert(game, text.clone());
                }
                if !is_known && says.send(format!("game {game}: {text}")).await.is_err() {
                    return;
                }
            }
        };
        let mut search = Search {
            guards: &self,
            known: BTreeSet::new(),
            posts: Vec::new(),
            next: None,
        };
        tokio::select! {
            () = talking => {}
            () = search.run(&tells, &says) => {}
        }
        for post in search.posts {
            post.abort();
        }
    }

    /// The records of games with a stake of the accounts on this machine that go on.
    fn records(&self) -> Vec<(SignedGames, GameName, Record)> {
        let Some(folder) = &self.folder else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for account in &self.accounts {
            let folder = folder.join("accounts").join(account.to_string());
            if fs::metadata(&folder).is_err() {
                continue;
            }
            let games = SignedGames::beside(&Keyring::in_folder(folder));
            for name in games.names().unwrap_or_default() {
                if let Ok(kept) = games.peek(name)
                    && kept.is_open(now())
                {
                    found.push((games.clone(), name, kept.record));
                }
            }
        }
        found
    }

    /// A guard of a game by these terms, if its stake is held by this contract and one of the accounts plays.
    fn post(&self, terms: &Terms) -> Option<StakedPost> {
        let players = [terms.players.one, terms.players.two];
        let plays = players
            .iter()
            .any(|party| self.accounts.contains(&party.account()));
        if terms.stake == 0 || !plays {
            return None;
        }
        let post = StakedPost::at(self.stakes.clone(), self.signer.clone(), *terms).ok()?;
        Some(post.with_relay(self.relay.as_deref()))
    }
}

/// The search for games: on this machine, and by the payments in blocks.
struct Search<'a> {
    guards: &'a StakedGuards,
    known: BTreeSet<GameNumber>,
    posts: Vec<JoinHandle<()>>,
    /// Number of the next block that is looked at; none before the first one.
    next: Option<u32>,
}

impl Search<'_> {
    async fn run(&mut self, tells: &mpsc::Sender<Told>, says: &mpsc::Sender<String>) {
        loop {
            let domain = self.guards.stakes.domain();
            for (games, name, record) in self.guards.records() {
                let terms = record.terms.filter(|_| record.offer.domain == domain);
                let post = terms.and_then(|terms| self.guards.post(&terms));
                if let Some(post) = post {
                    self.add(post.with_record(games, name), tells, says).await;
                }
            }
            if let Err(error) = self.look(tells, says).await
                && says
                    .send(format!("cannot read the chain, retrying: {error}"))
                    .await
                    .is_err()
            {
                return;
            }
            if says.is_closed() {
                return;
            }
            sleep(AGAIN).await;
        }
    }

    /// Looks at the next blocks.
    async fn look(
        &mut self,
        tells: &mpsc::Sender<Told>,
        says: &mpsc::Sender<String>,
    ) -> Result<(), Error> {
        let client = self.guards.stakes.client();
        let last = client.final_height().await?;
        let next = match self.next {
            Some(next) => next,
            None => {
                // Games of the last two days: the second payment comes within one.
                let block = client
                    .block_time()
                    .await
                    .map_or(6, |time| time.as_secs().max(1));
                let seconds = u64::from(StakedGame::FUNDED).saturating_mul(2);
                let blocks = u32::try_from(seconds.div_ceil(block)).unwrap_or(u32::MAX);
                last.saturating_sub(blocks)
            }
        };
        self.next = Some(next);
        for number in next..=last.min(next.saturating_add(AT_ONCE)) {
            for terms in self.guards.stakes.paid_in(number).await? {
                if let Some(post) = self.guards.post(&terms) {
                    self.add(post, tells, says).await;
                }
            }
            self.next = Some(number.saturating_add(1));
        }
        Ok(())
    }

    async fn add(
        &mut self,
        post: StakedPost,
        tells: &mpsc::Sender<Told>,
        says: &mpsc::Sender<String>,
    ) {
        let game = post.game();
        if !self.known.insert(game) {
            return;
        }
        let _ = says.send(format!("guarding game {game}")).await;
        self.posts.retain(|post| !post.is_finished());
        self.posts.push(tokio::spawn(post.run(tells.clone())));
    }
}

/// What has happened, in words; none if it does not matter to people.
fn in_words(news: &StakedGuardNews, token: &Token) -> Option<String> {
    Some(match news {
        StakedGuardNews::Holds(moves) => format!("both players have signed {moves} moves"),
        StakedGuardNews::Done(done) => {
            let (call, receipt) = &**done;
            let what = match call {
                Call::Advance { evidence, .. } if evidence.end.is_some() => {
                    "submitted the end that both players have signed".into()
                }
                Call::Advance { evidence, .. } => format!(
                    "submitted the {} moves that both players have signed",
                    evidence.moves.turns()
                ),
                Call::Claim => "claimed the timeout".into(),
                // A guard does nothing else.
                _ => return None,
            };
            let cost = dim(cost(&receipt.transaction, receipt.deposit, token));
            format!("{what}: {cost}")
        }
        StakedGuardNews::NotDone(error) => {
            format!("cannot read the chain or send to it, retrying: {error}")
        }
        StakedGuardNews::Over => "over".into(),
    })
}
