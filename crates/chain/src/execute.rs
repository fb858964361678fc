//! Executing the runtime on a state. A panic inside the runtime becomes an error.

use std::{
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Once,
};

use sp_state_machine::Ext;

use crate::{
    error::{Panicked, ReadError},
    runtime::{Code, Runtime},
    state::{Backend, Overlay},
};

thread_local! {
    static IN_RUNTIME: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the messages of panics inside the runtime off standard error: they become errors for the
/// caller.
fn capture_panics_of_the_runtime() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if IN_RUNTIME.get() {
                let payload = panic.payload();
                let message = payload
                    .downcast_ref::<&str>()
                    .map(|text| (*text).to_owned())
                    .or_else(|| payload.downcast_ref::<String>().cloned())
                    .unwrap_or_else(|| "no reason given".to_owned());
                MESSAGE.set(message);
            } else {
                before(panic);
            }
        }));
    });
}

/// Runs `call` on a state and keeps what it writes in `overlay`.
///
/// # Errors
/// Returned if the runtime panics. `overlay` must not be used then.
pub fn run<R>(
    backend: &Backend,
    overlay: &mut Overlay,
    call: impl FnOnce() -> R,
) -> Result<R, Panicked> {
    capture_panics_of_the_runtime();
    let mut ext = Ext::new(overlay, backend, None);
    let before = IN_RUNTIME.replace(true);
    let result = catch_unwind(AssertUnwindSafe(|| {
        sp_externalities::set_and_run_with_externalities(&mut ext, call)
    }));
    IN_RUNTIME.set(before);
    result.map_err(|_| Panicked(MESSAGE.take()))
}

/// Runs `call` on a state and discards what it writes.
///
/// # Errors
/// Returned if the runtime panics.
pub fn peek<R>(backend: &Backend, call: impl FnOnce() -> R) -> Result<R, Panicked> {
    run(backend, &mut Overlay::default(), call)
}

/// Calls a function of the runtime's API by its name, with SCALE-encoded arguments and result, and
/// discards what it writes. With `clock`, in milliseconds since 1970, the function sees that time,
/// if the block's time is not later.
///
/// # Errors
/// Returned if there is no such function, and if the runtime panics, as it does on arguments that
/// do not decode.
pub fn call(
    backend: &Backend,
    code: Code,
    function: &str,
    arguments: &[u8],
    clock: Option<u64>,
) -> Result<Vec<u8>, ReadError> {
    peek(backend, || {
        if let Some(clock) = clock {
            pallet_timestamp::Now::<Runtime>::mutate(|now| *now = clock.max(*now));
        }
        code.call(function, arguments)
    })?
    .ok_or_else(|| ReadError::NoFunction(function.to_owned()))
}
