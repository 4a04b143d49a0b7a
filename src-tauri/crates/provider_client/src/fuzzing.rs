//! Reads answers without a network: for `tests/fuzz` and the tests below.

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use url::Url;

use crate::endpoint::{Credentials, Endpoint, Route, WabaField};
use crate::transport::{Answer, Timeouts, Transport};
use crate::{Error, decode};

/// Token of the requests. It must not appear in any stored part of an answer.
pub const TOKEN: &str = "canary/token+of=fuzzing";

/// Reads answers to the requests of one workspace.
#[derive(Debug)]
pub struct Reader {
    transport: Transport,
    route: Route,
}

impl Reader {
    /// A reader for a fictitious provider; it never connects.
    pub fn new() -> Result<Self, Error> {
        let base_url = Url::parse("https://provider.example").map_err(|error| Error::Setup(error.to_string()))?;
        let endpoint = Endpoint {
            base_url,
            channel: "messaging".to_owned(),
            workspace_uuid: "5a9db0c5-0000-4000-8000-000000000001".to_owned(),
            credentials: Credentials::Bearer(TOKEN.into()),
            allow_unencrypted: false,
            waba_field: WabaField::default(),
        };
        let route = endpoint.route("POST", &[("", "messages")])?;
        Ok(Self { transport: Transport::new(endpoint, Timeouts::default())?, route })
    }

    /// All results of an answer as text: the stored parts and the messages.
    #[must_use]
    pub fn read(&self, status: u16, content_type: Option<&[u8]>, body: &[u8]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        if let Some(value) = content_type.and_then(|value| HeaderValue::from_bytes(value).ok()) {
            headers.insert(CONTENT_TYPE, value);
        }
        let answer =
            Answer { endpoint: "POST /messages".to_owned(), status, headers, body: Bytes::copy_from_slice(body) };
        let answer = match self.transport.check_answer(&self.route, answer, true) {
            Ok(answer) => answer,
            Err(error) => return vec![format!("{error} {error:?}")],
        };
        let mut texts = Vec::new();
        let mut tell = |read: Result<String, Error>| {
            texts.push(read.unwrap_or_else(|error| format!("{error} {error:?}")));
        };
        tell(decode::created(&self.transport, &answer).map(|created| format!("{created:?}")));
        tell(decode::edited(&self.transport, &answer).map(|edited| format!("{edited:?}")));
        tell(decode::sent(&self.transport, &answer).map(|sent| format!("{sent:?}")));
        tell(decode::done(&self.transport, &answer).map(|done| format!("{done:?}")));
        tell(decode::page(&self.transport, &answer, None, false).map(|page| {
            let records = page.records.iter().map(|raw| decode::record(raw));
            format!("{page:?} {:?}", records.collect::<Vec<_>>())
        }));
        texts
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::LazyLock;

    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    static READER: LazyLock<Reader> = LazyLock::new(|| Reader::new().unwrap());

    /// Example answers in the shapes of the contract (§4, §5, §7) and of the channel.
    fn examples() -> Vec<Value> {
        vec![
            json!({"uuid": "7b1c", "id": 9_007_199_254_740_993_u64, "status": "PENDING", "category": "MARKETING", "components": []}),
            json!({"data": {"template": {"uuid": "7b1c", "components": "[{\"type\":\"BODY\",\"text\":\"c\"}]"}}}),
            json!({"contacts": [{"wa_id": "16505551234"}], "messages": [{"id": "wamid.x", "message_status": "accepted"}]}),
            json!({"data": [{"uuid": "a", "name": "b", "language": "en"}], "total": 30, "paging": {"cursors": {"after": "x"}}}),
            json!({"error": {"message": "(#132000)", "code": 132_000, "error_data": {"details": "number of parameters"}}}),
            json!({"message": "Unauthorized", "details": "the token is expired", "errors": [{"field": "name"}]}),
        ]
    }

    /// Replaces values as `turns` says.
    fn mutated(value: &mut Value, turns: &mut impl Iterator<Item = u8>) {
        match turns.next().unwrap_or(255) {
            0 => *value = Value::Null,
            1 => *value = json!(TOKEN),
            2 => *value = json!([[[value.take()]]]),
            3 => *value = json!({"data": value.take(), "error": TOKEN}),
            4 => *value = json!(-1.5e300),
            5 => *value = json!(""),
            _ => match value {
                Value::Array(values) => values.iter_mut().for_each(|value| mutated(value, turns)),
                Value::Object(object) => object.values_mut().for_each(|value| mutated(value, turns)),
                _ => {}
            },
        }
    }

    proptest! {
        #[test]
        fn any_answer_is_read_or_rejected_without_the_token(
            example in prop::sample::select(examples()),
            turns in prop::collection::vec(0..40_u8, 0..60),
            status in prop_oneof![Just(200_u16), 100..1000_u16],
            (cut, flip, bit) in (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..8_u8),
            (is_cut, is_flipped) in (any::<bool>(), any::<bool>()),
        ) {
            let mut answer = example;
            mutated(&mut answer, &mut turns.into_iter());
            let mut body = answer.to_string().into_bytes();
            if is_flipped {
                let at = flip.index(body.len());
                body[at] ^= 1 << bit;
            }
            if is_cut {
                body.truncate(cut.index(body.len()));
            }
            for texts in READER.read(status, Some(b"application/json"), &body) {
                prop_assert!(!texts.contains(TOKEN), "{}", texts);
            }
        }
    }

    #[test]
    fn oversized_answers_are_bounded() {
        for body in ["[".repeat(2_000_000), "{\"data\":".repeat(400_000), format!("[{}0]", "0,".repeat(100_000))] {
            assert!(!READER.read(200, None, body.as_bytes()).is_empty());
        }
    }
}
