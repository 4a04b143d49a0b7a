//! Marked secrets through a whole run: none is in a file, a log, an error, an event, an answer to the window or the
//! arguments of the process, and none remains in its memory after the workspace is removed.
//!
//! The run is a separate process with its own memory and arguments. The secrets are computed in it, not passed to it.
//! Its allocator wipes freed memory, as the app's does: the libraries that handle secrets (HTTP, JSON) do not. Not
//! covered are the page in the window, whose memory no program can wipe, and the keyring's own program.

mod child;
mod memory;
mod provider;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use zeroize::Zeroizing;

use self::memory::{holds, occurrences};
use self::provider::{Echo, deliver, request};
use super::secrets::holding;

/// The marks. The first five are secrets of the workspace, the next three of the endpoint of its number, and the last is
/// the token of a server that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Canary {
    Token,
    ClientSecret,
    WebhookSecret,
    PreviousWebhookSecret,
    VerifyToken,
    NumberSecret,
    NumberPrevious,
    NumberVerifyToken,
    FeedToken,
}

const SECRETS: [Canary; 9] = [
    Canary::Token,
    Canary::ClientSecret,
    Canary::WebhookSecret,
    Canary::PreviousWebhookSecret,
    Canary::VerifyToken,
    Canary::NumberSecret,
    Canary::NumberPrevious,
    Canary::NumberVerifyToken,
    Canary::FeedToken,
];
/// The recipient.
const PHONE: &str = "5511984417263";

impl Canary {
    /// The secret: letters and digits that are in no program and no file.
    fn text(self) -> Zeroizing<String> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(self as u64 + 1);
        let mut text = Zeroizing::new(String::with_capacity(40));
        for _ in 0..40 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digit = u8::try_from(state >> 59).expect("five bits are a byte");
            text.push(char::from(if digit < 26 { b'a' + digit } else { b'2' + digit - 26 }));
        }
        text
    }
}

/// The process with the desk.
struct Run {
    process: Child,
    output: BufReader<std::process::ChildStdout>,
    folder: TempDir,
}

impl Run {
    fn start(base_url: &str, hostile_url: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--ignored", "--nocapture", "canaries::child::canary_process"])
            .env("CANARY_FOLDER", folder.path())
            .env("CANARY_PROVIDER", base_url)
            .env("CANARY_HOSTILE", hostile_url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(folder.path().join("stderr")).unwrap())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { process, output, folder }
    }

    /// Waits for a keyword of the run and returns its arguments.
    fn wait_for(&mut self, word: &str) -> Vec<String> {
        let mut all = String::new();
        loop {
            let mut line = String::new();
            let length = self.output.read_line(&mut line).unwrap();
            assert!(length > 0, "the run ended before `{word}`: {all}{}", self.read("stderr"));
            if let Some((_, rest)) = line.trim().split_once(&format!("=> {word}")) {
                return rest.split_whitespace().map(str::to_owned).collect();
            }
            all.push_str(&line);
        }
    }

    fn resume(&mut self) {
        self.process.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// No file contains a secret: data folder, exports, logs, output to the window, standard error.
    fn files_are_clean(&self) {
        for canary in SECRETS {
            let mut found = Vec::new();
            holding(self.folder.path(), canary.text().as_bytes(), &mut found);
            assert_eq!(found, Vec::<String>::new(), "{canary:?}");
        }
    }

    fn arguments_are_clean(&self) {
        for name in ["cmdline", "environ"] {
            let text = std::fs::read(format!("/proc/{}/{name}", self.process.id())).unwrap();
            for canary in SECRETS {
                assert!(!holds(&text, canary.text().as_bytes()), "{canary:?} is in {name}");
            }
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _gone = self.process.kill();
        let _reaped = self.process.wait();
    }
}

/// The lines of a log at `info` and above.
fn info_lines(log: &str) -> impl Iterator<Item = &str> {
    log.lines().filter(|line| !line.contains("TRACE") && !line.contains("DEBUG"))
}

fn number_is_in(folder: &Path) -> bool {
    let mut found = Vec::new();
    holding(folder, PHONE.as_bytes(), &mut found);
    !found.is_empty()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_only_in_the_keyring_and_deleted_with_their_workspace() {
    let (sandbox, address) = provider::start(Canary::Token.text().as_str().into()).await;
    let hostile = Echo::start().await;
    let mut run = Run::start(&format!("http://{address}"), &format!("http://{}", hostile.address()));

    let [receiver, path] = run.wait_for("connected").try_into().unwrap();
    let webhook =
        serde_json::json!({"url": format!("http://{receiver}{path}"), "secret": Canary::WebhookSecret.text().as_str()});
    let bearer = format!("Bearer {}", Canary::Token.text().as_str());
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let (status, _) = request(address, "PUT", "/sandbox/webhook", &headers, webhook.to_string().as_bytes()).await;
    assert_eq!(status, 200);

    // Valid and invalid requests to the receiver, with secrets in all plausible places.
    let receiver = receiver.parse().unwrap();
    let body = format!(
        r#"{{"object":"a","entry":[{{"id":"1","changes":[{{"field":"messages","value":{{"messages":[{{"from":"{PHONE}","id":"wamid.canary","timestamp":"1749416383","type":"text","text":{{"body":"hello"}}}}]}}}}]}}]}}"#
    );
    assert_eq!(deliver(receiver, &path, &body, Some(Canary::PreviousWebhookSecret)).await, 200);
    // Files at the address of the echoing provider.
    let pictures: Vec<String> = provider::ANSWERS
        .iter()
        .map(|answer| {
            format!(
                r#"{{"from":"{PHONE}","id":"wamid.{answer}","timestamp":"1749416384","type":"image","image":{{"url":"http://{}/{answer}/media"}}}}"#,
                hostile.address()
            )
        })
        .collect();
    let files = format!(
        r#"{{"entry":[{{"id":"1","changes":[{{"field":"messages","value":{{"messages":[{}]}}}}]}}]}}"#,
        pictures.join(",")
    );
    assert_eq!(deliver(receiver, &path, &files, Some(Canary::WebhookSecret)).await, 200);
    assert_eq!(deliver(receiver, &path, &body, Some(Canary::Token)).await, 401);
    assert_eq!(deliver(receiver, &path, &body, None).await, 401);
    // The same at the number's endpoint.
    let of_number = format!("{path}/{}", sandbox::seed::NUMBER);
    for (canary, expected) in [
        (Canary::NumberSecret, 200),
        (Canary::NumberPrevious, 200),
        (Canary::WebhookSecret, 401),
        (Canary::NumberVerifyToken, 401),
    ] {
        assert_eq!(deliver(receiver, &of_number, &body, Some(canary)).await, expected, "{canary:?}");
    }
    for (path, token, expected) in [
        (&path, Canary::VerifyToken, 200),
        (&path, Canary::WebhookSecret, 403),
        (&of_number, Canary::NumberVerifyToken, 200),
        (&of_number, Canary::VerifyToken, 403),
    ] {
        let handshake =
            format!("{path}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token={}", token.text().as_str());
        assert_eq!(request(receiver, "GET", &handshake, &[], b"").await.0, expected);
    }
    for name in ["authorization", "cookie", "x-api-key", "x-client-secret", "proxy-authorization"] {
        assert_eq!(request(receiver, "POST", &path, &[(name, &bearer)], body.as_bytes()).await.0, 401);
    }

    run.resume();
    run.wait_for("used");
    run.files_are_clean();
    run.arguments_are_clean();
    // The scans find the secrets that exist.
    let process = run.process.id();
    assert!(occurrences(process, Canary::Token.text().as_bytes()) > 0, "memory is not what is read");
    assert!(number_is_in(&run.folder.path().join("desk")), "what was received is stored");
    assert!(hostile.echoed() > 0, "nothing was echoed");

    run.resume();
    run.wait_for("removed");
    let left = memory::left_after(process, &SECRETS.map(|canary| (canary, canary.text())));
    assert_eq!(left, [], "how often each secret is still in memory");

    run.resume();
    assert!(run.process.wait().unwrap().success(), "{}", run.read("stderr"));
    run.files_are_clean();
    let log = run.read("trace.log");
    let numbers: Vec<_> = info_lines(&log).filter(|line| line.contains(PHONE)).collect();
    assert_eq!(numbers, Vec::<&str>::new(), "a number is personal data");
    assert!(info_lines(&log).count() > 0 && log.contains("TRACE"), "the log holds every level");
    assert!(run.read("output.log").lines().count() > 50, "the window received many events");
    sandbox.close().await;
}
