//! How dates, numbers and amounts are written in the language of a template.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

/// What the cells of a column become; the code of the problem where a cell cannot be read.
fn column(transform: &ValueTransform, language: &str, cells: &[&str]) -> Vec<String> {
    let column = ColumnTransform::of(transform, language, cells.iter().copied());
    let apply = |cell: &&str| {
        let applied = column.apply("body.1", cell);
        applied.unwrap_or_else(|problem| problem.code.as_str().to_owned())
    };
    cells.iter().map(apply).collect()
}

fn date(order: Option<DateOrder>) -> ValueTransform {
    ValueTransform::Date { order }
}

fn number(mark: Option<DecimalMark>) -> ValueTransform {
    ValueTransform::Number { mark }
}

fn money(currency: &str, mark: Option<DecimalMark>) -> ValueTransform {
    ValueTransform::Money { currency: currency.to_owned(), mark }
}

#[test]
fn dates_are_written_in_the_language_of_the_template() {
    for (language, written) in [
        ("en", "November 28, 2026"),
        ("en_US", "November 28, 2026"),
        ("en_GB", "28 November 2026"),
        ("pt_BR", "28 de novembro de 2026"),
        ("pt-PT", "28 de novembro de 2026"),
        ("es_MX", "28 de noviembre de 2026"),
        ("de", "2026-11-28"),
    ] {
        for cell in [
            "2026-11-28",
            "2026/11/28",
            "2026-11-28T00:00:00",
            "2026-11-28T10:20:30.000Z",
            "28/11/2026 0:00",
            "28.11.2026",
            "11-28-2026",
            "28 de novembro de 2026",
            "28 de NOVIEMBRE del 2026",
            "Nov 28th, 2026",
            "28-nov-2026",
            " 28 November 2026\u{a0}",
        ] {
            assert_eq!(column(&date(None), language, &[cell]), [written], "{cell}");
        }
    }
}

/// Public reports: dates that were read in the other order only where the day is at most 12.
#[test]
fn the_whole_column_decides_the_order_of_a_date() {
    for (cells, written) in [
        (["25/12/2026", "09/06/2026"], ["2026-12-25", "2026-06-09"]),
        (["12/31/2026", "12/01/2026"], ["2026-12-31", "2026-12-01"]),
        (["31/12/2026", "12/01/2026"], ["2026-12-31", "2026-01-12"]),
        (["09/06/2026", "05/05/2026"], ["value.dateOrder", "2026-05-05"]),
        (["2026-12-01", "12/01/2026"], ["2026-12-01", "value.dateOrder"]),
    ] {
        assert_eq!(column(&date(None), "xx", &cells), written, "{cells:?}");
    }
    // Two orders in one column: only what is certain.
    let mixed = ["25/12/2026", "12/25/2026", "09/06/2026"];
    assert_eq!(column(&date(None), "xx", &mixed), ["2026-12-25", "2026-12-25", "value.dateOrder"]);
    assert_eq!(
        column(&date(Some(DateOrder::MonthFirst)), "xx", &mixed),
        ["value.dateUnread", "2026-12-25", "2026-09-06"]
    );
    assert_eq!(
        column(&date(Some(DateOrder::DayFirst)), "xx", &mixed),
        ["2026-12-25", "value.dateUnread", "2026-06-09"]
    );
}

/// Public reports: 26/6/2017 became 42912, 1/4/2024 became 45383, and numbers in texts became dates.
#[test]
fn day_numbers_of_spreadsheets_are_dates_only_if_that_is_chosen() {
    let cells = ["42912", "45383", "45581", "60", "1", "99999999", "2026-11-28"];
    let days = date(Some(DateOrder::SpreadsheetDays));
    let written =
        ["2017-06-26", "2024-04-01", "2024-10-16", "value.dateUnread", "1900-01-01", "value.dateUnread", "2026-11-28"];
    assert_eq!(column(&days, "xx", &cells), written);
    assert_eq!(column(&date(None), "xx", &["42912"]), ["value.dateDays"]);
    assert_eq!(column(&date(Some(DateOrder::DayFirst)), "xx", &["42912"]), ["value.dateDays"]);
}

#[test]
fn what_is_no_whole_date_is_not_guessed() {
    for cell in [
        "31/04/2026",
        "01-05-25",
        "12/5",
        "2026-13-01",
        "29/02/2026",
        "Nov 2026",
        "tomorrow",
        "n/a",
        "5/2026/1",
        "28 nov nov 2026",
        "28 29 2026",
        "1/2/3/2026",
        "28/11-2026",
        "0/0/2026",
        "28 de brumário de 2026",
    ] {
        assert_eq!(column(&date(None), "xx", &[cell]), ["value.dateUnread"], "{cell}");
    }
}

/// Public reports: 1.355,90 € became 1.35, 10,00 became 1000, 9,99 became 999, 1.000 became 1.
#[test]
fn numbers_are_read_with_either_decimal_mark() {
    for (cell, written) in [
        ("1355,90", "1,355.90"),
        ("1.355,90", "1,355.90"),
        ("4,711.98", "4,711.98"),
        ("10,00", "10.00"),
        ("9,99", "9.99"),
        ("-2,40", "-2.40"),
        ("\u{2212}2.5", "-2.5"),
        ("1'000'000,00", "1,000,000.00"),
        ("1.234.567", "1,234,567"),
        ("1\u{a0}234,56", "1,234.56"),
        ("1\u{202f}234,56", "1,234.56"),
        ("29 000", "29,000"),
        ("0,500", "0.500"),
        ("1234,567", "1,234.567"),
        ("123456789012345678901234", "123,456,789,012,345,678,901,234"),
        ("0", "0"),
        ("1e12", "value.shortened"),
        ("5,51199E+12", "value.shortened"),
        ("1,2,3", "value.numberUnread"),
        ("1.23.456", "value.numberUnread"),
        ("1,234.567,8", "value.numberUnread"),
        ("00123", "value.numberUnread"),
        ("12%", "value.numberUnread"),
        ("(12)", "value.numberUnread"),
        ("12 apples", "value.numberUnread"),
        (".5", "value.numberUnread"),
        ("5.", "value.numberUnread"),
        ("", "value.numberUnread"),
        ("1.234", "value.decimalMark"),
        ("123,456", "value.decimalMark"),
    ] {
        assert_eq!(column(&number(None), "en", &[cell]), [written], "{cell}");
    }
}

#[test]
fn the_whole_column_decides_the_decimal_mark() {
    for (cells, written) in [
        (["1.234", "1.111,11"], ["1,234", "1,111.11"]),
        (["1.234", "9.5"], ["1.234", "9.5"]),
        (["1.234", "7"], ["value.decimalMark", "7"]),
        (["1.000", "24,5"], ["1,000", "24.5"]),
    ] {
        assert_eq!(column(&number(None), "en", &cells), written, "{cells:?}");
    }
    let mixed = ["1.5", "1,5", "1.234"];
    assert_eq!(column(&number(None), "en", &mixed), ["1.5", "1.5", "value.decimalMark"]);
    assert_eq!(column(&number(Some(DecimalMark::Point)), "en", &mixed), ["1.5", "value.numberUnread", "1.234"]);
    assert_eq!(column(&number(Some(DecimalMark::Comma)), "en", &mixed), ["value.numberUnread", "1.5", "1,234"]);
}

#[test]
fn numbers_are_written_with_the_separators_of_the_language() {
    for (language, small, large) in [
        ("en_US", "1,234.5", "1,234,567"),
        ("pt_BR", "1.234,5", "1.234.567"),
        ("pt_PT", "1234,5", "1\u{a0}234\u{a0}567"),
        ("es", "1234,5", "1.234.567"),
        ("es_AR", "1.234,5", "1.234.567"),
        ("es_MX", "1,234.5", "1,234,567"),
        ("de", "1234.5", "1234567"),
    ] {
        assert_eq!(column(&number(None), language, &["1234.5", "1234567"]), [small, large], "{language}");
    }
}

#[test]
fn amounts_have_the_decimals_and_the_sign_of_their_currency() {
    for (language, currency, cell, written) in [
        ("en_US", "USD", "1234.5", "$1,234.50"),
        ("en_US", "EUR", "€1\u{a0}234,56", "€1,234.56"),
        ("en_US", "SEK", "1 234,56 SEK", "SEK\u{a0}1,234.56"),
        ("pt_BR", "BRL", "R$ 1.355,90", "R$\u{a0}1.355,90"),
        ("pt_BR", "BRL", "-2,40", "-R$\u{a0}2,40"),
        ("pt_BR", "USD", "10", "US$\u{a0}10,00"),
        ("es", "EUR", "1.355,90€", "1355,90\u{a0}€"),
        ("es_MX", "MXN", "$1,299.00", "$1,299.00"),
        ("es_AR", "ARS", "$ 1.299,00", "$\u{a0}1.299,00"),
        ("de", "EUR", "4.711,98 €", "4711.98 EUR"),
        ("en", "JPY", "1500.00", "JPY\u{a0}1,500"),
        ("en", "KWD", "1.5", "KWD\u{a0}1.500"),
        ("en", "USD", "12.505", "value.decimalMark"),
        ("en", "USD", "0.505", "value.decimals"),
        ("en", "USD", "10 EUR", "value.currency"),
        ("pt_BR", "", "R$ 45,00", "value.currencyMissing"),
        ("pt_BR", "US", "1234.5", "value.currencyMissing"),
        ("en", "USD", "R$ 10", "value.currency"),
        ("en", "EUR", "$10", "value.currency"),
        ("en", "USD", "ten", "value.numberUnread"),
        ("en", "USD", "10 per month", "value.numberUnread"),
        ("en", "USD", "", "value.numberUnread"),
    ] {
        assert_eq!(column(&money(currency, None), language, &[cell]), [written], "{language} {currency} {cell}");
    }
    let cells = ["R$ 1.000", "R$ 24,50"];
    assert_eq!(column(&money("BRL", None), "pt_BR", &cells), ["R$\u{a0}1.000,00", "R$\u{a0}24,50"]);
}

#[test]
fn a_problem_says_what_the_cell_can_mean() {
    let column = ColumnTransform::of(&date(None), "en", ["09/06/2026"].into_iter());
    let problem = column.apply("body.2", "09/06/2026").unwrap_err();
    assert_eq!(problem.field, "body.2");
    assert!(problem.message.contains("2026-06-09 or 2026-09-06"), "{}", problem.message);
    let column = ColumnTransform::of(&number(None), "en", ["1.234"].into_iter());
    let problem = column.apply("body.2", "1.234").unwrap_err();
    assert!(problem.message.contains("1.234 or 1234"), "{}", problem.message);
}
