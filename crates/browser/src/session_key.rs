//! Keys by their secrets.

use connect4_protocol::signed::SessionKey;

use crate::failure::Failure;
use crate::values::Hex;

/// The session key with this secret of 32 bytes.
pub(crate) fn of(secret: &Hex) -> Result<SessionKey, Failure> {
    let key = SessionKey::from_secret(&secret.exactly()?);
    key.ok_or_else(|| Failure::request("this secret is no key"))
}
