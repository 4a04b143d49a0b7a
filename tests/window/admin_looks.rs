//! Appearance of the admin screens, light and wide, then dark and narrow: lists, dialogs and insights, each while open.

use std::time::Instant;

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::admin::{find_uuid, write_template};
use super::desktop::{Desktop, Keyring};
use super::looks::look;
use super::page::{POLL_INTERVAL, Page, TIMEOUT};
use super::provider::{Provider, connect};
use super::sending::compose;
use super::x_windows::{Windows, wait_until};

/// Script that finds clipped elements outside scroll containers.
const CUT: &str = include_str!("cut.js");
/// Both colour schemes and both widths; open dialogs stay open between them. `looks` checks the screens themselves in
/// all four combinations.
const APPEARANCES: [(&str, &str, u32, u32); 2] = [("light", "wide", 1280, 860), ("dark", "narrow", 800, 600)];

#[tokio::test]
async fn filters_selection_and_comparison() {
    let provider = Provider::start();
    let mut desktop = Desktop::start("admin-looks", Keyring::Unlocked);
    let page = desktop.open_app().await;
    connect(&page, &provider).await;
    page.find("row", "spring_sale").await;
    page.click("button", "Status").await;
    page.find("checkbox", "Approved").await;
    in_all_appearances(&page, "status").await;
    page.click("checkbox", "Approved").await;
    page.click("checkbox", "Paused").await;
    page.press(Key::Escape).await;
    page.find("button", "Remove Status: Paused").await;
    in_all_appearances(&page, "chips").await;
    page.click("button", "Filters").await;
    page.wait_for_text("Category changed").await;
    in_all_appearances(&page, "filters").await;
    page.press(Key::Escape).await;
    page.click("button", "Save view").await;
    page.find("dialog", "Save these filters as a view").await;
    in_all_appearances(&page, "save-view").await;
    page.click("button", "Cancel").await;
    page.click("button", "Clear all").await;

    // Selected templates, and the plan of the action.
    page.click("checkbox", "Select all").await;
    let selection = page.find("region", "Selection").await;
    in_all_appearances(&page, "selection").await;
    page.click_in(&selection, "button", "Archive").await;
    page.wait_for_text_in(("dialog", "Archive 17 templates"), "28 days").await;
    in_all_appearances(&page, "archive").await;
    page.click("button", "Cancel").await;
    let selection = page.find("region", "Selection").await;
    page.click_in(&selection, "button", "Delete").await;
    page.wait_for_text_in(("dialog", "Delete 17 templates"), "Type “delete 17” to confirm").await;
    in_all_appearances(&page, "delete").await;
    page.click("button", "Cancel").await;
    let selection = page.find("region", "Selection").await;
    page.click_in(&selection, "button", "Copy to…").await;
    page.click("menuitem", "Sandbox").await;
    page.wait_for_text("Choose the WABAs").await;
    in_all_appearances(&page, "copy").await;

    // A template that changed at the provider.
    let listed = provider.ask("GET", "/messaging/provider/workspace-templates?search=visit_reminder", &Value::Null);
    let uuid = find_uuid(&listed).unwrap();
    let components = json!([{ "type": "BODY", "text": "Sua visita é em {{1}} às {{2}}. Podemos confirmar o horário?",
        "example": { "body_text": [["12 de maio", "10h"]] } }]);
    let place = format!("/messaging/provider/workspace-templates/{uuid}");
    provider.ask("PUT", &place, &json!({ "components": components }));
    page.click("link", "Templates").await;
    page.click("radio", "Languages").await;
    page.find("grid", "Languages").await;
    in_all_appearances(&page, "languages").await;
    page.click("radio", "Templates").await;
    page.click("button", "Refresh from the provider").await;
    page.click("row", "visit_reminder").await;
    page.click("tab", "History").await;
    page.click("link", "Compare this version").await;
    page.find("region", "Differences").await;
    in_all_appearances(&page, "versions").await;
    page.click("tab", "History").await;
    page.find("list", "History").await;
    in_all_appearances(&page, "history").await;
    page.close().await;
}

#[tokio::test]
async fn imports_and_deletions() {
    let mut desktop = Desktop::start("admin-looks-files", Keyring::Unlocked);
    let folder = desktop.file("templates");
    std::fs::create_dir(&folder).unwrap();
    write_template(&folder, "garden_news", "As novidades do jardim chegaram, venha ver de perto.");
    write_template(&folder, "visit_reminder", "Sua visita é amanhã às dez. Podemos confirmar o horário?");
    std::fs::write(folder.join("broken.json"), "{ \"name\": \"bro").unwrap();
    let page = desktop.open_app().await;
    page.click("button", "Import").await;
    page.click("button", "Submit a folder").await;
    page.wait_for_text("No folder selected").await;
    in_all_appearances(&page, "import").await;
    desktop.answer_file_dialog(&folder);
    page.click("button", "Choose a folder").await;
    page.find("grid", "Preview of the changes").await;
    page.click("button", "visit_reminder").await;
    page.wait_for_text("amanhã").await;
    in_all_appearances(&page, "import-plan").await;
    page.click("button", "Submit").await;
    page.find("list", "Result for each template").await;
    in_all_appearances(&page, "import-done").await;

    // A deletion is recorded in the log.
    page.click("link", "Templates").await;
    page.search_templates("survey_thanks").await;
    page.click("checkbox", "Select survey_thanks en_US").await;
    let selection = page.find("region", "Selection").await;
    page.click_in(&selection, "button", "Delete").await;
    page.fill("textbox", "Type “survey_thanks” to confirm", "survey_thanks").await;
    let dialog = page.find("dialog", "Delete").await;
    page.click_in(&dialog, "button", "Delete").await;
    page.wait_for_slow_text_in(("region", "Progress"), "1 done").await;
    in_all_appearances(&page, "order").await;
    let done = page.find("region", "Progress").await;
    page.click_in(&done, "button", "Close").await;
    page.click("button", "More").await;
    page.click("menuitem", "Log of archived and deleted templates").await;
    page.wait_for_text_in(("dialog", "Log of archived and deleted templates"), "survey_thanks").await;
    in_all_appearances(&page, "log").await;
    page.press(Key::Escape).await;
    page.click("link", "Review").await;
    page.click("link", "Removed templates").await;
    page.find("row", "survey_thanks").await;
    in_all_appearances(&page, "removed").await;
    page.click("row", "survey_thanks").await;
    page.find("list", "History").await;
    in_all_appearances(&page, "removed-history").await;
    page.close().await;
}

#[tokio::test]
async fn insights_notifications_and_endpoints() {
    let provider = Provider::start();
    let mut desktop = Desktop::start("admin-looks-figures", Keyring::Unlocked);
    let page = desktop.open_app().await;
    compose(&page, "visit_reminder", "+55 11 91234-5678").await;
    page.click("button", "Fill with samples").await;
    page.click("button", "Send").await;
    page.wait_for_text_in(("region", "Delivery status"), "Read").await;
    page.click("link", "Insights").await;
    for (tab, truth) in
        [("Messages", "Delivery funnel"), ("Reviews", "How long reviews take"), ("Pricing", "Charged messages")]
    {
        page.click("tab", tab).await;
        page.wait_for_text(truth).await;
        in_all_appearances(&page, &tab.to_lowercase()).await;
    }
    page.click("link", "Settings").await;
    page.click("tab", "Notifications").await;
    page.click("switch", "Own settings for Sandbox").await;
    page.find("group", "Notifications for Sandbox").await;
    in_all_appearances(&page, "notifications").await;
    connect(&page, &provider).await;
    page.click("link", "Settings").await;
    page.click("link", "Flower shop").await;
    page.click("button", "Send test event").await;
    page.wait_for_text("No webhook secret").await;
    in_all_appearances(&page, "endpoints").await;
    page.close().await;
}

/// Checks the open screen light and wide, then dark and narrow.
pub(super) async fn in_all_appearances(page: &Page, name: &str) {
    for (scheme, size, width, height) in APPEARANCES {
        let dress = "document.documentElement.setAttribute('data-mantine-color-scheme', arguments[0])";
        page.run(dress, vec![json!(scheme)]).await;
        page.resize(width, height).await;
        let name = format!("{scheme}-{size}-{name}");
        look(page, &name).await;
        let cut = page.run(CUT, Vec::new()).await;
        assert_eq!(cut, json!([]), "{name} is cut off");
    }
}

#[tokio::test]
async fn the_open_section_of_the_settings_is_in_view_with_large_text() {
    let mut desktop = Desktop::start("settings-large", Keyring::Absent);
    let page = desktop.open_app().await;
    let windows = Windows::of(&desktop);
    let area = (0, 0, 900, 640);
    windows.place(area);
    wait_until("the window is small", || windows.area() == area).await;
    page.click("link", "Settings").await;
    page.click("tab", "Appearance").await;
    page.click("radio", "200%").await;
    let place = "const tab = document.querySelector('[role=tab][aria-selected=true]');
        const [{ left, right }, list] = [tab, tab.parentElement].map((of) => of.getBoundingClientRect());
        return parseFloat(getComputedStyle(document.documentElement).fontSize) > 24
            && left >= list.left - 1 && right <= list.right + 1;";
    page.wait_for_script(place, Vec::new(), "the open section is in view").await;
    page.screenshot("appearance").await;
    page.close().await;
}

#[tokio::test]
async fn columns_have_room_with_large_text() {
    let mut desktop =
        Desktop::start("columns-large", Keyring::Absent).with_sandbox("TEMPLATE_DESK_SANDBOX_SEED", "history");
    let page = desktop.open_app().await;
    page.resize(1_000, 700).await;
    page.click("link", "Settings").await;
    page.click("tab", "Appearance").await;
    page.click("radio", "200%").await;
    let large = "return parseFloat(getComputedStyle(document.documentElement).fontSize) > 24";
    page.wait_for_script(large, Vec::new(), "the text is large").await;
    page.click("link", "Templates").await;
    page.click("button", "Hide the first steps").await;
    let name = "const name = document.querySelector('[aria-label=Templates] [role=row] [class*=words]');
        name?.scrollIntoView({ block: 'center' });
        return name?.clientWidth > 250";
    page.wait_for_script(name, Vec::new(), "the names of templates have room").await;
    page.screenshot("templates").await;
    page.click("link", "Review").await;
    page.wait_for_text("tulip_cards").await;
    has_room(&page, "review", "[data-column] ul", 200).await;
    page.click("link", "Help").await;
    has_room(&page, "help", "article", 350).await;
    page.click("link", "Inbox").await;
    // Any contact: only rows in view exist, and their order depends on the time of day.
    let contacts = page.find("grid", "Contacts").await;
    page.click_in(&contacts, "row", "").await;
    page.find("region", "Reply").await;
    has_room(&page, "inbox", "[data-columns] > :last-child", 350).await;
    page.click("link", "Sends").await;
    page.click("link", "New send").await;
    page.click("row", "bouquets").await;
    page.find("button", "Fill with samples").await;
    has_room(&page, "new-send", "[data-columns] > :first-child", 600).await;
    page.close().await;
}

/// Waits until a part of the screen has both sides of this many pixels, and the screen does not scroll sideways.
async fn has_room(page: &Page, screen: &str, part: &str, least: u64) {
    let sizes = "const { width = 0, height = 0 } = document.querySelector(arguments[0])?.getBoundingClientRect() ?? {};
        const main = document.querySelector('main');
        return [Math.round(Math.min(width, height)), main.scrollWidth - main.clientWidth];";
    let started = Instant::now();
    loop {
        let found = page.run(sizes, vec![json!(part)]).await;
        if found[0].as_u64() >= Some(least) && found[1] == 0 {
            return page.screenshot(screen).await;
        }
        if started.elapsed() > TIMEOUT {
            page.screenshot(screen).await;
            panic!("{screen}: {found}");
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
