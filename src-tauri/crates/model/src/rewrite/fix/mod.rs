//! What a rule can correct by itself. A correction invents no words and decides nothing that is a person's to decide:
//! it respells, puts in order, removes what the channel does not take and nobody sees, or sets what has one value.

mod buttons;
mod message;
mod text;
mod words;

use crate::component::Component;
use crate::finding::{Finding, Severity};
use crate::lint::findings_of;
use crate::template::Template;

/// Corrects a template at a path; `None` where it cannot, and then the template may be half changed.
type Fix = fn(&mut Template, &str) -> Option<()>;

/// Corrections by the code of their finding.
const FIXES: &[(&str, Fix)] = &[
    ("authentication.body_sample", message::remove_body_sample),
    ("authentication.body_text", message::remove_body_text),
    ("authentication.buttons", buttons::only_passcode),
    ("authentication.component", message::remove),
    ("authentication.expiration", message::clamp_expiration),
    ("authentication.expiration_required", message::remove_empty_footer),
    ("authentication.footer_text", message::remove_footer_text),
    ("authentication.otp_required", buttons::add_passcode),
    ("body.line_breaks", text::fewer_line_breaks),
    ("body.recommendation_unused", message::remove_recommendation),
    ("body.required", message::add_authentication_body),
    ("body.sample_extra", message::remove_extra_samples),
    ("body.sample_rows", message::keep_first_samples),
    ("body.spaces", text::fewer_spaces),
    ("body.tab", text::no_tabs),
    ("button.fixed_label", buttons::fixed_label),
    ("button.label_characters", buttons::plain_label),
    ("buttons.grouping", buttons::group),
    ("buttons.required", message::remove_empty_buttons),
    ("card.button_order", buttons::order_like_first_card),
    ("card.component", message::remove),
    ("code.characters", buttons::plain_code),
    ("component.duplicate", message::remove_duplicate),
    ("footer.expiration_unused", message::remove_expiration),
    ("footer.line_break", text::one_line),
    ("footer.text_required", message::remove_empty_footer),
    ("footer.variable", text::samples_into_footer),
    ("header.emoji", text::no_emoji),
    ("header.formatting", text::no_formatting),
    ("header.gif", message::film_instead_of_gif),
    ("header.line_break", text::one_line),
    ("header.text_required", message::remove_empty_header),
    ("header.text_unused", message::remove_header_text),
    ("language.spelling", message::spell_language),
    ("name.characters", message::spell_name),
    ("offer.button_order", buttons::code_first),
    ("offer.footer", message::remove),
    ("order.display_format", message::order_display),
    ("parameter_format.unknown", message::infer_format),
    ("phone.characters", buttons::only_digits),
    ("pix.key", message::plain_pix_key),
    ("product.header_required", message::add_product_header),
    ("sample.characters", text::plain_sample),
    ("sub_category.blank", message::remove_sub_category),
    ("ttl.marketing_lite_only", message::remove_ttl),
    ("ttl.range", message::clamp_ttl),
    ("type.marketing_only", message::ordinary_type),
    ("url.incomplete", buttons::whole_address),
    ("url.sample_not_whole", buttons::whole_sample),
    ("url.spaces", buttons::no_spaces),
    ("url.variable_name", text::number_address),
    ("variable.adjacent", text::apart),
    ("variable.format", text::one_format),
    ("variable.malformed", text::close_braces),
    ("variable.name", text::spell_variables),
    ("variable.numbering", text::renumber),
    ("variable.repeated", text::repeat_anew),
    ("variable.single_brace", text::double_braces),
    ("variable.spaces", text::no_spaces_in_braces),
    ("voice_call.ttl", buttons::clamp_call),
    ("waba_ids.malformed", message::number_wabas),
];

fn find(code: &str) -> Option<Fix> {
    FIXES.binary_search_by_key(&code, |(known, _)| known).ok().map(|at| FIXES[at].1)
}

/// The template with the finding corrected; `None` where no rule can, where the finding is not there, or where its
/// correction would bring an error.
pub(super) fn fixed(template: &Template, code: &str, path: &str) -> Option<Template> {
    find(code)?;
    corrected(template, &findings_of(template), code, path)
}

/// Marks the findings that can be corrected. `findings` may be those of more than the template, such as its files.
pub(crate) fn mark(template: &Template, findings: &mut [Finding]) {
    // Every correction is tried, which takes another look of the rules at the whole template. What nobody composes by
    // hand must not take for ever.
    const MOST_LOOKS_AT_COMPONENTS: usize = 2_000;
    let mut left = MOST_LOOKS_AT_COMPONENTS / size(&template.components).max(1);
    let mut before = None;
    for at in 0..findings.len() {
        if find(findings[at].code).is_none() || left == 0 {
            continue;
        }
        let (earlier, rest) = findings.split_at_mut(at);
        let finding = &mut rest[0];
        if let Some(same) = earlier.iter().find(|same| same.code == finding.code && same.path == finding.path) {
            finding.fixable = same.fixable;
            continue;
        }
        left -= 1;
        let before = before.get_or_insert_with(|| findings_of(template));
        finding.fixable = corrected(template, before, finding.code, &finding.path).is_some();
    }
}

fn size(components: &[Component]) -> usize {
    components
        .iter()
        .map(|component| match component {
            Component::Carousel(carousel) => {
                1 + carousel.cards.iter().map(|card| size(&card.components)).sum::<usize>()
            }
            Component::Buttons(buttons) => 1 + buttons.buttons.len() / 4,
            _ => 1,
        })
        .sum()
}

fn corrected(template: &Template, before: &[Finding], code: &str, path: &str) -> Option<Template> {
    let here = before.iter().filter(|finding| finding.code == code && finding.path == path).count();
    if here == 0 {
        return None;
    }
    let mut changed = template.clone();
    find(code)?(&mut changed, path)?;
    let after = findings_of(&changed);
    // Places move when a component is removed, so findings are counted and not compared.
    let of_code = |findings: &[Finding]| findings.iter().filter(|finding| finding.code == code).count();
    let gone = of_code(&after) + here <= of_code(before);
    (gone && !brings_errors(before, &after)).then_some(changed)
}

fn brings_errors(before: &[Finding], after: &[Finding]) -> bool {
    let errors = |findings: &[Finding], code: &str| {
        findings.iter().filter(|finding| finding.severity == Severity::Error && finding.code == code).count()
    };
    after
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .any(|finding| errors(after, finding.code) > errors(before, finding.code))
}

#[cfg(test)]
mod tests;
