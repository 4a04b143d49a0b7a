//! Rules of authentication templates (upstream §2.9).

use super::report::{At, Report, source};
use super::text;
use crate::button::{Button, OtpButton, SupportedApp};
use crate::component::{Body, Buttons, Component, Footer};
use crate::listed::{creation_form, has_listed_button};
use crate::template::Template;
use crate::vocabulary::OtpType;

pub(super) fn check(report: &mut Report, at: &At<'_>, template: &Template) {
    let mut buttons = false;
    for (index, component) in template.components.iter().enumerate() {
        let item = at.item(index);
        match component {
            Component::Body(component) => body(report, &item, component),
            Component::Footer(component) => footer(report, &item, component),
            Component::Buttons(component) => {
                buttons = true;
                row(report, &item, component);
            }
            Component::Unknown(object) => super::unknown(report, &item, "component", object, Component::TYPES),
            other => {
                let kind = other.type_name();
                let shown = super::in_words(kind);
                report.error(
                    "authentication.component",
                    &item,
                    source::AUTHENTICATION,
                    format_args!("An authentication template can't have a {shown}. Remove it."),
                    &[("type", &kind)],
                );
            }
        }
    }
    if !buttons {
        let message = "An authentication template needs a button that delivers the code. Add a button of the type OTP.";
        report.error("authentication.otp_required", at, source::AUTHENTICATION, message, &[]);
    }
}

/// Reports a text that is taken for the channel's own and therefore not sent.
pub(super) fn replaced_text(report: &mut Report, at: &At<'_>, template: &Template) {
    let created = creation_form(template);
    if has_listed_button(template) {
        return;
    }
    for (index, pair) in template.components.iter().zip(&created.components).enumerate() {
        if let (Component::Body(Body { text: Some(_), .. }), Component::Body(Body { text: None, .. })) = pair {
            let item = at.item(index);
            let message = "WhatsApp writes the text of authentication templates, so this one is not sent.";
            report.hint("authentication.text_not_sent", &item.field("text"), source::AUTHENTICATION, message, &[]);
        }
    }
}

fn body(report: &mut Report, at: &At<'_>, body: &Body) {
    if body.text.as_deref().is_some_and(|text| !text.trim().is_empty()) {
        let message = "WhatsApp writes the text of authentication templates. Remove your text.";
        report.error("authentication.body_text", &at.field("text"), source::AUTHENTICATION, message, &[]);
    }
    if body.example.is_some() {
        let message = "WhatsApp writes the text, so samples are not used. Remove them.";
        report.warning("authentication.body_sample", &at.field("example"), source::AUTHENTICATION, message, &[]);
    }
}

fn footer(report: &mut Report, at: &At<'_>, footer: &Footer) {
    if footer.text.as_deref().is_some_and(|text| !text.trim().is_empty()) {
        let message = "WhatsApp writes this footer from code_expiration_minutes. Remove your text.";
        report.error("authentication.footer_text", &at.field("text"), source::AUTHENTICATION, message, &[]);
    }
    let here = at.field("code_expiration_minutes");
    match footer.code_expiration_minutes {
        None => {
            let message =
                "The footer of an authentication template needs code_expiration_minutes. Set it, or remove the footer.";
            report.error("authentication.expiration_required", &here, source::AUTHENTICATION, message, &[]);
        }
        Some(minutes) if !(1..=90).contains(&minutes) => report.error(
            "authentication.expiration",
            &here,
            source::AUTHENTICATION,
            format_args!("The code can be valid for 1 to 90 minutes, not {minutes}."),
            &[("minutes", &minutes), ("min", &1), ("max", &90)],
        ),
        Some(_) => {}
    }
}

fn row(report: &mut Report, at: &At<'_>, row: &Buttons) {
    let here = at.field("buttons");
    let passcodes = row.buttons.iter().filter(|button| matches!(button, Button::Otp(_))).count();
    if passcodes != 1 || row.buttons.len() != 1 {
        let count = row.buttons.len();
        report.error(
            "authentication.buttons",
            &here,
            source::AUTHENTICATION,
            "An authentication template must have exactly one button, of the type OTP.",
            &[("count", &count)],
        );
    }
    for (index, button) in row.buttons.iter().enumerate() {
        match button {
            Button::Otp(otp) => passcode(report, &here.item(index), otp),
            Button::Unknown(object) => super::unknown(report, &here.item(index), "button", object, Button::TYPES),
            _ => {}
        }
    }
}

fn passcode(report: &mut Report, at: &At<'_>, otp: &OtpButton) {
    if let OtpType::Unknown(word) = &otp.otp_type {
        report.error(
            "otp.type",
            &at.field("otp_type"),
            source::AUTHENTICATION,
            format_args!("`{word}` is not a code delivery type. Use COPY_CODE, ONE_TAP or ZERO_TAP."),
            &[("word", word)],
        );
    }
    for (name, label) in [("text", &otp.text), ("autofill_text", &otp.autofill_text)] {
        let Some(label) = label else { continue };
        text::limit(
            report,
            "button.label_too_long",
            &at.field(name),
            source::AUTHENTICATION,
            "The button text",
            label,
            25,
        );
    }
    if otp.otp_type == OtpType::ZeroTap && otp.zero_tap_terms_accepted != Some(true) {
        let message = "Zero-tap autofill needs zero_tap_terms_accepted to be true. Accept the terms.";
        report.error("otp.terms", &at.field("zero_tap_terms_accepted"), source::AUTHENTICATION, message, &[]);
    }
    let apps = at.field("supported_apps");
    // The older format names one app on the button itself.
    let older = otp.extra.contains_key("package_name") && otp.extra.contains_key("signature_hash");
    if matches!(otp.otp_type, OtpType::OneTap | OtpType::ZeroTap) && otp.supported_apps.is_empty() && !older {
        let message = "No app can receive the code. Add one under supported_apps.";
        report.error("otp.apps_required", &apps, source::AUTHENTICATION, message, &[]);
    }
    if otp.supported_apps.len() > 5 {
        let count = otp.supported_apps.len();
        report.error(
            "otp.too_many_apps",
            &apps,
            source::AUTHENTICATION,
            format_args!("There are {count} apps; the limit is 5."),
            &[("count", &count), ("limit", &5)],
        );
    }
    for (index, app) in otp.supported_apps.iter().enumerate() {
        receiver(report, &apps.item(index), app);
    }
}

fn receiver(report: &mut Report, at: &At<'_>, app: &SupportedApp) {
    let here = at.field("package_name");
    text::limit(
        report,
        "otp.package_too_long",
        &here,
        source::AUTHENTICATION,
        "The package name",
        &app.package_name,
        224,
    );
    let segments = app.package_name.split('.');
    if segments.clone().count() < 2 || segments.clone().any(str::is_empty) {
        let message = "A package name must have at least two parts separated by a dot, such as com.example.";
        report.error("otp.package_name", &here, source::AUTHENTICATION, message, &[]);
    }
    let hash = app.signature_hash.as_str();
    let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    if hash.len() != 11 || !hash.bytes().all(good) {
        let message = "A signature hash must have exactly 11 characters: letters, digits, + / and =.";
        report.error("otp.signature_hash", &at.field("signature_hash"), source::AUTHENTICATION, message, &[]);
    }
}
