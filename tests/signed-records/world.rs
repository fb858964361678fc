//! The contract of the records on a local chain, and games whose players and witness sign.

use connect4_chain::Report;
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::SessionKey;
use connect4_protocol::signed::event::GameRecorded;
use connect4_protocol::signed::message::{Contradict, Record};
use connect4_protocol::signed::{
    Chain, Contradiction, Ending, Finished, Group, RecordedEnd, RecordsError, RecordsEvent, Terms,
    Testimony,
};
use connect4_rules::{ByPlayer, Shape};
use connect4_testing::Account::{Bob, Charlie};
use connect4_testing::games;
use connect4_testing::keys::{Wallet, session_key};
use connect4_testing::signed::{SignedPlay, list_of, local_chain};
use connect4_testing::world::SignedRecords;

connect4_testing::world!(SignedRecords);

/// Key of the witness of most games.
pub fn witness() -> SessionKey {
    session_key(5)
}

/// Seven drops; player one completes a column with the last.
pub fn line() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

impl World {
    pub fn chain(&self) -> Chain {
        local_chain(&self.local)
    }

    /// Terms of a game that the witness keeps, of nobody.
    pub fn terms(&self) -> Terms {
        Terms {
            clock: Some(ClockSpec {
                bank: 180,
                increment: 2,
            }),
            witness: Some(witness().address()),
            pie_rule: true,
            pool: 2,
            time: self.now(),
            ..Terms::on(Shape::STANDARD)
        }
    }

    /// When games end, in milliseconds.
    pub fn at(&self) -> u64 {
        (self.now() + 90) * 1_000 + 7
    }

    /// A game of two guests; each number has others.
    pub fn guests(&self, number: u64) -> SignedPlay {
        self.of_guests(self.terms(), number)
    }

    pub fn of_guests(&self, terms: Terms, number: u64) -> SignedPlay {
        let guests = ByPlayer::from_fn(|_| Wallet::Guest);
        SignedPlay::by_wallets(self.chain(), terms, 1_000 + number, &guests)
    }

    /// A game of an account of Ethereum and one of Substrate.
    pub fn wallets(&self, number: u64) -> SignedPlay {
        let wallets = ByPlayer {
            one: Wallet::Ethereum(session_key(99)),
            two: Wallet::Substrate(Bob),
        };
        SignedPlay::by_wallets(self.chain(), self.terms(), 2_000 + number, &wallets)
    }

    pub fn ended(&self, play: &SignedPlay, bins: &[u8], ending: Ending) -> Finished {
        play.finished(bins, ending, &witness(), self.at())
    }

    /// What games with the terms of this one have in common.
    pub fn group(&self, terms: &Terms) -> Group {
        Group {
            genesis: self.chain().genesis,
            witness: terms.witness,
            event: terms.event,
            list: None,
        }
    }

    /// Records games, each with its own signature of the witness.
    pub fn record(&self, games: &[Finished]) -> Result<Vec<GameRecorded>, RecordsError> {
        let group = self.group(&games[0].terms);
        self.send(
            group,
            games.iter().map(|game| packed(game, false)).collect(),
        )
    }

    /// Records games by one list of their witness.
    pub fn record_listed(&self, games: &[Finished]) -> Result<Vec<GameRecorded>, RecordsError> {
        let (_, list) = list_of(games, self.chain(), &witness());
        let group = Group {
            list: Some(list),
            ..self.group(&games[0].terms)
        };
        self.send(group, games.iter().map(|game| packed(game, true)).collect())
    }

    pub fn send(
        &self,
        group: Group,
        games: Vec<RecordedEnd>,
    ) -> Result<Vec<GameRecorded>, RecordsError> {
        let sent = games.len();
        let (count, report): (u32, _) = self.tries(Charlie, 0, Record { group, games })?;
        assert_eq!(count as usize, sent);
        let recorded = self.events(&report).into_iter().map(|event| match event {
            RecordsEvent::GameRecorded(recorded) => recorded,
            RecordsEvent::WitnessContradicted(_) => panic!("{event:?}"),
        });
        Ok(recorded.collect())
    }

    pub fn contradict(
        &self,
        play: &SignedPlay,
        one: Testimony,
        other: Testimony,
    ) -> Result<(Contradiction, Report), RecordsError> {
        let message = Contradict {
            genesis: play.chain.genesis,
            terms: play.signed.terms,
            one,
            other,
        };
        self.tries(Charlie, 0, message)
    }
}

/// A game as the contract takes it.
pub fn packed(game: &Finished, is_listed: bool) -> RecordedEnd {
    RecordedEnd::of(game, is_listed).expect("its sessions are there")
}
