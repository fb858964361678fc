//! Random numbers that are the same on every machine and in every version.

/// A generator with a seed (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of the values, each with the same probability.
    pub fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }

    /// One of the values, each with a probability in proportion to its weight.
    pub fn by_weight<T>(&mut self, mut of: Vec<(u64, T)>) -> T {
        let all: u64 = of.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(all);
        let chosen = of.iter().position(|(weight, _)| {
            let here = at < *weight;
            at = at.wrapping_sub(*weight);
            here
        });
        of.swap_remove(chosen.expect("the weights add up")).1
    }
}
