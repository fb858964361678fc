//! What has to occur in the random play.

use connect4_protocol::Error;
use connect4_testing::Seen;

/// The documented errors of each message.
const REFUSALS: [(&str, &[Error]); 7] = {
    use Error::*;
    [
        (
            "start_game",
            &[BadShape, BadVariant, WrongPlayers, SamePlayer],
        ),
        (
            "open_table",
            &[BadShape, BadVariant, WrongPlayers, SamePlayer, BadLimit],
        ),
        (
            "join",
            &[NoSuchGame, AlreadyStarted, AlreadyJoined, NotInvited],
        ),
        ("leave", &[NoSuchGame, GameOver, NotAPlayer, HasLeft]),
        (
            "make_move",
            &[
                NoSuchGame,
                NotStarted,
                GameOver,
                NotAPlayer,
                HasLeft,
                NotYourTurn,
                OutOfTime,
                NotInVariant,
                NoPowerLeft,
                NoSwapNow,
                NoSuchBin,
                NoSuchRow,
                BinFull,
                NotYourDisc,
                NoDisc,
                OwnDisc,
                RowEmpty,
                NotAboveTop,
            ],
        ),
        (
            "remove_late",
            &[NoSuchGame, NotStarted, GameOver, NoLimit, TimeLeft],
        ),
        ("free", &[NoSuchGame, NotPayer, NotStarted, GameNotOver]),
    ]
};

/// Situations that have to occur in the default run. The draw after 250 turns is one of the examples.
const SIGHTS: [&str; 19] = [
    "a game ended by a line",
    "a game ended as the last player was left",
    "a game ended without a legal move",
    "a game was abandoned",
    "a move uncovered an opponent's line",
    "a drop",
    "a pop",
    "a take",
    "a clear",
    "a float",
    "a swap",
    "a table for anyone filled up",
    "a table for named players filled up",
    "a table was closed between two others",
    "a table filled up between two others",
    "a move at the deadline",
    "a player was removed a second after the deadline",
    "a player was removed by a stranger",
    "a game went on without a player",
];

pub fn nothing() -> Seen {
    Seen::new(&REFUSALS, &SIGHTS)
}
