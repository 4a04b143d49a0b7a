//! Exit of a program in which something hangs.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
#[ignore = "hangs; the test below runs it in a process of its own"]
fn hangs() {
    app::exit::exit_in_time_after_signals(Duration::from_millis(100));
    println!("\nready");
    loop {
        std::thread::park();
    }
}

#[test]
fn a_hanging_program_exits_after_a_signal() {
    for signal in ["-TERM", "-INT"] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "exit::hangs", "--ignored", "--nocapture"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.map(Result::unwrap).any(|line| line == "ready"));
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(1), "{signal}");
    }
}

/// After `nohup`, the end of the terminal is not the end of the program.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_hangup_stays_ignored() {
    let hangs = ["--exact", "exit::hangs", "--ignored", "--nocapture"];
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new("nohup").arg(program).args(hangs).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map(Result::unwrap).any(|line| line == "ready"));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    assert_eq!(u64::from_str_radix(mask.trim(), 16).unwrap() & 1, 1, "{status}");
}
