//! Starter templates: complete examples that a new draft can begin with, in three languages.

mod english;
mod portuguese;
mod spanish;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::button::{Button, CopyCodeButton, LabelButton, OtpButton, SupportedApp, UrlButton};
use crate::component::{Body, BodyExample, Buttons, Component, Footer, Header, HeaderExample, LimitedTimeOffer, Offer};
use crate::template::Template;
use crate::vocabulary::{Category, HeaderFormat, OtpType};
use crate::{Object, passcode, variable};

/// Identifies a starter in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub enum StarterName {
    /// Greets a new customer.
    Welcome,
    /// Announces a sale.
    SeasonalSale,
    /// Gives a code to copy.
    Coupon,
    /// An offer with a countdown.
    LimitedOffer,
    /// Reminds of products that were not bought.
    AbandonedCart,
    /// Invites to an event.
    EventInvitation,
    /// Confirms an order.
    OrderConfirmed,
    /// Says that an order was shipped.
    OrderShipped,
    /// Reminds of an appointment.
    AppointmentReminder,
    /// Reminds of a payment.
    PaymentReminder,
    /// Reports on a support request.
    SupportUpdate,
    /// Warns of a change to an account.
    AccountAlert,
    /// A one-time passcode with a copy button.
    CopyCode,
    /// A one-time passcode that expires.
    ExpiringCode,
    /// A one-time passcode that an Android app fills in.
    OneTapCode,
}

impl StarterName {
    /// All starters, by category, in the order in which they are offered.
    pub const ALL: [Self; 15] = [
        Self::Welcome,
        Self::SeasonalSale,
        Self::Coupon,
        Self::LimitedOffer,
        Self::AbandonedCart,
        Self::EventInvitation,
        Self::OrderConfirmed,
        Self::OrderShipped,
        Self::AppointmentReminder,
        Self::PaymentReminder,
        Self::SupportUpdate,
        Self::AccountAlert,
        Self::CopyCode,
        Self::ExpiringCode,
        Self::OneTapCode,
    ];

    /// The name of the template, the same in every language.
    fn template_name(self) -> &'static str {
        match self {
            Self::Welcome => "welcome",
            Self::SeasonalSale => "seasonal_sale",
            Self::Coupon => "coupon",
            Self::LimitedOffer => "limited_offer",
            Self::AbandonedCart => "abandoned_cart",
            Self::EventInvitation => "event_invitation",
            Self::OrderConfirmed => "order_confirmed",
            Self::OrderShipped => "order_shipped",
            Self::AppointmentReminder => "appointment_reminder",
            Self::PaymentReminder => "payment_reminder",
            Self::SupportUpdate => "support_update",
            Self::AccountAlert => "account_alert",
            Self::CopyCode => "login_code",
            Self::ExpiringCode => "login_code_expiring",
            Self::OneTapCode => "login_code_one_tap",
        }
    }

    fn category(self) -> Category {
        match self {
            Self::Welcome
            | Self::SeasonalSale
            | Self::Coupon
            | Self::LimitedOffer
            | Self::AbandonedCart
            | Self::EventInvitation => Category::Marketing,
            Self::OrderConfirmed
            | Self::OrderShipped
            | Self::AppointmentReminder
            | Self::PaymentReminder
            | Self::SupportUpdate
            | Self::AccountAlert => Category::Utility,
            Self::CopyCode | Self::ExpiringCode | Self::OneTapCode => Category::Authentication,
        }
    }
}

/// Codes of the languages in which every starter exists.
pub const LANGUAGES: [&str; 3] = ["en_US", "pt_BR", "es"];

/// A starter in one language; `None` if it doesn't exist in this language.
#[must_use]
pub fn starter(name: StarterName, language: &str) -> Option<Template> {
    if !LANGUAGES.contains(&language) {
        return None;
    }
    let components = match name {
        StarterName::CopyCode => passcode(Footer::default(), otp(OtpType::CopyCode, language), false),
        StarterName::ExpiringCode => passcode(expiring(10), otp(OtpType::CopyCode, language), true),
        StarterName::OneTapCode => passcode(expiring(5), otp(OtpType::OneTap, language), true),
        _ => content(name, language)?.components(),
    };
    Some(Template {
        name: name.template_name().to_owned(),
        language: language.to_owned(),
        category: name.category(),
        components,
        ..Template::default()
    })
}

/// The texts of one starter in one language.
#[derive(Clone, Copy, Default)]
struct Content {
    /// Line of a text header; empty for none.
    header: &'static str,
    /// Sample of the header's variable; empty if it has none.
    header_sample: &'static str,
    /// Heading of a limited-time offer; empty for none.
    offer: &'static str,
    body: &'static str,
    /// A sample for each variable of the body.
    samples: &'static [&'static str],
    /// Empty for none.
    footer: &'static str,
    buttons: &'static [Action],
}

#[derive(Clone, Copy)]
enum Action {
    /// A quick reply with this label.
    Reply(&'static str),
    /// Label, address, and the whole address as a sample if it ends with a variable.
    Link(&'static str, &'static str, &'static str),
    /// A code to copy.
    Code(&'static str),
}

impl Content {
    fn components(&self) -> Vec<Component> {
        let mut components = Vec::new();
        if !self.header.is_empty() {
            components.push(Component::Header(Header {
                format: HeaderFormat::Text,
                text: Some(self.header.to_owned()),
                example: (!self.header_sample.is_empty()).then(|| HeaderExample {
                    header_text: vec![self.header_sample.to_owned()],
                    ..HeaderExample::default()
                }),
                extra: Object::new(),
            }));
        }
        if !self.offer.is_empty() {
            components.push(Component::LimitedTimeOffer(LimitedTimeOffer {
                limited_time_offer: Offer {
                    text: self.offer.to_owned(),
                    has_expiration: Some(true),
                    ..Offer::default()
                },
                ..LimitedTimeOffer::default()
            }));
        }
        let samples: Vec<String> = self.samples.iter().map(|&sample| sample.to_owned()).collect();
        components.push(Component::Body(Body {
            text: Some(self.body.to_owned()),
            example: variable::scan(self.body)
                .next()
                .map(|_| BodyExample { body_text: vec![samples], ..BodyExample::default() }),
            ..Body::default()
        }));
        if !self.footer.is_empty() {
            components.push(Component::Footer(Footer { text: Some(self.footer.to_owned()), ..Footer::default() }));
        }
        if !self.buttons.is_empty() {
            let buttons = self.buttons.iter().map(|&action| button(action)).collect();
            components.push(Component::Buttons(Buttons { buttons, ..Buttons::default() }));
        }
        components
    }
}

fn button(action: Action) -> Button {
    match action {
        Action::Reply(label) => Button::QuickReply(LabelButton { text: label.to_owned(), ..LabelButton::default() }),
        Action::Link(label, url, sample) => Button::Url(UrlButton {
            text: label.to_owned(),
            url: url.to_owned(),
            example: (!sample.is_empty()).then(|| sample.to_owned()).into_iter().collect(),
            ..UrlButton::default()
        }),
        Action::Code(code) => {
            Button::CopyCode(CopyCodeButton { example: code.to_owned(), ..CopyCodeButton::default() })
        }
    }
}

fn content(name: StarterName, language: &str) -> Option<Content> {
    match language {
        "en_US" => english::content(name),
        "pt_BR" => portuguese::content(name),
        "es" => spanish::content(name),
        _ => None,
    }
}

/// The components of an authentication template, whose text WhatsApp writes.
fn passcode(footer: Footer, otp: OtpButton, advice: bool) -> Vec<Component> {
    let mut components =
        vec![Component::Body(Body { add_security_recommendation: advice.then_some(true), ..Body::default() })];
    if footer.code_expiration_minutes.is_some() {
        components.push(Component::Footer(footer));
    }
    components.push(Component::Buttons(Buttons { buttons: vec![Button::Otp(otp)], ..Buttons::default() }));
    components
}

fn expiring(minutes: u64) -> Footer {
    Footer { code_expiration_minutes: Some(minutes), ..Footer::default() }
}

fn otp(otp_type: OtpType, language: &str) -> OtpButton {
    let one_tap = otp_type == OtpType::OneTap;
    let app = SupportedApp {
        package_name: "com.example.app".to_owned(),
        signature_hash: "K8a/AINcGX7".to_owned(),
        extra: Object::new(),
    };
    OtpButton {
        otp_type,
        text: Some(passcode::copy_label(language).to_owned()),
        autofill_text: one_tap.then(|| passcode::autofill_label(language).to_owned()),
        zero_tap_terms_accepted: None,
        supported_apps: if one_tap { vec![app] } else { Vec::new() },
        extra: Object::new(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use crate::finding::Finding;
    use crate::lint::{LintContext, inspect};

    /// Every starter in every language.
    fn all() -> impl Iterator<Item = Template> {
        LANGUAGES.iter().flat_map(|language| StarterName::ALL.map(|name| starter(name, language).unwrap()))
    }

    #[test]
    fn starters_have_no_findings_but_their_placeholder_links() {
        let context = LintContext { files_known: true, ..LintContext::default() };
        let found: Vec<String> = all()
            .flat_map(|template| {
                let (findings, _) = inspect(&template, &context);
                let is_link = |finding: &Finding| finding.code == "url.placeholder";
                let has_link = serde_json::to_string(&template).unwrap().contains("example.com");
                assert_eq!(findings.iter().any(is_link), has_link, "{}", template.name);
                let of =
                    move |finding: Finding| format!("{} {}: {}", template.name, template.language, finding.message);
                findings.into_iter().filter(|finding| !is_link(finding)).map(of).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn every_variable_has_a_sample() {
        for template in all() {
            for used in variable::variables(&template) {
                assert!(!used.sample.is_empty(), "{}: {used:?}", template.name);
            }
        }
    }

    #[test]
    fn translations_have_the_same_parts() {
        for name in StarterName::ALL {
            let shape = |language: &str| {
                let template = starter(name, language).unwrap();
                let variables: Vec<String> = variable::variables(&template).into_iter().map(|used| used.name).collect();
                let parts: Vec<String> =
                    template.components.iter().map(|component| component.type_name().to_owned()).collect();
                (parts, variables)
            };
            assert_eq!(shape("pt_BR"), shape("en_US"), "{name:?}");
            assert_eq!(shape("es"), shape("en_US"), "{name:?}");
        }
    }

    #[test]
    fn names_of_starters_differ() {
        let mut names = StarterName::ALL.map(StarterName::template_name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn an_unknown_language_has_no_starters() {
        assert!(StarterName::ALL.iter().all(|name| starter(*name, "fr").is_none()));
    }
}
