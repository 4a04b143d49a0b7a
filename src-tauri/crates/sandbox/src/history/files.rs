//! Files that customers sent.

use std::sync::OnceLock;

use bytes::Bytes;

use crate::seed;

pub(crate) struct File {
    pub(crate) mime_type: &'static str,
    bytes: fn() -> Bytes,
    digest: OnceLock<String>,
}

/// A small picture.
pub(crate) static PICTURE: File = File { mime_type: "image/png", bytes: picture, digest: OnceLock::new() };
/// A PDF with one page.
pub(crate) static DOCUMENT: File = File { mime_type: "application/pdf", bytes: document, digest: OnceLock::new() };

impl File {
    pub(crate) fn bytes(&self) -> Bytes {
        (self.bytes)()
    }

    pub(crate) fn sha256(&self) -> &str {
        self.digest.get_or_init(|| {
            let digest = ring::digest::digest(&ring::digest::SHA256, &self.bytes());
            digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
        })
    }
}

fn picture() -> Bytes {
    Bytes::from(seed::picture(160, 200))
}

fn document() -> Bytes {
    const TEXT: &str = "BT /F1 18 Tf 40 340 Td (Ipe Flores) Tj 0 -28 Td (Documento de exemplo) Tj ET";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{TEXT}\nendstream", TEXT.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = "%PDF-1.4\n".to_owned();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(pdf.len());
        pdf.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let start = pdf.len();
    pdf.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for offset in offsets {
        pdf.push_str(&format!("{offset:010} 00000 n \n"));
    }
    pdf.push_str(&format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1));
    Bytes::from(pdf)
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENT, PICTURE};

    #[test]
    fn files_are_what_their_types_say() {
        for file in [&PICTURE, &DOCUMENT] {
            assert_eq!(model::media::of_file(&file.bytes(), None), Some(file.mime_type));
        }
    }
}
