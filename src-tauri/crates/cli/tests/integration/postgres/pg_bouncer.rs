//! A PgBouncer between receivers and a server.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};

use super::Cluster;

const PROGRAM: &str = "/usr/sbin/pgbouncer";

/// A running PgBouncer; it ends with the test.
pub(super) struct PgBouncer {
    folder: TempDir,
    port: u16,
    /// Bound and not listening: keeps the port free, also while it restarts.
    _reserved: TcpSocket,
    pool_mode: &'static str,
    process: Option<Child>,
}

impl PgBouncer {
    /// Starts one with this `pool_mode` in front of a server; `None` if it is not installed.
    pub(super) async fn start(cluster: &Cluster, pool_mode: &'static str) -> Option<Self> {
        if !Path::new(PROGRAM).exists() {
            eprintln!("PgBouncer is not installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let reserved = TcpSocket::new_v4().unwrap();
        reserved.set_reuseaddr(true).unwrap();
        reserved.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let port = reserved.local_addr().unwrap().port();
        let mut bouncer = Self { folder, port, _reserved: reserved, pool_mode, process: None };
        bouncer.configure(cluster);
        bouncer.run(cluster.is_root()).await;
        Some(bouncer)
    }

    /// The address for `--store`.
    pub(super) fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Connects to another server from now on.
    pub(super) async fn point_to(&self, cluster: &Cluster) {
        self.configure(cluster);
        self.signal("HUP").await;
    }

    /// Ends without waiting for its clients, and starts again.
    pub(super) async fn restart(&mut self, cluster: &Cluster) {
        self.signal("TERM").await;
        self.process.take().unwrap().wait().await.unwrap();
        self.run(cluster.is_root()).await;
    }

    async fn signal(&self, signal: &str) {
        let pid = self.process.as_ref().and_then(Child::id).expect("it runs").to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().await.unwrap().success());
    }

    fn configuration(&self) -> PathBuf {
        self.folder.path().join("pgbouncer.ini")
    }

    fn configure(&self, cluster: &Cluster) {
        let lines = format!(
            "[databases]\npostgres = host=127.0.0.1 port={} dbname=postgres user=postgres\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {}\nunix_socket_dir =\nauth_type = any\n\
             pool_mode = {}\ndefault_pool_size = {}\nserver_login_retry = 1\n",
            cluster.port(),
            self.port,
            self.pool_mode,
            // Transactions of one client run on several connections, and those of several on one.
            if self.pool_mode == "transaction" { 3 } else { 20 }
        );
        std::fs::write(self.configuration(), lines).unwrap();
    }

    async fn run(&mut self, is_root: bool) {
        let mut command = Command::new(PROGRAM);
        // It refuses to run as root.
        command.args(if is_root { &["-u", "postgres"][..] } else { &[] }).arg(self.configuration());
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.folder.path().join("log")).unwrap();
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).kill_on_drop(true);
        self.process = Some(command.spawn().unwrap());
        while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}
