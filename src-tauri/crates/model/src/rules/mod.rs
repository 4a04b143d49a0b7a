//! Rules of a template: what the contract and the channel require of its content, checked field by field.
//!
//! Violations of the contract or of the channel's own documentation are errors. Rules that only other sources report,
//! or on which sources disagree, give warnings; advice is a hint (upstream §0). A path may point to a missing field,
//! such as a sample to add.
//!
//! Findings of this module are never marked as fixable: [`crate::lint`] does that, because it verifies fixes with these
//! rules.

mod authentication;
mod body;
mod buttons;
mod carousel;
mod header;
mod heading;
mod length;
mod links;
mod payment;
mod placeholders;
pub(crate) mod report;
mod special;
mod text;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::Object;
use crate::component::Component;
use crate::finding::{Counter, Finding, Severity};
use crate::listed::creation_form;
use crate::media::Encoding;
use crate::template::Template;
use crate::vocabulary::{Category, ParameterFormat};
pub(crate) use report::source;
use report::{At, Report};
use special::Make;

pub use header::SAMPLE_IS_ADDRESS;
pub(crate) use heading::lifetimes;
pub use heading::{CATEGORY_REQUIRED, DISPLAY_FORMAT_REQUIRED, FORMAT_MISSING, ORDER_DISPLAY_FORMAT};
pub(crate) use payment::of_order;
pub(crate) use placeholders::is_fictional_number;
pub(crate) use text::{ValueFault, is_emoji, value_fault};

/// Maximum number of characters of the template's body, with variables filled in.
pub(crate) fn body_limit(template: &Template) -> usize {
    Make::of(template).body_limit().0
}

/// Known facts about a file of the template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FileFacts {
    /// Size in bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// Media type detected from the bytes; absent if unknown.
    pub mime: Option<String>,
    /// Encoding of a picture or video; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
}

/// Input of the rules besides the template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintContext {
    /// Whether the files are known. If so, a header with an upload placeholder and no file is an error. A template file
    /// on disk has no information about its uploads.
    pub files_known: bool,
    pub header_file: Option<FileFacts>,
    /// Files of the cards, in order.
    pub card_files: Vec<Option<FileFacts>>,
}

/// Shared input of the rules.
struct Scope<'a> {
    template: &'a Template,
    format: ParameterFormat,
    files_known: bool,
}

/// All findings of a template and of its files, in the order of its fields.
pub(crate) fn findings(template: &Template, context: &LintContext) -> Vec<Finding> {
    let mut report = Report::default();
    check(&mut report, template, context);
    report.findings
}

/// [`findings`], and the lengths of all texts and lists that have a limit, in the order of the fields.
pub(crate) fn findings_and_counters(template: &Template, context: &LintContext) -> (Vec<Finding>, Vec<Counter>) {
    let mut report = Report { counters: Some(Vec::new()), ..Report::default() };
    check(&mut report, template, context);
    (report.findings, report.counters.unwrap_or_default())
}

/// Code and severity of every finding: enough to decide whether a change is an improvement.
pub(crate) fn codes_of(template: &Template, context: &LintContext) -> Vec<(&'static str, Severity)> {
    let mut report = Report { codes: Some(Vec::new()), ..Report::default() };
    check(&mut report, template, context);
    report.codes.unwrap_or_default().into_iter().map(|(code, severity)| weighed(code, severity)).collect()
}

/// A finding's code, and its severity for a fix: no fix may cause a finding that a person must override.
pub(crate) fn weighed(code: &'static str, severity: Severity) -> (&'static str, Severity) {
    (code, if Finding::OVERRIDABLE.contains(&code) { Severity::Error } else { severity })
}

fn check(report: &mut Report, template: &Template, context: &LintContext) {
    heading::check(report, template);
    let root = At::Root;
    let at = root.field("components");
    if template.components.is_empty() {
        let message = "The template has no content. Write at least a body.";
        report.error("components.required", &at, source::CONTRACT_CREATE, message, &[]);
        return;
    }
    duplicates(report, &at, &template.components);
    if !template.components.iter().any(|component| is_or_was(component, "BODY")) {
        let message = "The template has no body. Add one.";
        report.error("body.required", &at, source::COMPONENTS, message, &[]);
    }
    if template.category == Category::Authentication {
        // The listed form stands for the template that was created.
        authentication::check(report, &at, &creation_form(template));
        authentication::replaced_text(report, &at, template);
    } else {
        components(report, &at, template, context);
    }
    unused_files(report, &at, template, context);
}

/// Parses a template from the creation JSON (contract §4.2).
///
/// # Errors
/// The finding that explains why the JSON is not a template.
pub(crate) fn read_template(json: &Value) -> Result<Template, Vec<Finding>> {
    let mut report = Report::default();
    let root = At::Root;
    if !json.is_object() {
        let message = "A template must be a JSON object with name, category, language and components.";
        report.error("template.malformed", &root, source::CONTRACT_CREATE, message, &[("fault", &"")]);
        return Err(report.findings);
    }
    crate::json::read(json).map_err(|error| {
        let fault = error.to_string();
        report.error(
            "template.malformed",
            &root,
            source::CONTRACT_CREATE,
            format_args!("The template can't be read: {fault}. Correct the JSON."),
            &[("fault", &fault)],
        );
        report.findings
    })
}

/// A type or format of the wire as a word in a sentence: `IMAGE` is "image".
fn in_words(word: &str) -> String {
    word.to_ascii_lowercase().replace('_', "-")
}

/// Whether a component has this type, readable or not.
fn is_or_was(component: &Component, kind: &str) -> bool {
    component.type_name().eq_ignore_ascii_case(kind)
}

fn components(report: &mut Report, at: &At<'_>, template: &Template, context: &LintContext) {
    let format = template.effective_parameter_format();
    let scope = Scope { template, format, files_known: context.files_known };
    let make = Make::of(template);
    // The files belong to the first carousel; a second one is a separate error.
    let mut card_files = context.card_files.as_slice();
    for (index, component) in template.components.iter().enumerate() {
        let item = at.item(index);
        match component {
            Component::Header(head) => header::check(report, &item, head, &scope, context.header_file.as_ref()),
            Component::Body(text) => body::check(report, &item, text, &scope, make.body_limit()),
            Component::Footer(text) => body::footer(report, &item, text, &scope),
            Component::Buttons(row) => buttons::check(report, &item, row, &scope, buttons::Row::Message),
            Component::Carousel(cards) => {
                carousel::check(report, &item, cards, &scope, std::mem::take(&mut card_files));
            }
            Component::LimitedTimeOffer(_) | Component::CallPermissionRequest(_) => {}
            Component::Unknown(object) => unknown(report, &item, "component", object, Component::TYPES),
        }
    }
    special::check(report, at, template, &make);
}

/// Reports files of the header and of the cards that the template doesn't use.
fn unused_files(report: &mut Report, at: &At<'_>, template: &Template, context: &LintContext) {
    if context.header_file.is_some() && !shows_file(&template.components) {
        let message = "There is a file, but no header to show it. Remove the file, or add a header.";
        report.error("header.file_unused", at, source::CONTRACT_COMPONENTS, message, &[]);
    }
    let mut carousels = template.components.iter().enumerate().filter_map(|(index, component)| match component {
        Component::Carousel(carousel) => Some((index, &carousel.cards)),
        _ => None,
    });
    let first = carousels.next();
    let item = at.item(first.map_or(0, |(index, _)| index));
    let (here, cards) = match first {
        Some((_, cards)) => (item.field("cards"), cards.as_slice()),
        None => (*at, [].as_slice()),
    };
    let mut beyond = 0;
    for (index, _) in context.card_files.iter().enumerate().filter(|(_, file)| file.is_some()) {
        match cards.get(index) {
            Some(card) if shows_file(&card.components) => {}
            Some(_) => {
                let message = "There is a file for this card, but no header to show it. Remove the file, or add an image or video header.";
                let item = here.item(index);
                report.error("card.file_unused", &item.field("components"), source::CONTRACT_COMPONENTS, message, &[]);
            }
            None => beyond += 1,
        }
    }
    if beyond > 0 {
        report.error(
            "carousel.file_unused",
            &here,
            source::CONTRACT_COMPONENTS,
            format_args!("Files without a card: {beyond}. Remove them, or add the cards."),
            &[("count", &beyond)],
        );
    }
}

/// Whether one of the components is a header with a file.
fn shows_file(components: &[Component]) -> bool {
    components.iter().any(|component| matches!(component, Component::Header(header) if header.format.is_media()))
}

/// Reports duplicate components of types that the channel allows once.
fn duplicates(report: &mut Report, at: &At<'_>, components: &[Component]) {
    let mut seen = [false; Component::TYPES.len()];
    for (index, component) in components.iter().enumerate() {
        let kind = component.type_name();
        let Some(place) = Component::TYPES.iter().position(|known| known.eq_ignore_ascii_case(kind)) else { continue };
        if std::mem::replace(&mut seen[place], true) {
            let kind = Component::TYPES[place];
            report.error(
                "component.duplicate",
                &at.item(index),
                source::COMPONENTS,
                format_args!("There is more than one {}. Keep only one.", in_words(kind)),
                &[("type", &kind)],
            );
        }
    }
}

/// Reports an object that can't be read as one of `types`: an error if its type is known, else a hint.
fn unknown(report: &mut Report, at: &At<'_>, what: &'static str, object: &Object, types: &[&str]) {
    let kind = object.get("type").and_then(Value::as_str).unwrap_or_default();
    let malformed = if what == "button" { "button.malformed" } else { "component.malformed" };
    if kind.is_empty() {
        let message = format_args!("The {what} has no type. Add one, such as {}.", types[0]);
        report.error(malformed, at, source::CONTRACT_COMPONENTS, message, &[]);
    } else if types.iter().any(|known| known.eq_ignore_ascii_case(kind)) {
        report.error(
            malformed,
            at,
            source::CONTRACT_COMPONENTS,
            format_args!(
                "The {what} of the type {kind} can't be read: a field is missing or has the wrong type. Correct it."
            ),
            &[("type", &kind)],
        );
    } else {
        report.hint(
            if what == "button" { "button.unknown" } else { "component.unknown" },
            at,
            source::CONTRACT_COMPONENTS,
            format_args!("This app doesn't know a {what} of the type {kind}; it is sent unchanged."),
            &[("type", &kind)],
        );
    }
}
