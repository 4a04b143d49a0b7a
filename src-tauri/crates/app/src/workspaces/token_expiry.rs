//! Token expiry (contract §5): the person is notified in advance, once per threshold day, whatever the clock does.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::{Local, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::workspaces::Workspaces;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::workspace::{Attention, WorkspaceSettings};
use outgoing::to_json;

/// Days before the last day on which a notification is sent. From the first of them on, the workspace needs attention.
const REMINDER_DAYS: [i64; 5] = [14, 7, 3, 1, 0];
/// Polling interval of the calendar: the machine may sleep past midnight.
const POLL_INTERVAL: Duration = Duration::from_secs(10 * 60);
/// Desk settings key of the notifications sent for each workspace.
const REMINDERS_KEY: &str = "tokens.told";
/// Maximum number of recorded days per token. Only an unstable clock causes more.
const MAX_RECORDED_DAYS: usize = 64;

/// Notifications sent about a token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Reminders {
    /// The token's last day at that time.
    on: String,
    /// Each is one of [`REMINDER_DAYS`], or the days since the last day as a negative number.
    days: BTreeSet<i64>,
}

pub(crate) fn last_day(text: &str) -> Result<Option<NaiveDate>> {
    if text.is_empty() {
        return Ok(None);
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|day| day.to_string() == text);
    day.map(Some).ok_or_else(|| {
        DeskError::invalid(
            "tokenExpiresOn",
            format!("{text} is not a date. Enter year, month and day, such as 2027-03-31, or leave it empty."),
        )
    })
}

/// Days until the token's last day.
pub(crate) fn days_left(settings: &WorkspaceSettings, today: NaiveDate) -> Option<i64> {
    let day = last_day(&settings.token_expires_on).ok().flatten()?;
    Some((day - today).num_days())
}

/// The current day in local time.
pub(crate) fn today() -> NaiveDate {
    Local::now().date_naive()
}

/// Whether a workspace needs attention because of its token.
pub(crate) fn attention(days_left: Option<i64>) -> Attention {
    match days_left {
        Some(days) if days < 0 => Attention::TokenExpired,
        Some(days) if days <= REMINDER_DAYS[0] => Attention::TokenExpiring,
        _ => Attention::None,
    }
}

/// The notification that is due with this many days left; `None` while there is time.
fn due_reminder(days_left: i64) -> Option<i64> {
    if days_left < 0 { Some(days_left) } else { REMINDER_DAYS.into_iter().filter(|day| days_left <= *day).min() }
}

impl Reminders {
    /// Records the notification that is due. Returns whether it is new.
    fn record(&mut self, on: &str, days_left: i64) -> bool {
        if self.on != on {
            *self = Self { on: on.to_owned(), days: BTreeSet::new() };
        }
        let is_new = due_reminder(days_left).is_some_and(|day| self.days.insert(day));
        while self.days.len() > MAX_RECORDED_DAYS {
            self.days.pop_last();
        }
        is_new
    }
}

impl Workspaces {
    /// Emits notifications about tokens that expire, now and on each of their days.
    pub(crate) fn start_token_reminders(&self) {
        let workspaces = self.clone();
        self.0.context.spawn(async move {
            let mut interval = tokio::time::interval(POLL_INTERVAL);
            let mut last_checked = None;
            loop {
                interval.tick().await;
                let today = today();
                if let Err(error) = workspaces.emit_due_reminders(today).await {
                    tracing::error!(%error, "the expiry of tokens could not be checked");
                } else if last_checked.replace(today).is_some_and(|before| before != today) {
                    // The days left on the screen have changed.
                    workspaces.0.context.emit(DeskEvent::WorkspacesChanged {});
                }
            }
        });
    }

    /// Emits the notifications that are due on a day and were not emitted before.
    async fn emit_due_reminders(&self, today: NaiveDate) -> Result<()> {
        let mut reminders = self.stored_reminders().await?;
        let before = reminders.clone();
        let mut events = Vec::new();
        let rows = self.0.context.desk.workspaces().await?;
        reminders.retain(|workspace, _| rows.iter().any(|row| row.id == *workspace));
        for row in rows {
            // Settings that cannot be read are reported where they are opened.
            let settings: WorkspaceSettings = serde_json::from_str(&row.settings).unwrap_or_default();
            let Some(days) = days_left(&settings, today) else { continue };
            if reminders.entry(row.id.clone()).or_default().record(&settings.token_expires_on, days) {
                events.push(DeskEvent::TokenExpiring { workspace: row.id, name: settings.name, days });
            }
        }
        // Recorded first: after a crash in between, one notification is missing, but none is ever repeated.
        if reminders != before {
            self.0.context.desk.set_setting(REMINDERS_KEY, to_json(&reminders)?).await?;
        }
        for event in events {
            self.0.context.emit(event);
        }
        Ok(())
    }

    /// Records the notification as seen: the person has just entered the date.
    pub(crate) async fn mark_reminded(&self, workspace: &str, settings: &WorkspaceSettings) -> Result<()> {
        let mut reminders = self.stored_reminders().await?;
        match days_left(settings, today()) {
            Some(days) => {
                if !reminders.entry(workspace.to_owned()).or_default().record(&settings.token_expires_on, days) {
                    return Ok(());
                }
            }
            None => {
                if reminders.remove(workspace).is_none() {
                    return Ok(());
                }
            }
        }
        Ok(self.0.context.desk.set_setting(REMINDERS_KEY, to_json(&reminders)?).await?)
    }

    async fn stored_reminders(&self) -> Result<BTreeMap<String, Reminders>> {
        let reminders = self.0.context.desk.setting(REMINDERS_KEY).await?;
        Ok(reminders.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn each_reminder_is_emitted_once_whatever_the_clock_does() {
        let mut reminders = Reminders::default();
        let on = "2027-03-31";
        // Days left when the app checks, and whether a notification is emitted: missed days are made up for once; a
        // clock that goes back or jumps causes no repetition.
        let met = [
            (30, false),
            (14, true),
            (13, false),
            (6, true),
            (7, false),
            (14, false),
            (3, true),
            (2, false),
            (-400, true),
            (2, false),
            (1, true),
            (0, true),
            (0, false),
            (-1, true),
            (-1, false),
            (-2, true),
            (-400, false),
            (1, false),
        ];
        for (days, events) in met {
            assert_eq!(reminders.record(on, days), events, "{days}");
        }
        assert!(reminders.record("2028-03-31", 14), "another date starts again");
    }

    #[test]
    fn last_days_are_calendar_dates() {
        assert_eq!(last_day("").unwrap(), None);
        assert_eq!(last_day("2028-02-29").unwrap(), NaiveDate::from_ymd_opt(2028, 2, 29));
        for text in ["2027-02-29", "2027-1-1", "31.03.2027", "tomorrow", "2027-03-31T00:00"] {
            last_day(text).unwrap_err();
        }
        let settings = WorkspaceSettings { token_expires_on: "2027-03-31".to_owned(), ..WorkspaceSettings::default() };
        let left = |day: &str| days_left(&settings, last_day(day).unwrap().unwrap());
        assert_eq!([left("2027-03-30"), left("2027-03-31"), left("2027-04-02")], [Some(1), Some(0), Some(-2)]);
        let needs = [Some(15), Some(14), Some(0), Some(-1), None].map(attention);
        let (none, soon, over) = (Attention::None, Attention::TokenExpiring, Attention::TokenExpired);
        assert_eq!(needs, [none, soon, soon, over, none]);
    }
}
