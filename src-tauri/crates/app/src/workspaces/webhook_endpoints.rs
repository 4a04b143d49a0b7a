//! Webhook endpoints: one for a workspace and one for each number with its own, and the health of each.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

use store::Desk;

use crate::context::lock;
use crate::context::secrets::{Owner, segment};
use crate::parts::{now, to_json};
use crate::workspaces::Workspaces;
use crate::workspaces::{SANDBOX_ID, webhook_path};
use api::error::Result;
use api::event::DeskEvent;
use api::receiver::EndpointRefusal;
use api::workspace::WorkspaceSettings;
use receiver::{Reason, RefusedDelivery};

/// Consecutive refusals within [`SPAN`] after which the person is notified.
const ROW: usize = 3;
/// In milliseconds.
const SPAN: i64 = 10 * 60 * 1_000;
/// Desk settings key of when each path last accepted a delivery.
const LAST_EVENTS: &str = "endpoints.last";
/// Interval at which that is stored: a crash loses at most this much.
const PAUSE: Duration = Duration::from_secs(60);

/// A webhook endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) workspace: String,
    /// The number it is for; absent for the workspace's own.
    pub(crate) number: Option<String>,
}

impl Place {
    /// Path of the receiver.
    pub(crate) fn path(&self) -> String {
        let path = webhook_path(&self.workspace);
        match &self.number {
            Some(number) => format!("{path}/{}", segment(number)),
            None => path,
        }
    }

    /// The owner of its secrets.
    pub(crate) fn owner(&self) -> Owner<'_> {
        Owner::new(&self.workspace, self.number.as_deref())
    }
}

/// The endpoints of a workspace: its own, then those of its numbers. Settings that cannot be read give no numbers.
pub(crate) fn places(row: &store::desk::Workspace) -> Vec<Place> {
    let settings: WorkspaceSettings = serde_json::from_str(&row.settings).unwrap_or_default();
    let mut places = vec![Place { workspace: row.id.clone(), number: None }];
    for number in settings.numbers.into_iter().filter(|number| number.own_webhook) {
        let place = Place { workspace: row.id.clone(), number: Some(number.id) };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The state of the endpoints, by path.
#[derive(Debug, Default)]
pub(crate) struct Endpoints(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    records: HashMap<String, Record>,
    places: HashMap<String, Place>,
    /// Whether a last delivery is not stored yet.
    unwritten: bool,
}

/// The deliveries of an endpoint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) last_event_at: Option<i64>,
    pub(crate) events: u64,
    pub(crate) refused: u64,
    pub(crate) last_refused: Option<EndpointRefusal>,
    /// When deliveries were refused since the last accepted one: the last [`ROW`] of them.
    pub(crate) row: VecDeque<i64>,
    /// Number of refusals since the last accepted delivery.
    in_a_row: u64,
    /// Whether the person was notified.
    told: bool,
}

impl Record {
    /// Records an accepted delivery. Returns whether the endpoint had been reported as failing.
    fn accept(&mut self, at: i64) -> bool {
        self.last_event_at = Some(at);
        self.events += 1;
        self.row.clear();
        self.in_a_row = 0;
        std::mem::take(&mut self.told)
    }

    /// Records a refused request. Returns the number of consecutive refused deliveries if the person should be notified
    /// now.
    fn refuse(&mut self, at: i64, reason: Reason, is_delivery: bool) -> Option<u64> {
        self.refused += 1;
        self.last_refused = Some(EndpointRefusal { at, reason });
        if !is_delivery {
            return None;
        }
        self.in_a_row += 1;
        self.row.push_back(at);
        if self.row.len() > ROW {
            self.row.pop_front();
        }
        let failing = self.row.len() == ROW && self.row.front().is_some_and(|first| at - first <= SPAN);
        let is_news = failing && !self.told;
        self.told |= failing;
        is_news.then_some(self.in_a_row)
    }
}

impl Endpoints {
    /// Loads the state that an earlier run stored.
    pub(crate) async fn new(desk: &Desk) -> Result<Self> {
        let written = desk.setting(LAST_EVENTS).await?;
        let last: BTreeMap<String, i64> = written.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
        let record = |(path, at)| (path, Record { last_event_at: Some(at), ..Record::default() });
        let records = last.into_iter().map(record).collect();
        Ok(Self(Mutex::new(Known { records, ..Known::default() })))
    }

    /// Sets the current endpoints, without the sandbox's. The state of other endpoints is removed.
    pub(crate) fn set(&self, places: Vec<Place>) {
        let mut known = lock(&self.0);
        let sandbox = Place { workspace: SANDBOX_ID.to_owned(), number: None };
        known.places = places.into_iter().chain([sandbox]).map(|place| (place.path(), place)).collect();
        let Known { records, places, .. } = &mut *known;
        records.retain(|path, _| places.contains_key(path));
    }

    /// Whether an endpoint of the workspace was reported as failing.
    pub(crate) fn is_failing(&self, workspace: &str) -> bool {
        let known = lock(&self.0);
        let failing = |(path, record): (&String, &Record)| {
            record.told && known.places.get(path).is_some_and(|place| place.workspace == workspace)
        };
        known.records.iter().any(failing)
    }

    pub(crate) fn record(&self, path: &str) -> Record {
        lock(&self.0).records.get(path).cloned().unwrap_or_default()
    }
}

impl Workspaces {
    /// Records a stored delivery.
    pub(crate) fn endpoint_accepted(&self, path: &str) {
        let recovered = {
            let mut known = lock(&self.0.endpoints.0);
            known.unwritten = true;
            known.records.entry(path.to_owned()).or_default().accept(now())
        };
        if recovered {
            self.0.context.emit(DeskEvent::WorkspacesChanged {});
        }
    }

    /// Records a refused request.
    pub(crate) fn endpoint_refused(&self, refused: &RefusedDelivery) {
        // A request to an unknown path is not a refusal of any endpoint.
        if refused.route.is_none() {
            return;
        }
        let reason = refused.reason;
        let from_elsewhere = matches!(reason, Reason::HostNotAllowed | Reason::BrowserOrigin);
        let told = {
            let mut known = lock(&self.0.endpoints.0);
            let Some(place) = known.places.get(&refused.path).cloned() else { return };
            let record = known.records.entry(refused.path.clone()).or_default();
            record.refuse(now(), reason, refused.method == "POST" && !from_elsewhere).map(|count| (place, count))
        };
        if let Some((Place { workspace, number }, refused)) = told {
            self.0.context.emit(DeskEvent::WebhooksFailing { workspace, number, refused, reason });
            self.0.context.emit(DeskEvent::WorkspacesChanged {});
        }
    }

    /// Stores periodically when each endpoint last accepted a delivery.
    pub(crate) fn keep_last_events(&self) {
        let this = self.clone();
        self.0.context.spawn(async move {
            let mut pauses = tokio::time::interval(PAUSE);
            loop {
                pauses.tick().await;
                this.write_last_events().await;
            }
        });
    }

    /// Stores when each endpoint last accepted a delivery, if that changed.
    pub(crate) async fn write_last_events(&self) {
        let last: BTreeMap<String, i64> = {
            let mut known = lock(&self.0.endpoints.0);
            if !std::mem::take(&mut known.unwritten) {
                return;
            }
            let at = |(path, record): (&String, &Record)| Some((path.clone(), record.last_event_at?));
            known.records.iter().filter_map(at).collect()
        };
        let written = async { Ok(self.0.context.desk.set_setting(LAST_EVENTS, to_json(&last)?).await?) };
        let written: Result<()> = written.await;
        if let Err(error) = written {
            tracing::warn!(%error, "when webhooks last came in cannot be written down");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_in_a_row_are_told_once_until_one_is_accepted() {
        let minute = 60_000;
        let mut record = Record::default();
        // Spread over more than ten minutes, or interrupted by handshakes, they are not consecutive refusals.
        for (at, told) in [(0, None), (6, None), (11, None), (14, Some(4)), (15, None), (40, None)] {
            assert_eq!(record.refuse(at * minute, Reason::SignatureMismatch, true), told, "{at}");
            assert_eq!(record.refuse(at * minute, Reason::VerifyTokenMismatch, false), None, "{at}");
        }
        assert_eq!((record.refused, record.in_a_row), (12, 6));
        assert!(record.accept(41 * minute));
        assert!(!record.accept(41 * minute));
        assert_eq!(
            [42, 43, 44].map(|at| record.refuse(at * minute, Reason::SignatureMissing, true)),
            [None, None, Some(3)]
        );
        assert_eq!(record.last_refused, Some(EndpointRefusal { at: 44 * minute, reason: Reason::SignatureMissing }));
    }

    #[test]
    fn numbers_have_paths_of_their_own() {
        let settings =
            r#"{"numbers": [{"id": "a/b c", "ownWebhook": true}, {"id": "1"}, {"id": "a/b c", "ownWebhook": true}]}"#;
        let row = |settings: &str| store::desk::Workspace {
            id: "w".to_owned(),
            position: 0,
            settings: settings.to_owned(),
            created_at: 0,
            updated_at: 0,
        };
        let paths: Vec<String> = places(&row(settings)).iter().map(Place::path).collect();
        assert_eq!(paths, ["/webhook/w", "/webhook/w/a%2Fb+c"]);
        assert_eq!(places(&row("?")), [Place { workspace: "w".to_owned(), number: None }]);
    }
}
