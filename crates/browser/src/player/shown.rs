//! What a player shows, as JSON. Nothing else makes it of [`Shown`].

use alloc::string::String;
use alloc::vec::Vec;

use connect4_protocol::signed::{GameNumber, Moves, Terms};
use connect4_protocol::{Address, Game};
use connect4_rules::variant::Colour;
use connect4_rules::{Bin, ByPlayer, Player as Side};
use connect4_seat::{Awaited, Known, Shown, Stage, What, Who};
use connect4_wire::Position;
use serde::Serialize;

use crate::moves;
use crate::relay::Refusal;
use crate::terms::{TermsPlayer, TermsRules};
use crate::values::Units;

/// A signed game as it stands for a player. Players are named by their seats: player one is red, also after a swap,
/// when the board shows its discs in blue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerShown {
    pub stage: PlayerStage,
    /// What is awaited of whom; none if nothing is.
    pub awaited: Option<PlayerAwaited>,
    /// Number of the game; none while nobody has taken the offer.
    #[cfg_attr(test, ts(type = "string | null"))]
    pub number: Option<GameNumber>,
    /// Which player this is; none while nobody has taken the offer.
    pub side: Option<Colour>,
    /// The terms; none while nobody has taken the offer.
    pub terms: Option<AgreedTerms>,
    /// The game, on the chain or off it; none before it has begun. With a stake what is signed, from the terms on.
    pub game: Option<PlayedBoard>,
    /// What each player pays.
    pub stake: Units,
    /// How much of that comes from what the account is owed.
    pub from_owed: Units,
    /// What the account is owed.
    pub owed: Units,
    /// Whether the opponent offers a draw that can be accepted.
    pub is_draw_offered: bool,
    /// Whether moves are made on the chain, and not by signatures.
    pub is_on_chain: bool,
    /// What was left to each player when the witness took the last move, in milliseconds; none without a witness.
    pub left: Option<ByPlayer<u64>>,
    /// Whether the witness has contradicted itself, so that the game counts nowhere.
    pub is_contradicted: bool,
    /// Why the room takes nothing; none if it does.
    pub refusal: Option<Refusal>,
}

/// What is awaited, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerAwaited {
    pub of: AwaitedOf,
    pub what: AwaitedWhat,
    /// Last second, since 1970, by the time of the chain or of the witness; none if no time runs.
    pub until: Option<u64>,
}

/// Terms that both agree to, or that one has agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AgreedTerms {
    pub players: ByPlayer<TermsPlayer>,
    pub rules: TermsRules,
    pub witness: Option<Address>,
    /// Number of the game before in a series; none if there is none.
    #[cfg_attr(test, ts(type = "string | null"))]
    pub previous: Option<GameNumber>,
    /// When they were made, in seconds since 1970.
    pub time: u64,
}

/// A game that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayedBoard {
    pub position: Position,
    /// Bins into which a disc can be dropped, from 0 at the left; none after the end.
    pub bins: Vec<u8>,
    /// Whether the player to move can take the first disc over.
    pub may_swap: bool,
    /// The moves as text; none if the position is that of the chain alone, which does not have them.
    pub notation: Option<String>,
    /// The moves; empty if they are not known.
    pub moves: Vec<SignedMove>,
    /// What each move cost of its player's time, in milliseconds, as far as this page has seen the receipts.
    pub spent: Vec<Option<u64>>,
    /// The players, the one with the red discs first.
    pub seats: Vec<PlayedSeat>,
    /// The discs of the player who looks; none of a watcher.
    pub you: Option<Colour>,
    /// The discs of the player whose offer of a draw stands.
    pub draw_offer: Option<Colour>,
}

/// A player at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayedSeat {
    /// The colour of the discs, which a swap has changed.
    pub colour: Colour,
    pub player: TermsPlayer,
    /// What was left to the player when the witness took the last move, in milliseconds; none without a witness.
    pub left: Option<u64>,
}

/// A move of a signed game, in the colours of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SignedMove {
    Drop {
        player: Colour,
        bin: u8,
        row: u8,
    },
    /// The player has taken the first disc over; the colour is that before it.
    Swap {
        player: Colour,
    },
}

/// Defines the words for the values of a type of the player.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident of $of:ident: $($variant:ident)*;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
            #[cfg_attr(test, derive(ts_rs::TS))]
            #[serde(rename_all = "snake_case")]
            pub enum $name {
                $($variant,)*
            }

            impl From<$of> for $name {
                fn from(value: $of) -> Self {
                    match value {
                        $($of::$variant => Self::$variant,)*
                    }
                }
            }
        )*
    };
}

words! {
    /// How far the game has come.
    PlayerStage of Stage: Offered Funding Agreeing Refunded Playing Ending Over NoGame NoResult;
    /// Of whom something is awaited.
    AwaitedOf of Who: You Program Opponent Chain Witness;
    /// What is awaited.
    AwaitedWhat of What: Taker Agreement Receipt End Payment Refund Begin Move Contest Bring Claim;
}

impl From<Awaited> for PlayerAwaited {
    fn from(Awaited { of, what, until }: Awaited) -> Self {
        Self {
            of: of.into(),
            what: what.into(),
            until,
        }
    }
}

impl From<&Terms> for AgreedTerms {
    fn from(terms: &Terms) -> Self {
        let player = |side| {
            let party = terms.players.get(side);
            TermsPlayer::new(party, *terms.programs.get(side))
        };
        Self {
            players: ByPlayer::from_fn(player),
            rules: terms.into(),
            witness: terms.witness,
            previous: terms.previous,
            time: terms.time,
        }
    }
}

impl PlayedBoard {
    /// The game by these terms. `signed` are the moves that are known by signatures, which need not be those of the game.
    pub(super) fn new(game: &Game, terms: &Terms, signed: &Moves, seen: &Seen<'_>) -> Self {
        let swap = Bin::new(Moves::SWAP);
        let replayed = terms.play(signed);
        let is_of =
            |replayed: &Game| replayed.board() == game.board() && replayed.moves() == game.moves();
        let is_known = replayed.is_ok_and(|game| is_of(&game));
        let mut position = Position::of_game(game);
        position.terms.spec = terms.rules();
        let colour_of = |side| Colour::from(game.colour_of(side));
        let mut seats = Side::ALL.map(|side| PlayedSeat {
            colour: colour_of(side),
            player: TermsPlayer::new(terms.players.get(side), *terms.programs.get(side)),
            left: seen.left.map(|left| *left.get(side)),
        });
        if game.is_swapped() {
            seats.reverse();
        }
        Self {
            position,
            bins: match game.is_over() {
                true => Vec::new(),
                false => moves::legal(&game.position()),
            },
            may_swap: terms.make(swap, &mut game.clone()).is_ok(),
            notation: is_known.then(|| moves::text(signed)),
            moves: match is_known {
                true => replay(terms, signed),
                false => Vec::new(),
            },
            spent: terms
                .clock
                .map_or_else(Vec::new, |clock| clock.spent(seen.times).collect()),
            seats: seats.into(),
            you: seen.side.map(colour_of),
            draw_offer: seen.draw.map(colour_of),
        }
    }
}

/// What is known of a game besides its position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen<'a> {
    /// The player who looks; none of a watcher.
    pub side: Option<Side>,
    /// The player whose offer of a draw stands.
    pub draw: Option<Side>,
    /// What is left to each player, in milliseconds.
    pub left: Option<ByPlayer<u64>>,
    /// What was left after each move to the player who made it, as far as it is known.
    pub times: &'a [Option<u64>],
}

/// Signed moves in the colours of the board.
fn replay(terms: &Terms, signed: &Moves) -> Vec<SignedMove> {
    let Ok(mut game) = terms.play(&Moves::default()) else {
        return Vec::new();
    };
    let mut made = Vec::new();
    for bin in signed.iter_bins() {
        let Some(player) = game.to_move() else {
            break;
        };
        let colour = game.colour_of(player).into();
        let row = game.board().height(bin);
        made.push(match bin.index() {
            Moves::SWAP => SignedMove::Swap { player: colour },
            bin => SignedMove::Drop {
                player: colour,
                bin,
                row,
            },
        });
        if terms.make(bin, &mut game).is_err() {
            break;
        }
    }
    made
}

impl PlayerShown {
    pub(super) fn new(
        shown: &Shown,
        terms: Option<&Terms>,
        known: &Known,
        times: &[Option<u64>],
    ) -> Self {
        let record = &known.record;
        let signed = match &record.room {
            Some(room) => room.moves(),
            None => record.journal.position.moves,
        };
        // What is signed is shown before a block says that the game has begun.
        let signed_only = || terms.filter(|terms| terms.stake > 0)?.play(&signed).ok();
        let game = shown.game.or_else(signed_only);
        let game = game.as_ref().zip(terms);
        let offered = |side: &Side| known.agreed.get(*side).is_some();
        let theirs = shown.side.map(Side::opponent);
        let seen = Seen {
            side: shown.side,
            draw: theirs
                .filter(|_| shown.draw.is_some())
                .or(shown.side.filter(offered)),
            left: shown.left,
            times,
        };
        Self {
            stage: shown.stage.into(),
            awaited: shown.awaited.map(PlayerAwaited::from),
            number: shown.number,
            side: shown.side.map(Side::into),
            terms: terms.map(AgreedTerms::from),
            game: game.map(|(game, terms)| PlayedBoard::new(game, terms, &signed, &seen)),
            stake: Units(shown.stake),
            from_owed: Units(shown.from_owed),
            owed: Units(shown.owed),
            is_draw_offered: shown.draw.is_some(),
            is_on_chain: shown.is_on_chain,
            left: shown.left,
            is_contradicted: shown.is_contradicted,
            refusal: known.refusal.map(Refusal::from),
        }
    }
}
