//! R9 and R10: a thousand slow peers, and ten times the load that the receiver can serve.

use std::process::Command;
use std::time::{Duration, Instant};

use app::webhook_path;
use tokio::task::JoinSet;

use super::Form;
use super::desk::{Desk, TIMEOUT, TestFolder, WORKSPACE, with_timeout};
use super::events;
use super::load::{Connection, Ledger, Senders, Signer};

/// Raises this process's limit of connections. A child's limit is not changed.
fn raise_limit() {
    let process = std::process::id().to_string();
    let raised = Command::new("prlimit").args(["--pid", &process, "--nofile=8192:"]).output();
    if !raised.as_ref().is_ok_and(|output| output.status.success()) {
        println!("THE LIMIT OF OPEN FILES CANNOT BE RAISED HERE ({raised:?}): fewer connections may be had");
    }
}

/// R9: idle connections, half heads and half bodies, dripping, all at once, while a healthy sender continues.
pub(super) async fn slow(form: Form) {
    raise_limit();
    let peers = form.pick(300, 1_000);
    let place = TestFolder::new().await;
    let desk = Desk::start_in(form, &place.folder(), None).await;
    let path = webhook_path(WORKSPACE);

    let before = Ledger::from(0);
    let senders = Senders::start(&before, desk.address, &path, 1);
    with_timeout("sending", before.wait_for_more(form.pick(200, 2_000))).await;
    senders.stop().await;
    let open_sockets = desk.open_sockets();

    let request = Signer::new(&path).request(events::body(0).as_bytes());
    let start = Instant::now();
    let mut many_connections = JoinSet::new();
    for peer in 0..peers {
        let mut connection = Connection::connect(desk.address).await;
        // Nothing at all, half a head, and a body without its last byte.
        let (sent, rest) = request.split_at([0, 30, request.len() - 2][peer % 3]);
        let (sent, drip) = (sent.to_vec(), rest[..rest.len().saturating_sub(2).min(1)].to_vec());
        many_connections.spawn(async move {
            let _the_desk_may_have_closed = connection.write(&sent).await;
            let _it_may_have_closed = connection.write(&drip).await;
            connection.closed().await;
            start.elapsed()
        });
    }
    let during = Ledger::from(1_000_000 * events::GROUP);
    let senders = Senders::start(&during, desk.address, &path, 1);
    with_timeout("a healthy sender", during.wait_for_more(form.pick(200, 2_000))).await;
    let mut last = Duration::ZERO;
    while let Some(closed) = with_timeout("the end of slow connections", many_connections.join_next()).await {
        last = last.max(closed.unwrap());
    }
    senders.stop().await;
    let closing = async {
        while desk.open_sockets().len() > open_sockets.len() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let closed = tokio::time::timeout(TIMEOUT, closing).await;
    assert!(closed.is_ok(), "still open: {:?}; before: {open_sockets:?}", desk.open_sockets());
    desk.kill().await;
    before.assert_only_200_and_503("R9");
    during.assert_only_200_and_503("R9");
    let all = [before.acknowledged(), during.acknowledged()].concat();
    let verdict = super::crash::inspect_all(&place, &all).await;
    println!(
        "R9 slow={peers} closed_after_ms={} healthy={} p99_alone_us={} p99_in_the_crowd_us={} lost={}",
        last.as_millis(),
        during.count(),
        before.latency_quantile(0.99).as_micros(),
        during.latency_quantile(0.99).as_micros(),
        verdict.lost
    );
    verdict.assert_clean("R9");
}

/// R10: many times more connections than the receiver serves, each sending as fast as it is answered.
pub(super) async fn overload(form: Form) {
    raise_limit();
    let place = TestFolder::new().await;
    let desk = Desk::start(&place.folder(), None).await;
    let ledger = Ledger::from(0);
    let connections = form.pick(400, 2_000);
    let senders = Senders::start(&ledger, desk.address, &webhook_path(WORKSPACE), connections);
    match form {
        Form::Short => with_timeout("sending", ledger.wait_for_more(2_000)).await,
        // The duration of the load; not a wait for something.
        Form::Full => tokio::time::sleep(Duration::from_secs(form.rounds(3, 60))).await,
    }
    senders.stop().await;
    desk.kill().await;
    ledger.assert_only_200_and_503("R10");
    let verdict = super::crash::inspect(&place, &ledger).await;
    println!(
        "R10 connections={connections} acknowledged={} refused={} p99_ms={} lost={} double={}",
        ledger.count(),
        ledger.answered(503),
        ledger.latency_quantile(0.99).as_millis(),
        verdict.lost,
        verdict.double
    );
    assert!(ledger.count() > 0);
    verdict.assert_clean("R10");
}
