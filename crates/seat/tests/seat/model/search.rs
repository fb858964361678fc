//! Breadth-first search through all states, so that the first violation has a shortest path.

use std::collections::{HashSet, VecDeque};
use std::time::Instant;

use codec::{Decode, Encode};

use super::check::Violation;
use super::key::hash;
use super::steps::{Step, Steps};

pub trait Searched {
    type State: Clone + Encode + Decode;

    /// Steps on from a state whose game has not ended for good: first those in which a block is made, so
    /// many, then all others.
    fn steps(&self, state: &Self::State, steps: &mut Steps<Self::State>) -> usize;

    /// Whether the game has ended for good.
    fn is_over(&self, state: &Self::State) -> bool;

    /// Whether it has ended as it may.
    fn check_end(&self, state: &Self::State) -> Result<(), Violation>;

    /// If everybody who may be silent is so from here on, the game gets to an end that is right. `settled`
    /// are states of which that is known; the steps are told in `path`.
    fn outlast(
        &self,
        state: &Self::State,
        settled: &mut HashSet<u128>,
        path: Option<&mut Vec<String>>,
    ) -> Result<(), Violation>;
}

/// A state as bytes, which are the same for the same state, and their hash.
pub fn identity(state: &impl Encode) -> (u128, Vec<u8>) {
    let bytes = state.encode();
    (hash(&bytes), bytes)
}

pub struct Seen {
    pub states: usize,
    pub ends: usize,
    pub seconds: f32,
    /// Whether it has seen all states within the bounds.
    pub is_complete: bool,
    /// The first violation, and the steps that lead to it.
    pub violation: Option<(Violation, Vec<String>)>,
}

fn steps<W: Searched>(world: &W, state: &W::State, is_told: bool) -> Vec<Step<W::State>> {
    let mut steps = Steps::new(is_told);
    if !world.is_over(state) {
        world.steps(state, &mut steps);
    }
    steps.list
}

/// Looks at all states from this one on, at most at so many.
pub fn search<W: Searched>(world: &W, first: &W::State, most: usize) -> Seen {
    let begun = Instant::now();
    let (id, bytes) = identity(first);
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
        let state = W::State::decode(&mut &bytes[..]).expect("it was encoded");
        if world.is_over(&state) {
            ends += 1;
            if let Err(violation) = world.check_end(&state) {
                found = Some((violation, path(world, first, &parents, place)));
                break;
            }
            continue;
        }
        // The silence begins with a block.
        if is_ticked && let Err(violation) = world.outlast(&state, &mut settled, None) {
            let mut rest = Vec::new();
            let _ = world.outlast(&state, &mut settled, Some(&mut rest));
            let mut path = path(world, first, &parents, place);
            path.extend(rest);
            found = Some((violation, path));
            break;
        }
        let mut list = Steps::new(false);
        let ticks = world.steps(&state, &mut list);
        for (number, (_, next)) in list.list.into_iter().enumerate() {
            let is_ticked = number < ticks;
            let number = u16::try_from(number).expect("few steps");
            match next {
                Ok(next) => {
                    let (id, bytes) = identity(&next);
                    if seen.insert(id) {
                        queue.push_back((parents.len() as u32, bytes, is_ticked));
                        parents.push((place, number));
                    }
                }
                Err(violation) => {
                    let mut path = path(world, first, &parents, place);
                    let (last, _) = steps(world, &state, true).swap_remove(number.into());
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
fn path<W: Searched>(
    world: &W,
    first: &W::State,
    parents: &[(u32, u16)],
    mut place: u32,
) -> Vec<String> {
    let mut numbers = Vec::new();
    while place != 0 {
        let (before, number) = parents[place as usize];
        numbers.push(number);
        place = before;
    }
    let mut state = first.clone();
    let mut path = Vec::new();
    for number in numbers.into_iter().rev() {
        let (says, next) = steps(world, &state, true).swap_remove(number.into());
        path.push(says);
        state = next.expect("it was taken before");
    }
    path
}
