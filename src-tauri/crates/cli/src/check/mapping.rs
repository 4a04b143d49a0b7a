//! What fills the parts of a template: the window's guesses, changed by options.

use std::collections::BTreeMap;

use command_types::batch::{DateOrder, DecimalMark, ValueSource, ValueTransform};
use model::send::{PartKind, SendPart};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Column that fills a part, such as body.1=name. Default: a column called like the part. Can be repeated.
    #[arg(long, value_name = "PART=COLUMN", value_parser = pair)]
    map: Vec<(String, String)>,
    /// Value of a part for everyone, such as body.2=today. Default: the template's own media. Can be repeated.
    #[arg(long, value_name = "PART=TEXT", value_parser = pair)]
    value: Vec<(String, String)>,
    /// Text where the column of a part is empty. Can be repeated.
    #[arg(long, value_name = "PART=TEXT", value_parser = pair)]
    fallback: Vec<(String, String)>,
    /// Format for the column of a part: title-case; date, or date:day-first, date:month-first, date:spreadsheet-days;
    /// number, or number:comma, number:point; money:BRL, or money:BRL:comma. Can be repeated.
    #[arg(long, value_name = "PART=FORMAT", value_parser = pair)]
    format: Vec<(String, String)>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (part, value) =
        text.split_once('=').ok_or("write a part, an equals sign and its value, such as body.1=name")?;
    Ok((part.to_owned(), value.to_owned()))
}

impl Options {
    /// The source of each part. `guessed` are its columns by part.
    ///
    /// # Errors
    /// What is wrong with the options, and what a part lacks.
    pub(super) fn values(
        &self,
        parts: &[SendPart],
        guessed: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, ValueSource>, String> {
        let is_part = |id: &str| parts.iter().any(|part| part.id == id);
        let of_options = [&self.map, &self.value, &self.fallback, &self.format];
        if let Some((unknown, _)) = of_options.into_iter().flatten().find(|(id, _)| !is_part(id)) {
            let known = parts.iter().map(|part| part.id.as_str()).collect::<Vec<_>>().join(", ");
            return Err(format!("the template has no part `{unknown}`; it has {known}"));
        }
        let column = |column: &String| ValueSource::Column { column: column.clone(), fallback: None, transform: None };
        let fixed = |value: &String| ValueSource::Fixed { value: value.clone() };
        let own = parts.iter().filter(|part| part.kind == PartKind::Link && !part.sample.is_empty());
        let mut values: BTreeMap<String, ValueSource> =
            own.map(|part| (part.id.clone(), fixed(&part.sample))).collect();
        values.extend(guessed.iter().map(|(part, name)| (part.clone(), column(name))));
        values.extend(self.map.iter().map(|(part, name)| (part.clone(), column(name))));
        values.extend(self.value.iter().map(|(part, text)| (part.clone(), fixed(text))));
        for (part, text) in &self.fallback {
            let (fallback, _) = column_options(&mut values, part)?;
            *fallback = Some(text.clone());
        }
        for (part, rule) in &self.format {
            let (_, transform) = column_options(&mut values, part)?;
            *transform = Some(format(rule).ok_or_else(|| format!("`{rule}` is no format; see tdesk check --help"))?);
        }
        let missing: Vec<&str> = parts
            .iter()
            .filter(|part| part.required && !values.contains_key(&part.id))
            .map(|part| part.id.as_str())
            .collect();
        if missing.is_empty() {
            return Ok(values);
        }
        Err(format!("nothing fills {}; choose a column with --map, or a value with --value", missing.join(", ")))
    }
}

type ColumnOptions<'v> = (&'v mut Option<String>, &'v mut Option<ValueTransform>);

fn column_options<'v>(values: &'v mut BTreeMap<String, ValueSource>, part: &str) -> Result<ColumnOptions<'v>, String> {
    match values.get_mut(part) {
        Some(ValueSource::Column { fallback, transform, .. }) => Ok((fallback, transform)),
        _ => Err(format!("no column fills {part}; choose one with --map")),
    }
}

fn format(rule: &str) -> Option<ValueTransform> {
    let fields: Vec<&str> = rule.split(':').collect();
    let mark = |name: &str| match name {
        "comma" => Some(DecimalMark::Comma),
        "point" => Some(DecimalMark::Point),
        _ => None,
    };
    let order = |name: &str| match name {
        "day-first" => Some(DateOrder::DayFirst),
        "month-first" => Some(DateOrder::MonthFirst),
        "spreadsheet-days" => Some(DateOrder::SpreadsheetDays),
        _ => None,
    };
    let currency = |code: &str| {
        let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_code.then(|| code.to_ascii_uppercase())
    };
    Some(match fields.as_slice() {
        ["title-case"] => ValueTransform::TitleCase,
        ["date"] => ValueTransform::Date { order: None },
        ["date", name] => ValueTransform::Date { order: Some(order(name)?) },
        ["number"] => ValueTransform::Number { mark: None },
        ["number", name] => ValueTransform::Number { mark: Some(mark(name)?) },
        ["money", code] => ValueTransform::Money { currency: currency(code)?, mark: None },
        ["money", code, name] => ValueTransform::Money { currency: currency(code)?, mark: Some(mark(name)?) },
        _ => return None,
    })
}
