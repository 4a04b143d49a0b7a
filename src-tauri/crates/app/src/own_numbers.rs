//! The numbers of a workspace with their phone numbers, by which events about accounts name them. The contract gives a
//! number an identifier only (§3); what arrives through it says its phone number.

use command_types::error::Result;
use command_types::workspace::{SendingNumber, WorkspaceSettings};
use model::item::Decoded;
use outgoing::recipient::person_key;
use store::cache::ItemFilter;

use crate::account_notices::decoded;
use crate::context::Context;

/// Newest items of a number that are searched for one that says its phone number.
const MAX_SEARCHED: u32 = 5;
/// Fewer digits in a label are no phone number.
const MIN_PHONE_DIGITS: usize = 8;

#[derive(Default)]
pub(crate) struct OwnNumbers<'s>(Vec<OwnNumber<'s>>);

struct OwnNumber<'s> {
    number: &'s SendingNumber,
    /// Key of its phone number, if something that arrived or its label says it.
    phone: Option<String>,
    /// Whether something that arrived says it: people may write other digits into a label.
    is_certain: bool,
}

impl<'s> OwnNumbers<'s> {
    pub(crate) async fn read(context: &Context, workspace: &str, settings: &'s WorkspaceSettings) -> Result<Self> {
        let mut numbers = Vec::with_capacity(settings.numbers.len());
        for number in &settings.numbers {
            let said = said_phone(context, workspace, &number.id).await?;
            let is_certain = said.is_some();
            numbers.push(OwnNumber { number, phone: said.or_else(|| phone_in(&number.label)), is_certain });
        }
        Ok(Self(numbers))
    }

    /// The number that has this phone number.
    pub(crate) fn with_phone(&self, phone: &str) -> Option<&'s SendingNumber> {
        let phone = phone_in(phone)?;
        self.0.iter().find(|own| own.has(&phone)).map(|own| own.number)
    }

    /// Whether a phone number is that of the number `id`: it is known to be, or the number is the only one of its account
    /// and has no other.
    pub(crate) fn has_phone(&self, id: &str, phone: &str) -> bool {
        let Some(own) = self.of(id) else { return false };
        let is_only = || self.0.iter().filter(|other| other.number.waba_id == own.number.waba_id).count() == 1;
        let phone = phone_in(phone);
        phone.as_ref().is_some_and(|phone| own.has(phone)) || ((phone.is_none() || !own.is_certain) && is_only())
    }

    /// Whether something that an account says of a phone number, or of all of its numbers, concerns the number `id`. What
    /// is not known of either does not exclude it.
    pub(crate) fn concerns(&self, id: &str, account: Option<&str>, phone: Option<&str>) -> bool {
        let Some(own) = self.of(id) else { return true };
        let waba_id = &own.number.waba_id;
        let is_other_account = account.is_some_and(|waba| !waba_id.is_empty() && waba != waba_id);
        let is_other_phone = |phone: String| own.phone.is_some() && !own.has(&phone);
        !is_other_account && !phone.and_then(phone_in).is_some_and(is_other_phone)
    }

    /// The name of the number `id`; the identifier of one that is not ours.
    pub(crate) fn name<'n>(&'n self, id: &'n str) -> &'n str {
        self.of(id).map_or(id, |own| own.number.name())
    }

    fn of(&self, id: &str) -> Option<&OwnNumber<'s>> {
        self.0.iter().find(|own| own.number.id == id)
    }
}

impl OwnNumber<'_> {
    fn has(&self, phone: &String) -> bool {
        self.phone.as_ref() == Some(phone) || phone_in(&self.number.id).as_ref() == Some(phone)
    }
}

/// The phone number that the newest items say of a number.
async fn said_phone(context: &Context, workspace: &str, id: &str) -> Result<Option<String>> {
    let (route, number) = (Some(workspace.to_owned()), Some(id.to_owned()));
    let filter = ItemFilter { route, number, limit: MAX_SEARCHED, ..ItemFilter::default() };
    for row in context.cache.items(filter).await?.rows {
        let metadata = match decoded(context, &row).await? {
            Some(
                Decoded::Status { metadata, .. }
                | Decoded::Message { metadata, .. }
                | Decoded::UserAction { metadata, .. },
            ) => metadata,
            _ => continue,
        };
        // A number with a path of its own gets what the provider sends there, whichever number it names.
        if metadata.phone_number_id == id
            && let Some(phone) = phone_in(&metadata.display_phone_number)
        {
            return Ok(Some(phone));
        }
    }
    Ok(None)
}

/// The key of a phone number in any notation; `None` for text that is none.
fn phone_in(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    (digits.len() >= MIN_PHONE_DIGITS).then(|| person_key(&digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(id: &str, label: &str, waba: &str) -> SendingNumber {
        let [id, label, waba_id] = [id, label, waba].map(str::to_owned);
        SendingNumber { id, label, waba_id, own_webhook: false }
    }

    #[test]
    fn a_number_is_known_by_what_arrived_and_else_by_its_label() {
        let (shop, sales, support) =
            (number("1", "Shop", "7"), number("2", "Sales 2", "7"), number("3", "Support", "8"));
        let (named, own_id) = (number("5", "+55 21 98888-7777", "9"), number("5511955556666", "Main", "9"));
        let own =
            |number, phone: &str| OwnNumber { number, phone: phone_in(phone), is_certain: phone.starts_with("55") };
        let numbers = OwnNumbers(vec![
            own(&shop, "5511987654321"),
            own(&sales, ""),
            own(&support, "+12 345 678"),
            own(&named, &named.label),
            own(&own_id, ""),
        ]);
        for (id, phone, has, concerned) in [
            ("1", "+55 11 98765-4321", true, true),
            // Without the ninth digit, it is the same phone number.
            ("1", "551187654321", true, true),
            ("1", "+55 11 90000-0000", false, false),
            ("2", "+55 11 98765-4321", false, true),
            // The only one of its account, whose label has other digits.
            ("3", "+55 11 98765-4321", true, false),
            ("3", "", true, true),
            ("5", "+5521988887777", true, true),
            ("5", "+55 11 95555-6666", false, false),
            ("5511955556666", "+55 11 95555-6666", true, true),
            ("4", "+55 11 98765-4321", false, true),
        ] {
            assert_eq!(numbers.has_phone(id, phone), has, "{id} {phone}");
            assert_eq!(numbers.concerns(id, None, Some(phone)), concerned, "{id} {phone}");
        }
        assert!(numbers.concerns("1", Some("7"), None) && !numbers.concerns("1", Some("8"), None));
        assert_eq!(numbers.with_phone("+55 11 98765-4321").map(|number| number.id.as_str()), Some("1"));
        assert_eq!(numbers.with_phone("+55 11 90000-0000"), None);
    }
}
