//! Opens a file with every setting that durability and security need, and reads each setting back.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::schema::{Schema, Synchronous};
use crate::{StoreError, atomic_file, migration, private};

/// How long a statement waits for a lock of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// The first SQLite version in which two connections that write or checkpoint cannot corrupt a WAL file.
const MIN_SQLITE_VERSION: i32 = 3_051_003;

/// Size of the page cache of a writer, in KiB.
const CACHE_KIB: i32 = 8_192;
/// Size of the page cache of a reader, in KiB. A file has several readers, and the operating system caches the file too.
const READER_CACHE_KIB: i32 = 2_048;

/// Opens the file for writing, and creates or migrates it as needed. Afterwards only its owner can read it.
///
/// # Errors
/// A newer, foreign or damaged file is refused before anything is written to it.
pub(crate) fn open(path: &Path, schema: &Schema) -> Result<Connection, StoreError> {
    let attempt = || {
        check_library()?;
        // SQLite would create it with the umask's permissions. If this fails, SQLite reports the error.
        let _fails_below = private::create_new(path);
        let mut connection = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        harden(&connection)?;
        check_format(&connection, path, schema)?;
        restrict(path);
        // Only effective before the first table; lets retention return pages to the file system.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        configure_writer(&connection, path, schema)?;
        migration::migrate(&mut connection, schema)?;
        // Data of a failed flush is in the log only in the system's memory, and no later flush writes it: before
        // anything builds on it, checkpoint the log into the file, which writes and flushes it again. While another
        // process reads, the next checkpoint does it.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(connection)
    };
    attempt().map_err(|error: StoreError| error.at(path))
}

/// Restricts the database and its companions to their owner. Files that SQLite creates later inherit the permissions of
/// the database.
fn restrict(path: &Path) {
    for file in atomic_file::companions(path) {
        if let Err(error) = private::restrict(&file) {
            tracing::warn!(%error, path = %file.display(), "other users of this machine may be able to read the file");
        }
    }
}

/// Opens an existing file of the newest format for reading.
///
/// # Errors
/// [`StoreError::Older`] and the refusals of [`open`].
pub(crate) fn open_reader(path: &Path, schema: &Schema) -> Result<Connection, StoreError> {
    open_reader_at(path, path, OpenFlags::empty(), schema)
}

/// As [`open_reader`], for a file that no process has open: SQLite makes no companions beside it.
pub(crate) fn open_immutable(path: &Path, schema: &Schema) -> Result<Connection, StoreError> {
    let mut address = String::from(if cfg!(windows) { "file:///" } else { "file:" });
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => address.push('/'),
            b'/' | b':' | b'-' | b'.' | b'_' => address.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => address.push(char::from(*byte)),
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address.push_str("?immutable=1");
    open_reader_at(path, Path::new(&address), OpenFlags::SQLITE_OPEN_URI, schema)
}

fn open_reader_at(path: &Path, address: &Path, more: OpenFlags, schema: &Schema) -> Result<Connection, StoreError> {
    let attempt = || {
        check_library()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
        let connection = Connection::open_with_flags(address, flags)?;
        harden(&connection)?;
        let found = check_format(&connection, path, schema)?;
        if found != schema.newest() {
            return Err(StoreError::Older { path: path.to_owned(), found, known: schema.newest() });
        }
        make_reader(&connection)?;
        Ok(connection)
    };
    attempt().map_err(|error: StoreError| error.at(path))
}

/// Opens an existing file of any released format for reading.
///
/// # Errors
/// The refusals of [`open`].
pub(crate) fn open_any(path: &Path, schema: &Schema) -> Result<Connection, StoreError> {
    let attempt = || {
        let connection =
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        harden(&connection)?;
        if check_format(&connection, path, schema)? == 0 {
            return Err(StoreError::Damaged { path: path.to_owned(), reason: "the file is empty".to_owned() });
        }
        make_reader(&connection)?;
        Ok(connection)
    };
    attempt().map_err(|error: StoreError| error.at(path))
}

fn make_reader(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    Ok(())
}

/// Closes a written file before it is renamed: all data is in the main file, without companions.
pub(crate) fn close_checkpointed(connection: Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// An in-memory database that ends with the connection.
pub(crate) fn open_in_memory(schema: &Schema) -> Result<Connection, StoreError> {
    check_library()?;
    let mut connection = Connection::open_in_memory()?;
    harden(&connection)?;
    migration::migrate(&mut connection, schema)?;
    Ok(connection)
}

fn check_library() -> Result<(), StoreError> {
    if rusqlite::version_number() < MIN_SQLITE_VERSION {
        return Err(StoreError::OldLibrary(rusqlite::version()));
    }
    Ok(())
}

/// Settings that write nothing: a file may come from anywhere, and its schema must not execute code.
fn harden(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // Otherwise a value could decide whether a partial index is used, so SQLite would compile a statement on a table
    // with such an index again whenever values are bound.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

/// The file's format, 0 for a new file.
fn check_format(connection: &Connection, path: &Path, schema: &Schema) -> Result<i32, StoreError> {
    // One transaction for all three: another process may be creating the file.
    let connection = connection.unchecked_transaction()?;
    let application_id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let refusal = if application_id == 0 && found == 0 && tables == 0 {
        return Ok(0);
    } else if application_id != schema.application_id {
        StoreError::Foreign(path.to_owned())
    } else if found > schema.newest() {
        StoreError::Newer { path: path.to_owned(), found, known: schema.newest() }
    } else if found < schema.first {
        StoreError::Older { path: path.to_owned(), found, known: schema.newest() }
    } else {
        return Ok(found);
    };
    // Without this, the last connection to close would checkpoint the WAL and so change the file.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Err(refusal)
}

/// Settings of a writer, which are per connection; all are read back, because SQLite ignores unsupported ones.
fn configure_writer(connection: &Connection, path: &Path, schema: &Schema) -> Result<(), StoreError> {
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", schema.synchronous as i32)?;
    connection.pragma_update(None, "wal_autocheckpoint", schema.checkpoint_pages)?;
    // Deleted content is also overwritten in the file.
    connection.pragma_update_and_check(None, "secure_delete", schema.synchronous == Synchronous::Full, |_| Ok(()))?;
    // A burst extends the WAL; the next checkpoint truncates it.
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    // macOS only: there, an ordinary fsync leaves data in the disk's cache.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    let synchronous = (schema.synchronous as i32).to_string();
    for (setting, wanted) in [
        ("journal_mode", "wal"),
        ("synchronous", synchronous.as_str()),
        ("trusted_schema", "0"),
        ("cell_size_check", "1"),
        ("foreign_keys", "1"),
        ("fullfsync", "1"),
    ] {
        let found: rusqlite::types::Value = connection.pragma_query_value(None, setting, |row| row.get(0))?;
        let found = match found {
            rusqlite::types::Value::Integer(number) => number.to_string(),
            rusqlite::types::Value::Text(text) => text,
            other => format!("{other:?}"),
        };
        if found != wanted {
            return Err(StoreError::Setting { path: path.to_owned(), setting, found, wanted: wanted.to_owned() });
        }
    }
    Ok(())
}
