//! The paths and hosts of a receiver, which can change while it runs.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, PoisonError, RwLock},
};

use hyper::http::uri::Authority;
use ring::{hmac, rand::SystemRandom};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{Reason, signature};

/// A path that accepts deliveries.
#[derive(Clone, Debug)]
pub struct Route {
    /// The path in the callback URL, compared byte for byte.
    pub path: String,
    /// The [`Delivery::route`](crate::Delivery::route) of deliveries to this path.
    pub tag: String,
    /// The secrets with which the sender may sign: the current one and, during a replacement, the previous one. Empty
    /// ones are ignored. Without any, every delivery is refused as [`Reason::NoSecret`].
    pub secrets: Vec<SecretString>,
    /// The token of the subscription handshake; without it handshakes are refused.
    pub verify_token: Option<SecretString>,
    /// Whether some secrets cannot be read now, as in a locked keyring. A delivery that none of the others signed then
    /// gets the temporary refusal [`Reason::SecretsUnread`] instead of a permanent one.
    pub unread: bool,
    /// Distinguishes the secrets of the path from those before: a request that began before a replacement is verified
    /// with the route of that time.
    pub generation: u64,
}

/// Host names that a receiver accepts.
///
/// `localhost` and IP addresses are always allowed: a web page cannot bind those to this machine by DNS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AllowedHosts {
    /// No other names.
    #[default]
    Addresses,
    /// These names too, written without port.
    Names(Vec<String>),
    /// Every name, for a receiver behind a proxy that checks them.
    Any,
}

impl AllowedHosts {
    fn allows(&self, authority: &str) -> bool {
        let names = match self {
            Self::Any => return true,
            Self::Addresses => &[][..],
            Self::Names(names) => names,
        };
        let Ok(parsed) = authority.parse::<Authority>() else { return false };
        // A port may follow the host, but nothing may precede it: user info could be mistaken for a host.
        let port = authority.strip_prefix(parsed.host()).map(|port| port.strip_prefix(':').unwrap_or(port));
        if port.is_none_or(|port| !port.is_empty() && port.parse::<u16>().is_err()) {
            return false;
        }
        let host = parsed.host().trim_end_matches('.');
        let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        address.parse::<IpAddr>().is_ok()
            || host.eq_ignore_ascii_case("localhost")
            || names.iter().any(|name| host.eq_ignore_ascii_case(name.trim_end_matches('.')))
    }
}

/// An invalid set of routes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// A path must begin with `/` and hold neither spaces, `?` nor `#`.
    #[error("`{0}` is not a webhook path: it must begin with `/` and contain no space, `?` or `#`")]
    InvalidPath(String),
    /// Two routes share a path, so it is ambiguous which secret applies.
    #[error("two webhooks share the path `{0}`; give each its own")]
    DuplicatePath(String),
}

/// The routes of a receiver. Clones share one table; a request uses the table that is current when its head has been
/// read.
#[derive(Clone, Debug)]
pub struct Routes(Arc<RwLock<Arc<Table>>>);

impl Routes {
    pub fn new(routes: Vec<Route>, hosts: AllowedHosts) -> Result<Self, RouteError> {
        Ok(Self(Arc::new(RwLock::new(Arc::new(Table::new(routes, hosts)?)))))
    }

    /// Replaces the routes, for every clone and every later request.
    ///
    /// # Errors
    /// As [`Routes::new`]; then nothing has changed.
    pub fn replace(&self, routes: Vec<Route>, hosts: AllowedHosts) -> Result<(), RouteError> {
        let table = Arc::new(Table::new(routes, hosts)?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = table;
        Ok(())
    }

    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An immutable snapshot of the routes.
#[derive(Debug)]
pub(crate) struct Table {
    routes: HashMap<String, Arc<Entry>>,
    hosts: AllowedHosts,
}

impl Table {
    fn new(routes: Vec<Route>, hosts: AllowedHosts) -> Result<Self, RouteError> {
        let mut table = HashMap::with_capacity(routes.len());
        for route in routes {
            let invalid = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#');
            if !route.path.starts_with('/') || route.path.contains(invalid) {
                return Err(RouteError::InvalidPath(route.path));
            }
            if table.contains_key(&route.path) {
                return Err(RouteError::DuplicatePath(route.path));
            }
            let entry = Entry {
                tag: route.tag,
                keys: signature::keys(&route.secrets),
                unread: route.unread,
                generation: route.generation,
                verify_token: route.verify_token.filter(|token| !token.expose_secret().is_empty()).map(Token::new),
            };
            table.insert(route.path, Arc::new(entry));
        }
        Ok(Self { routes: table, hosts })
    }

    pub(crate) fn entry(&self, path: &str) -> Option<Arc<Entry>> {
        self.routes.get(path).map(Arc::clone)
    }

    pub(crate) fn allows_host(&self, authority: &str) -> bool {
        self.hosts.allows(authority)
    }

    /// Whether a request without a host is accepted.
    pub(crate) fn allows_no_host(&self) -> bool {
        self.hosts == AllowedHosts::Any
    }
}

/// A route, prepared for checking requests.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) tag: String,
    pub(crate) keys: Vec<(usize, hmac::Key)>,
    pub(crate) generation: u64,
    unread: bool,
    verify_token: Option<Token>,
}

impl Entry {
    /// Returns [`Reason::SecretsUnread`] if an unreadable secret could have changed the result, else `reason`.
    pub(crate) fn or_secrets_unread(&self, reason: Reason) -> Reason {
        use Reason::{NoSecret, NoVerifyToken, SecretsUnread, SignatureMismatch, VerifyTokenMismatch};
        match reason {
            NoSecret | SignatureMismatch | NoVerifyToken | VerifyTokenMismatch if self.unread => SecretsUnread,
            other => other,
        }
    }

    /// The challenge that answers a subscription handshake (upstream §9.1).
    pub(crate) fn challenge(&self, query: &str) -> Result<String, Reason> {
        let token = self.verify_token.as_ref().ok_or(Reason::NoVerifyToken)?;
        let once = |name: &str| {
            let mut values = url::form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name);
            let value = values.next().ok_or(Reason::MalformedHandshake)?.1.into_owned();
            if values.next().is_some() { Err(Reason::MalformedHandshake) } else { Ok(value) }
        };
        if once("hub.mode")? != "subscribe" {
            return Err(Reason::MalformedHandshake);
        }
        let challenge = once("hub.challenge")?;
        if token.matches(&once("hub.verify_token")?) { Ok(challenge) } else { Err(Reason::VerifyTokenMismatch) }
    }
}

/// A token for comparison in constant time: both sides are compared as HMAC tags under a random key.
#[derive(Debug)]
struct Token {
    key: hmac::Key,
    tag: hmac::Tag,
}

impl Token {
    fn new(token: SecretString) -> Self {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new())
            .expect("the operating system provides random bytes");
        let tag = hmac::sign(&key, token.expose_secret().as_bytes());
        Self { key, tag }
    }

    fn matches(&self, presented: &str) -> bool {
        hmac::verify(&self.key, presented.as_bytes(), self.tag.as_ref()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn route(path: &str) -> Route {
        Route {
            path: path.to_owned(),
            tag: "t".to_owned(),
            secrets: vec!["s3cr3t".into()],
            verify_token: None,
            unread: false,
            generation: 0,
        }
    }

    fn challenge(token: Option<&str>, query: &str) -> Result<String, Reason> {
        let route = Route { verify_token: token.map(SecretString::from), ..route("/w") };
        let table = Table::new(vec![route], AllowedHosts::default()).unwrap();
        table.entry("/w").unwrap().challenge(query)
    }

    #[test]
    fn hosts() {
        let names = AllowedHosts::Names(vec!["hooks.example.org".to_owned()]);
        for (hosts, authority, allowed) in [
            (&AllowedHosts::Addresses, "localhost", true),
            (&AllowedHosts::Addresses, "LocalHost:8080", true),
            (&AllowedHosts::Addresses, "127.0.0.1:8080", true),
            (&AllowedHosts::Addresses, "[::1]:8080", true),
            (&AllowedHosts::Addresses, "192.0.2.7", true),
            (&AllowedHosts::Addresses, "hooks.example.org", false),
            (&AllowedHosts::Addresses, "localhost.example.org", false),
            (&AllowedHosts::Addresses, "127.0.0.1.example.org", false),
            (&AllowedHosts::Addresses, "127.0.0.1@example.org", false),
            (&AllowedHosts::Addresses, "", false),
            (&AllowedHosts::Addresses, "a b", false),
            (&names, "hooks.example.org", true),
            (&names, "Hooks.Example.org.:443", true),
            (&names, "x.hooks.example.org", false),
            (&names, "localhost", true),
            (&AllowedHosts::Any, "anything", true),
        ] {
            assert_eq!(hosts.allows(authority), allowed, "{hosts:?} {authority}");
        }
    }

    #[test]
    fn paths_are_checked() {
        for path in ["", "webhook", "/a b", "/a?b", "/a#b", "/a\n"] {
            let refused = Routes::new(vec![route(path)], AllowedHosts::default()).unwrap_err();
            assert_eq!(refused, RouteError::InvalidPath(path.to_owned()));
        }
        let refused = Routes::new(vec![route("/a"), route("/a")], AllowedHosts::default()).unwrap_err();
        assert_eq!(refused, RouteError::DuplicatePath("/a".to_owned()));
    }

    #[test]
    fn a_refused_replacement_changes_nothing() {
        let routes = Routes::new(vec![route("/a")], AllowedHosts::default()).unwrap();
        routes.replace(vec![route("/b"), route("b")], AllowedHosts::Any).unwrap_err();
        assert!(routes.table().entry("/a").is_some());
        assert!(routes.table().entry("/b").is_none());
        assert!(!routes.table().allows_no_host());
    }

    #[test]
    fn handshakes() {
        let ok = "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=to+k%26n";
        assert_eq!(challenge(Some("to k&n"), ok).unwrap(), "1158201444");
        for (token, query, reason) in [
            (None, ok, Reason::NoVerifyToken),
            (Some(""), "hub.mode=subscribe&hub.challenge=1&hub.verify_token=", Reason::NoVerifyToken),
            (Some("other"), ok, Reason::VerifyTokenMismatch),
            (Some("to k&"), ok, Reason::VerifyTokenMismatch),
            (Some("to k&nn"), ok, Reason::VerifyTokenMismatch),
            (Some("t"), "", Reason::MalformedHandshake),
            (Some("t"), "hub.mode=unsubscribe&hub.challenge=1&hub.verify_token=t", Reason::MalformedHandshake),
            (Some("t"), "hub_mode=subscribe&hub_challenge=1&hub_verify_token=t", Reason::MalformedHandshake),
            (Some("t"), "hub.mode=subscribe&hub.verify_token=t", Reason::MalformedHandshake),
            (Some("t"), "hub.mode=subscribe&hub.challenge=1", Reason::MalformedHandshake),
            (
                Some("t"),
                "hub.mode=subscribe&hub.challenge=1&hub.verify_token=t&hub.verify_token=t",
                Reason::MalformedHandshake,
            ),
        ] {
            assert_eq!(challenge(token, query), Err(reason), "{token:?} {query}");
        }
    }

    #[test]
    fn debug_output_holds_no_secret() {
        let route = Route { verify_token: Some("t0k3n".into()), ..route("/a") };
        let printed = format!("{route:?}{:?}", Routes::new(vec![route.clone()], AllowedHosts::Any).unwrap());
        assert!(!printed.contains("s3cr3t") && !printed.contains("t0k3n"), "{printed}");
    }
}
