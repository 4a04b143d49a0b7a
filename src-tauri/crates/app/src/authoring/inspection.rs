//! Inspection of a template on every keystroke in the composer.

use std::path::Path;

use model::language::LANGUAGES;
use model::template::Template;

use crate::authoring::Authoring;
use command_types::Nothing;
use command_types::composer::{
    Attachment, InspectFile, InspectTemplate, Inspection, LanguageOption, ReadTemplate, RewriteTemplate, TemplateText,
};
use command_types::error::Result;
use outgoing::attachment;
use outgoing::compute;
use outgoing::inspection;
use outgoing::template_text;

impl Authoring {
    /// # Errors
    /// [`command_types::error::DeskError::TookTooLong`]. Invalid content is reported as findings, not as an error.
    pub async fn inspect_template(&self, request: InspectTemplate) -> Result<Inspection> {
        compute::run(move || inspection::inspect(request)).await
    }

    /// Parses the JSON of a creation from the editor.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::TookTooLong`]. A syntax error is returned with its position.
    pub async fn read_template(&self, request: ReadTemplate) -> Result<TemplateText> {
        compute::run(move || template_text::read(&request.text)).await
    }

    /// # Errors
    /// [`command_types::error::DeskError::InvalidInput`] at the field that prevents it.
    pub async fn rewrite_template(&self, request: RewriteTemplate) -> Result<Template> {
        compute::run(move || inspection::rewrite(&request)).await?
    }

    pub async fn list_languages(&self, _request: Nothing) -> Result<Vec<LanguageOption>> {
        Ok(LANGUAGES
            .iter()
            .map(|language| LanguageOption { code: language.code.to_owned(), name: language.name.to_owned() })
            .collect())
    }

    /// Inspects a file that was chosen or dropped on the window, and adds it to the recent files.
    pub async fn inspect_file(&self, request: InspectFile) -> Result<Attachment> {
        let file = attachment::inspect(Path::new(&request.path)).await?;
        self.remember_file(&file).await;
        Ok(file)
    }
}
