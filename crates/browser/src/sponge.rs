//! Keccak-256 of bytes of which only the last ones are known: the state of the hash stands for those before.

/// Bytes of a block.
const BLOCK: usize = 136;
/// Bytes of the state.
const STATE: usize = 200;

/// The state of Keccak-256 after whole blocks.
#[derive(Clone, Debug)]
pub(crate) struct Sponge([u64; STATE / 8]);

impl Sponge {
    /// By its bytes, and what stands after these; none if they are too few.
    pub fn resume(begun: &[u8]) -> Option<(Self, &[u8])> {
        let (state, rest) = begun.split_first_chunk::<STATE>()?;
        let (words, _) = state.as_chunks::<8>();
        let mut lanes = [0; STATE / 8];
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = u64::from_le_bytes(*word);
        }
        Some((Self(lanes), rest))
    }

    /// Takes one more block.
    pub fn absorb(&mut self, block: &[u8; BLOCK]) {
        let (words, _) = block.as_chunks::<8>();
        for (lane, word) in self.0.iter_mut().zip(words) {
            *lane ^= u64::from_le_bytes(*word);
        }
        keccak::f1600(&mut self.0);
    }

    /// The hash, with these bytes after the blocks.
    pub fn hash(mut self, last: &[u8]) -> [u8; 32] {
        let (blocks, rest) = last.as_chunks::<BLOCK>();
        for block in blocks {
            self.absorb(block);
        }
        let mut padded = [0; BLOCK];
        for (byte, last) in padded.iter_mut().zip(rest) {
            *byte = *last;
        }
        // The rest is shorter than a block. Both marks may be in one byte.
        if let Some(first) = padded.get_mut(rest.len()) {
            *first ^= 0x01;
        }
        if let Some(end) = padded.last_mut() {
            *end ^= 0x80;
        }
        self.absorb(&padded);
        let mut hash = [0; 32];
        let (words, _) = hash.as_chunks_mut::<8>();
        for (word, lane) in words.iter_mut().zip(self.0) {
            *word = lane.to_le_bytes();
        }
        hash
    }

    /// The state after the whole blocks of these bytes, and what stands after them.
    #[cfg(test)]
    pub fn begin(bytes: &[u8]) -> alloc::vec::Vec<u8> {
        let mut sponge = Self([0; STATE / 8]);
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for block in blocks {
            sponge.absorb(block);
        }
        let mut begun: alloc::vec::Vec<u8> = sponge
            .0
            .iter()
            .flat_map(|lane| lane.to_le_bytes())
            .collect();
        begun.extend_from_slice(rest);
        begun
    }
}

#[cfg(test)]
mod tests {
    use sp_crypto_hashing::keccak_256;

    use super::*;

    #[test]
    fn a_hash_that_is_begun_is_completed_as_the_whole_one() {
        let bytes: [u8; 3 * BLOCK] = core::array::from_fn(|at| at as u8);
        let ends = [
            0,
            1,
            32,
            BLOCK - 1,
            BLOCK,
            BLOCK + 1,
            2 * BLOCK - 1,
            3 * BLOCK,
        ];
        for begun in ends {
            for end in ends.into_iter().filter(|end| *end >= begun) {
                let state = Sponge::begin(&bytes[..begun]);
                let (sponge, rest) = Sponge::resume(&state).unwrap();
                let hash = sponge.hash(&[rest, &bytes[begun..end]].concat());
                assert_eq!(hash, keccak_256(&bytes[..end]), "{begun} of {end}");
            }
        }
        assert!(Sponge::resume(&[0; STATE - 1]).is_none());
    }
}
