//! When the program is told to stop.

use tokio::sync::Notify;

/// Somebody has pressed Ctrl-C at a terminal that makes no signal of that.
static PRESSED: Notify = Notify::const_new();

/// Has the program stop as if it was interrupted.
pub fn stop() {
    PRESSED.notify_one();
}

const INTERRUPTED: u8 = 130;

/// Listens from now on, and waits until the program is told to stop: the exit status that shells give for it.
pub fn stopped() -> impl Future<Output = u8> + Send {
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
                    () = PRESSED.notified() => INTERRUPTED,
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
