//! The message of a send as its recipient sees it.

use model::render::Bubble;
use model::send::{SendMessage, sent_bubble};
use store::desk::SendRecord;

use crate::messaging::Messaging;
use command_types::error::Result;
use outgoing::compute;

impl Messaging {
    /// The message of a send, from its request and the content that the template had at that time; `None` if either is
    /// not known.
    pub(super) async fn bubble_of(&self, send: &SendRecord) -> Result<Option<Bubble>> {
        let Ok(message) = serde_json::from_str::<SendMessage>(&send.payload) else { return Ok(None) };
        let key = send.template_ref.clone().map(|reference| (reference, send.created_at));
        let contents = self.0.templates.contents_at(&send.workspace_id, key.as_slice()).await?;
        let template = key.and_then(|key| contents.get(&key).cloned());
        compute::run(move || sent_bubble(&message, template.as_deref())).await
    }
}
