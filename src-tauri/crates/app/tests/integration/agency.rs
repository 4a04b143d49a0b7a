//! The desk on the sandbox's profile `agency`: several accounts, and faults that the sandbox makes on demand.

use std::collections::BTreeMap;

use app::SANDBOX_ID;
use command_types::Nothing;
use command_types::composer::{CheckName, CreateDraft, Draft, DraftId};
use command_types::error::DeskError;
use command_types::health::ConnectionState;
use command_types::send::SendRequest;
use command_types::submission::SubmitDraft;
use command_types::template::{TemplateId, TemplateQuery, TemplateRow};
use command_types::transfer::FindTemplates;
use command_types::workspace::{WorkspaceId, WorkspaceSummary};
use model::vocabulary::TemplateStatus;
use reqwest::Method;
use sandbox::{Decision, Profile, seed};
use serde_json::{Value, json};

use super::harness::Harness;
use super::webhooks::wait_until;

/// A template in three accounts, and its name in the sandbox.
const HOURS: &str = "opening_hours";

struct Agency(Harness);

impl Agency {
    async fn start() -> Self {
        let agency = Self(Harness::start_with_profile(Profile::Agency).await);
        agency.refresh().await.unwrap();
        agency
    }

    /// Fetches the list of templates, after a refresh that may be in flight.
    async fn refresh(&self) -> Result<(), DeskError> {
        loop {
            let request = WorkspaceId { workspace: SANDBOX_ID.to_owned() };
            match self.0.core.templates.refresh_templates(request).await {
                Err(DeskError::Conflict { .. }) => tokio::task::yield_now().await,
                refreshed => return refreshed.map(drop),
            }
        }
    }

    async fn rows(&self, search: &str) -> Vec<TemplateRow> {
        let query = TemplateQuery {
            workspace: SANDBOX_ID.to_owned(),
            search: Some(search.to_owned()),
            limit: 100,
            ..TemplateQuery::default()
        };
        self.0.core.templates.list_templates(query).await.unwrap().rows
    }

    async fn summary(&self) -> WorkspaceSummary {
        let mut workspaces = self.0.core.startup.get_bootstrap(Nothing {}).await.unwrap().workspaces;
        workspaces.remove(workspaces.iter().position(|workspace| workspace.id == SANDBOX_ID).unwrap())
    }

    async fn set_fault(&self, fault: Value) {
        self.0.ask(Method::POST, "/sandbox/faults", &fault).await;
    }

    async fn clear_faults(&self) {
        self.0.ask(Method::DELETE, "/sandbox/faults", &json!({})).await;
    }
}

fn id(reference: &str) -> TemplateId {
    TemplateId { workspace: SANDBOX_ID.to_owned(), reference: reference.to_owned() }
}

#[tokio::test]
async fn a_template_of_three_accounts_has_a_status_in_each_and_the_numbers_that_can_send_it() {
    let agency = Agency::start().await;
    let row = agency.rows(HOURS).await.remove(0);
    let [first, second, third] = [seed::WABA, seed::SECOND_WABA, seed::THIRD_WABA].map(|waba| waba.to_string());
    assert_eq!(row.wabas, [first.as_str(), &second, &third]);
    for (waba, status) in [(seed::SECOND_WABA, TemplateStatus::Paused), (seed::THIRD_WABA, TemplateStatus::Disabled)] {
        let decision = Decision { waba_id: Some(waba), ..Decision::of(status) };
        agency.0.sandbox.decide(&row.reference, &decision).unwrap();
    }
    let standing = async || {
        let detail = agency.0.core.templates.get_template(id(&row.reference)).await.unwrap();
        detail.waba_statuses.into_iter().map(|of| (of.waba, of.status)).collect::<Vec<_>>()
    };
    let wanted = [(&third, "DISABLED"), (&second, "PAUSED"), (&first, "APPROVED")];
    let wanted = wanted.map(|(waba, status)| (waba.clone(), status.to_owned()));
    wait_until("all have arrived", async || standing().await == wanted).await;
    assert_eq!(agency.rows(HOURS).await[0].status, "DISABLED", "the list shows the most restrictive one");

    let form = agency.0.core.messaging.get_send_form(id(&row.reference)).await.unwrap();
    let problems: Vec<_> = form
        .numbers
        .iter()
        .map(|number| (number.id.as_str(), number.problem.as_ref().map(|problem| problem.code.as_str())))
        .collect();
    assert_eq!(
        problems,
        [
            (seed::NUMBER, None),
            (seed::SECOND_NUMBER, Some("number.accountStatus")),
            (seed::OTHER_NUMBER, Some("number.account")),
            (seed::THIRD_NUMBER, Some("number.accountStatus")),
        ]
    );
    assert_eq!(form.number, seed::NUMBER);
    // The same name in an account of another business is another template.
    let businesses: Vec<_> =
        agency.rows("visit_reminder").await.into_iter().map(|row| (row.business_id, row.status)).collect();
    let of = |business: &str, status: &str| (Some(business.to_owned()), status.to_owned());
    assert_eq!(businesses.len(), 2);
    assert!(businesses.contains(&of(seed::BUSINESS, "APPROVED")), "{businesses:?}");
    assert!(businesses.contains(&of(seed::OTHER_BUSINESS, "PENDING")), "{businesses:?}");
    agency.0.close().await;
}

#[tokio::test]
async fn a_template_that_a_listing_leaves_out_is_missing_until_it_is_listed_again() {
    let agency = Agency::start().await;
    let reference = agency.rows(HOURS).await[0].reference.clone();
    let fault = json!({ "operations": ["list"], "answer": "omit", "template": reference, "times": 1 });
    agency.set_fault(fault).await;
    agency.refresh().await.unwrap();
    let left_out = agency.rows(HOURS).await.remove(0);
    assert!(left_out.missing_since.is_some());
    assert_eq!(left_out.status, "APPROVED");
    agency.refresh().await.unwrap();
    assert_eq!(agency.rows(HOURS).await[0].missing_since, None, "the fault was for one listing");
    agency.0.close().await;
}

#[tokio::test]
async fn a_date_that_is_off_shows_as_a_difference_of_the_clocks() {
    const DAY: i64 = 24 * 60 * 60;
    let agency = Agency::start().await;
    assert_eq!(agency.summary().await.clock_offset, 0);
    for days in [-2, 3] {
        agency.set_fault(json!({ "operations": ["list"], "answer": "date", "offset": days * DAY })).await;
        // The accounts are listed one by one: several answers agree.
        agency.refresh().await.unwrap();
        let offset = agency.summary().await.clock_offset;
        assert!((offset - days * DAY * 1_000).abs() < 60_000, "{days} days: {offset}");
        agency.clear_faults().await;
        agency.refresh().await.unwrap();
        assert_eq!(agency.summary().await.clock_offset, 0);
    }
    agency.0.close().await;
}

#[tokio::test]
async fn credentials_that_are_refused_after_a_while_show_in_the_connection() {
    let agency = Agency::start().await;
    assert_eq!(agency.summary().await.connection.state, ConnectionState::Working);
    agency.set_fault(json!({ "operations": ["list"], "answer": 401, "when": "before", "from": 5 })).await;
    let mut refreshed = 0;
    while agency.refresh().await.is_ok() {
        refreshed += 1;
    }
    // The desk may refresh on its own, too.
    assert!((1..5).contains(&refreshed), "{refreshed}");
    for _ in 0..2 {
        let refused = agency.refresh().await.unwrap_err();
        assert!(matches!(&refused, DeskError::Unauthorized { .. }), "{refused:?}");
        assert_eq!(agency.summary().await.connection.state, ConnectionState::Unauthorized);
    }
    assert_eq!(agency.rows(HOURS).await.len(), 1, "what is known stays");
    agency.clear_faults().await;
    agency.refresh().await.unwrap();
    assert_eq!(agency.summary().await.connection.state, ConnectionState::Working);
    agency.0.close().await;
}

/// A draft of a template with a text, in these accounts.
async fn draft_in(agency: &Agency, name: &str, wabas: &[u64]) -> Draft {
    let authoring = &agency.0.core.authoring;
    let begun = CreateDraft { workspace: SANDBOX_ID.to_owned(), ..CreateDraft::default() };
    let draft = authoring.create_draft(begun).await.unwrap();
    let template = json!({ "name": name, "language": "pt_BR", "category": "utility",
        "components": [{ "type": "BODY", "text": "O seu pedido chegou ao nosso balcão hoje." }] });
    let template = serde_json::from_value(template).unwrap();
    let waba_ids = wabas.iter().map(u64::to_string).collect();
    authoring.save_draft(Draft { template, waba_ids, ..draft }).await.unwrap()
}

fn of(draft: &Draft) -> DraftId {
    DraftId { draft: draft.id.clone() }
}

#[tokio::test]
async fn accounts_of_two_businesses_get_a_request_each() {
    let agency = Agency::start().await;
    let draft = draft_in(&agency, "pickup", &[seed::WABA, seed::OTHER_WABA, seed::THIRD_WABA]).await;
    let authoring = &agency.0.core.authoring;
    let plan = authoring.plan_submission(of(&draft)).await.unwrap();
    let wabas: Vec<_> = plan.requests.iter().map(|request| request.waba_ids.join(" ")).collect();
    assert_eq!(wabas, [format!("{} {}", seed::WABA, seed::THIRD_WABA), seed::OTHER_WABA.to_string()]);
    let request: SubmitDraft = serde_json::from_value(json!({ "draft": draft.id })).unwrap();
    let report = authoring.submit_draft(request).await.unwrap();
    assert!(report.complete, "{report:?}");
    agency.0.close().await;
}

#[tokio::test]
async fn a_name_that_an_account_has_is_found_before_it_is_submitted() {
    let agency = Agency::start().await;
    let existing = agency.rows(HOURS).await[0].reference.clone();
    let authoring = &agency.0.core.authoring;
    let check = async |draft: &Draft| {
        let Draft { id, workspace, template, waba_ids, .. } = draft.clone();
        let request = CheckName { workspace, draft: id, name: template.name, language: template.language, waba_ids };
        let found = authoring.check_name(request).await.unwrap();
        found.into_iter().map(|finding| (finding.code, finding.values)).collect::<Vec<_>>()
    };
    let taken = || ("name.taken", BTreeMap::from([("reference", existing.clone())]));
    let draft = draft_in(&agency, HOURS, &[seed::WABA]).await;
    assert_eq!(check(&draft).await, [taken()]);
    // The account of the clinic has no such template.
    let other = draft_in(&agency, HOURS, &[seed::OTHER_WABA]).await;
    assert_eq!(check(&other).await, [("name.drafted", BTreeMap::from([("draft", draft.id.clone())]))]);
    assert!(check(&draft_in(&agency, "pickup", &[seed::WABA]).await).await.is_empty());

    let plan = authoring.plan_submission(of(&draft)).await.unwrap();
    assert!(plan.findings.iter().any(|finding| finding.code == "name.taken" && finding.path == "/name"));
    let request: SubmitDraft = serde_json::from_value(json!({ "draft": draft.id })).unwrap();
    let refused = authoring.submit_draft(request).await.unwrap_err();
    assert!(matches!(&refused, DeskError::InvalidInput { field, .. } if field == "/name"), "{refused:?}");

    let text = serde_json::to_string(&draft.template).unwrap();
    let found = FindTemplates { workspace: SANDBOX_ID.to_owned(), text, waba_ids: Vec::new() };
    let found = agency.0.core.template_files.find_templates(found).await.unwrap();
    let codes: Vec<_> = found.templates[0].findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["name.taken"]);
    agency.0.close().await;
}

#[tokio::test]
async fn a_language_is_added_to_all_accounts_of_a_name_that_lack_it() {
    let agency = Agency::start().await;
    let rows = agency.rows("visit_reminder").await;
    assert_eq!(rows.len(), 2, "one template for each business");
    let mut wabas: Vec<String> = rows.iter().flat_map(|row| row.wabas.clone()).collect();
    let request = CreateDraft {
        workspace: SANDBOX_ID.to_owned(),
        from_template: Some(rows[0].reference.clone()),
        language: Some("es".to_owned()),
        ..CreateDraft::default()
    };
    let mut added = agency.0.core.authoring.create_draft(request).await.unwrap().waba_ids;
    assert_eq!(added[0], rows[0].wabas[0]);
    wabas.sort_unstable();
    added.sort_unstable();
    assert_eq!(added, wabas);
    agency.0.close().await;
}

#[tokio::test]
async fn an_edit_has_the_limits_of_the_account_that_approved_the_template() {
    let agency = Agency::start().await;
    let context = async |name: &str| {
        let request = CreateDraft {
            workspace: SANDBOX_ID.to_owned(),
            from_template: Some(agency.rows(name).await[0].reference.clone()),
            edit: true,
            ..CreateDraft::default()
        };
        let draft = agency.0.core.authoring.create_draft(request).await.unwrap();
        agency.0.core.authoring.get_edit_context(of(&draft)).await.unwrap()
    };
    let hours = agency.rows(HOURS).await.remove(0);
    let decision = Decision { waba_id: Some(seed::SECOND_WABA), ..Decision::of(TemplateStatus::Paused) };
    agency.0.sandbox.decide(&hours.reference, &decision).unwrap();
    wait_until("the pause has arrived", async || agency.rows(HOURS).await[0].status == "PAUSED").await;
    let paused = context(HOURS).await;
    assert!(paused.approved_in_some && paused.category_usually_fixed);
    assert_eq!(paused.quota.map(|quota| quota.per_day), Some(1));
    assert!(!context("wedding_quote").await.approved_in_some);
    agency.0.close().await;
}

#[tokio::test]
async fn a_phone_that_stops_the_marketing_of_one_business_gets_that_of_another() {
    let agency = Agency::start().await;
    let phone = "5511987654321";
    let choose = async |value: &str| {
        let body = json!({"value": value, "number": seed::OTHER_NUMBER});
        agency.0.ask(Method::POST, &format!("/sandbox/phones/{phone}/marketing"), &body).await;
    };
    let stopped = async |number: &str, template: &str| {
        let reference = agency.rows(template).await[0].reference.clone();
        let request = SendRequest {
            workspace: SANDBOX_ID.to_owned(),
            reference,
            number: number.to_owned(),
            to: format!("+{phone}"),
            ..SendRequest::default()
        };
        let problems = agency.0.core.messaging.preview_send(request).await.unwrap().problems;
        problems.into_iter().find(|problem| problem.code.as_str() == "to.optedOut")
    };
    choose("stop").await;
    wait_until("the stop has arrived", async || stopped(seed::OTHER_NUMBER, "checkup_offer").await.is_some()).await;
    let problem = stopped(seed::OTHER_NUMBER, "checkup_offer").await.unwrap();
    assert_eq!(problem.values["accounts"], "Clínica Aurora");
    assert_eq!(stopped(seed::NUMBER, "monthly_news").await, None);
    assert_eq!(stopped(seed::SECOND_NUMBER, "loyalty_points").await, None);
    choose("resume").await;
    wait_until("the resume has arrived", async || stopped(seed::OTHER_NUMBER, "checkup_offer").await.is_none()).await;
    agency.0.close().await;
}
