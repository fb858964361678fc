//! Where a relay is.

use std::future::Future;

use connect4_protocol::fast::Domain;

/// The chain cannot be asked at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable;

/// The chain of a relay. Of games it learns from the players, who bring the terms.
pub trait Source: Send + Sync + 'static {
    /// Contract and chain of games by signed terms, as its feed tells them; none if there are none.
    fn domain(&self) -> impl Future<Output = Result<Option<Domain>, Unreachable>> + Send {
        std::future::ready(Ok(None))
    }
}

impl<S: Source> Source for std::sync::Arc<S> {
    fn domain(&self) -> impl Future<Output = Result<Option<Domain>, Unreachable>> + Send {
        S::domain(self)
    }
}
