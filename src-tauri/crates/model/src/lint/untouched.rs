//! Findings about parts of an accepted template that an edit leaves as they are. The channel has approved these parts, so
//! they block nothing.

use serde_json::Value;

use super::{LintContext, rules};
use crate::finding::{Finding, Severity};
use crate::template::Template;

/// Makes warnings of the findings that `accepted` has too, if `edited` leaves what they are about as it is. Samples are
/// excluded: every request has to bring them.
pub fn mark_untouched(findings: &mut [Finding], edited: &Template, accepted: &Template) {
    let is_candidate = |finding: &Finding| finding.blocks() && !finding.is_of_sample();
    if !findings.iter().any(is_candidate) {
        return;
    }
    let mut earlier = rules::findings(accepted, &LintContext::default());
    let (new, old) = (Document::of(edited), Document::of(accepted));
    // The same place first: a part may occur twice.
    for exact in [true, false] {
        for finding in findings.iter_mut().filter(|finding| is_candidate(finding)) {
            let same = |before: &Finding| {
                before.code == finding.code
                    && before.values == finding.values
                    && is_same_part(&new, &finding.path, &old, &before.path, exact)
            };
            if let Some(at) = earlier.iter().position(same) {
                earlier.swap_remove(at);
                finding.severity = Severity::Warning;
                finding.untouched = true;
            }
        }
    }
}

/// A template as JSON, with the type of each component.
struct Document {
    json: Value,
    types: Vec<String>,
}

impl Document {
    fn of(template: &Template) -> Self {
        let types = template.components.iter().map(|component| component.type_name().to_ascii_uppercase()).collect();
        Self { json: serde_json::to_value(template).unwrap_or_default(), types }
    }

    /// A path that is independent of the order of the components: the component's type instead of its index.
    fn place(&self, path: &str) -> String {
        let named = || {
            let rest = path.strip_prefix("/components/")?;
            let (index, inner) = rest.split_once('/').unwrap_or((rest, ""));
            let kind = self.types.get(index.parse::<usize>().ok()?)?;
            Some(format!("/components/{kind}/{inner}"))
        };
        named().unwrap_or_else(|| path.to_owned())
    }
}

fn is_same_part(new: &Document, path: &str, old: &Document, earlier: &str, exact: bool) -> bool {
    let (now, before) = (new.json.pointer(path), old.json.pointer(earlier));
    if new.place(path) == old.place(earlier) {
        // A count or an order within a list is the same as before; a text that was changed is another one.
        let is_list = |value: Option<&Value>| value.is_some_and(|value| value.is_array() || value.is_object());
        return now == before || (is_list(now) && is_list(before));
    }
    if exact {
        return false;
    }
    // Moved within its list: the same button or card, at another index.
    let parent = |path: &str| path.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
    let component = |document: &Document, path: &str| document.place(path).split('/').nth(2).map(str::to_owned);
    let whole = |value: Option<&Value>, document: &Document, path: &str| match value {
        Some(value) if value.is_object() => Some(value.clone()),
        _ => document.json.pointer(&parent(path)).cloned(),
    };
    component(new, path) == component(old, earlier)
        && whole(now, new, path).is_some_and(|part| part.is_object() && Some(part) == whole(before, old, earlier))
}
