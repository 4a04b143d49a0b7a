//! A PostgreSQL server of its own, in a folder and on a port that nothing else uses.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::process::{Child, Command};

/// The user that runs the server if the tests run as root, which PostgreSQL refuses.
const USER: &str = "postgres";
/// How a standby calls itself, for `synchronous_standby_names`.
pub(crate) const STANDBY: &str = "standby";

/// A running server; it ends with the test.
pub(crate) struct Cluster {
    folder: TempDir,
    port: u16,
    /// Bound and not listening: keeps the port free for the server, also while it restarts.
    _reserved: TcpSocket,
    is_root: bool,
    /// Its folder is a file system of its own.
    is_mounted: bool,
}

impl Cluster {
    /// Creates and starts a server with these settings, as `name = value`.
    pub(crate) async fn start(settings: &[&str]) -> Self {
        let cluster = Self::create(settings).await;
        cluster.control(&["start"]).await;
        cluster
    }

    /// Creates and starts a server with a certificate of an authority of its own: [`Cluster::authority`].
    pub(crate) async fn start_with_tls() -> Self {
        let cluster = Self::create(&["ssl = on", "ssl_cert_file = 'leaf.pem'", "ssl_key_file = 'leaf.key'"]).await;
        let data = cluster.data();
        std::fs::write(data.join("leaf.ext"), "subjectAltName = IP:127.0.0.1\n").unwrap();
        for arguments in [
            "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=authority -days 2",
            "req -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.csr -subj /CN=database",
            "x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out leaf.pem -days 2 -extfile leaf.ext",
        ] {
            let mut command = Command::new("openssl");
            let output = command.args(arguments.split(' ')).current_dir(&data).output().await.unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        for file in ["leaf.key", "leaf.pem"] {
            std::fs::set_permissions(data.join(file), std::fs::Permissions::from_mode(0o600)).unwrap();
            if cluster.is_root {
                std::os::unix::fs::chown(data.join(file), Some(cluster.user_id().await), None).unwrap();
            }
        }
        cluster.control(&["start"]).await;
        cluster
    }

    /// The certificate of the authority of [`Cluster::start_with_tls`].
    pub(crate) fn authority(&self) -> PathBuf {
        self.data().join("ca.pem")
    }

    /// Creates and starts a server on a disk of this size; `None` where none can be mounted, which takes root.
    pub(crate) async fn start_on_disk(megabytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={megabytes}m");
        let mut mount = Command::new("mount");
        let mounted = mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).output().await.unwrap();
        if !mounted.status.success() {
            eprintln!("no disk can be mounted: {}", String::from_utf8_lossy(&mounted.stderr));
            return None;
        }
        let mut cluster = Self::create_in(folder, &["max_wal_size = 8MB", "min_wal_size = 4MB"]).await;
        cluster.is_mounted = true;
        cluster.control(&["start"]).await;
        Some(cluster)
    }

    /// Whether its disk can be filled.
    pub(crate) fn has_disk(&self) -> bool {
        self.is_mounted
    }

    /// Fills the disk but for `left` bytes.
    pub(crate) async fn fill_disk(&self, left: u64) {
        let mut df = Command::new("df");
        let free = df.args(["--output=avail", "-B1"]).arg(self.path()).output().await.unwrap();
        let free = String::from_utf8(free.stdout).unwrap();
        let free: u64 = free.lines().last().unwrap().trim().parse().unwrap();
        let size = usize::try_from(free.saturating_sub(left)).unwrap();
        std::fs::write(self.path().join("filler"), vec![0; size]).unwrap();
    }

    /// Frees what [`Cluster::fill_disk`] filled, and starts the server if it stopped.
    pub(crate) async fn empty_disk(&self) {
        std::fs::remove_file(self.path().join("filler")).unwrap();
        while self.try_control(&["status"]).await.is_err() && self.try_control(&["start"]).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    async fn create(settings: &[&str]) -> Self {
        Self::create_in(tempfile::tempdir().unwrap(), settings).await
    }

    async fn create_in(folder: TempDir, settings: &[&str]) -> Self {
        let cluster = Self::empty_in(folder).await;
        let data = cluster.data();
        let encoding = ["-E", "UTF8", "--locale=C", "--wal-segsize=1", "--no-sync"];
        let data = data.to_str().unwrap();
        cluster.run("initdb", &[&["-D", data, "-U", USER, "-A", "trust"][..], &encoding].concat()).await;
        let mut lines = "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n".to_owned();
        for setting in settings {
            lines.push_str(setting);
            lines.push('\n');
        }
        cluster.configure(&lines);
        cluster
    }

    /// A server without data, which begins with those of another: [`Cluster::follow`].
    pub(crate) async fn empty() -> Self {
        Self::empty_in(tempfile::tempdir().unwrap()).await
    }

    async fn empty_in(folder: TempDir) -> Self {
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
        let reserved = TcpSocket::new_v4().unwrap();
        reserved.set_reuseaddr(true).unwrap();
        reserved.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let port = reserved.local_addr().unwrap().port();
        let cluster = Self { folder, port, _reserved: reserved, is_root, is_mounted: false };
        cluster.create_data().await;
        cluster
    }

    async fn create_data(&self) {
        std::fs::create_dir(self.data()).unwrap();
        std::fs::set_permissions(self.data(), std::fs::Permissions::from_mode(0o700)).unwrap();
        if self.is_root {
            std::os::unix::fs::chown(self.data(), Some(self.user_id().await), None).unwrap();
        }
    }

    /// Adds its port and other lines to its settings.
    fn configure(&self, lines: &str) {
        let file = self.data().join("postgresql.conf");
        let before = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{before}port = {}\n{lines}", self.port)).unwrap();
    }

    /// Becomes the standby of another server, with a copy of its data.
    pub(crate) async fn follow(&self, primary: &Self) {
        std::fs::remove_dir_all(self.data()).unwrap();
        self.create_data().await;
        let address = format!("{}?application_name={STANDBY}", primary.address());
        let data = self.data();
        let copy = ["-D", data.to_str().unwrap(), "-d", &address, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
        self.run("pg_basebackup", &copy).await;
        self.configure("");
        self.control(&["start"]).await;
    }

    /// Takes the place of its primary.
    pub(crate) async fn promote(&self) {
        self.control(&["promote"]).await;
    }

    /// Ends as in a power cut.
    pub(crate) async fn stop_at_once(&self) {
        self.control(&["-m", "immediate", "stop"]).await;
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The address for `--store`.
    pub(crate) fn address(&self) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/postgres", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn is_root(&self) -> bool {
        self.is_root
    }

    async fn user_id(&self) -> u32 {
        let output = Command::new("id").args(["-u", USER]).output().await.unwrap();
        String::from_utf8(output.stdout).unwrap().trim().parse().expect("the package postgresql is installed")
    }

    async fn run(&self, program: &str, arguments: &[&str]) -> String {
        self.try_run(program, arguments).await.unwrap()
    }

    async fn try_run(&self, program: &str, arguments: &[&str]) -> Result<String, String> {
        let output = self.command(program, arguments).output().await.unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        Err(format!("{arguments:?}: {text}{}", String::from_utf8_lossy(&output.stderr)))
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let folder = std::fs::read_dir("/usr/lib/postgresql").expect("the package postgresql is installed");
        let newest = folder.map(|version| version.unwrap().path()).max().expect("the package postgresql is installed");
        let program = newest.join("bin").join(program);
        let mut command = if self.is_root {
            let mut command = Command::new("runuser");
            command.args(["-u", USER, "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(arguments).current_dir("/").stdin(Stdio::null());
        command
    }

    async fn control(&self, arguments: &[&str]) {
        self.try_control(arguments).await.unwrap();
    }

    async fn try_control(&self, arguments: &[&str]) -> Result<String, String> {
        let (data, log) = (self.data(), self.data().join("log.txt"));
        let common = ["-D", data.to_str().unwrap(), "-l", log.to_str().unwrap(), "-w", "-t", "120"];
        self.try_run("pg_ctl", &[&common, arguments].concat()).await
    }

    /// Stops the server in an orderly way and starts it again.
    pub(crate) async fn restart(&self) {
        self.control(&["-m", "fast", "restart"]).await;
    }

    /// Kills the server as a power cut would, and starts it again.
    pub(crate) async fn crash(&self) {
        let pid = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap().to_owned();
        assert!(Command::new("kill").args(["-KILL", &pid]).status().await.unwrap().success());
        // It starts once the processes of its connections have noticed and ended.
        while self.try_control(&["start"]).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// Runs SQL and returns its rows, unaligned.
    pub(crate) async fn sql(&self, sql: &str) -> String {
        let address = self.address();
        let text = self.run("psql", &["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", &address, "-c", sql]).await;
        text.trim_end().to_owned()
    }

    /// Writes a dump of the log to a file.
    pub(crate) async fn dump(&self) -> String {
        self.run("pg_dump", &["-n", "template_desk", "-d", &self.address()]).await
    }

    /// Begins a dump that goes on once its output is read. The log must be larger than what is buffered on the way.
    pub(crate) async fn begin_dump(&self) -> Child {
        let mut dump = self.command("pg_dump", &["-n", "template_desk", "-d", &self.address()]);
        let dump = dump.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        while !self.is_dumping().await {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        dump
    }

    /// Whether a dump waits until its output is read.
    pub(crate) async fn is_dumping(&self) -> bool {
        let waits =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_dump' AND wait_event = 'ClientWrite'";
        self.sql(waits).await == "1"
    }

    /// Replaces the log by that of a dump.
    pub(crate) async fn restore(&self, dump: &str) {
        // As after the loss of a server: nobody is connected.
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'; DROP SCHEMA template_desk CASCADE").await;
        self.load(dump).await;
    }

    /// Loads a dump into a database without a log.
    pub(crate) async fn load(&self, dump: &str) {
        let file = self.path().join("dump.sql");
        std::fs::write(&file, dump).unwrap();
        let address = self.address();
        self.run("psql", &["-qAtX", "-v", "ON_ERROR_STOP=1", "-1", "-d", &address, "-f", file.to_str().unwrap()]).await;
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let pid = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap_or_default();
        if let Some(pid) = pid.lines().next() {
            // An immediate shutdown of the server and its processes.
            let _ = std::process::Command::new("kill").args(["-QUIT", pid]).status();
        }
        if self.is_mounted {
            let _ = std::process::Command::new("umount").arg("--lazy").arg(self.folder.path()).status();
        }
    }
}
