//! `tdesk lint` and `tdesk preview`.

use std::process::{Command, Output};

use serde_json::{Value, json};

fn tdesk(arguments: &[&str], folder: &std::path::Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tdesk")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

const GOOD: &str =
    r#"{"name":"a","category":"utility","language":"pt_BR","components":[{"type":"BODY","text":"Olá"}]}"#;
const BAD: &str = r#"{"name":"A","category":"utility","language":"pt_BR","components":[{"type":"BODY","text":"Olá"},{"type":"FOOTER","text":"{{1}}"}]}"#;

#[test]
fn findings_are_printed_as_json() {
    let folder = folder(&[
        ("good.json", GOOD),
        ("bad.json", BAD),
        ("broken.json", "{"),
        ("mark.json", &format!("\u{feff}{GOOD}")),
    ]);
    let output =
        tdesk(&["lint", "good.json", "bad.json", "broken.json", "mark.json", "--format", "json"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let judged: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(judged[0], json!({"file": "good.json", "findings": []}));
    assert_eq!(judged[3], json!({"file": "mark.json", "findings": []}));
    let finding = &judged[1]["findings"][0];
    assert_eq!(
        (&finding["code"], &finding["severity"], &finding["path"]),
        (&json!("name.characters"), &json!("error"), &json!("/name"))
    );
    let mut keys: Vec<_> = finding.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["code", "message", "path", "severity", "source"]);
    assert_eq!(judged[1]["findings"][1]["path"], "/components/1/text");
    assert_eq!(judged[2]["findings"][0]["code"], "template.malformed");
}

#[test]
fn exit_codes_distinguish_findings_from_failures() {
    let folder = folder(&[
        ("good.json", GOOD),
        ("bad.json", BAD),
        ("hint.json", &GOOD.replace("utility", "UTILITY").replace("pt_BR", "xx_YY")),
    ]);
    for (arguments, code) in [
        (vec!["lint", "good.json"], 0),
        (vec!["lint", "hint.json"], 0),
        (vec!["lint", "good.json", "bad.json"], 1),
        (vec!["lint", "good.json", "absent.json"], 3),
        (vec!["lint", "."], 1),
        (vec!["lint", "absent"], 3),
        (vec!["lint", "bad.json", "absent.json"], 3),
        (vec!["lint"], 2),
        (vec!["lint", "good.json", "--format", "xml"], 2),
        (vec!["preview", "good.json"], 0),
        (vec!["preview", "absent.json"], 3),
        (vec!["preview"], 2),
    ] {
        assert_eq!(tdesk(&arguments, folder.path()).status.code(), Some(code), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files_up_to_a_limit_are_read() {
    let large = "9".repeat(1024 * 1024 + 1);
    let folder = folder(&[("large.json", &large)]);
    let send = ["--base-url", "http://127.0.0.1:1", "--workspace", "w", "--token-env", "PATH", "--number", "1"];
    let send = [&["send"], &send[..], &["--to", "5511999990000", "--dry-run"]].concat();
    for (file, reason) in [("large.json", "larger than 1 MiB"), ("/dev/zero", "not a regular file")] {
        for arguments in [
            vec!["lint", file],
            vec!["preview", file],
            [&send[..], &["--payload", file]].concat(),
            [&send[..], &["--template-file", file]].concat(),
            [&send[..], &["--template", "t", "--language", "en", "--values", file]].concat(),
        ] {
            let output = tdesk(&arguments, folder.path());
            let printed = text(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{arguments:?}: {printed}");
            assert!(printed.contains(file) && printed.contains(reason), "{arguments:?}: {printed}");
        }
    }
    let workspace = "3f1a5c52-0a52-4f6e-9d3e-0c1f8f2b7a10";
    let sandbox = tdesk(&["sandbox", "--token", "t", "--workspace", workspace, "--state", "/dev/zero"], folder.path());
    assert_eq!(sandbox.status.code(), Some(3));
    assert!(text(&sandbox.stderr).contains("not a regular file"), "{}", text(&sandbox.stderr));
}

#[test]
fn a_file_without_components_is_not_previewed() {
    let folder = folder(&[("empty.json", "{}")]);
    let output = tdesk(&["preview", "empty.json"], folder.path());
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""));
    assert!(text(&output.stderr).contains("empty.json is not a template"), "{}", text(&output.stderr));
}

#[test]
fn findings_are_printed_as_text() {
    let folder = folder(&[("bad.json", BAD)]);
    let output = tdesk(&["lint", "bad.json"], folder.path());
    let printed = text(&output.stdout);
    assert!(printed.contains("bad.json: error: /name: "), "{printed}");
    assert!(printed.contains("[footer.variable] https://"), "{printed}");
    assert!(printed.ends_with("files: 1, errors: 1, warnings: 1, hints: 0\n"), "{printed}");
}

#[test]
fn an_unreadable_file_of_a_folder_hides_no_findings_of_the_others() {
    let folder = folder(&[("a.json", BAD), ("b.json", &" ".repeat(2 * 1024 * 1024)), ("c.json", BAD)]);
    let output = tdesk(&["lint", ".", "absent.json"], folder.path());
    assert_eq!(output.status.code(), Some(3));
    let (printed, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(printed.contains("a.json: error: /name: ") && printed.contains("c.json: error: /name: "), "{printed}");
    assert!(printed.ends_with("files: 2, errors: 2, warnings: 2, hints: 0\n"), "{printed}");
    assert!(errors.contains("b.json") && errors.contains("absent.json"), "{errors}");
}

#[test]
fn a_template_is_previewed() {
    let folder = folder(&[("good.json", GOOD), ("broken.json", "[]")]);
    let drawing = tdesk(&["preview", "good.json"], folder.path());
    assert!(text(&drawing.stdout).contains("│ Olá "), "{}", text(&drawing.stdout));
    let json: Value =
        serde_json::from_slice(&tdesk(&["preview", "good.json", "--format", "json"], folder.path()).stdout).unwrap();
    assert_eq!(json["body"][0]["runs"][0], json!({"text": "Olá"}));
    let broken = tdesk(&["preview", "broken.json"], folder.path());
    assert_eq!(broken.status.code(), Some(1));
    assert!(text(&broken.stderr).contains("broken.json is not a template"), "{}", text(&broken.stderr));
}
