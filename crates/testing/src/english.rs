//! A check of the English in documents, comments, the help and the page: it finds the worst of the phrases
//! that a reader has to read twice.

/// Phrases that are not used, each with what is written instead. They are found as whole words.
const PHRASES: &[(&str, &str)] = &[
    ("answers to", "relies on"),
    ("answered to", "relied on"),
    ("answering to", "relying on"),
    ("take back", "replace a block, withdraw a move"),
    ("takes back", "replaces a block, withdraws a move"),
    ("took back", "replaced a block, withdrew a move"),
    ("taken back", "replaced, withdrawn"),
    ("takes a move back", "replaces the block of a move"),
    ("go on with", "resume, continue"),
    ("goes on with", "resumes, continues"),
    ("going on with", "resuming, continuing"),
    ("the chain is told", "is sent to the chain"),
    ("tell the chain", "send to the chain"),
    ("tells the chain", "sends to the chain"),
    ("told the chain", "sent to the chain"),
    ("the chain knows", "is on the chain, the chain has"),
    ("it is who", "a player who"),
    ("whoever", "anyone who, a player who"),
    ("elsewhere than", "from another place"),
    ("the other's", "the opponent's"),
    ("is no terminal", "is not a terminal"),
    ("has one chosen", "selects one"),
];

/// Options that have another name now.
const RENAMED: &[(&str, &str)] = &[
    ("--max-of-address", "--max-connections-per-ip"),
    ("--requests-of-address", "--requests-per-ip"),
];

/// Words before `so` that make it a pronoun or an adverb, as in `does so` and `or so`.
const BEFORE_SO: &[&str] = &[
    "do", "does", "did", "done", "doing", "say", "says", "said", "if", "or", "even",
];

/// What is wrong with the English of a text, in words. The text is a paragraph, or several; what
/// stands between backticks is not looked at, except for the names of options.
#[must_use]
pub fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (old, new) in RENAMED {
        if text.contains(old) {
            faults.push(format!("`{old}` is now `{new}`"));
        }
    }
    let text = prose(text);
    faults.extend(phrases(&text));
    for sentence in sentences(&text) {
        let first = sentence.trim_start_matches(|character: char| !character.is_alphanumeric());
        if first.starts_with("Who ") && !sentence.ends_with('?') {
            faults.push(format!("a sentence begins with `Who`: {sentence}"));
        }
        if sentence.contains("; who ") {
            faults.push(format!("a clause begins with `who`: {sentence}"));
        }
        for clause in sentence.split_inclusive([',', ';', ':', '.', '!', '?']) {
            let clause = clause.trim_end_matches(|character: char| !character.is_alphanumeric());
            let mut words = clause.rsplit(' ');
            if words.next() == Some("so")
                && let Some(before) = words.next()
                && !BEFORE_SO.contains(&before)
            {
                faults.push(format!("`so` ends a clause: {sentence}"));
            }
        }
    }
    faults
}

/// The phrases of a text that are not used, in words: what is checked of comments, in which a line such
/// as "Who moves first." describes a field.
#[must_use]
pub fn phrases(text: &str) -> Vec<String> {
    let lower = prose(text).to_lowercase();
    let found = PHRASES.iter().filter(|(old, _)| has_words(&lower, old));
    found
        .map(|(old, new)| format!("`{old}`: write `{new}`"))
        .collect()
}

/// A text on one line, in which code is replaced by a word.
fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').step_by(2).collect();
    let words = parts.join("code");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text has these words, and not as parts of other words.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let inside = |character: char| character.is_alphanumeric() || character == '_';
        !text[..at].ends_with(inside) && !text[at + words.len()..].starts_with(inside)
    })
}

/// The sentences of a text, each with its full stop, exclamation or question mark.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut rest = text;
    while let Some(end) = [". ", "! ", "? ", ".** ", "| "]
        .iter()
        .filter_map(|mark| rest.find(mark).map(|at| at + mark.len()))
        .min()
    {
        sentences.push(rest[..end].trim());
        rest = &rest[end..];
    }
    sentences.push(rest.trim());
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_that_are_read_twice_are_found() {
        for text in [
            "Who pays gets the deposit back.",
            "- **Rematch.** Who has lost begins.",
            "| Who joins plays | |",
            "A stale position is refused; who posts it loses time.",
            "A player who resigns gets the deposit back so.",
            "The deposit returns so; nobody else gets it.",
            "Arrow keys do it so, too.",
            "The chain took back the block.",
            "It signs what this answers\nto again.",
            "At the end the chain is told the result.",
            "Give `--max-of-address 5`.",
            "Whoever can pay may join.",
        ] {
            assert_eq!(faults(text).len(), 1, "{text}: {:?}", faults(text));
        }
    }

    #[test]
    fn plain_english_has_no_faults() {
        for text in [
            "Who can accept it? Anyone who pays the stake.",
            "A player who resigns gets the deposit back this way.",
            "If the chain is unreachable, the page says so and waits. Anyone may do so.",
            "The event `taken_back` has a count; it takes backticks as well, so that code is left out.",
            "The block was replaced, so the program asks the player who had dropped the disc again.",
            "Moves of addresses: see [the list](who.md).",
        ] {
            assert_eq!(faults(text), Vec::<String>::new(), "{text}");
        }
    }
}
