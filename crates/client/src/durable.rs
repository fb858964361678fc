//! Files that are whole after a crash of the program or of the machine.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use codec::Encode;
use sp_crypto_hashing::blake2_256;

/// Bytes of the checksum at the end of a sealed file.
const CHECKSUM: usize = 32;

/// Replaces a file as a whole, or makes it, for its owner alone: after a crash at any moment it is the
/// old one or the new one. The new one is on disk when this returns. Beside it stands for a moment a
/// file with the ending `new`.
///
/// # Errors
///
/// If the system refuses to write; the file is the old one then.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    match path.parent() {
        Some(folder) => sync(folder),
        None => Ok(()),
    }
}

/// [Replaces](replace) a file by `magic`, which names the layout, the content and a checksum of both.
pub(crate) fn replace_sealed(
    path: &Path,
    magic: &[u8; 8],
    content: &impl Encode,
) -> io::Result<()> {
    let mut bytes = magic.to_vec();
    content.encode_to(&mut bytes);
    let checksum = blake2_256(&bytes);
    bytes.extend(checksum);
    replace(path, &bytes)
}

/// The layout and the content of a sealed file; none if it is not as it was written.
pub(crate) fn read_sealed(path: &Path) -> io::Result<Option<([u8; 8], Vec<u8>)>> {
    let bytes = fs::read(path)?;
    let sealed = bytes
        .split_at_checked(bytes.len().saturating_sub(CHECKSUM))
        .filter(|(content, checksum)| blake2_256(content) == *checksum)
        .and_then(|(content, _)| content.split_first_chunk());
    Ok(sealed.map(|(magic, content)| (*magic, content.to_vec())))
}

/// Makes a folder that is on disk when this returns, with the names of the folders that had to be made
/// for it.
///
/// # Errors
///
/// If the system refuses to make it.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let new = folder.ancestors().take_while(|folder| !folder.exists());
    let new: Vec<&Path> = new.collect();
    fs::create_dir_all(folder)?;
    for made in new {
        sync(made.parent().unwrap_or(made))?;
    }
    Ok(())
}

/// Has the names in a folder on disk. Windows has no way to ask for it.
fn sync(folder: &Path) -> io::Result<()> {
    // A relative path: its names are in the folder of the program.
    let folder = match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    };
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all())?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_or_stays() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("new/folders");
        make_folder(&inner).unwrap();
        make_folder(&inner).unwrap();
        let file = inner.join("a.key");
        replace(&file, b"first").unwrap();
        // As a program leaves it that was killed while it wrote.
        fs::write(inner.join("a.new"), b"a longer one, of which a pa").unwrap();
        replace(&file, b"second").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"second");
        assert_eq!(fs::read_dir(&inner).unwrap().count(), 1);
        fs::create_dir(inner.join("a.new")).unwrap();
        replace(&file, b"third").unwrap_err();
        assert_eq!(fs::read(&file).unwrap(), b"second");
    }
}
