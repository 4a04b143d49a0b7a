//! A short clip of the window: an animated PNG whose frames hold only what changed.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use image::RgbImage;
use image::imageops::{FilterType, crop_imm, resize};

use super::page::Page;

/// The frames, each with how long it is shown, in milliseconds.
pub(super) struct Clip {
    /// Size of the part of the screen that is shown.
    size: (u32, u32),
    width: u32,
    frames: Vec<(RgbImage, u16)>,
}

impl Clip {
    pub(super) fn new(size: (u32, u32), width: u32) -> Self {
        Self { size, width, frames: Vec::new() }
    }

    /// Adds the window as it is now.
    pub(super) async fn take(&mut self, page: &Page, shown: u16) {
        let name = format!("frame-{:02}", self.frames.len());
        page.screenshot(&name).await;
        let screen = image::open(page.screenshot_file(&name)).unwrap().to_rgb8();
        let window = crop_imm(&screen, 0, 0, self.size.0, self.size.1).to_image();
        let height = self.width * self.size.1 / self.size.0;
        let mut frame = resize(&window, self.width, height, FilterType::Triangle);
        // Fewer colours make smaller files, and are not seen.
        frame.pixels_mut().for_each(|pixel| pixel.0 = pixel.0.map(|value| (value & 0xf8) | (value >> 5)));
        self.frames.push((frame, shown));
    }

    /// Writes the clip, which repeats without end.
    pub(super) fn save(&self, file: &Path) {
        let (first, _) = &self.frames[0];
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(file).unwrap()), first.width(), first.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::Adaptive);
        encoder.set_animated(u32::try_from(self.frames.len()).unwrap(), 0).unwrap();
        let mut writer = encoder.write_header().unwrap();
        let mut before: Option<&RgbImage> = None;
        for (frame, shown) in &self.frames {
            let (x, y, width, height) = before.map_or((0, 0, frame.width(), frame.height()), |one| change(one, frame));
            writer.set_frame_delay(*shown, 1_000).unwrap();
            if before.is_some() {
                // The position of the frame before would limit the size.
                writer.reset_frame_position().unwrap();
                writer.set_frame_dimension(width, height).unwrap();
                writer.set_frame_position(x, y).unwrap();
            }
            writer.write_image_data(&crop_imm(frame, x, y, width, height).to_image()).unwrap();
            before = Some(frame);
        }
        writer.finish().unwrap();
    }
}

/// The smallest rectangle with everything that differs: left, top, width and height. One point if nothing does.
fn change(before: &RgbImage, now: &RgbImage) -> (u32, u32, u32, u32) {
    let differing = now.enumerate_pixels().filter(|(x, y, pixel)| before.get_pixel(*x, *y) != *pixel);
    let bounds = differing.fold(None, |bounds, (x, y, _)| {
        let (left, top, right, bottom) = bounds.unwrap_or((x, y, x, y));
        Some((x.min(left), y.min(top), x.max(right), y.max(bottom)))
    });
    let (left, top, right, bottom) = bounds.unwrap_or_default();
    (left, top, right - left + 1, bottom - top + 1)
}
