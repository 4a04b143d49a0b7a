//! Entries for `tests/fuzz` into how answers are read.

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use url::Url;

use crate::endpoint::{Credentials, Endpoint, Route, WabaField};
use crate::transport::{Answer, Timeouts, Transport};
use crate::{Error, decode, paging};

/// The token of the requests. It is in nothing that is kept of an answer.
pub const TOKEN: &str = "canary/token+of=fuzzing";

/// Reads answers to the requests of one workspace.
#[derive(Debug)]
pub struct Reader {
    transport: Transport,
    route: Route,
}

impl Reader {
    /// A reader of a made-up provider; it never connects.
    ///
    /// # Errors
    /// As for a client.
    pub fn new() -> Result<Self, Error> {
        let base_url = Url::parse("https://provider.example").map_err(|error| Error::Setup(error.to_string()))?;
        let endpoint = Endpoint {
            base_url,
            channel: "messaging".to_owned(),
            workspace_uuid: "5a9db0c5-0000-4000-8000-000000000001".to_owned(),
            credentials: Credentials::Bearer(TOKEN.into()),
            waba_field: WabaField::default(),
        };
        let route = endpoint.route("POST", &[("", "messages")])?;
        Ok(Self { transport: Transport::new(endpoint, Timeouts::default())?, route })
    }

    /// Everything that is made of an answer, as text: what is kept, and what a person is told.
    #[must_use]
    pub fn read(&self, status: u16, content_type: Option<&[u8]>, body: &[u8]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        if let Some(value) = content_type.and_then(|value| HeaderValue::from_bytes(value).ok()) {
            headers.insert(CONTENT_TYPE, value);
        }
        let answer =
            Answer { endpoint: "POST /messages".to_owned(), status, headers, body: Bytes::copy_from_slice(body) };
        let answer = match self.transport.received(&self.route, answer) {
            Ok(answer) => answer,
            Err(error) => return vec![format!("{error} {error:?}")],
        };
        let mut told = Vec::new();
        let mut tell = |read: Result<String, Error>| {
            told.push(read.unwrap_or_else(|error| format!("{error} {error:?}")));
        };
        tell(decode::created(&self.transport, &answer).map(|created| format!("{created:?}")));
        tell(decode::edited(&self.transport, &answer).map(|edited| format!("{edited:?}")));
        tell(decode::sent(&self.transport, &answer).map(|sent| format!("{sent:?}")));
        tell(decode::done(&self.transport, &answer).map(|done| format!("{done:?}")));
        tell(decode::json(&self.transport, &answer, false).map(|value| {
            let page = paging::page(value, None, false);
            let records = page.iter().flat_map(|page| page.records.clone()).map(decode::record);
            format!("{page:?} {:?}", records.collect::<Vec<_>>())
        }));
        told
    }
}
