//! Findings about the numbers of call buttons that need the numbering plans of all countries, which this crate has not.

use std::collections::BTreeMap;

use crate::button::Button;
use crate::component::Component;
use crate::finding::{Finding, Severity};
use crate::rules::{is_fictional_number, source};
use crate::template::Template;

/// Numbers that phones would dial as another one, or as none: without the code of a country. `is_whole` tells whether digits
/// are a number with it.
#[must_use]
pub fn phone_button_findings(template: &Template, is_whole: impl Fn(&str) -> bool) -> Vec<Finding> {
    let numbers = numbers(&template.components, "/components").into_iter().filter(|(_, number)| {
        let digits = number.strip_prefix('+').unwrap_or(number);
        // Others have a finding of their own.
        let is_read = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_read && !is_fictional_number(number) && !is_whole(digits)
    });
    let finding = |(path, number)| Finding {
        code: "phone.incomplete",
        severity: Severity::Warning,
        path,
        message: format!(
            "{number} is no whole number with the code of its country, so people may not be able to call it. Write it \
             as in +5511987654321."
        ),
        values: BTreeMap::from([("number", number)]),
        source: source::COMPONENTS,
        fixable: false,
        untouched: false,
    };
    numbers.map(finding).collect()
}

/// The numbers of call buttons, each with its path.
fn numbers(components: &[Component], path: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, component) in components.iter().enumerate() {
        let path = format!("{path}/{at}");
        match component {
            Component::Buttons(buttons) => {
                for (at, button) in buttons.buttons.iter().enumerate() {
                    if let Button::PhoneNumber(phone) = button {
                        let number = phone.phone_number.trim().to_owned();
                        found.push((format!("{path}/buttons/{at}/phone_number"), number));
                    }
                }
            }
            Component::Carousel(carousel) => {
                for (at, card) in carousel.cards.iter().enumerate() {
                    found.extend(numbers(&card.components, &format!("{path}/cards/{at}/components")));
                }
            }
            _ => {}
        }
    }
    found
}
