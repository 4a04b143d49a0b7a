//! Links in texts to sites that the review rejects (upstream §5.6).

/// Link shorteners, which hide the target; the review rejects them.
const SHORTENERS: &[&str] = &[
    "bit.ly",
    "buff.ly",
    "cutt.ly",
    "encurtador.com.br",
    "goo.gl",
    "is.gd",
    "ow.ly",
    "rb.gy",
    "rebrand.ly",
    "s.id",
    "shorturl.at",
    "t.co",
    "t.ly",
    "tiny.cc",
    "tinyurl.com",
];

/// Sites that open a chat of the channel.
const CHANNEL_LINKS: &[&str] = &["api.whatsapp.com", "chat.whatsapp.com", "wa.me", "web.whatsapp.com"];

/// The first link shortener in a text.
pub(super) fn shortener(text: &str) -> Option<&'static str> {
    link_to(text, SHORTENERS)
}

/// Whether a text has a link to a chat of the channel.
pub(super) fn links_to_channel(text: &str) -> bool {
    link_to(text, CHANNEL_LINKS).is_some()
}

/// The first of `hosts` that a text links to, with or without a scheme: the phone makes a link of `bit.ly/x` too.
fn link_to(text: &str, hosts: &'static [&'static str]) -> Option<&'static str> {
    memchr::memchr(b'.', text.as_bytes())?;
    let is_end = |letter: char| {
        letter.is_whitespace() || matches!(letter, '(' | '[' | '<' | '"' | '\'' | ',' | ';' | '*' | '_' | '~')
    };
    text.split(is_end).find_map(|word| {
        let (is_link, rest) = word.split_once("://").map_or((false, word), |(_, rest)| (true, rest));
        let host = rest.split(['/', '?', '#', ':', ')', ']', '>']).next().unwrap_or_default();
        // Without a scheme, only a path shows that it is a link and not the end of a sentence.
        if !is_link && !rest[host.len()..].starts_with('/') {
            return None;
        }
        let host = host.get(..4).filter(|www| www.eq_ignore_ascii_case("www.")).map_or(host, |_| &host[4..]);
        hosts.iter().find(|known| host.eq_ignore_ascii_case(known)).copied()
    })
}
