//! Desktop notifications: which events have one, their texts, and grouping.

#[cfg(not(any(target_os = "macos", windows)))]
mod bus;
mod messages;
#[cfg(windows)]
mod toast;
#[cfg(target_os = "macos")]
mod user_notifications;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use app::Core;
use command_types::event::DeskEvent;
use command_types::preferences::NotificationKinds;
use model::item::account_notice::NoticeSeverity;
use model::vocabulary::QualityRating;
use tokio::sync::mpsc;
use tokio::time::Instant;

#[cfg(not(any(target_os = "macos", windows)))]
pub(crate) use self::bus::Bus;
#[cfg(windows)]
pub(crate) use self::toast::Bus;
#[cfg(target_os = "macos")]
pub(crate) use self::user_notifications::Bus;
use crate::deep_link::encoded;
use crate::i18n::{Language, Sentence, word};

/// How long notifications of a kind are collected.
const COLLECT_TIME: Duration = Duration::from_secs(2);
/// Maximum number of single notifications of a kind; more are combined into one.
const MAX_SINGLE: usize = 3;

/// The kind of a notification; each can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Reviews,
    Pauses,
    Categories,
    Quality,
    Webhooks,
    Tokens,
    Messages,
    Accounts,
}

impl Kind {
    fn is_enabled(self, kinds: NotificationKinds) -> bool {
        match self {
            Self::Reviews => kinds.reviews,
            Self::Pauses => kinds.pauses,
            Self::Categories => kinds.categories,
            Self::Quality => kinds.quality,
            Self::Webhooks => kinds.webhooks,
            Self::Tokens => kinds.tokens,
            Self::Messages => kinds.messages,
            Self::Accounts => kinds.accounts,
        }
    }

    /// The text of a combined notification, and the page that lists all items.
    fn combined(self) -> (Sentence, &'static str) {
        match self {
            Self::Reviews => (Sentence::ManyReviews, "/review"),
            Self::Pauses => (Sentence::ManyPauses, "/review"),
            Self::Categories => (Sentence::ManyCategories, "/templates"),
            Self::Quality => (Sentence::ManyQuality, "/templates"),
            Self::Webhooks => (Sentence::ManyWebhooks, REJECTED_PAGE),
            Self::Tokens => (Sentence::ManyTokens, "/settings"),
            Self::Messages => (Sentence::ManyMessages, "/inbox"),
            Self::Accounts => (Sentence::ManyAccounts, "/review"),
        }
    }
}

/// Page with the rejected deliveries.
const REJECTED_PAGE: &str = "/activity?view=refused";

/// Response of a person to a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Response {
    /// Open its page.
    Open,
    /// Quit the app.
    Quit,
}

impl Response {
    /// The name of a button for the system.
    fn action(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Quit => "quit",
        }
    }
}

/// Callback for responses.
type Listener = Arc<dyn Fn(Response, Notification) + Send + Sync>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notification {
    pub(crate) title: String,
    pub(crate) body: String,
    /// Target of a click: a path of the window's router and its workspace.
    pub(crate) place: String,
    pub(crate) workspace: String,
    /// The contact whose message it is about: it is not shown once the message is read.
    pub(crate) contact: Option<String>,
    /// Actions of the buttons, with their labels.
    pub(crate) buttons: Vec<(Response, String)>,
}

struct EventNotification {
    kind: Kind,
    notification: Notification,
}

/// Whether an event may need a notification.
pub(crate) fn may_notify(event: &DeskEvent) -> bool {
    matches!(
        event,
        DeskEvent::TemplateStatusChanged { .. }
            | DeskEvent::TemplateCategoryChanged { .. }
            | DeskEvent::TemplateQualityChanged { .. }
            | DeskEvent::WebhooksFailing { .. }
            | DeskEvent::TokenExpiring { .. }
            | DeskEvent::MessageReceived { .. }
            | DeskEvent::MessagesReceived { .. }
            | DeskEvent::AccountNotice { .. }
    )
}

/// Shows notifications for events until all senders are dropped.
pub(crate) async fn run(mut events: mpsc::UnboundedReceiver<DeskEvent>, core: Core, bus: Arc<Bus>) {
    let mut pending: Pending = HashMap::new();
    let mut lookups = messages::Lookups::default();
    loop {
        let due = pending.values().map(|(due, _)| *due).min();
        let wait = async {
            match due {
                Some(due) => tokio::time::sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            event = events.recv() => {
                let Some(event) = event else { return };
                let preferences = core.workspaces.preferences();
                let language = core.workspaces.language();
                let workspace = match &event {
                    DeskEvent::WebhooksFailing { workspace, .. } | DeskEvent::AccountNotice { workspace, .. } => {
                        core.workspaces.workspace_name(workspace).await
                    }
                    _ => String::new(),
                };
                let found = match event {
                    DeskEvent::MessageReceived { workspace, contact }
                        if preferences.notified(&workspace).messages && lookups.take(Instant::now()) =>
                    {
                        messages::notification_for(&core, workspace, contact).await.into_iter().collect()
                    }
                    DeskEvent::MessagesReceived { workspace } if preferences.notified(&workspace).messages => {
                        messages::unread(&core, &workspace).await
                    }
                    event => notification_for(event, &workspace, language).into_iter().collect::<Vec<_>>(),
                };
                for EventNotification { kind, notification } in found {
                    if !kind.is_enabled(preferences.notified(&notification.workspace)) {
                        continue;
                    }
                    let due = Instant::now() + COLLECT_TIME;
                    let collected = &mut pending
                        .entry((kind, notification.workspace.clone()))
                        .or_insert((due, Vec::new()))
                        .1;
                    // Several messages of a contact in a row are one notification.
                    collected.retain(|other| other.contact.is_none() || other.contact != notification.contact);
                    collected.push(notification);
                }
            }
            () = wait => {
                let language = core.workspaces.language();
                messages::remove_read(&mut pending, Instant::now(), &core).await;
                for notification in shown(&mut pending, Instant::now(), language) {
                    bus.show(notification).await;
                }
            }
        }
    }
}

/// The collected notifications by kind and workspace, and when the collection ends.
type Pending = HashMap<(Kind, String), (Instant, Vec<Notification>)>;

/// Removes and returns the notifications whose collection has ended, single or combined.
fn shown(pending: &mut Pending, now: Instant, language: Language) -> Vec<Notification> {
    let mut shown = Vec::new();
    for ((kind, workspace), (_, notes)) in pending.extract_if(|_, (due, _)| *due <= now) {
        if notes.is_empty() {
            continue;
        }
        if notes.len() <= MAX_SINGLE {
            shown.extend(notes);
            continue;
        }
        let (sentence, place) = kind.combined();
        let title = sentence.translate(language, &[("count", &notes.len().to_string())]);
        let body = notes
            .iter()
            .take(MAX_SINGLE)
            .map(|notification| notification.title.as_str())
            .collect::<Vec<_>>()
            .join("\n")
            + "\n…";
        shown.push(Notification { title, body, place: place.to_owned(), workspace, ..Notification::default() });
    }
    shown
}

/// The notification for an event; `None` if it needs none.
fn notification_for(event: DeskEvent, workspace_name: &str, language: Language) -> Option<EventNotification> {
    let template = |reference: Option<String>| match reference {
        Some(reference) => format!("/templates/{}?tab=history", encoded(&reference)),
        None => "/templates".to_owned(),
    };
    let (kind, workspace, title, body, place) = match event {
        DeskEvent::TemplateStatusChanged { workspace, reference, name, language: of, event, reason, .. } => {
            let (kind, sentence) = match event.as_str() {
                "APPROVED" => (Kind::Reviews, Sentence::Approved),
                "REJECTED" => (Kind::Reviews, Sentence::Rejected),
                "PAUSED" => (Kind::Pauses, Sentence::Paused),
                "DISABLED" => (Kind::Pauses, Sentence::Disabled),
                // Intermediate statuses, and the person's own actions.
                "PENDING" | "IN_APPEAL" | "ARCHIVED" | "PENDING_DELETION" | "DELETED" => return None,
                _ => (Kind::Reviews, Sentence::Status),
            };
            let status = word(language, &format!("/status/{event}"), &event);
            let title = sentence.translate(language, &[("name", &name), ("language", &of), ("status", &status)]);
            let reason = reason.unwrap_or_default();
            let reason = word(language, &format!("/reasons/{reason}/title"), &reason).into_owned();
            (kind, workspace, title, reason, template(reference))
        }
        DeskEvent::TemplateCategoryChanged { workspace, reference, name, language: of, before, after, .. } => {
            let category =
                |name: &str| word(language, &format!("/category/{}", name.to_uppercase()), name).into_owned();
            let (before, after) = (before.as_deref().map(category), category(&after));
            let values = [("name", name.as_str()), ("language", &of), ("after", &after)];
            let title = Sentence::Category.translate(language, &values);
            let body = before.map(|before| format!("{before} → {after}")).unwrap_or_default();
            (Kind::Categories, workspace, title, body, template(reference))
        }
        DeskEvent::TemplateQualityChanged { workspace, reference, name, language: of, before, after, .. } => {
            let rating = before.as_deref().map(QualityRating::from);
            if !QualityRating::from(after.as_str()).has_dropped(rating.as_ref()) {
                return None;
            }
            let quality = |name: &str| word(language, &format!("/quality/{name}"), name).into_owned();
            let (before, after) = (before.as_deref().map(quality), quality(&after));
            let values = [("name", name.as_str()), ("language", &of), ("after", &after)];
            let title = Sentence::Quality.translate(language, &values);
            let body = before.map(|before| format!("{before} → {after}")).unwrap_or_default();
            (Kind::Quality, workspace, title, body, template(reference))
        }
        DeskEvent::WebhooksFailing { workspace, number, refused, .. } => {
            let sentence = if number.is_some() { Sentence::WebhooksOfNumber } else { Sentence::Webhooks };
            let values = [("workspace", workspace_name), ("number", number.as_deref().unwrap_or_default())];
            let body = Sentence::WebhooksBody.translate(language, &[("count", &refused.to_string())]);
            (Kind::Webhooks, workspace, sentence.translate(language, &values), body, REJECTED_PAGE.to_owned())
        }
        DeskEvent::TokenExpiring { workspace, name, days } => {
            let sentence = match days {
                ..0 => Sentence::TokenExpired,
                0 => Sentence::TokenExpiresToday,
                1 => Sentence::TokenExpiresTomorrow,
                _ => Sentence::TokenExpires,
            };
            let title = sentence.translate(language, &[("workspace", &name), ("days", &days.to_string())]);
            let place = format!("/settings?section=workspace&workspace={}", encoded(&workspace));
            (Kind::Tokens, workspace, title, Sentence::TokenBody.translate(language, &[]), place)
        }
        DeskEvent::AccountNotice { workspace, notice } if notice.severity != NoticeSeverity::Information => {
            let title = Sentence::Account.translate(language, &[("workspace", workspace_name)]);
            (Kind::Accounts, workspace, title, Sentence::AccountBody.translate(language, &[]), "/review".to_owned())
        }
        _ => return None,
    };
    let notification = Notification { title, body, place, workspace, ..Notification::default() };
    Some(EventNotification { kind, notification })
}

#[cfg(all(test, not(any(target_os = "macos", windows))))]
mod tests;
