//! Fixes for buttons.

use std::collections::{HashMap, VecDeque};

use super::super::part::{Owner, list_at, owner_at, owner_path};
use super::text::{component_at, respell};
use super::words;
use crate::Object;
use crate::button::{Button, OtpButton};
use crate::component::{Buttons, Component};
use crate::template::Template;
use crate::variable;
use crate::vocabulary::OtpType;

fn button<'t>(template: &'t mut Template, path: &str) -> Option<&'t mut Button> {
    match owner_at(template, owner_path(path).0)? {
        Owner::Button(button) => Some(button),
        Owner::Component(_) => None,
    }
}

/// The list of buttons that contains the path.
fn row<'t>(template: &'t mut Template, path: &str) -> Option<&'t mut Vec<Button>> {
    let component = path.rfind("/buttons").map_or(path, |at| &path[..at]);
    match component_at(template, component)? {
        Component::Buttons(buttons) => Some(&mut buttons.buttons),
        _ => None,
    }
}

fn passcode() -> Button {
    Button::Otp(OtpButton {
        otp_type: OtpType::CopyCode,
        text: None,
        autofill_text: None,
        zero_tap_terms_accepted: None,
        supported_apps: Vec::new(),
        extra: Object::new(),
    })
}

/// Adds a button that copies the code; the phone provides its label.
pub(super) fn add_passcode(template: &mut Template, _path: &str) -> Option<()> {
    let buttons = Buttons { buttons: vec![passcode()], extra: Object::new() };
    template.components.push(Component::Buttons(buttons));
    Some(())
}

/// Removes the buttons of other categories; keeps or adds one for the code.
pub(super) fn only_passcode(template: &mut Template, path: &str) -> Option<()> {
    let row = row(template, path)?;
    if row.iter().any(|button| matches!(button, Button::Unknown(_))) {
        return None;
    }
    let passcode_button = row.iter().find(|button| matches!(button, Button::Otp(_))).cloned();
    *row = vec![passcode_button.unwrap_or_else(passcode)];
    Some(())
}

/// Groups the buttons: first the group of the first button, each group in its order.
pub(super) fn group(template: &mut Template, path: &str) -> Option<()> {
    let row = row(template, path)?;
    let quick = |button: &Button| matches!(button, Button::QuickReply(_));
    let first = quick(row.first()?);
    row.sort_by_key(|button| quick(button) != first);
    Some(())
}

pub(super) fn code_first(template: &mut Template, path: &str) -> Option<()> {
    row(template, path)?.sort_by_key(|button| match button {
        Button::CopyCode(_) => 0,
        Button::Url(_) => 1,
        _ => 2,
    });
    Some(())
}

/// Sorts the buttons of a card by type like those of the first card.
pub(super) fn order_like_first_card(template: &mut Template, path: &str) -> Option<()> {
    let first = {
        let (cards, _) = path.strip_suffix("/components")?.rsplit_once('/')?;
        list_at(template, &format!("{cards}/0/components"))?.clone()
    };
    let buttons = |components: &[Component]| -> Option<usize> {
        components.iter().position(|component| matches!(component, Component::Buttons(_)))
    };
    let Component::Buttons(model) = &first[buttons(&first)?] else { return None };
    let card = list_at(template, path)?;
    let at = buttons(card)?;
    let Component::Buttons(own) = &mut card[at] else { return None };
    let kind = |button: &Button| button.type_name().to_ascii_uppercase();
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (place, wanted) in model.buttons.iter().enumerate() {
        places.entry(kind(wanted)).or_default().push_back(place);
    }
    // Buttons that the first card doesn't have come last, in their order.
    own.buttons
        .sort_by_cached_key(|button| places.get_mut(&kind(button)).and_then(VecDeque::pop_front).unwrap_or(usize::MAX));
    places.values().all(VecDeque::is_empty).then_some(())
}

pub(super) fn fixed_label(template: &mut Template, path: &str) -> Option<()> {
    match button(template, path)? {
        Button::RequestContactInfo(button) => drop(button.extra.shift_remove("text")),
        Button::Catalog(button) => button.text = "View catalog".to_owned(),
        Button::Mpm(button) => button.text = "View items".to_owned(),
        Button::Spm(button) => button.text = "View".to_owned(),
        _ => return None,
    }
    Some(())
}

pub(super) fn plain_label(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, |label| words::without_formatting(&words::without_emoji(&words::one_line(label))))
}

pub(super) fn plain_code(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, |code| code.chars().filter(|c| c.is_alphanumeric()).collect())
}

pub(super) fn only_digits(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, |number| {
        let digits = number.chars().filter(char::is_ascii_digit);
        number.trim().chars().next().filter(|first| *first == '+').into_iter().chain(digits).collect()
    })
}

/// Adds `https://` to an address that begins with a domain name.
pub(super) fn whole_address(template: &mut Template, path: &str) -> Option<()> {
    let Button::Url(button) = button(template, path)? else { return None };
    let address = button.url.trim();
    let host = address.split(['/', '?', '#']).next().unwrap_or_default();
    let like_a_site = host.contains('.')
        && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'))
        && host.starts_with(char::is_alphanumeric);
    if !like_a_site {
        return None;
    }
    let whole = format!("https://{address}");
    for sample in &mut button.example {
        if sample.trim().starts_with(host) {
            *sample = format!("https://{}", sample.trim());
        }
    }
    button.url = whole;
    Some(())
}

/// Encodes spaces inside an address as `%20`; removes those around it and inside braces. Those before a value in the path
/// become a slash.
pub(super) fn no_spaces(template: &mut Template, path: &str) -> Option<()> {
    super::text::no_spaces_in_braces(template, path)?;
    respell(template, path, |address| {
        let mut out = String::with_capacity(address.len());
        let address = address.trim();
        for (at, c) in address.char_indices() {
            match c {
                '\n' | '\r' | '\t' => {}
                // Before a value in the path, the space stands for the slash that was left out.
                c if c.is_whitespace() && address[at..].trim_start().starts_with("{{") && !out.contains(['?', '#']) => {
                    if !out.ends_with(['/', '-', '_', '.', '=']) {
                        out.push('/');
                    }
                }
                c if c.is_whitespace() => out.push_str("%20"),
                c => out.push(c),
            }
        }
        out
    })
}

/// Extends the sample to the whole address.
pub(super) fn whole_sample(template: &mut Template, path: &str) -> Option<()> {
    let Button::Url(button) = button(template, path)? else { return None };
    let sample = button.example.first_mut()?;
    *sample = variable::fill(&button.url, |_| Some(sample.trim()));
    Some(())
}

pub(super) fn clamp_call(template: &mut Template, path: &str) -> Option<()> {
    let Button::VoiceCall(call) = button(template, path)? else { return None };
    let minutes = call.ttl_minutes.as_mut()?;
    *minutes = (*minutes).clamp(1440, 43_200);
    Some(())
}
