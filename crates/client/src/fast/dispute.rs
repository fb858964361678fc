//! The dispute of a game by signed terms: what a player's program does on the chain in it.

use std::time::Duration;

use connect4_protocol::fast::{
    Evidence, FastGame, Native, PackedSigned, PlayedGame, RecordedGame, Results, SignedTerms,
};
use connect4_protocol::message::{Advance, Record, StartSigned};
use connect4_protocol::{Error as Refusal, GameId};
use connect4_seat::{Duty, Keep, Seat};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{Instant, sleep};

use super::clocks::machine;
use super::duty::was_done;
use crate::accounts::account::Signer;
use crate::contracts::action::Action;
use crate::contracts::deployed::Contracts;
use crate::contracts::performed::Performed;
use crate::contracts::receipt::Receipt;
use crate::error::Error;
use crate::task::Task;

/// Pause before the chain is read or told something again after an error.
const AGAIN: Duration = Duration::from_secs(2);

/// What has happened on the chain.
#[derive(Debug)]
pub enum DisputeNews {
    /// The game on the chain has changed.
    Changed,
    /// What was due was sent.
    Done(Duty, Box<Receipt<Performed>>),
    /// The dispute has ended otherwise than this player can show, which was recorded.
    Recorded(Evidence, Box<Receipt<Performed>>),
    /// The chain could not be read or told, which is tried again.
    NotDone(Error),
}

/// What is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Duty(Duty),
    Record(Evidence),
}

/// The game in the newest final block, and the chain's time, in seconds since 1970.
type View = (Option<FastGame>, u64);

type Told = (Due, Result<Receipt<Performed>, Error>);

/// What is waited for.
#[expect(clippy::large_enum_variant, reason = "one lives at a time")]
pub(super) enum Happened {
    Seen(Result<View, Error>),
    Told(Told),
}

/// The dispute of a game by signed terms, and who pays for what is sent.
///
/// The game is seen as it is in final blocks: a move on top of it is signed once, whatever block is replaced.
#[derive(Debug)]
pub(super) struct Dispute {
    id: GameId,
    contracts: Contracts,
    payer: Signer,
    terms: SignedTerms,
    views: mpsc::Receiver<Result<View, Error>>,
    task: AbortHandle,
    telling: Option<JoinHandle<Told>>,
    not_before: Instant,
    /// What is due, and since when.
    due: Option<(Due, Instant)>,
    is_seen: bool,
    /// What this player has recorded.
    recorded: Results,
}

impl Drop for Dispute {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Dispute {
    /// Starts the game on the chain by its terms, or finds the one that they have started.
    pub(super) async fn open(
        contracts: &Contracts,
        payer: Signer,
        terms: &SignedTerms,
    ) -> Result<Self, Error> {
        let domain = contracts.domain()?;
        let number = terms.terms.number(&domain, &Native);
        let id = match contracts.dispute_of(number).await? {
            Some(id) => id,
            None => {
                let start = StartSigned {
                    fast: domain.contract,
                    signed: PackedSigned::from(terms),
                };
                match contracts.send(&payer, start).await {
                    Ok(receipt) => receipt.value,
                    // Somebody else was faster.
                    Err(error) if error.refusal() == Some(Refusal::TermsUsed) => {
                        contracts.dispute_of(number).await?.ok_or(error)?
                    }
                    Err(error) => return Err(error),
                }
            }
        };
        let (sender, views) = mpsc::channel(1);
        let task = tokio::spawn(follow(contracts.clone(), id, sender));
        Ok(Self {
            id,
            contracts: contracts.clone(),
            payer,
            terms: *terms,
            views,
            task: task.abort_handle(),
            telling: None,
            not_before: Instant::now(),
            due: None,
            is_seen: false,
            recorded: Results::default(),
        })
    }

    /// The game on the chain.
    pub(super) const fn id(&self) -> GameId {
        self.id
    }

    /// Begins to send what is due. It continues if nobody waits for it.
    pub(super) fn begin<K: Keep>(&mut self, seat: &Seat<K>) {
        if self.telling.is_some() || !self.is_seen || Instant::now() < self.not_before {
            return;
        }
        let due = match seat.chain().is_final() {
            true => {
                let mut results = self.recorded;
                results.add(&seat.piece_on_chain());
                seat.to_record(&results).map(Due::Record)
            }
            false => {
                // The chain has the game as long as it has no end: a player who has lost says so, too.
                let end = || seat.settlement().map(Duty::Advance);
                seat.duty().or_else(end).map(Due::Duty)
            }
        };
        let Some(due) = due else {
            self.due = None;
            return;
        };
        let since = match &self.due {
            Some((known, since)) if *known == due => *since,
            _ => Instant::now(),
        };
        self.due = Some((due, since));
        let patience = match &due {
            Due::Duty(duty) => seat.patience(duty),
            Due::Record(_) => 0,
        };
        if since.elapsed() >= Duration::from_secs(patience.into()) {
            self.tell(due);
        }
    }

    /// Brings evidence, such as a signed press. It is not waited for.
    pub(super) fn bring(&mut self, evidence: Evidence) {
        if self.telling.is_none() {
            self.tell(Due::Duty(Duty::Advance(evidence)));
        }
    }

    fn tell(&mut self, due: Due) {
        let (contracts, payer, game) = (self.contracts.clone(), self.payer.clone(), self.id);
        let terms = self.terms;
        self.telling = Some(tokio::spawn(async move {
            (due, send(&contracts, &payer, game, &terms, &due).await)
        }));
    }

    /// What happens next. If the wait is given up, nothing is lost.
    pub(super) async fn next(&mut self) -> Happened {
        let told = async {
            match &mut self.telling {
                Some(telling) => telling.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            told = told => match told {
                Ok(told) => {
                    self.telling = None;
                    Happened::Told(told)
                }
                // The task neither panics nor is cancelled, but with the program.
                Err(_) => std::future::pending().await,
            },
            Some(view) = self.views.recv() => Happened::Seen(view),
        }
    }

    /// Takes what has happened.
    pub(super) fn take<K: Keep>(
        &mut self,
        happened: Happened,
        seat: &mut Seat<K>,
    ) -> Option<DisputeNews> {
        match happened {
            Happened::Seen(Ok((Some(game), now))) if seat.subject().is_of(&game) => {
                let is_news = !self.is_seen || game != *seat.chain();
                self.is_seen = true;
                seat.see(game, now);
                seat.pass_time(machine());
                is_news.then_some(DisputeNews::Changed)
            }
            // It is not final yet, or was freed.
            Happened::Seen(Ok(_)) => None,
            Happened::Seen(Err(error)) => Some(DisputeNews::NotDone(error)),
            Happened::Told((due, told)) => {
                self.not_before = Instant::now() + AGAIN;
                match (due, told) {
                    (Due::Duty(duty), Ok(receipt)) => {
                        Some(DisputeNews::Done(duty, Box::new(receipt)))
                    }
                    (Due::Record(evidence), Ok(receipt)) => {
                        if let Ok(made) = seat.subject().game_of(&evidence) {
                            let piece = connect4_protocol::fast::Piece::of(&evidence, &made);
                            self.recorded.add(&piece);
                        }
                        Some(DisputeNews::Recorded(evidence, Box::new(receipt)))
                    }
                    (_, Err(error)) if was_done(&error) => None,
                    (_, Err(error)) => Some(DisputeNews::NotDone(error)),
                }
            }
        }
    }
}

async fn send(
    contracts: &Contracts,
    payer: &Signer,
    game: GameId,
    terms: &SignedTerms,
    due: &Due,
) -> Result<Receipt<Performed>, Error> {
    match due {
        Due::Duty(Duty::Advance(evidence)) => {
            let message = Advance {
                game: game.number(),
                press: false,
                evidence: *evidence,
            };
            contracts.send(payer, message).await
        }
        Due::Duty(Duty::Claim) => contracts.perform(payer, game, Action::ClaimTimeout).await,
        Due::Record(evidence) => {
            let played = PlayedGame {
                terms: terms.terms,
                sessions: terms.sessions,
                evidence: *evidence,
            };
            let message = Record {
                fast: contracts.domain()?.contract,
                games: RecordedGame::of(&played).into_iter().collect(),
            };
            contracts.send(payer, message).await
        }
    }
}

/// Sends the game as it is in each final block, until nobody wants it any more.
async fn follow(contracts: Contracts, id: GameId, views: mpsc::Sender<Result<View, Error>>) {
    while let Err(error) = look(&contracts, id, &views).await {
        if views.send(Err(error)).await.is_err() {
            return;
        }
        sleep(AGAIN).await;
    }
}

async fn look(
    contracts: &Contracts,
    id: GameId,
    views: &mpsc::Sender<Result<View, Error>>,
) -> Result<(), Error> {
    let client = contracts.client();
    let mut finals = client.final_heads(&Task::FollowChain).await?;
    loop {
        let game = contracts.final_game::<FastGame>(id).await?;
        let view = (game, client.time().await?);
        if views.send(Ok(view)).await.is_err() {
            return Ok(());
        }
        finals.next().await?;
    }
}
