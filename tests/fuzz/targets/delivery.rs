//! Decodes the body of a webhook into items, and each item into types.
//!
//! It must not panic; nothing is invented, and repeated deliveries have the same identities.

#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use model::event::reading::read_message;
use model::item::items;

fuzz_target!(|body: &[u8]| {
    let found = items(body);
    let mut keys = HashSet::new();
    for item in &found {
        assert!(keys.insert(item.key.clone()), "one effect is two items: {}", item.key);
        let decoded = item.decode();
        assert_eq!(decoded, item.decode());
        // Content that is displayed and exported.
        let _shown = format!("{decoded:?}");
        let value: serde_json::Value = serde_json::from_str(item.value.get()).expect("an item's value is JSON");
        let reading = read_message(&value);
        assert!(reading.facts.iter().all(|fact| fact.link.as_ref().is_none_or(|link| link.starts_with("https://"))));
    }
    let again: Vec<_> = items(body).into_iter().map(|item| item.key).collect();
    assert_eq!(again, found.into_iter().map(|item| item.key).collect::<Vec<_>>());
});
