//! The whole core without a window, which receives for its sandbox workspace.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use app::ports::{EventSink, NoInstaller, NoKeyring};
use app::{Core, Options, SandboxLink};
use command_types::activity::EventQuery;
use tokio::net::TcpListener;

use crate::signed;

/// Opens a core on a folder whose sandbox delivers to `webhooks`.
pub(crate) async fn open(folder: &Path, webhooks: TcpListener) -> anyhow::Result<Core> {
    // Nothing listens there: no request is sent.
    open_with(folder, webhooks, "http://127.0.0.1:9".to_owned()).await
}

/// As [`open`], with a provider.
pub(crate) async fn open_with(folder: &Path, webhooks: TcpListener, base_url: String) -> anyhow::Result<Core> {
    let link = SandboxLink {
        base_url,
        channel: "bench".to_owned(),
        messaging_product: "messaging".to_owned(),
        workspace_uuid: "00000000-0000-4000-8000-000000000000".to_owned(),
        token: "bench".into(),
        webhook_secret: signed::SECRET.into(),
        numbers: Vec::new(),
        waba_ids: Vec::new(),
        waba_names: BTreeMap::new(),
        webhooks,
    };
    let options = Options {
        data_folder: app::lock_data_folder(folder)?,
        keyring: Arc::new(NoKeyring),
        events: EventSink::new(|_event| {}),
        sandbox: Some(link),
        // The public receiver is not used, and must not conflict with an app that runs on this machine.
        receiver_address: Some("127.0.0.1:0".to_owned()),
        loopback_media: true,
        installer: Arc::new(NoInstaller),
    };
    Ok(Core::open(options).await?)
}

/// Number of stored deliveries that are not projected yet.
pub(crate) async fn backlog_size(core: &Core) -> anyhow::Result<u64> {
    Ok(core.webhooks.list_events(EventQuery { limit: 1, ..EventQuery::default() }).await?.behind)
}
