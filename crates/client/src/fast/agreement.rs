//! What a player agreed to when it named a session key.

use std::fmt;

use codec::{Decode, Encode};
use connect4_protocol::fast::{Domain, GameNumber};
use connect4_protocol::{Address, Challenge, ClockSpec, Match, Terms};
use connect4_rules::Player;
use connect4_seat::Subject;

use crate::chain::token::Token;
use crate::contracts::challenges::Offer;

/// What a player agreed to when it named a session key. It is kept with the key, and a game that a node
/// shows otherwise is not played: with a line of three in place of four, for example, the program would
/// agree to lines that are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Agreement {
    chain_id: u64,
    contract: Address,
    account: Address,
    terms: Terms,
    /// The next four are none as long as they are not known from what was agreed to, or from a final block.
    opponent: Option<Address>,
    opponent_key: Option<Address>,
    moves_first: Option<bool>,
    game: Option<u32>,
    pie_rule: bool,
}

/// An agreement as files before kept it, when no game had the pie rule.
#[derive(Decode)]
pub(super) struct FormerAgreement {
    chain_id: u64,
    contract: Address,
    account: Address,
    terms: Terms,
    opponent: Option<Address>,
    opponent_key: Option<Address>,
    moves_first: Option<bool>,
    game: Option<u32>,
}

impl From<FormerAgreement> for Agreement {
    fn from(former: FormerAgreement) -> Self {
        let FormerAgreement {
            chain_id,
            contract,
            account,
            terms,
            opponent,
            opponent_key,
            moves_first,
            game,
        } = former;
        Self {
            chain_id,
            contract,
            account,
            terms,
            opponent,
            opponent_key,
            moves_first,
            game,
            pie_rule: false,
        }
    }
}

impl Agreement {
    /// That of a player on these terms, without the pie rule, against this account if it is known.
    #[must_use]
    pub const fn new(
        domain: Domain,
        account: Address,
        opponent: Option<Address>,
        terms: Terms,
    ) -> Self {
        Self {
            chain_id: domain.chain_id,
            contract: domain.contract,
            account,
            terms,
            opponent,
            opponent_key: None,
            moves_first: None,
            game: None,
            pie_rule: false,
        }
    }

    /// The same with the pie rule, or without it.
    #[must_use]
    pub const fn with_pie_rule(mut self, pie_rule: bool) -> Self {
        self.pie_rule = pie_rule;
        self
    }

    /// That of an account that makes a challenge with this offer.
    #[must_use]
    pub fn of_offer(domain: Domain, account: Address, offer: &Offer, token: &Token) -> Self {
        let terms = Terms {
            shape: offer.shape,
            clock: offer.clock,
            stake: token.in_unit_of_contracts(offer.stake),
        };
        Self {
            moves_first: Some(offer.challenger_first),
            pie_rule: offer.pie_rule,
            ..Self::new(domain, account, offer.opponent, terms)
        }
    }

    /// That of a player who makes a challenge.
    #[must_use]
    pub const fn of_challenger(domain: Domain, challenge: &Challenge) -> Self {
        Self {
            moves_first: Some(challenge.challenger_first),
            pie_rule: challenge.pace.pie_rule(),
            ..Self::new(
                domain,
                challenge.challenger,
                challenge.opponent,
                challenge.terms,
            )
        }
    }

    /// That of an account that accepts a challenge.
    #[must_use]
    pub const fn of_acceptor(domain: Domain, account: Address, challenge: &Challenge) -> Self {
        Self {
            opponent_key: challenge.pace.key(),
            moves_first: Some(!challenge.challenger_first),
            pie_rule: challenge.pace.pie_rule(),
            ..Self::new(domain, account, Some(challenge.challenger), challenge.terms)
        }
    }

    /// That of the same player for a rematch against this opponent, of whom this may not know yet.
    #[must_use]
    pub(super) const fn of_rematch(self, opponent: Address) -> Self {
        Self {
            opponent: Some(opponent),
            opponent_key: None,
            moves_first: None,
            game: None,
            ..self
        }
    }

    /// Number of the game, once it is known from a final block.
    #[must_use]
    pub const fn game(&self) -> Option<u32> {
        self.game
    }

    /// Whether this is a game of this contract and chain.
    pub(super) fn is_at(&self, domain: Domain) -> bool {
        (self.chain_id, self.contract) == (domain.chain_id, domain.contract)
    }

    /// The same with what a final block tells of the game.
    pub(super) fn completed(self, shown: &Subject, player: Player) -> Self {
        Self {
            opponent: Some(shown.account_of(player.opponent())),
            opponent_key: Some(*shown.keys().get(player.opponent())),
            moves_first: Some(player == Player::One),
            game: shown.number().on_chain(),
            ..self
        }
    }

    /// Compares with a game and its match as a node shows them. The key is this player's.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub(super) fn check(
        &self,
        shown: &Subject,
        player: Player,
        state: &Match,
    ) -> Result<(), Difference> {
        let domain = shown.domain();
        let opponent = shown.account_of(player.opponent());
        let opponent_key = *shown.keys().get(player.opponent());
        let is_first = player == Player::One;
        let clock = |clock: Option<ClockSpec>| match clock {
            Some(clock) => clock.to_string(),
            None => "none".into(),
        };
        is_same(Fact::Chain, self.chain_id, domain.chain_id)?;
        is_same(Fact::Contract, self.contract, domain.contract)?;
        is_same(Fact::Account, self.account, shown.account_of(player))?;
        is_same(Fact::Board, self.terms.shape, shown.shape().into())?;
        is_same(Fact::Clock, clock(self.terms.clock), clock(state.clock))?;
        is_same(Fact::Stake, self.terms.stake, state.stake)?;
        let pie_rule = |has| if has { "yes" } else { "no" };
        let (agreed, shown_rule) = (self.pie_rule, shown.has_pie_rule());
        is_same(Fact::PieRule, pie_rule(agreed), pie_rule(shown_rule))?;
        is_same_if_known(Fact::Game, self.game.map(GameNumber::from), shown.number())?;
        is_same_if_known(Fact::Opponent, self.opponent, opponent)?;
        is_same_if_known(Fact::OpponentKey, self.opponent_key, opponent_key)?;
        is_same_if_known(Fact::MovesFirst, self.moves_first, is_first)
    }
}

fn is_same<T: PartialEq + fmt::Display>(fact: Fact, agreed: T, shown: T) -> Result<(), Difference> {
    if agreed == shown {
        return Ok(());
    }
    Err(Difference {
        fact,
        agreed: agreed.to_string(),
        shown: shown.to_string(),
    })
}

fn is_same_if_known<T: PartialEq + fmt::Display>(
    fact: Fact,
    agreed: Option<T>,
    shown: T,
) -> Result<(), Difference> {
    match agreed {
        Some(agreed) => is_same(fact, agreed, shown),
        None => Ok(()),
    }
}

/// What can differ in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fact {
    /// EIP-155 number of the chain.
    Chain,
    /// Contract of the fast games.
    Contract,
    /// Number of the game of this session key.
    Game,
    /// Account of the player.
    Account,
    /// Account of the opponent.
    Opponent,
    /// Session key of the opponent.
    OpponentKey,
    /// Whether the player moves first.
    MovesFirst,
    /// Board and line.
    Board,
    /// Clock with which the game starts.
    Clock,
    /// Stake of each player, in the smallest unit that a contract sees.
    Stake,
    /// Whether player two's first move can be a swap.
    PieRule,
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chain => "the chain's number",
            Self::Contract => "the contract",
            Self::Game => "the number of the key's game",
            Self::Account => "your account",
            Self::Opponent => "the opponent",
            Self::OpponentKey => "the opponent's session key",
            Self::MovesFirst => "whether you move first",
            Self::Board => "the board",
            Self::Clock => "the clock",
            Self::Stake => "the stake",
            Self::PieRule => "the pie rule",
        })
    }
}

/// What is shown otherwise than it was agreed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub fact: Fact,
    /// As it was agreed.
    pub agreed: String,
    /// As it is shown.
    pub shown: String,
}

/// `the board: 6x4, line 3, where 6x4, line 4 was agreed`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            fact,
            agreed,
            shown,
        } = self;
        write!(f, "{fact}: {shown}, where {agreed} was agreed")
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::Pace;
    use connect4_protocol::fast::{Agreed, FIRST, FastGame};
    use connect4_rules::{ByPlayer, Shape, ShapeSpec};

    use super::*;

    const DOMAIN: Domain = Domain::new(7, Address([0xcc; 20]));
    const PLAYERS: ByPlayer<Address> = ByPlayer {
        one: Address([1; 20]),
        two: Address([2; 20]),
    };
    const KEYS: ByPlayer<Address> = ByPlayer {
        one: Address([3; 20]),
        two: Address([4; 20]),
    };

    fn shown(keys: ByPlayer<Address>) -> Subject {
        let agreed = Agreed {
            players: PLAYERS,
            keys,
            payer: PLAYERS.one,
            shape: ShapeSpec::from(Shape::STANDARD),
            clock: None,
            pie_rule: false,
        };
        Subject::new(
            FIRST,
            DOMAIN,
            FastGame::start(&agreed).expect("two players"),
        )
    }

    fn terms() -> Terms {
        Terms {
            shape: Shape::STANDARD.into(),
            clock: None,
            stake: 0,
        }
    }

    fn difference(agreed: &Agreement, shown: &Subject, player: Player) -> Option<Fact> {
        let checked = agreed.check(shown, player, &Match::default());
        checked.err().map(|difference| difference.fact)
    }

    /// Player one has made the challenge and moves first.
    #[test]
    fn who_accepts_agrees_to_the_key_of_the_challenge_and_to_who_moves_first() {
        let challenge = Challenge {
            challenger: PLAYERS.one,
            opponent: None,
            challenger_first: true,
            expires: None,
            pace: Pace::Fast(KEYS.one),
            terms: terms(),
        };
        let accepts = |challenge| Agreement::of_acceptor(DOMAIN, PLAYERS.two, challenge);
        let agreed = accepts(&challenge);
        assert_eq!(difference(&agreed, &shown(KEYS), Player::Two), None);
        let other_key = shown(ByPlayer {
            one: Address([9; 20]),
            ..KEYS
        });
        let found = difference(&agreed, &other_key, Player::Two);
        assert_eq!(found, Some(Fact::OpponentKey));
        let other_turn = Challenge {
            challenger_first: false,
            ..challenge
        };
        let found = difference(&accepts(&other_turn), &shown(KEYS), Player::Two);
        assert_eq!(found, Some(Fact::MovesFirst));
        let with_pie_rule = Challenge {
            pace: Pace::FastPieRule(KEYS.one),
            ..challenge
        };
        let found = difference(&accepts(&with_pie_rule), &shown(KEYS), Player::Two);
        assert_eq!(found, Some(Fact::PieRule));
    }

    #[test]
    fn the_opponents_key_of_a_final_block_stays() {
        let open = Agreement::new(DOMAIN, PLAYERS.one, None, terms());
        let other_key = shown(ByPlayer {
            two: Address([9; 20]),
            ..KEYS
        });
        assert_eq!(difference(&open, &other_key, Player::One), None);
        let known = open.completed(&shown(KEYS), Player::One);
        assert_eq!(difference(&known, &shown(KEYS), Player::One), None);
        let found = difference(&known, &other_key, Player::One);
        assert_eq!(found, Some(Fact::OpponentKey));
    }
}
