//! Texts that the shell shows outside the window, in English, Portuguese and Spanish.

/// A language of the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Portuguese,
    Spanish,
}

impl Language {
    /// The language of the preferences; where they name none, the system's.
    pub(crate) fn of(preference: &str) -> Self {
        let system = || {
            let named = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
            named.filter(|value| !value.is_empty()).take(1).collect::<String>()
        };
        let word = if preference.is_empty() { system() } else { preference.to_owned() };
        match word.get(..2) {
            Some("pt") => Self::Portuguese,
            Some("es") => Self::Spanish,
            _ => Self::English,
        }
    }
}

/// A sentence of the shell. Names in braces stand for values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sentence {
    Approved,
    Rejected,
    /// Another outcome, by its own word.
    Status,
    Paused,
    Disabled,
    Category,
    Quality,
    Webhooks,
    WebhooksOfNumber,
    WebhooksBody,
    TokenExpires,
    TokenExpiresToday,
    TokenExpired,
    TokenBody,
    ManyReviews,
    ManyPauses,
    ManyCategories,
    ManyQuality,
    ManyWebhooks,
    ManyTokens,
    Hidden,
    HiddenWithTray,
    HiddenWithoutTray,
    Open,
    Quit,
    Receiving,
    NotListening,
    Attention,
}

impl Sentence {
    /// The sentence with its values.
    pub(crate) fn say(self, language: Language, values: &[(&str, &str)]) -> String {
        let [english, portuguese, spanish] = self.texts();
        let text = match language {
            Language::English => english,
            Language::Portuguese => portuguese,
            Language::Spanish => spanish,
        };
        // One walk, so that no value is taken for a name.
        let mut said = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            said.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            said.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
            rest = after;
        }
        said.push_str(rest);
        said
    }

    /// In English, Portuguese and Spanish.
    fn texts(self) -> [&'static str; 3] {
        match self {
            Self::Approved => [
                "{name} ({language}) is approved",
                "{name} ({language}) foi aprovado",
                "{name} ({language}) está aprobada",
            ],
            Self::Rejected => [
                "{name} ({language}) is rejected",
                "{name} ({language}) foi rejeitado",
                "{name} ({language}) está rechazada",
            ],
            Self::Status => ["{name} ({language}): {status}"; 3],
            Self::Paused => [
                "{name} ({language}) is paused",
                "{name} ({language}) está pausado",
                "{name} ({language}) está en pausa",
            ],
            Self::Disabled => [
                "{name} ({language}) is disabled",
                "{name} ({language}) está desativado",
                "{name} ({language}) está desactivada",
            ],
            Self::Category => [
                "{name} ({language}) is now in the category {after}",
                "{name} ({language}) passou para a categoria {after}",
                "{name} ({language}) pasó a la categoría {after}",
            ],
            Self::Quality => [
                "The quality of {name} ({language}) fell to {after}",
                "A qualidade de {name} ({language}) caiu para {after}",
                "La calidad de {name} ({language}) bajó a {after}",
            ],
            Self::Webhooks => [
                "Webhooks of {workspace} are rejected",
                "Os webhooks de {workspace} estão sendo recusados",
                "Se rechazan los webhooks de {workspace}",
            ],
            Self::WebhooksOfNumber => [
                "Webhooks of the number {number} of {workspace} are rejected",
                "Os webhooks do número {number} de {workspace} estão sendo recusados",
                "Se rechazan los webhooks del número {number} de {workspace}",
            ],
            Self::WebhooksBody => [
                "{count} in a row. Open to see the cause.",
                "{count} seguidos. Abra para ver o que há de errado.",
                "{count} seguidos. Abre para ver qué falla.",
            ],
            Self::TokenExpires => [
                "The token of {workspace} expires in {days} days",
                "O token de {workspace} expira em {days} dias",
                "El token de {workspace} caduca en {days} días",
            ],
            Self::TokenExpiresToday => [
                "The token of {workspace} expires today",
                "O token de {workspace} expira hoje",
                "El token de {workspace} caduca hoy",
            ],
            Self::TokenExpired => [
                "The token of {workspace} has expired",
                "O token de {workspace} expirou",
                "El token de {workspace} ha caducado",
            ],
            Self::TokenBody => [
                "Create a new token at your provider and enter it in Settings.",
                "Gere outro na plataforma e informe-o nas Configurações.",
                "Genera otro en la plataforma e introdúcelo en Ajustes.",
            ],
            Self::ManyReviews => [
                "{count} templates were reviewed",
                "{count} modelos foram analisados",
                "Se revisaron {count} plantillas",
            ],
            Self::ManyPauses => [
                "{count} templates were paused or disabled",
                "{count} modelos foram pausados ou desativados",
                "{count} plantillas quedaron en pausa o desactivadas",
            ],
            Self::ManyCategories => [
                "{count} templates moved to another category",
                "{count} modelos mudaram de categoria",
                "{count} plantillas cambiaron de categoría",
            ],
            Self::ManyQuality => [
                "The quality of {count} templates fell",
                "A qualidade de {count} modelos caiu",
                "Bajó la calidad de {count} plantillas",
            ],
            Self::ManyWebhooks => [
                "{count} webhook endpoints reject deliveries",
                "{count} endereços de webhook recusam o que chega",
                "{count} direcciones de webhook rechazan lo que llega",
            ],
            Self::ManyTokens => ["{count} tokens expire", "{count} tokens expiram", "{count} tokens caducan"],
            Self::Hidden => [
                "Template Desk keeps receiving webhooks",
                "O Template Desk continua recebendo webhooks",
                "Template Desk sigue recibiendo webhooks",
            ],
            Self::HiddenWithTray => [
                "The window is closed. Open it or quit from the tray icon.",
                "A janela foi fechada. Abra-a ou saia pelo ícone na bandeja.",
                "La ventana está cerrada. Ábrela o sal desde el icono de la bandeja.",
            ],
            Self::HiddenWithoutTray => [
                "The window is closed. Start the app again to open it. To quit, choose Quit here, or turn this off in \
                 Settings and close the window.",
                "A janela foi fechada. Inicie o aplicativo de novo para abri-la. Para sair, escolha Sair aqui, ou desligue \
                 isto nas Configurações e feche a janela.",
                "La ventana está cerrada. Inicia la aplicación de nuevo para abrirla. Para salir, elige Salir aquí, o \
                 desactívalo en Ajustes y cierra la ventana.",
            ],
            Self::Open => ["Open", "Abrir", "Abrir"],
            Self::Quit => ["Quit", "Sair", "Salir"],
            Self::Receiving => [
                "Receiving webhooks at {address}",
                "Recebendo webhooks em {address}",
                "Recibiendo webhooks en {address}",
            ],
            Self::NotListening => ["Not receiving: {reason}", "Sem receber: {reason}", "Sin recibir: {reason}"],
            Self::Attention => [
                "A workspace needs attention",
                "Um espaço de trabalho precisa de atenção",
                "Un espacio de trabajo necesita atención",
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_come_from_the_preferences() {
        let languages = ["en", "pt-BR", "es", "xx"].map(Language::of);
        assert_eq!(languages, [Language::English, Language::Portuguese, Language::Spanish, Language::English]);
    }

    #[test]
    fn values_are_never_taken_for_names() {
        let said = Sentence::Approved.say(Language::English, &[("name", "{language}"), ("language", "en_US")]);
        assert_eq!(said, "{language} (en_US) is approved");
        assert_eq!(Sentence::Quit.say(Language::Spanish, &[]), "Salir");
    }
}
