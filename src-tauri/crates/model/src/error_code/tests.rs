//! Every code of the channel has an entry, and the provider's own statements take precedence.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use super::*;

#[test]
fn codes_are_found() {
    assert!(CODES.iter().all(|(_, codes)| codes.is_sorted()));
    for (code, retry) in [
        (0, Some(Retry::No)),
        (1, Some(Retry::Yes)),
        (131_049, Some(Retry::Later)),
        (131_053, Some(Retry::No)),
        (2_388_039, Some(Retry::Later)),
        (299, Some(Retry::No)),
        (300, None),
        (-1, None),
        (9_999_999, None),
    ] {
        assert_eq!(find(code).map(|known| known.retry), retry, "{code}");
    }
}

#[test]
fn failures_are_explained() {
    for (failure, code, known, retry, words) in [
        (serde_json::json!({"code": 131_053, "retryable": false}), "131053", true, Some(Retry::No), "5 MB"),
        (serde_json::json!({"code": 131_053, "retryable": true}), "131053", true, Some(Retry::Yes), "5 MB"),
        (serde_json::json!({"code": 131_056}), "131056", true, Some(Retry::Yes), "still send to others"),
        (serde_json::json!({"code": 215, "message": "own"}), "200", true, Some(Retry::No), "permission"),
        (serde_json::json!({"code": 0}), "0", true, Some(Retry::No), "authenticate"),
        (serde_json::json!({"code": 2_388_072}), "2388072", true, Some(Retry::No), "body"),
        (serde_json::json!({"code": 777, "message": "own", "retryable": true}), "777", false, Some(Retry::Yes), "own"),
        (serde_json::json!({"code": 300, "title": "t", "error_data": {"details": "d"}}), "300", false, None, "d"),
        (serde_json::json!({}), "", false, None, "no reason"),
    ] {
        let explained = explain(&serde_json::from_value(failure.clone()).unwrap());
        assert_eq!((explained.code.as_str(), explained.known, explained.retry), (code, known, retry), "{failure}");
        assert!(explained.message.contains(words), "{failure}: {}", explained.message);
    }
}

#[test]
fn the_table_has_every_code_of_the_channel() {
    // Upstream §7, in its order.
    let stated = [
        0, 3, 10, 190, 200, 299, 4, 80_007, 130_429, 131_048, 131_056, 131_064, 133_016, 368, 131_031, 130_497, 1, 2,
        33, 100, 130_403, 130_472, 131_000, 131_005, 131_008, 131_009, 131_016, 131_021, 131_026, 131_030, 131_037,
        131_042, 131_044, 131_045, 131_047, 131_049, 131_050, 131_051, 131_052, 131_053, 131_055, 131_057, 131_062,
        131_063, 132_000, 132_001, 132_005, 132_007, 132_008, 132_012, 132_015, 132_016, 132_018, 132_068, 132_069,
        133_000, 133_004, 133_005, 133_008, 133_009, 133_006, 133_010, 133_015, 134_011, 134_100, 134_101, 134_102,
        135_000, 137_000, 2_388_019, 2_388_024, 2_388_039, 2_388_040, 2_388_047, 2_388_072, 2_388_073, 2_388_293,
        2_388_299, 200_005, 200_006, 200_007, 1_752_041, 2_040, 2_046, 2_047, // Upstream §14.4.
        131_061, 131_065, 131_070, // The rate limit of an account, not listed upstream.
        80_008,
    ];
    for code in stated {
        assert!(find(code).is_some(), "{code}");
    }
    // 200 to 299 share an entry; there are no other entries.
    assert_eq!(CODES.map(|(_, codes)| codes.len()).iter().sum::<usize>(), stated.len() - 1);
}

#[test]
fn every_code_has_a_text_and_every_text_a_code() {
    assert_eq!(CODES.map(|(_, codes)| codes.len()).iter().sum::<usize>(), TEXTS.len());
    for (code, text) in &*TEXTS {
        assert_eq!(find(*code).map(|known| known.meaning), Some(text.meaning.as_str()), "{code}");
        assert!(!text.meaning.is_empty() && !text.advice.is_empty(), "{code}");
    }
}

#[test]
fn the_providers_advice_takes_precedence_over_the_table() {
    for (code, retryable, retry) in [
        (131_053, Some(false), Some(Retry::No)),
        (131_053, Some(true), Some(Retry::Yes)),
        (131_049, Some(true), Some(Retry::Later)),
        (131_049, None, Some(Retry::Later)),
        (42, None, None),
        (42, Some(true), Some(Retry::Yes)),
    ] {
        let failure = Failure { code: Some(code), retryable, ..Failure::default() };
        assert_eq!(failure.retry(), retry, "{code}");
    }
}

#[test]
fn a_failure_names_the_setting_that_it_is_about() {
    let product = Some(FaultySetting::MessagingProduct);
    let number = Some(FaultySetting::NumberId);
    let unknown = "Unsupported post request. Object with ID '1065' does not exist, cannot be loaded due to missing \
        permissions, or does not support this operation";
    for (failure, setting) in [
        (
            serde_json::json!({"code": 100, "message": "(#100) Invalid parameter", "details": "messaging_product must be whatsapp"}),
            product,
        ),
        (serde_json::json!({"code": 100, "message": "(#100) The parameter messaging_product is required."}), product),
        (serde_json::json!({"code": 131_008, "error_data": {"details": "messaging_product is missing"}}), product),
        (serde_json::json!({"code": 100, "message": unknown}), number),
        (serde_json::json!({"code": 33}), number),
        (serde_json::json!({"code": 100, "message": "(#100) The parameter to is required."}), None),
        (serde_json::json!({"code": 131_026, "message": "messaging_product"}), None),
        (serde_json::json!({"message": "messaging_product"}), None),
    ] {
        let explained = explain(&serde_json::from_value(failure.clone()).unwrap());
        assert_eq!(explained.setting, setting, "{failure}");
    }
}

#[test]
fn an_answer_without_a_code_is_explained_if_the_number_is_unknown() {
    let refusal = |status: u16, words: &str| {
        let failure = Failure { message: Some(words.to_owned()), ..Failure::default() };
        explain_refusal(status, &failure).map(|explained| explained.setting)
    };
    assert_eq!(refusal(404, "No sending number 1065 in this workspace"), Some(Some(FaultySetting::NumberId)));
    assert_eq!(refusal(404, "Not found"), None);
    assert_eq!(refusal(400, "The number is wrong"), None);
}
