//! Rules for combinations of components: offers, products, call permission, carousels (upstream §2.4–§2.8).

use super::report::{At, Report, source};
use super::text;
use crate::button::Button;
use crate::component::{Component, LimitedTimeOffer};
use crate::template::Template;
use crate::vocabulary::{Category, HeaderFormat};

/// Special components and buttons of a template.
#[derive(Default)]
pub(super) struct Make {
    pub(super) offer: bool,
    pub(super) carousel: bool,
    pub(super) call_permission: bool,
    pub(super) catalog: bool,
    pub(super) products: bool,
    pub(super) product: bool,
}

impl Make {
    pub(super) fn of(template: &Template) -> Self {
        let mut make = Self::default();
        for component in &template.components {
            match component {
                Component::LimitedTimeOffer(_) => make.offer = true,
                Component::Carousel(_) => make.carousel = true,
                Component::CallPermissionRequest(_) => make.call_permission = true,
                Component::Buttons(buttons) => {
                    for button in &buttons.buttons {
                        match button {
                            Button::Catalog(_) => make.catalog = true,
                            Button::Mpm(_) => make.products = true,
                            Button::Spm(_) => make.product = true,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        make
    }

    /// Maximum length of the body, and the source of that limit.
    pub(super) fn body_limit(&self) -> (usize, &'static str) {
        if self.offer {
            (600, source::OFFER)
        } else if self.product {
            (160, source::SPM)
        } else {
            (1024, source::COMPONENTS)
        }
    }
}

pub(super) fn check(report: &mut Report, at: &At<'_>, template: &Template, make: &Make) {
    let mut header = None;
    for (index, component) in template.components.iter().enumerate() {
        let item = at.item(index);
        match component {
            Component::Header(found) => {
                header = Some(&found.format);
                combined_header(report, &item, &found.format, make);
            }
            Component::Footer(_) if make.offer => {
                let message = "A limited-time offer can't have a footer. Remove it.";
                report.error("offer.footer", &item, source::OFFER, message, &[]);
            }
            Component::LimitedTimeOffer(offer) => heading(report, &item, offer, template),
            Component::Buttons(buttons) => {
                if make.offer {
                    offer_buttons(report, &item, &buttons.buttons);
                }
                if make.call_permission {
                    let message = "A call permission request can't have buttons. Remove one or the other.";
                    report.error("call_permission.not_alone", &item, source::CALL_PERMISSION, message, &[]);
                }
            }
            Component::Carousel(_) if make.call_permission => {
                let message = "A call permission request can't have a carousel. Remove one or the other.";
                report.error("call_permission.not_alone", &item, source::CALL_PERMISSION, message, &[]);
            }
            _ => {}
        }
        let outside_carousel = matches!(
            component,
            Component::Header(_) | Component::Footer(_) | Component::Buttons(_) | Component::LimitedTimeOffer(_)
        );
        if make.carousel && outside_carousel {
            let kind = component.type_name();
            let shown = super::in_words(kind);
            report.warning(
                "carousel.beside",
                &item,
                source::CAROUSEL,
                format_args!(
                    "A carousel template can have only a body and cards; the {shown} will probably be rejected."
                ),
                &[("type", &kind)],
            );
        }
    }
    if make.product && header != Some(&HeaderFormat::Product) {
        let message = "A template with one product needs a product header. Add it.";
        report.error("product.header_required", at, source::SPM, message, &[]);
    }
    if make.products && header != Some(&HeaderFormat::Text) {
        let message = "WhatsApp recommends a text header above a list of products.";
        report.warning("products.header", at, source::MPM, message, &[]);
    }
}

fn combined_header(report: &mut Report, at: &At<'_>, format: &HeaderFormat, make: &Make) {
    let here = at.field("format");
    if make.offer && !matches!(format, HeaderFormat::Image | HeaderFormat::Video) {
        let message = "The header of a limited-time offer must be an image or a video.";
        report.error("offer.header", &here, source::OFFER, message, &[]);
    }
    if *format == HeaderFormat::Product && !make.product {
        let message = "Product headers work only in cards and in templates with a button of the type SPM.";
        report.warning("header.product", &here, source::SPM, message, &[]);
    }
    if make.catalog {
        let message = "WhatsApp documents catalog templates without a header.";
        report.warning("catalog.header", at, source::CATALOG, message, &[]);
    }
}

fn heading(report: &mut Report, at: &At<'_>, offer: &LimitedTimeOffer, template: &Template) {
    if template.category.is_other_than(&Category::Marketing) {
        let message = "Only marketing templates can have a limited-time offer. Choose the category marketing.";
        report.error("offer.marketing_only", at, source::OFFER, message, &[]);
    }
    let inner = at.field("limited_time_offer");
    let here = inner.field("text");
    let words = offer.limited_time_offer.text.as_str();
    if words.trim().is_empty() {
        report.error("offer.text_required", &here, source::OFFER, "Enter an offer heading.", &[]);
    }
    text::limit(report, "offer.too_long", &here, source::OFFER, "The heading", words, 16);
}

fn offer_buttons(report: &mut Report, at: &At<'_>, buttons: &[Button]) {
    let code = buttons.iter().position(|button| matches!(button, Button::CopyCode(_)));
    let url = buttons.iter().position(|button| matches!(button, Button::Url(_)));
    if code.is_some_and(|code| code != 0) || matches!((code, url), (Some(_), Some(url)) if url != 1) {
        let message = "In a limited-time offer, put the copy-code button first and the website button second.";
        report.error("offer.button_order", &at.field("buttons"), source::OFFER, message, &[]);
    }
}
