//! The people of a batch under all their identifiers. Reading those takes longer than all checks of values.

use std::collections::HashMap;

use crate::context::Context;
use crate::opt_outs::everyone;

/// People, each with all spellings of all identifiers.
#[derive(Debug)]
pub(super) struct People {
    of_person: HashMap<String, Vec<String>>,
    all: Vec<String>,
}

impl People {
    pub(super) async fn read(context: &Context, workspace: &str, ids: Vec<String>) -> Self {
        let of_person = everyone(context, workspace, ids).await;
        let all = of_person.values().flatten().cloned().collect();
        Self { of_person, all }
    }

    /// The spellings of all of them.
    pub(super) fn spellings(&self) -> &[String] {
        &self.all
    }

    /// The spellings of one of them.
    pub(super) fn spellings_of(&self, id: &str) -> &[String] {
        self.of_person.get(id).map(Vec::as_slice).unwrap_or_default()
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
        let of_person = |(id, spellings): (&String, &Vec<String>)| {
            let found = spellings.iter().filter_map(|spelling| known.get(spelling)).max_by_key(|of| key(of))?;
            Some((id.clone(), found.clone()))
        };
        self.of_person.iter().filter_map(of_person).collect()
    }
}
