//! Which identifiers belong to one person: a number, and the business-scoped user id (upstream §8.3, §12 #30, §14.6).
//!
//! Names and usernames identify nobody: two people can have the same name, and a username can be given up and taken.

use serde_json::Value;

use super::message::{Contact, Content, InboundMessage};
use super::status::StatusUpdate;
use crate::Object;

/// Two identifiers of one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdentityLink {
    /// A number and the user id that has it.
    Same { number: String, user_id: String },
    /// A number or a user id, and the one that replaced it.
    Changed { previous: String, new: String },
    /// A number as a person has it, and another notation of it.
    Spelling { number: String, other: String },
}

impl IdentityLink {
    fn same(number: Option<&str>, user_id: Option<&str>) -> Option<Self> {
        let (number, user_id) = (known(number)?, known(user_id)?);
        (number != user_id && is_number(number))
            .then(|| Self::Same { number: number.to_owned(), user_id: user_id.to_owned() })
    }

    fn changed(previous: Option<&str>, new: Option<&str>) -> Option<Self> {
        let (previous, new) = (known(previous)?, known(new)?);
        (previous != new && is_number(previous) == is_number(new))
            .then(|| Self::Changed { previous: previous.to_owned(), new: new.to_owned() })
    }
}

/// Whether an identifier is a phone number.
#[must_use]
pub fn is_number(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has the form of a business-scoped user id: the code of a country, a period, and up to 128 letters and
/// digits; those of linked businesses have another period (`US.ENT.118…`).
#[must_use]
pub fn is_user_id(id: &str) -> bool {
    let Some((country, rest)) = id.split_once('.') else { return false };
    country.len() == 2
        && country.bytes().all(|byte| byte.is_ascii_uppercase())
        && (1..=MAX_USER_ID_LENGTH).contains(&rest.len())
        && rest.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Maximum length of a user id in characters, without the country.
const MAX_USER_ID_LENGTH: usize = 128;

fn known(id: Option<&str>) -> Option<&str> {
    id.map(str::trim).filter(|id| !id.is_empty())
}

/// A notice of the channel about the identifiers of a person (upstream §14.6).
pub(super) struct SystemNotice<'a> {
    fields: &'a Object,
    from: &'a str,
}

impl<'a> SystemNotice<'a> {
    pub(super) fn new(message: &'a InboundMessage, fields: &'a Object) -> Self {
        Self { fields, from: &message.from }
    }

    /// The label of the fact in a field besides [`Self::previous_number`]; `None` for other fields.
    pub(super) fn label(field: &str) -> Option<&'static str> {
        Some(match field {
            "wa_id" | "new_wa_id" => "newNumber",
            "user_id" => "newUserId",
            "previous_user_id" => "previousUserId",
            "parent_user_id" => "newParentUserId",
            "previous_parent_user_id" => "previousParentUserId",
            _ => return None,
        })
    }

    /// The first of these fields that has a value.
    fn field(&self, names: &[&str]) -> Option<&'a str> {
        names.iter().find_map(|name| known(self.fields.get(*name).and_then(Value::as_str)))
    }

    fn is_change(&self) -> bool {
        let kind = self.field(&["type"]);
        kind.is_some_and(|kind| kind.ends_with("_changed_number") || kind.ends_with("_changed_user_id"))
    }

    fn number(&self) -> Option<&'a str> {
        self.field(&["wa_id", "new_wa_id"])
    }

    fn user_id(&self) -> Option<&'a str> {
        self.field(&["user_id"])
    }

    /// The number that was replaced: the sender's, unless a field names it.
    pub(super) fn previous_number(&self) -> Option<&'a str> {
        let sender = || known(Some(self.from)).filter(|from| self.number().is_some_and(|new| new != *from));
        self.field(&["previous_wa_id"]).or_else(|| sender().filter(|from| self.is_change() && is_number(from)))
    }

    fn links(&self) -> impl Iterator<Item = IdentityLink> {
        let (number, user_id) = (self.number(), self.user_id());
        let links = [
            IdentityLink::changed(self.previous_number(), number),
            IdentityLink::changed(self.field(&["previous_user_id"]), user_id),
            IdentityLink::same(number, user_id),
        ];
        let is_change = self.is_change();
        links.into_iter().flatten().filter(move |_| is_change)
    }
}

impl Contact {
    /// The person's username, without `@`.
    #[must_use]
    pub fn username(&self) -> Option<&str> {
        let of_profile = self.profile.as_ref().and_then(|profile| profile.extra.get("username"));
        let username = of_profile.or_else(|| self.extra.get("username")).and_then(Value::as_str);
        known(username.map(|name| name.trim_start_matches('@')))
    }
}

impl InboundMessage {
    /// The author: the number, or the user id of a person who hides it. A notice of the channel is about a person.
    #[must_use]
    pub fn author(&self, contact: Option<&Contact>) -> Option<String> {
        let named = known(Some(&self.from))
            .or_else(|| known(contact.and_then(|contact| contact.wa_id.as_deref())))
            .or_else(|| self.user_id())
            .or_else(|| known(contact.and_then(|contact| contact.user_id.as_deref())));
        named.map(str::to_owned).or_else(|| self.subject_of_notice())
    }

    /// The person that a notice of the channel is about.
    fn subject_of_notice(&self) -> Option<String> {
        let Content::System(fields) = self.content() else { return None };
        let notice = SystemNotice::new(self, &fields);
        notice.user_id().or_else(|| notice.number()).map(str::to_owned)
    }

    fn user_id(&self) -> Option<&str> {
        known(self.extra.get("from_user_id").and_then(Value::as_str))
    }

    /// The identifier of the author that stays theirs: the user id, because numbers are given to other people; else as
    /// [`Self::author`]. A notice about a new number belongs to the person who has the new one.
    #[must_use]
    pub fn lasting_author(&self, contact: Option<&Contact>) -> Option<String> {
        let user_id = self.user_id().or_else(|| contact.and_then(|contact| known(contact.user_id.as_deref())));
        user_id.map(str::to_owned).or_else(|| self.subject_of_notice()).or_else(|| self.author(contact))
    }

    /// What it says about the identifiers of its author.
    #[must_use]
    pub fn identity_links(&self, contact: Option<&Contact>) -> Vec<IdentityLink> {
        let Content::System(fields) = self.content() else {
            let number = known(Some(&self.from)).filter(|from| is_number(from));
            let number = number.or_else(|| contact.and_then(|contact| contact.wa_id.as_deref()));
            let user_id = self.user_id().or_else(|| contact.and_then(|contact| contact.user_id.as_deref()));
            return IdentityLink::same(number, user_id).into_iter().collect();
        };
        SystemNotice::new(self, &fields).links().collect()
    }
}

impl StatusUpdate {
    /// The identifier of the recipient that stays theirs: the user id, else the number.
    #[must_use]
    pub fn lasting_recipient(&self, contact: Option<&Contact>) -> Option<String> {
        let user_id = self.user_id().or_else(|| contact.and_then(|contact| known(contact.user_id.as_deref())));
        user_id.or_else(|| self.recipient()).map(str::to_owned)
    }

    /// The recipient: the number, or the user id of a person who hides it.
    #[must_use]
    pub fn recipient(&self) -> Option<&str> {
        known(self.recipient_id.as_deref()).or_else(|| self.user_id())
    }

    fn user_id(&self) -> Option<&str> {
        known(self.extra.get("recipient_user_id").and_then(Value::as_str))
    }

    /// Whether it names the user id of its recipient.
    #[must_use]
    pub fn has_user_id(&self) -> bool {
        self.user_id().is_some()
    }

    /// What it says about the identifiers of its recipient.
    #[must_use]
    pub fn identity_links(&self, contact: Option<&Contact>) -> Vec<IdentityLink> {
        let number = known(self.recipient_id.as_deref()).filter(|id| is_number(id));
        let number = number.or_else(|| contact.and_then(|contact| contact.wa_id.as_deref()));
        let user_id = self.user_id().or_else(|| contact.and_then(|contact| contact.user_id.as_deref()));
        IdentityLink::same(number, user_id).into_iter().collect()
    }

    /// The recipient among `contacts`: matched by number or user id, else the only contact.
    #[must_use]
    pub fn contact<'a>(&self, contacts: &'a [Contact]) -> Option<&'a Contact> {
        let same = |id: &Option<String>, other: Option<&str>| other.is_some() && id.as_deref() == other;
        let mut matching = contacts.iter().filter(|contact| {
            same(&contact.wa_id, known(self.recipient_id.as_deref())) || same(&contact.user_id, self.user_id())
        });
        matching.next().or(match contacts {
            [only] => Some(only),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde_json::json;

    use super::*;

    fn links(message: Value, contact: Value) -> Vec<String> {
        let message: InboundMessage = serde_json::from_value(message).unwrap();
        let contact: Contact = serde_json::from_value(contact).unwrap();
        message.identity_links(Some(&contact)).iter().map(text).collect()
    }

    fn text(link: &IdentityLink) -> String {
        match link {
            IdentityLink::Same { number, user_id } => format!("{number} = {user_id}"),
            IdentityLink::Changed { previous, new } => format!("{previous} > {new}"),
            IdentityLink::Spelling { number, other } => format!("{number} ~ {other}"),
        }
    }

    fn system(from: &str, content: Value) -> Value {
        json!({"from": from, "id": "m", "timestamp": "1", "type": "system", "system": content})
    }

    #[test]
    fn messages_and_notices_link_numbers_and_user_ids() {
        let write = |fields: Value| {
            let mut message = json!({"id": "m", "timestamp": "1", "type": "text", "text": {"body": "hi"}});
            message.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            message
        };
        for (message, contact, expected) in [
            (write(json!({"from": "5511"})), json!({"wa_id": "5511", "user_id": "BR.1"}), vec!["5511 = BR.1"]),
            (write(json!({"from": "5511", "from_user_id": "BR.1"})), json!({}), vec!["5511 = BR.1"]),
            (write(json!({"from": "", "from_user_id": "BR.1"})), json!({"user_id": "BR.1"}), vec![]),
            (write(json!({"from": "BR.1"})), json!({"wa_id": "5511", "user_id": "BR.1"}), vec!["5511 = BR.1"]),
            (write(json!({"from": "5511"})), json!({"wa_id": "5511", "profile": {"name": "Ana"}}), vec![]),
            (system("5511", json!({"type": "user_changed_number", "wa_id": "5522"})), json!({}), vec!["5511 > 5522"]),
            (
                system("", json!({"type": "user_changed_user_id", "user_id": "BR.2", "previous_user_id": "BR.1"})),
                json!({}),
                vec!["BR.1 > BR.2"],
            ),
            (
                system(
                    "5511",
                    json!({"type": "user_changed_number", "wa_id": "5522", "user_id": "BR.2",
                    "previous_user_id": "BR.1"}),
                ),
                json!({}),
                vec!["5511 > 5522", "BR.1 > BR.2", "5522 = BR.2"],
            ),
            (system("5511", json!({"type": "customer_identity_changed", "wa_id": "5522"})), json!({}), vec![]),
        ] {
            assert_eq!(links(message.clone(), contact), expected, "{message}");
        }
    }

    #[test]
    fn a_status_names_its_recipient_by_number_or_user_id() {
        for (status, contact, recipient, expected) in [
            (json!({"recipient_id": "5511"}), json!({}), Some("5511"), vec![]),
            (json!({"recipient_id": "", "recipient_user_id": "BR.1"}), json!({}), Some("BR.1"), vec![]),
            (
                json!({"recipient_id": "5511", "recipient_user_id": "BR.1"}),
                json!({}),
                Some("5511"),
                vec!["5511 = BR.1"],
            ),
            (
                json!({"recipient_user_id": "BR.1"}),
                json!({"wa_id": "5511", "user_id": "BR.1"}),
                Some("BR.1"),
                vec!["5511 = BR.1"],
            ),
            (json!({}), json!({"wa_id": ""}), None, vec![]),
        ] {
            let mut value = json!({"id": "m", "status": "sent", "timestamp": "1"});
            value.as_object_mut().unwrap().extend(status.as_object().unwrap().clone());
            let read: StatusUpdate = serde_json::from_value(value).unwrap();
            let contacts: Vec<Contact> = vec![serde_json::from_value(contact).unwrap()];
            let found: Vec<String> = read.identity_links(read.contact(&contacts)).iter().map(text).collect();
            assert_eq!(
                (read.recipient(), found),
                (recipient, expected.iter().map(|&it| it.to_owned()).collect()),
                "{status}"
            );
        }
    }

    #[test]
    fn the_username_is_in_the_profile() {
        for (contact, expected) in [
            (json!({"profile": {"name": "Ana", "username": "@ana"}}), Some("ana")),
            (json!({"username": "ana"}), Some("ana")),
            (json!({"profile": {"username": " "}}), None),
            (json!({"profile": {"name": "Ana"}}), None),
        ] {
            let read: Contact = serde_json::from_value(contact.clone()).unwrap();
            assert_eq!(read.username(), expected, "{contact}");
        }
    }
}
