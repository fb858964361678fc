//! The metadata as clients get it.

use codec::Encode;

/// The module of a runtime's version, as paths of types begin in the metadata.
const VERSIONS: [[&str; 3]; 2] = [
    ["connect4_chain", "runtime", "first"],
    ["connect4_chain", "runtime", "second"],
];
/// What stands for it.
const MODULE: &str = "connect4_runtime";

/// Replaces a part of the encoded metadata wherever it stands. Names and paths are encoded with their lengths before
/// them, and nothing refers to a position.
pub fn replace(metadata: &[u8], now: &[u8], then: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(metadata.len());
    let mut rest = metadata;
    while let Some((&first, tail)) = rest.split_first() {
        if let Some(tail) = rest.strip_prefix(now) {
            replaced.extend_from_slice(then);
            rest = tail;
        } else {
            replaced.push(first);
            rest = tail;
        }
    }
    replaced
}

/// The metadata with paths such as `connect4_runtime::RuntimeEvent`, of one module and a name, as runtimes have them
/// that are crates of their own: py-substrate-interface knows the types of events and calls by that.
pub fn with_short_paths(mut metadata: Vec<u8>) -> Vec<u8> {
    for [krate, module, version] in VERSIONS {
        // The first segments of a path of four, behind their number; then of one of two.
        let long = [krate, module, version, ""]
            .map(str::to_owned)
            .to_vec()
            .encode();
        let short = [MODULE, ""].map(str::to_owned).to_vec().encode();
        // Without the empty name.
        metadata = replace(
            &metadata,
            &long[..long.len() - 1],
            &short[..short.len() - 1],
        );
    }
    metadata
}
