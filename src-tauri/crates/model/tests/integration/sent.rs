//! Sent messages as their recipients see them.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use model::render::{Block, Bubble, plain_text};
use model::send::{SendMessage, sent_bubble};
use model::template::Template;
use serde_json::{Value, json};

fn message(content: Value) -> SendMessage {
    let mut message = json!({"messaging_product": "whatsapp", "to": "5511912345678", "type": "template"});
    message.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
    serde_json::from_value(message).unwrap()
}

fn has_marks(bubble: &Bubble) -> bool {
    let marked = |block: &Block| match block {
        Block::Line { runs } | Block::Bullet { runs } | Block::Numbered { runs, .. } | Block::Quote { runs } => {
            runs.iter().any(|run| run.variable)
        }
        Block::Code { .. } => false,
    };
    bubble.body.iter().any(marked) || bubble.cards.iter().any(has_marks)
}

#[test]
fn sent_messages_have_no_marks_of_variables() {
    let value = |text: &str| json!([{"type": "text", "text": text}]);
    let template: Template = serde_json::from_value(json!({"name": "sale", "language": "en", "components": [
        {"type": "BODY", "text": "Hi *{{1}}*\n* one {{1}}\n1. two {{1}}\n> three {{1}}"},
        {"type": "CAROUSEL", "cards": [{"components": [{"type": "BODY", "text": "Card of {{1}}"}]}]}
    ]}))
    .unwrap();
    let sent = message(json!({"template": {"name": "sale", "language": {"code": "en"}, "components": [
        {"type": "body", "parameters": value("Ana")},
        {"type": "carousel", "cards": [
            {"card_index": 0, "components": [{"type": "body", "parameters": value("Bia")}]}
        ]}
    ]}}));
    let bubble = sent_bubble(&sent, Some(&template)).unwrap();
    assert_eq!(plain_text(&bubble.body).matches("Ana").count(), 4);
    assert_eq!(plain_text(&bubble.cards[0].body), "Card of Bia");
    assert!(!has_marks(&bubble), "{bubble:?}");
    assert!(has_marks(&model::render::render(&template, &model::render::Fill::default())));
}

#[test]
fn a_text_needs_no_template_and_a_template_its_content() {
    let text = message(json!({"type": "text", "text": {"body": "*Oi* {{1}}"}}));
    let bubble = sent_bubble(&text, None).unwrap();
    assert_eq!(plain_text(&bubble.body), "Oi {{1}}");
    assert!(!has_marks(&bubble));
    let template = message(json!({"template": {"name": "sale", "language": {"code": "en"}}}));
    assert_eq!(sent_bubble(&template, None), None);
    assert_eq!(sent_bubble(&message(json!({"type": "image"})), Some(&Template::default())), None);
}
