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

#[cfg(unix)]
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
