//! The whole core without a window, receiving as it does for its sandbox.

use std::path::Path;
use std::sync::Arc;

use api::activity::EventQuery;
use app::ports::{EventSink, NoKeyring};
use app::{Core, Options, SandboxLink};
use tokio::net::TcpListener;

use crate::signed;

/// Opens a core on a folder whose sandbox delivers to `webhooks`.
pub(crate) async fn open(folder: &Path, webhooks: TcpListener) -> anyhow::Result<Core> {
    // Nobody is there: nothing is asked for.
    open_with(folder, webhooks, "http://127.0.0.1:9".to_owned()).await
}

/// The same with a provider.
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
        webhooks,
    };
    let options = Options {
        data_folder: app::lock_data_folder(folder)?,
        keyring: Arc::new(NoKeyring),
        events: EventSink::new(|_event| {}),
        sandbox: Some(link),
        // The one for the world is not used, and must not disturb a desk that runs here.
        receiver_address: Some("127.0.0.1:0".to_owned()),
        loopback_media: true,
    };
    Ok(Core::open(options).await?)
}

/// Deliveries that are stored and not projected yet.
pub(crate) async fn behind(core: &Core) -> anyhow::Result<u64> {
    Ok(core.webhooks.list_events(EventQuery { limit: 1, ..EventQuery::default() }).await?.behind)
}
