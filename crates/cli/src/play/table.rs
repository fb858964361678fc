//! A game, and who plays it at this terminal.

use connect4_client::{BlockRef, Contract, GameId, Seen, Signer, development_name, replay};
use connect4_protocol::{Error as Refusal, Game, Match};
use connect4_rules::{Bin, Player};
use connect4_wire::words::now;

use super::computer::Computer;
use super::taken_back::Moves;
use super::view::{Greeting, View};
use crate::args::Seat;
use crate::failure::Failure;
use crate::lookup;
use crate::report::GameAt;
use crate::session::Session;
use crate::words::who;

/// How many of the newest games are looked at for the rematch of a game whose storage was freed.
const LOOKED_AT: u32 = 50;

/// A game that is played at this terminal.
pub struct Table {
    pub contract: Contract,
    pub number: u32,
    /// Players who are asked at this terminal, or whom the computer plays.
    pub seat: Seat,
    pub red: Option<Signer>,
    pub blue: Option<Signer>,
    pub of_match: Match,
    /// Whether the storage of the game was freed, as far as was seen.
    pub is_freed: bool,
    /// The discs that were dropped while this program looked.
    pub moves: Moves<(Player, Bin)>,
    pub computer: Option<Computer>,
    /// Options that name the files with the players' secrets, with a space in front of each.
    pub secrets: String,
}

impl Table {
    /// A table for these players of a game; the ones who play elsewhere have no signer.
    pub fn new(
        contract: Contract,
        number: u32,
        seat: Seat,
        [red, blue]: [Option<Signer>; 2],
        secrets: String,
    ) -> Self {
        Self {
            contract,
            number,
            seat,
            red,
            blue,
            of_match: Match::default(),
            is_freed: false,
            moves: Moves::default(),
            computer: None,
            secrets,
        }
    }

    /// A table for the seat that an account has in a game.
    pub async fn for_account(
        contract: Contract,
        number: u32,
        signer: Signer,
    ) -> Result<Self, Failure> {
        let game = lookup::game(&contract, number).await?;
        let account = signer.address();
        let player = game.player_of(&account).ok_or_else(|| {
            Failure::Refused(format!("{} does not play game {number}", who(account)))
        })?;
        let secrets = match signer.development_name() {
            Some(_) => String::new(),
            None => format!(" --{player}-secret-file <FILE>"),
        };
        let (seat, signers) = match player {
            Player::One => (Seat::Red, [Some(signer), None]),
            Player::Two => (Seat::Blue, [None, Some(signer)]),
        };
        Ok(Self::new(contract, number, seat, signers, secrets))
    }

    /// The same table with a computer, which plays for an account that signs here.
    pub fn with_computer(mut self, computer: Computer) -> Self {
        self.computer = Some(computer);
        self
    }

    /// The signer of a player; none if the player sits elsewhere.
    pub const fn signer(&self, player: Player) -> Option<&Signer> {
        match player {
            Player::One => self.red.as_ref(),
            Player::Two => self.blue.as_ref(),
        }
    }

    /// The signer of an action that any player may take: that of the player to move, if it sits
    /// here.
    pub fn actor(&self, game: &Game) -> Option<Signer> {
        game.to_move()
            .and_then(|player| self.signer(player))
            .or(self.red.as_ref())
            .or(self.blue.as_ref())
            .cloned()
    }

    /// The computer, if it plays this player.
    pub fn computer_of(&mut self, game: &Game, player: Player) -> Option<&mut Computer> {
        self.computer
            .as_mut()
            .filter(|computer| game.player_of(&computer.account()) == Some(player))
    }

    /// Whether a player sits elsewhere, so that the game may change by itself.
    pub fn has_others(&self) -> bool {
        self.seat != Seat::Both
    }

    /// The game as a report takes it.
    pub fn at<'a>(&self, game: &'a Game) -> GameAt<'a> {
        GameAt::of(&self.contract, self.number, game)
    }

    /// The game as it is drawn.
    pub fn view<'a>(&'a self, game: &'a Game) -> View<'a> {
        View {
            game,
            of_match: &self.of_match,
            seat: self.seat,
            now: now(),
            fast: None,
        }
    }

    /// Reads the match again. Of a game whose storage was freed, what is left of it.
    pub async fn read_match(&mut self) -> Result<(), Failure> {
        self.of_match = match self.contract.match_of(self.number).await {
            Ok(of_match) => of_match,
            Err(error) if error.refusal() == Some(Refusal::NoSuchGame) => {
                self.is_freed = true;
                self.match_of_freed().await?
            }
            Err(error) => return Err(error.into()),
        };
        Ok(())
    }

    /// The game as it stands. One whose storage was freed, as its payer may do at once after the end,
    /// is made of its events.
    pub async fn game(&self) -> Result<Seen<Game>, Failure> {
        match self.contract.see_game(self.number).await? {
            Some(game) => Ok(game),
            None => self.freed_game().await,
        }
    }

    async fn freed_game(&self) -> Result<Seen<Game>, Failure> {
        let history = self.contract.history(self.number, 0).await;
        if let Ok(history) = history
            && let Some(last) = history.last()
            && let Ok(value) = replay(&history)
        {
            let block = BlockRef {
                number: last.block,
                hash: last.block_hash,
            };
            return Ok(Seen { value, block });
        }
        // The game was never there, or the node has dropped its events.
        lookup::game(&self.contract, self.number).await
    }

    /// What is left of the match of a game whose storage was freed: stakes and offers were credited
    /// then.
    async fn match_of_freed(&self) -> Result<Match, Failure> {
        let mut next = self.of_match.next;
        if next.is_none() {
            let count = self.contract.game_count().await?;
            let since = self.number.saturating_add(1);
            for number in (since.max(count.saturating_sub(LOOKED_AT))..count).rev() {
                let state = self.contract.match_of(number).await;
                if state.is_ok_and(|state| state.previous == Some(self.number)) {
                    next = Some(number);
                    break;
                }
            }
        }
        Ok(Match {
            settled: true,
            draw: None,
            rematch: None,
            next,
            ..self.of_match
        })
    }

    /// The contract, whose transactions answer to the game as it was seen.
    pub fn answering(&self, game: &Seen<Game>) -> Contract {
        let at_stake = self.of_match.stake > 0;
        self.contract.clone().answering(self.number, game, at_stake)
    }

    /// Reads the match again, and the game.
    pub async fn read(&mut self) -> Result<Seen<Game>, Failure> {
        self.read_match().await?;
        self.game().await
    }

    /// Waits until the game or its match is not as it was, and returns both.
    pub async fn change(&self, game: &Game) -> Result<(Seen<Game>, Match), Failure> {
        let changed = self
            .contract
            .wait_for_change(self.number, game, &self.of_match);
        match changed.await {
            Ok(changed) => Ok(changed),
            Err(error) if error.refusal() == Some(Refusal::NoSuchGame) => {
                Ok((self.freed_game().await?, self.match_of_freed().await?))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Goes on to the next game of a series, in which the players may have changed seats.
    pub fn move_on(&mut self, number: u32, game: &Game) {
        self.number = number;
        self.is_freed = false;
        self.moves = Moves::default();
        let signers = [self.red.take(), self.blue.take()];
        for signer in signers.into_iter().flatten() {
            match game.player_of(&signer.address()) {
                Some(Player::One) => self.red = Some(signer),
                Some(Player::Two) => self.blue = Some(signer),
                None => {}
            }
        }
        self.seat = match (&self.red, &self.blue) {
            (Some(_), None) => Seat::Red,
            (None, Some(_)) => Seat::Blue,
            _ => Seat::Both,
        };
    }

    /// What is said when the game is opened.
    pub fn greeting<'a>(&'a self, session: &Session, game: &'a Game) -> Greeting<'a> {
        // In a rematch the opponent is there already.
        let joins = self.of_match.previous.is_none() && game.turns() == 0 && !game.is_over();
        let invitation = self.seat.player().filter(|_| joins).map(|ours| {
            let theirs = ours.opponent();
            let reach = lookup::reach(session, &self.contract);
            let secret = match development_name(game.account_of(theirs)) {
                Some(_) => String::new(),
                None => format!(" --{theirs}-secret-file <FILE>"),
            };
            let number = self.number;
            format!("connect4 play --game {number} --seat {theirs}{reach}{secret}")
        });
        let computer = self
            .computer
            .as_ref()
            .and_then(|computer| Some((game.player_of(&computer.account())?, computer.level())));
        Greeting {
            at: self.at(game),
            of_match: &self.of_match,
            place: session.whereabouts(),
            seat: self.seat,
            invitation,
            computer,
        }
    }

    /// How to resume the game, in words.
    pub fn how_to_resume(&self, session: &Session, game: &Game) -> String {
        let seat = match (&self.computer, self.seat) {
            (Some(computer), _) => {
                let ours = match game.player_of(&computer.account()) {
                    Some(Player::One) => Player::Two,
                    _ => Player::One,
                };
                format!(" --seat {ours} --against {}", computer.level())
            }
            (None, Seat::Both) => String::new(),
            (None, Seat::Red) => " --seat red".into(),
            (None, Seat::Blue) => " --seat blue".into(),
        };
        let options = format!(
            "{}{seat}{}",
            lookup::reach(session, &self.contract),
            self.secrets
        );
        super::how_to_resume(session, GameId::of_two(self.number), &options)
    }
}
