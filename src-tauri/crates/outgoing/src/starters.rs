//! The starter templates with their previews.

use command_types::composer::Starter;
use model::render::{Fill, render};
use model::starter::{LANGUAGES, StarterName, starter};

/// All starters in all their languages, by language.
#[must_use]
pub fn starters() -> Vec<Starter> {
    let all = LANGUAGES.iter().flat_map(|language| StarterName::ALL.map(|name| (name, starter(name, language))));
    all.filter_map(|(name, template)| {
        let template = template?;
        Some(Starter { name, bubble: render(&template, &Fill::default()), template })
    })
    .collect()
}
