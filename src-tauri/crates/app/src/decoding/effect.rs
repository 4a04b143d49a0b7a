//! Converts one item to its stored form: its subject, its search words, and its effects.

use model::envelope::RejectionInfo;
use model::event::account::AccountEvent;
use model::event::identity::IdentityLink;
use model::event::message::{Contact, Content, InboundMessage, MessageType, Metadata};
use model::event::reading::words;
use model::event::revision::Revision;
use model::event::status::StatusUpdate;
use model::event::template::{
    CategoryChange, TemplateCategoryUpdate, TemplateComponentsUpdate, TemplateQualityUpdate, TemplateStatusUpdate,
};
use model::event::user_action::UserAction;
use model::item::{Decoded, Item};
use model::language;
use model::vocabulary::{Category, TemplateStatus};
use outgoing::message::TRACKING_KEY;
use outgoing::recipient::alternative_numbers;
use serde::Serialize;
use store::cache::{Effect, MessageEffect, PersonEffect, ProjectedItem, RevisionEffect, StatusEffect, TemplateEffect};
use store::delivery_log::Delivery;
use store::desk::{OutcomeReport, Reply, SendOutcome, TemplateEvent};

/// An item in its stored form.
pub(crate) fn project(delivery: &Delivery, ordinal: usize, item: Item, decoded: &Decoded) -> ProjectedItem {
    let mut projected = ProjectedItem {
        seq: delivery.seq,
        ordinal: ordinal.try_into().unwrap_or(i64::MAX),
        received_at: delivery.received_at,
        route: delivery.route.clone(),
        kind: item.kind.as_str().to_owned(),
        key: item.key,
        subject: item.subject,
        field: item.field,
        entry_id: item.entry_id,
        // Events about templates and accounts have no timestamp of their own; their entry may have one.
        at: item.entry_at.unwrap_or(delivery.received_at),
        value: item.value.get().to_owned(),
        ..ProjectedItem::default()
    };
    match decoded {
        Decoded::Status { status, contact, metadata } => {
            add_status(&mut projected, status, metadata);
            let links = status.identity_links(contact.as_ref());
            // Every status of a send would repeat the notations of its recipient: they are known from messages.
            let number = if links.is_empty() { None } else { status.recipient() };
            let id = status.lasting_recipient(contact.as_ref());
            projected.person = person(id, number, links, contact.as_ref());
        }
        Decoded::Message { message, contact, metadata } => {
            add_message(&mut projected, message, contact.as_ref(), metadata);
        }
        Decoded::UserAction { action, metadata } => add_action(&mut projected, action, metadata),
        Decoded::Errors(failures) => {
            projected.text = failures.iter().filter_map(|failure| failure.words()).collect::<Vec<_>>().join("; ");
        }
        Decoded::TemplateStatus(update) => add_template_status(&mut projected, update),
        Decoded::TemplateQuality(update) => add_quality(&mut projected, update),
        Decoded::TemplateCategory(update) => add_category(&mut projected, update),
        Decoded::TemplateComponents(update) => add_components(&mut projected, update),
        Decoded::Account(event) => add_account(&mut projected, event),
        Decoded::Other => projected.text = projected.field.clone(),
    }
    projected
}

fn add_status(item: &mut ProjectedItem, status: &StatusUpdate, metadata: &Metadata) {
    let word = status.status.as_str().to_owned();
    item.at = status.seconds().map_or(item.received_at, |seconds| seconds.saturating_mul(1_000));
    item.message_id = non_empty(&status.id);
    item.contact = status.recipient().map(str::to_owned);
    item.number_id = non_empty(&metadata.phone_number_id);
    item.status = Some(word.clone());
    let failures: Vec<_> = status.failures().collect();
    item.text = failures.iter().filter_map(|failure| failure.words()).collect::<Vec<_>>().join("; ");
    if status.id.is_empty() {
        return;
    }
    item.effect = Effect::Status(StatusEffect {
        message_id: status.id.clone(),
        status: word,
        at: item.at,
        error: status.failure().as_ref().and_then(json),
        tracking_id: status.biz_opaque_callback_data.as_deref().and_then(tracking_id),
        callback_data: status.biz_opaque_callback_data.clone(),
        recipient: item.contact.clone(),
        pricing: status.pricing.as_ref().and_then(json),
        conversation: status.conversation.as_ref().and_then(json),
    });
}

fn add_message(item: &mut ProjectedItem, message: &InboundMessage, contact: Option<&Contact>, metadata: &Metadata) {
    item.at = message.seconds().map_or(item.received_at, |seconds| seconds.saturating_mul(1_000));
    item.message_id = non_empty(&message.id);
    item.number_id = non_empty(&metadata.phone_number_id);
    let author = message.lasting_author(contact);
    item.contact = message.author(contact);
    item.person = person(author.clone(), item.contact.as_deref(), message.identity_links(contact), contact);
    let revision = message.revision();
    let new = match &revision {
        Some(Revision::Edit { message, .. }) => Some(message),
        _ => None,
    };
    item.text = words(new.map_or(message, |new| new));
    let (Some(author), false) = (author, message.id.is_empty()) else { return };
    if let Some(revision) = &revision {
        item.effect = Effect::Revision(RevisionEffect {
            message_id: message.id.clone(),
            original_id: revision.original().to_owned(),
            contact: author,
            at: item.at,
            kind: new.map(|new| new.kind.as_str().to_owned()),
            text: item.text.clone(),
            context_id: new.and_then(|new| context_of(new)),
        });
        return;
    }
    item.effect = Effect::Message(MessageEffect {
        message_id: message.id.clone(),
        contact: author,
        contact_name: contact.and_then(Contact::name).map(str::to_owned),
        at: item.at,
        kind: message.kind.as_str().to_owned(),
        text: item.text.clone(),
        context_id: context_of(message),
    });
}

/// What an event says about the identifiers of its person, with the other notations of the person's number, and about
/// the username; `None` if nothing.
fn person(
    id: Option<String>,
    number: Option<&str>,
    mut links: Vec<IdentityLink>,
    contact: Option<&Contact>,
) -> Option<PersonEffect> {
    let username = contact.and_then(Contact::username).map(str::to_owned);
    let other_notations = number.into_iter().flat_map(|number| {
        let others = alternative_numbers(number).into_iter().filter(move |other| other != number);
        others.map(move |other| IdentityLink::Spelling { number: number.to_owned(), other })
    });
    links.extend(other_notations);
    (!links.is_empty() || username.is_some()).then(|| PersonEffect { id: id.unwrap_or_default(), links, username })
}

fn add_action(item: &mut ProjectedItem, action: &UserAction, metadata: &Metadata) {
    item.at = action.seconds().map_or(item.received_at, |seconds| seconds.saturating_mul(1_000));
    item.number_id = non_empty(&metadata.phone_number_id);
    item.status = non_empty(&action.action_type);
    let click = action.marketing_messages_link_click_data.as_ref();
    let words = click.map(|click| [&click.click_component, &click.click_id, &click.tracking_token]);
    item.text = words.into_iter().flatten().flatten().cloned().collect::<Vec<_>>().join(" ");
}

/// The list text and search words of an event about contacts or accounts; [`model::item::meaning`] explains it.
fn add_account(item: &mut ProjectedItem, event: &AccountEvent) {
    item.text = item.field.clone();
    match event {
        AccountEvent::Preferences(preferences) => {
            item.number_id = preferences.number_id();
            if let [only] = preferences.user_preferences.as_slice() {
                item.contact = only.person().map(str::to_owned);
                item.status = only.value.clone();
                item.text = only.detail.clone().unwrap_or_default();
            }
        }
        AccountEvent::Username(update) => {
            item.status = non_empty(&update.status);
            item.text = update.username.clone().unwrap_or_default();
        }
        _ => {}
    }
}

/// The message that an inbound message answers or reacts to.
fn context_of(message: &InboundMessage) -> Option<String> {
    if message.kind == MessageType::Reaction
        && let Content::Reaction(reaction) = message.content()
    {
        return non_empty(&reaction.message_id);
    }
    message.context.as_ref().and_then(|context| context.id.clone()).filter(|id| !id.is_empty())
}

fn add_template_status(item: &mut ProjectedItem, update: &TemplateStatusUpdate) {
    name_template(
        item,
        &update.message_template_name,
        &update.message_template_language,
        update.message_template_id.as_ref(),
    );
    let advice = update.rejection_info.as_ref().and_then(RejectionInfo::advice);
    item.status = Some(update.event.as_str().to_owned());
    item.text =
        [update.stated_reason().map(str::to_owned), advice].into_iter().flatten().collect::<Vec<_>>().join(": ");
    item.effect = Effect::Template(TemplateEffect {
        event: update.event.as_str().to_owned(),
        reason: update.stated_reason().map(str::to_owned),
        status: update.event.resulting().map(|status| status.as_str().to_owned()),
        archived: match update.event {
            TemplateStatus::Archived => Some(true),
            TemplateStatus::Unarchived => Some(false),
            _ => None,
        },
        category: update.message_template_category.as_deref().map(|word| Category::from(word).as_str().to_owned()),
        ..template_effect(item)
    });
}

fn add_quality(item: &mut ProjectedItem, update: &TemplateQualityUpdate) {
    name_template(
        item,
        &update.message_template_name,
        &update.message_template_language,
        update.message_template_id.as_ref(),
    );
    item.status = update.new_quality_score.clone();
    item.effect = Effect::Template(TemplateEffect {
        event: item.kind.clone(),
        quality: update.new_quality_score.clone(),
        ..template_effect(item)
    });
}

fn add_category(item: &mut ProjectedItem, update: &TemplateCategoryUpdate) {
    name_template(
        item,
        &update.message_template_name,
        &update.message_template_language,
        update.message_template_id.as_ref(),
    );
    // An announcement names the template's current category as the new one (upstream §8.6): only completed changes
    // count.
    let (category, before, after) = match update.change() {
        Some(CategoryChange::Done { previous, current }) => {
            (Some(Category::from(current).as_str().to_owned()), previous, Some(current))
        }
        Some(CategoryChange::Announced { current, coming }) => (None, current, Some(coming)),
        None => (None, update.previous_category.as_deref(), None),
    };
    item.text = before.into_iter().chain(after).collect::<Vec<_>>().join(" → ");
    if matches!(update.change(), Some(CategoryChange::Announced { .. })) {
        item.text.push_str(" · announced");
    }
    item.effect = Effect::Template(TemplateEffect { event: item.kind.clone(), category, ..template_effect(item) });
}

/// Only the listing has the complete new content: the event changes nothing but the time of the last change.
fn add_components(item: &mut ProjectedItem, update: &TemplateComponentsUpdate) {
    name_template(
        item,
        &update.message_template_name,
        &update.message_template_language,
        update.message_template_id.as_ref(),
    );
    item.text = update.message_template_element.clone().unwrap_or_default();
    item.effect = Effect::Template(TemplateEffect { event: item.kind.clone(), ..template_effect(item) });
}

fn name_template(item: &mut ProjectedItem, name: &str, language: &str, id: Option<&model::Id>) {
    item.template_name = non_empty(name);
    item.template_language = non_empty(&language::normalise(language));
    item.template_id = id.map(|id| id.as_str().to_owned());
}

fn template_effect(item: &ProjectedItem) -> TemplateEffect {
    TemplateEffect {
        name: item.template_name.clone(),
        language: item.template_language.clone(),
        channel_id: item.template_id.clone(),
        at: item.at,
        ..TemplateEffect::default()
    }
}

/// The outcome that a status reports for one of our sends.
pub(crate) fn outcome(item: &ProjectedItem) -> Option<OutcomeReport> {
    let Effect::Status(status) = &item.effect else { return None };
    Some(OutcomeReport {
        workspace_id: item.route.clone(),
        message_id: status.message_id.clone(),
        tracking_id: status.tracking_id.clone(),
        recipients: status.recipient.as_deref().map(alternative_numbers).unwrap_or_default(),
        number: item.number_id.clone(),
        outcome: SendOutcome {
            status: status.status.clone(),
            at: status.at,
            seq: item.seq,
            received_at: Some(item.received_at),
            error: status.error.clone(),
            pricing: status.pricing.clone(),
            conversation: status.conversation.clone(),
            callback_data: status.callback_data.clone(),
        },
    })
}

/// The reply that a message is to one of our sends. A reaction is not a reply.
pub(crate) fn reply(item: &ProjectedItem) -> Option<Reply> {
    let Effect::Message(message) = &item.effect else { return None };
    let answers = message.kind != MessageType::Reaction.as_str();
    let message_id = message.context_id.clone().filter(|_| answers)?;
    let is_tap = [MessageType::Button, MessageType::Interactive].iter().any(|tap| message.kind == tap.as_str());
    Some(Reply { workspace_id: item.route.clone(), message_id, at: message.at, is_tap })
}

/// The event for a template's history.
pub(crate) fn template_event(item: &ProjectedItem) -> Option<TemplateEvent> {
    let Effect::Template(effect) = &item.effect else { return None };
    Some(TemplateEvent {
        workspace_id: item.route.clone(),
        key: item.event_key(),
        template_name: effect.name.clone().unwrap_or_default(),
        language: effect.language.clone().unwrap_or_default(),
        channel_id: effect.channel_id.clone(),
        waba: item.entry_id.clone(),
        at: item.at,
        event: effect.event.clone(),
        reason: effect.reason.clone(),
        value: item.value.clone(),
    })
}

/// Our tracking identifier in the callback data of a status, if it contains one.
pub(crate) fn tracking_id(callback_data: &str) -> Option<String> {
    let data: serde_json::Value = serde_json::from_str(callback_data).ok()?;
    data.get(TRACKING_KEY)?.as_str().map(str::to_owned)
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn json<T: Serialize>(value: &T) -> Option<String> {
    serde_json::to_string(value).ok()
}
