//! Names of people by their numbers: the same in sends, in the address book and in conversations.

use std::collections::{BTreeSet, HashMap};

use store::desk::Recipient;
use store::fold;

use crate::context::Context;
use command_types::error::Result;
use outgoing::recipient::spellings;

/// All notations of several identifiers, each once.
pub(crate) fn all_spellings<'a>(ids: impl IntoIterator<Item = &'a String>) -> BTreeSet<String> {
    spellings(ids).into_iter().collect()
}

/// Names by the numbers of the request: in the address book, else in the newest file of a batch that was sent to them,
/// else the profile name. Each of them may have the number in its other notation. Numbers without a name are left out.
pub(crate) async fn names(context: &Context, workspace: &str, numbers: &[String]) -> Result<HashMap<String, String>> {
    let identities = context.cache.identities(workspace, numbers.to_vec()).await?;
    // A person who has another number or a user id is named by any of these.
    let spellings_of =
        |number: &String| spellings(identities.get(number).map_or(std::slice::from_ref(number), Vec::as_slice));
    let mut all: Vec<String> = numbers.iter().flat_map(spellings_of).collect();
    all.sort();
    all.dedup();
    let book: HashMap<String, String> = context.desk.recipient_names(workspace, &all).await?.into_iter().collect();
    let files: HashMap<String, String> = context.desk.batch_names(workspace, &all).await?.into_iter().collect();
    let profiles: HashMap<String, String> = context.cache.contact_names(workspace, &all).await?.into_iter().collect();
    let name = |number: &String| {
        let spellings = spellings_of(number);
        let known = [&book, &files, &profiles];
        let known = known.into_iter().flat_map(|names| spellings.iter().filter_map(|key| names.get(key)));
        let name = known.into_iter().find(|name| !name.trim().is_empty())?;
        Some((number.clone(), name.clone()))
    };
    Ok(numbers.iter().filter_map(name).collect())
}

/// Maximum number of people of the address book, and of recipients of batches, that a search for a name finds.
pub(crate) const MAX_NAMED: usize = 200;

/// Numbers by their name in the address book or in the files of batches.
pub(crate) async fn people_named(context: &Context, workspace: &str, search: &str) -> Result<Vec<String>> {
    people_with(context, workspace, search, |person| person.name).await
}

/// Numbers by their name, or by the note about them or their labels in the address book.
pub(crate) async fn people_noted(context: &Context, workspace: &str, search: &str) -> Result<Vec<String>> {
    people_with(context, workspace, search, |person| {
        let labels: Vec<String> = serde_json::from_str(&person.labels).unwrap_or_default();
        [vec![person.name, person.note], labels].concat().join("\n")
    })
    .await
}

async fn people_with(
    context: &Context,
    workspace: &str,
    search: &str,
    words_of: fn(Recipient) -> String,
) -> Result<Vec<String>> {
    let people = context.desk.recipients(workspace).await?;
    let number = |person: Recipient| {
        let number = person.number.clone();
        has_words(&words_of(person), search).then_some(number)
    };
    let people = people.into_iter().filter_map(number);
    let mut found: Vec<String> = people.take(MAX_NAMED).collect();
    let words = search.split_whitespace().map(str::to_owned).collect();
    found.extend(context.desk.recipients_named(workspace, words, MAX_NAMED).await?);
    Ok(found)
}

/// Whether a text has every word of a search, whatever the case and accents.
pub(crate) fn has_words(text: &str, search: &str) -> bool {
    let text = fold(text);
    fold(search).split_whitespace().all(|word| text.contains(word))
}
