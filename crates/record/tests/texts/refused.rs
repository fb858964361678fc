//! Texts that are refused, with the line and what to do; and texts of nobody.

use connect4_protocol::signed::Native;
use connect4_record::{MOST_OF_COMMENTS, MOST_OF_LINE, MOST_TAGS, is_unseen, read, read_bytes};
use connect4_testing::dice::Dice;

use crate::walks::any;

const GAME: &str = "\
[Connect4 \"1\"]
[Terms \"7x6, line 4\"]
[End \"by a line\"]

1 2 1 2 1 2 1 1-0
";

/// What is wrong with a text, at first.
fn error(text: &str) -> String {
    let error = read(text).find_map(Result::err);
    match error {
        Some(error) => error.to_string(),
        None => panic!("nothing is wrong with {text}"),
    }
}

/// The game with a part of it replaced.
fn with(part: &str, by: &str) -> String {
    assert!(GAME.contains(part), "{part}");
    GAME.replacen(part, by, 1)
}

#[test]
fn an_error_names_the_line_and_what_to_do() {
    let long = format!("{{{}}}", "x ".repeat(MOST_OF_LINE));
    let tags: String = (0..MOST_TAGS)
        .map(|number| format!("[T{number} \"\"]\n"))
        .collect();
    let comments = format!("{{{}\n", "x".repeat(MOST_OF_LINE - 50)).repeat(2)
        + &format!("{}\n", "y".repeat(MOST_OF_LINE)).repeat(MOST_OF_COMMENTS / MOST_OF_LINE);
    let end = "[End \"by a line\"]";
    let mut wrong = Vec::new();
    for (text, why) in [
        (
            "4444",
            "line 1: a game begins with the tag [Connect4 \"1\"]",
        ),
        (
            &with("[Connect4 \"1\"]\n", ""),
            "line 1: a game begins with the tag [Connect4 \"1\"]",
        ),
        (
            &with("\"1\"", "\"3\""),
            "line 1: the record has version \"3\" of the format, and this program reads versions 1 and 2: a newer program may read it",
        ),
        (
            &with("[Terms", "(Terms"),
            "line 2: not a tag such as [Terms \"7x6, line 4\"]; moves come after an empty line",
        ),
        (
            &with("[Terms", "[terms"),
            "line 2: not a tag such as [Terms \"7x6, line 4\"]; moves come after an empty line",
        ),
        (
            &with("\n\n", "\n"),
            "line 4: not a tag such as [Terms \"7x6, line 4\"]; moves come after an empty line",
        ),
        (
            &with(end, &format!("{end}\n{end}")),
            "line 4: the tag End is there twice",
        ),
        (
            &with("[Terms \"7x6, line 4\"]\n", ""),
            "line 3: the tag Terms is missing",
        ),
        (
            &with("7x6", "1x6"),
            "line 2: Terms: a board needs at least 5 bins",
        ),
        (
            &with("line 4\"", "line 04\""),
            "line 2: Terms: expected terms such as \"7x6, line 4, 3 players, pop out, 1 take\"",
        ),
        (
            &with("line 4\"", "line 4, 2 players\""),
            "line 2: Terms: it is written \"7x6, line 4\", and not \"7x6, line 4, 2 players\"",
        ),
        (
            &with("by a line", "by luck"),
            "line 3: End: expected an end of a game, such as \"by a line\"",
        ),
        (
            &with(
                end,
                "[End \"by a line\"]\n[Player2 \"0x0000000000000000000000000000000000000001\"]",
            ),
            "line 4: the tag Player2 needs the tag Player1",
        ),
        (
            &with(
                end,
                "[End \"by a line\"]\n[Player1 \"0x0000000000000000000000000000000000000001\"]",
            ),
            "line 5: 1 players are named, and the terms are for 2",
        ),
        (
            &with(end, "[End \"by a line\"]\n[Time \"2026-02-30T00:00:00Z\"]"),
            "line 4: Time: it is written \"2026-03-02T00:00:00Z\", and not \"2026-02-30T00:00:00Z\"",
        ),
        (
            &with(end, "[End \"by a line\"]\n[Limit \"60 s\"]"),
            "line 5: such a game has no tag Limit",
        ),
        (
            &with(
                end,
                "[Game \"3\"]\n[Clock \"60 s + 0 s a move\"]\n[End \"by a line\"]",
            ),
            "line 6: such a game has no tag Clock",
        ),
        (
            &with(end, "[Game \"3\"]\n[End \"by agreement\"]").replace("1 1-0", "1/2-1/2"),
            "line 6: the result is 1/2-1/2 by agreement, but the moves give * without an end",
        ),
        (
            &with(end, "[End \"by a line\"]\n[Signature1 \"0x00\"]"),
            "line 4: such a game has no tag Signature1",
        ),
        (
            &with(end, "[End \"by a line\"]\n[Signed \"position\"]"),
            "line 4: such a game has no tag Signed",
        ),
        (
            &with("1 2 1 2", "1 2 1 9"),
            "line 5: move 4, \"9\": there is no such bin",
        ),
        (
            &with("1 2 1 2", "1 2 1 x"),
            "line 5: move 4, \"x\": not a move: moves are as in 4, (10), p3, t3.2, r2, f4.5, s, or q2 if player 2 leaves",
        ),
        (
            &with("1 2 1 2", "1 2 1 (2)"),
            "line 5: move 4, \"(2)\": not a move: moves are as in 4, (10), p3, t3.2, r2, f4.5, s, or q2 if player 2 leaves",
        ),
        (
            &with("1 2 1 2", "1 2 1 q2"),
            "line 5: move 4, \"q2\": nobody leaves such a game",
        ),
        (
            &with("1 1-0", "1\n\n1 1-0"),
            "line 7: move 8, \"1\": the game has ended",
        ),
        (
            &with("1-0", "0-1"),
            "line 5: the result is 0-1 by a line, but the moves give 1-0 by a line",
        ),
        (
            &with("1-0", "1/2-1/2"),
            "line 5: the result is 1/2-1/2 by a line, but the moves give 1-0 by a line",
        ),
        (
            &with("1-0", "*"),
            "line 5: the result is * by a line, but the moves give 1-0 by a line",
        ),
        (
            &with("1-0", "1-1"),
            "line 5: the result is 1-1 by a line, but the moves give 1-0 by a line",
        ),
        (
            &with("1-0", "1-0-0"),
            "line 5: \"1-0-0\" is no result of a game of 2 players",
        ),
        (
            &with("2 1 1-0", "2 1-0"),
            "line 5: the result is 1-0 by a line, but the moves give * without an end",
        ),
        (
            &with("by a line", "by resignation"),
            "line 5: the result is 1-0 by resignation, but the moves give 1-0 by a line",
        ),
        (
            &with("[End \"by a line\"]\n", ""),
            "line 4: the tag End is missing",
        ),
        (
            &with(" 1-0", ""),
            "line 5: the moves end without a result: 1-0, 0-1, 1/2-1/2, or * for none",
        ),
        (
            &with(" 1-0\n", &format!("\n\n{GAME}")),
            "line 7: the moves end without a result: 1-0, 0-1, 1/2-1/2, or * for none",
        ),
        (
            &with("1-0", "1-0 2"),
            "line 5: \"2\" comes after the result: the next game begins with its tags",
        ),
        (
            &with("1-0", "{won"),
            "line 5: the comment that begins here has no end: it lacks a }",
        ),
        (
            &with("1-0", &long),
            "line 5: the line is longer than 2000 bytes: fold it between moves",
        ),
        (
            &with(end, &format!("{end}\n{tags}")),
            "line 65: the game has more than 64 tags",
        ),
        (
            &with("1-0", &comments),
            "line 15: the comments of the game have more than 20000 bytes",
        ),
        (
            &format!("{GAME}\n{}", with("1-0", "0-1")),
            "line 11: the result is 0-1 by a line, but the moves give 1-0 by a line",
        ),
    ] {
        if error(text) != why {
            wrong.push(format!("{why}\n   {}", error(text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read("\n\n").next().is_none());
    assert!(
        read("\u{feff}[Connect4 \"1\"]")
            .next()
            .is_some_and(|read| read.is_err())
    );
}

/// A bad game of a file costs itself, whatever is wrong with it.
#[test]
fn a_bad_game_costs_no_other() {
    for (bad, line, why) in [
        (with("1-0", "0-1"), 11, "the result is"),
        (
            with("[Connect4 \"1\"]", "[Connect4 \"3\"]"),
            7,
            "the record has version",
        ),
        (
            with("[Connect4 \"1\"]", "[Connect \"1\"]"),
            7,
            "a game begins with the tag",
        ),
        (
            with("[Connect4 \"1\"]\n", ""),
            7,
            "a game begins with the tag",
        ),
        (
            with("[Terms", "[Terms \"7x6, line 4\"]\n[Terms"),
            9,
            "the tag Terms is there twice",
        ),
        (
            with("[Terms \"7x6, line 4\"]\n", ""),
            9,
            "the tag Terms is missing",
        ),
        (
            with("2 1 1-0", "{a comment 2 1 1-0"),
            11,
            "the comment that begins here",
        ),
        // The next game begins where the result is missing.
        (with(" 1-0\n", "\n"), 13, "the moves end without a result"),
        (with("1 1-0\n", "8 1-0\n"), 11, "move 7"),
        (
            with("1-0", &"1".repeat(MOST_OF_LINE)),
            11,
            "the line is longer",
        ),
        ("not a game\n".to_owned(), 7, "a game begins with the tag"),
    ] {
        let text = format!("{GAME}\n{bad}\n{GAME}\n{GAME}");
        let next = 8 + u32::try_from(bad.lines().count()).expect("few");
        let found: Vec<_> = read(&text)
            .map(|found| match found {
                Ok(found) => Ok(found.line),
                Err(error) => Err((error.line, error.fault.to_string())),
            })
            .collect();
        let [Ok(1), Err((at, fault)), Ok(third), Ok(fourth)] = &found[..] else {
            panic!("{bad}: {found:?}");
        };
        assert_eq!((*at, *third, *fourth), (line, next, next + 6), "{bad}");
        assert!(fault.starts_with(why), "{bad}: {fault}");
    }
    // One that is not in UTF-8.
    let mut bytes = GAME.replacen("[End", "[Name1 \"@\"]\n[End", 1).into_bytes();
    for byte in &mut bytes {
        if *byte == b'@' {
            *byte = 0xFF;
        }
    }
    let text = [&bytes, &b"\n"[..], GAME.as_bytes()].concat();
    let found: Vec<_> = read_bytes(&text).collect();
    let [Err(error), Ok(second)] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(
        error.to_string(),
        "line 3: not text in UTF-8: save the file as UTF-8"
    );
    assert_eq!(second.line, 8);
}

/// Texts that were changed at random: each is read or refused, in little time.
#[test]
fn no_text_is_too_much() {
    let parts = [
        "[",
        "\"]",
        "{",
        "}",
        "\n",
        "\r\n",
        "\\",
        "\"",
        "*",
        "1-0",
        "q1",
        "s",
        "(",
        ")",
        "p",
        "t1.1",
        "0x",
        "\u{feff}",
        "é",
        "\0",
        "99999999999999999999",
        "[Signed \"draw until 5\"]",
        "-",
        " ",
    ];
    let (mut good, mut bad) = (0, 0);
    for seed in 0..800 {
        let dice = &mut Dice(seed);
        let mut text: Vec<char> = any(dice, seed as u32).to_string().chars().collect();
        for _ in 0..dice.below(4) {
            let at = dice.below(text.len() as u64 + 1) as usize;
            let to = (at + dice.below(40) as usize).min(text.len());
            match dice.below(4) {
                0 => drop(text.drain(at..to)),
                1 => drop(text.splice(at..at, dice.one_of(&parts).chars().collect::<Vec<_>>())),
                2 => {
                    let again = text[at..to].to_vec();
                    drop(text.splice(at..at, again));
                }
                _ => text.truncate(to.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        for found in read(&text) {
            match found {
                Ok(found) => {
                    good += 1;
                    // What is read is written as a text that reads as the same.
                    let written = found.record.to_string();
                    let again = read(&written).next().expect("a game").expect("it reads");
                    assert_eq!(again.record, found.record, "{seed}: {text}");
                    let _ = found.record.prove(&Native);
                }
                Err(_) => bad += 1,
            }
        }
    }
    assert!(good > 150 && bad > 400, "{good} {bad}");
}

/// Someone writes a record that a terminal, or a page, shows as another one.
#[test]
fn no_character_of_a_record_changes_how_it_is_shown() {
    let unseen = ('\0'..' ')
        .chain('\u{7f}'..='\u{9f}')
        .chain(['\u{61c}', '\u{200e}', '\u{200f}'])
        .chain('\u{2028}'..='\u{202e}')
        .chain('\u{2066}'..='\u{2069}');
    for unseen in unseen {
        assert!(is_unseen(unseen), "{unseen:?}");
        let is_shown = |text: &str| text.replace('\n', "").contains(is_unseen);
        // Each tag, and one that means nothing; a move, and the result.
        let player = "0x0000000000000000000000000000000000000001";
        let evil = format!("a{unseen}b");
        let mut texts = vec![
            with("1 2 1 2", &format!("1 2 {evil}")),
            with("1-0", &format!("1-0{evil}")),
            with("1-0", &format!("1-0 {evil}")),
        ];
        for tag in [
            "Connect4",
            "Game",
            "Chain",
            "Genesis",
            "Contract",
            "Started",
            "Player1",
            "Terms",
            "Clock",
            "Limit",
            "Time",
            "Pool",
            "Programs",
            "Nonce",
            "Key1",
            "Session1",
            "Statements",
            "Signed",
            "Signature1",
            "Venue",
            &evil,
        ] {
            texts.push(with("[End", &format!("[{tag} \"{player}{evil}\"]\n[End")));
        }
        for text in texts {
            let error = error(&text);
            assert!(!is_shown(&error), "{text:?}: {error:?}");
        }
        let commented = with("1 2 1 2", &format!("1 2 {{{evil} {evil}}} 1 2"));
        let mut record = read(&commented).next().unwrap().unwrap().record;
        assert!(!is_shown(&record.to_string()), "{record:?}");
        assert!(!record.comments.iter().any(|(_, text)| is_shown(text)));
        // A program that made a record by itself writes one that is read.
        record.other.push(("Venue".into(), evil.clone()));
        record.comments.push((0, evil));
        let text = record.to_string();
        assert!(!is_shown(&text), "{text:?}");
        assert!(read(&text).next().unwrap().is_ok(), "{text:?}");
    }
    assert!(!('\u{a0}'..'\u{600}').any(is_unseen));
}
