//! Texts in the sources of the page that people may read.

/// The literals and templates of a source in JavaScript that have two words or more, without names of classes and
/// values that are compared. A value in a template is left out, and literals that are added to each other are one text.
#[must_use]
pub fn in_script(source: &str) -> Vec<String> {
    let mut texts = literals(source);
    texts.retain(|text| has_two_words(text));
    texts
}

/// The texts of a table that begin or end with a space, or begin with a mark that ends other words: pieces of a
/// sentence, whose order of words stands in other code.
#[must_use]
pub fn pieces(table: &str) -> Vec<String> {
    let mut texts = literals(table);
    texts.retain(|text| text.contains(char::is_alphabetic) && is_piece(text));
    texts
}

fn is_piece(text: &str) -> bool {
    text.trim() != text || text.starts_with([',', ';', ':', ')'])
}

/// All literals and templates of a source in JavaScript, as [`in_script`] reads them.
fn literals(source: &str) -> Vec<String> {
    let mut script = Script {
        source,
        at: 0,
        texts: Vec::new(),
    };
    script.read_code();
    script.texts
}

/// The texts of a page in HTML and the values of its attributes that have two words or more.
#[must_use]
pub fn in_html(source: &str) -> Vec<String> {
    let parts = source.split('<').flat_map(|part| {
        let (tag, text) = part.split_once('>').unwrap_or(("", part));
        tag.split('"').skip(1).step_by(2).chain([text])
    });
    let texts = parts.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    texts.filter(|text| has_two_words(text)).collect()
}

/// The keys of a table of texts: the names at the first level of the object in it.
#[must_use]
pub fn keys(table: &str) -> Vec<&str> {
    let lines = table.lines().filter_map(|line| line.strip_prefix('\t'));
    let keys = lines.filter_map(|line| Some(line.split_once(':')?.0));
    keys.filter(|key| key.chars().all(char::is_alphanumeric))
        .collect()
}

/// Whether it has two words or more. A drawing, as `M12 2.5v6`, has no two letters beside each other.
fn has_two_words(text: &str) -> bool {
    let has_letter = |word: &&str| word.contains(char::is_alphabetic);
    let mut parts = text.split(|character: char| !character.is_alphabetic());
    text.split_whitespace().filter(has_letter).count() > 1
        && parts.any(|letters| letters.chars().count() > 1)
}

/// A source that is read from its beginning.
struct Script<'a> {
    source: &'a str,
    /// Byte up to which it is read.
    at: usize,
    texts: Vec<String>,
}

impl Script<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let character = self.rest().chars().next()?;
        self.at += character.len_utf8();
        Some(character)
    }

    /// Reads past the next `end`.
    fn skip_past(&mut self, end: &str) {
        let rest = self.rest();
        self.at += rest.find(end).map_or(rest.len(), |at| at + end.len());
    }

    /// Reads code, up to the brace that closes a value of a template.
    fn read_code(&mut self) {
        let mut depth = 0_usize;
        // The text before a `+`, to which a literal behind it belongs.
        let (mut last, mut added) = (None, None);
        loop {
            if self.rest().starts_with("//") {
                self.skip_past("\n");
            } else if self.rest().starts_with("/*") {
                self.skip_past("*/");
            } else if self.rest().starts_with('/') && self.is_before_pattern() {
                self.skip_pattern();
                (last, added) = (None, None);
            } else {
                match self.next() {
                    None => return,
                    Some(quote @ ('\'' | '"' | '`')) => {
                        let is_name = self.is_before_name();
                        let text = self.read_text(quote);
                        if is_name {
                            (last, added) = (None, None);
                            continue;
                        }
                        let index = added.unwrap_or_else(|| {
                            self.texts.push(String::new());
                            self.texts.len() - 1
                        });
                        self.texts[index].push_str(&text);
                        (last, added) = (Some(index), None);
                    }
                    Some('+') => added = last.take(),
                    Some('}') if depth == 0 => return,
                    Some(character) if !character.is_whitespace() => {
                        match character {
                            '{' => depth += 1,
                            '}' => depth -= 1,
                            _ => {}
                        }
                        (last, added) = (None, None);
                    }
                    Some(_) => {}
                }
            }
        }
    }

    /// Reads a text whose first quote is read, with its last one.
    fn read_text(&mut self, quote: char) -> String {
        let mut text = String::new();
        while let Some(character) = self.next() {
            match character {
                '\\' => text.extend(self.next().map(|escaped| match escaped {
                    'n' | 't' => ' ',
                    _ => escaped,
                })),
                '$' if quote == '`' && self.rest().starts_with('{') => {
                    self.next();
                    self.read_code();
                    text.push('…');
                }
                _ if character == quote => break,
                _ => text.push(character),
            }
        }
        text
    }

    /// Whether the quote that was read begins names for the program: classes, or a value that is compared.
    fn is_before_name(&self) -> bool {
        let before = self.source[..self.at - 1].trim_end();
        let marks = [
            "class:",
            "case",
            "===",
            "!==",
            "querySelector(",
            "querySelectorAll(",
        ];
        marks.iter().any(|mark| before.ends_with(mark))
    }

    /// Whether a slash here begins a regular expression, and does not divide.
    fn is_before_pattern(&self) -> bool {
        let before = self.source[..self.at].trim_end();
        before.is_empty()
            || before.ends_with("return")
            || before.ends_with(|character| "(,=:[!&|?{};>".contains(character))
    }

    /// Reads a regular expression.
    fn skip_pattern(&mut self) {
        self.next();
        let mut in_class = false;
        while let Some(character) = self.next() {
            match character {
                '\\' => {
                    self.next();
                }
                '[' => in_class = true,
                ']' => in_class = false,
                '/' | '\n' if !in_class => return,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_scripts_are_found() {
        let script = r#"
            // A comment doesn't begin "a text".
            import { el } from './elements.js'; /* nor 'this one' */
            const quoted = /["'`/]/.test(name) ? 'one more' : "it's two";
            const half = (a + b) / 2 + c / 4; el('p', { class: 'quiet' }, 'isn\'t b');
            const template = `between ${count > 1 ? `its ${count} moves` : 'one'} and {braces}`;
            const added = 'a long one' +
                ', in two parts' + `, or ${'three or four'}`;
            const apart = f('this') + g('that') + 'last text';
        "#;
        assert_eq!(
            in_script(script),
            [
                "one more",
                "it's two",
                "isn't b",
                "its … moves",
                "between … and {braces}",
                "a long one, in two parts, or …",
                "three or four",
                "last text",
            ]
        );
    }

    #[test]
    fn names_of_classes_compared_values_and_drawings_are_no_texts() {
        let script = "el('p', { class: 'one two' }, 'a text', 'M12 2.5v6c0'); \
            if (e === 'full board') switch (h) { case 'no move': k('another text'); }";
        assert_eq!(in_script(script), ["a text", "another text"]);
    }

    #[test]
    fn pieces_of_sentences_are_found_in_a_table() {
        let pieces_of = |entry: &str| {
            let table = format!(
                "import {{ mixed }} from './forms.js';\nexport const texts = {{\n\tone: {entry},\n}};\n"
            );
            pieces(&table)
        };
        for whole in [
            "'A text: it has a mark.'",
            "(a) => `${a} is owed`",
            "(a, b) => mixed`${a} is owed ${b}`",
            "(a, b) => mixed`${a('A link')} and ${b}.`",
            "['one', 'two'].join(', ')",
            "'a long one ' +\n\t\t'in two parts'",
            "(a) => (a ? `${a}…` : '…')",
        ] {
            assert_eq!(pieces_of(whole), Vec::<String>::new(), "{whole}");
        }
        for (piece, found) in [
            ("' wallet'", " wallet"),
            ("'from game '", "from game "),
            ("(a) => `${a} of `", "… of "),
            ("(a) => ` is owed ${a}`", " is owed …"),
            ("(a) => `the chain${a && ` since ${a}`}.`", " since …"),
            ("(a) => a + ' is owed'", " is owed"),
            ("', a program'", ", a program"),
            ("(a) => `; ${a} discs come down`", "; … discs come down"),
        ] {
            assert_eq!(pieces_of(piece), [found], "{piece}");
        }
    }

    #[test]
    fn keys_of_a_table_are_those_of_its_first_level() {
        let table = "export const texts = {\n\tone: 'A text: it has a mark.',\n\t// A comment: none.\n\ttwo: (a) =>\n\t\t`b: ${a}`,\n\tthree: {\n\t\tfour: 'c',\n\t},\n};\n";
        assert_eq!(keys(table), ["one", "two", "three"]);
    }

    #[test]
    fn texts_of_html_are_found() {
        let page =
            "<p class=\"a\" title=\"Two words\">\n\tA text\n\tof <b>three</b> parts, too</p>";
        assert_eq!(in_html(page), ["Two words", "A text of", "parts, too"]);
    }
}
