//! Fixes for texts and their variables.

use std::collections::{HashMap, HashSet};

use super::super::part::{Place, owner_path, part_at, string_at};
use super::super::{Names, Rewrite, reformat, rewrite};
use super::words;
use crate::component::Component;
use crate::template::Template;
use crate::variable::{self, scan};
use crate::vocabulary::ParameterFormat;

/// Replaces the text at `path` with the result of `change`.
pub(super) fn respell(template: &mut Template, path: &str, change: impl FnOnce(&str) -> String) -> Option<()> {
    let text = string_at(template, path)?;
    *text = change(text);
    Some(())
}

pub(super) fn one_line(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, words::one_line)
}

pub(super) fn no_emoji(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, words::without_emoji)
}

pub(super) fn no_formatting(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, words::without_formatting)
}

pub(super) fn no_tabs(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, |text| text.replace('\t', " "))
}

/// Replaces more than four spaces with one.
fn spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("     ") {
        out.push_str(&rest[..start]);
        out.push(' ');
        rest = rest[start..].trim_start_matches(' ');
    }
    out.push_str(rest);
    out
}

pub(super) fn fewer_spaces(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, spaces)
}

/// Replaces more than three line breaks with an empty line.
pub(super) fn fewer_line_breaks(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, |text| {
        let mut out = String::with_capacity(text.len());
        let text = text.replace("\r\n", "\n");
        let mut rest = text.as_str();
        while let Some(start) = rest.find('\n') {
            out.push_str(&rest[..start]);
            let run = rest[start..].bytes().take_while(|byte| *byte == b'\n').count();
            out.push_str(if run > 3 { "\n\n" } else { &rest[start..start + run] });
            rest = &rest[start + run..];
        }
        out.push_str(rest);
        out
    })
}

pub(super) fn plain_sample(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, |text| spaces(&words::one_line(text).replace('\t', " ")))
}

/// Replaces the variables of a footer, which can't have any, with the body's samples of the same name.
pub(super) fn samples_into_footer(template: &mut Template, path: &str) -> Option<()> {
    let samples = variable::variables(template);
    let body = template.components.iter().position(|component| matches!(component, Component::Body(_)))?;
    let body = format!("/components/{body}/text");
    let text = string_at(template, path)?;
    let of_body = samples.iter().filter(|sample| sample.path == body && !sample.sample.trim().is_empty());
    let by_name: HashMap<&str, &str> = of_body.map(|sample| (sample.name.as_str(), sample.sample.as_str())).collect();
    let of = |name: &str| by_name.get(name).copied();
    if scan(text).any(|variable| of(variable.name).is_none()) {
        return None;
    }
    *text = variable::fill(text, |variable| of(variable.name));
    Some(())
}

pub(super) fn renumber(template: &mut Template, path: &str) -> Option<()> {
    *template = rewrite(template, &Rewrite::Renumber { path: path.to_owned() }).ok()?;
    Some(())
}

/// Converts all variables to the format that the template declares, or that their names imply.
pub(super) fn one_format(template: &mut Template, _path: &str) -> Option<()> {
    let format = template.effective_parameter_format();
    reformat(template, &format).ok()
}

pub(super) fn number_address(template: &mut Template, path: &str) -> Option<()> {
    let mut part = part_at(template, path)?;
    if part.place() != Place::Address || part.names().len() != 1 {
        return None;
    }
    part.rename(|_, _| "1".to_owned());
    Some(())
}

pub(super) fn apart(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, |text| {
        let mut out = String::with_capacity(text.len() + 1);
        let mut done = 0;
        for variable in scan(text) {
            if variable.range.start == done && done > 0 {
                out.push(' ');
            }
            out.push_str(&text[done..variable.range.end]);
            done = variable.range.end;
        }
        out.push_str(&text[done..]);
        out
    })
}

pub(super) fn close_braces(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, words::closed)
}

pub(super) fn double_braces(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, words::doubled)
}

pub(super) fn no_spaces_in_braces(template: &mut Template, path: &str) -> Option<()> {
    respell(template, path, |text| {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for variable in scan(text) {
            out.push_str(&text[done..variable.range.start]);
            out.push_str(&format!("{{{{{}}}}}", variable.name));
            done = variable.range.end;
        }
        out.push_str(&text[done..]);
        out
    })
}

/// Replaces invalid characters in variable names; samples are renamed as well.
pub(super) fn spell_variables(template: &mut Template, path: &str) -> Option<()> {
    let format = template.parameter_format.clone();
    let mut part = part_at(template, path)?;
    let mut names = Names::of(&part);
    let mut spelled: HashMap<String, String> = HashMap::new();
    for name in part.names() {
        let new = words::as_name(&name)?;
        let new =
            if new == name || names.take(&new) { new } else { names.free(&new, 2, |number| format!("{new}_{number}")) };
        spelled.insert(name, new);
    }
    part.rename(|_, variable| spelled.get(variable.name).map_or_else(|| variable.name.to_owned(), String::clone));
    if format == Some(ParameterFormat::Positional) {
        reformat(template, &ParameterFormat::Positional).ok()
    } else {
        Some(())
    }
}

/// Renames the second occurrence of a variable; both keep the sample.
pub(super) fn rename_repeated(template: &mut Template, path: &str) -> Option<()> {
    let mut part = part_at(template, path)?;
    let mut names = Names::of(&part);
    let mut seen: HashSet<String> = HashSet::new();
    part.rename(|_, variable| {
        if seen.insert(variable.name.to_owned()) {
            return variable.name.to_owned();
        }
        match variable.number() {
            Some(_) => names.free("", 2, |number| number.to_string()),
            None => names.free(variable.name, 2, |number| format!("{}_{number}", variable.name)),
        }
    });
    Some(())
}

/// The component that contains a path.
pub(super) fn component_at<'t>(template: &'t mut Template, path: &str) -> Option<&'t mut Component> {
    use super::super::part::{Owner, owner_at};
    match owner_at(template, owner_path(path).0)? {
        Owner::Component(component) => Some(component),
        Owner::Button(_) => None,
    }
}
