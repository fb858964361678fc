//! Messages of the contracts: their names, arguments and answers.
//!
//! A message is called with its [selector](crate::selector), which is made from its name, and the
//! SCALE encoding of its arguments in order.

use alloc::vec::Vec;
use core::fmt;

use codec::{Decode, Encode};
use connect4_rules::{Cell, Dropped, Player, ShapeSpec};

use crate::{Address, Challenge, ClockSpec, Error, Game, Match, Page};

/// A message of one of the contracts. Its SCALE encoding is that of its arguments.
pub trait Message: Encode {
    /// Name of the message, from which its selector is made.
    const NAME: &'static str;
    /// Selector of the message, which is made from its name.
    #[cfg(feature = "selectors")]
    const SELECTOR: [u8; 4];
    /// Contract that has the message.
    const CONTRACT: ContractKind;
    /// Answer of the message.
    type Answer: Decode;
}

/// Which of the contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContractKind {
    /// Contract of the games, where discs are dropped.
    Games,
    /// Contract of the matches: challenges, stakes, clocks, rematches.
    Matches,
    /// Contract of the variants: more players, powers, tables.
    Variants,
    /// Contract of the stakes: signed games with a stake.
    Stakes,
    /// Contract of the records of signed games without a stake.
    SignedRecords,
}

/// `games`, `matches`, `variants`, `stakes` or `signed records`.
impl fmt::Display for ContractKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Games => "games",
            Self::Matches => "matches",
            Self::Variants => "variants",
            Self::Stakes => "stakes",
            Self::SignedRecords => "signed records",
        })
    }
}

messages! { Games, GAMES:
    /// Starts a game between two accounts; answers its number.
    StartGame = "start_game" (player_one: Address, player_two: Address, shape: ShapeSpec)
        -> Result<u32, Error>;
    /// Stores a game that starts a match; for the referee.
    StartMatch = "start_match" (started: Game) -> Result<u32, Error>;
    /// Stores a game that has ended otherwise than by a move; for the referee.
    EndMatch = "end_match" (game: u32, ended: Game) -> Result<(), Error>;
    /// Removes a game that has ended; for the referee.
    Remove = "remove" (game: u32) -> Result<(), Error>;
    /// Drops a disc of the caller into a bin.
    DropDisc = "drop_disc" (game: u32, bin: u8) -> Result<Dropped, Error>;
    /// Everything about a game.
    ReadGame = "game" (game: u32) -> Result<Game, Error>;
    /// The discs of a game: bin by bin from the left, each from its bottom.
    ReadBoard = "board" (game: u32) -> Result<Vec<Vec<Player>>, Error>;
    /// Winner of a game; none while it goes on, after a draw and after an abort.
    ReadWinner = "winner" (game: u32) -> Result<Option<Address>, Error>;
    /// The cells of every line of the winner.
    ReadWinningCells = "winning_cells" (game: u32) -> Result<Vec<Cell>, Error>;
    /// How many games were started.
    GameCount = "game_count" () -> u32;
    /// Contract that referees the games; the zero address if there is none.
    Referee = "referee" () -> Result<Address, Error>;
}

messages! { Matches, MATCHES:
    /// Challenges a player, or anyone, for the stake that is paid with the call.
    MakeChallenge = "challenge" (
        opponent: Option<Address>,
        challenger_first: bool,
        shape: ShapeSpec,
        clock: Option<ClockSpec>,
        expires: Option<u64>
    ) -> Result<u32, Error>;
    /// Accepts the challenge that was seen, with its stake; answers the game's number.
    Accept = "accept" (challenge: u32, seen: Challenge) -> Result<u32, Error>;
    /// Declines a challenge to the caller.
    Decline = "decline" (challenge: u32) -> Result<(), Error>;
    /// Cancels a challenge of the caller.
    Cancel = "cancel" (challenge: u32) -> Result<(), Error>;
    /// Gives a game up.
    Resign = "resign" (game: u32) -> Result<(), Error>;
    /// Ends a game in which the time of the player to move has run out.
    ClaimTimeout = "claim_timeout" (game: u32) -> Result<(), Error>;
    /// Offers a draw, or accepts the opponent's offer.
    OfferDraw = "offer_draw" (game: u32) -> Result<(), Error>;
    /// Accepts the opponent's offer of a draw.
    AcceptDraw = "accept_draw" (game: u32) -> Result<(), Error>;
    /// Declines the opponent's offer of a draw.
    DeclineDraw = "decline_draw" (game: u32) -> Result<(), Error>;
    /// Offers a rematch with its stake, or accepts the opponent's offer; answers the new game's
    /// number if that started it.
    OfferRematch = "offer_rematch" (game: u32) -> Result<Option<u32>, Error>;
    /// Accepts the opponent's offer of a rematch, with its stake; answers the new game's number.
    AcceptRematch = "accept_rematch" (game: u32) -> Result<u32, Error>;
    /// Declines the opponent's offer of a rematch, or takes back the caller's own.
    DeclineRematch = "decline_rematch" (game: u32) -> Result<(), Error>;
    /// Credits the stakes of a game that ended on the board.
    Settle = "settle" (game: u32) -> Result<(), Error>;
    /// Settles these games, then pays the caller all that it is owed; answers how much.
    Withdraw = "withdraw" (games: Vec<u32>) -> Result<u128, Error>;
    /// As [`Withdraw`], but pays to another account.
    WithdrawTo = "withdraw_to" (games: Vec<u32>, receiver: Address) -> Result<u128, Error>;
    /// Frees the storage of a game that has ended.
    Free = "free" (game: u32) -> Result<(), Error>;
    /// Address of the contract of the games.
    GamesContract = "games_contract" () -> Address;
    /// How many challenges were made.
    ChallengeCount = "challenge_count" () -> u32;
    /// An open challenge.
    OpenChallenge = "open_challenge" (challenge: u32) -> Result<Challenge, Error>;
    /// A page of the open challenges, the newest first.
    OpenChallenges = "open_challenges" (from: Option<u32>, limit: u8) -> Result<Page, Error>;
    /// Stakes, offers and place in a series of a game.
    MatchOf = "match_of" (game: u32) -> Result<Match, Error>;
    /// Amount that an account is owed and may withdraw.
    CreditOf = "credit_of" (account: Address) -> u128;
    /// Version of the contract: [`VERSION`](crate::VERSION) when it was built.
    Version = "version" () -> Result<u32, Error>;
}
