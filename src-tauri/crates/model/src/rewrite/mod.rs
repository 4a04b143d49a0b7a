//! Template-wide changes with one click: renames or renumbers variables, converts them between numbers and names with
//! their samples, and applies the automatic fix of a finding.

mod fix;
mod part;

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::Deserialize;
use ts_rs::TS;

use crate::template::Template;
use crate::vocabulary::ParameterFormat;
pub(crate) use fix::mark;
use part::{Part, Place, each_part, part_at};

/// Highest number of a variable.
const MAX_NUMBER: usize = 200;

/// A change of the whole template.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Rewrite {
    /// Renames or renumbers a variable, in the text and in its samples.
    Rename {
        /// JSON pointer to the text: `/components/1/text`, `/components/3/buttons/0/url`.
        path: String,
        /// Current name or number.
        from: String,
        /// New name or number; must be unused in the text.
        to: String,
    },
    /// Numbers the variables of a text 1, 2, 3 … in the order of their first occurrence.
    Renumber {
        /// JSON pointer to the text.
        path: String,
    },
    /// Converts all texts to numbers or names. Numbers become `value_1`, …; variables in addresses stay `{{1}}`
    /// (upstream §3.1).
    Format {
        /// `POSITIONAL` or `NAMED`.
        format: ParameterFormat,
    },
    /// Applies the fix of a finding, if [`crate::finding::Finding::fixable`] is set.
    Fix { code: String, path: String },
}

/// Reason why a rewrite is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteFault {
    /// The invalid field of the request: `path`, `from`, `to`, `format` or `code`.
    pub field: &'static str,
    /// The problem and what to do, in English.
    pub message: String,
}

impl RewriteFault {
    fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}

impl fmt::Display for RewriteFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RewriteFault {}

/// A text as the name of a template; `None` if it has no letter and no digit.
#[must_use]
pub fn template_name(text: &str) -> Option<String> {
    fix::as_name(text)
}

/// Returns the template after `rewrite`. Everything that the change doesn't concern is unchanged, including unknown
/// fields.
///
/// # Errors
/// When a name is in use or invalid, when the text or variable doesn't exist, and when the finding doesn't exist or is
/// not fixable.
pub fn rewrite(template: &Template, rewrite: &Rewrite) -> Result<Template, RewriteFault> {
    let mut template = template.clone();
    match rewrite {
        Rewrite::Rename { path, from, to } => rename(&mut template, path, from.trim(), to.trim())?,
        Rewrite::Renumber { path } => {
            let mut part = text_at(&mut template, path)?;
            let mut seen = HashMap::new();
            part.rename(|_, variable| {
                if variable.number().is_none() {
                    return variable.name.to_owned();
                }
                let next = seen.len() + 1;
                seen.entry(variable.name.to_owned()).or_insert(next).to_string()
            });
            if seen.is_empty() {
                return Err(RewriteFault::new("path", "The text has no numbered variables."));
            }
        }
        Rewrite::Format { format } => reformat(&mut template, format)?,
        Rewrite::Fix { code, path } => {
            return fix::fixed(&template, code, path).ok_or_else(|| {
                RewriteFault::new(
                    "code",
                    format!("{code} at `{path}` can't be fixed automatically. Correct it yourself."),
                )
            });
        }
    }
    Ok(template)
}

fn text_at<'t>(template: &'t mut Template, path: &str) -> Result<Part<'t>, RewriteFault> {
    part_at(template, path)
        .ok_or_else(|| RewriteFault::new("path", format!("There is no text with variables at `{path}`.")))
}

fn rename(template: &mut Template, path: &str, from: &str, to: &str) -> Result<(), RewriteFault> {
    let format = template.effective_parameter_format();
    let mut part = text_at(template, path)?;
    let names = part.names();
    if !names.iter().any(|name| name == from) {
        return Err(RewriteFault::new("from", format!("The text has no variable {{{{{from}}}}}.")));
    }
    if from == to {
        return Ok(());
    }
    if names.iter().any(|name| name == to) {
        return Err(RewriteFault::new(
            "to",
            format!("The text already has a variable {{{{{to}}}}}. Choose another name, or rename that one first."),
        ));
    }
    let number = to.bytes().all(|byte| byte.is_ascii_digit()).then(|| to.parse::<usize>().ok()).flatten();
    let is_name = to.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && to.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    let fault = match (number, part.place()) {
        (Some(1), Place::Address) => None,
        (_, Place::Address) if !(is_name && format == ParameterFormat::Named) => {
            Some("The variable in an address must be {{1}}.".to_owned())
        }
        (Some(0), _) => Some("Variable numbers start at 1.".to_owned()),
        (Some(number), _) if number > MAX_NUMBER => Some(format!("The highest variable number is {MAX_NUMBER}.")),
        (Some(_), _) if format == ParameterFormat::Named => {
            Some("This template uses variable names. Enter a name, or switch the template to numbers.".to_owned())
        }
        (None, _) if format == ParameterFormat::Positional && is_name => {
            Some("This template uses variable numbers. Enter a number, or switch the template to names.".to_owned())
        }
        (Some(_), _) => None,
        (None, _) if !is_name => {
            Some("Use lowercase letters, digits and underscores, and don't start with a digit.".to_owned())
        }
        (None, _) => None,
    };
    if let Some(fault) = fault {
        return Err(RewriteFault::new("to", fault));
    }
    part.rename(|_, variable| if variable.name == from { to.to_owned() } else { variable.name.to_owned() });
    Ok(())
}

fn reformat(template: &mut Template, format: &ParameterFormat) -> Result<(), RewriteFault> {
    if let ParameterFormat::Unknown(word) = format {
        return Err(RewriteFault::new("format", format!("`{word}` is not a variable style. Use POSITIONAL or NAMED.")));
    }
    each_part(template, &mut |mut part| match (part.place(), format) {
        (Place::Address, ParameterFormat::Named) => {}
        (Place::Address, _) => {
            let mut names = part.names();
            names.truncate(1);
            part.rename(
                |_, variable| {
                    if names[0] == variable.name { "1".to_owned() } else { variable.name.to_owned() }
                },
            );
        }
        (Place::Header | Place::Body, ParameterFormat::Named) => {
            let mut names = Names::of(&part);
            let mut given: HashMap<String, String> = HashMap::new();
            part.rename(|_, variable| {
                let Some(number) = variable.number() else { return variable.name.to_owned() };
                if let Some(name) = given.get(variable.name) {
                    return name.clone();
                }
                let name = names.free("", number, |number| format!("value_{number}"));
                given.insert(variable.name.to_owned(), name.clone());
                name
            });
        }
        (Place::Header | Place::Body, _) => {
            let names: HashMap<String, usize> =
                part.names().into_iter().enumerate().map(|(order, name)| (name, order + 1)).collect();
            part.rename(|_, variable| names.get(variable.name).copied().unwrap_or(1).to_string());
        }
    });
    template.parameter_format = Some(format.clone());
    Ok(())
}

/// Names of a text's variables, including new ones.
struct Names {
    taken: HashSet<String>,
    /// The next number to try for each stem. Without it, renaming thousands of variables would try all numbers for each
    /// of them.
    next: HashMap<String, usize>,
}

impl Names {
    fn of(part: &Part<'_>) -> Self {
        Self { taken: part.names().into_iter().collect(), next: HashMap::new() }
    }

    /// Reserves `name`; returns whether it was free.
    fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// Reserves the first free name that `spell` gives for a number from `from` on. `stem` identifies the series of
    /// names.
    fn free(&mut self, stem: &str, from: usize, spell: impl Fn(usize) -> String) -> String {
        let name = spell(from);
        if self.taken.insert(name.clone()) {
            return name;
        }
        let next = self.next.entry(stem.to_owned()).or_default();
        let mut number = (*next).max(from);
        loop {
            number = number.saturating_add(1);
            let name = spell(number);
            if self.taken.insert(name.clone()) || number == usize::MAX {
                *next = number;
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests;
