//! Line diff of two JSON texts.

use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use ts_rs::TS;

/// Maximum number of lines for a minimal diff, which is slow for long texts. Longer ones are compared by their common
/// beginning and end only.
const MAX_MINIMAL_DIFF_LINES: usize = 5_000;

/// Maximum length of a text that is split into lines, in bytes: the indentation of deeply nested JSON would be many
/// times its length.
const MAX_TEXT_BYTES: usize = 256 << 10;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Line {
    pub change: LineChange,
    /// The line, without its line break.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum LineChange {
    /// In both texts.
    Same,
    /// Only in the first text.
    Removed,
    /// Only in the second text.
    Added,
}

/// The line diff of two JSON texts, each pretty-printed. The spelling of numbers, the order of keys and the escapes of
/// strings are kept, so lines shown as equal are equal byte for byte.
#[must_use]
pub fn json_lines(before: &str, after: &str) -> Vec<Line> {
    let (before, after) = (indented(before), indented(after));
    if before.lines().count().max(after.lines().count()) > MAX_MINIMAL_DIFF_LINES {
        return by_common_ends(&before, &after);
    }
    let diff = TextDiff::from_lines(&before, &after);
    diff.iter_all_changes().map(|change| line(of_tag(change.tag()), change.value().trim_end_matches('\n'))).collect()
}

fn of_tag(tag: ChangeTag) -> LineChange {
    match tag {
        ChangeTag::Equal => LineChange::Same,
        ChangeTag::Delete => LineChange::Removed,
        ChangeTag::Insert => LineChange::Added,
    }
}

fn line(change: LineChange, text: &str) -> Line {
    Line { change, text: text.to_owned() }
}

/// Common beginning and end; everything in between counts as changed.
fn by_common_ends(before: &str, after: &str) -> Vec<Line> {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let (rest_before, rest_after) = (&before[start..], &after[start..]);
    let end = rest_before.iter().rev().zip(rest_after.iter().rev()).take_while(|(a, b)| a == b).count();
    let of = |change, lines: &[&str]| lines.iter().map(|text| line(change, text)).collect::<Vec<_>>();
    let mut lines = of(LineChange::Same, &before[..start]);
    lines.extend(of(LineChange::Removed, &rest_before[..rest_before.len() - end]));
    lines.extend(of(LineChange::Added, &rest_after[..rest_after.len() - end]));
    lines.extend(of(LineChange::Same, &rest_before[rest_before.len() - end..]));
    lines
}

/// Pretty-prints JSON with one line per member and element. It works on the text, because parsing would lose large
/// numbers and duplicate keys. Invalid JSON is only split into lines, and a text beyond [`MAX_TEXT_BYTES`] is unchanged.
fn indented(json: &str) -> String {
    if json.len() > MAX_TEXT_BYTES {
        return json.to_owned();
    }
    let mut printed = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut chars = json.chars().peekable();
    let new_line = |printed: &mut String, depth: usize| {
        printed.push('\n');
        // Deeper levels are not indented further: the indentation would be longer than the text.
        for _ in 0..depth.min(32) {
            printed.push_str("  ");
        }
    };
    while let Some(char) = chars.next() {
        match char {
            '"' => {
                printed.push('"');
                let mut escaped = false;
                for char in chars.by_ref() {
                    printed.push(char);
                    match char {
                        _ if escaped => escaped = false,
                        '\\' => escaped = true,
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '{' | '[' => {
                printed.push(char);
                while chars.next_if(|char| char.is_ascii_whitespace()).is_some() {}
                if let Some(end) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    printed.push(end);
                } else {
                    depth += 1;
                    new_line(&mut printed, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut printed, depth);
                printed.push(char);
            }
            ',' => {
                printed.push(',');
                new_line(&mut printed, depth);
            }
            ':' => printed.push_str(": "),
            white if white.is_ascii_whitespace() => {}
            other => printed.push(other),
        }
    }
    printed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_printed_line_by_line_unchanged() {
        let cases = [
            ("{}", "{}"),
            ("[ ]", "[]"),
            (
                r#"{"b":1,"a":[1e400,{"c":"x, {\"y\": [z]}\\"}]}"#,
                "{\n  \"b\": 1,\n  \"a\": [\n    1e400,\n    {\n      \"c\": \"x, {\\\"y\\\": [z]}\\\\\"\n    }\n  ]\n}",
            ),
            ("12345678901234567890123", "12345678901234567890123"),
            ("{\r\n \"a\" : null }", "{\n  \"a\": null\n}"),
        ];
        for (json, printed) in cases {
            assert_eq!(indented(json), printed);
        }
    }

    #[test]
    fn lines_are_the_same_removed_or_added() {
        let lines = json_lines(r#"{"status":"sent","id":"1"}"#, r#"{"status":"read","id":"1"}"#);
        let shown: Vec<_> = lines.iter().map(|line| (line.change, line.text.trim())).collect();
        assert_eq!(
            shown,
            [
                (LineChange::Same, "{"),
                (LineChange::Removed, "\"status\": \"sent\","),
                (LineChange::Added, "\"status\": \"read\","),
                (LineChange::Same, "\"id\": \"1\""),
                (LineChange::Same, "}"),
            ]
        );
        assert!(json_lines("{\"a\": 1}", "{ \"a\":1 }").iter().all(|line| line.change == LineChange::Same));
    }

    #[test]
    fn long_texts_are_compared_by_their_ends() {
        let list = |middle: &str| {
            let numbers: Vec<String> =
                (0..MAX_MINIMAL_DIFF_LINES).map(|n| if n == 9 { middle.to_owned() } else { n.to_string() }).collect();
            format!("[{}]", numbers.join(","))
        };
        let lines = json_lines(&list("\"x\""), &list("\"y\""));
        assert_eq!(lines.len(), MAX_MINIMAL_DIFF_LINES + 3);
        let changed: Vec<_> = lines.iter().filter(|line| line.change != LineChange::Same).collect();
        assert_eq!(changed.iter().map(|line| line.text.trim()).collect::<Vec<_>>(), ["\"x\",", "\"y\","]);
        assert!(json_lines(&list("1"), &list("1")).iter().all(|line| line.change == LineChange::Same));
    }

    #[test]
    fn invalid_json_does_not_panic() {
        for text in ["", "\"", "\"\\", "}}}]", "{\"a\"", "é\u{2028}", ",,,"] {
            let lines = json_lines(text, "");
            assert!(lines.iter().all(|line| line.change != LineChange::Added), "{text:?}");
        }
    }
}
