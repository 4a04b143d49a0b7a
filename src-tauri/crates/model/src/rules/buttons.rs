//! Rules of buttons (contract §2.2; upstream §2.4).

use std::collections::HashSet;

use super::Scope;
use super::length::code_points;
use super::links;
use super::placeholders;
use super::report::{At, Report, source};
use super::text;
use crate::button::{Button, CopyCodeButton, FlowButton, PhoneNumberButton, UrlButton, VoiceCallButton};
use crate::component::Buttons;
use crate::finding::Severity;
use crate::variable;
use crate::visible::is_invisible;
use crate::vocabulary::{Category, ParameterFormat};

/// Where a list of buttons is used; cards have their own rules for counts and types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    Message,
    Card,
}

pub(super) fn check(report: &mut Report, at: &At<'_>, component: &Buttons, scope: &Scope<'_>, row: Row) {
    let here = at.field("buttons");
    let buttons = &component.buttons;
    if buttons.is_empty() {
        let message = "There are no buttons. Add one, or remove the component.";
        report.error("buttons.required", &here, source::COMPONENTS, message, &[]);
        return;
    }
    if row == Row::Message {
        numbers(report, &here, buttons);
        grouping(report, &here, buttons);
        alone(report, &here, buttons, scope);
    }
    for (index, button) in buttons.iter().enumerate() {
        one(report, &here.item(index), button, scope);
    }
    same_labels(report, &here, buttons);
}

/// Reports labels that people can't tell apart: case and spaces don't count.
fn same_labels(report: &mut Report, at: &At<'_>, buttons: &[Button]) {
    let mut seen = HashSet::new();
    for (index, button) in buttons.iter().enumerate() {
        let Some(label) = button.label() else { continue };
        let read = label.chars().filter(|c| c.is_whitespace() || !is_invisible(*c)).collect::<String>().to_lowercase();
        let read = read.split_whitespace().collect::<Vec<_>>().join(" ");
        if !read.is_empty() && !seen.insert(read) {
            let shown = label.trim();
            let message = format_args!(
                "Two buttons have the text \"{shown}\". Replies can't be told apart, and WhatsApp usually rejects it. Change one."
            );
            let item = at.item(index);
            report.warning(
                "button.label_repeated",
                &item.field("text"),
                source::OBSERVED_LABELS,
                message,
                &[("text", &shown)],
            );
        }
    }
}

/// Maximum number of buttons of a message.
const MAX_BUTTONS: usize = 10;

fn numbers(report: &mut Report, at: &At<'_>, buttons: &[Button]) {
    let count = buttons.len();
    report.count_items(at, count, MAX_BUTTONS);
    if count > MAX_BUTTONS {
        report.error(
            "buttons.too_many",
            at,
            source::COMPONENTS,
            format_args!("There are {count} buttons; the limit is {MAX_BUTTONS}. Remove {}.", count - MAX_BUTTONS),
            &[("count", &count), ("limit", &MAX_BUTTONS)],
        );
    } else if buttons.len() > 3 {
        let message = "The phone shows two of these buttons and moves the others behind \"See all options\".";
        report.hint("buttons.see_all", at, source::COMPONENTS, message, &[("count", &buttons.len())]);
    }
    for (kind, limit) in [("URL", 2), ("PHONE_NUMBER", 1), ("COPY_CODE", 1), ("FLOW", 1)] {
        // The first button beyond the limit is the one to remove.
        let mut same = buttons.iter().enumerate().filter(|(_, button)| button.type_name() == kind);
        let Some((index, _)) = same.nth(limit) else { continue };
        let count = limit + 1 + same.count();
        report.error(
            "buttons.too_many_of_type",
            &at.item(index),
            source::COMPONENTS,
            format_args!("There are {count} buttons of the type {kind}; the limit is {limit}."),
            &[("type", &kind), ("count", &count), ("limit", &limit)],
        );
    }
}

fn grouping(report: &mut Report, at: &At<'_>, buttons: &[Button]) {
    let quick = |button: &Button| matches!(button, Button::QuickReply(_));
    let mut changes = 0;
    for (index, pair) in buttons.windows(2).enumerate() {
        if quick(&pair[0]) == quick(&pair[1]) {
            continue;
        }
        changes += 1;
        if changes == 2 {
            let message = "Group all quick replies, before or after the other buttons. Move this one to its group.";
            report.error("buttons.grouping", &at.item(index + 1), source::COMPONENTS, message, &[]);
            return;
        }
    }
    if changes == 1 && buttons.len() <= 3 {
        let message = "WhatsApp on computers doesn't show messages that mix quick replies with other buttons.";
        report.hint("buttons.mixed", at, source::COMPONENTS, message, &[]);
    }
}

/// Checks buttons that must be the only one of the message.
fn alone(report: &mut Report, at: &At<'_>, buttons: &[Button], scope: &Scope<'_>) {
    for (index, button) in buttons.iter().enumerate() {
        let (stated, label) = match button {
            Button::Catalog(_) => (source::CATALOG, "View catalog"),
            Button::Mpm(_) => (source::MPM, "View items"),
            Button::Spm(_) => (source::SPM, "View"),
            _ => continue,
        };
        let kind = button.type_name();
        let item = at.item(index);
        if buttons.len() > 1 {
            report.error(
                "buttons.not_alone",
                &item,
                stated,
                format_args!("A button of the type {kind} must be the only one. Remove the other buttons."),
                &[("type", &kind)],
            );
        }
        if matches!(button, Button::Catalog(_) | Button::Mpm(_))
            && scope.template.category.is_other_than(&Category::Marketing)
        {
            report.error(
                "button.marketing_only",
                &item,
                stated,
                format_args!("Only marketing templates can have buttons of the type {kind}."),
                &[("type", &kind)],
            );
        }
        if button.label().is_some_and(|text| !text.is_empty() && text != label) {
            report.warning(
                "button.fixed_label",
                &item.field("text"),
                stated,
                format_args!("WhatsApp sets the text of this button to \"{label}\"."),
                &[("label", &label)],
            );
        }
    }
}

/// Checks a single button of a message or a card.
pub(super) fn one(report: &mut Report, at: &At<'_>, button: &Button, scope: &Scope<'_>) {
    let authentication = scope.template.category == Category::Authentication;
    match button {
        Button::Url(url) => {
            label(report, at, &url.text, 25);
            address(report, at, url, scope);
        }
        Button::QuickReply(quick) | Button::OrderDetails(quick) => label(report, at, &quick.text, 25),
        Button::Catalog(shop) | Button::Mpm(shop) | Button::Spm(shop) => label(report, at, &shop.text, 25),
        Button::PhoneNumber(phone) => {
            label(report, at, &phone.text, 25);
            number(report, at, phone);
        }
        Button::CopyCode(code) => {
            if scope.template.category.is_other_than(&Category::Marketing) {
                let message = "WhatsApp documents copy-code buttons only for marketing templates.";
                report.hint("code.marketing", at, source::COUPON, message, &[]);
            }
            copy_code(report, at, code);
        }
        Button::Otp(_) if !authentication => {
            let message = "Only authentication templates can have one-time code buttons. Change the category, or remove the button.";
            report.error("button.authentication_only", at, source::AUTHENTICATION, message, &[("type", &"OTP")]);
        }
        Button::Otp(_) => {}
        Button::Flow(flow) => form(report, at, flow),
        Button::VoiceCall(call) => voice_call(report, at, call),
        Button::RequestContactInfo(button) => {
            let text = button.extra.get("text").and_then(|text| text.as_str());
            if button.extra.contains_key("text") && text != Some("Share Contact Info") {
                let message = "WhatsApp sets the text of this button to \"Share Contact Info\". Remove your text.";
                report.warning("button.fixed_label", &at.field("text"), source::USER_IDS, message, &[]);
            }
        }
        Button::Unknown(object) => super::unknown(report, at, "button", object, Button::TYPES),
    }
}

fn label(report: &mut Report, at: &At<'_>, text: &str, limit: usize) {
    let here = at.field("text");
    if text.trim().is_empty() {
        report.error("button.label_required", &here, source::COMPONENTS, "Enter a button text.", &[]);
        return;
    }
    text::limit(report, "button.label_too_long", &here, source::COMPONENTS, "The button text", text, limit);
    if variable::scan(text).next().is_some() || !text::well_formed(text) {
        let message = "Button texts can't have variables. Write fixed text.";
        report.error("button.label_variable", &here, source::OVERVIEW, message, &[]);
    }
    let fault = if text.contains(['\n', '\r']) {
        "a line break"
    } else if text::has_emoji(text) {
        "an emoji"
    } else if text::formatting_sign(text).is_some() {
        "formatting"
    } else {
        return;
    };
    report.warning(
        "button.label_characters",
        &here,
        source::OBSERVED,
        format_args!("The button text has {fault}, which WhatsApp usually rejects. Write plain text."),
        &[("fault", &fault)],
    );
}

fn address(report: &mut Report, at: &At<'_>, button: &UrlButton, scope: &Scope<'_>) {
    let here = at.field("url");
    let url = button.url.as_str();
    if url.trim().is_empty() {
        let message = "Enter a website address that starts with https://.";
        report.error("url.required", &here, source::CONTRACT_COMPONENTS, message, &[]);
        return;
    }
    text::limit(report, "url.too_long", &here, source::COMPONENTS, "The address", url, 2000);
    let rest = ["https://", "http://"].into_iter().find_map(|scheme| {
        url.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme)).map(|_| &url[scheme.len()..])
    });
    let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    if host.is_none_or(|host| host.is_empty() || host.starts_with("{{")) {
        let message = "This is not a full web address. Start with https:// and the name of the site.";
        report.warning("url.incomplete", &here, source::COMPONENTS, message, &[]);
    }
    if text::has_space(url) {
        let message = "The address has a space. Remove it, or write %20.";
        report.warning("url.spaces", &here, source::COMPONENTS, message, &[]);
    }
    if let Some(host) = links::shortener(url) {
        let message =
            format_args!("The address is a shortened link ({host}), which the review rejects. Use the full address.");
        report.warning("url.shortener", &here, source::REVIEW, message, &[("host", &host)]);
    }
    if links::links_to_channel(url) {
        let message = "The address leads to WhatsApp itself, which WhatsApp usually rejects in buttons. Use an address of your site.";
        report.warning("url.whatsapp_link", &here, source::OBSERVED, message, &[]);
    }
    placeholder(report, at, button);
    suffix(report, at, button, scope);
}

/// An address that nobody replaced. Its sample has the same one, as a rule.
fn placeholder(report: &mut Report, at: &At<'_>, button: &UrlButton) {
    let in_url = placeholders::host_in(&button.url).map(|host| (at.field("url"), host));
    let list = at.field("example");
    let sample = button.example.first().filter(|sample| sample.contains("://"));
    let in_sample = || Some((list.item(0), placeholders::host_in(sample?)?));
    let Some((here, host)) = in_url.or_else(in_sample) else { return };
    let message = format_args!("The address leads to {host}, which is a placeholder. Write the address of your site.");
    report.warning("url.placeholder", &here, source::OBSERVED, message, &[("host", &host)]);
}

fn suffix(report: &mut Report, at: &At<'_>, button: &UrlButton, scope: &Scope<'_>) {
    let here = at.field("url");
    let url = button.url.as_str();
    if !text::well_formed(url) {
        let message = "A brace is missing. Write the variable as {{1}}.";
        report.error("variable.malformed", &here, source::REVIEW, message, &[]);
        return;
    }
    let variables: Vec<_> = variable::scan(url).collect();
    let Some(first) = variables.first() else { return };
    let name = first.name;
    if variables.len() > 1 {
        let count = variables.len();
        report.error(
            "url.too_many_variables",
            &here,
            source::COMPONENTS,
            format_args!("The address has {count} variables; the limit is one, at the end."),
            &[("count", &count), ("limit", &1)],
        );
    } else if first.range.end != url.len() {
        report.error(
            "url.variable_not_last",
            &here,
            source::COMPONENTS,
            format_args!("Move {{{{{name}}}}} to the end of the address."),
            &[("name", &name)],
        );
    }
    match (first.number(), &scope.format) {
        (Some(_), ParameterFormat::Named) => report.warning(
            "url.variable_format",
            &here,
            source::OVERVIEW,
            format_args!("The template uses variable names, but the address has {{{{{name}}}}}. WhatsApp doesn't document whether that works."),
            &[("name", &name)],
        ),
        (Some(1), _) => {}
        (None, ParameterFormat::Named) => {}
        (number, _) => {
            // No page says whether an address can have a name.
            let severity = if number.is_some() { Severity::Error } else { Severity::Warning };
            let message = format_args!("The variable in an address must be {{{{1}}}}, not {{{{{name}}}}}.");
            report.add(severity, "url.variable_name", &here, source::COMPONENTS, message, &[("name", &name)]);
        }
    }
    let list = at.field("example");
    match button.example.first().map(|sample| sample.trim()).filter(|sample| !sample.is_empty()) {
        None => report.warning(
            "url.sample_missing",
            &list.item(0),
            source::COMPONENTS,
            "Add a sample of the full address. WhatsApp usually rejects addresses with a variable and no sample.",
            &[],
        ),
        Some(sample) if variable::scan(sample).next().is_some() => report.warning(
            "sample.variable",
            &list.item(0),
            source::REVIEW,
            format_args!("The sample for {{{{{name}}}}} has a variable. Write a value as it will be sent."),
            &[("name", &name)],
        ),
        // An incomplete address is reported separately.
        Some(sample) if !sample.contains("://") && url.contains("://") => report.hint(
            "url.sample_not_whole",
            &list.item(0),
            source::COMPONENTS,
            "Use the full address, with the variable filled in, as the sample.",
            &[],
        ),
        Some(_) => {}
    }
}

fn number(report: &mut Report, at: &At<'_>, phone: &PhoneNumberButton) {
    let here = at.field("phone_number");
    let number = phone.phone_number.trim();
    if number.is_empty() {
        let message = "Enter a phone number with its country code.";
        report.error("phone.required", &here, source::COMPONENTS, message, &[]);
        return;
    }
    text::limit(report, "phone.too_long", &here, source::COMPONENTS, "The number", number, 20);
    let digits = number.strip_prefix('+').unwrap_or(number);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = "Use only digits: the country code and the number.";
        report.warning("phone.characters", &here, source::COMPONENTS, message, &[]);
    }
    if placeholders::is_fictional_number(number) {
        let message = "This number is a placeholder that nobody answers. Write the number of your business.";
        report.warning("phone.placeholder", &here, source::OBSERVED, message, &[]);
    }
}

fn copy_code(report: &mut Report, at: &At<'_>, button: &CopyCodeButton) {
    let here = at.field("example");
    let code = button.example.trim();
    if code.is_empty() {
        let message = "Add a sample code. WhatsApp usually rejects templates without it.";
        report.warning("code.sample_missing", &here, source::COUPON, message, &[]);
        return;
    }
    code_length(report, &here, code);
    if !code.chars().all(char::is_alphanumeric) {
        let message = "Use only letters and digits in the code.";
        report.warning("code.characters", &here, source::COUPON, message, &[]);
    }
}

/// The channel's pages name two limits: 15 characters for coupons, 20 for the button.
fn code_length(report: &mut Report, at: &At<'_>, code: &str) {
    let limit = 15;
    report.count(at, code, limit);
    let length = code_points(code);
    if length > limit {
        let (severity, stated) =
            if length > 20 { (Severity::Error, source::COMPONENTS) } else { (Severity::Warning, source::COUPON) };
        let message =
            format_args!("The code has {length} characters; the limit is {limit}. Shorten it by {}.", length - limit);
        report.add(severity, "code.too_long", at, stated, message, &[("length", &length), ("limit", &limit)]);
    }
}

fn form(report: &mut Report, at: &At<'_>, flow: &FlowButton) {
    label(report, at, &flow.text, 25);
    let named = [&flow.flow_id, &flow.flow_name, &flow.flow_json]
        .into_iter()
        .filter(|name| name.as_deref().is_some_and(|name| !name.is_empty()))
        .count();
    if named != 1 {
        report.error(
            "flow.reference",
            at,
            source::COMPONENTS,
            format_args!("Set exactly one of flow_id, flow_name and flow_json; {named} are set."),
            &[("count", &named)],
        );
    }
    for (field, value, known) in [
        ("flow_action", &flow.flow_action, &["navigate", "data_exchange"][..]),
        ("icon", &flow.icon, &["DOCUMENT", "PROMOTION", "REVIEW"]),
    ] {
        let Some(value) = value else { continue };
        if !known.iter().any(|word| word.eq_ignore_ascii_case(value)) {
            let words = known.join(", ");
            report.warning(
                "flow.word",
                &at.field(field),
                source::COMPONENTS,
                format_args!("`{value}` is not valid. Use one of: {words}."),
                &[("value", value), ("words", &words)],
            );
        }
    }
}

fn voice_call(report: &mut Report, at: &At<'_>, call: &VoiceCallButton) {
    label(report, at, &call.text, 25);
    let length = code_points(&call.text);
    if (21..=25).contains(&length) {
        report.warning(
            "button.label_long",
            &at.field("text"),
            source::CALL_BUTTON,
            format_args!("The button text has {length} characters; WhatsApp documents a limit of 20 for call buttons."),
            &[("length", &length), ("limit", &20)],
        );
    }
    if let Some(minutes) = call.ttl_minutes.filter(|minutes| !(1440..=43_200).contains(minutes)) {
        report.error(
            "voice_call.ttl",
            &at.field("ttl_minutes"),
            source::CALL_BUTTON,
            format_args!("The button can be active for 1440 to 43200 minutes, not {minutes}."),
            &[("minutes", &minutes), ("min", &1440), ("max", &43_200)],
        );
    }
}
