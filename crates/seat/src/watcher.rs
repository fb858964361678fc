//! Somebody who watches the room of a game without a stake, and has no key.

use connect4_protocol::signed::wire::{Act, FromWitness, Spoken, Telling, Told};
use connect4_protocol::signed::{
    AccountCrypto, Chain, Contradiction, Domain, GameNumber, Refused, SignedTerms,
};
use connect4_protocol::{Address, Game};
use connect4_rules::ByPlayer;

use crate::record::Room;
use crate::told::{self, NotTold};

/// Somebody who watches a game: its number and its witness are those of a link. It believes the witness as players do, and
/// keeps nothing.
#[derive(Clone, Debug)]
pub struct Watcher<C> {
    game: GameNumber,
    witness: Address,
    crypto: C,
    chain: Option<Chain>,
    room: Option<Room>,
    agreed: ByPlayer<Option<Spoken>>,
}

/// Why nothing is believed that a room tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unseen {
    #[error("the room tells another game")]
    OtherGame,
    /// The terms are not valid.
    #[error("{0}")]
    Refused(#[from] Refused),
    #[error("{0}")]
    NotTold(#[from] NotTold),
    #[error("the witness contradicts itself, or the terms: {0}")]
    Contradicted(Contradiction),
}

impl<C: AccountCrypto> Watcher<C> {
    #[must_use]
    pub const fn new(game: GameNumber, witness: Address, crypto: C) -> Self {
        Self {
            game,
            witness,
            crypto,
            chain: None,
            room: None,
            agreed: ByPlayer {
                one: None,
                two: None,
            },
        }
    }

    /// The chain for which the game is signed; none before the room has said it.
    #[must_use]
    pub const fn chain(&self) -> Option<Chain> {
        self.chain
    }

    /// The terms, and what the witness has told; none before the room has.
    #[must_use]
    pub const fn room(&self) -> Option<&Room> {
        self.room.as_ref()
    }

    /// The game as its witness has told it; none before the room has.
    #[must_use]
    pub fn game(&self) -> Option<Game> {
        self.room.as_ref().and_then(Room::game)
    }

    /// Draws to which each player has agreed at the newest position.
    #[must_use]
    pub const fn agreed(&self) -> &ByPlayer<Option<Spoken>> {
        &self.agreed
    }

    /// The room says something. It begins with a welcome.
    ///
    /// # Errors
    ///
    /// [`Unseen`]; nothing has changed then, but that a contradiction is kept.
    pub fn hear(&mut self, message: &FromWitness) -> Result<(), Unseen> {
        match message {
            FromWitness::Welcome {
                chain_id, genesis, ..
            } => {
                self.chain = Some(Chain {
                    id: *chain_id,
                    genesis: *genesis,
                });
                // The room tells an offer that stands.
                self.agreed = ByPlayer::default();
                Ok(())
            }
            FromWitness::Terms(terms) => self.take_terms(terms),
            FromWitness::Told(told) => self.take_told(told),
            FromWitness::Offer(spoken) => self.take_offer(spoken),
            FromWitness::Present(_) | FromWitness::Refused(_) => Ok(()),
        }
    }

    fn take_terms(&mut self, agreed: &SignedTerms) -> Result<(), Unseen> {
        let chain = self.chain.ok_or(Unseen::OtherGame)?;
        let is_this = agreed.number(chain, &self.crypto) == self.game
            && agreed.terms.witness == Some(self.witness);
        if !is_this {
            return Err(Unseen::OtherGame);
        }
        agreed.check(chain, &self.crypto)?;
        if self.room.is_none() {
            self.room = Some(Room::new(*agreed));
        }
        Ok(())
    }

    fn take_told(&mut self, told: &Told) -> Result<(), Unseen> {
        let domain = self.domain()?;
        let room = self.room.as_mut().ok_or(Unseen::OtherGame)?;
        let agreed = &room.agreed;
        if !told::is_by_witness(told, agreed, &domain, &self.crypto) {
            return Err(NotTold::NotSigned.into());
        }
        let mut held = [room.receipt, room.end, Some(*told)].into_iter().flatten();
        let contradicted = held.find_map(|held| {
            let contradiction = held.contradicts(told, &agreed.terms, self.game)?;
            Some((held, contradiction))
        });
        if let Some((held, contradiction)) = contradicted {
            room.contradiction.get_or_insert((held, *told));
            return Err(Unseen::Contradicted(contradiction));
        }
        let was = room.moves();
        let is_news = room.end.is_none()
            && match told.what {
                Telling::Ended(_) => true,
                Telling::Receipt { .. } => room.receipt.is_none() || told.moves.len() > was.len(),
            };
        if !is_news {
            return Ok(());
        }
        told::check(told, agreed, &domain, &self.crypto)?;
        match told.what {
            Telling::Receipt { .. } => room.receipt = Some(*told),
            Telling::Ended(_) => room.end = Some(*told),
        }
        if room.end.is_some() || room.moves() != was {
            self.agreed = ByPlayer::default();
        }
        Ok(())
    }

    fn take_offer(&mut self, spoken: &Spoken) -> Result<(), Unseen> {
        let domain = self.domain()?;
        let room = self.room.as_ref().ok_or(Unseen::OtherGame)?;
        let is_valid = spoken.act == Act::Draw
            && spoken.moves == room.moves()
            && told::is_signed(spoken, &room.agreed, &domain, &self.crypto);
        if !is_valid {
            return Err(NotTold::NotSigned.into());
        }
        self.agreed[spoken.by] = Some(*spoken);
        Ok(())
    }

    fn domain(&self) -> Result<Domain, Unseen> {
        self.chain
            .map(Domain::without_stake)
            .ok_or(Unseen::OtherGame)
    }
}
