//! Tests of addresses and versions; requests are in the integration tests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

#[test]
fn only_encrypted_addresses_and_this_computer_are_accepted() {
    for address in ["https://example.com/desk.json", "http://127.0.0.1:8080/a", "http://localhost/a", "http://[::1]/a"]
    {
        checked_address(address).unwrap();
    }
    for address in [
        "",
        "example.com/desk.json",
        "http://example.com/desk.json",
        "http://localhost.example/desk.json",
        "https://ana:secret@example.com/desk.json",
        "file:///etc/passwd",
        "ftp://example.com/desk.json",
    ] {
        let refused = checked_address(address);
        assert!(matches!(refused, Err(DeskError::InvalidInput { field, .. }) if field == "address"), "{address}");
    }
}

#[test]
fn versions_are_compared_by_number() {
    let version = |text: &str| Version::parse(text).unwrap();
    assert!(version("0.10.0") > version("0.9.9"));
    assert!(version("1.0.0") > version("0.99.99"));
    assert_eq!(version("1.02.3"), version("1.2.3"));
    for text in ["", "1", "1.2", "1.2.3.4", "1.2.x", "1.2.", "+1.2.3", "1.2.3-rc1", "v1.2.3", "1.2.99999999999"] {
        assert_eq!(Version::parse(text), None, "{text}");
    }
}

/// As stored by the first version that has announcements.
#[test]
fn stored_json_stays_readable() {
    let json = r#"{"settings":{"enabled":true,"address":"https://example.com/desk.json","publicKey":"AAAA"},"newest":{"version":"1.4.0","url":"https://example.com/","notes":""},"checkedAt":1763600000000,"problem":{"kind":"downgrade","version":"1.0.0"}}"#;
    let stored = Stored {
        settings: UpdateSettings {
            enabled: true,
            address: "https://example.com/desk.json".to_owned(),
            public_key: "AAAA".to_owned(),
        },
        newest: Some(Announcement {
            version: "1.4.0".to_owned(),
            url: "https://example.com/".to_owned(),
            notes: String::new(),
        }),
        checked_at: Some(1_763_600_000_000),
        problem: Some(UpdateProblem::Downgrade { version: "1.0.0".to_owned() }),
    };
    assert_eq!(serde_json::to_string(&stored).unwrap(), json);
    assert_eq!(serde_json::from_str::<Stored>(json).unwrap(), stored);
    assert_eq!(serde_json::from_str::<Stored>("{}").unwrap(), Stored::default());
}
