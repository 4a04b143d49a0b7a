//! The window as assistive tools see it: elements by role and accessible name.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fantoccini::Client;
use fantoccini::elements::{Element, ElementRef};
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use serde_json::{Value, json};

use super::screen;

/// Maximum time for something to appear on a busy machine.
pub(super) const TIMEOUT: Duration = Duration::from_secs(20);
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How long a step waits for a page that is not quiet, such as one that shows the progress of a job.
const QUIET_TIMEOUT: Duration = Duration::from_secs(5);

/// Longest timers of the page that a step waits for, and a picture: a draft that is being saved changes only what is shown.
const STEP_TIMERS: Duration = Duration::from_millis(150);
const PICTURE_TIMERS: Duration = Duration::from_millis(400);

/// Finds visible elements by role and accessible name, as in the accessibility tree.
const FIND: &str = include_str!("find.js");
const CLICK: &str = include_str!("click.js");

/// The key of an element reference (W3C WebDriver §11).
pub(super) const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputMethod {
    /// Mouse and typing.
    Mouse,
    /// Keyboard only.
    Keyboard,
}

/// The page in the window.
pub(super) struct Page {
    pub(super) client: Client,
    pub(super) hands: InputMethod,
    /// File with the pixels of the display.
    screen: PathBuf,
    screenshots: PathBuf,
}

impl Page {
    pub(super) fn new(client: Client, screen: PathBuf, screenshots: PathBuf) -> Self {
        std::fs::create_dir_all(&screenshots).unwrap();
        Self { client, hands: InputMethod::Mouse, screen, screenshots }
    }

    /// The only visible element of a role whose name is, or begins with, `name`.
    pub(super) async fn find(&self, role: &str, name: &str) -> Element {
        self.found(role, name, None).await
    }

    /// As [`Self::find`], within another element.
    pub(super) async fn find_in(&self, place: (&str, &str), role: &str, name: &str) -> Element {
        let place = self.find(place.0, place.1).await;
        self.found(role, name, Some(&place)).await
    }

    async fn found(&self, role: &str, name: &str, place: Option<&Element>) -> Element {
        match self.find_within(role, name, place, TIMEOUT).await {
            Some(element) => element,
            None => {
                self.screenshot("not-found").await;
                let seen = self.names_of(role).await;
                panic!("no {role} “{name}” appeared; there are: {seen:?}\n{}", self.text().await);
            }
        }
    }

    /// As [`Self::find`], with the timeout `timeout`.
    pub(super) async fn find_within(
        &self,
        role: &str,
        name: &str,
        place: Option<&Element>,
        timeout: Duration,
    ) -> Option<Element> {
        let started = Instant::now();
        let place = place.map_or(Value::Null, |place| json!({ ELEMENT: &*place.element_id() }));
        loop {
            let found = self.run(FIND, vec![json!(role), json!(name), place.clone()]).await;
            if let Value::Object(reference) = found
                && let Some(id) = reference.values().next().and_then(Value::as_str)
            {
                return Some(Element::from_element_id(self.client.clone(), ElementRef::from(id.to_owned())));
            }
            if started.elapsed() > timeout {
                return None;
            }
            self.settle().await;
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until nothing is pending in the page (`ui/src/lib/quiet.ts`). A page that stays busy is used as it is, and
    /// what it waits for is printed.
    pub(super) async fn settle(&self) {
        self.settle_with(STEP_TIMERS).await;
    }

    async fn settle_with(&self, timers: Duration) {
        const QUIET: &str = "const [wait, timers, done] = arguments;
            if (window.__quiet) window.__quiet(wait, timers).then(done, (error) => done([String(error)])); else done([]);";
        let limits = [QUIET_TIMEOUT, timers].map(|limit| json!(u64::try_from(limit.as_millis()).unwrap())).to_vec();
        let quiet = tokio::time::timeout(QUIET_TIMEOUT * 2, self.client.execute_async(QUIET, limits)).await;
        // A page that is being left, or whose process has ended, has no answer.
        if let Ok(Ok(Value::Array(pending))) = quiet
            && !pending.is_empty()
        {
            println!("the page is not quiet: {pending:?}");
        }
    }

    /// The names of all visible elements of a role.
    pub(super) async fn names_of(&self, role: &str) -> Vec<String> {
        let names = self.run(FIND, vec![json!(role), Value::Null, Value::Null]).await;
        serde_json::from_value(names).unwrap_or_default()
    }

    /// Clicks an element after it has become clickable.
    pub(super) async fn click(&self, role: &str, name: &str) {
        if self.hands == InputMethod::Keyboard {
            return self.click_by_keys(role, name).await;
        }
        self.click_found(role, name, None).await;
    }

    /// As [`Self::click`], within another element.
    pub(super) async fn click_in(&self, place: &Element, role: &str, name: &str) {
        self.click_found(role, name, Some(place)).await;
    }

    async fn click_found(&self, role: &str, name: &str, place: Option<&Element>) {
        let started = Instant::now();
        loop {
            self.settle().await;
            let element = self.found(role, name, place).await;
            let reference = json!({ ELEMENT: &*element.element_id() });
            match self.run(CLICK, vec![reference]).await {
                Value::Null => return,
                // An animation or another element may cover it for a moment.
                answer if started.elapsed() > TIMEOUT => {
                    self.screenshot("not-clickable").await;
                    panic!("{role} “{name}” cannot be clicked: {answer:?}");
                }
                _ => tokio::time::sleep(POLL_INTERVAL).await,
            }
        }
    }

    /// Switches to the workspace whose settings are open. The switch ends on its first screen.
    pub(super) async fn switch_workspace(&self, workspace: &str) {
        let button = format!("Work in “{workspace}”");
        self.click("button", &button).await;
        let started = Instant::now();
        loop {
            let buttons = self.names_of("button").await;
            if buttons.iter().any(|name| name == "New template") && !buttons.contains(&button) {
                return;
            }
            assert!(started.elapsed() < TIMEOUT, "“{workspace}” was not changed to; there are: {buttons:?}");
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Shows `field` of the sandbox's settings for developers, which are open already when something is set there.
    pub(super) async fn open_sandbox_settings(&self, field: &str) {
        self.find("button", "Save settings").await;
        if self.find_within("combobox", field, None, Duration::ZERO).await.is_none() {
            self.click("button", "For developers").await;
        }
    }

    /// Adds a phone of the sandbox, on its screen.
    pub(super) async fn add_phone(&self, number: &str, name: &str) {
        self.click("button", "Add a phone").await;
        self.fill("textbox", "Number", number).await;
        self.fill("textbox", "Name", name).await;
        self.click("button", "Add").await;
    }

    /// Searches the list of templates for `text`. The list is filtered at every pause in typing, which clears an
    /// earlier selection.
    pub(super) async fn search_templates(&self, text: &str) {
        self.fill("textbox", "Search", text).await;
        self.wait_for_text(&format!("“{text}”")).await;
    }

    /// Replaces the content of a field by typing.
    pub(super) async fn fill(&self, role: &str, name: &str, text: &str) {
        self.fill_found(None, role, name, text).await;
    }

    /// As [`Self::fill`], within another element.
    pub(super) async fn fill_in(&self, place: (&str, &str), role: &str, name: &str, text: &str) {
        self.fill_found(Some(place), role, name, text).await;
    }

    async fn fill_found(&self, place: Option<(&str, &str)>, role: &str, name: &str, text: &str) {
        let started = Instant::now();
        self.settle().await;
        loop {
            let field = match place {
                Some(place) => self.find_in(place, role, name).await,
                None => self.find(role, name).await,
            };
            self.go_into(&field, role, name).await;
            match self.type_into(&field, text).await {
                Ok(()) => return,
                // The page has rendered the field again since it was found.
                Err(error) if error.is_stale_element_reference() && started.elapsed() < TIMEOUT => {}
                Err(error) => panic!("{role} “{name}” cannot be filled: {error}"),
            }
        }
    }

    async fn go_into(&self, field: &Element, role: &str, name: &str) {
        if self.hands == InputMethod::Keyboard {
            return self.focus_element_by_keys(field, role, name).await;
        }
        let started = Instant::now();
        loop {
            match self.run(CLICK, vec![json!({ ELEMENT: &*field.element_id() })]).await {
                Value::Null => return,
                // A notification may cover it for a moment.
                answer => assert!(started.elapsed() < TIMEOUT, "{role} “{name}” cannot be clicked: {answer:?}"),
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    async fn type_into(&self, field: &Element, text: &str) -> Result<(), CmdError> {
        let select_all = format!("{}a{}", Key::Control, Key::Null);
        field.send_keys(&select_all).await?;
        field.send_keys(&String::from(char::from(Key::Delete))).await?;
        if text.is_empty() { Ok(()) } else { field.send_keys(text).await }
    }

    /// Presses a key on the focused element.
    pub(super) async fn press(&self, key: Key) {
        self.settle().await;
        let focused = self.client.active_element().await.unwrap();
        focused.send_keys(&String::from(char::from(key))).await.unwrap();
    }

    /// The content of a field.
    pub(super) async fn value(&self, role: &str, name: &str) -> String {
        self.find(role, name).await.prop("value").await.unwrap().unwrap_or_default()
    }

    /// Waits until an empty field shows a placeholder.
    pub(super) async fn wait_for_placeholder(&self, name: &str, hint: &str) {
        let started = Instant::now();
        loop {
            // The field may have been rendered again since it was found.
            let placeholder =
                self.find("textbox", name).await.attr("placeholder").await.ok().flatten().unwrap_or_default();
            if placeholder.starts_with(hint) {
                return;
            }
            if started.elapsed() > TIMEOUT {
                self.screenshot("no-hint").await;
                panic!("the field “{name}” says “{placeholder}”, not “{hint}”");
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until the page shows a text.
    pub(super) async fn wait_for_text(&self, text: &str) {
        let started = Instant::now();
        while !self.text().await.contains(text) {
            if started.elapsed() > TIMEOUT {
                self.screenshot("not-shown").await;
                panic!("“{text}” was not shown; the page shows:\n{}", self.text().await);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until the page is drawn in the colour scheme `light` or `dark`.
    pub(super) async fn wait_for_scheme(&self, scheme: &str) {
        const SCHEME: &str = "return document.documentElement.dataset.mantineColorScheme === arguments[0]";
        self.wait_for_script(SCHEME, vec![json!(scheme)], &format!("the page is {scheme}")).await;
    }

    /// Sizes the window, and waits until the page has its width.
    pub(super) async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_size(width, height).await.unwrap();
        self.wait_for_script(
            "return innerWidth === arguments[0]",
            vec![json!(width)],
            &format!("the window is {width} wide"),
        )
        .await;
    }

    /// Waits until a script returns `true`.
    pub(super) async fn wait_for_script(&self, script: &str, arguments: Vec<Value>, what: &str) {
        let started = Instant::now();
        while self.run(script, arguments.clone()).await != Value::Bool(true) {
            if started.elapsed() > TIMEOUT {
                self.screenshot("not-true").await;
                panic!("timed out waiting until {what}; the page shows:\n{}", self.text().await);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until an element of the page shows a text.
    pub(super) async fn wait_for_text_in(&self, place: (&str, &str), text: &str) {
        self.wait_for_text_within(place, text, TIMEOUT).await;
    }

    /// As [`Self::wait_for_text_in`], with a timeout for work on hundreds of items on a busy machine.
    pub(super) async fn wait_for_slow_text_in(&self, place: (&str, &str), text: &str) {
        self.wait_for_text_within(place, text, TIMEOUT * 6).await;
    }

    async fn wait_for_text_within(&self, place: (&str, &str), text: &str, timeout: Duration) {
        let started = Instant::now();
        loop {
            let shown = self.text_of(place).await;
            if shown.contains(text) {
                return;
            }
            if started.elapsed() > timeout {
                self.screenshot("not-shown").await;
                panic!("{} “{}” does not show “{text}” but:\n{shown}", place.0, place.1);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// The text of an element, in one line.
    pub(super) async fn text_of(&self, place: (&str, &str)) -> String {
        let element = json!({ ELEMENT: &*self.find(place.0, place.1).await.element_id() });
        let shown = self.run("return arguments[0].innerText", vec![element]).await;
        shown.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) async fn text(&self) -> String {
        self.run("return document.body.innerText", Vec::new()).await.as_str().unwrap_or_default().to_owned()
    }

    /// Saves a picture of the screen: the window as a person sees it, including native dialogs.
    pub(super) async fn screenshot(&self, name: &str) {
        self.settle_with(PICTURE_TIMERS).await;
        let picture = screen::picture(&std::fs::read(&self.screen).unwrap());
        picture.save(self.screenshot_file(name)).unwrap();
    }

    pub(super) fn screenshot_file(&self, name: &str) -> PathBuf {
        self.screenshots.join(format!("{name}.png"))
    }

    /// Runs a script; fails the test if the driver never responds.
    pub(super) async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        let running = self.client.execute(script, arguments);
        match tokio::time::timeout(TIMEOUT, running).await {
            Ok(answer) => answer.unwrap_or_default(),
            Err(_) => panic!("the driver does not answer to {}…", &script[..script.len().min(60)]),
        }
    }

    /// Checks with axe-core what only a page that is laid out and painted shows: contrast, and areas that scroll.
    /// `ui/test/axe.test.tsx` checks everything else.
    pub(super) async fn check_accessibility(&self, screen: &str) {
        const AXE: &str = include_str!("../../ui/node_modules/axe-core/axe.min.js");
        const RUN: &str = "const done = arguments[0];
            const rules = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];
            axe.run(document, { runOnly: rules, resultTypes: ['violations'] }).then(
                found => done(found.violations.map(v => v.impact + ' ' + v.id + ': ' + v.nodes.map(n => n.html).join(' | '))),
                error => done(['axe failed: ' + error]));";
        self.settle().await;
        if self.run("return typeof axe === 'object'", Vec::new()).await != Value::Bool(true) {
            self.client.execute(AXE, Vec::new()).await.unwrap();
        }
        let found = self.client.execute_async(RUN, Vec::new()).await.unwrap();
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

    /// Closes the window, as its button does, and waits for the app to end.
    pub(super) async fn close(self) {
        let _already_gone = self.client.close().await;
    }
}
