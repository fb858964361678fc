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
        let all = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            // Its terminal is gone.
            SignalKind::hangup(),
        ];
        let [interrupt, terminate, hangup] = all.map(signal);
        interrupt.and_then(|interrupt| Ok((interrupt, terminate?, hangup?)))
    };
    async move {
        #[cfg(unix)]
        {
            const TERMINATED: u8 = 143;
            const HUNG_UP: u8 = 129;
            if let Ok((mut interrupt, mut terminate, mut hangup)) = signals {
                return tokio::select! {
                    _ = interrupt.recv() => INTERRUPTED,
                    _ = terminate.recv() => TERMINATED,
                    _ = hangup.recv() => HUNG_UP,
                    () = PRESSED.notified() => INTERRUPTED,
                };
            }
        }
        let signal = async {
            if tokio::signal::ctrl_c().await.is_err() {
                // No signal can be heard.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = signal => INTERRUPTED,
            () = PRESSED.notified() => INTERRUPTED,
        }
    }
}
