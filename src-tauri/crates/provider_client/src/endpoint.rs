//! Address and credentials of a workspace at the provider: base URL, channel, workspace.

use std::fmt;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::Error;

const WORKSPACE: HeaderName = HeaderName::from_static("x-workspace-uuid");
const CLIENT_ID: HeaderName = HeaderName::from_static("x-client-id");
const CLIENT_SECRET: HeaderName = HeaderName::from_static("x-client-secret");

/// Path segment of the templates (contract §4.2–§4.7).
pub(crate) const TEMPLATES: &str = "workspace-templates";
/// Path segment of the messages of a sending number (contract §4.1).
const SEND_MESSAGE: &str = "send-message";

/// Credentials of the requests (contract §5). `Debug` shows the kind only.
#[derive(Clone)]
pub enum Credentials {
    /// `Authorization: Bearer <token>`.
    Bearer(SecretString),
    /// `x-client-id` and `x-client-secret`, as named by the body of a 401.
    Client { id: String, secret: SecretString },
}

impl Credentials {
    pub(crate) fn secret(&self) -> &SecretString {
        match self {
            Self::Bearer(secret) | Self::Client { secret, .. } => secret,
        }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bearer(_) => "Bearer(…)",
            Self::Client { .. } => "Client(…)",
        })
    }
}

/// Name of the multipart field for the WABA. The contract's table says `waba_ids`, its text `waba_id` (upstream §12
/// #15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WabaField {
    /// `waba_ids`, as in the table of contract §4.2.
    #[default]
    WabaIds,
    /// `waba_id`, as in contract §2.1.
    WabaId,
}

impl WabaField {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WabaIds => "waba_ids",
            Self::WabaId => "waba_id",
        }
    }
}

/// One workspace at one provider.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// `http` or `https`, with an optional path prefix; a trailing slash is ignored. See [`parse_base_url`].
    pub base_url: Url,
    /// Path segment of the channel; `messaging` in the contract.
    pub channel: String,
    /// Value of `x-workspace-uuid`.
    pub workspace_uuid: String,
    pub credentials: Credentials,
    /// Whether credentials and messages may be sent over `http` to another machine. The person has to confirm it.
    pub allow_unencrypted: bool,
    pub waba_field: WabaField,
}

/// What makes a base URL unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseUrlFault {
    Empty,
    /// It has no scheme, or another than `http` and `https`.
    Scheme,
    /// It is no address, for this reason.
    NoAddress(String),
    NoHost,
    /// It has a user name or password.
    Credentials,
    /// It has a query or fragment.
    Query,
    /// It is the address of an endpoint: it goes on with this path.
    EndpointPath(String),
}

impl BaseUrlFault {
    /// The fault of a base URL as typed; `None` for a usable one.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        parsed(text).err()
    }

    fn message(&self) -> String {
        match self {
            Self::Empty => "The base URL is empty; enter an address such as https://api.example.com.".to_owned(),
            Self::Scheme => "The base URL must start with https:// or http://.".to_owned(),
            Self::NoAddress(problem) => format!("The base URL is not a valid address: {problem}."),
            Self::NoHost => "The base URL has no host.".to_owned(),
            Self::Credentials => {
                "The base URL must not contain a user name or password; enter the token in its own field.".to_owned()
            }
            Self::Query => "The base URL must end with its path, without a ? or # part.".to_owned(),
            Self::EndpointPath(path) => format!("The base URL is the address of one endpoint; remove {path} from it."),
        }
    }
}

impl From<BaseUrlFault> for Error {
    fn from(fault: BaseUrlFault) -> Self {
        Self::invalid("base_url", fault.message())
    }
}

/// Parses a base URL as typed: surrounding spaces are ignored.
///
/// # Errors
/// [`Error::InvalidInput`] for `base_url` unless it is an `http` or `https` address with a host and without user name,
/// password, query or fragment.
pub fn parse_base_url(text: &str) -> Result<Url, Error> {
    Ok(parsed(text)?)
}

fn parsed(text: &str) -> Result<Url, BaseUrlFault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(BaseUrlFault::Empty);
    }
    let url = Url::parse(text).map_err(|problem| match problem {
        url::ParseError::RelativeUrlWithoutBase => BaseUrlFault::Scheme,
        other => BaseUrlFault::NoAddress(other.to_string()),
    })?;
    check_form(&url)?;
    Ok(url)
}

fn check_form(url: &Url) -> Result<(), BaseUrlFault> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BaseUrlFault::Scheme);
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(BaseUrlFault::NoHost);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BaseUrlFault::Credentials);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(BaseUrlFault::Query);
    }
    endpoint_path(url).map_or(Ok(()), |path| Err(BaseUrlFault::EndpointPath(path)))
}

/// The path of an endpoint at the end of a base URL. The paths of endpoints are appended (contract §4, §5), so the address
/// of one is not the base of another. A gateway's prefix has none of these names, which end the addresses of this and of
/// the channel's API.
fn endpoint_path(url: &Url) -> Option<String> {
    let of_endpoint = |segment: &str| {
        matches!(segment, TEMPLATES | SEND_MESSAGE | "templates" | "message_templates" | "messages" | "provider")
    };
    let segments: Vec<&str> = url.path_segments()?.collect();
    let place = segments.iter().position(|segment| of_endpoint(segment))?;
    // The channel is before `provider`.
    let first = if segments.get(place) == Some(&"provider") { place.saturating_sub(1) } else { place };
    Some(format!("/{}", segments.get(first..)?.join("/")))
}

/// Parses a base URL to which credentials will be sent.
///
/// # Errors
/// See [`parse_base_url`]; [`Error::InvalidInput`] for `allow_unencrypted` if credentials would be sent unencrypted to
/// another machine without confirmation.
pub fn check_base_url(text: &str, allow_unencrypted: bool) -> Result<Url, Error> {
    let url = parse_base_url(text)?;
    check_encryption(&url, allow_unencrypted)?;
    Ok(url)
}

fn check_encryption(url: &Url, allow_unencrypted: bool) -> Result<(), Error> {
    if url.scheme() == "https" || is_loopback(url) || allow_unencrypted {
        return Ok(());
    }
    Err(Error::invalid(
        "allow_unencrypted",
        format!(
            "{} is not encrypted: anyone on the network can read the token, the messages and the recipients. Use an https:// address.",
            origin(url)
        ),
    ))
}

/// Whether the host is this machine, also by a name below `localhost`, which a resolver may map elsewhere.
pub(crate) fn is_loopback(url: &Url) -> bool {
    is_this_machine(url) || matches!(url.host(), Some(url::Host::Domain(name)) if name.ends_with(".localhost"))
}

/// Whether the host is `localhost` or a loopback address.
pub fn is_this_machine(url: &Url) -> bool {
    url.host_str().is_some_and(model::net::is_this_machine)
}

/// Scheme, host and port. Omits paths and queries, which can contain secrets.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The address of `{base_url}/{channel}/provider/…`.
fn provider_url(base_url: &Url, channel: &str, segments: &[(&'static str, &str)]) -> Result<Url, Error> {
    let mut url = base_url.clone();
    {
        let mut path = url.path_segments_mut().expect("an http address has a path");
        path.pop_if_empty();
        for (field, segment) in [("channel", channel), ("", "provider")].into_iter().chain(segments.iter().copied()) {
            if matches!(segment, "" | "." | "..") || segment.chars().any(char::is_control) {
                return Err(Error::invalid(
                    field,
                    format!("`{segment}` cannot be used as {field}: it is part of the address."),
                ));
            }
            path.push(segment);
        }
    }
    Ok(url)
}

/// Address for the messages of a sending number (contract §4.1).
pub fn message_url(base_url: &Url, channel: &str, number: &str) -> Result<Url, Error> {
    check_form(base_url)?;
    provider_url(base_url, channel, &message_path(number))
}

/// Path segments for the messages of a sending number.
pub(crate) fn message_path(number: &str) -> [(&'static str, &str); 2] {
    [("number", number), ("", SEND_MESSAGE)]
}

/// An address, and its name in errors.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) url: Url,
    /// Method and path below the base URL.
    pub(crate) name: String,
}

impl Endpoint {
    /// Rejects a base URL to which credentials must not be sent.
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_form(&self.base_url)?;
        check_encryption(&self.base_url, self.allow_unencrypted)
    }

    /// The address of `{base_url}/{channel}/provider/…`.
    ///
    /// Each segment is percent-encoded; one that would change the path (empty, `.`, `..`) is rejected.
    pub(crate) fn route(&self, method: &str, segments: &[(&'static str, &str)]) -> Result<Route, Error> {
        let url = provider_url(&self.base_url, &self.channel, segments)?;
        let prefix = self.base_url.path().trim_end_matches('/').len();
        let name = format!("{method} {}", &url.path()[prefix..]);
        Ok(Route { url, name })
    }

    /// The headers of every request (contract §5).
    pub(crate) fn headers(&self) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if self.workspace_uuid.trim().is_empty() {
            return Err(Error::invalid(
                "workspace_uuid",
                "The workspace UUID is empty; copy it from the provider's API tokens page.",
            ));
        }
        let workspace = HeaderValue::from_str(self.workspace_uuid.trim()).map_err(|_| {
            Error::invalid(
                "workspace_uuid",
                "The workspace UUID contains characters that cannot be sent; copy it again.",
            )
        })?;
        headers.insert(WORKSPACE, workspace);
        match &self.credentials {
            Credentials::Bearer(token) => {
                headers.insert(AUTHORIZATION, bearer(token)?);
            }
            Credentials::Client { id, secret } => {
                headers.insert(CLIENT_ID, secret_header("client_id", id.trim(), id.trim())?);
                let secret = secret.expose_secret().trim();
                headers.insert(CLIENT_SECRET, secret_header("client_secret", secret, secret)?);
            }
        }
        Ok(headers)
    }
}

/// The value of `Authorization`.
pub(crate) fn bearer(token: &SecretString) -> Result<HeaderValue, Error> {
    let token = token.expose_secret().trim();
    secret_header("token", token, &format!("Bearer {token}"))
}

/// Whether a token, client ID or client secret has only characters that a header can carry; surrounding spaces are
/// ignored.
#[must_use]
pub fn fits_header(credential: &str) -> bool {
    credential.trim().bytes().all(|byte| byte.is_ascii_graphic())
}

fn secret_header(field: &'static str, secret: &str, value: &str) -> Result<HeaderValue, Error> {
    let name = field.replace('_', " ");
    if secret.is_empty() {
        return Err(Error::invalid(field, format!("The {name} is empty.")));
    }
    if !fits_header(secret) {
        return Err(Error::invalid(
            field,
            format!("The {name} contains spaces, line breaks or letters that are not allowed; copy it again."),
        ));
    }
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| Error::invalid(field, format!("The {name} contains characters that cannot be sent.")))?;
    value.set_sensitive(true);
    Ok(value)
}
