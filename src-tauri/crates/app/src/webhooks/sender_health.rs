//! What is known about each number that sends.

use std::cmp::Reverse;
use std::collections::HashSet;

use model::event::account::AccountEvent;
use model::item::Decoded;
use model::messaging_limit::LIMIT_WINDOW;
use store::cache::ItemRow;
use store::desk::{CallState, SendFilter};

use super::account_notices::listed;
use crate::account_notices::{account_events, current_of};
use crate::opt_outs::accounts;
use crate::own_numbers::OwnNumbers;
use crate::sender_limits::{SeenSends, known_limit};
use crate::webhooks::Webhooks;
use command_types::error::Result;
use command_types::sender_health::{SaidOfNumber, SenderHealth};
use command_types::workspace::{SendingNumber, WorkspaceId};

/// Changes of quality that are shown.
const MAX_CHANGES: usize = 5;
/// Newest sends that are searched for accepted ones.
const MAX_SEARCHED: u32 = 500;

type Events = [(ItemRow, Decoded)];

impl Webhooks {
    /// What is known about the numbers of a workspace, in the order of the settings.
    pub async fn list_sender_health(&self, request: WorkspaceId) -> Result<Vec<SenderHealth>> {
        let WorkspaceId { workspace } = request;
        let context = &self.0.context;
        let settings = self.0.workspaces.settings(&workspace).await?;
        let accounts = accounts(context, &workspace, settings.clone()).await;
        let events = account_events(context, &workspace).await?;
        let own = OwnNumbers::read(context, &workspace, &settings).await;
        let seen = SeenSends::read(context, &workspace).await?;
        let written_to: HashSet<String> = context.cache.numbers_written_to(&workspace).await?.into_iter().collect();
        let accepted_from = self.accepted_from(&workspace).await?;
        let is_listed = |id: &String| settings.numbers.iter().any(|number| number.id == *id);
        let mut unlisted: Vec<String> =
            written_to.iter().filter(|id| !id.is_empty() && !is_listed(id)).cloned().collect();
        unlisted.sort();
        let mut numbers = Vec::with_capacity(settings.numbers.len());
        for SendingNumber { id, waba_id, .. } in &settings.numbers {
            let mut health = said_of(&own, (id, waba_id), &events);
            health.is_proven = written_to.contains(id) || accepted_from.contains(id);
            if !health.is_proven {
                health.unlisted.clone_from(&unlisted);
            }
            if let Some(known) = known_limit(&accounts, &own, id, &events) {
                (health.limit, health.limit_at) = (Some(known.limit), Some(known.at));
            }
            let counted = seen.counted(&accounts, id);
            health.used = u32::try_from(counted.len()).unwrap_or(u32::MAX);
            health.next_leaves_at = counted.values().min().map(|at| at.saturating_add(LIMIT_WINDOW));
            numbers.push(health);
        }
        let current = current_of(events);
        for health in &mut numbers {
            let concerning = current.iter().filter(|notice| notice.concerns(&own, &health.number));
            health.notices = concerning.map(|current| listed(current, &own)).collect();
            health.notices.sort_by_key(|notice| (notice.severity, Reverse(notice.at)));
        }
        Ok(numbers)
    }
}

impl Webhooks {
    /// The numbers from which the provider accepted a recent message.
    async fn accepted_from(&self, workspace: &str) -> Result<HashSet<String>> {
        let filter = SendFilter { workspace_id: workspace.to_owned(), limit: MAX_SEARCHED, ..SendFilter::default() };
        let sends = self.0.context.desk.sends(filter).await?.rows;
        Ok(sends.into_iter().filter(|send| send.state == CallState::Accepted).map(|send| send.number).collect())
    }
}

/// What events say about one number: throughput, quality and name.
fn said_of(numbers: &OwnNumbers<'_>, (number, waba): (&str, &str), events: &Events) -> SenderHealth {
    let mut health = SenderHealth { number: number.to_owned(), ..SenderHealth::default() };
    for (row, decoded) in events {
        let is_other = |entry: &String| !waba.is_empty() && entry != waba;
        let Decoded::Account(event) = decoded else { continue };
        if row.entry_id.as_ref().is_some_and(is_other) {
            continue;
        }
        let said = |value: &str| SaidOfNumber { value: value.to_owned(), at: row.at };
        let is_own = |phone: &Option<String>| numbers.has_phone(number, phone.as_deref().unwrap_or_default());
        match event.as_ref() {
            AccountEvent::NumberQuality(quality) if is_own(&quality.display_phone_number) => {
                if quality.is_throughput_upgrade() {
                    let level = quality.current_limit.as_deref().unwrap_or(&quality.event);
                    health.throughput.get_or_insert_with(|| said(level));
                } else if quality.is_flag() && health.quality.len() < MAX_CHANGES {
                    health.quality.push(said(&quality.event.to_ascii_uppercase()));
                }
            }
            AccountEvent::NumberName(name) if is_own(&name.display_phone_number) && health.name_decision.is_none() => {
                health.name = Some(said(name.requested_verified_name.as_deref().unwrap_or_default()));
                health.name_decision = Some(name.decision.clone());
            }
            _ => {}
        }
    }
    health
}
