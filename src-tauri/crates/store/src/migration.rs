//! From any released format to the newest, all or nothing.

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;
use crate::connection::Schema;

/// Runs every pending step in one transaction, the format number with them: a file is in the old format or in the
/// newest, never between.
pub(crate) fn migrate(connection: &mut Connection, schema: &Schema) -> Result<(), StoreError> {
    let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found == schema.newest() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again inside: another process may have migrated meanwhile.
    let found: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for (version, step) in (schema.first..).zip(schema.steps) {
        if version > found {
            transaction.execute_batch(step)?;
        }
    }
    transaction.pragma_update(None, "application_id", schema.application_id)?;
    transaction.pragma_update(None, "user_version", schema.newest())?;
    transaction.commit()?;
    Ok(())
}
