//! Folders below the submitted one.

use super::*;

#[tokio::test]
async fn files_of_one_name_in_several_folders_are_submitted_each_with_its_media() {
    let harness = Harness::start().await;
    let core = &harness.core;
    let workspace = WorkspaceId { workspace: SANDBOX_ID.to_owned() };
    core.templates.refresh_templates(workspace).await.unwrap();
    let folder = harness.folder.path().join("templates");
    let below = folder.join("pt");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::create_dir(folder.join(".git")).unwrap();
    std::fs::create_dir_all(folder.join("1/2/3/4/5/6/7/8/9")).unwrap();
    write(&folder, "promo.json", &template("promo_top", "Hello there."));
    write(&folder.join(".git"), "hidden.json", &template("promo_hidden", "Hello there."));
    let mut pictured = template("promo_below", "Hello there.");
    let header = json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}});
    pictured["components"].as_array_mut().unwrap().insert(0, header);
    write(&below, "promo.json", &pictured);
    image::RgbImage::new(64, 64).save(below.join("promo.header.png")).unwrap();

    let plan = planned(core, SANDBOX_ID, &folder, &[WABA]).await;
    let named: Vec<_> = plan.steps.iter().map(|step| step.file.replace('\\', "/")).collect();
    assert_eq!(
        (named.as_slice(), plan.folders_left_out),
        (["promo.json", "pt/promo.json"].map(str::to_owned).as_slice(), 1)
    );
    assert_eq!(plan.steps[1].media.len(), 1, "{:?}", plan.steps[1]);
    let files: Vec<&str> = plan.steps.iter().map(|step| step.file.as_str()).collect();
    let outcomes = pushed(core, &plan, &files).await;
    let expected: Vec<_> = files.iter().map(|file| (*file, ImportState::Done)).collect();
    assert_eq!(states(&outcomes), expected, "{outcomes:?}");
    harness.close().await;
}
