//! HTTP clients for webhooks and media: a proxy is used for remote addresses only.

/// One client for loopback addresses and one for all others.
pub(crate) struct HttpClients {
    /// Ignores proxies; for loopback addresses.
    direct: reqwest::Client,
    /// For all other addresses.
    outbound: reqwest::Client,
}

impl HttpClients {
    /// Builds both clients with the same redirect policy.
    pub(crate) fn new(redirects: fn() -> reqwest::redirect::Policy) -> Result<Self, reqwest::Error> {
        let builder = || reqwest::Client::builder().redirect(redirects());
        Ok(Self { direct: builder().no_proxy().build()?, outbound: builder().build()? })
    }

    /// The client for `url`.
    pub(crate) fn of(&self, url: &reqwest::Url) -> &reqwest::Client {
        let local = match url.host_str().map(|host| host.trim_matches(['[', ']'])) {
            Some("localhost") => true,
            Some(host) => host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback()),
            None => false,
        };
        if local { &self.direct } else { &self.outbound }
    }
}

/// An HTTP client error in one line, with its causes: "connection refused" is three levels deep.
pub(crate) fn describe(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
