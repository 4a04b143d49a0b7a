//! Notices about accounts and numbers: emitted once, listed until they end, are replaced or dismissed.

use command_types::activity::{AccountNotice, EventQuery, NoticeId};
use command_types::event::DeskEvent;
use command_types::sender_health::SenderHealth;
use command_types::workspace::{SaveWorkspace, SendingNumber, WorkspaceId};
use model::item::account_notice::NoticeSeverity;
use model::item::meaning::EventMeaning;
use model::messaging_limit::MessagingLimit;
use serde_json::{Value, json};

use super::harness::Harness;
use super::webhooks::Provider;

const SECRET: &str = "s3cret";

async fn deliver(harness: &mut Harness, provider: &Provider, waba: &str, field: &str, value: Value) {
    let body = json!({"object": "o", "entry": [{"id": waba, "changes": [{"field": field, "value": value}]}]});
    assert_eq!(provider.deliver(SECRET, &body.to_string()).await, 200);
    harness.wait_for_projection().await;
}

async fn listed(harness: &Harness, workspace: &str) -> Vec<AccountNotice> {
    let request = WorkspaceId { workspace: workspace.to_owned() };
    harness.core.webhooks.list_account_notices(request).await.unwrap()
}

/// The notices that are emitted until one has a meaning. They follow the projection, so that one may come after it.
async fn emitted_until(harness: &mut Harness, workspace: &str, last: EventMeaning) -> Vec<AccountNotice> {
    let mut emitted: Vec<AccountNotice> = Vec::new();
    let collect = |event: &DeskEvent| {
        if let DeskEvent::AccountNotice { workspace: of, notice } = event
            && of == workspace
        {
            emitted.push(notice.clone());
        }
        emitted.last().is_some_and(|notice| notice.meaning == last).then_some(())
    };
    harness.event(collect).await;
    emitted
}

fn meanings(notices: &[AccountNotice]) -> Vec<(Option<&str>, EventMeaning)> {
    notices.iter().map(|notice| (notice.account.as_deref(), notice.meaning)).collect()
}

#[tokio::test]
async fn a_restriction_a_limit_and_an_alert_are_emitted_once_and_listed() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let id = provider.workspace.clone();
    let restriction = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": [
        {"restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING", "expiration": 4_000_000_000_u64}]});
    deliver(&mut harness, &provider, "7", "account_update", restriction.clone()).await;
    deliver(&mut harness, &provider, "7", "account_update", restriction).await;
    let limit = json!({"display_phone_number": "55", "event": "ONBOARDING", "old_limit": "TIER_10K",
        "current_limit": "TIER_1K"});
    deliver(&mut harness, &provider, "8", "phone_number_quality_update", limit).await;
    let alert = |status: &str| {
        json!({"entity_type": "BUSINESS", "entity_id": 9, "alert_info": {"alert_severity": "CRITICAL",
            "alert_status": status, "alert_type": "NEW_TYPE", "alert_description": "Something is wrong."}})
    };
    deliver(&mut harness, &provider, "7", "account_alerts", alert("ACTIVE")).await;
    let emitted = emitted_until(&mut harness, &id, EventMeaning::Alert).await;
    let expected = [
        (Some("7"), EventMeaning::AccountRestricted),
        (Some("8"), EventMeaning::LimitLowered),
        (Some("7"), EventMeaning::Alert),
    ];
    assert_eq!(meanings(&emitted), expected);

    let notices = listed(&harness, &id).await;
    let expected = [
        (Some("7"), EventMeaning::Alert),
        (Some("7"), EventMeaning::AccountRestricted),
        (Some("8"), EventMeaning::LimitLowered),
    ];
    assert_eq!(meanings(&notices), expected, "the most urgent first, then the newest");
    assert_eq!(notices[2].severity, NoticeSeverity::Warning);

    let query = EventQuery { workspace: Some(id.clone()), limit: 10, ..EventQuery::default() };
    let rows = harness.core.webhooks.list_events(query).await.unwrap().rows;
    let known: Vec<_> = rows.iter().map(|row| (row.account.as_deref(), row.meaning)).collect();
    let expected = [
        (Some("7"), Some(EventMeaning::Alert)),
        (Some("8"), Some(EventMeaning::LimitLowered)),
        (Some("7"), Some(EventMeaning::AccountRestricted)),
    ];
    assert_eq!(known, expected, "Activity says the same of each");

    // The end of an alert removes it, and a person dismisses what has no end.
    deliver(&mut harness, &provider, "7", "account_alerts", alert("NONE")).await;
    let dismissed = NoticeId { workspace: id.clone(), id: notices[2].id.clone() };
    harness.core.webhooks.dismiss_account_notice(dismissed.clone()).await.unwrap();
    assert_eq!(meanings(&listed(&harness, &id).await), [(Some("7"), EventMeaning::AccountRestricted)]);
    harness.core.webhooks.dismiss_account_notice(dismissed).await.unwrap_err();
    let harness = Harness::start_in(harness.close().await).await;
    assert_eq!(meanings(&listed(&harness, &id).await), [(Some("7"), EventMeaning::AccountRestricted)]);
    harness.close().await;
}

#[tokio::test]
async fn a_restriction_that_has_ended_needs_no_attention_and_a_rebuild_emits_nothing() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let id = provider.workspace.clone();
    let ended = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": [{"expiration": 1_700_000_000}]});
    deliver(&mut harness, &provider, "7", "account_update", ended).await;
    assert_eq!(listed(&harness, &id).await, []);
    deliver(&mut harness, &provider, "7", "account_review_update", json!({"decision": "REJECTED"})).await;
    emitted_until(&mut harness, &id, EventMeaning::AccountRejected).await;
    harness.core.webhooks.rebuild_projection(command_types::Nothing {}).await.unwrap();
    harness.wait_for_projection().await;
    assert_eq!(meanings(&listed(&harness, &id).await), [(Some("7"), EventMeaning::AccountRejected)]);
    // What follows the rebuild is the next notice.
    deliver(&mut harness, &provider, "8", "account_review_update", json!({"decision": "REJECTED"})).await;
    let emitted = emitted_until(&mut harness, &id, EventMeaning::AccountRejected).await;
    assert_eq!(meanings(&emitted), [(Some("8"), EventMeaning::AccountRejected)]);
    harness.close().await;
}

#[tokio::test]
async fn a_number_is_recognised_by_what_arrived_through_it_and_by_its_identifier() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let workspace = || WorkspaceId { workspace: provider.workspace.clone() };
    let mut settings = harness.core.workspaces.get_workspace(workspace()).await.unwrap().settings;
    let number = |id: &str, label: &str| SendingNumber {
        id: id.to_owned(),
        label: label.to_owned(),
        waba_id: "7".to_owned(),
        own_webhook: false,
    };
    settings.numbers = vec![number("1", "Shop"), number("2", "Support")];
    let id = Some(provider.workspace.clone());
    let request = SaveWorkspace { workspace: id, settings, secrets: Vec::new(), session_only: false };
    harness.core.workspaces.save_workspace(request).await.unwrap();
    let flagged = json!({"display_phone_number": "+55 11 4004-0002", "event": "FLAGGED"});
    deliver(&mut harness, &provider, "7", "phone_number_quality_update", flagged).await;
    let alert = json!({"entity_type": "PHONE_NUMBER", "entity_id": 1, "alert_info": {"alert_severity": "WARNING",
        "alert_status": "ACTIVE", "alert_type": "PROFILE_PICTURE_LOST"}});
    deliver(&mut harness, &provider, "7", "account_alerts", alert).await;
    let concerned = async |harness: &Harness| {
        let health = harness.core.webhooks.list_sender_health(workspace()).await.unwrap();
        let meanings = |of: &SenderHealth| of.notices.iter().map(|notice| notice.meaning).collect::<Vec<_>>();
        let flags = health.iter().map(|of| of.quality.len()).collect::<Vec<_>>();
        (health.iter().map(meanings).collect::<Vec<_>>(), flags)
    };
    // Nothing says yet whose phone number it is, so both may be meant.
    let both = vec![vec![EventMeaning::Alert, EventMeaning::NumberFlagged], vec![EventMeaning::NumberFlagged]];
    assert_eq!(concerned(&harness).await, (both, vec![0, 0]));

    let metadata = |phone: &str, id: &str| json!({"display_phone_number": phone, "phone_number_id": id});
    for (phone, id) in [("551140040001", "1"), ("551140040002", "2")] {
        let message = json!({"from": "5511900000000", "id": format!("wamid.{id}"), "timestamp": "1700000000",
            "type": "text", "text": {"body": "Oi"}});
        let value = json!({"metadata": metadata(phone, id), "messages": [message]});
        deliver(&mut harness, &provider, "7", "messages", value).await;
    }
    let each = vec![vec![EventMeaning::Alert], vec![EventMeaning::NumberFlagged]];
    assert_eq!(concerned(&harness).await, (each, vec![0, 1]));
    // A limit holds for all numbers of the business, whichever of them it was said of last.
    let limits = async |harness: &Harness| {
        let health = harness.core.webhooks.list_sender_health(workspace()).await.unwrap();
        health.iter().map(|of| of.limit).collect::<Vec<_>>()
    };
    let people = |people| Some(MessagingLimit::People { people });
    for (phone, tier, expected) in [("551140040002", "TIER_250", 250), ("551140040001", "TIER_1K", 1_000)] {
        let said = json!({"display_phone_number": phone, "event": "DOWNGRADE", "current_limit": tier});
        deliver(&mut harness, &provider, "7", "phone_number_quality_update", said).await;
        assert_eq!(limits(&harness).await, [people(expected); 2], "{phone}");
    }
    let notices = listed(&harness, &provider.workspace).await;
    let notices = notices.iter().filter(|notice| notice.meaning != EventMeaning::LimitLowered);
    let named = notices.flat_map(|notice| &notice.facts).filter(|fact| fact.label == "number");
    let mut named: Vec<&str> = named.map(|fact| fact.value.as_str()).collect();
    named.sort_unstable();
    assert_eq!(named, ["Shop", "Support"]);
    harness.close().await;
}

#[tokio::test]
async fn a_number_shows_what_was_said_about_it_and_nothing_else() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let workspace = || WorkspaceId { workspace: provider.workspace.clone() };
    let mut settings = harness.core.workspaces.get_workspace(workspace()).await.unwrap().settings;
    settings.numbers = vec![
        SendingNumber { id: "1".into(), label: "Shop +55 11 3000".into(), waba_id: "7".into(), ..Default::default() },
        SendingNumber { id: "2".into(), label: "+55 11 4000".into(), waba_id: "8".into(), ..Default::default() },
    ];
    let id = Some(provider.workspace.clone());
    let request = SaveWorkspace { workspace: id, settings, secrets: Vec::new(), session_only: false };
    harness.core.workspaces.save_workspace(request).await.unwrap();

    let of = |event: &str| json!({"display_phone_number": "55113000", "event": event});
    let mut upgrade = of("THROUGHPUT_UPGRADE");
    upgrade["current_limit"] = json!("TIER_UNLIMITED");
    upgrade["max_daily_conversations_per_business"] = json!("TIER_2K");
    deliver(&mut harness, &provider, "7", "phone_number_quality_update", of("FLAGGED")).await;
    let listed_now = listed(&harness, &provider.workspace).await;
    let facts: Vec<_> = listed_now.iter().flat_map(|notice| &notice.facts).map(|fact| fact.value.as_str()).collect();
    assert_eq!(facts, ["Shop +55 11 3000"], "by its name, as everywhere else");
    deliver(&mut harness, &provider, "7", "phone_number_quality_update", of("UNFLAGGED")).await;
    deliver(&mut harness, &provider, "7", "phone_number_quality_update", upgrade).await;
    let name = json!({"display_phone_number": "55113000", "decision": "DEFERRED", "requested_verified_name": "Shop"});
    deliver(&mut harness, &provider, "7", "phone_number_name_update", name).await;
    deliver(
        &mut harness,
        &provider,
        "7",
        "account_update",
        json!({"event": "ACCOUNT_VIOLATION",
        "violation_info": {"violation_type": "SPAM"}}),
    )
    .await;

    let health = harness.core.webhooks.list_sender_health(workspace()).await.unwrap();
    let [first, second] = health.as_slice() else { panic!("{health:?}") };
    assert_eq!((first.limit, first.used), (Some(MessagingLimit::People { people: 2_000 }), 0));
    assert_eq!(first.throughput.as_ref().map(|said| said.value.as_str()), Some("TIER_UNLIMITED"));
    let quality: Vec<&str> = first.quality.iter().map(|said| said.value.as_str()).collect();
    assert_eq!(quality, ["UNFLAGGED", "FLAGGED"]);
    assert_eq!(first.name.as_ref().map(|said| said.value.as_str()), Some("Shop"));
    assert_eq!(first.name_decision.as_deref(), Some("DEFERRED"));
    assert!(first.notices.iter().any(|notice| notice.meaning == EventMeaning::AccountViolation), "{first:?}");
    // Nobody said anything about the other account.
    assert_eq!((second.limit, second.throughput.as_ref(), second.quality.len()), (None, None, 0));
    assert_eq!((second.name.as_ref(), second.notices.len()), (None, 0));
    assert!([first, second].iter().all(|number| !number.is_proven && number.unlisted.is_empty()), "{health:?}");

    // A person writes to a number, and to one whose ID was entered with a wrong digit.
    for number in ["1", "22"] {
        let message = json!({"from": "5511900000000", "id": format!("wamid.{number}"), "timestamp": "1700000000",
            "type": "text", "text": {"body": "Oi"}});
        let value = json!({"metadata": {"display_phone_number": "55", "phone_number_id": number},
            "contacts": [{"wa_id": "5511900000000", "profile": {"name": "Ana"}}], "messages": [message]});
        deliver(&mut harness, &provider, "7", "messages", value).await;
    }
    let health = harness.core.webhooks.list_sender_health(workspace()).await.unwrap();
    let proven: Vec<_> = health.iter().map(|number| (number.is_proven, number.unlisted.as_slice())).collect();
    assert_eq!(proven, [(true, [].as_slice()), (false, ["22".to_owned()].as_slice())]);
    harness.close().await;
}

#[tokio::test]
async fn a_reinstated_account_has_no_restriction_until_the_next_one() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let id = provider.workspace.clone();
    let end = 4_000_000_000_u64;
    let restriction = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": [
        {"restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING", "expiration": end}]});
    for waba in ["7", "8"] {
        deliver(&mut harness, &provider, waba, "account_update", restriction.clone()).await;
    }
    let ends = listed(&harness, &id).await.iter().map(|notice| notice.ends_at).collect::<Vec<_>>();
    assert_eq!(ends, [Some(4_000_000_000_000); 2]);
    let reinstated = json!({"event": "DISABLED_UPDATE",
        "ban_info": {"waba_ban_state": "REINSTATE", "waba_ban_date": "November 28, 2026"}});
    deliver(&mut harness, &provider, "7", "account_update", reinstated).await;
    assert_eq!(meanings(&listed(&harness, &id).await), [(Some("8"), EventMeaning::AccountRestricted)]);
    let again = json!({"event": "ACCOUNT_RESTRICTION", "restriction_info": [{"expiration": end + 1}]});
    deliver(&mut harness, &provider, "7", "account_update", again).await;
    assert_eq!(listed(&harness, &id).await.len(), 2);
    harness.close().await;
}

#[tokio::test]
async fn a_limit_is_a_warning_only_if_it_is_less_than_the_one_before() {
    let mut harness = Harness::start().await;
    let provider = Provider::for_new_workspace(&harness.core, SECRET).await;
    let id = provider.workspace.clone();
    let limit = |people: u64| json!({"max_daily_conversations_per_business": people});
    for (people, meaning, severity) in [
        (1_000, EventMeaning::LimitChanged, NoticeSeverity::Information),
        (10_000, EventMeaning::LimitRaised, NoticeSeverity::Information),
        (250, EventMeaning::LimitLowered, NoticeSeverity::Warning),
    ] {
        deliver(&mut harness, &provider, "7", "business_capability_update", limit(people)).await;
        let emitted = emitted_until(&mut harness, &id, meaning).await;
        assert_eq!(emitted.last().map(|notice| notice.severity), Some(severity), "{people}");
        let expected = if severity == NoticeSeverity::Warning { vec![(Some("7"), meaning)] } else { Vec::new() };
        assert_eq!(meanings(&listed(&harness, &id).await), expected, "{people}");
    }
    harness.close().await;
}
