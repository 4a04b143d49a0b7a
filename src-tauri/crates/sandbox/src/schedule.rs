//! Scheduled tasks. They are part of the state, so a restart resumes them.

use std::collections::BTreeMap;

use model::vocabulary::TemplateStatus;
use serde::{Deserialize, Serialize};

use crate::time::Instant;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "snake_case")]
pub(crate) enum Task {
    /// End a round of review.
    Review {
        uuid: String,
        round: u64,
    },
    /// Report the status of a seeded template in one WABA, unless it was edited meanwhile.
    AccountStatus {
        uuid: String,
        waba: u64,
        status: TemplateStatus,
        reason: Option<String>,
    },
    /// Measure the media of a message and schedule its statuses.
    Begin {
        message: u64,
    },
    Status(StatusTask),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StatusTask {
    pub(crate) message: u64,
    pub(crate) status: String,
    pub(crate) last: bool,
    /// When the status was reached; the time of the report if absent.
    #[serde(default)]
    pub(crate) happened: Option<Instant>,
    /// Number of additional reports of the same status.
    #[serde(default)]
    pub(crate) copies: u32,
}

/// Tasks by due time.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Scheduled>", into = "Vec<Scheduled>")]
pub(crate) struct Schedule(BTreeMap<(Instant, u64), Task>);

impl Schedule {
    pub(crate) fn insert(&mut self, at: Instant, sequence: u64, task: Task) {
        self.0.insert((at, sequence), task);
    }

    pub(crate) fn holds(&self, task: &Task) -> bool {
        self.0.values().any(|scheduled| scheduled == task)
    }

    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.0.keys().next().map(|(at, _)| *at)
    }

    pub(crate) fn take_due(&mut self, now: Instant) -> Option<Task> {
        if self.next_due()? > now {
            return None;
        }
        self.0.pop_first().map(|(_, task)| task)
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Scheduled {
    at: Instant,
    sequence: u64,
    #[serde(flatten)]
    task: Task,
}

impl From<Vec<Scheduled>> for Schedule {
    fn from(tasks: Vec<Scheduled>) -> Self {
        Self(tasks.into_iter().map(|scheduled| ((scheduled.at, scheduled.sequence), scheduled.task)).collect())
    }
}

impl From<Schedule> for Vec<Scheduled> {
    fn from(schedule: Schedule) -> Self {
        schedule.0.into_iter().map(|((at, sequence), task)| Scheduled { at, sequence, task }).collect()
    }
}
