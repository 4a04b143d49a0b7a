//! The statuses of one message, in any order and repeated: the displayed status is the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use store::fuzzing::current_status;

const STATUSES: [&str; 8] = ["sent", "delivered", "read", "failed", "played", "deleted", "warning", "teleported"];

fuzz_target!(|data: &[u8]| {
    let report = |pair: &[u8]| (STATUSES[usize::from(pair[0] % 8)].to_owned(), i64::from(pair[1] as i8));
    let reports: Vec<_> = data.chunks_exact(2).take(64).map(report).collect();
    let status = current_status(reports.clone());
    assert_eq!(status.is_none(), reports.is_empty());
    if let Some(status) = &status {
        assert!(reports.contains(status), "{status:?} was never reported");
    }
    let mut other = reports.clone();
    other.reverse();
    assert_eq!(current_status(other.clone()), status);
    // The same reports, some repeated, with another start.
    other.extend(reports.iter().step_by(2).cloned());
    let length = other.len();
    if length > 0 {
        other.rotate_left(usize::from(data[0]) % length);
    }
    assert_eq!(current_status(other), status);
});
