//! Encoding of pictures and videos, on which the channel has requirements beyond the type (upstream §4.2).

use std::io::{Read, Seek, SeekFrom};

use anyhow::{Context as _, bail};
use model::media::{AUDIO_CODEC, Encoding, VIDEO_CODEC};

use super::mp4::{boxes, inner};

/// Maximum number of JPEG segments before the frame header.
const MAX_SEGMENTS: usize = 500;

/// Colours of a PNG or JPEG picture, read from its header only.
pub(super) fn of_picture(file: &mut (impl Read + Seek)) -> anyhow::Result<Encoding> {
    let mut head = [0; 26];
    file.read_exact(&mut head).context("the picture ends early")?;
    let colour = if head.starts_with(b"\x89PNG\r\n\x1a\n") { png(head[24], head[25])? } else { jpeg(file)? };
    Ok(Encoding { colour: Some(colour), ..Encoding::default() })
}

fn png(depth: u8, kind: u8) -> anyhow::Result<String> {
    let colours = match kind {
        0 => "GRAY",
        2 => "RGB",
        // Palette entries are always RGB with 8 bits each, whatever the bit depth of the indices.
        3 => return Ok("RGB".to_owned()),
        4 => "GRAY with alpha",
        6 => "RGBA",
        other => bail!("a PNG has no colours of the kind {other}"),
    };
    Ok(with_depth(depth, colours))
}

fn jpeg(file: &mut (impl Read + Seek)) -> anyhow::Result<String> {
    let mut at = 2;
    for _ in 0..MAX_SEGMENTS {
        file.seek(SeekFrom::Start(at))?;
        let mut part = [0; 10];
        file.read_exact(&mut part).context("the picture ends before its frame header")?;
        let [0xff, marker, high, low, depth, .., components] = part else { bail!("a part of the picture is missing") };
        match marker {
            // Fill bytes.
            0xff => at += 1,
            // The range of frame headers also contains Huffman tables (C4), an extension (C8) and arithmetic coding
            // (CC).
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Ok(with_depth(
                    depth,
                    match components {
                        1 => "GRAY",
                        3 => "RGB",
                        4 => "CMYK",
                        other => bail!("a JPEG has no {other} components"),
                    },
                ));
            }
            _ => at += 2 + u64::from(u16::from_be_bytes([high, low])),
        }
    }
    bail!("no frame header in the first {MAX_SEGMENTS} segments");
}

fn with_depth(depth: u8, colours: &str) -> String {
    if depth == 8 { colours.to_owned() } else { format!("{depth}-bit {colours}") }
}

/// Video and audio codecs from the index of a video ([`super::mp4::index`]); `None` if no track names one.
pub(super) fn of_video(index: &[u8]) -> Option<Encoding> {
    let mut encoding = Encoding::default();
    for (_, track) in boxes(index).filter(|(kind, _)| *kind == b"trak") {
        let Some(media) = inner(track, &[b"mdia"]) else { continue };
        let kind = inner(media, &[b"hdlr"]).and_then(|handler| handler.get(8..12));
        let entry =
            inner(media, &[b"minf", b"stbl", b"stsd"]).and_then(|descriptions| boxes(descriptions.get(8..)?).next());
        match (kind, entry) {
            (Some(b"vide"), Some((name, _))) if encoding.video.is_none() => encoding.video = Some(video(name)),
            (Some(b"soun"), Some((name, entry))) => encoding.audio.push(audio(name, entry)),
            _ => {}
        }
    }
    (encoding != Encoding::default()).then_some(encoding)
}

fn video(name: &[u8; 4]) -> String {
    match name {
        b"avc1" | b"avc3" => VIDEO_CODEC,
        b"hvc1" | b"hev1" | b"dvh1" | b"dvhe" => "H.265",
        b"mp4v" => "MPEG-4 Visual",
        b"s263" | b"h263" => "H.263",
        b"av01" => "AV1",
        b"vp08" => "VP8",
        b"vp09" => "VP9",
        other => return registered(other),
    }
    .to_owned()
}

fn audio(name: &[u8; 4], entry: &[u8]) -> String {
    match name {
        // All MPEG audio codecs share this name; an unidentified one is assumed to be the usual one.
        b"mp4a" => match object_type(entry) {
            Some(0x69 | 0x6b) => "MP3",
            Some(0xa5) => "AC-3",
            Some(0xa6) => "E-AC-3",
            _ => AUDIO_CODEC,
        },
        b"samr" => "AMR",
        b"sawb" => "AMR-WB",
        b"ac-3" => "AC-3",
        b"ec-3" => "E-AC-3",
        b"alac" => "ALAC",
        b"fLaC" => "FLAC",
        b".mp3" => "MP3",
        other => return registered(other),
    }
    .to_owned()
}

/// Text of a four-character code without a known codec.
fn registered(name: &[u8; 4]) -> String {
    name.iter().map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '?' }).collect()
}

/// The codec within MPEG-4 (`objectTypeIndication` of ISO 14496-1), from the descriptors in `esds`.
fn object_type(entry: &[u8]) -> Option<u8> {
    /// Content after the tag and its length. The length has 7 bits per byte; the high bit marks that another byte
    /// follows.
    fn content(bytes: &[u8], tag: u8) -> Option<&[u8]> {
        let rest = bytes.strip_prefix(&[tag])?;
        let length = rest.iter().position(|byte| byte & 0x80 == 0)?;
        rest.get(length + 1..)
    }
    // An audio entry has 28 bytes before its boxes; 4 bytes of version and flags precede the descriptors.
    let stream = content(inner(entry.get(28..)?, &[b"esds"])?.get(4..)?, 3)?;
    let flags = *stream.get(2)?;
    let mut at = 3;
    at += if flags & 0x80 == 0 { 0 } else { 2 };
    at += if flags & 0x40 == 0 { 0 } else { 1 + usize::from(*stream.get(at)?) };
    at += if flags & 0x20 == 0 { 0 } else { 2 };
    content(stream.get(at..)?, 4)?.first().copied()
}
