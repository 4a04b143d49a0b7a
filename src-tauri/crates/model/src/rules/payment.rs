//! Rules of payment data (upstream §10). The contract requires objects for `pix_data` and `order_data` and states no
//! shape; presumably they mirror the channel's own objects. So any finding other than a wrong JSON type is at most a
//! warning.

use serde_json::Value;

use super::length::code_points;
use super::report::{At, Report, Values, source};
use super::text;
use crate::Object;
use crate::finding::Finding;
use crate::template::Template;

pub(super) fn check(report: &mut Report, root: &At<'_>, template: &Template) {
    for (name, data) in [("pix_data", &template.pix_data), ("order_data", &template.order_data)] {
        let at = root.field(name);
        let read;
        let (object, inside) = match data {
            None | Some(Value::Null) => continue,
            Some(Value::Object(object)) => (object, true),
            Some(Value::String(json)) => match serde_json::from_str(json) {
                Ok(Value::Object(object)) => {
                    read = object;
                    (&read, false)
                }
                _ => {
                    malformed(report, &at, name);
                    continue;
                }
            },
            Some(_) => {
                malformed(report, &at, name);
                continue;
            }
        };
        let mut notes = Notes { report: &mut *report, base: &at, inside };
        if name == "pix_data" {
            pix_data(&mut notes, &at, object);
        } else {
            order_data(&mut notes, &at, object);
        }
    }
}

fn malformed(report: &mut Report, at: &At<'_>, name: &str) {
    report.error(
        "payment.malformed",
        at,
        source::CONTRACT_TEMPLATE,
        format!("{name} must be an object, or a string with an object as JSON. Correct it or remove it."),
        &[("field", &name)],
    );
}

/// Collects findings in data that may be JSON inside a string, into which no pointer can lead.
struct Notes<'r, 'a> {
    report: &'r mut Report,
    base: &'a At<'a>,
    inside: bool,
}

impl Notes<'_, '_> {
    fn warning(&mut self, code: &'static str, at: &At<'_>, stated: &'static str, message: String, values: Values<'_>) {
        self.report.warning(code, if self.inside { at } else { self.base }, stated, message, values);
    }

    fn hint(&mut self, code: &'static str, at: &At<'_>, stated: &'static str, message: String, values: Values<'_>) {
        self.report.hint(code, if self.inside { at } else { self.base }, stated, message, values);
    }

    /// Reports each missing field of `fields`.
    fn missing(&mut self, at: &At<'_>, object: &Object, fields: &[&'static str], stated: &'static str) {
        for field in fields {
            if object.get(*field).is_none_or(|value| value.is_null() || value.as_str() == Some("")) {
                let message = format!("Add `{field}`. Payments without it will probably be rejected.");
                self.hint("payment.field_missing", &at.field(field), stated, message, &[("field", field)]);
            }
        }
    }

    /// Reports a word that is not in `known`.
    fn word(&mut self, at: &At<'_>, object: &Object, field: &str, known: &[&str]) {
        let Some(value) = object.get(field).filter(|value| !value.is_null()) else { return };
        let word = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if !known.contains(&word.as_str()) {
            let words = known.join(", ");
            let message = format!("`{field}` can't be `{word}`. Use {words}.");
            let values: Values<'_> = &[("field", &field), ("value", &word), ("words", &words)];
            self.warning("payment.word", &at.field(field), source::ORDER_DATA, message, values);
        }
    }

    /// Reports a text with more than `limit` characters.
    fn limit(&mut self, at: &At<'_>, object: &Object, field: &str, limit: usize) {
        let length = object.get(field).and_then(Value::as_str).map_or(0, code_points);
        if length > limit {
            let message = format!("`{field}` has {length} characters; the limit is {limit}. Shorten it.");
            let values: Values<'_> = &[("field", &field), ("length", &length), ("limit", &limit)];
            self.warning("payment.text_too_long", &at.field(field), source::ORDER_DATA, message, values);
        }
    }

    /// The amount in hundredths of the currency; reports an invalid format.
    fn amount(&mut self, at: &At<'_>, object: &Object, field: &str) -> Option<i64> {
        let amount = object.get(field).filter(|value| !value.is_null())?;
        let value = amount.get("value").and_then(Value::as_i64).filter(|value| *value >= 0);
        let offset = amount.get("offset").and_then(Value::as_i64);
        if value.is_none() || offset != Some(100) {
            let message = format!(
                "`{field}` must be in hundredths with the offset 100: 12.34 is {{\"value\": 1234, \"offset\": 100}}."
            );
            self.warning("payment.amount", &at.field(field), source::ORDER_DATA, message, &[("field", &field)]);
            return None;
        }
        value
    }
}

/// Findings for the `order_details` that a send gives to an order button, most severe first.
pub(crate) fn of_order(details: &Object) -> Vec<Finding> {
    let mut report = Report::default();
    let root = At::Root;
    details_of(&mut Notes { report: &mut report, base: &root, inside: true }, &root, details);
    report.findings.sort_by_key(|finding| finding.severity);
    report.findings
}

/// The object a field holds.
fn inner<'o>(object: &'o Object, field: &str) -> Option<&'o Object> {
    object.get(field).and_then(Value::as_object)
}

fn has_any(object: &Object, fields: &[&str]) -> bool {
    fields.iter().any(|field| object.contains_key(*field))
}

fn unknown_shape(notes: &mut Notes<'_, '_>, at: &At<'_>, name: &str, object: &Object) {
    if object.is_empty() {
        return;
    }
    let message = format!("This app doesn't know this {name}; it is sent unchanged.");
    notes.hint("payment.unknown", at, source::CONTRACT_TEMPLATE, message, &[("field", &name)]);
}

fn pix_data(notes: &mut Notes<'_, '_>, at: &At<'_>, data: &Object) {
    if let Some(code) = inner(data, "pix_dynamic_code") {
        pix(notes, &at.field("pix_dynamic_code"), code);
    } else if has_any(data, &["code", "merchant_name", "key", "key_type"]) {
        pix(notes, at, data);
    } else {
        unknown_shape(notes, at, "pix_data", data);
    }
}

fn pix(notes: &mut Notes<'_, '_>, at: &At<'_>, pix: &Object) {
    notes.missing(at, pix, &["code", "merchant_name", "key", "key_type"], source::PIX);
    notes.word(at, pix, "key_type", &["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]);
    if let (Some(key), Some(kind)) =
        (pix.get("key").and_then(Value::as_str), pix.get("key_type").and_then(Value::as_str))
        && !key.is_empty()
        && let Some(form) = wrong_key(kind, key)
    {
        let message = format!("The key is not a valid {kind}: {form}.");
        notes.warning("pix.key", &at.field("key"), source::PIX, message, &[("type", &kind), ("form", &form)]);
    }
    if let Some(code) = pix.get("code").and_then(Value::as_str).filter(|code| !code.is_empty())
        && !is_pix_code(code)
    {
        let message =
            "This is not a full Pix code, which starts with 000201 and ends with 6304 and a checksum. Copy it \
                       again."
                .to_owned();
        notes.warning("pix.code", &at.field("code"), source::PIX, message, &[]);
    }
}

/// Expected format of a key of this kind; `None` if `key` is valid.
fn wrong_key(kind: &str, key: &str) -> Option<&'static str> {
    let (good, form) = match kind {
        "CPF" => (has_check_digits(key, 9, &[(10, 9), (11, 10)]), "11 digits with valid check digits"),
        "CNPJ" => (is_cnpj(key), "14 letters and digits without signs, with valid check digits"),
        "EMAIL" => {
            let parts = key.split_once('@');
            let good =
                parts.is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !text::has_space(key));
            (good && key.len() <= 77, "an e-mail address of at most 77 characters")
        }
        "PHONE" => {
            let digits = key.strip_prefix('+').unwrap_or_default();
            let good = (8..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            (good, "+, country code and number in digits")
        }
        "EVP" => {
            let groups: Vec<&str> = key.split('-').collect();
            let good = groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
                && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()));
            (good, "a random key of the form 123e4567-e89b-12d3-a456-426614174000")
        }
        _ => return None,
    };
    (!good).then_some(form)
}

/// Whether the check digits of a CPF are valid; `checks` has the highest weight and the position of each.
fn has_check_digits(key: &str, base: usize, checks: &[(u32, usize)]) -> bool {
    let digits: Option<Vec<u32>> = key.chars().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() == base + checks.len()) else { return false };
    let repeated = digits.iter().all(|digit| *digit == digits[0]);
    !repeated
        && checks.iter().all(|(weight, place)| {
            let sum: u32 = digits[..*place].iter().zip((2..=*weight).rev()).map(|(digit, weight)| digit * weight).sum();
            digits[*place] == sum * 10 % 11 % 10
        })
}

/// Whether the key is a valid CNPJ; its first twelve characters may be letters since 2026.
fn is_cnpj(key: &str) -> bool {
    let good = |(at, byte): (usize, u8)| byte.is_ascii_digit() || at < 12 && byte.is_ascii_uppercase();
    if key.len() != 14 || !key.bytes().enumerate().all(good) {
        return false;
    }
    let values: Vec<u32> = key.bytes().map(|byte| u32::from(byte) - 48).collect();
    [12, 13].into_iter().all(|place| {
        // Weights 2 to 9 from the right, repeating.
        let sum: u32 = values[..place].iter().rev().zip((2..=9).cycle()).map(|(value, weight)| value * weight).sum();
        let rest = sum % 11;
        values[place] == if rest < 2 { 0 } else { 11 - rest }
    })
}

/// Whether the code is a complete Pix code: CRC-16 with the polynomial 0x1021 over all but the last four characters.
fn is_pix_code(code: &str) -> bool {
    let Some((content, checksum)) = code.trim().len().checked_sub(4).and_then(|at| code.trim().split_at_checked(at))
    else {
        return false;
    };
    let crc = content.bytes().fold(0xFFFF_u16, |crc, byte| {
        (0..8)
            .fold(crc ^ (u16::from(byte) << 8), |crc, _| if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 })
    });
    content.starts_with("000201") && content.ends_with("6304") && u16::from_str_radix(checksum, 16) == Ok(crc)
}

fn order_data(notes: &mut Notes<'_, '_>, at: &At<'_>, data: &Object) {
    const FIELDS: &[&str] = &["reference_id", "payment_settings", "total_amount", "order", "currency"];
    if let Some(details) = inner(data, "order_details") {
        details_of(notes, &at.field("order_details"), details);
    } else if has_any(data, FIELDS) {
        details_of(notes, at, data);
    } else if has_any(data, &["items", "subtotal"]) {
        order(notes, at, data);
    } else {
        unknown_shape(notes, at, "order_data", data);
    }
}

fn details_of(notes: &mut Notes<'_, '_>, at: &At<'_>, details: &Object) {
    notes.missing(at, details, &["reference_id", "type", "currency", "total_amount", "order"], source::ORDER_DATA);
    if let Some(reference) = details.get("reference_id").and_then(Value::as_str).filter(|text| !text.is_empty()) {
        let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if reference.len() > 60 || !reference.bytes().all(good) {
            let message = "A reference must have 1 to 60 characters: letters, digits, _ - and .".to_owned();
            notes.warning("order.reference_id", &at.field("reference_id"), source::ORDER_DATA, message, &[]);
        }
    }
    notes.word(at, details, "type", &["digital-goods", "physical-goods"]);
    notes.word(at, details, "payment_type", &["br"]);
    notes.word(at, details, "currency", &["BRL"]);
    let total = notes.amount(at, details, "total_amount");
    if let Some(inner) = inner(details, "order") {
        let expected = order(notes, &at.field("order"), inner);
        if let (Some(total), Some(expected)) = (total, expected)
            && i128::from(total) != expected
        {
            let (total, expected) = (money(total.into()), money(expected));
            let message = format!("The total is {total}, but subtotal + tax + shipping − discount is {expected}.");
            let values: Values<'_> = &[("total", &total), ("expected", &expected)];
            notes.warning("order.total", &at.field("total_amount"), source::ORDER_DATA, message, values);
        }
    }
    settings(notes, &at.field("payment_settings"), details.get("payment_settings"));
}

/// Formats hundredths in the usual notation.
fn money(hundredths: i128) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let hundredths = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Checks an order; returns the sum of its parts if all are readable.
fn order(notes: &mut Notes<'_, '_>, at: &At<'_>, order: &Object) -> Option<i128> {
    notes.missing(at, order, &["items", "subtotal", "tax"], source::ORDER_DATA);
    notes.word(at, order, "status", &["pending"]);
    let mut sum = Some(0_i128);
    for (field, sign) in [("subtotal", 1), ("tax", 1), ("shipping", 1), ("discount", -1)] {
        if order.get(field).is_none_or(Value::is_null) {
            continue;
        }
        let amount = notes.amount(at, order, field);
        sum = sum.zip(amount).map(|(sum, amount)| sum + sign * i128::from(amount));
        if let Some(part) = inner(order, field) {
            notes.limit(&at.field(field), part, "description", 60);
        }
    }
    items(notes, at, order);
    if let Some(expiration) = inner(order, "expiration") {
        let here = at.field("expiration");
        notes.limit(&here, expiration, "description", 120);
        let seconds = expiration.get("timestamp").filter(|timestamp| !timestamp.is_null());
        let good = |text: &str| (9..=11).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if seconds.is_some_and(|timestamp| !timestamp.as_str().is_some_and(good)) {
            let message = "The timestamp must be a string of seconds since 1970, such as \"1798761600\".".to_owned();
            notes.warning("order.timestamp", &here.field("timestamp"), source::ORDER_DATA, message, &[]);
        }
    }
    sum
}

fn items(notes: &mut Notes<'_, '_>, at: &At<'_>, order: &Object) {
    let Some(list) = order.get("items").filter(|items| !items.is_null()) else { return };
    let here = at.field("items");
    let Some(items) = list.as_array().filter(|items| !items.is_empty()) else {
        let message = "An order needs at least one item. Add one.".to_owned();
        notes.warning("order.items", &here, source::ORDER_DATA, message, &[]);
        return;
    };
    let mut sum = Some(0_i128);
    for (index, item) in items.iter().enumerate() {
        let place = here.item(index);
        let Some(item) = item.as_object() else {
            let message = "An item must be an object with retailer_id, name, amount and quantity.".to_owned();
            notes.warning("order.items", &place, source::ORDER_DATA, message, &[]);
            return;
        };
        notes.missing(&place, item, &["retailer_id", "name", "amount", "quantity"], source::ORDER_DATA);
        notes.limit(&place, item, "name", 60);
        let price = notes.amount(&place, item, "amount");
        let sale = notes.amount(&place, item, "sale_amount");
        if let (Some(price), Some(sale)) = (price, sale)
            && sale >= price
        {
            let (price, sale) = (money(price.into()), money(sale.into()));
            let message = format!("The sale price ({sale}) must be lower than the price ({price}).");
            let values: Values<'_> = &[("sale", &sale), ("price", &price)];
            notes.warning("order.sale_amount", &place.field("sale_amount"), source::ORDER_DATA, message, values);
        }
        let quantity = item.get("quantity").and_then(Value::as_i64).filter(|quantity| *quantity > 0);
        if quantity.is_none() && item.get("quantity").is_some_and(|quantity| !quantity.is_null()) {
            let message = "The quantity must be a whole number of 1 or more.".to_owned();
            notes.warning("order.quantity", &place.field("quantity"), source::ORDER_DATA, message, &[]);
        }
        let each = if item.get("sale_amount").is_none_or(Value::is_null) { price } else { sale };
        sum = sum.zip(each.zip(quantity)).map(|(sum, (each, count))| sum + i128::from(each) * i128::from(count));
    }
    let subtotal = inner(order, "subtotal").and_then(|amount| amount.get("value")).and_then(Value::as_i64);
    if let (Some(sum), Some(subtotal)) = (sum, subtotal)
        && sum != i128::from(subtotal)
    {
        let (subtotal, expected) = (money(subtotal.into()), money(sum));
        let message = format!("The subtotal is {subtotal}, but the items add up to {expected}.");
        let values: Values<'_> = &[("subtotal", &subtotal), ("expected", &expected)];
        notes.warning("order.subtotal", &at.field("subtotal"), source::ORDER_DATA, message, values);
    }
}

fn settings(notes: &mut Notes<'_, '_>, at: &At<'_>, settings: Option<&Value>) {
    let Some(list) = settings.filter(|settings| !settings.is_null()) else { return };
    let Some(list) = list.as_array() else {
        let message = "payment_settings must be a list of payment methods.".to_owned();
        notes.warning("payment.settings", at, source::ORDER_DATA, message, &[]);
        return;
    };
    for (index, setting) in list.iter().enumerate() {
        let place = at.item(index);
        let Some(setting) = setting.as_object() else {
            let message = "A payment method must be an object with a type.".to_owned();
            notes.warning("payment.settings", &place, source::ORDER_DATA, message, &[]);
            continue;
        };
        const KINDS: &[&str] = &["pix_dynamic_code", "payment_link", "boleto", "offsite_card_pay"];
        notes.missing(&place, setting, &["type"], source::ORDER_DATA);
        notes.word(&place, setting, "type", KINDS);
        let kind = setting.get("type").and_then(Value::as_str);
        let Some(kind) = KINDS.iter().copied().find(|known| kind == Some(known)) else { continue };
        let here = place.field(kind);
        notes.missing(&place, setting, &[kind], source::ORDER_DATA);
        let Some(way) = inner(setting, kind) else { continue };
        if kind == "pix_dynamic_code" {
            pix(notes, &here, way);
            continue;
        }
        let digits = |text: &str, lengths: &[usize]| {
            lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        type Good<'g> = &'g dyn Fn(&str) -> bool;
        let (field, good, form): (&'static str, Good<'_>, &'static str) = match kind {
            "payment_link" => (
                "uri",
                &|uri| uri.starts_with("https://") && !text::has_space(uri),
                "an address that begins with https://",
            ),
            "boleto" => (
                "digitable_line",
                &|line| digits(&line.replace([' ', '.', '-'], ""), &[47, 48]),
                "a line of 47 or 48 digits",
            ),
            _ => ("last_four_digits", &|last| digits(last, &[4]), "the last four digits of the card"),
        };
        notes.missing(&here, way, &[field], source::ORDER_DATA);
        let given = way.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
        if given.is_some_and(|text| !good(text)) {
            let message = format!("`{field}` must be {form}.");
            let values: Values<'_> = &[("field", &field), ("form", &form)];
            notes.warning("payment.form", &here.field(field), source::ORDER_DATA, message, values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pix_keys_match_their_type() {
        for (kind, key, good) in [
            ("CPF", "52998224725", true),
            ("CPF", "52998224724", false),
            ("CPF", "529.982.247-25", false),
            ("CPF", "11111111111", false),
            ("CNPJ", "39580525000189", true),
            ("CNPJ", "39580525000180", false),
            ("CNPJ", "12ABC34501DE35", true),
            ("CNPJ", "12.345.678/0001-95", false),
            ("EMAIL", "a@b.example", true),
            ("EMAIL", "a b@c.example", false),
            ("EMAIL", "@b.example", false),
            ("PHONE", "+5511999998888", true),
            ("PHONE", "11999998888", false),
            ("EVP", "123e4567-e89b-12d3-a456-426614174000", true),
            ("EVP", "123e4567e89b12d3a456426614174000", false),
            ("OTHER", "x", true),
        ] {
            assert_eq!(wrong_key(kind, key).is_none(), good, "{kind} {key}");
        }
    }

    #[test]
    fn pix_codes_need_a_valid_checksum() {
        let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
        for (code, good) in
            [(code, true), (&code[..code.len() - 1], false), ("", false), ("é", false), ("0002016304", false)]
        {
            assert_eq!(is_pix_code(code), good, "{code}");
        }
    }
}
