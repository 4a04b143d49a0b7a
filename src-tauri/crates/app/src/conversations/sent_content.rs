//! Content of messages sent from here, as their recipients saw them.

use std::collections::HashMap;
use std::sync::Arc;

use model::render::{Bubble, plain_text};
use model::send::{SendMessage, sent_bubble};
use model::template::Template;
use store::desk::SendRecord;

use crate::conversations::Conversations;
use command_types::conversations::SentTemplate;
use command_types::error::Result;
use outgoing::compute;

/// Kind of a send that has no readable type.
const TEMPLATE: &str = "template";

#[derive(Clone, Debug, Default)]
pub(super) struct SentContent {
    /// Its type in the request: `template` or `text`.
    pub(super) kind: String,
    /// Its body; the name of the template if its content is not known.
    pub(super) text: String,
    /// As the phone showed it.
    pub(super) bubble: Option<Bubble>,
    pub(super) template: Option<SentTemplate>,
}

impl Conversations {
    /// The contents of sends, by the identifier of the send. Templates are rendered with the content that they had
    /// then.
    pub(super) async fn sent_contents<'s>(
        &self,
        workspace: &str,
        sends: impl IntoIterator<Item = &'s SendRecord>,
    ) -> Result<HashMap<String, SentContent>> {
        let sends: Vec<SendRecord> = sends.into_iter().cloned().collect();
        let wanted: Vec<(String, i64)> =
            sends.iter().filter_map(|send| Some((send.template_ref.clone()?, send.created_at))).collect();
        let contents = self.0.templates.contents_at(workspace, &wanted).await?;
        compute::run(move || {
            let content = |send: SendRecord| {
                let template = send.template_ref.as_ref().map(|reference| (reference.clone(), send.created_at));
                let template = template.and_then(|key| contents.get(&key));
                (send.id.clone(), SentContent::of(&send, template.map(Arc::as_ref)))
            };
            sends.into_iter().map(content).collect()
        })
        .await
    }
}

impl SentContent {
    /// The text without the channel's formatting.
    pub(super) fn plain_text(&self) -> String {
        match &self.bubble {
            Some(bubble) if !bubble.body.is_empty() => plain_text(&bubble.body),
            _ => self.text.clone(),
        }
    }

    fn of(send: &SendRecord, content: Option<&Template>) -> Self {
        // A request that cannot be read has no bubble: samples would look as if they had been sent.
        let message = serde_json::from_str::<SendMessage>(&send.payload).unwrap_or_default();
        let bubble = sent_bubble(&message, content);
        if let Some(text) = message.text {
            return Self { kind: message.kind, text: text.body, bubble, template: None };
        }
        let body = bubble.as_ref().map(|bubble| plain_text(&bubble.body)).filter(|body| !body.trim().is_empty());
        Self {
            kind: if message.kind.is_empty() { TEMPLATE.to_owned() } else { message.kind },
            text: body.unwrap_or_else(|| send.template_name.clone()),
            bubble,
            template: (!send.template_name.is_empty()).then(|| SentTemplate {
                name: send.template_name.clone(),
                language: send.language.clone(),
                reference: send.template_ref.clone(),
            }),
        }
    }
}
