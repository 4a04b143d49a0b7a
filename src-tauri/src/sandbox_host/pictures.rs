//! Pictures on the phones: those that messages link to, and stickers that recipients sent.
//!
//! The page loads nothing from other origins, so responses include the pictures. A linked picture is downloaded once,
//! in the background: the thread is first shown without it, and again when the download is complete.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use app::ports::EventSink;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use command_types::event::DeskEvent;
use command_types::phone::PhoneMedia;
use model::media::STICKER_LIMIT;
use model::render::{Bubble, BubbleHeader};
use outgoing::attachment;
use sandbox::Sandbox;
use tokio::sync::Semaphore;

/// Maximum number of cached pictures; beyond it, the cache is cleared.
const MAX_CACHED: usize = 500;
const MAX_CONCURRENT_DOWNLOADS: usize = 3;

/// Thumbnails of linked pictures.
#[derive(Debug)]
pub(super) struct Pictures {
    /// By address; `None` while the download is in flight, and if it gave no picture.
    cached: Mutex<HashMap<String, Option<String>>>,
    downloads: Semaphore,
    events: OnceLock<EventSink>,
}

impl Default for Pictures {
    fn default() -> Self {
        Self { cached: Mutex::default(), downloads: Semaphore::new(MAX_CONCURRENT_DOWNLOADS), events: OnceLock::new() }
    }
}

impl Pictures {
    /// Emits to `events` when a picture has arrived.
    pub(super) fn emit_changes_to(&self, events: EventSink) {
        let _is_set = self.events.set(events);
    }

    /// Replaces the picture addresses of a message and its cards by thumbnails, if available.
    pub(super) fn show(self: &Arc<Self>, sandbox: &Sandbox, bubble: &mut Bubble) {
        if let Some(BubbleHeader::Media { format, link: Some(link) }) = &mut bubble.header
            && format == "IMAGE"
            && let Some(picture) = self.of(sandbox, link)
        {
            *link = picture;
        }
        for card in &mut bubble.cards {
            self.show(sandbox, card);
        }
    }

    fn cached(&self) -> MutexGuard<'_, HashMap<String, Option<String>>> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture at an address; starts the download if it is unknown.
    fn of(self: &Arc<Self>, sandbox: &Sandbox, link: &str) -> Option<String> {
        let mut cached = self.cached();
        if let Some(picture) = cached.get(link) {
            return picture.clone();
        }
        if cached.len() >= MAX_CACHED {
            cached.clear();
        }
        cached.insert(link.to_owned(), None);
        drop(cached);
        let (pictures, sandbox, link) = (Arc::clone(self), sandbox.clone(), link.to_owned());
        tokio::spawn(async move {
            let Ok(_permit) = pictures.downloads.acquire().await else { return };
            let Some(bytes) = sandbox.download_picture(&link).await else { return };
            let Some(picture) = attachment::thumbnail_of(bytes).await else { return };
            pictures.cached().insert(link, Some(picture));
            if let Some(events) = pictures.events.get() {
                events.emit(DeskEvent::SandboxChanged {});
            }
        });
        None
    }
}

/// The sticker itself: it is small, and needs no thumbnail.
pub(super) async fn sticker(sandbox: &Sandbox, id: &str, media: &mut PhoneMedia) {
    if media.kind == "sticker"
        && media.thumbnail.is_none()
        && media.bytes <= STICKER_LIMIT
        && let Some(bytes) = sandbox.phone_file(id).await
    {
        media.thumbnail = Some(format!("data:{};base64,{}", media.mime, STANDARD.encode(bytes)));
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what fails to unwrap fails the test")]

    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;
    use tokio::sync::mpsc;

    use super::*;

    /// Answers every request with a picture, and counts the requests.
    async fn picture_server(requests: Arc<AtomicUsize>) -> String {
        let mut png = std::io::Cursor::new(Vec::new());
        image::RgbImage::new(8, 8).write_to(&mut png, image::ImageFormat::Png).unwrap();
        let png = png.into_inner();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                requests.fetch_add(1, Ordering::SeqCst);
                let _request = connection.read(&mut [0; 4096]).await;
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", png.len());
                let _sent = connection.write_all(&[head.as_bytes(), &png].concat()).await;
            }
        });
        format!("http://{address}/a.png")
    }

    fn bubble(link: &str) -> Bubble {
        let header = BubbleHeader::Media { format: "IMAGE".to_owned(), link: Some(link.to_owned()) };
        Bubble { header: Some(header), ..Bubble::default() }
    }

    fn link(bubble: &Bubble) -> &str {
        match &bubble.header {
            Some(BubbleHeader::Media { link: Some(link), .. }) => link,
            other => panic!("no link in {other:?}"),
        }
    }

    #[tokio::test]
    async fn a_linked_picture_is_downloaded_once_with_an_event() {
        let options = sandbox::Options::new("token".into(), "3f2a9c1e-6d1b-4a53-9a1e-0c6a1d6f7b10");
        let sandbox = Sandbox::open(options).unwrap();
        let (sender, mut events) = mpsc::unbounded_channel();
        let pictures = Arc::new(Pictures::default());
        pictures.emit_changes_to(EventSink::new(move |event| sender.send(event).unwrap()));
        let requests = Arc::new(AtomicUsize::new(0));
        let address = picture_server(Arc::clone(&requests)).await;

        let mut first = Bubble { cards: vec![bubble(&address), bubble(&address)], ..Bubble::default() };
        pictures.show(&sandbox, &mut first);
        assert_eq!(link(&first.cards[0]), address, "the thread does not wait for its pictures");
        assert_eq!(events.recv().await, Some(DeskEvent::SandboxChanged {}));
        pictures.show(&sandbox, &mut first);
        for card in &first.cards {
            assert!(link(card).starts_with("data:image/jpeg;base64,"), "{}", link(card));
        }
        assert_eq!(requests.load(Ordering::SeqCst), 1);
    }
}
