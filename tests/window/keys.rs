//! Keyboard-only use: everything is reachable by Tab and the arrow keys, and operated by Enter, Space and typing.

use std::time::Instant;

use fantoccini::elements::Element;
use fantoccini::key::Key;
use serde_json::{Value, json};

use super::page::{ELEMENT, POLL_INTERVAL, Page, TIMEOUT};

/// Maximum number of key presses to reach an element.
const MAX_KEYS: usize = 400;

/// The element with the focus, or the one selected by the arrow keys while the focus stays in its field.
const IS_REACHED: &str = "const [element] = arguments;
    const active = document.activeElement;
    return element === active || element.hasAttribute('data-combobox-selected')
        || (active?.getAttribute('aria-activedescendant') ?? '') === (element.id || ' ');";
/// Whether the focus is in the same group as the element: a menu, a list of tabs, a set of radio buttons.
const IN_SAME_GROUP: &str = "const [element] = arguments;
    const active = document.activeElement;
    if (!active || active === document.body) return false;
    const group = '[role=menu], [role=tablist], [role=radiogroup], [role=listbox], [role=grid]';
    const around = element.closest(group);
    if (around && (around.contains(active) || active.getAttribute('aria-controls') === around.id)) return true;
    return element.matches('input[type=radio]') && active.matches('input[type=radio]') && active.name === element.name;";

impl Page {
    /// Moves the focus to an element by keyboard only.
    pub(super) async fn focus_by_keys(&self, role: &str, name: &str) -> Element {
        let element = self.find(role, name).await;
        self.focus_element_by_keys(&element, role, name).await;
        element
    }

    pub(super) async fn focus_element_by_keys(&self, element: &Element, role: &str, name: &str) {
        let started = Instant::now();
        let reference = json!({ ELEMENT: &*element.element_id() });
        for _ in 0..MAX_KEYS {
            if self.run(IS_REACHED, vec![reference.clone()]).await == Value::Bool(true) {
                return;
            }
            let in_same_group = self.run(IN_SAME_GROUP, vec![reference.clone()]).await == Value::Bool(true);
            let key = match role {
                "menuitem" | "option" | "radio" | "gridcell" if in_same_group => Key::Down,
                "tab" if in_same_group => Key::Right,
                // An opened menu or list takes the focus after a moment.
                "menuitem" | "option" if started.elapsed() < TIMEOUT / 4 => {
                    tokio::time::sleep(POLL_INTERVAL).await;
                    continue;
                }
                _ => Key::Tab,
            };
            self.press(key).await;
        }
        self.screenshot("not-reached").await;
        panic!("{role} “{name}” cannot be reached by keys");
    }

    /// Performs a click by keyboard.
    pub(super) async fn click_by_keys(&self, role: &str, name: &str) {
        self.focus_by_keys(role, name).await;
        let key = match role {
            "checkbox" | "switch" | "radio" => " ".to_owned(),
            _ => String::from(char::from(Key::Enter)),
        };
        let focused = self.client.active_element().await.unwrap();
        focused.send_keys(&key).await.unwrap();
    }
}
