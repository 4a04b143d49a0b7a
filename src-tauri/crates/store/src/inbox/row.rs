//! A delivery as a row of the file, with a checksum that detects changes on the disk.

use rusqlite::Row;

use super::Delivery;

/// The columns that [`delivery`] reads.
pub(super) const COLUMNS: &str = "seq, received_at, route, headers, body, crc";

/// CRC-32 of a row: detects every change of up to 32 adjacent bits, and all but one in four billion of the others.
pub(super) fn crc(received_at: i64, route: &str, headers: &str, body: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&received_at.to_le_bytes());
    // Include the lengths, so that a character moved from one field to the next is detected.
    for part in [route.as_bytes(), headers.as_bytes()] {
        crc.update(&(part.len() as u64).to_le_bytes());
        crc.update(part);
    }
    crc.update(body);
    crc.finalize()
}

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
    Ok(assemble(seq, received_at, route, &headers, body, stored))
}

/// A delivery from the parts of its row, if the checksum matches.
pub(super) fn assemble(
    seq: i64,
    received_at: i64,
    route: String,
    headers: &str,
    body: Vec<u8>,
    stored: Option<i64>,
) -> Read {
    let altered = stored.is_some_and(|stored| stored != i64::from(crc(received_at, &route, headers, &body)));
    match serde_json::from_str(headers) {
        Ok(headers) if !altered => Ok(Delivery { seq, received_at, route, headers, body }),
        _ => Err(seq),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_covers_every_part_and_its_boundaries() {
        let whole = crc(1, "r", "[]", b"body");
        let others = [crc(2, "r", "[]", b"body"), crc(1, "s", "[]", b"body"), crc(1, "r", "[ ]", b"body")];
        assert!(others.iter().all(|other| *other != whole));
        assert_ne!(crc(1, "r", "[]", b"bodz"), whole);
        assert_ne!(crc(1, "r[", "]", b"body"), whole);
        let stored = Some(i64::from(whole));
        assert!(assemble(1, 1, "r".to_owned(), "[]", b"body".to_vec(), stored).is_ok());
        assert_eq!(assemble(9, 1, "r".to_owned(), "[]", b"bady".to_vec(), stored), Err(9));
        assert!(assemble(1, 1, "r".to_owned(), "[]", b"anything".to_vec(), None).is_ok(), "none was stored");
        assert_eq!(assemble(9, 1, "r".to_owned(), "no JSON", b"body".to_vec(), None), Err(9));
    }
}
