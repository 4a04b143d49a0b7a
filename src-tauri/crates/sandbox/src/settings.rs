//! Options for opening a sandbox, and the settings that can be changed while it runs.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::profile::{Minimal, Profile};
use crate::seed::Seed;

/// Rejection reason for an invalid format (upstream §5.6), the only one that has an explanation.
pub(crate) const INVALID_FORMAT: &str = "INVALID_FORMAT";

#[derive(Clone, Debug)]
pub struct Options {
    /// The access token that requests must carry.
    pub token: SecretString,
    /// A second kind of credentials: `x-client-id` and `x-client-secret` (contract §5).
    pub client_credentials: Option<(String, SecretString)>,
    /// UUID of the workspace.
    pub workspace: String,
    /// UUIDs of further workspaces that the token opens, each with its own templates.
    pub additional_workspaces: Vec<String>,
    /// Channel name in paths; `messaging` in the contract.
    pub channel: String,
    /// Value of `messaging_product` in sends and events.
    pub messaging_product: String,
    /// Value of `object` in envelopes.
    pub webhook_object: String,
    /// Common webhook. For webhooks of single numbers, see [`crate::Sandbox::set_number_webhook`].
    pub webhook: Option<Webhook>,
    pub profile: Profile,
    pub review: ReviewPolicy,
    pub review_delay: Duration,
    /// Time between two statuses of a message.
    pub status_delay: Duration,
    /// State file, for keeping the state across restarts. Uploaded files go into the folder `<file>.media` next to it.
    pub state_file: Option<PathBuf>,
    /// Whether the settings in the state file override the options given here. Otherwise the options apply at every
    /// start.
    pub stored_settings: bool,
    /// What the sandbox starts with, unless the state file has templates already. The accounts are added at every start.
    pub seed: Option<Seed>,
    /// Accepts undeclared WABAs and sending numbers, so that a client can be tried without preparation.
    pub adopt_unknown: bool,
}

impl Options {
    /// Options with the contract's defaults: channel `messaging`, automatic review, no webhook, no state file.
    #[must_use]
    pub fn new(token: SecretString, workspace: impl Into<String>) -> Self {
        Self {
            token,
            client_credentials: None,
            workspace: workspace.into(),
            additional_workspaces: Vec::new(),
            channel: "messaging".to_owned(),
            messaging_product: "messaging".to_owned(),
            webhook_object: "messaging_business_account".to_owned(),
            webhook: None,
            profile: Profile::default(),
            review: ReviewPolicy::Auto,
            review_delay: Duration::from_secs(3),
            status_delay: Duration::from_millis(800),
            state_file: None,
            stored_settings: false,
            seed: None,
            adopt_unknown: true,
        }
    }

    /// Sets the channel's name in the path and in both constants, as the channel's own API does.
    #[must_use]
    pub fn with_channel(mut self, channel: &str) -> Self {
        self.channel = channel.to_owned();
        self.messaging_product = channel.to_owned();
        self.webhook_object = format!("{channel}_business_account");
        self
    }
}

/// A webhook URL and its secret. Never written to the state file.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Absolute `http` or `https` address.
    pub url: String,
    /// Key of the HMAC in `X-Hub-Signature-256` (upstream §9.2).
    pub secret: SecretString,
}

impl Webhook {
    /// # Errors
    /// If `url` is not an absolute `http` or `https` address; the text completes a sentence about it.
    pub fn new(url: &str, secret: SecretString) -> Result<Self, &'static str> {
        match reqwest::Url::parse(url) {
            Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => Ok(Self { url: url.to_owned(), secret }),
            _ => Err("must be an absolute http or https address"),
        }
    }
}

/// Outcome of reviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewPolicy {
    /// Approves templates without error findings and rejects the others, with reason and recommendation.
    #[default]
    Auto,
    Approve,
    Reject,
    /// Rejects the next template regardless of its content, then continues as `auto`.
    RejectOnce,
    /// Keeps every template pending until a decision is posted.
    Manual,
}

impl std::str::FromStr for ReviewPolicy {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "auto" => Ok(Self::Auto),
            "approve" => Ok(Self::Approve),
            "reject" => Ok(Self::Reject),
            "reject_once" => Ok(Self::RejectOnce),
            "manual" => Ok(Self::Manual),
            other => Err(format!("`{other}` is no review policy; use auto, approve, reject, reject_once or manual")),
        }
    }
}

/// Settings that can be changed while the sandbox runs; the JSON of `GET` and `PUT /sandbox/settings`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    pub profile: Profile,
    pub minimal: Minimal,
    pub review: ReviewPolicy,
    /// Rejection reason of `reject` and `reject_once` (upstream §5.6); any text that is not empty.
    pub rejection_reason: String,
    /// Duration of a review in milliseconds.
    pub review_delay_ms: u64,
    /// Time between two statuses of a message in milliseconds.
    pub status_delay_ms: u64,
    /// Enforces the channel's quotas: an approved template may be edited once in 24 hours and 10 times in 30 days, and
    /// the name of a deleted approved template is blocked for 30 days (upstream §1.2, §5.3). Off by default.
    pub enforce_quotas: bool,
    /// Accepts undeclared WABAs and sending numbers.
    pub adopt_unknown: bool,
    /// Field for the error of a failed status. The contract says only that an error object is present (§6.3).
    pub error_form: ErrorForm,
    pub tap_form: TapForm,
    /// Marks delivered messages as read. If off, they are read only by `/sandbox/phones/{recipient}/read`.
    pub auto_read: bool,
    pub media_links: MediaLinks,
    /// Lifetime of the `url` of an inbound file in milliseconds; five minutes by default (upstream §4.2).
    pub media_url_ms: u64,
    pub throttle: Throttle,
    pub delivery: Delivery,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            minimal: Minimal::default(),
            review: ReviewPolicy::Auto,
            rejection_reason: INVALID_FORMAT.to_owned(),
            review_delay_ms: 3_000,
            status_delay_ms: 800,
            enforce_quotas: false,
            adopt_unknown: true,
            error_form: ErrorForm::Profile,
            tap_form: TapForm::Interactive,
            auto_read: true,
            media_links: MediaLinks::Both,
            media_url_ms: 5 * 60 * 1_000,
            throttle: Throttle::default(),
            delivery: Delivery::default(),
        }
    }
}

impl Settings {
    pub(crate) fn is_minimal(&self) -> bool {
        self.profile == Profile::Minimal
    }

    /// The response forms of the profile `minimal`; `None` under another profile.
    pub(crate) fn minimal_forms(&self) -> Option<Minimal> {
        self.is_minimal().then(|| self.minimal.clone())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorForm {
    /// Depends on the profile: `errors` in `whatsapp`, `error` in `minimal`.
    #[default]
    Profile,
    /// `errors: [{…}]`, as the channel does (upstream §8.3).
    Array,
    /// `error: {…}`.
    Object,
    /// `error: [{…}]`.
    ErrorArray,
}

/// Event form of a tapped quick reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TapForm {
    /// `type: button`, as the channel does for templates (upstream §8.2).
    Button,
    /// `type: interactive` with `button_reply`, as the contract shows (§6.4).
    #[default]
    Interactive,
}

/// Links in the media of inbound messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaLinks {
    /// `url` and the public `s3_url` (contract §6.2).
    #[default]
    Both,
    /// Only `url`, as the channel itself does.
    Url,
    /// Only `url`, already expired.
    Expired,
}

/// Rate limits of upstream §4.3, for each sending number and for each pair of number and recipient. Sends above a limit
/// are refused with 429, `Retry-After` and the channel's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Throttle {
    /// Whether the limits apply. Off by default.
    pub on: bool,
    /// Messages per second and number: 1–1000. Sends above the limit are refused with 130429.
    pub per_second: u32,
    /// Average milliseconds between two messages to one recipient: 1–3 600 000.
    pub pair_pause_ms: u64,
    /// Burst of messages to one recipient: 1–1000.
    pub pair_burst: u32,
}

impl Default for Throttle {
    fn default() -> Self {
        Self { on: false, per_second: 80, pair_pause_ms: 6_000, pair_burst: 45 }
    }
}

impl Throttle {
    /// The first invalid setting, as the path of the field and the requirement.
    pub(crate) fn flaw(&self) -> Option<(&'static str, &'static str)> {
        if !(1..=1000).contains(&self.per_second) {
            Some(("/throttle/per_second", "must be between 1 and 1000"))
        } else if !(1..=3_600_000).contains(&self.pair_pause_ms) {
            Some(("/throttle/pair_pause_ms", "must be between 1 and 3600000"))
        } else if !(1..=1000).contains(&self.pair_burst) {
            Some(("/throttle/pair_burst", "must be between 1 and 1000"))
        } else {
            None
        }
    }
}

/// Delivery of events. The defaults are those of a well-behaved sender.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Delivery {
    /// Holds back all events until the pause ends.
    pub paused: bool,
    /// Milliseconds between an event and its first delivery.
    pub delay_ms: u64,
    /// Additional POSTs of every body: 0–100.
    pub duplicates: u32,
    /// Collects events for `window_ms` and sends them in reverse order.
    pub reorder: bool,
    /// Maximum number of events per POST: 1–1000. Above 1, events are collected for `window_ms`.
    pub batch: usize,
    /// Collection window in milliseconds, when `reorder` or `batch` needs one.
    pub window_ms: u64,
    pub signature: Signature,
    /// Maximum number of POSTs in flight: 1–256. Above 1 the order of arrival is not guaranteed.
    pub concurrency: usize,
    /// Delay of the first retry in milliseconds; it doubles with each retry.
    pub first_retry_ms: u64,
    /// Maximum delay between two attempts, in milliseconds.
    pub longest_retry_ms: u64,
    /// Milliseconds after which an event is dropped; 36 hours by default (upstream §9.3).
    pub give_up_after_ms: u64,
    /// Timeout of the receiver's answer, in milliseconds.
    pub timeout_ms: u64,
}

impl Default for Delivery {
    fn default() -> Self {
        Self {
            paused: false,
            delay_ms: 0,
            duplicates: 0,
            reorder: false,
            batch: 1,
            window_ms: 250,
            signature: Signature::Right,
            concurrency: 4,
            first_retry_ms: 1_000,
            longest_retry_ms: 60 * 60 * 1_000,
            give_up_after_ms: 36 * 60 * 60 * 1_000,
            timeout_ms: 10_000,
        }
    }
}

impl Delivery {
    /// The first invalid setting, as the path of the field and the requirement.
    pub(crate) fn flaw(&self) -> Option<(&'static str, &'static str)> {
        if self.duplicates > 100 {
            Some(("/delivery/duplicates", "must be at most 100"))
        } else if !(1..=1000).contains(&self.batch) {
            Some(("/delivery/batch", "must be between 1 and 1000"))
        } else if !(1..=256).contains(&self.concurrency) {
            Some(("/delivery/concurrency", "must be between 1 and 256"))
        } else if self.timeout_ms == 0 {
            Some(("/delivery/timeout_ms", "must be at least 1"))
        } else {
            None
        }
    }

    /// How long events are collected before they are sent, in milliseconds.
    pub(crate) fn collecting_ms(&self) -> u64 {
        if self.reorder || self.batch > 1 { self.window_ms } else { 0 }
    }
}

/// Content of `X-Hub-Signature-256`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signature {
    /// The HMAC of the body with the secret.
    #[default]
    Right,
    /// The HMAC with another key.
    Wrong,
    /// No header.
    Missing,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use serde_json::json;

    use super::*;

    /// The state file contains the settings, so their JSON must stay compatible.
    #[test]
    fn the_stored_format_of_settings_is_unchanged() {
        let settings = Settings {
            profile: Profile::Minimal,
            review: ReviewPolicy::RejectOnce,
            error_form: ErrorForm::Profile,
            delivery: Delivery { signature: Signature::Missing, ..Delivery::default() },
            ..Settings::default()
        };
        let stored = json!({
            "profile": "minimal",
            "minimal": {
                "listing": "data",
                "archived": true,
                "category": true,
                "creation": "uuid",
                "message_id": true,
                "empty_answers": false,
            },
            "review": "reject_once",
            "rejection_reason": "INVALID_FORMAT",
            "review_delay_ms": 3_000,
            "status_delay_ms": 800,
            "enforce_quotas": false,
            "adopt_unknown": true,
            "error_form": "profile",
            "tap_form": "interactive",
            "auto_read": true,
            "media_links": "both",
            "media_url_ms": 300_000,
            "throttle": {"on": false, "per_second": 80, "pair_pause_ms": 6_000, "pair_burst": 45},
            "delivery": {
                "paused": false,
                "delay_ms": 0,
                "duplicates": 0,
                "reorder": false,
                "batch": 1,
                "window_ms": 250,
                "signature": "missing",
                "concurrency": 4,
                "first_retry_ms": 1_000,
                "longest_retry_ms": 3_600_000,
                "give_up_after_ms": 129_600_000,
                "timeout_ms": 10_000,
            },
        });
        assert_eq!(serde_json::to_string(&settings).unwrap(), stored.to_string());
        assert_eq!(serde_json::from_str::<Settings>(&stored.to_string()).unwrap(), settings);
        assert_eq!(serde_json::from_str::<Settings>("{}").unwrap(), Settings::default());
    }
}
