//! What commands say, for people or for machines.
//!
//! Commands tell a [`Report`] what happened, by typed values. `people::People` prints text,
//! `machines::Machines` one JSON object a line; `main` chooses one of them.

mod progress;
mod values;
mod variants;

use std::io;
use std::time::Duration;

use connect4_client::{Address, Occurrence, Outages, Standing, Token, Unrated};
use connect4_opponent::Verdict;
use connect4_protocol::{Challenge, Game, Match};
use connect4_rules::{Bin, Player, Position};
use connect4_wire::warnings::Warning;

use crate::failure::Failure;

pub use progress::Progress;
pub use values::{
    Account, ChallengeMade, Deed, Deployed, Dropped, FastState, GameAt, Hosting, Incomplete, Moved,
    OwedTo, PageFiles, Paid, Relaying, Sent, Serving, SignedText, StandingOf, StandingsOf, Started,
    TakenBack, Turn, unknown_token,
};
pub use variants::{VariantAt, VariantLeft, VariantMoved, VariantOpened, VariantReport};

/// Result of printing; fails if nobody reads the output any more.
pub type Printed = io::Result<()>;

/// Printer of what happened. A method whose default does nothing says something that machines do
/// not need, because another object has it or because it only leads the reader.
pub trait Report: VariantReport {
    /// Sets the token in which amounts are given.
    fn use_token(&mut self, token: &Token);

    /// Has [`attend`](crate::attend::attend) tell whether the node answers.
    fn use_outages(&mut self, outages: Outages);

    /// Whether the node answers, as far as that is to be told.
    fn outages(&mut self) -> Option<&mut Outages>;

    /// The node at this URL does not answer. It is waited for.
    fn node_away(&mut self, url: &str) -> Printed;

    /// The node, which was away for so long, answers again at this URL.
    fn node_back(&mut self, url: &str, lasted: Duration) -> Printed;

    /// Display of what is under way.
    fn progress(&self) -> Progress;

    /// The contract was deployed, or was there already.
    fn deployed(&mut self, deployed: &Deployed<'_>) -> Printed;

    /// A game was started.
    fn started(&mut self, started: &Started<'_>) -> Printed;

    /// A disc was dropped.
    fn dropped(&mut self, dropped: &Dropped<'_>) -> Printed;

    /// A game as it stands, with its match, and what its players are owed.
    fn shown(&mut self, at: &GameAt<'_>, of_match: &Match, owed: &[OwedTo<'_>]) -> Printed;

    /// An entry of the list of games; none if the storage of the game was freed.
    fn listed(&mut self, contract: Address, number: u32, game: Option<&Game>) -> Printed;

    /// There are no games, because there is no contract at an address or because nobody has
    /// started one.
    fn no_games(&mut self, _missing: Option<Address>) -> Printed {
        Ok(())
    }

    /// `hidden` of all `count` games are older than those that are listed.
    fn older_games(&mut self, _hidden: u32, _count: u32) -> Printed {
        Ok(())
    }

    /// All games of a contract are followed from now on.
    fn following(&mut self, _contract: Address) -> Printed {
        Ok(())
    }

    /// A game is followed from now on, from this state; with its match.
    fn watching(&mut self, at: &GameAt<'_>, of_match: &Match) -> Printed;

    /// An event, of this game as far as it is known.
    fn event(&mut self, at: &Occurrence, game: Option<&Game>) -> Printed;

    /// The chain took back an event that was told, as its block was replaced.
    fn event_taken_back(&mut self, at: &Occurrence, game: Option<&Game>) -> Printed;

    /// The board after the last event.
    fn board(&mut self, _position: &Position) -> Printed {
        Ok(())
    }

    /// A player is to move in the game that is followed.
    fn to_move(&mut self, _player: Player) -> Printed {
        Ok(())
    }

    /// All moves of a game were shown again.
    fn replayed(&mut self, _game: &Game, _moves: &[Bin]) -> Printed {
        Ok(())
    }

    /// Whether moves are to be shown one after the other, with a pause after each.
    fn is_animated(&self) -> bool {
        false
    }

    /// Verdict on a move.
    fn reviewed(&mut self, turn: Turn, verdict: &Verdict) -> Printed;

    /// A challenge was made.
    fn challenge_made(&mut self, made: &ChallengeMade<'_>) -> Printed;

    /// A challenge was signed, and not sent to the chain.
    fn challenge_signed(&mut self, signed: &SignedText<'_>) -> Printed;

    /// An entry of the list of open challenges, and what is known about its terms.
    fn open_challenge(
        &mut self,
        number: u32,
        challenge: &Challenge,
        warnings: &[Warning],
    ) -> Printed;

    /// All terms of a challenge that an account is about to accept, which has no number if it was
    /// signed and not sent to the chain, and what is known about them.
    fn terms(
        &mut self,
        _number: Option<u32>,
        _challenge: &Challenge,
        _by: Address,
        _warnings: &[Warning],
    ) -> Printed {
        Ok(())
    }

    /// A challenge was not accepted after all.
    fn not_accepted(&mut self) -> Printed {
        Ok(())
    }

    /// There are no open challenges.
    fn no_challenges(&mut self) -> Printed {
        Ok(())
    }

    /// A challenge was accepted, which started a game.
    fn accepted(&mut self, challenge: Option<u32>, at: &GameAt<'_>, sent: Sent<'_>) -> Printed;

    /// The command that plays a game.
    fn how_to_play(&mut self, _game: u32, _reach: &str) -> Printed {
        Ok(())
    }

    /// A transaction did this.
    fn done(&mut self, deed: Deed, sent: Sent<'_>) -> Printed;

    /// A game has ended: by this transaction; none if it is the game at this terminal, whose moves
    /// are reported.
    fn ended(&mut self, at: &GameAt<'_>, sent: Option<Sent<'_>>) -> Printed;

    /// A rematch of the game `previous` was started.
    fn rematch(&mut self, previous: u32, at: &GameAt<'_>, sent: Sent<'_>) -> Printed;

    /// An account is owed something.
    fn owed(&mut self, owed: &OwedTo<'_>) -> Printed;

    /// An account was paid all that the contract owed it.
    fn paid(&mut self, paid: &Paid<'_>) -> Printed;

    /// A row of the table of standings of these games; the first one is `first`. `complete`: all of
    /// their events are known.
    fn standing(
        &mut self,
        of: StandingOf,
        first: bool,
        standing: &Standing,
        complete: bool,
    ) -> Printed;

    /// Some games among these changed no rating, or only their loser's.
    fn unrated(&mut self, of: StandingOf, unrated: Unrated) -> Printed;

    /// Ratings do not show that their accounts belong to different people.
    fn ratings_are_no_proof(&mut self) -> Printed {
        Ok(())
    }

    /// The standings lack something.
    fn incomplete(&mut self, incomplete: &Incomplete) -> Printed;

    /// No game has ended.
    fn no_standings(&mut self) -> Printed {
        Ok(())
    }

    /// A development account.
    fn account(&mut self, account: &Account<'_>) -> Printed;

    /// The page is served from now on.
    fn serving(&mut self, serving: &Serving<'_>) -> Printed;

    /// The page was written as files.
    fn page_written(&mut self, written: &PageFiles<'_>) -> Printed;

    /// The public host serves from now on.
    fn hosting(&mut self, hosting: &Hosting<'_>) -> Printed;

    /// The relay serves from now on.
    fn relaying(&mut self, relaying: &Relaying<'_>) -> Printed;

    /// The command failed. Printed on standard error, and lost if nobody reads that.
    fn failed(&mut self, failure: &Failure);
}
