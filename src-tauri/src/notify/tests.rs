//! Tests of the texts, and of responses from a real notification service on a separate bus.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Mutex;

use command_types::conversations::ContactRow;

use super::*;
use crate::session_bus::SessionBus;

/// Timeout on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

fn status(event: &str, reason: Option<&str>) -> DeskEvent {
    DeskEvent::TemplateStatusChanged {
        workspace: "w".to_owned(),
        reference: Some("a/b".to_owned()),
        name: "sale".to_owned(),
        language: "en_US".to_owned(),
        event: event.to_owned(),
        reason: reason.map(str::to_owned),
        account: None,
    }
}

fn quality(before: Option<&str>, after: &str) -> DeskEvent {
    DeskEvent::TemplateQualityChanged {
        workspace: "w".to_owned(),
        reference: None,
        name: "sale".to_owned(),
        language: "en_US".to_owned(),
        before: before.map(str::to_owned),
        after: after.to_owned(),
        account: None,
    }
}

fn token(days: i64) -> DeskEvent {
    DeskEvent::TokenExpiring { workspace: "w".to_owned(), name: "Shop".to_owned(), days }
}

fn failing(number: Option<&str>) -> DeskEvent {
    let (workspace, reason) = ("w".to_owned(), command_types::receiver::Reason::SignatureMismatch);
    DeskEvent::WebhooksFailing { workspace, number: number.map(str::to_owned), refused: 3, reason }
}

fn account(severity: NoticeSeverity) -> DeskEvent {
    let notice = command_types::activity::AccountNotice {
        id: "1".to_owned(),
        at: 0,
        account: None,
        meaning: model::item::meaning::EventMeaning::AccountRestricted,
        severity,
        facts: Vec::new(),
        ends_at: None,
    };
    DeskEvent::AccountNotice { workspace: "w".to_owned(), notice }
}

#[test]
fn events_have_notifications_with_texts_and_targets() {
    let (en, pt, es) = (Language::English, Language::Portuguese, Language::Spanish);
    let history = "/templates/a%2Fb?tab=history";
    let settings = "/settings?section=workspace&workspace=w";
    let cases = [
        (status("APPROVED", None), en, Some((Kind::Reviews, "sale (en_US) is approved", history))),
        (status("REJECTED", Some("SCAM")), pt, Some((Kind::Reviews, "sale (en_US) foi rejeitado", history))),
        (status("NEW_WORD", None), es, Some((Kind::Reviews, "sale (en_US): NEW_WORD", history))),
        (status("PAUSED", None), es, Some((Kind::Pauses, "sale (en_US) está en pausa", history))),
        (status("PENDING", None), en, None),
        (status("ARCHIVED", None), en, None),
        (
            quality(Some("GREEN"), "YELLOW"),
            en,
            Some((Kind::Quality, "The quality of sale (en_US) fell to Medium", "/templates")),
        ),
        (quality(None, "RED"), en, Some((Kind::Quality, "The quality of sale (en_US) fell to Low", "/templates"))),
        (quality(None, "GREEN"), en, None),
        (quality(Some("RED"), "GREEN"), en, None),
        (quality(Some("RED"), "UNKNOWN"), en, None),
        (token(7), en, Some((Kind::Tokens, "The token of Shop expires in 7 days", settings))),
        (token(1), en, Some((Kind::Tokens, "The token of Shop expires tomorrow", settings))),
        (token(0), pt, Some((Kind::Tokens, "O token de Shop expira hoje", settings))),
        (token(-3), es, Some((Kind::Tokens, "El token de Shop ha caducado", settings))),
        (failing(None), en, Some((Kind::Webhooks, "Webhooks of Shop are rejected", REJECTED_PAGE))),
        (
            failing(Some("55")),
            en,
            Some((Kind::Webhooks, "Webhooks of the number 55 of Shop are rejected", REJECTED_PAGE)),
        ),
        (
            account(NoticeSeverity::Critical),
            en,
            Some((Kind::Accounts, "An account of Shop needs attention", "/review")),
        ),
        (account(NoticeSeverity::Information), en, None),
        (DeskEvent::WorkspacesChanged {}, en, None),
    ];
    for (event, language, expected) in cases {
        let found =
            notification_for(event.clone(), "Shop", language).map(|EventNotification { kind, notification }| {
                assert_eq!(notification.workspace, "w");
                (kind, notification.title, notification.place)
            });
        let expected = expected.map(|(kind, title, place)| (kind, title.to_owned(), place.to_owned()));
        assert_eq!(found, expected, "{event:?}");
    }
}

#[test]
fn a_flood_of_messages_is_not_looked_up_one_by_one() {
    let mut lookups = messages::Lookups::default();
    let now = Instant::now();
    assert_eq!((0..100).filter(|_| lookups.take(now)).count(), 20);
    assert!(lookups.take(now + COLLECT_TIME));
}

#[test]
fn many_messages_at_once_have_a_notification() {
    assert!(may_notify(&DeskEvent::MessagesReceived { workspace: "w".to_owned() }));
    let now = 1_795_000_000_000;
    let row = |contact: &str, outgoing, age| ContactRow {
        contact: contact.to_owned(),
        formatted: format!("+{contact}"),
        outgoing,
        last_at: now - age,
        unread: 1,
        ..ContactRow::default()
    };
    let rows = vec![row("1", false, 0), row("2", true, 0), row("3", false, 2 * 60 * 60 * 1_000), row("4", false, 1)];
    let found = messages::of_contacts(rows, "w", now);
    let places: Vec<_> = found.iter().map(|found| (&*found.notification.title, &*found.notification.place)).collect();
    assert_eq!(places, [("+1", "/inbox?contact=1"), ("+4", "/inbox?contact=4")], "ours and old ones are no news");
}

#[test]
fn many_notifications_of_a_kind_are_combined() {
    let now = Instant::now();
    let notification = |place: usize| Notification {
        title: format!("t{place}"),
        workspace: "w".to_owned(),
        ..Notification::default()
    };
    let mut pending: Pending = HashMap::new();
    pending.insert((Kind::Reviews, "w".to_owned()), (now, (0..4).map(notification).collect()));
    pending.insert((Kind::Pauses, "w".to_owned()), (now, (0..3).map(notification).collect()));
    pending.insert((Kind::Reviews, "other".to_owned()), (now + COLLECT_TIME, vec![notification(9)]));
    let mut shown = shown(&mut pending, now, Language::English);
    shown.sort_by(|one, other| one.title.cmp(&other.title));
    let titles: Vec<_> = shown.iter().map(|notification| notification.title.as_str()).collect();
    assert_eq!(titles, ["4 templates were reviewed", "t0", "t1", "t2"]);
    assert_eq!((shown[0].place.as_str(), shown[0].workspace.as_str()), ("/review", "w"));
    assert_eq!(shown[0].body, "t0\nt1\nt2\n…");
    assert_eq!(pending.len(), 1, "what may get more waits");
}

/// A request to the notification service: title, body and actions.
type Received = (String, String, Vec<String>);

/// A desktop's notification service.
struct Service {
    asked: Arc<Mutex<Vec<Received>>>,
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Service {
    fn get_capabilities(&self) -> Vec<String> {
        vec!["actions".to_owned(), "body".to_owned(), "body-markup".to_owned()]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        ("test".to_owned(), "test".to_owned(), "1".to_owned(), "1.2".to_owned())
    }

    #[expect(clippy::too_many_arguments, reason = "as the desktop's specification has it")]
    fn notify(
        &self,
        _app: String,
        _replaces: u32,
        _icon: String,
        title: String,
        body: String,
        actions: Vec<String>,
        _hints: HashMap<String, zbus::zvariant::OwnedValue>,
        _expires: i32,
    ) -> u32 {
        let mut asked = self.asked.lock().unwrap();
        asked.push((title, body, actions));
        u32::try_from(asked.len()).unwrap()
    }
}

async fn with_timeout<T>(what: &str, waiting: impl Future<Output = T>) -> T {
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

#[tokio::test]
async fn clicks_open_the_page_and_buttons_run_their_action() {
    let session = SessionBus::start();
    let (sender, mut on_response) = mpsc::unbounded_channel();
    let bus = Bus::new(Some(session.address.clone()), move |answer, notification: Notification| {
        let _nobody_waits = sender.send((answer, notification.place));
    });
    assert!(!bus.is_available().await, "no notification service is running yet");
    bus.show(Notification::default()).await;

    let asked = Arc::new(Mutex::new(Vec::new()));
    let desktop = zbus::connection::Builder::address(session.address.as_str())
        .unwrap()
        .serve_at("/org/freedesktop/Notifications", Service { asked: asked.clone() })
        .unwrap()
        .name("org.freedesktop.Notifications")
        .unwrap()
        .build()
        .await
        .unwrap();
    assert!(bus.is_available().await);
    let notification =
        |place: &str| Notification { title: "A & B".to_owned(), place: place.to_owned(), ..Notification::default() };
    bus.show(Notification { body: "<b> & more".to_owned(), ..notification("/first") }).await;
    bus.show(Notification { buttons: vec![(Response::Quit, "Quit".to_owned())], ..notification("/second") }).await;
    let actions = |more: &[&str]| [&["default", ""], more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        *asked.lock().unwrap(),
        [
            ("A & B".to_owned(), "&lt;b&gt; &amp; more".to_owned(), actions(&[])),
            ("A & B".to_owned(), String::new(), actions(&["quit", "Quit"])),
        ]
    );

    let signal = async |name: &str, body: (u32, &str)| {
        let (path, interface) = ("/org/freedesktop/Notifications", "org.freedesktop.Notifications");
        desktop.emit_signal(None::<()>, path, interface, name, &body).await.unwrap();
    };
    // Signals for other notifications and for unknown buttons are ignored.
    signal("ActionInvoked", (77, "default")).await;
    signal("ActionInvoked", (1, "default")).await;
    assert_eq!(with_timeout("the click", on_response.recv()).await, Some((Response::Open, "/first".to_owned())));
    signal("ActionInvoked", (1, "default")).await;
    signal("ActionInvoked", (2, "quit")).await;
    assert_eq!(with_timeout("the button", on_response.recv()).await, Some((Response::Quit, "/second".to_owned())));
    assert!(on_response.try_recv().is_err(), "each is answered once");
}
