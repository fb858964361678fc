//! The exports of the module, and what a program without a system has to bring itself.
//!
//! The page is the only caller. What it does wrong here can harm nothing but this module's own memory.

#![allow(
    unsafe_code,
    reason = "exports, and memory that JavaScript reads and writes"
)]

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
#[cfg(all(
    any(feature = "computer", feature = "player"),
    not(any(feature = "chain", feature = "record"))
))]
use core::cell::RefCell;
use core::panic::PanicInfo;
use core::ptr;

use dlmalloc::GlobalDlmalloc;

#[global_allocator]
static MEMORY: GlobalDlmalloc = GlobalDlmalloc;

/// Ends the call by a trap, of which JavaScript makes an error.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Takes memory of this length, all zero.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    leak(vec![0; length])
}

/// Answers the request in this memory, which comes from [`allocate`] and is released. Returns address
/// and length of the answer.
///
/// # Safety
///
/// The memory is from [`allocate`], with this length, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(request: *mut u8, length: usize) -> u64 {
    // SAFETY: as the caller promises.
    let request = unsafe { owned(request, length) };
    let answer = answer(&request);
    drop(request);
    let length = answer.len() as u64;
    // Addresses of this machine have 32 bits.
    let address = leak(answer) as u64;
    address.wrapping_shl(32) | length
}

/// Releases the memory of an answer.
///
/// # Safety
///
/// Address and length are those of an answer of [`ask`], which is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(answer: *mut u8, length: usize) {
    // SAFETY: as the caller promises.
    drop(unsafe { owned(answer, length) });
}

#[cfg(feature = "chain")]
use crate::answer;
#[cfg(all(feature = "record", not(feature = "chain")))]
use crate::written::answer;

/// Answers a request by what is kept in this module.
#[cfg(all(
    feature = "computer",
    not(any(feature = "chain", feature = "player", feature = "record"))
))]
fn answer(request: &[u8]) -> Vec<u8> {
    use core::time::Duration;

    use crate::computer::Mind;

    static MIND: Kept<Mind> = Kept(RefCell::new(Mind::new(clock)));

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        safe fn now() -> f64;
    }

    fn clock() -> Duration {
        Duration::from_micros((now() * 1000.0) as u64)
    }

    MIND.0.borrow_mut().answer(request)
}

/// Answers a request by the game that is kept in this module.
#[cfg(all(
    feature = "player",
    not(any(feature = "chain", feature = "computer", feature = "record"))
))]
fn answer(request: &[u8]) -> Vec<u8> {
    use crate::player::PlayerShell;

    static PLAYER: Kept<PlayerShell> = Kept(RefCell::new(PlayerShell::new()));

    PLAYER.0.borrow_mut().answer(request)
}

/// What a module keeps from one request to the next.
#[cfg(all(
    any(feature = "computer", feature = "player"),
    not(any(feature = "chain", feature = "record"))
))]
struct Kept<T>(RefCell<T>);

// SAFETY: the module has one thread.
#[cfg(all(
    any(feature = "computer", feature = "player"),
    not(any(feature = "chain", feature = "record"))
))]
unsafe impl<T> Sync for Kept<T> {}

fn leak(bytes: Vec<u8>) -> *mut u8 {
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

unsafe fn owned(address: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: memory of `leak`, as both callers promise.
    unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(address, length)) }
}
