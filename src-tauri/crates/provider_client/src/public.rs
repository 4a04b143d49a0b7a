//! HTTP to untrusted addresses: media links, files of messages, samples of templates.
//!
//! Such an address must not make this machine send requests into the private network behind its firewall (SSRF). So
//! every address is checked: the requested one, each one that a name resolves to when connecting, and each redirect
//! target.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::HeaderMap;
use reqwest::{Method, Response};
use url::{Host, Url};

use crate::endpoint::is_loopback;
use crate::error::Error;
use crate::transport::{Timeouts, find, http_client};

/// Addresses that may be requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Public addresses ([`model::net::is_public`]).
    Internet,
    /// Public addresses and this machine: for the sandbox, and for a provider under development.
    InternetAndLoopback,
}

impl Reach {
    fn allows(self, address: IpAddr) -> bool {
        let is_mapped_loopback = || address.to_canonical().is_loopback();
        model::net::is_public(address) || self == Self::InternetAndLoopback && is_mapped_loopback()
    }
}

/// Reason why there is no response.
#[derive(Debug)]
pub enum PublicError {
    /// The address may not be requested. Nothing was sent.
    Private,
    /// The network request failed.
    Http(reqwest::Error),
}

/// HTTP to permitted addresses, without credentials, cookies and automatic redirects.
#[derive(Clone)]
pub struct PublicHttp {
    reach: Reach,
    direct: reqwest::Client,
    proxied: reqwest::Client,
    proxies: Arc<Matcher>,
}

impl fmt::Debug for PublicHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicHttp").field("reach", &self.reach).finish_non_exhaustive()
    }
}

impl PublicHttp {
    pub fn new(timeouts: &Timeouts, reach: Reach) -> Result<Self, Error> {
        Self::with_proxies(timeouts, reach, Matcher::from_system())
    }

    fn with_proxies(timeouts: &Timeouts, reach: Reach, proxies: Matcher) -> Result<Self, Error> {
        let direct = http_client(timeouts, true, |builder| builder.dns_resolver(Arc::new(AllowedResolver(reach))))?;
        let proxied = http_client(timeouts, false, |builder| builder)?;
        Ok(Self { reach, direct, proxied, proxies: Arc::new(proxies) })
    }

    /// Sends one request. The caller follows redirects, with a separate call for each.
    pub async fn request(&self, method: Method, url: &Url, headers: HeaderMap) -> Result<Response, PublicError> {
        // The resolver is not called for a literal IP address.
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err(PublicError::Private),
        };
        if literal.is_some_and(|address| !self.reach.allows(address)) {
            return Err(PublicError::Private);
        }
        let http = if self.uses_proxy(url) {
            self.check_name(url).await?;
            &self.proxied
        } else {
            &self.direct
        };
        let response = http.request(method, url.clone()).headers(headers).send().await;
        response.map_err(|error| match find::<NotAllowed>(&error) {
            Some(_) => PublicError::Private,
            None => PublicError::Http(error),
        })
    }

    /// No proxy is used for this machine.
    fn uses_proxy(&self, url: &Url) -> bool {
        !is_loopback(url) && url.as_str().parse().is_ok_and(|uri| self.proxies.intercept(&uri).is_some())
    }

    /// A proxy resolves names itself, so a name that resolves to a forbidden address here is rejected first. The proxy
    /// may know names that are unknown here.
    async fn check_name(&self, url: &Url) -> Result<(), PublicError> {
        let Some(Host::Domain(name)) = url.host() else { return Ok(()) };
        match tokio::net::lookup_host((name, 0)).await {
            Ok(mut addresses) => match addresses.all(|address| self.reach.allows(address.ip())) {
                true => Ok(()),
                false => Err(PublicError::Private),
            },
            Err(_) => Ok(()),
        }
    }
}

/// A resolver that returns permitted addresses only. The connection uses its result directly, so no second lookup can
/// return another address (DNS rebinding).
struct AllowedResolver(Reach);

/// No address of a name may be requested.
#[derive(Debug, thiserror::Error)]
#[error("the name resolves to addresses of a private network only")]
struct NotAllowed;

impl Resolve for AllowedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| reach.allows(address.ip())).collect();
            if allowed.is_empty() {
                return Err(NotAllowed.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use tokio::net::TcpListener;

    use super::*;

    /// Sends a request; returns whether it was rejected as private, and whether it reached the listener.
    async fn outcome(http: &PublicHttp, url: &str, listener: &TcpListener) -> (bool, bool) {
        let url = Url::parse(url).unwrap();
        let asking = http.request(Method::GET, &url, HeaderMap::new());
        tokio::select! {
            biased;
            _ = listener.accept() => (false, true),
            outcome = asking => (matches!(outcome, Err(PublicError::Private)), false),
        }
    }

    #[tokio::test]
    async fn private_addresses_and_names_are_rejected() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let http = PublicHttp::new(&Timeouts::default(), Reach::Internet).unwrap();
        let this_machine =
            ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "0.0.0.0", "127.1"];
        let others = ["10.0.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[64:ff9b::a00:1]"];
        for host in this_machine.iter().chain(&others) {
            let url = format!("http://{host}:{port}/");
            assert_eq!(outcome(&http, &url, &listener).await, (true, false), "{url}");
        }
        // Some resolvers know this name and some do not.
        assert!(!outcome(&http, &format!("http://localhost.:{port}/"), &listener).await.1);
        // The sandbox is on this machine, and nowhere else in the network.
        let http = PublicHttp::new(&Timeouts::default(), Reach::InternetAndLoopback).unwrap();
        for host in ["127.0.0.1", "localhost"] {
            let url = format!("http://{host}:{port}/");
            assert_eq!(outcome(&http, &url, &listener).await, (false, true), "{url}");
        }
        for host in others.iter().chain(&["0.0.0.0"]) {
            let url = format!("http://{host}:{port}/");
            assert_eq!(outcome(&http, &url, &listener).await, (true, false), "{url}");
        }
    }

    #[tokio::test]
    async fn private_names_are_not_requested_through_a_proxy() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = format!("http://{}", listener.local_addr().unwrap());
        let proxies = Matcher::builder().all(proxy).build();
        let http = PublicHttp::with_proxies(&Timeouts::default(), Reach::Internet, proxies).unwrap();
        for url in ["http://10.0.0.1/", "http://[fd00::1]/", "http://localhost:1/", "http://169.254.169.254/latest"] {
            assert_eq!(outcome(&http, url, &listener).await, (true, false), "{url}");
            let url = Url::parse(url).unwrap();
            assert_eq!(http.uses_proxy(&url), !is_loopback(&url), "{url}");
        }
    }
}
