//! What the page has to show once: a link that another program opened, and that the page was reloaded after a crash.
//! It waits here until a page asks for it, so that none is lost while the page loads.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use ts_rs::TS;

use crate::deep_link::Link;

/// Maximum number of characters of a shown link.
const MAX_SHOWN: usize = 200;

/// What the page has to show once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "ipc.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// The last link that was opened.
    pub link: Option<OpenedLink>,
    /// Whether the page was reloaded after its process crashed.
    pub page_crashed: bool,
}

/// A link `template-desk://…` that another program opened.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "ipc.ts", optional_fields = nullable)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum OpenedLink {
    /// It leads to a page. Whether the page and the workspace exist is not known.
    Page {
        /// A path of the window's router.
        place: String,
        /// Identifier of the workspace; without one, the workspace that is shown.
        workspace: Option<String>,
    },
    /// It is no link of this version.
    Unknown {
        /// The link, shortened and without invisible characters.
        link: String,
    },
}

/// Holds what the page has not asked for yet. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingForPage(Arc<Mutex<Pending>>);

impl PendingForPage {
    /// Adds a link; it replaces an earlier one.
    pub(crate) fn open_link(&self, text: &str) {
        let link = match text.parse::<Link>() {
            Ok(link) => OpenedLink::Page { place: link.place(), workspace: link.workspace },
            Err(_) => {
                let shown: String = text.chars().take(MAX_SHOWN).collect();
                OpenedLink::Unknown { link: model::visible::visible(&shown).into_owned() }
            }
        };
        self.lock().link = Some(link);
    }

    /// Adds that the page was reloaded after a crash. Other systems do not report that it crashed.
    #[cfg(any(test, target_os = "linux"))]
    pub(crate) fn page_crashed(&self) {
        self.lock().page_crashed = true;
    }

    /// Takes everything.
    pub(crate) fn take(&self) -> Pending {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_taken_once() {
        let pending = PendingForPage::default();
        pending.open_link("template-desk://templates/1");
        pending.open_link("template-desk://templates/2?workspace=sandbox");
        pending.page_crashed();
        let place = "/templates/2".to_owned();
        let link = Some(OpenedLink::Page { place, workspace: Some("sandbox".to_owned()) });
        assert_eq!(pending.take(), Pending { link, page_crashed: true });
        assert_eq!(pending.take(), Pending::default());
    }

    #[test]
    fn an_unknown_link_is_shown_shortened_and_visible() {
        let pending = PendingForPage::default();
        pending.open_link(&format!("template-desk://\u{202e}{}", "a".repeat(500)));
        let Some(OpenedLink::Unknown { link }) = pending.take().link else { unreachable!("it is no link") };
        assert!(!link.contains('\u{202e}') && link.chars().count() < MAX_SHOWN * 2, "{link}");
    }
}
