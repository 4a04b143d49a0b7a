//! Days and ranges of them, in UTC.

use chrono::{DateTime, Datelike as _, NaiveDate};

use command_types::error::{DeskError, Result};

/// Milliseconds of a day.
pub(crate) const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Days, counted from 1970-01-01; open at an end that is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) first: Option<i64>,
    pub(crate) last: Option<i64>,
}

impl Range {
    /// Parses `YYYY-MM-DD`; an empty text is an open end.
    pub(crate) fn of(from: Option<&str>, to: Option<&str>) -> Result<Self> {
        let day = |field: &str, text: Option<&str>| -> Result<Option<i64>> {
            let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
            let date = NaiveDate::parse_from_str(text, "%Y-%m-%d")
                .map_err(|_| DeskError::invalid(field, format!("{text} is not a date; write it as 2026-01-31.")))?;
            Ok(Some(date.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis() / DAY))
        };
        let range = Self { first: day("from", from)?, last: day("to", to)? };
        if let (Some(first), Some(last)) = (range.first, range.last)
            && last < first
        {
            return Err(DeskError::invalid("to", "The last day is before the first one."));
        }
        Ok(range)
    }

    /// First and last day.
    pub(crate) fn days(self) -> (i64, i64) {
        (self.first.unwrap_or(i64::MIN), self.last.unwrap_or(i64::MAX))
    }

    /// First and last millisecond.
    pub(crate) fn instants(self) -> (i64, i64) {
        let first = self.first.map_or(i64::MIN, |first| first * DAY);
        (first, self.last.map_or(i64::MAX, |last| (last + 1) * DAY - 1))
    }
}

/// `YYYY-MM-DD` of a day.
pub(crate) fn date(day: i64) -> String {
    written(day, "%Y-%m-%d")
}

/// `YYYY-MM` of a day.
pub(crate) fn month(day: i64) -> String {
    written(day, "%Y-%m")
}

/// The Monday of a day's week.
pub(crate) fn monday(day: i64) -> i64 {
    let at = DateTime::from_timestamp_millis(day * DAY);
    day - at.map_or(0, |at| i64::from(at.weekday().num_days_from_monday()))
}

/// The date of a day.
pub(crate) fn day_of(day: i64) -> NaiveDate {
    DateTime::from_timestamp_millis(day.saturating_mul(DAY)).unwrap_or_default().date_naive()
}

/// The day of a date.
pub(crate) fn number_of(date: NaiveDate) -> i64 {
    i64::from(date.num_days_from_ce()) - i64::from(NaiveDate::default().num_days_from_ce())
}

fn written(day: i64, form: &str) -> String {
    DateTime::from_timestamp_millis(day.saturating_mul(DAY)).map(|at| at.format(form).to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_and_written() {
        for (day, iso, week, of_month) in [
            (0, "1970-01-01", "1969-12-29", "1970-01"),
            (20_758, "2026-11-01", "2026-10-26", "2026-11"),
            (20_759, "2026-11-02", "2026-11-02", "2026-11"),
        ] {
            assert_eq!((date(day).as_str(), date(monday(day)).as_str(), month(day).as_str()), (iso, week, of_month));
            let range = Range::of(Some(iso), Some(iso));
            assert_eq!(range, Ok(Range { first: Some(day), last: Some(day) }), "{iso}");
            assert_eq!(range.map(Range::instants), Ok((day * DAY, day * DAY + DAY - 1)));
        }
        assert_eq!(Range::of(None, Some(" ")), Ok(Range::default()));
        for (from, to, field) in [
            (Some("yesterday"), None, "from"),
            (None, Some("2026-02-30"), "to"),
            (Some("2026-01-02"), Some("2026-01-01"), "to"),
        ] {
            let refused = Range::of(from, to);
            assert!(matches!(&refused, Err(DeskError::InvalidInput { field: at, .. }) if at == field), "{refused:?}");
        }
    }
}
