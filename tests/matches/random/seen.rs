//! What has to occur in the random play.

use connect4_protocol::{End, Error};
use connect4_testing::{Account, Seen};

use crate::call::{Answer, Call};
use crate::model::Model;

/// The documented errors of each message. Three are left out, as no sequence reaches them: nobody
/// has a stake of which two exceed a `u128`, accounts do not refuse payments, and none of them is the
/// zero address.
const REFUSALS: [(&str, &[Error]); 21] = {
    use Error::*;
    [
        ("start_game", &[SamePlayer, BadShape]),
        (
            "drop_disc",
            &[
                NoSuchGame,
                GameOver,
                NotAPlayer,
                NotYourTurn,
                OutOfTime,
                NoSuchBin,
                BinFull,
            ],
        ),
        (
            "challenge",
            &[
                SamePlayer,
                BadShape,
                BadClock,
                StakeNeedsClock,
                ShortClock,
                ChallengeExpired,
            ],
        ),
        (
            "accept",
            &[
                NoSuchChallenge,
                OtherTerms,
                SamePlayer,
                NotChallenged,
                ChallengeExpired,
                WrongStake,
            ],
        ),
        ("decline", &[NoSuchChallenge, NotChallenged]),
        ("cancel", &[NoSuchChallenge, NotChallenger]),
        ("resign", &[NoSuchGame, GameOver, NotAPlayer]),
        ("claim_timeout", &[NoSuchGame, GameOver, NoClock, TimeLeft]),
        (
            "offer_draw",
            &[NoSuchGame, GameOver, NotAPlayer, AlreadyOffered, OutOfTime],
        ),
        ("accept_draw", &[NoSuchGame, GameOver, NotAPlayer, NoOffer]),
        ("decline_draw", &[NoSuchGame, GameOver, NotAPlayer, NoOffer]),
        (
            "offer_rematch",
            &[
                NoSuchGame,
                GameNotOver,
                NotAPlayer,
                RematchStarted,
                AlreadyOffered,
                WrongStake,
            ],
        ),
        (
            "accept_rematch",
            &[
                NoSuchGame,
                GameNotOver,
                NotAPlayer,
                RematchStarted,
                NoOffer,
                WrongStake,
            ],
        ),
        (
            "decline_rematch",
            &[NoSuchGame, GameNotOver, NotAPlayer, RematchStarted, NoOffer],
        ),
        ("settle", &[NoSuchGame, GameNotOver, NothingToSettle]),
        ("withdraw", &[GameNotOver, NothingToWithdraw]),
        ("withdraw_to", &[GameNotOver, NothingToWithdraw]),
        ("free", &[NoSuchGame, GameNotOver, NotPayer]),
        ("start_match", &[NotReferee]),
        ("end_match", &[NotReferee]),
        ("remove", &[NotReferee]),
    ]
};

/// Situations that have to occur in the default run.
const SIGHTS: [&str; 23] = [
    "a game ended by a line",
    "a game ended on a full board",
    "a game ended by resignation",
    "a game ended by agreement",
    "a game ended on time",
    "a game ended aborted",
    "a move at the deadline",
    "a first move later than a day",
    "a claim in its first second",
    "a claim after a day, before the deadline",
    "an expired challenge was declined",
    "an expired challenge was cancelled",
    "a claim by a stranger",
    "a draw was accepted that was offered before a move",
    "a move ended an offer of a draw",
    "an offer of a draw was taken back",
    "a claim after an offer of a draw had lapsed",
    "a rematch of a rematch",
    "a freed game was not settled",
    "a freed game had an offer of a rematch",
    "a freed game had had its rematch",
    "a payment for several games at once",
    "a payment skipped a game that was freed",
];

pub fn nothing() -> Seen {
    Seen::new(&REFUSALS, &SIGHTS)
}

/// Counts situations that are rare.
pub fn look_at(
    seen: &mut Seen,
    before: &Model,
    after: &Model,
    who: Account,
    call: &Call,
    answer: &Answer,
) {
    for (number, game) in &after.games {
        let was_over = before
            .games
            .get(number)
            .is_some_and(|game| game.over.is_some());
        if let (Some((end, _)), false) = (game.over, was_over) {
            seen.saw(match end {
                End::Line => "a game ended by a line",
                End::FullBoard => "a game ended on a full board",
                End::Resignation => "a game ended by resignation",
                End::Agreement => "a game ended by agreement",
                End::Timeout => "a game ended on time",
                End::Abort => "a game ended aborted",
                other => unreachable!("{other:?} is of a variant"),
            });
        }
    }
    match call {
        Call::Drop(game, _) => {
            let was = &before.games[game];
            if was.deadline() == Some(before.now) {
                seen.saw("a move at the deadline");
            }
            if was.patience() < Some(before.now) && was.patience().is_some() {
                seen.saw("a first move later than a day");
            }
            if was.draw == Some(1 - was.to_move()) {
                seen.saw("a move ended an offer of a draw");
            }
        }
        Call::DeclineDraw(game) if before.games[game].draw == before.games[game].seat(who) => {
            seen.saw("an offer of a draw was taken back");
        }
        Call::ClaimTimeout(game) => {
            let was = &before.games[game];
            if was.patience() == Some(before.now - 1) {
                seen.saw("a claim in its first second");
            }
            if was.deadline() >= Some(before.now) {
                seen.saw("a claim after a day, before the deadline");
            }
            if was.draw.is_some() && was.standing_draw(before.now).is_none() {
                seen.saw("a claim after an offer of a draw had lapsed");
            }
            if was.seat(who).is_none() {
                seen.saw("a claim by a stranger");
            }
        }
        Call::Decline(number) if before.challenges[number].has_expired(before.now) => {
            seen.saw("an expired challenge was declined");
        }
        Call::Cancel(number) if before.challenges[number].has_expired(before.now) => {
            seen.saw("an expired challenge was cancelled");
        }
        Call::AcceptDraw(game) if before.games[game].outlived > 0 => {
            seen.saw("a draw was accepted that was offered before a move");
        }
        Call::AcceptRematch(..) | Call::OfferRematch(..) => {
            let started = match answer {
                Answer::Number(number) | Answer::MaybeNumber(Some(number)) => *number,
                _ => return,
            };
            if after.games[&started].series.len() > 1 {
                seen.saw("a rematch of a rematch");
            }
        }
        Call::Withdraw(games) | Call::WithdrawTo(games, _) => {
            let pot =
                |model: &Model, game: &u32| model.games.get(game).map_or(0, |game| game.pot());
            let settled = games
                .iter()
                .filter(|&game| pot(before, game) > 0 && pot(after, game) == 0);
            if games.iter().any(|game| !before.games.contains_key(game)) {
                seen.saw("a payment skipped a game that was freed");
            }
            if settled.count() > 1 {
                seen.saw("a payment for several games at once");
            }
        }
        Call::Free(game) => {
            let was = &before.games[game];
            if was.pot() > 0 {
                seen.saw("a freed game was not settled");
            }
            if was.rematch.is_some() {
                seen.saw("a freed game had an offer of a rematch");
            }
            if was.next.is_some() {
                seen.saw("a freed game had had its rematch");
            }
        }
        _ => {}
    }
}
