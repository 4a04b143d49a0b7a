//! Columns of a file that say whether people want messages. An empty cell is neither yes nor no.

use super::person_name::plain_words;
use crate::vocabulary::Category;

/// What a cell with *yes* means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsentColumn {
    Wants,
    WantsNone,
}

// Beginnings of words, without accents and in small letters.
/// About messages without any other word.
const WANTS: [&str; 4] = ["optin", "optedin", "consent", "lgpd"];
const WANTS_NONE: [&str; 8] =
    ["optout", "optedout", "unsubscri", "descadastr", "desinscri", "desuscri", "blacklist", "donotcontact"];
/// About messages where one of [`MESSAGES`] is in the name.
const AGREES: [&str; 18] = [
    "aceit", "acept", "accept", "autoriz", "permi", "allow", "agree", "concord", "consient", "deseja", "desea", "quer",
    "quier", "gostaria", "want", "inscrit", "suscrit", "subscrib",
];
const MESSAGES: [&str; 15] = [
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
    "campan",
    "receb",
    "recib",
    "receiv",
];
const MARKETING: [&str; 3] = ["marketing", "promo", "publici"];
const WHATSAPP: [&str; 3] = ["whats", "wpp", "zap"];
/// Other ways to reach people.
const OTHER_CHANNELS: [&str; 11] =
    ["email", "mail", "sms", "correo", "newsletter", "telemarketing", "telefon", "phone", "ligac", "llamad", "call"];
const WITHDRAWN: [&str; 7] = ["revog", "revoc", "withdr", "cancel", "recus", "rechaz", "retirad"];
const REFUSED: [&str; 12] = [
    "optout",
    "optedout",
    "unsubscrib",
    "descadastr",
    "desinscri",
    "desuscri",
    "declin",
    "recus",
    "rechaz",
    "negad",
    "denied",
    "refused",
];

// Whole words.
/// About messages where they are the whole name.
const ALONE: [&str; 5] = ["aceita", "aceite", "acepta", "accepts", "autoriza"];
const YES: [&str; 7] = ["sim", "si", "yes", "true", "verdadeiro", "verdadero", "1"];
const NO: [&str; 5] = ["nao", "no", "false", "falso", "0"];
/// What may follow a *no* that is one: "não informado" is none.
const AFTER_NO: [&str; 16] = [
    "aceito", "aceita", "aceitou", "acepto", "acepta", "quero", "quer", "quiero", "quiere", "autorizo", "autoriza",
    "obrigado", "obrigada", "gracias", "thanks", "0",
];
/// What is not to be done where *não* or *no* is before it.
const FORBIDDEN: [&str; 10] = [
    "enviar",
    "contatar",
    "contactar",
    "perturbar",
    "perturbe",
    "molestar",
    "receber",
    "recibir",
    "mandar",
    "incomodar",
];

impl ConsentColumn {
    /// What a column with this name says, if it is one.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let words = plain_words(name);
        let has = |known: &[&str]| begins(&words, known);
        if has(&OTHER_CHANNELS) && !has(&WHATSAPP) {
            return None;
        }
        let pair = |first: &[&str], second: &[&str]| {
            words.windows(2).any(|pair| first.contains(&pair[0].as_str()) && second.contains(&pair[1].as_str()))
        };
        let is_forbidden =
            pair(&["nao", "no"], &FORBIDDEN) || pair(&["not"], &["contact", "send", "disturb", "message"]);
        let is_gone = words == ["baja"] || words == ["dado", "de", "baja"];
        if has(&WANTS_NONE) || pair(&["opt", "opted"], &["out"]) || is_forbidden || is_gone {
            return Some(Self::WantsNone);
        }
        let is_alone = words.len() == 1 && ALONE.contains(&words[0].as_str());
        // A clinic has informed consent to a treatment.
        let is_consent = has(&WANTS) && !has(&["informad", "informed"]);
        let wants = is_alone || is_consent || pair(&["opt", "opted"], &["in"]) || (has(&AGREES) && has(&MESSAGES));
        wants.then(|| if is_negated(&words) { Self::WantsNone } else { Self::Wants })
    }

    /// Whether a column with this name counts for templates of a category: a code is asked for, and who wants no promotions
    /// still gets word of an order.
    #[must_use]
    pub fn concerns(name: &str, category: &Category) -> bool {
        match category {
            Category::Authentication => false,
            Category::Marketing => true,
            _ => !begins(&plain_words(name), &MARKETING),
        }
    }

    /// Whether a person with this cell wants no messages.
    #[must_use]
    pub fn is_declined(self, cell: &str) -> bool {
        let words = plain_words(cell);
        let Some(first) = words.first() else { return false };
        let is_refused = begins(&words, &REFUSED) || words == ["opt", "out"] || words == ["opted", "out"];
        let is_alone = words.len() == 1;
        match self {
            Self::Wants => {
                let is_no = NO.contains(&first.as_str());
                let is_meant = words.get(1).is_none_or(|second| AFTER_NO.contains(&second.as_str()));
                is_refused || (is_no && is_meant) || (is_alone && first == "n")
            }
            // The date of the refusal.
            Self::WantsNone => {
                let numbers = words.iter().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit())).count();
                let is_letter = is_alone && ["s", "y", "x"].contains(&first.as_str());
                is_refused || YES.contains(&first.as_str()) || is_letter || numbers >= 3
            }
        }
    }
}

/// Of "Aceita mensagens (sim/não)", the second is an answer. In Portuguese "no" is "in the" but at the beginning.
fn is_negated(words: &[String]) -> bool {
    let has_not =
        words.iter().any(|word| word == "nao" || word == "not") || words.first().is_some_and(|word| word == "no");
    let is_choice = words.iter().any(|word| ["sim", "si", "s", "yes", "y"].contains(&word.as_str()));
    (has_not && !is_choice) || begins(words, &WITHDRAWN)
}

/// Whether a word begins with one of these.
fn begins(words: &[String], known: &[&str]) -> bool {
    words.iter().any(|word| known.iter().any(|beginning| word.starts_with(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_about_messages_are_known_by_their_names() {
        for name in [
            "Aceita mensagens",
            "Aceita receber mensagens no WhatsApp?",
            "Aceita mensagens (sim/não)",
            "Aceita receber mensagens por e-mail e WhatsApp?",
            "Aceite",
            "aceita_marketing",
            "Opt-in",
            "opt in",
            "OPTIN",
            "Opted In",
            "WhatsApp opt-in",
            "Consentimento LGPD",
            "Consentimiento",
            "Consent",
            "Acepta promociones",
            "Autoriza contato",
            "Accepts marketing",
            "Permite contacto",
            "Subscribed to WhatsApp",
            "marketing_consent",
            "Deseja receber mensagens?",
            "Quer receber novidades",
            "I agree to receive messages",
        ] {
            assert_eq!(ConsentColumn::of(name), Some(ConsentColumn::Wants), "{name}");
        }
        for name in [
            "Opt-out",
            "optout",
            "Opted out",
            "Unsubscribed",
            "Descadastrado",
            "Descadastro",
            "Não enviar",
            "Não receber mensagens",
            "No contactar",
            "No recibir",
            "Do not contact",
            "Baja",
            "Dado de baja",
            "Desuscrito",
            "Não aceita mensagens",
            "No acepta mensajes",
            "No quiere mensajes",
            "Does not accept marketing",
            "Consentimento revogado",
            "Consent withdrawn",
        ] {
            assert_eq!(ConsentColumn::of(name), Some(ConsentColumn::WantsNone), "{name}");
        }
        for name in [
            "Accepts Email Marketing",
            "Aceita SMS",
            "Opt-in e-mail",
            "Acepta correo",
            "Aceita contato por telefone",
            "Aceitou o orçamento",
            "Aceite da proposta",
            "Oferta aceita",
            "Accepted offer",
            "Consentimento informado",
            "Autorização",
            "Inscrito",
            "Subscribed",
            "Allowance",
            "Adopt in 2024",
            "Não contatado",
            "Aluno contactar",
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
        for cell in [
            "não",
            "NAO",
            " Não ",
            "n",
            "no",
            "No.",
            "false",
            "FALSO",
            "0",
            "0.0",
            "opt-out",
            "Recusou",
            "Não aceito",
            "No, thanks",
            "Não, obrigado",
            "Descadastrada",
            "Denied",
        ] {
            assert!(ConsentColumn::Wants.is_declined(cell), "{cell}");
        }
        for cell in ["", " ", "sim", "yes", "1", "-", "?", "n/a", "ainda não", "não informado", "2024-05-01", "Noemi"]
        {
            assert!(!ConsentColumn::Wants.is_declined(cell), "{cell}");
        }
        for cell in ["Sim", "yes", "x", "TRUE", "VERDADERO", "1", "Sí", "2024-05-01", "12/03/2025 10:00", "Opted out"]
        {
            assert!(ConsentColumn::WantsNone.is_declined(cell), "{cell}");
        }
        for cell in ["", "não", "no", "0", "n/a", "-", "opt-in"] {
            assert!(!ConsentColumn::WantsNone.is_declined(cell), "{cell}");
        }
    }

    #[test]
    fn a_column_about_promotions_counts_for_marketing_alone() {
        let concerns = |name: &str| {
            [Category::Marketing, Category::Utility, Category::Authentication]
                .map(|of| ConsentColumn::concerns(name, &of))
        };
        assert_eq!(concerns("Aceita mensagens"), [true, true, false]);
        assert_eq!(concerns("Acepta promociones"), [true, false, false]);
    }
}
