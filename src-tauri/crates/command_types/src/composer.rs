//! Drafts, and the inspection of a template on every keystroke in the composer.

use model::finding::{Counter, Finding};
use model::lint::FileFacts;
use model::media::Encoding;
use model::render::Bubble;
use model::rewrite::Rewrite;
use model::samples::SampleSet;
use model::starter::StarterName;
use model::template::Template;
use model::variable::VariableUse;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    pub id: String,
    pub workspace: String,
    pub template: Template,
    /// WABAs to create the template in.
    #[serde(default)]
    pub waba_ids: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_file: Option<Attachment>,
    /// Files of the carousel's cards, one position per card; missing positions are empty.
    #[serde(default)]
    pub card_files: Vec<Option<Attachment>>,
    /// File tied to `pix_data` (contract §4.3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pix_file: Option<Attachment>,
    /// File tied to `order_data` (contract §4.3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_file: Option<Attachment>,
    /// Administrative context; only for an edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub administration: Option<Administration>,
    /// The text in the JSON tab while it is not a valid template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_text: Option<String>,
    /// The template this draft edits; absent for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edits: Option<String>,
    /// The content that this draft translates, if it began as another language of a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translates: Option<Template>,
    /// Texts that stay as they are in what it translates, because the person said that they are right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub kept_texts: Vec<String>,
    /// Last stored, in Unix milliseconds.
    #[serde(default)]
    pub updated_at: i64,
}

/// The media of a submitted draft, as they are stored with the submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct SubmittedFiles {
    pub header: Option<Attachment>,
    /// One position per card.
    pub cards: Vec<Option<Attachment>>,
}

impl SubmittedFiles {
    /// The media of a draft without their thumbnails; `None` if there are none.
    #[must_use]
    pub fn of(draft: &Draft) -> Option<Self> {
        let bare = |file: &Option<Attachment>| file.clone().map(|file| Attachment { thumbnail: None, ..file });
        let files = Self { header: bare(&draft.header_file), cards: draft.card_files.iter().map(bare).collect() };
        (files.header.is_some() || files.cards.iter().any(Option::is_some)).then_some(files)
    }
}

impl Draft {
    pub fn files(&self) -> impl Iterator<Item = &Attachment> {
        let cards = self.card_files.iter().flatten();
        self.header_file.iter().chain(cards).chain(&self.pix_file).chain(&self.order_file)
    }
}

/// The administrative context of an edit (contract §4.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct Administration {
    /// The target workspace, if it is another one.
    pub workspace_uuid: Option<String>,
    pub is_administrator: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    pub path: String,
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Media type detected from its first bytes; empty if unknown.
    pub mime: String,
    /// Thumbnail of an image as a data URL, if it can be decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// Duration of a video in milliseconds, if the file states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DraftId {
    pub draft: String,
}

/// Request to create a draft: empty, or from one of these sources.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct CreateDraft {
    pub workspace: String,
    pub from_template: Option<String>,
    pub from_draft: Option<String>,
    /// Identifier of a version as the source of the content. With `from_template` and `edit`, the draft edits that
    /// template back to this version.
    pub from_version: Option<String>,
    /// Starter template as the source, in `language`, else in English.
    pub from_starter: Option<StarterName>,
    /// Language that replaces the source's: another language of the same template.
    pub language: Option<String>,
    /// Whether the draft edits `from_template` instead of copying it.
    #[serde(default)]
    pub edit: bool,
    /// Whether the copy is a utility template, under a name that is not in use: the channel does not take back a category
    /// once it has raised it (upstream §5.4).
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub as_utility: bool,
    /// WABAs for a source that names none; the one used last if empty.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub waba_ids: Vec<String>,
}

/// A starter template in one language.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Starter {
    pub name: StarterName,
    pub template: Template,
    /// The phone preview with its samples.
    pub bubble: Bubble,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct DraftRow {
    pub id: String,
    /// Name; may be empty.
    pub name: String,
    /// Language; may be empty.
    pub language: String,
    /// Start of the body.
    pub excerpt: String,
    /// The template it edits.
    pub edits: Option<String>,
    /// WABAs it is for.
    pub waba_ids: Vec<String>,
    /// Whether it may have been submitted: an answer of the provider was lost.
    pub is_unknown: bool,
    /// Last stored, in Unix milliseconds.
    pub updated_at: i64,
}

/// Request to check whether the name and language of a new template are in use.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CheckName {
    pub workspace: String,
    /// Identifier of the draft.
    pub draft: String,
    pub name: String,
    pub language: String,
    /// WABAs to create the template in.
    pub waba_ids: Vec<String>,
}

/// Request to inspect a template on a keystroke.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InspectTemplate {
    pub template: Template,
    #[serde(default)]
    pub files: DraftFiles,
    #[serde(default)]
    pub samples: SampleSet,
    /// It edits an existing template: a category that the provider does not state need not be chosen (contract §4.3).
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub is_edit: bool,
    /// The content of the template that it edits, if the review accepted it: what the edit leaves as it is blocks nothing.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub accepted: Option<Template>,
    /// The content that it translates.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub translates: Option<Template>,
    /// Texts of the original that are right in the translation.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub kept_texts: Vec<String>,
}

/// Properties of a draft's files that the rules need.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct DraftFiles {
    pub header: Option<FileFacts>,
    /// Files of the cards, one position per card.
    pub cards: Vec<Option<FileFacts>>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// Findings in the order of the template.
    pub findings: Vec<Finding>,
    pub bubble: Bubble,
    /// Lengths and their limits, by field.
    pub counters: Vec<Counter>,
    /// Variables in order.
    pub variables: Vec<VariableUse>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReadTemplate {
    pub text: String,
}

/// Result of parsing the JSON of a creation: a template, or the position of the error.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateText {
    /// The content; absent if the text is invalid.
    pub template: Option<Template>,
    /// The WABAs in the text; empty if it has none.
    pub waba_ids: Vec<String>,
    pub fault: Option<TextFault>,
}

/// A syntax error in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct TextFault {
    /// Line, from 1.
    pub line: usize,
    /// Column in that line, from 1, in UTF-16 code units as the window counts them.
    pub column: usize,
    /// The error and the expected input.
    pub message: String,
    /// Which fault it is, for texts in other languages.
    pub code: &'static str,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RewriteTemplate {
    pub template: Template,
    pub rewrite: Rewrite,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PickFile {
    /// Header format: `IMAGE`, `VIDEO` or `DOCUMENT`; empty for any file.
    pub format: String,
}

/// A file that was dropped on the window.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InspectFile {
    pub path: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LanguageOption {
    /// Code such as `pt_BR`.
    pub code: String,
    /// English name.
    pub name: String,
}
