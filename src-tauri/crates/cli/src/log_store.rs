//! The log that a receiver appends to: an inbox file or a database.

use std::path::PathBuf;

use delivery_log::file::DesksFile;
use delivery_log::postgres::Database;
use delivery_log::{Desks, LogError};
use secrecy::SecretString;

use crate::exit::WrongUsage;
use crate::server;

/// Options of the log.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(crate) struct StoreArgs {
    /// Inbox file; created if it does not exist.
    #[arg(long, value_name = "INBOX_FILE", required_unless_present = "store", conflicts_with = "store")]
    pub(crate) database: Option<PathBuf>,
    /// PostgreSQL database for several receivers, as postgres://USER@HOST/NAME without a password.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) store: Option<String>,
    /// Name of the environment variable with the password of the database's user.
    #[arg(long, value_name = "NAME", requires = "store")]
    store_password_env: Option<String>,
    /// File with the password of the database's user.
    #[arg(long, value_name = "FILE", requires = "store", conflicts_with = "store_password_env")]
    store_password_file: Option<PathBuf>,
    /// File with the certificates (PEM) that the database's certificate is checked against, instead of those that the
    /// system trusts.
    #[arg(long, value_name = "FILE", requires = "store")]
    store_ca: Option<PathBuf>,
}

/// The log.
#[derive(Debug)]
pub(crate) enum Store {
    File(PathBuf),
    Postgres(Box<Database>),
}

impl StoreArgs {
    pub(crate) fn store(&self) -> anyhow::Result<Store> {
        let Some(address) = &self.store else {
            let file =
                self.database.clone().ok_or_else(|| WrongUsage("--database or --store is missing".to_owned()))?;
            return Ok(Store::File(file));
        };
        let rest = address.strip_prefix("postgres://").or_else(|| address.strip_prefix("postgresql://"));
        let Some(rest) = rest else {
            return Err(WrongUsage("--store: use an address such as postgres://user@host/name".to_owned()).into());
        };
        let user = rest.split_once('@').map_or("", |(user, _)| user);
        if user.contains(':') || rest.contains("password=") {
            let advice = "--store: other users of this machine can read the password in an argument; give it with \
                          --store-password-env or --store-password-file, and change it";
            return Err(WrongUsage(advice.to_owned()).into());
        }
        let password = match (&self.store_password_env, &self.store_password_file) {
            (Some(name), _) => Some(server::secret_from_env("--store-password-env", name)?),
            (None, Some(file)) => Some(server::secret_from_file(file)?),
            (None, None) => None,
        };
        let address = SecretString::from(address.clone());
        let database = Database::new(&address, password.as_ref(), self.store_ca.as_deref()).map_err(usage)?;
        Ok(Store::Postgres(Box::new(database)))
    }
}

impl Store {
    /// The desks that may read the log. Nothing is created or migrated.
    pub(crate) async fn desks(&self) -> anyhow::Result<Desks> {
        match self {
            Self::File(path) => Ok(Desks::File(DesksFile::of(path))),
            Self::Postgres(database) => {
                database.check().await?;
                Ok(Desks::Postgres(database.reader()?))
            }
        }
    }

    /// The desks of a log to which one is added, perhaps before the first receiver starts.
    pub(crate) async fn created_desks(&self) -> anyhow::Result<Desks> {
        if let Self::Postgres(database) = self {
            // Whether the database loses deliveries is a question for those who append to it.
            match database.check().await {
                Err(LogError::NoTables) => database.prepare(true).await.map_err(usage)?,
                checked => checked?,
            }
        }
        self.desks().await
    }
}

/// Addresses and settings that cannot be used are the user's to correct; the others may pass.
pub(crate) fn usage(error: LogError) -> anyhow::Error {
    match error {
        LogError::Address(_) | LogError::NotDurable(_) | LogError::Encoding(_) | LogError::Isolation(_) => {
            WrongUsage(error.to_string()).into()
        }
        other => other.into(),
    }
}
