//! Connections to the database.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;
use uuid::Uuid;

use super::connection::{Connection, TIDY_TIMEOUT, Value, open};
use super::{DeliveryLog, Reader, schema};
use crate::error::LogError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// After this time without an acknowledgement from the database's machine, its connection counts as broken.
const TCP_TIMEOUT: Duration = Duration::from_secs(10);
const KEEPALIVE_AFTER: Duration = Duration::from_secs(15);
const APPLICATION: &str = "tdesk";
/// Longer names are cut off by PostgreSQL.
const MAX_APPLICATION_NAME: usize = 63;
/// Ends what this process left behind on other connections. Nothing if a pooler does not pass the name on, which then
/// could be that of others.
const END_OTHERS: &str = "
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = $1 AND pid <> pg_backend_pid() AND current_setting('application_name') = $1";
/// A statement that is a transaction of its own has this isolation.
const ISOLATION: &str = "default_transaction_isolation";
/// The settings without which a commit can be lost in a power cut. Databases that do not have them are not asked.
const DURABILITY: [&str; 2] = ["fsync", "full_page_writes"];

/// A database that holds a log.
#[derive(Clone)]
pub struct Database {
    pub(super) config: Config,
    pub(super) tls: MakeRustlsConnect,
    /// Notified when this process stores a delivery, so that its readers need not poll for it.
    pub(super) stored: Arc<Notify>,
    /// Tells the connections of this process from those of others.
    instance: Arc<str>,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("hosts", &self.config.get_hosts()).finish_non_exhaustive()
    }
}

impl Database {
    /// The database at an address such as `postgres://user@host/name`, with the password of the user. Over TLS, unless
    /// it is on this machine or the address says `sslmode=disable`; certificates are checked against those that the
    /// system trusts, or those in the file `ca` (PEM).
    ///
    /// # Errors
    /// [`LogError::Address`] when the address or the file cannot be used.
    pub fn new(address: &SecretString, password: Option<&SecretString>, ca: Option<&Path>) -> Result<Self, LogError> {
        let text = address.expose_secret();
        // The text of the error is not shown, because it can quote the address.
        let mut config: Config = text.parse().map_err(|_: tokio_postgres::Error| {
            let advice = "this is not an address of a database; use postgres://user@host/name, with sslmode=require or \
                          disable if any";
            LogError::Address(advice.to_owned())
        })?;
        if let Some(password) = password {
            config.password(password.expose_secret());
        }
        if config.get_ssl_mode() == SslMode::Prefer && !is_this_machine(&config) {
            config.ssl_mode(SslMode::Require);
        }
        config
            .application_name(APPLICATION)
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_user_timeout(TCP_TIMEOUT)
            .keepalives_idle(KEEPALIVE_AFTER);
        let tls = MakeRustlsConnect::new(tls(ca)?);
        let instance = Uuid::new_v4().simple().to_string()[..12].into();
        Ok(Self { config, tls, stored: Arc::default(), instance })
    }

    /// Checks that the database can store every delivery and keeps what it acknowledges, and creates or migrates the
    /// tables.
    ///
    /// # Errors
    /// [`LogError::Encoding`] and [`LogError::Isolation`]; [`LogError::NotDurable`] unless `accept_data_loss`; the others
    /// when the database cannot be used.
    pub async fn prepare(&self, accept_data_loss: bool) -> Result<(), LogError> {
        let client = self.connect().await?;
        let setting = async |name: &str| {
            let row = client.query_typed_one("SELECT current_setting($1, true)", &[(&name, Type::TEXT)]).await?;
            Ok::<Option<String>, LogError>(row.get(0))
        };
        if let Some(encoding) = setting("server_encoding").await?.filter(|encoding| encoding != "UTF8") {
            return Err(LogError::Encoding(encoding));
        }
        if let Some(isolation) = setting(ISOLATION).await?.filter(|isolation| isolation != "read committed") {
            return Err(LogError::Isolation(isolation));
        }
        for name in DURABILITY {
            if setting(name).await?.as_deref() != Some("off") {
                continue;
            }
            if !accept_data_loss {
                return Err(LogError::NotDurable(name));
            }
            tracing::warn!("the database can lose acknowledged deliveries in a power cut: {name} is off");
        }
        schema::migrate(&client).await
    }

    /// Checks that the tables are those of this version, and changes nothing.
    ///
    /// # Errors
    /// [`LogError::NoTables`] and [`LogError::Format`]; the others when the database cannot be used.
    pub async fn check(&self) -> Result<(), LogError> {
        schema::check(&self.connect().await?).await
    }

    /// Opens the log for appending as the receiver `node`.
    pub async fn open_delivery_log(&self, node: &str) -> Result<DeliveryLog, LogError> {
        DeliveryLog::open(self.clone(), node.to_owned()).await
    }

    /// Opens the log for reading.
    pub fn reader(&self) -> Result<Reader, LogError> {
        Reader::open(self)
    }

    pub(super) async fn connect(&self) -> Result<Client, LogError> {
        Ok(open(&self.config, &self.tls).await?.client)
    }

    /// A connection for appending. After a failure, what this process left on others is ended before it is used.
    pub(super) async fn append_connection(&self, node: &str, after_failure: bool) -> Result<Connection, LogError> {
        let name: String =
            format!("{APPLICATION} {} {node}", self.instance).chars().take(MAX_APPLICATION_NAME).collect();
        let mut config = self.config.clone();
        config.application_name(&name);
        let connection = open(&config, &self.tls).await?;
        if after_failure {
            let values: [Value<'_>; 1] = [(&name, Type::TEXT)];
            match timeout(TIDY_TIMEOUT, connection.client.query_typed(END_OTHERS, &values)).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => tracing::debug!(%error, "former connections to the database were not ended"),
                Err(_) => return Err(LogError::Slow),
            }
        }
        Ok(connection)
    }
}

/// Whether every address that is connected to is one of this machine. `hostaddr` replaces that of the host, whose name
/// is then compared with the certificate only.
fn is_this_machine(config: &Config) -> bool {
    if !config.get_hostaddrs().is_empty() {
        return config.get_hostaddrs().iter().all(IpAddr::is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => model::net::is_this_machine(name),
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

fn tls(ca: Option<&Path>) -> Result<ClientConfig, LogError> {
    let unusable = |error: &dyn fmt::Display| LogError::Address(format!("TLS cannot be set up: {error}"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&error))?;
    let Some(ca) = ca else {
        return Ok(builder.with_platform_verifier().map_err(|error| unusable(&error))?.with_no_client_auth());
    };
    let in_file = |error: &dyn fmt::Display| {
        LogError::Address(format!("the certificates in {} cannot be read: {error}", ca.display()))
    };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(ca).map_err(|error| in_file(&error))? {
        roots.add(certificate.map_err(|error| in_file(&error))?).map_err(|error| in_file(&error))?;
    }
    if roots.is_empty() {
        return Err(in_file(&"it contains none"));
    }
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_is_required_unless_every_address_is_of_this_machine() {
        for (address, mode) in [
            ("postgres://tdesk@localhost/tdesk", SslMode::Prefer),
            ("postgres://tdesk@127.0.0.1/tdesk", SslMode::Prefer),
            #[cfg(unix)]
            ("postgres://tdesk@/tdesk?host=/run/postgresql", SslMode::Prefer),
            ("postgres://tdesk@db.example.com/tdesk?hostaddr=127.0.0.1", SslMode::Prefer),
            ("postgres://tdesk@localhost/tdesk?hostaddr=192.0.2.7", SslMode::Require),
            ("postgres://tdesk@localhost,localhost/tdesk?hostaddr=127.0.0.1,192.0.2.7", SslMode::Require),
            ("postgres://tdesk@localhost,db.example.com/tdesk", SslMode::Require),
            ("postgres://tdesk@192.0.2.7/tdesk", SslMode::Require),
            ("postgres://tdesk@192.0.2.7/tdesk?sslmode=disable", SslMode::Disable),
        ] {
            let database = Database::new(&address.into(), None, None).map(|database| database.config.get_ssl_mode());
            assert_eq!(database.ok(), Some(mode), "{address}");
        }
    }
}
