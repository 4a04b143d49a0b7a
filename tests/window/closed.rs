//! What a compromised page could still access: only the commands of the app.

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

use super::desktop::{Desktop, Keyring};
use super::page::Page;

/// Calls a command and returns its response or its error.
const INVOKE: &str = "const [command, request, done] = arguments;
    window.__TAURI_INTERNALS__.invoke(command, request === null ? undefined : { request })
        .then((answer) => done({ answer }), (error) => done({ error }));";

/// Violations of the content security policy since the page was opened.
const VIOLATIONS: &str = "const done = arguments[0];
    const observer = new ReportingObserver((reports) => done(reports.map(({ body }) => 
        `${body.effectiveDirective} ${body.blockedURL} ${body.sourceFile}:${body.lineNumber}`)),
        { types: ['csp-violation'], buffered: true });
    observer.observe();
    requestAnimationFrame(() => requestAnimationFrame(() => done([])));";

async fn invoke(page: &Page, command: &str, request: Value) -> Value {
    page.client.execute_async(INVOKE, vec![json!(command), request]).await.unwrap()
}

/// A server of another origin, which records its requests.
struct OtherOrigin {
    listener: TcpListener,
    peers: Vec<TcpStream>,
}

impl OtherOrigin {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self { listener, peers: Vec::new() }
    }

    fn url(&self) -> String {
        format!("http://{}/", self.listener.local_addr().unwrap())
    }

    /// Everything that was sent to the server.
    fn requests(&mut self) -> String {
        while let Ok((peer, _)) = self.listener.accept() {
            peer.set_nonblocking(true).unwrap();
            self.peers.push(peer);
        }
        let mut requests = Vec::new();
        for peer in &mut self.peers {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = peer.read(&mut bytes) {
                requests.extend_from_slice(&bytes[..length]);
            }
        }
        String::from_utf8_lossy(&requests).into_owned()
    }
}

#[tokio::test]
async fn a_compromised_page_reaches_only_the_commands() {
    let mut desktop = Desktop::start("closed", Keyring::Unlocked);
    let mut server = OtherOrigin::start();
    let elsewhere = server.url();
    let page = desktop.open_app().await;
    page.find("button", "New template").await;

    // The policy blocks no part of the app itself.
    page.click("button", "New template").await;
    page.click("button", "Start empty").await;
    page.fill("textbox", "Body text", "Styles of the editor, the phone and the menus.").await;
    page.wait_for_text("Saved").await;
    assert_eq!(page.client.execute_async(VIOLATIONS, Vec::new()).await.unwrap(), json!([]));

    // Network requests.
    let fetched = "const [url, done] = arguments; fetch(url, { mode: 'no-cors' }).then(() => done('fetched'), () => done('refused'));";
    let fetched = page.client.execute_async(fetched, vec![json!(elsewhere)]).await.unwrap();
    assert_eq!((fetched, server.requests()), (json!("refused"), String::new()), "fetch");
    let shown = "const [url, done] = arguments; const image = new Image();
        image.onload = image.onerror = () => done(true); image.src = url;";
    page.client.execute_async(shown, vec![json!(elsewhere)]).await.unwrap();
    assert_eq!(server.requests(), "", "a picture of elsewhere");

    // Inline scripts and styles.
    let inline = "const script = document.createElement('script'); script.textContent = 'window.taken = 1'; document.head.append(script);
        const place = document.createElement('div');
        place.innerHTML = '<img src=\"x:\" onerror=\"window.taken = 2\"><p style=\"color: rgb(1, 2, 3)\">x</p>';
        document.body.append(place);
        let made = 'refused'; try { new Function('window.taken = 3')(); made = 'run'; } catch {}
        const color = getComputedStyle(place.querySelector('p')).color;
        place.remove();
        return [window.taken ?? null, made, color === 'rgb(1, 2, 3)'];";
    assert_eq!(page.run(inline, Vec::new()).await, json!([null, "refused", false]), "code and styles of its own");

    // Navigation in this window and in another.
    let home = page.client.current_url().await.unwrap();
    for url in [&elsewhere, "file:///etc/hostname", "data:text/html,taken"] {
        page.run("location.href = arguments[0]", vec![json!(url)]).await;
        let opened = page.run("return window.open(arguments[0], '_blank') === null", vec![json!(url)]).await;
        assert_eq!(opened, json!(true), "{url} was opened");
        let link = "const link = document.createElement('a'); link.href = arguments[0]; link.target = '_blank';
            document.body.append(link); link.click(); link.remove();";
        page.run(link, vec![json!(url)]).await;
        // The host still responds to the page.
        assert!(invoke(&page, "list_languages", json!({})).await["answer"].is_array(), "{url}");
        assert_eq!(page.client.current_url().await.unwrap(), home, "{url}");
        // The engine may open a connection before it checks the policy; it sends nothing over it.
        assert_eq!(server.requests(), "", "{url}");
    }
    assert_eq!(page.client.windows().await.unwrap().len(), 1);

    // Files that were not chosen.
    let secret = desktop.file("secret.json");
    std::fs::write(&secret, "{}").unwrap();
    let attached = json!({"path": secret, "name": "secret.json", "size": 2, "mime": "image/png"});
    let draft = invoke(&page, "create_draft", json!({"workspace": "sandbox"})).await["answer"].clone();
    let taken = |field: &str, value: Value| {
        let mut draft = draft.clone();
        draft[field] = value;
        draft
    };
    for (command, request) in [
        ("inspect_file", json!({"path": secret})),
        ("plan_import", json!({"workspace": "sandbox", "folder": secret.parent(), "wabas": []})),
        ("send_phone_file", json!({"recipient": "5511990001111", "path": secret})),
        ("save_draft", taken("headerFile", attached.clone())),
        ("save_draft", taken("cardFiles", json!([null, attached]))),
        ("save_draft", taken("pixFile", attached.clone())),
        ("save_draft", taken("orderFile", attached.clone())),
        ("restore_draft", taken("orderFile", attached.clone())),
    ] {
        let answer = invoke(&page, command, request).await;
        assert_eq!(answer["error"]["code"], "file", "{command}: {answer}");
        assert!(
            answer["error"]["reason"].as_str().unwrap_or_default().contains("was not chosen"),
            "{command}: {answer}"
        );
    }
    let stored = invoke(&page, "get_draft", json!({"draft": draft["id"]})).await;
    assert!(!stored.to_string().contains("secret.json"), "{stored}");

    // Commands of the framework.
    for command in [
        "plugin:window|close",
        "plugin:webview|create_webview_window",
        "plugin:app|version",
        "plugin:updater|check",
        "no_such_command",
    ] {
        let answer = invoke(&page, command, Value::Null).await;
        assert!(answer["answer"].is_null() && !answer["error"].is_null(), "{command}: {answer}");
    }
    // Only the isolation frame rejects requests of another form: the host would ignore additional members.
    let other_form = "const done = arguments[0];
        window.__TAURI_INTERNALS__.invoke('list_languages', { request: {}, other: 1 })
            .then((answer) => done({ answer }), (error) => done({ error }));";
    let answer = page.client.execute_async(other_form, Vec::new()).await.unwrap();
    assert!(answer["answer"].is_null() && !answer["error"].is_null(), "a form of its own: {answer}");
    // The page sends the whole request when it gets exactly these words (`ui/src/lib/ipc/request-patches.ts`).
    let patch_of_nothing = "const done = arguments[0];
        window.__TAURI_INTERNALS__.invoke('inspect_template', { patch: [], base: 1, revision: 2 })
            .then((answer) => done({ answer }), (error) => done({ error }));";
    let answer = page.client.execute_async(patch_of_nothing, Vec::new()).await.unwrap();
    assert_eq!(answer, json!({"error": "the patch is not of the last request"}));
    assert_eq!(server.requests(), "");
    page.close().await;
}

#[tokio::test]
async fn files_of_a_draft_are_granted_after_a_restart() {
    let mut desktop = Desktop::start("granted", Keyring::Unlocked);
    let picture = desktop.file("spring.png");
    std::fs::write(&picture, include_bytes!("../../icons/128x128.png")).unwrap();
    let page = desktop.open_app().await;
    page.click("row", "spring_sale").await;
    page.click("button", "Edit").await;
    desktop.answer_file_dialog(&picture);
    page.click("button", "Choose").await;
    page.wait_for_text("spring.png").await;
    page.wait_for_text("Saved").await;
    desktop.kill_app();
    let page = desktop.open_app().await;
    page.find("button", "New template").await;
    let refused = invoke(&page, "inspect_file", json!({"path": picture})).await;
    assert_eq!(refused["error"]["code"], "file", "{refused}");
    // The page may name a file after its draft was opened or the file was listed as a recent one.
    let recent = invoke(&page, "list_recent_files", json!({"format": "IMAGE"})).await;
    assert_eq!(recent["answer"][0]["path"], json!(picture));
    let named = invoke(&page, "inspect_file", json!({"path": picture})).await;
    assert_eq!(named["answer"]["name"], "spring.png", "{named}");
    page.click("radio", "Drafts").await;
    page.click("row", "spring_sale").await;
    page.wait_for_text("spring.png").await;
    page.fill("textbox", "Footer text", "Reply STOP to leave").await;
    page.wait_for_text("Saved").await;
    page.close().await;
}
