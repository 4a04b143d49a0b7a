//! Reads the templates of a text: one template, or a list of them as the channel and the provider answer it.

use command_types::composer::{Draft, TextFault};
use command_types::transfer::{FoundTemplate, FoundTemplates, UnreadableTemplate};
use model::template::Template;
use model::visible::visible;
use serde_json::{Map, Value};

use crate::inspection::draft_findings;
use crate::plain_text;
use crate::template_text::{self, at_start, content_of, text_without_mark, unreadable, value_of};

/// Maximum size of a text with a list of templates, in bytes.
pub const MAX_LIST_BYTES: u64 = 16 * 1024 * 1024;
/// Maximum number of templates, readable or not, that are listed to choose from.
pub const MAX_TEMPLATES: usize = 10_000;
/// How deep in an answer the list may be, such as `{"message_templates": {"data": []}}`.
const MAX_DEPTH: usize = 3;

/// Reads all templates of a text as drafts of a workspace, with the WABAs that they name. A template that cannot be
/// read does not affect the others.
///
/// # Errors
/// A [`TextFault`] if the text is neither JSON nor a message, is one template that cannot be read, or has more than [`MAX_TEMPLATES`].
pub fn read(text: &str, workspace: &str) -> Result<FoundTemplates, TextFault> {
    let text = text_without_mark(text);
    let mut found = FoundTemplates::default();
    let value = match (value_of(text), plain_text::template_of(text)) {
        (Ok(value), _) => value,
        (Err(_), Some(template)) => {
            let template = of(None, template, Vec::new(), workspace);
            found.templates.push(FoundTemplate { is_plain_text: true, ..template });
            return Ok(found);
        }
        (Err(fault), None) => return Err(fault),
    };
    let Some(items) = list_in(&value, MAX_DEPTH) else {
        if let Some(reason) = why_no_template(&value) {
            return Err(at_start("read.no_template", format!("This {reason}")));
        }
        let read = template_text::read(text);
        let template =
            read.template.ok_or_else(|| read.fault.unwrap_or_else(|| at_start("read.shape", String::new())))?;
        found.templates.push(of(None, template, read.waba_ids, workspace));
        return Ok(found);
    };
    if items.is_empty() {
        return Err(at_start("read.none", "This list contains no templates.".to_owned()));
    }
    if items.len() > MAX_TEMPLATES {
        return Err(at_start(
            "read.too_many",
            "This list has more than 10,000 templates. Import it in parts.".to_owned(),
        ));
    }
    for (place, item) in (1..).zip(items) {
        let reason = why_no_template(item).map(|reason| at_start("read.no_template", format!("It {reason}")));
        let read = reason.map_or_else(
            || model::json::read::<Template>(item).map_err(|error| at_start("read.shape", unreadable(item, &error))),
            Err,
        );
        match read {
            Ok(mut template) => {
                let waba_ids = template_text::take_wabas(&mut template);
                found.templates.push(of(Some(place), template, waba_ids, workspace));
            }
            Err(reason) => found.unreadable.push(UnreadableTemplate {
                source: String::new(),
                place: Some(place),
                name: item.get("name").and_then(Value::as_str).map(visible).unwrap_or_default().into_owned(),
                reason,
            }),
        }
    }
    Ok(found)
}

fn of(place: Option<u32>, template: Template, waba_ids: Vec<String>, workspace: &str) -> FoundTemplate {
    let draft = Draft {
        id: uuid::Uuid::new_v4().to_string(),
        workspace: workspace.to_owned(),
        template: content_of(template),
        waba_ids,
        ..Draft::default()
    };
    FoundTemplate { source: String::new(), place, is_plain_text: false, findings: draft_findings(&draft, None), draft }
}

/// Whether an object is, or is meant as, a template.
fn is_template(fields: &Map<String, Value>) -> bool {
    fields.contains_key("components") || fields.get("name").is_some_and(Value::is_string)
}

/// The list of templates in an answer; `None` if it is a template, or has none.
fn list_in(value: &Value, depth: usize) -> Option<&Vec<Value>> {
    match value {
        Value::Array(items) => Some(items),
        Value::Object(fields) if depth > 0 && !is_template(fields) => {
            let lists = || fields.values().filter_map(|value| list_in(value, depth - 1));
            let holds_templates =
                |items: &&Vec<Value>| items.iter().any(|item| item.as_object().is_some_and(is_template));
            lists().find(holds_templates).or_else(|| fields.get("data").and_then(Value::as_array))
        }
        _ => None,
    }
}

/// Why a value is not a template, as the rest of a sentence; `None` for an object that may be one.
fn why_no_template(value: &Value) -> Option<String> {
    match value {
        Value::Object(fields) if is_template(fields) => None,
        Value::Object(fields) => {
            let keys: Vec<_> = fields.keys().take(5).map(|key| format!("`{}`", visible(key))).collect();
            let only = if keys.is_empty() { String::new() } else { format!(", only {}", keys.join(", ")) };
            Some(format!("has no name and no components{only}, so it is not a template."))
        }
        other => Some(format!(
            "is {}, not a template: an object with name, language and components.",
            template_text::kind(other)
        )),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    fn names(text: &str) -> Vec<String> {
        read(text, "w").unwrap().templates.into_iter().map(|found| found.draft.template.name).collect()
    }

    fn template(name: &str) -> Value {
        json!({"name": name, "language": "en", "category": "UTILITY", "components": [{"type": "BODY", "text": "Hi"}]})
    }

    #[test]
    fn a_list_is_read_in_every_shape() {
        let (a, b) = (template("a"), template("b"));
        for (text, expected) in [
            (a.to_string(), vec!["a"]),
            (format!("\u{feff}{a}"), vec!["a"]),
            (json!([a, b]).to_string(), vec!["a", "b"]),
            (json!({"data": [a], "paging": {"cursors": {"after": "x"}}}).to_string(), vec!["a"]),
            (json!({"data": [a, b]}).to_string(), vec!["a", "b"]),
            (json!({"message_templates": {"data": [a, b]}, "id": "1"}).to_string(), vec!["a", "b"]),
            (json!({"errors": [], "templates": [b]}).to_string(), vec!["b"]),
        ] {
            assert_eq!(names(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_template_of_the_channels_list_becomes_a_draft() {
        let text = json!({"data": [{"name": "a", "language": "pt_BR", "status": "APPROVED", "id": "1", "category": "UTILITY",
            "waba_ids": [9], "later": 1, "components": [{"type": "BODY", "text": "Oi"}]}]});
        let found = read(&text.to_string(), "w").unwrap().templates.remove(0);
        assert_eq!(
            (found.place, found.draft.waba_ids, found.draft.workspace.as_str()),
            (Some(1), vec!["9".to_owned()], "w")
        );
        let extra: Vec<_> = found.draft.template.extra.keys().cloned().collect();
        assert_eq!(extra, ["later"]);
        let other = read(&template("b").to_string(), "w").unwrap().templates.remove(0);
        assert_eq!((other.place, other.draft.waba_ids), (None, Vec::new()));
    }

    #[test]
    fn unreadable_templates_are_named_and_the_others_are_kept() {
        let broken = json!({"name": "broken", "components": [5]});
        let text = json!([template("a"), broken, {"status": "APPROVED"}, 5, template("b")]).to_string();
        let found = read(&text, "w").unwrap();
        assert_eq!(found.templates.len(), 2);
        let unreadable: Vec<_> =
            found.unreadable.iter().map(|one| (one.place, one.name.as_str(), one.reason.message.as_str())).collect();
        assert_eq!(unreadable[0].0, Some(2));
        assert_eq!(unreadable[0].1, "broken");
        assert!(unreadable[0].2.starts_with("Component 1 is a number"), "{unreadable:?}");
        assert!(unreadable[1].2.contains("no name and no components, only `status`"), "{unreadable:?}");
        assert!(unreadable[2].2.contains("It is a number"), "{unreadable:?}");
    }

    #[test]
    fn a_text_without_a_template_is_refused() {
        for (text, words) in [
            ("", "paste the JSON"),
            ("[]", "contains no templates"),
            ("{\"data\": []}", "contains no templates"),
            ("{}", "no name and no components"),
            ("{\"error\": {\"message\": \"Invalid token\", \"data\": [1]}}", "only `error`"),
            ("5", "is a number"),
            ("{\"name\": \"a\",}", "trailing comma"),
            ("{\"name\": \"a\", \"components\": 5}", "`components` is a number"),
        ] {
            let fault = read(text, "w").unwrap_err();
            assert!(fault.message.contains(words), "{text}: {}", fault.message);
        }
    }

    #[test]
    fn a_list_of_too_many_templates_is_refused() {
        let fault = read(&Value::from(vec![0; MAX_TEMPLATES + 1]).to_string(), "w").unwrap_err();
        assert!(fault.message.contains("more than 10,000 templates"), "{}", fault.message);
        assert_eq!(
            read(&Value::from(vec![0; MAX_TEMPLATES]).to_string(), "w").unwrap().unreadable.len(),
            MAX_TEMPLATES
        );
    }
}
