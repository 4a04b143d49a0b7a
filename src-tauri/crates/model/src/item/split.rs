//! Splits a delivery into its items.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::Value;
use serde_json::value::RawValue;

use super::digest::Identity;
use super::json::{Members, Outline, Part, raw};
use super::{Decoded, Item};
use crate::event::kind::ItemKind;
use crate::event::message::Metadata;

/// Maximum bytes of shared members, such as `metadata`, that are repeated in the items of one delivery. Usual
/// deliveries stay far below; beyond the limit, items have only their own content.
pub(super) const REPEATED_BYTES: usize = 16 << 20;

/// Maximum length of an entry's identifier, in bytes; longer ones are dropped. The channel's have 15 to 20 digits.
const ENTRY_ID_BYTES: usize = 256;

/// Splits the raw body of a delivery into its items, in their order, without duplicates.
///
/// Never panics and never loses data: a body that is not an envelope, and any part of an envelope that can't be split,
/// is one item of kind `unknown`. An envelope without changes has no items. Time and memory are limited by the size of
/// the body.
#[must_use]
pub fn items(body: &[u8]) -> Vec<Item> {
    items_from(body, 0, usize::MAX).0
}

/// The items of a delivery from index `first`: at least one, and as many as need about `max_bytes` of memory. Also
/// returns the index of the next item; `None` after the last one.
///
/// The result of all calls together equals [`items`].
#[must_use]
pub fn items_from(body: &[u8], first: usize, max_bytes: usize) -> (Vec<Item>, Option<usize>) {
    split(body, first, max_bytes, false)
}

/// As [`items_from`], for a caller that decodes every item by [`Item::take_decoded`]: a usual status is decoded where
/// it is in the body, and its `value` is `null`, because cutting it out and parsing it again costs more than the rest.
#[must_use]
pub fn items_to_decode(body: &[u8], first: usize, max_bytes: usize) -> (Vec<Item>, Option<usize>) {
    split(body, first, max_bytes, true)
}

fn split(body: &[u8], first: usize, max_bytes: usize, decodes_statuses: bool) -> (Vec<Item>, Option<usize>) {
    let mut split = Split {
        items: Vec::new(),
        seen: HashSet::new(),
        latest: HashMap::new(),
        count: 0,
        full: REPEATED_BYTES,
        lean: REPEATED_BYTES,
        first,
        remaining: max_bytes.max(1),
        next: None,
        decodes_statuses,
    };
    split.body(body);
    (split.items, split.next)
}

#[derive(Clone, Copy, Default)]
struct ChangePosition<'a> {
    entry_id: Option<&'a str>,
    entry_time: Option<&'a str>,
    field: &'a str,
}

struct Split {
    items: Vec<Item>,
    /// Identities of all items so far, including those before `first`.
    seen: HashSet<u128>,
    /// Identity of the last undated item, by subject.
    latest: HashMap<u128, u128>,
    /// Number of items so far, including those before `first`.
    count: usize,
    /// Remaining bytes for repeating shared members unchanged.
    full: usize,
    /// Remaining bytes for repeating reduced shared members.
    lean: usize,
    /// Index of the first requested item.
    first: usize,
    /// Remaining bytes for further items.
    remaining: usize,
    /// Index of the first item that didn't fit.
    next: Option<usize>,
    /// Whether usual statuses are decoded in place.
    decodes_statuses: bool,
}

struct Content {
    value: Box<RawValue>,
    /// Its length in the body, about.
    bytes: usize,
    decoded: Option<Decoded>,
}

impl Content {
    fn raw(value: Box<RawValue>) -> Self {
        Self { bytes: value.get().len(), value, decoded: None }
    }
}

impl Split {
    /// Adds an item unless its identity is a duplicate. `value` returns the content if the item is requested; otherwise
    /// it only updates the counters of repeated bytes.
    fn push(
        &mut self,
        kind: ItemKind,
        position: ChangePosition<'_>,
        identity: Identity,
        value: impl FnOnce(&mut Self, bool) -> Option<Content>,
    ) {
        if self.next.is_some() {
            return;
        }
        let (digest, identity) = identity.finish();
        if self.seen.insert(digest) {
            self.add(kind, position, &identity, None, value);
        }
    }

    /// Adds an item without a time, unless its content equals the last one of the same subject.
    fn push_undated(
        &mut self,
        kind: ItemKind,
        position: ChangePosition<'_>,
        identity: Identity,
        subject: Identity,
        value: &str,
    ) {
        if self.next.is_some() {
            return;
        }
        let ((digest, identity), (about, subject)) = (identity.finish(), subject.finish());
        if self.latest.insert(about, digest).is_none_or(|last| last != digest) {
            let subject = Some(format!("{kind}:{subject}"));
            self.add(kind, position, &identity, subject, |_, is_wanted| {
                is_wanted.then(|| Content::raw(raw(value.to_owned())))
            });
        }
    }

    fn add(
        &mut self,
        kind: ItemKind,
        position: ChangePosition<'_>,
        identity: &str,
        subject: Option<String>,
        value: impl FnOnce(&mut Self, bool) -> Option<Content>,
    ) {
        let at = self.count;
        self.count += 1;
        let is_wanted = at >= self.first;
        if is_wanted && self.remaining == 0 {
            self.next = Some(at);
            return;
        }
        let Some(Content { value, bytes, decoded }) = value(self, is_wanted) else { return };
        let key = format!("{kind}:{identity}");
        let entry_id = position.entry_id.map(str::to_owned);
        let entry_at = position.entry_time.and_then(entry_at);
        let field = position.field.to_owned();
        let item = Item { kind, field, entry_id, entry_at, value, key, subject, bytes, decoded };
        self.remaining = self.remaining.saturating_sub(item.memory());
        self.items.push(item);
    }

    /// Adds an item with an unchanged part of the body.
    fn push_whole(&mut self, kind: ItemKind, position: ChangePosition<'_>, identity: Identity, value: &str) {
        self.push(kind, position, identity, |_, is_wanted| is_wanted.then(|| Content::raw(raw(value.to_owned()))));
    }

    fn unknown(&mut self, position: ChangePosition<'_>, value: &str) {
        let identity = Identity::new(position.field).maybe(position.entry_id).json(value);
        self.push_whole(ItemKind::Unrecognised, position, identity, value);
    }

    fn body(&mut self, body: &[u8]) {
        let json = std::str::from_utf8(body).ok().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
        let Some(outline) = json.and_then(Outline::of) else {
            let identity = Identity::new("body").bytes(body);
            return self.push_whole(ItemKind::Unrecognised, ChangePosition::default(), identity, "null");
        };
        let root = outline.root();
        let entries = root.members().and_then(|members| members.get("entry")).and_then(Part::elements);
        match entries {
            Some(entries) => entries.into_iter().for_each(|entry| self.entry(entry)),
            None => self.unknown(ChangePosition::default(), root.text()),
        }
    }

    fn entry(&mut self, entry: Part<'_>) {
        if self.next.is_some() {
            return;
        }
        let Some(members) = entry.members() else { return self.unknown(ChangePosition::default(), entry.text()) };
        let id = members.get("id").and_then(Part::scalar).filter(|id| id.len() <= ENTRY_ID_BYTES);
        let time = members.get("time").and_then(Part::scalar).filter(|time| has_time(time));
        let position = ChangePosition { entry_id: id.as_deref(), entry_time: time.as_deref(), field: "" };
        match members.get("changes").and_then(Part::elements) {
            Some(changes) if !changes.is_empty() || members.only(&["id", "time", "changes"]) => {
                changes.into_iter().for_each(|change| self.change(position, change));
            }
            _ => self.unknown(position, entry.text()),
        }
    }

    fn change(&mut self, position: ChangePosition<'_>, change: Part<'_>) {
        if self.next.is_some() {
            return;
        }
        let Some(members) = change.members() else { return self.unknown(position, change.text()) };
        let field = members.get("field").and_then(Part::scalar).unwrap_or_default();
        let position = ChangePosition { field: &field, ..position };
        let Some(value) = members.get("value").filter(|value| value.text() != "null") else {
            return self.unknown(position, change.text());
        };
        if field.eq_ignore_ascii_case("messages") {
            return self.messages(position, value);
        }
        let mut kind = ItemKind::of_field(&field);
        // The channel's documentation shows the quality event under the status event's field (upstream §8.5).
        if kind == ItemKind::TemplateStatus
            && value.members().is_some_and(|value| value.has("new_quality_score") && !value.has("event"))
        {
            kind = ItemKind::TemplateQuality;
        }
        let mut identity = Identity::new(&field).maybe(position.entry_id).json(value.text());
        // The same content can recur: a template is approved after each edit, a PIN is changed again. The time of the
        // entry distinguishes them, if there is one.
        if kind.is_template() || position.entry_time.is_some() {
            identity = identity.maybe(position.entry_time);
        }
        let dates_itself = match kind {
            ItemKind::UserPreferences | ItemKind::PaymentConfiguration => value.text().contains("timestamp\""),
            // Unknown events are not known to recur with the same content.
            ItemKind::Unrecognised => true,
            _ => false,
        };
        if dates_itself || position.entry_time.is_some() {
            return self.push_whole(kind, position, identity, value.text());
        }
        let subject = subject(position, value.members().as_ref());
        self.push_undated(kind, position, identity, subject, value.text());
    }

    /// Splits a change of the field `messages`.
    fn messages(&mut self, position: ChangePosition<'_>, value: Part<'_>) {
        let Some(members) = value.members() else { return self.unknown(position, value.text()) };
        let mut lists = Vec::new();
        for (at, (key, member)) in members.iter().enumerate() {
            let kind = match key.as_ref() {
                "statuses" => ItemKind::Status,
                "messages" => ItemKind::Message,
                "user_actions" => ItemKind::UserAction,
                _ => continue,
            };
            if let Some(elements) = member.elements().filter(|elements| !elements.is_empty()) {
                lists.push((at, kind, elements));
            }
        }
        if lists.is_empty() {
            let is_present = |value: Part<'_>| match value.elements() {
                Some(elements) => !elements.is_empty(),
                None => value.text() != "null",
            };
            let errors = ["errors", "error"].into_iter().filter_map(|name| members.get(name)).any(is_present);
            let kind = if errors { ItemKind::Errors } else { ItemKind::Unrecognised };
            let identity = Identity::new("messages").maybe(position.entry_id).json(value.text());
            if kind == ItemKind::Errors && position.entry_time.is_none() {
                return self.push_undated(kind, position, identity, subject(position, None), value.text());
            }
            return self.push_whole(kind, position, identity.maybe(position.entry_time), value.text());
        }
        let split: HashSet<usize> = lists.iter().map(|(at, ..)| *at).collect();
        let shared = Shared::new(&members, &split);
        let metadata = if self.decodes_statuses { metadata_of_usual(&members) } else { None };
        for (at, kind, elements) in lists {
            let mut odd = Vec::new();
            for element in elements {
                let Some(fields) = element.members() else {
                    odd.push(element.text());
                    continue;
                };
                let element = element.text();
                let identity = element_identity(&kind, &fields, element);
                self.push(kind.clone(), position, identity, |split, is_wanted| {
                    let (others, contact) = split.shared_members(&shared, &fields);
                    let metadata = metadata.as_ref().filter(|_| is_wanted && kind == ItemKind::Status);
                    if let Some(content) = metadata.and_then(|metadata| decoded_status(element, metadata)) {
                        return Some(content);
                    }
                    let narrowed: Vec<_> = std::iter::once((at, element)).chain(contact).collect();
                    is_wanted.then(|| Content::raw(members.narrowed(&narrowed, others)))
                });
                if self.next.is_some() {
                    return;
                }
            }
            if !odd.is_empty() {
                let odd = odd.join(",");
                let identity = Identity::new("messages").maybe(position.entry_id).text(kind.as_str()).json(&odd);
                let value = |is_wanted: bool| is_wanted.then(|| Content::raw(members.narrowed(&[(at, &odd)], &[])));
                self.push(ItemKind::Unrecognised, position, identity, |_, is_wanted| value(is_wanted));
            }
        }
    }

    /// The shared members for an item, and its contact with its position. Reduces the remaining bytes.
    fn shared_members<'s, 'a>(
        &mut self,
        shared: &'s Shared<'a>,
        element: &Members<'_>,
    ) -> (&'s [usize], Option<(usize, &'a str)>) {
        let contact = shared.contact_of(element).zip(shared.contacts_at).map(|(contact, at)| (at, contact));
        let bytes = contact.map_or(0, |(_, contact)| contact.len());
        if let Some(remaining) = self.full.checked_sub(shared.bytes.saturating_add(bytes)) {
            self.full = remaining;
            return (&shared.members, contact);
        }
        match self.lean.checked_sub(shared.lean_bytes.saturating_add(bytes)) {
            Some(remaining) => {
                self.lean = remaining;
                (&shared.lean, contact)
            }
            None => (&[], None),
        }
    }
}

/// The number that sent the messages, if the members of the change are those of usual statuses: all known, each once,
/// and readable. [`Decoded::read`] ignores none of them then.
fn metadata_of_usual(members: &Members<'_>) -> Option<Metadata> {
    let is_usual = members.only(&["messaging_product", "metadata", "contacts", "statuses"]) && members.are_unique();
    // Contacts with a user id belong to the meaning of a status.
    let has_user_ids = members.get("contacts").is_some_and(|contacts| contacts.text().contains("user_id"));
    let is_readable = members.get("messaging_product").is_none_or(|product| product.scalar().is_some())
        && members.get("contacts").is_none_or(|contacts| serde_json::from_str::<Value>(contacts.text()).is_ok());
    if !is_usual || !is_readable || has_user_ids {
        return None;
    }
    members
        .get("metadata")
        .map_or_else(|| Some(Metadata::default()), |metadata| serde_json::from_str(metadata.text()).ok())
}

/// A status, decoded in place; `None` if that needs the tolerance of [`Decoded::read`].
fn decoded_status(element: &str, metadata: &Metadata) -> Option<Content> {
    let status = serde_json::from_str(element).ok()?;
    let decoded = Decoded::Status { status: Box::new(status), contact: None, metadata: metadata.clone() };
    Some(Content { value: RawValue::NULL.to_owned(), bytes: element.len(), decoded: Some(decoded) })
}

/// Shared members of the items of a change.
struct Shared<'a> {
    /// Positions of the members that are neither split nor reduced per item.
    members: Vec<usize>,
    bytes: usize,
    /// Positions of the members that every item gets while there is room.
    lean: Vec<usize>,
    lean_bytes: usize,
    contacts_at: Option<usize>,
    /// The contacts, by each of their identifiers.
    contacts: HashMap<Cow<'a, str>, &'a str>,
    /// The contact of a change with a single one: every item gets it, even if the identifiers are spelled differently.
    /// With several contacts, an item gets the one that matches its identifiers, or none.
    only_contact: Option<&'a str>,
}

impl<'a> Shared<'a> {
    fn new(members: &Members<'a>, split: &HashSet<usize>) -> Self {
        let mut shared = Self {
            members: Vec::new(),
            bytes: 0,
            lean: Vec::new(),
            lean_bytes: 0,
            contacts_at: None,
            contacts: HashMap::new(),
            only_contact: None,
        };
        for (at, (key, member)) in members.iter().enumerate().filter(|(at, _)| !split.contains(at)) {
            if key == "contacts"
                && let Some(contacts) = member.elements()
            {
                shared.contacts_at = Some(at);
                shared.only_contact = if let [only] = contacts[..] { Some(only.text()) } else { None };
                shared.contacts.clear();
                for contact in contacts {
                    let Some(fields) = contact.members() else { continue };
                    let ids = ["wa_id", "user_id"].into_iter().filter_map(|name| fields.get(name)?.scalar());
                    for id in ids {
                        shared.contacts.insert(id, contact.text());
                    }
                }
                continue;
            }
            let bytes = key.len() + member.text().len() + 4;
            shared.members.push(at);
            shared.bytes = shared.bytes.saturating_add(bytes);
            if matches!(key.as_ref(), "messaging_product" | "metadata") && bytes <= 1024 {
                shared.lean.push(at);
                shared.lean_bytes += bytes;
            }
        }
        shared
    }

    fn contact_of(&self, element: &Members<'_>) -> Option<&'a str> {
        ["from", "recipient_id", "from_user_id", "recipient_user_id"]
            .into_iter()
            .filter_map(|name| element.get(name)?.scalar())
            .find_map(|id| self.contacts.get(id.as_ref()).copied())
            .or(self.only_contact)
    }
}

/// The subject of an undated change: a template, a number or another part of its account.
fn subject(position: ChangePosition<'_>, value: Option<&Members<'_>>) -> Identity {
    let member = |name: &str| value.and_then(|value| value.get(name)?.scalar());
    let language = member("message_template_language").unwrap_or_default();
    Identity::new(position.field)
        .maybe(position.entry_id)
        .maybe(member("message_template_id").as_deref())
        .maybe(member("message_template_name").as_deref())
        .text(&crate::language::normalise(&language))
        .maybe(member("display_phone_number").as_deref())
        .maybe(member("entity_id").as_deref())
}

/// Whether the `time` of an entry distinguishes events: neither empty nor zero.
fn has_time(time: &str) -> bool {
    !time.trim().is_empty() && time.len() <= ENTRY_ID_BYTES && time.parse::<f64>().ok().is_none_or(|time| time > 0.0)
}

/// The time of an entry: seconds since 1970, or milliseconds if the number is too large for seconds.
fn entry_at(time: &str) -> Option<i64> {
    let time: i64 = time.parse().ok().filter(|time| *time > 0)?;
    if time < 100_000_000_000 { time.checked_mul(1_000) } else { Some(time) }
}

/// Identity of one status or message (upstream §9.3).
fn element_identity(kind: &ItemKind, fields: &Members<'_>, element: &str) -> Identity {
    let text = |name| fields.get(name)?.scalar();
    let identity = Identity::new(kind.as_str());
    match (kind, text("id")) {
        (ItemKind::Status, Some(id)) => identity
            .text(&id)
            .maybe(text("status").as_deref())
            .timestamp(text("timestamp").as_deref())
            .maybe(text("recipient_participant_id").as_deref()),
        (_, Some(id)) => identity.text(&id),
        (_, None) => identity.json(element),
    }
}
