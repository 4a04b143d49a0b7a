//! The webhook endpoints of a workspace and their health.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::Webhooks;
use crate::workspaces::SANDBOX_ID;
use crate::workspaces::webhook_endpoints::{EndpointKey, endpoint_keys};
use command_types::error::Result;
use command_types::receiver::{Endpoint, EndpointHealth, ReceiverState, SecretUse};
use command_types::workspace::{Attention, SecretKind, SecretPlace, SecretStatus, WorkspaceId};

impl Webhooks {
    /// The state of the receiver, and whether a workspace needs attention.
    pub async fn receiver_and_attention(&self) -> Result<(ReceiverState, bool)> {
        let summaries = self.0.workspaces.workspace_summaries().await?;
        let attention = summaries.iter().any(|summary| summary.attention != Attention::None);
        Ok((self.0.servers.state(), attention))
    }

    /// The webhook endpoints of a workspace, and their health.
    pub async fn get_endpoints(&self, request: WorkspaceId) -> Result<Vec<Endpoint>> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        let mut endpoints = Vec::new();
        for place in self.endpoints_of(&request.workspace).await? {
            let mut secrets = self.endpoint_secrets(&place).await;
            secrets.retain(|secret| SecretKind::OF_ENDPOINT.contains(&secret.kind));
            let label = match &place.number {
                Some(id) => {
                    let label = settings.numbers.iter().find(|number| number.id == *id).map(|number| &number.label);
                    label.filter(|label| !label.is_empty()).unwrap_or(id).clone()
                }
                None => settings.name.clone(),
            };
            let path = place.path();
            let address = self.endpoint_address(&place.workspace);
            let record = self.0.workspaces.endpoints().record(&path);
            let is_absent =
                |kind| secrets.iter().all(|secret| secret.kind != kind || secret.place == SecretPlace::Absent);
            let absent = SecretKind::SIGNING.into_iter().all(is_absent);
            let has_previous = !is_absent(SecretKind::PreviousWebhookSecret);
            let secret_use = SecretUse {
                current_at: record.secrets.current,
                previous_at: record.secrets.previous.filter(|_| has_previous),
                previous_until: record.secrets.previous_until().filter(|_| has_previous),
            };
            let health = match &record {
                _ if address.is_none() => EndpointHealth::NotListening,
                _ if absent => EndpointHealth::NoSecret,
                record if !record.recent_refusals.is_empty() => EndpointHealth::Refusing,
                record if record.last_event_at.is_none() => EndpointHealth::Silent,
                _ => EndpointHealth::Ok,
            };
            endpoints.push(Endpoint {
                number: place.number,
                label,
                url: address.map(|address| format!("http://{address}{path}")).unwrap_or_default(),
                path,
                secrets,
                secret_use,
                last_event_at: record.last_event_at,
                events: record.events,
                refused: record.refused,
                last_refused: record.last_refused,
                health,
            });
        }
        Ok(endpoints)
    }

    pub(super) async fn endpoints_of(&self, workspace: &str) -> Result<Vec<EndpointKey>> {
        let row = self.0.context.desk.workspace(workspace).await?;
        Ok(row.as_ref().map(endpoint_keys).unwrap_or_default())
    }

    /// Where the secrets of an endpoint are stored. Those of the sandbox are created at every start.
    async fn endpoint_secrets(&self, place: &EndpointKey) -> Vec<SecretStatus> {
        if place.workspace == SANDBOX_ID {
            let (kind, place) = (SecretKind::WebhookSecret, SecretPlace::Session);
            return vec![SecretStatus { kind, number: None, place, reason: None, origin: None }];
        }
        self.0.context.secrets.status(place.owner()).await
    }

    /// The local address of a workspace's receiver; `None` while it is not listening.
    pub(super) fn endpoint_address(&self, workspace: &str) -> Option<SocketAddr> {
        if workspace == SANDBOX_ID {
            return self.0.workspaces.sandbox(SANDBOX_ID)?.webhooks;
        }
        let ReceiverState::Listening { address, .. } = self.0.servers.state() else { return None };
        let mut address: SocketAddr = address.parse().ok()?;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        Some(address)
    }
}
