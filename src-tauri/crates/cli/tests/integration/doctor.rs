//! `tdesk doctor`.

use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;

use crate::receiving::{PREVIOUS_SECRET, SECRET, VERIFY_TOKEN, run, signature, stderr, tdesk};

const BODY: &str = r#"{"object":"o","entry":[{"text":"caf\u00e9 https:\/\/x"}]}"#;
const REWRITTEN: &str = r#"{"object":"o","entry":[{"text":"café https://x"}]}"#;

fn file(folder: &TempDir, body: impl AsRef<[u8]>) -> String {
    let path: PathBuf = folder.path().join("body");
    std::fs::write(&path, body).unwrap();
    path.to_str().unwrap().to_owned()
}

async fn doctor(body: &str, signature: &str, more: &[&str]) -> (i32, String) {
    let arguments = ["doctor", "--body", body, "--signature", signature, "--secret-env", "CURRENT,PREVIOUS"];
    let output = run(&[&arguments, more].concat()).await;
    let (out, err) = (String::from_utf8(output.stdout.clone()).unwrap(), stderr(&output));
    for secret in [SECRET, PREVIOUS_SECRET, VERIFY_TOKEN] {
        assert!(!out.contains(secret) && !err.contains(secret), "{out}{err}");
    }
    (output.status.code().unwrap(), out)
}

#[tokio::test]
async fn the_signature_of_a_known_secret_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, BODY);
    for (secret, name) in [(SECRET, "CURRENT"), (PREVIOUS_SECRET, "PREVIOUS")] {
        let good = signature(secret, BODY.as_bytes());
        let (code, out) = doctor(&file, &good, &[]).await;
        assert_eq!((code, out.as_str()), (0, &*format!("valid: the signature was made with the secret in {name}\n")));
        let (code, out) = doctor(&file, &format!("X-Hub-Signature-256: {good}"), &["--format", "json"]).await;
        let json: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &json["valid"]), (0, &json!(true)));
        assert_eq!(json["diagnosis"], json!({"kind": "valid", "by": name}));
    }
}

#[tokio::test]
async fn each_defect_has_its_diagnosis() {
    let folder = tempfile::tempdir().unwrap();
    let good = signature(PREVIOUS_SECRET, BODY.as_bytes());
    let digits = good.trim_start_matches("sha256=");
    let line = format!("{BODY}\n");
    let cases: [(&str, &str, Value, &str); 6] = [
        (
            REWRITTEN,
            &good,
            json!({"kind": "bodyChanged", "change": "reserialised", "secret": "PREVIOUS"}),
            "its JSON was parsed and written again",
        ),
        (
            &line,
            &good,
            json!({"kind": "bodyChanged", "change": "newlineAdded", "secret": "PREVIOUS"}),
            "a line break or whitespace was added",
        ),
        (
            BODY,
            digits,
            json!({"kind": "wrongForm", "faults": ["missingPrefix"], "secret": "PREVIOUS"}),
            "`sha256=` is missing",
        ),
        (
            BODY,
            &signature(&format!("{SECRET}\n"), BODY.as_bytes()),
            json!({"kind": "secretEdges", "edge": "senderNewline", "secret": "CURRENT"}),
            "line break",
        ),
        (
            BODY,
            &format!("X-Hub-Signature: {good}"),
            json!({"kind": "noHeader", "otherHeader": "x-hub-signature", "secret": "PREVIOUS"}),
            "no X-Hub-Signature-256",
        ),
        (BODY, "", json!({"kind": "wrongForm", "faults": ["empty"], "secret": null}), "it is empty"),
    ];
    for (body, signature, diagnosis, words) in cases {
        let file = file(&folder, body);
        let (code, out) = doctor(&file, signature, &["--format", "json"]).await;
        let json: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &json["diagnosis"], &json["valid"]), (1, &diagnosis, &json!(false)));
        let (code, out) = doctor(&file, signature, &[]).await;
        assert_eq!(code, 1);
        assert!(out.starts_with("refused: ") && out.contains("\nwhy: ") && out.contains("\ndo: "), "{out}");
        assert!(out.contains(words), "{out}");
        for part in ["what", "why", "do"] {
            assert!(out.contains(json[part].as_str().unwrap()), "{out}");
        }
    }
    for (body, diagnosis) in [
        ("{\"a\":", json!({"kind": "bodyCut"})),
        (BODY, json!({"kind": "otherSecret", "tried": ["CURRENT", "PREVIOUS"]})),
    ] {
        let (code, out) = doctor(&file(&folder, body), &signature("nobody's", b"x"), &["--format", "json"]).await;
        let json: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &json["diagnosis"]), (1, &diagnosis));
        assert!(json["attempts"].as_u64().unwrap() > 10);
    }
}

#[tokio::test]
async fn the_body_may_come_from_a_pipe() {
    let good = signature(SECRET, b"\xff\0\n");
    let mut command = tdesk(&["doctor", "--body", "-", "--signature", &good, "--secret-env", "CURRENT"]);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"\xff\0\n").await.unwrap();
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[tokio::test]
async fn wrong_usage_exits_with_2_and_an_unreadable_file_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, BODY);
    let good = signature(SECRET, BODY.as_bytes());
    let absent = folder.path().join("absent");
    let absent = absent.to_str().unwrap();
    let cases: [(&[&str], i32, &str); 6] = [
        (&["--signature", &good, "--secret-env", "CURRENT"], 2, "--body"),
        (&["--body", &file, "--secret-env", "CURRENT"], 2, "--signature"),
        (&["--body", &file, "--signature", &good], 2, "--secret-env"),
        (&["--body", &file, "--signature", &good, "--secret-env", "NOT_SET_ANYWHERE"], 2, "`NOT_SET_ANYWHERE`"),
        (&["--body", &file, "--signature", &good, "--secret-env", "EMPTY"], 2, "`EMPTY` is empty"),
        (&["--body", absent, "--signature", &good, "--secret-env", "CURRENT"], 3, absent),
    ];
    for (arguments, code, sentence) in cases {
        let output = run(&[&["doctor"], arguments].concat()).await;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(sentence), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}
