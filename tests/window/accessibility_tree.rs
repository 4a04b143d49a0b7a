//! The window as a screen reader gets it: the tree that the app exposes over AT-SPI.

use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zbus::Connection;
use zbus::zvariant::{DynamicType, OwnedObjectPath, Type};

use super::page::{POLL_INTERVAL, TIMEOUT};

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const REGISTRY: &str = "org.a11y.atspi.Registry";
const ROOT: &str = "/org/a11y/atspi/accessible/root";
/// Maximum number of accessible objects of one screen; long lists are drawn in part.
const MAX_NODES: usize = 5_000;
/// Places of `STATE_SHOWING` and `STATE_FOCUSED` in the state set of AT-SPI.
const SHOWING: u32 = 25;
const FOCUSED: u32 = 12;

/// An accessible object: the program that owns it, and its path there.
type Object = (String, OwnedObjectPath);

/// The role of an element, with its number in AT-SPI (`atspi-constants.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    CheckBox,
    ComboBox,
    Dialog,
    ListItem,
    MenuItem,
    Tab,
    Button,
    Radio,
    ToggleButton,
    Entry,
    Heading,
    Link,
    Landmark,
    /// Any other one.
    Other(u32),
}

impl Role {
    fn of(number: u32) -> Self {
        match number {
            7 => Self::CheckBox,
            11 => Self::ComboBox,
            16 => Self::Dialog,
            32 => Self::ListItem,
            35 => Self::MenuItem,
            37 => Self::Tab,
            43 => Self::Button,
            44 => Self::Radio,
            62 => Self::ToggleButton,
            79 => Self::Entry,
            83 => Self::Heading,
            88 => Self::Link,
            110 => Self::Landmark,
            number => Self::Other(number),
        }
    }

    /// Whether a person operates such an element, so that it must have a name.
    pub(super) fn is_operated(self) -> bool {
        !matches!(self, Self::Dialog | Self::ListItem | Self::Heading | Self::Landmark | Self::Other(_))
    }
}

/// What a screen reader says about an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spoken {
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) is_focused: bool,
}

/// A connection to the bus of assistive tools.
pub(super) struct AccessibilityTree(Connection);

impl AccessibilityTree {
    pub(super) async fn connect(address: &str) -> Self {
        // Without a timeout, a program that does not answer would be awaited for ever.
        let builder = zbus::connection::Builder::address(address).unwrap().method_timeout(TIMEOUT);
        Self(builder.build().await.unwrap())
    }

    /// The elements that are shown, in reading order.
    pub(super) async fn read(&self) -> Vec<Spoken> {
        let mut open = vec![(REGISTRY.to_owned(), OwnedObjectPath::try_from(ROOT).unwrap())];
        let mut spoken = Vec::new();
        let mut read = 0;
        while let Some(object) = open.pop() {
            read += 1;
            assert!(read < MAX_NODES, "the tree has no end");
            open.extend(self.children(&object).await.into_iter().rev());
            let states = self.ask::<Vec<u32>>(&object, "GetState").await.unwrap_or_default();
            let has = |state: u32| states.first().is_some_and(|bits| bits & (1 << state) != 0);
            if !has(SHOWING) {
                continue;
            }
            let role = Role::of(self.ask::<u32>(&object, "GetRole").await.unwrap_or_default());
            spoken.push(Spoken { role, name: self.name(&object).await, is_focused: has(FOCUSED) });
        }
        spoken
    }

    /// Waits until an element is shown that has this role, whose name begins with `name`, and, with `is_focused`, that
    /// has the focus. Returns everything that is shown then.
    async fn wait_for(&self, role: Role, name: &str, is_focused: bool) -> Vec<Spoken> {
        let started = Instant::now();
        loop {
            let spoken = self.read().await;
            let is_wanted =
                |one: &&Spoken| one.role == role && one.name.starts_with(name) && (one.is_focused || !is_focused);
            if spoken.iter().any(|one| is_wanted(&one)) {
                return spoken;
            }
            assert!(started.elapsed() < TIMEOUT, "no {role:?} “{name}” (focused: {is_focused}) in {spoken:#?}");
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until an element is shown that has this role and whose name begins with `name`. Everything that is
    /// operated on this screen must have a name then.
    pub(super) async fn says(&self, role: Role, name: &str) {
        let spoken = self.wait_for(role, name, false).await;
        let nameless: Vec<_> = spoken.iter().filter(|one| one.role.is_operated() && one.name.is_empty()).collect();
        assert!(
            nameless.is_empty(),
            "beside {role:?} “{name}” are elements without names: {nameless:?} in {spoken:#?}"
        );
    }

    /// As [`Self::says`], for the element with the focus.
    pub(super) async fn says_focus(&self, role: Role, name: &str) {
        self.wait_for(role, name, true).await;
    }

    /// The children of an object; none if it is gone by now.
    async fn children(&self, object: &Object) -> Vec<Object> {
        let children: Vec<Object> = self.ask(object, "GetChildren").await.unwrap_or_default();
        if !children.is_empty() {
            return children;
        }
        // The page belongs to another process, which the window knows only by its position.
        let embedded: Option<Object> = self.ask_with(object, "GetChildAtIndex", &(0_i32,)).await;
        embedded.into_iter().filter(|(owner, _)| !owner.is_empty()).collect()
    }

    async fn ask<T: DeserializeOwned + Type>(&self, object: &Object, method: &str) -> Option<T> {
        self.ask_with(object, method, &()).await
    }

    async fn ask_with<T, A>(&self, (owner, path): &Object, method: &str, arguments: &A) -> Option<T>
    where
        T: DeserializeOwned + Type,
        A: Serialize + DynamicType + Sync,
    {
        let answer = self.0.call_method(Some(owner.as_str()), path, Some(ACCESSIBLE), method, arguments).await.ok()?;
        answer.body().deserialize::<T>().ok()
    }

    async fn name(&self, (owner, path): &Object) -> String {
        let call = self.0.call_method(
            Some(owner.as_str()),
            path,
            Some("org.freedesktop.DBus.Properties"),
            "Get",
            &(ACCESSIBLE, "Name"),
        );
        let Ok(answer) = call.await else { return String::new() };
        let value = answer.body().deserialize::<zbus::zvariant::OwnedValue>().ok();
        value.and_then(|value| String::try_from(value).ok()).unwrap_or_default()
    }
}
