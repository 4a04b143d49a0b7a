//! Requests that the window sends as their changes since the one before.
//!
//! In the isolation frame a call costs time with every byte (decision 0017), and while a person types, a whole draft is
//! sent several times a second. So the page numbers such requests and sends only what changed
//! (`ui/src/lib/ipc/request-changes.ts`).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// Rejects changes of a request that is not the last one here. The page sends the whole request then.
pub(crate) const OTHER_BASE: &str = "the changes are not of the last request";

/// The last numbered request of each command.
#[derive(Debug, Default)]
pub(crate) struct LastRequests(Mutex<HashMap<String, (u64, Value)>>);

impl LastRequests {
    /// The request of a call: `{request}`, `{request, number}` for one that can be changed later, or
    /// `{changes: {base, set}, number}` with the number of the request to change and pairs of a path and a value. Without
    /// all of them, an empty object.
    ///
    /// # Errors
    /// [`OTHER_BASE`] when the changes are of another request than the last one.
    pub(crate) fn whole(&self, command: &str, payload: &Value) -> Result<Value, &'static str> {
        let number = payload.get("number").and_then(Value::as_u64);
        if let Some(changes) = payload.get("changes") {
            let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let base =
                last.remove(command).filter(|(base, _)| changes.get("base").and_then(Value::as_u64) == Some(*base));
            let (Some(number), Some((_, mut request))) = (number, base) else { return Err(OTHER_BASE) };
            set(&mut request, changes).ok_or(OTHER_BASE)?;
            last.insert(command.to_owned(), (number, request.clone()));
            return Ok(request);
        }
        let request = payload.get("request").cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        if let Some(number) = number {
            let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            last.insert(command.to_owned(), (number, request.clone()));
        }
        Ok(request)
    }
}

/// Applies changes; `None` when they do not fit.
fn set(request: &mut Value, changes: &Value) -> Option<()> {
    for change in changes.get("set")?.as_array()? {
        let [path, value] = change.as_array()?.as_slice() else { return None };
        *place(request, path.as_array()?)? = value.clone();
    }
    Some(())
}

/// The value at a path, if there is one.
fn place<'a>(request: &'a mut Value, path: &[Value]) -> Option<&'a mut Value> {
    path.iter().try_fold(request, |value, step| match (value, step) {
        (Value::Object(fields), Value::String(key)) => fields.get_mut(key),
        (Value::Array(items), Value::Number(position)) => items.get_mut(usize::try_from(position.as_u64()?).ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_whole_again_after_its_changes() {
        let last = LastRequests::default();
        let whole = |payload: Value| last.whole("save", &payload);
        let first = json!({"id": "d", "items": [{"text": "a"}, {"text": "b"}], "none": null});
        assert_eq!(whole(json!({"request": first, "number": 7})), Ok(first.clone()));
        let changes = json!({"base": 7, "set": [[["items", 1, "text"], "c"], [["none"], {"a": 1.50}]]});
        let second = json!({"id": "d", "items": [{"text": "a"}, {"text": "c"}], "none": {"a": 1.50}});
        assert_eq!(whole(json!({"changes": changes, "number": 8})), Ok(second.clone()));
        assert_eq!(whole(json!({"changes": {"base": 8, "set": []}, "number": 9})), Ok(second));
        // Another command has its own last request, and a call without a number leaves them alone.
        let other = last.whole("inspect", &json!({"changes": {"base": 9, "set": []}, "number": 10}));
        assert_eq!(other, Err(OTHER_BASE));
        assert_eq!(whole(json!({"request": {"id": "e"}})), Ok(json!({"id": "e"})));
        assert_eq!(whole(json!({})), Ok(json!({})));
        assert_eq!(whole(json!({"changes": {"base": 9, "set": [[[], 1]]}, "number": 10})), Ok(json!(1)));
    }

    #[test]
    fn changes_that_do_not_fit_are_refused_and_the_base_is_forgotten() {
        let first = json!({"request": {"items": [1]}, "number": 1});
        for changes in [
            json!({"base": 2, "set": []}),
            json!({"base": 1, "set": [[["items", 1], 2]]}),
            json!({"base": 1, "set": [[["items", -1], 2]]}),
            json!({"base": 1, "set": [[["items", "0"], 2]]}),
            json!({"base": 1, "set": [[["other"], 2]]}),
            json!({"base": 1, "set": [[["items", 0, "x"], 2]]}),
            json!({"base": 1, "set": [["items", 2]]}),
            json!({"base": 1, "set": [[["items"]]]}),
            json!({"base": 1}),
            json!({"set": []}),
            json!([]),
        ] {
            let last = LastRequests::default();
            last.whole("save", &first).unwrap();
            let refused = last.whole("save", &json!({"changes": changes, "number": 2}));
            assert_eq!(refused, Err(OTHER_BASE), "{changes}");
            let again = last.whole("save", &json!({"changes": {"base": 1, "set": []}, "number": 3}));
            assert_eq!(again, Err(OTHER_BASE), "{changes}");
        }
    }
}
