//! Rules of carousels (upstream §2.8).

use super::buttons::Row;
use super::report::{At, Report, source};
use super::{FileFacts, Scope, body, buttons, header};
use crate::button::Button;
use crate::component::{Buttons, Card, Carousel, Component, Header};
use crate::vocabulary::{Category, HeaderFormat};

pub(super) fn check(
    report: &mut Report,
    at: &At<'_>,
    carousel: &Carousel,
    scope: &Scope<'_>,
    files: &[Option<FileFacts>],
) {
    if scope.template.category.is_other_than(&Category::Marketing) {
        let message = "Only marketing templates can have a carousel. Choose the category marketing.";
        report.error("carousel.marketing_only", at, source::CAROUSEL, message, &[]);
    }
    let here = at.field("cards");
    let count = carousel.cards.len();
    if !(2..=10).contains(&count) {
        report.error(
            "carousel.card_count",
            &here,
            source::CAROUSEL,
            format_args!("The carousel has {count} cards; it needs 2 to 10."),
            &[("count", &count), ("min", &2), ("max", &10)],
        );
    }
    let product = |card: &Card| card_header(card).is_some_and(|header| header.format == HeaderFormat::Product);
    if count > 2 && carousel.cards.iter().all(product) {
        let message = "Two product cards are enough: when you send, up to ten cards like these are shown.";
        report.hint("carousel.product_cards", &here, source::PRODUCT_CAROUSEL, message, &[("count", &count)]);
    }
    for (index, card) in carousel.cards.iter().enumerate() {
        check_card(report, &here.item(index), card, scope, files.get(index).and_then(Option::as_ref));
    }
    if let Some((first, others)) = carousel.cards.split_first() {
        let make = CardShape::of(first);
        for (index, card) in others.iter().enumerate() {
            same_shape(report, &here.item(index + 1), &make, card);
        }
    }
}

fn card_header(card: &Card) -> Option<&Header> {
    card.components.iter().find_map(|component| match component {
        Component::Header(header) => Some(header),
        _ => None,
    })
}

fn card_buttons(card: &Card) -> Option<&Buttons> {
    card.components.iter().find_map(|component| match component {
        Component::Buttons(buttons) => Some(buttons),
        _ => None,
    })
}

fn check_card(report: &mut Report, at: &At<'_>, card: &Card, scope: &Scope<'_>, file: Option<&FileFacts>) {
    let here = at.field("components");
    super::duplicates(report, &here, &card.components);
    let product = card_header(card).is_some_and(|header| header.format == HeaderFormat::Product);
    if card_header(card).is_none() {
        let message = "The card has no header. Add an image or a video to every card.";
        report.error("card.header_required", &here, source::CAROUSEL, message, &[]);
    }
    if card_buttons(card).is_none() {
        let message = "The card has no buttons. Add one or two to every card.";
        report.error("card.buttons_required", &here, source::CAROUSEL, message, &[]);
    }
    for (index, component) in card.components.iter().enumerate() {
        let item = here.item(index);
        match component {
            Component::Header(head) => {
                if !matches!(head.format, HeaderFormat::Image | HeaderFormat::Video | HeaderFormat::Product) {
                    let message = "The header of a card must be an image, a video or a product.";
                    report.error("card.header_format", &item.field("format"), source::CAROUSEL, message, &[]);
                }
                header::check(report, &item, head, scope, file);
            }
            Component::Body(text) => body::check(report, &item, text, scope, (160, source::CAROUSEL)),
            Component::Buttons(row) => row_of_card(report, &item, row, scope, product),
            Component::Unknown(object) => super::unknown(report, &item, "component", object, Component::TYPES),
            other => {
                let kind = other.type_name();
                let shown = super::in_words(kind);
                report.error(
                    "card.component",
                    &item,
                    source::CAROUSEL,
                    format_args!("Cards can't have a {shown}. Use only a header, a body and buttons."),
                    &[("type", &kind)],
                );
            }
        }
    }
}

fn row_of_card(report: &mut Report, at: &At<'_>, row: &Buttons, scope: &Scope<'_>, product: bool) {
    let here = at.field("buttons");
    buttons::check(report, at, row, scope, Row::Card);
    let count = row.buttons.len();
    let most = if product { 1 } else { 2 };
    report.count_items(&here, count, most);
    if count > most {
        report.error(
            "card.button_count",
            &here,
            if product { source::PRODUCT_CAROUSEL } else { source::CAROUSEL },
            format_args!("The card has {count} buttons; the limit is {most}."),
            &[("count", &count), ("limit", &most)],
        );
    }
    for (index, button) in row.buttons.iter().enumerate() {
        let fits = match button {
            Button::Url(_) | Button::Unknown(_) => true,
            Button::Spm(_) => product,
            Button::QuickReply(_) | Button::PhoneNumber(_) => !product,
            _ => false,
        };
        if !fits {
            let kind = button.type_name();
            let takes = if product { "SPM or URL" } else { "QUICK_REPLY, URL or PHONE_NUMBER" };
            report.error(
                "card.button_type",
                &here.item(index),
                if product { source::PRODUCT_CAROUSEL } else { source::CAROUSEL },
                format_args!("Cards can't have buttons of the type {kind}. Use {takes}."),
                &[("type", &kind), ("accepted", &takes)],
            );
        }
    }
}

/// Structure that all cards of a carousel must share.
struct CardShape<'c> {
    /// Types of the components, sorted.
    components: Vec<String>,
    header: Option<&'c HeaderFormat>,
    /// Types of the buttons, in their order.
    buttons: Vec<String>,
    sorted_buttons: Vec<String>,
}

impl<'c> CardShape<'c> {
    fn of(card: &'c Card) -> Self {
        let mut components: Vec<String> =
            card.components.iter().map(|component| component.type_name().to_ascii_uppercase()).collect();
        components.sort_unstable();
        let buttons: Vec<String> = card_buttons(card).map_or_else(Vec::new, |row| {
            row.buttons.iter().map(|button| button.type_name().to_ascii_uppercase()).collect()
        });
        let mut sorted_buttons = buttons.clone();
        sorted_buttons.sort_unstable();
        Self { components, header: card_header(card).map(|header| &header.format), buttons, sorted_buttons }
    }
}

/// Checks that a card has the structure of the first one.
fn same_shape(report: &mut Report, at: &At<'_>, first: &CardShape<'_>, card: &Card) {
    let here = at.field("components");
    let card = CardShape::of(card);
    if first.components != card.components {
        let message = "All cards must have the same components as the first one.";
        report.error("card.components_differ", &here, source::CAROUSEL, message, &[]);
        return;
    }
    if first.header != card.header {
        let message = "The header format differs from the first card, which the review usually rejects.";
        report.warning("card.format_differs", &here, source::CAROUSEL, message, &[]);
    }
    if first.buttons == card.buttons {
        return;
    }
    if first.sorted_buttons == card.sorted_buttons {
        let message = "The buttons are in a different order from the first card, which some reviews reject.";
        report.warning("card.button_order", &here, source::CAROUSEL, message, &[]);
    } else {
        let message = "All cards must have the same types of buttons as the first one.";
        report.error("card.buttons_differ", &here, source::CAROUSEL, message, &[]);
    }
}
