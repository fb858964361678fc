//! Characters that nobody sees.

/// Whether a character changes how a text is shown and is not seen itself: control characters, which a terminal
/// obeys; and ends of lines and marks of direction of Unicode, by which a text reads as another one.
#[must_use]
pub fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}
