//! Background mode: the receiver, the tray icon and notifications keep running after the window is closed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use app::Core;
use app::ports::EventSink;
use command_types::Nothing;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::workspace::{AnswerClose, Presence, SetLoginStart};
use tauri::{AppHandle, Manager as _};
use tokio::sync::{Notify, mpsc};

use crate::i18n::Sentence;
use crate::login_start::LoginStart;
use crate::notify::{self, Bus, Notification, Response};
use crate::{raise_window, tray};

/// Time after the question whether to close within which closing again is the answer.
const CLOSED_TWICE: Duration = Duration::from_secs(20);

/// Background mode of the app.
#[derive(Clone, Debug)]
pub struct Background {
    handle: AppHandle,
    core: Core,
    events: EventSink,
    bus: Arc<Bus>,
    tray: Arc<AtomicBool>,
    /// Whether a second start raises the window of this one.
    second_start: bool,
    /// Whether this run already showed the notification that it continues without its window.
    notified: Arc<AtomicBool>,
    closing: Closing,
}

/// The question whether the app closes although something is running, which would end with it.
#[derive(Clone, Debug)]
struct Closing {
    handle: AppHandle,
    core: Core,
    events: EventSink,
    /// When the person was asked, until they answer.
    asked: Arc<Mutex<Option<Instant>>>,
}

impl Closing {
    /// Asks if something is running. Returns whether it did: who closes the window again at once means it, and a page that
    /// does not answer must not keep the app open.
    fn ask(&self) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.core.has_running_job() || asked.is_some_and(|at| at.elapsed() < CLOSED_TWICE) {
            return false;
        }
        *asked = Some(Instant::now());
        self.events.emit(DeskEvent::CloseAsked {});
        true
    }

    /// Quits the app, after the same question.
    fn quit(&self) {
        if self.ask() {
            raise_window(&self.handle);
        } else {
            self.handle.exit(0);
        }
    }

    fn answer(&self, close: bool) {
        match close {
            true => self.handle.exit(0),
            false => *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = None,
        }
    }
}

/// Passes events to the notifications and the tray icon. Collects the events that arrive before they are started.
#[derive(Clone, Debug)]
pub(crate) struct EventForwarder {
    events: mpsc::UnboundedSender<DeskEvent>,
    changed: Arc<Notify>,
}

/// The receiving end of [`EventForwarder`].
pub(crate) struct ForwardedEvents {
    events: mpsc::UnboundedReceiver<DeskEvent>,
    changed: Arc<Notify>,
}

impl EventForwarder {
    pub(crate) fn new() -> (Self, ForwardedEvents) {
        let (sender, events) = mpsc::unbounded_channel();
        let changed = Arc::new(Notify::new());
        (Self { events: sender, changed: changed.clone() }, ForwardedEvents { events, changed })
    }

    pub(crate) fn forward(&self, event: &DeskEvent) {
        if notify::may_notify(event) && self.events.send(event.clone()).is_err() {
            tracing::debug!("an event was dropped after the notifications ended");
        }
        let shown_in_the_tray = matches!(
            event,
            DeskEvent::ReceiverChanged { .. }
                | DeskEvent::WorkspacesChanged {}
                | DeskEvent::WebhooksFailing { .. }
                | DeskEvent::TokenExpiring { .. }
                | DeskEvent::PreferencesChanged {}
        );
        if shown_in_the_tray {
            self.changed.notify_one();
        }
    }
}

impl Background {
    /// Starts the notifications and shows the tray icon.
    pub(crate) fn start(
        handle: AppHandle,
        core: Core,
        events: EventSink,
        forwarded_events: ForwardedEvents,
        second_start: bool,
    ) -> Self {
        let closing =
            Closing { handle: handle.clone(), core: core.clone(), events: events.clone(), asked: Arc::default() };
        let on_response = {
            let (handle, events, closing) = (handle.clone(), events.clone(), closing.clone());
            move |answer: Response, notification: Notification| match answer {
                Response::Open => {
                    raise_window(&handle);
                    if !notification.place.is_empty() {
                        events.emit(DeskEvent::Open { place: notification.place, workspace: notification.workspace });
                    }
                }
                Response::Quit => closing.quit(),
            }
        };
        let bus = Arc::new(Bus::new(None, on_response.clone()));
        let tray = Arc::new(AtomicBool::new(false));
        let ForwardedEvents { events: notified, changed } = forwarded_events;
        tokio::spawn(notify::run(notified, core.clone(), bus.clone()));
        let clicked = move |answer| on_response(answer, Notification::default());
        tokio::spawn(tray::run(handle.clone(), core.clone(), changed, tray.clone(), clicked));
        Self { handle, core, events, bus, tray, second_start, notified: Arc::default(), closing }
    }

    /// What the desktop currently supports.
    pub async fn get_presence(&self, _request: Nothing) -> Result<Presence> {
        Ok(Presence {
            tray: self.tray.load(Ordering::SeqCst),
            can_notify: self.bus.is_available().await,
            second_start: self.second_start,
            starts_at_login: tokio::task::spawn_blocking(|| LoginStart::of_this_app().is_on())
                .await
                .unwrap_or_default(),
        })
    }

    /// Starts the app at login, or no longer does.
    ///
    /// # Errors
    /// [`DeskError::File`] if the system refuses it.
    pub async fn set_login_start(&self, request: SetLoginStart) -> Result<Presence> {
        let set = tokio::task::spawn_blocking(move || LoginStart::of_this_app().set(request.on)).await;
        set.map_err(|panic| DeskError::Internal { message: panic.to_string() })??;
        self.get_presence(Nothing {}).await
    }

    /// Asks the person whether the app should close while something is running. Returns whether it did.
    pub(crate) fn asks_before_closing(&self) -> bool {
        self.closing.ask()
    }

    /// Closes the app, or lets it run on, after [`DeskEvent::CloseAsked`].
    pub async fn answer_close(&self, request: AnswerClose) -> Result<Nothing> {
        self.closing.answer(request.close);
        Ok(Nothing {})
    }

    /// Shows the window after a start without it, unless the app keeps running with its window closed.
    pub(crate) fn show_unless_kept_running(&self) {
        if !self.can_hide() {
            raise_window(&self.handle);
        }
    }

    /// Whether the app runs without its window: that is switched on, and the window can be opened again.
    fn can_hide(&self) -> bool {
        self.core.workspaces.preferences().keep_running && (self.tray.load(Ordering::SeqCst) || self.second_start)
    }

    /// Closes the window and keeps the app running, if that is enabled and the window can be reopened. Returns whether
    /// it did.
    pub(crate) fn hide(&self) -> bool {
        let tray = self.tray.load(Ordering::SeqCst);
        if !self.can_hide() {
            return false;
        }
        let Some(window) = self.handle.get_webview_window("main") else { return false };
        if let Err(error) = window.hide() {
            tracing::warn!(%error, "the window cannot be hidden");
            return false;
        }
        if !self.notified.swap(true, Ordering::SeqCst) {
            self.events.emit(DeskEvent::WindowHidden {});
            let language = self.core.workspaces.language();
            let translate = |sentence: Sentence| sentence.translate(language, &[]);
            let body = if tray { Sentence::HiddenWithTray } else { Sentence::HiddenWithoutTray };
            let buttons =
                vec![(Response::Open, translate(Sentence::Open)), (Response::Quit, translate(Sentence::Quit))];
            let notification = Notification {
                title: translate(Sentence::Hidden),
                body: translate(body),
                buttons,
                ..Notification::default()
            };
            let bus = self.bus.clone();
            tauri::async_runtime::spawn(async move { bus.show(notification).await });
        }
        true
    }
}
