//! The text of a message, such as one pasted from WhatsApp, as the body of a template.

use model::component::{Body, Component};
use model::rewrite::template_name;
use model::template::Template;
use model::variable::{fill, scan};
use model::vocabulary::Category;

/// Maximum size of a text that is taken for a message, in bytes: many times the limit of a body.
const MAX_BYTES: usize = 16 * 1024;
/// Number of words of the text that become the name.
const NAME_WORDS: usize = 5;
const MAX_NAME_LENGTH: usize = 60;
/// Longest name of who sent a copied message, in characters.
const MAX_SENDER_LENGTH: usize = 60;

/// A template with this text as its body; `None` if the text is JSON or too long for a message. Bold and italic stay as
/// they are, and so do `{name}` and `[Name]`: only `{{name}}` is a variable, and findings name the others. What WhatsApp
/// adds to a copied message, when it was sent and by whom, is left out.
pub(crate) fn template_of(text: &str) -> Option<Template> {
    let copied = text.trim().split_inclusive('\n').map(|line| text_of_copied(line).unwrap_or(line)).collect::<String>();
    let text = copied.trim();
    if text.is_empty() || text.len() > MAX_BYTES || text.starts_with(['{', '[']) && !is_bracketed_start(text) {
        return None;
    }
    let text = text.replace("\r\n", "\n");
    let mut template = Template {
        name: name_of(&text),
        category: Category::Marketing,
        components: vec![Component::Body(Body { text: Some(text), ..Body::default() })],
        ..Template::default()
    };
    let has_names = template.find(|component| match component {
        Component::Body(Body { text: Some(text), .. }) => {
            scan(text).any(|found| found.number().is_none()).then_some(())
        }
        _ => None,
    });
    if has_names.is_some() {
        template.parameter_format = Some(template.effective_parameter_format());
    }
    Some(template)
}

/// The text of a line such as `[10:21, 28/11/2026] Ana: text`, as WhatsApp copies the beginning of a message; `None` for other
/// lines.
fn text_of_copied(line: &str) -> Option<&str> {
    // Its marks of direction are invisible.
    let (sent_at, rest) = line.trim_start_matches(['\u{200e}', '\u{200f}']).strip_prefix('[')?.split_once("] ")?;
    let is_instant = |c: char| c.is_ascii_digit() || c.is_whitespace() || "/.:,-".contains(c) || "aApPmM".contains(c);
    let has_time_and_date = sent_at.contains(':') && sent_at.split([',', ' ']).any(is_date);
    if !has_time_and_date || !sent_at.chars().all(is_instant) {
        return None;
    }
    let (sender, text) = rest.split_once(": ")?;
    (!sender.is_empty() && sender.chars().count() <= MAX_SENDER_LENGTH).then_some(text)
}

/// Whether a word is a date in digits, such as `28/11/2026` or `11-28-26`.
fn is_date(word: &str) -> bool {
    ['/', '.', '-'].iter().any(|separator| {
        let parts: Vec<&str> = word.split(*separator).collect();
        let is_number = |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        parts.len() == 3 && parts.iter().all(is_number)
    })
}

/// Whether a text begins with a variable or words in brackets, such as `[Name]`, rather than with JSON: a member of an
/// object has a colon and quotes, several values have commas.
fn is_bracketed_start(text: &str) -> bool {
    let is_list = text.starts_with('[');
    let inner = text.trim_start_matches(['{', '[']);
    let Some(end) = inner.find(['}', ']']) else { return false };
    let (words, rest) = inner.split_at(end);
    let is_json = |c: char| matches!(c, '"' | '{' | '[' | ',' | '\n') || c == ':' && !is_list;
    words.starts_with(char::is_alphanumeric)
        && !words.contains(is_json)
        && !rest.trim_start_matches(['}', ']']).trim().is_empty()
}

fn name_of(text: &str) -> String {
    let text = fill(text, |_| Some(" "));
    let words = text.split_whitespace().filter_map(template_name);
    let mut name = String::new();
    for word in words.take(NAME_WORDS) {
        if name.len() + 1 + word.len() > MAX_NAME_LENGTH {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(word.trim_matches('_'));
    }
    if name.is_empty() { "message".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use crate::template_text::body_text;

    #[test]
    fn a_message_becomes_the_body_of_a_template() {
        for (text, name) in [
            ("*Olá* {{1}}, tudo bem?\r\n\r\nSua compra chegou!", "ola_tudo_bem_sua_compra"),
            ("{{name}}, your _order_ is ready", "your_order_is_ready"),
            ("[Name], hello there", "name_hello_there"),
            ("{nome}, seu pedido saiu.", "nome_seu_pedido_saiu"),
            ("[Promo: 50%] Oi {{1}}", "promo_50_oi"),
            ("{{first.name}}, hi", "hi"),
            ("{{first name}}, hi", "hi"),
            ("Hi{{1}}there", "hi_there"),
            ("🎉🎉🎉", "message"),
        ] {
            let template = template_of(text).unwrap();
            assert_eq!((template.name.as_str(), body_text(&template)), (name, text.replace("\r\n", "\n").as_str()));
        }
        let named = |text: &str| template_of(text).unwrap().parameter_format.map(|format| format.as_str().to_owned());
        assert_eq!(named("Hi {{name}}, hello."), Some("NAMED".to_owned()));
        assert_eq!(named("Hi {{1}}, hello."), None);
    }

    #[test]
    fn a_copied_message_has_neither_its_sender_nor_its_instant() {
        for (copied, text) in [
            ("[10:21, 28/11/2026] Ana Souza: *Black Friday!* Hi {{1}}", "*Black Friday!* Hi {{1}}"),
            ("\u{200e}[28/11/2026, 10:21:05] Ana: Olá\ncomo vai?", "Olá\ncomo vai?"),
            ("[10:21 AM, 11/28/2026] +55 11 98765-4321: Hi: there", "Hi: there"),
            ("[10:21, 28.11.2026] Ana: One\r\n[10:22, 28.11.2026] Bia: Two", "One\nTwo"),
            ("[Promo 10:21] Ana: Hi", "[Promo 10:21] Ana: Hi"),
            ("Doors open\n[10:30] Talk: News", "Doors open\n[10:30] Talk: News"),
            ("Plan\n[10:30 - 11:30] Talk: News", "Plan\n[10:30 - 11:30] Talk: News"),
            ("Plan\n[10:30:00] Talk: News", "Plan\n[10:30:00] Talk: News"),
        ] {
            assert_eq!(body_text(&template_of(copied).unwrap()), text, "{copied}");
        }
    }

    #[test]
    fn broken_json_is_no_message() {
        for text in [
            "{\"name\": ?}",
            "[{\"name\": \"a\"",
            "[1, 2,",
            "[true, 1] x",
            "{name: 1} x",
            "{",
            "[]",
            "{}",
            "",
            " \n",
            "[oops]",
        ] {
            assert!(template_of(text).is_none(), "{text}");
        }
        assert!(template_of(&"a ".repeat(10_000)).is_none());
    }
}
