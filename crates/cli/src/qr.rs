//! QR codes at a terminal.

use console::Style;
use qrcodegen_no_heap::{QrCode, QrCodeEcc, Version};

/// Modules of light around a code, without which cameras do not find it.
const QUIET: i32 = 2;

/// A text as a QR code, two rows of it in each line: dark on light in any colours that the terminal has. None if
/// the text is too long.
pub fn drawn(text: &str) -> Option<String> {
    let [mut code, mut work] = [(); 2].map(|()| vec![0; Version::MAX.buffer_len()]);
    let code = QrCode::encode_text(
        text,
        &mut work,
        &mut code,
        QrCodeEcc::Low,
        Version::MIN,
        Version::MAX,
        None,
        true,
    );
    let code = code.ok()?;
    let style = Style::new()
        .force_styling(true)
        .color256(16)
        .on_color256(231);
    let range = || -QUIET..code.size().saturating_add(QUIET);
    let line = |y: i32| {
        let row: String = range()
            .map(
                |x| match [y, y.saturating_add(1)].map(|y| code.get_module(x, y)) {
                    [true, true] => '█',
                    [true, false] => '▀',
                    [false, true] => '▄',
                    [false, false] => ' ',
                },
            )
            .collect();
        style.apply_to(row).to_string()
    };
    Some(range().step_by(2).map(line).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_drawn_dark_on_light_with_light_around_it() {
        let text = drawn("https://host.example/#join=00112233445566778899aabbccddeeff").unwrap();
        let plain = console::strip_ansi_codes(&text);
        let lines: Vec<&str> = plain.lines().collect();
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        assert!(lines[0].trim().is_empty());
        // The upper edge of the finder in the corner, then its hole.
        assert!(lines[1].starts_with("  █▀▀▀▀▀█ "), "{plain}");
        assert!(lines[2].starts_with("  █ ███ █ "), "{plain}");
        assert!(
            text.lines()
                .all(|line| line.starts_with("\x1b[") && line.ends_with("\x1b[0m"))
        );
        assert_eq!(drawn(&"x".repeat(5_000)), None);
    }
}
