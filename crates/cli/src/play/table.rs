//! A signed game at a terminal, played by its one player.

use connect4_client::Address;
use connect4_client::Token;
use connect4_client::signed::{
    Awaited, Command, News, PlayerError, RoomState, SignedError, SignedPlayer, Stage, View as Seen,
    What, Who,
};
use connect4_protocol::signed::{GameNumber, Moves, PoolName, Terms};
use connect4_protocol::{AnyGame, Game, GameName};
use connect4_rules::Bin;
use connect4_rules::Player;
use connect4_rules::variant::{Colour, Move};
use connect4_wire::words::now;
use tokio::sync::watch;

use super::changes::tell_move;
use super::grammar::{Grammar, Input, NO_SWAP, ON_CHAIN, may_swap};
use super::turn::{self, Backend, Typed};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::game::{GameAt, Numbering};
use crate::output::Output;
use crate::people::View;
use crate::said::{Greeting, Note, Said};
use crate::words::{PIE_RULE, UNRATED, clock, coloured, minutes, who};

/// A signed game that has begun, at this terminal.
pub struct Table {
    player: SignedPlayer,
    follow: watch::Receiver<Seen>,
    terms: Terms,
    /// What is known now.
    seen: Seen,
    /// The game as it was shown last.
    shown: Game,
    side: Player,
    id: GameName,
    /// URL of the relay of its room.
    relay: String,
    /// The contract that holds the stakes; none without a stake.
    contract: Option<Address>,
    /// The command that resumes the game.
    resumed_by: String,
}

/// Something that has happened in the game.
pub enum Change {
    Seen(Box<Seen>),
    News(Box<News>),
}

impl Table {
    /// The game of a player by these terms, once it has begun; none before.
    pub fn of(
        player: SignedPlayer,
        terms: Terms,
        (relay, contract): (String, Option<Address>),
        resumed_by: String,
    ) -> Option<Self> {
        let (follow, seen) = (player.follow(), player.view());
        let (shown, side) = (seen.shown.game?, seen.shown.side?);
        Some(Self {
            id: seen.shown.number?.into(),
            player,
            follow,
            terms,
            seen,
            shown,
            side,
            relay,
            contract,
            resumed_by,
        })
    }

    fn at(&self, game: &Game) -> GameAt {
        GameAt {
            contract: self.contract.unwrap_or(Address::ZERO),
            id: self.id,
            game: (*game).into(),
            clock: self.seen.shown.clock,
        }
    }

    /// The colour on the board of the player who sits here.
    fn colour(&self) -> Colour {
        self.shown.colour_of(self.side).into()
    }

    /// The opponent, in words.
    fn opponent(&self) -> String {
        let colour = self.shown.colour_of(self.side.opponent());
        let account = self.shown.account_of(self.side.opponent());
        format!("{} ({})", coloured(colour, colour, false), who(account))
    }

    fn greeting(&self, token: &Token) -> Greeting {
        let mut place = format!("relay {}\nterms: {}", self.relay, self.id);
        if let Some(witness) = self.terms.witness {
            place.push_str(&format!("\nwitness: {witness}"));
        }
        if let Some(contract) = self.contract {
            let stake = token.contract_amount(self.terms.stake);
            place.push_str(&format!(
                "\nstake: {stake} of each, held by the contract {contract}"
            ));
        }
        place.push_str(&more_terms(&self.terms));
        Greeting {
            at: self.at(&self.shown),
            place,
            people: vec![self.colour()],
            invitations: Vec::new(),
            computers: Vec::new(),
        }
    }

    fn how_to_resume(&self) -> String {
        let resumed_by = &self.resumed_by;
        match self.contract {
            None => format!("the game is not over. Resume it by\n  {resumed_by}"),
            Some(_) => format!(
                "the game is not over, and your stake is at risk: your opponent can start your clock on the chain, and \
                 who does not answer in time loses. Resume it by\n  {resumed_by}"
            ),
        }
    }

    /// The time by which the witness or the chain counts, in seconds since 1970.
    fn time(&self) -> u64 {
        now().saturating_add_signed(self.seen.ahead)
    }

    /// What is awaited, and who is there, in words.
    fn text(&self) -> String {
        let mut lines = Vec::new();
        let shown = &self.seen.shown;
        if shown.is_contradicted {
            lines.push("the witness has contradicted itself: this game counts nowhere".into());
        }
        lines.extend(shown.awaited.and_then(|awaited| self.awaited(awaited)));
        if self.may_swap() {
            lines.push(may_swap(&self.opponent()));
        }
        if shown.draw.is_some() {
            let opponent = self.opponent();
            lines.push(format!(
                "{opponent} offers a draw: accept, decline, or play on"
            ));
        }
        let opponent = self.opponent();
        lines.push(match &self.seen.room {
            RoomState::None => return lines.join("\n"),
            RoomState::Entering => "room: connecting".into(),
            RoomState::Entered { opponent: true } => format!("room: {opponent} is connected"),
            RoomState::Entered { opponent: false } => {
                format!("room: {opponent} is not connected")
            }
            RoomState::Lost(why) => format!("room: not reachable, {why}; trying again"),
        });
        lines.join("\n")
    }

    /// Whether the player here can take the first disc over now.
    fn may_swap(&self) -> bool {
        let to_move = self.seen.shown.game.and_then(|game| game.to_move());
        self.terms.pie_rule && self.seen.moves.len() == 1 && to_move == Some(self.side)
    }

    fn awaited(&self, awaited: Awaited) -> Option<String> {
        let left = awaited.until.map(|until| until.saturating_sub(self.time()));
        let left = left.map_or(String::new(), |left| format!(": {} left", minutes(left)));
        let opponent = self.opponent();
        Some(match (awaited.of, awaited.what) {
            // The question says it.
            (Who::You, What::Move) if left.is_empty() => return None,
            (Who::You, What::Move) => format!("it is your turn{left}"),
            (Who::You, what) => format!("{} is awaited of you{left}", thing(what)),
            (Who::Opponent, what) => format!("waiting for {} of {opponent}{left}", thing(what)),
            (Who::Program, what) => format!("this program sends to the chain: {}", thing(what)),
            (Who::Chain, what) => format!("waiting for the chain: {}", thing(what)),
            (Who::Witness, what) => format!("waiting for {} of the witness", thing(what)),
        })
    }

    /// Does what a player wants. What is refused is said.
    async fn command(&self, command: Command, out: &mut Output) -> Result<(), Failure> {
        let refused = |reason: &str, out: &mut Output| {
            out.say(Said::Refused {
                game: self.id,
                colour: self.colour(),
                reason,
            })
        };
        match self.player.command(command).await {
            Ok(()) => Ok(()),
            Err(SignedError::Player(error @ PlayerError::OnChain)) => {
                refused(&format!("{error}: {ON_CHAIN}4 makes it in bin 4"), out)
            }
            // With a stake the program stays: what it holds may still have to be brought to the chain.
            Err(SignedError::Player(error @ PlayerError::Keep(_))) if self.contract.is_none() => {
                Err(Failure::Other(error.to_string()))
            }
            Err(error) => refused(&error.to_string(), out),
        }
    }
}

/// What is agreed on besides the board, in words.
pub fn more_terms(terms: &Terms) -> String {
    let mut text = String::new();
    if terms.pie_rule {
        text.push_str(&format!("\n{PIE_RULE}"));
    }
    let Some(agreed) = terms.clock else {
        return text + "\n" + UNRATED;
    };
    text.push_str(&format!("\nclock: {}", clock(agreed)));
    if terms.pool != 0 {
        text.push_str(&format!("\npool: {}", PoolName(terms.pool)));
    }
    text
}

/// What is awaited, in words.
const fn thing(what: What) -> &'static str {
    match what {
        What::Taker => "an opponent",
        What::Agreement => "the signature on the terms",
        What::Receipt => "the receipt for the last move",
        What::End => "the word on how the game has ended",
        What::Payment => "the payment",
        What::Refund => "the refund",
        What::Begin => "a final block that has the game",
        What::Move => "a move",
        What::Contest => "a longer position in place of the line",
        What::Bring => "what is signed",
        What::Claim => "the timeout",
    }
}

/// How the game at a table has ended.
pub enum Played {
    /// Its player knows the end.
    ToTheEnd(Box<SignedPlayer>),
    /// It has no end, for this reason.
    Without(&'static str),
}

/// Why a game has no end, as it is seen; none if it has one, or may come to have it.
pub const fn without(seen: &Seen) -> Option<&'static str> {
    let has_stake = seen.shown.stake > 0;
    match seen.shown.stage {
        Stage::Over if seen.finished.is_none() && !has_stake => Some(
            "the game is void, and counts for nothing: it has ended before both had moved, or nobody has moved for too \
             long",
        ),
        Stage::Refunded if seen.shown.awaited.is_none() => {
            Some("no game is played: your stake is paid back, or was not paid")
        }
        Stage::Offered if has_stake && seen.shown.awaited.is_none() => {
            Some("nobody has taken the offer in time")
        }
        Stage::NoGame if has_stake => Some(
            "no game has come of these terms: not both have paid in time, and nothing of yours is held",
        ),
        Stage::NoResult if has_stake => Some(
            "the game has ended, and the contract has forgotten it. What it owes you is paid by `connect4 withdraw`",
        ),
        Stage::NoGame => {
            Some("no game has come of these terms: the witness has not taken them in time")
        }
        Stage::NoResult => Some("the witness has not kept the game, so that it has no result"),
        Stage::Offered
        | Stage::Funding
        | Stage::Agreeing
        | Stage::Refunded
        | Stage::Playing
        | Stage::Ending
        | Stage::Over => None,
    }
}

/// Plays a game to its end.
pub async fn play(
    mut table: Table,
    typed: &mut Typed,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<Played, Failure> {
    farewell.set(table.how_to_resume());
    let greeting = table.greeting(out.token());
    out.say(Said::Greeting(&greeting))?;
    let played = turn::run(&mut table, out, typed).await;
    if let Some(why) = without(&table.seen) {
        farewell.clear();
        return Ok(Played::Without(why));
    }
    played.map_err(|failure| failure.and(&table.how_to_resume()))?;
    let awaited = match table.contract {
        None => "waiting for the word of the witness; Ctrl-C leaves",
        Some(_) => "waiting for the chain to end the game; Ctrl-C leaves",
    };
    let progress = out.progress();
    progress.say(awaited);
    while table.seen.shown.stage != Stage::Over && without(&table.seen).is_none() {
        let changed = change(&mut table.follow, table.player.next());
        match out.wait_for(changed).await? {
            Ok(Change::Seen(seen)) => table.seen = *seen,
            Ok(Change::News(news)) => {
                progress.clear();
                tell(&news, table.seen.shown.number, out)?;
                progress.say(awaited);
            }
            Err(failure) => return Err(failure.and(&table.how_to_resume())),
        }
    }
    tell_all(&mut table.player, out).await?;
    progress.clear();
    if let Some(why) = without(&table.seen) {
        farewell.clear();
        return Ok(Played::Without(why));
    }
    table.shown = table.seen.shown.game.unwrap_or(table.shown);
    farewell.clear();
    out.say(Said::Ended {
        at: table.at(&table.shown),
        sent: None,
    })?;
    if let (Some(_), owed @ 1..) = (table.contract, table.seen.shown.owed) {
        let game = table.id;
        out.say(Said::StakeOwed { game, owed })?;
    }
    Ok(Played::ToTheEnd(Box::new(table.player)))
}

/// Says what has happened in a game beside what is shown.
pub fn tell(news: &News, game: Option<GameNumber>, out: &mut Output) -> Result<(), Failure> {
    match (news, trouble(news)) {
        (News::Sent(call, receipt), _) => {
            let sent = (&**receipt).into();
            out.say(Said::Staked { game, call, sent })
        }
        (_, Some(text)) => out.say(Said::Note(Note::Text(&text))),
        (_, None) => Ok(()),
    }
}

/// What does not work, in words; none if all does.
pub fn trouble(news: &News) -> Option<String> {
    match news {
        News::NotSent(_, error) | News::NotSeen(error) => Some(error.to_string()),
        News::NotTaken(error) => Some(error.to_string()),
        News::Sent(..) => None,
    }
}

/// Says all that has happened by now.
pub async fn tell_all(player: &mut SignedPlayer, out: &mut Output) -> Result<(), Failure> {
    loop {
        let news = tokio::select! {
            biased;
            news = player.next() => news.map_err(|error| lost(&error))?,
            () = std::future::ready(()) => return Ok(()),
        };
        tell(&news, player.view().shown.number, out)?;
    }
}

/// The player is not there any more.
fn lost(error: &SignedError) -> Failure {
    Failure::Other(error.to_string())
}

/// What happens next: something is seen, or told. A player that has ended is a failure, not a wait.
pub async fn change(
    follow: &mut watch::Receiver<Seen>,
    news: impl Future<Output = Result<News, SignedError>>,
) -> Result<Change, Failure> {
    tokio::select! {
        changed = follow.changed() => match changed {
            Ok(()) => Ok(Change::Seen(Box::new(follow.borrow_and_update().clone()))),
            Err(_) => Err(lost(&SignedError::Ended)),
        },
        news = news => match news {
            Ok(news) => Ok(Change::News(Box::new(news))),
            Err(error) => Err(lost(&error)),
        },
    }
}

impl Backend for Table {
    type Change = Change;
    const READS_AHEAD: bool = true;

    fn id(&self) -> GameName {
        self.id
    }

    fn game(&self) -> AnyGame {
        self.shown.into()
    }

    fn grammar(&self) -> Grammar {
        match self.contract {
            None => Grammar::Table,
            Some(_) => Grammar::Staked,
        }
    }

    fn tell_news(&mut self, out: &mut Output) -> Result<(), Failure> {
        let before = self.shown;
        self.shown = self.seen.shown.game.unwrap_or(before);
        let at = self.at(&self.shown);
        tell_move(&before, &self.shown, at, out)
    }

    fn view(&self) -> View {
        View {
            game: self.shown.into(),
            here: vec![self.colour()],
            now: self.time(),
            clock: self.seen.shown.clock,
            numbering: Numbering::One,
            signed: Some(self.text()).filter(|text| !text.is_empty()),
        }
    }

    /// Nobody is asked for a move while the receipt for the last one is awaited.
    fn is_here(&self, colour: Colour) -> bool {
        let awaited = self.seen.shown.awaited;
        self.colour() == colour && awaited.is_some_and(|awaited| awaited.of == Who::You)
    }

    fn deadline(&self, _colour: Colour) -> Option<u64> {
        None
    }

    async fn next(&mut self) -> Result<Change, Failure> {
        let Self { player, follow, .. } = self;
        change(follow, player.next()).await
    }

    async fn take_over(&mut self, change: Change, out: &mut Output) -> Result<bool, Failure> {
        match change {
            Change::Seen(seen) => {
                let before = std::mem::replace(&mut self.seen, *seen);
                if let Some(why) = without(&self.seen) {
                    return Err(Failure::Refused(why.into()));
                }
                let is_changed = before.shown != self.seen.shown;
                Ok(is_changed || out.is_terminal())
            }
            Change::News(news) => {
                tell(&news, self.seen.shown.number, out)?;
                Ok(true)
            }
        }
    }

    async fn act(&mut self, input: Input, out: &mut Output) -> Result<(), Failure> {
        let command = match input {
            Input::Move(Move::Drop(bin)) => Command::Move(bin),
            Input::Swap if !self.may_swap() => {
                return out.say(Said::Refused {
                    game: self.id,
                    colour: self.colour(),
                    reason: NO_SWAP,
                });
            }
            Input::Swap => Command::Move(Bin::new(Moves::SWAP)),
            Input::Resign => Command::Resign,
            Input::Draw => Command::OfferDraw,
            Input::Accept => Command::AcceptDraw,
            Input::Decline => Command::DeclineDraw,
            Input::Help => {
                let position = self.shown.position().into();
                return out.say(Said::Note(Note::Text(&self.grammar().help(&position))));
            }
            Input::OnChain(bin) => Command::MoveOnChain(bin),
            Input::Press => Command::Press,
            Input::Settle => Command::Settle,
            // Not typed in such a game.
            Input::Move(_) | Input::Claim => return Ok(()),
        };
        self.command(command, out).await?;
        self.seen = self.player.view();
        Ok(())
    }

    async fn time_is_up(&mut self, _colour: Colour, _out: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use connect4_client::signed::Shown;

    use super::*;

    #[tokio::test]
    async fn a_player_that_has_ended_is_a_failure_and_not_a_wait() {
        let ended = change(&mut closed(), pending()).await;
        assert!(matches!(ended, Err(Failure::Other(_))));
        let (_open, mut follow) = watch::channel(view());
        let ended = change(&mut follow, async { Err(SignedError::Ended) }).await;
        assert!(matches!(ended, Err(Failure::Other(_))));
    }

    fn view() -> Seen {
        Seen {
            shown: Shown {
                stage: Stage::Agreeing,
                awaited: None,
                number: None,
                side: None,
                game: None,
                stake: 0,
                from_owed: 0,
                owed: 0,
                draw: None,
                is_on_chain: false,
                clock: None,
                left: None,
                is_contradicted: false,
            },
            moves: Moves::default(),
            room: RoomState::None,
            finished: None,
            ahead: 0,
            block: None,
        }
    }

    fn closed() -> watch::Receiver<Seen> {
        let (_closes, follow) = watch::channel(view());
        follow
    }

    #[test]
    fn a_game_that_will_never_be_has_no_end() {
        let with = |stage, stake| {
            let mut seen = view();
            (seen.shown.stage, seen.shown.stake) = (stage, stake);
            without(&seen)
        };
        let at = |stage| with(stage, 0);
        // A stake has no witness.
        for stage in [Stage::NoGame, Stage::NoResult] {
            let why = with(stage, 1).expect("it waits for nothing");
            assert!(!why.contains("witness"), "{why}");
        }
        // What is over without anything that shows how is void.
        for stage in [Stage::NoGame, Stage::NoResult, Stage::Over] {
            assert!(at(stage).is_some());
        }
        for stage in [Stage::Agreeing, Stage::Playing, Stage::Ending] {
            assert_eq!(at(stage), None);
        }
    }
}
