//! The processes of the app as the system sees them: their memory, processor time and start.

use std::path::PathBuf;
use std::process::Command;

use super::desktop::Desktop;

impl Desktop {
    /// Kills the process that draws the page, as the system does when memory is short.
    pub(super) fn kill_page(&self) {
        for process in self.web_processes() {
            let id = process.file_name().unwrap().to_str().unwrap().to_owned();
            assert!(Command::new("kill").args(["-9", &id]).status().unwrap().success());
        }
    }

    /// The environment of the process that draws the page, `NAME=value` each.
    pub(super) fn environment_of_page(&self) -> Vec<String> {
        let process = self.web_processes().pop().expect("the page has a process");
        let environment = std::fs::read(process.join("environ")).unwrap();
        environment.split(|byte| *byte == 0).map(|variable| String::from_utf8_lossy(variable).into_owned()).collect()
    }

    /// Memory of the processes of the app in MiB: private memory, and their share of shared memory. `name` selects one
    /// of them, as in `/proc`.
    pub(super) fn memory(&self, name: Option<&str>) -> f64 {
        let memory = self.app_processes(name.unwrap_or_default()).into_iter().map(|process| {
            let rollup = std::fs::read_to_string(process.join("smaps_rollup")).unwrap_or_default();
            let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
            line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok()).unwrap_or_default()
        });
        let memory: f64 = memory.sum();
        assert!(memory > 0.0, "no process of the app runs");
        memory / 1024.0
    }

    /// Seconds of processor time of the processes of the app so far, to 10 ms each.
    pub(super) fn processor(&self) -> f64 {
        let processes = self.app_processes("").into_iter().map(|process| {
            let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
            // Fields 14 and 15, in hundredths of a second; see proc(5).
            let times = fields_after_name(&stat).skip(11).take(2).map(|time| time.parse().unwrap_or(0.0));
            times.sum::<f64>() / 100.0
        });
        processes.sum()
    }

    /// When the process of the app was started, in milliseconds since 1970, to 10 ms.
    pub(super) fn start_of_app(&self) -> f64 {
        let process = self.app_processes("(template-desk)").pop().expect("the app runs");
        let stat = std::fs::read_to_string(process.join("stat")).unwrap();
        let system = std::fs::read_to_string("/proc/stat").unwrap();
        let boot = system.lines().find_map(|line| line.strip_prefix("btime ")).unwrap();
        // Field 22, in hundredths of a second since the system started; see proc(5).
        let started: f64 = fields_after_name(&stat).nth(19).unwrap().parse().unwrap();
        boot.parse::<f64>().unwrap() * 1e3 + started * 10.0
    }

    /// The folders in `/proc` of the processes that draw the page.
    fn web_processes(&self) -> Vec<PathBuf> {
        self.app_processes("(WebKitWebProces")
    }

    /// The folders in `/proc` of the processes of the app whose names contain `name`.
    fn app_processes(&self, name: &str) -> Vec<PathBuf> {
        let group = self.app_group().to_string();
        let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let of_app = processes.filter(|process| {
            let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
            // State, parent, group.
            stat.contains(name) && fields_after_name(&stat).nth(2) == Some(&group)
        });
        of_app.collect()
    }
}

/// The fields of `/proc/PID/stat` after the name of the process, which is in parentheses.
fn fields_after_name(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit(')').next().unwrap_or_default().split_whitespace()
}
