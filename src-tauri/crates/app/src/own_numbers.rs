//! The numbers of a workspace with their phone numbers, by which events about accounts name them. The contract gives a
//! number an identifier only (§3); what arrives through it says its phone number.

use command_types::error::Result;
use command_types::workspace::{SendingNumber, WorkspaceSettings};
use model::item::Decoded;
use outgoing::recipient::{alternative_numbers, person_key};
use store::cache::ItemFilter;

use crate::context::{Context, lock};
use crate::stored_item::decoded;

/// Newest items of a number that are searched for one that says its phone number.
const MAX_SEARCHED: u32 = 5;
/// Fewer digits are no phone number.
const MIN_PHONE_DIGITS: usize = 8;

#[derive(Default)]
pub(crate) struct OwnNumbers<'s>(Vec<OwnNumber<'s>>);

struct OwnNumber<'s> {
    number: &'s SendingNumber,
    /// Digits of the phone number that arrived items say.
    said: Option<String>,
    /// Digits of the phone number in the label, maybe without the code of the country.
    labelled: Option<String>,
}

impl<'s> OwnNumbers<'s> {
    pub(crate) async fn read(context: &Context, workspace: &str, settings: &'s WorkspaceSettings) -> Self {
        let mut numbers = Vec::with_capacity(settings.numbers.len());
        for number in &settings.numbers {
            // One delivery that cannot be read stops no message.
            let said = said_phone(context, workspace, &number.id).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "the phone number of a number cannot be read");
                None
            });
            numbers.push(OwnNumber { number, said, labelled: phone_in_label(&number.label) });
        }
        Self(numbers)
    }

    /// The number that has this phone number.
    pub(crate) fn with_phone(&self, phone: &str) -> Option<&'s SendingNumber> {
        self.owners(&digits_of_phone(phone)?).first().map(|own| own.number)
    }

    /// Whether a phone number is that of the number `id`: it is known to be, or nothing is known of either and the number is
    /// the only one of its account.
    pub(crate) fn has_phone(&self, id: &str, phone: &str) -> bool {
        let Some(own) = self.of(id) else { return false };
        let is_only = self.0.iter().filter(|other| other.number.waba_id == own.number.waba_id).count() == 1;
        let Some(phone) = digits_of_phone(phone) else { return is_only };
        let owners = self.owners(&phone);
        if owners.is_empty() { is_only && own.said.is_none() && own.labelled.is_none() } else { owners.contains_id(id) }
    }

    /// Whether something that an account says of a phone number, or of all of its numbers, concerns the number `id`. What
    /// is not known of either does not exclude it.
    pub(crate) fn concerns(&self, id: &str, account: Option<&str>, phone: Option<&str>) -> bool {
        let Some(own) = self.of(id) else { return true };
        let waba_id = &own.number.waba_id;
        if account.is_some_and(|waba| !waba_id.is_empty() && waba != waba_id) {
            return false;
        }
        let Some(phone) = phone.and_then(digits_of_phone) else { return true };
        let owners = self.owners(&phone);
        if owners.is_empty() { own.said.is_none() && own.labelled.is_none() } else { owners.contains_id(id) }
    }

    /// The name of the number `id`; the identifier of one that is not ours.
    pub(crate) fn name<'n>(&'n self, id: &'n str) -> &'n str {
        self.of(id).map_or(id, |own| own.number.name())
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.of(id).is_some()
    }

    fn of(&self, id: &str) -> Option<&OwnNumber<'s>> {
        self.0.iter().find(|own| own.number.id == id)
    }

    /// The numbers with a phone number: those of which items say so; else those whose label or identifier does.
    fn owners(&self, phone: &str) -> Owners<'_, 's> {
        let is_said = |own: &&OwnNumber<'_>| own.said.as_deref().is_some_and(|said| is_same(said, phone));
        let said: Vec<_> = self.0.iter().filter(is_said).collect();
        if !said.is_empty() {
            return Owners(said);
        }
        Owners(self.0.iter().filter(|own| own.said.is_none() && own.is_named(phone)).collect())
    }
}

struct Owners<'n, 's>(Vec<&'n OwnNumber<'s>>);

impl<'n, 's> Owners<'n, 's> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn first(&self) -> Option<&'n OwnNumber<'s>> {
        self.0.first().copied()
    }

    fn contains_id(&self, id: &str) -> bool {
        self.0.iter().any(|own| own.number.id == id)
    }
}

impl OwnNumber<'_> {
    fn is_named(&self, phone: &str) -> bool {
        let in_label = self.labelled.as_deref().is_some_and(|labelled| {
            // People may leave out the code of the country.
            is_same(labelled, phone) || alternative_numbers(phone).iter().any(|spelling| spelling.ends_with(labelled))
        });
        in_label || digits_of_phone(&self.number.id).is_some_and(|id| is_same(&id, phone))
    }
}

/// The phone number that the newest items say of a number.
async fn said_phone(context: &Context, workspace: &str, id: &str) -> Result<Option<String>> {
    let key = (workspace.to_owned(), id.to_owned());
    let known = lock(&context.said_phones.0).get(&key).cloned();
    if known.is_some() {
        return Ok(known);
    }
    let filter = ItemFilter {
        route: Some(workspace.to_owned()),
        number: Some(id.to_owned()),
        limit: MAX_SEARCHED,
        ..ItemFilter::default()
    };
    for row in context.cache.items(filter).await?.rows {
        let metadata = match decoded(context, &row).await? {
            Some(
                Decoded::Status { metadata, .. }
                | Decoded::Message { metadata, .. }
                | Decoded::UserAction { metadata, .. },
            ) => metadata,
            _ => continue,
        };
        if let Some(phone) = digits_of_phone(&metadata.display_phone_number) {
            lock(&context.said_phones.0).insert(key, phone.clone());
            return Ok(Some(phone));
        }
    }
    Ok(None)
}

fn is_same(one: &str, other: &str) -> bool {
    person_key(one) == person_key(other)
}

/// The digits of the phone number in a label such as `Shop 2, +55 11 98765-4321`.
fn phone_in_label(label: &str) -> Option<String> {
    let from_plus = label.rfind('+').and_then(|start| label.get(start..)).and_then(digits_of_phone);
    from_plus.or_else(|| {
        let is_of_phone = |char: char| char.is_ascii_digit() || " ()-./".contains(char);
        label.split(|char| !is_of_phone(char)).filter_map(digits_of_phone).max_by_key(String::len)
    })
}

fn digits_of_phone(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    (digits.len() >= MIN_PHONE_DIGITS).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_number_is_that_of_the_number_of_which_most_is_known() {
        let number = |id: &str, label: &str, waba: &str| {
            let [id, label, waba_id] = [id, label, waba].map(str::to_owned);
            SendingNumber { id, label, waba_id, own_webhook: false }
        };
        let numbers = [
            number("said", "Shop", "7"),
            // Its label has the phone number of another.
            number("wrong label", "Sales +55 11 98765-4321", "7"),
            number("label", "Loja 2, +55 21 98888-7777", "8"),
            number("local label", "Apoio (31) 97777-6666", "8"),
            number("5511955556666", "Main", "8"),
            number("unknown", "Support", "8"),
            number("only", "Alone", "9"),
        ];
        let own = |number| {
            let said = (number as &SendingNumber).id == "said";
            let said = said.then(|| "5511987654321".to_owned());
            OwnNumber { number, said, labelled: phone_in_label(&number.label) }
        };
        let own = OwnNumbers(numbers.iter().map(own).collect());
        let which = |is: &dyn Fn(&str) -> bool| {
            numbers.iter().map(|number| number.id.as_str()).filter(|id| is(id)).collect::<Vec<_>>()
        };
        for (phone, owners, concerned) in [
            ("+55 11 98765-4321", vec!["said"], vec!["said"]),
            // Without the ninth digit, it is the same phone number.
            ("551187654321", vec!["said"], vec!["said"]),
            ("5521988887777", vec!["label"], vec!["label"]),
            ("+55 31 97777-6666", vec!["local label"], vec!["local label"]),
            ("+55 11 95555-6666", vec!["5511955556666"], vec!["5511955556666"]),
            // Of nobody that is known.
            ("+55 11 90000-0000", vec!["only"], vec!["5511955556666", "unknown", "only"]),
        ] {
            assert_eq!(which(&|id| own.has_phone(id, phone)), owners, "{phone}");
            assert_eq!(which(&|id| own.concerns(id, None, Some(phone))), concerned, "{phone}");
        }
        assert_eq!(which(&|id| own.has_phone(id, "")), ["only"]);
        assert_eq!(which(&|id| own.concerns(id, Some("7"), None)), ["said", "wrong label"]);
        assert!(own.concerns("not ours", Some("7"), Some("+55 11 98765-4321")));
        assert_eq!(own.with_phone("+55 11 98765-4321").map(|number| number.id.as_str()), Some("said"));
        assert_eq!(own.with_phone("+55 11 90000-0000"), None);
    }
}
