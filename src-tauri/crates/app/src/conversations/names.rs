//! Names of contacts: a contact has the same name as in sends and in the address book.

use std::collections::HashMap;

use requests::recipient::alternative_numbers;

use crate::conversations::Conversations;
use api::error::Result;

impl Conversations {
    /// The names of contacts in the address book, whichever way their number is written there. Contacts without an
    /// entry are left out.
    pub(super) async fn address_book_names<'c>(
        &self,
        workspace: &str,
        contacts: impl IntoIterator<Item = &'c str>,
    ) -> Result<HashMap<String, String>> {
        let spellings: Vec<(&str, Vec<String>)> =
            contacts.into_iter().map(|contact| (contact, alternative_numbers(contact))).collect();
        let numbers: Vec<String> = spellings.iter().flat_map(|(_, numbers)| numbers.iter().cloned()).collect();
        let known: HashMap<String, String> =
            self.0.context.desk.recipient_names(workspace, &numbers).await?.into_iter().collect();
        let name = |numbers: &[String]| {
            numbers.iter().find_map(|number| known.get(number)).filter(|name| !name.trim().is_empty()).cloned()
        };
        Ok(spellings.into_iter().filter_map(|(contact, numbers)| Some((contact.to_owned(), name(&numbers)?))).collect())
    }
}
