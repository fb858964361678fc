//! A signed game with a stake before both have paid.

use connect4_client::Token;
use connect4_client::signed::{Command, SignedPlayer, Stage, View as Seen, What, Who};

use super::table::{Change, change, tell, tell_all, trouble, without};
use super::turn::Typed;
use crate::failure::Failure;
use crate::output::Output;
use crate::said::Said;

/// The word by which a player has the stake back.
const REFUND: &str = "refund";

/// Waits until both have paid. Returns why no game is played; none if one is.
///
/// The program pays by itself. What a person can do meanwhile is to have the stake back.
pub async fn begun(
    player: &mut SignedPlayer,
    typed: &mut Typed,
    out: &mut Output,
) -> Result<Option<&'static str>, Failure> {
    let mut follow = player.follow();
    let mut seen = player.view();
    let mut told = None;
    loop {
        if let Some(why) = without(&seen) {
            tell_all(player, out).await?;
            return Ok(Some(why));
        }
        if seen.shown.game.is_some() {
            return Ok(None);
        }
        let text = waiting(&seen, out.token());
        if told.as_ref() != Some(&text) {
            out.say(Said::Notice(&text))?;
            told = Some(text);
        }
        let first = async {
            tokio::select! {
                line = typed.next(), if !typed.has_ended => line.map(First::Line),
                change = change(&mut follow, player.next()) => change.map(First::Change),
            }
        };
        match out.wait_for(first).await?? {
            First::Line(None) => typed.has_ended = true,
            First::Line(Some(line)) if line.trim().eq_ignore_ascii_case(REFUND) => {
                if let Err(error) = player.command(Command::Refund).await {
                    out.say(Said::Notice(&error.to_string()))?;
                }
                seen = player.view();
            }
            First::Line(Some(_)) => {
                out.say(Said::Notice("type refund to call the game off, or wait"))?;
            }
            First::Change(Change::Seen(next)) => seen = *next,
            First::Change(Change::News(news)) => match trouble(&news) {
                // No board follows, with which it would be said.
                Some(text) => out.say(Said::Notice(&text))?,
                None => tell(&news, seen.shown.number, out)?,
            },
        }
    }
}

/// What comes first.
enum First {
    /// A line of input; none if the input has ended.
    Line(Option<String>),
    Change(Change),
}

/// For what the program waits, in words.
fn waiting(seen: &Seen, token: &Token) -> String {
    let shown = &seen.shown;
    let stake = token.contract_amount(shown.stake);
    let awaited = shown.awaited.map(|awaited| (awaited.of, awaited.what));
    match (shown.stage, awaited) {
        (Stage::Offered, _) if shown.number.is_some() => {
            format!(
                "waiting until the chain shows that your opponent has paid {stake}; you pay after that"
            )
        }
        (Stage::Offered, _) => {
            format!("waiting for an opponent who pays {stake}; you pay after that")
        }
        (Stage::Funding, None) => {
            format!("you have paid {stake}, and your opponent has not: it is asked back")
        }
        (Stage::Refunded, _) => format!("your stake of {stake} is being paid back"),
        (_, Some((Who::Opponent, What::Payment))) => format!(
            "you have paid {stake}; waiting for your opponent's payment. Type {REFUND} to have yours back"
        ),
        (_, Some((_, What::Payment))) => match shown.from_owed {
            0 => format!("your stake of {stake} is being paid"),
            owed => {
                let owed = token.contract_amount(owed);
                format!(
                    "your stake of {stake} is being paid, of which {owed} from what you are owed"
                )
            }
        },
        _ => "both have paid; waiting until the chain has the game for good".into(),
    }
}
