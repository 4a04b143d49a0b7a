//! Submissions and review results of a workspace. Names and words are stored once and referred to by index.

use std::collections::HashMap;

use rusqlite::{Connection, Row};

use super::Desk;
use crate::StoreError;

/// A submission that was not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubmissionFact {
    /// When it was sent.
    pub at: i64,
    /// Whether it created the template.
    pub creates: bool,
    /// Index into the templates.
    pub template: usize,
    /// Requested category in lower case, as index into the words.
    pub category: Option<usize>,
    /// Identifiers of the WABAs it was sent for, separated by commas, as index into the words.
    pub wabas: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewResult {
    /// The review started.
    Pending,
    Approved,
    Rejected,
    /// Paused, flagged or similar: an earlier review approved it, and the next approval decides none.
    InUse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewFact {
    /// When it was reported.
    pub at: i64,
    pub word: ReviewResult,
    /// Index into the templates.
    pub template: usize,
    /// Reason of a rejection, as index into the words.
    pub reason: Option<usize>,
    /// The WABA that decided it, as index into the words; `None` if the event names none.
    pub waba: Option<usize>,
}

/// Submissions and review results of a workspace.
#[derive(Clone, Debug, Default)]
pub struct ReviewFacts {
    /// Names and languages of templates, as reported.
    pub templates: Vec<(String, String)>,
    /// Categories, reasons and WABAs.
    pub words: Vec<String>,
    /// Submissions from here that were not refused, oldest first.
    pub submitted: Vec<SubmissionFact>,
    /// Review results reported by webhooks, oldest first.
    pub results: Vec<ReviewFact>,
    /// Indexes of templates, by name and language.
    template_places: HashMap<String, Vec<usize>>,
    word_places: HashMap<String, usize>,
}

impl ReviewFacts {
    /// Adds a submission of a template, named by name and language. WABAs are separated by commas.
    pub fn add_submission(
        &mut self,
        at: i64,
        creates: bool,
        template: (&str, &str),
        category: Option<&str>,
        wabas: Option<&str>,
    ) {
        let template = self.template(template);
        let category = category.map(|category| self.word(&category.to_lowercase()));
        let wabas = wabas.map(|wabas| self.word(wabas));
        self.submitted.push(SubmissionFact { at, creates, template, category, wabas });
    }

    /// Adds a reported result of a template, named by name and language.
    pub fn add_result(
        &mut self,
        at: i64,
        word: ReviewResult,
        template: (&str, &str),
        reason: Option<&str>,
        waba: Option<&str>,
    ) {
        let template = self.template(template);
        let [reason, waba] = [reason, waba].map(|known| known.map(|known| self.word(known)));
        self.results.push(ReviewFact { at, word, template, reason, waba });
    }

    fn template(&mut self, (name, language): (&str, &str)) -> usize {
        let new = self.templates.len();
        match self.template_places.get_mut(name) {
            Some(places) => match places.iter().find(|place| self.templates[**place].1 == language) {
                Some(place) => return *place,
                None => places.push(new),
            },
            None => drop(self.template_places.insert(name.to_owned(), vec![new])),
        }
        self.templates.push((name.to_owned(), language.to_owned()));
        new
    }

    fn word(&mut self, word: &str) -> usize {
        if let Some(place) = self.word_places.get(word) {
            return *place;
        }
        self.word_places.insert(word.to_owned(), self.words.len());
        self.words.push(word.to_owned());
        self.words.len() - 1
    }
}

const SUBMITTED: &str = "SELECT created_at, kind,
      CASE WHEN json_valid(request) THEN json_extract(request, '$.name') END,
      CASE WHEN json_valid(request) THEN json_extract(request, '$.language') END,
      CASE WHEN json_valid(request) THEN json_extract(request, '$.category') END, waba
    FROM submission WHERE workspace_id = ?1 AND created_at >= ?2 AND state IN ('accepted', 'unknown')
    ORDER BY created_at";
const REVIEWED: &str = "SELECT at, event, template_name, language, reason, waba FROM template_event
    WHERE workspace_id = ?1 AND at >= ?2 AND event IN
      ('PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED', 'FLAGGED', 'REINSTATED') ORDER BY at";

impl Desk {
    /// Submissions and review results since an instant.
    pub async fn review_facts(&self, workspace_id: &str, since: i64) -> Result<ReviewFacts, StoreError> {
        let key = (workspace_id.to_owned(), since);
        self.database
            .read(move |c| {
                let mut facts = ReviewFacts::default();
                each(c, SUBMITTED, &key, |row| {
                    let template = (text(row, 2)?.unwrap_or_default(), text(row, 3)?.unwrap_or_default());
                    facts.add_submission(
                        row.get(0)?,
                        text(row, 1)? == Some("create"),
                        template,
                        text(row, 4)?,
                        text(row, 5)?,
                    );
                    Ok(())
                })?;
                each(c, REVIEWED, &key, |row| {
                    let word = match text(row, 1)? {
                        Some("APPROVED") => ReviewResult::Approved,
                        Some("REJECTED") => ReviewResult::Rejected,
                        Some("PENDING") => ReviewResult::Pending,
                        _ => ReviewResult::InUse,
                    };
                    let template = (text(row, 2)?.unwrap_or_default(), text(row, 3)?.unwrap_or_default());
                    facts.add_result(row.get(0)?, word, template, text(row, 4)?, text(row, 5)?);
                    Ok(())
                })?;
                Ok(facts)
            })
            .await
    }
}

/// Visits rows one by one: there may be a million.
fn each(
    c: &Connection,
    sql: &str,
    (workspace_id, since): &(String, i64),
    mut look: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
) -> Result<(), StoreError> {
    let mut statement = c.prepare_cached(sql)?;
    let mut rows = statement.query((workspace_id, since))?;
    while let Some(row) = rows.next()? {
        look(row)?;
    }
    Ok(())
}

/// A text column without a copy; `None` for other types.
fn text<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<Option<&'a str>> {
    Ok(row.get_ref(column)?.as_str_or_null().ok().flatten())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::connection::open_in_memory;

    #[test]
    fn names_and_reasons_are_stored_once() {
        let mut facts = ReviewFacts::default();
        facts.add_submission(1, true, ("a", "en"), Some("UTILITY"), Some("7"));
        facts.add_submission(2, false, ("a", "es"), Some("utility"), None);
        facts.add_result(3, ReviewResult::Rejected, ("a", "en"), Some("SCAM"), Some("7"));
        facts.add_result(4, ReviewResult::Approved, ("b", "en"), None, None);
        let names: Vec<_> = facts.templates.iter().map(|(name, language)| (name.as_str(), language.as_str())).collect();
        assert_eq!(names, [("a", "en"), ("a", "es"), ("b", "en")]);
        assert_eq!(facts.words, ["utility", "7", "SCAM"]);
        let submitted: Vec<_> = facts.submitted.iter().map(|fact| (fact.template, fact.category, fact.wabas)).collect();
        assert_eq!(submitted, [(0, Some(0), Some(1)), (1, Some(0), None)]);
        assert_eq!(
            facts.results.iter().map(|fact| (fact.template, fact.reason, fact.waba)).collect::<Vec<_>>(),
            [(0, Some(2), Some(1)), (2, None, None)]
        );
    }

    /// Each statement reads only the rows in its index range.
    #[test]
    fn reviews_are_read_by_index() {
        let c = open_in_memory(&super::super::SCHEMA).unwrap();
        let plan = |sql: &str| -> String {
            let mut statement = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let rows = statement.query_map(("w", 1), |row| row.get::<_, String>("detail")).unwrap();
            rows.map(Result::unwrap).collect::<Vec<_>>().join("; ")
        };
        let (submitted, reviewed) = (plan(SUBMITTED), plan(REVIEWED));
        assert!(submitted.contains("INDEX submission_newest (workspace_id=? AND created_at>?"), "{submitted}");
        assert!(reviewed.contains("COVERING INDEX template_event_review"), "{reviewed}");
        assert!(!submitted.contains("TEMP B-TREE") && !reviewed.contains("TEMP B-TREE"), "{submitted}; {reviewed}");
    }
}
