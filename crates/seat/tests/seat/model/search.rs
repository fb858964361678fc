//! Breadth-first search through all states, so that the first violation has a shortest path.

use std::collections::{HashSet, VecDeque};
use std::time::Instant;

use codec::Decode as _;
use connect4_protocol::Match;

use super::check::Violation;
use super::state::{State, World};
use super::steps::{Step, Steps};

/// What a search has seen.
pub struct Seen {
    pub states: usize,
    pub ends: usize,
    pub seconds: f32,
    /// Whether it has seen all states within the bounds.
    pub is_complete: bool,
    /// The first violation, and the steps that lead to it.
    pub violation: Option<(Violation, Vec<String>)>,
}

/// Steps after which a game has ended that nobody disturbs.
const PATIENCE: usize = 40;

impl World {
    /// Steps on from a state; none if the game has ended for good.
    fn steps(&self, state: &State, is_told: bool) -> Vec<Step> {
        let mut steps = Steps::new(is_told);
        if !state.is_over() {
            self.tick(state, &mut steps);
            self.cheat_steps(state, &mut steps);
        }
        steps.list
    }

    /// Looks at all states from this one on, at most at so many.
    pub fn search(&self, first: &State, most: usize) -> Seen {
        let begun = Instant::now();
        let (id, bytes) = first.identity();
        let mut seen = HashSet::from([id]);
        let mut settled = HashSet::new();
        // The state before, and the number of the step.
        let mut parents = vec![(0_u32, 0_u16)];
        let mut queue = VecDeque::from([(0_u32, bytes, true)]);
        let mut ends = 0;
        let mut found = None;
        'search: while let Some((place, bytes, is_ticked)) = queue.pop_front() {
            if parents.len() > most {
                break;
            }
            let state = State::decode(&mut &bytes[..]).expect("it was encoded");
            if state.is_over() {
                ends += 1;
                if let Err(violation) = self.check_end(&state) {
                    found = Some((violation, self.path(first, &parents, place)));
                    break;
                }
                continue;
            }
            // The silence begins with a block.
            if is_ticked && let Err(violation) = self.outlast(&state, &mut settled, None) {
                let mut rest = Vec::new();
                let _ = self.outlast(&state, &mut settled, Some(&mut rest));
                let mut path = self.path(first, &parents, place);
                path.extend(rest);
                found = Some((violation, path));
                break;
            }
            let mut steps = Steps::new(false);
            self.tick(&state, &mut steps);
            let ticks = steps.list.len();
            self.cheat_steps(&state, &mut steps);
            for (number, (_, next)) in steps.list.into_iter().enumerate() {
                let is_ticked = number < ticks;
                let number = u16::try_from(number).expect("few steps");
                match next {
                    Ok(next) => {
                        let (id, bytes) = next.identity();
                        if seen.insert(id) {
                            queue.push_back((parents.len() as u32, bytes, is_ticked));
                            parents.push((place, number));
                        }
                    }
                    Err(violation) => {
                        let mut path = self.path(first, &parents, place);
                        let (last, _) = self.steps(&state, true).swap_remove(number.into());
                        path.push(last);
                        found = Some((violation, path));
                        break 'search;
                    }
                }
            }
        }
        Seen {
            states: parents.len(),
            ends,
            seconds: begun.elapsed().as_secs_f32(),
            is_complete: found.is_none() && queue.is_empty(),
            violation: found,
        }
    }

    /// The steps from the first state to this one, in words.
    fn path(&self, first: &State, parents: &[(u32, u16)], mut place: u32) -> Vec<String> {
        let mut numbers = Vec::new();
        while place != 0 {
            let (before, number) = parents[place as usize];
            numbers.push(number);
            place = before;
        }
        let mut state = first.clone();
        let mut path = Vec::new();
        for number in numbers.into_iter().rev() {
            let (says, next) = self.steps(&state, true).swap_remove(number.into());
            path.push(says);
            state = next.expect("it was taken before");
        }
        path
    }

    /// If the cheat is silent from here on, the honest player gets the game to an end that is right by
    /// acting and waiting. `settled` are states of which that is known; the steps are told in `path`.
    fn outlast(
        &self,
        state: &State,
        settled: &mut HashSet<u128>,
        mut path: Option<&mut Vec<String>>,
    ) -> Result<(), Violation> {
        let mut state = state.clone();
        let mut passed = Vec::new();
        let is_told = path.is_some();
        let mut tell = |step: String| {
            if let Some(path) = &mut path {
                path.push(step);
            }
        };
        tell("the cheat is silent from here on".to_owned());
        for _ in 0..PATIENCE {
            let (id, _) = state.identity();
            if state.is_over() {
                self.check_end(&state)?;
                break;
            }
            if settled.contains(&id) {
                break;
            }
            passed.push(id);
            let mut steps = Steps::new(is_told);
            self.tick(&state, &mut steps);
            let (says, next) = steps.list.swap_remove(0);
            tell(says);
            let mut next = next?;
            if next.identity().0 == id {
                let deadline = self.subject.deadline(&state.chain);
                if let Some(last) = deadline.filter(|last| *last >= state.now && state.is_idle) {
                    next.now = last + 1;
                    tell("the time passes".to_owned());
                } else if next
                    .chain
                    .claim_timeout(&Match::default(), state.now)
                    .is_ok()
                {
                    tell("the cheat claims".to_owned());
                } else if self.has_given_up(&state) {
                    break;
                } else {
                    return Err("the game does not end".to_owned());
                }
            }
            state = next;
            if passed.len() + 1 == PATIENCE {
                return Err("the game does not end in time".to_owned());
            }
        }
        settled.extend(passed);
        Ok(())
    }
}
