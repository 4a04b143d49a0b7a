//! What was not found, as far as the window has words for it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A thing that the window names. Its text is the English one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum Missing {
    #[error("The batch")]
    Batch,
    #[error("The bulk action")]
    BulkAction,
    #[error("The file (choose it again)")]
    ChosenFile,
    #[error("The delivery")]
    Delivery,
    #[error("The diagnostics")]
    Diagnostics,
    #[error("The draft")]
    Draft,
    #[error("The webhook endpoint of this number")]
    Endpoint,
    #[error("The event")]
    Event,
    #[error("The delivery of the event")]
    EventDelivery,
    #[error("The server that is followed")]
    Feed,
    #[error("The import")]
    Import,
    #[error("The message")]
    Message,
    #[error("The file of this message")]
    MessageFile,
    #[error("A newer version")]
    NewerVersion,
    #[error("The notice")]
    Notice,
    #[error("The preview")]
    Preview,
    #[error("The rate card")]
    RateCard,
    #[error("The recipient")]
    Recipient,
    #[error("The refused delivery; only the last 200 since the start are kept")]
    RefusedDelivery,
    #[error("The row")]
    Row,
    #[error("The sandbox")]
    Sandbox,
    #[error("The saved reply")]
    SavedReply,
    #[error("The send")]
    Send,
    #[error("The starter template")]
    Starter,
    #[error("The template")]
    Template,
    #[error("The name of the template")]
    TemplateName,
    #[error("The version")]
    Version,
    #[error("The workspace")]
    Workspace,
}
