//! Events about sends that changed.

use std::collections::BTreeSet;

use store::desk::SendState;

use crate::context::Context;
use command_types::event::DeskEvent;

/// Maximum number of sends with an event of their own; more have one together.
const MAX_EMITTED_SENDS: usize = 50;

/// Emits the states of sends. An event is only news: if the states cannot be read, every screen with sends reads them
/// again.
pub(crate) async fn emit_sends(context: &Context, mut ids: Vec<String>) {
    ids.sort();
    ids.dedup();
    if ids.is_empty() {
        return;
    }
    match context.desk.send_states(&ids).await {
        Ok(sends) if sends.len() <= MAX_EMITTED_SENDS => {
            for (id, workspace, status, state) in sends {
                let state = SendState::of(status.as_deref(), state);
                context.emit(DeskEvent::SendUpdated { workspace, id, state });
            }
        }
        Ok(sends) => emit_all(context, sends.into_iter().map(|(_, workspace, ..)| workspace)),
        Err(error) => {
            tracing::warn!(%error, "sends that changed cannot be read");
            let workspaces = context.desk.workspaces().await.unwrap_or_default();
            emit_all(context, workspaces.into_iter().map(|workspace| workspace.id));
        }
    }
}

fn emit_all(context: &Context, workspaces: impl Iterator<Item = String>) {
    for workspace in workspaces.collect::<BTreeSet<String>>() {
        context.emit(DeskEvent::SendsUpdated { workspace });
    }
}
