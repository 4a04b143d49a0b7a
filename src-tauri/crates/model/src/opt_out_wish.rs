//! Received sentences that may be a wish to stop marketing, in English, Portuguese and Spanish. It is a hint for people:
//! only opt-out words ([`crate::opt_out_word`]) stop marketing by themselves.

use crate::opt_out_word::{PRESET_OPT_OUT_WORDS, comparable};

/// Longer texts are about more than that, in bytes.
const MAX_BYTES: usize = 500;
/// How many words after the beginning of a wish can name what it is about.
const MAX_DISTANCE: usize = 5;

/// Phrases that are a wish by themselves, as [`comparable`] has them.
const WISHES: &[&str] = &[
    // English; “don’t” is “don t”.
    "stop sending me",
    "stop texting me",
    "stop messaging me",
    "stop contacting me",
    "stop spamming",
    "stop these messages",
    "stop the messages",
    "stop all messages",
    "do not contact me",
    "don t contact me",
    "dont contact me",
    "do not message me",
    "don t message me",
    "dont message me",
    "do not text me",
    "don t text me",
    "dont text me",
    "take me off your",
    "take me off this",
    "take me off the list",
    "remove me from your",
    "remove me from this",
    "remove me from the list",
    "remove my number",
    "delete my number",
    "unsubscribe me",
    "want to unsubscribe",
    "opt me out",
    "want to opt out",
    "no more messages",
    "no more ads",
    "no more promotions",
    "leave me alone",
    // Portuguese
    "me mande mais nada",
    "me mandem mais nada",
    "nao quero mais receber",
    "nao desejo mais receber",
    "me tira da lista",
    "me tire da lista",
    "me tirem da lista",
    "me tira dessa lista",
    "me tirem dessa lista",
    "me remova da lista",
    "me removam da lista",
    "sair da lista",
    "sair dessa lista",
    "tire meu numero",
    "tirem meu numero",
    "tira meu numero",
    "remova meu numero",
    "removam meu numero",
    "apague meu numero",
    "apaguem meu numero",
    "quero me descadastrar",
    "me descadastre",
    "me descadastrem",
    "chega de mensagem",
    "chega de mensagens",
    "chega de propaganda",
    "me deixa em paz",
    "me deixe em paz",
    "me deixem em paz",
    // Spanish
    "dejen de escribirme",
    "deje de escribirme",
    "deja de escribirme",
    "dejen de molestar",
    "ya no quiero recibir",
    "no quiero recibir mas",
    "no quiero mas mensajes",
    "no deseo recibir mas",
    "saquenme de la lista",
    "sacame de la lista",
    "quitenme de la lista",
    "quitame de la lista",
    "saquenme de su lista",
    "borren mi numero",
    "borra mi numero",
    "eliminen mi numero",
    "elimina mi numero",
    "denme de baja",
    "dame de baja",
    "quiero darme de baja",
    "basta de mensajes",
    "dejenme en paz",
    "dejame en paz",
];

/// Phrases that are a wish if what follows is [`MESSAGES`] or [`THIS`].
const STOP_SENDING: &[&str] = &[
    "stop sending",
    "do not send me",
    "don t send me",
    "dont send me",
    "pare de mandar",
    "pare de me mandar",
    "pare de enviar",
    "pare de me enviar",
    "para de mandar",
    "para de me mandar",
    "para de enviar",
    "para de me enviar",
    "parem de mandar",
    "parem de me mandar",
    "parem de enviar",
    "parem de me enviar",
    "deixe de me mandar",
    "deixem de me mandar",
    "nao me mande",
    "nao me mandem",
    "nao me manda",
    "nao me envie",
    "nao me enviem",
    "nao me envia",
    "nao mande mais",
    "nao mandem mais",
    "nao envie mais",
    "nao enviem mais",
    "deja de mandarme",
    "deja de enviarme",
    "deje de mandarme",
    "deje de enviarme",
    "dejen de mandarme",
    "dejen de enviarme",
    "dejen de mandar",
    "dejen de enviar",
    "paren de mandar",
    "paren de enviar",
    "para de mandarme",
    "no me mandes",
    "no me mande",
    "no me manden",
    "no me envies",
    "no me envie",
    "no me envien",
    "no manden mas",
    "no envien mas",
    "no me escriban",
];

/// Phrases that are a wish only if what follows is [`MESSAGES`]: people also want no goods.
const WANT_NONE: &[&str] = &[
    "do not want",
    "don t want",
    "dont want",
    "no longer want",
    "not interested in",
    "nao quero",
    "nao quero mais",
    "nao quero receber",
    "nao desejo",
    "nao desejo receber",
    "no quiero",
    "no quiero recibir",
    "no deseo",
    "no deseo recibir",
    "no necesito",
];

/// What a text begins with that is a wish if [`MESSAGES`] follows at once, as on a button: “Parar promos”, “Sair das ofertas”.
const COMMANDS: &[&str] = &[
    "stop",
    "unsubscribe from",
    "parar",
    "parar de receber",
    "parar com",
    "pare",
    "pare com",
    "pausar",
    "interromper",
    "sair de",
    "sair",
    "descadastrar de",
    "chega de",
    "detener",
    "dejar de recibir",
    "salir de",
    "darme de baja de",
    "basta de",
    "no mas",
];

/// Between a command and what it is about.
const ARTICLES: &[&str] = &["the", "all", "your", "as", "os", "das", "dos", "suas", "essas", "las", "los", "sus"];

/// Texts that are a wish if they say nothing else; with more they are often about something else.
const WHOLE: &[&str] = &[
    "no more",
    "not interested",
    "i m not interested",
    "nao quero",
    "nao quero mais",
    "ja nao quero",
    "nao tenho interesse",
    "nao me interessa",
    "sem interesse",
    "no quiero",
    "no quiero mas",
    "ya no quiero",
    "ya no quiero mas",
    "no me interesa",
    "no estoy interesado",
    "no estoy interesada",
];

/// What marketing is called.
const MESSAGES: &[&str] = &[
    "message",
    "messages",
    "texts",
    "ad",
    "ads",
    "advertising",
    "promotion",
    "promotions",
    "promos",
    "offers",
    "newsletter",
    "newsletters",
    "marketing",
    "spam",
    "mensagem",
    "mensagens",
    "msg",
    "msgs",
    "propaganda",
    "propagandas",
    "promocao",
    "promocoes",
    "ofertas",
    "publicidade",
    "anuncio",
    "anuncios",
    "mensaje",
    "mensajes",
    "publicidad",
    "promocion",
    "promociones",
    "avisos",
    "notificacoes",
    "notificaciones",
];

/// What people call it when they answer a message.
const THIS: &[&str] = &[
    "this", "these", "that", "anything", "anymore", "isso", "isto", "nada", "mais", "esto", "eso", "mas", "estas",
    "essas",
];

/// What people say around a word, and nothing else.
const COURTESY: &[&str] = &[
    "please", "pls", "thanks", "thank", "you", "now", "por", "favor", "obrigado", "obrigada", "gracias", "agora",
    "ahora", "ja", "ya", "pf",
];

/// Words that also end a chat, an order or an appointment when more is said.
const NOT_WITH_COURTESY: &[&str] = &["cancel", "cancelar", "remover", "revoke"];

/// Whether a received text may be a wish to stop marketing: a person has to read it.
#[must_use]
pub fn may_be_opt_out_wish(text: &str) -> bool {
    if text.len() > MAX_BYTES {
        return false;
    }
    let text = comparable(text);
    let words: Vec<&str> = text.split(' ').collect();
    let has = |phrases: &[&str], objects: &[&[&str]]| {
        phrases.iter().any(|phrase| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            let mut places = words.windows(phrase.len()).enumerate().filter(|(_, window)| **window == *phrase);
            places.any(|(at, _)| {
                let after = words.iter().skip(at + phrase.len()).take(MAX_DISTANCE);
                objects.is_empty() || after.clone().any(|word| objects.iter().any(|list| list.contains(word)))
            })
        })
    };
    let is_command = || {
        COMMANDS.iter().any(|command| {
            let rest = text.strip_prefix(command).and_then(|rest| rest.strip_prefix(' '));
            let about = rest.and_then(|rest| rest.split(' ').find(|word| !ARTICLES.contains(word)));
            about.is_some_and(|word| MESSAGES.contains(&word))
        })
    };
    let is_alone = || {
        let rest: Vec<&str> = words.iter().filter(|word| !COURTESY.contains(word)).copied().collect();
        let rest = rest.join(" ");
        if WHOLE.contains(&rest.as_str()) || WHOLE.contains(&text.as_str()) {
            return true;
        }
        rest.len() < text.len()
            && !NOT_WITH_COURTESY.contains(&rest.as_str())
            && PRESET_OPT_OUT_WORDS.iter().any(|word| comparable(word) == rest)
    };
    has(WISHES, &[])
        || has(STOP_SENDING, &[MESSAGES, THIS])
        || has(WANT_NONE, &[MESSAGES])
        || is_command()
        || is_alone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_ask_for_an_end_are_wishes() {
        for text in [
            "pare de me mandar isso",
            "Pare de me mandar isso!!",
            "PAREM DE MANDAR MENSAGEM",
            "Por favor, não me mande mais mensagens",
            "não quero mais receber essas promoções",
            "Não quero receber propaganda de vocês",
            "me tira da lista por favor",
            "Tirem meu número daí",
            "chega de propaganda",
            "sair, por favor",
            "stop sending me this",
            "Please don’t send me any more messages",
            "I don't want these ads",
            "Remove me from your list",
            "Take me off this list, I never signed up",
            "please stop",
            "Stop. Thank you",
            "No me manden más mensajes",
            "Dejen de enviarme esto",
            "Ya no quiero recibir promociones",
            "no quiero publicidad",
            "Quiero darme de baja, gracias",
            "Bórrenme… borren mi número",
            "baja por favor",
            "Não quero mais",
            "No quiero más.",
            "No me interesa, gracias",
            "Not interested",
            "Parar promos",
            "Parar de receber ofertas",
            "Sair das promoções",
            "Stop promos",
            "No más mensajes",
            "Dejar de recibir publicidad",
        ] {
            assert!(may_be_opt_out_wish(text), "{text}");
        }
    }

    #[test]
    fn other_sentences_are_no_wishes() {
        for text in [
            "",
            "stop",
            "Não pare!",
            "Pode parar na minha rua?",
            "Quero sair mais cedo",
            "Pare de mandar para o trabalho",
            "Vou sair agora, vejo a mensagem depois",
            "Quando vai sair a promoção?",
            "Vai sair promoção?",
            "¿Cuándo van a salir las promociones?",
            "Voy a salir, luego leo el mensaje",
            "Can I stop by to see the offers?",
            "Stop by for the offers?",
            "Não pare com as promoções!",
            "Don't stop the offers",
            "Yo no más quería ver las ofertas",
            "por favor não pare",
            "Quero cancelar meu pedido",
            "cancelar por favor",
            "Não me mande o boleto por e-mail, prefiro retirar na loja",
            "pare de mandar o pedido para o endereço antigo",
            "não quero a azul, quero a verde",
            "No me envíe el pedido hoy",
            "no quiero flores rojas",
            "no quiero más flores",
            "não quero mais esperar",
            "I don't want the red one",
            "Can you stop by at nine?",
            "Please send me the offers",
            "Adorei as promoções, mande mais!",
            "Obrigado",
        ] {
            assert!(!may_be_opt_out_wish(text), "{text}");
        }
        assert!(!may_be_opt_out_wish(&format!("stop sending me this {}", "and ".repeat(MAX_BYTES))));
    }
}
