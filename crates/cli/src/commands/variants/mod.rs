//! What commands do with variants.

mod act;
mod look;
mod start;
mod table;
mod watch;

pub use act::{claim, free, leave, leave_command, make_move};
pub use look::{list, replay, show};
pub use start::start;
pub use table::{join, open_table, tables};
pub use watch::watch;
