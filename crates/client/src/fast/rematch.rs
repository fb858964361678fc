//! What a player agrees to by a rematch.

use connect4_protocol::fast::FastGame;
use connect4_protocol::{Address, Error as Refusal, GameId, Terms};
use connect4_seat::Subject;

use super::agreement::Agreement;
use super::keyring::Keyring;
use super::keyring_error::KeyringError;
use super::player_event::PlayError;
use crate::contracts::calls::rematch;
use crate::contracts::deployed::Contracts;
use crate::error::Error;
use crate::task::Task;

/// What an account agrees to that wants a rematch of this fast game: its terms, against the
/// same opponent. They are those that were agreed on if the key of that game is in the keyring, else those
/// that the node shows.
///
/// # Errors
///
/// [`Error::Refused`] with `NoSuchGame` or `NotAPlayer`; [`PlayError::NotAgreed`] if the node shows that game
/// otherwise than it was agreed on; [`PlayError::Keyring`]; else if the chain cannot be reached.
pub async fn agree_to_rematch(
    contract: &Contracts,
    game: GameId,
    account: Address,
    keyring: &Keyring,
) -> Result<Agreement, PlayError> {
    let refused = |error| Error::Refused {
        task: Task::Message(rematch(game.number())),
        error,
    };
    let fast = contract.game::<FastGame>(game).await?;
    let fast = fast.ok_or_else(|| refused(Refusal::NoSuchGame))?;
    let player = fast.game.player_of(&account);
    let player = player.ok_or_else(|| refused(Refusal::NotAPlayer))?;
    let state = contract.match_of(game).await?;
    let shown = Subject::new(game.number(), contract.domain()?, fast);
    let opponent = shown.account_of(player.opponent());
    match keyring.agreement(*shown.keys().get(player)) {
        Ok(Some(agreed)) => {
            let same = agreed.check(&shown, player, &state);
            same.map_err(|difference| PlayError::not_agreed(game, difference))?;
            return Ok(agreed.of_rematch(opponent));
        }
        Ok(None) | Err(KeyringError::NoKey { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let terms = Terms {
        shape: shown.shape().into(),
        clock: state.clock,
        stake: state.stake,
    };
    let agreed = Agreement::new(shown.domain(), account, Some(opponent), terms);
    Ok(agreed.with_pie_rule(shown.has_pie_rule()))
}
