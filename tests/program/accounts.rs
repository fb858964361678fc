//! Accounts and their secrets.

use std::fs;

use tempfile::TempDir;

use crate::run::{Node, connect4, run, run_command};

#[test]
fn secrets_are_read_from_files_and_the_environment() {
    let folder = TempDir::new().unwrap();
    let secret = folder.path().join("secret");
    let file = secret.to_str().unwrap();
    let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk";
    let node = Node::start(&["--tmp"]);
    let url = ["--url", &node.url];

    // Charlie's secret, as a phrase and a path.
    fs::write(&secret, format!("{phrase}//Charlie\n")).unwrap();
    let started = run(
        &[&["start", "--json", "--secret-file", file], &url[..]].concat(),
        "",
    );
    assert_eq!(started.expect(0).json()[0]["game"], "0");
    let mut command = connect4(&[&["move", "--game", "0", "4"], &url[..]].concat());
    command.env("CONNECT4_SECRET", format!("{phrase}//Charlie"));
    run_command(command, "").expect(0);

    // An account without funds.
    fs::write(&secret, format!("{phrase}//nobody//7")).unwrap();
    let ended = run(&[&["start", "--secret-file", file], &url[..]].concat(), "").expect(1);
    assert!(ended.err.contains("cannot pay"), "{}", ended.err);
    assert!(!ended.err.contains("bottom drive"), "{}", ended.err);

    // A text that is no secret.
    fs::write(&secret, "open sesame").unwrap();
    let ended = run(&[&["start", "--secret-file", file], &url[..]].concat(), "").expect(2);
    assert!(
        ended.err.contains("this is not a secret key"),
        "{}",
        ended.err
    );
    assert!(!ended.err.contains("sesame"), "{}", ended.err);
    let ended = run(
        &[&["start", "--secret-file", "/nowhere"], &url[..]].concat(),
        "",
    )
    .expect(2);
    assert!(ended.err.contains("/nowhere"), "{}", ended.err);
    let ended = run(
        &[
            &["play", "--red", &format!("0x{}", "11".repeat(20))],
            &url[..],
        ]
        .concat(),
        "",
    );
    assert!(ended.expect(2).err.contains("--red-secret-file"));
}
