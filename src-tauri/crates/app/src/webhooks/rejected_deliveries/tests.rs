//! Which rejected deliveries are kept, for how long, and what is logged about them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io;

use bytes::Bytes;
use receiver::doctor::Change;
use ring::hmac;

use super::*;
use crate::webhooks::endpoint::Reason;

const SECRET: &str = "s3cr3t-of-shop";

fn signature(secret: &str, body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body);
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={digits}")
}

fn secrets(generation: u64, known: &[(&str, &str)]) -> DiagnosisSecrets {
    let known = known.iter().map(|(workspace, secret)| {
        let (name, route) = ("current".to_owned(), Some((*workspace).to_owned()));
        (format!("/webhook/{workspace}"), KnownSecret { name, route, secret: (*secret).into() })
    });
    DiagnosisSecrets { generation, known: known.collect() }
}

fn refused(reason: Reason, body: impl Into<Bytes>, value: &str) -> endpoint::RefusedDelivery {
    let body = body.into();
    endpoint::RefusedDelivery {
        reason,
        route: Some("shop".to_owned()),
        refused_at: SystemTime::UNIX_EPOCH + std::time::Duration::from_millis(1_750_000_000_123),
        peer: "192.0.2.1:4321".parse().unwrap(),
        method: "POST".to_owned(),
        path: "/webhook/shop".to_owned(),
        host: Some("hooks.example.org".to_owned()),
        headers: vec![("x-hub-signature-256".to_owned(), value.to_owned())],
        body_bytes: body.len(),
        body,
        whole: true,
    }
}

#[test]
fn a_rejected_delivery_is_shown_with_its_diagnosis() {
    let rejected = RejectedDeliveries::default();
    let line = b"{\"a\":1}\n";
    rejected.take(refused(Reason::SignatureMismatch, &line[..], &signature(SECRET, b"{\"a\":1}")));
    let secrets = secrets(0, &[("other", "x"), ("shop", SECRET)]);
    let row = rejected.list(&secrets).remove(0);
    let changed = Diagnosis::BodyChanged { change: Change::NewlineAdded, secret: "current".to_owned() };
    assert_eq!(row.diagnosis, changed);
    assert_eq!((row.at, row.status, row.reason.as_str(), row.size), (1_750_000_000_123, 401, "mismatch", 8));
    assert_eq!((row.workspace.as_deref(), row.excerpt.as_str()), (Some("shop"), "{\"a\":1}\n"));
    let detail = rejected.get(&row.id, &secrets).unwrap();
    assert_eq!((detail.body.as_str(), detail.body_base64.as_str(), detail.kept), ("{\"a\":1}\n", "eyJhIjoxfQo=", 8));
    assert_eq!((detail.method.as_str(), detail.host.as_deref()), ("POST", Some("hooks.example.org")));
    assert_eq!((detail.peer.as_str(), detail.headers.len()), ("192.0.2.1:4321", 1));
    assert_eq!(detail.row.diagnosis, changed);
    assert!(["0", "2", "-1", "x", ""].iter().all(|id| rejected.get(id, &secrets).is_none()));
    // The view contains no secret, in any output format.
    let printed = format!("{detail:?}{}{secrets:?}", serde_json::to_string(&detail).unwrap());
    assert!(!printed.contains(SECRET), "{printed}");
}

/// After the secrets are corrected, the diagnosis is updated.
#[test]
fn the_diagnosis_is_repeated_when_secrets_change() {
    let rejected = RejectedDeliveries::default();
    rejected.take(refused(Reason::SignatureMismatch, &b"{}"[..], &signature(SECRET, b"{}")));
    let diagnosis = |generation, known: &[(&str, &str)]| rejected.list(&secrets(generation, known)).remove(0).diagnosis;
    assert!(matches!(diagnosis(0, &[("shop", "wrong")]), Diagnosis::OtherSecret { .. }));
    let elsewhere = Diagnosis::OtherRoute { route: "bakery".to_owned(), secret: "current".to_owned() };
    assert_eq!(diagnosis(1, &[("shop", "wrong"), ("bakery", SECRET)]), elsewhere);
    assert_eq!(diagnosis(2, &[]), Diagnosis::NoSecret {});
    assert_eq!(diagnosis(3, &[("shop", SECRET)]), Diagnosis::Valid { by: "current".to_owned() });
    // It is diagnosed once per generation.
    assert_eq!(diagnosis(3, &[]), Diagnosis::Valid { by: "current".to_owned() });
}

#[test]
fn only_signature_failures_are_diagnosed() {
    let rejected = RejectedDeliveries::default();
    for reason in [Reason::Busy, Reason::Storage, Reason::BodyTooLarge, Reason::BrowserOrigin, Reason::UnknownPath] {
        rejected.take(refused(reason, &b"{}"[..], &signature(SECRET, b"{}")));
    }
    let rows = rejected.list(&secrets(0, &[("shop", SECRET)]));
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| row.diagnosis == Diagnosis::Plain {}), "{rows:?}");
}

#[test]
fn the_last_200_are_listed_newest_first() {
    let rejected = RejectedDeliveries::default();
    for number in 0..250 {
        rejected.take(refused(Reason::SignatureMissing, number.to_string(), ""));
    }
    let rows = rejected.list(&secrets(0, &[]));
    let bodies: Vec<_> = rows.iter().map(|row| row.excerpt.clone()).collect();
    let expected: Vec<_> = (50..250).rev().map(|number| number.to_string()).collect();
    assert_eq!(bodies, expected);
    assert_eq!(rows[0].id, "250");
}

/// Large bodies displace older bodies, but neither older entries nor their diagnoses.
#[test]
fn the_total_size_of_bodies_is_bounded() {
    const LARGE: usize = 256 * 1024;
    let rejected = RejectedDeliveries::default();
    let known = secrets(0, &[("shop", SECRET)]);
    let push = |place: u8| {
        let body = vec![place; LARGE];
        let value = signature(SECRET, &body);
        rejected.take(refused(Reason::SignatureMismatch, body, &value));
    };
    push(0);
    let valid = Diagnosis::Valid { by: "current".to_owned() };
    assert_eq!(rejected.list(&known)[0].diagnosis, valid);
    for place in 1..70 {
        push(place);
    }
    let kept: Vec<_> =
        (1..=70).map(|id| rejected.get(&id.to_string(), &known).unwrap()).map(|d| (d.kept, d.row.diagnosis)).collect();
    assert_eq!(kept.iter().map(|(bytes, _)| *bytes).sum::<u64>(), MAX_BODY_BYTES as u64);
    assert_eq!(kept[0], (0, valid.clone()));
    assert!(kept[1..6].iter().all(|kept| *kept == (0, Diagnosis::BodyNotKept {})));
    assert!(kept[6..].iter().all(|kept| *kept == (LARGE as u64, valid.clone())));
    // Evicted entries free their memory.
    for _ in 0..MAX_DELIVERIES {
        rejected.take(refused(Reason::SignatureMissing, Bytes::new(), ""));
    }
    assert_eq!(rejected.lock().body_bytes, 0);
}

/// Collects log output.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_log_holds_neither_headers_nor_body() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(subscriber, || {
        let rejected = RejectedDeliveries::default();
        let mut refused = refused(Reason::SignatureMismatch, &b"b0dy"[..], "sha256=h3ader");
        refused.path = "/webhook/a\nforged line".to_owned();
        rejected.take(refused);
        let known = secrets(0, &[("shop", SECRET)]);
        rejected.list(&known);
        rejected.get("1", &known).unwrap();
    });
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("a delivery was refused") && log.contains("mismatch"), "{log}");
    for kept_out in ["b0dy", "h3ader", "hooks.example.org", SECRET, "\nforged"] {
        assert!(!log.contains(kept_out), "{log}");
    }
}

#[test]
fn the_log_has_one_line_per_reason_and_interval() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(subscriber, || {
        let rejected = RejectedDeliveries::default();
        let mut long = refused(Reason::SignatureMissing, Bytes::new(), "");
        long.path = format!("/{}", "p".repeat(500));
        assert!(rejected.take(long.clone()), "the first one is logged at once");
        for _ in 0..2_000 {
            assert!(!rejected.take(long.clone()));
        }
        assert!(rejected.take(refused(Reason::SignatureMismatch, Bytes::new(), "")), "another reason");
        assert!(rejected.summarise(Reason::SignatureMissing));
        assert!(!rejected.summarise(Reason::SignatureMissing), "none since");
        assert!(rejected.take(long), "the first one again");
    });
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_eq!(
        (log.lines().count(), log.contains("count=2000"), log.contains(&"p".repeat(101))),
        (4, true, false),
        "{log}"
    );
}
