//! Requests that the window sends as patches of the one before.
//!
//! In the isolation frame a call costs time with every byte (decision 0017), and while a person types, a whole draft is
//! sent several times a second. So the page numbers such requests and sends only the values that differ
//! (`ui/src/lib/ipc/request-patches.ts`).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The commands whose last request is kept. None of them has a secret.
const PATCHED: [&str; 2] = ["inspect_template", "save_draft"];

/// Rejects a patch of another request than the last one. The page sends the whole request then.
pub(crate) const BASE_MISMATCH: &str = "the patch is not of the last request";

/// Maximum number of steps in a path. Without it, patches could nest a request so deep that reading it overflows the stack.
const MAX_STEPS: usize = 32;

/// The last request of each command in [`PATCHED`], with its revision.
#[derive(Default)]
pub(crate) struct PatchBases(Mutex<HashMap<String, (u64, Value)>>);

impl PatchBases {
    /// The request of a call: that of `{request}`, `{request, revision}` or `{patch, base, revision}`, where `base` is the
    /// revision to patch and `patch` a list of `{path, value}` with JSON pointers (RFC 6901) to values that exist. Without
    /// a request and a patch, an empty object.
    ///
    /// # Errors
    /// [`BASE_MISMATCH`], also when the patch does not fit, or the command takes none.
    pub(crate) fn resolve(&self, command: &str, payload: &Value) -> Result<Value, &'static str> {
        let revision = payload.get("revision").and_then(Value::as_u64).filter(|_| PATCHED.contains(&command));
        let mut bases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let request = match payload.get("patch") {
            Some(patch) => {
                let base = payload.get("base").and_then(Value::as_u64);
                let last = bases.remove(command).filter(|(revision, _)| Some(*revision) == base);
                last.and_then(|(_, request)| apply(request, patch)).ok_or(BASE_MISMATCH)?
            }
            None => payload.get("request").cloned().unwrap_or_else(|| Value::Object(serde_json::Map::new())),
        };
        if let Some(revision) = revision {
            bases.insert(command.to_owned(), (revision, request.clone()));
        }
        Ok(request)
    }
}

/// `None` when the patch does not fit.
fn apply(mut request: Value, patch: &Value) -> Option<Value> {
    for replacement in patch.as_array()? {
        let path = replacement.get("path")?.as_str().filter(|path| path.matches('/').count() <= MAX_STEPS)?;
        *request.pointer_mut(path)? = replacement.get("value")?.clone();
    }
    Some(request)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::json;

    use super::*;

    #[test]
    fn a_patched_request_is_whole() {
        let bases = PatchBases::default();
        let resolve = |payload: Value| bases.resolve("save_draft", &payload);
        let first = json!({"id": "d", "items": [{"text": "a"}, {"a/b~": "b"}], "none": null});
        assert_eq!(resolve(json!({"request": first, "revision": 7})), Ok(first.clone()));
        let patch = json!([{"path": "/items/1/a~1b~0", "value": "c"}, {"path": "/none", "value": {"a": 1.50}}]);
        let second = json!({"id": "d", "items": [{"text": "a"}, {"a/b~": "c"}], "none": {"a": 1.50}});
        assert_eq!(resolve(json!({"patch": patch, "base": 7, "revision": 8})), Ok(second.clone()));
        assert_eq!(resolve(json!({"patch": [], "base": 8, "revision": 9})), Ok(second.clone()));
        // Each command has its own base, and a call without a revision leaves it.
        let other = bases.resolve("inspect_template", &json!({"patch": [], "base": 9, "revision": 10}));
        assert_eq!(other, Err(BASE_MISMATCH));
        assert_eq!(resolve(json!({"request": {"id": "e"}})), Ok(json!({"id": "e"})));
        assert_eq!(resolve(json!({})), Ok(json!({})));
        assert_eq!(resolve(json!({"patch": [], "base": 9, "revision": 11})), Ok(second));
    }

    #[test]
    fn a_patch_that_does_not_fit_is_refused_and_its_base_is_forgotten() {
        let first = json!({"request": {"items": [1]}, "revision": 1});
        for (base, patch) in [
            (json!(2), json!([])),
            (json!(null), json!([])),
            (json!("1"), json!([])),
            (json!(1), json!({})),
            (json!(1), json!([{"path": "/items/1", "value": 2}])),
            (json!(1), json!([{"path": "/items/-1", "value": 2}])),
            (json!(1), json!([{"path": "/other", "value": 2}])),
            (json!(1), json!([{"path": "items", "value": 2}])),
            (json!(1), json!([{"path": ["items"], "value": 2}])),
            (json!(1), json!([{"path": "/items"}])),
            (json!(1), json!([{"path": "/items/0".repeat(20), "value": 1}])),
        ] {
            let bases = PatchBases::default();
            bases.resolve("save_draft", &first).unwrap();
            let refused = bases.resolve("save_draft", &json!({"patch": patch, "base": base, "revision": 2}));
            assert_eq!(refused, Err(BASE_MISMATCH), "{patch}");
            let again = bases.resolve("save_draft", &json!({"patch": [], "base": 1, "revision": 3}));
            assert_eq!(again, Err(BASE_MISMATCH), "{patch}");
        }
    }

    #[test]
    fn patches_cannot_nest_a_request_ever_deeper() {
        let bases = PatchBases::default();
        bases.resolve("save_draft", &json!({"request": {"a": null}, "revision": 0})).unwrap();
        let deeper = |revision: usize| {
            let path = "/a".repeat(revision);
            let payload =
                json!({"patch": [{"path": path, "value": {"a": null}}], "base": revision - 1, "revision": revision});
            bases.resolve("save_draft", &payload)
        };
        let refused = (1..100).find(|revision| deeper(*revision).is_err());
        assert_eq!(refused, Some(MAX_STEPS + 1));
    }

    #[test]
    fn the_page_has_the_same_commands_and_words() {
        let page = include_str!("../../ui/src/lib/ipc/request-patches.ts");
        assert!(page.contains(&format!("PATCHED: ReadonlySet<CommandName> = new Set<CommandName>({PATCHED:?});")));
        assert!(page.contains(&format!("BASE_MISMATCH = {BASE_MISMATCH:?};")));
    }

    #[test]
    fn requests_of_other_commands_are_not_kept() {
        let bases = PatchBases::default();
        bases.resolve("save_workspace", &json!({"request": {"token": "t"}, "revision": 1})).unwrap();
        assert!(bases.0.lock().unwrap().is_empty());
        let refused = bases.resolve("save_workspace", &json!({"patch": [], "base": 1, "revision": 2}));
        assert_eq!(refused, Err(BASE_MISMATCH));
    }
}
