//! What happened since a player at this terminal was asked last.

/// Most notes that a board is printed with: those of four players' turns.
const MOST: usize = 4;

/// Notes that the next board is printed with, the oldest first.
#[derive(Default)]
pub struct Notes {
    notes: Vec<String>,
    /// Whether a player was asked since the last note, and so has seen them.
    seen: bool,
}

impl Notes {
    /// Puts a note in place of all others; none clears them.
    pub fn set(&mut self, note: Option<String>) {
        self.notes = note.into_iter().collect();
        self.seen = false;
    }

    /// Adds a note to those that nobody has seen yet.
    pub fn add(&mut self, note: String) {
        if self.seen {
            self.notes.clear();
        }
        self.seen = false;
        self.notes.push(note);
        let older = self.notes.len().saturating_sub(MOST);
        self.notes.drain(..older);
    }

    /// A player is asked, who sees the notes.
    pub const fn see(&mut self) {
        self.seen = true;
    }

    /// The notes, a line or more each; none if there are none.
    pub fn text(&self) -> Option<String> {
        (!self.notes.is_empty()).then(|| self.notes.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_sees_what_the_others_did_since_the_last_question() {
        let mut notes = Notes::default();
        assert_eq!(notes.text(), None);
        for note in ["you drop into bin 4", "blue pops bin 1", "green floats"] {
            notes.add(note.into());
        }
        let expected = "you drop into bin 4\nblue pops bin 1\ngreen floats";
        assert_eq!(notes.text().as_deref(), Some(expected));
        notes.see();
        assert_eq!(
            notes.text().as_deref(),
            Some(expected),
            "until the next move"
        );
        notes.add("you take a disc".into());
        assert_eq!(notes.text().as_deref(), Some("you take a disc"));
    }

    #[test]
    fn only_the_newest_notes_are_kept() {
        let mut notes = Notes::default();
        for turn in 0..9 {
            notes.add(turn.to_string());
        }
        assert_eq!(notes.text().as_deref(), Some("5\n6\n7\n8"));
        notes.set(None);
        assert_eq!(notes.text(), None);
    }
}
