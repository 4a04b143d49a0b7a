//! Reads deliveries directly from the pages of a file that SQLite cannot read, and skips damaged ones.
//!
//! A stored delivery never changes, so every complete copy is equally good: in pages of the file, and in pages of its
//! write-ahead log. The layout is described in <https://sqlite.org/fileformat2.html>.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::Delivery;
use super::row::assemble;
use crate::atomic_file::companions;

/// First byte of a page with rows of a table.
const TABLE_LEAF: u8 = 0x0d;
/// Used when an invalid page size shows that the header is damaged: the page size of new files.
const DEFAULT_PAGE_BYTES: usize = 4_096;
const LOG_HEADER: u64 = 32;
const FRAME_HEADER: u64 = 24;
/// Maximum size of a delivery in bytes; a larger value is garbage.
const MAX_ROW_BYTES: usize = 256 << 20;

/// The pages of a database file and of its log.
struct Pages {
    file: File,
    log: Option<File>,
    size: usize,
    count: u64,
    /// Offset of the latest image of a page in the log.
    logged: HashMap<u64, u64>,
    frames: u64,
}

/// Passes every complete delivery to `visit`, some of them twice.
///
/// # Errors
/// The error of `visit`. Unreadable data is skipped.
pub(super) fn scan<E>(path: &Path, mut visit: impl FnMut(Delivery) -> Result<(), E>) -> Result<(), E> {
    let Ok(mut pages) = Pages::open(path) else { return Ok(()) };
    for number in 1..=pages.count {
        if let Ok(page) = pages.of_file(number) {
            // The first page starts with the file's header.
            pages.rows(&page, if number == 1 { 100 } else { 0 }, false, &mut visit)?;
        }
    }
    for frame in 0..pages.frames {
        if let Ok(page) = pages.of_log(frame) {
            pages.rows(&page, 0, true, &mut visit)?;
        }
    }
    Ok(())
}

impl Pages {
    fn open(path: &Path) -> io::Result<Self> {
        let [main, log, _] = companions(path);
        let mut file = File::open(main)?;
        let log = File::open(log).ok();
        let mut header = [0; 18];
        let _may_be_shorter = file.read_exact(&mut header);
        let stated = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 65_536,
            other => usize::from(other),
        };
        let size = if stated.is_power_of_two() && stated >= 512 { stated } else { DEFAULT_PAGE_BYTES };
        let count = file.metadata()?.len().div_ceil(size as u64);
        let frame = FRAME_HEADER + size as u64;
        let length = log.as_ref().map_or(0, |log| log.metadata().map_or(0, |log| log.len()));
        let frames = length.saturating_sub(LOG_HEADER) / frame;
        let mut pages = Self { file, log, size, count, logged: HashMap::new(), frames };
        for frame in 0..frames {
            let mut number = [0; 4];
            if pages.read_log(frame, 0, &mut number).is_ok() {
                pages.logged.insert(u64::from(u32::from_be_bytes(number)), frame);
            }
        }
        Ok(pages)
    }

    /// A page of the file; missing bytes of a truncated file read as zeroes.
    fn of_file(&mut self, number: u64) -> io::Result<Vec<u8>> {
        let mut page = vec![0; self.size];
        self.file.seek(SeekFrom::Start((number - 1) * self.size as u64))?;
        let mut filled = 0;
        while filled < page.len() {
            match self.file.read(&mut page[filled..])? {
                0 => break,
                more => filled += more,
            }
        }
        Ok(page)
    }

    fn of_log(&mut self, frame: u64) -> io::Result<Vec<u8>> {
        let mut page = vec![0; self.size];
        self.read_log(frame, FRAME_HEADER, &mut page)?;
        Ok(page)
    }

    fn read_log(&mut self, frame: u64, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let start = LOG_HEADER + frame * (FRAME_HEADER + self.size as u64) + offset;
        let log = self.log.as_mut().ok_or(io::ErrorKind::NotFound)?;
        log.seek(SeekFrom::Start(start))?;
        log.read_exact(into)
    }

    fn rows<E>(
        &mut self,
        page: &[u8],
        at: usize,
        from_log: bool,
        visit: &mut impl FnMut(Delivery) -> Result<(), E>,
    ) -> Result<(), E> {
        if page.get(at) != Some(&TABLE_LEAF) {
            return Ok(());
        }
        let cells = usize::from(number16(page, at + 3));
        for cell in 0..cells.min(self.size / 2) {
            let start = usize::from(number16(page, at + 8 + 2 * cell));
            // The overflow pages of a row may be in the file or in the log.
            let row = [from_log, !from_log].into_iter().find_map(|log_first| self.row(page, start, log_first));
            if let Some(row) = row {
                visit(row)?;
            }
        }
        Ok(())
    }

    /// The delivery in the cell at `start`, if it is complete.
    fn row(&mut self, page: &[u8], start: usize, log_first: bool) -> Option<Delivery> {
        let cell = page.get(start..)?;
        let (length, after_length) = varint(cell)?;
        let (seq, after_seq) = varint(cell.get(after_length..)?)?;
        let length = usize::try_from(length).ok().filter(|length| *length <= MAX_ROW_BYTES)?;
        let payload = cell.get(after_length + after_seq..)?;
        if length <= self.size - 35 {
            return delivery(seq, payload.get(..length)?);
        }
        // How much of it is on this page: §1.6 of the file format.
        let least = (self.size - 12) * 32 / 255 - 23;
        let most = least + (length - least) % (self.size - 4);
        let here = if most <= self.size - 35 { most } else { least };
        let mut whole = payload.get(..here)?.to_vec();
        let mut next = payload.get(here..here + 4)?.try_into().map(u32::from_be_bytes).ok()?;
        while whole.len() < length {
            let page = self.overflow(u64::from(next), log_first)?;
            next = page.get(..4)?.try_into().map(u32::from_be_bytes).ok()?;
            let more = (length - whole.len()).min(self.size - 4);
            whole.extend_from_slice(&page[4..4 + more]);
        }
        delivery(seq, &whole)
    }

    fn overflow(&mut self, number: u64, log_first: bool) -> Option<Vec<u8>> {
        if let Some(&frame) = self.logged.get(&number).filter(|_| log_first || number > self.count) {
            return self.of_log(frame).ok();
        }
        (1..=self.count).contains(&number).then(|| self.of_file(number).ok())?
    }
}

/// Decodes a record with the columns of a delivery: seq (stored as the row number), instant, route, headers, body,
/// checksum, origin.
fn delivery(seq: i64, record: &[u8]) -> Option<Delivery> {
    let (header, mut at) = varint(record)?;
    let header = usize::try_from(header).ok()?;
    let mut kinds = Vec::with_capacity(7);
    while at < header {
        let (kind, length) = varint(record.get(at..header)?)?;
        kinds.push(kind);
        at += length;
    }
    let (columns, [0, ..]) = (kinds.len(), kinds.as_slice()) else { return None };
    if seq < 1 || !(5..=7).contains(&columns) {
        return None;
    }
    let mut rest = record.get(header..)?;
    let mut take = |kind: i64| -> Option<&[u8]> {
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => usize::try_from(kind).ok()?,
            5 => 6,
            6 | 7 => 8,
            12.. => usize::try_from((kind - 12) / 2).ok()?,
            _ => return None,
        };
        let (value, after) = rest.split_at_checked(length)?;
        rest = after;
        Some(value)
    };
    let received_at = integer(kinds[1], take(kinds[1])?)?;
    let text = |kind: i64, bytes: &[u8]| {
        let is_text = kind >= 13 && kind % 2 == 1;
        is_text.then(|| String::from_utf8(bytes.to_vec()).ok())?
    };
    let route = text(kinds[2], take(kinds[2])?)?;
    let headers = text(kinds[3], take(kinds[3])?)?;
    if kinds[4] < 12 || kinds[4] % 2 == 1 {
        return None;
    }
    let body = take(kinds[4])?.to_vec();
    let stored = match kinds.get(5) {
        Some(&kind) if kind != 0 => Some(integer(kind, take(kind)?)?),
        _ => None,
    };
    let origin = kinds.get(6).and_then(|kind| text(*kind, take(*kind)?));
    let delivery = assemble(seq, received_at, route, &headers, body, stored).ok()?;
    Some(Delivery { origin, ..delivery })
}

fn integer(kind: i64, bytes: &[u8]) -> Option<i64> {
    match kind {
        8 => Some(0),
        9 => Some(1),
        1..=6 => {
            let negative = bytes.first()? & 0x80 != 0;
            let start = if negative { -1 } else { 0 };
            Some(bytes.iter().fold(start, |value: i64, byte| value << 8 | i64::from(*byte)))
        }
        _ => None,
    }
}

/// A varint of one to nine bytes, and its length.
fn varint(bytes: &[u8]) -> Option<(i64, usize)> {
    let mut value: u64 = 0;
    for (place, byte) in bytes.iter().take(9).enumerate() {
        if place == 8 {
            return Some(((value << 8 | u64::from(*byte)).cast_signed(), 9));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value.cast_signed(), place + 1));
        }
    }
    None
}

/// A two-byte number; 0 past the end.
fn number16(page: &[u8], at: usize) -> u16 {
    page.get(at..at + 2).map_or(0, |bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
}
