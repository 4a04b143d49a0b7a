//! Pulls templates from the provider into a folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use model::template::{CreateTemplate, TemplateRecord};
use model::vocabulary::TemplateStatus;
use provider_client::{Client, ListFilter, ListedTemplate};

use super::approved::Approved;
use super::folder_index::{FolderIndex, Placement};
use super::samples::Samples;
use super::sidecar_media::SidecarMedia;
use super::write::{WriteResult, WrittenTemplate, write};
use super::{FilesError, compare, disk, key};
use outgoing::file_name::shown_name;

/// Templates that are written concurrently; most of the time is spent on fetching their media.
pub const MAX_CONCURRENT_WRITES: usize = 4;

/// Result of a pull. Paths are sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PullResult {
    pub created: Vec<PathBuf>,
    /// Rewritten files.
    pub updated: Vec<PathBuf>,
    /// Files that were up to date and were not touched.
    pub unchanged: Vec<PathBuf>,
    /// Number of media files stored with the template files.
    pub media: usize,
    /// Number of archived templates that were skipped.
    pub archived: usize,
    /// Templates that could not be written as a file, with the reason.
    pub unreadable: Vec<String>,
    /// The provider reported more templates than it listed.
    pub incomplete: bool,
    /// Files whose template the provider doesn't list. Empty for a partial listing, where this is unknown.
    pub unlisted: Vec<PathBuf>,
}

/// Writes every listed template into `folder`, which is created if missing, together with its media samples. Archived
/// templates are written on request only. Without `samples` no media are fetched.
///
/// A file with the same content, apart from sample addresses, keeps its formatting and its name. No template file is
/// removed.
pub async fn pull(
    client: &Client,
    filter: &ListFilter,
    folder: &Path,
    with_archived: bool,
    samples: Option<&Samples>,
) -> Result<PullResult, FilesError> {
    let listing = client.list_templates(filter).await?;
    tokio::fs::create_dir_all(folder).await.map_err(disk(folder))?;
    let mut pulled = PullResult { incomplete: listing.incomplete, ..PullResult::default() };
    let mut records = listing.records;
    records.sort_by_cached_key(order);
    let mut index = FolderIndex::read(folder).await?;
    let all = *filter == ListFilter::default() && !listing.incomplete;
    if all {
        let listed: HashSet<_> = records.iter().map(|listed| order(listed).0).collect();
        pulled.unlisted = index.unlisted_files(|key| listed.contains(key));
    }
    let placements = records.iter().flat_map(|listed| {
        let template = &listed.record.template;
        let key = key(&template.name, &template.language);
        listed.record.wabas().into_iter().map(move |waba| (key.clone(), waba))
    });
    let placements: HashSet<Placement> = placements.collect();
    let mut gathered = Creations::default();
    // One with a record for each account is one template.
    let mut archived = HashSet::new();
    for listed in records {
        let template = &listed.record.template;
        if !listed.unreadable.is_empty() && !template.name.is_empty() {
            let keys = listed.unreadable.join(", ");
            pulled.unreadable.push(format!("{} ({}): cannot be read: {keys}", template.name, template.language));
        } else if listed.record.is_archived() == Some(true) && !with_archived {
            archived.insert(order(&listed).0);
        } else {
            gathered.add(&listed.record);
        }
    }
    pulled.archived = archived.len();
    pulled.unreadable.extend(gathered.problems.into_iter().map(|(name, language, reason)| {
        if name.is_empty() { reason } else { format!("{name} ({language}) {reason}") }
    }));
    let sidecar_media = SidecarMedia::read(folder).await?;
    let paths = index.assign_paths(folder, &gathered.creations, all.then_some(&placements));
    let approved_before = Approved::read(folder).await?;
    let mut approved = Approved::read(folder).await?;
    let mut are_approved = gathered.approved.into_iter();
    let mut written = futures_util::stream::iter(paths.into_iter().zip(gathered.creations))
        .map(|(path, create)| write(path, &sidecar_media, samples, create))
        .buffered(MAX_CONCURRENT_WRITES);
    while let Some(one) = written.next().await {
        let WrittenTemplate { path, became, media, problems } = one?;
        approved.record(&path, are_approved.next().unwrap_or_default()).await?;
        pulled.media += media;
        let file = shown_name(&path);
        pulled.unreadable.extend(problems.into_iter().map(|problem| format!("{file}: {problem}")));
        match became {
            WriteResult::New => pulled.created.push(path),
            WriteResult::Changed => pulled.updated.push(path),
            WriteResult::Same => pulled.unchanged.push(path),
        }
    }
    approved.write(folder, &approved_before).await?;
    Ok(pulled)
}

fn order(listed: &ListedTemplate) -> ((String, String), Option<String>) {
    let template = &listed.record.template;
    (key(&template.name, &template.language), listed.record.reference().map(str::to_owned))
}

/// Merges records into creations: a template that was created in several business accounts separately is listed once
/// for each.
#[derive(Debug, Default)]
pub struct Creations {
    /// One per name, language and content.
    pub creations: Vec<CreateTemplate>,
    /// For each of them, whether the channel has approved this content.
    approved: Vec<bool>,
    /// Name and language of each skipped template, with the reason.
    pub problems: Vec<(String, String, String)>,
}

impl Creations {
    /// Adds a record. Records of the same name and language must be adjacent.
    pub fn add(&mut self, record: &TemplateRecord) {
        let template = &record.template;
        let reference = record.reference().unwrap_or("without uuid");
        if template.name.is_empty() || template.language.is_empty() {
            let reason = format!("a template ({reference}) has no name or no language");
            self.problems.push((template.name.clone(), template.language.clone(), reason));
            return;
        }
        let create = compare::creation(record);
        let wanted = key(&template.name, &template.language);
        let is_approved = record.status.as_ref().is_some_and(TemplateStatus::is_accepted);
        type One<'a> = (&'a mut CreateTemplate, &'a mut bool);
        let of_key = |(other, _): &One<'_>| key(&other.template.name, &other.template.language) == wanted;
        let mut others = self.creations.iter_mut().zip(&mut self.approved).rev().take_while(of_key);
        // Different spellings of a language count as the same language.
        match others.find(|(other, _)| compare::same_but_spelling(&other.template, &create.template)) {
            Some((same, approved)) => {
                *approved |= is_approved;
                let more: Vec<_> = create.waba_ids.into_iter().filter(|id| !same.waba_ids.contains(id)).collect();
                same.waba_ids.extend(more);
            }
            None => {
                self.creations.push(create);
                self.approved.push(is_approved);
            }
        }
    }
}
