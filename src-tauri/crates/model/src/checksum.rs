//! The checksum of a stored delivery.

/// CRC-32 of a delivery: detects every change of up to 32 adjacent bits, and all but one in four billion of the others.
///
/// `headers` is their JSON, as an array of pairs; `received_at` is in Unix milliseconds.
#[must_use]
pub fn of_delivery(received_at: i64, endpoint: &str, headers: &str, body: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&received_at.to_le_bytes());
    // Include the lengths, so that a character moved from one field to the next is detected.
    for part in [endpoint.as_bytes(), headers.as_bytes()] {
        crc.update(&(part.len() as u64).to_le_bytes());
        crc.update(part);
    }
    crc.update(body);
    crc.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_covers_every_part_and_its_boundaries() {
        let whole = of_delivery(1, "r", "[]", b"body");
        assert_eq!(whole, of_delivery(1, "r", "[]", b"body"));
        let others = [
            of_delivery(2, "r", "[]", b"body"),
            of_delivery(1, "s", "[]", b"body"),
            of_delivery(1, "r", "[ ]", b"body"),
            of_delivery(1, "r", "[]", b"bodz"),
            of_delivery(1, "r[", "]", b"body"),
        ];
        assert!(others.iter().all(|other| *other != whole));
    }
}
