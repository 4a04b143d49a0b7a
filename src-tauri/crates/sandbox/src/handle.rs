//! Methods of the [`Sandbox`] handle: settings, webhooks, reviews, faults, obstacles, scripts and media.

use bytes::Bytes;
use serde_json::Value;

use crate::fault::Fault;
use crate::obstacle::Obstacle;
use crate::recipient::check_recipient;
use crate::refusal::Refusal;
use crate::review::Decision;
use crate::script::{EVERY, Script};
use crate::settings::{ReviewPolicy, Settings, Webhook};
use crate::templates::known_anywhere;
use crate::{Sandbox, measure, review, seeding};

const MAX_FAULTS: usize = 1_000;

impl Sandbox {
    /// A copy of the current settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.runtime.read(|state| state.settings.clone())
    }

    /// Replaces the settings. If the review policy changes, pending templates go into review again.
    ///
    /// # Errors
    /// If a number is out of range or a required string is empty; names the field.
    pub fn set_settings(&self, settings: Settings) -> Result<(), Refusal> {
        if let Some((path, flaw)) = settings.delivery.flaw().or_else(|| settings.throttle.flaw()) {
            return Err(Refusal::field(path, flaw));
        }
        if settings.rejection_reason.trim().is_empty() {
            return Err(Refusal::field("/rejection_reason", "must not be empty; INVALID_FORMAT is usual"));
        }
        self.runtime.change(|state| {
            let policy_changed = state.settings.review != settings.review;
            state.settings = settings;
            if policy_changed {
                review::reconsider(state);
            }
        });
        Ok(())
    }

    pub fn set_review(&self, review: ReviewPolicy) {
        self.runtime.change(|state| {
            let changed = state.settings.review != review;
            state.settings.review = review;
            if changed {
                review::reconsider(state);
            }
        });
    }

    /// Sets the common webhook. Held in memory only, never written to the state file.
    pub fn set_webhook(&self, webhook: Option<Webhook>) {
        self.runtime.webhooks().common = webhook;
        self.runtime.wake();
    }

    /// Sets the webhook of one sending number, which replaces the common webhook for it.
    pub fn set_number_webhook(&self, number: &str, webhook: Option<Webhook>) {
        let mut webhooks = self.runtime.webhooks();
        match webhook {
            Some(webhook) => drop(webhooks.numbers.insert(number.to_owned(), webhook)),
            None => drop(webhooks.numbers.remove(number)),
        }
        drop(webhooks);
        self.runtime.wake();
    }

    /// Applies a decision to a template and emits its event.
    pub fn decide(&self, uuid: &str, decision: &Decision) -> Result<(), Refusal> {
        self.runtime.change(|state| review::decide(state, uuid, decision))
    }

    /// Adds many plain templates with different statuses, for load tests of clients.
    ///
    /// # Errors
    /// If `count` is zero or above 200 000.
    pub fn add_templates(&self, count: usize) -> Result<(), Refusal> {
        if !(1..=seeding::MOST_ADDED).contains(&count) {
            return Err(Refusal::field("/count", format!("must be between 1 and {}", seeding::MOST_ADDED)));
        }
        self.runtime.change(|state| seeding::many(state, count));
        Ok(())
    }

    /// Delivers any event; `entry_id` defaults to the first WABA.
    pub fn emit(&self, entry_id: Option<&str>, number: Option<&str>, field: &str, value: Value) {
        self.runtime.change(|state| {
            let entry = entry_id.map(str::to_owned);
            let entry =
                entry.or_else(|| state.wabas.keys().next().map(u64::to_string)).unwrap_or_else(|| "0".to_owned());
            state.emit(entry, number.map(str::to_owned), field, value);
        });
    }
}

impl Sandbox {
    /// The configured faults, in the order in which they are matched.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.runtime.read(|state| state.faults.clone())
    }

    /// # Errors
    /// If an option is out of range, the template does not exist, or 1000 faults are set already; names the field.
    pub fn add_fault(&self, fault: Fault) -> Result<(), Refusal> {
        let fault = self.checked_fault(fault)?;
        self.runtime.change(|state| {
            if state.faults.len() >= MAX_FAULTS {
                return Err(Refusal::field(
                    "/operations",
                    format!("cannot be taken: {MAX_FAULTS} faults are set already"),
                ));
            }
            state.faults.push(fault);
            Ok(())
        })
    }

    /// # Errors
    /// As [`Self::add_fault`]; then nothing is replaced.
    pub fn set_faults(&self, faults: Vec<Fault>) -> Result<(), Refusal> {
        let faults = faults.into_iter().map(|fault| self.checked_fault(fault)).collect::<Result<Vec<_>, _>>()?;
        if faults.len() > MAX_FAULTS {
            return Err(Refusal::field("/operations", format!("cannot be taken: at most {MAX_FAULTS} faults are set")));
        }
        self.runtime.change(|state| state.faults = faults);
        Ok(())
    }

    /// Name of the template with this UUID.
    #[must_use]
    pub fn template_name(&self, uuid: &str) -> Option<String> {
        self.runtime.read(|state| state.templates.get(uuid).map(|entry| entry.template.name.clone()))
    }

    /// UUID of the newest template with this name.
    #[must_use]
    pub fn template_uuid(&self, name: &str) -> Option<String> {
        self.runtime.read(|state| {
            let mut entries = state.templates.newest_first().map(|(_, entry)| entry);
            entries.find(|entry| entry.template.name == name).map(|entry| entry.uuid.clone())
        })
    }

    pub fn clear_faults(&self) {
        self.runtime.change(|state| state.faults.clear());
    }

    fn checked_fault(&self, fault: Fault) -> Result<Fault, Refusal> {
        let fault = fault.checked()?;
        if let Some(uuid) = &fault.template {
            known_anywhere(&self.runtime, uuid)?;
        }
        Ok(fault)
    }
}

impl Sandbox {
    /// Makes operations fail on a template, or on every template with [`EVERY`]; `None` removes the obstacle.
    ///
    /// # Errors
    /// If the template does not exist, or an option is out of range; names the field.
    pub fn set_obstacle(&self, uuid: &str, obstacle: Option<Obstacle>) -> Result<(), Refusal> {
        let key = if uuid == EVERY { uuid.to_owned() } else { known_anywhere(&self.runtime, uuid)? };
        let obstacle = obstacle.map(Obstacle::checked).transpose()?;
        self.runtime.change(|state| match obstacle {
            Some(obstacle) => drop(state.obstacles.insert(key, obstacle)),
            None => drop(state.obstacles.remove(&key)),
        });
        Ok(())
    }
}

impl Sandbox {
    /// All scripts with their recipients, including [`EVERY`].
    #[must_use]
    pub fn scripts(&self) -> Vec<(String, Script)> {
        self.runtime.read(|state| state.scripts.iter().map(|(key, script)| (key.clone(), script.clone())).collect())
    }

    /// Sets the script for the next messages to `recipient`, or to every recipient with [`EVERY`]; `None` removes it.
    ///
    /// # Errors
    /// If the recipient is not a phone number, or an option is out of range; names the field.
    pub fn set_script(&self, recipient: &str, script: Option<Script>) -> Result<(), Refusal> {
        if recipient != EVERY {
            check_recipient(recipient)?;
        }
        let script = script.map(Script::checked).transpose()?;
        self.runtime.change(|state| {
            if recipient != EVERY && script.is_some() {
                state.phone_mut(recipient);
            }
            match script {
                Some(script) => drop(state.scripts.insert(recipient.to_owned(), script)),
                None => drop(state.scripts.remove(recipient)),
            }
        });
        Ok(())
    }
}

impl Sandbox {
    /// Downloads a picture that a message links to, as recipients' phones do; `None` if the download fails or the
    /// picture exceeds the channel's limit.
    pub async fn download_picture(&self, link: &str) -> Option<Bytes> {
        measure::download_picture(&self.runtime, link).await
    }
}
