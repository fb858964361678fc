//! The codes by which links are passed from screen to screen.

use alloc::format;
use alloc::string::String;
use alloc::vec;

use qrcodegen_no_heap::{QrCode, QrCodeEcc, Version};
use serde::Serialize;

use crate::failure::Failure;

/// A QR code as a drawing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QrDrawing {
    /// Width and height in modules, without a margin.
    pub size: u16,
    /// The dark modules as a path of SVG, each one unit wide.
    pub path: String,
}

pub(crate) fn of(text: String) -> Result<QrDrawing, Failure> {
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
