//! `page`: the page as files.

use connect4_server::{Written, write_page};

use crate::args::Page;
use crate::failure::Failure;
use crate::report::{PageFiles, Report};

/// Writes the page.
pub fn page(args: &Page, report: &mut dyn Report) -> Result<(), Failure> {
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
    report.page_written(&PageFiles {
        folder: &args.folder,
        files,
        sha256: &sha256,
    })?;
    Ok(())
}
