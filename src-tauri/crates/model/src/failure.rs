//! Error objects: reasons of failed messages (contract §7; upstream §7).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use ts_rs::TS;

use crate::Object;
use crate::lenient::{maybe_flag, maybe_integer, maybe_text};

/// An error object, in either of two forms.
///
/// The provider's form has `retryable`, `classification` and structured `details`; the channel's has `error_data` and
/// `href`. Both are read into the same fields, and each is written back in its own form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Failure {
    /// The channel's code, such as `131053`.
    #[serde(deserialize_with = "maybe_integer", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub code: Option<i64>,
    /// A short name of the error.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether a retry may succeed later; the provider's.
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// Origin of the error, such as `UserError`; the provider's.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// For an oversize file an object with `file_size_bytes`, `max_size_bytes` and `reason`; any value otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub details: Option<Value>,
    /// The channel's details; read from an object or from plain text.
    #[serde(deserialize_with = "lenient_error_data", skip_serializing_if = "Option::is_none")]
    pub error_data: Option<ErrorData>,
    /// Address of the channel's documentation of the code.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// Details of an error in the channel's form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct ErrorData {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

fn lenient_error_data<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ErrorData>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(details) => Some(ErrorData { details: Some(details), ..ErrorData::default() }),
        data @ Value::Object(_) => serde_json::from_value(data).ok(),
        _ => None,
    })
}

/// Reads the error objects of a field that contains an object, an array, or plain text.
pub(crate) fn failures<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Failure>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Array(values) => values.into_iter().filter_map(Failure::read).collect(),
        value => Failure::read(value).into_iter().collect(),
    })
}

/// Writes one error object as itself, several as an array.
pub(crate) fn one_or_several<S: Serializer>(failures: &Vec<Failure>, serializer: S) -> Result<S::Ok, S::Error> {
    match failures.as_slice() {
        [failure] => failure.serialize(serializer),
        failures => failures.serialize(serializer),
    }
}

/// A value in `details` other than the reason, such as `file_size_bytes` (contract §7).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct FailureDetail {
    /// The provider's key.
    pub name: String,
    /// As received; a string without quotes.
    pub value: String,
}

impl Failure {
    /// Reads an error object, a bare code or plain text. A field in an unexpected form is kept among the unknown fields
    /// and doesn't affect the others. `None` if there is no information.
    #[must_use]
    pub fn read(value: Value) -> Option<Self> {
        match value {
            Value::Object(members) => {
                let (known, odd): (Object, Object) = members.into_iter().partition(|(key, value)| {
                    serde_json::from_value::<Self>(Value::Object(Object::from_iter([(key.clone(), value.clone())])))
                        .is_ok()
                });
                let mut failure: Self = serde_json::from_value(Value::Object(known)).ok()?;
                failure.extra.extend(odd);
                (failure != Self::default()).then_some(failure)
            }
            Value::String(words) if words.trim().is_empty() => None,
            Value::String(words) => Some(Self { message: Some(words), ..Self::default() }),
            Value::Number(code) => Some(Self { code: Some(code.as_i64()?), ..Self::default() }),
            Value::Null | Value::Bool(_) | Value::Array(_) => None,
        }
    }

    /// Merges error objects about the same thing: the first, completed by fields of others with the same code or
    /// without one.
    #[must_use]
    pub fn merged<'a>(failures: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut failures = failures.into_iter();
        let mut merged = failures.next()?.clone();
        for other in failures {
            if merged.code.is_some() && other.code.is_some() && merged.code != other.code {
                continue;
            }
            merged.code = merged.code.or(other.code);
            merged.title = merged.title.or_else(|| other.title.clone());
            merged.message = merged.message.or_else(|| other.message.clone());
            merged.retryable = merged.retryable.or(other.retryable);
            merged.classification = merged.classification.or_else(|| other.classification.clone());
            merged.details = merged.details.or_else(|| other.details.clone());
            merged.error_data = merged.error_data.or_else(|| other.error_data.clone());
            merged.href = merged.href.or_else(|| other.href.clone());
            for (key, value) in &other.extra {
                merged.extra.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        // A field in an unexpected form that another object has in a readable one.
        for (name, is_present) in merged.present_fields() {
            if is_present {
                merged.extra.remove(name);
            }
        }
        Some(merged)
    }

    /// The values in `details` other than the reason; nested values are skipped.
    #[must_use]
    pub fn parts(&self) -> Vec<FailureDetail> {
        let Some(Value::Object(details)) = &self.details else { return Vec::new() };
        let parts = details.iter().filter(|(name, _)| *name != "reason").filter_map(|(name, value)| {
            let value = match value {
                Value::String(text) if !text.trim().is_empty() => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => return None,
            };
            Some(FailureDetail { name: name.clone(), value })
        });
        parts.collect()
    }

    /// All texts of the provider, each once: title, message and details.
    #[must_use]
    pub fn all_words(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let error_details = self.error_data.as_ref().and_then(|data| data.details.as_deref());
        let texts = [self.title.as_deref(), self.message.as_deref(), self.structured(), error_details];
        for words in texts.into_iter().flatten().filter(|words| !words.trim().is_empty()) {
            if all.iter().all(|known| known != words) {
                all.push(words.to_owned());
            }
        }
        all
    }

    /// The known fields, and whether each has a value.
    fn present_fields(&self) -> [(&'static str, bool); 8] {
        [
            ("code", self.code.is_some()),
            ("title", self.title.is_some()),
            ("message", self.message.is_some()),
            ("retryable", self.retryable.is_some()),
            ("classification", self.classification.is_some()),
            ("details", self.details.is_some()),
            ("error_data", self.error_data.is_some()),
            ("href", self.href.is_some()),
        ]
    }

    fn structured(&self) -> Option<&str> {
        match &self.details {
            Some(Value::String(details)) => Some(details.as_str()),
            Some(Value::Object(details)) => details.get("reason").and_then(Value::as_str),
            _ => None,
        }
    }

    /// The provider's most specific text: the details, else the message, else the title.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        let error_details = self.error_data.as_ref().and_then(|data| data.details.as_deref());
        [error_details, self.structured(), self.message.as_deref(), self.title.as_deref()]
            .into_iter()
            .flatten()
            .find(|words| !words.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::event::status::StatusUpdate;

    fn failure(fields: Value) -> Option<Failure> {
        let mut status = json!({"id": "m", "status": "failed", "timestamp": "1"});
        status.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        serde_json::from_value::<StatusUpdate>(status).unwrap().failure()
    }

    #[test]
    fn code_title_and_details_are_read_at_every_position() {
        let object = json!({"code": 131_053, "title": "Media upload error", "message": "Too large", "retryable": false,
            "classification": "UserError",
            "details": {"file_size_bytes": 6_000_000, "max_size_bytes": 5_242_880, "reason": "Over 5 MB"}});
        let expected = Failure::read(object.clone()).unwrap();
        assert_eq!(expected.all_words(), ["Media upload error", "Too large", "Over 5 MB"]);
        let parts: Vec<_> = expected.parts().into_iter().map(|part| (part.name, part.value)).collect();
        let part = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(parts, [part("file_size_bytes", "6000000"), part("max_size_bytes", "5242880")]);
        for fields in [
            json!({"error": object}),
            json!({"error": [object]}),
            json!({"errors": object}),
            json!({"errors": [object]}),
            json!({"error": object, "errors": [object]}),
            json!({"error": [object, object], "errors": null}),
            json!({"errors": [], "error": [null, "", object]}),
            // Fields missing in one object are taken from the other.
            json!({"errors": [{"code": 131_053, "title": "Media upload error"}], "error": object}),
            json!({"errors": [{"title": "Media upload error"}], "error": [object]}),
        ] {
            assert_eq!(failure(fields.clone()).as_ref(), Some(&expected), "{fields}");
        }
    }

    #[test]
    fn readable_fields_of_odd_error_objects_are_kept() {
        let cases = [
            (json!({"error": "The file is broken"}), None, "The file is broken"),
            (json!({"errors": ["The file is broken"]}), None, "The file is broken"),
            (json!({"error": 131_053}), Some(131_053), ""),
            (json!({"error": {"code": "131053", "title": "t"}}), Some(131_053), "t"),
            (json!({"error": {"code": "E-17", "title": "t"}}), None, "t"),
            (json!({"error": {"code": 1, "retryable": "maybe", "message": "m"}}), Some(1), "m"),
            (json!({"error": {"code": 1, "title": ["x"], "message": "m"}}), Some(1), "m"),
            (json!({"error": {"code": 1, "error_data": "d"}}), Some(1), "d"),
            // Errors with another code are not merged: the first is shown.
            (json!({"errors": [{"code": 1, "title": "a"}, {"code": 2, "message": "b"}]}), Some(1), "a"),
        ];
        for (fields, code, words) in cases {
            let failure = failure(fields.clone()).unwrap();
            assert_eq!((failure.code, failure.words().unwrap_or_default()), (code, words), "{fields}");
        }
        for fields in [json!({}), json!({"error": null, "errors": []}), json!({"error": {}, "errors": [{}, 1.5, true]})]
        {
            assert_eq!(failure(fields.clone()), None, "{fields}");
        }
        let odd = failure(json!({"error": {"code": "E-17", "x": 1}})).unwrap();
        assert_eq!(serde_json::to_value(odd).unwrap(), json!({"code": "E-17", "x": 1}), "nothing is lost");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let key = prop::sample::select(vec![
            "code",
            "title",
            "message",
            "retryable",
            "details",
            "error_data",
            "href",
            "reason",
            "x",
        ]);
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((key.clone(), inner), 0..6).prop_map(|members| Value::Object(
                    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
                )),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn any_error_json_keeps_the_status_readable(error in any_json(), errors in any_json()) {
            let read = failure(json!({"error": error, "errors": errors}));
            if let Some(failure) = read {
                let again = Failure::read(serde_json::to_value(&failure).unwrap());
                prop_assert_eq!(again, Some(failure), "what is stored is read as it was");
            }
        }
    }
}
