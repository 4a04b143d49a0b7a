//! A template without the fields that this version does not know. A listing may have fields that a creation does not take,
//! such as a provider's own; nothing tells them from new fields of the channel.

use crate::Object;
use crate::button::Button;
use crate::component::{Component, NamedSample};
use crate::template::Template;

/// The template with known fields only. Components and buttons of unknown types stay as they are: the message would be
/// another one without them.
#[must_use]
pub fn with_known_fields(mut template: Template) -> Template {
    template.extra.clear();
    keep_known_fields(&mut template.components);
    template
}

fn keep_known_fields(components: &mut [Component]) {
    let unnamed = |samples: &mut [NamedSample]| samples.iter_mut().for_each(|it| it.extra.clear());
    for component in components {
        match component {
            Component::Header(header) => {
                header.extra.clear();
                if let Some(example) = &mut header.example {
                    example.extra.clear();
                    unnamed(&mut example.header_text_named_params);
                }
            }
            Component::Body(body) => {
                body.extra.clear();
                if let Some(example) = &mut body.example {
                    example.extra.clear();
                    unnamed(&mut example.body_text_named_params);
                }
            }
            Component::Footer(footer) => footer.extra.clear(),
            Component::Buttons(row) => {
                row.extra.clear();
                row.buttons.iter_mut().filter_map(unknown_of).for_each(Object::clear);
                for button in &mut row.buttons {
                    if let Button::Otp(otp) = button {
                        otp.supported_apps.iter_mut().for_each(|app| app.extra.clear());
                    }
                }
            }
            Component::Carousel(carousel) => {
                carousel.extra.clear();
                for card in &mut carousel.cards {
                    card.extra.clear();
                    keep_known_fields(&mut card.components);
                }
            }
            Component::LimitedTimeOffer(offer) => {
                offer.extra.clear();
                offer.limited_time_offer.extra.clear();
            }
            Component::CallPermissionRequest(request) => request.extra.clear(),
            Component::Unknown(_) => {}
        }
    }
}

fn unknown_of(button: &mut Button) -> Option<&mut Object> {
    Some(match button {
        Button::Url(button) => &mut button.extra,
        Button::QuickReply(button)
        | Button::Catalog(button)
        | Button::Mpm(button)
        | Button::Spm(button)
        | Button::OrderDetails(button) => &mut button.extra,
        Button::PhoneNumber(button) => &mut button.extra,
        Button::CopyCode(button) => &mut button.extra,
        Button::Otp(button) => &mut button.extra,
        Button::Flow(button) => &mut button.extra,
        Button::VoiceCall(button) => &mut button.extra,
        Button::RequestContactInfo(button) => &mut button.extra,
        Button::Unknown(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::json;

    use super::*;

    #[test]
    fn unknown_fields_are_left_out_at_every_level_and_unknown_types_stay() {
        let listed = json!({"name": "n", "language": "en", "category": "marketing", "x_shard": 3, "components": [
            {"type": "HEADER", "format": "TEXT", "text": "Hi", "x_region": "eu"},
            {"type": "BODY", "text": "Hi {{1}}", "x_region": "eu", "example": {"body_text": [["Ana"]], "x": 1}},
            {"type": "BUTTONS", "x": 1, "buttons": [{"type": "QUICK_REPLY", "text": "Yes", "x": 1},
                {"type": "NEW_BUTTON", "x": 1}]},
            {"type": "CAROUSEL", "cards": [{"x": 1, "components": [{"type": "BODY", "text": "A", "x": 1}]}]},
            {"type": "NEW_COMPONENT", "x": 1}]});
        let template = with_known_fields(serde_json::from_value(listed).unwrap());
        let expected = json!({"name": "n", "language": "en", "category": "marketing", "components": [
            {"type": "HEADER", "format": "TEXT", "text": "Hi"},
            {"type": "BODY", "text": "Hi {{1}}", "example": {"body_text": [["Ana"]]}},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Yes"}, {"type": "NEW_BUTTON", "x": 1}]},
            {"type": "CAROUSEL", "cards": [{"components": [{"type": "BODY", "text": "A"}]}]},
            {"type": "NEW_COMPONENT", "x": 1}]});
        assert_eq!(serde_json::to_value(template).unwrap(), expected);
    }
}
