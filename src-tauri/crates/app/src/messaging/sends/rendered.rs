//! The message of a send as its recipient sees it.

use model::component::{Body, Component};
use model::render::{Block, Bubble, Fill, render};
use model::send::preview_fill;
use model::template::Template;
use store::desk::{SendKind, TestSend};

use crate::messaging::Messaging;
use crate::templates::versions::content;
use api::error::Result;
use api::send::{SendRequest, SendText};
use requests::compute;

impl Messaging {
    /// The message of a send, from its recorded request and the content that the template had at that time; `None` if
    /// either is not known.
    pub(crate) async fn bubble_of(&self, send: &TestSend) -> Result<Option<Bubble>> {
        let Some(request) = send.request.as_deref() else { return Ok(None) };
        if send.kind == SendKind::Text {
            let text: Option<SendText> = serde_json::from_str(request).ok();
            return Ok(text.map(|request| text_bubble(request.text)));
        }
        let Some(request) = serde_json::from_str::<SendRequest>(request).ok() else { return Ok(None) };
        let template = self.template_at(&request.workspace, &request.reference, send.created_at).await?;
        let Some(template) = template else { return Ok(None) };
        compute::run(move || Some(as_received(render(&template, &preview_fill(&template, &request.values))))).await
    }

    /// The content of a template at an instant: the newest version until then, else the oldest, else the cached one.
    async fn template_at(&self, workspace: &str, reference: &str, at: i64) -> Result<Option<Template>> {
        let versions = self.0.context.desk.versions(workspace, reference).await?;
        let of_then = versions.iter().find(|version| version.at <= at).or(versions.last());
        if let Some(known) = of_then.and_then(|version| content(version).ok()) {
            return Ok(Some(known));
        }
        let cached = self.0.templates.cached(workspace, reference).await.ok();
        Ok(cached.and_then(|cached| crate::templates::read(&cached).ok()).map(|record| record.template))
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

/// A free text as the phone shows it.
fn text_bubble(text: String) -> Bubble {
    let body = Body { text: Some(text), ..Body::default() };
    let template = Template { components: vec![Component::Body(body)], ..Template::default() };
    render(&template, &Fill::default())
}
