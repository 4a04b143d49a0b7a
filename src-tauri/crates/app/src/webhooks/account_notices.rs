//! Notices about accounts and numbers: emitted once when their event arrives, and listed until they end, a later event
//! replaces them or a person dismisses them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use model::event::kind::ItemKind;
use model::item::Decoded;
use model::item::account_notice::{AccountNotice as Notice, NoticeSeverity, account_notice};
use store::cache::{ItemFilter, ItemRow, ProjectedItem, position_id};

use crate::webhooks::Webhooks;
use command_types::Nothing;
use command_types::activity::{AccountNotice, EventId, NoticeId};
use command_types::conversations::MessageFact;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::workspace::WorkspaceId;
use outgoing::{now, to_json};

/// Kinds of events that can be notices.
static KINDS: [ItemKind; 6] = [
    ItemKind::AccountAlert,
    ItemKind::AccountUpdate,
    ItemKind::AccountReview,
    ItemKind::BusinessCapability,
    ItemKind::PhoneNumberQuality,
    ItemKind::PhoneNumberName,
];
/// Maximum number of events of a kind that are read.
const MAX_EVENTS: u32 = 30;
/// A notice without an end is listed this long, in milliseconds.
const MAX_AGE: i64 = 30 * 24 * 60 * 60 * 1_000;
/// Desk settings key of the dismissed notices, by workspace.
const DISMISSED_KEY: &str = "accounts.dismissed";
/// Maximum number of dismissed notices that are stored for a workspace.
const MAX_DISMISSED: usize = 200;

type Dismissed = BTreeMap<String, BTreeSet<String>>;

/// A notice of a batch, before it is known whether its event is new.
pub(super) struct Pending {
    workspace: String,
    event: i64,
    notice: AccountNotice,
}

/// The notices of a batch.
pub(super) fn pending(items: &[ProjectedItem]) -> Vec<Pending> {
    let found = items.iter().filter_map(|item| {
        let kind = KINDS.iter().find(|kind| kind.as_str() == item.kind)?;
        let notice = account_notice(&Decoded::read(kind, &item.value))?;
        let event = position_id(item.seq, item.ordinal);
        let notice = shown(event, item.received_at, item.entry_id.clone(), notice);
        Some(Pending { workspace: item.route.clone(), event, notice })
    });
    found.collect()
}

fn shown(event: i64, at: i64, account: Option<String>, notice: Notice) -> AccountNotice {
    let Notice { meaning, severity, facts, .. } = notice;
    let facts = facts.into_iter().map(MessageFact::from).collect();
    AccountNotice { id: event.to_string(), at, account, meaning, severity, facts }
}

impl Webhooks {
    /// Emits the notices of a batch whose events were not delivered before.
    pub(super) async fn emit_notices(&self, pending: Vec<Pending>) {
        for Pending { workspace, event, notice } in pending {
            // A redelivery belongs to the row of the first delivery.
            match self.0.context.cache.item(event, 0).await {
                Ok(Some(_)) => self.0.context.emit(DeskEvent::AccountNotice { workspace, notice }),
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "an event about an account cannot be read"),
            }
        }
    }

    /// The notices of a workspace that need attention, the most urgent first, then the newest.
    pub async fn list_account_notices(&self, request: WorkspaceId) -> Result<Vec<AccountNotice>> {
        let workspace = request.workspace;
        let dismissed = self.dismissed_notices().await?.remove(&workspace).unwrap_or_default();
        let now = now();
        let mut topics = HashSet::new();
        let mut notices = Vec::new();
        for row in self.account_events(&workspace).await? {
            let Some(notice) = self.notice_of(&row).await? else { continue };
            let is_latest = topics.insert((row.entry_id.clone(), notice.topic.clone()));
            let ends = notice.until.unwrap_or_else(|| row.received_at.saturating_add(MAX_AGE));
            if is_latest && notice.severity != NoticeSeverity::Information && ends > now {
                notices.push(shown(row.id, row.received_at, row.entry_id, notice));
            }
        }
        notices.retain(|notice| !dismissed.contains(&stored_id(notice)));
        notices.sort_by_key(|notice| (notice.severity, Reverse(notice.at)));
        Ok(notices)
    }

    /// Events that can be notices, newest first.
    async fn account_events(&self, workspace: &str) -> Result<Vec<ItemRow>> {
        let mut rows = Vec::new();
        for kind in &KINDS {
            let (route, kind) = (Some(workspace.to_owned()), Some(kind.as_str().to_owned()));
            let filter = ItemFilter { route, kind, limit: MAX_EVENTS, ..ItemFilter::default() };
            rows.extend(self.0.context.cache.items(filter).await?.rows);
        }
        Ok(newest_first(rows, |row| (row.id, row.at, row.received_at)))
    }

    /// The notice of an event; `None` if it is none, or its delivery is not stored any more.
    async fn notice_of(&self, row: &ItemRow) -> Result<Option<Notice>> {
        let detail = match self.get_event(EventId { event: row.id.to_string() }).await {
            Ok(detail) => detail,
            // Removed since it was listed.
            Err(DeskError::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let kind = ItemKind::from(row.kind.as_str());
        Ok(detail.value.and_then(|value| account_notice(&Decoded::read(&kind, &value))))
    }

    /// Removes a notice from the list. Its event stays in Activity.
    pub async fn dismiss_account_notice(&self, request: NoticeId) -> Result<Nothing> {
        let listed = self.list_account_notices(WorkspaceId { workspace: request.workspace.clone() }).await?;
        let notice = listed.iter().find(|notice| notice.id == request.id);
        let id = stored_id(notice.ok_or_else(|| DeskError::not_found("The notice"))?);
        let mut dismissed = self.dismissed_notices().await?;
        let own = dismissed.entry(request.workspace).or_default();
        own.insert(id);
        while own.len() > MAX_DISMISSED {
            own.pop_first();
        }
        self.0.context.desk.set_setting(DISMISSED_KEY, to_json(&dismissed)?).await?;
        Ok(Nothing {})
    }

    async fn dismissed_notices(&self) -> Result<Dismissed> {
        let stored = self.0.context.desk.setting(DISMISSED_KEY).await?;
        Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }
}

/// Sorts events by their id, time and arrival. An undated one has the time of its arrival, by a clock that may have been
/// wrong: it counts as no later than what arrived after it (decision 0053).
fn newest_first<T>(mut events: Vec<T>, times: impl Fn(&T) -> (i64, i64, i64)) -> Vec<T> {
    events.sort_by_key(|event| Reverse(times(event).0));
    let mut earliest_after = i64::MAX;
    let timed = events.into_iter().map(|event| {
        let (id, at, received_at) = times(&event);
        let at = if at == received_at { at.min(earliest_after) } else { at };
        earliest_after = earliest_after.min(at);
        ((at, id), event)
    });
    let mut timed: Vec<_> = timed.collect();
    timed.sort_by_key(|(time, _)| Reverse(*time));
    timed.into_iter().map(|(_, event)| event).collect()
}

/// Ids repeat in another delivery log; with its arrival, an event is the only one. The oldest come first.
fn stored_id(notice: &AccountNotice) -> String {
    format!("{:015} {}", notice.at, notice.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undated_event_is_no_later_than_what_arrived_after_it() {
        let order = |events: &[(i64, i64, i64)]| -> Vec<i64> {
            newest_first(events.to_vec(), |event| *event).into_iter().map(|(id, ..)| id).collect()
        };
        // The first arrived while the clock was a day ahead; the others were undated or dated.
        assert_eq!(order(&[(1, 1_000, 1_000), (2, 100, 100), (3, 200, 200)]), [3, 2, 1]);
        assert_eq!(order(&[(1, 1_000, 1_000), (2, 90, 100)]), [2, 1]);
        // A delivery that was late keeps its own time.
        assert_eq!(order(&[(1, 90, 100), (2, 50, 200)]), [1, 2]);
    }
}
