//! Sends: written down before they leave, and followed by message identifier or by our tracking identifier.

mod detail;
mod leave;
mod list;
mod send_plan;
pub(crate) mod text;
mod timeline;

use model::render::render;
use model::send::{preview_fill, send_form};

use crate::messaging::Messaging;
use crate::parts::to_json;
use api::error::{DeskError, Result};
use api::send::{SendForm, SendPreview, SendRequest, SendRow};
use api::template::TemplateId;
use api::workspace::WorkspaceSettings;
use requests::compute;
use requests::curl;
use requests::message::stop;

/// Recipients offered in the form.
const RECENT: u32 = 8;
/// Stands for the tracking identifier until the send leaves, and is as long.
pub(crate) const TRACKING_PREVIEW: &str = "set-when-it-goes";
const _: () = assert!(TRACKING_PREVIEW.len() == leave::TRACKING_LENGTH);

impl Messaging {
    /// What a send of a template asks for.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the cache does not know the template.
    pub async fn get_send_form(&self, id: TemplateId) -> Result<SendForm> {
        let plan = self.send_plan(&id.workspace, &id.reference).await?;
        let template = plan.template.clone();
        let parts = compute::run(move || send_form(&template).parts).await?;
        Ok(SendForm {
            blocked: plan.blocked(),
            parts,
            name: plan.template.name,
            language: plan.template.language,
            category: plan.template.category.as_str().to_owned(),
            numbers: plan.settings.numbers,
            recent_recipients: self.0.context.desk.recent_recipients(&id.workspace, RECENT).await?,
            cached_at: plan.standing.cached_at,
            status: plan.standing.status,
            archived: plan.standing.archived,
        })
    }

    /// What a send would be, and what stands in its way. Fetches nothing.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the cache does not know the template.
    pub async fn preview_send(&self, request: SendRequest) -> Result<SendPreview> {
        let plan = self.send_plan(&request.workspace, &request.reference).await?;
        compute::run(move || {
            let prepared = plan.prepare(&request, TRACKING_PREVIEW);
            Ok(SendPreview {
                payload: pretty(&prepared.message)?,
                curl: curl_of(&plan.settings, &request.number, &to_json(&prepared.message)?)?,
                bubble: render(&plan.template, &preview_fill(&plan.template, &request.values)),
                problems: prepared.problems,
                callback: prepared.message.biz_opaque_callback_data,
            })
        })
        .await?
    }

    /// Sends a template after looking at everything once more, its media links too unless that was done a moment ago.
    /// The send is on disk before it leaves, and never leaves twice.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the first field with an error, or with a warning that is not overridden;
    /// [`DeskError::MissingCredentials`]. What the provider says is kept with the send.
    pub async fn send_template(&self, request: SendRequest) -> Result<SendRow> {
        let preflight = self.preflight_send(request.clone()).await?;
        stop(&preflight.problems, &request.options.overrides)?;
        let send = self.leave(request, None).await?;
        self.row_of(send).await
    }
}

/// JSON for reading.
fn pretty<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string_pretty(value).map_err(|error| DeskError::Internal { message: error.to_string() })
}

/// Where the messages of a number go; as long as none is chosen, of one that has to be written in.
fn address(settings: &WorkspaceSettings, number: &str) -> Result<String> {
    let number = if number.trim().is_empty() { "NUMBER" } else { number.trim() };
    let base_url = service::parse_base_url(&settings.base_url)?;
    Ok(service::message_url(&base_url, &settings.channel, number)?.to_string())
}

/// A send for a shell.
fn curl_of(settings: &WorkspaceSettings, number: &str, payload: &str) -> Result<String> {
    Ok(curl::command("POST", &address(settings, number)?, settings, curl::json_body(payload)))
}
