//! What the composer is told on every keystroke.

use std::path::Path;

use model::button::Button;
use model::component::{Body, Component, Header, NamedSample};
use model::language::LANGUAGES;
use model::lint::{FileFacts, LintContext, inspect};
use model::render::render;
use model::template::Template;
use model::variable::scan;

use crate::attachment;
use crate::core::Core;
use crate::error::Result;
use crate::view::Nothing;
use crate::view::composer::{Attachment, InspectFile, InspectTemplate, Inspection, LanguageOption, VariableUse};

impl Core {
    /// What the rules and the phone say about a template as it stands.
    ///
    /// # Errors
    /// None: whatever is typed is answered with findings.
    pub async fn inspect_template(&self, request: InspectTemplate) -> Result<Inspection> {
        let InspectTemplate { template, header_file, fill } = request;
        let mut bubble = render(&template, &fill);
        if let (Some(file), Some(model::render::BubbleHeader::Media { link, .. })) = (&header_file, &mut bubble.header)
        {
            // The file that will be uploaded is what the phone will show.
            link.clone_from(&file.thumbnail);
        }
        let (findings, counters) = inspect(&template, &context(header_file.as_ref()));
        Ok(Inspection { findings, bubble, counters, variables: variables(&template) })
    }

    /// The languages of the channel.
    ///
    /// # Errors
    /// None.
    pub async fn list_languages(&self, _request: Nothing) -> Result<Vec<LanguageOption>> {
        Ok(LANGUAGES
            .iter()
            .map(|language| LanguageOption { code: language.code.to_owned(), name: language.name.to_owned() })
            .collect())
    }

    /// Looks at a file that was dropped on the window.
    ///
    /// # Errors
    /// [`crate::error::DeskError::File`] when it cannot be read.
    pub async fn inspect_file(&self, request: InspectFile) -> Result<Attachment> {
        attachment::inspect(Path::new(&request.path)).await
    }
}

/// What the rules need to know of the files.
pub(crate) fn context(header_file: Option<&Attachment>) -> LintContext {
    LintContext {
        files_known: true,
        header_file: header_file
            .map(|file| FileFacts { size: file.size, mime: Some(file.mime.clone()).filter(|mime| !mime.is_empty()) }),
        ..LintContext::default()
    }
}

/// Every variable with its sample, in the order of the template.
fn variables(template: &Template) -> Vec<VariableUse> {
    let mut found = Vec::new();
    collect(&template.components, "/components", &mut found);
    found
}

fn collect(components: &[Component], path: &str, found: &mut Vec<VariableUse>) {
    for (place, component) in components.iter().enumerate() {
        let path = format!("{path}/{place}");
        match component {
            Component::Header(header) => {
                let text = header.text.as_deref().unwrap_or_default();
                add(text, &format!("{path}/text"), found, |name, place| header_sample(header, name, place));
            }
            Component::Body(body) => {
                let text = body.text.as_deref().unwrap_or_default();
                add(text, &format!("{path}/text"), found, |name, place| body_sample(body, name, place));
            }
            Component::Buttons(buttons) => {
                for (place, button) in buttons.buttons.iter().enumerate() {
                    if let Button::Url(url) = button {
                        add(&url.url, &format!("{path}/buttons/{place}/url"), found, |_, _| {
                            url.example.first().cloned()
                        });
                    }
                }
            }
            Component::Carousel(carousel) => {
                for (place, card) in carousel.cards.iter().enumerate() {
                    collect(&card.components, &format!("{path}/cards/{place}/components"), found);
                }
            }
            _ => {}
        }
    }
}

fn add(text: &str, path: &str, found: &mut Vec<VariableUse>, sample: impl Fn(&str, usize) -> Option<String>) {
    let mut names: Vec<&str> = Vec::new();
    for variable in scan(text) {
        if names.contains(&variable.name) {
            continue;
        }
        names.push(variable.name);
        // Positional samples stand in the order of the numbers, whatever order the text has them in.
        let place = variable.number().map_or(names.len(), |number| number).saturating_sub(1);
        found.push(VariableUse {
            path: path.to_owned(),
            name: variable.name.to_owned(),
            sample: sample(variable.name, place).unwrap_or_default(),
        });
    }
}

fn header_sample(header: &Header, name: &str, place: usize) -> Option<String> {
    let example = header.example.as_ref()?;
    named(&example.header_text_named_params, name).or_else(|| example.header_text.get(place).cloned())
}

fn body_sample(body: &Body, name: &str, place: usize) -> Option<String> {
    let example = body.example.as_ref()?;
    named(&example.body_text_named_params, name).or_else(|| example.body_text.first()?.get(place).cloned())
}

fn named(samples: &[NamedSample], name: &str) -> Option<String> {
    samples.iter().find(|sample| sample.param_name == name).map(|sample| sample.example.clone())
}
