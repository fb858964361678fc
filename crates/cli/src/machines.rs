//! JSON for machines: one object a line, by the types of `connect4_wire`.

mod variant;

use std::io::{self, Write};
use std::time::Duration;

use connect4_client::{Address, Occurrence, Outages, Standing, Token, Unrated};
use connect4_opponent::Verdict;
use connect4_protocol::message::ContractKind;
use connect4_protocol::{AnyGame, Challenge, Game, Match};
use connect4_rules::ByPlayer;
use connect4_wire as wire;
use connect4_wire::warnings::Warning;
use serde::Serialize;

use crate::failure::Failure;
use crate::report::{
    Account, ChallengeMade, Deed, Deployed, Dropped, GameAt, Hosting, Incomplete, OwedTo,
    PageFiles, Paid, Printed, Progress, Relaying, Report, Sent, Serving, SignedText, StandingOf,
    StandingsOf, Started, Turn, unknown_token,
};
use crate::words::remark;

/// Prints one JSON object a line.
pub struct Machines {
    out: Box<dyn Write>,
    token: Token,
    outages: Option<Outages>,
}

impl Machines {
    /// A printer on standard output.
    pub fn new() -> Self {
        Self::on(Box::new(io::stdout()))
    }

    /// A printer on any output.
    pub fn on(out: Box<dyn Write>) -> Self {
        Self {
            out,
            token: unknown_token(),
            outages: None,
        }
    }

    /// Prints an object.
    pub fn print(&mut self, value: &impl Serialize) -> Printed {
        serde_json::to_writer(&mut self.out, value)?;
        writeln!(self.out)?;
        self.out.flush()
    }

    /// The chain's token.
    pub const fn token(&self) -> &Token {
        &self.token
    }
}

/// A game as JSON.
pub fn game(at: &GameAt<'_>) -> wire::Game {
    wire::Game::new(at.number, at.contract, at.game)
}

/// A transaction as JSON.
pub fn receipt(sent: Sent<'_>) -> wire::Receipt {
    wire::Receipt {
        transaction: sent.transaction.into(),
        deposit: sent.deposit.into(),
    }
}

impl Report for Machines {
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
        self.print(&wire::Report::Away { url: url.into() })
    }

    fn node_back(&mut self, url: &str, lasted: Duration) -> Printed {
        self.print(&wire::Report::Back {
            url: url.into(),
            seconds: lasted.as_secs(),
        })
    }

    fn progress(&self) -> Progress {
        Progress::hidden()
    }

    fn deployed(&mut self, deployed: &Deployed<'_>) -> Printed {
        let deployment = deployed.deployment;
        let upload_of = |kind| deployment.upload_of(kind).map(wire::Receipt::from);
        self.print(&wire::Deployed {
            contract: deployed.contract.into(),
            games: deployed.games.into(),
            fast: deployed.fast.map(Into::into),
            deployer: deployed.deployer.address().into(),
            upload: upload_of(ContractKind::Games),
            fast_upload: upload_of(ContractKind::Fast),
            transaction: deployment.receipt.as_ref().map(wire::Receipt::from),
            variants: deployed.variants.address.into(),
            variants_transaction: deployed.variants.receipt.as_ref().map(wire::Receipt::from),
        })
    }

    fn started(&mut self, started: &Started<'_>) -> Printed {
        self.print(&wire::Started {
            game: started.number.into(),
            contract: started.contract.into(),
            red: started.red.into(),
            blue: started.blue.into(),
            shape: started.shape.into(),
            transaction: receipt(started.sent),
        })
    }

    fn dropped(&mut self, dropped: &Dropped<'_>) -> Printed {
        self.print(&wire::Dropped {
            bin: dropped.bin.index(),
            row: dropped.row,
            game: game(&dropped.after),
            transaction: receipt(dropped.sent),
        })
    }

    fn shown(&mut self, at: &GameAt<'_>, of_match: &Match, owed: &[OwedTo<'_>]) -> Printed {
        let r#match = wire::Match::new(at.game, of_match, &self.token);
        let of = |player| {
            let account = at.game.account_of(player);
            let of_account = owed.iter().find(|owed| owed.owed.account == account);
            let amount = of_account.map_or(0, |owed| owed.owed.total());
            wire::Amount::of_contract(amount, &self.token)
        };
        let owed = ByPlayer::from_fn(of).into();
        let game = wire::GameWithMatch {
            game: game(at),
            r#match,
        };
        self.print(&wire::ShownGame { game, owed })
    }

    fn listed(&mut self, contract: Address, number: u32, listed: Option<&Game>) -> Printed {
        match listed {
            Some(listed) => self.print(&wire::Game::new(number, contract, listed)),
            None => Ok(()),
        }
    }

    fn watching(&mut self, at: &GameAt<'_>, _of_match: &Match) -> Printed {
        self.print(&game(at))
    }

    fn event(&mut self, at: &Occurrence, of_game: Option<&Game>) -> Printed {
        let of_game = of_game.map(|game| AnyGame::Two(*game));
        self.print(&wire::Event::new(at, of_game.as_ref(), &self.token))
    }

    fn event_taken_back(&mut self, at: &Occurrence, of_game: Option<&Game>) -> Printed {
        let of_game = of_game.map(|game| AnyGame::Two(*game));
        self.print(&wire::Event::new(at, of_game.as_ref(), &self.token).taken_back())
    }

    fn reviewed(&mut self, turn: Turn, verdict: &Verdict) -> Printed {
        let Turn {
            number,
            player,
            bin,
        } = turn;
        self.print(&wire::Verdict::new(number, player, bin, verdict))
    }

    fn challenge_made(&mut self, made: &ChallengeMade<'_>) -> Printed {
        let terms = made
            .challenge
            .map(|open| wire::OpenChallenge::new(made.number, open, &self.token, made.warnings));
        self.print(&wire::Report::Challenge {
            challenge: made.number,
            contract: made.contract.into(),
            terms,
            transaction: receipt(made.sent),
        })
    }

    fn open_challenge(
        &mut self,
        number: u32,
        challenge: &Challenge,
        warnings: &[Warning],
    ) -> Printed {
        let token = &self.token;
        self.print(&wire::OpenChallenge::new(
            number, challenge, token, warnings,
        ))
    }

    fn challenge_signed(&mut self, signed: &SignedText<'_>) -> Printed {
        self.print(&wire::Report::SignedChallenge {
            text: signed.text.into(),
        })
    }

    fn accepted(&mut self, challenge: Option<u32>, at: &GameAt<'_>, sent: Sent<'_>) -> Printed {
        self.print(&wire::Report::Accepted {
            challenge,
            game: game(at).into(),
            transaction: receipt(sent),
        })
    }

    fn done(&mut self, deed: Deed, sent: Sent<'_>) -> Printed {
        let transaction = receipt(sent);
        self.print(&match deed {
            Deed::Declined(_) => wire::Report::Declined { transaction },
            Deed::Cancelled(_) => wire::Report::Cancelled { transaction },
            Deed::DrawOffered(_) => wire::Report::DrawOffered { transaction },
            Deed::DrawDeclined(_) => wire::Report::DrawDeclined { transaction },
            Deed::RematchOffered(_) => wire::Report::RematchOffered { transaction },
            Deed::RematchDeclined(_) => wire::Report::RematchDeclined { transaction },
            Deed::Freed(_) => wire::Report::Freed { transaction },
        })
    }

    fn ended(&mut self, at: &GameAt<'_>, sent: Option<Sent<'_>>) -> Printed {
        self.print(&wire::Report::Ended {
            winner: at.game.winner().map(wire::Colour::from),
            game: game(at).into(),
            transaction: sent.map(receipt),
        })
    }

    fn rematch(&mut self, _previous: u32, at: &GameAt<'_>, sent: Sent<'_>) -> Printed {
        self.print(&wire::Report::Rematch {
            game: game(at).into(),
            transaction: receipt(sent),
        })
    }

    fn owed(&mut self, owed: &OwedTo<'_>) -> Printed {
        let owed = wire::Owed::new(owed.owed, &self.token);
        self.print(&wire::Report::Owed(owed))
    }

    fn paid(&mut self, paid: &Paid<'_>) -> Printed {
        self.print(&wire::Report::Withdrawn {
            account: paid.signer.address().into(),
            amount: wire::Amount::of_contract(paid.amount, &self.token),
            transaction: receipt(paid.sent),
        })
    }

    fn standing(
        &mut self,
        of: StandingOf,
        _first: bool,
        standing: &Standing,
        complete: bool,
    ) -> Printed {
        self.print(&wire::Standing::new(standing_of(of), standing, complete))
    }

    fn unrated(&mut self, of: StandingOf, unrated: Unrated) -> Printed {
        self.print(&wire::Unrated::new(standing_of(of), unrated))
    }

    fn incomplete(&mut self, incomplete: &Incomplete) -> Printed {
        self.print(&wire::Incomplete {
            incomplete: match incomplete.of {
                StandingsOf::Classic => wire::StandingsOf::Classic,
                StandingsOf::Variants => wire::StandingsOf::Variants,
            },
            missing: incomplete.gaps.iter().map(wire::Gap::from).collect(),
            recorded: incomplete.recorded,
            lost: incomplete.lost,
        })
    }

    fn account(&mut self, account: &Account<'_>) -> Printed {
        self.print(&wire::DevelopmentAccount {
            account: wire::Account::new(account.signer, Some(account.balance)),
            mapped: account.is_mapped,
        })
    }

    fn serving(&mut self, serving: &Serving<'_>) -> Printed {
        self.print(&wire::Report::Serving {
            url: serving.url(),
            key: serving.key.clone(),
        })
    }

    fn page_written(&mut self, written: &PageFiles<'_>) -> Printed {
        self.print(&wire::Report::PageWritten {
            files: written.files,
            sha256: written.sha256.to_owned(),
        })
    }

    fn hosting(&mut self, hosting: &Hosting<'_>) -> Printed {
        self.print(&wire::Report::Hosting { url: hosting.url() })
    }

    fn relaying(&mut self, relaying: &Relaying<'_>) -> Printed {
        self.print(&wire::Report::Relaying {
            url: relaying.url(),
        })
    }

    fn failed(&mut self, failure: &Failure) {
        let failed = wire::Failed {
            error: failure.to_string(),
            status: failure.status(),
        };
        if let Ok(failed) = serde_json::to_string(&failed) {
            remark(failed);
        }
    }
}

const fn standing_of(of: StandingOf) -> wire::StandingOf {
    match of {
        StandingOf::Classic => wire::StandingOf::Classic,
        StandingOf::Two => wire::StandingOf::Two,
        StandingOf::More => wire::StandingOf::More,
    }
}
