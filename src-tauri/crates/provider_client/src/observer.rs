//! What requests show about the provider: whether it answers, and its clock.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use reqwest::header::{AGE, DATE, HeaderMap, HeaderName};

use crate::error::Error;

#[derive(Debug)]
pub enum Observed<'a> {
    /// The provider's clock when it answered, as its `Date` says, and the clock of this machine when the answer came.
    Clocks { provider: SystemTime, here: SystemTime },
    /// A request with its retries succeeded and its answer was decoded, or it failed with this error.
    Finished(Option<&'a Error>),
}

/// Is called while a request waits, so it must return at once.
#[derive(Clone)]
pub(crate) struct Observer(pub(crate) Arc<dyn Fn(&Observed<'_>) + Send + Sync>);

impl Default for Observer {
    fn default() -> Self {
        Self(Arc::new(|_| {}))
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

impl Observer {
    pub(crate) fn answered(&self, headers: &HeaderMap) {
        if let Some(provider) = date(headers) {
            (self.0)(&Observed::Clocks { provider, here: SystemTime::now() });
        }
    }

    pub(crate) fn finished<T>(&self, outcome: &Result<T, Error>) {
        (self.0)(&Observed::Finished(outcome.as_ref().err()));
    }
}

/// The provider's time. A cached answer is older, by its `Age` (RFC 9111 §5.1).
fn date(headers: &HeaderMap) -> Option<SystemTime> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let date = httpdate::parse_http_date(text(DATE)?).ok()?;
    let age = text(AGE).and_then(|age| age.parse().ok()).map_or(Duration::ZERO, Duration::from_secs);
    date.checked_add(age)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_date_of_an_answer_is_read_with_its_age() {
        let read = |headers: &[(HeaderName, &str)]| {
            let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
            date(&headers).map(|date| date.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs())
        };
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[(DATE, "yesterday")]), None);
        assert_eq!(read(&[(DATE, "Sun, 06 Nov 1994 08:49:37 GMT")]), Some(784_111_777));
        assert_eq!(read(&[(DATE, "Sun, 06 Nov 1994 08:49:37 GMT"), (AGE, "60")]), Some(784_111_837));
        assert_eq!(read(&[(DATE, "Sun, 06 Nov 1994 08:49:37 GMT"), (AGE, "99999999999999999999")]), Some(784_111_777));
    }
}
