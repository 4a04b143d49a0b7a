//! The module graphs of the crates and of the window's code, read from the sources.
//!
//! A Rust module and its descendants are one unit among their siblings; imports from its parent are not dependencies of
//! the parent. Tests are excluded: they may import everything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// The path of a module below the crate root.
pub(super) type Module = Vec<String>;

/// Dependencies between siblings, each with the modules that cause it.
type Siblings = BTreeMap<String, BTreeMap<String, BTreeSet<(Module, Module)>>>;

/// The modules of a crate and their imports.
pub(super) struct Graph {
    pub(super) modules: BTreeSet<Module>,
    pub(super) edges: BTreeMap<Module, BTreeSet<Module>>,
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is written here")
}

static COMMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"//[^\n]*"));
static STRING: LazyLock<Regex> = LazyLock::new(|| pattern(r##"(?s)r#".*?"#|"(\\.|[^"\\])*""##));
static TEST_MODULE: LazyLock<Regex> = LazyLock::new(|| pattern(r"#\[cfg\([^\]]*\)\]\s*(pub(\([^)]*\))? )?mod \w+ \{"));
static TEST_FILE: LazyLock<Regex> = LazyLock::new(|| pattern(r"#\[cfg\([^\]]*\)\]\s*(pub(\([^)]*\))? )?mod \w+;"));
static USE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\buse\s+([^;]+);"));
static ALIAS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s+as\s+\w+"));
static PATH: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:crate|super|self|[a-z_]\w*)(?:::[A-Za-z_]\w*)+"));

impl Graph {
    /// The graph of the crate whose root is in `source`.
    pub(super) fn of(source: &Path) -> Self {
        let mut files = BTreeMap::new();
        modules_in(source, &mut Module::new(), &mut files);
        let modules: BTreeSet<Module> = files.keys().cloned().collect();
        let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (module, file) in &files {
            if is_test(module) {
                continue;
            }
            let text = without_tests(&fs::read_to_string(file).unwrap());
            let found = edges.entry(module.clone()).or_default();
            for path in paths(&text) {
                found.extend(resolve(module, &path, &modules).filter(|to| to != module && !is_test(to)));
            }
        }
        Self { modules, edges }
    }

    /// Cycles among siblings, each with the modules that close it.
    pub(super) fn cycles(&self) -> Vec<String> {
        let parents: BTreeSet<&[String]> =
            self.modules.iter().filter_map(|module| module.split_last()).map(|(_, parent)| parent).collect();
        parents.into_iter().flat_map(|parent| cycles_among(&self.siblings(parent))).collect()
    }

    /// The dependencies between the children of `parent`.
    pub(super) fn siblings(&self, parent: &[String]) -> Siblings {
        let mut siblings = Siblings::new();
        let depth = parent.len();
        for (from, targets) in &self.edges {
            for to in targets {
                let below = |module: &Module| module.len() > depth && module.starts_with(parent);
                if below(from) && below(to) && from[depth] != to[depth] {
                    let causes = siblings.entry(from[depth].clone()).or_default().entry(to[depth].clone()).or_default();
                    causes.insert((from.clone(), to.clone()));
                }
            }
        }
        siblings
    }
}

/// Siblings that depend on themselves, with the path of the cycle.
fn cycles_among(siblings: &Siblings) -> Vec<String> {
    let reachable = |from: &String| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            for to in siblings.get(next).into_iter().flat_map(BTreeMap::keys) {
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        seen
    };
    let mut found = Vec::new();
    for (from, targets) in siblings {
        for (to, causes) in targets {
            if reachable(to).contains(from) {
                let (one, other) = causes.iter().next().expect("a dependency has a cause");
                found.push(format!("{} takes from {}", one.join("::"), other.join("::")));
            }
        }
    }
    found
}

fn modules_in(folder: &Path, path: &mut Module, files: &mut BTreeMap<Module, PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap().path();
        let name = entry.file_stem().unwrap().to_string_lossy().into_owned();
        if entry.is_dir() {
            path.push(name);
            modules_in(&entry, path, files);
            path.pop();
        } else if entry.extension().is_some_and(|kind| kind == "rs") {
            let mut module = path.clone();
            if !["lib", "main", "mod"].contains(&name.as_str()) {
                module.push(name);
            }
            files.insert(module, entry);
        }
    }
}

fn is_test(module: &Module) -> bool {
    module.iter().any(|name| name == "tests" || name == "fuzzing")
}

/// The source without comments, strings and test modules.
pub(super) fn without_tests(source: &str) -> String {
    let source = COMMENT.replace_all(source, "");
    let mut text = STRING.replace_all(&source, "\"\"").into_owned();
    while let Some(found) = TEST_MODULE.find(&text) {
        let mut depth = 1;
        let length = text[found.end()..].find(|letter| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            depth == 0
        });
        let end = length.map_or(text.len(), |length| found.end() + length + 1);
        text.replace_range(found.start()..end, "");
    }
    TEST_FILE.replace_all(&text, "").into_owned()
}

/// Every path in a source: in its `use` declarations, and in its code.
fn paths(source: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for declaration in USE.captures_iter(source) {
        flatten(&ALIAS.replace_all(&declaration[1], ""), &[], &mut found);
    }
    let code = USE.replace_all(source, "");
    found.extend(PATH.find_iter(&code).map(|path| path.as_str().split("::").map(str::to_owned).collect()));
    found
}

/// The paths of a `use` declaration with braces.
fn flatten(tree: &str, prefix: &[String], found: &mut Vec<Vec<String>>) {
    let segments = |text: &str| {
        let parts = text.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
        prefix.iter().cloned().chain(parts).collect::<Vec<_>>()
    };
    let Some((head, rest)) = tree.split_once('{') else {
        found.push(segments(tree));
        return;
    };
    let inner = rest.rfind('}').map_or(rest, |end| &rest[..end]);
    let head = segments(head);
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in inner.char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            flatten(&inner[start..at], &head, found);
            start = at + 1;
        }
    }
    if !inner[start..].trim().is_empty() {
        flatten(&inner[start..], &head, found);
    }
}

/// The module that a path in `module` refers to; `None` for other crates.
fn resolve(module: &Module, path: &[String], modules: &BTreeSet<Module>) -> Option<Module> {
    let mut rest = path;
    let mut base = match path.first().map(String::as_str)? {
        "crate" => {
            rest = &path[1..];
            Module::new()
        }
        "self" | "super" => {
            let mut base = module.clone();
            while let Some(step @ ("self" | "super")) = rest.first().map(String::as_str) {
                if step == "super" {
                    base.pop();
                }
                rest = &rest[1..];
            }
            base
        }
        first => {
            let mut child = module.clone();
            child.push(first.to_owned());
            if !modules.contains(&child) {
                return None;
            }
            module.clone()
        }
    };
    for step in rest {
        base.push(step.clone());
        if !modules.contains(&base) {
            base.pop();
            break;
        }
    }
    Some(base)
}

static IMPORT: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)""#));

/// Cycles among the files of the window's code, each with an import that closes it.
pub(super) fn import_cycles(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let known: BTreeSet<&PathBuf> = files.iter().collect();
    let mut imports = Siblings::new();
    let name = |file: &Path| file.strip_prefix(root).unwrap().to_string_lossy().into_owned();
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        for import in IMPORT.captures_iter(&text) {
            let path = match import[1].strip_prefix("@/") {
                Some(rest) => root.join(rest),
                None if import[1].starts_with('.') => file.parent().unwrap().join(&import[1]),
                None => continue,
            };
            let plain: PathBuf = path.components().fold(PathBuf::new(), |mut plain, part| {
                match part {
                    std::path::Component::ParentDir => {
                        plain.pop();
                    }
                    std::path::Component::CurDir => {}
                    other => plain.push(other),
                }
                plain
            });
            let target = ["ts", "tsx"].map(|kind| PathBuf::from(format!("{}.{kind}", plain.display())));
            if let Some(target) = target.iter().find(|target| known.contains(target)) {
                let (from, to) = (name(file), name(target));
                let causes = imports.entry(from.clone()).or_default().entry(to.clone()).or_default();
                causes.insert((vec![from], vec![to]));
            }
        }
    }
    cycles_among(&imports)
}
