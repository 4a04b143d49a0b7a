//! Who has stopped marketing messages, under all identifiers of a person.

use std::collections::HashMap;
use std::sync::Arc;

use command_types::error::Result;
use command_types::opt_outs::MarketingPreference;
use command_types::workspace::WorkspaceSettings;
use model::opt_out_wish::may_be_opt_out_wish;
use outgoing::message::{Accounts, OptOuts};
use outgoing::recipient::spellings;

use crate::context::Context;

/// What is known about people who have stopped marketing messages at some time: about those asked about, or about all.
pub(crate) async fn opt_outs(
    context: &Context,
    workspace: &str,
    settings: WorkspaceSettings,
    asked: Option<&[String]>,
) -> Result<OptOuts> {
    let asked = match asked {
        Some(ids) => Some(everyone(context, workspace, ids.to_vec()).await.into_values().flatten().collect::<Vec<_>>()),
        None => None,
    };
    let stored = context.desk.marketing_preferences(workspace, asked.as_deref()).await?;
    let mut opt_outs = OptOuts { accounts: accounts(context, workspace, settings).await, ..OptOuts::default() };
    if stored.is_empty() {
        return Ok(opt_outs);
    }
    let mut people: HashMap<String, Vec<MarketingPreference>> = HashMap::new();
    for preference in stored {
        people.entry(preference.person.clone()).or_default().push(preference);
    }
    // What one identifier says about a person is about all of them.
    let of_person = everyone(context, workspace, people.keys().cloned().collect()).await;
    for (id, spellings) in of_person {
        let all: Arc<[_]> = spellings.iter().filter_map(|id| people.get(id)).flatten().cloned().collect();
        opt_outs.people.extend(spellings.into_iter().chain([id]).map(|id| (id, all.clone())));
    }
    Ok(opt_outs)
}

/// Whether a received message may be a wish to stop marketing: a text, or the label of a tapped button.
pub(crate) fn may_want_to_stop(kind: &str, text: &str) -> bool {
    matches!(kind, "text" | "button" | "interactive") && may_be_opt_out_wish(text)
}

/// The accounts and businesses of our numbers. Where the cache cannot be read, the accounts count.
pub(crate) async fn accounts(context: &Context, workspace: &str, settings: WorkspaceSettings) -> Accounts {
    let businesses = context.cache.businesses(workspace).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the businesses of accounts cannot be read");
        Vec::new()
    });
    Accounts::new(settings, businesses.into_iter().collect())
}

/// Each identifier with all spellings of all identifiers of its person. Where the cache cannot be read, a person has no
/// other identifiers: who stopped marketing does not depend on it.
pub(crate) async fn everyone(context: &Context, workspace: &str, ids: Vec<String>) -> HashMap<String, Vec<String>> {
    let known = context.cache.identities(workspace, ids.clone()).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "identifiers of people cannot be read");
        ids.into_iter().map(|id| (id.clone(), vec![id])).collect()
    });
    known.into_iter().map(|(id, all)| (id, spellings(&all))).collect()
}
