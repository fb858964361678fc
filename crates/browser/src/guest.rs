//! The account of a guest, and the codes by which links are passed from screen to screen.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;

use connect4_protocol::Address;
use connect4_seat::Phrase;
use qrcodegen_no_heap::{QrCode, QrCodeEcc, Version};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::values::Hex;

/// What a guest's account is made of.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GuestSource {
    /// 16 random bytes: a new one.
    Random(Hex),
    /// The words of a phrase.
    Words(String),
}

/// The account of a guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestAccount {
    /// The words of its phrase, with a space between two.
    pub phrase: String,
    /// The path of BIP-32 at which wallets derive its key from the phrase.
    pub path: String,
    /// Secret of the key, of 32 bytes.
    pub secret: Hex,
    /// Its address.
    pub address: Address,
}

pub(crate) fn account(source: GuestSource) -> Result<GuestAccount, Failure> {
    let phrase = match source {
        GuestSource::Random(bytes) => Phrase::from_random(&bytes.exactly()?)
            .ok_or_else(|| Failure::request("these bytes are no key"))?,
        GuestSource::Words(words) => {
            words.parse().map_err(|error: connect4_seat::PhraseError| {
                Failure::new("BadPhrase", error.to_string())
            })?
        }
    };
    let key = phrase.key();
    Ok(GuestAccount {
        phrase: phrase.to_string(),
        path: Phrase::PATH.into(),
        secret: Hex(key.secret().into()),
        address: key.address(),
    })
}

/// A QR code as a drawing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QrDrawing {
    /// Width and height in modules, without a margin.
    pub size: u16,
    /// The dark modules as a path of SVG, each one unit wide.
    pub path: String,
}

pub(crate) fn qr(text: String) -> Result<QrDrawing, Failure> {
    let [mut code, mut work] = [(); 2].map(|()| vec![0; Version::MAX.buffer_len()]);
    let code = QrCode::encode_text(
        &text,
        &mut work,
        &mut code,
        QrCodeEcc::Medium,
        Version::MIN,
        Version::MAX,
        None,
        true,
    );
    let code = code.map_err(|_| Failure::request("this text is too long for a QR code"))?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let dark = (x..size).take_while(|x| code.get_module(*x, y)).count();
            if dark > 0 {
                path.push_str(&format!("M{x} {y}h{dark}v1h-{dark}z"));
            }
            x += (dark as i32).max(1);
        }
    }
    Ok(QrDrawing {
        size: size.unsigned_abs() as u16,
        path,
    })
}
