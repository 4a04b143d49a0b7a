//! Files of opt-outs: nothing is stored before the person says so, and an import is taken back exactly.

use command_types::error::DeskError;
use command_types::opt_outs::OptOutImportId;

use super::consent::SHOP;
use super::{Desk, RECIPIENT};

const FILE: &[u8] = b"phone,name\n+55 11 98765-4321,Ana\n+55 11 98765-4322,Bia\n+55 11 98765-4322,Bia\n\
    +55 11 98765-4323,Caio\n";

#[tokio::test]
async fn a_file_is_stored_once_the_person_agrees_and_taken_back_exactly() {
    let desk = Desk::agency().await;
    let conversations = &desk.core().conversations;
    // Known before: one by hand, and one who was allowed again.
    desk.note_about(true, "", None).await;
    let by_hand = desk.opt_outs("").await;
    let checked = desk.check_file(FILE).await.unwrap();
    assert_eq!((checked.rows, checked.added, checked.known), (4, 2, 2));
    assert_eq!(desk.opt_outs("").await, by_hand, "nothing is stored yet");

    let id = OptOutImportId { workspace: desk.workspace(), id: checked.id.unwrap() };
    let elsewhere = OptOutImportId { workspace: "other".to_owned(), ..id.clone() };
    assert!(conversations.store_opt_outs(elsewhere).await.is_err());
    let stored = conversations.store_opt_outs(id.clone()).await.unwrap();
    assert_eq!((stored.added, stored.known), (2, 2));
    let shown: Vec<_> = desk
        .opt_outs("")
        .await
        .rows
        .into_iter()
        .map(|row| (row.person, row.name.unwrap_or_default(), row.stop.file.unwrap_or_default()))
        .collect();
    let row = |person: &str, name: &str, file: &str| (person.to_owned(), name.to_owned(), file.to_owned());
    assert_eq!(shown.len(), 3, "{shown:?}");
    for expected in
        [row("5511987654322", "Bia", "stops.csv"), row("5511987654323", "Caio", "stops.csv"), row(RECIPIENT, "Ana", "")]
    {
        assert!(shown.contains(&expected), "{expected:?} in {shown:?}");
    }
    let twice = conversations.store_opt_outs(id.clone()).await.unwrap_err();
    assert!(matches!(twice, DeskError::NotFound { .. }), "{twice:?}");

    conversations.undo_opt_out_import(id.clone()).await.unwrap();
    assert_eq!(desk.opt_outs("").await, by_hand);
    assert!(conversations.undo_opt_out_import(id).await.is_err(), "it was taken back already");
    desk.harness.close().await;
}

#[tokio::test]
async fn what_was_changed_after_an_import_stays_when_it_is_taken_back() {
    let desk = Desk::agency().await;
    desk.note_about(true, SHOP, None).await;
    let row = desk.opt_outs("").await.rows.remove(0);
    desk.allow(&row).await;
    let checked = desk.check_file(b"phone\n+55 11 98765-4321\n+55 11 98765-4322\n").await.unwrap();
    let id = OptOutImportId { workspace: desk.workspace(), id: checked.id.unwrap() };
    desk.core().conversations.store_opt_outs(id.clone()).await.unwrap();
    let rows = desk.opt_outs("").await.rows;
    assert_eq!(rows.len(), 2);
    let other = rows.iter().find(|row| row.person != RECIPIENT).unwrap();
    let noted = command_types::opt_outs::NoteMarketing {
        workspace: desk.workspace(),
        contact: other.person.clone(),
        is_stopped: false,
        number: Some(String::new()),
        waba: Some(String::new()),
    };
    desk.core().conversations.note_marketing(noted.clone()).await.unwrap();
    let again = command_types::opt_outs::NoteMarketing { is_stopped: true, ..noted };
    desk.core().conversations.note_marketing(again).await.unwrap();

    desk.core().conversations.undo_opt_out_import(id).await.unwrap();
    let left = desk.opt_outs("").await.rows;
    let left: Vec<_> = left.iter().map(|row| (row.person.as_str(), row.stop.file.as_deref())).collect();
    assert_eq!(left, [("5511987654322", None)], "it was noted here since, and the other is allowed again");
    desk.harness.close().await;
}
