//! `page`: the page as files.

use connect4_server::{Written, write_page};

use crate::args::Page;
use crate::failure::Failure;
use crate::output::Output;
use crate::said::Said;

pub fn page(args: &Page, out: &mut Output) -> Result<(), Failure> {
    for host in &args.hosts {
        let is_url = host.starts_with("https://") || host.starts_with("http://");
        if !is_url || host.contains(['"', '<', ' ', '&']) {
            return Err(Failure::Usage(format!(
                "`{host}` is not the address of a host: it has to start with https:// or http://"
            )));
        }
    }
    let written = write_page(&args.folder, &args.hosts);
    let Written { files, sha256 } = written.map_err(|error| Failure::Other(error.to_string()))?;
    out.say(Said::PageWritten {
        folder: &args.folder,
        files,
        sha256: &sha256,
    })
}
