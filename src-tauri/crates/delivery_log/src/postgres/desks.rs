//! The desks that may read the log.

use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::Reader;
use super::connection::Value;
use crate::access::{Access, TokenHash};
use crate::error::LogError;

const COLUMNS: &str = "SELECT name, token_hash, endpoints, created_at FROM template_desk.desk";
const ADD: &str = "
    INSERT INTO template_desk.desk (name, token_hash, endpoints, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, endpoints = excluded.endpoints,
      created_at = excluded.created_at
    RETURNING name";
/// Waits for no standby: the others need the connection.
const POSITION: &str = "
    WITH setting AS (SELECT set_config('synchronous_commit', 'local', true) AS value)
    UPDATE template_desk.desk SET read_to = $2, read_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    FROM setting WHERE name = $1 AND setting.value <> '' RETURNING name";

impl Reader {
    /// The desk that a token was made for.
    pub(crate) async fn desk_of(&self, hash: &TokenHash) -> Result<Option<Access>, LogError> {
        let sql = format!("{COLUMNS} WHERE token_hash = $1");
        Ok(self.access(&sql, &[(&hash.0, Type::TEXT)]).await?.first().and_then(desk))
    }

    pub(crate) async fn desks(&self) -> Result<Vec<Access>, LogError> {
        let sql = format!("{COLUMNS} ORDER BY name");
        Ok(self.access(&sql, &[]).await?.iter().filter_map(desk).collect())
    }

    pub(crate) async fn add_desk(&self, desk: Access) -> Result<(), LogError> {
        let endpoints = serde_json::to_string(&desk.endpoints).map_err(|error| LogError::Access(error.to_string()))?;
        let values: [Value<'_>; 4] = [
            (&desk.name, Type::TEXT),
            (&desk.hash.0, Type::TEXT),
            (&endpoints, Type::TEXT),
            (&desk.created_at, Type::INT8),
        ];
        self.access(ADD, &values).await?;
        Ok(())
    }

    pub(crate) async fn revoke_desk(&self, name: &str) -> Result<bool, LogError> {
        let sql = "DELETE FROM template_desk.desk WHERE name = $1 RETURNING name";
        Ok(!self.access(sql, &[(&name, Type::TEXT)]).await?.is_empty())
    }

    pub(crate) async fn record_position(&self, desk: &str, seq: i64) -> Result<(), LogError> {
        self.access(POSITION, &[(&desk, Type::TEXT), (&seq, Type::INT8)]).await?;
        Ok(())
    }
}

fn desk(row: &Row) -> Option<Access> {
    // A list that cannot be read must not become access to every endpoint.
    let endpoints = serde_json::from_str(row.get(2)).ok()?;
    Some(Access { name: row.get(0), hash: TokenHash(row.get(1)), endpoints, created_at: row.get(3) })
}
