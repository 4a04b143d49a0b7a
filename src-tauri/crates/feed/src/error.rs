//! Why a page cannot be fetched.

/// Why a page cannot be fetched. Nothing was stored, and the same page can be fetched again.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// The address is not one that a feed can have.
    #[error("{0}")]
    Address(String),
    /// The token has characters that no header can carry.
    #[error("the token has spaces or other characters that it cannot have")]
    Token,
    /// The server did not answer.
    #[error("{}", described(.0))]
    Unreachable(#[source] reqwest::Error),
    /// The server does not know the token, or it was revoked.
    #[error("the server refuses the token; it may have been revoked")]
    Refused,
    /// The server is overloaded or its database is not reachable.
    #[error("the server cannot read its deliveries now ({0})")]
    Unavailable(u16),
    /// Another answer.
    #[error("there is no feed at this address: the server responded with {status}: {text}")]
    Unexpected {
        status: u16,
        /// The beginning of the body.
        text: String,
    },
    /// The page ended before its last line, or a line cannot be read.
    #[error("a page of the feed was incomplete: {0}")]
    Incomplete(String),
}

/// What prevented a request, without the address, which the reader knows.
fn described(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    if error.is_timeout() {
        return "the server did not answer in time".to_owned();
    }
    format!("the server cannot be reached: {cause}")
}
