//! Rules of buttons (contract §2.2; upstream §2.4).

use super::Scope;
use super::length::code_points;
use super::report::{At, Report, source};
use super::text;
use crate::button::{Button, CopyCodeButton, FlowButton, PhoneNumberButton, UrlButton, VoiceCallButton};
use crate::component::Buttons;
use crate::variable;
use crate::vocabulary::{Category, ParameterFormat};

/// Where a list of buttons stands; cards have rules of their own about numbers and types.
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
}

fn numbers(report: &mut Report, at: &At<'_>, buttons: &[Button]) {
    if buttons.len() > 10 {
        let count = buttons.len();
        report.error(
            "buttons.too_many",
            at,
            source::COMPONENTS,
            format_args!("There are {count} buttons; the channel takes at most 10. Remove {}.", count - 10),
            &[("count", &count), ("limit", &10)],
        );
    } else if buttons.len() > 3 {
        let message = "The phone shows two of these buttons and puts the others behind \"See all options\".";
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
            format_args!("There are {count} buttons of the type {kind}; the channel takes at most {limit}."),
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
            let message =
                "Quick replies stand together, before or after all other buttons. Move this one to its group.";
            report.error("buttons.grouping", &at.item(index + 1), source::COMPONENTS, message, &[]);
            return;
        }
    }
    if changes == 1 && buttons.len() <= 3 {
        let message = "Desktop clients do not show messages that mix quick replies with other buttons.";
        report.hint("buttons.mixed", at, source::COMPONENTS, message, &[]);
    }
}

/// Buttons that stand by themselves.
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
                format_args!("A button of the type {kind} is the only one of its template. Remove the others."),
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
                format_args!("Buttons of the type {kind} are for marketing templates only."),
                &[("type", &kind)],
            );
        }
        if button.label().is_some_and(|text| !text.is_empty() && text != label) {
            report.warning(
                "button.fixed_label",
                &item.field("text"),
                stated,
                format_args!("The channel fixes the label of this button to \"{label}\"."),
                &[("label", &label)],
            );
        }
    }
}

/// Rules of a single button, wherever it stands.
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
                let message = "The channel describes buttons that copy a code for marketing templates only.";
                report.hint("code.marketing", at, source::COUPON, message, &[]);
            }
            copy_code(report, at, code);
        }
        Button::Otp(_) if !authentication => {
            let message =
                "One-time passcodes are for authentication templates only. Change the category, or remove it.";
            report.error("button.authentication_only", at, source::AUTHENTICATION, message, &[("type", &"OTP")]);
        }
        Button::Otp(_) => {}
        Button::Flow(flow) => form(report, at, flow),
        Button::VoiceCall(call) => voice_call(report, at, call),
        Button::RequestContactInfo(button) => {
            if button.extra.contains_key("text") {
                let message = "The channel labels this button \"Share Contact Info\" itself. Remove the label.";
                report.warning("button.fixed_label", &at.field("text"), source::USER_IDS, message, &[]);
            }
        }
        Button::Unknown(object) => super::unknown(report, at, "button", object, Button::TYPES),
    }
}

fn label(report: &mut Report, at: &At<'_>, text: &str, limit: usize) {
    let here = at.field("text");
    if text.trim().is_empty() {
        report.error("button.label_required", &here, source::COMPONENTS, "The button has no label. Write one.", &[]);
        return;
    }
    text::limit(report, "button.label_too_long", &here, source::COMPONENTS, "The label", text, limit);
    if variable::scan(text).next().is_some() || !text::well_formed(text) {
        let message = "The label has a variable; the channel takes none there. Write fixed words.";
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
        format_args!("The label has {fault}; the channel is known to refuse that. Write plain words."),
        &[("fault", &fault)],
    );
}

fn address(report: &mut Report, at: &At<'_>, button: &UrlButton, scope: &Scope<'_>) {
    let here = at.field("url");
    let url = button.url.as_str();
    if url.trim().is_empty() {
        let message = "The button has no address. Write one that begins with https://.";
        report.error("url.required", &here, source::CONTRACT_COMPONENTS, message, &[]);
        return;
    }
    text::limit(report, "url.too_long", &here, source::COMPONENTS, "The address", url, 2000);
    let rest = ["https://", "http://"].into_iter().find_map(|scheme| {
        url.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme)).map(|_| &url[scheme.len()..])
    });
    let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    if host.is_none_or(|host| host.is_empty() || host.starts_with("{{")) {
        let message = "The address is not a whole web address. Begin with https:// and the name of the site.";
        report.warning("url.incomplete", &here, source::COMPONENTS, message, &[]);
    }
    if text::has_space(url) {
        let message = "The address has a space. Remove it, or write %20.";
        report.warning("url.spaces", &here, source::COMPONENTS, message, &[]);
    }
    if let Some(host) = text::shortener(url) {
        let message =
            format_args!("The address leads through {host}; the review refuses shortened links. Write the whole one.");
        report.warning("url.shortener", &here, source::REVIEW, message, &[("host", &host)]);
    }
    suffix(report, at, button, scope);
}

fn suffix(report: &mut Report, at: &At<'_>, button: &UrlButton, scope: &Scope<'_>) {
    let here = at.field("url");
    let url = button.url.as_str();
    if !text::well_formed(url) {
        let message =
            "A pair of braces is not closed, or closed without having been opened. Write the variable as {{1}}.";
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
            format_args!("The address has {count} variables; the channel takes one, at its end."),
            &[("count", &count), ("limit", &1)],
        );
    } else if first.range.end != url.len() {
        report.error(
            "url.variable_not_last",
            &here,
            source::COMPONENTS,
            format_args!("Something follows {{{{{name}}}}} in the address; the variable stands at the very end."),
            &[("name", &name)],
        );
    }
    match (first.number(), &scope.format) {
        (Some(_), ParameterFormat::Named) => report.warning(
            "url.variable_format",
            &here,
            source::OVERVIEW,
            format_args!("The template names its variables, but the address has {{{{{name}}}}}; it is not documented whether that is taken."),
            &[("name", &name)],
        ),
        (Some(1), _) => {}
        (None, ParameterFormat::Named) => {}
        _ => report.error(
            "url.variable_name",
            &here,
            source::COMPONENTS,
            format_args!("The variable of an address is {{{{1}}}}, not {{{{{name}}}}}."),
            &[("name", &name)],
        ),
    }
    let list = at.field("example");
    match button.example.first().map(|sample| sample.trim()).filter(|sample| !sample.is_empty()) {
        None => report.warning(
            "url.sample_missing",
            &list.item(0),
            source::COMPONENTS,
            "The address has a variable but no sample; the channel usually refuses that. Write the whole address as it might be.",
            &[],
        ),
        // An address that is not whole itself is reported as such.
        Some(sample) if !sample.contains("://") && url.contains("://") => report.hint(
            "url.sample_not_whole",
            &list.item(0),
            source::COMPONENTS,
            "The sample is best the whole address with the variable filled in.",
            &[],
        ),
        Some(_) => {}
    }
}

fn number(report: &mut Report, at: &At<'_>, phone: &PhoneNumberButton) {
    let here = at.field("phone_number");
    let number = phone.phone_number.trim();
    if number.is_empty() {
        let message = "The button has no number. Write it with its country code.";
        report.error("phone.required", &here, source::COMPONENTS, message, &[]);
        return;
    }
    text::limit(report, "phone.too_long", &here, source::COMPONENTS, "The number", number, 20);
    let digits = number.strip_prefix('+').unwrap_or(number);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = "The number has other characters than digits. Write country code and number in digits.";
        report.warning("phone.characters", &here, source::COMPONENTS, message, &[]);
    }
}

fn copy_code(report: &mut Report, at: &At<'_>, button: &CopyCodeButton) {
    let here = at.field("example");
    let code = button.example.trim();
    if code.is_empty() {
        let message = "The button has no sample code; the channel usually refuses that. Write a code.";
        report.warning("code.sample_missing", &here, source::COUPON, message, &[]);
        return;
    }
    text::limit(report, "code.too_long", &here, source::COUPON, "The code", code, 15);
    if !code.chars().all(char::is_alphanumeric) {
        let message = "The code has other characters than letters and digits.";
        report.warning("code.characters", &here, source::COUPON, message, &[]);
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
            format_args!("Exactly one of flow_id, flow_name and flow_json names the form; {named} are given."),
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
                format_args!("`{value}` is not among {words}."),
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
            format_args!("The label has {length} characters; the channel's page on call buttons takes 20."),
            &[("length", &length), ("limit", &20)],
        );
    }
    if let Some(minutes) = call.ttl_minutes.filter(|minutes| !(1440..=43_200).contains(minutes)) {
        report.error(
            "voice_call.ttl",
            &at.field("ttl_minutes"),
            source::CALL_BUTTON,
            format_args!("The button works 1440 to 43200 minutes; {minutes} lies outside."),
            &[("minutes", &minutes), ("min", &1440), ("max", &43_200)],
        );
    }
}
