//! The time that was left after moves, in comments.

use alloc::format;
use alloc::string::String;

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
}
