//! The window as a person's tools see it: elements by role and accessible name.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fantoccini::elements::{Element, ElementRef};
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

/// How long something may take to appear on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks.
const LOOK: Duration = Duration::from_millis(100);

/// Finds visible elements by role and accessible name, as the accessibility tree has them.
const FIND: &str = include_str!("find.js");

/// The page in the window.
pub(super) struct Page {
    pub(super) client: Client,
    screenshots: PathBuf,
}

impl Page {
    pub(super) fn new(client: Client, screenshots: PathBuf) -> Self {
        std::fs::create_dir_all(&screenshots).unwrap();
        Self { client, screenshots }
    }

    /// The one visible element of a role whose name is, or begins with, `name`.
    pub(super) async fn find(&self, role: &str, name: &str) -> Element {
        match self.look_for(role, name, PATIENCE).await {
            Some(element) => element,
            None => {
                self.screenshot("not-found").await;
                let seen = self.seen(role).await;
                panic!("no {role} “{name}” appeared; there are: {seen:?}\n{}", self.text().await);
            }
        }
    }

    /// The same, without waiting longer than `patience`.
    pub(super) async fn look_for(&self, role: &str, name: &str, patience: Duration) -> Option<Element> {
        let started = Instant::now();
        loop {
            let found = self.client.execute(FIND, vec![json!(role), json!(name)]).await;
            if let Ok(Value::Object(reference)) = found
                && let Some(id) = reference.values().next().and_then(Value::as_str)
            {
                return Some(Element::from_element_id(self.client.clone(), ElementRef::from(id.to_owned())));
            }
            if started.elapsed() > patience {
                return None;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// The names of all visible elements of a role.
    pub(super) async fn seen(&self, role: &str) -> Vec<String> {
        let names = self.client.execute(FIND, vec![json!(role), Value::Null]).await.unwrap_or_default();
        serde_json::from_value(names).unwrap_or_default()
    }

    /// Clicks an element, waiting until it can be clicked.
    pub(super) async fn click(&self, role: &str, name: &str) {
        let started = Instant::now();
        loop {
            let element = self.find(role, name).await;
            match element.click().await {
                Ok(()) => return,
                Err(error) if started.elapsed() > PATIENCE => {
                    self.screenshot("not-clickable").await;
                    panic!("{role} “{name}” cannot be clicked: {error}");
                }
                // Something moves or is in the way for a moment.
                Err(_) => tokio::time::sleep(LOOK).await,
            }
        }
    }

    /// Replaces what a field holds by typing.
    pub(super) async fn fill(&self, role: &str, name: &str, text: &str) {
        self.click(role, name).await;
        let field = self.find(role, name).await;
        let select_all = format!("{}a{}", Key::Control, Key::Null);
        field.send_keys(&select_all).await.unwrap();
        field.send_keys(&String::from(char::from(Key::Delete))).await.unwrap();
        if !text.is_empty() {
            field.send_keys(text).await.unwrap();
        }
    }

    /// Presses a key where the focus is.
    pub(super) async fn press(&self, key: Key) {
        let focused = self.client.active_element().await.unwrap();
        focused.send_keys(&String::from(char::from(key))).await.unwrap();
    }

    /// What a field holds.
    pub(super) async fn value(&self, role: &str, name: &str) -> String {
        self.find(role, name).await.prop("value").await.unwrap().unwrap_or_default()
    }

    /// Waits until the page shows a text.
    pub(super) async fn shows(&self, text: &str) {
        let started = Instant::now();
        while !self.text().await.contains(text) {
            if started.elapsed() > PATIENCE {
                self.screenshot("not-shown").await;
                panic!("“{text}” was not shown; the page shows:\n{}", self.text().await);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Everything the page shows.
    pub(super) async fn text(&self) -> String {
        match self.client.find(Locator::Css("body")).await {
            Ok(body) => body.text().await.unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// Keeps a picture for whoever looks at a run.
    pub(super) async fn screenshot(&self, name: &str) {
        if let Ok(png) = self.client.screenshot().await {
            std::fs::write(self.screenshots.join(format!("{name}.png")), png).unwrap();
        }
    }

    /// What axe-core finds against the screen as it stands: nothing serious is allowed.
    pub(super) async fn check_accessibility(&self, screen: &str) {
        const AXE: &str = include_str!("../../ui/node_modules/axe-core/axe.min.js");
        self.client.execute(AXE, Vec::new()).await.unwrap();
        let script = "const done = arguments[arguments.length - 1];
            axe.run(document, { resultTypes: ['violations'] }).then(
                found => done(found.violations.map(v => v.impact + ' ' + v.id + ': ' + v.nodes.map(n => n.html).join(' | '))),
                error => done(['axe failed: ' + error]));";
        let found = self.client.execute_async(script, Vec::new()).await.unwrap();
        let grave: Vec<String> = serde_json::from_value::<Vec<String>>(found)
            .unwrap()
            .into_iter()
            .filter(|line| line.starts_with("serious") || line.starts_with("critical") || line.starts_with("axe"))
            .collect();
        if !grave.is_empty() {
            self.screenshot("inaccessible").await;
        }
        assert!(grave.is_empty(), "{screen}: {grave:#?}");
    }

    /// Closes the window, as its person would, and waits for the app to end.
    pub(super) async fn close(self) {
        let _already_gone = self.client.close().await;
    }
}
