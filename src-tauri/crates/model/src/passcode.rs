//! What WhatsApp writes into an authentication template, in the language of the template (upstream §2.9): the text with
//! the code, the expiry, and the labels of the button. English for languages whose text is not known.

struct Words {
    /// The text; `{{1}}` is the code.
    code: &'static str,
    advice: &'static str,
    expires_in: &'static str,
    minute: &'static str,
    minutes: &'static str,
    copy: &'static str,
    autofill: &'static str,
}

const ENGLISH: Words = Words {
    code: "*{{1}}* is your verification code.",
    advice: "For your security, do not share this code.",
    expires_in: "This code expires in",
    minute: "minute",
    minutes: "minutes",
    copy: "Copy code",
    autofill: "Autofill",
};

const PORTUGUESE: Words = Words {
    code: "*{{1}}* é seu código de verificação.",
    advice: "Para sua segurança, não o compartilhe.",
    expires_in: "Este código expira em",
    minute: "minuto",
    minutes: "minutos",
    copy: "Copiar código",
    autofill: "Preencher",
};

const SPANISH: Words = Words {
    code: "Tu código de verificación es *{{1}}*.",
    advice: "Por tu seguridad, no lo compartas.",
    expires_in: "Este código caduca en",
    minute: "minuto",
    minutes: "minutos",
    copy: "Copiar código",
    autofill: "Autocompletar",
};

/// The words for a template's language, whichever country its code names.
fn words(language: &str) -> &'static Words {
    match language.split(['_', '-']).next().unwrap_or_default() {
        "pt" => &PORTUGUESE,
        "es" => &SPANISH,
        _ => &ENGLISH,
    }
}

/// The text, with `{{1}}` for the code; with the recommendation not to share it if the template has that.
#[must_use]
pub fn body_text(language: &str, has_recommendation: bool) -> String {
    let words = words(language);
    if has_recommendation { format!("{} {}", words.code, words.advice) } else { words.code.to_owned() }
}

/// The footer that tells for how many minutes the code is valid.
#[must_use]
pub fn expiry_text(language: &str, minutes: u64) -> String {
    let words = words(language);
    let unit = if minutes == 1 { words.minute } else { words.minutes };
    format!("{} {minutes} {unit}.", words.expires_in)
}

/// The label of a button that copies the code.
#[must_use]
pub fn copy_label(language: &str) -> &'static str {
    words(language).copy
}

/// The label of a button that hands the code to an app.
#[must_use]
pub fn autofill_label(language: &str) -> &'static str {
    words(language).autofill
}
