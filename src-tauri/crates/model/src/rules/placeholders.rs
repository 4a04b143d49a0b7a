//! What a sample leaves for the business to fill in, and would reach customers as it is.

/// Sites that are reserved for documentation (RFC 2606), or lead to the reader's own machine.
const RESERVED: &[&str] = &["127.0.0.1", "example.com", "example.net", "example.org", "localhost"];

/// Endings that never lead to a site (RFC 2606). `.example` is left out: it is how samples write a site that exists.
const RESERVED_ENDINGS: &[&str] = &["invalid", "localhost", "test"];

/// Placeholders of the business's own domain, without hyphens, in English, Spanish and Portuguese.
const OWN_NAMES: &[&str] = &[
    "dominio",
    "ejemplo",
    "example",
    "exemplo",
    "mywebsite",
    "seudominio",
    "sualoja",
    "suaempresa",
    "sudominio",
    "suempresa",
    "seusite",
    "susitio",
    "sutienda",
    "tudominio",
    "tuempresa",
    "tusitio",
    "tusitioweb",
    "tutienda",
    "yourbusiness",
    "yourcompany",
    "yourdomain",
    "yourshop",
    "yoursite",
    "yourstore",
    "yourwebsite",
];

/// Words in brackets that ask for a value. Others may be meant as they are, such as the name of a brand.
const BRACKETED: &[&str] = &[
    "address",
    "amount",
    "business",
    "ciudad",
    "city",
    "cidade",
    "client",
    "cliente",
    "code",
    "codigo",
    "código",
    "company",
    "customer",
    "data",
    "date",
    "dirección",
    "empresa",
    "endereço",
    "fecha",
    "hora",
    "insert",
    "insertar",
    "inserir",
    "link",
    "loja",
    "monto",
    "name",
    "nombre",
    "nome",
    "number",
    "numero",
    "número",
    "phone",
    "price",
    "precio",
    "preço",
    "product",
    "producto",
    "produto",
    "seu",
    "store",
    "su",
    "sua",
    "telefone",
    "teléfono",
    "tienda",
    "time",
    "tu",
    "url",
    "valor",
    "value",
    "your",
];

/// Maximum length of a placeholder in brackets, in bytes.
const MAX_BRACKETED: usize = 30;

/// The host of an address, if it is a placeholder.
pub(super) fn host_in(url: &str) -> Option<&str> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().trim_end_matches('.');
    is_placeholder(host).then_some(host)
}

/// The first placeholder of a host in a text; with or without a scheme, also in an e-mail address.
fn host_in_text(text: &str) -> Option<&str> {
    let is_end = |letter: char| {
        letter.is_whitespace()
            || matches!(letter, '(' | ')' | '[' | ']' | '<' | '>' | '"' | '\'' | ',' | ';' | '*' | '_' | '~' | '@')
    };
    // A single word without a scheme, such as "localhost", is just a word.
    text.split(is_end)
        .filter(|word| word.contains('.') || word.contains("://"))
        .find_map(|word| host_in(word.trim_matches(['.', '!', ':', '…'])))
}

fn is_placeholder(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let is_in = |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if RESERVED.iter().any(|domain| is_in(domain)) {
        return true;
    }
    let labels: Vec<&str> = host.split('.').collect();
    if labels.len() > 1 && RESERVED_ENDINGS.contains(&labels[labels.len() - 1]) {
        return true;
    }
    labels.iter().enumerate().any(|(at, label)| {
        let ending = &labels[at + 1..];
        // A name before another name is the site of the other one, as in example.company.com.
        let is_own = ending.len() == 1 || (ending.len() == 2 && ending.iter().all(|part| part.len() <= 3));
        is_own && OWN_NAMES.contains(&label.replace('-', "").as_str())
    })
}

/// What a text leaves to be filled in: a host, `[Name]`, or filler text.
pub(super) fn in_text(text: &str) -> Option<&str> {
    host_in_text(text).or_else(|| bracketed(text)).or_else(|| filler(text))
}

/// The first words in square brackets that ask for a value, such as `[NAME]` or `[your company]`; with the brackets.
fn bracketed(text: &str) -> Option<&str> {
    text.match_indices('[').find_map(|(start, _)| {
        let length = text[start..].bytes().take(MAX_BRACKETED + 2).position(|byte| byte == b']')?;
        let inner = &text[start + 1..start + length];
        let names_a_value =
            inner.split([' ', '_', '-', '/']).any(|word| BRACKETED.contains(&word.to_lowercase().as_str()));
        names_a_value.then(|| &text[start..=start + length])
    })
}

fn filler(text: &str) -> Option<&str> {
    const FILLER: &str = "lorem ipsum";
    let is_filler = |part: &&str| part.eq_ignore_ascii_case(FILLER);
    text.char_indices().find_map(|(at, _)| text.get(at..at + FILLER.len()).filter(is_filler))
}

/// Whether a number is one of those for films and manuals: +1, any area, 555 01xx.
pub(crate) fn is_fictional_number(number: &str) -> bool {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.len() == 11 && digits.starts_with('1') && &digits[4..9] == "55501"
}
