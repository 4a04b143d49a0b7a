//! The pixels of a display, from the file to which Xvfb writes them.

use image::{Rgb, RgbImage};

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
    RgbImage::from_fn(width, height, |x, y| {
        let place = (y * line + x * 4) as usize;
        Rgb([pixels[place + 2], pixels[place + 1], pixels[place]])
    })
}
