//! Webhook endpoints: one for a workspace and one for each number with its own, and the health of each.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::Desk;

use crate::context::lock;
use crate::context::secrets::{Owner, segment};
use crate::workspaces::Workspaces;
use crate::workspaces::secret_use::SecretUse;
use crate::workspaces::{SANDBOX_ID, webhook_path};
use command_types::error::Result;
use command_types::event::DeskEvent;
use command_types::receiver::EndpointRefusal;
use command_types::workspace::WorkspaceSettings;
use outgoing::{now, to_json};
use receiver::{Reason, RefusedDelivery};

/// Consecutive refusals within [`REFUSAL_WINDOW`] after which the person is notified.
const REFUSALS_BEFORE_NOTICE: usize = 3;
/// In milliseconds.
const REFUSAL_WINDOW: i64 = 10 * 60 * 1_000;
/// Desk settings key of when each path last accepted a delivery, and which secret signed it.
const LAST_EVENTS_KEY: &str = "endpoints.last";
/// Interval at which that is stored: a crash loses at most this much.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndpointKey {
    pub(crate) workspace: String,
    /// The number it is for; absent for the workspace's own.
    pub(crate) number: Option<String>,
}

impl EndpointKey {
    /// Path of the receiver.
    pub(crate) fn path(&self) -> String {
        let path = webhook_path(&self.workspace);
        match &self.number {
            Some(number) => format!("{path}/{}", segment(number)),
            None => path,
        }
    }

    pub(crate) fn owner(&self) -> Owner<'_> {
        Owner::new(&self.workspace, self.number.as_deref())
    }
}

impl From<Owner<'_>> for EndpointKey {
    fn from(owner: Owner<'_>) -> Self {
        Self { workspace: owner.workspace.to_owned(), number: owner.number.map(str::to_owned) }
    }
}

/// The endpoints of a workspace: its own, then those of its numbers. Settings that cannot be read give no numbers.
pub(crate) fn endpoint_keys(recent_refusals: &store::desk::Workspace) -> Vec<EndpointKey> {
    let settings: WorkspaceSettings = serde_json::from_str(&recent_refusals.settings).unwrap_or_default();
    let mut endpoint_keys = vec![EndpointKey { workspace: recent_refusals.id.clone(), number: None }];
    for number in settings.numbers.into_iter().filter(|number| number.own_webhook) {
        let endpoint = EndpointKey { workspace: recent_refusals.id.clone(), number: Some(number.id) };
        if !endpoint_keys.contains(&endpoint) {
            endpoint_keys.push(endpoint);
        }
    }
    endpoint_keys
}

/// The state of the endpoints, by path.
#[derive(Debug, Default)]
pub(crate) struct Endpoints(Mutex<EndpointStates>);

#[derive(Debug, Default)]
struct EndpointStates {
    records: HashMap<String, EndpointRecord>,
    endpoint_keys: HashMap<String, EndpointKey>,
    /// Test events in flight, by path: they are signed with the stored secret and say nothing about the provider's.
    tests: HashMap<String, u32>,
    /// Whether a last delivery is not stored yet.
    unsaved: bool,
}

/// The deliveries of an endpoint.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndpointRecord {
    pub(crate) last_event_at: Option<i64>,
    pub(crate) secrets: SecretUse,
    /// Changes with the secrets.
    pub(crate) generation: u64,
    pub(crate) events: u64,
    pub(crate) refused: u64,
    pub(crate) last_refused: Option<EndpointRefusal>,
    /// When deliveries were refused since the last accepted one: the last [`REFUSALS_BEFORE_NOTICE`] of them.
    pub(crate) recent_refusals: VecDeque<i64>,
    /// Number of refusals since the last accepted delivery.
    consecutive_refusals: u64,
    notified: bool,
}

/// What is stored of an [`EndpointRecord`] between starts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SavedRecord {
    last_event_at: Option<i64>,
    secrets: SecretUse,
}

impl EndpointRecord {
    /// Whether the person was notified of rejected deliveries, and none was accepted since.
    pub(super) fn is_failing(&self) -> bool {
        self.notified
    }

    /// Records an accepted delivery. Returns whether the endpoint had been reported as failing.
    fn accept(&mut self, at: i64, signed_by: usize, generation: u64) -> bool {
        self.last_event_at = Some(at);
        // Otherwise the secrets were changed meanwhile, and the index would be that of another one.
        if generation == self.generation {
            self.secrets.record(signed_by, at);
        }
        self.events += 1;
        self.recent_refusals.clear();
        self.consecutive_refusals = 0;
        std::mem::take(&mut self.notified)
    }

    /// Records a refused request. Returns the number of consecutive refused deliveries if the person should be notified
    /// now.
    fn refuse(&mut self, at: i64, reason: Reason, is_delivery: bool) -> Option<u64> {
        self.refused += 1;
        self.last_refused = Some(EndpointRefusal { at, reason });
        if !is_delivery {
            return None;
        }
        self.consecutive_refusals += 1;
        self.recent_refusals.push_back(at);
        if self.recent_refusals.len() > REFUSALS_BEFORE_NOTICE {
            self.recent_refusals.pop_front();
        }
        let failing = self.recent_refusals.len() == REFUSALS_BEFORE_NOTICE
            && self.recent_refusals.front().is_some_and(|first| at - first <= REFUSAL_WINDOW);
        let is_first_notice = failing && !self.notified;
        self.notified |= failing;
        is_first_notice.then_some(self.consecutive_refusals)
    }
}

impl Endpoints {
    /// Loads the state that an earlier run stored.
    pub(crate) async fn new(desk: &Desk) -> Result<Self> {
        let saved = desk.setting(LAST_EVENTS_KEY).await?;
        let last: BTreeMap<String, SavedRecord> =
            saved.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
        let record = |(path, SavedRecord { last_event_at, secrets })| {
            (path, EndpointRecord { last_event_at, secrets, ..EndpointRecord::default() })
        };
        let records = last.into_iter().map(record).collect();
        Ok(Self(Mutex::new(EndpointStates { records, ..EndpointStates::default() })))
    }

    /// Sets the current endpoints, without the sandbox's. The state of other endpoints is removed.
    pub(crate) fn set(&self, endpoint_keys: Vec<EndpointKey>) {
        let mut states = lock(&self.0);
        let sandbox = EndpointKey { workspace: SANDBOX_ID.to_owned(), number: None };
        states.endpoint_keys =
            endpoint_keys.into_iter().chain([sandbox]).map(|endpoint| (endpoint.path(), endpoint)).collect();
        let EndpointStates { records, endpoint_keys, .. } = &mut *states;
        records.retain(|path, _| endpoint_keys.contains_key(path));
    }

    /// Whether an endpoint of the workspace was reported as failing.
    pub(crate) fn is_failing(&self, workspace: &str) -> bool {
        self.records_of(workspace).iter().any(EndpointRecord::is_failing)
    }

    /// The records of a workspace's endpoints.
    pub(super) fn records_of(&self, workspace: &str) -> Vec<EndpointRecord> {
        let states = lock(&self.0);
        let is_own = |path: &String| states.endpoint_keys.get(path).is_some_and(|key| key.workspace == workspace);
        states.records.iter().filter(|(path, _)| is_own(path)).map(|(_, record)| record.clone()).collect()
    }

    pub(crate) fn record(&self, path: &str) -> EndpointRecord {
        lock(&self.0).records.get(path).cloned().unwrap_or_default()
    }
}

impl EndpointStates {
    /// Ends a test event of a path; `false` if there is none.
    fn end_test(&mut self, path: &str) -> bool {
        let Some(count) = self.tests.get_mut(path) else { return false };
        *count -= 1;
        if *count == 0 {
            self.tests.remove(path);
        }
        true
    }
}

impl Workspaces {
    /// The next accepted delivery of the path is a test event. Of one that comes from elsewhere at the same moment, one
    /// of both counts.
    pub(crate) fn expect_test_event(&self, path: &str) {
        *lock(&self.0.endpoints.0).tests.entry(path.to_owned()).or_default() += 1;
    }

    /// The test event was not accepted.
    pub(crate) fn test_event_failed(&self, path: &str) {
        lock(&self.0.endpoints.0).end_test(path);
    }

    pub(crate) fn endpoint_accepted(&self, path: &str, signed_by: usize, generation: u64) {
        let (workspace, was_rejecting, recovered) = {
            let mut states = lock(&self.0.endpoints.0);
            if states.end_test(path) {
                states.records.entry(path.to_owned()).or_default().events += 1;
                return;
            }
            states.unsaved = true;
            let workspace = states.endpoint_keys.get(path).map(|endpoint| endpoint.workspace.clone());
            let record = states.records.entry(path.to_owned()).or_default();
            let was_rejecting = !record.recent_refusals.is_empty();
            (workspace, was_rejecting, record.accept(now(), signed_by, generation))
        };
        if let Some(workspace) = workspace {
            self.delivery_seen(&workspace, was_rejecting);
        }
        if recovered {
            self.0.context.emit(DeskEvent::WorkspacesChanged {});
        }
    }

    pub(crate) fn endpoint_refused(&self, refused: &RefusedDelivery) {
        // A request to an unknown path is not a refusal of any endpoint.
        if refused.route.is_none() {
            return;
        }
        let reason = refused.reason;
        let from_elsewhere = matches!(reason, Reason::HostNotAllowed | Reason::BrowserOrigin);
        let is_delivery = refused.method == "POST" && !from_elsewhere;
        let (workspace, notified) = {
            let mut states = lock(&self.0.endpoints.0);
            let Some(endpoint) = states.endpoint_keys.get(&refused.path).cloned() else { return };
            let record = states.records.entry(refused.path.clone()).or_default();
            let count = record.refuse(now(), reason, is_delivery);
            (endpoint.workspace.clone(), count.map(|count| (endpoint, count)))
        };
        if is_delivery {
            self.delivery_seen(&workspace, true);
        }
        if let Some((EndpointKey { workspace, number }, refused)) = notified {
            self.0.context.emit(DeskEvent::WebhooksFailing { workspace, number, refused, reason });
            self.0.context.emit(DeskEvent::WorkspacesChanged {});
        }
    }

    /// Changes what is known about the use of an endpoint's secrets.
    pub(super) fn change_secret_use(&self, endpoint: &EndpointKey, change: impl FnOnce(&mut SecretUse)) {
        let mut states = lock(&self.0.endpoints.0);
        states.unsaved = true;
        change(&mut states.records.entry(endpoint.path()).or_default().secrets);
    }

    /// As [`Workspaces::change_secret_use`], after the secrets themselves were changed: deliveries that were verified
    /// with those before do not count any more.
    pub(super) fn secrets_replaced(&self, endpoint: &EndpointKey, change: impl FnOnce(&mut SecretUse)) {
        let mut states = lock(&self.0.endpoints.0);
        states.unsaved = true;
        let record = states.records.entry(endpoint.path()).or_default();
        record.generation += 1;
        change(&mut record.secrets);
    }

    /// Stores periodically when each endpoint last accepted a delivery.
    pub(crate) fn start_saving_last_events(&self) {
        let this = self.clone();
        self.0.context.spawn(async move {
            let mut interval = tokio::time::interval(SAVE_INTERVAL);
            loop {
                interval.tick().await;
                this.save_last_events().await;
            }
        });
    }

    /// Stores when each endpoint last accepted a delivery, if that changed.
    pub(crate) async fn save_last_events(&self) {
        let last: BTreeMap<String, SavedRecord> = {
            let mut states = lock(&self.0.endpoints.0);
            if !std::mem::take(&mut states.unsaved) {
                return;
            }
            let saved = |(path, record): (&String, &EndpointRecord)| {
                let EndpointRecord { last_event_at, secrets, .. } = record.clone();
                (path.clone(), SavedRecord { last_event_at, secrets })
            };
            states.records.iter().map(saved).collect()
        };
        let saved = async { Ok(self.0.context.desk.set_setting(LAST_EVENTS_KEY, to_json(&last)?).await?) };
        let saved: Result<()> = saved.await;
        if let Err(error) = saved {
            tracing::warn!(%error, "the times of the last webhooks could not be stored");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_refusals_notify_once_until_a_delivery_is_accepted() {
        let minute = 60_000;
        let mut record = EndpointRecord::default();
        // Spread over more than ten minutes, or interrupted by handshakes, they are not consecutive refusals.
        for (at, notified) in [(0, None), (6, None), (11, None), (14, Some(4)), (15, None), (40, None)] {
            assert_eq!(record.refuse(at * minute, Reason::SignatureMismatch, true), notified, "{at}");
            assert_eq!(record.refuse(at * minute, Reason::VerifyTokenMismatch, false), None, "{at}");
        }
        assert_eq!((record.refused, record.consecutive_refusals), (12, 6));
        assert!(record.accept(41 * minute, 0, 0));
        assert!(!record.accept(41 * minute, 0, 0));
        assert_eq!(
            [42, 43, 44].map(|at| record.refuse(at * minute, Reason::SignatureMissing, true)),
            [None, None, Some(3)]
        );
        assert_eq!(record.last_refused, Some(EndpointRefusal { at: 44 * minute, reason: Reason::SignatureMissing }));
    }

    #[test]
    fn each_number_with_its_own_webhook_has_its_own_path() {
        let settings =
            r#"{"numbers": [{"id": "a/b c", "ownWebhook": true}, {"id": "1"}, {"id": "a/b c", "ownWebhook": true}]}"#;
        let recent_refusals = |settings: &str| store::desk::Workspace {
            id: "w".to_owned(),
            position: 0,
            settings: settings.to_owned(),
            created_at: 0,
            updated_at: 0,
        };
        let paths: Vec<String> = endpoint_keys(&recent_refusals(settings)).iter().map(EndpointKey::path).collect();
        assert_eq!(paths, ["/webhook/w", "/webhook/w/a%2Fb+c"]);
        assert_eq!(endpoint_keys(&recent_refusals("?")), [EndpointKey { workspace: "w".to_owned(), number: None }]);
    }
}
