//! The languages a template can be written in (upstream §11).
//!
//! Unknown codes, which the provider may add later, are shown and sent unchanged; the list is for choosing and for
//! hints.

use std::borrow::Cow;

use serde::Serialize;
use ts_rs::TS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Language {
    /// Exact code, such as `pt_BR`. `en` and `en_US` are different languages of a template.
    pub code: &'static str,
    /// English name, with the country if the code has one.
    pub name: &'static str,
}

/// Every language, by code in byte order.
pub const LANGUAGES: &[Language] = &[
    Language { code: "af", name: "Afrikaans" },
    Language { code: "ar", name: "Arabic" },
    Language { code: "ar_AE", name: "Arabic (United Arab Emirates)" },
    Language { code: "ar_EG", name: "Arabic (Egypt)" },
    Language { code: "ar_LB", name: "Arabic (Lebanon)" },
    Language { code: "ar_MA", name: "Arabic (Morocco)" },
    Language { code: "ar_QA", name: "Arabic (Qatar)" },
    Language { code: "az", name: "Azerbaijani" },
    Language { code: "be_BY", name: "Belarusian" },
    Language { code: "bg", name: "Bulgarian" },
    Language { code: "bn", name: "Bengali" },
    Language { code: "bn_IN", name: "Bengali (India)" },
    Language { code: "ca", name: "Catalan" },
    Language { code: "cs", name: "Czech" },
    Language { code: "da", name: "Danish" },
    Language { code: "de", name: "German" },
    Language { code: "de_AT", name: "German (Austria)" },
    Language { code: "de_CH", name: "German (Switzerland)" },
    Language { code: "el", name: "Greek" },
    Language { code: "en", name: "English" },
    Language { code: "en_AE", name: "English (United Arab Emirates)" },
    Language { code: "en_AU", name: "English (Australia)" },
    Language { code: "en_CA", name: "English (Canada)" },
    Language { code: "en_GB", name: "English (United Kingdom)" },
    Language { code: "en_GH", name: "English (Ghana)" },
    Language { code: "en_IE", name: "English (Ireland)" },
    Language { code: "en_IN", name: "English (India)" },
    Language { code: "en_JM", name: "English (Jamaica)" },
    Language { code: "en_MY", name: "English (Malaysia)" },
    Language { code: "en_NZ", name: "English (New Zealand)" },
    Language { code: "en_QA", name: "English (Qatar)" },
    Language { code: "en_SG", name: "English (Singapore)" },
    Language { code: "en_UG", name: "English (Uganda)" },
    Language { code: "en_US", name: "English (United States)" },
    Language { code: "en_ZA", name: "English (South Africa)" },
    Language { code: "es", name: "Spanish" },
    Language { code: "es_AR", name: "Spanish (Argentina)" },
    Language { code: "es_CL", name: "Spanish (Chile)" },
    Language { code: "es_CO", name: "Spanish (Colombia)" },
    Language { code: "es_CR", name: "Spanish (Costa Rica)" },
    Language { code: "es_DO", name: "Spanish (Dominican Republic)" },
    Language { code: "es_EC", name: "Spanish (Ecuador)" },
    Language { code: "es_ES", name: "Spanish (Spain)" },
    Language { code: "es_HN", name: "Spanish (Honduras)" },
    Language { code: "es_MX", name: "Spanish (Mexico)" },
    Language { code: "es_PA", name: "Spanish (Panama)" },
    Language { code: "es_PE", name: "Spanish (Peru)" },
    Language { code: "es_UY", name: "Spanish (Uruguay)" },
    Language { code: "et", name: "Estonian" },
    Language { code: "fa", name: "Persian" },
    Language { code: "fi", name: "Finnish" },
    Language { code: "fil", name: "Filipino" },
    Language { code: "fr", name: "French" },
    Language { code: "fr_BE", name: "French (Belgium)" },
    Language { code: "fr_CA", name: "French (Canada)" },
    Language { code: "fr_CH", name: "French (Switzerland)" },
    Language { code: "fr_CI", name: "French (Côte d’Ivoire)" },
    Language { code: "fr_MA", name: "French (Morocco)" },
    Language { code: "ga", name: "Irish" },
    Language { code: "gu", name: "Gujarati" },
    Language { code: "ha", name: "Hausa" },
    Language { code: "he", name: "Hebrew" },
    Language { code: "hi", name: "Hindi" },
    Language { code: "hr", name: "Croatian" },
    Language { code: "hu", name: "Hungarian" },
    Language { code: "id", name: "Indonesian" },
    Language { code: "it", name: "Italian" },
    Language { code: "ja", name: "Japanese" },
    Language { code: "ka", name: "Georgian" },
    Language { code: "kk", name: "Kazakh" },
    Language { code: "kn", name: "Kannada" },
    Language { code: "ko", name: "Korean" },
    Language { code: "ky_KG", name: "Kyrgyz" },
    Language { code: "lo", name: "Lao" },
    Language { code: "lt", name: "Lithuanian" },
    Language { code: "lv", name: "Latvian" },
    Language { code: "mk", name: "Macedonian" },
    Language { code: "ml", name: "Malayalam" },
    Language { code: "mr", name: "Marathi" },
    Language { code: "ms", name: "Malay" },
    Language { code: "nb", name: "Norwegian" },
    Language { code: "nl", name: "Dutch" },
    Language { code: "nl_BE", name: "Dutch (Belgium)" },
    Language { code: "pa", name: "Punjabi" },
    Language { code: "pl", name: "Polish" },
    Language { code: "prs_AF", name: "Dari" },
    Language { code: "ps_AF", name: "Pashto" },
    Language { code: "pt_BR", name: "Portuguese (Brazil)" },
    Language { code: "pt_PT", name: "Portuguese (Portugal)" },
    Language { code: "ro", name: "Romanian" },
    Language { code: "ru", name: "Russian" },
    Language { code: "rw_RW", name: "Kinyarwanda" },
    Language { code: "si_LK", name: "Sinhala" },
    Language { code: "sk", name: "Slovak" },
    Language { code: "sl", name: "Slovenian" },
    Language { code: "sq", name: "Albanian" },
    Language { code: "sr", name: "Serbian" },
    Language { code: "sv", name: "Swedish" },
    Language { code: "sw", name: "Swahili" },
    Language { code: "ta", name: "Tamil" },
    Language { code: "te", name: "Telugu" },
    Language { code: "th", name: "Thai" },
    Language { code: "tr", name: "Turkish" },
    Language { code: "uk", name: "Ukrainian" },
    Language { code: "ur", name: "Urdu" },
    Language { code: "uz", name: "Uzbek" },
    Language { code: "vi", name: "Vietnamese" },
    Language { code: "zh_CN", name: "Chinese (China)" },
    Language { code: "zh_HK", name: "Chinese (Hong Kong)" },
    Language { code: "zh_TW", name: "Chinese (Taiwan)" },
    Language { code: "zu", name: "Zulu" },
];

/// The language with exactly this code.
#[must_use]
pub fn find(code: &str) -> Option<&'static Language> {
    LANGUAGES.binary_search_by(|language| language.code.cmp(code)).ok().map(|at| &LANGUAGES[at])
}

/// Whether the channel's list has exactly this code.
#[must_use]
pub fn is_known(code: &str) -> bool {
    find(code).is_some()
}

/// `code` in the spelling of the list: `pt-br` becomes `pt_BR`. In unknown codes, only hyphens are replaced.
///
/// Template events have `en-US` where templates have `en_US` (upstream §8.4).
#[must_use]
pub fn normalise(code: &str) -> Cow<'_, str> {
    let code = code.trim();
    let joined = if code.contains('-') { Cow::Owned(code.replace('-', "_")) } else { Cow::Borrowed(code) };
    if is_known(&joined) {
        return joined;
    }
    match LANGUAGES.iter().find(|language| language.code.eq_ignore_ascii_case(&joined)) {
        Some(language) => Cow::Borrowed(language.code),
        None => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_the_channels_languages() {
        assert_eq!(LANGUAGES.len(), 111);
        assert!(LANGUAGES.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert_eq!(find("pt_BR").map(|language| language.name), Some("Portuguese (Brazil)"));
        assert!(!is_known("pt_br") && !is_known("pt-BR") && !is_known("xx") && !is_known(""));
    }

    #[test]
    fn spellings_are_normalised() {
        for (code, normal) in [
            ("en-US", "en_US"),
            ("en_US", "en_US"),
            ("pt-br", "pt_BR"),
            ("PRS_af", "prs_AF"),
            ("EN", "en"),
            (" es ", "es"),
            ("xx-YY", "xx_YY"),
            ("", ""),
        ] {
            assert_eq!(normalise(code), normal, "{code}");
        }
    }
}
