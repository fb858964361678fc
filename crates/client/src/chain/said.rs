//! Text of a node, which may be anything, as people may see it.

use connect4_record::is_unseen;

/// Most characters of the symbol of a token.
pub(crate) const MOST_OF_SYMBOL: usize = 16;
/// Most characters of the name of a chain.
pub(crate) const MOST_OF_NAME: usize = 64;
/// Most characters of an error.
pub(crate) const MOST_OF_ERROR: usize = 1_000;

/// At most so many characters of what a node has said. Those that [nobody sees](is_unseen), which a terminal may obey,
/// are spaces.
pub(crate) fn said(text: &str, most: usize) -> String {
    let shown: String = text.trim().chars().take(most).collect();
    shown.replace(is_unseen, " ").trim().to_owned()
}
