//! Rules of the template's own fields: name, language, category, type, time to live (upstream §1, §4.4).

use std::collections::HashSet;

use serde_json::Value;

use super::report::{At, Report, source};
use super::{payment, text};
use crate::component::Component;
use crate::language;
use crate::template::Template;
use crate::vocabulary::{Category, HeaderFormat, ParameterFormat, TemplateType};

/// Code of the finding for a missing category. A creation requires one (contract §4.2); an edit doesn't (§4.3), and a
/// record may omit it.
pub const CATEGORY_REQUIRED: &str = "category.required";

/// Code of the finding for variables with names and no `parameter_format`. The app's requests have it nevertheless.
pub const FORMAT_MISSING: &str = "parameter_format.missing";

/// The code for an order button in a template with another `display_format` or none.
pub const DISPLAY_FORMAT_REQUIRED: &str = "order.display_format";

/// The `display_format` of templates with an order button.
pub const ORDER_DISPLAY_FORMAT: &str = "ORDER_DETAILS";

pub(super) fn check(report: &mut Report, template: &Template) {
    let root = At::Root;
    name(report, &root.field("name"), &template.name);
    language(report, &root.field("language"), &template.language);
    category(report, &root, template);
    if let Some(ParameterFormat::Unknown(word)) = &template.parameter_format {
        report.error(
            "parameter_format.unknown",
            &root.field("parameter_format"),
            source::OVERVIEW,
            format_args!("`{word}` is not a variable style. Use POSITIONAL or NAMED."),
            &[("word", word)],
        );
    }
    if template.parameter_format.is_none()
        && template.category != Category::Authentication
        && template.effective_parameter_format() == ParameterFormat::Named
    {
        let message = "The variables have names, but parameter_format is missing, and WhatsApp then expects numbers. Set it to NAMED.";
        report.warning(FORMAT_MISSING, &root.field("parameter_format"), source::OVERVIEW, message, &[]);
    }
    if template.sub_category.as_deref().is_some_and(|word| word.trim().is_empty()) {
        let message = "The subcategory is empty. Enter one, or remove it.";
        report.warning("sub_category.blank", &root.field("sub_category"), source::CONTRACT_TEMPLATE, message, &[]);
    }
    channel_options(report, &root, template);
    time_to_live(report, &root.field("message_send_ttl_seconds"), template);
    order(report, &root, template);
    payment::check(report, &root, template);
    waba_ids(report, &root.field("waba_ids"), template.extra.get("waba_ids"));
}

fn name(report: &mut Report, at: &At<'_>, name: &str) {
    if name.is_empty() {
        let message = "Enter a name with lowercase letters, digits and underscores.";
        report.error("name.required", at, source::CONTRACT_CREATE, message, &[]);
        return;
    }
    text::limit(report, "name.too_long", at, source::COMPONENTS, "The name", name, 512);
    let mut seen = HashSet::new();
    let wrong = name.chars().filter(|c| !matches!(c, 'a'..='z' | '0'..='9' | '_') && seen.insert(*c));
    let wrong: Vec<String> = wrong.map(|character| format!("“{character}”")).collect();
    if !wrong.is_empty() {
        let characters = wrong.join(", ");
        report.error(
            "name.characters",
            at,
            source::COMPONENTS,
            format_args!("Names can't contain {characters}. Use lowercase letters without accents, digits and _."),
            &[("characters", &characters)],
        );
    }
}

fn language(report: &mut Report, at: &At<'_>, code: &str) {
    if code.trim().is_empty() {
        let message = "Choose a language, such as pt_BR.";
        report.error("language.required", at, source::CONTRACT_CREATE, message, &[]);
        return;
    }
    if language::is_known(code) {
        return;
    }
    let normal = language::normalise(code);
    if language::is_known(&normal) {
        report.error(
            "language.spelling",
            at,
            source::MANAGEMENT,
            format_args!("`{code}` is not a valid language code. Use `{normal}`."),
            &[("code", &code), ("expected", &normal)],
        );
    } else {
        report.warning(
            "language.unknown",
            at,
            source::MANAGEMENT,
            format_args!(
                "WhatsApp doesn't list `{code}` as a language, so it will probably be rejected. Check the code."
            ),
            &[("code", &code)],
        );
    }
}

fn category(report: &mut Report, root: &At<'_>, template: &Template) {
    if template.category.is_absent() {
        let message = "Choose a category: marketing, utility or authentication.";
        report.error(CATEGORY_REQUIRED, &root.field("category"), source::CONTRACT_CREATE, message, &[]);
    } else if let Category::Unknown(word) = &template.category {
        report.error(
            "category.unknown",
            &root.field("category"),
            source::CONTRACT_TEMPLATE,
            format_args!("`{word}` is not a category. Choose marketing, utility or authentication."),
            &[("word", word)],
        );
    }
    match &template.kind {
        Some(TemplateType::Unknown(word)) => report.error(
            "type.unknown",
            &root.field("type"),
            source::CONTRACT_TEMPLATE,
            format_args!("`{word}` is not a sending API. Use cloud_api or marketing_lite."),
            &[("word", word)],
        ),
        Some(TemplateType::MarketingLite) if template.category.is_other_than(&Category::Marketing) => report.error(
            "type.marketing_only",
            &root.field("type"),
            source::CONTRACT_TYPES,
            "marketing_lite is only for marketing templates. Choose the category marketing, or the sending API cloud_api.",
            &[],
        ),
        _ => {}
    }
}

/// Minimum and maximum time to live of a message in seconds, by category, and whether `-1` is allowed.
pub(crate) fn lifetimes(category: &Category) -> Option<(i64, i64, bool)> {
    match category {
        Category::Authentication => Some((30, 900, true)),
        Category::Utility => Some((30, 43_200, true)),
        Category::Marketing => Some((43_200, 2_592_000, false)),
        Category::Unknown(_) => None,
    }
}

fn time_to_live(report: &mut Report, at: &At<'_>, template: &Template) {
    let Some(seconds) = template.message_send_ttl_seconds else { return };
    let Some((least, most, unlimited)) = lifetimes(&template.category) else { return };
    let allowed = (least..=most).contains(&seconds) || (unlimited && seconds == -1);
    if !allowed {
        report.error(
            "ttl.range",
            at,
            source::TTL,
            format_args!(
                "The time to live of a {} template must be {least} to {most} seconds, not {seconds}.",
                template.category
            ),
            &[("seconds", &seconds), ("min", &least), ("max", &most)],
        );
    }
    if template.category == Category::Marketing && template.kind != Some(TemplateType::MarketingLite) {
        report.warning(
            "ttl.marketing_lite_only",
            at,
            source::TTL,
            "For marketing templates, the time to live works only with marketing_lite.",
            &[],
        );
    }
}

/// Options of the channel that the provider probably passes through (upstream §1.1).
fn channel_options(report: &mut Report, root: &At<'_>, template: &Template) {
    if template.extra.is_empty() {
        return;
    }
    let tracking = "cta_url_link_tracking_opted_out";
    if template.extra.get(tracking).is_some_and(|value| !value.is_boolean() && !value.is_null()) {
        let message = "cta_url_link_tracking_opted_out must be true or false. Correct it or remove it.";
        report.warning("link_tracking.malformed", &root.field(tracking), source::GRAPH, message, &[]);
    }
    let creative = "degrees_of_freedom_spec";
    if template.extra.contains_key(creative) && template.kind != Some(TemplateType::MarketingLite) {
        let message = "Creative optimizations work only with marketing_lite; WhatsApp will probably ignore them.";
        report.hint("creative.marketing_lite_only", &root.field(creative), source::MARKETING, message, &[]);
    }
}

/// Order templates (upstream §10).
fn order(report: &mut Report, root: &At<'_>, template: &Template) {
    let display = template.display_format.as_deref();
    let button = template.has_order_button();
    let at = root.field("display_format");
    if !display.is_some_and(|format| format.eq_ignore_ascii_case(ORDER_DISPLAY_FORMAT)) {
        if button {
            let message = "A template with an order button needs the display_format ORDER_DETAILS. Set it.";
            report.warning(DISPLAY_FORMAT_REQUIRED, &at, source::ORDERS, message, &[]);
        } else if let Some(word) = display {
            let message = format_args!("This app doesn't know the display_format `{word}`; it is sent unchanged.");
            report.hint("display_format.unknown", &at, source::ORDERS, message, &[("word", &word)]);
        }
        return;
    }
    if !button {
        let message = "WhatsApp documents order templates with a button of the type ORDER_DETAILS. Add it, or remove display_format.";
        report.warning("order.button_required", &at, source::ORDERS, message, &[]);
    }
    if template.category == Category::Authentication {
        let message = "Order templates must be utility or marketing templates.";
        report.error("order.category", &root.field("category"), source::ORDERS, message, &[]);
    }
    for (index, component) in template.components.iter().enumerate() {
        if let Component::Header(header) = component
            && !matches!(header.format, HeaderFormat::Text | HeaderFormat::Image | HeaderFormat::Document)
        {
            let components = root.field("components");
            let item = components.item(index);
            let message = "The header of an order template must be text, an image or a document.";
            report.error("order.header", &item.field("format"), source::ORDERS, message, &[]);
        }
    }
}

/// `waba_ids` belongs to the creation, not to the template; files may contain it.
fn waba_ids(report: &mut Report, at: &At<'_>, ids: Option<&Value>) {
    let Some(ids) = ids.filter(|ids| !ids.is_null()) else { return };
    let good = ids.as_array().is_some_and(|ids| !ids.is_empty() && ids.iter().all(Value::is_u64));
    if !good {
        let message = "waba_ids must be a list of numbers with at least one business account. Correct it or remove it.";
        report.error("waba_ids.malformed", at, source::CONTRACT_CREATE, message, &[]);
    }
}
