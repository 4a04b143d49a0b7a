//! Columns of a file that say whether people want messages. What such a column leaves empty says nothing.

use super::person_name::plain;

/// What a cell with *yes* means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsentColumn {
    Wants,
    WantsNone,
}

/// Beginnings of words that alone are about messages.
const WANTS: [&str; 7] = ["optin", "consent", "lgpd", "subscribed", "inscrito", "suscrito", "suscripto"];
const WANTS_NONE: [&str; 13] = [
    "optout",
    "unsubscrib",
    "descadastrad",
    "naoenviar",
    "naocontatar",
    "naocontactar",
    "naoperturb",
    "noenviar",
    "nocontactar",
    "nomolestar",
    "donotcontact",
    "donotsend",
    "donotdisturb",
];
/// Beginnings of words that are about messages where one of [`MESSAGES`] is in the name, or no other word.
const AGREES: [&str; 6] = ["aceit", "acept", "accept", "autoriz", "permi", "allow"];
const MESSAGES: [&str; 13] = [
    "mensa",
    "messag",
    "whats",
    "wpp",
    "zap",
    "marketing",
    "promo",
    "contat",
    "contact",
    "comunica",
    "publici",
    "ofert",
    "offer",
];
/// Beginnings of words of other ways to write to people.
const OTHER_CHANNELS: [&str; 6] = ["email", "mail", "sms", "correo", "newsletter", "telemarketing"];

const YES: [&str; 9] = ["sim", "s", "si", "yes", "y", "true", "verdadeiro", "1", "x"];
const NO: [&str; 15] = [
    "nao",
    "n",
    "no",
    "false",
    "falso",
    "0",
    "optout",
    "optedout",
    "unsubscribed",
    "descadastrado",
    "declined",
    "recusado",
    "recusou",
    "rechazado",
    "rechazo",
];

impl ConsentColumn {
    /// What a column with this name says, if it is one.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let words: Vec<String> =
            name.split(|c: char| !c.is_alphanumeric()).map(plain).filter(|word| !word.is_empty()).collect();
        let (whole, has) = (words.concat(), |known: &[&str]| {
            words.iter().any(|word| known.iter().any(|beginning| word.starts_with(beginning)))
        });
        if has(&OTHER_CHANNELS) {
            return None;
        }
        if WANTS_NONE.iter().any(|words| whole.contains(words)) {
            return Some(Self::WantsNone);
        }
        let agrees = has(&AGREES) && (words.len() == 1 || has(&MESSAGES));
        let opts_in = words.windows(2).any(|pair| pair == ["opt", "in"]);
        (agrees || opts_in || has(&WANTS)).then_some(Self::Wants)
    }

    /// Whether a person with this cell wants no messages.
    #[must_use]
    pub fn is_declined(self, cell: &str) -> bool {
        let cell = plain(cell);
        match self {
            Self::Wants => NO.contains(&cell.as_str()),
            Self::WantsNone => YES.contains(&cell.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_about_messages_are_known_by_their_names() {
        for name in [
            "Aceita mensagens",
            "Aceita receber mensagens no WhatsApp?",
            "Aceite",
            "aceita_marketing",
            "Opt-in",
            "opt in",
            "OPTIN",
            "WhatsApp opt-in",
            "Consentimento LGPD",
            "Consentimiento",
            "Consent",
            "Acepta promociones",
            "Autoriza contato",
            "Autorización",
            "Accepts marketing",
            "Permite contacto",
            "subscribed",
            "marketing_consent",
        ] {
            assert_eq!(ConsentColumn::of(name), Some(ConsentColumn::Wants), "{name}");
        }
        for name in
            ["Opt-out", "optout", "Unsubscribed", "Descadastrado", "Não enviar", "No contactar", "Do not contact"]
        {
            assert_eq!(ConsentColumn::of(name), Some(ConsentColumn::WantsNone), "{name}");
        }
        for name in [
            "Accepts Email Marketing",
            "Aceita SMS",
            "Opt-in e-mail",
            "Acepta correo",
            "Aceitou o orçamento",
            "Aceite da proposta",
            "Adopt in 2024",
            "Não contatado",
            "Nome",
            "Mensagem",
            "Contato",
            "Permanência",
            "Status",
            "Tem consultório",
            "Column 1",
            "",
            "Oferta",
            "Option",
        ] {
            assert_eq!(ConsentColumn::of(name), None, "{name}");
        }
    }

    #[test]
    fn only_what_is_written_declines() {
        let wants = |cell: &str| ConsentColumn::Wants.is_declined(cell);
        for cell in ["não", "NAO", " Não ", "n", "no", "No.", "false", "FALSO", "0", "opt-out", "Recusou"] {
            assert!(wants(cell), "{cell}");
        }
        for cell in ["", " ", "sim", "yes", "1", "-", "?", "n/a", "ainda não", "2024-05-01", "Noemi"] {
            assert!(!wants(cell), "{cell}");
        }
        let none = |cell: &str| ConsentColumn::WantsNone.is_declined(cell);
        assert!(["Sim", "yes", "x", "TRUE", "1", "Sí"].into_iter().all(none));
        assert!(!["", "não", "no", "0"].into_iter().any(none));
    }
}
