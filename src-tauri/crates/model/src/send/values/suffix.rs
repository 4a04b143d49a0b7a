//! Checks the end of a button's address.

use super::{Code, Named, placeholder, value_problem};
use crate::link::{encode_suffix, first_unencoded};
use crate::rules::{ValueFault, value_fault};
use crate::send::form::SendPart;
use crate::send::limits::ADDRESS_LENGTH;
use crate::send::problem::SendProblem;

/// The problem with the end of an address. Includes a warning if it repeats the address, or if it is sent
/// percent-encoded, in another form than typed.
pub(super) fn problem(part: &SendPart, value: &str) -> Option<SendProblem> {
    let found = |code: Code, values: Named<'_>| Some(SendProblem::new(part.id.clone(), code, values));
    if let Some(fault @ (ValueFault::LineBreak | ValueFault::Tab)) = value_fault(value) {
        return found(value_problem(fault), &[]);
    }
    if let Some(problem) = placeholder(part, value) {
        return Some(problem);
    }
    let base = part.prefix.as_deref().unwrap_or_default();
    let trimmed = value.trim();
    match repetition(base, trimmed) {
        Some(Repetition::Whole(suffix)) if !suffix.is_empty() => {
            return found(Code::ValueWholeAddress, &[("base", &base), ("suffix", &suffix)]);
        }
        Some(Repetition::Whole(_) | Repetition::Other) => return found(Code::ValueOtherAddress, &[("base", &base)]),
        Some(Repetition::Slash(suffix)) => return found(Code::ValueSlash, &[("suffix", &suffix)]),
        None => {}
    }
    let encoded = encode_suffix(value);
    if let Some(first) = first_unencoded(value) {
        // Without the spaces around it, which nobody means.
        let suffix = if trimmed.len() < value.len() { trimmed } else { "" };
        return found(Code::ValueUrlEncoding, &[("char", &first), ("encoded", &encoded), ("suffix", &suffix)]);
    }
    let room = part.limit.unwrap_or(ADDRESS_LENGTH);
    let length = encoded.chars().count();
    if length > room {
        let length = length + (ADDRESS_LENGTH - room);
        return found(Code::ValueAddressTooLong, &[("length", &length), ("limit", &ADDRESS_LENGTH)]);
    }
    None
}

/// What a value repeats of the address before it.
enum Repetition<'v> {
    /// The whole beginning of the address; the rest is the suffix.
    Whole(&'v str),
    /// It is the address of another place.
    Other,
    /// The slash at the end of the address; the rest is the suffix.
    Slash(&'v str),
}

fn repetition<'v>(base: &str, value: &'v str) -> Option<Repetition<'v>> {
    let scheme = scheme_of(value);
    let rest = &value[scheme..];
    let own = &base[scheme_of(base)..];
    // Without its scheme, an address is recognised by the name of the site.
    let is_site = |text: &str| text.split(['/', '?', '#']).next().is_some_and(|host| host.contains('.'));
    if scheme > 0 || is_site(own) {
        for (own, rest) in [(own, rest), (without_www(own), without_www(rest))] {
            let start = rest.get(..own.len()).filter(|start| start.eq_ignore_ascii_case(own));
            if start.is_some() && (scheme > 0 || !own.is_empty()) {
                return Some(Repetition::Whole(&rest[own.len()..]));
            }
        }
    }
    // An address may be the value of a query, as in https://example.com/?to={{1}}.
    if scheme > 0 && !base.ends_with('=') {
        return Some(Repetition::Other);
    }
    (base.ends_with('/') && value.starts_with('/')).then(|| Repetition::Slash(value.trim_start_matches('/')))
}

/// Length of the scheme of an address, with its slashes.
fn scheme_of(address: &str) -> usize {
    let schemes = ["https://", "http://"].into_iter();
    let mut starts =
        schemes.filter(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    starts.next().map_or(0, str::len)
}

fn without_www(address: &str) -> &str {
    address.get(..4).filter(|www| www.eq_ignore_ascii_case("www.")).map_or(address, |_| &address[4..])
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::json;

    use crate::send::check_values;
    use crate::template::Template;

    #[test]
    fn repeated_addresses_are_reported_with_what_to_enter() {
        for (url, value, code, suffix) in [
            ("https://shop.example/t/{{1}}", "AB12", None, ""),
            ("https://shop.example/t/{{1}}", "https://shop.example/t/AB12", Some("value.wholeAddress"), "AB12"),
            ("https://shop.example/t/{{1}}", " HTTP://SHOP.example/t/AB 12", Some("value.wholeAddress"), "AB 12"),
            ("https://shop.example/t/{{1}}", "https://www.shop.example/t/AB12", Some("value.wholeAddress"), "AB12"),
            ("https://www.shop.example/t/{{1}}", "shop.example/t/AB12", Some("value.wholeAddress"), "AB12"),
            // Nothing follows.
            ("https://shop.example/t/{{1}}", "https://shop.example/t/", Some("value.otherAddress"), ""),
            ("https://{{1}}", "https://shop.example/t", Some("value.wholeAddress"), "shop.example/t"),
            ("https://{{1}}", "shop.example/t", None, ""),
            ("https://shop.example/t/{{1}}", "https://other.example/AB12", Some("value.otherAddress"), ""),
            // An address as the value of a query is meant.
            ("https://shop.example/?to={{1}}", "https://other.example/AB12", None, ""),
            ("https://shop.example/?to={{1}}", "https://shop.example/?to=7", Some("value.wholeAddress"), "7"),
            ("https://shop.example/t/{{1}}", "/AB12", Some("value.slash"), "AB12"),
            ("https://shop.example/t/{{1}}", "//AB12", Some("value.slash"), "AB12"),
            ("https://shop.example/t{{1}}", "/AB12", None, ""),
            ("https://shop.example/t/{{1}}", "{{1}}", Some("value.placeholder"), ""),
            ("https://shop.example/t/{{1}}", "two words", Some("value.urlEncoding"), ""),
            ("https://shop.example/t/{{1}}", " 42 ", Some("value.urlEncoding"), "42"),
        ] {
            let template: Template =
                serde_json::from_value(json!({"name": "n", "language": "en", "category": "utility",
                "components": [{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [
                    {"type": "URL", "text": "Go", "url": url}]}]}))
                .unwrap();
            let values = serde_json::from_value(json!({"button.0.url": value})).unwrap();
            let problems = check_values(&template, &values, 0);
            assert!(problems.iter().all(|problem| !problem.is_error()), "{url} {value}: {problems:?}");
            let found = problems.first().map(|problem| problem.code.as_str());
            assert_eq!((found, problems.len()), (code, usize::from(code.is_some())), "{url} {value}");
            let entered = problems.first().and_then(|problem| problem.values.get("suffix")).map(String::as_str);
            assert_eq!(entered.unwrap_or_default(), suffix, "{url} {value}");
        }
    }
}
