//! A stored delivery, and iteration over many.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use outgoing::file_digest;
use store::DeliveryLogReader;
use store::delivery_log::Delivery;

use crate::webhooks::Webhooks;
use command_types::activity::{DeliveryDetail, DeliveryId};
use command_types::error::{DeskError, Missing, Result};

/// Maximum number of events shown for a delivery.
const MAX_ITEMS: u32 = 500;
/// Deliveries read at once. Each page is a separate transaction, so that a long iteration blocks nothing.
const PAGE_SIZE: u32 = 200;

impl Webhooks {
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such delivery, or retention removed it.
    pub async fn get_delivery(&self, request: DeliveryId) -> Result<DeliveryDetail> {
        let missing = || DeskError::not_found(Missing::Delivery);
        let seq = i64::try_from(request.seq).map_err(|_| missing())?;
        let delivery = self.0.context.reader.get(seq).await?.ok_or_else(missing)?;
        let signature = self.verifier().verify(&delivery).await?;
        let rows = self.0.context.cache.items_in(seq, MAX_ITEMS).await?;
        Ok(DeliveryDetail {
            seq: request.seq,
            received_at: delivery.received_at,
            workspace: delivery.route,
            headers: delivery.headers,
            raw: String::from_utf8_lossy(&delivery.body).into_owned(),
            raw_base64: BASE64_STANDARD.encode(&delivery.body),
            digest: file_digest::of_bytes(&delivery.body),
            items: self.event_rows(rows).await?,
            signature,
        })
    }

    /// Iterates over stored deliveries from `first` to `last`, both included, in order, on a separate connection. Ends
    /// early when the app closes.
    pub(super) async fn stored_deliveries(&self, first: i64, last: i64) -> Result<StoredDeliveries> {
        let reader = self.separate_reader().await?;
        Ok(StoredDeliveries { reader, at: first.saturating_sub(1), last, cancel: self.0.context.cancel.clone() })
    }
}

impl Webhooks {
    /// A separate connection to the delivery log, which delays no other query.
    pub(super) async fn separate_reader(&self) -> Result<DeliveryLogReader> {
        let path = self.0.context.folder.delivery_log();
        let opening = tokio::task::spawn_blocking(move || DeliveryLogReader::open(&path));
        Ok(opening.await.map_err(|error| DeskError::Internal { message: error.to_string() })??)
    }
}

/// Stored deliveries in order, page by page.
#[derive(Debug)]
pub(super) struct StoredDeliveries {
    reader: DeliveryLogReader,
    at: i64,
    last: i64,
    cancel: tokio_util::sync::CancellationToken,
}

impl StoredDeliveries {
    /// The next deliveries; empty at the end.
    ///
    /// # Errors
    /// [`DeskError::Cancelled`] when the app closes; [`DeskError::Storage`] when the delivery log cannot be read.
    pub(super) async fn page(&mut self) -> Result<Vec<Delivery>> {
        if self.cancel.is_cancelled() {
            return Err(DeskError::Cancelled {});
        }
        if self.at >= self.last {
            return Ok(Vec::new());
        }
        let mut page = self.reader.after(self.at, PAGE_SIZE).await?;
        page.retain(|delivery| delivery.seq <= self.last);
        self.at = page.last().map_or(self.last, |delivery| delivery.seq);
        Ok(page)
    }
}
