//! The pictures of the README, taken from the sandbox by `make screenshots`.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use super::clip::Clip;
use super::desktop::{Desktop, Keyring};
use super::first_minutes::first_template;
use super::page::Page;

const PICTURE: &[u8] = include_bytes!("../../icons/128x128.png");
/// Size of the window and of each picture, in pixels.
const WIDTH: u32 = 1_120;
const HEIGHT: u32 = 720;
/// Width of the clip, in pixels.
const CLIP_WIDTH: u32 = 840;
/// Size of the clip's file, in bytes.
const MAX_CLIP: u64 = 1_000_000;
/// Number of recipients in the batch.
const ROWS: usize = 120;

#[tokio::test]
#[ignore = "makes the pictures of the README; run by `make screenshots`"]
async fn readme_pictures() {
    let mut desktop = Desktop::start("readme", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_SEED", "history");
    let page = desktop.open_app().await;
    page.resize(WIDTH, HEIGHT).await;
    page.click("link", "Inbox").await;
    page.find("grid", "Contacts").await;
    people_write(&desktop, &page).await;
    page.click("link", "Inbox").await;
    page.find("grid", "Contacts").await;
    page.click("row", "Bia").await;
    page.find("img", "image-").await;
    take(&page, "inbox").await;

    a_batch_is_sent(&desktop, &page).await;

    page.click("link", "Templates").await;
    page.wait_for_text("spring_sale").await;
    take(&page, "templates").await;

    page.click("link", "Review").await;
    page.find("region", "Review board").await;
    page.wait_for_text("tulip_cards").await;
    take(&page, "review-board").await;

    let rejected = page.find("region", "Rejected").await;
    page.click_in(&rejected, "link", "tulip_cards").await;
    page.click("button", "Fix and resubmit").await;
    page.wait_for_text("What to fix").await;
    take(&page, "composer").await;

    page.click("link", "Activity").await;
    page.wait_for_text("Read").await;
    take(&page, "events").await;
    page.close().await;
}

#[tokio::test]
#[ignore = "makes the clip of the README; run by `make screenshots`"]
async fn readme_clip() {
    let mut desktop =
        Desktop::start("readme-clip", Keyring::Unlocked).with_sandbox("TEMPLATE_DESK_SANDBOX_SEED", "history");
    let page = desktop.open_app().await;
    page.resize(WIDTH, HEIGHT).await;
    page.wait_for_text("First steps").await;
    let mut clip = Clip::new((WIDTH, HEIGHT), CLIP_WIDTH);
    first_template(&page, &mut clip).await;
    let file = pictures().join("first-template.png");
    clip.save(&file);
    assert!(file.metadata().unwrap().len() < MAX_CLIP, "the clip is larger than {MAX_CLIP} bytes");
    page.close().await;
}

fn pictures() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Saves the window as a small picture file.
async fn take(page: &Page, name: &str) {
    page.screenshot(name).await;
    let screen = image::open(page.screenshot_file(name)).unwrap();
    let window = screen.crop_imm(0, 0, WIDTH, HEIGHT).to_rgb8();
    let file = File::create(pictures().join(format!("{name}.png"))).unwrap();
    let encoder = PngEncoder::new_with_quality(file, CompressionType::Best, FilterType::Adaptive);
    window.write_with_encoder(encoder).unwrap();
}

/// Two contacts write, one of them with a picture.
async fn people_write(desktop: &Desktop, page: &Page) {
    let picture = desktop.file("bouquet.png");
    std::fs::write(&picture, PICTURE).unwrap();
    for (number, name, text) in [
        ("5511940005678", "Caio", "Thank you, the peonies arrived fresh."),
        ("5511940001234", "Bia", "How long do tulips last?"),
    ] {
        page.click("link", "Sandbox phone").await;
        page.add_phone(number, name).await;
        page.find("row", name).await;
        desktop.answer_file_dialog(&picture);
        page.click("button", "Attach a file").await;
        page.wait_for_text("bouquet.png").await;
        page.fill("textbox", "Type a message", text).await;
        page.click("button", "Send message").await;
        page.wait_for_text(text).await;
    }
}

async fn a_batch_is_sent(desktop: &Desktop, page: &Page) {
    let file = desktop.file("recipients.csv");
    let mut text = "phone,name,date,hour\r\n".to_owned();
    for row in 0..ROWS {
        write!(text, "55119{row:08},Ana,12 de maio,10h\r\n").unwrap();
    }
    std::fs::write(&file, text).unwrap();
    super::sending::plan_file(desktop, page, &file).await;
    page.click("button", &format!("Send to {ROWS}")).await;
    page.click("button", &format!("Send {ROWS} messages now")).await;
    page.wait_for_slow_text_in(("group", "Rows by status"), &format!("Read {ROWS}")).await;
    take(page, "batch").await;
}
