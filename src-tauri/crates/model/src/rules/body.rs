//! Rules of bodies and footers (contract §2.2; upstream §2.2, §2.3, §3).

use std::collections::HashSet;

use super::Scope;
use super::length::code_points;
use super::links;
use super::report::{At, Report, source};
use super::text::{self, Place};
use crate::component::{Body, Footer, NamedSample};
use crate::variable::{self, SamplePlace, Samples, ShownSamples, Variable};
use crate::vocabulary::Category;

/// Checks a body of at most `limit` characters; `stated` is the source of the limit.
pub(super) fn check(
    report: &mut Report,
    at: &At<'_>,
    body: &Body,
    scope: &Scope<'_>,
    (limit, stated): (usize, &'static str),
) {
    let here = at.field("text");
    if body.add_security_recommendation.is_some() {
        let message = "Only authentication templates can have add_security_recommendation. Remove it.";
        report.warning(
            "body.recommendation_unused",
            &at.field("add_security_recommendation"),
            source::AUTHENTICATION,
            message,
            &[],
        );
    }
    let content = body.text.as_deref().unwrap_or_default();
    if content.trim().is_empty() {
        report.error("body.text_required", &here, source::COMPONENTS, "Write the body text.", &[]);
        return;
    }
    text::limit(report, "body.too_long", &here, stated, "The body", content, limit);
    characters(report, &here, content);
    let variables = text::variables(report, &here, Place::Body, content, &scope.format);
    if variables.is_empty() {
        unused_samples(report, at, body, &variables);
        return;
    }
    let words = text::words(content);
    let least = 2 * variables.len() + 1;
    if words < least {
        report.warning(
            "body.too_few_words",
            &here,
            source::ERRORS,
            format_args!(
                "The body needs at least {least} words besides its variables and has {words}, so it will probably be \
                 rejected. Write more text."
            ),
            &[("variables", &variables.len()), ("words", &words), ("least", &least), ("errorCode", &2_388_293)],
        );
    }
    samples(report, at, body, &variables);
    unused_samples(report, at, body, &variables);
    filled_length(report, &here, body, content, limit);
}

fn characters(report: &mut Report, at: &At<'_>, content: &str) {
    if content.contains('\t') {
        let message = "The body has a tab, which WhatsApp usually rejects. Use spaces.";
        report.warning("body.tab", at, source::OBSERVED, message, &[]);
    }
    if content.contains("     ") {
        let message = "The body has more than four spaces in a row, which WhatsApp usually rejects.";
        report.warning("body.spaces", at, source::OBSERVED, message, &[]);
    }
    if text::has_blank_lines(content, 3) {
        let message = "The body has more than three line breaks in a row, which WhatsApp usually rejects.";
        report.warning("body.line_breaks", at, source::OBSERVED, message, &[]);
    }
    if let Some(host) = links::shortener(content) {
        let message =
            format_args!("The body has a shortened link ({host}), which the review rejects. Use the full address.");
        report.warning("body.shortener", at, source::REVIEW, message, &[("host", &host)]);
    }
    if links::links_to_channel(content) {
        let message = "The body has a link to WhatsApp itself, which the review often rejects. Use a button or an address of your site.";
        report.warning("body.whatsapp_link", at, source::OBSERVED, message, &[]);
    }
    text::placeholder(report, at, content);
    if text::has_card_number(content) {
        let message =
            "The body seems to contain a full card number, which the review rejects. Show only the last digits.";
        report.warning("body.card_number", at, source::REVIEW, message, &[]);
    }
}

fn samples(report: &mut Report, at: &At<'_>, body: &Body, variables: &[Variable<'_>]) {
    let example = at.field("example");
    let named = example.field("body_text_named_params");
    let rows = example.field("body_text");
    let row = rows.item(0);
    let mut samples = Samples::of_body(body.example.as_ref());
    let mut seen = HashSet::new();
    for variable in variables {
        let name = variable.name;
        if !seen.insert(name) {
            continue;
        }
        let (place, sample) = samples.find(variable);
        let (cell, entry);
        let here = match place {
            SamplePlace::Positional(index) => {
                cell = row.item(index);
                cell
            }
            SamplePlace::Named(index) => {
                entry = named.item(index);
                entry.field("example")
            }
        };
        match sample.filter(|sample| !sample.trim().is_empty()) {
            None => report.warning(
                "body.sample_missing",
                &here,
                source::COMPONENTS,
                format_args!("Add a sample for {{{{{name}}}}}. WhatsApp usually rejects templates without it."),
                &[("name", &name)],
            ),
            Some(sample) => {
                if let Some(fault) = text::value_fault(sample).map(text::ValueFault::words) {
                    report.warning(
                        "sample.characters",
                        &here,
                        source::OBSERVED,
                        format_args!(
                            "The sample for {{{{{name}}}}} has {fault}. A message with such a value is rejected."
                        ),
                        &[("name", &name), ("fault", &fault)],
                    );
                } else {
                    text::sample(report, &here, sample, name);
                }
            }
        }
    }
}

/// Reports samples without a variable.
fn unused_samples(report: &mut Report, at: &At<'_>, body: &Body, variables: &[Variable<'_>]) {
    let Some(samples) = &body.example else { return };
    if samples.body_text.len() > 1 {
        let message = "body_text can have only one list of samples. Remove the others.";
        let rows = at.field("example");
        report.warning("body.sample_rows", &rows.field("body_text"), source::COMPONENTS, message, &[]);
    }
    let example = at.field("example");
    if variables.len() == text::MAX_VARIABLES {
        return;
    }
    let needed = variables.iter().filter_map(Variable::number).max().map_or(0, |number| number.max(1));
    let given = samples.body_text.first().map_or(0, Vec::len);
    let rows = example.field("body_text");
    if given > needed {
        extra(report, &rows.item(0), given, needed);
    }
    let names: HashSet<&str> = variables.iter().map(|variable| variable.name).collect();
    let unused = |sample: &NamedSample| !names.contains(sample.param_name.as_str());
    let given = samples.body_text_named_params.len();
    let unused_named = samples.body_text_named_params.iter().filter(|sample| unused(sample)).count();
    if unused_named > 0 {
        extra(report, &example.field("body_text_named_params"), given, given - unused_named);
    }
}

fn extra(report: &mut Report, at: &At<'_>, given: usize, count: usize) {
    report.warning(
        "body.sample_extra",
        at,
        source::COMPONENTS,
        format_args!(
            "The number of samples ({given}) doesn't match the number of variables ({count}). Remove the extra samples."
        ),
        &[("samples", &given), ("variables", &count)],
    );
}

fn filled_length(report: &mut Report, at: &At<'_>, body: &Body, content: &str, limit: usize) {
    let own = code_points(content);
    if own > limit {
        return;
    }
    let samples = ShownSamples::of_body(body.example.as_ref());
    let mut length = own;
    for (order, variable) in variable::scan(content).enumerate() {
        if let Some(sample) = samples.of(&variable, order) {
            length = length - code_points(&content[variable.range.clone()]) + code_points(sample);
        }
    }
    if length > limit {
        report.warning(
            "body.too_long_filled",
            at,
            source::OFFER,
            format_args!(
                "With its samples, the body has {length} characters. Messages with more than {limit} are rejected."
            ),
            &[("length", &length), ("limit", &limit), ("errorCode", &132_005)],
        );
    }
}

/// Checks the footer of a template that is not for authentication.
pub(super) fn footer(report: &mut Report, at: &At<'_>, footer: &Footer, scope: &Scope<'_>) {
    let here = at.field("text");
    let content = footer.text.as_deref().unwrap_or_default();
    if footer.code_expiration_minutes.is_some() && scope.template.category.is_other_than(&Category::Authentication) {
        report.warning(
            "footer.expiration_unused",
            &at.field("code_expiration_minutes"),
            source::AUTHENTICATION,
            "WhatsApp documents code_expiration_minutes only for authentication templates. Remove it.",
            &[],
        );
    }
    if content.trim().is_empty() {
        let message = "Write the footer text, or remove the footer.";
        report.error("footer.text_required", &here, source::COMPONENTS, message, &[]);
        return;
    }
    text::limit(report, "footer.too_long", &here, source::COMPONENTS, "The footer", content, 60);
    text::placeholder(report, &here, content);
    if variable::scan(content).next().is_some() || !text::well_formed(content) {
        // One of the channel's pages allows it, and the contract's sends have footer parameters (§2.3).
        let message = "WhatsApp documents footers without variables. Move it to the body.";
        report.warning("footer.variable", &here, source::COMPONENTS, message, &[]);
    }
    if content.contains(['\n', '\r']) {
        let message = "The footer has a line break and will probably be rejected. Write it on one line.";
        report.warning("footer.line_break", &here, source::ERRORS, message, &[("errorCode", &2_388_073)]);
    }
}
