//! Every error has a published source or a documented refusal: the table of decision 0049.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

/// Codes in the calls of the rules that report errors.
fn codes_of_errors() -> BTreeSet<String> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let mut codes = BTreeSet::new();
    for entry in std::fs::read_dir(rules).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for call in ["report.error(", "text::limit("] {
            for (at, _) in text.match_indices(call) {
                let arguments = text[at + call.len()..].trim_start();
                let arguments = arguments.strip_prefix("report,").unwrap_or(arguments).trim_start();
                // Computed codes and severities are in the table by hand.
                let code = arguments.strip_prefix('"').and_then(|rest| rest.split('"').next());
                codes.extend(code.filter(|code| is_code(code)).map(str::to_owned));
            }
        }
    }
    codes
}

fn is_code(text: &str) -> bool {
    let word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    text.split_once('.').is_some_and(|(group, name)| word(group) && word(name))
}

#[test]
fn every_error_has_a_source() {
    const DECISION: &str = include_str!("../../../../../../docs/decisions/0049-an-error-has-a-published-source.md");
    let row = |line: &str| -> Option<[String; 3]> {
        let cells: Vec<&str> = line.strip_prefix("| `")?.strip_suffix(" |")?.split(" | ").collect();
        let [codes, severity, source] = cells.as_slice() else { panic!("{line}") };
        Some([codes, severity, source].map(|cell| cell.trim().to_owned()))
    };
    let rows: Vec<_> = DECISION.lines().filter_map(row).collect();
    let known: BTreeSet<String> = rows
        .iter()
        .flat_map(|[codes, ..]| codes.split([' ', '`', ',']))
        .filter(|code| is_code(code))
        .map(str::to_owned)
        .collect();
    let missing: Vec<_> = codes_of_errors().into_iter().filter(|code| !known.contains(code)).collect();
    assert_eq!(missing, [""; 0], "name the published source, or make it a warning to override");
    for [codes, severity, source] in &rows {
        assert!(matches!(severity.as_str(), "error" | "error, warning" | "warning"), "{codes}: {severity}");
        assert!(!source.is_empty(), "{codes}");
        for code in codes.split([' ', '`', ',']).filter(|code| is_code(code)) {
            let overridable = Finding::OVERRIDABLE.contains(&code);
            assert_eq!(severity != "error", overridable, "{code}: a warning instead of an error is to be overridden");
        }
    }
}
