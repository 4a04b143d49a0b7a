#![expect(clippy::unwrap_used, reason = "a test that cannot make its own files should fail")]

use std::io::Cursor;
use std::path::Path;

use base64::Engine as _;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use proptest::prelude::*;
use proptest::sample::Index;

use super::{Subject, encoding, guarded, inspect, page, picture, video};
use api::composer::Attachment;
use model::media::Encoding;

/// Red on the left, blue on the right, 160 by 96; its index stands last, and it has sound.
const FILM: &[u8] = include_bytes!("../../tests/fixtures/film.mp4");
/// The same picture; its index stands first.
const TELEPHONE_FILM: &[u8] = include_bytes!("../../tests/fixtures/film.3gp");
/// The same picture in MPEG-4 Part 2.
const OTHER_CODEC: &[u8] = include_bytes!("../../tests/fixtures/other_codec.mp4");

/// Two pages in `media_box`, the first with a red half and a word above it.
fn document(media_box: &str) -> Vec<u8> {
    let content = "1 0 0 rg 0 0 100 400 re f BT /F1 24 Tf 0 0 1 rg 110 300 Td (Word) Tj ET";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox {media_box} /Contents 4 0 R /Resources << /Font << /F1 6 0 R >> >> >>"
        ),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox {media_box} >>"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(pdf.len());
        pdf.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let start = pdf.len();
    pdf.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for place in places {
        pdf.push_str(&format!("{place:010} 00000 n \n"));
    }
    pdf.push_str(&format!("trailer << /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1));
    pdf.into_bytes()
}

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

const RED: [u8; 3] = [254, 0, 0];
const BLUE: [u8; 3] = [0, 0, 254];

#[tokio::test]
async fn a_film_shows_its_first_key_frame() {
    for (name, bytes, mime) in [("a.mp4", FILM, "video/mp4"), ("a.3gp", TELEPHONE_FILM, "video/3gpp")] {
        let file = inspected(name, bytes).await;
        assert_eq!((file.mime.as_str(), file.size), (mime, bytes.len() as u64));
        let picture = shown(&file);
        assert_eq!(picture.dimensions(), (160, 96), "{name}");
        assert_colour(&picture, (40, 48), RED);
        assert_colour(&picture, (120, 48), BLUE);
    }
}

#[tokio::test]
async fn films_tell_their_codecs() {
    let codecs = |video: &str, audio: &[&str]| Encoding {
        video: Some(video.to_owned()),
        audio: audio.iter().map(|codec| (*codec).to_owned()).collect(),
        colour: None,
    };
    for (name, bytes, expected) in [
        ("a.mp4", FILM, codecs("H.264", &["AAC"])),
        ("a.3gp", TELEPHONE_FILM, codecs("H.264", &[])),
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
        // One length in the long form, and a stream that depends on another.
        let descriptors = [0, 0, 0, 0, 3, 0x80, 0x80, 9, 0, 1, 0x80, 0, 2, 4, 1, codec];
        boxed(b"mp4a", &[&[0; 28], &boxed(b"esds", &[&descriptors])])
    };
    let sounds = [sound(0x40), sound(0x6b), boxed(b"mp4a", &[&[0; 28]]), boxed(b"Opus", &[]), boxed(b"a\0c\xff", &[])];
    let tracks: Vec<u8> = sounds.iter().flat_map(|entry| track(b"soun", entry)).collect();
    let picture = track(b"vide", &boxed(b"hvc1", &[]));
    let film = [boxed(b"ftyp", &[b"isom"]), boxed(b"moov", &[&picture, &tracks, &track(b"hint", &sound(0x40))])];
    assert_eq!(
        inspected("a.mp4", &film.concat()).await.encoding,
        Some(codecs("H.265", &["AAC", "MP3", "AAC", "Opus", "a?c?"]))
    );
}

#[tokio::test]
async fn pictures_tell_their_colours() {
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
        let expected = Encoding { colour: Some(colour.to_owned()), ..Encoding::default() };
        assert_eq!(inspected(name, &bytes).await.encoding, Some(expected), "{name} {colour}");
    }
    for bytes in [&b"\xff\xd8\xff\xe0nothing"[..], b"\x89PNG\r\n\x1a\n", b"RIFF\x10\0\0\0WEBPVP8 "] {
        assert_eq!(inspected("a", bytes).await.encoding, None, "{bytes:?}");
    }
}

#[tokio::test]
async fn a_film_is_turned_as_its_header_says() {
    const ONE: [u8; 4] = 0x0001_0000_i32.to_be_bytes();
    const MINUS: [u8; 4] = (-0x0001_0000_i32).to_be_bytes();
    const ZERO: [u8; 4] = [0; 4];
    let header = FILM.windows(4).position(|name| name == b"tkhd").unwrap() + 4 + 40;
    for ([a, b, c, d], size, red) in [
        ([ZERO, ONE, MINUS, ZERO], (96, 160), (48, 40)),
        ([MINUS, ZERO, ZERO, MINUS], (160, 96), (120, 48)),
        ([ZERO, MINUS, ONE, ZERO], (96, 160), (48, 120)),
    ] {
        let mut film = FILM.to_vec();
        for (at, value) in [(0, a), (4, b), (12, c), (16, d)] {
            film[header + at..header + at + 4].copy_from_slice(&value);
        }
        let picture = shown(&inspected("a.mp4", &film).await);
        assert_eq!(picture.dimensions(), size);
        assert_colour(&picture, red, RED);
    }
}

#[tokio::test]
async fn a_document_shows_its_first_page() {
    let file = inspected("a.pdf", &document("[0 0 200 400]")).await;
    assert_eq!(file.mime, "application/pdf");
    let picture = shown(&file);
    assert_eq!(picture.dimensions(), (160, 320));
    assert_colour(&picture, (40, 160), [255, 0, 0]);
    assert_colour(&picture, (120, 250), [255, 255, 255]);
    let word = picture.enumerate_pixels().filter(|(x, y, _)| (88..140).contains(x) && (60..85).contains(y));
    assert!(word.into_iter().any(|(.., pixel)| pixel[2] > 120 && pixel[0] < 100), "the word is drawn in blue");
}

#[tokio::test]
async fn a_picture_is_made_smaller_but_never_larger() {
    for (size, wanted) in [((1_000, 500), (320, 160)), ((40, 30), (40, 30)), ((2_000, 3), (320, 1))] {
        let picture = shown(&inspected("a.png", &png(size.0, size.1)).await);
        assert_eq!(picture.dimensions(), wanted);
        assert_colour(&picture, (1, 0), [0, 128, 0]);
    }
}

/// Everything about such a file is known but its looks.
#[tokio::test]
async fn what_cannot_be_drawn_has_no_thumbnail() {
    let mut huge = png(3, 3);
    // Both sides, and the checksum that the decoder would miss first.
    huge[16..24].copy_from_slice(&[0, 1, 0xff, 0xff, 0, 1, 0xff, 0xff]);
    let checksum = crc32(&huge[12..29]).to_be_bytes();
    huge[29..33].copy_from_slice(&checksum);
    let short = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    for (name, bytes, mime) in [
        ("huge.png", huge, "image/png"),
        ("broken.jpg", b"\xff\xd8\xff\xe0nothing".to_vec(), "image/jpeg"),
        ("other.mp4", OTHER_CODEC.to_vec(), "video/mp4"),
        ("short.mp4", short(FILM), "video/mp4"),
        ("short.3gp", short(TELEPHONE_FILM), "video/3gpp"),
        ("huge.mp4", film_of(60_000, 60_000), "video/mp4"),
        ("broken.pdf", b"%PDF-1.7\nnothing".to_vec(), "application/pdf"),
        ("empty.pdf", b"%PDF-1.7\ntrailer << /Root 9 0 R >>\n%%EOF".to_vec(), "application/pdf"),
        ("plain.txt", b"words".to_vec(), "text/plain"),
        ("unknown.bin", vec![0, 1, 2, 3], ""),
    ] {
        let file = inspected(name, &bytes).await;
        assert_eq!((file.mime.as_str(), file.thumbnail), (mime, None), "{name}");
        assert_eq!(file.size, bytes.len() as u64);
    }
}

#[tokio::test]
async fn a_long_text_is_known_wherever_its_beginning_is_cut() {
    for shift in 0..4 {
        let text = "x".repeat(shift) + &"\u{1f337}".repeat(3_000);
        assert_eq!(inspected("a.txt", text.as_bytes()).await.mime, "text/plain", "{shift}");
    }
}

#[tokio::test]
async fn what_is_no_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.png"), b"").unwrap();
    for (path, words) in [("missing.png", "no longer there"), ("", "folder"), ("empty.png", "empty")] {
        let error = inspect(&folder.path().join(Path::new(path))).await.unwrap_err().to_string();
        assert!(error.contains(words), "{path}: {error}");
    }
}

#[test]
fn what_shows_through_a_picture_is_white() {
    let clear = image::RgbaImage::from_pixel(2, 2, image::Rgba([10, 20, 30, 0]));
    assert_eq!(super::fitted(clear.into()).get_pixel(0, 0).0, [255, 255, 255]);
    let half = image::RgbaImage::from_pixel(2, 2, image::Rgba([0, 0, 0, 128]));
    assert_eq!(super::fitted(half.into()).get_pixel(0, 0).0, [127, 127, 127]);
    let whole = image::RgbaImage::from_pixel(2, 2, image::Rgba([10, 20, 30, 255]));
    assert_eq!(super::fitted(whole.into()).get_pixel(0, 0).0, [10, 20, 30]);
}

#[test]
fn pages_of_odd_extents_stay_within_the_thumbnail() {
    for media_box in ["[0 0 1 100000]", "[0 0 1e9 1e9]", "[0 0 0 0]", "[5 5 4 4]", "[0 0 200 -400]"] {
        if let Some(drawn) = guarded(|| page::first(&*document(media_box))) {
            assert!(drawn.width().max(drawn.height()) <= 320, "{media_box}: {} {}", drawn.width(), drawn.height());
        }
    }
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

/// Parameter sets and the length of lengths, which is 4.
fn setup(parameters: &[u8]) -> Vec<u8> {
    let length = u16::try_from(parameters.len()).unwrap().to_be_bytes();
    boxed(b"avcC", &[&[1, 66, 0, 51, 0xff, 0xe1], &length, parameters, &[0]])
}

fn film_with(parameters: &[u8], tables: &[Vec<u8>], frames: &[u8]) -> Vec<u8> {
    let entry = boxed(b"avc1", &[&[0; 78], &setup(parameters)]);
    let descriptions = boxed(b"stsd", &[&table(&[1]), &entry]);
    let tables = [descriptions, tables.concat()].concat();
    let track = boxed(b"trak", &[&boxed(b"mdia", &[&boxed(b"minf", &[&boxed(b"stbl", &[&tables])])])]);
    [boxed(b"ftyp", &[b"isom\0\0\0\0"]), boxed(b"mdat", &[frames]), boxed(b"moov", &[&track])].concat()
}

/// A film that claims so many blocks of 16 pixels across and down.
fn film_of(across: u32, down: u32) -> Vec<u8> {
    let golomb = |value: u32| {
        let written = format!("{:b}", value + 1);
        "0".repeat(written.len() - 1) + &written
    };
    // Set 0, no frame numbers, no order of display, no references; no gaps; the extent; frames only, uncropped.
    let bits = [golomb(0), golomb(0), golomb(2), golomb(0), "0".to_owned(), golomb(across - 1), golomb(down - 1)];
    let bits = bits.concat() + "11001";
    let mut parameters = vec![0x67, 66, 0, 51];
    for byte in bits.as_bytes().chunks(8) {
        let byte = format!("{:0<8}", std::str::from_utf8(byte).unwrap());
        parameters.push(u8::from_str_radix(&byte, 2).unwrap());
    }
    let frame = [0, 0, 0, 4, 0x65, 0x88, 0x84, 0];
    film_with(
        &parameters,
        &[
            boxed(b"stsz", &[&table(&[8, 1])]),
            boxed(b"stsc", &[&table(&[1, 1, 1, 1])]),
            boxed(b"stco", &[&table(&[1, 24])]),
        ],
        &frame,
    )
}

/// The key frame is found however the tables are written. Samples are `[0, 0, 0, 1, n]`, numbered from 1.
#[test]
fn key_frames_are_found_by_the_tables() {
    let frames: Vec<u8> = (1..=6).flat_map(|number| [0, 0, 0, 1, number]).collect();
    let sizes = || boxed(b"stsz", &[&table(&[0, 6, 5, 5, 5, 5, 5, 5])]);
    let same_size = || boxed(b"stsz", &[&table(&[5, 6])]);
    let whole = || boxed(b"stsc", &[&table(&[1, 1, 6, 1])]);
    let pairs = || boxed(b"stsc", &[&table(&[2, 1, 1, 1, 2, 2, 1])]);
    let offsets = || boxed(b"stco", &[&table(&[4, 24, 29, 39, 49])]);
    let wide_offsets = || boxed(b"co64", &[&table(&[4, 0, 24, 0, 29, 0, 39, 0, 49])]);
    let key = |number: u32| boxed(b"stss", &[&table(&[1, number])]);
    for (tables, wanted) in [
        (vec![sizes(), whole(), offsets()], Some(1)),
        (vec![sizes(), whole(), offsets(), key(3)], Some(3)),
        (vec![same_size(), whole(), offsets(), key(6)], Some(6)),
        (vec![sizes(), pairs(), offsets(), key(1)], Some(1)),
        (vec![sizes(), pairs(), offsets(), key(3)], Some(3)),
        (vec![same_size(), pairs(), wide_offsets(), key(4)], Some(4)),
        (vec![same_size(), pairs(), wide_offsets(), key(5)], Some(5)),
        (vec![sizes(), pairs(), offsets(), key(0)], None),
        (vec![sizes(), pairs(), offsets(), key(900)], None),
        (vec![same_size(), pairs(), offsets(), key(u32::MAX)], None),
        (vec![same_size(), boxed(b"stsc", &[&table(&[1, 1, u32::MAX, 1])]), offsets(), key(u32::MAX)], None),
        (vec![boxed(b"stsz", &[&table(&[u32::MAX, u32::MAX])]), whole(), offsets()], None),
        (vec![sizes(), boxed(b"stsc", &[&table(&[1, 0, 0, 0])]), offsets()], None),
        (vec![sizes(), boxed(b"stsc", &[&table(&[u32::MAX])]), offsets()], None),
        (vec![sizes(), whole()], None),
        (Vec::new(), None),
    ] {
        let film = film_with(&[0x67], &tables, &frames);
        let found = video::stream(&mut Cursor::new(film)).ok().and_then(|(stream, _)| stream.last().copied());
        assert_eq!(found, wanted, "{tables:?}");
    }
}

/// Files near to whole ones: some bytes changed, or the end missing.
fn damaged() -> impl Strategy<Value = (Subject, Vec<u8>)> {
    let whole = prop::sample::select(vec![
        (Subject::Film, FILM.to_vec()),
        (Subject::Film, TELEPHONE_FILM.to_vec()),
        (Subject::Page, document("[0 0 200 400]")),
        (Subject::Picture, png(20, 20)),
    ]);
    let changes = prop::collection::vec((any::<Index>(), any::<u8>()), 0..12);
    (whole, changes, prop::option::of(any::<Index>())).prop_map(|((subject, mut bytes), changes, end)| {
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(end) = end {
            bytes.truncate(end.index(bytes.len()));
        }
        (subject, bytes)
    })
}

fn drawn(subject: Subject, bytes: &[u8]) -> Option<DynamicImage> {
    guarded(|| match subject {
        Subject::Picture => picture(Cursor::new(bytes)),
        Subject::Film => video::first_key_frame(&mut Cursor::new(bytes)),
        Subject::Page => page::first(bytes),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damage_never_reaches_out((subject, bytes) in damaged()) {
        drawn(subject, &bytes);
        // Without a guard: what follows is read by nobody else's code.
        if subject == Subject::Film {
            let _refused = video::stream(&mut Cursor::new(&bytes));
        }
        let _refused = (encoding::of_film(&mut Cursor::new(&bytes)), encoding::of_picture(&mut Cursor::new(&bytes)));
    }

    #[test]
    fn any_bytes_never_reach_out(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        for subject in [Subject::Film, Subject::Page, Subject::Picture] {
            drawn(subject, &bytes);
        }
        let _refused = video::stream(&mut Cursor::new(&bytes));
        let _refused = (encoding::of_film(&mut Cursor::new(&bytes)), encoding::of_picture(&mut Cursor::new(&bytes)));
    }
}
