//! Templates that are read from texts and files, to choose those that become drafts.

use app::SANDBOX_ID;
use command_types::composer::DraftId;
use command_types::error::DeskError;
use command_types::transfer::{ChooseTemplates, FindTemplates};
use serde_json::json;

use super::{template, write};
use crate::harness::Harness;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

fn chosen() -> ChooseTemplates {
    ChooseTemplates { workspace: SANDBOX_ID.to_owned(), folder: true, waba_ids: Vec::new() }
}

#[tokio::test]
async fn chosen_templates_of_a_pasted_list_become_drafts() {
    let harness = Harness::start().await;
    let core = &harness.core;
    let text = json!({"data": [template("a", "Hi"), {"status": "APPROVED"}, template("b", "Hello {{1}}")]});
    let request = |text: String| FindTemplates { workspace: SANDBOX_ID.to_owned(), text, waba_ids: Vec::new() };
    let found = core.template_files.find_templates(request(text.to_string())).await.unwrap();
    assert_eq!(found.templates.len(), 2);
    assert_eq!(found.unreadable[0].place, Some(2));
    assert_eq!(found.templates[0].findings, []);
    assert!(!found.templates[1].findings.is_empty(), "the variable has no sample");
    let before = core.authoring.list_drafts(super::WorkspaceId { workspace: SANDBOX_ID.to_owned() }).await.unwrap();
    assert_eq!(before, [], "nothing is stored by reading");

    let draft = found.templates[1].draft.clone();
    core.authoring.save_draft(draft.clone()).await.unwrap();
    let saved = core.authoring.get_draft(DraftId { draft: draft.id.clone() }).await.unwrap();
    assert_eq!((saved.template, saved.waba_ids), (draft.template, draft.waba_ids));

    let fault = core.template_files.find_templates(request("{\"name\": \n oops}".to_owned())).await.unwrap().fault;
    assert_eq!(fault.map(|fault| (fault.line, fault.column)), Some((2, 2)));
    harness.close().await;
}

#[tokio::test]
async fn files_and_folders_are_read_as_far_as_possible() {
    let harness = Harness::start().await;
    let core = &harness.core;
    let folder = harness.folder.path().join("templates");
    std::fs::create_dir(&folder).unwrap();
    write(&folder, "list.json", &json!([template("a", "Hi"), template("b", "Hi")]));
    let mut pictured = template("pictured", "Hi");
    let header = json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}});
    pictured["components"].as_array_mut().unwrap().insert(0, header);
    write(&folder, "pictured.json", &pictured);
    std::fs::write(folder.join("pictured.header.png"), PNG).unwrap();
    for (name, content) in [
        ("broken.json", b"{\"name\": 1".to_vec()),
        ("binary.json", vec![0xff, 0xfe, 0x00]),
        ("large.json", vec![b' '; 16 * 1024 * 1024 + 1]),
        ("notes.txt", b"no template".to_vec()),
    ] {
        std::fs::write(folder.join(name), content).unwrap();
    }
    let found = core.template_files.find_templates_in(chosen(), std::slice::from_ref(&folder)).await.unwrap();
    let names: Vec<_> = found
        .templates
        .iter()
        .map(|found| (found.source.as_str(), found.place, found.draft.template.name.as_str()))
        .collect();
    assert_eq!(names, [("list.json", Some(1), "a"), ("list.json", Some(2), "b"), ("pictured.json", None, "pictured")]);
    assert_eq!(found.templates[2].draft.header_file.as_ref().unwrap().name, "pictured.header.png");
    let reasons: Vec<_> = found.unreadable.iter().map(|one| (one.source.as_str(), &one.reason)).collect();
    for (at, name, words) in
        [(0, "binary.json", "read.binary"), (1, "broken.json", "read.json"), (2, "large.json", "read.large")]
    {
        assert!(reasons[at].0 == name && reasons[at].1.code == words, "{reasons:?}");
    }

    let files = [folder.join("notes.txt"), folder.join("list.json")];
    let found = core.template_files.find_templates_in(chosen(), &files).await.unwrap();
    let plain: Vec<_> = found.templates.iter().map(|found| found.is_plain_text).collect();
    assert_eq!((plain.as_slice(), found.unreadable.len()), ([true, false, false].as_slice(), 0));
    assert_eq!(found.templates[0].draft.template.name, "no_template");
    let empty = harness.folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let refused = core.template_files.find_templates_in(chosen(), &[empty]).await.unwrap_err();
    assert!(matches!(refused, DeskError::File { .. }), "{refused:?}");
    harness.close().await;
}

#[tokio::test]
async fn unreadable_templates_count_towards_the_limit() {
    let harness = Harness::start().await;
    let files = ["a.json", "b.json"].map(|name| harness.folder.path().join(name));
    for file in &files {
        std::fs::write(file, json!(vec![0; 6_000]).to_string()).unwrap();
    }
    let found = harness.core.template_files.find_templates_in(chosen(), &files[..1]).await.unwrap();
    assert_eq!(found.unreadable.len(), 6_000);
    let refused = harness.core.template_files.find_templates_in(chosen(), &files).await.unwrap_err();
    assert!(
        matches!(&refused, DeskError::File { reason, .. } if reason.contains("more than 10,000 templates")),
        "{refused:?}"
    );
    harness.close().await;
}

#[tokio::test]
async fn folders_below_the_chosen_one_are_read_but_not_hidden_or_linked_ones() {
    let harness = Harness::start().await;
    let folder = harness.folder.path().join("all");
    for (below, name) in [("", "top"), ("pt/offers", "offer"), (".git", "hidden"), ("node_modules/x", "module")] {
        std::fs::create_dir_all(folder.join(below)).unwrap();
        write(&folder.join(below), &format!("{name}.json"), &template(name, "Hi"));
    }
    let deep = folder.join("1/2/3/4/5/6/7/8/9");
    std::fs::create_dir_all(&deep).unwrap();
    write(&deep, "deep.json", &template("deep", "Hi"));
    #[cfg(unix)]
    std::os::unix::fs::symlink(&folder, folder.join("again")).unwrap();
    let found = harness.core.template_files.find_templates_in(chosen(), &[folder]).await.unwrap();
    let mut sources: Vec<_> = found.templates.iter().map(|found| found.source.replace('\\', "/")).collect();
    sources.sort();
    assert_eq!(sources, ["pt/offers/offer.json", "top.json"]);
    assert_eq!(found.folders_left_out, if cfg!(unix) { 2 } else { 1 });
    harness.close().await;
}
