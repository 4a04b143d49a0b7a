//! Which columns and variables are the name of a person, in the languages of the window.

use icu_normalizer::DecomposingNormalizerBorrowed;

/// What people call the column of a name. The first are the surest.
pub(super) const PERSON_NAMES: [&str; 13] = [
    "name",
    "fullname",
    "recipientname",
    "customername",
    "contactname",
    "nome",
    "nomecompleto",
    "nombre",
    "nombrecompleto",
    "cliente",
    "customer",
    "firstname",
    "primeironome",
];
/// What else a variable for the name of a person may be called.
const PERSON_VARIABLES: [&str; 5] = ["first", "client", "user", "username", "usuario"];
/// The last word before a name.
const GREETINGS: [&str; 15] = [
    "hi", "hello", "hey", "dear", "ola", "oi", "caro", "cara", "prezado", "prezada", "querido", "querida", "hola",
    "estimado", "estimada",
];

/// Letters and digits alone, without accents and in small letters: `Número_de Telefone` and `numerodetelefone` are one.
pub(super) fn plain(words: &str) -> String {
    let decomposed = DecomposingNormalizerBorrowed::new_nfkd().normalize(words);
    decomposed.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The words of a name, as [`plain`] has each.
pub(super) fn plain_words(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_alphanumeric()).map(plain).filter(|word| !word.is_empty()).collect()
}

/// Whether a variable is the name of a person: it is called so, or a greeting is right before it.
pub(super) fn is_person_name(variable: &str, text_before: &str) -> bool {
    let name = plain(variable);
    if PERSON_NAMES.iter().chain(&PERSON_VARIABLES).any(|known| *known == name) {
        return true;
    }
    let before = text_before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '*' | '_' | '~'));
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    // Only letters of a greeting can be a greeting: a long text without spaces is no word.
    word.len() <= 16 && GREETINGS.contains(&plain(word).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_before_a_variable_or_its_name_make_it_a_person() {
        for before in ["Hi ", "Olá, ", "*Hola ", "Prezado *", "Bom dia! Querida ", "Hello\n"] {
            assert!(is_person_name("1", before), "{before}");
        }
        for before in ["", "Your order ", "This ", "Hi there, ", "Hi! ", "Delhi "] {
            assert!(!is_person_name("1", before), "{before}");
        }
        for (name, person) in [("first_name", true), ("Nome", true), ("usuário", true), ("code", false)] {
            assert_eq!(is_person_name(name, ""), person, "{name}");
        }
    }
}
