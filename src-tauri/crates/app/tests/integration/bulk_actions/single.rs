//! Single templates: recorded as a bulk action with one item, answered with the provider's answer.

use command_types::bulk_action::{BulkAction, BulkActionKind};
use command_types::error::DeskError;
use command_types::template::{DeleteTemplate, TemplateId};
use command_types::workspace::WorkspaceId;

use super::super::batches::provider::Reply;
use super::super::webhooks::wait_until;
use super::provider::{name, uuid};
use super::{Desk, counts};

impl Desk {
    fn template(&self, number: u32) -> TemplateId {
        TemplateId { workspace: self.workspace.clone(), reference: uuid(number) }
    }

    async fn newest(&self) -> BulkAction {
        self.core
            .bulk_actions
            .list_bulk_actions(WorkspaceId { workspace: self.workspace.clone() })
            .await
            .unwrap()
            .remove(0)
    }
}

#[tokio::test]
async fn an_action_on_one_template_is_recorded_with_its_outcome() {
    let desk = Desk::start(3).await;
    desk.core.bulk_actions.archive_template(desk.template(0)).await.unwrap();
    let bulk_action = desk.newest().await;
    assert_eq!(
        (bulk_action.action.as_str(), bulk_action.state.as_str(), counts(&bulk_action)),
        ("archive", "done", vec![("done", 1)])
    );
    assert_eq!((bulk_action.names.clone(), bulk_action.undoable), (vec![name(0)], true));
    let detail = desk.core.templates.get_template(desk.template(0)).await.unwrap();
    assert_eq!(detail.row.archived, Some(true));
    desk.core.bulk_actions.unarchive_template(desk.template(0)).await.unwrap();
    assert_eq!(desk.newest().await.action, BulkActionKind::Unarchive);

    desk.provider.answers(|_, _| Reply::Status("422 Unprocessable Content", "", r#"{"message":"no"}"#));
    let refused = desk.core.bulk_actions.archive_template(desk.template(1)).await.unwrap_err();
    assert!(matches!(refused, DeskError::Service { status: 422, .. }), "{refused}");
    let bulk_action = desk.newest().await;
    assert_eq!((counts(&bulk_action), bulk_action.retryable), (vec![("failed", 1)], 1));

    desk.provider.answers(|_, _| Reply::Cut);
    let lost = desk.core.bulk_actions.archive_template(desk.template(2)).await.unwrap_err();
    assert!(matches!(lost, DeskError::OutcomeUnknown { .. }), "{lost}");
    assert!(!lost.to_string().to_lowercase().contains("try again"), "{lost}");
    let lost = desk.newest().await;
    wait_until("the listing has reported it", async || counts(&desk.now(&lost).await) == [("failed", 1)]).await;

    desk.provider.answers(|_, _| Reply::Accepted);
    let delete = |name: &str| DeleteTemplate {
        workspace: desk.workspace.clone(),
        reference: uuid(1),
        confirmed_name: name.to_owned(),
    };
    let before = desk.provider.operations().len();
    let refused = desk.core.bulk_actions.delete_template(delete("other")).await.unwrap_err();
    assert!(matches!(&refused, DeskError::InvalidInput { field, .. } if field == "confirmedName"), "{refused}");
    assert_eq!(desk.provider.operations().len(), before);
    desk.core.bulk_actions.delete_template(delete(&name(1))).await.unwrap();
    let bulk_action = desk.newest().await;
    assert_eq!(
        (bulk_action.action.as_str(), counts(&bulk_action), bulk_action.undoable),
        ("delete", vec![("done", 1)], false)
    );
    assert!(matches!(desk.core.templates.get_template(desk.template(1)).await, Err(DeskError::NotFound { .. })));
    desk.close().await;
}

#[tokio::test]
async fn concurrent_actions_on_one_template_are_refused() {
    let mut desk = Desk::start(30).await;
    desk.provider.answers(|_, _| Reply::Later);
    let bulk_action = desk.started(BulkActionKind::Archive, 0..20).await;
    wait_until("some are on their way", async || desk.provider.operations().len() == 4).await;
    for touched in [desk.template(0), desk.template(19)] {
        let refused = desk.core.bulk_actions.unarchive_template(touched).await.unwrap_err();
        assert!(matches!(refused, DeskError::Conflict { .. }), "{refused}");
    }
    let second = desk.plan(BulkActionKind::Archive, 19..25).await;
    let refused = desk.core.bulk_actions.start_bulk_action(desk.start_of(&second)).await.unwrap_err();
    assert!(matches!(refused, DeskError::Conflict { .. }), "{refused}");
    desk.provider.release();
    desk.wait_until_ended(&bulk_action).await;
    assert_eq!(desk.provider.operations().len(), 20);
    desk.core.bulk_actions.unarchive_template(desk.template(0)).await.unwrap();
    desk.close().await;
}
