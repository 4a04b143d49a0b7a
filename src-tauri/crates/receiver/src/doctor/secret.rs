//! Common mistakes in entering a secret.

use super::Edge;

/// The secrets that the sender may have if one side has characters around it.
pub(super) fn variants(secret: &str) -> impl Iterator<Item = (Edge, String)> {
    let bare = secret.trim();
    let unquoted = bare.trim_matches(['"', '\'']);
    [
        (Edge::OwnBlanks, bare.to_owned()),
        (Edge::OwnQuotes, unquoted.to_owned()),
        (Edge::SenderNewline, format!("{bare}\n")),
        (Edge::SenderNewline, format!("{bare}\r\n")),
        (Edge::SenderBlank, format!("{bare} ")),
        (Edge::SenderBlank, format!(" {bare}")),
        (Edge::SenderQuotes, format!("\"{bare}\"")),
        (Edge::SenderQuotes, format!("'{bare}'")),
    ]
    .into_iter()
    // Anyone can sign with an empty secret, so a match proves nothing.
    .filter(|(_, variant)| !variant.is_empty())
}
