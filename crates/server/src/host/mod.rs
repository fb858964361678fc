//! What it takes to run a public host: bounds on what strangers can make it spend, and what its operator
//! is told.

mod gate;
mod health;
mod limits;
mod log;
mod metrics;
mod origin;
mod process;

pub use gate::{Gate, Place, pass};
pub use health::{health, operator_router};
pub use limits::{HostLimits, MESSAGES, PING};
pub use log::{Entry, LogFormat, Logging};
pub use metrics::{Closed, Limit, Metrics};
pub use origin::is_origin;
