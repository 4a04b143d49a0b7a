//! The sample picture.

/// A gradient as PNG with uncompressed pixels: one sample does not justify an encoder.
pub(crate) fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut rows = Vec::new();
    for y in 0..height {
        rows.push(0);
        for x in 0..width {
            let across = x * 255 / width;
            let down = y * 255 / height;
            let shade =
                |from: u32, to: u32, by: u32| u8::try_from((from * (255 - by) + to * by) / 255).unwrap_or(u8::MAX);
            rows.extend([shade(244, 96, across), shade(166, 140, down), shade(160, 190, across.midpoint(down))]);
        }
    }
    let mut stream = vec![0x78, 0x01];
    let blocks: Vec<&[u8]> = rows.chunks(0xffff).collect();
    for (index, block) in blocks.iter().enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        stream.push(u8::from(index + 1 == blocks.len()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend(adler32(&rows).to_be_bytes());

    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits per channel, RGB, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", &header), (b"IDAT", &stream), (b"IEND", &Vec::new())] {
        png.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
        let start = png.len();
        png.extend_from_slice(name);
        png.extend_from_slice(data);
        let checksum = crc32fast::hash(&png[start..]);
        png.extend(checksum.to_be_bytes());
    }
    png
}

fn adler32(bytes: &[u8]) -> u32 {
    let (a, b) = bytes.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    (b << 16) | a
}

#[cfg(test)]
mod tests {
    use super::adler32;

    #[test]
    fn the_checksum_matches_the_standard() {
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    }
}
