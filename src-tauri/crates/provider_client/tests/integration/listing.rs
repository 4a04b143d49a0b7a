//! Records and pages of a listing in every form, and endless paging.

use model::vocabulary::TemplateStatus;
use provider_client::{Error, ListFilter, Listing};
use serde_json::{Value, json};

use crate::provider::{Provider, Reply, json as reply, raw};

fn record(number: usize) -> Value {
    json!({"uuid": format!("u{number}"), "name": format!("t{number}"), "language": "en", "status": "APPROVED", "category": "UTILITY", "components": []})
}

fn names(listing: &Listing) -> Vec<&str> {
    listing.records.iter().map(|listed| listed.record.template.name.as_str()).collect()
}

async fn list(provider: &Provider, filter: &ListFilter) -> Result<Listing, Error> {
    provider.client().list_templates(filter).await
}

/// Answers, then the parameter that each further request adds.
type Case = (Vec<Value>, Vec<(&'static str, &'static str)>);

#[tokio::test]
async fn every_form_of_paging_is_followed_with_the_filters() {
    let one = |number| json!([record(number)]);
    let cases: Vec<Case> = vec![
        (
            vec![
                json!({"data": one(0), "paging": {"cursors": {"before": "a", "after": "b"}, "next": "https://graph.example.com/v1?after=b&access_token=x"}}),
                json!({"data": one(1), "paging": {"cursors": {"before": "b", "after": "c"}, "next": "https://graph.example.com/v1?after=c"}}),
                json!({"data": one(2), "paging": {"cursors": {"before": "c", "after": "d"}}}),
                json!({"data": []}),
            ],
            vec![("after", "b"), ("after", "c"), ("after", "d")],
        ),
        (
            vec![
                json!({"data": one(0), "page": 1, "total_pages": 3}),
                json!({"data": one(1), "page": 2, "total_pages": 3}),
                json!({"data": one(2), "page": 3, "total_pages": 3}),
            ],
            vec![("page", "2"), ("page", "3")],
        ),
        (
            // Counted from zero, and later pages don't state their number.
            vec![
                json!({"items": one(0), "page": 0, "total_pages": 3}),
                json!({"items": one(1), "total_pages": 3}),
                json!({"items": one(2), "total_pages": 3}),
            ],
            vec![("page", "1"), ("page", "2")],
        ),
        (
            vec![
                json!({"results": one(0), "next": "?search=t&page=2"}),
                json!({"results": one(1), "next": "https://internal.example.com/other?search=t&page=3&access_token=zz"}),
                json!({"results": one(2), "next": null}),
            ],
            vec![("page", "2"), ("page", "3")],
        ),
        (
            vec![
                json!({"templates": one(0), "next_cursor": "x=&1"}),
                json!({"templates": one(1), "next_cursor": "y"}),
                json!({"templates": one(2), "next_cursor": ""}),
            ],
            vec![("cursor", "x=&1"), ("cursor", "y")],
        ),
        (
            vec![
                json!({"data": {"items": one(0), "total": 3, "offset": 0, "limit": 1}}),
                json!({"data": {"items": one(1), "total": 3, "offset": 1, "limit": 1}}),
                json!({"data": {"items": one(2), "total": 3, "offset": 2, "limit": 1}}),
            ],
            vec![("offset", "1"), ("offset", "2")],
        ),
    ];
    for (answers, added) in cases {
        let provider = Provider::start(answers.iter().map(|answer| reply(200, answer))).await;
        let filter = ListFilter { search: Some("t".into()), ..ListFilter::default() };
        let listing = list(&provider, &filter).await.unwrap();
        assert_eq!(names(&listing), ["t0", "t1", "t2"], "{answers:?}");
        assert!(!listing.incomplete);
        let requests = provider.requests();
        assert_eq!(requests.len(), added.len() + 1);
        for (request, (name, value)) in requests[1..].iter().zip(added) {
            let query = request.query();
            let expected = [("search".to_owned(), "t".to_owned()), (name.to_owned(), value.to_owned())];
            assert_eq!(query, expected, "filters are neither lost nor repeated, and no token is copied");
            assert!(request.target.starts_with("/messaging/provider/workspace-templates?"), "{}", request.target);
        }
    }
}

#[tokio::test]
async fn endless_paging_is_an_error() {
    let page = |number: usize, next: Value| {
        let mut page = json!({"data": [record(number)]});
        page.as_object_mut().unwrap().extend(next.as_object().unwrap().clone());
        reply(200, &page)
    };
    let cases = [
        vec![page(0, json!({"next": "?page=2"})), page(1, json!({"next": "?page=2"}))],
        vec![page(0, json!({"next": "?page=2"})), page(0, json!({"next": "?page=3"}))],
        vec![
            page(0, json!({"next_cursor": "a"})),
            page(1, json!({"next_cursor": "b"})),
            page(2, json!({"next_cursor": "a"})),
        ],
        vec![page(0, json!({"page": 1, "total_pages": 2})), page(0, json!({"page": 1, "total_pages": 2}))],
        (0..9)
            .map(|number| reply(200, &json!({"data": [], "next_cursor": number.to_string()})))
            .collect::<Vec<Reply>>(),
    ];
    for answers in cases {
        let provider = Provider::start(answers.clone()).await;
        let error = list(&provider, &ListFilter::default()).await.unwrap_err();
        assert!(matches!(error, Error::Unreadable { .. }), "{answers:?}: {error:?}");
    }
}

#[tokio::test]
async fn an_ignored_cursor_means_one_page() {
    let page = json!({"data": [record(0), record(1)], "paging": {"cursors": {"after": "b"}}});
    let provider = Provider::start([reply(200, &page), reply(200, &page)]).await;
    assert_eq!(names(&list(&provider, &ListFilter::default()).await.unwrap()), ["t0", "t1"]);
}

#[tokio::test]
async fn an_incomplete_listing_is_reported() {
    let provider = Provider::start([reply(200, &json!({"data": [record(0)], "total": 40}))]).await;
    let listing = list(&provider, &ListFilter::default()).await.unwrap();
    assert_eq!((listing.total, listing.incomplete, listing.pages), (Some(40), true, 1));
}

#[tokio::test]
async fn readable_fields_of_a_damaged_record_are_kept() {
    let records = json!([
        {"uuid": "u1", "name": "good", "language": "en", "status": "SOMETHING_NEW", "components": [], "quality": {"a": 1}},
        {"uuid": "u2", "name": 7, "language": "en", "status": "APPROVED", "components": "[{\"type\":\"BODY\",\"text\":\"x\"}]"},
        "not even an object",
        {"uuid": ["?"], "name": "half", "components": {"odd": true}}
    ]);
    let provider = Provider::start([reply(200, &records)]).await;
    let listing = list(&provider, &ListFilter::default()).await.unwrap();
    assert_eq!(listing.records.len(), 4, "none is dropped");
    assert!(listing.incomplete, "one record does not identify its template");
    let raw = listing.records.iter().map(|listed| serde_json::from_str::<Value>(&listed.raw).unwrap());
    assert_eq!(json!(raw.collect::<Vec<_>>()), records);
    let [good, odd, alien, half] = listing.records.as_slice() else { panic!("four") };
    assert_eq!(good.record.status, Some(TemplateStatus::Unknown("SOMETHING_NEW".into())));
    assert_eq!(good.record.template.extra["quality"], json!({"a": 1}));
    assert_eq!(odd.record.uuid.as_deref(), Some("u2"));
    assert_eq!(odd.record.status, Some(TemplateStatus::Approved));
    assert_eq!(json!(odd.record.template.components), json!([{"type": "BODY", "text": "x"}]));
    assert_eq!(alien.record.uuid, None);
    assert_eq!(half.record.template.name, "half");
    assert!(half.unreadable.contains(&"components".to_owned()), "{half:?}");
}

fn with_body(body: &str) -> Reply {
    raw(200, "application/json", body)
}

#[tokio::test]
async fn a_page_of_a_million_records_is_rejected() {
    let body = format!("{{\"data\":[{}{{}}]}}", "{},".repeat(999_999));
    let provider = Provider::start([with_body(&body)]).await;
    let error = list(&provider, &ListFilter::default()).await.unwrap_err();
    let Error::Unreadable { reason, .. } = &error else { panic!("{error:?}") };
    assert!(reason.contains("1000000 templates") && reason.contains("at most 20000 templates"), "{reason}");
}

#[tokio::test]
async fn a_page_without_readable_records_is_an_error() {
    for body in [r#"{"data":[{}]}"#, r#"[null, 1, "x"]"#, "[[]]", r#"{"items":[{"name":"a"},{"uuid":""}]}"#] {
        let provider = Provider::start([with_body(body), with_body(body)]).await;
        let listed = list(&provider, &ListFilter::default()).await.unwrap_err();
        let checked = provider.client().check().await.unwrap_err();
        for error in [listed, checked] {
            let Error::Unreadable { body: shown, reason, .. } = &error else { panic!("{body}: {error:?}") };
            assert_eq!((shown.as_str(), reason.contains("uuid")), (body, true), "{reason}");
        }
    }
}

#[tokio::test]
async fn an_invalid_string_affects_only_its_record() {
    let records = [record(0).to_string(), record(1).to_string().replace("t1", r"\ud800"), record(2).to_string()];
    for body in [format!("[{}]", records.join(",")), format!(r#"{{"data": {{"items": [{}]}}}}"#, records.join(","))] {
        let provider = Provider::start([with_body(&body)]).await;
        let listing = list(&provider, &ListFilter::default()).await.unwrap();
        assert_eq!(names(&listing), ["t0", "", "t2"]);
        assert!(listing.incomplete);
        assert_eq!(listing.records[1].raw, records[1], "unchanged");
        assert!(listing.records[1].is_damaged);
        assert_eq!(listing.records[1].record.reference(), Some("u1"), "which one it is can be read");
    }
}

#[tokio::test]
async fn an_oversized_record_is_kept_undecoded() {
    let mut long = record(1);
    long["extra"] = json!(vec![0; 600_000]);
    let provider = Provider::start([reply(200, &json!([record(0), long]))]).await;
    let listing = list(&provider, &ListFilter::default()).await.unwrap();
    assert_eq!((names(&listing), listing.incomplete), (vec!["t0", ""], true));
}

#[tokio::test]
async fn an_empty_list_at_another_path_is_an_error() {
    let expecting = async |body: Value, path: Option<&str>| {
        let provider = Provider::start([reply(200, &body)]).await;
        let pages = provider.client().template_pages(&ListFilter::default()).unwrap();
        let mut pages = pages.expecting_list_at(path.map(str::to_owned));
        let page = pages.next().await;
        page.map(|page| (page.unwrap().records().count(), pages.list_path().to_owned()))
    };
    let error = expecting(json!({"items": []}), Some("data")).await.unwrap_err();
    let Error::Unreadable { reason, body, .. } = &error else { panic!("{error:?}") };
    assert!(reason.contains("`items`") && reason.contains("`data`"), "{reason}");
    assert_eq!(body, r#"{"items":[]}"#);
    for (body, path, expected) in [
        (json!({"data": []}), Some("data"), (0, "data")),
        (json!({"items": []}), None, (0, "items")),
        (json!({"items": [], "total": 0}), Some("data"), (0, "items")),
        (json!([record(0)]), Some("data"), (1, "")),
    ] {
        assert_eq!(expecting(body.clone(), path).await.unwrap(), (expected.0, expected.1.to_owned()), "{body}");
    }
}

#[tokio::test]
async fn endless_pages_stop_at_the_limit() {
    // Always another record, and always a next page.
    let endless =
        (0..5_100).map(|number| reply(200, &json!({"data": [record(number)], "next_cursor": number.to_string()})));
    let provider = Provider::start(endless).await;
    let error = list(&provider, &ListFilter::default()).await.unwrap_err();
    let Error::Unreadable { reason, .. } = &error else { panic!("{error:?}") };
    assert!(reason.contains("5000 templates on 5000 pages"), "{reason}");
    assert_eq!(provider.requests().len(), 5_000);
    // Repeating pages behind ever-changing addresses.
    let in_turn = (0..20_usize)
        .map(|number| reply(200, &json!({"data": [record(number % 2)], "next_cursor": number.to_string()})));
    let provider = Provider::start(in_turn).await;
    let error = list(&provider, &ListFilter::default()).await.unwrap_err();
    assert!(matches!(&error, Error::Unreadable { reason, .. } if reason.contains("do not end")), "{error:?}");
    assert_eq!(provider.requests().len(), 5);
    // Full pages reach the limit of templates first.
    let full = |page: usize| {
        let records: Vec<Value> = (0..20_000).map(|number| json!({"uuid": format!("{page}-{number}")})).collect();
        reply(200, &json!({"data": records, "next_cursor": page.to_string()}))
    };
    let provider = Provider::start((0..12).map(full)).await;
    let mut pages = provider.client().template_pages(&ListFilter::default()).unwrap();
    let error = loop {
        match pages.next().await {
            Ok(page) => assert!(page.is_some()),
            Err(error) => break error,
        }
    };
    assert!(matches!(&error, Error::Unreadable { reason, .. } if reason.contains("200000 templates")), "{error:?}");
    assert_eq!(provider.requests().len(), 11);
}

#[tokio::test]
async fn a_connection_test_reads_one_page() {
    let endless =
        (0..3).map(|number| reply(200, &json!({"data": [record(number)], "next_cursor": number.to_string()})));
    let provider = Provider::start(endless).await;
    let reached = provider.client().check().await.unwrap();
    assert_eq!((reached.templates, reached.more), (1, true));
    assert_eq!(provider.requests().len(), 1);
}
