//! Tests of addresses, versions, keys and stored JSON; requests are in the integration tests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::signature::signed_version;
use super::*;

/// Made by `tauri signer generate`.
const KEY: &str = "dW50cnVzdGVkIGNvbW1lbnQ6IG1pbmlzaWduIHB1YmxpYyBrZXk6IDk0NzVDN0YyMDY5OTkxODYKUldTR2taa0c4c2QxbENoNXZoUVRzZ21USGtHd1VRWDRXNVc4WnoyL25YVWhMWGgzek9ZeGVMaE8K";
/// Made by `tauri signer sign --app-version 99.0.0`.
const SIGNATURE: &str = "dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZSBmcm9tIHRhdXJpIHNlY3JldCBrZXkKUlVTR2taa0c4c2QxbEpuYUlBZDhFVkVXSStnNkJBR2R4bkdnQU9OeFk1NURZUnQremcxaklZUkJNektDRnlFQzdtSE8yZjczSEV4d2Z0ZFVZaFI0NGx1OFNRakJBYURZRUFnPQp0cnVzdGVkIGNvbW1lbnQ6IHRpbWVzdGFtcDoxNzk1ODk0NTA3CWZpbGU6bmV3LmJpbgl2ZXJzaW9uOjk5LjAuMAozZmlhc0NmS0Y0Nk1UUG4zT1RxZVVLUTYzbGNidndBcTlBb1NxY0ZrcmhFNFo0U1prOUF5bDE0dUZEZm1nUkNLMjVwU1AveFhFWUdHZ1NkN0JQcGRCQT09Cg==";

#[test]
fn only_encrypted_addresses_and_this_computer_are_accepted() {
    for address in
        ["https://example.com/latest.json", "http://127.0.0.1:8080/a", "http://localhost/a", "http://[::1]/a"]
    {
        checked_address(address).unwrap();
    }
    for address in [
        "",
        "example.com/latest.json",
        "http://example.com/latest.json",
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
    assert_eq!(version("v1.2.3"), version("1.2.3"), "as Tauri reads it");
    for text in ["", "1", "1.2", "1.2.3.4", "1.2.x", "1.2.", "+1.2.3", "1.2.3-rc1", "vv1.2.3", "1.2.99999999999"] {
        assert_eq!(Version::parse(text), None, "{text}");
    }
}

#[test]
fn a_key_is_read_as_tauri_and_as_minisign_write_it() {
    let key = PublicKey::parse(KEY).unwrap();
    let line = "RWSGkZkG8sd1lCh5vhQTsgmTHkGwUQX4W5W8Zz2/nXUhLXh3zOYxeLhO";
    for text in [
        line,
        "untrusted comment: minisign public key: 9475C7F206999186\nRWSGkZkG8sd1lCh5vhQTsgmTHkGwUQX4W5W8Zz2/nXUhLXh3zOYxeLhO\n",
        // Pasted into a field of one line.
        "untrusted comment: minisign public key: 9475C7F206999186 RWSGkZkG8sd1lCh5vhQTsgmTHkGwUQX4W5W8Zz2/nXUhLXh3zOYxeLhO",
        &key.for_tauri(),
    ] {
        assert_eq!(PublicKey::parse(text), Some(key), "{text}");
    }
    for text in ["", "RW", "c2hvcnQ=", &line[..52], "ünïcode", SIGNATURE] {
        assert_eq!(PublicKey::parse(text), None, "{text}");
    }
}

#[test]
fn the_version_that_tauri_signs_is_read() {
    let key = PublicKey::parse(KEY).unwrap();
    assert_eq!(signed_version(SIGNATURE, &key), Ok("99.0.0".to_owned()));
    for (at, _) in SIGNATURE.char_indices().step_by(7) {
        let changed = format!(
            "{}{}{}",
            &SIGNATURE[..at],
            if SIGNATURE[at..].starts_with('A') { 'B' } else { 'A' },
            &SIGNATURE[at + 1..]
        );
        if let Ok(version) = signed_version(&changed, &key) {
            // Only the first line is not signed, and the algorithm, which the verification of the file reads.
            assert_eq!(version, "99.0.0", "{changed}");
        }
    }
}

/// As stored by the first version that has announcements.
#[test]
fn stored_json_stays_readable() {
    let json = r#"{"settings":{"enabled":true,"address":"https://example.com/latest.json","publicKey":"AAAA"},"newest":{"version":"1.4.0","notes":"","page":null,"document":"{}"},"checkedAt":1763600000000,"problem":{"kind":"downgrade","version":"1.0.0"},"installing":"1.4.0"}"#;
    let announcement = Announcement { version: "1.4.0".to_owned(), notes: String::new(), page: None };
    let stored = Stored {
        settings: UpdateSettings {
            enabled: true,
            address: "https://example.com/latest.json".to_owned(),
            public_key: "AAAA".to_owned(),
        },
        newest: Some(Known { announcement, document: "{}".to_owned() }),
        checked_at: Some(1_763_600_000_000),
        problem: Some(UpdateProblem::Downgrade { version: "1.0.0".to_owned() }),
        installing: Some("1.4.0".to_owned()),
    };
    assert_eq!(serde_json::to_string(&stored).unwrap(), json);
    assert_eq!(serde_json::from_str::<Stored>(json).unwrap(), stored);
    assert_eq!(serde_json::from_str::<Stored>("{}").unwrap(), Stored::default());
}
