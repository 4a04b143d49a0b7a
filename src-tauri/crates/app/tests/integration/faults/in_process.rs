//! A desk in this process, for faults without a kill.

use std::path::Path;
use std::sync::Arc;

use app::ports::{EventSink, NoInstaller};
use app::{Core, Options};
use bytes::Bytes;
use command_types::Nothing;
use store::DeliveryLog;
use store::delivery_log::NewDelivery;

use super::child::OneSecret;
use super::desk::{WORKSPACE, with_timeout};
use super::events;
use crate::harness::short_timing;

pub(super) async fn open(folder: &Path) -> Core {
    let options = Options {
        data_folder: app::lock_data_folder(folder).unwrap(),
        keyring: Arc::new(OneSecret),
        events: EventSink::new(|_| {}),
        sandbox: None,
        receiver_address: Some("127.0.0.1:0".to_owned()),
        loopback_media: true,
        installer: Arc::new(NoInstaller),
    };
    Core::open_with(options, short_timing()).await.unwrap()
}

/// Waits until everything stored is projected.
pub(super) async fn wait_for_projection(core: &Core) {
    with_timeout("the projection", async {
        while core.webhooks.get_projection(Nothing {}).await.map_or(1, |state| state.behind) > 0 {
            crate::webhooks::next_poll().await;
        }
    })
    .await;
}

pub(super) fn delivery(number: u64, received_at: i64) -> NewDelivery {
    NewDelivery {
        received_at,
        route: WORKSPACE.to_owned(),
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Bytes::from(events::body(number)),
    }
}

/// Stores deliveries, each with its own time.
pub(super) async fn store(folder: &Path, numbers: std::ops::Range<u64>, received_at: impl Fn(u64) -> i64) {
    let delivery_log = DeliveryLog::open(&store::DataFolder::delivery_log_in(folder)).unwrap();
    // At most as many at once as the queue holds.
    let numbers: Vec<u64> = numbers.collect();
    for some in numbers.chunks(1_000) {
        let append = |number: &u64| delivery_log.append(delivery(*number, received_at(*number)));
        for stored in some.iter().map(append).collect::<Vec<_>>() {
            stored.await.unwrap();
        }
    }
}
