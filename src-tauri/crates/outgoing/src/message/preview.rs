//! Previews of sends: the request, its problems, and the message on the phone. Nothing is fetched.

use command_types::error::{DeskError, Result};
use command_types::send::{SendPreview, SendRequest, SendText};
use command_types::workspace::WorkspaceSettings;
use model::render::{Bubble, render, render_text};
use model::send::{TEXT_LENGTH, preview_fill};

use super::{Prepared, SendPlan, TRACKING_PREVIEW};
use crate::{curl, to_json};

impl SendPlan {
    pub fn preview(&self, request: &SendRequest) -> Result<SendPreview> {
        let prepared = self.prepare(request, TRACKING_PREVIEW);
        let bubble = render(&self.template, &preview_fill(&self.template, &request.values));
        preview(&self.settings, &request.number, prepared, bubble)
    }
}

pub fn preview_text(settings: &WorkspaceSettings, request: &SendText, prepared: Prepared) -> Result<SendPreview> {
    let bubble = render_text(&request.text);
    let preview = preview(settings, &request.number, prepared, bubble)?;
    Ok(SendPreview { text_limit: u32::try_from(TEXT_LENGTH).ok(), ..preview })
}

fn preview(settings: &WorkspaceSettings, number: &str, prepared: Prepared, bubble: Bubble) -> Result<SendPreview> {
    let Prepared { message, problems, recipient } = prepared;
    let payload =
        serde_json::to_string_pretty(&message).map_err(|error| DeskError::Internal { message: error.to_string() })?;
    let body = curl::json_body(&to_json(&message)?);
    Ok(SendPreview {
        payload,
        curl: curl::command("POST", &message_url(settings, number)?, settings, body),
        bubble,
        problems,
        recipient,
        callback: message.biz_opaque_callback_data,
        text_limit: None,
    })
}

/// The address for messages of a number; with a placeholder while no number is chosen.
pub fn message_url(settings: &WorkspaceSettings, number: &str) -> Result<String> {
    let number = if number.trim().is_empty() { "NUMBER" } else { number.trim() };
    let base_url = provider_client::parse_base_url(&settings.base_url)?;
    Ok(provider_client::message_url(&base_url, &settings.channel, number)?.to_string())
}
