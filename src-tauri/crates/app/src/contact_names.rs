//! Names of people by their numbers: the same in sends, in the address book and in conversations.

use std::collections::{BTreeSet, HashMap};

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
