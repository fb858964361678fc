//! Figures and names that documents repeat are those of the sources.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use connect4_protocol::{Event, message, signed, variants};
use connect4_testing::documents::{Document, documents, root};
use connect4_testing::english::{faults, phrases};
use connect4_testing::page_texts;

#[test]
fn prices_in_documents_are_those_of_the_cost_table() {
    let costs = include_str!("../COSTS.md");
    let row = |name: &str| {
        let start = format!("| {name} |");
        let row = costs
            .lines()
            .find(|line| line.starts_with(&start))
            .expect("a row");
        row.split('|')
            .map(|cell| cell.trim().replace(',', ""))
            .collect::<Vec<_>>()
    };
    let proof = |name: &str| row(name)[2].parse::<u64>().expect("a number");
    let dot = |name: &str, column: usize| row(name)[column].parse::<f64>().expect("a number");
    let grouped = |number: u64| {
        let (thousands, rest) = (number / 1000, number % 1000);
        match thousands {
            0..1000 => format!("{thousands},{rest:03}"),
            _ => format!("{},{:03},{rest:03}", thousands / 1000, thousands % 1000),
        }
    };
    let whole = |name: &str| row(name)[3].parse::<u64>().expect("a number");
    let whole_game = |name: &str| {
        let transactions = &row(name)[2];
        format!("| {name} | {transactions} | {:.3} DOT |", dot(name, 4))
    };
    let deployed = |column| -> f64 {
        let rows = [
            "deploy the code and the contract",
            "deploy the code and the contract of the stakes",
            "deploy the code and the contract of the records",
        ];
        rows.iter().map(|name| dot(name, column)).sum()
    };
    let pages = documents();
    let mut missing = Vec::new();
    for expected in [
        format!(
            "a move takes {:.3} DOT at Polkadot Hub's prices",
            dot("later move", 5)
        ),
        format!(
            "A move takes {} bytes of proof",
            grouped(proof("later move"))
        ),
        format!(
            "a move of a variant takes {}.",
            grouped(proof("winning move of a variant"))
        ),
        format!(
            "message which writes can take is {}.",
            grouped(proof("`flip`: one read, one write"))
        ),
        format!(
            "| deploy the contracts, once | {:.2} DOT | {:.2} DOT |",
            deployed(4),
            deployed(5),
        ),
        format!(
            "| start a game | {:.3} DOT | {:.3} DOT |",
            dot("start a game", 4),
            dot("start a game", 5),
        ),
        format!("| a move | 0 | {:.3} DOT |", dot("later move", 5)),
        format!(
            "A game without a stake takes {} bytes of proof to be recorded, however long it is; \
             a draw of 42 drops on the chain takes {}.",
            grouped(whole("42 drops, signed, two guests")),
            grouped(whole("42 drops, on the chain"))
        ),
        whole_game("7 drops, on the chain"),
        whole_game("7 drops, signed, two guests"),
        whole_game("42 drops, on the chain"),
        whole_game("42 drops, signed, two guests"),
        format!(
            "| signed, for a stake, of any length | {} | {:.3} DOT |",
            row("the first, and its winner withdraws")[2],
            dot("the first, and its winner withdraws", 4)
        ),
    ] {
        if !pages.iter().any(|page| page.text.contains(&expected)) {
            missing.push(expected);
        }
    }
    assert!(
        missing.is_empty(),
        "a document is to say:\n{}",
        missing.join("\n")
    );
}

/// The first column of a block without a language is a list of messages, each with its arguments
/// and answer or without.
#[test]
fn documents_list_messages_that_exist() {
    let lists = [
        message::GAMES,
        signed::message::STAKES,
        signed::message::RECORDS,
        variants::message::VARIANTS,
    ];
    let pages = documents();
    let blocks = pages.iter().flat_map(Document::blocks);
    let mut listed = 0;
    for line in blocks
        .filter(|block| block.language.is_empty())
        .flat_map(|block| block.lines)
    {
        let (first_column, _) = line.split_once("  ").unwrap_or((line, ""));
        for name in names(first_column) {
            assert!(
                lists.iter().any(|messages| messages.contains(&name)),
                "the contracts have no message {name}"
            );
            listed += 1;
        }
    }
    assert!(listed > 30, "the messages are found");
}

/// The names in a list as `settle(game), withdraw_to -> amount`.
fn names(listed: &str) -> Vec<&str> {
    let mut depth = 0;
    let names = listed.split(|character| {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && character == ','
    });
    names
        .map(|name| name.split(['(', '-']).next().unwrap_or_default().trim())
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn the_tests_that_show_threats_exist() {
    let docs = root().join("docs");
    let table = fs::read_to_string(docs.join("threats-tests.md")).expect("text");
    let mut named = 0;
    for (id, tests) in table.lines().filter_map(row) {
        let tests: Vec<_> = links(tests).collect();
        for (name, path) in &tests {
            let source = fs::read_to_string(docs.join(path));
            let source = source.unwrap_or_else(|error| panic!("{path}: {error}"));
            let name = name.trim_matches('`');
            assert!(has_test(&source, name), "{path} has no test {name}");
        }
        named += tests.len();
        assert!(!tests.is_empty(), "no test shows {id}");
    }
    assert!(named > 400, "the links are found");
}

/// The page is to be read from start to end; the tests of its claims stand in a table beside it.
#[test]
fn each_claim_about_threats_has_a_row_of_tests_or_says_that_there_are_none() {
    const MOST_WORDS: usize = 4_000;

    let docs = root().join("docs");
    let read = |name: &str| fs::read_to_string(docs.join(name)).expect("text");
    let (threats, table) = (read("threats.md"), read("threats-tests.md"));
    let words = threats.split_whitespace().count();
    assert!(words <= MOST_WORDS, "{words} words, {MOST_WORDS} at most");
    let claims: Vec<_> = threats.lines().filter_map(claim).collect();
    assert!(claims.len() > 100, "the claims are found");
    let ids: HashSet<_> = claims.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), claims.len(), "each claim has its own id");
    let tested = claims
        .iter()
        .filter(|(_, text)| !text.ends_with("Not tested."));
    let tested: Vec<_> = tested.map(|(id, _)| *id).collect();
    let rows: Vec<_> = table.lines().filter_map(row).map(|(id, _)| id).collect();
    assert_eq!(rows, tested, "rows of the table, and claims with tests");
}

/// The id and the text of a claim, such as `**O1** Move out of turn.`
fn claim(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("**")?.split_once("** ")
}

/// The first and the second column of a table, without its head.
fn row(line: &str) -> Option<(&str, &str)> {
    let (id, tests) = line.strip_prefix("| ")?.split_once(" | ")?;
    (id != "id").then_some((id, tests))
}

#[test]
fn a_test_is_told_from_other_functions() {
    let rust = "#[test]\nfn first() {}\n\nfn second() {}\n\n#[tokio::test]\nasync fn third() {}";
    assert!(has_test(rust, "first") && has_test(rust, "third"));
    assert!(!has_test(rust, "second") && !has_test(rust, "fir"));
    assert!(has_test("test('a page', async (t) => {", "a page"));
}

#[test]
fn what_is_new_is_told_on_a_page() {
    const MOST: usize = 60;

    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).expect("the changelog");
    let mut releases = changelog.split("\n## ").skip(1);
    let newest = releases.next().expect("a release");
    let lines = newest.trim_end().lines().count();
    assert!(
        lines <= MOST,
        "{lines} lines, {MOST} at most: is each for people?"
    );
}

#[test]
fn links_lead_to_files_and_headings() {
    let root = root();
    let mut pages = documents();
    for path in ["CHANGELOG.md", "CONTRIBUTING.md", "COSTS.md", "SECURITY.md"] {
        pages.push(Document::read(&root, PathBuf::from(path)));
    }
    pages.push(Document::read(&root, PathBuf::from("network/README.md")));
    let mut decisions = Vec::new();
    collect(&root.join("docs/decisions"), &mut decisions);
    pages.extend(
        decisions
            .into_iter()
            .map(|path| Document::read(&root, path)),
    );
    let mut wrong = Vec::new();
    for page in &pages {
        for target in targets(page) {
            if let Err(reason) = follow(&root, page, &target) {
                wrong.push(format!("{}: {target}: {reason}", page.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let root = root();
    let page = Document {
        path: PathBuf::from("docs/page.md"),
        text: "# A page: its `name`\n[a](#a-page-its-name) ![b](none.png) <img src=\"none.png\">\n\
               `[c](none)`\n```\n# no heading\n[d](none)\n```\n"
            .to_owned(),
    };
    assert_eq!(targets(&page), ["#a-page-its-name", "none.png", "none.png"]);
    assert_eq!(anchors(&page), ["a-page-its-name"]);
    for target in ["#a-page-its-name", "../README.md#documents", "../lib.rs"] {
        assert_eq!(follow(&root, &page, target), Ok(()), "{target}");
    }
    for target in ["#no-heading", "../README.md#nothing", "none.png"] {
        assert!(follow(&root, &page, target).is_err(), "{target}");
    }
}

/// Targets of the links and pictures in the prose of a page, those outside of the repository left out.
fn targets(page: &Document) -> Vec<String> {
    let mut targets = Vec::new();
    for line in page.prose() {
        // Between two backticks there is code.
        let text: String = line.split('`').step_by(2).collect();
        targets.extend(links(&text).map(|(_, target)| target.to_owned()));
        for attribute in ["src=\"", "srcset=\""] {
            let values = text.split(attribute).skip(1);
            targets.extend(values.filter_map(|value| Some(value.split_once('"')?.0.to_owned())));
        }
    }
    targets.retain(|target| !target.starts_with("https://") && !target.starts_with("http://"));
    targets
}

/// Whether a link on a page leads to a file, and to a heading of it.
fn follow(root: &Path, page: &Document, target: &str) -> Result<(), &'static str> {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (target, None),
    };
    let folder = page.path.parent().expect("a file");
    let path = if path.is_empty() {
        root.join(&page.path)
    } else {
        root.join(folder).join(path)
    };
    if !path.exists() {
        return Err("no such file");
    }
    let Some(anchor) = anchor else { return Ok(()) };
    let known = if target.starts_with('#') {
        anchors(page)
    } else {
        anchors(&Document::read(root, path))
    };
    if known.iter().any(|known| known == anchor) {
        Ok(())
    } else {
        Err("no such heading")
    }
}

/// Anchors of the headings of a page, as GitHub derives them.
fn anchors(page: &Document) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let headings = page.prose().into_iter().filter_map(|line| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len()).then_some(text.strip_prefix(' ')?)
    });
    headings
        .map(|heading| {
            let kept = heading.to_lowercase();
            let kept = kept.chars().filter(|character| {
                character.is_alphanumeric() || [' ', '-', '_'].contains(character)
            });
            let anchor = kept.collect::<String>().trim().replace(' ', "-");
            let earlier = seen.entry(anchor.clone()).or_default();
            *earlier += 1;
            match *earlier {
                1 => anchor,
                count => format!("{anchor}-{}", count - 1),
            }
        })
        .collect()
}

/// The help of the program is checked by the tests of its command line.
#[test]
fn documents_are_in_plain_english() {
    // Not rewritten yet.
    let excepted = Path::new("docs/hosting.md");
    let mut pages = documents();
    pages.retain(|page| page.path != excepted);
    assert!(pages.len() > 10, "the documents are found");
    let mut wrong = Vec::new();
    for page in &pages {
        for fault in page.prose().into_iter().flat_map(faults) {
            wrong.push(format!("{}: {fault}", page.path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Comments of these folders and files; the others are not rewritten yet.
#[test]
fn comments_are_in_plain_english() {
    let mut sources = Vec::new();
    for place in [
        "crates/browser/src",
        "crates/cli/src",
        "crates/client/src",
        "crates/index/src",
        "crates/opponent/src",
        "crates/server/src",
        "crates/testing/src",
        "crates/wire/src",
        "web",
    ] {
        let before = sources.len();
        add_sources(&root().join(place), &mut sources);
        assert!(sources.len() > before, "{place} has sources");
    }
    let mut wrong = Vec::new();
    for path in &sources {
        let source = fs::read_to_string(path).expect("a source");
        for comment in comments(&source) {
            for fault in phrases(&comment) {
                wrong.push(format!("{}: {fault}: {comment}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Texts of the page, in its scripts and in `index.html`.
#[test]
fn texts_of_the_page_are_in_plain_english() {
    let page = root().join("web");
    let mut sources = vec![page.join("index.html")];
    add_sources(&page, &mut sources);
    let (mut read, mut wrong) = (0, Vec::new());
    for path in &sources {
        let source = fs::read_to_string(path).expect("a source");
        let texts = if path.extension().is_some_and(|end| end == "html") {
            page_texts::in_html(&source)
        } else {
            page_texts::in_script(&source)
        };
        read += texts.len();
        for text in texts {
            // Without a mark at its end it is a label, as "Who begins" is, or continues in a value.
            let is_whole = text.ends_with(['.', ';', '!', '?']);
            let found = if is_whole {
                faults(&text)
            } else {
                phrases(&text)
            };
            for fault in found {
                wrong.push(format!("{}: {fault}: {text}", path.display()));
            }
        }
    }
    assert!(read > 500, "the texts are found, {read}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Values that programs compare, selectors and drawings, which are no texts for people.
const NAMES: &[&str] = &[
    "waits no more",
    "review over",
    "full board",
    "no move",
    "turn limit",
    "last left",
    "choose here",
    "in block",
    "offer of another game",
    "offer of a draw",
    "contest by move",
    "contest by wallet",
    "opponent contests",
    "answer by move",
    "answer by wallet",
    "(prefers-reduced-motion: reduce)",
    "a, button, input, select",
    "button, a, summary, [type=\"checkbox\"]",
    "input, select, textarea",
    "input:is([type=\"range\"], [type=\"radio\"])",
    "#moves > li",
    ".own input",
    "chip used",
    "<plaintext hidden>",
    "a, summary",
    "who turn",
    "button small",
    "field opener",
    "#keys dl",
    "#more .more",
    "Polkadot Hub",
    "Kusama Hub",
    "Westend Hub",
    "Paseo Hub",
    "Paseo Next Hub",
    "…x…, line …",
    "allow-popups allow-popups-to-escape-sandbox",
    "connect4 page",
    "connect4 record game.txt",
    "Home End PgUp PgDn",
    "Enter Space",
    "<iframe src=\"…/embed/game/……\" title=\"Connect Four\" width=\"480\" height=\"560\" sandbox=\"…\" loading=\"lazy\" style=\"border:0\"></iframe>",
    "plot-title plot-text",
    "by a line",
    "on a full board",
    "by resignation",
    "by agreement",
    "on time",
];

/// Files whose texts are not in tables yet, and how many they have. The figures fall only.
const NOT_IN_TABLES: &[(&str, usize)] = &[("theme.js", 1)];

/// Texts stand in `web/words/`, by key: one that is put together elsewhere is read by nobody as a whole.
#[test]
fn texts_of_the_page_stand_in_tables() {
    let page = root().join("web");
    let mut sources = Vec::new();
    add_sources(&page, &mut sources);
    let mut left: HashMap<_, _> = NOT_IN_TABLES.iter().copied().collect();
    let mut wrong = Vec::new();
    for path in sources
        .iter()
        .filter(|path| !path.starts_with(page.join("words")))
    {
        let name = path
            .strip_prefix(&page)
            .expect("below web/")
            .to_string_lossy();
        let source = fs::read_to_string(path).expect("a source");
        let mut texts = page_texts::in_script(&source);
        texts.retain(|text| !NAMES.contains(&text.as_str()));
        let expected = left.remove(&*name).unwrap_or(0);
        if texts.len() != expected {
            wrong.push(format!(
                "{name}: {} texts, {expected} expected: {texts:#?}",
                texts.len()
            ));
        }
    }
    wrong.extend(left.keys().map(|name| format!("{name}: no such file")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A sentence around a link or another element is one text with a place for it: `mixed` in `web/words/forms.js`.
#[test]
fn texts_in_tables_are_no_pieces_of_sentences() {
    let mut tables = Vec::new();
    add_sources(&root().join("web/words"), &mut tables);
    assert!(tables.len() > 10, "the tables are found");
    let mut wrong = Vec::new();
    for path in &tables {
        let source = fs::read_to_string(path).expect("a source");
        for piece in page_texts::pieces(&source) {
            wrong.push(format!("{}: {piece:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `index.html` has the texts that never change, `words/page.js` those that its scripts write. One that both have is
/// mended in one of them only.
#[test]
fn texts_of_the_html_are_in_no_table_beside_it() {
    let page = root().join("web");
    let read = |name: &str| fs::read_to_string(page.join(name)).expect("a source");
    let mut texts = page_texts::in_html(&read("index.html"));
    assert!(texts.len() > 50, "the texts are found, {}", texts.len());
    let table = page_texts::in_script(&read("words/page.js"));
    // The name of the game is in the title, which the scripts write once a game is shown.
    texts.retain(|text| table.contains(text) && text != "Connect Four");
    assert!(texts.is_empty(), "{texts:?}");
}

/// The types of the page fail for a key that no table has.
#[test]
fn each_key_of_a_table_of_texts_is_used() {
    let page = root().join("web");
    let mut sources = Vec::new();
    add_sources(&page, &mut sources);
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a source");
    let (mut keys, mut unused) = (0, Vec::new());
    for table in sources
        .iter()
        .filter(|path| path.starts_with(page.join("words")))
    {
        let file = table.file_name().expect("a name").to_string_lossy();
        let imported = format!("words/{file}'");
        let users = sources
            .iter()
            .map(read)
            .filter(|text| text.contains(&imported));
        let users = users.collect::<Vec<_>>().join("\n");
        let source = read(table);
        for key in page_texts::keys(&source) {
            keys += 1;
            let forms = [format!("texts.{key}"), format!("'{key}'")];
            let is_end = |rest: &str| !rest.starts_with(char::is_alphanumeric);
            let is_used = forms
                .iter()
                .any(|form| users.split(form).skip(1).any(is_end));
            if !is_used {
                unused.push(format!("{file}: {key}"));
            }
        }
    }
    assert!(keys > 300, "the keys are found, {keys}");
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}

/// Adds the sources in a folder, without tests.
fn add_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "node_modules" {
            add_sources(&path, found);
        } else if [".rs", ".js"].iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
}

/// The comments of a source that have lines of their own, each paragraph as one text.
fn comments(source: &str) -> Vec<String> {
    let mut comments = vec![String::new()];
    for line in source.lines() {
        let line = line.trim_start();
        let marks = ["///", "//!", "//", "/**", "* "];
        match marks.iter().find_map(|mark| line.strip_prefix(mark)) {
            Some(text) if !text.trim().is_empty() => {
                let comment = comments.last_mut().expect("there is one");
                comment.push_str(text);
                comment.push(' ');
            }
            _ => comments.push(String::new()),
        }
    }
    comments
}

/// Text and target of each link in a line.
fn links(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.match_indices("](").filter_map(|(at, _)| {
        let (_, text) = line[..at].rsplit_once('[')?;
        let (target, _) = line[at + 2..].split_once(')')?;
        Some((text, target))
    })
}

/// Whether a file in Rust or JavaScript has a test of this name.
fn has_test(source: &str, name: &str) -> bool {
    if source.contains(&format!("test('{name}'")) || source.contains(&format!("test(\"{name}\"")) {
        return true;
    }
    let mut lines = source.lines().map(str::trim_start);
    let mut is_test = false;
    lines.any(|line| {
        let item = line.strip_prefix("async ").unwrap_or(line);
        if let Some(signature) = item.strip_prefix("fn ") {
            let found = is_test && signature.split('(').next() == Some(name);
            is_test = false;
            return found;
        }
        if let Some(attribute) = line.strip_prefix("#[") {
            let path = attribute.split([']', '(']).next().unwrap_or_default();
            is_test |= path.rsplit("::").next() == Some("test");
        }
        false
    })
}

/// The first topic of an event is the hash of its declaration: a document that spells one wrong
/// sends its readers after events that there are none of.
#[test]
fn documents_spell_declarations_of_events_right() {
    let root = root();
    let mut files = vec![root.join("lib.rs")];
    for folder in ["contracts", "crates", "docs"] {
        collect(&root.join(folder), &mut files);
    }
    for entry in fs::read_dir(&root).expect("a folder") {
        files.push(entry.expect("an entry").path());
    }
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "md" || extension == "rs")
    });
    assert!(files.len() > 50, "the sources are found");
    for file in files {
        let mut text = fs::read_to_string(&file).expect("text");
        // In code the same form is a variant or a call.
        if file.extension().is_some_and(|extension| extension == "rs") {
            let comments = text
                .lines()
                .filter(|line| line.trim_start().starts_with("//"));
            text = comments.collect::<Vec<_>>().join("\n");
        }
        let wrong = misspelt(&text);
        assert!(
            wrong.is_empty(),
            "{}: no event is declared as {wrong:?}",
            file.display()
        );
    }
}

#[test]
fn a_misspelt_declaration_is_found() {
    for declaration in declarations() {
        assert_eq!(misspelt(&format!("`{declaration}`")), Vec::<&str>::new());
    }
    assert_eq!(
        misspelt("the hash of `GameEnded(u32,Option<Address>,Cells)`."),
        ["GameEnded(u32,Option<Address>,Cells)"]
    );
}

fn declarations() -> impl Iterator<Item = &'static str> {
    Event::DECLARATIONS.iter().copied()
}

/// Texts in the form of a declaration, which an event's name begins, that are not the event's.
fn misspelt(text: &str) -> Vec<&str> {
    let mut wrong = Vec::new();
    for declaration in declarations() {
        let (name, _) = declaration.split_once('(').expect("a declaration");
        for (at, _) in text.match_indices(name) {
            let rest = &text[at..];
            let after = &rest[name.len()..];
            // `Withdrawn` ends the name of another event.
            let whole = !text[..at].ends_with(|before: char| before.is_alphanumeric());
            let first_types = ["(u32", "(Address"];
            if whole
                && first_types.iter().any(|first| after.starts_with(first))
                && !rest.starts_with(declaration)
            {
                let end = rest.find(')').map_or(rest.len(), |end| end + 1);
                wrong.push(&rest[..end]);
            }
        }
    }
    wrong
}

/// All files in a folder and the folders in it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
