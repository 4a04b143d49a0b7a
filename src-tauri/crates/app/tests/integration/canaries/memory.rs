//! The memory of a process, as Linux shows it to its parent.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::time::{Duration, Instant};

use zeroize::Zeroizing;

use super::Canary;

/// Size of the memory that is read at once, in bytes.
const CHUNK_BYTES: usize = 1 << 20;
/// How long memory may take to be freed on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) fn holds(text: &[u8], needle: &[u8]) -> bool {
    memchr::memmem::find(text, needle).is_some()
}

/// Number of occurrences of `needle` in the writable memory of a process.
pub(super) fn occurrences(process: u32, needle: &[u8]) -> usize {
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
    let mut memory = std::fs::File::open(format!("/proc/{process}/mem")).unwrap();
    let mut found = 0;
    // The end of the previous piece is kept at the front, so that no occurrence is split.
    let mut piece = Zeroizing::new(vec![0; CHUNK_BYTES + needle.len()]);
    for line in maps.lines() {
        let (range, rest) = line.split_once(' ').unwrap();
        if !rest.starts_with("rw") || rest.contains("[vvar]") {
            continue;
        }
        let (start, end) = range.split_once('-').unwrap();
        let (start, end) = (u64::from_str_radix(start, 16).unwrap(), u64::from_str_radix(end, 16).unwrap());
        let mut at = start;
        while at < end {
            let length = usize::try_from((end - at).min((CHUNK_BYTES + needle.len() - 1) as u64)).unwrap();
            let read = memory.seek(SeekFrom::Start(at)).and_then(|_| memory.read(&mut piece[..length]));
            // A region may have been unmapped.
            let Ok(read) = read else { break };
            found += memchr::memmem::find_iter(&piece[..read], needle).count();
            if read < needle.len() {
                break;
            }
            at += (read - needle.len() + 1) as u64;
        }
    }
    found
}

/// The remaining occurrences of each secret once their number no longer decreases.
pub(super) fn left_after(process: u32, secrets: &[(Canary, Zeroizing<String>)]) -> Vec<(Canary, usize)> {
    let began = Instant::now();
    loop {
        let left: Vec<_> = secrets
            .iter()
            .map(|(canary, text)| (*canary, occurrences(process, text.as_bytes())))
            .filter(|(_, times)| *times > 0)
            .collect();
        if left.is_empty() || began.elapsed() > TIMEOUT {
            return left;
        }
        std::thread::yield_now();
    }
}
