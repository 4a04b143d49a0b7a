//! Duration of a keystroke in the largest valid template, measured in the window. A benchmark, not a test: `make bench`
//! runs it.

use serde_json::{Value, json};

use super::desktop::{Desktop, Keyring};

/// Types 200 times into the body, each time until the phone shows it. The baseline is the minimum wait of the page: a
/// round trip to the host with the same patch.
const TYPE: &str = "const done = arguments[arguments.length - 1];
    const field = document.querySelector('textarea[aria-label=\"Body text\"]');
    const phone = document.querySelector('figure');
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
    const base = field.value.slice(0, -8);
    const keys = [];
    const key = (turn) => {
        if (turn === 200) return trips([]);
        const mark = 'k' + String(turn).padStart(6, '0') + '.';
        const observer = new MutationObserver(() => {
            if (!phone.textContent.includes(mark)) return;
            observer.disconnect();
            keys.push(performance.now() - started);
            setTimeout(() => key(turn + 1), 30);
        });
        observer.observe(phone, { subtree: true, childList: true, characterData: true });
        const started = performance.now();
        set.call(field, base + mark);
        field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    const trips = async (times) => {
        const request = { template: arguments[0], files: { header: null, cards: [] }, samples: 'own', isEdit: false };
        const inspect = (payload) => window.__TAURI_INTERNALS__.invoke('inspect_template', payload);
        await inspect({ request, revision: 0 });
        for (let turn = 0; turn < 200; turn += 1) {
            const started = performance.now();
            const patch = [{ path: '/template/components/0/text', value: base + String(turn).padStart(8, '0') }];
            await inspect({ patch, base: turn, revision: turn + 1 });
            times.push(performance.now() - started);
        }
        done([keys, times]);
    };
    key(0);";

#[tokio::test]
#[ignore = "a measure, not a test"]
async fn keystroke() {
    let mut desktop = Desktop::start("keystroke", Keyring::Unlocked);
    let page = desktop.open_app().await;
    let template = largest();
    let file = desktop.file("largest.json");
    std::fs::write(&file, template.to_string()).unwrap();
    desktop.answer_file_dialog(&file);
    page.click("button", "Import").await;
    page.click("button", "Choose files").await;
    page.wait_for_text("Card text number 1").await;
    let times = page.client.execute_async(TYPE, vec![template]).await.unwrap();
    let [keys, trips] = [0, 1].map(|which| sorted(&times[which]));
    let at = |times: &[f64], share: usize| times[times.len() * share / 100];
    for share in [50, 95, 99] {
        let (key, trip) = (at(&keys, share), at(&trips, share));
        println!(
            "key to bubble, {share} of 100 within {key:>6.1} ms; to the host and back {trip:>6.1} ms; {:.2}",
            key / trip
        );
    }
    page.close().await;
}

fn sorted(times: &Value) -> Vec<f64> {
    let mut times: Vec<f64> = times.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// A body of 1 024 characters and ten cards.
fn largest() -> Value {
    let mut body = "Hello *{{1}}*, _tulips_ and ~roses~ for you. ".repeat(22);
    body.truncate(1000);
    body.push_str(" and now 1234567");
    let cards: Vec<Value> = (1..=10)
        .map(|card| {
            json!({"components": [
                {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::sample"]}},
                {"type": "BODY", "text": format!("Card text number {card} for {{{{1}}}} only, and only for this week."),
                 "example": {"body_text": [["Ana"]]}},
                {"type": "BUTTONS", "buttons": [
                    {"type": "QUICK_REPLY", "text": "More of these"},
                    {"type": "URL", "text": "Shop", "url": "https://shop.example/{{1}}", "example": ["https://shop.example/1"]}]}]})
        })
        .collect();
    json!({"name": "largest", "language": "en_US", "category": "marketing", "components": [
        {"type": "BODY", "text": body, "example": {"body_text": [["Ana"]]}},
        {"type": "CAROUSEL", "cards": cards}]})
}
