//! Finds the records of a list answer and its next page, in all common forms (contract §4.7 shows none).

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Maximum number of records per page. Providers with paging stay far below; one without may have this many templates.
pub(crate) const MAX_PAGE_RECORDS: usize = 20_000;
/// Maximum size of a value beside the list that is parsed, in bytes.
const MAX_OTHER_VALUE: usize = 64 * 1024;

/// One page. Its records are not decoded yet, so that an unreadable record doesn't affect the others.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) records: Vec<Box<RawValue>>,
    /// Keys that lead to the records, such as `data` or `data.items`; empty if the answer is a list.
    pub(crate) path: String,
    /// Total number of records, if the answer states it.
    pub(crate) total: Option<u64>,
    /// The page number, if the answer states it.
    pub(crate) number: Option<u64>,
    pub(crate) next: Option<Next>,
}

/// Reference to the next page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Next {
    /// A query parameter to add. `certain` is false if the answer has a cursor but no sign of a next page.
    Parameter {
        name: &'static str,
        value: String,
        certain: bool,
    },
    Link(String),
}

const LIST_KEYS: [&str; 6] = ["data", "templates", "items", "results", "records", "workspace_templates"];

/// An answer split into its list and the other values.
#[derive(Debug, Default)]
pub(crate) struct Split<'a> {
    /// The path of the list, its first [`MAX_PAGE_RECORDS`] records, and the number of records.
    list: Option<(String, Vec<&'a RawValue>, usize)>,
    /// The short values beside the list.
    pub(crate) other_values: Value,
}

/// Reason why an answer is not a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// There is no list of records at a known path.
    NoList,
    /// It has this many records, more than [`MAX_PAGE_RECORDS`].
    TooMany(usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoList => f.write_str("it has no list of templates"),
            Self::TooMany(count) => {
                write!(f, "it lists {count} templates on one page; at most {MAX_PAGE_RECORDS} templates are read")
            }
        }
    }
}

/// Finds the list of an answer without decoding its records.
///
/// # Errors
/// Invalid JSON. Strings in the records are not checked.
pub(crate) fn split(text: &str) -> serde_json::Result<Split<'_>> {
    let root: &RawValue = serde_json::from_str(text)?;
    match root.get().as_bytes().first() {
        Some(b'[') => {
            let Members(records, count) = members(root)?;
            Ok(Split { list: Some((String::new(), records, count)), other_values: Value::Null })
        }
        Some(b'{') => split_object(entries(root)?),
        _ => Ok(Split { list: None, other_values: serde_json::from_str(text)? }),
    }
}

fn split_object<'a>(entries: Vec<(Cow<'a, str>, &'a RawValue)>) -> serde_json::Result<Split<'a>> {
    // The last value of a duplicate key counts.
    let value = |wanted: &str| entries.iter().rev().find(|(key, _)| key == wanted).map(|(_, value)| *value);
    let begins = |value: &RawValue, with: char| value.get().starts_with(with);
    let mut list = None;
    let mut data = None;
    for key in LIST_KEYS {
        let Some(value) = value(key) else { continue };
        if begins(value, '[') {
            let Members(records, count) = members(value)?;
            list = Some((key.to_owned(), records, count));
        } else if key == "data" && begins(value, '{') {
            let inner = self::entries(value)?;
            let found = LIST_KEYS.iter().find_map(|key| {
                let (_, value) = inner.iter().rev().find(|(name, value)| name == key && begins(value, '['))?;
                Some((*key, *value))
            });
            if let Some((key, value)) = found {
                let Members(records, count) = members(value)?;
                list = Some((format!("data.{key}"), records, count));
            }
            data = Some(other_values(&inner));
        } else {
            continue;
        }
        break;
    }
    let mut around = other_values(&entries);
    if let Some(data) = data {
        around.insert("data".to_owned(), Value::Object(data));
    }
    Ok(Split { list, other_values: Value::Object(around) })
}

/// The readable, short values. Lists are skipped: they say nothing about pages.
fn other_values(entries: &[(Cow<'_, str>, &RawValue)]) -> Map<String, Value> {
    let short = entries.iter().filter(|(key, value)| {
        value.get().len() <= MAX_OTHER_VALUE && !(LIST_KEYS.contains(&key.as_ref()) && value.get().starts_with('['))
    });
    short.filter_map(|(key, value)| Some((key.clone().into_owned(), serde_json::from_str(value.get()).ok()?))).collect()
}

/// The first records of a list, and the number of records.
struct Members<'a>(Vec<&'a RawValue>, usize);

fn members(list: &RawValue) -> serde_json::Result<Members<'_>> {
    struct List<'a>(PhantomData<&'a ()>);
    impl<'de: 'a, 'a> Visitor<'de> for List<'a> {
        type Value = Members<'a>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut records = Vec::new();
            while records.len() < MAX_PAGE_RECORDS {
                let Some(record) = list.next_element()? else { break };
                records.push(record);
            }
            let mut count = records.len();
            while list.next_element::<IgnoredAny>()?.is_some() {
                count += 1;
            }
            Ok(Members(records, count))
        }
    }
    serde_json::Deserializer::from_str(list.get()).deserialize_seq(List(PhantomData))
}

fn entries(object: &RawValue) -> serde_json::Result<Vec<(Cow<'_, str>, &RawValue)>> {
    struct Entries<'a>(PhantomData<&'a ()>);
    impl<'de: 'a, 'a> Visitor<'de> for Entries<'a> {
        type Value = Vec<(Cow<'a, str>, &'a RawValue)>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some((key, value)) = object.next_entry::<String, &'a RawValue>()? {
                entries.push((Cow::Owned(key), value));
            }
            Ok(entries)
        }
    }
    serde_json::Deserializer::from_str(object.get()).deserialize_map(Entries(PhantomData))
}

/// Reads a page. `asked` is the requested page number; `from_zero` means that page numbers start at 0.
pub(crate) fn page(split: Split<'_>, asked: Option<u64>, from_zero: bool) -> Result<Page, Fault> {
    let (path, records, count) = split.list.ok_or(Fault::NoList)?;
    if count > records.len() {
        return Err(Fault::TooMany(count));
    }
    let records: Vec<_> = records.into_iter().map(ToOwned::to_owned).collect();
    let Value::Object(root) = split.other_values else {
        return Ok(Page { records, path, total: None, number: None, next: None });
    };
    let described = page_info(&root);
    let number = numeric(&described, &["page", "current_page", "currentPage", "page_number"]);
    let total = numeric(&described, &["total", "total_count", "totalCount", "total_items", "count_total"]);
    let next = next(&described, number.or(asked), from_zero || number == Some(0), total, records.len() as u64);
    Ok(Page { records, path, total, number, next })
}

/// The objects that can have the position of this page.
fn page_info(root: &Map<String, Value>) -> Vec<&Map<String, Value>> {
    let mut objects = vec![root];
    let mut index = 0;
    while let Some(object) = objects.get(index).copied() {
        for key in ["paging", "pagination", "meta", "links", "_links", "page_info", "pageInfo"] {
            objects.extend(object.get(key).and_then(Value::as_object));
        }
        if index == 0 {
            objects.extend(object.get("data").and_then(Value::as_object));
        }
        index += 1;
    }
    objects
}

fn numeric(objects: &[&Map<String, Value>], keys: &[&str]) -> Option<u64> {
    objects.iter().find_map(|object| {
        keys.iter().find_map(|key| {
            let value = object.get(*key)?;
            value.as_u64().or_else(|| value.as_str()?.parse().ok())
        })
    })
}

fn textual<'a>(objects: &[&'a Map<String, Value>], keys: &[&str]) -> Option<&'a str> {
    objects
        .iter()
        .find_map(|object| keys.iter().find_map(|key| object.get(*key)?.as_str()))
        .filter(|text| !text.is_empty())
}

fn next(
    described: &[&Map<String, Value>],
    number: Option<u64>,
    from_zero: bool,
    total: Option<u64>,
    count: u64,
) -> Option<Next> {
    let parameter = |name, value: String, certain| Some(Next::Parameter { name, value, certain });
    let page_after = |number: u64| parameter("page", (number + 1).to_string(), true);
    let more = described.iter().find_map(|object| {
        ["has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage"]
            .iter()
            .chain(["next"].iter())
            .find_map(|key| object.get(*key)?.as_bool())
    });
    if more == Some(false) {
        return None;
    }
    let link = described.iter().find_map(|object| {
        ["next", "next_page_url", "next_url", "nextLink"].iter().find_map(|key| match object.get(*key)? {
            Value::Object(link) => link.get("href"),
            other => Some(other),
        })
    });

    let cursor =
        described.iter().find_map(|object| object.get("cursors")?.get("after")?.as_str()).filter(|c| !c.is_empty());
    if let Some(cursor) = cursor {
        // The channel omits `next` on its last page; others never send it, so one more page is requested. `null` means
        // that there is no next page.
        return match link {
            Some(Value::Null) => None,
            link => parameter("after", cursor.to_owned(), link.is_some() || more == Some(true)),
        };
    }
    match link {
        Some(Value::Number(page)) => return parameter("page", page.to_string(), true),
        Some(Value::String(text)) if !text.is_empty() => {
            return if text.contains("://") || text.starts_with(['/', '?']) || text.contains('?') {
                Some(Next::Link(text.clone()))
            } else if text.bytes().all(|byte| byte.is_ascii_digit()) {
                parameter("page", text.clone(), true)
            } else {
                parameter("after", text.clone(), true)
            };
        }
        _ => {}
    }
    if let Some(page) = numeric(described, &["next_page", "nextPage"]) {
        return parameter("page", page.to_string(), true);
    }
    for (keys, name) in [
        (["next_cursor", "nextCursor"], "cursor"),
        (["endCursor", "end_cursor"], "after"),
        (["next_page_token", "nextPageToken"], "page_token"),
    ] {
        if let Some(cursor) = textual(described, &keys) {
            return parameter(name, cursor.to_owned(), true);
        }
    }

    let current = number.unwrap_or(1);
    if let Some(pages) =
        numeric(described, &["total_pages", "totalPages", "last_page", "lastPage", "page_count", "pages"])
    {
        let last = if from_zero { pages.saturating_sub(1) } else { pages };
        return if current < last { page_after(current) } else { None };
    }
    if more == Some(true) {
        return page_after(current);
    }
    let total = total?;
    if let Some(offset) = numeric(described, &["offset", "skip"]) {
        return if count > 0 && offset + count < total {
            parameter("offset", (offset + count).to_string(), true)
        } else {
            None
        };
    }
    let size = numeric(described, &["per_page", "perPage", "page_size", "pageSize", "limit"])?;
    let seen = if from_zero { current + 1 } else { current }.saturating_mul(size);
    if number.is_some() && count > 0 && seen < total { page_after(current) } else { None }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;
    use serde_json::json;

    fn read(shape: &Value) -> Result<Page, Fault> {
        page(split(&shape.to_string()).unwrap(), None, false)
    }

    fn parameter(name: &'static str, value: &str, certain: bool) -> Option<Next> {
        Some(Next::Parameter { name, value: value.to_owned(), certain })
    }

    #[test]
    fn records_are_found_in_every_shape() {
        let records = json!([{"uuid": "a"}]);
        for (shape, path) in [
            (records.clone(), ""),
            (json!({"data": records}), "data"),
            (json!({"data": {"items": records}}), "data.items"),
            (json!({"data": {"templates": records}}), "data.templates"),
            (json!({"data": {"data": records}}), "data.data"),
            (json!({"templates": records}), "templates"),
            (json!({"results": records, "total": 1}), "results"),
            (json!({"items": records}), "items"),
        ] {
            let page = read(&shape).unwrap();
            assert_eq!((json!(page.records), page.path.as_str()), (records.clone(), path), "{shape}");
        }
    }

    #[test]
    fn an_unknown_shape_is_not_an_empty_list() {
        for shape in [
            json!({}),
            json!({"data": null}),
            json!({"data": {"uuid": "a"}}),
            json!({"message": "ok"}),
            json!("templates"),
            json!(null),
            json!({"templates": {"a": {}}}),
        ] {
            assert_eq!(read(&shape).unwrap_err(), Fault::NoList, "{shape}");
        }
    }

    #[test]
    fn the_next_page_is_found_in_every_form() {
        let one = json!([{}]);
        let cases = [
            (json!({"data": one}), None),
            (
                json!({"data": one, "paging": {"cursors": {"after": "c"}, "next": "https://x/?after=c"}}),
                parameter("after", "c", true),
            ),
            (json!({"data": one, "paging": {"cursors": {"after": "c"}}}), parameter("after", "c", false)),
            (json!({"data": one, "paging": {"cursors": {"after": "c"}, "next": null}}), None),
            (json!({"data": one, "paging": {"cursors": {"before": "b"}}}), None),
            (json!({"data": one, "page": 1, "total_pages": 3}), parameter("page", "2", true)),
            (json!({"data": one, "page": 3, "total_pages": 3}), None),
            (json!({"data": one, "page": 0, "total_pages": 2}), parameter("page", "1", true)),
            (json!({"data": one, "page": 1, "total_pages": "2"}), parameter("page", "2", true)),
            (json!({"data": {"items": one, "page": 1, "total_pages": 2}}), parameter("page", "2", true)),
            (json!({"data": one, "meta": {"current_page": 1, "last_page": 2}}), parameter("page", "2", true)),
            (json!({"data": one, "meta": {"pagination": {"page": 1, "total_pages": 2}}}), parameter("page", "2", true)),
            (
                json!({"results": one, "next": "https://x/list?page=2"}),
                Some(Next::Link("https://x/list?page=2".into())),
            ),
            (json!({"results": one, "next": null}), None),
            (json!({"items": one, "next": "abc"}), parameter("after", "abc", true)),
            (json!({"items": one, "next": 2}), parameter("page", "2", true)),
            (json!({"items": one, "links": {"next": {"href": "?page=2"}}}), Some(Next::Link("?page=2".into()))),
            (json!({"items": one, "next_cursor": "n"}), parameter("cursor", "n", true)),
            (json!({"items": one, "has_more": true, "page": 4}), parameter("page", "5", true)),
            (json!({"items": one, "has_more": false, "next_cursor": "n"}), None),
            (json!({"items": one, "total": 5, "page": 1, "limit": 1}), parameter("page", "2", true)),
            (json!({"items": one, "total": 5, "offset": 3, "limit": 1}), parameter("offset", "4", true)),
            (json!({"items": one, "total": 5, "offset": 4, "limit": 1}), None),
            (json!({"items": one, "total": 5}), None),
        ];
        for (shape, expected) in cases {
            assert_eq!(read(&shape).unwrap().next, expected, "{shape}");
        }
    }

    #[test]
    fn records_are_found_without_decoding_them() {
        // Invalid strings and endless values affect only themselves.
        let text = format!(
            r#"{{"data": [{{"a": "\ud800"}}, {}], "junk": "\udfff", "long": [{}0], "total": 2}}"#,
            "[".repeat(2_000) + &"]".repeat(2_000),
            "0,".repeat(50_000),
        );
        let page = page(split(&text).unwrap(), None, false).unwrap();
        assert_eq!((page.records.len(), page.total), (2, Some(2)));
        assert_eq!(page.records[0].get(), r#"{"a": "\ud800"}"#);
        assert!(split(r#"{"data": [{"a": 1}]"#).is_err(), "what is no JSON is none");
    }

    #[test]
    fn records_over_the_limit_are_counted() {
        let list = |count: usize| json!({"data": vec![json!({}); count]});
        assert_eq!(read(&list(MAX_PAGE_RECORDS)).unwrap().records.len(), MAX_PAGE_RECORDS);
        assert_eq!(read(&list(MAX_PAGE_RECORDS + 3)).unwrap_err(), Fault::TooMany(MAX_PAGE_RECORDS + 3));
    }

    #[test]
    fn of_duplicate_keys_the_last_counts() {
        let page = page(split(r#"{"data": [], "data": [{"uuid": "a"}]}"#).unwrap(), None, false).unwrap();
        assert_eq!(page.records.len(), 1);
    }
}
