//! What commands report, for people.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use connect4_client::{
    Address, GameId, MOST_OF_A_PAIR, Occurrence, Outages, Standing, Token, Unrated,
};
use connect4_opponent::Verdict;
use connect4_protocol::{AnyGame, Challenge, Game, Match};
use connect4_rules::{Bin, Player, Position, notation};
use connect4_wire::warnings::Warning;
use connect4_wire::words::{mark, now, standing, worth};

use super::{People, event};
use crate::failure::Failure;
use crate::report::{
    Account, ChallengeMade, Deed, Deployed, Dropped, GameAt, Hosting, Incomplete, OwedTo,
    PageFiles, Paid, Printed, Progress, Relaying, Report, Sent, Serving, SignedText, StandingOf,
    StandingsOf, Started, Turn,
};
use crate::words;

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
        self.interject(&format!("the node at {url} responds again"))
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
        self.line(format!(
            "started game {} of the contract {contract}",
            GameId::of_two(*number)
        ))?;
        self.line(format!("  red: {}", words::who(*red)))?;
        self.line(format!("  blue: {}", words::who(*blue)))?;
        self.line(format!("  {}", self.cost(*sent)))?;
        self.line(words::NO_CLOCK)
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

    fn shown(&mut self, at: &GameAt<'_>, of_match: &Match, owed: &[OwedTo<'_>]) -> Printed {
        let GameAt { contract, game, .. } = *at;
        self.line(format!(
            "game {} of the contract {contract}: {}",
            at.id(),
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
        for owed in owed {
            self.owed(owed)?;
        }
        Ok(())
    }

    fn listed(&mut self, _contract: Address, number: u32, game: Option<&Game>) -> Printed {
        let id = GameId::of_two(number).to_string();
        match game {
            None => self.line(format!("{id:>5}  ended, its storage freed")),
            Some(game) => self.line(format!(
                "{id:>5}  {:<14}  {} - {}  turns {}, {}",
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

    fn watching(&mut self, at: &GameAt<'_>, of_match: &Match) -> Printed {
        let game = at.game;
        self.line(format!("game {}: {}", at.id(), game.shape()))?;
        self.players(game)?;
        for text in words::of_match(game, of_match, &self.token) {
            self.line(text)?;
        }
        self.board(&game.position())?;
        if game.is_over() {
            self.line(standing(game))?;
        }
        Ok(())
    }

    fn event(&mut self, at: &Occurrence, game: Option<&Game>) -> Printed {
        self.line(event::text(
            at,
            game.map(|game| AnyGame::Two(*game)).as_ref(),
            None,
            &self.token,
        ))
    }

    fn event_taken_back(&mut self, at: &Occurrence, game: Option<&Game>) -> Printed {
        let event = event::text(
            at,
            game.map(|game| AnyGame::Two(*game)).as_ref(),
            None,
            &self.token,
        );
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
            if challenge.terms.clock.is_none() {
                self.line(format!("  {}", words::NO_CLOCK))?;
            }
        }
        self.warnings(made.warnings)?;
        self.line(format!(
            "your opponent accepts it by\n  connect4 accept --challenge {number} --play{reach}"
        ))
    }

    fn open_challenge(
        &mut self,
        number: u32,
        challenge: &Challenge,
        _warnings: &[Warning],
    ) -> Printed {
        let terms = words::challenge(challenge, &self.token);
        self.line(format!("{number:>5}  {terms}"))
    }

    fn challenge_signed(&mut self, signed: &SignedText<'_>) -> Printed {
        self.deployment("the contract", signed.deployment)?;
        let terms = words::challenge(signed.challenge, &self.token);
        self.line(format!(
            "signed a challenge, and sent nothing to the chain\n  {terms}"
        ))?;
        let SignedText { text, reach, .. } = signed;
        self.line(format!(
            "your opponent starts the game by\n  connect4 accept {text} --play{reach}"
        ))
    }

    fn terms(
        &mut self,
        number: Option<u32>,
        challenge: &Challenge,
        by: Address,
        warnings: &[Warning],
    ) -> Printed {
        let which = match number {
            Some(number) => format!("challenge {number}"),
            None => "signed challenge".into(),
        };
        self.line(format!("{which}, for {}:", words::who(by)))?;
        for text in words::terms(challenge, by, &self.token) {
            self.line(format!("  {text}"))?;
        }
        self.warnings(warnings)
    }

    fn not_accepted(&mut self) -> Printed {
        self.line("not accepted: nothing was paid")
    }

    fn no_challenges(&mut self) -> Printed {
        self.line("no open challenges")
    }

    fn accepted(&mut self, challenge: Option<u32>, at: &GameAt<'_>, sent: Sent<'_>) -> Printed {
        let which = match challenge {
            Some(number) => format!("challenge {number}"),
            None => "the signed challenge".into(),
        };
        let text = format!("accepted {which}: game {}", at.id());
        self.transaction(&text, sent)?;
        if at.game.clock().is_none() && !at.id().is_fast() {
            self.line(words::NO_CLOCK)?;
        }
        Ok(())
    }

    fn how_to_play(&mut self, game: u32, reach: &str) -> Printed {
        self.line(format!(
            "play it by\n  connect4 play --game {} --seat <red or blue>{reach}",
            GameId::of_two(game)
        ))
    }

    fn done(&mut self, deed: Deed, sent: Sent<'_>) -> Printed {
        let text = match deed {
            Deed::Declined(challenge) => format!("declined challenge {challenge}"),
            Deed::Cancelled(challenge) => format!("cancelled challenge {challenge}"),
            Deed::DrawOffered(game) => {
                let game = GameId::of_two(game);
                format!("offered a draw in game {game}: it lapses when the opponent moves")
            }
            Deed::DrawDeclined(game) => {
                format!("declined the draw in game {}", GameId::of_two(game))
            }
            Deed::RematchOffered(game) => {
                format!("offered a rematch of game {}", GameId::of_two(game))
            }
            Deed::RematchDeclined(game) => {
                format!("declined the rematch of game {}", GameId::of_two(game))
            }
            Deed::Freed(game) => format!("freed the storage of game {}", GameId::of_two(game)),
        };
        self.transaction(&text, sent)
    }

    fn ended(&mut self, at: &GameAt<'_>, sent: Option<Sent<'_>>) -> Printed {
        let text = standing(at.game);
        match (sent, at.game.winner()) {
            (Some(sent), _) => self.transaction(&format!("game {} ended: {text}", at.id()), sent),
            (None, Some(player)) => self.line(words::coloured(player, text, true)),
            (None, None) => self.line(text),
        }
    }

    fn rematch(&mut self, previous: u32, at: &GameAt<'_>, sent: Sent<'_>) -> Printed {
        let previous = GameId::of_two(previous);
        let text = format!("started game {}, the rematch of game {previous}", at.id());
        self.transaction(&text, sent)?;
        self.players(at.game)
    }

    fn owed(&mut self, owed: &OwedTo<'_>) -> Printed {
        let amount = self.token.contract_amount(owed.owed.total());
        let name = words::name(owed.owed.account);
        self.line(format!(
            "{name} is owed {amount}, paid by\n  {}",
            owed.command
        ))
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
            self.line("rating  wins  draws  losses  rated  account")?;
        }
        self.line(format!(
            "{:>6.0}  {:>4}  {:>5}  {:>6}  {:>5}  {}",
            standing.rating,
            standing.wins,
            standing.draws,
            standing.losses,
            standing.rated,
            words::who(standing.account)
        ))
    }

    fn unrated(&mut self, _of: StandingOf, unrated: Unrated) -> Printed {
        let Unrated {
            aborted,
            other_board,
            frequent,
            short,
        } = unrated;
        let reasons = [
            (other_board, "on other boards than 7x6, line 4".to_owned()),
            (
                frequent,
                format!(
                    "above the limit of {MOST_OF_A_PAIR} of the same two accounts within 24 hours"
                ),
            ),
            (
                short,
                "that ended before a line was possible, a loss only".to_owned(),
            ),
            (aborted, "without a result".to_owned()),
        ];
        let reasons: Vec<String> = reasons
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{} {reason}", words::games(count)))
            .collect();
        self.line(format!("not rated: {}", reasons.join("; ")))
    }

    fn ratings_are_no_proof(&mut self) -> Printed {
        self.line("ratings are no proof against one person with many accounts")
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
                "{} that started then {} in the contract's storage: their results count, and \
                 ratings assume that they ended in the order of their numbers",
                words::games(*recorded),
                if *recorded == 1 { "is" } else { "are" },
            ))?;
        }
        if *lost > 0 {
            self.line(format!(
                "{} that started then {} no longer in the contract's storage and not counted",
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
            "On {place}. Anyone with that link can play with your accounts; {url} alone lets \
             others watch. Ctrl-C stops it"
        ));
        if !addr.ip().is_loopback() {
            words::remark(format!(
                "Other machines reach it at http://<this machine's address>:{}; the connection is \
                 not encrypted",
                addr.port()
            ));
        }
        Ok(())
    }

    fn page_written(&mut self, written: &PageFiles<'_>) -> Printed {
        let folder = written.folder.display();
        self.line(format!("wrote {} files to {folder}", written.files))?;
        self.line(format!("SHA-256 of index.html: {}", written.sha256))?;
        words::remark(
            "index.html has the hashes of the scripts and styles that it names; SHA256SUMS lists \
             those of all files",
        );
        Ok(())
    }

    fn hosting(&mut self, hosting: &Hosting<'_>) -> Printed {
        let Hosting { addr, place } = hosting;
        self.line(format!("Host at {}", hosting.url()))?;
        words::remark(format!(
            "On {place}. It has no accounts: players use their own wallets. Ctrl-C stops it"
        ));
        if !addr.ip().is_loopback() {
            words::remark(
                "Connections are not encrypted: put a reverse proxy in front of it, see \
                 docs/hosting.md",
            );
        }
        Ok(())
    }

    fn relaying(&mut self, relaying: &Relaying<'_>) -> Printed {
        let Relaying { addr, place } = relaying;
        self.line(format!("Relay at {}", relaying.url()))?;
        words::remark(format!("On {place}. Ctrl-C stops it"));
        if !addr.ip().is_loopback() {
            words::remark(format!(
                "Other machines reach it at ws://<this machine's address>:{}",
                addr.port()
            ));
        }
        Ok(())
    }

    fn failed(&mut self, failure: &Failure) {
        words::remark(format!("error: {failure}"));
    }
}
