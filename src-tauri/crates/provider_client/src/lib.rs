//! Client of the provider's API: one method per endpoint, typed errors, tolerant decoding.
//!
//! Requests are exactly as the contract shows (§2, §4, §5). Answers whose shape it leaves open are decoded tolerantly
//! and stored as received; an unreadable answer is an error, never an empty result. Only reads are retried: a send, a
//! creation or an edit is sent once.

mod client;
mod decode;
mod endpoint;
mod error;
mod listing;
mod media;
mod observer;
mod paging;
mod public;
mod refusal;
mod transport;
mod upload;

pub mod form;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;

pub use client::Client;
pub use decode::{Created, Done, Edited, ListedTemplate, Sent};
pub use endpoint::{
    BaseUrlFault, Credentials, Endpoint, WabaField, check_base_url, fits_header, is_this_machine, message_url,
    parse_base_url,
};
pub use error::{Error, MAX_STORED_BODY, Refusal, Unreachable, is_inconclusive};
pub use form::TemplateFiles;
pub use listing::{ConnectionCheck, ListFilter, ListPage, Listing, Pages, RawRecord};
pub use media::{Download, MAX_DOWNLOAD, PublicFiles, Sink, TokenHosts};
pub use observer::Observed;
pub use public::{PublicError, PublicHttp, Reach};
pub use transport::{Timeouts, build_http, install_crypto};
pub use upload::{Progress, Upload, content_type_of};
