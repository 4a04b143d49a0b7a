//! Ways to write a secret down wrongly.

use super::Edge;

/// The secrets that the sender may have where one side has something around it.
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
    // Anyone can sign with an empty secret, so it proves nothing.
    .filter(|(_, variant)| !variant.is_empty())
}
