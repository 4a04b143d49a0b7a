//! The lines of a page: one JSON object each.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use model::checksum;
use serde::{Deserialize, Serialize};

/// A line of a page. A page consists of a line for each delivery and ends with [`Line::End`]; without it, the page was
/// cut off and is fetched again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Delivery(Delivery),
    /// Deliveries that the server cannot give any more, before the deliveries after them.
    Gap(Gap),
    /// The end of the page.
    End(End),
    /// A line of a later version, which has nothing to store.
    Other,
}

/// A delivery as a receiver stored it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Name of the receiver.
    pub node: String,
    /// Position in the order of arrival at the log, from 1.
    pub seq: i64,
    /// The endpoint that received it: the path of its webhook URL.
    pub endpoint: String,
    /// When it was received, in Unix milliseconds.
    pub received_at: i64,
    /// Kept headers, in order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: Bytes,
}

/// Deliveries that the server passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The first number …
    pub from: i64,
    /// … and the last.
    pub to: i64,
    /// `removed` by retention, `altered` after they were stored, or `missing`. A later version may have other reasons.
    pub why: String,
}

/// The end of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The position after this page, for `after`. Opaque.
    pub cursor: String,
    /// Number of deliveries after this page, including those of other endpoints.
    #[serde(default)]
    pub behind: u64,
}

/// The answer to `GET /v1/cursor`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The position after everything stored so far.
    pub cursor: String,
    /// The endpoints that the token sees; empty for all.
    #[serde(default)]
    pub endpoints: Vec<String>,
    /// Name of the desk that the token was made for.
    #[serde(default)]
    pub desk: String,
}

/// Why a line cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// Not the JSON of a line.
    #[error("not a line of the feed: {0}")]
    Json(#[from] serde_json::Error),
    /// The body is not base64.
    #[error("the body of a delivery is not base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// The checksum of this delivery does not match.
    #[error("delivery {seq} of {node} was altered after it was received")]
    Altered {
        /// Name of the receiver.
        node: String,
        seq: i64,
    },
}

/// A line as JSON.
#[derive(Serialize, Deserialize)]
struct Json<'a> {
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    delivery: Option<DeliveryJson<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<End>,
}

#[derive(Serialize, Deserialize)]
struct DeliveryJson<'a> {
    node: std::borrow::Cow<'a, str>,
    seq: i64,
    endpoint: std::borrow::Cow<'a, str>,
    received_at: i64,
    headers: std::borrow::Cow<'a, [(String, String)]>,
    body: std::borrow::Cow<'a, str>,
    crc32: u32,
}

impl Line {
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let json: Json<'_> = serde_json::from_slice(line)?;
        if let Some(end) = json.end {
            return Ok(Self::End(end));
        }
        if let Some(gap) = json.gap {
            return Ok(Self::Gap(gap));
        }
        let Some(json) = json.delivery else { return Ok(Self::Other) };
        let body = STANDARD.decode(json.body.as_bytes())?;
        let headers = serde_json::to_string(&json.headers)?;
        if checksum::of_delivery(json.received_at, &json.endpoint, &headers, &body) != json.crc32 {
            return Err(LineError::Altered { node: json.node.into_owned(), seq: json.seq });
        }
        Ok(Self::Delivery(Delivery {
            node: json.node.into_owned(),
            seq: json.seq,
            endpoint: json.endpoint.into_owned(),
            received_at: json.received_at,
            headers: json.headers.into_owned(),
            body: body.into(),
        }))
    }

    /// Appends the line and a line end.
    pub fn write(&self, lines: &mut Vec<u8>) -> Result<(), LineError> {
        let mut json = Json { delivery: None, gap: None, end: None };
        match self {
            Self::Delivery(delivery) => {
                let headers = serde_json::to_string(&delivery.headers)?;
                let crc32 = checksum::of_delivery(delivery.received_at, &delivery.endpoint, &headers, &delivery.body);
                json.delivery = Some(DeliveryJson {
                    node: (&delivery.node).into(),
                    seq: delivery.seq,
                    endpoint: (&delivery.endpoint).into(),
                    received_at: delivery.received_at,
                    headers: (&delivery.headers).into(),
                    body: STANDARD.encode(&delivery.body).into(),
                    crc32,
                });
            }
            Self::Gap(gap) => json.gap = Some(gap.clone()),
            Self::End(end) => json.end = Some(end.clone()),
            Self::Other => return Ok(()),
        }
        serde_json::to_writer(&mut *lines, &json)?;
        lines.push(b'\n');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn delivery() -> Delivery {
        Delivery {
            node: "eu-1".into(),
            seq: 7,
            endpoint: "/webhook".into(),
            received_at: 1_750_000_000_123,
            headers: vec![("content-type".into(), "application/json".into())],
            body: Bytes::from_static(b"\xff{\"\n"),
        }
    }

    #[test]
    fn a_line_keeps_every_byte() {
        let mut lines = Vec::new();
        Line::Delivery(delivery()).write(&mut lines).unwrap();
        Line::End(End { cursor: "c".into(), behind: 3 }).write(&mut lines).unwrap();
        let text = String::from_utf8(lines).unwrap();
        assert_eq!(
            text,
            "{\"delivery\":{\"node\":\"eu-1\",\"seq\":7,\"endpoint\":\"/webhook\",\"received_at\":1750000000123,\
             \"headers\":[[\"content-type\",\"application/json\"]],\"body\":\"/3siCg==\",\"crc32\":2028491529}}\n\
             {\"end\":{\"cursor\":\"c\",\"behind\":3}}\n"
        );
        let parsed: Vec<Line> = text.lines().map(|line| Line::parse(line.as_bytes()).unwrap()).collect();
        assert_eq!(parsed, [Line::Delivery(delivery()), Line::End(End { cursor: "c".into(), behind: 3 })]);
    }

    #[test]
    fn gaps_are_read_and_written() {
        let gap = Gap { from: 1, to: 9, why: "removed".into() };
        let mut line = Vec::new();
        Line::Gap(gap.clone()).write(&mut line).unwrap();
        assert_eq!(str::from_utf8(&line).unwrap(), "{\"gap\":{\"from\":1,\"to\":9,\"why\":\"removed\"}}\n");
        assert_eq!(Line::parse(&line).unwrap(), Line::Gap(gap));
    }

    #[test]
    fn altered_lines_are_found_and_later_ones_are_passed_over() {
        let mut line = Vec::new();
        Line::Delivery(delivery()).write(&mut line).unwrap();
        let altered = String::from_utf8(line).unwrap().replace("/3siCg==", "/3siCw==");
        assert!(matches!(Line::parse(altered.as_bytes()), Err(LineError::Altered { seq: 7, .. })));
        assert_eq!(Line::parse(br#"{"notice":{"text":"x"}}"#).unwrap(), Line::Other);
        for wrong in [&b"<html>"[..], b"7", b"", br#"{"delivery":{}}"#] {
            assert!(matches!(Line::parse(wrong), Err(LineError::Json(_))), "{wrong:?}");
        }
    }
}
