//! The first key frame of an MP4 or 3GPP film.
//!
//! Only the index (`moov`) and the bytes of that frame are read, wherever they stand, so that a film of any size costs
//! the same. Every length that a file states is checked against what is there before anything is reserved for it.
//! Films in fragments (`moof`), as streaming sites cut them, have their frames elsewhere and get no picture.

use std::io::{Read, Seek, SeekFrom};

use anyhow::{Context as _, bail, ensure};
use image::{DynamicImage, RgbImage};
use rusty_h264_decoder::Decoder;

use super::THUMBNAIL;

/// Most bytes of an index; an hour of film has about one MiB.
const INDEX_LIMIT: u64 = 16 * 1024 * 1024;
/// Most bytes of one frame.
const FRAME_LIMIT: u32 = 8 * 1024 * 1024;
/// Most boxes that are passed over in search of the index.
const MOST_BOXES: usize = 1_000;
/// What stands before every unit in the stream that the decoder takes.
const START: [u8; 4] = [0, 0, 0, 1];

/// Decodes the first key frame, turned as the film is to be shown.
///
/// # Errors
/// When the file is no such film, is cut short, or is not H.264 with 8 bits a sample.
pub(super) fn first_key_frame(file: &mut (impl Read + Seek)) -> anyhow::Result<DynamicImage> {
    let (stream, quarter_turns) = stream(file)?;
    let frame = Decoder::new().decode(&stream).map_err(|error| anyhow::anyhow!("{error}"))?;
    let frame = frame.context("the frame is incomplete")?;
    let picture = DynamicImage::from(rgb(frame.width, frame.height, [&frame.y, &frame.u, &frame.v])?);
    Ok(match quarter_turns {
        1 => picture.rotate90(),
        2 => picture.rotate180(),
        3 => picture.rotate270(),
        _ => picture,
    })
}

/// The first key frame with its parameter sets, and how often its picture is turned right.
pub(super) fn stream(file: &mut (impl Read + Seek)) -> anyhow::Result<(Vec<u8>, u8)> {
    let index = index(file)?;
    let track = boxes(&index)
        .filter(|(kind, _)| *kind == b"trak")
        .find_map(|(_, track)| Track::of(track))
        .context("the film has no H.264 track")?;
    let (offset, size) = track.sample(track.first_key_frame()?)?;
    let stream = track.stream(&read_at(file, offset, size)?)?;
    Ok((stream, track.quarter_turns))
}

/// The content of `moov`.
pub(super) fn index(file: &mut (impl Read + Seek)) -> anyhow::Result<Vec<u8>> {
    let mut at = 0_u64;
    for _ in 0..MOST_BOXES {
        file.seek(SeekFrom::Start(at))?;
        let mut header = [0; 16];
        file.read_exact(&mut header[..8]).context("there is no index")?;
        let (head, size) = match u32_at(&header, 0)? {
            1 => {
                file.read_exact(&mut header[8..])?;
                (16, u64_at(&header, 8)?)
            }
            // It reaches to the end of the file, and nothing follows.
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
        at = at.checked_add(size).context("a box ends nowhere")?;
    }
    bail!("there is no index among the first {MOST_BOXES} boxes");
}

fn read_at(file: &mut (impl Read + Seek), offset: u64, size: u32) -> anyhow::Result<Vec<u8>> {
    ensure!(size <= FRAME_LIMIT, "the frame is too large");
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(u64::from(size)).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 == u64::from(size), "the film ends before its first key frame");
    Ok(bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> anyhow::Result<u32> {
    let word = at.checked_add(4).and_then(|end| bytes.get(at..end)).context("a table ends early")?;
    Ok(u32::from_be_bytes(word.try_into()?))
}

fn u64_at(bytes: &[u8], at: usize) -> anyhow::Result<u64> {
    let word = at.checked_add(8).and_then(|end| bytes.get(at..end)).context("a table ends early")?;
    Ok(u64::from_be_bytes(word.try_into()?))
}

/// The boxes that stand in a row, by name and content; ends at the first that is malformed.
pub(super) fn boxes(mut rest: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let size = usize::try_from(u32_at(rest, 0).ok()?).ok()?;
        let kind = rest.get(4..8)?.try_into().ok()?;
        let content = rest.get(8..size)?;
        rest = rest.get(size..)?;
        Some((kind, content))
    })
}

pub(super) fn inner<'a>(within: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    path.iter()
        .try_fold(within, |within, name| boxes(within).find_map(|(kind, content)| (kind == *name).then_some(content)))
}

/// The H.264 track of a film: how it is set up, and where its samples stand.
struct Track<'a> {
    /// Parameter sets and the length of the lengths (`avcC`).
    setup: &'a [u8],
    table: &'a [u8],
    quarter_turns: u8,
}

impl<'a> Track<'a> {
    fn of(track: &'a [u8]) -> Option<Self> {
        let table = inner(track, &[b"mdia", b"minf", b"stbl"])?;
        let descriptions = inner(table, &[b"stsd"])?.get(8..)?;
        let entry = boxes(descriptions).find_map(|(kind, entry)| matches!(kind, b"avc1" | b"avc3").then_some(entry))?;
        // 78 bytes of every visual sample entry stand before its boxes.
        let setup = inner(entry.get(78..)?, &[b"avcC"])?;
        let quarter_turns = inner(track, &[b"tkhd"]).and_then(quarter_turns).unwrap_or_default();
        Some(Self { setup, table, quarter_turns })
    }

    fn list(&self, name: &[u8; 4]) -> anyhow::Result<&'a [u8]> {
        inner(self.table, &[name]).context("a table of the track is missing")
    }

    /// Its number from 0. Without a list of key frames, every frame is one.
    fn first_key_frame(&self) -> anyhow::Result<u32> {
        match self.list(b"stss") {
            Ok(list) => u32_at(list, 8)?.checked_sub(1).context("frames are counted from 1"),
            Err(_) => Ok(0),
        }
    }

    /// Where a sample begins in the file, and its bytes.
    fn sample(&self, sample: u32) -> anyhow::Result<(u64, u32)> {
        let (chunk, before) = self.chunk_of(sample)?;
        let mut offset = match self.list(b"stco") {
            Ok(offsets) => u64::from(u32_at(offsets, place(8, chunk, 4)?)?),
            Err(_) => u64_at(self.list(b"co64")?, place(8, chunk, 8)?)?,
        };
        let sizes = self.list(b"stsz")?;
        let same = u32_at(sizes, 4)?;
        if same > 0 {
            let passed = u64::from(same) * u64::from(before);
            return Ok((offset.checked_add(passed).context("a frame stands nowhere")?, same));
        }
        let size = |sample| u32_at(sizes, place(12, sample, 4)?);
        for earlier in sample - before..sample {
            offset = offset.checked_add(u64::from(size(earlier)?)).context("a frame stands nowhere")?;
        }
        Ok((offset, size(sample)?))
    }

    /// The chunk that a sample stands in, from 0, and how many samples stand before it there.
    fn chunk_of(&self, sample: u32) -> anyhow::Result<(u32, u32)> {
        let runs = self.list(b"stsc")?;
        let mut rest = u64::from(sample);
        for run in 0..u32_at(runs, 4)? {
            let at = place(8, run, 12)?;
            let (first, each) = (u32_at(runs, at)?, u32_at(runs, at + 4)?);
            ensure!(first > 0 && each > 0, "a run of chunks is empty");
            let next = u32_at(runs, at + 12).ok().filter(|next| *next > first);
            let held = next.map_or(u64::MAX, |next| u64::from(next - first) * u64::from(each));
            if rest < held {
                let chunk = u64::from(first - 1) + rest / u64::from(each);
                return Ok((u32::try_from(chunk)?, u32::try_from(rest % u64::from(each))?));
            }
            rest -= held;
        }
        bail!("the frame is in no chunk");
    }

    /// Parameter sets and one frame, as the stream that a decoder takes.
    fn stream(&self, frame: &[u8]) -> anyhow::Result<Vec<u8>> {
        let setup = self.setup;
        let byte = |at: usize| setup.get(at).copied().context("the setup ends early");
        let mut stream = Vec::new();
        let mut at = 5;
        for mask in [0x1f, 0xff] {
            let sets = byte(at)? & mask;
            at += 1;
            for _ in 0..sets {
                let length = usize::from(u16::from_be_bytes([byte(at)?, byte(at + 1)?]));
                at += 2;
                let set = setup.get(at..at + length).context("a parameter set ends early")?;
                stream.extend(START);
                stream.extend(set);
                at += length;
            }
        }
        let width = usize::from(byte(4)? & 3) + 1;
        let mut rest = frame;
        while let Some((length, after)) = rest.split_at_checked(width) {
            let length = length.iter().fold(0_usize, |length, byte| (length << 8) | usize::from(*byte));
            let (unit, after) = after.split_at_checked(length).context("a unit of the frame ends early")?;
            stream.extend(START);
            stream.extend(unit);
            rest = after;
        }
        Ok(stream)
    }
}

/// Where an entry of a table stands.
fn place(from: usize, entry: u32, width: usize) -> anyhow::Result<usize> {
    let entry = usize::try_from(entry)?;
    entry.checked_mul(width).and_then(|at| at.checked_add(from)).context("a table is too long")
}

/// How often the picture is turned right by 90 degrees, from the matrix of `tkhd`: telephones film upright pictures
/// lying down.
fn quarter_turns(header: &[u8]) -> Option<u8> {
    let matrix = if header.first()? == &1 { 52 } else { 40 };
    let sign =
        |at: usize| u32_at(header, matrix + at).ok().map(|value| i32::from_be_bytes(value.to_be_bytes()).signum());
    match (sign(0)?, sign(4)?, sign(12)?, sign(16)?) {
        (0, 1, -1, 0) => Some(1),
        (-1, 0, 0, -1) => Some(2),
        (0, -1, 1, 0) => Some(3),
        _ => Some(0),
    }
}

/// The frame in RGB, with whole rows and columns left out where it is far larger than a thumbnail.
fn rgb(width: usize, height: usize, [light, blue, red]: [&[u8]; 3]) -> anyhow::Result<RgbImage> {
    // Two by two pixels share their colours.
    let across = width.div_ceil(2);
    ensure!(width > 0 && height > 0 && light.len() >= width * height, "the frame has no pixels");
    ensure!(blue.len().min(red.len()) >= across * height.div_ceil(2), "the frame has no colours");
    let step = (width.max(height) / (2 * THUMBNAIL as usize)).max(1);
    // Nothing states which of the two ways of coding colours a film uses as surely as its size.
    let [red_v, green_u, green_v, blue_u]: [f32; 4] =
        if height.min(width) >= 720 { [1.793, 0.213, 0.533, 2.112] } else { [1.596, 0.392, 0.813, 2.017] };
    let byte = |value: f32| value.clamp(0.0, 255.0).round() as u8;
    let picture = RgbImage::from_fn(
        u32::try_from(width.div_ceil(step))?,
        u32::try_from(height.div_ceil(step))?,
        |column, row| {
            let (x, y) = (column as usize * step, row as usize * step);
            let light = 1.164 * (f32::from(light[y * width + x]) - 16.0);
            let colour = y / 2 * across + x / 2;
            let (u, v) = (f32::from(blue[colour]) - 128.0, f32::from(red[colour]) - 128.0);
            image::Rgb([byte(light + red_v * v), byte(light - green_u * u - green_v * v), byte(light + blue_u * u)])
        },
    );
    Ok(picture)
}
