//! The index (`moov`) of an MP4 or 3GPP video: its boxes and its duration. No frames are read or decoded.
//!
//! Only the index is read, wherever it is in the file, so the cost doesn't depend on the size of the video. Every
//! stated length is checked against the available bytes before memory is allocated.

use std::io::{Read, Seek, SeekFrom};

use anyhow::{Context as _, bail, ensure};

/// Maximum size of an index, in bytes; one hour of video has about 1 MiB.
const INDEX_LIMIT: u64 = 16 * 1024 * 1024;
/// Maximum number of boxes skipped while searching for the index.
const MAX_BOXES: usize = 1_000;

/// The content of `moov`.
///
/// # Errors
/// When the file has no index within [`MAX_BOXES`], or one larger than [`INDEX_LIMIT`].
pub(super) fn index(file: &mut (impl Read + Seek)) -> anyhow::Result<Vec<u8>> {
    let mut at = 0_u64;
    for _ in 0..MAX_BOXES {
        file.seek(SeekFrom::Start(at))?;
        let mut header = [0; 16];
        file.read_exact(&mut header[..8]).context("the file has no index")?;
        let (head, size) = match u32_at(&header, 0).context("a header has 16 bytes")? {
            1 => {
                file.read_exact(&mut header[8..])?;
                (16, u64_at(&header, 8).context("a header has 16 bytes")?)
            }
            // Size 0: the box extends to the end of the file.
            0 => (8, INDEX_LIMIT),
            size => (8, u64::from(size)),
        };
        let content = size.checked_sub(head).context("a box is shorter than its own header")?;
        if &header[4..8] == b"moov" {
            ensure!(content <= INDEX_LIMIT, "the index is too large");
            let mut index = Vec::new();
            file.take(content).read_to_end(&mut index)?;
            return Ok(index);
        }
        at = at.checked_add(size).context("the end of a box is out of range")?;
    }
    bail!("no index in the first {MAX_BOXES} boxes");
}

/// Duration in milliseconds, from `mvhd` of an index; `None` if the file doesn't state one.
pub(super) fn duration_ms(index: &[u8]) -> Option<u64> {
    let header = inner(index, &[b"mvhd"])?;
    let (timescale, duration) = match header.first()? {
        1 => (u32_at(header, 20)?, Some(u64_at(header, 24)?).filter(|duration| *duration != u64::MAX)),
        _ => (u32_at(header, 12)?, Some(u32_at(header, 16)?).filter(|duration| *duration != u32::MAX).map(u64::from)),
    };
    let milliseconds = (u128::from(duration?) * 1_000).checked_div(timescale.into())?;
    // Fragmented videos (`moof`) state 0; more than 49 days is invalid.
    u64::try_from(milliseconds).ok().filter(|milliseconds| (1..=u64::from(u32::MAX)).contains(milliseconds))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_be_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().copied().map(u64::from_be_bytes)
}

/// Consecutive boxes, by name and content; ends at the first malformed box.
pub(super) fn boxes(mut rest: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let size = usize::try_from(u32_at(rest, 0)?).ok()?;
        let kind = rest.get(4..8)?.try_into().ok()?;
        let content = rest.get(8..size)?;
        rest = rest.get(size..)?;
        Some((kind, content))
    })
}

/// The content of the box at this path of nested names; the first match counts at each level.
pub(super) fn inner<'a>(within: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    path.iter()
        .try_fold(within, |within, name| boxes(within).find_map(|(kind, content)| (kind == *name).then_some(content)))
}
