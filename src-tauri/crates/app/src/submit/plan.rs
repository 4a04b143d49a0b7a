//! Which requests a draft needs, and how they are shown before they leave.

use model::Id;
use model::template::{CreateTemplate, EditTemplate, Template};

use super::{edit_of, part, waba_field, with_pending_header};
use crate::error::{DeskError, Result};
use crate::view::composer::{Attachment, Draft, PlannedPart, PlannedRequest};
use crate::view::workspace::{CredentialKind, WorkspaceSettings};

/// A request of a submission.
#[derive(Debug)]
pub(super) enum Request {
    /// JSON, for all WABAs at once (contract §4.2).
    Create(CreateTemplate),
    /// A form, for one WABA: a form carries one (contract §4.2).
    CreateWithFile {
        /// The content, with the placeholder of the upload.
        template: Template,
        /// The WABA.
        waba: String,
        /// The header's file.
        file: Attachment,
    },
    /// A change of an existing template (contract §4.3).
    Edit {
        /// The provider's reference.
        reference: String,
        /// What changes.
        edit: EditTemplate,
        /// The header's new file.
        file: Option<Attachment>,
    },
}

impl Request {
    /// WABAs the request is about.
    pub(super) fn waba_ids(&self, draft: &Draft) -> Vec<String> {
        match self {
            Self::Create(create) => create.waba_ids.iter().map(|id| id.as_str().to_owned()).collect(),
            Self::CreateWithFile { waba, .. } => vec![waba.clone()],
            Self::Edit { .. } => draft.waba_ids.clone(),
        }
    }
}

/// The requests that submit a draft.
pub(super) fn requests(draft: &Draft, old: Option<&Template>) -> Result<Vec<Request>> {
    let file = draft.header_file.clone();
    if let (Some(reference), Some(old)) = (&draft.edits, old) {
        let new = if file.is_some() { with_pending_header(&draft.template) } else { draft.template.clone() };
        let edit = edit_of(old, &new);
        if edit == EditTemplate::default() && file.is_none() {
            return Err(DeskError::invalid("", "Nothing has changed, so there is nothing to send."));
        }
        return Ok(vec![Request::Edit { reference: reference.clone(), edit, file }]);
    }
    if draft.waba_ids.is_empty() {
        return Err(DeskError::invalid("wabaIds", "Choose at least one WABA to create the template in."));
    }
    let wabas = draft.waba_ids.iter().map(|waba| {
        Id::number(waba)
            .ok_or_else(|| DeskError::invalid("wabaIds", format!("{waba} is no WABA ID: those are digits only.")))
    });
    let waba_ids = wabas.collect::<Result<Vec<_>>>()?;
    Ok(match file {
        None => vec![Request::Create(CreateTemplate { waba_ids, template: draft.template.clone() })],
        Some(file) => waba_ids
            .into_iter()
            .map(|waba| Request::CreateWithFile {
                template: with_pending_header(&draft.template),
                waba: waba.as_str().to_owned(),
                file: file.clone(),
            })
            .collect(),
    })
}

/// A request as the person sees it before it leaves. Never holds the token.
pub(super) fn show(request: &Request, settings: &WorkspaceSettings) -> Result<PlannedRequest> {
    let base = settings.base_url.trim_end_matches('/');
    let address = format!("{base}/{}/provider/workspace-templates", settings.channel);
    let internal = |error: serde_json::Error| DeskError::Internal { message: error.to_string() };
    let (method, url, json, parts, waba_ids) = match request {
        Request::Create(create) => {
            let json = serde_json::to_string_pretty(create).map_err(internal)?;
            let wabas = create.waba_ids.iter().map(|id| id.as_str().to_owned()).collect();
            ("POST", address, Some(json), Vec::new(), wabas)
        }
        Request::CreateWithFile { template, waba, file } => {
            let mut parts = vec![part(waba_field(settings), waba)];
            parts.extend(fields(template, Some(file))?);
            ("POST", address, None, parts, vec![waba.clone()])
        }
        Request::Edit { reference, edit, file } => {
            let url = format!("{address}/{reference}");
            match file {
                None => {
                    let json = serde_json::to_string_pretty(edit).map_err(internal)?;
                    ("PUT", url, Some(json), Vec::new(), Vec::new())
                }
                Some(file) => ("PUT", url, None, fields(edit, Some(file))?, Vec::new()),
            }
        }
    };
    let curl = curl(method, &url, json.as_deref(), &parts, settings);
    Ok(PlannedRequest { waba_ids, method: method.to_owned(), url, json, parts, curl, outcome: None })
}

/// The fields of a form with its file in the contract's order: the file before the components.
fn fields(value: &impl serde::Serialize, file: Option<&Attachment>) -> Result<Vec<PlannedPart>> {
    let value = serde_json::to_value(value).map_err(|error| DeskError::Internal { message: error.to_string() })?;
    let mut parts = Vec::new();
    let mut components = None;
    for (name, value) in value.as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if name == "components" { components = Some(text) } else { parts.push(part(name, text)) }
    }
    if let Some(file) = file {
        parts.push(PlannedPart {
            name: "header_file".to_owned(),
            value: None,
            file_name: Some(file.name.clone()),
            size: Some(file.size),
        });
    }
    parts.extend(components.map(|text| part("components", text)));
    Ok(parts)
}

/// The request for a shell. Secrets are named, not written.
fn curl(method: &str, url: &str, json: Option<&str>, parts: &[PlannedPart], settings: &WorkspaceSettings) -> String {
    let mut lines = vec![format!("curl -X {method} {}", quoted(url))];
    match settings.credential_kind {
        CredentialKind::Bearer => lines.push("-H \"Authorization: Bearer $TOKEN\"".to_owned()),
        CredentialKind::Client => {
            lines.push(format!("-H {}", quoted(&format!("x-client-id: {}", settings.client_id))));
            lines.push("-H \"x-client-secret: $CLIENT_SECRET\"".to_owned());
        }
    }
    lines.push(format!("-H {}", quoted(&format!("x-workspace-uuid: {}", settings.workspace_uuid))));
    if let Some(json) = json {
        lines.push("-H 'Content-Type: application/json'".to_owned());
        lines.push(format!("--data {}", quoted(json)));
    }
    for part in parts {
        lines.push(match (&part.file_name, &part.value) {
            (Some(file), _) => format!("-F {}", quoted(&format!("{}=@{file}", part.name))),
            (None, value) => {
                format!("--form-string {}", quoted(&format!("{}={}", part.name, value.as_deref().unwrap_or_default())))
            }
        });
    }
    lines.join(" \\\n  ")
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
    }
}
