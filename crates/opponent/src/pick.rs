//! The choice among moves whose values are known.

use alloc::vec::Vec;

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// One of the moves, by their values and the temperature of a level; see
/// [`Level::temperature`](crate::Level). None if there is no move.
pub(crate) fn pick<T: Copy>(
    values: &[(T, f64)],
    temperature: Option<f64>,
    dice: &mut ChaCha8Rng,
) -> Option<T> {
    let (last, _) = *values.last()?;
    let best = values
        .iter()
        .map(|(_, value)| *value)
        .fold(f64::MIN, f64::max);
    let Some(temperature) = temperature else {
        let equals: Vec<T> = values
            .iter()
            .filter(|(_, value)| *value >= best)
            .map(|(action, _)| *action)
            .collect();
        return Some(equals[dice.random_range(0..equals.len())]);
    };
    let weights: Vec<f64> = values
        .iter()
        .map(|(_, value)| libm::exp((value - best) / temperature))
        .collect();
    let mut left = dice.random_range(0.0..weights.iter().sum::<f64>());
    for ((action, _), weight) in values.iter().zip(&weights) {
        left -= weight;
        if left < 0.0 {
            return Some(*action);
        }
    }
    Some(last)
}
