//! What a table shows, as text. Nothing here prints or changes anything.

use connect4_client::{Action, Token};
use connect4_opponent::Level;
use connect4_protocol::{Game, Match};
use connect4_rules::{Bin, Cell, Player};

use crate::args::Seat;
use crate::report::{GameAt, Sent};
use crate::words::{self, coloured};

/// A game as it is drawn.
#[derive(Clone, Debug)]
pub struct View<'a> {
    pub game: &'a Game,
    pub of_match: &'a Match,
    /// Players who are asked at this terminal.
    pub seat: Seat,
    /// Seconds since 1970.
    pub now: u64,
    /// Of a fast game what is signed, and what the chain knows.
    pub fast: Option<String>,
}

impl View<'_> {
    /// The board, the clock, what is at stake, the offer of a draw, and a note about what happened
    /// last.
    pub fn text(&self, note: Option<&str>, token: &Token) -> String {
        let mut text = words::board(&self.game.position());
        if let (Some(clock), Some(player)) = (self.game.clock(), self.game.to_move()) {
            text.push('\n');
            text.push_str(&words::times(clock, player, self.now));
        }
        if self.of_match.stake > 0 && !self.game.is_over() {
            let stake = words::stake(self.of_match.stake, token);
            text.push_str(&format!("\nat stake: {stake}"));
        }
        if let Some(by) = self.of_match.draw_offer(self.game, self.now) {
            let answers = if self.seat.has(by.opponent()) {
                ": accept, decline, or play on"
            } else {
                ""
            };
            let by = coloured(by, by, false);
            text.push_str(&format!("\n{by} offers a draw{answers}"));
        }
        if let Some(fast) = &self.fast {
            text.push('\n');
            text.push_str(fast);
        }
        if let Some(note) = note {
            text.push('\n');
            text.push_str(note);
        }
        text
    }
}

/// What is said when a game is opened.
#[derive(Debug)]
pub struct Greeting<'a> {
    pub at: GameAt<'a>,
    pub of_match: &'a Match,
    /// The chain, in words.
    pub place: String,
    /// Players who are asked at this terminal.
    pub seat: Seat,
    /// The command by which the opponent joins from elsewhere; none if nobody has to.
    pub invitation: Option<String>,
    /// The player that the computer plays.
    pub computer: Option<(Player, Level)>,
}

impl Greeting<'_> {
    /// The first line, and the contract's.
    pub fn heading(&self) -> String {
        format!(
            "Connect Four {}: game {} on {}\ncontract: {}",
            self.at.game.shape(),
            self.at.id(),
            self.place,
            self.at.contract
        )
    }

    /// The lines below the players: who plays where, and the match.
    pub fn details(&self, token: &Token) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(ours) = self.seat.player() {
            let theirs = ours.opponent();
            lines.push(match &self.invitation {
                Some(command) => format!("you play {ours}; {theirs} joins with\n  {command}"),
                None => format!("you play {ours}"),
            });
        }
        if let Some((player, level)) = self.computer {
            lines.push(format!("the computer plays {player}: {level}"));
        }
        lines.extend(words::of_match(self.at.game, self.of_match, token));
        lines
    }
}

/// Something that is said with the next board.
#[derive(Debug)]
pub enum Note<'a> {
    /// What can be typed.
    Help,
    /// The time of a player at this terminal has run out.
    OutOfTime,
    /// The opponent's time has run out, and the game has ended by this transaction.
    TimedOut(Sent<'a>),
    /// An action was performed: by this player, or by an account that does not play.
    Performed {
        player: Option<Player>,
        signer: String,
        action: Action,
        has_ended: bool,
        sent: Sent<'a>,
    },
    /// An action is not possible here.
    Impossible(String),
}

/// What `help` says.
pub const HELP: &str = "a number drops a disc into that bin; draw offers a draw, accept and \
                        decline answer such an offer, resign gives the game up, claim ends it if \
                        the opponent's time has run out; Ctrl-C leaves";

impl Note<'_> {
    /// The note as text.
    pub fn text(&self, token: &Token) -> String {
        let cost = |sent: &Sent<'_>| words::dim(words::cost(sent.transaction, sent.deposit, token));
        match self {
            Self::Help => HELP.into(),
            Self::OutOfTime => "your time has run out".into(),
            Self::TimedOut(sent) => format!("time has run out: {}", cost(sent)),
            Self::Performed {
                player,
                signer,
                action,
                has_ended,
                sent,
            } => {
                let who = match *player {
                    Some(player) => coloured(player, player, false),
                    None => signer.clone(),
                };
                format!("{who} {}: {}", deed(*action, *has_ended), cost(sent))
            }
            Self::Impossible(why) => why.clone(),
        }
    }
}

/// An action that was performed, in the past tense.
const fn deed(action: Action, has_ended: bool) -> &'static str {
    match action {
        Action::Drop(_) => "dropped a disc",
        Action::Resign => "gave the game up",
        Action::Press => "started the opponent's clock",
        Action::OfferDraw if has_ended => "agreed to a draw",
        Action::OfferDraw => "offered a draw",
        Action::AcceptDraw => "agreed to a draw",
        Action::DeclineDraw => "declined the draw",
        Action::ClaimTimeout => "claimed the timeout",
        Action::OfferRematch => "offered a rematch",
        Action::AcceptRematch => "agreed to a rematch",
        Action::DeclineRematch => "declined the rematch",
        Action::Withdraw => "was paid",
        Action::Free => "freed the storage",
    }
}

/// The bin and the row of the disc that `after` has and `before` has not.
pub fn new_disc(before: &Game, after: &Game) -> Option<(Bin, u8)> {
    let bin = after
        .shape()
        .iter_bins()
        .find(|&bin| after.board().height(bin) > before.board().height(bin))?;
    let row = after.board().height(bin).checked_sub(1)?;
    Some((bin, row))
}

/// Number of discs that `before` has and `after` has not, where a column of one may go on in the
/// other.
pub fn lost_discs(before: &Game, after: &Game) -> u16 {
    let disc = |game: &Game, bin, row| game.position().disc(Cell { bin, row });
    let mut lost = 0;
    for bin in before.shape().iter_bins() {
        let height = before.board().height(bin);
        let common = (0..height)
            .take_while(|&row| disc(before, bin, row) == disc(after, bin, row))
            .count();
        lost += usize::from(height) - common;
    }
    u16::try_from(lost).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use connect4_protocol::DrawOffer;

    use super::*;
    use crate::samples::{self, STARTED};

    fn text(view: &View<'_>, note: Option<&str>) -> String {
        console::set_colors_enabled(false);
        view.text(note, &crate::report::unknown_token())
    }

    #[test]
    fn a_board_is_drawn_with_its_clock_offer_and_note() {
        let game = samples::game("61");
        let of_match = Match {
            stake: 10,
            draw: Some(DrawOffer {
                by: Player::Two,
                turns: game.turns_of(Player::One),
            }),
            ..Match::default()
        };
        let view = View {
            game: &game,
            of_match: &of_match,
            seat: Seat::Red,
            now: STARTED + 30,
            fast: None,
        };
        let expected = "\
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
|   |   |   |   |   |   |
+---+---+---+---+---+---+
| ⬟ |   |   |   |   | ● |
+---+---+---+---+---+---+
  0   1   2   3   4   5
time left: red 4:35 min (running), blue 5:05 min
at stake: 10 UNIT each, the winner gets 20 UNIT
blue offers a draw: accept, decline, or play on
blue into bin 0, row 0";
        assert_eq!(text(&view, Some("blue into bin 0, row 0")), expected);
        let seat = Seat::Blue;
        let from_blue = text(&View { seat, ..view }, None);
        assert!(from_blue.ends_with("blue offers a draw"), "{from_blue}");
    }

    #[test]
    fn a_game_that_is_over_has_no_clock() {
        let game = samples::game("6151413");
        let view = View {
            game: &game,
            of_match: &Match::default(),
            seat: Seat::Both,
            now: STARTED,
            fast: None,
        };
        let text = text(&view, None);
        assert!(text.contains("| ⬟ |   | ◎ | ◎ | ◎ | ◎ |"), "{text}");
        assert!(text.ends_with("  0   1   2   3   4   5"), "{text}");
    }

    #[test]
    fn a_greeting_says_who_plays_where() {
        console::set_colors_enabled(false);
        let game = samples::game("");
        let at = GameAt {
            contract: game.account_of(Player::One),
            number: 7,
            game: &game,
        };
        let greeting = Greeting {
            at,
            of_match: &Match::default(),
            place: "a chain in memory".into(),
            seat: Seat::Blue,
            invitation: Some("connect4 play --game 7 --seat red".into()),
            computer: Some((Player::One, Level::Hard)),
        };
        let heading = greeting.heading();
        assert!(
            heading
                .starts_with("Connect Four 6x4, line 4: game 7 on a chain in memory\ncontract: 0x"),
            "{heading}"
        );
        let token = crate::report::unknown_token();
        assert_eq!(
            greeting.details(&token),
            [
                "you play blue; red joins with\n  connect4 play --game 7 --seat red",
                "the computer plays red: hard",
            ]
        );
    }

    #[test]
    fn discs_that_were_taken_back_are_counted() {
        let lost = |before, after| lost_discs(&samples::game(before), &samples::game(after));
        assert_eq!(lost("616", "616"), 0);
        assert_eq!(lost("616", "6162"), 0);
        assert_eq!(lost("616", "61"), 1);
        assert_eq!(lost("616", "612"), 1, "another one is in its place");
        assert_eq!(lost("616", ""), 3);
        assert_eq!(lost("6162", "526"), 2, "the game went on otherwise");
    }

    #[test]
    fn the_disc_that_is_new_is_found() {
        let before = samples::game("61");
        let found = new_disc(&before, &samples::game("616"));
        assert_eq!(found, Some((Bin::new(5), 1)));
        assert_eq!(new_disc(&before, &before), None);
    }
}
