//! Whom webhooks lately showed to have got a template, and who wrote.

use super::Cache;
use super::item::position_id;
use super::record::MOMENT_BITS;
use crate::StoreError;
use crate::rows::{all, first, from_row, scalar};

/// A person that a webhook named, and the number of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonSeen {
    pub number: String,
    /// As the webhook names the person.
    pub person: String,
    /// When, in Unix milliseconds.
    pub at: i64,
}

const OLDEST_BLOCK: &str = "SELECT block FROM moment WHERE last_at >= ?1 ORDER BY block LIMIT 1";

/// Statuses of messages whose price says that they are templates. SQLite may read all shared texts before the messages, and
/// not all of them are JSON.
const WRITTEN_TO: &str = "SELECT class.number_id AS number, person.name AS person, max(m.first_at) AS at
    FROM class JOIN item_row i ON i.class = class.id AND i.id >= ?2
      JOIN message_row m ON m.id = i.message JOIN person ON person.id = m.recipient
      JOIN shared_text v ON v.id = m.pricing
    WHERE class.route = ?1 AND class.kind = 'status' AND m.first_at > ?3 AND class.status <> 'failed'
      AND lower(CASE WHEN json_valid(v.value) THEN json_extract(v.value, '$.category') END) IN ('marketing',
        'marketing_lite', 'utility', 'authentication', 'authentication_international')
    GROUP BY class.number_id, m.recipient";

const WROTE: &str = "SELECT class.number_id AS number, inbound.contact AS person, inbound.at
    FROM class JOIN item_row i ON i.class = class.id AND i.id >= ?2 JOIN person ON person.id = i.contact
      JOIN inbound ON inbound.route = ?1 AND inbound.contact = person.name AND inbound.at > ?3
    WHERE class.route = ?1 AND class.kind = 'message'
    GROUP BY class.number_id, inbound.contact, inbound.at";

impl Cache {
    /// People to whom templates went after `since`, as far as statuses said so.
    pub async fn people_written_to(&self, route: &str, since: i64) -> Result<Vec<PersonSeen>, StoreError> {
        self.people_seen(WRITTEN_TO, route, since).await
    }

    /// Each message that people wrote after `since`.
    pub async fn people_who_wrote(&self, route: &str, since: i64) -> Result<Vec<PersonSeen>, StoreError> {
        self.people_seen(WROTE, route, since).await
    }

    async fn people_seen(&self, sql: &'static str, route: &str, since: i64) -> Result<Vec<PersonSeen>, StoreError> {
        let route = route.to_owned();
        self.database
            .read(move |c| {
                let Some(block) = first(c, OLDEST_BLOCK, [since], scalar::<i64>)? else { return Ok(Vec::new()) };
                let from = position_id(block << MOMENT_BITS, 0);
                all(c, sql, (route, from, since), |row| from_row!(row => PersonSeen { number, person, at }))
            })
            .await
    }
}
