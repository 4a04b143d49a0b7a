//! Submissions of drafts to the review, one row per request.

use rusqlite::{Connection, Row, params};

use super::{Answer, CallState, Desk, SubmissionKind};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, to_json};

/// A request to create or edit a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    pub id: String,
    pub workspace_id: String,
    /// Its draft, while that exists.
    pub draft_id: Option<String>,
    /// The edited template, or the created one once it is known.
    pub template_ref: Option<String>,
    /// The WABA of the request, or several separated by commas.
    pub waba: String,
    pub kind: SubmissionKind,
    /// The request as sent.
    pub request: String,
    pub state: CallState,
    pub response_status: Option<u16>,
    /// Response body as received.
    pub response_body: Option<String>,
    /// The failure as JSON.
    pub error: Option<String>,
    /// When it was recorded.
    pub created_at: i64,
    /// When the response arrived.
    pub answered_at: Option<i64>,
    /// Status of the template when an edit of it was sent; absent if unknown or not recorded.
    pub status_before: Option<String>,
    /// The media that were sent with it, as JSON; absent if there were none.
    pub files: Option<String>,
}

impl Desk {
    /// Records a submission before its request is sent.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then it must not be sent.
    pub async fn record_submission(&self, submission: Submission) -> Result<(), StoreError> {
        self.database.write(move |c| insert(c, &submission, "")).await
    }

    /// Records the response, and the template if it names one. Returns whether the submission exists.
    pub async fn finish_submission(
        &self,
        id: &str,
        answer: Answer,
        template_ref: Option<String>,
    ) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let changed = c
                    .prepare_cached(
                        "UPDATE submission SET state = ?2, response_status = ?3, response_body = ?4, error = ?5,
                           answered_at = ?6, template_ref = coalesce(?7, template_ref) WHERE id = ?1",
                    )?
                    .execute(params![
                        id,
                        answer.state,
                        answer.status,
                        answer.body,
                        answer.error,
                        answer.at,
                        template_ref
                    ])?;
                Ok(changed > 0)
            })
            .await
    }

    pub async fn submission(&self, id: &str) -> Result<Option<Submission>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| first(c, "SELECT * FROM submission WHERE id = ?1", [id], submission)).await
    }

    /// The submissions of a workspace, newest first.
    pub async fn submissions(&self, workspace_id: &str, limit: u32) -> Result<Vec<Submission>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM submission WHERE workspace_id = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2";
                all(c, sql, (workspace_id, limit), submission)
            })
            .await
    }

    /// The last submission of a workspace that created a template in one of these accounts, and those of the same draft.
    pub async fn last_creation(&self, workspace_id: &str, wabas: &[String]) -> Result<Vec<Submission>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(wabas)?);
        self.database
            .read(move |c| {
                let sql =
                    "WITH last AS (SELECT id, draft_id FROM submission WHERE workspace_id = ?1 AND kind = 'create'
                             AND waba IN (SELECT value FROM json_each(?2)) ORDER BY created_at DESC, id DESC LIMIT 1)
                           SELECT submission.* FROM last JOIN submission
                             ON submission.id = last.id OR submission.draft_id = last.draft_id
                           WHERE kind = 'create' AND waba IN (SELECT value FROM json_each(?2))";
                all(c, sql, key, submission)
            })
            .await
    }

    /// The submissions of a draft, oldest first.
    pub async fn submissions_of_draft(&self, draft_id: &str) -> Result<Vec<Submission>, StoreError> {
        let draft_id = draft_id.to_owned();
        self.database
            .read(move |c| {
                all(c, "SELECT * FROM submission WHERE draft_id = ?1 ORDER BY created_at, id", [draft_id], submission)
            })
            .await
    }

    /// The newest submissions of a workspace since an instant with an unknown outcome.
    pub async fn unknown_submissions(
        &self,
        workspace_id: &str,
        since: i64,
        limit: u32,
    ) -> Result<Vec<Submission>, StoreError> {
        let key = (workspace_id.to_owned(), since, limit);
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM submission WHERE workspace_id = ?1 AND created_at >= ?2 AND state = 'unknown'
                           ORDER BY created_at DESC, id DESC LIMIT ?3";
                all(c, sql, key, submission)
            })
            .await
    }

    /// The submissions of a template, newest first.
    pub async fn submissions_of_template(
        &self,
        workspace_id: &str,
        template_ref: &str,
        limit: u32,
    ) -> Result<Vec<Submission>, StoreError> {
        let key = (workspace_id.to_owned(), template_ref.to_owned(), limit);
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM submission WHERE workspace_id = ?1 AND template_ref = ?2
                           ORDER BY created_at DESC LIMIT ?3";
                all(c, sql, key, submission)
            })
            .await
    }
}

/// Adds a submission, with an `ON CONFLICT` clause or an empty text.
pub(super) fn insert(c: &Connection, submission: &Submission, on_conflict: &str) -> Result<(), StoreError> {
    insert_row!(c, "submission" => submission {
        id, workspace_id, draft_id, template_ref, waba, kind, request, state, response_status, response_body, error,
        created_at, answered_at, status_before, files,
    }, on_conflict)?;
    Ok(())
}

pub(super) fn submission(row: &Row<'_>) -> rusqlite::Result<Submission> {
    from_row!(row => Submission {
        id, workspace_id, draft_id, template_ref, waba, kind, request, state, response_status, response_body, error,
        created_at, answered_at, status_before, files,
    })
}
