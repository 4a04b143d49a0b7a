//! The control: a delivery log that commits in groups as the real one does, but with `synchronous=NORMAL`, so that a
//! power failure undoes acknowledged deliveries. A fault test that it passes is broken.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use app::webhook_path;
use app::webhooks::endpoint::{AllowedHosts, Limits, Route, Routes, serve};
use receiver::{Delivery, Refusal};
use rusqlite::Connection;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

use super::child::print_line;
use super::desk::WORKSPACE;
use super::load::SECRET;

type Append = (Delivery, oneshot::Sender<Result<(), Refusal>>);

struct NormalLog(SyncSender<Append>);

impl receiver::DeliveryLog for NormalLog {
    async fn append(&self, delivery: Delivery) -> Result<(), Refusal> {
        let (answer, answered) = oneshot::channel();
        self.0.try_send((delivery, answer)).map_err(|_| Refusal::Busy)?;
        answered.await.unwrap_or(Err(Refusal::Storage))
    }
}

/// Serves like a desk until it receives the command to close.
pub(super) async fn run(folder: &Path, mut commands: mpsc::UnboundedReceiver<String>) {
    let path = store::DataFolder::delivery_log_in(folder);
    // The real tables.
    drop(store::DeliveryLog::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).unwrap();
    connection.pragma_update(None, "synchronous", "NORMAL").unwrap();
    connection.pragma_update(None, "wal_autocheckpoint", 500).unwrap();
    let (queue, appends) = sync_channel(4_096);
    let writer = std::thread::spawn(move || write(connection, &appends));
    let route = Route {
        path: webhook_path(WORKSPACE),
        tag: WORKSPACE.to_owned(),
        secrets: vec![SECRET.into()],
        verify_token: None,
        unread: false,
        generation: 0,
    };
    let routes = Routes::new(vec![route], AllowedHosts::Any).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    print_line(&json!({"ready": listener.local_addr().unwrap()}));
    let stop = async move { while commands.recv().await.is_some_and(|command| command != "close") {} };
    serve(listener, NormalLog(queue), routes, Limits::default(), |_| {}, stop).await;
    writer.join().unwrap();
    print_line(&json!({"closed": true}));
}

fn write(mut connection: Connection, appends: &Receiver<Append>) {
    while let Ok(first) = appends.recv() {
        let mut group = vec![first];
        group.extend(appends.try_iter().take(1_023));
        let transaction = connection.transaction().unwrap();
        {
            let mut insert = transaction
                .prepare_cached("INSERT INTO delivery (received_at, route, headers, body) VALUES (0, ?1, '[]', ?2)")
                .unwrap();
            for (delivery, _) in &group {
                insert.execute((&delivery.route, delivery.body.as_ref())).unwrap();
            }
        }
        transaction.commit().unwrap();
        for (_, answer) in group {
            let _the_sender_may_have_gone = answer.send(Ok(()));
        }
    }
}
