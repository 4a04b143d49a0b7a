//! Links of the scheme `template-desk:`, by which other programs open a page of the window.
//!
//! ```text
//! link = "template-desk://" ("templates" | "sends" | "events") "/" id ["?workspace=" id]
//! ```
//!
//! An `id` is percent-encoded. Anything else is no link: a link comes from any program or page, so it names one page
//! and can start nothing.

use std::str::FromStr;

use uuid::Uuid;

/// The scheme, which the package registers.
pub(crate) const SCHEME: &str = "template-desk:";
/// Maximum length of a link in bytes.
const MAX_LENGTH: usize = 1_024;
/// Maximum length of an identifier in bytes, decoded.
const MAX_ID_LENGTH: usize = 256;
/// Pages that are no template, at addresses of templates.
const NO_TEMPLATES: [&str; 3] = ["import", "new", "removed"];

/// A link to a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    target: Target,
    /// Identifier of the workspace; without one, the workspace that is shown.
    pub(crate) workspace: Option<String>,
}

/// The page of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// A template, by the provider's reference.
    Template(String),
    Send(Uuid),
    Event(String),
}

/// A text that is no link of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoLink;

impl FromStr for Link {
    type Err = NoLink;

    fn from_str(link: &str) -> Result<Self, NoLink> {
        let (scheme, rest) = link.split_at_checked(SCHEME.len()).ok_or(NoLink)?;
        if link.len() > MAX_LENGTH || !scheme.eq_ignore_ascii_case(SCHEME) {
            return Err(NoLink);
        }
        let rest = rest.strip_prefix("//").ok_or(NoLink)?;
        let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        let (kind, id) = path.split_once('/').ok_or(NoLink)?;
        let id = decoded(id)?;
        let target = match kind {
            "templates" if !NO_TEMPLATES.contains(&id.as_str()) => Target::Template(id),
            "sends" => Target::Send(Uuid::try_parse(&id).map_err(|_| NoLink)?),
            "events" => Target::Event(id),
            _ => return Err(NoLink),
        };
        let workspace = query.map(|query| decoded(query.strip_prefix("workspace=").ok_or(NoLink)?)).transpose()?;
        Ok(Self { target, workspace })
    }
}

impl Link {
    /// The page, as a path of the window's router.
    pub(crate) fn place(&self) -> String {
        match &self.target {
            Target::Template(reference) => format!("/templates/{}", encoded(reference)),
            Target::Send(id) => format!("/sends/{id}"),
            // In quotes, because the router reads a bare number as such and loses digits of it.
            Target::Event(id) => format!("/activity?event={}", encoded(&format!("\"{id}\""))),
        }
    }
}

/// Decodes an identifier: letters, digits, `-`, `_`, `.` and `~` as they are, any other byte as `%` and two digits.
fn decoded(text: &str) -> Result<String, NoLink> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16)).ok_or(NoLink);
                let value = digit()? * 16 + digit()?;
                bytes.push(u8::try_from(value).map_err(|_| NoLink)?);
            }
            byte if is_plain(byte) => bytes.push(byte),
            _ => return Err(NoLink),
        }
    }
    let id = String::from_utf8(bytes).map_err(|_| NoLink)?;
    let is_readable = id.chars().all(|c| !c.is_control() && !c.is_whitespace() && !model::visible::is_invisible(c));
    // A router resolves these as steps of a path, and quotes would end the quoted value of a query.
    let is_one_step = id != "." && id != ".." && !id.contains(['/', '\\', '"']);
    if id.is_empty() || id.len() > MAX_ID_LENGTH || !is_readable || !is_one_step { Err(NoLink) } else { Ok(id) }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~')
}

/// An identifier encoded as one segment of a path, or as a value of a query.
pub(crate) fn encoded(id: &str) -> String {
    id.bytes().map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use proptest::prelude::*;

    use super::*;

    fn read(link: &str) -> Option<(String, Option<String>)> {
        link.parse::<Link>().ok().map(|link| (link.place(), link.workspace))
    }

    #[test]
    fn links_lead_to_templates_sends_and_events() {
        let id = "0198c0de-0000-4000-8000-00000000000a";
        for (link, place, workspace) in [
            ("template-desk://templates/1234", "/templates/1234", None),
            ("Template-Desk://templates/a%20b".replace("%20", "%3A").as_str(), "/templates/a%3Ab", None),
            (&format!("template-desk://sends/{id}"), &format!("/sends/{id}"), None),
            (&format!("template-desk://sends/{id}?workspace=sandbox"), &format!("/sends/{id}"), Some("sandbox")),
            ("template-desk://events/9f?workspace=ip%C3%AA", "/activity?event=%229f%22", Some("ipê")),
        ] {
            assert_eq!(read(link), Some((place.to_owned(), workspace.map(str::to_owned))), "{link}");
        }
    }

    #[test]
    fn anything_else_is_no_link() {
        let long = format!("template-desk://templates/{}", "a".repeat(300));
        for link in [
            "",
            "template-desk:",
            "template-desk://",
            "template-desk://templates",
            "template-desk://templates/",
            "template-desk://templates/..",
            "template-desk://templates/%2E%2E",
            "template-desk://templates/a/b",
            "template-desk://templates/a%2Fb",
            "template-desk://templates/a%5Cb",
            "template-desk://templates/a%22b",
            "template-desk://templates/a b",
            "template-desk://templates/a%",
            "template-desk://templates/a%2",
            "template-desk://templates/a%zz",
            "template-desk://templates/a%+1",
            "template-desk://templates/%FF",
            "template-desk://templates/%00",
            "template-desk://templates/a%E2%80%AEb",
            "template-desk://templates/import",
            "template-desk://templates/new",
            "template-desk://templates/remove%64",
            "template-desk://sends/new",
            "template-desk://settings/secrets",
            "template-desk://templates/a?workspace=",
            "template-desk://templates/a?workspace=b&workspace=c",
            "template-desk://templates/a?tab=history",
            "template-desk://templates/a#b",
            "template-desk:templates/a",
            "https://templates/a",
            "template-desk://user@templates/a",
            "--help",
            &long,
        ] {
            assert_eq!(read(link), None, "{link}");
        }
    }

    proptest! {
        /// Nothing in a link leaves the segment or the value that it is put into.
        #[test]
        fn a_place_has_exactly_the_named_identifier(id in any::<String>(), workspace in any::<String>()) {
            let link = format!("template-desk://templates/{}?workspace={}", encoded(&id), encoded(&workspace));
            if let Ok(link) = link.parse::<Link>() {
                let place = link.place();
                let segment = place.strip_prefix("/templates/").unwrap();
                prop_assert!(segment.bytes().all(|byte| is_plain(byte) || byte == b'%'), "{}", place);
                prop_assert_eq!(decoded(segment), Ok(id));
                prop_assert_eq!(link.workspace, Some(workspace));
            }
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in any::<String>(), rest in "[a-z/%?=.0-9]{0,40}") {
            let _any = text.parse::<Link>();
            if let Ok(link) = format!("{SCHEME}//{rest}").parse::<Link>() {
                let place = link.place();
                prop_assert!(["/templates/", "/sends/", "/activity?event="].iter().any(|page| place.starts_with(page)));
            }
        }
    }
}
