//! Figures: sends with real webhooks, reviews, prices, and the bytes of their exports.

use command_types::error::DeskError;
use command_types::insights::{
    CodeFigure, CoverageNote, ExportInsights, FunnelBy, FunnelQuery, FunnelRow, InsightsKind, PricingQuery, PricingRow,
    ReviewQuery,
};
use command_types::workspace::SendingNumber;
use serde_json::{Value, json};

use super::sending::{Desk, answer_with, hello, list};
use super::webhooks::{envelope, status};

fn funnel(desk: &Desk, by: FunnelBy) -> FunnelQuery {
    FunnelQuery { workspace: desk.workspace(), by, limit: 10, ..FunnelQuery::default() }
}

fn priced(message: &str, word: &str, seconds: u64) -> Value {
    let mut status = status(message, word, "5511987654321", seconds);
    status["pricing"] = json!({"billable": true, "pricing_model": "PMP", "category": "marketing"});
    status
}

fn reply(message: &str, id: &str, kind: Value) -> Value {
    let mut reply = json!({"from": "5511987654321", "id": id, "timestamp": "1763700000",
        "context": {"from": "1", "id": message}});
    reply.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
    json!({"messages": [reply], "contacts": [{"wa_id": "5511987654321"}]})
}

#[tokio::test]
async fn sends_are_counted_in_the_funnel() {
    let mut desk =
        Desk::start(&[hello(), json!({"name": "=promo", "components": [{"type": "BODY", "text": "Olá a todos"}]})])
            .await;
    for (reference, message) in [("t1", "wamid.1"), ("t1", "wamid.2"), ("t1", "wamid.3"), ("t2", "wamid.4")] {
        answer_with(&desk.provider, message);
        let values: &[(&str, &str)] = if reference == "t1" { &[("body.1", "Ana")] } else { &[] };
        desk.core().messaging.send_template(desk.request(reference, values)).await.unwrap();
    }
    // Refused immediately.
    desk.provider.answer_json(
        "POST ",
        "400 Bad Request",
        &json!({"error": {"code": 132_000, "message": "Parameters"}}),
    );
    desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Bia")])).await.unwrap();

    // The tap is delivered before the statuses, which are out of order and repeated.
    let tap = json!({"type": "button", "button": {"payload": "STOP", "text": "Stop"}});
    desk.deliver(&envelope(reply("wamid.1", "in.1", tap))).await;
    let heart = json!({"type": "reaction", "reaction": {"message_id": "wamid.2", "emoji": "❤"}});
    desk.deliver(&envelope(reply("wamid.2", "in.2", heart))).await;
    let statuses = [priced("wamid.1", "read", 30), priced("wamid.1", "sent", 10)];
    for _ in 0..2 {
        desk.deliver(&envelope(json!({"statuses": statuses}))).await;
    }
    let statuses = [
        priced("wamid.2", "sent", 10),
        status("wamid.3", "sent", "5511987654321", 10),
        status("wamid.3", "failed", "5511987654321", 20),
    ];
    desk.deliver(&envelope(json!({"statuses": statuses}))).await;

    let code = |code: &str| CodeFigure { code: code.to_owned(), count: 1 };
    let hello = FunnelRow {
        key: "hello".to_owned(),
        sent: 4,
        delivered: 1,
        read: 1,
        replied: 1,
        clicked: 1,
        tappable: 1,
        failed: 2,
        waiting: 0,
        codes: vec![code("131053"), code("132000")],
    };
    let promo = FunnelRow { key: "=promo".to_owned(), sent: 1, waiting: 1, ..FunnelRow::default() };
    let shown = desk.core().insights.get_funnel(funnel(&desk, FunnelBy::Template)).await.unwrap();
    assert_eq!(shown.rows, [hello.clone(), promo.clone()]);
    let total = FunnelRow { key: String::new(), sent: 5, waiting: 1, ..hello.clone() };
    assert_eq!((&shown.total, shown.more, shown.covers.sends), (&total, 0, 5));
    assert_eq!(
        shown.covers.notes,
        [CoverageNote::Elsewhere, CoverageNote::TemplatesOnly, CoverageNote::RepliesByContext]
    );
    assert!(shown.covers.from.is_some() && shown.covers.from <= shown.covers.to);

    let keys = async |query: FunnelQuery| {
        let shown = desk.core().insights.get_funnel(query).await.unwrap();
        (shown.rows.into_iter().map(|row| (row.key, row.sent)).collect::<Vec<_>>(), shown.more)
    };
    let pair = |key: &str, sent| (key.to_owned(), sent);
    let today = chrono::Utc::now().format("%Y-%m-%d").to_string();
    // Priced as marketing; the others count under the template's category.
    let (rows, more) = keys(funnel(&desk, FunnelBy::Category)).await;
    assert_eq!((rows, more), (vec![pair("utility", 3), pair("marketing", 2)], 0));
    assert_eq!(keys(FunnelQuery { limit: 1, ..funnel(&desk, FunnelBy::Template) }).await, (vec![pair("hello", 4)], 1));
    let of_promo = FunnelQuery { template: Some("=promo".to_owned()), ..funnel(&desk, FunnelBy::Language) };
    assert_eq!(keys(of_promo).await.0, [pair("pt_BR", 1)]);
    let by_month = keys(funnel(&desk, FunnelBy::Month)).await.0;
    assert_eq!(by_month, [pair(&today[..7], 5)]);
    let before = FunnelQuery { to: Some("2020-01-01".to_owned()), ..funnel(&desk, FunnelBy::Day) };
    assert_eq!(keys(before).await.0, []);
    let nonsense = FunnelQuery { from: Some("soon".to_owned()), ..funnel(&desk, FunnelBy::Day) };
    let refused = desk.core().insights.get_funnel(nonsense).await;
    assert!(matches!(&refused, Err(DeskError::InvalidInput { field, .. }) if field == "from"), "{refused:?}");

    let prices = PricingQuery { workspace: desk.workspace(), ..PricingQuery::default() };
    let pricing = desk.core().insights.get_pricing(prices.clone()).await.unwrap();
    let named = |category: &str, model: &str| PricingRow {
        category: category.to_owned(),
        model: model.to_owned(),
        ..PricingRow::default()
    };
    assert_eq!(pricing.rows, [PricingRow { billable: 2, ..named("marketing", "PMP") }]);
    assert_eq!((pricing.days[0].day.as_str(), pricing.days[0].counts[0].count), (today.as_str(), 2));

    // The exports, byte for byte; a name that looks like a formula is escaped.
    let path = desk.harness.folder.path().join("figures.csv");
    let export = |what, funnel, pricing| ExportInsights { what, funnel, reviews: None, pricing };
    let request =
        export(InsightsKind::Funnel, Some(FunnelQuery { limit: 1, ..funnel(&desk, FunnelBy::Template) }), None);
    let report = desk.core().insights.export_insights_to(&path, request).await.unwrap();
    assert_eq!(report.rows, 2, "all rows, whatever the limit");
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "\u{feff}template,sent,delivered,read,replied,clicked,failed,waiting,codes\r\n\
         hello,4,1,1,1,1,2,0,131053: 1; 132000: 1\r\n\
         '=promo,1,0,0,0,,0,1,\r\n"
    );
    let request = export(InsightsKind::Pricing, None, Some(prices));
    desk.core().insights.export_insights_to(&path, request).await.unwrap();
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        format!("\u{feff}day,category,model,billable,free,unknown\r\n{today},marketing,PMP,2,0,0\r\n")
    );
    let missing = desk.core().insights.export_insights_to(&path, export(InsightsKind::Reviews, None, None)).await;
    assert!(matches!(&missing, Err(DeskError::InvalidInput { field, .. }) if field == "reviews"), "{missing:?}");
}

#[tokio::test]
async fn figures_are_narrowed_to_a_number_or_the_numbers_of_an_account() {
    let mut desk = Desk::start(&[hello()]).await;
    let number = |id: &str, waba: &str| SendingNumber {
        id: id.to_owned(),
        waba_id: waba.to_owned(),
        ..SendingNumber::default()
    };
    let numbers = ["1", "2", "3", "4", "5"].map(|id| number(&format!("30000000000000{id}"), ""));
    desk.set_numbers(numbers.clone().into()).await;
    // Two from the first number, one each from the others.
    let messages = ["wamid.0", "wamid.1", "wamid.2", "wamid.3", "wamid.4", "wamid.5"];
    for (place, message) in messages.into_iter().enumerate() {
        answer_with(&desk.provider, message);
        let mut request = desk.request("t1", &[("body.1", "Ana")]);
        request.number = numbers[place.saturating_sub(1)].id.clone();
        desk.core().messaging.send_template(request).await.unwrap();
        desk.deliver(&envelope(json!({"statuses": [priced(message, "delivered", 10)]}))).await;
    }
    // Then the last number is removed, and the accounts of three are known.
    let [first, second, third, fourth, removed] = numbers.map(|number| number.id);
    let kept = [(&first, "400"), (&second, "400"), (&third, "500"), (&fourth, "")];
    desk.set_numbers(kept.map(|(id, waba)| number(id, waba)).into()).await;

    let path = desk.harness.folder.path().join("figures.csv");
    for (waba, number, sent, unknown) in [
        (None, None, 6, 0),
        (None, Some(&first), 2, 1),
        (None, Some(&fourth), 1, 1),
        (Some("400"), None, 3, 2),
        (Some("400"), Some(&second), 1, 2),
        (Some("500"), Some(&second), 0, 2),
        (None, Some(&removed), 0, 1),
    ] {
        let (waba, number) = (waba.map(str::to_owned), number.cloned());
        let query = FunnelQuery { waba: waba.clone(), number: number.clone(), ..funnel(&desk, FunnelBy::Template) };
        let shown = desk.core().insights.get_funnel(query.clone()).await.unwrap();
        let covers = &shown.covers;
        assert_eq!(
            (shown.total.sent, shown.total.delivered, covers.sends, covers.unknown_sender),
            (sent, sent, sent, unknown),
            "{query:?}"
        );
        assert_eq!(covers.from.is_some(), sent > 0, "{covers:?}");
        let prices = PricingQuery { workspace: desk.workspace(), waba, number, ..PricingQuery::default() };
        let pricing = desk.core().insights.get_pricing(prices.clone()).await.unwrap();
        let charged: u64 = pricing.rows.iter().map(|row| row.billable).sum();
        assert_eq!((charged, pricing.covers.sends, pricing.covers.unknown_sender), (sent, sent, unknown), "{prices:?}");

        for (what, row) in [(InsightsKind::Funnel, "hello,"), (InsightsKind::Pricing, ",marketing,PMP,")] {
            let request =
                ExportInsights { what, funnel: Some(query.clone()), reviews: None, pricing: Some(prices.clone()) };
            desk.core().insights.export_insights_to(&path, request).await.unwrap();
            let file = std::fs::read_to_string(&path).unwrap();
            assert_eq!(file.contains(&format!("{row}{sent},")), sent > 0, "{file}");
        }
    }
}

#[tokio::test]
async fn review_times_are_computed_from_webhooks() {
    let mut pending = hello();
    pending["status"] = json!("PENDING");
    let mut waiting = pending.clone();
    waiting["name"] = json!("waiting");
    let mut desk = Desk::start(&[pending.clone(), waiting.clone()]).await;
    // The event about an unknown template starts a refresh.
    pending["status"] = json!("REJECTED");
    list(&desk.provider, &[pending, waiting]);
    let now = chrono::Utc::now().timestamp();
    for (name, event, seconds, reason) in [
        ("hello", "PENDING", 1_763_700_000, None),
        ("hello", "REJECTED", 1_763_700_090, Some("a \"quoted\", reason")),
        ("waiting", "PENDING", now - 3_600, None),
        // Nobody reported that its review began.
        ("decided elsewhere", "APPROVED", 1_763_700_100, None),
    ] {
        let value = json!({"event": event, "reason": reason, "message_template_id": name.len(),
            "message_template_name": name, "message_template_language": "pt-BR"});
        let body = json!({"object": "messaging_business_account", "entry": [{"id": "waba-1", "time": seconds,
            "changes": [{"field": "message_template_status_update", "value": value}]}]});
        desk.deliver(&body.to_string()).await;
    }
    let range = ReviewQuery { workspace: desk.workspace(), ..ReviewQuery::default() };
    let times = desk.core().templates.get_review_times(range.clone()).await.unwrap();
    assert_eq!((times.decided, times.median_ms, times.pending), (2, Some(90_000), 1));
    let outcomes: Vec<_> = times.outcomes.iter().map(|facet| (facet.value.as_str(), facet.count)).collect();
    assert_eq!((outcomes, times.reasons[0].count), (vec![("APPROVED", 1), ("REJECTED", 1)], 1));
    assert!(times.oldest_pending_ms.is_some_and(|waited| waited >= 3_600_000), "{times:?}");
    assert_eq!(
        times.covers.notes,
        [CoverageNote::WebhooksOnly, CoverageNote::UnknownCategory, CoverageNote::UnknownStart]
    );
    let none = ReviewQuery { from: Some("2025-11-22".to_owned()), ..range.clone() };
    assert_eq!(desk.core().templates.get_review_times(none).await.unwrap().decided, 0);

    let path = desk.harness.folder.path().join("reviews.csv");
    let request = ExportInsights { what: InsightsKind::Reviews, funnel: None, reviews: Some(range), pricing: None };
    desk.core().insights.export_insights_to(&path, request).await.unwrap();
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "\u{feff}template,language,account,category,submitted,decided,outcome,seconds,reason\r\n\
         hello,pt_BR,waba-1,,2025-11-21T04:40:00Z,2025-11-21T04:41:30Z,rejected,90,\"a \"\"quoted\"\", reason\"\r\n\
         decided elsewhere,pt_BR,waba-1,,,2025-11-21T04:41:40Z,approved,,\r\n"
    );
}
