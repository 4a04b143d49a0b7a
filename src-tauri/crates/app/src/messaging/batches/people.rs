//! The people of a batch under all their identifiers. Reading those takes longer than all checks of values.

use std::collections::HashMap;
use std::ops::Range;

use super::checked_row::Checked;
use crate::context::Context;
use crate::messaging::Messaging;
use crate::messaging::recipients::may_be_unreachable;
use crate::opt_outs::everyone;

/// People, each with all spellings of all identifiers.
#[derive(Debug)]
pub(super) struct People {
    /// Where the spellings of each are in `all`.
    of_person: HashMap<String, Range<usize>>,
    all: Vec<String>,
}

impl People {
    pub(super) async fn read(context: &Context, workspace: &str, ids: Vec<String>) -> Self {
        let mut all = Vec::new();
        let with_range = |(id, spellings): (String, Vec<String>)| {
            let start = all.len();
            all.extend(spellings);
            (id, start..all.len())
        };
        let of_person = everyone(context, workspace, ids).await.into_iter().map(with_range).collect();
        Self { of_person, all }
    }

    /// The spellings of all of them.
    pub(super) fn spellings(&self) -> &[String] {
        &self.all
    }

    /// The spellings of one of them.
    pub(super) fn spellings_of(&self, id: &str) -> &[String] {
        self.of_person.get(id).and_then(|range| self.all.get(range.clone())).unwrap_or_default()
    }

    /// The greatest of what is known of each person's spellings, by the identifiers that were asked about.
    pub(super) fn greatest<T: Clone, K: Ord>(
        &self,
        known: &HashMap<String, T>,
        key: impl Fn(&T) -> K,
    ) -> HashMap<String, T> {
        if known.is_empty() {
            return HashMap::new();
        }
        let of_person = |id: &String| {
            let found =
                self.spellings_of(id).iter().filter_map(|spelling| known.get(spelling)).max_by_key(|of| key(of))?;
            Some((id.clone(), found.clone()))
        };
        self.of_person.keys().filter_map(of_person).collect()
    }
}

impl Messaging {
    /// As [`Self::allow_known`] for the rows of a batch.
    pub(super) async fn allow_known_rows(&self, workspace: &str, people: &People, rows: &mut [Checked]) {
        let is_unsure = |row: &&Checked| row.problems.iter().any(may_be_unreachable);
        let unsure = rows.iter().filter(is_unsure).flat_map(|row| people.spellings_of(&row.recipient));
        let wrote = self.who_wrote(workspace, &unsure.cloned().collect::<Vec<_>>()).await;
        if wrote.is_empty() {
            return;
        }
        for row in rows {
            if people.spellings_of(&row.recipient).iter().any(|spelling| wrote.contains(spelling)) {
                row.problems.retain(|problem| !may_be_unreachable(problem));
            }
        }
    }
}
