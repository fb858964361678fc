//! Text for people.

mod event;
mod notes;
mod region;
mod variant;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use connect4_client::{Address, Deployment, Occurrence, Outages, Standing, Token, Transaction};
use connect4_opponent::Verdict;
use connect4_protocol::{Challenge, Game, Match};
use connect4_rules::{Bin, Player, Position, notation};
use connect4_server::words::{mark, now, standing, worth};

use crate::failure::Failure;
use crate::report::{
    Account, ChallengeMade, Deed, Deployed, Dropped, GameAt, Incomplete, Paid, Printed, Progress,
    Report, Sent, Serving, StandingOf, StandingsOf, Started, Turn, unknown_token,
};
use crate::words;
use notes::Notes;
use region::Region;

/// Prints text for people.
pub struct People {
    out: Box<dyn Write>,
    token: Token,
    /// Where the board of a game that is played is drawn again in place; none if standard input or
    /// output is no terminal.
    region: Option<Region>,
    /// What the next board is printed with.
    notes: Notes,
    /// The question whose answer is read now, if one is.
    question: Option<String>,
    outages: Option<Outages>,
}

impl People {
    /// A printer on standard output.
    pub fn new() -> Self {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        Self {
            region: terminal.then(Region::new),
            ..Self::on(Box::new(io::stdout()))
        }
    }

    /// A printer that draws nothing in place.
    pub fn on(out: Box<dyn Write>) -> Self {
        Self {
            out,
            token: unknown_token(),
            region: None,
            notes: Notes::default(),
            question: None,
            outages: None,
        }
    }

    /// Prints a line.
    pub fn line(&mut self, text: impl std::fmt::Display) -> Printed {
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Prints text without a line break.
    pub fn prompt(&mut self, text: &str) -> Printed {
        write!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Prints lines that the next board takes the place of on a terminal.
    pub fn line_in_region(&mut self, text: &str) -> Printed {
        if let Some(region) = &mut self.region {
            region.grow(text);
        }
        self.line(text)
    }

    /// Prints a question, behind which the answer is typed.
    pub fn open_question(&mut self, question: &str) -> Printed {
        self.question = Some(question.into());
        self.prompt(question)
    }

    /// No answer is read any more.
    pub fn close_question(&mut self) {
        self.question = None;
    }

    /// Prints a line at any time: above the question that is open, and clear of what is under way.
    fn interject(&mut self, text: &str) -> Printed {
        Progress::aside(|| {
            let question = self.question.clone();
            if question.is_some() {
                if let Some(region) = &mut self.region {
                    region.break_line();
                }
                self.line("")?;
            }
            self.line_in_region(text)?;
            question.map_or(Ok(()), |question| self.prompt(&question))
        })
    }

    /// The region in which the board is drawn again, if there is one.
    pub const fn region(&mut self) -> Option<&mut Region> {
        self.region.as_mut()
    }

    /// Whether the board is drawn again in place.
    pub const fn has_region(&self) -> bool {
        self.region.is_some()
    }

    /// Sets what the next board is printed with.
    pub fn set_note(&mut self, note: Option<String>) {
        self.notes.set(note);
    }

    /// What the next board is printed with.
    pub fn latest_note(&self) -> Option<String> {
        self.notes.text()
    }

    /// Adds to what the next board is printed with, if that board takes the place of the last one:
    /// else each is printed below the other.
    pub fn add_note(&mut self, note: String) {
        match self.region {
            Some(_) => self.notes.add(note),
            None => self.notes.set(Some(note)),
        }
    }

    /// A player is asked, and has seen the notes.
    pub const fn notes_are_seen(&mut self) {
        self.notes.see();
    }

    /// The chain's token.
    pub const fn token(&self) -> &Token {
        &self.token
    }

    /// Where a transaction is and what it cost.
    pub fn cost(&self, sent: Sent<'_>) -> String {
        words::cost(sent.transaction, sent.deposit, &self.token)
    }

    /// The same as text that is less important.
    pub fn dim_cost(&self, sent: Sent<'_>) -> String {
        words::dim(self.cost(sent))
    }

    /// Prints that an account was made known to contracts, if it was.
    fn mapped(&mut self, transaction: Option<&Transaction>) -> Printed {
        match transaction {
            Some(transaction) => {
                let cost = words::transaction(transaction, &self.token);
                self.line(format!("made the account known to contracts\n  {cost}"))
            }
            None => Ok(()),
        }
    }

    /// Prints how a contract was deployed, if it was.
    pub fn deployment(&mut self, what: &str, deployment: Option<&Deployment>) -> Printed {
        let Some(deployment) = deployment else {
            return Ok(());
        };
        let Some(receipt) = &deployment.receipt else {
            return Ok(());
        };
        self.mapped(receipt.mapped.as_ref())?;
        if let Some(uploaded) = &deployment.uploaded {
            self.line("uploaded the code of the games")?;
            self.line(words::dim(format!("  {}", self.cost(uploaded.into()))))?;
        }
        self.line(format!("deployed {what} at {}", receipt.value))?;
        self.line(words::dim(format!("  {}", self.cost(receipt.into()))))
    }

    /// Prints what a transaction did.
    pub fn transaction(&mut self, text: &str, sent: Sent<'_>) -> Printed {
        self.mapped(sent.mapped)?;
        self.line(text)?;
        self.line(words::dim(format!("  {}", self.cost(sent))))
    }

    /// Prints who plays a game.
    pub fn players(&mut self, game: &Game) -> Printed {
        for player in Player::ALL {
            let name = words::coloured(player, format!("{} {player}", player.disc()), false);
            let account = words::who(game.account_of(player));
            self.line(format!("{name}: {account}"))?;
        }
        Ok(())
    }
}

impl Report for People {
    fn use_token(&mut self, token: &Token) {
        self.token = token.clone();
    }

    fn use_outages(&mut self, outages: Outages) {
        self.outages = Some(outages);
    }

    fn outages(&mut self) -> Option<&mut Outages> {
        self.outages.as_mut()
    }

    fn node_away(&mut self, url: &str) -> Printed {
        self.interject(&words::away(url))
    }

    fn node_back(&mut self, url: &str, _lasted: Duration) -> Printed {
        self.interject(&format!("the node at {url} answers again"))
    }

    fn progress(&self) -> Progress {
        Progress::default()
    }

    fn deployed(&mut self, deployed: &Deployed<'_>) -> Printed {
        let Deployed {
            contract,
            games,
            deployment,
            variants,
            ..
        } = deployed;
        if deployment.receipt.is_none() {
            self.line(format!("the contract is at {contract} already"))?;
        }
        self.deployment("the contract", Some(deployment))?;
        self.line(format!("its games are in the contract {games}"))?;
        if variants.receipt.is_none() {
            let address = variants.address;
            self.line(format!(
                "the contract of the variants is at {address} already"
            ))?;
        }
        self.deployment("the contract of the variants", Some(variants))
    }

    fn started(&mut self, started: &Started<'_>) -> Printed {
        let Started {
            contract,
            red,
            blue,
            number,
            sent,
            ..
        } = started;
        self.deployment("the contract", started.deployment)?;
        self.mapped(sent.mapped)?;
        self.line(format!("started game {number} of the contract {contract}"))?;
        self.line(format!("  red: {}", words::who(*red)))?;
        self.line(format!("  blue: {}", words::who(*blue)))?;
        self.line(format!("  {}", self.cost(*sent)))
    }

    fn dropped(&mut self, dropped: &Dropped<'_>) -> Printed {
        let Dropped {
            bin,
            row,
            after,
            sent,
        } = dropped;
        self.board(&after.game.position())?;
        self.mapped(sent.mapped)?;
        let cost = self.cost(*sent);
        self.line(format!("dropped into bin {bin}, row {row}\n  {cost}"))?;
        self.line(standing(after.game))
    }

    fn shown(&mut self, at: &GameAt<'_>, of_match: &Match) -> Printed {
        let GameAt {
            contract,
            number,
            game,
        } = *at;
        self.line(format!(
            "game {number} of the contract {contract}: {}",
            game.shape()
        ))?;
        self.players(game)?;
        self.board(&game.position())?;
        self.line(format!("turns taken: {}", game.turns()))?;
        for text in words::of_match(game, of_match, &self.token) {
            self.line(text)?;
        }
        if let (Some(clock), Some(player)) = (game.clock(), game.to_move()) {
            self.line(words::times(clock, player, now()))?;
        }
        self.line(standing(game))?;
        let cells: Vec<String> = game
            .winning_cells()
            .iter(game.shape())
            .map(|cell| cell.to_string())
            .collect();
        if game.is_over() && !cells.is_empty() {
            self.line(format!("winning cells (bin,row): {}", cells.join(" ")))?;
        }
        Ok(())
    }

    fn listed(&mut self, _contract: Address, number: u32, game: Option<&Game>) -> Printed {
        match game {
            None => self.line(format!("{number:>5}  ended, its storage freed")),
            Some(game) => self.line(format!(
                "{number:>5}  {:<14}  {} - {}  turns {}, {}",
                game.shape().to_string(),
                words::name(game.player_one()),
                words::name(game.player_two()),
                game.turns(),
                standing(game)
            )),
        }
    }

    fn no_games(&mut self, missing: Option<Address>) -> Printed {
        match missing {
            Some(at) => self.line(format!("no games yet: there is no contract at {at}")),
            None => self.line("no games yet"),
        }
    }

    fn older_games(&mut self, hidden: u32, count: u32) -> Printed {
        self.line(format!("{hidden} older ones: --limit {count} lists all"))
    }

    fn following(&mut self, contract: Address) -> Printed {
        self.line(format!("following the contract {contract}; Ctrl-C ends it"))
    }

    fn watching(&mut self, at: &GameAt<'_>) -> Printed {
        let GameAt { number, game, .. } = *at;
        self.line(format!("game {number}: {}", game.shape()))?;
        self.players(game)?;
        self.board(&game.position())?;
        if game.is_over() {
            self.line(standing(game))?;
        }
        Ok(())
    }

    fn event(&mut self, at: &Occurrence, game: Option<&Game>) -> Printed {
        self.line(event::text(at, game, &self.token))
    }

    fn event_taken_back(&mut self, at: &Occurrence, game: Option<&Game>) -> Printed {
        let event = event::text(at, game, &self.token);
        self.line(words::event_taken_back(&event, at.block))
    }

    fn board(&mut self, position: &Position) -> Printed {
        self.line(words::board(position))
    }

    fn to_move(&mut self, player: Player) -> Printed {
        self.line(format!("{player} to move"))
    }

    fn replayed(&mut self, game: &Game, moves: &[Bin]) -> Printed {
        self.line(standing(game))?;
        if moves.is_empty() {
            return Ok(());
        }
        let moves = notation::write(moves.iter().copied());
        self.line(format!("moves, bins from 1: {moves}"))
    }

    fn is_animated(&self) -> bool {
        io::stdout().is_terminal()
    }

    fn reviewed(&mut self, turn: Turn, verdict: &Verdict) -> Printed {
        let Turn {
            number,
            player,
            bin,
        } = turn;
        let name = words::coloured(player, player, false);
        let mut text = format!(
            "{number:>3}  {name} into bin {bin}: {}",
            worth(verdict.made)
        );
        let mark = mark(verdict.fault());
        if !mark.is_empty() {
            let bins: Vec<String> = verdict.best_bins.iter().map(Bin::to_string).collect();
            let best = worth(verdict.best);
            text.push_str(&format!(" {mark} bin {}: {best}", bins.join(" or ")));
        }
        self.line(text)
    }

    fn challenge_made(&mut self, made: &ChallengeMade<'_>) -> Printed {
        let ChallengeMade { number, reach, .. } = made;
        self.deployment("the contract", made.deployment)?;
        self.transaction(&format!("made challenge {number}"), made.sent)?;
        if let Some(challenge) = made.challenge {
            let terms = words::challenge(challenge, &self.token);
            self.line(format!("  {terms}"))?;
        }
        self.line(format!(
            "your opponent accepts it by\n  connect4 accept --challenge {number} --play{reach}"
        ))
    }

    fn open_challenge(&mut self, number: u32, challenge: &Challenge) -> Printed {
        let terms = words::challenge(challenge, &self.token);
        self.line(format!("{number:>5}  {terms}"))
    }

    fn no_challenges(&mut self) -> Printed {
        self.line("no open challenges")
    }

    fn accepted(&mut self, challenge: u32, at: &GameAt<'_>, sent: Sent<'_>) -> Printed {
        let text = format!("accepted challenge {challenge}: game {}", at.number);
        self.transaction(&text, sent)
    }

    fn how_to_play(&mut self, game: u32, reach: &str) -> Printed {
        self.line(format!(
            "play it by\n  connect4 play --game {game} --seat <red or blue>{reach}"
        ))
    }

    fn done(&mut self, deed: Deed, sent: Sent<'_>) -> Printed {
        let text = match deed {
            Deed::Declined(challenge) => format!("declined challenge {challenge}"),
            Deed::Cancelled(challenge) => format!("cancelled challenge {challenge}"),
            Deed::DrawOffered(game) => {
                format!("offered a draw in game {game}: it lapses when the opponent moves")
            }
            Deed::DrawDeclined(game) => format!("declined the draw in game {game}"),
            Deed::RematchOffered(game) => format!("offered a rematch of game {game}"),
            Deed::RematchDeclined(game) => format!("declined the rematch of game {game}"),
            Deed::Freed(game) => format!("freed the storage of game {game}"),
        };
        self.transaction(&text, sent)
    }

    fn ended(&mut self, at: &GameAt<'_>, sent: Option<Sent<'_>>) -> Printed {
        let text = standing(at.game);
        match (sent, at.game.winner()) {
            (Some(sent), _) => self.transaction(&format!("game {} ended: {text}", at.number), sent),
            (None, Some(player)) => self.line(words::coloured(player, text, true)),
            (None, None) => self.line(text),
        }
    }

    fn rematch(&mut self, previous: u32, at: &GameAt<'_>, sent: Sent<'_>) -> Printed {
        let text = format!("started game {}, the rematch of game {previous}", at.number);
        self.transaction(&text, sent)?;
        self.players(at.game)
    }

    fn paid(&mut self, paid: &Paid<'_>) -> Printed {
        let Paid {
            signer,
            player,
            amount,
            sent,
        } = paid;
        let amount = self.token.contract_amount(*amount);
        match *player {
            Some(player) => {
                let name = words::coloured(player, player, false);
                let cost = self.dim_cost(*sent);
                self.line(format!("{name} was paid {amount}: {cost}"))
            }
            None => self.transaction(&format!("{signer} was paid {amount}"), *sent),
        }
    }

    fn standing(
        &mut self,
        of: StandingOf,
        first: bool,
        standing: &Standing,
        _complete: bool,
    ) -> Printed {
        if first {
            match of {
                StandingOf::Classic => {}
                StandingOf::Two => self.line("variants of two players:")?,
                StandingOf::More => self.line("variants of three and four players:")?,
            }
            self.line("rating  wins  draws  losses  account")?;
        }
        self.line(format!(
            "{:>6.0}  {:>4}  {:>5}  {:>6}  {}",
            standing.rating,
            standing.wins,
            standing.draws,
            standing.losses,
            words::who(standing.account)
        ))
    }

    fn incomplete(&mut self, incomplete: &Incomplete) -> Printed {
        let Incomplete {
            of,
            gaps,
            recorded,
            lost,
        } = incomplete;
        let of = match of {
            StandingsOf::Classic => "classic games",
            StandingsOf::Variants => "variants",
        };
        for gap in gaps {
            self.line(format!("incomplete for {of}: {gap}"))?;
        }
        if *recorded > 0 {
            self.line(format!(
                "{} that started then {} in the contract's storage: results count, ratings are as if \
                 those that ended then had ended in the order of their numbers",
                words::games(*recorded),
                if *recorded == 1 { "is" } else { "are" },
            ))?;
        }
        if *lost > 0 {
            self.line(format!(
                "{} that started then {} not in the contract's storage any more and not counted",
                words::games(*lost),
                if *lost == 1 { "is" } else { "are" },
            ))?;
        }
        Ok(())
    }

    fn no_standings(&mut self) -> Printed {
        self.line("no finished games yet")
    }

    fn account(&mut self, account: &Account<'_>) -> Printed {
        let balance = self.token.amount(account.balance);
        self.line(format!(
            "{:<8} {}  {balance}\n         {}",
            account.signer.to_string(),
            account.signer.account(),
            account.signer.address()
        ))
    }

    fn serving(&mut self, serving: &Serving<'_>) -> Printed {
        let Serving { addr, key, place } = serving;
        let url = serving.url();
        self.line(format!("Play at {url}/#key={key}"))?;
        words::remark(format!(
            "On {place}. Anyone with that link can play with your accounts; {url} alone lets others \
             watch. Ctrl-C stops it"
        ));
        if !addr.ip().is_loopback() {
            words::remark(format!(
                "Other machines reach it at http://<this machine's address>:{}; what they send is \
                 not encrypted",
                addr.port()
            ));
        }
        Ok(())
    }

    fn failed(&mut self, failure: &Failure) {
        words::remark(format!("error: {failure}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Greeting, Note, Screen};
    use crate::report::Moved;
    use crate::samples::{Output, challenge, game, receipt, signer};

    fn people() -> (People, Output) {
        console::set_colors_enabled(false);
        let output = Output::default();
        (People::on(Box::new(output.clone())), output)
    }

    #[test]
    fn lists_are_one_game_or_challenge_a_line() {
        let (mut people, output) = people();
        let contract = signer("alice").address();
        people.listed(contract, 7, Some(&game("61"))).unwrap();
        people.listed(contract, 8, None).unwrap();
        assert_eq!(
            output.take(),
            "    7  6x4, line 4     alice - bob  turns 2, red to move\n    \
             8  ended, its storage freed\n"
        );
        people.open_challenge(3, &challenge()).unwrap();
        let text = output.take();
        let terms = "6x4, line 4; the challenger begins; 5:00 min for all moves and 5 s more with \
                     each; stake 10 UNIT each\n";
        assert!(text.starts_with("    3  alice (0x"), "{text}");
        assert!(text.ends_with(terms), "{text}");
    }

    #[test]
    fn a_transaction_is_told_with_what_it_cost() {
        let (mut people, output) = people();
        let receipt = receipt(());
        people.done(Deed::Freed(7), (&receipt).into()).unwrap();
        let text = output.take();
        assert!(text.starts_with("freed the storage of game 7\n  block 3, transaction 0xabab"));
        assert!(
            text.ends_with("abab, fee 7 UNIT, deposit 2 UNIT\n"),
            "{text}"
        );
    }

    #[test]
    fn the_last_move_is_told_with_the_next_board_of_the_same_game() {
        let (mut people, output) = people();
        let game = game("6");
        let at = GameAt {
            contract: signer("alice").address(),
            number: 7,
            game: &game,
        };
        let moved = Moved {
            player: Player::One,
            bin: Bin::new(5),
            row: 0,
            after: at,
            sent: None,
        };
        people.moved(&moved).unwrap();
        assert_eq!(output.take(), "");
        assert_eq!(
            people.latest_note().as_deref(),
            Some("red into bin 5, row 0")
        );
        people.note(&Note::OutOfTime).unwrap();
        assert_eq!(
            people.latest_note().as_deref(),
            Some("your time has run out")
        );
        let greeting = Greeting {
            at,
            of_match: &Match::default(),
            place: "a chain in memory".into(),
            seat: crate::args::Seat::Both,
            invitation: None,
            computer: None,
        };
        people.greet(&greeting).unwrap();
        assert_eq!(people.latest_note(), None);
    }
}
