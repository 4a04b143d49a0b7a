//! What messages cost: rate cards, what a check says, and what was delivered.

use command_types::batch::{BatchId, BatchQuery, StartBatch};
use command_types::batch_round::{OutcomeGroup, PlanRound};
use command_types::insights::{ExportInsights, InsightsKind, PricingQuery, RateCardImport, Spend};
use command_types::language::{Language, WindowLanguage};
use command_types::workspace::WorkspaceId;
use model::rate_card::RateCardFaultCode;
use serde_json::{Value, json};

use super::{Desk, RECIPIENT, answer_with};
use crate::webhooks::{envelope, status, wait_until};

/// 2026-09-30 23:59:59 and 2026-10-01 00:00:00 UTC.
const LAST_OF_SEPTEMBER: u64 = 1_790_812_799;
const FIRST_OF_OCTOBER: u64 = LAST_OF_SEPTEMBER + 1;

pub(super) const CARD: &str = "market,category,price,currency,valid_from\n\
    Brazil,utility,0.0080,USD,2026-07-01\n\
    Brazil,utility,0.0068,USD,2026-10-01\n\
    Brazil,marketing,0.0625,USD,2026-07-01\n";

fn order() -> Value {
    json!({"name": "order", "components": [{"type": "BODY", "text": "Your order is on its way."}]})
}

impl Desk {
    fn id(&self) -> WorkspaceId {
        WorkspaceId { workspace: self.workspace() }
    }

    pub(super) async fn import_card(&self, content: &str) -> RateCardImport {
        let path = self.harness.folder.path().join("rates.csv");
        std::fs::write(&path, content).unwrap();
        self.core().insights.import_rate_card_from(&path, self.id()).await.unwrap()
    }

    /// A send whose message is reported as delivered, with these prices.
    pub(super) async fn delivered(&mut self, message: &str, seconds: u64, pricing: Option<Value>) {
        answer_with(&self.provider, message);
        self.core().messaging.send_template(self.request("t1", &[])).await.unwrap();
        let mut report = status(message, "delivered", RECIPIENT, 0);
        report["timestamp"] = json!(seconds.to_string());
        if let Some(pricing) = pricing {
            report["pricing"] = pricing;
        }
        self.deliver(&envelope(json!({"statuses": [report]}))).await;
    }

    async fn spend(&self, from: Option<&str>) -> Option<Spend> {
        let query =
            PricingQuery { workspace: self.workspace(), from: from.map(str::to_owned), ..PricingQuery::default() };
        self.core().insights.get_pricing(query).await.unwrap().spend
    }
}

pub(super) fn charged(category: &str) -> Option<Value> {
    Some(json!({"billable": true, "pricing_model": "PMP", "type": "regular", "category": category}))
}

/// Every message costs what its category cost on the day on which it was delivered, whenever that is reported.
#[tokio::test]
async fn spend_follows_the_day_of_delivery_and_the_reported_category() {
    let mut desk = Desk::start(&[order()]).await;
    assert_eq!(desk.spend(None).await, None, "without a rate card nothing is said");
    desk.delivered("wamid.1", LAST_OF_SEPTEMBER, charged("utility")).await;
    desk.delivered("wamid.2", FIRST_OF_OCTOBER, charged("utility")).await;
    // The channel had made the template a marketing template.
    desk.delivered("wamid.3", FIRST_OF_OCTOBER, charged("marketing")).await;
    let free = json!({"billable": false, "pricing_model": "PMP", "type": "free_entry_point", "category": "utility"});
    desk.delivered("wamid.4", FIRST_OF_OCTOBER, Some(free)).await;
    desk.delivered("wamid.5", FIRST_OF_OCTOBER, charged("authentication")).await;
    desk.delivered("wamid.6", FIRST_OF_OCTOBER, None).await;
    desk.import_card(CARD).await;

    let spend = desk.spend(None).await.unwrap();
    let cost = &spend.cost;
    assert_eq!((cost.currency.as_str(), cost.total.as_str()), ("USD", "0.0773"));
    assert_eq!((cost.priced, cost.free, cost.unknown), (3, 1, 2));
    let lines: Vec<_> = cost
        .lines
        .iter()
        .map(|line| (line.market.as_str(), line.category.as_str(), line.messages, line.price.as_deref()))
        .collect();
    assert_eq!(
        lines,
        [
            ("BR", "marketing", 1, Some("0.0625")),
            ("BR", "utility", 1, Some("0.008")),
            ("BR", "utility", 1, Some("0.0068")),
            ("BR", "authentication", 1, None),
            ("BR", "utility", 1, None),
        ]
    );
    let days: Vec<_> =
        spend.days.iter().map(|day| (day.key.as_str(), day.messages, day.amount.as_str(), day.unknown)).collect();
    assert_eq!(days, [("2026-09-30", 1, "0.008", 0), ("2026-10-01", 5, "0.0693", 2)]);
    let templates: Vec<_> = spend.templates.iter().map(|row| (row.key.as_str(), row.amount.as_str())).collect();
    assert_eq!(templates, [("order", "0.0773")]);
    assert_eq!(desk.spend(Some("2026-10-01")).await.unwrap().cost.total, "0.0693");

    let path = desk.harness.folder.path().join("spend.csv");
    let pricing = Some(PricingQuery { workspace: desk.workspace(), ..PricingQuery::default() });
    let request = ExportInsights { what: InsightsKind::Spend, funnel: None, reviews: None, pricing };
    desk.core().workspaces.set_window_language(WindowLanguage { language: Language::Spanish }).await.unwrap();
    assert_eq!(desk.core().insights.export_insights_to(&path, request.clone()).await.unwrap().rows, 4);
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "\u{feff}día;plantilla;país;categoría;cobrados;no cobrados;sin precio conocido;importe;moneda\r\n\
         2026-09-30;order;BR;utilidad;1;0;0;0,008;USD\r\n\
         2026-10-01;order;BR;autenticación;0;0;1;;USD\r\n\
         2026-10-01;order;BR;marketing;1;0;0;0,0625;USD\r\n\
         2026-10-01;order;BR;utilidad;1;1;1;0,0068;USD\r\n"
    );

    desk.core().insights.remove_rate_card(desk.id()).await.unwrap();
    assert_eq!(desk.spend(None).await, None);
    desk.harness.close().await;
}

/// A message counts once however often it is reported, and changes with what is reported later.
#[tokio::test]
async fn reports_that_come_later_change_the_spend() {
    let mut desk = Desk::start(&[order()]).await;
    desk.import_card(CARD).await;
    desk.delivered("wamid.1", FIRST_OF_OCTOBER + 10, None).await;
    assert_eq!(desk.spend(None).await.unwrap().cost.unknown, 1);
    for (word, seconds) in [("read", FIRST_OF_OCTOBER + 20), ("delivered", LAST_OF_SEPTEMBER)] {
        let mut report = status("wamid.1", word, RECIPIENT, 0);
        report["timestamp"] = json!(seconds.to_string());
        report["pricing"] = charged("utility").unwrap();
        for _ in 0..2 {
            desk.deliver(&envelope(json!({"statuses": [report]}))).await;
        }
    }
    let spend = desk.spend(None).await.unwrap();
    assert_eq!((spend.cost.total.as_str(), spend.cost.priced, spend.cost.unknown), ("0.008", 1, 0));
    assert_eq!(spend.days.len(), 1);
    desk.harness.close().await;
}

#[tokio::test]
async fn a_check_says_what_the_messages_cost_and_the_batch_what_they_did() {
    let mut desk = Desk::start(&[order()]).await;
    let preflight = desk.core().messaging.preflight_send(desk.request("t1", &[])).await.unwrap();
    assert_eq!(preflight.cost, None);
    desk.import_card(CARD).await;
    let preflight = desk.core().messaging.preflight_send(desk.request("t1", &[])).await.unwrap();
    assert_eq!(preflight.cost.unwrap().total, "0.0068");

    let request = desk.batch_request("phone\n+5511987654321\n+525512345678\n12\n", &[]).await;
    let plan = desk.core().messaging.plan_batch(request).await.unwrap();
    let cost = plan.cost.clone().unwrap();
    assert_eq!((plan.good, plan.bad), (2, 1));
    assert_eq!((cost.total.as_str(), cost.priced, cost.unknown), ("0.0068", 1, 1), "Mexico has no price");

    answer_with(&desk.provider, "wamid.batch");
    let start = StartBatch { batch: plan.id.clone(), skip_bad: true };
    desk.core().messaging.start_batch(start).await.unwrap();
    wait_until("the batch ends", async || {
        let query = BatchQuery { batch: plan.id.clone(), ..BatchQuery::default() };
        desk.core().messaging.get_batch(query).await.unwrap().batch.state.as_str() == "done"
    })
    .await;
    let id = || BatchId { batch: plan.id.clone() };
    let before = desk.core().messaging.get_batch_cost(id()).await.unwrap();
    assert_eq!(before.planned, Some(cost.clone()));
    assert_eq!(before.actual.map(|actual| (actual.total, actual.priced)), Some(("0".to_owned(), 0)));
    let mut report = status("wamid.batch", "delivered", RECIPIENT, 0);
    report["timestamp"] = json!((FIRST_OF_OCTOBER + 3_600).to_string());
    report["pricing"] = charged("marketing").unwrap();
    desk.deliver(&envelope(json!({"statuses": [report]}))).await;
    let after = desk.core().messaging.get_batch_cost(id()).await.unwrap();
    assert_eq!(after.actual.map(|actual| (actual.total, actual.priced)), Some(("0.0625".to_owned(), 1)));
    desk.core().insights.remove_rate_card(desk.id()).await.unwrap();
    let without = desk.core().messaging.get_batch_cost(id()).await.unwrap();
    assert_eq!((without.planned, without.actual), (Some(cost), None));
    desk.harness.close().await;
}

/// The people of a further round are others, and prices have changed.
#[tokio::test]
async fn a_further_round_says_what_its_own_messages_cost() {
    let desk = Desk::start(&[order()]).await;
    desk.provider.answer_json("POST ", "400 Bad Request", &json!({"error": {"code": 131_049, "message": "held back"}}));
    let request = desk.batch_request("phone\n+5511987654321\n+5511987654322\n+525512345678\n", &[]).await;
    let plan = desk.core().messaging.plan_batch(request).await.unwrap();
    assert_eq!(plan.cost, None);
    desk.core().messaging.start_batch(StartBatch { batch: plan.id.clone(), skip_bad: false }).await.unwrap();
    wait_until("the batch ends", async || {
        let query = BatchQuery { batch: plan.id.clone(), ..BatchQuery::default() };
        desk.core().messaging.get_batch(query).await.unwrap().batch.state.as_str() == "done"
    })
    .await;
    desk.import_card(CARD).await;
    let round = PlanRound { batch: plan.id.clone(), group: OutcomeGroup::Capped };
    let round = desk.core().messaging.plan_round(round).await.unwrap();
    let planned = desk.core().messaging.get_batch_cost(BatchId { batch: round.id }).await.unwrap().planned.unwrap();
    assert_eq!((planned.total.as_str(), planned.priced, planned.unknown), ("0.0136", 2, 1));
    let of_first = desk.core().messaging.get_batch_cost(BatchId { batch: plan.id }).await.unwrap();
    assert_eq!(of_first.planned, None);
    desk.harness.close().await;
}

/// A file with a fault changes nothing.
#[tokio::test]
async fn a_rate_card_is_imported_whole_or_not_at_all() {
    let desk = Desk::start(&[order()]).await;
    assert_eq!(desk.core().insights.get_rate_card(desk.id()).await.unwrap(), None);
    let import = desk.import_card(CARD).await;
    assert_eq!((import.rates, import.faulty), (3, 0));
    let faulty = format!("{CARD}Brazil,service,cheap,USD,2026-10-01\nBrazil,sms,1,USD,2026-10-01\n");
    let import = desk.import_card(&faulty).await;
    let faults: Vec<_> = import.faults.iter().map(|fault| (fault.line, fault.code, fault.value.as_str())).collect();
    assert_eq!(faults, [(5, RateCardFaultCode::Price, "cheap"), (6, RateCardFaultCode::Category, "sms")]);
    assert_eq!((import.rates, import.faulty), (0, 2));
    let card = desk.core().insights.get_rate_card(desk.id()).await.unwrap().unwrap();
    assert_eq!((card.summary.rates, card.summary.markets, card.summary.is_sample), (3, 1, false));
    assert_eq!(card.summary.valid_from, ["2026-07-01", "2026-10-01"]);

    // The channel's form from a spreadsheet whose decimals have commas.
    let wide = "\u{feff}Effective October 1, 2026;;;;\r\nMarket;Currency;Marketing;Utility;Service\r\n\
        Brazil;BRL;0,3217;0,0350;n/a\r\nRest of Latin America;BRL;0,3960;0,0582;0,0582\r\n";
    assert_eq!(
        desk.import_card(wide).await,
        RateCardImport { name: "rates.csv".to_owned(), rates: 5, ..Default::default() }
    );
    let card = desk.core().insights.get_rate_card(desk.id()).await.unwrap().unwrap();
    assert_eq!((card.summary.currency.as_str(), card.summary.rates), ("BRL", 5));

    // A newer file keeps the prices that it does not renew.
    let newer =
        "market,category,price,currency,valid_from\nBR,utility,0.03,BRL,2027-01-01\nBR,utility,0.04,BRL,2026-10-01\n";
    let import = desk.import_card(newer).await;
    assert_eq!((import.rates, import.kept), (2, 4));
    let card = desk.core().insights.get_rate_card(desk.id()).await.unwrap().unwrap();
    assert_eq!((card.summary.rates, card.summary.valid_from.len()), (6, 2));

    let path = desk.harness.folder.path().join("sample.csv");
    for (language, header) in [
        (Language::English, "market,category,type,price,"),
        (Language::Portuguese, "mercado;categoria;tipo;preço;"),
        (Language::Spanish, "mercado;categoría;tipo;precio;"),
    ] {
        desk.core().workspaces.set_window_language(WindowLanguage { language }).await.unwrap();
        desk.core().insights.export_sample_rate_card_to(&path).await.unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.trim_start_matches('\u{feff}').starts_with(header), "{written}");
        let import = desk.core().insights.import_rate_card_from(&path, desk.id()).await.unwrap();
        assert_eq!((import.rates, import.faulty), (9, 0), "{written}");
        let card = desk.core().insights.get_rate_card(desk.id()).await.unwrap().unwrap();
        assert!(card.summary.is_sample, "{written}");
        assert_eq!(card.summary.unknown_markets, [] as [&str; 0]);
        assert_eq!(card.summary.valid_from, ["2026-07-01", "2026-10-01"]);
    }
    desk.harness.close().await;
}
