//! Names by which people tell accounts apart.

use bip39::Language;
use connect4_protocol::Address;

use super::account::development_name;

/// Bits by which one of the 2,048 words is chosen.
const BITS: u32 = 11;

/// The name of an account, for people: that of a development account, and of any other two words of the English
/// list of BIP-39, chosen by the last 22 bits of its address, which is the end of a hash.
///
/// Among 2,500 accounts two share a name, and anybody can make a key whose account has the name of another: where
/// money or trust is decided, the address is what counts, and stands beside it.
#[must_use]
pub fn name_of(address: Address) -> String {
    development_name(address).map_or_else(|| two_words(address), str::to_owned)
}

fn two_words(Address(bytes): Address) -> String {
    let [.., a, b, c] = bytes;
    let bits = u32::from_be_bytes([0, a, b, c]);
    [bits >> BITS, bits]
        .map(|bits| capital(WORDS.word_list()[(bits % (1 << BITS)) as usize]))
        .join(" ")
}

const WORDS: Language = Language::English;

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use connect4_testing::declarations::compare;

    use super::*;
    use crate::Signer;

    #[test]
    fn development_accounts_have_their_names_and_others_two_words() {
        let alice = Signer::development("alice").unwrap();
        assert_eq!(name_of(alice.address()), "alice");
        // The page's test has the same names.
        for (end, name) in [
            (0, "Abandon Abandon"),
            (1, "Abandon Ability"),
            (1 << 11, "Ability Abandon"),
            ((1 << 22) - 1, "Zoo Zoo"),
            // Bits before the last 22 say nothing.
            (0xff_ffff, "Zoo Zoo"),
            (0x17d5, "Able Wide"),
        ] {
            let mut bytes = [0x5c; 20];
            bytes[16..].copy_from_slice(&u32::to_be_bytes(end));
            assert_eq!(name_of(Address(bytes)), name);
        }
    }

    #[test]
    fn the_page_has_the_same_words() {
        let mut coded = String::new();
        let mut before = "";
        for word in WORDS.word_list() {
            let shared = word
                .bytes()
                .zip(before.bytes())
                .take_while(|(a, b)| a == b)
                .count();
            let count = u8::try_from(shared).unwrap();
            coded.push(char::from(b'A' + count));
            coded.push_str(&word[shared..]);
            before = word;
        }
        let expected = format!(
            "\
// The 2,048 English words of BIP-39 in their order: each is a capital that counts, from A as none, the letters that it
// shares with the word before, and the rest of its letters.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-client the_page_has_the_same_words`
// writes it again.

export const WORDS =
\t'{coded}';
"
        );
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/state/bip39.js");
        compare(file, &expected, "connect4-client");
    }
}
