//! What a push would do: every file read and judged before anything is sent.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use model::component::{Component, UPLOAD_PENDING};
use model::finding::{Finding, Severity};
use model::lint::{FileFacts, LintContext, lint_json, lint_with};
use model::template::{CreateTemplate, EditTemplate, Template, TemplateRecord};
use serde_json::Value;
use service::{Client, ListFilter, TemplateFiles, Upload, content_type_of};

use super::{FilesError, compare, disk};

/// The files that lie beside a template's file.
#[derive(Clone, Debug, Default)]
pub(super) struct Media {
    pub(super) header: Option<PathBuf>,
    pub(super) cards: Vec<PathBuf>,
}

/// What happens with one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Action {
    /// The template is not there yet, or not in these business accounts.
    Create {
        /// Business accounts it is created in.
        wabas: Vec<String>,
    },
    /// The template is there and differs.
    Edit {
        /// The provider's references: several where it was created in several business accounts one by one.
        uuids: Vec<String>,
        /// What differs: names of fields, JSON pointers below `components`.
        changed: Vec<String>,
    },
    /// The template is there and is the same.
    Unchanged,
    /// The file stands in the way of the whole push.
    Blocked {
        /// Why, each in a sentence.
        reasons: Vec<String>,
    },
}

/// One file of a push.
#[derive(Clone, Debug)]
pub struct Step {
    /// The file.
    pub file: PathBuf,
    /// Name of the template; empty when it cannot be read.
    pub name: String,
    /// Language of the template; empty when it cannot be read.
    pub language: String,
    /// What happens.
    pub action: Action,
    /// What does not stand in the way but should be known.
    pub notes: Vec<String>,
    pub(super) template: Template,
    /// One for each uuid of the action.
    pub(super) edits: Vec<EditTemplate>,
    pub(super) media: Media,
}

/// What a push would do, in the order of the files.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One for each file.
    pub steps: Vec<Step>,
}

impl Plan {
    /// Whether any file stands in the way; then nothing is pushed.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.action, Action::Blocked { .. }))
    }
}

/// Reads `files` (folders stand for the `.json` files directly in them), checks them against the rules, and compares
/// them with what the provider lists. `wabas` are where new templates are created; without them, the `waba_ids` of each
/// file.
///
/// # Errors
/// [`FilesError::Provider`] when the templates cannot be listed, [`FilesError::Disk`] when a file cannot be read. What
/// is wrong inside a file is [`Action::Blocked`].
pub async fn plan(client: &Client, files: &[PathBuf], wabas: &[String]) -> Result<Plan, FilesError> {
    let mut steps = Vec::new();
    for file in expanded(files).await? {
        steps.push(read(file).await?);
    }
    let mut first: HashMap<(String, String), PathBuf> = HashMap::new();
    for (step, _) in &mut steps {
        if matches!(step.action, Action::Blocked { .. }) {
            continue;
        }
        let key = key(&step.name, &step.language);
        if let Some(other) = first.get(&key) {
            block(step, format!("{} holds the same template; keep one of the two.", other.display()));
        } else {
            first.insert(key, step.file.clone());
        }
    }
    let listing = client.list_templates(&ListFilter::default()).await?;
    let mut known: HashMap<_, Vec<&TemplateRecord>> = HashMap::new();
    for listed in &listing.records {
        let key = key(&listed.record.template.name, &listed.record.template.language);
        known.entry(key).or_default().push(&listed.record);
    }
    for (step, own_wabas) in &mut steps {
        if matches!(step.action, Action::Blocked { .. }) {
            continue;
        }
        let wabas = if wabas.is_empty() { own_wabas.as_slice() } else { wabas };
        match known.get(&key(&step.name, &step.language)) {
            Some(records) => decide_edit(step, records, wabas),
            None if listing.incomplete => block(
                step,
                "The provider did not list all its templates, so it is not known whether this one exists.".to_owned(),
            ),
            None => decide_create(step, wabas),
        }
    }
    Ok(Plan { steps: steps.into_iter().map(|(step, _)| step).collect() })
}

fn key(name: &str, language: &str) -> (String, String) {
    (name.to_owned(), model::language::normalise(language).into_owned())
}

fn block(step: &mut Step, reason: String) {
    match &mut step.action {
        Action::Blocked { reasons } => reasons.push(reason),
        action => *action = Action::Blocked { reasons: vec![reason] },
    }
}

async fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FilesError> {
    let mut files = Vec::new();
    for path in paths {
        if !tokio::fs::metadata(path).await.map_err(disk(path))?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        let mut entries = tokio::fs::read_dir(path).await.map_err(disk(path))?;
        while let Some(entry) = entries.next_entry().await.map_err(disk(path))? {
            let file = entry.path();
            if file.extension().is_some_and(|extension| extension == "json") && file.is_file() {
                inside.push(file);
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// A step whose action is still open, and the file's own WABAs.
async fn read(file: PathBuf) -> Result<(Step, Vec<String>), FilesError> {
    let bytes = tokio::fs::read(&file).await.map_err(disk(&file))?;
    let media = media_beside(&file).await?;
    let mut step = Step {
        file,
        name: String::new(),
        language: String::new(),
        action: Action::Unchanged,
        notes: Vec::new(),
        template: Template::default(),
        edits: Vec::new(),
        media,
    };
    let json: Value = match serde_json::from_slice(&bytes) {
        Ok(json) => json,
        Err(error) => {
            block(&mut step, format!("The file is not JSON: {error}."));
            return Ok((step, Vec::new()));
        }
    };
    let wabas = match json.get("waba_ids") {
        Some(Value::Array(ids)) => ids.iter().filter_map(waba).collect(),
        Some(id) => waba(id).into_iter().collect(),
        None => Vec::new(),
    };
    let mut findings = lint_json(&json);
    let mut content = json;
    if let Value::Object(object) = &mut content {
        object.shift_remove("waba_ids");
    }
    if let Ok(template) = serde_json::from_value::<Template>(content) {
        step.name.clone_from(&template.name);
        step.language.clone_from(&template.language);
        // The files beside it are judged too; what was found already is not said twice.
        let facts = context(&step.media, &template).await?;
        let more = lint_with(&template, &facts);
        findings.extend(more.into_iter().filter(|finding| !findings.contains(finding)).collect::<Vec<_>>());
        step.template = template;
    }
    for finding in findings {
        match finding.severity {
            Severity::Error => block(&mut step, told(&finding)),
            Severity::Warning => step.notes.push(told(&finding)),
            Severity::Hint => {}
        }
    }
    Ok((step, wabas))
}

fn told(finding: &Finding) -> String {
    format!("{} ({}, {})", finding.message, if finding.path.is_empty() { "/" } else { &finding.path }, finding.code)
}

fn waba(id: &Value) -> Option<String> {
    match id {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

async fn context(media: &Media, template: &Template) -> Result<LintContext, FilesError> {
    let header_file = match &media.header {
        Some(path) => Some(facts(path).await?),
        None => None,
    };
    let mut card_files = Vec::new();
    for (card, path) in waiting(template).1.into_iter().zip(&media.cards) {
        card_files.resize(card, None);
        card_files.push(Some(facts(path).await?));
    }
    Ok(LintContext { files_known: header_file.is_some(), header_file, card_files })
}

async fn facts(path: &Path) -> Result<FileFacts, FilesError> {
    let size = tokio::fs::metadata(path).await.map_err(disk(path))?.len();
    Ok(FileFacts { size, mime: Some(content_type_of(path).to_owned()), encoding: None })
}

/// Files like `name.language.header.png` and `name.language.card0.png` beside `name.language.json`.
async fn media_beside(file: &Path) -> Result<Media, FilesError> {
    let mut media = Media::default();
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(stem) = file.file_stem().and_then(|stem| stem.to_str()) else { return Ok(media) };
    let mut cards = Vec::new();
    let mut entries = tokio::fs::read_dir(folder).await.map_err(disk(folder))?;
    while let Some(entry) = entries.next_entry().await.map_err(disk(folder))? {
        let path = entry.path();
        let Some(rest) =
            entry.file_name().to_str().and_then(|name| name.strip_prefix(stem)?.strip_prefix('.').map(str::to_owned))
        else {
            continue;
        };
        match rest.split_once('.') {
            Some(("header", _)) => media.header = Some(path),
            Some((part, _)) => {
                if let Some(card) = part.strip_prefix("card").and_then(|card| card.parse::<u32>().ok()) {
                    cards.push((card, path));
                }
            }
            None => {}
        }
    }
    cards.sort();
    media.cards = cards.into_iter().map(|(_, path)| path).collect();
    Ok(media)
}

/// Headers that wait for a file: whether that of the template itself does, and which cards' do.
fn waiting(template: &Template) -> (bool, Vec<usize>) {
    let waits = |components: &[Component]| {
        components.iter().any(|component| match component {
            Component::Header(header) => header
                .example
                .as_ref()
                .is_some_and(|example| example.header_handle.iter().any(|handle| handle == UPLOAD_PENDING)),
            _ => false,
        })
    };
    let cards = template.find(|component| match component {
        Component::Carousel(carousel) => Some(&carousel.cards),
        _ => None,
    });
    let cards = cards.into_iter().flatten().enumerate().filter(|(_, card)| waits(&card.components));
    (waits(&template.components), cards.map(|(place, _)| place).collect())
}

fn decide_edit(step: &mut Step, records: &[&TemplateRecord], wabas: &[String]) {
    let placed: Vec<String> = records.iter().flat_map(|record| record.wabas()).collect();
    // A provider that does not say where a template is leaves nothing to compare.
    let missing: Vec<String> =
        wabas.iter().filter(|waba| !placed.is_empty() && !placed.contains(waba)).cloned().collect();
    let mut uuids = Vec::new();
    let mut changed: Vec<String> = Vec::new();
    for record in records {
        let Some((edit, places)) = compare::edit(&step.template, &record.template) else { continue };
        let Some(uuid) = record.reference() else {
            return block(step, "The provider lists this template without a uuid, so it cannot be edited.".to_owned());
        };
        if record.is_archived() {
            return block(step, "The template is archived; unarchive it first, or remove the file.".to_owned());
        }
        if let Some(status) = record.status.as_ref().filter(|status| !status.is_editable()) {
            step.notes.push(format!("The template is {status}; the channel may refuse an edit until that changes."));
        }
        uuids.push(uuid.to_owned());
        step.edits.push(edit);
        changed.extend(places.into_iter().filter(|place| !changed.contains(place)).collect::<Vec<_>>());
    }
    if uuids.is_empty() {
        if missing.is_empty() {
            step.media = Media::default();
        } else {
            decide_create(step, &missing);
        }
        return;
    }
    if !missing.is_empty() {
        step.notes
            .push(format!("It is not in {} yet; push again after this edit to create it there.", missing.join(", ")));
    }
    let with_components = step.edits.iter().any(|edit| edit.components.is_some());
    let (header, cards) = if with_components { waiting(&step.template) } else { (false, Vec::new()) };
    step.action = Action::Edit { uuids, changed };
    need_files(step, header, cards.len());
}

fn decide_create(step: &mut Step, wabas: &[String]) {
    if wabas.is_empty() {
        return block(
            step,
            "The template is new, and no business account is named; name some with --waba, or as waba_ids in the file."
                .to_owned(),
        );
    }
    if let Some(wrong) = wabas.iter().find(|id| id.parse::<u64>().is_err()) {
        return block(step, format!("`{wrong}` is no business account (WABA) id: it must be a number."));
    }
    let (header, cards) = waiting(&step.template);
    step.action = Action::Create { wabas: wabas.to_vec() };
    // The contract documents carousel_files[] for edits; a creation takes them in the same way (upstream §12, 18 and 19).
    need_files(step, header, cards.len());
}

/// Keeps the files that are needed and blocks where one is missing.
fn need_files(step: &mut Step, header: bool, cards: usize) {
    let stem = step.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if !header {
        step.media.header = None;
    } else if step.media.header.is_none() {
        block(step, format!("The header waits for a file; put one named like {stem}.header.png beside the template."));
    }
    if cards == 0 {
        step.media.cards.clear();
    } else if step.media.cards.len() != cards {
        let there = step.media.cards.len();
        block(
            step,
            format!(
                "{cards} cards wait for a file and {there} are there; name them {stem}.card0.png, {stem}.card1.png and so on."
            ),
        );
    }
}

impl Step {
    pub(super) fn creation(&self, wabas: &[String]) -> CreateTemplate {
        let waba_ids = wabas.iter().map(model::Id::text).collect();
        CreateTemplate { waba_ids, template: self.template.clone() }
    }

    /// The files that go with an edit: those of its components.
    pub(super) async fn edit_files(&self, edit: &EditTemplate) -> Result<TemplateFiles, service::Error> {
        if edit.components.is_none() { Ok(TemplateFiles::default()) } else { self.files().await }
    }

    /// The files beside the template, as they are now.
    pub(super) async fn files(&self) -> Result<TemplateFiles, service::Error> {
        let mut files = TemplateFiles::default();
        if let Some(path) = &self.media.header {
            files.header_file = Some(Upload::open(path).await?);
        }
        for path in &self.media.cards {
            files.carousel_files.push(Upload::open(path).await?);
        }
        Ok(files)
    }
}
