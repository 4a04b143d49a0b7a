//! Fixes for the template's own fields and its components.

use std::collections::HashSet;

use serde_json::Value;

use super::super::part::{list_at, owner_path};
use super::text::component_at;
use super::words;
use crate::component::{Body, BodyExample, Component, Header, HeaderExample};
use crate::language;
use crate::rules::{ORDER_DISPLAY_FORMAT, lifetimes};
use crate::template::Template;
use crate::variable::{Variable, scan};
use crate::vocabulary::{Category, HeaderFormat, ParameterFormat, TemplateType};

pub(super) fn spell_name(template: &mut Template, _path: &str) -> Option<()> {
    template.name = words::as_name(&template.name)?;
    Some(())
}

pub(super) fn spell_language(template: &mut Template, _path: &str) -> Option<()> {
    template.language = language::normalise(&template.language).into_owned();
    Some(())
}

/// Sets the type to `cloud_api`, which supports every category.
pub(super) fn ordinary_type(template: &mut Template, _path: &str) -> Option<()> {
    template.kind = Some(TemplateType::CloudApi);
    Some(())
}

pub(super) fn infer_format(template: &mut Template, _path: &str) -> Option<()> {
    template.parameter_format = None;
    template.parameter_format = Some(template.effective_parameter_format());
    Some(())
}

pub(super) fn remove_sub_category(template: &mut Template, _path: &str) -> Option<()> {
    template.sub_category = None;
    Some(())
}

pub(super) fn clamp_ttl(template: &mut Template, _path: &str) -> Option<()> {
    const THIRTY_DAYS: i64 = 2_592_000;
    let (least, most, _) = lifetimes(&template.category)?;
    let seconds = template.message_send_ttl_seconds.as_mut()?;
    // `-1` means thirty days if the category supports it.
    let meant = if *seconds == -1 { THIRTY_DAYS } else { *seconds };
    *seconds = meant.clamp(least, most);
    Some(())
}

pub(super) fn remove_ttl(template: &mut Template, _path: &str) -> Option<()> {
    template.message_send_ttl_seconds = None;
    Some(())
}

pub(super) fn order_display(template: &mut Template, _path: &str) -> Option<()> {
    template.display_format = Some(ORDER_DISPLAY_FORMAT.to_owned());
    Some(())
}

pub(super) fn named_format(template: &mut Template, _path: &str) -> Option<()> {
    template.parameter_format = Some(ParameterFormat::Named);
    Some(())
}

/// Converts numbers that were written as strings.
pub(super) fn number_wabas(template: &mut Template, _path: &str) -> Option<()> {
    let ids = template.extra.get_mut("waba_ids")?;
    if !ids.is_array() {
        *ids = Value::Array(vec![ids.take()]);
    }
    for id in ids.as_array_mut()? {
        if let Value::String(digits) = id {
            *id = digits.trim().parse::<u64>().ok()?.into();
        }
    }
    Some(())
}

/// Removes the component at `path`.
pub(super) fn remove(template: &mut Template, path: &str) -> Option<()> {
    let (list, index) = path.rsplit_once('/')?;
    let list = list_at(template, list)?;
    let index: usize = index.parse().ok()?;
    (index < list.len()).then(|| drop(list.remove(index)))
}

/// Removes components of this type from every card, since all cards have the same structure.
pub(super) fn remove_from_cards(template: &mut Template, path: &str) -> Option<()> {
    let kind = component_at(template, path)?.type_name().to_owned();
    let Component::Carousel(carousel) = component_at(template, &path[..path.find("/cards/")?])? else { return None };
    for card in &mut carousel.cards {
        card.components.retain(|component| component.type_name() != kind);
    }
    Some(())
}

pub(super) fn remove_empty_buttons(template: &mut Template, path: &str) -> Option<()> {
    match component_at(template, path)? {
        Component::Buttons(buttons) if buttons.buttons.is_empty() && buttons.extra.is_empty() => {
            remove_owner(template, path)
        }
        _ => None,
    }
}

/// Removes the component that contains the field at `path`.
fn remove_owner(template: &mut Template, path: &str) -> Option<()> {
    let (owner, _) = owner_path(path);
    remove(template, owner)
}

/// Removes a second component that equals the first, or is empty.
pub(super) fn remove_duplicate(template: &mut Template, path: &str) -> Option<()> {
    let (list, index) = path.rsplit_once('/')?;
    let components = list_at(template, list)?;
    let index: usize = index.parse().ok()?;
    let component = components.get(index)?;
    let silent = match component {
        Component::Header(header) => header.text.as_deref().unwrap_or_default().is_empty() && header.example.is_none(),
        Component::Body(body) => body.text.as_deref().unwrap_or_default().is_empty() && body.extra.is_empty(),
        Component::Footer(footer) => footer.text.as_deref().unwrap_or_default().is_empty() && footer.extra.is_empty(),
        Component::Buttons(buttons) => buttons.buttons.is_empty() && buttons.extra.is_empty(),
        Component::Carousel(carousel) => carousel.cards.is_empty() && carousel.extra.is_empty(),
        _ => false,
    };
    let same = components[..index].contains(component);
    if silent || same { remove(template, path) } else { None }
}

pub(super) fn add_authentication_body(template: &mut Template, _path: &str) -> Option<()> {
    // Only a person can write the text of any other body.
    if template.category != Category::Authentication {
        return None;
    }
    template.components.insert(0, Component::Body(Body::default()));
    Some(())
}

pub(super) fn add_product_header(template: &mut Template, _path: &str) -> Option<()> {
    if template.components.iter().any(|component| matches!(component, Component::Header(_))) {
        return None;
    }
    let header = Header { format: HeaderFormat::Product, text: None, example: None, extra: crate::Object::new() };
    template.components.insert(0, Component::Header(header));
    Some(())
}

fn body<'t>(template: &'t mut Template, path: &str) -> Option<&'t mut Body> {
    match component_at(template, path)? {
        Component::Body(body) => Some(body),
        _ => None,
    }
}

fn header<'t>(template: &'t mut Template, path: &str) -> Option<&'t mut Header> {
    match component_at(template, path)? {
        Component::Header(header) => Some(header),
        _ => None,
    }
}

pub(super) fn remove_body_text(template: &mut Template, path: &str) -> Option<()> {
    body(template, path)?.text = None;
    Some(())
}

pub(super) fn remove_body_sample(template: &mut Template, path: &str) -> Option<()> {
    body(template, path)?.example = None;
    Some(())
}

pub(super) fn remove_recommendation(template: &mut Template, path: &str) -> Option<()> {
    body(template, path)?.add_security_recommendation = None;
    Some(())
}

/// Removes samples without a variable.
pub(super) fn remove_extra_samples(template: &mut Template, path: &str) -> Option<()> {
    let body = body(template, path)?;
    let variables: Vec<Variable<'_>> = scan(body.text.as_deref().unwrap_or_default()).collect();
    let needed = variables.iter().filter_map(Variable::number).max().map_or(0, |number| number.max(1));
    let example = body.example.as_mut()?;
    if let Some(row) = example.body_text.first_mut() {
        row.truncate(needed);
    }
    if example.body_text.iter().all(Vec::is_empty) {
        example.body_text.clear();
    }
    let names: HashSet<&str> = variables.iter().map(|variable| variable.name).collect();
    example.body_text_named_params.retain(|sample| names.contains(sample.param_name.as_str()));
    if *example == BodyExample::default() {
        body.example = None;
    }
    Some(())
}

pub(super) fn keep_first_samples(template: &mut Template, path: &str) -> Option<()> {
    body(template, path)?.example.as_mut()?.body_text.truncate(1);
    Some(())
}

pub(super) fn remove_header_text(template: &mut Template, path: &str) -> Option<()> {
    let header = header(template, path)?;
    header.text = None;
    // Removes its samples as well.
    if let Some(example) = &mut header.example {
        example.header_text.clear();
        example.header_text_named_params.clear();
        if *example == HeaderExample::default() {
            header.example = None;
        }
    }
    Some(())
}

pub(super) fn remove_empty_header(template: &mut Template, path: &str) -> Option<()> {
    let header = header(template, path)?;
    let unused = |example: &HeaderExample| {
        example.extra.is_empty() && example.header_handle.is_empty() && example.header_text_named_params.is_empty()
    };
    let empty = header.text.as_deref().unwrap_or_default().trim().is_empty()
        && header.extra.is_empty()
        && header.example.as_ref().is_none_or(unused);
    if empty { remove_owner(template, path) } else { None }
}

pub(super) fn video_instead_of_gif(template: &mut Template, path: &str) -> Option<()> {
    header(template, path)?.format = HeaderFormat::Video;
    Some(())
}

pub(super) fn remove_empty_footer(template: &mut Template, path: &str) -> Option<()> {
    let Component::Footer(footer) = component_at(template, path)? else { return None };
    let empty = footer.text.as_deref().unwrap_or_default().trim().is_empty()
        && footer.code_expiration_minutes.is_none()
        && footer.extra.is_empty();
    if empty { remove_owner(template, path) } else { None }
}

pub(super) fn remove_footer_text(template: &mut Template, path: &str) -> Option<()> {
    let Component::Footer(footer) = component_at(template, path)? else { return None };
    footer.text = None;
    Some(())
}

pub(super) fn remove_expiration(template: &mut Template, path: &str) -> Option<()> {
    let Component::Footer(footer) = component_at(template, path)? else { return None };
    footer.code_expiration_minutes = None;
    Some(())
}

pub(super) fn clamp_expiration(template: &mut Template, path: &str) -> Option<()> {
    let Component::Footer(footer) = component_at(template, path)? else { return None };
    let minutes = footer.code_expiration_minutes.as_mut()?;
    *minutes = (*minutes).clamp(1, 90);
    Some(())
}
