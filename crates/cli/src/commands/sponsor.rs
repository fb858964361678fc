//! `record --follow`: signed games that have ended are recorded for their players, within a budget.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use connect4_client::signed::rooms_at;
use connect4_client::{Error, Landed, Receipt, Signer, Token};
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::{Chain, Finished, GameNumber};
use connect4_rules::ByPlayer;
use connect4_wire::words;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::accounts;
use crate::args::{Following, Global, Record};
use crate::calls::{List, unlisted};
use crate::failure::Failure;
use crate::output::Output;
use crate::records::{Checked, MOST_IN_CALL, number_of};
use crate::said::{Said, Sponsored};
use crate::session::Session;
use crate::sponsor::clock::Clock;
use crate::sponsor::follow::{self, Heard};
use crate::sponsor::limits::{At, Limits, Over, Payees};
use crate::sponsor::lists::Lists;
use crate::sponsor::pay::{Payer, Settled};
use crate::sponsor::queue::{Queue, Waiting};
use crate::sponsor::state::{Sending, State, StateError, Whose};

/// How long a round waits for a relay.
const ROUND: Duration = Duration::from_secs(1);
/// How long it waits after nothing could be paid for.
const REST: Duration = Duration::from_secs(10);
/// What a relay has sent ahead of who reads it.
const AHEAD: usize = 16;
/// Blocks whose events are read at most: what was recorded before is not known.
const MOST_BLOCKS: u32 = 3000;

impl From<StateError> for Failure {
    fn from(error: StateError) -> Self {
        Self::Other(error.to_string())
    }
}

/// Records games until the program is told to stop; with `--once`, those that are kept now.
pub async fn sponsor(global: &Global, args: &Record, out: &mut Output) -> Result<(), Failure> {
    let signer = accounts::signer(&args.signing)?.ok_or_else(|| {
        Failure::Usage(
            "name the account that pays, with --secret-file, --account or CONNECT4_SECRET".into(),
        )
    })?;
    if signer.is_ethereum() {
        return Err(Failure::Usage(
            "an Ethereum account cannot sponsor games: its transactions do not expire, so that after a crash it \
             would not be known whether one can still be paid. Use an account of the chain itself"
                .into(),
        ));
    }
    let following = &args.following;
    let urls: Vec<String> = args.relays.iter().map(|url| rooms_at(url)).collect();
    if urls.is_empty() && !following.summary {
        return Err(Failure::Usage(
            "name the relay whose games are recorded, with --relay or CONNECT4_RELAY".into(),
        ));
    }
    if let Some(twice) = urls
        .iter()
        .find(|url| urls.iter().filter(|it| it == url).count() > 1)
    {
        return Err(Failure::Usage(format!("the relay {twice} is named twice")));
    }
    let session = Session::open(global, false, out).await?;
    let token = session.client.token().clone();
    let (limits, reserve) = limits(following, urls.len(), &token)?;
    let folder = folder(following, &session, global)?;
    let clock = Clock::start(&session.client).await?;
    if following.summary {
        let summary = State::summary(&folder, clock.now())?.ok_or_else(|| {
            Failure::Refused(format!("nothing was sponsored from {}", folder.display()))
        })?;
        return out.say(Said::Sponsored(Sponsored {
            account: summary.account,
            budget: limits.budget,
            spent: summary.spent,
            spent_in_all: summary.spent_in_all,
            games: summary.games,
            sending: summary.sending,
            waiting: 0,
        }));
    }
    let contract = session.contract(global, Some(&signer)).await?;
    let records = contract.address_of(ContractKind::SignedRecords);
    let records = records.ok_or_else(|| {
        Failure::Refused("there is no contract of records of signed games on this chain".into())
    })?;
    let chain = session.client.signing_chain()?;
    let whose = Whose {
        genesis: session.client.genesis().0,
        contract: records,
        account: signer.address(),
    };
    let best = session.client.height().await?;
    let mut state = State::open(&folder, whose, best.saturating_sub(MOST_BLOCKS))?;
    if state.sending().is_none() {
        map(&session, &signer, &limits, &mut state, clock).await?;
    }
    session.endure(out);
    let (sender, heard) = mpsc::channel(AHEAD);
    for url in &urls {
        let relay = state.relay(url);
        tokio::spawn(follow::follow(relay, url.clone(), chain, sender.clone()));
    }
    let names = urls.iter().map(|url| (state.relay(url), url.clone()));
    let mut sponsoring = Sponsoring {
        payer: Payer { contract, signer },
        names: names.collect(),
        wait: if following.once { 0 } else { following.wait },
        limits,
        chain,
        clock,
        rests_until: Instant::now(),
        reserve,
        state,
        queue: Queue::default(),
        failed: HashMap::new(),
        said: None,
        unlisted: None,
        said_unlisted: None,
    };
    sponsoring.tell(out)?;
    sponsoring.run(heard, following.once, out).await
}

/// The limits that the command line names, and the reserve of the account.
fn limits(args: &Following, relays: usize, token: &Token) -> Result<(Limits, u128), Failure> {
    let unclear = |text: &str| {
        Failure::Usage(format!(
            "{text} is no budget: give an amount a day, such as 1{}/day",
            token.symbol
        ))
    };
    let budget = args.budget.as_deref().unwrap_or_default();
    let amount = budget.strip_suffix("/day").ok_or_else(|| unclear(budget))?;
    let amount = token.parse(amount).map_err(|_| unclear(budget))?;
    if amount == 0 {
        return Err(unclear(budget));
    }
    let reserve = token.parse(&args.reserve);
    let reserve = reserve.map_err(|error| Failure::Usage(format!("--reserve: {error}")))?;
    let limits = Limits {
        budget: amount,
        pace: args.pace,
        relays: u32::try_from(relays).unwrap_or(u32::MAX).max(1),
        of_pair: args.per_pair,
        of_account: args.per_account,
        of_address: args.per_address,
        moves: args.min_moves,
    };
    Ok((limits, reserve))
}

fn folder(args: &Following, session: &Session, global: &Global) -> Result<PathBuf, Failure> {
    match (&args.state, session.place.own_folder(global)) {
        (Some(folder), _) => Ok(folder.clone()),
        (None, Some(folder)) => Ok(folder.join("sponsor")),
        (None, None) => Err(Failure::Usage(
            "there is no folder for what was paid: name one with --state".into(),
        )),
    }
}

/// Maps the account, which only a new one needs, within the budget.
async fn map(
    session: &Session,
    signer: &Signer,
    limits: &Limits,
    state: &mut State,
    clock: Clock,
) -> Result<(), Failure> {
    let account = signer.account();
    if session.client.is_mapped(&account).await? {
        return Ok(());
    }
    let before = session.client.balance(&account).await?;
    session.client.ensure_mapped(signer).await?;
    let after = session.client.balance(&account).await?;
    let cost = before.saturating_sub(after);
    state.pay(cost, clock.now())?;
    match cost > limits.budget {
        true => Err(Failure::Refused(
            "the budget is less than it costs that contracts know the account, which was paid now"
                .into(),
        )),
        false => Ok(()),
    }
}

struct Sponsoring {
    payer: Payer,
    limits: Limits,
    chain: Chain,
    clock: Clock,
    /// When it is tried again to pay, as nothing could be paid for.
    rests_until: Instant,
    /// What is left in the account whatever is recorded.
    reserve: u128,
    /// Seconds for which a game waits for others, so that a call has more of them.
    wait: u64,
    state: State,
    queue: Queue,
    /// How often a game was in a call that failed.
    failed: HashMap<GameNumber, usize>,
    /// URLs of the relays.
    names: HashMap<u16, String>,
    /// Why nothing is recorded, as it was said last.
    said: Option<String>,
    /// Why no relay has signed a list of the ends of the last games for which one was asked; none if one has.
    unlisted: Option<String>,
    /// The same, as it was said last.
    said_unlisted: Option<String>,
}

impl Sponsoring {
    async fn run(
        &mut self,
        mut heard: mpsc::Receiver<(u16, Heard)>,
        once: bool,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let mut lists = Lists::of(self.names.keys().copied());
        let mut cut_off = Vec::new();
        loop {
            while self.state.sending().is_some() {
                self.settle(out).await?;
            }
            // A single run sees all games first, and chooses among them.
            let is_early = once && !lists.are_complete();
            let paid = match !is_early && self.is_time() {
                true => match out.wait_for(self.pay()).await? {
                    Ok(paid) => paid,
                    Err(why) => {
                        self.rests_until = Instant::now() + REST;
                        self.say_once(why, out)?;
                        false
                    }
                },
                false => false,
            };
            self.say_unlisted(out)?;
            if paid {
                continue;
            }
            if once && lists.are_complete() {
                return match cut_off.is_empty() {
                    true => Ok(()),
                    false => Err(Failure::Other(format!(
                        "not all games were seen that relays keep: {}",
                        cut_off.join(", ")
                    ))),
                };
            }
            let begun = Instant::now();
            let next = out.wait_for(timeout(ROUND, heard.recv())).await?;
            let waited = begun.elapsed();
            if let Ok(Some((relay, news))) = next {
                cut_off.extend(self.hear(relay, news, &mut lists, out)?);
            }
            // What has come already is taken at once, but not what comes meanwhile without an end.
            for _ in 0..AHEAD {
                let Ok((relay, news)) = heard.try_recv() else {
                    break;
                };
                cut_off.extend(self.hear(relay, news, &mut lists, out)?);
            }
            for relay in lists.waited(waited) {
                let url = self.names.get(&relay).cloned().unwrap_or_default();
                cut_off.push(format!(
                    "{url} did not send all, and was waited for long enough"
                ));
            }
        }
    }

    /// Takes what a relay has sent. Returns why not all of its games were seen, if it was left before.
    fn hear(
        &mut self,
        relay: u16,
        heard: Heard,
        lists: &mut Lists,
        out: &mut Output,
    ) -> Result<Option<String>, Failure> {
        lists.heard(relay);
        let url = self.names.get(&relay).cloned().unwrap_or_default();
        match heard {
            Heard::Connected => out.say(Said::Notice(&format!("following {url}")))?,
            Heard::Missed => out.say(Said::Notice(&format!(
                "{url} does not keep some games any more that ended before"
            )))?,
            Heard::Left(why) => {
                let why = format!("{url}: {why}");
                out.say(Said::Notice(&format!("{why}; trying again")))?;
                return Ok(lists.end(relay).then_some(why));
            }
            Heard::Complete => drop(lists.end(relay)),
            Heard::Game {
                run,
                origins,
                checked,
            } => {
                let from = origins.map(|origin| At { relay, run, origin });
                self.take(*checked, from);
            }
        }
        Ok(None)
    }

    /// Takes a game, if it is worth a record.
    fn take(&mut self, checked: Checked, from: ByPlayer<At>) {
        let is_long = checked.finished.moves.turns() >= self.limits.moves;
        if is_long && !self.state.knows(checked.number) {
            let payees = Payees {
                players: checked.players(),
                from,
                gain: checked.gains(),
            };
            let failed = self.failed.get(&checked.number);
            let waiting = Waiting {
                checked,
                payees,
                since: words::now(),
                failed: failed.copied().unwrap_or(0),
            };
            self.queue.put(&self.limits, waiting);
        }
    }

    /// Whether there is a full call, or a game has waited for long enough.
    fn is_time(&self) -> bool {
        let waited = |since: u64| words::now().saturating_sub(since);
        match self.queue.oldest() {
            None => false,
            _ if Instant::now() < self.rests_until => false,
            Some(_) if self.queue.has_full_call() => true,
            Some(oldest) => waited(oldest) >= self.wait,
        }
    }

    /// Keeps and sends the next call. Returns whether there is one; else says why not.
    async fn pay(&mut self) -> Result<bool, String> {
        let text = |error: Error| error.to_string();
        self.read_chain().await.map_err(text)?;
        let client = self.payer.contract.client();
        self.clock.follow(client).await.map_err(text)?;
        let now = self.clock.now();
        let counted = self.state.counted(now);
        let over = self.queue.over(&self.limits, &counted);
        let mut games = self
            .queue
            .next(&self.limits, &counted, MOST_IN_CALL, |_| usize::MAX);
        if games.is_empty() {
            return match over.first() {
                Some((over, count)) => Err(format!("{count} games wait: {}", in_words(*over))),
                None => Ok(false),
            };
        }
        let allowed = self.allowed(now).await.map_err(text)?;
        let Some(mut kept) = self.sign(&mut games, allowed).await? else {
            return Err(format!(
                "no more is spent for now; {} games wait",
                self.queue.len()
            ));
        };
        // Each relay has its part of the budget.
        let each = kept.most.div_ceil(games.len() as u128).max(1);
        let part = self.limits.budget / u128::from(self.limits.relays);
        let left = |relay| {
            let left = part.saturating_sub(self.state.spent_for(relay, now));
            usize::try_from(left / each).unwrap_or(usize::MAX)
        };
        let counted = self.state.counted(now);
        let shared = self.queue.next(&self.limits, &counted, games.len(), left);
        let keys = |games: &[Waiting]| {
            let keys = games
                .iter()
                .map(|it| (it.checked.number, it.payees.relay()));
            keys.collect::<Vec<_>>()
        };
        if !keys(&shared).starts_with(&keys(&games)) {
            games = shared;
            kept = match self.sign(&mut games, allowed).await? {
                Some(kept) => kept,
                None => return Err("the relays that have games have had their part".into()),
            };
        }
        for waiting in &games {
            self.queue.remove(waiting.checked.number);
        }
        let games = games.iter().map(|it| (it.checked.finished, it.payees));
        let sending = Sending::of(kept, games.collect());
        self.state
            .send(sending)
            .map_err(|error| error.to_string())?;
        self.said = None;
        Ok(true)
    }

    /// Signs the record of as many games as are allowed, without those that do not count any more.
    async fn sign(
        &mut self,
        games: &mut Vec<Waiting>,
        allowed: u128,
    ) -> Result<Option<connect4_client::KeptCall>, String> {
        let time = self.payer.contract.client().time().await;
        let time = time.map_err(|error| error.to_string())?;
        // Of this and of the chain's time, the later one.
        let time = time.max(words::now());
        let lasts = |waiting: &Waiting| waiting.checked.counts(time);
        games.retain(|waiting| {
            let lasts = lasts(waiting);
            if !lasts {
                self.queue.remove(waiting.checked.number);
            }
            lasts
        });
        match self.payer.sign(games, &self.names, allowed).await {
            Err(Error::RecordsRefused { error, .. }) => {
                self.queue.forget(|waiting| !lasts(waiting));
                Err(format!("the contract refuses: {error}"))
            }
            Err(error) => Err(error.to_string()),
            Ok(None) => Ok(None),
            Ok(Some((kept, list))) => {
                match list {
                    List::NotAsked => {}
                    List::Signed => self.unlisted = None,
                    List::Refused(why) => self.unlisted = Some(why),
                }
                Ok(Some(kept))
            }
        }
    }

    /// What may be spent at once: of the budget of 24 hours, of the part of an hour, and of the account.
    async fn allowed(&self, now: u64) -> Result<u128, Error> {
        let Limits { budget, pace, .. } = self.limits;
        let client = self.payer.contract.client();
        let balance = client.balance(&self.payer.signer.account()).await?;
        let of_day = budget.saturating_sub(self.state.spent(now));
        let of_hour = budget.div_ceil(u128::from(pace.max(1)));
        let of_hour = of_hour.saturating_sub(self.state.spent_in_hour(now));
        Ok(of_day
            .min(of_hour)
            .min(balance.saturating_sub(self.reserve)))
    }

    /// Learns what was recorded by anybody, and gives up what needs no record any more.
    async fn read_chain(&mut self) -> Result<(), Error> {
        let contract = &self.payer.contract;
        let last = contract.client().final_height().await?;
        let first = self
            .state
            .next_block()
            .max(last.saturating_sub(MOST_BLOCKS));
        if first <= last {
            let now = self.clock.now();
            for event in contract.recorded_ends(first..=last).await? {
                self.state.learn(event.game, now);
            }
            self.state.set_next_block(last.saturating_add(1));
        }
        let state = &self.state;
        self.queue
            .forget(|waiting| state.knows(waiting.checked.number));
        Ok(())
    }

    /// Follows the transaction that is on its way until it is known what became of it.
    async fn settle(&mut self, out: &mut Output) -> Result<(), Failure> {
        let settled = async {
            let settled = self.payer.settle(&mut self.state).await?;
            self.clock.follow(self.payer.contract.client()).await?;
            Ok::<_, Error>(settled)
        };
        let settled = match out.wait_for(settled).await? {
            Ok(settled) => settled,
            Err(error) => {
                self.say_once(error.to_string(), out)?;
                tokio::time::sleep(ROUND).await;
                return Ok(());
            }
        };
        let Some(sending) = self.state.sending().cloned() else {
            return Ok(());
        };
        match settled {
            None => {}
            Some(Settled::Landed(landed)) => self.landed(&sending, *landed, out)?,
            Some(Settled::Void) => {
                let games = self.state.void(self.clock.now())?;
                out.say(Said::Notice(&format!(
                    "a transaction was in no block in its time, says the node; what it could cost counts in the budget \
                     all the same, and its {} games wait again",
                    games.len()
                )))?;
                self.wait_again(&games);
            }
            Some(Settled::Unknown) => {
                let numbers = self.numbers(&sending);
                self.state
                    .landed(sending.most, &numbers, self.clock.now())?;
                out.say(Said::Notice(
                    "the node does not keep the blocks that could have a transaction: it counts as paid",
                ))?;
            }
        }
        Ok(())
    }

    fn landed(
        &mut self,
        sending: &Sending,
        landed: Landed,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let Landed {
            transaction,
            outcome,
        } = landed;
        if outcome.is_err() {
            // Nothing was stored.
            let games = self.state.failed(transaction.fee, self.clock.now())?;
            let fee = self.payer.contract.client().token().amount(transaction.fee);
            out.say(Said::Notice(&format!(
                "a transaction of {} games has failed, and has cost {fee}",
                games.len()
            )))?;
            for number in self.numbers(sending) {
                *self.failed.entry(number).or_default() += 1;
            }
            self.wait_again(&games);
            return Ok(());
        }
        let numbers = self.numbers(sending);
        let amount = transaction.fee.saturating_add(sending.deposit);
        self.state.landed(amount, &numbers, self.clock.now())?;
        self.failed.retain(|number, _| !numbers.contains(number));
        let receipt = Receipt {
            transaction,
            deposit: i128::try_from(sending.deposit).unwrap_or(i128::MAX),
            value: (),
            mapped: None,
        };
        out.say(Said::Recorded {
            games: &numbers,
            sent: (&receipt).into(),
        })?;
        self.tell(out)
    }

    /// The numbers of the games of a transaction.
    fn numbers(&self, sending: &Sending) -> Vec<GameNumber> {
        let games = sending.games.iter();
        games
            .map(|(finished, _)| number_of(finished, self.chain))
            .collect()
    }

    fn wait_again(&mut self, games: &[(Finished, Payees)]) {
        for (finished, payees) in games {
            let checked = Checked::witnessed(*finished, self.chain, words::now());
            if let Ok(Some(checked)) = checked {
                self.take(checked, payees.from);
            }
        }
    }

    fn tell(&self, out: &mut Output) -> Result<(), Failure> {
        let summary = self.state.told(self.clock.now());
        out.say(Said::Sponsored(Sponsored {
            account: summary.account,
            budget: self.limits.budget,
            spent: summary.spent,
            spent_in_all: summary.spent_in_all,
            games: summary.games,
            sending: summary.sending,
            waiting: self.queue.len(),
        }))
    }

    /// Says that games cost more as no relay has signed a list of their ends, once for each reason.
    fn say_unlisted(&mut self, out: &mut Output) -> Result<(), Failure> {
        if self.unlisted != self.said_unlisted {
            if let Some(why) = &self.unlisted {
                out.say(Said::Notice(&unlisted(why)))?;
            }
            self.said_unlisted.clone_from(&self.unlisted);
        }
        Ok(())
    }

    /// Says why nothing is recorded, once for each reason.
    fn say_once(&mut self, why: String, out: &mut Output) -> Result<(), Failure> {
        if self.said.as_ref() != Some(&why) {
            out.say(Said::Notice(&why))?;
            self.said = Some(why);
        }
        Ok(())
    }
}

const fn in_words(over: Over) -> &'static str {
    match over {
        Over::Pair => "these two have had their games of the day",
        Over::Account => "an account has had its games of the day",
        Over::Address => "an address has had its games of the day",
    }
}
