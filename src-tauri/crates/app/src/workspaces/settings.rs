//! Normalizes and validates the settings of a workspace, with each problem at its field.

use super::number_field;
use crate::context::secrets::field;
use crate::workspaces::token_expiry::last_day;
use api::error::{DeskError, Result};
use api::workspace::{CredentialKind, SecretInput, SecretKind, WorkspaceSettings};

/// Trims the values and fills in defaults.
pub(super) fn normalize(mut settings: WorkspaceSettings) -> WorkspaceSettings {
    for text in [
        &mut settings.name,
        &mut settings.base_url,
        &mut settings.channel,
        &mut settings.messaging_product,
        &mut settings.workspace_uuid,
        &mut settings.client_id,
        &mut settings.business_id,
        &mut settings.token_expires_on,
        &mut settings.business_name,
    ] {
        *text = text.trim().to_owned();
    }
    if settings.channel.is_empty() {
        "messaging".clone_into(&mut settings.channel);
    }
    settings.waba_ids = settings.waba_ids.iter().map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect();
    for number in &mut settings.numbers {
        number.id = number.id.trim().to_owned();
        number.label = number.label.trim().to_owned();
        number.waba_id = number.waba_id.trim().to_owned();
    }
    settings.numbers.retain(|number| !number.id.is_empty());
    settings.waba_names = std::mem::take(&mut settings.waba_names)
        .into_iter()
        .map(|(id, name)| (id.trim().to_owned(), name.trim().to_owned()))
        .filter(|(id, name)| !id.is_empty() && !name.is_empty())
        .collect();
    settings
}

/// Rejects invalid settings, at their field.
pub(super) fn check(settings: &WorkspaceSettings) -> Result<()> {
    if settings.name.is_empty() {
        return Err(DeskError::invalid("name", "Enter a name for the workspace."));
    }
    service::check_base_url(&settings.base_url, settings.allow_unencrypted)?;
    if uuid::Uuid::parse_str(&settings.workspace_uuid).is_err() {
        return Err(DeskError::invalid(
            "workspaceUuid",
            "A workspace UUID has 32 hexadecimal digits, such as 123e4567-e89b-12d3-a456-426614174000. The platform shows it beside the token.",
        ));
    }
    if settings.channel.contains(['/', '?', '#', ' ']) {
        return Err(DeskError::invalid("channel", "The channel is one path segment, such as messaging."));
    }
    if settings.credential_kind == CredentialKind::Client && settings.client_id.is_empty() {
        return Err(DeskError::invalid("clientId", "Client credentials need the client id."));
    }
    let wabas = settings.waba_ids.iter().enumerate().map(|(place, waba)| (format!("wabaIds/{place}"), waba));
    let of_numbers = settings.numbers.iter().enumerate().filter(|(_, number)| !number.waba_id.is_empty());
    let of_numbers = of_numbers.map(|(place, number)| (format!("numbers/{place}/wabaId"), &number.waba_id));
    for (field, waba) in wabas.chain(of_numbers) {
        if model::Id::number(waba).is_none() {
            return Err(DeskError::invalid(field, format!("{waba} is not a WABA ID. Use digits only.")));
        }
    }
    for (place, number) in settings.numbers.iter().enumerate() {
        if settings.numbers[..place].iter().any(|other| other.id == number.id) {
            let message = format!("The number {} is in the list already.", number.id);
            return Err(DeskError::invalid(format!("numbers/{place}/id"), message));
        }
    }
    last_day(&settings.token_expires_on)?;
    Ok(())
}

/// Rejects secrets that belong to nothing, at their fields.
pub(super) fn check_secrets(settings: &WorkspaceSettings, secrets: &[SecretInput]) -> Result<()> {
    for secret in secrets {
        let Some(number) = &secret.number else { continue };
        let has_endpoint = settings.numbers.iter().any(|other| other.own_webhook && other.id == *number);
        if !has_endpoint || !SecretKind::OF_ENDPOINT.contains(&secret.kind) {
            let message = format!("The number {number} has no webhook of its own that this could belong to.");
            return Err(DeskError::invalid(number_field(settings, number, field(secret.kind)), message));
        }
    }
    Ok(())
}
