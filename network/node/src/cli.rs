//! The command line: the usual one of the Polkadot SDK's nodes, and commands for a new network.

use std::path::PathBuf;

use clap::Parser;
use polkadot_sdk::{sc_cli, sc_service};
use sc_cli::SubstrateCli;
use sc_service::PartialComponents;

use crate::{
    keys::NewKeys,
    metadata::MetadataHash,
    seal::Seal,
    service,
    spec::{NewSpec, PackRuntime, Spec},
};

/// A node of a network with pallet-revive.
#[derive(Parser)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: sc_cli::RunCmd,
    /// Make blocks alone, for development: `instant`, a block for each transaction, or a number of
    /// milliseconds, a block so often. Each is final at once.
    #[arg(long, value_name = "instant|MS")]
    seal: Option<Seal>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Write the chain spec of a new network.
    NewSpec(NewSpec),
    /// Make a validator's keys, or show them.
    NewKeys(NewKeys),
    /// Compress a runtime for an upgrade.
    PackRuntime(PackRuntime),
    /// Print the hash of a runtime's metadata, with which it is built once more.
    MetadataHash(MetadataHash),
    /// Work with keys: the Polkadot SDK's commands.
    #[command(subcommand)]
    Key(sc_cli::KeySubcommand),
    /// Write blocks to a file.
    ExportBlocks(sc_cli::ExportBlocksCmd),
    /// Read blocks from a file.
    ImportBlocks(sc_cli::ImportBlocksCmd),
    /// Delete the chain from the disk.
    PurgeChain(sc_cli::PurgeChainCmd),
    /// Go back by some blocks that are not final.
    Revert(sc_cli::RevertCmd),
}

impl SubstrateCli for Cli {
    fn impl_name() -> String {
        "Connect Four node".to_owned()
    }

    fn impl_version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn description() -> String {
        env!("CARGO_PKG_DESCRIPTION").to_owned()
    }

    fn author() -> String {
        "The Connect Four developers".to_owned()
    }

    fn support_url() -> String {
        "network/README.md".to_owned()
    }

    fn copyright_start_year() -> i32 {
        2026
    }

    fn load_spec(&self, path: &str) -> Result<Box<dyn sc_service::ChainSpec>, String> {
        if path.is_empty() {
            return Err("which network? Give its chain spec: --chain FILE. \
                 `connect4-node new-spec` makes one"
                .to_owned());
        }
        Ok(Box::new(Spec::from_json_file(PathBuf::from(path))?))
    }
}

/// Does what the command line says.
pub fn run() -> sc_cli::Result<()> {
    let cli = Cli::from_args();
    match &cli.command {
        Some(Command::NewSpec(command)) => command.run(),
        Some(Command::NewKeys(command)) => command.run(),
        Some(Command::PackRuntime(command)) => command.run(),
        Some(Command::MetadataHash(command)) => command.run(),
        Some(Command::Key(command)) => command.run(&cli),
        Some(Command::ExportBlocks(command)) => cli.create_runner(command)?.async_run(|config| {
            let PartialComponents {
                client,
                task_manager,
                ..
            } = service::partial(&config)?;
            Ok((command.run(client, config.database), task_manager))
        }),
        Some(Command::ImportBlocks(command)) => cli.create_runner(command)?.async_run(|config| {
            let PartialComponents {
                client,
                task_manager,
                import_queue,
                ..
            } = service::partial(&config)?;
            Ok((command.run(client, import_queue), task_manager))
        }),
        Some(Command::PurgeChain(command)) => cli
            .create_runner(command)?
            .sync_run(|config| command.run(config.database)),
        Some(Command::Revert(command)) => cli.create_runner(command)?.async_run(|config| {
            let PartialComponents {
                client,
                task_manager,
                backend,
                ..
            } = service::partial(&config)?;
            Ok((
                command.run(client, backend, Some(Box::new(service::revert))),
                task_manager,
            ))
        }),
        None => {
            let seal = cli.seal;
            cli.create_runner(&cli.run)?
                .run_node_until_exit(|config| async move {
                    service::start(config, seal).map_err(sc_cli::Error::Service)
                })
        }
    }
}
