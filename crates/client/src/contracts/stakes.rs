//! The contract of the stakes of signed games.

use connect4_protocol::signed::event::Funded;
use connect4_protocol::signed::message::{
    Advance, ClaimTimeout, CreditOf, Drop, Free, Fund, Press, ReadDomain, ReadStaked, Refund,
    Withdraw,
};
use connect4_protocol::signed::{
    Chain, Domain, GameNumber, StakedGame, StakesError, StakesEvent, Terms,
};
use connect4_protocol::{Address, Error as Refusal};
use connect4_seat::{Call, Sight};
use sp_crypto_hashing::keccak_256;
use subxt::utils::H256;

use crate::accounts::account::Signer;
use crate::accounts::address::create2;
use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::dry_run;
use crate::chain::seen::Basis;
use crate::contracts::abi;
use crate::contracts::deploy::SALT;
use crate::contracts::receipt::Receipt;
use crate::error::Error;
use crate::task::Task;

/// The contract that holds the stakes of signed games, of which the code is known, on the chain for which its games are
/// signed.
#[derive(Clone, Debug)]
pub struct Stakes {
    client: Client,
    address: Address,
    domain: Domain,
}

impl Client {
    /// The chain, as signatures in signed games name it.
    ///
    /// # Errors
    ///
    /// If it does not tell its number of EIP-155.
    pub fn signing_chain(&self) -> Result<Chain, Error> {
        Ok(Chain {
            id: self.ethereum_chain_id(&Task::FollowChain)?,
            genesis: self.genesis().0,
        })
    }

    /// Address at which `deployer`'s contract of the stakes is on this chain, or would be.
    #[must_use]
    pub fn stakes_address(&self, deployer: Address, code: &[u8]) -> Address {
        create2(deployer, code, &self.stakes_constructor(), &SALT)
    }

    /// Deploys the contract of the stakes. Does nothing if the signer has deployed it before.
    ///
    /// # Errors
    ///
    /// As [`Client::deploy`].
    pub async fn deploy_stakes(
        &self,
        signer: &Signer,
        code: &[u8],
    ) -> Result<(Address, Option<Receipt<Address>>), Error> {
        let address = self.stakes_address(signer.address(), code);
        let data = self.stakes_constructor();
        let receipt = self.deploy_at(signer, Some(address), Some(code), &data);
        Ok((address, receipt.await?))
    }

    pub(crate) fn stakes_constructor(&self) -> Vec<u8> {
        abi::constructor("new", self.genesis().0)
    }
}

impl Stakes {
    /// Opens the contract of the stakes at an address. Nothing is paid to other code than this.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if there is no contract, then [`Error::OtherCode`] if it has other code, then
    /// [`Error::OtherDomain`] if it was deployed for another chain; else if the chain cannot be reached.
    pub async fn open(client: &Client, address: Address, code: &[u8]) -> Result<Self, Error> {
        let found = client.code_hash(address).await?;
        let found = H256(found.ok_or(Error::NoContract(address))?);
        let expected = H256(keccak_256(code));
        if found != expected {
            return Err(Error::OtherCode {
                address,
                found,
                expected,
            });
        }
        let domain = Domain {
            chain: client.signing_chain()?,
            stakes: Some(address),
        };
        let task = Task::Message("looking for the contract of the stakes".into());
        let told = client.ask(&task, address, &ReadDomain {}, None).await?;
        match told {
            Ok(told) if told == domain => Ok(Self {
                client: client.clone(),
                address,
                domain,
            }),
            _ => Err(Error::OtherDomain { address }),
        }
    }

    /// The connection to the chain.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Address of the contract.
    #[must_use]
    pub const fn address(&self) -> Address {
        self.address
    }

    /// Where its games are signed.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        self.domain
    }

    /// A game in the best block; none if there is none with this number.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn game(&self, game: GameNumber) -> Result<Option<StakedGame>, Error> {
        self.game_at(game, None).await
    }

    async fn game_at(
        &self,
        game: GameNumber,
        at: Option<H256>,
    ) -> Result<Option<StakedGame>, Error> {
        let task = Task::Message(format!("reading game {}", short(game)));
        let message = ReadStaked { game };
        let answer = self.client.ask(&task, self.address, &message, at).await?;
        match answer {
            Ok(game) => Ok(Some(game)),
            Err(StakesError::Common(Refusal::NoSuchGame)) => Ok(None),
            Err(error) => Err(abi::Refuses::refused(error, &task)),
        }
    }

    /// Amount that an account is owed in the best block, in the unit that contracts see.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn owed(&self, account: Address) -> Result<u128, Error> {
        self.owed_at(account, None).await
    }

    async fn owed_at(&self, account: Address, at: Option<H256>) -> Result<u128, Error> {
        let task = Task::Message(format!("reading what {account} is owed"));
        let message = CreditOf { account };
        let answer = self.client.ask(&task, self.address, &message, at).await?;
        answer.map_err(|error| abi::Refuses::refused(error, &task))
    }

    /// What a block shows of a game and an account.
    ///
    /// # Errors
    ///
    /// Also if the time of the block can't be read.
    pub(crate) async fn sight(
        &self,
        game: Option<GameNumber>,
        account: Address,
        block: BlockRef,
    ) -> Result<Sight, Error> {
        let time = self.client.time_in(block.number, block.hash).await?;
        let time = time.ok_or_else(|| Error::Unexpected {
            task: Task::FollowChain,
            reason: format!("block {} has no time", block.number),
        })?;
        let at = Some(block.hash);
        let number = game;
        let game = match number {
            Some(game) => self.game_at(game, at).await?,
            None => None,
        };
        let owed = self.owed_at(account, at).await?;
        Ok(Sight {
            time,
            number,
            game,
            owed,
        })
    }

    /// The payments of stakes in a block, in order.
    pub(crate) async fn funded_in(&self, block: BlockRef) -> Result<Vec<Funded>, Error> {
        let events = self.events_in(block).await?.into_iter();
        let funded = events.filter_map(|event| match event {
            StakesEvent::Funded(funded) => Some(funded),
            _ => None,
        });
        Ok(funded.collect())
    }

    /// The terms of the games that have begun in the block of the best branch with this number, as both have paid; none if
    /// the node has discarded its events. A payment by one player alone says nothing of the other one.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn begun_in(&self, number: u32) -> Result<Vec<Terms>, Error> {
        let hash = self.client.known_hash(&Task::ReadEvents, number).await?;
        let funded = match self.funded_in(BlockRef { number, hash }).await {
            Err(Error::NoState { .. }) => return Ok(Vec::new()),
            funded => funded?.into_iter(),
        };
        Ok(funded
            .filter(|funded| funded.begins)
            .map(|funded| funded.terms)
            .collect())
    }

    /// Has the signer paid all that the contract owes it. Returns the amount, in the unit that contracts see.
    ///
    /// # Errors
    ///
    /// [`Error::StakesRefused`] if it is owed nothing; else as any transaction.
    pub async fn withdraw(&self, signer: &Signer) -> Result<Receipt<u128>, Error> {
        let any = GameNumber([0; 32]);
        let mut number = None;
        let sent = self.send(signer, any, &Call::Withdraw, None, &mut number);
        let receipt = sent.await?;
        let block = BlockRef {
            number: receipt.transaction.block,
            hash: receipt.transaction.block_hash,
        };
        let amount = |event| match event {
            StakesEvent::Withdrawn(paid) if paid.account == signer.address() => Some(paid.amount),
            _ => None,
        };
        let paid = self.events_in(block).await?.into_iter().find_map(amount);
        let value = paid.ok_or_else(|| Error::Unexpected {
            task: Task::ReadEvents,
            reason: "the contract has not told what it has paid".into(),
        })?;
        Ok(Receipt {
            transaction: receipt.transaction,
            deposit: receipt.deposit,
            value,
            mapped: receipt.mapped,
        })
    }

    /// What the contract has told in a block, in order.
    async fn events_in(&self, block: BlockRef) -> Result<Vec<StakesEvent>, Error> {
        let emitted = self
            .client
            .emitted_in(&Task::ReadEvents, block, self.address);
        let events = emitted.await?.into_iter();
        let told =
            events.filter_map(|event| StakesEvent::decode(&event.topic, &event.data).ok()?);
        Ok(told.collect())
    }

    /// Makes a call of a player in the game with this number: first as a dry run, then, unless that is refused, as a
    /// transaction. By an account of the chain's own kind it is void on a branch without the block `seen`, in which the
    /// player saw the game. One of Ethereum is good on every branch: a disc is bound to its board by the contract, and
    /// the opponent is pressed only once that block is final.
    ///
    /// `number` is that of an earlier transaction for the same, of which at most one is made then, and becomes that of
    /// this one as soon as it is signed.
    ///
    /// # Errors
    ///
    /// [`Error::BrokenStake`] if no payment is exactly what is to be paid; [`Error::Replaced`] if the block was
    /// replaced;
    /// [`Error::Refused`] or [`Error::StakesRefused`] with the contract's reason; else if the account cannot pay, or
    /// the chain cannot be reached.
    pub(crate) async fn send(
        &self,
        signer: &Signer,
        game: GameNumber,
        call: &Call,
        seen: Option<BlockRef>,
        number: &mut Option<u64>,
    ) -> Result<Receipt<()>, Error> {
        let of = |what: &str| Task::Message(format!("{what} game {}", short(game)));
        let (task, payment, input) = match call {
            Call::Fund { terms, payment } => {
                let input = abi::input(&Fund { terms: *terms });
                (of("paying the stake of"), *payment, input)
            }
            Call::Refund => (
                of("asking for the stake back of"),
                0,
                abi::input(&Refund { game }),
            ),
            Call::Advance { evidence, press } => {
                let message = Advance {
                    game,
                    press: *press,
                    evidence: *evidence,
                };
                let task = of("bringing signed moves to the chain of");
                (task, 0, abi::input(&message))
            }
            Call::Press => (
                of("starting the opponent's clock in"),
                0,
                abi::input(&Press { game }),
            ),
            Call::Drop { board, bin } => {
                let message = Drop {
                    game,
                    board: *board,
                    bin: *bin,
                };
                let task = of("making a move on the chain in");
                (task, 0, abi::input(&message))
            }
            Call::Claim => (
                of("claiming the timeout of"),
                0,
                abi::input(&ClaimTimeout { game }),
            ),
            Call::Withdraw => {
                let task = Task::Message(format!("withdrawing what {signer} is owed"));
                (task, 0, abi::input(&Withdraw {}))
            }
            Call::Free => (of("freeing the storage of"), 0, abi::input(&Free { game })),
        };
        let client = &self.client;
        let payment = client.token().payment(payment);
        let payment = payment.ok_or_else(|| Error::BrokenStake {
            task: task.clone(),
            stake: payment_of(call),
        })?;
        let mapped = client.ensure_mapped(signer).await?;
        let best = client.best_block_for(&task).await?;
        let anchor = match (call, seen) {
            (Call::Press, Some(block)) if signer.is_ethereum() => {
                client.anchor(&task, &Standing(block)).await?
            }
            _ => client.anchor_on(&task, best, seen).await?,
        };
        let call = dry_run::Call {
            contract: self.address,
            payment,
            input: &input,
        };
        let caller = signer.named();
        let run = client
            .rehearse::<StakesError>(&task, &caller, call, None)
            .await?;
        let deposit = run.deposit;
        let written = run.signed(call, &client.api().metadata());
        let sent = client
            .submit_at(&task, signer, &written, anchor, number)
            .await;
        match sent {
            Ok(included) => Ok(Receipt {
                transaction: included.transaction,
                deposit,
                value: (),
                mapped,
            }),
            Err(failed) => {
                if let Error::Failed { name, .. } = &failed
                    && name.ends_with("::ContractReverted")
                {
                    // Another transaction came in between: a dry run tells the reason.
                    client
                        .rehearse::<StakesError>(&task, &caller, call, None)
                        .await?;
                }
                Err(failed)
            }
        }
    }
}

/// A block in which the player saw the game.
struct Standing(BlockRef);

impl Basis for Standing {
    fn block(&self) -> BlockRef {
        self.0
    }

    fn depth(&self) -> u32 {
        // What an account of Ethereum has signed is valid on every branch: only a final block can't be replaced.
        u32::MAX
    }

    async fn stands(&self, _: H256) -> Result<bool, Error> {
        // What the player saw is gone: it decides anew.
        Ok(false)
    }
}

/// What is paid with a call, in the unit that contracts see.
const fn payment_of(call: &Call) -> u128 {
    match call {
        Call::Fund { payment, .. } => *payment,
        _ => 0,
    }
}

/// The first digits of a number, by which people know a game.
fn short(game: GameNumber) -> String {
    game.to_string().chars().take(10).collect()
}
