//! A game by signed terms at a terminal: a relay alone is needed, and no chain.

use std::time::{Duration, Instant};

use connect4_client::fast::{
    DisputeNews, GamesByTerms, KeptGame, LockedKey, OpenGame, RelayState, SeatError, TermsEvent,
    TermsPlayer,
};
use connect4_client::{Contracts, GameId, Signer};
use connect4_protocol::Error as Refusal;
use connect4_protocol::fast::{GameTerms, PoolName, SignedTerms};
use connect4_protocol::signed::Terms;
use connect4_protocol::{AnyGame, Game, GameName};
use connect4_rules::Player;
use connect4_rules::variant::{Colour, Move};

use super::fast::tell_move;
use super::grammar::{Grammar, Input, NO_SWAP, may_swap};
use super::is_yes;
use super::turn::{self, Backend, Typed};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::game::{GameAt, Numbering};
use crate::output::Output;
use crate::people::View;
use crate::said::{Greeting, Note, Said};
use crate::words::{PIE_RULE, coloured, minutes, who};

/// How long the program waits at the end until the opponent has what is signed here, and has agreed.
const GRACE: Duration = Duration::from_secs(5);
/// How long it waits until the end is on the chain, where the game is, too.
const SETTLING: Duration = Duration::from_secs(120);
/// How long it waits for the answer to a rematch.
const REMATCH: Duration = Duration::from_secs(60);

/// A game by signed terms that is played at this terminal.
pub struct SignedTable {
    player: TermsPlayer,
    open: OpenGame,
    games: GamesByTerms,
    /// The command that resumes the game.
    resumed_by: String,
    /// The game as it was shown last.
    shown: Game,
    /// What did not work last, as it was said.
    trouble: Option<String>,
}

impl SignedTable {
    /// Begins a game, whose terms were signed just now, and which this command resumes.
    pub fn begin(
        open: OpenGame,
        key: LockedKey,
        games: GamesByTerms,
        resumed_by: String,
    ) -> Result<Self, Failure> {
        let player = TermsPlayer::begin(&open, key);
        let player = player.map_err(|error| Failure::Other(error.to_string()))?;
        let kept = games.keep_open(player.number(), &open);
        kept.map_err(|error| Failure::Other(error.to_string()))?;
        Ok(Self::of(player, open, games, resumed_by))
    }

    /// Resumes a game that was begun here, by this command.
    pub fn resume(
        open: OpenGame,
        key: LockedKey,
        games: GamesByTerms,
        resumed_by: String,
    ) -> Result<Self, Failure> {
        let player = TermsPlayer::resume(&open, key);
        let player = player.map_err(|error| Failure::Other(error.to_string()))?;
        Ok(Self::of(player, open, games, resumed_by))
    }

    /// A game that has ended here, whose end this command brings to the chain.
    pub fn ended(
        game: &KeptGame,
        key: LockedKey,
        games: GamesByTerms,
        resumed_by: String,
    ) -> Result<Self, Failure> {
        let player = TermsPlayer::ended(game, key);
        let player = player.map_err(|error| Failure::Other(error.to_string()))?;
        let open = OpenGame {
            terms: *player.terms(),
            domain: game.domain,
            relay: String::new(),
        };
        Ok(Self::of(player, open, games, resumed_by))
    }

    /// Has the game on the chain, where this account pays for what the dispute needs; returns its name there.
    pub async fn dispute(
        &mut self,
        contracts: &Contracts,
        payer: Signer,
    ) -> Result<GameId, Failure> {
        Ok(self.player.dispute(contracts, payer).await?)
    }

    fn of(player: TermsPlayer, open: OpenGame, games: GamesByTerms, resumed_by: String) -> Self {
        Self {
            shown: player.latest(),
            player,
            open,
            games,
            resumed_by,
            trouble: None,
        }
    }

    fn at(&self, game: &Game) -> GameAt {
        GameAt {
            contract: self.open.domain.contract,
            id: self.id(),
            game: (*game).into(),
        }
    }

    fn greeting(&self) -> Greeting<'static> {
        Greeting {
            at: self.at(&self.player.latest()),
            of_match: None,
            place: format!(
                "relay {}\nterms: {}{}",
                self.open.relay,
                self.player.number(),
                signed_terms(&self.player.terms().terms)
            ),
            people: vec![self.colour()],
            invitations: Vec::new(),
            computers: Vec::new(),
        }
    }

    fn how_to_resume(&self) -> String {
        format!(
            "the game is not over; your opponent can put what was signed on the chain. Resume it by\n  {}",
            self.resumed_by
        )
    }

    fn how_to_settle(&self) -> String {
        let contested = match self.contestable_for() {
            0 => String::new(),
            left => format!(", where its end can be contested for {}", minutes(left)),
        };
        format!(
            "the game is not over on the chain yet{contested}. Go on with its end there by\n  {}",
            self.resumed_by
        )
    }

    /// For how many seconds the end on the chain can still be contested there.
    fn contestable_for(&self) -> u64 {
        let last = self.player.contestable_until();
        last.map_or(0, |last| last.saturating_sub(self.player.now()))
    }

    fn opponent(&self) -> Player {
        self.player.player().opponent()
    }

    /// The colour on the board of the player who sits here.
    fn colour(&self) -> Colour {
        self.shown.colour_of(self.player.player()).into()
    }

    /// The opponent's colour, in words.
    fn name_of_opponent(&self) -> String {
        let colour = self.shown.colour_of(self.opponent());
        coloured(colour, colour, false)
    }

    /// Whether the opponent is there, in words.
    fn text(&self) -> String {
        let name = self.name_of_opponent();
        let account = who(self.shown.account_of(self.opponent()));
        match self.player.relay() {
            RelayState::None | RelayState::Connecting => "relay: connecting".into(),
            RelayState::Connected { opponent: true } => {
                format!("relay: {name} ({account}) is connected")
            }
            RelayState::Connected { opponent: false } => {
                format!("relay: {name} ({account}) is not connected")
            }
            RelayState::Lost(why) => format!("relay: not reachable, {why}; trying again"),
        }
    }

    /// An offer of a draw that stands, in words.
    fn offers(&self) -> String {
        let name = self.name_of_opponent();
        if self.player.may_swap() {
            return format!("\n{}", may_swap(&name));
        }
        match (self.player.offer(), self.player.offered()) {
            (Some(_), _) => format!("\n{name} offers a draw: accept, decline, or play on"),
            (None, Some(_)) => "\nyour offer of a draw stands for a minute".into(),
            (None, None) => String::new(),
        }
    }

    /// Waits for what happens next, for a while.
    async fn next_until(&mut self, until: Instant) -> Option<TermsEvent> {
        tokio::time::timeout_at(until.into(), self.player.next())
            .await
            .ok()
    }

    /// Brings the end of a game that is on the chain, too, there, and waits until it is over there for good; not for
    /// ever, as the chain may be away. Returns whether the game is over: a dispute can also show that it goes on.
    pub async fn settle(&mut self, out: &mut Output, farewell: &Farewell) -> Result<bool, Failure> {
        let Some(id) = self.player.disputed() else {
            return Ok(true);
        };
        let mut until = Instant::now() + SETTLING;
        while !self.player.is_over_on_chain() {
            if !self.player.latest().is_over() {
                out.progress().clear();
                out.say(Said::Notice(
                    "the game continues: the chain has not accepted that end",
                ))?;
                farewell.set(self.how_to_resume());
                return Ok(false);
            }
            farewell.set(self.how_to_settle());
            match self.contestable_for() {
                0 => out.progress().say("waiting until the end is on the chain"),
                left => {
                    until = until.max(Instant::now() + Duration::from_secs(left) + SETTLING);
                    let left = minutes(left);
                    let waiting = format!("the end on the chain can be contested for {left}");
                    out.progress().say(&waiting);
                }
            }
            let Some(event) = out.wait_for(self.next_until(until)).await? else {
                out.progress().clear();
                out.say(Said::Notice(&self.how_to_settle()))?;
                return Ok(true);
            };
            if self.take_over(event, out).await? {
                out.tell_note()?;
            }
        }
        out.progress().clear();
        let text = format!(
            "{id} is over on the chain; a day after its terms were signed, `connect4 free --game {id}` \
             returns the deposit to the account that took it there"
        );
        out.say(Said::Notice(&text))?;
        Ok(true)
    }

    /// Waits until the opponent can have what is signed here, and has agreed to a line that was made here. Then
    /// what both have signed is kept in a file.
    pub async fn end(&mut self, out: &mut Output) -> Result<(), Failure> {
        let until = Instant::now() + GRACE;
        let has_room = *self.player.relay() != RelayState::None;
        while has_room && !(self.player.is_told() && self.player.is_agreed()) {
            if self.next_until(until).await.is_none() {
                break;
            }
        }
        out.progress().clear();
        out.say(Said::Ended {
            at: self.at(&self.player.latest()),
            sent: None,
        })?;
        if self.games.is_recorded(self.player.number()) {
            return Ok(());
        }
        let kept = self.games.keep_played(
            self.player.number(),
            self.open.domain,
            &self.player.played(),
        );
        match kept {
            Ok(_) if self.player.has_ended_as_signed() => {
                let on_chain = self.games.set_recorded(self.player.number());
                on_chain.map_err(|error| Failure::Other(error.to_string()))
            }
            Ok(None) => out.say(Said::Notice(
                "the game ended before both players had signed something, so there is nothing to record",
            )),
            Ok(Some(path)) => {
                let text = format!(
                    "what both have signed is in {}; `connect4 record` puts it on the chain",
                    path.display()
                );
                out.say(Said::Notice(&text))
            }
            Err(error) => out.say(Said::Notice(&error.to_string())),
        }
    }

    /// Asks for a rematch. Returns its terms if both want it.
    async fn rematch(
        &mut self,
        out: &mut Output,
        typed: &mut Typed,
    ) -> Result<Option<SignedTerms>, Failure> {
        let offers = match self.player.is_rematch_proposed() {
            true => "your opponent wants a rematch. ",
            false => "",
        };
        let question = format!("{offers}rematch, with the seats exchanged? [y/N] ");
        out.question(&question)?;
        let answer = loop {
            tokio::select! {
                biased;
                line = typed.next() => break line?.unwrap_or_default(),
                event = self.player.next() => {
                    if matches!(event, TermsEvent::Rematch) && self.player.is_rematch_proposed() {
                        out.interrupted()?;
                        out.say(Said::Notice("your opponent wants a rematch"))?;
                        out.question(&question)?;
                    }
                }
            }
        };
        out.answered(&question, &answer)?;
        if !is_yes(&answer) || self.player.propose_rematch().is_err() {
            return Ok(None);
        }
        out.progress()
            .say("waiting for the opponent; Ctrl-C leaves");
        let mut until = Instant::now() + REMATCH;
        while self.player.next_terms().is_none() {
            if *self.player.relay() == (RelayState::Connected { opponent: false }) {
                // Who has agreed leaves, too: its agreement may be under way.
                until = until.min(Instant::now() + GRACE);
            }
            if self.next_until(until).await.is_none() {
                break;
            }
        }
        out.progress().clear();
        if self.player.next_terms().is_none() {
            out.say(Said::RematchDeclined)?;
        }
        Ok(self.player.next_terms().copied())
    }
}

/// What is agreed on besides the board, in words.
fn signed_terms(terms: &GameTerms) -> String {
    let mut text = String::new();
    if terms.pie_rule {
        text.push_str(&format!("\n{PIE_RULE}"));
    }
    if let Some(clock) = terms.clock {
        text.push_str(&format!("\nclock, in a dispute on the chain: {clock}"));
    }
    if terms.pool != 0 {
        text.push_str(&format!("\npool: {}", PoolName(terms.pool)));
    }
    text
}

/// What is agreed on besides the board in a game in the room of a witness, in words.
pub fn witnessed_terms(terms: &Terms) -> String {
    let mut text = String::new();
    if terms.pie_rule {
        text.push_str(&format!("\n{PIE_RULE}"));
    }
    if let Some(clock) = terms.clock {
        text.push_str(&format!("\nclock: {clock}"));
    }
    text
}

/// Plays a game by signed terms to its end, and its rematches as long as both want them.
pub async fn play(
    mut table: SignedTable,
    series: bool,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut typed = Typed::begin();
    loop {
        farewell.set(table.how_to_resume());
        out.say(Said::Greeting(&table.greeting()))?;
        loop {
            let played = turn::run(&mut table, out, &mut typed).await;
            played.map_err(|failure| failure.and(&table.how_to_resume()))?;
            if table.settle(out, farewell).await? {
                break;
            }
        }
        table.end(out).await?;
        farewell.clear();
        // The rematch of a game that was taken to the chain would be resumed in another way.
        let offers = (series || out.is_terminal()) && table.player.disputed().is_none();
        if !offers || typed.has_ended {
            return Ok(());
        }
        let Some(terms) = table.rematch(out, &mut typed).await? else {
            return Ok(());
        };
        let next = OpenGame {
            terms,
            ..table.open
        };
        let key = table.player.into_key();
        table = SignedTable::begin(next, key, table.games, table.resumed_by)?;
    }
}

impl Backend for SignedTable {
    type Change = TermsEvent;
    const READS_AHEAD: bool = true;

    fn id(&self) -> GameName {
        self.player.number().into()
    }

    fn game(&self) -> AnyGame {
        self.shown.into()
    }

    fn grammar(&self) -> Grammar {
        Grammar::Signed
    }

    fn tell_news(&mut self, out: &mut Output) -> Result<(), Failure> {
        let (before, after) = (self.shown, self.player.latest());
        self.shown = after;
        let at = self.at(&after);
        tell_move(&before, &after, at, out)
    }

    fn view(&self) -> View<'_> {
        View {
            game: self.shown.into(),
            of_match: None,
            here: vec![self.colour()],
            now: self.player.now(),
            numbering: Numbering::Zero,
            fast: Some(self.text() + &self.offers()),
        }
    }

    fn is_here(&self, colour: Colour) -> bool {
        self.colour() == colour
    }

    fn deadline(&self, _colour: Colour) -> Option<u64> {
        None
    }

    async fn next(&mut self) -> Result<TermsEvent, Failure> {
        Ok(self.player.next().await)
    }

    async fn take_over(&mut self, event: TermsEvent, out: &mut Output) -> Result<bool, Failure> {
        Ok(match event {
            TermsEvent::Changed | TermsEvent::Offered => true,
            TermsEvent::Relay => out.is_terminal(),
            TermsEvent::Rematch | TermsEvent::Tick => false,
            TermsEvent::Chain(DisputeNews::NotDone(error)) => {
                out.say(Said::Note(Note::Text(&error.to_string())))?;
                false
            }
            TermsEvent::Chain(
                DisputeNews::Done(_, receipt) | DisputeNews::Recorded(_, receipt),
            ) => {
                let text = "sent to the chain what the dispute needs";
                out.say(Said::Note(Note::Sent(text, (&*receipt).into())))?;
                true
            }
            TermsEvent::Chain(DisputeNews::Changed) => true,
            TermsEvent::NotTaken(error) => {
                let text = error.to_string();
                let is_new = self.trouble.as_ref() != Some(&text);
                if is_new {
                    out.say(Said::Note(Note::Text(&text)))?;
                    self.trouble = Some(text);
                }
                is_new
            }
        })
    }

    async fn act(&mut self, input: Input, out: &mut Output) -> Result<(), Failure> {
        let done = match input {
            Input::Move(Move::Drop(bin)) => self.player.drop(bin),
            Input::Press => match self.player.press() {
                Ok(()) => {
                    let text = "the opponent's clock is being started on the chain";
                    return out.say(Said::Note(Note::Text(text)));
                }
                Err(error) => Err(error.into()),
            },
            Input::Swap if self.player.may_swap() => self.player.swap(),
            Input::Swap => Err(Refusal::NoSuchBin.into()),
            Input::Resign => self.player.resign(),
            Input::Draw => self.player.offer_draw(),
            Input::Accept => self.player.accept_draw(),
            Input::Decline => match self.player.decline_draw() {
                true => Ok(()),
                false => Err(Refusal::NoOffer.into()),
            },
            Input::Help => {
                let position = self.player.latest().position().into();
                return out.say(Said::Note(Note::Text(&Grammar::Signed.help(&position))));
            }
            // Not typed in such a game.
            _ => Ok(()),
        };
        match done {
            Ok(()) => Ok(()),
            Err(SeatError::Refused(error)) => {
                let reason = match (input, error) {
                    (Input::Draw, Refusal::YourTurn) => "offer a draw after your move".into(),
                    (Input::Press, Refusal::NoSuchGame) => {
                        "the game is not on the chain: leave, and take it there by `connect4 dispute`"
                            .into()
                    }
                    (Input::Swap, _) => NO_SWAP.into(),
                    (_, Refusal::NoOffer) => "there is no open offer of a draw".into(),
                    (_, error) => error.to_string(),
                };
                out.say(Said::Refused {
                    game: self.id(),
                    colour: self.colour(),
                    reason: &reason,
                })
            }
            Err(error @ SeatError::Bound(_)) => out.say(Said::Refused {
                game: self.id(),
                colour: self.colour(),
                reason: &error.to_string(),
            }),
            Err(error) => Err(Failure::Other(error.to_string())),
        }
    }

    async fn time_is_up(&mut self, _colour: Colour, _out: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
}
