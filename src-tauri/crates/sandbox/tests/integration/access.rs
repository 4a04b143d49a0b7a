//! Contract §5 and §7: authentication, and the form of every refusal.

use reqwest::Method;
use sandbox::Options;
use serde_json::json;

use crate::bench::{Bench, TEMPLATES, TOKEN, WORKSPACE, answer, assert_refused, options, send_path, template};

const UUID: &str = "00000000-0000-4000-8000-000000000000";

fn endpoints() -> Vec<(Method, String)> {
    vec![
        (Method::POST, send_path()),
        (Method::POST, TEMPLATES.to_owned()),
        (Method::PUT, format!("{TEMPLATES}/{UUID}")),
        (Method::POST, format!("{TEMPLATES}/{UUID}/archive")),
        (Method::POST, format!("{TEMPLATES}/{UUID}/unarchive")),
        (Method::DELETE, format!("{TEMPLATES}/{UUID}")),
        (Method::GET, TEMPLATES.to_owned()),
        (Method::GET, "/sandbox".to_owned()),
        (Method::GET, "/sandbox/settings".to_owned()),
        (Method::GET, "/sandbox/deliveries".to_owned()),
        (Method::GET, "/sandbox/phones".to_owned()),
        (Method::GET, format!("/sandbox/media/{UUID}")),
    ]
}

#[tokio::test]
async fn without_credentials_every_endpoint_answers_401_with_two_strings() {
    let bench = Bench::start(options()).await;
    for (method, path) in endpoints() {
        for credentials in [None, Some("Bearer wrong"), Some("Bearer "), Some("Basic dGVzdA=="), Some(TOKEN)] {
            let mut request = bench.bare(method.clone(), &path).header("x-workspace-uuid", WORKSPACE);
            if let Some(credentials) = credentials {
                request = request.header("authorization", credentials);
            }
            let (status, body) = answer(request).await;
            assert_eq!(status, 401, "{method} {path} with {credentials:?}: {body}");
            assert_eq!(body["message"], "Authentication required");
            let details = body["details"].as_str().unwrap();
            for word in ["Bearer Token", "x-client-id", "x-client-secret"] {
                assert!(details.contains(word), "{word} is not in {details}");
            }
            assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
        }
    }
}

#[tokio::test]
async fn the_authorization_scheme_is_case_insensitive() {
    let bench = Bench::start(options()).await;
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let request = bench
            .bare(Method::GET, TEMPLATES)
            .header("authorization", format!("{scheme} {TOKEN}"))
            .header("x-workspace-uuid", WORKSPACE);
        assert_eq!(answer(request).await.0, 200, "{scheme}");
    }
}

#[tokio::test]
async fn the_workspace_header_is_required_and_checked() {
    let bench = Bench::start(options()).await;
    for workspace in [None, Some("not-a-uuid"), Some(UUID)] {
        let mut request = bench.bare(Method::GET, TEMPLATES).bearer_auth(TOKEN);
        if let Some(workspace) = workspace {
            request = request.header("x-workspace-uuid", workspace);
        }
        assert_refused(answer(request).await, 401, "x-workspace-uuid");
    }
    let upper =
        bench.bare(Method::GET, TEMPLATES).bearer_auth(TOKEN).header("x-workspace-uuid", WORKSPACE.to_uppercase());
    assert_eq!(answer(upper).await.0, 200);
}

#[tokio::test]
async fn client_credentials_give_the_same_access_if_configured() {
    let credentials = Some(("client-1".to_owned(), "client-secret".into()));
    let bench = Bench::start(Options { client_credentials: credentials, ..options() }).await;
    for (id, secret, wanted) in
        [("client-1", "client-secret", 200), ("client-1", "no", 401), ("other", "client-secret", 401)]
    {
        let request = bench
            .bare(Method::GET, TEMPLATES)
            .header("x-client-id", id)
            .header("x-client-secret", secret)
            .header("x-workspace-uuid", WORKSPACE);
        assert_eq!(answer(request).await.0, wanted, "{id} {secret}");
    }
    let without = Bench::start(options()).await;
    let request = without
        .bare(Method::GET, TEMPLATES)
        .header("x-client-id", "client-1")
        .header("x-client-secret", "client-secret")
        .header("x-workspace-uuid", WORKSPACE);
    assert_eq!(answer(request).await.0, 401);
}

#[tokio::test]
async fn unknown_paths_and_methods_are_refused_in_json() {
    let bench = Bench::start(options()).await;
    for path in
        ["/", "/nothing", "/messaging/provider/nothing", "/whatsapp/provider/workspace-templates", "/sandbox/nothing"]
    {
        assert_refused(bench.get(path).await, 404, path);
    }
    for (method, path) in [
        (Method::PATCH, TEMPLATES.to_owned()),
        (Method::GET, format!("{TEMPLATES}/{UUID}")),
        (Method::GET, send_path()),
        (Method::GET, format!("{TEMPLATES}/{UUID}/archive")),
        (Method::DELETE, "/sandbox/settings".to_owned()),
    ] {
        let response = bench.request(method.clone(), &path).send().await.unwrap();
        assert!(response.headers().contains_key("allow"), "{method} {path}");
        assert_refused(answer(bench.request(method, &path)).await, 405, &path);
    }
}

#[tokio::test]
async fn unreadable_bodies_are_refused_in_json() {
    let bench = Bench::start(options()).await;
    for (method, path) in [(Method::POST, TEMPLATES.to_owned()), (Method::POST, send_path())] {
        let request = || bench.request(method.clone(), &path);
        assert_refused(answer(request().body("{}")).await, 415, "Content-Type");
        assert_refused(answer(request().header("content-type", "text/plain").body("{}")).await, 415, "text/plain");
        let json =
            |body: &str| request().header("content-type", "application/json; charset=utf-8").body(body.to_owned());
        assert_refused(answer(json("{\"name\": ")).await, 400, "line 1");
        assert_refused(answer(json("[]")).await, 400, "object");
        assert_refused(answer(json("")).await, 400, "JSON");
        let large = json!({ "name": "a".repeat(1024 * 1024) });
        assert_refused(answer(request().json(&large)).await, 413, "1048576");
    }
    let multipart = bench
        .request(Method::POST, TEMPLATES)
        .header("content-type", "multipart/form-data; boundary=x")
        .body("--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\ncut of");
    let (status, body) = answer(multipart).await;
    assert_eq!(status, 400, "{body}");
    let unbounded = bench.request(Method::POST, TEMPLATES).header("content-type", "multipart/form-data").body("");
    assert_refused(answer(unbounded).await, 400, "boundary");
}

#[tokio::test]
async fn the_channel_and_its_constants_can_be_configured() {
    let bench = Bench::start(options().with_channel("whatsapp")).await;
    assert_eq!(bench.get("/whatsapp/provider/workspace-templates").await.0, 200);
    assert_eq!(bench.get(TEMPLATES).await.0, 404);
    let (_, index) = bench.get("/sandbox").await;
    assert_eq!(index["messaging_product"], "whatsapp");
    assert_eq!(index["webhook_object"], "whatsapp_business_account");
    let (status, _) = bench.post("/whatsapp/provider/workspace-templates", template("named")).await;
    assert_eq!(status, 200);
}
