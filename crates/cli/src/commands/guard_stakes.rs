//! `guard`: signed games with a stake.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use connect4_client::signed::{
    Call, GameName, GuardedGames, Keyring, Record, SignedGames, StakedGuardNews, StakedPost,
};
use connect4_client::{Address, Error, Signer, Stakes, Token};
use connect4_protocol::signed::{GameNumber, Native, Party, StakedGame, Terms};
use connect4_wire::words::now;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::words::{cost, dim};

/// How many blocks are looked at for payments before those on this machine are looked at again.
const AT_ONCE: u32 = 100;
/// Pause before the chain is looked at again: after a block, and after it could not be read.
const AGAIN: Duration = Duration::from_secs(2);
/// Games that are guarded at the same time, at most: each looks at every block.
const MOST_GUARDED: usize = 256;
/// How much is told ahead of who prints it.
const AHEAD: usize = 64;

/// The guards of signed games with a stake of some accounts.
pub struct StakedGuards {
    pub stakes: Stakes,
    /// Of these the one that has most pays for what is done in a game.
    pub signers: Vec<Signer>,
    pub accounts: Vec<Address>,
    pub relay: Option<String>,
    /// The folder beside the local chain, where the records of accounts are, and what guards hold; none if there is none.
    pub folder: Option<PathBuf>,
    /// For how long the players' own programs are left to do what has to be done.
    pub patience: Duration,
}

/// What is said of a guarded game.
pub type Told = (GameNumber, StakedGuardNews);

impl StakedGuards {
    /// Guards the games from now on, until nobody listens any more. What is told first is which games are guarded.
    pub fn begin(self) -> mpsc::Receiver<String> {
        let (says, said) = mpsc::channel(AHEAD);
        tokio::spawn(self.run(says));
        said
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
                if matches!(
                    news,
                    StakedGuardNews::NotDone(_)
                        | StakedGuardNews::NoRoom(_)
                        | StakedGuardNews::NotKept(_)
                ) {
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
            waiting: BTreeMap::new(),
            posts: JoinSet::new(),
            blocks: None,
            failed: None,
        };
        tokio::select! {
            () = talking => {}
            () = search.run(&tells, &says) => {}
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

    /// Whether a game by these terms is guarded: it has a stake, and one of the accounts plays.
    fn are_for(&self, terms: &Terms) -> bool {
        let players = [terms.players.one, terms.players.two];
        let plays = |party: Party| self.accounts.contains(&party.account());
        terms.stake > 0 && players.into_iter().any(plays)
    }

    /// A guard of a game by these terms; none if they are for no contract of this kind.
    async fn post(&self, terms: &Terms) -> Option<StakedPost> {
        let payer = self.payer().await?;
        let post = StakedPost::at(self.stakes.clone(), payer, *terms).ok()?;
        let post = post.with_patience(self.patience);
        let post = post.with_relay(self.relay.as_deref());
        Some(match self.kept() {
            Some(kept) => post.with_kept(kept),
            None => post,
        })
    }

    fn kept(&self) -> Option<GuardedGames> {
        self.folder.as_deref().map(GuardedGames::in_folder)
    }

    /// The account that has most now: others may be empty, or be emptied by anybody who knows their secret.
    async fn payer(&self) -> Option<Signer> {
        let (first, others) = self.signers.split_first()?;
        let client = self.stakes.client();
        let has = async |signer: &Signer| client.balance(&signer.account()).await.unwrap_or(0);
        let mut richest = first;
        if !others.is_empty() {
            let mut most = has(first).await;
            for signer in others {
                let balance = has(signer).await;
                if balance > most {
                    (richest, most) = (signer, balance);
                }
            }
        }
        Some(richest.clone())
    }
}

/// The search for games: on this machine, and by the payments in blocks.
struct Search<'a> {
    guards: &'a StakedGuards,
    known: BTreeSet<GameNumber>,
    /// Games for which there was no room.
    waiting: BTreeMap<GameNumber, (Terms, Option<(SignedGames, GameName)>)>,
    /// The guards at work, which end with the search.
    posts: JoinSet<()>,
    /// The blocks that are looked at; none before the first one.
    blocks: Option<Blocks>,
    /// Why the chain could not be read, as it was said last; none if it could be.
    failed: Option<String>,
}

/// Blocks that are looked at, by their numbers: each new one as it comes, and then those before, the newest first. A game that
/// begins now does not wait until those of two days are looked at.
#[derive(Debug)]
struct Blocks {
    /// Those before it and from `older` on were looked at.
    newer: u32,
    older: u32,
    oldest: u32,
}

impl Blocks {
    /// So many blocks up to this one.
    const fn up_to(last: u32, count: u32) -> Self {
        Self {
            newer: last,
            older: last,
            oldest: last.saturating_sub(count),
        }
    }

    /// The block to look at while `last` is the last final one; none if all were looked at.
    const fn next(&self, last: u32) -> Option<u32> {
        if self.newer <= last {
            Some(self.newer)
        } else if self.older > self.oldest {
            Some(self.older.saturating_sub(1))
        } else {
            None
        }
    }

    /// A block was looked at that was [next](Self::next).
    const fn looked_at(&mut self, number: u32) {
        match number >= self.newer {
            true => self.newer = number.saturating_add(1),
            false => self.older = number,
        }
    }
}

impl Search<'_> {
    async fn run(&mut self, tells: &mpsc::Sender<Told>, says: &mpsc::Sender<String>) {
        loop {
            let domain = self.guards.stakes.domain();
            for (games, name, record) in self.guards.records() {
                let terms = record.terms.filter(|_| record.offer.domain == domain);
                if let Some(terms) = terms {
                    let record = Some((games, name));
                    self.add((terms, record), tells, says).await;
                }
            }
            // Those of which a player's record is here are read from that, too.
            let kept = self.guards.kept().filter(|_| self.blocks.is_none());
            for terms in kept.iter().flat_map(|kept| kept.terms(&domain)) {
                self.add((terms, None), tells, says).await;
            }
            while self.has_room()
                && let Some((_, game)) = self.waiting.pop_first()
            {
                self.add(game, tells, says).await;
            }
            let looked = self.look(tells, says).await;
            let failed = looked.err().map(|error| error.to_string());
            if let Some(why) = &failed
                && self.failed != failed
            {
                let text = format!("cannot read the chain, retrying: {why}");
                let _ = says.send(text).await;
            }
            self.failed = failed;
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
        if self.blocks.is_none() {
            // Games of the last two days: the second payment comes within one.
            let block = client
                .block_time()
                .await
                .map_or(6, |time| time.as_secs().max(1));
            let seconds = u64::from(StakedGame::FUNDED).saturating_mul(2);
            let count = u32::try_from(seconds.div_ceil(block)).unwrap_or(u32::MAX);
            self.blocks = Some(Blocks::up_to(last, count));
        }
        for _ in 0..AT_ONCE {
            let next = self.blocks.as_ref().and_then(|blocks| blocks.next(last));
            let Some(number) = next else {
                break;
            };
            for terms in self.guards.stakes.begun_in(number).await? {
                self.add((terms, None), tells, says).await;
            }
            if let Some(blocks) = &mut self.blocks {
                blocks.looked_at(number);
            }
        }
        Ok(())
    }

    fn has_room(&mut self) -> bool {
        while self.posts.try_join_next().is_some() {}
        self.posts.len() < MOST_GUARDED
    }

    /// Guards a game, unless it is guarded already. One for which there is no room waits until there is.
    async fn add(
        &mut self,
        game: (Terms, Option<(SignedGames, GameName)>),
        tells: &mpsc::Sender<Told>,
        says: &mpsc::Sender<String>,
    ) {
        let domain = self.guards.stakes.domain();
        let number = game.0.number(&domain, &Native);
        if !self.guards.are_for(&game.0) || self.known.contains(&number) {
            return;
        }
        if !self.has_room() {
            if self.waiting.insert(number, game).is_none() {
                let text = format!("game {number} is not guarded yet: too many are already");
                let _ = says.send(text).await;
            }
            return;
        }
        let (terms, record) = game;
        let Some(mut post) = self.guards.post(&terms).await else {
            return;
        };
        if let Some((games, name)) = record {
            post = post.with_record(games, name);
        }
        self.known.insert(number);
        self.waiting.remove(&number);
        let _ = says.send(format!("guarding game {number}")).await;
        self.posts.spawn(post.run(tells.clone()));
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
        StakedGuardNews::NoRoom(why) => {
            format!("cannot hear the players in their room at the relay, trying again: {why}")
        }
        StakedGuardNews::NotKept(why) => {
            format!(
                "cannot write what both players have signed, which is lost if this program ends: {why}"
            )
        }
        StakedGuardNews::Over => "over".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two days of blocks were looked at from the oldest one on: a game that began meanwhile was not guarded for so long.
    #[test]
    fn new_blocks_are_looked_at_first_and_then_the_newest_of_those_before() {
        let mut blocks = Blocks::up_to(100, 3);
        let mut looked = Vec::new();
        // Two new ones come meanwhile, and what can't be read is looked at again.
        for last in [100, 100, 102, 102, 102, 102, 102, 102] {
            let Some(number) = blocks.next(last) else {
                break;
            };
            assert_eq!(blocks.next(last), Some(number));
            blocks.looked_at(number);
            looked.push(number);
        }
        assert_eq!(looked, [100, 99, 101, 102, 98, 97]);
        assert_eq!(Blocks::up_to(2, 9).next(2), Some(2));
        let mut young = Blocks::up_to(0, 9);
        young.looked_at(0);
        assert_eq!(young.next(0), None);
    }
}
