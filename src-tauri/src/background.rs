//! Background mode: the receiver, the tray icon and notifications keep running after the window is closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use api::Nothing;
use api::error::Result;
use api::event::DeskEvent;
use api::workspace::Presence as Seen;
use app::Core;
use app::ports::EventSink;
use tauri::{AppHandle, Manager as _};
use tokio::sync::{Notify, mpsc};

use crate::i18n::{Language, Sentence};
use crate::notify::{self, Answer, Bus, Note};
use crate::{raise, tray};

/// Background mode of the app.
#[derive(Clone, Debug)]
pub struct Presence {
    handle: AppHandle,
    core: Core,
    events: EventSink,
    bus: Arc<Bus>,
    tray: Arc<AtomicBool>,
    /// Whether a second start raises the window of this one.
    second_start: bool,
    /// Whether this run already showed the notification that it continues without its window.
    told: Arc<AtomicBool>,
}

/// Passes events to the notifications and the tray icon. Collects the events that arrive before they are started.
#[derive(Clone, Debug)]
pub(crate) struct Ears {
    events: mpsc::UnboundedSender<DeskEvent>,
    changed: Arc<Notify>,
}

/// The receiving end of [`Ears`].
pub(crate) struct Heard {
    events: mpsc::UnboundedReceiver<DeskEvent>,
    changed: Arc<Notify>,
}

impl Ears {
    pub(crate) fn new() -> (Self, Heard) {
        let (sender, events) = mpsc::unbounded_channel();
        let changed = Arc::new(Notify::new());
        (Self { events: sender, changed: changed.clone() }, Heard { events, changed })
    }

    pub(crate) fn hear(&self, event: &DeskEvent) {
        if notify::concerns(event) && self.events.send(event.clone()).is_err() {
            tracing::debug!("an event came after the notifications ended");
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

impl Presence {
    /// Starts the notifications and shows the tray icon.
    pub(crate) fn start(handle: AppHandle, core: Core, events: EventSink, heard: Heard, second_start: bool) -> Self {
        let answers = {
            let (handle, events) = (handle.clone(), events.clone());
            move |answer: Answer, note: Note| match answer {
                Answer::Open => {
                    raise(&handle);
                    if !note.place.is_empty() {
                        events.emit(DeskEvent::Open { place: note.place, workspace: note.workspace });
                    }
                }
                Answer::Quit => handle.exit(0),
            }
        };
        let bus = Arc::new(Bus::new(None, answers.clone()));
        let tray = Arc::new(AtomicBool::new(false));
        let Heard { events: told, changed } = heard;
        tokio::spawn(notify::run(told, core.clone(), bus.clone()));
        let clicked = move |answer| answers(answer, Note::default());
        tokio::spawn(tray::run(core.clone(), changed, tray.clone(), clicked));
        Self { handle, core, events, bus, tray, second_start, told: Arc::default() }
    }

    /// What the desktop currently supports.
    ///
    /// # Errors
    /// None so far.
    pub async fn get_presence(&self, _request: Nothing) -> Result<Seen> {
        Ok(Seen {
            tray: self.tray.load(Ordering::SeqCst),
            can_notify: self.bus.is_there().await,
            second_start: self.second_start,
        })
    }

    /// Closes the window and keeps the app running, if that is enabled and the window can be reopened. Returns whether
    /// it did.
    pub(crate) fn hide(&self) -> bool {
        let preferences = self.core.workspaces.preferences();
        let tray = self.tray.load(Ordering::SeqCst);
        if !preferences.keep_running || !(tray || self.second_start) {
            return false;
        }
        let Some(window) = self.handle.get_webview_window("main") else { return false };
        if let Err(error) = window.hide() {
            tracing::warn!(%error, "the window cannot be hidden");
            return false;
        }
        if !self.told.swap(true, Ordering::SeqCst) {
            self.events.emit(DeskEvent::WindowHidden {});
            let language = Language::of(&preferences.language);
            let say = |sentence: Sentence| sentence.say(language, &[]);
            let body = if tray { Sentence::HiddenWithTray } else { Sentence::HiddenWithoutTray };
            let buttons = vec![(Answer::Open, say(Sentence::Open)), (Answer::Quit, say(Sentence::Quit))];
            let note = Note { title: say(Sentence::Hidden), body: say(body), buttons, ..Note::default() };
            let bus = self.bus.clone();
            tauri::async_runtime::spawn(async move { bus.show(note).await });
        }
        true
    }
}
