//! PgBouncer between receivers and database.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::process::{Child, Command};

use super::{Cluster, Desk, client, receive_at};
use crate::receiving::{run, stderr};

const PROGRAM: &str = "/usr/sbin/pgbouncer";

/// Starts PgBouncer before a cluster; `None` if it is not installed. Returns the address of the log through it.
async fn pooler(cluster: &Cluster, mode: &str) -> Option<(Child, String)> {
    if !std::path::Path::new(PROGRAM).exists() {
        eprintln!("PgBouncer is not installed");
        return None;
    }
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let folder = cluster.path().join("pooler");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let (file, log) = (folder.join("pgbouncer.ini"), folder.join("log"));
    let settings = format!(
        "[databases]\npostgres = host=127.0.0.1 port={} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
         listen_port = {port}\nauth_type = any\npool_mode = {mode}\nunix_socket_dir =\nlogfile = {}\n\
         default_pool_size = 10\n",
        cluster.port(),
        log.display()
    );
    std::fs::write(&file, settings).unwrap();
    let mut command = Command::new(PROGRAM);
    command.arg(&file).kill_on_drop(true).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if cluster.is_root() {
        command.args(["-u", "postgres"]);
    }
    let child = command.spawn().unwrap();
    while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Some((child, format!("postgres://postgres@127.0.0.1:{port}/postgres")))
}

/// Fetches everything stored; connections that were ended are found one by one.
async fn catch_up(desk: &mut Desk, client: &feed::Client) {
    while desk.try_catch_up(client).await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn works_through(mode: &str) {
    let cluster = Cluster::start(&[]).await;
    let Some((mut pooler, address)) = pooler(&cluster, mode).await else { return };
    let [one, two] =
        [receive_at(&cluster, &address, "eu-1", &[]).await, receive_at(&cluster, &address, "eu-2", &[]).await];
    let output = run(&["desk", "add", "team", "--store", &address]).await;
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let token = String::from_utf8(output.stdout).unwrap();
    let mut desk = Desk::default();
    let mut sent = Vec::new();
    for number in 0..200 {
        for receiver in [&one, &two] {
            let body = format!("{number} {}", receiver.url);
            assert_eq!(receiver.deliver(body.clone()).await, 200);
            sent.push(body);
        }
        if number % 50 == 0 {
            catch_up(&mut desk, &client(&two, token.trim())).await;
            // As when the pooler's connections are lost.
            let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                          WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
            cluster.sql(others).await;
            for receiver in [&one, &two] {
                while receiver.deliver("again").await != 200 {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }
    let client = client(&one, token.trim());
    catch_up(&mut desk, &client).await;
    assert!(sent.iter().all(|body| desk.bodies.contains(body)));
    assert_eq!(desk.gaps, []);
    one.stop().await;
    two.stop().await;
    pooler.kill().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_and_desks_work_through_a_pooler_for_transactions() {
    works_through("transaction").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_and_desks_work_through_a_pooler_for_sessions() {
    works_through("session").await;
}
