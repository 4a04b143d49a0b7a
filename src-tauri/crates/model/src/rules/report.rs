//! Collects findings, with their paths, texts and sources.

use std::fmt;

use super::length::code_points;
use crate::finding::{Counter, Finding, Severity};

pub(crate) mod source {
    macro_rules! page {
        ($path:literal) => {
            concat!("https://developers.facebook.com/documentation/business-messaging/whatsapp/", $path)
        };
    }

    pub(crate) const CONTRACT_TYPES: &str = "contract §1";
    pub(crate) const CONTRACT_TEMPLATE: &str = "contract §2.1";
    pub(crate) const CONTRACT_COMPONENTS: &str = "contract §2.2";
    pub(crate) const CONTRACT_CREATE: &str = "contract §4.2";
    pub(crate) const CONTRACT_LIMITS: &str = "contract §8";
    pub(crate) const COMPONENTS: &str = page!("templates/components");
    pub(crate) const OVERVIEW: &str = page!("templates/overview");
    pub(crate) const MANAGEMENT: &str = page!("templates/template-management");
    pub(crate) const REVIEW: &str = page!("templates/template-review");
    pub(crate) const TTL: &str = page!("templates/time-to-live");
    pub(crate) const ERRORS: &str = page!("support/error-codes");
    pub(crate) const MEDIA: &str = page!("business-phone-numbers/media");
    pub(crate) const AUTHENTICATION: &str = page!("templates/authentication-templates/authentication-templates");
    pub(crate) const COUPON: &str = page!("templates/marketing-templates/coupon-templates");
    pub(crate) const OFFER: &str = page!("templates/marketing-templates/limited-time-offer-templates");
    pub(crate) const CAROUSEL: &str = page!("templates/marketing-templates/media-card-carousel-templates");
    pub(crate) const PRODUCT_CAROUSEL: &str = page!("templates/marketing-templates/product-card-carousel-templates");
    pub(crate) const CATALOG: &str = page!("templates/marketing-templates/catalog-templates");
    pub(crate) const MPM: &str = page!("templates/marketing-templates/mpm-templates");
    pub(crate) const SPM: &str = page!("templates/marketing-templates/spm-templates");
    pub(crate) const CALL_PERMISSION: &str = page!("calling/call-permission-request-message-template");
    pub(crate) const CALL_BUTTON: &str = page!("calling/call-button-messages-deep-links");
    pub(crate) const USER_IDS: &str = page!("business-scoped-user-ids");
    pub(crate) const ORDERS: &str = page!("payments/payments-br/orderdetailstemplate");
    pub(crate) const ORDER_DATA: &str = page!("payments/payments-br/orders");
    pub(crate) const PIX: &str = page!("payments/payments-br/offsite-pix");
    pub(crate) const MARKETING: &str = page!("marketing-messages/features");
    pub(crate) const STATUS_EVENT: &str = page!("webhooks/reference/message_template_status_update");
    pub(crate) const GRAPH: &str = "https://github.com/facebook/openapi";
    /// An implementer's report that the channel refuses equal labels.
    pub(crate) const OBSERVED_LABELS: &str = "https://github.com/glific/glific-frontend/issues/3314";
    /// For rules that are documented only by resellers and libraries.
    pub(crate) const OBSERVED: &str = "https://github.com/david-lev/pywa";
}

/// A path in the template. Steps are borrowed, so a template without findings needs no allocation.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    Root,
    Field(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl<'a> At<'a> {
    pub(super) fn field(&'a self, name: &'a str) -> At<'a> {
        At::Field(self, name)
    }

    pub(super) fn item(&'a self, index: usize) -> At<'a> {
        At::Item(self, index)
    }
}

impl At<'_> {
    pub(super) fn path(&self) -> String {
        // Enough for most paths; growing would copy them several times.
        let mut path = String::with_capacity(64);
        self.write(&mut path);
        path
    }

    fn write(&self, path: &mut String) {
        match self {
            At::Root => {}
            At::Field(parent, name) => {
                parent.write(path);
                path.push('/');
                path.push_str(name);
            }
            At::Item(parent, index) => {
                parent.write(path);
                path.push('/');
                match char::from_digit(u32::try_from(*index).unwrap_or(u32::MAX), 10) {
                    Some(digit) => path.push(digit),
                    None => path.push_str(&index.to_string()),
                }
            }
        }
    }
}

/// Values of a finding by their names in the locales.
pub(super) type Values<'a> = &'a [(&'static str, &'a dyn fmt::Display)];

/// Collects the findings.
#[derive(Default)]
pub(super) struct Report {
    pub(super) findings: Vec<Finding>,
    /// Lengths of texts and lists with their limits, if requested.
    pub(super) counters: Option<Vec<Counter>>,
    /// Codes only, if nothing else is requested; then no text is built.
    pub(super) codes: Option<Vec<(&'static str, Severity)>>,
}

impl Report {
    /// Records the length of a text that has a limit.
    pub(super) fn count(&mut self, at: &At<'_>, text: &str, limit: usize) {
        if self.counters.is_some() {
            self.count_items(at, code_points(text), limit);
        }
    }

    /// Records the number of items of a list that has a limit.
    pub(super) fn count_items(&mut self, at: &At<'_>, used: usize, limit: usize) {
        if let Some(counters) = &mut self.counters {
            counters.push(Counter { path: at.path(), used, limit });
        }
    }

    /// Adds an error: the contract or the channel rejects it.
    pub(super) fn error(
        &mut self,
        code: &'static str,
        at: &At<'_>,
        source: &'static str,
        message: impl fmt::Display,
        values: Values<'_>,
    ) {
        self.add(Severity::Error, code, at, source, message, values);
    }

    /// Adds a warning: a rejection is likely, or the result is unexpected.
    pub(super) fn warning(
        &mut self,
        code: &'static str,
        at: &At<'_>,
        source: &'static str,
        message: impl fmt::Display,
        values: Values<'_>,
    ) {
        self.add(Severity::Warning, code, at, source, message, values);
    }

    pub(super) fn hint(
        &mut self,
        code: &'static str,
        at: &At<'_>,
        source: &'static str,
        message: impl fmt::Display,
        values: Values<'_>,
    ) {
        self.add(Severity::Hint, code, at, source, message, values);
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: &At<'_>,
        source: &'static str,
        message: impl fmt::Display,
        values: Values<'_>,
    ) {
        if let Some(codes) = &mut self.codes {
            codes.push((code, severity));
            return;
        }
        let message = message.to_string();
        let values = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
        let path = at.path();
        self.findings.push(Finding { code, severity, path, message, values, source, fixable: false, untouched: false });
    }
}
