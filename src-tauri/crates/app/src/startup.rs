//! Data that the window loads before it can show anything.

use std::sync::Arc;

use crate::context::{Context, lock};
use crate::data::Data;
use crate::webhooks::Webhooks;
use crate::workspaces::Workspaces;
use command_types::Nothing;
use command_types::error::Result;
use command_types::startup::{Bootstrap, ChannelDays};
use model::archival::UNUSED_MONTHS;
use model::lifecycle::{BLOCKED_NAME_DAYS, UPSTREAM_ARCHIVE_DAYS};

/// The state of the app at the start of a window.
#[derive(Clone, Debug)]
pub struct Startup {
    context: Arc<Context>,
    workspaces: Workspaces,
    webhooks: Webhooks,
    data: Data,
}

impl Startup {
    pub(crate) fn new(context: Arc<Context>, workspaces: Workspaces, webhooks: Webhooks, data: Data) -> Self {
        Self { context, workspaces, webhooks, data }
    }

    /// Workspaces, preferences, and the state of keyring and receiver.
    pub async fn get_bootstrap(&self, _request: Nothing) -> Result<Bootstrap> {
        self.data.first_page_requested();
        let workspaces = self.workspaces.workspace_summaries().await?;
        let mut preferences = self.workspaces.preferences();
        if !workspaces.iter().any(|workspace| workspace.id == preferences.workspace)
            && let Some(first) = workspaces.first()
        {
            preferences.workspace = first.id.clone();
        }
        Ok(Bootstrap {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_folder: self.context.folder.root().display().to_string(),
            log_folder: self.context.folder.logs().display().to_string(),
            workspaces,
            preferences,
            keyring: self.context.secrets.state().await,
            receiver: self.webhooks.receiver_state(),
            last_stop: self.data.last_stop(),
            crashed_run: self.data.crashed_run(),
            notices: lock(&self.context.notices).clone(),
            restore: self.context.restore,
            channel_days: ChannelDays {
                archived: UPSTREAM_ARCHIVE_DAYS,
                unused_months: UNUSED_MONTHS,
                blocked_name: BLOCKED_NAME_DAYS,
            },
        })
    }
}
