//! Memory and processor time of other processes, from `/proc`.

use std::time::Duration;

/// Memory of a process in MiB, current and peak; `None` if the system does not report it.
pub(crate) fn memory(process: u32) -> Option<(f64, f64)> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib / 1_024.0)
    };
    Some((field("VmRSS:")?, field("VmHWM:")?))
}

/// Seconds of processor time of a process so far; `None` if the system does not report it.
pub(crate) fn processor(process: u32) -> Option<f64> {
    Some(stat(process)?.own)
}

/// Seconds of processor time so far of a process, of its children, and of those of its children that have ended.
pub(crate) fn processor_with_children(process: u32) -> Option<f64> {
    let parent = stat(process)?;
    let children = std::fs::read_dir("/proc").ok()?.filter_map(|entry| {
        let child = entry.ok()?.file_name().to_str()?.parse().ok()?;
        stat(child).filter(|stat| stat.parent == process)
    });
    Some(parent.own + parent.ended_children + children.map(|child| child.own).sum::<f64>())
}

/// Microseconds of processor time for each of `count`, which a process and its children used.
pub(crate) fn micros_each(before: Option<f64>, after: Option<f64>, count: u64) -> f64 {
    match (before, after) {
        (Some(before), Some(after)) => (after - before) * 1e6 / count as f64,
        _ => f64::NAN,
    }
}

/// Per cent of one processor that was used in `time`.
pub(crate) fn per_cent(before: Option<f64>, after: Option<f64>, time: Duration) -> f64 {
    match (before, after) {
        (Some(before), Some(after)) => (after - before) * 100.0 / time.as_secs_f64(),
        _ => f64::NAN,
    }
}

/// A line of `/proc/PROCESS/stat`; times in seconds.
struct Stat {
    parent: u32,
    own: f64,
    ended_children: f64,
}

fn stat(process: u32) -> Option<Stat> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Fields after the name, which may contain any character; the first of them is the third field of the line.
    let fields: Vec<&str> = line.rsplit(')').next()?.split_whitespace().collect();
    // In hundredths of a second.
    let seconds = |field: usize| fields.get(field - 3)?.parse::<f64>().ok().map(|ticks| ticks / 100.0);
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        own: seconds(14)? + seconds(15)?,
        ended_children: seconds(16)? + seconds(17)?,
    })
}
