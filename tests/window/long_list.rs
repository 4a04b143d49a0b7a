//! A very long list of templates: visible rows are rendered, and neither the page nor its memory grows with the list.

use std::time::Instant;

use fantoccini::wd::TimeoutConfiguration;
use serde_json::{Value, json};

use super::desktop::{Desktop, Keyring};
use super::page::{POLL_INTERVAL, Page, TIMEOUT};
use super::provider::{Provider, connect};

/// Scrolls through a list and returns the observations.
pub(super) const SCROLL: &str = include_str!("scroll.js");
/// Maximum number of rendered rows, for any length of the list: the visible ones and some before and after them.
const MAX_ROWS: u64 = 60;

/// Observations of a list.
struct Seen {
    /// By kind of scrolling.
    walks: serde_json::Map<String, Value>,
    /// Memory of the web process, in MiB.
    memory: f64,
}

#[tokio::test]
async fn thousands_of_templates_scroll_without_a_blank_row() {
    check(&scroll("list-thousands", 3_000).await);
}

#[tokio::test]
#[ignore = "a measure of minutes; prints its figures"]
async fn a_hundred_thousand_templates_scroll_without_a_blank_row() {
    let few = scroll("list-thousand", 1_000).await;
    let many = scroll("list-hundred-thousand", 100_000).await;
    for (count, seen) in [(1_000, &few), (100_000, &many)] {
        println!("{count} templates: the page's process has {:.0} MiB", seen.memory);
        for (name, walk) in &seen.walks {
            println!("  {name}: {walk}");
        }
    }
    check(&few);
    check(&many);
    // Freed memory is returned late, so the same scrolling leaves a varying amount.
    let (few, many) = (few.memory, many.memory);
    assert!(many < 2.0 * few, "the window grows with its list: from {few:.0} to {many:.0} MiB");
}

fn check(seen: &Seen) {
    for (name, walk) in &seen.walks {
        assert_eq!(walk["atRest"]["blank"], json!(0), "after “{name}” rows stayed blank: {walk}");
        assert_eq!(walk["atRest"]["missing"], json!(0), "after “{name}” rows are missing: {walk}");
        assert!(walk["mostRows"].as_u64().unwrap() <= MAX_ROWS, "“{name}” drew too many rows: {walk}");
    }
}

/// Opens a window on a provider with this many templates, and scrolls through the whole list.
async fn scroll(name: &'static str, count: u64) -> Seen {
    let provider = Provider::start();
    provider.ask("POST", "/sandbox/templates", &json!({ "count": count }));
    let mut desktop = Desktop::start(name, Keyring::Unlocked);
    let page = desktop.open_app().await;
    connect(&page, &provider).await;
    // The sandbox archives one in fifty, which the list excludes.
    listed(&page, count - count / 50).await;
    let timeout = TimeoutConfiguration::new(Some(TIMEOUT * 15), None, None);
    page.client.update_timeouts(timeout).await.unwrap();
    let seen = page.client.execute_async(SCROLL, vec![json!("Templates")]).await.unwrap();
    page.screenshot("1-top").await;
    let memory = desktop.memory(Some("(WebKitWebProces"));
    page.close().await;
    let Value::Object(walks) = seen else { panic!("no rows were found: {seen}") };
    assert_eq!(walks.len(), 9, "every movement has a result");
    for end in ["End", "dragged through"] {
        assert!(walks[end]["place"].as_f64().unwrap() > 0.999, "“{end}” leads to the end: {}", walks[end]);
    }
    Seen { walks, memory }
}

/// Waits until the whole listing is loaded.
pub(super) async fn listed(page: &Page, count: u64) {
    let rows = "return Number(document.querySelector('[role=grid][aria-label=Templates]')?.ariaRowCount ?? 0)";
    let started = Instant::now();
    while page.run(rows, Vec::new()).await.as_u64().unwrap_or_default() < count {
        assert!(started.elapsed() < TIMEOUT * 30, "the listing was not fetched:\n{}", page.text().await);
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
