//! Networks of validators, each node a process.

use std::{
    fs::File,
    net::{Ipv4Addr, TcpListener},
    path::PathBuf,
    process::Command,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    program::{Answer, Running, built, program, runtime},
    rpc::Rpc,
    wait::until,
};

/// The accounts of the validators.
const NAMES: [&str; 6] = ["alice", "bob", "charlie", "dave", "eve", "ferdie"];

pub struct Options {
    /// The built runtime: see [`runtime`].
    pub runtime: &'static str,
    /// The flags of the program that deploys the game, in addition to the usual ones.
    pub deploy: &'static [&'static str],
    pub validators: usize,
    /// The number of nodes that are no validators in the beginning.
    pub others: usize,
    /// The duration of a slot, in milliseconds.
    pub slot: u32,
    /// The flags of all nodes, in addition to the usual ones.
    pub flags: Vec<String>,
    /// Accounts or addresses of Ethereum with tokens, in addition to the development accounts.
    pub endowed: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            runtime: "runtime",
            deploy: &[],
            validators: 4,
            others: 0,
            slot: 2_000,
            flags: Vec::new(),
            endowed: Vec::new(),
        }
    }
}

/// A network of validators on this machine. They end with it.
pub struct Network {
    nodes: Vec<Node>,
    options: Options,
    folder: TempDir,
}

/// A public host of a node's chain. It ends with it.
pub struct Host {
    rpc: Rpc,
    _process: Running,
}

impl Host {
    /// What it answers to a path, in JSON; nothing if it does not.
    pub fn get(&self, path: &str) -> Option<Value> {
        self.rpc.http("GET", path, "")
    }

    /// The relay that it is.
    pub fn relay(&self) -> String {
        format!("ws://127.0.0.1:{}", self.rpc.port)
    }
}

/// Ethereum's RPC of a node. It ends with it.
pub struct EthRpc {
    rpc: Rpc,
    _process: Running,
}

impl EthRpc {
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.rpc.port)
    }
}

struct Node {
    rpc: Rpc,
    /// The port for other nodes.
    port: u16,
    peer: String,
    /// The nodes that it connects with, and itself.
    neighbours: Vec<usize>,
    process: Option<Running>,
}

impl Network {
    /// Starts all validators, waits until they make blocks, and deploys the game.
    pub fn start(options: Options) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let spec = File::create(folder.path().join("spec.json")).expect("there is room");
        let made = node()
            .args(["new-spec", "--dev", &options.validators.to_string()])
            .args(["--slot", &options.slot.to_string()])
            .arg("--runtime")
            .arg(runtime(options.runtime))
            .args(
                options
                    .endowed
                    .iter()
                    .flat_map(|account| ["--endow", account]),
            )
            .stdout(spec)
            .status()
            .expect("it starts");
        assert!(made.success());
        // All are kept until all are known, so that they differ.
        let listeners: Vec<_> = (0..2 * (options.validators + options.others))
            .map(|_| listener())
            .collect();
        let ports = listeners.iter().map(port).collect::<Vec<_>>();
        drop(listeners);
        let nodes = ports
            .chunks(2)
            .enumerate()
            .map(|(index, ports)| Node::new(index, ports, options.validators + options.others));
        let nodes = nodes.collect();
        let mut network = Self {
            nodes,
            options,
            folder,
        };
        for index in 0..network.nodes.len() {
            network.run(index);
        }
        // The first blocks wait for the connections.
        network.wait_for_blocks(0, 2);
        let deploy = ["deploy"].iter().chain(network.options.deploy);
        program(&network.url(0), deploy).ok();
        network.wait_for_finality(0);
        network
    }

    pub fn url(&self, node: usize) -> String {
        format!("ws://127.0.0.1:{}", self.rpc(node).port)
    }

    /// Starts Parity's eth-rpc on a node, which has to be built, and waits until it answers.
    pub fn eth_rpc(&self, node: usize) -> EthRpc {
        let rpc = Rpc {
            port: port(&listener()),
        };
        let mut process = Running::start(
            "eth-rpc",
            Command::new(built("release/eth-rpc"))
                .args(["--node-rpc-url", &self.url(node)])
                .args(["--rpc-port", &rpc.port.to_string()])
                // In memory: of the chain's blocks so many.
                .args(["--eth-pruning", "256", "--no-prometheus"]),
        );
        until("eth-rpc answers", || {
            assert!(process.runs(), "eth-rpc ended");
            rpc.ask("eth_chainId", json!([]))
        });
        EthRpc {
            rpc,
            _process: process,
        }
    }

    /// Starts a public host of a node's chain, and waits until it answers.
    pub fn host(&self, node: usize) -> Host {
        let rpc = Rpc {
            port: port(&listener()),
        };
        let listen = format!("127.0.0.1:{}", rpc.port);
        let data = self.folder.path().join("host");
        let url = self.url(node);
        let mut process = Running::program_in(&data, &url, ["host", "--listen", &listen]);
        until("the host answers", || {
            assert!(process.runs(), "the host ended");
            rpc.http("GET", "/api/hello", "")
        });
        Host {
            rpc,
            _process: process,
        }
    }

    pub fn rpc(&self, node: usize) -> Rpc {
        self.nodes[node].rpc
    }

    pub fn process(&mut self, node: usize) -> &mut Running {
        self.nodes[node].process.as_mut().expect("the node runs")
    }

    /// Starts a node that does not run.
    pub fn run(&mut self, index: usize) {
        let name = NAMES[index];
        let mut command = node();
        command
            .arg("--chain")
            .arg(self.folder.path().join("spec.json"))
            .arg("--base-path")
            .arg(self.data(index))
            .args([&format!("--{name}"), "--validator"])
            .args(["--node-key", &key(index)])
            .args(["--listen-addr", &self.nodes[index].address()])
            .args(["--rpc-port", &self.rpc(index).port.to_string()])
            // A node of a test may be asked often.
            .args(["--rpc-methods", "unsafe", "--no-mdns", "--no-prometheus"])
            // No node but those of this network: other tests may run at the same time.
            .arg("--reserved-only")
            .args(&self.options.flags);
        for other in &self.nodes[index].neighbours {
            if *other != index {
                command.args(["--reserved-nodes", &self.nodes[*other].full_address()]);
            }
        }
        let process = Running::start(&format!("{name}'s node"), &mut command);
        self.nodes[index].process = Some(process);
        let rpc = self.rpc(index);
        let process = self.process(index);
        until(&format!("{name}'s node answers"), || {
            assert!(process.runs(), "{name}'s node ended");
            rpc.best()
        });
    }

    /// Stops a node, as a service manager does.
    pub fn stop(&mut self, index: usize) {
        self.process(index).stop();
        self.nodes[index].process = None;
    }

    /// Ends a node at once, as a power cut does.
    pub fn kill(&mut self, index: usize) {
        self.process(index).kill();
        self.nodes[index].process = None;
    }

    /// Stops a node and starts it again.
    pub fn restart(&mut self, index: usize) {
        self.stop(index);
        self.run(index);
    }

    /// Cuts some nodes off from the others, or, if they are all, connects them again. They restart
    /// with other neighbours; the others run on, and find them by themselves.
    pub fn group(&mut self, group: &[usize]) {
        let all = self.nodes.len();
        let restarted: Vec<_> = (0..all)
            .filter(|index| group.contains(index))
            .filter(|index| self.nodes[*index].neighbours != group)
            .collect();
        for index in &restarted {
            self.nodes[*index].neighbours = group.to_vec();
            self.restart(*index);
        }
        for index in 0..all {
            let inside = if group.contains(&index) {
                group.len()
            } else {
                all - group.len()
            };
            until("the connections of a node", || {
                (self.rpc(index).peers()? == inside as u64 - 1).then_some(())
            });
        }
    }

    /// Waits until a node's best chain has `more` blocks more than now.
    pub fn wait_for_blocks(&self, node: usize, more: u64) {
        let rpc = self.rpc(node);
        let begin = until("a best block", || rpc.best());
        until("new blocks", || (rpc.best()? >= begin + more).then_some(()));
    }

    /// Waits until what is a node's best block now is final for it.
    pub fn wait_for_finality(&self, node: usize) {
        let rpc = self.rpc(node);
        let best = until("a best block", || rpc.best());
        until("finality", || (rpc.last()? >= best).then_some(()));
    }

    /// The folder of a node.
    pub fn data(&self, index: usize) -> PathBuf {
        self.folder.path().join(NAMES[index])
    }

    /// Runs `connect4-admin` on a node, with the account of its operator. The first one holds the
    /// sudo key.
    pub fn admin<'a>(&self, node: usize, args: impl IntoIterator<Item = &'a str>) -> Answer {
        let mut command = Command::new(built("release/connect4-admin"));
        Answer::of(
            command
                .args(args)
                .args(["--url", &self.url(node), "--account", NAMES[node]]),
        )
    }
}

impl Node {
    fn new(index: usize, ports: &[u16], all: usize) -> Self {
        let file = tempfile::NamedTempFile::new().expect("there is room");
        std::fs::write(file.path(), key(index)).expect("there is room");
        let peer = Answer::of(
            node()
                .args(["key", "inspect-node-key", "--file"])
                .arg(file.path()),
        );
        Self {
            rpc: Rpc { port: ports[0] },
            port: ports[1],
            peer: peer.ok().trim().to_owned(),
            neighbours: (0..all).collect(),
            process: None,
        }
    }

    fn address(&self) -> String {
        format!("/ip4/127.0.0.1/tcp/{}", self.port)
    }

    fn full_address(&self) -> String {
        format!("{}/p2p/{}", self.address(), self.peer)
    }
}

/// Listens at a port that is free.
fn listener() -> TcpListener {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port")
}

fn port(listener: &TcpListener) -> u16 {
    listener.local_addr().expect("it is bound").port()
}

/// The node's program.
fn node() -> Command {
    Command::new(built("release/connect4-node"))
}

/// The hash of a built runtime's metadata, in hexadecimal.
pub fn metadata_hash(name: &str) -> String {
    let hash = Answer::of(node().arg("metadata-hash").arg(runtime(name)));
    hash.ok().trim().to_owned()
}

/// The secret key by which other nodes know a node.
fn key(index: usize) -> String {
    format!("{:064x}", 0xc4 + index)
}
