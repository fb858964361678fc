//! The documents for users: `README.md` and the pages in `docs/`, without the decisions.

use std::fs;
use std::path::{Path, PathBuf};

#[must_use]
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("a folder")
}

/// A document in Markdown.
#[derive(Debug)]
pub struct Document {
    /// Path of the file from the root of the repository.
    pub path: PathBuf,
    pub text: String,
}

/// A fenced block of a document.
#[derive(Debug)]
pub struct Block<'a> {
    /// Language after the opening fence, empty if there is none.
    pub language: &'a str,
    /// Lines between the fences.
    pub lines: Vec<&'a str>,
}

/// `README.md`, then the pages in `docs/` by name.
#[must_use]
pub fn documents() -> Vec<Document> {
    let root = root();
    let mut pages: Vec<PathBuf> = fs::read_dir(root.join("docs"))
        .expect("a folder")
        .map(|entry| Path::new("docs").join(entry.expect("an entry").file_name()))
        .filter(|page| page.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.insert(0, PathBuf::from("README.md"));
    pages
        .into_iter()
        .map(|path| Document::read(&root, path))
        .collect()
}

impl Document {
    /// Reads the file at `path` from the root.
    #[must_use]
    pub fn read(root: &Path, path: PathBuf) -> Self {
        let text = fs::read_to_string(root.join(&path));
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { path, text }
    }

    #[must_use]
    pub fn blocks(&self) -> Vec<Block<'_>> {
        self.split().1
    }

    /// All lines outside of fenced blocks.
    #[must_use]
    pub fn prose(&self) -> Vec<&str> {
        self.split().0
    }

    fn split(&self) -> (Vec<&str>, Vec<Block<'_>>) {
        let (mut prose, mut blocks) = (Vec::new(), Vec::new());
        let mut inside: Option<Block<'_>> = None;
        for line in self.text.lines() {
            match (line.strip_prefix("```"), &mut inside) {
                (Some(language), None) => {
                    inside = Some(Block {
                        language,
                        lines: Vec::new(),
                    });
                }
                (Some(_), Some(_)) => blocks.extend(inside.take()),
                (None, Some(block)) => block.lines.push(line),
                (None, None) => prose.push(line),
            }
        }
        assert!(
            inside.is_none(),
            "{}: the last block is not closed",
            self.path.display()
        );
        (prose, blocks)
    }
}
