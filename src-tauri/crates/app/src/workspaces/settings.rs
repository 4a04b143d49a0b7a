//! Settings of a workspace: tidied and checked, each problem at its field.

use super::number_field;
use crate::context::secrets::{field, origin};
use crate::error::{DeskError, Result};
use crate::view::workspace::{CredentialKind, SecretInput, SecretKind, WorkspaceSettings};
use crate::workspaces::token_expiry::last_day;

impl WorkspaceSettings {
    /// The constant of sends: as set, else the channel's word.
    #[must_use]
    pub fn product(&self) -> &str {
        if self.messaging_product.is_empty() { &self.channel } else { &self.messaging_product }
    }

    /// Takes off what a person adds without meaning it, and fills what may be left empty.
    pub(super) fn tidy(mut self) -> Self {
        for text in [
            &mut self.name,
            &mut self.base_url,
            &mut self.channel,
            &mut self.messaging_product,
            &mut self.workspace_uuid,
            &mut self.client_id,
            &mut self.business_id,
            &mut self.token_expires_on,
            &mut self.business_name,
        ] {
            *text = text.trim().to_owned();
        }
        if self.channel.is_empty() {
            "messaging".clone_into(&mut self.channel);
        }
        self.waba_ids = self.waba_ids.iter().map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect();
        for number in &mut self.numbers {
            number.id = number.id.trim().to_owned();
            number.label = number.label.trim().to_owned();
            number.waba_id = number.waba_id.trim().to_owned();
        }
        self.numbers.retain(|number| !number.id.is_empty());
        self.waba_names = std::mem::take(&mut self.waba_names)
            .into_iter()
            .map(|(id, name)| (id.trim().to_owned(), name.trim().to_owned()))
            .filter(|(id, name)| !id.is_empty() && !name.is_empty())
            .collect();
        self
    }

    /// Refuses what cannot work, at its field.
    pub(super) fn check(&self) -> Result<()> {
        if self.name.is_empty() {
            return Err(DeskError::invalid("name", "Give the workspace a name, so that you find it in the list."));
        }
        service::check_base_url(&self.base_url, self.allow_unencrypted)?;
        if uuid::Uuid::parse_str(&self.workspace_uuid).is_err() {
            return Err(DeskError::invalid(
                "workspaceUuid",
                "A workspace UUID has 32 hexadecimal digits, such as 123e4567-e89b-12d3-a456-426614174000. The platform shows it beside the token.",
            ));
        }
        if self.channel.contains(['/', '?', '#', ' ']) {
            return Err(DeskError::invalid("channel", "The channel is one path segment, such as messaging."));
        }
        if self.credential_kind == CredentialKind::Client && self.client_id.is_empty() {
            return Err(DeskError::invalid("clientId", "Client credentials need the client id."));
        }
        let wabas = self.waba_ids.iter().enumerate().map(|(place, waba)| (format!("wabaIds/{place}"), waba));
        let of_numbers = self.numbers.iter().enumerate().filter(|(_, number)| !number.waba_id.is_empty());
        let of_numbers = of_numbers.map(|(place, number)| (format!("numbers/{place}/wabaId"), &number.waba_id));
        for (field, waba) in wabas.chain(of_numbers) {
            if model::Id::number(waba).is_none() {
                return Err(DeskError::invalid(field, format!("{waba} is no WABA ID: those are digits only.")));
            }
        }
        for (place, number) in self.numbers.iter().enumerate() {
            if self.numbers[..place].iter().any(|other| other.id == number.id) {
                let message = format!("The number {} is in the list already.", number.id);
                return Err(DeskError::invalid(format!("numbers/{place}/id"), message));
            }
        }
        last_day(&self.token_expires_on)?;
        Ok(())
    }

    /// Where credentials are sent: scheme, host and port of the base URL.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for a base URL that cannot be used.
    pub(crate) fn origin(&self) -> Result<String> {
        Ok(origin(&service::parse_base_url(&self.base_url)?))
    }

    /// Refuses secrets that would belong to nothing, at their fields.
    pub(super) fn check_secrets(&self, secrets: &[SecretInput]) -> Result<()> {
        for secret in secrets {
            let Some(number) = &secret.number else { continue };
            let has_endpoint = self.numbers.iter().any(|other| other.own_webhook && other.id == *number);
            if !has_endpoint || !SecretKind::OF_ENDPOINT.contains(&secret.kind) {
                let message = format!("The number {number} has no webhook of its own that this could belong to.");
                return Err(DeskError::invalid(number_field(self, number, field(secret.kind)), message));
            }
        }
        Ok(())
    }
}
