//! R16: the process that follows a receiver on a server is killed.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;
use store::delivery_log::NewDelivery;

use super::child::FEED;
use super::desk::{Desk, TestFolder, WORKSPACE, with_timeout};
use super::{Form, check, events};
use crate::feeds::{Server, TOKEN};

const DELIVERIES_PER_ROUND: u64 = 60;

/// The desk is killed at random while the receiver stores deliveries; its delivery log must have each exactly once.
pub(super) async fn killed(form: Form) {
    let rounds = form.rounds(4, 100);
    let place = TestFolder::new().await;
    let files = tempfile::tempdir().unwrap();
    let server = Server::start(&files.path().join("inbox.sqlite"), "127.0.0.1:0").await;
    server.allow(&[]).await;
    let url = server.url();
    let start = async || Desk::start_with(&[(FEED, &url)], &place.folder(), None).await.unwrap();
    let mut random = StdRng::seed_from_u64(16);
    let mut desk = start().await;
    let feed = json!({"workspace": WORKSPACE, "address": url, "endpoint": null, "token": TOKEN, "sessionOnly": false});
    let saved = desk.ask(&format!("save-feed {feed}")).await;
    assert_eq!(saved["rows"].as_array().map(Vec::len), Some(1), "{saved}");
    for round in 0..rounds {
        let numbers = round * DELIVERIES_PER_ROUND..(round + 1) * DELIVERIES_PER_ROUND;
        let storing = async {
            for number in numbers {
                let (route, body) = ("/webhook".to_owned(), events::body(number).into());
                let delivery = NewDelivery { received_at: 1_750_000_000_000, route, headers: Vec::new(), body };
                server.delivery_log.append(delivery).await.unwrap();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let killing = async {
            tokio::time::sleep(Duration::from_millis(random.random_range(1..120))).await;
            desk.kill().await;
            start().await
        };
        ((), desk) = tokio::join!(storing, killing);
    }
    let all: Vec<u64> = (0..rounds * DELIVERIES_PER_ROUND).collect();
    with_timeout("following", async {
        while check::stored(&place.folder(), &mut check::Verdict::default()).len() < all.len() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    desk.wait_for_projection().await;
    desk.close().await;
    let mut verdict = check::all(&place.folder(), &all);
    let stored = check::stored(&place.folder(), &mut verdict);
    println!("R16 kills={rounds} stored={} of={} {verdict:?}", stored.len(), all.len());
    verdict.assert_clean("R16");
    assert!(stored.values().all(|times| *times == 1), "a page and its position are stored in one transaction");
    server.close().await;
}
