//! What is offered, in words.

use connect4_client::Stakes;
use connect4_client::signed::GameOffer;
use connect4_rules::Player;
use connect4_wire::words::now;

use super::table::more_terms;
use crate::words::{minutes, who};

/// What the taker of an offer with a stake pays for, in words.
pub fn staked_in_words(offer: &GameOffer, stakes: &Stakes) -> String {
    format!(
        "{}\nopponent's key: {}\nstake: {} of each, held by the contract {}\nthe offer stands for {}",
        terms_in_words(offer),
        offer.party().key(),
        stakes.client().token().contract_amount(offer.terms.stake),
        stakes.address(),
        minutes(offer.until.saturating_sub(now()))
    )
}

/// What an offer is for, in words.
pub fn terms_in_words(offer: &GameOffer) -> String {
    let opponent = who(offer.party().account());
    let turn = match offer.player {
        Some(Player::One) => ", you move second,",
        Some(Player::Two) => ", you move first,",
        None => "",
    };
    let terms = &offer.terms;
    let program = if terms.programs.one {
        ", a program"
    } else {
        ""
    };
    let mut more = more_terms(terms);
    if let Some(event) = terms.event {
        more.push_str(&format!("\nof the tournament {}", hex::encode(event)));
    }
    if let Some(previous) = terms.previous {
        more.push_str(&format!("\nin a series, after the game {previous}"));
    }
    if let Some(taker) = offer.taker {
        more.push_str(&format!("\nonly {} can take it", who(taker)));
    }
    format!(
        "a game on {}{turn} against {opponent}{program}{more}",
        terms.shape
    )
}
