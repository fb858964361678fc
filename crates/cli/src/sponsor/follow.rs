//! A relay that is followed.

use std::time::Duration;

use connect4_client::signed::Feed;
use connect4_protocol::signed::Chain;
use connect4_protocol::signed::feed::{FromFeed, Origin};
use connect4_rules::ByPlayer;
use connect4_wire::words::now;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::records::Checked;

/// Pause before a relay is asked again, at first and at most.
const RETRY: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// Pause before a relay is asked again that has shown games that are none, or is for another chain.
const AVOID: Duration = Duration::from_secs(600);
/// Games that are none, on one connection, before it is left.
const FORGED: u32 = 20;
/// Time for each message, at least: what a relay sends faster waits there.
const EACH: Duration = Duration::from_millis(2);

/// What has become of a relay.
#[derive(Debug)]
pub enum Heard {
    Connected,
    /// An ended game, which the contract would take.
    Game {
        run: u64,
        origins: ByPlayer<Origin>,
        checked: Box<Checked>,
    },
    /// All games were sent that it keeps.
    Complete,
    /// Games have ended that it keeps no more.
    Missed,
    /// It is left for a while, for this reason.
    Left(String),
}

/// Follows a relay for ever; ends if nobody listens.
pub async fn follow(relay: u16, url: String, chain: Chain, heard: mpsc::Sender<(u16, Heard)>) {
    let [first, most] = RETRY;
    let mut pause = first;
    // The run of the relay, and the last game of it that came.
    let mut last = (0, 0);
    loop {
        let left = visit(relay, &url, chain, &heard, &mut last, &mut pause).await;
        let Some((why, at_least)) = left else {
            return;
        };
        if heard.send((relay, Heard::Left(why))).await.is_err() {
            return;
        }
        sleep(pause.max(at_least)).await;
        pause = (2 * pause).min(most);
    }
}

/// Follows a relay until it is left; says why, and how long to wait at least. None if nobody listens.
async fn visit(
    relay: u16,
    url: &str,
    chain: Chain,
    heard: &mpsc::Sender<(u16, Heard)>,
    last: &mut (u64, u64),
    pause: &mut Duration,
) -> Option<(String, Duration)> {
    let mut feed = match Feed::enter(url).await {
        Ok(feed) => feed,
        Err(error) => return Some((error.to_string(), Duration::ZERO)),
    };
    if feed.chain() != chain {
        return Some(("its games are for another chain".into(), AVOID));
    }
    if last.0 != feed.run() {
        *last = (feed.run(), 0);
    }
    if let Err(error) = feed.follow(last.1).await {
        return Some((error.to_string(), Duration::ZERO));
    }
    heard.send((relay, Heard::Connected)).await.ok()?;
    let mut forged = 0;
    let mut has_missed = false;
    loop {
        let next = feed.next().await;
        sleep(EACH).await;
        let news = match next {
            Ok(FromFeed::Finished {
                id,
                origins,
                finished,
            }) => {
                last.1 = id;
                match Checked::witnessed(finished, chain, now()) {
                    Ok(Some(checked)) => Heard::Game {
                        run: last.0,
                        origins,
                        checked: Box::new(checked),
                    },
                    // It was valid: players can sign terms of any time.
                    Ok(None) => continue,
                    Err(_) => {
                        forged += 1;
                        if forged < FORGED {
                            continue;
                        }
                        return Some(("it shows games that are none".into(), AVOID));
                    }
                }
            }
            Ok(FromFeed::Complete) => Heard::Complete,
            // It is told once.
            Ok(FromFeed::Missed) if !has_missed => {
                has_missed = true;
                Heard::Missed
            }
            Ok(_) => continue,
            Err(error) => return Some((error.to_string(), Duration::ZERO)),
        };
        *pause = RETRY[0];
        heard.send((relay, news)).await.ok()?;
    }
}
