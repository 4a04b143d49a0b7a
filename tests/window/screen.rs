//! The pixels of a display, from the file to which Xvfb writes them.

use image::RgbImage;

/// Decodes an X window dump of 24 bits in 32, least significant byte first, as Xvfb writes it here.
pub(super) fn picture(dump: &[u8]) -> RgbImage {
    let field = |place: usize| {
        let bytes: [u8; 4] = dump[place * 4..place * 4 + 4].try_into().unwrap();
        u32::from_be_bytes(bytes)
    };
    // Fields of XWDFile.h: size of the header, width and height, bytes per line, number of colours of 12 bytes each.
    let (header, width, height, line, colors) = (field(0), field(4), field(5), field(12), field(19));
    assert_eq!((field(7), field(11)), (0, 32), "least significant byte first, 32 bits a pixel");
    let pixels = &dump[(header + colors * 12) as usize..];
    let mut bytes = Vec::with_capacity((width * height * 3) as usize);
    // Loops, because chained iterators are slow in tests.
    for row in pixels.chunks_exact(line as usize).take(height as usize) {
        for pixel in row[..width as usize * 4].chunks_exact(4) {
            bytes.extend_from_slice(&[pixel[2], pixel[1], pixel[0]]);
        }
    }
    RgbImage::from_raw(width, height, bytes).unwrap()
}
