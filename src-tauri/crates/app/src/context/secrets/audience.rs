//! The audience of a credential: where it may be sent. It is stored in the keyring entry of the credential, so that
//! neither a modified database nor a modified backup decides where a token is sent.
//!
//! The entry holds the provider's origin, the media origins that the person confirmed, and the credential, separated by
//! spaces, which none of them contains. Entries of older versions hold the credential alone.

use std::collections::BTreeSet;

use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

/// The origins that may receive a credential, such as `https://api.example.com`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Audience {
    /// Origin of the provider.
    pub(crate) origin: String,
    /// Media origins that the person confirmed.
    pub(crate) media: BTreeSet<String>,
}

impl Audience {
    /// An audience with only the provider at `origin`.
    pub(crate) fn of(origin: String) -> Self {
        Self { origin, media: BTreeSet::new() }
    }

    /// The keyring entry for a credential.
    pub(super) fn with(&self, secret: &SecretString) -> SecretString {
        let parts = std::iter::once(&self.origin).chain(&self.media).map(String::as_str);
        parts.chain([secret.expose_secret()]).collect::<Vec<_>>().join(" ").into()
    }

    /// Splits an entry; no audience for an entry of an older version.
    pub(super) fn split(entry: SecretString) -> (Option<Self>, SecretString) {
        let Some((origins, secret)) = entry.expose_secret().rsplit_once(' ') else { return (None, entry) };
        let mut origins = origins.split(' ');
        let origin = origins.next().filter(|origin| is_origin(origin));
        let media: BTreeSet<String> = origins.map(str::to_owned).collect();
        match origin {
            Some(origin) if media.iter().all(|origin| is_origin(origin)) => {
                (Some(Self { origin: origin.to_owned(), media }), SecretString::from(secret))
            }
            _ => (None, entry),
        }
    }
}

fn is_origin(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && origin(&url) == text)
}

/// Scheme, host and port of an address.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_contains_the_audience_of_its_credential() {
        let mut audience = Audience::of("https://api.example.com:8443".to_owned());
        for _ in 0..2 {
            let entry = audience.with(&"token".into());
            let (found, secret) = Audience::split(entry);
            assert_eq!((found.as_ref(), secret.expose_secret()), (Some(&audience), "token"));
            audience.media = ["https://files.example.com".to_owned(), "https://m.example".to_owned()].into();
        }
        for older in ["token", "two words", "https://api.example.com", "https://a.example/path token", "ftp://a token"]
        {
            let (found, secret) = Audience::split(older.into());
            assert_eq!((found, secret.expose_secret()), (None, older));
        }
    }
}
