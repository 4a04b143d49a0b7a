//! Tests of the properties that are read from files, with valid, damaged and foreign ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its own files should fail")]

use std::io::Cursor;
use std::path::Path;

use base64::Engine as _;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use proptest::prelude::*;
use proptest::sample::Index;

use super::{Properties, Subject, guarded, inspect, mp4, picture};
use command_types::composer::Attachment;
use model::media::Encoding;

/// H.264 and AAC, with the index at the end.
const VIDEO: &[u8] = include_bytes!("../../tests/fixtures/video.mp4");
/// H.264 without sound, with the index at the beginning.
const PHONE_VIDEO: &[u8] = include_bytes!("../../tests/fixtures/phone_video.3gp");
/// MPEG-4 Part 2.
const OTHER_CODEC: &[u8] = include_bytes!("../../tests/fixtures/other_codec.mp4");

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture = RgbImage::from_pixel(width, height, Rgb([0, 128, 0]));
    picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    bytes
}

async fn inspected(name: &str, bytes: &[u8]) -> Attachment {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    inspect(&path).await.unwrap()
}

fn shown(file: &Attachment) -> RgbImage {
    let data = file.thumbnail.as_deref().unwrap_or_else(|| panic!("{} has no thumbnail", file.name));
    let jpeg = data.strip_prefix("data:image/jpeg;base64,").unwrap();
    let bytes = base64::engine::general_purpose::STANDARD.decode(jpeg).unwrap();
    image::load_from_memory_with_format(&bytes, ImageFormat::Jpeg).unwrap().to_rgb8()
}

#[track_caller]
fn assert_colour(picture: &RgbImage, (x, y): (u32, u32), wanted: [u8; 3]) {
    let found = picture.get_pixel(x, y).0;
    let near = found.iter().zip(wanted).all(|(found, wanted)| found.abs_diff(wanted) <= 24);
    assert!(near, "{found:?} at {x}, {y} is not {wanted:?}");
}

#[tokio::test]
async fn codecs_of_videos_are_read() {
    let codecs = |video: &str, audio: &[&str]| Encoding {
        video: Some(video.to_owned()),
        audio: audio.iter().map(|codec| (*codec).to_owned()).collect(),
        ..Encoding::default()
    };
    for (name, bytes, expected) in [
        ("a.mp4", VIDEO, codecs("H.264", &["AAC"])),
        ("a.3gp", PHONE_VIDEO, codecs("H.264", &[])),
        ("a.mp4", OTHER_CODEC, codecs("MPEG-4 Visual", &[])),
    ] {
        assert_eq!(inspected(name, bytes).await.encoding, Some(expected), "{name}");
    }
    let track = |kind: &[u8; 4], entry: &[u8]| {
        let handler = boxed(b"hdlr", &[&[0; 8], kind]);
        let table = boxed(b"stbl", &[&boxed(b"stsd", &[&table(&[1]), entry])]);
        boxed(b"trak", &[&boxed(b"mdia", &[&handler, &boxed(b"minf", &[&table])])])
    };
    let sound = |codec: u8| {
        // One length in the long form, and a stream with the dependency flag.
        let descriptors = [0, 0, 0, 0, 3, 0x80, 0x80, 9, 0, 1, 0x80, 0, 2, 4, 1, codec];
        boxed(b"mp4a", &[&[0; 28], &boxed(b"esds", &[&descriptors])])
    };
    let sounds = [sound(0x40), sound(0x6b), boxed(b"mp4a", &[&[0; 28]]), boxed(b"Opus", &[]), boxed(b"a\0c\xff", &[])];
    let tracks: Vec<u8> = sounds.iter().flat_map(|entry| track(b"soun", entry)).collect();
    let picture = track(b"vide", &boxed(b"hvc1", &[]));
    let video = [boxed(b"ftyp", &[b"isom"]), boxed(b"moov", &[&picture, &tracks, &track(b"hint", &sound(0x40))])];
    assert_eq!(
        inspected("a.mp4", &video.concat()).await.encoding,
        Some(codecs("H.265", &["AAC", "MP3", "AAC", "Opus", "a?c?"]))
    );
}

#[tokio::test]
async fn a_video_has_a_duration_and_no_thumbnail() {
    for (name, bytes, mime) in [("a.mp4", VIDEO, "video/mp4"), ("a.3gp", PHONE_VIDEO, "video/3gpp")] {
        let file = inspected(name, bytes).await;
        assert_eq!((file.mime.as_str(), file.size), (mime, bytes.len() as u64));
        assert_eq!((file.duration_ms, file.thumbnail), (Some(1_000), None), "{name}");
    }
}

#[test]
fn durations_are_read_in_both_versions_of_the_header() {
    let short = |timescale: u32, duration: u32| boxed(b"mvhd", &[&table(&[0, 0, timescale, duration])]);
    let long = |timescale: u32, duration: u64| {
        let duration = duration.to_be_bytes();
        boxed(b"mvhd", &[&[1, 0, 0, 0], &[0; 16], &timescale.to_be_bytes(), &duration])
    };
    for (header, expected) in [
        (short(600, 7_530), Some(12_550)),
        (long(90_000, 90_000 * 3_600), Some(3_600_000)),
        (short(600, u32::MAX), None),
        (long(600, u64::MAX), None),
        (long(1, u64::MAX - 1), None),
        (short(0, 600), None),
        (short(600, 0), None),
        (boxed(b"mvhd", &[&[0; 18]]), None),
        (boxed(b"mvhd", &[]), None),
        (Vec::new(), None),
    ] {
        assert_eq!(mp4::duration_ms(&header), expected, "{header:?}");
    }
}

#[tokio::test]
async fn colours_of_pictures_are_read() {
    let written = |picture: DynamicImage, format| {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    };
    let with_note = |jpeg: Vec<u8>| {
        let note = [&[0xff, 0xff, 0xe1, 0x20, 0][..], &[7; 0x1ffe]].concat();
        [&jpeg[..2], &note, &jpeg[2..]].concat()
    };
    let four_colours = |mut jpeg: Vec<u8>| {
        let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
        jpeg[frame + 9] = 4;
        jpeg
    };
    let rgb = || written(DynamicImage::new_rgb8(4, 4), ImageFormat::Jpeg);
    for (name, bytes, colour) in [
        ("a.png", written(DynamicImage::new_rgb8(4, 4), ImageFormat::Png), "RGB"),
        ("a.png", written(DynamicImage::new_rgba8(4, 4), ImageFormat::Png), "RGBA"),
        ("a.png", written(DynamicImage::new_rgb16(4, 4), ImageFormat::Png), "16-bit RGB"),
        ("a.png", written(DynamicImage::new_luma8(4, 4), ImageFormat::Png), "GRAY"),
        ("a.jpg", rgb(), "RGB"),
        ("a.jpg", with_note(rgb()), "RGB"),
        ("a.jpg", four_colours(rgb()), "CMYK"),
        ("a.jpg", written(DynamicImage::new_luma8(4, 4), ImageFormat::Jpeg), "GRAY"),
    ] {
        let found = inspected(name, &bytes).await.encoding.and_then(|encoding| encoding.colour);
        assert_eq!(found.as_deref(), Some(colour), "{name} {colour}");
    }
    for bytes in [&b"\xff\xd8\xff\xe0nothing"[..], b"\x89PNG\r\n\x1a\n", b"RIFF\x10\0\0\0WEBPVP8 "] {
        let found = inspected("a", bytes).await.encoding.and_then(|encoding| encoding.colour);
        assert_eq!(found, None, "{bytes:?}");
    }
}

#[tokio::test]
async fn pictures_are_scaled_down_only() {
    for (size, wanted) in [((1_000, 500), (320, 160)), ((40, 30), (40, 30)), ((2_000, 3), (320, 1))] {
        let picture = shown(&inspected("a.png", &png(size.0, size.1)).await);
        assert_eq!(picture.dimensions(), wanted);
        assert_colour(&picture, (1, 0), [0, 128, 0]);
    }
}

/// Everything except a thumbnail is known about such a file.
#[tokio::test]
async fn only_pictures_that_can_be_decoded_have_a_thumbnail() {
    let mut huge = png(3, 3);
    // Both dimensions, and the checksum that the decoder would check first.
    huge[16..24].copy_from_slice(&[0, 1, 0xff, 0xff, 0, 1, 0xff, 0xff]);
    let checksum = crc32(&huge[12..29]).to_be_bytes();
    huge[29..33].copy_from_slice(&checksum);
    let short = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    for (name, bytes, mime) in [
        ("huge.png", huge, "image/png"),
        ("broken.jpg", b"\xff\xd8\xff\xe0nothing".to_vec(), "image/jpeg"),
        ("broken.png", short(&png(300, 300)), "image/png"),
        ("short.mp4", short(VIDEO), "video/mp4"),
        ("short.3gp", short(PHONE_VIDEO), "video/3gpp"),
        ("page.pdf", b"%PDF-1.7\nnothing".to_vec(), "application/pdf"),
        ("plain.txt", b"words".to_vec(), "text/plain"),
        ("unknown.bin", vec![0, 1, 2, 3], ""),
    ] {
        let file = inspected(name, &bytes).await;
        assert_eq!((file.mime.as_str(), file.thumbnail), (mime, None), "{name}");
        assert_eq!(file.size, bytes.len() as u64);
        let is_damaged = file.encoding.is_some_and(|encoding| encoding.damaged);
        assert_eq!(is_damaged, name.starts_with("broken"), "{name}");
    }
}

#[tokio::test]
async fn a_text_cut_inside_a_character_is_recognized() {
    for shift in 0..4 {
        let text = "x".repeat(shift) + &"\u{1f337}".repeat(3_000);
        assert_eq!(inspected("a.txt", text.as_bytes()).await.mime, "text/plain", "{shift}");
    }
}

#[tokio::test]
async fn unusable_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.png"), b"").unwrap();
    for (path, words) in [("missing.png", "no longer exists"), ("", "folder"), ("empty.png", "empty")] {
        let error = inspect(&folder.path().join(Path::new(path))).await.unwrap_err().to_string();
        assert!(error.contains(words), "{path}: {error}");
    }
}

#[test]
fn transparency_becomes_white() {
    let clear = image::RgbaImage::from_pixel(2, 2, image::Rgba([10, 20, 30, 0]));
    assert_eq!(super::fitted(clear.into()).get_pixel(0, 0).0, [255, 255, 255]);
    let half = image::RgbaImage::from_pixel(2, 2, image::Rgba([0, 0, 0, 128]));
    assert_eq!(super::fitted(half.into()).get_pixel(0, 0).0, [127, 127, 127]);
    let whole = image::RgbaImage::from_pixel(2, 2, image::Rgba([10, 20, 30, 255]));
    assert_eq!(super::fitted(whole.into()).get_pixel(0, 0).0, [10, 20, 30]);
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

fn boxed(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let size = u32::try_from(content.len() + 8).unwrap();
    [&size.to_be_bytes()[..], name, &content].concat()
}

fn table(values: &[u32]) -> Vec<u8> {
    std::iter::once(&0).chain(values).flat_map(|value| value.to_be_bytes()).collect()
}

/// Almost valid files: some bytes changed, or the end truncated.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let whole = prop::sample::select(vec![VIDEO.to_vec(), PHONE_VIDEO.to_vec(), png(20, 20)]);
    let changes = prop::collection::vec((any::<Index>(), any::<u8>()), 0..12);
    (whole, changes, prop::option::of(any::<Index>())).prop_map(|(mut bytes, changes, end)| {
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(end) = end {
            bytes.truncate(end.index(bytes.len()));
        }
        bytes
    })
}

/// Parses bytes as a picture and as a video. Only the decoder, which is a library, is guarded against panics.
fn read(bytes: &[u8]) {
    let _refused = guarded(|| picture(Cursor::new(bytes)));
    for subject in [Subject::Picture, Subject::Video] {
        let _refused = Properties::read(&mut Cursor::new(bytes), subject);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_cause_no_panic(bytes in damaged()) {
        read(&bytes);
    }

    #[test]
    fn any_bytes_cause_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        read(&bytes);
    }
}
