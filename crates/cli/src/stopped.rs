//! When the program is told to stop.

/// Listens from now on, and waits until the program is told to stop: the exit status that shells give for it.
pub fn stopped() -> impl Future<Output = u8> + Send {
    const INTERRUPTED: u8 = 130;
    #[cfg(unix)]
    let signals = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::interrupt())
            .and_then(|interrupt| Ok((interrupt, signal(SignalKind::terminate())?)))
    };
    async move {
        #[cfg(unix)]
        {
            const TERMINATED: u8 = 143;
            if let Ok((mut interrupt, mut terminate)) = signals {
                return tokio::select! {
                    _ = interrupt.recv() => INTERRUPTED,
                    _ = terminate.recv() => TERMINATED,
                };
            }
        }
        match tokio::signal::ctrl_c().await {
            Ok(()) => INTERRUPTED,
            // No signal can be heard: go on.
            Err(_) => std::future::pending().await,
        }
    }
}
