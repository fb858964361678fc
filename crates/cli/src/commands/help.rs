//! `help`, `completions`, `man`: what is known of the command line itself.

use std::io::{self, Write as _};
use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;

pub fn help(topic: Option<&str>) -> Result<(), Failure> {
    let Some(topic) = topic else {
        return print(&Cli::shown().render_long_help().to_string());
    };
    match Cli::page(topic) {
        Some(page) => print(&page),
        // It prints the help of the command, or that there is none, with one that is written alike.
        None => {
            Cli::of(["connect4", topic, "--help"]);
            Ok(())
        }
    }
}

pub fn completions(shell: Shell) -> Result<(), Failure> {
    print(&script(shell))
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "connect4", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

pub fn man(folder: &Path) -> Result<(), Failure> {
    let failed =
        |error: io::Error| Failure::Other(format!("cannot write {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(failed)
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(Failure::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        let all = Cli::command();
        all.get_subcommands()
            .map(|one| one.get_name().to_owned())
            .collect()
    }

    #[test]
    fn shells_complete_each_command_and_the_options_of_all() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = script(shell);
            for name in names() {
                assert!(script.contains(&name), "{shell}: {name}");
            }
            assert!(script.contains("trust-chain"), "{shell}");
        }
    }

    #[test]
    fn each_command_has_a_manual_page() {
        let folder = tempfile::tempdir().expect("a folder");
        man(folder.path()).expect("they are written");
        for name in names() {
            let page = folder.path().join(format!("connect4-{name}.1"));
            let page = std::fs::read_to_string(page).expect("a page");
            assert!(page.contains("trust\\-chain"), "{name}");
        }
    }
}
