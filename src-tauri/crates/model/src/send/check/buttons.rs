//! Checks the parameters of buttons.

use serde_json::Value;

use super::{COUNT, Check, FORMAT, MISSING, UNSUPPORTED, VALUE};
use crate::button::Button;
use crate::component::Component;
use crate::send::limits::CODE_LENGTH;
use crate::send::{Parameter, SendButton, SendComponent};
use crate::variable;

impl Check {
    pub(super) fn buttons(&mut self, template: &[Component], send: &[SendComponent], path: &str, authentication: bool) {
        let row = template.iter().find_map(|component| match component {
            Component::Buttons(buttons) => Some(buttons.buttons.as_slice()),
            _ => None,
        });
        let row = row.unwrap_or_default();
        let mut filled = vec![false; row.len()];
        for (at, component) in send.iter().enumerate() {
            let SendComponent::Button(button) = component else { continue };
            let here = format!("{path}/{at}");
            let Some(index) = button.index.parse::<usize>().ok().filter(|index| *index < row.len()) else {
                let message = format!("`index` is the position of a button from 0; the template has {}", row.len());
                self.add(VALUE, &format!("{here}/index"), "", message);
                continue;
            };
            if std::mem::replace(&mut filled[index], true) {
                self.add(VALUE, &format!("{here}/index"), "", format!("button {index} is filled twice"));
                continue;
            }
            if authentication {
                self.passcode_button(button, send, &here);
            } else {
                self.button(index, &row[index], button, &here);
            }
        }
        for (index, button) in row.iter().enumerate().filter(|(index, _)| !filled[*index]) {
            if let Some(field) = required_field(button, authentication) {
                let part = if authentication { "body.1".to_owned() } else { format!("button.{index}.{field}") };
                let kind = button.type_name();
                let message =
                    format!("button {index} of the type {kind} takes a parameter: a component `button` is required");
                self.add(MISSING, path, &part, message);
            } else if let Button::Flow(_) | Button::Catalog(_) = button {
                let (kind, part) = (button.type_name(), format!("button.{index}.{}", optional_field(button)));
                let message =
                    format!("button {index} of the type {kind} is not named: a component `button` is required");
                self.add(VALUE, path, &part, message);
            }
        }
    }

    fn passcode_button(&mut self, button: &SendButton, send: &[SendComponent], path: &str) {
        if !button.sub_type.eq_ignore_ascii_case("url") {
            let message = format!("the button of a passcode has the sub_type `url`, not `{}`", button.sub_type);
            self.add(FORMAT, &format!("{path}/sub_type"), "body.1", message);
            return;
        }
        let [parameter] = button.parameters.as_slice() else {
            self.add(COUNT, path, "body.1", "the button takes one parameter, the code");
            return;
        };
        let here = format!("{path}/parameters/0");
        let Some(code) = self.text(parameter, &here, "body.1") else { return };
        let body = send.iter().find_map(|component| match component {
            SendComponent::Body(list) => match list.parameters.first() {
                Some(Parameter::Text(text)) => Some(text.text.as_str()),
                _ => None,
            },
            _ => None,
        });
        if body.is_some_and(|body| body != code) {
            self.add(VALUE, &here, "body.1", "the code of the button differs from the code of the body");
        }
    }

    fn button(&mut self, index: usize, button: &Button, send: &SendButton, path: &str) {
        let (sub_type, kind, field, count) = match button {
            Button::Url(url) => ("url", "text", "url", usize::from(variable::scan(&url.url).next().is_some())),
            Button::QuickReply(_) => ("quick_reply", "payload", "payload", 1),
            Button::CopyCode(_) => ("copy_code", "coupon_code", "code", 1),
            Button::Flow(_) => ("flow", "action", "flow_token", 1),
            Button::Catalog(_) => ("catalog", "action", "thumbnail_product_retailer_id", 1),
            Button::Mpm(_) => ("mpm", "action", "sections", 1),
            Button::OrderDetails(_) => ("order_details", "action", "order_details", 1),
            // Their parameters are undocumented; any are accepted.
            Button::Unknown(_) | Button::Otp(_) => return,
            Button::VoiceCall(_) if send.sub_type.eq_ignore_ascii_case("voice_call") => return,
            Button::VoiceCall(_) => ("voice_call", "", "", 0),
            Button::PhoneNumber(_) | Button::RequestContactInfo(_) | Button::Spm(_) => {
                let message = format!("button {index} of the type {} takes no component", button.type_name());
                self.add(UNSUPPORTED, &format!("{path}/sub_type"), "", message);
                return;
            }
        };
        let part = if field.is_empty() { String::new() } else { format!("button.{index}.{field}") };
        if !send.sub_type.eq_ignore_ascii_case(sub_type) {
            let message = format!("button {index} has the sub_type `{sub_type}`, not `{}`", send.sub_type);
            self.add(FORMAT, &format!("{path}/sub_type"), &part, message);
            return;
        }
        if send.parameters.len() != count {
            let required = required_field(button, false).is_some() && send.parameters.is_empty();
            let code = if required { MISSING } else { COUNT };
            let given = send.parameters.len();
            if count == 1 && given == 0 && !required {
                return; // Optional, and left empty.
            }
            self.add(code, path, &part, format!("button {index} takes {count} parameters; {given} are given"));
            return;
        }
        let Some(parameter) = send.parameters.first() else { return };
        let here = format!("{path}/parameters/0");
        match (kind, parameter) {
            ("text", parameter) => {
                self.text(parameter, &here, &part);
            }
            ("payload", Parameter::Payload(payload)) => {
                if payload.payload.is_empty() {
                    self.add(MISSING, &format!("{here}/payload"), &part, "the payload is empty");
                }
            }
            ("coupon_code", Parameter::CouponCode(coupon)) => {
                let length = coupon.coupon_code.chars().count();
                let path = format!("{here}/coupon_code");
                if coupon.coupon_code.trim().is_empty() {
                    self.add(MISSING, &path, &part, "the code is empty");
                } else if length > CODE_LENGTH {
                    self.code_too_long(VALUE, &path, &part, length);
                }
            }
            ("action", Parameter::Action(action)) => {
                self.action(field, &action.action, &format!("{here}/action"), &part)
            }
            (kind, other) => {
                let message = format!("a parameter of the type `{kind}` is expected, not `{}`", other.type_name());
                self.add(FORMAT, &here, &part, message);
            }
        }
    }

    fn action(&mut self, field: &str, action: &Value, path: &str, part: &str) {
        let value = action.get(field);
        match field {
            "sections" => {
                if !value.and_then(Value::as_array).is_some_and(|sections| (1..=10).contains(&sections.len())) {
                    self.add(MISSING, path, part, "`sections`, a list of 1 to 10 with their products, is required");
                }
            }
            "order_details" => {
                if !value.is_some_and(Value::is_object) {
                    self.add(MISSING, path, part, "`order_details`, an object, is required");
                }
            }
            _ => {
                if !action.is_object() {
                    self.add(VALUE, path, part, "`action` is an object");
                } else if field == "flow_token" && value.is_some_and(|token| token.as_str().is_none_or(str::is_empty)) {
                    self.add(VALUE, path, part, "`flow_token` is a text that is not empty");
                }
            }
        }
    }
}

/// The field of a button that must be named, though it has nothing to fill in.
fn optional_field(button: &Button) -> &'static str {
    if matches!(button, Button::Flow(_)) { "flow_token" } else { "thumbnail_product_retailer_id" }
}

/// The field that a send must fill for this button.
fn required_field(button: &Button, authentication: bool) -> Option<&'static str> {
    match button {
        Button::Otp(_) | Button::Url(_) if authentication => Some("code"),
        Button::Url(url) => variable::scan(&url.url).next().map(|_| "url"),
        Button::CopyCode(_) => Some("code"),
        Button::Mpm(_) => Some("sections"),
        Button::OrderDetails(_) => Some("order_details"),
        _ => None,
    }
}
