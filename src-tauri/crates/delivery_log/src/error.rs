//! Why a log cannot be read or written.

use store::StoreError;

/// Why a log cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The address of the database cannot be used.
    #[error("{0}")]
    Address(String),
    /// The database refused or could not be reached.
    #[error("{}", described(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// No connection became free or could be made.
    #[error("{}", without_connection(.0))]
    Connections(#[from] deadpool_postgres::PoolError),
    /// The database would acknowledge deliveries that a power cut can lose.
    #[error(
        "the database would lose acknowledged deliveries in a power cut: {0} is off; switch it on, or accept the loss with \
         --accept-data-loss"
    )]
    NotDurable(&'static str),
    /// The database cannot store every character.
    #[error(
        "the database keeps texts in {0} and cannot store every delivery; create one in UTF-8, with createdb \
         --encoding=UTF8 --template=template0"
    )]
    Encoding(String),
    /// Receivers would refuse each other's deliveries.
    #[error(
        "default_transaction_isolation is {0} for this user and database, with which receivers would refuse each other's \
         deliveries; set it to 'read committed', with ALTER ROLE … SET default_transaction_isolation = 'read committed', and \
         start the receivers again"
    )]
    Isolation(String),
    /// No receiver has created the tables.
    #[error("there is no log in this database yet; start a receiver on it first, or check the address")]
    NoTables,
    /// Another version made the tables.
    #[error("the tables in the database have format {found}, and this version reads {known}; {}", advice(*.found, *.known))]
    Format { found: i32, known: i32 },
    /// The database did not answer in time.
    #[error("the database did not answer in time")]
    Slow,
    /// The database stored deliveries, and a failover may lose them.
    #[error("the database stopped waiting for its synchronous standby; the deliveries may not be on it")]
    NotReplicated,
    /// The log has fewer deliveries than a moment ago.
    #[error("the log was restored from a backup while it was read")]
    Restored,
    /// A line of a page.
    #[error(transparent)]
    Line(#[from] feed::LineError),
    /// The inbox file.
    #[error(transparent)]
    File(#[from] StoreError),
    /// The file with the desks.
    #[error("the file with the tokens of desks cannot be used: {0}")]
    Access(String),
}

fn without_connection(error: &deadpool_postgres::PoolError) -> String {
    match error {
        deadpool_postgres::PoolError::Backend(cause) => described(cause),
        other => format!("the database cannot be reached: {other}"),
    }
}

fn advice(found: i32, known: i32) -> &'static str {
    if found > known {
        return "use a newer version";
    }
    "start a receiver of this version first, which migrates them, or use the version of the receivers"
}

/// What the database said, with its code.
fn described(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(refusal) => format!("the database refused: {} ({})", refusal.message(), refusal.code().code()),
        None => {
            let cause = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
            format!("the database cannot be reached: {error}{cause}")
        }
    }
}
