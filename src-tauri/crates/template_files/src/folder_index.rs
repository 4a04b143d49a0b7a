//! Indexes the template files of a folder by the template in them, because people can name the files freely.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use model::Id;
use model::template::CreateTemplate;
use serde_json::Value;

use super::read::{bytes_of, wabas_of};
use super::subfolders::expand_paths;
use super::{FilesError, disk, distinct_file_name, file_name, key};

/// A name, a language, and a WABA in which the provider lists a template with that name and language.
pub(crate) type Placement = ((String, String), String);

/// Whether a file can belong to a template.
type Fits<'a> = &'a dyn Fn(&IndexedFile, &CreateTemplate) -> bool;

/// Index of the template files of a folder.
#[derive(Debug, Default)]
pub struct FolderIndex {
    /// By name and language.
    files: BTreeMap<(String, String), Vec<IndexedFile>>,
    /// Names of all existing files and of the files to be written, in lower case because some file systems ignore case.
    taken: HashSet<String>,
}

/// A file of a template.
#[derive(Debug)]
struct IndexedFile {
    path: PathBuf,
    wabas: Vec<String>,
}

impl FolderIndex {
    /// Reads the template files of a folder. A missing folder is empty; files without a template are skipped.
    pub async fn read(folder: &Path) -> Result<Self, FilesError> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut index = Self::default();
        if !tokio::fs::try_exists(folder).await.map_err(disk(folder))? {
            return Ok(index);
        }
        for path in expand_paths(&[folder.to_owned()]).await? {
            let Ok(json) = model::file::json(&bytes_of(&path).await?) else { continue };
            let text = |key: &str| json.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
            if let (Some(name), Some(language)) = (text("name"), text("language")) {
                let wabas = wabas_of(&json);
                index.taken.insert(folded(&path));
                index.files.entry(key(name, language)).or_default().push(IndexedFile { path, wabas });
            }
        }
        Ok(index)
    }

    /// The existing or future path of each template's file; no two templates share a path. Templates with the same name
    /// and language must be adjacent. `listed` has all placements if the provider's list is complete: then the file of
    /// a WABA that no longer has the template is reused. Otherwise it stays unchanged.
    pub fn assign_paths(
        &mut self,
        folder: &Path,
        templates: &[CreateTemplate],
        listed: Option<&HashSet<Placement>>,
    ) -> Vec<PathBuf> {
        let same = |one: &CreateTemplate, other: &CreateTemplate| key_of(one) == key_of(other);
        let mut paths = Vec::with_capacity(templates.len());
        for group in templates.chunk_by(same) {
            let key = key_of(&group[0]);
            let mut files: Vec<&IndexedFile> = self.files.get(&key).into_iter().flatten().collect();
            let is_missing = |file: &IndexedFile| {
                listed
                    .is_some_and(|listed| file.wabas.iter().all(|waba| !listed.contains(&(key.clone(), waba.clone()))))
            };
            let mut found: Vec<Option<&Path>> = vec![None; group.len()];
            // Order of preference: a file that names the template's WABA, a file without WABAs, a file whose WABAs no
            // longer have the template.
            let fits: [Fits<'_>; 3] = [
                &|file, template| template.waba_ids.iter().any(|id| file.wabas.iter().any(|waba| waba == id.as_str())),
                &|file, template| file.wabas.is_empty() || template.waba_ids.is_empty(),
                &|file, _| is_missing(file),
            ];
            for fits in fits {
                for (template, found) in group.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
                    let own = folder.join(file_name(&template.template.name, &template.template.language));
                    let of_own = files.iter().position(|file| file.path == own && fits(file, template));
                    let at = of_own.or_else(|| files.iter().position(|file| fits(file, template)));
                    *found = at.map(|at| files.remove(at).path.as_path());
                }
            }
            for (template, found) in group.iter().zip(found) {
                paths.push(match found {
                    Some(path) => path.to_owned(),
                    None => free_path(folder, template, &mut self.taken),
                });
            }
        }
        paths
    }

    /// The files of templates that are not `listed`.
    pub fn unlisted_files(&self, listed: impl Fn(&(String, String)) -> bool) -> Vec<PathBuf> {
        let files = self.files.iter().filter(|(key, _)| !listed(key)).flat_map(|(_, files)| files);
        files.map(|file| file.path.clone()).collect()
    }
}

fn key_of(create: &CreateTemplate) -> (String, String) {
    key(&create.template.name, &create.template.language)
}

/// A name for comparison on file systems that ignore case.
fn folded(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// A path that no other file has.
fn free_path(folder: &Path, create: &CreateTemplate, taken: &mut HashSet<String>) -> PathBuf {
    let (name, language) = (&create.template.name, &create.template.language);
    let waba = create.waba_ids.first().map(Id::as_str).map(str::to_owned);
    let marks = waba.into_iter().chain((2_u64..).map(|count| count.to_string()));
    let apart = marks.map(|mark| distinct_file_name(name, language, &mark));
    let mut names = std::iter::once(file_name(name, language)).chain(apart);
    // Infallible: the numbers are unlimited.
    let free_path = names.find(|name| taken.insert(name.to_lowercase())).unwrap_or_default();
    folder.join(free_path)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;
    use serde_json::json;

    fn index(files: &[(&str, &str, &[&str])]) -> FolderIndex {
        let mut index = FolderIndex::default();
        for (path, name, wabas) in files {
            let wabas = wabas.iter().map(|&waba| waba.to_owned()).collect();
            index.taken.insert(path.to_lowercase());
            index
                .files
                .entry(key(name, "en"))
                .or_default()
                .push(IndexedFile { path: Path::new("f").join(path), wabas });
        }
        index
    }

    #[test]
    fn templates_never_share_a_file() {
        let template = |(name, wabas): &(&str, &[u64])| -> CreateTemplate {
            serde_json::from_value(
                json!({"name": name, "language": "en", "category": "utility", "components": [], "waba_ids": wabas}),
            )
            .unwrap()
        };
        type Case<'a> =
            (&'a str, &'a [(&'a str, &'a str, &'a [&'a str])], &'a [(&'a str, &'a [u64])], bool, &'a [&'a str]);
        let cases: [Case<'_>; 10] = [
            ("new", &[], &[("a", &[1]), ("b", &[1])], true, &["a.en.json", "b.en.json"]),
            (
                "two of one name",
                &[],
                &[("a", &[1]), ("a", &[2]), ("b", &[1])],
                true,
                &["a.en.json", "a.en~2.json", "b.en.json"],
            ),
            (
                "in one WABA",
                &[],
                &[("a", &[7]), ("a", &[7]), ("a", &[7])],
                true,
                &["a.en.json", "a.en~7.json", "a.en~2.json"],
            ),
            ("without WABA", &[], &[("a", &[]), ("a", &[])], true, &["a.en.json", "a.en~2.json"]),
            ("own names", &[("mine.json", "a", &["1"])], &[("a", &[1])], true, &["mine.json"]),
            (
                "each its own",
                &[("a.en.json", "a", &["2"]), ("x.json", "a", &["1"])],
                &[("a", &[1]), ("a", &[2])],
                true,
                &["x.json", "a.en.json"],
            ),
            (
                "file of no WABA",
                &[("a.en.json", "a", &[])],
                &[("a", &[1]), ("a", &[2])],
                true,
                &["a.en.json", "a.en~2.json"],
            ),
            ("moved", &[("a.en.json", "a", &["1"])], &[("a", &[2])], true, &["a.en.json"]),
            ("only a part is known", &[("a.en.json", "a", &["1"])], &[("a", &[2])], false, &["a.en~2.json"]),
            (
                "names of others, in either case",
                &[("A.EN.json", "b", &["1"]), ("c.en.json", "d", &["1"])],
                &[("a", &[1]), ("c", &[1])],
                true,
                &["a.en~1.json", "c.en~1.json"],
            ),
        ];
        for (case, files, templates, all, expected) in cases {
            let templates: Vec<_> = templates.iter().map(template).collect();
            let placed = templates
                .iter()
                .flat_map(|template| template.waba_ids.iter().map(|id| (key_of(template), id.as_str().to_owned())));
            let placed: HashSet<Placement> = placed.collect();
            let paths = index(files).assign_paths(Path::new("f"), &templates, all.then_some(&placed));
            let expected: Vec<_> = expected.iter().map(|name| Path::new("f").join(name)).collect();
            assert_eq!(paths, expected, "{case}");
        }
    }
}
