//! The form in which the channel lists a template, and the form in which it is created.
//!
//! The channel lists an authentication template as the recipient sees it: with the text that it wrote in the template's
//! language, the expiry as a footer text, and the button as an address that holds the code (upstream §1.3). None of these
//! can be created or edited. All other kinds are listed as they are created, apart from the addresses of samples.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::button::{Button, OtpButton, SupportedApp, UrlButton};
use crate::component::{Body, Buttons, Component};
use crate::template::Template;
use crate::variable;
use crate::vocabulary::{Category, OtpType};

/// The template as it is created. The order and number of its components stay the same.
#[must_use]
pub fn creation_form(template: &Template) -> Cow<'_, Template> {
    if template.category != Category::Authentication || !is_listed_form(template) {
        return Cow::Borrowed(template);
    }
    let mut created = template.clone();
    let expiry = template.find(|component| match component {
        Component::Buttons(row) => row.buttons.iter().find_map(|button| parameter(address_of(button)?, EXPIRATION)),
        _ => None,
    });
    for component in &mut created.components {
        match component {
            Component::Body(body) => restore_body(body),
            Component::Footer(footer) => {
                let text = footer.text.as_deref().unwrap_or_default();
                let stated = || number_in(text).or_else(|| expiry.as_deref()?.parse().ok());
                footer.code_expiration_minutes = footer.code_expiration_minutes.or_else(stated);
                if footer.code_expiration_minutes.is_some() {
                    footer.text = None;
                }
            }
            Component::Buttons(row) => restore_buttons(row),
            _ => {}
        }
    }
    Cow::Owned(created)
}

/// Whether the address of a button shows that the template comes from a listing.
pub(crate) fn has_listed_button(template: &Template) -> bool {
    template.components.iter().any(|component| match component {
        Component::Buttons(row) => row.buttons.iter().any(|button| address_of(button).is_some()),
        _ => false,
    })
}

fn is_listed_form(template: &Template) -> bool {
    has_listed_button(template)
        || template.components.iter().any(|component| match component {
            Component::Body(body) => is_listed_body(body),
            _ => false,
        })
}

/// Whether the channel wrote the text: in all languages, it has the code as its only variable, and a sample of it.
fn is_listed_body(body: &Body) -> bool {
    let text = body.text.as_deref().unwrap_or_default();
    let mut variables = variable::scan(text);
    let is_only = variables.next().is_some_and(|code| code.number() == Some(1)) && variables.next().is_none();
    is_only && (body.add_security_recommendation.is_some() || body.example.is_some())
}

fn restore_body(body: &mut Body) {
    let Some(text) = body.text.take() else { return };
    body.example = None;
    if body.add_security_recommendation.is_none() && has_second_sentence(&text) {
        body.add_security_recommendation = Some(true);
    }
}

/// Whether a text goes on after its first sentence: the recommendation is the second one. In Thai and Lao, sentences
/// end with a space and words do not.
fn has_second_sentence(text: &str) -> bool {
    const ENDS: [char; 9] = ['.', '!', '\u{FF01}', '。', '।', '۔', '።', '\u{17D4}', '။'];
    let is_thai_or_lao = |letter: char| matches!(letter, '\u{E01}'..='\u{EDF}');
    let words = || text.split_whitespace();
    if words()
        .zip(words().skip(1))
        .any(|(word, next)| word.ends_with(is_thai_or_lao) && next.starts_with(is_thai_or_lao))
    {
        return true;
    }
    let mut letters = text.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        let goes_on = letters.peek().is_some_and(|next| next.is_whitespace() || !letter.is_ascii());
        if ENDS.contains(&letter) && goes_on && letters.any(char::is_alphabetic) {
            return true;
        }
    }
    false
}

/// The first number in a text, in the digits of any language that the channel writes.
fn number_in(text: &str) -> Option<u64> {
    let mut number = None;
    for letter in text.chars() {
        match (digit(letter), number) {
            (Some(digit), _) => number = Some(number.unwrap_or(0_u64).checked_mul(10)?.checked_add(digit)?),
            (None, Some(_)) => break,
            (None, None) => {}
        }
    }
    number
}

fn digit(letter: char) -> Option<u64> {
    // Latin, Arabic, Persian, Devanagari, Bengali, Gujarati, Tamil, Telugu, Kannada, Malayalam, Thai, Lao, Burmese, Khmer.
    const ZEROS: [char; 14] = ['0', '٠', '۰', '०', '০', '૦', '௦', '౦', '೦', '൦', '๐', '໐', '၀', '០'];
    ZEROS.iter().find_map(|zero| u64::from(letter).checked_sub(u64::from(*zero)).filter(|digit| *digit < 10))
}

fn restore_buttons(row: &mut Buttons) {
    for button in &mut row.buttons {
        match button {
            Button::Url(url) if is_code_address(&url.url) => *button = Button::Otp(passcode(url)),
            Button::Otp(otp) => {
                for listed in ["url", "example"] {
                    otp.extra.shift_remove(listed);
                }
                accept_terms(otp);
            }
            _ => {}
        }
    }
}

/// An accepted template has its terms accepted.
fn accept_terms(otp: &mut OtpButton) {
    if otp.otp_type == OtpType::ZeroTap {
        otp.zero_tap_terms_accepted.get_or_insert(true);
    }
}

fn passcode(url: &UrlButton) -> OtpButton {
    let text = |value: &str| Some(value.to_owned()).filter(|value| !value.trim().is_empty());
    let field = |name: &str| parameter(&url.url, name).unwrap_or_default();
    // Several apps are separated by commas.
    let (packages, hashes) = (field("package_name"), field("signature_hash"));
    let pairs = packages.split(',').zip(hashes.split(','));
    let supported_apps = pairs
        .filter(|(package, _)| !package.is_empty())
        .map(|(package, hash)| SupportedApp {
            package_name: package.to_owned(),
            signature_hash: hash.to_owned(),
            ..SupportedApp::default()
        })
        .collect();
    let otp_type = parameter(&url.url, "otp_type").map_or(OtpType::CopyCode, |word| OtpType::from(word.as_str()));
    let mut otp = OtpButton {
        otp_type,
        text: text(&url.text),
        autofill_text: text(&field("cta_display_name").replace('+', " ")),
        zero_tap_terms_accepted: None,
        supported_apps,
        extra: url.extra.clone(),
    };
    accept_terms(&mut otp);
    otp
}

const EXPIRATION: &str = "code_expiration_minutes";

fn address_of(button: &Button) -> Option<&str> {
    match button {
        Button::Url(url) => Some(url.url.as_str()).filter(|address| is_code_address(address)),
        _ => None,
    }
}

/// Whether it is the channel's address for a code: `https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}`,
/// or the earlier `https://www.whatsapp.com/otp/copy/{{1}}`.
fn is_code_address(address: &str) -> bool {
    let Some((_, rest)) = address.split_once("://") else { return false };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.to_ascii_lowercase();
    (host == "whatsapp.com" || host.ends_with(".whatsapp.com")) && path.starts_with("otp/")
}

/// A parameter of an address, decoded. A plus is kept: hashes have it.
fn parameter(address: &str, name: &str) -> Option<String> {
    let (_, query) = address.split_once('?')?;
    let value = query.split('&').find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name))?.1;
    Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::{Value, json};

    use super::*;
    use crate::lint::lint;
    use crate::send::{fill_send, send_form};

    fn template(components: Value) -> Template {
        serde_json::from_value(json!({"name": "sign_in", "language": "en_US", "category": "AUTHENTICATION",
            "components": components}))
        .unwrap()
    }

    /// What an authentication template is listed as.
    fn listed(text: &str, footer: &Value, address: &str) -> Template {
        template(json!([
            {"type": "BODY", "text": text, "example": {"body_text": [["123456"]]}},
            footer,
            {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Copy code", "url": address,
                "example": [address.replace("{{1}}", "123456")]}]}]))
    }

    #[test]
    fn listed_authentication_templates_become_their_creation() {
        let code = "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code_expiration_minutes=5&code=otp{{1}}";
        let apps = "https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP&cta_display_name=Isi+Otomatis\
            &package_name=com.example.a%2Ccom.example.b&signature_hash=K8a%2FAINcGX7%2CU4hoZi%2BkgMN&code=otp{{1}}";
        let zero = "https://www.whatsapp.com/otp/code/?otp_type=ZERO_TAP&cta_display_name=Autofill&package_name=com.example.app\
            &signature_hash=K8a%2FAINcGX7&code=otp{{1}}";
        let footer = |text: &str| json!({"type": "FOOTER", "text": text});
        let copy = json!({"type": "OTP", "otp_type": "COPY_CODE", "text": "Copy code"});
        let one_tap = json!({"type": "OTP", "otp_type": "ONE_TAP", "text": "Copy code", "autofill_text": "Isi Otomatis",
            "supported_apps": [{"package_name": "com.example.a", "signature_hash": "K8a/AINcGX7"},
                {"package_name": "com.example.b", "signature_hash": "U4hoZi+kgMN"}]});
        let zero_tap = json!({"type": "OTP", "otp_type": "ZERO_TAP", "text": "Copy code", "autofill_text": "Autofill",
            "zero_tap_terms_accepted": true,
            "supported_apps": [{"package_name": "com.example.app", "signature_hash": "K8a/AINcGX7"}]});
        for (text, foot, address, recommended, minutes, button) in [
            (
                "*{{1}}* is your verification code. For your security, do not share this code.",
                footer("This code expires in 5 minutes."),
                code,
                true,
                5,
                &copy,
            ),
            ("*{{1}}* is your verification code.", footer("This code expires in 1 minute."), apps, false, 1, &one_tap),
            (
                "Seu código de verificação é *{{1}}*. Para sua segurança, não o compartilhe.",
                footer("Este código expira em 10 minutos."),
                zero,
                true,
                10,
                &zero_tap,
            ),
            (
                "*{{1}}* es tu código de verificación.",
                footer("Este código caduca en 15 minutos."),
                code,
                false,
                15,
                &copy,
            ),
            (
                "您的验证码是 *{{1}}*。为确保您的安全，请勿分享此验证码。",
                footer("此验证码将在 30 分钟后过期。"),
                code,
                true,
                30,
                &copy,
            ),
            ("*{{1}}* คือรหัสยืนยันของคุณ", footer("รหัสนี้จะหมดอายุในอีก 5 นาที"), code, false, 5, &copy),
            (
                "*{{1}}* คือรหัสยืนยันของคุณ เพื่อความปลอดภัยของคุณ โปรดอย่าแชร์รหัสนี้",
                footer("รหัสนี้จะหมดอายุในอีก 5 นาที"),
                code,
                true,
                5,
                &copy,
            ),
            ("رمز التحقق الخاص بك هو *{{1}}*.", footer("تنتهي صلاحية هذا الرمز خلال ٩٠ دقيقة."), code, false, 90, &copy),
            // The number is in the address only; the text of an earlier version has no bold.
            ("{{1}} is your verification code.", footer("This code expires soon."), code, false, 5, &copy),
            (
                "Use code *{{1}}* to authorize your transaction.",
                json!({"type": "FOOTER", "text": "Expires in 7 minutes.", "code_expiration_minutes": 7}),
                "https://www.whatsapp.com/otp/copy/{{1}}",
                false,
                7,
                &copy,
            ),
        ] {
            let listed = listed(text, &foot, address);
            let created = creation_form(&listed);
            let mut body = json!({"type": "BODY"});
            if recommended {
                body["add_security_recommendation"] = json!(true);
            }
            let expected = json!([body, {"type": "FOOTER", "code_expiration_minutes": minutes},
                {"type": "BUTTONS", "buttons": [button]}]);
            assert_eq!(serde_json::to_value(&created.components).unwrap(), expected, "{text}");
            assert_eq!(creation_form(&created).as_ref(), created.as_ref(), "it is a creation already");
            for template in [&listed, created.as_ref()] {
                assert_eq!(lint(template), [], "{text}");
                let parts: Vec<_> = send_form(template).parts.into_iter().map(|part| part.id).collect();
                assert_eq!(parts, ["body.1"]);
                let values = [("body.1".to_owned(), "424242".to_owned())].into();
                let sent = serde_json::to_string(&fill_send(template, &values)).unwrap();
                assert_eq!(sent.matches("424242").count(), 2, "body and button: {sent}");
            }
        }
    }

    #[test]
    fn other_listed_forms_keep_their_otp_button() {
        let plain = template(json!([
            {"type": "BODY", "text": "{{1}} is your verification code.", "example": {"body_text": [["123456"]]}},
            {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE", "text": "Copy code"}]}]));
        let created = serde_json::to_value(&creation_form(&plain).components).unwrap();
        assert_eq!(created[0], json!({"type": "BODY"}));
        assert_eq!(lint(&plain).iter().filter(|finding| finding.blocks()).count(), 0);

        let listed = template(json!([
            {"type": "BODY", "text": "*{{1}}* is your verification code.", "add_security_recommendation": false,
                "example": {"body_text": [["123456"]]}},
            {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "ZERO_TAP", "text": "Copy code",
                "supported_apps": [{"package_name": "com.example.app", "signature_hash": "K8a/AINcGX7"}],
                "url": "https://www.whatsapp.com/otp/code/?otp_type=ZERO_TAP&code=otp{{1}}"}]}]));
        let created = serde_json::to_value(&creation_form(&listed).components).unwrap();
        assert_eq!(created[0], json!({"type": "BODY", "add_security_recommendation": false}));
        assert_eq!(created[1]["buttons"][0]["zero_tap_terms_accepted"], true);
        assert_eq!(created[1]["buttons"][0].get("url"), None);
        assert_eq!(lint(&listed).iter().filter(|finding| finding.blocks()).count(), 0);
    }

    #[test]
    fn own_texts_are_not_taken_for_the_channels() {
        let otp = json!({"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]});
        for text in ["Your code is {{1}}.", "*{{1}}* or {{2}}", "Welcome"] {
            let own = template(json!([{"type": "BODY", "text": text}, otp]));
            assert_eq!(creation_form(&own).as_ref(), &own);
            assert!(lint(&own).iter().any(|finding| finding.code == "authentication.body_text"), "{text}");
        }
        let other =
            Template { category: Category::Utility, ..listed("*{{1}}*", &json!({"type": "FOOTER"}), "https://a") };
        assert_eq!(creation_form(&other).as_ref(), &other);
    }
}
