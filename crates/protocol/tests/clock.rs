//! Clocks: their bounds, their text, and how time passes.

use connect4_protocol::{Clock, ClockSpec};

const fn spec(bank: u32, increment: u32) -> ClockSpec {
    ClockSpec { bank, increment }
}

#[test]
fn bounds() {
    let (bank, increment) = (ClockSpec::MAX_BANK, ClockSpec::MAX_INCREMENT);
    assert_eq!((bank, increment), (2_592_000, 86_400), "30 days, and one");
    for (bank, increment) in [(1, 0), (1, increment), (bank, 0), (bank, increment)] {
        assert!(spec(bank, increment).is_in_bounds(), "{bank}, {increment}");
    }
    for (bank, increment) in [
        (0, 0),
        (0, 5),
        (bank + 1, 0),
        (60, increment + 1),
        (u32::MAX, u32::MAX),
    ] {
        assert!(!spec(bank, increment).is_in_bounds(), "{bank}, {increment}");
    }
}

#[test]
fn a_clock_that_is_agreed_on_reads_back() {
    for spec in [spec(0, 0), spec(60, 5), spec(u32::MAX, u32::MAX)] {
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
    for text in [
        "",
        "60",
        "60 s + 5 s",
        "60 s a move",
        "60 + 5 s a move",
        "060 s + 5 s a move",
        "+60 s + 5 s a move",
        "60 s + 4294967296 s a move",
    ] {
        let error = text.parse::<ClockSpec>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a clock such as \"60 s + 5 s a move\""
        );
    }
}

#[test]
fn time_passes_for_the_player_to_move() {
    let mut clock = Clock::resume(60, 60, 5, 1_000);
    assert_eq!((clock.deadline(), clock.waiting()), (1_060, 60));
    assert_eq!(clock.increment(), 5);
    // Red moves at once, and is given the increment all the same.
    clock.press(1_000);
    assert_eq!((clock.deadline(), clock.waiting()), (1_060, 65));
    // Blue takes all of its time.
    clock.press(1_060);
    assert_eq!((clock.deadline(), clock.waiting()), (1_125, 5));
    clock.press(1_100);
    assert_eq!((clock.deadline(), clock.waiting()), (1_105, 30));
    assert_eq!(clock.increment(), 5, "it does not change");
}

#[test]
fn a_clock_has_run_out_after_its_deadline() {
    let clock = Clock::resume(60, 60, 0, 1_000);
    assert!(!clock.has_run_out(0));
    assert!(!clock.has_run_out(1_060));
    assert!(clock.has_run_out(1_061));
}

#[test]
fn no_time_makes_a_clock_overflow() {
    let mut clock = Clock::resume(u32::MAX, u32::MAX, u32::MAX, u64::MAX);
    assert_eq!(clock.deadline(), u64::MAX);
    clock.press(0);
    assert_eq!(clock.deadline(), u64::from(u32::MAX));
    assert_eq!(clock.waiting(), u32::MAX);
    clock.press(u64::MAX);
    assert_eq!((clock.deadline(), clock.waiting()), (u64::MAX, u32::MAX));
}
