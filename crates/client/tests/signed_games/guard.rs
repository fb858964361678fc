//! Guards of games with a stake.

use std::fs;

use codec::{Decode, Encode as _};
use connect4_client::signed::{
    Carrier, Command, GameName, GuardedGames, Stage, StakedGuardNews, StakedPost, View,
};
use connect4_protocol::signed::Evidence;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::staked_room::{FromStakedRoom, ToStakedRoom};
use connect4_protocol::signed::{GameNumber, Native, Terms};
use connect4_rules::Player;
use connect4_seat::Journal;
use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite;

use super::{LONG, Person, Staked, WON, account, play};

type News = mpsc::Receiver<(GameNumber, StakedGuardNews)>;

impl Person {
    /// The only record.
    fn record(&self) -> GameName {
        let names = self.games().names().unwrap();
        assert_eq!(names.len(), 1);
        names[0]
    }

    fn terms(&self) -> Terms {
        let kept = self.games().peek(self.record()).unwrap();
        kept.record.terms.unwrap()
    }

    fn held(&self) -> Evidence {
        let kept = self.games().peek(self.record()).unwrap();
        kept.record.journal.position
    }
}

impl Staked {
    /// A guard of the game, by an account that does not play.
    fn post(&self) -> StakedPost {
        let terms = self.people[0].terms();
        StakedPost::at(self.stakes.clone(), account("charlie"), terms).unwrap()
    }
}

fn begin(post: StakedPost) -> News {
    let (tells, news) = mpsc::channel(64);
    tokio::spawn(post.run(tells));
    news
}

/// Waits for what is told, and passes over all else.
async fn told(news: &mut News, mut wanted: impl FnMut(&StakedGuardNews) -> bool) {
    loop {
        let told = timeout(LONG, news.recv()).await.expect("it is told");
        let (_, told) = told.expect("it guards");
        if wanted(&told) {
            return;
        }
    }
}

/// A relay that refuses whoever comes first, as if it were full, and then tells what a player is said to have told.
async fn full_at_first(told: Evidence) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut is_full = true;
        while let Ok((socket, _)) = listener.accept().await {
            let mut socket = tokio_tungstenite::accept_async(socket).await.unwrap();
            let nonce = [3; 32];
            let mut says = vec![FromStakedRoom::Welcome { nonce }];
            if is_full {
                says.push(FromStakedRoom::Refused(Refusal::Full));
                is_full = false;
            }
            for message in says {
                let frame = tungstenite::Message::Binary(message.encode().into());
                let _ = socket.send(frame).await;
            }
            while let Some(Ok(frame)) = socket.next().await {
                let heard = frame.into_data();
                if let Ok(ToStakedRoom::Enter { .. }) = ToStakedRoom::decode(&mut &heard[..]) {
                    let position = FromStakedRoom::Position {
                        by: Player::One,
                        evidence: told,
                    };
                    let frame = tungstenite::Message::Binary(position.encode().into());
                    let _ = socket.send(frame).await;
                }
            }
        }
    });
    url
}

/// A guard that was refused once never heard of the game again, and said nothing of it.
#[tokio::test]
async fn a_guard_that_was_refused_by_the_relay_comes_again() {
    let mut staked = Staked::new(Carrier::pair().map(Some)).await;
    play(&mut staked.players, &WON[..4]).await;
    let url = full_at_first(staked.people[0].held()).await;
    let mut news = begin(staked.post().with_relay(Some(&url)));
    let is_refused = |news: &StakedGuardNews| matches!(news, StakedGuardNews::NoRoom(_));
    told(&mut news, is_refused).await;
    let holds = |news: &StakedGuardNews| matches!(news, StakedGuardNews::Holds(3..));
    told(&mut news, holds).await;
}

/// Where relay and guard were one program, as at `serve`, its restart lost all that the players had signed: an opponent
/// could bring an older position then.
#[tokio::test]
async fn a_guard_that_was_killed_holds_what_it_had_heard() {
    let mut staked = Staked::new(Carrier::pair().map(Some)).await;
    play(&mut staked.players, &WON[..4]).await;
    let folder = TempDir::new().unwrap();
    let kept = GuardedGames::in_folder(folder.path());
    let holds = |news: &StakedGuardNews| matches!(news, StakedGuardNews::Holds(3..));
    let url = full_at_first(staked.people[0].held()).await;
    let first = staked.post().with_relay(Some(&url));
    let mut news = begin(first.with_kept(kept.clone()));
    told(&mut news, holds).await;
    drop(news);

    let domain = staked.stakes.domain();
    let terms = staked.people[0].terms();
    assert_eq!(
        kept.terms(&domain),
        [terms],
        "it is found without the chain"
    );
    let mut news = begin(staked.post().with_kept(kept.clone()));
    told(&mut news, holds).await;
    staked.players[0].command(Command::Resign).await.unwrap();
    told(&mut news, |news| matches!(news, StakedGuardNews::Over)).await;
    assert_eq!(kept.terms(&domain), [], "nothing is kept of what is over");
}

#[tokio::test]
async fn a_guard_takes_nothing_from_a_file_that_was_damaged_and_says_what_it_cannot_write() {
    let staked = Staked::new(Carrier::pair().map(Some)).await;
    let folder = TempDir::new().unwrap();
    let kept = GuardedGames::in_folder(folder.path());
    let (terms, domain) = (staked.people[0].terms(), staked.stakes.domain());
    let number = terms.number(&domain, &Native);
    kept.keep(number, &terms, &Journal::default()).unwrap();
    let file = fs::read_dir(folder.path().join("guarded")).unwrap().next();
    let file = file.unwrap().unwrap().path();
    let mut bytes = fs::read(&file).unwrap();
    bytes[20] ^= 1;
    fs::write(&file, &bytes).unwrap();
    assert_eq!(kept.held(number), None);
    assert_eq!(kept.terms(&domain), []);

    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let mut news = begin(staked.post().with_kept(kept));
    let is_not_kept = |news: &StakedGuardNews| matches!(news, StakedGuardNews::NotKept(_));
    told(&mut news, is_not_kept).await;
}

/// A game ends in a block that is replaced: its guard had left by then.
#[tokio::test]
async fn a_guard_stays_until_the_end_of_the_game_is_final() {
    let mut staked = Staked::new(Carrier::pair().map(Some)).await;
    play(&mut staked.players, &WON[..4]).await;
    staked.ground.chain.stall_finality().unwrap();
    let record = (staked.people[1].games(), staked.people[1].record());
    let mut news = begin(staked.post().with_record(record.0, record.1));
    told(&mut news, |news| matches!(news, StakedGuardNews::Holds(_))).await;
    // It reads what is kept as it comes.
    play(&mut staked.players, &WON[4..6]).await;
    told(&mut news, |news| {
        matches!(news, StakedGuardNews::Holds(5..))
    })
    .await;
    staked.players[0].command(Command::Resign).await.unwrap();
    staked
        .until(1, |view| view.shown.stage == Stage::Over)
        .await;
    // The guard sees these blocks as the player does.
    for _ in 0..5 {
        let seen = staked.players[1].view().block.unwrap().time;
        staked.wait(6);
        let is_later = |view: &View| view.block.is_some_and(|block| block.time > seen);
        staked.until(1, is_later).await;
    }
    while let Some(Some((_, told))) = news.recv().now_or_never() {
        assert!(!matches!(told, StakedGuardNews::Over), "it can be replaced");
    }
    staked.ground.chain.resume_finality().unwrap();
    told(&mut news, |news| matches!(news, StakedGuardNews::Over)).await;
}

/// A guard would come to each game for which a stranger has paid, who names its account as the opponent: one address has few
/// sockets at a relay.
#[tokio::test]
async fn a_game_is_there_to_be_guarded_once_both_have_paid() {
    let staked = Staked::new([None, None]).await;
    let last = staked.ground.chain.best().1.number;
    let mut begun = Vec::new();
    for number in 0..=last {
        begun.extend(staked.stakes.begun_in(number).await.unwrap());
    }
    assert_eq!(begun, [staked.people[0].terms()]);
}
