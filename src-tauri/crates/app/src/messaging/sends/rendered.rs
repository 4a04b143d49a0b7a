//! The message of a send as its recipient sees it.

use model::render::{Block, Bubble, render_text};
use model::send::{SendMessage, render_sent};
use store::desk::TestSend;

use crate::messaging::Messaging;
use api::error::Result;
use requests::compute;

impl Messaging {
    /// The message of a send, from its request and the content that the template had at that time; `None` if either is
    /// not known.
    pub(super) async fn bubble_of(&self, send: &TestSend) -> Result<Option<Bubble>> {
        let Ok(message) = serde_json::from_str::<SendMessage>(&send.payload) else { return Ok(None) };
        if let Some(text) = message.text {
            return compute::run(move || Some(render_text(&text.body))).await;
        }
        let (Some(sent), Some(reference)) = (message.template, send.template_ref.clone()) else { return Ok(None) };
        let key = (reference, send.created_at);
        let contents = self.0.templates.contents_at(&send.workspace_id, std::slice::from_ref(&key)).await?;
        let Some(template) = contents.get(&key).cloned() else { return Ok(None) };
        compute::run(move || Some(as_received(render_sent(&template, &sent.components)))).await
    }
}

/// The message without the marks of its variables: its recipient sees none.
fn as_received(mut bubble: Bubble) -> Bubble {
    for block in &mut bubble.body {
        if let Block::Line { runs } | Block::Bullet { runs } | Block::Numbered { runs, .. } | Block::Quote { runs } =
            block
        {
            runs.iter_mut().for_each(|run| run.variable = false);
        }
    }
    bubble.cards = bubble.cards.into_iter().map(as_received).collect();
    bubble
}
