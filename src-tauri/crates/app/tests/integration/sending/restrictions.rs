//! Accounts that may not send for a time.

use command_types::activity::SendingNotices;
use command_types::batch::{BatchPlanRequest, BatchSource, ValueSource};
use command_types::send::SendOptions;
use command_types::workspace::SendingNumber;
use model::finding::Severity;
use serde_json::json;

use super::{Desk, hello};

#[tokio::test]
async fn a_restricted_account_warns_before_a_send_and_stops_the_check_of_a_batch() {
    let mut desk = Desk::start(&[hello()]).await;
    let number = |id: &str, waba_id: &str| SendingNumber {
        id: id.to_owned(),
        label: id.to_owned(),
        waba_id: waba_id.to_owned(),
        ..SendingNumber::default()
    };
    desk.set_numbers(vec![number("1", "400"), number("2", "401")]).await;
    let restriction = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": [
        {"restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING", "expiration": 4_000_000_000_u64}]});
    let change = json!({"field": "account_update", "value": restriction});
    desk.deliver(&json!({"object": "o", "entry": [{"id": "400", "changes": [change]}]}).to_string()).await;

    let path = desk.harness.folder.path().join("people.csv");
    std::fs::write(&path, "numero,nome\n+5511987654321,Ana\n").unwrap();
    let file = desk.core().messaging.read_csv(&path).await.unwrap().id;
    for (number, is_restricted) in [("1", true), ("2", false)] {
        let asked = SendingNotices { workspace: desk.workspace(), number: number.to_owned(), is_reply: false };
        let notices = desk.core().webhooks.list_sending_notices(asked).await.unwrap();
        assert_eq!(notices.len(), usize::from(is_restricted), "{number}");

        let mut request = desk.request("t1", &[("body.1", "Ana")]);
        request.number = number.to_owned();
        let found = desk.core().messaging.preflight_send(request).await.unwrap().problems;
        let found = found.iter().find(|problem| problem.code.as_str() == "number.restricted");
        assert_eq!(found.map(|problem| problem.severity), is_restricted.then_some(Severity::Warning), "{number}");

        let column = ValueSource::Column { column: "nome".to_owned(), fallback: None, transform: None };
        let batch = BatchPlanRequest {
            workspace: desk.workspace(),
            reference: "t1".to_owned(),
            number: number.to_owned(),
            options: SendOptions { overrides: vec!["number.restricted".to_owned()], ..SendOptions::default() },
            country: None,
            source: BatchSource::Csv {
                file: file.clone(),
                to: "numero".to_owned(),
                name: None,
                values: [("body.1".to_owned(), column)].into(),
            },
        };
        let plan = desk.core().messaging.plan_batch(batch).await.unwrap();
        assert_eq!(plan.good, u32::from(!is_restricted), "{number}: {:?}", plan.problems);
    }
    desk.harness.close().await;
}
