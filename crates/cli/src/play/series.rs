//! Game after game, as long as the players want a rematch.

use connect4_client::{Action, Error, Owing, Seen};
use connect4_protocol::Game;
use connect4_rules::Player;

use super::act::tell_taken_back;
use super::hearing::Hearing;
use super::listen::{Heard, Listening};
use super::screen::Screen;
use super::table::Table;
use super::turn::run;
use crate::attend::attend;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::lookup;
use crate::owed;
use crate::report::Paid;
use crate::session::Session;

/// Plays a game to its end, and its rematches as long as the players want them. They are asked if
/// they sit at a terminal, or if this is a `series`.
pub async fn play(
    session: &Session,
    mut table: Table,
    series: bool,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut hearing = Hearing::begin();
    session.endure(screen);
    let mut game = attend(screen, table.read()).await??;
    let mut resumed = false;
    loop {
        let resume = table.how_to_resume(session, &game);
        if !game.is_over() {
            farewell.set(resume.clone());
        }
        if !std::mem::take(&mut resumed) {
            screen.greet(&table.greeting(session, &game))?;
        }
        let ended = match run(&mut table, screen, &mut hearing, game, &resume).await {
            Ok(ended) => ended,
            Err(failure @ Failure::Refused(_)) => {
                // Nothing may be left of the game; what it has brought is.
                let left = attend(screen, table.contract.game(table.number)).await??;
                if left.is_none() {
                    collect(session, &table, screen, &game).await?;
                }
                return Err(failure);
            }
            Err(failure) => return Err(failure),
        };
        farewell.clear();
        screen.ended(&table.at(&ended), None)?;
        collect(session, &table, screen, &ended).await?;
        let asks = (series || screen.is_terminal()) && table.contract.has_matches();
        if !asks || hearing.has_ended {
            return Ok(());
        }
        let next = rematch(session, &mut table, screen, &mut hearing, &ended, farewell).await?;
        match next {
            Next::Nothing => return Ok(()),
            Next::Game(number) => {
                let next = attend(screen, lookup::game(&table.contract, number)).await??;
                table.move_on(number, &next);
                game = attend(screen, table.read()).await??;
            }
            Next::Same(after) => {
                if !tell_taken_back(&mut table, screen, &ended, &after)? {
                    let text = "The end of the game is undone: its block was replaced.";
                    screen.say(text.into())?;
                }
                game = after;
                resumed = true;
            }
        }
    }
}

/// Pays the players at this terminal what the contract owes them, by this game or by others. Tells it
/// those who sit here but do not sign here.
async fn collect(
    session: &Session,
    table: &Table,
    screen: &mut dyn Screen,
    game: &Game,
) -> Result<(), Failure> {
    let contract = &table.contract;
    for player in Player::ALL {
        if !table.seat.has(player) {
            continue;
        }
        let of_player = async {
            let mut owing = Owing::new(contract, [game.account_of(player)]);
            owing.count(table.number, game).await?;
            Ok::<_, Error>(owing.read().await?.pop())
        };
        let Some(owed) = attend(screen, of_player).await?? else {
            continue;
        };
        let Some(signer) = table.signer(player) else {
            screen.owed(&owed::to(&owed, session, contract))?;
            continue;
        };
        let mut receipts = Vec::new();
        if owed.by_matches() > 0 {
            receipts.push(attend(screen, contract.withdraw(signer, &owed.games())).await??);
        }
        if owed.fast_credit > 0 {
            receipts.push(attend(screen, contract.withdraw_fast(signer)).await??);
        }
        for receipt in receipts {
            screen.paid(&Paid {
                signer,
                player: Some(player),
                amount: receipt.value,
                sent: (&receipt).into(),
            })?;
        }
    }
    Ok(())
}

/// What is played after a game.
enum Next {
    /// Nothing.
    Nothing,
    /// The rematch with this number.
    Game(u32),
    /// The same game, whose end the chain took back.
    Same(Seen<Game>),
}

/// Asks whether there is to be a rematch.
async fn rematch(
    session: &Session,
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    game: &Game,
    farewell: &Farewell,
) -> Result<Next, Failure> {
    attend(screen, table.read_match()).await??;
    if let Some(next) = table.of_match.next {
        return Ok(Next::Game(next));
    }
    if table.is_freed {
        return Ok(Next::Nothing);
    }
    match ask(table, screen, hearing, game).await? {
        Answer::No => return Ok(Next::Nothing),
        Answer::Started(next) => return Ok(Next::Game(next)),
        Answer::GoesOn(game) => return Ok(Next::Same(game)),
        Answer::Yes => {}
    }
    for signer in [&table.red, &table.blue].into_iter().flatten() {
        let offered = table
            .contract
            .perform(signer, table.number, Action::OfferRematch);
        let receipt = attend(screen, offered).await??;
        screen.wants_rematch(signer, (&receipt).into())?;
        if let Some(next) = receipt.value.rematch() {
            return Ok(Next::Game(next));
        }
    }
    let number = table.number;
    farewell.set(format!(
        "the rematch of game {number} stays on offer; withdraw the offer by\n  connect4 rematch \
         --decline --game {number}{}",
        lookup::reach(session, &table.contract)
    ));
    let next = agreement(table, screen, game).await?;
    if next.is_none() {
        screen.rematch_declined()?;
        collect(session, table, screen, game).await?;
        farewell.clear();
    }
    Ok(next.map_or(Next::Nothing, Next::Game))
}

/// Answer to whether there is to be a rematch.
enum Answer {
    Yes,
    No,
    /// The rematch was started elsewhere meanwhile: its number.
    Started(u32),
    /// The chain took back the end of the game.
    GoesOn(Seen<Game>),
}

async fn ask(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    game: &Game,
) -> Result<Answer, Failure> {
    loop {
        screen.ask_for_rematch(&table.of_match)?;
        let listening = Listening {
            lines: Some(&mut hearing.lines),
            deadline: None,
        };
        let change = table.has_others().then(|| table.change(game));
        match attend(screen, listening.first(change)).await?? {
            Heard::Line(line) => {
                let answer = line.unwrap_or_default();
                screen.answered_rematch(&answer)?;
                let answer = answer.trim().to_ascii_lowercase();
                return Ok(match answer.as_str() {
                    "y" | "yes" => Answer::Yes,
                    _ => Answer::No,
                });
            }
            Heard::Changed((after, of_match)) => {
                table.of_match = of_match;
                screen.offers_changed()?;
                attend(screen, table.read_match()).await??;
                if !after.is_over() {
                    return Ok(Answer::GoesOn(after));
                }
                if let Some(next) = table.of_match.next {
                    return Ok(Answer::Started(next));
                }
                if table.is_freed {
                    screen.rematch_declined()?;
                    return Ok(Answer::No);
                }
            }
            Heard::TimeIsUp => {}
        }
    }
}

/// Waits until the opponent has answered the offer, and returns the number of the rematch; none if
/// the opponent declined.
async fn agreement(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Game,
) -> Result<Option<u32>, Failure> {
    let progress = screen.progress();
    progress.say("waiting for the opponent; Ctrl-C leaves");
    attend(screen, table.read_match()).await??;
    loop {
        if table.of_match.next.is_some() || table.of_match.rematch.is_none() {
            return Ok(table.of_match.next);
        }
        let (_, of_match) = attend(screen, table.change(game)).await??;
        table.of_match = of_match;
    }
}
