//! Converts records of a listing to their cached form.

use model::component::Component;
use model::lifecycle;
use model::template::TemplateRecord;
use model::translation;
use provider_client::ListedTemplate;
use store::cache::{CachedTemplate, RequestMark, Since, TemplateRow};

use outgoing::template_text::body_text;

/// The cached form of a listed record; `None` without a reference, since no request could address it.
pub(crate) fn cached(workspace: &str, listed: ListedTemplate, asked: RequestMark) -> Option<CachedTemplate> {
    let record = &listed.record;
    let template = &record.template;
    let (status, rejected_reason) = record.decisive_status();
    let (category, asked_category) = record.decisive_category();
    let row = TemplateRow {
        workspace_id: workspace.to_owned(),
        reference: record.reference().filter(|reference| !reference.is_empty())?.to_owned(),
        channel_id: record.id.as_ref().map(|id| id.as_str().to_owned()),
        name: template.name.clone(),
        language: template.language.clone(),
        status: status.map(|status| status.as_str().to_owned()).unwrap_or_default(),
        archived: record.is_archived(),
        category,
        sub_category: template.sub_category.clone(),
        kind: template.kind.as_ref().map(|kind| kind.as_str().to_owned()).unwrap_or_default(),
        business_id: record.business_id.as_ref().map(|id| id.as_str().to_owned()),
        quality: record.quality(),
        rejected_reason: rejected_reason.filter(|reason| !reason.eq_ignore_ascii_case("NONE")),
        wabas: record.wabas(),
        header_format: template.find(|component| match component {
            Component::Header(header) => Some(header.format.as_str().to_owned()),
            _ => None,
        }),
        carousel: template.find(|component| matches!(component, Component::Carousel(_)).then_some(())).is_some(),
        sample: lifecycle::is_sample(&template.name),
        statuses_seq: None,
        statuses: String::new(),
        asked_category,
        shape: translation::shape(template),
        body_text: body_text(template).to_owned(),
        updated_at: ["updated_at", "updatedAt", "last_updated_time"]
            .iter()
            .find_map(|key| instant(template.extra.get(*key)?))
            .unwrap_or(0),
        asked,
        status_since: None,
        archived_since: record.archived_at.as_ref().and_then(instant).map(|at| Since { at, exact: true }),
        last_sent_at: None,
        missing_since: None,
    };
    Some(CachedTemplate { row, record: listed.raw })
}

/// An instant in the formats of providers: RFC 3339, seconds or milliseconds since 1970.
fn instant(value: &serde_json::Value) -> Option<i64> {
    match value {
        serde_json::Value::String(text) => {
            chrono::DateTime::parse_from_rfc3339(text).ok().map(|at| at.timestamp_millis())
        }
        serde_json::Value::Number(number) => {
            let number = number.as_i64()?;
            Some(if number < 100_000_000_000 { number * 1_000 } else { number })
        }
        _ => None,
    }
}

/// A stored record, parsed; `None` for one that this version cannot read.
pub(crate) fn record(json: &str) -> Option<TemplateRecord> {
    serde_json::from_str(json).ok()
}
