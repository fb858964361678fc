//! What the end of a game without a stake is.

use connect4_rules::{ByPlayer, Player};

use super::contradiction::contradicts_beginning;
use super::{
    AccountCrypto, Chain, Crypto, Digest, Domain, Ended, Ending, GameNumber, Kind, Moves, Refused,
    Said, Signature, SignedEnd, SignedSession, Statement, Terms,
};
use crate::End;

/// What a witness has said of the end.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Witnessed {
    /// When the game ended, in milliseconds since 1970.
    pub at: u64,
    /// Its signature on [`Ended`].
    pub signature: Signature,
}

/// A game without a stake, with all that shows how it ended: whoever holds it needs nothing else to convince all
/// others.
///
/// The signatures on the terms are not in it: what the players sign in the game names the digest of the terms, and so
/// agrees to them.
///
/// | ending | who made the last move signs | the other signs |
/// |---|---|---|
/// | on the board, or a lapse | the position after all moves | the position before the last move |
/// | resignation | the resignation at all moves if it is the one who resigns, else the position after all moves | the same; who does not resign and did not move last, the position before the last move |
/// | draw | the draw at all moves | the draw at all moves |
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Finished {
    /// The terms.
    pub terms: Terms,
    /// For each account that is not its own key, what it has signed about its session key.
    pub sessions: ByPlayer<Option<SignedSession>>,
    /// All moves.
    pub moves: Moves,
    /// By what it ended.
    pub ending: Ending,
    /// Signature of each player.
    pub signatures: ByPlayer<Signature>,
    /// What the witness has said; none in a game without a witness.
    pub witnessed: Option<Witnessed>,
}

/// How a game ended, as [`Finished::judge`] finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Number of the game.
    pub number: GameNumber,
    /// How it ended.
    pub end: End,
    /// Who won; none of a draw.
    pub winner: Option<Player>,
    /// When it ended by the word of its witness, in milliseconds since 1970; none if it has no witness. Without one it
    /// is never rated, and nobody's win or loss.
    pub at: Option<u64>,
}

impl Finished {
    /// What a player has to have signed.
    #[must_use]
    pub fn statement_of(&self, player: Player, game: GameNumber) -> Statement<'_> {
        let end = match self.ending {
            Ending::Board | Ending::Lapse(_) => None,
            Ending::Resignation(by) => Some(SignedEnd::Resignation(by)),
            Ending::Draw => Some(SignedEnd::Draw {
                until: Kind::FOR_GOOD,
            }),
        };
        Statement::of_player(player, game, &self.moves, end)
    }

    /// How the game ended: the one judgement of it, for the contract of the records, an index, a relay and a program
    /// alike. The terms' time plays no part in it.
    ///
    /// # Errors
    ///
    /// The first of [`Refused`] that applies, in its order.
    pub fn judge(&self, chain: Chain, crypto: &impl AccountCrypto) -> Result<Outcome, Refused> {
        self.terms.check()?;
        let number = self.terms.number(&Domain::without_stake(chain), crypto);
        let (outcome, ended) = self.judge_listed(number, chain, crypto)?;
        self.check_witness(ended, chain, crypto)?;
        Ok(outcome)
    }

    /// Checks what the witness has signed by itself; `ended` is what [`Self::judge_listed`] returns.
    ///
    /// # Errors
    ///
    /// [`Refused::BadWitness`] if the game has a witness, which has not signed it.
    pub fn check_witness(
        &self,
        ended: Option<Digest>,
        chain: Chain,
        crypto: &impl Crypto,
    ) -> Result<(), Refused> {
        let (Some(hash), Some(witnessed)) = (ended, &self.witnessed) else {
            return Ok(());
        };
        let digest = Domain::without_stake(chain).digest(crypto, &hash);
        let signer = crypto.recover(&digest, &witnessed.signature);
        match signer.is_some() && signer == self.terms.witness {
            true => Ok(()),
            false => Err(Refused::BadWitness),
        }
    }

    /// As [`Self::judge`] of a game with this number, whose terms were read from bytes, and whose end stands in a list that
    /// its witness has signed: the form of the terms and the signature of the witness are not looked at. Returns also the hash that has to stand in the list of [`Ends`](super::Ends); none if the game has no
    /// witness.
    ///
    /// # Errors
    ///
    /// As [`Self::judge`].
    pub fn judge_listed(
        &self,
        number: GameNumber,
        chain: Chain,
        crypto: &impl AccountCrypto,
    ) -> Result<(Outcome, Option<Digest>), Refused> {
        let terms = &self.terms;
        terms.check_values()?;
        if terms.stake > 0 {
            return Err(Refused::Staked);
        }
        let (end, winner) = self.ends()?;
        let domain = Domain::without_stake(chain);
        let digest = |player| self.statement_of(player, number).digest(&domain, crypto);
        terms.check_players(digest, &self.signatures, &self.sessions, chain, crypto)?;
        let at = self.witnessed.map(|witnessed| witnessed.at);
        let ended = at.map(|at| Ended {
            game: number,
            moves: &self.moves,
            end: self.ending.witnessed(),
            at,
        });
        if ended.is_some_and(|ended| contradicts_beginning(terms, &Said::Ended(ended))) {
            return Err(Refused::BadWitness);
        }
        let outcome = Outcome {
            number,
            end,
            winner,
            at,
        };
        Ok((outcome, ended.map(|ended| ended.hash(crypto))))
    }

    /// What the moves and the ending make, whoever has signed them.
    fn ends(&self) -> Result<(End, Option<Player>), Refused> {
        if self.moves.len() < 2 {
            return Err(Refused::TooShort);
        }
        let game = self.terms.play(&self.moves)?;
        let is_witnessed = self.witnessed.is_some();
        self.ending.of_game(&self.terms, &game, is_witnessed)
    }
}
