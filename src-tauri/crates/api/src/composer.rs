//! Drafts, and what the composer is told on every keystroke.

use model::finding::{Counter, Finding};
use model::lint::FileFacts;
use model::media::Encoding;
use model::render::Bubble;
use model::rewrite::Rewrite;
use model::samples::SampleSet;
use model::template::Template;
use model::variable::VariableUse;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A draft as composed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// Identifier.
    pub id: String,
    /// Workspace.
    pub workspace: String,
    /// The content.
    pub template: Template,
    /// WABAs it shall be created in.
    #[serde(default)]
    pub waba_ids: Vec<String>,
    /// The header's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_file: Option<Attachment>,
    /// Files of the cards of the carousel, one place for each card; a card beyond the end has none.
    #[serde(default)]
    pub card_files: Vec<Option<Attachment>>,
    /// File tied to `pix_data` (contract §4.3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pix_file: Option<Attachment>,
    /// File tied to `order_data` (contract §4.3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_file: Option<Attachment>,
    /// Administrative context; of an edit only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub administration: Option<Administration>,
    /// What stands in the JSON tab while it cannot be read as a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_text: Option<String>,
    /// The template this draft edits; absent for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edits: Option<String>,
    /// Last stored, in Unix milliseconds.
    #[serde(default)]
    pub updated_at: i64,
}

impl Draft {
    /// Every file of this machine that goes with it.
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
    /// The workspace that is meant, where it is another one.
    pub workspace_uuid: Option<String>,
    /// Marks the edit as made by an administrator.
    pub is_administrator: bool,
}

/// A file on this machine that goes with a draft.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Where it is.
    pub path: String,
    /// Its name.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Type read from its first bytes; empty when they tell none.
    pub mime: String,
    /// Thumbnail of a picture as a data URL, where it can be decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
    /// How a picture or a video is encoded, where it states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// Duration of a video in milliseconds, where it states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

/// Names a draft.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DraftId {
    /// Identifier.
    pub draft: String,
}

/// A draft to begin: empty, or from one of these.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct CreateDraft {
    /// Workspace.
    pub workspace: String,
    /// Template to begin from.
    pub from_template: Option<String>,
    /// Draft to begin from.
    pub from_draft: Option<String>,
    /// JSON of a creation (contract §4.2) to begin from; `waba_ids` may be absent.
    pub from_json: Option<String>,
    /// Identifier of a version whose content is taken. With `from_template` and `edit` it becomes an edit of that
    /// template back to this version.
    pub from_version: Option<String>,
    /// Language instead of the one it begins from: another language of the same template.
    pub language: Option<String>,
    /// Whether the draft edits `from_template` instead of copying it.
    #[serde(default)]
    pub edit: bool,
}

/// A draft in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct DraftRow {
    /// Identifier.
    pub id: String,
    /// Name; may be empty.
    pub name: String,
    /// Language; may be empty.
    pub language: String,
    /// Start of the body.
    pub excerpt: String,
    /// The template it edits.
    pub edits: Option<String>,
    /// Last stored, in Unix milliseconds.
    pub updated_at: i64,
}

/// What the composer asks on every keystroke.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InspectTemplate {
    /// The content as it stands.
    pub template: Template,
    /// What is known of the files that go with it.
    #[serde(default)]
    pub files: DraftFiles,
    /// The samples to show.
    #[serde(default)]
    pub samples: SampleSet,
    /// It edits a template that is there: a category that the provider does not say need not be chosen (contract §4.3).
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub is_edit: bool,
}

/// What the rules need to know of the files of a draft.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct DraftFiles {
    /// The header's file.
    pub header: Option<FileFacts>,
    /// Files of the cards, one place for each card.
    pub cards: Vec<Option<FileFacts>>,
}

/// What the rules and the phone say about a template.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// In the order of the template.
    pub findings: Vec<Finding>,
    /// What the phone shows.
    pub bubble: Bubble,
    /// Lengths and their limits, by field.
    pub counters: Vec<Counter>,
    /// Variables found, in order.
    pub variables: Vec<VariableUse>,
}

/// Text to be read as the JSON of a creation.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReadTemplate {
    /// The text as it stands.
    pub text: String,
}

/// What a text says as the JSON of a creation: a template, or where it cannot be read.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateText {
    /// The content; absent where the text cannot be read.
    pub template: Option<Template>,
    /// WABAs it names; empty where it names none.
    pub waba_ids: Vec<String>,
    /// Why it cannot be read.
    pub fault: Option<TextFault>,
}

/// A place in a text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct TextFault {
    /// Line, from 1.
    pub line: usize,
    /// Column in that line, from 1, in characters as the window counts them (UTF-16).
    pub column: usize,
    /// What is wrong there and what is expected.
    pub message: String,
}

/// A change of a whole template that a person asks for.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RewriteTemplate {
    /// The content as it stands.
    pub template: Template,
    /// The change.
    pub rewrite: Rewrite,
}

/// What kind of file is wanted.
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
    /// Where it is.
    pub path: String,
}

/// A language of the channel.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LanguageOption {
    /// Code such as `pt_BR`.
    pub code: String,
    /// English name.
    pub name: String,
}
