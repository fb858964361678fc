//! Fields of records, one after the other.

/// These bytes in one array, which they have to fill.
pub fn joined<const LEN: usize>(parts: &[&[u8]]) -> [u8; LEN] {
    let mut bytes = [0; LEN];
    let mut rest = &mut bytes[..];
    for part in parts {
        let (place, after) = rest.split_at_mut(part.len());
        place.copy_from_slice(part);
        rest = after;
    }
    bytes
}
