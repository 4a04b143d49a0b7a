//! Authentication templates as the channel lists them: with the texts that it wrote and a button that is an address
//! (upstream §1.3, §2.9). None of these can be created or edited.

use model::button::{Button, OtpButton, UrlButton};
use model::component::{Body, BodyExample, Component, Footer};
use model::passcode;
use model::template::Template;
use model::vocabulary::Category;
use reqwest::Url;

const ADDRESS: &str = "https://www.whatsapp.com/otp/code/";
const SAMPLE: &str = "123456";

/// Writes the listed form. `with_settings` keeps the values that the texts were written from; not every listing has
/// them.
pub(super) fn show(template: &mut Template, with_settings: bool) {
    if template.category != Category::Authentication {
        return;
    }
    let language = template.language.clone();
    let minutes = template.find(|component| match component {
        Component::Footer(footer) => footer.code_expiration_minutes,
        _ => None,
    });
    for component in &mut template.components {
        match component {
            Component::Body(body) => write_body(body, &language, with_settings),
            Component::Footer(footer) => write_footer(footer, &language, with_settings),
            Component::Buttons(row) => {
                for button in &mut row.buttons {
                    if let Button::Otp(otp) = button {
                        *button = Button::Url(address_button(otp, minutes));
                    }
                }
            }
            _ => {}
        }
    }
}

fn write_body(body: &mut Body, language: &str, with_settings: bool) {
    body.text = Some(passcode::body_text(language, body.add_security_recommendation == Some(true)));
    body.example = Some(BodyExample { body_text: vec![vec![SAMPLE.to_owned()]], ..BodyExample::default() });
    if !with_settings {
        body.add_security_recommendation = None;
    }
}

fn write_footer(footer: &mut Footer, language: &str, with_settings: bool) {
    let Some(minutes) = footer.code_expiration_minutes else { return };
    footer.text = Some(passcode::expiry_text(language, minutes));
    if !with_settings {
        footer.code_expiration_minutes = None;
    }
}

fn address_button(otp: &OtpButton, minutes: Option<u64>) -> UrlButton {
    let mut address = Url::parse(ADDRESS).expect("a fixed address");
    {
        let mut query = address.query_pairs_mut();
        query.append_pair("otp_type", otp.otp_type.as_str());
        if let Some(minutes) = minutes {
            query.append_pair("code_expiration_minutes", &minutes.to_string());
        }
        if let Some(label) = &otp.autofill_text {
            query.append_pair("cta_display_name", label);
        }
        if !otp.supported_apps.is_empty() {
            let joined = |part: fn(&model::button::SupportedApp) -> &str| {
                otp.supported_apps.iter().map(part).collect::<Vec<_>>().join(",")
            };
            query.append_pair("package_name", &joined(|app| &app.package_name));
            query.append_pair("signature_hash", &joined(|app| &app.signature_hash));
        }
    }
    let address = format!("{address}&code=otp");
    UrlButton {
        text: otp.text.clone().unwrap_or_else(|| "Copy code".to_owned()),
        example: vec![format!("{address}{SAMPLE}")],
        url: format!("{address}{{{{1}}}}"),
        extra: otp.extra.clone(),
    }
}
