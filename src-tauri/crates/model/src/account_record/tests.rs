//! States of a template in several accounts, from one record.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use serde_json::{Value, json};

use crate::template::TemplateRecord;

/// A record of a template in the accounts 102 and 110, with a list of their states.
fn record(accounts: &Value) -> TemplateRecord {
    serde_json::from_value(json!({
        "uuid": "8f14e45f", "name": "coupon_10", "language": "pt_BR", "category": "MARKETING",
        "status": "APPROVED", "quality_score": {"score": "GREEN"}, "rejected_reason": "NONE",
        "waba_ids": [102, 110], "accounts": accounts}))
    .unwrap()
}

/// Status and quality by account.
fn states(record: &TemplateRecord) -> Vec<(String, Option<String>, Option<String>)> {
    let states = record.account_records().into_iter().map(|account| {
        let status = account.status.as_ref().map(|status| status.as_str().to_owned());
        (account.waba_id.as_str().to_owned(), status, account.quality().map(str::to_owned))
    });
    states.collect()
}

fn of(waba: &str, status: Option<&str>, quality: Option<&str>) -> (String, Option<String>, Option<String>) {
    (waba.to_owned(), status.map(str::to_owned), quality.map(str::to_owned))
}

#[test]
fn the_least_usable_status_of_the_accounts_of_a_record_counts() {
    for (accounts, expected, decisive) in [
        (
            json!([
                {"waba_id": "102", "id": "9001", "status": "APPROVED", "quality_score": {"score": "GREEN"}},
                {"waba_id": "110", "id": "9002", "status": "PAUSED", "quality_score": {"score": "RED"}}]),
            vec![of("102", Some("APPROVED"), Some("GREEN")), of("110", Some("PAUSED"), Some("RED"))],
            ("PAUSED", None, "RED"),
        ),
        // Other names of the account, as numbers.
        (
            json!([{"account_id": 110, "status": "REJECTED", "rejected_reason": "SCAM"}]),
            vec![of("110", Some("REJECTED"), None)],
            ("REJECTED", Some("SCAM"), "GREEN"),
        ),
        (json!([{"id": 110, "status": "paused"}]), vec![of("110", Some("PAUSED"), None)], ("PAUSED", None, "GREEN")),
        // The record's status counts where none is stated.
        (
            json!([{"waba_id": 102, "status": "APPROVED"}, {"waba_id": 110}]),
            vec![of("102", Some("APPROVED"), None), of("110", None, None)],
            ("APPROVED", None, "GREEN"),
        ),
        // Twice the same account.
        (
            json!([{"waba_id": 102, "status": "PAUSED"}, {"waba_id": "102", "status": "APPROVED"}]),
            vec![of("102", Some("PAUSED"), None)],
            ("PAUSED", None, "GREEN"),
        ),
        (
            json!([{"waba_id": 102, "status": "APPROVED"}, {"waba_id": "102", "status": "PENDING"}]),
            vec![of("102", Some("PENDING"), None)],
            ("PENDING", None, "GREEN"),
        ),
    ] {
        let record = record(&accounts);
        assert_eq!(states(&record), expected, "{accounts}");
        let (status, reason) = record.decisive_status();
        assert_eq!(status.as_ref().map(|status| status.as_str()), Some(decisive.0), "{accounts}");
        assert_eq!(reason.as_deref().filter(|reason| *reason != "NONE"), decisive.1, "{accounts}");
        assert_eq!(record.quality().as_deref(), Some(decisive.2), "{accounts}");
        assert_eq!(record.wabas(), ["102", "110"], "{accounts}");
    }
}

#[test]
fn a_list_that_says_nothing_about_an_account_changes_nothing() {
    for accounts in [
        json!(null),
        json!([]),
        json!("PAUSED"),
        json!({}),
        json!({"110": {"status": "PAUSED"}}),
        json!([null, 7, "110", ["110"], {}]),
        json!([{"status": "PAUSED"}]),
        // The template's identifier in an account, and an account that the record does not name.
        json!([{"id": "9002", "status": "PAUSED"}, {"account_id": "999", "status": "PAUSED"}]),
        json!([{"waba_id": {"id": 110}, "status": "PAUSED"}, {"waba_id": " ", "status": "PAUSED"}]),
        json!([{"waba_id": 110, "status": ""}, {"waba_id": 102, "status": null}]),
        json!([{"waba_id": 110, "status": 3, "quality_score": 5, "rejected_reason": {}}, {"waba_id": 102, "status": ["PAUSED"]}]),
    ] {
        let record = record(&accounts);
        let (status, _) = record.decisive_status();
        assert_eq!(status.as_ref().map(|status| status.as_str()), Some("APPROVED"), "{accounts}");
        assert_eq!(record.quality().as_deref(), Some("GREEN"), "{accounts}");
        assert_eq!(record.wabas(), ["102", "110"], "{accounts}");
        assert!(states(&record).iter().all(|(_, status, _)| status.is_none()), "{accounts}");
    }
}

#[test]
fn the_status_of_the_record_counts_for_an_account_that_its_list_leaves_out() {
    let paused =
        TemplateRecord { status: Some("PAUSED".into()), ..record(&json!([{"waba_id": 102, "status": "APPROVED"}])) };
    assert_eq!(paused.decisive_status().0.as_ref().map(|status| status.as_str()), Some("PAUSED"));
    let stated = TemplateRecord {
        status: Some("PAUSED".into()),
        ..record(&json!([{"waba_id": 102, "status": "APPROVED"}, {"waba_id": 110, "status": "APPROVED"}]))
    };
    assert_eq!(stated.decisive_status().0.as_ref().map(|status| status.as_str()), Some("APPROVED"));
}

/// What costs more is never shown as what costs less.
#[test]
fn the_category_in_which_messages_cost_most_counts() {
    for (own, accounts, expected) in [
        (json!("UTILITY"), json!([]), ("utility", None)),
        (
            json!("UTILITY"),
            json!([{"waba_id": 102, "category": "UTILITY"},
                   {"waba_id": 110, "category": "marketing", "previous_category": "UTILITY"}]),
            ("marketing", Some("utility")),
        ),
        (json!("MARKETING"), json!([{"waba_id": 102, "category": "UTILITY"}]), ("marketing", None)),
        (
            json!(null),
            json!([{"waba_id": 102, "category": "UTILITY"}, {"waba_id": 110, "category": "MARKETING"}]),
            ("marketing", None),
        ),
        (json!("UTILITY"), json!([{"waba_id": 102, "category": "SERVICE_PLUS"}]), ("utility", None)),
        // Twice the same account.
        (
            json!("UTILITY"),
            json!([{"waba_id": 102, "category": "MARKETING"}, {"waba_id": 102, "category": "UTILITY"}]),
            ("marketing", None),
        ),
    ] {
        let mut json = serde_json::to_value(record(&accounts)).unwrap();
        json["category"] = own;
        let record: TemplateRecord = serde_json::from_value(json).unwrap();
        let (category, before) = record.decisive_category();
        assert_eq!((category.as_str(), before.as_deref()), expected, "{accounts}");
    }
}
