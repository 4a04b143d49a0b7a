//! Redaction of what goes into diagnostics. It is an allow-list: a text keeps only words that are known to say nothing
//! about a person, a template or a message, so that nothing has to be recognised as secret.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Replacement for what is left out.
const LEFT_OUT: char = '…';
/// Maximum number of digits of a number that is kept: an error code or a count, no telephone number and no identifier.
const MAX_DIGITS: usize = 4;
const MAX_FRAMES: usize = 40;
/// Maximum length of a word from outside, such as the name of a function.
const MAX_NAME: usize = 60;
/// Maximum length of the name of a function of the page.
const MAX_FUNCTION: usize = 4;
/// Punctuation between words, which is kept.
const SEPARATORS: &str = ":;=,()[]";
/// Punctuation within a word, which is kept with its parts or left out with them.
const JOINTS: [char; 3] = ['.', '-', '/'];

/// Crates whose modules are named in the log.
const CRATES: [&str; 10] = [
    "template_desk",
    "command_types",
    "app",
    "model",
    "receiver",
    "outgoing",
    "sandbox",
    "provider_client",
    "store",
    "template_files",
];

/// Words that are kept: those of the app's own log messages and of errors of the system, SQLite and JavaScript.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("words.txt").split_whitespace().collect());

/// A text with only known words, short single numbers and file names of source code. Its message, or a value of it, is
/// left out as a whole where at least a third of its words is unknown: it may quote what a person wrote.
pub(super) fn text(text: &str) -> String {
    let mut parts = vec![Part::default()];
    for chunk in unquoted(text).split(' ') {
        let begins = chunk.split_once('=').is_some_and(|(name, _)| is_known(name));
        if begins {
            parts.push(Part::default());
        }
        if let Some(part) = parts.last_mut() {
            part.add(chunk);
        }
    }
    let kept: Vec<String> = parts.into_iter().map(Part::finish).filter(|part| !part.is_empty()).collect();
    without_repetitions(&without_number_groups(&kept.join(" ")))
}

/// The message of a line, or `name=value` after it.
#[derive(Default)]
struct Part {
    kept: String,
    known: usize,
    unknown: usize,
}

impl Part {
    fn add(&mut self, chunk: &str) {
        if !self.kept.is_empty() {
            self.kept.push(' ');
        }
        match source_place(chunk) {
            Some(place) => self.kept.push_str(place),
            None => self.add_words(chunk),
        }
    }

    /// Adds the known words of a chunk, with `…` for the others.
    fn add_words(&mut self, chunk: &str) {
        let is_separator = |c: char| SEPARATORS.contains(c);
        let mut rest = chunk;
        while !rest.is_empty() {
            let (word, after) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
            if word.split(JOINTS).all(|part| part.is_empty() || is_number(part) || is_known(part)) {
                self.kept.push_str(word);
                self.known += usize::from(word.contains(char::is_alphabetic));
            } else {
                self.kept.push(LEFT_OUT);
                self.unknown += usize::from(word.contains(char::is_alphabetic));
            }
            let (separators, after) = after.split_at(after.find(|c| !is_separator(c)).unwrap_or(after.len()));
            self.kept.push_str(separators);
            rest = after;
        }
    }

    fn finish(self) -> String {
        if self.unknown * 2 < self.known || self.unknown == 0 {
            return self.kept;
        }
        let name = self.kept.split_once('=').map_or("", |(name, _)| name);
        let is_name = is_known(name);
        // The number of a system error says what the rest would.
        let code = self.kept.rfind("(os error ").map_or("", |at| &self.kept[at..]);
        let equals = if is_name { "=" } else { "" };
        let space = if code.is_empty() { "" } else { " " };
        format!("{}{equals}{LEFT_OUT}{space}{code}", if is_name { name } else { "" })
    }
}

/// The text with `…` for everything in quotes.
fn unquoted(text: &str) -> String {
    let mut result = String::new();
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => {
                quote = Some(c);
                result.push(LEFT_OUT);
            }
            (None, '“') => {
                quote = Some('”');
                result.push(LEFT_OUT);
            }
            (None, c) => result.push(if c.is_whitespace() { ' ' } else { c }),
        }
    }
    result
}

/// A place in source code such as `place=src/ipc.rs:12`.
fn source_place(chunk: &str) -> Option<&str> {
    let place = chunk.strip_prefix("place=").unwrap_or(chunk);
    let (file, line) = place.split_once(':').unwrap_or((place, "0"));
    let name = file.strip_suffix(".rs")?;
    let is_path =
        name.len() <= MAX_NAME && name.bytes().all(|byte| byte.is_ascii_lowercase() || b"/_-".contains(&byte));
    let is_line = (1..=MAX_DIGITS).contains(&line.len()) && line.bytes().all(|byte| byte.is_ascii_digit());
    (is_path && is_line).then_some(place)
}

fn is_number(text: &str) -> bool {
    text.len() <= MAX_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_known(text: &str) -> bool {
    WORDS.contains(text.to_lowercase().as_str())
}

/// The text without numbers that follow each other or something that was left out: together they may be a telephone
/// number.
fn without_number_groups(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (letters, after) = rest.split_at(rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len()));
        let (between, after) = after.split_at(after.find(char::is_alphabetic).unwrap_or(after.len()));
        result.push_str(letters);
        let is_of_number = |c: char| c.is_ascii_digit() || c == LEFT_OUT;
        let parts = between.split(|c| !is_of_number(c)).filter(|part| !part.is_empty()).count();
        match (between.find(is_of_number), between.rfind(is_of_number)) {
            (Some(start), Some(last)) if parts > 1 => {
                result.push_str(&between[..start]);
                result.push(LEFT_OUT);
                result.push_str(between[last..].trim_start_matches(is_of_number));
            }
            _ => result.push_str(between),
        }
        rest = after;
    }
    result
}

/// The text with one `…` for several in a row.
fn without_repetitions(text: &str) -> String {
    let mut result = String::new();
    for c in text.chars() {
        let is_filler = |c: char| c == LEFT_OUT || c.is_whitespace() || ".,;-/:".contains(c);
        if c == LEFT_OUT && result.trim_end_matches(|c| is_filler(c) && c != LEFT_OUT).ends_with(LEFT_OUT) {
            result.truncate(result.rfind(LEFT_OUT).map_or(0, |at| at + LEFT_OUT.len_utf8()));
        } else {
            result.push(c);
        }
    }
    result.trim().to_owned()
}

/// A line of the log files with its time, level and place in the code; its message as [`text`]. `None` for other lines.
pub(super) fn log_line(line: &str) -> Option<String> {
    let mut parts = line.splitn(2, ' ');
    let time = parts.next().filter(|time| is_time(time))?;
    let (level, rest) = parts.next()?.trim_start().split_once(' ')?;
    if !["ERROR", "WARN", "INFO", "DEBUG", "TRACE"].contains(&level) {
        return None;
    }
    let (target, rest) = rest.trim_start().split_once(": ")?;
    let is_plain =
        target.len() <= MAX_NAME && target.bytes().all(|byte| byte.is_ascii_lowercase() || b"_:".contains(&byte));
    let is_own = target.split("::").next().is_some_and(|name| CRATES.contains(&name));
    // Of a library, the level and the known words are enough.
    let target = if is_plain && is_own { target } else { "…" };
    let (number, message) = match rest.split_once(": ") {
        Some((number, message)) if number.len() <= MAX_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (number, message)
        }
        _ => ("", rest),
    };
    let place = if number.is_empty() { target.to_owned() } else { format!("{target}:{number}") };
    Some(format!("{time} {level} {place} {}", text(message)).trim_end().to_owned())
}

/// Whether a text is an instant such as `2026-11-23T12:30:00.123456Z`.
fn is_time(time: &str) -> bool {
    time.len() <= 30
        && time.ends_with('Z')
        && time.bytes().all(|byte| byte.is_ascii_digit() || b"-:.TZ".contains(&byte))
        && chrono::DateTime::parse_from_rfc3339(time).is_ok()
}

/// A word from outside, such as the name of a desktop, if it is short and plain; otherwise `…`.
pub(super) fn word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " .:_+()/-".contains(c);
    if !word.is_empty() && word.len() <= MAX_NAME && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        LEFT_OUT.to_string()
    }
}

/// A word if it is one of those that are known; otherwise `…`.
pub(super) fn one_of<'w>(word: &str, known: &[&'w str]) -> &'w str {
    known.iter().find(|known| **known == word).copied().unwrap_or("…")
}

/// The frames of a stack of JavaScript: the function, and the place in a file of the page. Everything else is left out.
pub(super) fn frames(stack: &str) -> Vec<String> {
    stack.lines().filter_map(frame).take(MAX_FRAMES).collect()
}

fn frame(line: &str) -> Option<String> {
    let (before, file) = line.split_once("/assets/")?;
    let file = file.trim_end_matches(')');
    let mut parts = file.rsplitn(3, ':');
    let (column, line_number, name) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str| !text.is_empty() && text.len() <= 7 && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_file = name.len() <= MAX_NAME
        && name.ends_with(".js")
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if !is_file || !is_number(column) || !is_number(line_number) {
        return None;
    }
    let function = before.trim_start().trim_start_matches("at ").split(['@', ' ', '(']).next().unwrap_or_default();
    // The names of a build are a few letters; a longer one may be computed from a text.
    let is_name = function.len() <= MAX_FUNCTION
        && function.bytes().all(|byte| byte.is_ascii_alphabetic() || b"_$".contains(&byte));
    let function = if is_name { function } else { "…" };
    Some(format!("{function} {name}:{line_number}:{column}").trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_words_and_short_numbers_are_kept() {
        for (before, after) in [
            ("the file cannot be written error=Permission denied (os error 13)", None),
            ("the receiver could not accept a connection error=timed out", None),
            ("a thread panicked place=src/ipc.rs:12", Some("a thread panicked src/ipc.rs:12")),
            ("Hello Ana, your order of the garden party is ready", Some("…")),
            ("sent to 5511984417263", Some("sent to …")),
            ("sent to +55 (11) 98441-7263 again", Some("sent to … again")),
            ("error 555 1234", Some("error …")),
            ("a listing of \"the file is open\" failed", Some("a listing of … failed")),
            ("a listing of “the file” and `the file` failed", Some("a listing of … and … failed")),
            ("token=EAAGm0PX4ZCpsBA.open-file", Some("token=…")),
            ("url=https://ana:pw@example.org/token/abc?key=1", Some("url=…")),
            ("path=/home/ana/.local/share", Some("path=…")),
            ("ana@example.org", Some("…")),
            ("ação ЖЖЖ 你好", Some("…")),
        ] {
            let kept = text(before);
            match after {
                None => assert_eq!(kept, before),
                Some(after) => assert_eq!(kept, after),
            }
        }
    }

    #[test]
    fn lines_of_the_log_keep_their_place() {
        let line = "2026-11-23T12:30:00.123456Z  WARN app::data::check: 54: the files could not be checked error=Ana (os error 5)";
        let expected =
            "2026-11-23T12:30:00.123456Z WARN app::data::check:54 the files could not be checked error=… (os error 5)";
        assert_eq!(log_line(line).as_deref(), Some(expected));
        for target in ["garden_party", "Ana Souza", "app::Ana", "hyper::client"] {
            let line = format!("2026-11-23T12:30:00Z WARN {target}: the file");
            assert_eq!(log_line(&line).as_deref(), Some("2026-11-23T12:30:00Z WARN … the file"));
        }
        for other in [
            "",
            "  a second line of a message",
            "Ana said hello",
            "2026-11-23T12:30:00Z LOUD app: hello",
            "5511-98-44T17:26:30Z WARN app: hello",
        ] {
            assert_eq!(log_line(other), None, "{other}");
        }
    }

    #[test]
    fn frames_keep_functions_and_places() {
        let stack = "Error: Hello Ana\n    at Xt (tauri://localhost/assets/index-C4f_x.js:12:3456)\n\
                     b@tauri://localhost/assets/composer-1.js:1:22\n@tauri://localhost/assets/a.js:1:2\n\
                     5511984417263@tauri://localhost/assets/a.js:1:2\n\
                     x@tauri://localhost/assets/Ana Souza.js:1:2\nc@https://example.org/5511984417263.js:1:1";
        let expected = ["Xt index-C4f_x.js:12:3456", "b composer-1.js:1:22", "a.js:1:2", "… a.js:1:2"];
        assert_eq!(frames(stack), expected);
    }

    #[test]
    fn words_from_outside_are_short_and_plain() {
        assert_eq!(word("Debian GNU/Linux 12 (bookworm)"), "Debian GNU/Linux 12 (bookworm)");
        assert_eq!([word(""), word("a\nb"), word("\u{202e}x"), word(&"x".repeat(90))], ["…", "…", "…", "…"]);
    }

    proptest! {
        #[test]
        fn only_known_words_and_short_numbers_remain(before in "\\PC{0,60}|[a-z0-9 .=:\"/@+-]{0,80}") {
            let kept = text(&before);
            for token in kept.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|token| !token.is_empty()) {
                let is_place = kept.split(' ').any(|chunk| source_place(chunk).is_some() && chunk.contains(token));
                prop_assert!(is_number(token) || is_place || is_known(token), "{} in {}", token, kept);
            }
        }

        /// However a telephone number is grouped, five of its digits never remain in a row.
        #[test]
        fn no_telephone_number_remains(groups in prop::collection::vec("[0-9]{1,4}", 2..6), separator in "[ .()-]{1,2}") {
            let kept = text(&format!("sent to {} again", groups.join(&separator)));
            prop_assert!(!kept.contains(|c: char| c.is_ascii_digit()), "{}", kept);
        }
    }
}
