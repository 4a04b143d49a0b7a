//! Webhooks as the provider sends them: signed statuses, each of a different message.

use std::fmt::Write as _;

use ring::hmac;

/// Secret of the signatures. It protects nothing.
pub(crate) const SECRET: &str = "bench";
pub(crate) const HEADER: &str = "x-hub-signature-256";

const HEAD: &str = concat!(
    r#"{"object":"messaging_business_account","entry":[{"id":"102290129340398","changes":[{"field":"messages","#,
    r#""value":{"messaging_product":"messaging","metadata":{"display_phone_number":"15550783881","#,
    r#""phone_number_id":"106540352242922"},"statuses":[{"id":"wamid.HBgL"#
);
const MIDDLE: &str = concat!(
    r#"","recipient_id":"16505551234","#,
    r#""conversation":{"id":"6ceb9d929c9bdc4f90967a32f8639b02","origin":{"type":"utility"}},"#,
    r#""pricing":{"billable":true,"pricing_model":"CBP","category":"utility"},"biz_opaque_callback_data":""#
);
const TAIL: &str = r#""}]}}]}]}"#;

/// When the first status happens, in seconds since 1970.
pub(crate) const START_SECONDS: u64 = 1_739_321_024;
/// Messages whose statuses happen in the same second: as many as the channel sends at most.
pub(crate) const MESSAGES_PER_SECOND: u64 = 1_000;

/// The key to verify bodies from [`Bodies`].
pub(crate) fn key() -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes())
}

/// Bodies of one size, all different, also between runs: a repeated body would take a shorter path.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    run: u64,
    bytes: usize,
}

impl Bodies {
    /// Bodies of at least this many bytes; the minimum is about 640.
    pub(crate) fn new(bytes: usize) -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Self { run: since.as_micros() as u64, bytes }
    }

    /// Replaces `body` with the body of this number: the `delivered` status of a separate message.
    pub(crate) fn write(&self, number: u64, body: &mut String) {
        self.write_status(number, "delivered", body);
    }

    pub(crate) fn write_status(&self, message: u64, status: &str, body: &mut String) {
        body.clear();
        let seconds = START_SECONDS + message / MESSAGES_PER_SECOND;
        write!(body, r#"{HEAD}{:012x}{message:010}","timestamp":"{seconds}","status":"{status}{MIDDLE}"#, self.run)
            .expect("a text takes what is written");
        let padding = self.bytes.saturating_sub(body.len() + TAIL.len());
        body.extend(std::iter::repeat_n('x', padding));
        body.push_str(TAIL);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn bodies_are_statuses_of_one_size_and_differ() {
        let bodies = Bodies::new(700);
        let (mut first, mut second) = (String::new(), String::new());
        bodies.write(1, &mut first);
        bodies.write(2, &mut second);
        assert_eq!((first.len(), second.len()), (700, 700));
        assert_ne!(first, second);
        let items = model::item::items(first.as_bytes());
        assert_eq!(items.iter().map(|item| item.kind.as_str()).collect::<Vec<_>>(), ["status"]);
        let large: serde_json::Value = {
            Bodies::new(65_536).write(3, &mut first);
            serde_json::from_str(&first).unwrap()
        };
        assert_eq!((first.len(), large["entry"].as_array().unwrap().len()), (65_536, 1));
    }
}
