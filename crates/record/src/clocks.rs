//! The time that was left after moves, in comments.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::record::Record;

impl Record {
    /// Says in a comment behind each move what time its player had left then, in milliseconds, as `%clk` does in PGN. Of a
    /// move of which it is not known nothing is said.
    pub fn add_clocks(&mut self, left: &[Option<u64>]) {
        let moves = (1..=self.steps.len()).zip(left);
        let clocks = moves.filter_map(|(place, left)| Some((place, clock((*left)?))));
        self.comments.extend(clocks);
        self.comments.sort_by_key(|(place, _)| *place);
    }
}

impl Record {
    /// What each step has cost its player, in milliseconds, by the comments that [`Self::add_clocks`] adds; empty without a
    /// clock. Of a step without such a comment, of those after it and of first moves there may be nothing.
    #[must_use]
    pub fn spent(&self) -> Vec<Option<u64>> {
        let Some(clock) = self.clock else {
            return Vec::new();
        };
        let mut left = vec![None; self.steps.len()];
        for (place, comment) in &self.comments {
            let step = place.checked_sub(1).and_then(|place| left.get_mut(place));
            if let (Some(step), Some(told)) = (step, read_clock(comment)) {
                *step = Some(told);
            }
        }
        clock.spent(&left).collect()
    }
}

/// The milliseconds of `[%clk 0:04:57.250]` in a comment; none if it has no such time. As in PGN, the fraction can be
/// shorter or missing.
fn read_clock(comment: &str) -> Option<u64> {
    let (_, rest) = comment.split_once("[%clk ")?;
    let (text, _) = rest.split_once(']')?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds = 0_u64;
    for part in whole.split(':') {
        let part: u64 = part.trim().parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
    }
    let digits = fraction.trim_end();
    let milliseconds = match digits.len() {
        0 => 0,
        _ => format!("{digits:0<3}").get(..3)?.parse::<u64>().ok()?,
    };
    seconds.checked_mul(1000)?.checked_add(milliseconds)
}

/// `[%clk 0:04:57.250]`.
fn clock(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!(
        "[%clk {hours}:{minutes:02}:{:02}.{:03}]",
        seconds % 60,
        milliseconds % 1000
    )
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    #[test]
    fn what_is_left_stands_behind_its_move() {
        let text = "[Connect4 \"1\"]\n[Terms \"7x6, line 4\"]\n\n4 {at last} 3 4 *\n";
        let mut record = crate::read(text).next().unwrap().unwrap().record;
        record.add_clocks(&[Some(297_250), None, Some(3_600_000), Some(1)]);
        let written = record.to_string();
        let moves = "\n4 {at last} {[%clk 0:04:57.250]} 3 4 {[%clk 1:00:00.000]} *\n";
        assert!(written.ends_with(moves), "{written}");
    }

    #[test]
    fn what_a_move_has_cost_follows_from_what_was_left() {
        let text = "[Connect4 \"1\"]\n[Terms \"7x6, line 4\"]\n[Clock \"180 s + 2 s a move\"]\n\n\
            4 {[%clk 0:03:00.000]} 3 {at last [%clk 0:03:00]} 4 {[%clk 0:02:22]} 3 {[%clk 0:03:01.5]} \
            4 {no time} 3 {[%clk x]} 1 {[%clk 0:02:20.000]} *\n";
        let record = crate::read(text).next().unwrap().unwrap().record;
        let spent = [None, None, Some(40_000), Some(500), None, None, None];
        assert_eq!(record.spent(), spent);
        let without = text.replace("[Clock \"180 s + 2 s a move\"]\n", "");
        let record = crate::read(&without).next().unwrap().unwrap().record;
        assert_eq!(record.spent(), []);
    }
}
