//! Names in title case: `MARIA DA SILVA` becomes `Maria da Silva`.

/// Words between names that are written small in Portuguese, Spanish, Dutch and German, unless they are first.
const PARTICLES: [&str; 13] = ["de", "da", "do", "dos", "das", "e", "del", "la", "los", "y", "van", "von", "der"];
/// Numbers after a name, such as `João Paulo II`.
const NUMERALS: [&str; 3] = ["ii", "iii", "iv"];
/// Letters before an apostrophe after which a name begins, at most: `D'Ávila`, `O'Neil`, but `Joana's`.
const MAX_PREFIX: usize = 2;

/// A text with capital first letters. Words in mixed case, such as `McDonald`, and scripts without case stay as they are.
#[must_use]
pub fn title_case(text: &str) -> String {
    let mut titled = String::with_capacity(text.len());
    let mut is_first = true;
    for (place, word) in text.split(' ').enumerate() {
        if place > 0 {
            titled.push(' ');
        }
        let lower = lowercase(word);
        if is_mixed(word) {
            titled.push_str(word);
        } else if !is_first && PARTICLES.contains(&lower.as_str()) {
            titled.push_str(&lower);
        } else if !is_first && NUMERALS.contains(&lower.as_str()) {
            titled.push_str(&word.to_uppercase());
        } else {
            push_titled(&mut titled, &lower);
        }
        is_first &= !word.chars().any(char::is_alphabetic);
    }
    titled
}

/// Whether a word has capital and small letters.
fn is_mixed(word: &str) -> bool {
    word.chars().any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

fn lowercase(word: &str) -> String {
    // Unicode keeps the dot of a Turkish capital İ as a character of its own.
    word.to_lowercase().replace("i\u{307}", "i")
}

/// Adds a word in small letters with a capital at its start, after hyphens, and after the apostrophe of a prefix.
fn push_titled(titled: &mut String, word: &str) {
    let (mut at_start, mut letters) = (true, 0);
    for c in word.chars() {
        if c.is_alphabetic() {
            letters += 1;
            if at_start {
                titled.extend(c.to_uppercase());
            } else {
                titled.push(c);
            }
            at_start = false;
            continue;
        }
        titled.push(c);
        match c {
            '-' | '\u{2010}' | '\u{2011}' | '/' | '.' | '(' => (at_start, letters) = (true, 0),
            '\'' | '’' if (1..=MAX_PREFIX).contains(&letters) => (at_start, letters) = (true, 0),
            c if c.is_numeric() => at_start = false,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_capital_first_letters() {
        for (typed, titled) in [
            ("MARIA DA SILVA", "Maria da Silva"),
            ("maria da silva", "Maria da Silva"),
            ("JOSÉ DOS SANTOS E SOUZA", "José dos Santos e Souza"),
            ("da silva", "Da Silva"),
            ("JUAN DE LA CRUZ Y LOS RÍOS", "Juan de la Cruz y los Ríos"),
            ("vincent van gogh", "Vincent van Gogh"),
            ("URSULA VON DER LEYEN", "Ursula von der Leyen"),
            ("McDonald", "McDonald"),
            ("RONALD McDONALD", "Ronald McDONALD"),
            ("Maria Da Silva", "Maria Da Silva"),
            ("Maria da Silva", "Maria da Silva"),
            ("MARIA da Silva", "Maria da Silva"),
            ("ana-maria", "Ana-Maria"),
            ("D'ÁVILA", "D'Ávila"),
            ("o’neil", "O’Neil"),
            ("JOANA'S", "Joana's"),
            ("j.p. morgan", "J.P. Morgan"),
            ("JOÃO PAULO II", "João Paulo II"),
            ("ÉMILE", "Émile"),
            ("e\u{301}mile", "E\u{301}mile"),
            ("ΓΙΏΡΓΟΣ", "Γιώργος"),
            ("ИВАН ПЕТРОВ", "Иван Петров"),
            ("İBRAHİM", "Ibrahim"),
            ("(maria)", "(Maria)"),
            ("3m", "3m"),
            ("محمد علي", "محمد علي"),
            ("山田 太郎", "山田 太郎"),
            ("👩\u{200d}🚀 ana", "👩\u{200d}🚀 Ana"),
            ("", ""),
        ] {
            assert_eq!(title_case(typed), titled, "{typed}");
            assert_eq!(title_case(titled), titled, "{typed} again");
        }
    }
}
