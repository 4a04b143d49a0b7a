//! Automatic fixes for findings. A fix never writes text or makes a decision for a person: it changes a spelling or an
//! order, removes invisible parts that the channel rejects, or sets a field with a single possible value.

mod buttons;
mod message;
mod payment;
mod text;
mod words;

pub(super) use words::as_name;

use std::collections::HashMap;
use std::io;

use crate::component::Component;
use crate::finding::{Finding, Severity};
use crate::rules::{self, DISPLAY_FORMAT_REQUIRED, LintContext, codes_of, weighed};
use crate::template::Template;

/// Fixes a template at a path; `None` if it can't, and then the template may be partly changed.
type Fix = fn(&mut Template, &str) -> Option<()>;

/// Fixes by the code of their finding.
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
    ("card.component", message::remove_from_cards),
    ("code.characters", buttons::plain_code),
    ("component.duplicate", message::remove_duplicate),
    ("footer.expiration_unused", message::remove_expiration),
    ("footer.line_break", text::one_line),
    ("footer.text_required", message::remove_empty_footer),
    ("footer.variable", text::samples_into_footer),
    ("header.emoji", text::no_emoji),
    ("header.formatting", text::no_formatting),
    ("header.gif", message::video_instead_of_gif),
    ("header.line_break", text::one_line),
    ("header.text_required", message::remove_empty_header),
    ("header.text_unused", message::remove_header_text),
    ("language.spelling", message::spell_language),
    ("name.characters", message::spell_name),
    ("offer.button_order", buttons::code_first),
    ("offer.footer", message::remove),
    (DISPLAY_FORMAT_REQUIRED, message::order_display),
    ("order.timestamp", payment::instant_as_text),
    ("parameter_format.missing", message::named_format),
    ("parameter_format.unknown", message::infer_format),
    ("payment.word", payment::spell_word),
    ("phone.characters", buttons::only_digits),
    ("pix.key", payment::plain_pix_key),
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
    ("variable.repeated", text::rename_repeated),
    ("variable.single_brace", text::double_braces),
    ("variable.spaces", text::no_spaces_in_braces),
    ("voice_call.ttl", buttons::clamp_call),
    ("waba_ids.malformed", message::number_wabas),
];

fn find(code: &str) -> Option<Fix> {
    FIXES.binary_search_by_key(&code, |(known, _)| known).ok().map(|at| FIXES[at].1)
}

/// Number of findings by code and severity.
type Counts = HashMap<(&'static str, Severity), usize>;

/// The template with the finding fixed; `None` if there is no fix, if the finding doesn't exist, or if the fix would
/// cause an error.
pub(super) fn fixed(template: &Template, code: &str, path: &str) -> Option<Template> {
    find(code)?;
    let findings = rules::findings(template, &LintContext::default());
    let here = findings.iter().filter(|finding| finding.code == code && finding.path == path).count();
    let before = counts(findings.iter().map(|finding| weighed(finding.code, finding.severity)));
    if here == 0 { None } else { try_fix(template, &LintContext::default(), &before, here, code, path) }
}

fn counts(codes: impl Iterator<Item = (&'static str, Severity)>) -> Counts {
    let mut counts = Counts::new();
    for code in codes {
        *counts.entry(code).or_default() += 1;
    }
    counts
}

/// Marks the fixable findings of a template.
pub(crate) fn mark(template: &Template, context: &LintContext, findings: &mut [Finding]) {
    // Each fix with its findings, in the order of their first occurrence.
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut tried: Vec<Vec<usize>> = Vec::new();
    for (at, finding) in findings.iter().enumerate().filter(|(_, finding)| find(finding.code).is_some()) {
        let place = *places.entry((finding.code, &finding.path)).or_insert(tried.len());
        if place == tried.len() {
            tried.push(Vec::new());
        }
        tried[place].push(at);
    }
    if tried.is_empty() {
        return;
    }
    let before = counts(findings.iter().map(|finding| weighed(finding.code, finding.severity)));
    let is_fixable = |about: &[usize]| {
        let Finding { code, path, .. } = &findings[about[0]];
        try_fix(template, context, &before, about.len(), code, path).is_some()
    };
    let fixable: Vec<usize> =
        tried.into_iter().take(max_attempts(template)).filter(|about| is_fixable(about)).flatten().collect();
    for at in fixable {
        findings[at].fixable = true;
    }
}

/// Maximum number of fixes to try. Each one lints the whole template again, so large templates get fewer.
fn max_attempts(template: &Template) -> usize {
    const MAX_COMPONENTS: usize = 2_000;
    const MAX_BYTES: usize = 4 << 20;
    let by_components = MAX_COMPONENTS / size(&template.components).max(1);
    by_components.min(MAX_BYTES / json_bytes(template).max(1))
}

/// Size of the template as JSON, in bytes.
fn json_bytes(template: &Template) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting can't fail, and the template was read from JSON.
    if serde_json::to_writer(&mut count, template).is_err() {
        return usize::MAX;
    }
    count.0
}

fn size(components: &[Component]) -> usize {
    let of = |component: &Component| match component {
        Component::Carousel(carousel) => carousel.cards.iter().map(|card| size(&card.components)).sum(),
        Component::Buttons(buttons) => buttons.buttons.len() / 4,
        _ => 0,
    };
    components.iter().map(|component| 1 + of(component)).sum()
}

/// The fixed template, if `here` findings of `code` are gone and there are no new errors.
fn try_fix(
    template: &Template,
    context: &LintContext,
    before: &Counts,
    here: usize,
    code: &str,
    path: &str,
) -> Option<Template> {
    let mut changed = template.clone();
    find(code)?(&mut changed, path)?;
    let after = counts(codes_of(&changed, context).into_iter());
    // Paths change when a component is removed, so findings are counted, not compared.
    let of_code = |counts: &Counts| -> usize {
        counts.iter().filter(|((other, _), _)| *other == code).map(|(_, count)| count).sum()
    };
    let is_fixed = of_code(&after) + here <= of_code(before);
    (is_fixed && !adds_errors(before, &after)).then_some(changed)
}

fn adds_errors(before: &Counts, after: &Counts) -> bool {
    let is_error = |(_, severity): &(&str, Severity)| *severity == Severity::Error;
    after.iter().any(|(code, count)| is_error(code) && before.get(code).is_none_or(|earlier| count > earlier))
}

#[cfg(test)]
mod tests;
