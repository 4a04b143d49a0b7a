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
    #[error("{0}")]
    Unreachable(String),
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
