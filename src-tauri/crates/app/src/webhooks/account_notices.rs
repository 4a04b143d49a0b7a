//! Notices about accounts and numbers: emitted once when their event arrives, and listed until they end, a later event
//! replaces them or a person dismisses them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use model::event::reading::Fact;
use model::item::Decoded;
use model::item::account_notice::{AccountNotice as Notice, Initiator, NUMBER_ID, NoticeSeverity, account_notice};
use store::cache::{ProjectedItem, position_id};

use crate::account_notices::{CurrentNotice, KINDS, after_earlier, current_notices};
use crate::own_numbers::OwnNumbers;
use crate::send_events::emit_sends;
use crate::webhooks::Webhooks;
use command_types::Nothing;
use command_types::activity::{AccountNotice, NoticeId, SendingNotices};
use command_types::conversations::MessageFact;
use command_types::error::{DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::workspace::{WorkspaceId, WorkspaceSettings};
use outgoing::recipient::formatted;
use outgoing::to_json;

/// Desk settings key of the dismissed notices, by workspace.
const DISMISSED_KEY: &str = "accounts.dismissed";
/// Maximum number of dismissed notices that are stored for a workspace.
const MAX_DISMISSED: usize = 200;

type Dismissed = BTreeMap<String, BTreeSet<String>>;

/// A notice of a batch, before it is known whether its event is new.
pub(super) struct Pending {
    workspace: String,
    event: i64,
    at: i64,
    account: Option<String>,
    notice: Notice,
}

/// The notices of a batch.
pub(super) fn pending(items: &[ProjectedItem]) -> Vec<Pending> {
    let found = items.iter().filter_map(|item| {
        let kind = KINDS.iter().find(|kind| kind.as_str() == item.kind)?;
        let notice = account_notice(&Decoded::read(kind, &item.value))?;
        let event = position_id(item.seq, item.ordinal);
        let (workspace, account) = (item.route.clone(), item.entry_id.clone());
        Some(Pending { workspace, event, at: item.received_at, account, notice })
    });
    found.collect()
}

/// A notice for the window.
fn shown(event: i64, at: i64, account: Option<String>, notice: Notice, numbers: &OwnNumbers<'_>) -> AccountNotice {
    let ends_at = notice.next_end();
    let Notice { meaning, severity, facts, .. } = notice;
    let facts = facts.into_iter().map(|fact| MessageFact::from(with_name(fact, numbers))).collect();
    AccountNotice { id: event.to_string(), at, account, meaning, severity, facts, ends_at }
}

/// A fact about an account in which a number has the name that it has in the workspace, or the notation of its country.
pub(super) fn with_name(fact: Fact, numbers: &OwnNumbers<'_>) -> Fact {
    let name = |phone: &str| {
        let known = numbers.with_phone(phone);
        known.map_or_else(|| formatted(phone), |number| number.name().to_owned())
    };
    match fact.label.as_str() {
        "number" => Fact { value: name(&fact.value), ..fact },
        NUMBER_ID => Fact { label: "number".to_owned(), value: numbers.name(&fact.value).to_owned(), ..fact },
        _ => fact,
    }
}

pub(super) fn listed(CurrentNotice { row, notice }: &CurrentNotice, numbers: &OwnNumbers<'_>) -> AccountNotice {
    shown(row.id, row.received_at, row.entry_id.clone(), notice.clone(), numbers)
}

impl Webhooks {
    /// Emits the notices of a batch whose events were not delivered before.
    pub(super) async fn emit_notices(&self, pending: Vec<Pending>) {
        for Pending { workspace, event, at, account, notice } in pending {
            // A redelivery belongs to the row of the first delivery.
            match self.0.context.cache.item(event, 0).await {
                Ok(Some(_)) => {
                    if notice.severity == NoticeSeverity::Critical
                        && let Err(error) = self.0.messaging.interrupt_restricted(&workspace).await
                    {
                        tracing::warn!(%error, "batches of a restricted number cannot be interrupted");
                    }
                    match after_earlier(&self.0.context, &workspace, event, notice).await {
                        Ok(notice) => {
                            let settings = self.0.workspaces.settings(&workspace).await.unwrap_or_else(|error| {
                                tracing::warn!(%error, "the numbers of a workspace cannot be read");
                                WorkspaceSettings::default()
                            });
                            let numbers = OwnNumbers::read(&self.0.context, &workspace, &settings).await;
                            let notice = shown(event, at, account, notice, &numbers);
                            self.0.context.emit(DeskEvent::AccountNotice { workspace, notice });
                        }
                        Err(error) => tracing::warn!(%error, "earlier events about an account cannot be read"),
                    }
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "an event about an account cannot be read"),
            }
        }
    }

    /// Emits the states of sends. Those that failed for a reason that stops all others interrupt their batches.
    pub(super) async fn emit_sends(&self, sends: Vec<String>) {
        if let Err(error) = self.0.messaging.interrupt_failing(&sends).await {
            tracing::warn!(%error, "batches whose messages fail cannot be interrupted");
        }
        emit_sends(&self.0.context, sends).await;
    }

    /// The notices of a workspace that need attention, the most urgent first, then the newest.
    pub async fn list_account_notices(&self, request: WorkspaceId) -> Result<Vec<AccountNotice>> {
        let workspace = request.workspace;
        let dismissed = self.dismissed_notices().await?.remove(&workspace).unwrap_or_default();
        let settings = self.0.workspaces.settings(&workspace).await?;
        let numbers = OwnNumbers::read(&self.0.context, &workspace, &settings).await;
        let current = current_notices(&self.0.context, &workspace).await?;
        let mut notices: Vec<AccountNotice> = current.iter().map(|current| listed(current, &numbers)).collect();
        notices.retain(|notice| !dismissed.contains(&stored_id(notice)));
        notices.sort_by_key(|notice| (notice.severity, Reverse(notice.at)));
        Ok(notices)
    }

    /// The notices that concern what is sent from a number, the most urgent first, then the newest. A dismissed one is
    /// left out unless it stops messages.
    pub async fn list_sending_notices(&self, request: SendingNotices) -> Result<Vec<AccountNotice>> {
        let SendingNotices { workspace, number, is_reply } = request;
        let initiator = if is_reply { Initiator::Customer } else { Initiator::Business };
        let settings = self.0.workspaces.settings(&workspace).await?;
        let numbers = OwnNumbers::read(&self.0.context, &workspace, &settings).await;
        let dismissed = self.dismissed_notices().await?.remove(&workspace).unwrap_or_default();
        let mut notices = Vec::new();
        for current in current_notices(&self.0.context, &workspace).await? {
            let stops = current.forbids(Initiator::Business) || current.forbids(Initiator::Customer);
            let concerns = current.concerns(&numbers, number.trim()) && current.notice.concerns(initiator);
            let notice = listed(&current, &numbers);
            if concerns && (stops || !dismissed.contains(&stored_id(&notice))) {
                notices.push(notice);
            }
        }
        notices.sort_by_key(|notice| (notice.severity, Reverse(notice.at)));
        Ok(notices)
    }

    /// Removes a notice from the list. Its event stays in Activity.
    pub async fn dismiss_account_notice(&self, request: NoticeId) -> Result<Nothing> {
        let notices = self.list_account_notices(WorkspaceId { workspace: request.workspace.clone() }).await?;
        let notice = notices.iter().find(|notice| notice.id == request.id);
        let id = stored_id(notice.ok_or_else(|| DeskError::not_found(Missing::Notice))?);
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

/// Ids repeat in another delivery log; with its arrival, an event is the only one. The oldest come first.
fn stored_id(notice: &AccountNotice) -> String {
    format!("{:015} {}", notice.at, notice.id)
}
