//! Several receivers as `docs/deployment.md` recommends to run them: a synchronous standby, failover, PgBouncer, an upgrade,
//! dump and restore, a disk that fills, clocks that jump, a receiver that is removed for good. Deliveries come all the
//! time.

use std::collections::BTreeSet;
use std::env::consts::ARCH;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::sleep;

use super::faults::Pair;
use super::load::Load;
use super::pg_bouncer::PgBouncer;
use super::pooler::catch_up;
use super::retention::{first, tdesk_log};
use super::{Cluster, Desk, add_desk, client, receive_at, receive_command};
use crate::receiving::Receiver;

async fn operate(pool_mode: &'static str) {
    let mut servers = Pair::start().await;
    let logs = Cluster::empty().await;
    let mut bouncer = PgBouncer::start(&servers.primary, pool_mode).await.expect("the package pgbouncer is installed");
    // One receiver knows both servers, and one what PgBouncer leads to.
    let both = servers.address();
    let one = receive_at(&logs, &both, "eu-1", &[]).await;
    let mut two = receive_at(&logs, &bouncer.address(), "eu-2", &[]).await;
    let token = add_desk(&servers.primary, "team").await;
    let (mut follower, mut asleep) = (Desk::default(), Desk::default());
    catch_up(&mut asleep, &client(&two, &token)).await;

    let load = Load::start("before", &[&one, &two]);
    load.step("with both servers").await;
    catch_up(&mut follower, &client(&one, &token)).await;
    servers.fail_over().await;
    bouncer.point_to(&servers.primary).await;
    load.step("after the failover").await;
    catch_up(&mut follower, &client(&one, &token)).await;
    bouncer.restart(&servers.primary).await;
    load.step("after a restart of PgBouncer").await;
    two = upgrade(&servers.primary, &logs, &bouncer, two, &load).await;
    let mut acknowledged = load.stop().await;
    for (desk, receiver) in [(&mut follower, &two), (&mut asleep, &one)] {
        catch_up(desk, &client(receiver, &token)).await;
        assert_complete(desk, &acknowledged);
    }
    assert_eq!(follower.fetched, asleep.fetched, "each desk has the same");

    // A dump is made while deliveries come, and restored on another server while no receiver runs.
    let load = Load::start("dumped", &[&one, &two]);
    load.step("before the dump").await;
    let dump = servers.primary.dump().await;
    load.step("after the dump").await;
    acknowledged.extend(load.stop().await);
    catch_up(&mut follower, &client(&one, &token)).await;
    assert_complete(&follower, &acknowledged);
    one.stop().await;
    two.stop().await;
    let restored = match Cluster::start_on_disk(160).await {
        Some(cluster) => cluster,
        None => Cluster::start(&[]).await,
    };
    restored.load(&dump).await;
    bouncer.point_to(&restored).await;
    let one = receive_at(&logs, &restored.address(), "eu-1", &[]).await;
    let mut two = receive_at(&logs, &bouncer.address(), "eu-2", &[]).await;
    // The database gives the numbers after the dump again, and may repeat those before.
    follower.fetched.clear();
    let load = Load::start("restored", &[&one, &two]);
    load.step("after the restore").await;
    catch_up(&mut follower, &client(&two, &token)).await;
    if restored.has_disk() {
        restored.fill_disk(1 << 20).await;
        load.refusals().await;
        restored.empty_disk().await;
        load.step("after the disk was full").await;
        catch_up(&mut follower, &client(&one, &token)).await;
    }
    two = jump(&restored, &logs, &bouncer, two, &load).await;
    acknowledged.extend(load.stop().await);
    catch_up(&mut follower, &client(&two, &token)).await;

    two.stop().await;
    let load = Load::start("alone", &[&one]);
    load.step("after a receiver was removed").await;
    acknowledged.extend(load.stop().await);
    catch_up(&mut follower, &client(&one, &token)).await;
    assert_complete(&follower, &acknowledged);
    let mut fresh = Desk::default();
    catch_up(&mut fresh, &client(&one, &token)).await;
    assert!(fresh.bodies.iter().any(|body| body.starts_with("restored 1 ")), "what a removed receiver stored stays");
    assert_complete(&fresh, &fresh.bodies);
    println!(
        "operation pool_mode={pool_mode} disk={} acknowledged={} fetched={} from the restored server={}",
        restored.has_disk(),
        acknowledged.len(),
        follower.bodies.len(),
        fresh.fetched.len()
    );
    one.stop().await;
}

/// Ends a receiver and starts another version in its place.
async fn upgrade(server: &Cluster, logs: &Cluster, bouncer: &PgBouncer, former: Receiver, load: &Load) -> Receiver {
    former.stop().await;
    // The new version has migrated the tables; the former one does not start again, and one that runs goes on.
    server.sql("UPDATE template_desk.meta SET format = format + 1").await;
    let refused = receive_command(&bouncer.address(), "eu-2").output().await.unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(said.contains("use a newer version"), "{said}");
    load.step_of(0, "beside the upgrade").await;
    server.sql("UPDATE template_desk.meta SET format = format - 1").await;
    let new = receive_at(logs, &bouncer.address(), "eu-2", &[]).await;
    load.replace(1, &new);
    load.step("after the upgrade").await;
    new
}

/// The clock of a receiver jumps, also while it decides what is old.
async fn jump(server: &Cluster, logs: &Cluster, bouncer: &PgBouncer, mut receiver: Receiver, load: &Load) -> Receiver {
    let (log, clock) = (logs.path().join("eu-2.log"), logs.path().join("clock"));
    tdesk_log(server, &["keep", "30"]).await;
    for (at_start, later) in [("+200d", "-200d"), ("-200d", "+0")] {
        receiver.stop().await;
        std::fs::write(&log, "").unwrap();
        std::fs::write(&clock, at_start).unwrap();
        let mut command = receive_command(&bouncer.address(), "eu-2");
        command.env("RUST_LOG", "trace");
        fake_clock(&mut command, &clock);
        receiver = Receiver::spawn(command, &log).await;
        load.replace(1, &receiver);
        while !std::fs::read_to_string(&log).unwrap().contains("no delivery is removed") {
            sleep(Duration::from_millis(20)).await;
        }
        load.step(at_start).await;
        std::fs::write(&clock, later).unwrap();
        load.step(later).await;
    }
    assert_eq!(first(server).await, "1 1", "nothing was removed");
    let clocks = "SELECT max(received_at) - min(received_at) > 300 * 86400000::bigint FROM template_desk.delivery";
    assert_eq!(server.sql(clocks).await, "t", "the clock of the receiver jumped");
    receiver
}

/// Lets a program have the clock that a file says.
fn fake_clock(command: &mut Command, file: &Path) {
    let library = PathBuf::from(format!("/usr/lib/{ARCH}-linux-gnu/faketime/libfaketimeMT.so.1"));
    assert!(library.exists(), "the package faketime is installed");
    command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", file);
    command.env("FAKETIME_NO_CACHE", "1").env("DONT_FAKE_MONOTONIC", "1");
}

/// Everything acknowledged was fetched, nothing came twice, and no number is passed over.
fn assert_complete(desk: &Desk, acknowledged: &BTreeSet<String>) {
    let missing: Vec<_> = acknowledged.difference(&desk.bodies).collect();
    assert!(missing.is_empty(), "{} were acknowledged and not fetched: {missing:?}", missing.len());
    let distinct: BTreeSet<&String> = desk.fetched.values().collect();
    assert_eq!(distinct.len(), desk.fetched.len(), "something was stored twice");
    let (first, last) = (desk.fetched.keys().next().unwrap(), desk.fetched.keys().next_back().unwrap());
    assert_eq!(usize::try_from(last - first + 1).unwrap(), desk.fetched.len(), "a number was passed over");
    assert_eq!(desk.gaps, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes, PgBouncer and faketime; make faults runs it"]
async fn full_operation_with_a_pooler_of_sessions_loses_nothing() {
    operate("session").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes, PgBouncer and faketime; make faults runs it"]
async fn full_operation_with_a_pooler_of_transactions_loses_nothing() {
    operate("transaction").await;
}
