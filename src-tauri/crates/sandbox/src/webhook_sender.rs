//! Delivers webhook events: packs them into envelopes, signs the bytes, and retries until the receiver answers 200.
//!
//! Events and deliveries are part of the state, so a restart resumes them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant as Clock};

use ring::hmac;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::escape::to_ascii_json;
use crate::history::PAGE;
use crate::history_playback::deliveries;
use crate::http_client::describe;
use crate::runtime::{Runtime, changed_or_due};
use crate::settings::{Delivery as DeliverySettings, Signature};
use crate::state::{Attempt, Delivery, Event, Outcome, State};
use crate::time::{Instant, now};

/// Maximum number of stored attempts per delivery.
const MOST_ATTEMPTS: usize = 100;

/// Delivers until `stop`; deliveries in flight at that time are retried after the next start.
pub(crate) async fn run(runtime: Arc<Runtime>, stop: CancellationToken) {
    let mut versions = runtime.versions();
    loop {
        versions.mark_unchanged();
        let due = runtime.read(|state| next_due(&runtime, state));
        if due.is_some_and(|due| due <= now()) {
            for id in runtime.change(|state| start(&runtime, state)) {
                let runtime = Arc::clone(&runtime);
                let stop = stop.clone();
                tokio::spawn(async move {
                    tokio::select! {
                        () = attempt(&runtime, id) => {}
                        () = stop.cancelled() => {}
                    }
                });
            }
            continue;
        }
        tokio::select! {
            () = changed_or_due(&mut versions, due) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// When the next work is due; `None` if there is none or deliveries are paused.
fn next_due(runtime: &Runtime, state: &State) -> Option<Instant> {
    if state.settings.delivery.paused {
        return None;
    }
    [collected_at(state), state.next_delivery(), history_due(runtime, state)].into_iter().flatten().min()
}

/// When the next events of the history are packed: as soon as the last ones are answered, so that they arrive in order.
fn history_due(runtime: &Runtime, state: &State) -> Option<Instant> {
    let progress = state.history.as_ref().filter(|progress| !progress.done && progress.phones)?;
    let webhooks = runtime.webhooks();
    let has_webhook = webhooks.common.is_some() || !webhooks.numbers.is_empty();
    (has_webhook && progress.pending.is_empty() && runtime.history(state).is_some()).then(|| runtime.history_due())
}

/// Packs the next events of the history.
fn pack_history(runtime: &Runtime, state: &mut State, now: Instant) {
    let Some(history) = runtime.history(state) else { return };
    let Some(first) = state.history.as_ref().map(|progress| progress.next) else { return };
    let events = deliveries::changes(runtime, state, &history, first);
    let mut pending = Vec::new();
    for (number, events) in deliveries::addressed(runtime, state, events) {
        let id = state.next();
        state.add_delivery(Delivery {
            id,
            created_at: now,
            due: now,
            number,
            fields: events.iter().map(|event| event.field.clone()).collect(),
            body: to_ascii_json(&envelope(&runtime.webhook_object, &events, state.settings.is_minimal())),
            outcome: Outcome::Pending,
            tries: 0,
            attempts: Vec::new(),
        });
        pending.push(id);
    }
    if let Some(progress) = &mut state.history {
        progress.next = first.saturating_add(PAGE).min(history.len());
        progress.done = progress.next == history.len();
        progress.pending = pending;
    }
}

/// When the collected events may be packed: immediately, or when the window closes or a batch is full.
fn collected_at(state: &State) -> Option<Instant> {
    let settings = &state.settings.delivery;
    let first = state.outbox.front()?.due;
    let full = !settings.reorder && settings.batch > 1 && state.outbox.len() >= settings.batch;
    let window = if full { 0 } else { settings.collecting_ms() };
    Some(first.saturating_add(i64::try_from(window).unwrap_or(i64::MAX)))
}

/// Packs events and starts the due deliveries. Returns their numbers.
fn start(runtime: &Runtime, state: &mut State) -> Vec<u64> {
    let now = now();
    if collected_at(state).is_some_and(|at| at <= now) {
        let settings = state.settings.delivery.clone();
        pack(runtime, state, &settings, now);
    }
    if history_due(runtime, state).is_some_and(|at| at <= now) {
        pack_history(runtime, state, now);
    }
    state.start_deliveries(now)
}

fn pack(runtime: &Runtime, state: &mut State, settings: &DeliverySettings, now: Instant) {
    // While events are collected, all of them are packed together; otherwise each when it is due.
    let collecting = settings.collecting_ms() > 0;
    let outbox = std::mem::take(&mut state.outbox);
    let (mut events, rest): (VecDeque<Event>, VecDeque<Event>) =
        outbox.into_iter().partition(|event| collecting || event.due <= now);
    state.outbox = rest;
    if settings.reorder {
        events.make_contiguous().reverse();
    }
    while let Some(first) = events.pop_front() {
        let number = first.number.clone();
        let mut group = vec![first];
        let of_one_waba = number.is_none() && runtime.webhooks().common.is_none();
        let fits = |group: &[Event], event: &Event| {
            event.number == number && (!of_one_waba || group.iter().all(|first| first.entry == event.entry))
        };
        while group.len() < settings.batch && events.front().is_some_and(|event| fits(&group, event)) {
            group.extend(events.pop_front());
        }
        let outcome =
            if runtime.webhooks().of(number.as_deref()).is_some() { Outcome::Pending } else { Outcome::Unaddressed };
        let numbers = match group.first() {
            Some(event) if of_one_waba => runtime.webhooks().numbers_of(state, &event.entry),
            _ => Vec::new(),
        };
        let addressed: Vec<(Option<String>, Outcome)> = if numbers.is_empty() {
            vec![(number, outcome)]
        } else {
            numbers.into_iter().map(|number| (Some(number), Outcome::Pending)).collect()
        };
        let body = to_ascii_json(&envelope(&runtime.webhook_object, &group, state.settings.is_minimal()));
        for (number, outcome) in addressed {
            for _copy in 0..=settings.duplicates {
                let id = state.next();
                state.add_delivery(Delivery {
                    id,
                    created_at: now,
                    due: now,
                    number: number.clone(),
                    fields: group.iter().map(|event| event.field.clone()).collect(),
                    body: body.clone(),
                    outcome,
                    tries: 0,
                    attempts: Vec::new(),
                });
            }
        }
    }
}

/// The envelope of the contract §2.4. The channel adds `time` except for messages (upstream §8).
fn envelope(object: &str, events: &[Event], minimal: bool) -> Value {
    let mut entries: Vec<Value> = Vec::new();
    for event in events {
        let change = json!({ "field": event.field, "value": event.value });
        let time = (event.field != "messages" && !minimal).then(|| json!(event.at / 1000));
        if let Some(entry) = entries.last_mut()
            && entry["id"] == event.entry.as_str()
            && entry.get("time") == time.as_ref()
            && let Some(changes) = entry["changes"].as_array_mut()
        {
            changes.push(change);
            continue;
        }
        entries.push(match time {
            Some(time) => json!({ "id": event.entry, "time": time, "changes": [change] }),
            None => json!({ "id": event.entry, "changes": [change] }),
        });
    }
    json!({ "object": object, "entry": entries })
}

/// The value of `X-Hub-Signature-256` for these bytes.
pub(crate) fn signature(secret: &[u8], body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), body);
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

async fn attempt(runtime: &Runtime, id: u64) {
    let Some((body, number, settings)) = runtime.read(|state| {
        let delivery = state.deliveries.get(&id)?;
        Some((delivery.body.clone(), delivery.number.clone(), state.settings.delivery.clone()))
    }) else {
        return;
    };
    let webhook = runtime.webhooks().of(number.as_deref()).cloned();
    let Some(webhook) = webhook else {
        runtime.change(|state| state.settle_delivery(id, Outcome::Unaddressed));
        return;
    };
    let at = now();
    let clock = Clock::now();
    let answer = match reqwest::Url::parse(&webhook.url) {
        Err(error) => Err(format!("`{}` is no address: {error}", webhook.url)),
        Ok(url) => {
            let mut request = runtime
                .webhook_client(&url)
                .post(url)
                .timeout(Duration::from_millis(settings.timeout_ms))
                .header("Content-Type", "application/json");
            let secret = webhook.secret.expose_secret().as_bytes();
            match settings.signature {
                Signature::Right => request = request.header("X-Hub-Signature-256", signature(secret, body.as_bytes())),
                Signature::Wrong => {
                    let other = [secret, b" of somebody else"].concat();
                    request = request.header("X-Hub-Signature-256", signature(&other, body.as_bytes()));
                }
                Signature::Missing => {}
            }
            match request.body(body).send().await {
                Ok(response) => {
                    let status = response.status().as_u16();
                    // Read and discarded, so that the connection can be reused.
                    let _dropped = response.bytes().await;
                    Ok(status)
                }
                Err(error) => Err(describe(&error)),
            }
        }
    };
    let took_ms = u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX);
    runtime.change(|state| {
        let Some(delivery) = state.deliveries.get_mut(&id) else { return };
        delivery.tries += 1;
        let (status, error) = match answer {
            Ok(status) => (Some(status), None),
            Err(error) => (None, Some(error)),
        };
        if delivery.attempts.len() >= MOST_ATTEMPTS {
            delivery.attempts.remove(0);
        }
        delivery.attempts.push(Attempt { at, status, error, took_ms });
        if status == Some(200) {
            state.settle_delivery(id, Outcome::Delivered);
            return;
        }
        let doublings = delivery.tries.saturating_sub(1).min(40);
        let pause = settings.first_retry_ms.saturating_mul(1 << doublings).min(settings.longest_retry_ms);
        let due = now().saturating_add(i64::try_from(pause).unwrap_or(i64::MAX));
        let age = u64::try_from(due - delivery.created_at).unwrap_or(0);
        if age > settings.give_up_after_ms {
            state.settle_delivery(id, Outcome::Dropped);
        } else {
            state.retry_delivery(id, due);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::signature;

    /// The test vectors of upstream §9.2.
    #[test]
    fn signatures_match_the_channel() {
        let body = concat!(
            r#"{"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"field":"messages","value":"#,
            r#"{"text":"caf\u00e9 \ud83d\ude00 a\u0040b.c https:\/\/x"}}]}]}"#
        );
        assert_eq!(body.len(), 157);
        assert_eq!(
            signature(b"app-secret-demo", body.as_bytes()),
            "sha256=8d64216ae9aa9eaf56c7979497d967340577c6e0c6ed9f510f8f0ae65de3c266"
        );
        assert_eq!(
            signature(b"test-app-secret", br#"{"object":"whatsapp_business_account"}"#),
            "sha256=b6978b21c4467654c466607663db9b43fae44b71083568df403e0a077089208e"
        );
    }
}
