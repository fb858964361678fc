//! What a witness signs for those who record its games.

use std::time::Duration;

use connect4_protocol::Address;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::listing::{Asked, FromListing, MAX_LEN, path};
use connect4_protocol::signed::{Chain, Crypto as _, Domain, Ended, Ends, Finished, Signature};
use tokio::time::timeout;

use super::messages::{LobbyError, Messages};

/// How long a witness is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The signature of a witness on the list of the ends of these games, which it has ended, in their order; from the relay
/// with this URL.
///
/// # Errors
///
/// [`LobbyError`], also if it does not sign that list.
pub async fn list_of_ends(
    url: &str,
    witness: Address,
    chain: Chain,
    games: &[Finished],
) -> Result<Signature, LobbyError> {
    let domain = Domain::without_stake(chain);
    let numbers = games.iter().map(|game| game.terms.number(&domain, &Native));
    let numbers: Vec<_> = numbers.collect();
    let asked =
        Asked::new(numbers.clone()).ok_or_else(|| LobbyError::lost("these games are no list"))?;
    let asking = async {
        let mut messages = Messages::connect(url, &path(witness), MAX_LEN).await?;
        match messages.first().await? {
            FromListing::Welcome { genesis, .. } if genesis == chain.genesis => {}
            FromListing::Refused(refusal) => return Err(LobbyError::Refused(refusal)),
            _ => return Err(LobbyError::lost("it is a witness for another chain")),
        }
        messages.send(&asked).await?;
        messages.receive().await
    };
    let answer = timeout(PATIENCE, asking).await;
    let answer = answer.map_err(|_| LobbyError::lost("it does not answer"))??;
    let hashes: Option<Vec<_>> = games
        .iter()
        .zip(numbers)
        .map(|(game, number)| {
            let ended = Ended {
                game: number,
                moves: &game.moves,
                end: game.ending.witnessed(),
                at: game.witnessed?.at,
            };
            Some(ended.hash(&Native))
        })
        .collect();
    match (answer, hashes) {
        (FromListing::Signed(signature), Some(hashes)) => {
            let digest = Ends { hashes: &hashes }.digest(&domain, &Native);
            match Native.recover(&digest, &signature) == Some(witness) {
                true => Ok(signature),
                false => Err(LobbyError::lost("it has signed another list")),
            }
        }
        (FromListing::Refused(refusal), _) => Err(LobbyError::Refused(refusal)),
        _ => Err(LobbyError::lost("it does not sign this list")),
    }
}
