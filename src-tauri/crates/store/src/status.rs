//! Derives the current status of a message from its reports in any order.

use model::vocabulary::MessageStatus;

/// Rank of a status: the highest one is shown. A failure outranks `sent`, which it normally follows, but not
/// `delivered`, which it contradicts. `played`, which for a voice message repeats `read`, and statuses outside the
/// delivery sequence (`deleted`, `warning`, unknown ones) are informational only.
fn weight(status: &str) -> u8 {
    match MessageStatus::from(status) {
        MessageStatus::Sent => 1,
        MessageStatus::Failed => 2,
        MessageStatus::Delivered => 3,
        MessageStatus::Read => 4,
        _ => 0,
    }
}

/// [`weight`] of the column `status` in SQL.
macro_rules! weight_of_status {
    () => {
        "CASE status WHEN 'sent' THEN 1 WHEN 'failed' THEN 2 WHEN 'delivered' THEN 3 WHEN 'read' THEN 4 ELSE 0 END"
    };
}
pub(crate) use weight_of_status;

/// The current status and its instant: a function of the set of reports, so neither order nor repetition matters.
///
/// Of several reports of one status the earliest counts; of informational statuses, the latest.
pub(crate) fn current<S: AsRef<str> + Ord>(reports: impl IntoIterator<Item = (S, i64)>) -> Option<(S, i64)> {
    reports.into_iter().max_by(|(a, a_at), (b, b_at)| {
        let (a_weight, b_weight) = (weight(a.as_ref()), weight(b.as_ref()));
        let instants = if a_weight > 0 { b_at.cmp(a_at) } else { a_at.cmp(b_at) };
        a_weight.cmp(&b_weight).then(instants).then_with(|| a.cmp(b))
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::{current, weight};

    #[test]
    fn statuses_have_the_same_weight_in_sql() {
        let c = rusqlite::Connection::open_in_memory().unwrap();
        for status in ["sent", "failed", "delivered", "read", "played", "deleted", "warning", "teleported"] {
            let sql = concat!("SELECT ", weight_of_status!(), " FROM (SELECT ?1 AS status)");
            assert_eq!(c.query_row(sql, [status], |row| row.get::<_, u8>(0)).unwrap(), weight(status), "{status}");
        }
    }

    #[test]
    fn the_most_decisive_report_is_current() {
        type Report = (&'static str, i64);
        let cases: &[(&[Report], Option<Report>)] = &[
            (&[], None),
            (&[("sent", 1)], Some(("sent", 1))),
            (&[("read", 3), ("sent", 1), ("delivered", 2)], Some(("read", 3))),
            (&[("sent", 9), ("delivered", 2)], Some(("delivered", 2))),
            (&[("failed", 2), ("sent", 1)], Some(("failed", 2))),
            (&[("failed", 3), ("delivered", 2)], Some(("delivered", 2))),
            (&[("delivered", 5), ("delivered", 4)], Some(("delivered", 4))),
            (&[("warning", 9), ("sent", 1)], Some(("sent", 1))),
            (&[("warning", 1), ("teleported", 2)], Some(("teleported", 2))),
            (&[("warning", 2), ("teleported", 2)], Some(("warning", 2))),
            (&[("played", 4), ("read", 3)], Some(("read", 3))),
            (&[("played", 4), ("delivered", 3)], Some(("delivered", 3))),
            (&[("played", 4)], Some(("played", 4))),
        ];
        for (reports, expected) in cases {
            for reversed in [false, true] {
                let mut reports: Vec<_> = reports.iter().map(|&(status, at)| (status.to_owned(), at)).collect();
                if reversed {
                    reports.reverse();
                }
                let found = current(reports.clone());
                assert_eq!(found.as_ref().map(|(status, at)| (status.as_str(), *at)), *expected, "{reports:?}");
            }
        }
    }
}
