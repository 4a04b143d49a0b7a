//! The starters in English.

use super::Action::{Code, Link, Reply};
use super::{Content, StarterName};

/// The texts of a starter; `None` if WhatsApp writes its text.
pub(super) fn content(name: StarterName) -> Option<Content> {
    Some(match name {
        StarterName::Welcome => Content {
            body: "Hi {{1}}, welcome to our store! Here you get news about your orders and help from our team.\n\n\
                   What would you like to do first?",
            samples: &["Ana"],
            footer: "Reply STOP to stop these messages",
            buttons: &[Reply("See what is new"), Reply("Talk to the team")],
            ..Content::default()
        },
        StarterName::SeasonalSale => Content {
            header: "Our {{1}} is here",
            header_sample: "summer sale",
            body: "Hi {{1}}, from today until {{2}} you get *{{3}} off* everything in our online store.\n\n\
                   Choose early: the best pieces go first.",
            samples: &["Ana", "June 30", "20%"],
            footer: "Reply STOP to stop these messages",
            buttons: &[Link("Shop the sale", "https://www.example.com/sale", "")],
            ..Content::default()
        },
        StarterName::Coupon => Content {
            body: "Thank you for your last order, {{1}}! Until {{2}}, the code below gives you {{3}} off \
                   your next one.",
            samples: &["Ana", "March 31", "15%"],
            footer: "Reply STOP to stop these messages",
            buttons: &[Code("THANKS15"), Link("Open the store", "https://www.example.com/", "")],
            ..Content::default()
        },
        StarterName::LimitedOffer => Content {
            offer: "Ends tonight",
            body: "Hi {{1}}, only today: free delivery on every order above {{2}}. Enter the code at the checkout.",
            samples: &["Ana", "$50"],
            buttons: &[
                Code("FREESHIP"),
                Link("Order now", "https://www.example.com/offer/{{1}}", "https://www.example.com/offer/today"),
            ],
            ..Content::default()
        },
        StarterName::AbandonedCart => Content {
            header: "Your cart is waiting",
            body: "Hi {{1}}, you left *{{2}}* in your cart. We keep it for you until {{3}}. \
                   Reply to this message if you have a question.",
            samples: &["Ana", "the blue rain jacket", "tomorrow evening"],
            footer: "Reply STOP to stop these messages",
            buttons: &[Link(
                "Back to my cart",
                "https://www.example.com/cart/{{1}}",
                "https://www.example.com/cart/48213",
            )],
            ..Content::default()
        },
        StarterName::EventInvitation => Content {
            header: "You are invited",
            body: "Hi {{1}}, we would love to see you at *{{2}}* on {{3}} in our store. \
                   Seats are limited, so let us know if you can come.",
            samples: &["Ana", "our tasting evening", "Friday, May 8, at 7 pm"],
            footer: "Reply STOP to stop these messages",
            buttons: &[Reply("I will be there"), Reply("I can't come")],
            ..Content::default()
        },
        StarterName::OrderConfirmed => Content {
            header: "Order confirmed",
            body: "Hi {{1}}, we received your order *{{2}}* for {{3}} and are preparing it. \
                   We write again as soon as it ships.",
            samples: &["Ana", "#10482", "$84.90"],
            buttons: &[Link(
                "View my order",
                "https://www.example.com/orders/{{1}}",
                "https://www.example.com/orders/10482",
            )],
            ..Content::default()
        },
        StarterName::OrderShipped => Content {
            body: "Hi {{1}}, your order *{{2}}* left our warehouse today and should be with you \
                   by {{3}}. We hope you like it.",
            samples: &["Ana", "#10482", "Thursday"],
            buttons: &[Link(
                "Track my order",
                "https://www.example.com/track/{{1}}",
                "https://www.example.com/track/10482",
            )],
            ..Content::default()
        },
        StarterName::AppointmentReminder => Content {
            header: "Appointment reminder",
            body: "Hi {{1}}, this is a reminder of your appointment with {{2}} on {{3}}. \
                   Please tell us whether you can make it.",
            samples: &["Ana", "Dr. Costa", "Tuesday, May 12, at 10:30 am"],
            buttons: &[Reply("Confirm"), Reply("Reschedule"), Reply("Cancel")],
            ..Content::default()
        },
        StarterName::PaymentReminder => Content {
            body: "Hi {{1}}, your invoice *{{2}}* of {{3}} is due on {{4}}. \
                   If you have already paid, please ignore this message.",
            samples: &["Ana", "2026-0815", "$120.00", "May 15"],
            buttons: &[Link(
                "View the invoice",
                "https://www.example.com/invoices/{{1}}",
                "https://www.example.com/invoices/2026-0815",
            )],
            ..Content::default()
        },
        StarterName::SupportUpdate => Content {
            header: "Request {{1}}: an update",
            header_sample: "#5521",
            body: "Hi {{1}}, there is news about your support request: {{2}}. \
                   Reply to this message if you need anything else.",
            samples: &["Ana", "the replacement part arrives on Monday"],
            buttons: &[Reply("This solved it"), Reply("I still need help")],
            ..Content::default()
        },
        StarterName::AccountAlert => Content {
            header: "Your account was changed",
            body: "Hi {{1}}, the {{2}} of your account was changed on {{3}}. \
                   If this was not you, contact us right away.",
            samples: &["Ana", "password", "May 4 at 2:15 pm"],
            buttons: &[Reply("It was me"), Reply("It was not me")],
            ..Content::default()
        },
        StarterName::CopyCode | StarterName::ExpiringCode | StarterName::OneTapCode => return None,
    })
}
