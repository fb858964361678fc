//! JSON of what is said, by the types of `connect4_wire`.

use connect4_client::signed::Call;
use connect4_client::{GameId, Occurrence, Token};
use connect4_protocol::signed::{GameNumber, PoolName};
use connect4_protocol::{AnyGame, GameName};
use connect4_rules::Player;
use connect4_rules::variant::Colour;
use connect4_wire::{self as wire, JsonLine, Report};

use crate::game::GameAt;
use crate::people;
use crate::said::{
    BotGame, BotNews, Deployed, Done, Evaluated, Left, Looked, Made, Said, Seeking, SeekingNews,
    Sent, Step, Verified, from_here,
};

/// The line of `--json` that says this; none if programs do not need it, because another line has it
/// or because it only leads the reader.
pub fn line(said: &Said<'_>, token: &Token) -> Option<JsonLine> {
    Some(match said {
        Said::Deployed(deployed) => self::deployed(deployed).into(),
        Said::Started { at, sent, .. } => started(at, *sent),
        Said::TableOpened { at, sent, .. } => Report::TableOpened {
            game: game(at),
            transaction: receipt(*sent),
        }
        .into(),
        Said::Made(made) | Said::Moved(made) => self::made(made, matches!(said, Said::Made(_)))?,
        Said::Shown(at) | Said::Watching(at) => (*game(at)).into(),
        Said::Listed {
            contract,
            id,
            game: listed,
        } => {
            let at = GameAt {
                contract: *contract,
                id: (*id).into(),
                game: (*listed)?,
                clock: None,
            };
            (*game(&at)).into()
        }
        Said::Event { at, game, .. } => event(at, *game).into(),
        Said::EventUndone { at, game } => event(at, *game).taken_back().into(),
        Said::Puzzle(report) => (*report).clone().into(),
        Said::Reviewed {
            turn,
            player,
            bin,
            verdict,
            spent,
        } => wire::Verdict::new(*turn, *player, *bin, verdict, *spent).into(),
        Said::Done(done, sent) => self::done(*done, *sent),
        Said::Ended { at, sent } => ended(at, *sent)?,
        Said::Joined { account, at, sent } => {
            let AnyGame::Variant(game) = &at.game else {
                return None;
            };
            let seat = game
                .seats()
                .position(|(joined, _)| joined == Some(*account));
            Report::Joined {
                account: *account,
                // One of at most four.
                seat: seat.map_or(0, |seat| seat as u8),
                game: self::game(at),
                transaction: sent.map(receipt),
            }
            .into()
        }
        Said::Left(left) | Said::PlayerLeft(left) => self::left(left)?,
        Said::Paid {
            signer,
            amount,
            sent,
        } => Report::Withdrawn {
            account: signer.address(),
            amount: wire::Amount::of_contract(*amount, token),
            transaction: receipt(*sent),
        }
        .into(),
        Said::Staked { game, call, sent } => staked(*game, call, *sent, token),
        Said::StakeOwed { game, owed } => Report::StakeOwed {
            game: *game,
            owed: wire::Amount::of_contract(*owed, token),
        }
        .into(),
        Said::RecordCost {
            games,
            transactions,
            fee,
            deposit,
        } => Report::RecordCost {
            games: *games,
            transactions: *transactions,
            fee: (*fee).into(),
            deposit: (*deposit).into(),
        }
        .into(),
        Said::NotRecorded { game, why } => Report::NotRecorded {
            game: (*game).into(),
            why: (*why).into(),
        }
        .into(),
        Said::Recorded { games, sent } => Report::Recorded {
            games: games.iter().map(ToString::to_string).collect(),
            transaction: receipt(*sent),
        }
        .into(),
        Said::Exported(record) => Report::Exported {
            game: record.name(),
            record: record.to_string(),
        }
        .into(),
        Said::Evaluated { moves, evaluated } => match evaluated {
            Evaluated::Open(found) => Report::Evaluated {
                moves: (*moves).into(),
                score: Some(found.score),
                best_bins: found.best_bins.iter().map(|bin| bin.index()).collect(),
                discs_left: found.discs_left,
                outcome: None,
            },
            Evaluated::Over(outcome) => Report::Evaluated {
                moves: (*moves).into(),
                score: None,
                best_bins: Vec::new(),
                discs_left: 0,
                outcome: Some(outcome.to_string()),
            },
        }
        .into(),
        Said::PassedOver { file, line, why } => Report::PassedOver {
            file: file.display().to_string(),
            line: *line,
            why: (*why).into(),
        }
        .into(),
        Said::Verified(verified) => self::verified(verified).into(),
        Said::Sponsored(sponsored) => Report::Sponsored {
            account: sponsored.account,
            budget: sponsored.budget.into(),
            spent: sponsored.spent.into(),
            spent_in_all: sponsored.spent_in_all.into(),
            games: sponsored.games,
            sending: sponsored.sending,
            waiting: sponsored.waiting,
        }
        .into(),
        Said::Bot(news) => bot(news),
        Said::Seeking(Seeking {
            counts,
            waited,
            news,
        }) => Report::Seeking {
            waiting: counts.map(|counts| counts.waiting),
            playing: counts.map(|counts| counts.playing),
            seconds: waited.as_secs(),
            program: match news {
                SeekingNews::Program(program) => Some(program.party().account()),
                _ => None,
            },
            alone: *news == SeekingNews::Computer,
        }
        .into(),
        Said::Standing {
            of,
            standing,
            complete,
            ..
        } => wire::Standing::new(*of, standing, *complete).into(),
        Said::Unrated { of, unrated } => wire::Unrated::new(*of, *unrated).into(),
        Said::Incomplete(incomplete) => wire::Incomplete {
            incomplete: incomplete.of,
            missing: incomplete.gaps.iter().map(wire::Gap::from).collect(),
            recorded: incomplete.recorded,
            lost: incomplete.lost,
        }
        .into(),
        Said::Account {
            signer,
            balance,
            is_mapped,
        } => wire::DevelopmentAccount {
            account: wire::Account::new(signer, Some(*balance)),
            mapped: *is_mapped,
        }
        .into(),
        Said::Serving {
            addr, key, witness, ..
        } => Report::Serving {
            url: format!("http://{}", from_here(*addr)),
            key: (*key).into(),
            witness: witness.map(|witness| witness.key),
        }
        .into(),
        Said::PageWritten { files, sha256, .. } => Report::PageWritten {
            files: *files,
            sha256: (*sha256).into(),
        }
        .into(),
        Said::Hosting { addr, witness, .. } => Report::Hosting {
            url: format!("http://{}", from_here(*addr)),
            witness: witness.map(|witness| witness.key),
        }
        .into(),
        Said::Relaying { addr, witness, .. } => Report::Relaying {
            url: format!("ws://{}", from_here(*addr)),
            witness: witness.map(|witness| witness.key),
        }
        .into(),
        Said::Away { url } => Report::Away { url: (*url).into() }.into(),
        Said::Back { url, lasted } => Report::Back {
            url: (*url).into(),
            seconds: lasted.as_secs(),
        }
        .into(),
        Said::Raised(what) => Report::Raised {
            what: (*what).into(),
        }
        .into(),
        Said::Greeting(greeting) => match greeting.at.game {
            AnyGame::Two(_) => Report::Game {
                game: game(&greeting.at),
            }
            .into(),
            AnyGame::Variant(_) => Report::Variant {
                game: game(&greeting.at),
            }
            .into(),
        },
        Said::Invalid {
            game,
            colour,
            reason,
        }
        | Said::Refused {
            game,
            colour,
            reason,
        } => refused(*game, *colour, reason)?,
        Said::Note(note) => text(people::note(note, token)),
        Said::Notice(notice) => text((*notice).into()),
        Said::Undone { count, after, .. } => match after.game {
            AnyGame::Two(_) => Report::TakenBack {
                count: *count,
                game: game(after),
            }
            .into(),
            AnyGame::Variant(_) => Report::VariantTakenBack {
                count: *count,
                game: game(after),
            }
            .into(),
        },
        Said::Sending(_)
        | Said::NoGames { .. }
        | Said::OlderGames { .. }
        | Said::VariantsFollow
        | Said::NoTables
        | Said::Following { .. }
        | Said::Board(_)
        | Said::ToMove(_)
        | Said::Replayed { .. }
        | Said::ReplayedByTerms(_)
        | Said::ExportedTo { .. }
        | Said::Reviewing { .. }
        | Said::RatingsAreNoProof
        | Said::NoStandings
        | Said::Opened { .. }
        | Said::WaitingForPlayers(_)
        | Said::Ask { .. }
        | Said::Waiting { .. }
        | Said::Overtaken(_)
        | Said::RematchDeclined => return None,
    })
}

fn bot(news: &BotNews) -> JsonLine {
    let game = |game: &BotGame| wire::BotGame {
        game: game.number.to_string(),
        opponent: game.opponent,
        program: game.is_program,
        first: game.seat == Player::One,
        moves: game.game.moves(),
    };
    match news {
        BotNews::Ready(ready) => Report::BotReady {
            account: ready.account,
            name: ready.name.clone(),
            level: ready.level.to_string(),
            relay: ready.relay.clone(),
            pool: PoolName(ready.sought.pool).to_string(),
            shape: ready.sought.shape,
            pie_rule: ready.sought.pie_rule,
        },
        BotNews::Began(began) | BotNews::Resumed(began) => Report::BotBegan {
            game: game(began),
            resumed: matches!(news, BotNews::Resumed(_)),
        },
        BotNews::Waits(waits) => Report::BotWaits(game(waits)),
        BotNews::Left(left) => Report::BotLeft(game(left)),
        BotNews::NotBegun(agreed) => Report::BotNotBegun(game(agreed)),
        BotNews::Ended(ended) => Report::BotEnded {
            game: game(ended),
            won: ended.has_won(),
            end: ended.game.end(),
        },
        BotNews::Unfinished(unfinished) => Report::BotUnfinished(game(unfinished)),
        BotNews::Trouble(text) => Report::Note { text: text.clone() },
    }
    .into()
}

fn staked(game: Option<GameNumber>, call: &Call, sent: Sent<'_>, token: &Token) -> JsonLine {
    let what = match call {
        Call::Fund { .. } => wire::StakedStep::Stake,
        Call::Refund => wire::StakedStep::Refund,
        Call::Advance { press: false, .. } => wire::StakedStep::Advance,
        Call::Advance { press: true, .. } | Call::Press => wire::StakedStep::Press,
        Call::Drop { .. } => wire::StakedStep::Move,
        Call::Claim => wire::StakedStep::Claim,
        Call::Withdraw => wire::StakedStep::Withdrawal,
        Call::Free => wire::StakedStep::Free,
    };
    let amount = |amount: u128| Some(wire::Amount::of_contract(amount, token));
    let (stake, from_owed) = match call {
        Call::Fund { terms, payment } => {
            let from_owed = terms.stake.saturating_sub(*payment);
            (amount(terms.stake), amount(from_owed))
        }
        _ => (None, None),
    };
    Report::Staked {
        game: game.map(GameName::from),
        what,
        stake,
        from_owed,
        transaction: receipt(sent),
    }
    .into()
}

fn text(text: String) -> JsonLine {
    Report::Note { text }.into()
}

fn receipt(sent: Sent<'_>) -> wire::Receipt {
    wire::Receipt {
        transaction: sent.transaction.into(),
        deposit: sent.deposit.into(),
    }
}

/// A game of any kind, or a table.
fn game(at: &GameAt) -> Box<wire::Game> {
    Box::new(match &at.game {
        AnyGame::Two(game) => wire::Game::classic(at.id, at.contract, game).timed(at.clock),
        AnyGame::Variant(game) => wire::Game::variant(at.id, at.contract, game),
    })
}

fn deployed(deployed: &Deployed<'_>) -> wire::Deployed {
    let Deployed {
        deployment,
        variants,
        ..
    } = deployed;
    wire::Deployed {
        contract: deployment.address,
        deployer: deployed.deployer.address(),
        transaction: deployment.receipt.as_ref().map(wire::Receipt::from),
        signed_records: deployment.signed_records,
        signed_records_transaction: deployment
            .signed_records_receipt
            .as_ref()
            .map(wire::Receipt::from),
        stakes: deployment.stakes,
        stakes_transaction: deployment.stakes_receipt.as_ref().map(wire::Receipt::from),
        variants: variants.address,
        variants_transaction: variants.receipt.as_ref().map(wire::Receipt::from),
    }
}

fn started(at: &GameAt, sent: Sent<'_>) -> JsonLine {
    match &at.game {
        AnyGame::Two(classic) => wire::Started {
            game: at.id,
            contract: at.contract,
            red: classic.player_one(),
            blue: classic.player_two(),
            shape: classic.shape().into(),
            transaction: receipt(sent),
        }
        .into(),
        AnyGame::Variant(_) => Report::VariantStarted {
            game: game(at),
            transaction: Some(receipt(sent)),
        }
        .into(),
    }
}

/// A move, by a command or at the terminal.
fn made(made: &Made<'_>, by_command: bool) -> Option<JsonLine> {
    let transaction = made.sent.map(receipt);
    Some(match made.step {
        Step::Drop { bin, row, .. } => match (by_command, transaction) {
            (true, Some(transaction)) => wire::Dropped {
                bin: bin.index(),
                row,
                game: *game(&made.after),
                transaction,
            }
            .into(),
            _ => Report::Dropped {
                player: made.colour.player()?.into(),
                bin: bin.index(),
                row,
                game: game(&made.after),
                transaction,
            }
            .into(),
        },
        Step::Move { action, before } => Report::Moved {
            // It was made, so the position takes it.
            played: wire::Played::new(before, action).ok()?,
            text: action.to_string(),
            game: game(&made.after),
            transaction,
        }
        .into(),
    })
}

fn event(at: &Occurrence, game: Option<AnyGame>) -> wire::Event {
    wire::Event::new(at, game.as_ref())
}

fn done(done: Done, sent: Sent<'_>) -> JsonLine {
    let transaction = receipt(sent);
    match done {
        Done::TableClosed(id) => Report::TableClosed {
            game: id,
            transaction: Some(transaction),
        }
        .into(),
        Done::Freed(id @ GameId::Variant(_)) => Report::VariantFreed {
            game: id,
            transaction,
        }
        .into(),
        Done::Freed(_) => Report::Freed { transaction }.into(),
    }
}

fn ended(at: &GameAt, sent: Option<Sent<'_>>) -> Option<JsonLine> {
    let transaction = sent.map(receipt);
    Some(match &at.game {
        AnyGame::Two(classic) => Report::Ended {
            winner: classic
                .winner()
                .map(|winner| Colour::from(classic.colour_of(winner))),
            game: game(at),
            transaction,
        }
        .into(),
        AnyGame::Variant(_) => {
            let game = game(at);
            Report::VariantEnded {
                winner: game.position.winner,
                game,
                transaction,
            }
            .into()
        }
    })
}

fn left(left: &Left<'_>) -> Option<JsonLine> {
    Some(
        Report::Left {
            account: left.account,
            late: left.late,
            game: game(&left.after),
            transaction: left.sent.map(receipt),
        }
        .into(),
    )
}

fn refused(game: GameName, colour: Colour, reason: &str) -> Option<JsonLine> {
    let reason = reason.to_owned();
    Some(match game {
        GameName::Chain(GameId::Variant(_)) => Report::MoveRefused {
            player: colour,
            reason,
        }
        .into(),
        _ => Report::Refused {
            player: colour.player()?.into(),
            reason,
        }
        .into(),
    })
}

fn verified(verified: &Verified<'_>) -> Report {
    let record = verified.record;
    let keys = verified.keys();
    let (started, ended) = match &verified.looked {
        Some(Looked::There { started, ended }) => (Some(*started), *ended),
        _ => (None, None),
    };
    let facts = verified.facts();
    Report::Verified {
        file: verified.file.display().to_string(),
        line: verified.line,
        game: record.name(),
        players: record.players.clone(),
        pool: verified.pool().map(|pool| pool.to_string()),
        result: record.result(),
        how: record.end.map(|end| end.to_string()),
        keys: keys.to_vec(),
        witness: verified.witness(),
        signed: facts.signed,
        witnessed: facts.witnessed,
        on_chain: facts.on_chain,
        unproven: facts.unproven,
        block: started.map(|block| block.number),
        last_block: ended.map(|block| block.number),
        proven: verified.is_proven(),
        why: verified.why_not(),
    }
}
