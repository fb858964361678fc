//! What can be asked.

use alloc::vec::Vec;

use serde::Deserialize;

use crate::account::{self, AccountOf, SessionOf};
use crate::answer::{json, read as request, to_json};
use crate::call::{self, Call};
use crate::called::Called;
use crate::deployed::{self, Deployed, Deployment};
use crate::failure::Failure;
use crate::played::{self, Played, PlayedMoves};
use crate::qr::{self, QrDrawing};
use crate::read::{self, Decode, Decoded, Read};
use crate::sessions::{self, NamedKey, SessionToSign, SignedKey};
use crate::substrate::{self, Extrinsic, ExtrinsicHash, PreparedCall, SubstrateCall};
use crate::values::Hex;

/// Defines the requests: each has a name, a type of what is asked, a type of the answer, and the
/// function that makes one of the other.
macro_rules! requests {
    ($($(#[$doc:meta])* $variant:ident / $name:ident: $asked:ty => $answer:ty = $function:path;)*) => {
        /// What a page asks: an object with one field, whose name is what is asked.
        #[derive(Clone, Debug, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Request {
            $($(#[$doc])* $variant($asked),)*
        }

        impl Request {
            fn respond(self) -> Result<Vec<u8>, Failure> {
                match self {
                    $(Self::$variant(asked) => json::<$answer>(&$function(asked)?),)*
                }
            }
        }

        /// What is asked, by the name of the request.
        #[cfg(test)]
        #[derive(ts_rs::TS)]
        pub(crate) struct Requests {
            $($(#[$doc])* #[allow(dead_code, reason = "declared, not made")] $name: $asked,)*
        }

        /// What is answered, by the name of the request.
        #[cfg(test)]
        #[derive(ts_rs::TS)]
        pub(crate) struct Answers {
            $(#[allow(dead_code, reason = "declared, not made")] $name: $answer,)*
        }
    };
}

requests! {
    /// The bytes by which a player calls a contract.
    Call / call: Call => Called = call::encode;
    /// The bytes by which anybody reads from a contract.
    Read / read: Read => Called = read::encode;
    /// Answer of a contract to a read.
    Decode / decode: Decode => Decoded = read::decode;
    /// The address by which contracts know an account: given as SS58, as 32 bytes, or as the address.
    Account / account: Text => AccountOf = account::of;
    /// The address of the session key with this secret of 32 bytes.
    Session / session: Hex => SessionOf = account::session;
    /// What a wallet signs to name a session key.
    SessionToSign / session_to_sign: NamedKey => SessionToSign = sessions::to_sign;
    /// The SCALE encoding of what an account has signed about a session key.
    SignedSession / signed_session: SignedKey => Hex = sessions::signed;
    /// A text as a QR code.
    Qr / qr: Text => QrDrawing = qr::of;
    /// The position after moves on an empty board.
    Position / position: PlayedMoves => Played = played::of;
    /// What a prepared call of a Substrate chain does.
    SubstrateCall / substrate_call: PreparedCall => SubstrateCall = substrate::read;
    /// The hash of a signed transaction of a Substrate chain.
    Extrinsic / extrinsic: Extrinsic => ExtrinsicHash = substrate::hash;
    /// Where the contracts are that an account has deployed.
    Deployed / deployed: Deployment => Deployed = deployed::of;
}

type Text = alloc::string::String;

/// Answers a request. Both are JSON.
#[must_use]
pub fn answer(bytes: &[u8]) -> Vec<u8> {
    to_json(request::<Request>(bytes).and_then(Request::respond))
}
