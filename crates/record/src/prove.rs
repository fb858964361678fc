//! What signatures prove.

use alloc::string::ToString as _;

use connect4_protocol::fast::{
    AccountCrypto, Agreed, Domain, Evidence, FastGame, GameNumber, GameTerms, Party, PlayedGame,
};
use connect4_protocol::{Address, End, GameId, GameName};
use connect4_rules::ByPlayer;

use crate::board::{Board, in_words};
use crate::error::Fault;
use crate::record::{Record, Signed};

/// What a record proves by itself, without a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All of it: both accounts have signed the game, each by the key of which it is the account or which it
    /// has named.
    Signed {
        /// Number of the game.
        number: GameNumber,
        /// Keys that have signed.
        keys: ByPlayer<Address>,
    },
    /// All of it: it is the end of a signed game. Both players have signed the moves by keys that are theirs, and the
    /// witness of the terms, if they name one, has signed that the game ended so.
    Ended {
        /// Number of the game.
        number: GameNumber,
        /// Keys that have signed.
        keys: ByPlayer<Address>,
        /// Key of the witness; none if the terms name none.
        witness: Option<Address>,
    },
    /// That these keys have signed the moves and the end. Whether they are those of the players, a chain tells.
    Keys {
        /// For each player the key, if the player has signed anything.
        keys: ByPlayer<Option<Address>>,
        /// Whether the end is signed. Else it is one of the board, which no signature names.
        end: bool,
    },
    /// Nothing: a chain has the game, or nobody.
    Nothing,
}

impl Proof {
    /// Whether it covers what the tag with this name [says](Record::facts). Whatever else a record says, anybody can
    /// have written.
    #[must_use]
    pub fn covers(&self, tag: &str) -> bool {
        // What both have signed of the moves names the game, and with it chain and contract.
        let is_of_moves = matches!(tag, "Game" | "Chain" | "Contract");
        let is_of_terms = matches!(
            tag,
            "Player1" | "Player2" | "Terms" | "Clock" | "Time" | "Pool" | "Programs" | "Nonce"
        );
        match self {
            Self::Signed { .. } => is_of_moves || is_of_terms || tag == "End",
            // The digest that all sign has the first block of the chain, and no contract.
            Self::Ended { .. } => {
                let is_of_signed = matches!(
                    tag,
                    "Game" | "Chain" | "Genesis" | "Witness" | "Event" | "Previous"
                );
                is_of_signed || is_of_terms || self.is_of_witness(tag) || tag == "End"
            }
            Self::Keys { end, .. } => is_of_moves || (*end && tag == "End"),
            Self::Nothing => false,
        }
    }
}

impl Proof {
    /// Whether it takes the word of the witness for what the tag with this name says.
    #[must_use]
    pub fn is_of_witness(&self, tag: &str) -> bool {
        let Self::Ended { witness, .. } = self else {
            return false;
        };
        witness.is_some() && matches!(tag, "End" | "EndedAt")
    }
}

impl Record {
    /// Checks the game by the rules and by what is signed, and returns what that proves.
    ///
    /// # Errors
    ///
    /// Those of [`Record::check`]; then [`Fault::OtherNumber`] if the terms are those of another game;
    /// [`Fault::BadSignature`] or [`Fault::BadSession`] if a signature is not by the key or account whose it is;
    /// [`Fault::Refused`] if the game is none; of a signed game [`Fault::NotShown`] for all of these; and
    /// [`Fault::OtherResult`] if what is signed makes another result.
    pub fn prove(&self, crypto: &impl AccountCrypto) -> Result<Proof, Fault> {
        let board = self.check()?;
        if let Some(game) = &self.signed_game {
            return self.prove_signed(&board, game.keys, crypto);
        }
        let (Some(signed), Some(domain)) = (&self.signed, self.domain()) else {
            return Ok(Proof::Nothing);
        };
        let (made, proof) = match self.game {
            Some(GameName::Terms(says)) => {
                let played = self.played().ok_or(Fault::NotWritable)?;
                let number = played.terms.number(&domain, crypto);
                check_number(says.into(), number.into())?;
                let (number, made) = played.check(&domain, crypto)?;
                let keys = signed.keys;
                (made, Proof::Signed { number, keys })
            }
            Some(GameName::Chain(game @ GameId::Fast(_))) => {
                let evidence = self.evidence().ok_or(Fault::NotWritable)?;
                let start = self.start(signed)?;
                let number = GameNumber::from(game.number());
                let made = start.judge(number, &evidence, &domain, crypto)?;
                let key = |player| {
                    let has_signed = evidence.statement_of(player, number).is_some();
                    has_signed.then_some(*signed.keys.get(player))
                };
                let keys = ByPlayer::from_fn(key);
                let end = evidence.ending.is_some();
                (made, Proof::Keys { keys, end })
            }
            _ => return Err(Fault::NoSuchTag("Signed")),
        };
        self.check_made(&board, made.end(), made.winner().map(|player| player as u8))?;
        Ok(proof)
    }

    fn prove_signed(
        &self,
        board: &Board,
        keys: ByPlayer<Address>,
        crypto: &impl AccountCrypto,
    ) -> Result<Proof, Fault> {
        let says = self.game.ok_or(Fault::Missing("Game"))?;
        let gives = self.number_of_terms(crypto).ok_or(Fault::NotWritable)?;
        check_number(says, gives)?;
        let Some((chain, finished)) = self.finished() else {
            return Ok(Proof::Nothing);
        };
        let outcome = finished.judge(chain, crypto)?;
        let winner = outcome.winner.map(|player| player as u8);
        self.check_made(board, Some(outcome.end), winner)?;
        Ok(Proof::Ended {
            number: outcome.number,
            keys,
            witness: finished.terms.witness,
        })
    }

    /// Chain and contract for which all is signed.
    #[must_use]
    pub fn domain(&self) -> Option<Domain> {
        Some(Domain {
            chain_id: self.chain?,
            contract: self.contract?,
            version: self.signed?.version,
        })
    }

    fn check_made(&self, board: &Board, end: Option<End>, winner: Option<u8>) -> Result<(), Fault> {
        if (end, winner) == (self.end, self.winner) {
            return Ok(());
        }
        let words = |end, winner| in_words(board.result(end, winner), end);
        Err(Fault::OtherResult {
            says: words(self.end, self.winner),
            by: "signatures",
            gives: words(end, winner),
        })
    }

    /// The game by signed terms, as it is recorded on a chain; none if it is another one, or what is signed is
    /// missing.
    #[must_use]
    pub fn played(&self) -> Option<PlayedGame> {
        let signed = self.signed.as_ref()?;
        let &[one, two] = self.players.as_slice() else {
            return None;
        };
        let terms = GameTerms {
            players: ByPlayer {
                one: Party::new(one, signed.keys.one),
                two: Party::new(two, signed.keys.two),
            },
            shape: self.terms.shape().into(),
            pie_rule: self.terms.pie_rule(),
            pool: self.pool,
            programs: self.programs,
            clock: self.clock,
            time: self.time?,
            nonce: self.nonce?,
        };
        Some(PlayedGame {
            terms,
            sessions: signed.sessions,
            evidence: self.evidence()?,
        })
    }

    /// What was signed of the moves; none if nothing was, or they are not those of a game between two accounts.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence> {
        let signed = self.signed.as_ref()?;
        Some(Evidence {
            ending: signed.ending,
            signatures: signed.signatures,
            moves: self.signed_moves()?,
        })
    }

    /// The start of a fast game that began on a chain.
    fn start(&self, signed: &Signed) -> Result<FastGame, Fault> {
        let &[one, two] = self.players.as_slice() else {
            return Err(Fault::Missing("Player1"));
        };
        let start = FastGame::start(&Agreed {
            players: ByPlayer { one, two },
            keys: signed.keys,
            payer: Address::ZERO,
            shape: self.terms.shape().into(),
            clock: self.clock,
            pie_rule: self.terms.pie_rule(),
        });
        Ok(start?)
    }
}

fn check_number(says: GameName, gives: GameName) -> Result<(), Fault> {
    match says == gives {
        true => Ok(()),
        false => Err(Fault::OtherNumber {
            says: says.to_string(),
            gives: gives.to_string(),
        }),
    }
}
