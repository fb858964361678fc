//! Scripts and styles of the page as they go over the wire, used by `build.rs`.

use std::collections::HashMap;
use std::io;
use std::str::Chars;

/// The same text without its indentation, with lines left empty that are comments alone, and without types beside
/// code. Another comment beside code stays, so that nothing within a string is taken for one.
///
/// Fails if a text in backticks goes over several lines: it would lose the indentation that it has.
pub fn without_comments(text: &str) -> io::Result<String> {
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        let begins = !inside && trimmed.starts_with("/*");
        let end = trimmed.find("*/").map(|at| at + "*/".len());
        let is_comment = match (inside || begins, end) {
            (true, None) => true,
            (true, Some(end)) => inside || end == trimmed.len(),
            (false, _) => trimmed.starts_with("//"),
        };
        inside = (inside || begins) && end.is_none();
        if !is_comment {
            if trimmed.matches('`').count() % 2 != 0 {
                return Err(io::Error::other(format!(
                    "a text over several lines: {trimmed}"
                )));
            }
            kept.push_str(&without_types(trimmed));
        }
        kept.push('\n');
    }
    Ok(kept)
}

/// A line without the comments in it that name the type of what follows.
fn without_types(line: &str) -> String {
    let mut parts = line.split("/** @");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("*/") {
            Some((_, rest)) => kept.push_str(rest.trim_start()),
            None => kept.extend(["/** @", part]),
        }
    }
    kept
}

/// A style without comments, as above, and without line breaks and the spaces beside its marks. A line with a quote or
/// a slash keeps its spaces.
pub fn style(text: &str) -> io::Result<String> {
    let text = without_comments(text)?;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.is_empty()) {
        if !kept.is_empty() && !kept.ends_with(['{', '}', ';', ',']) {
            kept.push(' ');
        }
        match line.contains(['\'', '"', '/']) {
            true => kept.push_str(line),
            false => kept.push_str(
                &line
                    .replace(": ", ":")
                    .replace(", ", ",")
                    .replace(" {", "{"),
            ),
        }
    }
    kept.push('\n');
    Ok(kept)
}

/// The keys of a table of texts, each with the short one by which it goes out: they are told twice, and names that
/// readers understand weigh more than the rest of an entry. None for a script that is no table.
pub fn short_keys(source: &str) -> Option<HashMap<&str, String>> {
    let (_, table) = source.split_once("export const texts = {\n")?;
    let keys = table.lines().filter_map(key);
    Some(
        keys.enumerate()
            .map(|(index, key)| (key, short(index)))
            .collect(),
    )
}

/// The key that a line of a table begins with.
fn key(line: &str) -> Option<&str> {
    let (key, _) = line.strip_prefix('\t')?.split_once(':')?;
    key.chars().all(char::is_alphanumeric).then_some(key)
}

/// `a` to `z`, then `aa` and on.
fn short(index: usize) -> String {
    let last = char::from(b"abcdefghijklmnopqrstuvwxyz"[index % 26]);
    match index / 26 {
        0 => last.to_string(),
        rest => short(rest - 1) + &last.to_string(),
    }
}

/// A script with the short keys of the table that it has, or imports as `texts`.
///
/// Fails for a key that the table does not have, and one that is put together.
pub fn with_short_keys(source: &str, keys: &HashMap<&str, String>) -> io::Result<String> {
    if source.contains("export const texts = {\n") {
        let mut kept = String::with_capacity(source.len());
        for line in source.lines() {
            match key(line).and_then(|key| Some((key, keys.get(key)?))) {
                Some((key, short)) => kept.extend(["\t", short, &line[1 + key.len()..]]),
                None => kept.push_str(line),
            }
            kept.push('\n');
        }
        return Ok(kept);
    }
    if source.contains("texts[") {
        return Err(io::Error::other("a text is named by `texts.key`"));
    }
    let mut parts = source.split("texts.");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|next: char| !next.is_alphanumeric());
        let (key, rest) = part.split_at(end.unwrap_or(part.len()));
        // The end of a sentence, in a comment.
        if key.is_empty() {
            kept.extend(["texts.", rest]);
            continue;
        }
        let short = keys.get(key);
        let short = short.ok_or_else(|| io::Error::other(format!("no text {key}")))?;
        kept.extend(["texts.", short, rest]);
    }
    Ok(kept)
}

/// A script without comments, as above, and without the spaces, line breaks and last commas that its code
/// does not need.
///
/// Its statements have to end with a semicolon or a brace, as `scripts/check-web` has them. A line with a slash
/// outside of texts is left as it is, on a line of its own: what it has is a division, a pattern or a comment.
pub fn script(text: &str) -> io::Result<String> {
    let text = without_comments(text)?;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.is_empty()) {
        let before = kept.len();
        if !add_line(&mut kept, line) {
            kept.truncate(before);
            if !kept.is_empty() && !kept.ends_with('\n') {
                kept.push('\n');
            }
            kept.push_str(line);
            kept.push('\n');
        }
    }
    if !kept.ends_with('\n') {
        kept.push('\n');
    }
    Ok(kept)
}

/// Adds a line of code behind other code, with a space between them if they need one. False, with a part of the line
/// added, if it has a slash outside of texts.
fn add_line(kept: &mut String, line: &str) -> bool {
    let mut is_apart = !kept.is_empty();
    // Open braces within each value of a template.
    let mut values: Vec<usize> = Vec::new();
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match character {
            '/' => return false,
            ' ' => {
                is_apart = true;
                continue;
            }
            _ => {}
        }
        if is_apart && !is_mark(character) && !kept.ends_with(is_mark) && !kept.ends_with('\n') {
            kept.push(' ');
        }
        is_apart = false;
        // No list leaves a place out at its end.
        if [')', ']', '}'].contains(&character) && kept.ends_with(',') {
            kept.pop();
        }
        kept.push(character);
        let is_text = match (character, values.last_mut()) {
            ('\'' | '"', _) => {
                add_quoted(kept, &mut rest, character);
                false
            }
            ('`', _) => true,
            ('{', Some(open)) => {
                *open += 1;
                false
            }
            ('}', Some(0)) => {
                values.pop();
                true
            }
            ('}', Some(open)) => {
                *open -= 1;
                false
            }
            _ => false,
        };
        if is_text && add_template(kept, &mut rest) {
            values.push(0);
        }
    }
    true
}

/// Characters beside which code needs no space. A plus, a minus and quotes are none of them.
fn is_mark(character: char) -> bool {
    "=(){}[],;:?<>!&|*%.".contains(character)
}

/// Adds a text up to its last quote.
fn add_quoted(kept: &mut String, rest: &mut Chars<'_>, quote: char) {
    while let Some(character) = rest.next() {
        kept.push(character);
        match character {
            '\\' => kept.extend(rest.next()),
            _ if character == quote => return,
            _ => {}
        }
    }
}

/// Adds a part of a template. True if a value begins behind it, false if it is the last one.
fn add_template(kept: &mut String, rest: &mut Chars<'_>) -> bool {
    while let Some(character) = rest.next() {
        kept.push(character);
        match character {
            '\\' => kept.extend(rest.next()),
            '`' => return false,
            '{' if kept.ends_with("${") => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_lose_spaces_that_are_not_needed() {
        let plain = "\
// A comment.
import { one, two } from './three.js';

/** A function. @param {number} count */
export const text = (/** @type {number} */ count) => {
\tif (!count) return 'a  b';
\tconst half = count / 2;
\treturn `${count > 1 ? `its ${ { count }.count } moves` : one} and  { braces }` + - -two; // or so
};
for (const each of [one, two])
\teach
\t\t.call();
";
        assert_eq!(
            script(plain).unwrap(),
            "import{one,two}from './three.js';export const text=(count)=>{if(!count)return 'a  b';\n\
             const half = count / 2;\n\
             return `${count > 1 ? `its ${ { count }.count } moves` : one} and  { braces }` + - -two; // or so\n\
             };for(const each of[one,two])each.call();\n"
        );
        assert_eq!(
            script("f({\n\ta: [\n\t\t1,\n\t],\n\tb: `c,${d}`,\n});\n").unwrap(),
            "f({a:[1],b:`c,${d}`});\n"
        );
        assert_eq!(
            script("const a = `${b ? `c ${ { d } }` : e} f  { g }`;\n").unwrap(),
            "const a=`${b?`c ${{d}}`:e} f  { g }`;\n"
        );
    }

    #[test]
    fn styles_lose_spaces_that_are_not_needed() {
        let plain = "/* A comment. */\n.a > b,\n.c:hover {\n\tmargin: 0 1px;\n\tgrid-area: 1 / 2;\n\t& d {\n\t\tcontent: 'e: f';\n\t}\n}\n";
        assert_eq!(
            style(plain).unwrap(),
            ".a > b,.c:hover{margin:0 1px;grid-area: 1 / 2;& d{content: 'e: f';}}\n"
        );
    }

    #[test]
    fn keys_of_texts_go_out_short() {
        let table = "export const texts = {\n\t// A: b.\n\tgameOver: 'The game: over.',\n\tdraws: (count) =>\n\t\t`draws: ${count}`,\n};\n";
        let keys = short_keys(table).unwrap();
        assert_eq!(
            with_short_keys(table, &keys).unwrap(),
            "export const texts = {\n\t// A: b.\n\ta: 'The game: over.',\n\tb: (count) =>\n\t\t`draws: ${count}`,\n};\n"
        );
        let user = "f(over ? texts.gameOver : texts.draws(2));\n";
        assert_eq!(
            with_short_keys(user, &keys).unwrap(),
            "f(over ? texts.a : texts.b(2));\n"
        );
        assert_eq!(
            with_short_keys("// No texts.\n", &keys).unwrap(),
            "// No texts.\n"
        );
        assert!(with_short_keys("texts.none", &keys).is_err());
        assert!(with_short_keys("texts[over ? 'gameOver' : 'draws']", &keys).is_err());
        assert_eq!(
            [0, 25, 26, 27, 702].map(short),
            ["a", "z", "aa", "ab", "aaa"]
        );
        assert_eq!(short_keys("export const a = 1;\n"), None);
    }

    #[test]
    fn a_text_over_several_lines_is_refused() {
        assert!(script("const a = `b\n\tc`;\n").is_err());
    }
}
