//! Who has stopped marketing messages, under all identifiers of a person.

use std::collections::HashMap;

use command_types::conversations::MarketingStop;
use command_types::error::Result;
use outgoing::recipient::spellings;
use store::desk::{MarketingPreference, MarketingSource};

use crate::context::Context;

/// The people who have stopped marketing messages, by each spelling of their identifiers: of those asked about, or all.
pub(crate) async fn marketing_stops(
    context: &Context,
    workspace: &str,
    asked: Option<&[String]>,
) -> Result<HashMap<String, MarketingStop>> {
    let asked = match asked {
        Some(ids) => Some(everyone(context, workspace, ids.to_vec()).await.into_values().flatten().collect::<Vec<_>>()),
        None => None,
    };
    let mut people: HashMap<String, Vec<MarketingPreference>> = HashMap::new();
    for preference in context.desk.marketing_preferences(workspace, asked.as_deref()).await? {
        people.entry(preference.person.clone()).or_default().push(preference);
    }
    // What one identifier says about a person is about all of them.
    let of_person = everyone(context, workspace, people.keys().cloned().collect()).await;
    let mut stops = HashMap::new();
    for (id, spellings) in of_person {
        let all: Vec<_> = spellings.iter().filter_map(|id| people.get(id)).flatten().collect();
        let Some(stop) = stop_of(&all) else { continue };
        stops.extend(spellings.into_iter().chain([id]).map(|id| (id, stop.clone())));
    }
    Ok(stops)
}

/// Each identifier with all spellings of all identifiers of its person. Where the cache cannot be read, a person has no
/// other identifiers: who stopped marketing does not depend on it.
async fn everyone(context: &Context, workspace: &str, ids: Vec<String>) -> HashMap<String, Vec<String>> {
    let known = context.cache.identities(workspace, ids.clone()).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "identifiers of people cannot be read");
        ids.into_iter().map(|id| (id.clone(), vec![id])).collect()
    });
    known.into_iter().map(|(id, all)| (id, spellings(&all))).collect()
}

/// A note lasts until a person here takes it back; otherwise the person's latest choice counts. A failure also ends with
/// a later note: not every provider reports that the person resumed.
fn stop_of(preferences: &[&MarketingPreference]) -> Option<MarketingStop> {
    let latest = |noted: bool| {
        let of_source = preferences.iter().filter(|it| (it.source == MarketingSource::Note) == noted);
        of_source.max_by_key(|it| (it.at, !it.is_stopped)).copied()
    };
    let (note, choice) = (latest(true), latest(false));
    let allowed_at = note.filter(|note| !note.is_stopped).map(|note| note.at);
    let choice = choice.filter(|choice| {
        choice.is_stopped && (choice.source != MarketingSource::Failure || allowed_at.is_none_or(|at| at < choice.at))
    });
    let stop = note.filter(|note| note.is_stopped).or(choice)?;
    Some(MarketingStop { since: stop.at, source: stop.source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_taken_back_by_whoever_made_it() {
        use MarketingSource::{Failure, Note, Preference};
        let stopped = |all: &[(MarketingSource, bool, i64)]| {
            let stored = all.iter().map(|(source, is_stopped, at)| MarketingPreference {
                workspace_id: "w".to_owned(),
                person: "55".to_owned(),
                source: *source,
                is_stopped: *is_stopped,
                at: *at,
            });
            let stored: Vec<_> = stored.collect();
            stop_of(&stored.iter().collect::<Vec<_>>()).map(|stop| (stop.source, stop.since))
        };
        assert_eq!(stopped(&[]), None);
        assert_eq!(stopped(&[(Preference, true, 1)]), Some((Preference, 1)));
        assert_eq!(stopped(&[(Preference, false, 2)]), None);
        assert_eq!(stopped(&[(Failure, true, 1), (Preference, false, 2)]), None, "the person resumed after a failure");
        assert_eq!(stopped(&[(Failure, true, 3), (Preference, false, 2)]), Some((Failure, 3)));
        assert_eq!(stopped(&[(Note, true, 1), (Preference, false, 2)]), Some((Note, 1)), "only a person here resumes");
        assert_eq!(stopped(&[(Note, false, 9), (Preference, true, 2)]), Some((Preference, 2)));
        assert_eq!(stopped(&[(Note, false, 9), (Failure, true, 2)]), None);
        assert_eq!(stopped(&[(Note, false, 1), (Failure, true, 2)]), Some((Failure, 2)), "it failed again");
    }
}
