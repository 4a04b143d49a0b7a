//! From the provider into a folder.

use std::path::{Path, PathBuf};

use model::template::{CreateTemplate, Template};
use service::{Client, ListFilter, ListedTemplate};

use super::{FilesError, compare, disk, file_name};

/// What a pull did. Paths are in the order of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulled {
    /// Files that are new.
    pub created: Vec<PathBuf>,
    /// Files that were written anew.
    pub updated: Vec<PathBuf>,
    /// Files that were right already and were not touched.
    pub unchanged: Vec<PathBuf>,
    /// Archived templates, which were left out.
    pub archived: usize,
    /// What could not become a file, and why.
    pub unreadable: Vec<String>,
    /// The provider spoke of more templates than it gave.
    pub incomplete: bool,
}

/// Writes every listed template into `folder`, which is created when missing. Archived ones only if asked for.
///
/// A file that says the same apart from addresses of sample media stays as it is, with its formatting.
///
/// # Errors
/// [`FilesError::Provider`] and [`FilesError::Disk`].
pub async fn pull(
    client: &Client,
    filter: &ListFilter,
    folder: &Path,
    with_archived: bool,
) -> Result<Pulled, FilesError> {
    let listing = client.list_templates(filter).await?;
    tokio::fs::create_dir_all(folder).await.map_err(disk(folder))?;
    let mut pulled = Pulled { incomplete: listing.incomplete, ..Pulled::default() };
    let mut records = listing.records;
    records.sort_by(|one, other| order(one).cmp(&order(other)));
    let mut creations: Vec<CreateTemplate> = Vec::new();
    for listed in records {
        let template = &listed.record.template;
        let reference = listed.record.reference().unwrap_or("without uuid");
        if template.name.is_empty() || template.language.is_empty() {
            pulled.unreadable.push(format!("a template ({reference}) has no name or no language"));
            continue;
        }
        if !listed.unreadable.is_empty() {
            let keys = listed.unreadable.join(", ");
            pulled.unreadable.push(format!("{} ({}): cannot be read: {keys}", template.name, template.language));
            continue;
        }
        if listed.record.is_archived() && !with_archived {
            pulled.archived += 1;
            continue;
        }
        let create = compare::creation(&listed.record);
        match creations.last_mut().filter(|last| is_same_template(&last.template, template)) {
            None => creations.push(create),
            // Created in several business accounts one by one, it is listed as often.
            Some(last) if compare::same_content(&last.template, &create.template) => {
                last.waba_ids
                    .extend(create.waba_ids.into_iter().filter(|id| !last.waba_ids.contains(id)).collect::<Vec<_>>());
            }
            Some(_) => pulled.unreadable.push(format!(
                "{} ({}) is listed more than once with different content; {reference} is left out",
                template.name, template.language
            )),
        }
    }
    for create in creations {
        let name = file_name(&create.template.name, &create.template.language);
        write(folder.join(name), &create, &mut pulled).await?;
    }
    Ok(pulled)
}

fn is_same_template(one: &Template, other: &Template) -> bool {
    one.name == other.name && one.language == other.language
}

fn order(listed: &ListedTemplate) -> (&str, &str, Option<&str>) {
    let template = &listed.record.template;
    (&template.name, &template.language, listed.record.reference())
}

async fn write(path: PathBuf, create: &CreateTemplate, pulled: &mut Pulled) -> Result<(), FilesError> {
    let before = match tokio::fs::read(&path).await {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(disk(&path)(error)),
    };
    let known = before.as_deref().and_then(|bytes| serde_json::from_slice::<CreateTemplate>(bytes).ok());
    if known.is_some_and(|known| compare::same(&known, create)) {
        pulled.unchanged.push(path);
        return Ok(());
    }
    let mut text = serde_json::to_string_pretty(create).expect("the channel's vocabulary is JSON");
    text.push('\n');
    // Beside the file and then in its place: an interrupted pull leaves no half file.
    let beside = path.with_extension("json.part");
    tokio::fs::write(&beside, text).await.map_err(disk(&beside))?;
    tokio::fs::rename(&beside, &path).await.map_err(disk(&path))?;
    if before.is_some() {
        pulled.updated.push(path)
    } else {
        pulled.created.push(path)
    }
    Ok(())
}
