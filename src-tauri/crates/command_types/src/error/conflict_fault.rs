//! Why something cannot be done now, as far as the window has words for it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A kind of conflict that the window words, with what its sentence names. Its text is the English one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ConflictFault {
    // A batch or a bulk action in another state than expected.
    #[error("It was never started.")]
    NotStarted {},
    #[error("It is already running.")]
    Running {},
    #[error("It is being cancelled.")]
    Cancelling {},
    #[error("It was cancelled.")]
    Cancelled {},
    #[error("It was interrupted. It can be resumed.")]
    Interrupted {},
    #[error("It is done.")]
    Done {},

    #[error("Another batch of this number is running. Wait until it is done, or cancel it.")]
    NumberBusy {},
    #[error("The number of this batch is no longer in this workspace. Make a new batch like this from another number.")]
    NumberGone {},
    #[error("None of the rows of this batch can be sent.")]
    NoRow {},
    #[error("{rows} rows cannot be sent. Correct them and plan again, or leave them out.")]
    FaultyRows { rows: u32 },
    #[error("No row of this batch has an unknown outcome any more.")]
    NoUnknownRow {},
    #[error("The batch is still being sent. Wait until it has ended, or cancel it.")]
    StillSent {},
    #[error("The batch is being sent. Pause it first.")]
    PauseFirst {},
    #[error("Nobody of this group can get the message again.")]
    NobodyAgain {},
    #[error("Nobody of this batch is left there: reports or replies came meanwhile. Reload the page.")]
    NobodyLeft {},
    #[error(
        "None of these people is in the address book any more. Add them again, or export the results of the batch."
    )]
    NobodyInBook {},
    #[error("Some of these people were put into another batch just now. Reload and try again.")]
    InOtherBatch {},
    #[error("This is no draft any more. Reload the list.")]
    NoDraft {},
    /// `until` is in Unix milliseconds.
    #[error("WhatsApp does not deliver the message to any of these people yet. Start the batch later.")]
    HeldBack { until: i64 },
    #[error("The messaging limit of this number is 0, so there will be no room. Choose another.")]
    NoRoom {},
    #[error("This half of the comparison was started already. Begin another comparison.")]
    SideStarted {},
    /// In percent.
    #[error("The other half was started with a proportion of {share} %. Keep it: else people would get both.")]
    OtherShare { share: u32 },

    #[error("Another bulk action is running on one of these templates. Wait until it is done, or cancel it.")]
    TemplatesBusy {},
    #[error("There is nothing to do. Each template shows the reason.")]
    NothingToDo {},
    #[error("No template of this bulk action is left to retry.")]
    NothingToRetry {},
    #[error("A deletion cannot be undone.")]
    DeletionStays {},
    #[error("The bulk action is still running. Wait until it has ended.")]
    StillRunning {},
    #[error("The bulk action has already been undone.")]
    Undone {},
    #[error("The bulk action changed nothing that can be undone.")]
    NothingChanged {},
    #[error("Nothing is left to undo: the templates no longer exist, or are as they were before.")]
    NothingToUndo {},
    #[error("It is archived already.")]
    Archived {},
    #[error("It is not archived.")]
    NotArchived {},
    #[error("The answer was lost. The provider's list shows that the template was not archived.")]
    NotYetArchived {},
    #[error("The answer was lost. The provider's list shows that the template was not brought back.")]
    NotBroughtBack {},
    #[error("The answer was lost. The provider's list shows that the template was not deleted.")]
    NotDeleted {},

    #[error("The list is being refreshed already.")]
    BeingRefreshed {},
    #[error("The provider has accepted this template. It is in the list of templates.")]
    Accepted {
        /// Its reference.
        template: String,
    },
    #[error("This draft is being submitted already.")]
    BeingSubmitted {},
    #[error("Templates are already being submitted in this workspace. Wait until this is done, or cancel it.")]
    ImportRunning {},
    #[error("The template has changed at the provider since the check. Check again.")]
    TemplateChanged {},
    #[error(
        "An earlier submission of this template got no answer, and it may have been carried out. Check again, or confirm \
         that it is submitted nevertheless."
    )]
    UnknownOutcome {},
    #[error(
        "The list of templates could not be refreshed, so this template may exist already. Check again, or confirm that it \
         is submitted nevertheless."
    )]
    OutdatedList {},
    #[error("It was already submitted. Check again for the rest.")]
    SubmittedBefore {},
    #[error(
        "Its answer was lost before, and it may have been carried out. Refresh the templates, and check again for what is \
         left."
    )]
    AnswerLostBefore {},
    #[error("Part of it was already submitted. Refresh the templates, and check again for the rest.")]
    PartlySubmitted {},

    #[error("Some stored webhooks have not been processed yet. Wait until Activity is up to date, then try again.")]
    WebhooksWait {},
    #[error("Everything is being rebuilt at the moment, which decodes all deliveries again. Wait until it is done.")]
    BeingRebuilt {},
    #[error("The receiver is not listening, so nothing can come in. Choose another address for it.")]
    NoReceiver {},
    #[error("The receiver was not reached: {reason}.")]
    ReceiverAway { reason: String },
    #[error("A desk follows at most {limit} servers.")]
    TooManyServers { limit: u32 },
    #[error("This copy of Template Desk can't replace itself. Install the new version as you installed this one.")]
    NotReplaceable {},
    // What would be cut by deleting its workspace.
    #[error("A batch is running: {done} of {total} sent. Pause it first.")]
    BatchRunning { done: u32, total: u32 },
    #[error(
        "A bulk action is running: {done} of {total} templates are done. Cancel it first, or wait until it has ended."
    )]
    BulkActionRunning { done: u32, total: u32 },
    #[error("The sandbox workspace is built in. Add a workspace of your own instead.")]
    BuiltIn {},
}
