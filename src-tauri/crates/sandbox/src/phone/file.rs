//! Files that recipients send: their kind is detected from their bytes (contract §6.2; upstream §4.2, §8.1).

use bytes::Bytes;
use model::media;
use serde_json::json;

use super::PhoneFile;
use super::person::{inbound, quoted};
use crate::Sandbox;
use crate::recipient::check_recipient;
use crate::refusal::Refusal;
use crate::settings::MediaLinks;
use crate::state::Media;
use crate::time::now;

/// Kinds of media that a recipient can send (contract §6.2).
const MEDIA_KINDS: &[&str] = &["audio", "image", "video", "document", "sticker"];
/// The first page of an Ogg file names its codec within this many bytes.
const OGG_HEAD: usize = 512;
/// Maximum size of a static sticker: 100 KB (upstream §4.2).
const STILL_STICKER_LIMIT: u64 = 100 * 1024;

impl Sandbox {
    /// The bytes of a file that a recipient sent; `None` if the identifier is unknown.
    pub async fn phone_file(&self, id: &str) -> Option<Bytes> {
        // Only known identifiers, so that the name can't address other files.
        self.runtime.read(|state| state.media.contains_key(id)).then_some(())?;
        self.runtime.file(id).await
    }

    /// Sends a file to the business, as a reply to `reply_to` if given. Returns the identifier of the inbound message.
    ///
    /// # Errors
    /// If the file is empty, too large or of a type that the channel does not support, if `reply_to` is not on the
    /// phone, or if there is no number to write to.
    pub async fn send_file(
        &self,
        recipient: &str,
        file: PhoneFile,
        number: Option<&str>,
        reply_to: Option<&str>,
    ) -> Result<String, Refusal> {
        check_recipient(recipient)?;
        let (number, context) = self.runtime.read(|state| quoted(state, recipient, number, reply_to))?;
        let sort = sort(&file)?;
        let digest = ring::digest::digest(&ring::digest::SHA256, &file.bytes);
        let sha256: String = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let settings = self.settings();
        // The contract gives captions to images and videos only, and no flags (§6.2).
        let minimal = settings.is_minimal();
        let life = match settings.media_links {
            MediaLinks::Expired => 0,
            MediaLinks::Both | MediaLinks::Url => i64::try_from(settings.media_url_ms).unwrap_or(i64::MAX),
        };
        let stored = Media {
            url_expires: Some(now().saturating_add(life)),
            thumbnail: file.thumbnail,
            ..Media::new(sort.mime_type, file.filename.clone(), file.bytes.len() as u64)
        };
        let id = self.runtime.store_file(file.bytes, stored).await.map_err(Refusal::unstored)?;

        let mut object = json!({
            "id": id,
            "mime_type": sort.shown_type,
            "sha256": sha256,
            "url": self.runtime.address(&format!("/sandbox/media/{id}")),
        });
        if settings.media_links == MediaLinks::Both {
            object["s3_url"] = json!(self.runtime.address(&format!("/sandbox/public/{id}")));
        }
        match sort.kind {
            "document" => object["filename"] = json!(file.filename.as_deref().unwrap_or("document")),
            _ if minimal => {}
            "audio" => object["voice"] = json!(sort.mime_type == "audio/ogg"),
            "sticker" => object["animated"] = json!(sort.animated),
            _ => {}
        }
        if let (Some(caption), "image" | "video" | "document") = (&file.caption, sort.kind)
            && !caption.trim().is_empty()
            && !(minimal && sort.kind == "document")
        {
            object["caption"] = json!(caption);
        }
        let mut content = json!({ "type": sort.kind });
        content[sort.kind] = object;
        Ok(self.runtime.change(|state| inbound(&self.runtime, state, recipient, &number, context, content)))
    }
}

/// Kind and media type of a received file.
#[derive(Debug, PartialEq)]
struct Sort {
    kind: &'static str,
    mime_type: &'static str,
    /// The media type in the channel's notation.
    shown_type: &'static str,
    animated: bool,
}

/// Detects the kind of a file from its bytes, and checks that the channel supports it and its size.
fn sort(file: &PhoneFile) -> Result<Sort, Refusal> {
    if file.bytes.is_empty() {
        return Err(Refusal::field("/file", "is an empty file"));
    }
    let mime_type = media::of_file(&file.bytes, file.filename.as_deref())
        .ok_or_else(|| Refusal::field("/file", "is of a type that the channel does not carry"))?;
    if mime_type == "audio/ogg" && file.bytes.windows(7).take(OGG_HEAD).any(|window| window == b"\x01vorbis") {
        return Err(Refusal::field("/file", "is Ogg with Vorbis; the channel carries Ogg with Opus alone"));
    }
    let (known_kind, _) = media::message_kind(mime_type);
    let kind = match file.kind.as_deref() {
        None => known_kind,
        // Every type can be sent as a document; the other kinds require their own types.
        Some("document") => "document",
        Some(kind) if kind == known_kind => known_kind,
        Some(kind) if MEDIA_KINDS.contains(&kind) => {
            return Err(Refusal::field(
                "/type",
                format!("is `{kind}`, but the file is {mime_type}, which is {known_kind}"),
            ));
        }
        Some(kind) => {
            let known = MEDIA_KINDS.join(", ");
            return Err(Refusal::field("/type", format!("must be one of {known}, not `{kind}`")));
        }
    };
    let animated = kind == "sticker" && is_animated(&file.bytes);
    let (what, limit) = match kind {
        "sticker" if !animated => ("a sticker that does not move", STILL_STICKER_LIMIT),
        "document" => (kind, media::DOCUMENT_LIMIT),
        _ => (kind, media::message_kind(mime_type).1),
    };
    let size = file.bytes.len() as u64;
    if size > limit {
        let advice = if kind == "document" { "" } else { "; send it as a document instead" };
        return Err(Refusal::field("/file", format!("has {size} bytes; {what} may have {limit}{advice}")));
    }
    let shown_type = if (kind, mime_type) == ("audio", "audio/ogg") { "audio/ogg; codecs=opus" } else { mime_type };
    Ok(Sort { kind, mime_type, shown_type, animated })
}

/// Whether a WebP picture is animated, according to its extended header.
fn is_animated(bytes: &[u8]) -> bool {
    const ANIMATION: u8 = 0x02;
    bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & ANIMATION != 0)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what fails to unwrap fails the test")]

    use model::media::{DOCUMENT_LIMIT, IMAGE_LIMIT, STICKER_LIMIT, VIDEO_LIMIT};

    use super::{Bytes, PhoneFile, STILL_STICKER_LIMIT, sort};

    const STILL: &[u8] = b"RIFF\x10\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0";
    const MOVING: &[u8] = b"RIFF\x10\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0";

    fn sized(beginning: &[u8], size: u64) -> PhoneFile {
        let mut bytes = beginning.to_vec();
        bytes.resize(usize::try_from(size).unwrap(), 0);
        PhoneFile { bytes: Bytes::from(bytes), ..PhoneFile::default() }
    }

    #[test]
    fn sounds_in_ogg_are_opus() {
        let sound = |bytes: &'static [u8]| PhoneFile { bytes: Bytes::from_static(bytes), ..PhoneFile::default() };
        let opus = sort(&sound(b"OggS\0\x02 OpusHead")).unwrap();
        assert_eq!((opus.kind, opus.shown_type), ("audio", "audio/ogg; codecs=opus"));
        let refusal = sort(&sound(b"OggS\0\x02 \x01vorbis")).unwrap_err();
        assert!(refusal.details.contains("Opus"), "{}", refusal.details);
    }

    /// The limits of upstream §4.2: one byte more is refused with the reason.
    #[test]
    fn every_kind_has_its_limit() {
        for (beginning, kind, limit) in [
            (&b"\x89PNG\r\n\x1a\n"[..], "image", IMAGE_LIMIT),
            (b"\0\0\0\x18ftypisom", "video", VIDEO_LIMIT),
            (b"OggS", "audio", VIDEO_LIMIT),
            (STILL, "sticker", STILL_STICKER_LIMIT),
            (MOVING, "sticker", STICKER_LIMIT),
            (b"%PDF-1.7", "document", DOCUMENT_LIMIT),
        ] {
            let fits = sort(&sized(beginning, limit)).unwrap();
            assert_eq!((fits.kind, fits.animated), (kind, beginning == MOVING));
            let refusal = sort(&sized(beginning, limit + 1)).unwrap_err();
            assert_eq!(refusal.path.as_deref(), Some("/file"));
            assert!(refusal.details.contains(&(limit + 1).to_string()), "{}", refusal.details);
            assert!(refusal.details.contains(&limit.to_string()), "{}", refusal.details);
            if kind != "document" {
                let as_document = PhoneFile { kind: Some("document".to_owned()), ..sized(beginning, limit + 1) };
                assert_eq!(sort(&as_document).unwrap().kind, "document");
            }
        }
    }
}
