//! Multipart forms of creations and edits with files, in the contract's order (§4.2, §4.3).
//!
//! The request and its preview are made from the same list.

use std::sync::Arc;

use model::Object;
use model::template::{EditTemplate, Template};
use model::vocabulary::{ParameterFormat, TemplateType};
use reqwest::multipart::Form;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::watch;
use ts_rs::TS;

use crate::endpoint::WabaField;
use crate::error::Error;
use crate::transport::{Body, Files};
use crate::upload::Upload;

/// The files that go with a creation or an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateFiles<F = Upload> {
    pub header_file: Option<F>,
    /// Files of the cards with an upload placeholder, in the order of the cards.
    pub carousel_files: Vec<F>,
    pub pix_file: Option<F>,
    pub order_file: Option<F>,
}

impl<F> Default for TemplateFiles<F> {
    fn default() -> Self {
        Self { header_file: None, carousel_files: Vec::new(), pix_file: None, order_file: None }
    }
}

impl<F> TemplateFiles<F> {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.header_file.is_none()
            && self.carousel_files.is_empty()
            && self.pix_file.is_none()
            && self.order_file.is_none()
    }

    /// All files with the names of their parts, in the order in which they are sent.
    pub fn into_parts(self) -> impl Iterator<Item = (&'static str, F)> {
        let header = self.header_file.map(|file| ("header_file", file));
        let cards = self.carousel_files.into_iter().map(|file| ("carousel_files[]", file));
        let pix = self.pix_file.map(|file| ("pix_file", file));
        let order = self.order_file.map(|file| ("order_file", file));
        header.into_iter().chain(cards).chain(pix).chain(order)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadProgress<'a> {
    /// Bytes of all files sent so far.
    pub sent: u64,
    /// Bytes of all files.
    pub total: u64,
    /// Name of the file that is being sent.
    pub file: &'a str,
}

impl TemplateFiles {
    /// Reports the progress of all files together.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(UploadProgress<'_>) + Send + Sync + 'static) -> Self {
        let progress = Arc::new(progress);
        let mut total = 0;
        let mut count = |file: &Upload| total += file.length();
        self.header_file.iter().for_each(&mut count);
        self.carousel_files.iter().for_each(&mut count);
        self.pix_file.iter().for_each(&mut count);
        self.order_file.iter().for_each(&mut count);
        let mut before = 0;
        // Struct fields are evaluated as written: in the order in which the files are sent.
        let mut report = |file: Upload| {
            let (start, progress, name) = (before, Arc::clone(&progress), file.file_name().to_owned());
            before += file.length();
            file.with_progress(Arc::new(move |sent, _| {
                progress(UploadProgress { sent: start + sent, total, file: &name })
            }))
        };
        Self {
            header_file: self.header_file.map(&mut report),
            carousel_files: self.carousel_files.into_iter().map(&mut report).collect(),
            pix_file: self.pix_file.map(&mut report),
            order_file: self.order_file.map(&mut report),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormPart<F> {
    pub name: String,
    pub content: Content<F>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content<F> {
    /// A string unchanged; any other value as JSON.
    Text(String),
    File(F),
}

/// The form of a creation in one WABA; a form supports only one (contract §4.2).
///
/// Fields that the contract doesn't name here are omitted if they have their default: the type `cloud_api`, and numbers as
/// variables. The channel rejects variables with names unless their format is stated.
#[must_use]
pub fn creation<F>(template: &Template, field: WabaField, waba: &str, files: TemplateFiles<F>) -> Vec<FormPart<F>> {
    let mut template = template.clone();
    template.kind.take_if(|kind| *kind == TemplateType::CloudApi);
    if template.parameter_format == Some(ParameterFormat::Positional) {
        template.parameter_format = None;
        if template.effective_parameter_format() != ParameterFormat::Positional {
            template.parameter_format = Some(ParameterFormat::Positional);
        }
    }
    let mut texts = fields(&template);
    let mut ordered = Object::new();
    ordered.insert(field.as_str().to_owned(), Value::String(waba.to_owned()));
    // The contract's fields first, in its order, then the other fields of the template.
    for key in ["name", "language", "category", "type"] {
        if let Some(value) = texts.shift_remove(key) {
            ordered.insert(key.to_owned(), value);
        }
    }
    ordered.extend(texts);
    parts(ordered, files)
}

/// The form of an edit (contract §4.3). A cleared field is empty; a cleared JSON field is `null`.
#[must_use]
pub fn edit<F>(edit: &EditTemplate, files: TemplateFiles<F>) -> Vec<FormPart<F>> {
    let mut texts = fields(edit);
    for name in ["sub_category", "parameter_format"] {
        if let Some(value @ Value::Null) = texts.get_mut(name) {
            *value = Value::String(String::new());
        }
    }
    parts(texts, files)
}

/// Where the contract names a field of the form, if not for a creation with files (§4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum BeyondContract {
    /// For a creation without files.
    JsonOnly,
    /// For edits (contract §4.3).
    EditOnly,
    /// Not at all.
    Unnamed,
}

/// Classifies a field that the contract doesn't name for a creation with files; `None` for a named one.
#[must_use]
pub fn beyond_creation(name: &str) -> Option<BeyondContract> {
    match name {
        // The contract's table says `waba_ids`, its text `waba_id` (§2.1).
        "waba_ids" | "waba_id" | "name" | "language" | "category" | "header_file" | "components" => None,
        "type" => Some(BeyondContract::JsonOnly),
        "sub_category" | "parameter_format" | "pix_data" | "order_data" | "pix_file" | "order_file"
        | "carousel_files[]" => Some(BeyondContract::EditOnly),
        _ => Some(BeyondContract::Unnamed),
    }
}

/// Fields, then files, then the components, which reference the files.
fn parts<F>(mut texts: Object, files: TemplateFiles<F>) -> Vec<FormPart<F>> {
    let components = texts.shift_remove("components");
    let text = |name: String, value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        FormPart { name, content: Content::Text(text) }
    };
    let mut parts: Vec<_> = texts.into_iter().map(|(name, value)| text(name, &value)).collect();
    parts.extend(
        files.into_parts().map(|(name, file)| FormPart { name: name.to_owned(), content: Content::File(file) }),
    );
    parts.extend(components.map(|components| text("components".to_owned(), &components)));
    parts
}

/// The fields of a value that serialises to a JSON object, in the order of declaration.
fn fields(value: &impl Serialize) -> Object {
    let value = serde_json::to_value(value).expect("the channel's vocabulary is JSON");
    value.as_object().cloned().expect("templates and edits are JSON objects")
}

pub(crate) async fn body(parts: Vec<FormPart<Upload>>) -> Result<Body, Error> {
    let (progress_signal, sent_bytes) = watch::channel(0);
    let mut form = Form::new();
    let mut total = 0;
    for part in parts {
        form = match part.content {
            Content::Text(text) => form.text(part.name, text),
            Content::File(file) => {
                total += file.length();
                form.part(part.name, file.into_part(progress_signal.clone()).await?)
            }
        };
    }
    Ok(Body::Form(form, Files { sent_bytes, total }))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::json;

    use super::*;

    #[test]
    fn a_creation_with_files_states_the_format_of_named_variables() {
        for (text, format, sent) in [
            ("Hi {{first_name}}, all of you", Some("NAMED"), Some("NAMED")),
            ("Hi {{1}}, all of you", Some("POSITIONAL"), None),
            ("Hi {{first_name}}, all of you", Some("POSITIONAL"), Some("POSITIONAL")),
            ("Hi {{1}}, all of you", None, None),
        ] {
            let template = serde_json::from_value(json!({"name": "n", "language": "en", "category": "utility",
                "parameter_format": format, "components": [{"type": "BODY", "text": text}]}));
            let parts = creation::<()>(&template.unwrap(), WabaField::default(), "1", TemplateFiles::default());
            let found = parts.iter().find(|part| part.name == "parameter_format").map(|part| &part.content);
            let found = found.map(|content| if let Content::Text(text) = content { text.as_str() } else { "" });
            assert_eq!(found, sent, "{text} {format:?}");
        }
    }
}
