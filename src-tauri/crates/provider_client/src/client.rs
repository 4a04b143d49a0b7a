//! One method for each endpoint of the contract (§4.1–§4.7).

use std::sync::Arc;

use model::Id;
use model::send::SendMessage;
use model::template::{CreateTemplate, EditTemplate, Template};
use reqwest::Method;
use tokio_util::sync::CancellationToken;

use crate::decode::{self, Created, Done, Edited, Sent};
use crate::endpoint::{Endpoint, Route, TEMPLATES, message_path};
use crate::error::Error;
use crate::form::{self, TemplateFiles};
use crate::listing::{self, ConnectionCheck, ListFilter, Listing, Pages};
use crate::media::{self, Download, Sink, TokenHosts};
use crate::observer::{Observed, Observer};
use crate::transport::{Answer, Body, Timeouts, Transport};

/// A client of one workspace. Cloning is cheap and shares connections.
///
/// A call is cancelled by dropping its future, or through the token of [`Client::cancelled_by`].
#[derive(Clone, Debug)]
pub struct Client {
    transport: Arc<Transport>,
    cancel: CancellationToken,
}

impl Client {
    /// A client of `endpoint`. Nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a base URL, channel, workspace or credential that cannot be used.
    pub fn new(endpoint: Endpoint, timeouts: Timeouts) -> Result<Self, Error> {
        Ok(Self { transport: Arc::new(Transport::new(endpoint, timeouts)?), cancel: CancellationToken::new() })
    }

    /// The same client, which reports the outcome of each request. Downloads of media are not reported.
    #[must_use]
    pub fn observed_by(self, observe: impl Fn(&Observed<'_>) + Send + Sync + 'static) -> Self {
        let mut transport = (*self.transport).clone();
        transport.observer = Observer(Arc::new(observe));
        Self { transport: Arc::new(transport), ..self }
    }

    /// The same client, whose calls end with [`Error::Cancelled`] when `token` is cancelled.
    #[must_use]
    pub fn cancelled_by(&self, token: CancellationToken) -> Self {
        Self { transport: Arc::clone(&self.transport), cancel: token }
    }

    /// Sends a message from `number`, the sending number's identifier (contract §4.1). Never retried.
    pub async fn send_message(&self, number: &str, message: &SendMessage) -> Result<Sent, Error> {
        let route = self.transport.endpoint.route("POST", &message_path(number))?;
        self.change(Method::POST, &route, json_body(message), decode::sent).await
    }

    /// Creates a template without files, in all named WABAs (contract §4.2).
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for `waba_ids` that are not numeric; otherwise any [`Error`].
    pub async fn create_template(&self, create: &CreateTemplate) -> Result<Created, Error> {
        let waba_ids = create.waba_ids.iter().map(|id| waba(id.as_str())).collect::<Result<Vec<_>, _>>()?;
        if waba_ids.is_empty() {
            return Err(Error::invalid(
                "waba_ids",
                "Name at least one business account (WABA) to create the template in.",
            ));
        }
        let body = CreateTemplate { waba_ids, template: create.template.clone() };
        self.change(Method::POST, &self.templates("POST", &[])?, json_body(&body), decode::created).await
    }

    /// Creates a template with files, in one WABA: the multipart form supports only one (contract §4.2). Headers with a
    /// file have the placeholder [`model::component::UPLOAD_PENDING`] as their sample.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a `waba` that is not numeric, [`Error::File`] for a file that vanished or changed;
    /// otherwise any [`Error`].
    pub async fn create_template_with_files(
        &self,
        template: &Template,
        waba_id: &str,
        files: TemplateFiles,
    ) -> Result<Created, Error> {
        let waba_id = waba(waba_id)?;
        let parts = form::creation(template, self.transport.endpoint.waba_field, waba_id.as_str(), files);
        self.change(Method::POST, &self.templates("POST", &[])?, form::body(parts).await?, decode::created).await
    }

    /// Edits a template without files (contract §4.3).
    pub async fn edit_template(&self, uuid: &str, edit: &EditTemplate) -> Result<Edited, Error> {
        let route = self.templates("PUT", &[("uuid", uuid)])?;
        self.change(Method::PUT, &route, json_body(edit), decode::edited).await
    }

    /// Edits a template with files (contract §4.3). Without any file it is [`Client::edit_template`].
    ///
    /// # Errors
    /// [`Error::File`] for a file that vanished or changed; otherwise any [`Error`].
    pub async fn edit_template_with_files(
        &self,
        uuid: &str,
        edit: &EditTemplate,
        files: TemplateFiles,
    ) -> Result<Edited, Error> {
        if files.is_empty() {
            return self.edit_template(uuid, edit).await;
        }
        let route = self.templates("PUT", &[("uuid", uuid)])?;
        self.change(Method::PUT, &route, form::body(form::edit(edit, files)).await?, decode::edited).await
    }

    /// Archives a template: it is kept for history and can't be sent (contract §4.4).
    pub async fn archive_template(&self, uuid: &str) -> Result<Done, Error> {
        self.change_state(Method::POST, &self.templates("POST", &[("uuid", uuid), ("", "archive")])?).await
    }

    /// Unarchives a template (contract §4.5).
    pub async fn unarchive_template(&self, uuid: &str) -> Result<Done, Error> {
        self.change_state(Method::POST, &self.templates("POST", &[("uuid", uuid), ("", "unarchive")])?).await
    }

    /// Deletes a template, irreversibly (contract §4.6).
    pub async fn delete_template(&self, uuid: &str) -> Result<Done, Error> {
        self.change_state(Method::DELETE, &self.templates("DELETE", &[("uuid", uuid)])?).await
    }

    /// Lists all matching templates, over all pages (contract §4.7).
    ///
    /// # Errors
    /// [`Error::Unreadable`] for an answer without a list, or for a paging loop; otherwise any [`Error`].
    pub async fn list_templates(&self, filter: &ListFilter) -> Result<Listing, Error> {
        listing::list(self.template_pages(filter)?).await
    }

    /// Lists the matching templates page by page (contract §4.7). Nothing is sent until the first page is requested.
    pub fn template_pages(&self, filter: &ListFilter) -> Result<Pages, Error> {
        Ok(Pages::new(Arc::clone(&self.transport), self.templates("GET", &[])?, filter, self.cancel.clone()))
    }

    /// Checks address, channel and credentials with one read request, without retries.
    pub async fn check(&self) -> Result<ConnectionCheck, Error> {
        listing::check(&self.transport, &self.templates("GET", &[])?, &ListFilter::default(), &self.cancel).await
    }

    /// Whether the listing has templates of a business account, as far as one request without retries says it.
    pub async fn lists_waba(&self, waba: &str) -> Result<bool, Error> {
        let filter = ListFilter { waba_id: Some(waba.to_owned()), ..ListFilter::default() };
        let found = listing::check(&self.transport, &self.templates("GET", &[])?, &filter, &self.cancel).await?;
        Ok(found.templates > 0)
    }

    /// Downloads media of an inbound message with the bearer token (contract §5) into `sink`: at most `limit` bytes,
    /// and never more than [`crate::MAX_DOWNLOAD`].
    ///
    /// The address is the channel's, but the contract (§5) requires the provider's token. The token is sent only to the
    /// provider's own address and, encrypted, to `hosts`; a valid webhook signature doesn't extend this. Redirects are
    /// not followed.
    ///
    /// # Errors
    /// [`Error::UnconfirmedHost`] for any other host, [`Error::InvalidInput`] for an unencrypted address and for
    /// credentials that are not a token, [`Error::PrivateAddress`], [`Error::TooLarge`], [`Error::Unstored`], or any
    /// other [`Error`]. Discard the content of `sink` on error.
    pub async fn download(
        &self,
        url: &str,
        hosts: TokenHosts<'_>,
        limit: u64,
        sink: &mut Sink<'_>,
    ) -> Result<Download, Error> {
        media::with_token(&self.transport, url, hosts, limit, &self.cancel, sink).await
    }

    fn templates(&self, method: &str, below: &[(&'static str, &str)]) -> Result<Route, Error> {
        let segments: Vec<_> = [("", TEMPLATES)].into_iter().chain(below.iter().copied()).collect();
        self.transport.endpoint.route(method, &segments)
    }

    async fn change<T>(
        &self,
        method: Method,
        route: &Route,
        body: Body,
        decode: impl FnOnce(&Transport, &Answer) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.transport.change(method, route, body, &self.cancel, decode).await
    }

    async fn change_state(&self, method: Method, route: &Route) -> Result<Done, Error> {
        self.change(method, route, Body::None, decode::done).await
    }
}

fn json_body(value: &impl serde::Serialize) -> Body {
    Body::Json(serde_json::to_vec(value).expect("the channel's vocabulary is JSON"))
}

/// A WABA as a number, as in the contract's JSON.
fn waba(id: &str) -> Result<Id, Error> {
    Id::number(id.trim()).ok_or_else(|| {
        Error::invalid("waba_ids", format!("`{id}` is not a business account (WABA) ID: it must be a number."))
    })
}
