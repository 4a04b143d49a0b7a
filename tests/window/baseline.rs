//! Compares screens with pictures of how they should look, in `tests/window/baseline`.
//!
//! Both are reduced to a fourth of their size first, so that fonts that are drawn a little differently, or a time of
//! another length, do not count; a part that moved, vanished or has another colour does.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use image::imageops::{FilterType, crop_imm, resize};
use image::{Rgb, RgbImage};

use super::page::{Page, TIMEOUT};

/// With this variable, the pictures are taken again instead of compared.
const RENEW: &str = "TEMPLATE_DESK_RENEW_BASELINE";
/// How much smaller the pictures are than the screen.
const REDUCTION: u32 = 4;
/// A point differs if one of its colours differs by more than this, of 255.
const MAX_DIFFERENCE: u8 = 40;
/// How many of a thousand points may differ.
const MAX_DIFFERING: usize = 15;
/// How long a screen that differs is looked at at least: a preview may follow what was typed only after a moment.
const SETTLE_TIME: Duration = Duration::from_secs(3);

/// The screens that were compared, and those that differ.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub(super) compared: usize,
    pub(super) different: Vec<String>,
}

impl Comparison {
    /// Compares the window, of this size, with the picture of this name, until they agree or the screen stays as it is.
    pub(super) async fn look(&mut self, page: &Page, name: &str, size: (u32, u32)) {
        let file = folder().join(format!("{name}.png"));
        let expected = match std::env::var_os(RENEW) {
            Some(_) => None,
            None => image::open(&file).ok().map(|picture| picture.to_rgb8()),
        };
        self.compared += 1;
        let started = Instant::now();
        let mut before = None;
        loop {
            let now = reduced_screen(page, name, size).await;
            let compared = expected.as_ref().map(|expected| compare(expected, &now));
            if compared.as_ref().is_some_and(|(differing, _)| *differing <= MAX_DIFFERING) {
                return;
            }
            let is_settled = before.as_ref() == Some(&now) && started.elapsed() > SETTLE_TIME;
            if !is_settled && started.elapsed() < TIMEOUT {
                before = Some(now);
                tokio::time::sleep(SETTLE_TIME / 10).await;
                continue;
            }
            match compared {
                Some((differing, picture)) => {
                    let shown = page.screenshot_file(&format!("{name}-differs"));
                    picture.save(&shown).unwrap();
                    self.different.push(format!("{name}: {differing} ‰ of it differ, red in {}", shown.display()));
                }
                None if std::env::var_os(RENEW).is_some() => {
                    std::fs::create_dir_all(folder()).unwrap();
                    now.save(file).unwrap();
                }
                None => self.different.push(format!("{name}: there is no picture; run make baseline")),
            }
            return;
        }
    }
}

/// The window, of this size, at a fourth of it.
async fn reduced_screen(page: &Page, name: &str, (width, height): (u32, u32)) -> RgbImage {
    page.screenshot(name).await;
    let screen = image::open(page.screenshot_file(name)).unwrap().to_rgb8();
    let window = crop_imm(&screen, 0, 0, width, height).to_image();
    resize(&window, width / REDUCTION, height / REDUCTION, FilterType::Triangle)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/baseline")
}

/// How many of a thousand points differ, and the picture with those points in red.
fn compare(expected: &RgbImage, now: &RgbImage) -> (usize, RgbImage) {
    let mut picture = now.clone();
    if expected.dimensions() != now.dimensions() {
        return (1_000, picture);
    }
    let mut differing = 0;
    for (point, expected) in picture.pixels_mut().zip(expected.pixels()) {
        if point.0.iter().zip(expected.0).any(|(now, expected)| now.abs_diff(expected) > MAX_DIFFERENCE) {
            *point = Rgb([255, 0, 0]);
            differing += 1;
        }
    }
    (differing * 1_000 / expected.pixels().len(), picture)
}

#[test]
fn moved_and_recoloured_parts_differ_and_slight_ones_do_not() {
    let plain = RgbImage::from_pixel(200, 100, Rgb([240, 240, 240]));
    let with_button = |x: u32, color: Rgb<u8>| {
        let mut picture = plain.clone();
        for (dx, dy) in (0..40).flat_map(|dx| (0..10).map(move |dy| (dx, dy))) {
            picture.put_pixel(x + dx, 50 + dy, color);
        }
        picture
    };
    let green = Rgb([20, 120, 60]);
    let expected = with_button(20, green);
    for (now, differs) in [
        (with_button(20, green), false),
        (with_button(20, Rgb([30, 130, 70])), false),
        (with_button(60, green), true),
        (with_button(20, Rgb([200, 30, 30])), true),
        (plain.clone(), true),
        (RgbImage::new(100, 100), true),
    ] {
        assert_eq!(compare(&expected, &now).0 > MAX_DIFFERING, differs);
    }
}
