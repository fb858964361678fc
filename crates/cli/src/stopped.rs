//! When the program is told to stop.

/// Waits until the program is told to stop, and returns the exit status that shells give for it.
pub async fn stopped() -> u8 {
    const INTERRUPTED: u8 = 130;
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        const TERMINATED: u8 = 143;
        if let (Ok(mut interrupt), Ok(mut terminate)) = (
            signal(SignalKind::interrupt()),
            signal(SignalKind::terminate()),
        ) {
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
