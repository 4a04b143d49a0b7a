//! A rejected delivery in the signature doctor. The input is headers as `name: value` lines, an empty line, the body.
//!
//! It must not panic, its work is bounded, and its output contains no secret.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use receiver::doctor::{Evidence, KnownSecret, examine};

/// Maximum number of signatures computed for one delivery; each costs a pass over the body.
const MAX_ATTEMPTS: u32 = 400;

static KNOWN: LazyLock<Vec<KnownSecret>> = LazyLock::new(|| {
    [
        ("current", None, "app-secret-demo"),
        ("previous", None, " previous-secret\n"),
        ("other", Some("shop"), "c2VjcmV0"),
    ]
    .map(|(name, route, secret)| KnownSecret {
        name: name.to_owned(),
        route: route.map(str::to_owned),
        secret: secret.into(),
    })
    .to_vec()
});

fuzz_target!(|data: &[u8]| {
    let mut headers = Vec::new();
    let mut rest = data;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 1..];
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
    }
    for whole in [true, false] {
        let examination = examine(Evidence { headers: &headers, body: rest, whole }, &KNOWN);
        assert!(examination.attempts <= MAX_ATTEMPTS, "{} attempts", examination.attempts);
        let said = format!("{:?}", examination.diagnosis);
        let given = String::from_utf8_lossy(data);
        for secret in ["app-secret-demo", "previous-secret"] {
            assert!(!said.contains(secret) || given.to_lowercase().contains(secret), "{said}");
        }
    }
});
