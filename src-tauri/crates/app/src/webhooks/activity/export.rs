//! Exports events as JSON lines in the format of `tdesk events`, with the workspace.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use model::item;
use store::cache::{ItemFilter, ItemRow};
use store::delivery_log::Delivery;

use super::item_filter;
use crate::webhooks::Webhooks;
use crate::webhooks::events_stream::{EventLine, write_line};
use command_types::activity::{ExportEvents, ExportReport};
use command_types::error::{DeskError, Result};
use outgoing::compute::blocking;
use outgoing::file_digest;

/// Events looked up at once.
const PAGE_SIZE: u32 = 200;

/// A file that gets its name when it is complete.
struct TemporaryFile {
    file: BufWriter<std::fs::File>,
}

impl Webhooks {
    /// Writes the events of a query to a file, oldest first, up to the position that is projected when it begins. An
    /// existing file is replaced once the new one is complete. Events whose delivery retention removed are left out.
    ///
    /// # Errors
    /// [`DeskError::File`] when the file cannot be written; [`DeskError::Storage`] when a database cannot be read;
    /// [`DeskError::Cancelled`] when the app closes meanwhile. No file remains then.
    pub async fn export_events_to(&self, path: &Path, request: ExportEvents) -> Result<ExportReport> {
        let name = outgoing::file_name::shown_name(path);
        let failed = |error: std::io::Error| {
            let reason = format!("the events could not be written ({error}); choose another folder, or make room");
            DeskError::file_io(name.clone(), &error, reason)
        };
        let mut part = path.as_os_str().to_owned();
        part.push(".tmp");
        let part = PathBuf::from(part);
        let outcome = self.write_events(&part, request, &failed).await;
        let written = match outcome {
            Ok((lines, file)) => {
                let (from, to) = (part.clone(), path.to_owned());
                let finishing = blocking(move || file.finish().and_then(|()| std::fs::rename(from, to)));
                finishing.await?.map_err(failed).map(|()| lines)
            }
            Err(error) => Err(error),
        };
        match written {
            Ok(lines) => Ok(ExportReport { path: path.display().to_string(), lines }),
            Err(error) => {
                if let Err(left) = tokio::fs::remove_file(&part).await {
                    tracing::debug!(error = %left, "an unfinished export could not be removed");
                }
                Err(error)
            }
        }
    }

    async fn write_events(
        &self,
        part: &Path,
        request: ExportEvents,
        failed: &impl Fn(std::io::Error) -> DeskError,
    ) -> Result<(u64, TemporaryFile)> {
        let path = part.to_owned();
        let mut file = blocking(move || TemporaryFile::create(&path)).await?.map_err(failed)?;
        let newest = self.0.context.cache.items(ItemFilter { limit: 1, ..ItemFilter::default() }).await?;
        let Some(newest) = newest.rows.first().map(|row| row.id) else { return Ok((0, file)) };
        let mut filter = ItemFilter { ascending: true, limit: PAGE_SIZE, ..item_filter(request.query) };
        let reader = self.separate_reader().await?;
        let mut lines = 0;
        loop {
            if self.0.context.cancel.is_cancelled() {
                return Err(DeskError::Cancelled {});
            }
            let page = self.0.context.cache.items(filter.clone()).await?;
            let rows: Vec<ItemRow> = page.rows.into_iter().filter(|row| row.id <= newest).collect();
            let mut text = Vec::new();
            for rows in rows.chunk_by(|a, b| a.first_seq == b.first_seq) {
                if let Some(delivery) = reader.get(rows[0].first_seq).await? {
                    lines += write_lines(&mut text, &delivery, rows);
                }
            }
            file = blocking(move || file.file.write_all(&text).map(|()| file)).await?.map_err(failed)?;
            match page.next {
                Some(next) if next <= newest => filter.after = Some(next),
                _ => return Ok((lines, file)),
            }
        }
    }
}

/// Writes the items of a delivery that match the query. Returns their number.
fn write_lines(text: &mut Vec<u8>, delivery: &Delivery, rows: &[ItemRow]) -> u64 {
    let digest = file_digest::of_bytes(&delivery.body);
    let items = item::items(&delivery.body);
    let mut lines = 0;
    for row in rows {
        let mut places = (0..).zip(&items);
        let of_row = |(ordinal, item): &(i64, &item::Item)| super::is_item_of(row, item, delivery, *ordinal);
        let Some((_, item)) = places.find(of_row) else { continue };
        write_line(
            text,
            &EventLine {
                node: None,
                seq: delivery.seq,
                received_at: delivery.received_at,
                kind: item.kind.as_str(),
                field: &item.field,
                entry_id: item.entry_id.as_deref(),
                value: &item.value,
                raw_digest: &digest,
                workspace: Some(&delivery.route),
            },
        );
        lines += 1;
    }
    lines
}

impl TemporaryFile {
    fn create(path: &Path) -> std::io::Result<Self> {
        Ok(Self { file: BufWriter::new(store::private::create(path)?) })
    }

    /// Syncs the content to the disk before renaming the file.
    fn finish(self) -> std::io::Result<()> {
        let file = self.file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.sync_all()
    }
}
