//! Rate cards from rows of a table.

use super::*;

fn card(text: &str) -> Result<RateCard, Vec<(u32, RateCardFaultCode, String)>> {
    let rows: Vec<(u32, Vec<&str>)> =
        text.lines().enumerate().map(|(line, row)| (line as u32 + 1, row.split('|').collect())).collect();
    read(&rows).map_err(|faults| faults.into_iter().map(|fault| (fault.line, fault.code, fault.value)).collect())
}

#[test]
fn each_row_of_the_long_form_is_a_price() {
    let card = card(
        "market|category|type|price|currency|valid_from|tier_from\n\
         Brazil|marketing|regular|0.0625|USD|2026-07-01|\n\
         Brazil|Utility||0.0068|usd|2026-10-01|\n\
         Brazil|utility||0.0060|USD|2026-10-01|100,001+\n\
         Brazil|utility|free_customer_service|0|USD|2026-10-01|\n\
         India|authentication-international||n/a|USD|2026-10-01|",
    )
    .expect("a card");
    assert_eq!((card.currency.as_str(), card.rates.len(), card.is_sample), ("USD", 3, false));
    assert_eq!(card.rates[2].tier_from, 100_001);
}

#[test]
fn published_cards_are_read_as_they_are() {
    let card = card(
        "WhatsApp Business Platform rates, USD\n\
         Effective October 1, 2026|||\n\
         Market|Currency|Marketing|Utility|Authentication|Authentication-International|Service\n\
         Argentina|USD|0.0618|0.0260|0.0260|n/a|0.0260\n\
         Rest of Central & Eastern Europe|USD|0.0860|0.0212|0.0212|n/a|0.0212\n\
         Rates are subject to change||||||",
    )
    .expect("a card");
    assert_eq!(card.rates.len(), 8);
    assert_eq!(card.summary().valid_from, ["2026-10-01"]);
    assert_eq!(card.summary().unknown_markets, [] as [&str; 0]);
}

#[test]
fn every_faulty_row_is_named() {
    use RateCardFaultCode as Code;
    let header = "market|category|type|price|currency|valid_from|tier_from|note";
    for (row, code, value) in [
        ("|marketing||1|USD|2026-10-01|", Code::Market, ""),
        ("Brazil|markting||1|USD|2026-10-01|", Code::Category, "markting"),
        ("Brazil|marketing|paid|1|USD|2026-10-01|", Code::Type, "paid"),
        ("Brazil|marketing||cheap|USD|2026-10-01|", Code::Price, "cheap"),
        ("Brazil|marketing||1,250|COP|2026-10-01|", Code::PriceAmbiguous, "1,250"),
        ("Brazil|marketing||1|dollars|2026-10-01|", Code::Currency, "dollars"),
        ("Brazil|marketing||1|USD|01/10/2026|", Code::ValidFrom, "01/10/2026"),
        ("Brazil|marketing||1|USD||", Code::ValidFrom, ""),
        ("Brazil|marketing||1|USD|2026-10-01|many", Code::Tier, "many"),
        ("Brazil|marketing||1|USD|2026-10-01|100.5", Code::Tier, "100.5"),
        ("Brazil|marketing||1|USD|2026-10-01|100001", Code::TierBase, "100001"),
        ("Brazil|marketing||€1|USD|2026-10-01|", Code::CurrencyDiffers, "€1"),
    ] {
        assert_eq!(card(&format!("{header}\n{row}")), Err(vec![(2, code, value.to_owned())]), "{row}");
    }
    let good = "Brazil|marketing||0.06|USD|2026-10-01|";
    for (second, code) in [
        ("brazil|marketing||0.07|USD|2026-10-01|", Some(Code::Duplicate)),
        ("BR|marketing||0.60|USD|2026-10-01|", Some(Code::Duplicate)),
        ("Brazil|marketing||0.060|USD|2026-10-01|1", None),
        ("Brazil|marketing||0.07|EUR|2026-11-01|", Some(Code::CurrencyDiffers)),
    ] {
        let faults = card(&format!("{header}\n{good}\n{second}")).err().unwrap_or_default();
        assert_eq!(faults.first().map(|(_, code, _)| *code), code, "{second}");
    }
}

#[test]
fn a_file_without_prices_is_no_card() {
    for (text, code) in [
        ("", RateCardFaultCode::Header),
        ("name|phone\nAna|5511", RateCardFaultCode::Header),
        ("market|price\nBrazil|1", RateCardFaultCode::Header),
        ("market|marketing|currency|effective date\nBrazil|n/a|USD|2026-10-01", RateCardFaultCode::Empty),
    ] {
        assert_eq!(card(text), Err(vec![(0, code, String::new())]), "{text}");
    }
}

/// Once, rather than in each row.
#[test]
fn a_file_that_does_not_say_its_currency_or_first_day_is_refused_for_its_header() {
    use RateCardFaultCode::{NoCurrency, NoValidFrom};
    for (text, codes) in [
        ("market|marketing\nBrazil|1\nMexico|2", &[NoCurrency, NoValidFrom][..]),
        ("market|marketing|currency\nBrazil|1|USD\nMexico|2|USD", &[NoValidFrom]),
        ("market|marketing|effective date\nBrazil|1|2026-10-01", &[NoCurrency]),
        ("Prices in USD\nmarket|marketing\nBrazil|1", &[NoValidFrom]),
    ] {
        let line = if text.starts_with("Prices") { 2 } else { 1 };
        let expected: Vec<_> = codes.iter().map(|code| (line, *code, String::new())).collect();
        assert_eq!(card(text), Err(expected), "{text}");
    }
}

#[test]
fn the_first_day_is_not_that_of_the_publication() {
    let rows = "Market|Currency|Marketing\nBrazil|USD|0.06";
    for (above, day) in [
        ("Published September 1, 2026\nEffective October 1, 2026", Ok("2026-10-01")),
        ("Effective October 1, 2026|Published September 1, 2026", Ok("2026-10-01")),
        ("September 1, 2026", Ok("2026-09-01")),
        ("Effective October 1, 2026\nEffective November 1, 2026", Err((2, "Effective November 1, 2026"))),
    ] {
        let read = card(&format!("{above}\n{rows}"));
        let found = read.as_ref().map(|card| card.summary().valid_from.remove(0)).map_err(|faults| {
            let (line, code, value) = faults[0].clone();
            assert_eq!(code, RateCardFaultCode::ValidFromDiffers);
            (line, value)
        });
        assert_eq!(found, day.map(str::to_owned).map_err(|(line, text)| (line, text.to_owned())), "{above}");
    }
}

#[test]
fn a_hostile_file_ends_at_the_limit() {
    let header: Vec<String> = (0..200).map(|group| format!("group_{group}")).collect();
    let mut text = format!("market|currency|effective date|{}", header.join("|"));
    for row in 0..1_000 {
        text += &format!("\nM{row}|USD|2026-10-01{}", "|1".repeat(200));
    }
    assert_eq!(card(&text), Err(vec![(0, RateCardFaultCode::TooMany, String::new())]));
}

#[test]
fn dates_are_not_guessed() {
    for (text, date) in [
        ("2026-10-01", Some((2026, 10, 1))),
        ("2026-10-01T00:00:00Z", Some((2026, 10, 1))),
        ("Effective October 1, 2026", Some((2026, 10, 1))),
        ("1 Oct 2026", Some((2026, 10, 1))),
        ("1 Sept 2026", Some((2026, 9, 1))),
        ("Market 10, 2026", None),
        ("01/10/2026", None),
        ("2026", None),
        ("2026-13-01", None),
    ] {
        let date = date.and_then(|(year, month, day)| NaiveDate::from_ymd_opt(year, month, day));
        assert_eq!(date_in(text), date, "{text}");
    }
}
