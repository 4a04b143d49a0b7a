//! Lists of templates: filters, sorting, search and fetching.

mod provider;
mod review_board;

use std::collections::{BTreeMap, BTreeSet};

use app::Core;
use app::SANDBOX_ID;
use command_types::bulk_action::{BulkActionKind, PlanBulkAction};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::template::{
    Facet, ListViews, MatrixQuery, RefreshTemplates, SaveListViews, SavedView, TemplatePage, TemplateQuery,
    TemplateRow, TemplateSort, TemplateTarget,
};
use command_types::workspace::{SaveWorkspace, SecretInput, SecretKind, WorkspaceId};
use reqwest::Method;
use sandbox::seed;
use secrecy::SecretString;
use serde_json::{Value, json};

pub(super) use self::provider::endless;
use self::provider::{PAGE, Paging, Provider};
use super::batches::{opened, settings};
use super::harness::Harness;
use super::sending::Desk;

fn query(workspace: &str) -> TemplateQuery {
    TemplateQuery { workspace: workspace.to_owned(), sort: TemplateSort::Name, limit: 500, ..TemplateQuery::default() }
}

async fn page(core: &Core, query: TemplateQuery) -> TemplatePage {
    core.templates.list_templates(query).await.unwrap()
}

async fn refresh(core: &Core, workspace: &str) -> command_types::template::SyncReport {
    core.templates.refresh_templates(WorkspaceId { workspace: workspace.to_owned() }).await.unwrap()
}

/// All pages of a list.
async fn all(core: &Core, query: &TemplateQuery) -> Vec<TemplateRow> {
    let mut rows: Vec<TemplateRow> = Vec::new();
    loop {
        let next = page(core, TemplateQuery { offset: u32::try_from(rows.len()).unwrap(), ..query.clone() }).await;
        if next.rows.is_empty() {
            assert_eq!(rows.len() as u64, next.total);
            return rows;
        }
        rows.extend(next.rows);
    }
}

/// Adds plain templates in many states to the sandbox.
async fn add(harness: &Harness, count: usize) {
    let added = harness.ask(Method::POST, "/sandbox/templates", &json!({"count": count})).await;
    assert_eq!(added, json!({"added": count}));
}

/// The listing of the sandbox.
async fn listed(harness: &Harness) -> Vec<Value> {
    let path = "/messaging/provider/workspace-templates?limit=1000";
    let answer = harness.ask(Method::GET, path, &Value::Null).await;
    assert_eq!(answer["paging"]["next"], Value::Null, "it is one page");
    answer["data"].as_array().unwrap().clone()
}

fn names(rows: &[TemplateRow]) -> Vec<&str> {
    rows.iter().map(|row| row.name.as_str()).collect()
}

fn counted(facets: &[Facet]) -> Vec<(&str, u64)> {
    facets.iter().map(|facet| (facet.value.as_str(), facet.count)).collect()
}

fn body(text: &str) -> Value {
    json!([{"type": "BODY", "text": text}])
}

/// Templates that differ in every property with a filter.
fn varied() -> Vec<Value> {
    let image = json!([{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["h"]}}, {"type": "BODY", "text": "Sale"}]);
    let cards = json!([{"type": "BODY", "text": "Look"}, {"type": "CAROUSEL", "cards": [
        {"components": [{"type": "BODY", "text": "One"}]}, {"components": [{"type": "BODY", "text": "Two"}]}]}]);
    vec![
        json!({"name": "a_order", "components": body("Seu pedido {{1}} já saiu para entrega"), "waba_ids": [10],
               "business_id": "1", "type": "cloud_api", "quality_score": {"score": "GREEN"}}),
        json!({"name": "b_order", "language": "en_US", "components": body("Your order {{1}} is on its way"),
               "waba_ids": [10, 11], "business_id": "1", "status": "PENDING", "quality_score": {"score": "YELLOW"}}),
        json!({"name": "c_sale", "language": "es", "components": image, "waba_ids": [11], "business_id": "2",
               "type": "marketing_lite", "category": "marketing", "previous_category": "utility", "status": "REJECTED"}),
        json!({"name": "d_cards", "components": cards, "waba_ids": [12], "category": "marketing"}),
        json!({"name": "hello_world", "components": body("Welcome"), "language": "en_US"}),
        json!({"name": "old_news", "components": body("Long ago"), "archived": true}),
    ]
}

#[tokio::test]
async fn a_listing_that_is_not_cached_is_fetched_before_a_list_is_shown_and_once() {
    let mut harness = Harness::start().await;
    harness.core.templates.sync_if_not_cached(SANDBOX_ID).await.unwrap();
    harness.event(|event| matches!(event, DeskEvent::SyncFinished { .. }).then_some(())).await;
    let first = page(&harness.core, query(SANDBOX_ID)).await;
    assert!(first.total > 0 && first.as_of.is_some());

    add(&harness, 3).await;
    harness.core.templates.sync_if_not_cached(SANDBOX_ID).await.unwrap();
    // A fetch that began would be under way now, and another one would be refused.
    tokio::task::yield_now().await;
    assert_eq!(refresh(&harness.core, SANDBOX_ID).await.total, first.all + 3);
    harness.close().await;
}

#[tokio::test]
async fn each_filter_returns_only_matching_templates() {
    let desk = Desk::start(&varied()).await;
    desk.core().messaging.send_template(desk.request("t1", &[("body.1", "Ana")])).await.unwrap();
    let any = || query(&desk.workspace());
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let everything = ["a_order", "b_order", "c_sale", "d_cards", "hello_world", "old_news"];
    let cases: Vec<(TemplateQuery, &[&str])> = vec![
        (any(), &everything),
        (TemplateQuery { statuses: words(&["PENDING", "REJECTED"]), ..any() }, &["b_order", "c_sale"]),
        (TemplateQuery { categories: words(&["marketing"]), ..any() }, &["c_sale", "d_cards"]),
        (TemplateQuery { languages: words(&["es", "en_US"]), ..any() }, &["b_order", "c_sale", "hello_world"]),
        (TemplateQuery { wabas: words(&["11"]), ..any() }, &["b_order", "c_sale"]),
        (TemplateQuery { wabas: words(&[""]), ..any() }, &["hello_world", "old_news"]),
        (TemplateQuery { businesses: words(&["2"]), ..any() }, &["c_sale"]),
        (TemplateQuery { kinds: words(&["marketing_lite", "cloud_api"]), ..any() }, &["a_order", "c_sale"]),
        (TemplateQuery { qualities: words(&["GREEN"]), ..any() }, &["a_order"]),
        (TemplateQuery { headers: words(&["IMAGE"]), ..any() }, &["c_sale"]),
        (
            TemplateQuery { headers: words(&["NONE"]), ..any() },
            &["a_order", "b_order", "d_cards", "hello_world", "old_news"],
        ),
        (TemplateQuery { carousel: Some(true), ..any() }, &["d_cards"]),
        (TemplateQuery { category_changed: Some(true), ..any() }, &["c_sale"]),
        (TemplateQuery { samples: Some(true), ..any() }, &["hello_world"]),
        (TemplateQuery { samples: Some(false), ..any() }, &["a_order", "b_order", "c_sale", "d_cards", "old_news"]),
        (TemplateQuery { archived: Some(true), ..any() }, &["old_news"]),
        (TemplateQuery { archived: Some(false), samples: Some(false), ..any() }, &everything[..4]),
        (TemplateQuery { sent_within_days: Some(1), ..any() }, &["a_order"]),
        (TemplateQuery { not_sent_for_days: Some(0), ..any() }, &everything[1..]),
        (TemplateQuery { not_sent_for_days: Some(1), ..any() }, &everything[1..]),
        // Search words match prefixes of words in the name or body, in any case or accents, or a part of the name.
        (TemplateQuery { search: Some("order".to_owned()), ..any() }, &["a_order", "b_order"]),
        (TemplateQuery { search: Some("rder".to_owned()), ..any() }, &["a_order", "b_order"]),
        (TemplateQuery { search: Some("PEDIDO ja".to_owned()), ..any() }, &["a_order"]),
        (TemplateQuery { search: Some("edido".to_owned()), ..any() }, &[]),
        (TemplateQuery { search: Some("way order".to_owned()), ..any() }, &["b_order"]),
        (
            TemplateQuery {
                search: Some("order".to_owned()),
                wabas: words(&["10"]),
                statuses: words(&["APPROVED"]),
                ..any()
            },
            &["a_order"],
        ),
        (TemplateQuery { languages: words(&["es"]), carousel: Some(true), ..any() }, &[]),
    ];
    for (query, expected) in cases {
        let page = page(desk.core(), query.clone()).await;
        assert_eq!(names(&page.rows), expected, "{query:?}");
        assert_eq!((page.total, page.all), (expected.len() as u64, 6), "{query:?}");
    }
    let facets = page(desk.core(), any()).await.facets;
    assert_eq!(counted(&facets.statuses), [("APPROVED", 4), ("PENDING", 1), ("REJECTED", 1)]);
    assert_eq!(counted(&facets.wabas), [("10", 2), ("11", 2), ("12", 1)]);
    assert_eq!(counted(&facets.headers), [("IMAGE", 1), ("NONE", 5)]);
    let flags = (facets.carousels, facets.samples, facets.category_changed, facets.archived);
    assert_eq!(flags, (1, 1, 1, 1));
    desk.harness.close().await;
}

#[tokio::test]
async fn a_list_is_paged_in_both_orders() {
    let harness = Harness::start().await;
    let few = listed(&harness).await.len();
    add(&harness, 1_234).await;
    let report = refresh(&harness.core, SANDBOX_ID).await;
    let seeded = few as u64 + 1_234;
    // The last page has a cursor as well, which leads to an empty page.
    let pages = seeded.div_ceil(100) + 1;
    assert_eq!((report.total, report.pages, report.cancelled, report.partial), (seeded, pages, false, false));
    let by_name = all(&harness.core, &query(SANDBOX_ID)).await;
    assert_eq!(by_name.len() as u64, seeded);
    let references = |rows: &[TemplateRow]| rows.iter().map(|row| row.reference.clone()).collect::<BTreeSet<_>>();
    assert_eq!(references(&by_name).len(), by_name.len(), "each once");
    let key = |row: &TemplateRow| (row.name.clone(), row.language.clone());
    assert!(by_name.is_sorted_by_key(key));
    let newest = all(&harness.core, &TemplateQuery { sort: TemplateSort::Newest, ..query(SANDBOX_ID) }).await;
    assert!(newest.is_sorted_by_key(|row| std::cmp::Reverse(row.updated_at)));
    assert_eq!(references(&newest), references(&by_name));
    // With pages of any size.
    let narrowed = TemplateQuery { search: Some("mensagem order".to_owned()), limit: 7, ..query(SANDBOX_ID) };
    let found = all(&harness.core, &narrowed).await;
    let fits = |row: &&TemplateRow| row.name.starts_with("order_") && row.excerpt.contains("mensagem");
    let expected: Vec<&TemplateRow> = by_name.iter().filter(fits).collect();
    assert!(expected.len() > 100 && found.iter().eq(expected));
    harness.close().await;
}

#[tokio::test]
async fn a_filtered_refresh_keeps_the_other_templates() {
    let harness = Harness::start().await;
    let core = &harness.core;
    refresh(core, SANDBOX_ID).await;
    let before = page(core, query(SANDBOX_ID)).await;
    add(&harness, 120).await;
    let listed = listed(&harness).await;
    let waba = seed::SECOND_WABA.to_string();
    let request = || RefreshTemplates { workspace: SANDBOX_ID.to_owned(), ..RefreshTemplates::default() };
    let is = |template: &Value, field: &str, word: &str| {
        template[field].as_str().is_some_and(|found| found.eq_ignore_ascii_case(word))
    };
    let in_waba = |template: &Value| template["waba_ids"].to_string().contains(&waba);
    type Fits<'a> = Box<dyn Fn(&Value) -> bool + 'a>;
    let cases: Vec<(RefreshTemplates, Fits<'_>)> = vec![
        (
            RefreshTemplates { status: Some("REJECTED".to_owned()), ..request() },
            Box::new(|template| is(template, "status", "REJECTED") && template["archived"] == json!(false)),
        ),
        (RefreshTemplates { waba: Some(waba.clone()), ..request() }, Box::new(in_waba)),
        (
            RefreshTemplates {
                category: Some("marketing".to_owned()),
                search: Some("OFFER_0".to_owned()),
                ..request()
            },
            Box::new(|template| {
                is(template, "category", "marketing") && template["name"].as_str().unwrap().contains("offer_0")
            }),
        ),
        (
            RefreshTemplates { business_id: Some(seed::OTHER_BUSINESS.to_owned()), ..request() },
            Box::new(|template| is(template, "business_id", seed::OTHER_BUSINESS)),
        ),
    ];
    let mut known: BTreeSet<String> = before.rows.iter().map(|row| row.reference.clone()).collect();
    for (request, fits) in cases {
        let fitting: BTreeSet<String> = listed
            .iter()
            .filter(|template| fits(template))
            .map(|template| template["uuid"].as_str().unwrap().to_owned())
            .collect();
        let report = core.templates.refresh_templates(request.clone()).await.unwrap();
        assert_eq!((report.total, report.partial), (fitting.len() as u64, true), "{request:?}");
        let new = fitting.difference(&known).count() as u64;
        assert_eq!(report.changes, new, "{request:?}");
        known.extend(fitting);
        let now = page(core, query(SANDBOX_ID)).await;
        let shown: BTreeSet<String> = now.rows.iter().map(|row| row.reference.clone()).collect();
        assert_eq!(shown, known, "{request:?}");
        assert_eq!(now.as_of, before.as_of, "the list as a whole is as old as it was");
    }
    assert!(known.len() < listed.len());
    assert_eq!(refresh(core, SANDBOX_ID).await.total, listed.len() as u64);
    assert_eq!(page(core, query(SANDBOX_ID)).await.total, listed.len() as u64);
    harness.close().await;
}

fn numbered(count: usize, text: &str) -> Vec<Value> {
    let template = |number| {
        json!({"uuid": format!("t{number}"), "name": format!("name_{number}"), "language": "en",
        "status": "APPROVED", "category": "utility", "components": body(text)})
    };
    (0..count).map(template).collect()
}

#[tokio::test]
async fn every_form_of_paging_is_read_completely_with_progress() {
    for paging in [Paging::Numbers, Paging::Links, Paging::Cursors, Paging::Flag] {
        let provider = Provider::start(numbered(5, "Hello"), paging).await;
        let (core, workspace, _folder, mut events) = opened(&provider.url).await;
        let page = page(&core, query(&workspace)).await;
        assert_eq!(names(&page.rows), ["name_0", "name_1", "name_2", "name_3", "name_4"], "{paging:?}");
        let mut emitted = Vec::new();
        while let Ok(event) = events.try_recv() {
            if let DeskEvent::SyncProgress { pages, templates, total, .. } = event {
                emitted.push((pages, templates, total));
            }
        }
        let total = (paging == Paging::Links).then_some(5);
        assert_eq!(emitted, [(1, PAGE as u64, total), (2, 4, total), (3, 5, total)], "{paging:?}");
        // Templates no longer listed are removed once another listing confirms it, and the others are unchanged.
        provider.lists(numbered(3, "Hello"), None);
        for changes in [0, 2] {
            let report = refresh(&core, &workspace).await;
            assert_eq!((report.total, report.changes), (3, changes), "{paging:?}");
        }
        core.close().await;
    }
}

#[tokio::test]
async fn a_cancelled_refresh_keeps_the_pages_read() {
    let provider = Provider::start(numbered(6, "Before"), Paging::Numbers).await;
    let (core, workspace, _folder, mut events) = opened(&provider.url).await;
    let before = page(&core, query(&workspace)).await;
    // The first page has changes and lacks templates; the third page is never answered.
    let mut templates = numbered(2, "After");
    templates.extend(numbered(9, "Before").split_off(6));
    provider.lists(templates, Some(2));
    while events.try_recv().is_ok() {}
    let refreshing = tokio::spawn({
        let (core, workspace) = (core.clone(), workspace.clone());
        async move { refresh(&core, &workspace).await }
    });
    while !matches!(events.recv().await.unwrap(), DeskEvent::SyncProgress { pages: 2, .. }) {}
    let twice = core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }).await.unwrap_err();
    assert!(matches!(twice, DeskError::Conflict { .. }), "{twice:?}");
    core.templates.cancel_refresh(WorkspaceId { workspace: workspace.clone() }).await.unwrap();
    let report = refreshing.await.unwrap();
    assert_eq!((report.cancelled, report.pages, report.total), (true, 2, 4));

    let after = page(&core, query(&workspace)).await;
    let text = |row: &TemplateRow| (row.name.clone(), row.excerpt.clone());
    let shown: BTreeMap<_, _> = after.rows.iter().map(text).collect();
    let expected = [("After", 0..2), ("Before", 2..8)];
    let expected =
        expected.into_iter().flat_map(|(text, numbers)| numbers.map(move |n| (format!("name_{n}"), text.to_owned())));
    assert_eq!(shown, expected.collect::<BTreeMap<_, _>>(), "nothing is removed");
    assert_eq!(after.as_of, before.as_of);
    provider.lists(numbered(2, "After"), None);
    // So few are accepted after a second listing confirms it.
    assert_eq!(refresh(&core, &workspace).await.kept, 6);
    refresh(&core, &workspace).await;
    assert_eq!(names(&page(&core, query(&workspace)).await.rows), ["name_0", "name_1"]);
    core.close().await;
}

#[tokio::test]
async fn an_action_on_a_filter_affects_the_listed_templates() {
    let harness = Harness::start().await;
    let core = &harness.core;
    add(&harness, 1_300).await;
    refresh(core, SANDBOX_ID).await;
    let shown = TemplateQuery { statuses: vec!["APPROVED".to_owned()], archived: Some(false), ..query(SANDBOX_ID) };
    let rows = all(core, &shown).await;
    assert!(rows.len() > 500, "more than a page");
    // The offset and limit are ignored.
    let target = TemplateTarget::Query { query: TemplateQuery { offset: 40, limit: 3, ..shown } };
    assert_eq!(core.templates.resolve_target(SANDBOX_ID, &target).await.unwrap(), rows);
    let workspace = SANDBOX_ID.to_owned();
    let order = core
        .bulk_actions
        .plan_bulk_action(PlanBulkAction { workspace, action: BulkActionKind::Archive, target })
        .await
        .unwrap();
    assert_eq!(order.total as usize, rows.len());
    let named = [&rows[7], &rows[2], &rows[7]].map(|row| row.reference.clone());
    let references = named.iter().cloned().chain(["it is unknown".to_owned()]).collect();
    let resolved = core.templates.resolve_target(SANDBOX_ID, &TemplateTarget::References { references }).await.unwrap();
    assert_eq!(resolved, [rows[7].clone(), rows[2].clone()], "as they are named, each once");
    // Templates of another workspace do not match.
    let elsewhere = TemplateTarget::Query { query: query("another") };
    assert_eq!(
        core.templates.resolve_target(SANDBOX_ID, &elsewhere).await.unwrap().len(),
        all(core, &query(SANDBOX_ID)).await.len()
    );
    harness.close().await;
}

#[tokio::test]
async fn the_language_matrix_groups_templates_by_name() {
    let in_language = |name: &str, language: &str, text: &str| json!({"name": name, "language": language, "components": body(text), "waba_ids": [10]});
    let desk = Desk::start(&[
        in_language("welcome", "en_US", "Hello {{1}}, welcome"),
        in_language("welcome", "pt_BR", "Olá {{1}}, bem-vindo"),
        in_language("welcome", "es", "Hola, te damos la bienvenida"),
        in_language("farewell", "en_US", "Goodbye {{1}}"),
        in_language("farewell", "pt_BR", "Adeus {{1}}"),
        in_language("survey", "en_US", "How was it?"),
    ])
    .await;
    let matrix = async |incomplete, different, offset, limit| {
        let query = TemplateQuery { offset, limit, ..query(&desk.workspace()) };
        let asked = MatrixQuery { query, only_incomplete: Some(incomplete), only_different: Some(different) };
        desk.core().templates.get_language_matrix(asked).await.unwrap()
    };
    let names = |page: &command_types::template::MatrixPage| -> Vec<String> {
        page.rows.iter().map(|row| row.name.clone()).collect()
    };
    let whole = matrix(false, false, 0, 10).await;
    assert_eq!(names(&whole), ["farewell", "survey", "welcome"]);
    assert_eq!((whole.names, counted(&whole.languages)), (3, vec![("en_US", 3), ("pt_BR", 2), ("es", 1)]));
    let welcome = &whole.rows[2];
    let cells: Vec<_> = welcome.cells.iter().map(|cell| (cell.language.as_str(), cell.differences.len())).collect();
    assert_eq!(welcome.base.as_deref(), Some("t1"), "the others are compared with one that can be sent");
    let different: Vec<_> =
        cells.iter().filter(|(_, differences)| *differences > 0).map(|(language, _)| *language).collect();
    assert_eq!((cells.len(), different), (3, vec!["es"]), "it asks for no value");
    let spanish = &welcome.cells.iter().find(|cell| cell.language == "es").unwrap().differences;
    let text = spanish.iter().find(|difference| difference.place == "/components/0/text").unwrap();
    assert!(text.expected.contains("{{1}}") && text.found.is_empty(), "{text:?}");

    assert_eq!(names(&matrix(true, false, 0, 10).await), ["farewell", "survey"], "they lack a language");
    assert_eq!(names(&matrix(false, true, 0, 10).await), ["welcome"]);
    let second = matrix(false, false, 1, 1).await;
    assert_eq!((names(&second), second.names), (vec!["survey".to_owned()], 3), "pages count names");
    desk.harness.close().await;
}

#[tokio::test]
async fn list_views_are_stored_until_their_workspace_is_deleted() {
    let mut harness = Harness::start().await;
    let request = SaveWorkspace {
        workspace: None,
        settings: settings("http://127.0.0.1:9"),
        secrets: Vec::new(),
        session_only: false,
    };
    let other = harness.core.workspaces.save_workspace(request).await.unwrap().id;
    let view = |id: &str, name: &str| SavedView {
        id: id.to_owned(),
        name: name.to_owned(),
        screen: "templates".to_owned(),
        filter: "status:REJECTED".to_owned(),
    };
    let views = |saved: Vec<SavedView>| ListViews {
        last: BTreeMap::from([("templates".to_owned(), "search:order".to_owned())]),
        saved,
    };
    let kept = views(vec![view("1", "Rejected"), view("2", "Mine")]);
    let save =
        |workspace: &str, views: &ListViews| SaveListViews { workspace: workspace.to_owned(), views: views.clone() };
    let spaced = views(vec![view("1", "  Rejected "), view("2", "Mine")]);
    assert_eq!(harness.core.templates.save_list_views(save(SANDBOX_ID, &spaced)).await.unwrap(), kept);
    harness.core.templates.save_list_views(save(&other, &views(Vec::new()))).await.unwrap();
    for (flawed, field) in [
        (views(vec![view("1", "Same"), view("2", "Same")]), "saved.1.name"),
        (views(vec![view("1", " ")]), "saved.0.name"),
        (views(vec![view("1", "One"), view("1", "Two")]), "saved.1.id"),
        (views(vec![SavedView { filter: "x".repeat(2_001), ..view("1", "Long") }]), "saved.0.filter"),
    ] {
        let refused = harness.core.templates.save_list_views(save(SANDBOX_ID, &flawed)).await.unwrap_err();
        assert!(matches!(&refused, DeskError::InvalidInput { field: at, .. } if at == field), "{refused:?}");
    }
    let folder = harness.close().await;
    harness = Harness::start_in(folder).await;
    let of = |workspace: &str| WorkspaceId { workspace: workspace.to_owned() };
    assert_eq!(harness.core.templates.get_list_views(of(SANDBOX_ID)).await.unwrap(), kept);
    assert_eq!(harness.core.templates.get_list_views(of(&other)).await.unwrap(), views(Vec::new()));
    harness.core.workspaces.delete_workspace(of(&other)).await.unwrap();
    assert_eq!(harness.core.templates.get_list_views(of(&other)).await.unwrap(), ListViews::default());
    let gone = harness.core.templates.save_list_views(save(&other, &kept)).await.unwrap_err();
    assert!(matches!(gone, DeskError::NotFound { .. }), "{gone:?}");
    harness.close().await;
}

#[tokio::test]
async fn a_refresh_that_ended_early_does_not_block_the_next_one() {
    // Connections are accepted by the system and never answered.
    let provider = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let harness = Harness::start().await;
    let core = &harness.core;
    let token = SecretInput { kind: SecretKind::Token, number: None, value: SecretString::from("a-token") };
    let request = SaveWorkspace {
        workspace: None,
        settings: settings(&format!("http://{}", provider.local_addr().unwrap())),
        secrets: vec![token],
        session_only: false,
    };
    let workspace = core.workspaces.save_workspace(request).await.unwrap().id;
    for _ in 0..2 {
        // Dropped while it waits, as a panic does.
        tokio::select! {
            ended = core.templates.refresh_templates(WorkspaceId { workspace: workspace.clone() }) => panic!("{ended:?}"),
            connected = provider.accept() => drop(connected.unwrap()),
        }
    }
    harness.close().await;
}
