//! Finds the records of a list answer and the way to the next page, in every form that is in use (contract §4.7 shows
//! none).

use serde_json::{Map, Value};

/// One page.
#[derive(Debug, PartialEq)]
pub(crate) struct Page {
    pub(crate) records: Vec<Value>,
    /// How many there are in all, where the answer says so.
    pub(crate) total: Option<u64>,
    /// The page's own number, where the answer says so.
    pub(crate) number: Option<u64>,
    pub(crate) next: Option<Next>,
}

/// Where the next page is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Next {
    /// A query parameter to add. `certain` unless the answer gave a cursor but no sign that anything follows.
    Parameter { name: &'static str, value: String, certain: bool },
    /// An address.
    Link(String),
}

const LISTS: [&str; 6] = ["data", "templates", "items", "results", "records", "workspace_templates"];

/// Reads a page. `asked` is the page number that was asked for; `from_zero` says that pages are counted from 0.
///
/// `None` when there is no list of records where one is looked for.
pub(crate) fn page(value: Value, asked: Option<u64>, from_zero: bool) -> Option<Page> {
    let mut root = match value {
        Value::Array(records) => return Some(Page { records, total: None, number: None, next: None }),
        Value::Object(root) => root,
        _ => return None,
    };
    let records = take_list(&mut root)?;
    let described = describing(&root);
    let number = numeric(&described, &["page", "current_page", "currentPage", "page_number"]);
    let total = numeric(&described, &["total", "total_count", "totalCount", "total_items", "count_total"]);
    let next = next(&described, number.or(asked), from_zero || number == Some(0), total, records.len() as u64);
    Some(Page { records, total, number, next })
}

fn take_list(root: &mut Map<String, Value>) -> Option<Vec<Value>> {
    for key in LISTS {
        match root.get_mut(key) {
            Some(Value::Array(records)) => return Some(std::mem::take(records)),
            Some(Value::Object(inner)) if key == "data" => {
                return LISTS.iter().find_map(|key| match inner.get_mut(*key) {
                    Some(Value::Array(records)) => Some(std::mem::take(records)),
                    _ => None,
                });
            }
            _ => {}
        }
    }
    None
}

/// The objects that can say where in the list this page stands.
fn describing(root: &Map<String, Value>) -> Vec<&Map<String, Value>> {
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
        // The channel leaves `next` out on its last page; others leave it out always, so one more page is asked for.
        // Written as null it says plainly that nothing follows.
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

    fn parameter(name: &'static str, value: &str, certain: bool) -> Option<Next> {
        Some(Next::Parameter { name, value: value.to_owned(), certain })
    }

    #[test]
    fn finds_the_records_in_every_shape() {
        let records = json!([{"uuid": "a"}]);
        for shape in [
            records.clone(),
            json!({"data": records}),
            json!({"data": {"items": records}}),
            json!({"data": {"templates": records}}),
            json!({"data": {"data": records}}),
            json!({"templates": records}),
            json!({"results": records, "total": 1}),
            json!({"items": records}),
        ] {
            assert_eq!(json!(page(shape.clone(), None, false).unwrap().records), records, "{shape}");
        }
    }

    #[test]
    fn never_takes_an_unknown_shape_for_an_empty_list() {
        for shape in [
            json!({}),
            json!({"data": null}),
            json!({"data": {"uuid": "a"}}),
            json!({"message": "ok"}),
            json!("templates"),
            json!(null),
            json!({"templates": {"a": {}}}),
        ] {
            assert_eq!(page(shape.clone(), None, false), None, "{shape}");
        }
    }

    #[test]
    fn finds_the_next_page_in_every_form() {
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
            assert_eq!(page(shape.clone(), None, false).unwrap().next, expected, "{shape}");
        }
    }
}
