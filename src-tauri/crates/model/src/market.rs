//! Markets of a rate card: countries with a price of their own, and the regions of all others.
//!
//! Source: M:pricing, "Country calling codes" (as of the cards until July 2026). A card may name any country: its own
//! price comes before that of its region, so that a country which leaves its region needs no new table here.

use std::collections::HashMap;
use std::sync::LazyLock;

crate::closed_enum! {
    /// A group of countries with one price, as rate cards name it.
    Region in "model.ts" {
        NorthAmerica = "North America",
        Africa = "Rest of Africa",
        AsiaPacific = "Rest of Asia Pacific",
        EasternEurope = "Rest of Central & Eastern Europe",
        LatinAmerica = "Rest of Latin America",
        MiddleEast = "Rest of Middle East",
        WesternEurope = "Rest of Western Europe",
        Other = "Other",
    }
}

/// What a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Market {
    /// A country, by its ISO 3166 code.
    Country(&'static str),
    /// A region, by its place in [`Region::ALL`].
    Region(u8),
}

impl From<Region> for Market {
    fn from(region: Region) -> Self {
        Self::Region(region as u8)
    }
}

impl Market {
    /// The market that a rate card names: a region, or a country by its English name or ISO 3166 code. Case, accents and
    /// punctuation do not matter.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        static NAMED: LazyLock<HashMap<String, Market>> = LazyLock::new(|| {
            let country = |(code, name, _): &(&'static str, &str, _)| {
                [code.to_ascii_lowercase(), words(name)].map(|name| (name, Market::Country(code)))
            };
            let aliases = ALIASES.iter().map(|(alias, code)| ((*alias).to_owned(), Market::Country(code)));
            let regions = Region::ALL.iter().map(|region| (words(region.as_str()), Market::from(*region)));
            COUNTRIES.iter().flat_map(country).chain(aliases).chain(regions).collect()
        });
        NAMED.get(&words(name)).copied()
    }

    /// The markets whose prices apply to a country, given by its ISO 3166 code, the first that has one.
    #[must_use]
    pub fn of_country(code: &str) -> Vec<Self> {
        let Some((code, _, region)) = COUNTRIES.iter().find(|(known, _, _)| *known == code) else { return Vec::new() };
        [Some(Self::Country(code)), region.map(Self::from)].into_iter().flatten().collect()
    }

    /// The region's name as in a rate card, or the country's ISO 3166 code.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Region(place) => Region::ALL.get(usize::from(place)).map_or("Other", |region| region.as_str()),
            Self::Country(code) => code,
        }
    }
}

/// A name to compare: its words in lower case without accents, "and" and punctuation, separated by one space.
#[must_use]
pub fn words(name: &str) -> String {
    let folded: String = icu_normalizer::DecomposingNormalizerBorrowed::new_nfkd()
        .normalize(name)
        .chars()
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
        .collect();
    let lower = folded.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && *word != "and");
    parts.collect::<Vec<_>>().join(" ")
}

/// Other names of countries, as [`words`] has them.
const ALIASES: [(&str, &str); 14] = [
    ("turkiye", "TR"),
    ("united states america", "US"),
    ("united states of america", "US"),
    ("usa", "US"),
    ("uk", "GB"),
    ("great britain", "GB"),
    ("uae", "AE"),
    ("czechia", "CZ"),
    ("macedonia", "MK"),
    ("swaziland", "SZ"),
    ("cote d ivoire", "CI"),
    ("russian federation", "RU"),
    ("viet nam", "VN"),
    ("korea south", "KR"),
];

/// ISO 3166 code, English name, region; no region for countries that have always had a price of their own.
const COUNTRIES: [(&str, &str, Option<Region>); 245] = [
    ("AC", "Ascension Island", Some(Region::Other)),
    ("AD", "Andorra", Some(Region::Other)),
    ("AE", "United Arab Emirates", None),
    ("AF", "Afghanistan", Some(Region::AsiaPacific)),
    ("AG", "Antigua and Barbuda", Some(Region::Other)),
    ("AI", "Anguilla", Some(Region::Other)),
    ("AL", "Albania", Some(Region::EasternEurope)),
    ("AM", "Armenia", Some(Region::EasternEurope)),
    ("AO", "Angola", Some(Region::Africa)),
    ("AR", "Argentina", None),
    ("AS", "American Samoa", Some(Region::Other)),
    ("AT", "Austria", Some(Region::WesternEurope)),
    ("AU", "Australia", Some(Region::AsiaPacific)),
    ("AW", "Aruba", Some(Region::Other)),
    ("AX", "Aland Islands", Some(Region::Other)),
    ("AZ", "Azerbaijan", Some(Region::EasternEurope)),
    ("BA", "Bosnia and Herzegovina", Some(Region::Other)),
    ("BB", "Barbados", Some(Region::Other)),
    ("BD", "Bangladesh", Some(Region::AsiaPacific)),
    ("BE", "Belgium", Some(Region::WesternEurope)),
    ("BF", "Burkina Faso", Some(Region::Africa)),
    ("BG", "Bulgaria", Some(Region::EasternEurope)),
    ("BH", "Bahrain", Some(Region::MiddleEast)),
    ("BI", "Burundi", Some(Region::Africa)),
    ("BJ", "Benin", Some(Region::Africa)),
    ("BL", "Saint Barthelemy", Some(Region::Other)),
    ("BM", "Bermuda", Some(Region::Other)),
    ("BN", "Brunei", Some(Region::Other)),
    ("BO", "Bolivia", Some(Region::LatinAmerica)),
    ("BQ", "Caribbean Netherlands", Some(Region::Other)),
    ("BR", "Brazil", None),
    ("BS", "Bahamas", Some(Region::Other)),
    ("BT", "Bhutan", Some(Region::Other)),
    ("BW", "Botswana", Some(Region::Africa)),
    ("BY", "Belarus", Some(Region::EasternEurope)),
    ("BZ", "Belize", Some(Region::Other)),
    ("CA", "Canada", Some(Region::NorthAmerica)),
    ("CC", "Cocos (Keeling) Islands", Some(Region::Other)),
    ("CD", "Congo (Dem. Rep.)", Some(Region::Other)),
    ("CF", "Central African Rep.", Some(Region::Other)),
    ("CG", "Republic of the Congo", Some(Region::Africa)),
    ("CH", "Switzerland", Some(Region::WesternEurope)),
    ("CI", "Ivory Coast", Some(Region::Africa)),
    ("CK", "Cook Islands", Some(Region::Other)),
    ("CL", "Chile", None),
    ("CM", "Cameroon", Some(Region::Africa)),
    ("CN", "China", Some(Region::AsiaPacific)),
    ("CO", "Colombia", None),
    ("CR", "Costa Rica", Some(Region::LatinAmerica)),
    ("CU", "Cuba", Some(Region::Other)),
    ("CV", "Cape Verde", Some(Region::Other)),
    ("CW", "Curacao", Some(Region::Other)),
    ("CX", "Christmas Island", Some(Region::Other)),
    ("CY", "Cyprus", Some(Region::Other)),
    ("CZ", "Czech Republic", Some(Region::EasternEurope)),
    ("DE", "Germany", None),
    ("DJ", "Djibouti", Some(Region::Other)),
    ("DK", "Denmark", Some(Region::WesternEurope)),
    ("DM", "Dominica", Some(Region::Other)),
    ("DO", "Dominican Republic", Some(Region::LatinAmerica)),
    ("DZ", "Algeria", Some(Region::Africa)),
    ("EC", "Ecuador", Some(Region::LatinAmerica)),
    ("EE", "Estonia", Some(Region::Other)),
    ("EG", "Egypt", None),
    ("EH", "Western Sahara", Some(Region::Other)),
    ("ER", "Eritrea", Some(Region::Africa)),
    ("ES", "Spain", None),
    ("ET", "Ethiopia", Some(Region::Africa)),
    ("FI", "Finland", Some(Region::WesternEurope)),
    ("FJ", "Fiji", Some(Region::Other)),
    ("FK", "Falkland Islands", Some(Region::Other)),
    ("FM", "Micronesia", Some(Region::Other)),
    ("FO", "Faroe Islands", Some(Region::Other)),
    ("FR", "France", None),
    ("GA", "Gabon", Some(Region::Africa)),
    ("GB", "United Kingdom", None),
    ("GD", "Grenada", Some(Region::Other)),
    ("GE", "Georgia", Some(Region::EasternEurope)),
    ("GF", "French Guiana", Some(Region::Other)),
    ("GG", "Guernsey", Some(Region::Other)),
    ("GH", "Ghana", Some(Region::Africa)),
    ("GI", "Gibraltar", Some(Region::Other)),
    ("GL", "Greenland", Some(Region::Other)),
    ("GM", "Gambia", Some(Region::Africa)),
    ("GN", "Guinea", Some(Region::Other)),
    ("GP", "Guadeloupe", Some(Region::Other)),
    ("GQ", "Equatorial Guinea", Some(Region::Other)),
    ("GR", "Greece", Some(Region::EasternEurope)),
    ("GT", "Guatemala", Some(Region::LatinAmerica)),
    ("GU", "Guam", Some(Region::Other)),
    ("GW", "Guinea-Bissau", Some(Region::Africa)),
    ("GY", "Guyana", Some(Region::Other)),
    ("HK", "Hong Kong", Some(Region::AsiaPacific)),
    ("HN", "Honduras", Some(Region::LatinAmerica)),
    ("HR", "Croatia", Some(Region::EasternEurope)),
    ("HT", "Haiti", Some(Region::LatinAmerica)),
    ("HU", "Hungary", Some(Region::EasternEurope)),
    ("ID", "Indonesia", None),
    ("IE", "Ireland", Some(Region::WesternEurope)),
    ("IL", "Israel", None),
    ("IM", "Isle of Man", Some(Region::Other)),
    ("IN", "India", None),
    ("IO", "British Indian Ocean Territory", Some(Region::Other)),
    ("IQ", "Iraq", Some(Region::MiddleEast)),
    ("IR", "Iran", Some(Region::Other)),
    ("IS", "Iceland", Some(Region::Other)),
    ("IT", "Italy", None),
    ("JE", "Jersey", Some(Region::Other)),
    ("JM", "Jamaica", Some(Region::LatinAmerica)),
    ("JO", "Jordan", Some(Region::MiddleEast)),
    ("JP", "Japan", Some(Region::AsiaPacific)),
    ("KE", "Kenya", Some(Region::Africa)),
    ("KG", "Kyrgyzstan", Some(Region::Other)),
    ("KH", "Cambodia", Some(Region::AsiaPacific)),
    ("KI", "Kiribati", Some(Region::Other)),
    ("KM", "Comoros", Some(Region::Other)),
    ("KN", "Saint Kitts and Nevis", Some(Region::Other)),
    ("KP", "North Korea", Some(Region::Other)),
    ("KR", "South Korea", Some(Region::Other)),
    ("KW", "Kuwait", Some(Region::MiddleEast)),
    ("KY", "Cayman Islands", Some(Region::Other)),
    ("KZ", "Kazakhstan", Some(Region::Other)),
    ("LA", "Laos", Some(Region::AsiaPacific)),
    ("LB", "Lebanon", Some(Region::MiddleEast)),
    ("LC", "Saint Lucia", Some(Region::Other)),
    ("LI", "Liechtenstein", Some(Region::Other)),
    ("LK", "Sri Lanka", Some(Region::AsiaPacific)),
    ("LR", "Liberia", Some(Region::Africa)),
    ("LS", "Lesotho", Some(Region::Africa)),
    ("LT", "Lithuania", Some(Region::EasternEurope)),
    ("LU", "Luxembourg", Some(Region::Other)),
    ("LV", "Latvia", Some(Region::EasternEurope)),
    ("LY", "Libya", Some(Region::Africa)),
    ("MA", "Morocco", Some(Region::Africa)),
    ("MC", "Monaco", Some(Region::Other)),
    ("MD", "Moldova", Some(Region::EasternEurope)),
    ("ME", "Montenegro", Some(Region::Other)),
    ("MF", "Saint Martin", Some(Region::Other)),
    ("MG", "Madagascar", Some(Region::Africa)),
    ("MH", "Marshall Islands", Some(Region::Other)),
    ("MK", "North Macedonia", Some(Region::EasternEurope)),
    ("ML", "Mali", Some(Region::Africa)),
    ("MM", "Myanmar", Some(Region::Other)),
    ("MN", "Mongolia", Some(Region::AsiaPacific)),
    ("MO", "Macau", Some(Region::Other)),
    ("MP", "Northern Mariana Islands", Some(Region::Other)),
    ("MQ", "Martinique", Some(Region::Other)),
    ("MR", "Mauritania", Some(Region::Africa)),
    ("MS", "Montserrat", Some(Region::Other)),
    ("MT", "Malta", Some(Region::Other)),
    ("MU", "Mauritius", Some(Region::Other)),
    ("MV", "Maldives", Some(Region::Other)),
    ("MW", "Malawi", Some(Region::Africa)),
    ("MX", "Mexico", None),
    ("MY", "Malaysia", None),
    ("MZ", "Mozambique", Some(Region::Africa)),
    ("NA", "Namibia", Some(Region::Africa)),
    ("NC", "New Caledonia", Some(Region::Other)),
    ("NE", "Niger", Some(Region::Africa)),
    ("NF", "Norfolk Island", Some(Region::Other)),
    ("NG", "Nigeria", None),
    ("NI", "Nicaragua", Some(Region::LatinAmerica)),
    ("NL", "Netherlands", None),
    ("NO", "Norway", Some(Region::WesternEurope)),
    ("NP", "Nepal", Some(Region::AsiaPacific)),
    ("NR", "Nauru", Some(Region::Other)),
    ("NU", "Niue", Some(Region::Other)),
    ("NZ", "New Zealand", Some(Region::AsiaPacific)),
    ("OM", "Oman", Some(Region::MiddleEast)),
    ("PA", "Panama", Some(Region::LatinAmerica)),
    ("PE", "Peru", None),
    ("PF", "French Polynesia", Some(Region::Other)),
    ("PG", "Papua New Guinea", Some(Region::AsiaPacific)),
    ("PH", "Philippines", Some(Region::AsiaPacific)),
    ("PK", "Pakistan", None),
    ("PL", "Poland", Some(Region::EasternEurope)),
    ("PM", "Saint Pierre and Miquelon", Some(Region::Other)),
    ("PR", "Puerto Rico", Some(Region::LatinAmerica)),
    ("PS", "Palestine", Some(Region::Other)),
    ("PT", "Portugal", Some(Region::WesternEurope)),
    ("PW", "Palau", Some(Region::Other)),
    ("PY", "Paraguay", Some(Region::LatinAmerica)),
    ("QA", "Qatar", Some(Region::MiddleEast)),
    ("RE", "Reunion", Some(Region::Other)),
    ("RO", "Romania", Some(Region::EasternEurope)),
    ("RS", "Serbia", Some(Region::EasternEurope)),
    ("RU", "Russia", None),
    ("RW", "Rwanda", Some(Region::Africa)),
    ("SA", "Saudi Arabia", None),
    ("SB", "Solomon Islands", Some(Region::Other)),
    ("SC", "Seychelles", Some(Region::Other)),
    ("SD", "Sudan", Some(Region::Africa)),
    ("SE", "Sweden", Some(Region::WesternEurope)),
    ("SG", "Singapore", Some(Region::AsiaPacific)),
    ("SH", "Saint Helena", Some(Region::Other)),
    ("SI", "Slovenia", Some(Region::EasternEurope)),
    ("SJ", "Svalbard and Jan Mayen", Some(Region::Other)),
    ("SK", "Slovakia", Some(Region::EasternEurope)),
    ("SL", "Sierra Leone", Some(Region::Africa)),
    ("SM", "San Marino", Some(Region::Other)),
    ("SN", "Senegal", Some(Region::Africa)),
    ("SO", "Somalia", Some(Region::Africa)),
    ("SR", "Suriname", Some(Region::Other)),
    ("SS", "South Sudan", Some(Region::Africa)),
    ("ST", "Sao Tome and Principe", Some(Region::Other)),
    ("SV", "El Salvador", Some(Region::LatinAmerica)),
    ("SX", "Sint Maarten", Some(Region::Other)),
    ("SY", "Syria", Some(Region::Other)),
    ("SZ", "Eswatini", Some(Region::Africa)),
    ("TA", "Tristan da Cunha", Some(Region::Other)),
    ("TC", "Turks and Caicos Islands", Some(Region::Other)),
    ("TD", "Chad", Some(Region::Africa)),
    ("TG", "Togo", Some(Region::Africa)),
    ("TH", "Thailand", Some(Region::AsiaPacific)),
    ("TJ", "Tajikistan", Some(Region::AsiaPacific)),
    ("TK", "Tokelau", Some(Region::Other)),
    ("TL", "East Timor", Some(Region::Other)),
    ("TM", "Turkmenistan", Some(Region::AsiaPacific)),
    ("TN", "Tunisia", Some(Region::Africa)),
    ("TO", "Tonga", Some(Region::Other)),
    ("TR", "Turkey", None),
    ("TT", "Trinidad and Tobago", Some(Region::Other)),
    ("TV", "Tuvalu", Some(Region::Other)),
    ("TW", "Taiwan", Some(Region::AsiaPacific)),
    ("TZ", "Tanzania", Some(Region::Africa)),
    ("UA", "Ukraine", Some(Region::EasternEurope)),
    ("UG", "Uganda", Some(Region::Africa)),
    ("US", "United States", Some(Region::NorthAmerica)),
    ("UY", "Uruguay", Some(Region::LatinAmerica)),
    ("UZ", "Uzbekistan", Some(Region::AsiaPacific)),
    ("VA", "Vatican City", Some(Region::Other)),
    ("VC", "Saint Vincent and the Grenadines", Some(Region::Other)),
    ("VE", "Venezuela", Some(Region::LatinAmerica)),
    ("VG", "British Virgin Islands", Some(Region::Other)),
    ("VI", "US Virgin Islands", Some(Region::Other)),
    ("VN", "Vietnam", Some(Region::AsiaPacific)),
    ("VU", "Vanuatu", Some(Region::Other)),
    ("WF", "Wallis and Futuna", Some(Region::Other)),
    ("WS", "Samoa", Some(Region::Other)),
    ("XK", "Kosovo", Some(Region::Other)),
    ("YE", "Yemen", Some(Region::MiddleEast)),
    ("YT", "Mayotte", Some(Region::Other)),
    ("ZA", "South Africa", None),
    ("ZM", "Zambia", Some(Region::Africa)),
    ("ZW", "Zimbabwe", Some(Region::Other)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markets_are_found_by_the_names_that_cards_have() {
        for (name, market) in [
            ("Brazil", Some(Market::Country("BR"))),
            (" brazil ", Some(Market::Country("BR"))),
            ("BR", Some(Market::Country("BR"))),
            ("Türkiye", Some(Market::Country("TR"))),
            ("Turkey", Some(Market::Country("TR"))),
            ("Curaçao", Some(Market::Country("CW"))),
            ("Rest of Central & Eastern Europe", Some(Region::EasternEurope.into())),
            ("Rest of Central and Eastern Europe", Some(Region::EasternEurope.into())),
            ("rest of latin america", Some(Region::LatinAmerica.into())),
            ("Other", Some(Region::Other.into())),
            ("Rest of the Moon", None),
            ("", None),
        ] {
            assert_eq!(Market::named(name), market, "{name}");
        }
    }

    #[test]
    fn the_own_price_of_a_country_comes_before_that_of_its_region() {
        for (country, markets) in [
            ("BR", &["BR"] as &[&str]),
            ("CA", &["CA", "North America"]),
            ("UY", &["UY", "Rest of Latin America"]),
            ("IS", &["IS", "Other"]),
            ("ZZ", &[]),
        ] {
            let names: Vec<_> = Market::of_country(country).into_iter().map(Market::as_str).collect();
            assert_eq!(names, markets, "{country}");
        }
    }

    #[test]
    fn countries_are_listed_once_and_in_order() {
        assert!(COUNTRIES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
