//! Stored figures: correct for any order of events, and read without counting sends.

use std::time::Instant;

use rusqlite::Connection;
use store::Desk;
use store::desk::{
    Answer, CallState, FigureFilter, FigureKey, FunnelRow, OutcomeReport, Reply, SendKind, SendOutcome, SendRecord,
    Workspace,
};

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;
/// 2026-11-01.
const FIRST: i64 = 20_758;

async fn desk(dir: &tempfile::TempDir) -> Desk {
    let desk = Desk::open(&dir.path().join("desk.sqlite")).unwrap();
    let workspace = |id: &str| Workspace {
        id: id.to_owned(),
        position: 0,
        settings: "{}".to_owned(),
        created_at: 1,
        updated_at: 1,
    };
    desk.upsert_workspace(workspace("w")).await.unwrap();
    desk.upsert_workspace(workspace("v")).await.unwrap();
    desk
}

fn send(id: &str, day: i64, template: &str, language: &str, category: Option<&str>) -> SendRecord {
    SendRecord {
        id: id.to_owned(),
        workspace_id: "w".to_owned(),
        number: "1".to_owned(),
        recipient: "55".to_owned(),
        template_name: template.to_owned(),
        language: language.to_owned(),
        payload: "{}".to_owned(),
        tracking_id: Some(format!("td-{id}")),
        category: category.map(str::to_owned),
        created_at: day * DAY + 5,
        ..SendRecord::default()
    }
}

fn answer(state: CallState, status: Option<u16>, error: Option<&str>) -> Answer {
    Answer { state, status, body: None, error: error.map(str::to_owned), at: 1 }
}

fn report(id: &str, status: &str, at: i64) -> OutcomeReport {
    let of = |word: &str, json: &str| (status == word).then(|| json.to_owned());
    OutcomeReport {
        workspace_id: "w".to_owned(),
        message_id: format!("m-{id}"),
        tracking_id: Some(format!("td-{id}")),
        outcome: SendOutcome {
            status: status.to_owned(),
            at,
            seq: at,
            error: of("failed", r#"{"code":131049,"title":"held back"}"#),
            pricing: of("sent", r#"{"billable":true,"pricing_model":"PMP","category":"MARKETING"}"#),
            ..SendOutcome::default()
        },
        ..OutcomeReport::default()
    }
}

fn all(by: FigureKey) -> FigureFilter {
    FigureFilter {
        workspace_id: "w".to_owned(),
        by,
        from: None,
        to: None,
        template: None,
        language: None,
        category: None,
        numbers: None,
    }
}

/// Key, then sent, delivered, read, replied, failed, waiting; then codes.
type Row = (String, [u64; 6], Vec<(String, u64)>);

fn rows(figures: Vec<FunnelRow>) -> Vec<Row> {
    let row = |f: FunnelRow| {
        let codes = f.codes.into_iter().map(|figure| (figure.code, figure.count)).collect();
        (f.key, [f.sent, f.delivered, f.read, f.replied, f.failed, f.waiting], codes)
    };
    figures.into_iter().map(row).collect()
}

fn row(key: &str, figures: [u64; 6], codes: &[(&str, u64)]) -> Row {
    (key.to_owned(), figures, codes.iter().map(|(code, n)| ((*code).to_owned(), *n)).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_send_is_counted_by_its_most_decisive_status() {
    let accepted = || Some(answer(CallState::Accepted, Some(200), None));
    let refused = |status, error| Some(answer(CallState::Refused, status, Some(error)));
    let service = r#"{"code":"service","errorCode":"132001"}"#;
    type Case = (&'static str, Option<Answer>, Vec<(&'static str, i64)>, [u64; 6], &'static [(&'static str, u64)]);
    let cases: Vec<Case> = vec![
        ("about to leave", None, vec![], [0; 6], &[]),
        ("nothing heard", accepted(), vec![], [1, 0, 0, 0, 0, 1], &[]),
        ("perhaps gone", Some(answer(CallState::Unknown, None, None)), vec![], [1, 0, 0, 0, 0, 1], &[]),
        ("refused", refused(Some(404), service), vec![], [1, 0, 0, 0, 1, 0], &[("132001", 1)]),
        (
            "not let in",
            refused(Some(401), r#"{"code":"unauthorized"}"#),
            vec![],
            [1, 0, 0, 0, 1, 0],
            &[("HTTP 401", 1)],
        ),
        ("never left", refused(None, r#"{"code":"offline"}"#), vec![], [0; 6], &[]),
        ("in flight", accepted(), vec![("sent", 1)], [1, 0, 0, 0, 0, 0], &[]),
        ("in order", accepted(), vec![("sent", 1), ("delivered", 2), ("read", 3)], [1, 1, 1, 0, 0, 0], &[]),
        ("out of order", accepted(), vec![("read", 3), ("sent", 1), ("delivered", 2)], [1, 1, 1, 0, 0, 0], &[]),
        (
            "repeated",
            accepted(),
            vec![("sent", 1), ("delivered", 2), ("sent", 1), ("delivered", 2)],
            [1, 1, 0, 0, 0, 0],
            &[],
        ),
        (
            "failed after it was sent",
            accepted(),
            vec![("sent", 1), ("failed", 2)],
            [1, 0, 0, 0, 1, 0],
            &[("131049", 1)],
        ),
        (
            "sent told after it failed",
            accepted(),
            vec![("failed", 2), ("sent", 1)],
            [1, 0, 0, 0, 1, 0],
            &[("131049", 1)],
        ),
        ("delivered all the same", accepted(), vec![("failed", 2), ("delivered", 3)], [1, 1, 0, 0, 0, 0], &[]),
        ("a word that only informs", accepted(), vec![("warning", 1)], [1, 0, 0, 0, 0, 0], &[]),
        ("before the answer", None, vec![("delivered", 1)], [1, 1, 0, 0, 0, 0], &[]),
    ];
    for (what, answered, statuses, figures, codes) in cases {
        let dir = tempfile::tempdir().unwrap();
        let desk = desk(&dir).await;
        desk.record_send(send("a", FIRST, "promo", "en", Some("utility"))).await.unwrap();
        if let Some(answered) = answered {
            desk.finish_send("a", answered, Some("m-a".to_owned())).await.unwrap();
        }
        for (status, at) in statuses {
            desk.store_outcomes(vec![report("a", status, at)]).await.unwrap();
        }
        for (by, key) in
            [(FigureKey::Template, "promo"), (FigureKey::Language, "en"), (FigureKey::Day, FIRST.to_string().as_str())]
        {
            let expected = if figures[0] > 0 { vec![row(key, figures, codes)] } else { vec![] };
            assert_eq!(rows(desk.figures(all(by)).await.unwrap()), expected, "{what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_are_summed_and_filtered() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    // Three days before a month, the whole month, and two days after; a text; another workspace.
    let days = (FIRST - 3)..(FIRST + 32);
    for (place, day) in days.enumerate() {
        let id = format!("s{place}");
        let (template, language) = if place % 2 == 0 { ("promo", "en") } else { ("code", "es") };
        desk.record_send(send(&id, day, template, language, Some("utility"))).await.unwrap();
        let accepted = answer(CallState::Accepted, Some(200), None);
        desk.finish_send(&id, accepted, Some(format!("m-{id}"))).await.unwrap();
    }
    let text = SendRecord { kind: SendKind::Text, ..send("text", FIRST, "", "", None) };
    let other = SendRecord { workspace_id: "v".to_owned(), ..send("other", FIRST, "promo", "en", None) };
    for send in [text, other] {
        let id = send.id.clone();
        desk.record_send(send).await.unwrap();
        desk.finish_send(&id, answer(CallState::Accepted, Some(200), None), None).await.unwrap();
    }
    // The first is priced: it moves from the template's category to the priced one.
    desk.store_outcomes(vec![report("s0", "sent", 1)]).await.unwrap();
    assert_eq!(
        desk.store_replies(vec![reply("m-s0", 9), reply("m-s0", 7), reply("m-s0", 8)]).await.unwrap(),
        ["s0", "s0"]
    );
    assert_eq!(desk.send("s0").await.unwrap().unwrap().replied_at, Some(7), "the first answer");

    let sent = |figures: Vec<FunnelRow>| figures.into_iter().map(|f| (f.key, f.sent)).collect::<Vec<_>>();
    let pair = |key: &str, sent: u64| (key.to_owned(), sent);
    assert_eq!(
        rows(desk.figures(all(FigureKey::Category)).await.unwrap()),
        [row("marketing", [1, 0, 0, 1, 0, 0], &[]), row("utility", [34, 0, 0, 0, 0, 34], &[])]
    );
    for (from, to, expected) in [
        (None, None, vec![pair("code", 17), pair("promo", 18)]),
        // Whole months and the remaining days at both ends.
        (Some(FIRST - 2), Some(FIRST + 30), vec![pair("code", 17), pair("promo", 16)]),
        (Some(FIRST), Some(FIRST + 29), vec![pair("code", 15), pair("promo", 15)]),
        (Some(FIRST + 1), Some(FIRST + 1), vec![pair("promo", 1)]),
        (Some(FIRST - 900), Some(FIRST - 800), vec![]),
    ] {
        let filter = FigureFilter { from, to, ..all(FigureKey::Template) };
        assert_eq!(sent(desk.figures(filter).await.unwrap()), expected, "{from:?} {to:?}");
        let filter = FigureFilter { from, to, ..all(FigureKey::Day) };
        let total: u64 = desk.figures(filter).await.unwrap().iter().map(|f| f.sent).sum();
        assert_eq!(total, expected.iter().map(|(_, sent)| sent).sum::<u64>(), "{from:?} {to:?}");
    }
    for (template, language, category, expected) in [
        (Some("promo"), None, None, vec![pair("en", 18)]),
        (None, Some("es"), None, vec![pair("es", 17)]),
        (None, None, Some("marketing"), vec![pair("en", 1)]),
        (Some("promo"), Some("es"), None, vec![]),
    ] {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let (template, language, category) = (owned(template), owned(language), owned(category));
        let filter = FigureFilter { template, language, category, ..all(FigureKey::Language) };
        assert_eq!(sent(desk.figures(filter.clone()).await.unwrap()), expected, "{filter:?}");
    }
    let prices = desk.prices("w", (i64::MIN, i64::MAX), None).await.unwrap();
    let prices: Vec<_> =
        prices.iter().map(|(day, p)| (*day, p.category.as_str(), p.billable, p.free, p.unknown)).collect();
    assert_eq!(prices, [(FIRST - 3, "marketing", 1, 0, 0)], "an unreported message has no price");
    assert_eq!(desk.sent_days("w", (i64::MIN, i64::MAX), None).await.unwrap(), Some((FIRST - 3, FIRST + 31)));
    assert_eq!(desk.sent_days("w", (0, 9), None).await.unwrap(), None);
}

/// Figures, codes and prices of two numbers, also where a status moves a send to another row.
#[tokio::test(flavor = "multi_thread")]
async fn figures_and_prices_are_those_of_the_chosen_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    // A whole month, so that figures by template come from its sum.
    for (id, number, day) in [("a", "1", FIRST), ("b", "1", FIRST + 9), ("c", "2", FIRST + 29), ("d", "3", FIRST + 29)]
    {
        let send = SendRecord { number: number.to_owned(), ..send(id, day, "promo", "en", Some("marketing")) };
        desk.record_send(send).await.unwrap();
        desk.finish_send(id, answer(CallState::Accepted, Some(200), None), Some(format!("m-{id}"))).await.unwrap();
    }
    let reports = [("a", "sent", 1), ("a", "read", 2), ("b", "failed", 1), ("c", "sent", 1), ("c", "delivered", 2)];
    for (id, status, at) in reports {
        desk.store_outcomes(vec![report(id, status, at)]).await.unwrap();
    }
    let numbers = |chosen: &[&str]| Some(chosen.iter().map(|number| (*number).to_owned()).collect::<Vec<_>>());
    let held = &[("131049", 1)][..];
    for (chosen, figures, codes, charged, days) in [
        (None, [4, 2, 1, 0, 1, 1], held, 2, Some((FIRST, FIRST + 29))),
        (numbers(&["1"]), [2, 1, 1, 0, 1, 0], held, 1, Some((FIRST, FIRST + 9))),
        (numbers(&["2"]), [1, 1, 0, 0, 0, 0], &[][..], 1, Some((FIRST + 29, FIRST + 29))),
        (numbers(&["1", "2"]), [3, 2, 1, 0, 1, 0], held, 2, Some((FIRST, FIRST + 29))),
        (numbers(&["9"]), [0; 6], &[][..], 0, None),
    ] {
        let expected = |key: &str| if figures[0] > 0 { vec![row(key, figures, codes)] } else { vec![] };
        for (by, key) in
            [(FigureKey::Template, "promo"), (FigureKey::Language, "en"), (FigureKey::Category, "marketing")]
        {
            let range = (Some(FIRST), Some(FIRST + 29));
            for template in [None, Some("promo".to_owned())] {
                let filter = FigureFilter { from: range.0, to: range.1, template, numbers: chosen.clone(), ..all(by) };
                assert_eq!(rows(desk.figures(filter.clone()).await.unwrap()), expected(key), "{filter:?}");
            }
        }
        let prices = desk.prices("w", (FIRST, FIRST + 29), chosen.as_deref()).await.unwrap();
        assert_eq!(prices.iter().map(|(_, price)| price.billable).sum::<u64>(), charged, "{chosen:?}");
        assert_eq!(desk.sent_days("w", (i64::MIN, i64::MAX), chosen.as_deref()).await.unwrap(), days, "{chosen:?}");
    }
}

/// Since October 2026 the type of a price decides, regardless of `billable` (upstream §14.1).
#[tokio::test(flavor = "multi_thread")]
async fn the_type_of_a_price_decides_what_is_charged() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    for (number, pricing) in [
        r#"{"billable":false,"pricing_model":"PMP","type":"regular","category":"utility"}"#,
        r#"{"pricing_model":"PMP","type":"regular","category":"utility"}"#,
        r#"{"billable":true,"pricing_model":"PMP","type":"free_customer_service","category":"utility"}"#,
        r#"{"pricing_model":"PMP","type":"regular","subtype":"paid_exempt","category":"utility"}"#,
        r#"{"billable":true,"pricing_model":"PMP","category":"utility"}"#,
        r#"{"pricing_model":"PMP","category":"utility"}"#,
    ]
    .into_iter()
    .enumerate()
    {
        let id = number.to_string();
        desk.record_send(send(&id, FIRST, "promo", "en", None)).await.unwrap();
        desk.finish_send(&id, answer(CallState::Accepted, Some(200), None), Some(format!("m-{id}"))).await.unwrap();
        let mut report = report(&id, "delivered", 1);
        report.outcome.pricing = Some(pricing.to_owned());
        desk.store_outcomes(vec![report]).await.unwrap();
    }
    let prices = desk.prices("w", (i64::MIN, i64::MAX), None).await.unwrap();
    let prices: Vec<_> = prices.iter().map(|(_, p)| (p.category.as_str(), p.billable, p.free, p.unknown)).collect();
    assert_eq!(prices, [("utility", 3, 2, 1)]);
}

/// The price is reported with `sent`, and a message that then fails is not charged.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_failed_has_no_price_but_that_of_its_failure() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    for id in ["a", "b"] {
        desk.record_send(send(id, FIRST, "promo", "en", Some("marketing"))).await.unwrap();
        desk.finish_send(id, answer(CallState::Accepted, Some(200), None), Some(format!("m-{id}"))).await.unwrap();
        desk.store_outcomes(vec![report(id, "sent", 1)]).await.unwrap();
    }
    let charged = async || {
        let prices = desk.prices("w", (i64::MIN, i64::MAX), None).await.unwrap();
        prices.iter().map(|(_, price)| price.billable + price.free + price.unknown).sum::<u64>()
    };
    assert_eq!(charged().await, 2);
    let mut failures = [report("a", "failed", 2), report("b", "failed", 2)];
    failures[1].outcome.pricing = report("b", "sent", 1).outcome.pricing;
    desk.store_outcomes(failures.to_vec()).await.unwrap();
    assert_eq!(charged().await, 1);
}

fn reply(message: &str, at: i64) -> Reply {
    Reply { workspace_id: "w".to_owned(), message_id: message.to_owned(), at, is_tap: false }
}

/// Stored figures equal a count at any time: also after a salvage.
#[tokio::test(flavor = "multi_thread")]
async fn stored_figures_equal_a_recount() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("desk.sqlite");
    {
        let desk = desk(&dir).await;
        for number in 0_i64..60 {
            let id = number.to_string();
            let category = (number % 4 > 0).then_some("utility");
            let template = ["a", "b", "c"][number as usize % 3];
            let from = ["1", "2"][number as usize / 2 % 2].to_owned();
            let tappable = [None, Some(false), Some(true)][number as usize / 3 % 3];
            let send = SendRecord { number: from, tappable, ..send(&id, FIRST + number, template, "en", category) };
            desk.record_send(send).await.unwrap();
            let state = [CallState::Accepted, CallState::Unknown, CallState::Refused][number as usize / 7 % 3];
            desk.finish_send(&id, answer(state, Some(400), Some("{}")), Some(format!("m-{id}"))).await.unwrap();
            for word in ["read", "sent", "failed", "delivered"].into_iter().take(number as usize % 5) {
                desk.store_outcomes(vec![report(&id, word, number)]).await.unwrap();
            }
            if number % 6 == 0 {
                desk.store_replies(vec![reply(&format!("m-{id}"), 1)]).await.unwrap();
            }
            if number % 4 == 0 {
                let tap = Reply { is_tap: true, ..reply(&format!("m-{id}"), 2) };
                desk.store_replies(vec![tap]).await.unwrap();
            }
        }
    }
    let differing = |path: &std::path::Path| -> Vec<i64> {
        let file = Connection::open(path).unwrap();
        ["figure", "figure_code", "figure_price", "figure_cost"]
            .into_iter()
            .map(|table| {
                let (sums, view, keys) = match table {
                    "figure" => (
                        "sum(sent), sum(delivered), sum(read), sum(replied), sum(failed), sum(waiting), sum(clicked), \
                         sum(tappable)",
                        "send_figure",
                        "workspace_id, grain, template_name, period, language, category, number",
                    ),
                    "figure_code" => (
                        "count(*)",
                        "send_figure WHERE failed",
                        "workspace_id, grain, template_name, period, language, category, number, code",
                    ),
                    "figure_cost" => (
                        "sum(charged), sum(free), sum(unsaid)",
                        "send_cost",
                        "workspace_id, period, template_name, country, category, number",
                    ),
                    _ => (
                        "sum(billable), sum(free), sum(unknown)",
                        "send_price",
                        "workspace_id, period, category, model, number",
                    ),
                };
                let counted = format!("SELECT {keys}, {sums} FROM {view} GROUP BY {keys}");
                let kept = match table {
                    "figure" => "SELECT * FROM figure WHERE sent > 0",
                    "figure_code" => "SELECT * FROM figure_code WHERE n > 0",
                    "figure_cost" => "SELECT * FROM figure_cost WHERE charged + free + unsaid > 0",
                    _ => "SELECT * FROM figure_price WHERE billable + free + unknown > 0",
                };
                let sql = format!(
                    "SELECT (SELECT count(*) FROM ({counted} EXCEPT {kept})) + (SELECT count(*) FROM ({kept} EXCEPT {counted}))"
                );
                file.query_row(&sql, [], |row| row.get(0)).unwrap()
            })
            .collect()
    };
    assert_eq!(differing(&path), [0, 0, 0, 0]);
    let salvaged = store::desk::salvage(&path).unwrap();
    assert_eq!(differing(&salvaged.file), [0, 0, 0, 0]);
}

/// A million sends: time of a screen's queries, and cost of maintaining the figures. `cargo test -p store --release
/// --test integration figures -- --ignored --nocapture`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes a million sends"]
async fn figures_of_a_million_sends_are_read_without_counting() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(&dir).await;
    let file = Connection::open(dir.path().join("desk.sqlite")).unwrap();
    // A year, 1,000 templates in 10 languages, 3 categories.
    let fill = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 1000000)
        INSERT INTO send (id, workspace_id, number, recipient, template_name, language, payload, tracking_id, state,
          message_id, status, status_at, category, pricing_model, billable, failure_code, created_at)
        SELECT 's' || i, 'w', '1', '55', 'template_' || (i * 7919 % 1000), 'l' || (i * 7919 % 1000 % 10), '{}', 't' || i,
          'accepted', 'm' || i, CASE i % 10 WHEN 0 THEN 'failed' WHEN 1 THEN NULL WHEN 2 THEN 'delivered' ELSE 'read' END,
          1, 'category_' || (i * 7919 % 3), 'PMP', i % 2, CASE i % 10 WHEN 0 THEN '13' || (i % 7) END,
          (20393 + i % 365) * 86400000 FROM n";
    let begun = Instant::now();
    file.execute_batch(fill).unwrap();
    println!("1,000,000 sends with figures written in {:?}", begun.elapsed());
    for (what, filter) in [
        ("by template, a year", all(FigureKey::Template)),
        ("by template, 50 days", FigureFilter { from: Some(20_500), to: Some(20_550), ..all(FigureKey::Template) }),
        ("by category, a year", all(FigureKey::Category)),
        ("by day, a year", all(FigureKey::Day)),
        ("of a template by day", FigureFilter { template: Some("template_7".to_owned()), ..all(FigureKey::Day) }),
    ] {
        let mut times = Vec::new();
        for _ in 0..20 {
            let begun = Instant::now();
            desk.figures(filter.clone()).await.unwrap();
            times.push(begun.elapsed());
        }
        times.sort();
        println!("{what}: median {:?}, slowest {:?}", times[10], times[19]);
    }
    let begun = Instant::now();
    desk.prices("w", (i64::MIN, i64::MAX), None).await.unwrap();
    println!("prices, a year: {:?}", begun.elapsed());
    // Cost per send of maintaining them: with the triggers, and without.
    for (what, prepare) in [
        ("with figures", ""),
        (
            "without",
            "DROP TRIGGER send_moved; DROP TRIGGER send_uncounted; DROP TRIGGER send_counted_again;
              DROP TRIGGER send_unpriced; DROP TRIGGER send_priced; DROP TRIGGER send_cost_removed;
              DROP TRIGGER send_cost_changed;",
        ),
    ] {
        file.execute_batch(prepare).unwrap();
        let begun = Instant::now();
        file.execute_batch("BEGIN").unwrap();
        let mut update = file.prepare("UPDATE send SET status = ?2 WHERE id = ?1").unwrap();
        for number in 0..20_000 {
            for word in ["sent", "delivered", "read"] {
                update.execute((format!("s{}", number * 41), word)).unwrap();
            }
        }
        file.execute_batch("COMMIT").unwrap();
        println!("{what}: {:?} a status", begun.elapsed() / 60_000);
    }
}
