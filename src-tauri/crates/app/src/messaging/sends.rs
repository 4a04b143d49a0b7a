//! Sends: recorded before they are sent, and matched to statuses by message identifier or by our tracking identifier.

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

/// Number of recipients offered in the form.
const RECENT: u32 = 8;
/// Placeholder of the same length for the tracking identifier until the message is sent.
pub(crate) const TRACKING_PREVIEW: &str = "set-when-sending";
const _: () = assert!(TRACKING_PREVIEW.len() == leave::TRACKING_LENGTH);

impl Messaging {
    /// The form for a send of a template.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the template is not cached.
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

    /// Previews a send with its problems. Fetches nothing.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the template is not cached.
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

    /// Sends a template after another preflight check, which skips media links that were checked within the last
    /// minute. The send is recorded before it is sent, and never sent twice.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the first field with an error, or with a warning that is not overridden;
    /// [`DeskError::MissingCredentials`]. The provider's answer is stored with the send.
    pub async fn send_template(&self, request: SendRequest) -> Result<SendRow> {
        let preflight = self.preflight_send(request.clone()).await?;
        stop(&preflight.problems, &request.options.overrides)?;
        let send = self.leave(request, None).await?;
        self.row_of(send).await
    }
}

/// Formatted JSON.
fn pretty<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string_pretty(value).map_err(|error| DeskError::Internal { message: error.to_string() })
}

/// The address for messages of a number; with a placeholder while no number is chosen.
fn address(settings: &WorkspaceSettings, number: &str) -> Result<String> {
    let number = if number.trim().is_empty() { "NUMBER" } else { number.trim() };
    let base_url = service::parse_base_url(&settings.base_url)?;
    Ok(service::message_url(&base_url, &settings.channel, number)?.to_string())
}

/// A send as a `curl` command.
fn curl_of(settings: &WorkspaceSettings, number: &str, payload: &str) -> Result<String> {
    Ok(curl::command("POST", &address(settings, number)?, settings, curl::json_body(payload)))
}
