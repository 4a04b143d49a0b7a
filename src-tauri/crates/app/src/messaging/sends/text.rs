//! Free texts, which can be sent for 24 hours after the contact's last message.

use model::send::{SendProblem, SendProblemCode};

use super::dispatch::{OutgoingMessage, tracking_id};
use crate::contact_names::all_spellings;
use crate::messaging::Messaging;
use command_types::error::Result;
use command_types::send::{SendPreview, SendRow, SendText, ServiceWindow, WindowQuery};
use command_types::workspace::WorkspaceSettings;
use outgoing::message::{Prepared, TRACKING_PREVIEW, message_url, prepare_text, preview_text, stop};
use outgoing::recipient::{alternative_numbers, check_addressee};
use outgoing::{now, to_json};

/// A message that says it was sent later than this after it arrived counts from its arrival, in milliseconds: the window is
/// open for 24 hours after the channel has the message.
const CLOCK_TOLERANCE: i64 = 2 * 60 * 1_000;

impl Messaging {
    pub async fn preview_text(&self, request: SendText) -> Result<SendPreview> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        let prepared = self.prepare_text_in_window(&settings, &request, TRACKING_PREVIEW).await?;
        let mut preview = preview_text(&settings, &request, prepared)?;
        preview.recipient.lacks_ninth = self.number_with_ninth_digit(&request.workspace, &preview.recipient).await;
        Ok(preview)
    }

    /// Sends a text. It is recorded before it is sent, and sent again only while a rate limit refuses it, as with
    /// [`Self::send_template`].
    pub async fn send_text(&self, request: SendText) -> Result<SendRow> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        let tracking_id = tracking_id();
        let Prepared { message, problems, .. } = self.prepare_text_in_window(&settings, &request, &tracking_id).await?;
        stop(&problems, &request.options.overrides)?;
        let outgoing = OutgoingMessage {
            number: request.number.trim().to_owned(),
            url: message_url(&settings, &request.number)?,
            message,
            request: to_json(&request)?,
            reference: None,
            category: None,
            tappable: None,
            tracking_id: (request.options.track && !request.options.exact_callback).then_some(tracking_id),
            workspace: request.workspace,
            batch: None,
            form: request.form.map(|form| (form, request.text)),
        };
        let send = self.record_and_send(outgoing).await?;
        Ok(self.row_of(send).await)
    }

    pub async fn get_service_window(&self, request: WindowQuery) -> Result<ServiceWindow> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        // Who it is while the country is asked is not known.
        let (recipient, _) = check_addressee(&request.to, request.country.as_deref(), &settings);
        self.window_of(
            &settings,
            &request.workspace,
            recipient.addressee().unwrap_or_default(),
            request.number.as_deref().unwrap_or_default(),
        )
        .await
    }

    async fn window_of(
        &self,
        settings: &WorkspaceSettings,
        workspace: &str,
        addressee: &str,
        number: &str,
    ) -> Result<ServiceWindow> {
        let contacts = alternative_numbers(addressee);
        self.service_window(settings, workspace, &contacts, &contacts, number).await
    }

    /// The window of a person who wrote as one of `contacts`, and has any of `ids`; of any of our numbers if `number` is
    /// empty.
    pub(crate) async fn service_window(
        &self,
        settings: &WorkspaceSettings,
        workspace: &str,
        contacts: &[String],
        ids: &[String],
        number: &str,
    ) -> Result<ServiceWindow> {
        let others = settings.numbers_beside(number);
        let offset = self.0.workspaces.clock_offset(workspace);
        let clock = (offset, CLOCK_TOLERANCE);
        let last_inbound_at = self.0.context.cache.last_inbound(workspace, contacts, &others, clock).await?;
        let recipients: Vec<String> = all_spellings(ids).into_iter().collect();
        let window = ServiceWindow::after(last_inbound_at, offset);
        let Some(code) = SendProblemCode::TextWindowClosed.error_code() else { return Ok(window) };
        Ok(window.refused(self.0.context.desk.text_failed_at(workspace, &recipients, number, code, offset).await?))
    }

    async fn prepare_text_in_window(
        &self,
        settings: &WorkspaceSettings,
        request: &SendText,
        tracking_id: &str,
    ) -> Result<Prepared> {
        let mut prepared = prepare_text(settings, request, tracking_id);
        self.allow_known(&request.workspace, &prepared.recipient, &mut prepared.problems).await;
        if let Some(addressee) = prepared.recipient.addressee() {
            // A contact without a received message may have written all the same: the app does not know where webhooks
            // are sent.
            let number = request.number.trim();
            let window = self.window_of(settings, &request.workspace, addressee, number).await?;
            if window.is_closed(now()) {
                prepared.problems.push(SendProblem::new("text", SendProblemCode::TextWindowClosed, &[]));
            }
        }
        Ok(prepared)
    }
}
