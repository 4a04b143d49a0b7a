//! A file to which bodies are appended, with one sync for all that wait.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use bytes::Bytes;
use tokio::sync::oneshot;

use super::plain::Storage;

/// The same as the maximum of a delivery log commit.
const MAX_GROUP: usize = 1_024;

type Append = (Bytes, oneshot::Sender<bool>);

pub(super) struct Log {
    appends: SyncSender<Append>,
}

impl Log {
    pub(super) fn open(folder: &Path) -> std::io::Result<Self> {
        let file = File::options().create(true).append(true).open(folder.join("log"))?;
        let (appends, queue) = sync_channel(4_096);
        std::thread::Builder::new().name("log".to_owned()).spawn(move || run(file, &queue))?;
        Ok(Self { appends })
    }
}

impl Storage for Log {
    async fn store(&self, body: Bytes) -> bool {
        let (answer, answered) = oneshot::channel();
        self.appends.try_send((body, answer)).is_ok() && answered.await.unwrap_or(false)
    }
}

fn run(file: File, queue: &Receiver<Append>) {
    let mut file = BufWriter::with_capacity(1 << 20, file);
    while let Ok(first) = queue.recv() {
        let group: Vec<Append> = std::iter::once(first).chain(queue.try_iter().take(MAX_GROUP - 1)).collect();
        let written = write(&mut file, &group).is_ok();
        for (_, answer) in group {
            let _ = answer.send(written);
        }
    }
}

fn write(file: &mut BufWriter<File>, group: &[Append]) -> std::io::Result<()> {
    for (body, _) in group {
        let length = u32::try_from(body.len()).map_err(|_| std::io::ErrorKind::InvalidInput)?;
        file.write_all(&length.to_le_bytes())?;
        file.write_all(body)?;
    }
    file.flush()?;
    file.get_ref().sync_data()
}

/// Number of bodies in a log.
#[cfg(test)]
pub(super) fn count(path: &Path) -> std::io::Result<u64> {
    let bytes = std::fs::read(path)?;
    let (mut rest, mut count) = (&bytes[..], 0);
    while let Some((length, more)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        rest = more.get(length..).ok_or(std::io::ErrorKind::UnexpectedEof)?;
        count += 1;
    }
    Ok(count)
}
