//! The content of a draft's requests: upload placeholders for files, and only the changed fields of an edit.

use std::collections::BTreeMap;

use model::button::Button;
use model::component::{BodyExample, Component, Header, HeaderExample, NamedSample, UPLOAD_PENDING};
use model::diff::Change;
use model::finding::{Finding, Severity};
use model::lint::ORDER_DISPLAY_FORMAT;
use model::listed::creation_form;
use model::template::{EditTemplate, Template, TemplateRecord};
use model::vocabulary::{ParameterFormat, TemplateStatus};
use provider_client::TemplateFiles;

use crate::template_text::content_of;
use command_types::composer::{Attachment, Draft};

/// The template with the upload placeholder at every place that has a file, and the files of the draft that have a
/// place (contract §2.2).
pub fn with_files(draft: &Draft) -> (Template, TemplateFiles<Attachment>) {
    let mut template = content_to_send(draft);
    let mut files = TemplateFiles {
        header_file: draft.header_file.clone(),
        carousel_files: Vec::new(),
        pix_file: draft.pix_file.clone(),
        order_file: draft.order_file.clone(),
    };
    if files.header_file.is_some()
        && let Some(header) = media_header(&mut template.components)
    {
        set_upload_placeholder(header);
    }
    let cards = template.components.iter_mut().find_map(|component| match component {
        Component::Carousel(carousel) => Some(&mut carousel.cards),
        _ => None,
    });
    for (card, file) in cards.into_iter().flatten().zip(&draft.card_files) {
        if let (Some(file), Some(header)) = (file, media_header(&mut card.components)) {
            set_upload_placeholder(header);
            files.carousel_files.push(file.clone());
        }
    }
    (template, files)
}

/// The content of a draft without empty samples, in the form of a creation; content from a file keeps its samples. A
/// creation states the format of named variables, without which the channel expects numbers, and that of an order, which
/// not every listing has.
pub fn content_to_send(draft: &Draft) -> Template {
    let mut template = creation_form(&draft.template).into_owned();
    if draft.edits.is_none() {
        template.parameter_format = stated_format(&template);
        template.display_format = stated_display_format(&template);
    }
    if !draft.id.is_empty() {
        remove_empty_samples(&mut template.components);
    }
    template
}

/// The format of the variables as a request states it.
pub(super) fn stated_format(template: &Template) -> Option<ParameterFormat> {
    let named = || Some(template.effective_parameter_format()).filter(|format| *format == ParameterFormat::Named);
    template.parameter_format.clone().or_else(named)
}

fn stated_display_format(template: &Template) -> Option<String> {
    template.display_format.clone().or_else(|| template.has_order_button().then(|| ORDER_DISPLAY_FORMAT.to_owned()))
}

/// Removes empty samples; empty form fields produce them.
fn remove_empty_samples(components: &mut [Component]) {
    let is_empty = |samples: &[String]| samples.iter().all(|sample| sample.trim().is_empty());
    let unnamed = |samples: &[NamedSample]| samples.iter().all(|sample| sample.example.trim().is_empty());
    for component in components {
        match component {
            Component::Header(header) => {
                if let Some(example) = &mut header.example
                    && is_empty(&example.header_text)
                    && unnamed(&example.header_text_named_params)
                {
                    example.header_text.clear();
                    example.header_text_named_params.clear();
                }
                header.example.take_if(|example| *example == HeaderExample::default());
            }
            Component::Body(body) => {
                if let Some(example) = &mut body.example
                    && example.body_text.iter().all(|row| is_empty(row))
                    && unnamed(&example.body_text_named_params)
                {
                    example.body_text.clear();
                    example.body_text_named_params.clear();
                }
                body.example.take_if(|example| *example == BodyExample::default());
            }
            Component::Buttons(buttons) => {
                for button in &mut buttons.buttons {
                    if let Button::Url(url) = button
                        && is_empty(&url.example)
                    {
                        url.example.clear();
                    }
                }
            }
            Component::Carousel(carousel) => {
                carousel.cards.iter_mut().for_each(|card| remove_empty_samples(&mut card.components));
            }
            _ => {}
        }
    }
}

fn media_header(components: &mut [Component]) -> Option<&mut Header> {
    components.iter_mut().find_map(|component| match component {
        Component::Header(header) if header.format.is_media() => Some(header),
        _ => None,
    })
}

fn set_upload_placeholder(header: &mut Header) {
    header.example.get_or_insert_default().header_handle = vec![UPLOAD_PENDING.to_owned()];
}

/// The fields that differ; only these are sent. Components are replaced as a whole (upstream §5.3); a field that is
/// absent in the new content is cleared.
pub fn edit_of(old: &Template, new: &Template) -> EditTemplate {
    EditTemplate {
        category: new.category.is_other_than(&old.category).then(|| new.category.clone()),
        sub_category: changed(&old.sub_category, &new.sub_category),
        components: (with_stable_addresses(old) != with_stable_addresses(new)).then(|| new.components.clone()),
        parameter_format: changed(&old.parameter_format, &new.parameter_format),
        pix_data: changed(&old.pix_data, &new.pix_data),
        order_data: changed(&old.order_data, &new.order_data),
        ..EditTemplate::default()
    }
}

fn changed<T: Clone + PartialEq>(old: &Option<T>, new: &Option<T>) -> Option<Option<T>> {
    (old != new).then(|| new.clone())
}

/// The components with one fixed address for all samples: the channel returns a new address each time (upstream §1.3),
/// so a new listing is not a change.
fn with_stable_addresses(template: &Template) -> Vec<Component> {
    fn clear(components: &mut [Component]) {
        for component in components {
            match component {
                Component::Header(header) => {
                    let handles = header.example.iter_mut().flat_map(|example| &mut example.header_handle);
                    handles.filter(|handle| handle.starts_with("http")).for_each(String::clear);
                }
                Component::Carousel(carousel) => {
                    carousel.cards.iter_mut().for_each(|card| clear(&mut card.components));
                }
                _ => {}
            }
        }
    }
    let mut components = template.components.clone();
    clear(&mut components);
    components
}

/// Documents which fields of an approved template are fixed.
const MANAGEMENT: &str =
    "https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/template-management";

/// The fields that differ but can't be edited (contract §4.3).
pub(super) fn fixed_fields(old: &Template, new: &Template) -> Vec<String> {
    let known = [
        ("name", old.name != new.name),
        ("language", old.language != new.language),
        ("type", old.kind != new.kind),
        ("message_send_ttl_seconds", old.message_send_ttl_seconds != new.message_send_ttl_seconds),
        ("display_format", old.display_format != new.display_format),
    ];
    let known = known.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field.to_owned());
    let others = old.extra.keys().chain(new.extra.keys().filter(|field| !old.extra.contains_key(*field)));
    known.chain(others.filter(|field| old.extra.get(*field) != new.extra.get(*field)).cloned()).collect()
}

/// The content of a listed template, if the review accepted it or if the provider states no status.
pub fn accepted_content(record: &TemplateRecord) -> Option<Template> {
    let is_accepted = record.status.as_ref().is_none_or(TemplateStatus::is_accepted);
    is_accepted.then(|| content_of(record.template.clone()))
}

/// Findings for changes that an edit can't make, or that are usually rejected (contract §4.3; upstream §5.3).
pub fn edit_findings(old: &Template, new: &Template, before: &TemplateRecord) -> Vec<Finding> {
    let warning = |code, field: &str, message: String, source| Finding {
        code,
        severity: Severity::Warning,
        path: format!("/{}", field.replace('~', "~0").replace('/', "~1")),
        message,
        values: BTreeMap::from([("field", field.to_owned())]),
        source,
        fixable: false,
        untouched: false,
    };
    let mut findings = Vec::new();
    for field in fixed_fields(old, new) {
        let message = format!("The field {field} of an existing template cannot be changed; it is not sent.");
        findings.push(warning("edit.field_fixed", &field, message, "contract §4.3"));
    }
    let cleared = [
        ("sub_category", old.sub_category.is_some() && new.sub_category.is_none()),
        ("parameter_format", old.parameter_format.is_some() && new.parameter_format.is_none()),
        ("pix_data", old.pix_data.is_some() && new.pix_data.is_none()),
        ("order_data", old.order_data.is_some() && new.order_data.is_none()),
    ];
    for (field, _) in cleared.into_iter().filter(|(_, cleared)| *cleared) {
        let message = format!(
            "The field {field} is cleared: it is sent as null, and empty in a form. The contract does not say how a \
             field is cleared, so check the template afterwards."
        );
        findings.push(warning("edit.field_cleared", field, message, "contract §4.3"));
    }
    if !old.category.is_absent()
        && new.category.is_other_than(&old.category)
        && before.status.as_ref().is_some_and(TemplateStatus::is_sendable)
    {
        let category = old.category.to_string();
        let message = format!(
            "The channel usually refuses another category for an approved template; it stays {category} then. Send \
             it only if your provider allows it."
        );
        let values = BTreeMap::from([("category", category)]);
        findings.push(Finding { values, ..warning("edit.category_approved", "category", message, MANAGEMENT) });
    }
    findings
}

/// Findings if the channel usually rejects edits in the current state of the template; empty if it accepts them, or if
/// the provider doesn't state the status.
pub fn state_findings(before: &TemplateRecord) -> Vec<Finding> {
    let (code, status, message) = match &before.status {
        _ if before.is_archived() == Some(true) => (
            "edit.archived",
            "ARCHIVED".to_owned(),
            "The template is archived, and the channel usually refuses edits of archived templates. Unarchive it \
             first, or send the edit if your provider allows it."
                .to_owned(),
        ),
        Some(TemplateStatus::Unknown(_)) | None => return Vec::new(),
        Some(status) if status.is_editable() => return Vec::new(),
        Some(status) => (
            "edit.status",
            status.to_string(),
            format!(
                "The template is {status}, and the channel usually takes edits of APPROVED, REJECTED and PAUSED \
                 templates only. Wait until that has changed, or send the edit if your provider allows it."
            ),
        ),
    };
    vec![Finding {
        code,
        severity: Severity::Warning,
        path: String::new(),
        message,
        values: BTreeMap::from([("status", status)]),
        source: MANAGEMENT,
        fixable: false,
        untouched: false,
    }]
}

/// Every file of a draft with its place, as a JSON pointer into the template.
pub fn files(draft: &Draft) -> Vec<(String, &Attachment)> {
    let components = &draft.template.components;
    let at = |kind: &str| {
        let place = components.iter().position(|component| component.type_name().eq_ignore_ascii_case(kind));
        place.map_or_else(|| "/components".to_owned(), |place| format!("/components/{place}"))
    };
    let header = draft.header_file.iter().map(|file| (at("HEADER"), file));
    let cards = draft.card_files.iter().enumerate();
    let cards = cards.filter_map(|(card, file)| Some((format!("{}/cards/{card}", at("CAROUSEL")), file.as_ref()?)));
    let pix = draft.pix_file.iter().map(|file| ("/pix_data".to_owned(), file));
    let order = draft.order_file.iter().map(|file| ("/order_data".to_owned(), file));
    header.chain(cards).chain(pix).chain(order).collect()
}

/// A finding for a local file that can't be sent.
pub fn file_finding(path: String, name: &str, reason: &str) -> Finding {
    Finding {
        code: "file.unusable",
        severity: Severity::Error,
        path,
        message: format!("{name}: {reason}"),
        values: BTreeMap::from([("name", name.to_owned()), ("reason", reason.to_owned())]),
        source: "contract §4.2",
        fixable: false,
        untouched: false,
    }
}

/// The files of a request as changes to display.
pub fn file_changes(draft: &Draft) -> Vec<Change> {
    let change = |path: String, file: &Attachment| Change {
        path,
        before: None,
        after: Some(file.name.clone()),
        words: Vec::new(),
    };
    let header = draft.header_file.iter().map(|file| change("/components/HEADER/file".to_owned(), file));
    let cards = draft.card_files.iter().enumerate().filter_map(|(place, file)| {
        Some(change(format!("/components/CAROUSEL/cards/{place}/HEADER/file"), file.as_ref()?))
    });
    let pix = draft.pix_file.iter().map(|file| change("/pix_data/file".to_owned(), file));
    let order = draft.order_file.iter().map(|file| change("/order_data/file".to_owned(), file));
    header.chain(cards).chain(pix).chain(order).collect()
}

#[cfg(test)]
mod tests;
