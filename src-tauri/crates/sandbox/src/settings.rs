//! What can be set: the options a sandbox is opened with, and the settings that can be changed while it runs.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::profile::{Minimal, Profile};

/// The reason of a rejection for its form (upstream §5.6), the only one that comes with words.
pub(crate) const INVALID_FORMAT: &str = "INVALID_FORMAT";

/// How a sandbox is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The access token that requests must carry.
    pub token: SecretString,
    /// A second kind of credentials: `x-client-id` and `x-client-secret` (contract §5).
    pub client_credentials: Option<(String, SecretString)>,
    /// UUID of the workspace.
    pub workspace: String,
    /// UUIDs of further workspaces that the token opens, each with templates of its own.
    pub additional_workspaces: Vec<String>,
    /// The channel's word in paths; `messaging` in the contract.
    pub channel: String,
    /// The constant that sends and events carry as `messaging_product`.
    pub messaging_product: String,
    /// The constant that envelopes carry as `object`.
    pub webhook_object: String,
    /// Where events go. Numbers may have their own, see [`crate::Sandbox::set_number_webhook`].
    pub webhook: Option<Webhook>,
    /// How much the provider says.
    pub profile: Profile,
    /// What becomes of templates in review.
    pub review: ReviewPolicy,
    /// How long a review takes.
    pub review_delay: Duration,
    /// How long a sent message takes from one status to the next.
    pub status_delay: Duration,
    /// Keeps the state over a restart. Uploaded files go into a folder beside it, named `<file>.media`.
    pub state_file: Option<PathBuf>,
    /// Lets the settings in the state file go before those given here, as they were changed while it ran. Without, what
    /// stands here is what holds after every start.
    pub stored_settings: bool,
    /// Starts with sample templates in every state, unless the state file already holds some.
    pub seed: bool,
    /// Accepts WABAs and sending numbers that nobody declared, so that a client can be tried without preparation.
    pub adopt_unknown: bool,
}

impl Options {
    /// Options with the contract's defaults: channel `messaging`, automatic review, no webhook, nothing kept.
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
            seed: false,
            adopt_unknown: true,
        }
    }

    /// Puts a channel's name into the path and into both constants, as the channel's own API writes them.
    #[must_use]
    pub fn with_channel(mut self, channel: &str) -> Self {
        self.channel = channel.to_owned();
        self.messaging_product = channel.to_owned();
        self.webhook_object = format!("{channel}_business_account");
        self
    }
}

/// Where events are posted to, and the secret they are signed with. Never written to the state file.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Absolute `http` or `https` address.
    pub url: String,
    /// Key of the HMAC in `X-Hub-Signature-256` (upstream §9.2).
    pub secret: SecretString,
}

impl Webhook {
    /// An address and its secret.
    ///
    /// # Errors
    /// When `url` is no absolute `http` or `https` address; the words complete a sentence about it.
    pub fn new(url: &str, secret: SecretString) -> Result<Self, &'static str> {
        match reqwest::Url::parse(url) {
            Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => Ok(Self { url: url.to_owned(), secret }),
            _ => Err("must be an absolute http or https address"),
        }
    }
}

/// What becomes of templates in review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewPolicy {
    /// Approves what has no error finding and rejects the rest, with reason and recommendation.
    #[default]
    Auto,
    /// Approves everything.
    Approve,
    /// Rejects everything.
    Reject,
    /// Rejects the next template whatever it says, and goes on as `auto`: to try what follows a rejection.
    RejectOnce,
    /// Leaves every template pending until a decision is posted.
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

/// What can be changed while the sandbox runs; the JSON of `GET` and `PUT /sandbox/settings`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How much the provider says.
    pub profile: Profile,
    /// The forms of the profile `minimal`.
    pub minimal: Minimal,
    /// What becomes of templates in review.
    pub review: ReviewPolicy,
    /// Why `reject` and `reject_once` reject (upstream §5.6); any word but an empty one.
    pub rejection_reason: String,
    /// Milliseconds a review takes.
    pub review_delay_ms: u64,
    /// Milliseconds a sent message takes from one status to the next.
    pub status_delay_ms: u64,
    /// Refuses what the channel counts: an approved template may be edited once in 24 hours and 10 times in 30 days,
    /// and the name of a deleted approved template is blocked for 30 days (upstream §1.2, §5.3). Off by default.
    pub enforce_quotas: bool,
    /// Accepts WABAs and sending numbers that nobody declared.
    pub adopt_unknown: bool,
    /// Where a failed status carries its error. The contract says only that an error object is present (§6.3).
    pub error_form: ErrorForm,
    /// How the tap on a quick reply comes back.
    pub tap_form: TapForm,
    /// Reads what was delivered. Off, a message is read only when somebody does it (`/sandbox/phones/{recipient}/read`).
    pub auto_read: bool,
    /// Which links the media of inbound messages carry.
    pub media_links: MediaLinks,
    /// Milliseconds for which the `url` of an inbound file downloads; five minutes by default (upstream §4.2).
    pub media_url_ms: u64,
    /// Refuses sends above the channel's limits.
    pub throttle: Throttle,
    /// How events are delivered.
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
    /// Whether answers and events hold only what the contract names.
    pub(crate) fn is_minimal(&self) -> bool {
        self.profile == Profile::Minimal
    }

    /// The forms of the profile `minimal`; `None` under another profile.
    pub(crate) fn minimal_forms(&self) -> Option<Minimal> {
        self.is_minimal().then(|| self.minimal.clone())
    }
}

/// Where a failed status carries its error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorForm {
    /// As the profile does: `errors` in `whatsapp`, `error` in `minimal`.
    #[default]
    Profile,
    /// `errors: [{…}]`, the channel's place (upstream §8.3).
    Array,
    /// `error: {…}`.
    Object,
    /// `error: [{…}]`.
    ErrorArray,
}

/// How the tap on a quick reply comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TapForm {
    /// `type: button`, as the channel does for templates (upstream §8.2).
    Button,
    /// `type: interactive` with `button_reply`, as the contract shows (§6.4).
    #[default]
    Interactive,
}

/// Which links the media of inbound messages carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaLinks {
    /// `url` and the public `s3_url` (contract §6.2).
    #[default]
    Both,
    /// `url` alone, as the channel itself does.
    Url,
    /// `url` alone, and it has expired already.
    Expired,
}

/// The limits of upstream §4.3: how fast a number may send, and how fast to one recipient. What comes faster is refused
/// with 429, `Retry-After` and the channel's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Throttle {
    /// Whether the limits hold. Off by default.
    pub on: bool,
    /// Messages that a number may send in a second (130429 beyond): 1–1000.
    pub per_second: u32,
    /// Milliseconds between two messages to one recipient, on average: 1–3 600 000.
    pub pair_pause_ms: u64,
    /// Messages to one recipient that may go at once, borrowed from the time to come: 1–1000.
    pub pair_burst: u32,
}

impl Default for Throttle {
    fn default() -> Self {
        Self { on: false, per_second: 80, pair_pause_ms: 6_000, pair_burst: 45 }
    }
}

impl Throttle {
    /// The first setting that makes no sense, as the path of the field and what it must be.
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

/// How events are delivered. The defaults are those of a well-behaved sender.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Delivery {
    /// Holds everything back; what happens meanwhile is delivered after the pause.
    pub paused: bool,
    /// Milliseconds between an event and its first delivery.
    pub delay_ms: u64,
    /// Further POSTs of every body, sent beside the first: 0–100.
    pub duplicates: u32,
    /// Collects events for `window_ms` and sends them in reverse order.
    pub reorder: bool,
    /// Most events in one POST: 1–1000. Above 1, events are collected for `window_ms`.
    pub batch: usize,
    /// Milliseconds for which events are collected when `reorder` or `batch` asks for it.
    pub window_ms: u64,
    /// What stands in `X-Hub-Signature-256`.
    pub signature: Signature,
    /// POSTs under way at once: 1–256. Above 1 the order of arrival is not certain.
    pub concurrency: usize,
    /// Milliseconds before the first retry; each further pause is twice as long.
    pub first_retry_ms: u64,
    /// Longest pause between two tries, in milliseconds.
    pub longest_retry_ms: u64,
    /// Milliseconds after which an event is given up; 36 hours by default (upstream §9.3).
    pub give_up_after_ms: u64,
    /// Milliseconds a receiver has to answer.
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
    /// The first setting that makes no sense, as the path of the field and what it must be.
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

    /// For how long events are collected before they go out.
    pub(crate) fn collecting_ms(&self) -> u64 {
        if self.reorder || self.batch > 1 { self.window_ms } else { 0 }
    }
}

/// What stands in `X-Hub-Signature-256`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signature {
    /// The HMAC of the body under the secret.
    #[default]
    Right,
    /// The HMAC under another key.
    Wrong,
    /// No header at all.
    Missing,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use serde_json::json;

    use super::*;

    /// The settings are in the state file.
    #[test]
    fn stored_settings_are_read_and_written_as_before() {
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
