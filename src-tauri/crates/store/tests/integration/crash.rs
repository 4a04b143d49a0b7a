//! `kill -9` during writes: everything acknowledged is stored afterwards.
//!
//! The writing process is this test binary, started again with an environment variable.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use store::delivery_log::NewDelivery;
use store::{DataFolder, DeliveryLog, DeliveryLogReader};

const FOLDER: &str = "STORE_TEST_APPEND_UNTIL_KILLED";

/// Not a test of its own: the process that is killed. Without the variable it does nothing.
#[test]
fn append_until_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = DataFolder::lock(Path::new(&folder)).unwrap();
    let delivery_log = std::sync::Arc::new(DeliveryLog::open(&folder.delivery_log()).unwrap());
    crate::runtime().block_on(async {
        let appends: Vec<_> = (0..16)
            .map(|lane| {
                let delivery_log = delivery_log.clone();
                tokio::spawn(async move {
                    for number in 0.. {
                        let body = format!("{}:{lane}:{number}", std::process::id());
                        let delivery = NewDelivery {
                            received_at: 0,
                            route: "w".to_owned(),
                            headers: Vec::new(),
                            body: body.clone().into(),
                        };
                        let seq = delivery_log.append(delivery).await.unwrap();
                        // One write of a whole line, past the capture of the test harness.
                        let line = format!("acked {seq} {body}\n");
                        std::io::stderr().lock().write_all(line.as_bytes()).unwrap();
                    }
                })
            })
            .collect();
        for append in appends {
            append.await.unwrap();
        }
    });
}

fn spawn(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["crash::append_until_killed", "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The next acknowledgement; `None` if there is no further complete line.
fn next_ack(said: &mut impl BufRead) -> Option<(i64, String)> {
    loop {
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let line = line.strip_suffix('\n')?;
        if let Some((seq, body)) = line.strip_prefix("acked ").and_then(|rest| rest.split_once(' ')) {
            return Some((seq.parse().unwrap(), body.to_owned()));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_deliveries_survive_kill_9() {
    let dir = tempfile::tempdir().unwrap();
    let path = DataFolder::delivery_log_in(dir.path());
    let mut acked: Vec<(i64, String)> = Vec::new();
    for round in 0..5 {
        let mut child = spawn(dir.path());
        let mut said = BufReader::new(child.stderr.take().unwrap());
        // Killed after a different number of acknowledgements each round.
        for _ in 0..300 + 70 * round {
            acked.push(next_ack(&mut said).expect("the writer lives until it is killed"));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // Its output before it was killed.
        acked.extend(std::iter::from_fn(|| next_ack(&mut said)));
        // A reader without a writer, then a writer: both find an intact file.
        let reader = DeliveryLogReader::open(&path).unwrap();
        let mut stored = HashSet::new();
        let mut after = 0;
        loop {
            let page = reader.after(after, 10_000).await.unwrap();
            let Some(last) = page.last() else { break };
            after = last.seq;
            stored.extend(page.into_iter().map(|delivery| (delivery.seq, String::from_utf8(delivery.body).unwrap())));
        }
        for (seq, body) in &acked {
            let found = stored.contains(&(*seq, body.clone()));
            assert!(found, "{seq} {body} was acknowledged in round {round} or before, and is gone");
        }
        let raw = rusqlite::Connection::open(&path).unwrap();
        let check: String = raw.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
    }
    assert!(acked.len() > 1_500);
}
