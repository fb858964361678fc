//! Waiting for work on a chain, whose node may go away meanwhile.

use std::pin::pin;

use connect4_client::Outage;

use crate::failure::Failure;
use crate::report::{Printed, Report};

/// Does some work on the chain, and tells meanwhile when its node does not answer and when it
/// answers again. The work waits for it by itself.
pub async fn attend<T>(
    report: &mut dyn Report,
    work: impl Future<Output = T>,
) -> Result<T, Failure> {
    let mut work = pin!(work);
    loop {
        let outages = report.outages();
        let news = async {
            match outages {
                Some(outages) => outages.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            outage = news => tell(report, &outage)?,
            done = &mut work => return Ok(done),
        }
    }
}

fn tell(report: &mut dyn Report, outage: &Outage) -> Printed {
    match outage {
        Outage::Began { url } => report.node_away(url),
        Outage::Ended { url, lasted } => report.node_back(url, *lasted),
    }
}
