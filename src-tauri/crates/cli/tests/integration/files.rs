//! `tdesk pull` and `tdesk push` against the sandbox: round trips of template files.

use sandbox::{Profile, ReviewPolicy};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::provider::{
    PROFILES, Provider, TOKEN, WABA, WORKSPACE, bytes, contents, lines, ok, png, run, stdout, template, write,
};
use crate::receiving::{stderr, tdesk};

#[tokio::test]
async fn pulled_files_are_creation_json_and_stable() {
    let provider = Provider::start(true).await;
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a/b");
    let first = ok(provider.pull(&target).await);
    let pulled = contents(&target);
    assert!(!pulled.is_empty());
    assert_eq!(first.lines().count(), pulled.len());
    let listed = provider.listed().await;
    let active: Vec<_> = listed.iter().filter(|template| template["archived"] == false).collect();
    assert!(active.len() < listed.len(), "the samples have an archived one");
    assert_eq!(pulled.len(), active.len());
    for template in active {
        let name = format!("{}.{}.json", template["name"].as_str().unwrap(), template["language"].as_str().unwrap());
        let (_, text) = pulled.iter().find(|(file, _)| *file == name).unwrap();
        assert!(text.starts_with("{\n  \"waba_ids\": [\n    ") && text.ends_with("}\n"), "{text}");
        let file: Value = serde_json::from_str(text).unwrap();
        for key in ["name", "language", "type", "parameter_format"] {
            assert_eq!(file[key], template[key], "{name}: {key}");
        }
        assert_eq!(file["components"].as_array().unwrap().len(), template["components"].as_array().unwrap().len());
        for key in ["uuid", "id", "status", "archived", "created_at", "rejected_reason"] {
            assert_eq!(file.get(key), None, "{name}: {key} belongs to the record");
        }
    }
    // Media files are next to their templates, which reference them.
    let all = bytes(&target);
    let pictures: Vec<&String> = all.keys().filter(|name| name.ends_with(".png")).collect();
    assert!(pictures.iter().any(|name| name.contains(".card1.")), "{pictures:?}");
    for name in &pictures {
        let (stem, _) = name.split_once(if name.contains(".header.") { ".header." } else { ".card" }).unwrap();
        let (_, text) = pulled.iter().find(|(file, _)| *file == format!("{stem}.json")).unwrap();
        assert!(text.contains("UPLOAD_PENDING") && !text.contains("header_handle\": [\n        \"http"), "{text}");
    }
    assert_eq!(ok(provider.pull(&target).await), "", "nothing is new");
    assert_eq!(bytes(&target), all, "not one byte");
    let other = folder.path().join("other");
    ok(provider.pull(&other).await);
    assert_eq!(bytes(&other), all, "somewhere else it is the same");
    assert_eq!(ok(provider.run("pull", &[target.to_str().unwrap(), "--archived"]).await).lines().count(), 1);

    let plan = provider.push(&[target.to_str().unwrap(), "--dry-run", "--format", "json"]).await;
    assert_eq!(plan.status.code(), Some(0), "{}", stdout(&plan));
    assert_eq!(lines(&plan).len(), pulled.len() + 1);
    for line in lines(&plan) {
        assert_eq!(line["action"], "unchanged", "a pulled file asks for no change: {line}");
    }

    // Media that the provider no longer has are kept, and media without a template are removed.
    let (picture, stem) = (pictures[0].as_str(), pictures[0].split('.').take(2).collect::<Vec<_>>().join("."));
    std::fs::write(target.join(format!("{stem}.card99.png")), "left behind").unwrap();
    std::fs::write(target.join("notes.txt"), "mine").unwrap();
    std::fs::write(target.join(picture), "altered").unwrap();
    let again = ok(provider.run("pull", &[target.to_str().unwrap(), "--no-media", "--archived"]).await);
    assert_eq!(again, "");
    assert_eq!(std::fs::read(target.join(picture)).unwrap(), b"altered", "no media were fetched");
    assert!(!target.join(format!("{stem}.card99.png")).exists() && target.join("notes.txt").exists());
    ok(provider.pull(&target).await);
    assert_eq!(std::fs::read(target.join(picture)).unwrap(), all[picture]);
}

/// Pushing and pulling a file again gives the same bytes.
#[tokio::test]
async fn a_pushed_file_is_pulled_unchanged() {
    for profile in PROFILES {
        push_and_pull(profile).await;
    }
}

async fn push_and_pull(profile: Profile) {
    let provider = Provider::start_as(profile, false).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let canonical = r#"{
  "waba_ids": [
    102290129340398
  ],
  "name": "greeting",
  "language": "pt_BR",
  "category": "utility",
  "components": [
    {
      "type": "HEADER",
      "format": "IMAGE",
      "example": {
        "header_handle": [
          "UPLOAD_PENDING"
        ]
      }
    },
    {
      "type": "BODY",
      "text": "Olá {{1}}, sua encomenda está a caminho. 🌷",
      "example": {
        "body_text": [
          [
            "Ana"
          ]
        ]
      }
    },
    {
      "type": "FOOTER",
      "text": "Flores & Cia"
    }
  ]
}
"#;
    std::fs::write(folder.path().join("greeting.pt_BR.json"), canonical).unwrap();
    std::fs::write(folder.path().join("greeting.pt_BR.header.png"), png()).unwrap();
    // A file with manual formatting, and without the fields that a provider adds.
    let own = template("plain", "Your parcel is at our shop.");
    write(&folder, "plain.en_US.json", &own);
    let before = bytes(folder.path());
    let pushed = ok(provider.push(&[path, "--waba", WABA]).await);
    assert_eq!(pushed.lines().filter(|line| line.starts_with("created ")).count(), 2, "{pushed}");
    provider.reviewed().await;
    assert_eq!(ok(provider.pull(folder.path()).await), "");
    assert_eq!(bytes(folder.path()), before);
    let other = tempfile::tempdir().unwrap();
    ok(provider.pull(other.path()).await);
    let pulled = bytes(other.path());
    assert_eq!(pulled["greeting.pt_BR.header.png"], png());
    assert_eq!(String::from_utf8_lossy(&pulled["greeting.pt_BR.json"]), canonical);
    let plain: Value = serde_json::from_slice(&pulled["plain.en_US.json"]).unwrap();
    assert!(plain["waba_ids"][0].is_u64(), "what the provider says is in a new file");
    assert_eq!(plain.get("type"), None, "and nothing that was not sent");
}

#[tokio::test]
async fn a_dry_run_shows_differences_and_findings() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    write(&folder, "one.json", &template("one", "Hello there.\nYour parcel is here."));
    ok(provider.push(&[path, "--waba", WABA]).await);
    provider.reviewed().await;
    write(&folder, "one.json", &template("one", "Hello there.\nYour letter is here."));
    let shown = ok(provider.push(&[path, "--dry-run"]).await);
    let wanted = "  /components/BODY/text\n  - Hello there.\n  - Your parcel is here.\n  + Hello there.\n  + Your letter is here.\n";
    assert!(shown.starts_with("edit ") && shown.ends_with(wanted), "{shown}");
    let plan = provider.push(&[path, "--dry-run", "--format", "json"]).await;
    let change = &lines(&plan)[0]["changes"][0];
    assert_eq!(change["path"], "/components/BODY/text");
    assert_eq!(change["after"], "Hello there.\nYour letter is here.");

    // The channel usually refuses another category for an approved template.
    let mut moved = template("one", "Hello there.\nYour letter is here.");
    moved["category"] = json!("marketing");
    write(&folder, "one.json", &moved);
    let output = provider.push(&[path, "--dry-run"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("override edit.category_approved"), "{}", stdout(&output));

    // A template in review can't be edited.
    provider.sandbox.set_review(ReviewPolicy::Manual);
    write(&folder, "two.json", &template("two", "Good day to you."));
    std::fs::remove_file(folder.path().join("one.json")).unwrap();
    ok(provider.push(&[path, "--waba", WABA]).await);
    assert!(ok(provider.push(&[path, "--dry-run"]).await).starts_with("unchanged "));
    write(&folder, "two.json", &template("two", "Good evening to you."));
    let output = provider.push(&[path]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("The template is PENDING"), "{}", stdout(&output));
    assert!(stdout(&output).contains("override edit.status"), "{}", stdout(&output));
    // With the override the edit is sent, and this provider refuses it.
    let output = provider.push(&[path, "--override", "edit.status"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with("failed ") && stdout(&output).contains("in review"), "{}", stdout(&output));
    assert_eq!(provider.push(&[path, "--override", "no.code"]).await.status.code(), Some(2));
}

#[tokio::test]
async fn a_template_without_samples_needs_an_override() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, "a.json", &template("bare", "Your parcel {{1}} is at our shop and waits for you."));
    let arguments = [file.to_str().unwrap(), "--waba", WABA];
    let output = provider.push(&arguments).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("override body.sample_missing"), "{}", stdout(&output));
    assert!(provider.listed().await.is_empty());
    let output = provider.push(&[&arguments[..], &["--override", "body.sample_missing"]].concat()).await;
    assert!(stderr(&output).contains("body.sample_missing"), "{}", stderr(&output));
    assert!(ok(output).starts_with("created "));
}

#[tokio::test]
async fn a_null_in_a_file_clears_the_field() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let mut content = template("promo", "Hello there.");
    content["sub_category"] = json!("spring");
    let path = write(&folder, "a.json", &content);
    let path = path.to_str().unwrap();
    ok(provider.push(&[path, "--waba", WABA]).await);
    provider.reviewed().await;
    write(&folder, "a.json", &template("promo", "Hello there."));
    assert!(ok(provider.push(&[path]).await).starts_with("unchanged "), "what a file does not say stays");
    content["sub_category"] = Value::Null;
    write(&folder, "a.json", &content);
    assert!(ok(provider.push(&[path]).await).starts_with("edited "));
    assert!(provider.listed().await[0].get("sub_category").is_none_or(Value::is_null));
    assert!(ok(provider.push(&[path]).await).starts_with("unchanged "));
}

#[tokio::test]
async fn missing_templates_are_created_and_changed_ones_edited() {
    for profile in PROFILES {
        create_and_edit(profile).await;
    }
}

async fn create_and_edit(profile: Profile) {
    let provider = Provider::start_as(profile, false).await;
    let folder = tempfile::tempdir().unwrap();
    let one = write(&folder, "one.json", &template("one", "Hello there."));
    write(&folder, "two.json", &template("two", "Good day to you."));
    let path = folder.path().to_str().unwrap();

    let plan = provider.push(&[path, "--waba", WABA, "--dry-run", "--format", "json"]).await;
    assert_eq!(plan.status.code(), Some(0), "{}", stderr(&plan));
    assert_eq!(lines(&plan).iter().map(|line| &line["action"]).collect::<Vec<_>>(), ["create", "create"]);
    assert!(provider.listed().await.is_empty(), "a dry run changes nothing");

    let pushed = ok(provider.push(&[path, "--waba", WABA]).await);
    assert_eq!(pushed.lines().filter(|line| line.starts_with("created ")).count(), 2, "{pushed}");
    assert_eq!(provider.listed().await.len(), 2);
    assert_eq!(provider.listed().await[0]["waba_ids"], json!([WABA.parse::<u64>().unwrap()]));
    provider.reviewed().await;
    let again = ok(provider.push(&[path, "--waba", WABA]).await);
    assert_eq!(again.lines().filter(|line| line.starts_with("unchanged ")).count(), 2, "{again}");

    write(&folder, "one.json", &template("one", "Hello again."));
    let edited = provider.push(&[one.to_str().unwrap(), "--format", "json"]).await;
    let line = &lines(&edited)[0];
    assert_eq!((&line["outcome"], &line["changed"]), (&json!("edited"), &json!(["components/0/text"])), "{line}");
    let listed = provider.listed().await;
    let found = listed.iter().find(|template| template["name"] == "one").unwrap();
    assert_eq!(found["components"][0]["text"], "Hello again.");
}

/// A missing category in the listing does not count as a difference.
#[tokio::test]
async fn a_category_that_is_not_listed_is_not_edited() {
    let provider = Provider::start_as(Profile::Minimal, false).await;
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, "one.json", &template("one", "Hello there."));
    let file = file.to_str().unwrap();
    ok(provider.push(&[file, "--waba", WABA]).await);
    provider.reviewed().await;
    let mut settings = provider.sandbox.settings();
    settings.minimal.category = false;
    provider.sandbox.set_settings(settings).unwrap();
    assert!(provider.listed().await[0].get("category").is_none());
    assert!(ok(provider.push(&[file, "--dry-run"]).await).starts_with("unchanged "));
    assert!(ok(provider.push(&[file]).await).starts_with("unchanged "));
}

#[tokio::test]
async fn folders_below_the_pushed_one_are_read_and_those_left_out_are_counted() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("pt/offers");
    std::fs::create_dir_all(&below).unwrap();
    write(&folder, "a.json", &template("top", "Hello there."));
    std::fs::write(below.join("a.json"), template("offer", "Hello there.").to_string()).unwrap();
    std::fs::create_dir_all(folder.path().join("1/2/3/4/5/6/7/8/9")).unwrap();
    let output = provider.push(&[folder.path().to_str().unwrap(), "--waba", WABA]).await;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("1 folder is not read"), "{said}");
    assert!(output.status.success(), "{said}");
    let mut names: Vec<_> = provider.listed().await.iter().map(|listed| listed["name"].to_string()).collect();
    names.sort();
    assert_eq!(names, ["\"offer\"", "\"top\""]);
}

#[tokio::test]
async fn an_invalid_file_stops_the_push_before_any_request() {
    let good = template("good", "Hello there.");
    let mut no_body = template("no_body", "x");
    no_body["components"] = json!([]);
    for (name, bad, printed) in [
        ("rules", no_body, "components.required"),
        ("shape", json!([1]), "template.malformed"),
        ("twice", template("good", "Hello to all."), "has the same template"),
    ] {
        let provider = Provider::start(false).await;
        let folder = tempfile::tempdir().unwrap();
        write(&folder, "a.json", &good);
        write(&folder, "b.json", &bad);
        let output = provider.push(&[folder.path().to_str().unwrap(), "--waba", WABA]).await;
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(stdout(&output).contains(printed), "{name}: {}", stdout(&output));
        assert!(provider.listed().await.is_empty(), "{name}");
    }
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let path = write(&folder, "a.json", &good);
    let output = provider.push(&[path.to_str().unwrap()]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("--waba"), "{}", stdout(&output));
    std::fs::write(&path, "{\"name\": ").unwrap();
    let output = provider.push(&[path.to_str().unwrap(), "--waba", WABA]).await;
    assert!(output.status.code() == Some(1) && stdout(&output).contains("Invalid JSON"), "{}", stdout(&output));
}

#[tokio::test]
async fn a_header_file_is_uploaded_to_every_waba() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let mut content = template("with_header", "Hello there.");
    content["components"] = json!([
        {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
        {"type": "BODY", "text": "Hello there."}
    ]);
    let path = write(&folder, "with_header.en_US.json", &content);
    let path = path.to_str().unwrap();
    let output = provider.push(&[path, "--waba", "1,2"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("with_header.en_US.header.png"), "{}", stdout(&output));
    assert!(provider.listed().await.is_empty());

    std::fs::write(folder.path().join("with_header.en_US.header.png"), png()).unwrap();
    ok(provider.push(&[path, "--waba", "1,2"]).await);
    let mut places: Vec<_> = provider.listed().await.iter().map(|template| template["waba_ids"].clone()).collect();
    places.sort_by_key(Value::to_string);
    assert_eq!(places, [json!([1]), json!([2])]);
    provider.reviewed().await;
    assert!(ok(provider.push(&[path, "--waba", "1,2"]).await).starts_with("unchanged "));
    let more = ok(provider.push(&[path, "--waba", "1,2,3", "--dry-run"]).await);
    assert!(more.starts_with("create ") && more.trim_end().ends_with("in 3"), "{more}");

    // Both are pulled into one file.
    let target = tempfile::tempdir().unwrap();
    ok(provider.pull(target.path()).await);
    let pulled = contents(target.path());
    assert_eq!(pulled.len(), 1);
    let file: Value = serde_json::from_str(&pulled[0].1).unwrap();
    assert_eq!(file["waba_ids"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn card_files_are_uploaded_at_creation() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let card = |handle: &str| {
        json!({"components": [
            {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [handle]}},
            {"type": "BODY", "text": "A bouquet"},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}]}]})
    };
    let mut content = template("bouquets", "Three bouquets of the season.");
    content["category"] = json!("marketing");
    let cards = json!([card("UPLOAD_PENDING"), card("4::known"), card("UPLOAD_PENDING")]);
    content["components"].as_array_mut().unwrap().push(json!({"type": "CAROUSEL", "cards": cards}));
    let path = write(&folder, "bouquets.en_US.json", &content);
    let path = path.to_str().unwrap();
    std::fs::write(folder.path().join("bouquets.en_US.card0.png"), png()).unwrap();
    let output = provider.push(&[path, "--waba", "1,2"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("2 cards need a file and 1 files were found"), "{}", stdout(&output));

    std::fs::write(folder.path().join("bouquets.en_US.card2.png"), png()).unwrap();
    ok(provider.push(&[path, "--waba", "1,2"]).await);
    let listed = provider.listed().await;
    assert_eq!(listed.len(), 2, "one for each business account");
    for template in listed {
        let handle = |card: usize| {
            let header = &template["components"][1]["cards"][card]["components"][0];
            header["example"]["header_handle"][0].as_str().unwrap().to_owned()
        };
        assert!(handle(0).starts_with("http") && handle(2).starts_with("http"), "{} {}", handle(0), handle(2));
        assert_eq!(handle(1), "4::known");
    }
}

#[tokio::test]
async fn errors_are_printed_with_their_exit_code() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().to_str().unwrap();
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let output = run(&closed, "pull", &[target]).await;
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("nothing listens there"), "{}", stderr(&output));

    let wrong = ["pull", "--base-url", &provider.url, "--workspace", WORKSPACE, "--token-env", "WRONG", target];
    let output = tdesk(&wrong).env("WRONG", "another-token").output().await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("x-client-secret"), "the provider's own words: {}", stderr(&output));
    assert!(!stderr(&output).contains("another-token"));

    for (arguments, printed) in [
        (vec!["pull", "--base-url", "api.example.com", "--workspace", "w", "--token-env", "TOKEN"], "https://"),
        (
            vec!["pull", "--base-url", &provider.url, "--workspace", "w", "--token-env", "MISSING"],
            "--token-env: the environment variable `MISSING` is not set",
        ),
        (vec!["pull", "--base-url", &provider.url, "--workspace", "w"], "--token-env"),
        (vec!["push", "--base-url", &provider.url, "--workspace", "w", "--token-env", "TOKEN"], "FILE"),
        (
            vec![
                "push",
                "--base-url",
                &provider.url,
                "--workspace",
                "w",
                "--token-env",
                "TOKEN",
                "--waba",
                "x",
                target,
            ],
            "must be a number",
        ),
    ] {
        let output = tdesk(&arguments).env("TOKEN", TOKEN).output().await.unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(printed), "{arguments:?}: {}", stderr(&output));
    }
    let output = provider.push(&["/no/such/file.json"]).await;
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("/no/such/file.json"), "{}", stderr(&output));
}

/// The channel accepted it once, whatever the rules say today.
#[tokio::test]
async fn findings_on_an_approved_file_are_hints_until_it_is_edited() {
    let folder = tempfile::tempdir().unwrap();
    let template = |status: &str, name: &str| {
        json!({"uuid": name, "name": name, "language": "en_US", "category": "utility", "status": status,
            "waba_ids": [WABA], "components": [
                {"type": "HEADER", "format": "TEXT", "text": "Money back \u{1f389}"},
                {"type": "BODY", "text": "We returned the money."}]})
    };
    let provider = listing(&[template("APPROVED", "approved"), template("REJECTED", "rejected")]).await;
    let path = folder.path().to_str().unwrap();
    ok(run(&provider, "pull", &[path]).await);
    let linted = async |name: &str| {
        let file = folder.path().join(name);
        let output = tdesk(&["lint", file.to_str().unwrap()]).output().await.unwrap();
        (output.status.code(), stdout(&output))
    };
    let (code, printed) = linted("approved.en_US.json").await;
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("hint: /components/0/text") && printed.contains("errors: 0, warnings: 0"), "{printed}");
    assert_eq!(linted("rejected.en_US.json").await.0, Some(1));
    // A push of unchanged files prints no findings.
    let pushed = run(&provider, "push", &[path, "--dry-run"]).await;
    assert_eq!((pushed.status.code(), stderr(&pushed).as_str()), (Some(0), ""));

    let file = folder.path().join("approved.en_US.json");
    let edited = std::fs::read_to_string(&file).unwrap().replace("We returned", "We have returned");
    std::fs::write(&file, edited).unwrap();
    assert_eq!(linted("approved.en_US.json").await.0, Some(1));
    // The approved header does not block an edit of the body.
    let pushed = run(&provider, "push", &[file.to_str().unwrap(), "--dry-run"]).await;
    assert_eq!(pushed.status.code(), Some(0), "{}", stdout(&pushed));
    assert!(stdout(&pushed).starts_with("edit "), "{}", stdout(&pushed));
}

/// A provider that answers every request with a list of these templates; returns its address.
async fn listing(templates: &[Value]) -> String {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let body = json!({"data": templates}).to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            // Requests of a listing have no body and fit into one read.
            assert!(connection.read(&mut [0; 8192]).await.unwrap() > 0);
            connection.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        }
    });
    url
}
