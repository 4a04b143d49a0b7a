//! Stores webhooks from the endpoint in the delivery log.
//!
//! Re-exports the endpoint's types, so that hosts need not depend on the crate behind it.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use store::{StoreError, delivery_log::DeliveryLogError};

pub use receiver::{
    AllowedHosts, DeliveryLog, Event, Limits, Observer, Reason, RefusedDelivery, Route, RouteError, Routes, doctor,
    listen, serve, signed_by,
};

/// The inbox file as the storage of the endpoint. Clones share it.
#[derive(Clone, Debug)]
pub struct DurableLog(Arc<store::DeliveryLog>);

impl DurableLog {
    /// Opens or creates the inbox file.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let path = path.to_owned();
        let opening = tokio::task::spawn_blocking(move || store::DeliveryLog::open(&path));
        Ok(Arc::new(opening.await.map_err(|_| StoreError::Closed)??).into())
    }

    /// Its last stored sequence number; changes after every commit.
    #[must_use]
    pub fn stored(&self) -> tokio::sync::watch::Receiver<i64> {
        self.0.stored()
    }

    /// Waits until everything received is stored and closes the file if no other clone exists.
    pub async fn close(self) {
        // Closing joins the writing thread.
        if tokio::task::spawn_blocking(move || drop(self)).await.is_err() {
            tracing::error!("the delivery log was not closed cleanly");
        }
    }
}

impl From<Arc<store::DeliveryLog>> for DurableLog {
    fn from(delivery_log: Arc<store::DeliveryLog>) -> Self {
        Self(delivery_log)
    }
}

impl DeliveryLog for DurableLog {
    async fn append(&self, delivery: receiver::Delivery) -> Result<(), receiver::Refusal> {
        let delivery = store::delivery_log::NewDelivery {
            received_at: unix_millis(delivery.received_at),
            route: delivery.route,
            headers: delivery.headers,
            body: delivery.body,
        };
        match self.0.append(delivery).await {
            Ok(_seq) => Ok(()),
            Err(DeliveryLogError::Full) => Err(receiver::Refusal::Busy),
            // The writer has logged the disk error.
            Err(DeliveryLogError::Closed | DeliveryLogError::Storage(_)) => Err(receiver::Refusal::Storage),
        }
    }
}

/// Unix milliseconds, negative before 1970.
fn unix_millis(time: SystemTime) -> i64 {
    let millis = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => millis(since),
        Err(before) => -millis(before.duration()),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn delivery(body: &'static [u8], received_at: SystemTime) -> receiver::Delivery {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        receiver::Delivery { route: "route".to_owned(), received_at, headers, body: body.into() }
    }

    #[tokio::test]
    async fn deliveries_are_stored_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inbox.sqlite");
        let delivery_log = DurableLog::open(&path).await.unwrap();
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_750_000_000_123);
        delivery_log.append(delivery(b"\xff{\n", at)).await.unwrap();
        let stored = store::DeliveryLogReader::open(&path).unwrap().after(0, 10).await.unwrap();
        assert_eq!(stored.len(), 1);
        assert_eq!((stored[0].received_at, stored[0].route.as_str()), (1_750_000_000_123, "route"));
        assert_eq!(stored[0].headers, [("content-type".to_owned(), "application/json".to_owned())]);
        assert_eq!(stored[0].body, b"\xff{\n");
        delivery_log.close().await;
    }

    #[tokio::test]
    async fn a_delivery_log_that_cannot_be_opened_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        DurableLog::open(&folder.path().join("absent/inbox.sqlite")).await.unwrap_err();
    }

    #[test]
    fn instants_before_1970_are_negative() {
        assert_eq!(unix_millis(SystemTime::UNIX_EPOCH - Duration::from_millis(5)), -5);
    }
}
