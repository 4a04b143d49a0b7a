//! Determines the requests for a draft, and how they are shown before they are sent.

use std::collections::HashSet;

use model::Id;
use model::template::{CreateTemplate, EditTemplate, Template};
use provider_client::form::{self, Content, FormPart};
use provider_client::{TemplateFiles, WabaField};

use super::businesses::Businesses;
use super::content::{edit_of, fixed_fields, stated_format, with_files};
use crate::curl::{self, quoted};
use command_types::composer::{Attachment, Draft};
use command_types::error::{DeskError, Result};
use command_types::submission::{BeyondContract, PlannedPart, PlannedRequest};
use command_types::workspace::WorkspaceSettings;

#[derive(Clone, Debug)]
pub enum Request {
    /// JSON, for all WABAs of one business manager at once (contract §4.2).
    Create(CreateTemplate),
    /// A multipart form, which supports one WABA (contract §4.2).
    CreateWithFiles {
        /// The content, with upload placeholders.
        template: Template,
        waba: String,
        files: TemplateFiles<Attachment>,
    },
    /// A change of an existing template (contract §4.3): JSON, or a multipart form if there are files.
    Edit { reference: String, edit: EditTemplate, files: TemplateFiles<Attachment> },
}

impl Request {
    /// WABAs that the request concerns.
    pub fn waba_ids(&self, draft: &Draft) -> Vec<String> {
        match self {
            Self::Create(create) => create.waba_ids.iter().map(|id| id.as_str().to_owned()).collect(),
            Self::CreateWithFiles { waba, .. } => vec![waba.clone()],
            Self::Edit { .. } => draft.waba_ids.clone(),
        }
    }
}

/// The requests that submit a draft. `old` is the content of the template to edit, `accepted` are the WABAs in which it
/// was already created, `businesses` are the business managers of the WABAs.
///
/// # Errors
/// [`DeskError::InvalidInput`] when there is nothing to send, or no WABA for a creation.
pub fn requests(
    draft: &Draft,
    old: Option<&Template>,
    accepted: &HashSet<String>,
    businesses: &Businesses,
) -> Result<Vec<Request>> {
    let (template, files) = with_files(draft);
    if let (Some(reference), Some(old)) = (&draft.edits, old) {
        let mut edit = edit_of(old, &template);
        if files.header_file.is_some() || !files.carousel_files.is_empty() {
            // The components say where the files belong, so they are sent even if unchanged.
            edit.components = Some(template.components.clone());
        }
        if edit.components.is_some() && edit.parameter_format.is_none() && old.parameter_format.is_none() {
            edit.parameter_format = stated_format(&template).map(Some);
        }
        if edit == EditTemplate::default() && files.is_empty() {
            let fixed = fixed_fields(old, &template).join(", ");
            return Err(DeskError::invalid(
                "",
                if fixed.is_empty() {
                    "Nothing has changed, so there is nothing to send.".to_owned()
                } else {
                    format!("An edit cannot change {fixed}, and nothing else has changed.")
                },
            ));
        }
        if let Some(context) = &draft.administration {
            edit.workspace_uuid = context.workspace_uuid.clone().filter(|workspace| !workspace.trim().is_empty());
            edit.is_administrator = context.is_administrator.then_some(true);
        }
        return Ok(vec![Request::Edit { reference: reference.clone(), edit, files }]);
    }
    if draft.waba_ids.is_empty() {
        return Err(DeskError::invalid("wabaIds", "Choose at least one WABA to create the template in."));
    }
    let wabas = draft.waba_ids.iter().map(|waba| {
        Id::number(waba)
            .ok_or_else(|| DeskError::invalid("wabaIds", format!("{waba} is not a WABA ID. Use digits only.")))
    });
    let waba_ids = wabas.collect::<Result<Vec<_>>>()?;
    if files.is_empty() {
        // WABAs that already have the template from an earlier request are not mixed with the others.
        let (there, missing): (Vec<Id>, Vec<Id>) = waba_ids.into_iter().partition(|id| accepted.contains(id.as_str()));
        let one_each = [there, missing].into_iter().flat_map(|waba_ids| businesses.split(waba_ids));
        let creation = |waba_ids| Request::Create(CreateTemplate { waba_ids, template: template.clone() });
        return Ok(one_each.map(creation).collect());
    }
    let one_each = waba_ids.into_iter().map(|waba| Request::CreateWithFiles {
        template: template.clone(),
        waba: waba.as_str().to_owned(),
        files: files.clone(),
    });
    Ok(one_each.collect())
}

/// A request as it is shown before it is sent. Never contains the token.
pub fn show(request: &Request, settings: &WorkspaceSettings) -> Result<PlannedRequest> {
    let base = settings.base_url.trim_end_matches('/');
    let address = format!("{base}/{}/provider/workspace-templates", settings.channel);
    let internal = |error: serde_json::Error| DeskError::Internal { message: error.to_string() };
    let (method, url, json, parts, waba_ids) = match request {
        Request::Create(create) => {
            let json = serde_json::to_string(create).map_err(internal)?;
            let wabas = create.waba_ids.iter().map(|id| id.as_str().to_owned()).collect();
            ("POST", address, Some(json), Vec::new(), wabas)
        }
        Request::CreateWithFiles { template, waba, files } => {
            let parts = form::creation(template, WabaField::from(settings.waba_field), waba, files.clone());
            ("POST", address, None, parts, vec![waba.clone()])
        }
        Request::Edit { reference, edit, files } => {
            let url = format!("{address}/{reference}");
            if files.is_empty() {
                let json = serde_json::to_string(edit).map_err(internal)?;
                ("PUT", url, Some(json), Vec::new(), Vec::new())
            } else {
                ("PUT", url, None, form::edit(edit, files.clone()), Vec::new())
            }
        }
    };
    let curl = shown(method, &url, json.as_deref(), &parts, settings);
    let creates = matches!(request, Request::CreateWithFiles { .. });
    let parts = parts.into_iter().map(|part| planned(part, creates)).collect();
    Ok(PlannedRequest { waba_ids, method: method.to_owned(), url, json, parts, curl, outcome: None })
}

fn planned(part: FormPart<Attachment>, creates: bool) -> PlannedPart {
    let beyond = form::beyond_creation(&part.name).filter(|_| creates);
    match part.content {
        Content::Text(text) => PlannedPart { name: part.name, value: Some(text), file_name: None, size: None, beyond },
        Content::File(file) => {
            PlannedPart { name: part.name, value: None, file_name: Some(file.name), size: Some(file.size), beyond }
        }
    }
}

/// The parts of a creation's form that the contract doesn't name there, one sentence each.
pub fn beyond_contract(request: &Request) -> Vec<String> {
    let Request::CreateWithFiles { template, waba, files } = request else { return Vec::new() };
    let parts = form::creation(template, WabaField::default(), waba, files.clone());
    let mut sentences: Vec<String> = Vec::new();
    for FormPart { name, .. } in parts {
        let why = match form::beyond_creation(&name) {
            None => continue,
            Some(BeyondContract::JsonOnly) => "names it for creations without files only",
            Some(BeyondContract::EditOnly) => "names it for edits only",
            Some(BeyondContract::Unnamed) => "does not name it",
        };
        let sentence = format!(
            "The form contains {name} because the template has it; the contract {why} (§4.2), so the provider may ignore it."
        );
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences
}

/// The request as a shell command.
fn shown(
    method: &str,
    url: &str,
    json: Option<&str>,
    parts: &[FormPart<Attachment>],
    settings: &WorkspaceSettings,
) -> String {
    let mut payload = json.map(curl::json_body).unwrap_or_default();
    for part in parts {
        payload.push(match &part.content {
            Content::File(file) => format!("-F {}", quoted(&format!("{}=@{}", part.name, file.name))),
            Content::Text(text) => format!("--form-string {}", quoted(&format!("{}={text}", part.name))),
        });
    }
    curl::command(method, url, settings, payload)
}
