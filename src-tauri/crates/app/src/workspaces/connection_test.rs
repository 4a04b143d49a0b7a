//! *Test connection*: tries the settings of the form step by step.

use std::collections::BTreeSet;

use provider_client::Client;
use secrecy::{ExposeSecret as _, SecretString};

use super::{Workspaces, connect, settings};
use crate::context::secrets::field;
use command_types::error::{DeskError, Result};
use command_types::workspace::{
    ConnectionReport, SaveWorkspace, WorkspaceProblem, WorkspaceProblemCode, WorkspaceSettings,
};

/// WABAs that are asked about.
const MAX_WABAS: usize = 10;

impl Workspaces {
    /// Tests the connection settings of the form without storing anything.
    ///
    /// # Errors
    /// None: failures are in the report.
    pub async fn test_connection(&self, request: SaveWorkspace) -> Result<ConnectionReport> {
        let settings = settings::normalize(request.settings);
        let mut report = ConnectionReport { steps: Vec::new(), warnings: settings::warnings(&settings) };
        if let Err(error) = settings::check(&settings, &request.secrets) {
            report.failed("address", error);
            return Ok(report);
        }
        let kind = settings.credential_kind.secret();
        let mut typed = request.secrets.into_iter().filter(|secret| secret.number.is_none());
        let typed = typed.find(|secret| secret.kind == kind).map(|secret| secret.value);
        let secret = match (typed, &request.workspace) {
            (Some(typed), _) if !typed.expose_secret().trim().is_empty() => {
                Ok(SecretString::from(settings::as_meant(kind, typed.expose_secret())))
            }
            (_, Some(id)) => self.stored_credential(id, &settings).await,
            (_, None) => Err(DeskError::MissingCredentials {}),
        };
        let secret = match secret {
            Ok(secret) => secret,
            Err(DeskError::MissingCredentials {}) => {
                let error = DeskError::invalid(field(kind), "Enter it as your provider shows it.");
                report.failed("address", error);
                return Ok(report);
            }
            Err(error) => {
                report.passed("address", None);
                report.failed("credentials", error);
                return Ok(report);
            }
        };
        let client = match connect(&settings, secret) {
            Ok(client) => client,
            Err(error) => {
                report.failed("address", error);
                return Ok(report);
            }
        };
        report.passed("address", None);
        // One page is sufficient.
        match client.check().await.map_err(DeskError::from) {
            Ok(reached) => {
                for step in ["reach", "credentials"] {
                    report.passed(step, None);
                }
                let has_templates = reached.templates > 0;
                report.passed("listing", Some(reached));
                if has_templates {
                    report.warnings.extend(unlisted_wabas(&client, &settings).await);
                }
            }
            Err(error @ DeskError::Unauthorized { .. }) => {
                report.passed("reach", None);
                report.failed("credentials", error);
            }
            Err(error @ (DeskError::Offline { .. } | DeskError::TimedOut { .. })) => report.failed("reach", error),
            Err(error) => {
                report.passed("reach", None);
                report.failed("listing", error);
            }
        }
        Ok(report)
    }
}

/// WABAs of the form of which the provider lists no template: one that was mistyped has none.
async fn unlisted_wabas(client: &Client, settings: &WorkspaceSettings) -> Vec<WorkspaceProblem> {
    let listed = settings.waba_ids.iter().enumerate().map(|(place, waba)| (format!("wabaIds/{place}"), waba));
    let of_numbers = settings.numbers.iter().enumerate();
    let of_numbers = of_numbers.map(|(place, number)| (format!("numbers/{place}/wabaId"), &number.waba_id));
    let mut asked = BTreeSet::new();
    let mut found = Vec::new();
    for (field, waba) in listed.chain(of_numbers) {
        if waba.is_empty() || asked.len() == MAX_WABAS || !asked.insert(waba) {
            continue;
        }
        let is_listed = match client.lists_waba(waba).await.map_err(DeskError::from) {
            Ok(is_listed) => is_listed,
            // A refusal of this one request is about the WABA; anything else says nothing about it.
            Err(error) => !matches!(error, DeskError::Service { status: 400 | 404 | 422, .. }),
        };
        if !is_listed {
            let values = [("waba".to_owned(), waba.clone())].into();
            found.push(WorkspaceProblem { field, code: WorkspaceProblemCode::WabaWithoutTemplates, values });
        }
    }
    found
}
