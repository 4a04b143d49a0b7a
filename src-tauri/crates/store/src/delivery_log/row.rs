//! A delivery as a row of the file, with a checksum that detects changes on the disk.

use model::checksum;
use rusqlite::Row;

use super::Delivery;

/// The columns that [`delivery`] reads.
pub(super) const COLUMNS: &str = "seq, received_at, route, headers, body, crc, origin";

/// A delivery, or the sequence number of an altered one.
pub(super) type Read = Result<Delivery, i64>;

/// Reads a row of [`COLUMNS`].
pub(super) fn delivery(row: &Row<'_>) -> rusqlite::Result<Read> {
    let seq: i64 = row.get(0)?;
    let stored: Option<i64> = row.get(5)?;
    let (Ok(received_at), Ok(route), Ok(headers), Ok(body)) =
        (row.get::<_, i64>(1), row.get::<_, String>(2), row.get::<_, String>(3), row.get::<_, Vec<u8>>(4))
    else {
        return Ok(Err(seq));
    };
    let read = assemble(seq, received_at, route, &headers, body, stored);
    // The origin is for people only; one that cannot be read must not hide the delivery.
    let origin = row.get(6).unwrap_or_default();
    Ok(read.map(|delivery| Delivery { origin, ..delivery }))
}

/// A delivery from the parts of its row, without its origin, if the checksum matches.
pub(super) fn assemble(
    seq: i64,
    received_at: i64,
    route: String,
    headers: &str,
    body: Vec<u8>,
    stored: Option<i64>,
) -> Read {
    let altered =
        stored.is_some_and(|stored| stored != i64::from(checksum::of_delivery(received_at, &route, headers, &body)));
    match serde_json::from_str(headers) {
        Ok(headers) if !altered => Ok(Delivery { seq, received_at, route, headers, body, origin: None }),
        _ => Err(seq),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn altered_rows_are_found() {
        let stored = Some(i64::from(checksum::of_delivery(1, "r", "[]", b"body")));
        assert!(assemble(1, 1, "r".to_owned(), "[]", b"body".to_vec(), stored).is_ok());
        assert_eq!(assemble(9, 1, "r".to_owned(), "[]", b"bady".to_vec(), stored), Err(9));
        assert!(assemble(1, 1, "r".to_owned(), "[]", b"anything".to_vec(), None).is_ok(), "none was stored");
        assert_eq!(assemble(9, 1, "r".to_owned(), "no JSON", b"body".to_vec(), None), Err(9));
    }
}
