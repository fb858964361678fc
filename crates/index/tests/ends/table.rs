//! A chain on which ends of signed games are recorded, and an index of it.

use connect4_client::{Address, Signer};
use connect4_index::{Filter, GameRow, Index, League, Options, Outcome, Subject, Uncounted};
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::SessionKey;
use connect4_protocol::signed::message::{Contradict, Record};
use connect4_protocol::signed::{
    Chain, Ending, Finished, Group, RecordedEnd, Telling, Terms, Testimony, WitnessedEnd,
};
use connect4_rules::{ByPlayer, Shape};
use connect4_testing::games;
use connect4_testing::keys::session_key;
use connect4_testing::signed::{SignedPlay, list_of, told};
use tempfile::TempDir;

use crate::common::{World, assert_equal, dump, standings};

pub const DAY: u64 = 24 * 60 * 60;
/// The pool of the games: the standard one without the pie rule.
pub const LEAGUE: League = League::Witnessed(1);

/// Seven drops, the last of which completes a column of player one.
pub fn column() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

/// The key of a witness: the first one is counted.
pub fn witness(number: u64) -> SessionKey {
    session_key(900 + number)
}

/// A chain, and an index of it that is built step by step.
pub struct Table {
    pub world: World,
    folder: TempDir,
    pub index: Index,
}

fn options(witnesses: &[SessionKey]) -> Options {
    Options {
        witnesses: Some(witnesses.iter().map(SessionKey::address).collect()),
        ..Options::default()
    }
}

impl Table {
    pub async fn new() -> Self {
        let world = World::new().await;
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite:{}", folder.path().join("step.db").display());
        let index = Index::open(&url, world.subject(), options(&[witness(0)])).await;
        Self {
            world,
            folder,
            index: index.unwrap(),
        }
    }

    /// From now on the index is one whose operator has named this contract as that of the variants.
    pub async fn name_variants(&mut self, variants: Address) {
        let url = format!("sqlite:{}", self.folder.path().join("named.db").display());
        let subject = Subject::new(&self.world.contract, Some(variants));
        let index = Index::open(&url, subject, options(&[witness(0)])).await;
        self.index = index.unwrap();
        assert!(self.index.catch_up().await.unwrap());
    }

    pub fn chain(&self) -> Chain {
        self.world.client.signing_chain().unwrap()
    }

    pub fn now(&self) -> u64 {
        self.world.born
    }

    /// A game of two guests, who are the same for the same number of a pair.
    pub fn play(&self, pair: u64, nonce: u32, by: Option<&SessionKey>) -> SignedPlay {
        self.play_on(self.chain(), pair, nonce, by)
    }

    pub fn play_on(
        &self,
        chain: Chain,
        pair: u64,
        nonce: u32,
        by: Option<&SessionKey>,
    ) -> SignedPlay {
        let keys = ByPlayer {
            one: session_key(2 * pair),
            two: session_key(2 * pair + 1),
        };
        let terms = Terms {
            players: ByPlayer::from_fn(|player| {
                connect4_protocol::signed::Party::Guest(keys.get(player).address())
            }),
            witness: by.map(SessionKey::address),
            clock: Some(ClockSpec::USUAL),
            pool: 1,
            time: self.now(),
            nonce,
            ..Terms::on(Shape::STANDARD)
        };
        SignedPlay::on(chain, terms, keys)
    }

    /// The same game, with terms that were made at this time.
    pub fn dated(&self, play: &SignedPlay, time: u64) -> SignedPlay {
        let terms = Terms {
            time,
            ..play.signed.terms
        };
        SignedPlay::on(play.chain, terms, play.keys.clone())
    }

    /// Player one wins, at this time by the word of the witness in seconds.
    pub fn won(&self, play: &SignedPlay, by: &SessionKey, at: u64) -> Finished {
        play.finished(&column(), Ending::Board, by, 1000 * at)
    }

    /// Records games of one witness by one call.
    pub async fn record(&self, games: &[Finished], by: &SessionKey) {
        self.record_on(self.chain(), games, by).await;
    }

    pub async fn record_on(&self, chain: Chain, games: &[Finished], by: &SessionKey) {
        let witness = games[0].terms.witness;
        let group = Group {
            genesis: chain.genesis,
            witness,
            event: games[0].terms.event,
            list: witness.map(|_| list_of(games, chain, by).1),
        };
        let games = games.iter().map(|game| RecordedEnd::of(game, true));
        let games = games.collect::<Option<_>>().unwrap();
        let payer: &Signer = &self.world.people[3];
        let sent = self.world.contract.send(payer, Record { group, games });
        sent.await.unwrap();
    }

    /// Shows that a witness has ended a game twice.
    pub async fn contradict(&self, play: &SignedPlay, by: &SessionKey) {
        let said = |at| Testimony {
            told: told(play, &column(), at, Telling::Ended(WitnessedEnd::Board), by),
            list: Vec::new(),
        };
        let at = 1000 * self.now();
        let message = Contradict {
            genesis: self.chain().genesis,
            terms: play.signed.terms,
            one: said(at),
            other: said(at + 7),
        };
        let sent = self.world.contract.send(&self.world.people[2], message);
        sent.await.unwrap();
    }

    async fn read(&self) {
        assert!(self.index.catch_up().await.unwrap());
    }

    /// The index is equal, row for row, to one that is built at once.
    pub async fn check(&self) {
        self.read().await;
        let step = format!("sqlite:{}", self.folder.path().join("step.db").display());
        let _ = std::fs::remove_file(self.folder.path().join("once.db"));
        let once = format!("sqlite:{}", self.folder.path().join("once.db").display());
        let keys = self.index.witnesses().await.unwrap();
        let all = Options {
            witnesses: Some(keys),
            ..Options::default()
        };
        let built = Index::open(&once, self.world.subject(), all).await.unwrap();
        assert!(built.catch_up().await.unwrap());
        let counted = standings(&built).await;
        let rows = dump(&step).await;
        assert_equal(&rows, &dump(&once).await, "step by step, and at once");
        let accounts = rows.iter().filter(|row| row.starts_with("accounts: "));
        assert_eq!(accounts.cloned().collect::<Vec<_>>(), counted);
        built.close().await;
        for name in ["once.db", "once.db-wal", "once.db-shm", "once.db.lock"] {
            let _ = std::fs::remove_file(self.folder.path().join(name));
        }
    }

    pub async fn game(&self, play: &SignedPlay) -> Option<GameRow> {
        self.index.game(play.number).await.unwrap()
    }

    /// Why a recorded game counts for nothing.
    pub async fn uncounted(&self, play: &SignedPlay) -> Option<Uncounted> {
        let game = self.game(play).await.expect("it is recorded");
        let by_terms = game.by_terms.unwrap();
        let seat = Filter {
            account: Some(game.players[0]),
            outcome: Some(Outcome::Won),
            ..Filter::default()
        };
        let won = self.index.history(seat, None, 99).await.unwrap().games;
        let is_won = won.iter().any(|row| row.game == game.game);
        assert_eq!(is_won, by_terms.uncounted.is_none());
        by_terms.uncounted
    }

    /// Wins, rated games and the rating, rounded, of player one of a pair.
    pub async fn standing(&self, play: &SignedPlay) -> Option<(u32, u32, i64)> {
        let account = play.signed.terms.players.one.account();
        let profile = self.index.profile(account).await.unwrap();
        let mut standings = profile.standings.into_iter();
        let (_, standing, _) = standings.find(|(league, ..)| *league == LEAGUE)?;
        #[allow(clippy::cast_possible_truncation, reason = "ratings are small")]
        Some((
            standing.wins,
            standing.rated,
            standing.rating.round() as i64,
        ))
    }
}
