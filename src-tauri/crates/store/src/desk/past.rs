//! Records of the past: what a provider says that was sent and made from here before this file existed. Only the
//! sandbox does.

use rusqlite::{Connection, params};

use super::{Batch, Desk, Draft, PlannedRow, ReadMark, Recipient, Submission, TestSend, Version};
use crate::StoreError;

/// Records of the past, except sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// Batches with their rows. The rows follow their sends, which are recorded afterwards.
    pub batches: Vec<(Batch, Vec<PlannedRow>)>,
    /// Creations and edits of templates.
    pub submissions: Vec<Submission>,
    /// Versions of templates.
    pub versions: Vec<Version>,
    /// Templates that are not submitted yet.
    pub drafts: Vec<Draft>,
    /// Entries of the address book.
    pub recipients: Vec<Recipient>,
    /// How far conversations were read.
    pub read_marks: Vec<ReadMark>,
}

impl Desk {
    /// Records the past in one transaction. A record whose identifier is known already stays as it is.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn record_past(&self, past: Past) -> Result<(), StoreError> {
        self.database.write(move |c| record(c, &past)).await
    }

    /// Records sends of the past in one transaction. A send whose identifier or tracking id is known already stays as
    /// it is. Statuses may have arrived before; pass them to [`Desk::store_outcomes`] afterwards.
    ///
    /// # Errors
    /// [`StoreError`] when they cannot be written; then none is stored.
    pub async fn record_past_sends(&self, sends: Vec<TestSend>) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                let mut insert = c.prepare_cached(
                    "INSERT INTO send
                       (id, workspace_id, number, recipient, template_name, language, template_ref, payload,
                        tracking_id, state, message_id, response_status, response_body, created_at, answered_at,
                        kind, request, url, batch_id, batch_row, category)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
                        ?21)
                     ON CONFLICT DO NOTHING",
                )?;
                for send in sends {
                    let (batch, row) = send.batch.unzip();
                    insert.execute(params![
                        send.id,
                        send.workspace_id,
                        send.number,
                        send.recipient,
                        send.template_name,
                        send.language,
                        send.template_ref,
                        send.payload,
                        send.tracking_id,
                        send.state,
                        send.message_id,
                        send.response_status,
                        send.response_body,
                        send.created_at,
                        send.answered_at,
                        send.kind,
                        send.request,
                        send.url,
                        batch,
                        row,
                        send.category
                    ])?;
                }
                Ok(())
            })
            .await
    }
}

fn record(c: &Connection, past: &Past) -> Result<(), StoreError> {
    for (batch, rows) in &past.batches {
        c.prepare_cached(
            "INSERT INTO batch (id, workspace_id, number, template_ref, template_name, language, source, request,
               state, total, created_at, started_at, ended_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            batch.id,
            batch.workspace_id,
            batch.number,
            batch.template_ref,
            batch.template_name,
            batch.language,
            batch.source,
            batch.request,
            batch.state,
            batch.total,
            batch.created_at,
            batch.started_at,
            batch.ended_at
        ])?;
        let mut insert = c.prepare_cached(
            "INSERT INTO batch_row (batch_id, row, recipient, name, filled, problem, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, iif(?6 IS NULL, 'planned', 'skipped')) ON CONFLICT DO NOTHING",
        )?;
        for row in rows {
            insert.execute(params![batch.id, row.row, row.recipient, row.name, row.filled, row.problem])?;
        }
    }
    for submission in &past.submissions {
        c.prepare_cached(
            "INSERT INTO submission (id, workspace_id, template_ref, waba, kind, request, state, response_status,
               response_body, created_at, answered_at, status_before)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            submission.id,
            submission.workspace_id,
            submission.template_ref,
            submission.waba,
            submission.kind,
            submission.request,
            submission.state,
            submission.response_status,
            submission.response_body,
            submission.created_at,
            submission.answered_at,
            submission.status_before
        ])?;
    }
    for version in &past.versions {
        c.prepare_cached(
            "INSERT INTO version (id, workspace_id, template_ref, at, origin, document)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            version.id,
            version.workspace_id,
            version.template_ref,
            version.at,
            version.origin,
            version.document
        ])?;
    }
    for draft in &past.drafts {
        c.prepare_cached(
            "INSERT INTO draft (id, workspace_id, name, language, document, template_ref, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            draft.id,
            draft.workspace_id,
            draft.name,
            draft.language,
            draft.document,
            draft.template_ref,
            draft.created_at,
            draft.updated_at
        ])?;
    }
    for recipient in &past.recipients {
        c.prepare_cached(
            "INSERT INTO recipient (id, workspace_id, name, number, labels, note, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            recipient.id,
            recipient.workspace_id,
            recipient.name,
            recipient.number,
            recipient.labels,
            recipient.note,
            recipient.created_at,
            recipient.updated_at
        ])?;
    }
    for mark in &past.read_marks {
        c.prepare_cached(
            "INSERT INTO read_mark (workspace_id, contact, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?
        .execute(params![mark.workspace_id, mark.contact, mark.at])?;
    }
    Ok(())
}
