//! Rules of headers (contract §2.2; upstream §2.1, §4.2).

use std::fmt::Display;

use super::report::{At, Report, source};
use super::text::{self, Place};
use super::{FileFacts, Scope};
use crate::component::{Header, HeaderExample, UPLOAD_PENDING};
use crate::finding::Severity;
use crate::media::{self, AUDIO_CODEC, COLOURS, Encoding, VIDEO_CODEC};
use crate::variable::{SamplePlace, Samples, Variable};
use crate::vocabulary::{HeaderFormat, TemplateType};

/// The code for the address of a listed sample, which is no sample of a request.
pub const SAMPLE_IS_ADDRESS: &str = "header.handle_is_address";

/// The error of the channel for a header text in a form that it does not take.
const REFUSED: (&str, &dyn Display) = ("errorCode", &2_388_047);

pub(super) fn check(report: &mut Report, at: &At<'_>, header: &Header, scope: &Scope<'_>, file: Option<&FileFacts>) {
    match &header.format {
        HeaderFormat::Text => line(report, at, header, scope),
        HeaderFormat::Image | HeaderFormat::Video | HeaderFormat::Document | HeaderFormat::Gif => {
            sample_file(report, at, header, scope, file);
        }
        HeaderFormat::Location | HeaderFormat::Product => {}
        HeaderFormat::Unknown(word) => report.hint(
            "header.format_unknown",
            &at.field("format"),
            source::CONTRACT_COMPONENTS,
            format_args!("This app doesn't know the header format `{word}`; it is sent unchanged."),
            &[("word", word)],
        ),
    }
    if header.format != HeaderFormat::Text && header.text.as_deref().is_some_and(|text| !text.is_empty()) {
        report.warning(
            "header.text_unused",
            &at.field("text"),
            source::COMPONENTS,
            format_args!("A header of the format {} can't show text. Remove the text, or choose TEXT.", header.format),
            &[("format", &header.format)],
        );
    }
}

fn line(report: &mut Report, at: &At<'_>, header: &Header, scope: &Scope<'_>) {
    let here = at.field("text");
    let text = header.text.as_deref().unwrap_or_default();
    if text.trim().is_empty() {
        let message = "Write the header text, or remove the header.";
        report.error("header.text_required", &here, source::COMPONENTS, message, &[]);
        return;
    }
    text::limit(report, "header.too_long", &here, source::COMPONENTS, "The header", text, 60);
    text::placeholder(report, &here, text);
    if text.contains(['\n', '\r']) {
        let message = "Headers can't have line breaks. Write it on one line.";
        report.error("header.line_break", &here, source::ERRORS, message, &[REFUSED]);
    }
    if text::has_emoji(text) {
        let message = "Headers can't have emoji. Move them to the body.";
        report.error("header.emoji", &here, source::ERRORS, message, &[REFUSED]);
    }
    if let Some(sign) = text::formatting_sign(text) {
        // The refusal names asterisks and "formatting characters"; the others may be ordinary characters.
        let severity = if sign == '*' { Severity::Error } else { Severity::Warning };
        let message = format_args!("Headers can't have formatting. Remove `{sign}`.");
        report.add(severity, "header.formatting", &here, source::ERRORS, message, &[("sign", &sign), REFUSED]);
    }
    let variables = text::variables(report, &here, Place::Header, text, &scope.format);
    if variables.len() > 1 {
        report.error(
            "header.too_many_variables",
            &here,
            source::COMPONENTS,
            format_args!(
                "The header has {} variables; the limit is one. Move the others to the body.",
                variables.len()
            ),
            &[("count", &variables.len()), ("limit", &1)],
        );
    }
    if let Some(variable) = variables.first() {
        sample(report, at, header.example.as_ref(), variable);
    }
}

fn sample(report: &mut Report, at: &At<'_>, example: Option<&HeaderExample>, variable: &Variable<'_>) {
    let here = at.field("example");
    let (positional, named) = (here.field("header_text"), here.field("header_text_named_params"));
    let name = variable.name;
    let (place, sample) = Samples::of_header(example).find(variable);
    let entry;
    let here = match place {
        SamplePlace::Positional(index) => positional.item(index),
        SamplePlace::Named(index) => {
            entry = named.item(index);
            entry.field("example")
        }
    };
    if sample.is_none_or(|sample| sample.trim().is_empty()) {
        report.warning(
            "header.sample_missing",
            &here,
            source::COMPONENTS,
            format_args!("Add a sample for {{{{{name}}}}}. WhatsApp usually rejects templates without it."),
            &[("name", &name)],
        );
    } else if let Some(fault) = sample.and_then(text::value_fault).map(text::ValueFault::words) {
        report.warning(
            "sample.characters",
            &here,
            source::OBSERVED,
            format_args!("The sample for {{{{{name}}}}} has {fault}. A message with such a value is rejected."),
            &[("name", &name), ("fault", &fault)],
        );
    } else if let Some(sample) = sample {
        text::sample(report, &here, sample, name);
    }
}

fn sample_file(report: &mut Report, at: &At<'_>, header: &Header, scope: &Scope<'_>, file: Option<&FileFacts>) {
    let example = at.field("example");
    let handles = example.field("header_handle");
    let here = handles.item(0);
    let handle = header.example.as_ref().and_then(|example| example.header_handle.first()).map(|handle| handle.trim());
    let format = &header.format;
    let shown = super::in_words(format.as_str());
    if header.format == HeaderFormat::Gif && scope.template.kind != Some(TemplateType::MarketingLite) {
        let message = "GIF headers work only with marketing_lite. Use a video, or change the sending API.";
        report.warning("header.gif", &at.field("format"), source::MARKETING, message, &[]);
    }
    match (handle, file) {
        (_, Some(file)) => file_facts(report, &here, format, file),
        (None | Some(""), None) => report.warning(
            "header.sample_missing",
            &here,
            source::COMPONENTS,
            format_args!("Choose a sample file for the {shown} header. WhatsApp usually rejects templates without it."),
            &[("format", format)],
        ),
        (Some(UPLOAD_PENDING), None) if scope.files_known => report.error(
            "header.file_missing",
            &here,
            source::CONTRACT_COMPONENTS,
            format_args!(
                "{UPLOAD_PENDING} refers to a file sent in the same request, but there is none. Choose a file."
            ),
            &[("format", format)],
        ),
        (Some(handle), None) if handle.starts_with("http://") || handle.starts_with("https://") => report.warning(
            SAMPLE_IS_ADDRESS,
            &here,
            source::COMPONENTS,
            "The sample is an address from WhatsApp that can't be submitted again. Choose the file again.",
            &[],
        ),
        (Some(_), None) => {}
    }
}

fn file_facts(report: &mut Report, at: &At<'_>, format: &HeaderFormat, file: &FileFacts) {
    let (most, accepted) = media::limit_of(format);
    let shown = super::in_words(format.as_str());
    if let Some(mime) = &file.mime {
        let essence = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !media::fits(format, &essence) {
            report.error(
                "header.file_type",
                at,
                source::MEDIA,
                format_args!("The file is {essence}, but {shown} headers need {accepted}. Choose another file."),
                &[("mime", &essence), ("accepted", &accepted), ("format", format)],
            );
        } else if *format == HeaderFormat::Document && essence != "application/pdf" {
            let message = "WhatsApp may accept only PDF documents in templates. Use a PDF to be safe.";
            report.warning("header.document_not_pdf", at, source::COMPONENTS, message, &[("mime", &essence)]);
        } else if let Some(encoding) = &file.encoding {
            check_encoding(report, at, encoding);
        }
    } else if matches!(format, HeaderFormat::Image | HeaderFormat::Video | HeaderFormat::Gif) && file.size > 0 {
        // The first bytes of each accepted type are known.
        report.error(
            "header.file_unknown",
            at,
            source::MEDIA,
            format_args!("The file isn't {accepted}, which {shown} headers need. Choose another file."),
            &[("accepted", &accepted), ("format", format)],
        );
    }
    if file.size > most {
        let stated = if *format == HeaderFormat::Image { source::CONTRACT_LIMITS } else { source::MEDIA };
        let [size, limit] = [file.size, most].map(media::in_megabytes);
        report.error(
            "header.file_too_large",
            at,
            stated,
            format_args!("The file is {size}; the limit for {shown} headers is {limit}. Choose a smaller file."),
            &[("size", &file.size), ("limit", &most), ("format", format)],
        );
    } else if file.size == 0 {
        let message = "The file is empty. Choose another file.";
        report.error("header.file_empty", at, source::MEDIA, message, &[]);
    }
}

/// Checks the channel's requirements for the encoding of a picture or video (upstream §4.2).
fn check_encoding(report: &mut Report, at: &At<'_>, encoding: &Encoding) {
    if encoding.damaged {
        let message = "This picture cannot be opened, so WhatsApp rejects it. Choose another file, or save it again.";
        report.warning("header.picture_damaged", at, source::MEDIA, message, &[]);
    }
    if let Some(codec) = encoding.video.as_ref().filter(|codec| *codec != VIDEO_CODEC) {
        report.warning(
            "header.video_codec",
            at,
            source::MEDIA,
            format_args!("The video is encoded as {codec}, but WhatsApp plays {VIDEO_CODEC}. Convert it."),
            &[("codec", codec), ("accepted", &VIDEO_CODEC)],
        );
    }
    if encoding.audio.len() > 1 {
        let count = encoding.audio.len();
        report.warning(
            "header.audio_streams",
            at,
            source::MEDIA,
            format_args!("The video has {count} audio tracks; the limit is one. Remove the others."),
            &[("count", &count)],
        );
    }
    if let Some(codec) = encoding.audio.iter().find(|codec| *codec != AUDIO_CODEC) {
        report.warning(
            "header.audio_codec",
            at,
            source::MEDIA,
            format_args!("The audio is encoded as {codec}, but WhatsApp plays {AUDIO_CODEC}. Convert it."),
            &[("codec", codec), ("accepted", &AUDIO_CODEC)],
        );
    }
    if let Some(colour) = encoding.colour.as_ref().filter(|colour| !COLOURS.contains(&colour.as_str())) {
        report.warning(
            "header.picture_colour",
            at,
            source::MEDIA,
            format_args!("The image is {colour}, but WhatsApp accepts 8-bit RGB or RGBA. Convert it."),
            &[("colour", colour)],
        );
    }
}
