//! Plans a push: reads and checks every file before anything is sent.

mod duplicate_check;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use model::component::UPLOAD_PENDING;
use model::diff::{Change, changes};
use model::finding::{Finding, Severity};
use model::lint::{CATEGORY_REQUIRED, SAMPLE_IS_ADDRESS, mark_untouched};
use model::template::{Template, TemplateRecord};
use model::vocabulary::TemplateStatus;
use provider_client::{Client, ListFilter};
use serde::Serialize;

pub use self::duplicate_check::DuplicateCheck;
use super::read::{Links, Read};
use super::sidecar_media::FolderMedia;
use super::subfolders::{FilesOfPaths, files_of};
use super::{FilesError, compare};
use command_types::composer::Draft;
use outgoing::file_digest as sha256;
use outgoing::submission::{
    Businesses, Request, accepted_content, beyond_contract, edit_findings, file_changes, requests, state_findings,
};
use outgoing::template_text::content_of;

/// What a push does with one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Action {
    /// The template doesn't exist yet, or not in these business accounts.
    Create {
        /// Business accounts in which it is created.
        wabas: Vec<String>,
    },
    /// The template exists and differs from the file.
    Edit {
        /// The provider's references; more than one if the template was created in several business accounts
        /// separately.
        uuids: Vec<String>,
        /// Names of the fields that differ, and JSON pointers below `components`.
        changed: Vec<String>,
    },
    /// The template exists and equals the file.
    Unchanged,
    /// The file blocks the whole push.
    Blocked {
        /// The reasons, one sentence each.
        reasons: Vec<String>,
    },
}

/// One file of a push.
#[derive(Clone, Debug)]
pub struct Step {
    pub file: PathBuf,
    /// Name of the template; empty when it cannot be read.
    pub name: String,
    /// Language of the template; empty when it cannot be read.
    pub language: String,
    pub action: Action,
    /// Remarks that don't block the push.
    pub notes: Vec<String>,
    pub findings: Vec<Finding>,
    pub(super) read: Read,
    /// The requests to send, grouped by template, in order.
    pub outgoing: Vec<TemplateRequests>,
}

/// The requests for one template of the provider, or for a new one.
#[derive(Clone, Debug)]
pub struct TemplateRequests {
    /// The file as a draft, without an identifier and a workspace.
    pub draft: Draft,
    /// The record to edit; absent for a creation.
    pub before: Option<TemplateRecord>,
    /// The requests, in order.
    pub requests: Vec<Request>,
}

impl TemplateRequests {
    /// The current content of the template to edit.
    pub fn old(&self) -> Option<Template> {
        self.before.as_ref().map(|record| content_of(record.template.clone()))
    }
}

/// A planned push, in the order of the files.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One step per file.
    pub steps: Vec<Step>,
    /// Number of folders below the paths that are not read.
    pub folders_left_out: usize,
}

impl Plan {
    /// Whether any file is blocked; if so, nothing is pushed.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.action, Action::Blocked { .. }))
    }
}

/// Reads `files` (a folder means the `.json` files in it and in the folders below it), checks them against the rules, and compares them
/// with the templates that the provider lists. New templates are created in `wabas`, or in the `waba_ids` of each file
/// if `wabas` is empty. Warnings that need an override block the step unless `overrides` contains their codes. `links`
/// controls symbolic links that lead out of a folder.
///
/// # Errors
/// [`FilesError::Provider`] when the templates cannot be listed, [`FilesError::Disk`] when a file cannot be read. An
/// invalid file is reported as [`Action::Blocked`].
pub async fn plan(
    client: &Client,
    files: &[PathBuf],
    wabas: &[String],
    overrides: &[String],
    links: Links,
) -> Result<Plan, FilesError> {
    let mut media = FolderMedia::default();
    let mut reads = Vec::new();
    let FilesOfPaths { files, folders_left_out } = files_of(files).await?;
    for file in files {
        let sidecar_media = media.beside(&file).await?;
        reads.push(Read::file(file, &sidecar_media, links).await?);
    }
    let listing = client.list_templates(&ListFilter::default()).await?;
    let known = by_key(listing.records.iter().map(|listed| &listed.record));
    let businesses = Businesses::of_records(listing.records.iter().map(|listed| &listed.record));
    let mut seen = DuplicateCheck::default();
    let mut steps = Vec::with_capacity(reads.len());
    for read in reads {
        let records = known.get(&key(&read.template.name, &read.template.language));
        let records: Vec<&TemplateRecord> = records.into_iter().flatten().collect();
        let mut step = Step::decide(read, &records, wabas, &businesses);
        if records.is_empty() && listing.incomplete {
            step.block_unlisted();
        }
        step.require_overrides(overrides);
        seen.check(&mut step, wabas);
        step.record_digests().await?;
        steps.push(step);
    }
    Ok(Plan { steps, folders_left_out })
}

/// The templates by name and language. A provider may list a template once for each of its WABAs.
fn by_key<'r>(listed: impl Iterator<Item = &'r TemplateRecord>) -> HashMap<(String, String), Vec<TemplateRecord>> {
    let mut known: HashMap<_, Vec<TemplateRecord>> = HashMap::new();
    for record in listed {
        let records = known.entry(key(&record.template.name, &record.template.language)).or_default();
        let is_same =
            |known: &&mut TemplateRecord| known.reference().is_some() && known.reference() == record.reference();
        match records.iter_mut().find(is_same) {
            Some(known) => known.join(record),
            None => records.push(record.clone()),
        }
    }
    known
}

/// The key of a template: name and normalised language.
#[must_use]
pub fn key(name: &str, language: &str) -> (String, String) {
    (name.to_owned(), model::language::normalise(language).into_owned())
}

/// Codes of the findings that a person can override in a plan.
pub fn overridable() -> impl Iterator<Item = &'static str> {
    Finding::OVERRIDABLE.iter().copied().chain([SAMPLE_IS_ADDRESS])
}

/// Whether a person must override a finding. In the window, who edits a template sees the address beside its picture;
/// nobody looks at each of many files.
fn needs_override(finding: &Finding) -> bool {
    finding.needs_override() || finding.code == SAMPLE_IS_ADDRESS
}

/// Makes hints of the findings about content that the provider has.
pub fn demote(findings: &mut [Finding]) {
    findings.iter_mut().for_each(|finding| finding.severity = Severity::Hint);
}

fn finding_text(finding: &Finding) -> String {
    let path = if finding.path.is_empty() { "/" } else { &finding.path };
    let why = if finding.untouched { " The approved template has this already." } else { "" };
    format!("{}{why} ({path}, {})", finding.message, finding.code)
}

impl Step {
    fn of(read: Read) -> Self {
        Self {
            file: read.file.clone(),
            name: read.template.name.clone(),
            language: read.template.language.clone(),
            action: Action::Unchanged,
            notes: Vec::new(),
            findings: read.findings.clone(),
            outgoing: Vec::new(),
            read,
        }
    }

    /// Decides what happens with a file. `records` are the provider's records of its template, none if it is new.
    pub fn decide(read: Read, records: &[&TemplateRecord], wabas: &[String], businesses: &Businesses) -> Self {
        let mut step = Self::of(read);
        let own_wabas = step.read.wabas.clone();
        let wabas = if wabas.is_empty() { own_wabas.as_slice() } else { wabas };
        if !step.read.faults.is_empty() || step.name.is_empty() || step.language.is_empty() {
            step.block_all(step.read.faults.clone());
            step.check_findings();
            return step;
        }
        if records.is_empty() {
            step.decide_create(wabas, businesses);
        } else {
            step.decide_edit(records, wabas, businesses);
        }
        step.check_findings();
        step
    }

    /// Blocks the creation if the template may be among those that the provider did not list.
    pub fn block_unlisted(&mut self) {
        if matches!(self.action, Action::Create { .. }) {
            self.block("The provider did not list all its templates, so we don't know whether this one exists.");
        }
    }

    /// A step for a file that cannot be read.
    pub fn unreadable(file: PathBuf, reason: String) -> Self {
        let mut step = Self::of(Read::of(file));
        step.block(reason);
        step
    }

    /// Names of the file and of its media, each with its SHA-256 in hex.
    #[must_use]
    pub fn digests(&self) -> Vec<(String, String)> {
        self.read.digests()
    }

    /// SHA-256, in hex, of the action and of the content before and after it: another one for another effect.
    pub fn effect_digest(&self) -> Result<String, FilesError> {
        let contents: Vec<_> =
            self.outgoing.iter().map(|outgoing| (&outgoing.draft.template, outgoing.old())).collect();
        let json = serde_json::to_vec(&(&self.action, contents))
            .map_err(|error| FilesError::Content { path: self.file.clone(), problem: error.to_string() })?;
        Ok(sha256::of(&json))
    }

    /// Blocks the step for findings of the rules if it would send a request.
    fn check_findings(&mut self) {
        // An unchanged template sends no request: what its findings say is for `lint` and for the next edit.
        if self.action == Action::Unchanged {
            return demote(&mut self.findings);
        }
        for finding in self.findings.clone() {
            match finding.severity {
                Severity::Error => self.block(finding_text(&finding)),
                // `require_overrides` handles these: a person has to override them.
                _ if needs_override(&finding) => {}
                Severity::Warning => self.notes.push(finding_text(&finding)),
                Severity::Hint => {}
            }
        }
    }

    /// Codes of the findings that a person must override before the step is carried out.
    pub fn needs_override(&self) -> Vec<&'static str> {
        let sends_request = matches!(self.action, Action::Create { .. } | Action::Edit { .. });
        let findings = self.findings.iter().filter(|finding| sends_request && needs_override(finding));
        let mut codes: Vec<_> = findings.map(|finding| finding.code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Blocks the step for warnings that need an override and are not in `overrides`.
    pub fn require_overrides(&mut self, overrides: &[String]) {
        let needed = self.needs_override();
        let (overridden, open): (Vec<_>, Vec<_>) = self
            .findings
            .iter()
            .filter(|finding| needed.contains(&finding.code) && needs_override(finding))
            .partition(|finding| overrides.iter().any(|code| code == finding.code));
        let notes: Vec<String> = overridden.into_iter().map(finding_text).collect();
        let reasons: Vec<String> = open
            .into_iter()
            .map(|finding| format!("{} To submit it anyway, override {}.", finding_text(finding), finding.code))
            .collect();
        self.notes.extend(notes);
        if !reasons.is_empty() {
            self.block_all(reasons);
        }
    }

    /// Blocks the step for one more reason.
    pub fn block(&mut self, reason: impl Into<String>) {
        self.block_all(vec![reason.into()]);
    }

    fn block_all(&mut self, more: Vec<String>) {
        self.outgoing.clear();
        match &mut self.action {
            Action::Blocked { reasons } => reasons.extend(more),
            action => *action = Action::Blocked { reasons: more },
        }
    }

    fn decide_edit(&mut self, records: &[&TemplateRecord], wabas: &[String], businesses: &Businesses) {
        // A file that names its WABAs doesn't apply to templates of the same name in other WABAs.
        let here = |record: &TemplateRecord| {
            let placed = record.wabas();
            wabas.is_empty() || placed.is_empty() || placed.iter().any(|waba| wabas.contains(waba))
        };
        let (records, elsewhere): (Vec<&TemplateRecord>, Vec<_>) = records.iter().copied().partition(|one| here(one));
        let others = elsewhere
            .iter()
            .filter(|record| !compare::changed(&self.read.template, &record.template, &self.read.cleared).is_empty());
        let others: Vec<String> = others.flat_map(|record| record.wabas()).collect();
        if !others.is_empty() {
            let others = others.join(", ");
            self.notes.push(format!("In {others}, the template is different and stays unchanged."));
        }
        let placed: Vec<String> = records.iter().flat_map(|record| record.wabas()).collect();
        // Without WABAs in the records there is nothing to compare.
        let missing: Vec<String> = wabas
            .iter()
            .filter(|waba| (records.is_empty() || !placed.is_empty()) && !placed.contains(waba))
            .cloned()
            .collect();
        let (mut uuids, mut changed) = (Vec::new(), Vec::<String>::new());
        let mut outgoing = Vec::new();
        if !records.is_empty() {
            // An edit needs no category, and a pulled file may lack it.
            self.findings.retain(|finding| finding.code != CATEGORY_REQUIRED);
        }
        let unmarked = self.findings.clone();
        for record in records {
            let (old, new) = (
                content_of(record.template.clone()),
                compare::merged(&self.read.template, &record.template, &self.read.cleared),
            );
            let slots = compare::changed(&self.read.template, &record.template, &self.read.cleared);
            if slots.is_empty() {
                continue;
            }
            let Some(uuid) = record.reference() else {
                return self.block("The provider lists this template without a UUID, so it can't be edited.");
            };
            if let Some(TemplateStatus::Unknown(word)) = &record.status {
                self.notes
                    .push(format!("This app doesn't know the template's status {word}. WhatsApp may reject the edit."));
            }
            self.mark_untouched(&unmarked, record, uuids.is_empty());
            for finding in edit_findings(&old, &new, record).into_iter().chain(state_findings(record)) {
                if !self.findings.contains(&finding) {
                    self.findings.push(finding);
                }
            }
            let with_components = new.components != old.components;
            let draft = self.draft(new, record.wabas(), Some(uuid), with_components);
            match requests(&draft, Some(&old), &HashSet::new(), businesses) {
                Ok(requests) => outgoing.push(TemplateRequests { draft, before: Some((*record).clone()), requests }),
                Err(error) => return self.block(error.to_string()),
            }
            if let Some(missing) = self.read.missing.clone().filter(|_| with_components) {
                return self.block(missing);
            }
            uuids.push(uuid.to_owned());
            changed.extend(slots.into_iter().filter(|slot| !changed.contains(slot)).collect::<Vec<_>>());
        }
        if uuids.is_empty() {
            if !missing.is_empty() {
                self.decide_create(&missing, businesses);
            }
            return;
        }
        if !missing.is_empty() {
            let missing = missing.join(", ");
            self.notes
                .push(format!("It is not in {missing} yet. After this edit, submit it again to create it there."));
        }
        self.action = Action::Edit { uuids, changed };
        self.outgoing = outgoing;
    }

    /// Marks the findings that the accepted template has too, in parts that the file leaves as they are. A finding is
    /// marked only if that applies to every edited record; `is_first` is the first of them.
    fn mark_untouched(&mut self, unmarked: &[Finding], record: &TemplateRecord, is_first: bool) {
        let mut marked = unmarked.to_vec();
        if let Some(accepted) = accepted_content(record) {
            mark_untouched(&mut marked, &self.read.template, &accepted);
        }
        for (finding, here) in self.findings.iter_mut().zip(marked) {
            if is_first || !here.untouched {
                *finding = here;
            }
        }
    }

    fn decide_create(&mut self, wabas: &[String], businesses: &Businesses) {
        if wabas.is_empty() {
            return self.block(
                "The template is new, and no business account (WABA) is named for it; choose some (with --waba in \
                 tdesk), or name them as waba_ids in the file.",
            );
        }
        if let Some(wrong) = wabas.iter().find(|id| id.parse::<u64>().is_err()) {
            return self.block(format!("`{wrong}` is not a WABA ID: it must be a number."));
        }
        if let Some(missing) = self.read.missing.clone() {
            return self.block(missing);
        }
        // The contract documents carousel_files[] for edits; a creation takes them in the same way (upstream §12, 18
        // and 19).
        let draft = self.draft(self.read.template.clone(), wabas.to_vec(), None, true);
        match requests(&draft, None, &HashSet::new(), businesses) {
            Ok(requests) => {
                for note in requests.iter().flat_map(beyond_contract) {
                    if !self.notes.contains(&note) {
                        self.notes.push(note);
                    }
                }
                self.action = Action::Create { wabas: wabas.to_vec() };
                self.outgoing = vec![TemplateRequests { draft, before: None, requests }];
            }
            Err(error) => self.block(error.to_string()),
        }
    }

    fn draft(&self, template: Template, waba_ids: Vec<String>, edits: Option<&str>, with_files: bool) -> Draft {
        let mut draft = Draft { template, waba_ids, edits: edits.map(str::to_owned), ..Draft::default() };
        for media_file in self.read.media.iter().filter(|_| with_files) {
            media_file.slot.attach(&mut draft, media_file.file.clone());
        }
        draft
    }

    /// Records the digests of the media to be sent.
    pub async fn record_digests(&mut self) -> Result<(), FilesError> {
        let with_files = self.outgoing.iter().any(|outgoing| {
            outgoing.draft.header_file.is_some() || outgoing.draft.card_files.iter().any(Option::is_some)
        });
        if with_files {
            self.read.record_digests().await?;
            self.notes.extend(self.read.links().await);
        } else {
            self.read.media.clear();
        }
        Ok(())
    }

    /// Why the files differ from those that were read; `None` if they are unchanged.
    pub async fn change_reason(&self) -> Option<String> {
        self.read.change_reason().await
    }

    /// The media files to be sent, with their sizes in bytes.
    #[must_use]
    pub fn media(&self) -> Vec<(&str, u64)> {
        self.read.media.iter().map(|media_file| (media_file.file.name.as_str(), media_file.file.size)).collect()
    }

    /// What an edit changes, text by text; empty for any other action.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        let Some(first) = self.outgoing.first() else { return Vec::new() };
        let Some(old) = first.old() else { return Vec::new() };
        let mut found = changes(&old, &first.draft.template);
        // The files themselves are listed below.
        found.retain(|change| change.after.as_deref() != Some(UPLOAD_PENDING));
        found.extend(file_changes(&first.draft));
        found
    }
}

#[cfg(test)]
mod tests;
