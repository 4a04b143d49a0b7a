//! Normalizes and validates the settings of a workspace, with each problem at its field.

use std::collections::BTreeMap;

use secrecy::ExposeSecret;

use super::{Workspaces, number_field};
use crate::context::secrets::field;
use crate::workspaces::token_expiry::last_day;
use command_types::error::{DeskError, Result};
use command_types::workspace::{
    CODE_INCLUDED, CredentialKind, SaveWorkspace, SecretInput, SecretKind, SendingNumber, WorkspaceProblem,
    WorkspaceProblemCode as Code, WorkspaceSettings,
};
use outgoing::recipient::is_country;
use provider_client::BaseUrlFault;

/// Digits that a telephone number with its country code has at least, as far as people use it for business.
const MIN_PHONE_DIGITS: usize = 10;

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
        &mut settings.default_country,
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

/// An invalid setting, with the sentence for callers that show no texts of their own.
pub(super) struct Problem {
    pub(super) field: String,
    pub(super) code: Code,
    /// Values of the sentence that the window shows.
    values: BTreeMap<String, String>,
    message: String,
}

impl Problem {
    fn new(field: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self { field: field.into(), code, values: BTreeMap::new(), message: message.into() }
    }

    fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.values.insert(name.to_owned(), value.to_string());
        self
    }
}

impl From<Problem> for DeskError {
    fn from(problem: Problem) -> Self {
        Self::invalid(problem.field, problem.message)
    }
}

/// Rejects invalid settings with the first problem.
pub(super) fn check(settings: &WorkspaceSettings, secrets: &[SecretInput]) -> Result<()> {
    problems(settings, secrets).into_iter().next().map_or(Ok(()), |problem| Err(problem.into()))
}

/// Everything that is invalid in the settings and the entered secrets, in the order of the form.
fn problems(settings: &WorkspaceSettings, secrets: &[SecretInput]) -> Vec<Problem> {
    let mut found = Vec::new();
    if settings.name.is_empty() {
        found.push(Problem::new("name", Code::NameMissing, "Enter a name for the workspace."));
    }
    if let Err(error) = provider_client::check_base_url(&settings.base_url, settings.allow_unencrypted) {
        found.push(address_problem(settings, error.into()));
    }
    if settings.workspace_uuid.is_empty() {
        found.push(Problem::new("workspaceUuid", Code::UuidMissing, "Enter the workspace UUID from your provider."));
    } else if uuid::Uuid::parse_str(&settings.workspace_uuid).is_err() {
        found.push(uuid_problem(&settings.workspace_uuid));
    }
    if settings.channel.contains(['/', '?', '#', ' ']) {
        let message = "The channel is one path segment, such as messaging.";
        found.push(Problem::new("channel", Code::ChannelInvalid, message));
    }
    if settings.credential_kind == CredentialKind::Client && settings.client_id.is_empty() {
        found.push(Problem::new("clientId", Code::ClientIdMissing, "Enter the client ID."));
    }
    found.extend(credential_problems(settings, secrets));
    if let Err(error) = last_day(&settings.token_expires_on) {
        found.push(Problem::new("tokenExpiresOn", Code::DateInvalid, error.to_string()));
    }
    let country = settings.default_country.as_str();
    if !matches!(country, "" | CODE_INCLUDED) && !is_country(country) {
        let message = format!("{country} is no country. Choose one, or leave the field empty.");
        found.push(Problem::new("defaultCountry", Code::CountryInvalid, message));
    }
    for (place, number) in settings.numbers.iter().enumerate() {
        if settings.numbers[..place].iter().any(|other| other.id == number.id) {
            let message = format!("The number {} is in the list already.", number.id);
            found.push(Problem::new(format!("numbers/{place}/id"), Code::NumberRepeated, message));
        }
        if is_phone_number(number) {
            let message = format!(
                "{} looks like a phone number. The number ID is a different value, such as 106540352242922. Copy it from your provider.",
                number.id
            );
            let problem = Problem::new(format!("numbers/{place}/id"), Code::NumberIdUnlikely, message);
            found.push(problem.with("number", &number.id));
        }
    }
    let of_numbers = settings.numbers.iter().enumerate().filter(|(_, number)| !number.waba_id.is_empty());
    let of_numbers = of_numbers.map(|(place, number)| (format!("numbers/{place}/wabaId"), &number.waba_id));
    let wabas = settings.waba_ids.iter().enumerate().map(|(place, waba)| (format!("wabaIds/{place}"), waba));
    for (field, waba) in of_numbers.chain(wabas) {
        if model::Id::number(waba).is_none() {
            found.push(Problem::new(field, Code::WabaInvalid, format!("{waba} is not a WABA ID. Use digits only.")));
        }
    }
    found.extend(endpoint_problems(settings, secrets));
    found
}

/// Settings that are probably wrong and that can be saved all the same, in the order of the form.
pub(super) fn warnings(settings: &WorkspaceSettings) -> Vec<WorkspaceProblem> {
    let mut found = Vec::new();
    for (place, number) in settings.numbers.iter().enumerate() {
        let mut warn = |field: &str, code| {
            let name = if number.label.is_empty() { &number.id } else { &number.label };
            let values = [("number", name), ("waba", &number.waba_id)];
            let values = values.map(|(name, value)| (name.to_owned(), value.clone())).into();
            found.push(WorkspaceProblem { field: format!("numbers/{place}/{field}"), code, values });
        };
        if !is_phone_number(number) && may_be_phone_number(number) {
            warn("id", Code::NumberIdUnlikely);
        }
        let is_unlisted = !settings.waba_ids.is_empty() && !settings.waba_ids.contains(&number.waba_id);
        if is_unlisted && !number.waba_id.is_empty() {
            warn("wabaId", Code::NumberWabaUnlisted);
        }
    }
    found
}

/// A secret without the spaces around it; a token also without the quotation marks and the `Bearer` that are copied with it.
pub(super) fn as_meant(kind: SecretKind, typed: &str) -> &str {
    let mut secret = typed.trim();
    if kind != SecretKind::Token {
        return secret;
    }
    loop {
        let before = secret.len();
        for start in ["authorization:", "bearer "] {
            let has_start = secret.get(..start.len()).is_some_and(|first| first.eq_ignore_ascii_case(start));
            secret = if has_start { secret[start.len()..].trim_start() } else { secret };
        }
        for (open, close) in [('"', '"'), ('\'', '\''), ('“', '”'), ('`', '`')] {
            let inner = secret.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
            secret = inner.map_or(secret, str::trim);
        }
        if secret.len() == before {
            return secret;
        }
    }
}

/// Whether a number ID is written as a telephone number, or is the one that its label shows. A label that only repeats the
/// ID says nothing about it.
fn is_phone_number(number: &SendingNumber) -> bool {
    let has_sign = number.id.contains(|c: char| c == '+' || c == '(' || c.is_whitespace());
    let shown: String = number.label.chars().filter(char::is_ascii_digit).collect();
    has_sign || (number.id.len() >= MIN_PHONE_DIGITS && shown == number.id && number.label.trim() != number.id)
}

/// Whether a number ID has as many digits as telephone numbers with their country code have; IDs usually have more.
fn may_be_phone_number(number: &SendingNumber) -> bool {
    (MIN_PHONE_DIGITS..=13).contains(&number.id.len()) && number.id.bytes().all(|byte| byte.is_ascii_digit())
}

/// Why a text is no UUID.
fn uuid_problem(uuid: &str) -> Problem {
    let problem = |code, found: String| {
        let expected = "A workspace UUID has 32 hexadecimal digits, such as 123e4567-e89b-12d3-a456-426614174000";
        let message =
            format!("{expected}; {found}. Copy it again from your provider, which shows it next to the token.");
        Problem::new("workspaceUuid", code, message)
    };
    let digits = uuid.chars().filter(char::is_ascii_hexdigit).count();
    if let Some(character) = uuid.chars().find(|char| !char.is_ascii_hexdigit() && *char != '-') {
        return problem(Code::UuidCharacter, format!("this has “{character}”")).with("character", character);
    }
    if digits != 32 {
        return problem(Code::UuidLength, format!("this has {digits}")).with("digits", digits);
    }
    problem(Code::UuidHyphens, "the hyphens of this are in other places".to_owned())
}

/// The problem of an address that was rejected.
fn address_problem(settings: &WorkspaceSettings, error: DeskError) -> Problem {
    let (field, message) = match error {
        DeskError::InvalidInput { field, message, .. } => (field, message),
        other => ("baseUrl".to_owned(), other.to_string()),
    };
    if field == "allowUnencrypted" {
        return Problem::new(field, Code::Unencrypted, message);
    }
    let fault = BaseUrlFault::of(&settings.base_url);
    let code = match &fault {
        Some(BaseUrlFault::Empty) => Code::BaseUrlMissing,
        Some(BaseUrlFault::Scheme) => Code::BaseUrlScheme,
        Some(BaseUrlFault::Credentials) => Code::BaseUrlCredentials,
        Some(BaseUrlFault::Query) => Code::BaseUrlQuery,
        Some(BaseUrlFault::EndpointPath(_)) => Code::BaseUrlEndpoint,
        Some(BaseUrlFault::NoHost | BaseUrlFault::NoAddress(_)) | None => Code::BaseUrlInvalid,
    };
    let problem = Problem::new(field, code, message);
    match fault {
        Some(BaseUrlFault::EndpointPath(path)) => problem.with("path", path),
        _ => problem,
    }
}

/// Credentials that no header can carry, at their fields. The problems do not contain them.
fn credential_problems(settings: &WorkspaceSettings, secrets: &[SecretInput]) -> Vec<Problem> {
    let problem = |field: &str, name: &str| {
        let message = format!(
            "The {name} contains spaces, line breaks or characters that can't be sent. Copy it again from your provider."
        );
        Problem::new(field, Code::CredentialInvalid, message)
    };
    let mut found = Vec::new();
    if settings.credential_kind == CredentialKind::Client && !provider_client::fits_header(&settings.client_id) {
        found.push(problem("clientId", "client ID"));
    }
    // A secret of the other kind is not sent.
    let kind = settings.credential_kind.secret();
    let mut entered = secrets.iter().filter(|secret| secret.kind == kind && secret.number.is_none());
    if !entered.all(|secret| provider_client::fits_header(as_meant(kind, secret.value.expose_secret()))) {
        found.push(problem(field(kind), if kind == SecretKind::Token { "token" } else { "client secret" }));
    }
    found
}

/// What a workspace is at its provider: address, channel and UUID; `None` if one of them is no such thing.
fn provider_key(settings: &WorkspaceSettings) -> Option<(String, &str, String)> {
    let url = provider_client::parse_base_url(&settings.base_url).ok()?;
    let uuid: String = settings.workspace_uuid.chars().filter(char::is_ascii_hexdigit).collect();
    let address = url.as_str().trim_end_matches('/').to_owned();
    (!uuid.is_empty()).then(|| (address, settings.channel.as_str(), uuid.to_lowercase()))
}

/// Secrets that belong to nothing, at their fields.
fn endpoint_problems(settings: &WorkspaceSettings, secrets: &[SecretInput]) -> Vec<Problem> {
    let mut found = Vec::new();
    for secret in secrets {
        let Some(number) = &secret.number else { continue };
        let has_endpoint = settings.numbers.iter().any(|other| other.own_webhook && other.id == *number);
        if !has_endpoint || !SecretKind::OF_ENDPOINT.contains(&secret.kind) {
            let message = format!("The number {number} has no webhook of its own that this could belong to.");
            let field = number_field(settings, number, field(secret.kind));
            found.push(Problem::new(field, Code::EndpointMissing, message));
        }
    }
    found
}

impl Workspaces {
    /// Everything that [`Self::save_workspace`] would reject, at its field, in the order of the form.
    ///
    /// # Errors
    /// None: problems are the answer.
    pub async fn check_workspace(&self, request: SaveWorkspace) -> Result<Vec<WorkspaceProblem>> {
        let settings = normalize(request.settings);
        let problem = |Problem { field, code, values, .. }| WorkspaceProblem { field, code, values };
        let mut found = problems(&settings, &request.secrets);
        for problem in self.taken(request.workspace.as_deref(), &settings).await? {
            if !found.iter().any(|other| other.field == problem.field) {
                found.push(problem);
            }
        }
        Ok(found.into_iter().map(problem).collect())
    }

    /// Rejects the name, and the provider's workspace, of another workspace.
    pub(super) async fn check_unique(&self, own: Option<&str>, settings: &WorkspaceSettings) -> Result<()> {
        self.taken(own, settings).await?.into_iter().next().map_or(Ok(()), |problem| Err(problem.into()))
    }

    /// What another workspace has already, unless it was so before.
    async fn taken(&self, own: Option<&str>, settings: &WorkspaceSettings) -> Result<Vec<Problem>> {
        let mut found = Vec::new();
        let before = match own {
            Some(own) => self.settings(own).await.ok(),
            None => None,
        };
        let has_name = |other: &WorkspaceSettings| other.name.to_lowercase() == settings.name.to_lowercase();
        let is_same =
            |other: &WorkspaceSettings| provider_key(other).is_some_and(|key| provider_key(settings) == Some(key));
        let (name_was, same_was) = (before.as_ref().is_some_and(has_name), before.as_ref().is_some_and(is_same));
        for row in self.0.context.desk.workspaces().await? {
            if Some(row.id.as_str()) == own {
                continue;
            }
            // Settings that cannot be read must not prevent others from being saved.
            let Ok(other) = self.settings(&row.id).await else { continue };
            if !name_was && has_name(&other) {
                let message = format!("Another workspace is called {}. Choose another name.", other.name);
                found.push(Problem::new("name", Code::NameTaken, message));
            }
            if !same_was && is_same(&other) {
                let message = format!(
                    "The workspace {} has this base URL and workspace UUID already. Change that one, or enter another \
                     UUID.",
                    other.name
                );
                found.push(Problem::new("workspaceUuid", Code::UuidTaken, message).with("name", &other.name));
            }
        }
        found.sort_by(|one, other| one.field.cmp(&other.field));
        found.dedup_by(|one, other| one.field == other.field);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_are_no_number_ids() {
        for (id, label, is_phone) in [
            ("+5511987654321", "Main", true),
            ("55 11 98765-4321", "", true),
            ("5511987654321", "+55 11 98765-4321", true),
            ("5511987654321", "Main", false),
            ("300000000000001", "300000000000001", false),
            ("300000000000001", "Main", false),
        ] {
            let number = SendingNumber { id: id.to_owned(), label: label.to_owned(), ..SendingNumber::default() };
            assert_eq!(is_phone_number(&number), is_phone, "{id} {label}");
        }
    }
}
