//! The first page of a PDF, drawn.

use std::io::Read;

use anyhow::{Context as _, ensure};
use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::{DynamicImage, RgbaImage};

use super::THUMBNAIL;

/// Most bytes of a document that is drawn: the whole of it is read, and its streams unpack to more.
pub(super) const LIMIT: u64 = 32 * 1024 * 1024;

/// Draws the first page in the size of a thumbnail.
///
/// # Errors
/// When it is no PDF, or one that needs a password, or has no page.
pub(super) fn first(file: impl Read) -> anyhow::Result<DynamicImage> {
    let mut bytes = Vec::new();
    file.take(LIMIT + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= LIMIT, "the document is too large");
    let document = Pdf::new(bytes).ok().context("the document cannot be read, or needs a password")?;
    let page = document.pages().first().context("the document has no page")?;
    let (width, height) = page.render_dimensions();
    let longer = width.max(height);
    ensure!(longer.is_finite() && longer >= 1.0, "the page has no extent");
    let side = THUMBNAIL as f32;
    let scale = |length: f32| (length * side / longer).clamp(1.0, side) / length;
    // A very long page keeps at least one pixel across.
    let settings = PixmapSettings { x_scale: scale(width), y_scale: scale(height), bg_color: WHITE };
    let drawn = hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &settings,
    );
    let (width, height) = (u32::from(drawn.width()), u32::from(drawn.height()));
    // Drawn on white, so that nothing is transparent and nothing needs to be unmultiplied.
    RgbaImage::from_raw(width, height, drawn.data_as_u8_slice().to_vec())
        .map(DynamicImage::from)
        .context("the page has no pixels")
}
