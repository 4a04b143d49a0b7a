//! What listings and webhooks say about single WABAs.

use super::*;

#[test]
fn a_status_in_one_waba_says_nothing_about_another() {
    let listed = |waba: Option<&str>, field: &str, after: &str| Observation {
        waba: waba.map(str::to_owned),
        ..observed(Some(4_000), 9_000, field, after)
    };
    let reported = sources::by_sync(
        &[
            listed(None, "status", "REJECTED"),
            listed(None, "rejected_reason", "SCAM"),
            listed(Some("1"), "status", "PENDING"),
            listed(Some("2"), "status", "REJECTED"),
        ],
        |_| None,
    );
    let said: Vec<_> = reported
        .iter()
        .map(|reported| {
            (reported.entry.wabas.concat(), reported.entry.after.as_deref(), reported.entry.reason.as_deref())
        })
        .collect();
    let expected = [("1".to_owned(), Some("PENDING"), None), ("2".to_owned(), Some("REJECTED"), Some("SCAM"))];
    assert_eq!(said, expected);
    assert_ne!(reported[0].entry.id, reported[1].entry.id);

    let of_first = TemplateEvent { waba: Some("1".to_owned()), ..webhook_event(5_000, "PENDING", json!({})) };
    let history = merged(sources::by_webhook(&of_first, |_| None), Vec::new(), reported);
    assert_eq!(shown(&history), ["webhook status PENDING 5000", "sync status REJECTED 9000"]);
}
