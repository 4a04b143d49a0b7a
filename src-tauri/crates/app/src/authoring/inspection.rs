//! Inspection of a template on every keystroke in the composer.

use std::path::Path;

use model::language::LANGUAGES;
use model::lint::{CATEGORY_REQUIRED, LintContext, inspect};
use model::render::render;
use model::rewrite::rewrite;
use model::samples::sample_fill;
use model::template::Template;
use model::variable::variables;

use crate::authoring::Authoring;
use api::Nothing;
use api::composer::{
    Attachment, InspectFile, InspectTemplate, Inspection, LanguageOption, ReadTemplate, RewriteTemplate, TemplateText,
};
use api::error::{DeskError, Result};
use requests::attachment;
use requests::compute;
use requests::template_text;

impl Authoring {
    /// The findings and the phone preview of a template.
    ///
    /// # Errors
    /// [`DeskError::TookTooLong`]. Invalid content is reported as findings, not as an error.
    pub async fn inspect_template(&self, request: InspectTemplate) -> Result<Inspection> {
        compute::run(move || {
            let InspectTemplate { template, files, samples, is_edit } = request;
            let bubble = render(&template, &sample_fill(&template, samples));
            let context = LintContext { files_known: true, header_file: files.header, card_files: files.cards };
            let (mut findings, counters) = inspect(&template, &context);
            findings.retain(|finding| !is_edit || finding.code != CATEGORY_REQUIRED);
            Inspection { findings, bubble, counters, variables: variables(&template) }
        })
        .await
    }

    /// Parses the JSON of a creation from the editor.
    ///
    /// # Errors
    /// [`DeskError::TookTooLong`]. A syntax error is returned with its position.
    pub async fn read_template(&self, request: ReadTemplate) -> Result<TemplateText> {
        compute::run(move || template_text::read(&request.text)).await
    }

    /// Applies a rewrite to a whole template.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the field that prevents it.
    pub async fn rewrite_template(&self, request: RewriteTemplate) -> Result<Template> {
        let rewritten = compute::run(move || rewrite(&request.template, &request.rewrite)).await?;
        rewritten.map_err(|fault| DeskError::invalid(fault.field, fault.message))
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

    /// Inspects a file that was chosen or dropped on the window, and adds it to the recent files.
    ///
    /// # Errors
    /// [`DeskError::File`] when it cannot be read.
    pub async fn inspect_file(&self, request: InspectFile) -> Result<Attachment> {
        let file = attachment::inspect(Path::new(&request.path)).await?;
        self.record_file(&file).await;
        Ok(file)
    }
}
