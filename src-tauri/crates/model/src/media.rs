//! Detects the type of a media file from its first bytes, and defines the size limits (contract §8; upstream §4.2).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::vocabulary::HeaderFormat;

/// Size limit of an image in bytes: 5 MiB (contract §8).
pub const IMAGE_LIMIT: u64 = 5_242_880;
/// Size limit of a video or audio file in bytes: 16 MiB.
pub const VIDEO_LIMIT: u64 = 16 * 1024 * 1024;
/// Size limit of a document in bytes: 100 MiB.
pub const DOCUMENT_LIMIT: u64 = 100 * 1024 * 1024;
/// Size limit of a GIF, which is a short video, in bytes: 3.5 MB.
pub const GIF_LIMIT: u64 = 3_500_000;
/// Size limit of a sticker in bytes.
pub const STICKER_LIMIT: u64 = 500 * 1024;

/// Video codec that the channel accepts.
pub const VIDEO_CODEC: &str = "H.264";
/// Audio codec that the channel accepts in videos.
pub const AUDIO_CODEC: &str = "AAC";
/// Colour formats of pictures that the channel accepts, with 8 bits per channel.
pub const COLOURS: &[&str] = &["RGB", "RGBA"];

/// Encoding of a picture or video, as far as it can be detected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct Encoding {
    /// Video codec: [`VIDEO_CODEC`] or the name of another.
    pub video: Option<String>,
    /// Codec of each audio track of a video: [`AUDIO_CODEC`] or the name of another.
    pub audio: Vec<String>,
    /// Colour format of a picture: one of [`COLOURS`], or others such as `CMYK` or `16-bit RGB`.
    pub colour: Option<String>,
    /// Whether the file is a JPEG or PNG that cannot be decoded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub damaged: bool,
}

/// A size in binary megabytes, as people compare sizes: rounded up, so that a file over a limit shows more than the limit.
#[must_use]
pub fn in_megabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_mul(10).div_ceil(1024 * 1024);
    if tenths.is_multiple_of(10) || tenths >= 100 {
        format!("{} MB", tenths.div_ceil(10))
    } else {
        format!("{}.{} MB", tenths / 10, tenths % 10)
    }
}

/// The media type detected from the first bytes of a file; `None` if it is not one that the channel supports.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<&'static str> {
    const OLD_OFFICE: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    let starts = |prefix: &[u8]| bytes.starts_with(prefix);
    if starts(&[0xff, 0xd8, 0xff]) {
        Some("image/jpeg")
    } else if starts(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if starts(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some("image/webp")
    } else if starts(b"GIF8") {
        Some("image/gif")
    } else if bytes.get(4..8) == Some(b"ftyp") {
        // The brand: pictures and videos of phones use the same box format as MP4.
        match bytes.get(8..12).unwrap_or_default() {
            [b'3', b'g', b'p' | b'2', _] => Some("video/3gpp"),
            b"M4A " | b"M4B " => Some("audio/mp4"),
            b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1" => Some("image/heic"),
            b"avif" | b"avis" => Some("image/avif"),
            b"qt  " => Some("video/quicktime"),
            _ => Some("video/mp4"),
        }
    } else if starts(b"%PDF-") {
        Some("application/pdf")
    } else if starts(b"PK\x03\x04") {
        // Any of the three office formats; `office` decides by the file name.
        Some("application/zip")
    } else if starts(OLD_OFFICE) {
        Some("application/msword")
    } else if starts(b"OggS") {
        Some("audio/ogg")
    } else if starts(b"#!AMR") {
        Some("audio/amr")
    } else if starts(b"ID3") || starts(&[0xff, 0xfb]) || starts(&[0xff, 0xf3]) {
        Some("audio/mpeg")
    } else if starts(&[0xff, 0xf1]) || starts(&[0xff, 0xf9]) {
        Some("audio/aac")
    } else if !bytes.is_empty() && !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok() {
        Some("text/plain")
    } else {
        None
    }
}

/// The media type of a whole file; the name distinguishes office documents.
#[must_use]
pub fn of_file(bytes: &[u8], filename: Option<&str>) -> Option<&'static str> {
    let extension =
        filename.and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension.to_ascii_lowercase());
    match (sniff(bytes)?, extension.as_deref()) {
        ("application/zip", Some("xlsx")) => Some("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("application/zip", Some("pptx")) => {
            Some("application/vnd.openxmlformats-officedocument.presentationml.presentation")
        }
        ("application/zip", Some("docx")) => {
            Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document")
        }
        ("application/zip", _) => None,
        ("application/msword", Some("xls")) => Some("application/vnd.ms-excel"),
        ("application/msword", Some("ppt")) => Some("application/vnd.ms-powerpoint"),
        (known, _) => Some(known),
    }
}

/// The header format for a media type.
#[must_use]
pub fn format_of(mime_type: &str) -> Option<HeaderFormat> {
    match mime_type {
        "image/jpeg" | "image/png" => Some(HeaderFormat::Image),
        "video/mp4" | "video/3gpp" => Some(HeaderFormat::Video),
        "application/pdf" | "text/plain" | "application/msword" => Some(HeaderFormat::Document),
        other if other.starts_with("application/vnd.") => Some(HeaderFormat::Document),
        _ => None,
    }
}

/// Whether a file of this type is allowed in a header of this format.
#[must_use]
pub fn fits(format: &HeaderFormat, mime_type: &str) -> bool {
    match format {
        HeaderFormat::Gif => mime_type == "video/mp4",
        format => format_of(mime_type).as_ref() == Some(format),
    }
}

/// Size limit of a header file of this format in bytes, and the allowed types as text.
#[must_use]
pub fn limit_of(format: &HeaderFormat) -> (u64, &'static str) {
    match format {
        HeaderFormat::Image => (IMAGE_LIMIT, "a JPEG or PNG picture"),
        HeaderFormat::Video => (VIDEO_LIMIT, "an MP4 or 3GPP film"),
        HeaderFormat::Gif => (GIF_LIMIT, "a short MP4 film"),
        _ => (DOCUMENT_LIMIT, "a PDF, an office document or a plain text"),
    }
}

/// The message type for a file, and its size limit in bytes.
#[must_use]
pub fn message_kind(mime_type: &str) -> (&'static str, u64) {
    match mime_type {
        "image/jpeg" | "image/png" => ("image", IMAGE_LIMIT),
        "image/webp" => ("sticker", STICKER_LIMIT),
        "video/mp4" | "video/3gpp" => ("video", VIDEO_LIMIT),
        audio if audio.starts_with("audio/") => ("audio", VIDEO_LIMIT),
        _ => ("document", DOCUMENT_LIMIT),
    }
}

/// Hosts that store the files of messages, by the channel's word in paths. Their temporary addresses require the token
/// (contract §5; upstream §4.2).
#[must_use]
pub fn hosts(channel: &str) -> &'static [&'static str] {
    match channel {
        "whatsapp" => &["lookaside.fbsbx.com"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::{
        DOCUMENT_LIMIT, IMAGE_LIMIT, VIDEO_LIMIT, fits, format_of, in_megabytes, message_kind, of_file, sniff,
    };
    use crate::vocabulary::HeaderFormat;

    #[test]
    fn sizes_are_stated_in_megabytes_and_exceed_the_limits_they_exceed() {
        let sizes = [IMAGE_LIMIT, IMAGE_LIMIT + 1, 50_516_081, 0].map(in_megabytes);
        assert_eq!(sizes, ["5 MB", "5.1 MB", "49 MB", "0 MB"]);
    }

    #[test]
    fn file_types_are_detected_by_their_bytes() {
        for (bytes, filename, mime_type) in [
            (&b"\xff\xd8\xff\xe0rest"[..], "a.png", Some("image/jpeg")),
            (b"\x89PNG\r\n\x1a\nrest", "a.jpg", Some("image/png")),
            (b"RIFF\x10\0\0\0WEBPVP8 ", "a.webp", Some("image/webp")),
            (b"\0\0\0\x18ftypisom\0", "a.mp4", Some("video/mp4")),
            (b"\0\0\0\x18ftyp3gp5\0", "a.3gp", Some("video/3gpp")),
            (b"\0\0\0\x18ftypM4A \0", "a.m4a", Some("audio/mp4")),
            (b"\0\0\0\x14ftypqt  \0", "a.mp4", Some("video/quicktime")),
            (b"\0\0\0\x14ftyp", "a.mp4", Some("video/mp4")),
            (b"%PDF-1.4\n", "a", Some("application/pdf")),
            (b"PK\x03\x04rest", "a.zip", None),
            (
                b"PK\x03\x04rest",
                "a.docx",
                Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ),
            (b"OggS\0", "a.ogg", Some("audio/ogg")),
            (b"just text", "a.txt", Some("text/plain")),
            (b"\0\x01\x02", "a.bin", None),
            (b"", "a.txt", None),
        ] {
            assert_eq!(of_file(bytes, Some(filename)), mime_type, "for {filename} with {bytes:?}");
        }
        assert_eq!(sniff(b"GIF89a"), Some("image/gif"));
    }

    #[test]
    fn phone_recordings_are_not_accepted_videos() {
        for (brands, mime_type) in [
            (&["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"][..], "image/heic"),
            (&["avif", "avis"], "image/avif"),
            (&["qt  "], "video/quicktime"),
        ] {
            for brand in brands {
                let bytes = [b"\0\0\0\x14ftyp", brand.as_bytes(), b"\0\0\0\0"].concat();
                assert_eq!(sniff(&bytes), Some(mime_type), "{brand}");
                assert_eq!((format_of(mime_type), fits(&HeaderFormat::Gif, mime_type)), (None, false));
                // It can still be sent as a document.
                assert_eq!(message_kind(mime_type), ("document", DOCUMENT_LIMIT));
            }
        }
        assert_eq!(message_kind("video/mp4"), ("video", VIDEO_LIMIT));
        assert_eq!(message_kind("video/3gpp"), ("video", VIDEO_LIMIT));
    }
}
