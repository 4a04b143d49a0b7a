//! Which errors of a template are refused at once, and which the review finds.
//!
//! The channel answers a creation with an error for what it can check by itself: types, required fields, names,
//! lengths, counts and the placement of variables at the ends (upstream §3.3, §7, codes 2388xxx). What it judges later
//! comes back as `REJECTED` with `INVALID_FORMAT`.

use std::collections::BTreeMap;

use model::component::Component;
use model::finding::{Finding, Severity};
use model::template::Template;
use model::vocabulary::Category;

/// Errors of a template, by when the channel finds them.
#[derive(Debug, Default)]
pub struct Judgement {
    /// Refused with 400.
    pub refused: Vec<Finding>,
    /// Rejected in review.
    pub rejected: Vec<Finding>,
}

/// Judges a template by the rules of the channel.
#[must_use]
pub fn judge(template: &Template) -> Judgement {
    let mut judgement = Judgement::default();
    for finding in basics(template) {
        if finding.code.starts_with("variable.") {
            judgement.rejected.push(finding);
        } else {
            judgement.refused.push(finding);
        }
    }
    judgement
}

fn basics(template: &Template) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut error = |code: &'static str, path: String, message: &str, source: &'static str| {
        let values = BTreeMap::new();
        findings.push(Finding { code, severity: Severity::Error, path, message: message.to_owned(), values, source });
    };
    let named = template.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if template.name.is_empty() || template.name.len() > 512 || !named {
        error(
            "name.invalid",
            "/name".into(),
            "at most 512 lower-case letters, digits and underscores",
            "upstream §1.1",
        );
    }
    let body = template.components.iter().enumerate().find_map(|(index, component)| match component {
        Component::Body(body) => Some((index, body)),
        _ => None,
    });
    match body {
        None => error("body.missing", "/components".into(), "a template needs exactly one BODY", "upstream §2.2"),
        Some((index, body)) => {
            let text = body.text.as_deref().unwrap_or_default();
            let path = format!("/components/{index}/text");
            if text.trim().is_empty() && template.category != Category::Authentication {
                error("body.empty", path.clone(), "the body needs a text", "upstream §2.2");
            }
            if text.chars().count() > 1024 {
                error("body.too_long", path.clone(), "the body may have at most 1024 characters", "upstream §2.2");
            }
            let numbers: Vec<usize> = model::variable::scan(text).filter_map(|variable| variable.number()).collect();
            if (1..=numbers.iter().max().copied().unwrap_or(0)).any(|wanted| !numbers.contains(&wanted)) {
                error("variable.gap", path, "variables must be numbered 1, 2, 3 without a gap", "upstream §3.3");
            }
        }
    }
    findings
}

/// The channel's error code for a refused finding; 100 where it has no special one.
#[must_use]
pub fn channel_code(finding: &Finding) -> i32 {
    match finding.code {
        code if code.ends_with(".too_long") => 2_388_040,
        _ => 100,
    }
}
