//! Stream of the items in a delivery log: each item once, however often and in whatever batch it was delivered.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::Path,
};

use chrono::{DateTime, SecondsFormat};
use model::event::kind::ItemKind;
use model::item;
use ring::digest::{SHA256, digest};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use store::{DeliveryLogReader, StoreError, delivery_log::Delivery};

use outgoing::file_digest;

/// Deliveries read at once.
const PAGE_SIZE: u32 = 500;

/// An item with its first delivery.
#[derive(Clone, Debug)]
pub struct LoggedItem {
    /// Sequence number of the delivery in the delivery log, from 1.
    pub seq: i64,
    /// When the delivery was received, in Unix milliseconds.
    pub received_at: i64,
    pub kind: ItemKind,
    /// The change's `field`; empty if the body is not an envelope.
    pub field: String,
    /// The business account; absent if there is none.
    pub entry_id: Option<String>,
    /// The change's value, reduced to this item, unchanged otherwise.
    pub value: Box<RawValue>,
    /// SHA-256 of the delivery's body, in lower-case hexadecimal.
    pub raw_digest: String,
}

/// Reads a delivery log from its first delivery on, also while another process writes it.
///
/// It always begins at the start: whether an item is new depends on all earlier items. It keeps 16 bytes per item for
/// that.
#[derive(Debug)]
pub struct EventStream {
    reader: DeliveryLogReader,
    page: VecDeque<Delivery>,
    last_seq: i64,
    items: NewItems,
}

/// Finds the items that were not delivered before. It keeps 16 bytes per item for that.
#[derive(Debug, Default)]
pub struct NewItems {
    seen: HashSet<[u8; 16]>,
    /// By subject of undated items: the last item, and when it was last delivered.
    latest: HashMap<[u8; 16], ([u8; 16], i64)>,
}

impl EventStream {
    /// Opens an existing delivery log.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let path = path.to_owned();
        let opening = tokio::task::spawn_blocking(move || DeliveryLogReader::open(&path));
        let reader = opening.await.map_err(|_| StoreError::Closed)??;
        Ok(Self::of(reader))
    }

    /// [`EventStream::open`], or `None` if the delivery log does not exist yet.
    pub async fn open_if_created(path: &Path) -> Result<Option<Self>, StoreError> {
        let path = path.to_owned();
        let opening = tokio::task::spawn_blocking(move || DeliveryLogReader::open_if_created(&path));
        Ok(opening.await.map_err(|_| StoreError::Closed)??.map(Self::of))
    }

    fn of(reader: DeliveryLogReader) -> Self {
        Self { reader, page: VecDeque::new(), last_seq: 0, items: NewItems::default() }
    }

    /// The new items of the next delivery, possibly none; `None` when there is currently no further delivery.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read; the next call retries at the same position.
    pub async fn next_delivery(&mut self) -> Result<Option<Vec<LoggedItem>>, StoreError> {
        if self.page.is_empty() {
            self.page = self.reader.after(self.last_seq, PAGE_SIZE).await?.into();
        }
        let Some(delivery) = self.page.pop_front() else { return Ok(None) };
        self.last_seq = delivery.seq;
        Ok(Some(self.items.of(delivery.seq, delivery.received_at, &delivery.body)))
    }
}

impl NewItems {
    /// The items of a delivery that no earlier one had.
    pub fn of(&mut self, seq: i64, received_at: i64, body: &[u8]) -> Vec<LoggedItem> {
        let mut items = item::items(body);
        items.retain(|item| self.is_new(item, received_at));
        if items.is_empty() {
            return Vec::new();
        }
        let raw_digest = file_digest::of_bytes(body);
        let with_delivery = |item: item::Item| LoggedItem {
            seq,
            received_at,
            kind: item.kind,
            field: item.field,
            entry_id: item.entry_id,
            value: item.value,
            raw_digest: raw_digest.clone(),
        };
        items.into_iter().map(with_delivery).collect()
    }

    /// Whether an item was not delivered before: see [`item::is_redelivery`] for items without a timestamp.
    fn is_new(&mut self, item: &item::Item, received_at: i64) -> bool {
        let key = fingerprint(&item.key);
        match &item.subject {
            None => self.seen.insert(key),
            Some(subject) => {
                let last = self.latest.insert(fingerprint(subject), (key, received_at));
                !last.is_some_and(|(last, at)| last == key && item::is_redelivery(at, received_at, None))
            }
        }
    }
}

/// An item as one line of JSON, as printed by `tdesk events` and written by an export.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EventLine<'a> {
    /// Sequence number of the delivery in the delivery log, from 1.
    pub seq: i64,
    /// When the delivery was received, in Unix milliseconds; printed in RFC 3339.
    #[serde(serialize_with = "rfc3339")]
    pub received_at: i64,
    pub kind: &'a str,
    /// The change's `field`.
    pub field: &'a str,
    /// The business account.
    pub entry_id: Option<&'a str>,
    /// The change's value, reduced to this item, unchanged otherwise.
    pub value: &'a RawValue,
    /// SHA-256 of the delivery's body, in lower-case hexadecimal.
    pub raw_digest: &'a str,
    /// The workspace; omitted if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<&'a str>,
    /// The receiver that `seq` counts for; omitted if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<&'a str>,
}

impl<'a> From<&'a LoggedItem> for EventLine<'a> {
    fn from(item: &'a LoggedItem) -> Self {
        Self {
            seq: item.seq,
            received_at: item.received_at,
            kind: item.kind.as_str(),
            field: &item.field,
            entry_id: item.entry_id.as_deref(),
            value: &item.value,
            raw_digest: &item.raw_digest,
            workspace: None,
            node: None,
        }
    }
}

/// Appends an item and a line end to `lines`.
pub fn write_line(lines: &mut Vec<u8>, line: &EventLine<'_>) {
    let printed = serde_json::to_string(line).expect("texts, a number and JSON are always JSON");
    for character in printed.chars() {
        match character {
            // The value may be formatted over several lines. JSON strings contain no raw line ends.
            '\n' | '\r' => lines.push(b' '),
            // These occur in strings only, and some readers treat them as line ends.
            '\u{85}' | '\u{2028}' | '\u{2029}' => {
                lines.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes());
            }
            _ => lines.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    lines.push(b'\n');
}

/// `null` for an instant that no calendar has.
fn rfc3339<S: Serializer>(at: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    let at = DateTime::from_timestamp_millis(*at).map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true));
    at.serialize(serializer)
}

/// Half a SHA-256: long enough to rule out accidental and deliberate collisions.
fn fingerprint(key: &str) -> [u8; 16] {
    let whole = digest(&SHA256, key.as_bytes());
    whole.as_ref()[..16].try_into().expect("a SHA-256 has 32 bytes")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn status(id: &str, status: &str) -> String {
        format!(r#"{{"id":"{id}","status":"{status}","timestamp":"1","recipient_id":"5"}}"#)
    }

    fn envelope(statuses: &[String]) -> String {
        let statuses = statuses.join(",");
        format!(
            r#"{{"object":"o","entry":[{{"id":"7","changes":[{{"field":"messages","value":{{"statuses":[{statuses}]}}}}]}}]}}"#
        )
    }

    #[test]
    fn line_breaks_are_escaped() {
        let value = "{\r\n\t\"a\" : 12345678901234567890123,\n \"b\": \"x\u{2028}\u{85}\\n\", \"c\": 1e400}";
        let item = LoggedItem {
            seq: 7,
            received_at: 1_750_000_000_123,
            kind: ItemKind::Status,
            field: "mess\u{2029}ages".to_owned(),
            entry_id: None,
            value: RawValue::from_string(value.to_owned()).unwrap(),
            raw_digest: "ab".to_owned(),
        };
        let expected = concat!(
            r#"{"seq":7,"received_at":"2025-06-15T15:06:40.123Z","kind":"status","field":"mess\u2029ages","#,
            "\"entry_id\":null,\"value\":{  \t\"a\" : 12345678901234567890123,  \"b\": ",
            r#""x\u2028\u0085\n", "c": 1e400},"raw_digest":"ab""#,
        );
        let mut lines = Vec::new();
        write_line(&mut lines, &EventLine::from(&item));
        assert_eq!(String::from_utf8(lines).unwrap(), format!("{expected}}}\n"));
        let mut lines = Vec::new();
        write_line(&mut lines, &EventLine { workspace: Some("w"), ..EventLine::from(&item) });
        assert_eq!(String::from_utf8(lines).unwrap(), format!("{expected},\"workspace\":\"w\"}}\n"));
    }

    async fn append(delivery_log: &store::DeliveryLog, body: String) {
        append_at(delivery_log, 1, body).await;
    }

    async fn append_at(delivery_log: &store::DeliveryLog, received_at: i64, body: String) {
        let body = body.into_bytes().into();
        let delivery =
            store::delivery_log::NewDelivery { received_at, route: "r".to_owned(), headers: Vec::new(), body };
        delivery_log.append(delivery).await.unwrap();
    }

    #[tokio::test]
    async fn an_undated_event_repeats_after_another_or_much_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inbox.sqlite");
        let delivery_log = store::DeliveryLog::open(&path).unwrap();
        let review = |event: &str| {
            format!(
                r#"{{"object":"o","entry":[{{"id":"7","changes":[{{"field":"message_template_status_update","value":{{"event":"{event}","message_template_name":"promo"}}}}]}}]}}"#
            )
        };
        let window = item::REDELIVERY_WINDOW;
        for (at, event) in
            [(0, "APPROVED"), (5, "APPROVED"), (9, "REJECTED"), (12, "APPROVED"), (window + 13, "APPROVED")]
        {
            append_at(&delivery_log, at, review(event)).await;
        }
        let mut stream = EventStream::open(&path).await.unwrap();
        let mut found = Vec::new();
        while let Some(items) = stream.next_delivery().await.unwrap() {
            found.extend(items.into_iter().map(|item| item.seq));
        }
        assert_eq!(found, [1, 3, 4, 5], "the second delivery repeats the first");
    }

    #[tokio::test]
    async fn each_item_is_returned_once_with_its_first_delivery() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inbox.sqlite");
        let delivery_log = store::DeliveryLog::open(&path).unwrap();
        let mut stream = EventStream::open(&path).await.unwrap();
        assert!(stream.next_delivery().await.unwrap().is_none());

        append(&delivery_log, envelope(&[status("a", "sent"), status("b", "sent")])).await;
        append(&delivery_log, envelope(&[status("b", "sent"), status("a", "sent")])).await;
        append(&delivery_log, envelope(&[status("a", "delivered"), status("b", "sent")])).await;
        let mut found = Vec::new();
        while let Some(items) = stream.next_delivery().await.unwrap() {
            found.push(items.iter().map(|item| (item.seq, item.value.to_string())).collect::<Vec<_>>());
        }
        let value = |status: &str| format!(r#"{{"statuses":[{status}]}}"#);
        assert_eq!(
            found,
            [
                vec![(1, value(&status("a", "sent"))), (1, value(&status("b", "sent")))],
                vec![],
                vec![(3, value(&status("a", "delivered")))],
            ]
        );

        // It continues at its position.
        append(&delivery_log, "not json".to_owned()).await;
        let items = stream.next_delivery().await.unwrap().unwrap();
        assert_eq!((items[0].seq, items[0].kind.as_str()), (4, "unknown"));
        // printf 'not json' | sha256sum
        assert_eq!(items[0].raw_digest, "7ccfa1fbf3940e6f0c0375d87c0f9235a50514e14cb427bdfaf5077987b26ccf");
    }
}
