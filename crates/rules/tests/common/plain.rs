//! The rules of the variants, written out plainly: a list of cells for each bin, and loops.
//! Who plays which colour is kept apart from the colours, so that a swap is really one.

use connect4_rules::variant::{Colour, Move, MoveError, Outcome, Power, VariantSpec};
use connect4_rules::{Bin, Cell};

#[derive(Clone, Debug)]
pub struct Plain {
    pub terms: VariantSpec,
    /// By bin and row.
    pub cells: Vec<Vec<Option<Colour>>>,
    pub turns: u32,
    /// The place in the turn order; after the end, of the player whose turn it would be.
    pub next: usize,
    pub end: Option<Outcome>,
    people: Vec<Person>,
    /// The person at each place in the turn order.
    seats: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Person {
    take: u8,
    clear: u8,
    float: u8,
    gone: bool,
}

impl Plain {
    pub fn new(terms: VariantSpec) -> Self {
        let person = Person {
            take: terms.powers.take,
            clear: terms.powers.clear,
            float: terms.powers.float,
            gone: false,
        };
        let column = vec![None; terms.shape.capacity.into()];
        Self {
            terms,
            cells: vec![column; terms.shape.bins.into()],
            turns: 0,
            next: 0,
            end: None,
            people: vec![person; terms.players.into()],
            seats: (0..terms.players.into()).collect(),
        }
    }

    pub fn to_move(&self) -> Option<Colour> {
        match self.end {
            None => Some(Colour::ALL[self.next]),
            Some(_) => None,
        }
    }

    /// How often the player of a colour may still use a power.
    pub fn left_of(&self, seat: usize, power: Power) -> u8 {
        let person = &self.people[self.seats[seat]];
        match power {
            Power::Take => person.take,
            Power::Clear => person.clear,
            Power::Float => person.float,
        }
    }

    pub fn is_gone(&self, seat: usize) -> bool {
        self.people[self.seats[seat]].gone
    }

    fn top(&self, bin: usize) -> usize {
        let mut top = 0;
        for (row, cell) in self.cells[bin].iter().enumerate() {
            if cell.is_some() {
                top = row + 1;
            }
        }
        top
    }

    /// Every move that could be meant, those off the board by one bin or row among them: drops,
    /// pops, takes, clears, floats, the swap; each kind by bin and row.
    pub fn conceivable(&self) -> Vec<Move> {
        let bins = 0..=self.terms.shape.bins;
        let rows = 0..=self.terms.shape.capacity;
        let cells = || {
            let rows = rows.clone();
            bins.clone()
                .flat_map(move |bin| rows.clone().map(move |row| Cell::new(bin, row)))
        };
        let mut moves = Vec::new();
        moves.extend(bins.clone().map(|bin| Move::Drop(Bin::new(bin))));
        moves.extend(bins.clone().map(|bin| Move::Pop(Bin::new(bin))));
        moves.extend(cells().map(Move::Take));
        moves.extend(rows.clone().map(Move::Clear));
        moves.extend(cells().map(Move::Float));
        moves.push(Move::Swap);
        moves
    }

    pub fn check(&self, action: Move) -> Result<(), MoveError> {
        let bins = usize::from(self.terms.shape.bins);
        let rows = usize::from(self.terms.shape.capacity);
        if self.end.is_some() {
            return Err(MoveError::GameOver);
        }
        let in_terms = match action {
            Move::Drop(_) => true,
            Move::Pop(_) => self.terms.pop_out,
            Move::Take(_) => self.terms.powers.take > 0,
            Move::Clear(_) => self.terms.powers.clear > 0,
            Move::Float(_) => self.terms.powers.float > 0,
            Move::Swap => self.terms.pie_rule,
        };
        if !in_terms {
            return Err(MoveError::NotInVariant);
        }
        if let Some(power) = action.power()
            && self.left_of(self.next, power) == 0
        {
            return Err(MoveError::NoPowerLeft);
        }
        if action == Move::Swap {
            let second_players_first = self.turns == 1;
            return match second_players_first {
                true => Ok(()),
                false => Err(MoveError::NoSwapNow),
            };
        }
        let (bin, row) = match action {
            Move::Drop(bin) | Move::Pop(bin) => (usize::from(bin.index()), 0),
            Move::Take(cell) | Move::Float(cell) => (cell.bin.index().into(), cell.row.into()),
            Move::Clear(row) => (0, usize::from(row)),
            Move::Swap => unreachable!(),
        };
        if bin >= bins {
            return Err(MoveError::NoSuchBin);
        }
        if row >= rows {
            return Err(MoveError::NoSuchRow);
        }
        let mover = Colour::ALL[self.next];
        match action {
            Move::Drop(_) if self.top(bin) == rows => Err(MoveError::BinFull),
            Move::Pop(_) if self.cells[bin][0] != Some(mover) => Err(MoveError::NotYourDisc),
            Move::Take(_) if self.cells[bin][row].is_none() => Err(MoveError::NoDisc),
            Move::Take(_) if self.cells[bin][row] == Some(mover) => Err(MoveError::OwnDisc),
            Move::Clear(_) if self.cells.iter().all(|bin| bin[row].is_none()) => {
                Err(MoveError::RowEmpty)
            }
            Move::Float(_) if row <= self.top(bin) => Err(MoveError::NotAboveTop),
            _ => Ok(()),
        }
    }

    pub fn legal(&self) -> Vec<Move> {
        let mut moves = self.conceivable();
        moves.retain(|&action| self.check(action).is_ok());
        moves
    }

    fn take_out(&mut self, bin: usize, row: usize) {
        self.cells[bin].remove(row);
        self.cells[bin].push(None);
    }

    pub fn play(&mut self, action: Move) -> Result<Option<Outcome>, MoveError> {
        self.check(action)?;
        let mover = self.next;
        let disc = Some(Colour::ALL[mover]);
        let mut next = self.after(mover);
        let person = &mut self.people[self.seats[mover]];
        match action {
            Move::Drop(bin) => {
                let bin = usize::from(bin.index());
                let top = self.top(bin);
                self.cells[bin][top] = disc;
            }
            Move::Pop(bin) => self.take_out(bin.index().into(), 0),
            Move::Take(cell) => {
                person.take -= 1;
                self.take_out(cell.bin.index().into(), cell.row.into());
            }
            Move::Clear(row) => {
                person.clear -= 1;
                for bin in 0..self.cells.len() {
                    if self.cells[bin][usize::from(row)].is_some() {
                        self.take_out(bin, row.into());
                    }
                }
            }
            Move::Float(cell) => {
                person.float -= 1;
                self.cells[usize::from(cell.bin.index())][usize::from(cell.row)] = disc;
            }
            Move::Swap => {
                self.seats.swap(0, 1);
                next = mover;
            }
        }
        self.turns += 1;
        let mut winner = None;
        let players = self.seats.len();
        for step in 0..players {
            let seat = (mover + step) % players;
            if winner.is_none() && !self.is_gone(seat) && !self.lines(seat).is_empty() {
                winner = Some(Colour::ALL[seat]);
            }
        }
        match winner {
            Some(winner) => self.end = Some(Outcome::Line(winner)),
            None => {
                self.next = next;
                self.draw_if_stuck();
                if self.end.is_none() && self.turns == 250 {
                    self.end = Some(Outcome::TurnLimit);
                }
            }
        }
        Ok(self.end)
    }

    fn draw_if_stuck(&mut self) {
        if self.legal().is_empty() {
            self.end = Some(Outcome::NoMove);
        }
    }

    /// Whether the player could leave.
    pub fn leave(&mut self, colour: Colour) -> bool {
        let seat = colour.index();
        if self.end.is_some() || seat >= self.seats.len() || self.is_gone(seat) {
            return false;
        }
        self.people[self.seats[seat]].gone = true;
        let staying: Vec<usize> = (0..self.seats.len())
            .filter(|&seat| !self.is_gone(seat))
            .collect();
        if let [last] = staying[..] {
            self.end = Some(Outcome::LastLeft(Colour::ALL[last]));
        } else if self.next == seat {
            self.next = self.after(seat);
            self.draw_if_stuck();
        }
        true
    }

    /// The next seat in turn order whose player is still there.
    fn after(&self, seat: usize) -> usize {
        let mut next = seat;
        loop {
            next = (next + 1) % self.seats.len();
            if !self.is_gone(next) || next == seat {
                return next;
            }
        }
    }

    /// Every cell of every line of a colour: from each disc in each direction, as far as it goes.
    pub fn lines(&self, seat: usize) -> Vec<Cell> {
        let mut cells = Vec::new();
        for bin in 0..i32::from(self.terms.shape.bins) {
            for row in 0..i32::from(self.terms.shape.capacity) {
                for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let run: Vec<Cell> = (0..)
                        .map(|step| (bin + step * right, row + step * up))
                        .take_while(|&(bin, row)| self.is_of(seat, bin, row))
                        .map(|(bin, row)| Cell::new(bin as u8, row as u8))
                        .collect();
                    if run.len() >= usize::from(self.terms.shape.line) {
                        cells.extend(run);
                    }
                }
            }
        }
        cells.sort();
        cells.dedup();
        cells
    }

    /// Cells without a disc of a colour that would be in a line of it with one.
    pub fn completing(&self, seat: usize) -> Vec<Cell> {
        let line = i32::from(self.terms.shape.line);
        let mut cells = Vec::new();
        for (column, bin) in self.cells.iter().zip(0_i32..) {
            for (disc, row) in column.iter().zip(0_i32..) {
                // How many discs of the colour follow each other from the cell on.
                let run = |right: i32, up: i32| {
                    (1..)
                        .take_while(|step| self.is_of(seat, bin + step * right, row + step * up))
                        .count() as i32
                };
                let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
                let mut through = directions
                    .iter()
                    .map(|&(right, up)| run(right, up) + 1 + run(-right, -up));
                if *disc != Some(Colour::ALL[seat]) && through.any(|discs| discs >= line) {
                    cells.push(Cell::new(bin as u8, row as u8));
                }
            }
        }
        cells
    }

    fn is_of(&self, seat: usize, bin: i32, row: i32) -> bool {
        let bin = usize::try_from(bin)
            .ok()
            .and_then(|bin| self.cells.get(bin));
        let row = usize::try_from(row).ok();
        bin.zip(row).and_then(|(bin, row)| bin.get(row)) == Some(&Some(Colour::ALL[seat]))
    }

    /// The cells where a drop would land, and those above them.
    pub fn free_cells(&self) -> (Vec<Cell>, Vec<Cell>) {
        let (mut drops, mut floats) = (Vec::new(), Vec::new());
        for bin in 0..self.cells.len() {
            for row in self.top(bin)..self.cells[bin].len() {
                let cells = if row == self.top(bin) {
                    &mut drops
                } else {
                    &mut floats
                };
                cells.push(Cell::new(bin as u8, row as u8));
            }
        }
        (drops, floats)
    }

    pub fn winning(&self) -> Vec<Cell> {
        match self.end {
            Some(Outcome::Line(winner)) => self.lines(winner.index()),
            _ => Vec::new(),
        }
    }
}
