//! The sides of games that computers can play: how each kind of game is read, thought about and
//! moved in.

use connect4_client::{Contract, Error, Seen, Signer, VariantAction, Variants};
use connect4_opponent::{Level, Opponent};
use connect4_rules::{Bin, Player, Position};

use crate::link::Connected;

/// One side of a game.
pub trait Side: Send + Sync + 'static {
    /// What chooses the moves.
    type Mind: Send + 'static;
    /// A position in which this side is to move, and the contract of the game.
    type Turn: Send + 'static;
    /// A move.
    type Choice: Send + 'static;

    /// What chooses moves at this level.
    fn mind(level: Level) -> Self::Mind;

    /// The position, if this side is to move.
    fn turn(
        &self,
        at: &Connected,
    ) -> impl Future<Output = Result<Option<Self::Turn>, Error>> + Send;

    /// Chooses a move; none after the end. May take long.
    fn choose(mind: &mut Self::Mind, turn: &Self::Turn) -> Option<Self::Choice>;

    /// Makes a move.
    fn make(
        &self,
        signer: &Signer,
        turn: &Self::Turn,
        choice: Self::Choice,
    ) -> impl Future<Output = Result<(), Error>> + Send;
}

/// A player of a classic game.
pub struct ClassicSide {
    pub number: u32,
    pub player: Player,
}

impl Side for ClassicSide {
    type Mind = Opponent;
    /// The position, and the contract whose transactions are based on it.
    type Turn = (Contract, Position);
    type Choice = Bin;

    fn mind(level: Level) -> Opponent {
        Opponent::new(level, rand::random())
    }

    async fn turn(&self, at: &Connected) -> Result<Option<Self::Turn>, Error> {
        let Some(contract) = at.contract() else {
            return Ok(None);
        };
        let game = contract.see_game(self.number).await?;
        let Some(game) = game.filter(|game| game.to_move() == Some(self.player)) else {
            return Ok(None);
        };
        let at_stake = contract.match_of(self.number).await?.stake > 0;
        let contract = contract.answering(self.number, &game, at_stake);
        Ok(Some((contract, game.position())))
    }

    fn choose(mind: &mut Opponent, (_, position): &Self::Turn) -> Option<Bin> {
        mind.choose(position)
    }

    async fn make(
        &self,
        signer: &Signer,
        (contract, _): &Self::Turn,
        bin: Bin,
    ) -> Result<(), Error> {
        contract.drop_disc(signer, self.number, bin).await?;
        Ok(())
    }
}

/// An account that plays a variant.
pub struct VariantSide {
    pub number: u32,
    pub account: connect4_client::Address,
}

impl Side for VariantSide {
    type Mind = Opponent;
    /// The position, and the contract whose transactions are based on it.
    type Turn = (Variants, connect4_rules::variant::Position);
    type Choice = connect4_rules::variant::Move;

    fn mind(level: Level) -> Opponent {
        Opponent::new(level, rand::random())
    }

    async fn turn(&self, at: &Connected) -> Result<Option<Self::Turn>, Error> {
        let Some(variants) = at.variants() else {
            return Ok(None);
        };
        let game = variants.see_game(self.number).await?;
        let is_mine = |game: &Seen<connect4_protocol::variants::Game>| {
            let to_move = game.to_move();
            to_move.is_some_and(|colour| game.account_of(colour) == self.account)
        };
        Ok(game
            .filter(is_mine)
            .map(|game| (variants.answering(self.number, game), *game.position())))
    }

    fn choose(
        mind: &mut Opponent,
        (_, position): &Self::Turn,
    ) -> Option<connect4_rules::variant::Move> {
        mind.choose(position)
    }

    async fn make(
        &self,
        signer: &Signer,
        (variants, _): &Self::Turn,
        action: connect4_rules::variant::Move,
    ) -> Result<(), Error> {
        variants
            .perform(signer, self.number, VariantAction::Move(action))
            .await?;
        Ok(())
    }
}
