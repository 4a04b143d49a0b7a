//! Whom of the address book a number means.

use std::collections::HashMap;

use store::desk;

use outgoing::recipient::person_key;

/// An address book by the numbers of its people. It may have both spellings of a number.
pub(in crate::messaging) struct RecipientsByNumber<'a> {
    exact: HashMap<&'a str, &'a desk::Recipient>,
    by_person: HashMap<String, &'a desk::Recipient>,
}

impl<'a> RecipientsByNumber<'a> {
    pub(in crate::messaging) fn of(book: &'a [desk::Recipient]) -> Self {
        Self {
            exact: book.iter().map(|known| (known.number.as_str(), known)).collect(),
            by_person: book.iter().map(|known| (person_key(&known.number), known)).collect(),
        }
    }

    /// The person with exactly this number, else the one with another spelling of it.
    pub(in crate::messaging) fn get(&self, number: &str) -> Option<&'a desk::Recipient> {
        self.exact.get(number).or_else(|| self.by_person.get(&person_key(number))).copied()
    }
}
