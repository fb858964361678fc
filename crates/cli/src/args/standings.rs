//! Options of the command for standings.

use clap::Args;
use connect4_client::Address;

#[derive(Args, Debug, Clone)]
pub struct Standings {
    /// Number of the first block whose events count
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
    /// Key of a witness whose signed games are rated, as an address; may be given more than once [default: those for
    /// which the index was filled last, as by `serve`]
    #[arg(long = "witness", value_name = "KEY")]
    pub witnesses: Vec<Address>,
}
