//! What the client was doing when an error occurred.

use std::fmt;

use connect4_protocol::{Address, GameId};
use subxt::utils::{AccountId32, H256};

use crate::accounts::account::Named;
use crate::contracts::action::Action;
use crate::contracts::variant_action::VariantAction;

/// What the client was doing when an error occurred. As text it is a phrase such as `reading game 3`.
///
/// Games, challenges, bins, blocks and the transactions of a block count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// Reading an account's balance.
    ReadBalance {
        /// The account.
        account: AccountId32,
    },
    /// Looking up whether an account is mapped to its address.
    ReadMapping {
        /// The account.
        account: AccountId32,
    },
    /// Mapping an account to its address, so that it may call contracts.
    MapAccount {
        /// The account.
        account: Named,
    },
    /// Looking whether there is a contract.
    FindContract {
        /// Address of the contract.
        address: Address,
    },
    /// Uploading the code of the games or the fast games.
    UploadCode,
    /// Deploying the contracts of the games and matches, or that of the variants.
    Deploy,
    /// Asking for the number of the best block.
    ReadHeight,
    /// Looking up a transaction.
    ReadTransaction {
        /// Number of the block.
        block: u32,
        /// Index of the transaction in its block.
        index: u32,
    },
    /// Following the chain's blocks.
    FollowChain,
    /// Asking the contract of the matches for that of the games.
    FindGames,
    /// Asking a contract whether it is one of the variants.
    FindVariants,
    /// Reading the number of games.
    CountGames,
    /// Reading a game.
    ReadGame {
        /// The game.
        game: GameId,
    },
    /// Starting a game.
    StartGame,
    /// Performing an action of a player.
    Perform {
        /// The action.
        action: Action,
        /// Number of the game.
        game: u32,
        /// Signer of the transaction.
        signer: Named,
    },
    /// Performing an action of a player of a variant.
    PerformVariant {
        /// The action.
        action: VariantAction,
        /// Number of the game.
        game: u32,
        /// Signer of the transaction.
        signer: Named,
    },
    /// Bringing a signed position of a fast game, or a signed end, to the chain.
    Advance {
        /// Number of the game.
        game: u32,
    },
    /// Offering or accepting a rematch of a fast game.
    Rematch {
        /// Number of the game.
        game: u32,
    },
    /// Accepting a challenge that was signed and not sent to the chain.
    AcceptSigned {
        /// Account that signed it.
        challenger: Address,
    },
    /// Opening a table.
    OpenTable,
    /// Listing the open tables.
    ListTables,
    /// Waiting for a change of a game.
    AwaitChange {
        /// The game.
        game: GameId,
    },
    /// Looking up the events of a game.
    ReadHistory {
        /// The game.
        game: GameId,
    },
    /// Reading the events of the contracts.
    ReadEvents,
    /// Looking for the first block after which the contract was there.
    FindFirstBlock,
    /// Making a challenge.
    MakeChallenge,
    /// Accepting a challenge.
    AcceptChallenge {
        /// Number of the challenge.
        challenge: u32,
    },
    /// Declining a challenge.
    DeclineChallenge {
        /// Number of the challenge.
        challenge: u32,
    },
    /// Cancelling a challenge.
    CancelChallenge {
        /// Number of the challenge.
        challenge: u32,
    },
    /// Reading a challenge.
    ReadChallenge {
        /// Number of the challenge.
        challenge: u32,
    },
    /// Listing the open challenges.
    ListChallenges,
    /// Reading the match of a game.
    ReadMatch {
        /// Number of the game.
        game: u32,
    },
    /// Reading the amount that an account is owed.
    ReadCredit {
        /// Address of the account.
        account: Address,
    },
    /// Withdrawing the amount that an account is owed.
    Withdraw {
        /// Signer of the transaction.
        signer: Named,
    },
    /// Preparing a transaction that a wallet signs.
    Prepare {
        /// The account whose wallet signs.
        account: Named,
    },
    /// Passing on a transaction that a wallet signed.
    PassOn,
    /// Looking for a transaction by its hash.
    FindTransaction {
        /// Hash of the transaction.
        hash: H256,
    },
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadBalance { account } => write!(f, "reading the balance of {account}"),
            Self::ReadMapping { account } => write!(f, "looking up the address of {account}"),
            Self::MapAccount { account } => {
                write!(f, "making the account {account} known to contracts")
            }
            Self::FindContract { address } => write!(f, "looking for a contract at {address}"),
            Self::UploadCode => f.write_str("uploading the code of the contracts"),
            Self::Deploy => f.write_str("deploying the contract"),
            Self::ReadHeight => f.write_str("asking for the newest block"),
            Self::ReadTransaction { block, index } => {
                write!(f, "looking up transaction {index} of block {block}")
            }
            Self::FollowChain => f.write_str("following the chain"),
            Self::FindGames => f.write_str("looking for the games"),
            Self::FindVariants => f.write_str("looking for the variants"),
            Self::CountGames => f.write_str("counting the games"),
            Self::ReadGame { game } => write!(f, "reading game {game}"),
            Self::StartGame => f.write_str("starting a game"),
            Self::Perform {
                action,
                game,
                signer,
            } => {
                let game = GameId::of_two(*game);
                match action {
                    Action::Drop(bin) => {
                        write!(
                            f,
                            "dropping a disc of {signer} into bin {bin} of game {game}"
                        )
                    }
                    Action::Resign => write!(f, "resigning game {game}"),
                    Action::ClaimTimeout => write!(f, "claiming the timeout of game {game}"),
                    Action::Press => write!(f, "starting the opponent's clock in game {game}"),
                    Action::OfferDraw => write!(f, "offering a draw in game {game}"),
                    Action::AcceptDraw => write!(f, "accepting a draw in game {game}"),
                    Action::DeclineDraw => write!(f, "declining a draw in game {game}"),
                    Action::OfferRematch => write!(f, "offering a rematch of game {game}"),
                    Action::AcceptRematch => write!(f, "accepting a rematch of game {game}"),
                    Action::DeclineRematch => write!(f, "declining a rematch of game {game}"),
                    Action::Withdraw => write!(f, "withdrawing what {signer} is owed"),
                    Action::Free => write!(f, "freeing the storage of game {game}"),
                }
            }
            Self::Advance { game } => {
                let game = GameId::of_two(*game);
                write!(f, "bringing signed moves of game {game} to the chain")
            }
            Self::Rematch { game } => {
                write!(f, "agreeing to a rematch of game {}", GameId::of_two(*game))
            }
            Self::AcceptSigned { challenger } => {
                write!(f, "accepting a challenge that {challenger} has signed")
            }
            Self::PerformVariant {
                action,
                game,
                signer,
            } => {
                let game = GameId::Variant(*game);
                match action {
                    VariantAction::Move(action) => {
                        write!(f, "making the move {action} of {signer} in game {game}")
                    }
                    VariantAction::Join => write!(f, "joining the table of game {game}"),
                    VariantAction::Leave => write!(f, "leaving game {game}"),
                    VariantAction::RemoveLate => {
                        write!(f, "removing the late player of game {game}")
                    }
                    VariantAction::Free => write!(f, "freeing the storage of game {game}"),
                }
            }
            Self::OpenTable => f.write_str("opening a table"),
            Self::ListTables => f.write_str("listing the open tables"),
            Self::AwaitChange { game } => write!(f, "waiting for a change in game {game}"),
            Self::ReadHistory { game } => write!(f, "looking up the history of game {game}"),
            Self::ReadEvents => f.write_str("reading the contract's events"),
            Self::FindFirstBlock => f.write_str("looking for the contract's first block"),
            Self::MakeChallenge => f.write_str("making a challenge"),
            Self::AcceptChallenge { challenge } => write!(f, "accepting challenge {challenge}"),
            Self::DeclineChallenge { challenge } => write!(f, "declining challenge {challenge}"),
            Self::CancelChallenge { challenge } => write!(f, "cancelling challenge {challenge}"),
            Self::ReadChallenge { challenge } => write!(f, "reading challenge {challenge}"),
            Self::ListChallenges => f.write_str("listing the open challenges"),
            Self::ReadMatch { game } => {
                write!(f, "reading the match of game {}", GameId::of_two(*game))
            }
            Self::ReadCredit { account } => write!(f, "reading what {account} is owed"),
            Self::Withdraw { signer } => write!(f, "withdrawing what {signer} is owed"),
            Self::Prepare { account } => write!(f, "preparing a transaction of {account}"),
            Self::PassOn => f.write_str("passing on a signed transaction"),
            Self::FindTransaction { hash } => write!(f, "looking for the transaction {hash:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use connect4_rules::Bin;

    use super::*;

    #[test]
    fn a_task_reads_as_a_phrase() {
        let task = Task::Perform {
            action: Action::Drop(Bin::new(3)),
            game: 7,
            signer: Named::Development("alice"),
        };
        assert_eq!(
            task.to_string(),
            "dropping a disc of alice into bin 3 of game 7"
        );
        let task = Task::PerformVariant {
            action: VariantAction::Move("t3.2".parse().unwrap()),
            game: 7,
            signer: Named::Development("alice"),
        };
        assert_eq!(task.to_string(), "making the move t3.2 of alice in game v7");
        let game = GameId::of_two(7);
        assert_eq!(Task::ReadGame { game }.to_string(), "reading game 7");
    }
}
