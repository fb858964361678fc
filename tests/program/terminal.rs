//! A game by keys, at a terminal that `script` makes: it writes there what it reads, and shows what the program draws.

use std::process::Stdio;

use crate::run::{Ended, Running, connect4, without_settings};

const LEFT: &str = "\u{1b}[D";
const RIGHT: &str = "\u{1b}[C";
const ENTER: &str = "\r";
const CONTROL_C: &str = "\u{3}";
const CONTROL_D: &str = "\u{4}";
/// What the shell says behind the program, as its terminal reads lines again.
const GIVEN_BACK: &str = " icanon";

/// The program at a terminal of its own, which is looked at when the program has ended.
fn at_terminal(line: &str) -> Running {
    at_terminal_named("xterm-256color", line)
}

fn at_terminal_named(name: &str, line: &str) -> Running {
    let program = connect4(&[]);
    let program = program.get_program().to_string_lossy();
    let shell = format!("'{program}' {line}; status=$?; stty -a; exit $status");
    let mut script = std::process::Command::new("script");
    without_settings(&mut script)
        .args(["--quiet", "--return", "--command", &shell, "/dev/null"])
        .env("SHELL", "/bin/sh")
        .env("TERM", name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Running::start(script)
}

/// Waits until a disc with this number, from 1, is asked for, and presses these keys then.
fn press(terminal: &mut Running, number: usize, keys: &[&str]) {
    terminal.line_with(&format!("add shape: {number}"));
    terminal.line_with("choose a bin");
    terminal.press(&keys.concat());
}

fn is_given_back(ended: &Ended) {
    assert!(ended.out.contains(GIVEN_BACK), "{}", ended.out);
}

#[test]
fn a_game_is_won_by_arrow_keys() {
    let mut terminal = at_terminal("play --tmp --bins 6 --capacity 4");
    // The mark begins at bin 3, and stays where it was.
    press(&mut terminal, 1, &[ENTER]);
    for number in [2, 4, 6] {
        press(&mut terminal, number, &[LEFT, ENTER]);
        press(&mut terminal, number + 1, &[RIGHT, ENTER]);
    }
    terminal.line_with("winner: red");
    terminal.press("n\r");
    let ended = terminal.end().expect(0);
    is_given_back(&ended);
}

#[test]
fn numbers_words_and_what_is_wrong_are_typed() {
    let mut terminal = at_terminal("play --tmp --bins 6 --capacity 4");
    press(&mut terminal, 1, &["9", ENTER]);
    terminal.line_with("invalid bin index");
    terminal.line_with("choose a bin");
    terminal.press("5\r");
    press(&mut terminal, 2, &["resigx\u{7f}n", ENTER]);
    terminal.line_with("winner: red");
    terminal.press(ENTER);
    is_given_back(&terminal.end().expect(0));
}

#[test]
fn the_terminal_is_given_back_when_the_game_is_left() {
    let mut terminal = at_terminal("play --tmp --bins 6 --capacity 4");
    press(&mut terminal, 1, &["5", ENTER]);
    press(&mut terminal, 2, &[CONTROL_C]);
    terminal.line_with("was on a chain in memory");
    is_given_back(&terminal.end().expect(130));
}

/// Nothing heard keys any more after the end of the input, also no Ctrl-C.
#[test]
fn a_program_that_waits_is_left_after_the_end_of_the_input() {
    let mut terminal = at_terminal("play --tmp --seat red --bins 6 --capacity 4");
    press(&mut terminal, 1, &[ENTER]);
    terminal.line_with("waiting");
    terminal.press(CONTROL_D);
    terminal.press(CONTROL_C);
    is_given_back(&terminal.end().expect(130));
}

#[test]
fn lines_are_printed_at_a_terminal_that_is_to_be_plain_or_takes_no_codes() {
    for (name, option) in [("xterm-256color", "--plain"), ("dumb", "")] {
        let line = format!("play {option} --tmp --bins 6 --capacity 4");
        let mut terminal = at_terminal_named(name, &line);
        for answer in ["5", "0", "4", "0", "3", "0", "2"] {
            terminal.say(answer);
        }
        let ended = terminal.end().expect(0);
        let row = "| ⬟ |   | ◎ | ◎ | ◎ | ◎ |";
        let plain = without_colours(&ended.out);
        assert!(plain.contains(row), "{plain}");
        assert!(!plain.contains('╭'), "{plain}");
    }
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut is_code = false;
    for character in text.chars() {
        match character {
            '\u{1b}' => is_code = true,
            'm' if is_code => is_code = false,
            other if !is_code => plain.push(other),
            _ => {}
        }
    }
    plain
}
