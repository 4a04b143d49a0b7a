//! A PostgreSQL server of its own, in a temporary folder and on a free port, with the default settings.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;
use tempfile::TempDir;

use crate::process;

/// The user that runs the server if this process runs as root, which PostgreSQL refuses.
const USER: &str = "postgres";
/// Where Debian installs the programs, in a folder for each version.
const PROGRAMS: &str = "/usr/lib/postgresql";

/// A running server.
pub(crate) struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    is_root: bool,
    port: u16,
    process: u32,
}

impl Cluster {
    /// Creates and starts a server in a folder in the temporary folder. `None` if PostgreSQL is not installed.
    pub(crate) fn start() -> anyhow::Result<Option<Self>> {
        let versions = std::fs::read_dir(PROGRAMS).into_iter().flatten().flatten();
        let mut versions: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
        versions.retain(|programs| programs.join("initdb").exists());
        let Some(programs) = versions.into_iter().max() else { return Ok(None) };
        // Not in the folder of the other files, which only its owner can enter.
        let folder = tempfile::tempdir()?;
        let is_root = Command::new("id").arg("-u").output()?.stdout.trim_ascii() == b"0";
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut cluster = Self { folder, programs, is_root, port, process: 0 };
        if is_root {
            let path = cluster.folder.path();
            let owned = Command::new("chown").arg(USER).arg(path).status()?;
            anyhow::ensure!(owned.success(), "{} cannot be given to the user {USER}", path.display());
        }
        let data = cluster.data();
        let data = data.to_str().context("the temporary folder has a name that is not UTF-8")?;
        cluster.run("initdb", &["-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])?;
        let options = format!("-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''");
        let log = format!("{data}/log.txt");
        cluster.run("pg_ctl", &["-D", data, "-l", &log, "-w", "-o", &options, "start"])?;
        let id = cluster.sql("postgres", "SELECT pg_read_file('postmaster.pid')")?;
        cluster.process = id.lines().next().unwrap_or_default().parse().context("postmaster.pid has no process")?;
        Ok(Some(cluster))
    }

    /// Creates an empty database, and returns its address for `tdesk receive --store`.
    pub(crate) fn create_database(&self, name: &str) -> anyhow::Result<String> {
        self.sql("postgres", &format!("CREATE DATABASE {name}"))?;
        Ok(self.address(name))
    }

    /// Removes a database that nobody uses.
    pub(crate) fn drop_database(&self, name: &str) -> anyhow::Result<()> {
        self.sql("postgres", &format!("DROP DATABASE {name}")).map(drop)
    }

    /// Runs SQL in a database and returns its rows, unaligned.
    pub(crate) fn sql(&self, database: &str, sql: &str) -> anyhow::Result<String> {
        let address = self.address(database);
        self.run("psql", &["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", &address, "-c", sql])
    }

    /// The number that SQL returns.
    pub(crate) fn number(&self, database: &str, sql: &str) -> anyhow::Result<f64> {
        let text = self.sql(database, sql)?;
        text.parse().with_context(|| format!("{sql} returned {text:?}"))
    }

    /// Seconds of processor time of the server so far; `None` if the system does not report it.
    pub(crate) fn processor(&self) -> Option<f64> {
        process::processor_with_children(self.process)
    }

    pub(crate) fn version(&self) -> anyhow::Result<String> {
        self.sql("postgres", "SHOW server_version")
    }

    fn address(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, program: &str, arguments: &[&str]) -> anyhow::Result<String> {
        let program = self.programs.join(program);
        let mut command = if self.is_root {
            let mut command = Command::new("runuser");
            command.args(["-u", USER, "--"]).arg(&program);
            command
        } else {
            Command::new(&program)
        };
        let output = command.args(arguments).current_dir("/").stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        let problem = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "{} {arguments:?}: {text}{problem}", Path::new(&program).display());
        Ok(text)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let data = self.data();
        let data = data.to_string_lossy();
        // Its files are removed next.
        let _ = self.run("pg_ctl", &["-D", &data, "-m", "immediate", "-w", "stop"]);
    }
}
