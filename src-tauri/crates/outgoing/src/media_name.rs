//! Safe names for files received from others.

/// Maximum length in bytes: file systems allow 255, and the dialog adds nothing.
const MAX_BYTES: usize = 150;
/// Names that some systems reserve for devices.
const RESERVED_NAMES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// A name without folders, without characters that have a special meaning to a system or change the writing direction,
/// and shortened. `None` if nothing remains.
pub fn cleaned(name: &str) -> Option<String> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name
        .chars()
        .filter(|c| !model::visible::is_invisible(*c))
        .map(|c| if matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*') { '_' } else { c })
        .collect();
    let name = name.trim_matches(|c: char| c.is_whitespace() || c == '.');
    if name.is_empty() {
        return None;
    }
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let port = ["com", "lpt"].iter().any(|port| {
        stem.strip_prefix(port).is_some_and(|rest| rest.chars().count() == 1 && !rest.starts_with(char::is_alphabetic))
    });
    let name = if port || RESERVED_NAMES.contains(&stem.as_str()) { format!("_{name}") } else { name.to_owned() };
    Some(shortened(&name))
}

/// Shortens a name in the middle of its stem.
fn shortened(name: &str) -> String {
    if name.len() <= MAX_BYTES {
        return name.to_owned();
    }
    let (stem, extension) = match name.rfind('.') {
        Some(dot) if name.len() - dot <= 16 => name.split_at(dot),
        _ => (name, ""),
    };
    let room = stem.floor_char_boundary(MAX_BYTES - extension.len());
    // Windows removes a dot at the end.
    format!("{}{extension}", stem[..room].trim_end_matches(|c: char| c.is_whitespace() || c == '.'))
}

/// Extensions of files that run when they are opened: programs, installers, scripts, shortcuts, pages and documents
/// with macros, of Windows, macOS, Linux and Android.
const RUNNING: &str = "\
    action apk app appimage appref-ms appx appxbundle bat chm cmd com command cpl deb desktop dmg docm dotm exe \
    gadget hta htm html inf iso jar jnlp js jse lnk mht mhtml msc msi msix msp pif pkg potm ppam ppsm pptm ps1 psm1 \
    py pyw rb reg rpm run scf scr settingcontent-ms sh svg url vb vbe vbs vhd wsf wsh xhtml xlam xlsm xltm";

/// Whether a received file of this name can run code when it is opened. The last extension counts, as for systems.
pub fn can_run(name: &str) -> bool {
    let name = cleaned(name).unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.trim_end().to_ascii_lowercase());
    extension.is_some_and(|extension| RUNNING.split(' ').any(|running| running == extension))
}

/// The usual extension of a media type, with its dot; empty if there is none.
pub fn extension(mime: &str, kind: &str) -> &'static str {
    match mime.split(';').next().unwrap_or_default().trim() {
        "image/jpeg" => ".jpg",
        "image/png" => ".png",
        "image/webp" => ".webp",
        "image/gif" => ".gif",
        "video/mp4" if kind == "audio" => ".m4a",
        "video/mp4" => ".mp4",
        "video/3gpp" => ".3gp",
        "audio/ogg" => ".ogg",
        "audio/mpeg" => ".mp3",
        "audio/mp4" => ".m4a",
        "audio/aac" => ".aac",
        "audio/amr" => ".amr",
        "application/pdf" => ".pdf",
        "text/plain" => ".txt",
        "text/csv" => ".csv",
        "application/zip" => ".zip",
        "application/msword" => ".doc",
        "application/vnd.ms-excel" => ".xls",
        "application/vnd.ms-powerpoint" => ".ppt",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => ".docx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => ".xlsx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => ".pptx",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, can_run, cleaned};

    #[test]
    fn programs_scripts_and_documents_with_macros_can_run() {
        for name in [
            "virus.exe",
            "Invoice.pdf.EXE",
            "a.lnk",
            "run.ps1",
            "list.xlsm",
            "page.html",
            "x.exe. ",
            "a\u{202e}fdp.exe",
        ] {
            assert!(can_run(name), "{name:?}");
        }
        for name in ["invoice.pdf", "exe", "photo.jpeg", "list.xlsx", "note.exe.txt", ""] {
            assert!(!can_run(name), "{name:?}");
        }
    }

    #[test]
    fn untrusted_names_are_sanitized() {
        let long = format!("{}.pdf", "é".repeat(200));
        for (name, expected) in [
            ("invoice 10482.pdf", Some("invoice 10482.pdf")),
            ("../../etc/passwd", Some("passwd")),
            ("C:\\Windows\\system32\\cmd.exe", Some("cmd.exe")),
            ("/", None),
            ("..", None),
            (" . ", None),
            ("", None),
            (".bashrc", Some("bashrc")),
            ("a\u{202e}fdp.exe", Some("afdp.exe")),
            ("a\0b\nc.txt", Some("abc.txt")),
            ("what? \"now\".txt", Some("what_ _now_.txt")),
            ("CON", Some("_CON")),
            ("nul.txt", Some("_nul.txt")),
            ("aux .tar.gz", Some("_aux .tar.gz")),
            ("Conout$", Some("_Conout$")),
            ("com1.log", Some("_com1.log")),
            ("lpt\u{b9}", Some("_lpt\u{b9}")),
            ("common.log", Some("common.log")),
            ("comx", Some("comx")),
            ("trailing. ", Some("trailing")),
        ] {
            assert_eq!(cleaned(name).as_deref(), expected, "{name:?}");
        }
        let cut_at_a_dot = format!("{}.{}", "x".repeat(MAX_BYTES - 1), "y".repeat(20));
        assert_eq!(cleaned(&cut_at_a_dot), Some("x".repeat(MAX_BYTES - 1)));
        let short = cleaned(&long).unwrap_or_default();
        assert!(short.len() <= MAX_BYTES && short.ends_with("é.pdf"), "{short}");
    }
}
