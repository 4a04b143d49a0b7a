//! Sends: recorded before they are sent, and matched to statuses by message identifier or by our tracking identifier.

mod detail;
mod dispatch;
mod list;
mod rendered;
mod retry;
mod same_message;
mod send_plan;
pub(crate) mod text;
mod timeline;

pub(in crate::messaging) use retry::WaitingSends;

use model::send::send_form;

use crate::messaging::Messaging;
use command_types::error::Result;
use command_types::send::{SendForm, SendPreview, SendRequest, SendRow};
use command_types::template::TemplateId;
use outgoing::compute;
use outgoing::message::stop;

impl Messaging {
    pub async fn get_send_form(&self, id: TemplateId) -> Result<SendForm> {
        let plan = self.send_plan(&id.workspace, &id.reference).await?;
        let template = plan.template.clone();
        let parts = compute::run(move || send_form(&template).parts).await?;
        Ok(SendForm {
            blocked: plan.blocked().or_else(|| plan.no_number()),
            parts,
            numbers: plan.form_numbers(),
            number: plan.first_number().to_owned(),
            name: plan.template.name,
            language: plan.template.language,
            category: plan.template.category.as_str().to_owned(),
            cached_at: plan.standing.cached_at,
            status: plan.standing.status,
            archived: plan.standing.archived,
        })
    }

    /// Previews a send with its problems. Fetches nothing.
    pub async fn preview_send(&self, request: SendRequest) -> Result<SendPreview> {
        let plan = self.send_plan_for(&request).await?;
        let workspace = request.workspace.clone();
        let mut preview = compute::run(move || plan.preview(&request)).await??;
        self.allow_known(&workspace, &preview.recipient, &mut preview.problems).await;
        preview.recipient.lacks_ninth = self.number_with_ninth_digit(&workspace, &preview.recipient).await;
        Ok(preview)
    }

    /// Sends a template after another preflight check, which skips media links that were checked within the last
    /// minute. The send is recorded before it is sent, and sent again only while a rate limit refuses
    /// it: the answer then says when, and [`Self::cancel_send`] ends the wait.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::InvalidInput`] at the first field with an error, or with a warning that is not overridden;
    /// [`command_types::error::DeskError::MissingCredentials`]. The provider's answer is stored with the send.
    pub async fn send_template(&self, request: SendRequest) -> Result<SendRow> {
        let checked = self.check_send(&request).await?;
        stop(&checked.problems, &request.options.overrides)?;
        let send = self.dispatch(request, None).await?;
        Ok(self.row_of(send).await)
    }
}
