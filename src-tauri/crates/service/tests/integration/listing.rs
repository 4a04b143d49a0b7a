//! Records and pages of a listing in every form, and pages that never end.

use model::vocabulary::TemplateStatus;
use serde_json::{Value, json};
use service::{Error, ListFilter, Listing};

use crate::provider::{Provider, Reply, json as reply};

fn record(number: usize) -> Value {
    json!({"uuid": format!("u{number}"), "name": format!("t{number}"), "language": "en", "status": "APPROVED", "category": "UTILITY", "components": []})
}

fn names(listing: &Listing) -> Vec<&str> {
    listing.records.iter().map(|listed| listed.record.template.name.as_str()).collect()
}

async fn list(provider: &Provider, filter: &ListFilter) -> Result<Listing, Error> {
    provider.client().list_templates(filter).await
}

/// Answers, then the parameter each further request adds.
type Case = (Vec<Value>, Vec<(&'static str, &'static str)>);

#[tokio::test]
async fn follows_every_form_of_paging_and_keeps_the_filters() {
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
            // Counted from zero, and the later pages do not say where they stand.
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
            assert_eq!(query, expected, "nothing is lost or doubled, and no token is taken over");
            assert!(request.target.starts_with("/messaging/provider/workspace-templates?"), "{}", request.target);
        }
    }
}

#[tokio::test]
async fn pages_in_a_circle_end_with_an_error() {
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
async fn a_cursor_that_the_server_ignores_means_one_page() {
    let page = json!({"data": [record(0), record(1)], "paging": {"cursors": {"after": "b"}}});
    let provider = Provider::start([reply(200, &page), reply(200, &page)]).await;
    assert_eq!(names(&list(&provider, &ListFilter::default()).await.unwrap()), ["t0", "t1"]);
}

#[tokio::test]
async fn says_when_there_is_more_than_it_was_given() {
    let provider = Provider::start([reply(200, &json!({"data": [record(0)], "total": 40}))]).await;
    let listing = list(&provider, &ListFilter::default()).await.unwrap();
    assert_eq!((listing.total, listing.incomplete, listing.pages), (Some(40), true, 1));
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_kept_with_what_can() {
    let records = json!([
        {"uuid": "u1", "name": "good", "language": "en", "status": "SOMETHING_NEW", "components": [], "quality": {"a": 1}},
        {"uuid": "u2", "name": 7, "language": "en", "status": "APPROVED", "components": "[{\"type\":\"BODY\",\"text\":\"x\"}]"},
        "not even an object",
        {"uuid": ["?"], "name": "half", "components": {"odd": true}}
    ]);
    let provider = Provider::start([reply(200, &records)]).await;
    let listing = list(&provider, &ListFilter::default()).await.unwrap();
    assert_eq!(listing.records.len(), 4, "none is dropped");
    assert_eq!(json!(listing.records.iter().map(|listed| &listed.raw).collect::<Vec<_>>()), records);
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
