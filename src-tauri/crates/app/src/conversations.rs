//! Contacts, their conversations and their files, over all numbers of a workspace.

mod contact_list;
mod conversation;
mod media;
mod opt_out_file;
mod opt_out_import;
mod opt_out_words;
mod opt_outs;
mod saved_replies;
mod sent_content;
mod sent_search;
mod unanswered;

use std::collections::HashMap;
use std::sync::Arc;

use self::media::MediaFiles;
use crate::context::Context;
use crate::messaging::Messaging;
use crate::templates::Templates;
use crate::workspaces::Workspaces;
use command_types::conversations::{BusinessNumber, UnreadCount};
use command_types::error::Result;
use command_types::workspace::WorkspaceId;

/// Conversations of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct Conversations(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    messaging: Messaging,
    media: MediaFiles,
    imports: opt_out_import::Imports,
}

impl Conversations {
    pub(crate) fn new(
        context: Arc<Context>,
        workspaces: Workspaces,
        templates: Templates,
        messaging: Messaging,
    ) -> Self {
        let media = MediaFiles::new(context.folder.root());
        let imports = opt_out_import::Imports::default();
        Self(Arc::new(Inner { context, workspaces, templates, messaging, media, imports }))
    }
}

impl Conversations {
    /// Total size of the fetched files in bytes.
    pub(crate) async fn media_size(&self) -> Result<u64> {
        self.0.media.size().await
    }

    pub async fn count_unread(&self, WorkspaceId { workspace }: WorkspaceId) -> Result<UnreadCount> {
        Ok(UnreadCount { contacts: self.0.context.cache.unread_contacts(&workspace).await? })
    }

    /// Our numbers: those of the workspace, and those that received messages.
    async fn numbers(&self, workspace: &str) -> Result<Numbers> {
        let mut listed: Vec<BusinessNumber> =
            self.0.workspaces.settings(workspace).await?.numbers.into_iter().map(BusinessNumber::from).collect();
        for id in self.0.context.cache.numbers_written_to(workspace).await? {
            if !listed.iter().any(|number| number.id == id) {
                listed.push(BusinessNumber { name: id.clone(), id });
            }
        }
        let names = listed.iter().map(|number| (number.id.clone(), number.name.clone())).collect();
        Ok(Numbers { listed, names })
    }
}

struct Numbers {
    listed: Vec<BusinessNumber>,
    names: HashMap<String, String>,
}

impl Numbers {
    /// The name of a number; its identifier if it has none.
    fn name(&self, id: &str) -> Option<String> {
        (!id.is_empty()).then(|| self.names.get(id).cloned().unwrap_or_else(|| id.to_owned()))
    }
}
