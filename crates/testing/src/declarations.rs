//! Declarations of types for the page's code, in files that are kept under version control.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use ts_rs::{Config, TS, TypeVisitor};

/// Declarations by name, of the types visited and of all that they use.
pub struct Declarations {
    config: Config,
    seen: BTreeSet<TypeId>,
    found: BTreeMap<String, String>,
    imported: BTreeSet<String>,
}

impl Default for Declarations {
    fn default() -> Self {
        Self {
            config: Config::new().with_large_int("number"),
            seen: BTreeSet::new(),
            found: BTreeMap::new(),
            imported: BTreeSet::new(),
        }
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Strings, lists and the like have no declaration.
        if T::output_path().is_some() {
            let docs = first_paragraph(&T::docs().unwrap_or_default());
            let declaration = laid_out(&format!("{docs}export {}", T::decl(&self.config)));
            self.found
                .insert(T::ident(&self.config), declaration + "\n");
        }
        T::visit_generics(self);
        T::visit_dependencies(self);
    }
}

impl Declarations {
    /// Takes a type from another file, instead of declaring it.
    pub fn import<T: TS + 'static + ?Sized>(&mut self) {
        self.seen.insert(TypeId::of::<T>());
        self.imported.insert(T::ident(&self.config));
    }

    /// Leaves out what neither these types nor those that they use need.
    ///
    /// # Panics
    ///
    /// If one of them is not declared.
    #[must_use]
    pub fn only(mut self, used: BTreeSet<String>) -> Self {
        let mut kept = BTreeMap::new();
        let mut wanted: Vec<String> = used.into_iter().collect();
        while let Some(name) = wanted.pop() {
            if kept.contains_key(&name) {
                continue;
            }
            let found = self.found.get(&name);
            let found = found.unwrap_or_else(|| panic!("the page uses {name}, which is no type"));
            wanted.extend(names_in(found).filter(|name| self.found.contains_key(name)));
            kept.insert(name, found.clone());
        }
        self.found = kept;
        self
    }

    /// All declarations below this head; what they use of the file `from` is imported.
    #[must_use]
    pub fn text(self, head: &str, from: &str) -> String {
        let found: Vec<String> = self.found.into_values().collect();
        let found = found.join("\n");
        let used: Vec<String> = self
            .imported
            .into_iter()
            .filter(|name| {
                let mut words = found.split(|c: char| !c.is_alphanumeric());
                words.any(|word| word == name)
            })
            .collect();
        let import = match used.is_empty() {
            true => String::new(),
            false => format!(
                "import type {{\n  {},\n}} from '{from}';\n\n",
                used.join(",\n  ")
            ),
        };
        format!("{head}\n{import}{found}")
    }
}

/// The first paragraph of a comment: what follows is about Rust.
fn first_paragraph(docs: &str) -> String {
    match docs.split_once("\n *\n") {
        Some((first, _)) => format!("{first}\n */\n"),
        None => docs.to_owned(),
    }
}

/// The names in a declaration, without those in its comments.
fn names_in(declaration: &str) -> impl Iterator<Item = String> {
    let code = declaration
        .split("/**")
        .map(|part| match part.split_once("*/") {
            Some((_, code)) => code,
            None => part,
        });
    let words = code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric()));
    words.map(str::to_owned)
}

/// The types that the files below this folder import from the one with this name, which is there, too.
///
/// # Panics
///
/// If a file cannot be read.
#[must_use]
pub fn imported_from(folder: &Path, file: &str) -> BTreeSet<String> {
    let mut imported = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            imported.extend(imported_from(&path, file));
        } else if path
            .extension()
            .is_some_and(|end| end == "js" || end == "ts")
        {
            let text = fs::read_to_string(&path).unwrap_or_default();
            // Both `import type { A, B } from '…'` and `@import { A, B } from '…'`.
            let from = format!("/{file}'");
            let imports = text.match_indices(&from).filter_map(|(at, _)| {
                let (_, names) = text[..at].rsplit_once('{')?;
                let (names, rest) = names.split_once('}')?;
                rest.trim_start().starts_with("from").then_some(names)
            });
            for names in imports {
                // Of `A as B` the first name is that of the type.
                let names = names
                    .split(',')
                    .filter_map(|name| name.split_whitespace().next());
                imported.extend(names.map(str::to_owned));
            }
        }
    }
    imported
}

/// Compares the declarations with those in a file, or writes them there if `CONNECT4_WRITE_WIRE` is set.
///
/// # Panics
///
/// If they differ.
pub fn compare(file: &str, made: &str, package: &str) {
    if env::var_os("CONNECT4_WRITE_WIRE").is_some() {
        fs::write(file, made).expect("a file that can be written");
    }
    let written = fs::read_to_string(file).unwrap_or_default();
    assert!(
        made == written,
        "{file} is not what the types say; write it again by CONNECT4_WRITE_WIRE=1 cargo test \
         --package {package}"
    );
}

/// The same text on lines of its own for each field, as TypeScript is usually written.
fn laid_out(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    // Commas between generic arguments, and in lists, stay.
    let mut generics = 0;
    let mut rest = text;
    let indent = |out: &mut String, depth: usize| {
        let end = out.trim_end().len();
        out.truncate(end);
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    while let Some(next) = rest.chars().next() {
        let mut length = next.len_utf8();
        if rest.starts_with("/**") {
            length = rest.find("*/").map_or(rest.len(), |end| end + "*/".len());
            let words = rest[..length].lines().map(|line| {
                let line = line.trim();
                line.trim_start_matches("/**")
                    .trim_start_matches("* ")
                    .trim_start()
            });
            let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
            if depth > 0 {
                indent(&mut out, depth);
            }
            out.push_str("/** ");
            out.push_str(words.join(" ").trim_end_matches("*/").trim_end());
            out.push_str(" */");
            indent(&mut out, depth);
        } else {
            match next {
                '{' => {
                    depth += 1;
                    out.push('{');
                    indent(&mut out, depth);
                }
                '}' => {
                    depth -= 1;
                    indent(&mut out, depth);
                    out.push('}');
                }
                ',' if depth > 0 && generics == 0 => {
                    out.push(';');
                    indent(&mut out, depth);
                }
                '<' | '>' | '[' | ']' => {
                    generics = if matches!(next, '<' | '[') {
                        generics + 1
                    } else {
                        generics - 1
                    };
                    out.push(next);
                }
                '\n' | ' ' if out.ends_with([' ', '\n']) => {}
                '\n' if depth > 0 => {}
                next => out.push(next),
            }
        }
        rest = &rest[length..];
    }
    out
}
