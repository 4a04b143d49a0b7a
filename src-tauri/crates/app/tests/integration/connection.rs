//! *Test connection*, and the errors shown when a provider answers incorrectly.

use command_types::error::DeskError;
use command_types::receiver::{ReceiverState, SetReceiver};
use command_types::workspace::{
    ConnectionReport, CredentialKind, SaveWorkspace, SecretInput, SecretKind, SendingNumber, WorkspaceId,
    WorkspaceProblemCode as Code, WorkspaceSettings,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::harness::Harness;
use super::webhooks::Provider;

pub(super) fn workspace(base_url: &str, token: &str) -> SaveWorkspace {
    SaveWorkspace {
        workspace: None,
        settings: WorkspaceSettings {
            name: "Shop".to_owned(),
            base_url: base_url.to_owned(),
            workspace_uuid: "5a9db0c5-0000-4000-8000-000000000001".to_owned(),
            numbers: vec![SendingNumber {
                id: "300000000000001".to_owned(),
                label: "Main".to_owned(),
                ..Default::default()
            }],
            waba_ids: vec!["200000000000001".to_owned()],
            ..WorkspaceSettings::default()
        },
        secrets: vec![SecretInput { kind: SecretKind::Token, number: None, value: token.into() }],
        session_only: false,
    }
}

fn outcome(report: &ConnectionReport) -> Vec<(&str, bool)> {
    report.steps.iter().map(|step| (step.name.as_str(), step.ok)).collect()
}

/// A server that answers every request with the same bytes.
async fn answering(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut peer, _)) = listener.accept().await {
            let mut request = [0; 4096];
            if peer.read(&mut request).await.is_ok() {
                let _gone = peer.write_all(answer.as_bytes()).await;
            }
        }
    });
    address
}

/// The address of the bench's sandbox.
async fn sandbox_address(harness: &Harness) -> String {
    let id = WorkspaceId { workspace: app::SANDBOX_ID.to_owned() };
    harness.core.workspaces.get_workspace(id).await.unwrap().settings.base_url
}

#[tokio::test]
async fn the_connection_test_reports_each_step() {
    let harness = Harness::start().await;
    let sandbox = sandbox_address(&harness).await;
    let good = harness.core.workspaces.test_connection(workspace(&sandbox, "sandbox-token")).await.unwrap();
    assert_eq!(outcome(&good), [("address", true), ("reach", true), ("credentials", true), ("listing", true)]);

    let wrong = harness.core.workspaces.test_connection(workspace(&sandbox, "another-token")).await.unwrap();
    assert_eq!(outcome(&wrong), [("address", true), ("reach", true), ("credentials", false)]);
    assert!(matches!(wrong.steps[2].error, Some(DeskError::Unauthorized { .. })));

    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = format!("http://{}", unused.local_addr().unwrap());
    drop(unused);
    let closed = harness.core.workspaces.test_connection(workspace(&closed, "t")).await.unwrap();
    assert_eq!(outcome(&closed), [("address", true), ("reach", false)]);
    let Some(DeskError::Offline { reason }) = &closed.steps[1].error else { panic!("{closed:?}") };
    assert!(reason.ends_with("nothing listens there"), "the window gives the advice: {reason}");

    let page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 16\r\nconnection: close\r\n\r\n<h1>A shop</h1>\r\n";
    let other = harness.core.workspaces.test_connection(workspace(&answering(page).await, "t")).await.unwrap();
    assert_eq!(outcome(&other), [("address", true), ("reach", true), ("listing", false)]);
    let Some(DeskError::Unreadable { endpoint, body, .. }) = &other.steps[2].error else { panic!("{other:?}") };
    assert!(endpoint.contains("workspace-templates") && body.contains("A shop"), "{endpoint} {body}");
    harness.close().await;
}

#[tokio::test]
async fn the_connection_test_names_a_waba_of_which_nothing_is_listed() {
    let harness = Harness::start().await;
    let id = WorkspaceId { workspace: app::SANDBOX_ID.to_owned() };
    let sandbox = harness.core.workspaces.get_workspace(id).await.unwrap().settings;
    let right = sandbox.waba_ids.first().unwrap().clone();
    let mut request = workspace(&sandbox.base_url, "sandbox-token");
    request.settings.waba_ids = vec![right.clone()];
    request.settings.numbers[0].waba_id = right.clone();
    let good = harness.core.workspaces.test_connection(request.clone()).await.unwrap();
    assert!(good.warnings.is_empty(), "{good:?}");

    let mistyped = format!("{right}1");
    request.settings.waba_ids = vec![right, mistyped.clone()];
    let report = harness.core.workspaces.test_connection(request).await.unwrap();
    assert!(report.steps.iter().all(|step| step.ok), "{report:?}");
    let warnings: Vec<_> = report.warnings.iter().map(|warning| (warning.field.as_str(), warning.code)).collect();
    assert_eq!(warnings, [("wabaIds/1", Code::WabaWithoutTemplates)]);
    assert_eq!(report.warnings[0].values["waba"], mistyped);
    harness.close().await;
}

#[tokio::test]
async fn the_connection_test_warns_of_numbers_that_are_probably_wrong() {
    let harness = Harness::start().await;
    let number = |id: &str, waba: &str| SendingNumber {
        id: id.to_owned(),
        label: String::new(),
        waba_id: waba.to_owned(),
        ..Default::default()
    };
    let mut request = workspace("http://127.0.0.1:9", "t");
    request.settings.numbers = vec![
        number("300000000000001", "200000000000001"),
        number("551140001001", ""),
        number("300000000000003", "200000000000009"),
    ];
    let report = harness.core.workspaces.test_connection(request).await.unwrap();
    let warnings: Vec<_> = report.warnings.iter().map(|warning| (warning.field.as_str(), warning.code)).collect();
    assert_eq!(warnings, [("numbers/1/id", Code::NumberIdUnlikely), ("numbers/2/wabaId", Code::NumberWabaUnlisted)]);
    assert_eq!(report.warnings[1].values["waba"], "200000000000009");
    harness.close().await;
}

#[tokio::test]
async fn the_connection_test_does_not_pass_settings_that_cannot_be_sent() {
    let harness = Harness::start().await;
    for token in ["two words", ""] {
        let report = harness.core.workspaces.test_connection(workspace("http://127.0.0.1:9", token)).await.unwrap();
        assert_eq!(outcome(&report), [("address", false)], "{token}");
        let Some(DeskError::InvalidInput { field, .. }) = &report.steps[0].error else { panic!("{report:?}") };
        assert_eq!(field, "token");
    }
    harness.close().await;
}

#[tokio::test]
async fn invalid_settings_are_reported_at_their_field() {
    let harness = Harness::start().await;
    type Change = fn(&mut WorkspaceSettings);
    let cases: [(Change, &str); 12] = [
        (|settings| settings.name.clear(), "name"),
        (|settings| "shop".clone_into(&mut settings.base_url), "baseUrl"),
        (|settings| "ftp://shop.example".clone_into(&mut settings.base_url), "baseUrl"),
        (|settings| "https://user:word@shop.example".clone_into(&mut settings.base_url), "baseUrl"),
        (|settings| "https://user@shop.example".clone_into(&mut settings.base_url), "baseUrl"),
        (|settings| "https://shop.example/?a=b".clone_into(&mut settings.base_url), "baseUrl"),
        (|settings| "https://shop.example/#a".clone_into(&mut settings.base_url), "baseUrl"),
        (|settings| "http://shop.example".clone_into(&mut settings.base_url), "allowUnencrypted"),
        (|settings| "http://10.0.0.1:8080".clone_into(&mut settings.base_url), "allowUnencrypted"),
        (|settings| "12".clone_into(&mut settings.workspace_uuid), "workspaceUuid"),
        (|settings| "a/b".clone_into(&mut settings.channel), "channel"),
        (|settings| settings.waba_ids.push("12x".to_owned()), "wabaIds/1"),
    ];
    for (change, expected) in cases {
        let mut request = workspace("https://provider.example", "t");
        change(&mut request.settings);
        let refused = harness.core.workspaces.save_workspace(request).await.unwrap_err();
        let DeskError::InvalidInput { field, .. } = &refused else { panic!("{expected}: {refused:?}") };
        assert_eq!(field, expected);
    }
    // All at once, in the order of the form.
    let mut request = workspace("shop", "t");
    request.settings.name.clear();
    request.settings.default_country = "Brazil".to_owned();
    request.settings.workspace_uuid = "12".to_owned();
    request.settings.token_expires_on = "tomorrow".to_owned();
    request.settings.waba_ids = vec!["12x".to_owned()];
    request.settings.numbers.push(request.settings.numbers[0].clone());
    let problems = harness.core.workspaces.check_workspace(request).await.unwrap();
    let found: Vec<_> = problems.iter().map(|problem| (problem.field.as_str(), problem.code)).collect();
    let expected = [
        ("name", Code::NameMissing),
        ("baseUrl", Code::BaseUrlScheme),
        ("workspaceUuid", Code::UuidLength),
        ("tokenExpiresOn", Code::DateInvalid),
        ("defaultCountry", Code::CountryInvalid),
        ("numbers/1/id", Code::NumberRepeated),
        ("wabaIds/0", Code::WabaInvalid),
    ];
    assert_eq!(found, expected);
    let mut request = workspace("http://shop.example", "t");
    request.settings.workspace_uuid.clear();
    let problems = harness.core.workspaces.check_workspace(request).await.unwrap();
    let codes: Vec<_> = problems.into_iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [Code::Unencrypted, Code::UuidMissing]);
    for (uuid, code, value) in [
        ("123e4567-e89b", Code::UuidLength, Some("12")),
        ("123e4567-e89b-12d3-a456-42661417400O", Code::UuidCharacter, Some("O")),
        ("123e-4567-e89b-12d3-a456426614174000", Code::UuidHyphens, None),
    ] {
        let mut request = workspace("https://provider.example", "t");
        request.settings.workspace_uuid = uuid.to_owned();
        let problems = harness.core.workspaces.check_workspace(request).await.unwrap();
        let found: Vec<_> =
            problems.iter().map(|problem| (problem.code, problem.values.values().next().map(String::as_str))).collect();
        assert_eq!(found, [(code, value)], "{uuid}");
    }
    let request = workspace("https://provider.example", "t");
    assert_eq!(harness.core.workspaces.check_workspace(request).await.unwrap(), []);
    // Credentials that no header can carry; an error never contains them.
    for token in ["Basic token-9", "token-9\ntoken-9", "token-9…", "tóken-9"] {
        let problems = harness.core.workspaces.check_workspace(workspace("https://a.example", token)).await.unwrap();
        let found: Vec<_> = problems.iter().map(|problem| (problem.field.as_str(), problem.code)).collect();
        assert_eq!(found, [("token", Code::CredentialInvalid)], "{token}");
        let refused = harness.core.workspaces.save_workspace(workspace("https://a.example", token)).await.unwrap_err();
        let DeskError::InvalidInput { field, message, .. } = &refused else { panic!("{refused:?}") };
        assert!(field == "token" && !message.contains("ken-9"), "{refused:?}");
    }
    assert_eq!(harness.core.workspaces.check_workspace(workspace("https://a.example", " t\n")).await.unwrap(), []);
    let mut request = workspace("https://provider.example", "not sent");
    request.settings.credential_kind = CredentialKind::Client;
    request.settings.client_id = "the client".to_owned();
    let problems = harness.core.workspaces.check_workspace(request).await.unwrap();
    let found: Vec<_> = problems.iter().map(|problem| (problem.field.as_str(), problem.code)).collect();
    assert_eq!(found, [("clientId", Code::CredentialInvalid)]);
    let mut request = workspace("http://shop.example", "t");
    request.settings.allow_unencrypted = true;
    harness.core.workspaces.save_workspace(request).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn no_two_workspaces_have_one_name_or_one_place_at_the_provider() {
    let harness = Harness::start().await;
    let workspaces = &harness.core.workspaces;
    let first = workspaces.save_workspace(workspace("https://shop.example/api", "t")).await.unwrap();
    let mut same = workspace("https://SHOP.example/api/", "t");
    same.settings.name = "SHOP".to_owned();
    same.settings.workspace_uuid = "5A9DB0C5000040008000000000000001".to_owned();
    let found = workspaces.check_workspace(same.clone()).await.unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|problem| (problem.field.as_str(), problem.code, problem.values.get("name").map(String::as_str)))
        .collect();
    assert_eq!(found, [("name", Code::NameTaken, None), ("workspaceUuid", Code::UuidTaken, Some("Shop"))]);
    same.settings.name = "Other".to_owned();
    let refused = workspaces.save_workspace(same.clone()).await.unwrap_err();
    let DeskError::InvalidInput { field, message, .. } = &refused else { panic!("{refused:?}") };
    assert!(field == "workspaceUuid" && message.contains("Shop"), "{refused:?}");
    same.settings.workspace_uuid = "5a9db0c5-0000-4000-8000-000000000002".to_owned();
    workspaces.save_workspace(same).await.unwrap();
    let mut unchanged = workspace("https://shop.example/api", "t");
    unchanged.workspace = Some(first.id);
    assert_eq!(workspaces.check_workspace(unchanged.clone()).await.unwrap(), [], "itself");
    workspaces.save_workspace(unchanged).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn a_failed_move_leaves_the_receiver_running_and_says_so() {
    let harness = Harness::start().await;
    let webhooks = &harness.core.webhooks;
    let provider = Provider::for_new_workspace(&harness.core, "the secret").await;
    let own = provider.url().strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let busy = taken.local_addr().unwrap().to_string();

    let state = webhooks.set_receiver(SetReceiver { address: busy.clone() }).await.unwrap();
    assert_eq!(webhooks.receiver_state(), state);
    let ReceiverState::Listening { address, failed_move: Some(failed) } = state else { panic!("{state:?}") };
    assert_eq!((&address, &failed.address), (&own, &busy));
    assert!(failed.reason.contains("another program"), "{}", failed.reason);
    let free = failed.suggestion.unwrap();
    assert_eq!(provider.deliver("the secret", r#"{"object":"o","entry":[]}"#).await, 200);

    // Its own address is no conflict with itself, and ends the report of the failed move.
    let state = webhooks.set_receiver(SetReceiver { address: own.clone() }).await.unwrap();
    assert_eq!(state, ReceiverState::Listening { address: own.clone(), failed_move: None });
    assert_eq!(provider.deliver("the secret", r#"{"object":"o","entry":[]}"#).await, 200);

    // Its own port at another address of this machine is in use by the app, not by another program.
    let everywhere = own.replace("127.0.0.1", "0.0.0.0");
    let state = webhooks.set_receiver(SetReceiver { address: everywhere }).await.unwrap();
    let ReceiverState::Listening { failed_move: Some(failed), .. } = state else { panic!("{state:?}") };
    assert!(failed.reason.contains("receiver itself"), "{}", failed.reason);
    assert_eq!(provider.deliver("the secret", r#"{"object":"o","entry":[]}"#).await, 200);

    let state = webhooks.set_receiver(SetReceiver { address: free.clone() }).await.unwrap();
    assert_eq!(state, ReceiverState::Listening { address: free, failed_move: None });
    harness.close().await;
}

#[tokio::test]
async fn a_phone_number_is_no_number_id_and_a_pasted_header_is_the_token_in_it() {
    let harness = Harness::start().await;
    let check = async |id: &str, label: &str| {
        let mut request = workspace("http://127.0.0.1:9", "t");
        request.settings.numbers =
            vec![SendingNumber { id: id.to_owned(), label: label.to_owned(), ..Default::default() }];
        let found = harness.core.workspaces.check_workspace(request).await.unwrap();
        found.into_iter().map(|problem| (problem.field, problem.code)).collect::<Vec<_>>()
    };
    let refused = [("numbers/0/id".to_owned(), Code::NumberIdUnlikely)];
    assert_eq!(check("+55 11 4000-1001", "").await, refused);
    assert_eq!(check("551140001001", "+55 11 4000-1001").await, refused);
    assert_eq!(check("106540352242922", "+55 11 4000-1001").await, []);
    for token in ["Bearer abc", " \"abc\" ", "Authorization: bearer 'abc'"] {
        assert_eq!(harness.core.workspaces.check_workspace(workspace("http://127.0.0.1:9", token)).await.unwrap(), []);
    }
    for (base, code, path) in [
        ("", Code::BaseUrlMissing, None),
        ("host.test", Code::BaseUrlScheme, None),
        ("ftp://host.test", Code::BaseUrlScheme, None),
        ("https://", Code::BaseUrlInvalid, None),
        ("https://me@host.test", Code::BaseUrlCredentials, None),
        ("https://host.test/v1?x", Code::BaseUrlQuery, None),
        ("https://host.test/v1/templates?x", Code::BaseUrlQuery, None),
        ("https://host.test/v1/templates", Code::BaseUrlEndpoint, Some("/templates")),
        ("https://host.test/messaging/provider", Code::BaseUrlEndpoint, Some("/messaging/provider")),
        (
            "https://host.test/gw/messaging/provider/workspace-templates",
            Code::BaseUrlEndpoint,
            Some("/messaging/provider/workspace-templates"),
        ),
    ] {
        let found = harness.core.workspaces.check_workspace(workspace(base, "t")).await.unwrap();
        let values = found[0].values.get("path").map(String::as_str);
        assert_eq!((found[0].code, values), (code, path), "{base}");
    }
    assert_eq!(harness.core.workspaces.check_workspace(workspace("https://host.test/gw/v1", "t")).await.unwrap(), []);
    harness.close().await;
}
