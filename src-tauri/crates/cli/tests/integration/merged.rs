//! Template folders after a git merge: two people's changes, and links that someone added.

use serde_json::{Value, json};

use crate::provider::{Provider, WABA, bytes, ok, png, stdout, template, write};
use crate::receiving::{stderr, tdesk};

/// A template with a media header.
fn with_header(name: &str) -> Value {
    let mut content = template(name, "Your parcel is at our shop.");
    content["components"] = json!([
        {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
        {"type": "BODY", "text": "Your parcel is at our shop."}
    ]);
    content
}

#[tokio::test]
async fn files_with_conflict_markers_or_duplicate_keys_are_not_pushed() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    // Both branches add the category at different positions: no conflict for git.
    let twice = r#"{"name": "a", "category": "utility", "language": "en_US",
        "components": [{"type": "BODY", "text": "Your parcel is at our shop."}], "category": "marketing"}"#;
    let conflict = "<<<<<<< HEAD\n{\"name\": \"a\"}\n=======\n{\"name\": \"b\"}\n>>>>>>> spring\n";
    for (content, printed) in [(twice, "the key `category` appears twice"), (conflict, "Invalid JSON")] {
        let file = folder.path().join("a.en_US.json");
        std::fs::write(&file, content).unwrap();
        let output = provider.push(&[path, "--waba", WABA]).await;
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert!(stdout(&output).contains(printed), "{}", stdout(&output));
        let linted = tdesk(&["lint", file.to_str().unwrap()]).output().await.unwrap();
        assert_eq!(linted.status.code(), Some(1), "{printed}");
        assert!(stdout(&linted).contains(printed), "{}", stdout(&linted));
    }

    // Both branches replace the picture, one of them with another type.
    write(&folder, "a.en_US.json", &with_header("a"));
    std::fs::write(folder.path().join("a.en_US.header.png"), png()).unwrap();
    std::fs::write(folder.path().join("a.en_US.header.jpg"), png()).unwrap();
    let output = provider.push(&[path, "--waba", WABA]).await;
    assert_eq!(output.status.code(), Some(1));
    let printed = "Only one of a.en_US.header.jpg and a.en_US.header.png can be used";
    assert!(stdout(&output).contains(printed), "{}", stdout(&output));
    assert!(provider.listed().await.is_empty());
    std::fs::remove_file(folder.path().join("a.en_US.header.jpg")).unwrap();
    ok(provider.push(&[path, "--waba", WABA]).await);
}

/// A link in a repository must not redirect writes to another folder.
#[cfg(unix)]
#[tokio::test]
async fn pulls_do_not_write_through_symlinks() {
    use std::os::unix::fs::symlink;

    let provider = Provider::start(false).await;
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&folder, "a.en_US.json", &with_header("a"));
    std::fs::write(folder.path().join("a.en_US.header.png"), png()).unwrap();
    ok(provider.push(&[folder.path().to_str().unwrap(), "--waba", WABA]).await);

    let target = tempfile::tempdir().unwrap();
    for name in ["a.en_US.json", "a.en_US.json.part", "a.en_US.header.part", "a.en_US.header.png"] {
        std::fs::write(elsewhere.path().join(name), "mine").unwrap();
        symlink(elsewhere.path().join(name), target.path().join(name)).unwrap();
    }
    ok(provider.pull(target.path()).await);
    let mine = bytes(elsewhere.path());
    assert!(mine.len() == 4 && mine.values().all(|bytes| bytes == b"mine"), "{mine:?}");
    let pulled = bytes(target.path());
    assert_eq!(pulled.keys().collect::<Vec<_>>(), ["a.en_US.header.png", "a.en_US.json"], "and nothing is left over");
    assert_eq!(pulled["a.en_US.header.png"], png());
}

/// A link in a repository must not upload a file from outside the folder.
#[cfg(unix)]
#[tokio::test]
async fn symlinks_out_of_the_folder_stop_the_push_unless_allowed() {
    use std::os::unix::fs::symlink;

    let provider = Provider::start(false).await;
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = |name: &str| folder.path().join(name);
    let target = write(&elsewhere, "secret.json", &template("a", "Your parcel is at our shop."));
    std::fs::write(elsewhere.path().join("logo.png"), png()).unwrap();
    write(&elsewhere, "b.en_US.json", &with_header("b"));
    symlink(elsewhere.path(), at("inside")).unwrap();
    write(&folder, "b.en_US.json", &with_header("b"));
    // A file passed directly, via `..`, through a link that stays inside and one that does not; and the picture of a
    // header.
    let up = std::path::Path::new("..").join(elsewhere.path().file_name().unwrap()).join("secret.json");
    symlink("a.en_US.json", at("again.json")).unwrap();
    for (name, link) in [
        ("a.en_US.json", target.clone()),
        ("a.en_US.json", up),
        ("a.en_US.json", std::path::Path::new("inside").join("secret.json")),
        ("b.en_US.header.png", elsewhere.path().join("logo.png")),
    ] {
        symlink(&link, at(name)).unwrap();
        let file = if name.ends_with(".json") { name } else { "b.en_US.json" };
        for path in [at(file), folder.path().to_owned()] {
            let arguments = [path.to_str().unwrap(), "--waba", WABA];
            let output = provider.push(&arguments).await;
            let printed = stdout(&output);
            assert_eq!(output.status.code(), Some(1), "{printed}");
            assert!(printed.contains(&format!("{name} is a link that leaves the folder, to ")), "{printed}");
            assert!(printed.contains("--follow-links"), "{printed}");
            assert!(!printed.contains("parcel is at"), "what lies there is not shown: {printed}");
        }
        assert!(provider.listed().await.is_empty(), "nothing left");
        std::fs::remove_file(at(name)).unwrap();
    }
    std::fs::remove_file(at("again.json")).unwrap();
    // The target of a link within the folder belongs to the folder.
    std::fs::write(at("logo.png"), png()).unwrap();
    symlink("logo.png", at("b.en_US.header.png")).unwrap();
    ok(provider.push(&[folder.path().to_str().unwrap(), "--waba", WABA]).await);
    assert_eq!(provider.listed().await.len(), 1);
}

/// A pull does not read a link to an endless device.
#[cfg(unix)]
#[tokio::test]
async fn a_symlink_to_a_device_is_replaced() {
    let provider = Provider::start(false).await;
    let (folder, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&folder, "a.en_US.json", &with_header("a"));
    std::fs::write(folder.path().join("a.en_US.header.png"), png()).unwrap();
    ok(provider.push(&[folder.path().to_str().unwrap(), "--waba", WABA]).await);
    for name in ["a.en_US.json", "a.en_US.header.png"] {
        std::os::unix::fs::symlink("/dev/zero", target.path().join(name)).unwrap();
    }
    ok(provider.pull(target.path()).await);
    assert_eq!(bytes(target.path())["a.en_US.header.png"], png());
}

/// The plan lists files from outside the folder.
#[cfg(unix)]
#[tokio::test]
async fn a_plan_shows_the_targets_of_symlinks() {
    let provider = Provider::start(false).await;
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let shared = elsewhere.path().join("logo.png");
    std::fs::write(&shared, png()).unwrap();
    let path = write(&folder, "a.en_US.json", &with_header("a"));
    std::os::unix::fs::symlink(&shared, folder.path().join("a.en_US.header.png")).unwrap();
    let planned = provider.push(&[path.to_str().unwrap(), "--waba", WABA, "--follow-links", "--dry-run"]).await;
    let printed = format!("a.en_US.header.png is a link to {}", shared.canonicalize().unwrap().display());
    assert!(stderr(&planned).contains(&printed), "{}", stderr(&planned));
    ok(planned);
}

/// A name can exist in two business accounts with different content; a file applies to the accounts that it names.
#[tokio::test]
async fn a_pull_from_one_waba_keeps_the_files_of_others() {
    let provider = Provider::start(false).await;
    let mut one = template("a", "Your parcel is at our shop.");
    one["waba_ids"] = json!([1]);
    let mut other = template("a", "Your letter is at our shop.");
    other["waba_ids"] = json!([2]);
    provider.post("/messaging/provider/workspace-templates", &one).await;
    provider.post("/messaging/provider/workspace-templates", &other).await;
    provider.reviewed().await;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let pulled = provider.run("pull", &[path, "--waba", "1"]).await;
    ok(pulled);
    let planned = provider.push(&[path, "--dry-run"]).await;
    assert!(stderr(&planned).contains("In 2, the template is different"), "{}", stderr(&planned));
    assert!(ok(planned).starts_with("unchanged "));
    let file = write(&folder, "a.en_US.json", &{
        one["components"][0]["text"] = json!("Your parcel waits at our shop.");
        one.clone()
    });
    ok(provider.push(&[path]).await);
    let text = |waba: u64| {
        let fits = move |template: &&Value| template["waba_ids"] == json!([waba]);
        move |listed: &[Value]| listed.iter().find(fits).unwrap()["components"][0]["text"].as_str().unwrap().to_owned()
    };
    let listed = provider.listed().await;
    assert_eq!(text(1)(&listed), "Your parcel waits at our shop.");
    assert_eq!(text(2)(&listed), "Your letter is at our shop.");

    // Pushed to the other account, or to both, if requested.
    provider.reviewed().await;
    let there = ok(provider.push(&[file.to_str().unwrap(), "--waba", "2", "--dry-run"]).await);
    assert!(there.starts_with("edit ") && there.contains("Your letter is"), "{there}");
    let third = ok(provider.push(&[file.to_str().unwrap(), "--waba", "3", "--dry-run"]).await);
    assert!(third.starts_with("create ") && third.trim_end().ends_with("in 3"), "{third}");
}

/// A folder has one name from two business accounts, and each file is pushed to its own account.
#[tokio::test]
async fn two_templates_of_one_name_have_two_files() {
    let provider = Provider::start(false).await;
    for (waba, text) in [(1, "Your parcel is at our shop."), (2, "Your letter is at our shop.")] {
        let mut content = template("con", text);
        content["waba_ids"] = json!([waba]);
        provider.post("/messaging/provider/workspace-templates", &content).await;
    }
    provider.reviewed().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let pulled = provider.pull(folder.path()).await;
    assert_eq!(pulled.status.code(), Some(0), "{}", stderr(&pulled));
    let files = bytes(folder.path());
    let names: Vec<_> = files.keys().cloned().collect();
    assert_eq!(names.len(), 2, "{names:?}");
    // `con` is a reserved device name on Windows.
    assert!(names[0] == "%63on.en_US.json" && names[1].starts_with("%63on.en_US~"), "{names:?}");
    assert_eq!(stdout(&provider.pull(folder.path()).await), "", "each is found again");
    let planned = ok(provider.push(&[path, "--dry-run"]).await);
    assert_eq!(planned.matches("unchanged ").count(), 2, "{planned}");

    let mut second: Value = serde_json::from_slice(&files[&names[1]]).unwrap();
    let waba = second["waba_ids"][0].clone();
    second["components"][0]["text"] = json!("It waits for you.");
    write(&folder, &names[1], &second);
    ok(provider.push(&[path]).await);
    for listed in provider.listed().await {
        let changed = listed["components"][0]["text"] == "It waits for you.";
        assert_eq!(changed, listed["waba_ids"] == json!([waba]), "{listed}");
    }
    // A single business account can take only one of them.
    let both = provider.push(&[path, "--waba", "3", "--dry-run"]).await;
    assert_eq!(both.status.code(), Some(1));
    assert!(stdout(&both).contains("has the same template"), "{}", stdout(&both));
}

/// Invisible characters in a name are displayed escaped.
#[cfg(unix)]
#[tokio::test]
async fn bidi_characters_in_names_are_escaped() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let path = write(&folder, "a\u{202e}nosj.json", &template("a", "Good day to you."));
    let path = path.to_str().unwrap();
    for arguments in [vec![path, "--waba", WABA, "--dry-run"], vec![path, "--waba", WABA]] {
        let printed = ok(provider.push(&arguments).await);
        assert!(printed.contains("a⟨U+202E⟩nosj.json") && !printed.contains('\u{202e}'), "{printed:?}");
    }
    let json = ok(provider.push(&[path, "--waba", WABA, "--dry-run", "--format", "json"]).await);
    assert!(!json.contains('\u{202e}'), "{json:?}");
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["file"], path);
    let linted = tdesk(&["lint", path]).output().await.unwrap();
    assert!(!stdout(&linted).contains('\u{202e}'), "{:?}", stdout(&linted));
}

/// Renamed files keep their names, and files whose template was deleted are listed.
#[tokio::test]
async fn files_keep_their_names_and_unlisted_ones_are_reported() {
    let provider = Provider::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    write(&folder, "parcels.json", &with_header("a"));
    std::fs::write(folder.path().join("parcels.header.png"), png()).unwrap();
    ok(provider.push(&[path, "--waba", WABA]).await);
    provider.reviewed().await;
    let before = bytes(folder.path());
    let pulled = provider.pull(folder.path()).await;
    assert!(!stderr(&pulled).contains("does not list"), "{}", stderr(&pulled));
    assert_eq!(ok(pulled), "");
    assert_eq!(bytes(folder.path()), before);
    assert!(ok(provider.push(&[path]).await).starts_with("unchanged "), "and it is still the file of its template");

    write(&folder, "new.json", &template("b", "Good day to you."));
    let pulled = provider.pull(folder.path()).await;
    assert!(stderr(&pulled).contains("new.json: the provider does not list this template"), "{}", stderr(&pulled));
    ok(pulled);
    assert!(folder.path().join("new.json").exists());
    let part = provider.run("pull", &[path, "--search", "a"]).await;
    assert!(!stderr(&part).contains("does not list"), "{}", stderr(&part));
}
