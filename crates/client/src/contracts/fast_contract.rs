//! Messages of the contract of the fast games, and what the account of a player signs for it.
//!
//! What players sign and send each other in a game is `connect4_protocol::fast`. Actions of players
//! that every game knows are by [`Contract::perform`], which tells by the number where a game is.

use connect4_protocol::event::{MatchStarted, Withdrawn};
use connect4_protocol::fast::{
    AccountSignature, Domain, Evidence, FastGame, Native, Signature, SignedChallenge,
    StatementVersion, wrapped,
};
use connect4_protocol::message::{
    AcceptFastRematch, AcceptSigned, Advance, FastCreditOf, FastGameCount, OfferFastRematch,
    ReadFast, WithdrawFast,
};
use connect4_protocol::{Address, Challenge, Error as Refusal, Event, GameId, Message, VERSION};
use subxt::utils::H256;

use crate::accounts::account::{Pair, Signer};
use crate::chain::seen::Seen;
use crate::contracts::action::Performed;
use crate::contracts::contract::Contract;
use crate::contracts::receipt::Receipt;
use crate::contracts::transact::told;
use crate::error::Error;
use crate::task::Task;

impl Signer {
    /// A challenge that this account signs and does not send to the chain. The opponent starts its
    /// game by [`Contract::accept_signed`].
    ///
    /// # Errors
    ///
    /// As [`SignedChallenge::digest`].
    pub fn sign_challenge(
        &self,
        challenge: Challenge,
        domain: &Domain,
    ) -> Result<SignedChallenge, Refusal> {
        let digest = SignedChallenge::digest(&challenge, domain, &Native)?;
        let signature = match self.pair() {
            Pair::Sr25519(pair) => AccountSignature::Sr25519 {
                public_key: pair.public_key().0,
                signature: pair.sign(&wrapped(&digest)).0,
            },
            Pair::Ethereum(pair) => {
                let mut bytes = pair.sign_prehashed(&digest).0;
                // As Ethereum writes it, and not as the curve does: 27 or 28.
                if let Some(v) = bytes.last_mut() {
                    *v = v.wrapping_add(27);
                }
                AccountSignature::Ethereum(Signature(bytes))
            }
        };
        Ok(SignedChallenge {
            challenge,
            signature,
        })
    }
}

impl Contract {
    /// Number of fast games that were started; the first one has the number
    /// [`FIRST`](connect4_protocol::fast::FIRST). None have been in a contract that has no fast games.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn fast_game_count(&self) -> Result<u32, Error> {
        self.fast_game_count_at(None).await
    }

    /// Number of fast games after a block; the best one if none is given.
    pub(crate) async fn fast_game_count_at(&self, block: Option<H256>) -> Result<u32, Error> {
        if self.fast_address().is_none() {
            return Ok(0);
        }
        let task = Task::CountGames;
        let answer = self.query(&task, &FastGameCount {}, block).await?;
        answer.map_err(|error| Error::Refused { task, error })
    }

    /// All that the chain knows of a fast game, as it is in the best block; none if there is no fast
    /// game with this number, or its storage was freed.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn fast_game(&self, game: u32) -> Result<Option<FastGame>, Error> {
        self.read_fast(game, None).await
    }

    /// All that the chain knows of a fast game in the best block, with that block; none as for
    /// [`Contract::fast_game`].
    ///
    /// # Errors
    ///
    /// As [`Contract::fast_game`].
    pub async fn see_fast_game(&self, game: u32) -> Result<Option<Seen<FastGame>>, Error> {
        let block = self.client().best_block().await?;
        let found = self.read_fast(game, Some(block.hash)).await?;
        Ok(found.map(|value| Seen { value, block }))
    }

    /// All that the chain knew of a fast game after a block; none if it was not there.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or has dropped the block's state.
    pub async fn fast_game_at(&self, game: u32, block: H256) -> Result<Option<FastGame>, Error> {
        self.read_fast(game, Some(block)).await
    }

    /// All that the chain knew of a fast game after the newest final block, which no fork replaces; none if
    /// it was not there.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn final_fast_game(&self, game: u32) -> Result<Option<FastGame>, Error> {
        let last = self.client().finalized(&Task::ReadHeight).await?;
        since_deployed(self.read_fast(game, Some(last)).await)
    }

    /// Whether a fast game has ended for good, or its storage was freed, by the newest final block: then no
    /// fork brings it back.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn is_fast_settled(&self, game: u32) -> Result<bool, Error> {
        let last = self.client().finalized(&Task::ReadHeight).await?;
        Ok(
            match since_deployed(self.read_fast(game, Some(last)).await)? {
                Some(fast) => fast.is_final(),
                // It was freed, or has not begun by then.
                None => {
                    let place = GameId::of_two(game).place();
                    let count = self.fast_game_count_at(Some(last)).await.map(Some);
                    since_deployed(count)?.is_some_and(|count| place < count)
                }
            },
        )
    }

    /// Number of the fast games that were started by the newest final block.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn final_fast_game_count(&self) -> Result<u32, Error> {
        let last = self.client().finalized(&Task::ReadHeight).await?;
        let count = self.fast_game_count_at(Some(last)).await;
        Ok(since_deployed(count.map(Some))?.unwrap_or_default())
    }

    pub(crate) async fn read_fast(
        &self,
        game: u32,
        at: Option<H256>,
    ) -> Result<Option<FastGame>, Error> {
        let id = GameId::of_two(game);
        if !id.is_fast() || self.fast_address().is_none() {
            return Ok(None);
        }
        let task = Task::ReadGame { game: id };
        self.find(task, &ReadFast { game }, at, Refusal::NoSuchGame)
            .await
    }

    /// What signatures in fast games are bound to: this chain, and the contract of the fast games.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if there are no fast games; else if the chain does not tell its number of
    /// EIP-155, or cannot be reached.
    pub fn domain(&self) -> Result<Domain, Error> {
        let task = Task::FindGames;
        Ok(Domain {
            contract: self.address_of::<ReadFast>(&task)?,
            chain_id: self.client().ethereum_chain_id(&task)?,
            version: StatementVersion::of_contracts(self.version().unwrap_or(VERSION)),
        })
    }

    /// Waits until what the chain knows of a fast game differs from what is given here, and returns
    /// it with the block after which it is so.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, also if the game's storage is freed meanwhile; else if
    /// the chain cannot be reached.
    pub async fn wait_for_fast_change(
        &self,
        number: u32,
        known: &FastGame,
    ) -> Result<Seen<FastGame>, Error> {
        let task = &Task::AwaitChange {
            game: GameId::of_two(number),
        };
        let look = || async {
            let now = self.see_fast_game(number).await?;
            let now = now.ok_or_else(|| Error::Refused {
                task: task.clone(),
                error: Refusal::NoSuchGame,
            })?;
            Ok((now.value != *known).then_some(now))
        };
        self.wait_until(task, look).await
    }

    /// Brings a position that both players have signed to the chain, or a signed end; with `press` the
    /// signer, who waits, then starts the clock of who is to move. Any account may bring it.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if there are no fast games, then [`Error::Refused`] with the reason of the
    /// contract, before anything is sent; else if the account cannot pay or the chain cannot be
    /// reached.
    pub async fn advance(
        &self,
        signer: &Signer,
        game: u32,
        press: bool,
        evidence: &Evidence,
    ) -> Result<Receipt<Performed>, Error> {
        let task = Task::Advance { game };
        let message = Advance {
            game,
            press,
            evidence: *evidence,
        };
        let receipt = self.transact(&task, signer, &message, 0).await?;
        Ok(receipt.map(|events| Performed { events }))
    }

    /// Offers a rematch of a fast game, for which the signer names a new session key, and pays its
    /// stake; accepts the opponent's offer if there is one.
    ///
    /// # Errors
    ///
    /// As [`Contract::perform`] of [`OfferRematch`](crate::Action::OfferRematch) in another game.
    pub async fn offer_fast_rematch(
        &self,
        signer: &Signer,
        game: u32,
        key: Address,
    ) -> Result<Receipt<Performed>, Error> {
        self.fast_rematch(signer, game, OfferFastRematch { game, key })
            .await
    }

    /// Accepts the opponent's offer of a rematch of a fast game, for which the signer names a new
    /// session key, and pays its stake.
    ///
    /// # Errors
    ///
    /// As [`Contract::perform`] of [`AcceptRematch`](crate::Action::AcceptRematch) in another game.
    pub async fn accept_fast_rematch(
        &self,
        signer: &Signer,
        game: u32,
        key: Address,
    ) -> Result<Receipt<Performed>, Error> {
        self.fast_rematch(signer, game, AcceptFastRematch { game, key })
            .await
    }

    async fn fast_rematch<M, T>(
        &self,
        signer: &Signer,
        game: u32,
        message: M,
    ) -> Result<Receipt<Performed>, Error>
    where
        M: Message<Answer = Result<T, Refusal>>,
    {
        let task = Task::Rematch { game };
        let stake = self.payment(&task, self.match_of(game).await?.stake)?;
        let receipt = self.transact(&task, signer, &message, stake).await?;
        Ok(receipt.map(|events| Performed { events }))
    }

    /// Accepts a challenge that the challenger has signed and not sent to the chain, with a session
    /// key of the signer; returns the game's number.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if there are no fast games, then [`Error::Refused`] with the reason of the
    /// contract, before anything is sent; else if the account cannot pay or the chain cannot be
    /// reached.
    pub async fn accept_signed(
        &self,
        signer: &Signer,
        key: Address,
        signed: &SignedChallenge,
    ) -> Result<Receipt<u32>, Error> {
        let task = Task::AcceptSigned {
            challenger: signed.challenge.challenger,
        };
        let message = AcceptSigned {
            key,
            signed: *signed,
        };
        let receipt = self.transact(&task, signer, &message, 0).await?;
        told(&task, receipt, |event| match event {
            Event::MatchStarted(MatchStarted { game, .. }) => Some(*game),
            _ => None,
        })
    }

    /// Pays the signer all that it is owed by fast games, whose stakes are in a contract of their own.
    /// Returns the amount, in the unit in which a contract sees amounts.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NothingToWithdraw`, then `TransferFailed`, before anything is sent;
    /// else if the account cannot pay or the chain cannot be reached.
    pub async fn withdraw_fast(&self, signer: &Signer) -> Result<Receipt<u128>, Error> {
        let task = Task::Withdraw {
            signer: signer.named(),
        };
        let receipt = self.transact(&task, signer, &WithdrawFast {}, 0).await?;
        told(&task, receipt, |event| match event {
            Event::Withdrawn(Withdrawn { amount, .. }) => Some(*amount),
            _ => None,
        })
    }

    /// Amount that an account is owed by fast games and may [withdraw](Self::withdraw_fast), in the
    /// unit in which a contract sees amounts.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn fast_credit_of(&self, account: Address) -> Result<u128, Error> {
        if self.fast_address().is_none() {
            return Ok(0);
        }
        let task = Task::ReadCredit { account };
        let answer = self.query(&task, &FastCreditOf { account }, None).await?;
        answer.map_err(|error| Error::Refused { task, error })
    }
}

/// What was read after a block in which the contracts may not be there yet; none then.
fn since_deployed<T>(read: Result<Option<T>, Error>) -> Result<Option<T>, Error> {
    match read {
        Err(Error::NoContract(_)) => Ok(None),
        read => read,
    }
}
